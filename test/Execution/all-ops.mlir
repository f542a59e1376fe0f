// Every op, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=moves --compare=interpret | FileCheck %s --check-prefix=MOVES
// RUN: tensoraccess-run %s --entry=arithmetic --compare=interpret | FileCheck %s --check-prefix=ARITHMETIC
// RUN: tensoraccess-run %s --entry=narrow --compare=interpret | FileCheck %s --check-prefix=NARROW
// RUN: tensoraccess-run %s --entry=arrays --compare=interpret | FileCheck %s --check-prefix=ARRAYS
// RUN: tensoraccess-run %s --entry=inputs --outputs=%t.x.npy,%t.y.npy
// RUN: tensoraccess-run %s --entry=dynamic --inputs=%t.x.npy,%t.y.npy --compare=interpret | FileCheck %s --check-prefix=DYNAMIC
// RUN: tensoraccess-run %s --entry=accelerated --inputs=%t.x.npy | FileCheck %s --check-prefix=ACCELERATED
// MOVES-COUNT-7: equal, bit for bit
// ARITHMETIC-COUNT-7: equal
// NARROW-COUNT-2: equal, bit for bit
// ARRAYS: equal
// DYNAMIC-COUNT-6: equal
// ACCELERATED: result 0  f32 6x10

func.func @moves(%x: tensor<6x10xf32>, %y: tensor<6x4xf32>)
    -> (tensor<3x4xf32>, tensor<6x14xf32>, tensor<10x14x7xf32>,
        tensor<8x21xf32>, tensor<14x6xf32>, tensor<2x6x4xf32>,
        tensor<5x3x4xf32>) {
  %a = tensoraccess.access %x at 1
     : tensor<6x10xf32> -> !tensoraccess.access<6 | 10xf32>
  %b = tensoraccess.access %y at 1
     : tensor<6x4xf32> -> !tensoraccess.access<6 | 4xf32>
  %0 = tensoraccess.slice %a offsets = [5, 1] sizes = [3, 4] strides = [-2, 2]
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<3 | 4xf32>
  %r0 = tensoraccess.to_tensor %0
     : !tensoraccess.access<3 | 4xf32> -> tensor<3x4xf32>
  %1 = tensoraccess.concat %a, %b axis 1
     : !tensoraccess.access<6 | 10xf32>, !tensoraccess.access<6 | 4xf32>
    -> !tensoraccess.access<6 | 14xf32>
  %r1 = tensoraccess.to_tensor %1
     : !tensoraccess.access<6 | 14xf32> -> tensor<6x14xf32>
  // Pads of a transposed concatenation, repeated.
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<6 | 14xf32> -> !tensoraccess.access<14 | 6xf32>
  %3 = tensoraccess.pad %2 low = [0, 1] high = [0, 0] value = 2.0 : f32
     : !tensoraccess.access<14 | 6xf32> -> !tensoraccess.access<14 | 7xf32>
  %4 = tensoraccess.insert_axis %3 axis 0
     : !tensoraccess.access<14 | 7xf32> -> !tensoraccess.access<1x14 | 7xf32>
  %5 = tensoraccess.broadcast %4
     : !tensoraccess.access<1x14 | 7xf32> -> !tensoraccess.access<10x14 | 7xf32>
  %r2 = tensoraccess.to_tensor %5
     : !tensoraccess.access<10x14 | 7xf32> -> tensor<10x14x7xf32>
  %6 = tensoraccess.pad %a low = [1, 2] high = [1, 0] interior = [0, 1]
     value = -1.0 : f32
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<8 | 21xf32>
  %r3 = tensoraccess.to_tensor %6
     : !tensoraccess.access<8 | 21xf32> -> tensor<8x21xf32>
  %r4 = tensoraccess.to_tensor %2
     : !tensoraccess.access<14 | 6xf32> -> tensor<14x6xf32>
  %7 = tensoraccess.slice %a offsets = [0, 3] sizes = [6, 4]
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 4xf32>
  %8 = tensoraccess.shift_right %7
     : !tensoraccess.access<6 | 4xf32> -> !tensoraccess.access<| 6x4xf32>
  %9 = tensoraccess.shift_right %b
     : !tensoraccess.access<6 | 4xf32> -> !tensoraccess.access<| 6x4xf32>
  %10 = tensoraccess.pair %8, %9
     : !tensoraccess.access<| 6x4xf32>, !tensoraccess.access<| 6x4xf32>
    -> !tensoraccess.access<| 2x6x4xf32>
  %r5 = tensoraccess.to_tensor %10
     : !tensoraccess.access<| 2x6x4xf32> -> tensor<2x6x4xf32>
  %11 = tensoraccess.reshape %a
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<2x3 | 10xf32>
  %12 = tensoraccess.slice %11 offsets = [1, 0, 9] sizes = [1, 3, 4]
     strides = [1, 1, -3]
     : !tensoraccess.access<2x3 | 10xf32> -> !tensoraccess.access<1x3 | 4xf32>
  %13 = tensoraccess.broadcast %12
     : !tensoraccess.access<1x3 | 4xf32> -> !tensoraccess.access<5x3 | 4xf32>
  %14 = tensoraccess.materialize %13
     : !tensoraccess.access<5x3 | 4xf32> -> !tensoraccess.access<5x3 | 4xf32>
  %r6 = tensoraccess.to_tensor %14
     : !tensoraccess.access<5x3 | 4xf32> -> tensor<5x3x4xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6
    : tensor<3x4xf32>, tensor<6x14xf32>, tensor<10x14x7xf32>,
      tensor<8x21xf32>, tensor<14x6xf32>, tensor<2x6x4xf32>, tensor<5x3x4xf32>
}

