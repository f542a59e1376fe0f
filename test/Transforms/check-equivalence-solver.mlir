// REQUIRES: z3
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=distributed other=collected" 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=never other=once" 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=quotient other=rest method=smt" 2>&1 | FileCheck %s --check-prefix=REST
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=by_minus_one other=negated method=smt" 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=halves other=shifted need=proved method=smt" 2>&1 | FileCheck %s --check-prefix=HALVES
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=wide other=wide_sum need=proved method=smt" 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=wide other=wide_same method=smt" 2>&1 | FileCheck %s --check-prefix=WIDER
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=complex other=complex_product method=smt" 2>&1 | FileCheck %s --check-prefix=COMPLEX

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

// Divisions, and where they fail.
// REST: error: function @rest does not agree with @quotient: result 0
func.func @quotient(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 1 : i32
  %0 = arith.divui %b, %c : i32
  return %0 : i32
}
func.func @rest(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 1 : i32
  %0 = arith.remui %b, %c : i32
  return %0 : i32
}
// LEAST: error: function @negated does not agree with @by_minus_one: only the first one fails: {{.*}}divides -2147483648 by -1, which overflows
// LEAST: note: input 0 (i32) is -2147483648
func.func @by_minus_one(%a: i32) -> i32 {
  %c = arith.constant -1 : i32
  %0 = arith.divsi %a, %c : i32
  return %0 : i32
}
func.func @negated(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %0 = arith.subi %c, %a : i32
  return %0 : i32
}
// HALVES: Method=solver, Verdict=proved
func.func @halves(%a: i8, %b: i8) -> (i8, i8) {
  %c = arith.constant 2 : i8
  %0 = arith.divui %a, %c : i8
  %1 = arith.divui %a, %b : i8
  return %0, %1 : i8, i8
}
func.func @shifted(%a: i8, %b: i8) -> (i8, i8) {
  %c = arith.constant 1 : i8
  %0 = arith.shrui %a, %c : i8
  %1 = arith.divui %a, %b : i8
  return %0, %1 : i8, i8
}
// Wider than what the interpreter runs.
// WIDE: Method=solver, Verdict=proved
// WIDER: Reason="the solver found inputs on which they differ, of types that the interpreter does not run", Verdict=unknown
func.func @wide(%a: i128) -> i128 {
  %c = arith.constant 2 : i128
  %0 = arith.muli %a, %c : i128
  return %0 : i128
}
func.func @wide_sum(%a: i128) -> i128 {
  %0 = arith.addi %a, %a : i128
  return %0 : i128
}
func.func @wide_same(%a: i128) -> i128 {
  return %a : i128
}
// COMPLEX: Reason="values of type complex<f32> have no expressions", Verdict=unknown
func.func @complex(%a: complex<f32>) -> complex<f32> {
  return %a : complex<f32>
}
func.func @complex_product(%a: complex<f32>) -> complex<f32> {
  %0 = complex.mul %a, %a : complex<f32>
  return %0 : complex<f32>
}
