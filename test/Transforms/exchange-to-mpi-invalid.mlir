// RUN: tensoraccess-opt %s --tensoraccess-exchange-to-mpi --split-input-file --verify-diagnostics

// Before bufferization.
func.func @tensors(%own: tensor<3xf32>, %room: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @below {{an exchange on tensors has no buffers to send from}}
  %all = tensoraccess.exchange %own into %room tag 1
           send [1: [2] x [1]] receive [1: [3] x [2]]
       : tensor<3xf32>, tensor<5xf32> -> tensor<5xf32>
  return %all : tensor<5xf32>
}

// -----

func.func @elements(%own: memref<3xi7>, %room: memref<5xi7>) {
  // expected-error @below {{element type 'i7' has no MPI type}}
  tensoraccess.exchange %own into %room tag 7 send [] receive []
    : memref<3xi7>, memref<5xi7>
  return
}
