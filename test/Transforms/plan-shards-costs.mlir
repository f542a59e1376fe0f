// Costs that ops and models say, also such as make no sense.
// RUN: split-file %s %t
// RUN: tensoraccess-opt %t/own.mlir --tensoraccess-plan-shards="ranks=2 model=%t/model.txt" \
// RUN:   --remarks-filter=tensoraccess 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %t/own.mlir --tensoraccess-plan-shards="ranks=2 model=%t/typo.txt" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPO
// RUN: tensoraccess-opt %t/wrong.mlir --tensoraccess-plan-shards="ranks=2" --split-input-file --verify-diagnostics

// 10,000 points of 1.0e-04 s: 1 s, and half of it on each of two ranks.
// CHECK: remark: {{.*}}Seconds=5.000e-01
// TYPO: error: the costs of 'm' have rates for 'linalg.matmull', which is not an op

//--- model.txt
machine m
op *: start = 0.0, point = 1.0e-09
network mesh 2: latency = 1.0e-09, bandwidth = 1.0e+12, overhead = 1.0e-09
//--- typo.txt
machine m
op *: start = 0.0, point = 1.0e-09
op linalg.matmull: start = 0.0
network mesh 2: latency = 1.0e-09, bandwidth = 1.0e+12, overhead = 1.0e-09
//--- own.mlir
func.func @own(%a: tensor<20x50xf32>, %b: tensor<50x10xf32>, %z: tensor<20x10xf32>) -> tensor<20x10xf32> {
  %0 = linalg.matmul {tensoraccess.cost = "point = 1.0e-04"}
         ins(%a, %b : tensor<20x50xf32>, tensor<50x10xf32>)
         outs(%z : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %0 : tensor<20x10xf32>
}
//--- wrong.mlir
func.func @key(%a: tensor<20x50xf32>, %b: tensor<50x10xf32>, %z: tensor<20x10xf32>) -> tensor<20x10xf32> {
  // expected-error @+1 {{tensoraccess.cost: at byte 0: expected one of start point byte scratch scratch_point energy_point energy_byte lanes panel axes scratch_axes, got 'points'}}
  %0 = linalg.matmul {tensoraccess.cost = "points = 1.0e-04"}
         ins(%a, %b : tensor<20x50xf32>, tensor<50x10xf32>)
         outs(%z : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %0 : tensor<20x10xf32>
}

// -----

func.func @negative(%a: tensor<20x50xf32>, %b: tensor<50x10xf32>, %z: tensor<20x10xf32>) -> tensor<20x10xf32> {
  // expected-error @+1 {{tensoraccess.cost: at byte 0: byte of op linalg.matmul must be finite and not negative, got -2.0}}
  %0 = linalg.matmul {tensoraccess.cost = "byte = -2.0"}
         ins(%a, %b : tensor<20x50xf32>, tensor<50x10xf32>)
         outs(%z : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %0 : tensor<20x10xf32>
}

// -----

func.func @type(%a: tensor<20x50xf32>, %b: tensor<50x10xf32>, %z: tensor<20x10xf32>) -> tensor<20x10xf32> {
  // expected-error @+1 {{tensoraccess.cost must be a string, got 1.000000e+00 : f64}}
  %0 = linalg.matmul {tensoraccess.cost = 1.0}
         ins(%a, %b : tensor<20x50xf32>, tensor<50x10xf32>)
         outs(%z : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %0 : tensor<20x10xf32>
}
