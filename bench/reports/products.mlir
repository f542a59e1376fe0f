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
// -----
// openxla/xla#49123: the second group of a grouped convolution of i8 was wrong
// f(x := (np.arange(36).reshape(1, 4, 3, 3) * 7 % 23 - 11), w := (np.arange(8)
//   .reshape(4, 2, 1, 1) * 5 % 13 - 6)) == (np.concatenate([np.einsum("nchw,oc->nohw",
//   x[:, 2 * g:2 * g + 2], w[2 * g:2 * g + 2, :, 0, 0]) for g in range(2)], 1) + 128)
//   % 256 - 128
func.func @f(%x: tensor<1x4x3x3xi8>, %w: tensor<4x2x1x1xi8>) -> tensor<1x4x3x3xi8> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>,
    feature_group_count = 2 : i64}>
    : (tensor<1x4x3x3xi8>, tensor<4x2x1x1xi8>) -> tensor<1x4x3x3xi8>
  return %0 : tensor<1x4x3x3xi8>
}
// -----
// tillahoffmann/jax-mps#158: convolutions with groups of batches were refused
// f(x := np.arange(24.).reshape(4, 3, 2), w := np.arange(16.).reshape(2, 2, 4)) ==
//   np.concatenate([sum(np.einsum("bwi,io->bwo", x[2 * g:2 * g + 2, k:k + 2],
//   w[k, :, 2 * g:2 * g + 2]) for k in range(2)) for g in range(2)], 2)
func.func @f(%x: tensor<4x3x2xf32>, %w: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 2 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64}>
    : (tensor<4x3x2xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  return %0 : tensor<2x2x4xf32>
}
// -----
// openxla/xla#3891: a batch of singular triangular systems had a finite solution
// f([[[1., 1.], [0., 0.]], [[2., 4.], [0., 4.]]], [[[1.], [1.]], [[8.], [4.]]]) ==
//   [[[-inf], [inf]], [[2.], [1.]]]
func.func @f(%a: tensor<2x2x2xf32>, %b: tensor<2x2x1xf32>) -> tensor<2x2x1xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
    : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  return %0 : tensor<2x2x1xf32>
}
