// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-stablehlo --verify-diagnostics | FileCheck %s

// Integers come and go; what computes is in the type that they express.
// CHECK-LABEL: func.func @main(%arg0: tensor<3x5xi8>, %arg1: tensor<3x5xui8>) -> tensor<5x3xi8>
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<3x5xi8>) -> tensor<3x5xi32>
// CHECK: %[[POINT:.*]] = stablehlo.constant dense<-5> : tensor<3x5xi32>
// CHECK: %[[MOVED:.*]] = stablehlo.subtract %[[WIDE]], %[[POINT]]
// CHECK: %[[FLOAT:.*]] = stablehlo.convert %[[MOVED]] : (tensor<3x5xi32>) -> tensor<3x5xf32>
// CHECK: %[[X:.*]] = stablehlo.multiply %[[FLOAT]]
// CHECK: %[[Y:.*]] = stablehlo.multiply
// CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]] : tensor<3x5xf32>
// CHECK: %[[SCALED:.*]] = stablehlo.divide %[[SUM]]
// CHECK: %[[OFF:.*]] = stablehlo.add %[[SCALED]]
// CHECK: %[[LOW:.*]] = stablehlo.constant dense<-1.000000e+02>
// CHECK: %[[HIGH:.*]] = stablehlo.constant dense<9.000000e+01>
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %[[LOW]], %[[OFF]], %[[HIGH]]
// CHECK: %[[ROUND:.*]] = stablehlo.round_nearest_even %[[CLAMPED]]
// CHECK: %[[STORED:.*]] = stablehlo.convert %[[ROUND]] : (tensor<3x5xf32>) -> tensor<3x5xi8>
// CHECK-NEXT: %[[MOVE:.*]] = stablehlo.transpose %[[STORED]]
// CHECK-NEXT: return %[[MOVE]] : tensor<5x3xi8>
!a = !quant.uniform<i8:f32, 0.5:-5>
!b = !quant.uniform<u8:f32, 0.25:128>
!c = !quant.uniform<i8<-100:90>:f32, 0.75:3>
func.func @main(%x: tensor<3x5x!a>, %y: tensor<3x5x!b>) -> tensor<5x3x!c> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<3x5x!a>, tensor<3x5x!b>) -> tensor<3x5x!c>
  %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<3x5x!c>) -> tensor<5x3x!c>
  return %1 : tensor<5x3x!c>
}

// -----

// A scale for each index of a dimension; without zero points nothing is subtracted.
// CHECK-LABEL: func.func @axis
// CHECK-NEXT: %[[FLOAT:.*]] = stablehlo.convert %arg0 : (tensor<2x3xi8>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[LIST:.*]] = stablehlo.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01]> : tensor<3xf32>
// CHECK-NEXT: %[[SCALES:.*]] = stablehlo.broadcast_in_dim %[[LIST]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: stablehlo.multiply %[[FLOAT]], %[[SCALES]]
func.func @axis(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>) -> tensor<2x3xf32> {
  %0 = "stablehlo.uniform_dequantize"(%x) : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 0.125}>>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

!a = !quant.uniform<i8:f32, 0.5:-5>
func.func @convert(%x: tensor<3x!a>) -> tensor<3xf32> {
  // expected-error @below {{the quantised types of 'stablehlo.convert' are not taken apart: numbers are quantised by 'stablehlo.uniform_quantize' and dequantised by 'stablehlo.uniform_dequantize'}}
  %0 = "stablehlo.convert"(%x) : (tensor<3x!a>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

!a = !quant.uniform<i8:f32, 0.5:-5>
!b = !quant.uniform<i8:f32, 0.25:-5>
func.func @branches(%i: tensor<i32>, %x: tensor<3x!a>, %y: tensor<3x!b>) -> tensor<3x!a> {
  // expected-error @below {{the quantised types of 'stablehlo.case' are not taken apart: its parts must have its types}}
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%x) : (tensor<3x!a>) -> ()
  }, {
    "stablehlo.return"(%y) : (tensor<3x!b>) -> ()
  }) : (tensor<i32>) -> tensor<3x!a>
  return %0 : tensor<3x!a>
}

// -----

!a = !quant.uniform<i8:f32, 0.5:-5>
// expected-error @below {{has the quantised type 'tensor<3x!quant.uniform<i8:f8E5M2}}
func.func private @numbers(tensor<3x!quant.uniform<i8:f8E5M2, 0.5>>)

func.func @main(%x: tensor<3x!a>) -> tensor<3x!a> {
  return %x : tensor<3x!a>
}

// -----

!a = !quant.uniform<i8:f32, 0.5:-5>
func.func @order(%x: tensor<3x!a>) {
  "test.graph"() ({
    // expected-error @below {{'stablehlo.abs' reads a quantised value that is written after it}}
    %0 = "stablehlo.abs"(%1) : (tensor<3x!a>) -> tensor<3x!a>
    %1 = "stablehlo.abs"(%x) : (tensor<3x!a>) -> tensor<3x!a>
  }) : () -> ()
  return
}

// -----

// It is not verified that it has an operand.
!a = !quant.uniform<i8:f32, 0.5:-5>
func.func @none() -> (tensor<3x!a>, tensor<3xf32>) {
  // expected-error @below {{it must have one operand and one result}}
  %0:2 = "stablehlo.uniform_dequantize"() : () -> (tensor<3x!a>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3x!a>, tensor<3xf32>
}

// -----

!a = !quant.uniform<i8:f32, 0.5:-5>
func.func @finite(%x: tensor<3x!a>) -> tensor<3x!a> {
  // expected-error @below {{its result must be of i1 in its operand's shape}}
  %0 = "stablehlo.is_finite"(%x) : (tensor<3x!a>) -> tensor<3x!a>
  return %0 : tensor<3x!a>
}
