// RUN: tensoraccess-opt %s --tensoraccess-exchange-to-mpi | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-exchange-to-mpi=max-elements=4 | FileCheck %s --check-prefix=PIECES
// RUN: not tensoraccess-opt %s --tensoraccess-exchange-to-mpi=max-elements=0 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: max-elements must lie in [1, 2147483647], got 0

// Messages of at most four elements: a row of six in four and two, three rows of
// five each in four and one; the column is short enough.
// PIECES-LABEL: func.func @halo
// PIECES: memref.subview %arg1[4, 0] [1, 4] [1, 1]
// PIECES: memref.subview %arg1[4, 4] [1, 2] [1, 1]
// PIECES: memref.subview %arg1[1, 5] [3, 1] [1, 1]
// PIECES: memref.subview %arg0[0, 0] [1, 4] [1, 1]
// PIECES: memref.subview %arg0[0, 4] [1, 1] [1, 1]
// PIECES: memref.subview %arg0[1, 0] [1, 4] [1, 1]
// PIECES: memref.subview %arg0[1, 4] [1, 1] [1, 1]
// PIECES: memref.subview %arg0[2, 0] [1, 4] [1, 1]
// PIECES: memref.subview %arg0[2, 4] [1, 1] [1, 1]
// PIECES: memref.subview %arg0[0, 4] [3, 1] [1, 1]
// PIECES-COUNT-3: mpi.irecv
// PIECES-COUNT-7: mpi.isend
// PIECES-NOT: mpi.isend

// Rows are sent from where they lie; a column, which is not in one piece, by way
// of a buffer that lives until all messages have ended.
// CHECK-LABEL: func.func @halo
func.func @halo(%own: memref<3x5xf32>, %room: memref<5x6xf32>) {
  // CHECK: %[[ROW:.*]] = memref.subview %arg1[4, 0] [1, 6] [1, 1]
  // CHECK: %[[COLUMN:.*]] = memref.subview %arg1[1, 5] [3, 1] [1, 1]
  // CHECK: %[[IN:.*]] = memref.alloc() : memref<3x1xf32>
  // CHECK: %[[SIDE:.*]] = memref.subview %arg0[0, 4] [3, 1] [1, 1]
  // CHECK: %[[OUT:.*]] = memref.alloc() : memref<3x1xf32>
  // CHECK: memref.copy %[[SIDE]], %[[OUT]]
  // CHECK: %[[R0:.*]] = mpi.irecv(%[[ROW]], %[[TAG:.*]], %{{.*}}, %[[WORLD:.*]])
  // CHECK: %[[R1:.*]] = mpi.irecv(%[[IN]], %[[TAG]],
  // CHECK: %[[S0:.*]] = mpi.isend(%arg0, %[[TAG]],
  // CHECK: %[[S1:.*]] = mpi.isend(%[[OUT]], %[[TAG]],
  // CHECK: mpi.wait(%[[R0]])
  // CHECK: mpi.wait(%[[R1]])
  // CHECK: mpi.wait(%[[S0]])
  // CHECK: mpi.wait(%[[S1]])
  // CHECK: memref.copy %[[IN]], %[[COLUMN]]
  // CHECK-DAG: memref.dealloc %[[IN]]
  // CHECK-DAG: memref.dealloc %[[OUT]]
  tensoraccess.exchange %own into %room tag 7
    send [0: [0, 0] x [3, 5], 2: [0, 4] x [3, 1]]
    receive [0: [4, 0] x [1, 6], 2: [1, 5] x [3, 1]]
    : memref<3x5xf32>, memref<5x6xf32>
  return
}

// An exchange of nothing is nothing.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%own: memref<3xf32>, %room: memref<5xf32>) {
  tensoraccess.exchange %own into %room tag 7 send [] receive []
    : memref<3xf32>, memref<5xf32>
  return
}
