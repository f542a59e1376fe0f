// RUN: tensoraccess-index %s --tensoraccess-annotate-indexing=direction=output-to-input \
// RUN:   --tensoraccess-simplify-indexing | FileCheck %s
// RUN: tensoraccess-index %s --tensoraccess-report=sections=fusion,zero-regions \
// RUN:   --remarks-filter='tensoraccess.*' --remark-policy=all -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=REPORT %s
// RUN: not tensoraccess-index %s --tensoraccess-report=sections=blocks 2>&1 \
// RUN:   | FileCheck --check-prefix=SECTION %s
// RUN: not tensoraccess-index %s --tensoraccess-raise 2>&1 \
// RUN:   | FileCheck --check-prefix=PASS %s

// Passes on indexing, of an op of a loaded dialect, of StableHLO, which is not, and of
// an access pattern.

// CHECK-LABEL: func.func @f
// CHECK: tensor.collapse_shape
// CHECK-SAME: indexing_map<(d0) -> (d0 floordiv 6, d0 mod 6), domain: d0 in [0, 23]>
// CHECK: stablehlo.transpose
// CHECK-SAME: indexing_map<(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]>
// CHECK: tensoraccess.transpose
// CHECK-SAME: indexing_map<(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]>
// REPORT: remark: [Analysis] group | Category:tensoraccess:fusion | Function=f | Computed=72
// SECTION: error: no section 'blocks'; there are 'fusion', 'utilization', 'footprint', 'coalescing', 'zero-regions'
// PASS: Unknown command line argument '--tensoraccess-raise'
func.func @f(%x: tensor<4x6xf32>, %p: !tensoraccess.access<4 | 6xf32>)
    -> (tensor<24xf32>, tensor<6x4xf32>, !tensoraccess.access<6 | 4xf32>) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %1 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}>
      : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %2 = tensoraccess.transpose %p perm = [1, 0]
      : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<6 | 4xf32>
  return %0, %1, %2
      : tensor<24xf32>, tensor<6x4xf32>, !tensoraccess.access<6 | 4xf32>
}
