// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --split-input-file --mlir-print-local-scope | FileCheck %s

// A window that hangs over the image: the padding is read from nowhere, and is
// zeros that the kernel is multiplied by.
// CHECK-LABEL: @conv2d
func.func @conv2d(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>) -> tensor<1x4x4x3xf32> {
  // CHECK: tosa.conv2d
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1, s2] -> (0, d1 + s0 - 1, d2 + s1 - 1, s2), domain: d0 in [0, 0], d1 in [0, 3], d2 in [0, 3], d3 in [0, 2], s0 in [0, 2], s1 in [0, 2], s2 in [0, 1], d1 + s0 in [1, 4], d2 + s1 in [1, 4]>],
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1, s2] -> (d3, s0, s1, s2), domain: d0 in [0, 0], d1 in [0, 3], d2 in [0, 3], d3 in [0, 2], s0 in [0, 2], s1 in [0, 2], s2 in [0, 1]>],
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (d3), domain: d0 in [0, 0], d1 in [0, 3], d2 in [0, 3], d3 in [0, 2]>],
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0), domain: d0 in [0, 0], d1 in [0, 3], d2 in [0, 3], d3 in [0, 2]>]
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  return %r : tensor<1x4x4x3xf32>
}

// -----

// Twice as large, nearest: floordiv, and another part where it is clamped.
// CHECK-LABEL: @resize
func.func @resize(%x: tensor<1x3x3x1xf32>) -> tensor<1x6x6x1xf32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // CHECK: tosa.resize
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0, (d1 + 1) floordiv 2, (d2 + 1) floordiv 2, 0), domain: d0 in [0, 0], d1 in [0, 4], d2 in [0, 4], d3 in [0, 0]>, #tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0, (d1 + 1) floordiv 2, 2, 0), domain: d0 in [0, 0], d1 in [0, 4], d2 in [5, 5], d3 in [0, 0]>, #tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0, 2, (d2 + 1) floordiv 2, 0), domain: d0 in [0, 0], d1 in [5, 5], d2 in [0, 4], d3 in [0, 0]>, #tensoraccess.indexing_map<(d0, d1, d2, d3) -> (0, 2, 2, 0), domain: d0 in [0, 0], d1 in [5, 5], d2 in [5, 5], d3 in [0, 0]>], [], [], []]]
  %r = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x3x3x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x6x6x1xf32>
  return %r : tensor<1x6x6x1xf32>
}

// -----

// An index that is data, and where it comes from.
// CHECK-LABEL: @gather
func.func @gather(%v: tensor<2x9x5xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x5xf32> {
  // CHECK: tosa.gather
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1, d2){rt0} -> (d0, rt0, d2), domain: d0 in [0, 1], d1 in [0, 2], d2 in [0, 4], rt0 in [0, 8]>]
  // CHECK-SAME: runtime_sources
  // CHECK-SAME: -> (d0, d1), domain
  // CHECK-SAME: operand = 1
  %r = tosa.gather %v, %i : (tensor<2x9x5xf32>, tensor<2x3xi32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}

// -----

// CHECK-LABEL: @max_pool2d
func.func @max_pool2d(%x: tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32> {
  // CHECK: tosa.max_pool2d
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1] -> (0, d1 * 2 + s0 - 1, d2 * 2 + s1 - 1, d3), domain: d0 in [0, 0], d1 in [0, 2], d2 in [0, 2], d3 in [0, 2], s0 in [0, 2], s1 in [0, 2], d1 * 2 + s0 in [1, 5], d2 * 2 + s1 in [1, 5]>]]]
  %r = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x5x5x3xf32>) -> tensor<1x3x3x3xf32>
  return %r : tensor<1x3x3x3xf32>
}
