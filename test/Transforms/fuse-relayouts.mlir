// Relayouts take in the transposes, reshapes and conversions beside them.
// RUN: tensoraccess-opt %s --tensoraccess-fuse-relayouts --split-input-file | FileCheck %s

#bf16 = #tensoraccess.layout<{1,0:T(8,128)(2,1)}>

// Before it.
// CHECK-LABEL: @before(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>
// CHECK: %[[R:.*]] = tensoraccess.relayout %[[X]] permutation = [1, 0] : tensor<3x5xf32> to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
// CHECK: return %[[R]]
func.func @before(%x: tensor<3x5xf32>) -> tensor<5x3xbf16, #bf16> {
  %e = tensor.empty() : tensor<5x3xf32>
  %0 = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
  %1 = arith.truncf %0 : tensor<5x3xf32> to tensor<5x3xbf16>
  %2 = tensoraccess.relayout %1 : tensor<5x3xbf16> to tensor<5x3xbf16, #bf16>
  return %2 : tensor<5x3xbf16, #bf16>
}

// -----

#bf16 = #tensoraccess.layout<{1,0:T(8,128)(2,1)}>

// After it.
// CHECK-LABEL: @after(
// CHECK-SAME: %[[X:.*]]: tensor<5x6xbf16, #
// CHECK: %[[R:.*]] = tensoraccess.relayout %[[X]] permutation = [1, 0] : tensor<5x6xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>> to tensor<2x15xf32>
// CHECK: return %[[R]]
func.func @after(%x: tensor<5x6xbf16, #bf16>) -> tensor<2x15xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %0 = tensoraccess.relayout %x : tensor<5x6xbf16, #bf16> to tensor<5x6xbf16>
  %1 = arith.extf %0 : tensor<5x6xbf16> to tensor<5x6xf32>
  %2 = linalg.transpose ins(%1 : tensor<5x6xf32>) outs(%e : tensor<6x5xf32>) permutation = [1, 0]
  %3 = tensor.expand_shape %2 [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2]] : tensor<2x3x5xf32> into tensor<2x15xf32>
  return %4 : tensor<2x15xf32>
}

// -----

// What others read stays; a transpose after a reshape stays; so does a second
// rounding.
// CHECK-LABEL: @stays(
// CHECK: linalg.transpose
// CHECK: tensoraccess.relayout %{{.*}} : tensor<5x3xf32> to tensor<5x3xf32, #
// CHECK: tensoraccess.relayout %{{.*}} : tensor<3x5x7xf32> to tensor<15x7xf32>
// CHECK: linalg.transpose
// CHECK: tensoraccess.relayout %{{.*}} : tensor<3x5xf32> to tensor<3x5xbf16>
// CHECK: arith.extf
func.func @stays(%x: tensor<3x5xf32>, %y: tensor<3x5x7xf32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>, tensor<7x15xf32>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<5x3xf32>
  %0 = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>) permutation = [1, 0]
  %1 = tensoraccess.relayout %0 : tensor<5x3xf32> to tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %2 = tensoraccess.relayout %y : tensor<3x5x7xf32> to tensor<15x7xf32>
  %f = tensor.empty() : tensor<7x15xf32>
  %3 = linalg.transpose ins(%2 : tensor<15x7xf32>) outs(%f : tensor<7x15xf32>) permutation = [1, 0]
  %4 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<3x5xbf16>
  %5 = arith.extf %4 : tensor<3x5xbf16> to tensor<3x5xf32>
  return %0, %1, %3, %5 : tensor<5x3xf32>, tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>, tensor<7x15xf32>, tensor<3x5xf32>
}

// -----

// A pack without padding after a transpose, and back.
// CHECK-LABEL: @packs(
// CHECK-SAME: %[[X:.*]]: tensor<16x64xf32>
// CHECK: %[[R:.*]] = tensoraccess.relayout %[[X]] permutation = [1, 0] : tensor<16x64xf32> to tensor<64x16xf32, #tensoraccess.layout<{1,0:T(8,4)}>>
// CHECK: %[[P:.*]] = tensoraccess.bitcast %[[R]] : {{.*}} to tensor<8x4x8x4xf32>
// CHECK: %[[B:.*]] = tensoraccess.bitcast %{{.*}} : tensor<8x4x8x4xf32> to tensor<64x16xf32, #tensoraccess.layout<{1,0:T(8,4)}>>
// CHECK: %[[U:.*]] = tensoraccess.relayout %[[B]] : {{.*}} to tensor<64x16xbf16>
// CHECK: return %[[P]], %[[U]]
func.func @packs(%x: tensor<16x64xf32>, %y: tensor<8x4x8x4xf32>) -> (tensor<8x4x8x4xf32>, tensor<64x16xbf16>) {
  %e = tensor.empty() : tensor<64x16xf32>
  %0 = linalg.transpose ins(%x : tensor<16x64xf32>) outs(%e : tensor<64x16xf32>) permutation = [1, 0]
  %d = tensor.empty() : tensor<8x4x8x4xf32>
  %1 = linalg.pack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<64x16xf32> -> tensor<8x4x8x4xf32>
  %2 = linalg.unpack %y inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e : tensor<8x4x8x4xf32> -> tensor<64x16xf32>
  %3 = arith.truncf %2 : tensor<64x16xf32> to tensor<64x16xbf16>
  return %1, %3 : tensor<8x4x8x4xf32>, tensor<64x16xbf16>
}
