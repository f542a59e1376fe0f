// RUN: tensoraccess-translate --access-to-svg %s -o %t.svg
// RUN: %python %S/check_svg.py %t.svg
// RUN: FileCheck %s --input-file=%t.svg
// RUN: tensoraccess-translate --access-to-svg %s --mlir-disable-threading -o %t.again.svg
// RUN: cmp %t.svg %t.again.svg

// A large image is drawn with dots, and the caption says what is left out; the
// marks of the windows survive flatten and materialize (im2col).
// CHECK: @im2col_of_a_large_image
// CHECK: window (0, 0, 1, 0)
// CHECK: rows drawn: 0-10, 228-229
// CHECK: columns drawn: 0-10, 228-229
// CHECK: 12544 rows and 64 columns of 147 elements
// CHECK: element (1, 2) reads
// CHECK: are a matmul, 12544x147 by 147x64
func.func @im2col_of_a_large_image(%x: tensor<1x224x224x3xf32>, %w: tensor<64x7x7x3xf32>)
    -> tensor<12544x64xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<1x224x224x3xf32> -> !tensoraccess.access<1 | 224x224x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 3, 3, 0] high = [0, 3, 3, 0] value = 0.0 : f32 : !tensoraccess.access<1 | 224x224x3xf32> -> !tensoraccess.access<1 | 230x230x3xf32>
  %2 = tensoraccess.windows %1 shape = [7, 7, 3] strides = [2, 2, 1] : !tensoraccess.access<1 | 230x230x3xf32> -> !tensoraccess.access<1x112x112x1 | 7x7x3xf32>
  %3 = tensoraccess.flatten %2 : !tensoraccess.access<1x112x112x1 | 7x7x3xf32> -> !tensoraccess.access<12544 | 147xf32>
  %4 = tensoraccess.materialize %3 : !tensoraccess.access<12544 | 147xf32> -> !tensoraccess.access<12544 | 147xf32>
  %5 = tensoraccess.access %w at 1 : tensor<64x7x7x3xf32> -> !tensoraccess.access<64 | 7x7x3xf32>
  %6 = tensoraccess.flatten %5 : !tensoraccess.access<64 | 7x7x3xf32> -> !tensoraccess.access<64 | 147xf32>
  %7 = tensoraccess.cart_prod %4, %6 : !tensoraccess.access<12544 | 147xf32>, !tensoraccess.access<64 | 147xf32> -> !tensoraccess.access<12544x64 | 2x147xf32>
  %8 = tensoraccess.compute dot_prod %7 : !tensoraccess.access<12544x64 | 2x147xf32> -> !tensoraccess.access<12544x64 | f32>
  %9 = tensoraccess.to_tensor %8 : !tensoraccess.access<12544x64 | f32> -> tensor<12544x64xf32>
  return %9 : tensor<12544x64xf32>
}

// Windows with holes; a reduction makes one element of each; two users.
// CHECK: @dilated_pooling
// CHECK: shape [2, 3] strides [1, 1] dilations [2, 1]
// CHECK: one element per access point: 5 x 4
// CHECK: element (0, 0) from an item of 2x3
func.func @dilated_pooling(%x: tensor<7x6xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %0 = tensoraccess.access %x at 0 : tensor<7x6xf32> -> !tensoraccess.access<| 7x6xf32>
  %1 = tensoraccess.windows %0 shape = [2, 3] strides = [1, 1] dilations = [2, 1] : !tensoraccess.access<| 7x6xf32> -> !tensoraccess.access<5x4 | 2x3xf32>
  %2 = tensoraccess.compute reduce_max %1 : !tensoraccess.access<5x4 | 2x3xf32> -> !tensoraccess.access<5x4 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<5x4 | f32> -> tensor<5x4xf32>
  %4 = tensoraccess.compute reduce_sum %1 : !tensoraccess.access<5x4 | 2x3xf32> -> !tensoraccess.access<5x4 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<5x4 | f32> -> tensor<5x4xf32>
  return %3, %5 : tensor<5x4xf32>, tensor<5x4xf32>
}

// A window of 64 is drawn to scale; one row where there is one dimension; a
// product without a sum shows the pair.
// CHECK: @long_windows
// CHECK: one square: 8 columns
// CHECK: is item
func.func @long_windows(%x: tensor<1024xf32>, %y: tensor<3x64xf32>) -> tensor<16x3x2x64xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<1024xf32> -> !tensoraccess.access<| 1024xf32>
  %1 = tensoraccess.windows %0 shape = [64] strides = [64] : !tensoraccess.access<| 1024xf32> -> !tensoraccess.access<16 | 64xf32>
  %2 = tensoraccess.access %y at 1 : tensor<3x64xf32> -> !tensoraccess.access<3 | 64xf32>
  %3 = tensoraccess.cart_prod %1, %2 : !tensoraccess.access<16 | 64xf32>, !tensoraccess.access<3 | 64xf32> -> !tensoraccess.access<16x3 | 2x64xf32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<16x3 | 2x64xf32> -> tensor<16x3x2x64xf32>
  return %4 : tensor<16x3x2x64xf32>
}

// Sizes that are unknown at compile time.
// CHECK: @dynamic
// CHECK: dimensions 1, 2: ? x ? elements
// CHECK: rows drawn: 0-10, …
func.func @dynamic(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<?x?x?xf32> -> !tensoraccess.access<? | ?x?xf32>
  %1 = tensoraccess.windows %0 shape = [3, 2] strides = [1, 1] : !tensoraccess.access<? | ?x?xf32> -> !tensoraccess.access<?x?x? | 3x2xf32>
  %2 = tensoraccess.compute reduce_max %1 : !tensoraccess.access<?x?x? | 3x2xf32> -> !tensoraccess.access<?x?x? | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<?x?x? | f32> -> tensor<?x?x?xf32>
  return %3 : tensor<?x?x?xf32>
}

// Empty sides and empty dimensions leave nothing to draw a grid of.
// CHECK: @empty_sides
func.func @empty_sides(%x: tensor<f32>, %y: tensor<0x3xf32>) -> (tensor<f32>, tensor<0xf32>) {
  %0 = tensoraccess.access %x at 0 : tensor<f32> -> !tensoraccess.access<| f32>
  %1 = tensoraccess.compute relu %0 : !tensoraccess.access<| f32> -> !tensoraccess.access<| f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| f32> -> tensor<f32>
  %3 = tensoraccess.access %y at 1 : tensor<0x3xf32> -> !tensoraccess.access<0 | 3xf32>
  %4 = tensoraccess.compute reduce_sum %3 : !tensoraccess.access<0 | 3xf32> -> !tensoraccess.access<0 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<0 | f32> -> tensor<0xf32>
  return %2, %5 : tensor<f32>, tensor<0xf32>
}

// CHECK-NOT: @without_patterns
func.func @without_patterns(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
