// Made by make_stablehlo_programs.py with jax 0.10.2
module @unary {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = "stablehlo.sign"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %2 = "stablehlo.floor"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %3 = "stablehlo.ceil"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = "stablehlo.exponential"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %5 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %6 = "stablehlo.tanh"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = "stablehlo.cbrt"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %8 = "stablehlo.sine"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %9 = "stablehlo.cosine"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = "stablehlo.tan"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %11 = "stablehlo.negate"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %12 = "stablehlo.exponential"(%11) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %15 = "stablehlo.add"(%14, %12) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %18 = "stablehlo.divide"(%17, %15) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %19 = "chlo.sinh"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %20 = "chlo.cosh"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %21 = "chlo.asinh"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %22 = "chlo.atan"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %23 = "stablehlo.negate"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %24 = "chlo.square"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %25 = "stablehlo.is_finite"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %18, %19, %20, %21, %22, %23, %24, %25) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi1>) {
    %0 = arith.constant dense<[[1.257302165e-01, 1.321048588e-01, 6.404226422e-01, 1.049001142e-01, 5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, 7.037352324e-01, 1.265421510e+00], [6.232744455e-01, 4.132597893e-02, 2.325030804e+00, 2.187916636e-01, 1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[1.000000000e+00, -1.000000000e+00, 1.000000000e+00, 1.000000000e+00, -1.000000000e+00], [1.000000000e+00, 1.000000000e+00, 1.000000000e+00, -1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[0.000000000e+00, -1.000000000e+00, 0.000000000e+00, 0.000000000e+00, -1.000000000e+00], [0.000000000e+00, 1.000000000e+00, 0.000000000e+00, -1.000000000e+00, -2.000000000e+00], [-1.000000000e+00, 0.000000000e+00, -3.000000000e+00, -1.000000000e+00, -2.000000000e+00]]> : tensor<3x5xf32>
    %3 = arith.constant dense<[[1.000000000e+00, -0.000000000e+00, 1.000000000e+00, 1.000000000e+00, -0.000000000e+00], [1.000000000e+00, 2.000000000e+00, 1.000000000e+00, -0.000000000e+00, -1.000000000e+00], [-0.000000000e+00, 1.000000000e+00, -2.000000000e+00, -0.000000000e+00, -1.000000000e+00]]> : tensor<3x5xf32>
    %4 = arith.constant dense<[[1.133976221e+00, 8.762490749e-01, 1.897282600e+00, 1.110599637e+00, 5.852773786e-01], [1.435617447e+00, 3.684003353e+00, 2.578172922e+00, 4.947338998e-01, 2.821203470e-01], [5.361858606e-01, 1.042191744e+00, 9.778043628e-02, 8.034890890e-01, 2.876787186e-01]]> : tensor<3x5xf32>
    %5 = arith.constant dense<[[1.339761913e-01, -1.237508729e-01, 8.972826004e-01, 1.105996519e-01, -4.147226214e-01], [4.356174767e-01, 2.684003353e+00, 1.578172922e+00, -5.052660704e-01, -7.178796530e-01], [-4.638141394e-01, 4.219177738e-02, -9.022195339e-01, -1.965108961e-01, -7.123212814e-01]]> : tensor<3x5xf32>
    %6 = arith.constant dense<[[1.250718385e-01, -1.313416958e-01, 5.651872754e-01, 1.045170128e-01, -4.897028208e-01], [3.466182351e-01, 8.627492785e-01, 7.384587526e-01, -6.067333221e-01, -8.525518775e-01], [-5.534037948e-01, 4.130246490e-02, -9.810590148e-01, -2.153660506e-01, -8.471330404e-01]]> : tensor<3x5xf32>
    %7 = arith.constant dense<[[5.009717345e-01, -5.092990994e-01, 8.619635105e-01, 4.716197550e-01, -8.121425509e-01], [7.124277353e-01, 1.092511177e+00, 9.820396900e-01, -8.894805312e-01, -1.081629157e+00], [-8.542004228e-01, 3.457331657e-01, -1.324777365e+00, -6.025738120e-01, -1.076041460e+00]]> : tensor<3x5xf32>
    %8 = arith.constant dense<[[1.253992170e-01, -1.317209452e-01, 5.975343585e-01, 1.047078297e-01, -5.104167461e-01], [3.537665904e-01, 9.646204710e-01, 8.117141128e-01, -6.470700502e-01, -9.537343383e-01], [-5.836970210e-01, 4.131421819e-02, -7.287959456e-01, -2.170502543e-01, -9.476873279e-01]]> : tensor<3x5xf32>
    %9 = arith.constant dense<[[9.921063781e-01, 9.912868142e-01, 8.018432856e-01, 9.945030212e-01, 8.599271774e-01], [9.353337288e-01, 2.636424601e-01, 5.840550065e-01, 7.624305487e-01, 3.006506860e-01], [8.119715452e-01, 9.991462231e-01, -6.847309470e-01, 9.761604071e-01, 3.192000985e-01]]> : tensor<3x5xf32>
    %10 = arith.constant dense<[[1.263969541e-01, -1.328787506e-01, 7.452009916e-01, 1.052865908e-01, -5.935581326e-01], [3.782249987e-01, 3.658820868e+00, 1.389790535e+00, -8.486937284e-01, -3.172234058e+00], [-7.188639641e-01, 4.134952277e-02, 1.064353704e+00, -2.223509997e-01, -2.968944311e+00]]> : tensor<3x5xf32>
    %11 = arith.constant dense<[[5.313912034e-01, 4.670217335e-01, 6.548489928e-01, 5.262010098e-01, 3.691955805e-01], [5.894264579e-01, 7.865074277e-01, 7.205278277e-01, 3.309845924e-01, 2.200420350e-01], [3.490370810e-01, 5.103300214e-01, 8.907102793e-02, 4.455192387e-01, 2.234087735e-01]]> : tensor<3x5xf32>
    %12 = arith.constant dense<[[1.260617375e-01, -1.324894130e-01, 6.851065159e-01, 1.050925851e-01, -5.616570711e-01], [3.695265651e-01, 1.706279755e+00, 1.095150709e+00, -7.632772923e-01, -1.631232977e+00], [-6.644195318e-01, 4.133773595e-02, -5.064607620e+00, -2.205414176e-01, -1.594210625e+00]]> : tensor<3x5xf32>
    %13 = arith.constant dense<[[1.007914543e+00, 1.008738518e+00, 1.212176085e+00, 1.005506992e+00, 1.146934509e+00], [1.066090941e+00, 1.977723598e+00, 1.483022213e+00, 1.258011222e+00, 1.913353443e+00], [1.200605392e+00, 1.000854015e+00, 5.162387848e+00, 1.024030447e+00, 1.881889343e+00]]> : tensor<3x5xf32>
    %14 = arith.constant dense<[[1.254013032e-01, -1.317236125e-01, 6.031766534e-01, 1.047086716e-01, -5.128858685e-01], [3.541457057e-01, 1.080887556e+00, 8.434548378e-01, -6.557238698e-01, -1.057190657e+00], [-5.886798501e-01, 4.131422564e-02, -1.580213547e+00, -2.170826495e-01, -1.045036077e+00]]> : tensor<3x5xf32>
    %15 = arith.constant dense<[[1.250739098e-01, -1.313443184e-01, 5.696130395e-01, 1.045178622e-01, -4.917743206e-01], [3.469669223e-01, 9.165848494e-01, 7.582262158e-01, -6.132284403e-01, -9.020285606e-01], [-5.573575497e-01, 4.130247608e-02, -1.164612293e+00, -2.153974622e-01, -8.944565654e-01]]> : tensor<3x5xf32>
    %16 = arith.constant dense<[[-1.257302165e-01, 1.321048588e-01, -6.404226422e-01, -1.049001142e-01, 5.356693864e-01], [-3.615950644e-01, -1.304000020e+00, -9.470809698e-01, 7.037352324e-01, 1.265421510e+00], [6.232744455e-01, -4.132597893e-02, 2.325030804e+00, 2.187916636e-01, 1.245911002e+00]]> : tensor<3x5xf32>
    %17 = arith.constant dense<[[1.580808684e-02, 1.745169424e-02, 4.101411700e-01, 1.100403443e-02, 2.869416773e-01], [1.307509840e-01, 1.700416088e+00, 8.969623446e-01, 4.952432811e-01, 1.601291656e+00], [3.884710371e-01, 1.707836520e-03, 5.405768394e+00, 4.786979035e-02, 1.552294254e+00]]> : tensor<3x5xf32>
    %18 = arith.constant dense<[[true, true, true, true, true], [true, true, true, true, true], [true, true, true, true, true]]> : tensor<3x5xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xi1>
  }
}

// -----
module @positive {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.log"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = "stablehlo.log_plus_one"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %2 = "stablehlo.sqrt"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %3 = "stablehlo.rsqrt"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = "stablehlo.power"(%arg0, %arg0) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %5 = "chlo.erf"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[4.006851017e-01, 2.060722560e-01, 1.285719872e+00, 2.498232841e+00, 6.130521297e-01], [3.975840211e-01, 6.300084591e-01, 3.361546397e-01, 1.916476011e+00, 1.498009712e-01], [1.866192669e-01, 1.587072849e+00, 1.747339129e+00, 1.017488003e+00, 1.166934848e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[-9.145794511e-01, -1.579528451e+00, 2.513187826e-01, 9.155836105e-01, -4.893053174e-01], [-9.223489761e-01, -4.620220363e-01, -1.090183973e+00, 6.504880786e-01, -1.898447752e+00], [-1.678684711e+00, 4.618913531e-01, 5.580941439e-01, 1.733684726e-02, 1.543805152e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[3.369614780e-01, 1.873690039e-01, 8.266810179e-01, 1.252257943e+00, 4.781281352e-01], [3.347450495e-01, 4.885852039e-01, 2.897958159e-01, 1.070376039e+00, 1.395888627e-01], [1.711083055e-01, 9.505270720e-01, 1.010632873e+00, 7.018531561e-01, 7.733137012e-01]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[6.329969168e-01, 4.539518356e-01, 1.133895874e+00, 1.580579877e+00, 7.829764485e-01], [6.305426359e-01, 7.937307358e-01, 5.797884464e-01, 1.384368420e+00, 3.870413005e-01], [4.319945276e-01, 1.259790778e+00, 1.321869612e+00, 1.008706093e+00, 1.080247641e+00]]> : tensor<3x5xf32>
    %3 = arith.constant dense<[[1.579786539e+00, 2.202876806e+00, 8.819151521e-01, 6.326791644e-01, 1.277177572e+00], [1.585935593e+00, 1.259873152e+00, 1.724766970e+00, 7.223510146e-01, 2.583703518e+00], [2.314844131e+00, 7.937825918e-01, 7.565042973e-01, 9.913690090e-01, 9.257136583e-01]]> : tensor<3x5xf32>
    %4 = arith.constant dense<[[6.931850314e-01, 7.221683860e-01, 1.381438732e+00, 9.848715782e+00, 7.408406734e-01], [6.930097342e-01, 7.474575043e-01, 6.931766272e-01, 3.478651762e+00, 7.524736524e-01], [7.310488820e-01, 2.081430197e+00, 2.651643753e+00, 1.017796516e+00, 1.197399378e+00]]> : tensor<3x5xf32>
    %5 = arith.constant dense<[[4.290509224e-01, 2.292776704e-01, 9.309790134e-01, 9.995891452e-01, 6.140506268e-01], [4.260670543e-01, 6.270529032e-01, 3.654941320e-01, 9.932777882e-01, 1.677763909e-01], [2.081580311e-01, 9.751971364e-01, 9.865306020e-01, 8.498339653e-01, 9.011174440e-01]]> : tensor<3x5xf32>
    return %0, %1, %2, %3, %4, %5 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @special {
  "func.func"() <{function_type = (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xf32>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %1 = "stablehlo.sign"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %2 = "stablehlo.floor"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %3 = "stablehlo.ceil"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %4 = "stablehlo.exponential"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %5 = "stablehlo.tanh"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %6 = "stablehlo.sqrt"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %7 = "stablehlo.negate"(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    %8 = "stablehlo.is_finite"(%arg0) : (tensor<9xf32>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8) : (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<9xf32>) {
    %0 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]> : tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func @results() -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi1>) {
    %0 = arith.constant dense<[0x7FC00000, 0x7F800000, 0x7F800000, 0.000000000e+00, 0.000000000e+00, 1.000000000e+00, 1.000000000e+00, 2.500000000e+00, 2.500000000e+00]> : tensor<9xf32>
    %1 = arith.constant dense<[0x7FC00000, 1.000000000e+00, -1.000000000e+00, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 1.000000000e+00, -1.000000000e+00]> : tensor<9xf32>
    %2 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.000000000e+00, -3.000000000e+00]> : tensor<9xf32>
    %3 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -2.000000000e+00]> : tensor<9xf32>
    %4 = arith.constant dense<[0x7FC00000, 0x7F800000, 0.000000000e+00, 1.000000000e+00, 1.000000000e+00, 2.718281746e+00, 3.678794503e-01, 1.218249416e+01, 8.208499849e-02]> : tensor<9xf32>
    %5 = arith.constant dense<[0x7FC00000, 1.000000000e+00, -1.000000000e+00, 0.000000000e+00, -0.000000000e+00, 7.615941763e-01, -7.615941763e-01, 9.866143465e-01, -9.866143465e-01]> : tensor<9xf32>
    %6 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFFC00000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, 0xFFC00000, 1.581138849e+00, 0xFFC00000]> : tensor<9xf32>
    %7 = arith.constant dense<[0xFFC00000, 0xFF800000, 0x7F800000, -0.000000000e+00, 0.000000000e+00, -1.000000000e+00, 1.000000000e+00, -2.500000000e+00, 2.500000000e+00]> : tensor<9xf32>
    %8 = arith.constant dense<[false, false, false, true, true, true, true, true, true]> : tensor<9xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi1>
  }
}

// -----
module @binary {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>):
    %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %3 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %4 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %5 = "stablehlo.divide"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %6 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = "stablehlo.atan2"(%arg0, %arg1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 4.116305411e-01, 1.042513371e+00], [3.615950644e-01, 1.366463423e+00, 9.470809698e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, 4.132597893e-02, -9.217253923e-01, -2.187916636e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 1.049001142e-01, -5.356693864e-01], [-1.285346597e-01, 1.304000020e+00, -6.651946902e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, -7.434992790e-01, -2.325030804e+00, -4.577258229e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[-6.065371633e-01, -6.763638854e-01, 3.241224885e-01, 5.165306330e-01, 5.068439841e-01], [2.330604047e-01, 2.670463562e+00, 2.818862796e-01, -3.522251546e-01, -3.619513512e-01], [-5.292621255e-01, -7.021732926e-01, -3.246756077e+00, -6.765174866e-01, -1.025715828e+00]]> : tensor<3x5xf32>
    %3 = arith.constant dense<[[8.579975963e-01, 4.121541381e-01, 9.567227960e-01, -3.067304194e-01, -1.578182697e+00], [4.901297092e-01, -6.246340275e-02, 1.612275600e+00, -1.055245280e+00, -2.168891668e+00], [-7.172867656e-01, 7.848252654e-01, -1.403305411e+00, 2.389341593e-01, -1.466106176e+00]]> : tensor<3x5xf32>
    %4 = arith.constant dense<[[-9.206813574e-02, 7.189925760e-02, -2.025657743e-01, 4.318008944e-02, -5.584424734e-01], [-4.647750035e-02, 1.781868339e+00, -6.299932599e-01, -2.473700196e-01, -1.143270612e+00], [-5.859546363e-02, -3.072583489e-02, 2.143039942e+00, 1.001465917e-01, -2.743435204e-01]]> : tensor<3x5xf32>
    %5 = arith.constant dense<[[-1.716998667e-01, 2.427242398e-01, -2.024730682e+00, 2.548404634e-01, -5.138249397e-01], [-2.813210487e+00, 9.542882442e-01, -1.423765063e+00, -2.002034187e+00, -1.400623441e+00], [-6.629711628e+00, -5.558307841e-02, 2.522476673e+00, 4.779972136e-01, -5.658213139e+00]]> : tensor<3x5xf32>
    %6 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 7.822334766e-03, 1.049001142e-01, -5.356693864e-01], [1.045257449e-01, 1.304000020e+00, 2.818862796e-01, -7.150769234e-04, -3.619513512e-01], [-5.920065939e-02, 4.132597893e-02, -4.815800190e-01, -2.187916636e-01, -1.449353546e-01]]> : tensor<3x5xf32>
    %7 = arith.constant dense<[[2.971550941e+00, -2.903473377e+00, 2.029546261e+00, 2.495291829e-01, -4.746463001e-01], [1.912332058e+00, 7.620119452e-01, 2.183106422e+00, -1.107555270e+00, -9.507573843e-01], [-1.421088696e+00, 3.086066723e+00, -1.948226333e+00, -2.695701599e+00, -1.395868421e+00]]> : tensor<3x5xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @binary_special {
  "func.func"() <{function_type = (tensor<9x9xf32>, tensor<9x9xf32>) -> (tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9x9xf32>, %arg1: tensor<9x9xf32>):
    %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %1 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %3 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    %6 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    %7 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    %8 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    %9 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<9x9xf32>, tensor<9x9xf32>) {
    %0 = arith.constant dense<[[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]]> : tensor<9x9xf32>
    %1 = arith.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00], [1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00], [-1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00], [2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00], [-2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00]]> : tensor<9x9xf32>
    return %0, %1 : tensor<9x9xf32>, tensor<9x9xf32>
  }
  func.func @results() -> (tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>) {
    %0 = arith.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 1.000000000e+00, 0.000000000e+00, 2.500000000e+00, 0.000000000e+00], [0x7FC00000, 0x7F800000, -0.000000000e+00, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -0.000000000e+00, 2.500000000e+00, -0.000000000e+00], [0x7FC00000, 0x7F800000, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 2.500000000e+00, 1.000000000e+00], [0x7FC00000, 0x7F800000, -1.000000000e+00, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -1.000000000e+00], [0x7FC00000, 0x7F800000, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00, 2.500000000e+00], [0x7FC00000, 0x7F800000, -2.500000000e+00, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]]> : tensor<9x9xf32>
    %1 = arith.constant dense<[[0x7FC00000, 0x7FC00000, 0xFFC00000, 0x7FC00000, 0xFFC00000, 0x7FC00000, 0xFFC00000, 0x7FC00000, 0xFFC00000], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0x7FC00000, 0.000000000e+00, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 0.000000000e+00, -1.000000000e+00, 0.000000000e+00, -2.500000000e+00], [0x7FC00000, -0.000000000e+00, 0xFF800000, -0.000000000e+00, -0.000000000e+00, -0.000000000e+00, -1.000000000e+00, -0.000000000e+00, -2.500000000e+00], [0x7FC00000, 1.000000000e+00, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 1.000000000e+00, -2.500000000e+00], [0x7FC00000, -1.000000000e+00, 0xFF800000, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -1.000000000e+00, -2.500000000e+00], [0x7FC00000, 2.500000000e+00, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, -2.500000000e+00, 0xFF800000, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00, -2.500000000e+00]]> : tensor<9x9xf32>
    %2 = arith.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7F800000, 0xFFC00000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000], [0x7FC00000, 0xFFC00000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, 0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 1.000000000e+00, 1.000000000e+00, 2.000000000e+00, 0.000000000e+00, 3.500000000e+00, -1.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, -1.000000000e+00, -1.000000000e+00, 0.000000000e+00, -2.000000000e+00, 1.500000000e+00, -3.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 2.500000000e+00, 2.500000000e+00, 3.500000000e+00, 1.500000000e+00, 5.000000000e+00, 0.000000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, -2.500000000e+00, -2.500000000e+00, -1.500000000e+00, -3.500000000e+00, 0.000000000e+00, -5.000000000e+00]]> : tensor<9x9xf32>
    %3 = arith.constant dense<[[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000], [0x7FC00000, 0x7F800000, 0xFF800000, 0xFFC00000, 0xFFC00000, 0x7F800000, 0xFF800000, 0x7F800000, 0xFF800000], [0x7FC00000, 0xFF800000, 0x7F800000, 0xFFC00000, 0xFFC00000, 0xFF800000, 0x7F800000, 0xFF800000, 0x7F800000], [0x7FC00000, 0xFFC00000, 0xFFC00000, 0.000000000e+00, -0.000000000e+00, 0.000000000e+00, -0.000000000e+00, 0.000000000e+00, -0.000000000e+00], [0x7FC00000, 0xFFC00000, 0xFFC00000, -0.000000000e+00, 0.000000000e+00, -0.000000000e+00, 0.000000000e+00, -0.000000000e+00, 0.000000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00], [0x7FC00000, 0xFF800000, 0x7F800000, -0.000000000e+00, 0.000000000e+00, -1.000000000e+00, 1.000000000e+00, -2.500000000e+00, 2.500000000e+00], [0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 2.500000000e+00, -2.500000000e+00, 6.250000000e+00, -6.250000000e+00], [0x7FC00000, 0xFF800000, 0x7F800000, -0.000000000e+00, 0.000000000e+00, -2.500000000e+00, 2.500000000e+00, -6.250000000e+00, 6.250000000e+00]]> : tensor<9x9xf32>
    %4 = arith.constant dense<[[false, false, false, false, false, false, false, false, false], [false, true, false, false, false, false, false, false, false], [false, false, true, false, false, false, false, false, false], [false, false, false, true, true, false, false, false, false], [false, false, false, true, true, false, false, false, false], [false, false, false, false, false, true, false, false, false], [false, false, false, false, false, false, true, false, false], [false, false, false, false, false, false, false, true, false], [false, false, false, false, false, false, false, false, true]]> : tensor<9x9xi1>
    %5 = arith.constant dense<[[true, true, true, true, true, true, true, true, true], [true, false, true, true, true, true, true, true, true], [true, true, false, true, true, true, true, true, true], [true, true, true, false, false, true, true, true, true], [true, true, true, false, false, true, true, true, true], [true, true, true, true, true, false, true, true, true], [true, true, true, true, true, true, false, true, true], [true, true, true, true, true, true, true, false, true], [true, true, true, true, true, true, true, true, false]]> : tensor<9x9xi1>
    %6 = arith.constant dense<[[false, false, false, false, false, false, false, false, false], [false, false, true, true, true, true, true, true, true], [false, false, false, false, false, false, false, false, false], [false, false, true, false, false, false, true, false, true], [false, false, true, false, false, false, true, false, true], [false, false, true, true, true, false, true, false, true], [false, false, true, false, false, false, false, false, true], [false, false, true, true, true, true, true, false, true], [false, false, true, false, false, false, false, false, false]]> : tensor<9x9xi1>
    %7 = arith.constant dense<[[false, false, false, false, false, false, false, false, false], [false, true, true, true, true, true, true, true, true], [false, false, true, false, false, false, false, false, false], [false, false, true, true, true, false, true, false, true], [false, false, true, true, true, false, true, false, true], [false, false, true, true, true, true, true, false, true], [false, false, true, false, false, false, true, false, true], [false, false, true, true, true, true, true, true, true], [false, false, true, false, false, false, false, false, true]]> : tensor<9x9xi1>
    %8 = arith.constant dense<[[false, false, false, false, false, false, false, false, false], [false, false, false, false, false, false, false, false, false], [false, true, false, true, true, true, true, true, true], [false, true, false, false, false, true, false, true, false], [false, true, false, false, false, true, false, true, false], [false, true, false, false, false, false, false, true, false], [false, true, false, true, true, true, false, true, false], [false, true, false, false, false, false, false, false, false], [false, true, false, true, true, true, true, true, false]]> : tensor<9x9xi1>
    %9 = arith.constant dense<[[false, false, false, false, false, false, false, false, false], [false, true, false, false, false, false, false, false, false], [false, true, true, true, true, true, true, true, true], [false, true, false, true, true, true, false, true, false], [false, true, false, true, true, true, false, true, false], [false, true, false, false, false, true, false, true, false], [false, true, false, true, true, true, true, true, false], [false, true, false, false, false, false, false, true, false], [false, true, false, true, true, true, true, true, true]]> : tensor<9x9xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>, tensor<9x9xi1>
  }
}

// -----
module @integers {
  "func.func"() <{function_type = (tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xi32>, %arg1: tensor<8x8xi32>):
    %0 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %1 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %3 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %4 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %5 = "stablehlo.divide"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %6 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %7 = "stablehlo.and"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %8 = "stablehlo.or"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %9 = "stablehlo.xor"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %10 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %11 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %12 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %13 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %14 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14) : (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<8x8xi32>, tensor<8x8xi32>) {
    %0 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647]]> : tensor<8x8xi32>
    %1 = arith.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, -1, -1, -1], [3, 3, 3, 3, 3, 3, 3, 3], [31, 31, 31, 31, 31, 31, 31, 31], [32, 32, 32, 32, 32, 32, 32, 32], [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648], [2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647]]> : tensor<8x8xi32>
    return %0, %1 : tensor<8x8xi32>, tensor<8x8xi32>
  }
  func.func @results() -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>) {
    %0 = arith.constant dense<[[0, 1, 0, 2, 0, 7, 0, 2147483647], [1, 1, 1, 2, 1, 7, 1, 2147483647], [0, 1, -1, 2, -1, 7, -1, 2147483647], [3, 3, 3, 3, 3, 7, 3, 2147483647], [31, 31, 31, 31, 31, 31, 31, 2147483647], [32, 32, 32, 32, 32, 32, 32, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647]]> : tensor<8x8xi32>
    %1 = arith.constant dense<[[0, 0, -1, 0, -2, 0, -2147483648, 0], [0, 1, -1, 1, -2, 1, -2147483648, 1], [-1, -1, -1, -1, -2, -1, -2147483648, -1], [0, 1, -1, 2, -2, 3, -2147483648, 3], [0, 1, -1, 2, -2, 7, -2147483648, 31], [0, 1, -1, 2, -2, 7, -2147483648, 32], [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647]]> : tensor<8x8xi32>
    %2 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [1, 2, 0, 3, -1, 8, -2147483647, -2147483648], [-1, 0, -2, 1, -3, 6, 2147483647, 2147483646], [3, 4, 2, 5, 1, 10, -2147483645, -2147483646], [31, 32, 30, 33, 29, 38, -2147483617, -2147483618], [32, 33, 31, 34, 30, 39, -2147483616, -2147483617], [-2147483648, -2147483647, 2147483647, -2147483646, 2147483646, -2147483641, 0, -1], [2147483647, -2147483648, 2147483646, -2147483647, 2147483645, -2147483642, -1, -2]]> : tensor<8x8xi32>
    %3 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [-1, 0, -2, 1, -3, 6, 2147483647, 2147483646], [1, 2, 0, 3, -1, 8, -2147483647, -2147483648], [-3, -2, -4, -1, -5, 4, 2147483645, 2147483644], [-31, -30, -32, -29, -33, -24, 2147483617, 2147483616], [-32, -31, -33, -30, -34, -25, 2147483616, 2147483615], [-2147483648, -2147483647, 2147483647, -2147483646, 2147483646, -2147483641, 0, -1], [-2147483647, -2147483646, -2147483648, -2147483645, 2147483647, -2147483640, 1, 0]]> : tensor<8x8xi32>
    %4 = arith.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, 3, -3, 6, -6, 21, -2147483648, 2147483645], [0, 31, -31, 62, -62, 217, -2147483648, 2147483617], [0, 32, -32, 64, -64, 224, 0, -32], [0, -2147483648, -2147483648, 0, 0, -2147483648, 0, -2147483648], [0, 2147483647, -2147483647, -2, 2, 2147483641, -2147483648, 1]]> : tensor<8x8xi32>
    %5 = arith.constant dense<[[-1, -1, -1, -1, -1, -1, -1, -1], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, 0, 0, 0, 0, 2, -715827882, 715827882], [0, 0, 0, 0, 0, 0, -69273666, 69273666], [0, 0, 0, 0, 0, 0, -67108864, 67108863], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, -1, 1]]> : tensor<8x8xi32>
    %6 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 1, -1, 2, -2, 1, -2, 1], [0, 1, -1, 2, -2, 7, -2, 1], [0, 1, -1, 2, -2, 7, 0, 31], [0, 1, -1, 2, -2, 7, 0, 2147483647], [0, 1, -1, 2, -2, 7, -1, 0]]> : tensor<8x8xi32>
    %7 = arith.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 0, 1, 0, 1], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, 3, 2, 2, 3, 0, 3], [0, 1, 31, 2, 30, 7, 0, 31], [0, 0, 32, 0, 32, 0, 0, 32], [0, 0, -2147483648, 0, -2147483648, 0, -2147483648, 0], [0, 1, 2147483647, 2, 2147483646, 7, 0, 2147483647]]> : tensor<8x8xi32>
    %8 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [1, 1, -1, 3, -1, 7, -2147483647, 2147483647], [-1, -1, -1, -1, -1, -1, -1, -1], [3, 3, -1, 3, -1, 7, -2147483645, 2147483647], [31, 31, -1, 31, -1, 31, -2147483617, 2147483647], [32, 33, -1, 34, -2, 39, -2147483616, 2147483647], [-2147483648, -2147483647, -1, -2147483646, -2, -2147483641, -2147483648, -1], [2147483647, 2147483647, -1, 2147483647, -1, 2147483647, -1, 2147483647]]> : tensor<8x8xi32>
    %9 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [1, 0, -2, 3, -1, 6, -2147483647, 2147483646], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [3, 2, -4, 1, -3, 4, -2147483645, 2147483644], [31, 30, -32, 29, -31, 24, -2147483617, 2147483616], [32, 33, -33, 34, -34, 39, -2147483616, 2147483615], [-2147483648, -2147483647, 2147483647, -2147483646, 2147483646, -2147483641, 0, -1], [2147483647, 2147483646, -2147483648, 2147483645, -2147483647, 2147483640, -1, 0]]> : tensor<8x8xi32>
    %10 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 2, -2, 4, -4, 14, 0, -2], [0, 0, 0, 0, 0, 0, 0, 0], [0, 8, -8, 16, -16, 56, 0, -8], [0, -2147483648, -2147483648, 0, 0, -2147483648, 0, -2147483648], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<8x8xi32>
    %11 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, 2147483647, 1, 2147483647, 3, 1073741824, 1073741823], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 536870911, 0, 536870911, 0, 268435456, 268435455], [0, 0, 1, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<8x8xi32>
    %12 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, -1, 1, -1, 3, -1073741824, 1073741823], [0, 0, -1, 0, -1, 0, -1, 0], [0, 0, -1, 0, -1, 0, -268435456, 268435455], [0, 0, -1, 0, -1, 0, -1, 0], [0, 0, -1, 0, -1, 0, -1, 0], [0, 0, -1, 0, -1, 0, -1, 0], [0, 0, -1, 0, -1, 0, -1, 0]]> : tensor<8x8xi32>
    %13 = arith.constant dense<[[false, false, true, false, true, false, true, false], [true, false, true, false, true, false, true, false], [false, false, false, false, true, false, true, false], [true, true, true, true, true, false, true, false], [true, true, true, true, true, true, true, false], [true, true, true, true, true, true, true, false], [false, false, false, false, false, false, false, false], [true, true, true, true, true, true, true, false]]> : tensor<8x8xi1>
    %14 = arith.constant dense<[[true, true, false, true, false, true, false, true], [false, true, false, true, false, true, false, true], [true, true, true, true, false, true, false, true], [false, false, false, false, false, true, false, true], [false, false, false, false, false, false, false, true], [false, false, false, false, false, false, false, true], [true, true, true, true, true, true, true, true], [false, false, false, false, false, false, false, true]]> : tensor<8x8xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>
  }
}

