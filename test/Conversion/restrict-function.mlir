// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-restrict-function="box=[0,1)x[8,12)x[20,24)x[0,8)" | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-restrict-function="box='[0, 1) x [8, 12) x [20, 24) x [0, 8)'" \
// RUN:   | FileCheck %s

// A patch of a convolution reads the patch around it.
// CHECK-LABEL: @main
// CHECK-SAME: -> (tensor<1x4x4x8xf32> {my.name = "y"})
// CHECK: %[[PART:.*]] = tensor.extract_slice %arg0[0, 8, 20, 0] [1, 6, 6, 3] [1, 1, 1, 1]
// CHECK: linalg.conv_2d_nhwc_hwcf ins(%[[PART]], %arg1 : {{.*}} -> tensor<1x4x4x8xf32>
func.func @main(%x: tensor<1x64x64x3xf32>, %w: tensor<3x3x3x8xf32>)
    -> (tensor<1x62x62x8xf32> {my.name = "y"}) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x62x62x8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<1x62x62x8xf32>) -> tensor<1x62x62x8xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x64x64x3xf32>, tensor<3x3x3x8xf32>)
      outs(%f : tensor<1x62x62x8xf32>) -> tensor<1x62x62x8xf32>
  return %y : tensor<1x62x62x8xf32>
}

// -----

// StableHLO, with calls. At the border, what is left of the padding is padded.
// CHECK-LABEL: @main
// CHECK-SAME: -> tensor<1x4x4x8xf32>
// CHECK: tensor.extract_slice %arg0[0, 7, 19, 0] [1, 6, 5, 8]
// CHECK: tensor.pad {{.*}} low[0, 0, 0, 0] high[0, 0, 1, 0]
// CHECK: tensor<1x6x5x8xf32> to tensor<1x6x6x8xf32>
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<1x4x4x8xf32>)
// CHECK-NOT: @twice
func.func @main(%x: tensor<1x24x24x8xf32>, %w: tensor<3x3x8x8xf32>) -> tensor<1x24x24x8xf32> {
  %0 = stablehlo.convolution(%x, %w)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x24x24x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x24x24x8xf32>
  %1 = func.call @twice(%0) : (tensor<1x24x24x8xf32>) -> tensor<1x24x24x8xf32>
  return %1 : tensor<1x24x24x8xf32>
}
func.func private @twice(%x: tensor<1x24x24x8xf32>) -> tensor<1x24x24x8xf32> {
  %0 = stablehlo.add %x, %x : tensor<1x24x24x8xf32>
  return %0 : tensor<1x24x24x8xf32>
}

// -----

// What is not understood is computed whole.
// CHECK-LABEL: @main
// CHECK: %[[ALL:.*]] = "my.op"(%arg0) : (tensor<1x24x24x8xf32>) -> tensor<1x24x24x8xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[ALL]][0, 8, 20, 0] [1, 4, 4, 8]
// CHECK: linalg.generic {{.*}} ins(%[[PART]]
func.func @main(%x: tensor<1x24x24x8xf32>) -> tensor<1x24x24x8xf32> {
  %0 = "my.op"(%x) : (tensor<1x24x24x8xf32>) -> tensor<1x24x24x8xf32>
  %1 = math.exp %0 : tensor<1x24x24x8xf32>
  return %1 : tensor<1x24x24x8xf32>
}
