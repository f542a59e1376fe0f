// What is wrong in StableHLO's ordinary text is said where it is.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

func.func @comma(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected ','}}
  %0 = stablehlo.add %x %x : tensor<3xf32>
  return
}

// -----

func.func @operands(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a type for each of the 2 operands, but there are 1}}
  %0 = stablehlo.add %x, %x : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @results(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a function type of one result}}
  %0 = stablehlo.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @no_function(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a function type, of the operands and the results}}
  %0 = stablehlo.reshape %x : tensor<3xf32>
  return
}

// -----

func.func @direction(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected one of EQ, NE, GE, GT, LE, LT}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @type(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected one of NOTYPE, FLOAT, TOTALORDER, SIGNED, UNSIGNED}}
  %0 = stablehlo.compare LT, %x, %x, REAL : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @range(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = stablehlo.slice %x [0, 2] : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dims(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected '['}}
  %0 = stablehlo.transpose %x, dims = 0 : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @contracting(%x: tensor<3x3xf32>) {
  // expected-error @+1 {{expected 'contracting_dims' (or 'batching_dims' before it)}}
  %0 = stablehlo.dot_general %x, %x, contract = [1] x [0] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @precision(%x: tensor<3x3xf32>) {
  // expected-error @+1 {{expected one of DEFAULT, HIGH, HIGHEST}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [MOST, LEAST] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @algorithm(%x: tensor<3x3xf32>) {
  // expected-error @+1 {{expected '>'}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @window(%x: tensor<1x4x1xf32>, %w: tensor<2x1x1xf32>) {
  // expected-error @+1 {{expected stride, pad, lhs_dilate, rhs_dilate or reverse}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {steps = [1]} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @padding(%x: tensor<1x4x1xf32>, %w: tensor<2x1x1xf32>) {
  // expected-error @+1 {{expected two numbers, [LOW, HIGH]}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1]]} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @twice(%x: tensor<1x4x1xf32>, %w: tensor<2x1x1xf32>) {
  // expected-error @+1 {{'stride' is written twice}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], stride = [2]} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @numbers(%x: tensor<1x4x1xf32>, %w: tensor<2x1x1xf32>) {
  // expected-error @+1 {{dimension 'b' is missing}}
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [f, 0, 1]x[0, i, o]->[b, 0, f], window = {} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @dictionary(%x: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'dimensions' is written twice, in the op's form and in its dictionary}}
  %0 = stablehlo.reverse %x, dims = [0] {dimensions = array<i64: 0>} : tensor<3xf32>
  return
}

// -----

func.func @exponent(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected the bits of exponent and mantissa, as in e8m23}}
  %0 = stablehlo.reduce_precision %x, format = bf16 : tensor<3xf32>
  return
}

// -----

func.func @reducer(%x: tensor<3xf32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected one of stablehlo.add, and, maximum, minimum, multiply, or, xor, but 'stablehlo.subtract' needs a 'reducer' with a region}}
  %0 = stablehlo.reduce(%x init: %y) applies stablehlo.subtract across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @across(%x: tensor<3xf32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected 'across' (or 'applies' before it)}}
  %0 = stablehlo.reduce(%x init: %y) dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @pairs(%x: tensor<3xf32>, %y: tensor<f32>) {
  // expected-error @+1 {{expected one pair of operands, since 'applies' reduces one tensor}}
  %0:2 = stablehlo.reduce(%x init: %y), (%x init: %y) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @scalars(%x: i32, %y: i32) {
  // expected-error @+1 {{expected a tensor to reduce}}
  %0 = stablehlo.reduce(%x init: %y) applies stablehlo.add across dimensions = [0] : (i32, i32) -> i32
  return
}

// -----

func.func @condition(%x: tensor<i32>) {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  // expected-error @+1 {{expected 'cond'}}
  do {
    stablehlo.return %i : tensor<i32>
  }
  return
}

// -----

func.func @types(%x: tensor<i32>) {
  // expected-error @+1 {{number of operands and types do not match: got 1 operands and 2 types}}
  %0:2 = stablehlo.while(%i = %x) : tensor<i32>, tensor<i32>
  cond {
    stablehlo.return %i : tensor<i32>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return
}

// -----

func.func @predicate(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error @+1 {{expected ','}}
  %0 = stablehlo.select %p, %x, %x : tensor<f32>
  return
}

// -----

func.func @parts(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a tensor of complex elements, or a function type}}
  %0 = stablehlo.complex %x, %x : tensor<3xf32>
  return
}

// -----

func.func @tuple(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a tuple type of 2 components}}
  %0 = stablehlo.tuple %x, %x : tuple<tensor<3xf32>>
  return
}

// -----

func.func @target(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected valid '@'-identifier for symbol name}}
  %0 = stablehlo.custom_call "f"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @constant() {
  // expected-error @+1 {{expected elements with their type, as in dense<0> : tensor<i32>}}
  %0 = stablehlo.constant 1 : i32
  return
}

// -----

func.func @booleans() {
  // expected-error @+1 {{expected 3 bytes, one of each element, but there are 2}}
  %0 = stablehlo.constant dense<"0x0001"> : tensor<3xi1>
  return
}

// -----

func.func @generic(%x: tensor<3xf32>, %i: tensor<1x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' has no form of its own: expected "stablehlo.gather"(OPERANDS) ... : TYPE}}
  %0 = stablehlo.gather %x, %i : (tensor<3xf32>, tensor<1x1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @sharding(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected an attribute in brackets}}
  %0 = sdy.sharding_constraint %x @mesh : tensor<3xf32>
  return
}

// -----

// expected-error @+1 {{expected '>'}}
sdy.mesh @mesh = <["x"=2]]>
