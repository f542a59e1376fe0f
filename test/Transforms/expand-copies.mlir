// RUN: tensoraccess-opt %s --tensoraccess-expand-copies | FileCheck %s

// CHECK-LABEL: @strided
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<3x5xf32>) outs(%arg1 : memref<3x5xf32, strided<[9, 1]>>)
func.func @strided(%a: memref<3x5xf32>, %b: memref<3x5xf32, strided<[9, 1]>>) {
  memref.copy %a, %b : memref<3x5xf32> to memref<3x5xf32, strided<[9, 1]>>
  return
}

// CHECK-LABEL: @contiguous
// CHECK: memref.copy
func.func @contiguous(%a: memref<3x5xf32>, %b: memref<3x5xf32>) {
  memref.copy %a, %b : memref<3x5xf32> to memref<3x5xf32>
  return
}
