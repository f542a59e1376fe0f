// RUN: tensoraccess-opt %s --tensoraccess-distributed=ranks=2 | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-distributed="grid=rows=2 plan-only" | FileCheck %s --check-prefix=PLAN
// RUN: tensoraccess-opt %s --tensoraccess-distributed="grid=rows=2 rank=1" | FileCheck %s --check-prefix=RANK
// RUN: tensoraccess-opt %s --pass-pipeline="builtin.module(tensoraccess-distributed{grid=cols=2 arguments=\"1={d1: cols}\" plan-only})" | FileCheck %s --check-prefix=SPREAD
// RUN: not tensoraccess-opt %s --tensoraccess-distributed="ranks=2 function=other" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tensoraccess-opt %s --tensoraccess-distributed 2>&1 | FileCheck %s --check-prefix=GRID

// From StableHLO to one function a rank.
// CHECK: module attributes {tensoraccess.ranks = 2 : i64}
// CHECK: func.func @main_0(
// CHECK: func.func @main_1(
// PLAN: tensoraccess.grid = "rows=2"
// PLAN: linalg.generic {{.*}}tensoraccess.cut =
// RANK-NOT: @main_0
// RANK: func.func @main_1(
// SPREAD: tensoraccess.cut = "{d1: cols}"
// OTHER: error: there is no function 'other' with a body
// GRID: error: {{.*}}give a grid
func.func @main(%x: tensor<6x8xf32>, %w: tensor<8x10xf32>) -> tensor<6x10xf32> {
  %0 = "stablehlo.dot_general"(%x, %w) {
    dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
                                           rhs_contracting_dimensions = [0]>
  } : (tensor<6x8xf32>, tensor<8x10xf32>) -> tensor<6x10xf32>
  %1 = "stablehlo.tanh"(%0) : (tensor<6x10xf32>) -> tensor<6x10xf32>
  return %1 : tensor<6x10xf32>
}
