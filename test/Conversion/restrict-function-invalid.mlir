// RUN: split-file %s %t
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="box=[0,2]" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="box=[3,2)x[0,3)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDER
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="box=[2,2)x[0,3)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="box=[2,5)x[0,3)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="box=[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RANK
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="result=2 box=[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="result=1 box=()" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SCALAR
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="function=f box=()" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-restrict-function="function=body box=[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BODY
// RUN: not tensoraccess-opt %t/called.mlir --tensoraccess-restrict-function="box=[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CALLED

// NONE: one.mlir:1:1: error: expected a box like [0, 3) x [1, 5), got ''
// TEXT: one.mlir:1:1: error: expected a box like [0, 3) x [1, 5), got '[0,2]'
// ORDER: one.mlir:1:1: error: box [3,2)x[0,3): lo 0 must be at most hi, got 3 > 2
// EMPTY: one.mlir:1:1: error: box [2, 2) x [0, 3) is empty
// OUTSIDE: one.mlir:1:1: error: box [2, 5) x [0, 3) is not inside of result 0: tensor<4x3xf32>
// RANK: one.mlir:1:1: error: box [0, 2) has rank 1, but result 0 has rank 2: tensor<4x3xf32>
// RESULT: one.mlir:1:1: error: there is no result 2, the function has 2
// SCALAR: one.mlir:1:1: error: result 1 is not a tensor with a static shape: f32
// NAME: error: there is no function 'f' with a body; known are
// BODY: one.mlir:4:1: error: function @body has no body of one block
// CALLED: called.mlir:1:1: error: function @main is called, and keeps its results

//--- one.mlir
func.func @main(%x: tensor<4x3xf32>, %s: f32) -> (tensor<4x3xf32>, f32) {
  return %x, %s : tensor<4x3xf32>, f32
}
func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32>
//--- called.mlir
func.func @main(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %stop = arith.cmpi eq, %n, %zero : index
  %0 = scf.if %stop -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %1 = arith.subi %n, %zero : index
    %2 = func.call @main(%x, %1) : (tensor<4xf32>, index) -> tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
