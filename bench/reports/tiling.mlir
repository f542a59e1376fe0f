// iree-org/iree#20824: tiling read a slice at f(offset) with the map of the whole, from 0
// after: tensoraccess-tile{sizes=2}
// after: tensoraccess-tile{sizes=5}
// after: tensoraccess-tile{sizes=7}
// f(x := np.arange(5.)) == np.repeat(-x, 3)
func.func @f(%x: tensor<5xf32>) -> tensor<15xf32> {
  %e = tensor.empty() : tensor<15xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 3)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%x : tensor<5xf32>) outs(%e : tensor<15xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %in : f32
    linalg.yield %1 : f32
  } -> tensor<15xf32>
  return %0 : tensor<15xf32>
}
// -----
// llvm/llvm-project#111830: a tile's offset was the image of its first index, though the
//   map has a mod
// after: tensoraccess-tile{sizes=2,3}
// after: tensoraccess-tile{sizes=1,2}
// after: tensoraccess-tile{sizes=4,0}
// f(x := np.arange(15).reshape(3, 5)) == 2 * x[[2, 0, 1, 2, 0, 1, 2]]
func.func @f(%x: tensor<3x5xi32>) -> tensor<7x5xi32> {
  %e = tensor.empty() : tensor<7x5xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ((d0 + 2) mod 3, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<3x5xi32>) outs(%e : tensor<7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.addi %in, %in : i32
    linalg.yield %1 : i32
  } -> tensor<7x5xi32>
  return %0 : tensor<7x5xi32>
}
// -----
// llvm/llvm-project#113021: tiling a map with a negative coefficient crashed, and gave
//   invalid slices without the assertion
// after: tensoraccess-tile{sizes=2}
// after: tensoraccess-tile{sizes=4}
// f(x := np.arange(9)) == 3 * x[::-1]
func.func @f(%x: tensor<9xi16>) -> tensor<9xi16> {
  %c3 = arith.constant 3 : i16
  %e = tensor.empty() : tensor<9xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 8)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%x : tensor<9xi16>) outs(%e : tensor<9xi16>) {
  ^bb0(%in: i16, %out: i16):
    %1 = arith.muli %in, %c3 : i16
    linalg.yield %1 : i16
  } -> tensor<9xi16>
  return %0 : tensor<9xi16>
}
// -----
// llvm/llvm-project#220505: passes that change a loop's domain left linalg.index as it was
// after: tensoraccess-tile{sizes=2,2 function=weigh}
// after: tensoraccess-tile{sizes=0,3 fuse=all function=weigh}
// after: linalg-fold-unit-extent-dims
// after: tensoraccess-fuse-elementwise
// weigh(x := np.arange(20).reshape(1, 4, 5)) ==
//   x[0] * 100 + np.arange(4)[:, None] * 10 + np.arange(5)
// sum(x := np.arange(1, 9)) == 2 * (x * np.arange(8)).sum()
func.func @weigh(%x: tensor<1x4x5xi32>) -> tensor<4x5xi32> {
  %c10 = arith.constant 10 : i32
  %c100 = arith.constant 100 : i32
  %e = tensor.empty() : tensor<1x4x5xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>,
                                        affine_map<(a, b, c) -> (a, b, c)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<1x4x5xi32>) outs(%e : tensor<1x4x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %i32 = arith.index_cast %i : index to i32
    %j32 = arith.index_cast %j : index to i32
    %1 = arith.muli %in, %c100 : i32
    %2 = arith.muli %i32, %c10 : i32
    %3 = arith.addi %1, %2 : i32
    %4 = arith.addi %3, %j32 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x5xi32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<1x4x5xi32> into tensor<4x5xi32>
  return %1 : tensor<4x5xi32>
}
func.func @sum(%x: tensor<8xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%x : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.addi %in, %in : i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  %s = tensor.empty() : tensor<i32>
  %z = linalg.fill ins(%c0 : i32) outs(%s : tensor<i32>) -> tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%d : tensor<8xi32>) outs(%z : tensor<i32>) {
  ^bb0(%in: i32, %sum: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %1 = arith.muli %in, %k32 : i32
    %2 = arith.addi %sum, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// iree-org/iree#23142: a mask made of linalg.index was applied to packed indices
// after: tensoraccess-tile{sizes=2,3}
// after: tensoraccess-tile{sizes=2,3 fuse=all}
// f(a := np.arange(18.).reshape(6, 3), b := np.arange(15.).reshape(3, 5)) ==
//   np.where(np.arange(6)[:, None] < np.arange(5), -np.inf, a @ b)
func.func @f(%a: tensor<6x3xf32>, %b: tensor<3x5xf32>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %p = linalg.matmul ins(%a, %b : tensor<6x3xf32>, tensor<3x5xf32>)
                     outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is_above = arith.cmpi slt, %i, %j : index
    %1 = arith.select %is_above, %low, %in : f32
    linalg.yield %1 : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}
// -----
// llvm/llvm-project#107302: pads of pads were to be one, which holds for one value only
// after: tensoraccess-canonicalize
// after: tensoraccess-tile{sizes=3}
// f(x := np.arange(4.)) == np.pad(np.pad(x, (1, 2), constant_values=7),
//   (2, 1), constant_values=9)
// g(x := np.arange(4.)) == np.pad(x, (3, 3), constant_values=7)
func.func @f(%x: tensor<4xf32>) -> tensor<10xf32> {
  %c7 = arith.constant 7.0 : f32
  %c9 = arith.constant 9.0 : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c7 : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = tensor.pad %0 low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %c9 : f32
  } : tensor<7xf32> to tensor<10xf32>
  return %1 : tensor<10xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<10xf32> {
  %c7 = arith.constant 7.0 : f32
  %0 = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c7 : f32
  } : tensor<4xf32> to tensor<7xf32>
  %1 = tensor.pad %0 low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %c7 : f32
  } : tensor<7xf32> to tensor<10xf32>
  return %1 : tensor<10xf32>
}
