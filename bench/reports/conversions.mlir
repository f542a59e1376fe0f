// openxla/xla#41605: a conversion to fewer bits and back was left out
// f(x := np.array([1.01, -3.3, 2.**-20, 1e30])) ==
//   [np.float32(v).view(np.uint32) + 0x7fff + (np.float32(v).view(np.uint32) >> 16 & 1)
//   >> 16 << 16 for v in x]
// f64([1.0000001, 1 + 2.**-11 + 2.**-40, 65519.99]) == [1., 1 + 2.**-10, 65504.]
func.func @f(%x: tensor<4xf64>) -> tensor<4xi32> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xf32>
  %1 = "stablehlo.convert"(%0) : (tensor<4xf32>) -> tensor<4xbf16>
  %2 = "stablehlo.convert"(%1) : (tensor<4xbf16>) -> tensor<4xf32>
  %3 = "stablehlo.bitcast_convert"(%2) : (tensor<4xf32>) -> tensor<4xi32>
  return %3 : tensor<4xi32>
}
func.func @f64(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = "stablehlo.convert"(%x) : (tensor<3xf64>) -> tensor<3xf16>
  %1 = "stablehlo.convert"(%0) : (tensor<3xf16>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
// -----
// JuliaLang/julia#40315: f64 became f16 by way of f32, which rounds twice
// f([63343.99805, 63344., 1 + 2.**-11, 1 + 2.**-11 + 2.**-40, 1 + 2.**-11 - 2.**-40,
//   -1 - 2.**-11 - 2.**-40]) == [63328., 63360., 1., 1 + 2.**-10, 1., -1 - 2.**-10]
// arith(63343.99805) == 63328.
func.func @f(%x: tensor<6xf64>) -> tensor<6xf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<6xf64>) -> tensor<6xf16>
  return %0 : tensor<6xf16>
}
func.func @arith(%x: f64) -> f32 {
  %0 = arith.truncf %x : f64 to f16
  %1 = arith.extf %0 : f16 to f32
  return %1 : f32
}
// -----
// JuliaLang/julia#57809: the same of bf16
// f([1 + 2.**-8, 1 + 2.**-8 + 2.**-40, 1 + 2.**-8 - 2.**-40, -1 - 2.**-8 - 2.**-50]) ==
//   [1., 1 + 2.**-7, 1., -1 - 2.**-7]
// arith(1 + 2.**-8 + 2.**-40) == 1 + 2.**-7
func.func @f(%x: tensor<4xf64>) -> tensor<4xbf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}
func.func @arith(%x: f64) -> f32 {
  %0 = arith.truncf %x : f64 to bf16
  %1 = arith.extf %0 : bf16 to f32
  return %1 : f32
}
// -----
// WebAssembly/spec#420: large odd integers without sign became floats by two roundings
// f(np.array([2**64 - 1, 2**63 + 2**39, 2**63 + 2**39 + 1, 2**24 + 1], np.uint64)) ==
//   [2.**64, 2.**63, 2.**63 + 2.**40, 2.**24]
// signed([2**63 - 1, 2**62 + 2**38 + 1, -2**24 - 3, 1]) ==
//   [2.**63, 2.**62 + 2.**39, -2.**24 - 4, 1.]
// half([2**32 - 1, 65519, 65520, 2049]) == [inf, 65504., inf, 2048.]
func.func @f(%x: tensor<4xui64>) -> tensor<4xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xui64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @signed(%x: tensor<4xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @half(%x: tensor<4xui32>) -> tensor<4xf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xui32>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
// -----
// numpy/numpy#22704: ties between f16 go to the even one
// f(np.array([0x34200000, 0x34200001, 0x34600000, 0x40001000, 0x40003000], np.int32)) ==
//   np.array([0x0002, 0x0003, 0x0004, 0x4000, 0x4002], np.int16)
func.func @f(%x: tensor<5xi32>) -> tensor<5xi16> {
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<5xi32>) -> tensor<5xf32>
  %1 = "stablehlo.convert"(%0) : (tensor<5xf32>) -> tensor<5xf16>
  %2 = "stablehlo.bitcast_convert"(%1) : (tensor<5xf16>) -> tensor<5xi16>
  return %2 : tensor<5xi16>
}
// -----
// jax-ml/jax#17672: negative numbers of i4 were positive in i8
// f([-8, -1, 0, 7]) == [-8, -1, 0, 7]
// through([-8, -9, 8, 127]) == [-8, 7, -8, -1]
func.func @f(%x: tensor<4xi4>) -> tensor<4xi8> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xi4>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}
func.func @through(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xi8>) -> tensor<4xi4>
  %1 = "stablehlo.convert"(%0) : (tensor<4xi4>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
// -----
// jax-ml/jax#23007: y - ((x + y) - x), in bf16, was 0 when the sums were kept in f32
// f([1., 256., 3.], [2.**-9, 1., 2.**-7 + 1]) == [2.**-9, 1., 2.**-7]
func.func @f(%x: tensor<3xbf16>, %y: tensor<3xbf16>) -> tensor<3xbf16> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %1 = "stablehlo.subtract"(%0, %x)
    : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %2 = "stablehlo.subtract"(%y, %1)
    : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  return %2 : tensor<3xbf16>
}
