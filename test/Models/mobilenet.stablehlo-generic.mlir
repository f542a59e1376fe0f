// A small Flax network of depthwise separable convolutions, lowered to StableHLO
// by JAX 0.10.2, in generic form (weights as arguments).
"builtin.module"() <{sym_name = "jit_apply"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<32xf32>, tensor<3x3x3x32xf32>, tensor<32xf32>, tensor<3x3x1x32xf32>, tensor<256xf32>, tensor<1x1x256x256xf32>, tensor<256xf32>, tensor<3x3x1x256xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<64xf32>, tensor<1x1x32x64xf32>, tensor<64xf32>, tensor<3x3x1x64xf32>, tensor<128xf32>, tensor<1x1x64x128xf32>, tensor<128xf32>, tensor<3x3x1x128xf32>, tensor<128xf32>, tensor<1x1x128x128xf32>, tensor<128xf32>, tensor<3x3x1x128xf32>, tensor<256xf32>, tensor<1x1x128x256xf32>, tensor<256xf32>, tensor<3x3x1x256xf32>, tensor<1000xf32>, tensor<512x1000xf32>, tensor<1x224x224x3xf32>) -> tensor<1x1000xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg8: tensor<32xf32>, %arg9: tensor<3x3x3x32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<3x3x1x32xf32>, %arg12: tensor<256xf32>, %arg13: tensor<1x1x256x256xf32>, %arg14: tensor<256xf32>, %arg15: tensor<3x3x1x256xf32>, %arg16: tensor<512xf32>, %arg17: tensor<1x1x256x512xf32>, %arg18: tensor<64xf32>, %arg19: tensor<1x1x32x64xf32>, %arg20: tensor<64xf32>, %arg21: tensor<3x3x1x64xf32>, %arg22: tensor<128xf32>, %arg23: tensor<1x1x64x128xf32>, %arg24: tensor<128xf32>, %arg25: tensor<3x3x1x128xf32>, %arg26: tensor<128xf32>, %arg27: tensor<1x1x128x128xf32>, %arg28: tensor<128xf32>, %arg29: tensor<3x3x1x128xf32>, %arg30: tensor<256xf32>, %arg31: tensor<1x1x128x256xf32>, %arg32: tensor<256xf32>, %arg33: tensor<3x3x1x256xf32>, %arg34: tensor<1000xf32>, %arg35: tensor<512x1000xf32>, %arg36: tensor<1x224x224x3xf32>):
    %24 = "stablehlo.convolution"(%arg36, %arg9) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>) -> tensor<1x112x112x32xf32>
    %25 = "stablehlo.reshape"(%arg8) : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %27 = "stablehlo.add"(%24, %26) : (tensor<1x112x112x32xf32>, tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %28 = "func.call"(%27) <{callee = @relu}> : (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %29 = "stablehlo.convolution"(%28, %arg11) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 32 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x112x112x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x112x112x32xf32>
    %30 = "stablehlo.reshape"(%arg10) : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %32 = "stablehlo.add"(%29, %31) : (tensor<1x112x112x32xf32>, tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %33 = "func.call"(%32) <{callee = @relu}> : (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    %34 = "stablehlo.convolution"(%33, %arg19) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x112x112x32xf32>, tensor<1x1x32x64xf32>) -> tensor<1x112x112x64xf32>
    %35 = "stablehlo.reshape"(%arg18) : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x64xf32>) -> tensor<1x112x112x64xf32>
    %37 = "stablehlo.add"(%34, %36) : (tensor<1x112x112x64xf32>, tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %38 = "func.call"(%37) <{callee = @relu_0}> : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %39 = "stablehlo.convolution"(%38, %arg21) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 64 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x112x112x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x56x56x64xf32>
    %40 = "stablehlo.reshape"(%arg20) : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x64xf32>) -> tensor<1x56x56x64xf32>
    %42 = "stablehlo.add"(%39, %41) : (tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %43 = "func.call"(%42) <{callee = @relu_1}> : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %44 = "stablehlo.convolution"(%43, %arg23) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x56x56x64xf32>, tensor<1x1x64x128xf32>) -> tensor<1x56x56x128xf32>
    %45 = "stablehlo.reshape"(%arg22) : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %47 = "stablehlo.add"(%44, %46) : (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %48 = "func.call"(%47) <{callee = @relu_2}> : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %49 = "stablehlo.convolution"(%48, %arg25) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 128 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x56x56x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x56x56x128xf32>
    %50 = "stablehlo.reshape"(%arg24) : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %51 = "stablehlo.broadcast_in_dim"(%50) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %52 = "stablehlo.add"(%49, %51) : (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %53 = "func.call"(%52) <{callee = @relu_2}> : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %54 = "stablehlo.convolution"(%53, %arg27) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
    %55 = "stablehlo.reshape"(%arg26) : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x128xf32>) -> tensor<1x56x56x128xf32>
    %57 = "stablehlo.add"(%54, %56) : (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %58 = "func.call"(%57) <{callee = @relu_2}> : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %59 = "stablehlo.convolution"(%58, %arg29) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 128 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x56x56x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x28x28x128xf32>
    %60 = "stablehlo.reshape"(%arg28) : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x128xf32>) -> tensor<1x28x28x128xf32>
    %62 = "stablehlo.add"(%59, %61) : (tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %63 = "func.call"(%62) <{callee = @relu_3}> : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %64 = "stablehlo.convolution"(%63, %arg31) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x28x28x128xf32>, tensor<1x1x128x256xf32>) -> tensor<1x28x28x256xf32>
    %65 = "stablehlo.reshape"(%arg30) : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %67 = "stablehlo.add"(%64, %66) : (tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %68 = "func.call"(%67) <{callee = @relu_4}> : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %69 = "stablehlo.convolution"(%68, %arg33) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 256 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x28x28x256xf32>, tensor<3x3x1x256xf32>) -> tensor<1x28x28x256xf32>
    %70 = "stablehlo.reshape"(%arg32) : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %72 = "stablehlo.add"(%69, %71) : (tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %73 = "func.call"(%72) <{callee = @relu_4}> : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %74 = "stablehlo.convolution"(%73, %arg13) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x28x28x256xf32>, tensor<1x1x256x256xf32>) -> tensor<1x28x28x256xf32>
    %75 = "stablehlo.reshape"(%arg12) : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x256xf32>) -> tensor<1x28x28x256xf32>
    %77 = "stablehlo.add"(%74, %76) : (tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %78 = "func.call"(%77) <{callee = @relu_4}> : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %79 = "stablehlo.convolution"(%78, %arg15) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 256 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x28x28x256xf32>, tensor<3x3x1x256xf32>) -> tensor<1x14x14x256xf32>
    %80 = "stablehlo.reshape"(%arg14) : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x256xf32>) -> tensor<1x14x14x256xf32>
    %82 = "stablehlo.add"(%79, %81) : (tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %83 = "func.call"(%82) <{callee = @relu_5}> : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %84 = "stablehlo.convolution"(%83, %arg17) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x14x14x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
    %85 = "stablehlo.reshape"(%arg16) : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x512xf32>) -> tensor<1x14x14x512xf32>
    %87 = "stablehlo.add"(%84, %86) : (tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %88 = "func.call"(%87) <{callee = @relu_6}> : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.reduce"(%88, %89) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg37: tensor<f32>, %arg38: tensor<f32>):
      %97 = "stablehlo.add"(%arg37, %arg38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%97) : (tensor<f32>) -> ()
    }) : (tensor<1x14x14x512xf32>, tensor<f32>) -> tensor<1x512xf32>
    %91 = "stablehlo.constant"() <{value = dense<1.960000e+02> : tensor<f32>}> : () -> tensor<f32>
    %92 = "stablehlo.broadcast_in_dim"(%91) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x512xf32>
    %93 = "stablehlo.divide"(%90, %92) : (tensor<1x512xf32>, tensor<1x512xf32>) -> tensor<1x512xf32>
    %94 = "stablehlo.dot_general"(%93, %arg35) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<1x512xf32>, tensor<512x1000xf32>) -> tensor<1x1000xf32>
    %95 = "stablehlo.reshape"(%arg34) : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %96 = "stablehlo.add"(%94, %95) : (tensor<1x1000xf32>, tensor<1x1000xf32>) -> tensor<1x1000xf32>
    "func.return"(%96) : (tensor<1x1000xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>, res_attrs = [{}], sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<1x112x112x32xf32>):
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x112x112x32xf32>
    %23 = "stablehlo.maximum"(%arg7, %22) : (tensor<1x112x112x32xf32>, tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
    "func.return"(%23) : (tensor<1x112x112x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>, res_attrs = [{}], sym_name = "relu_0", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<1x112x112x64xf32>):
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x112x112x64xf32>
    %20 = "stablehlo.maximum"(%arg6, %19) : (tensor<1x112x112x64xf32>, tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    "func.return"(%20) : (tensor<1x112x112x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>, res_attrs = [{}], sym_name = "relu_1", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<1x56x56x64xf32>):
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x56x56x64xf32>
    %17 = "stablehlo.maximum"(%arg5, %16) : (tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    "func.return"(%17) : (tensor<1x56x56x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>, res_attrs = [{}], sym_name = "relu_2", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<1x56x56x128xf32>):
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x56x56x128xf32>
    %14 = "stablehlo.maximum"(%arg4, %13) : (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    "func.return"(%14) : (tensor<1x56x56x128xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>, res_attrs = [{}], sym_name = "relu_3", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x28x28x128xf32>):
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x28x28x128xf32>
    %11 = "stablehlo.maximum"(%arg3, %10) : (tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    "func.return"(%11) : (tensor<1x28x28x128xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>, res_attrs = [{}], sym_name = "relu_4", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<1x28x28x256xf32>):
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x28x28x256xf32>
    %8 = "stablehlo.maximum"(%arg2, %7) : (tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    "func.return"(%8) : (tensor<1x28x28x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>, res_attrs = [{}], sym_name = "relu_5", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x14x14x256xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x14x14x256xf32>
    %5 = "stablehlo.maximum"(%arg1, %4) : (tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    "func.return"(%5) : (tensor<1x14x14x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>, res_attrs = [{}], sym_name = "relu_6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x14x14x512xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x14x14x512xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    "func.return"(%2) : (tensor<1x14x14x512xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
