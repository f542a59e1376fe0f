// Options that contradict each other, arrays that are too large, and products that
// stay.
// RUN: not tensoraccess-opt %s --tensoraccess-map-to-systolic="arrays= " 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tensoraccess-opt %s --tensoraccess-map-to-systolic="arrays=4x4 rows=16" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tensoraccess-opt %s --tensoraccess-map-to-systolic="target=systolic-16x16 cols=4" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tensoraccess-opt %s --tensoraccess-map-to-systolic="arrays=4294967296x4294967296" 2>&1 | FileCheck %s --check-prefix=CELLS
// RUN: not tensoraccess-opt %s --tensoraccess-block-matmul="rows=4294967296 cols=4294967296" 2>&1 | FileCheck %s --check-prefix=CELLS
// RUN: not tensoraccess-opt %s --tensoraccess-expand-arrays 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tensoraccess-run %s --entry=large --engine=systolic --inputs=random:1 2>&1 | FileCheck %s --check-prefix=SIMULATOR
// RUN: tensoraccess-run %s --entry=large --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=BITS
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-map-to-systolic --remarks-filter=tensoraccess -o /dev/null 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// EMPTY: error: arrays must not be empty
// BOTH: error: give arrays or rows and cols, not both
// TARGET: error: give rows and cols or a target, not both
// CELLS: error: an array of 4294967296x4294967296 has more than 2^63 - 1 cells
// BLOCKS: error: a product of depth 5 and width 7, filled up to blocks of 4294967296x4294967296, has more than 2^63 - 1 elements
// SIMULATOR: an array of 4294967296x4294967296 has more than the 4194304 cells that are simulated
// BITS: compare 0 {{.*}}equal
func.func @large(%x: tensor<3x5xf32>, %w: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %w at 0 : tensor<5x7xf32> -> !tensoraccess.access<| 5x7xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 4294967296 cols = 4294967296 blocked
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
    -> !tensoraccess.access<3x7 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %3 : tensor<3x7xf32>
}

// DYNAMIC: [Missed] systolic {{.*}}Function=dynamic{{.*}}its shape is dynamic
func.func @dynamic(%a: tensor<?x7xf32>, %b: tensor<7x?xf32>, %f: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x7xf32>, tensor<7x?xf32>)
    outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
