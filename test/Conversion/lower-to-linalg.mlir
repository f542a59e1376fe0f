// RUN: tensoraccess-opt %s --tensoraccess-lower-to-linalg --canonicalize --cse \
// RUN:   | FileCheck %s

// CHECK-DAG: #[[$COPY:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 5 + d3)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$DIL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 + d3 * 2)>
// CHECK-NOT: tensoraccess.

// Windows are copied over merged digits, filters are a view of the collapsed
// base: the result is a plain matmul.
// CHECK-LABEL: @im2col_matmul
// CHECK-SAME: %[[X:.*]]: tensor<1x9x8x5xf32>, %[[W:.*]]: tensor<3x3x5x7xf32>
// CHECK: %[[XC:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2, 3]] : tensor<1x9x8x5xf32> into tensor<9x40xf32>
// CHECK: %[[COPY:.*]] = linalg.generic {indexing_maps = [#[[$COPY]], #[[$ID]]], {{.*}} ins(%[[XC]] : tensor<9x40xf32>) outs(%{{.*}} : tensor<4x6x3x15xf32>)
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[COPY]] {{\[}}[0, 1], [2, 3]] : tensor<4x6x3x15xf32> into tensor<24x45xf32>
// CHECK: %[[B:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1, 2], [3]] : tensor<3x3x5x7xf32> into tensor<45x7xf32>
// CHECK: linalg.matmul ins(%[[A]], %[[B]] : tensor<24x45xf32>, tensor<45x7xf32>) outs(%{{.*}} : tensor<24x7xf32>)
func.func @im2col_matmul(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<24x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.flatten %1
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
    -> !tensoraccess.access<24 | 45xf32>
  %3 = tensoraccess.materialize %2
     : !tensoraccess.access<24 | 45xf32> -> !tensoraccess.access<24 | 45xf32>
  %4 = tensoraccess.access %w at 1
     : tensor<3x3x5x7xf32> -> !tensoraccess.access<3 | 3x5x7xf32>
  %5 = tensoraccess.transpose %4 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 3x5x7xf32>
    -> !tensoraccess.access<7 | 3x3x5xf32>
  %6 = tensoraccess.flatten %5
     : !tensoraccess.access<7 | 3x3x5xf32> -> !tensoraccess.access<7 | 45xf32>
  %7 = tensoraccess.cart_prod %3, %6
     : !tensoraccess.access<24 | 45xf32>, !tensoraccess.access<7 | 45xf32>
    -> !tensoraccess.access<24x7 | 2x45xf32>
  %8 = tensoraccess.compute dot_prod %7
     : !tensoraccess.access<24x7 | 2x45xf32> -> !tensoraccess.access<24x7 | f32>
  %9 = tensoraccess.to_tensor %8
     : !tensoraccess.access<24x7 | f32> -> tensor<24x7xf32>
  return %9 : tensor<24x7xf32>
}

// Without materialize nothing is copied; the op on the other side is cut at the
// windows' digits.
// CHECK-LABEL: @flat_windows
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2, 3]] : tensor<1x9x8x5xf32> into tensor<9x40xf32>
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @flat_windows(%x: tensor<1x9x8x5xf32>, %w: tensor<7x45xf32>)
    -> tensor<24x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.flatten %1
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
    -> !tensoraccess.access<24 | 45xf32>
  %6 = tensoraccess.access %w at 1
     : tensor<7x45xf32> -> !tensoraccess.access<7 | 45xf32>
  %7 = tensoraccess.cart_prod %2, %6
     : !tensoraccess.access<24 | 45xf32>, !tensoraccess.access<7 | 45xf32>
    -> !tensoraccess.access<24x7 | 2x45xf32>
  %8 = tensoraccess.compute dot_prod %7
     : !tensoraccess.access<24x7 | 2x45xf32> -> !tensoraccess.access<24x7 | f32>
  %9 = tensoraccess.to_tensor %8
     : !tensoraccess.access<24x7 | f32> -> tensor<24x7xf32>
  return %9 : tensor<24x7xf32>
}

