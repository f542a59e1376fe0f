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
  // expected-error @+1 {{tensoraccess.cut: x is no axis of the grid rows=2,cols=3}}
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
  // expected-error @+1 {{the block of a rank is no box on both sides of the reshape}}
  %0 = tensor.collapse_shape %a [[0, 1]] {tensoraccess.cut = "{d0: rows}"} : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----

func.func @returned(%a: tensor<3x4xf32>) -> tensor<12xf32> {
  // expected-error @+1 {{this op is needed by several groups, or returned: it must be cut}}
  %0 = tensor.collapse_shape %a [[0, 1]] {tensoraccess.cut = "needed"} : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}
