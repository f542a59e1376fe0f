// Ops that plans would run whole are written as ops that they cut.
// RUN: tensoraccess-opt %s --tensoraccess-open-ops | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-open-ops --tensoraccess-plan-shards="ranks=2 function=softmax" | FileCheck %s --check-prefix=PLAN

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: arith.divf
// PLAN-LABEL: func.func @softmax
// PLAN-COUNT-4: tensoraccess.cut = "{d0: x}"
func.func @softmax(%x: tensor<600x500xf32>) -> tensor<600x500xf32> {
  %e = tensor.empty() : tensor<600x500xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<600x500xf32>)
         outs(%e : tensor<600x500xf32>) -> tensor<600x500xf32>
  return %0 : tensor<600x500xf32>
}

// CHECK-LABEL: func.func @blocks
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
// CHECK-NOT: linalg.unpack
// CHECK: linalg.transpose
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice
func.func @blocks(%x: tensor<11x5xf32>) -> tensor<11x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x4xf32>
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [4]
         into %e : tensor<11x5xf32> -> tensor<3x5x4xf32>
  %e1 = tensor.empty() : tensor<11x5xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0] inner_tiles = [4]
         into %e1 : tensor<3x5x4xf32> -> tensor<11x5xf32>
  return %1 : tensor<11x5xf32>
}

// CHECK-LABEL: func.func @generate
// CHECK: linalg.generic
// CHECK: linalg.index 0
func.func @generate() -> tensor<6x5xi32> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %c = arith.index_cast %s : index to i32
    tensor.yield %c : i32
  } : tensor<6x5xi32>
  return %0 : tensor<6x5xi32>
}

// Sizes that are not known: nothing changes.
// CHECK-LABEL: func.func @unknown
// CHECK: linalg.softmax
func.func @unknown(%x: tensor<?x5xf32>, %e: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x5xf32>) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}
