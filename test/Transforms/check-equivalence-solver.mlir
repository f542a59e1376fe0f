// REQUIRES: z3
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="first=distributed second=collected" 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=never second=once" 2>&1 | FileCheck %s --check-prefix=ONCE

// Sums of products of bit-vectors.
// PROVED: equivalence {{.*}}Method=solver, Verdict=proved
func.func @distributed(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %0 = arith.muli %a, %b : tensor<2xi8>
  %1 = arith.muli %a, %a : tensor<2xi8>
  %2 = arith.addi %0, %1 : tensor<2xi8>
  return %2 : tensor<2xi8>
}
func.func @collected(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %0 = arith.addi %a, %b : tensor<2xi8>
  %1 = arith.muli %a, %0 : tensor<2xi8>
  return %1 : tensor<2xi8>
}

// One of 2^32 inputs: the solver finds it, and the interpreter confirms.
func.func @never(%a: i32) -> i1 {
  %0 = arith.constant false
  return %0 : i1
}
// ONCE: :[[# @LINE + 2]]:1: error: function @once does not agree with @never: result 0: expected false, got true
// ONCE: note: input 0 (i32) is 123456789
func.func @once(%a: i32) -> i1 {
  %c = arith.constant 123456789 : i32
  %0 = arith.cmpi eq, %a, %c : i32
  return %0 : i1
}
