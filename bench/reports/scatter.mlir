// openxla/xla#48718: updates were dropped where the array is longer than indices can say
// f(np.zeros(300), [[100], [127], [-1], [5]], [1, 2, 3, 4]) ==
//   [{100: 1, 127: 2, 5: 4}.get(i, 0) for i in range(300)]
// unsigned(np.zeros(300), [[100], [255], [128], [5]], [1, 2, 3, 4]) ==
//   [{100: 1, 255: 2, 128: 3, 5: 4}.get(i, 0) for i in range(300)]
// gather(np.arange(300), [[100], [127], [-128]]) == [100, 127, 0]
func.func @f(%x: tensor<300xi32>, %i: tensor<4x1xi8>, %u: tensor<4xi32>)
    -> tensor<300xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<300xi32>, tensor<4x1xi8>, tensor<4xi32>) -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
func.func @unsigned(%x: tensor<300xi32>, %i: tensor<4x1xui8>, %u: tensor<4xi32>)
    -> tensor<300xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<300xi32>, tensor<4x1xui8>, tensor<4xi32>) -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
func.func @gather(%x: tensor<300xi32>, %i: tensor<3x1xi8>) -> tensor<3xi32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<3x1xi8>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// -----
// openxla/xla#29362: a scatter of two arrays at once was wrong in its gradient's shape
// f([1., 2.], [3., 4.]) == ([1., 2., 0.], [-3., -4., 9.])
func.func @f(%u: tensor<2xf32>, %v: tensor<2xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<3xf32>}>
    : () -> tensor<3xf32>
  %nine = "stablehlo.constant"() <{value = dense<9.0> : tensor<3xf32>}>
    : () -> tensor<3xf32>
  %i = "stablehlo.constant"() <{value = dense<[[0], [1]]> : tensor<2x1xi32>}>
    : () -> tensor<2x1xi32>
  %0:2 = "stablehlo.scatter"(%z, %nine, %i, %u, %v) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = "stablehlo.negate"(%d) : (tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c, %1) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>)
    -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}
// -----
// openxla/xla#34870: indices of different batches fell on one another
// f(x := np.arange(12).reshape(2, 3, 2), i := np.array([[[2, 0], [0, 1]],
//   [[2, 0], [2, 1]]]), [[100, 200], [300, 400]]) ==
//   x + np.array([[[0, 200], [0, 0], [100, 0]], [[0, 0], [0, 0], [300, 400]]])
func.func @f(%x: tensor<2x3x2xi32>, %i: tensor<2x2x2xi32>, %u: tensor<2x2xi32>)
    -> tensor<2x3x2xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<2x3x2xi32>, tensor<2x2x2xi32>, tensor<2x2xi32>) -> tensor<2x3x2xi32>
  return %0 : tensor<2x3x2xi32>
}
// -----
// openxla/xla#44890: a transposition was folded into a scatter with batch dimensions
// f(x := np.zeros((2, 3, 2)), u := np.arange(1., 5.).reshape(2, 2), [[2], [0]]) ==
//   [[[0., 0.], [0., 0.], [1., 3.]], [[2., 4.], [0., 0.], [0., 0.]]]
func.func @f(%x: tensor<2x3x2xf32>, %u: tensor<2x2xf32>, %i: tensor<2x1xi64>)
    -> tensor<2x3x2xf32> {
  %t = "stablehlo.transpose"(%u) <{permutation = array<i64: 1, 0>}>
    : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = "stablehlo.scatter"(%x, %i, %t) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    "stablehlo.return"(%b) : (tensor<f32>) -> ()
  }) : (tensor<2x3x2xf32>, tensor<2x1xi64>, tensor<2x2xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}
