// Attention to some steps before and a few ahead, and a convolution of both sides.
// Written by make.py with jax 0.10.2.
// VERDICT: proved

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x12x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x32xf32>, %arg6: tensor<32x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<3x8x8xf32>) -> (tensor<2x12x8xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["within(result 0 dim 1, arg 0 dim 1, 4, 2)"]} {
    %0 = stablehlo.iota dim = 0 : tensor<12xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<12xi32>) -> tensor<1x12xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<12x1xi32>) -> tensor<12x12xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x12xi32>) -> tensor<12x12xi32>
    %5 = stablehlo.subtract %3, %4 : tensor<12x12xi32>
    %6 = stablehlo.negate %5 : tensor<12x12xi32>
    %c = stablehlo.constant dense<-3> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12x12xi32>
    %8 = stablehlo.compare GE, %6, %7, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<12x12xi32>
    %10 = stablehlo.compare LE, %6, %9, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %11 = stablehlo.and %8, %10 : tensor<12x12xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x12x8xf32>, tensor<f32>) -> tensor<2x12xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<2x12x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %17 = stablehlo.subtract %arg0, %16 : tensor<2x12x8xf32>
    %18 = stablehlo.multiply %17, %17 : tensor<2x12x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x12x8xf32>, tensor<f32>) -> tensor<2x12xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %22 = stablehlo.divide %20, %21 : tensor<2x12x1xf32>
    %23 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %24 = stablehlo.subtract %arg0, %23 : tensor<2x12x8xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %26 = stablehlo.add %22, %25 : tensor<2x12x1xf32>
    %27 = stablehlo.rsqrt %26 : tensor<2x12x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %29 = stablehlo.multiply %24, %28 : tensor<2x12x8xf32>
    %30 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x12x8xf32>
    %32 = stablehlo.multiply %29, %31 : tensor<2x12x8xf32>
    %33 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x12x8xf32>
    %35 = stablehlo.add %32, %34 : tensor<2x12x8xf32>
    %36 = stablehlo.dot_general %35, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x8xf32>, tensor<8x8xf32>) -> tensor<2x12x8xf32>
    %37 = stablehlo.reshape %36 : (tensor<2x12x8xf32>) -> tensor<2x12x2x4xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<2x12x2x4xf32>) -> tensor<2x2x12x4xf32>
    %39 = stablehlo.dot_general %35, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x8xf32>, tensor<8x8xf32>) -> tensor<2x12x8xf32>
    %40 = stablehlo.reshape %39 : (tensor<2x12x8xf32>) -> tensor<2x12x2x4xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<2x12x2x4xf32>) -> tensor<2x2x12x4xf32>
    %42 = stablehlo.dot_general %35, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x8xf32>, tensor<8x8xf32>) -> tensor<2x12x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<2x12x8xf32>) -> tensor<2x12x2x4xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<2x12x2x4xf32>) -> tensor<2x2x12x4xf32>
    %45 = stablehlo.dot_general %38, %41, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x12x4xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x12xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %47 = stablehlo.divide %45, %46 : tensor<2x2x12x12xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = call @_where(%11, %47, %cst_6) : (tensor<12x12xi1>, tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12x12xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x12xf32>
    %51 = stablehlo.maximum %50, %49 : tensor<2x2x12xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %54 = stablehlo.subtract %48, %53 : tensor<2x2x12x12xf32>
    %55 = stablehlo.exponential %54 : tensor<2x2x12x12xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x2x12x12xf32>, tensor<f32>) -> tensor<2x2x12xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<2x2x12xf32>) -> tensor<2x2x12x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<2x2x12x1xf32>) -> tensor<2x2x12x12xf32>
    %59 = stablehlo.divide %55, %58 : tensor<2x2x12x12xf32>
    %60 = stablehlo.dot_general %59, %44, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x12x12xf32>, tensor<2x2x12x4xf32>) -> tensor<2x2x12x4xf32>
    %61 = stablehlo.transpose %60, dims = [0, 2, 1, 3] : (tensor<2x2x12x4xf32>) -> tensor<2x12x2x4xf32>
    %62 = stablehlo.reshape %61 : (tensor<2x12x2x4xf32>) -> tensor<2x12x8xf32>
    %63 = stablehlo.dot_general %62, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x8xf32>, tensor<8x8xf32>) -> tensor<2x12x8xf32>
    %64 = stablehlo.add %arg0, %63 : tensor<2x12x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x12x8xf32>, tensor<f32>) -> tensor<2x12xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %68 = stablehlo.divide %66, %67 : tensor<2x12x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %70 = stablehlo.subtract %64, %69 : tensor<2x12x8xf32>
    %71 = stablehlo.multiply %70, %70 : tensor<2x12x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x12x8xf32>, tensor<f32>) -> tensor<2x12xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_13 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %75 = stablehlo.divide %73, %74 : tensor<2x12x1xf32>
    %76 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %77 = stablehlo.subtract %64, %76 : tensor<2x12x8xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %79 = stablehlo.add %75, %78 : tensor<2x12x1xf32>
    %80 = stablehlo.rsqrt %79 : tensor<2x12x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x8xf32>
    %82 = stablehlo.multiply %77, %81 : tensor<2x12x8xf32>
    %83 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x12x8xf32>
    %85 = stablehlo.multiply %82, %84 : tensor<2x12x8xf32>
    %86 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x12x8xf32>
    %88 = stablehlo.add %85, %87 : tensor<2x12x8xf32>
    %89 = stablehlo.dot_general %88, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x8xf32>, tensor<8x32xf32>) -> tensor<2x12x32xf32>
    %90 = stablehlo.multiply %89, %89 : tensor<2x12x32xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<2x12x32xf32>
    %cst_15 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<2x12x32xf32>
    %94 = stablehlo.add %89, %93 : tensor<2x12x32xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<2x12x32xf32>
    %97 = stablehlo.tanh %96 : tensor<2x12x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %99 = stablehlo.add %98, %97 : tensor<2x12x32xf32>
    %cst_18 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %101 = stablehlo.multiply %100, %99 : tensor<2x12x32xf32>
    %102 = stablehlo.multiply %89, %101 : tensor<2x12x32xf32>
    %103 = stablehlo.dot_general %102, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x32xf32>, tensor<32x8xf32>) -> tensor<2x12x8xf32>
    %104 = stablehlo.add %64, %103 : tensor<2x12x8xf32>
    %105 = stablehlo.convolution(%104, %arg11) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x12x8xf32>, tensor<3x8x8xf32>) -> tensor<2x12x8xf32>
    %106 = call @silu(%105) : (tensor<2x12x8xf32>) -> tensor<2x12x8xf32>
    %107 = stablehlo.add %104, %106 : tensor<2x12x8xf32>
    return %107 : tensor<2x12x8xf32>
  }
  func.func private @_where(%arg0: tensor<12x12xi1>, %arg1: tensor<2x2x12x12xf32>, %arg2: tensor<f32>) -> tensor<2x2x12x12xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<12x12xi1>) -> tensor<2x2x12x12xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x12x12xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x12x12xi1>, tensor<2x2x12x12xf32>
    return %3 : tensor<2x2x12x12xf32>
  }
  func.func private @silu(%arg0: tensor<2x12x8xf32>) -> tensor<2x12x8xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x12x8xf32>
    %1 = stablehlo.exponential %0 : tensor<2x12x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x12x8xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x12x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x12x8xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x12x8xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x12x8xf32>
    return %6 : tensor<2x12x8xf32>
  }
}
