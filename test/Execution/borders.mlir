// Compute over windows that hang over an edge, with interior and borders apart,
// and by the interpreter: the same bits.
// RUN: tensoraccess-opt %s --tensoraccess-lower-to-linalg=borders=peel -o %t.peel.mlir
// RUN: tensoraccess-run %t.peel.mlir --entry=wrapped --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=clamped --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=padded --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=negative --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=several --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=strided --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=mean --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=relu --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=taps --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=backwards --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=diagonal --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=conv --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %t.peel.mlir --entry=depthwise --inputs=random:3 --compare=%s | FileCheck %s --check-prefix=SAME
// SAME: compare 0  equal, bit for bit

// The interior reads the argument by a sum: no choice, no remainder, no copy.
// RUN: FileCheck %s < %t.peel.mlir
// CHECK: #[[INNER:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>

// CHECK-LABEL: @wrapped
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic
// CHECK-SAME: indexing_maps = [#[[INNER]]
// CHECK-SAME: ins(%arg0
// CHECK-SAME: outs({{.*}} : tensor<7x9xf32>)
// CHECK: tensor.insert_slice {{.*}}[1, 1] [7, 9] [1, 1] : tensor<7x9xf32> into tensor<9x11xf32>
// CHECK-NOT: arith.remsi
// CHECK-NOT: arith.min
// CHECK: return
func.func @wrapped(%x: tensor<9x11xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, 0], anchor = [-1, -1],
           shape = [3, 3], oob = [wrap, wrap]>
      over [9, 11]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<9x11 | 3x3xf32> -> !tensoraccess.access<9x11 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %3 : tensor<9x11xf32>
}

// Windows of a slice, as they were written before there were projections.
// CHECK-LABEL: @clamped
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0
// CHECK: return
func.func @clamped(%x: tensor<9x11xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.slice %0 offsets = [-2, -1] sizes = [13, 13] oob = [clamp, clamp]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<| 13x13xf32>
  %2 = tensoraccess.windows %1 shape = [5, 3] strides = [1, 1]
     : !tensoraccess.access<| 13x13xf32> -> !tensoraccess.access<9x11 | 5x3xf32>
  %3 = tensoraccess.compute reduce_max %2
     : !tensoraccess.access<9x11 | 5x3xf32> -> !tensoraccess.access<9x11 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %4 : tensor<9x11xf32>
}

// Padding by the op for it, other values for each side of nothing.
// CHECK-LABEL: @padded
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @padded(%x: tensor<9x11xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.pad %0 low = [1, 2] high = [1, 0] value = 2.5 : f32
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<| 11x13xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3] strides = [1, 1]
     : !tensoraccess.access<| 11x13xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %3 = tensoraccess.compute reduce_sum %2
     : !tensoraccess.access<9x11 | 3x3xf32> -> !tensoraccess.access<9x11 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %4 : tensor<9x11xf32>
}

// numpy's way: only the low side has a border.
func.func @negative(%x: tensor<9x11xf32>) -> tensor<8x9xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [-2, 0], shape = [3, 3], oob = [negative, forbid]>
      over [8, 9]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<8x9 | 3x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<8x9 | 3x3xf32> -> !tensoraccess.access<8x9 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<8x9 | f32> -> tensor<8x9xf32>
  return %3 : tensor<8x9xf32>
}

// A policy for each of four dimensions; two values of padding.
func.func @several(%x: tensor<4x5x6x7xf32>) -> tensor<4x5x6x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<4x5x6x7xf32> -> !tensoraccess.access<| 4x5x6x7xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<
           [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] + [-1, -1, -1, -1],
           shape = [2, 3, 3, 2], oob = [wrap, pad(1.0), clamp, pad(-2.0)]>
      over [4, 5, 6, 7]
     : !tensoraccess.access<| 4x5x6x7xf32> -> !tensoraccess.access<4x5x6x7 | 2x3x3x2xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<4x5x6x7 | 2x3x3x2xf32> -> !tensoraccess.access<4x5x6x7 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<4x5x6x7 | f32> -> tensor<4x5x6x7xf32>
  return %3 : tensor<4x5x6x7xf32>
}

// Steps of 2, a window of 3 with gaps.
func.func @strided(%x: tensor<13x15xf32>) -> tensor<7x8xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<13x15xf32> -> !tensoraccess.access<| 13x15xf32>
  %1 = tensoraccess.slice %0 offsets = [-2, -3] sizes = [17, 20] oob = [pad(0.0), wrap]
     : !tensoraccess.access<| 13x15xf32> -> !tensoraccess.access<| 17x20xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3] strides = [2, 2] dilations = [2, 2]
     : !tensoraccess.access<| 17x20xf32> -> !tensoraccess.access<7x8 | 3x3xf32>
  %3 = tensoraccess.compute reduce_sum %2
     : !tensoraccess.access<7x8 | 3x3xf32> -> !tensoraccess.access<7x8 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<7x8 | f32> -> tensor<7x8xf32>
  return %4 : tensor<7x8xf32>
}

// A mean divides by the window's size at the borders, too.
func.func @mean(%x: tensor<9x11xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, 0], anchor = [-1, -1],
           shape = [3, 3], oob = [pad(0.0), wrap]>
      over [9, 11]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %2 = tensoraccess.compute reduce_mean %1
     : !tensoraccess.access<9x11 | 3x3xf32> -> !tensoraccess.access<9x11 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %3 : tensor<9x11xf32>
}

// Without windows: the padding itself is a border, of a constant.
// CHECK-LABEL: @relu
// CHECK: return
func.func @relu(%x: tensor<9x11xf32>) -> tensor<12x14xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.pad %0 low = [1, 2] high = [2, 1] value = 0.5 : f32
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<| 12x14xf32>
  %2 = tensoraccess.compute relu %1
     : !tensoraccess.access<| 12x14xf32> -> !tensoraccess.access<| 12x14xf32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<| 12x14xf32> -> tensor<12x14xf32>
  return %3 : tensor<12x14xf32>
}

