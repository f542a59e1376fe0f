// A target's arrays, as costs and rules see them.
// RUN: tensoraccess-opt %s -o %t.mlir \
// RUN:   --tensoraccess-saturate="rules=access cost=cycles target='a, bytes_per_cycle = 64, matrix_units = [16x16 in 46, 8x32 in 46]'" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [Analysis] saturate {{.*}}Function=matmul {{.*}}Remark=saturated
// REMARK: [Analysis] extraction {{.*}}Function=matmul | Cost={{[0-9.e+]+}}, Gap={{.*}}, IsOptimal={{.*}}, LowerBound={{.*}}, Method=dag
// RUN: FileCheck %s < %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=matmul --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// SIM: array 8x32: 1 op
// SIM: compare 0 {{.*}}equal

// Columns of 30 fit one block of 8x32, where 16x16 takes two.
// CHECK-LABEL: @matmul
// CHECK: tensoraccess.systolic_array {{.*}} rows = 8 cols = 32 blocked
// CHECK-NOT: dot_prod

// The module's own target.
// RUN: sed 's/^module {/module attributes {tensoraccess.target = #tensoraccess.target<a, bytes_per_cycle = 64, matrix_units = [16x16 in 46]>} {/' %s > %t.own.mlir
// RUN: tensoraccess-opt %t.own.mlir --tensoraccess-saturate="rules=access cost=cycles" | FileCheck %s --check-prefix=OWN
// OWN: systolic_array {{.*}} rows = 16 cols = 16 blocked
// Without arrays there are none.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=access cost=cycles" | FileCheck %s --check-prefix=HOST
// HOST-NOT: systolic_array

// map-to-systolic takes the arrays of a target.
// RUN: tensoraccess-opt %s --tensoraccess-map-to-systolic="target='a, matrix_units = [16x16 in 46, 8x32 in 46]'" | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-map-to-systolic="target=systolic-4x4" | FileCheck %s --check-prefix=FOUR
// FOUR: systolic_array {{.*}} rows = 4 cols = 4 blocked
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-map-to-systolic="target=host" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: target 'host' has no matrix units
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-map-to-systolic="target=systolic-4x4 arrays=4x4" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: give arrays or a target, not both
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-map-to-systolic="target=tpu" 2>&1 | FileCheck %s --check-prefix=TPU
// TPU: error: unknown target 'tpu'; known are aarch64-neon, aarch64-sve, avx512, generic, host, sapphirerapids, systolic-RxC, x86-64-v3, x86-64-v4, znver3, znver4

module {
func.func @matmul(%a: tensor<6x8xf32>, %b: tensor<8x30xf32>) -> tensor<6x30xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<6x8xf32> -> !tensoraccess.access<6 | 8xf32>
  %1 = tensoraccess.access %b at 1 : tensor<8x30xf32> -> !tensoraccess.access<8 | 30xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<8 | 30xf32> -> !tensoraccess.access<30 | 8xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<6 | 8xf32>, !tensoraccess.access<30 | 8xf32>
    -> !tensoraccess.access<6x30 | 2x8xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<6x30 | 2x8xf32> -> !tensoraccess.access<6x30 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<6x30 | f32> -> tensor<6x30xf32>
  return %5 : tensor<6x30xf32>
}
}
