// Dialects of what rules make need not be there before: this program has no op of
// tensoraccess or arith.
// RUN: tensoraccess-opt %s --tensoraccess-saturate="rules=relayout cost=bytes" | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-saturate=rules=access,arith,compute,linalg,math,relayout -o /dev/null
// RUN: tensoraccess-opt --help-all | FileCheck %s --check-prefix=SETS
// SETS: named sets (access, arith, compute, linalg, math, relayout)
// A transpose of a product's transpose is a relayout at most, and here nothing.
// CHECK: func.func @f(%[[A:.*]]: tensor<6x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: return %[[A]]
func.func @f(%a: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %t = linalg.transpose ins(%a : tensor<6x4xf32>) outs(%e : tensor<4x6xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<6x4xf32>
  %u = linalg.transpose ins(%t : tensor<4x6xf32>) outs(%g : tensor<6x4xf32>) permutation = [1, 0]
  return %u : tensor<6x4xf32>
}
