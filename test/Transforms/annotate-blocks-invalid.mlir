// RUN: tensoraccess-opt %s --tensoraccess-annotate-blocks --split-input-file --verify-diagnostics

func.func @attribute(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: 'tensoraccess.block' must be a dictionary of sizes, offsets and of}}
  %0 = math.exp %x {tensoraccess.block = 4} : tensor<3x5xf32>
  return
}

// -----

func.func @numbers(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: 'tensoraccess.block': sizes must be an array<i64>}}
  %0 = math.exp %x {tensoraccess.block = {sizes = [1, 2]}} : tensor<3x5xf32>
  return
}

// -----

func.func @of(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: 'tensoraccess.block': of must be "result" or "iterations"}}
  %0 = math.exp %x {tensoraccess.block = {of = "loops", sizes = array<i64: 1, 2>}} : tensor<3x5xf32>
  return
}

// -----

func.func @entry(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: 'tensoraccess.block' has no entry 'size'}}
  %0 = math.exp %x {tensoraccess.block = {size = array<i64: 1, 2>}} : tensor<3x5xf32>
  return
}

// -----

func.func @none(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: 'tensoraccess.block' needs sizes}}
  %0 = math.exp %x {tensoraccess.block = {offsets = array<i64: 1, 2>}} : tensor<3x5xf32>
  return
}

// -----

func.func @negative(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: size 1 must not be negative, got -2}}
  %0 = math.exp %x {tensoraccess.block = {sizes = array<i64: 1, -2>}} : tensor<3x5xf32>
  return
}

// -----

func.func @before(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: axis 1 has [0, 5), got a block of [-1, 1)}}
  %0 = math.exp %x {tensoraccess.block = {sizes = array<i64: 1, 2>, offsets = array<i64: 0, -1>}} : tensor<3x5xf32>
  return
}

// -----

func.func @behind(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: axis 1 has [0, 5), got a block of [7, 7)}}
  %0 = math.exp %x {tensoraccess.block = {sizes = array<i64: 0, 0>, offsets = array<i64: 0, 7>}} : tensor<3x5xf32>
  return
}

// -----

func.func @overflow(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{block: offset 9223372036854775807 and size 4 overflow 64-bit arithmetic}}
  %0 = math.exp %x {tensoraccess.block = {sizes = array<i64: 1, 4>, offsets = array<i64: 0, 9223372036854775807>}} : tensor<3x5xf32>
  return
}

// -----

func.func @result(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>, %z: tensor<3x7xf32>) {
  // expected-error@+1 {{block: result 0 has 2 dimensions, got 3 sizes}}
  %0 = linalg.matmul {tensoraccess.block = {sizes = array<i64: 1, 4, 5>, of = "result"}} ins(%x, %y : tensor<3x5xf32>, tensor<5x7xf32>) outs(%z : tensor<3x7xf32>) -> tensor<3x7xf32>
  return
}

// -----

func.func @dynamic(%x: tensor<?x5xf32>) {
  // expected-error@+1 {{block: size 0 is 0, for all, but the extent is dynamic}}
  %0 = math.exp %x {tensoraccess.block = {sizes = array<i64: 0, 4>}} : tensor<?x5xf32>
  return
}
