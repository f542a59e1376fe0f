// llvm/llvm-project#57095: clamp took the greater of x and its greatest value
// f([-5., -0.5, 0., 9., inf]) == [-1., -0.5, 0., 2., 2.]
// keep([nan, 9.]) == [nan, 2.]
// ignore([nan, 9.]) == [-1., 2.]
func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32}
    : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @keep(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32,
    nan_mode = PROPAGATE} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @ignore(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32,
    nan_mode = IGNORE} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// llvm/llvm-project#112455: a float was clamped to the greatest i64 plus 1, which wraps
// f([2.**63, 2.**64, 2.**63 - 2.**39, -2.**70, 3.]) ==
//   [2**63 - 1, 2**63 - 1, 2**63 - 2**39, -2**63, 3]
func.func @f(%x: tensor<5xf32>) -> tensor<5xi64> {
  %0 = tosa.cast %x : (tensor<5xf32>) -> tensor<5xi64>
  return %0 : tensor<5xi64>
}
// -----
// ROCm/rocMLIR#2340: casts of floats to integers round to even in TOSA, elsewhere to 0
// f([0.5, 1.5, 2.5, -0.5, -1.5, 200., -200.]) == [0, 2, 2, 0, -2, 127, -128]
// stablehlo([0.5, 1.5, 2.5, -0.5, -1.5, 100.75, -100.75]) == [0, 1, 2, 0, -1, 100, -100]
func.func @f(%x: tensor<7xf32>) -> tensor<7xi8> {
  %0 = tosa.cast %x : (tensor<7xf32>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}
func.func @stablehlo(%x: tensor<7xf32>) -> tensor<7xi8> {
  %0 = "stablehlo.convert"(%x) : (tensor<7xf32>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}
// -----
// llvm/llvm-project#57951: a cast of a comparison was folded to -1
// after: tensoraccess-canonicalize
// f(1, 4) == 1
// f(0, 4) == 0
// f(-1, 4) == 0
func.func @f(%x: tensor<i64>, %y: tensor<i64>) -> tensor<i8> {
  %0 = tosa.cast %y : (tensor<i64>) -> tensor<i64>
  %1 = tosa.equal %0, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %2 = tosa.cast %1 : (tensor<i1>) -> tensor<i8>
  %3 = tosa.cast %2 : (tensor<i8>) -> tensor<i64>
  %4 = tosa.equal %x, %3 : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %5 = tosa.cast %4 : (tensor<i1>) -> tensor<i8>
  return %5 : tensor<i8>
}
// -----
// llvm/llvm-project#121951: maxima that ignore NaN were those that keep it
// f([nan, 1., nan], [2., nan, nan]) == ([2., 1., nan], [nan, nan, nan])
func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = tosa.maximum %x, %y {nan_mode = IGNORE}
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = tosa.maximum %x, %y {nan_mode = PROPAGATE}
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
// -----
// llvm/torch-mlir#512: an unknown size that may be 1 was not broadcast
// f(a := np.arange(12.).reshape(4, 3), b := np.array([[1., 2., 3.]])) == a + b
// f(a := np.arange(12.).reshape(4, 3), b := a[::-1] * 2) == a + b
func.func @f(%a: tensor<4x3xf32>, %b: tensor<?x3xf32>) -> tensor<4x3xf32> {
  %0 = tosa.add %a, %b : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// llvm/llvm-project#64000: sizes that reshape left unknown made invalid ops
// f(x := np.arange(10.).reshape(2, 5), y := np.arange(1., 6.)) == (x - y) * (y + 4)
func.func @f(%x: tensor<2x5xf32>, %y: tensor<5xf32>) -> tensor<2x5xf32> {
  %s = tosa.const_shape {values = dense<[1, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %four = "tosa.const"() <{values = dense<4.0> : tensor<1x1xf32>}>
    : () -> tensor<1x1xf32>
  %0 = tosa.reshape %y, %s : (tensor<5xf32>, !tosa.shape<2>) -> tensor<1x?xf32>
  %1 = tosa.sub %x, %0 : (tensor<2x5xf32>, tensor<1x?xf32>) -> tensor<2x5xf32>
  %2 = tosa.add %0, %four : (tensor<1x?xf32>, tensor<1x1xf32>) -> tensor<1x?xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %3 = tosa.mul %1, %2, %shift
    : (tensor<2x5xf32>, tensor<1x?xf32>, tensor<1xi8>) -> tensor<2x5xf32>
  return %3 : tensor<2x5xf32>
}
// -----
// llvm/llvm-project#118939: a rounding shift differed when its scalar was inlined
// f([83, -83, 12, 125, -8], [3, 3, 3, 0, 4]) == [10, -10, 2, 125, 0]
// wide([-170, 2**62, -2**63], [0, 61, 63]) == [-170, 2, -1]
func.func @f(%x: tensor<5xi32>, %n: tensor<5xi32>) -> tensor<5xi32> {
  %0 = tosa.arithmetic_right_shift %x, %n {round = true}
    : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}
func.func @wide(%x: tensor<3xi64>, %n: tensor<3xi64>) -> tensor<3xi64> {
  %0 = tosa.arithmetic_right_shift %x, %n {round = true}
    : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
