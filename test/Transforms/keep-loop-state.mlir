// RUN: tensoraccess-opt %s --tensoraccess-keep-loop-state | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#rev = affine_map<(d0) -> (7 - d0)>

// Each element is read by the op that writes it: one buffer, no state is left.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: memref.copy %arg0, %[[OWN]]
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT: %[[GO:.*]] = func.call @go()
// CHECK-NEXT: scf.condition(%[[GO]])
// CHECK: linalg.generic {{.*}} outs(%[[OWN]] : memref<8xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32):
// CHECK-NEXT: arith.mulf %[[X]], %[[X]]
// CHECK-NOT: memref.alloc
// CHECK: return %[[OWN]]
func.func private @go() -> i1
func.func @in_place(%init: memref<8xf32>) -> memref<8xf32> {
  %r = scf.while (%s = %init) : (memref<8xf32>) -> memref<8xf32> {
    %go = func.call @go() : () -> i1
    %copy = memref.alloc() : memref<8xf32>
    memref.copy %s, %copy : memref<8xf32> to memref<8xf32>
    scf.condition(%go) %copy : memref<8xf32>
  } do {
  ^bb0(%old: memref<8xf32>):
    %new = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%old : memref<8xf32>) outs(%new : memref<8xf32>) {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.mulf %x, %x : f32
      linalg.yield %0 : f32
    }
    scf.yield %new : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// Elements are read in other places: two buffers alternate. The first one is
// the loop's already.
// CHECK-LABEL: func.func @turns
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: linalg.fill
// CHECK: %[[OTHER:.*]] = memref.alloc() : memref<8xf32>
// CHECK: %[[END:.*]] = scf.while (%[[T:.*]] = %{{.*}}) : (i1) -> i1 {
// CHECK: %[[NOW:.*]] = arith.select %[[T]], %[[OTHER]], %[[OWN]]
// CHECK: memref.load %[[NOW]]
// CHECK-NOT: memref.copy
// CHECK: scf.condition({{.*}}) %[[T]] : i1
// CHECK: ^bb0(%[[TURN:.*]]: i1):
// CHECK-DAG: %[[OLD:.*]] = arith.select %[[TURN]], %[[OTHER]], %[[OWN]]
// CHECK-DAG: %[[NEW:.*]] = arith.select %[[TURN]], %[[OWN]], %[[OTHER]]
// CHECK: ins(%[[OLD]] : memref<8xf32>) outs(%[[NEW]] : memref<8xf32>)
// CHECK: %[[NEXT:.*]] = arith.xori %[[TURN]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[RESULT:.*]] = arith.select %[[END]], %[[OTHER]], %[[OWN]]
// CHECK: return %[[RESULT]]
func.func @turns(%x: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %init = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<8xf32>)
  %r = scf.while (%s = %init) : (memref<8xf32>) -> memref<8xf32> {
    %0 = memref.load %s[%c0] : memref<8xf32>
    %go = arith.cmpf olt, %0, %x : f32
    %copy = memref.alloc() : memref<8xf32>
    memref.copy %s, %copy : memref<8xf32> to memref<8xf32>
    scf.condition(%go) %copy : memref<8xf32>
  } do {
  ^bb0(%old: memref<8xf32>):
    %new = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [#rev, #id], iterator_types = ["parallel"]} ins(%old : memref<8xf32>) outs(%new : memref<8xf32>) {
    ^bb0(%a: f32, %y: f32):
      linalg.yield %a : f32
    }
    scf.yield %new : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// What writes the new one comes after what reads the old one elsewhere.
// CHECK-LABEL: func.func @later
// CHECK: ^bb0
// CHECK: memref.load
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<i32>)
// CHECK-NEXT: ^bb0(%{{.*}}: i32):
func.func @later(%init: memref<i32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  scf.while (%s = %init, %k = %one) : (memref<i32>, i32) -> (memref<i32>, i32) {
    %go = func.call @go() : () -> i1
    %copy = memref.alloc() : memref<i32>
    memref.copy %s, %copy : memref<i32> to memref<i32>
    scf.condition(%go) %copy, %k : memref<i32>, i32
  } do {
  ^bb0(%old: memref<i32>, %j: i32):
    %new = memref.alloc() : memref<i32>
    linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%old : memref<i32>) outs(%new : memref<i32>) {
    ^bb0(%x: i32, %y: i32):
      %0 = arith.addi %x, %one : i32
      linalg.yield %0 : i32
    }
    %1 = memref.load %old[] : memref<i32>
    memref.store %1, %out[%c0] : memref<8xi32>
    scf.yield %new, %1 : memref<i32>, i32
  }
  return
}

