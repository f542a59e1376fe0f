// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-saturate="rules=linalg cost=flops" | FileCheck %s

// A batch, and a sum after it.
// CHECK-LABEL: func @batch
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<2x3x5xf32>)
// CHECK: linalg.batch_matmul {{.*}} outs(%[[C]] :
// CHECK-NOT: linalg.add
// CHECK: return
func.func @batch(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>,
                 %c: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xf32>, tensor<2x4x5xf32>)
    outs(%f : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %1 = linalg.add ins(%0, %c : tensor<2x3x5xf32>, tensor<2x3x5xf32>)
    outs(%e : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %1 : tensor<2x3x5xf32>
}

// -----

// A chain of batches: the cheaper parentheses.
// CHECK-LABEL: func @batches
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x1x9xf32>
// CHECK: linalg.batch_matmul {{.*}} -> tensor<2x1x9xf32>
func.func @batches(%a: tensor<2x1x8xf32>, %b: tensor<2x8x9xf32>,
                   %c: tensor<2x9x9xf32>) -> tensor<2x1x9xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  %0 = linalg.batch_matmul ins(%b, %c : tensor<2x8x9xf32>, tensor<2x9x9xf32>)
    outs(%f : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  %g = tensor.empty() : tensor<2x1x9xf32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<2x1x9xf32>) -> tensor<2x1x9xf32>
  %1 = linalg.batch_matmul ins(%a, %0 : tensor<2x1x8xf32>, tensor<2x8x9xf32>)
    outs(%h : tensor<2x1x9xf32>) -> tensor<2x1x9xf32>
  return %1 : tensor<2x1x9xf32>
}

// -----

// A transposed operand is read by its columns, and the sum goes into the product.
// CHECK-LABEL: func @transposed
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<4x3xf32>, %[[B:[a-z0-9]*]]: tensor<4x5xf32>, %[[C:[a-z0-9]*]]:
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = {{.*}} ins(%[[A]], %[[B]] {{.*}} outs(%[[C]] :
// CHECK-NOT: linalg.add
// CHECK: return
func.func @transposed(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>,
                      %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<3x4xf32>
  %at = linalg.transpose ins(%a : tensor<4x3xf32>) outs(%t : tensor<3x4xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul ins(%at, %b : tensor<3x4xf32>, tensor<4x5xf32>)
    outs(%f : tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = arith.addf %0, %c : tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// -----

// The same, written with maps: A B^T.
// CHECK-LABEL: func @maps
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<3x5xf32>)
// CHECK: linalg.matmul {{.*}} outs(%[[C]] :
// CHECK-NOT: linalg.add
// CHECK: return
func.func @maps(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>,
                %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
                     affine_map<(d0, d1, d2) -> (d1, d2)>,
                     affine_map<(d0, d1, d2) -> (d0, d1)>]
    ins(%a, %b : tensor<3x4xf32>, tensor<5x4xf32>)
    outs(%f : tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = linalg.add ins(%0, %c : tensor<3x5xf32>, tensor<3x5xf32>)
    outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
