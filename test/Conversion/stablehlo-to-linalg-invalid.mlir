// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-stablehlo-to-linalg=strict=true
// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-stablehlo-to-linalg --remarks-filter="tensoraccess.*" \
// RUN:   --remark-policy=all -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR < %t

// Without `strict` an op stays as it was, and a remark names it.
// CHECK: remark: [Missed] stablehlo-to-linalg {{.*}}Function=custom {{.*}}Reason="it calls 'f', which is not known here", Remark="stablehlo.custom_call is not converted"
// IR-LABEL: func.func @custom
// IR: %[[ABS:.*]] = linalg.generic
// IR: stablehlo.custom_call {{.*}}(%[[ABS]])
func.func @custom(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.abs"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  // expected-error @+1 {{'stablehlo.custom_call' is not converted to linalg: it calls 'f', which is not known here}}
  %1 = "stablehlo.custom_call"(%0) <{call_target_name = "f"}> : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Nothing is left of what was written before the op was given up.
// CHECK: Reason="its body has 'arith.addf'"
// IR-LABEL: func.func @foreign_body
// IR-NOT: linalg
// IR: stablehlo.reduce
func.func @foreign_body(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.reduce' is not converted to linalg: its body has 'arith.addf'}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = arith.addf %x, %y : tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Attributes are checked against shapes.
// IR-LABEL: func.func @sizes
// CHECK: Reason="dimension 1 of the left operand has size 5, dimension 0 of the right one 4"
func.func @sizes(%a: tensor<3x5xf32>, %b: tensor<4x7xf32>) -> tensor<3x7xf32> {
  // expected-error @+1 {{dimension 1 of the left operand has size 5, dimension 0 of the right one 4}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<3x5xf32>, tensor<4x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// -----

// CHECK: Reason="attribute 'permutation' must be distinct dimensions below 2"
func.func @permutation(%a: tensor<3x5xf32>) -> tensor<5x3xf32> {
  // expected-error @+1 {{attribute 'permutation' must be distinct dimensions below 2}}
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 2>}> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// CHECK: Reason="the result's size must be 8, got 9"
func.func @padding(%a: tensor<5xf32>, %p: tensor<f32>) -> tensor<9xf32> {
  // expected-error @+1 {{the result's size must be 8, got 9}}
  %0 = "stablehlo.pad"(%a, %p) <{edge_padding_high = array<i64: 0>, edge_padding_low = array<i64: -1>, interior_padding = array<i64: 1>}> : (tensor<5xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// CHECK: Reason="its groups don't divide its features and batches"
func.func @groups(%x: tensor<1x7x6xf32>, %w: tensor<3x4x4xf32>)
    -> tensor<1x5x4xf32> {
  // expected-error @+1 {{its groups don't divide its features and batches}}
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64}> : (tensor<1x7x6xf32>, tensor<3x4x4xf32>) -> tensor<1x5x4xf32>
  return %0 : tensor<1x5x4xf32>
}

// -----

// CHECK: Reason="an operand's element type is neither a real float nor an integer of up to 64 bits"
func.func @complex(%a: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // expected-error @+1 {{an operand's element type is neither a real float nor an integer of up to 64 bits}}
  %0 = "stablehlo.negate"(%a) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// What stays in the body of a loop leaves the loop as it should be, also where
// its values are unsigned.
// CHECK: Reason="it calls 'f', which is not known here", Remark="stablehlo.custom_call is not converted"
// IR-LABEL: func.func @loop
// IR: %[[LOOP:.*]]:2 = scf.while
// IR: } do {
// IR: stablehlo.custom_call
// IR: scf.yield %{{.*}}, %{{.*}} : tensor<i32>, tensor<3xi32>
// IR-NEXT: }
// IR: %[[CAST:.*]] = builtin.unrealized_conversion_cast %[[LOOP]]#1 : tensor<3xi32> to tensor<3xui32>
// IR: return %[[CAST]] : tensor<3xui32>
func.func @loop(%i: tensor<i32>, %a: tensor<3xui32>) -> tensor<3xui32> {
  %0:2 = "stablehlo.while"(%i, %a) ({
  ^bb0(%j: tensor<i32>, %b: tensor<3xui32>):
    %c = "stablehlo.compare"(%j, %i) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%j: tensor<i32>, %b: tensor<3xui32>):
    // expected-error @+1 {{'stablehlo.custom_call' is not converted to linalg: it calls 'f', which is not known here}}
    %c = "stablehlo.custom_call"(%b) <{call_target_name = "f"}> : (tensor<3xui32>) -> tensor<3xui32>
    "stablehlo.return"(%j, %c) : (tensor<i32>, tensor<3xui32>) -> ()
  }) : (tensor<i32>, tensor<3xui32>) -> (tensor<i32>, tensor<3xui32>)
  return %0#1 : tensor<3xui32>
}

// -----

// Ops of others, and maxima, may mean something else without the sign.
// CHECK: Reason="what it does may depend on the sign of its integers", Remark="other.op is not converted"
// CHECK: Reason="what it does may depend on the sign of its integers", Remark="tensoraccess.compute is not converted"
// IR-LABEL: func.func @signs(%{{.*}}: tensor<3xui8>
func.func @signs(%a: tensor<3xui8>) -> (tensor<3xf32>, tensor<ui8>) {
  // expected-error @+1 {{'other.op' is not converted to linalg: what it does may depend on the sign of its integers}}
  %0 = "other.op"(%a) : (tensor<3xui8>) -> tensor<3xf32>
  %1 = tensoraccess.access %a at 0 : tensor<3xui8> -> !tensoraccess.access<| 3xui8>
  // expected-error @+1 {{'tensoraccess.compute' is not converted to linalg: what it does may depend on the sign of its integers}}
  %2 = tensoraccess.compute reduce_max %1 : !tensoraccess.access<| 3xui8> -> !tensoraccess.access<| ui8>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<| ui8> -> tensor<ui8>
  return %0, %3 : tensor<3xf32>, tensor<ui8>
}

// -----

// CHECK: Reason="the result's size must be 2, got 3"
func.func @scattered(%a: tensor<5xf32>, %b: tensor<3xf32>, %z: tensor<f32>) -> tensor<5xf32> {
  // expected-error @+1 {{'stablehlo.select_and_scatter' is not converted to linalg: the result's size must be 2, got 3}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<5xf32>, tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: Reason="it must have an operand, a source and a scalar of one element type, and a result of the operand's type"
func.func @scattered_type(%a: tensor<5xf32>, %b: tensor<2xf64>, %z: tensor<f32>) -> tensor<5xf32> {
  // expected-error @+1 {{it must have an operand, a source and a scalar of one element type, and a result of the operand's type}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  }, {
  }) : (tensor<5xf32>, tensor<2xf64>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: Reason="its choice must be an i1"
func.func @choice(%a: tensor<5xf32>, %b: tensor<2xf32>, %z: tensor<f32>) -> tensor<5xf32> {
  // expected-error @+1 {{its choice must be an i1}}
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<5xf32>, tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// CHECK: Reason="it must take at most the elements of its last dimension"
func.func @top(%a: tensor<5xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
  // expected-error @+1 {{it must take at most the elements of its last dimension}}
  %0:2 = "chlo.top_k"(%a) {k = 6 : i64} : (tensor<5xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  return %0#0, %0#1 : tensor<6xf32>, tensor<6xi32>
}

// -----

// CHECK: Reason="its results must be k elements and their places, in i32"
func.func @top_places(%a: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>) {
  // expected-error @+1 {{its results must be k elements and their places, in i32}}
  %0:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi64>
}

// -----

// Running sums whose initial value is complex.
// CHECK: Reason="an operand's element type is neither a real float nor an integer of up to 64 bits"
func.func @complex_scan(%a: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %z = arith.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  // expected-error @+1 {{an operand's element type is neither a real float nor an integer of up to 64 bits}}
  %0 = "stablehlo.reduce_window"(%a, %z) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
    %s = "stablehlo.add"(%x, %y) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%s) : (tensor<complex<f32>>) -> ()
  }) : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// No attribute's number is an unknown one.
// CHECK: Reason="attribute 'padding' must be a list of integers"
func.func @least_padding(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<1xf32> {
  // expected-error @+1 {{attribute 'padding' must be a list of integers}}
  %0 = "stablehlo.reduce_window"(%a, %i) <{padding = dense<-9223372036854775808> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// CHECK: Reason="its body has a constant of another type"
func.func @complex_constant(%a: tensor<3xf32>, %i: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{its body has a constant of another type}}
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = "stablehlo.constant"() <{value = dense<(1.0, 0.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK: Reason="its products of floats must be floats"
func.func @products(%a: tensor<3x5xf32>, %b: tensor<5x7xi8>) -> tensor<3x7xi32> {
  // expected-error @+1 {{its products of floats must be floats}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<3x5xf32>, tensor<5x7xi8>) -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// -----

// CHECK: Reason="it exchanges data while the program runs; take it as an argument, or return it"
func.func @infeed() -> tensor<3xf32> {
  // expected-error @+1 {{'stablehlo.infeed' is not converted to linalg: it exchanges data while the program runs; take it as an argument, or return it}}
  %0 = "stablehlo.infeed"() : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: Reason="its numbers are left open; rng_bit_generator says which"
func.func @rng(%a: tensor<f32>, %s: tensor<1xi64>) -> tensor<3xf32> {
  // expected-error @+1 {{'stablehlo.rng' is not converted to linalg: its numbers are left open; rng_bit_generator says which}}
  %0 = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: Reason="dimension 0 is not sliced inside", Remark="stablehlo.slice is not converted"
func.func @outside(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'stablehlo.slice' is not converted to linalg: dimension 0 is not sliced inside}}
  %0 = "stablehlo.slice"(%a) <{limit_indices = array<i64: 4>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
