// Constants of other dialects are what they fold to.
// RUN: tensoraccess-run %s --entry=tosa --engine=interpret --outputs=%t.npy | FileCheck %s
// RUN: not tensoraccess-run %s --entry=strange --engine=interpret 2>&1 | FileCheck %s --check-prefix=STRANGE

// CHECK: result 0  f32 3  mean 2
func.func @tosa() -> tensor<3xf32> {
  %0 = "tosa.const"() <{values = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>}> : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// STRANGE: constants.mlir:[[#@LINE+2]]:8: error: the interpreter cannot run 'complex.constant'
func.func @strange() -> tensor<3xf32> {
  %1 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
