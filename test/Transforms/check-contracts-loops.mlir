// Contracts of loops of any number of trips: what holds in each of them.

// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

// A recurrent network of 10,000 steps: the state after step t has read the rows
// up to t, of its own member of the batch.
// CHECK: Function=recurrent | Contract="causal(result 0 dim 0, arg 0 dim 0)", Verdict=proved
// CHECK: Function=recurrent | Contract="independent(result 0 dim 1, arg 0 dim 1)", Verdict=proved
// CHECK: error: contract 'independent(result 0 dim 0, arg 0 dim 0)' does not hold: {{.*}}, through 'stablehlo.while'
func.func @recurrent(%xs: tensor<10000x2x3xf32>, %w: tensor<3x3xf32>) -> tensor<10000x2x3xf32>
    attributes {tensoraccess.contract = [
      "causal(result 0 dim 0, arg 0 dim 0)",
      "independent(result 0 dim 1, arg 0 dim 1)",
      "independent(result 0 dim 0, arg 0 dim 0)"]} {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<10000x2x3xf32>
  %0:3 = stablehlo.while(%t = %c0, %h = %zero, %ys = %zeros) : tensor<i32>, tensor<2x3xf32>, tensor<10000x2x3xf32>
  cond {
    %end = stablehlo.constant dense<10000> : tensor<i32>
    %1 = stablehlo.compare LT, %t, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dynamic_slice %xs, %t, %c0, %c0, sizes = [1, 2, 3] : (tensor<10000x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x3xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x3xf32>
    %5 = stablehlo.tanh %4 : tensor<2x3xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
    %7 = stablehlo.dynamic_update_slice %ys, %6, %t, %c0, %c0 : (tensor<10000x2x3xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<10000x2x3xf32>
    %8 = stablehlo.add %t, %one : tensor<i32>
    stablehlo.return %8, %5, %7 : tensor<i32>, tensor<2x3xf32>, tensor<10000x2x3xf32>
  }
  return %0#2 : tensor<10000x2x3xf32>
}

// -----

// Trip t adds up what the mask of position t leaves of the row.
// CHECK: Function=masked | Condition="if finite", Contract="causal(result 0 dim 0, arg 0 dim 0)", Verdict=proved
// CHECK: Function=masked | Condition="if finite", Contract="(d0)[s0] -> (s0), domain: d0 in [0, 4999], s0 in [0, 4999], d0 - s0 in [0, inf]", Verdict=proved
func.func @masked(%xs: tensor<5000xf32>) -> tensor<5000xf32>
    attributes {tensoraccess.contract = [
      "causal(result 0 dim 0, arg 0 dim 0)",
      "(d0)[s0] -> (s0), domain: d0 in [0, 4999], s0 in [0, 4999], d0 - s0 in [0, inf]"]} {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<5000xf32>
  %places = stablehlo.iota dim = 0 : tensor<5000xi32>
  %0:2 = stablehlo.while(%t = %c0, %ys = %zeros) : tensor<i32>, tensor<5000xf32>
  cond {
    %end = stablehlo.constant dense<5000> : tensor<i32>
    %1 = stablehlo.compare LT, %t, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<i32>) -> tensor<5000xi32>
    %2 = stablehlo.compare LE, %places, %1, SIGNED : (tensor<5000xi32>, tensor<5000xi32>) -> tensor<5000xi1>
    %3 = stablehlo.convert %2 : (tensor<5000xi1>) -> tensor<5000xf32>
    %4 = stablehlo.dot_general %3, %xs, contracting_dims = [0] x [0] : (tensor<5000xf32>, tensor<5000xf32>) -> tensor<f32>
    %5 = stablehlo.reshape %4 : (tensor<f32>) -> tensor<1xf32>
    %6 = stablehlo.dynamic_update_slice %ys, %5, %t : (tensor<5000xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5000xf32>
    %7 = stablehlo.add %t, %one : tensor<i32>
    stablehlo.return %7, %6 : tensor<i32>, tensor<5000xf32>
  }
  return %0#1 : tensor<5000xf32>
}

// -----

// A number of trips that is an argument: what is 0 stays 0, and the rows of a
// triangular product see no later ones.
// CHECK: Function=any_number | Condition="if finite", Contract="causal(result 0 dim 0, arg 0 dim 0)", Verdict=proved
// CHECK: error: contract 'ignores(arg 2)' does not hold: {{.*}}, through 'stablehlo.while'
func.func @any_number(%x: tensor<4xf32>, %w: tensor<4x4xf32>, %n: tensor<i32>) -> tensor<4xf32>
    attributes {tensoraccess.contract = ["causal(result 0 dim 0, arg 0 dim 0)", "ignores(arg 2)"]} {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %j = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %mask = stablehlo.compare GE, %i, %j, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %low = stablehlo.select %mask, %w, %zero : tensor<4x4xi1>, tensor<4x4xf32>
  %0:3 = stablehlo.while(%t = %c0, %v = %x, %m = %low) : tensor<i32>, tensor<4xf32>, tensor<4x4xf32>
  cond {
    %1 = stablehlo.compare LT, %t, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.dot_general %m, %v, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.multiply %m, %m : tensor<4x4xf32>
    %3 = stablehlo.add %t, %one : tensor<i32>
    stablehlo.return %3, %1, %2 : tensor<i32>, tensor<4xf32>, tensor<4x4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// The same for scf.for, whose induction variable begins at 3.
// CHECK: Function=for | Contract="ignores(arg 0 dim 0 in [0, 2])", Verdict=proved
// CHECK: Function=for | Contract="within(result 0 dim 0, arg 0 dim 0, 0)", Verdict=proved
func.func @for(%x: tensor<8000xf32>) -> tensor<8000xf32>
    attributes {tensoraccess.contract = [
      "ignores(arg 0 dim 0 in [0, 2])", "within(result 0 dim 0, arg 0 dim 0, 0)"]} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8000 = arith.constant 8000 : index
  %zeros = arith.constant dense<0.0> : tensor<8000xf32>
  %0 = scf.for %i = %c3 to %c8000 step %c1 iter_args(%ys = %zeros) -> (tensor<8000xf32>) {
    %1 = tensor.extract_slice %x[%i] [1] [1] : tensor<8000xf32> to tensor<1xf32>
    %2 = math.exp %1 : tensor<1xf32>
    %3 = tensor.insert_slice %2 into %ys[%i] [1] [1] : tensor<1xf32> into tensor<8000xf32>
    scf.yield %3 : tensor<8000xf32>
  }
  return %0 : tensor<8000xf32>
}
