// Flax ResNet-50 (224x224, NHWC, weights as arguments), lowered by JAX 0.10.2
// to StableHLO and by IREE 3.13's StableHLO-to-linalg passes to linalg.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map6 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
module @jit_apply {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256xf32>, %arg9: tensor<256xf32>, %arg10: tensor<64xf32>, %arg11: tensor<64xf32>, %arg12: tensor<64xf32>, %arg13: tensor<64xf32>, %arg14: tensor<256xf32>, %arg15: tensor<256xf32>, %arg16: tensor<256xf32>, %arg17: tensor<256xf32>, %arg18: tensor<256xf32>, %arg19: tensor<256xf32>, %arg20: tensor<1024xf32>, %arg21: tensor<1024xf32>, %arg22: tensor<256xf32>, %arg23: tensor<256xf32>, %arg24: tensor<256xf32>, %arg25: tensor<256xf32>, %arg26: tensor<1024xf32>, %arg27: tensor<1024xf32>, %arg28: tensor<256xf32>, %arg29: tensor<256xf32>, %arg30: tensor<256xf32>, %arg31: tensor<256xf32>, %arg32: tensor<1024xf32>, %arg33: tensor<1024xf32>, %arg34: tensor<512xf32>, %arg35: tensor<512xf32>, %arg36: tensor<512xf32>, %arg37: tensor<512xf32>, %arg38: tensor<2048xf32>, %arg39: tensor<2048xf32>, %arg40: tensor<2048xf32>, %arg41: tensor<2048xf32>, %arg42: tensor<512xf32>, %arg43: tensor<512xf32>, %arg44: tensor<512xf32>, %arg45: tensor<512xf32>, %arg46: tensor<2048xf32>, %arg47: tensor<2048xf32>, %arg48: tensor<512xf32>, %arg49: tensor<512xf32>, %arg50: tensor<512xf32>, %arg51: tensor<512xf32>, %arg52: tensor<2048xf32>, %arg53: tensor<2048xf32>, %arg54: tensor<64xf32>, %arg55: tensor<64xf32>, %arg56: tensor<64xf32>, %arg57: tensor<64xf32>, %arg58: tensor<256xf32>, %arg59: tensor<256xf32>, %arg60: tensor<128xf32>, %arg61: tensor<128xf32>, %arg62: tensor<128xf32>, %arg63: tensor<128xf32>, %arg64: tensor<512xf32>, %arg65: tensor<512xf32>, %arg66: tensor<512xf32>, %arg67: tensor<512xf32>, %arg68: tensor<128xf32>, %arg69: tensor<128xf32>, %arg70: tensor<128xf32>, %arg71: tensor<128xf32>, %arg72: tensor<512xf32>, %arg73: tensor<512xf32>, %arg74: tensor<128xf32>, %arg75: tensor<128xf32>, %arg76: tensor<128xf32>, %arg77: tensor<128xf32>, %arg78: tensor<512xf32>, %arg79: tensor<512xf32>, %arg80: tensor<128xf32>, %arg81: tensor<128xf32>, %arg82: tensor<128xf32>, %arg83: tensor<128xf32>, %arg84: tensor<512xf32>, %arg85: tensor<512xf32>, %arg86: tensor<256xf32>, %arg87: tensor<256xf32>, %arg88: tensor<256xf32>, %arg89: tensor<256xf32>, %arg90: tensor<1024xf32>, %arg91: tensor<1024xf32>, %arg92: tensor<1024xf32>, %arg93: tensor<1024xf32>, %arg94: tensor<256xf32>, %arg95: tensor<256xf32>, %arg96: tensor<256xf32>, %arg97: tensor<256xf32>, %arg98: tensor<1024xf32>, %arg99: tensor<1024xf32>, %arg100: tensor<256xf32>, %arg101: tensor<256xf32>, %arg102: tensor<256xf32>, %arg103: tensor<256xf32>, %arg104: tensor<1024xf32>, %arg105: tensor<1024xf32>, %arg106: tensor<64xf32>, %arg107: tensor<64xf32>, %arg108: tensor<64xf32>, %arg109: tensor<64xf32>, %arg110: tensor<64xf32>, %arg111: tensor<64xf32>, %arg112: tensor<256xf32>, %arg113: tensor<256xf32>, %arg114: tensor<256xf32>, %arg115: tensor<256xf32>, %arg116: tensor<1x1x64x64xf32>, %arg117: tensor<3x3x64x64xf32>, %arg118: tensor<1x1x64x256xf32>, %arg119: tensor<1x1x64x256xf32>, %arg120: tensor<64xf32>, %arg121: tensor<64xf32>, %arg122: tensor<64xf32>, %arg123: tensor<64xf32>, %arg124: tensor<256xf32>, %arg125: tensor<256xf32>, %arg126: tensor<1x1x256x64xf32>, %arg127: tensor<3x3x64x64xf32>, %arg128: tensor<1x1x64x256xf32>, %arg129: tensor<256xf32>, %arg130: tensor<256xf32>, %arg131: tensor<256xf32>, %arg132: tensor<256xf32>, %arg133: tensor<1024xf32>, %arg134: tensor<1024xf32>, %arg135: tensor<1x1x1024x256xf32>, %arg136: tensor<3x3x256x256xf32>, %arg137: tensor<1x1x256x1024xf32>, %arg138: tensor<256xf32>, %arg139: tensor<256xf32>, %arg140: tensor<256xf32>, %arg141: tensor<256xf32>, %arg142: tensor<1024xf32>, %arg143: tensor<1024xf32>, %arg144: tensor<1x1x1024x256xf32>, %arg145: tensor<3x3x256x256xf32>, %arg146: tensor<1x1x256x1024xf32>, %arg147: tensor<256xf32>, %arg148: tensor<256xf32>, %arg149: tensor<256xf32>, %arg150: tensor<256xf32>, %arg151: tensor<1024xf32>, %arg152: tensor<1024xf32>, %arg153: tensor<1x1x1024x256xf32>, %arg154: tensor<3x3x256x256xf32>, %arg155: tensor<1x1x256x1024xf32>, %arg156: tensor<512xf32>, %arg157: tensor<512xf32>, %arg158: tensor<512xf32>, %arg159: tensor<512xf32>, %arg160: tensor<2048xf32>, %arg161: tensor<2048xf32>, %arg162: tensor<2048xf32>, %arg163: tensor<2048xf32>, %arg164: tensor<1x1x1024x512xf32>, %arg165: tensor<3x3x512x512xf32>, %arg166: tensor<1x1x512x2048xf32>, %arg167: tensor<1x1x1024x2048xf32>, %arg168: tensor<512xf32>, %arg169: tensor<512xf32>, %arg170: tensor<512xf32>, %arg171: tensor<512xf32>, %arg172: tensor<2048xf32>, %arg173: tensor<2048xf32>, %arg174: tensor<1x1x2048x512xf32>, %arg175: tensor<3x3x512x512xf32>, %arg176: tensor<1x1x512x2048xf32>, %arg177: tensor<512xf32>, %arg178: tensor<512xf32>, %arg179: tensor<512xf32>, %arg180: tensor<512xf32>, %arg181: tensor<2048xf32>, %arg182: tensor<2048xf32>, %arg183: tensor<1x1x2048x512xf32>, %arg184: tensor<3x3x512x512xf32>, %arg185: tensor<1x1x512x2048xf32>, %arg186: tensor<64xf32>, %arg187: tensor<64xf32>, %arg188: tensor<64xf32>, %arg189: tensor<64xf32>, %arg190: tensor<256xf32>, %arg191: tensor<256xf32>, %arg192: tensor<1x1x256x64xf32>, %arg193: tensor<3x3x64x64xf32>, %arg194: tensor<1x1x64x256xf32>, %arg195: tensor<128xf32>, %arg196: tensor<128xf32>, %arg197: tensor<128xf32>, %arg198: tensor<128xf32>, %arg199: tensor<512xf32>, %arg200: tensor<512xf32>, %arg201: tensor<512xf32>, %arg202: tensor<512xf32>, %arg203: tensor<1x1x256x128xf32>, %arg204: tensor<3x3x128x128xf32>, %arg205: tensor<1x1x128x512xf32>, %arg206: tensor<1x1x256x512xf32>, %arg207: tensor<128xf32>, %arg208: tensor<128xf32>, %arg209: tensor<128xf32>, %arg210: tensor<128xf32>, %arg211: tensor<512xf32>, %arg212: tensor<512xf32>, %arg213: tensor<1x1x512x128xf32>, %arg214: tensor<3x3x128x128xf32>, %arg215: tensor<1x1x128x512xf32>, %arg216: tensor<128xf32>, %arg217: tensor<128xf32>, %arg218: tensor<128xf32>, %arg219: tensor<128xf32>, %arg220: tensor<512xf32>, %arg221: tensor<512xf32>, %arg222: tensor<1x1x512x128xf32>, %arg223: tensor<3x3x128x128xf32>, %arg224: tensor<1x1x128x512xf32>, %arg225: tensor<128xf32>, %arg226: tensor<128xf32>, %arg227: tensor<128xf32>, %arg228: tensor<128xf32>, %arg229: tensor<512xf32>, %arg230: tensor<512xf32>, %arg231: tensor<1x1x512x128xf32>, %arg232: tensor<3x3x128x128xf32>, %arg233: tensor<1x1x128x512xf32>, %arg234: tensor<256xf32>, %arg235: tensor<256xf32>, %arg236: tensor<256xf32>, %arg237: tensor<256xf32>, %arg238: tensor<1024xf32>, %arg239: tensor<1024xf32>, %arg240: tensor<1024xf32>, %arg241: tensor<1024xf32>, %arg242: tensor<1x1x512x256xf32>, %arg243: tensor<3x3x256x256xf32>, %arg244: tensor<1x1x256x1024xf32>, %arg245: tensor<1x1x512x1024xf32>, %arg246: tensor<256xf32>, %arg247: tensor<256xf32>, %arg248: tensor<256xf32>, %arg249: tensor<256xf32>, %arg250: tensor<1024xf32>, %arg251: tensor<1024xf32>, %arg252: tensor<1x1x1024x256xf32>, %arg253: tensor<3x3x256x256xf32>, %arg254: tensor<1x1x256x1024xf32>, %arg255: tensor<256xf32>, %arg256: tensor<256xf32>, %arg257: tensor<256xf32>, %arg258: tensor<256xf32>, %arg259: tensor<1024xf32>, %arg260: tensor<1024xf32>, %arg261: tensor<1x1x1024x256xf32>, %arg262: tensor<3x3x256x256xf32>, %arg263: tensor<1x1x256x1024xf32>, %arg264: tensor<7x7x3x64xf32>, %arg265: tensor<1000xf32>, %arg266: tensor<2048x1000xf32>, %arg267: tensor<1x224x224x3xf32>) -> tensor<1x1000xf32> {
    %cst = arith.constant 4.900000e+01 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 9.99999974E-6 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<7x7x3x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg264 : tensor<7x7x3x64xf32>) outs(%0 : tensor<7x7x3x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x7x3x64xf32>
    %2 = tensor.empty() : tensor<1x112x112x64xf32>
    %3 = linalg.fill ins(%cst_3 : f32) outs(%2 : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %padded = tensor.pad %arg267 low[0, 3, 3, 0] high[0, 3, 3, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x224x224x3xf32> to tensor<1x230x230x3xf32>
    %4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded, %1 : tensor<1x230x230x3xf32>, tensor<7x7x3x64xf32>) outs(%3 : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %5 = tensor.empty() : tensor<1x1x1x64xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<64xf32>) outs(%5 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %7 = tensor.empty() : tensor<1x112x112x64xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<64xf32>) outs(%7 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x112x112x64xf32>
    %9 = tensor.empty() : tensor<1x112x112x64xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<1x112x112x64xf32>, tensor<1x112x112x64xf32>) outs(%9 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x112x112x64xf32>
    %11 = tensor.empty() : tensor<1x1x1x64xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1x64xf32>) outs(%11 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %13 = tensor.empty() : tensor<1x1x1x64xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1x64xf32>) outs(%13 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded = tensor.expand_shape %arg107 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %15 = tensor.empty() : tensor<1x1x1x64xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %expanded : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%15 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %17 = tensor.empty() : tensor<1x112x112x64xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x1x1x64xf32>) outs(%17 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x112x112x64xf32>
    %19 = tensor.empty() : tensor<1x112x112x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %18 : tensor<1x112x112x64xf32>, tensor<1x112x112x64xf32>) outs(%19 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x112x112x64xf32>
    %expanded_4 = tensor.expand_shape %arg106 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %21 = tensor.empty() : tensor<1x112x112x64xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x1x1x64xf32>) outs(%21 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x112x112x64xf32>
    %23 = tensor.empty() : tensor<1x112x112x64xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %22 : tensor<1x112x112x64xf32>, tensor<1x112x112x64xf32>) outs(%23 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x112x112x64xf32>
    %25 = call @relu(%24) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %26 = tensor.empty() : tensor<1x56x56x64xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%26 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %padded_5 = tensor.pad %25 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_0 : f32
    } : tensor<1x112x112x64xf32> to tensor<1x113x113x64xf32>
    %28 = tensor.empty() : tensor<3x3xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded_5, %28 : tensor<1x113x113x64xf32>, tensor<3x3xf32>) outs(%27 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.maximumf %out, %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %30 = tensor.empty() : tensor<1x1x64x64xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg116 : tensor<1x1x64x64xf32>) outs(%30 : tensor<1x1x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x64x64xf32>
    %32 = tensor.empty() : tensor<1x56x56x64xf32>
    %33 = linalg.fill ins(%cst_3 : f32) outs(%32 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %34 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%29, %31 : tensor<1x56x56x64xf32>, tensor<1x1x64x64xf32>) outs(%33 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %35 = tensor.empty() : tensor<1x1x1x64xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<64xf32>) outs(%35 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %37 = tensor.empty() : tensor<1x56x56x64xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<64xf32>) outs(%37 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %39 = tensor.empty() : tensor<1x56x56x64xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %38 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%39 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %41 = tensor.empty() : tensor<1x1x1x64xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<1x1x1x64xf32>) outs(%41 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %43 = tensor.empty() : tensor<1x1x1x64xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x1x1x64xf32>) outs(%43 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_6 = tensor.expand_shape %arg109 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %45 = tensor.empty() : tensor<1x1x1x64xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %expanded_6 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%45 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %47 = tensor.empty() : tensor<1x56x56x64xf32>
    %48 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x1x1x64xf32>) outs(%47 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %49 = tensor.empty() : tensor<1x56x56x64xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %48 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%49 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_7 = tensor.expand_shape %arg108 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %51 = tensor.empty() : tensor<1x56x56x64xf32>
    %52 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_7 : tensor<1x1x1x64xf32>) outs(%51 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %53 = tensor.empty() : tensor<1x56x56x64xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %52 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%53 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %55 = call @relu_0(%54) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %56 = tensor.empty() : tensor<3x3x64x64xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg117 : tensor<3x3x64x64xf32>) outs(%56 : tensor<3x3x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x64x64xf32>
    %58 = tensor.empty() : tensor<1x56x56x64xf32>
    %59 = linalg.fill ins(%cst_3 : f32) outs(%58 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %padded_8 = tensor.pad %55 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
    %60 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_8, %57 : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%59 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %61 = tensor.empty() : tensor<1x1x1x64xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg5 : tensor<64xf32>) outs(%61 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %63 = tensor.empty() : tensor<1x56x56x64xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg4 : tensor<64xf32>) outs(%63 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %65 = tensor.empty() : tensor<1x56x56x64xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %64 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%65 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %67 = tensor.empty() : tensor<1x1x1x64xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x1x1x64xf32>) outs(%67 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %69 = tensor.empty() : tensor<1x1x1x64xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x1x1x64xf32>) outs(%69 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_9 = tensor.expand_shape %arg111 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %71 = tensor.empty() : tensor<1x1x1x64xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %expanded_9 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%71 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %73 = tensor.empty() : tensor<1x56x56x64xf32>
    %74 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72 : tensor<1x1x1x64xf32>) outs(%73 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %75 = tensor.empty() : tensor<1x56x56x64xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %74 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%75 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_10 = tensor.expand_shape %arg110 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %77 = tensor.empty() : tensor<1x56x56x64xf32>
    %78 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<1x1x1x64xf32>) outs(%77 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %79 = tensor.empty() : tensor<1x56x56x64xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %78 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%79 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %81 = call @relu_0(%80) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %82 = tensor.empty() : tensor<1x1x64x256xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg118 : tensor<1x1x64x256xf32>) outs(%82 : tensor<1x1x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x64x256xf32>
    %84 = tensor.empty() : tensor<1x56x56x256xf32>
    %85 = linalg.fill ins(%cst_3 : f32) outs(%84 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %86 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%81, %83 : tensor<1x56x56x64xf32>, tensor<1x1x64x256xf32>) outs(%85 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %87 = tensor.empty() : tensor<1x1x1x256xf32>
    %88 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg7 : tensor<256xf32>) outs(%87 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %89 = tensor.empty() : tensor<1x56x56x256xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<256xf32>) outs(%89 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %91 = tensor.empty() : tensor<1x56x56x256xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %90 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%91 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %93 = tensor.empty() : tensor<1x1x1x256xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x1x1x256xf32>) outs(%93 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %95 = tensor.empty() : tensor<1x1x1x256xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94 : tensor<1x1x1x256xf32>) outs(%95 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_11 = tensor.expand_shape %arg113 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %97 = tensor.empty() : tensor<1x1x1x256xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %expanded_11 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%97 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %99 = tensor.empty() : tensor<1x56x56x256xf32>
    %100 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x1x1x256xf32>) outs(%99 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %101 = tensor.empty() : tensor<1x56x56x256xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %100 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%101 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %expanded_12 = tensor.expand_shape %arg112 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %103 = tensor.empty() : tensor<1x56x56x256xf32>
    %104 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x1x1x256xf32>) outs(%103 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %105 = tensor.empty() : tensor<1x56x56x256xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102, %104 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%105 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %107 = tensor.empty() : tensor<1x1x64x256xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg119 : tensor<1x1x64x256xf32>) outs(%107 : tensor<1x1x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x64x256xf32>
    %109 = tensor.empty() : tensor<1x56x56x256xf32>
    %110 = linalg.fill ins(%cst_3 : f32) outs(%109 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %111 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%29, %108 : tensor<1x56x56x64xf32>, tensor<1x1x64x256xf32>) outs(%110 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %112 = tensor.empty() : tensor<1x1x1x256xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg9 : tensor<256xf32>) outs(%112 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %114 = tensor.empty() : tensor<1x56x56x256xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%114 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %116 = tensor.empty() : tensor<1x56x56x256xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111, %115 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%116 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %118 = tensor.empty() : tensor<1x1x1x256xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113 : tensor<1x1x1x256xf32>) outs(%118 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %120 = tensor.empty() : tensor<1x1x1x256xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<1x1x1x256xf32>) outs(%120 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_13 = tensor.expand_shape %arg115 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %122 = tensor.empty() : tensor<1x1x1x256xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %expanded_13 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%122 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %124 = tensor.empty() : tensor<1x56x56x256xf32>
    %125 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<1x1x1x256xf32>) outs(%124 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %126 = tensor.empty() : tensor<1x56x56x256xf32>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %125 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%126 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %expanded_14 = tensor.expand_shape %arg114 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %128 = tensor.empty() : tensor<1x56x56x256xf32>
    %129 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x1x1x256xf32>) outs(%128 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %130 = tensor.empty() : tensor<1x56x56x256xf32>
    %131 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %129 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%130 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %132 = tensor.empty() : tensor<1x56x56x256xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106, %131 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%132 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %134 = call @relu_1(%133) : (tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %135 = tensor.empty() : tensor<1x1x256x64xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg126 : tensor<1x1x256x64xf32>) outs(%135 : tensor<1x1x256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x64xf32>
    %137 = tensor.empty() : tensor<1x56x56x64xf32>
    %138 = linalg.fill ins(%cst_3 : f32) outs(%137 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %139 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%134, %136 : tensor<1x56x56x256xf32>, tensor<1x1x256x64xf32>) outs(%138 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %140 = tensor.empty() : tensor<1x1x1x64xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg11 : tensor<64xf32>) outs(%140 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %142 = tensor.empty() : tensor<1x56x56x64xf32>
    %143 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg10 : tensor<64xf32>) outs(%142 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %144 = tensor.empty() : tensor<1x56x56x64xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %143 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%144 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %146 = tensor.empty() : tensor<1x1x1x64xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<1x1x1x64xf32>) outs(%146 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %148 = tensor.empty() : tensor<1x1x1x64xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147 : tensor<1x1x1x64xf32>) outs(%148 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_15 = tensor.expand_shape %arg121 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %150 = tensor.empty() : tensor<1x1x1x64xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%149, %expanded_15 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%150 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %152 = tensor.empty() : tensor<1x56x56x64xf32>
    %153 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%151 : tensor<1x1x1x64xf32>) outs(%152 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %154 = tensor.empty() : tensor<1x56x56x64xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145, %153 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%154 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_16 = tensor.expand_shape %arg120 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %156 = tensor.empty() : tensor<1x56x56x64xf32>
    %157 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<1x1x1x64xf32>) outs(%156 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %158 = tensor.empty() : tensor<1x56x56x64xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155, %157 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%158 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %160 = call @relu_0(%159) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %161 = tensor.empty() : tensor<3x3x64x64xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg127 : tensor<3x3x64x64xf32>) outs(%161 : tensor<3x3x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x64x64xf32>
    %163 = tensor.empty() : tensor<1x56x56x64xf32>
    %164 = linalg.fill ins(%cst_3 : f32) outs(%163 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %padded_17 = tensor.pad %160 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
    %165 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_17, %162 : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%164 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %166 = tensor.empty() : tensor<1x1x1x64xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg13 : tensor<64xf32>) outs(%166 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %168 = tensor.empty() : tensor<1x56x56x64xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg12 : tensor<64xf32>) outs(%168 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %170 = tensor.empty() : tensor<1x56x56x64xf32>
    %171 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165, %169 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%170 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %172 = tensor.empty() : tensor<1x1x1x64xf32>
    %173 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167 : tensor<1x1x1x64xf32>) outs(%172 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %174 = tensor.empty() : tensor<1x1x1x64xf32>
    %175 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%173 : tensor<1x1x1x64xf32>) outs(%174 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_18 = tensor.expand_shape %arg123 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %176 = tensor.empty() : tensor<1x1x1x64xf32>
    %177 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175, %expanded_18 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%176 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %178 = tensor.empty() : tensor<1x56x56x64xf32>
    %179 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%177 : tensor<1x1x1x64xf32>) outs(%178 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %180 = tensor.empty() : tensor<1x56x56x64xf32>
    %181 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%171, %179 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%180 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_19 = tensor.expand_shape %arg122 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %182 = tensor.empty() : tensor<1x56x56x64xf32>
    %183 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x1x1x64xf32>) outs(%182 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %184 = tensor.empty() : tensor<1x56x56x64xf32>
    %185 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%181, %183 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%184 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %186 = call @relu_0(%185) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %187 = tensor.empty() : tensor<1x1x64x256xf32>
    %188 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg128 : tensor<1x1x64x256xf32>) outs(%187 : tensor<1x1x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x64x256xf32>
    %189 = tensor.empty() : tensor<1x56x56x256xf32>
    %190 = linalg.fill ins(%cst_3 : f32) outs(%189 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %191 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%186, %188 : tensor<1x56x56x64xf32>, tensor<1x1x64x256xf32>) outs(%190 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %192 = tensor.empty() : tensor<1x1x1x256xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg15 : tensor<256xf32>) outs(%192 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %194 = tensor.empty() : tensor<1x56x56x256xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg14 : tensor<256xf32>) outs(%194 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %196 = tensor.empty() : tensor<1x56x56x256xf32>
    %197 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%191, %195 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%196 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %198 = tensor.empty() : tensor<1x1x1x256xf32>
    %199 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193 : tensor<1x1x1x256xf32>) outs(%198 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %200 = tensor.empty() : tensor<1x1x1x256xf32>
    %201 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%199 : tensor<1x1x1x256xf32>) outs(%200 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_20 = tensor.expand_shape %arg125 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %202 = tensor.empty() : tensor<1x1x1x256xf32>
    %203 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%201, %expanded_20 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%202 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %204 = tensor.empty() : tensor<1x56x56x256xf32>
    %205 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%203 : tensor<1x1x1x256xf32>) outs(%204 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %206 = tensor.empty() : tensor<1x56x56x256xf32>
    %207 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%197, %205 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%206 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %expanded_21 = tensor.expand_shape %arg124 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %208 = tensor.empty() : tensor<1x56x56x256xf32>
    %209 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x1x1x256xf32>) outs(%208 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %210 = tensor.empty() : tensor<1x56x56x256xf32>
    %211 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%207, %209 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%210 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %212 = tensor.empty() : tensor<1x56x56x256xf32>
    %213 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%211, %134 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%212 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %214 = call @relu_1(%213) : (tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %215 = tensor.empty() : tensor<1x1x256x64xf32>
    %216 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg192 : tensor<1x1x256x64xf32>) outs(%215 : tensor<1x1x256x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x64xf32>
    %217 = tensor.empty() : tensor<1x56x56x64xf32>
    %218 = linalg.fill ins(%cst_3 : f32) outs(%217 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %219 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%214, %216 : tensor<1x56x56x256xf32>, tensor<1x1x256x64xf32>) outs(%218 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %220 = tensor.empty() : tensor<1x1x1x64xf32>
    %221 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg55 : tensor<64xf32>) outs(%220 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %222 = tensor.empty() : tensor<1x56x56x64xf32>
    %223 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg54 : tensor<64xf32>) outs(%222 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %224 = tensor.empty() : tensor<1x56x56x64xf32>
    %225 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%219, %223 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%224 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %226 = tensor.empty() : tensor<1x1x1x64xf32>
    %227 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%221 : tensor<1x1x1x64xf32>) outs(%226 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %228 = tensor.empty() : tensor<1x1x1x64xf32>
    %229 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%227 : tensor<1x1x1x64xf32>) outs(%228 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_22 = tensor.expand_shape %arg187 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %230 = tensor.empty() : tensor<1x1x1x64xf32>
    %231 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%229, %expanded_22 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%230 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %232 = tensor.empty() : tensor<1x56x56x64xf32>
    %233 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%231 : tensor<1x1x1x64xf32>) outs(%232 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %234 = tensor.empty() : tensor<1x56x56x64xf32>
    %235 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%225, %233 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%234 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_23 = tensor.expand_shape %arg186 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %236 = tensor.empty() : tensor<1x56x56x64xf32>
    %237 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x1x1x64xf32>) outs(%236 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %238 = tensor.empty() : tensor<1x56x56x64xf32>
    %239 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%235, %237 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%238 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %240 = call @relu_0(%239) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %241 = tensor.empty() : tensor<3x3x64x64xf32>
    %242 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg193 : tensor<3x3x64x64xf32>) outs(%241 : tensor<3x3x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x64x64xf32>
    %243 = tensor.empty() : tensor<1x56x56x64xf32>
    %244 = linalg.fill ins(%cst_3 : f32) outs(%243 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %padded_24 = tensor.pad %240 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
    %245 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_24, %242 : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%244 : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %246 = tensor.empty() : tensor<1x1x1x64xf32>
    %247 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg57 : tensor<64xf32>) outs(%246 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x64xf32>
    %248 = tensor.empty() : tensor<1x56x56x64xf32>
    %249 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg56 : tensor<64xf32>) outs(%248 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %250 = tensor.empty() : tensor<1x56x56x64xf32>
    %251 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%245, %249 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%250 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %252 = tensor.empty() : tensor<1x1x1x64xf32>
    %253 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%247 : tensor<1x1x1x64xf32>) outs(%252 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %254 = tensor.empty() : tensor<1x1x1x64xf32>
    %255 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%253 : tensor<1x1x1x64xf32>) outs(%254 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %expanded_25 = tensor.expand_shape %arg189 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %256 = tensor.empty() : tensor<1x1x1x64xf32>
    %257 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%255, %expanded_25 : tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) outs(%256 : tensor<1x1x1x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x64xf32>
    %258 = tensor.empty() : tensor<1x56x56x64xf32>
    %259 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%257 : tensor<1x1x1x64xf32>) outs(%258 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %260 = tensor.empty() : tensor<1x56x56x64xf32>
    %261 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%251, %259 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%260 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %expanded_26 = tensor.expand_shape %arg188 [[0, 1, 2, 3]] output_shape [1, 1, 1, 64] : tensor<64xf32> into tensor<1x1x1x64xf32>
    %262 = tensor.empty() : tensor<1x56x56x64xf32>
    %263 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x1x1x64xf32>) outs(%262 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x64xf32>
    %264 = tensor.empty() : tensor<1x56x56x64xf32>
    %265 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%261, %263 : tensor<1x56x56x64xf32>, tensor<1x56x56x64xf32>) outs(%264 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x64xf32>
    %266 = call @relu_0(%265) : (tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %267 = tensor.empty() : tensor<1x1x64x256xf32>
    %268 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg194 : tensor<1x1x64x256xf32>) outs(%267 : tensor<1x1x64x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x64x256xf32>
    %269 = tensor.empty() : tensor<1x56x56x256xf32>
    %270 = linalg.fill ins(%cst_3 : f32) outs(%269 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %271 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%266, %268 : tensor<1x56x56x64xf32>, tensor<1x1x64x256xf32>) outs(%270 : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %272 = tensor.empty() : tensor<1x1x1x256xf32>
    %273 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg59 : tensor<256xf32>) outs(%272 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %274 = tensor.empty() : tensor<1x56x56x256xf32>
    %275 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg58 : tensor<256xf32>) outs(%274 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %276 = tensor.empty() : tensor<1x56x56x256xf32>
    %277 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%271, %275 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%276 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %278 = tensor.empty() : tensor<1x1x1x256xf32>
    %279 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%273 : tensor<1x1x1x256xf32>) outs(%278 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %280 = tensor.empty() : tensor<1x1x1x256xf32>
    %281 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%279 : tensor<1x1x1x256xf32>) outs(%280 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_27 = tensor.expand_shape %arg191 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %282 = tensor.empty() : tensor<1x1x1x256xf32>
    %283 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%281, %expanded_27 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%282 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %284 = tensor.empty() : tensor<1x56x56x256xf32>
    %285 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%283 : tensor<1x1x1x256xf32>) outs(%284 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %286 = tensor.empty() : tensor<1x56x56x256xf32>
    %287 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%277, %285 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%286 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %expanded_28 = tensor.expand_shape %arg190 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %288 = tensor.empty() : tensor<1x56x56x256xf32>
    %289 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_28 : tensor<1x1x1x256xf32>) outs(%288 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x256xf32>
    %290 = tensor.empty() : tensor<1x56x56x256xf32>
    %291 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%287, %289 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%290 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %292 = tensor.empty() : tensor<1x56x56x256xf32>
    %293 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%291, %214 : tensor<1x56x56x256xf32>, tensor<1x56x56x256xf32>) outs(%292 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x256xf32>
    %294 = call @relu_1(%293) : (tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %295 = tensor.empty() : tensor<1x1x256x128xf32>
    %296 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg203 : tensor<1x1x256x128xf32>) outs(%295 : tensor<1x1x256x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x128xf32>
    %297 = tensor.empty() : tensor<1x56x56x128xf32>
    %298 = linalg.fill ins(%cst_3 : f32) outs(%297 : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %299 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%294, %296 : tensor<1x56x56x256xf32>, tensor<1x1x256x128xf32>) outs(%298 : tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %300 = tensor.empty() : tensor<1x1x1x128xf32>
    %301 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg61 : tensor<128xf32>) outs(%300 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %302 = tensor.empty() : tensor<1x56x56x128xf32>
    %303 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg60 : tensor<128xf32>) outs(%302 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x128xf32>
    %304 = tensor.empty() : tensor<1x56x56x128xf32>
    %305 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%299, %303 : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) outs(%304 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x128xf32>
    %306 = tensor.empty() : tensor<1x1x1x128xf32>
    %307 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%301 : tensor<1x1x1x128xf32>) outs(%306 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %308 = tensor.empty() : tensor<1x1x1x128xf32>
    %309 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%307 : tensor<1x1x1x128xf32>) outs(%308 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_29 = tensor.expand_shape %arg196 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %310 = tensor.empty() : tensor<1x1x1x128xf32>
    %311 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%309, %expanded_29 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%310 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %312 = tensor.empty() : tensor<1x56x56x128xf32>
    %313 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%311 : tensor<1x1x1x128xf32>) outs(%312 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x128xf32>
    %314 = tensor.empty() : tensor<1x56x56x128xf32>
    %315 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%305, %313 : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) outs(%314 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x128xf32>
    %expanded_30 = tensor.expand_shape %arg195 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %316 = tensor.empty() : tensor<1x56x56x128xf32>
    %317 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x1x1x128xf32>) outs(%316 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x56x56x128xf32>
    %318 = tensor.empty() : tensor<1x56x56x128xf32>
    %319 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%315, %317 : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) outs(%318 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x56x56x128xf32>
    %320 = call @relu_2(%319) : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %321 = tensor.empty() : tensor<3x3x128x128xf32>
    %322 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg204 : tensor<3x3x128x128xf32>) outs(%321 : tensor<3x3x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x128x128xf32>
    %323 = tensor.empty() : tensor<1x28x28x128xf32>
    %324 = linalg.fill ins(%cst_3 : f32) outs(%323 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %padded_31 = tensor.pad %320 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x56x56x128xf32> to tensor<1x57x57x128xf32>
    %325 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_31, %322 : tensor<1x57x57x128xf32>, tensor<3x3x128x128xf32>) outs(%324 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %326 = tensor.empty() : tensor<1x1x1x128xf32>
    %327 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg63 : tensor<128xf32>) outs(%326 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %328 = tensor.empty() : tensor<1x28x28x128xf32>
    %329 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg62 : tensor<128xf32>) outs(%328 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %330 = tensor.empty() : tensor<1x28x28x128xf32>
    %331 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%325, %329 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%330 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %332 = tensor.empty() : tensor<1x1x1x128xf32>
    %333 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%327 : tensor<1x1x1x128xf32>) outs(%332 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %334 = tensor.empty() : tensor<1x1x1x128xf32>
    %335 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%333 : tensor<1x1x1x128xf32>) outs(%334 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_32 = tensor.expand_shape %arg198 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %336 = tensor.empty() : tensor<1x1x1x128xf32>
    %337 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%335, %expanded_32 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%336 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %338 = tensor.empty() : tensor<1x28x28x128xf32>
    %339 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%337 : tensor<1x1x1x128xf32>) outs(%338 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %340 = tensor.empty() : tensor<1x28x28x128xf32>
    %341 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%331, %339 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%340 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_33 = tensor.expand_shape %arg197 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %342 = tensor.empty() : tensor<1x28x28x128xf32>
    %343 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x1x1x128xf32>) outs(%342 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %344 = tensor.empty() : tensor<1x28x28x128xf32>
    %345 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%341, %343 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%344 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %346 = call @relu_3(%345) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %347 = tensor.empty() : tensor<1x1x128x512xf32>
    %348 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg205 : tensor<1x1x128x512xf32>) outs(%347 : tensor<1x1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x128x512xf32>
    %349 = tensor.empty() : tensor<1x28x28x512xf32>
    %350 = linalg.fill ins(%cst_3 : f32) outs(%349 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %351 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%346, %348 : tensor<1x28x28x128xf32>, tensor<1x1x128x512xf32>) outs(%350 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %352 = tensor.empty() : tensor<1x1x1x512xf32>
    %353 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg65 : tensor<512xf32>) outs(%352 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %354 = tensor.empty() : tensor<1x28x28x512xf32>
    %355 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg64 : tensor<512xf32>) outs(%354 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %356 = tensor.empty() : tensor<1x28x28x512xf32>
    %357 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%351, %355 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%356 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %358 = tensor.empty() : tensor<1x1x1x512xf32>
    %359 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%353 : tensor<1x1x1x512xf32>) outs(%358 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %360 = tensor.empty() : tensor<1x1x1x512xf32>
    %361 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%359 : tensor<1x1x1x512xf32>) outs(%360 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_34 = tensor.expand_shape %arg200 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %362 = tensor.empty() : tensor<1x1x1x512xf32>
    %363 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%361, %expanded_34 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%362 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %364 = tensor.empty() : tensor<1x28x28x512xf32>
    %365 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%363 : tensor<1x1x1x512xf32>) outs(%364 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %366 = tensor.empty() : tensor<1x28x28x512xf32>
    %367 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%357, %365 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%366 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %expanded_35 = tensor.expand_shape %arg199 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %368 = tensor.empty() : tensor<1x28x28x512xf32>
    %369 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<1x1x1x512xf32>) outs(%368 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %370 = tensor.empty() : tensor<1x28x28x512xf32>
    %371 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%367, %369 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%370 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %372 = tensor.empty() : tensor<1x1x256x512xf32>
    %373 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg206 : tensor<1x1x256x512xf32>) outs(%372 : tensor<1x1x256x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x512xf32>
    %374 = tensor.empty() : tensor<1x28x28x512xf32>
    %375 = linalg.fill ins(%cst_3 : f32) outs(%374 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %376 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%294, %373 : tensor<1x56x56x256xf32>, tensor<1x1x256x512xf32>) outs(%375 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %377 = tensor.empty() : tensor<1x1x1x512xf32>
    %378 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg67 : tensor<512xf32>) outs(%377 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %379 = tensor.empty() : tensor<1x28x28x512xf32>
    %380 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg66 : tensor<512xf32>) outs(%379 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %381 = tensor.empty() : tensor<1x28x28x512xf32>
    %382 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%376, %380 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%381 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %383 = tensor.empty() : tensor<1x1x1x512xf32>
    %384 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%378 : tensor<1x1x1x512xf32>) outs(%383 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %385 = tensor.empty() : tensor<1x1x1x512xf32>
    %386 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%384 : tensor<1x1x1x512xf32>) outs(%385 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_36 = tensor.expand_shape %arg202 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %387 = tensor.empty() : tensor<1x1x1x512xf32>
    %388 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%386, %expanded_36 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%387 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %389 = tensor.empty() : tensor<1x28x28x512xf32>
    %390 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%388 : tensor<1x1x1x512xf32>) outs(%389 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %391 = tensor.empty() : tensor<1x28x28x512xf32>
    %392 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%382, %390 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%391 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %expanded_37 = tensor.expand_shape %arg201 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %393 = tensor.empty() : tensor<1x28x28x512xf32>
    %394 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<1x1x1x512xf32>) outs(%393 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %395 = tensor.empty() : tensor<1x28x28x512xf32>
    %396 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%392, %394 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%395 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %397 = tensor.empty() : tensor<1x28x28x512xf32>
    %398 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%371, %396 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%397 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %399 = call @relu_4(%398) : (tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %400 = tensor.empty() : tensor<1x1x512x128xf32>
    %401 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg213 : tensor<1x1x512x128xf32>) outs(%400 : tensor<1x1x512x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x128xf32>
    %402 = tensor.empty() : tensor<1x28x28x128xf32>
    %403 = linalg.fill ins(%cst_3 : f32) outs(%402 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %404 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%399, %401 : tensor<1x28x28x512xf32>, tensor<1x1x512x128xf32>) outs(%403 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %405 = tensor.empty() : tensor<1x1x1x128xf32>
    %406 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg69 : tensor<128xf32>) outs(%405 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %407 = tensor.empty() : tensor<1x28x28x128xf32>
    %408 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg68 : tensor<128xf32>) outs(%407 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %409 = tensor.empty() : tensor<1x28x28x128xf32>
    %410 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%404, %408 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%409 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %411 = tensor.empty() : tensor<1x1x1x128xf32>
    %412 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%406 : tensor<1x1x1x128xf32>) outs(%411 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %413 = tensor.empty() : tensor<1x1x1x128xf32>
    %414 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%412 : tensor<1x1x1x128xf32>) outs(%413 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_38 = tensor.expand_shape %arg208 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %415 = tensor.empty() : tensor<1x1x1x128xf32>
    %416 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%414, %expanded_38 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%415 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %417 = tensor.empty() : tensor<1x28x28x128xf32>
    %418 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%416 : tensor<1x1x1x128xf32>) outs(%417 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %419 = tensor.empty() : tensor<1x28x28x128xf32>
    %420 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%410, %418 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%419 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_39 = tensor.expand_shape %arg207 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %421 = tensor.empty() : tensor<1x28x28x128xf32>
    %422 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x1x1x128xf32>) outs(%421 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %423 = tensor.empty() : tensor<1x28x28x128xf32>
    %424 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%420, %422 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%423 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %425 = call @relu_3(%424) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %426 = tensor.empty() : tensor<3x3x128x128xf32>
    %427 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg214 : tensor<3x3x128x128xf32>) outs(%426 : tensor<3x3x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x128x128xf32>
    %428 = tensor.empty() : tensor<1x28x28x128xf32>
    %429 = linalg.fill ins(%cst_3 : f32) outs(%428 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %padded_40 = tensor.pad %425 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x28x28x128xf32> to tensor<1x30x30x128xf32>
    %430 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_40, %427 : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%429 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %431 = tensor.empty() : tensor<1x1x1x128xf32>
    %432 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg71 : tensor<128xf32>) outs(%431 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %433 = tensor.empty() : tensor<1x28x28x128xf32>
    %434 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg70 : tensor<128xf32>) outs(%433 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %435 = tensor.empty() : tensor<1x28x28x128xf32>
    %436 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%430, %434 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%435 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %437 = tensor.empty() : tensor<1x1x1x128xf32>
    %438 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%432 : tensor<1x1x1x128xf32>) outs(%437 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %439 = tensor.empty() : tensor<1x1x1x128xf32>
    %440 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%438 : tensor<1x1x1x128xf32>) outs(%439 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_41 = tensor.expand_shape %arg210 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %441 = tensor.empty() : tensor<1x1x1x128xf32>
    %442 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%440, %expanded_41 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%441 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %443 = tensor.empty() : tensor<1x28x28x128xf32>
    %444 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%442 : tensor<1x1x1x128xf32>) outs(%443 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %445 = tensor.empty() : tensor<1x28x28x128xf32>
    %446 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%436, %444 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%445 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_42 = tensor.expand_shape %arg209 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %447 = tensor.empty() : tensor<1x28x28x128xf32>
    %448 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_42 : tensor<1x1x1x128xf32>) outs(%447 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %449 = tensor.empty() : tensor<1x28x28x128xf32>
    %450 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%446, %448 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%449 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %451 = call @relu_3(%450) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %452 = tensor.empty() : tensor<1x1x128x512xf32>
    %453 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg215 : tensor<1x1x128x512xf32>) outs(%452 : tensor<1x1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x128x512xf32>
    %454 = tensor.empty() : tensor<1x28x28x512xf32>
    %455 = linalg.fill ins(%cst_3 : f32) outs(%454 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %456 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%451, %453 : tensor<1x28x28x128xf32>, tensor<1x1x128x512xf32>) outs(%455 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %457 = tensor.empty() : tensor<1x1x1x512xf32>
    %458 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg73 : tensor<512xf32>) outs(%457 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %459 = tensor.empty() : tensor<1x28x28x512xf32>
    %460 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg72 : tensor<512xf32>) outs(%459 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %461 = tensor.empty() : tensor<1x28x28x512xf32>
    %462 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%456, %460 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%461 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %463 = tensor.empty() : tensor<1x1x1x512xf32>
    %464 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%458 : tensor<1x1x1x512xf32>) outs(%463 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %465 = tensor.empty() : tensor<1x1x1x512xf32>
    %466 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%464 : tensor<1x1x1x512xf32>) outs(%465 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_43 = tensor.expand_shape %arg212 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %467 = tensor.empty() : tensor<1x1x1x512xf32>
    %468 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%466, %expanded_43 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%467 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %469 = tensor.empty() : tensor<1x28x28x512xf32>
    %470 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%468 : tensor<1x1x1x512xf32>) outs(%469 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %471 = tensor.empty() : tensor<1x28x28x512xf32>
    %472 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%462, %470 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%471 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %expanded_44 = tensor.expand_shape %arg211 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %473 = tensor.empty() : tensor<1x28x28x512xf32>
    %474 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<1x1x1x512xf32>) outs(%473 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %475 = tensor.empty() : tensor<1x28x28x512xf32>
    %476 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%472, %474 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%475 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %477 = tensor.empty() : tensor<1x28x28x512xf32>
    %478 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%476, %399 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%477 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %479 = call @relu_4(%478) : (tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %480 = tensor.empty() : tensor<1x1x512x128xf32>
    %481 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg222 : tensor<1x1x512x128xf32>) outs(%480 : tensor<1x1x512x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x128xf32>
    %482 = tensor.empty() : tensor<1x28x28x128xf32>
    %483 = linalg.fill ins(%cst_3 : f32) outs(%482 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %484 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%479, %481 : tensor<1x28x28x512xf32>, tensor<1x1x512x128xf32>) outs(%483 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %485 = tensor.empty() : tensor<1x1x1x128xf32>
    %486 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg75 : tensor<128xf32>) outs(%485 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %487 = tensor.empty() : tensor<1x28x28x128xf32>
    %488 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg74 : tensor<128xf32>) outs(%487 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %489 = tensor.empty() : tensor<1x28x28x128xf32>
    %490 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%484, %488 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%489 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %491 = tensor.empty() : tensor<1x1x1x128xf32>
    %492 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%486 : tensor<1x1x1x128xf32>) outs(%491 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %493 = tensor.empty() : tensor<1x1x1x128xf32>
    %494 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%492 : tensor<1x1x1x128xf32>) outs(%493 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_45 = tensor.expand_shape %arg217 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %495 = tensor.empty() : tensor<1x1x1x128xf32>
    %496 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%494, %expanded_45 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%495 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %497 = tensor.empty() : tensor<1x28x28x128xf32>
    %498 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%496 : tensor<1x1x1x128xf32>) outs(%497 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %499 = tensor.empty() : tensor<1x28x28x128xf32>
    %500 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%490, %498 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%499 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_46 = tensor.expand_shape %arg216 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %501 = tensor.empty() : tensor<1x28x28x128xf32>
    %502 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_46 : tensor<1x1x1x128xf32>) outs(%501 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %503 = tensor.empty() : tensor<1x28x28x128xf32>
    %504 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%500, %502 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%503 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %505 = call @relu_3(%504) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %506 = tensor.empty() : tensor<3x3x128x128xf32>
    %507 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg223 : tensor<3x3x128x128xf32>) outs(%506 : tensor<3x3x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x128x128xf32>
    %508 = tensor.empty() : tensor<1x28x28x128xf32>
    %509 = linalg.fill ins(%cst_3 : f32) outs(%508 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %padded_47 = tensor.pad %505 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x28x28x128xf32> to tensor<1x30x30x128xf32>
    %510 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_47, %507 : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%509 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %511 = tensor.empty() : tensor<1x1x1x128xf32>
    %512 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg77 : tensor<128xf32>) outs(%511 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %513 = tensor.empty() : tensor<1x28x28x128xf32>
    %514 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg76 : tensor<128xf32>) outs(%513 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %515 = tensor.empty() : tensor<1x28x28x128xf32>
    %516 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%510, %514 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%515 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %517 = tensor.empty() : tensor<1x1x1x128xf32>
    %518 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%512 : tensor<1x1x1x128xf32>) outs(%517 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %519 = tensor.empty() : tensor<1x1x1x128xf32>
    %520 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%518 : tensor<1x1x1x128xf32>) outs(%519 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_48 = tensor.expand_shape %arg219 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %521 = tensor.empty() : tensor<1x1x1x128xf32>
    %522 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%520, %expanded_48 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%521 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %523 = tensor.empty() : tensor<1x28x28x128xf32>
    %524 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%522 : tensor<1x1x1x128xf32>) outs(%523 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %525 = tensor.empty() : tensor<1x28x28x128xf32>
    %526 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%516, %524 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%525 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_49 = tensor.expand_shape %arg218 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %527 = tensor.empty() : tensor<1x28x28x128xf32>
    %528 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_49 : tensor<1x1x1x128xf32>) outs(%527 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %529 = tensor.empty() : tensor<1x28x28x128xf32>
    %530 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%526, %528 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%529 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %531 = call @relu_3(%530) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %532 = tensor.empty() : tensor<1x1x128x512xf32>
    %533 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg224 : tensor<1x1x128x512xf32>) outs(%532 : tensor<1x1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x128x512xf32>
    %534 = tensor.empty() : tensor<1x28x28x512xf32>
    %535 = linalg.fill ins(%cst_3 : f32) outs(%534 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %536 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%531, %533 : tensor<1x28x28x128xf32>, tensor<1x1x128x512xf32>) outs(%535 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %537 = tensor.empty() : tensor<1x1x1x512xf32>
    %538 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg79 : tensor<512xf32>) outs(%537 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %539 = tensor.empty() : tensor<1x28x28x512xf32>
    %540 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg78 : tensor<512xf32>) outs(%539 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %541 = tensor.empty() : tensor<1x28x28x512xf32>
    %542 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%536, %540 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%541 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %543 = tensor.empty() : tensor<1x1x1x512xf32>
    %544 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%538 : tensor<1x1x1x512xf32>) outs(%543 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %545 = tensor.empty() : tensor<1x1x1x512xf32>
    %546 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%544 : tensor<1x1x1x512xf32>) outs(%545 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_50 = tensor.expand_shape %arg221 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %547 = tensor.empty() : tensor<1x1x1x512xf32>
    %548 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%546, %expanded_50 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%547 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %549 = tensor.empty() : tensor<1x28x28x512xf32>
    %550 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%548 : tensor<1x1x1x512xf32>) outs(%549 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %551 = tensor.empty() : tensor<1x28x28x512xf32>
    %552 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%542, %550 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%551 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %expanded_51 = tensor.expand_shape %arg220 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %553 = tensor.empty() : tensor<1x28x28x512xf32>
    %554 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_51 : tensor<1x1x1x512xf32>) outs(%553 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %555 = tensor.empty() : tensor<1x28x28x512xf32>
    %556 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%552, %554 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%555 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %557 = tensor.empty() : tensor<1x28x28x512xf32>
    %558 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%556, %479 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%557 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %559 = call @relu_4(%558) : (tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %560 = tensor.empty() : tensor<1x1x512x128xf32>
    %561 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg231 : tensor<1x1x512x128xf32>) outs(%560 : tensor<1x1x512x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x128xf32>
    %562 = tensor.empty() : tensor<1x28x28x128xf32>
    %563 = linalg.fill ins(%cst_3 : f32) outs(%562 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %564 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%559, %561 : tensor<1x28x28x512xf32>, tensor<1x1x512x128xf32>) outs(%563 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %565 = tensor.empty() : tensor<1x1x1x128xf32>
    %566 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg81 : tensor<128xf32>) outs(%565 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %567 = tensor.empty() : tensor<1x28x28x128xf32>
    %568 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg80 : tensor<128xf32>) outs(%567 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %569 = tensor.empty() : tensor<1x28x28x128xf32>
    %570 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%564, %568 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%569 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %571 = tensor.empty() : tensor<1x1x1x128xf32>
    %572 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%566 : tensor<1x1x1x128xf32>) outs(%571 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %573 = tensor.empty() : tensor<1x1x1x128xf32>
    %574 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%572 : tensor<1x1x1x128xf32>) outs(%573 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_52 = tensor.expand_shape %arg226 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %575 = tensor.empty() : tensor<1x1x1x128xf32>
    %576 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%574, %expanded_52 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%575 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %577 = tensor.empty() : tensor<1x28x28x128xf32>
    %578 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%576 : tensor<1x1x1x128xf32>) outs(%577 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %579 = tensor.empty() : tensor<1x28x28x128xf32>
    %580 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%570, %578 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%579 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_53 = tensor.expand_shape %arg225 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %581 = tensor.empty() : tensor<1x28x28x128xf32>
    %582 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_53 : tensor<1x1x1x128xf32>) outs(%581 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %583 = tensor.empty() : tensor<1x28x28x128xf32>
    %584 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%580, %582 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%583 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %585 = call @relu_3(%584) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %586 = tensor.empty() : tensor<3x3x128x128xf32>
    %587 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg232 : tensor<3x3x128x128xf32>) outs(%586 : tensor<3x3x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x128x128xf32>
    %588 = tensor.empty() : tensor<1x28x28x128xf32>
    %589 = linalg.fill ins(%cst_3 : f32) outs(%588 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %padded_54 = tensor.pad %585 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x28x28x128xf32> to tensor<1x30x30x128xf32>
    %590 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_54, %587 : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%589 : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %591 = tensor.empty() : tensor<1x1x1x128xf32>
    %592 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg83 : tensor<128xf32>) outs(%591 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x128xf32>
    %593 = tensor.empty() : tensor<1x28x28x128xf32>
    %594 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg82 : tensor<128xf32>) outs(%593 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %595 = tensor.empty() : tensor<1x28x28x128xf32>
    %596 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%590, %594 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%595 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %597 = tensor.empty() : tensor<1x1x1x128xf32>
    %598 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%592 : tensor<1x1x1x128xf32>) outs(%597 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %599 = tensor.empty() : tensor<1x1x1x128xf32>
    %600 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%598 : tensor<1x1x1x128xf32>) outs(%599 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %expanded_55 = tensor.expand_shape %arg228 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %601 = tensor.empty() : tensor<1x1x1x128xf32>
    %602 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%600, %expanded_55 : tensor<1x1x1x128xf32>, tensor<1x1x1x128xf32>) outs(%601 : tensor<1x1x1x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x128xf32>
    %603 = tensor.empty() : tensor<1x28x28x128xf32>
    %604 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%602 : tensor<1x1x1x128xf32>) outs(%603 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %605 = tensor.empty() : tensor<1x28x28x128xf32>
    %606 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%596, %604 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%605 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %expanded_56 = tensor.expand_shape %arg227 [[0, 1, 2, 3]] output_shape [1, 1, 1, 128] : tensor<128xf32> into tensor<1x1x1x128xf32>
    %607 = tensor.empty() : tensor<1x28x28x128xf32>
    %608 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_56 : tensor<1x1x1x128xf32>) outs(%607 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x128xf32>
    %609 = tensor.empty() : tensor<1x28x28x128xf32>
    %610 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%606, %608 : tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) outs(%609 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x128xf32>
    %611 = call @relu_3(%610) : (tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
    %612 = tensor.empty() : tensor<1x1x128x512xf32>
    %613 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg233 : tensor<1x1x128x512xf32>) outs(%612 : tensor<1x1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x128x512xf32>
    %614 = tensor.empty() : tensor<1x28x28x512xf32>
    %615 = linalg.fill ins(%cst_3 : f32) outs(%614 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %616 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%611, %613 : tensor<1x28x28x128xf32>, tensor<1x1x128x512xf32>) outs(%615 : tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %617 = tensor.empty() : tensor<1x1x1x512xf32>
    %618 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg85 : tensor<512xf32>) outs(%617 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %619 = tensor.empty() : tensor<1x28x28x512xf32>
    %620 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg84 : tensor<512xf32>) outs(%619 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %621 = tensor.empty() : tensor<1x28x28x512xf32>
    %622 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%616, %620 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%621 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %623 = tensor.empty() : tensor<1x1x1x512xf32>
    %624 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%618 : tensor<1x1x1x512xf32>) outs(%623 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %625 = tensor.empty() : tensor<1x1x1x512xf32>
    %626 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%624 : tensor<1x1x1x512xf32>) outs(%625 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_57 = tensor.expand_shape %arg230 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %627 = tensor.empty() : tensor<1x1x1x512xf32>
    %628 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%626, %expanded_57 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%627 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %629 = tensor.empty() : tensor<1x28x28x512xf32>
    %630 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%628 : tensor<1x1x1x512xf32>) outs(%629 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %631 = tensor.empty() : tensor<1x28x28x512xf32>
    %632 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%622, %630 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%631 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %expanded_58 = tensor.expand_shape %arg229 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %633 = tensor.empty() : tensor<1x28x28x512xf32>
    %634 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<1x1x1x512xf32>) outs(%633 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x512xf32>
    %635 = tensor.empty() : tensor<1x28x28x512xf32>
    %636 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%632, %634 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%635 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %637 = tensor.empty() : tensor<1x28x28x512xf32>
    %638 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%636, %559 : tensor<1x28x28x512xf32>, tensor<1x28x28x512xf32>) outs(%637 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x512xf32>
    %639 = call @relu_4(%638) : (tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32>
    %640 = tensor.empty() : tensor<1x1x512x256xf32>
    %641 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg242 : tensor<1x1x512x256xf32>) outs(%640 : tensor<1x1x512x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x256xf32>
    %642 = tensor.empty() : tensor<1x28x28x256xf32>
    %643 = linalg.fill ins(%cst_3 : f32) outs(%642 : tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %644 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%639, %641 : tensor<1x28x28x512xf32>, tensor<1x1x512x256xf32>) outs(%643 : tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %645 = tensor.empty() : tensor<1x1x1x256xf32>
    %646 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg87 : tensor<256xf32>) outs(%645 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %647 = tensor.empty() : tensor<1x28x28x256xf32>
    %648 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg86 : tensor<256xf32>) outs(%647 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x256xf32>
    %649 = tensor.empty() : tensor<1x28x28x256xf32>
    %650 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%644, %648 : tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) outs(%649 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x256xf32>
    %651 = tensor.empty() : tensor<1x1x1x256xf32>
    %652 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%646 : tensor<1x1x1x256xf32>) outs(%651 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %653 = tensor.empty() : tensor<1x1x1x256xf32>
    %654 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%652 : tensor<1x1x1x256xf32>) outs(%653 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_59 = tensor.expand_shape %arg235 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %655 = tensor.empty() : tensor<1x1x1x256xf32>
    %656 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%654, %expanded_59 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%655 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %657 = tensor.empty() : tensor<1x28x28x256xf32>
    %658 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%656 : tensor<1x1x1x256xf32>) outs(%657 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x256xf32>
    %659 = tensor.empty() : tensor<1x28x28x256xf32>
    %660 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%650, %658 : tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) outs(%659 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x256xf32>
    %expanded_60 = tensor.expand_shape %arg234 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %661 = tensor.empty() : tensor<1x28x28x256xf32>
    %662 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_60 : tensor<1x1x1x256xf32>) outs(%661 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x28x28x256xf32>
    %663 = tensor.empty() : tensor<1x28x28x256xf32>
    %664 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%660, %662 : tensor<1x28x28x256xf32>, tensor<1x28x28x256xf32>) outs(%663 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x28x28x256xf32>
    %665 = call @relu_5(%664) : (tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32>
    %666 = tensor.empty() : tensor<3x3x256x256xf32>
    %667 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg243 : tensor<3x3x256x256xf32>) outs(%666 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %668 = tensor.empty() : tensor<1x14x14x256xf32>
    %669 = linalg.fill ins(%cst_3 : f32) outs(%668 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_61 = tensor.pad %665 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x28x28x256xf32> to tensor<1x29x29x256xf32>
    %670 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_61, %667 : tensor<1x29x29x256xf32>, tensor<3x3x256x256xf32>) outs(%669 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %671 = tensor.empty() : tensor<1x1x1x256xf32>
    %672 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg89 : tensor<256xf32>) outs(%671 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %673 = tensor.empty() : tensor<1x14x14x256xf32>
    %674 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg88 : tensor<256xf32>) outs(%673 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %675 = tensor.empty() : tensor<1x14x14x256xf32>
    %676 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%670, %674 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%675 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %677 = tensor.empty() : tensor<1x1x1x256xf32>
    %678 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%672 : tensor<1x1x1x256xf32>) outs(%677 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %679 = tensor.empty() : tensor<1x1x1x256xf32>
    %680 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%678 : tensor<1x1x1x256xf32>) outs(%679 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_62 = tensor.expand_shape %arg237 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %681 = tensor.empty() : tensor<1x1x1x256xf32>
    %682 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%680, %expanded_62 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%681 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %683 = tensor.empty() : tensor<1x14x14x256xf32>
    %684 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%682 : tensor<1x1x1x256xf32>) outs(%683 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %685 = tensor.empty() : tensor<1x14x14x256xf32>
    %686 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%676, %684 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%685 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_63 = tensor.expand_shape %arg236 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %687 = tensor.empty() : tensor<1x14x14x256xf32>
    %688 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<1x1x1x256xf32>) outs(%687 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %689 = tensor.empty() : tensor<1x14x14x256xf32>
    %690 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%686, %688 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%689 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %691 = call @relu_6(%690) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %692 = tensor.empty() : tensor<1x1x256x1024xf32>
    %693 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg244 : tensor<1x1x256x1024xf32>) outs(%692 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %694 = tensor.empty() : tensor<1x14x14x1024xf32>
    %695 = linalg.fill ins(%cst_3 : f32) outs(%694 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %696 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%691, %693 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%695 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %697 = tensor.empty() : tensor<1x1x1x1024xf32>
    %698 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg91 : tensor<1024xf32>) outs(%697 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %699 = tensor.empty() : tensor<1x14x14x1024xf32>
    %700 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg90 : tensor<1024xf32>) outs(%699 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %701 = tensor.empty() : tensor<1x14x14x1024xf32>
    %702 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%696, %700 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%701 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %703 = tensor.empty() : tensor<1x1x1x1024xf32>
    %704 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%698 : tensor<1x1x1x1024xf32>) outs(%703 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %705 = tensor.empty() : tensor<1x1x1x1024xf32>
    %706 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%704 : tensor<1x1x1x1024xf32>) outs(%705 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_64 = tensor.expand_shape %arg239 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %707 = tensor.empty() : tensor<1x1x1x1024xf32>
    %708 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%706, %expanded_64 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%707 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %709 = tensor.empty() : tensor<1x14x14x1024xf32>
    %710 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%708 : tensor<1x1x1x1024xf32>) outs(%709 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %711 = tensor.empty() : tensor<1x14x14x1024xf32>
    %712 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%702, %710 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%711 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_65 = tensor.expand_shape %arg238 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %713 = tensor.empty() : tensor<1x14x14x1024xf32>
    %714 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_65 : tensor<1x1x1x1024xf32>) outs(%713 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %715 = tensor.empty() : tensor<1x14x14x1024xf32>
    %716 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%712, %714 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%715 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %717 = tensor.empty() : tensor<1x1x512x1024xf32>
    %718 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg245 : tensor<1x1x512x1024xf32>) outs(%717 : tensor<1x1x512x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x1024xf32>
    %719 = tensor.empty() : tensor<1x14x14x1024xf32>
    %720 = linalg.fill ins(%cst_3 : f32) outs(%719 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %721 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%639, %718 : tensor<1x28x28x512xf32>, tensor<1x1x512x1024xf32>) outs(%720 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %722 = tensor.empty() : tensor<1x1x1x1024xf32>
    %723 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg93 : tensor<1024xf32>) outs(%722 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %724 = tensor.empty() : tensor<1x14x14x1024xf32>
    %725 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg92 : tensor<1024xf32>) outs(%724 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %726 = tensor.empty() : tensor<1x14x14x1024xf32>
    %727 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%721, %725 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%726 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %728 = tensor.empty() : tensor<1x1x1x1024xf32>
    %729 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%723 : tensor<1x1x1x1024xf32>) outs(%728 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %730 = tensor.empty() : tensor<1x1x1x1024xf32>
    %731 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%729 : tensor<1x1x1x1024xf32>) outs(%730 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_66 = tensor.expand_shape %arg241 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %732 = tensor.empty() : tensor<1x1x1x1024xf32>
    %733 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%731, %expanded_66 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%732 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %734 = tensor.empty() : tensor<1x14x14x1024xf32>
    %735 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%733 : tensor<1x1x1x1024xf32>) outs(%734 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %736 = tensor.empty() : tensor<1x14x14x1024xf32>
    %737 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%727, %735 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%736 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_67 = tensor.expand_shape %arg240 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %738 = tensor.empty() : tensor<1x14x14x1024xf32>
    %739 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_67 : tensor<1x1x1x1024xf32>) outs(%738 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %740 = tensor.empty() : tensor<1x14x14x1024xf32>
    %741 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%737, %739 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%740 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %742 = tensor.empty() : tensor<1x14x14x1024xf32>
    %743 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%716, %741 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%742 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %744 = call @relu_7(%743) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %745 = tensor.empty() : tensor<1x1x1024x256xf32>
    %746 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg252 : tensor<1x1x1024x256xf32>) outs(%745 : tensor<1x1x1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x256xf32>
    %747 = tensor.empty() : tensor<1x14x14x256xf32>
    %748 = linalg.fill ins(%cst_3 : f32) outs(%747 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %749 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%744, %746 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x256xf32>) outs(%748 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %750 = tensor.empty() : tensor<1x1x1x256xf32>
    %751 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg95 : tensor<256xf32>) outs(%750 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %752 = tensor.empty() : tensor<1x14x14x256xf32>
    %753 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg94 : tensor<256xf32>) outs(%752 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %754 = tensor.empty() : tensor<1x14x14x256xf32>
    %755 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%749, %753 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%754 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %756 = tensor.empty() : tensor<1x1x1x256xf32>
    %757 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%751 : tensor<1x1x1x256xf32>) outs(%756 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %758 = tensor.empty() : tensor<1x1x1x256xf32>
    %759 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%757 : tensor<1x1x1x256xf32>) outs(%758 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_68 = tensor.expand_shape %arg247 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %760 = tensor.empty() : tensor<1x1x1x256xf32>
    %761 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%759, %expanded_68 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%760 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %762 = tensor.empty() : tensor<1x14x14x256xf32>
    %763 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%761 : tensor<1x1x1x256xf32>) outs(%762 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %764 = tensor.empty() : tensor<1x14x14x256xf32>
    %765 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%755, %763 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%764 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_69 = tensor.expand_shape %arg246 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %766 = tensor.empty() : tensor<1x14x14x256xf32>
    %767 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<1x1x1x256xf32>) outs(%766 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %768 = tensor.empty() : tensor<1x14x14x256xf32>
    %769 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%765, %767 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%768 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %770 = call @relu_6(%769) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %771 = tensor.empty() : tensor<3x3x256x256xf32>
    %772 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg253 : tensor<3x3x256x256xf32>) outs(%771 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %773 = tensor.empty() : tensor<1x14x14x256xf32>
    %774 = linalg.fill ins(%cst_3 : f32) outs(%773 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_70 = tensor.pad %770 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
    %775 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_70, %772 : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%774 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %776 = tensor.empty() : tensor<1x1x1x256xf32>
    %777 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg97 : tensor<256xf32>) outs(%776 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %778 = tensor.empty() : tensor<1x14x14x256xf32>
    %779 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg96 : tensor<256xf32>) outs(%778 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %780 = tensor.empty() : tensor<1x14x14x256xf32>
    %781 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%775, %779 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%780 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %782 = tensor.empty() : tensor<1x1x1x256xf32>
    %783 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%777 : tensor<1x1x1x256xf32>) outs(%782 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %784 = tensor.empty() : tensor<1x1x1x256xf32>
    %785 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%783 : tensor<1x1x1x256xf32>) outs(%784 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_71 = tensor.expand_shape %arg249 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %786 = tensor.empty() : tensor<1x1x1x256xf32>
    %787 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%785, %expanded_71 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%786 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %788 = tensor.empty() : tensor<1x14x14x256xf32>
    %789 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%787 : tensor<1x1x1x256xf32>) outs(%788 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %790 = tensor.empty() : tensor<1x14x14x256xf32>
    %791 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%781, %789 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%790 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_72 = tensor.expand_shape %arg248 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %792 = tensor.empty() : tensor<1x14x14x256xf32>
    %793 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_72 : tensor<1x1x1x256xf32>) outs(%792 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %794 = tensor.empty() : tensor<1x14x14x256xf32>
    %795 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%791, %793 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%794 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %796 = call @relu_6(%795) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %797 = tensor.empty() : tensor<1x1x256x1024xf32>
    %798 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg254 : tensor<1x1x256x1024xf32>) outs(%797 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %799 = tensor.empty() : tensor<1x14x14x1024xf32>
    %800 = linalg.fill ins(%cst_3 : f32) outs(%799 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %801 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%796, %798 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%800 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %802 = tensor.empty() : tensor<1x1x1x1024xf32>
    %803 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg99 : tensor<1024xf32>) outs(%802 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %804 = tensor.empty() : tensor<1x14x14x1024xf32>
    %805 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg98 : tensor<1024xf32>) outs(%804 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %806 = tensor.empty() : tensor<1x14x14x1024xf32>
    %807 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%801, %805 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%806 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %808 = tensor.empty() : tensor<1x1x1x1024xf32>
    %809 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%803 : tensor<1x1x1x1024xf32>) outs(%808 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %810 = tensor.empty() : tensor<1x1x1x1024xf32>
    %811 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%809 : tensor<1x1x1x1024xf32>) outs(%810 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_73 = tensor.expand_shape %arg251 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %812 = tensor.empty() : tensor<1x1x1x1024xf32>
    %813 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%811, %expanded_73 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%812 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %814 = tensor.empty() : tensor<1x14x14x1024xf32>
    %815 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%813 : tensor<1x1x1x1024xf32>) outs(%814 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %816 = tensor.empty() : tensor<1x14x14x1024xf32>
    %817 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%807, %815 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%816 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_74 = tensor.expand_shape %arg250 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %818 = tensor.empty() : tensor<1x14x14x1024xf32>
    %819 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_74 : tensor<1x1x1x1024xf32>) outs(%818 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %820 = tensor.empty() : tensor<1x14x14x1024xf32>
    %821 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%817, %819 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%820 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %822 = tensor.empty() : tensor<1x14x14x1024xf32>
    %823 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%821, %744 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%822 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %824 = call @relu_7(%823) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %825 = tensor.empty() : tensor<1x1x1024x256xf32>
    %826 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg261 : tensor<1x1x1024x256xf32>) outs(%825 : tensor<1x1x1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x256xf32>
    %827 = tensor.empty() : tensor<1x14x14x256xf32>
    %828 = linalg.fill ins(%cst_3 : f32) outs(%827 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %829 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%824, %826 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x256xf32>) outs(%828 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %830 = tensor.empty() : tensor<1x1x1x256xf32>
    %831 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg101 : tensor<256xf32>) outs(%830 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %832 = tensor.empty() : tensor<1x14x14x256xf32>
    %833 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg100 : tensor<256xf32>) outs(%832 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %834 = tensor.empty() : tensor<1x14x14x256xf32>
    %835 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%829, %833 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%834 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %836 = tensor.empty() : tensor<1x1x1x256xf32>
    %837 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%831 : tensor<1x1x1x256xf32>) outs(%836 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %838 = tensor.empty() : tensor<1x1x1x256xf32>
    %839 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%837 : tensor<1x1x1x256xf32>) outs(%838 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_75 = tensor.expand_shape %arg256 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %840 = tensor.empty() : tensor<1x1x1x256xf32>
    %841 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%839, %expanded_75 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%840 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %842 = tensor.empty() : tensor<1x14x14x256xf32>
    %843 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%841 : tensor<1x1x1x256xf32>) outs(%842 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %844 = tensor.empty() : tensor<1x14x14x256xf32>
    %845 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%835, %843 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%844 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_76 = tensor.expand_shape %arg255 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %846 = tensor.empty() : tensor<1x14x14x256xf32>
    %847 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_76 : tensor<1x1x1x256xf32>) outs(%846 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %848 = tensor.empty() : tensor<1x14x14x256xf32>
    %849 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%845, %847 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%848 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %850 = call @relu_6(%849) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %851 = tensor.empty() : tensor<3x3x256x256xf32>
    %852 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg262 : tensor<3x3x256x256xf32>) outs(%851 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %853 = tensor.empty() : tensor<1x14x14x256xf32>
    %854 = linalg.fill ins(%cst_3 : f32) outs(%853 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_77 = tensor.pad %850 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
    %855 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_77, %852 : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%854 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %856 = tensor.empty() : tensor<1x1x1x256xf32>
    %857 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg103 : tensor<256xf32>) outs(%856 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %858 = tensor.empty() : tensor<1x14x14x256xf32>
    %859 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg102 : tensor<256xf32>) outs(%858 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %860 = tensor.empty() : tensor<1x14x14x256xf32>
    %861 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%855, %859 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%860 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %862 = tensor.empty() : tensor<1x1x1x256xf32>
    %863 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%857 : tensor<1x1x1x256xf32>) outs(%862 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %864 = tensor.empty() : tensor<1x1x1x256xf32>
    %865 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%863 : tensor<1x1x1x256xf32>) outs(%864 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_78 = tensor.expand_shape %arg258 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %866 = tensor.empty() : tensor<1x1x1x256xf32>
    %867 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%865, %expanded_78 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%866 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %868 = tensor.empty() : tensor<1x14x14x256xf32>
    %869 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%867 : tensor<1x1x1x256xf32>) outs(%868 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %870 = tensor.empty() : tensor<1x14x14x256xf32>
    %871 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%861, %869 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%870 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_79 = tensor.expand_shape %arg257 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %872 = tensor.empty() : tensor<1x14x14x256xf32>
    %873 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_79 : tensor<1x1x1x256xf32>) outs(%872 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %874 = tensor.empty() : tensor<1x14x14x256xf32>
    %875 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%871, %873 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%874 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %876 = call @relu_6(%875) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %877 = tensor.empty() : tensor<1x1x256x1024xf32>
    %878 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg263 : tensor<1x1x256x1024xf32>) outs(%877 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %879 = tensor.empty() : tensor<1x14x14x1024xf32>
    %880 = linalg.fill ins(%cst_3 : f32) outs(%879 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %881 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%876, %878 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%880 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %882 = tensor.empty() : tensor<1x1x1x1024xf32>
    %883 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg105 : tensor<1024xf32>) outs(%882 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %884 = tensor.empty() : tensor<1x14x14x1024xf32>
    %885 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg104 : tensor<1024xf32>) outs(%884 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %886 = tensor.empty() : tensor<1x14x14x1024xf32>
    %887 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%881, %885 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%886 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %888 = tensor.empty() : tensor<1x1x1x1024xf32>
    %889 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%883 : tensor<1x1x1x1024xf32>) outs(%888 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %890 = tensor.empty() : tensor<1x1x1x1024xf32>
    %891 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%889 : tensor<1x1x1x1024xf32>) outs(%890 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_80 = tensor.expand_shape %arg260 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %892 = tensor.empty() : tensor<1x1x1x1024xf32>
    %893 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%891, %expanded_80 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%892 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %894 = tensor.empty() : tensor<1x14x14x1024xf32>
    %895 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%893 : tensor<1x1x1x1024xf32>) outs(%894 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %896 = tensor.empty() : tensor<1x14x14x1024xf32>
    %897 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%887, %895 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%896 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_81 = tensor.expand_shape %arg259 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %898 = tensor.empty() : tensor<1x14x14x1024xf32>
    %899 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_81 : tensor<1x1x1x1024xf32>) outs(%898 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %900 = tensor.empty() : tensor<1x14x14x1024xf32>
    %901 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%897, %899 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%900 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %902 = tensor.empty() : tensor<1x14x14x1024xf32>
    %903 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%901, %824 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%902 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %904 = call @relu_7(%903) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %905 = tensor.empty() : tensor<1x1x1024x256xf32>
    %906 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg135 : tensor<1x1x1024x256xf32>) outs(%905 : tensor<1x1x1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x256xf32>
    %907 = tensor.empty() : tensor<1x14x14x256xf32>
    %908 = linalg.fill ins(%cst_3 : f32) outs(%907 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %909 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%904, %906 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x256xf32>) outs(%908 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %910 = tensor.empty() : tensor<1x1x1x256xf32>
    %911 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg17 : tensor<256xf32>) outs(%910 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %912 = tensor.empty() : tensor<1x14x14x256xf32>
    %913 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg16 : tensor<256xf32>) outs(%912 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %914 = tensor.empty() : tensor<1x14x14x256xf32>
    %915 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%909, %913 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%914 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %916 = tensor.empty() : tensor<1x1x1x256xf32>
    %917 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%911 : tensor<1x1x1x256xf32>) outs(%916 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %918 = tensor.empty() : tensor<1x1x1x256xf32>
    %919 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%917 : tensor<1x1x1x256xf32>) outs(%918 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_82 = tensor.expand_shape %arg130 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %920 = tensor.empty() : tensor<1x1x1x256xf32>
    %921 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%919, %expanded_82 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%920 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %922 = tensor.empty() : tensor<1x14x14x256xf32>
    %923 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%921 : tensor<1x1x1x256xf32>) outs(%922 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %924 = tensor.empty() : tensor<1x14x14x256xf32>
    %925 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%915, %923 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%924 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_83 = tensor.expand_shape %arg129 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %926 = tensor.empty() : tensor<1x14x14x256xf32>
    %927 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_83 : tensor<1x1x1x256xf32>) outs(%926 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %928 = tensor.empty() : tensor<1x14x14x256xf32>
    %929 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%925, %927 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%928 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %930 = call @relu_6(%929) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %931 = tensor.empty() : tensor<3x3x256x256xf32>
    %932 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg136 : tensor<3x3x256x256xf32>) outs(%931 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %933 = tensor.empty() : tensor<1x14x14x256xf32>
    %934 = linalg.fill ins(%cst_3 : f32) outs(%933 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_84 = tensor.pad %930 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
    %935 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_84, %932 : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%934 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %936 = tensor.empty() : tensor<1x1x1x256xf32>
    %937 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg19 : tensor<256xf32>) outs(%936 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %938 = tensor.empty() : tensor<1x14x14x256xf32>
    %939 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg18 : tensor<256xf32>) outs(%938 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %940 = tensor.empty() : tensor<1x14x14x256xf32>
    %941 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%935, %939 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%940 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %942 = tensor.empty() : tensor<1x1x1x256xf32>
    %943 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%937 : tensor<1x1x1x256xf32>) outs(%942 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %944 = tensor.empty() : tensor<1x1x1x256xf32>
    %945 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%943 : tensor<1x1x1x256xf32>) outs(%944 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_85 = tensor.expand_shape %arg132 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %946 = tensor.empty() : tensor<1x1x1x256xf32>
    %947 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%945, %expanded_85 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%946 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %948 = tensor.empty() : tensor<1x14x14x256xf32>
    %949 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%947 : tensor<1x1x1x256xf32>) outs(%948 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %950 = tensor.empty() : tensor<1x14x14x256xf32>
    %951 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%941, %949 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%950 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_86 = tensor.expand_shape %arg131 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %952 = tensor.empty() : tensor<1x14x14x256xf32>
    %953 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_86 : tensor<1x1x1x256xf32>) outs(%952 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %954 = tensor.empty() : tensor<1x14x14x256xf32>
    %955 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%951, %953 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%954 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %956 = call @relu_6(%955) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %957 = tensor.empty() : tensor<1x1x256x1024xf32>
    %958 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg137 : tensor<1x1x256x1024xf32>) outs(%957 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %959 = tensor.empty() : tensor<1x14x14x1024xf32>
    %960 = linalg.fill ins(%cst_3 : f32) outs(%959 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %961 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%956, %958 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%960 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %962 = tensor.empty() : tensor<1x1x1x1024xf32>
    %963 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg21 : tensor<1024xf32>) outs(%962 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %964 = tensor.empty() : tensor<1x14x14x1024xf32>
    %965 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg20 : tensor<1024xf32>) outs(%964 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %966 = tensor.empty() : tensor<1x14x14x1024xf32>
    %967 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%961, %965 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%966 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %968 = tensor.empty() : tensor<1x1x1x1024xf32>
    %969 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%963 : tensor<1x1x1x1024xf32>) outs(%968 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %970 = tensor.empty() : tensor<1x1x1x1024xf32>
    %971 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%969 : tensor<1x1x1x1024xf32>) outs(%970 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_87 = tensor.expand_shape %arg134 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %972 = tensor.empty() : tensor<1x1x1x1024xf32>
    %973 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%971, %expanded_87 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%972 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %974 = tensor.empty() : tensor<1x14x14x1024xf32>
    %975 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%973 : tensor<1x1x1x1024xf32>) outs(%974 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %976 = tensor.empty() : tensor<1x14x14x1024xf32>
    %977 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%967, %975 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%976 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_88 = tensor.expand_shape %arg133 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %978 = tensor.empty() : tensor<1x14x14x1024xf32>
    %979 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_88 : tensor<1x1x1x1024xf32>) outs(%978 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %980 = tensor.empty() : tensor<1x14x14x1024xf32>
    %981 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%977, %979 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%980 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %982 = tensor.empty() : tensor<1x14x14x1024xf32>
    %983 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%981, %904 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%982 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %984 = call @relu_7(%983) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %985 = tensor.empty() : tensor<1x1x1024x256xf32>
    %986 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg144 : tensor<1x1x1024x256xf32>) outs(%985 : tensor<1x1x1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x256xf32>
    %987 = tensor.empty() : tensor<1x14x14x256xf32>
    %988 = linalg.fill ins(%cst_3 : f32) outs(%987 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %989 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%984, %986 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x256xf32>) outs(%988 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %990 = tensor.empty() : tensor<1x1x1x256xf32>
    %991 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg23 : tensor<256xf32>) outs(%990 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %992 = tensor.empty() : tensor<1x14x14x256xf32>
    %993 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg22 : tensor<256xf32>) outs(%992 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %994 = tensor.empty() : tensor<1x14x14x256xf32>
    %995 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%989, %993 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%994 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %996 = tensor.empty() : tensor<1x1x1x256xf32>
    %997 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%991 : tensor<1x1x1x256xf32>) outs(%996 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %998 = tensor.empty() : tensor<1x1x1x256xf32>
    %999 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%997 : tensor<1x1x1x256xf32>) outs(%998 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_89 = tensor.expand_shape %arg139 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1000 = tensor.empty() : tensor<1x1x1x256xf32>
    %1001 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%999, %expanded_89 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%1000 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1002 = tensor.empty() : tensor<1x14x14x256xf32>
    %1003 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1001 : tensor<1x1x1x256xf32>) outs(%1002 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1004 = tensor.empty() : tensor<1x14x14x256xf32>
    %1005 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%995, %1003 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1004 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_90 = tensor.expand_shape %arg138 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1006 = tensor.empty() : tensor<1x14x14x256xf32>
    %1007 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_90 : tensor<1x1x1x256xf32>) outs(%1006 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1008 = tensor.empty() : tensor<1x14x14x256xf32>
    %1009 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1005, %1007 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1008 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1010 = call @relu_6(%1009) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1011 = tensor.empty() : tensor<3x3x256x256xf32>
    %1012 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg145 : tensor<3x3x256x256xf32>) outs(%1011 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %1013 = tensor.empty() : tensor<1x14x14x256xf32>
    %1014 = linalg.fill ins(%cst_3 : f32) outs(%1013 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_91 = tensor.pad %1010 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
    %1015 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_91, %1012 : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%1014 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1016 = tensor.empty() : tensor<1x1x1x256xf32>
    %1017 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg25 : tensor<256xf32>) outs(%1016 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %1018 = tensor.empty() : tensor<1x14x14x256xf32>
    %1019 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg24 : tensor<256xf32>) outs(%1018 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1020 = tensor.empty() : tensor<1x14x14x256xf32>
    %1021 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1015, %1019 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1020 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1022 = tensor.empty() : tensor<1x1x1x256xf32>
    %1023 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1017 : tensor<1x1x1x256xf32>) outs(%1022 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1024 = tensor.empty() : tensor<1x1x1x256xf32>
    %1025 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1023 : tensor<1x1x1x256xf32>) outs(%1024 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_92 = tensor.expand_shape %arg141 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1026 = tensor.empty() : tensor<1x1x1x256xf32>
    %1027 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1025, %expanded_92 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%1026 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1028 = tensor.empty() : tensor<1x14x14x256xf32>
    %1029 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1027 : tensor<1x1x1x256xf32>) outs(%1028 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1030 = tensor.empty() : tensor<1x14x14x256xf32>
    %1031 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1021, %1029 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1030 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_93 = tensor.expand_shape %arg140 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1032 = tensor.empty() : tensor<1x14x14x256xf32>
    %1033 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_93 : tensor<1x1x1x256xf32>) outs(%1032 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1034 = tensor.empty() : tensor<1x14x14x256xf32>
    %1035 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1031, %1033 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1034 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1036 = call @relu_6(%1035) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1037 = tensor.empty() : tensor<1x1x256x1024xf32>
    %1038 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg146 : tensor<1x1x256x1024xf32>) outs(%1037 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %1039 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1040 = linalg.fill ins(%cst_3 : f32) outs(%1039 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1041 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1036, %1038 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%1040 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1042 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1043 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg27 : tensor<1024xf32>) outs(%1042 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %1044 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1045 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg26 : tensor<1024xf32>) outs(%1044 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1046 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1047 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1041, %1045 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1046 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1048 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1049 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1043 : tensor<1x1x1x1024xf32>) outs(%1048 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %1050 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1051 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1049 : tensor<1x1x1x1024xf32>) outs(%1050 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_94 = tensor.expand_shape %arg143 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %1052 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1053 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1051, %expanded_94 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%1052 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %1054 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1055 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1053 : tensor<1x1x1x1024xf32>) outs(%1054 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1056 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1057 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1047, %1055 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1056 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_95 = tensor.expand_shape %arg142 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %1058 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1059 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_95 : tensor<1x1x1x1024xf32>) outs(%1058 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1060 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1061 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1057, %1059 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1060 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1062 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1063 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1061, %984 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1062 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1064 = call @relu_7(%1063) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1065 = tensor.empty() : tensor<1x1x1024x256xf32>
    %1066 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg153 : tensor<1x1x1024x256xf32>) outs(%1065 : tensor<1x1x1024x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x256xf32>
    %1067 = tensor.empty() : tensor<1x14x14x256xf32>
    %1068 = linalg.fill ins(%cst_3 : f32) outs(%1067 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1069 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1064, %1066 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x256xf32>) outs(%1068 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1070 = tensor.empty() : tensor<1x1x1x256xf32>
    %1071 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg29 : tensor<256xf32>) outs(%1070 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %1072 = tensor.empty() : tensor<1x14x14x256xf32>
    %1073 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg28 : tensor<256xf32>) outs(%1072 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1074 = tensor.empty() : tensor<1x14x14x256xf32>
    %1075 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1069, %1073 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1074 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1076 = tensor.empty() : tensor<1x1x1x256xf32>
    %1077 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1071 : tensor<1x1x1x256xf32>) outs(%1076 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1078 = tensor.empty() : tensor<1x1x1x256xf32>
    %1079 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1077 : tensor<1x1x1x256xf32>) outs(%1078 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_96 = tensor.expand_shape %arg148 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1080 = tensor.empty() : tensor<1x1x1x256xf32>
    %1081 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1079, %expanded_96 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%1080 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1082 = tensor.empty() : tensor<1x14x14x256xf32>
    %1083 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1081 : tensor<1x1x1x256xf32>) outs(%1082 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1084 = tensor.empty() : tensor<1x14x14x256xf32>
    %1085 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1075, %1083 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1084 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_97 = tensor.expand_shape %arg147 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1086 = tensor.empty() : tensor<1x14x14x256xf32>
    %1087 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_97 : tensor<1x1x1x256xf32>) outs(%1086 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1088 = tensor.empty() : tensor<1x14x14x256xf32>
    %1089 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1085, %1087 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1088 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1090 = call @relu_6(%1089) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1091 = tensor.empty() : tensor<3x3x256x256xf32>
    %1092 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg154 : tensor<3x3x256x256xf32>) outs(%1091 : tensor<3x3x256x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x256x256xf32>
    %1093 = tensor.empty() : tensor<1x14x14x256xf32>
    %1094 = linalg.fill ins(%cst_3 : f32) outs(%1093 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %padded_98 = tensor.pad %1090 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x256xf32> to tensor<1x16x16x256xf32>
    %1095 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_98, %1092 : tensor<1x16x16x256xf32>, tensor<3x3x256x256xf32>) outs(%1094 : tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1096 = tensor.empty() : tensor<1x1x1x256xf32>
    %1097 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg31 : tensor<256xf32>) outs(%1096 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x256xf32>
    %1098 = tensor.empty() : tensor<1x14x14x256xf32>
    %1099 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg30 : tensor<256xf32>) outs(%1098 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1100 = tensor.empty() : tensor<1x14x14x256xf32>
    %1101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1095, %1099 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1100 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1102 = tensor.empty() : tensor<1x1x1x256xf32>
    %1103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1097 : tensor<1x1x1x256xf32>) outs(%1102 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1104 = tensor.empty() : tensor<1x1x1x256xf32>
    %1105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1103 : tensor<1x1x1x256xf32>) outs(%1104 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %expanded_99 = tensor.expand_shape %arg150 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1106 = tensor.empty() : tensor<1x1x1x256xf32>
    %1107 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1105, %expanded_99 : tensor<1x1x1x256xf32>, tensor<1x1x1x256xf32>) outs(%1106 : tensor<1x1x1x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x256xf32>
    %1108 = tensor.empty() : tensor<1x14x14x256xf32>
    %1109 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1107 : tensor<1x1x1x256xf32>) outs(%1108 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1110 = tensor.empty() : tensor<1x14x14x256xf32>
    %1111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1101, %1109 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1110 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %expanded_100 = tensor.expand_shape %arg149 [[0, 1, 2, 3]] output_shape [1, 1, 1, 256] : tensor<256xf32> into tensor<1x1x1x256xf32>
    %1112 = tensor.empty() : tensor<1x14x14x256xf32>
    %1113 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_100 : tensor<1x1x1x256xf32>) outs(%1112 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x256xf32>
    %1114 = tensor.empty() : tensor<1x14x14x256xf32>
    %1115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1111, %1113 : tensor<1x14x14x256xf32>, tensor<1x14x14x256xf32>) outs(%1114 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x256xf32>
    %1116 = call @relu_6(%1115) : (tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32>
    %1117 = tensor.empty() : tensor<1x1x256x1024xf32>
    %1118 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg155 : tensor<1x1x256x1024xf32>) outs(%1117 : tensor<1x1x256x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x256x1024xf32>
    %1119 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1120 = linalg.fill ins(%cst_3 : f32) outs(%1119 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1121 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1116, %1118 : tensor<1x14x14x256xf32>, tensor<1x1x256x1024xf32>) outs(%1120 : tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1122 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1123 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg33 : tensor<1024xf32>) outs(%1122 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x1024xf32>
    %1124 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1125 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg32 : tensor<1024xf32>) outs(%1124 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1126 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1121, %1125 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1126 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1128 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1123 : tensor<1x1x1x1024xf32>) outs(%1128 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %1130 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1131 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1129 : tensor<1x1x1x1024xf32>) outs(%1130 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %expanded_101 = tensor.expand_shape %arg152 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %1132 = tensor.empty() : tensor<1x1x1x1024xf32>
    %1133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1131, %expanded_101 : tensor<1x1x1x1024xf32>, tensor<1x1x1x1024xf32>) outs(%1132 : tensor<1x1x1x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x1024xf32>
    %1134 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1135 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1133 : tensor<1x1x1x1024xf32>) outs(%1134 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1136 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1127, %1135 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1136 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %expanded_102 = tensor.expand_shape %arg151 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1024] : tensor<1024xf32> into tensor<1x1x1x1024xf32>
    %1138 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1139 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_102 : tensor<1x1x1x1024xf32>) outs(%1138 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x1024xf32>
    %1140 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1137, %1139 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1140 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1142 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1143 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1141, %1064 : tensor<1x14x14x1024xf32>, tensor<1x14x14x1024xf32>) outs(%1142 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x1024xf32>
    %1144 = call @relu_7(%1143) : (tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32>
    %1145 = tensor.empty() : tensor<1x1x1024x512xf32>
    %1146 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg164 : tensor<1x1x1024x512xf32>) outs(%1145 : tensor<1x1x1024x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x512xf32>
    %1147 = tensor.empty() : tensor<1x14x14x512xf32>
    %1148 = linalg.fill ins(%cst_3 : f32) outs(%1147 : tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %1149 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1144, %1146 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x512xf32>) outs(%1148 : tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %1150 = tensor.empty() : tensor<1x1x1x512xf32>
    %1151 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg35 : tensor<512xf32>) outs(%1150 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1152 = tensor.empty() : tensor<1x14x14x512xf32>
    %1153 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg34 : tensor<512xf32>) outs(%1152 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x512xf32>
    %1154 = tensor.empty() : tensor<1x14x14x512xf32>
    %1155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1149, %1153 : tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) outs(%1154 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x512xf32>
    %1156 = tensor.empty() : tensor<1x1x1x512xf32>
    %1157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1151 : tensor<1x1x1x512xf32>) outs(%1156 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1158 = tensor.empty() : tensor<1x1x1x512xf32>
    %1159 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1157 : tensor<1x1x1x512xf32>) outs(%1158 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_103 = tensor.expand_shape %arg157 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1160 = tensor.empty() : tensor<1x1x1x512xf32>
    %1161 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1159, %expanded_103 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1160 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1162 = tensor.empty() : tensor<1x14x14x512xf32>
    %1163 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1161 : tensor<1x1x1x512xf32>) outs(%1162 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x512xf32>
    %1164 = tensor.empty() : tensor<1x14x14x512xf32>
    %1165 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1155, %1163 : tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) outs(%1164 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x512xf32>
    %expanded_104 = tensor.expand_shape %arg156 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1166 = tensor.empty() : tensor<1x14x14x512xf32>
    %1167 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_104 : tensor<1x1x1x512xf32>) outs(%1166 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x14x14x512xf32>
    %1168 = tensor.empty() : tensor<1x14x14x512xf32>
    %1169 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1165, %1167 : tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) outs(%1168 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x14x14x512xf32>
    %1170 = call @relu_8(%1169) : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
    %1171 = tensor.empty() : tensor<3x3x512x512xf32>
    %1172 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg165 : tensor<3x3x512x512xf32>) outs(%1171 : tensor<3x3x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x512x512xf32>
    %1173 = tensor.empty() : tensor<1x7x7x512xf32>
    %1174 = linalg.fill ins(%cst_3 : f32) outs(%1173 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %padded_105 = tensor.pad %1170 low[0, 0, 0, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x14x14x512xf32> to tensor<1x15x15x512xf32>
    %1175 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%padded_105, %1172 : tensor<1x15x15x512xf32>, tensor<3x3x512x512xf32>) outs(%1174 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1176 = tensor.empty() : tensor<1x1x1x512xf32>
    %1177 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg37 : tensor<512xf32>) outs(%1176 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1178 = tensor.empty() : tensor<1x7x7x512xf32>
    %1179 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg36 : tensor<512xf32>) outs(%1178 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1180 = tensor.empty() : tensor<1x7x7x512xf32>
    %1181 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1175, %1179 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1180 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1182 = tensor.empty() : tensor<1x1x1x512xf32>
    %1183 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1177 : tensor<1x1x1x512xf32>) outs(%1182 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1184 = tensor.empty() : tensor<1x1x1x512xf32>
    %1185 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1183 : tensor<1x1x1x512xf32>) outs(%1184 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_106 = tensor.expand_shape %arg159 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1186 = tensor.empty() : tensor<1x1x1x512xf32>
    %1187 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1185, %expanded_106 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1186 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1188 = tensor.empty() : tensor<1x7x7x512xf32>
    %1189 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1187 : tensor<1x1x1x512xf32>) outs(%1188 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1190 = tensor.empty() : tensor<1x7x7x512xf32>
    %1191 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1181, %1189 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1190 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %expanded_107 = tensor.expand_shape %arg158 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1192 = tensor.empty() : tensor<1x7x7x512xf32>
    %1193 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_107 : tensor<1x1x1x512xf32>) outs(%1192 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1194 = tensor.empty() : tensor<1x7x7x512xf32>
    %1195 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1191, %1193 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1194 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1196 = call @relu_9(%1195) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1197 = tensor.empty() : tensor<1x1x512x2048xf32>
    %1198 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg166 : tensor<1x1x512x2048xf32>) outs(%1197 : tensor<1x1x512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x2048xf32>
    %1199 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1200 = linalg.fill ins(%cst_3 : f32) outs(%1199 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1201 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1196, %1198 : tensor<1x7x7x512xf32>, tensor<1x1x512x2048xf32>) outs(%1200 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1202 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1203 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg39 : tensor<2048xf32>) outs(%1202 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x2048xf32>
    %1204 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1205 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg38 : tensor<2048xf32>) outs(%1204 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1206 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1207 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1201, %1205 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1206 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1208 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1209 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1203 : tensor<1x1x1x2048xf32>) outs(%1208 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1210 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1211 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1209 : tensor<1x1x1x2048xf32>) outs(%1210 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %expanded_108 = tensor.expand_shape %arg161 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1212 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1213 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1211, %expanded_108 : tensor<1x1x1x2048xf32>, tensor<1x1x1x2048xf32>) outs(%1212 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1214 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1215 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1213 : tensor<1x1x1x2048xf32>) outs(%1214 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1216 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1217 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1207, %1215 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1216 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %expanded_109 = tensor.expand_shape %arg160 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1218 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1219 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_109 : tensor<1x1x1x2048xf32>) outs(%1218 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1220 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1221 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1217, %1219 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1220 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1222 = tensor.empty() : tensor<1x1x1024x2048xf32>
    %1223 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg167 : tensor<1x1x1024x2048xf32>) outs(%1222 : tensor<1x1x1024x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1024x2048xf32>
    %1224 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1225 = linalg.fill ins(%cst_3 : f32) outs(%1224 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1226 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%1144, %1223 : tensor<1x14x14x1024xf32>, tensor<1x1x1024x2048xf32>) outs(%1225 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1227 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1228 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg41 : tensor<2048xf32>) outs(%1227 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x2048xf32>
    %1229 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1230 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg40 : tensor<2048xf32>) outs(%1229 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1231 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1232 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1226, %1230 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1231 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1233 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1234 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1228 : tensor<1x1x1x2048xf32>) outs(%1233 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1235 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1236 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1234 : tensor<1x1x1x2048xf32>) outs(%1235 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %expanded_110 = tensor.expand_shape %arg163 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1237 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1238 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1236, %expanded_110 : tensor<1x1x1x2048xf32>, tensor<1x1x1x2048xf32>) outs(%1237 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1239 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1240 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1238 : tensor<1x1x1x2048xf32>) outs(%1239 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1241 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1242 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1232, %1240 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1241 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %expanded_111 = tensor.expand_shape %arg162 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1243 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1244 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_111 : tensor<1x1x1x2048xf32>) outs(%1243 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1245 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1246 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1242, %1244 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1245 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1247 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1248 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1221, %1246 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1247 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1249 = call @relu_10(%1248) : (tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1250 = tensor.empty() : tensor<1x1x2048x512xf32>
    %1251 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg174 : tensor<1x1x2048x512xf32>) outs(%1250 : tensor<1x1x2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2048x512xf32>
    %1252 = tensor.empty() : tensor<1x7x7x512xf32>
    %1253 = linalg.fill ins(%cst_3 : f32) outs(%1252 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1254 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1249, %1251 : tensor<1x7x7x2048xf32>, tensor<1x1x2048x512xf32>) outs(%1253 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1255 = tensor.empty() : tensor<1x1x1x512xf32>
    %1256 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg43 : tensor<512xf32>) outs(%1255 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1257 = tensor.empty() : tensor<1x7x7x512xf32>
    %1258 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg42 : tensor<512xf32>) outs(%1257 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1259 = tensor.empty() : tensor<1x7x7x512xf32>
    %1260 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1254, %1258 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1259 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1261 = tensor.empty() : tensor<1x1x1x512xf32>
    %1262 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1256 : tensor<1x1x1x512xf32>) outs(%1261 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1263 = tensor.empty() : tensor<1x1x1x512xf32>
    %1264 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1262 : tensor<1x1x1x512xf32>) outs(%1263 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_112 = tensor.expand_shape %arg169 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1265 = tensor.empty() : tensor<1x1x1x512xf32>
    %1266 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1264, %expanded_112 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1265 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1267 = tensor.empty() : tensor<1x7x7x512xf32>
    %1268 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1266 : tensor<1x1x1x512xf32>) outs(%1267 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1269 = tensor.empty() : tensor<1x7x7x512xf32>
    %1270 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1260, %1268 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1269 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %expanded_113 = tensor.expand_shape %arg168 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1271 = tensor.empty() : tensor<1x7x7x512xf32>
    %1272 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_113 : tensor<1x1x1x512xf32>) outs(%1271 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1273 = tensor.empty() : tensor<1x7x7x512xf32>
    %1274 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1270, %1272 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1273 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1275 = call @relu_9(%1274) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1276 = tensor.empty() : tensor<3x3x512x512xf32>
    %1277 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg175 : tensor<3x3x512x512xf32>) outs(%1276 : tensor<3x3x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x512x512xf32>
    %1278 = tensor.empty() : tensor<1x7x7x512xf32>
    %1279 = linalg.fill ins(%cst_3 : f32) outs(%1278 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %padded_114 = tensor.pad %1275 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x7x7x512xf32> to tensor<1x9x9x512xf32>
    %1280 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_114, %1277 : tensor<1x9x9x512xf32>, tensor<3x3x512x512xf32>) outs(%1279 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1281 = tensor.empty() : tensor<1x1x1x512xf32>
    %1282 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg45 : tensor<512xf32>) outs(%1281 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1283 = tensor.empty() : tensor<1x7x7x512xf32>
    %1284 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg44 : tensor<512xf32>) outs(%1283 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1285 = tensor.empty() : tensor<1x7x7x512xf32>
    %1286 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1280, %1284 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1285 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1287 = tensor.empty() : tensor<1x1x1x512xf32>
    %1288 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1282 : tensor<1x1x1x512xf32>) outs(%1287 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1289 = tensor.empty() : tensor<1x1x1x512xf32>
    %1290 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1288 : tensor<1x1x1x512xf32>) outs(%1289 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_115 = tensor.expand_shape %arg171 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1291 = tensor.empty() : tensor<1x1x1x512xf32>
    %1292 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1290, %expanded_115 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1291 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1293 = tensor.empty() : tensor<1x7x7x512xf32>
    %1294 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1292 : tensor<1x1x1x512xf32>) outs(%1293 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1295 = tensor.empty() : tensor<1x7x7x512xf32>
    %1296 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1286, %1294 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1295 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %expanded_116 = tensor.expand_shape %arg170 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1297 = tensor.empty() : tensor<1x7x7x512xf32>
    %1298 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_116 : tensor<1x1x1x512xf32>) outs(%1297 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1299 = tensor.empty() : tensor<1x7x7x512xf32>
    %1300 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1296, %1298 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1299 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1301 = call @relu_9(%1300) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1302 = tensor.empty() : tensor<1x1x512x2048xf32>
    %1303 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg176 : tensor<1x1x512x2048xf32>) outs(%1302 : tensor<1x1x512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x2048xf32>
    %1304 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1305 = linalg.fill ins(%cst_3 : f32) outs(%1304 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1306 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1301, %1303 : tensor<1x7x7x512xf32>, tensor<1x1x512x2048xf32>) outs(%1305 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1307 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1308 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg47 : tensor<2048xf32>) outs(%1307 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x2048xf32>
    %1309 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1310 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg46 : tensor<2048xf32>) outs(%1309 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1311 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1312 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1306, %1310 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1311 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1313 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1314 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1308 : tensor<1x1x1x2048xf32>) outs(%1313 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1315 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1316 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1314 : tensor<1x1x1x2048xf32>) outs(%1315 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %expanded_117 = tensor.expand_shape %arg173 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1317 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1318 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1316, %expanded_117 : tensor<1x1x1x2048xf32>, tensor<1x1x1x2048xf32>) outs(%1317 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1319 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1320 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1318 : tensor<1x1x1x2048xf32>) outs(%1319 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1321 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1322 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1312, %1320 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1321 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %expanded_118 = tensor.expand_shape %arg172 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1323 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1324 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_118 : tensor<1x1x1x2048xf32>) outs(%1323 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1325 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1326 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1322, %1324 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1325 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1327 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1328 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1326, %1249 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1327 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1329 = call @relu_10(%1328) : (tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1330 = tensor.empty() : tensor<1x1x2048x512xf32>
    %1331 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg183 : tensor<1x1x2048x512xf32>) outs(%1330 : tensor<1x1x2048x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2048x512xf32>
    %1332 = tensor.empty() : tensor<1x7x7x512xf32>
    %1333 = linalg.fill ins(%cst_3 : f32) outs(%1332 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1334 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1329, %1331 : tensor<1x7x7x2048xf32>, tensor<1x1x2048x512xf32>) outs(%1333 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1335 = tensor.empty() : tensor<1x1x1x512xf32>
    %1336 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg49 : tensor<512xf32>) outs(%1335 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1337 = tensor.empty() : tensor<1x7x7x512xf32>
    %1338 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg48 : tensor<512xf32>) outs(%1337 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1339 = tensor.empty() : tensor<1x7x7x512xf32>
    %1340 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1334, %1338 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1339 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1341 = tensor.empty() : tensor<1x1x1x512xf32>
    %1342 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1336 : tensor<1x1x1x512xf32>) outs(%1341 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1343 = tensor.empty() : tensor<1x1x1x512xf32>
    %1344 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1342 : tensor<1x1x1x512xf32>) outs(%1343 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_119 = tensor.expand_shape %arg178 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1345 = tensor.empty() : tensor<1x1x1x512xf32>
    %1346 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1344, %expanded_119 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1345 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1347 = tensor.empty() : tensor<1x7x7x512xf32>
    %1348 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1346 : tensor<1x1x1x512xf32>) outs(%1347 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1349 = tensor.empty() : tensor<1x7x7x512xf32>
    %1350 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1340, %1348 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1349 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %expanded_120 = tensor.expand_shape %arg177 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1351 = tensor.empty() : tensor<1x7x7x512xf32>
    %1352 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_120 : tensor<1x1x1x512xf32>) outs(%1351 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1353 = tensor.empty() : tensor<1x7x7x512xf32>
    %1354 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1350, %1352 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1353 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1355 = call @relu_9(%1354) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1356 = tensor.empty() : tensor<3x3x512x512xf32>
    %1357 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg184 : tensor<3x3x512x512xf32>) outs(%1356 : tensor<3x3x512x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x512x512xf32>
    %1358 = tensor.empty() : tensor<1x7x7x512xf32>
    %1359 = linalg.fill ins(%cst_3 : f32) outs(%1358 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %padded_121 = tensor.pad %1355 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg268: index, %arg269: index, %arg270: index, %arg271: index):
      tensor.yield %cst_3 : f32
    } : tensor<1x7x7x512xf32> to tensor<1x9x9x512xf32>
    %1360 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_121, %1357 : tensor<1x9x9x512xf32>, tensor<3x3x512x512xf32>) outs(%1359 : tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1361 = tensor.empty() : tensor<1x1x1x512xf32>
    %1362 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg51 : tensor<512xf32>) outs(%1361 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x512xf32>
    %1363 = tensor.empty() : tensor<1x7x7x512xf32>
    %1364 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg50 : tensor<512xf32>) outs(%1363 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1365 = tensor.empty() : tensor<1x7x7x512xf32>
    %1366 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1360, %1364 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1365 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1367 = tensor.empty() : tensor<1x1x1x512xf32>
    %1368 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1362 : tensor<1x1x1x512xf32>) outs(%1367 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1369 = tensor.empty() : tensor<1x1x1x512xf32>
    %1370 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1368 : tensor<1x1x1x512xf32>) outs(%1369 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %expanded_122 = tensor.expand_shape %arg180 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1371 = tensor.empty() : tensor<1x1x1x512xf32>
    %1372 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1370, %expanded_122 : tensor<1x1x1x512xf32>, tensor<1x1x1x512xf32>) outs(%1371 : tensor<1x1x1x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x512xf32>
    %1373 = tensor.empty() : tensor<1x7x7x512xf32>
    %1374 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1372 : tensor<1x1x1x512xf32>) outs(%1373 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1375 = tensor.empty() : tensor<1x7x7x512xf32>
    %1376 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1366, %1374 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1375 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %expanded_123 = tensor.expand_shape %arg179 [[0, 1, 2, 3]] output_shape [1, 1, 1, 512] : tensor<512xf32> into tensor<1x1x1x512xf32>
    %1377 = tensor.empty() : tensor<1x7x7x512xf32>
    %1378 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_123 : tensor<1x1x1x512xf32>) outs(%1377 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x512xf32>
    %1379 = tensor.empty() : tensor<1x7x7x512xf32>
    %1380 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1376, %1378 : tensor<1x7x7x512xf32>, tensor<1x7x7x512xf32>) outs(%1379 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x512xf32>
    %1381 = call @relu_9(%1380) : (tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32>
    %1382 = tensor.empty() : tensor<1x1x512x2048xf32>
    %1383 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg185 : tensor<1x1x512x2048xf32>) outs(%1382 : tensor<1x1x512x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x512x2048xf32>
    %1384 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1385 = linalg.fill ins(%cst_3 : f32) outs(%1384 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1386 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%1381, %1383 : tensor<1x7x7x512xf32>, tensor<1x1x512x2048xf32>) outs(%1385 : tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1387 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1388 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg53 : tensor<2048xf32>) outs(%1387 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x1x2048xf32>
    %1389 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1390 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg52 : tensor<2048xf32>) outs(%1389 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1391 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1392 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1386, %1390 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1391 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.subf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1393 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1394 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1388 : tensor<1x1x1x2048xf32>) outs(%1393 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %in, %cst_2 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1395 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1396 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1394 : tensor<1x1x1x2048xf32>) outs(%1395 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = math.rsqrt %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %expanded_124 = tensor.expand_shape %arg182 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1397 = tensor.empty() : tensor<1x1x1x2048xf32>
    %1398 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1396, %expanded_124 : tensor<1x1x1x2048xf32>, tensor<1x1x1x2048xf32>) outs(%1397 : tensor<1x1x1x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1x1x2048xf32>
    %1399 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1400 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1398 : tensor<1x1x1x2048xf32>) outs(%1399 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1401 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1402 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1392, %1400 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1401 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.mulf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %expanded_125 = tensor.expand_shape %arg181 [[0, 1, 2, 3]] output_shape [1, 1, 1, 2048] : tensor<2048xf32> into tensor<1x1x1x2048xf32>
    %1403 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1404 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_125 : tensor<1x1x1x2048xf32>) outs(%1403 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x7x7x2048xf32>
    %1405 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1406 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1402, %1404 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1405 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1407 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1408 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1406, %1329 : tensor<1x7x7x2048xf32>, tensor<1x7x7x2048xf32>) outs(%1407 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x7x7x2048xf32>
    %1409 = call @relu_10(%1408) : (tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32>
    %1410 = tensor.empty() : tensor<1x2048xf32>
    %1411 = linalg.fill ins(%cst_3 : f32) outs(%1410 : tensor<1x2048xf32>) -> tensor<1x2048xf32>
    %1412 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%1409 : tensor<1x7x7x2048xf32>) outs(%1411 : tensor<1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.addf %out, %in : f32
      linalg.yield %1420 : f32
    } -> tensor<1x2048xf32>
    %1413 = tensor.empty() : tensor<1x2048xf32>
    %1414 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%1412 : tensor<1x2048xf32>) outs(%1413 : tensor<1x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1420 = arith.divf %in, %cst : f32
      linalg.yield %1420 : f32
    } -> tensor<1x2048xf32>
    %1415 = tensor.empty() : tensor<1x1000xf32>
    %1416 = linalg.fill ins(%cst_3 : f32) outs(%1415 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    %1417 = linalg.matmul ins(%1414, %arg266 : tensor<1x2048xf32>, tensor<2048x1000xf32>) outs(%1416 : tensor<1x1000xf32>) -> tensor<1x1000xf32>
    %expanded_126 = tensor.expand_shape %arg265 [[0, 1]] output_shape [1, 1000] : tensor<1000xf32> into tensor<1x1000xf32>
    %1418 = tensor.empty() : tensor<1x1000xf32>
    %1419 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%1417, %expanded_126 : tensor<1x1000xf32>, tensor<1x1000xf32>) outs(%1418 : tensor<1x1000xf32>) {
    ^bb0(%in: f32, %in_127: f32, %out: f32):
      %1420 = arith.addf %in, %in_127 : f32
      linalg.yield %1420 : f32
    } -> tensor<1x1000xf32>
    return %1419 : tensor<1x1000xf32>
  }
  func.func private @relu(%arg0: tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x112x112x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x112x112x64xf32>) outs(%0 : tensor<1x112x112x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x112x112x64xf32>
    return %1 : tensor<1x112x112x64xf32>
  }
  func.func private @relu_0(%arg0: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x56x56x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x56x56x64xf32>) outs(%0 : tensor<1x56x56x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x56x56x64xf32>
    return %1 : tensor<1x56x56x64xf32>
  }
  func.func private @relu_1(%arg0: tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x56x56x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x56x56x256xf32>) outs(%0 : tensor<1x56x56x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x56x56x256xf32>
    return %1 : tensor<1x56x56x256xf32>
  }
  func.func private @relu_2(%arg0: tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x56x56x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x56x56x128xf32>) outs(%0 : tensor<1x56x56x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x56x56x128xf32>
    return %1 : tensor<1x56x56x128xf32>
  }
  func.func private @relu_3(%arg0: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x28x28x128xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x28x28x128xf32>) outs(%0 : tensor<1x28x28x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x28x28x128xf32>
    return %1 : tensor<1x28x28x128xf32>
  }
  func.func private @relu_4(%arg0: tensor<1x28x28x512xf32>) -> tensor<1x28x28x512xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x28x28x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x28x28x512xf32>) outs(%0 : tensor<1x28x28x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x28x28x512xf32>
    return %1 : tensor<1x28x28x512xf32>
  }
  func.func private @relu_5(%arg0: tensor<1x28x28x256xf32>) -> tensor<1x28x28x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x28x28x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x28x28x256xf32>) outs(%0 : tensor<1x28x28x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x28x28x256xf32>
    return %1 : tensor<1x28x28x256xf32>
  }
  func.func private @relu_6(%arg0: tensor<1x14x14x256xf32>) -> tensor<1x14x14x256xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x14x14x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x14x14x256xf32>) outs(%0 : tensor<1x14x14x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x14x14x256xf32>
    return %1 : tensor<1x14x14x256xf32>
  }
  func.func private @relu_7(%arg0: tensor<1x14x14x1024xf32>) -> tensor<1x14x14x1024xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x14x14x1024xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x14x14x1024xf32>) outs(%0 : tensor<1x14x14x1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x14x14x1024xf32>
    return %1 : tensor<1x14x14x1024xf32>
  }
  func.func private @relu_8(%arg0: tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x14x14x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x14x14x512xf32>) outs(%0 : tensor<1x14x14x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x14x14x512xf32>
    return %1 : tensor<1x14x14x512xf32>
  }
  func.func private @relu_9(%arg0: tensor<1x7x7x512xf32>) -> tensor<1x7x7x512xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x7x7x512xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x7x512xf32>) outs(%0 : tensor<1x7x7x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x7x7x512xf32>
    return %1 : tensor<1x7x7x512xf32>
  }
  func.func private @relu_10(%arg0: tensor<1x7x7x2048xf32>) -> tensor<1x7x7x2048xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x7x7x2048xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x7x2048xf32>) outs(%0 : tensor<1x7x7x2048xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.maximumf %in, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<1x7x7x2048xf32>
    return %1 : tensor<1x7x7x2048xf32>
  }
}

