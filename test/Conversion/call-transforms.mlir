// RUN: tensoraccess-opt %s --tensoraccess-expand-stablehlo=call-transforms \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// What comes packed goes in and out as it is; real numbers on one side stay so.
// CHECK-LABEL: func.func @transforms
// CHECK-SAME: (%[[Z:.*]]: tensor<4x6x2xf64> {{.*}}, %[[X:.*]]: tensor<34xf32>, %[[Y:.*]]: tensor<3x4099x2xf32>
// CHECK: %[[F:.*]] = stablehlo.custom_call @tensoraccess.lapack(%[[Z]]) {options = "I2", routine = "zfft"} : (tensor<4x6x2xf64>) -> tensor<4x6x2xf64>
// CHECK: %[[G:.*]] = stablehlo.custom_call @tensoraccess.lapack(%[[X]]) {options = "F1", routine = "srfft"} : (tensor<34xf32>) -> tensor<18x2xf32>
// CHECK: %[[H:.*]] = stablehlo.custom_call @tensoraccess.lapack(%[[Y]]) {options = "I1", routine = "sirfft"} : (tensor<3x4099x2xf32>) -> tensor<3x8197xf32>
// CHECK: return %[[F]], %[[G]], %[[H]]
func.func @transforms(%z: tensor<4x6xcomplex<f64>>, %x: tensor<34xf32>, %y: tensor<3x4099xcomplex<f32>>)
    -> (tensor<4x6xcomplex<f64>>, tensor<18xcomplex<f32>>, tensor<3x8197xf32>) {
  %0 = "stablehlo.fft"(%z) <{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4, 6>}> : (tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>
  %1 = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 34>}> : (tensor<34xf32>) -> tensor<18xcomplex<f32>>
  %2 = "stablehlo.fft"(%y) <{fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8197>}> : (tensor<3x4099xcomplex<f32>>) -> tensor<3x8197xf32>
  return %0, %1, %2 : tensor<4x6xcomplex<f64>>, tensor<18xcomplex<f32>>, tensor<3x8197xf32>
}

// -----

func.func @length(%z: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  // expected-error @below {{'stablehlo.fft' are not taken apart: dimension 0 does not have the length 7}}
  %0 = "stablehlo.fft"(%z) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 7>}> : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}
