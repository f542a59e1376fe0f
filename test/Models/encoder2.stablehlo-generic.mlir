// Two layers of a Flax transformer encoder, lowered to StableHLO by JAX 0.10.2, in
// generic form (weights as arguments).
"builtin.module"() <{sym_name = "jit_apply"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<3072xf32>, tensor<768x3072xf32>, tensor<768xf32>, tensor<3072x768xf32>, tensor<3072xf32>, tensor<768x3072xf32>, tensor<768xf32>, tensor<3072x768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<768xf32>, tensor<12x64x768xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<768xf32>, tensor<12x64x768xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<12x64xf32>, tensor<768x12x64xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3072xf32>, %arg1: tensor<768x3072xf32>, %arg2: tensor<768xf32>, %arg3: tensor<3072x768xf32>, %arg4: tensor<3072xf32>, %arg5: tensor<768x3072xf32>, %arg6: tensor<768xf32>, %arg7: tensor<3072x768xf32>, %arg8: tensor<768xf32>, %arg9: tensor<768xf32>, %arg10: tensor<768xf32>, %arg11: tensor<768xf32>, %arg12: tensor<768xf32>, %arg13: tensor<768xf32>, %arg14: tensor<768xf32>, %arg15: tensor<768xf32>, %arg16: tensor<12x64xf32>, %arg17: tensor<768x12x64xf32>, %arg18: tensor<768xf32>, %arg19: tensor<12x64x768xf32>, %arg20: tensor<12x64xf32>, %arg21: tensor<768x12x64xf32>, %arg22: tensor<12x64xf32>, %arg23: tensor<768x12x64xf32>, %arg24: tensor<12x64xf32>, %arg25: tensor<768x12x64xf32>, %arg26: tensor<768xf32>, %arg27: tensor<12x64x768xf32>, %arg28: tensor<12x64xf32>, %arg29: tensor<768x12x64xf32>, %arg30: tensor<12x64xf32>, %arg31: tensor<768x12x64xf32>, %arg32: tensor<1x128x768xf32>):
    %0 = "chlo.square"(%arg32) : (tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%arg32, %1) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg55: tensor<f32>, %arg56: tensor<f32>):
      %269 = "stablehlo.add"(%arg55, %arg56) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%269) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %3 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %5 = "stablehlo.divide"(%2, %4) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.reduce"(%0, %6) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg53: tensor<f32>, %arg54: tensor<f32>):
      %268 = "stablehlo.add"(%arg53, %arg54) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%268) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %8 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %10 = "stablehlo.divide"(%7, %9) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %11 = "chlo.square"(%5) : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %12 = "stablehlo.subtract"(%10, %11) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %15 = "stablehlo.maximum"(%14, %12) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %16 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %17 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %18 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %19 = "stablehlo.subtract"(%arg32, %18) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %20 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x1xf32>
    %22 = "stablehlo.add"(%17, %21) : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %23 = "stablehlo.rsqrt"(%22) : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %24 = "stablehlo.reshape"(%arg9) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %25 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %26 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %27 = "stablehlo.multiply"(%25, %26) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %28 = "stablehlo.multiply"(%19, %27) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %29 = "stablehlo.reshape"(%arg8) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %31 = "stablehlo.add"(%28, %30) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %32 = "stablehlo.dot_general"(%31, %arg21) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %33 = "stablehlo.reshape"(%arg20) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %35 = "stablehlo.add"(%32, %34) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %36 = "stablehlo.dot_general"(%31, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %37 = "stablehlo.reshape"(%arg16) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %39 = "stablehlo.add"(%36, %38) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %40 = "stablehlo.dot_general"(%31, %arg23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %41 = "stablehlo.reshape"(%arg22) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %43 = "stablehlo.add"(%40, %42) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %44 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.sqrt"(%44) : (tensor<f32>) -> tensor<f32>
    %46 = "stablehlo.convert"(%45) : (tensor<f32>) -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x12x64xf32>
    %48 = "stablehlo.divide"(%35, %47) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %49 = "stablehlo.dot_general"(%48, %39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x12x128x128xf32>
    %50 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %51 = "stablehlo.reduce"(%49, %50) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %267 = "stablehlo.maximum"(%arg51, %arg52) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%267) : (tensor<f32>) -> ()
    }) : (tensor<1x12x128x128xf32>, tensor<f32>) -> tensor<1x12x128xf32>
    %52 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x12x128xf32>
    %54 = "stablehlo.maximum"(%53, %51) : (tensor<1x12x128xf32>, tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x12x128xf32>) -> tensor<1x12x128x1xf32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %57 = "stablehlo.subtract"(%49, %56) : (tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %58 = "stablehlo.exponential"(%57) : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %59 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %266 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%266) : (tensor<f32>) -> ()
    }) : (tensor<1x12x128x128xf32>, tensor<f32>) -> tensor<1x12x128xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x12x128xf32>) -> tensor<1x12x128x1xf32>
    %62 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %63 = "stablehlo.divide"(%58, %62) : (tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %64 = "stablehlo.dot_general"(%43, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x64x128xf32>
    %65 = "stablehlo.transpose"(%64) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x12x64x128xf32>) -> tensor<1x128x12x64xf32>
    %66 = "stablehlo.dot_general"(%65, %arg19) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<12x64x768xf32>) -> tensor<1x128x768xf32>
    %67 = "stablehlo.reshape"(%arg18) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %69 = "stablehlo.add"(%66, %68) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %70 = "stablehlo.add"(%arg32, %69) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %71 = "chlo.square"(%70) : (tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %72 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.reduce"(%70, %72) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %265 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%265) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %74 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %76 = "stablehlo.divide"(%73, %75) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %77 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.reduce"(%71, %77) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg45: tensor<f32>, %arg46: tensor<f32>):
      %264 = "stablehlo.add"(%arg45, %arg46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%264) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %79 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %81 = "stablehlo.divide"(%78, %80) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %82 = "chlo.square"(%76) : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %83 = "stablehlo.subtract"(%81, %82) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %84 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %86 = "stablehlo.maximum"(%85, %83) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %87 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %88 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %89 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %90 = "stablehlo.subtract"(%70, %89) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %91 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x1xf32>
    %93 = "stablehlo.add"(%88, %92) : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %94 = "stablehlo.rsqrt"(%93) : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %95 = "stablehlo.reshape"(%arg11) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %96 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %97 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %98 = "stablehlo.multiply"(%96, %97) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %99 = "stablehlo.multiply"(%90, %98) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %100 = "stablehlo.reshape"(%arg10) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %102 = "stablehlo.add"(%99, %101) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %103 = "stablehlo.dot_general"(%102, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x3072xf32>) -> tensor<1x128x3072xf32>
    %104 = "stablehlo.reshape"(%arg0) : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x3072xf32>) -> tensor<1x128x3072xf32>
    %106 = "stablehlo.add"(%103, %105) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %107 = "stablehlo.multiply"(%106, %106) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %108 = "stablehlo.multiply"(%107, %106) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %109 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %111 = "stablehlo.multiply"(%110, %108) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %112 = "stablehlo.add"(%106, %111) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %113 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %114 = "stablehlo.broadcast_in_dim"(%113) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %115 = "stablehlo.multiply"(%114, %112) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %116 = "stablehlo.tanh"(%115) : (tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %117 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %119 = "stablehlo.add"(%118, %116) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %120 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %122 = "stablehlo.multiply"(%121, %119) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %123 = "stablehlo.multiply"(%106, %122) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %124 = "stablehlo.dot_general"(%123, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x3072xf32>, tensor<3072x768xf32>) -> tensor<1x128x768xf32>
    %125 = "stablehlo.reshape"(%arg2) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %126 = "stablehlo.broadcast_in_dim"(%125) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %127 = "stablehlo.add"(%124, %126) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %128 = "stablehlo.add"(%70, %127) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %129 = "chlo.square"(%128) : (tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %130 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %131 = "stablehlo.reduce"(%128, %130) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg43: tensor<f32>, %arg44: tensor<f32>):
      %263 = "stablehlo.add"(%arg43, %arg44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%263) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %132 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %133 = "stablehlo.broadcast_in_dim"(%132) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %134 = "stablehlo.divide"(%131, %133) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %135 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %136 = "stablehlo.reduce"(%129, %135) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg41: tensor<f32>, %arg42: tensor<f32>):
      %262 = "stablehlo.add"(%arg41, %arg42) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%262) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %137 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %139 = "stablehlo.divide"(%136, %138) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %140 = "chlo.square"(%134) : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %141 = "stablehlo.subtract"(%139, %140) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %142 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %144 = "stablehlo.maximum"(%143, %141) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %145 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %146 = "stablehlo.broadcast_in_dim"(%144) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %147 = "stablehlo.broadcast_in_dim"(%145) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %148 = "stablehlo.subtract"(%128, %147) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %149 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %150 = "stablehlo.broadcast_in_dim"(%149) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x1xf32>
    %151 = "stablehlo.add"(%146, %150) : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %152 = "stablehlo.rsqrt"(%151) : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %153 = "stablehlo.reshape"(%arg13) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %154 = "stablehlo.broadcast_in_dim"(%152) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %155 = "stablehlo.broadcast_in_dim"(%153) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %156 = "stablehlo.multiply"(%154, %155) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %157 = "stablehlo.multiply"(%148, %156) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %158 = "stablehlo.reshape"(%arg12) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %160 = "stablehlo.add"(%157, %159) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %161 = "stablehlo.dot_general"(%160, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %162 = "stablehlo.reshape"(%arg28) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %163 = "stablehlo.broadcast_in_dim"(%162) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %164 = "stablehlo.add"(%161, %163) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %165 = "stablehlo.dot_general"(%160, %arg25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %166 = "stablehlo.reshape"(%arg24) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %168 = "stablehlo.add"(%165, %167) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %169 = "stablehlo.dot_general"(%160, %arg31) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x12x64xf32>) -> tensor<1x128x12x64xf32>
    %170 = "stablehlo.reshape"(%arg30) : (tensor<12x64xf32>) -> tensor<1x1x12x64xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x12x64xf32>) -> tensor<1x128x12x64xf32>
    %172 = "stablehlo.add"(%169, %171) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %173 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %174 = "stablehlo.sqrt"(%173) : (tensor<f32>) -> tensor<f32>
    %175 = "stablehlo.convert"(%174) : (tensor<f32>) -> tensor<f32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x12x64xf32>
    %177 = "stablehlo.divide"(%164, %176) : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x128x12x64xf32>
    %178 = "stablehlo.dot_general"(%177, %168) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<1x128x12x64xf32>) -> tensor<1x12x128x128xf32>
    %179 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %180 = "stablehlo.reduce"(%178, %179) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg39: tensor<f32>, %arg40: tensor<f32>):
      %261 = "stablehlo.maximum"(%arg39, %arg40) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%261) : (tensor<f32>) -> ()
    }) : (tensor<1x12x128x128xf32>, tensor<f32>) -> tensor<1x12x128xf32>
    %181 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x12x128xf32>
    %183 = "stablehlo.maximum"(%182, %180) : (tensor<1x12x128xf32>, tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %184 = "stablehlo.broadcast_in_dim"(%183) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x12x128xf32>) -> tensor<1x12x128x1xf32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %186 = "stablehlo.subtract"(%178, %185) : (tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %187 = "stablehlo.exponential"(%186) : (tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %188 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %189 = "stablehlo.reduce"(%187, %188) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %260 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%260) : (tensor<f32>) -> ()
    }) : (tensor<1x12x128x128xf32>, tensor<f32>) -> tensor<1x12x128xf32>
    %190 = "stablehlo.broadcast_in_dim"(%189) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x12x128xf32>) -> tensor<1x12x128x1xf32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x12x128x1xf32>) -> tensor<1x12x128x128xf32>
    %192 = "stablehlo.divide"(%187, %191) : (tensor<1x12x128x128xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x128x128xf32>
    %193 = "stablehlo.dot_general"(%172, %192) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<1x12x128x128xf32>) -> tensor<1x12x64x128xf32>
    %194 = "stablehlo.transpose"(%193) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x12x64x128xf32>) -> tensor<1x128x12x64xf32>
    %195 = "stablehlo.dot_general"(%194, %arg27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x12x64xf32>, tensor<12x64x768xf32>) -> tensor<1x128x768xf32>
    %196 = "stablehlo.reshape"(%arg26) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %197 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %198 = "stablehlo.add"(%195, %197) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %199 = "stablehlo.add"(%128, %198) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %200 = "chlo.square"(%199) : (tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %201 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.reduce"(%199, %201) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %259 = "stablehlo.add"(%arg35, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%259) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %203 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %204 = "stablehlo.broadcast_in_dim"(%203) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %205 = "stablehlo.divide"(%202, %204) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %206 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %207 = "stablehlo.reduce"(%200, %206) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg33: tensor<f32>, %arg34: tensor<f32>):
      %258 = "stablehlo.add"(%arg33, %arg34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%258) : (tensor<f32>) -> ()
    }) : (tensor<1x128x768xf32>, tensor<f32>) -> tensor<1x128xf32>
    %208 = "stablehlo.constant"() <{value = dense<7.680000e+02> : tensor<f32>}> : () -> tensor<f32>
    %209 = "stablehlo.broadcast_in_dim"(%208) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %210 = "stablehlo.divide"(%207, %209) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %211 = "chlo.square"(%205) : (tensor<1x128xf32>) -> tensor<1x128xf32>
    %212 = "stablehlo.subtract"(%210, %211) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %213 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %214 = "stablehlo.broadcast_in_dim"(%213) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128xf32>
    %215 = "stablehlo.maximum"(%214, %212) : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
    %216 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %217 = "stablehlo.broadcast_in_dim"(%215) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x128xf32>) -> tensor<1x128x1xf32>
    %218 = "stablehlo.broadcast_in_dim"(%216) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %219 = "stablehlo.subtract"(%199, %218) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %220 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %221 = "stablehlo.broadcast_in_dim"(%220) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x1xf32>
    %222 = "stablehlo.add"(%217, %221) : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %223 = "stablehlo.rsqrt"(%222) : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %224 = "stablehlo.reshape"(%arg15) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %225 = "stablehlo.broadcast_in_dim"(%223) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %226 = "stablehlo.broadcast_in_dim"(%224) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %227 = "stablehlo.multiply"(%225, %226) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %228 = "stablehlo.multiply"(%219, %227) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %229 = "stablehlo.reshape"(%arg14) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %230 = "stablehlo.broadcast_in_dim"(%229) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %231 = "stablehlo.add"(%228, %230) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %232 = "stablehlo.dot_general"(%231, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x768xf32>, tensor<768x3072xf32>) -> tensor<1x128x3072xf32>
    %233 = "stablehlo.reshape"(%arg4) : (tensor<3072xf32>) -> tensor<1x1x3072xf32>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x3072xf32>) -> tensor<1x128x3072xf32>
    %235 = "stablehlo.add"(%232, %234) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %236 = "stablehlo.multiply"(%235, %235) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %237 = "stablehlo.multiply"(%236, %235) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %238 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.broadcast_in_dim"(%238) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %240 = "stablehlo.multiply"(%239, %237) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %241 = "stablehlo.add"(%235, %240) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %242 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %243 = "stablehlo.broadcast_in_dim"(%242) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %244 = "stablehlo.multiply"(%243, %241) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %245 = "stablehlo.tanh"(%244) : (tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %246 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %247 = "stablehlo.broadcast_in_dim"(%246) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %248 = "stablehlo.add"(%247, %245) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %249 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %250 = "stablehlo.broadcast_in_dim"(%249) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x128x3072xf32>
    %251 = "stablehlo.multiply"(%250, %248) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %252 = "stablehlo.multiply"(%235, %251) : (tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) -> tensor<1x128x3072xf32>
    %253 = "stablehlo.dot_general"(%252, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x128x3072xf32>, tensor<3072x768xf32>) -> tensor<1x128x768xf32>
    %254 = "stablehlo.reshape"(%arg6) : (tensor<768xf32>) -> tensor<1x1x768xf32>
    %255 = "stablehlo.broadcast_in_dim"(%254) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x768xf32>) -> tensor<1x128x768xf32>
    %256 = "stablehlo.add"(%253, %255) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %257 = "stablehlo.add"(%199, %256) : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    "func.return"(%257) : (tensor<1x128x768xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
