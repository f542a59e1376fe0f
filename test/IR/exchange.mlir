// The op by which ranks move boxes: its text on tensors and on buffers.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --canonicalize --cse | FileCheck %s
// RUN: tensoraccess-opt %s --inline | FileCheck %s --check-prefix=INLINED

// A halo of one row on each side.
// CHECK-LABEL: @halo
func.func @halo(%own: tensor<3x5xf32>, %room: tensor<5x5xf32>)
    -> tensor<5x5xf32> {
  // CHECK: tensoraccess.exchange %{{.*}} into %{{.*}} tag 7
  // CHECK-SAME: send [0: [0, 0] x [1, 5], 2: [2, 0] x [1, 5]]
  // CHECK-SAME: receive [0: [0, 0] x [1, 5], 2: [4, 0] x [1, 5]]
  // CHECK-SAME: : tensor<3x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  %0 = tensoraccess.exchange %own into %room tag 7
         send [0: [0, 0] x [1, 5], 2: [2, 0] x [1, 5]]
         receive [0: [0, 0] x [1, 5], 2: [4, 0] x [1, 5]]
     : tensor<3x5xf32>, tensor<5x5xf32> -> tensor<5x5xf32>
  return %0 : tensor<5x5xf32>
}

// What is not read is sent all the same, and twice if it is there twice.
// CHECK-LABEL: @effects
// INLINED-LABEL: @effects
func.func @effects(%own: tensor<4xi8>, %none: tensor<0xi8>) {
  // CHECK-COUNT-2: tensoraccess.exchange {{.*}} send [1: [0] x [4]] receive []
  // CHECK-NOT: tensoraccess.exchange
  %0 = tensoraccess.exchange %own into %none tag 0 send [1: [0] x [4]]
    receive [] : tensor<4xi8>, tensor<0xi8> -> tensor<0xi8>
  %1 = tensoraccess.exchange %own into %none tag 0 send [1: [0] x [4]]
    receive [] : tensor<4xi8>, tensor<0xi8> -> tensor<0xi8>
  return
}

// INLINED-LABEL: @caller
func.func @caller(%own: tensor<4xi8>, %none: tensor<0xi8>) {
  // INLINED-COUNT-2: tensoraccess.exchange
  call @effects(%own, %none) : (tensor<4xi8>, tensor<0xi8>) -> ()
  return
}

// A scalar has one place; buffers have no result.
// CHECK-LABEL: @buffers
func.func @buffers(%from: memref<f64>, %to: memref<f64, strided<[], offset: 3>>) {
  // CHECK: tensoraccess.exchange %{{.*}} into %{{.*}} tag 32767 send [1: [] x []] receive [1: [] x []] : memref<f64>, memref<f64, strided<[], offset: 3>>
  tensoraccess.exchange %from into %to tag 32767 send [1: [] x []]
    receive [1: [] x []] : memref<f64>, memref<f64, strided<[], offset: 3>>
  return
}