// -----
module @unsigned {
  "func.func"() <{function_type = (tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xi32>, %arg1: tensor<8x8xi32>):
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %1 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %2 = "stablehlo.maximum"(%0, %1) : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xui32>
    %3 = "stablehlo.bitcast_convert"(%2) : (tensor<8x8xui32>) -> tensor<8x8xi32>
    %4 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %5 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %6 = "stablehlo.minimum"(%4, %5) : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xui32>
    %7 = "stablehlo.bitcast_convert"(%6) : (tensor<8x8xui32>) -> tensor<8x8xi32>
    %8 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %9 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %10 = "stablehlo.divide"(%8, %9) : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xui32>
    %11 = "stablehlo.bitcast_convert"(%10) : (tensor<8x8xui32>) -> tensor<8x8xi32>
    %12 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %13 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %14 = "stablehlo.remainder"(%12, %13) : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xui32>
    %15 = "stablehlo.bitcast_convert"(%14) : (tensor<8x8xui32>) -> tensor<8x8xi32>
    %16 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %17 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %18 = "stablehlo.shift_right_logical"(%16, %17) : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xui32>
    %19 = "stablehlo.bitcast_convert"(%18) : (tensor<8x8xui32>) -> tensor<8x8xi32>
    %20 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %21 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %22 = "stablehlo.compare"(%20, %21) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xi1>
    %23 = "stablehlo.bitcast_convert"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %24 = "stablehlo.bitcast_convert"(%arg1) : (tensor<8x8xi32>) -> tensor<8x8xui32>
    %25 = "stablehlo.compare"(%23, %24) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8x8xui32>, tensor<8x8xui32>) -> tensor<8x8xi1>
    "func.return"(%3, %7, %11, %15, %19, %22, %25) : (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<8x8xi32>, tensor<8x8xi32>) {
    %0 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647]]> : tensor<8x8xi32>
    %1 = arith.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, -1, -1, -1], [3, 3, 3, 3, 3, 3, 3, 3], [31, 31, 31, 31, 31, 31, 31, 31], [32, 32, 32, 32, 32, 32, 32, 32], [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648], [2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647, 2147483647]]> : tensor<8x8xi32>
    return %0, %1 : tensor<8x8xi32>, tensor<8x8xi32>
  }
  func.func @results() -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>) {
    %0 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [1, 1, -1, 2, -2, 7, -2147483648, 2147483647], [-1, -1, -1, -1, -1, -1, -1, -1], [3, 3, -1, 3, -2, 7, -2147483648, 2147483647], [31, 31, -1, 31, -2, 31, -2147483648, 2147483647], [32, 32, -1, 32, -2, 32, -2147483648, 2147483647], [-2147483648, -2147483648, -1, -2147483648, -2, -2147483648, -2147483648, -2147483648], [2147483647, 2147483647, -1, 2147483647, -2, 2147483647, -2147483648, 2147483647]]> : tensor<8x8xi32>
    %1 = arith.constant dense<[[0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1, 1, 1], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, 3, 2, 3, 3, 3, 3], [0, 1, 31, 2, 31, 7, 31, 31], [0, 1, 32, 2, 32, 7, 32, 32], [0, 1, -2147483648, 2, -2147483648, 7, -2147483648, 2147483647], [0, 1, 2147483647, 2, 2147483647, 7, 2147483647, 2147483647]]> : tensor<8x8xi32>
    %2 = arith.constant dense<[[-1, -1, -1, -1, -1, -1, -1, -1], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 1431655765, 0, 1431655764, 2, 715827882, 715827882], [0, 0, 138547332, 0, 138547332, 0, 69273666, 69273666], [0, 0, 134217727, 0, 134217727, 0, 67108864, 67108863], [0, 0, 1, 0, 1, 0, 1, 0], [0, 0, 2, 0, 2, 0, 1, 1]]> : tensor<8x8xi32>
    %3 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 2, -2, 7, -2147483648, 2147483647], [0, 1, 0, 2, 2, 1, 2, 1], [0, 1, 3, 2, 2, 7, 2, 1], [0, 1, 31, 2, 30, 7, 0, 31], [0, 1, 2147483647, 2, 2147483646, 7, 0, 2147483647], [0, 1, 1, 2, 0, 7, 1, 0]]> : tensor<8x8xi32>
    %4 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 0, 2147483647, 1, 2147483647, 3, 1073741824, 1073741823], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 536870911, 0, 536870911, 0, 268435456, 268435455], [0, 0, 1, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<8x8xi32>
    %5 = arith.constant dense<[[false, false, false, false, false, false, false, false], [true, false, false, false, false, false, false, false], [true, true, false, true, true, true, true, true], [true, true, false, true, false, false, false, false], [true, true, false, true, false, true, false, false], [true, true, false, true, false, true, false, false], [true, true, false, true, false, true, false, true], [true, true, false, true, false, true, false, false]]> : tensor<8x8xi1>
    %6 = arith.constant dense<[[true, true, true, true, true, true, true, true], [false, true, true, true, true, true, true, true], [false, false, true, false, false, false, false, false], [false, false, true, false, true, true, true, true], [false, false, true, false, true, false, true, true], [false, false, true, false, true, false, true, true], [false, false, true, false, true, false, true, false], [false, false, true, false, true, false, true, true]]> : tensor<8x8xi1>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<8x8xi1>
  }
}

// -----
module @integer_unary {
  "func.func"() <{function_type = (tensor<8x8xi32>) -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x8xi32>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %1 = "stablehlo.sign"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %2 = "stablehlo.negate"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %3 = "stablehlo.not"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<8x8xi32>) -> tensor<8x8xi32>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<8x8xi32>) {
    %0 = arith.constant dense<[[0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647], [0, 1, -1, 2, -2, 7, -2147483648, 2147483647]]> : tensor<8x8xi32>
    return %0 : tensor<8x8xi32>
  }
  func.func @results() -> (tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>) {
    %0 = arith.constant dense<[[0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647], [0, 1, 1, 2, 2, 7, -2147483648, 2147483647]]> : tensor<8x8xi32>
    %1 = arith.constant dense<[[0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1], [0, 1, -1, 1, -1, 1, -1, 1]]> : tensor<8x8xi32>
    %2 = arith.constant dense<[[0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647], [0, -1, 1, -2, 2, -7, -2147483648, -2147483647]]> : tensor<8x8xi32>
    %3 = arith.constant dense<[[-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648], [-1, -2, 0, -3, 1, -8, 2147483647, -2147483648]]> : tensor<8x8xi32>
    %4 = arith.constant dense<[[0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31], [0, 1, 32, 1, 31, 3, 1, 31]]> : tensor<8x8xi32>
    %5 = arith.constant dense<[[32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1], [32, 31, 0, 30, 0, 29, 0, 1]]> : tensor<8x8xi32>
    return %0, %1, %2, %3, %4, %5 : tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>, tensor<8x8xi32>
  }
}