// A transposed view cut at 5·3 where its digits are 3·5, and moved back: the
// elements have not moved.
// CHECK-LABEL: @reshape_across
// CHECK-NOT: linalg
// CHECK: tensor.expand_shape %{{.*}} : tensor<15x2xf32> into tensor<5x3x2xf32>
func.func @reshape_across(%x: tensor<3x5x2xf32>) -> tensor<5x3x2xf32> {
  %0 = tensoraccess.access %x at 3
     : tensor<3x5x2xf32> -> !tensoraccess.access<3x5x2 | f32>
  %1 = tensoraccess.transpose %0 perm = [2, 0, 1]
     : !tensoraccess.access<3x5x2 | f32> -> !tensoraccess.access<2x3x5 | f32>
  %2 = tensoraccess.reshape %1
     : !tensoraccess.access<2x3x5 | f32> -> !tensoraccess.access<2x5x3 | f32>
  %3 = tensoraccess.transpose %2 perm = [1, 2, 0]
     : !tensoraccess.access<2x5x3 | f32> -> !tensoraccess.access<5x3x2 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<5x3x2 | f32> -> tensor<5x3x2xf32>
  return %4 : tensor<5x3x2xf32>
}

// Items whose digits have no common refinement.
// CHECK-LABEL: @misaligned
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "reduction"]} ins(%{{.*}} : tensor<15xf32>)
// CHECK-COUNT-2: tensor.extract
func.func @misaligned(%x: tensor<2x5x3xf32>, %y: tensor<4x3x5xf32>)
    -> tensor<2x4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<2x5x3xf32> -> !tensoraccess.access<2 | 5x3xf32>
  %t = tensoraccess.transpose %0 perm = [0, 2, 1]
     : !tensoraccess.access<2 | 5x3xf32> -> !tensoraccess.access<2 | 3x5xf32>
  %1 = tensoraccess.flatten %t
     : !tensoraccess.access<2 | 3x5xf32> -> !tensoraccess.access<2 | 15xf32>
  %2 = tensoraccess.access %y at 1
     : tensor<4x3x5xf32> -> !tensoraccess.access<4 | 3x5xf32>
  %u = tensoraccess.transpose %2 perm = [0, 2, 1]
     : !tensoraccess.access<4 | 3x5xf32> -> !tensoraccess.access<4 | 5x3xf32>
  %3 = tensoraccess.flatten %u
     : !tensoraccess.access<4 | 5x3xf32> -> !tensoraccess.access<4 | 15xf32>
  %4 = tensoraccess.cart_prod %1, %3
     : !tensoraccess.access<2 | 15xf32>, !tensoraccess.access<4 | 15xf32>
    -> !tensoraccess.access<2x4 | 2x15xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<2x4 | 2x15xf32> -> !tensoraccess.access<2x4 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<2x4 | f32> -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// Loops of the window are known from an operand that is not read.
// CHECK-LABEL: @max_pool
// CHECK: linalg.fill ins(%{{.*}} : f32)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x2xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[E]] : tensor<2x9x11xf32>, tensor<3x2xf32>)
// CHECK: arith.maximumf
func.func @max_pool(%x: tensor<2x9x11xf32>) -> tensor<2x4x4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<2x9x11xf32> -> !tensoraccess.access<2 | 9x11xf32>
  %1 = tensoraccess.windows %0 shape = [3, 2] strides = [2, 3]
     : !tensoraccess.access<2 | 9x11xf32>
    -> !tensoraccess.access<2x4x4 | 3x2xf32>
  %2 = tensoraccess.compute reduce_max %1
     : !tensoraccess.access<2x4x4 | 3x2xf32>
    -> !tensoraccess.access<2x4x4 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2x4x4 | f32> -> tensor<2x4x4xf32>
  return %3 : tensor<2x4x4xf32>
}

