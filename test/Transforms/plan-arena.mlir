// RUN: tensoraccess-opt %s --tensoraccess-plan-arena --canonicalize | FileCheck %s

func.func private @f(memref<100xf32>)
func.func private @g(memref<?xf32>, memref<?xf32>)

// 400 bytes are 7 lines, 200 are 4, 280 are 5: the third lies where the first did.
// CHECK-LABEL: @chain
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C448:.*]] = arith.constant 448 : index
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<704xi8>
// CHECK: memref.view %[[ARENA]][%[[C0]]][] : memref<704xi8> to memref<100xf32>
// CHECK: memref.view %[[ARENA]][%[[C448]]][] : memref<704xi8> to memref<50xf32>
// CHECK: memref.view %[[ARENA]][%[[C0]]][] : memref<704xi8> to memref<70xf32>
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: memref.dealloc
func.func @chain() {
  %a = memref.alloc() : memref<100xf32>
  func.call @f(%a) : (memref<100xf32>) -> ()
  %b = memref.alloc() : memref<50xf32>
  %c = memref.alloc() : memref<70xf32>
  %x = memref.cast %a : memref<100xf32> to memref<?xf32>
  %y = memref.cast %b : memref<50xf32> to memref<?xf32>
  func.call @g(%x, %y) : (memref<?xf32>, memref<?xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  %z = memref.cast %c : memref<70xf32> to memref<?xf32>
  func.call @g(%y, %z) : (memref<?xf32>, memref<?xf32>) -> ()
  memref.dealloc %b : memref<50xf32>
  memref.dealloc %c : memref<70xf32>
  return
}

// What is returned, freed elsewhere, of unknown size or no bytes keeps its own.
// CHECK-LABEL: @others
// CHECK-COUNT-4: memref.alloc
// CHECK-NOT: memref.view
func.func @others(%n: index, %is: i1) -> memref<100xf32> {
  %a = memref.alloc() : memref<100xf32>
  func.call @f(%a) : (memref<100xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  func.call @g(%b, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  %c = memref.alloc() : memref<100xf32>
  func.call @f(%c) : (memref<100xf32>) -> ()
  scf.if %is {
    memref.dealloc %c : memref<100xf32>
  }
  %d = memref.alloc() : memref<100xf32>
  func.call @f(%d) : (memref<100xf32>) -> ()
  memref.dealloc %d : memref<100xf32>
  return %a : memref<100xf32>
}