// -----
module @booleans {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %5 = "stablehlo.compare"(%arg1, %4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %6 = "stablehlo.maximum"(%2, %5) : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %9 = "stablehlo.compare"(%arg0, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %12 = "stablehlo.compare"(%arg1, %11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %13 = "stablehlo.minimum"(%9, %12) : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %16 = "stablehlo.compare"(%arg0, %15) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %17 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %19 = "stablehlo.compare"(%arg1, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %20 = "stablehlo.and"(%16, %19) : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %23 = "stablehlo.compare"(%arg0, %22) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %26 = "stablehlo.compare"(%arg1, %25) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %27 = "stablehlo.or"(%23, %26) : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %28 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %30 = "stablehlo.compare"(%arg0, %29) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %33 = "stablehlo.compare"(%arg1, %32) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %34 = "stablehlo.xor"(%30, %33) : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %35 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %37 = "stablehlo.compare"(%arg0, %36) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %38 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %40 = "stablehlo.compare"(%arg1, %39) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %41 = "stablehlo.compare"(%37, %40) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<3x5xi1>, tensor<3x5xi1>) -> tensor<3x5xi1>
    %42 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %44 = "stablehlo.compare"(%arg0, %43) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %45 = "stablehlo.not"(%44) : (tensor<3x5xi1>) -> tensor<3x5xi1>
    "func.return"(%6, %13, %20, %27, %34, %41, %45) : (tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>) {
    %0 = arith.constant dense<[[true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]]> : tensor<3x5xi1>
    %1 = arith.constant dense<[[false, false, false, true, false], [false, true, false, false, false], [false, false, false, false, false]]> : tensor<3x5xi1>
    %2 = arith.constant dense<[[false, false, false, true, false], [false, true, false, false, false], [false, false, false, false, false]]> : tensor<3x5xi1>
    %3 = arith.constant dense<[[true, false, true, true, true], [true, true, true, true, true], [true, true, false, false, true]]> : tensor<3x5xi1>
    %4 = arith.constant dense<[[true, false, true, false, true], [true, false, true, true, true], [true, true, false, false, true]]> : tensor<3x5xi1>
    %5 = arith.constant dense<[[false, true, false, true, false], [false, true, false, false, false], [false, false, true, true, false]]> : tensor<3x5xi1>
    %6 = arith.constant dense<[[false, true, false, false, true], [false, false, false, true, true], [true, false, true, true, true]]> : tensor<3x5xi1>
    return %0, %1, %2, %3, %4, %5, %6 : tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>, tensor<3x5xi1>
  }
}

// -----
module @convert {
  "func.func"() <{function_type = (tensor<8xf32>) -> (tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi1>, tensor<8xf16>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8xf32>):
    %0 = "stablehlo.convert"(%arg0) : (tensor<8xf32>) -> tensor<8xi8>
    %1 = "stablehlo.convert"(%arg0) : (tensor<8xf32>) -> tensor<8xi16>
    %2 = "stablehlo.convert"(%arg0) : (tensor<8xf32>) -> tensor<8xi32>
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %5 = "stablehlo.compare"(%arg0, %4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %6 = "stablehlo.convert"(%5) : (tensor<8xi1>) -> tensor<8xi1>
    %7 = "stablehlo.convert"(%arg0) : (tensor<8xf32>) -> tensor<8xf16>
    "func.return"(%0, %1, %2, %6, %7) : (tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi1>, tensor<8xf16>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<8xf32>) {
    %0 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 6.999999881e-01, -6.999999881e-01, 3.000000000e+02, -3.000000000e+02, 1.000000000e+10]> : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func @results() -> (tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi1>, tensor<8xf16>) {
    %0 = arith.constant dense<[0, 127, -128, 0, 0, 127, -128, 127]> : tensor<8xi8>
    %1 = arith.constant dense<[0, 32767, -32768, 0, 0, 300, -300, 32767]> : tensor<8xi16>
    %2 = arith.constant dense<[0, 2147483647, -2147483648, 0, 0, 300, -300, 2147483647]> : tensor<8xi32>
    %3 = arith.constant dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
    %4 = arith.constant dense<[0x7E00, 0x7C00, 0xFC00, 7.001953125e-01, -7.001953125e-01, 3.000000000e+02, -3.000000000e+02, 0x7C00]> : tensor<8xf16>
    return %0, %1, %2, %3, %4 : tensor<8xi8>, tensor<8xi16>, tensor<8xi32>, tensor<8xi1>, tensor<8xf16>
  }
}

// -----
module @clamp_select {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<3x5xf32>, %arg4: tensor<3x5xf32>):
    %1 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %4 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %5 = "stablehlo.clamp"(%3, %arg3, %4) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %6 = "stablehlo.compare"(%arg3, %arg4) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %7 = "func.call"(%6, %arg3, %arg4) <{callee = @_where}> : (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %8 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x1xf32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1x1xf32>) -> tensor<f32>
    %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.compare"(%9, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %12 = "stablehlo.select"(%11, %arg3, %arg4) : (tensor<i1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%5, %7, %12) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xi1>, %arg1: tensor<3x5xf32>, %arg2: tensor<3x5xf32>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%0) : (tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 5.000000000e-01, 1.049001142e-01, -5.000000000e-01], [3.615950644e-01, 5.000000000e-01, 5.000000000e-01, -5.000000000e-01, -5.000000000e-01], [-5.000000000e-01, 4.132597893e-02, -5.000000000e-01, -2.187916636e-01, -5.000000000e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 4.116305411e-01, 1.042513371e+00], [3.615950644e-01, 1.366463423e+00, 9.470809698e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, 4.132597893e-02, -9.217253923e-01, -2.187916636e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @round {
  "func.func"() <{function_type = (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    %1 = "stablehlo.round_nearest_afz"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%0, %1) : (tensor<6xf32>, tensor<6xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<6xf32>) {
    %0 = arith.constant dense<[0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]> : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func @results() -> (tensor<6xf32>, tensor<6xf32>) {
    %0 = arith.constant dense<[0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.000000000e+00, -2.000000000e+00]> : tensor<6xf32>
    %1 = arith.constant dense<[0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 3.000000000e+00, -3.000000000e+00]> : tensor<6xf32>
    return %0, %1 : tensor<6xf32>, tensor<6xf32>
  }
}

// -----
module @broadcast {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<3x5xf32>) -> tensor<2x3x4x5xf32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<3x1xf32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<3x1xf32>) -> tensor<2x3x5xf32>
    "func.return"(%0, %2) : (tensor<2x3x4x5xf32>, tensor<2x3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<2x3x4x5xf32>, tensor<2x3x5xf32>) {
    %0 = arith.constant dense<[[[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01]], [[3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00]], [[-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]], [[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01]], [[3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00]], [[-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]]]> : tensor<2x3x4x5xf32>
    %1 = arith.constant dense<[[[1.257302165e-01, 1.257302165e-01, 1.257302165e-01, 1.257302165e-01, 1.257302165e-01], [3.615950644e-01, 3.615950644e-01, 3.615950644e-01, 3.615950644e-01, 3.615950644e-01], [-6.232744455e-01, -6.232744455e-01, -6.232744455e-01, -6.232744455e-01, -6.232744455e-01]], [[1.257302165e-01, 1.257302165e-01, 1.257302165e-01, 1.257302165e-01, 1.257302165e-01], [3.615950644e-01, 3.615950644e-01, 3.615950644e-01, 3.615950644e-01, 3.615950644e-01], [-6.232744455e-01, -6.232744455e-01, -6.232744455e-01, -6.232744455e-01, -6.232744455e-01]]]> : tensor<2x3x5xf32>
    return %0, %1 : tensor<2x3x4x5xf32>, tensor<2x3x5xf32>
  }
}

// -----
module @reshape {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<5x3xf32>, tensor<1x3x1x5xf32>, tensor<15xf32>, tensor<f32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.reshape"(%arg0) : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %1 = "stablehlo.reshape"(%arg0) : (tensor<3x5xf32>) -> tensor<1x3x1x5xf32>
    %2 = "stablehlo.reshape"(%arg0) : (tensor<3x5xf32>) -> tensor<15xf32>
    %3 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x1xf32>
    %4 = "stablehlo.reshape"(%3) : (tensor<1x1xf32>) -> tensor<f32>
    "func.return"(%0, %1, %2, %4) : (tensor<5x3xf32>, tensor<1x3x1x5xf32>, tensor<15xf32>, tensor<f32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<5x3xf32>, tensor<1x3x1x5xf32>, tensor<15xf32>, tensor<f32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01], [1.049001142e-01, -5.356693864e-01, 3.615950644e-01], [1.304000020e+00, 9.470809698e-01, -7.037352324e-01], [-1.265421510e+00, -6.232744455e-01, 4.132597893e-02], [-2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<5x3xf32>
    %1 = arith.constant dense<[[[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01]], [[3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00]], [[-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]]]> : tensor<1x3x1x5xf32>
    %2 = arith.constant dense<[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01, 3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00, -6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]> : tensor<15xf32>
    %3 = arith.constant dense<1.257302165e-01> : tensor<f32>
    return %0, %1, %2, %3 : tensor<5x3xf32>, tensor<1x3x1x5xf32>, tensor<15xf32>, tensor<f32>
  }
}

// -----
module @transpose {
  "func.func"() <{function_type = (tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<3x4x2xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3x4xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    %1 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
    "func.return"(%0, %1) : (tensor<4x2x3xf32>, tensor<3x4x2xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<2x3x4xf32>) {
    %0 = arith.constant dense<[[[4.767272994e-02, 9.166547656e-01, 3.709468246e-01, 6.131891012e-01], [-1.521929651e-01, -1.473887920e+00, 1.028854370e+00, -1.934959650e+00], [-2.399366647e-01, -2.045224905e-01, -1.042860150e+00, 6.131231189e-01]], [[-2.003297061e-01, -4.368683398e-01, 5.198417306e-01, -4.765790403e-01], [1.388980031e+00, 3.514550626e-01, -4.743329883e-01, -1.944265008e+00], [-1.307753205e+00, 1.086830735e+00, -5.060406402e-02, -2.831250727e-01]]]> : tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
  func.func @results() -> (tensor<4x2x3xf32>, tensor<3x4x2xf32>) {
    %0 = arith.constant dense<[[[4.767272994e-02, -1.521929651e-01, -2.399366647e-01], [-2.003297061e-01, 1.388980031e+00, -1.307753205e+00]], [[9.166547656e-01, -1.473887920e+00, -2.045224905e-01], [-4.368683398e-01, 3.514550626e-01, 1.086830735e+00]], [[3.709468246e-01, 1.028854370e+00, -1.042860150e+00], [5.198417306e-01, -4.743329883e-01, -5.060406402e-02]], [[6.131891012e-01, -1.934959650e+00, 6.131231189e-01], [-4.765790403e-01, -1.944265008e+00, -2.831250727e-01]]]> : tensor<4x2x3xf32>
    %1 = arith.constant dense<[[[4.767272994e-02, -2.003297061e-01], [9.166547656e-01, -4.368683398e-01], [3.709468246e-01, 5.198417306e-01], [6.131891012e-01, -4.765790403e-01]], [[-1.521929651e-01, 1.388980031e+00], [-1.473887920e+00, 3.514550626e-01], [1.028854370e+00, -4.743329883e-01], [-1.934959650e+00, -1.944265008e+00]], [[-2.399366647e-01, -1.307753205e+00], [-2.045224905e-01, 1.086830735e+00], [-1.042860150e+00, -5.060406402e-02], [6.131231189e-01, -2.831250727e-01]]]> : tensor<3x4x2xf32>
    return %0, %1 : tensor<4x2x3xf32>, tensor<3x4x2xf32>
  }
}

// -----
module @reverse {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %1 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0, 1>}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%0, %1) : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-1.245911002e+00, -2.187916636e-01, -2.325030804e+00, 4.132597893e-02, -6.232744455e-01], [-1.265421510e+00, -7.037352324e-01, 9.470809698e-01, 1.304000020e+00, 3.615950644e-01], [-5.356693864e-01, 1.049001142e-01, 6.404226422e-01, -1.321048588e-01, 1.257302165e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @slice {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<2x3xf32>, tensor<1x3xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 5>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<3x5xf32>) -> tensor<2x3xf32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 4>, start_indices = array<i64: 2, 1>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x3xf32>
    "func.return"(%0, %1) : (tensor<2x3xf32>, tensor<1x3xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<2x3xf32>, tensor<1x3xf32>) {
    %0 = arith.constant dense<[[3.615950644e-01, 9.470809698e-01, -1.265421510e+00], [-6.232744455e-01, -2.325030804e+00, -1.245911002e+00]]> : tensor<2x3xf32>
    %1 = arith.constant dense<[[4.132597893e-02, -2.325030804e+00, -2.187916636e-01]]> : tensor<1x3xf32>
    return %0, %1 : tensor<2x3xf32>, tensor<1x3xf32>
  }
}

// -----
module @pad {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>, tensor<3x10xf32>, tensor<3x17xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 0>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x8xf32>
    %2 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.pad"(%arg0, %2) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 0, -1>, interior_padding = array<i64: 0, 0>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x6xf32>
    %4 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.pad"(%arg0, %4) <{edge_padding_high = array<i64: 0, -2>, edge_padding_low = array<i64: 0, 1>, interior_padding = array<i64: 0, 1>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x8xf32>
    %6 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.pad"(%arg0, %6) <{edge_padding_high = array<i64: 0, -1>, edge_padding_low = array<i64: 0, -2>, interior_padding = array<i64: 0, 2>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x10xf32>
    %8 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.pad"(%arg0, %8) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 3>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x17xf32>
    "func.return"(%1, %3, %5, %7, %9) : (tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>, tensor<3x10xf32>, tensor<3x17xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>, tensor<3x10xf32>, tensor<3x17xf32>) {
    %0 = arith.constant dense<[[7.000000000e+00, 1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01, 7.000000000e+00, 7.000000000e+00], [7.000000000e+00, 3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00, 7.000000000e+00, 7.000000000e+00], [7.000000000e+00, -6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00, 7.000000000e+00, 7.000000000e+00]]> : tensor<3x8xf32>
    %1 = arith.constant dense<[[-1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01, 7.000000000e+00, 7.000000000e+00], [1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00, 7.000000000e+00, 7.000000000e+00], [4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00, 7.000000000e+00, 7.000000000e+00]]> : tensor<3x6xf32>
    %2 = arith.constant dense<[[7.000000000e+00, 1.257302165e-01, 7.000000000e+00, -1.321048588e-01, 7.000000000e+00, 6.404226422e-01, 7.000000000e+00, 1.049001142e-01], [7.000000000e+00, 3.615950644e-01, 7.000000000e+00, 1.304000020e+00, 7.000000000e+00, 9.470809698e-01, 7.000000000e+00, -7.037352324e-01], [7.000000000e+00, -6.232744455e-01, 7.000000000e+00, 4.132597893e-02, 7.000000000e+00, -2.325030804e+00, 7.000000000e+00, -2.187916636e-01]]> : tensor<3x8xf32>
    %3 = arith.constant dense<[[7.000000000e+00, -1.321048588e-01, 7.000000000e+00, 7.000000000e+00, 6.404226422e-01, 7.000000000e+00, 7.000000000e+00, 1.049001142e-01, 7.000000000e+00, 7.000000000e+00], [7.000000000e+00, 1.304000020e+00, 7.000000000e+00, 7.000000000e+00, 9.470809698e-01, 7.000000000e+00, 7.000000000e+00, -7.037352324e-01, 7.000000000e+00, 7.000000000e+00], [7.000000000e+00, 4.132597893e-02, 7.000000000e+00, 7.000000000e+00, -2.325030804e+00, 7.000000000e+00, 7.000000000e+00, -2.187916636e-01, 7.000000000e+00, 7.000000000e+00]]> : tensor<3x10xf32>
    %4 = arith.constant dense<[[1.257302165e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -1.321048588e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, 6.404226422e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, 1.049001142e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -5.356693864e-01], [3.615950644e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, 1.304000020e+00, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, 9.470809698e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -7.037352324e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -1.265421510e+00], [-6.232744455e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, 4.132597893e-02, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -2.325030804e+00, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -2.187916636e-01, 7.000000000e+00, 7.000000000e+00, 7.000000000e+00, -1.245911002e+00]]> : tensor<3x17xf32>
    return %0, %1, %2, %3, %4 : tensor<3x8xf32>, tensor<3x6xf32>, tensor<3x8xf32>, tensor<3x10xf32>, tensor<3x17xf32>
  }
}

// -----
module @concatenate {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<7x5xf32>, tensor<3x10xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %1 = "stablehlo.concatenate"(%arg0, %arg1, %0) <{dimension = 0 : i64}> : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<7x5xf32>
    %2 = "stablehlo.concatenate"(%arg0, %arg1) <{dimension = 1 : i64}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x10xf32>
    "func.return"(%1, %2) : (tensor<7x5xf32>, tensor<3x10xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func @results() -> (tensor<7x5xf32>, tensor<3x10xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01], [1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01]]> : tensor<7x5xf32>
    %1 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01, -7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00, -1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00, 9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x10xf32>
    return %0, %1 : tensor<7x5xf32>, tensor<3x10xf32>
  }
}

// -----
module @iota {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xi32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x5xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x5xi32>
    "func.return"(%1, %2) : (tensor<3x5xf32>, tensor<3x5xi32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xi32>) {
    %0 = arith.constant dense<[[1.257302165e-01, 8.678951263e-01, 2.640422583e+00, 3.104900122e+00, 3.464330673e+00], [3.615950644e-01, 2.303999901e+00, 2.947081089e+00, 2.296264648e+00, 2.734578609e+00], [-6.232744455e-01, 1.041325927e+00, -3.250308037e-01, 2.781208277e+00, 2.754088879e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2]]> : tensor<3x5xi32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xi32>
  }
}

// -----
module @dynamic_slice {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "stablehlo.select"(%3, %5, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.compare"(%1, %7) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.add"(%1, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %11 = "stablehlo.select"(%8, %10, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.dynamic_slice"(%arg0, %6, %11) <{slice_sizes = array<i64: 2, 3>}> : (tensor<3x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %13 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 2>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<2x2xf32>
    %14 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2xf32>
    %16 = "stablehlo.multiply"(%13, %15) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %17 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %18 = "stablehlo.add"(%arg1, %17) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.compare"(%arg1, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %21 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.add"(%arg1, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %23 = "stablehlo.select"(%20, %22, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.compare"(%18, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %26 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.add"(%18, %26) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %28 = "stablehlo.select"(%25, %27, %18) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %29 = "stablehlo.dynamic_update_slice"(%arg0, %16, %23, %28) : (tensor<3x5xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x5xf32>
    "func.return"(%12, %29) : (tensor<2x3xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<i32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<2> : tensor<i32>
    return %0, %1 : tensor<3x5xf32>, tensor<i32>
  }
  func.func @results() -> (tensor<2x3xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<2x3xf32>
    %1 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, 3.771906495e-01, -3.963145614e-01], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, 1.084785223e+00, 3.912000179e+00]]> : tensor<3x5xf32>
    return %0, %1 : tensor<2x3xf32>, tensor<3x5xf32>
  }
}

// -----
module @dot {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<f32>, tensor<3xf32>, tensor<3x5x5x3xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>):
    %0 = "stablehlo.transpose"(%arg1) <{permutation = array<i64: 1, 0>}> : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %1 = "stablehlo.dot_general"(%arg0, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x5xf32>, tensor<5x3xf32>) -> tensor<3x3xf32>
    %2 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1x5xf32>) -> tensor<5xf32>
    %4 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 2, 5>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1x5xf32>) -> tensor<5xf32>
    %6 = "stablehlo.dot_general"(%3, %5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    %7 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %8 = "stablehlo.reshape"(%7) : (tensor<1x5xf32>) -> tensor<5xf32>
    %9 = "stablehlo.dot_general"(%arg0, %8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3xf32>
    %10 = "stablehlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5x3x5xf32>
    %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 2, 1, 3, 0>}> : (tensor<3x5x3x5xf32>) -> tensor<3x5x5x3xf32>
    "func.return"(%1, %6, %9, %11) : (tensor<3x3xf32>, tensor<f32>, tensor<3xf32>, tensor<3x5x5x3xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-7.322673798e-01, -5.442590117e-01, -3.163001537e-01, 4.116305411e-01, 1.042513371e+00], [-1.285346597e-01, 1.366463423e+00, -6.651946902e-01, 3.515100777e-01, 9.034701586e-01], [9.401229769e-02, -7.434992790e-01, -9.217253923e-01, -4.577258229e-01, 2.201951295e-01]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x3xf32>, tensor<f32>, tensor<3xf32>, tensor<3x5x5x3xf32>) {
    %0 = arith.constant dense<[[-7.379970551e-01, -1.069770694e+00, -6.462210417e-01], [-2.882957697e+00, -2.852430046e-01, -1.764999151e+00], [-2.196210325e-01, 4.806300104e-01, 1.879521608e+00]]> : tensor<3x3xf32>
    %1 = arith.constant dense<-1.069770694e+00> : tensor<f32>
    %2 = arith.constant dense<[-7.379970551e-01, -2.882957697e+00, -2.196210325e-01]> : tensor<3xf32>
    %3 = arith.constant dense<[[[[-9.206813574e-02, -1.616069116e-02, 1.182018686e-02], [9.673608094e-02, 1.698005386e-02, -1.241948176e-02], [-4.689606130e-01, -8.231650293e-02, 6.020760536e-02], [-7.681493461e-02, -1.348330081e-02, 9.861900471e-03], [3.922532201e-01, 6.885208189e-02, -5.035950989e-02]], [[-6.842980534e-02, 1.718057394e-01, -9.348032624e-02], [7.189925760e-02, -1.805164516e-01, 9.821986407e-02], [-3.485558033e-01, 8.751141429e-01, -4.761537611e-01], [-5.709283426e-02, 1.433421671e-01, -7.799316198e-02], [2.915428877e-01, -7.319726348e-01, 3.982698023e-01]], [[-3.976848722e-02, -8.363506943e-02, -1.158887297e-01], [4.178478569e-02, 8.787544817e-02, 1.217643991e-01], [-2.025657743e-01, -4.260057509e-01, -5.902938247e-01], [-3.317992389e-02, -6.977900118e-02, -9.668909758e-02], [1.694323123e-01, 3.563244343e-01, 4.937400818e-01]], [[5.175439641e-02, 4.419543967e-02, -5.754996836e-02], [-5.437839404e-02, -4.643619061e-02, 6.046780571e-02], [2.636175156e-01, 2.251150161e-01, -2.931379676e-01], [4.318008944e-02, 3.687344864e-02, -4.801549017e-02], [-2.204978764e-01, -1.882931888e-01, 2.451897115e-01]], [[1.310754269e-01, 1.135934964e-01, 2.768518217e-02], [-1.377210766e-01, -1.193527952e-01, -2.908884734e-02], [6.676491499e-01, 5.786027312e-01, 1.410179436e-01], [1.093597710e-01, 9.477411956e-02, 2.309849486e-02], [-5.584424734e-01, -4.839613140e-01, -1.179517880e-01]]], [[[-2.647842765e-01, -4.647750035e-02, 3.399438411e-02], [-9.548766613e-01, -1.676091999e-01, 1.225920394e-01], [-6.935164928e-01, -1.217327267e-01, 8.903725445e-02], [5.153223276e-01, 9.045436978e-02, -6.615976244e-02], [9.266269207e-01, 1.626505256e-01, -1.189651862e-01]], [[-1.968013793e-01, 4.941064417e-01, -2.688456774e-01], [-7.097137570e-01, 1.781868339e+00, -9.695230722e-01], [-5.154573321e-01, 1.294151545e+00, -7.041540146e-01], [3.830142319e-01, -9.616284370e-01, 5.232266188e-01], [6.887170672e-01, -1.729152203e+00, 9.408400059e-01]], [[-1.143725738e-01, -2.405311167e-01, -3.332913518e-01], [-4.124554098e-01, -8.674138784e-01, -1.201929927e+00], [-2.995618582e-01, -6.299932599e-01, -8.729485869e-01], [2.225915641e-01, 4.681209326e-01, 6.486506462e-01], [4.002530277e-01, 8.417516947e-01, 1.166371107e+00]], [[1.488435715e-01, 1.271043122e-01, -1.655113995e-01], [5.367662311e-01, 4.583691359e-01, -5.968744755e-01], [3.898474574e-01, 3.329085112e-01, -4.335034192e-01], [-2.896789014e-01, -2.473700196e-01, 3.221177757e-01], [-5.208861232e-01, -4.448084235e-01, 5.792161226e-01]], [[3.769676983e-01, 3.266903460e-01, 7.962147146e-02], [1.359437466e+00, 1.178125143e+00, 2.871344388e-01], [9.873445630e-01, 8.556593657e-01, 2.085426152e-01], [-7.336533666e-01, -6.358037591e-01, -1.549590677e-01], [-1.319218874e+00, -1.143270612e+00, -2.786396444e-01]]], [[[4.564035535e-01, 8.011236787e-02, -5.859546363e-02], [-3.026166558e-02, -5.311820656e-03, 3.885150189e-03], [1.702544212e+00, 2.988470495e-01, -2.185814828e-01], [1.602139920e-01, 2.812231146e-02, -2.056910656e-02], [9.123399854e-01, 1.601427495e-01, -1.171309575e-01]], [[3.392227292e-01, -8.516817093e-01, 4.634040892e-01], [-2.249203622e-02, 5.647043884e-02, -3.072583489e-02], [1.265419006e+00, -3.177069664e+00, 1.728658676e+00], [1.190793365e-01, -2.989708185e-01, 1.626714468e-01], [6.780982614e-01, -1.702491760e+00, 9.263339043e-01]], [[1.971417964e-01, 4.145988524e-01, 5.744878650e-01], [-1.307141315e-02, -2.748982236e-02, -3.809120506e-02], [7.354075909e-01, 1.546598196e+00, 2.143039942e+00], [6.920383871e-02, 1.455390602e-01, 2.016658336e-01], [3.940818310e-01, 8.287733793e-01, 1.148387790e+00]], [[-2.565588057e-01, -2.190872431e-01, 2.852888107e-01], [1.701103523e-02, 1.452649850e-02, -1.891596802e-02], [-9.570536613e-01, -8.172717690e-01, 1.064226627e+00], [-9.006132931e-02, -7.690747827e-02, 1.001465917e-01], [-5.128549933e-01, -4.379502833e-01, 5.702856183e-01]], [[-6.497719288e-01, -5.631098747e-01, -1.372420043e-01], [4.308288544e-02, 3.733678907e-02, 9.099779651e-03], [-2.423875809e+00, -2.100595951e+00, -5.119604468e-01], [-2.280932367e-01, -1.976717412e-01, -4.817685857e-02], [-1.298878908e+00, -1.125643373e+00, -2.743435204e-01]]]]> : tensor<3x5x5x3xf32>
    return %0, %1, %2, %3 : tensor<3x3xf32>, tensor<f32>, tensor<3xf32>, tensor<3x5x5x3xf32>
  }
}

// -----
module @dot_batched {
  "func.func"() <{function_type = (tensor<2x3x4x5xf32>, tensor<4x2x5x3xf32>) -> (tensor<2x3x3xf32>, tensor<4x3x2xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3x4x5xf32>, %arg1: tensor<4x2x5x3xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>}> : (tensor<2x3x4x5xf32>, tensor<4x2x5x3xf32>) -> tensor<2x3x3xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%arg0, %1) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %5 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<2x4x5xf32>
    %3 = "stablehlo.dot_general"(%arg1, %2) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1, 0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>}> : (tensor<4x2x5x3xf32>, tensor<2x4x5xf32>) -> tensor<4x2x3xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<4x2x3xf32>) -> tensor<4x3x2xf32>
    "func.return"(%0, %4) : (tensor<2x3x3xf32>, tensor<4x3x2xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<2x3x4x5xf32>, tensor<4x2x5x3xf32>) {
    %0 = arith.constant dense<[[[[1.643251657e+00, -1.282649279e+00, -5.856577754e-01, -4.725876749e-01, 5.863372684e-01], [-6.635351777e-01, -6.134178638e-01, -1.605149388e+00, 7.293493748e-01, 8.061393499e-01], [-4.763767421e-01, 1.633399427e-01, -1.292646170e+00, -4.718131423e-01, 1.377950907e+00], [1.357307285e-01, 2.310363531e+00, -7.871927619e-01, 5.802844167e-01, -1.955058277e-01]], [[5.658178329e-01, -7.211359683e-03, -5.611981153e-01, -8.676167727e-01, 3.066036701e+00], [-7.734505832e-02, -2.016660690e+00, -6.486005783e-01, 6.780397296e-01, -5.000084043e-01], [1.360446215e+00, 1.002398252e+00, -1.523386389e-01, -4.722159505e-01, -1.004801035e+00], [-6.999665499e-01, -1.473143101e+00, 1.204396248e+00, 1.590700746e+00, -1.256138086e+00]], [[-1.181682944e+00, -1.768511891e+00, -9.638542533e-01, -3.106336832e+00, -1.142278910e+00], [1.296915412e+00, -3.456725180e-01, 8.545842171e-01, -4.889690578e-01, 1.760667324e+00], [1.992179900e-01, -3.820022941e-01, 2.552423954e+00, -3.244718611e-01, -1.221223354e+00], [2.019100040e-01, -3.883503750e-02, 1.066324592e+00, -9.216338992e-01, 8.047169447e-01]]], [[[8.527484536e-01, -6.676872969e-01, 1.632440090e-01, -8.307519555e-01, 2.345808029e+00], [-7.041395903e-01, -4.530744553e-01, -1.065837979e+00, -3.461212814e-01, -5.876026582e-03], [7.677891254e-01, -6.104866266e-01, -1.857739538e-01, -1.416489363e+00, -8.274022341e-01], [2.755807638e+00, 1.041243196e+00, -7.814240456e-01, -1.337397218e+00, -9.755828381e-01]], [[-2.169086039e-02, 3.472778946e-02, -7.443606257e-01, -1.286574483e+00, 1.422378540e+00], [4.516854584e-01, -3.745680153e-01, -2.206612080e-01, -5.295304656e-01, -2.936045408e+00], [1.156618297e-01, -1.070544362e+00, -1.002684355e+00, -6.402624249e-01, 7.323017120e-01], [-1.170530796e+00, -1.434281468e+00, 6.398520470e-01, 7.543689013e-01, -9.589337111e-01]], [[5.623976588e-01, -2.916324437e-01, 3.012921810e-01, -1.260960221e+00, 8.328944445e-01], [1.203258991e+00, 6.370732188e-01, 5.583399534e-01, -3.772275209e+00, 2.606297433e-01], [-2.544531599e-02, -1.470455080e-01, -6.305779815e-01, 5.536497384e-02, 4.121173918e-01], [-2.637881637e-01, -4.633241296e-01, 1.229753852e+00, -1.105367064e+00, 1.030155182e+00]]]]> : tensor<2x3x4x5xf32>
    %1 = arith.constant dense<[[[[1.768124700e-01, -8.043056726e-01, -2.899819016e-01], [-9.199935794e-01, 6.750645041e-01, 3.479017615e-01], [-5.567961931e-01, -1.102218270e+00, 3.017160892e-01], [9.573855996e-01, -1.138363481e-01, 4.183525145e-01], [-3.760271370e-01, 6.756920367e-02, -2.912829220e-01]], [[2.940421402e-01, -1.509772539e+00, 6.441905499e-01], [-2.299324870e-01, 3.586080670e-01, -3.403101265e-01], [3.203611970e-01, -1.072562814e+00, 1.189154387e+00], [-1.703544617e+00, -1.039238811e+00, 2.356660664e-01], [1.462842226e+00, 2.781262994e-01, -2.479084581e-01]]], [[[-1.425090194e+00, -1.912766695e-01, -1.987701096e-02], [1.690568686e+00, 6.221252084e-01, -1.529092908e+00], [2.026779175e+00, -3.950098753e-01, -8.794597387e-01], [1.474822640e+00, -4.975575954e-02, -3.674026132e-01], [2.187859863e-01, 8.448888063e-01, 9.933362007e-01]], [[-1.375202417e+00, 1.998481512e+00, 9.468615651e-01], [-3.792010546e-01, -8.186598420e-01, -9.690124393e-01], [1.233784407e-01, -6.480162740e-01, -7.648739815e-01], [8.112543821e-01, 3.645673394e-01, -3.945712447e-01], [7.342476249e-01, 1.367378592e+00, -1.094496369e+00]]], [[[-6.032918692e-01, 9.426218271e-01, 7.189405560e-01], [2.266988605e-01, 1.162421227e+00, -1.088211775e+00], [-1.479137778e+00, -8.665073514e-01, 1.225440949e-01], [-7.960867882e-01, -4.872181416e-01, -9.750001431e-01], [-6.204291582e-01, -1.004787207e+00, 3.674662113e-01]], [[7.948910594e-01, -4.804459512e-01, -2.072657943e-01], [-5.810325742e-01, 5.312511921e-01, 8.905603737e-02], [1.594156861e+00, -1.095471978e+00, 3.625024855e-01], [4.439913929e-01, -3.604401648e-01, 5.835341215e-01], [-1.438522696e+00, 2.118803024e+00, -1.342044473e+00]]], [[[9.198072553e-01, -1.121122718e+00, 1.150883079e+00], [-3.847740293e-01, 1.584229022e-01, 5.334375426e-02], [1.100734115e+00, -3.215474486e-01, -2.967183828e+00], [-7.600587606e-01, 1.837123185e-01, -4.404681921e-01], [7.698208690e-01, 1.015326977e+00, -1.477718055e-01]], [[-1.489645362e+00, 1.384165168e+00, 1.083053470e+00], [-2.991911471e-01, 2.108288527e+00, -3.488754630e-01], [-1.137119770e+00, -1.558734328e-01, 1.077833772e+00], [-9.374534488e-01, 1.951225042e+00, -8.965262175e-01], [9.544222951e-01, 5.444623828e-01, -1.540570557e-01]]]]> : tensor<4x2x5x3xf32>
    return %0, %1 : tensor<2x3x4x5xf32>, tensor<4x2x5x3xf32>
  }
  func.func @results() -> (tensor<2x3x3xf32>, tensor<4x3x2xf32>) {
    %0 = arith.constant dense<[[[-1.433995008e+00, -3.431451917e-01, 4.103899002e+00], [-5.583617210e+00, 2.024954796e+00, -3.695223808e+00], [-1.897962689e+00, 7.961372137e-01, -1.757762671e+00]], [[4.051559448e+00, 5.925326943e-01, 4.055372715e+00], [-1.471472502e+00, -1.816667676e+00, 3.696067035e-01], [-1.356540084e+00, -8.837229609e-01, 2.890797615e+00]]]> : tensor<2x3x3xf32>
    %1 = arith.constant dense<[[[-1.030345321e+00, 1.301840115e+01], [1.113148257e-01, 2.655291080e+00], [-4.590141296e+00, -1.057250142e+00]], [[-6.852218628e+00, -7.064507484e+00], [2.955557406e-01, -2.832787037e+00], [7.485252857e+00, 6.410496712e+00]], [[-5.779153109e-01, -2.500270605e+00], [2.442727566e+00, 2.002386570e+00], [9.868090153e-01, -2.593369722e+00]], [[-4.550961256e-01, -2.230077028e+00], [-3.716516793e-01, -3.932749033e+00], [-5.231008530e+00, 4.555900097e+00]]]> : tensor<4x3x2xf32>
    return %0, %1 : tensor<2x3x3xf32>, tensor<4x3x2xf32>
  }
}

// -----
module @dot_widening {
  "func.func"() <{function_type = (tensor<3x9xi8>, tensor<4x9xi8>) -> tensor<3x4xi32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x9xi8>, %arg1: tensor<4x9xi8>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<3x9xi8>, tensor<4x9xi8>) -> tensor<3x4xi32>
    "func.return"(%0) : (tensor<3x4xi32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x9xi8>, tensor<4x9xi8>) {
    %0 = arith.constant dense<[[-106, 86, 94, -4, 70, -7, 57, -63, -47], [-89, -13, 53, 71, 87, -80, 44, -60, -34], [-34, 18, 22, 15, -112, 110, 89, -30, 17]]> : tensor<3x9xi8>
    %1 = arith.constant dense<[[-86, 33, 95, 108, 100, -114, -116, 59, -78], [-80, 34, -113, 73, -83, 26, 32, -80, -26], [-99, 122, 1, -91, 79, 60, -73, -42, -109], [13, 12, -115, -80, -13, -111, 61, 69, 52]]> : tensor<4x9xi8>
    return %0, %1 : tensor<3x9xi8>, tensor<4x9xi8>
  }
  func.func @results() -> (tensor<3x4xi32>) {
    %0 = arith.constant dense<[[21587, 2584, 30162, -14283], [31756, 3663, 5904, -8563], [-29932, 18903, -5119, -10467]]> : tensor<3x4xi32>
    return %0 : tensor<3x4xi32>
  }
}

// -----
module @conv {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) -> (tensor<1x7x6x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x6x8x4xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>, %arg1: tensor<3x2x3x4xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<1x7x6x4xf32>
    %1 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 3>}> : (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<1x3x2x4xf32>
    %2 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[2, -1], [0, 3]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 2>}> : (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<1x4x4x4xf32>
    %3 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[-1, 2], [1, -1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 3>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) -> tensor<1x6x8x4xf32>
    "func.return"(%0, %1, %2, %3) : (tensor<1x7x6x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x6x8x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[-1.308026463e-01, -2.977604866e-01, -3.449733555e-01, -2.506069899e+00], [-8.579263687e-01, -1.901088804e-01, 1.516427755e+00, 1.607430577e-01], [1.400888324e+00, -3.937069178e-01, -2.526885867e-01, -3.899421692e+00]], [[4.633303285e-01, 5.470956564e-01, 1.763759017e+00, -4.867612123e-01], [9.415415674e-02, -7.055279613e-01, -1.176257014e+00, -7.131079435e-01], [-3.449985385e-01, 1.355437994e+00, 2.211602638e-03, -7.905448079e-01]]], [[[1.418778300e-01, 2.175713629e-01, -6.762320399e-01, 1.143233657e+00], [-1.888348937e+00, -2.135446221e-01, 6.650660634e-01, -1.338432550e+00], [3.612537384e-01, 1.292893052e+00, 4.536712766e-01, -1.690159917e+00]], [[-7.281950116e-01, 1.232303381e+00, 2.983352542e-01, -9.858938865e-03], [4.412005842e-01, 7.210489511e-01, -7.084652185e-01, -2.904000878e-01], [1.429136544e-01, -5.439577103e-01, -1.334515512e-01, 1.297871709e+00]]], [[[-9.678198695e-01, 1.926662683e+00, 1.879344344e+00, -1.713439465e+00], [-1.410226673e-01, 3.426915705e-01, -7.608711123e-01, -7.410805225e-01], [-2.374157012e-01, 7.391780615e-01, -5.113338232e-01, 1.826693773e+00]], [[2.899740040e-01, -1.025752872e-01, 1.449259639e+00, 6.262812018e-01], [3.692867756e-01, -3.311403692e-01, 1.813985586e+00, 8.118215799e-01], [-2.034113407e-01, -1.577199101e+00, 3.729515374e-01, -1.143740058e+00]]]]> : tensor<3x2x3x4xf32>
    return %0, %1 : tensor<1x7x6x3xf32>, tensor<3x2x3x4xf32>
  }
  func.func @results() -> (tensor<1x7x6x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x6x8x4xf32>) {
    %0 = arith.constant dense<[[[[-2.553637743e+00, 3.523113489e+00, 1.121347666e+00, -5.131552696e+00], [1.029820561e+00, -3.315294743e+00, -3.862850189e+00, 3.087054729e+00], [-3.165811300e-03, 3.432842493e-01, -2.480607510e+00, 3.348127365e+00], [1.276887774e+00, 2.764116764e+00, -9.061418772e-01, -3.799405098e+00], [1.678068638e-01, 4.597616196e-01, -2.696668625e+00, 7.214034557e+00], [-1.594690561e+00, 1.120902658e+00, 1.021203995e+00, -5.489912510e+00]], [[-3.518154383e+00, 2.855036736e+00, -1.049641013e+00, -1.673606873e+00], [2.560655832e+00, -6.989431381e+00, -4.076243401e+00, -1.915698528e+00], [-2.685868263e+00, 6.172079086e+00, 5.073543072e+00, -6.082853794e+00], [7.622169971e+00, -6.081480026e+00, -1.126242518e+00, 7.321398258e-01], [1.608694553e+00, 5.804592133e+00, -5.188207150e+00, -9.693080902e+00], [1.676429987e+00, -3.623818874e+00, 1.916000843e+00, -7.821456432e+00]], [[-1.201794028e+00, -7.226643085e+00, -3.573642015e+00, -4.708384514e+00], [-1.495117664e+00, 3.570003748e+00, 4.258441925e+00, 2.282757044e+00], [3.469814062e+00, -1.416290522e+00, 1.495865583e+00, 5.625796318e-02], [1.894745708e+00, 7.410905838e+00, -5.239162445e+00, 1.894077063e+00], [-3.567409515e-01, -4.284045219e+00, -1.033070445e+00, -1.380209637e+01], [6.999143362e-01, -3.077366590e+00, -3.105157137e+00, 7.766410351e+00]], [[-4.558240414e+00, -1.467640281e+00, -3.263108015e+00, -6.037435532e+00], [4.841450691e+00, 6.243044853e+00, -3.544886112e+00, 3.421545982e+00], [1.801553011e+00, -7.070369244e+00, -6.910352707e+00, -7.493254185e+00], [9.148265123e-01, -1.080846906e+00, -9.590954781e-01, -8.103073120e+00], [-1.965999603e-03, -5.568693161e+00, 4.455986977e+00, 7.066563606e+00], [-3.010647058e+00, 4.106347084e+00, 1.779656172e+00, 2.091588974e+00]], [[2.207528830e+00, 5.721842766e+00, 2.457027674e+00, -1.550002456e+00], [7.504931450e+00, -6.669858932e+00, -8.561823845e+00, -1.188856411e+01], [-3.198469877e+00, -3.622986317e+00, -3.282890558e+00, -3.888968229e-01], [3.078735113e+00, -4.310284615e+00, 3.498325825e+00, 5.544921398e+00], [-2.315589190e-01, 2.579846144e+00, -3.737978935e-01, 3.795647144e+00], [-1.410030127e+00, 4.753938675e+00, 1.897189736e+00, -3.257508755e+00]], [[2.923564911e+00, -5.449504375e+00, -7.498971939e+00, 6.454706192e-02], [1.480640292e+00, -2.418645620e-01, -5.805905342e+00, 2.784990072e+00], [-1.800549269e+00, -4.393763065e+00, 3.696079731e+00, 1.748949647e+00], [2.416707516e+00, 6.147120476e+00, 4.829951823e-01, 9.787904024e-01], [7.566680908e-01, 3.449027061e+00, -3.149923563e+00, -9.289037704e+00], [-4.231724739e-01, -1.506654739e+00, 1.293161511e+00, -1.068590641e+01]], [[-3.752758980e+00, -1.909298897e+00, 1.012917042e+00, -5.271537304e+00], [-2.379564524e+00, 6.991395950e-01, -1.595462322e+00, 4.485931396e+00], [-1.584882736e+00, -2.479149342e+00, -4.871399403e-01, 1.255290031e+01], [3.719214678e+00, 1.354541063e+00, -2.219927549e+00, -1.738703728e+00], [-1.334099293e+00, -2.217826843e-01, 1.995276928e+00, -3.973699570e+00], [-3.153265119e-01, -3.058695078e+00, 1.140149713e+00, -4.928302765e+00]]]]> : tensor<1x7x6x4xf32>
    %1 = arith.constant dense<[[[[-3.518154383e+00, 2.855036736e+00, -1.049641013e+00, -1.673606873e+00], [7.622169971e+00, -6.081480026e+00, -1.126242518e+00, 7.321398258e-01]], [[-4.558240414e+00, -1.467640281e+00, -3.263108015e+00, -6.037435532e+00], [9.148265123e-01, -1.080846906e+00, -9.590954781e-01, -8.103073120e+00]], [[2.923564911e+00, -5.449504375e+00, -7.498971939e+00, 6.454706192e-02], [2.416707516e+00, 6.147120476e+00, 4.829951823e-01, 9.787904024e-01]]]]> : tensor<1x3x2x4xf32>
    %2 = arith.constant dense<[[[[-2.682013988e+00, 3.349044085e+00, -7.634499073e-01, -4.866062164e+00], [-3.125916004e+00, 2.957098961e+00, 5.074767470e-01, 4.923439026e-02], [-5.125825405e-01, 2.897045612e+00, -5.196005821e+00, 1.491091013e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-3.640892506e-01, -5.639121056e+00, -2.667264462e+00, 1.610615253e+00], [-2.069458723e+00, -1.413199067e+00, 7.190545797e-01, -6.152542114e+00], [3.067817211e+00, -2.951076031e-01, 6.434557438e-01, -6.192878723e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-7.356200218e-01, -1.790532231e+00, -2.772516966e+00, 2.868136644e+00], [6.340811729e+00, -1.176399469e+00, -4.929466248e-01, 1.312227845e-01], [-5.344989777e+00, 1.078155935e-01, 4.169877052e+00, -9.182291031e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-5.052308559e+00, 3.043173313e+00, -4.001781940e-01, -8.472932816e+00], [-7.688308954e-01, -4.832145691e+00, -1.799021244e+00, 1.622818708e+00], [5.471239090e+00, -5.914636612e+00, -1.180671096e+00, -2.423264503e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]]> : tensor<1x4x4x4xf32>
    %3 = arith.constant dense<[[[[9.717456698e-01, -1.849321365e+00, -4.449360371e-01, 8.652265072e-01], [-2.098657846e+00, 5.732054710e-01, -1.815591455e-01, -3.045179844e-01], [1.173939824e+00, -1.536577463e+00, -7.216598392e-01, 4.558663368e-01], [7.413137704e-02, 5.868075490e-01, 1.111965179e+00, -2.484976530e+00], [-1.123854637e+00, 3.638670444e-01, 1.134865642e+00, -5.217993259e-01], [-7.736283541e-01, 1.910810471e-01, 1.329030275e+00, -2.728280544e+00], [5.027210712e-02, -2.327447653e+00, 4.664386511e-01, 2.601489544e+00], [2.095738173e+00, -4.512096941e-01, -1.558398485e+00, 3.498984575e+00]], [[1.725248098e+00, -3.049773455e+00, -7.854843140e-01, 8.939520121e-01], [-2.039841652e+00, 8.814196587e-01, 9.466612339e-02, -1.027401924e+00], [-7.433104515e-01, -1.994531155e-01, 4.941325486e-01, 2.534279346e+00], [-1.638938487e-01, 3.934019804e-01, 1.834855437e+00, -3.744302988e+00], [8.032962084e-01, -2.612793446e+00, -5.004540086e-02, 1.418700814e+00], [1.967472315e+00, 2.706049681e+00, -2.632657886e-01, -1.104701042e+00], [8.746774197e-01, 1.401726723e+00, -1.429148912e+00, -3.373048902e-01], [1.399646282e+00, 1.062897444e+00, 8.771631718e-01, -2.204534531e+00]], [[-1.034227252e+00, 1.323784590e-01, 6.954104900e-01, 2.398619413e+00], [-1.161763072e+00, 3.387776017e-01, 1.546931744e+00, -3.286713362e+00], [8.420531154e-01, 1.016493797e+00, -1.143395543e+00, -1.016075492e+00], [2.218824387e+00, 2.626636267e+00, -6.109852791e-01, -3.648896217e-01], [7.931894660e-01, -1.287297964e+00, -5.340338945e-01, 1.273407221e+00], [-3.170151711e+00, -9.582795501e-01, 1.045083761e+00, -1.704313278e+00], [-5.672606230e-01, 5.057844520e-01, 6.418495178e-01, -1.572280765e+00], [-2.034144104e-01, 1.120198131e+00, 1.131421804e+00, -2.918470860e+00]], [[7.065223455e-01, -2.429798126e+00, 4.032149911e-02, 1.025699854e+00], [2.320855856e+00, 1.322429180e+00, -2.073481679e-01, -2.254430056e-01], [1.725883722e+00, -2.177876949e+00, -8.674049377e-01, -8.449129462e-01], [1.389206886e+00, 6.766045094e-01, 6.733439565e-01, -1.559015393e+00], [-8.409158885e-02, -2.986044437e-02, 5.926140398e-02, 2.832249105e-01], [-1.258965731e+00, -1.324072838e+00, 1.514705181e+00, -2.106500626e+00], [-6.370080113e-01, -4.643453360e-01, 5.547423363e-01, 2.057639122e+00], [2.314698398e-01, 3.012540638e-01, -3.255145997e-02, -1.153520122e-01]], [[8.694134951e-01, -1.437008977e+00, -2.272892594e-01, -9.454476833e-01], [-1.454865217e+00, 8.884264529e-02, 6.307029724e-02, -3.571103215e-01], [1.068809509e+00, -1.257625580e+00, -5.316850543e-01, -7.989322543e-01], [-2.254053354e-01, -1.276487112e+00, 5.259096622e-01, -1.497844309e-01], [3.280862868e-01, -2.167093754e+00, 3.958823383e-01, 6.614112854e-01], [-8.952952027e-01, -1.099812627e+00, 8.760571480e-01, -1.011508346e+00], [3.202972412e-01, 1.403118134e+00, -8.280536532e-01, -4.056373239e-01], [1.920410156e+00, 3.457058966e-01, 1.244952679e-01, -2.349883318e-01]], [[-9.010118246e-02, 5.816843510e-01, -1.876552999e-01, 3.847872615e-01], [-2.533078671e+00, -3.379088640e-01, 2.570725918e+00, -4.922617435e+00], [-6.627182961e-01, 1.169230342e+00, 6.033462882e-01, -2.366999149e+00], [-5.026106834e-01, 5.077909231e-01, 1.339689046e-01, -6.593139768e-01], [-1.209256947e-01, -1.301309109e+00, 3.927734494e-01, 1.636391044e+00], [3.609848022e-02, -2.312471628e+00, -1.317416549e+00, 4.059614182e+00], [1.256874204e-01, 1.664916277e-01, -3.190738708e-02, -1.124073863e+00], [1.892486691e+00, 1.544471622e+00, 2.915591002e-02, -8.744229078e-01]]]]> : tensor<1x6x8x4xf32>
    return %0, %1, %2, %3 : tensor<1x7x6x4xf32>, tensor<1x3x2x4xf32>, tensor<1x4x4x4xf32>, tensor<1x6x8x4xf32>
  }
}

// -----
module @conv_layouts {
  "func.func"() <{function_type = (tensor<3x5x2x6xf32>, tensor<3x3x4x2xf32>) -> tensor<6x2x3x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5x2x6xf32>, %arg1: tensor<3x3x4x2xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 1, b, 0]x[i, 0, o, 1]->[0, b, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 2>}> : (tensor<3x5x2x6xf32>, tensor<3x3x4x2xf32>) -> tensor<6x2x3x4xf32>
    "func.return"(%0) : (tensor<6x2x3x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5x2x6xf32>, tensor<3x3x4x2xf32>) {
    %0 = arith.constant dense<[[[[-1.715945959e+00, -2.791514993e-01, 2.814711034e-01, 1.282481194e+00, 2.824518383e-01, 8.060195446e-01], [-1.225882649e+00, -2.253217809e-02, 1.242113188e-01, 8.622461557e-01, 1.160606742e-01, 8.040789366e-01]], [[-5.041992664e-01, 3.579549193e-01, 4.148663878e-01, -1.249775767e+00, 1.755386293e-01, -3.203625381e-01], [-1.904087901e+00, 9.584066868e-01, -3.618586659e-01, -8.523900509e-01, -3.773167431e-01, 1.382002980e-01]], [[1.507909536e+00, -1.659332067e-01, 4.724074900e-01, 1.373579383e+00, 5.335505605e-01, 1.068564177e+00], [-4.765098691e-01, 7.710493207e-01, -5.797600001e-02, 1.074411273e+00, -1.003559589e+00, -7.795577645e-01]], [[1.268731594e+00, -1.960839778e-01, -3.589606583e-01, 7.757242024e-02, -6.894974709e-01, 1.331941366e+00], [-1.249162674e+00, -1.505980045e-01, 3.469527960e-01, -1.044470668e-01, -8.022875190e-01, -8.683891892e-01]], [[4.253944159e-01, -1.030480504e+00, 6.462426782e-01, -1.524148345e+00, -5.549830794e-01, 3.630602360e-02], [-1.252151966e+00, 6.520108581e-01, -1.853881404e-02, -1.036073685e+00, -1.518888235e+00, -1.565589428e+00]]], [[[5.103394389e-02, -1.156830072e+00, -1.364879608e+00, -2.312259376e-01, 2.277500629e+00, 2.775403559e-01], [7.629188299e-01, 2.127183527e-01, 7.829821706e-01, -1.343088627e+00, -4.305119812e-01, 2.613508403e-01]], [[-1.791681536e-02, -1.919932216e-01, -6.658760905e-01, -2.583830953e-01, -7.741978168e-01, -2.421833038e+00], [-1.194508433e+00, 4.756529331e-01, 1.557078004e+00, 1.813580155e+00, 9.675174206e-02, 8.933836222e-01]], [[9.079779387e-01, -6.922591925e-01, -1.697939873e+00, 3.088731878e-02, -1.762200952e+00, -3.199295998e-01], [6.081171036e-01, -1.420069456e+00, 3.229538351e-02, 1.240018129e+00, 3.615124822e-01, 5.223217010e-01]], [[9.067404270e-01, 1.732963085e+00, 1.514230818e-01, 1.229500890e+00, -6.416921318e-02, -5.461688042e-01], [3.148209751e-01, -6.058128476e-01, -5.731292367e-01, -6.077406406e-01, -2.295424223e+00, 1.054994762e-01]], [[-1.263835311e+00, -1.072691232e-01, 1.449968815e+00, -5.210003257e-01, -5.420091748e-01, 1.363909364e+00], [5.463057756e-01, 9.765270948e-01, -3.552912474e-01, 7.480832338e-01, -6.861686110e-01, -6.760017276e-01]]], [[[5.962442756e-01, -5.983731747e-01, 7.671185136e-01, 2.391684532e+00, -1.686152577e+00, -7.522043586e-01], [1.120146155e+00, -1.450781673e-01, 1.161089897e+00, -1.010064244e+00, 3.313441873e-01, -1.505563110e-01]], [[1.403707266e-01, 3.311160207e-01, -1.220006347e+00, -1.074137449e+00, 1.399243951e+00, 2.932137251e-01], [1.063463315e-01, -4.407472163e-02, 3.565424979e-01, -1.155936718e+00, -9.990273118e-01, 1.304508209e+00]], [[1.512752175e-01, 8.503008485e-01, -6.056640148e-01, 1.376725435e+00, 3.452784121e-01, 4.812458158e-01], [5.487293601e-01, -7.970092297e-01, -1.865720868e+00, -1.074802637e+00, 1.630522847e+00, 1.300683975e+00]], [[-3.469213545e-01, -3.016763330e-01, 1.036605835e+00, -1.684098691e-01, -1.299259901e+00, 1.265543103e+00], [4.771785736e-01, -2.516339779e+00, -3.131901026e-01, 1.436702013e-01, 4.812468290e-01, 1.521511823e-01]], [[-6.357417703e-01, -1.157590449e-01, 2.948003113e-01, -2.680040896e-01, -3.719007075e-01, 1.252083898e+00], [-9.466077089e-01, -3.494634628e-01, -2.031269073e+00, 5.409699678e-01, 8.282644749e-01, 5.484868288e-01]]]]> : tensor<3x5x2x6xf32>
    %1 = arith.constant dense<[[[[9.176725149e-01, 4.407067299e-01], [3.425153792e-01, 4.739470780e-01], [-2.673084438e-01, 1.188327909e+00], [-3.485720754e-01, -1.462351918e+00]], [[8.497835994e-01, 1.850702763e+00], [-9.601511359e-01, -1.016311273e-01], [-6.854420304e-01, -3.805832565e-01], [4.609297216e-02, -1.241808414e+00]], [[-2.776536644e-01, -1.465967417e+00], [-5.682276487e-01, -1.186069608e+00], [-1.059060693e+00, -1.719910622e+00], [1.219354630e+00, 5.090590715e-01]]], [[[-1.917464018e+00, -5.968275666e-01], [-6.704385877e-01, -6.909441352e-01], [-1.446883559e+00, 7.543857098e-01], [-3.958637714e-01, 4.681489170e-01]], [[5.267557502e-01, 1.375445366e+00], [-1.814872265e+00, 1.738602161e+00], [1.268815279e+00, 5.730659962e-01], [2.383592129e+00, 2.049786001e-01]], [[8.214789033e-01, -7.384139895e-01], [1.134357452e+00, 1.678259671e-01], [-4.512001574e-01, 2.116939306e+00], [-3.047996759e-01, 8.861327544e-03]]], [[[-1.972799599e-01, -7.556709051e-01], [5.312724113e-01, 7.384095788e-01], [3.543725312e-01, -2.360578299e+00], [1.007997036e+00, -3.502383530e-01]], [[-1.216323376e+00, 6.032809615e-01], [5.628494024e-01, -1.043073654e+00], [2.472435713e+00, -1.209626555e+00], [-1.733002663e+00, -1.154171467e+00]], [[1.420799851e+00, -1.758567244e-01], [-3.720566928e-01, -6.215772033e-02], [-5.966138840e-01, -6.902633905e-01], [-6.412155032e-01, 7.079555392e-01]]]]> : tensor<3x3x4x2xf32>
    return %0, %1 : tensor<3x5x2x6xf32>, tensor<3x3x4x2xf32>
  }
  func.func @results() -> (tensor<6x2x3x4xf32>) {
    %0 = arith.constant dense<[[[[-5.193791389e+00, 3.558474779e-01, 2.650887966e+00, 2.805296183e-01], [4.707968712e+00, -1.666341662e+00, 5.143739700e+00, 1.477477551e-01], [5.025551915e-01, 2.034364939e+00, -2.258182764e+00, -3.040717125e+00]], [[-8.878645897e+00, -2.317372561e+00, 3.892673969e+00, 2.279301405e+00], [-3.745374918e+00, -1.679818273e+00, 3.546659708e+00, 1.562181950e+00], [4.997380972e-01, 5.452427268e-01, -1.711621523e+00, 3.606397152e+00]]], [[[-1.639757633e+00, -1.634534597e+00, -5.171532154e+00, -1.131699324e+00], [-1.962551951e+00, 3.366115808e+00, 4.967328548e+00, -2.191877604e+00], [3.578300238e+00, 2.942105532e+00, 2.591264248e-01, -2.343543768e-01]], [[1.231730223e+00, 1.048574448e+00, -1.411322355e+00, 2.408322573e+00], [-7.202519417e+00, 2.513993740e+00, -4.912155628e+00, 4.350080013e+00], [-3.689064264e+00, -3.529794455e+00, 5.287336111e-01, 3.617509842e+00]]], [[[4.869152069e+00, 3.245024443e+00, 1.606635809e+00, -5.888802528e+00], [1.135733843e+00, -2.813816071e-01, -1.576828957e+00, -5.889132023e-01], [-1.483343244e-01, -3.053833008e+00, 4.524431705e+00, 1.732179523e+00]], [[-2.099467516e+00, 1.100407481e+00, 1.202500820e+01, -2.968996167e-01], [7.456249714e+00, -1.267278194e+00, -5.832672119e-03, 5.093161583e+00], [2.733407974e+00, 1.383196712e-01, -6.734344006e+00, -1.318668127e-01]]], [[[-1.566064596e+00, 5.132733822e+00, 8.182285309e+00, 6.307733059e-01], [4.200351238e+00, 1.631641626e+00, 4.707721233e+00, -2.074209213e+00], [-4.308590889e+00, 1.502860785e+00, -1.390977502e+00, -1.622795939e+00]], [[-7.589416504e-01, 4.485237598e+00, -1.465148211e+00, 2.465359926e+00], [8.594277382e+00, -4.876315594e+00, -6.160607815e+00, -2.994883060e-01], [9.554485083e-01, -1.129157066e+00, 4.220096111e+00, -3.276552439e+00]]], [[[6.300170898e+00, -7.427030563e+00, -7.289356709e+00, 1.191386795e+01], [-4.333222866e+00, 1.538774490e+00, -4.052455902e+00, 1.647382617e+00], [2.237734795e+00, 2.052776814e+00, -1.561387181e+00, -1.379936218e+00]], [[-3.194260597e-02, 5.406451225e-02, 5.913123131e+00, 3.758896112e+00], [-4.306993484e+00, -2.154170275e+00, 1.627526045e+00, -6.447995186e+00], [-4.492868423e+00, 2.519561529e+00, 3.240417957e+00, -4.585299015e+00]]], [[[-6.294169903e+00, -6.859515190e+00, -1.132751083e+01, -2.243626595e+00], [7.148163319e+00, -2.273674726e+00, 2.429420710e+00, -2.481003046e+00], [-1.702806950e-01, -1.829732895e+00, 5.602144718e+00, 1.115951061e+00]], [[4.673174381e+00, -1.631552219e+00, 9.818091393e-01, 8.377349377e-01], [-4.622664452e+00, 2.486878157e+00, 1.121804595e+00, 1.659711123e+00], [-2.595175743e+00, 3.418600082e+00, 3.263829947e+00, -9.980446100e-01]]]]> : tensor<6x2x3x4xf32>
    return %0 : tensor<6x2x3x4xf32>
  }
}

// -----
module @conv_groups {
  "func.func"() <{function_type = (tensor<1x4x5x6xf32>, tensor<3x2x2x9xf32>) -> tensor<1x4x5x9xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x4x5x6xf32>, %arg1: tensor<3x2x2x9xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x5x6xf32>, tensor<3x2x2x9xf32>) -> tensor<1x4x5x9xf32>
    "func.return"(%0) : (tensor<1x4x5x9xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x4x5x6xf32>, tensor<3x2x2x9xf32>) {
    %0 = arith.constant dense<[[[[1.020455837e+00, -1.055092573e+00, 2.392279655e-01, 7.882072330e-01, -1.081751943e+00, -5.025665760e-01], [-1.038064122e+00, -1.291028500e+00, 1.018628702e-01, -7.361323833e-01, 6.311290860e-01, -2.942192182e-02], [4.126273692e-01, -2.922829092e-01, -6.349973679e-01, -9.067313373e-02, -4.996130243e-03, -7.058554888e-01], [4.265954494e-01, 7.465948462e-01, 1.580827087e-01, 1.713490844e+00, -6.323390007e-01, 5.205964446e-01], [-4.087347984e-01, 2.346294969e-01, -8.299493194e-01, 1.115123391e+00, 1.760209054e-01, 1.192244530e+00]], [[-1.266095519e+00, -4.935152233e-01, -8.925657868e-01, -5.319418907e-01, -6.926096678e-01, -1.205409318e-01], [-1.724714413e-02, -4.098486528e-02, -5.555238724e-01, 1.874251813e-01, 8.756154776e-01, -9.022755623e-01], [8.886249852e-04, -7.407088578e-02, 4.683546424e-01, -6.385858357e-02, -1.566480286e-02, -9.910957813e-01], [2.170383930e-02, -9.218844771e-01, 5.157042742e-01, -1.032189354e-01, 3.985841945e-02, -8.911903501e-01], [8.037576079e-01, 6.923139095e-01, 8.615239263e-01, 2.227385998e+00, -5.251938105e-02, 1.203402877e+00]], [[-1.238278076e-01, 3.940872848e-01, 3.653374314e-01, 2.645917535e-01, 6.582561731e-01, -3.039363921e-01], [4.093228281e-02, 5.353096724e-01, 1.747853875e+00, -8.423566818e-01, -1.806132674e+00, -4.840855002e-01], [8.992843330e-02, 1.749770939e-01, 9.221778810e-02, 1.182790160e+00, 9.760497808e-01, -4.926790670e-02], [-4.695471227e-01, -3.460088670e-01, -3.563041389e-01, -2.255994678e-01, -1.572650552e+00, -4.610407352e-01], [-4.248800278e-01, -1.888803840e-01, -2.542999983e-01, 6.720071435e-01, -5.319433808e-01, -4.385777116e-01]], [[5.419387817e-01, -2.353148460e-01, 2.164547294e-01, 6.693357229e-01, 4.219695032e-01, 2.501624525e-01], [-1.964415610e-01, 6.818941236e-01, 1.755499393e-01, -5.048527718e-01, -1.508091837e-01, -1.218129396e+00], [-9.615559578e-01, -1.882907987e+00, -6.799314022e-01, 1.335545421e+00, -5.564888120e-01, 7.875407934e-01], [-3.449854208e-03, -7.005488276e-01, 1.338279486e+00, 5.822058320e-01, -1.751800537e+00, 1.041402221e+00], [-1.074791551e+00, -1.779139489e-01, 6.681134105e-01, -2.998531461e-01, 1.118944049e+00, 7.612637877e-01]]]]> : tensor<1x4x5x6xf32>
    %1 = arith.constant dense<[[[[-1.576875567e+00, -4.724341631e-01, 2.820737362e-01, -5.749986768e-01, -2.162765115e-01, 7.997848988e-01, 3.167813122e-01, -9.206190109e-01, 1.746063679e-01], [-6.122696400e-01, -1.215192318e+00, -1.130055904e+00, 2.869555354e-01, -2.811370604e-02, 5.431808531e-03, -1.146209002e+00, -1.839295477e-01, -1.037167549e+00]], [[-9.263938069e-01, -1.651267558e-01, -1.383390427e+00, 6.692672372e-01, 2.486882925e+00, 4.588232636e-01, -1.042903185e+00, -2.711855173e-01, -1.555437922e+00], [-3.776163757e-01, 5.073139071e-01, 5.893847942e-01, -1.031742811e+00, 2.991456389e-01, 1.156408072e+00, 1.755091548e+00, -7.007948756e-01, -8.641999960e-01]]], [[[5.441587046e-02, -2.928090096e+00, -5.310339928e-01, -2.709749639e-01, -4.593419731e-01, -1.583873272e+00, -2.455511093e-01, -7.766086459e-01, 7.574830651e-01], [-9.184747934e-01, -2.823451161e-01, -2.329479307e-01, 5.675714016e-01, -2.545904636e+00, -3.406249285e-01, 7.596151233e-01, -3.616882265e-01, -1.526937008e+00]], [[3.265981674e-01, 3.366869092e-01, -2.704893947e-01, -1.159795761e+00, -7.406751513e-01, -3.137564957e-01, -8.755328655e-01, -1.920178294e+00, -7.692868114e-01], [-6.174393371e-02, -5.070600510e-01, -7.557284087e-02, 8.365797997e-02, 8.965755105e-01, 2.203824043e+00, 7.317788601e-01, -1.404328585e+00, -2.656944990e+00]]], [[[-9.446217120e-02, 7.138843834e-02, -1.161873341e+00, 2.720321417e-01, -7.669395804e-01, 4.026697278e-01, -3.255181611e-01, 3.974625766e-01, -1.743195176e+00], [-4.384668767e-01, -1.485960037e-01, -1.424874783e+00, 1.882338285e+00, -5.407733917e-01, 1.389971733e+00, -6.643421054e-01, -2.299711555e-01, 1.183901906e+00]], [[3.038268387e-01, 1.920543462e-01, 2.659434378e-01, -1.366157889e+00, -3.895534873e-01, -9.564456344e-01, 1.974136531e-01, -5.439981222e-01, -4.405912012e-02], [-7.729256153e-02, -3.637038544e-02, -3.474712372e-02, -6.523780823e-01, -1.054002762e+00, -6.643562913e-01, 1.071538329e+00, 3.741618097e-01, 5.869553685e-01]]]]> : tensor<3x2x2x9xf32>
    return %0, %1 : tensor<1x4x5x6xf32>, tensor<3x2x2x9xf32>
  }
  func.func @results() -> (tensor<1x4x5x9xf32>) {
    %0 = arith.constant dense<[[[[1.099204302e+00, -2.403831959e+00, 2.253314018e+00, -4.046242833e-01, -1.860969782e+00, -2.993638515e+00, -1.178663254e+00, -1.210187793e+00, 3.710272908e-02], [1.307695031e+00, 3.698915958e+00, 8.437144756e-01, -1.130374521e-01, 2.425920963e+00, -2.798937857e-01, -1.440178275e+00, 7.145609260e-01, -7.733556032e-01], [4.943782687e-01, -1.311857224e+00, -1.805302203e-01, -5.493831635e-01, 1.524943948e+00, 4.438435555e+00, 1.160930991e-01, 6.088597775e-01, -1.493632197e+00], [-2.176359594e-01, -1.448771000e+00, 1.170423269e+00, -6.985276937e-01, -5.843459606e+00, -3.556945622e-01, 3.127276659e+00, -1.009880066e+00, -4.992948532e+00], [-6.172243357e-01, 1.085069656e+00, -1.757929564e+00, 5.284863472e+00, -4.323015213e+00, 4.377609253e+00, 8.004966378e-02, -8.655426502e-01, -1.708869189e-01]], [[6.772859097e-01, 4.099047661e+00, 2.524990797e+00, 2.753447294e-01, 2.086669207e+00, 9.761182070e-01, -2.712495089e+00, 2.237957478e+00, -9.526348114e-01], [1.972255707e+00, 1.877064943e+00, -3.453760147e-01, -2.900606155e+00, -4.401329517e+00, -1.131421089e+00, -1.562495112e+00, -1.673154831e-01, 7.948215485e+00], [-1.217871666e+00, 8.644508719e-01, -8.950358629e-02, 7.925592661e-01, 1.847658008e-01, 2.608170748e+00, -1.448951066e-01, 2.568987608e+00, 3.142444611e+00], [3.094893992e-01, -8.627969623e-01, 8.460044265e-01, -2.928929806e+00, -6.419256926e-01, 4.241006374e+00, 1.595007539e+00, -2.088377237e+00, -1.758850813e+00], [3.168457747e-02, -2.643230438e+00, -2.057458460e-01, 3.023726702e+00, -6.086669445e+00, -1.949299574e+00, 8.074080944e-02, -8.863742352e-01, -2.675077915e+00]], [[1.881307960e+00, 1.184702873e+00, -2.476066947e-01, -8.427090645e-01, -4.072964668e+00, -2.643462658e+00, -3.382020712e+00, 4.537740231e+00, 1.912449956e+00], [-8.184802532e-01, -5.407522321e-01, -1.121086597e+00, -1.052113414e+00, 2.589947939e+00, -1.073963046e+00, 3.659778237e-01, 6.489851475e-01, 2.817630768e-02], [1.053677201e+00, -4.410784245e-01, 3.398765087e+00, 1.325573087e+00, -3.175611019e+00, -5.270489454e-01, 7.158079147e-01, 4.677812576e+00, 7.573595047e+00], [-3.159665465e-01, 2.657709122e+00, 1.525730133e+00, -9.851551652e-01, 2.943627357e+00, 6.493234634e+00, 4.296730042e+00, 1.063910961e+00, 5.744377613e+00], [-1.361410379e+00, 2.610898018e-02, 1.216267347e+00, 2.114298493e-01, -2.193252802e+00, 7.272506952e-01, -2.468495607e+00, 6.684188843e-01, -2.039834261e+00]], [[-1.467272192e-01, -2.087886572e+00, -4.527603090e-01, 1.980139256e+00, 1.622112274e+00, -1.617039561e+00, 9.179542065e-01, 1.860990047e+00, 6.948013306e+00], [-1.376458645e+00, 4.177499712e-01, -2.668024898e-01, -1.839148521e+00, 3.134518623e+00, 5.853987694e+00, -9.464292526e-01, 2.041928291e+00, -1.207473636e+00], [2.035912514e+00, 3.348094940e+00, 1.276381254e+00, -2.804818153e-01, -4.563859940e+00, 1.141003847e+00, 4.227328300e+00, 1.908695102e+00, 2.274751663e-02], [1.720407486e+00, 5.528776646e-01, 1.204202771e+00, -1.555552959e+00, -3.208648205e+00, -2.814183950e+00, 6.139099598e-01, -2.496165037e-01, -4.390534401e+00], [8.905523419e-01, 3.627573490e+00, 7.057933807e-01, -1.217174530e-02, 4.926114976e-01, -1.155804515e+00, 6.377015114e-01, -5.739371777e-01, 4.717719555e-02]]]]> : tensor<1x4x5x9xf32>
    return %0 : tensor<1x4x5x9xf32>
  }
}

// -----
module @conv_depthwise {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>, tensor<3x2x1x6xf32>) -> (tensor<1x4x6x3xf32>, tensor<1x4x6x6xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>, %arg1: tensor<3x2x1x6xf32>):
    %0 = "stablehlo.slice"(%arg1) <{limit_indices = array<i64: 3, 2, 1, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<3x2x1x6xf32>) -> tensor<3x2x1x3xf32>
    %1 = "stablehlo.convolution"(%arg0, %0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<1x7x6x3xf32>, tensor<3x2x1x3xf32>) -> tensor<1x4x6x3xf32>
    %2 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<1x7x6x3xf32>, tensor<3x2x1x6xf32>) -> tensor<1x4x6x6xf32>
    "func.return"(%1, %2) : (tensor<1x4x6x3xf32>, tensor<1x4x6x6xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>, tensor<3x2x1x6xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[1.379967928e+00, -1.179430962e+00, 5.099524260e-01, -1.075074077e+00, -3.343325853e-01, 4.842398465e-01]], [[1.614345312e+00, -7.821649313e-01, -9.479625523e-02, 1.156236768e+00, -1.489808083e+00, 3.621129096e-01]]], [[[-3.082781434e-01, -8.816949725e-01, 1.466308236e-01, 5.949258804e-01, -9.120997787e-01, 3.799897730e-01]], [[1.733699888e-01, -1.241813302e+00, 1.553412914e+00, 1.089902639e+00, -8.599267602e-01, -5.866308808e-01]]], [[[7.707802057e-01, -4.954490364e-01, -1.839718580e+00, 1.048882127e+00, 8.781422861e-03, 1.907026172e+00]], [[3.574671149e-01, 1.909924895e-01, 2.874500513e+00, -1.718673408e-01, -9.518157840e-01, 2.291979790e-01]]]]> : tensor<3x2x1x6xf32>
    return %0, %1 : tensor<1x7x6x3xf32>, tensor<3x2x1x6xf32>
  }
  func.func @results() -> (tensor<1x4x6x3xf32>, tensor<1x4x6x6xf32>) {
    %0 = arith.constant dense<[[[[1.361739993e+00, -7.345551252e-01, 1.758251309e+00], [-1.671979904e+00, 4.936420918e-02, 1.297860622e+00], [-2.837538719e-01, 1.255883455e+00, -2.261888981e-01], [1.534269005e-01, 5.031155348e-01, 6.849956989e+00], [-9.829962254e-01, -1.857059836e+00, -8.593463898e-01], [-2.854626179e-01, -1.448517203e+00, 7.631350756e-01]], [[-8.566659093e-01, -3.232816935e+00, 5.061090469e+00], [-1.998861790e+00, 1.092223048e+00, -1.126918316e+00], [-1.677090645e+00, 1.094124317e+00, 5.762735367e+00], [1.621837020e-01, 1.726441979e-01, -5.825287342e+00], [-1.904631376e+00, 2.118644416e-01, 4.556546211e+00], [-1.569405079e+00, -3.041548729e-01, -2.112648726e+00]], [[2.524066269e-01, 1.235468268e+00, -1.122083187e+00], [-2.811952829e-01, -7.626140118e-02, -1.286825538e-01], [-2.336037159e+00, -2.626187563e+00, 1.727738619e+00], [-1.333897829e+00, 1.941208124e+00, 2.356332779e+00], [-1.479584217e+00, -4.690859020e-01, 4.571846008e+00], [-1.354862332e+00, -2.031545401e+00, -1.440469503e+00]], [[-4.138186574e-01, -2.434224367e+00, 7.558749914e-01], [-4.340961456e+00, 7.551763952e-02, -3.236420393e+00], [-3.743149042e+00, 1.825508595e+00, 1.083723187e+00], [-8.585641980e-01, 8.007534146e-01, -1.023204684e+00], [2.177338600e+00, -2.715827465e+00, -2.548106670e+00], [1.595119119e+00, -1.643705845e+00, 3.687280118e-01]]]]> : tensor<1x4x6x3xf32>
    %1 = arith.constant dense<[[[[1.361739993e+00, -9.048520327e-01, -2.129441500e+00, 1.489668012e+00, -7.820703387e-01, 5.630200505e-01], [-1.671980143e+00, 6.876652241e-01, 9.741050601e-01, -8.614040166e-02, -1.401683092e+00, 1.025572538e+00], [-2.837538719e-01, -5.068287849e-01, -6.105515003e+00, -8.314216137e-01, -1.383333683e+00, 7.788860798e-02], [1.534269154e-01, -3.416285992e+00, -1.550712585e-01, -9.384467602e-01, -3.269630432e+00, -4.430868626e-01], [-9.829962254e-01, -6.753019094e-01, 5.477202415e+00, 7.703994513e-01, -1.665500998e+00, 2.208298206e+00], [-2.854626179e-01, 5.224826932e-01, -3.914207518e-01, 1.212464571e+00, -1.790221810e+00, 2.517735064e-01]], [[-8.566659689e-01, 1.040684700e+00, -2.383403778e+00, 2.141588777e-01, -3.865721941e+00, 1.745810390e+00], [-1.998861790e+00, 2.432653427e+00, 4.921936512e+00, -1.242943883e+00, -2.623516560e+00, 2.786474705e+00], [-1.677090526e+00, 1.731568336e+00, -2.982947111e+00, -1.274077415e+00, -2.609392166e+00, -4.765643775e-01], [1.621836424e-01, 1.018876791e+00, 3.779532909e-01, 2.071927786e+00, -2.099415541e+00, 2.213746309e+00], [-1.904631495e+00, 1.298234940e+00, 1.601542473e+00, 1.717212796e+00, -3.837487102e-01, -8.705267310e-01], [-1.569405079e+00, 1.837558389e+00, -8.123986125e-01, -5.103395879e-02, 1.090374470e+00, 1.347573161e+00]], [[2.524065971e-01, 1.566532254e+00, -2.813264847e+00, -2.058035374e+00, -3.307980061e+00, 8.282979131e-01], [-2.811952829e-01, 3.056274891e+00, 9.529404640e-01, 2.442462444e+00, 5.481793880e-01, -3.593901992e-01], [-2.336037159e+00, 3.270667553e+00, -2.755334854e+00, -8.060960770e-01, -1.295738220e+00, -1.198371887e+00], [-1.333897829e+00, 3.618516922e-01, 4.713955879e+00, -3.138406277e+00, 2.626238465e-01, -2.343035936e-01], [-1.479584217e+00, -5.861206055e-01, 2.451081991e+00, 2.825218201e+00, -4.418712139e+00, -1.973906755e-01], [-1.354862332e+00, 4.966247082e-01, -2.199711084e+00, 1.432347655e+00, -1.383265376e+00, 3.115290880e+00]], [[-4.138187170e-01, 1.746298313e+00, 1.200074077e+00, 7.198625803e-02, 4.822452366e-01, -3.375307918e-01], [-4.340961456e+00, 2.025310040e+00, -5.964741111e-01, 2.736883759e-01, 2.390457869e+00, 6.824930310e-01], [-3.743148804e+00, 2.337128639e+00, -1.070483923e+00, -2.573328495e+00, 5.958144665e-01, -1.534376144e+00], [-8.585641980e-01, 1.388666272e+00, -6.454250813e-01, 2.263196468e+00, -3.236282468e-01, 1.033795714e+00], [2.177338600e+00, -3.492176235e-01, 5.357853770e-01, 2.367022038e-01, 3.433652818e-01, 9.582772255e-01], [1.595119119e+00, -7.785647511e-01, 7.133972645e-01, -1.514399886e+00, 9.702724814e-01, -7.471319288e-03]]]]> : tensor<1x4x6x6xf32>
    return %0, %1 : tensor<1x4x6x3xf32>, tensor<1x4x6x6xf32>
  }
}

