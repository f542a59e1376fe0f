// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-assign-layouts=weights=function | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-assign-layouts=weights=function --tensoraccess-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The weights come packed, and a function packs them: once for all calls.
// CHECK-LABEL: func.func @dense
// CHECK-SAME: %arg0: tensor<64x256xf32>, %arg1: tensor<256x512xf32, #tensoraccess.layout<{{.*}}T(16,1)}>>
// CHECK-NOT: relayout
// CHECK: func.func @pack_dense(%arg0: tensor<256x512xf32> {tensoraccess.argument = 1 : i64})
// CHECK-SAME: -> (tensor<256x512xf32, #tensoraccess.layout<{{.*}}T(16,1)}>> {tensoraccess.argument = 1 : i64})
// CHECK: %[[W:.*]] = tensoraccess.relayout %arg0
// CHECK: return %[[W]]
// PHYSICAL-LABEL: func.func @dense
// PHYSICAL-SAME: %arg1: tensor<[[SHAPE:.*xf32]]>) ->
// PHYSICAL: func.func @pack_dense
// PHYSICAL-SAME: -> (tensor<[[SHAPE]]> {tensoraccess.argument = 1 : i64})
// PHYSICAL: linalg.pack
func.func @dense(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>)
         -> tensor<64x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}

// Without weights there is nothing to pack.
// CHECK-LABEL: func.func @none
// CHECK-NOT: @pack_none
func.func @none(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  return %x : tensor<64x256xf32>
}

// -----

// expected-error @+1 {{weights of 'dense' cannot be packed in 'pack_dense': there is such a symbol}}
func.func @dense(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>)
         -> tensor<64x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}
func.func private @pack_dense()
