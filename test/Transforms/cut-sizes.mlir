// RUN: tensoraccess-opt %s --tensoraccess-cut-sizes | FileCheck %s

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

// Sums of unknown size, columns, whose rows are then unknown strides apart, and
// little work stay.
// CHECK-LABEL: @others
// CHECK-NOT: scf.for
// CHECK-COUNT-3: linalg.matmul
func.func @others(%x: memref<64x?xf32>, %w: memref<?x64xf32>,
                  %y: memref<64x64xf32>, %v: memref<64x?xf32>,
                  %z: memref<64x?xf32>, %a: memref<?x4xf32>,
                  %b: memref<4x4xf32>, %c: memref<?x4xf32>,
                  %d: memref<64x64xf32>) {
  linalg.matmul ins(%x, %w : memref<64x?xf32>, memref<?x64xf32>)
      outs(%y : memref<64x64xf32>)
  linalg.matmul ins(%d, %v : memref<64x64xf32>, memref<64x?xf32>)
      outs(%z : memref<64x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x4xf32>, memref<4x4xf32>)
      outs(%c : memref<?x4xf32>)
  return
}
