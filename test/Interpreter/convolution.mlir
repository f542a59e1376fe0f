// A convolution as access patterns and as linalg, both by definition: the same
// bits, since both sum in row-major order of the window.
// RUN: tensoraccess-run %s --entry=access --engine=interpret --compare=%S/Inputs/convolution-linalg.mlir | FileCheck %s
// The same with its windows written out (im2col) and a plain matmul after.
// RUN: tensoraccess-run %s --entry=im2col --engine=interpret --compare=%S/Inputs/convolution-linalg.mlir | FileCheck %s

// CHECK: compare 0  equal, bit for bit: 100 of 100 elements bit-equal
func.func @access(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %0 = tensoraccess.access %image at 1
     : tensor<1x9x8x3xf32> -> !tensoraccess.access<1 | 9x8x3xf32>
  %1 = tensoraccess.windows %0 shape = [3, 2, 3] strides = [2, 1, 1]
       dilations = [1, 3, 1]
     : !tensoraccess.access<1 | 9x8x3xf32>
    -> !tensoraccess.access<1x4x5x1 | 3x2x3xf32>
  %2 = tensoraccess.squeeze %1 axis 3
     : !tensoraccess.access<1x4x5x1 | 3x2x3xf32>
    -> !tensoraccess.access<1x4x5 | 3x2x3xf32>
  %3 = tensoraccess.access %weights at 1
     : tensor<3x2x3x5xf32> -> !tensoraccess.access<3 | 2x3x5xf32>
  %4 = tensoraccess.transpose %3 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 2x3x5xf32> -> !tensoraccess.access<5 | 3x2x3xf32>
  %5 = tensoraccess.cart_prod %2, %4
     : !tensoraccess.access<1x4x5 | 3x2x3xf32>,
       !tensoraccess.access<5 | 3x2x3xf32>
    -> !tensoraccess.access<1x4x5x5 | 2x3x2x3xf32>
  %6 = tensoraccess.compute dot_prod %5
     : !tensoraccess.access<1x4x5x5 | 2x3x2x3xf32>
    -> !tensoraccess.access<1x4x5x5 | f32>
  %7 = tensoraccess.to_tensor %6
     : !tensoraccess.access<1x4x5x5 | f32> -> tensor<1x4x5x5xf32>
  return %7 : tensor<1x4x5x5xf32>
}

func.func @im2col(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %0 = tensoraccess.access %image at 1
     : tensor<1x9x8x3xf32> -> !tensoraccess.access<1 | 9x8x3xf32>
  %1 = tensoraccess.windows %0 shape = [3, 2, 3] strides = [2, 1, 1]
       dilations = [1, 3, 1]
     : !tensoraccess.access<1 | 9x8x3xf32>
    -> !tensoraccess.access<1x4x5x1 | 3x2x3xf32>
  %2 = tensoraccess.flatten %1
     : !tensoraccess.access<1x4x5x1 | 3x2x3xf32>
    -> !tensoraccess.access<20 | 18xf32>
  %3 = tensoraccess.materialize %2
     : !tensoraccess.access<20 | 18xf32> -> !tensoraccess.access<20 | 18xf32>
  %4 = tensoraccess.access %weights at 1
     : tensor<3x2x3x5xf32> -> !tensoraccess.access<3 | 2x3x5xf32>
  %5 = tensoraccess.transpose %4 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 2x3x5xf32> -> !tensoraccess.access<5 | 3x2x3xf32>
  %6 = tensoraccess.flatten %5
     : !tensoraccess.access<5 | 3x2x3xf32> -> !tensoraccess.access<5 | 18xf32>
  %7 = tensoraccess.cart_prod %3, %6
     : !tensoraccess.access<20 | 18xf32>, !tensoraccess.access<5 | 18xf32>
    -> !tensoraccess.access<20x5 | 2x18xf32>
  %8 = tensoraccess.compute dot_prod %7
     : !tensoraccess.access<20x5 | 2x18xf32> -> !tensoraccess.access<20x5 | f32>
  %9 = tensoraccess.reshape %8
     : !tensoraccess.access<20x5 | f32> -> !tensoraccess.access<1x4x5x5 | f32>
  %10 = tensoraccess.to_tensor %9
     : !tensoraccess.access<1x4x5x5 | f32> -> tensor<1x4x5x5xf32>
  return %10 : tensor<1x4x5x5xf32>
}
