// Which elements go where: slices also backwards, concatenation, broadcasts;
// items side by side; what an array and an accelerator do. The picture of the
// first function is the one in docs/Python.md; after a change, make it anew by
//   tensoraccess-translate --access-to-svg docs/examples/movement.mlir -o docs/images/movement.svg

// RUN: tensoraccess-translate --access-to-svg %S/../../docs/examples/movement.mlir | diff %S/../../docs/images/movement.svg -
// RUN: %python %S/check_svg.py %S/../../docs/images/movement.svg
// RUN: tensoraccess-translate --access-to-svg %s -o %t.svg
// RUN: %python %S/check_svg.py %t.svg
// RUN: FileCheck %s --input-file=%t.svg

// Every other place of a row, from its end: one square each, the first strong.
// CHECK: @backwards
// CHECK: slice
// CHECK: offsets [0, 6] sizes [3, 3] strides [1, -2]
// CHECK-COUNT-3: fill="#0ea5e9" fill-opacity="0.3"
// CHECK: fill="#0ea5e9" fill-opacity="0.7"
// CHECK: dimensions 0, 1: 3 x 7 elements
// CHECK: dimension 0: 3 from 0
// CHECK: dimension 1: 3 from 6, step -2
func.func @backwards(%x: tensor<3x7xf32>) -> tensor<3x3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x7xf32> -> !tensoraccess.access<3 | 7xf32>
  %1 = tensoraccess.slice %0 offsets = [0, 6] sizes = [3, 3] strides = [1, -2] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 3xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | 3xf32> -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// A slice in the middle of what is not drawn is a tick in the dots, and to the
// end of a dynamic dimension; one dimension is one row.
// CHECK: @far_away
// CHECK: width="4" height="16" fill="#0ea5e9"
// CHECK: dimension 0: 1000 elements
// CHECK: dimension 0: 10 from 500
// CHECK: dimension 0: ? from 3
func.func @far_away(%x: tensor<1000xf32>, %y: tensor<?xf32>) -> (tensor<10xf32>, tensor<?xf32>) {
  %0 = tensoraccess.access %x at 1 : tensor<1000xf32> -> !tensoraccess.access<1000 | f32>
  %1 = tensoraccess.slice %0 offsets = [500] sizes = [10] : !tensoraccess.access<1000 | f32> -> !tensoraccess.access<10 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<10 | f32> -> tensor<10xf32>
  %3 = tensoraccess.access %y at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %4 = tensoraccess.slice %3 offsets = [3] sizes = [-1] : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| ?xf32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<| ?xf32> -> tensor<?xf32>
  return %2, %5 : tensor<10xf32>, tensor<?xf32>
}

// Five operands, of which four are named; an empty one has no place.
// CHECK: @many
// CHECK: concat
// CHECK: dimensions 0, 1: 3 x 8 elements
// CHECK: operand 0: 0-1 of dimension 1
// CHECK: operand 1: nothing of dimension 1
// CHECK: operand 3: 4-5 of dimension 1
// CHECK: and 1 more operands
func.func @many(%x: tensor<3x2xf32>, %e: tensor<3x0xf32>) -> tensor<3x8xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x2xf32> -> !tensoraccess.access<3 | 2xf32>
  %1 = tensoraccess.access %e at 1 : tensor<3x0xf32> -> !tensoraccess.access<3 | 0xf32>
  %2 = "tensoraccess.concat"(%0, %1, %0, %0, %0) {axis = 1 : i64} : (!tensoraccess.access<3 | 2xf32>, !tensoraccess.access<3 | 0xf32>, !tensoraccess.access<3 | 2xf32>, !tensoraccess.access<3 | 2xf32>, !tensoraccess.access<3 | 2xf32>) -> !tensoraccess.access<3 | 8xf32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3 | 8xf32> -> tensor<3x8xf32>
  return %3 : tensor<3x8xf32>
}

// CHECK: @items
// CHECK: dimension 0: 1 element, 5 times
// CHECK: 5 pairs of items of 7 elements
// CHECK: item (1) with item (1)
// CHECK: across the tuple
// CHECK: each item by itself, as a whole
// CHECK: each element by itself
func.func @items(%x: tensor<5x7xf32>, %y: tensor<1x7xf32>) -> (tensor<5xf64>, tensor<5x7xf32>) {
  %0 = tensoraccess.access %x at 1 : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %1 = tensoraccess.access %y at 1 : tensor<1x7xf32> -> !tensoraccess.access<1 | 7xf32>
  %2 = tensoraccess.broadcast %1 : !tensoraccess.access<1 | 7xf32> -> !tensoraccess.access<5 | 7xf32>
  %3 = tensoraccess.pair %0, %2 : !tensoraccess.access<5 | 7xf32>, !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<5 | 2x7xf32>
  %4 = tensoraccess.compute dot_prod %3 accumulator = f64 : !tensoraccess.access<5 | 2x7xf32> -> !tensoraccess.access<5 | f64>
  %5 = tensoraccess.compute elementwise_div %3 : !tensoraccess.access<5 | 2x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %6 = tensoraccess.compute softmax %5 : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<5 | 7xf32>
  %7 = tensoraccess.compute sqrt %6 : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<5 | 7xf32>
  %8 = tensoraccess.to_tensor %4 : !tensoraccess.access<5 | f64> -> tensor<5xf64>
  %9 = tensoraccess.to_tensor %7 : !tensoraccess.access<5 | 7xf32> -> tensor<5x7xf32>
  return %8, %9 : tensor<5xf64>, tensor<5x7xf32>
}

// The names that arguments have; an accelerator's card is its own.
// CHECK: @hardware
// CHECK: >acts<
// CHECK: systolic_array
// CHECK: rows 5 cols 9
// CHECK: shift_right
// CHECK: 5 x 9 cells hold the weights
// CHECK: ? items of 5 come from the left
// CHECK: sums of 5 products leave below
// CHECK: accelerator_call
// CHECK: &quot;my-unit&quot;
func.func @hardware(%a: tensor<?x5xf32> {tensoraccess.name = "acts"}, %w: tensor<5x9xf32>) -> tensor<?x9xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<?x5xf32> -> !tensoraccess.access<? | 5xf32>
  %1 = tensoraccess.access %w at 0 : tensor<5x9xf32> -> !tensoraccess.access<| 5x9xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 5 cols = 9 : !tensoraccess.access<? | 5xf32>, !tensoraccess.access<| 5x9xf32> -> !tensoraccess.access<?x9 | f32>
  %3 = tensoraccess.shift_right %2 : !tensoraccess.access<?x9 | f32> -> !tensoraccess.access<? | 9xf32>
  %4 = tensoraccess.accelerator_call "my-unit"(%3) : (!tensoraccess.access<? | 9xf32>) -> !tensoraccess.access<? | 9xf32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<? | 9xf32> -> tensor<?x9xf32>
  return %5 : tensor<?x9xf32>
}
