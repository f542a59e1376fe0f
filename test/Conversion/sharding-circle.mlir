// RUN: tensoraccess-opt %s --allow-unregistered-dialect --tensoraccess-expand-stablehlo | FileCheck %s

// In a graph an op may be its own operand.
// CHECK-COUNT-1: sdy.sharding_constraint
// CHECK-NOT: sdy.sharding_constraint
module {
  "some.graph"() ({
    %0 = "sdy.sharding_constraint"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "sdy.sharding_constraint"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    "some.end"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  func.func @main(%p: tensor<4xf32>) -> tensor<4xf32> { return %p : tensor<4xf32> }
}