// Not where it would load what is stored before.
// CHECK-LABEL: func.func @not_later
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i32, i1) -> (i32, i1)
func.func @not_later(%init: memref<i32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  scf.while (%s = %init, %k = %one) : (memref<i32>, i32) -> (memref<i32>, i32) {
    %go = func.call @go() : () -> i1
    %copy = memref.alloc() : memref<i32>
    memref.copy %s, %copy : memref<i32> to memref<i32>
    scf.condition(%go) %copy, %k : memref<i32>, i32
  } do {
  ^bb0(%old: memref<i32>, %j: i32):
    %new = memref.alloc() : memref<i32>
    linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%old : memref<i32>) outs(%new : memref<i32>) {
    ^bb0(%x: i32, %y: i32):
      %z = memref.load %out[%c0] : memref<8xi32>
      %0 = arith.addi %x, %z : i32
      linalg.yield %0 : i32
    }
    %1 = memref.load %old[] : memref<i32>
    memref.store %1, %out[%c0] : memref<8xi32>
    scf.yield %new, %1 : memref<i32>, i32
  }
  return
}

// The old one has other owners, too: nothing is known of what that does.
// CHECK-LABEL: func.func @held
// CHECK: memref.copy
// CHECK: scf.condition
// CHECK: scf.yield %{{.*}} : memref<8xf32>
func.func private @hold(memref<8xf32>) -> memref<8xf32>
func.func @held(%init: memref<8xf32>) -> memref<8xf32> {
  %r = scf.while (%s = %init) : (memref<8xf32>) -> memref<8xf32> {
    %go = func.call @go() : () -> i1
    %copy = memref.alloc() : memref<8xf32>
    memref.copy %s, %copy : memref<8xf32> to memref<8xf32>
    scf.condition(%go) %copy : memref<8xf32>
  } do {
  ^bb0(%old: memref<8xf32>):
    %h = func.call @hold(%old) : (memref<8xf32>) -> memref<8xf32>
    %new = memref.alloc() : memref<8xf32>
    memref.copy %h, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// What an iteration has for itself, all of them have.
// CHECK-LABEL: func.func @local
// CHECK: memref.alloc() : memref<8xf32>
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.alloc() : memref<100000xf32>
// CHECK-NEXT: memref.alloc() : memref<4xf32>
func.func @local(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %large = memref.alloc() : memref<100000xf32>
    %held = memref.alloc() : memref<4xf32>
    %small = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%large : memref<100000xf32>)
    linalg.fill ins(%x : f32) outs(%small : memref<8xf32>)
    %r = func.call @take(%held) : (memref<4xf32>) -> memref<4xf32>
  }
  return
}
func.func private @take(memref<4xf32>) -> memref<4xf32>

// What the body of the op loads is of any place: two alternate.
// CHECK-LABEL: func.func @loads
// CHECK: scf.while (%{{.*}} = %{{.*}}) : (i1) -> i1
// CHECK: memref.load
func.func @loads(%init: memref<8xf32>) -> memref<8xf32> {
  %r = scf.while (%s = %init) : (memref<8xf32>) -> memref<8xf32> {
    %go = func.call @go() : () -> i1
    %copy = memref.alloc() : memref<8xf32>
    memref.copy %s, %copy : memref<8xf32> to memref<8xf32>
    scf.condition(%go) %copy : memref<8xf32>
  } do {
  ^bb0(%old: memref<8xf32>):
    %c7 = arith.constant 7 : index
    %new = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%new : memref<8xf32>) {
    ^bb0(%y: f32):
      %i = linalg.index 0 : index
      %j = arith.subi %c7, %i : index
      %x = memref.load %old[%j] : memref<8xf32>
      linalg.yield %x : f32
    }
    scf.yield %new : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// Sizes that are those of the trip before are those of the first one.
// CHECK-LABEL: func.func @unknown_in_place
// CHECK: %[[D:.*]] = memref.dim %arg0, %{{.*}} : memref<3x?xf32>
// CHECK-NEXT: %[[OWN:.*]] = memref.alloc(%[[D]]) : memref<3x?xf32>
// CHECK-NEXT: memref.copy %arg0, %[[OWN]]
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic {{.*}} outs(%[[OWN]] : memref<3x?xf32>)
// CHECK: return %[[OWN]]
#id2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @unknown_in_place(%init: memref<3x?xf32>) -> memref<3x?xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.while (%s = %init) : (memref<3x?xf32>) -> memref<3x?xf32> {
    %go = func.call @go() : () -> i1
    %d = memref.dim %s, %c1 : memref<3x?xf32>
    %copy = memref.alloc(%d) : memref<3x?xf32>
    memref.copy %s, %copy : memref<3x?xf32> to memref<3x?xf32>
    scf.condition(%go) %copy : memref<3x?xf32>
  } do {
  ^bb0(%old: memref<3x?xf32>):
    %d = memref.dim %old, %c1 : memref<3x?xf32>
    %new = memref.alloc(%d) : memref<3x?xf32>
    linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%old : memref<3x?xf32>) outs(%new : memref<3x?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.mulf %x, %x : f32
      linalg.yield %0 : f32
    }
    scf.yield %new : memref<3x?xf32>
  }
  return %r : memref<3x?xf32>
}