// -----
module @conv_batches {
  "func.func"() <{function_type = (tensor<4x3x4x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x3x4x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x3x4x3xf32>, %arg1: tensor<3x2x3x4xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<4x3x4x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x3x4x4xf32>
    "func.return"(%0) : (tensor<2x3x4x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<4x3x4x3xf32>, tensor<3x2x3x4xf32>) {
    %0 = arith.constant dense<[[[[1.135754943e+00, -1.165120125e+00, -9.082651138e-01], [4.497770965e-01, -3.197345495e+00, -1.092678666e+00], [7.954840660e-01, -5.867398977e-01, -1.626483083e+00], [1.925566673e+00, -1.410535216e+00, -5.233655572e-01]], [[-3.727315068e-01, 8.314439654e-02, -3.695051968e-01], [-8.096507937e-02, 5.749458075e-02, -8.667642623e-02], [9.327384084e-02, -2.378925800e+00, 4.410646856e-01], [-1.404456735e+00, -2.166645527e+00, 1.381347895e+00]], [[-1.285515308e+00, 1.798691005e-01, -7.725614905e-01], [-6.784662008e-01, 4.836547673e-01, -1.048224926e+00], [3.726742864e-01, 3.806924820e-01, 1.164447904e+00], [-3.362132311e-01, 1.046582222e+00, 1.720694661e+00]]], [[[1.586682320e+00, 5.860769749e-01, 4.491660595e-01], [2.849454880e+00, 2.232176065e+00, -7.666172981e-01], [9.236090183e-01, 6.019592285e-01, 7.226745784e-02], [1.533122957e-01, 4.877851009e-01, 9.373584986e-01]], [[2.187698632e-01, 3.397937119e-01, 1.392140269e+00], [3.177202344e-01, 5.450224876e-01, 9.902300835e-01], [1.633262396e+00, 1.227040887e+00, 3.772149384e-01], [2.078154534e-01, -1.223603606e+00, 2.920625508e-01]], [[-1.037169814e+00, -1.024039388e+00, 6.505089402e-01], [-1.005771831e-01, 4.722094834e-01, -6.269631386e-01], [1.201204062e+00, 1.437721848e-01, 1.187728286e+00], [6.734405160e-01, 1.652490348e-01, -4.785273969e-01]]], [[[3.150757775e-02, 8.280104995e-01, 6.976577044e-01], [-1.195584655e+00, 1.025682092e+00, -2.139079422e-01], [8.152637482e-01, -6.974882483e-01, 6.378552914e-01], [-7.965918779e-01, 1.293568313e-01, -2.980298102e-01]], [[-2.855725586e-01, -5.665872693e-01, -1.535791010e-01], [-1.740634680e+00, 8.765996695e-01, 9.616866112e-01], [-4.427738786e-01, -1.379754663e+00, -6.467092633e-01], [9.476143122e-01, 6.255207658e-01, -3.003535569e-01]], [[8.972747922e-01, -1.041480780e+00, -6.126363277e-01], [4.746072590e-01, -9.591332823e-02, -5.892257094e-01], [-2.512127638e+00, 6.712163091e-01, 3.237218261e-01], [-1.742922306e+00, 6.003257036e-01, -1.436375920e-02]]], [[[2.788347900e-01, 9.451932311e-01, -7.398868203e-01], [7.135642171e-01, 6.838541627e-01, 7.615157366e-01], [1.635955811e+00, 6.587348580e-01, -5.615577102e-01], [1.798384428e+00, -1.107312560e+00, -4.627235830e-01]], [[-9.644697309e-01, -1.027607992e-01, 1.082219243e+00], [1.297785997e+00, 4.635174274e-01, -6.093910933e-01], [-5.536205769e-01, -6.031961441e-01, 9.528406858e-01], [-9.065393209e-01, 8.645262718e-01, -3.259406984e-02]], [[1.720510721e-01, 1.511718392e+00, -4.753340185e-01], [1.661728621e+00, -1.409452677e+00, -8.247637153e-01], [-1.578391433e+00, -7.467818856e-01, 5.828821063e-01], [7.377290726e-01, 3.067753017e-01, 2.670919597e-01]]]]> : tensor<4x3x4x3xf32>
    %1 = arith.constant dense<[[[[-1.173326969e+00, -1.326831818e+00, 3.038900197e-01, 1.347806931e+00], [-3.641347587e-01, -1.268559575e+00, -1.533280492e+00, -6.806517243e-01], [1.579543829e+00, -2.077395320e-01, -1.037943363e+00, -6.094708443e-01]], [[-4.835449755e-01, 2.656134069e-01, -6.600164771e-01, -8.899395466e-01], [-1.880169809e-01, 4.686703384e-01, 7.170437574e-01, 5.505320430e-01], [-4.574969411e-01, -1.695077062e+00, -7.985161543e-01, 2.840813994e-01]]], [[[-1.333635330e+00, 2.526192367e-01, -5.899759531e-01, -5.821639299e-01], [1.119506955e+00, 2.187326252e-01, 1.370256186e+00, -9.392529726e-01], [1.130741239e+00, 9.090803862e-01, -2.995002747e+00, -8.827070892e-02]], [[1.542224407e+00, 7.780573964e-01, -4.413211644e-01, -2.327903956e-01], [-1.303048730e+00, 2.062924951e-01, -1.793172121e+00, -1.015306711e+00], [1.119164348e+00, -2.056504413e-02, -3.634260595e-01, -1.059111208e-01]]], [[[2.741894007e+00, 1.035187960e+00, -7.756413817e-01, 1.666749716e+00], [-8.879493922e-02, 7.397169471e-01, -5.866304636e-01, -9.378559589e-01], [8.019126654e-01, -7.688867450e-01, -7.813181281e-01, 8.978343010e-01]], [[-1.162069082e+00, -1.419252038e+00, 5.450543761e-01, -1.959881663e+00], [-7.517256737e-01, -3.656461239e-01, -1.345306993e+00, -1.117390513e+00], [6.658729315e-01, 2.924530804e-01, -9.457114935e-01, 5.294855833e-01]]]]> : tensor<3x2x3x4xf32>
    return %0, %1 : tensor<4x3x4x3xf32>, tensor<3x2x3x4xf32>
  }
  func.func @results() -> (tensor<2x3x4x4xf32>) {
    %0 = arith.constant dense<[[[[-1.541520596e+00, -1.052485108e+00, -4.570978165e+00, 1.260600805e+00], [-3.566770077e+00, -1.559166610e-01, 5.721521378e+00, -5.904493332e-01], [5.666323185e+00, 9.991716146e-01, -1.502039075e+00, -2.529952049e+00], [-7.289662361e+00, -4.416557312e+00, 6.725353599e-01, 1.091675282e+00]], [[-6.017247200e+00, 4.748238623e-02, -2.512674332e-01, 1.534143925e+00], [5.043473244e-01, 5.999451637e+00, -3.438969135e+00, 3.266883373e+00], [-1.129402518e+00, -5.299106240e-01, -5.377125740e-02, 8.787645102e-01], [-1.197913170e+00, -1.126672745e+00, 2.077471256e+00, -5.573665619e+00]], [[-1.916097641e+00, -7.760745883e-01, 2.005902767e+00, 2.958440781e+00], [1.780449390e+00, -2.459272146e+00, -1.911210060e+00, -4.343271255e+00], [3.197353363e+00, 2.273614407e-01, 3.845372677e+00, 7.534292340e-01], [8.184440613e+00, 6.033273697e+00, 1.534523487e+00, 1.486572742e+00]]], [[[1.242340326e+00, 2.677440882e+00, 2.151586771e+00, -5.849480152e+00], [-2.399479628e+00, -1.333193898e+00, -4.657577515e+00, 1.329671025e+00], [5.718314171e+00, 3.177560806e+00, 1.391881108e+00, 5.249741673e-01], [2.314192533e+00, 8.300304413e-02, -9.709887505e-01, -2.317102194e+00]], [[-3.148405075e+00, -6.497361064e-01, -2.247741938e+00, -3.680881262e+00], [-4.845206261e+00, -4.115153313e+00, 6.685950756e-01, 5.870264053e+00], [3.088209391e+00, -3.116055489e+00, -5.089728832e+00, -3.155515194e+00], [1.254450560e+00, 2.207424045e-01, 3.580830097e+00, 4.359910965e+00]], [[6.096397638e-01, -2.211794853e+00, 4.190934658e+00, -3.308988333e+00], [2.748114586e+00, -5.014199615e-01, 8.705472946e-01, 3.729521513e+00], [-1.581661940e+00, -2.832796574e+00, -1.798652053e+00, 1.414472580e+00], [-5.911705494e-01, 9.870544076e-01, -2.382041454e+00, -2.531611443e+00]]]]> : tensor<2x3x4x4xf32>
    return %0 : tensor<2x3x4x4xf32>
  }
}

// -----
module @conv_1d {
  "func.func"() <{function_type = (tensor<2x7x3xf32>, tensor<3x3x4xf32>) -> tensor<2x4x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x7x3xf32>, %arg1: tensor<3x3x4xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<1> : tensor<1x2xi64>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 2>}> : (tensor<2x7x3xf32>, tensor<3x3x4xf32>) -> tensor<2x4x4xf32>
    "func.return"(%0) : (tensor<2x4x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<2x7x3xf32>, tensor<3x3x4xf32>) {
    %0 = arith.constant dense<[[[1.519278407e+00, -1.282417774e+00, 6.125579402e-02], [1.976651311e+00, 6.111598611e-01, 8.133851290e-01], [-2.001526654e-01, -7.979637384e-01, 1.143371701e+00], [6.537249684e-01, -5.152318627e-02, -4.653357267e-01], [-1.747725248e+00, 1.559062302e-01, -6.917127371e-01], [-1.318542659e-01, 6.709753871e-01, 8.200027347e-01], [7.190009952e-01, 2.255064249e+00, 1.165118575e+00]], [[-7.460781932e-01, -8.183019161e-01, 2.328150749e+00], [-6.633261442e-01, -4.413534328e-02, 1.744859099e+00], [1.715315819e+00, -5.463203043e-02, 2.419430763e-01], [-1.635109305e+00, -9.083486795e-01, -3.652591407e-01], [-5.660169292e-03, -3.233204782e-01, 1.522939801e-01], [2.192701578e+00, 4.643408656e-01, 3.087071776e-01], [1.826355932e-03, -1.719076037e-01, 1.232944608e+00]]]> : tensor<2x7x3xf32>
    %1 = arith.constant dense<[[[-9.912614226e-01, -1.255795211e-01, -1.095777273e+00, 8.712970465e-02], [1.190503240e-01, 9.205065370e-01, 1.197661638e+00, 6.630643606e-01], [1.622259259e+00, 1.588503242e+00, 3.153586984e-01, 3.733468652e-01]], [[-1.936281681e+00, 3.202432096e-01, -5.091554020e-03, -1.688495159e+00], [-4.313860238e-01, 9.574239850e-01, -1.238774300e+00, 1.292951107e+00], [4.747993052e-01, -2.283880860e-01, -1.423272938e-01, 8.299270868e-01]], [[-1.431394339e+00, 2.040761948e+00, -8.134195209e-01, -7.652832270e-01], [1.220768213e+00, 7.900523543e-01, 1.325391650e+00, 1.045981050e+00], [3.763959408e-01, -1.276384115e+00, -4.728399217e-01, 1.984393597e-01]]]> : tensor<3x3x4xf32>
    return %0, %1 : tensor<2x7x3xf32>, tensor<3x3x4xf32>
  }
  func.func @results() -> (tensor<2x4x4xf32>) {
    %0 = arith.constant dense<[[[-4.136578083e+00, 2.723262310e+00, 3.897507489e-01, -4.884589195e+00], [-4.662300646e-01, 2.404533148e+00, -7.307274938e-01, 4.897641242e-01], [2.895853043e+00, -1.906774879e+00, -4.017483294e-01, 3.393051863e+00], [-2.709552944e-01, 4.059980869e+00, -1.756325364e+00, 3.408178329e+00]], [[4.455386162e+00, -5.169780731e+00, 3.421574831e-01, 2.941636562e+00], [1.394117475e+00, -3.321577907e-01, 1.547584295e+00, -1.973041534e+00], [-1.312690735e+00, 2.890437126e+00, -3.466138840e-01, -2.294302464e+00], [-9.614342451e-01, 1.968592852e-01, -1.711772084e+00, 1.412094474e+00]]]> : tensor<2x4x4xf32>
    return %0 : tensor<2x4x4xf32>
  }
}

// -----
module @conv_gradients {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>) -> (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>, %arg1: tensor<3x2x3x2xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 1>}> : (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>) -> tensor<1x4x6x2xf32>
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32>
    %2 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x6x2xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32>
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%1, %5) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%13) : (tensor<f32>) -> ()
    }) : (tensor<1x4x6x2xf32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x6x2xf32>
    %9 = "stablehlo.multiply"(%8, %4) : (tensor<1x4x6x2xf32>, tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32>
    %10 = "stablehlo.convolution"(%arg0, %9) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x7x6x3xf32>, tensor<1x4x6x2xf32>) -> tensor<3x2x3x2xf32>
    %11 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0, 1>}> : (tensor<3x2x3x2xf32>) -> tensor<3x2x3x2xf32>
    %12 = "stablehlo.convolution"(%9, %11) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 1>, padding = dense<[[1, 1], [1, 0]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x6x2xf32>, tensor<3x2x3x2xf32>) -> tensor<1x7x6x3xf32>
    "func.return"(%12, %10) : (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[-1.718256995e-02, -2.052782774e+00], [1.044405341e+00, 1.731142521e+00], [1.464095235e+00, -1.017859578e+00]], [[4.359667897e-01, -2.126497984e+00], [1.690018177e+00, -1.939876914e+00], [4.105087519e-01, 1.162579656e+00]]], [[[1.291321754e+00, 3.439705074e-01], [-1.425650001e+00, -1.011757925e-01], [-2.683184743e-01, 3.683591485e-01]], [[9.877460003e-01, 6.620408893e-01], [2.121616602e+00, 6.610508561e-01], [-3.888175189e-01, 1.629979610e+00]]], [[[-3.145280778e-01, 2.818635106e-01], [1.807779223e-01, -2.293231249e+00], [2.768199444e-01, 2.894399464e-01]], [[-2.097050548e-01, -1.412869692e-01], [-1.284403443e+00, 8.246330917e-02], [1.502925515e+00, -1.772695631e-01]]]]> : tensor<3x2x3x2xf32>
    return %0, %1 : tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>
  }
  func.func @results() -> (tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>) {
    %0 = arith.constant dense<[[[[1.196432471e+00, -2.243620634e+00, -1.705461502e+00], [4.240310490e-01, 1.317845106e+00, -5.348892689e+00], [-1.843732953e+00, 6.053104877e+00, 5.388780594e+00], [2.765820312e+01, -3.418875885e+01, 4.855346203e+00], [3.764466476e+01, 4.068368530e+01, 1.444161797e+01], [6.859295845e+00, 2.802341652e+01, 2.430069542e+01]], [[-4.129521847e-01, 1.354299927e+01, 9.431963921e+00], [-3.547434235e+01, 2.685303497e+01, -3.041164780e+01], [-4.648950195e+01, -6.434517670e+01, 1.532885361e+01], [-2.013144302e+01, -9.926509857e+00, -7.793655396e+00], [-1.982458115e+00, -9.526983643e+01, 4.469654083e+01], [1.510940742e+01, 9.341541290e+00, -6.775591373e+00]], [[7.997799397e+00, -8.992430687e+00, -1.918661952e+00], [-1.715170383e+00, 2.694782448e+01, 6.800142288e+00], [5.924662352e-01, -8.822688103e+00, 3.695778656e+01], [-1.340505600e+00, 3.711333275e-01, 5.045608997e+00], [-4.696562767e+00, 5.474451065e+00, 1.079762936e+01], [-6.918941975e+00, -1.501192474e+01, -1.308474827e+01]], [[-1.238217163e+01, 8.679352760e+00, -6.949129105e+00], [4.101021957e+01, -1.039871902e+02, 4.336854172e+01], [3.058552742e+01, 7.653288269e+01, -5.206298447e+01], [-3.400028229e+01, -1.959230614e+01, -7.623844147e+00], [-3.996654892e+01, 1.195867729e+01, -2.506037712e+00], [-1.642922401e+01, 4.511585236e-01, 1.036568546e+01]], [[-1.323267937e+00, 2.853418827e+00, 2.473513842e+00], [-3.024642467e+00, -3.368298054e+00, 2.700405121e-01], [-7.852666855e+00, -1.068827820e+01, -3.384828186e+01], [3.060716391e+00, 1.360082436e+01, 1.829533195e+01], [7.863620758e+00, -9.717707634e+00, 1.945956039e+01], [1.287821674e+01, 6.675940037e+00, 1.077910995e+01]], [[-7.999888420e+00, -1.162486076e+01, -1.609940910e+01], [-3.147935486e+01, 3.629095459e+01, -1.675521088e+01], [-4.424875259e+01, -1.471376801e+01, -1.335900307e+01], [-2.073849678e+01, -7.960021973e+01, 3.602069092e+01], [4.312551498e+01, 7.716525078e+00, 9.267401695e+00], [3.020135880e+01, 2.955085754e+01, 7.890175819e+00]], [[-8.677017212e+00, 1.097582531e+01, 4.007348061e+00], [-6.690114021e+00, -1.013608170e+01, 1.389602470e+01], [-2.238826513e+00, 5.066988945e+00, 1.769562531e+01], [9.035535812e+00, -9.242389679e+00, 2.760502052e+01], [7.279417038e+00, -6.171360493e+00, -2.258706284e+01], [8.203338623e+00, 4.016653538e+00, -2.319261169e+01]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[4.277912140e+01, -8.876645660e+01], [1.758809090e+01, 3.138039017e+01], [4.608154297e-03, -6.302710724e+01]], [[3.269857788e+01, -7.249279022e+01], [3.657779694e+01, -8.707182312e+01], [1.867214394e+01, 3.039824677e+01]]], [[[8.144998169e+01, 3.095847130e+00], [-3.682730865e+01, -8.687326431e+00], [1.143182755e+01, 1.524304581e+01]], [[-1.457002449e+01, 1.023415070e+02], [4.414787292e+01, 2.916125774e+00], [-3.340798950e+01, 1.595561218e+02]]], [[[1.779808521e+00, 2.578716278e+01], [-4.902901649e+00, -2.990320969e+01], [-1.557662678e+01, 8.944645691e+01]], [[1.278825760e+00, 2.395012093e+01], [-4.254446793e+01, 2.067248726e+01], [5.454875946e+01, 3.871195793e+00]]]]> : tensor<3x2x3x2xf32>
    return %0, %1 : tensor<1x7x6x3xf32>, tensor<3x2x3x2xf32>
  }
}

