// StableHLO becomes access patterns; what it computes is tested by running
// (Execution/StableHloTest.cpp).
// RUN: tensoraccess-opt %s --tensoraccess-raise --remarks-filter="tensoraccess.*" \
// RUN:   --remark-policy=all -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// REMARK: Function=softmax | Kind=softmax

// Shared loops are paired; integers are summed in the result's type.
// CHECK-LABEL: func.func @batched
// CHECK: tensoraccess.pair
// CHECK: tensoraccess.compute dot_prod {{.*}} accumulator = i32
// CHECK-NOT: stablehlo
// REMARK: remark: [Passed] raise {{.*}}Function=batched | Kind=contraction, Remark="stablehlo.dot_general is raised"
func.func @batched(%a: tensor<2x3x5xi8>, %b: tensor<2x7x5xi8>)
    -> tensor<2x3x7xi32> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<2x3x5xi8>, tensor<2x7x5xi8>) -> tensor<2x3x7xi32>
  return %0 : tensor<2x3x7xi32>
}

// Base dilation pads between elements; a window read backwards is a slice of
// stride -1.
// CHECK-LABEL: func.func @transposed_convolution
// CHECK: tensoraccess.pad {{.*}} low = [0, 2, 0] high = [0, 2, 0] interior = [0, 1, 0]
// CHECK: tensoraccess.windows
// CHECK: tensoraccess.slice {{.*}} strides = [-1, 1, 1]
// CHECK: tensoraccess.cart_prod
// CHECK: tensoraccess.compute dot_prod
// REMARK: Function=transposed_convolution | Kind=convolution
func.func @transposed_convolution(%x: tensor<1x7x3xf32>, %w: tensor<3x3x5xf32>)
    -> tensor<1x15x5xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, lhs_dilation = array<i64: 2>, padding = dense<2> : tensor<1x2xi64>, window_reversal = array<i1: true>}> : (tensor<1x7x3xf32>, tensor<3x3x5xf32>) -> tensor<1x15x5xf32>
  return %0 : tensor<1x15x5xf32>
}

// The padding of a pooling is its initial value.
// CHECK-LABEL: func.func @pooling
// CHECK: tensoraccess.pad {{.*}} value = 0xFF800000
// CHECK: tensoraccess.windows
// CHECK: tensoraccess.compute reduce_max
// REMARK: Function=pooling | Kind=pooling
func.func @pooling(%x: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %0) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) : (tensor<7x5xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// A softmax is seen before its parts are raised, so its remark came first.
// CHECK-LABEL: func.func @softmax
// CHECK: tensoraccess.compute softmax
// CHECK-NOT: stablehlo
func.func @softmax(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %1 = "stablehlo.reduce"(%x, %0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x5xf32>
  %3 = "stablehlo.subtract"(%x, %2) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %4 = "stablehlo.exponential"(%3) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %5 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x5xf32>
  %8 = "stablehlo.divide"(%4, %7) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %8 : tensor<3x5xf32>
}

// Divided by the sum over the other dimension it is not a softmax.
// CHECK-LABEL: func.func @no_softmax
// CHECK-NOT: compute softmax
// CHECK: stablehlo.exponential
// CHECK: tensoraccess.compute elementwise_div
func.func @no_softmax(%x: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %4 = "stablehlo.exponential"(%x) : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %5 = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %9 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%9) : (tensor<f32>) -> ()
  }) : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
  %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<5x5xf32>
  %8 = "stablehlo.divide"(%4, %7) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  return %8 : tensor<5x5xf32>
}

// The account says why an op stays.
// REMARK: [Missed] raise {{.*}}Function=stays | Reason="it reduces by stablehlo.or, which no compute kind does", Remark="stablehlo.reduce is not raised"
// REMARK: Reason="operand 0 has elements of type ui8, and the integers of access patterns are signed", Remark="stablehlo.reverse is not raised"
// REMARK: Reason="it computes stablehlo.tanh, which is not a compute kind", Remark="stablehlo.tanh is not raised"
// REMARK: [Analysis] raise {{.*}}Function=stays | {{.*}}Missed=3
// CHECK-LABEL: func.func @stays
func.func @stays(%x: tensor<3x5xi8>, %i: tensor<i8>, %u: tensor<3xui8>,
                 %f: tensor<5xf32>)
    -> (tensor<5xi8>, tensor<3xui8>, tensor<5xf32>) {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %9 = "stablehlo.or"(%a, %b) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%9) : (tensor<i8>) -> ()
  }) : (tensor<3x5xi8>, tensor<i8>) -> tensor<5xi8>
  %1 = "stablehlo.reverse"(%u) <{dimensions = array<i64: 0>}> : (tensor<3xui8>) -> tensor<3xui8>
  %2 = "stablehlo.tanh"(%f) : (tensor<5xf32>) -> tensor<5xf32>
  return %0, %1, %2 : tensor<5xi8>, tensor<3xui8>, tensor<5xf32>
}
