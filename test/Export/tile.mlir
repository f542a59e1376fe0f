// What a tile of a padded convolution reads. Its picture is the one in
// docs/Tiles.md; after a change, make it anew by
//   tensoraccess-translate --tile-to-svg --tile-sizes=1,3,4,1 test/Export/tile.mlir -o docs/images/tile.svg

// RUN: tensoraccess-translate --tile-to-svg --tile-sizes=1,3,4,1 %s | diff %S/../../docs/images/tile.svg -
// RUN: %python %S/check_svg.py %S/../../docs/images/tile.svg
// RUN: tensoraccess-translate --tile-to-svg --tile-sizes=1,3,4,2 --tile-offsets=0,2,2,1 --tile-strides=1,1,2,1 %s -o %t.svg
// RUN: %python %S/check_svg.py %t.svg
// RUN: FileCheck %s < %t.svg

// CHECK: what a tile of result 0 reads
// CHECK: tile [0:1, 2:5, 2:9:2, 1:3]
// CHECK: tile [0:1, 3:10, 1:10, 0:3]

func.func @conv(%image: tensor<1x12x16x3xf32>, %filters: tensor<3x3x3x8xf32>)
    -> tensor<1x6x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x12x16x3xf32> to tensor<1x14x18x3xf32>
  %empty = tensor.empty() : tensor<1x6x16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x6x16x8xf32>)
            -> tensor<1x6x16x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%padded, %filters : tensor<1x14x18x3xf32>, tensor<3x3x3x8xf32>)
         outs(%init : tensor<1x6x16x8xf32>) -> tensor<1x6x16x8xf32>
  return %0 : tensor<1x6x16x8xf32>
}
