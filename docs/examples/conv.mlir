// A 3x3 convolution with stride 2 over a padded 9x7 image of 5 channels.
func.func @conv2d(%image: tensor<1x9x7x5xf32>, %filters: tensor<3x3x5x6xf32>)
    -> tensor<1x5x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x9x7x5xf32> to tensor<1x11x9x5xf32>
  %empty = tensor.empty() : tensor<1x5x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x4x6xf32>)
    -> tensor<1x5x4x6xf32>
  %out = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>,
                                   dilations = dense<1> : tensor<2xi64>}
    ins(%padded, %filters : tensor<1x11x9x5xf32>, tensor<3x3x5x6xf32>)
    outs(%init : tensor<1x5x4x6xf32>) -> tensor<1x5x4x6xf32>
  return %out : tensor<1x5x4x6xf32>
}
