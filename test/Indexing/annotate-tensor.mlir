// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --split-input-file --mlir-print-local-scope | FileCheck %s

// XLA's collapse shape.
// CHECK-LABEL: @collapse
func.func @collapse(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  // CHECK: tensor.collapse_shape
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]>]]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]>]]]
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

// XLA's expand shape.
// CHECK-LABEL: @expand
func.func @expand(%x: tensor<32xf32>) -> tensor<4x8xf32> {
  // CHECK: tensor.expand_shape
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]>]]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]>]]]
  %r = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// XLA's generic reshape, example 2: expanded and collapsed subshapes.
// CHECK-LABEL: @subshapes
func.func @subshapes(%x: tensor<4x8x12xf32>, %s: tensor<3xindex>) -> tensor<32x3x4xf32> {
  // CHECK: tensor.reshape
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), domain: d0 in [0, 3], d1 in [0, 7], d2 in [0, 11]>]], {{\[\[\]\]\]}}
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]>], []]]
  %r = tensor.reshape %x(%s) : (tensor<4x8x12xf32>, tensor<3xindex>) -> tensor<32x3x4xf32>
  return %r : tensor<32x3x4xf32>
}

// -----

// XLA's concatenate: disjoint domains.
// CHECK-LABEL: @concat
func.func @concat(%x: tensor<3x50xf32>, %y: tensor<3x30xf32>) -> tensor<3x80xf32> {
  // CHECK: tensor.concat
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 49]>]], {{\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1 + 50), domain: d0 in [0, 2], d1 in [0, 29]>]]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, 49]>], [#tensoraccess.indexing_map<(d0, d1) -> (d0, d1 - 50), domain: d0 in [0, 2], d1 in [50, 79]>]]]
  %r = tensor.concat dim(1) %x, %y : (tensor<3x50xf32>, tensor<3x30xf32>) -> tensor<3x80xf32>
  return %r : tensor<3x80xf32>
}

// -----

// The border of a pad is read from nowhere.
// CHECK-LABEL: @pad
func.func @pad(%x: tensor<3x5xf32>) -> tensor<6x9xf32> {
  %c = arith.constant 0.0 : f32
  // CHECK: tensor.pad
  // CHECK: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0 + 1, d1 + 3), domain: d0 in [0, 2], d1 in [0, 4]>]]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0 - 1, d1 - 3), domain: d0 in [1, 3], d1 in [3, 7]>]]]
  %r = tensor.pad %x low[1, 3] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<3x5xf32> to tensor<6x9xf32>
  return %r : tensor<6x9xf32>
}

// -----

// The destination of insert_slice is read around the slice, as disjoint maps.
// CHECK-LABEL: @insert_slice
func.func @insert_slice(%s: tensor<2xf32>, %d: tensor<7xf32>) -> tensor<7xf32> {
  // CHECK: tensor.insert_slice
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0) -> (d0 - 3), domain: d0 in [3, 4]>], [#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>, #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [5, 6]>]]]
  %r = tensor.insert_slice %s into %d[3] [2] [1] : tensor<2xf32> into tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----

// Elementwise ops, on tensors and on scalars.
// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<10x20xf32>, %a: f32) -> (tensor<10x20xf32>, f32) {
  // CHECK: arith.addf {{.*}} {tensoraccess.indexing = {input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]>]], {{\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]>]]]
  %r = arith.addf %x, %x : tensor<10x20xf32>
  // CHECK: math.exp {{.*}} {tensoraccess.indexing = {input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<() -> ()>]]], output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<() -> ()>]]]}}
  %s = math.exp %a : f32
  return %r, %s : tensor<10x20xf32>, f32
}

// -----

// Unknown and empty are different answers.
// CHECK-LABEL: @unknown
func.func @unknown(%x: tensor<3xf32>, %y: tensor<3x0xf32>) -> (tensor<3xf32>, tensor<0xf32>) {
  // CHECK: "no.such"{{.*}} {tensoraccess.indexing = {input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<unknown>]]], output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<unknown>]]]}}
  %r = "no.such"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: tensor.collapse_shape {{.*}} output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<empty (d0) -> (
  %e = tensor.collapse_shape %y [[0, 1]] : tensor<3x0xf32> into tensor<0xf32>
  return %r, %e : tensor<3xf32>, tensor<0xf32>
}
