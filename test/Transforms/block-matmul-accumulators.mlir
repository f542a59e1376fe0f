// Accumulators that hold fewer items than a product has: pieces of items, and what
// is left over after them.
// RUN: tensoraccess-opt %s --tensoraccess-block-matmul="rows=4 cols=8 accumulators=4" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=matmul --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-run %t.mlir --entry=batch --engine=interpret --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %t.mlir --entry=batch --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-opt %s --tensoraccess-expand-arrays=accumulators=5 -o %t.five.mlir
// RUN: FileCheck %s --check-prefix=FLAT < %t.five.mlir
// RUN: tensoraccess-run %t.five.mlir --entry=items --inputs=random:1 --compare=%s --engine=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-opt %s --tensoraccess-expand-arrays=accumulators=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: error: accumulators must not be negative, got -1
// EQUAL: compare 0 {{.*}}equal

// 10 = 4 + 4 + 2 items, 9 = 4 + 4 + 1 deep, 13 = 8 + 5 wide: 3·3·2 loads, as the
// formula has it.
// SIM: array {{.*}} 18 loads
// SIM: compare 0 {{.*}}equal
// CHECK-LABEL: @matmul
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK: systolic_array {{.*}}!tensoraccess.access<4 | 4xf32>
// CHECK: scf.for
// CHECK: systolic_array {{.*}}!tensoraccess.access<2 | 4xf32>
func.func @matmul(%a: tensor<10x9xf32>, %b: tensor<9x13xf32>) -> tensor<10x13xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<10x9xf32> -> !tensoraccess.access<10 | 9xf32>
  %1 = tensoraccess.access %b at 1 : tensor<9x13xf32> -> !tensoraccess.access<9 | 13xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<9 | 13xf32> -> !tensoraccess.access<13 | 9xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<10 | 9xf32>, !tensoraccess.access<13 | 9xf32>
    -> !tensoraccess.access<10x13 | 2x9xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<10x13 | 2x9xf32> -> !tensoraccess.access<10x13 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<10x13 | f32> -> tensor<10x13xf32>
  return %5 : tensor<10x13xf32>
}

// CHECK-LABEL: @batch
func.func @batch(%a: tensor<2x7x6xf32>, %b: tensor<2x6x9xf32>) -> tensor<2x7x9xf32> {
  %0 = tensoraccess.access %a at 2 : tensor<2x7x6xf32> -> !tensoraccess.access<2x7 | 6xf32>
  %1 = tensoraccess.access %b at 1 : tensor<2x6x9xf32> -> !tensoraccess.access<2 | 6x9xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 4 cols = 8 blocked
     : !tensoraccess.access<2x7 | 6xf32>, !tensoraccess.access<2 | 6x9xf32>
    -> !tensoraccess.access<2x7x9 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<2x7x9 | f32> -> tensor<2x7x9xf32>
  return %3 : tensor<2x7x9xf32>
}

// Items of two dimensions are one for the pieces, and two again.
// FLAT-LABEL: @items
// FLAT: tensor.collapse_shape {{.*}} into tensor<12x8xf32>
// FLAT: tensor.expand_shape
func.func @items(%a: tensor<3x4x6xf32>, %b: tensor<6x9xf32>) -> tensor<3x4x9xf32> {
  %0 = tensoraccess.access %a at 2 : tensor<3x4x6xf32> -> !tensoraccess.access<3x4 | 6xf32>
  %1 = tensoraccess.access %b at 0 : tensor<6x9xf32> -> !tensoraccess.access<| 6x9xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 4 cols = 8 blocked
     : !tensoraccess.access<3x4 | 6xf32>, !tensoraccess.access<| 6x9xf32>
    -> !tensoraccess.access<3x4x9 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x4x9 | f32> -> tensor<3x4x9xf32>
  return %3 : tensor<3x4x9xf32>
}
