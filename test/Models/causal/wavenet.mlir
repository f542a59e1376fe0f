// Gated convolutions, with sums of skips.
// Written by make.py with jax 0.10.2.
// VERDICT: proved

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x10x4xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<2x4x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4x4xf32>, %arg5: tensor<2x4x4xf32>, %arg6: tensor<2x4x4xf32>, %arg7: tensor<4x4xf32>, %arg8: tensor<4x4xf32>, %arg9: tensor<2x4x4xf32>, %arg10: tensor<2x4x4xf32>, %arg11: tensor<4x4xf32>, %arg12: tensor<4x4xf32>, %arg13: tensor<4x4xf32>) -> (tensor<2x10x4xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 0 dim 1)"]} {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %1 = stablehlo.tanh %0 : tensor<2x10x4xf32>
    %2 = stablehlo.convolution(%arg0, %arg2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %3 = stablehlo.negate %2 : tensor<2x10x4xf32>
    %4 = stablehlo.exponential %3 : tensor<2x10x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %6 = stablehlo.add %5, %4 : tensor<2x10x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %8 = stablehlo.divide %7, %6 : tensor<2x10x4xf32>
    %9 = stablehlo.multiply %1, %8 : tensor<2x10x4xf32>
    %10 = stablehlo.dot_general %9, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %12 = stablehlo.add %11, %10 : tensor<2x10x4xf32>
    %13 = stablehlo.dot_general %9, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %14 = stablehlo.add %arg0, %13 : tensor<2x10x4xf32>
    %15 = stablehlo.convolution(%14, %arg5) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %16 = stablehlo.tanh %15 : tensor<2x10x4xf32>
    %17 = stablehlo.convolution(%14, %arg6) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 0]], lhs_dilate = [1], rhs_dilate = [2], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %18 = stablehlo.negate %17 : tensor<2x10x4xf32>
    %19 = stablehlo.exponential %18 : tensor<2x10x4xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %21 = stablehlo.add %20, %19 : tensor<2x10x4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %23 = stablehlo.divide %22, %21 : tensor<2x10x4xf32>
    %24 = stablehlo.multiply %16, %23 : tensor<2x10x4xf32>
    %25 = stablehlo.dot_general %24, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %26 = stablehlo.add %12, %25 : tensor<2x10x4xf32>
    %27 = stablehlo.dot_general %24, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %28 = stablehlo.add %14, %27 : tensor<2x10x4xf32>
    %29 = stablehlo.convolution(%28, %arg9) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[4, 0]], lhs_dilate = [1], rhs_dilate = [4], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %30 = stablehlo.tanh %29 : tensor<2x10x4xf32>
    %31 = stablehlo.convolution(%28, %arg10) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[4, 0]], lhs_dilate = [1], rhs_dilate = [4], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x4xf32>, tensor<2x4x4xf32>) -> tensor<2x10x4xf32>
    %32 = stablehlo.negate %31 : tensor<2x10x4xf32>
    %33 = stablehlo.exponential %32 : tensor<2x10x4xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %35 = stablehlo.add %34, %33 : tensor<2x10x4xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %37 = stablehlo.divide %36, %35 : tensor<2x10x4xf32>
    %38 = stablehlo.multiply %30, %37 : tensor<2x10x4xf32>
    %39 = stablehlo.dot_general %38, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %40 = stablehlo.add %26, %39 : tensor<2x10x4xf32>
    %41 = stablehlo.dot_general %38, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    %42 = stablehlo.add %28, %41 : tensor<2x10x4xf32>
    %43 = call @relu(%40) : (tensor<2x10x4xf32>) -> tensor<2x10x4xf32>
    %44 = stablehlo.dot_general %43, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x10x4xf32>, tensor<4x4xf32>) -> tensor<2x10x4xf32>
    return %44 : tensor<2x10x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x10x4xf32>) -> tensor<2x10x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x10x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x10x4xf32>
    return %1 : tensor<2x10x4xf32>
  }
}
