// The layout of a memref is a map that upstream's normalization understands.
// RUN: tensoraccess-opt %s --normalize-memrefs | FileCheck %s

// 3x5 in tiles of 2x2: the buffer is 2x3x2x2, and element (2,3) lies in tile
// (1,1) at (0,1), as in figure 1 of XLA's tiled layouts.
// CHECK-LABEL: @tiled
// CHECK: memref.alloc() : memref<2x3x2x2xf32>
// CHECK: affine.load %{{.*}}[1, 1, 0, 1] : memref<2x3x2x2xf32>
func.func @tiled() -> f32 {
  %m = memref.alloc() : memref<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %v = affine.load %m[2, 3]
     : memref<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  memref.dealloc %m : memref<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  return %v : f32
}

// Column-major: a transposed buffer.
// CHECK-LABEL: @column_major
// CHECK: memref.alloc() : memref<5x3xf32>
// CHECK: affine.load %{{.*}}[3, 2] : memref<5x3xf32>
func.func @column_major() -> f32 {
  %m = memref.alloc() : memref<3x5xf32, #tensoraccess.layout<{0,1}>>
  %v = affine.load %m[2, 3] : memref<3x5xf32, #tensoraccess.layout<{0,1}>>
  memref.dealloc %m : memref<3x5xf32, #tensoraccess.layout<{0,1}>>
  return %v : f32
}
