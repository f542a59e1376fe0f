// RUN: tensoraccess-opt %s --tensoraccess-expand-dynamic-shapes --expand-strided-metadata | FileCheck %s

// CHECK-LABEL: @two
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[M]], %[[N]]], strides: [%[[N]], 1] : memref<f32> to memref<?x?xf32>
func.func @two(%a: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%m, %n]
     : memref<?xf32> into memref<?x?xf32>
  return %0 : memref<?x?xf32>
}

// The stride of the source multiplies those of the result.
// CHECK-LABEL: @strided
// CHECK-SAME: %[[A:.*]]: memref<{{.*}}>, %[[M:.*]]: index, %[[N:.*]]: index
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK: %[[THREE:.*]] = arith.muli %[[STRIDES]]#0, %{{.*}} : index
// CHECK: %[[OUTER:.*]] = arith.muli %[[THREE]], %[[N]] : index
// CHECK: offset: [%[[OFFSET]]], sizes: [%[[M]], %[[N]], 3, 4], strides: [%[[OUTER]], %[[THREE]], %[[STRIDES]]#0, 2]
func.func @strided(%a: memref<?x4xf32, strided<[?, 2], offset: ?>>, %m: index,
                   %n: index)
    -> memref<?x?x3x4xf32, strided<[?, ?, ?, 2], offset: ?>> {
  %0 = memref.expand_shape %a [[0, 1, 2], [3]] output_shape [%m, %n, 3, 4]
     : memref<?x4xf32, strided<[?, 2], offset: ?>>
       into memref<?x?x3x4xf32, strided<[?, ?, ?, 2], offset: ?>>
  return %0 : memref<?x?x3x4xf32, strided<[?, ?, ?, 2], offset: ?>>
}

// A size beside 0 cannot be had by division.
// CHECK-LABEL: @empty
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[M:.*]]: index
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[M]], 0], strides: [0, 1]
func.func @empty(%a: memref<?xf32>, %m: index) -> memref<?x0xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%m, 0]
     : memref<?xf32> into memref<?x0xf32>
  return %0 : memref<?x0xf32>
}

// One unknown size follows from that of the source.
// CHECK-LABEL: @one
// CHECK-SAME: %[[A:.*]]: memref<?xf32>, %[[M:.*]]: index
// CHECK: %[[SIZE:.*]] = affine.apply
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%[[SIZE]], 4], strides: [4, 1]
func.func @one(%a: memref<?xf32>, %m: index) -> memref<?x4xf32> {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%m, 4]
     : memref<?xf32> into memref<?x4xf32>
  return %0 : memref<?x4xf32>
}
