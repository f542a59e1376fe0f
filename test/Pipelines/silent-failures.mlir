// A pass that fails and says nothing is named, with the op that it failed on,
// once, also where passes run on several threads.
// RUN: not tensoraccess-opt %s --pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=1 test-convergence}))' 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(func.func(canonicalize{max-iterations=1 test-convergence}))' 2>&1 | FileCheck %s
// CHECK: silent-failures.mlir:[[@LINE+2]]:1: error: pass 'canonicalize' failed and did not say why
// CHECK-NOT: error
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %c0, %x : i32
  %1 = arith.addi %0, %c0 : i32
  return %1 : i32
}

func.func @g(%x: i32) -> i32 {
  return %x : i32
}
