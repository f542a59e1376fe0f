// Integers of widths that memory has no type for: in arguments, constants,
// results and structured ops, compiled, interpreted and raised.
// RUN: tensoraccess-run %s --entry=constants --compare=interpret | FileCheck %s --check-prefix=CONSTANTS
// RUN: tensoraccess-run %s --entry=arithmetic --inputs=random:7 --compare=interpret | FileCheck %s --check-prefix=ARITHMETIC
// RUN: tensoraccess-run %s --entry=scalars --inputs=random:8 --compare=interpret | FileCheck %s --check-prefix=SCALARS
// RUN: tensoraccess-run %s --entry=moves --inputs=random:9 --compare=interpret | FileCheck %s --check-prefix=MOVES
// RUN: tensoraccess-opt %s --tensoraccess-raise | FileCheck %s --check-prefix=RAISED
// RUN: tensoraccess-opt %s --tensoraccess-raise -o %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=constants --compare=%s | FileCheck %s --check-prefix=CONSTANTS
// RUN: tensoraccess-run %t.mlir --entry=moves --inputs=random:9 --compare=interpret | FileCheck %s --check-prefix=MOVES
// RUN: tensoraccess-run %t.mlir --entry=arithmetic --inputs=random:7 --compare=interpret | FileCheck %s --check-prefix=ARITHMETIC
// CONSTANTS: result 0  f32 2x4x2  mean 7.5
// CONSTANTS: equal, bit for bit
// ARITHMETIC-COUNT-3: equal, bit for bit
// SCALARS: equal, bit for bit
// MOVES-COUNT-2: equal, bit for bit
// RAISED-LABEL: func.func @moves
// RAISED: !tensoraccess.access<{{.*}}xi4>

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @constants() -> tensor<2x4x2xf32> {
  %cst = arith.constant dense<[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]> : tensor<2x8xi4>
  %e = tensor.expand_shape %cst [[0], [1, 2]] output_shape [2, 4, 2] : tensor<2x8xi4> into tensor<2x4x2xi4>
  %0 = tensor.empty() : tensor<2x4x2xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e : tensor<2x4x2xi4>) outs(%0 : tensor<2x4x2xf32>) {
  ^bb0(%in: i4, %out: f32):
    %6 = arith.extui %in : i4 to i32
    %7 = arith.uitofp %6 : i32 to f32
    linalg.yield %7 : f32
  } -> tensor<2x4x2xf32>
  return %1 : tensor<2x4x2xf32>
}

// Products and sums wrap to the width; many elements, so that loops are in
// vectors.
func.func @arithmetic(%a: tensor<9x70xi4>, %b: tensor<70x33xi4>, %c: tensor<5x67xi3>, %d: tensor<5x67xi12>)
    -> (tensor<9x33xi4>, tensor<5x67xi3>, tensor<5x67xi12>) {
  %zero = arith.constant dense<0> : tensor<9x33xi4>
  %0 = linalg.matmul ins(%a, %b : tensor<9x70xi4>, tensor<70x33xi4>) outs(%zero : tensor<9x33xi4>) -> tensor<9x33xi4>
  %1 = arith.muli %c, %c : tensor<5x67xi3>
  %2 = arith.addi %1, %c : tensor<5x67xi3>
  %k = arith.constant dense<411> : tensor<5x67xi12>
  %3 = arith.muli %d, %k : tensor<5x67xi12>
  %5 = arith.maxui %3, %d : tensor<5x67xi12>
  return %0, %2, %5 : tensor<9x33xi4>, tensor<5x67xi3>, tensor<5x67xi12>
}

func.func @scalars(%a: i4, %b: tensor<6xi7>) -> (i4, tensor<6xi7>) {
  %c = arith.constant 5 : i4
  %0 = arith.addi %a, %c : i4
  %1 = arith.extsi %0 : i4 to i7
  %2 = tensor.splat %1 : tensor<6xi7>
  %3 = arith.subi %b, %2 : tensor<6xi7>
  return %0, %3 : i4, tensor<6xi7>
}

func.func @moves(%a: tensor<3x5xi4>) -> (tensor<5x3xi4>, tensor<15xi4>) {
  %e = tensor.empty() : tensor<5x3xi4>
  %0 = linalg.transpose ins(%a : tensor<3x5xi4>) outs(%e : tensor<5x3xi4>) permutation = [1, 0]
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<5x3xi4> into tensor<15xi4>
  return %0, %1 : tensor<5x3xi4>, tensor<15xi4>
}
