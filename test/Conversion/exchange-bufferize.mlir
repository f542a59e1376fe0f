// RUN: tensoraccess-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// On tensors: the destination is written in place, and the source is not the
// destination's buffer.
// CHECK-LABEL: func.func @tensors
func.func @tensors(%own: tensor<3xf32>) -> tensor<5xf32> {
  // CHECK: %[[ROOM:.*]] = memref.alloc() {{.*}} : memref<5xf32>
  // CHECK-NOT: memref.alloc
  // CHECK: tensoraccess.exchange %arg0 into %[[ROOM]] tag 1 send [1: [2] x [1]] receive [1: [3] x [2]] : memref<3xf32>, memref<5xf32>
  // CHECK: return %[[ROOM]]
  %room = tensor.empty() : tensor<5xf32>
  %start = tensor.insert_slice %own into %room[0] [3] [1]
         : tensor<3xf32> into tensor<5xf32>
  %all = tensoraccess.exchange %own into %start tag 1
           send [1: [2] x [1]] receive [1: [3] x [2]]
       : tensor<3xf32>, tensor<5xf32> -> tensor<5xf32>
  return %all : tensor<5xf32>
}
