// jax-ml/jax#4640: argmax of an array with NaN was not an index of it
// f([0., 1., nan]) == (nan, 2)
// f([nan, 5., 1.]) == (nan, 0)
// f([3., 7., 7.]) == (7., 1)
func.func @f(%x: tensor<3xf32>) -> (tensor<f32>, tensor<i32>) {
  %low = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
    : () -> tensor<f32>
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi32>
  %0:2 = "stablehlo.reduce"(%x, %i, %low, %c0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %j: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
    %gt = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction GT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "stablehlo.compare"(%a, %a) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = "stablehlo.or"(%gt, %nan) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %eq = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction EQ>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%j, %k) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = "stablehlo.and"(%eq, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %v = "stablehlo.select"(%first, %a, %b)
      : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %either = "stablehlo.or"(%first, %tie) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.select"(%either, %j, %k)
      : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %w) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>)
    -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
// -----
// jax-ml/jax#24281: the least positive number was flushed, and -0 found greater
// f([-1., -0., x := np.float32(1e-45)]) == (x, 2)
// f([x := np.float32(-1e-45), -1., 2 * x]) == (x, 0)
func.func @f(%x: tensor<3xf32>) -> (tensor<f32>, tensor<i32>) {
  %low = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}>
    : () -> tensor<f32>
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xi32>
  %0:2 = "stablehlo.reduce"(%x, %i, %low, %c0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %j: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
    %gt = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction GT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "stablehlo.compare"(%a, %a) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = "stablehlo.or"(%gt, %nan) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %eq = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction EQ>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = "stablehlo.compare"(%j, %k) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = "stablehlo.and"(%eq, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %v = "stablehlo.select"(%first, %a, %b)
      : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %either = "stablehlo.or"(%first, %tie) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.select"(%either, %j, %k)
      : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%v, %w) : (tensor<f32>, tensor<i32>) -> ()
  }) : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>)
    -> (tensor<f32>, tensor<i32>)
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
// -----
// jax-ml/jax#6487: a window larger than its array gave a negative size
// f(np.arange(8.)) == np.zeros(0)
// some(np.ones((5, 1))) == np.zeros((5, 0))
func.func @f(%x: tensor<8xf32>) -> tensor<0xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 12>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
func.func @some(%x: tensor<5x1xf32>) -> tensor<5x0xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 5>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<5x1xf32>, tensor<f32>) -> tensor<5x0xf32>
  return %0 : tensor<5x0xf32>
}
// -----
// elixir-nx/nx#1675: the gradient of a padded pooling wrote into its padding
// f(np.array([[1., 5., 2., 2.]]), np.array([[10., 20., 30.]])) == [[10., 20., 0., 30.]]
// f(np.array([[-1., -5., -2., -2.]]), np.array([[10., 20., 30.]])) ==
//   [[10., 0., 20., 30.]]
func.func @f(%x: tensor<1x4xf32>, %s: tensor<1x3xf32>) -> tensor<1x4xf32> {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{
    padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction GE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<1x4xf32>, tensor<1x3xf32>, tensor<f32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
// -----
// tensorflow/tensorflow#118647: argmin was the last index where there was NaN, for lengths
//   that are not powers of two
// min7([3., nan, 1., 2., 5., 4., 1.]) == 1
// min7([3., 4., 1., 2., 5., 7., 1.]) == 2
func.func @min7(%x: tensor<7xf32>) -> tensor<i64> {
  %high = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}>
    : () -> tensor<f32>
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi64>
  %0:2 = "stablehlo.reduce"(%x, %i, %high, %c0) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %j: tensor<i64>, %b: tensor<f32>, %k: tensor<i64>):
    %lt = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = "stablehlo.compare"(%a, %a) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = "stablehlo.or"(%lt, %nan) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %eq = "stablehlo.compare"(%a, %b) <{
      comparison_direction = #stablehlo<comparison_direction EQ>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %before = "stablehlo.compare"(%j, %k) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %tie = "stablehlo.and"(%eq, %before) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %v = "stablehlo.select"(%first, %a, %b)
      : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %either = "stablehlo.or"(%first, %tie) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %w = "stablehlo.select"(%either, %j, %k)
      : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%v, %w) : (tensor<f32>, tensor<i64>) -> ()
  }) : (tensor<7xf32>, tensor<7xi64>, tensor<f32>, tensor<i64>)
    -> (tensor<f32>, tensor<i64>)
  return %0#1 : tensor<i64>
}
