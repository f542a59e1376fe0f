// What is wrong with an op that is written in place of the program's own is said
// of that one.
// RUN: not tensoraccess-run %s --entry=slice --no-cache 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not tensoraccess-run %s --entry=slice --engine=interpret 2>&1 | FileCheck %s --check-prefix=INTERPRET
// RUN: not tensoraccess-run %s --entry=sum --no-cache 2>&1 | FileCheck %s --check-prefix=SUM

// SLICE-NOT: stablehlo.slice
// SLICE: error: 'stablehlo.real_dynamic_slice' is not converted to linalg: dimension 0 is not sliced inside
// INTERPRET: error: the interpreter cannot run 'stablehlo.real_dynamic_slice': dimension 0 is not sliced inside
func.func @slice(%t: tensor<4xf32>) -> tensor<5xf32> {
  %s = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %l = "stablehlo.constant"() <{value = dense<7> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = "stablehlo.real_dynamic_slice"(%t, %s, %l, %o) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// SUM: error: 'chlo.broadcast_add' is not converted to linalg: the result has an element type other than the op gives
func.func @sum(%t: tensor<4xi32>) -> tensor<4xf32> {
  %0 = "chlo.broadcast_add"(%t, %t) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