func.func @arithmetic(%x: tensor<6x10xf32>, %y: tensor<6x10xf32>)
    -> (tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xf32>, tensor<6xf32>,
        tensor<6x10xf32>, tensor<6xf32>, tensor<f32>) {
  %a = tensoraccess.access %x at 1
     : tensor<6x10xf32> -> !tensoraccess.access<6 | 10xf32>
  %b = tensoraccess.access %y at 1
     : tensor<6x10xf32> -> !tensoraccess.access<6 | 10xf32>
  %p = tensoraccess.pair %a, %b
     : !tensoraccess.access<6 | 10xf32>, !tensoraccess.access<6 | 10xf32>
    -> !tensoraccess.access<6 | 2x10xf32>
  %0 = tensoraccess.compute elementwise_div %p
     : !tensoraccess.access<6 | 2x10xf32> -> !tensoraccess.access<6 | 10xf32>
  %1 = tensoraccess.compute relu %a
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 10xf32>
  %2 = tensoraccess.compute sqrt %1
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 10xf32>
  %3 = tensoraccess.compute negative %a
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 10xf32>
  %4 = tensoraccess.compute reduce_mean %a
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | f32>
  %5 = tensoraccess.compute softmax %a
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 10xf32>
  // Tuples of three, one of which is padded.
  %q = tensoraccess.slice %a offsets = [0, 0] sizes = [6, 9]
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6 | 9xf32>
  %r = tensoraccess.pad %q low = [0, 1] high = [0, 0] value = 1.0 : f32
     : !tensoraccess.access<6 | 9xf32> -> !tensoraccess.access<6 | 10xf32>
  %s = tensoraccess.insert_axis %r axis 1
     : !tensoraccess.access<6 | 10xf32> -> !tensoraccess.access<6x1 | 10xf32>
  %t = tensoraccess.shift_right %s
     : !tensoraccess.access<6x1 | 10xf32> -> !tensoraccess.access<6 | 1x10xf32>
  %u = tensoraccess.concat %p, %t axis 1
     : !tensoraccess.access<6 | 2x10xf32>, !tensoraccess.access<6 | 1x10xf32>
    -> !tensoraccess.access<6 | 3x10xf32>
  %6 = tensoraccess.compute dot_prod %u
     : !tensoraccess.access<6 | 3x10xf32> -> !tensoraccess.access<6 | f32>
  %v = tensoraccess.access %x at 0
     : tensor<6x10xf32> -> !tensoraccess.access<| 6x10xf32>
  %7 = tensoraccess.compute reduce_mean %v
     : !tensoraccess.access<| 6x10xf32> -> !tensoraccess.access<| f32>
  %r0 = tensoraccess.to_tensor %0
     : !tensoraccess.access<6 | 10xf32> -> tensor<6x10xf32>
  %r2 = tensoraccess.to_tensor %2
     : !tensoraccess.access<6 | 10xf32> -> tensor<6x10xf32>
  %r3 = tensoraccess.to_tensor %3
     : !tensoraccess.access<6 | 10xf32> -> tensor<6x10xf32>
  %r4 = tensoraccess.to_tensor %4
     : !tensoraccess.access<6 | f32> -> tensor<6xf32>
  %r5 = tensoraccess.to_tensor %5
     : !tensoraccess.access<6 | 10xf32> -> tensor<6x10xf32>
  %r6 = tensoraccess.to_tensor %6
     : !tensoraccess.access<6 | f32> -> tensor<6xf32>
  %r7 = tensoraccess.to_tensor %7
     : !tensoraccess.access<| f32> -> tensor<f32>
  return %r0, %r2, %r3, %r4, %r5, %r6, %r7
    : tensor<6x10xf32>, tensor<6x10xf32>, tensor<6x10xf32>, tensor<6xf32>,
      tensor<6x10xf32>, tensor<6xf32>, tensor<f32>
}

