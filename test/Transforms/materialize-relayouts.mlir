// Both ways to write a relayout, and arithmetic on indices.
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts --split-input-file | FileCheck %s --check-prefixes=CHECK,PACK
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts=way=steps --split-input-file | FileCheck %s --check-prefixes=CHECK,STEPS
// The former name.
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts=way=steps --split-input-file | FileCheck %s --check-prefixes=CHECK,STEPS

// The transpose is part of the move, there and back.
// CHECK-LABEL: @pack(
// PACK: linalg.pack %{{.*}} padding_value(%{{.*}} : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128] into %{{.*}} : tensor<259x140xf32> -> tensor<18x3x8x128xf32>
// PACK: linalg.unpack {{.*}} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 128]
// STEPS-NOT: linalg.transpose
// STEPS: tensor.pad %{{.*}} low[0, 0] high[125, 4]
// STEPS: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] output_shape [3, 128, 18, 8]
// STEPS: linalg.transpose {{.*}} permutation = [2, 0, 3, 1]
// STEPS: linalg.transpose {{.*}} permutation = [1, 3, 0, 2]
// STEPS: tensor.extract_slice
// CHECK: return
func.func @pack(%x: tensor<259x140xf32>) -> tensor<259x140xf32> {
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<259x140xf32> to tensor<140x259xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<140x259xf32, #tensoraccess.layout<{1,0:T(8,128)}>> to tensor<259x140xf32>
  return %1 : tensor<259x140xf32>
}

// -----

// Tiles of tiles are one transpose.
// CHECK-LABEL: @twice(
// CHECK-NOT: tensor.pad
// CHECK: tensor.expand_shape {{.*}} output_shape [2, 4, 2, 2, 128]
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 4, 2]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.transpose {{.*}} permutation = [0, 2, 4, 1, 3]
// CHECK: return
func.func @twice(%x: tensor<16x256xbf16>) -> tensor<16x256xbf16> {
  %0 = tensoraccess.relayout %x : tensor<16x256xbf16> to tensor<16x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  %1 = tensoraccess.relayout %0 : tensor<16x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>> to tensor<16x256xbf16>
  return %1 : tensor<16x256xbf16>
}

// -----

// CHECK-LABEL: @transposed(
// CHECK: linalg.transpose
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

// -----

// A size that is asked for by a number that only the run knows.
// CHECK-LABEL: @some_size(
// CHECK: tensor.dim
// CHECK: return
func.func @some_size(%x: tensor<?x5xf32>, %i: index) -> index {
  %0 = tensoraccess.relayout %x : tensor<?x5xf32> to tensor<?x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %n = tensor.dim %0, %i : tensor<?x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  return %n : index
}

// -----

// CHECK-LABEL: @signs(
// CHECK: tensor.bitcast %{{.*}} : tensor<4xui32> to tensor<4xi32>
// CHECK: arith.bitcast %{{.*}} : tensor<4xi32> to tensor<4xf32>
func.func @signs(%x: tensor<4xui32>) -> tensor<4xf32> {
  %0 = tensoraccess.bitcast %x : tensor<4xui32> to tensor<4xi32>
  %1 = tensoraccess.bitcast %0 : tensor<4xi32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
