// Sizes and indices that do not fit end the program with the interpreter's
// words (test/python/test_checks.py tries each op), but not without checks.
// RUN: not tensoraccess-run %s --entry=product --dynamic-sizes=3,5,7,4 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not tensoraccess-run %s --entry=product --dynamic-sizes=3,5,7,4 --engine=interpret 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: tensoraccess-run %s --entry=product --dynamic-sizes=3,5,5,4 --compare=interpret | FileCheck %s --check-prefix=FITS
// RUN: tensoraccess-run %s --entry=product --dynamic-sizes=3,5,5,4 --no-checks --compare=interpret | FileCheck %s --check-prefix=FITS
// RUN: not tensoraccess-run %s --entry=slice --inputs=random:2 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not tensoraccess-run %s --entry=slice --inputs=random:2 --engine=interpret 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not tensoraccess-run %s --entry=forever 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not tensoraccess-run %s --entry=forever --no-checks 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not tensoraccess-run %s --entry=forever --engine=interpret 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: tensoraccess-opt %s --tensoraccess-to-llvm | FileCheck %s --check-prefix=CHECKS
// RUN: tensoraccess-opt %s --tensoraccess-to-llvm=checks=false | FileCheck %s --check-prefix=UNCHECKED
// RUN: not tensoraccess-run %s --entry=product --engine=interpret --no-checks 2>&1 | FileCheck %s --check-prefix=ENGINE

// CHECKS-LABEL: llvm.func @product
// CHECKS: abort
// UNCHECKED-LABEL: llvm.func @product
// UNCHECKED-NOT: abort
// UNCHECKED: llvm.func @slice
// ENGINE: error: --no-checks is for --engine=jit; the others always check

// PRODUCT: checks.mlir:[[#@LINE+6]]:8: {{.*}}linalg.matmul{{.*}} dimension 0 of operand 1 must be 5, the size of loop 2, got 7
// FITS: compare 0  equal
func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// SLICE: checks.mlir:[[#@LINE+2]]:8: {{.*}}tensor.extract_slice{{.*}} size of dimension 1 must not be negative, got -7
func.func @slice(%a: tensor<4x8xf32>, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[0, 0] [1, %n] [1, 1] : tensor<4x8xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// DEPTH: checks.mlir:[[#@LINE+2]]:8: {{.*}}func.call{{.*}} is nested more than 256 calls deep
func.func @forever(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @forever(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
