// What is the same as less: one function a folder. Chains of different ops are
// the business of the canonical form of views.
// RUN: tensoraccess-opt %s --canonicalize --split-input-file | FileCheck %s

// access(to_tensor(p)) = p where the split is the same, not where it moves.
// CHECK-LABEL: @access_of_to_tensor(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>)
// CHECK-NEXT: %[[A:.*]] = tensoraccess.shift_right %[[P]]
// CHECK-NEXT: return %[[P]], %[[A]]
func.func @access_of_to_tensor(%p: !tensoraccess.access<3 | 5xf32>)
    -> (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 3x5xf32>) {
  %0 = tensoraccess.to_tensor %p
     : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  %1 = tensoraccess.access %0 at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.access %0 at 0
     : tensor<3x5xf32> -> !tensoraccess.access<| 3x5xf32>
  return %1, %2
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 3x5xf32>
}

// -----

// The axis that comes and goes; at the split it may come as another kind.
// CHECK-LABEL: @squeeze_and_insert_axis(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>, %[[Q:.*]]: !tensoraccess.access<3x1 | 5xf32>, %[[R:.*]]: !tensoraccess.access<3 | 1x5xf32>)
// CHECK-NEXT: %[[I:.*]] = tensoraccess.reshape %[[R]]
// CHECK-NEXT: return %[[P]], %[[Q]], %[[I]]
func.func @squeeze_and_insert_axis(%p: !tensoraccess.access<3 | 5xf32>,
                                   %q: !tensoraccess.access<3x1 | 5xf32>,
                                   %r: !tensoraccess.access<3 | 1x5xf32>)
    -> (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3x1 | 5xf32>,
        !tensoraccess.access<3x1 | 5xf32>) {
  %0 = tensoraccess.insert_axis %p axis 0
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<1x3 | 5xf32>
  %1 = tensoraccess.squeeze %0 axis 0
     : !tensoraccess.access<1x3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.squeeze %q axis 1
     : !tensoraccess.access<3x1 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %3 = tensoraccess.insert_axis %2 axis 1
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3x1 | 5xf32>
  %4 = tensoraccess.squeeze %r axis 1
     : !tensoraccess.access<3 | 1x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %5 = tensoraccess.insert_axis %4 axis 1
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3x1 | 5xf32>
  return %1, %3, %5
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3x1 | 5xf32>,
         !tensoraccess.access<3x1 | 5xf32>
}

// -----

// flatten of reshape = flatten, but an empty side is not one of size 1.
// CHECK-LABEL: @flatten_of_reshape(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<4x6 | 3xf32>, %[[Q:.*]]: !tensoraccess.access<| 4x6xf32>)
// CHECK-NEXT: %[[F:.*]] = tensoraccess.flatten %[[P]] : !tensoraccess.access<4x6 | 3xf32> -> !tensoraccess.access<24 | 3xf32>
// CHECK-NEXT: %[[R:.*]] = tensoraccess.reshape %[[Q]] : !tensoraccess.access<| 4x6xf32> -> !tensoraccess.access<1 | 24xf32>
// CHECK-NEXT: return %[[F]], %[[R]]
func.func @flatten_of_reshape(%p: !tensoraccess.access<4x6 | 3xf32>,
                              %q: !tensoraccess.access<| 4x6xf32>)
    -> (!tensoraccess.access<24 | 3xf32>, !tensoraccess.access<1 | 24xf32>) {
  %0 = tensoraccess.reshape %p
     : !tensoraccess.access<4x6 | 3xf32> -> !tensoraccess.access<8x3 | 3xf32>
  %1 = tensoraccess.flatten %0
     : !tensoraccess.access<8x3 | 3xf32> -> !tensoraccess.access<24 | 3xf32>
  %2 = tensoraccess.reshape %q
     : !tensoraccess.access<| 4x6xf32> -> !tensoraccess.access<1 | 8x3xf32>
  %3 = tensoraccess.flatten %2
     : !tensoraccess.access<1 | 8x3xf32> -> !tensoraccess.access<1 | 24xf32>
  return %1, %3
       : !tensoraccess.access<24 | 3xf32>, !tensoraccess.access<1 | 24xf32>
}