// -----
module @reduce {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<5xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>, tensor<3xi1>, tensor<i1>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %29 = "stablehlo.add"(%arg15, %arg16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%29) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %28 = "stablehlo.add"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%28) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %27 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%27) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.reduce"(%arg0, %6) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %26 = "stablehlo.maximum"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%26) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %8 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%arg0, %8) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %25 = "stablehlo.minimum"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.reduce"(%arg0, %10) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %24 = "stablehlo.multiply"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %12 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %14 = "stablehlo.compare"(%arg0, %13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %15 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %16 = "stablehlo.reduce"(%14, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<i1>, %arg4: tensor<i1>):
      %23 = "stablehlo.or"(%arg3, %arg4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%23) : (tensor<i1>) -> ()
    }) : (tensor<3x5xi1>, tensor<i1>) -> tensor<3xi1>
    %17 = "stablehlo.constant"() <{value = dense<-9.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %19 = "stablehlo.compare"(%arg0, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %20 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %21 = "stablehlo.reduce"(%19, %20) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      %22 = "stablehlo.and"(%arg1, %arg2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%22) : (tensor<i1>) -> ()
    }) : (tensor<3x5xi1>, tensor<i1>) -> tensor<i1>
    "func.return"(%1, %3, %5, %7, %9, %11, %16, %21) : (tensor<5xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>, tensor<3xi1>, tensor<i1>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<5xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>, tensor<3xi1>, tensor<i1>) {
    %0 = arith.constant dense<[-1.359491646e-01, 1.213221073e+00, -7.375271320e-01, -8.176267743e-01, -3.047001839e+00]> : tensor<5xf32>
    %1 = arith.constant dense<[2.032787204e-01, 6.435194016e-01, -4.371682167e+00]> : tensor<3xf32>
    %2 = arith.constant dense<-3.524884224e+00> : tensor<f32>
    %3 = arith.constant dense<[6.404226422e-01, 1.304000020e+00, 4.132597893e-02]> : tensor<3xf32>
    %4 = arith.constant dense<[-6.232744455e-01, -1.321048588e-01, -2.325030804e+00, -7.037352324e-01, -1.265421510e+00]> : tensor<5xf32>
    %5 = arith.constant dense<[5.977201508e-04, 3.976781070e-01, 1.632484049e-02]> : tensor<3xf32>
    %6 = arith.constant dense<[true, true, true]> : tensor<3xi1>
    %7 = arith.constant dense<true> : tensor<i1>
    return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<5xf32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>, tensor<3xi1>, tensor<i1>
  }
}

// -----
module @reduce_init {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%1) : (tensor<3xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3xf32>) {
    %0 = arith.constant dense<[3.203278780e+00, 3.643519402e+00, -1.371681690e+00]> : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// -----
module @reduce_variadic {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3xi32>, tensor<i32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<3x5xf32>):
    %26 = "func.call"(%arg10) <{callee = @argmax}> : (tensor<3x5xf32>) -> tensor<3xi32>
    %27 = "stablehlo.reshape"(%arg10) : (tensor<3x5xf32>) -> tensor<15xf32>
    %28 = "func.call"(%27) <{callee = @argmin}> : (tensor<15xf32>) -> tensor<i32>
    "func.return"(%26, %28) : (tensor<3xi32>, tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3xi32>, sym_name = "argmax", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<3x5xf32>):
    %13 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x5xi32>
    %14 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16:2 = "stablehlo.reduce"(%arg5, %13, %14, %15) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<i32>):
      %17 = "stablehlo.compare"(%arg6, %arg8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %18 = "stablehlo.compare"(%arg6, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %19 = "stablehlo.or"(%17, %18) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %20 = "stablehlo.compare"(%arg6, %arg8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %21 = "stablehlo.compare"(%arg7, %arg9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %22 = "stablehlo.and"(%20, %21) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %23 = "stablehlo.or"(%19, %22) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %24 = "stablehlo.select"(%19, %arg6, %arg8) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %25 = "stablehlo.select"(%23, %arg7, %arg9) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%24, %25) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<3x5xf32>, tensor<3x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
    "func.return"(%16#1) : (tensor<3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<15xf32>) -> tensor<i32>, sym_name = "argmin", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<15xf32>):
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<15xi32>
    %1 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3:2 = "stablehlo.reduce"(%arg0, %0, %1, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<f32>, %arg4: tensor<i32>):
      %4 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.or"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.compare"(%arg1, %arg3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = "stablehlo.compare"(%arg2, %arg4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = "stablehlo.and"(%7, %8) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %10 = "stablehlo.or"(%6, %9) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %11 = "stablehlo.select"(%6, %arg1, %arg3) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.select"(%10, %arg2, %arg4) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%11, %12) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<15xf32>, tensor<15xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    "func.return"(%3#1) : (tensor<i32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3xi32>, tensor<i32>) {
    %0 = arith.constant dense<[2, 1, 1]> : tensor<3xi32>
    %1 = arith.constant dense<12> : tensor<i32>
    return %0, %1 : tensor<3xi32>, tensor<i32>
  }
}

// -----
module @reduce_integers {
  "func.func"() <{function_type = (tensor<3x5xi32>) -> (tensor<3xi32>, tensor<5xi32>, tensor<5xi32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %8 = "stablehlo.add"(%arg5, %arg6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%8) : (tensor<i32>) -> ()
    }) : (tensor<3x5xi32>, tensor<i32>) -> tensor<3xi32>
    %2 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.reduce"(%arg0, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %7 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%7) : (tensor<i32>) -> ()
    }) : (tensor<3x5xi32>, tensor<i32>) -> tensor<5xi32>
    %4 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.reduce"(%arg0, %4) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %6 = "stablehlo.and"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%6) : (tensor<i32>) -> ()
    }) : (tensor<3x5xi32>, tensor<i32>) -> tensor<5xi32>
    "func.return"(%1, %3, %5) : (tensor<3xi32>, tensor<5xi32>, tensor<5xi32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xi32>) {
    %0 = arith.constant dense<[[5, -7, 7, -6, -6], [-4, 5, 0, 5, -8], [7, 3, 2, -3, -3]]> : tensor<3x5xi32>
    return %0 : tensor<3x5xi32>
  }
  func.func @results() -> (tensor<3xi32>, tensor<5xi32>, tensor<5xi32>) {
    %0 = arith.constant dense<[-7, -2, 6]> : tensor<3xi32>
    %1 = arith.constant dense<[7, 5, 7, 5, -3]> : tensor<5xi32>
    %2 = arith.constant dense<[4, 1, 0, 0, -8]> : tensor<5xi32>
    return %0, %1, %2 : tensor<3xi32>, tensor<5xi32>, tensor<5xi32>
  }
}

// -----
module @mean {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3xf32>, tensor<5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<3x5xf32>):
    %25 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.reduce"(%arg9, %25) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %32 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %27 = "stablehlo.constant"() <{value = dense<5.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %29 = "stablehlo.divide"(%26, %28) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "func.call"(%arg9, %30) <{callee = @_var}> : (tensor<3x5xf32>, tensor<i32>) -> tensor<5xf32>
    "func.return"(%29, %31) : (tensor<3xf32>, tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<i32>) -> tensor<5xf32>, sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x5xf32>, %arg4: tensor<i32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.reduce"(%arg3, %3) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %24 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%24) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %6 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5xf32>
    %8 = "stablehlo.divide"(%5, %7) : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<3x5xf32>
    %10 = "stablehlo.subtract"(%arg3, %9) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %11 = "chlo.square"(%10) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %12 = "stablehlo.convert"(%arg4) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.subtract"(%13, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.reduce"(%11, %15) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %23 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%23) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %17 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %18 = "stablehlo.divide"(%16, %17) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.compare"(%14, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %21 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %22 = "func.call"(%20, %18, %21) <{callee = @_where}> : (tensor<i1>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
    "func.return"(%22) : (tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<5xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<i1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%2) : (tensor<5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3xf32>, tensor<5xf32>) {
    %0 = arith.constant dense<[4.065574333e-02, 1.287038773e-01, -8.743364215e-01]> : tensor<3xf32>
    %1 = arith.constant dense<[1.762897968e-01, 4.096468389e-01, 2.177185535e+00, 1.104264185e-01, 1.152624488e-01]> : tensor<5xf32>
    return %0, %1 : tensor<3xf32>, tensor<5xf32>
  }
}

// -----
module @softmax {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<3x5xf32>):
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.reduce"(%arg5, %17) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %49 = "stablehlo.maximum"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %19 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %21 = "stablehlo.maximum"(%20, %18) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32>
    %24 = "stablehlo.subtract"(%arg5, %23) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %25 = "stablehlo.exponential"(%24) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %26 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.reduce"(%25, %26) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %48 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32>
    %30 = "stablehlo.divide"(%25, %29) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %31 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%arg5, %31) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %47 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %33 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %35 = "stablehlo.maximum"(%34, %32) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<3x5xf32>
    %38 = "stablehlo.subtract"(%arg5, %37) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %39 = "stablehlo.exponential"(%38) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.reduce"(%39, %40) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %46 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%46) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<5xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<3x5xf32>
    %44 = "stablehlo.divide"(%39, %43) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %45 = "func.call"(%arg5) <{callee = @log_softmax}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%30, %44, %45) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "log_softmax", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %16 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %2 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3xf32>
    %4 = "stablehlo.maximum"(%3, %1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32>
    %7 = "stablehlo.subtract"(%arg0, %6) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %8 = "stablehlo.exponential"(%7) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %15 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%15) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>) -> tensor<3x1xf32>
    %12 = "stablehlo.log"(%11) : (tensor<3x1xf32>) -> tensor<3x1xf32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<3x1xf32>) -> tensor<3x5xf32>
    %14 = "stablehlo.subtract"(%7, %13) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%14) : (tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[2.023734301e-01, 1.563785374e-01, 3.385958076e-01, 1.982015669e-01, 1.044506878e-01], [1.694014519e-01, 4.347087741e-01, 3.042218685e-01, 5.837811530e-02, 3.328992426e-02], [1.937559545e-01, 3.766061068e-01, 3.533390537e-02, 2.903485596e-01, 1.039554924e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[3.651180565e-01, 1.564047933e-01, 4.148665369e-01, 4.610550106e-01, 5.067000985e-01], [4.622406363e-01, 6.575707197e-01, 5.637524724e-01, 2.053841352e-01, 2.442438602e-01], [1.726413220e-01, 1.860244721e-01, 2.138101496e-02, 3.335609436e-01, 2.490559816e-01]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[-1.597640634e+00, -1.855475664e+00, -1.082948208e+00, -1.618470669e+00, -2.259040356e+00], [-1.775483966e+00, -8.330789804e-01, -1.189998031e+00, -2.840814114e+00, -3.402500629e+00], [-1.641155958e+00, -9.765554667e-01, -3.342912197e+00, -1.236673117e+00, -2.263792515e+00]]> : tensor<3x5xf32>
    return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @max_pool {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>) -> (tensor<1x4x3x3xf32>, tensor<1x3x2x3xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = "stablehlo.maximum"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x4x3x3xf32>
    %3 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.reduce_window"(%arg0, %4) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 2, 3, 1>, window_dimensions = array<i64: 1, 3, 2, 1>, window_strides = array<i64: 1, 1, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %6 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x3x2x3xf32>
    "func.return"(%2, %5) : (tensor<1x4x3x3xf32>, tensor<1x3x2x3xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    return %0 : tensor<1x7x6x3xf32>
  }
  func.func @results() -> (tensor<1x4x3x3xf32>, tensor<1x3x2x3xf32>) {
    %0 = arith.constant dense<[[[[1.801634908e+00, 1.315103769e+00, 7.839754820e-01], [1.493431091e+00, 7.813113928e-01, 1.739367843e+00], [1.345875382e+00, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.574408293e+00, 1.822011352e+00], [1.003961563e+00, 2.002392530e+00, 1.822011352e+00], [1.610095799e-01, 2.002392530e+00, 1.739367843e+00]], [[1.294558764e+00, 1.574408293e+00, 1.689107418e+00], [6.941719651e-01, 1.574408293e+00, 1.420982003e+00], [1.041839719e+00, 1.402264833e+00, 1.420982003e+00]], [[7.875882387e-01, 1.228683710e+00, 3.827571571e-01], [3.586719632e-01, 1.322457433e+00, 1.080163360e+00], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]]]]> : tensor<1x4x3x3xf32>
    %1 = arith.constant dense<[[[[1.583472848e+00, 1.320361018e+00, 1.513923764e+00], [1.003961563e+00, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 1.031453133e+00], [1.041839719e+00, 1.574408293e+00, 1.150165677e+00]], [[1.583472848e+00, 1.320361018e+00, 1.080163360e+00], [1.003961563e+00, 8.437326550e-01, 1.822011352e+00]]]]> : tensor<1x3x2x3xf32>
    return %0, %1 : tensor<1x4x3x3xf32>, tensor<1x3x2x3xf32>
  }
}

