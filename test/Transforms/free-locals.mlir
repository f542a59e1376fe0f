// RUN: tensoraccess-opt %s --tensoraccess-free-locals | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-free-locals \
// RUN:   --buffer-deallocation-pipeline | FileCheck %s --check-prefix=FREED

// A buffer that only loads, stores and structured ops use, also through a view
// and inside a loop, is freed after the last of them. Nothing is left to ask.
// CHECK-LABEL: @local
// FREED-LABEL: @local
func.func @local(%m: memref<3x5xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[A:.*]] = memref.alloc() {bufferization.manual_deallocation}
  %a = memref.alloc() : memref<3x5xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<3x5xf32>)
  %v = memref.subview %a[1, 0] [1, 5] [1, 1]
      : memref<3x5xf32> to memref<5xf32, strided<[1], offset: 5>>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %v[%c0] : memref<5xf32, strided<[1], offset: 5>>
  }
  // CHECK: }
  // CHECK-NEXT: memref.dealloc %[[A]] {bufferization.manual_deallocation}
  // CHECK-NEXT: linalg.fill
  // FREED: memref.dealloc
  // FREED-NOT: memref.dealloc
  // FREED-NOT: cf.assert
  linalg.fill ins(%x : f32) outs(%m : memref<3x5xf32>)
  return
}

// What is returned, stored, passed on or yielded has other owners, too.
// CHECK-LABEL: @held
// FREED-LABEL: @held
// CHECK-NOT: manual_deallocation
func.func @held(%m: memref<2xmemref<5xf32>>, %c: i1, %x: f32)
    -> memref<5xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<5xf32>
  %b = memref.alloc() : memref<5xf32>
  %d = memref.alloc() : memref<5xf32>
  %e = memref.alloc() : memref<5xf32>
  memref.store %b, %m[%c0] : memref<2xmemref<5xf32>>
  func.call @callee(%d) : (memref<5xf32>) -> ()
  %r = scf.if %c -> memref<5xf32> {
    scf.yield %e : memref<5xf32>
  } else {
    scf.yield %a : memref<5xf32>
  }
  linalg.fill ins(%x : f32) outs(%r : memref<5xf32>)
  return %a : memref<5xf32>
}
func.func private @callee(memref<5xf32>)
