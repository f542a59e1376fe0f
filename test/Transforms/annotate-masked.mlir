// What masks make impossible is not read.

// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing="fused masked" | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=fused | FileCheck %s --check-prefix=ALL
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-indexing=masked 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: option 'masked' is for 'fused'

// Row i of causal attention reads the values of rows j <= i.
// CHECK-LABEL: func.func @attention
// CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 5], d0 - s0 in [0, inf]>], [#tensoraccess.indexing_map<(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 5], d0 - s0 in [0, inf]>]]]
// ALL-LABEL: func.func @attention
// ALL-SAME: [#tensoraccess.indexing_map<(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 5]>]]]
func.func @attention(%scores: tensor<6x6xf32>, %values: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %mask = stablehlo.compare GE, %i, %j : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<6x6xf32>
  %masked = stablehlo.select %mask, %scores, %low : tensor<6x6xi1>, tensor<6x6xf32>
  %minus_infinity = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.reduce(%masked init: %minus_infinity) applies stablehlo.maximum across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
  %mosts = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<6xf32>) -> tensor<6x6xf32>
  %shifted = stablehlo.subtract %masked, %mosts : tensor<6x6xf32>
  %powers = stablehlo.exponential %shifted : tensor<6x6xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %total = stablehlo.reduce(%powers init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<6x6xf32>, tensor<f32>) -> tensor<6xf32>
  %totals = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<6xf32>) -> tensor<6x6xf32>
  %weights = stablehlo.divide %powers, %totals : tensor<6x6xf32>
  %out = stablehlo.dot_general %weights, %values, contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  return %out : tensor<6x3xf32>
}

// The same by linalg.softmax, whose -inf become zeros.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 5], d0 - s0 in [0, inf]>], [#tensoraccess.indexing_map<(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 5], d1 in [0, 2], s0 in [0, 5], d0 - s0 in [0, inf]>]]]
func.func @softmax(%scores: tensor<6x6xf32>, %values: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %mask = stablehlo.compare GE, %i, %j : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<6x6xf32>
  %masked = stablehlo.select %mask, %scores, %low : tensor<6x6xi1>, tensor<6x6xf32>
  %empty = tensor.empty() : tensor<6x6xf32>
  %weights = linalg.softmax dimension(1) ins(%masked : tensor<6x6xf32>) outs(%empty : tensor<6x6xf32>) -> tensor<6x6xf32>
  %out = stablehlo.dot_general %weights, %values, contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  return %out : tensor<6x3xf32>
}

// Row 0 is masked as a whole: it is NaN, and not zeros.
// CHECK-LABEL: func.func @nothing_left
// CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 0], d1 in [0, 2], s0 in [0, 5]>, #tensoraccess.indexing_map<(d0, d1)[s0] -> (s0, d1), domain: d0 in [1, 5], d1 in [0, 2], s0 in [0, 4], d0 - s0 in [1, inf]>]]]
func.func @nothing_left(%scores: tensor<6x6xf32>, %values: tensor<6x3xf32>) -> tensor<6x3xf32> {
  %i = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %mask = stablehlo.compare GT, %i, %j : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %low = stablehlo.constant dense<0xFF800000> : tensor<6x6xf32>
  %masked = stablehlo.select %mask, %scores, %low : tensor<6x6xi1>, tensor<6x6xf32>
  %empty = tensor.empty() : tensor<6x6xf32>
  %weights = linalg.softmax dimension(1) ins(%masked : tensor<6x6xf32>) outs(%empty : tensor<6x6xf32>) -> tensor<6x6xf32>
  %out = stablehlo.dot_general %weights, %values, contracting_dims = [1] x [0] : (tensor<6x6xf32>, tensor<6x3xf32>) -> tensor<6x3xf32>
  return %out : tensor<6x3xf32>
}
