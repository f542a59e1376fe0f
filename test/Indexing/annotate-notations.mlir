// What is annotated can be read again: an op whose notation has no room for an
// attribute is left out, and named in a remark.
//
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing -o %t.mlir \
// RUN:   --remarks-filter=tensoraccess --remark-policy=all \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tensoraccess-opt %t.mlir | FileCheck %s
// RUN: tensoraccess-opt %t.mlir --mlir-print-op-generic | tensoraccess-opt \
// RUN:   | FileCheck %s
//
// REMARK: Function=copy | Reason="its notation has no room for tensoraccess.indexing", Remark="scf.reduce is not annotated"
// REMARK-NOT: not annotated

// CHECK-LABEL: @copy
// CHECK: scf.parallel
// CHECK: memref.load {{.*}} {tensoraccess.indexing
// CHECK: scf.reduce
// CHECK-NEXT: } {tensoraccess.indexing
func.func @copy(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %v = memref.load %a[%i] : memref<8xf32>
    memref.store %v, %a[%i] : memref<8xf32>
  }
  return
}

// With a region, there is room after it.
// CHECK-LABEL: @sum
// CHECK: scf.reduce(%{{.*}} : f32) {
// CHECK: scf.reduce.return
// CHECK-NEXT: } {tensoraccess.indexing
func.func @sum(%a: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%z) -> f32 {
    %v = memref.load %a[%i] : memref<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %t = arith.addf %x, %y : f32
      scf.reduce.return %t : f32
    }
  }
  return %s : f32
}
