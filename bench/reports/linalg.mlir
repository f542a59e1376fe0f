// llvm/llvm-project#196959: linalg.map may read the elements of its output
// f([1, 2, 3], [10, 20, 30]) == ([11, 22, 33], [10, 20, 30])
// double([1, 2, 3]) == [2, 4, 6]
// equivalence("double", "zero") == "refuted"
func.func @f(%x: tensor<3xi16>, %o: tensor<3xi16>) -> (tensor<3xi16>, tensor<3xi16>) {
  %0 = linalg.map ins(%x : tensor<3xi16>) outs(%o : tensor<3xi16>)
    (%in: i16, %out: i16) {
      %1 = arith.addi %in, %out : i16
      linalg.yield %1 : i16
    }
  return %0, %o : tensor<3xi16>, tensor<3xi16>
}
func.func @double(%x: tensor<3xi16>) -> tensor<3xi16> {
  %0 = linalg.map outs(%x : tensor<3xi16>)
    (%out: i16) {
      %1 = arith.addi %out, %out : i16
      linalg.yield %1 : i16
    }
  return %0 : tensor<3xi16>
}
func.func @zero(%x: tensor<3xi16>) -> tensor<3xi16> {
  %0 = arith.constant dense<0> : tensor<3xi16>
  return %0 : tensor<3xi16>
}
// -----
// llvm/llvm-project#213241: bufferization dropped a read of a map's output
// f([5, 6], [11, 12]) == ([11, 12], [5, 6])
// sharded("x=2", "cut", x := np.arange(8.).reshape(4, 2), o := x[::-1] * 8) == x + o
func.func @f(%x: tensor<2xi16>, %o: tensor<2xi16>) -> (tensor<2xi16>, tensor<2xi16>) {
  %0 = linalg.map ins(%x : tensor<2xi16>) outs(%o : tensor<2xi16>)
    (%in: i16, %out: i16) {
      linalg.yield %out : i16
    }
  %1 = linalg.map ins(%x : tensor<2xi16>) outs(%o : tensor<2xi16>)
    (%in: i16, %out: i16) {
      %2 = arith.subi %out, %out : i16
      %3 = arith.addi %in, %2 : i16
      linalg.yield %3 : i16
    }
  return %0, %1 : tensor<2xi16>, tensor<2xi16>
}
func.func @cut(%x: tensor<4x2xf32> {tensoraccess.distribution = "{d0: x}"},
               %o: tensor<4x2xf32> {tensoraccess.distribution = "{d1: x}"})
    -> tensor<4x2xf32> {
  %0 = linalg.map ins(%x : tensor<4x2xf32>) outs(%o : tensor<4x2xf32>)
    (%in: f32, %out: f32) {
      %1 = arith.addf %in, %out : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<4x2xf32>
}
// -----
// llvm/llvm-project#117528: a map that does not yield its op's result was printed as if
// after: tensoraccess-canonicalize,cse
// f(x := np.arange(3.), np.ones(3)) == x
func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.map ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>)
    (%a: f32, %b: f32, %out: f32) {
      %1 = arith.maximumf %a, %b : f32
      linalg.yield %a : f32
    }
  return %0 : tensor<3xf32>
}
// -----
// llvm/llvm-project#149843: fusion asked the first result's map, not that of the one it
//   fuses
// after: tensoraccess-fuse-elementwise
// f(x := np.arange(6).reshape(2, 3)) == (x + 1, 4 * x.T + 3)
func.func @f(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<3x2xi32>) {
  %c1 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<2x3xi32>
  %t = tensor.empty() : tensor<3x2xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                          affine_map<(d0, d1) -> (d0, d1)>,
                                          affine_map<(d0, d1) -> (d1, d0)>],
                         iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<2x3xi32>) outs(%e, %t : tensor<2x3xi32>, tensor<3x2xi32>) {
  ^bb0(%in: i32, %o0: i32, %o1: i32):
    %2 = arith.addi %in, %c1 : i32
    %3 = arith.addi %in, %2 : i32
    linalg.yield %2, %3 : i32, i32
  } -> (tensor<2x3xi32>, tensor<3x2xi32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%0#1 : tensor<3x2xi32>) outs(%t : tensor<3x2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %2 = arith.addi %in, %in : i32
    %3 = arith.addi %2, %c1 : i32
    linalg.yield %3 : i32
  } -> tensor<3x2xi32>
  return %0#0, %1 : tensor<2x3xi32>, tensor<3x2xi32>
}
// -----
// llvm/llvm-project#140892: fusing a consumer with fewer loops left indices of too many
// after: tensoraccess-fuse-elementwise
// f(x := np.arange(8.).reshape(4, 2)) == x[:, 1] + 10 * np.arange(4) + 1
func.func @f(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  %c10 = arith.constant 10 : index
  %e2 = tensor.empty() : tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<4x2xf32>) outs(%e2 : tensor<4x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %2 = arith.muli %i, %c10 : index
    %3 = arith.addi %2, %j : index
    %4 = arith.index_cast %3 : index to i32
    %5 = arith.sitofp %4 : i32 to f32
    %6 = arith.addf %in, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<4x2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 1)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%0 : tensor<4x2xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
