// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=output-to-input | FileCheck %s

// Ops on access patterns leave a size alone that is known only at run time.
// CHECK-LABEL: func.func @batch
// CHECK: tensoraccess.access {{.*}}<(d0, d1, d2){n0} -> (d0, d1, d2), domain: d0 in [0, n0 - 1], d1 in [0, 7], d2 in [0, 2], n0 in [1, inf]>
// CHECK: tensoraccess.pad {{.*}}<(d0, d1, d2){n0} -> (d0, d1 - 1, d2), domain: d0 in [0, n0 - 1], d1 in [1, 8], d2 in [0, 2], n0 in [1, inf]>
// CHECK: tensoraccess.windows {{.*}}<(d0, d1, d2, d3, d4){n0} -> (d0, d1 + d3, d4), domain: d0 in [0, n0 - 1], d1 in [0, 7], d2 in [0, 0], d3 in [0, 2], d4 in [0, 2], n0 in [1, inf]>
// CHECK: tensoraccess.pair {{.*}}<(d0, d1, d2, d3){n0} -> (d0, d2, d3), domain: d0 in [0, n0 - 1], d1 in [0, 0], {{.*}}<(d0, d1, d2, d3){n0} -> (d0, d2, d3), domain: d0 in [0, n0 - 1], d1 in [1, 1],
// CHECK: tensoraccess.compute dot_prod {{.*}}<(d0)[s0, s1, s2]{n0} -> (d0, s0, s1, s2), domain: d0 in [0, n0 - 1], s0 in [0, 1], s1 in [0, 7], s2 in [0, 2], n0 in [1, inf]>
// CHECK: tensoraccess.transpose {{.*}}<(d0, d1, d2){n0} -> (d1, d2, d0), domain: d0 in [0, 2], d1 in [0, n0 - 1], d2 in [0, 7], n0 in [1, inf]>
// CHECK: tensoraccess.concat {{.*}}<(d0, d1, d2){n0} -> (d0, d1, d2), {{.*}}<(d0, d1, d2){n0, n1} -> (d0 - n0, d1, d2), domain: d0 in [n0, n0 + n1 - 1],
// CHECK: tensoraccess.slice {{.*}}<(d0, d1, d2){n0} -> (d0, d1 + 2, d2), domain: d0 in [0, n0 - 1], d1 in [0, 3], d2 in [0, 2], n0 in [1, inf]>
// CHECK: tensoraccess.cart_prod {{.*}}<(d0, d1, d2, d3, d4){n0, n1} -> (d0, d3, d4), domain: d0 in [0, n0 - 1], d1 in [0, n1 - 1], d2 in [0, 0], {{.*}}<(d0, d1, d2, d3, d4){n0, n1} -> (d1, d3, d4), domain: d0 in [0, n0 - 1], d1 in [0, n1 - 1], d2 in [1, 1],
// CHECK: tensoraccess.flatten {{.*}}<(d0, d1){n0} -> (d0, d1 floordiv 3, d1 mod 3), domain: d0 in [0, n0 - 1], d1 in [0, 23], n0 in [1, inf]>
func.func @batch(%x: tensor<?x8x3xf32>, %y: !tensoraccess.access<? | 8x3xf32>) {
  %0 = tensoraccess.access %x at 1
     : tensor<?x8x3xf32> -> !tensoraccess.access<? | 8x3xf32>
  %1 = tensoraccess.pad %0 low = [0, 1, 0] high = [0, 1, 0] value = 0.0 : f32
     : !tensoraccess.access<? | 8x3xf32> -> !tensoraccess.access<? | 10x3xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3] strides = [1, 1]
     : !tensoraccess.access<? | 10x3xf32> -> !tensoraccess.access<?x8x1 | 3x3xf32>
  %3 = tensoraccess.pair %0, %y
     : !tensoraccess.access<? | 8x3xf32>, !tensoraccess.access<? | 8x3xf32>
    -> !tensoraccess.access<? | 2x8x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<? | 2x8x3xf32> -> !tensoraccess.access<? | f32>
  %5 = tensoraccess.transpose %0 perm = [2, 0, 1]
     : !tensoraccess.access<? | 8x3xf32> -> !tensoraccess.access<3 | ?x8xf32>
  %6 = tensoraccess.concat %0, %y axis 0
     : !tensoraccess.access<? | 8x3xf32>, !tensoraccess.access<? | 8x3xf32>
    -> !tensoraccess.access<? | 8x3xf32>
  %7 = tensoraccess.slice %0 offsets = [0, 2, 0] sizes = [-1, 4, 3]
     : !tensoraccess.access<? | 8x3xf32> -> !tensoraccess.access<? | 4x3xf32>
  %8 = tensoraccess.cart_prod %0, %y
     : !tensoraccess.access<? | 8x3xf32>, !tensoraccess.access<? | 8x3xf32>
    -> !tensoraccess.access<?x? | 2x8x3xf32>
  %9 = tensoraccess.flatten %0
     : !tensoraccess.access<? | 8x3xf32> -> !tensoraccess.access<? | 24xf32>
  return
}

// Those that compute with it do not say what they read.
// CHECK-LABEL: func.func @computed
// CHECK: tensoraccess.pad {{.*}}<unknown>
// CHECK: tensoraccess.slice {{.*}}<unknown>
// CHECK: tensoraccess.windows {{.*}}<unknown>
func.func @computed(%p: !tensoraccess.access<| ?xf32>) {
  %0 = tensoraccess.pad %p low = [1] high = [0] value = 0.0 : f32
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.slice %p offsets = [2] sizes = [-1]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| ?xf32>
  %2 = tensoraccess.windows %p shape = [3] strides = [1]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 3xf32>
  return
}
