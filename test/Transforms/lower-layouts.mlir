// The three ways to write a relayout, and arithmetic on indices.
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts --split-input-file | FileCheck %s --check-prefixes=CHECK,PACK
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts=way=steps --split-input-file | FileCheck %s --check-prefixes=CHECK,STEPS
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts="way=loops max-vector-elements=1024" --split-input-file | FileCheck %s --check-prefixes=CHECK,LOOPS

// CHECK-LABEL: @pack(
// PACK: linalg.pack %{{.*}} padding_value(%{{.*}} : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128] into %{{.*}} : tensor<19x140xf32> -> tensor<18x1x8x128xf32>
// STEPS: linalg.transpose
// STEPS: tensor.pad %{{.*}} low[0, 0] high[4, 109]
// STEPS: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [18, 8, 1, 128]
// STEPS: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// LOOPS-COUNT-4: scf.for
// LOOPS: vector.transfer_read %{{.*}} : tensor<19x140xf32>, vector<128x8xf32>
// LOOPS: vector.transpose %{{.*}}, [1, 0] : vector<128x8xf32> to vector<8x128xf32>
// LOOPS: vector.transfer_write %{{.*}} {in_bounds = [true, true, true, true]} : vector<1x1x8x128xf32>, tensor<18x1x8x128xf32>
// CHECK: return
func.func @pack(%x: tensor<19x140xf32>) -> tensor<19x140xf32> {
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<19x140xf32> to tensor<140x19xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<140x19xf32, #tensoraccess.layout<{1,0:T(8,128)}>> to tensor<19x140xf32>
  return %1 : tensor<19x140xf32>
}

// -----

// A second tile rearranges what a vector holds.
// CHECK-LABEL: @twice(
// PACK-COUNT-2: linalg.pack
// PACK-COUNT-2: linalg.unpack
// STEPS-NOT: tensor.pad
// LOOPS: vector.transfer_read %{{.*}} {in_bounds = [true, true]} : tensor<16x256xbf16>, vector<8x128xbf16>
// LOOPS: vector.shape_cast %{{.*}} : vector<8x128xbf16> to vector<4x2x128x1xbf16>
// LOOPS: vector.transpose %{{.*}}, [0, 2, 1, 3]
// LOOPS: vector.transfer_write %{{.*}} : vector<1x1x4x128x2x1xbf16>, tensor<2x2x4x128x2x1xbf16>
// CHECK: return
func.func @twice(%x: tensor<16x256xbf16>) -> tensor<16x256xbf16> {
  %0 = tensoraccess.relayout %x : tensor<16x256xbf16> to tensor<16x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  %1 = tensoraccess.relayout %0 : tensor<16x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>> to tensor<16x256xbf16>
  return %1 : tensor<16x256xbf16>
}

// -----

// CHECK-LABEL: @transposed(
// PACK: linalg.transpose
// STEPS: linalg.transpose
// LOOPS: vector.transfer_read %{{.*}} : tensor<37x41xf32>, vector<32x32xf32>
// LOOPS: vector.transpose %{{.*}}, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
// CHECK: return
func.func @transposed(%x: tensor<37x41xf32>) -> tensor<41x37xf32> {
  %0 = tensoraccess.relayout %x permutation = [1, 0] : tensor<37x41xf32> to tensor<41x37xf32>
  return %0 : tensor<41x37xf32>
}

// -----

// A map that is affine stays one; operands that may not stand in one do not.
// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-LABEL: @maps(
// CHECK-SAME: %[[I:.*]]: index, %[[J:.*]]: index
// CHECK: affine.apply #[[MAP]](%[[I]], %[[J]])
// CHECK: arith.maxsi
// CHECK-NOT: tensoraccess
func.func @maps(%i: index, %j: index) -> (index, index) {
  %0 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 2]>(%i)[%j]
  %1 = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0, d1) -> (max(d0, d1)), domain: d0 in [0, 9], d1 in [0, 9]>(%i, %j)
  return %0, %1 : index, index
}

// -----

// Sizes that divide are not 0 at run time either.
// CHECK-LABEL: @delinearize(
// CHECK: arith.cmpi ult
// CHECK: arith.maxui
// CHECK: arith.select
// CHECK-NOT: tensoraccess
func.func @delinearize(%n: index, %m: index) -> (index, index, i1) {
  %0:3 = tensoraccess.delinearize %n in #tensoraccess.layout<{1,0}> of [3, %m]
  return %0#0, %0#1, %0#2 : index, index, i1
}

// -----

// The size of a tensor is not that of its tiles.
// CHECK-LABEL: @size(
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: return %[[N]], %{{.*}} : index, index
func.func @size(%x: tensor<?x5xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensoraccess.relayout %x
     : tensor<?x5xf32> to tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,8)}>>
  %n = tensor.dim %0, %c0 : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,8)}>>
  %m = tensor.dim %0, %c1 : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,8)}>>
  return %n, %m : index, index
}
