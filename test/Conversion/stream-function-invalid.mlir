// RUN: split-file %s %t
// RUN: not tensoraccess-opt %t/ahead.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AHEAD
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MEAN
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=x" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=1:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NUMBER
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=0:2" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIM
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=0:0;0:1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// RUN: not tensoraccess-opt %t/mean.mlir --tensoraccess-stream-function="axes=0:0 step=5" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEP

// AHEAD: ahead.mlir:3:8: error: the function cannot be streamed: 'tensor.pad' reads what is 1 ahead
// MEAN: mean.mlir:{{[35]}}:8: error: the function cannot be streamed: 'linalg.generic' reads all of the sequence
// NONE: mean.mlir:1:1: error: expected arguments and dimensions, as 0:1
// TEXT: mean.mlir:1:1: error: expected an argument and a dimension, as 0:1, got 'x'
// NUMBER: mean.mlir:1:1: error: there is no argument 1, the function has 1
// DIM: mean.mlir:1:1: error: argument 0 has 2 dimensions, no dimension 2
// TWICE: mean.mlir:1:1: error: argument 0 is given twice
// STEP: mean.mlir:1:1: error: a step of 5 does not divide the length 64

//--- ahead.mlir
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
//--- mean.mlir
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<64x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xf32>) -> tensor<64x3xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<64x3xf32>
  return %2 : tensor<64x3xf32>
}
