// RUN: tensoraccess-opt %s --tensoraccess-eliminate-empty-tensors | FileCheck %s

// What is filled is written where it is inserted.
// CHECK-LABEL: func.func @direct
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}] [4] [1]
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[SLICE]]
// CHECK: tensor.insert_slice %[[FILL]]
func.func @direct(%x: f32, %n: index, %at: index) -> tensor<?xf32> {
  %part = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>)
      -> tensor<4xf32>
  %whole = tensor.empty(%n) : tensor<?xf32>
  %result = tensor.insert_slice %filled into %whole[%at] [4] [1]
      : tensor<4xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}

// Whether the slice has room is only known after the assertion.
// CHECK-LABEL: func.func @asserted
// CHECK-NOT: tensor.extract_slice
// CHECK: tensoraccess.assert
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.insert_slice
func.func @asserted(%x: f32, %n: index, %at: index) -> tensor<?xf32> {
  %part = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>)
      -> tensor<4xf32>
  %c4 = arith.constant 4 : index
  %end = arith.addi %at, %c4 : index
  %fits = arith.cmpi sle, %end, %n : index
  tensoraccess.assert %fits, "must fit in {0}"(%n : index)
  %whole = tensor.empty(%n) : tensor<?xf32>
  %result = tensor.insert_slice %filled into %whole[%at] [4] [1]
      : tensor<4xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}

// The same, where the assertion lies in a loop, and the empty tensor outside.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @nested(%x: f32, %n: index, %init: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %part = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>)
      -> tensor<4xf32>
  %result = scf.for %i = %c0 to %n step %c4
      iter_args(%whole = %init) -> tensor<?xf32> {
    %fits = arith.cmpi slt, %i, %n : index
    tensoraccess.assert %fits, "must lie below {0}"(%n : index)
    %next = tensor.insert_slice %filled into %whole[%i] [4] [1]
        : tensor<4xf32> into tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %result : tensor<?xf32>
}

// Before both, an assertion is not in the way.
// CHECK-LABEL: func.func @before
// CHECK: tensoraccess.assert
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: linalg.fill {{.*}} outs(%[[SLICE]]
func.func @before(%x: f32, %n: index, %fits: i1) -> tensor<?xf32> {
  tensoraccess.assert %fits, "must fit"
  %part = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%part : tensor<4xf32>)
      -> tensor<4xf32>
  %whole = tensor.empty(%n) : tensor<?xf32>
  %result = tensor.insert_slice %filled into %whole[0] [4] [1]
      : tensor<4xf32> into tensor<?xf32>
  return %result : tensor<?xf32>
}
