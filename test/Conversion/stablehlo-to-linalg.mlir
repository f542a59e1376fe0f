// What StableHLO in generic form becomes. What it computes is tested by running
// (Execution/StableHloTest.cpp).
// RUN: tensoraccess-opt %s --tensoraccess-stablehlo-to-linalg=strict=true \
// RUN:   | FileCheck %s

// The result's dimensions are parallel loops, contracted ones reductions;
// elements are converted to the result's type first.
// CHECK-DAG: #[[$LHS:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$RHS:.+]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$OUT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$TURN:.+]] = affine_map<(d0, d1) -> (-d0 + 2, d1)>
// CHECK-DAG: #[[$SPREAD:.+]] = affine_map<(d0, d1, d2) -> (d1, 0)>
// CHECK-DAG: #[[$GROUPS:.+]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2, d5)>
// CHECK-LABEL: func.func @dot
// CHECK: linalg.generic {indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli
func.func @dot(%a: tensor<3x5xi8>, %b: tensor<5x7xi8>) -> tensor<3x7xi32> {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x5xi8>, tensor<5x7xi8>) -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// Groups have a dimension of their own, on both sides.
// CHECK-LABEL: func.func @groups
// CHECK: tensor.pad %{{.*}} low[0, 1, 0] high[0, 1, 0]
// CHECK: tensor.expand_shape {{.*}} into tensor<1x9x2x3xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<3x3x2x2xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$GROUPS]],
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x7x4xf32>
func.func @groups(%x: tensor<1x7x6xf32>, %w: tensor<3x3x4xf32>)
    -> tensor<1x7x4xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, padding = dense<1> : tensor<1x2xi64>}> : (tensor<1x7x6xf32>, tensor<3x3x4xf32>) -> tensor<1x7x4xf32>
  return %0 : tensor<1x7x4xf32>
}

// Movement reads through a map, or slices.
// CHECK-LABEL: func.func @movement
// CHECK: linalg.generic {indexing_maps = [#[[$TURN]],
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [2, 1] [1, 2]
// CHECK: linalg.generic {indexing_maps = [#[[$SPREAD]],
func.func @movement(%a: tensor<3x2xf32>) -> tensor<5x2x3xf32> {
  %0 = "stablehlo.reverse"(%a) <{dimensions = array<i64: 0>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.slice"(%0) <{limit_indices = array<i64: 3, 2>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<3x2xf32>) -> tensor<2x1xf32>
  %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<2x1xf32>) -> tensor<5x2x3xf32>
  return %2 : tensor<5x2x3xf32>
}

// Unsigned integers become signless; the op stays unsigned.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%{{.*}}: tensor<3xi32> {tensoraccess.element_type = ui32}) -> tensor<3xf32>
// CHECK: arith.shrui
// CHECK: arith.uitofp
func.func @unsigned(%a: tensor<3xui32>) -> tensor<3xf32> {
  %0 = "stablehlo.constant"() <{value = dense<2> : tensor<3xui32>}> : () -> tensor<3xui32>
  %1 = "stablehlo.shift_right_logical"(%a, %0) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
  %2 = "stablehlo.convert"(%1) : (tensor<3xui32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// Sizes known only at run time are taken from the operands.
// CHECK-LABEL: func.func @dynamic
// CHECK: tensor.dim %[[A:.*]], %{{.*}} : tensor<?x5xf32>
// CHECK: tensor.empty(%{{.*}}) : tensor<?x7xf32>
// CHECK: math.tanh
func.func @dynamic(%a: tensor<?x5xf32>, %b: tensor<5x7xf32>)
    -> tensor<?x7xf32> {
  %0 = "stablehlo.dot"(%a, %b) : (tensor<?x5xf32>, tensor<5x7xf32>) -> tensor<?x7xf32>
  %1 = "stablehlo.tanh"(%0) : (tensor<?x7xf32>) -> tensor<?x7xf32>
  return %1 : tensor<?x7xf32>
}

// A composite is what its decomposition computes; a barrier is nothing.
// CHECK-LABEL: func.func @composite
// CHECK: call @decomposition
func.func @composite(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.composite"(%a) <{decomposition = @decomposition, name = "some.name"}> : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.optimization_barrier"(%0) : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
func.func private @decomposition(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "chlo.square"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// An empty slice may start at the end.
// CHECK-LABEL: func.func @nothing
// CHECK: tensor.empty() : tensor<0xf32>
func.func @nothing(%x: tensor<5xf32>) -> tensor<0xf32> {
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 5>, limit_indices = array<i64: 5>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// Unsigned integers go wherever a type is written: of globals and constants, of
// buffers and patterns, of functions that are only named.
// CHECK: ml_program.global private mutable @state(dense<[3, -56]> : tensor<2xi8>) : tensor<2xi8>
// CHECK: ml_program.global private @scale(-1 : i8) : i8
// CHECK-LABEL: func.func @unsigned_everywhere
// CHECK-SAME: memref<2xi8>, %{{.*}}: tuple<i8>
// CHECK-SAME: (tensor<2xi8> {tensoraccess.element_type = ui8}, i8, i8, memref<2xi8>)
// CHECK-NOT: ui8
// CHECK: return
ml_program.global private mutable @state(dense<[3, 200]> : tensor<2xui8>) : tensor<2xui8>
ml_program.global private @scale(255 : ui8) : ui8
func.func private @named(tensor<2xui8>) -> memref<2xui8>
func.func @unsigned_everywhere(%m: memref<2xui8>, %t: tuple<ui8>) -> (tensor<2xui8>, ui8, ui8, memref<2xui8>) {
  %c0 = arith.constant 0 : index
  %0 = ml_program.global_load @state : tensor<2xui8>
  %1 = ml_program.global_load @scale : ui8
  %2 = arith.constant dense<[1, 255]> : tensor<2xui8>
  %3 = "stablehlo.add"(%0, %2) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %4 = tensoraccess.access %3 at 1 : tensor<2xui8> -> !tensoraccess.access<2 | ui8>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<2 | ui8> -> tensor<2xui8>
  %6 = memref.load %m[%c0] : memref<2xui8>
  %f = func.constant @named : (tensor<2xui8>) -> memref<2xui8>
  %7 = func.call_indirect %f(%5) : (tensor<2xui8>) -> memref<2xui8>
  return %5, %1, %6, %7 : tensor<2xui8>, ui8, ui8, memref<2xui8>
}

// A scalar has no dimensions to transpose.
// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT: return %arg0
func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// An op that only moves elements has no converter of its own: its nest says which.
// CHECK-LABEL: func.func @moved_by_its_nest(
// CHECK: linalg.generic {indexing_maps = [#[[$LAST:.+]], #[[$BOTH:.+]]], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3xf32>)
func.func @moved_by_its_nest(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2>}> : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A window's loops are those of a tensor that is not read, of floats: one of
// booleans would keep the sums from vectors.
// CHECK-LABEL: func.func @window(
// CHECK: tensor.empty() : tensor<3xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
func.func @window(%x: tensor<9xf32>, %zero: tensor<f32>) -> tensor<7xf32> {
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<9xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// Whether a window is inside is known before the loop along it.
// CHECK-LABEL: func.func @scatter_rows(
// CHECK: scf.for
// CHECK: tensor.extract %arg1
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: scf.for
// CHECK-NEXT: scf.if %[[INSIDE]]
func.func @scatter_rows(%t: tensor<5x7xf32>, %i: tensor<3x1xi32>, %u: tensor<3x7xf32>)
    -> tensor<5x7xf32> {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
          index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<5x7xf32>, tensor<3x1xi32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
