// Attention to the last few positions, in two layers: their windows add up.
// Written by make.py with jax 0.10.2.
// VERDICT: proved

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x9x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<8x32xf32>, %arg6: tensor<32x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8xf32>, %arg11: tensor<8x8xf32>, %arg12: tensor<8x8xf32>, %arg13: tensor<8x8xf32>, %arg14: tensor<8x8xf32>, %arg15: tensor<8x32xf32>, %arg16: tensor<32x8xf32>, %arg17: tensor<8xf32>, %arg18: tensor<8xf32>, %arg19: tensor<8xf32>, %arg20: tensor<8xf32>) -> (tensor<2x9x8xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["within(result 0 dim 1, arg 0 dim 1, 4, 0)"]} {
    %0 = stablehlo.iota dim = 0 : tensor<9xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<9xi32>) -> tensor<1x9xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<9x1xi32>) -> tensor<9x9xi32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x9xi32>) -> tensor<9x9xi32>
    %5 = stablehlo.subtract %3, %4 : tensor<9x9xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9x9xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<9x9xi32>
    %9 = stablehlo.compare LT, %5, %8, SIGNED : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
    %10 = stablehlo.and %7, %9 : tensor<9x9xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<2x9x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %16 = stablehlo.subtract %arg0, %15 : tensor<2x9x8xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<2x9x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %21 = stablehlo.divide %19, %20 : tensor<2x9x1xf32>
    %22 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %23 = stablehlo.subtract %arg0, %22 : tensor<2x9x8xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %25 = stablehlo.add %21, %24 : tensor<2x9x1xf32>
    %26 = stablehlo.rsqrt %25 : tensor<2x9x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %28 = stablehlo.multiply %23, %27 : tensor<2x9x8xf32>
    %29 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %31 = stablehlo.multiply %28, %30 : tensor<2x9x8xf32>
    %32 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %34 = stablehlo.add %31, %33 : tensor<2x9x8xf32>
    %35 = stablehlo.dot_general %34, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %36 = stablehlo.reshape %35 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %37 = stablehlo.transpose %36, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %38 = stablehlo.dot_general %34, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %41 = stablehlo.dot_general %34, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %42 = stablehlo.reshape %41 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %43 = stablehlo.transpose %42, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %44 = stablehlo.dot_general %37, %40, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x9x4xf32>, tensor<2x2x9x4xf32>) -> tensor<2x2x9x9xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x9x9xf32>
    %46 = stablehlo.divide %44, %45 : tensor<2x2x9x9xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %47 = call @_where(%10, %46, %cst_6) : (tensor<9x9xi1>, tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9x9xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x9xf32>
    %50 = stablehlo.maximum %49, %48 : tensor<2x2x9xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<2x2x9xf32>) -> tensor<2x2x9x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<2x2x9x1xf32>) -> tensor<2x2x9x9xf32>
    %53 = stablehlo.subtract %47, %52 : tensor<2x2x9x9xf32>
    %54 = stablehlo.exponential %53 : tensor<2x2x9x9xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<2x2x9xf32>) -> tensor<2x2x9x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<2x2x9x1xf32>) -> tensor<2x2x9x9xf32>
    %58 = stablehlo.divide %54, %57 : tensor<2x2x9x9xf32>
    %59 = stablehlo.dot_general %58, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x9x9xf32>, tensor<2x2x9x4xf32>) -> tensor<2x2x9x4xf32>
    %60 = stablehlo.transpose %59, dims = [0, 2, 1, 3] : (tensor<2x2x9x4xf32>) -> tensor<2x9x2x4xf32>
    %61 = stablehlo.reshape %60 : (tensor<2x9x2x4xf32>) -> tensor<2x9x8xf32>
    %62 = stablehlo.dot_general %61, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %63 = stablehlo.add %arg0, %62 : tensor<2x9x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_11 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %67 = stablehlo.divide %65, %66 : tensor<2x9x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %69 = stablehlo.subtract %63, %68 : tensor<2x9x8xf32>
    %70 = stablehlo.multiply %69, %69 : tensor<2x9x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_13 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %74 = stablehlo.divide %72, %73 : tensor<2x9x1xf32>
    %75 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %76 = stablehlo.subtract %63, %75 : tensor<2x9x8xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %78 = stablehlo.add %74, %77 : tensor<2x9x1xf32>
    %79 = stablehlo.rsqrt %78 : tensor<2x9x1xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %81 = stablehlo.multiply %76, %80 : tensor<2x9x8xf32>
    %82 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %84 = stablehlo.multiply %81, %83 : tensor<2x9x8xf32>
    %85 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %87 = stablehlo.add %84, %86 : tensor<2x9x8xf32>
    %88 = stablehlo.dot_general %87, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x32xf32>) -> tensor<2x9x32xf32>
    %89 = stablehlo.multiply %88, %88 : tensor<2x9x32xf32>
    %90 = stablehlo.multiply %89, %88 : tensor<2x9x32xf32>
    %cst_15 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<2x9x32xf32>
    %93 = stablehlo.add %88, %92 : tensor<2x9x32xf32>
    %cst_16 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<2x9x32xf32>
    %96 = stablehlo.tanh %95 : tensor<2x9x32xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %98 = stablehlo.add %97, %96 : tensor<2x9x32xf32>
    %cst_18 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<2x9x32xf32>
    %101 = stablehlo.multiply %88, %100 : tensor<2x9x32xf32>
    %102 = stablehlo.dot_general %101, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x32xf32>, tensor<32x8xf32>) -> tensor<2x9x8xf32>
    %103 = stablehlo.add %63, %102 : tensor<2x9x8xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<9x9xi32>
    %105 = stablehlo.compare GE, %5, %104, SIGNED : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
    %c_20 = stablehlo.constant dense<3> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<9x9xi32>
    %107 = stablehlo.compare LT, %5, %106, SIGNED : (tensor<9x9xi32>, tensor<9x9xi32>) -> tensor<9x9xi1>
    %108 = stablehlo.and %105, %107 : tensor<9x9xi1>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%103 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_22 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %112 = stablehlo.divide %110, %111 : tensor<2x9x1xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %114 = stablehlo.subtract %103, %113 : tensor<2x9x8xf32>
    %115 = stablehlo.multiply %114, %114 : tensor<2x9x8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_24 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %119 = stablehlo.divide %117, %118 : tensor<2x9x1xf32>
    %120 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %121 = stablehlo.subtract %103, %120 : tensor<2x9x8xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %123 = stablehlo.add %119, %122 : tensor<2x9x1xf32>
    %124 = stablehlo.rsqrt %123 : tensor<2x9x1xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %126 = stablehlo.multiply %121, %125 : tensor<2x9x8xf32>
    %127 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %129 = stablehlo.multiply %126, %128 : tensor<2x9x8xf32>
    %130 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %132 = stablehlo.add %129, %131 : tensor<2x9x8xf32>
    %133 = stablehlo.dot_general %132, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %134 = stablehlo.reshape %133 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %135 = stablehlo.transpose %134, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %136 = stablehlo.dot_general %132, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %137 = stablehlo.reshape %136 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %138 = stablehlo.transpose %137, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %139 = stablehlo.dot_general %132, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %140 = stablehlo.reshape %139 : (tensor<2x9x8xf32>) -> tensor<2x9x2x4xf32>
    %141 = stablehlo.transpose %140, dims = [0, 2, 1, 3] : (tensor<2x9x2x4xf32>) -> tensor<2x2x9x4xf32>
    %142 = stablehlo.dot_general %135, %138, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x9x4xf32>, tensor<2x2x9x4xf32>) -> tensor<2x2x9x9xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x2x9x9xf32>
    %144 = stablehlo.divide %142, %143 : tensor<2x2x9x9xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %145 = call @_where(%108, %144, %cst_27) : (tensor<9x9xi1>, tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9x9xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_28) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9xf32>
    %cst_29 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x2x9xf32>
    %148 = stablehlo.maximum %147, %146 : tensor<2x2x9xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2] : (tensor<2x2x9xf32>) -> tensor<2x2x9x1xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2, 3] : (tensor<2x2x9x1xf32>) -> tensor<2x2x9x9xf32>
    %151 = stablehlo.subtract %145, %150 : tensor<2x2x9x9xf32>
    %152 = stablehlo.exponential %151 : tensor<2x2x9x9xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<2x2x9x9xf32>, tensor<f32>) -> tensor<2x2x9xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<2x2x9xf32>) -> tensor<2x2x9x1xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2, 3] : (tensor<2x2x9x1xf32>) -> tensor<2x2x9x9xf32>
    %156 = stablehlo.divide %152, %155 : tensor<2x2x9x9xf32>
    %157 = stablehlo.dot_general %156, %141, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x9x9xf32>, tensor<2x2x9x4xf32>) -> tensor<2x2x9x4xf32>
    %158 = stablehlo.transpose %157, dims = [0, 2, 1, 3] : (tensor<2x2x9x4xf32>) -> tensor<2x9x2x4xf32>
    %159 = stablehlo.reshape %158 : (tensor<2x9x2x4xf32>) -> tensor<2x9x8xf32>
    %160 = stablehlo.dot_general %159, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x8xf32>) -> tensor<2x9x8xf32>
    %161 = stablehlo.add %103, %160 : tensor<2x9x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%161 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_32 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %165 = stablehlo.divide %163, %164 : tensor<2x9x1xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %167 = stablehlo.subtract %161, %166 : tensor<2x9x8xf32>
    %168 = stablehlo.multiply %167, %167 : tensor<2x9x8xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%168 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<2x9x8xf32>, tensor<f32>) -> tensor<2x9xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1] : (tensor<2x9xf32>) -> tensor<2x9x1xf32>
    %cst_34 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %172 = stablehlo.divide %170, %171 : tensor<2x9x1xf32>
    %173 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %174 = stablehlo.subtract %161, %173 : tensor<2x9x8xf32>
    %cst_35 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x9x1xf32>
    %176 = stablehlo.add %172, %175 : tensor<2x9x1xf32>
    %177 = stablehlo.rsqrt %176 : tensor<2x9x1xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2] : (tensor<2x9x1xf32>) -> tensor<2x9x8xf32>
    %179 = stablehlo.multiply %174, %178 : tensor<2x9x8xf32>
    %180 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %182 = stablehlo.multiply %179, %181 : tensor<2x9x8xf32>
    %183 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2] : (tensor<1x1x8xf32>) -> tensor<2x9x8xf32>
    %185 = stablehlo.add %182, %184 : tensor<2x9x8xf32>
    %186 = stablehlo.dot_general %185, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x8xf32>, tensor<8x32xf32>) -> tensor<2x9x32xf32>
    %187 = stablehlo.multiply %186, %186 : tensor<2x9x32xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<2x9x32xf32>
    %cst_36 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %190 = stablehlo.multiply %189, %188 : tensor<2x9x32xf32>
    %191 = stablehlo.add %186, %190 : tensor<2x9x32xf32>
    %cst_37 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %193 = stablehlo.multiply %192, %191 : tensor<2x9x32xf32>
    %194 = stablehlo.tanh %193 : tensor<2x9x32xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %196 = stablehlo.add %195, %194 : tensor<2x9x32xf32>
    %cst_39 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x9x32xf32>
    %198 = stablehlo.multiply %197, %196 : tensor<2x9x32xf32>
    %199 = stablehlo.multiply %186, %198 : tensor<2x9x32xf32>
    %200 = stablehlo.dot_general %199, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x9x32xf32>, tensor<32x8xf32>) -> tensor<2x9x8xf32>
    %201 = stablehlo.add %161, %200 : tensor<2x9x8xf32>
    return %201 : tensor<2x9x8xf32>
  }
  func.func private @_where(%arg0: tensor<9x9xi1>, %arg1: tensor<2x2x9x9xf32>, %arg2: tensor<f32>) -> tensor<2x2x9x9xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<9x9xi1>) -> tensor<2x2x9x9xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x9x9xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x9x9xi1>, tensor<2x2x9x9xf32>
    return %3 : tensor<2x2x9x9xf32>
  }
}
