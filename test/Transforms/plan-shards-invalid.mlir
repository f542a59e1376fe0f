// Programs and attributes that can't be planned.
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2,cols=3" --split-input-file --verify-diagnostics

func.func @dynamic(%a: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // expected-error @+1 {{shards need tensors of static shape, got 'tensor<?x5xf32>'}}
  %0 = linalg.exp ins(%a : tensor<?x5xf32>) outs(%a : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// -----

func.func @elements(%a: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // expected-error @+1 {{shards need elements of a known size, got 'tensor<3xcomplex<f32>>'}}
  %0 = tensor.cast %a : tensor<3xcomplex<f32>> to tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// -----

func.func @large(%a: tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  // expected-error @+1 {{shards need tensors of less than 2^63 bytes, got 'tensor<4294967296x4294967296xf32>'}}
  %0 = linalg.exp ins(%a : tensor<4294967296x4294967296xf32>) outs(%a : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}

// -----

// expected-error @+1 {{shards need a function of one block}}
func.func @blocks(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  cf.br ^bb1
^bb1:
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{the function is planned for the grid x=4, not for rows=2,cols=3}}
func.func @grid(%a: tensor<3x5xf32>) -> tensor<3x5xf32> attributes {tensoraccess.grid = "x=4"} {
  return %a : tensor<3x5xf32>
}

// -----

func.func @axis(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{tensoraccess.cut: x is not an axis of the grid rows=2,cols=3}}
  %0 = linalg.exp {tensoraccess.cut = "{d0: x}"} ins(%a : tensor<3x5xf32>) outs(%a : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @text(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{tensoraccess.cut must be a string, got 3 : i64}}
  %0 = linalg.exp {tensoraccess.cut = 3} ins(%a : tensor<3x5xf32>) outs(%a : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @twice(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{tensoraccess.cut: axis rows is in d0 and in d1}}
  %0 = linalg.exp {tensoraccess.cut = "{d0: rows, d1: rows}"} ins(%a : tensor<3x5xf32>) outs(%a : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @partial(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{a cut of iterations has no partial axes}}
  %0 = linalg.exp {tensoraccess.cut = "{partial: rows}"} ins(%a : tensor<3x5xf32>) outs(%a : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @unreduced(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %z: tensor<3x7xf32>) -> tensor<3x7xf32> {
  // expected-error @+1 {{no reduction is cut that could be reduced}}
  %0 = linalg.matmul {tensoraccess.cut = "{d0: rows}", tensoraccess.reduced = "{d0: rows}"} ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%z : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// -----

func.func @reduced(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{tensoraccess.reduced needs tensoraccess.cut}}
  %0 = linalg.exp {tensoraccess.reduced = "{d0: rows}"} ins(%a : tensor<3x5xf32>) outs(%a : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// 3 x 4 digits: part 0 of 12 = 3·4 is [0, 6), a row and a half.
func.func @reshape(%a: tensor<3x4xf32>) -> tensor<12xf32> {
  // expected-error @+1 {{the block of a rank is not a box on both sides of the reshape}}
  %0 = tensor.collapse_shape %a [[0, 1]] {tensoraccess.cut = "{d0: rows}"} : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

func.func @returned(%a: tensor<3x4xf32>) -> tensor<12xf32> {
  // expected-error @+1 {{this op is returned, or ops that are cut unlike one another need it: it must be cut, got 'needed'}}
  %0 = tensor.collapse_shape %a [[0, 1]] {tensoraccess.cut = "needed"} : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0: x is not an axis of the grid rows=2,cols=3 in "{d0: x}"}}
func.func @argument_axis(%a: tensor<3x5xf32> {tensoraccess.distribution = "{d0: x}"}) -> tensor<3x5xf32> {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0: d2 is not one of 2 dimensions in "{d2: rows}"}}
func.func @argument_dim(%a: tensor<3x5xf32> {tensoraccess.distribution = "{d2: rows}"}) -> tensor<3x5xf32> {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0: axis rows is in d0 and in d1 in "{d0: rows, d1: rows}"}}
func.func @argument_twice(%a: tensor<3x5xf32> {tensoraccess.distribution = "{d0: rows, d1: rows}"}) -> tensor<3x5xf32> {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0: a tensor that is kept has no partial axes, in "{d0: rows, partial: cols}"}}
func.func @argument_partial(%a: tensor<3x5xf32> {tensoraccess.distribution = "{d0: rows, partial: cols}"}) -> tensor<3x5xf32> {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0 must be a string, got 3 : i32}}
func.func @argument_text(%a: tensor<3x5xf32> {tensoraccess.distribution = 3 : i32}) -> tensor<3x5xf32> {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of argument 0 is for a tensor, got 'f32'}}
func.func @argument_scalar(%a: f32 {tensoraccess.distribution = "{}"}) -> f32 {
  return %a : f32
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0: x is not an axis of the grid rows=2,cols=3 in "{d0: x}"}}
func.func @result_axis(%a: tensor<3x5xf32>) -> (tensor<3x5xf32> {tensoraccess.distribution = "{d0: x}"}) {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0: d2 is not one of 2 dimensions in "{d2: rows}"}}
func.func @result_dim(%a: tensor<3x5xf32>) -> (tensor<3x5xf32> {tensoraccess.distribution = "{d2: rows}"}) {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0: axis rows is in d0 and in d1 in "{d0: rows, d1: rows}"}}
func.func @result_twice(%a: tensor<3x5xf32>) -> (tensor<3x5xf32> {tensoraccess.distribution = "{d0: rows, d1: rows}"}) {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0: a tensor that is kept has no partial axes, in "{d0: rows, partial: cols}"}}
func.func @result_partial(%a: tensor<3x5xf32>) -> (tensor<3x5xf32> {tensoraccess.distribution = "{d0: rows, partial: cols}"}) {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0 must be a string, got 3 : i32}}
func.func @result_text(%a: tensor<3x5xf32>) -> (tensor<3x5xf32> {tensoraccess.distribution = 3 : i32}) {
  return %a : tensor<3x5xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0 is for a tensor, got 'f32'}}
