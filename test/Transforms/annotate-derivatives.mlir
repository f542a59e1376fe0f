// Which derivatives can be nonzero: first ones, and pairs for second ones.

// RUN: tensoraccess-opt %s --tensoraccess-annotate-derivatives=hessian --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// A floor has no derivative; a product is curved by its two factors together.
// CHECK-LABEL: func.func @product
// CHECK-SAME: tensoraccess.hessian = {{\[\[\[\[}}#tensoraccess.indexing_map<(d0) -> (-d0 + 4), domain: d0 in [0, 4]>]]]]
// CHECK-SAME: tensoraccess.jacobian = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 4]>, #tensoraccess.indexing_map<(d0) -> (-d0 + 4), domain: d0 in [0, 4]>]]]
func.func @product(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<5xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<5xf32>
  %2 = stablehlo.floor %x : tensor<5xf32>
  %3 = stablehlo.add %1, %2 : tensor<5xf32>
  return %3 : tensor<5xf32>
}

// A matrix product: rows of one with columns of the other at each sum's index.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: tensoraccess.hessian = {{\[\[\[\[}}], [#tensoraccess.indexing_map<(d0, d1)[s0] -> (d1, s0), domain: d0 in [0, 2], d1 in [0, 4], s0 in [0, 6]>]
func.func @matmul(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// Integers have no derivatives, and what is chosen by a comparison not by that.
// CHECK-LABEL: func.func @chosen
// CHECK-SAME: tensoraccess.hessian = {{\[\[\[\[}}], [], []], {{\[\[}}], [#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>], []], {{\[\[}}], [], []]]]
// CHECK-SAME: tensoraccess.jacobian = {{\[\[\[}}], [#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>], []]]
func.func @chosen(%x: tensor<3xf32>, %y: tensor<3xf32>, %n: tensor<3xi32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  %0 = stablehlo.compare GT, %x, %zero : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = stablehlo.exponential %y : tensor<3xf32>
  %2 = stablehlo.convert %n : (tensor<3xi32>) -> tensor<3xf32>
  %3 = stablehlo.select %0, %1, %2 : tensor<3xi1>, tensor<3xf32>
  return %3 : tensor<3xf32>
}

// All pairs, and why.
// CHECK-LABEL: func.func @foreign
// CHECK-SAME: tensoraccess.jacobian = {{\[\[\[}}#tensoraccess.indexing_map<(d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 2]>]]]
func.func @foreign(%x: tensor<3xf32>) -> tensor<2xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] derivatives {{.*}} Function=foreign | Reason="what 'foreign.op' reads of its operands is not known", Remark="the Jacobian may have fewer entries"
  %0 = "foreign.op"(%x) : (tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Three neighbours: the color of a column is its index modulo 3.
// CHECK-LABEL: func.func @band
// CHECK-SAME: tensoraccess.hessian_coloring = [{colored = "columns", colors = 1 : i64, entries = 0 : i64, period = 1 : i64, weights = array<i64>}]
// CHECK-SAME: tensoraccess.jacobian_coloring = {colored = "columns", colors = 3 : i64, entries = 28 : i64, period = 3 : i64, weights = array<i64: 1>}
func.func @band(%x: tensor<10xf32>) -> tensor<10xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [1], high = [1], interior = [0] : (tensor<10xf32>, tensor<f32>) -> tensor<12xf32>
  %1 = stablehlo.slice %0 [0:10] : (tensor<12xf32>) -> tensor<10xf32>
  %2 = stablehlo.slice %0 [2:12] : (tensor<12xf32>) -> tensor<10xf32>
  %3 = stablehlo.add %1, %2 : tensor<10xf32>
  %4 = stablehlo.add %3, %x : tensor<10xf32>
  return %4 : tensor<10xf32>
}

// Two arguments are one matrix of 20 rows and 54 columns, and rows need fewer colors.
// CHECK-LABEL: func.func @two
// CHECK-SAME: tensoraccess.jacobian_coloring = {colored = "rows", colors = 8 : i64, entries = 240 : i64}
func.func @two(%a: tensor<4x6xf32>, %b: tensor<6x5xf32>) -> tensor<4x5xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// All entries of a large matrix are counted, but are too many to be colored.
// CHECK-LABEL: func.func @large
// CHECK-SAME: tensoraccess.jacobian_coloring = {entries = 4000000000 : i64}
func.func @large(%a: tensor<1000x2000xf32>, %b: tensor<2000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<1000x2000xf32>, tensor<2000x1000xf32>) -> tensor<1000x1000xf32>
  return %0 : tensor<1000x1000xf32>
}

// Sizes must be known.
// CHECK-LABEL: func.func @unknown_size
// CHECK-NOT: jacobian_coloring
// CHECK: return
func.func @unknown_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
