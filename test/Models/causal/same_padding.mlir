// A convolution with as much padding behind as before.
// Written by make.py with jax 0.10.2.
// VERDICT: refuted through stablehlo.convolution

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x12x4xf32>, %arg1: tensor<3x4x4xf32>, %arg2: tensor<3x4x4xf32>, %arg3: tensor<3x4x4xf32>) -> (tensor<2x12x4xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 0 dim 1)"]} {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x12x4xf32>, tensor<3x4x4xf32>) -> tensor<2x12x4xf32>
    %1 = call @relu(%0) : (tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<2x12x4xf32>
    %3 = stablehlo.convolution(%2, %arg2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[4, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x12x4xf32>, tensor<3x4x4xf32>) -> tensor<2x12x4xf32>
    %4 = call @relu(%3) : (tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x12x4xf32>
    %6 = stablehlo.convolution(%5, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[4, 4]], lhs_dilate = [1], rhs_dilate = [4], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x12x4xf32>, tensor<3x4x4xf32>) -> tensor<2x12x4xf32>
    %7 = call @relu(%6) : (tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
    %8 = stablehlo.add %5, %7 : tensor<2x12x4xf32>
    return %8 : tensor<2x12x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x12x4xf32>) -> tensor<2x12x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x12x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x12x4xf32>
    return %1 : tensor<2x12x4xf32>
  }
}
