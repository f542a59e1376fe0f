// Only @conv's windows op matters to the test program; the reducer drops the
// other function and everything inside @conv that the op does not need.
// RUN: tensoraccess-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/keeps-windows.sh' | FileCheck %s

// CHECK-NOT: @other
// CHECK-LABEL: @conv
// CHECK: tensoraccess.windows %{{.*}} strides = [2, 1, 1]
// CHECK-NOT: tensoraccess.transpose
// CHECK-NOT: tensoraccess.cart_prod
// CHECK-NOT: tensoraccess.compute
// CHECK-NOT: arith.addf
// CHECK: return
func.func @conv(%x: tensor<1x9x8x5xf32>, %w: tensor<7x3x3x5xf32>)
    -> tensor<1x4x6x1x7xf32> {
  %s = arith.addf %x, %x : tensor<1x9x8x5xf32>
  %0 = tensoraccess.access %s at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x3x3x5xf32> -> !tensoraccess.access<7 | 3x3x5xf32>
  %3 = tensoraccess.transpose %2 perm = [0, 2, 1, 3]
     : !tensoraccess.access<7 | 3x3x5xf32>
    -> !tensoraccess.access<7 | 3x3x5xf32>
  %4 = tensoraccess.cart_prod %1, %3
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>,
       !tensoraccess.access<7 | 3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<1x4x6x1x7 | f32> -> tensor<1x4x6x1x7xf32>
  return %6 : tensor<1x4x6x1x7xf32>
}

func.func @other(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  return %x : tensor<3x5xf32>
}
