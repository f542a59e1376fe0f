// Tiles of dynamic dimensions: as many as hold the elements, and the size kept.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-materialize-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-materialize-layouts="way=steps" | FileCheck %s --check-prefix=SPELT

// A reduction compares with the size.
// CHECK-LABEL: @sum
// CHECK-SAME: %[[X:.*]]: tensor<?x5xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[A:.*]] = arith.addi %[[N]], %c7
// CHECK: %[[T:.*]] = arith.divui %[[A]], %c8
// CHECK: tensor.empty(%[[T]]) : tensor<?x5x8xf32>
// CHECK: linalg.pack %[[X]] padding_value({{.*}}) inner_dims_pos = [0] inner_tiles = [8] into %{{.*}} : tensor<?x5xf32> -> tensor<?x5x8xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "parallel"]
// CHECK: %[[I:.*]] = arith.cmpi ult, %{{.*}}, %[[N]]
// CHECK: arith.select %[[I]]
// SPELT-LABEL: @sum
// SPELT: tensor.pad %{{.*}} low[0, 0] high[%{{.*}}, 0]
// SPELT: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%{{.*}}, 8, 5] : tensor<?x5xf32> into tensor<?x8x5xf32>
// SPELT: linalg.transpose {{.*}} permutation = [0, 2, 1]
func.func @sum(%x: tensor<?x5xf32>, %i: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<?x5xf32> to tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,1)}>>
  %1 = linalg.reduce { arith.addf }
       ins(%0 : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,1)}>>)
       outs(%i : tensor<5xf32>) dimensions = [0]
  return %1 : tensor<5xf32>
}

// -----

// A result has every dimension of the tiled shape.
// CHECK-LABEL: @border
// CHECK-SAME: -> tensor<?x1x8x128xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] output_shape [%{{.*}}, 1, 8, 128] : tensor<?x8x128xf32> into tensor<?x1x8x128xf32>
func.func @border(%x: tensor<?x100xf32>)
    -> tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>> {
  %0 = tensoraccess.relayout %x : tensor<?x100xf32>
    to tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
  return %0 : tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
}

// -----

// An untiled size is known from its tensor, also where that is an argument.
// CHECK-LABEL: @untiled(%arg0: tensor<?x2x6x16x1xf32>)
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2], [3, 4]] : tensor<?x2x6x16x1xf32> into tensor<?x2x6x16xf32>
// CHECK: linalg.unpack
func.func @untiled(%x: tensor<?x20x6xf32, #tensoraccess.layout<{2,1,0:T(16,1)}>>)
    -> tensor<?x20x6xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<?x20x6xf32, #tensoraccess.layout<{2,1,0:T(16,1)}>>
    to tensor<?x20x6xf32>
  return %0 : tensor<?x20x6xf32>
}

// -----

// The size of a tensor is not that of its tiles.
// CHECK-LABEL: @size
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: return %[[N]]
func.func @size(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensoraccess.relayout %x : tensor<?xf32>
    to tensor<?xf32, #tensoraccess.layout<{0:T(8)}>>
  %n = tensor.dim %0, %c0 : tensor<?xf32, #tensoraccess.layout<{0:T(8)}>>
  return %n : index
}

// -----

// A reshape of dynamic sizes goes through the row-major order.
// CHECK-LABEL: @flat
// CHECK: linalg.unpack
// CHECK: tensor.collapse_shape
// CHECK: linalg.pack
func.func @flat(%x: tensor<?x6xf32>)
    -> tensor<?xf32, #tensoraccess.layout<{0:T(16)}>> {
  %0 = tensoraccess.relayout %x : tensor<?x6xf32>
    to tensor<?x6xf32, #tensoraccess.layout<{1,0:T(8,1)}>>
  %1 = tensoraccess.relayout %0
     : tensor<?x6xf32, #tensoraccess.layout<{1,0:T(8,1)}>>
    to tensor<?xf32, #tensoraccess.layout<{0:T(16)}>>
  return %1 : tensor<?xf32, #tensoraccess.layout<{0:T(16)}>>
}

// -----

// A dynamic size beside ones is one dimension of both shapes.
// CHECK-LABEL: @kept
// CHECK: linalg.pack {{.*}} -> tensor<?x8xf32>
// CHECK-NOT: linalg.unpack
// CHECK: tensor.expand_shape {{.*}} into tensor<1x?x8xf32>
func.func @kept(%x: tensor<?xf32>, %n: index)
    -> tensor<1x?xf32, #tensoraccess.layout<{1,0:T(8)}>> {
  %0 = tensoraccess.relayout %x : tensor<?xf32>
    to tensor<?xf32, #tensoraccess.layout<{0:T(8)}>>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, %n]
     : tensor<?xf32, #tensoraccess.layout<{0:T(8)}>>
    into tensor<1x?xf32, #tensoraccess.layout<{1,0:T(8)}>>
  return %1 : tensor<1x?xf32, #tensoraccess.layout<{1,0:T(8)}>>
}
