// RUN: tensoraccess-opt %s --split-input-file \
// RUN:   --tensoraccess-saturate="rules=relayout cost=bytes" | FileCheck %s

// There and back again round an elementwise op: nothing moves.
#tiled = #tensoraccess.layout<{1,0:T(8,8)}>
// CHECK-LABEL: func @there_and_back
// CHECK-SAME: (%[[A:.*]]: tensor<64x60xf32>)
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]] : tensor<64x60xf32>
// CHECK-NEXT: return %[[N]]
func.func @there_and_back(%a: tensor<64x60xf32>) -> tensor<64x60xf32> {
  %0 = tensoraccess.relayout %a : tensor<64x60xf32> to tensor<64x60xf32, #tiled>
  %1 = arith.negf %0 : tensor<64x60xf32, #tiled>
  %2 = tensoraccess.relayout %1 : tensor<64x60xf32, #tiled> to tensor<64x60xf32>
  return %2 : tensor<64x60xf32>
}

// -----

// Four relayouts, of which one is needed: that of the other argument.
#tiled = #tensoraccess.layout<{1,0:T(8,8)}>
#columns = #tensoraccess.layout<{0,1}>
// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[A:.*]]: tensor<64x64xf32>, %[[B:.*]]: tensor<64x64xf32, #{{.*}}>)
// CHECK-NEXT: %[[R:.*]] = tensoraccess.relayout %[[B]]
// CHECK-NEXT: arith.addf %[[A]], %[[R]]
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: return
func.func @chain(%a: tensor<64x64xf32>, %b: tensor<64x64xf32, #columns>)
    -> tensor<64x64xf32> {
  %0 = tensoraccess.relayout %a : tensor<64x64xf32> to tensor<64x64xf32, #tiled>
  %1 = tensoraccess.relayout %b : tensor<64x64xf32, #columns> to tensor<64x64xf32, #tiled>
  %2 = arith.addf %0, %1 : tensor<64x64xf32, #tiled>
  %3 = tensoraccess.relayout %2 : tensor<64x64xf32, #tiled> to tensor<64x64xf32, #columns>
  %4 = arith.mulf %3, %3 : tensor<64x64xf32, #columns>
  %5 = tensoraccess.relayout %4 : tensor<64x64xf32, #columns> to tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}

// -----

// A transpose of a transpose, with a relayout between, is one relayout.
#tiled = #tensoraccess.layout<{1,0:T(8,8)}>
// CHECK-LABEL: func @transposes
// CHECK-NOT: transpose
// CHECK: tensoraccess.relayout {{.*}} : tensor<32x48xf32> to tensor<32x48xf32, #
// CHECK-NOT: relayout
func.func @transposes(%a: tensor<32x48xf32>) -> tensor<32x48xf32, #tiled> {
  %e = tensor.empty() : tensor<48x32xf32>
  %0 = linalg.transpose ins(%a : tensor<32x48xf32>) outs(%e : tensor<48x32xf32>) permutation = [1, 0]
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
    : tensor<48x32xf32> to tensor<32x48xf32, #tiled>
  return %1 : tensor<32x48xf32, #tiled>
}

// -----

// What reshapes or rounds in a relayout stays.
// CHECK-LABEL: func @others
// CHECK: relayout {{.*}} to tensor<12xf32>
// CHECK: relayout {{.*}} to tensor<3x4xf32>
// CHECK: relayout {{.*}} to tensor<3x4xf16>
// CHECK: relayout {{.*}} to tensor<3x4xf32>
func.func @others(%a: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = tensoraccess.relayout %a : tensor<3x4xf32> to tensor<12xf32>
  %1 = tensoraccess.relayout %0 : tensor<12xf32> to tensor<3x4xf32>
  %2 = tensoraccess.relayout %a : tensor<3x4xf32> to tensor<3x4xf16>
  %3 = tensoraccess.relayout %2 : tensor<3x4xf16> to tensor<3x4xf32>
  return %1, %3 : tensor<3x4xf32>, tensor<3x4xf32>
}
