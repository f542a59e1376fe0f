// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --split-input-file | FileCheck %s

// Ops that are not registered are known by name; their attributes are read where
// generic form keeps them, dimension numbers from text.

// CHECK-LABEL: func.func @convolution
func.func @convolution(%x: tensor<1x9x8x6xf32>, %w: tensor<3x3x2x12xf32>)
    -> tensor<1x5x8x12xf32> {
  // CHECK: stablehlo.convolution
  // Padding excludes kernel elements at the border, and only the group of the
  // output feature is read.
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1, s2] -> (0, d1 * 2 + s0 - 1, d2 + s1 - 1, s2 + (d3 floordiv 4) * 2), domain: d0 in [0, 0], d1 in [0, 4], d2 in [0, 7], d3 in [0, 11], s0 in [0, 2], s1 in [0, 2], s2 in [0, 1], d1 * 2 + s0 in [1, 9], d2 + s1 in [1, 8]>]
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1, s2] -> (s0, s1, s2, d3), domain: d0 in [0, 0], d1 in [0, 4], d2 in [0, 7], d3 in [0, 11], s0 in [0, 2], s1 in [0, 2], s2 in [0, 1]>]]]
  %r = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64,
         dimension_numbers =
           #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
         feature_group_count = 3 : i64,
         padding = dense<1> : tensor<2x2xi64>,
         window_strides = array<i64: 2, 1>}>
         : (tensor<1x9x8x6xf32>, tensor<3x3x2x12xf32>) -> tensor<1x5x8x12xf32>
  return %r : tensor<1x5x8x12xf32>
}

// -----

// CHECK-LABEL: func.func @all_gather
func.func @all_gather(%x: tensor<4x3xf32>) -> tensor<8x3xf32> {
  // A collective's entry also says of which replica it speaks.
  // CHECK: stablehlo.all_gather
  // CHECK-SAME: input_to_output = {{\[\[\[}}{map = #tensoraccess.indexing_map<(d0, d1)[s0] -> (d0 + s0 * 4, d1), domain: d0 in [0, 3], d1 in [0, 2], s0 in [0, 1]>, replica = #tensoraccess.indexing_map<(d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 2], s0 in [0, 1]>}]]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}{map = #tensoraccess.indexing_map<(d0, d1) -> (d0 mod 4, d1), domain: d0 in [0, 7], d1 in [0, 2]>, replica = #tensoraccess.indexing_map<(d0, d1) -> (d0 floordiv 4), domain: d0 in [0, 7], d1 in [0, 2]>}]]]
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
         replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
         : (tensor<4x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}

// -----

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<9x4xf32>, %i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  // CHECK: stablehlo.gather
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1){rt0} -> (rt0, d1), domain: d0 in [0, 4], d1 in [0, 3], rt0 in [0, 8]>], [#tensoraccess.indexing_map<(d0, d1) -> (d0, 0), domain: d0 in [0, 4], d1 in [0, 3]>]]]
  // CHECK-SAME: runtime_sources = {input_to_output = {{.*}}, output_to_input = {{\[\[\[\[}}{clamp = array<i64: 0, 8>, map = #tensoraccess.indexing_map<(d0, d1){rt0} -> (d0, 0), domain: d0 in [0, 4], d1 in [0, 3], rt0 in [0, 8]>, operand = 1 : i64}]], {{\[\[}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
         : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// -----

// A malformed op has no maps, and nothing crashes.
// CHECK-LABEL: func.func @malformed
func.func @malformed(%x: tensor<4x3xf32>) -> tensor<3x4xf32> {
  // CHECK: stablehlo.transpose
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<unknown>]]]
  %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 0, 7>}>
         : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
