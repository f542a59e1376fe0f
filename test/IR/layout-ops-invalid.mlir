// One ill-formed op for each constraint of the ops on layouts and indices,
// labelled as in LayoutOps.td.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

func.func @relayout_c1(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{permutation must be one of 2 dimensions, got [0, 0]}}
  %0 = tensoraccess.relayout %a permutation = [0, 0] : tensor<3x5xf32> to tensor<3x5xf32>
  return
}

// -----

func.func @relayout_c1_rank(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{permutation must be one of 2 dimensions, got [0, 1, 2]}}
  %0 = tensoraccess.relayout %a permutation = [0, 1, 2] : tensor<3x5xf32> to tensor<3x5xf32>
  return
}

// -----

func.func @relayout_c2(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{source and result must have equally many elements, got [5, 3] and [4, 4]}}
  %0 = tensoraccess.relayout %a permutation = [1, 0] : tensor<3x5xf32> to tensor<4x4xf32>
  return
}

// -----

// 15 elements are not rows of 4.
func.func @relayout_c2_dynamic(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{source and result must have equally many elements, got [3, 5] and [?, 4]}}
  %0 = tensoraccess.relayout %a : tensor<3x5xf32> to tensor<?x4xf32>
  return
}

// -----

// No number of rows of 5 has 16 elements.
func.func @relayout_c2_source(%a: tensor<?x5xf32>) {
  // expected-error @+1 {{source and result must have equally many elements, got [?, 5] and [4, 4]}}
  %0 = tensoraccess.relayout %a : tensor<?x5xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @relayout_c3(%a: tensor<?x6xf32>) {
  // expected-error @+1 {{the result's shape must follow from the source's, got [?, ?, 2] from [?, 6]}}
  %0 = tensoraccess.relayout %a : tensor<?x6xf32> to tensor<?x?x2xf32>
  return
}

// -----

// Any number of rows of nothing has as many elements.
func.func @relayout_c3_zero(%a: tensor<0x6xf32>) {
  // expected-error @+1 {{the result's shape must follow from the source's, got [0, ?, 2] from [0, 6]}}
  %0 = tensoraccess.relayout %a : tensor<0x6xf32> to tensor<0x?x2xf32>
  return
}

// -----

func.func @relayout_c4(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{elements must stay as they are, or stay floats or integers, got 'f32' to 'i32'}}
  %0 = tensoraccess.relayout %a : tensor<3x5xf32> to tensor<3x5xi32>
  return
}

// -----

func.func @relayout_c4_index(%a: tensor<3x5xindex>) {
  // expected-error @+1 {{elements must stay as they are, or stay floats or integers, got 'index' to 'i64'}}
  %0 = tensoraccess.relayout %a : tensor<3x5xindex> to tensor<3x5xi64>
  return
}

// -----

func.func @relayout_c5(%a: tensor<3x5xf32, "rows">) {
  // expected-error @+1 {{source must have a layout as its encoding, got "rows"}}
  %0 = tensoraccess.relayout %a : tensor<3x5xf32, "rows"> to tensor<3x5xf32>
  return
}

// -----

func.func @relayout_c5_result(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{result must have a layout as its encoding, got 4 : i64}}
  %0 = tensoraccess.relayout %a : tensor<3x5xf32> to tensor<3x5xf32, 4>
  return
}

// -----

// The type's own rule.
func.func @relayout_rank(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{minor_to_major must have one entry per dimension, 1, got 2}}
  %0 = tensoraccess.relayout %a : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{1,0}>>
  return
}

// -----

func.func @bitcast_c1(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{result must have a layout as its encoding, got "rows"}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xf32> to tensor<3x5xf32, "rows">
  return
}

// -----

func.func @bitcast_c2(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{elements must have equally many bits, got 'f32' and 'i16'}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xf32> to tensor<6x5xi16>
  return
}

// -----

func.func @bitcast_c2_index(%a: tensor<3x5xindex>) {
  // expected-error @+1 {{elements must have equally many bits, got 'index' and 'i64'}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xindex> to tensor<3x5xi64>
  return
}

// -----

func.func @bitcast_c2_stored(%a: tensor<3x5xi4, #tensoraccess.layout<{1,0:E(8)}>>) {
  // expected-error @+1 {{elements must take equally many bits of memory, got 8 and 4}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xi4, #tensoraccess.layout<{1,0:E(8)}>> to tensor<3x5xi4>
  return
}

// -----

