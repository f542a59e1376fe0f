// Sums of sums that share values compile, however many there are, and come to
// the interpreter's bits.
// RUN: tensoraccess-run %s --entry=twelve --inputs=random:1 \
// RUN:   --compare=interpret | FileCheck %s
// RUN: %python %S/../Pipelines/Inputs/growing.py shared 300 > %t.mlir
// RUN: tensoraccess-run %t.mlir --inputs=random:1 --compare=interpret \
// RUN:   | FileCheck %s
// CHECK: compare 0  equal, bit for bit
func.func @twelve(%v0: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %v1 = arith.addf %v0, %v0 : tensor<5x7xf32>
  %v2 = arith.addf %v1, %v0 : tensor<5x7xf32>
  %v3 = arith.addf %v2, %v1 : tensor<5x7xf32>
  %v4 = arith.addf %v3, %v2 : tensor<5x7xf32>
  %v5 = arith.addf %v4, %v3 : tensor<5x7xf32>
  %v6 = arith.addf %v5, %v4 : tensor<5x7xf32>
  %v7 = arith.addf %v6, %v5 : tensor<5x7xf32>
  %v8 = arith.addf %v7, %v6 : tensor<5x7xf32>
  %v9 = arith.addf %v8, %v7 : tensor<5x7xf32>
  %v10 = arith.addf %v9, %v8 : tensor<5x7xf32>
  %v11 = arith.addf %v10, %v9 : tensor<5x7xf32>
  %v12 = arith.addf %v11, %v10 : tensor<5x7xf32>
  return %v12 : tensor<5x7xf32>
}