// CHECK-LABEL: @pad_relu_sum
// CHECK: tensor.pad %{{.*}} low[1, 0] high[1, 2]
// CHECK: arith.maximumf
// CHECK: linalg.generic {indexing_maps = [#[[$DIL]],
// CHECK: arith.addf
func.func @pad_relu_sum(%x: tensor<5x7xf32>) -> tensor<3x3xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<5x7xf32> -> !tensoraccess.access<| 5x7xf32>
  %p = tensoraccess.pad %0 low = [1, 0] high = [1, 2] value = 2.5 : f32
     : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<| 7x9xf32>
  %r = tensoraccess.compute relu %p
     : !tensoraccess.access<| 7x9xf32> -> !tensoraccess.access<| 7x9xf32>
  %1 = tensoraccess.windows %r shape = [3, 4] strides = [2, 1] dilations = [1, 2]
     : !tensoraccess.access<| 7x9xf32> -> !tensoraccess.access<3x3 | 3x4xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<3x3 | 3x4xf32> -> !tensoraccess.access<3x3 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<3x3 | f32> -> tensor<3x3xf32>
  return %3 : tensor<3x3xf32>
}

// A padding that is asked for as a tensor: filled, then written into its place.
// CHECK-LABEL: @pad_windows
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%{{.*}} : tensor<7x4xf32>)
// CHECK: %[[G:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x3xf32>)
// CHECK: tensor.insert_slice %[[G]] into %[[F]][1, 0] [6, 3] [1, 1]
func.func @pad_windows(%x: tensor<8xf32>) -> tensor<7x4xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<8xf32> -> !tensoraccess.access<| 8xf32>
  %1 = tensoraccess.windows %0 shape = [3] strides = [1]
     : !tensoraccess.access<| 8xf32> -> !tensoraccess.access<6 | 3xf32>
  %2 = tensoraccess.pad %1 low = [1, 0] high = [0, 1] value = -1.0 : f32
     : !tensoraccess.access<6 | 3xf32> -> !tensoraccess.access<7 | 4xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<7 | 4xf32> -> tensor<7x4xf32>
  return %3 : tensor<7x4xf32>
}

// Paddings of two values: one is filled in first, the other is a piece.
// CHECK-LABEL: @pad_transposed
// CHECK: linalg.fill {{.*}} outs(%{{.*}} : tensor<9x8xf32>)
// CHECK: %[[G:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<7x5xf32>)
// CHECK: tensor.insert_slice %[[G]] into %{{.*}}[1, 2] [7, 5] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%{{.*}} : tensor<1x8xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[8, 0] [1, 8] [1, 1]
func.func @pad_transposed(%x: tensor<5x7xf32>) -> tensor<9x8xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<7 | 5xf32>
  %2 = tensoraccess.pad %1 low = [1, 2] high = [0, 1] value = 1.0 : f32
     : !tensoraccess.access<7 | 5xf32> -> !tensoraccess.access<8 | 8xf32>
  %3 = tensoraccess.pad %2 low = [0, 0] high = [1, 0] value = 3.0 : f32
     : !tensoraccess.access<8 | 8xf32> -> !tensoraccess.access<9 | 8xf32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<9 | 8xf32> -> tensor<9x8xf32>
  return %4 : tensor<9x8xf32>
}

// A product asked for as a tensor is written out, element by element.
// CHECK-LABEL: @tuple(
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [3, 7, 1, 5]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 0] [3, 7, 1, 5]
func.func @tuple(%x: tensor<3x5xf32>, %y: tensor<7x5xf32>)
    -> tensor<3x7x2x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %y at 1
     : tensor<7x5xf32> -> !tensoraccess.access<7 | 5xf32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
    -> !tensoraccess.access<3x7 | 2x5xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<3x7 | 2x5xf32> -> tensor<3x7x2x5xf32>
  return %3 : tensor<3x7x2x5xf32>
}

