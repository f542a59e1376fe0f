// A 3x3 convolution with stride 2 over a padded 9x7 image: NHWC times HWCF. Its
// picture is the one in the README; after a change, make it anew by
//   tensoraccess-translate --access-to-svg test/Export/conv.mlir -o docs/images/conv.svg

// RUN: tensoraccess-translate --access-to-svg %s | diff %S/../../docs/images/conv.svg -
// RUN: %python %S/check_svg.py %S/../../docs/images/conv.svg

func.func @conv2d(%image: tensor<1x9x7x5xf32>, %filters: tensor<3x3x5x6xf32>)
    -> tensor<1x5x4x6xf32> {
  %0 = tensoraccess.access %image at 1
     : tensor<1x9x7x5xf32> -> !tensoraccess.access<1 | 9x7x5xf32>
  %1 = tensoraccess.pad %0 low = [0, 1, 1, 0] high = [0, 1, 1, 0] value = 0.0 : f32
     : !tensoraccess.access<1 | 9x7x5xf32>
    -> !tensoraccess.access<1 | 11x9x5xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 5] strides = [2, 2, 1]
     : !tensoraccess.access<1 | 11x9x5xf32>
    -> !tensoraccess.access<1x5x4x1 | 3x3x5xf32>
  %3 = tensoraccess.access %filters at 1
     : tensor<3x3x5x6xf32> -> !tensoraccess.access<3 | 3x5x6xf32>
  %4 = tensoraccess.transpose %3 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 3x5x6xf32>
    -> !tensoraccess.access<6 | 3x3x5xf32>
  %5 = tensoraccess.cart_prod %2, %4
     : !tensoraccess.access<1x5x4x1 | 3x3x5xf32>,
       !tensoraccess.access<6 | 3x3x5xf32>
    -> !tensoraccess.access<1x5x4x1x6 | 2x3x3x5xf32>
  %6 = tensoraccess.compute dot_prod %5
     : !tensoraccess.access<1x5x4x1x6 | 2x3x3x5xf32>
    -> !tensoraccess.access<1x5x4x1x6 | f32>
  %7 = tensoraccess.squeeze %6 axis 3
     : !tensoraccess.access<1x5x4x1x6 | f32>
    -> !tensoraccess.access<1x5x4x6 | f32>
  %8 = tensoraccess.to_tensor %7
     : !tensoraccess.access<1x5x4x6 | f32> -> tensor<1x5x4x6xf32>
  return %8 : tensor<1x5x4x6xf32>
}
