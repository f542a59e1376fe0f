// RUN: tensoraccess-opt %s --normalize-memrefs --lower-affine --canonicalize | FileCheck %s

// Upstream's pass asks a layout for its map: a swizzle becomes divisions and sums.
#banks = #tensoraccess.strided<Sw<1,0,3> o (4,8):(8,1)>
// CHECK-LABEL: func.func @swizzled(
// CHECK:         memref.alloc() : memref<32xf32>
// CHECK-NOT:     tensoraccess
func.func @swizzled(%i: index, %j: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4x8xf32, #banks>
  affine.for %k = 0 to 4 {
    affine.store %x, %m[%k, 3] : memref<4x8xf32, #banks>
  }
  %0 = affine.load %m[2, 5] : memref<4x8xf32, #banks>
  memref.dealloc %m : memref<4x8xf32, #banks>
  return %0 : f32
}
