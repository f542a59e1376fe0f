// One ill-formed op for each constraint, labelled as in TensorAccessOps.td.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

//===----------------------------------------------------------------------===//
// access
//===----------------------------------------------------------------------===//

// access_c1: the axis is beyond the rank.
func.func @access_c1(%x: tensor<3x5xf32>) {
  // expected-error @+1 {{access axis must lie in [0, 2], got 3}}
  %0 = tensoraccess.access %x at 3 : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  return
}

// -----

// access_c1_negative: the axis is negative.
func.func @access_c1_negative(%x: tensor<3x5xf32>) {
  // expected-error @+1 {{access axis must lie in [0, 2], got -1}}
  %0 = tensoraccess.access %x at -1 : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  return
}

// -----

// access_element_type: the type of the pattern has rules of its own.
func.func @access_element_type(%x: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{access element type must be an integer, index or float, got 'complex<f32>'}}
  %0 = tensoraccess.access %x at 1 : tensor<3xcomplex<f32>> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// access_result: the result follows from the tensor and the axis.
func.func @access_result(%x: tensor<3x5xf32>) {
  // expected-error @+1 {{'tensoraccess.access' op result must be of type '!tensoraccess.access<3 | 5xf32>', got '!tensoraccess.access<5 | 3xf32>'}}
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<5 | 3xf32>
  return
}

// -----

// access_unranked: only ranked tensors have an axis.
func.func @access_unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = tensoraccess.access %x at 1 : tensor<*xf32> -> !tensoraccess.access<5 | 3xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// to_tensor
//===----------------------------------------------------------------------===//

// to_tensor_result: dimensions stay in their order.
func.func @to_tensor_result(%p: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.to_tensor' op result must be of type 'tensor<3x5xf32>', got 'tensor<5x3xf32>'}}
  %0 = tensoraccess.to_tensor %p : !tensoraccess.access<3 | 5xf32> -> tensor<5x3xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

// transpose_c1_repeated: a dimension comes twice.
func.func @transpose_c1_repeated(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{perm must be a permutation of 3 dimensions, got [0, 1, 1]}}
  %0 = tensoraccess.transpose %p perm = [0, 1, 1] : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
  return
}

// -----

// transpose_c1_range: a dimension that does not exist.
func.func @transpose_c1_range(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{perm must be a permutation of 3 dimensions, got [0, 1, 3]}}
  %0 = tensoraccess.transpose %p perm = [0, 1, 3] : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
  return
}

// -----

// transpose_c1_count: a dimension is missing.
func.func @transpose_c1_count(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{perm must be a permutation of 3 dimensions, got [1, 0]}}
  %0 = tensoraccess.transpose %p perm = [1, 0] : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<5x3 | 7xf32>
  return
}

// -----

// transpose_result: the split stays after two dimensions.
func.func @transpose_result(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.transpose' op result must be of type '!tensoraccess.access<7x3 | 5xf32>', got '!tensoraccess.access<7 | 3x5xf32>'}}
  %0 = tensoraccess.transpose %p perm = [2, 0, 1] : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<7 | 3x5xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// cart_prod
//===----------------------------------------------------------------------===//

// cart_prod_c1: element types differ.
func.func @cart_prod_c1(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<7 | 5xf16>) {
  // expected-error @+1 {{element types must be equal, got 'f32' and 'f16'}}
  %0 = tensoraccess.cart_prod %a, %b : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf16> -> !tensoraccess.access<3x7 | 2x5xf32>
  return
}

// -----

// cart_prod_c2: compute shapes differ.
func.func @cart_prod_c2(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<7 | 4xf32>) {
  // expected-error @+1 {{compute shapes must be equal, got [5] and [4]}}
  %0 = tensoraccess.cart_prod %a, %b : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 4xf32> -> !tensoraccess.access<3x7 | 2x5xf32>
  return
}

// -----

// cart_prod_c2_dynamic: beside a dynamic size, a static one still counts.
func.func @cart_prod_c2_dynamic(%a: !tensoraccess.access<3 | ?x5xf32>, %b: !tensoraccess.access<7 | 2x4xf32>) {
  // expected-error @+1 {{compute shapes must be equal, got [?, 5] and [2, 4]}}
  %0 = tensoraccess.cart_prod %a, %b : !tensoraccess.access<3 | ?x5xf32>, !tensoraccess.access<7 | 2x4xf32> -> !tensoraccess.access<3x7 | 2x2x4xf32>
  return
}

// -----

// cart_prod_overflow: 2^62 points of 2^2 elements.
func.func @cart_prod_overflow(%a: !tensoraccess.access<2147483648 | f32>, %b: !tensoraccess.access<2147483648 | f32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 2147483648x2147483648 | 2}}
  %0 = tensoraccess.cart_prod %a, %b : !tensoraccess.access<2147483648 | f32>, !tensoraccess.access<2147483648 | f32> -> !tensoraccess.access<3x7 | 2xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// windows
