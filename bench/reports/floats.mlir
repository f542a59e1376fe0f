// openxla/xla#42732: log(exp(x)), sqrt(x * x) were x, |x| where what is between overflows
// f([89., 200., -200., 1.]) == near([inf, inf, -inf, 1.], 1)
// square(x := np.array([1e19, 1e20, -3e38, 0.], np.float32)) ==
//   near([x[0], inf, inf, 0.], 1)
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.log"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.multiply"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.sqrt"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
// openxla/xla#46594: atan2 of two zeros was folded to NaN
// f([0., -0., 0., -0.], [0., 0., -0., -0.]) == near([0., -0., np.pi, -np.pi], 1)
// same([True, False]) == [0., 0.]
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.atan2"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @same(%x: tensor<2xi1>) -> tensor<2xf32> {
  %0 = "stablehlo.xor"(%x, %x) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %1 = "stablehlo.convert"(%0) : (tensor<2xi1>) -> tensor<2xf32>
  %2 = "stablehlo.atan2"(%1, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
// -----
// openxla/xla#37116: products by the greatest f64 differed with the length of the array
// f(x := np.array([0.20099818632866118, -0.9592309562855535, 0.010391347657845218])) ==
//   x * np.finfo(np.float64).max
func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = "stablehlo.constant"() <{value = dense<1.7976931348623157e308> : tensor<3xf64>}>
    : () -> tensor<3xf64>
  %1 = "stablehlo.multiply"(%x, %0) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}
// -----
// jax-ml/ml_dtypes#260: a float beyond f8E4M3FN becomes NaN, from 464 on, where ties go up
// f(np.array([448., 464., 465., -1000., inf])) == [448., 448., nan, nan, nan]
func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<5xf32>) -> tensor<5xf8E4M3FN>
  %1 = "stablehlo.convert"(%0) : (tensor<5xf8E4M3FN>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
// -----
// MurrellGroup/Microfloats.jl#25: a float was rounded twice on its way to 8 bits
// f([1.31640625, 1.3125, 1.1875, -1.31640625]) == [1.375, 1.25, 1.25, -1.375]
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %1 = "stablehlo.convert"(%0) : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
// openxla/stablehlo#2497: sorting by the total order put NaNs elsewhere
// f([nan, 0., -0., -inf, np.copysign(nan, -1.), 1., inf]) == [4, 3, 2, 1, 5, 6, 0]
// down([nan, 0., -0., -inf, np.copysign(nan, -1.), 1., inf]) == [0, 6, 5, 1, 2, 3, 4]
func.func @f(%x: tensor<7xf32>) -> tensor<7xi32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = "stablehlo.compare"(%a, %b) <{
      compare_type = #stablehlo<comparison_type TOTALORDER>,
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  return %0#1 : tensor<7xi32>
}
func.func @down(%x: tensor<7xf32>) -> tensor<7xi32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = "stablehlo.compare"(%a, %b) <{
      compare_type = #stablehlo<comparison_type TOTALORDER>,
      comparison_direction = #stablehlo<comparison_direction GT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<7xf32>, tensor<7xi32>) -> (tensor<7xf32>, tensor<7xi32>)
  return %0#1 : tensor<7xi32>
}
// -----
// jax-ml/jax#6443: -0 was sorted before 0, and a NaN by its sign
// f([0., -0., nan, -1., -0.]) == [3, 0, 1, 4, 2]
func.func @f(%x: tensor<5xf32>) -> tensor<5xi32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %number = "stablehlo.compare"(%a, %a) <{
      comparison_direction = #stablehlo<comparison_direction EQ>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "stablehlo.compare"(%b, %b) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %last = "stablehlo.and"(%number, %nan) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %1 = "stablehlo.or"(%lt, %last) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
  return %0#1 : tensor<5xi32>
}
// -----
// llvm/llvm-project#114594: maxnumf of NaN and of infinity were folded as maximumf
// after: tensoraccess-canonicalize
// f(nan, 2.) == (2., 2., nan, nan)
// f(-inf, nan) == (-inf, -inf, nan, nan)
// f(-1., 2.) == (2., -1., 2., -1.)
// constants(nan) == (-inf, nan)
func.func @f(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %0 = arith.maxnumf %x, %y : f32
  %1 = arith.minnumf %x, %y : f32
  %2 = arith.maximumf %x, %y : f32
  %3 = arith.minimumf %x, %y : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
func.func @constants(%x: f32) -> (f32, f32) {
  %low = arith.constant 0xFF800000 : f32
  %0 = arith.maxnumf %x, %low : f32
  %1 = arith.maximumf %x, %low : f32
  return %0, %1 : f32, f32
}
// -----
// openxla/xla#45560: a - a, 0 * a were 0 and a / a was 1, whatever a is
// f([1., inf, nan, -0.]) == ([0., nan, nan, 0.], [0., nan, nan, -0.],
//   [1., nan, nan, nan])
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<4xf32>}>
    : () -> tensor<4xf32>
  %0 = "stablehlo.subtract"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.multiply"(%x, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.divide"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// openxla/stablehlo#2891: minima of constants were folded to the greater one
// after: tensoraccess-canonicalize
// f() == ([-3., -0., nan, -inf], [2., 0., nan, 1.])
func.func @f() -> (tensor<4xf64>, tensor<4xf64>) {
  %x = "stablehlo.constant"() <{
    value = dense<[-3.0, -0.0, 0x7FF8000000000000, 1.0]> : tensor<4xf64>}>
    : () -> tensor<4xf64>
  %y = "stablehlo.constant"() <{
    value = dense<[2.0, 0.0, 1.0, 0xFFF0000000000000]> : tensor<4xf64>}>
    : () -> tensor<4xf64>
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %1 = "stablehlo.maximum"(%x, %y) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0, %1 : tensor<4xf64>, tensor<4xf64>
}