// -----

// The whole is not a slice; the whole of a dynamic dimension is unknown.
// CHECK-LABEL: @slice_whole(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>, %[[Q:.*]]: !tensoraccess.access<? | 5xf32>)
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice %[[Q]]
// CHECK-NEXT: return %[[P]], %[[S]]
func.func @slice_whole(%p: !tensoraccess.access<3 | 5xf32>,
                       %q: !tensoraccess.access<? | 5xf32>)
    -> (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>) {
  %0 = tensoraccess.slice %p offsets = [0, 0] sizes = [3, 5]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.slice %q offsets = [0, 0] sizes = [3, 5]
     : !tensoraccess.access<? | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return %0, %1
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>
}

// -----

// Backwards of every second from 1 on: 9, 7, 5; of these every second: 9, 5.
// CHECK-LABEL: @slice_of_slice(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 11xf32>)
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice %[[P]] offsets = [1, 9] sizes = [2, 2] strides = [1, -4] : !tensoraccess.access<3 | 11xf32> -> !tensoraccess.access<2 | 2xf32>
// CHECK-NEXT: return %[[S]]
func.func @slice_of_slice(%p: !tensoraccess.access<3 | 11xf32>)
    -> !tensoraccess.access<2 | 2xf32> {
  %0 = tensoraccess.slice %p offsets = [0, 1] sizes = [3, 5] strides = [1, 2]
     : !tensoraccess.access<3 | 11xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.slice %0 offsets = [1, 4] sizes = [2, 3] strides = [1, -1]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<2 | 3xf32>
  %2 = tensoraccess.slice %1 offsets = [0, 0] sizes = [2, 2] strides = [1, 2]
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<2 | 2xf32>
  return %2 : !tensoraccess.access<2 | 2xf32>
}

// -----

// There and back again.
// CHECK-LABEL: @reverse_of_reverse(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<| 7xf32>)
// CHECK-NEXT: return %[[P]]
func.func @reverse_of_reverse(%p: !tensoraccess.access<| 7xf32>)
    -> !tensoraccess.access<| 7xf32> {
  %0 = tensoraccess.slice %p offsets = [6] sizes = [7] strides = [-1]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 7xf32>
  %1 = tensoraccess.slice %0 offsets = [6] sizes = [7] strides = [-1]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 7xf32>
  return %1 : !tensoraccess.access<| 7xf32>
}

// -----

// The policies of the inner slice are those of the one that is left; an outer
// slice that leaves the inner one is not the same as one that leaves its
// operand.
// CHECK-LABEL: @slice_of_slice_oob(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<| 7xf32>)
// CHECK-NEXT: %[[S:.*]] = tensoraccess.slice %[[P]] offsets = [-2] sizes = [3] oob = [wrap]
// CHECK-NEXT: %[[T:.*]] = tensoraccess.slice %[[P]] offsets = [2] sizes = [3]
// CHECK-NEXT: %[[U:.*]] = tensoraccess.slice %[[T]] offsets = [1] sizes = [3] oob = [clamp]
// CHECK-NEXT: return %[[S]], %[[U]]
func.func @slice_of_slice_oob(%p: !tensoraccess.access<| 7xf32>)
    -> (!tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xf32>) {
  %0 = tensoraccess.slice %p offsets = [-3] sizes = [13]
       oob = [wrap]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 13xf32>
  %1 = tensoraccess.slice %0 offsets = [1] sizes = [3]
       oob = [clamp]
     : !tensoraccess.access<| 13xf32> -> !tensoraccess.access<| 3xf32>
  %2 = tensoraccess.slice %p offsets = [2] sizes = [3]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 3xf32>
  %3 = tensoraccess.slice %2 offsets = [1] sizes = [3]
       oob = [clamp]
     : !tensoraccess.access<| 3xf32> -> !tensoraccess.access<| 3xf32>
  return %1, %3 : !tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xf32>
}

