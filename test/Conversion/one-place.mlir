// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-lower-to-linalg | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-raise | tensoraccess-run - --compare=%s | FileCheck %s --check-prefix=SAME-BITS
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-discover-im2col | tensoraccess-run - --compare=%s | FileCheck %s --check-prefix=SAME-BITS

// A strided window with a single place does not reach the end of the image, and
// linalg wants operands of exactly the size of their loop.
// CHECK: tensor.extract_slice {{.*}} : tensor<10xf32> to tensor<8xf32>
// SAME-BITS: equal, bit for bit: 3 of 3
func.func @main(%x: tensor<1x5x2xf32>, %w: tensor<4x2x3xf32>)
    -> tensor<1x1x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x1x3xf32>
  %0 = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>,
                               dilations = dense<1> : tensor<1xi64>}
    ins(%x, %w : tensor<1x5x2xf32>, tensor<4x2x3xf32>)
    outs(%zero : tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}
