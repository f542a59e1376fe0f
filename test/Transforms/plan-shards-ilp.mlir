// Where tables would be too large, the integer program takes over by itself, and
// finds what the elimination finds.
// REQUIRES: cbc
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=a=4 table-entries=1" --remarks-filter=tensoraccess 2>&1 | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=a=4 method=ilp" --remarks-filter=tensoraccess 2>&1 | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=a=4 table-entries=1" > %t.ilp
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=a=4 method=dp" > %t.dp
// RUN: diff %t.ilp %t.dp

// CHECK: Remark="two on a=4 by ilp"
func.func @two(%a: tensor<300x500xf32>, %b: tensor<500x700xf32>, %c: tensor<700x40xf32>)
    -> tensor<300x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x700xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300x700xf32>) -> tensor<300x700xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<300x500xf32>, tensor<500x700xf32>)
         outs(%z : tensor<300x700xf32>) -> tensor<300x700xf32>
  %f = tensor.empty() : tensor<300x40xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<300x40xf32>) -> tensor<300x40xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<300x700xf32>, tensor<700x40xf32>)
         outs(%y : tensor<300x40xf32>) -> tensor<300x40xf32>
  return %1 : tensor<300x40xf32>
}
