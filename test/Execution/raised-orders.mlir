// Reductions by other orders than the signed one, and by products, compute the
// same raised and not raised: all bytes, the least number among them.
// RUN: tensoraccess-opt %s --tensoraccess-raise -o %t.mlir
// RUN: FileCheck %s --check-prefix=RAISED < %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=linalg_orders --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=stablehlo_orders --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=products --compare=%s | FileCheck %s
// RAISED-NOT: linalg.reduce
// RAISED-NOT: stablehlo.reduce
// CHECK: compare 0  equal, bit for bit
// CHECK: compare 1  equal, bit for bit

func.func @bytes() -> tensor<7x3xi8> {
  %0 = arith.constant dense<[[0, 127, -128], [-1, 1, 5], [-128, -128, -128],
      [127, 127, 127], [-2, -3, -127], [3, -128, 127], [0, 0, -1]]>
     : tensor<7x3xi8>
  return %0 : tensor<7x3xi8>
}

func.func @linalg_orders(%i: tensor<7xi8>)
    -> (tensor<7xi8>, tensor<7xi8>, tensor<7xi8>) {
  %x = call @bytes() : () -> tensor<7x3xi8>
  %most = arith.constant dense<127> : tensor<7xi8>
  %zero = arith.constant dense<0> : tensor<7xi8>
  %0 = linalg.reduce { arith.minsi } ins(%x : tensor<7x3xi8>)
      outs(%most : tensor<7xi8>) dimensions = [1]
  %1 = linalg.reduce { arith.maxui } ins(%x : tensor<7x3xi8>)
      outs(%zero : tensor<7xi8>) dimensions = [1]
  %2 = linalg.reduce { arith.minui } ins(%x : tensor<7x3xi8>)
      outs(%i : tensor<7xi8>) dimensions = [1]
  return %0, %1, %2 : tensor<7xi8>, tensor<7xi8>, tensor<7xi8>
}

// Windows of three rows, padded with the greatest number.
func.func @stablehlo_orders() -> (tensor<7xi8>, tensor<7x3xi8>) {
  %x = call @bytes() : () -> tensor<7x3xi8>
  %most = "stablehlo.constant"() <{value = dense<127> : tensor<i8>}> : () -> tensor<i8>
  %0 = "stablehlo.reduce"(%x, %most) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %9 = "stablehlo.minimum"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%9) : (tensor<i8>) -> ()
  }) : (tensor<7x3xi8>, tensor<i8>) -> tensor<7xi8>
  %1 = "stablehlo.reduce_window"(%x, %most) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %9 = "stablehlo.minimum"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%9) : (tensor<i8>) -> ()
  }) : (tensor<7x3xi8>, tensor<i8>) -> tensor<7x3xi8>
  return %0, %1 : tensor<7xi8>, tensor<7x3xi8>
}

func.func @products(%x: tensor<5x2x3xf32>, %n: tensor<5xi32>)
    -> (tensor<5xf32>, tensor<i32>) {
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.reduce"(%x, %one) <{dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<5x2x3xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = "stablehlo.reduce"(%n, %three) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %9 = "stablehlo.multiply"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%9) : (tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<5xf32>, tensor<i32>
}
