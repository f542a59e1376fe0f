// RUN: tensoraccess-opt %s --split-input-file --allow-unregistered-dialect --tensoraccess-refine-shapes="sizes=4,3" | FileCheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<4x3xf32>) -> (tensor<12xf32>, tensor<4x3xi32>)
// CHECK-NOT: get_dimension_size
// CHECK: stablehlo.reshape %arg0 {{.*}}-> tensor<12xf32>
// CHECK: stablehlo.iota {{.*}}: tensor<4x3xi32>
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xi32>) {
  %a = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %b = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %n = "stablehlo.multiply"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %s = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %p = "stablehlo.reshape"(%a) : (tensor<i32>) -> tensor<1xi32>
  %q = "stablehlo.reshape"(%b) : (tensor<i32>) -> tensor<1xi32>
  %r = "stablehlo.concatenate"(%p, %q) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %1 = "stablehlo.dynamic_iota"(%r) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<?x?xi32>
  return %0, %1 : tensor<?xf32>, tensor<?x?xi32>
}

// -----

// Each op whose sizes are operands.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<f32>, %arg2: tensor<2x1xi32>)
// CHECK-SAME: -> (tensor<7x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<5x4x3xf32>)
// CHECK: stablehlo.pad {{.*}}, low = [1, 0], high = [2, 1], interior = [0, 0]
// CHECK: stablehlo.slice %{{.*}} [1:4:2, 0:3]
// CHECK: "stablehlo.gather"{{.*}}slice_sizes = array<i64: 1, 3>
// CHECK: stablehlo.broadcast_in_dim
func.func @main(%x: tensor<?x?xf32>, %e: tensor<f32>, %i: tensor<2x1xi32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<2x?xf32>, tensor<?x?x?xf32>) {
  %low = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %high = "stablehlo.constant"() <{value = dense<[2, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %limit = "stablehlo.constant"() <{value = dense<[4, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %step = "stablehlo.constant"() <{value = dense<[2, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %row = "stablehlo.constant"() <{value = dense<[1, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %shape = "stablehlo.constant"() <{value = dense<[5, 4, 3]> : tensor<3xi64>}> : () -> tensor<3xi64>
  %0 = "stablehlo.dynamic_pad"(%x, %e, %low, %high, %zero) : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = "stablehlo.real_dynamic_slice"(%x, %low, %limit, %step) : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = "stablehlo.dynamic_gather"(%x, %i, %row) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false}> : (tensor<?x?xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  %3 = "stablehlo.dynamic_broadcast_in_dim"(%x, %shape) <{broadcast_dimensions = array<i64: 1, 2>, known_expanding_dimensions = array<i64>}> : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<2x?xf32>, tensor<?x?x?xf32>
}

// -----

// Where the type says the size, the operand may be anything.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<1xi32>)
// CHECK: stablehlo.iota {{.*}}: tensor<5xf32>
func.func @main(%x: tensor<?x?xf32>, %n: tensor<1xi32>) -> tensor<5xf32> {
  %0 = "stablehlo.dynamic_iota"(%n) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// What stands beside StableHLO follows, too.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x3xf32>) -> (tensor<3x4xf32>, tensor<12xf32>, tensor<4x3xf64>, tensor<4x3xf32>)
// CHECK: tensor.empty() : tensor<4x3xf32>
// CHECK-NOT: tensor.cast
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf64>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?x?xf32>) -> tensor<i32>
  %s = "stablehlo.reshape"(%a) : (tensor<i32>) -> tensor<1xi32>
  %i = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  %p = tensoraccess.access %x at 2 : tensor<?x?xf32> -> !tensoraccess.access<?x? | f32>
  %t = tensoraccess.transpose %p perm = [1, 0] : !tensoraccess.access<?x? | f32> -> !tensoraccess.access<?x? | f32>
  %0 = tensoraccess.to_tensor %t : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  %f = tensoraccess.flatten %p : !tensoraccess.access<?x? | f32> -> !tensoraccess.access<? | f32>
  %1 = tensoraccess.to_tensor %f : !tensoraccess.access<? | f32> -> tensor<?xf32>
  %2 = arith.extf %x : tensor<?x?xf32> to tensor<?x?xf64>
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %3 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %cast = tensor.cast %3 : tensor<?x?xf32> to tensor<4x?xf32>
  %4 = tensor.cast %cast : tensor<4x?xf32> to tensor<?x?xf32>
  return %0, %1, %2, %4 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf64>, tensor<?x?xf32>
}

// -----

// A size in a product follows, and those of ops beside StableHLO.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x3xf32>) -> (tensor<2x6xf32>, tensor<2x1x3x2xf32>, tensor<2x5x4x3xf32>, tensor<12xf32>)
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?x6xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>) {
  %0 = "stablehlo.reshape"(%x) : (tensor<?x?xf32>) -> tensor<?x6xf32>
  %i = "stablehlo.reshape"(%x) : (tensor<?x?xf32>) -> tensor<?x1x3x1xf32>
  %k = "stablehlo.constant"() <{value = dense<1.0> : tensor<1x1x1x2xf32>}> : () -> tensor<1x1x1x2xf32>
  %1 = "stablehlo.convolution"(%i, %k) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<?x1x3x1xf32>, tensor<1x1x1x2xf32>) -> tensor<?x?x?x?xf32>
  %2 = "mhlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2, 5>}> : (tensor<?x?xf32>) -> tensor<?x?x?x?xf32>
  %3 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?x6xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?xf32>
}
