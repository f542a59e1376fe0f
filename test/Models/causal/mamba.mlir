// A selective scan: decay and input depend on the token; in parallel over time.
// Written by make.py with jax 0.10.2.
// VERDICT: proved

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x3xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<3x3xf32>, %arg3: tensor<4x3x3xf32>) -> (tensor<2x6x3xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 0 dim 1)"]} {
    %0 = stablehlo.convolution(%arg0, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[3, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x3xf32>, tensor<4x3x3xf32>) -> tensor<2x6x3xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x6x3xf32>
    %2 = stablehlo.dot_general %1, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<3x3xf32>) -> tensor<2x6x3xf32>
    %3 = call @softplus(%2) : (tensor<2x6x3xf32>) -> tensor<2x6x3xf32>
    %4 = stablehlo.negate %3 : tensor<2x6x3xf32>
    %5 = stablehlo.exponential %4 : tensor<2x6x3xf32>
    %6 = stablehlo.dot_general %1, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x3xf32>, tensor<3x3xf32>) -> tensor<2x6x3xf32>
    %7 = stablehlo.slice %5 [0:2, 0:5:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x3x3xf32>
    %8 = stablehlo.slice %6 [0:2, 0:5:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x3x3xf32>
    %9 = stablehlo.slice %5 [0:2, 1:6:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x3x3xf32>
    %10 = stablehlo.slice %6 [0:2, 1:6:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x3x3xf32>
    %11 = stablehlo.multiply %7, %9 : tensor<2x3x3xf32>
    %12 = stablehlo.multiply %9, %8 : tensor<2x3x3xf32>
    %13 = stablehlo.add %12, %10 : tensor<2x3x3xf32>
    %14 = stablehlo.slice %11 [0:2, 0:2:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %15 = stablehlo.slice %13 [0:2, 0:2:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %16 = stablehlo.slice %11 [0:2, 1:3:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %17 = stablehlo.slice %13 [0:2, 1:3:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %18 = stablehlo.multiply %14, %16 : tensor<2x1x3xf32>
    %19 = stablehlo.multiply %16, %15 : tensor<2x1x3xf32>
    %20 = stablehlo.add %19, %17 : tensor<2x1x3xf32>
    %21 = stablehlo.slice %11 [0:2, 2:3:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %22 = stablehlo.slice %13 [0:2, 2:3:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %23 = stablehlo.multiply %18, %21 : tensor<2x1x3xf32>
    %24 = stablehlo.multiply %21, %20 : tensor<2x1x3xf32>
    %25 = stablehlo.add %24, %22 : tensor<2x1x3xf32>
    %26 = stablehlo.slice %11 [0:2, 0:1, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %27 = stablehlo.concatenate %26, %23, dim = 1 : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
    %28 = stablehlo.slice %13 [0:2, 0:1, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x1x3xf32>
    %29 = stablehlo.concatenate %28, %25, dim = 1 : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.pad %27, %cst, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x2x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.pad %18, %cst_0, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %32 = stablehlo.add %30, %31 : tensor<2x3x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.pad %29, %cst_1, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x2x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.pad %20, %cst_2, low = [0, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x1x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
    %35 = stablehlo.add %33, %34 : tensor<2x3x3xf32>
    %36 = stablehlo.slice %32 [0:2, 0:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x2x3xf32>
    %37 = stablehlo.slice %35 [0:2, 0:2, 0:3] : (tensor<2x3x3xf32>) -> tensor<2x2x3xf32>
    %38 = stablehlo.slice %5 [0:2, 2:6:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x2x3xf32>
    %39 = stablehlo.slice %6 [0:2, 2:6:2, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x2x3xf32>
    %40 = stablehlo.multiply %36, %38 : tensor<2x2x3xf32>
    %41 = stablehlo.multiply %38, %37 : tensor<2x2x3xf32>
    %42 = stablehlo.add %41, %39 : tensor<2x2x3xf32>
    %43 = stablehlo.slice %5 [0:2, 0:1, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x1x3xf32>
    %44 = stablehlo.concatenate %43, %40, dim = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
    %45 = stablehlo.slice %6 [0:2, 0:1, 0:3] : (tensor<2x6x3xf32>) -> tensor<2x1x3xf32>
    %46 = stablehlo.concatenate %45, %42, dim = 1 : (tensor<2x1x3xf32>, tensor<2x2x3xf32>) -> tensor<2x3x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.pad %44, %cst_3, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x6x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.pad %32, %cst_4, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x6x3xf32>
    %49 = stablehlo.add %47, %48 : tensor<2x6x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.pad %46, %cst_5, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x6x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.pad %35, %cst_6, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x6x3xf32>
    %52 = stablehlo.add %50, %51 : tensor<2x6x3xf32>
    return %52 : tensor<2x6x3xf32>
  }
  func.func private @softplus(%arg0: tensor<2x6x3xf32>) -> tensor<2x6x3xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x3xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x3xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x3xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<2x6x3xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<2x6x3xf32>, tensor<2x6x3xf32>) -> tensor<2x6x3xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x3xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<2x6x3xf32>
    %7 = stablehlo.abs %3 : tensor<2x6x3xf32>
    %8 = stablehlo.negate %7 : tensor<2x6x3xf32>
    %9 = stablehlo.exponential %8 : tensor<2x6x3xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<2x6x3xf32>
    %11 = stablehlo.add %1, %10 : tensor<2x6x3xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<2x6x3xi1>, tensor<2x6x3xf32>
    return %12 : tensor<2x6x3xf32>
  }
}
