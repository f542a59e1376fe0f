// RUN: tensoraccess-opt %s --tensoraccess-register-tile=target=x86-64-v4 --canonicalize --cse | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// Tiles of 6 rows by 4 vectors of 16, a sum that begins with zeros; the weights,
// 64 wide, lie as a panel does.
// CHECK-LABEL: @product
// CHECK-NOT: linalg
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %[[Z:.*]], %{{.*}} = %[[Z]],
// CHECK-COUNT-4: vector.load
// CHECK: vector.broadcast
// CHECK-COUNT-4: math.fma
// CHECK-COUNT-24: vector.store
func.func @product(%x: memref<60x256xf32>, %w: memref<256x64xf32>,
                   %y: memref<60x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<60x64xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<60x256xf32>, memref<256x64xf32>)
      outs(%y : memref<60x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = math.fma %a, %b, %out : f32
    linalg.yield %s : f32
  }
  return
}

// Columns that no vector divides are masked; panels of 1000 columns are copied.
// CHECK-LABEL: @odd
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<
// CHECK: memref.prefetch
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @odd(%x: memref<127x509xf32>, %w: memref<509x1021xf32>,
               %y: memref<127x1021xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<127x509xf32>, memref<509x1021xf32>)
      outs(%y : memref<127x1021xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = math.fma %a, %b, %out : f32
    linalg.yield %s : f32
  }
  return
}

// Unknown sizes, a result of one element.
// CHECK-LABEL: @others
// CHECK-COUNT-2: linalg.generic
func.func @others(%x: memref<60x256xf32>, %d: memref<?x256xf32>,
                  %e: memref<?x256xf32>, %z: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, n)>,
                                   affine_map<(m, n, k) -> (m, n)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d : memref<?x256xf32>) outs(%e : memref<?x256xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %a, %out : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>,
                                   affine_map<(m, k) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<60x256xf32>) outs(%z : memref<f32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %a, %out : f32
    linalg.yield %r : f32
  }
  return
}

// An elementwise op on the result, which a buffer of its own held: on the tile,
// and the buffer is gone.
// CHECK-LABEL: @epilogue
// CHECK-NOT: memref.alloc
// CHECK: scf.for %{{.*}} iter_args
// CHECK: scf.yield
// CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<16xf32>
// CHECK: arith.addf %{{.*}}, %[[B]] : vector<16xf32>
// CHECK: arith.maximumf
// CHECK: vector.store
// CHECK-NOT: linalg
func.func @epilogue(%x: memref<60x256xf32>, %w: memref<256x64xf32>,
                    %b: memref<64xf32>, %z: memref<60x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<60x64xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<60x64xf32>)
  linalg.generic {indexing_maps = [#x, #w, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<60x256xf32>, memref<256x64xf32>)
      outs(%y : memref<60x64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = math.fma %a, %c, %out : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
                                   affine_map<(m, n) -> (n)>,
                                   affine_map<(m, n) -> (m, n)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : memref<60x64xf32>, memref<64xf32>)
      outs(%z : memref<60x64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %y : memref<60x64xf32>
  return
}

// Columns of weights that are rows in memory: for one row squares of 16 by 16 are
// transposed in registers, by 64 shuffles; the sums keep their order.
// CHECK-LABEL: @transposed
// CHECK-NOT: memref.alloc
// CHECK: scf.for {{.*}} step %c16 iter_args
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: math.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: math.fma
func.func @transposed(%x: memref<256xf32>, %w: memref<64x256xf32>,
                      %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>,
                                   affine_map<(n, k) -> (n, k)>,
                                   affine_map<(n, k) -> (n)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<256xf32>, memref<64x256xf32>)
      outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = math.fma %a, %c, %out : f32
    linalg.yield %s : f32
  }
  return
}

