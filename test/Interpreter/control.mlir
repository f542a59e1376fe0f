// Loops and branches of scf.
// RUN: tensoraccess-run %s --entry=count --engine=interpret | FileCheck %s --check-prefix=COUNT
// RUN: tensoraccess-run %s --entry=count --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=choose --engine=interpret | FileCheck %s --check-prefix=CHOOSE
// EQUAL: compare 0  equal, bit for bit

// 3, doubled until it is 100 or more; the second number counts the iterations.
// COUNT: result 0  i32  value 192
// COUNT: result 1  i32  value 6
func.func @count() -> (tensor<i32>, tensor<i32>) {
  %start = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 100 : i32
  %0:2 = scf.while (%x = %start, %n = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %x, %limit : i32
    scf.condition(%more) %x, %n : i32, i32
  } do {
  ^bb0(%x: i32, %n: i32):
    %y = arith.addi %x, %x : i32
    %m = arith.addi %n, %one : i32
    scf.yield %y, %m : i32, i32
  }
  %1 = tensor.from_elements %0#0 : tensor<i32>
  %2 = tensor.from_elements %0#1 : tensor<i32>
  return %1, %2 : tensor<i32>, tensor<i32>
}

// CHOOSE: result 0  i32 3  mean 20
func.func @choose() -> tensor<3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %empty = tensor.empty() : tensor<3xi32>
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %empty) -> tensor<3xi32> {
    %v = scf.index_switch %i -> i32
    case 0 {
      %a = arith.constant 10 : i32
      scf.yield %a : i32
    }
    case 2 {
      %b = arith.constant 20 : i32
      scf.yield %b : i32
    }
    default {
      %d = arith.constant 30 : i32
      scf.yield %d : i32
    }
    %u = tensor.insert %v into %t[%i] : tensor<3xi32>
    scf.yield %u : tensor<3xi32>
  }
  return %0 : tensor<3xi32>
}