// Movement that keeps the tuple axis is composed; what crosses it is not.
// CHECK-LABEL: @tuple_moved
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<3x5xf32>, tensor<7x5xf32>) outs(%{{.*}} : tensor<7x3xf32>)
func.func @tuple_moved(%x: tensor<3x5xf32>, %y: tensor<7x5xf32>)
    -> (tensor<21xf32>, tensor<3x7xf32>) {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %y at 1
     : tensor<7x5xf32> -> !tensoraccess.access<7 | 5xf32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
    -> !tensoraccess.access<3x7 | 2x5xf32>
  %t = tensoraccess.transpose %2 perm = [1, 0, 2, 3]
     : !tensoraccess.access<3x7 | 2x5xf32>
    -> !tensoraccess.access<7x3 | 2x5xf32>
  %f = tensoraccess.reshape %t
     : !tensoraccess.access<7x3 | 2x5xf32>
    -> !tensoraccess.access<21 | 2x5x1xf32>
  %3 = tensoraccess.compute dot_prod %f
     : !tensoraccess.access<21 | 2x5x1xf32> -> !tensoraccess.access<21 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<21 | f32> -> tensor<21xf32>
  %g = tensoraccess.reshape %2
     : !tensoraccess.access<3x7 | 2x5xf32> -> !tensoraccess.access<3x7 | 10xf32>
  %5 = tensoraccess.compute reduce_sum %g
     : !tensoraccess.access<3x7 | 10xf32> -> !tensoraccess.access<3x7 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %4, %6 : tensor<21xf32>, tensor<3x7xf32>
}

// A tuple that no product made: its axis is fixed to each value.
// CHECK-LABEL: @tuple_of_three
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg0, %arg0 :
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @tuple_of_three(%x: tensor<4x3x5xf32>)
    -> (tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = tensoraccess.access %x at 1
     : tensor<4x3x5xf32> -> !tensoraccess.access<4 | 3x5xf32>
  %1 = tensoraccess.compute dot_prod %0
     : !tensoraccess.access<4 | 3x5xf32> -> !tensoraccess.access<4 | f32>
  %2 = tensoraccess.compute elementwise_add %0
     : !tensoraccess.access<4 | 3x5xf32> -> !tensoraccess.access<4 | 5xf32>
  %3 = tensoraccess.compute elementwise_mul %0
     : !tensoraccess.access<4 | 3x5xf32> -> !tensoraccess.access<4 | 5xf32>
  %a = tensoraccess.to_tensor %1
     : !tensoraccess.access<4 | f32> -> tensor<4xf32>
  %b = tensoraccess.to_tensor %2
     : !tensoraccess.access<4 | 5xf32> -> tensor<4x5xf32>
  %c = tensoraccess.to_tensor %3
     : !tensoraccess.access<4 | 5xf32> -> tensor<4x5xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}

// Items of no dimension, and a pattern of one item.
// CHECK-LABEL: @outer
// CHECK: tensor<f32>
func.func @outer(%x: tensor<3xf32>, %y: tensor<5xf32>)
    -> (tensor<3x5xf32>, tensor<f32>) {
  %0 = tensoraccess.access %x at 1
     : tensor<3xf32> -> !tensoraccess.access<3 | f32>
  %1 = tensoraccess.access %y at 1
     : tensor<5xf32> -> !tensoraccess.access<5 | f32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<3 | f32>, !tensoraccess.access<5 | f32>
    -> !tensoraccess.access<3x5 | 2xf32>
  %3 = tensoraccess.compute dot_prod %2
     : !tensoraccess.access<3x5 | 2xf32> -> !tensoraccess.access<3x5 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<3x5 | f32> -> tensor<3x5xf32>
  %5 = tensoraccess.access %4 at 0
     : tensor<3x5xf32> -> !tensoraccess.access<| 3x5xf32>
  %6 = tensoraccess.compute reduce_sum %5
     : !tensoraccess.access<| 3x5xf32> -> !tensoraccess.access<| f32>
  %7 = tensoraccess.to_tensor %6 : !tensoraccess.access<| f32> -> tensor<f32>
  return %4, %7 : tensor<3x5xf32>, tensor<f32>
}

