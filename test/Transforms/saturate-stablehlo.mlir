// Ops of StableHLO are known by name to be pure: rules of a user see them. What is
// not known to be pure stays, and is never merged.
// RUN: tensoraccess-opt %s \
// RUN:   --tensoraccess-saturate="rules=%S/Inputs/saturate-stablehlo.pdll" | FileCheck %s

// CHECK-LABEL: func.func @factor
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg1, %arg2
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %arg0, %[[SUM]]
// CHECK-NEXT: return %[[PRODUCT]]
func.func @factor(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.multiply"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @random
// CHECK: stablehlo.rng
// CHECK: stablehlo.rng
// CHECK: stablehlo.custom_call
// CHECK: stablehlo.add
func.func @random(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.rng"(%a, %b, %s) {rng_distribution = 1 : i32} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = "stablehlo.rng"(%a, %b, %s) {rng_distribution = 1 : i32} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %2 = "stablehlo.custom_call"(%0) {call_target_name = "print"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.add"(%1, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Equal reductions, regions and all, are one term; others are not.
// CHECK-LABEL: func.func @reduce
// CHECK-COUNT-2: stablehlo.reduce
// CHECK-NOT: stablehlo.reduce
func.func @reduce(%a: tensor<4xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.multiply"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.multiply"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.multiply"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = "stablehlo.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %4, %1 : tensor<f32>, tensor<f32>
}
