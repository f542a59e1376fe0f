// RUN: tensoraccess-opt %s --tensoraccess-exchange-to-mpi | FileCheck %s
// RUN: not tensoraccess-opt %s --tensoraccess-exchange-to-mpi=max-elements=4 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: :[[#]]:3: error: the message of rank 1 would go in more than 65536 pieces of at most 4 elements

// More elements than MPI can count are sent in pieces of whole rows.
// CHECK-LABEL: func.func @huge
// CHECK: memref.subview %arg1[1, 0, 0] [1, 2, 1073741823] [1, 1, 1]
// CHECK: memref.subview %arg1[1, 2, 0] [1, 1, 1073741823] [1, 1, 1]
// CHECK: memref.subview %arg0[0, 0, 0] [1, 2, 1073741823] [1, 1, 1]
// CHECK: memref.subview %arg0[0, 2, 0] [1, 1, 1073741823] [1, 1, 1]
// CHECK-COUNT-2: mpi.irecv
// CHECK-COUNT-2: mpi.isend
func.func @huge(%own: memref<2x3x1073741823xi8>, %room: memref<2x3x1073741823xi8>) {
  tensoraccess.exchange %own into %room tag 7
    send [1: [0, 0, 0] x [1, 3, 1073741823]] receive [1: [1, 0, 0] x [1, 3, 1073741823]]
    : memref<2x3x1073741823xi8>, memref<2x3x1073741823xi8>
  return
}
