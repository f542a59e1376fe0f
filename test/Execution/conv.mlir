// A convolution as an access program: compiled, it gives the interpreter's
// bits, and those of linalg's convolution within the order of summation. The
// program may have access patterns inside; only arguments and results are
// tensors.
// RUN: tensoraccess-run %s --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --compare=%S/Inputs/conv-linalg.mlir --time | FileCheck %s --check-prefix=LINALG
// RUN: tensoraccess-opt %S/Inputs/conv-linalg.mlir --tensoraccess-raise --tensoraccess-discover-im2col | tensoraccess-run - --compare=%S/Inputs/conv-linalg.mlir | FileCheck %s --check-prefix=IM2COL

// CHECK: result 0  f32 1x4x6x7  mean
// CHECK: compare 0  equal{{.*}} of 168 elements bit-equal
// LINALG: Gop/s (15120 operations)
// LINALG: compare 0  equal{{.*}} of 168 elements bit-equal
// IM2COL: compare 0  equal{{.*}} of 168 elements bit-equal
func.func @main(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<1x4x6x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<3x3x5x7xf32> -> !tensoraccess.access<3 | 3x5x7xf32>
  %3 = tensoraccess.transpose %2 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 3x5x7xf32>
    -> !tensoraccess.access<7 | 3x3x5xf32>
  %4 = tensoraccess.cart_prod %1, %3
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>,
       !tensoraccess.access<7 | 3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | f32>
  %6 = tensoraccess.squeeze %5 axis 3
     : !tensoraccess.access<1x4x6x1x7 | f32>
    -> !tensoraccess.access<1x4x6x7 | f32>
  %7 = tensoraccess.to_tensor %6
     : !tensoraccess.access<1x4x6x7 | f32> -> tensor<1x4x6x7xf32>
  return %7 : tensor<1x4x6x7xf32>
}
