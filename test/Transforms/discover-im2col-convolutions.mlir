// Convolutions of all sorts, as they are raised: each is one product of flat
// patterns, found by saturation. The bits of the results are compared by
// test/python/test_im2col.py.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col --remarks-filter="tensoraccess.*" \
// RUN:   --remark-policy=all -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// Strided and dilated, channels last. 4x4 places, 9·3 in a window.
// REMARK: [Passed] im2col {{.*}}Function=strided_dilated | CopiedBytes=1728, K=27, M=16, N=5,
// REMARK: [Analysis] im2col {{.*}}Copies=1, Matmuls=1, Nodes={{[0-9]+}}, Remark=saturated
// CHECK-LABEL: @strided_dilated
// CHECK: materialize %{{.*}} : !tensoraccess.access<16 | 27xf32>
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<16x5 | 2x27xf32>
func.func @strided_dilated(%x: tensor<1x11x11x3xf32>, %w: tensor<3x3x3x5xf32>) -> tensor<1x4x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<1x11x11x3xf32>, tensor<3x3x3x5xf32>)
    outs(%f : tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  return %0 : tensor<1x4x4x5xf32>
}

// -----

// Channels first, padded: the padding is written by the copy.
// REMARK: [Passed] im2col {{.*}}Function=padded_nchw | CopiedBytes={{[0-9]+}}, K=27, M=20, N=6,
// CHECK-LABEL: @padded_nchw
// CHECK: tensoraccess.pad
// CHECK: materialize %{{.*}} : !tensoraccess.access<20 | 27xf32>
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<20x6 | 2x27xf32>
func.func @padded_nchw(%x: tensor<1x3x4x5xf32>, %w: tensor<6x3x3x3xf32>) -> tensor<1x6x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x3x4x5xf32> to tensor<1x3x6x7xf32>
  %e = tensor.empty() : tensor<1x6x4x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x6x7xf32>, tensor<6x3x3x3xf32>)
    outs(%f : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return %0 : tensor<1x6x4x5xf32>
}

// -----

// A group is an element of the batch.
// REMARK: [Passed] im2col {{.*}}Function=grouped | Batch=3, CopiedBytes={{[0-9]+}}, K=18, M=20, N=7,{{.*}}Remark="batch of matmuls with a copy
// CHECK-LABEL: @grouped
// CHECK: materialize %{{.*}} : !tensoraccess.access<3x20 | 18xf32>
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<3x20x7 | 2x18xf32>
func.func @grouped(%x: tensor<1x3x2x6x7xf32>, %w: tensor<3x7x2x3x3xf32>) -> tensor<1x3x7x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x7x4x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x7x4x5xf32>) -> tensor<1x3x7x4x5xf32>
  %0 = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x3x2x6x7xf32>, tensor<3x7x2x3x3xf32>)
    outs(%f : tensor<1x3x7x4x5xf32>) -> tensor<1x3x7x4x5xf32>
  return %0 : tensor<1x3x7x4x5xf32>
}

// -----

// A channel is an element of the batch, with a single column.
// REMARK: [Passed] im2col {{.*}}Function=depthwise | Batch=5, CopiedBytes={{[0-9]+}}, K=9, M=20, N=1,
// CHECK-LABEL: @depthwise
// CHECK: materialize %{{.*}} : !tensoraccess.access<5x20 | 9xf32>
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<5x20x1 | 2x9xf32>
func.func @depthwise(%x: tensor<1x6x7x5xf32>, %w: tensor<3x3x5xf32>) -> tensor<1x4x5x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x7x5xf32>, tensor<3x3x5xf32>)
    outs(%f : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

// In one dimension.
// REMARK: [Passed] im2col {{.*}}Function=one | CopiedBytes={{[0-9]+}}, K=6, M=14, N=5,
// CHECK-LABEL: @one
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<14x5 | 2x6xf32>
func.func @one(%x: tensor<2x9x2xf32>, %w: tensor<3x2x5xf32>) -> tensor<2x7x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x9x2xf32>, tensor<3x2x5xf32>)
    outs(%f : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  return %0 : tensor<2x7x5xf32>
}

// -----

// In three dimensions.
// REMARK: [Passed] im2col {{.*}}Function=three | CopiedBytes={{[0-9]+}}, K=24, M=24, N=5,
// CHECK-LABEL: @three
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<24x5 | 2x24xf32>
func.func @three(%x: tensor<1x3x4x5x3xf32>, %w: tensor<2x2x2x3x5xf32>) -> tensor<1x2x3x4x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x4x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x5xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x3x4x5x3xf32>, tensor<2x2x2x3x5xf32>)
    outs(%f : tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x5xf32>
  return %0 : tensor<1x2x3x4x5xf32>
}

// -----

// No cart_prod says that this is one: a pair of what is repeated.
// REMARK: [Passed] im2col {{.*}}Function=repeated | CopiedBytes=0, K=35, M=3, N=4,
// CHECK-LABEL: @repeated
// CHECK: compute dot_prod %{{.*}} : !tensoraccess.access<3x4 | 2x35xf32>
func.func @repeated(%x: tensor<3x1x5x7xf32>, %w: tensor<1x4x5x7xf32>) -> tensor<3x4xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<3x1x5x7xf32> -> !tensoraccess.access<3x1 | 5x7xf32>
  %1 = tensoraccess.broadcast %0 : !tensoraccess.access<3x1 | 5x7xf32> -> !tensoraccess.access<3x4 | 5x7xf32>
  %2 = tensoraccess.access %w at 2 : tensor<1x4x5x7xf32> -> !tensoraccess.access<1x4 | 5x7xf32>
  %3 = tensoraccess.broadcast %2 : !tensoraccess.access<1x4 | 5x7xf32> -> !tensoraccess.access<3x4 | 5x7xf32>
  %4 = tensoraccess.pair %1, %3 : !tensoraccess.access<3x4 | 5x7xf32>, !tensoraccess.access<3x4 | 5x7xf32> -> !tensoraccess.access<3x4 | 2x5x7xf32>
  %5 = tensoraccess.compute dot_prod %4 : !tensoraccess.access<3x4 | 2x5x7xf32> -> !tensoraccess.access<3x4 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<3x4 | f32> -> tensor<3x4xf32>
  return %6 : tensor<3x4xf32>
}
