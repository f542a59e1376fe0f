// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-update-function="changed=0:[3,5)" \
// RUN:   | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-update-function="changed=1:[0,2);0:[3,4)" | FileCheck %s --check-prefix=BOTH

// Two elements reach four windows of three, which read six. The second result is
// not reached, and is taken over.
// CHECK-LABEL: @main
// CHECK-SAME: %[[X:.*]]: tensor<16xf32>, %[[Z:.*]]: tensor<16xf32>, %[[A:.*]]: tensor<16xf32>, %[[B:.*]]: tensor<16xf32>)
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[X]][1] [6] [1]
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[PART]], {{.*}} outs({{.*}} : tensor<4xf32>)
// CHECK: %[[Y:.*]] = tensor.insert_slice %[[NEW]] into %[[A]][1] [4] [1]
// CHECK: return %[[Y]], %[[B]]

// BOTH-LABEL: @main
// BOTH-SAME: %[[X:.*]]: tensor<16xf32>, %[[Z:.*]]: tensor<16xf32>, %[[A:.*]]: tensor<16xf32>, %[[B:.*]]: tensor<16xf32>)
// BOTH-DAG: tensor.insert_slice %{{.*}} into %[[A]][1] [3] [1]
// BOTH-DAG: tensor.insert_slice %{{.*}} into %[[B]][0] [2] [1]
func.func @main(%x: tensor<16xf32>, %z: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 3>, padding = dense<[[0, 2]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  %1 = stablehlo.exponential %z : tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
