// A relayout whose sizes turn out not to fit says where, and how many.
// RUN: not tensoraccess-run %s --dynamic-sizes=5 2>&1 | FileCheck %s
// RUN: not tensoraccess-run %s --dynamic-sizes=5 --engine=interpret 2>&1 | FileCheck %s --check-prefix=INTERPRET
// RUN: tensoraccess-run %s --dynamic-sizes=4 --compare=interpret | FileCheck %s --check-prefix=FITS

// RUN: not tensoraccess-run %s --entry=reshaped --dynamic-sizes=5 2>&1 | FileCheck %s --check-prefix=COUNT

// CHECK: relayout-sizes.mlir:[[#@LINE+5]]:8: tensoraccess.relayout: source and result must have equal sizes, got 5 and 4
// INTERPRET: relayout-sizes.mlir:[[#@LINE+4]]:8: error: {{.*}}source and result must have equally many elements, got 5x6 and 4x6
// FITS: compare 0  equal
func.func @main(%x: tensor<?x6xf32>) -> tensor<4x6xf32> {
  // The place of the error.
  %0 = tensoraccess.relayout %x : tensor<?x6xf32> to tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// COUNT: tensoraccess.relayout: source and result must have equally many elements, got 30 and 24
func.func @reshaped(%x: tensor<?x6xf32>) -> tensor<8x3xf32> {
  %0 = tensoraccess.relayout %x : tensor<?x6xf32> to tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
