// The simulator behind --engine=systolic: results of the reference, cycles
// counted.
// RUN: tensoraccess-run %s --entry=product --engine=systolic --inputs=random:1 --compare=interpret --tolerance=0 | FileCheck %s
// RUN: tensoraccess-run %s --entry=product --engine=systolic --inputs=random:1 --double-buffered --accumulators=2 | FileCheck %s --check-prefix=DOUBLE
// RUN: tensoraccess-run %s --entry=none --engine=systolic --inputs=random:1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-run %s --entry=product --engine=systolic --inputs=random:1 --accumulators=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tensoraccess-run %s --entry=product --inputs=random:1 --double-buffered 2>&1 | FileCheck %s --check-prefix=ENGINE
// RUN: not tensoraccess-run %s --entry=product --engine=systolic --time --inputs=random:1 2>&1 | FileCheck %s --check-prefix=TIME

// 3 items, 5 = 2 + 2 + 1 deep, 7 = 4 + 3 wide: 6 loads of 2 cycles and 6 passes
// of 3 + (2 + 4 - 2).
// CHECK: array     2x4: 1 op, 6 loads, 54 cycles (12 to load, 18 to stream, 6 to fill, 18 to drain), 105 products, 24.3 % of the cells in use
// CHECK: compare 0  equal, bit for bit: 21 of 21 elements bit-equal
// DOUBLE: array     2x4: 1 op, 12 loads, 68 cycles (2 to load, 18 to stream, 12 to fill, 36 to drain), 105 products
// NONE: array     no systolic_array ran
// NEGATIVE: error: --accumulators must not be negative, got -1
// ENGINE: error: --accumulators and --double-buffered need --engine=systolic
// TIME: error: --engine=systolic counts cycles; --time is for the others
func.func @product(%x: tensor<3x5xf32>, %w: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %w at 0 : tensor<5x7xf32> -> !tensoraccess.access<| 5x7xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 2 cols = 4 blocked
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
    -> !tensoraccess.access<3x7 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %3 : tensor<3x7xf32>
}

func.func @none(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
