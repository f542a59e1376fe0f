// The reference of convolution.mlir, under the names of its functions.
func.func @access(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x5x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x5x5xf32>)
        -> tensor<1x4x5x5xf32>
  %0 = linalg.conv_2d_nhwc_hwcf
       {dilations = dense<[1, 3]> : tensor<2xi64>,
        strides = dense<[2, 1]> : tensor<2xi64>}
       ins(%image, %weights : tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>)
       outs(%init : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

func.func @im2col(%image: tensor<1x9x8x3xf32>, %weights: tensor<3x2x3x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %0 = call @access(%image, %weights)
     : (tensor<1x9x8x3xf32>, tensor<3x2x3x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}
