// Chains of movement ops become the chain that their form asks for.
// RUN: tensoraccess-opt %s --canonicalize --split-input-file | FileCheck %s

// Slices that are put together again are the tensor.
// CHECK-LABEL: @concat_of_slices(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>)
// CHECK-NEXT: return %[[P]]
func.func @concat_of_slices(%p: !tensoraccess.access<3 | 5xf32>)
    -> !tensoraccess.access<3 | 5xf32> {
  %0 = tensoraccess.slice %p offsets = [0, 0] sizes = [3, 2]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 2xf32>
  %1 = tensoraccess.slice %p offsets = [0, 2] sizes = [3, 3]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 3xf32>
  %2 = tensoraccess.concat %0, %1 axis 1
     : !tensoraccess.access<3 | 2xf32>, !tensoraccess.access<3 | 3xf32>
    -> !tensoraccess.access<3 | 5xf32>
  return %2 : !tensoraccess.access<3 | 5xf32>
}

// -----

// Padding that is cut off leaves no pad.
// CHECK-LABEL: @slice_of_pad(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>)
// CHECK-NEXT: return %[[X]]
func.func @slice_of_pad(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [0, 2] value = 0.0 : f32
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<4 | 7xf32>
  %2 = tensoraccess.slice %1 offsets = [1, 0] sizes = [3, 5]
     : !tensoraccess.access<4 | 7xf32> -> !tensoraccess.access<3 | 5xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %3 : tensor<3x5xf32>
}

// -----

// Reversed twice, with a transposition in between.
// CHECK-LABEL: @reversed_twice(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>)
// CHECK-NEXT: %[[T:.*]] = tensoraccess.transpose %[[P]] perm = [1, 0]
// CHECK-NEXT: return %[[T]]
func.func @reversed_twice(%p: !tensoraccess.access<3 | 5xf32>)
    -> !tensoraccess.access<5 | 3xf32> {
  %0 = tensoraccess.slice %p offsets = [2, 0] sizes = [3, 5] strides = [-1, 1]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
  %2 = tensoraccess.slice %1 offsets = [0, 2] sizes = [5, 3] strides = [1, -1]
     : !tensoraccess.access<5 | 3xf32> -> !tensoraccess.access<5 | 3xf32>
  return %2 : !tensoraccess.access<5 | 3xf32>
}

// -----

// Slices of slices are one slice, however long the chain.
// CHECK-LABEL: @slices(
// CHECK-NEXT: tensoraccess.slice %{{.*}} offsets = [4, 1] sizes = [2, 3] strides = [4, 1]
// CHECK-NEXT: return
func.func @slices(%p: !tensoraccess.access<11 | 5xf32>)
    -> !tensoraccess.access<2 | 3xf32> {
  %0 = tensoraccess.slice %p offsets = [0, 1] sizes = [6, 4] strides = [2, 1]
     : !tensoraccess.access<11 | 5xf32> -> !tensoraccess.access<6 | 4xf32>
  %1 = tensoraccess.slice %0 offsets = [2, 0] sizes = [4, 3]
     : !tensoraccess.access<6 | 4xf32> -> !tensoraccess.access<4 | 3xf32>
  %2 = tensoraccess.slice %1 offsets = [0, 0] sizes = [2, 3] strides = [2, 1]
     : !tensoraccess.access<4 | 3xf32> -> !tensoraccess.access<2 | 3xf32>
  return %2 : !tensoraccess.access<2 | 3xf32>
}

// -----

// The chain of a convolution is what its form asks for.
// CHECK-LABEL: @convolution(
// CHECK-NEXT: tensoraccess.access %{{.*}} at 1
// CHECK-NEXT: tensoraccess.pad %{{.*}} low = [0, 1, 1, 0] high = [0, 1, 1, 0]
// CHECK-NEXT: tensoraccess.windows %{{.*}} shape = [3, 3, 3] strides = [1, 1, 1]
// CHECK-NEXT: tensoraccess.squeeze %{{.*}} axis 3
// CHECK-NEXT: return
func.func @convolution(%x: tensor<1x9x8x3xf32>)
    -> !tensoraccess.access<1x9x8 | 3x3x3xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x3xf32> -> !tensoraccess.access<1 | 9x8x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 1, 1, 0] high = [0, 1, 1, 0] value = 0.0 : f32
     : !tensoraccess.access<1 | 9x8x3xf32> -> !tensoraccess.access<1 | 11x10x3xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 3] strides = [1, 1, 1]
     : !tensoraccess.access<1 | 11x10x3xf32>
    -> !tensoraccess.access<1x9x8x1 | 3x3x3xf32>
  %3 = tensoraccess.squeeze %2 axis 3
     : !tensoraccess.access<1x9x8x1 | 3x3x3xf32>
    -> !tensoraccess.access<1x9x8 | 3x3x3xf32>
  return %3 : !tensoraccess.access<1x9x8 | 3x3x3xf32>
}

