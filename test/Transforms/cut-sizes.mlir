// RUN: tensoraccess-opt %s --tensoraccess-cut-sizes | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-cut-sizes=parallel=false | FileCheck %s --check-prefix=FOR
// FOR-NOT: scf.forall

// Rows in parts of 256, and what is left in parts of 32, 8 and 1, each with its fill.
// CHECK-LABEL: @rows
// CHECK: %[[M:.*]] = memref.dim %arg0, %c0
// CHECK: %[[REST:.*]] = arith.remui
// CHECK: %[[WHOLE:.*]] = arith.subi %[[M]], %[[REST]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[WHOLE]] step
// CHECK: memref.subview %arg0[%[[I]], 0] [256, 512] [1, 1]
// CHECK: %[[Y:.*]] = memref.subview %arg2[%[[I]], 0] [256, 64] [1, 1]
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[Y]]
// CHECK: linalg.matmul
// CHECK: scf.for %{{.*}} = %[[WHOLE]] to
// CHECK: memref.subview %arg0[%{{.*}}, 0] [32, 512] [1, 1]
// CHECK: memref.subview %arg0[%{{.*}}, 0] [8, 512] [1, 1]
// CHECK: scf.for {{.*}} to %[[M]] step
// CHECK: memref.subview %arg0[%{{.*}}, 0] [1, 512] [1, 1]
func.func @rows(%x: memref<?x512xf32>, %w: memref<512x64xf32>,
                %y: memref<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
  linalg.matmul ins(%x, %w : memref<?x512xf32>, memref<512x64xf32>)
      outs(%y : memref<?x64xf32>)
  return
}

// An image of a batch is a part.
// CHECK-LABEL: @images
// CHECK: scf.for
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}memref<1x9x9x16xf32
// CHECK-NOT: scf.for
// CHECK: return
func.func @images(%x: memref<?x9x9x16xf32>, %w: memref<3x3x16x16xf32>,
                  %y: memref<?x7x7x16xf32>) {
  linalg.conv_2d_nhwc_hwcf
      ins(%x, %w : memref<?x9x9x16xf32>, memref<3x3x16x16xf32>)
      outs(%y : memref<?x7x7x16xf32>)
  return
}

// Little work, and sums that are no products, stay.
// CHECK-LABEL: @others
// CHECK-NOT: scf.
// CHECK: linalg.matmul
// CHECK-NOT: scf.
// CHECK: linalg.reduce
func.func @others(%a: memref<?x4xf32>, %b: memref<4x4xf32>,
                  %c: memref<?x4xf32>, %x: memref<64x?xf32>,
                  %y: memref<64xf32>) {
  linalg.matmul ins(%a, %b : memref<?x4xf32>, memref<4x4xf32>)
      outs(%c : memref<?x4xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<64x?xf32>)
      outs(%y : memref<64xf32>) dimensions = [1]
  return
}

// Columns and sums of a product in blocks that are copied, each result for all of
// its sums. Where filling up would be most of the work it stays.
// CHECK-LABEL: @product
// CHECK-SAME: %[[X:.*]]: memref<64x?xf32>, %[[W:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<64x?xf32>
// CHECK: %[[WORTH:.*]] = arith.cmpi ule
// CHECK: scf.if %[[WORTH]] {
// CHECK: scf.forall (%[[J:.*]]) = ({{.*}}) to (%[[WHOLE:.*]]) step (256) {
// CHECK: %[[PART:.*]] = memref.subview %[[Y]][0, %[[J]]] [64, 256] [1, 1]
// CHECK: %[[OUT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[OUT]]
// CHECK: scf.for %[[K:.*]] = {{.*}} {
// CHECK: memref.subview %[[X]][0, %[[K]]] [64, 256] [1, 1]
// CHECK: %[[IN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x256xf32>
// CHECK: memref.subview %[[W]][%[[K]], %[[J]]] [256, 256] [1, 1]
// CHECK: %[[WEIGHTS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256x256xf32>
// CHECK: linalg.matmul ins(%[[IN]], %[[WEIGHTS]] : {{.*}}) outs(%[[OUT]]
// CHECK: memref.dealloc %[[IN]]
// CHECK: memref.dealloc %[[WEIGHTS]]
// Last sums: inputs are filled up with 0 and -0.
// CHECK: scf.for %[[K:.*]] = {{.*}} {
// CHECK: %[[LEFT:.*]] = arith.minui
// CHECK: memref.subview %[[X]][0, %[[K]]] [64, %[[LEFT]]] [1, 1]
// CHECK: %[[IN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: linalg.fill ins(%[[ZERO]] : f32) outs(%[[IN]]
// CHECK: memref.subview %[[IN]][0, 0] [64, %[[LEFT]]] [1, 1]
// CHECK: %[[ZERO:.*]] = arith.constant -0.0
// CHECK: linalg.fill ins(%[[ZERO]] : f32)
// CHECK: linalg.matmul
// What there is of it, back.
// CHECK: linalg.generic {{.*}} ins(%[[OUT]] : {{.*}}) outs(%[[PART]]
// CHECK: memref.dealloc %[[OUT]]
// CHECK: scf.forall (%{{.*}}) = (%[[WHOLE]]) to (%{{.*}}) step (64) {
// CHECK: } else {
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[Y]]
// CHECK-NEXT: linalg.matmul ins(%[[X]], %[[W]] : {{.*}}) outs(%[[Y]]
func.func @product(%x: memref<64x?xf32>, %w: memref<?x?xf32>,
                   %y: memref<64x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<64x?xf32>)
  linalg.matmul ins(%x, %w : memref<64x?xf32>, memref<?x?xf32>)
      outs(%y : memref<64x?xf32>)
  return
}

// What takes the result of a sum is cut along, and the buffer between them.
// CHECK-LABEL: @epilogue
// CHECK: memref.alloc(%{{.*}}) : memref<?x64xf32>
// CHECK-NOT: memref.alloc(%
// CHECK: scf.for %[[I:.*]] = {{.*}} {
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<256x64xf32>
// CHECK: %[[Z:.*]] = memref.subview %{{.*}}[%[[I]], 0] [256, 64] [1, 1]
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[SUM]]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[SUM]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[SUM]], %{{.*}}) outs(%[[Z]]
// CHECK: memref.dealloc %[[SUM]]
// CHECK: memref.subview %{{.*}}, 0] [32, 64] [1, 1]
func.func @epilogue(%x: memref<?x512xf32>, %w: memref<512x64xf32>,
                    %b: memref<64xf32>, %n: index) -> memref<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc(%n) : memref<?x64xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<?x64xf32>)
  linalg.matmul ins(%x, %w : memref<?x512xf32>, memref<512x64xf32>)
      outs(%y : memref<?x64xf32>)
  %z = memref.alloc(%n) : memref<?x64xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
                                   affine_map<(m, n) -> (n)>,
                                   affine_map<(m, n) -> (m, n)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : memref<?x64xf32>, memref<64xf32>)
      outs(%z : memref<?x64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  }
  memref.dealloc %y : memref<?x64xf32>
  return %z : memref<?x64xf32>
}
