// What upstream's canonicalization makes invalid IR of, one function a split.

// RUN: split-file %s %t
// RUN: not mlir-opt %t/insert.mlir --canonicalize
// RUN: not mlir-opt %t/extract.mlir --canonicalize
// RUN: cat %t/insert.mlir %t/extract.mlir %t/outside.mlir \
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

//--- outside.mlir
// What leaves its tensor stays for the check when it runs.
// CHECK-LABEL: func @slice_outside
// CHECK: tensor.extract_slice %arg0[%{{.*}}] [2] [1]
func.func @slice_outside(%x: tensor<3xf32>) -> tensor<2xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[%c2] [2] [1] : tensor<3xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