func.func @bitcast_c3(%a: tensor<3x5xf32, #tensoraccess.layout<{1,0:S(1)}>>) {
  // expected-error @+1 {{memory space must stay 1, got 0}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xf32, #tensoraccess.layout<{1,0:S(1)}>> to tensor<3x5xf32>
  return
}

// -----

// 3x5 in tiles of 2x2 are 4x6.
func.func @bitcast_c4(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{both types must take equally many elements of memory, got 15 and 24}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xf32> to tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  return
}

// -----

// 24 places on both sides, but the number 5 is padding: (1, 5) of 3x5.
func.func @bitcast_c5(%a: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>) {
  // expected-error @+1 {{element [9] of the result is on padding of the source}}
  %0 = tensoraccess.bitcast %a : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<24xf32>
  return
}

// -----

func.func @bitcast_c6(%a: tensor<?x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>) {
  // expected-error @+1 {{sizes must be known to compare the layouts {1,0:T(2,2)} and {1,0}}}
  %0 = tensoraccess.bitcast %a : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<?x5xf32>
  return
}

// -----

func.func @bitcast_c6_shape(%a: tensor<?x5xf32>) {
  // expected-error @+1 {{source and result must have equally many elements, got [?, 5] and [4, 4]}}
  %0 = tensoraccess.bitcast %a : tensor<?x5xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @linearize_c1(%i: index) {
  // expected-error @+1 {{must have one index per dimension of the layout, 2, got 1}}
  %0 = tensoraccess.linearize %i in #tensoraccess.layout<{1,0}> of [3, 5]
  return
}

// -----

func.func @linearize_c2(%i: index) {
  // expected-error @+1 {{sizes must have one entry per dimension of the layout, 2, got 3}}
  %0 = tensoraccess.linearize %i, %i in #tensoraccess.layout<{1,0}> of [3, 5, 7]
  return
}

// -----

func.func @linearize_c2_operands(%i: index) {
  // expected-error @+1 {{sizes must have one operand per `?`, 1, got 0}}
  %0 = "tensoraccess.linearize"(%i) <{layout = #tensoraccess.layout<{0}>, operandSegmentSizes = array<i32: 1, 0>, static_sizes = array<i64: -9223372036854775808>}> : (index) -> index
  return
}

// -----

func.func @linearize_c3(%i: index) {
  // expected-error @+1 {{size 1 must not be negative, got -5}}
  %0 = tensoraccess.linearize %i, %i in #tensoraccess.layout<{1,0}> of [3, -5]
  return
}

// -----

func.func @linearize_c4(%i: index) {
  // expected-error @+1 {{tiled shape has more than 2^63 - 1 elements: {1,0} of [4294967296, 4294967296]}}
  %0 = tensoraccess.linearize %i, %i in #tensoraccess.layout<{1,0}> of [4294967296, 4294967296]
  return
}

// -----

func.func @delinearize_c1(%i: index) {
  // expected-error @+1 {{sizes must have one entry per dimension of the layout, 2, got 1}}
  %0:3 = tensoraccess.delinearize %i in #tensoraccess.layout<{1,0}> of [3]
  return
}

// -----

func.func @delinearize_c2(%i: index) {
  // expected-error @+1 {{size 0 must not be negative, got -3}}
  %0:3 = tensoraccess.delinearize %i in #tensoraccess.layout<{1,0}> of [-3, 5]
  return
}

// -----

func.func @delinearize_c3(%i: index) {
  // expected-error @+1 {{tiled shape has more than 2^63 - 1 elements: {0:T(128)} of [9223372036854775807]}}
  %0:2 = tensoraccess.delinearize %i in #tensoraccess.layout<{0:T(128)}> of [9223372036854775807]
  return
}

// -----

func.func @apply_indexing_c1() {
  // expected-error @+1 {{the map must not be unknown}}
  tensoraccess.apply_indexing #tensoraccess.indexing_map<unknown>()
  return
}

// -----

func.func @apply_indexing_c2(%i: index) {
  // expected-error @+1 {{must have one operand per variable of the map, 1 dims, got 2}}
  %0 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 9]>(%i, %i)
  return
}

// -----

func.func @apply_indexing_c2_symbols(%i: index) {
  // expected-error @+1 {{must have one operand per variable of the map, 1 symbols, got 0}}
  %0 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 1]>(%i)
  return
}

// -----

func.func @apply_indexing_c2_runtime(%i: index) {
  // expected-error @+1 {{must have one operand per variable of the map, 1 runtime variables, got 2}}
  %0 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(){rt0} -> (rt0), domain: rt0 in [0, 9]>(){%i, %i}
  return
}
