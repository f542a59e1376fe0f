// Rotary positions, grouped queries, gated units, root mean squares.
// Written by make.py with jax 0.10.2.
// VERDICT: proved

module @jit_model attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x6x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<32x16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<16x8xf32>, %arg12: tensor<16x8xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16x32xf32>, %arg15: tensor<16x32xf32>, %arg16: tensor<32x16xf32>, %arg17: tensor<16xf32>, %arg18: tensor<16xf32>) -> (tensor<2x6x16xf32> {jax.result_info = "result"})
      attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 0 dim 1)"]} {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x6x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<2x6x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x6x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<2x6x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<2x6x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<2x6x16xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %15 = stablehlo.transpose %14, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %16 = stablehlo.iota dim = 0 : tensor<6xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %18 = stablehlo.iota dim = 0 : tensor<2xi32>
    %19 = stablehlo.convert %18 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %21 = stablehlo.divide %19, %20 : tensor<2xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %23 = stablehlo.power %22, %21 : tensor<2xf32>
    %24 = stablehlo.convert %17 : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %28 = stablehlo.divide %26, %27 : tensor<6x2xf32>
    %29 = stablehlo.cosine %28 : tensor<6x2xf32>
    %30 = stablehlo.sine %28 : tensor<6x2xf32>
    %31 = stablehlo.slice %15 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %32 = stablehlo.slice %15 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %33 = stablehlo.broadcast_in_dim %29, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %35 = stablehlo.multiply %31, %34 : tensor<2x4x6x2xf32>
    %36 = stablehlo.broadcast_in_dim %30, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %38 = stablehlo.multiply %32, %37 : tensor<2x4x6x2xf32>
    %39 = stablehlo.subtract %35, %38 : tensor<2x4x6x2xf32>
    %40 = stablehlo.broadcast_in_dim %30, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %42 = stablehlo.multiply %31, %41 : tensor<2x4x6x2xf32>
    %43 = stablehlo.broadcast_in_dim %29, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %45 = stablehlo.multiply %32, %44 : tensor<2x4x6x2xf32>
    %46 = stablehlo.add %42, %45 : tensor<2x4x6x2xf32>
    %47 = stablehlo.concatenate %39, %46, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %48 = stablehlo.dot_general %12, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %49 = stablehlo.reshape %48 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %51 = stablehlo.iota dim = 0 : tensor<6xi32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %53 = stablehlo.iota dim = 0 : tensor<2xi32>
    %54 = stablehlo.convert %53 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %56 = stablehlo.divide %54, %55 : tensor<2xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %58 = stablehlo.power %57, %56 : tensor<2xf32>
    %59 = stablehlo.convert %52 : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %60 = stablehlo.broadcast_in_dim %58, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %61 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %62 = stablehlo.broadcast_in_dim %60, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %63 = stablehlo.divide %61, %62 : tensor<6x2xf32>
    %64 = stablehlo.cosine %63 : tensor<6x2xf32>
    %65 = stablehlo.sine %63 : tensor<6x2xf32>
    %66 = stablehlo.slice %50 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %67 = stablehlo.slice %50 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %68 = stablehlo.broadcast_in_dim %64, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %70 = stablehlo.multiply %66, %69 : tensor<2x2x6x2xf32>
    %71 = stablehlo.broadcast_in_dim %65, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %73 = stablehlo.multiply %67, %72 : tensor<2x2x6x2xf32>
    %74 = stablehlo.subtract %70, %73 : tensor<2x2x6x2xf32>
    %75 = stablehlo.broadcast_in_dim %65, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %77 = stablehlo.multiply %66, %76 : tensor<2x2x6x2xf32>
    %78 = stablehlo.broadcast_in_dim %64, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %80 = stablehlo.multiply %67, %79 : tensor<2x2x6x2xf32>
    %81 = stablehlo.add %77, %80 : tensor<2x2x6x2xf32>
    %82 = stablehlo.concatenate %74, %81, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %83 = stablehlo.dot_general %12, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %84 = stablehlo.reshape %83 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %85 = stablehlo.transpose %84, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %86 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %87 = stablehlo.reshape %86 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %88 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %89 = stablehlo.reshape %88 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %90 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %91 = call @tril(%90) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %92 = stablehlo.dot_general %47, %87, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %94 = stablehlo.divide %92, %93 : tensor<2x4x6x6xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %95 = call @_where(%91, %94, %cst_7) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %96 = stablehlo.reduce(%95 init: %cst_8) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %98 = stablehlo.maximum %97, %96 : tensor<2x4x6xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %101 = stablehlo.subtract %95, %100 : tensor<2x4x6x6xf32>
    %102 = stablehlo.exponential %101 : tensor<2x4x6x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_10) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %106 = stablehlo.divide %102, %105 : tensor<2x4x6x6xf32>
    %107 = stablehlo.dot_general %106, %89, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %108 = stablehlo.transpose %107, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %109 = stablehlo.reshape %108 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %110 = stablehlo.dot_general %109, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %111 = stablehlo.add %arg0, %110 : tensor<2x6x16xf32>
    %112 = stablehlo.multiply %111, %111 : tensor<2x6x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %116 = stablehlo.divide %114, %115 : tensor<2x6x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %118 = stablehlo.add %116, %117 : tensor<2x6x1xf32>
    %119 = stablehlo.rsqrt %118 : tensor<2x6x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %121 = stablehlo.multiply %111, %120 : tensor<2x6x16xf32>
    %122 = stablehlo.broadcast_in_dim %arg9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %124 = stablehlo.multiply %121, %123 : tensor<2x6x16xf32>
    %125 = stablehlo.dot_general %124, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %126 = call @silu(%125) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %127 = stablehlo.dot_general %124, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %128 = stablehlo.multiply %126, %127 : tensor<2x6x32xf32>
    %129 = stablehlo.dot_general %128, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %130 = stablehlo.add %111, %129 : tensor<2x6x16xf32>
    %131 = stablehlo.multiply %130, %130 : tensor<2x6x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_15 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %135 = stablehlo.divide %133, %134 : tensor<2x6x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %137 = stablehlo.add %135, %136 : tensor<2x6x1xf32>
    %138 = stablehlo.rsqrt %137 : tensor<2x6x1xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %140 = stablehlo.multiply %130, %139 : tensor<2x6x16xf32>
    %141 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %143 = stablehlo.multiply %140, %142 : tensor<2x6x16xf32>
    %144 = stablehlo.dot_general %143, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %145 = stablehlo.reshape %144 : (tensor<2x6x16xf32>) -> tensor<2x6x4x4xf32>
    %146 = stablehlo.transpose %145, dims = [0, 2, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<2x4x6x4xf32>
    %147 = stablehlo.iota dim = 0 : tensor<6xi32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %149 = stablehlo.iota dim = 0 : tensor<2xi32>
    %150 = stablehlo.convert %149 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %152 = stablehlo.divide %150, %151 : tensor<2xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %154 = stablehlo.power %153, %152 : tensor<2xf32>
    %155 = stablehlo.convert %148 : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %156 = stablehlo.broadcast_in_dim %154, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %157 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %158 = stablehlo.broadcast_in_dim %156, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %159 = stablehlo.divide %157, %158 : tensor<6x2xf32>
    %160 = stablehlo.cosine %159 : tensor<6x2xf32>
    %161 = stablehlo.sine %159 : tensor<6x2xf32>
    %162 = stablehlo.slice %146 [0:2, 0:4, 0:6, 0:2] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %163 = stablehlo.slice %146 [0:2, 0:4, 0:6, 2:4] : (tensor<2x4x6x4xf32>) -> tensor<2x4x6x2xf32>
    %164 = stablehlo.broadcast_in_dim %160, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %166 = stablehlo.multiply %162, %165 : tensor<2x4x6x2xf32>
    %167 = stablehlo.broadcast_in_dim %161, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %169 = stablehlo.multiply %163, %168 : tensor<2x4x6x2xf32>
    %170 = stablehlo.subtract %166, %169 : tensor<2x4x6x2xf32>
    %171 = stablehlo.broadcast_in_dim %161, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %173 = stablehlo.multiply %162, %172 : tensor<2x4x6x2xf32>
    %174 = stablehlo.broadcast_in_dim %160, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x4x6x2xf32>
    %176 = stablehlo.multiply %163, %175 : tensor<2x4x6x2xf32>
    %177 = stablehlo.add %173, %176 : tensor<2x4x6x2xf32>
    %178 = stablehlo.concatenate %170, %177, dim = 3 : (tensor<2x4x6x2xf32>, tensor<2x4x6x2xf32>) -> tensor<2x4x6x4xf32>
    %179 = stablehlo.dot_general %143, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %180 = stablehlo.reshape %179 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %181 = stablehlo.transpose %180, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %182 = stablehlo.iota dim = 0 : tensor<6xi32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %184 = stablehlo.iota dim = 0 : tensor<2xi32>
    %185 = stablehlo.convert %184 : (tensor<2xi32>) -> tensor<2xf32>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %187 = stablehlo.divide %185, %186 : tensor<2xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %189 = stablehlo.power %188, %187 : tensor<2xf32>
    %190 = stablehlo.convert %183 : (tensor<6x1xi32>) -> tensor<6x1xf32>
    %191 = stablehlo.broadcast_in_dim %189, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %192 = stablehlo.broadcast_in_dim %190, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %193 = stablehlo.broadcast_in_dim %191, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %194 = stablehlo.divide %192, %193 : tensor<6x2xf32>
    %195 = stablehlo.cosine %194 : tensor<6x2xf32>
    %196 = stablehlo.sine %194 : tensor<6x2xf32>
    %197 = stablehlo.slice %181 [0:2, 0:2, 0:6, 0:2] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %198 = stablehlo.slice %181 [0:2, 0:2, 0:6, 2:4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x6x2xf32>
    %199 = stablehlo.broadcast_in_dim %195, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %201 = stablehlo.multiply %197, %200 : tensor<2x2x6x2xf32>
    %202 = stablehlo.broadcast_in_dim %196, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %204 = stablehlo.multiply %198, %203 : tensor<2x2x6x2xf32>
    %205 = stablehlo.subtract %201, %204 : tensor<2x2x6x2xf32>
    %206 = stablehlo.broadcast_in_dim %196, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %208 = stablehlo.multiply %197, %207 : tensor<2x2x6x2xf32>
    %209 = stablehlo.broadcast_in_dim %195, dims = [2, 3] : (tensor<6x2xf32>) -> tensor<1x1x6x2xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<1x1x6x2xf32>) -> tensor<2x2x6x2xf32>
    %211 = stablehlo.multiply %198, %210 : tensor<2x2x6x2xf32>
    %212 = stablehlo.add %208, %211 : tensor<2x2x6x2xf32>
    %213 = stablehlo.concatenate %205, %212, dim = 3 : (tensor<2x2x6x2xf32>, tensor<2x2x6x2xf32>) -> tensor<2x2x6x4xf32>
    %214 = stablehlo.dot_general %143, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x8xf32>) -> tensor<2x6x8xf32>
    %215 = stablehlo.reshape %214 : (tensor<2x6x8xf32>) -> tensor<2x6x2x4xf32>
    %216 = stablehlo.transpose %215, dims = [0, 2, 1, 3] : (tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %217 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %218 = stablehlo.reshape %217 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %219 = stablehlo.broadcast_in_dim %216, dims = [0, 1, 3, 4] : (tensor<2x2x6x4xf32>) -> tensor<2x2x2x6x4xf32>
    %220 = stablehlo.reshape %219 : (tensor<2x2x2x6x4xf32>) -> tensor<2x4x6x4xf32>
    %c_21 = stablehlo.constant dense<true> : tensor<i1>
    %221 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %222 = call @tril(%221) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %223 = stablehlo.dot_general %178, %218, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x6xf32>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %225 = stablehlo.divide %223, %224 : tensor<2x4x6x6xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %226 = call @_where(%222, %225, %cst_23) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %227 = stablehlo.reduce(%226 init: %cst_24) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x4x6xf32>
    %229 = stablehlo.maximum %228, %227 : tensor<2x4x6xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %232 = stablehlo.subtract %226, %231 : tensor<2x4x6x6xf32>
    %233 = stablehlo.exponential %232 : tensor<2x4x6x6xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.reduce(%233 init: %cst_26) applies stablehlo.add across dimensions = [3] : (tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2] : (tensor<2x4x6xf32>) -> tensor<2x4x6x1xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2, 3] : (tensor<2x4x6x1xf32>) -> tensor<2x4x6x6xf32>
    %237 = stablehlo.divide %233, %236 : tensor<2x4x6x6xf32>
    %238 = stablehlo.dot_general %237, %220, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x6x6xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
    %239 = stablehlo.transpose %238, dims = [0, 2, 1, 3] : (tensor<2x4x6x4xf32>) -> tensor<2x6x4x4xf32>
    %240 = stablehlo.reshape %239 : (tensor<2x6x4x4xf32>) -> tensor<2x6x16xf32>
    %241 = stablehlo.dot_general %240, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x16xf32>) -> tensor<2x6x16xf32>
    %242 = stablehlo.add %130, %241 : tensor<2x6x16xf32>
    %243 = stablehlo.multiply %242, %242 : tensor<2x6x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.reduce(%243 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<2x6x16xf32>, tensor<f32>) -> tensor<2x6xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %cst_28 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %247 = stablehlo.divide %245, %246 : tensor<2x6x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x6x1xf32>
    %249 = stablehlo.add %247, %248 : tensor<2x6x1xf32>
    %250 = stablehlo.rsqrt %249 : tensor<2x6x1xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x16xf32>
    %252 = stablehlo.multiply %242, %251 : tensor<2x6x16xf32>
    %253 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x6x16xf32>
    %255 = stablehlo.multiply %252, %254 : tensor<2x6x16xf32>
    %256 = stablehlo.dot_general %255, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %257 = call @silu(%256) : (tensor<2x6x32xf32>) -> tensor<2x6x32xf32>
    %258 = stablehlo.dot_general %255, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x16xf32>, tensor<16x32xf32>) -> tensor<2x6x32xf32>
    %259 = stablehlo.multiply %257, %258 : tensor<2x6x32xf32>
    %260 = stablehlo.dot_general %259, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6x32xf32>, tensor<32x16xf32>) -> tensor<2x6x16xf32>
    %261 = stablehlo.add %242, %260 : tensor<2x6x16xf32>
    return %261 : tensor<2x6x16xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>
    return %3 : tensor<2x4x6x6xf32>
  }
  func.func private @silu(%arg0: tensor<2x6x32xf32>) -> tensor<2x6x32xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x6x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x6x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x6x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x6x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x6x32xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x6x32xf32>
    return %6 : tensor<2x6x32xf32>
  }
}
