// RUN: tensoraccess-opt %s --tensoraccess-outline-tasks | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-cpu=checks=false | FileCheck %s --check-prefix=LLVM

// Two loops in one number; steps and bounds are computed where they are used.
// CHECK-LABEL: func.func private @tensoraccess_task(
// CHECK-SAME: %[[NUMBER:.*]]: index, %[[A:.*]]: memref<8x8xf32>, %[[N:.*]]: index
// CHECK-SAME: attributes {{{.*}}tensoraccess.task
// CHECK: arith.remsi %[[NUMBER]]
// CHECK: arith.divsi %[[NUMBER]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: return
// CHECK-LABEL: func.func @loops
// CHECK-NOT: scf.forall
// CHECK: call @tensoraccess_task(%{{.*}}, %arg0, %arg1)

// The runtime gets a function of a record and a number.
// LLVM: llvm.func internal @tensoraccess_task(%{{.*}}: i64, %{{.*}}: !llvm.ptr
// LLVM-LABEL: llvm.func @loops
// LLVM-DAG: %[[TURN:.*]] = llvm.mlir.addressof @tensoraccess_task_turn
// LLVM-DAG: %[[RECORD:.*]] = llvm.alloca
// LLVM: llvm.call @tensoraccess_parallel(%[[TURN]], %[[RECORD]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64) -> ()
func.func @loops(%a: memref<8x8xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i, %j) = (0, 1) to (%n, 8) step (2, 1) {
    memref.store %one, %a[%i, %j] : memref<8x8xf32>
  }
  return
}

// Results of tensors are left to bufferization.
// CHECK-LABEL: func.func @tensors
// CHECK: scf.forall
// LLVM-LABEL: llvm.func @tensors
// LLVM: llvm.call @tensoraccess_parallel(
func.func @tensors(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %a) -> tensor<8xf32> {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// LLVM-LABEL: llvm.func internal @tensoraccess_task_turn
// LLVM-SAME: (%[[RECORD:.*]]: !llvm.ptr, %[[I:.*]]: i64)
// LLVM: llvm.call @tensoraccess_task(%[[I]],
