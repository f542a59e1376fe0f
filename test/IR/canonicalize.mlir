// The folders of the movement ops; each function ends in what is left.
// RUN: tensoraccess-opt %s --canonicalize --split-input-file | FileCheck %s

// to_tensor(access(t)) = t, at any axis.
// CHECK-LABEL: @to_tensor_of_access(
// CHECK-SAME: %[[X:.*]]: tensor<3x5x7xf32>)
// CHECK-NEXT: return %[[X]]
func.func @to_tensor_of_access(%x: tensor<3x5x7xf32>) -> tensor<3x5x7xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<3x5x7xf32> -> !tensoraccess.access<3x5 | 7xf32>
  %1 = tensoraccess.to_tensor %0
     : !tensoraccess.access<3x5 | 7xf32> -> tensor<3x5x7xf32>
  return %1 : tensor<3x5x7xf32>
}

// -----

// A layout is not forgotten silently: the types differ, so nothing folds.
// CHECK-LABEL: @to_tensor_of_encoded_access(
// CHECK: tensoraccess.access
// CHECK: tensoraccess.to_tensor
func.func @to_tensor_of_encoded_access(
    %x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
    -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.to_tensor %0
     : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// -----

// transpose by the identity = nothing.
// CHECK-LABEL: @transpose_identity(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3x5 | 7xf32>)
// CHECK-NEXT: return %[[P]]
func.func @transpose_identity(%p: !tensoraccess.access<3x5 | 7xf32>)
    -> !tensoraccess.access<3x5 | 7xf32> {
  %0 = tensoraccess.transpose %p perm = [0, 1, 2]
     : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
  return %0 : !tensoraccess.access<3x5 | 7xf32>
}

// -----

// Dimension i of the outer is dimension inner[outer[i]]; the other order of
// composition, [0, 2, 1], has the wrong type.
// CHECK-LABEL: @transpose_of_transpose(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3x5 | 7xf32>)
// CHECK-NEXT: %[[T:.*]] = tensoraccess.transpose %[[P]] perm = [2, 1, 0] : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<7x5 | 3xf32>
// CHECK-NEXT: return %[[T]]
func.func @transpose_of_transpose(%p: !tensoraccess.access<3x5 | 7xf32>)
    -> !tensoraccess.access<7x5 | 3xf32> {
  %0 = tensoraccess.transpose %p perm = [1, 2, 0]
     : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<5x7 | 3xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0, 2]
     : !tensoraccess.access<5x7 | 3xf32> -> !tensoraccess.access<7x5 | 3xf32>
  return %1 : !tensoraccess.access<7x5 | 3xf32>
}

// -----

// There and back again = nothing.
// CHECK-LABEL: @transpose_round_trip(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3x5 | 7xf32>)
// CHECK-NEXT: return %[[P]]
func.func @transpose_round_trip(%p: !tensoraccess.access<3x5 | 7xf32>)
    -> !tensoraccess.access<3x5 | 7xf32> {
  %0 = tensoraccess.transpose %p perm = [1, 2, 0]
     : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<5x7 | 3xf32>
  %1 = tensoraccess.transpose %0 perm = [2, 0, 1]
     : !tensoraccess.access<5x7 | 3xf32> -> !tensoraccess.access<3x5 | 7xf32>
  return %1 : !tensoraccess.access<3x5 | 7xf32>
}

// -----

// flatten of at most one dimension a side = nothing.
// CHECK-LABEL: @flatten_flat(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<| 7xf32>, %[[Q:.*]]: !tensoraccess.access<? | ?xf32>)
// CHECK-NEXT: return %[[P]], %[[Q]]
func.func @flatten_flat(%p: !tensoraccess.access<| 7xf32>,
                        %q: !tensoraccess.access<? | ?xf32>)
    -> (!tensoraccess.access<| 7xf32>, !tensoraccess.access<? | ?xf32>) {
  %0 = tensoraccess.flatten %p
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 7xf32>
  %1 = tensoraccess.flatten %q
     : !tensoraccess.access<? | ?xf32> -> !tensoraccess.access<? | ?xf32>
  return %0, %1
       : !tensoraccess.access<| 7xf32>, !tensoraccess.access<? | ?xf32>
}

// -----

// reshape of flatten = one reshape, here to where it began: nothing.
// CHECK-LABEL: @reshape_of_flatten(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3x5 | 7x2xf32>)
// CHECK-NEXT: %[[R:.*]] = tensoraccess.reshape %[[P]] : !tensoraccess.access<3x5 | 7x2xf32> -> !tensoraccess.access<5x3 | 14xf32>
// CHECK-NEXT: return %[[R]], %[[P]]
func.func @reshape_of_flatten(%p: !tensoraccess.access<3x5 | 7x2xf32>)
    -> (!tensoraccess.access<5x3 | 14xf32>,
        !tensoraccess.access<3x5 | 7x2xf32>) {
  %0 = tensoraccess.flatten %p
     : !tensoraccess.access<3x5 | 7x2xf32> -> !tensoraccess.access<15 | 14xf32>
  %1 = tensoraccess.reshape %0
     : !tensoraccess.access<15 | 14xf32> -> !tensoraccess.access<5x3 | 14xf32>
  %2 = tensoraccess.reshape %1
     : !tensoraccess.access<5x3 | 14xf32>
    -> !tensoraccess.access<3x5 | 7x2xf32>
  return %1, %2 : !tensoraccess.access<5x3 | 14xf32>,
                  !tensoraccess.access<3x5 | 7x2xf32>
}

// -----

// Dynamic sizes are promises of one reshape each: nothing folds.
// CHECK-LABEL: @reshape_dynamic(
// CHECK-COUNT-2: tensoraccess.reshape
func.func @reshape_dynamic(%p: !tensoraccess.access<?x5 | 7xf32>)
    -> !tensoraccess.access<?x5 | 7xf32> {
  %0 = tensoraccess.reshape %p
     : !tensoraccess.access<?x5 | 7xf32> -> !tensoraccess.access<? | 7xf32>
  %1 = tensoraccess.reshape %0
     : !tensoraccess.access<? | 7xf32> -> !tensoraccess.access<?x5 | 7xf32>
  return %1 : !tensoraccess.access<?x5 | 7xf32>
}

// -----

// A copy is not its view: materialize stays. Unused ops go.
// CHECK-LABEL: @materialize_stays(
// CHECK-NEXT: tensoraccess.materialize
// CHECK-NEXT: return
func.func @materialize_stays(%p: !tensoraccess.access<3 | 5xf32>)
    -> !tensoraccess.access<3 | 5xf32> {
  %0 = tensoraccess.materialize %p
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.compute reduce_sum %0
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | f32>
  return %0 : !tensoraccess.access<3 | 5xf32>
}
