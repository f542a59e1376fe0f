// Terms are built only where all that they need is there.
// RUN: tensoraccess-opt %s \
// RUN:   --tensoraccess-saturate=rules=%S/Inputs/saturate-places.pdll | FileCheck %s

// A division is not computed before the call, which may not return, though it
// is the cheapest term for what the call is given. After the call that is there.
// CHECK-LABEL: @division
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: %[[T:.*]] = arith.addi %[[S]]
// CHECK-NEXT: call @other(%[[T]])
// CHECK-NEXT: return %[[T]], %[[T]]
func.func @division(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0, %b : i32
  %2 = call @other(%1) : (i32) -> i32
  %3 = arith.divsi %a, %b : i32
  return %1, %3 : i32, i32
}

// What a call returns is not given to the call, though it is equal.
// CHECK-LABEL: @result
// CHECK-NEXT: %[[D:.*]] = arith.subi
// CHECK-NEXT: call @other(%[[D]])
// CHECK-NEXT: %[[X:.*]] = arith.constant 0
// CHECK-NEXT: return %[[X]], %[[D]]
func.func @result(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.subi %a, %b : i32
  %1 = call @other(%0) : (i32) -> i32
  %2 = arith.xori %1, %0 : i32
  %3 = arith.addi %2, %2 : i32
  return %3, %0 : i32, i32
}
func.func private @other(%a: i32) -> i32

// Nor is a remainder, which upstream calls pure.
// CHECK-LABEL: @remainder
// CHECK-NEXT: %[[X:.*]] = arith.xori
// CHECK-NEXT: %[[O:.*]] = arith.ori %[[X]]
// CHECK-NEXT: call @other(%[[O]])
func.func @remainder(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.xori %a, %b : i32
  %1 = arith.ori %0, %b : i32
  %2 = call @other(%1) : (i32) -> i32
  %3 = arith.remsi %a, %b : i32
  return %1, %3 : i32, i32
}