// Sums in a wider type.
func.func @narrow(%x: tensor<3x40xi8>, %y: tensor<2x40xi8>, %z: tensor<5x33xf16>)
    -> (tensor<3x2xi32>, tensor<5xf32>) {
  %a = tensoraccess.access %x at 1
     : tensor<3x40xi8> -> !tensoraccess.access<3 | 40xi8>
  %b = tensoraccess.access %y at 1
     : tensor<2x40xi8> -> !tensoraccess.access<2 | 40xi8>
  %p = tensoraccess.cart_prod %a, %b
     : !tensoraccess.access<3 | 40xi8>, !tensoraccess.access<2 | 40xi8>
    -> !tensoraccess.access<3x2 | 2x40xi8>
  %0 = tensoraccess.compute dot_prod %p accumulator = i32
     : !tensoraccess.access<3x2 | 2x40xi8> -> !tensoraccess.access<3x2 | i32>
  %c = tensoraccess.access %z at 1
     : tensor<5x33xf16> -> !tensoraccess.access<5 | 33xf16>
  %1 = tensoraccess.compute reduce_sum %c accumulator = f32
     : !tensoraccess.access<5 | 33xf16> -> !tensoraccess.access<5 | f32>
  %r0 = tensoraccess.to_tensor %0
     : !tensoraccess.access<3x2 | i32> -> tensor<3x2xi32>
  %r1 = tensoraccess.to_tensor %1
     : !tensoraccess.access<5 | f32> -> tensor<5xf32>
  return %r0, %r1 : tensor<3x2xi32>, tensor<5xf32>
}

func.func @arrays(%x: tensor<2x3x5xf32>, %w: tensor<7x5xf32>)
    -> (tensor<2x3x7xf32>, tensor<2x3x7xf32>, tensor<2x3x3xf32>) {
  %a = tensoraccess.access %x at 2
     : tensor<2x3x5xf32> -> !tensoraccess.access<2x3 | 5xf32>
  %b = tensoraccess.access %w at 0
     : tensor<7x5xf32> -> !tensoraccess.access<| 7x5xf32>
  %c = tensoraccess.transpose %b perm = [1, 0]
     : !tensoraccess.access<| 7x5xf32> -> !tensoraccess.access<| 5x7xf32>
  %0 = tensoraccess.systolic_array %a, %c rows = 5 cols = 7
     : !tensoraccess.access<2x3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
    -> !tensoraccess.access<2x3x7 | f32>
  %1 = tensoraccess.to_tensor %0
     : !tensoraccess.access<2x3x7 | f32> -> tensor<2x3x7xf32>
  %2 = tensoraccess.systolic_array %a, %c rows = 2 cols = 4 blocked
     : !tensoraccess.access<2x3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
    -> !tensoraccess.access<2x3x7 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2x3x7 | f32> -> tensor<2x3x7xf32>
  // Each item of the first dimension has weights of its own: those here are
  // activations, the other way round.
  %d = tensoraccess.access %x at 1
     : tensor<2x3x5xf32> -> !tensoraccess.access<2 | 3x5xf32>
  %e = tensoraccess.transpose %d perm = [0, 2, 1]
     : !tensoraccess.access<2 | 3x5xf32> -> !tensoraccess.access<2 | 5x3xf32>
  %4 = tensoraccess.systolic_array %a, %e rows = 2 cols = 2 blocked
     : !tensoraccess.access<2x3 | 5xf32>, !tensoraccess.access<2 | 5x3xf32>
    -> !tensoraccess.access<2x3x3 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<2x3x3 | f32> -> tensor<2x3x3xf32>
  return %1, %3, %5
    : tensor<2x3x7xf32>, tensor<2x3x7xf32>, tensor<2x3x3xf32>
}

