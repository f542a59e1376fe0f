// RUN: tensoraccess-opt %s --tensoraccess-bools-to-bytes | FileCheck %s

// CHECK-LABEL: @both
// CHECK: %[[A:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[X:.*]] = llvm.trunc %[[A]] : i8 to i1
// CHECK: %[[Y:.*]] = llvm.xor %[[X]], %[[X]] : i1
// CHECK: %[[B:.*]] = llvm.zext %[[Y]] : i1 to i8
// CHECK: llvm.store %[[B]], %{{.*}} : i8, !llvm.ptr
// CHECK: llvm.load {{.*}} -> i16
llvm.func @both(%p: !llvm.ptr, %q: !llvm.ptr) {
  %x = llvm.load %p : !llvm.ptr -> i1
  %y = llvm.xor %x, %x : i1
  llvm.store %y, %q : i1, !llvm.ptr
  %z = llvm.load %p : !llvm.ptr -> i16
  llvm.store %z, %q : i16, !llvm.ptr
  llvm.return
}
