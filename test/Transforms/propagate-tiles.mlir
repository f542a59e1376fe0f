// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles=function=convolution --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// A tile of rows and columns reads windows; the kernel and the channels whole.
func.func @convolution(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>,
                       %o: tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x3x5x7xf32>)
         outs(%o : tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
  return %r : tensor<1x4x6x7xf32>
}

// Padding: the tile reaches outside, the bounds say what is read.
func.func @padded(%x: tensor<8xf32>) -> tensor<11xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<11xf32>
  return %p : tensor<11xf32>
}

// What one reshape splits the other joins: a tile again at the argument.
func.func @there_and_back(%x: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 4, 5]
     : tensor<12x5xf32> into tensor<3x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2]]
     : tensor<3x4x5xf32> into tensor<12x5xf32>
  return %b : tensor<12x5xf32>
}

// An op nobody knows ends the way.
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "no.such"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = math.exp %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// p + transpose(p): two tiles of one argument.
func.func @twice(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6xf32>
  %t = linalg.transpose ins(%x : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>)
         permutation = [1, 0]
  %a = arith.addf %x, %t : tensor<6x6xf32>
  return %a : tensor<6x6xf32>
}
