// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-dot-products=target=znver4 | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-dot-products=target=x86-64-v3 | FileCheck %s --check-prefix=NONE
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-to-llvm | FileCheck %s --check-prefix=LLVM

module attributes {tensoraccess.target = #tensoraccess.target<znver4>} {
// Both have signs: the rows' are turned, and what that adds is taken away. 255 is
// filled up to 256, 100 columns to two panels.
// CHECK-DAG: #[[FOURS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2 * 4 + d3)>
// CHECK-DAG: #[[PANELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1 floordiv 64, d2, d1 mod 64, d3)>
// CHECK-LABEL: @signed
// CHECK: tensor.pad
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x64x64x4xi8>)
// CHECK: %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<100xi32>)
// CHECK: arith.constant -128 : i32
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[FOURS]], #[[PANELS]], #{{.*}}]
// CHECK-SAME: ins(%{{.*}}, %[[P]] : tensor<60x256xi8>, tensor<2x64x64x4xi8>)
// CHECK: arith.xori
// CHECK: arith.extui
// CHECK: arith.extsi
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[C]] :
// NONE-LABEL: @signed
// NONE: linalg.matmul
// LLVM: call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @signed(%x: tensor<60x255xi8>, %w: tensor<255x100xi8>,
                  %y: tensor<60x100xi32>) -> tensor<60x100xi32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x255xi8>, tensor<255x100xi8>)
       outs(%y : tensor<60x100xi32>) -> tensor<60x100xi32>
  return %z : tensor<60x100xi32>
}
}

// -----

// One without signs is what the instruction takes.
// CHECK-LABEL: @mixed
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: arith.xori
// CHECK-NOT: linalg.generic
// Two without signs, and few rows, are not matched.
// CHECK-LABEL: @others
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @mixed(%x: tensor<60x256xi8>, %w: tensor<256x128xi8>,
                 %y: tensor<60x128xi32>) -> tensor<60x128xi32> {
  %z = linalg.generic {indexing_maps = [#x, #w, #y],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<60x256xi8>, tensor<256x128xi8>)
      outs(%y : tensor<60x128xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %out, %p : i32
    linalg.yield %s : i32
  } -> tensor<60x128xi32>
  return %z : tensor<60x128xi32>
}
func.func @others(%x: tensor<60x256xi8>, %w: tensor<256x128xi8>,
                  %y: tensor<60x128xi32>, %v: tensor<4x256xi8>,
                  %u: tensor<4x128xi32>)
    -> (tensor<60x128xi32>, tensor<4x128xi32>) {
  %z = linalg.generic {indexing_maps = [#x, #w, #y],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<60x256xi8>, tensor<256x128xi8>)
      outs(%y : tensor<60x128xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %c = arith.extui %a : i8 to i32
    %d = arith.extui %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %out, %p : i32
    linalg.yield %s : i32
  } -> tensor<60x128xi32>
  %t = linalg.generic {indexing_maps = [#x, #w, #y],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %w : tensor<4x256xi8>, tensor<256x128xi8>)
      outs(%u : tensor<4x128xi32>) {
  ^bb0(%a: i8, %b: i8, %out: i32):
    %c = arith.extsi %a : i8 to i32
    %d = arith.extsi %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %out, %p : i32
    linalg.yield %s : i32
  } -> tensor<4x128xi32>
  return %z, %t : tensor<60x128xi32>, tensor<4x128xi32>
}
