// RUN: tensoraccess-opt %s --tensoraccess-separate-inits | FileCheck %s

// CHECK-LABEL: @shared
// CHECK-DAG: %[[F1:.*]] = linalg.fill
// CHECK: linalg.matmul {{.*}} outs(%[[F1]] :
// CHECK: %[[E2:.*]] = tensor.empty()
// CHECK: %[[F2:.*]] = linalg.fill {{.*}} outs(%[[E2]] :
// CHECK: linalg.matmul {{.*}} outs(%[[F2]] :
func.func @shared(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %f: f32)
    -> (tensor<3x7xf32>, tensor<3x7xf32>) {
  %e = tensor.empty() : tensor<3x7xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %1, %2 : tensor<3x7xf32>, tensor<3x7xf32>
}

// What has one user stays, and so does a destination with values in it.
// CHECK-LABEL: @stays
// CHECK-COUNT-1: tensor.empty
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @stays(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %f: f32,
                 %c: tensor<3x7xf32>) -> (tensor<3x7xf32>, tensor<3x7xf32>) {
  %e = tensor.empty() : tensor<3x7xf32>
  %0 = linalg.fill ins(%f : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %1, %2 : tensor<3x7xf32>, tensor<3x7xf32>
}
