// iree-org/iree#23545: uniform strides became attributes of one element
// f(x := np.arange(2. * 5 * 6).reshape(1, 5, 6, 2), w := np.arange(3. * 2 * 2 * 3)
//   .reshape(3, 2, 2, 3)) == sum(np.einsum("bhwi,io->bhwo", x[:, i:i + 3, j:j + 5],
//   w[i, j]) for i in range(3) for j in range(2))
// strided(x := np.arange(2. * 5 * 6).reshape(1, 5, 6, 2), w := np.arange(3. * 2 * 2 * 3)
//   .reshape(3, 2, 2, 3)) == sum(np.einsum("bhwi,io->bhwo", x[:, i:i + 3:2, j:j + 5:2],
//   w[i, j]) for i in range(3) for j in range(2))
func.func @f(%x: tensor<1x5x6x2xf32>, %w: tensor<3x2x2x3xf32>) -> tensor<1x3x5x3xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64}>
    : (tensor<1x5x6x2xf32>, tensor<3x2x2x3xf32>) -> tensor<1x3x5x3xf32>
  return %0 : tensor<1x3x5x3xf32>
}
func.func @strided(%x: tensor<1x5x6x2xf32>, %w: tensor<3x2x2x3xf32>)
    -> tensor<1x2x3x3xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}>
    : (tensor<1x5x6x2xf32>, tensor<3x2x2x3xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}
// -----
// llvm/llvm-project#208424: im2col left out dilations
// after: tensoraccess-discover-im2col
// after: tensoraccess-tile{sizes=0,1,2}
// f(x := np.arange(7. * 8 * 2).reshape(1, 7, 8, 2), w := np.arange(2. * 3 * 2 * 3)
//   .reshape(2, 3, 2, 3)) == sum(np.einsum("bhwi,io->bhwo",
//   x[:, 3 * i:3 * i + 4, 2 * j:2 * j + 4], w[i, j]) for i in range(2) for j in range(3))
func.func @f(%x: tensor<1x7x8x2xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x3xf32>)
    -> tensor<1x4x4x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 2]> : tensor<2xi64>,
                                 strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : tensor<1x7x8x2xf32>, tensor<2x3x2x3xf32>)
    outs(%z : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
// -----
// iree-org/iree#8579: products of i8 were wrong where vectors do not divide the sizes
// after: tensoraccess-tile{sizes=4,4}
// f(a := np.arange(15 * 37).reshape(15, 37) * 7 % 256 - 128,
//   b := np.arange(37 * 7).reshape(37, 7) * 5 % 256 - 128,
//   c := np.arange(105).reshape(15, 7)) == a @ b + c
func.func @f(%a: tensor<15x37xi8>, %b: tensor<37x7xi8>, %c: tensor<15x7xi32>)
    -> tensor<15x7xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<15x37xi8>, tensor<37x7xi8>)
                     outs(%c : tensor<15x7xi32>) -> tensor<15x7xi32>
  return %0 : tensor<15x7xi32>
}
