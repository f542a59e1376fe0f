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
// RUN: not tensoraccess-opt %t/tree.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TREE
// RUN: not tensoraccess-opt %t/mixed.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MIXED
// RUN: not tensoraccess-opt %t/back.mlir --tensoraccess-stream-function="axes=0:0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BACK

// TREE: tree.mlir:{{[0-9]+}}:8: error: the function cannot be streamed: 'tensor.insert_slice' is not understood
// MIXED: mixed.mlir:6:8: error: the function cannot be streamed: 'scf.for' is not understood
// BACK: back.mlir:6:10: error: the function cannot be streamed: 'scf.while' goes backwards along the sequence
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
// Differences are not associative.
//--- tree.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %even = stablehlo.slice %x [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %odd = stablehlo.slice %x [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %pairs = stablehlo.subtract %even, %odd : tensor<2xf32>
  %first = stablehlo.slice %pairs [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %second = stablehlo.slice %pairs [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %all = stablehlo.subtract %first, %second : tensor<1xf32>
  %x0 = stablehlo.slice %x [0:1] : (tensor<4xf32>) -> tensor<1xf32>
  %x2 = stablehlo.slice %x [2:3] : (tensor<4xf32>) -> tensor<1xf32>
  %three = stablehlo.subtract %first, %x2 : tensor<1xf32>
  %evens = stablehlo.concatenate %x0, %three, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %odds = stablehlo.concatenate %first, %all, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.pad %evens, %zero, low = [0], high = [1], interior = [1]
      : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %b = stablehlo.pad %odds, %zero, low = [1], high = [0], interior = [1]
      : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// Each trip reads the sums of all columns.
//--- mixed.mlir
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x) -> (tensor<64x3xf32>) {
    %1 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<64x3xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<3xf32>) -> tensor<64x3xf32>
    %3 = stablehlo.add %y, %2 : tensor<64x3xf32>
    scf.yield %3 : tensor<64x3xf32>
  }
  return %0 : tensor<64x3xf32>
}
//--- back.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %c = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.subtract %three, %i : tensor<i32>
    %a = stablehlo.dynamic_slice %x, %k, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
    %z = stablehlo.dynamic_update_slice %y, %a, %k : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %z : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