// The largest element may be found in any order: eight rows at a time are read from
// end to end, by three numbers of their bits, 16 columns at a time; then squares of
// what is left of these, and of the last 5 columns, which are masked. Of three times
// 8 + 2 rows, 2 are what is left of a square.
// CHECK-LABEL: @largest
// CHECK: scf.for
// CHECK-COUNT-8: vector.load
// CHECK: scf.for {{.*}} = %c16 to %c64 step %c16
// CHECK: vector.load
// CHECK-NEXT: vector.bitcast {{.*}} : vector<16xf32> to vector<16xi32>
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.minsi
// CHECK-NEXT: arith.maxui
// CHECK: vector.extract_strided_slice {{.*}} : vector<16xi32> to vector<8xi32>
// CHECK-COUNT-72: vector.shuffle
// CHECK-COUNT-8: vector.maskedload
// CHECK-COUNT-12: arith.maxsi
// CHECK-COUNT-12: arith.minsi
// CHECK-COUNT-12: arith.maxui
// CHECK-NEXT: arith.cmpi sge
// CHECK: arith.cmpi ugt
// CHECK: vector.bitcast {{.*}} : vector<8xi32> to vector<8xf32>
// CHECK-NEXT: arith.maximumf
// CHECK-NEXT: vector.store
// CHECK-COUNT-2: vector.load
// CHECK: vector.shuffle
// CHECK: vector.maskedstore
func.func @largest(%x: memref<26x69xf32>, %y: memref<26xf32>) {
  linalg.reduce ins(%x : memref<26x69xf32>) outs(%y : memref<26xf32>)
      dimensions = [1]
      (%a: f32, %b: f32) {
        %m = arith.maximumf %a, %b : f32
        linalg.yield %m : f32
      }
  return
}

// Tensors stay.
// CHECK-LABEL: @tensors
// CHECK: linalg.matmul
func.func @tensors(%x: tensor<60x256xf32>, %w: tensor<256x64xf32>,
                   %y: tensor<60x64xf32>) -> tensor<60x64xf32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x64xf32>)
       outs(%y : tensor<60x64xf32>) -> tensor<60x64xf32>
  return %z : tensor<60x64xf32>
}

// Of a window that gives loops their range alone nothing is read, so that its
// elements may be of any type.
// CHECK-LABEL: @pool
// CHECK-NOT: linalg
// CHECK: arith.maximumf {{.*}} : vector<16xf32>
func.func @pool(%x: memref<1x16x16x32xf32>, %w: memref<3x3xi1>,
                %y: memref<1x14x14x32xf32>) {
  linalg.generic {indexing_maps = [
      affine_map<(n, h, w, c, r, s) -> (n, h + r, w + s, c)>,
      affine_map<(n, h, w, c, r, s) -> (r, s)>,
      affine_map<(n, h, w, c, r, s) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel",
                        "reduction", "reduction"]}
      ins(%x, %w : memref<1x16x16x32xf32>, memref<3x3xi1>)
      outs(%y : memref<1x14x14x32xf32>) {
  ^bb0(%a: f32, %b: i1, %out: f32):
    %m = arith.maximumf %out, %a : f32
    linalg.yield %m : f32
  }
  return
}

// A matrix times a vector is read eight rows at a time, from end to end; what
// follows takes the sums from memory.
// CHECK-LABEL: @bands
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c8 step %c1{{.*}} iter_args
// CHECK-COUNT-4: vector.store
// CHECK: linalg.add
func.func @bands(%x: memref<100xf32>, %w: memref<100x300xf32>,
                 %b: memref<300xf32>, %y: memref<300xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<300xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<300xf32>)
  linalg.vecmat ins(%x, %w : memref<100xf32>, memref<100x300xf32>)
      outs(%sums : memref<300xf32>)
  linalg.add ins(%sums, %b : memref<300xf32>, memref<300xf32>)
      outs(%y : memref<300xf32>)
  memref.dealloc %sums : memref<300xf32>
  return
}

// Rows at the same place of a page: squares of 8 by 8, as many as one set of the
// first cache holds.
// CHECK-LABEL: @pages
// CHECK: scf.for {{.*}} step %c8{{.*}} iter_args
// CHECK-COUNT-8: math.fma %{{.*}} : vector<8xf32>
// CHECK-NOT: math.fma
func.func @pages(%x: memref<1024xf32>, %w: memref<64x1024xf32>,
                 %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>,
                                   affine_map<(n, k) -> (n, k)>,
                                   affine_map<(n, k) -> (n)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<1024xf32>, memref<64x1024xf32>)
      outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = math.fma %a, %c, %out : f32
    linalg.yield %s : f32
  }
  return
}