// -----

// Policies that have nothing to say.
// CHECK-LABEL: @slice_idle_policies(
// CHECK-NEXT: tensoraccess.slice %{{.*}} offsets = [1] sizes = [3] : !tensoraccess.access<| 7xf32>
// CHECK-NEXT: tensoraccess.slice %{{.*}} offsets = [1] sizes = [3] : !tensoraccess.access<| ?xf32>
// CHECK-NEXT: tensoraccess.slice %{{.*}} offsets = [1] sizes = [3] oob = [wrap] : !tensoraccess.access<| ?xf32>
func.func @slice_idle_policies(%p: !tensoraccess.access<| 7xf32>,
                               %q: !tensoraccess.access<| ?xf32>)
    -> (!tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xf32>,
        !tensoraccess.access<| 3xf32>) {
  %0 = tensoraccess.slice %p offsets = [1] sizes = [3]
       oob = [pad(0.0)]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 3xf32>
  %1 = tensoraccess.slice %q offsets = [1] sizes = [3]
       oob = [forbid]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 3xf32>
  %2 = tensoraccess.slice %q offsets = [1] sizes = [3]
       oob = [wrap]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 3xf32>
  return %0, %1, %2
       : !tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xf32>,
         !tensoraccess.access<| 3xf32>
}

// -----

// CHECK-LABEL: @broadcast(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<1 | 1x?xf32>)
// CHECK-NEXT: %[[B:.*]] = tensoraccess.broadcast %[[P]] : !tensoraccess.access<1 | 1x?xf32> -> !tensoraccess.access<3 | 5x?xf32>
// CHECK-NEXT: return %[[B]], %[[P]]
func.func @broadcast(%p: !tensoraccess.access<1 | 1x?xf32>)
    -> (!tensoraccess.access<3 | 5x?xf32>, !tensoraccess.access<1 | 1x?xf32>) {
  %0 = tensoraccess.broadcast %p
     : !tensoraccess.access<1 | 1x?xf32> -> !tensoraccess.access<3 | 1x?xf32>
  %1 = tensoraccess.broadcast %0
     : !tensoraccess.access<3 | 1x?xf32> -> !tensoraccess.access<3 | 5x?xf32>
  %2 = tensoraccess.broadcast %p
     : !tensoraccess.access<1 | 1x?xf32> -> !tensoraccess.access<1 | 1x?xf32>
  return %1, %2
       : !tensoraccess.access<3 | 5x?xf32>, !tensoraccess.access<1 | 1x?xf32>
}

// -----

// CHECK-LABEL: @shift_right(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3x5x7 | f32>)
// CHECK-NEXT: %[[S:.*]] = tensoraccess.shift_right %[[P]] by 3
// CHECK-NEXT: return %[[P]], %[[S]]
func.func @shift_right(%p: !tensoraccess.access<3x5x7 | f32>)
    -> (!tensoraccess.access<3x5x7 | f32>, !tensoraccess.access<| 3x5x7xf32>) {
  %0 = tensoraccess.shift_right %p by 0
     : !tensoraccess.access<3x5x7 | f32> -> !tensoraccess.access<3x5x7 | f32>
  %1 = tensoraccess.shift_right %p
     : !tensoraccess.access<3x5x7 | f32> -> !tensoraccess.access<3x5 | 7xf32>
  %2 = tensoraccess.shift_right %1 by 2
     : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<| 3x5x7xf32>
  return %0, %2
       : !tensoraccess.access<3x5x7 | f32>, !tensoraccess.access<| 3x5x7xf32>
}

// -----

