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
// RUN: not tensoraccess-opt %t/old.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: not tensoraccess-opt %t/again.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// RUN: not tensoraccess-opt %t/twice.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ROUND

// OLD: old.mlir:6:8: error: the function cannot be streamed: 'scf.for' does not go along the sequence step by step
// AGAIN: again.mlir:5:8: error: the function cannot be streamed: 'scf.for' {{.*}}
// ROUND: twice.mlir:6:8: error: the function cannot be streamed: 'scf.for' does not go along the sequence step by step
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
// What is read of the element before was there before the trips.
//--- old.mlir
func.func @main(%x: tensor<64x2xf32>) -> tensor<64x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %j = %c0 to %c2 step %c1 iter_args(%old = %x) -> (tensor<64x2xf32>) {
    %1 = scf.for %t = %c1 to %c64 step %c1 iter_args(%y = %old) -> (tensor<64x2xf32>) {
      %u = arith.subi %t, %c1 : index
      %a = tensor.extract %old[%u, %j] : tensor<64x2xf32>
      %z = tensor.insert %a into %y[%t, %j] : tensor<64x2xf32>
      scf.yield %z : tensor<64x2xf32>
    }
    scf.yield %1 : tensor<64x2xf32>
  }
  return %0 : tensor<64x2xf32>
}
// Each trip begins with the argument again.
//--- again.mlir
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %t = %c0 to %c64 step %c1 iter_args(%y = %x) -> (tensor<64xf32>) {
    %a = tensor.extract %y[%t] : tensor<64xf32>
    %b = arith.addf %a, %a : f32
    %z = tensor.insert %b into %x[%t] : tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}
// All trips are run twice.
//--- twice.mlir
func.func @main(%x: tensor<64x2xf32>) -> tensor<64x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %i = %c0 to %c2 step %c1 iter_args(%w = %x) -> (tensor<64x2xf32>) {
    %1 = scf.for %t = %c1 to %c64 step %c1 iter_args(%y = %w) -> (tensor<64x2xf32>) {
      %u = arith.subi %t, %c1 : index
      %a = tensor.extract %y[%u, %c0] : tensor<64x2xf32>
      %z = tensor.insert %a into %y[%t, %c0] : tensor<64x2xf32>
      scf.yield %z : tensor<64x2xf32>
    }
    scf.yield %1 : tensor<64x2xf32>
  }
  return %0 : tensor<64x2xf32>
}
