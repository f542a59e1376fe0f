// RUN: tensoraccess-opt %s --tensoraccess-parallelize-kernels="target=x86-64-v4 cores=2" --canonicalize | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-parallelize-kernels="target=x86-64-v4 cores=1" | FileCheck %s --check-prefix=ONE

// ONE-NOT: scf.forall

// Columns are cut, so that no part copies another's panels; the fill goes along.
// CHECK-LABEL: @product
// CHECK: scf.forall (%[[PART:.*]]) in ([[COUNT:[248]]])
// CHECK-DAG: %[[W:.*]] = memref.subview %arg1[0, %{{.*}}] [256, [[SIZE:.*]]] [1, 1]
// CHECK-DAG: %[[Y:.*]] = memref.subview %arg2[0, %{{.*}}] [512, [[SIZE]]] [1, 1]
// CHECK: linalg.fill {{.*}} outs(%[[Y]]
// CHECK-NEXT: linalg.matmul ins(%arg0, %[[W]] {{.*}} outs(%[[Y]]
func.func @product(%x: memref<512x256xf32>, %w: memref<256x512xf32>,
                   %y: memref<512x512xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<512x512xf32>)
  linalg.matmul ins(%x, %w : memref<512x256xf32>, memref<256x512xf32>)
                outs(%y : memref<512x512xf32>)
  return
}

// Rows of the image with those that windows reach; the buffer between sum and
// elementwise op is each part's own.
// CHECK-LABEL: @window
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[PART:.*]]) in
// CHECK-DAG: %[[X:.*]] = memref.subview %arg0[0, %{{.*}}, 0, 0] [1, {{[0-9]+}}, 58, 32]
// CHECK-DAG: %[[OWN:.*]] = memref.alloc() : memref<1x{{[0-9]+}}x56x32xf32>
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} ins(%[[X]], %arg1
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[OWN]]
// CHECK: memref.dealloc %[[OWN]]
func.func @window(%x: memref<1x58x58x32xf32>, %w: memref<3x3x32x32xf32>,
                  %y: memref<1x56x56x32xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1x56x56x32xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<1x56x56x32xf32>)
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>,
                            dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : memref<1x58x58x32xf32>, memref<3x3x32x32xf32>)
      outs(%s : memref<1x56x56x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>,
                                   affine_map<(n, h, w, c) -> (n, h, w, c)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : memref<1x56x56x32xf32>) outs(%y : memref<1x56x56x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %zero : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %s : memref<1x56x56x32xf32>
  return
}

// Two sizes of parts; indices are those of the whole.
// CHECK-LABEL: @odd
// CHECK: scf.forall (%[[PART:.*]]) in
// CHECK: scf.if
// CHECK: linalg.generic
// CHECK: linalg.index 0
// CHECK: affine.apply
// CHECK: } else {
// CHECK: linalg.generic
func.func @odd(%y: memref<1021x1021xi64> {llvm.noalias}) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<1021x1021xi64>) {
  ^bb0(%b: i64):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i64
    linalg.yield %0 : i64
  }
  return
}

// Little work; a body that writes; a sum into one element; what may overlap an
// input.
// CHECK-LABEL: @stay
// CHECK-NOT: scf.forall
// CHECK: return
func.func @stay(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %big: memref<2048x2048xf32> {llvm.noalias},
                %one: memref<f32> {llvm.noalias}, %in: memref<2048x2048xf32>,
                %out: memref<2048x2048xf32>) {
  linalg.exp ins(%in : memref<2048x2048xf32>) outs(%out : memref<2048x2048xf32>)
  linalg.add ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%big : memref<2048x2048xf32>) {
  ^bb0(%b: f32):
    memref.store %b, %x[%c0, %c0] : memref<8x8xf32>
    linalg.yield %b : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%big : memref<2048x2048xf32>) outs(%one : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// Asserts: along the first loop, in whose order they fail.
// CHECK-LABEL: @asserts
// CHECK: scf.forall
// CHECK: memref.subview %arg0[%{{.*}}, 0]
func.func @asserts(%x: memref<2x1000000xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%x : memref<2x1000000xf32>) {
  ^bb0(%b: f32):
    %c = arith.cmpf ogt, %b, %zero : f32
    cf.assert %c, "not positive"
    linalg.yield %b : f32
  }
  return
}

// A sum of rank 0 and what follows it: no loop runs along the result, which has
// no dimension.
// CHECK-LABEL: @one_element
// CHECK-NOT: scf.forall
// CHECK: linalg.fill
// CHECK: iterator_types = ["reduction", "reduction"]
// CHECK: iterator_types = []
func.func @one_element(%x: memref<2048x2048xf32>,
                       %one: memref<f32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                   affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<2048x2048xf32>) outs(%sum : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
                  iterator_types = []}
      ins(%sum : memref<f32>) outs(%one : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %sum : memref<f32>
  return
}

// No function of the host's.
// CHECK-LABEL: gpu.module @device
// CHECK-NOT: scf.forall
gpu.module @device {
  gpu.func @fill(%x: memref<2048x2048xf32>) {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%x : memref<2048x2048xf32>)
    gpu.return
  }
}

// A size that a type leaves out follows from another operand's.
// CHECK-LABEL: @unknown
// CHECK: scf.forall (%[[PART:.*]]) in
// CHECK-DAG: memref.subview %arg0[%{{.*}}, 0] [[[ROWS:[0-9]+]], 512] [1, 1] : memref<?x512xf32>
// CHECK-DAG: memref.subview %arg1[%{{.*}}, 0] [[[ROWS]], 512] [1, 1] : memref<512x512xf32>
// CHECK: linalg.exp
func.func @unknown(%x: memref<?x512xf32>,
                   %y: memref<512x512xf32> {llvm.noalias}) {
  linalg.exp ins(%x : memref<?x512xf32>) outs(%y : memref<512x512xf32>)
  return
}

// A sum is not cut if nothing tells the sizes of its fill; what reads it is.
// CHECK-LABEL: @between
// CHECK: memref.alloc(%{{.*}}) : memref<?x512xf32>
// CHECK-NOT: scf.forall
// CHECK: linalg.matmul
// CHECK-NEXT: scf.forall
// CHECK-NOT: memref.alloc
// CHECK: linalg.generic
func.func @between(%x: memref<512x256xf32>, %w: memref<256x512xf32>, %n: index,
                   %y: memref<512x512xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc(%n) : memref<?x512xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<?x512xf32>)
  linalg.matmul ins(%x, %w : memref<512x256xf32>, memref<256x512xf32>)
                outs(%t : memref<?x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<?x512xf32>) outs(%y : memref<512x512xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %t : memref<?x512xf32>
  return
}
