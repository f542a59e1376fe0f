// The convolution of ../conv.mlir in linalg.
func.func @main(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<1x4x6x7xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x4x6x7xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
       ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x3x5x7xf32>)
       outs(%zero : tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
  return %0 : tensor<1x4x6x7xf32>
}
