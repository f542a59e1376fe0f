// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-limit-calls=depth=9 \
// RUN:   | FileCheck %s
// RUN: not tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-limit-calls=depth=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: option 'depth' must be at least 1, got 0

// Each of a cycle, through a region, and its callers.
// CHECK-LABEL: func.func @main(%arg0: i64) -> i64
// CHECK: %[[ONE:.+]] = arith.constant 1 : index
// CHECK: call @main_at_depth(%[[ONE]], %arg0) : (index, i64) -> i64
// CHECK: func.func private @main_at_depth(%[[DEPTH:.+]]: index, %{{.+}}: i64)
// CHECK: %[[FITS:.+]] = arith.cmpi slt, %[[DEPTH]], %c9
// CHECK: tensoraccess.assert %[[FITS]], "func.call: is nested more than 9 calls deep"
// CHECK: %[[MORE:.+]] = arith.addi %[[DEPTH]], %c1
// CHECK: call @even_at_depth(%[[MORE]], %{{.+}})
// CHECK: func.func private @even_at_depth
// CHECK: scf.if
// CHECK: tensoraccess.assert
// CHECK: func.call @odd_at_depth
// CHECK: func.func private @odd_at_depth
// CHECK: tensoraccess.assert
// CHECK: call @even_at_depth
func.func @main(%n: i64) -> i64 {
  %0 = call @even(%n) : (i64) -> i64
  return %0 : i64
}
func.func private @even(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi eq, %n, %zero : i64
  %0 = scf.if %c -> i64 {
    scf.yield %n : i64
  } else {
    %1 = func.call @odd(%n) : (i64) -> i64
    scf.yield %1 : i64
  }
  return %0 : i64
}
func.func private @odd(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %m = arith.subi %n, %one : i64
  %0 = call @even(%m) : (i64) -> i64
  return %0 : i64
}

// -----

// No circle: nothing changes, however often a function is called.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: at_depth
func.func @twice(%n: i64) -> i64 {
  %0 = call @once(%n) : (i64) -> i64
  %1 = call @once(%0) : (i64) -> i64
  return %1 : i64
}
func.func private @once(%n: i64) -> i64 {
  return %n : i64
}

// -----

// A cycle of another dialect's functions is left alone.
// CHECK-LABEL: func.func @straight(
// CHECK-NOT: at_depth
llvm.func @again(%a: i32) -> i32 {
  %0 = llvm.call @again(%a) : (i32) -> i32
  llvm.return %0 : i32
}
func.func @straight(%a: i32) -> i32 {
  return %a : i32
}