// By nothing; the same value twice; two values, and an outer interior, which
// would also go between the inner's padding.
// CHECK-LABEL: @pad(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<| 5xf32>)
// CHECK-NEXT: %[[A:.*]] = tensoraccess.pad %[[P]] low = [3] high = [4] interior = [1] value = 0.000000e+00 : f32
// CHECK-NEXT: %[[B:.*]] = tensoraccess.pad %[[A]] low = [1] high = [0] value = 1.000000e+00 : f32
// CHECK-NEXT: %[[C:.*]] = tensoraccess.pad %[[B]] low = [0] high = [0] interior = [1] value = 1.000000e+00 : f32
// CHECK-NEXT: return %[[P]], %[[C]]
func.func @pad(%p: !tensoraccess.access<| 5xf32>)
    -> (!tensoraccess.access<| 5xf32>, !tensoraccess.access<| 33xf32>) {
  %0 = tensoraccess.pad %p low = [0] high = [0] interior = [0] value = 0.0 : f32
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 5xf32>
  %1 = tensoraccess.pad %p low = [1] high = [4] interior = [1] value = 0.0 : f32
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 14xf32>
  %2 = tensoraccess.pad %1 low = [2] high = [0] interior = [0] value = 0.0 : f32
     : !tensoraccess.access<| 14xf32> -> !tensoraccess.access<| 16xf32>
  %3 = tensoraccess.pad %2 low = [1] high = [0] value = 1.0 : f32
     : !tensoraccess.access<| 16xf32> -> !tensoraccess.access<| 17xf32>
  %4 = tensoraccess.pad %3 low = [0] high = [0] interior = [1] value = 1.0 : f32
     : !tensoraccess.access<| 17xf32> -> !tensoraccess.access<| 33xf32>
  return %0, %4
       : !tensoraccess.access<| 5xf32>, !tensoraccess.access<| 33xf32>
}

// -----

// One operand; none of size 0; a concat within along the same axis only.
// CHECK-LABEL: @concat(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>, %[[E:.*]]: !tensoraccess.access<3 | 0xf32>)
// CHECK-NEXT: %[[I:.*]] = tensoraccess.concat %[[P]], %[[P]] axis 1
// CHECK-NEXT: %[[C:.*]] = tensoraccess.concat %[[P]], %[[P]], %[[P]] axis 1
// CHECK-NEXT: %[[O:.*]] = tensoraccess.concat %[[I]], %[[I]] axis 0
// CHECK-NEXT: %[[N:.*]] = tensoraccess.concat %[[E]], %[[E]] axis 1
// CHECK-NEXT: return %[[P]], %[[C]], %[[O]], %[[N]]
func.func @concat(%p: !tensoraccess.access<3 | 5xf32>,
                  %e: !tensoraccess.access<3 | 0xf32>)
    -> (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 15xf32>,
        !tensoraccess.access<6 | 10xf32>, !tensoraccess.access<3 | 0xf32>) {
  %0 = tensoraccess.concat %e, %p axis 1
     : !tensoraccess.access<3 | 0xf32>, !tensoraccess.access<3 | 5xf32>
    -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.concat %p, %e, %p axis 1
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 0xf32>,
       !tensoraccess.access<3 | 5xf32>
    -> !tensoraccess.access<3 | 10xf32>
  %2 = tensoraccess.concat %1, %p axis 1
     : !tensoraccess.access<3 | 10xf32>, !tensoraccess.access<3 | 5xf32>
    -> !tensoraccess.access<3 | 15xf32>
  %3 = tensoraccess.concat %1, %1 axis 0
     : !tensoraccess.access<3 | 10xf32>, !tensoraccess.access<3 | 10xf32>
    -> !tensoraccess.access<6 | 10xf32>
  %4 = tensoraccess.concat %e, %e axis 1
     : !tensoraccess.access<3 | 0xf32>, !tensoraccess.access<3 | 0xf32>
    -> !tensoraccess.access<3 | 0xf32>
  return %0, %2, %3, %4
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 15xf32>,
         !tensoraccess.access<6 | 10xf32>, !tensoraccess.access<3 | 0xf32>
}

// -----

