// RUN: tensoraccess-opt %s --tensoraccess-vectorize-moves=target=generic --split-input-file | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-vectorize-moves="target='h, last_cache = 1024'" --split-input-file | FileCheck %s --check-prefix=STREAM
// RUN: tensoraccess-opt %s --tensoraccess-vectorize-moves="target=generic call-bytes=65536" --split-input-file | FileCheck %s --check-prefix=CALL

// A panel of 16 columns is a line: pieces of 4 rows, one after the other panel.
// CHECK-LABEL: @panels
// CHECK: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [640], strides: [1]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [640], strides: [1]
// CHECK: scf.for %[[ROWS:.*]] = %{{.*}} to %c5
// CHECK: scf.for %[[PANEL:.*]] = %{{.*}} to %c2
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c4
// CHECK: %[[V:.*]] = vector.load %[[X]][%{{.*}}] : memref<640xf32, strided<[1]>>, vector<16xf32>
// CHECK: vector.store %[[V]], %[[Y]][%{{.*}}] : memref<640xf32, strided<[1]>>, vector<16xf32>
// STREAM-LABEL: @panels
// STREAM-NOT: nontemporal
func.func @panels(%x: memref<20x2x16xf32>, %y: memref<2x20x16xf32>) {
  linalg.transpose ins(%x : memref<20x2x16xf32>)
                   outs(%y : memref<2x20x16xf32>) permutation = [1, 0, 2]
  return
}

// -----

// Squares of 8x8, two of them a line; the last ones overlap those before.
// CHECK-LABEL: @transpose
// CHECK: scf.for
// CHECK: affine.min
// CHECK: scf.for
// CHECK: affine.min
// CHECK-COUNT-8: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-16: vector.store
// CHECK-NOT: vector.store
func.func @transpose(%x: memref<20x9xf32>, %y: memref<9x20xf32>) {
  linalg.transpose ins(%x : memref<20x9xf32>) outs(%y : memref<9x20xf32>)
      permutation = [1, 0]
  return
}

// -----

// Stores go past the caches where they are whole lines of an aligned buffer
// that is larger; readers of it see them.
// STREAM-LABEL: @kernel
// STREAM: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// STREAM: llvm.fence seq_cst
// CHECK-LABEL: @kernel
// CHECK-NOT: nontemporal
// CHECK: return
func.func private @kernel(%x: memref<20x2x16xf32>, %y: memref<2x20x16xf32>) {
  linalg.transpose ins(%x : memref<20x2x16xf32>)
                   outs(%y : memref<2x20x16xf32>) permutation = [1, 0, 2]
  return
}
func.func @main(%x: memref<20x2x16xf32>) -> memref<2x20x16xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<2x20x16xf32>
  call @kernel(%x, %y) : (memref<20x2x16xf32>, memref<2x20x16xf32>) -> ()
  return %y : memref<2x20x16xf32>
}

// -----

// One call with a buffer of which less is known, or gaps of half a line.
// STREAM-LABEL: @unknown
// STREAM-NOT: nontemporal
// STREAM-LABEL: @gaps
// STREAM-NOT: nontemporal
func.func private @unknown(%x: memref<20x2x16xf32>, %y: memref<2x20x16xf32>) {
  linalg.transpose ins(%x : memref<20x2x16xf32>)
                   outs(%y : memref<2x20x16xf32>) permutation = [1, 0, 2]
  return
}
func.func @gaps(%x: memref<20x2x16xf32>, %z: memref<2x20x16xf32>) {
  %y = memref.alloc() {alignment = 64 : i64} : memref<2x20x16xf32>
  call @unknown(%x, %y) : (memref<20x2x16xf32>, memref<2x20x16xf32>) -> ()
  call @unknown(%x, %z) : (memref<20x2x16xf32>, memref<2x20x16xf32>) -> ()
  %a = memref.alloc() {alignment = 64 : i64} : memref<2x20x24xf32>
  %s = memref.subview %a[0, 0, 0] [2, 20, 16] [1, 1, 1]
     : memref<2x20x24xf32> to memref<2x20x16xf32, strided<[480, 24, 1]>>
  linalg.transpose ins(%x : memref<20x2x16xf32>)
      outs(%s : memref<2x20x16xf32, strided<[480, 24, 1]>>) permutation = [1, 0, 2]
  return
}