// bytedance/byteir#40: fusing two results of one producer into an op mixed them up
// after: tensoraccess-fuse-elementwise
// f([5, 2], [3, 4]) == ([2, 2], [15, 8])
func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %e = tensor.empty() : tensor<2xi32>
  %0:3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%x, %y : tensor<2xi32>, tensor<2xi32>)
    outs(%e, %e, %e : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %o0: i32, %o1: i32, %o2: i32):
    %2 = arith.maxsi %a, %b : i32
    %3 = arith.minsi %a, %b : i32
    %4 = arith.subi %2, %3 : i32
    linalg.yield %2, %3, %4 : i32, i32, i32
  } -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
      affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%0#1, %0#0 : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %2 = arith.muli %a, %b : i32
    linalg.yield %2 : i32
  } -> tensor<2xi32>
  return %0#2, %1 : tensor<2xi32>, tensor<2xi32>
}
// -----
// llvm/llvm-project#111243: inlining a scalar operand of a generic crashed
// f(2.5, np.zeros((2, 0, 3))) == np.full((2, 0, 3), 2.5)
// f(2.5, np.zeros((2, 1, 3))) == np.full((2, 1, 3), 2.5)
func.func @f(%s: f32, %x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>,
                                        affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : f32) outs(%x : tensor<?x?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
// -----
// google/heir#2339: linalg ops on arrays of rank 0 could not be lowered
// f(3, [1, 2, 4]) == (21, 22)
// scalar(3, 4) == 14
// large(np.arange(100000) % 7) == np.array(3 * (100000 // 7 * 21 + 10) + 1)
func.func @f(%s: tensor<i8>, %x: tensor<3xi8>) -> (tensor<i8>, tensor<i8>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %e = tensor.empty() : tensor<i8>
  %z = linalg.fill ins(%c0 : i8) outs(%e : tensor<i8>) -> tensor<i8>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>,
                                        affine_map<(d0) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%s, %x : tensor<i8>, tensor<3xi8>) outs(%z : tensor<i8>) {
  ^bb0(%a: i8, %b: i8, %sum: i8):
    %2 = arith.muli %a, %b : i8
    %3 = arith.addi %sum, %2 : i8
    linalg.yield %3 : i8
  } -> tensor<i8>
  %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
                       iterator_types = []}
    ins(%0 : tensor<i8>) outs(%e : tensor<i8>) {
  ^bb0(%in: i8, %out: i8):
    %2 = arith.addi %in, %c1 : i8
    linalg.yield %2 : i8
  } -> tensor<i8>
  return %0, %1 : tensor<i8>, tensor<i8>
}
func.func @large(%x: tensor<100000xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %e = tensor.empty() : tensor<i32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
                       iterator_types = ["reduction"]}
    ins(%x : tensor<100000xi32>) outs(%z : tensor<i32>) {
  ^bb0(%in: i32, %sum: i32):
    %2 = arith.addi %sum, %in : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  %1 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
                       iterator_types = []}
    ins(%0 : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %2 = arith.muli %in, %c3 : i32
    %3 = arith.addi %2, %c1 : i32
    linalg.yield %3 : i32
  } -> tensor<i32>
  return %1 : tensor<i32>
}
func.func @scalar(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i8> {
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
                       iterator_types = []}
    ins(%x : tensor<i8>) outs(%y : tensor<i8>) {
  ^bb0(%in: i8, %out: i8):
    %1 = arith.addi %in, %out : i8
    %2 = arith.addi %1, %1 : i8
    linalg.yield %2 : i8
  } -> tensor<i8>
  return %0 : tensor<i8>
}
// -----
// iree-org/iree#12859: weights of i4, widened in a generic
// f([[0, 1, 2], [-3, -2, -1]]) == [[0, 1, 2], [13, 14, 15]]
// constant() == [[0, 1], [6, 7], [8, 9], [14, 15]]
func.func @f(%x: tensor<2x3xi4>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<2x3xi4>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: i4, %out: f32):
    %1 = arith.extui %in : i4 to i32
    %2 = arith.uitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @constant() -> tensor<4x2xf32> {
  %w = arith.constant dense<[0, 1, 6, 7, 8, 9, 14, 15]> : tensor<8xi4>
  %x = tensor.expand_shape %w [[0, 1]] output_shape [4, 2]
    : tensor<8xi4> into tensor<4x2xi4>
  %e = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<4x2xi4>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%in: i4, %out: f32):
    %1 = arith.extui %in : i4 to i32
    %2 = arith.uitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// -----