// Two operands that hang over different edges: the interior is inside of both.
func.func @taps(%x: tensor<9x11xf32>, %y: tensor<8x12xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.access %y at 0 : tensor<8x12xf32> -> !tensoraccess.access<| 8x12xf32>
  %2 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [-2, 0], shape = [3, 3], oob = [wrap, clamp]>
      over [9, 11]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %3 = tensoraccess.project %1
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, -1], shape = [3, 3], oob = [pad(1.0), pad(2.0)]>
      over [9, 11]
     : !tensoraccess.access<| 8x12xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %4 = tensoraccess.pair %2, %3
     : !tensoraccess.access<9x11 | 3x3xf32>, !tensoraccess.access<9x11 | 3x3xf32>
    -> !tensoraccess.access<9x11 | 2x3x3xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<9x11 | 2x3x3xf32> -> !tensoraccess.access<9x11 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %6 : tensor<9x11xf32>
}

// Rows that run backwards, by 2.
func.func @backwards(%x: tensor<19x11xf32>) -> tensor<9x11xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<19x11xf32> -> !tensoraccess.access<| 19x11xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[-2, 0], [0, -1]] + [17, 10], anchor = [-1, -1],
           shape = [3, 3], oob = [clamp, wrap]>
      over [9, 11]
     : !tensoraccess.access<| 19x11xf32> -> !tensoraccess.access<9x11 | 3x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<9x11 | 3x3xf32> -> !tensoraccess.access<9x11 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<9x11 | f32> -> tensor<9x11xf32>
  return %3 : tensor<9x11xf32>
}

// Two axes move a row: its inside is not a box, and it is not cut.
// CHECK-LABEL: @diagonal
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @diagonal(%x: tensor<9x11xf32>) -> tensor<5x6xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9x11xf32> -> !tensoraccess.access<| 9x11xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 1], [1, -1]] + [-1, 4], shape = [2, 2], oob = [wrap, wrap]>
      over [5, 6]
     : !tensoraccess.access<| 9x11xf32> -> !tensoraccess.access<5x6 | 2x2xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<5x6 | 2x2xf32> -> !tensoraccess.access<5x6 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<5x6 | f32> -> tensor<5x6xf32>
  return %3 : tensor<5x6xf32>
}

// A convolution of several channels.
func.func @conv(%x: tensor<9x11x4xf32>, %w: tensor<3x3x4x5xf32>) -> tensor<9x11x5xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<9x11x4xf32> -> !tensoraccess.access<| 9x11x4xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1], [0, 0]] + [-1, -1, 0],
           shape = [3, 3, 4], oob = [wrap, pad(0.0), forbid]>
      over [9, 11]
     : !tensoraccess.access<| 9x11x4xf32> -> !tensoraccess.access<9x11 | 3x3x4xf32>
  %2 = tensoraccess.access %w at 3
     : tensor<3x3x4x5xf32> -> !tensoraccess.access<3x3x4 | 5xf32>
  %3 = tensoraccess.transpose %2 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3x3x4 | 5xf32> -> !tensoraccess.access<5x3x3 | 4xf32>
  %4 = tensoraccess.shift_right %3 by 2
     : !tensoraccess.access<5x3x3 | 4xf32> -> !tensoraccess.access<5 | 3x3x4xf32>
  %5 = tensoraccess.cart_prod %1, %4
     : !tensoraccess.access<9x11 | 3x3x4xf32>, !tensoraccess.access<5 | 3x3x4xf32>
    -> !tensoraccess.access<9x11x5 | 2x3x3x4xf32>
  %6 = tensoraccess.compute dot_prod %5
     : !tensoraccess.access<9x11x5 | 2x3x3x4xf32> -> !tensoraccess.access<9x11x5 | f32>
  %7 = tensoraccess.to_tensor %6 : !tensoraccess.access<9x11x5 | f32> -> tensor<9x11x5xf32>
  return %7 : tensor<9x11x5xf32>
}

// Each channel by a filter of its own.
func.func @depthwise(%x: tensor<9x11x4xf32>, %w: tensor<3x3x4xf32>) -> tensor<9x11x4xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<9x11x4xf32> -> !tensoraccess.access<| 9x11x4xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0, 0], [0, 1, 0], [0, 0, 1]] + [-1, -1, 0],
           shape = [3, 3, 1], oob = [pad(0.0), pad(0.0), forbid]>
      over [9, 11, 4]
     : !tensoraccess.access<| 9x11x4xf32> -> !tensoraccess.access<9x11x4 | 3x3x1xf32>
  %2 = tensoraccess.access %w at 0
     : tensor<3x3x4xf32> -> !tensoraccess.access<| 3x3x4xf32>
  %3 = tensoraccess.project %2
      by #tensoraccess.projection<[[0, 0, 0], [0, 0, 0], [0, 0, 1]] + [0, 0, 0], shape = [3, 3, 1]>
      over [9, 11, 4]
     : !tensoraccess.access<| 3x3x4xf32> -> !tensoraccess.access<9x11x4 | 3x3x1xf32>
  %4 = tensoraccess.pair %1, %3
     : !tensoraccess.access<9x11x4 | 3x3x1xf32>, !tensoraccess.access<9x11x4 | 3x3x1xf32>
    -> !tensoraccess.access<9x11x4 | 2x3x3x1xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<9x11x4 | 2x3x3x1xf32> -> !tensoraccess.access<9x11x4 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<9x11x4 | f32> -> tensor<9x11x4xf32>
  return %6 : tensor<9x11x4xf32>
}