func.func @inputs() -> (tensor<6x10xf32>, tensor<4x10xf32>) {
  %x = arith.constant dense<1.5> : tensor<6x10xf32>
  %y = arith.constant dense<-0.5> : tensor<4x10xf32>
  return %x, %y : tensor<6x10xf32>, tensor<4x10xf32>
}

func.func @dynamic(%x: tensor<?x10xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x12xf32>, tensor<?x10xf32>, tensor<?xf32>,
        tensor<?x10xf32>, tensor<?xf32>) {
  %a = tensoraccess.access %x at 1
     : tensor<?x10xf32> -> !tensoraccess.access<? | 10xf32>
  %b = tensoraccess.access %y at 1
     : tensor<?x?xf32> -> !tensoraccess.access<? | ?xf32>
  %p = tensoraccess.cart_prod %a, %b
     : !tensoraccess.access<? | 10xf32>, !tensoraccess.access<? | ?xf32>
    -> !tensoraccess.access<?x? | 2x10xf32>
  %0 = tensoraccess.compute dot_prod %p
     : !tensoraccess.access<?x? | 2x10xf32> -> !tensoraccess.access<?x? | f32>
  %1 = tensoraccess.pad %a low = [1, 1] high = [0, 1] value = 3.0 : f32
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | 12xf32>
  %2 = tensoraccess.slice %a offsets = [5, 0] sizes = [-1, 10] strides = [-1, 1]
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | 10xf32>
  %3 = tensoraccess.compute reduce_mean %2
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | f32>
  %4 = tensoraccess.compute softmax %a
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | 10xf32>
  %5 = tensoraccess.flatten %a
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | 10xf32>
  %6 = tensoraccess.compute reduce_max %5
     : !tensoraccess.access<? | 10xf32> -> !tensoraccess.access<? | f32>
  %r0 = tensoraccess.to_tensor %0
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  %r1 = tensoraccess.to_tensor %1
     : !tensoraccess.access<? | 12xf32> -> tensor<?x12xf32>
  %r2 = tensoraccess.to_tensor %2
     : !tensoraccess.access<? | 10xf32> -> tensor<?x10xf32>
  %r3 = tensoraccess.to_tensor %3
     : !tensoraccess.access<? | f32> -> tensor<?xf32>
  %r4 = tensoraccess.to_tensor %4
     : !tensoraccess.access<? | 10xf32> -> tensor<?x10xf32>
  %r6 = tensoraccess.to_tensor %6
     : !tensoraccess.access<? | f32> -> tensor<?xf32>
  return %r0, %r1, %r2, %r3, %r4, %r6
    : tensor<?x?xf32>, tensor<?x12xf32>, tensor<?x10xf32>, tensor<?xf32>,
      tensor<?x10xf32>, tensor<?xf32>
}

// An accelerator is a function of its name.
func.func private @twice(%x: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = arith.addf %x, %x : tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}

func.func @accelerated(%x: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<6x10xf32> -> !tensoraccess.access<6 | 10xf32>
  %1 = tensoraccess.accelerator_call "twice"(%0)
     : (!tensoraccess.access<6 | 10xf32>) -> !tensoraccess.access<6 | 10xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<6 | 10xf32> -> tensor<6x10xf32>
  return %2 : tensor<6x10xf32>
}