// A call that returns no buffer holds none when a trip ends: two alternate.
// CHECK-LABEL: func.func @unknown_turns
// CHECK: memref.alloc(%{{.*}}) : memref<3x?xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<3x?xf32>
// CHECK-NEXT: scf.while (%{{.*}} = %{{.*}}) : (i1) -> i1
// CHECK-NOT: memref.alloc
// CHECK: call @square(%{{.*}}, %{{.*}}) : (memref<3x?xf32>, memref<3x?xf32>) -> i1
func.func private @square(memref<3x?xf32>, memref<3x?xf32>) -> i1
func.func @unknown_turns(%init: memref<3x?xf32>) -> memref<3x?xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.while (%s = %init) : (memref<3x?xf32>) -> memref<3x?xf32> {
    %go = func.call @go() : () -> i1
    %d = memref.dim %s, %c1 : memref<3x?xf32>
    %copy = memref.alloc(%d) : memref<3x?xf32>
    memref.copy %s, %copy : memref<3x?xf32> to memref<3x?xf32>
    scf.condition(%go) %copy : memref<3x?xf32>
  } do {
  ^bb0(%old: memref<3x?xf32>):
    %d = memref.dim %old, %c1 : memref<3x?xf32>
    %new = memref.alloc(%d) : memref<3x?xf32>
    %ok = func.call @square(%old, %new) : (memref<3x?xf32>, memref<3x?xf32>) -> i1
    scf.yield %new : memref<3x?xf32>
  }
  return %r : memref<3x?xf32>
}

// Sizes of something else may be others in each trip; so may those of another
// dimension.
// CHECK-LABEL: func.func @other_sizes
// CHECK: memref.copy
// CHECK: memref.copy
// CHECK: scf.condition
// CHECK: scf.yield %{{.*}}, %{{.*}} : memref<?x?xf32>, memref<?x?xf32>
func.func @other_sizes(%init: memref<?x?xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%s = %init, %t = %init) : (memref<?x?xf32>, memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
    %go = func.call @go() : () -> i1
    %d0 = memref.dim %s, %c0 : memref<?x?xf32>
    %d1 = memref.dim %s, %c1 : memref<?x?xf32>
    %copy = memref.alloc(%d0, %d1) : memref<?x?xf32>
    memref.copy %s, %copy : memref<?x?xf32> to memref<?x?xf32>
    %e0 = memref.dim %t, %c0 : memref<?x?xf32>
    %e1 = memref.dim %t, %c1 : memref<?x?xf32>
    %second = memref.alloc(%e0, %e1) : memref<?x?xf32>
    memref.copy %t, %second : memref<?x?xf32> to memref<?x?xf32>
    scf.condition(%go) %copy, %second : memref<?x?xf32>, memref<?x?xf32>
  } do {
  ^bb0(%s: memref<?x?xf32>, %t: memref<?x?xf32>):
    %d0 = memref.dim %s, %c0 : memref<?x?xf32>
    %d1 = memref.dim %s, %c1 : memref<?x?xf32>
    %turned = memref.alloc(%d1, %d0) : memref<?x?xf32>
    linalg.fill ins(%x : f32) outs(%turned : memref<?x?xf32>)
    %e0 = memref.dim %t, %c0 : memref<?x?xf32>
    %grown = memref.alloc(%e0, %n) : memref<?x?xf32>
    linalg.fill ins(%x : f32) outs(%grown : memref<?x?xf32>)
    scf.yield %turned, %grown : memref<?x?xf32>, memref<?x?xf32>
  }
  return
}
