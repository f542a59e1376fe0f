// Movement terms are in the graph as what they mean: a pattern is found where one
// of its terms means what is there.
// RUN: tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=access expect=%S/Inputs/saturate-anywhere.pdll" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s
// CHECK: [Analysis] expect {{.*}}Function=f | Matches=1, Pattern=View, Remark="a term of the pattern is a view of what is in the graph", Result=-1, Type="!tensoraccess.access<4 | 3xf32>"
// CHECK-DAG: [Analysis] rule {{.*}}Rule=move-into-compute
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=access expect-at=root expect=%S/Inputs/saturate-anywhere.pdll" \
// RUN:   2>&1 | FileCheck %s --check-prefix=ROOT
// ROOT: error: pattern 'View' of '{{.*}}saturate-anywhere.pdll' is in no result (saturated)
// RUN: not tensoraccess-opt %s -o %t \
// RUN:   --tensoraccess-saturate="rules=access expect-at=no expect=%S/Inputs/saturate-anywhere.pdll" \
// RUN:   2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: unknown place 'no'; known are any, root
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=access expect-at=no" \
// RUN:   2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not tensoraccess-opt %s -o %t --tensoraccess-saturate="rules=access expect-at=any" \
// RUN:   2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: expect-at=any needs a file in expect
func.func @f(%a: tensor<4x6xf32>) -> tensor<4xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x6xf32> -> !tensoraccess.access<4 | 6xf32>
  %1 = tensoraccess.compute reduce_max %0 : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<4 | f32>
  %2 = tensoraccess.slice %1 offsets = [1] sizes = [2] : !tensoraccess.access<4 | f32> -> !tensoraccess.access<2 | f32>
  %3 = tensoraccess.concat %2, %2 axis 0 : !tensoraccess.access<2 | f32>, !tensoraccess.access<2 | f32> -> !tensoraccess.access<4 | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<4 | f32> -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
