// iree-org/iree#23637: reverse of a slice began at the end of the whole
// after: tensoraccess-tile{sizes=1,1,2}
// after: tensoraccess-stablehlo-to-linalg,tensoraccess-tile{sizes=0,2,0}
// f(x := np.arange(30.).reshape(2, 5, 3)) == x[:, 1:4][:, ::-1]
// strided(x := np.arange(30.).reshape(2, 5, 3)) == x[:, 1:5:2, ::-1][::-1]
func.func @f(%x: tensor<2x5x3xf32>) -> tensor<2x3x3xf32> {
  %0 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 2, 4, 3>,
    start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 1, 1>}>
    : (tensor<2x5x3xf32>) -> tensor<2x3x3xf32>
  %1 = "stablehlo.reverse"(%0) <{dimensions = array<i64: 1>}>
    : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %1 : tensor<2x3x3xf32>
}
func.func @strided(%x: tensor<2x5x3xf32>) -> tensor<2x2x3xf32> {
  %0 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 2, 5, 3>,
    start_indices = array<i64: 0, 1, 0>, strides = array<i64: 1, 2, 1>}>
    : (tensor<2x5x3xf32>) -> tensor<2x2x3xf32>
  %1 = "stablehlo.reverse"(%0) <{dimensions = array<i64: 0, 2>}>
    : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  return %1 : tensor<2x2x3xf32>
}
// -----
// openxla/xla#48715: a pad that crops was added to the padding of the window after it
// f([[669, -763]]) == [[-763]]
// conv(x := np.arange(1., 6.).reshape(1, 1, 5), [[[1., 10., 100.]]]) ==
//   [[[320., 432., 543.]]]
func.func @f(%x: tensor<1x2xi32>) -> tensor<1x1xi32> {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0>,
    edge_padding_low = array<i64: 0, -1>, interior_padding = array<i64: 1, 0>}>
    : (tensor<1x2xi32>, tensor<i32>) -> tensor<1x1xi32>
  %1 = "stablehlo.reduce_window"(%0, %z) <{
    padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%2) : (tensor<i32>) -> ()
  }) : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
  return %1 : tensor<1x1xi32>
}
func.func @conv(%x: tensor<1x1x5xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 0, 0, 0>,
    edge_padding_low = array<i64: 0, 0, -1>, interior_padding = array<i64: 0, 0, 0>}>
    : (tensor<1x1x5xf32>, tensor<f32>) -> tensor<1x1x4xf32>
  %1 = "stablehlo.convolution"(%0, %w) <{batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    feature_group_count = 1 : i64, padding = dense<[[1, 0]]> : tensor<1x2xi64>}>
    : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %1 : tensor<1x1x3xf32>
}
// -----
// openxla/xla#48719: a window of one element with negative padding aborted the compiler
// f(x := np.arange(32.).reshape(8, 4)) == x[1:]
// both(x := np.arange(32.).reshape(8, 4)) == np.pad(x[:-2, 1:], ((1, 0), (0, 0)))
func.func @f(%x: tensor<8x4xf32>) -> tensor<7x4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{
    padding = dense<[[-1, 0], [0, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}
func.func @both(%x: tensor<8x4xf32>) -> tensor<7x3xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{
    padding = dense<[[1, -2], [-1, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<7x3xf32>
  return %0 : tensor<7x3xf32>
}
// -----
// openxla/xla#26780: concatenations of an array with itself were to be broadcasts
// unit(x := np.arange(6).reshape(3, 1, 2)) == np.concatenate([x, x], 1)
// wide(x := np.arange(6).reshape(3, 2)) == np.concatenate([x, x, x], 1)
func.func @unit(%x: tensor<3x1x2xi8>) -> tensor<3x2x2xi8> {
  %0 = "stablehlo.concatenate"(%x, %x) <{dimension = 1 : i64}>
    : (tensor<3x1x2xi8>, tensor<3x1x2xi8>) -> tensor<3x2x2xi8>
  return %0 : tensor<3x2x2xi8>
}
func.func @wide(%x: tensor<3x2xi8>) -> tensor<3x6xi8> {
  %0 = "stablehlo.concatenate"(%x, %x, %x) <{dimension = 1 : i64}>
    : (tensor<3x2xi8>, tensor<3x2xi8>, tensor<3x2xi8>) -> tensor<3x6xi8>
  return %0 : tensor<3x6xi8>
}
// -----
// llvm/llvm-project#72698: a transposition's unknown sizes were those of the operand
// f(x := np.arange(24.).reshape(2, 3, 4)) == x.transpose(2, 0, 1)
// f(x := np.arange(5.).reshape(5, 1, 1)) == x.transpose(2, 0, 1)
// f(np.zeros((2, 0, 3))) == np.zeros((3, 2, 0))
func.func @f(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 2, 0, 1>}
    : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// -----
// iree-org/iree#23291: a slice that drops units, expanded again, became an invalid cast
// after: tensoraccess-canonicalize
// f(x := np.arange(7.).reshape(1, 1, 7, 1)) == x.reshape(1, 7, 1)
func.func @f(%x: tensor<1x1x7x1xf16>) -> tensor<1x7x1xf16> {
  %0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 7, 1] [1, 1, 1, 1]
    : tensor<1x1x7x1xf16> to tensor<7xf16>
  %1 = tensor.expand_shape %0 [[0, 1, 2]] output_shape [1, 7, 1]
    : tensor<7xf16> into tensor<1x7x1xf16>
  return %1 : tensor<1x7x1xf16>
}
// -----
// llvm/llvm-project#54249: reshaping a slice of one element failed to bufferize
// scalar([4, 5, 6]) == 5
// square([4, 5, 6]) == [[6]]
func.func @scalar(%x: tensor<3xi32>) -> tensor<i32> {
  %0 = tensor.extract_slice %x[1] [1] [1] : tensor<3xi32> to tensor<1xi32>
  %1 = tensor.collapse_shape %0 [] : tensor<1xi32> into tensor<i32>
  return %1 : tensor<i32>
}
func.func @square(%x: tensor<3xi32>) -> tensor<1x1xi32> {
  %0 = tensor.extract_slice %x[2] [1] [1] : tensor<3xi32> to tensor<1xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 1]
    : tensor<1xi32> into tensor<1x1xi32>
  return %1 : tensor<1x1xi32>
}
// -----
// llvm/llvm-project#217361: insert_slice that drops a middle dimension of one was cast to
//   the wrong shape
// after: tensoraccess-canonicalize
// f(x := np.arange(1., 7.).reshape(1, 2, 3), np.zeros((1, 4, 1, 5))) ==
//   np.pad(x[:, :, None], ((0, 0), (0, 2), (0, 0), (0, 2)))
func.func @f(%x: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.insert_slice %x into %d[0, 0, 0, 0] [1, %c2, 1, %c3] [1, 1, 1, 1]
    : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}
// -----
// llvm/llvm-project#119805: tensor.gather had no bufferization
// f(x := np.arange(20.).reshape(4, 5), [[2], [0]]) == x[[2, 0]][:, None]
func.func @f(%x: tensor<4x5xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x5xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0])
    : (tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<2x1x5xf32>
  return %0 : tensor<2x1x5xf32>
}
// -----
// llvm/llvm-project#200216: packs with a tile known at run time could not be lowered
// f(x := np.arange(1, 36).reshape(5, 7), 3, np.zeros((2, 2, 3, 4))) ==
//   np.pad(x, ((0, 1), (0, 1)), constant_values=42).reshape(2, 3, 2, 4).swapaxes(1, 2)
func.func @f(%x: tensor<?x?xi32>, %t: index, %e: tensor<?x?x?x4xi32>)
    -> tensor<?x?x?x4xi32> {
  %c42 = arith.constant 42 : i32
  %0 = linalg.pack %x padding_value(%c42 : i32) inner_dims_pos = [0, 1]
    inner_tiles = [%t, 4] into %e : tensor<?x?xi32> -> tensor<?x?x?x4xi32>
  return %0 : tensor<?x?x?x4xi32>
}
// -----
// llvm/llvm-project#160246: lowering packs took tiles to be of the last dimensions
// f(x := np.arange(24).reshape(4, 2, 3)) ==
//   x.reshape(2, 2, 2, 3).transpose(0, 2, 3, 1)
// g(x := np.arange(12).reshape(3, 4), np.zeros((2, 2, 2, 3))) ==
//   np.pad(x, ((0, 1), (0, 2)), constant_values=9).reshape(2, 2, 2, 3)
//   .transpose(2, 0, 1, 3)
func.func @f(%x: tensor<4x2x3xi32>) -> tensor<2x2x3x2xi32> {
  %e = tensor.empty() : tensor<2x2x3x2xi32>
  %0 = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e
    : tensor<4x2x3xi32> -> tensor<2x2x3x2xi32>
  return %0 : tensor<2x2x3x2xi32>
}
func.func @g(%x: tensor<3x4xi32>, %e: tensor<2x2x2x3xi32>) -> tensor<2x2x2x3xi32> {
  %c9 = arith.constant 9 : i32
  %0 = linalg.pack %x padding_value(%c9 : i32) outer_dims_perm = [1, 0]
    inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e
    : tensor<3x4xi32> -> tensor<2x2x2x3xi32>
  return %0 : tensor<2x2x2x3xi32>
}
// -----
// llvm/llvm-project#144893: the mask of a write that skips a dimension was widened wrongly
// f(o := np.arange(72.).reshape(4, 3, 6), m := np.arange(12).reshape(4, 3) % 2 == 0) ==
//   np.array([[[2. if j == 0 and 1 <= k < 4 and m[i, k - 1] else o[i, j, k]
//   for k in range(6)] for j in range(3)] for i in range(4)])
func.func @f(%o: tensor<4x3x6xf32>, %t: tensor<4x3xi1>) -> tensor<4x3x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %v = arith.constant dense<2.0> : vector<4x3xf32>
  %m = vector.transfer_read %t[%c0, %c0], %false {in_bounds = [true, true]}
    : tensor<4x3xi1>, vector<4x3xi1>
  %0 = vector.transfer_write %v, %o[%c0, %c0, %c1], %m {in_bounds = [true, true],
    permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>}
    : vector<4x3xf32>, tensor<4x3x6xf32>
  return %0 : tensor<4x3x6xf32>
}
// -----
// EnzymeAD/Enzyme-JAX#592: a row of ones before a transposed column was put elsewhere
// f(x := np.array([[2.], [3.], [5.]])) == (np.array([[1.], [2.], [3.], [5.]]), x)
func.func @f(%x: tensor<3x1xf64>) -> (tensor<4x1xf64>, tensor<3x1xf64>) {
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<1x1xf64>}>
    : () -> tensor<1x1xf64>
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}>
    : (tensor<3x1xf64>) -> tensor<1x3xf64>
  %1 = "stablehlo.concatenate"(%one, %0) <{dimension = 1 : i64}>
    : (tensor<1x1xf64>, tensor<1x3xf64>) -> tensor<1x4xf64>
  %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0>}>
    : (tensor<1x4xf64>) -> tensor<4x1xf64>
  %3 = "stablehlo.reshape"(%0) : (tensor<1x3xf64>) -> tensor<3x1xf64>
  return %2, %3 : tensor<4x1xf64>, tensor<3x1xf64>
}
// -----
// iree-org/iree#19935: a pad that takes elements away became an insertion at -1
// f(x := np.arange(12.).reshape(3, 4)) ==
//   np.pad(x[1:, :3], ((0, 0), (1, 0)), constant_values=9)
// unknown(x := np.arange(12.).reshape(3, 4)) ==
//   np.pad(x[1:, :3], ((0, 0), (1, 0)), constant_values=9)
// crop(x := np.arange(12.).reshape(3, 4)) == x[1:2, 1:]
func.func @f(%x: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %c9 = arith.constant 9.0 : f32
  %0 = tensor.pad %x low[-1, 1] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c9 : f32
  } : tensor<3x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