#panels = affine_map<(m, n, k) -> (n floordiv 64, k, n mod 64)>

// Packed panels, four a block: for each of 10 tiles of 6 rows, a tenth of the next
// block is fetched, 7 of 64 elements a step; what the epilogue adds is fetched
// before it is summed.
// CHECK-LABEL: @panels
// CHECK: scf.for %[[BLOCK:.*]] = %c0 to %c2 step
// CHECK: %[[PANELS:.*]] = arith.muli %[[BLOCK]], %c131072
// CHECK: %[[NEXT:.*]] = arith.addi %[[PANELS]], %c131072
// CHECK: scf.for %[[ROWS:.*]] = %c0 to %c10 step
// CHECK: %[[SHARE:.*]] = arith.muli %[[ROWS]], %c3276
// CHECK: %[[FROM:.*]] = arith.addi %[[NEXT]], %[[SHARE]]
// CHECK: scf.for %{{.*}} = %c0 to %c4 step
// CHECK: %[[PANEL:.*]] = arith.addi %[[FROM]],
// CHECK-COUNT-24: memref.prefetch %[[Z:.*]][{{.*}} : memref<30720xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c512 step
// CHECK: %[[STEP:.*]] = arith.muli %[[K]], %c7
// CHECK: %[[AHEAD:.*]] = arith.addi %[[PANEL]], %[[STEP]]
// CHECK-COUNT-4: memref.prefetch
// CHECK: memref.prefetch %{{.*}}[%[[AHEAD]]]
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield
func.func @panels(%x: memref<60x512xf32>, %w: memref<8x512x64xf32>,
                  %z: memref<60x512xf32>, %r: memref<60x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %y = memref.alloc() : memref<60x512xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<60x512xf32>)
  linalg.generic {indexing_maps = [#x, #panels, #y],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<60x512xf32>, memref<8x512x64xf32>)
      outs(%y : memref<60x512xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = math.fma %a, %b, %out : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>,
                                   affine_map<(m, n) -> (m, n)>,
                                   affine_map<(m, n) -> (m, n)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%y, %z : memref<60x512xf32>, memref<60x512xf32>)
      outs(%r : memref<60x512xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  }
  memref.dealloc %y : memref<60x512xf32>
  return
}

// Sums of rows: two squares of 8 by 8, whose sums do not wait for one another. Rows
// at the same place of a page are at different places of theirs, 256 columns apart,
// the first square before the second one and after it by itself.
// CHECK-LABEL: @sums
// CHECK: scf.for {{.*}} = %c0 to %c256 step %c8
// CHECK-COUNT-4: memref.prefetch
// CHECK-COUNT-8: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-8: arith.addf %{{.*}} : vector<8xf32>
// CHECK: scf.for {{.*}} = %c0 to %c768 step %c8
// CHECK-COUNT-8: memref.prefetch
// CHECK-COUNT-16: arith.addf %{{.*}} : vector<8xf32>
// CHECK: scf.for {{.*}} = %c768 to %c1024 step %c8
// CHECK-COUNT-8: arith.addf %{{.*}} : vector<8xf32>
// CHECK-NOT: arith.addf
func.func @sums(%x: memref<64x1024xf32>, %y: memref<64xf32>) {
  linalg.reduce ins(%x : memref<64x1024xf32>) outs(%y : memref<64xf32>)
      dimensions = [1]
      (%a: f32, %b: f32) {
        %s = arith.addf %b, %a : f32
        linalg.yield %s : f32
      }
  return
}

// Of bf16 in f32, squares of pairs: sixteen columns by the shuffles of eight.
// CHECK-LABEL: @pairs
// CHECK: scf.for {{.*}} step %c16
// CHECK: vector.load {{.*}} vector<16xbf16>
// CHECK: vector.bitcast {{.*}} : vector<16xbf16> to vector<8xi32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: arith.shrui
// CHECK-COUNT-16: arith.addf %{{.*}} : vector<8xf32>
func.func @pairs(%x: memref<16x100xbf16>, %y: memref<16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<16x100xbf16>) outs(%y : memref<16xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %w = arith.extf %a : bf16 to f32
    %s = arith.addf %out, %w : f32
    linalg.yield %s : f32
  }
  return
}
