// TOSA: softmax by reciprocals, and zero points that are no factors.

// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// CHECK: Contract="causal(result 0 dim 1, arg 1 dim 2)", Verdict=proved
// CHECK: Condition="if finite", Contract="causal(result 0 dim 1, arg 2 dim 1)", Verdict=proved
func.func @attention(%q: tensor<1x4x3xf32>, %k: tensor<1x3x4xf32>, %v: tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
    attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 1 dim 2)", "causal(result 0 dim 1, arg 2 dim 1)"]} {
  %mask = "tosa.const"() <{values = dense<[[[true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]]]> : tensor<1x4x4xi1>}> : () -> tensor<1x4x4xi1>
  %low = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %q, %k, %zp, %zp : (tensor<1x4x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %1 = tosa.select %mask, %0, %low : (tensor<1x4x4xi1>, tensor<1x4x4xf32>, tensor<1x1x1xf32>) -> tensor<1x4x4xf32>
  %2 = tosa.reduce_max %1 {axis = 2 : i32} : (tensor<1x4x4xf32>) -> tensor<1x4x1xf32>
  %3 = tosa.sub %1, %2 : (tensor<1x4x4xf32>, tensor<1x4x1xf32>) -> tensor<1x4x4xf32>
  %4 = tosa.exp %3 : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %5 = tosa.reduce_sum %4 {axis = 2 : i32} : (tensor<1x4x4xf32>) -> tensor<1x4x1xf32>
  %6 = tosa.reciprocal %5 : (tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %7 = tosa.mul %4, %6, %shift : (tensor<1x4x4xf32>, tensor<1x4x1xf32>, tensor<1xi8>) -> tensor<1x4x4xf32>
  %8 = tosa.matmul %7, %v, %zp, %zp : (tensor<1x4x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x3xf32>
  return %8 : tensor<1x4x3xf32>
}

// -----

// CHECK: error: contract 'ignores(arg 0)' does not hold: {{.*}} through 'tosa.matmul'
func.func @product(%a: tensor<1x4x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x4x4xf32>
    attributes {tensoraccess.contract = "ignores(arg 0)"} {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}
