// Ops that are known by name only are known to the report and to pictures, too.
// RUN: tensoraccess-opt %s --tensoraccess-report=sections=fusion --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s
// RUN: tensoraccess-translate --tile-to-svg --tile-sizes=2,2 %s | FileCheck %s --check-prefix=SVG

// CHECK-NOT: unregistered operation
// CHECK: Unique=15
// CHECK-NOT: unregistered operation
// SVG-NOT: unknown
// SVG: result 0: 5x3
func.func @main(%a: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<3x5xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
