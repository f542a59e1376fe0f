// Slices and pads that upstream would fold or lower wrongly.
// RUN: tensoraccess-opt %s --tensoraccess-foreign-to-linalg --canonicalize | FileCheck %s

// Of two dimensions of size 1 the first is dropped; upstream looks for it by the
// strides of what is sliced, which the slice's multiply.
// CHECK-LABEL: @extract
// CHECK: %[[WHOLE:.*]] = tensor.extract_slice %{{.*}}[0, 0, %{{.*}}] [1, 1, 3] [1, 1, 2] : tensor<?x?x?xf32> to tensor<1x1x3xf32>
// CHECK: tensor.collapse_shape %[[WHOLE]] {{\[}}[0, 1], [2]] : tensor<1x1x3xf32> into tensor<1x3xf32>
func.func @extract(%a: tensor<?x?x?xf32>, %i: index) -> tensor<1x3xf32> {
  %0 = tensor.extract_slice %a[0, 0, %i] [1, 1, 3] [1, 1, 2] : tensor<?x?x?xf32> to tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// CHECK-LABEL: @insert
// CHECK: %[[WHOLE:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2]]
// CHECK: tensor.insert_slice %[[WHOLE]] into %{{.*}}[0, 0, 0] [%{{.*}}, %{{.*}}, 1] [1, 2, 1]
func.func @insert(%s: tensor<?x?xf32>, %a: tensor<?x?x7xf32>, %m: index, %n: index) -> tensor<?x?x7xf32> {
  %0 = tensor.insert_slice %s into %a[0, 0, 0] [%m, %n, 1] [1, 2, 1] : tensor<?x?xf32> into tensor<?x?x7xf32>
  return %0 : tensor<?x?x7xf32>
}

// Only one dimension has size 1.
// CHECK-LABEL: @stays
// CHECK: tensor.extract_slice %{{.*}}[0, 0] [1, 3] [1, 2] : tensor<5x7xf32> to tensor<3xf32>
func.func @stays(%a: tensor<5x7xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %a[0, 0] [1, 3] [1, 2] : tensor<5x7xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: @pad
// CHECK: %[[REST:.*]] = tensor.extract_slice %{{.*}}[1, 0] [2, 3] [1, 1] : tensor<3x4xf32> to tensor<2x3xf32>
// CHECK: tensor.pad %[[REST]] low[0, 1] high[0, 0]
func.func @pad(%a: tensor<3x4xf32>, %x: f32) -> tensor<2x4xf32> {
  %0 = tensor.pad %a low[-1, 1] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<3x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Nothing stays.
// CHECK-LABEL: @pad_of_nothing
// CHECK: %[[REST:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: tensor.pad %[[REST]] low[0] high[2]
func.func @pad_of_nothing(%a: tensor<3xf32>, %x: f32) -> tensor<2xf32> {
  %0 = tensor.pad %a low[-5] high[4] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A number that may be negative.
// CHECK-LABEL: @pad_at_run_time
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[N:.*]]: index
// CHECK: affine.max
// CHECK: affine.min
// CHECK: tensor.extract_slice %[[A]]
// CHECK: tensor.pad
func.func @pad_at_run_time(%a: tensor<?xf32>, %n: index, %x: f32) -> tensor<?xf32> {
  %0 = tensor.pad %a low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// One that may not.
// CHECK-LABEL: @pad_by_size
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.pad
func.func @pad_by_size(%a: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %0 = tensor.pad %a low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
