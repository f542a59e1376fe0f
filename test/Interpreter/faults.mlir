// Faults at run time end the tool with a located error, not with a crash.
// RUN: not tensoraccess-run %s --entry=division --engine=interpret 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tensoraccess-run %s --entry=bounds --engine=interpret 2>&1 | FileCheck %s --check-prefix=BOUNDS

// DIVISION: faults.mlir:[[#@LINE+3]]:8: error: 'arith.divsi' op divides {{.*}} by zero
func.func @division(%x: tensor<3xi32>) -> tensor<3xi32> {
  %zero = arith.constant dense<0> : tensor<3xi32>
  %0 = arith.divsi %x, %zero : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// BOUNDS: faults.mlir:[[#@LINE+3]]:8: error: 'tensor.extract' op index 7 of dimension 0 must lie in [0, 5)
func.func @bounds(%x: tensor<5xf32>) -> f32 {
  %seven = arith.constant 7 : index
  %0 = tensor.extract %x[%seven] : tensor<5xf32>
  return %0 : f32
}