func.func @result_scalar(%a: f32) -> (f32 {tensoraccess.distribution = "{}"}) {
  return %a : f32
}

// -----

func.func @exchange(%a: tensor<1152921504606846976xf32> {tensoraccess.distribution = "{d0: rows}"}) -> tensor<1152921504606846976xf32> {
  // expected-error @+1 {{exchanges have more than 2^63 bytes: of a tensor of 'tensor<1152921504606846976xf32>' from {d0: rows} on rows=2,cols=3}}
  %0 = linalg.exp {tensoraccess.cut = "{}"} ins(%a : tensor<1152921504606846976xf32>) outs(%a : tensor<1152921504606846976xf32>) -> tensor<1152921504606846976xf32>
  return %0 : tensor<1152921504606846976xf32>
}

// -----

// Two results of different shapes have no one place to be summed at.
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i, j) -> ()>
func.func @places(%a: tensor<3x5xf32>, %b: tensor<3xf32>, %c: tensor<f32>) -> tensor<3xf32> {
  // expected-error @+1 {{the reduced distribution has 1 dimensions, but the result has 0}}
  %0:2 = linalg.generic {indexing_maps = [#all, #row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<3x5xf32>) outs(%b, %c : tensor<3xf32>, tensor<f32>) attrs = {tensoraccess.cut = "{d1: rows}"} {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.addf %x, %z : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<3xf32>, tensor<f32>)
  return %0#0 : tensor<3xf32>
}

// -----

func.func private @other(tensor<3x5xf32>) -> tensor<3x5xf32>
func.func @call(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // expected-error @+1 {{a call is not cut over ranks: inline it first}}
  %0 = call @other(%a) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
