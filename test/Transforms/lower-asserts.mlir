// RUN: tensoraccess-opt %s --tensoraccess-lower-asserts | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-lower-asserts="handler=give_up" \
// RUN:   | FileCheck %s --check-prefix=NAMED
// RUN: tensoraccess-opt %s --tensoraccess-lower-asserts="handler=" \
// RUN:   | FileCheck %s --check-prefix=NONE
// NAMED: call @give_up(

// Equal messages are one text.
// CHECK-DAG: llvm.mlir.global internal constant @tensoraccess_message("out of bounds\00")
// CHECK-DAG: llvm.mlir.global internal constant @tensoraccess_message_0("too long\00")
// CHECK-LABEL: @checked
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK: scf.if %[[FAILS]] {
// CHECK:   %[[TEXT:.*]] = llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
// CHECK:   %[[COUNT:.*]] = arith.constant 0 : i64
// CHECK:   %[[NOTHING:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:   call @tensoraccess_fail(%[[TEXT]], %[[COUNT]], %[[NOTHING]]) : (!llvm.ptr, i64, !llvm.ptr) -> ()
// CHECK: }
// CHECK: llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
// CHECK: llvm.mlir.addressof @tensoraccess_message_0 : !llvm.ptr
// CHECK-NOT: cf.assert
func.func @checked(%a: i1, %b: i1) {
  cf.assert %a, "out of bounds"
  cf.assert %b, "out of bounds"
  cf.assert %b, "too long"
  return
}

// Values are a list of 64-bit integers; the text has the place of the op.
// CHECK-LABEL: @numbers
// CHECK-SAME: %[[HOLDS:.*]]: i1, %[[SIZE:.*]]: index, %[[BYTE:.*]]: i8
// CHECK: scf.if
// CHECK:   %[[COUNT:.*]] = arith.constant 2 : i64
// CHECK:   %[[LIST:.*]] = llvm.alloca %[[COUNT]] x i64
// CHECK:   %[[FIRST:.*]] = arith.index_cast %[[SIZE]] : index to i64
// CHECK:   llvm.store %[[FIRST]]
// CHECK:   %[[SECOND:.*]] = arith.extsi %[[BYTE]] : i8 to i64
// CHECK:   %[[PLACE:.*]] = llvm.getelementptr %[[LIST]][1]
// CHECK:   llvm.store %[[SECOND]], %[[PLACE]]
// CHECK:   call @tensoraccess_fail(%{{.*}}, %[[COUNT]], %[[LIST]])
// CHECK-NOT: tensoraccess.assert
// NONE-LABEL: @numbers
// NONE: cf.assert %{{.*}}, "{{.*}}lower-asserts.mlir:[[#@LINE+2]]:3: place ? of [0, ?)"
func.func @numbers(%holds: i1, %size: index, %byte: i8) {
  tensoraccess.assert %holds, "place {1} of [0, {0})"(%size, %byte : index, i8)
  return
}

// A module inside has a handler and texts of its own.
// CHECK: module @inner {
// CHECK:   llvm.mlir.global internal constant @tensoraccess_message("too long\00")
// CHECK:   func.func @checked
// CHECK:     llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
// CHECK:     call @tensoraccess_fail(
// CHECK:   func.func private @tensoraccess_fail(!llvm.ptr, i64, !llvm.ptr)
// CHECK: }
// CHECK: func.func private @tensoraccess_fail(!llvm.ptr, i64, !llvm.ptr)
module @inner {
  func.func @checked(%a: i1) {
    cf.assert %a, "too long"
    return
  }
}