// -(-x) = x, and two times relu is one; a copy of a copy is a copy.
// CHECK-LABEL: @twice(
// CHECK-SAME: %[[P:.*]]: !tensoraccess.access<3 | 5xf32>)
// CHECK-NEXT: %[[R:.*]] = tensoraccess.compute relu %[[P]]
// CHECK-NEXT: %[[M:.*]] = tensoraccess.materialize %[[P]]
// CHECK-NEXT: return %[[P]], %[[R]], %[[M]]
func.func @twice(%p: !tensoraccess.access<3 | 5xf32>)
    -> (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>,
        !tensoraccess.access<3 | 5xf32>) {
  %0 = tensoraccess.compute negative %p
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.compute negative %0
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.compute relu %p
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %3 = tensoraccess.compute relu %2
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %4 = tensoraccess.materialize %p
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %5 = tensoraccess.materialize %4
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return %1, %3, %5
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>,
         !tensoraccess.access<3 | 5xf32>
}

// -----

// Constants are computed by the reference kernels, through a whole program.
// CHECK-LABEL: @constants()
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<{{\[}}[-4, -4], [15, 20]]> : tensor<2x2xi32>
// CHECK-NEXT: return %[[C]]
func.func @constants() -> tensor<2x2xi32> {
  %a = arith.constant dense<[[1, -2, 3], [4, 5, -6]]> : tensor<2x3xi32>
  %b = arith.constant dense<[[1, 2], [1, 0], [-1, -2]]> : tensor<3x2xi32>
  %0 = tensoraccess.access %a at 1
     : tensor<2x3xi32> -> !tensoraccess.access<2 | 3xi32>
  %1 = tensoraccess.access %b at 1
     : tensor<3x2xi32> -> !tensoraccess.access<3 | 2xi32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3 | 2xi32> -> !tensoraccess.access<2 | 3xi32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<2 | 3xi32>, !tensoraccess.access<2 | 3xi32>
    -> !tensoraccess.access<2x2 | 2x3xi32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<2x2 | 2x3xi32> -> !tensoraccess.access<2x2 | i32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<2x2 | i32> -> tensor<2x2xi32>
  return %5 : tensor<2x2xi32>
}

// -----

// A fault stays where it is; so do a copy that is wanted, an accelerator, and a
// result of more than 2^16 elements.
// CHECK-LABEL: @constants_stay()
// CHECK: tensoraccess.compute elementwise_div
// CHECK: tensoraccess.materialize
// CHECK: tensoraccess.accelerator_call
// CHECK: tensoraccess.broadcast
func.func @constants_stay()
    -> (!tensoraccess.access<1 | i32>, !tensoraccess.access<2 | 1xi32>,
        !tensoraccess.access<2 | 1xi32>, !tensoraccess.access<2 | 65536xi32>) {
  %a = arith.constant dense<[[7], [0]]> : tensor<2x1xi32>
  %0 = tensoraccess.access %a at 0
     : tensor<2x1xi32> -> !tensoraccess.access<| 2x1xi32>
  %1 = tensoraccess.compute elementwise_div %0
     : !tensoraccess.access<| 2x1xi32> -> !tensoraccess.access<| 1xi32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<| 1xi32> -> tensor<1xi32>
  %3 = tensoraccess.access %2 at 1
     : tensor<1xi32> -> !tensoraccess.access<1 | i32>
  %4 = tensoraccess.access %a at 1
     : tensor<2x1xi32> -> !tensoraccess.access<2 | 1xi32>
  %5 = tensoraccess.materialize %4
     : !tensoraccess.access<2 | 1xi32> -> !tensoraccess.access<2 | 1xi32>
  %6 = tensoraccess.accelerator_call "twice"(%4)
     : (!tensoraccess.access<2 | 1xi32>) -> !tensoraccess.access<2 | 1xi32>
  %7 = tensoraccess.broadcast %4
     : !tensoraccess.access<2 | 1xi32> -> !tensoraccess.access<2 | 65536xi32>
  return %3, %5, %6, %7
       : !tensoraccess.access<1 | i32>, !tensoraccess.access<2 | 1xi32>,
         !tensoraccess.access<2 | 1xi32>, !tensoraccess.access<2 | 65536xi32>
}
