// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts --tensoraccess-foreign-to-linalg --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// RUN: tensoraccess-run %s --entry=pack --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %s --entry=rows --inputs=random:1 --dynamic-sizes=5 --compare=interpret | FileCheck %s --check-prefix=ROWS

// Packed into memory 1 at once, and copied where nothing else moves.
// CHECK-LABEL: @pack
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<2x3x2x2xf32>
// CHECK: %[[P:.*]] = linalg.pack %arg0 {{.*}} into %[[A]]
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[P]]) {memory_space = 2 : i64}
// CHECK: linalg.unpack %[[C]]
// BUFFER-LABEL: @pack
// BUFFER: memref.alloc() {{.*}} : memref<2x3x2x2xf32, 1>
// BUFFER: memref.alloc() {{.*}} : memref<2x3x2x2xf32, 2>
// BUFFER: memref.copy %{{.*}} : memref<2x3x2x2xf32, 1> to memref<2x3x2x2xf32, 2>
// SAME: compare 0  equal
func.func @pack(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<3x5xf32> to tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
  %1 = tensoraccess.relayout %0
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
    to tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)S(2)}>>
  %2 = tensoraccess.relayout %1
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)S(2)}>> to tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// A move inside of one memory is written there, too.
// CHECK-LABEL: @inside
// CHECK: bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<2x2x2x2xf32>
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4x4xf32>
// CHECK: %[[U:.*]] = linalg.{{.*}} into %[[A]]
// CHECK: alloc_tensor() copy(%[[U]]) {memory_space = 0 : i64}
func.func @inside(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<4x4xf32> to tensor<4x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
  %1 = tensoraccess.relayout %0
     : tensor<4x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
    to tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>
  %2 = tensoraccess.relayout %1
     : tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>> to tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// Tiles of dynamic dimensions lie there as well: ⌈n / 2⌉ of them.
// CHECK-LABEL: @rows
// CHECK: arith.divui
// CHECK: bufferization.alloc_tensor(%{{.*}}) {memory_space = 1 : i64} : tensor<?x2x2x2xf32>
// ROWS: compare 0  equal
func.func @rows(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<?x4xf32> to tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
  %1 = tensoraccess.relayout %0
     : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>> to tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
