// RUN: tensoraccess-opt %s --tensoraccess-lower-asserts | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-lower-asserts="handler=give_up" \
// RUN:   | FileCheck %s --check-prefix=NAMED
// NAMED: call @give_up(

// Equal messages are one text.
// CHECK-DAG: llvm.mlir.global internal constant @tensoraccess_message("out of bounds\00")
// CHECK-DAG: llvm.mlir.global internal constant @tensoraccess_message_0("too long\00")
// CHECK-LABEL: @checked
// CHECK: %[[FAILS:.*]] = arith.xori
// CHECK: scf.if %[[FAILS]] {
// CHECK:   %[[TEXT:.*]] = llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
// CHECK:   call @tensoraccess_fail(%[[TEXT]]) : (!llvm.ptr) -> ()
// CHECK: }
// CHECK: llvm.mlir.addressof @tensoraccess_message : !llvm.ptr
// CHECK: llvm.mlir.addressof @tensoraccess_message_0 : !llvm.ptr
// CHECK-NOT: cf.assert
// CHECK: func.func private @tensoraccess_fail(!llvm.ptr)
func.func @checked(%a: i1, %b: i1) {
  cf.assert %a, "out of bounds"
  cf.assert %b, "out of bounds"
  cf.assert %b, "too long"
  return
}