// -----

// What others use is not made twice: the slice stays, and its slice is one of
// the argument's only if that is no longer.
// CHECK-LABEL: @other_uses(
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice
// CHECK-NEXT: %[[T:.*]] = tensoraccess.transpose %[[S]]
// CHECK-NEXT: return %[[S]], %[[T]]
func.func @other_uses(%p: !tensoraccess.access<3 | 5xf32>)
    -> (!tensoraccess.access<2 | 5xf32>, !tensoraccess.access<5 | 2xf32>) {
  %0 = tensoraccess.slice %p offsets = [1, 0] sizes = [2, 5]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<2 | 5xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<2 | 5xf32> -> !tensoraccess.access<5 | 2xf32>
  return %0, %1
     : !tensoraccess.access<2 | 5xf32>, !tensoraccess.access<5 | 2xf32>
}

// -----

// Tuples are not an obstacle: the left side of a product is the left operand.
// CHECK-LABEL: @left_of_product(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<| 5xf32>, %
// CHECK-NEXT: return %[[P]]
func.func @left_of_product(%p: !tensoraccess.access<| 5xf32>,
                           %q: !tensoraccess.access<| 5xf32>)
    -> !tensoraccess.access<| 5xf32> {
  %0 = tensoraccess.pair %p, %q
     : !tensoraccess.access<| 5xf32>, !tensoraccess.access<| 5xf32>
    -> !tensoraccess.access<| 2x5xf32>
  %1 = tensoraccess.slice %0 offsets = [0, 0] sizes = [1, 5]
     : !tensoraccess.access<| 2x5xf32> -> !tensoraccess.access<| 1x5xf32>
  %2 = tensoraccess.squeeze %1 axis 0
     : !tensoraccess.access<| 1x5xf32> -> !tensoraccess.access<| 5xf32>
  return %2 : !tensoraccess.access<| 5xf32>
}

// -----

// What reads a dynamic shape is a base of its own.
// CHECK-LABEL: @of_dynamic(
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice
// CHECK-NEXT: return %[[S]]
func.func @of_dynamic(%p: !tensoraccess.access<? | 5xf32>)
    -> !tensoraccess.access<3 | 5xf32> {
  %0 = tensoraccess.slice %p offsets = [0, 0] sizes = [3, 5]
     : !tensoraccess.access<? | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return %0 : !tensoraccess.access<3 | 5xf32>
}

// -----

// So is the tensor of it: there is nothing after it to make shorter.
// CHECK-LABEL: @tensor_of_dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>)
// CHECK-NEXT: %[[A:.*]] = tensoraccess.access %[[X]] at 0
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice %[[A]] offsets = [0] sizes = [4]
// CHECK-NEXT: %[[T:.*]] = tensoraccess.to_tensor %[[S]]
// CHECK-NEXT: return %[[T]]
func.func @tensor_of_dynamic(%x: tensor<?xf32>) -> tensor<4xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.slice %0 offsets = [0] sizes = [4]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 4xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<| 4xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// What follows such a base is still made shorter.
// CHECK-LABEL: @chain_of_dynamic(
// CHECK-NEXT: %[[A:.*]] = tensoraccess.access
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice %[[A]]
// CHECK-NEXT: return %[[S]]
func.func @chain_of_dynamic(%x: tensor<7x?xi16>)
    -> !tensoraccess.access<3x2 | i16> {
  %0 = tensoraccess.access %x at 2
     : tensor<7x?xi16> -> !tensoraccess.access<7x? | i16>
  %1 = tensoraccess.slice %0 offsets = [1, 0] sizes = [3, 2]
     : !tensoraccess.access<7x? | i16> -> !tensoraccess.access<3x2 | i16>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3x2 | i16> -> !tensoraccess.access<2x3 | i16>
  %3 = tensoraccess.transpose %2 perm = [1, 0]
     : !tensoraccess.access<2x3 | i16> -> !tensoraccess.access<3x2 | i16>
  return %3 : !tensoraccess.access<3x2 | i16>
}
