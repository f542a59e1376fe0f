// A batch on an array with two sets of weights: only the first load of all counts,
// for the pass as for the simulator.
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-map-to-systolic="rows=4 cols=4 double-buffered" --remarks-filter=tensoraccess -o %t.mlir 2>&1 | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=batch --engine=systolic --double-buffered --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM

// 3 products of 6 x 4 by 4 x 4: 4 cycles to load, then 3·(6 + 3 + 3).
// CHECK: [Passed] systolic {{.*}}3 loads, 40 cycles (4 to load, 18 to stream, 9 to fill, 9 to drain)
// SIM: array 4x4: 1 op, 3 loads, 40 cycles (4 to load, 18 to stream, 9 to fill, 9 to drain)
// SIM: compare 0 {{.*}}equal
func.func @batch(%a: tensor<3x6x4xf32>, %b: tensor<3x4x4xf32>) -> tensor<3x6x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x6x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x6x4xf32>, tensor<3x4x4xf32>)
    outs(%f : tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
  return %0 : tensor<3x6x4xf32>
}
