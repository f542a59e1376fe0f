// openxla/xla#4491: dynamic_slice took a start of ui8 from 128 on as negative
// f(x := np.arange(200), 128) == [128]
// f(x := np.arange(200), 255) == [199]
func.func @f(%x: tensor<200xi32>, %i: tensor<ui8>) -> tensor<1xi32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}>
    : (tensor<200xi32>, tensor<ui8>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}
// -----
// jax-ml/jax#6122: unsigned starts were cast to the signed type of the same width
// slice(x := np.arange(9), 2**63 + 5) == [7, 8]
// update(x := np.arange(9), [-1, -2], 2**63 + 5) == [0, 1, 2, 3, 4, 5, 6, -1, -2]
// gather(x := np.arange(9), np.array([[2**63 + 5], [3]], np.uint64)) == [8, 3]
// scatter(x := np.arange(9), np.array([[2**63 + 5], [3]], np.uint64), [-1, -2]) ==
//   [0, 1, 2, -2, 4, 5, 6, 7, 8]
func.func @slice(%x: tensor<9xi32>, %i: tensor<ui64>) -> tensor<2xi32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}>
    : (tensor<9xi32>, tensor<ui64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @update(%x: tensor<9xi32>, %u: tensor<2xi32>, %i: tensor<ui64>)
    -> tensor<9xi32> {
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i)
    : (tensor<9xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
func.func @gather(%x: tensor<9xi32>, %i: tensor<2x1xui64>) -> tensor<2xi32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<9xi32>, tensor<2x1xui64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @scatter(%x: tensor<9xi32>, %i: tensor<2x1xui64>, %u: tensor<2xi32>)
    -> tensor<9xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<9xi32>, tensor<2x1xui64>, tensor<2xi32>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
// -----
// openxla/xla#48717: a constant unsigned index with its highest bit set was folded to 0
// after: tensoraccess-canonicalize
// gather(np.arange(300)) == [200, 255]
// slice(np.arange(300)) == [200, 201]
// clamp(np.arange(9)) == [7, 8]
func.func @gather(%x: tensor<300xi32>) -> tensor<2xi32> {
  %i = "stablehlo.constant"() <{value = dense<[[200], [255]]> : tensor<2x1xui8>}>
    : () -> tensor<2x1xui8>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<300xi32>, tensor<2x1xui8>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @slice(%x: tensor<300xi32>) -> tensor<2xi32> {
  %i = "stablehlo.constant"() <{value = dense<200> : tensor<ui8>}> : () -> tensor<ui8>
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}>
    : (tensor<300xi32>, tensor<ui8>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
func.func @clamp(%x: tensor<9xi32>) -> tensor<2xi32> {
  %i = "stablehlo.constant"() <{value = dense<9223372036854775813> : tensor<ui64>}>
    : () -> tensor<ui64>
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}>
    : (tensor<9xi32>, tensor<ui64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// jax-ml/jax#40849: a slice of a slice was one slice, whose start was clamped once
// f(x := np.arange(11), 9, 0) == [7, 8]
// f(x := np.arange(11), 3, 5) == [5, 6]
// f(x := np.arange(11), -2, 1) == [1, 2]
// f(x := np.arange(11), 2**31 - 1, 2**31 - 1) == [9, 10]
func.func @f(%x: tensor<11xi32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2xi32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 4>}>
    : (tensor<11xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = "stablehlo.dynamic_slice"(%0, %j) <{slice_sizes = array<i64: 2>}>
    : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
// -----
// openxla/xla#49120: an update was written at its constant start without the clamp
// f(x := np.arange(20).reshape(4, 5)) == np.concatenate(
//   [x[:3], np.concatenate([x[3:, :2], 3 * x[:1, :3] - 1], 1)])
func.func @f(%x: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<1x3xi32>}>
    : () -> tensor<1x3xi32>
  %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<1x3xi32>}>
    : () -> tensor<1x3xi32>
  %i = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
  %j = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 1, 3>,
    start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}>
    : (tensor<4x5xi32>) -> tensor<1x3xi32>
  %1 = "stablehlo.multiply"(%0, %c3)
    : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
  %2 = "stablehlo.subtract"(%1, %c1)
    : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
  %3 = "stablehlo.dynamic_update_slice"(%x, %2, %i, %j)
    : (tensor<4x5xi32>, tensor<1x3xi32>, tensor<i32>, tensor<i32>) -> tensor<4x5xi32>
  return %3 : tensor<4x5xi32>
}
// -----
// openxla/stablehlo#1541: gather's starts are clamped before offsets are added
// f(x := np.arange(10), [[-100], [8], [3]]) == [[0, 1, 2], [7, 8, 9], [3, 4, 5]]
func.func @f(%x: tensor<10xi32>, %i: tensor<3x1xi64>) -> tensor<3x3xi32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0],
      index_vector_dim = 1>,
    slice_sizes = array<i64: 3>}> : (tensor<10xi32>, tensor<3x1xi64>) -> tensor<3x3xi32>
  return %0 : tensor<3x3xi32>
}
// -----
// openxla/stablehlo#1561: an update of one element beyond the edge is discarded
// f([1, 2, 3], [[3], [1], [-1]], [10, 20, 30]) == [1, 22, 3]
// f([1, 2, 3], [[1], [1], [2]], [10, 20, 30]) == [1, 32, 33]
func.func @f(%x: tensor<3xi32>, %i: tensor<3x1xi32>, %u: tensor<3xi32>)
    -> tensor<3xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// -----
// iree-org/iree#19749: gathering rows of a strided view read at wrong places
// f(x := np.arange(24.).reshape(4, 2, 3), [3, 1]) == x[[3, 1], 1]
func.func @f(%x: tensor<4x2x3xf32>, %i: tensor<2xi64>) -> tensor<2x3xf32> {
  %s = tensor.extract_slice %x[0, 1, 0] [4, 1, 3] [1, 1, 1]
    : tensor<4x2x3xf32> to tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
    ins(%i : tensor<2xi64>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%in: i64, %out: f32):
    %r = arith.index_cast %in : i64 to index
    %c = linalg.index 1 : index
    %1 = tensor.extract %s[%r, %c] : tensor<4x3xf32>
    linalg.yield %1 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// iree-org/iree#24881: gathers of single elements read beyond their array
// f(x := np.arange(10.), [[100], [-3], [4]]) == [9., 0., 4.]
// constant(x := np.arange(10.)) == [9., 4.]
func.func @f(%x: tensor<10xf32>, %i: tensor<3x1xi64>) -> tensor<3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @constant(%x: tensor<10xf32>) -> tensor<2xf32> {
  %i = "stablehlo.constant"() <{value = dense<[[100], [4]]> : tensor<2x1xi32>}>
    : () -> tensor<2x1xi32>
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<10xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
