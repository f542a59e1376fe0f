// jax-ml/jax#16287: a custom call that only says how to shard could not be lowered
// main(x := np.arange(6.).reshape(2, 3), w := np.arange(6.).reshape(3, 2)) == x @ w
module @jit_f attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(
      %x: tensor<2x3xf32> {mhlo.sharding = "{devices=[1,2]<=[2]}"},
      %w: tensor<3x2xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"})
      -> (tensor<2x2xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = "stablehlo.custom_call"(%x) <{call_target_name = "Sharding"}>
      {mhlo.sharding = "{devices=[1,2]<=[2]}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = "stablehlo.dot_general"(%0, %w) <{
      dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
        rhs_contracting_dimensions = [0]>}>
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}
// -----
// iree-org/iree#24776: composites were not taken for their decomposition
// f(x := np.arange(6.).reshape(2, 3)) == 2 * x + 1
func.func private @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<2x3xf32>}>
    : () -> tensor<2x3xf32>
  %0 = "stablehlo.composite"(%x) <{composite_attributes = {n = 2 : i64},
    decomposition = @twice, name = "my.twice", version = 1 : i32}>
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.add"(%0, %one)
    : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
// -----
// jax-ml/jax#39301: rolling a sharded array joined parts of wrong sizes
// after: tensoraccess-tile{sizes=2}
// f(x := np.arange(4.)) == (np.roll(x, 3), np.roll(x, -3))
// sharded("x=2", "f", x := np.arange(4.)) == (np.roll(x, 3), np.roll(x, -3))
func.func @f(%x: tensor<4xf32> {tensoraccess.distribution = "{d0: x}"})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.extract_slice %x[3] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %1 = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %2 = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %3 = tensor.extract_slice %x[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<4xf32>
  %4 = tensor.insert_slice %2 into %e[0] [3] [1] : tensor<3xf32> into tensor<4xf32>
  %5 = tensor.insert_slice %3 into %4[3] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %6 = tensor.insert_slice %0 into %e[0] [1] [1] : tensor<1xf32> into tensor<4xf32>
  %7 = tensor.insert_slice %1 into %6[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return %5, %7 : tensor<4xf32>, tensor<4xf32>
}
