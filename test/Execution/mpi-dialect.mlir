// The ops of the mpi dialect themselves, in one program that all ranks run: a
// ring of non-blocking messages, a sum of all in place, two communicators, and an
// error code that the program asks for.
// REQUIRES: openmpi, mpich
// RUN: rm -rf %t && mkdir %t
// RUN: %run-openmpi -n 3 tensoraccess-run %s --mpi=openmpi --inputs=random:3 \
// RUN:   --outputs=%t/ring.{rank}.npy,%t/sum.{rank}.npy,%t/t.{rank}.npy \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/check_ring.py %t 3
// RUN: rm -rf %t && mkdir %t
// RUN: %run-mpich -n 3 tensoraccess-run %s --mpi --inputs=random:3 \
// RUN:   --outputs=%t/ring.{rank}.npy,%t/sum.{rank}.npy,%t/t.{rank}.npy \
// RUN:   | FileCheck %s
// RUN: %python %S/Inputs/check_ring.py %t 3
// CHECK: sent      rank 2: 24 bytes in 1 message; reduced 24 bytes in 1 all-reduction

func.func @main(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<4xi32>) {
  %w = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%w) : i32
  %size = mpi.comm_size(%w) : i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %tag = arith.constant 5 : i32
  // A ring by non-blocking messages: everyone gets what its left neighbour has.
  %right0 = arith.addi %rank, %one : i32
  %right = arith.remsi %right0, %size : i32
  %left0 = arith.addi %rank, %size : i32
  %left1 = arith.subi %left0, %one : i32
  %left = arith.remsi %left1, %size : i32
  %rf = arith.sitofp %rank : i32 to f32
  %rt = tensor.splat %rf : tensor<3x2xf32>
  %mine = arith.addf %x, %rt : tensor<3x2xf32>
  %out = bufferization.to_buffer %mine read_only : tensor<3x2xf32> to memref<3x2xf32>
  %in = memref.alloc() : memref<3x2xf32>
  %q0, %s = mpi.isend(%out, %tag, %right, %w) : memref<3x2xf32>, i32, i32 -> !mpi.retval, !mpi.request
  %r = mpi.irecv(%in, %tag, %left, %w) : memref<3x2xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  %q1 = mpi.wait(%r) : !mpi.request -> !mpi.retval
  %ring = bufferization.to_tensor %in restrict : memref<3x2xf32> to tensor<3x2xf32>
  // Sums of all, in place.
  %sum = memref.alloc() : memref<3x2xf32>
  memref.copy %out, %sum : memref<3x2xf32> to memref<3x2xf32>
  mpi.allreduce(%sum, %sum, MPI_SUM, %w) : memref<3x2xf32>, memref<3x2xf32>
  %total = bufferization.to_tensor %sum restrict : memref<3x2xf32> to tensor<3x2xf32>
  mpi.barrier(%w) -> !mpi.retval
  // Even and odd ranks apart.
  %two = arith.constant 2 : i32
  %color = arith.remsi %rank, %two : i32
  %half = mpi.comm_split(%w, %color, %rank) : !mpi.comm
  %hr = mpi.comm_rank(%half) : i32
  %hs = mpi.comm_size(%half) : i32
  // A message to no rank: an error code, of the class MPI_ERR_RANK.
  %far = arith.constant 99 : i32
  %code = mpi.send(%in, %tag, %far, %w) : memref<3x2xf32>, i32, i32 -> !mpi.retval
  %is = mpi.retval_check %code = <MPI_ERR_RANK> : i1
  %isnot = mpi.retval_check %q0 = <MPI_ERR_RANK> : i1
  %e0 = arith.extui %is : i1 to i32
  %e1 = arith.extui %isnot : i1 to i32
  %t = tensor.from_elements %hr, %hs, %e0, %e1 : tensor<4xi32>
  return %ring, %total, %t : tensor<3x2xf32>, tensor<3x2xf32>, tensor<4xi32>
}
