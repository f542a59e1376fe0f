// A raised program runs wherever the original does: with unknown sizes of 0, of 1,
// which TOSA repeats, and with sizes that are operands.
// RUN: tensoraccess-opt %s --tensoraccess-raise -o %t.mlir
// RUN: FileCheck %s --check-prefix=RAISED --input-file=%t.mlir
// RUN: tensoraccess-run %t.mlir --entry=one --dynamic-sizes=1 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=one --dynamic-sizes=4 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=both --dynamic-sizes=3,1 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=both --dynamic-sizes=1,3 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=both --dynamic-sizes=1,1 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=none --dynamic-sizes=0,0 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=none --dynamic-sizes=3,2 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=softmax --dynamic-sizes=3,5 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=softmax --dynamic-sizes=1,1 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=rows --dynamic-sizes=4,2 --compare=%s | FileCheck %s
// RUN: tensoraccess-run %t.mlir --entry=rows --dynamic-sizes=1,1 --compare=%s | FileCheck %s
// CHECK: compare 0  equal, bit for bit

// RAISED-LABEL: @one
// RAISED: tosa.add
func.func @one(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>) -> tensor<4x3xf32> {
  %0 = tosa.add %x, %y : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// RAISED-LABEL: @both
// RAISED: tosa.mul
func.func @both(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift
      : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// Of no rows, row 1 is read for none.
// RAISED-LABEL: @none
// RAISED: linalg.generic
func.func @none(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (1, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3xf32>) outs(%y : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// Sizes and what they are made of stay, and what stands between is raised.
// RAISED-LABEL: @softmax
// RAISED: stablehlo.concatenate
// RAISED: stablehlo.dynamic_broadcast_in_dim
// RAISED: tensoraccess.compute elementwise_div
func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}>
      : (tensor<?x?xf32>) -> tensor<i32>
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}>
      : (tensor<?x?xf32>) -> tensor<i32>
  %n1 = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %shape = "stablehlo.concatenate"(%n1, %m1) <{dimension = 0 : i64}>
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %e = "stablehlo.exponential"(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = "stablehlo.reduce"(%e, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %w = "stablehlo.dynamic_broadcast_in_dim"(%s, %shape)
      <{broadcast_dimensions = array<i64: 0>}>
      : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = "stablehlo.divide"(%e, %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// RAISED-LABEL: @rows
// RAISED: stablehlo.dynamic_gather
// RAISED: tensoraccess.compute dot_prod
func.func @rows(%x: tensor<?x?xf32>) -> tensor<2x2xf32> {
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %where = "stablehlo.constant"() <{value = dense<[[0], [3]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
  %m = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}>
      : (tensor<?x?xf32>) -> tensor<i32>
  %m1 = "stablehlo.reshape"(%m) : (tensor<i32>) -> tensor<1xi32>
  %sizes = "stablehlo.concatenate"(%one, %m1) <{dimension = 0 : i64}>
      : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = "stablehlo.dynamic_gather"(%x, %where, %sizes) <{dimension_numbers =
      #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                        start_index_map = [0], index_vector_dim = 1>}>
      : (tensor<?x?xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
  %0 = "stablehlo.dot_general"(%r, %r) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_contracting_dimensions = [1],
                     rhs_contracting_dimensions = [1]>}>
      : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