// -----
module @sum_pool {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>) -> (tensor<1x5x18x3xf32>, tensor<1x3x2x3xf32>, tensor<1x1x1x3xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 2, 3, 1>, padding = dense<[[0, 0], [2, 1], [0, 3], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 3, 1, 1>}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %14 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x5x18x3xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.reduce_window"(%arg0, %4) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 2, 3, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %13 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%13) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x3x2x3xf32>
    %6 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x3x2x3xf32>
    %8 = "stablehlo.divide"(%5, %7) : (tensor<1x3x2x3xf32>, tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
    %9 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.reduce_window"(%arg0, %10) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 7, 6, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %12 = "stablehlo.minimum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x1x1x3xf32>
    "func.return"(%2, %8, %11) : (tensor<1x5x18x3xf32>, tensor<1x3x2x3xf32>, tensor<1x1x1x3xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    return %0 : tensor<1x7x6x3xf32>
  }
  func.func @results() -> (tensor<1x5x18x3xf32>, tensor<1x3x2x3xf32>, tensor<1x1x1x3xf32>) {
    %0 = arith.constant dense<[[[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]]> : tensor<1x5x18x3xf32>
    %1 = arith.constant dense<[[[[-3.029410839e-01, 2.636069357e-01, 4.039736986e-01], [3.815133572e-01, -1.741139591e-01, 7.596217990e-01]], [[1.890258491e-02, 3.674495220e-01, 8.294228911e-01], [-6.467607617e-01, 1.883733869e-01, 1.187282726e-01]], [[-9.594594836e-01, -7.226282358e-02, -5.834188312e-02], [3.167087734e-01, 2.818971276e-01, 6.987714171e-01]]]]> : tensor<1x3x2x3xf32>
    %2 = arith.constant dense<[[[[-2.365303993e+00, -1.259065509e+00, -1.901635289e+00]]]]> : tensor<1x1x1x3xf32>
    return %0, %1, %2 : tensor<1x5x18x3xf32>, tensor<1x3x2x3xf32>, tensor<1x1x1x3xf32>
  }
}

// -----
module @cumulative {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<3x5xf32>):
    %9 = "func.call"(%arg7) <{callee = @cumsum}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = "func.call"(%arg7) <{callee = @cummax}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%9, %10) : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<3x5xf32>):
    %8 = "func.call"(%arg6) <{callee = @cumsum_0}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%8) : (tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x5xf32>):
    %4 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.reduce_window"(%arg3, %5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %7 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    "func.return"(%6) : (tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>) -> tensor<3x5xf32>, sym_name = "cummax", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 4]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.maximum"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
    "func.return"(%2) : (tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -6.374642253e-03, 6.340479851e-01, 7.389481068e-01, 2.032787204e-01], [3.615950644e-01, 1.665595055e+00, 2.612676144e+00, 1.908940911e+00, 6.435194016e-01], [-6.232744455e-01, -5.819484591e-01, -2.906979322e+00, -3.125771046e+00, -4.371682167e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[6.404226422e-01, 6.404226422e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.304000020e+00, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [4.132597893e-02, 4.132597893e-02, -2.187916636e-01, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @gather {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<4xi32>) -> (tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg18: tensor<3x5xf32>, %arg19: tensor<4xi32>):
    %72 = "func.call"(%arg18, %arg19) <{callee = @_take}> : (tensor<3x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
    %73 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %75 = "stablehlo.compare"(%arg19, %74) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %76 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %78 = "stablehlo.add"(%arg19, %77) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %79 = "stablehlo.select"(%75, %78, %arg19) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %80 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %81 = "stablehlo.gather"(%arg18, %80) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x5xf32>, tensor<4x1xi32>) -> tensor<3x4xf32>
    %82 = "func.call"(%arg18, %arg19) <{callee = @_take_0}> : (tensor<3x5xf32>, tensor<4xi32>) -> tensor<3x4xf32>
    %83 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %84 = "func.call"(%arg19, %83) <{callee = @remainder}> : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %86 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %87 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %88 = "stablehlo.concatenate"(%85, %86, %87) <{dimension = 0 : i64}> : (tensor<1x4xi32>, tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<3x4xi32>
    %89 = "func.call"(%arg18, %88) <{callee = @take_along_axis}> : (tensor<3x5xf32>, tensor<3x4xi32>) -> tensor<3x4xf32>
    "func.return"(%72, %81, %82, %89) : (tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>, sym_name = "_take", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<3x5xf32>, %arg15: tensor<4xi32>):
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %50 = "stablehlo.compare"(%arg15, %49) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %51 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %53 = "stablehlo.add"(%arg15, %52) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %54 = "func.call"(%50, %53, %arg15) <{callee = @_where}> : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %56 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %57 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %59 = "stablehlo.compare"(%55, %58) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %60 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64: 1>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %61 = "stablehlo.broadcast_in_dim"(%60) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %62 = "stablehlo.compare"(%55, %61) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %63 = "stablehlo.and"(%59, %62) : (tensor<4x1xi1>, tensor<4x1xi1>) -> tensor<4x1xi1>
    %64 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %65 = "stablehlo.reduce"(%63, %64) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg16: tensor<i1>, %arg17: tensor<i1>):
      %71 = "stablehlo.and"(%arg16, %arg17) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%71) : (tensor<i1>) -> ()
    }) : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %66 = "stablehlo.gather"(%arg14, %55) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<3x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    %67 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi1>) -> tensor<4x5xi1>
    %68 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %69 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %70 = "stablehlo.select"(%67, %66, %69) : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%70) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<4xi1>, %arg12: tensor<4xi32>, %arg13: tensor<4xi32>):
    %47 = "stablehlo.select"(%arg11, %arg12, %arg13) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%47) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<4xi32>) -> tensor<3x4xf32>, sym_name = "_take_0", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<3x5xf32>, %arg10: tensor<4xi32>):
    %45 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %46 = "stablehlo.gather"(%arg9, %45) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 3, 1>}> : (tensor<3x5xf32>, tensor<4x1xi32>) -> tensor<3x4xf32>
    "func.return"(%46) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>, sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<4xi32>, %arg8: tensor<i32>):
    %24 = "stablehlo.convert"(%arg8) : (tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.compare"(%24, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %27 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %28 = "func.call"(%26, %27, %24) <{callee = @_where_1}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %30 = "stablehlo.remainder"(%arg7, %29) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %31 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %33 = "stablehlo.compare"(%30, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %36 = "stablehlo.compare"(%30, %35) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %37 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %38 = "stablehlo.compare"(%28, %37) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<4xi1>
    %40 = "stablehlo.compare"(%36, %39) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %41 = "stablehlo.and"(%40, %33) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %42 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %43 = "stablehlo.add"(%30, %42) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %44 = "stablehlo.select"(%41, %43, %30) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    "func.return"(%44) : (tensor<4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<i1>, %arg5: tensor<i32>, %arg6: tensor<i32>):
    %23 = "stablehlo.select"(%arg4, %arg5, %arg6) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%23) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<3x4xi32>) -> tensor<3x4xf32>, sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<3x4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<3x4xi1>, tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    %7 = "stablehlo.reshape"(%6) : (tensor<3x4xi32>) -> tensor<3x4x1xi32>
    %8 = "stablehlo.constant"() <{value = dense<4> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<3x4x1xi32>
    %11 = "stablehlo.compare"(%7, %10) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %12 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64: 2>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x1xi32>) -> tensor<3x4x1xi32>
    %14 = "stablehlo.compare"(%7, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x4x1xi32>, tensor<3x4x1xi32>) -> tensor<3x4x1xi1>
    %15 = "stablehlo.and"(%11, %14) : (tensor<3x4x1xi1>, tensor<3x4x1xi1>) -> tensor<3x4x1xi1>
    %16 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %17 = "stablehlo.reduce"(%15, %16) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg2: tensor<i1>, %arg3: tensor<i1>):
      %22 = "stablehlo.and"(%arg2, %arg3) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%22) : (tensor<i1>) -> ()
    }) : (tensor<3x4x1xi1>, tensor<i1>) -> tensor<3x4xi1>
    %18 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<3x5xf32>, tensor<3x4x1xi32>) -> tensor<3x4xf32>
    %19 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %21 = "stablehlo.select"(%17, %18, %20) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%21) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<4xi32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[1, 2, 3, -1]> : tensor<4xi32>
    return %0, %1 : tensor<3x5xf32>, tensor<4xi32>
  }
  func.func @results() -> (tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
    %0 = arith.constant dense<[[3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00], [0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<4x5xf32>
    %1 = arith.constant dense<[[-1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x4xf32>
    %2 = arith.constant dense<[[-1.321048588e-01, 6.404226422e-01, 1.049001142e-01, 1.257302165e-01], [1.304000020e+00, 9.470809698e-01, -7.037352324e-01, 3.615950644e-01], [4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -6.232744455e-01]]> : tensor<3x4xf32>
    %3 = arith.constant dense<[[-1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x4xf32>
    return %0, %1, %2, %3 : tensor<4x5xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
  }
}

// -----
module @scatter {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<4xi32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %10 = "stablehlo.scatter"(%arg0, %7, %9) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      "stablehlo.return"(%arg7) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<3x5xf32>
    %11 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 4>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<3x4xf32>
    %12 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %14 = "stablehlo.compare"(%arg1, %13) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %15 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %17 = "stablehlo.add"(%arg1, %16) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %18 = "stablehlo.select"(%14, %17, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %20 = "stablehlo.scatter"(%arg0, %19, %11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %42 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%42) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<4x1xi32>, tensor<3x4xf32>) -> tensor<3x5xf32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %23 = "stablehlo.compare"(%arg1, %22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %24 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %26 = "stablehlo.add"(%arg1, %25) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %27 = "stablehlo.select"(%23, %26, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %30 = "stablehlo.compare"(%arg1, %29) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %31 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %33 = "stablehlo.add"(%arg1, %32) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %34 = "stablehlo.select"(%30, %33, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %35 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %36 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %37 = "stablehlo.concatenate"(%35, %36) <{dimension = 1 : i64}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %38 = "stablehlo.constant"() <{value = dense<3.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %40 = "stablehlo.scatter"(%arg0, %37, %39) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %41 = "stablehlo.maximum"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%41) : (tensor<f32>) -> ()
    }) : (tensor<3x5xf32>, tensor<4x2xi32>, tensor<4xf32>) -> tensor<3x5xf32>
    "func.return"(%10, %20, %40) : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<4xi32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[3, 4, 2, 3]> : tensor<4xi32>
    return %0, %1 : tensor<3x5xf32>, tensor<4xi32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00, 1.000000000e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 1.280845284e+00, 3.355304599e-01, -6.677742600e-01], [3.615950644e-01, 1.304000020e+00, 1.894161940e+00, -1.045875430e+00, 3.857851028e-02], [-6.232744455e-01, 4.132597893e-02, -4.650061607e+00, -1.060857773e+00, -1.204585075e+00]]> : tensor<3x5xf32>
    %2 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, 3.000000119e-01, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0, %1, %2 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @sort {
  "func.func"() <{function_type = (tensor<9xf32>, tensor<9xi32>) -> (tensor<9xf32>, tensor<9xi32>, tensor<9xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<9xf32>, %arg4: tensor<9xi32>):
    %16 = "func.call"(%arg3) <{callee = @sort}> : (tensor<9xf32>) -> tensor<9xf32>
    %17:2 = "stablehlo.sort"(%arg4, %arg3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
      %18 = "stablehlo.compare"(%arg5, %arg6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%18) : (tensor<i1>) -> ()
    }) : (tensor<9xi32>, tensor<9xf32>) -> (tensor<9xi32>, tensor<9xf32>)
    "func.return"(%16, %17#0, %17#1) : (tensor<9xf32>, tensor<9xi32>, tensor<9xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<9xf32>) -> tensor<9xf32>, sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<9xf32>):
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %4 = "stablehlo.select"(%2, %3, %arg1) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = "stablehlo.compare"(%arg1, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.select"(%5, %6, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.compare"(%arg2, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.select"(%9, %10, %arg2) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %12 = "stablehlo.compare"(%arg2, %arg2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %14 = "stablehlo.select"(%12, %13, %11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%7, %14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%15) : (tensor<i1>) -> ()
    }) : (tensor<9xf32>) -> tensor<9xf32>
    "func.return"(%0) : (tensor<9xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<9xf32>, tensor<9xi32>) {
    %0 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]> : tensor<9xf32>
    %1 = arith.constant dense<[2, 1, 1, 2, 0, 2, 2, 0, 1]> : tensor<9xi32>
    return %0, %1 : tensor<9xf32>, tensor<9xi32>
  }
  func.func @results() -> (tensor<9xf32>, tensor<9xi32>, tensor<9xf32>) {
    %0 = arith.constant dense<[0xFF800000, -2.500000000e+00, -1.000000000e+00, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, 2.500000000e+00, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
    %1 = arith.constant dense<[0, 0, 1, 1, 1, 2, 2, 2, 2]> : tensor<9xi32>
    %2 = arith.constant dense<[-0.000000000e+00, 2.500000000e+00, 0x7F800000, 0xFF800000, -2.500000000e+00, 0x7FC00000, 0.000000000e+00, 1.000000000e+00, -1.000000000e+00]> : tensor<9xf32>
    return %0, %1, %2 : tensor<9xf32>, tensor<9xi32>, tensor<9xf32>
  }
}

// -----
module @loops {
  "func.func"() <{function_type = (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<3x5xf32>):
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %9 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %10:3 = "stablehlo.while"(%9, %8, %arg2) ({
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<i32>, %arg12: tensor<3x5xf32>):
      %26 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %27 = "stablehlo.compare"(%arg10, %26) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%27) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<3x5xf32>):
      %23:2 = "func.call"(%arg8, %arg9) <{callee = @closed_call}> : (tensor<i32>, tensor<3x5xf32>) -> (tensor<i32>, tensor<3x5xf32>)
      %24 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %25 = "stablehlo.add"(%arg7, %24) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%25, %23#0, %23#1) : (tensor<i32>, tensor<i32>, tensor<3x5xf32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<3x5xf32>) -> (tensor<i32>, tensor<i32>, tensor<3x5xf32>)
    %11 = "stablehlo.while"(%arg2) ({
    ^bb0(%arg4: tensor<3x5xf32>):
      %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %19 = "stablehlo.reduce"(%arg4, %18) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
        %22 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%22) : (tensor<f32>) -> ()
      }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<f32>
      %20 = "stablehlo.constant"() <{value = dense<1.000000e+02> : tensor<f32>}> : () -> tensor<f32>
      %21 = "stablehlo.compare"(%19, %20) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg3: tensor<3x5xf32>):
      %12 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
      %14 = "stablehlo.multiply"(%arg3, %13) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
      %17 = "stablehlo.add"(%14, %16) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      "stablehlo.return"(%17) : (tensor<3x5xf32>) -> ()
    }) : (tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%10#2, %11) : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<3x5xf32>) -> (tensor<i32>, tensor<3x5xf32>), sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<1.100000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %4 = "stablehlo.multiply"(%arg1, %3) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %5 = "stablehlo.convert"(%arg0) : (tensor<i32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    "func.return"(%1, %7) : (tensor<i32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    return %0 : tensor<3x5xf32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.125348949e+01, 1.083824348e+01, 1.208240700e+01, 1.121994305e+01, 1.018829918e+01], [1.163335323e+01, 1.315110588e+01, 1.257628345e+01, 9.917627335e+00, 9.013026237e+00], [1.004721069e+01, 1.111755657e+01, 7.306514263e+00, 1.069863415e+01, 9.044447899e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[1.701168442e+01, 1.288632202e+01, 2.524676132e+01, 1.667840195e+01, 6.429289818e+00], [2.078552055e+01, 3.586399841e+01, 3.015329552e+01, 3.740236282e+00, -5.246744156e+00], [5.027608871e+00, 1.566121578e+01, -2.220049286e+01, 1.149933338e+01, -4.934576035e+00]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @branches {
  "func.func"() <{function_type = (tensor<3x5xf32>, tensor<i32>) -> (tensor<3x5xf32>, tensor<3x5xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xf32>, %arg1: tensor<i32>):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x5xf32>) -> tensor<1x1xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<1x1xf32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.compare"(%1, %2) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = "stablehlo.convert"(%3) : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %17 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
      %19 = "stablehlo.multiply"(%arg0, %18) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      "stablehlo.return"(%19) : (tensor<3x5xf32>) -> ()
    }, {
      %14 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
      %16 = "stablehlo.add"(%arg0, %15) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      "stablehlo.return"(%16) : (tensor<3x5xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3x5xf32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %8 = "stablehlo.clamp"(%6, %arg1, %7) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %9 = "stablehlo.case"(%8) ({
      %11 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x5xf32>
      %13 = "stablehlo.add"(%arg0, %12) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      "stablehlo.return"(%13) : (tensor<3x5xf32>) -> ()
    }, {
      %10 = "stablehlo.negate"(%arg0) : (tensor<3x5xf32>) -> tensor<3x5xf32>
      "stablehlo.return"(%10) : (tensor<3x5xf32>) -> ()
    }) : (tensor<i32>) -> tensor<3x5xf32>
    "func.return"(%5, %9) : (tensor<3x5xf32>, tensor<3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x5xf32>, tensor<i32>) {
    %0 = arith.constant dense<[[1.257302165e-01, -1.321048588e-01, 6.404226422e-01, 1.049001142e-01, -5.356693864e-01], [3.615950644e-01, 1.304000020e+00, 9.470809698e-01, -7.037352324e-01, -1.265421510e+00], [-6.232744455e-01, 4.132597893e-02, -2.325030804e+00, -2.187916636e-01, -1.245911002e+00]]> : tensor<3x5xf32>
    %1 = arith.constant dense<9> : tensor<i32>
    return %0, %1 : tensor<3x5xf32>, tensor<i32>
  }
  func.func @results() -> (tensor<3x5xf32>, tensor<3x5xf32>) {
    %0 = arith.constant dense<[[1.125730276e+00, 8.678951263e-01, 1.640422583e+00, 1.104900122e+00, 4.643306136e-01], [1.361595035e+00, 2.303999901e+00, 1.947080970e+00, 2.962647676e-01, -2.654215097e-01], [3.767255545e-01, 1.041325927e+00, -1.325030804e+00, 7.812083364e-01, -2.459110022e-01]]> : tensor<3x5xf32>
    %1 = arith.constant dense<[[-1.257302165e-01, 1.321048588e-01, -6.404226422e-01, -1.049001142e-01, 5.356693864e-01], [-3.615950644e-01, -1.304000020e+00, -9.470809698e-01, 7.037352324e-01, 1.265421510e+00], [6.232744455e-01, -4.132597893e-02, 2.325030804e+00, 2.187916636e-01, 1.245911002e+00]]> : tensor<3x5xf32>
    return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
  }
}

// -----
module @residual_network {
  "func.func"() <{function_type = (tensor<1x9x9x3xf32>, tensor<3x3x3x4xf32>, tensor<1x1x4x4xf32>, tensor<3x3x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<1x5xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<1x9x9x3xf32>, %arg3: tensor<3x3x3x4xf32>, %arg4: tensor<1x1x4x4xf32>, %arg5: tensor<3x3x4x4xf32>, %arg6: tensor<4xf32>, %arg7: tensor<4xf32>, %arg8: tensor<4xf32>, %arg9: tensor<4x5xf32>, %arg10: tensor<5xf32>):
    %6 = "stablehlo.convolution"(%arg2, %arg3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 2], [1, 2]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x9x9x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x5x5x4xf32>
    %7 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 3>}> : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x4xf32>) -> tensor<1x5x5x4xf32>
    %9 = "stablehlo.subtract"(%6, %8) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    %10 = "stablehlo.multiply"(%arg7, %arg7) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %13 = "stablehlo.add"(%10, %12) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %14 = "stablehlo.rsqrt"(%13) : (tensor<4xf32>) -> tensor<4xf32>
    %15 = "stablehlo.multiply"(%14, %arg8) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 3>}> : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x4xf32>) -> tensor<1x5x5x4xf32>
    %18 = "stablehlo.multiply"(%9, %17) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    %19 = "func.call"(%18) <{callee = @relu}> : (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    %20 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.reduce_window"(%19, %21) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>):
      %49 = "stablehlo.maximum"(%arg13, %arg14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%49) : (tensor<f32>) -> ()
    }) : (tensor<1x5x5x4xf32>, tensor<f32>) -> tensor<1x2x2x4xf32>
    %23 = "stablehlo.convolution"(%22, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x2x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x2x2x4xf32>
    %24 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 3>}> : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x4xf32>) -> tensor<1x2x2x4xf32>
    %26 = "stablehlo.subtract"(%23, %25) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %27 = "stablehlo.multiply"(%arg7, %arg7) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %28 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
    %30 = "stablehlo.add"(%27, %29) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %31 = "stablehlo.rsqrt"(%30) : (tensor<4xf32>) -> tensor<4xf32>
    %32 = "stablehlo.multiply"(%31, %arg8) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %33 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64: 3>}> : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x4xf32>) -> tensor<1x2x2x4xf32>
    %35 = "stablehlo.multiply"(%26, %34) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %36 = "func.call"(%35) <{callee = @relu_0}> : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %37 = "stablehlo.convolution"(%36, %arg5) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x2x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x2x2x4xf32>
    %38 = "stablehlo.add"(%37, %22) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %39 = "func.call"(%38) <{callee = @relu_0}> : (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    %40 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.reduce"(%39, %40) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %48 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<1x2x2x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %42 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4xf32>
    %44 = "stablehlo.divide"(%41, %43) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %45 = "stablehlo.dot_general"(%44, %arg9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x4xf32>, tensor<4x5xf32>) -> tensor<1x5xf32>
    %46 = "stablehlo.broadcast_in_dim"(%arg10) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %47 = "stablehlo.add"(%45, %46) : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
    "func.return"(%47) : (tensor<1x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x5x5x4xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x5x4xf32>
    %5 = "stablehlo.maximum"(%arg1, %4) : (tensor<1x5x5x4xf32>, tensor<1x5x5x4xf32>) -> tensor<1x5x5x4xf32>
    "func.return"(%5) : (tensor<1x5x5x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>, sym_name = "relu_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x2x2x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x2x4xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
    "func.return"(%2) : (tensor<1x2x2x4xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x9x9x3xf32>, tensor<3x3x3x4xf32>, tensor<1x1x4x4xf32>, tensor<3x3x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<5xf32>) {
    %0 = arith.constant dense<[[[[-1.609313369e+00, 9.329052567e-01, 2.711284161e-01], [4.944997430e-01, 1.452474952e+00, 6.686246395e-01], [5.845627785e-01, 7.492738962e-01, -1.064571857e+00], [-3.446513414e-02, -1.206261516e+00, -8.999131322e-01], [-9.181649983e-02, 1.061887622e+00, 2.058213949e+00], [-1.085193157e+00, 1.733304113e-01, -7.091043890e-02], [5.272356272e-01, 5.824098587e-01, 3.624211550e-01], [-9.671765566e-01, 3.946754336e-01, 8.923267126e-01], [-5.133908391e-01, 1.978164911e+00, -2.349131852e-01]], [[-6.338601708e-01, 2.963790298e-01, -2.575894892e-01], [-1.367172837e+00, -2.615678683e-02, 1.595702410e+00], [2.002532244e+00, -5.670414567e-01, 9.052746296e-01], [1.325294524e-01, 2.838866413e-01, 1.267371178e+00], [8.520715237e-01, 1.543204188e-01, -9.287442565e-01], [-1.123980880e+00, -6.401810795e-02, 3.236133158e-01], [5.031719208e-01, 7.819693685e-01, 9.795851111e-01], [-2.403076649e+00, 9.034403563e-01, -1.047447801e+00], [1.114068627e+00, 3.366443217e-01, 6.305598021e-01]], [[-5.409257412e-01, 2.826513350e-01, -1.867212534e+00], [1.095246673e+00, -3.308387399e-01, -2.589080334e+00], [1.061483502e+00, 1.676773667e+00, -8.761295080e-01], [1.212709904e+00, -7.497554421e-01, -2.266520739e+00], [-3.578924835e-01, 3.261364400e-01, 1.335511357e-01], [1.035979465e-01, 2.964228690e-01, 2.165556699e-01], [-2.160383016e-01, -6.013813615e-01, -2.658008337e-01], [-3.516725600e-01, -3.029226363e-01, -1.102953434e+00], [-5.425943732e-01, 8.222618699e-02, 3.094189167e-01]], [[-6.402894855e-02, -1.836599112e-01, 5.344498754e-01], [8.144686818e-01, 6.800798774e-01, -1.749909043e+00], [-4.554050863e-01, 7.056545615e-01, 5.153973103e-01], [6.798105836e-01, 3.143514991e-01, -8.535367846e-01], [1.222564578e+00, -1.359588861e+00, 9.857577682e-01], [-1.637513191e-02, -1.472654223e+00, -3.961588144e-01], [1.203751802e+00, -5.884016752e-01, -1.210602403e+00], [-2.887902856e-01, -8.180749416e-01, -1.250599980e+00], [4.375377595e-01, 7.981722951e-01, -5.517314076e-01]], [[5.236229300e-01, -3.870270252e-01, -9.971413016e-02], [1.234024093e-01, 1.493283510e+00, 5.075588822e-01], [-9.991130829e-01, 5.158292651e-01, -2.211882770e-01], [-4.663604200e-01, -8.397613764e-01, -2.626026236e-02], [-6.013243645e-02, -4.021823704e-01, -1.391147375e+00], [-1.707172275e+00, 1.279844940e-01, 1.782047600e-01], [2.183128595e+00, -1.786630154e-01, 1.021424055e+00], [1.195203781e+00, -6.106675416e-02, 7.680100203e-02], [-4.298437238e-01, 1.775159240e+00, -1.508432150e+00]], [[-3.964614868e-02, 1.384122968e+00, -1.076800600e-01], [-5.709375143e-01, 2.328826338e-01, 5.269880295e-01], [5.674430728e-01, 2.816433012e-01, 7.500911355e-01], [9.457010627e-01, -1.106882930e+00, -3.788918257e-01], [8.696913123e-01, 4.886200130e-01, 2.346001118e-01], [6.724789143e-01, 9.521537423e-01, -8.580470681e-01], [-1.226944447e+00, -1.153681517e+00, 1.858674169e+00], [-1.054432631e+00, -2.345871180e-01, -1.854782999e-01], [1.031060219e+00, -1.738321066e+00, -3.926821053e-02]], [[1.214388371e+00, 1.114899755e+00, 4.093119800e-01], [-2.609390914e-01, 1.757683396e+00, -1.671947122e+00], [9.809852839e-01, 5.081778765e-01, 5.910366774e-01], [2.658088207e-01, 2.051801533e-01, 9.307879806e-01], [-1.153044820e+00, -1.246551991e+00, 1.624532342e-01], [5.215079337e-02, 1.636601686e-01, 1.590433002e+00], [-5.793093443e-01, 7.513187528e-01, 3.844476938e-01], [2.366562366e+00, -1.402186632e+00, -5.460070968e-01], [-4.567900300e-01, 1.320602894e+00, -8.199185729e-01]], [[1.657943010e+00, 1.598108292e+00, 8.656126261e-01], [4.373760521e-01, -1.556178212e+00, 1.821494997e-01], [-1.430671692e+00, -3.626264036e-01, 2.031007260e-01], [-3.088713884e-01, 9.508056045e-01, -1.291761398e-01], [-1.548582196e+00, -1.060057282e+00, -1.273908377e+00], [-3.164303899e-01, 1.247584820e+00, 5.057460666e-01], [3.395094573e-01, -1.285381436e+00, 2.369163752e+00], [-2.826316282e-02, 2.416912556e+00, -8.674214482e-01], [-5.678464770e-01, 2.599661589e+00, -1.074993968e+00]], [[4.187058210e-01, -3.382052779e-01, -8.134123683e-01], [2.161079645e+00, -1.004131079e+00, 8.974350095e-01], [1.104312539e+00, -1.011801481e+00, -1.897225261e+00], [-1.780639887e+00, -7.995834947e-01, 2.226646692e-01], [3.354421258e-01, -1.890465766e-01, -1.053065881e-01], [9.740473628e-01, 7.681529522e-01, 3.787542284e-01], [-6.169671416e-01, 7.775727510e-01, 1.812096834e-01], [-7.478351593e-01, -5.768958926e-01, 1.228647709e+00], [1.845381975e+00, -5.297267437e-01, -2.078068256e+00]]]]> : tensor<1x9x9x3xf32>
    %1 = arith.constant dense<[[[[5.874637365e-01, -9.032628536e-01, 7.324981689e-01, -3.759572804e-01], [2.229598522e+00, 1.122445017e-01, 9.028506875e-01, -1.215053678e+00], [-2.819291353e+00, 1.353311241e-01, 2.619630992e-01, 7.202996612e-01]], [[-5.538114309e-01, -1.291838527e+00, -1.600495338e+00, 5.531409383e-01], [7.102909088e-01, -8.757583499e-01, -5.280346274e-01, -7.281854153e-01], [-1.895207524e+00, 1.991156042e-01, 8.460161090e-01, -2.233497053e-01]], [[-1.422472358e+00, -1.983218789e-01, 1.364422679e+00, 2.129906178e+00], [2.690971494e-01, -7.889410257e-01, -1.985575438e+00, -1.545936108e+00], [-8.888754994e-02, 2.257654369e-01, 2.566399276e-01, -2.629774511e-01]]], [[[-1.543222070e+00, -1.576455951e+00, 1.473243684e-01, -8.245678544e-01], [1.304835558e+00, -1.458912730e+00, 1.687097907e+00, -6.664961576e-01], [2.231889963e-01, 2.231619358e-01, -3.440075517e-01, -2.013482809e+00]], [[-4.823953807e-01, 1.522460222e+00, -1.280793309e+00, -1.842109203e+00], [-2.188735008e-01, -4.123870730e-01, -1.292841792e+00, -7.525727153e-01], [-4.810790718e-01, -4.128744602e-01, 1.627738178e-01, 7.066632509e-01]], [[3.870749176e-01, 3.417487442e-01, 1.680142999e+00, 1.095303178e+00], [-2.912840128e+00, -3.631618321e-01, -1.576550245e+00, -6.891364455e-01], [7.710738778e-01, -2.011861205e-01, -4.283892512e-01, 1.316971540e+00]]], [[[-1.503777981e+00, -9.381435066e-02, 5.487588644e-01, 2.413470484e-02], [-1.163275242e+00, -2.256756276e-02, 8.075121641e-01, 3.572499752e-01], [3.176914155e-01, 3.074480295e-01, 1.351916939e-01, -1.241260767e+00]], [[-3.091021776e-01, 4.308376908e-01, -3.114509106e+00, 7.571779490e-01], [3.374244571e-01, -1.084179759e+00, -7.463501096e-01, -2.038412988e-01], [4.134349525e-01, -3.740266562e-01, 1.167003155e+00, 4.131256044e-01]], [[-7.865713835e-01, -4.711819291e-01, 2.275796235e-01, 7.283740044e-01], [6.800155044e-01, -9.759375453e-02, 1.494950503e-01, -2.510104142e-02], [8.219899535e-01, -9.862444997e-01, 6.028426886e-01, -1.852403045e+00]]]]> : tensor<3x3x3x4xf32>
    %2 = arith.constant dense<[[[[4.510329664e-01, 2.562128305e-01, -3.741519176e-04, -2.132609367e+00], [1.566724062e+00, 8.984111547e-01, 2.544833347e-02, 4.587073326e-01], [-9.393821359e-01, 5.122731328e-01, 1.560087204e+00, -1.178085566e+00], [2.692757368e+00, -4.369289577e-01, 8.274078965e-01, -8.261107802e-01]]]]> : tensor<1x1x4x4xf32>
    %3 = arith.constant dense<[[[[3.904056251e-01, -1.273939371e+00, -6.589940190e-01, -2.285772860e-01], [-6.558216214e-01, -2.414299697e-01, 9.759528637e-01, -1.277085185e+00], [-1.195753217e+00, 4.705925658e-02, -5.641896725e-01, -1.003749013e+00], [1.320327967e-01, -5.643668771e-01, 3.361401856e-01, -3.976007178e-02]], [[-2.012149096e-01, -6.823995709e-02, 1.023240447e+00, 1.314104438e+00], [-1.596042961e-01, -1.029967546e+00, -1.511291623e+00, -2.233578205e+00], [-1.175955892e+00, -8.523197174e-01, -5.253554881e-02, -1.880538821e+00], [1.429691195e+00, 1.063555717e+00, 1.245170355e+00, -5.128902197e-01]], [[2.440012544e-01, -9.473643303e-01, 1.549809575e+00, -1.213025093e+00], [-5.136253238e-01, 1.423415899e+00, 2.489812136e+00, -9.172648191e-02], [-4.142342210e-01, -2.507132053e+00, 1.710451961e+00, 3.081821799e-01], [-1.883940816e+00, 8.713569045e-01, 6.138812900e-01, -3.543996215e-01]]], [[[-5.578363538e-01, 7.301253080e-01, 2.339453399e-01, 4.868336320e-01], [1.226494789e+00, 1.193189979e+00, 7.605131269e-01, 5.852847099e-01], [-1.278184772e+00, -1.115459204e+00, 8.185226917e-01, 6.472027898e-01], [5.181817412e-01, 8.403471708e-01, -5.540033579e-01, 5.649234056e-01]], [[-9.888809919e-01, 6.238013878e-02, 9.293259382e-01, -6.768644452e-01], [1.952907920e+00, 1.134079456e+00, 1.372107148e+00, -2.111563981e-01], [-1.388949394e+00, -6.985898018e-01, 5.516669750e-01, -2.790030241e-01], [7.213651538e-01, 1.504549235e-01, -5.897537470e-01, 9.342153072e-01]], [[1.351744652e+00, -7.321491838e-01, 5.119076371e-01, 1.565941721e-01], [2.808796465e-01, -1.041074619e-01, -1.252681375e+00, 1.409523726e+00], [-1.043591857e+00, -8.706263304e-01, 6.562705636e-01, 1.798747927e-01], [-7.960370183e-01, -6.575473547e-01, -1.586974859e-01, -4.360821843e-01]]], [[[6.465263367e-01, -1.164219141e+00, 3.633206785e-01, 1.530534863e+00], [2.013621926e-01, -8.882933855e-01, -7.230384946e-01, 4.366447777e-02], [-6.242141128e-01, 1.234602213e+00, -1.840383649e+00, 1.638962865e+00], [-2.024989843e+00, -4.100887477e-02, -1.082972169e+00, 8.201832175e-01]], [[-7.740336657e-01, -1.133067846e+00, -3.400249779e-01, -4.110087156e-01], [-1.935030103e+00, 4.545161426e-01, -2.392625570e+00, 1.176337361e+00], [-3.300648630e-01, 9.530068040e-01, -6.005581617e-01, -7.931070924e-01], [6.517481208e-01, -5.841397643e-01, -1.547606111e+00, -8.707687259e-02]], [[-1.377069592e+00, -1.290722191e-02, 1.378939509e+00, 9.626683593e-01], [1.851731096e-03, -1.657187343e-01, -3.167853951e-01, -6.375454068e-01], [3.550738692e-01, -1.578850895e-01, -3.816991448e-01, 2.700477540e-01], [-2.018376827e+00, 1.956480145e+00, 6.301338673e-01, -1.393763304e+00]]]]> : tensor<3x3x4x4xf32>
    %4 = arith.constant dense<[1.150465086e-01, -1.129085183e+00, -5.392683148e-01, -8.951094151e-01]> : tensor<4xf32>
    %5 = arith.constant dense<[1.091860890e+00, -1.920733452e+00, -3.543933928e-01, -1.649062991e+00]> : tensor<4xf32>
    %6 = arith.constant dense<[-2.044962160e-02, -3.177080154e-01, -1.406719923e+00, 1.439734459e+00]> : tensor<4xf32>
    %7 = arith.constant dense<[[1.563442945e+00, -5.641825199e-01, 5.219281912e-01, -1.488066763e-01, 2.434407026e-01], [1.532130957e+00, -2.686406076e-01, 1.792167425e+00, -2.881948650e-01, -9.355393797e-02], [1.889317393e+00, 2.752172053e-01, -2.031941652e+00, 2.248028815e-01, -1.281853199e+00], [-1.662602901e+00, -9.426428676e-01, 3.260803819e-01, -1.113367677e+00, -1.401258469e+00]]> : tensor<4x5xf32>
    %8 = arith.constant dense<[-3.797615469e-01, 4.046106339e-01, -6.963782907e-01, -1.306436419e+00, -2.172692537e+00]> : tensor<5xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<1x9x9x3xf32>, tensor<3x3x3x4xf32>, tensor<1x1x4x4xf32>, tensor<3x3x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<5xf32>
  }
  func.func @results() -> (tensor<1x5xf32>) {
    %0 = arith.constant dense<[[6.220706177e+01, 5.064649582e+00, -7.619652557e+01, 3.590942621e-01, -6.004729080e+01]]> : tensor<1x5xf32>
    return %0 : tensor<1x5xf32>
  }
}

// -----
module @depthwise_network {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>, tensor<3x3x1x3xf32>, tensor<1x1x3x5xf32>, tensor<5x4xf32>) -> tensor<1x4xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<1x7x6x3xf32>, %arg3: tensor<3x3x1x3xf32>, %arg4: tensor<1x1x3x5xf32>, %arg5: tensor<5x4xf32>):
    %6 = "stablehlo.convolution"(%arg2, %arg3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<1x7x6x3xf32>, tensor<3x3x1x3xf32>) -> tensor<1x4x3x3xf32>
    %7 = "func.call"(%6) <{callee = @relu}> : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %8 = "stablehlo.constant"() <{value = dense<6.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x3xf32>
    %10 = "stablehlo.minimum"(%7, %9) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %11 = "stablehlo.convolution"(%10, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x3x3xf32>, tensor<1x1x3x5xf32>) -> tensor<1x4x3x5xf32>
    %12 = "func.call"(%11) <{callee = @relu_0}> : (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.reduce"(%12, %13) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %19 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%19) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x5xf32>, tensor<f32>) -> tensor<1x5xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.200000e+01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5xf32>
    %17 = "stablehlo.divide"(%14, %16) : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
    %18 = "stablehlo.dot_general"(%17, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<1x5xf32>, tensor<5x4xf32>) -> tensor<1x4xf32>
    "func.return"(%18) : (tensor<1x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>, sym_name = "relu", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x4x3x3xf32>):
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x3xf32>
    %5 = "stablehlo.maximum"(%arg1, %4) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    "func.return"(%5) : (tensor<1x4x3x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>, sym_name = "relu_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x4x3x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x5xf32>
    %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
    "func.return"(%2) : (tensor<1x4x3x5xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>, tensor<3x3x1x3xf32>, tensor<1x1x3x5xf32>, tensor<5x4xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[-7.762024999e-01, 8.443084359e-01, 1.002090216e+00]], [[7.898114324e-01, -1.752912402e-01, 1.293513775e-01]], [[1.267703414e+00, -8.686774373e-01, 3.640755713e-01]]], [[[-1.870896339e+00, 6.822976470e-01, -4.510430396e-01]], [[-1.155631423e+00, 7.728339434e-01, -1.111234903e+00]], [[-8.672816753e-01, 1.536818385e+00, -1.046025038e+00]]], [[[-6.560050249e-01, -6.832544804e-01, 7.848009467e-01]], [[-1.835911751e+00, 1.250395656e+00, -2.433538586e-01]], [[-3.168663681e-01, -8.966814280e-01, -1.454513222e-01]]]]> : tensor<3x3x1x3xf32>
    %2 = arith.constant dense<[[[[1.470393538e+00, 2.128523886e-01, -9.325401783e-01, -3.473551571e-01, 5.344530940e-01], [8.532506973e-02, -2.573105991e-01, 6.045728922e-01, 3.610866964e-01, -1.077715993e+00], [-1.914916396e+00, 5.004882216e-01, 1.857444167e+00, -8.207314014e-01, -1.410117149e-01]]]]> : tensor<1x1x3x5xf32>
    %3 = arith.constant dense<[[1.354081392e+00, 1.739633918e+00, 6.523589045e-02, 1.249725223e+00], [7.506339550e-01, -5.558157563e-01, -2.018811703e+00, -9.094275832e-01], [3.692293167e-01, 4.192548394e-01, -5.022445321e-01, -8.576999307e-01], [-1.600305200e+00, -1.680333734e+00, -1.221201196e-01, -1.574733973e+00], [-1.510598976e-02, -7.979808450e-01, -4.261645377e-01, 2.125367641e+00]]> : tensor<5x4xf32>
    return %0, %1, %2, %3 : tensor<1x7x6x3xf32>, tensor<3x3x1x3xf32>, tensor<1x1x3x5xf32>, tensor<5x4xf32>
  }
  func.func @results() -> (tensor<1x4xf32>) {
    %0 = arith.constant dense<[[3.526685476e+00, 3.184951782e+00, -1.593371511e+00, 3.087488174e+00]]> : tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}

// -----
module @encoder_layer {
  "func.func"() <{function_type = (tensor<1x5x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x12xf32>, tensor<12xf32>, tensor<12x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x5x8xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x5x8xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<8x2x4xf32>, %arg4: tensor<2x4x8xf32>, %arg5: tensor<8x12xf32>, %arg6: tensor<12xf32>, %arg7: tensor<12x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %107 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%107) : (tensor<f32>) -> ()
    }) : (tensor<1x5x8xf32>, tensor<f32>) -> tensor<1x5xf32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<1x5x1xf32>
    %3 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %5 = "stablehlo.divide"(%2, %4) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x5x1xf32>) -> tensor<1x5x8xf32>
    %7 = "stablehlo.subtract"(%arg0, %6) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %8 = "stablehlo.multiply"(%7, %7) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.reduce"(%8, %9) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %106 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%106) : (tensor<f32>) -> ()
    }) : (tensor<1x5x8xf32>, tensor<f32>) -> tensor<1x5xf32>
    %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<1x5x1xf32>
    %12 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %14 = "stablehlo.divide"(%11, %13) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %15 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %17 = "stablehlo.add"(%14, %16) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %18 = "stablehlo.rsqrt"(%17) : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x5x1xf32>) -> tensor<1x5x8xf32>
    %20 = "stablehlo.multiply"(%7, %19) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %21 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 2>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xf32>) -> tensor<1x5x8xf32>
    %23 = "stablehlo.multiply"(%20, %22) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %24 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 2>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xf32>) -> tensor<1x5x8xf32>
    %26 = "stablehlo.add"(%23, %25) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %27 = "stablehlo.dot_general"(%26, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<1x5x8xf32>, tensor<8x2x4xf32>) -> tensor<1x5x2x4xf32>
    %28 = "stablehlo.dot_general"(%26, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<1x5x8xf32>, tensor<8x2x4xf32>) -> tensor<1x5x2x4xf32>
    %29 = "stablehlo.dot_general"(%26, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<1x5x8xf32>, tensor<8x2x4xf32>) -> tensor<1x5x2x4xf32>
    %30 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x2x4xf32>
    %32 = "stablehlo.divide"(%27, %31) : (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) -> tensor<1x5x2x4xf32>
    %33 = "stablehlo.dot_general"(%32, %28) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<1x5x2x4xf32>, tensor<1x5x2x4xf32>) -> tensor<1x2x5x5xf32>
    %34 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.reduce"(%33, %34) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %105 = "stablehlo.maximum"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%105) : (tensor<f32>) -> ()
    }) : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %36 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x2x5xf32>
    %38 = "stablehlo.maximum"(%37, %35) : (tensor<1x2x5xf32>, tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %41 = "stablehlo.subtract"(%33, %40) : (tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
    %42 = "stablehlo.exponential"(%41) : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.reduce"(%42, %43) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %104 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%104) : (tensor<f32>) -> ()
    }) : (tensor<1x2x5x5xf32>, tensor<f32>) -> tensor<1x2x5xf32>
    %45 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x2x5xf32>) -> tensor<1x2x5x1xf32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x2x5x1xf32>) -> tensor<1x2x5x5xf32>
    %47 = "stablehlo.divide"(%42, %46) : (tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
    %48 = "stablehlo.dot_general"(%29, %47) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>}> : (tensor<1x5x2x4xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x4x5xf32>
    %49 = "stablehlo.transpose"(%48) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<1x2x4x5xf32>) -> tensor<1x5x2x4xf32>
    %50 = "stablehlo.dot_general"(%49, %arg4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [3, 2], rhs_contracting_dimensions = [1, 0]>}> : (tensor<1x5x2x4xf32>, tensor<2x4x8xf32>) -> tensor<1x5x8xf32>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.reduce"(%51, %52) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %103 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%103) : (tensor<f32>) -> ()
    }) : (tensor<1x5x8xf32>, tensor<f32>) -> tensor<1x5xf32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<1x5x1xf32>
    %55 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %57 = "stablehlo.divide"(%54, %56) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x5x1xf32>) -> tensor<1x5x8xf32>
    %59 = "stablehlo.subtract"(%51, %58) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %60 = "stablehlo.multiply"(%59, %59) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %61 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %62 = "stablehlo.reduce"(%60, %61) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %102 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%102) : (tensor<f32>) -> ()
    }) : (tensor<1x5x8xf32>, tensor<f32>) -> tensor<1x5xf32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x5xf32>) -> tensor<1x5x1xf32>
    %64 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %66 = "stablehlo.divide"(%63, %65) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %67 = "stablehlo.constant"() <{value = dense<9.99999997E-7> : tensor<f32>}> : () -> tensor<f32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x1xf32>
    %69 = "stablehlo.add"(%66, %68) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %70 = "stablehlo.rsqrt"(%69) : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x5x1xf32>) -> tensor<1x5x8xf32>
    %72 = "stablehlo.multiply"(%59, %71) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %73 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64: 2>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xf32>) -> tensor<1x5x8xf32>
    %75 = "stablehlo.multiply"(%72, %74) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %76 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64: 2>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x8xf32>) -> tensor<1x5x8xf32>
    %78 = "stablehlo.add"(%75, %77) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %79 = "stablehlo.dot_general"(%78, %arg5) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<1x5x8xf32>, tensor<8x12xf32>) -> tensor<1x5x12xf32>
    %80 = "stablehlo.broadcast_in_dim"(%arg6) <{broadcast_dimensions = array<i64: 2>}> : (tensor<12xf32>) -> tensor<1x1x12xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x12xf32>) -> tensor<1x5x12xf32>
    %82 = "stablehlo.add"(%79, %81) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %83 = "stablehlo.multiply"(%82, %82) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %84 = "stablehlo.multiply"(%83, %82) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %85 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x12xf32>
    %87 = "stablehlo.multiply"(%86, %84) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %88 = "stablehlo.add"(%82, %87) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %89 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x12xf32>
    %91 = "stablehlo.multiply"(%90, %88) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %92 = "stablehlo.tanh"(%91) : (tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %93 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x12xf32>
    %95 = "stablehlo.add"(%94, %92) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %96 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x5x12xf32>
    %98 = "stablehlo.multiply"(%97, %95) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %99 = "stablehlo.multiply"(%82, %98) : (tensor<1x5x12xf32>, tensor<1x5x12xf32>) -> tensor<1x5x12xf32>
    %100 = "stablehlo.dot_general"(%99, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<1x5x12xf32>, tensor<12x8xf32>) -> tensor<1x5x8xf32>
    %101 = "stablehlo.add"(%51, %100) : (tensor<1x5x8xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    "func.return"(%101) : (tensor<1x5x8xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x5x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x12xf32>, tensor<12xf32>, tensor<12x8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %0 = arith.constant dense<[[[4.826252908e-02, -3.435529172e-01, -1.733358353e-01, -1.473657250e+00, 1.339149237e+00, 8.478164077e-01, -5.319951177e-01, 2.292881757e-01], [-6.715777516e-01, 3.962812424e-01, -1.342972755e+00, 2.674707174e-01, 1.501269817e+00, 4.462812841e-01, -5.900893807e-01, 9.497699738e-01], [1.950543046e+00, 7.309340239e-01, 9.723401070e-02, -8.022183180e-01, 4.356390238e-01, 1.922266722e+00, -2.016880274e+00, 9.772894382e-01], [1.477918774e-01, 1.513356686e+00, -1.279350221e-01, -2.163722515e+00, 1.991437435e+00, -1.159382939e+00, 8.003202081e-01, -1.275702864e-01], [-3.958629444e-02, 1.376238614e-01, -5.458660722e-01, 1.865838617e-01, 3.076750338e-01, 8.016005754e-01, 1.250215173e-01, 3.186921477e-01]]]> : tensor<1x5x8xf32>
    %1 = arith.constant dense<[[[1.328184485e+00, -9.020218253e-01, 7.014389336e-02, 4.783125222e-01], [1.035436392e+00, -6.358214468e-02, 9.934888780e-02, -3.449469209e-01]], [[1.240256071e+00, -3.211720586e-01, 6.852926016e-01, -1.018750966e-01], [3.084471449e-02, -1.223058224e+00, 5.671207979e-02, -2.964608558e-02]], [[-1.483600497e+00, -7.404403687e-01, -4.538522959e-01, -1.528704643e+00], [-1.217163801e+00, 1.469563365e+00, -1.029982448e+00, -8.566780090e-01]], [[-1.395761132e+00, 1.227381945e+00, 9.182081819e-01, 3.182166219e-01], [8.424070477e-02, -4.918737411e-01, -2.844091654e-01, -6.741547585e-01]], [[6.582674384e-01, 6.921944022e-01, 9.126284122e-01, 2.048895121e+00], [7.071686387e-01, 6.345283985e-01, 1.003697991e+00, -1.542009830e+00]], [[4.732464440e-03, -1.512502909e+00, 1.577252150e+00, -4.930096269e-01], [1.773120761e+00, 1.061523080e+00, -5.522361994e-01, -1.659766436e+00]], [[-1.124017358e+00, 1.038721204e+00, -3.213025928e-01, -1.481285095e+00], [-2.247117162e-01, 1.692705989e+00, 1.609236836e+00, -4.730861485e-01]], [[3.081152141e-01, 6.127457619e-01, -1.479165196e+00, -5.329225063e-01], [-4.054133892e-01, 4.040521979e-01, -5.103013515e-01, -1.397387028e+00]]]> : tensor<8x2x4xf32>
    %2 = arith.constant dense<[[[3.242067993e-01, -6.420073509e-01, -1.227896214e+00, -1.225396752e+00], [-2.229783237e-01, 1.451057076e+00, -1.745459735e-01, 1.073125124e+00]], [[-2.246131659e+00, -8.386610746e-01, -1.257989883e+00, -2.745551765e-01], [7.701948285e-01, -5.464668274e-01, -1.244491696e+00, 9.477394223e-01]], [[-7.621325254e-01, 2.725580931e-01, -6.649972796e-01, 5.171265006e-01], [-3.835471570e-01, 7.951578498e-01, 6.210044026e-01, 2.221269369e+00]], [[-8.017440140e-02, -9.753313065e-01, -1.161117315e+00, -5.973170996e-01], [3.753142953e-01, -7.138249874e-01, 1.518967509e+00, 2.003181726e-01]], [[-9.770189524e-01, -4.629532397e-01, -6.383804679e-01, 1.782672554e-01], [-1.025373578e+00, 1.281964302e+00, -3.563093543e-01, -2.372796834e-01]], [[9.231499434e-01, -7.484719753e-01, -1.371197519e-03, 1.792213798e+00], [4.111432135e-01, 2.938229442e-01, -4.763953388e-01, -9.942400455e-01]], [[1.748809099e+00, -1.601079404e-01, 1.897991300e+00, -6.838947535e-01], [1.254952788e+00, -2.053167671e-01, 4.167817533e-01, 1.216708660e+00]], [[4.415346086e-01, 8.025770187e-01, -1.562929630e+00, -4.607015252e-01], [2.044688940e+00, -2.291364074e-01, 3.186296225e-01, -1.630897671e-01]]]> : tensor<8x2x4xf32>
    %3 = arith.constant dense<[[[-6.215780377e-01, -1.494058847e+00, -1.141741753e+00, 1.682570219e+00], [-7.906063646e-02, -1.188808680e+00, -9.040654302e-01, 8.734286427e-01]], [[-9.471499324e-01, -6.253518462e-01, -1.116633654e+00, -1.259130239e+00], [1.649061203e+00, -1.408895552e-01, -3.215069175e-01, -6.014496088e-01]], [[7.124528885e-01, 6.147132814e-02, 2.923415601e-01, 1.368658543e-01], [-3.573216796e-01, -4.808884859e-01, -1.734902143e+00, -4.917782247e-01]], [[2.163558006e+00, -1.239436626e+00, 4.371847026e-03, 3.357254267e-01], [1.194025159e+00, 2.658276558e+00, -3.967959285e-01, -8.771032691e-01]], [[1.060172200e+00, 2.130088955e-01, 2.006377935e+00, 7.253370881e-01], [-6.687971354e-01, -1.966351122e-01, 4.230388701e-01, 5.006888509e-01]], [[-1.134115338e+00, -1.924206614e+00, -1.603776813e+00, 6.171600819e-01], [-1.532382667e-01, -1.834841490e+00, -5.508402586e-01, -1.937015295e+00]], [[-2.631785274e-01, -8.653596044e-01, -5.579658151e-01, -8.435487747e-02], [1.826299727e-01, 5.955537036e-02, 1.291677713e+00, 2.401028395e+00]], [[8.519643545e-01, -1.896323860e-01, 7.519677877e-01, -7.272664905e-01], [-8.258371949e-01, -8.712446094e-01, 2.923594415e-01, 1.238505840e+00]]]> : tensor<8x2x4xf32>
    %4 = arith.constant dense<[[[2.224135876e+00, 1.324271560e+00, 6.976873875e-01, -6.883267164e-01, 7.664821297e-02, 5.434592962e-01, -1.222530827e-01, 1.862861633e+00], [-8.199507594e-01, -7.141377926e-01, 3.800449967e-01, 2.006800413e+00, -1.812742352e+00, -8.460401893e-01, 1.287903070e+00, -6.789510250e-01], [2.059094906e+00, -8.215196729e-01, 1.072325945e+00, -8.817747980e-02, 4.595589340e-01, -1.035885096e+00, -1.606207490e+00, 7.755495906e-01], [-5.293076038e-01, -9.186930656e-01, -1.105292797e+00, -1.045035720e+00, 1.353226662e+00, -9.226433039e-01, -5.424728394e-01, 1.966684461e+00]], [[-4.323158860e-01, -5.656370427e-03, 3.676508963e-01, -2.959990799e-01, -6.881266236e-01, 1.278884768e+00, 3.198307157e-01, -6.294935942e-01], [-1.385298133e+00, -1.157672048e+00, -1.024545431e+00, -2.155983925e+00, 1.173938394e+00, 1.021006927e-01, 5.366538763e-01, -1.418874264e+00], [-4.851076901e-01, -2.400995195e-01, 7.558978349e-02, -2.062859535e-01, -1.244924307e+00, 1.091849208e+00, 7.102839947e-01, 7.486002147e-02], [1.032233834e+00, 1.208103418e+00, 1.393906355e+00, 1.630253941e-01, -3.147950470e-01, -4.798119366e-01, 8.912329674e-01, -7.014648914e-01]]]> : tensor<2x4x8xf32>
    %5 = arith.constant dense<[[-9.135261178e-01, 5.543969274e-01, 5.230041742e-01, 6.365496516e-01, -8.492180705e-01, 3.007372022e-01, 9.152972102e-01, -4.798314571e-01, -2.681383491e-01, -2.979540527e-01, 1.519218326e+00, 9.008086324e-01], [-1.340569854e+00, -1.520751476e+00, 6.501107216e-01, -2.131030858e-01, 5.325724483e-01, 2.656954229e-01, 1.009600878e+00, -1.625715017e+00, -5.478630066e-01, 2.509940565e-01, 2.344695330e-01, -9.481393695e-01], [-5.271589160e-01, -5.858427882e-01, 4.467916861e-02, 7.005642653e-01, -2.754684985e-01, -1.530540586e-01, -2.094177485e+00, -1.061103463e+00, 1.852980018e+00, -1.714707613e+00, 1.364391804e+00, -2.978917956e-01], [-1.963201761e+00, 1.457684636e+00, 1.284068942e+00, -5.032482147e-01, 8.672769666e-01, -3.558945358e-01, 5.092627555e-02, 1.662694961e-01, -2.310105562e-01, 5.243726373e-01, 3.857490122e-01, -5.228849053e-01], [2.959931493e-01, -5.205875039e-01, 1.338186562e-01, -4.968695939e-01, 9.729067236e-02, 1.600645900e+00, -6.538914442e-01, -1.463127017e+00, 1.594145417e+00, 2.924444079e-01, -6.506142020e-01, -2.496499270e-01], [-9.137510657e-01, 9.378438592e-01, 7.133390307e-01, 6.285723448e-01, 2.202034295e-01, -2.050041676e+00, -1.186978340e+00, 2.844003141e-01, -2.654948950e+00, -7.925561816e-02, -1.025312424e+00, 6.332936883e-01], [-1.966013759e-01, 1.058918118e+00, 3.376546800e-01, 1.137487516e-01, -9.733395576e-01, 6.277086139e-01, 2.379282713e+00, -1.710444450e+00, -1.023734450e+00, 1.664092660e+00, 5.117912292e-01, -2.959296107e-01], [7.819784284e-01, 3.324921131e-01, -6.526219249e-01, -6.682909131e-01, 8.552752733e-01, 3.433047235e-01, 1.077682495e+00, 6.537807584e-01, -6.139953136e-01, 1.524116158e+00, -9.231629372e-01, -4.532950819e-01]]> : tensor<8x12xf32>
    %6 = arith.constant dense<[-7.827821374e-01, -1.401180148e+00, 6.225936413e-01, -1.052853227e+00, -6.842248440e-01, 9.427729249e-01, 8.652131557e-01, -6.214241982e-01, -1.308039427e+00, -1.042536497e-01, -1.597865939e+00, -1.010424256e+00]> : tensor<12xf32>
    %7 = arith.constant dense<[[-3.877762854e-01, -1.581302285e-01, -5.552302003e-01, -1.453448981e-01, 1.382040262e+00, 6.271261573e-01, 1.379226208e+00, 8.960294127e-01], [2.319816649e-01, -1.213840246e+00, -1.336087108e+00, -2.058527805e-02, -4.086076021e-01, -9.345430732e-01, 4.097046256e-01, 1.224079132e+00], [-6.808748841e-02, 8.583556116e-02, -5.469648838e-01, -6.879408956e-01, 1.973653078e+00, -1.256411076e+00, -1.612246633e-01, -4.471401572e-01], [-1.098916307e-01, 1.046333313e+00, 9.937626123e-01, -1.401119977e-01, 1.123495698e+00, -7.665471435e-01, 3.556770980e-01, 1.779512048e+00], [-5.775879622e-01, 2.051174045e-01, 1.498579979e+00, -8.424775600e-01, 6.432514638e-02, -3.148003817e-01, -1.116943121e+00, 4.042611122e-01], [-8.441290855e-01, 1.655754447e+00, 2.066119201e-02, -2.101495415e-01, 4.087179899e-02, 1.027873829e-01, -1.992242187e-01, 5.722852051e-02], [-5.748115778e-01, -4.994395077e-01, 5.270435214e-01, -2.136350393e+00, -7.994831800e-01, 8.555204608e-03, 3.423804641e-01, -3.905414939e-01], [1.362240463e-01, -3.494646847e-01, -1.860713601e+00, 9.404708743e-01, 2.679959834e-01, -9.573570490e-01, 1.474974990e+00, 6.774944663e-01], [-6.255044341e-01, 1.106566787e+00, 5.390278101e-01, 8.288747668e-01, -6.017937660e-01, -5.566334724e-01, -8.224641681e-01, -5.410584807e-01], [-2.313088417e+00, 1.083766103e+00, -1.180448174e+00, 5.697124004e-01, -1.298219323e+00, 1.168068126e-01, -1.192351699e+00, -1.987898163e-02], [-1.599696279e+00, -5.919210315e-01, 6.596407294e-01, 2.138962299e-01, 1.710458994e-01, -8.584359288e-01, -2.196532249e+00, -8.930257559e-01], [-5.109507442e-01, 1.479249001e+00, 5.695239305e-01, 3.164623678e-01, -5.818634033e-01, -7.292595506e-01, 6.406217217e-01, -3.720512390e-01]]> : tensor<12x8xf32>
    %8 = arith.constant dense<[-3.368944526e-01, 1.917854548e+00, -9.818193913e-01, -2.816057205e-01, -2.496899515e-01, -6.513330936e-01, -1.411566615e+00, 1.272350669e+00]> : tensor<8xf32>
    %9 = arith.constant dense<[-1.412446260e+00, -9.076144099e-01, 2.562652230e-01, -1.243735671e+00, -1.557997465e-01, -2.565950453e-01, -2.367500514e-01, -1.400667280e-01]> : tensor<8xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<1x5x8xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<8x12xf32>, tensor<12xf32>, tensor<12x8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func @results() -> (tensor<1x5x8xf32>) {
    %0 = arith.constant dense<[[[-3.449987888e+00, 3.705376148e+00, 2.045265436e+00, 1.425201511e+01, -3.455687284e+00, -6.069672585e+00, 1.110827065e+01, -1.070742035e+01], [-4.227661610e+00, 4.457721710e+00, 1.718110681e+00, 1.554221058e+01, -3.475894213e+00, -5.989100933e+00, 1.006206703e+01, -1.032373428e+01], [1.581301498e+01, -7.437700033e-01, 6.918064594e+00, 1.771682549e+01, -2.063733578e+00, -1.157866573e+01, 9.867362976e+00, 6.129901886e+00], [-7.170987129e-01, -2.868879080e+00, -3.917623043e+00, 1.256321335e+01, 1.595073700e+00, 8.257031441e-03, 1.112531185e+01, 3.875391245e+00], [-3.874148607e+00, 4.393168449e+00, 1.865736008e+00, 1.594108486e+01, -4.541093826e+00, -5.948374271e+00, 1.139222908e+01, -1.094519901e+01]]]> : tensor<1x5x8xf32>
    return %0 : tensor<1x5x8xf32>
  }
}

// -----
module @random {
  "func.func"() <{function_type = () -> tensor<4x5xf32>, sym_name = "main", sym_visibility = "public"}> ({
    %113 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %114 = "stablehlo.constant"() <{value = dense<32> : tensor<i32>}> : () -> tensor<i32>
    %115 = "stablehlo.shift_right_logical"(%113, %114) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %116 = "stablehlo.convert"(%115) : (tensor<i32>) -> tensor<ui32>
    %117 = "stablehlo.broadcast_in_dim"(%116) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %118 = "stablehlo.constant"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
    %119 = "stablehlo.and"(%113, %118) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %120 = "stablehlo.convert"(%119) : (tensor<i32>) -> tensor<ui32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<1xui32>
    %122 = "stablehlo.concatenate"(%117, %121) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %123 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %124 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %125 = "func.call"(%122, %123, %124) <{callee = @_uniform}> : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>
    "func.return"(%125) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x5xf32>, sym_name = "_uniform", sym_visibility = "private"}> ({
  ^bb0(%arg30: tensor<2xui32>, %arg31: tensor<f32>, %arg32: tensor<f32>):
    %72 = "stablehlo.convert"(%arg31) : (tensor<f32>) -> tensor<f32>
    %73 = "stablehlo.convert"(%arg32) : (tensor<f32>) -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %75 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %76 = "stablehlo.slice"(%arg30) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %77 = "stablehlo.reshape"(%76) : (tensor<1xui32>) -> tensor<ui32>
    %78 = "stablehlo.slice"(%arg30) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xui32>) -> tensor<1xui32>
    %79 = "stablehlo.reshape"(%78) : (tensor<1xui32>) -> tensor<ui32>
    %80 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x5xui64>
    %81 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xui64>
    %82 = "stablehlo.constant"() <{value = dense<5> : tensor<ui64>}> : () -> tensor<ui64>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %84 = "stablehlo.multiply"(%83, %80) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %85 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %87 = "stablehlo.multiply"(%86, %81) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %88 = "stablehlo.add"(%84, %87) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %89 = "stablehlo.constant"() <{value = dense<32> : tensor<ui64>}> : () -> tensor<ui64>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<4x5xui64>
    %91 = "stablehlo.shift_right_logical"(%88, %90) : (tensor<4x5xui64>, tensor<4x5xui64>) -> tensor<4x5xui64>
    %92 = "stablehlo.convert"(%88) : (tensor<4x5xui64>) -> tensor<4x5xui32>
    %93 = "stablehlo.convert"(%91) : (tensor<4x5xui64>) -> tensor<4x5xui32>
    %94:2 = "func.call"(%77, %79, %93, %92) <{callee = @threefry2x32}> : (tensor<ui32>, tensor<ui32>, tensor<4x5xui32>, tensor<4x5xui32>) -> (tensor<4x5xui32>, tensor<4x5xui32>)
    %95 = "stablehlo.xor"(%94#0, %94#1) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %96 = "stablehlo.constant"() <{value = dense<9> : tensor<ui32>}> : () -> tensor<ui32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %98 = "stablehlo.shift_right_logical"(%95, %97) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %99 = "stablehlo.constant"() <{value = dense<1065353216> : tensor<ui32>}> : () -> tensor<ui32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %101 = "stablehlo.or"(%98, %100) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %102 = "stablehlo.bitcast_convert"(%101) : (tensor<4x5xui32>) -> tensor<4x5xf32>
    %103 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %105 = "stablehlo.subtract"(%102, %104) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %106 = "stablehlo.subtract"(%75, %74) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %108 = "stablehlo.multiply"(%105, %107) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %109 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %110 = "stablehlo.add"(%108, %109) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %111 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xf32>) -> tensor<4x5xf32>
    %112 = "stablehlo.maximum"(%111, %110) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    "func.return"(%112) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<ui32>, tensor<ui32>, tensor<4x5xui32>, tensor<4x5xui32>) -> (tensor<4x5xui32>, tensor<4x5xui32>), sym_name = "threefry2x32", sym_visibility = "private"}> ({
  ^bb0(%arg8: tensor<ui32>, %arg9: tensor<ui32>, %arg10: tensor<4x5xui32>, %arg11: tensor<4x5xui32>):
    %55 = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %56 = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}> : () -> tensor<4xui32>
    %57 = "stablehlo.xor"(%arg8, %arg9) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %58 = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}> : () -> tensor<ui32>
    %59 = "stablehlo.xor"(%57, %58) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %60 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %61 = "stablehlo.add"(%arg10, %60) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %62 = "stablehlo.broadcast_in_dim"(%arg9) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %63 = "stablehlo.add"(%arg11, %62) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66:9 = "stablehlo.while"(%65, %64, %61, %63, %arg9, %59, %arg8, %55, %56) ({
    ^bb0(%arg21: tensor<i32>, %arg22: tensor<i32>, %arg23: tensor<4x5xui32>, %arg24: tensor<4x5xui32>, %arg25: tensor<ui32>, %arg26: tensor<ui32>, %arg27: tensor<ui32>, %arg28: tensor<4xui32>, %arg29: tensor<4xui32>):
      %70 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %71 = "stablehlo.compare"(%arg21, %70) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%71) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<i32>, %arg14: tensor<4x5xui32>, %arg15: tensor<4x5xui32>, %arg16: tensor<ui32>, %arg17: tensor<ui32>, %arg18: tensor<ui32>, %arg19: tensor<4xui32>, %arg20: tensor<4xui32>):
      %67:8 = "func.call"(%arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20) <{callee = @closed_call}> : (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %68 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %69 = "stablehlo.add"(%arg12, %68) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%69, %67#0, %67#1, %67#2, %67#3, %67#4, %67#5, %67#6, %67#7) : (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
    }) : (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    "func.return"(%66#2, %66#3) : (tensor<4x5xui32>, tensor<4x5xui32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>), sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<4x5xui32>, %arg2: tensor<4x5xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %3 = "stablehlo.reshape"(%2) : (tensor<1xui32>) -> tensor<ui32>
    %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %5 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %6 = "stablehlo.shift_left"(%arg2, %5) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %7 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %8 = "stablehlo.subtract"(%7, %3) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %10 = "stablehlo.shift_right_logical"(%arg2, %9) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %11 = "stablehlo.or"(%6, %10) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %12 = "stablehlo.xor"(%4, %11) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %13 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %14 = "stablehlo.reshape"(%13) : (tensor<1xui32>) -> tensor<ui32>
    %15 = "stablehlo.add"(%4, %12) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %16 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %17 = "stablehlo.shift_left"(%12, %16) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %18 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %19 = "stablehlo.subtract"(%18, %14) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %21 = "stablehlo.shift_right_logical"(%12, %20) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %22 = "stablehlo.or"(%17, %21) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %23 = "stablehlo.xor"(%15, %22) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %24 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 3>, start_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %25 = "stablehlo.reshape"(%24) : (tensor<1xui32>) -> tensor<ui32>
    %26 = "stablehlo.add"(%15, %23) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %27 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %28 = "stablehlo.shift_left"(%23, %27) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %29 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %30 = "stablehlo.subtract"(%29, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %32 = "stablehlo.shift_right_logical"(%23, %31) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %33 = "stablehlo.or"(%28, %32) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %34 = "stablehlo.xor"(%26, %33) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %35 = "stablehlo.slice"(%arg6) <{limit_indices = array<i64: 4>, start_indices = array<i64: 3>, strides = array<i64: 1>}> : (tensor<4xui32>) -> tensor<1xui32>
    %36 = "stablehlo.reshape"(%35) : (tensor<1xui32>) -> tensor<ui32>
    %37 = "stablehlo.add"(%26, %34) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %38 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %39 = "stablehlo.shift_left"(%34, %38) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %40 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}> : () -> tensor<ui32>
    %41 = "stablehlo.subtract"(%40, %36) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %43 = "stablehlo.shift_right_logical"(%34, %42) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %44 = "stablehlo.or"(%39, %43) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %45 = "stablehlo.xor"(%37, %44) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %46 = "stablehlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %47 = "stablehlo.add"(%37, %46) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %48 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %49 = "stablehlo.add"(%45, %48) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    %50 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %51 = "stablehlo.add"(%arg0, %50) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %52 = "stablehlo.convert"(%51) : (tensor<i32>) -> tensor<ui32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<4x5xui32>
    %54 = "stablehlo.add"(%49, %53) : (tensor<4x5xui32>, tensor<4x5xui32>) -> tensor<4x5xui32>
    "func.return"(%1, %47, %54, %arg4, %arg5, %arg3, %arg7, %arg6) : (tensor<i32>, tensor<4x5xui32>, tensor<4x5xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : () -> ()
  func.func @inputs() -> () {
    return
  }
  func.func @results() -> (tensor<4x5xf32>) {
    %0 = arith.constant dense<[[7.405257225e-02, 9.381443262e-01, 6.489570141e-01, 9.756209850e-01, 2.783777714e-01], [5.829380751e-01, 1.065055132e-01, 3.815660477e-01, 2.109140158e-01, 1.279622316e-01], [7.369111776e-01, 1.561290026e-01, 3.009114265e-01, 2.569321394e-01, 9.689048529e-01], [1.078578234e-01, 5.144479275e-01, 5.867832899e-01, 7.616651058e-01, 2.043884993e-01]]> : tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}

// -----
module @pool_gradients {
  "func.func"() <{function_type = (tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>) -> (tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>, tensor<2x7x6x2xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x7x6x3xf32>, %arg1: tensor<2x7x6x2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %62 = "stablehlo.maximum"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x4x3x3xf32>
    %3 = "stablehlo.multiply"(%2, %2) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %4 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x3xf32>
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %61 = "stablehlo.add"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%61) : (tensor<f32>) -> ()
    }) : (tensor<1x4x3x3xf32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1x4x3x3xf32>
    %11 = "stablehlo.multiply"(%10, %6) : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %12 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.pad"(%arg0, %12) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x7x6x3xf32>, tensor<f32>) -> tensor<1x9x7x3xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.select_and_scatter"(%13, %11, %14) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %60 = "stablehlo.compare"(%arg20, %arg21) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%60) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %59 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%59) : (tensor<f32>) -> ()
    }) : (tensor<1x9x7x3xf32>, tensor<1x4x3x3xf32>, tensor<f32>) -> tensor<1x9x7x3xf32>
    %16 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 1, 8, 6, 3>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<1x9x7x3xf32>) -> tensor<1x7x6x3xf32>
    %17 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.reduce_window"(%arg1, %18) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 2], [2, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 3, 1, 1>}> ({
    ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
      %58 = "stablehlo.maximum"(%arg16, %arg17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%58) : (tensor<f32>) -> ()
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x3x6x2xf32>
    %20 = "stablehlo.multiply"(%19, %19) : (tensor<2x3x6x2xf32>, tensor<2x3x6x2xf32>) -> tensor<2x3x6x2xf32>
    %21 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x2xf32>
    %23 = "stablehlo.multiply"(%22, %19) : (tensor<2x3x6x2xf32>, tensor<2x3x6x2xf32>) -> tensor<2x3x6x2xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.reduce"(%20, %24) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %57 = "stablehlo.add"(%arg14, %arg15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%57) : (tensor<f32>) -> ()
    }) : (tensor<2x3x6x2xf32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x6x2xf32>
    %28 = "stablehlo.multiply"(%27, %23) : (tensor<2x3x6x2xf32>, tensor<2x3x6x2xf32>) -> tensor<2x3x6x2xf32>
    %29 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.pad"(%arg1, %29) <{edge_padding_high = array<i64: 0, 2, 0, 0>, edge_padding_low = array<i64: 0, 1, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x10x8x2xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.select_and_scatter"(%30, %28, %31) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 3, 1, 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %56 = "stablehlo.compare"(%arg12, %arg13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%56) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %55 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%55) : (tensor<f32>) -> ()
    }) : (tensor<2x10x8x2xf32>, tensor<2x3x6x2xf32>, tensor<f32>) -> tensor<2x10x8x2xf32>
    %33 = "stablehlo.slice"(%32) <{limit_indices = array<i64: 2, 8, 8, 2>, start_indices = array<i64: 0, 1, 2, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x10x8x2xf32>) -> tensor<2x7x6x2xf32>
    %34 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.reduce_window"(%arg1, %35) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 7, 6, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %54 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%54) : (tensor<f32>) -> ()
    }) : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x1x1x2xf32>
    %37 = "stablehlo.multiply"(%36, %36) : (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %38 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x2xf32>
    %40 = "stablehlo.multiply"(%39, %36) : (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %41 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.reduce"(%37, %41) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %53 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%53) : (tensor<f32>) -> ()
    }) : (tensor<2x1x1x2xf32>, tensor<f32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1x1x2xf32>
    %45 = "stablehlo.multiply"(%44, %40) : (tensor<2x1x1x2xf32>, tensor<2x1x1x2xf32>) -> tensor<2x1x1x2xf32>
    %46 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.pad"(%arg1, %46) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x7x6x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %48 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %49 = "stablehlo.select_and_scatter"(%47, %45, %48) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 7, 6, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %52 = "stablehlo.compare"(%arg4, %arg5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%52) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %51 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%51) : (tensor<f32>) -> ()
    }) : (tensor<2x7x6x2xf32>, tensor<2x1x1x2xf32>, tensor<f32>) -> tensor<2x7x6x2xf32>
    %50 = "stablehlo.slice"(%49) <{limit_indices = array<i64: 2, 7, 6, 2>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x7x6x2xf32>) -> tensor<2x7x6x2xf32>
    "func.return"(%16, %33, %50) : (tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>, tensor<2x7x6x2xf32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>) {
    %0 = arith.constant dense<[[[[-1.009618163e+00, -2.091755718e-01, -1.592250168e-01], [5.408455729e-01, 2.146591246e-01, 3.553726971e-01], [-6.538286209e-01, -1.296136379e-01, 7.839754820e-01], [1.493431091e+00, -1.259065509e+00, 1.513923764e+00], [1.345875382e+00, 7.813113928e-01, 2.644556165e-01], [-3.139228225e-01, 1.458020687e+00, 1.960258365e+00]], [[1.801634908e+00, 1.315103769e+00, 3.573804200e-01], [-1.208318591e+00, -4.454133101e-03, 6.564749479e-01], [-1.288361430e+00, 3.951220512e-01, 4.298636913e-01], [6.960427165e-01, -1.184117913e+00, -6.617025733e-01], [-4.364352524e-01, -1.169801950e+00, 1.739367843e+00], [-4.959107339e-01, 3.289696276e-01, -2.585725486e-01]], [[1.583472848e+00, 1.320361018e+00, 6.333526373e-01], [-2.203509808e+00, 5.202897266e-02, 6.836861968e-01], [1.003961563e+00, -6.179070473e-01, 1.822011352e+00], [-1.320430994e+00, -6.615280509e-01, 9.350500107e-01], [4.905461520e-02, 2.002392530e+00, 1.885191947e-01], [-6.331940889e-01, -3.775635064e-01, -1.091146111e+00]], [[-1.277680159e+00, 6.304115057e-01, 5.811657906e-01], [1.294558764e+00, -7.546057701e-01, 1.689107418e+00], [-2.873876989e-01, 1.574408293e+00, -4.327858388e-01], [-7.354832888e-01, 2.497853786e-01, 1.031453133e+00], [1.610095799e-01, -5.855288506e-01, -1.341219664e+00], [-1.401520252e+00, 5.026828647e-01, 9.897130132e-01]], [[-1.642945856e-01, -1.074364901e+00, 8.730421662e-01], [-1.280393958e+00, -7.130680680e-01, 6.210178733e-01], [-2.250141144e+00, 3.863695860e-01, -5.816408396e-01], [1.092796996e-01, -7.570152730e-02, 2.021143883e-01], [6.941719651e-01, -7.583697438e-01, 1.420982003e+00], [7.260937691e-01, 8.437326550e-01, 1.164863944e+00]], [[7.875882387e-01, 8.440786600e-01, 7.559361309e-02], [-1.426773906e+00, -1.350450963e-01, -7.695146203e-01], [-1.422741771e+00, 2.584528029e-01, -5.685494542e-01], [-1.029804468e+00, -1.043001056e+00, 2.684170902e-01], [3.586719632e-01, 1.322457433e+00, -1.391466893e-02], [1.041839719e+00, 1.402264833e+00, 1.150165677e+00]], [[-2.365303993e+00, 1.228683710e+00, 3.396199942e-01], [4.237713516e-01, 3.712274134e-01, 3.827571571e-01], [3.194142282e-01, -3.589133024e-01, -1.901635289e+00], [-1.089147255e-01, -8.037318587e-01, 1.080163360e+00], [-2.887665033e-01, 8.347535878e-02, -8.496059775e-01], [-5.106224418e-01, -1.153306197e-02, -1.485375166e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[-1.000000000e+00, -1.000000000e+00], [1.000000000e+00, 1.000000000e+00], [-1.000000000e+00, 1.000000000e+00], [-1.000000000e+00, -1.000000000e+00], [-2.000000000e+00, -1.000000000e+00], [0.000000000e+00, -0.000000000e+00]], [[2.000000000e+00, 1.000000000e+00], [-0.000000000e+00, -0.000000000e+00], [-0.000000000e+00, 1.000000000e+00], [-0.000000000e+00, -0.000000000e+00], [-1.000000000e+00, 1.000000000e+00], [-0.000000000e+00, -1.000000000e+00]], [[-2.000000000e+00, 1.000000000e+00], [-1.000000000e+00, -0.000000000e+00], [-0.000000000e+00, -0.000000000e+00], [-2.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 2.000000000e+00], [1.000000000e+00, 0.000000000e+00]], [[2.000000000e+00, 1.000000000e+00], [-1.000000000e+00, -1.000000000e+00], [0.000000000e+00, -0.000000000e+00], [0.000000000e+00, -1.000000000e+00], [2.000000000e+00, -0.000000000e+00], [1.000000000e+00, 1.000000000e+00]], [[-1.000000000e+00, 1.000000000e+00], [2.000000000e+00, 1.000000000e+00], [1.000000000e+00, 0.000000000e+00], [0.000000000e+00, 1.000000000e+00], [1.000000000e+00, 0.000000000e+00], [-0.000000000e+00, -1.000000000e+00]], [[-0.000000000e+00, 2.000000000e+00], [-0.000000000e+00, -1.000000000e+00], [-0.000000000e+00, -0.000000000e+00], [-1.000000000e+00, 1.000000000e+00], [0.000000000e+00, 1.000000000e+00], [1.000000000e+00, 0.000000000e+00]], [[-2.000000000e+00, 0.000000000e+00], [-1.000000000e+00, 1.000000000e+00], [0.000000000e+00, -1.000000000e+00], [-1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 0.000000000e+00], [1.000000000e+00, 1.000000000e+00]]], [[[1.000000000e+00, 1.000000000e+00], [-0.000000000e+00, 1.000000000e+00], [-1.000000000e+00, 0.000000000e+00], [-1.000000000e+00, -2.000000000e+00], [2.000000000e+00, -2.000000000e+00], [1.000000000e+00, 2.000000000e+00]], [[-0.000000000e+00, -0.000000000e+00], [-2.000000000e+00, -0.000000000e+00], [1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, -2.000000000e+00], [1.000000000e+00, 0.000000000e+00], [-0.000000000e+00, 1.000000000e+00]], [[-1.000000000e+00, -0.000000000e+00], [2.000000000e+00, -1.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [-1.000000000e+00, -0.000000000e+00], [-0.000000000e+00, -1.000000000e+00]], [[-1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 0.000000000e+00], [0.000000000e+00, 2.000000000e+00], [1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, -0.000000000e+00], [-0.000000000e+00, 0.000000000e+00]], [[2.000000000e+00, -0.000000000e+00], [0.000000000e+00, -1.000000000e+00], [-2.000000000e+00, -0.000000000e+00], [-0.000000000e+00, 0.000000000e+00], [1.000000000e+00, -1.000000000e+00], [-1.000000000e+00, 1.000000000e+00]], [[-0.000000000e+00, 0.000000000e+00], [-0.000000000e+00, 2.000000000e+00], [-2.000000000e+00, -1.000000000e+00], [1.000000000e+00, 1.000000000e+00], [-1.000000000e+00, 1.000000000e+00], [-0.000000000e+00, -1.000000000e+00]], [[-1.000000000e+00, 0.000000000e+00], [0.000000000e+00, -1.000000000e+00], [0.000000000e+00, -0.000000000e+00], [-1.000000000e+00, 2.000000000e+00], [-1.000000000e+00, 0.000000000e+00], [-1.000000000e+00, -0.000000000e+00]]]]> : tensor<2x7x6x2xf32>
    return %0, %1 : tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>
  }
  func.func @results() -> (tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>, tensor<2x7x6x2xf32>) {
    %0 = arith.constant dense<[[[[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 1.567950964e+00], [2.986862183e+00, 0.000000000e+00, 0.000000000e+00], [2.691750765e+00, 1.562622786e+00, 0.000000000e+00], [0.000000000e+00, 2.916041374e+00, 3.920516729e+00]], [[7.206539631e+00, 2.630207539e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 6.957471371e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [2.007923126e+00, 0.000000000e+00, 7.288045406e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 8.009570122e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [2.589117527e+00, 0.000000000e+00, 3.378214836e+00], [0.000000000e+00, 9.446449280e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [3.220191598e-01, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.388343930e+00, 0.000000000e+00, 5.683928013e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]], [[1.575176477e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [7.173439264e-01, 2.644914865e+00, 0.000000000e+00], [4.167358875e+00, 5.609059334e+00, 2.300331354e+00]], [[0.000000000e+00, 2.457367420e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 7.655143142e-01], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 2.160326719e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00, 0.000000000e+00]]]]> : tensor<1x7x6x3xf32>
    %1 = arith.constant dense<[[[[-2.000000000e+00, -2.000000000e+00], [6.000000000e+00, 6.000000000e+00], [-2.000000000e+00, 2.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 6.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 8.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[1.200000000e+01, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [8.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 1.200000000e+01], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 6.000000000e+00], [0.000000000e+00, 0.000000000e+00], [2.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]]], [[[6.000000000e+00, 6.000000000e+00], [0.000000000e+00, 2.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [8.000000000e+00, 0.000000000e+00], [0.000000000e+00, 4.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[-2.000000000e+00, 0.000000000e+00], [1.200000000e+01, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 1.200000000e+01], [4.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 1.200000000e+01], [0.000000000e+00, 0.000000000e+00], [6.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 8.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]]]]> : tensor<2x7x6x2xf32>
    %2 = arith.constant dense<[[[[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[4.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 4.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]]], [[[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [4.000000000e+00, 0.000000000e+00], [0.000000000e+00, 4.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]], [[0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00], [0.000000000e+00, 0.000000000e+00]]]]> : tensor<2x7x6x2xf32>
    return %0, %1, %2 : tensor<1x7x6x3xf32>, tensor<2x7x6x2xf32>, tensor<2x7x6x2xf32>
  }
}

// -----
module @top_k {
  "func.func"() <{function_type = (tensor<3x7xf32>, tensor<9xf32>, tensor<2x3x5xi32>) -> (tensor<3x4xf32>, tensor<3x4xi32>, tensor<9xf32>, tensor<9xi32>, tensor<2x3x2xi32>, tensor<2x3x2xi32>, tensor<2x3x3xi32>, tensor<5xi1>, tensor<5xi32>, tensor<3x0xf32>, tensor<3x0xi32>, tensor<3x1xf32>, tensor<3x1xi32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x7xf32>, %arg1: tensor<9xf32>, %arg2: tensor<2x3x5xi32>):
    %0:2 = "chlo.top_k"(%arg0) <{k = 4 : i64}> : (tensor<3x7xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>)
    %1:2 = "chlo.top_k"(%arg1) <{k = 9 : i64}> : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xi32>)
    %2:2 = "chlo.top_k"(%arg2) <{k = 2 : i64}> : (tensor<2x3x5xi32>) -> (tensor<2x3x2xi32>, tensor<2x3x2xi32>)
    %3 = "stablehlo.bitcast_convert"(%arg2) : (tensor<2x3x5xi32>) -> tensor<2x3x5xui32>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<2x3x5xui32>
    %6 = "stablehlo.shift_right_logical"(%3, %5) : (tensor<2x3x5xui32>, tensor<2x3x5xui32>) -> tensor<2x3x5xui32>
    %7:2 = "chlo.top_k"(%6) <{k = 3 : i64}> : (tensor<2x3x5xui32>) -> (tensor<2x3x3xui32>, tensor<2x3x3xi32>)
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<9xf32>
    %10 = "stablehlo.compare"(%arg1, %9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %11:2 = "chlo.top_k"(%10) <{k = 5 : i64}> : (tensor<9xi1>) -> (tensor<5xi1>, tensor<5xi32>)
    %12:2 = "chlo.top_k"(%arg0) <{k = 0 : i64}> : (tensor<3x7xf32>) -> (tensor<3x0xf32>, tensor<3x0xi32>)
    %13 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<3x7xf32>) -> tensor<3x1xf32>
    %14:2 = "chlo.top_k"(%13) <{k = 1 : i64}> : (tensor<3x1xf32>) -> (tensor<3x1xf32>, tensor<3x1xi32>)
    "func.return"(%0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %7#1, %11#0, %11#1, %12#0, %12#1, %14#0, %14#1) : (tensor<3x4xf32>, tensor<3x4xi32>, tensor<9xf32>, tensor<9xi32>, tensor<2x3x2xi32>, tensor<2x3x2xi32>, tensor<2x3x3xi32>, tensor<5xi1>, tensor<5xi32>, tensor<3x0xf32>, tensor<3x0xi32>, tensor<3x1xf32>, tensor<3x1xi32>) -> ()
  }) : () -> ()
  func.func @inputs() -> (tensor<3x7xf32>, tensor<9xf32>, tensor<2x3x5xi32>) {
    %0 = arith.constant dense<[[0.000000000e+00, 0.000000000e+00, -1.000000000e+00, -0.000000000e+00, 0.000000000e+00, 1.000000000e+00, 1.000000000e+00], [1.000000000e+00, 1.000000000e+00, -1.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, -1.000000000e+00], [-0.000000000e+00, -2.000000000e+00, -1.000000000e+00, -1.000000000e+00, -0.000000000e+00, 1.000000000e+00, 2.000000000e+00]]> : tensor<3x7xf32>
    %1 = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.000000000e+00, -0.000000000e+00, 1.000000000e+00, -1.000000000e+00, 2.500000000e+00, -2.500000000e+00]> : tensor<9xf32>
    %2 = arith.constant dense<[[[6, 1, -4, 5, 6], [-6, -5, 2, 4, 5], [0, 1, -3, -7, 2]], [[-3, 4, -4, 6, 7], [-8, -5, -8, -3, -4], [-8, -3, 5, -4, -8]]]> : tensor<2x3x5xi32>
    return %0, %1, %2 : tensor<3x7xf32>, tensor<9xf32>, tensor<2x3x5xi32>
  }
  func.func @results() -> (tensor<3x4xf32>, tensor<3x4xi32>, tensor<9xf32>, tensor<9xi32>, tensor<2x3x2xi32>, tensor<2x3x2xi32>, tensor<2x3x3xi32>, tensor<5xi1>, tensor<5xi32>, tensor<3x0xf32>, tensor<3x0xi32>, tensor<3x1xf32>, tensor<3x1xi32>) {
    %0 = arith.constant dense<[[1.000000000e+00, 1.000000000e+00, 0.000000000e+00, 0.000000000e+00], [1.000000000e+00, 1.000000000e+00, 1.000000000e+00, -0.000000000e+00], [2.000000000e+00, 1.000000000e+00, -0.000000000e+00, -0.000000000e+00]]> : tensor<3x4xf32>
    %1 = arith.constant dense<[[5, 6, 0, 1], [0, 1, 4, 3], [6, 5, 0, 4]]> : tensor<3x4xi32>
    %2 = arith.constant dense<[0x7FC00000, 0x7F800000, 2.500000000e+00, 1.000000000e+00, 0.000000000e+00, -0.000000000e+00, -1.000000000e+00, -2.500000000e+00, 0xFF800000]> : tensor<9xf32>
    %3 = arith.constant dense<[0, 1, 7, 5, 3, 4, 6, 8, 2]> : tensor<9xi32>
    %4 = arith.constant dense<[[[6, 6], [5, 4], [2, 1]], [[7, 6], [-3, -4], [5, -3]]]> : tensor<2x3x2xi32>
    %5 = arith.constant dense<[[[0, 4], [4, 3], [4, 1]], [[4, 3], [3, 4], [2, 1]]]> : tensor<2x3x2xi32>
    %6 = arith.constant dense<[[[2, 0, 4], [0, 1, 3], [2, 3, 4]], [[0, 2, 3], [3, 4, 1], [1, 3, 0]]]> : tensor<2x3x3xi32>
    %7 = arith.constant dense<[true, true, true, false, false]> : tensor<5xi1>
    %8 = arith.constant dense<[1, 5, 7, 0, 2]> : tensor<5xi32>
    %9 = arith.constant dense<[[], [], []]> : tensor<3x0xf32>
    %10 = arith.constant dense<[[], [], []]> : tensor<3x0xi32>
    %11 = arith.constant dense<[[0.000000000e+00], [1.000000000e+00], [-0.000000000e+00]]> : tensor<3x1xf32>
    %12 = arith.constant dense<[[0], [0], [0]]> : tensor<3x1xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<3x4xf32>, tensor<3x4xi32>, tensor<9xf32>, tensor<9xi32>, tensor<2x3x2xi32>, tensor<2x3x2xi32>, tensor<2x3x3xi32>, tensor<5xi1>, tensor<5xi32>, tensor<3x0xf32>, tensor<3x0xi32>, tensor<3x1xf32>, tensor<3x1xi32>
  }
}