//===----------------------------------------------------------------------===//

// windows_c1_shape: one entry per compute dimension.
func.func @windows_c1_shape(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{shape must have one entry per compute dimension, 2, got 1}}
  %0 = tensoraccess.windows %p shape = [3] strides = [1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c1_strides: the same for strides.
func.func @windows_c1_strides(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{strides must have one entry per compute dimension, 2, got 3}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [1, 1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c1_dilations: the same for dilations.
func.func @windows_c1_dilations(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{dilations must have one entry per compute dimension, 2, got 0}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [1, 1] dilations = [] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c2_shape: a window of nothing.
func.func @windows_c2_shape(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{shape entry 1 must be positive, got 0}}
  %0 = tensoraccess.windows %p shape = [3, 0] strides = [1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c2_strides: a window that goes backwards.
func.func @windows_c2_strides(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{strides entry 0 must be positive, got -1}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [-1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c2_dilations: all elements in one place.
func.func @windows_c2_dilations(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{dilations entry 1 must be positive, got 0}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [1, 1] dilations = [1, 0] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c3: the window is longer than the dimension.
func.func @windows_c3(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{window of 9 with dilation 1 does not fit in compute dimension 1 of size 8}}
  %0 = tensoraccess.windows %p shape = [3, 9] strides = [1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c3_dilated: with its gaps it is.
func.func @windows_c3_dilated(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{window of 3 with dilation 4 does not fit in compute dimension 1 of size 8}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [1, 1] dilations = [1, 4] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_c3_overflow: its length does not fit in 64 bits.
func.func @windows_c3_overflow(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{window of 4611686018427387905 with dilation 4 does not fit in compute dimension 1 of size 8}}
  %0 = tensoraccess.windows %p shape = [3, 4611686018427387905] strides = [1, 1] dilations = [1, 4] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x7x6 | 3x3xf32>
  return
}

// -----

// windows_result: seven places, not eight.
func.func @windows_result(%p: !tensoraccess.access<3 | 9x8xf32>) {
  // expected-error @+1 {{'tensoraccess.windows' op result must be of type '!tensoraccess.access<3x7x6 | 3x3xf32>', got '!tensoraccess.access<3x8x6 | 3x3xf32>'}}
  %0 = tensoraccess.windows %p shape = [3, 3] strides = [1, 1] : !tensoraccess.access<3 | 9x8xf32> -> !tensoraccess.access<3x8x6 | 3x3xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// squeeze, insert_axis
//===----------------------------------------------------------------------===//

// squeeze_c1: the axis is beyond the rank.
func.func @squeeze_c1(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{squeeze axis must lie in [0, 2], got 3}}
  %0 = tensoraccess.squeeze %p axis 3 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// squeeze_c1_negative: the axis is negative.
func.func @squeeze_c1_negative(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{squeeze axis must lie in [0, 2], got -1}}
  %0 = tensoraccess.squeeze %p axis -1 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// squeeze_c2: the dimension is not 1.
func.func @squeeze_c2(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{squeezed dimension 2 must have size 1, got 7}}
  %0 = tensoraccess.squeeze %p axis 2 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<3x1 | f32>
  return
}

// -----

// squeeze_c2_dynamic: the dimension is 1 only perhaps.
func.func @squeeze_c2_dynamic(%p: !tensoraccess.access<? | 7xf32>) {
  // expected-error @+1 {{squeezed dimension 0 must have size 1, got ?}}
  %0 = tensoraccess.squeeze %p axis 0 : !tensoraccess.access<? | 7xf32> -> !tensoraccess.access<| 7xf32>
  return
}

// -----

// insert_axis_c1: the axis is beyond the end.
func.func @insert_axis_c1(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{inserted axis must lie in [0, 3], got 4}}
  %0 = tensoraccess.insert_axis %p axis 4 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<3x1 | 7x1xf32>
  return
}

// -----

// insert_axis_c1_negative: the axis is negative.
func.func @insert_axis_c1_negative(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{inserted axis must lie in [0, 3], got -1}}
  %0 = tensoraccess.insert_axis %p axis -1 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<1x3x1 | 7xf32>
  return
}

// -----

// insert_axis_result: at the split it is an access dimension.
func.func @insert_axis_result(%p: !tensoraccess.access<3x1 | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.insert_axis' op result must be of type '!tensoraccess.access<3x1x1 | 7xf32>', got '!tensoraccess.access<3x1 | 1x7xf32>'}}
  %0 = tensoraccess.insert_axis %p axis 2 : !tensoraccess.access<3x1 | 7xf32> -> !tensoraccess.access<3x1 | 1x7xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// flatten, reshape
//===----------------------------------------------------------------------===//

// flatten_result: each side for itself.
func.func @flatten_result(%p: !tensoraccess.access<3x5 | 7x2xf32>) {
  // expected-error @+1 {{'tensoraccess.flatten' op result must be of type '!tensoraccess.access<15 | 14xf32>', got '!tensoraccess.access<210 | f32>'}}
  %0 = tensoraccess.flatten %p : !tensoraccess.access<3x5 | 7x2xf32> -> !tensoraccess.access<210 | f32>
  return
}

// -----

// reshape_c1: element types differ.
func.func @reshape_c1(%p: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op element types must be equal, got 'f32' and 'f16'}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf16>
  return
}

// -----

// reshape_c2: access points get lost.
func.func @reshape_c2(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op access shapes must have equally many elements, got 15 (3x5) and 14 (14)}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<14 | 7xf32>
  return
}

// -----

// reshape_c2_crossing: elements do not cross the split, even if their number is right.
func.func @reshape_c2_crossing(%p: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op access shapes must have equally many elements, got 15 (3x5) and 3 (3)}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3 | 5x7xf32>
  return
}

// -----

// reshape_c3: items change their size.
func.func @reshape_c3(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op compute shapes must have equally many elements, got 35 (5x7) and 34 (34)}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 34xf32>
  return
}

// -----

// reshape_dynamic: two unknown sizes could be anything.
func.func @reshape_dynamic(%p: !tensoraccess.access<?x? | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op access shapes with `?` must be equal or have one `?` each, got ?x? and ?}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<?x? | 7xf32> -> !tensoraccess.access<? | 7xf32>
  return
}

// -----

// reshape_dynamic_static: a `?` does not become a number.
func.func @reshape_dynamic_static(%p: !tensoraccess.access<? | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.reshape' op access shapes with `?` must be equal or have one `?` each, got ? and 3}}
  %0 = tensoraccess.reshape %p : !tensoraccess.access<? | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

// pad_c1_low: one entry per dimension.
func.func @pad_c1_low(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{low must have one entry per dimension, 3, got 2}}
  %0 = tensoraccess.pad %p low = [0, 1] high = [0, 1, 2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_c1_high: the same for high.
func.func @pad_c1_high(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{high must have one entry per dimension, 3, got 4}}
  %0 = tensoraccess.pad %p low = [0, 1, 1] high = [0, 1, 2, 3] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_c2_low: padding does not cut.
func.func @pad_c2_low(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{low entry 1 must be non-negative, got -1}}
  %0 = tensoraccess.pad %p low = [0, -1, 1] high = [0, 1, 2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_c2_high: the same for high.
func.func @pad_c2_high(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{high entry 2 must be non-negative, got -2}}
  %0 = tensoraccess.pad %p low = [0, 1, 1] high = [0, 1, -2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_c3: the value has another type.
func.func @pad_c3(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{value must have the element type 'f32', got 'i32'}}
  %0 = tensoraccess.pad %p low = [0, 1, 1] high = [0, 1, 2] value = 0 : i32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_overflow_size: a size beyond 2^63 - 1.
func.func @pad_overflow_size(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{padded size of dimension 1 overflows, low is 9223372036854775807, high 1, interior 0}}
  %0 = tensoraccess.pad %p low = [0, 9223372036854775807, 1] high = [0, 1, 2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_overflow_count: sizes fit, their product does not.
func.func @pad_overflow_count(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 3 | 4611686018427387910x10}}
  %0 = tensoraccess.pad %p low = [0, 4611686018427387904, 1] high = [0, 1, 2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

// pad_result: low and high both count.
func.func @pad_result(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{'tensoraccess.pad' op result must be of type '!tensoraccess.access<3 | 7x10xf32>', got '!tensoraccess.access<3 | 6x9xf32>'}}
  %0 = tensoraccess.pad %p low = [0, 1, 1] high = [0, 1, 2] value = 0.0 : f32 : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 6x9xf32>
  return
}

// -----

// pad_untyped_value: a value is typed.
func.func @pad_untyped_value(%p: !tensoraccess.access<3 | 5x7xf32>) {
  // expected-error @+1 {{'tensoraccess.pad' op attribute 'value' failed to satisfy constraint: TypedAttr instance}}
  %0 = "tensoraccess.pad"(%p) {low = array<i64: 0, 1, 1>, high = array<i64: 0, 1, 2>, value = unit} : (!tensoraccess.access<3 | 5x7xf32>) -> !tensoraccess.access<3 | 7x10xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// materialize
//===----------------------------------------------------------------------===//

// materialize_result: a copy has the type of the view.
func.func @materialize_result(%p: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.materialize' op result must be of type '!tensoraccess.access<3 | 5xf32>', got '!tensoraccess.access<5 | 3xf32>'}}
  %0 = tensoraccess.materialize %p : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// compute
//===----------------------------------------------------------------------===//

// compute_c1_dot_prod: no tuple axis.
func.func @compute_c1_dot_prod(%p: !tensoraccess.access<3 | f32>) {
  // expected-error @+1 {{dot_prod needs a tuple axis, got an empty compute shape}}
  %0 = tensoraccess.compute dot_prod %p : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c1_elementwise_add: no tuple axis.
func.func @compute_c1_elementwise_add(%p: !tensoraccess.access<3 | f32>) {
  // expected-error @+1 {{elementwise_add needs a tuple axis, got an empty compute shape}}
  %0 = tensoraccess.compute elementwise_add %p : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c1_elementwise_mul: no tuple axis.
func.func @compute_c1_elementwise_mul(%p: !tensoraccess.access<3 | f32>) {
  // expected-error @+1 {{elementwise_mul needs a tuple axis, got an empty compute shape}}
  %0 = tensoraccess.compute elementwise_mul %p : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c2: nothing has no greatest element.
func.func @compute_c2(%p: !tensoraccess.access<3 | 5x0xf32>) {
  // expected-error @+1 {{reduce_max needs a non-empty item, got 5x0}}
  %0 = tensoraccess.compute reduce_max %p : !tensoraccess.access<3 | 5x0xf32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_kind: a kind that does not exist.
func.func @compute_kind(%p: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{unknown compute kind `argmax`}}
  %0 = tensoraccess.compute argmax %p : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_result: relu keeps the item.
func.func @compute_result(%p: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.compute' op result must be of type '!tensoraccess.access<3 | 5xf32>', got '!tensoraccess.access<3 | f32>'}}
  %0 = tensoraccess.compute relu %p : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_tensor: tensors are not patterns.
func.func @compute_tensor(%p: tensor<3x5xf32>) {
  // expected-error @+1 {{'tensoraccess.compute' op operand #0 must be an access pattern: access dimensions and compute dimensions, but got 'tensor<3x5xf32>'}}
  %0 = "tensoraccess.compute"(%p) {kind = #tensoraccess.compute_kind<relu>} : (tensor<3x5xf32>) -> !tensoraccess.access<3 | f32>
  return
}