// llvm/llvm-project#93317: dropping units took an unknown size for 1, or the other way
// f(x := np.arange(5.).reshape(1, 1, 5, 1), np.zeros((1, 1, 5, 1))) == x
// f(x := np.arange(3.).reshape(1, 1, 3, 1), np.ones((1, 1, 3, 1))) == x + 1
func.func @f(%x: tensor<1x?x?x1xf32>, %o: tensor<?x1x?x1xf32>) -> tensor<?x1x?x1xf32> {
  %w = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(n, h, w, f, i, j, c) -> (n, h + i, w + j, c)>,
                     affine_map<(n, h, w, f, i, j, c) -> (i, j, c, f)>,
                     affine_map<(n, h, w, f, i, j, c) -> (n, h, w, f)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction",
                      "reduction", "reduction"]}
    ins(%x, %w : tensor<1x?x?x1xf32>, tensor<1x1x1x1xf32>)
    outs(%o : tensor<?x1x?x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x1x?x1xf32>
  return %0 : tensor<?x1x?x1xf32>
}
// -----
// iree-org/iree#5313: dropping units of a transposed sum mixed its loops up
// after: linalg-fold-unit-extent-dims
// after: tensoraccess-tile{sizes=1,2}
// f(x := np.arange(24.).reshape(1, 6, 1, 4)) == x.sum(axis=(1, 2)) * 2
func.func @f(%x: tensor<1x6x1x4xf32>) -> tensor<1x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x1x4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>,
                     affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x : tensor<1x6x1x4xf32>) outs(%e : tensor<1x6x1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %in : f32
    linalg.yield %2 : f32
  } -> tensor<1x6x1x4xf32>
  %s = tensor.empty() : tensor<1x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>,
                     affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%0 : tensor<1x6x1x4xf32>) outs(%z : tensor<1x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %out : f32
    linalg.yield %2 : f32
  } -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
// -----
// iree-org/iree#13530: an op after unpack was packed without the padding it needs
// f(p := np.arange(96.).reshape(2, 1, 6, 8), b := np.array([100., 200., 300.])) ==
//   p.transpose(0, 2, 1, 3).reshape(12, 8)[:11, :3] + b
func.func @f(%p: tensor<2x1x6x8xf32>, %b: tensor<3xf32>) -> tensor<11x3xf32> {
  %e = tensor.empty() : tensor<11x3xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [6, 8] into %e
    : tensor<2x1x6x8xf32> -> tensor<11x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%b, %u : tensor<3xf32>, tensor<11x3xf32>) outs(%e : tensor<11x3xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %1 = arith.addf %a, %c : f32
    linalg.yield %1 : f32
  } -> tensor<11x3xf32>
  return %0 : tensor<11x3xf32>
}
