// RUN: tensoraccess-opt %s --tensoraccess-restrict-function="box=[2,4)x[0,3) masked" \
// RUN:   --split-input-file | FileCheck %s --check-prefixes=CHECK,MASKED
// RUN: tensoraccess-opt %s --tensoraccess-restrict-function="box=[2,4)x[0,3)" \
// RUN:   --split-input-file | FileCheck %s --check-prefixes=CHECK,WHOLE

// Rows 2 and 3 of a product with a lower triangle: a sum of four terms.
// CHECK-LABEL: @main
// MASKED-SAME: tensoraccess.condition = "if finite"
// WHOLE-NOT: tensoraccess.condition
// MASKED: tensor.extract_slice %arg1[0, 0] [4, 3]
// WHOLE-NOT: tensor.extract_slice %arg1
func.func @main(%p: tensor<5x7xf32>, %v: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<5x7xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x7xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<5x7xi32>, tensor<5x7xi32>) -> tensor<5x7xi1>
  %0 = stablehlo.constant dense<0.0> : tensor<5x7xf32>
  %q = stablehlo.select %m, %p, %0 : tensor<5x7xi1>, tensor<5x7xf32>
  %y = stablehlo.dot %q, %v : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// -----

// Integers are finite, and -inf never matters to a maximum: no condition.
// CHECK-LABEL: @main
// CHECK-NOT: tensoraccess.condition
// MASKED: tensor.extract_slice %arg0[2, 2, 0] [2, 5, 3]
// WHOLE: tensor.extract_slice %arg0[2, 0, 0] [2, 7, 3]
func.func @main(%x: tensor<5x7x3xf32>) -> tensor<5x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<5x7x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x7x3xi32>
  %m = stablehlo.compare LE, %i, %j : (tensor<5x7x3xi32>, tensor<5x7x3xi32>) -> tensor<5x7x3xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %all = stablehlo.constant dense<0xFF800000> : tensor<5x7x3xf32>
  %q = stablehlo.select %m, %x, %all : tensor<5x7x3xi1>, tensor<5x7x3xf32>
  %y = stablehlo.reduce(%q init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<5x7x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// -----

// What is not masked by -inf, but by a number, matters.
// CHECK-LABEL: @main
// CHECK: tensor.extract_slice %arg0[2, 0, 0] [2, 7, 3]
func.func @main(%x: tensor<5x7x3xf32>) -> tensor<5x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<5x7x3xi32>
  %j = stablehlo.iota dim = 1 : tensor<5x7x3xi32>
  %m = stablehlo.compare LE, %i, %j : (tensor<5x7x3xi32>, tensor<5x7x3xi32>) -> tensor<5x7x3xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %all = stablehlo.constant dense<-1.0e9> : tensor<5x7x3xf32>
  %q = stablehlo.select %m, %x, %all : tensor<5x7x3xi1>, tensor<5x7x3xf32>
  %y = stablehlo.reduce(%q init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<5x7x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}
