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

// A loop that carries one empty tensor twice would write to one buffer.
// CHECK-LABEL: @carried
// CHECK-DAG: %[[E1:.*]] = tensor.empty()
// CHECK-DAG: %[[E2:.*]] = tensor.empty()
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[E1]], %{{.*}} = %[[E2]])
func.func @carried(%a: f32, %n: index) -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<3xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %e, %y = %e)
      -> (tensor<3xf32>, tensor<3xf32>) {
    %1 = tensor.insert %a into %x[%i] : tensor<3xf32>
    scf.yield %1, %y : tensor<3xf32>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}
