// RUN: split-file %s %t
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="sizes=0,3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ZERO
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="sizes=4,4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="sizes=4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RANK
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="result=3 sizes=4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="result=1 sizes=4,3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ARGUMENT
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="result=2 sizes=4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SCALAR
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="op=math.sin sizes=4,3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOOP
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="op=math.exp#1 sizes=4,3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INDEX
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="op=math.exp sizes=4,2,1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPRANK
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="op=func.return sizes=4,3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NORESULT
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="memory=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="memory=10" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOUND
// RUN: not tensoraccess-opt %t/one.mlir --tensoraccess-patch-function="recompute=0.5" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LESS
// RUN: not tensoraccess-opt %t/many.mlir --tensoraccess-patch-function="sizes=1,1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MANY
// RUN: not tensoraccess-opt %t/effects.mlir --tensoraccess-patch-function="sizes=2,3" \
// RUN:   --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=EFFECTS

// ZERO: one.mlir:3:8: error: result 0 has 4 elements in dimension 0, size 0 of a patch is not among [1, 4]: tensor<4x3xf32>
// LARGE: one.mlir:3:8: error: result 0 has 3 elements in dimension 1, size 4 of a patch is not among [1, 3]: tensor<4x3xf32>
// RANK: one.mlir:3:8: error: result 0 has rank 2, but there are 1 sizes of a patch: tensor<4x3xf32>
// RESULT: one.mlir:1:1: error: there is no result 3, the function has 3
// ARGUMENT: one.mlir:1:17: error: result 1 is an argument, and not computed
// SCALAR: one.mlir:1:38: error: result 2 is not a tensor with a static shape: f32
// NOOP: one.mlir:1:1: error: no op 'math.sin' in function 'main'
// INDEX: one.mlir:1:1: error: op 'math.exp' number 1 does not exist, function 'main' has 1
// OPRANK: one.mlir:3:8: error: 'math.exp' has rank 2, but there are 3 sizes of a patch: tensor<4x3xf32>
// NORESULT: one.mlir:4:3: error: 'func.return' has no result
// NEGATIVE: one.mlir:1:1: error: memory must be at least 0 bytes, got -1
// BOUND: one.mlir:1:1: error: no patches need at most 10 bytes, the best 48
// LESS: one.mlir:1:1: error: recompute must be at least 1, got 0.50
// MANY: many.mlir:2:8: error: result 0 has more than 16384 patches of these sizes: tensor<129x128xf32>
// EFFECTS: effects.mlir:2:8: error: result 0 is computed once, by 'my.op', which has effects

//--- one.mlir
func.func @main(%x: tensor<4x3xf32>, %s: f32)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, f32) {
  %y = math.exp %x : tensor<4x3xf32>
  return %y, %x, %s : tensor<4x3xf32>, tensor<4x3xf32>, f32
}
//--- many.mlir
func.func @main(%x: tensor<129x128xf32>) -> tensor<129x128xf32> {
  %y = math.exp %x : tensor<129x128xf32>
  return %y : tensor<129x128xf32>
}
//--- effects.mlir
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %y = "my.op"(%x) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
