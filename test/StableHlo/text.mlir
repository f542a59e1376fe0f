// StableHLO, CHLO and Shardy are read and printed in ordinary form, here one op of
// each kind of form; bench/hlo_text.py compares all with jaxlib.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s -o %t.mlir
// RUN: tensoraccess-opt %t.mlir | diff %t.mlir -
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | diff %t.mlir -
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | diff %t.mlir -
// RUN: tensoraccess-index %s | diff %t.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | diff %t.mlir -
// RUN: tensoraccess-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
// GENERIC: "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>, sym_name = "mesh"}> : () -> ()
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>

// CHECK-LABEL: func.func @same
// GENERIC: sym_name = "same"
func.func @same(%x: tensor<3xf32>, %q: tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf32> {
  // CHECK: stablehlo.add %arg0, %arg0 {mhlo.note = "n"} : tensor<3xf32>
  // GENERIC: "stablehlo.add"({{.*}}) {mhlo.note = "n"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %0 = stablehlo.add %x, %x {mhlo.note = "n"} : tensor<3xf32>
  // CHECK: stablehlo.uniform_dequantize %arg1 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xf32>
  %1 = stablehlo.uniform_dequantize %q : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<3xf32>
  // CHECK: stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
  // GENERIC: "stablehlo.tanh"({{.*}}) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2,
  %2 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
  // CHECK: stablehlo.clamp %0, %1, %2 : tensor<3xf32>
  %3 = stablehlo.clamp %0, %1, %2 : tensor<3xf32>
  // CHECK: stablehlo.complex %arg0, %3 : tensor<3xcomplex<f32>>
  %4 = stablehlo.complex %x, %3 : tensor<3xcomplex<f32>>
  // CHECK: chlo.erf %arg0 : tensor<3xf32> -> tensor<3xf32>
  %5 = chlo.erf %x : tensor<3xf32> -> tensor<3xf32>
  // CHECK: chlo.broadcast_add %arg0, %5 {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %6 = chlo.broadcast_add %x, %5 {broadcast_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %6 : tensor<3xf32>
}

// CHECK-LABEL: func.func @constants
// GENERIC: sym_name = "constants"
func.func @constants() -> (tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  // CHECK: %c = stablehlo.constant dense<1> : tensor<i32>
  // GENERIC: "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0 = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: %cst = stablehlo.constant {note} dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf32>
  %1 = stablehlo.constant {note} dense<[0.0, 1.0]> : tensor<2xf32>
  // CHECK: stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  %2 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01>>
  // CHECK: chlo.constant dense<2.000000e+00> : tensor<f32>
  %3 = chlo.constant dense<2.0> : tensor<f32>
  return %0, %1, %3, %2 : tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// CHECK-LABEL: func.func @movement
// GENERIC: sym_name = "movement"
func.func @movement(%x: tensor<4x6xf32>, %i: tensor<i32>, %f: tensor<f32>) -> tensor<4x6xf32> {
  // CHECK: stablehlo.slice %arg0 [0:4:2, 1:6] : (tensor<4x6xf32>) -> tensor<2x5xf32>
  // GENERIC: <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 1>, strides = array<i64: 2, 1>}>
  %0 = stablehlo.slice %x [0:4:2, 1:6] : (tensor<4x6xf32>) -> tensor<2x5xf32>
  // CHECK: stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [2, 3] :
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.dynamic_slice %arg2, sizes = [] : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dynamic_slice %f, , sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.concatenate %0, %1, dim = 1 :
  // GENERIC: "stablehlo.concatenate"({{.*}}) <{dimension = 1 : i64}>
  %3 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x5xf32>, tensor<2x3xf32>) -> tensor<2x8xf32>
  // CHECK: stablehlo.pad %arg0, %arg2, low = [0, 1], high = [2, -1], interior = [0, 1] :
  %4 = stablehlo.pad %x, %f, low = [0, 1], high = [2, -1], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6x11xf32>
  // CHECK: stablehlo.iota dim = 0 : tensor<3xi32>
  %5 = stablehlo.iota dim = 0 : tensor<3xi32>
  // CHECK: stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %6 = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<3xf32>
  // CHECK: stablehlo.reverse %arg0, dims = [0, 1] : tensor<4x6xf32>
  %7 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
  // CHECK: "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<
  %8 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<3x6xf32>
  return %7 : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @scalars
// GENERIC: sym_name = "scalars"
func.func @scalars(%x: tensor<3xf32>, %p: tensor<3xi1>, %s: tensor<2xui64>) -> tensor<3xf32> {
  // CHECK: stablehlo.compare LT, %arg0, %arg0, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}>
  %0 = stablehlo.compare LT, %x, %x, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: stablehlo.compare NE, %arg0, %arg0 :
  %1 = stablehlo.compare NE, %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: stablehlo.select %arg1, %arg0, %arg0 : tensor<3xi1>, tensor<3xf32>
  %2 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<3xf32>
  // CHECK: stablehlo.reduce_precision %arg0, format = e8m7 : tensor<3xf32>
  // GENERIC: <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}>
  %3 = stablehlo.reduce_precision %x, format = e8m7 : tensor<3xf32>
  // CHECK: %output_state, %output = stablehlo.rng_bit_generator %arg2, algorithm = THREE_FRY :
  %4:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  // CHECK: stablehlo.fft %{{.*}}, type = FFT, length = [3] :
  %5 = stablehlo.complex %x, %x : tensor<3xcomplex<f32>>
  %6 = stablehlo.fft %5, type = FFT, length = [3] : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %3 : tensor<3xf32>
}

// CHECK-LABEL: func.func @contractions
// GENERIC: sym_name = "contractions"
func.func @contractions(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %i: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<2x3x5xf32> {
  // CHECK: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] :
  // GENERIC: <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}>
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> :
  // GENERIC: <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, {{.*}}>, dot_dimension_numbers = #stablehlo.dot<>}>
  %1 = stablehlo.dot_general %x, %y, contracting_dims = [] x [], algorithm = <
    lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
    lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
    allow_imprecise_accumulation = false
  > : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4x2x4x5xf32>
  // CHECK: stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[}}[1, 1], [0, 2]], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
  // GENERIC: dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
  // GENERIC-SAME: padding = dense<{{\[}}[1, 1], [0, 2]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 1>}>
  %2 = stablehlo.convolution(%i, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x8x4xf32>
  return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func.func @bodies
// GENERIC: sym_name = "bodies"
func.func @bodies(%x: tensor<3x5xf32>, %z: tensor<f32>, %n: tensor<i32>) -> tensor<3xf32> {
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  // GENERIC: "stablehlo.reduce"({{.*}}) <{dimensions = array<i64: 1>}> ({
  // GENERIC-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
  // GENERIC-NEXT: %[[MAX:.*]] = "stablehlo.maximum"(%[[A]], %[[B]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // GENERIC-NEXT: "stablehlo.return"(%[[MAX]]) : (tensor<f32>) -> ()
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: stablehlo.reduce(%arg0 init: %arg1), (%arg0 init: %arg1) across dimensions = [0] :
  // CHECK-NEXT: reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<f32>, %arg6: tensor<f32>) {
  // CHECK-NEXT: stablehlo.add %arg3, %arg5 : tensor<f32>
  %1:2 = stablehlo.reduce(%x init: %z), (%x init: %z) across dimensions = [0] : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<5xf32>, tensor<5xf32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.multiply %c, %d : tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }
  // CHECK: stablehlo.while(%iterArg = %arg2, %iterArg_0 = %0) : tensor<i32>, tensor<3xf32> attributes {note}
  // CHECK-NEXT: cond {
  // CHECK-NEXT: stablehlo.compare LT, %iterArg, %arg2 :
  // CHECK: } do {
  // CHECK-NEXT: stablehlo.return %iterArg, %iterArg_0 : tensor<i32>, tensor<3xf32>
  %2:2 = stablehlo.while(%i = %n, %v = %0) : tensor<i32>, tensor<3xf32> attributes {note}
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i, %v : tensor<i32>, tensor<3xf32>
  }
  // CHECK: chlo.scan(%arg0) inits (%1#0) dimension=0  attributes {is_reverse = true} {
  // CHECK-NEXT: ^bb0(%input: tensor<5xf32>, %carry: tensor<5xf32>):
  %3:2 = chlo.scan(%x) inits (%1#0) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<5xf32>, %b: tensor<5xf32>):
    %s = stablehlo.add %a, %b : tensor<5xf32>
    stablehlo.return %s, %s : tensor<5xf32>, tensor<5xf32>
  } : (tensor<3x5xf32>, tensor<5xf32>) -> (tensor<3x5xf32>, tensor<5xf32>)
  return %2#1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @calls
// GENERIC: sym_name = "calls"
func.func @calls(%x: tensor<3xf32>, %t: !stablehlo.token) -> tensor<3xf32> {
  // What is its default is not printed.
  // CHECK: stablehlo.custom_call @"a target"(%arg0) {api_version = 4 : i32, backend_config = {k = 1 : i64}} :
  // GENERIC: "stablehlo.custom_call"({{.*}}) <{api_version = 4 : i32, backend_config = {k = 1 : i64}, call_target_name = "a target", has_side_effect = false}>
  %0 = stablehlo.custom_call @"a target"(%x) {api_version = 4 : i32, backend_config = {k = 1 : i64}, has_side_effect = false} : (tensor<3xf32>) -> tensor<3xf32>
  // Symbols are in the dictionary, where MLIR finds their uses.
  // CHECK: stablehlo.composite "a.b" %arg0 {decomposition = @same} : (tensor<3xf32>) -> tensor<3xf32>
  // GENERIC: "stablehlo.composite"({{.*}}) <{name = "a.b"}> {decomposition = @same}
  %1 = stablehlo.composite "a.b" %x {decomposition = @same} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: stablehlo.after_all %arg1, %arg1 : !stablehlo.token
  %2 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK: stablehlo.optimization_barrier %arg0, %0 : tensor<3xf32>, tensor<3xf32>
  %3:2 = stablehlo.optimization_barrier %x, %0 : tensor<3xf32>, tensor<3xf32>
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  // CHECK: stablehlo.tuple %arg0, %arg1 : tuple<tensor<3xf32>, !stablehlo.token>
  %4 = stablehlo.tuple %x, %t : tuple<tensor<3xf32>, !stablehlo.token>
  // CHECK: stablehlo.get_tuple_element {{.*}}[0] : (tuple<tensor<3xf32>, !stablehlo.token>) -> tensor<3xf32>
  %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<3xf32>, !stablehlo.token>) -> tensor<3xf32>
  // CHECK: %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %6:2 = chlo.top_k(%x, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %5 : tensor<3xf32>
}

// CHECK-LABEL: func.func @shards
// CHECK-SAME: {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}
// GENERIC: sym_name = "shards"
func.func @shards(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> tensor<4x8xf32> {
  // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y"}]> : tensor<4x8xf32>
  // GENERIC: "sdy.sharding_constraint"({{.*}}) <{sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}>
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {"y"}]> : tensor<4x8xf32>
  // CHECK: sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf32>) {
  // CHECK-NEXT: sdy.return %arg1 : tensor<2x8xf32>
  // CHECK-NEXT: } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // GENERIC: <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>,
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%y: tensor<2x8xf32>) {
    sdy.return %y : tensor<2x8xf32>
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
  // GENERIC: <{gathering_axes = #sdy<list_of_axis_ref_lists[{"x"}, {}]>, out_sharding
  %2 = sdy.all_gather [{"x"}, {}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
  // CHECK: sdy.all_reduce max {"x"} %2 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
  %3 = sdy.all_reduce max {"x"} %2 out_sharding=<@mesh, [{}, {}]> : tensor<4x8xf32>
  // CHECK: sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<4x8xf32>
  // GENERIC: <{allowed_direction = 2 : i32}>
  %4 = sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Ops that their form can't hold are printed generically, and nothing is lost.
// CHECK-LABEL: func.func @unfit
// GENERIC: sym_name = "unfit"
func.func @unfit(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK: "stablehlo.compare"(%arg0, %arg0) <{comparison_direction = "LT"}>
  %0 = "stablehlo.compare"(%x, %x) <{comparison_direction = "LT"}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: "stablehlo.add"(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.add"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "stablehlo.reverse"(%arg0) <{dimensions = dense<0> : tensor<1xi64>}>
  %2 = "stablehlo.reverse"(%x) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> {dimensions = array<i64: 1>}
  %3 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> {dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>, new}>
  %4 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>, new}> : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: stablehlo.reverse %arg0, dims = [0] {new} : tensor<3xf32>
  %5 = "stablehlo.reverse"(%x) {dimensions = array<i64: 0>, new} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: "stablehlo.tomorrow"(%arg0)
  %6 = "stablehlo.tomorrow"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
