// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-stablehlo \
// RUN:   --verify-diagnostics | FileCheck %s

// Arguments and results keep their places in memory.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[Z:.*]]: tensor<3x2xf32> {tensoraccess.element_type = complex<f32>}, %[[W:.*]]: tensor<3x2xf32> {tensoraccess.element_type = complex<f32>})
// CHECK-SAME: -> (tensor<3x2xf32> {tensoraccess.element_type = complex<f32>})
// CHECK-NOT: complex<
// CHECK: stablehlo.slice %[[Z]]
// CHECK-COUNT-2: stablehlo.multiply{{.*}} : tensor<3xf32>
// CHECK: stablehlo.subtract
// CHECK-COUNT-2: stablehlo.multiply
// CHECK: stablehlo.add
// CHECK: stablehlo.concatenate{{.*}} : (tensor<3x1xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
func.func @product(%z: tensor<3xcomplex<f32>>, %w: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = "stablehlo.multiply"(%z, %w) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

// A sum of pairs is one of two values; other functions of f32 are computed in f64.
// CHECK-LABEL: func.func @sum
// CHECK: stablehlo.convert{{.*}} -> tensor<3x5xf64>
// CHECK: stablehlo.exponential{{.*}} : tensor<3x5xf64>
// CHECK: %[[SUM:.*]]:2 = stablehlo.reduce({{.*}}), ({{.*}}) across dimensions = [1] : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
// CHECK-NEXT: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>)
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
// CHECK-SAME: {{$}}
// CHECK: return %[[SUM]]#1 : tensor<3xf32>
func.func @sum(%z: tensor<3x5xcomplex<f32>>) -> tensor<3xf32> {
  %zero = "stablehlo.constant"() <{value = dense<(0.0, 0.0)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
  %0 = "stablehlo.exponential"(%z) : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
  %1 = "stablehlo.reduce"(%0, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%c) : (tensor<complex<f32>>) -> ()
  }) : (tensor<3x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  %2 = "stablehlo.imag"(%1) : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// -----

// A transform of 6 is one of 6 rows; one of 34 of 2 and of 17.
// CHECK-LABEL: func.func @transforms
// CHECK-COUNT-4: stablehlo.dot_general{{.*}} : (tensor<6x6xf64>, tensor<1x6x1xf64>)
// CHECK-COUNT-4: stablehlo.dot_general{{.*}} : (tensor<2x2xf64>, tensor<1x2x17xf64>)
// CHECK-COUNT-4: stablehlo.dot_general{{.*}} : (tensor<17x17xf64>, tensor<2x17x1xf64>)
// CHECK-NOT: fft
func.func @transforms(%x: tensor<6xcomplex<f64>>, %y: tensor<34xf64>) -> (tensor<6xcomplex<f64>>, tensor<18xcomplex<f64>>) {
  %0 = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 6>}> : (tensor<6xcomplex<f64>>) -> tensor<6xcomplex<f64>>
  %1 = "stablehlo.fft"(%y) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 34>}> : (tensor<34xf64>) -> tensor<18xcomplex<f64>>
  return %0, %1 : tensor<6xcomplex<f64>>, tensor<18xcomplex<f64>>
}

// -----

// Other dialects have complex numbers of their own: nothing is done.
// CHECK-LABEL: func.func @foreign
// CHECK-SAME: tensor<3xcomplex<f32>>
func.func @foreign(%z: tensor<3xcomplex<f32>>) -> complex<f32> {
  %i = arith.constant 0 : index
  %0 = tensor.extract %z[%i] : tensor<3xcomplex<f32>>
  return %0 : complex<f32>
}

// -----

func.func @unordered(%z: tensor<3xcomplex<f32>>) -> tensor<3xi1> {
  // expected-error @below {{the complex numbers of 'stablehlo.compare' are not taken apart: complex numbers have no order}}
  %0 = "stablehlo.compare"(%z, %z) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

// expected-error @below {{has complex numbers of unknown sizes, which are not taken apart: 'tensor<?xcomplex<f32>>'}}
func.func @unknown(%z: tensor<?xcomplex<f32>>) -> tensor<?xf32> {
  %0 = "stablehlo.real"(%z) : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @prime(%z: tensor<4099xcomplex<f32>>) -> tensor<4099xcomplex<f32>> {
  // expected-error @below {{'stablehlo.fft' are not taken apart: the length 4099 has the prime factor 4099, more than 2048}}
  %0 = "stablehlo.fft"(%z) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4099>}> : (tensor<4099xcomplex<f32>>) -> tensor<4099xcomplex<f32>>
  return %0 : tensor<4099xcomplex<f32>>
}

// -----

func.func @length(%z: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error @below {{'stablehlo.fft' are not taken apart: dimension 0 does not have the length 7}}
  %0 = "stablehlo.fft"(%z) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 7>}> : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

func.func @nobody(%z: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error @below {{the complex numbers of 'stablehlo.nope' are not taken apart: it has no form on pairs}}
  %0 = "stablehlo.nope"(%z) : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

// expected-error @below {{has complex numbers of parts that are neither f32 nor f64, which are not taken apart: 'tensor<3xcomplex<i32>>'}}
func.func @integers(%z: tensor<3xcomplex<i32>>) -> tensor<3xcomplex<i32>> {
  %0 = "stablehlo.exponential"(%z) : (tensor<3xcomplex<i32>>) -> tensor<3xcomplex<i32>>
  return %0 : tensor<3xcomplex<i32>>
}

// -----

func.func @real(%x: tensor<3xf32>) -> tensor<3xcomplex<f32>> {
  // expected-error @below {{'stablehlo.real' cannot be run: its result must have its operand's type}}
  %0 = "stablehlo.real"(%x) : (tensor<3xf32>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

func.func @concatenate(%x: tensor<3xf32>, %z: tensor<3xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  // expected-error @below {{'stablehlo.concatenate' are not taken apart: operand 0 must have its result's element type}}
  %0 = "stablehlo.concatenate"(%x, %z) {dimension = 0 : i64} : (tensor<3xf32>, tensor<3xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  return %0 : tensor<6xcomplex<f32>>
}

// -----

func.func @product(%x: tensor<3xf32>) -> tensor<complex<f32>> {
  // expected-error @below {{'stablehlo.dot' are not taken apart: it must have two operands and a complex result}}
  %0 = "stablehlo.dot"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// -----

func.func @inside(%z: tensor<3xcomplex<f32>>, %c: tensor<i1>) -> tensor<3xcomplex<f32>> {
  %0 = "stablehlo.if"(%c) ({
    // expected-error @below {{the complex numbers of 'stablehlo.nope' are not taken apart}}
    %1 = "stablehlo.nope"(%z) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
    "stablehlo.return"(%1) : (tensor<3xcomplex<f32>>) -> ()
  }, {
    "stablehlo.return"(%z) : (tensor<3xcomplex<f32>>) -> ()
  }) : (tensor<i1>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
