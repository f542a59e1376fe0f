// llvm/llvm-project#119245: a mod whose operand equals its quotient lost that operand
// after: tensoraccess-canonicalize
// after: tensoraccess-tile{sizes=2}
// f(x := np.arange(8.)) == [x[7]] * 5
// apply(0, 3) == 7
// apply(0, -9) == 7
func.func @f(%x: tensor<8xf32>) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (((d0 - (d0 + 2)) floordiv 8) mod 8)>,
                     affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]}
    ins(%x : tensor<8xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @apply(%a: index, %b: index) -> index {
  %0 = affine.apply affine_map<(d0, d1) -> (((d1 - (d1 + 2)) floordiv 8) mod 8)>(%a, %b)
  return %0 : index
}
// -----
// EnzymeAD/Enzyme-JAX#3118: a mod of a negative multiple was the modulus, not 0
// after: tensoraccess-tile{sizes=3}
// f(x := np.arange(3.)) == x[[(i - 6) % 3 for i in range(8)]]
// apply(-6) == (0, -2)
// apply(-7) == (2, -3)
func.func @f(%x: tensor<3xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ((d0 - 6) mod 3)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%x : tensor<3xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @apply(%i: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
  %1 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
  return %0, %1 : index, index
}
// -----
// tensorflow/mlir#82: d0 - (d0 + 1) was simplified to 0
// after: tensoraccess-canonicalize
// f(5) == -1
// f(-2**62) == -1
func.func @f(%i: index) -> index {
  %0 = affine.apply affine_map<(d0) -> (d0 - (d0 + 1))>(%i)
  return %0 : index
}
// -----
// llvm/llvm-project#107508: (s * a) ceildiv b by a symbol was divided term by term
// after: tensoraccess-canonicalize
// f(1) == -(-(1 * 5 + 42) // 1)
// f(2) == -(-(1 * 5 + 84) // 2)
// f(3) == -(-(2 * 5 + 126) // 3)
// f(9) == -(-(5 * 5 + 378) // 9)
func.func @f(%s: index) -> index {
  %0 = affine.apply
    affine_map<()[s0] -> ((((s0 * 2) ceildiv 4) * 5 + s0 * 42) ceildiv s0)>()[%s]
  return %0 : index
}
// -----
// apache/tvm#8616: a vector of remainders was taken for consecutive numbers
// after: tensoraccess-tile{sizes=2,4}
// f(x := np.arange(20)) == [[x[(50 * i + j) % 20] for j in range(16)] for i in range(4)]
func.func @f(%x: tensor<20xi32>) -> tensor<4x16xi32> {
  %e = tensor.empty() : tensor<4x16xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> ((d0 * 50 + d1) mod 20)>,
                     affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<20xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}
// -----
// apache/tvm#14571: y - x mod 2 was simplified to y + x mod 2 - 1
// after: tensoraccess-tile{sizes=3}
// f(x := np.arange(4)) == [x[3 - i % 2 - 2 * (i // 2 % 2)] for i in range(7)]
func.func @f(%x: tensor<4xi32>) -> tensor<7xi32> {
  %e = tensor.empty() : tensor<7xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (3 - d0 mod 2 - ((d0 floordiv 2) mod 2) * 2)>,
                     affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]}
    ins(%x : tensor<4xi32>) outs(%e : tensor<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<7xi32>
  return %0 : tensor<7xi32>
}
// -----
// apache/tvm#15665: (x mod 255) floordiv 16 was turned round though 16 does not divide 255
// after: tensoraccess-tile{sizes=100}
// f(x := np.arange(16)) == [x[i % 255 // 16] for i in range(300)]
func.func @f(%x: tensor<16xi32>) -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> ((d0 mod 255) floordiv 16)>,
                                        affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]}
    ins(%x : tensor<16xi32>) outs(%e : tensor<300xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