func.func @unknown(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c9 = arith.constant 9.0 : f32
  %0 = tensor.pad %x low[-1, 1] high[0, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c9 : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
func.func @crop(%x: tensor<3x4xf32>) -> tensor<1x3xf32> {
  %c9 = arith.constant 9.0 : f32
  %0 = tensor.pad %x low[-1, -1] high[-1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c9 : f32
  } : tensor<3x4xf32> to tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
// -----
// llvm/llvm-project#184334: a subview that drops some of several units was told by
//   strides that are not its own which ones it drops
// f([[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]) == [1, 2, 3, 4, 5, 6, 7, 8, 7, 10, 11, 12]
func.func @f(%x: tensor<3x2x2xi32>) -> tensor<12xi32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : i32
  %m = bufferization.to_buffer %x : tensor<3x2x2xi32> to memref<3x2x2xi32>
  %v = memref.subview %m[%c2, 0, %c0] [1, 1, 1] [2, 2, 1]
     : memref<3x2x2xi32> to memref<1x1xi32, strided<[8, 4], offset: ?>>
  memref.store %c7, %v[%c0, %c0] : memref<1x1xi32, strided<[8, 4], offset: ?>>
  %n = memref.alloc() : memref<3x2x2xi32>
  memref.copy %m, %n : memref<3x2x2xi32> to memref<3x2x2xi32>
  %t = bufferization.to_tensor %n restrict : memref<3x2x2xi32> to tensor<3x2x2xi32>
  %r = tensor.collapse_shape %t [[0, 1, 2]] : tensor<3x2x2xi32> into tensor<12xi32>
  return %r : tensor<12xi32>
}
// -----
// llvm/llvm-project#178818: tensor.from_elements of poison was folded out of memory that
//   isn't there
// f(4) == [4, 4]
func.func @f(%x: index) -> tensor<2xindex> {
  %p = ub.poison : index
  %0 = tensor.from_elements %p, %p : tensor<2xindex>
  %c0 = arith.constant 0 : index
  %1 = tensor.extract %0[%c0] : tensor<2xindex>
  %2 = arith.subi %1, %1 : index
  %3 = arith.addi %2, %x : index
  %4 = tensor.from_elements %3, %3 : tensor<2xindex>
  return %4 : tensor<2xindex>
}