// Dimensions of size 1 and splits are reshapes of the base.
// CHECK-LABEL: @units
// CHECK-NOT: linalg
// CHECK: tensor.expand_shape
// CHECK-NOT: linalg
func.func @units(%x: tensor<6x1x5xf32>) -> tensor<1x2x3x5x1xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<6x1x5xf32> -> !tensoraccess.access<6x1 | 5xf32>
  %1 = tensoraccess.squeeze %0 axis 1
     : !tensoraccess.access<6x1 | 5xf32> -> !tensoraccess.access<6 | 5xf32>
  %2 = tensoraccess.insert_axis %1 axis 0
     : !tensoraccess.access<6 | 5xf32> -> !tensoraccess.access<1x6 | 5xf32>
  %3 = tensoraccess.insert_axis %2 axis 3
     : !tensoraccess.access<1x6 | 5xf32> -> !tensoraccess.access<1x6 | 5x1xf32>
  %4 = tensoraccess.reshape %3
     : !tensoraccess.access<1x6 | 5x1xf32>
    -> !tensoraccess.access<1x2x3 | 5x1xf32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<1x2x3 | 5x1xf32> -> tensor<1x2x3x5x1xf32>
  return %5 : tensor<1x2x3x5x1xf32>
}

// A window over a flattened dimension that slides across its digits.
// CHECK-LABEL: @windows_of_flat
// CHECK: tensor.extract
func.func @windows_of_flat(%x: tensor<3x5x4xf32>) -> tensor<11x2xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<3x5x4xf32> -> !tensoraccess.access<| 3x5x4xf32>
  %1 = tensoraccess.transpose %0 perm = [2, 0, 1]
     : !tensoraccess.access<| 3x5x4xf32> -> !tensoraccess.access<| 4x3x5xf32>
  %2 = tensoraccess.flatten %1
     : !tensoraccess.access<| 4x3x5xf32> -> !tensoraccess.access<| 60xf32>
  %3 = tensoraccess.windows %2 shape = [2] strides = [5] dilations = [7]
     : !tensoraccess.access<| 60xf32> -> !tensoraccess.access<11 | 2xf32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<11 | 2xf32> -> tensor<11x2xf32>
  return %4 : tensor<11x2xf32>
}

// Rows of seven elements that begin and end inside rows of six: the base is one
// list of elements, and no index is divided.
// CHECK-LABEL: @rows_across_rows
// CHECK: %[[L:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
// CHECK: linalg.generic {{.*}} ins(%[[L]] : tensor<24xf32>)
// CHECK-NOT: tensor.extract
func.func @rows_across_rows(%x: tensor<4x6xf32>) -> tensor<2x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<4x6xf32> -> !tensoraccess.access<| 4x6xf32>
  %1 = tensoraccess.flatten %0
     : !tensoraccess.access<| 4x6xf32> -> !tensoraccess.access<| 24xf32>
  %2 = tensoraccess.windows %1 shape = [7] strides = [11]
     : !tensoraccess.access<| 24xf32> -> !tensoraccess.access<2 | 7xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2 | 7xf32> -> tensor<2x7xf32>
  return %3 : tensor<2x7xf32>
}

// No elements, and an unknown size: the powers are not digits of it.
// CHECK-LABEL: @softmax_of_nothing
// CHECK-SAME: %[[X:.*]]: tensor<0x7x?xf32>
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: return %{{.*}} : tensor<2x0x7x?xf32>
func.func @softmax_of_nothing(%x: tensor<0x7x?xf32>) -> tensor<2x0x7x?xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<0x7x?xf32> -> !tensoraccess.access<| 0x7x?xf32>
  %1 = tensoraccess.pair %0, %0
     : !tensoraccess.access<| 0x7x?xf32>, !tensoraccess.access<| 0x7x?xf32>
       -> !tensoraccess.access<| 2x0x7x?xf32>
  %2 = tensoraccess.compute softmax %1
     : !tensoraccess.access<| 2x0x7x?xf32> -> !tensoraccess.access<| 2x0x7x?xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<| 2x0x7x?xf32> -> tensor<2x0x7x?xf32>
  return %3 : tensor<2x0x7x?xf32>
}
