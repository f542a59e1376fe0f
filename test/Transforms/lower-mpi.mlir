// RUN: tensoraccess-opt %s --tensoraccess-lower-mpi | FileCheck %s --check-prefixes=CHECK,OPENMPI
// RUN: tensoraccess-opt %s --tensoraccess-lower-mpi=implementation=mpich | FileCheck %s --check-prefixes=CHECK,MPICH

// OPENMPI: llvm.mlir.global external @ompi_mpi_errors_return() {{.*}} : i8
// OPENMPI: llvm.mlir.global external @ompi_mpi_op_sum() {{.*}} : i8
// OPENMPI-DAG: func.func private @MPI_Isend(!llvm.ptr, i32, !llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
// MPICH-NOT: llvm.mlir.global
// MPICH: func.func private @MPI_Isend(!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr) -> i32

// One function a call checks that codes are 0.
// CHECK: func.func private @tensoraccess_check_MPI_Send_at(%[[LINE:.*]]: i32, %[[COLUMN:.*]]: i32, %[[RANK:.*]]: i32, %[[CODE:.*]]: i32)
// CHECK: %[[GOOD:.*]] = arith.cmpi eq, %[[CODE]], %c0_i32
// CHECK: tensoraccess.assert %[[GOOD]], "line {0}, column {1}: MPI_Send of rank {2} failed with error {3}"(%[[LINE]], %[[COLUMN]], %[[RANK]], %[[CODE]] : i32, i32, i32, i32)

// The number of elements is that of all dimensions, the address that of the
// first one, and rank comes before tag.
// CHECK-LABEL: func.func @message
func.func @message(%m: memref<3x5xf32, strided<[5, 1], offset: 7>>,
                   %tag: i32, %to: i32) {
  // CHECK-DAG: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index
  // CHECK-DAG: memref.extract_strided_metadata
  // CHECK: %[[SKIP:.*]] = arith.muli %{{.*}}, %c4
  // CHECK: %[[AT:.*]] = arith.addi %[[BASE]], %[[SKIP]]
  // CHECK: %[[WORD:.*]] = arith.index_cast %[[AT]] : index to i64
  // CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[WORD]]
  // CHECK: %[[COUNT:.*]] = arith.constant 15 : i32
  // OPENMPI: %[[CODE:.*]] = call @MPI_Send(%[[POINTER]], %[[COUNT]], %{{.*}}, %arg2, %arg1, %{{.*}})
  // MPICH: %[[CODE:.*]] = call @MPI_Send(%[[POINTER]], %[[COUNT]], %c1275069450_i32, %arg2, %arg1, %c1140850688_i32)
  // CHECK: call @tensoraccess_check_MPI_Send_at(%c[[#@LINE+2]]_i32, %c3_i32, %arg2, %[[CODE]])
  %world = mpi.comm_world : !mpi.comm
  mpi.send(%m, %tag, %to, %world)
    : memref<3x5xf32, strided<[5, 1], offset: 7>>, i32, i32
  return
}

// A number of elements that only the run tells is checked to fit.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%m: memref<?x5xi1>, %tag: i32, %from: i32, %c: !mpi.comm) {
  // CHECK: %[[FITS:.*]] = arith.cmpi ule
  // CHECK: tensoraccess.assert %[[FITS]], "a message must have at most 2147483647 elements, got {0}"
  // MPICH: call @MPI_Recv({{.*}}, %c1275068731_i32, %arg2, %arg1, %arg3, %{{.*}})
  mpi.recv(%m, %tag, %from, %c) : memref<?x5xi1>, i32, i32
  return
}

// Requests are values that flow through loops and functions; a code that the
// program asks for is not checked.
// CHECK-LABEL: func.func @request
// OPENMPI-SAME: -> !llvm.ptr
// MPICH-SAME: -> i32
func.func @request(%m: memref<4xbf16>, %i: i32, %n: index) -> !mpi.request {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %world = mpi.comm_world : !mpi.comm
  %first = mpi.isend(%m, %i, %i, %world)
         : memref<4xbf16>, i32, i32 -> !mpi.request
  // OPENMPI: scf.for {{.*}} -> (!llvm.ptr)
  // MPICH: scf.for {{.*}} -> (i32)
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%r = %first)
        -> (!mpi.request) {
    // CHECK: call @MPI_Wait
    // CHECK-NOT: check_MPI_Wait
    // CHECK: call @MPI_Irecv
    %code = mpi.wait(%r) : !mpi.request -> !mpi.retval
    %next = mpi.irecv(%m, %i, %i, %world)
          : memref<4xbf16>, i32, i32 -> !mpi.request
    scf.yield %next : !mpi.request
  }
  return %last : !mpi.request
}

// One buffer for both is reduced in place.
// CHECK-LABEL: func.func @reduce
func.func @reduce(%m: memref<4xf64>, %n: memref<4xf64>) {
  // OPENMPI: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
  // MPICH: %[[ONE:.*]] = llvm.mlir.constant(-1 : i64)
  // CHECK: %[[PLACE:.*]] = llvm.inttoptr %[[ONE]]
  // CHECK: call @MPI_Allreduce(%[[PLACE]],
  %world = mpi.comm_world : !mpi.comm
  mpi.allreduce(%m, %m, MPI_SUM, %world) : memref<4xf64>, memref<4xf64>
  // CHECK: call @MPI_Allreduce
  mpi.allreduce(%m, %n, MPI_MAX, %world) : memref<4xf64>, memref<4xf64>
  return
}

// Errors come back once MPI is there; classes have the library's numbers.
// CHECK-LABEL: func.func @environment
func.func @environment() -> (i1, i1) {
  // CHECK: call @MPI_Init
  // CHECK: call @MPI_Comm_set_errhandler
  %code = mpi.init : !mpi.retval
  %world = mpi.comm_world : !mpi.comm
  // CHECK: call @MPI_Comm_size
  %size = mpi.comm_size(%world) : i32
  // CHECK: call @MPI_Comm_split
  %half = mpi.comm_split(%world, %size, %size) : !mpi.comm
  // CHECK: call @MPI_Barrier
  mpi.barrier(%half) -> !mpi.retval
  // CHECK: call @MPI_Error_class
  // OPENMPI: arith.constant 13 : i32
  // MPICH: arith.constant 12 : i32
  %is = mpi.retval_check %code = <MPI_ERR_ARG> : i1
  // OPENMPI: %[[NO:.*]] = arith.constant false
  // MPICH: arith.constant 75 : i32
  %session = mpi.retval_check %code = <MPI_ERR_SESSION> : i1
  // CHECK: call @MPI_Finalize
  mpi.finalize
  return %is, %session : i1, i1
}
