// RUN: tensoraccess-opt %s --tensoraccess-lower-mpi --split-input-file --verify-diagnostics
// RUN: not tensoraccess-opt %S/lower-mpi.mlir --tensoraccess-lower-mpi=implementation=lam 2>&1 | FileCheck %s
// CHECK: error: unknown implementation 'lam'; known are openmpi, mpich

// Elements with gaps.
func.func @strided(%m: memref<3x5xf32, strided<[7, 1]>>, %i: i32) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{buffer must be contiguous and in row-major order, got 'memref<3x5xf32, strided<[7, 1]>>'}}
  mpi.send(%m, %i, %i, %world) : memref<3x5xf32, strided<[7, 1]>>, i32, i32
  return
}

// -----

func.func @elements(%m: memref<3xi7>, %i: i32) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{element type 'i7' has no MPI type}}
  mpi.send(%m, %i, %i, %world) : memref<3xi7>, i32, i32
  return
}

// -----

// 2^31 elements.
func.func @long(%m: memref<65536x32768xi8>, %i: i32) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{a message must have at most 2147483647 elements, got 'memref<65536x32768xi8>'}}
  mpi.send(%m, %i, %i, %world) : memref<65536x32768xi8>, i32, i32
  return
}

// -----

func.func @sum(%m: memref<3xbf16>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{MPI has no MPI_SUM of elements of type 'bf16'}}
  mpi.allreduce(%m, %m, MPI_SUM, %world) : memref<3xbf16>, memref<3xbf16>
  return
}

// -----

func.func @types(%m: memref<3xf32>, %n: memref<4xf32>) {
  %world = mpi.comm_world : !mpi.comm
  // expected-error @below {{buffers of a reduction must have one type, got 'memref<3xf32>' and 'memref<4xf32>'}}
  mpi.allreduce(%m, %n, MPI_SUM, %world) : memref<3xf32>, memref<4xf32>
  return
}

// -----

// A function of the program's own in the way.
// expected-error @below {{'MPI_Finalize' is a function of MPI and must have type '() -> i32'}}
func.func private @MPI_Finalize()
func.func @end() {
  mpi.finalize
  return
}

// -----

// expected-error @below {{MPI:Implementation must be "OpenMPI" or "MPICH", got "LAM"}}
module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "LAM">} {
}
