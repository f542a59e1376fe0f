// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=arith,math" | FileCheck %s

// Poison is not a constant: 0 * poison folds to 0, poison * 0 would to poison,
// and both are equal.

// CHECK-LABEL: func @products
// CHECK-NEXT:    return %arg0
func.func @products(%a: i8) -> i8 {
  %p = ub.poison : i8
  %0 = arith.constant 0 : i8
  %m = arith.muli %p, %0 : i8
  %n = arith.muli %0, %p : i8
  %x = arith.addi %m, %a : i8
  %y = arith.addi %n, %x : i8
  return %y : i8
}

// Two constants that are equal to poison are not equal.

// CHECK-LABEL: func @two
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG:     %[[ONES:.*]] = arith.constant -1
// CHECK:         return %[[ZERO]], %[[ONES]]
func.func @two(%a: i8) -> (i8, i8) {
  %p = ub.poison : i8
  %0 = arith.constant 0 : i8
  %1 = arith.constant -1 : i8
  %m = arith.andi %0, %p : i8
  %n = arith.ori %1, %p : i8
  return %m, %n : i8, i8
}

// Two NaNs are not a contradiction, whatever their bits.

// CHECK-LABEL: func @nan
// CHECK:         arith.addf
func.func @nan(%a: f32, %b: f32) -> (f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0x7F800000 : f32
  %zero = arith.constant -0.0 : f32
  %0 = arith.mulf %zero, %inf : f32
  %1 = arith.negf %nan : f32
  %2 = arith.subf %1, %0 : f32
  %3 = arith.addf %a, %b : f32
  %4 = arith.addf %b, %a : f32
  %5 = arith.addf %3, %4 : f32
  return %2, %5 : f32, f32
}
