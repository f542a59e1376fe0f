// RUN: tensoraccess-opt %s \
// RUN:   --tensoraccess-extract-op="op=linalg.matmul index=1 function=model" \
// RUN:   | FileCheck %s
// RUN: tensoraccess-opt %models/resnet50.linalg.mlir \
// RUN:   --tensoraccess-extract-op="op=linalg.conv_2d_nhwc_hwcf index=2" \
// RUN:   | FileCheck %s --check-prefix=CONV

// Copies, fills and constants come along, other producers become arguments in
// the order in which they are read.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[Q:.*]]: tensor<7x2xf32>, %[[P:.*]]: tensor<3x7xf32>) -> tensor<3x2xf32>
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[P]]
// CHECK: %[[F:.*]] = linalg.fill
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[C]], %[[Q]] : {{.*}}) outs(%[[F]] :
// CHECK: return %[[M]]
// CHECK-NOT: func.func
func.func @other() {
  return
}
func.func @model(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %q: tensor<7x2xf32>)
    -> tensor<3x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<3x7xf32>
  %i0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<3x7xf32>)
      -> tensor<3x7xf32>
  %p = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
      outs(%i0 : tensor<3x7xf32>) -> tensor<3x7xf32>
  %copy = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<3x7xf32>) outs(%e0 : tensor<3x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x7xf32>
  %e1 = tensor.empty() : tensor<3x2xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x2xf32>)
      -> tensor<3x2xf32>
  %r = linalg.matmul ins(%copy, %q : tensor<3x7xf32>, tensor<7x2xf32>)
      outs(%i1 : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CONV: func.func @main(%[[X:.*]]: tensor<1x56x56x64xf32>, %{{.*}}: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
// CONV: tensor.pad %[[X]]
// CONV: linalg.conv_2d_nhwc_hwcf
// CONV-NOT: func.func
