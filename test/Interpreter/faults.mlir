// Faults at run time end the tool with a located error, not with a crash.
// RUN: not tensoraccess-run %s --entry=division --engine=interpret 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tensoraccess-run %s --entry=bounds --engine=interpret 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not tensoraccess-run %s --entry=step --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not tensoraccess-run %s --entry=affine --engine=interpret 2>&1 | FileCheck %s --check-prefix=AFFINE
// RUN: not tensoraccess-run %s --entry=assertion --engine=interpret 2>&1 | FileCheck %s --check-prefix=ASSERTION

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

// A step that only the run knows, 0 here.
// STEP: faults.mlir:[[#@LINE+6]]:8: error: 'scf.for' op step must be positive, got 0
func.func @step(%x: tensor<5xindex>) -> index {
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %e = tensor.extract %x[%zero] : tensor<5xindex>
  %s = arith.subi %e, %e : index
  %0 = scf.for %i = %zero to %five step %s iter_args(%a = %zero) -> index {
    scf.yield %i : index
  }
  return %0 : index
}

// AFFINE: faults.mlir:[[#@LINE+4]]:8: error: 'affine.apply' op has no value for these operands
func.func @affine() -> index {
  %zero = arith.constant 0 : index
  %five = arith.constant 5 : index
  %0 = affine.apply affine_map<(d)[s] -> (d floordiv s)>(%five)[%zero]
  return %0 : index
}

// The body of a linalg op asserts at each point; 5 - 5 is the first that fails.
// ASSERTION: faults.mlir:[[#@LINE+14]]:5: error: 'cf.assert' op failed: 5 must not be left
func.func @assertion() -> tensor<7xi32> {
  %five = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } outs(%e : tensor<7xi32>) {
  ^bb0(%a: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %d = arith.subi %n, %five : i32
    %c = arith.cmpi ne, %d, %zero : i32
    cf.assert %c, "5 must not be left"
    linalg.yield %n : i32
  } -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
