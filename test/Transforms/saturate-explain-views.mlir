// Steps by maps: which maps they are is part of the explanation.
// RUN: tensoraccess-opt %s -o %t.after.mlir \
// RUN:   --tensoraccess-saturate="rules=access explain=%t.mlir"
// RUN: FileCheck %s < %t.mlir
// RUN: tensoraccess-opt %t.after.mlir -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=access check-explanation=%t.mlir" \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REPLAYED
// CHECK: func.func @views(
// CHECK: "explain.maps"(%{{.*}}) {from = "3x4: source 0 (d0, d1) -> (d1, d0 + 2), {{.*}}", to = "3x4: source 0 (d0, d1) -> (d1, d0 + 2), {{.*}}"}
// CHECK: "explain.equal"{{.*}}result = 0
// RUN: sed "s/(d1, d0 + 2)/(d1, d0 + 1)/" %t.mlir > %t.maps.mlir
// RUN: not tensoraccess-opt %s -o %t.same.mlir \
// RUN:   --tensoraccess-saturate="rules=access check-explanation=%t.maps.mlir" 2>&1 | FileCheck %s --check-prefix=MAPS
// MAPS: .maps.mlir:{{[0-9]+}}:{{[0-9]+}}: error: the map 'from' is 3x4: source 0 (d0, d1) -> (d1, d0 + 2)
// REPLAYED: [Analysis] explanation {{.*}}Function=views | Remark="every step of the explanation follows"
// REPLAYED: [Analysis] explanation {{.*}}Function=through | Remark="every step of the explanation follows"
func.func @views(%a: tensor<4x6xf32>) -> tensor<3x2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x6xf32> -> !tensoraccess.access<4 | 6xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<6 | 4xf32>
  %2 = tensoraccess.slice %1 offsets = [2, 0] sizes = [3, 4] : !tensoraccess.access<6 | 4xf32> -> !tensoraccess.access<3 | 4xf32>
  %3 = tensoraccess.transpose %2 perm = [1, 0] : !tensoraccess.access<3 | 4xf32> -> !tensoraccess.access<4 | 3xf32>
  %4 = tensoraccess.slice %3 offsets = [0, 0] sizes = [2, 3] : !tensoraccess.access<4 | 3xf32> -> !tensoraccess.access<2 | 3xf32>
  %5 = tensoraccess.transpose %4 perm = [1, 0] : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<3 | 2xf32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<3 | 2xf32> -> tensor<3x2xf32>
  return %6 : tensor<3x2xf32>
}

// Through a compute, by a rule that is not PDL.
func.func @through(%a: tensor<4x6xf32>) -> tensor<2xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x6xf32> -> !tensoraccess.access<4 | 6xf32>
  %1 = tensoraccess.reshape %0 : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<2x2 | 6xf32>
  %2 = tensoraccess.compute reduce_max %1 : !tensoraccess.access<2x2 | 6xf32> -> !tensoraccess.access<2x2 | f32>
  %3 = tensoraccess.reshape %2 : !tensoraccess.access<2x2 | f32> -> !tensoraccess.access<4 | f32>
  %4 = tensoraccess.slice %3 offsets = [0] sizes = [2] : !tensoraccess.access<4 | f32> -> !tensoraccess.access<2 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<2 | f32> -> tensor<2xf32>
  return %5 : tensor<2xf32>
}
