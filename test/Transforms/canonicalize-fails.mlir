// What upstream's canonicalization makes invalid IR of, one function a split.

// RUN: split-file %s %t
// RUN: not mlir-opt %t/insert.mlir --canonicalize
// RUN: not mlir-opt %t/extract.mlir --canonicalize
// RUN: not mlir-opt %t/subview.mlir --canonicalize
// RUN: cat %t/insert.mlir %t/extract.mlir %t/subview.mlir %t/poison.mlir \
// RUN:   %t/outside.mlir \
// RUN:   | tensoraccess-opt --tensoraccess-canonicalize | FileCheck %s

//--- insert.mlir
// A middle unit is dropped, not the first one (#217361).
// CHECK-LABEL: func @insert_drops
// CHECK: %[[X:.*]] = tensor.cast %arg0 : tensor<1x?x?xf32> to tensor<1x2x3xf32>
// CHECK: tensor.insert_slice %[[X]] into %arg1[0, 0, 0, 0] [1, 2, 1, 3] [1, 1, 1, 1]
func.func @insert_drops(%x: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>)
    -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.insert_slice %x into %d[0, 0, 0, 0] [1, %c2, 1, %c3] [1, 1, 1, 1]
     : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}

//--- extract.mlir
// A slice that names one dimension of three, of what has been inserted.
// CHECK-LABEL: func @extract_inserted
// CHECK: vector.extract_strided_slice %{{.*}} {offsets = [2, 0, 0], sizes = [2, 4, 1], strides = [1, 1, 1]}
func.func @extract_inserted(%x: vector<4x4x1xi8>, %y: vector<3x3x1xi8>)
    -> vector<2x4x1xi8> {
  %0 = vector.insert_strided_slice %y, %x {offsets = [1, 0, 0], strides = [1, 1, 1]}
     : vector<3x3x1xi8> into vector<4x4x1xi8>
  %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [2], strides = [1]}
     : vector<4x4x1xi8> to vector<2x4x1xi8>
  return %1 : vector<2x4x1xi8>
}

//--- subview.mlir
// Two units of three, by its own strides 8 and 4.
// CHECK-LABEL: func @view_drops
// CHECK: %[[ALL:.*]] = memref.subview %arg0[2, 0, 0] [1, 1, 1] [2, 2, 1]
// CHECK: %[[V:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [8], sizes: [1, 1], strides: [8, 4]
// CHECK: memref.store %arg1, %[[V]]
func.func @view_drops(%m: memref<3x2x2xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = memref.subview %m[%c2, 0, %c0] [1, 1, 1] [2, 2, 1]
     : memref<3x2x2xi32> to memref<1x1xi32, strided<[8, 4], offset: ?>>
  memref.store %x, %0[%c0, %c0] : memref<1x1xi32, strided<[8, 4], offset: ?>>
  return
}
// The first unit stays, the second one goes; no stride tells them apart
// (llvm/llvm-project#184334).
// CHECK-LABEL: func @view_drops_last
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [1, 8], strides: [%[[S:.*]]#0, %[[S]]#1]
func.func @view_drops_last(
    %m: memref<?x?x?xi32, strided<[?, ?, ?], offset: ?>>)
    -> memref<1x8xi32, strided<[?, ?], offset: ?>> {
  %0 = memref.subview %m[0, 0, 0] [1, 8, 1] [1, 1, 1]
     : memref<?x?x?xi32, strided<[?, ?, ?], offset: ?>>
    to memref<1x8xi32, strided<[?, ?], offset: ?>>
  return %0 : memref<1x8xi32, strided<[?, ?], offset: ?>>
}
// No unit is left over: as it was.
// CHECK-LABEL: func @view_drops_all
// CHECK: memref.subview %arg0[0, 0] [1, 8] [1, 2] : memref<4x16xi32> to memref<8xi32, strided<[2]>>
func.func @view_drops_all(%m: memref<4x16xi32>)
    -> memref<8xi32, strided<[2]>> {
  %0 = memref.subview %m[0, 0] [1, 8] [1, 2]
     : memref<4x16xi32> to memref<8xi32, strided<[2]>>
  return %0 : memref<8xi32, strided<[2]>>
}

//--- poison.mlir
// Upstream reads what isn't there, which need not fail (#178818).
// CHECK-LABEL: func @poison
// CHECK: %[[C:.*]] = arith.constant 0 : index
// CHECK: return %[[C]]
func.func @poison() -> index {
  %0 = ub.poison : index
  %1 = tensor.from_elements %0, %0 : tensor<2xindex>
  %2 = tensor.extract %1[%0] : tensor<2xindex>
  return %2 : index
}

//--- outside.mlir
// What leaves its tensor stays for the check when it runs.
// CHECK-LABEL: func @slice_outside
// CHECK: tensor.extract_slice %arg0[%{{.*}}] [2] [1]
func.func @slice_outside(%x: tensor<3xf32>) -> tensor<2xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[%c2] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
