// Structured ops are nodes whose regions are part of their symbols; a rule makes
// a named one by its name.
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=%S/Inputs/saturate-linalg.pdll expect=%S/Inputs/saturate-linalg-expected.mlir" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: tensoraccess-run %t --entry=undo --inputs=random:3 --engine=interpret \
// RUN:   --compare=%s

// REMARK-NOT: Missed
// REMARK: [Analysis] expect {{.*}}Function=square | Remark="the results equal what is expected"
// CHECK-LABEL: @undo
// CHECK-SAME: (%[[A:.*]]: tensor<3x5xi32>, %[[B:.*]]: tensor<3x5xi32>)
// CHECK-NEXT: return %[[A]]
func.func @undo(%a: tensor<3x5xi32>, %b: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %e = tensor.empty() : tensor<3x5xi32>
  %0 = linalg.add ins(%a, %b : tensor<3x5xi32>, tensor<3x5xi32>)
                  outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  %1 = linalg.sub ins(%0, %b : tensor<3x5xi32>, tensor<3x5xi32>)
                  outs(%e : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %1 : tensor<3x5xi32>
}

// A named op made by a rule has the region of the one that was expected.
// CHECK-LABEL: @square
// CHECK: linalg.square
func.func @square(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.square ins(%a : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>)
       -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
