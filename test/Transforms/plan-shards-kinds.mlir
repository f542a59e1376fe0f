// Each kind of cut is found where it is the best: of a single op the one that
// touches least besides the same work.
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=a=4" | FileCheck %s

// Eight images, no halo.
// CHECK-LABEL: @batch(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensoraccess.cut = "{d0: a}"
func.func @batch(%x: tensor<8x12x12x16xf32>, %w: tensor<3x3x16x16xf32>) -> tensor<8x10x10x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x10x10x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x10x10x16xf32>) -> tensor<8x10x10x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<8x12x12x16xf32>, tensor<3x3x16x16xf32>)
         outs(%z : tensor<8x10x10x16xf32>) -> tensor<8x10x10x16xf32>
  return %0 : tensor<8x10x10x16xf32>
}

// One large image, few channels.
// CHECK-LABEL: @rows(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensoraccess.cut = "{d1: a}"
func.func @rows(%x: tensor<1x130x34x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x128x32x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x128x32x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x32x4xf32>) -> tensor<1x128x32x4xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x130x34x4xf32>, tensor<3x3x4x4xf32>)
         outs(%z : tensor<1x128x32x4xf32>) -> tensor<1x128x32x4xf32>
  return %0 : tensor<1x128x32x4xf32>
}

// A small image, and large weights.
// CHECK-LABEL: @outputs(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensoraccess.cut = "{d3: a}"
func.func @outputs(%x: tensor<1x6x6x64xf32>, %w: tensor<3x3x64x512xf32>) -> tensor<1x4x4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x512xf32>) -> tensor<1x4x4x512xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x6x64xf32>, tensor<3x3x64x512xf32>)
         outs(%z : tensor<1x4x4x512xf32>) -> tensor<1x4x4x512xf32>
  return %0 : tensor<1x4x4x512xf32>
}

// One pixel of two channels is a long sum.
// CHECK-LABEL: @inputs(
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}tensoraccess.cut = "{d6: a}"
func.func @inputs(%x: tensor<1x3x3x4096xf32>, %w: tensor<3x3x4096x2xf32>) -> tensor<1x1x1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x1x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x3x3x4096xf32>, tensor<3x3x4096x2xf32>)
         outs(%z : tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
  return %0 : tensor<1x1x1x2xf32>
}

// The same where channels come first.
// CHECK-LABEL: @nchw_rows(
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}tensoraccess.cut = "{d2: a}"
func.func @nchw_rows(%x: tensor<1x4x130x34xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x128x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x128x32xf32>) -> tensor<1x4x128x32xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x130x34xf32>, tensor<4x4x3x3xf32>)
         outs(%z : tensor<1x4x128x32xf32>) -> tensor<1x4x128x32xf32>
  return %0 : tensor<1x4x128x32xf32>
}

// Sums over input channels.
// CHECK-LABEL: @nchw_inputs(
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}tensoraccess.cut = "{d4: a}"
func.func @nchw_inputs(%x: tensor<1x4096x3x3xf32>, %w: tensor<2x4096x3x3xf32>) -> tensor<1x2x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x1x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4096x3x3xf32>, tensor<2x4096x3x3xf32>)
         outs(%z : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// Groups have nothing in common.
// CHECK-LABEL: @groups(
// CHECK: linalg.conv_2d_ngchw_gfchw {{.*}}tensoraccess.cut = "{d1: a}"
func.func @groups(%x: tensor<1x8x8x9x9xf32>, %w: tensor<8x8x8x3x3xf32>) -> tensor<1x8x8x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x7x7xf32>) -> tensor<1x8x8x7x7xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x8x8x9x9xf32>, tensor<8x8x8x3x3xf32>)
         outs(%z : tensor<1x8x8x7x7xf32>) -> tensor<1x8x8x7x7xf32>
  return %0 : tensor<1x8x8x7x7xf32>
}

// Nor have channels of a depthwise convolution.
// CHECK-LABEL: @depthwise(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}tensoraccess.cut = "{d3: a}"
func.func @depthwise(%x: tensor<1x20x20x64xf32>, %w: tensor<3x3x64xf32>) -> tensor<1x18x18x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x18x18x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x18x18x64xf32>) -> tensor<1x18x18x64xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x20x20x64xf32>, tensor<3x3x64xf32>)
         outs(%z : tensor<1x18x18x64xf32>) -> tensor<1x18x18x64xf32>
  return %0 : tensor<1x18x18x64xf32>
}

// Nor those of a pool.
// CHECK-LABEL: @pool(
// CHECK: linalg.pooling_nhwc_sum {{.*}}tensoraccess.cut = "{d3: a}"
func.func @pool(%x: tensor<1x20x20x64xf32>, %w: tensor<3x3xf32>) -> tensor<1x18x18x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x18x18x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x18x18x64xf32>) -> tensor<1x18x18x64xf32>
  %0 = linalg.pooling_nhwc_sum ins(%x, %w : tensor<1x20x20x64xf32>, tensor<3x3xf32>)
         outs(%z : tensor<1x18x18x64xf32>) -> tensor<1x18x18x64xf32>
  return %0 : tensor<1x18x18x64xf32>
}

// The rows of a product.
// CHECK-LABEL: @m(
// CHECK: linalg.matmul {{.*}}tensoraccess.cut = "{d0: a}"
func.func @m(%x: tensor<4000x8xf32>, %w: tensor<8x8xf32>) -> tensor<4000x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4000x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4000x8xf32>) -> tensor<4000x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4000x8xf32>, tensor<8x8xf32>)
         outs(%z : tensor<4000x8xf32>) -> tensor<4000x8xf32>
  return %0 : tensor<4000x8xf32>
}

// Its columns.
// CHECK-LABEL: @n(
// CHECK: linalg.matmul {{.*}}tensoraccess.cut = "{d1: a}"
func.func @n(%x: tensor<8x8xf32>, %w: tensor<8x4000xf32>) -> tensor<8x4000xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4000xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4000xf32>) -> tensor<8x4000xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x4000xf32>)
         outs(%z : tensor<8x4000xf32>) -> tensor<8x4000xf32>
  return %0 : tensor<8x4000xf32>
}

// Its sum.
// CHECK-LABEL: @k(
// CHECK: linalg.matmul {{.*}}tensoraccess.cut = "{d2: a}"
func.func @k(%x: tensor<8x40000xf32>, %w: tensor<40000x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x40000xf32>, tensor<40000x8xf32>)
         outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Heads of attention.
// CHECK-LABEL: @heads(
// CHECK: linalg.batch_matmul {{.*}}tensoraccess.cut = "{d0: a}"
func.func @heads(%x: tensor<8x64x32xf32>, %w: tensor<8x32x64xf32>) -> tensor<8x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %0 = linalg.batch_matmul ins(%x, %w : tensor<8x64x32xf32>, tensor<8x32x64xf32>)
         outs(%z : tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}
