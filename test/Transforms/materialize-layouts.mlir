// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-materialize-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-materialize-layouts="way=steps" | FileCheck %s --check-prefix=SPELT
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-materialize-layouts --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A reduction over a dimension with padding is masked.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-DAG: #[[$R:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: @sum
// CHECK: linalg.pack %arg0 padding_value({{.*}}) outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16] {{.*}} tensor<5x30xf32> -> tensor<2x5x16xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$X]], #[[$R]]], iterator_types = ["parallel", "reduction", "reduction"]}
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[I:.*]] = arith.cmpi ult, %{{.*}}, %c30
// CHECK: %[[Y:.*]] = arith.select %[[I]], %[[S]], %out
// CHECK: linalg.yield %[[Y]]
// SPELT-LABEL: @sum
// SPELT: tensor.pad %arg0 low[0, 0] high[0, 2]
// SPELT: tensor.expand_shape {{.*}} tensor<5x32xf32> into tensor<5x2x16xf32>
// SPELT: linalg.transpose
func.func @sum(%x: tensor<5x30xf32>, %i: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<5x30xf32> to tensor<5x30xf32, #tensoraccess.layout<{0,1:T(16,1)}>>
  %1 = linalg.reduce
       ins(%0 : tensor<5x30xf32, #tensoraccess.layout<{0,1:T(16,1)}>>)
       outs(%i : tensor<5xf32>) dimensions = [1]
       (%in: f32, %out: f32) {
         %s = arith.addf %out, %in : f32
         linalg.yield %s : f32
       }
  return %1 : tensor<5xf32>
}

// -----

// Arguments and results have every dimension of the tiled shape.
// CHECK-LABEL: @border(%arg0: tensor<1x4x6x7x16x1x1xf32>) -> tensor<1x4x6x7x16x1x1xf32>
// CHECK: tensor.collapse_shape %arg0
// CHECK: arith.negf %{{.*}} : tensor<1x4x6x7x16xf32>
func.func @border(
    %x: tensor<1x64x6x7xf32, #tensoraccess.layout<{3,2,1,0:T(16,1,1)}>>)
    -> tensor<1x64x6x7xf32, #tensoraccess.layout<{3,2,1,0:T(16,1,1)}>> {
  %0 = arith.negf %x
     : tensor<1x64x6x7xf32, #tensoraccess.layout<{3,2,1,0:T(16,1,1)}>>
  return %0 : tensor<1x64x6x7xf32, #tensoraccess.layout<{3,2,1,0:T(16,1,1)}>>
}

// -----

// A division of integers could trap on the zeros of padding.
// CHECK-LABEL: @trap
// CHECK: arith.divsi %{{.*}} : tensor<5x30xi32>
// REMARK: wrapped | {{.*}}Reason="it could fail on padding", Remark="arith.divsi works on row-major tensors"
func.func @trap(%x: tensor<5x30xi32, #tensoraccess.layout<{1,0:T(2,16)}>>)
    -> tensor<5x30xi32, #tensoraccess.layout<{1,0:T(2,16)}>> {
  %0 = arith.divsi %x, %x : tensor<5x30xi32, #tensoraccess.layout<{1,0:T(2,16)}>>
  return %0 : tensor<5x30xi32, #tensoraccess.layout<{1,0:T(2,16)}>>
}

// -----

// What a loop carries is row-major.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<4x6xf32>)
// REMARK: wrapped | {{.*}}Remark="scf.for works on row-major tensors"
func.func @carried(%x: tensor<4x6xf32, #tensoraccess.layout<{0,1}>>, %n: index)
    -> tensor<4x6xf32, #tensoraccess.layout<{0,1}>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x)
         -> (tensor<4x6xf32, #tensoraccess.layout<{0,1}>>) {
    %1 = arith.negf %a : tensor<4x6xf32, #tensoraccess.layout<{0,1}>>
    scf.yield %1 : tensor<4x6xf32, #tensoraccess.layout<{0,1}>>
  }
  return %0 : tensor<4x6xf32, #tensoraccess.layout<{0,1}>>
}

// -----

// Another order of dynamic sizes.
// CHECK-LABEL: @dynamic(%arg0: tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK: arith.negf %arg0 : tensor<?x4xf32>
func.func @dynamic(%x: tensor<4x?xf32, #tensoraccess.layout<{0,1}>>)
    -> tensor<4x?xf32, #tensoraccess.layout<{0,1}>> {
  %0 = arith.negf %x : tensor<4x?xf32, #tensoraccess.layout<{0,1}>>
  return %0 : tensor<4x?xf32, #tensoraccess.layout<{0,1}>>
}

// -----

// What a wrapped op makes is row-major memory, also where its layout moves
// nothing.
// CHECK-LABEL: @view_after_wrap
// CHECK: %[[P:.*]] = tensor.pad %{{.*}} low[0] high[2]
// CHECK: : tensor<7xf32> to tensor<9xf32>
// CHECK: return %[[P]] : tensor<9xf32>
func.func @view_after_wrap(%x: tensor<7xf32, #tensoraccess.layout<{0:T(2)}>>)
    -> tensor<9xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<7xf32, #tensoraccess.layout<{0:T(2)}>>
      to tensor<9xf32, #tensoraccess.layout<{0:T(3)}>>
  %r = tensoraccess.relayout %p
     : tensor<9xf32, #tensoraccess.layout<{0:T(3)}>> to tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

// More tiles than hold elements are not linalg.pack.
// CHECK-LABEL: @tile_of_tiles
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad {{.*}} high[5, 0]
// CHECK: linalg.transpose ins({{.*}} : tensor<4x2x2xf32>)
// CHECK: return {{.*}} : tensor<1x1x4x2x2x1xf32>
func.func @tile_of_tiles(%x: tensor<3x2xf32>)
    -> tensor<3x2xf32, #tensoraccess.layout<{1,0:T(8,2)(2,1)}>> {
  %r = tensoraccess.relayout %x : tensor<3x2xf32>
    to tensor<3x2xf32, #tensoraccess.layout<{1,0:T(8,2)(2,1)}>>
  return %r : tensor<3x2xf32, #tensoraccess.layout<{1,0:T(8,2)(2,1)}>>
}

// -----

// Functions that are values have the types of their borders, as what is called has.
// CHECK-LABEL: @apply
// CHECK-SAME: %[[F:.*]]: (tensor<2x3x2x2xf32>) -> tensor<5x3xf32>, %[[X:.*]]: tensor<2x3x2x2xf32>)
// CHECK: call_indirect %[[F]](%[[X]]) : (tensor<2x3x2x2xf32>) -> tensor<5x3xf32>
// CHECK-LABEL: @choose
// CHECK: %[[G:.*]] = constant @negate : (tensor<2x3x2x2xf32>) -> tensor<5x3xf32>
// CHECK: arith.select %{{.*}}, %[[G]], %{{.*}} : (tensor<2x3x2x2xf32>) -> tensor<5x3xf32>
// CHECK: call @apply
// CHECK: constant @strided : (tensor<5x3xf32>) -> tensor<5x3xf32>
#tiles = #tensoraccess.layout<{1,0:T(2,2)}>
#turned = #tensoraccess.layout<{0,1}>
func.func private @negate(tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>
func.func private @strided(tensor<3x5xf32, #tensoraccess.strided<(3, 5):(1, 3)>>)
    -> tensor<3x5xf32, #turned>
func.func private @apply(
    %f: (tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>,
    %x: tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned> {
  %y = func.call_indirect %f(%x)
      : (tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>
  return %y : tensor<3x5xf32, #turned>
}
func.func @choose(%x: tensor<3x5xf32, #tiles>, %c: i1,
                  %h: (tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>,
                  %s: tensor<3x5xf32, #tensoraccess.strided<(3, 5):(1, 3)>>)
    -> tensor<3x5xf32, #turned> {
  %g = func.constant @negate
      : (tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>
  %f = arith.select %c, %g, %h
      : (tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>
  %y = func.call @apply(%f, %x)
      : ((tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>,
         tensor<3x5xf32, #tiles>) -> tensor<3x5xf32, #turned>
  %k = func.constant @strided
      : (tensor<3x5xf32, #tensoraccess.strided<(3, 5):(1, 3)>>)
      -> tensor<3x5xf32, #turned>
  %z = func.call_indirect %k(%s)
      : (tensor<3x5xf32, #tensoraccess.strided<(3, 5):(1, 3)>>)
      -> tensor<3x5xf32, #turned>
  %r = arith.addf %y, %z : tensor<3x5xf32, #turned>
  return %r : tensor<3x5xf32, #turned>
}
