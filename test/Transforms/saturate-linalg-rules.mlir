// Products of matrices: parentheses, accumulation, transposes, factors.
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=linalg cost=flops" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: tensoraccess-run %t --entry=chain --inputs=random:1 \
// RUN:   --engine=interpret --compare=%s
// RUN: tensoraccess-run %t --entry=accumulate --inputs=random:2 \
// RUN:   --engine=interpret --compare=%s
// RUN: tensoraccess-run %t --entry=transposed --inputs=random:3 \
// RUN:   --engine=interpret --compare=%s

// A (B C) costs 100*50*5 + 10*50*100; (A B) C is 10*5*100 + 10*50*5.
// REMARK-NOT: Missed
// REMARK: [Analysis] saturate {{.*}}Function=chain | {{.*}}CostAfter=7.50{{.*}}CostBefore=7.50{{.*}}Remark=saturated
// CHECK-LABEL: @chain
// CHECK-SAME: (%[[A:.*]]: tensor<10x100xi32>, %[[B:.*]]: tensor<100x5xi32>, %[[C:.*]]: tensor<5x50xi32>)
// CHECK: %[[AB:.*]] = linalg.matmul ins(%[[A]], %[[B]]
// CHECK: linalg.matmul ins(%[[AB]], %[[C]]
func.func @chain(%a: tensor<10x100xi32>, %b: tensor<100x5xi32>,
                 %c: tensor<5x50xi32>) -> tensor<10x50xi32> {
  %z = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<100x50xi32>
  %i0 = linalg.fill ins(%z : i32) outs(%e0 : tensor<100x50xi32>)
        -> tensor<100x50xi32>
  %0 = linalg.matmul ins(%b, %c : tensor<100x5xi32>, tensor<5x50xi32>)
       outs(%i0 : tensor<100x50xi32>) -> tensor<100x50xi32>
  %e1 = tensor.empty() : tensor<10x50xi32>
  %i1 = linalg.fill ins(%z : i32) outs(%e1 : tensor<10x50xi32>)
        -> tensor<10x50xi32>
  %1 = linalg.matmul ins(%a, %0 : tensor<10x100xi32>, tensor<100x50xi32>)
       outs(%i1 : tensor<10x50xi32>) -> tensor<10x50xi32>
  return %1 : tensor<10x50xi32>
}

// No rule says that a product can start from what is added to it.
// CHECK-LABEL: @accumulate
// CHECK-SAME: (%[[A:.*]]: tensor<3x4xi32>, %[[B:.*]]: tensor<4x5xi32>, %[[C:.*]]: tensor<3x5xi32>)
// CHECK-NEXT: %[[R:.*]] = linalg.matmul ins(%[[A]], %[[B]] {{.*}} outs(%[[C]]
// CHECK-NEXT: return %[[R]]
func.func @accumulate(%a: tensor<3x4xi32>, %b: tensor<4x5xi32>,
                      %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %i = arith.constant dense<0> : tensor<3x5xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x4xi32>, tensor<4x5xi32>)
       outs(%i : tensor<3x5xi32>) -> tensor<3x5xi32>
  %1 = arith.addi %c, %0 : tensor<3x5xi32>
  return %1 : tensor<3x5xi32>
}

// (B^T A^T)^T = A B.
// CHECK-LABEL: @transposed
// CHECK-SAME: (%[[A:.*]]: tensor<3x4xi32>, %[[B:.*]]: tensor<4x5xi32>)
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul ins(%[[A]], %[[B]]
// CHECK-NOT: linalg.transpose
func.func @transposed(%a: tensor<3x4xi32>, %b: tensor<4x5xi32>)
    -> tensor<3x5xi32> {
  %z = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<4x3xi32>
  %0 = linalg.transpose ins(%a : tensor<3x4xi32>) outs(%e0 : tensor<4x3xi32>)
       permutation = [1, 0]
  %e1 = tensor.empty() : tensor<5x4xi32>
  %1 = linalg.transpose ins(%b : tensor<4x5xi32>) outs(%e1 : tensor<5x4xi32>)
       permutation = [1, 0]
  %e2 = tensor.empty() : tensor<5x3xi32>
  %i = linalg.fill ins(%z : i32) outs(%e2 : tensor<5x3xi32>) -> tensor<5x3xi32>
  %2 = linalg.matmul ins(%1, %0 : tensor<5x4xi32>, tensor<4x3xi32>)
       outs(%i : tensor<5x3xi32>) -> tensor<5x3xi32>
  %e3 = tensor.empty() : tensor<3x5xi32>
  %3 = linalg.transpose ins(%2 : tensor<5x3xi32>) outs(%e3 : tensor<3x5xi32>)
       permutation = [1, 0]
  return %3 : tensor<3x5xi32>
}