// -----

// What computes, broadcasts, has no run, or is short, stays.
// CHECK-LABEL: @stays
// CHECK: linalg.map
// CHECK: linalg.broadcast
// CHECK: linalg.transpose
// CHECK: linalg.transpose
// CHECK: linalg.copy
// CHECK: linalg.fill
func.func @stays(%x: memref<20x9xf32>, %y: memref<9x20xf32>,
                 %r: memref<9xf32>, %d: memref<20x?xf32>, %e: memref<?x20xf32>,
                 %s: memref<3x20xf32>, %t: memref<20x3xf32>,
                 %c: memref<20xcomplex<f32>>, %f: memref<20xcomplex<f32>>,
                 %z: f32, %m: memref<f32>) {
  linalg.map {math.exp} ins(%x : memref<20x9xf32>) outs(%x : memref<20x9xf32>)
  linalg.broadcast ins(%r : memref<9xf32>) outs(%y : memref<9x20xf32>)
      dimensions = [1]
  linalg.transpose ins(%d : memref<20x?xf32>) outs(%e : memref<?x20xf32>)
      permutation = [1, 0]
  linalg.transpose ins(%s : memref<3x20xf32>) outs(%t : memref<20x3xf32>)
      permutation = [1, 0]
  linalg.copy ins(%c : memref<20xcomplex<f32>>) outs(%f : memref<20xcomplex<f32>>)
  linalg.fill ins(%z : f32) outs(%m : memref<f32>)
  return
}

// -----

// Runs, pairs and pairs taken apart call the runtime, with the same constant
// where sizes and strides are the same; a transpose does not.
// CALL: memref.global "private" constant @[[PAIRS:.*]] : memref<11xi64> = dense<[2, 3, 256, 256, 256, 128, 2, 1, 2, 1, 128]>
// CALL: func.func private @tensoraccess_move(index, index, index)
// CALL-LABEL: @calls
// CALL: %[[RUNS:.*]] = memref.get_global
// CALL: call @tensoraccess_move
// CALL: memref.get_global @[[PAIRS]]
// CALL: call @tensoraccess_move
// CALL: memref.get_global @[[PAIRS]]
// CALL: call @tensoraccess_move
// CALL-NOT: call
// CALL: vector.shuffle
// CALL: return
func.func @calls(%a: memref<64x8x4x128xf32>, %b: memref<64x4x8x128xf32>,
                 %c: memref<2x128x2x128xbf16>, %d: memref<2x128x128x2xbf16>,
                 %e: memref<256x256xf32>, %f: memref<256x256xf32>) {
  linalg.transpose ins(%a : memref<64x8x4x128xf32>) outs(%b : memref<64x4x8x128xf32>) permutation = [0, 2, 1, 3]
  linalg.transpose ins(%c : memref<2x128x2x128xbf16>) outs(%d : memref<2x128x128x2xbf16>) permutation = [0, 1, 3, 2]
  linalg.transpose ins(%c : memref<2x128x2x128xbf16>) outs(%d : memref<2x128x128x2xbf16>) permutation = [0, 1, 3, 2]
  linalg.transpose ins(%e : memref<256x256xf32>) outs(%f : memref<256x256xf32>) permutation = [1, 0]
  return
}

// -----

// A program has its own function of the runtime's name: nothing is called.
// CALL-LABEL: @itsOwn
// CALL-NOT: call
// CALL: vector.load
func.func @itsOwn(%x: memref<64x8x4x128xf32>, %y: memref<64x4x8x128xf32>) {
  linalg.transpose ins(%x : memref<64x8x4x128xf32>)
                   outs(%y : memref<64x4x8x128xf32>) permutation = [0, 2, 1, 3]
  return
}
func.func @tensoraccess_move(%x: f32) -> f32 {
  return %x : f32
}

// -----

// CALL-LABEL: @itsGlobal
// CALL-NOT: call
// CALL: vector.load
memref.global @tensoraccess_move : memref<2xf32>
func.func @itsGlobal(%x: memref<64x8x4x128xf32>, %y: memref<64x4x8x128xf32>) {
  linalg.transpose ins(%x : memref<64x8x4x128xf32>)
                   outs(%y : memref<64x4x8x128xf32>) permutation = [0, 2, 1, 3]
  return
}
