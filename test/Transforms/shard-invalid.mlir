// RUN: tensoraccess-opt %s --tensoraccess-shard --split-input-file --verify-diagnostics

// No function says how it is cut.
// expected-error @+1 {{no function has tensoraccess.grid: there is nothing to cut over ranks}}
module {
  func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
    return %x : tensor<6xf32>
  }
}

// -----

// A grid whose text is wrong.
// expected-error @+1 {{tensoraccess.grid: axis rows must have at least one rank, got 0}}
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=0"} {
  return %x : tensor<6xf32>
}

// -----

// A grid that is not text.
// expected-error @+1 {{must give the grid of ranks as a string: tensoraccess.grid}}
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = 4 : i64} {
  return %x : tensor<6xf32>
}

// -----

// An axis that the grid lacks.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut: cols is not an axis of the grid rows=2 at position 5 of "{d0: cols}"}}
  %0 = arith.addf %x, %x {tensoraccess.cut = "{d0: cols}"} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A loop that the op lacks.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut: d1 is not one of 1 dimensions at position 1 of "{d1: rows}"}}
  %0 = arith.addf %x, %x {tensoraccess.cut = "{d1: rows}"} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// An axis in two places.
func.func @main(%x: tensor<6x5xf32>) -> tensor<6x5xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut: axis rows is in d0 and in d1 at position 0 of "{d0: rows, d1: rows}"}}
  %0 = arith.addf %x, %x {tensoraccess.cut = "{d0: rows, d1: rows}"} : tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}

// -----

// Loops are not partial; a reduction is cut by its loop.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut: loops have no partial axes at position 0 of "{partial: rows}"}}
  %0 = arith.addf %x, %x {tensoraccess.cut = "{partial: rows}"} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// A cut that is not text.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut must be a string, got 3 : i64}}
  %0 = arith.addf %x, %x {tensoraccess.cut = 3 : i64} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// An op that has no loops to cut.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{tensoraccess.cut: d0 is not one of 0 dimensions at position 1 of "{d0: rows}"; 'tensor.generate' can only be run whole}}
  %0 = tensor.generate {
  ^bb0(%i: index):
    %c = arith.constant 1.0 : f32
    tensor.yield %c : f32
  } {tensoraccess.cut = "{d0: rows}"} : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Nor can it be run on a part.
func.func @main(%x: tensor<6xf32>, %s: tensor<2xindex>) -> tensor<2x3xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{can only be run whole, not where it is needed}}
  %0 = tensor.reshape %x(%s) {tensoraccess.cut = "needed"}
    : (tensor<6xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// A reduction whose partial results cannot be put together.
func.func @main(%x: tensor<6xf32>, %e: tensor<f32>) -> tensor<f32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{cannot be cut along a reduction: result 0 reduces by arith.subf, which has no neutral element}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%x : tensor<6xf32>)
      outs(%e : tensor<f32>) attrs = {tensoraccess.cut = "{d0: rows}"} {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.subf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A reduction by more than one op.
func.func @main(%x: tensor<6xf32>, %e: tensor<f32>) -> tensor<f32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{cannot be cut along a reduction: result 0 is not a reduction by one op}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%x : tensor<6xf32>)
      outs(%e : tensor<f32>) attrs = {tensoraccess.cut = "{d0: rows}"} {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %out, %out : f32
    %2 = arith.addf %1, %in : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A result whose parts would not be blocks.
func.func @main(%x: tensor<2x3xf32>, %e: tensor<4xf32>) -> tensor<4xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{cannot be cut as {d0: rows}: result 0 is not written along one loop in dimension 0}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0 + d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xf32>)
      outs(%e : tensor<4xf32>) attrs = {tensoraccess.cut = "{d0: rows}"} {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Sizes must be known.
func.func @main(%x: tensor<6xf32>, %n: index) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{has a type that is not cut over ranks: 'tensor<?xf32>'}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %x : tensor<6xf32>
}

// -----

// Of arguments, too.
// expected-error @+1 {{argument 0 has a type that is not cut over ranks: 'memref<6xf32>'}}
func.func @main(%x: memref<6xf32>) attributes {tensoraccess.grid = "rows=2"} {
  return
}

// -----

// Calls are inlined first.
func.func private @other(tensor<6xf32>) -> tensor<6xf32>
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  // expected-error @+1 {{is a call, which is not cut over ranks: inline it first}}
  %0 = func.call @other(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// What is called can't have other arguments.
// expected-error @+1 {{is called, but is cut over ranks}}
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  return %x : tensor<6xf32>
}
func.func @caller(%x: tensor<6xf32>) -> tensor<6xf32> {
  %0 = call @main(%x) : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Distributions of arguments and of results.
// expected-error @+1 {{tensoraccess.distribution of argument 0: axis rows appears twice in d0 at position 0 of "{d0: rows*rows}"}}
func.func @main(%x: tensor<6xf32> {tensoraccess.distribution = "{d0: rows*rows}"})
    -> tensor<6xf32> attributes {tensoraccess.grid = "rows=2"} {
  return %x : tensor<6xf32>
}

// -----

// expected-error @+1 {{tensoraccess.distribution of result 0: a tensor that is kept has no partial axes at position 0 of "{partial: rows}"}}
func.func @main(%x: tensor<6xf32>)
    -> (tensor<6xf32> {tensoraccess.distribution = "{partial: rows}"})
    attributes {tensoraccess.grid = "rows=2"} {
  return %x : tensor<6xf32>
}

// -----

// A scalar is everywhere.
// expected-error @+1 {{tensoraccess.distribution of argument 0 is for a tensor, got 'f32'}}
func.func @main(%x: f32 {tensoraccess.distribution = "{}"})
    -> f32 attributes {tensoraccess.grid = "rows=2"} {
  return %x : f32
}

// -----

// The programs' names are taken.
// expected-error @+1 {{the program of rank 1 is @main_1, but there is such a symbol already}}
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  return %x : tensor<6xf32>
}
func.func private @main_1()

// -----

// All functions of a module are for the same ranks.
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=2"} {
  return %x : tensor<6xf32>
}
// expected-error @+1 {{is cut for 3 ranks, but the module is for 2 : i64}}
func.func @other(%x: tensor<6xf32>) -> tensor<6xf32>
    attributes {tensoraccess.grid = "rows=3"} {
  return %x : tensor<6xf32>
}
