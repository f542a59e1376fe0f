// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s

// Glenside's convolution in NHWC/HWCF: windows, then every window with every
// filter, then dot products.
// CHECK-LABEL: @conv2d
func.func @conv2d(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<1x4x6x7xf32> {
  // CHECK: tensoraccess.access %{{.*}} at 1 : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  // CHECK: tensoraccess.windows %{{.*}} shape = [3, 3, 5] strides = [2, 1, 1] : !tensoraccess.access<1 | 9x8x5xf32> -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<3x3x5x7xf32> -> !tensoraccess.access<3 | 3x5x7xf32>
  // CHECK: tensoraccess.transpose %{{.*}} perm = [3, 0, 1, 2]
  %3 = tensoraccess.transpose %2 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 3x5x7xf32>
    -> !tensoraccess.access<7 | 3x3x5xf32>
  // CHECK: tensoraccess.cart_prod %{{.*}}, %{{.*}} : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>, !tensoraccess.access<7 | 3x3x5xf32> -> !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
  %4 = tensoraccess.cart_prod %1, %3
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>,
       !tensoraccess.access<7 | 3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
  // CHECK: tensoraccess.compute dot_prod %{{.*}} : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32> -> !tensoraccess.access<1x4x6x1x7 | f32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | f32>
  // CHECK: tensoraccess.squeeze %{{.*}} axis 3
  %6 = tensoraccess.squeeze %5 axis 3
     : !tensoraccess.access<1x4x6x1x7 | f32>
    -> !tensoraccess.access<1x4x6x7 | f32>
  // CHECK: tensoraccess.to_tensor
  %7 = tensoraccess.to_tensor %6
     : !tensoraccess.access<1x4x6x7 | f32> -> tensor<1x4x6x7xf32>
  return %7 : tensor<1x4x6x7xf32>
}
