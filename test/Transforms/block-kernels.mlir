// RUN: tensoraccess-opt %s --tensoraccess-block-kernels="target=x86-64-v4 cores=1" --canonicalize | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-block-kernels="target=x86-64-v4 cores=4" --canonicalize | FileCheck %s --check-prefix=CORES

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// Rows divided by their sums: sums are buffers of a part.
// CHECK-LABEL: @divide
// CHECK-NOT: memref.alloc() : memref<4096xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COUNT:.*]] step
// CHECK-DAG: %[[S:.*]] = memref.alloc() : memref<[[ROWS:[0-9]+]]xf32>
// CHECK-DAG: %[[X:.*]] = memref.subview %arg0[%{{.*}}, 0] [[[ROWS]], 1024] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[S]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X]] {{.*}} outs(%[[S]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[S]]
// CHECK: memref.dealloc %[[S]]
// CORES-LABEL: @divide
// CORES: scf.forall
// CORES-COUNT-2: linalg.generic
func.func @divide(%x: memref<4096x1024xf32>) -> memref<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<4096xf32>
  %y = memref.alloc() : memref<4096x1024xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4096xf32>)
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4096x1024xf32>) outs(%s : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4096x1024xf32>, memref<4096xf32>)
      outs(%y : memref<4096x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %s : memref<4096xf32>
  return %y : memref<4096x1024xf32>
}

// Sums of columns are read by all rows; a transposed read is of other rows; what
// is written must not be an input before. Each is a loop of its own.
// CHECK-LABEL: @stay
// CHECK-NOT: scf.for
// CHECK: return
func.func @stay(%x: memref<1024x1024xf32>) -> (memref<1024x1024xf32>, memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1024xf32>
  %y = memref.alloc() : memref<1024x1024xf32>
  %z = memref.alloc() : memref<1024x1024xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<1024xf32>)
  linalg.generic {indexing_maps = [#ij, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<1024x1024xf32>) outs(%s : memref<1024xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<1024x1024xf32>, memref<1024xf32>)
      outs(%y : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  }
  linalg.transpose ins(%y : memref<1024x1024xf32>) outs(%z : memref<1024x1024xf32>)
                   permutation = [1, 0]
  memref.dealloc %s : memref<1024xf32>
  return %y, %z : memref<1024x1024xf32>, memref<1024x1024xf32>
}

// Between the ops something else reads what the first has written.
// CHECK-LABEL: @between
// CHECK-NOT: scf.for
// CHECK: memref.load
// CHECK-NOT: scf.for
// CHECK: return
func.func @between(%x: memref<4096x1024xf32>) -> (memref<4096x1024xf32>, f32) {
  %c0 = arith.constant 0 : index
  %y = memref.alloc() : memref<4096x1024xf32>
  %z = memref.alloc() : memref<4096x1024xf32>
  linalg.exp ins(%x : memref<4096x1024xf32>) outs(%y : memref<4096x1024xf32>)
  %0 = memref.load %y[%c0, %c0] : memref<4096x1024xf32>
  linalg.add ins(%x, %y : memref<4096x1024xf32>, memref<4096x1024xf32>)
             outs(%z : memref<4096x1024xf32>)
  memref.dealloc %y : memref<4096x1024xf32>
  return %z, %0 : memref<4096x1024xf32>, f32
}

// What is freed right after what ends a group; functions of a device.
// CHECK-LABEL: @freed_late
// CHECK: scf.for
// CHECK: call @use
// CHECK-NEXT: return
func.func private @use(memref<4096x1024xf32>)
func.func @freed_late(%x: memref<4096x1024xf32>) -> memref<4096x1024xf32> {
  %y = memref.alloc() : memref<4096x1024xf32>
  %z = memref.alloc() : memref<4096x1024xf32>
  linalg.exp ins(%x : memref<4096x1024xf32>) outs(%y : memref<4096x1024xf32>)
  linalg.exp ins(%y : memref<4096x1024xf32>) outs(%z : memref<4096x1024xf32>)
  call @use(%z) : (memref<4096x1024xf32>) -> ()
  memref.dealloc %y : memref<4096x1024xf32>
  return %z : memref<4096x1024xf32>
}

// CORES-LABEL: gpu.module @device
// CORES-NOT: scf.for
gpu.module @device {
  gpu.func @twice(%x: memref<4096x1024xf32>) {
    %y = memref.alloc() : memref<4096x1024xf32>
    %z = memref.alloc() : memref<4096x1024xf32>
    linalg.exp ins(%x : memref<4096x1024xf32>) outs(%y : memref<4096x1024xf32>)
    linalg.exp ins(%y : memref<4096x1024xf32>) outs(%z : memref<4096x1024xf32>)
    gpu.return
  }
}

// A part of a buffer is a buffer of its own if its shape is known.
// CHECK-LABEL: @unknown
// CORES-LABEL: @unknown
// CHECK: memref.alloc(%{{.*}}) : memref<2048x?xf32>
// CHECK-NOT: memref<?x512xf32>
// CHECK: memref.alloc() : memref<{{[0-9]+}}x512xf32>
// CHECK: linalg.exp
// CHECK: linalg.add
// CHECK: linalg.add
func.func @unknown(%v: memref<2048x512xf32>, %n: index) -> memref<2048x512xf32> {
  %a = memref.alloc(%n) : memref<?x512xf32>
  %b = memref.alloc(%n) : memref<2048x?xf32>
  %c = memref.alloc() : memref<2048x512xf32>
  linalg.exp ins(%v : memref<2048x512xf32>) outs(%a : memref<?x512xf32>)
  linalg.add ins(%v, %a : memref<2048x512xf32>, memref<?x512xf32>)
      outs(%b : memref<2048x?xf32>)
  linalg.add ins(%v, %b : memref<2048x512xf32>, memref<2048x?xf32>)
      outs(%c : memref<2048x512xf32>)
  memref.dealloc %a : memref<?x512xf32>
  memref.dealloc %b : memref<2048x?xf32>
  return %c : memref<2048x512xf32>
}

// A sum of squares of what is left of a mean is no product: it joins what makes the
// mean.
// CHECK-LABEL: @variance
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%{{.*}}, %{{.*}} : memref<[[ROWS:[0-9]+]]x1024xf32, {{.*}}>, memref<[[ROWS]]xf32>)
// CHECK-NOT: linalg.generic
func.func @variance(%x: memref<4096x1024xf32>) -> memref<4096xf32> {
  %s = memref.alloc() : memref<4096xf32>
  %v = memref.alloc() : memref<4096xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%s : memref<4096xf32>)
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4096x1024xf32>) outs(%s : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%v : memref<4096xf32>)
  linalg.generic {indexing_maps = [#ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %s : memref<4096x1024xf32>, memref<4096xf32>) outs(%v : memref<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.mulf %0, %0 fastmath<arcp> : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  }
  memref.dealloc %s : memref<4096xf32>
  return %v : memref<4096xf32>
}
