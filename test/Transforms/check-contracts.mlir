// Contracts: proved, refuted by two runs, or neither, with the op and the reason.

// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts="assume={|arg 0| <= 1e4}" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts="assume={|arg 0| <= 1e9}" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGE

// Attention as JAX writes it: the mask makes scores -inf, their exponentials 0,
// and 0 times a value is 0 if that is finite. Nothing crosses the batch at all.
// CHECK: remark: [Analysis] contract {{.*}} Function=attention | Condition="if finite", Contract="causal(result 0 dim 1, arg 0 dim 1)", Verdict=proved
// CHECK: remark: [Analysis] contract {{.*}} Function=attention | Contract="independent(result 0 dim 0, arg 0 dim 0)", Verdict=proved
func.func @attention(%arg0: tensor<2x6x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>) -> tensor<2x6x8xf32>
  attributes {tensoraccess.contract = [
    "causal(result 0 dim 1, arg 0 dim 1)",
    "independent(result 0 dim 0, arg 0 dim 0)"]} {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %2 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [2] x [0] : (tensor<2x6x8xf32>, tensor<8x8xf32>) -> tensor<2x6x8xf32>
  %3 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
  %4 = stablehlo.sqrt %cst : tensor<f32>
  %5 = stablehlo.convert %4 : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2x6x6xf32>
  %7 = stablehlo.divide %3, %6 : tensor<2x6x6xf32>
  %c = stablehlo.constant dense<true> : tensor<i1>
  %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
  %9 = call @tril(%8) : (tensor<6x6xi1>) -> tensor<6x6xi1>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %10 = call @_where(%9, %7, %cst_0) : (tensor<6x6xi1>, tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6x6xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  %13 = stablehlo.maximum %12, %11 : tensor<2x6xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x6xf32>
  %16 = stablehlo.subtract %10, %15 : tensor<2x6x6xf32>
  %17 = stablehlo.exponential %16 : tensor<2x6x6xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x6xf32>
  %21 = stablehlo.divide %17, %20 : tensor<2x6x6xf32>
  %22 = stablehlo.dot_general %21, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %22 : tensor<2x6x8xf32>
}
func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
  %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
  %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
  %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
  %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
  %c_0 = stablehlo.constant dense<false> : tensor<i1>
  %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
  %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
  return %6 : tensor<6x6xi1>
}
func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x6x6xf32> {
  %0 = stablehlo.convert %arg2 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<6x6xi1>) -> tensor<2x6x6xi1>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x6xf32>
  %3 = stablehlo.select %1, %arg1, %2 : tensor<2x6x6xi1>, tensor<2x6x6xf32>
  return %3 : tensor<2x6x6xf32>
}

// -----

// Off by one: each position sees the next one.
// CHECK: [[#@LINE+4]]:{{.*}} error: contract 'causal(result 0 dim 0, arg 0 dim 0)' does not hold: result 0 at [0] is {{.*}}, and {{.*}} if arg 0 is changed at [1], through 'stablehlo.slice'
// CHECK: note: contract of @shift
func.func @shift(%x: tensor<8xf32>) -> tensor<7xf32>
    attributes {tensoraccess.contract = "causal(result 0 dim 0, arg 0 dim 0)"} {
  %0 = stablehlo.slice %x [1:8] : (tensor<8xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// Windows of the past, as they are read, are within 2 and no less.
// CHECK: Contract="within(result 0 dim 0, arg 0 dim 0, 2, 0)", Verdict=proved
// CHECK: error: contract 'within(result 0 dim 0, arg 0 dim 0, 1, 0)' does not hold: result 0 at [2] is {{.*}} if arg 0 is changed at [0]
// CHECK: Contract="(d0)[s0] -> (d0 - s0), domain: d0 in [0, 4], s0 in [0, 2], d0 - s0 in [0, 4]", Verdict=proved
// CHECK: Contract="ignores(arg 1)", Verdict=proved
// CHECK: Contract="ignores(arg 2 dim 0 in [1, 2])", Verdict=proved
func.func @windows(%x: tensor<5xf32>, %unused: tensor<3xf32>,
                   %part: tensor<3xf32>) -> tensor<5xf32>
    attributes {tensoraccess.contract = [
      "within(result 0 dim 0, arg 0 dim 0, 2, 0)",
      "within(result 0 dim 0, arg 0 dim 0, 1, 0)",
      "(d0)[s0] -> (d0 - s0), domain: d0 in [0, 4], s0 in [0, 2], d0 - s0 in [0, 4]",
      "ignores(arg 1)", "ignores(arg 2 dim 0 in [1, 2])"]} {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{
      padding = dense<[[2, 0]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %2 = stablehlo.slice %part [0:1] : (tensor<3xf32>) -> tensor<1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<5xf32>
  %4 = stablehlo.add %0, %3 : tensor<5xf32>
  return %4 : tensor<5xf32>
}

// -----

// Elements are ignored where another argument is 0, and only there.
// CHECK: Condition="if finite", Contract="ignores(arg 0 where arg 1 == 0)", Verdict=proved
// CHECK: error: contract 'ignores(arg 0 where arg 1 == 1)' does not hold:
func.func @padding(%x: tensor<5x3xf32>, %kept: tensor<5xi32>) -> tensor<3xf32>
    attributes {tensoraccess.contract = [
      "ignores(arg 0 where arg 1 == 0)", "ignores(arg 0 where arg 1 == 1)"]} {
  %0 = stablehlo.convert %kept : (tensor<5xi32>) -> tensor<5xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [0] x [0] : (tensor<5xf32>, tensor<5x3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Rows of one segment mix, as equality of two elements of one argument allows.
// CHECK: Contract="segments(arg 1)", Verdict=proved
func.func @segments(%x: tensor<5xi32>, %ids: tensor<5xi32>) -> tensor<5xi32>
    attributes {tensoraccess.contract = "segments(arg 1)"} {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<5x5xi32>
  %0 = stablehlo.broadcast_in_dim %ids, dims = [0] : (tensor<5xi32>) -> tensor<5x5xi32>
  %1 = stablehlo.broadcast_in_dim %ids, dims = [1] : (tensor<5xi32>) -> tensor<5x5xi32>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
  %3 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<5xi32>) -> tensor<5x5xi32>
  %4 = stablehlo.select %2, %3, %none : tensor<5x5xi1>, tensor<5x5xi32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x5xi32>, tensor<i32>) -> tensor<5xi32>
  return %5 : tensor<5xi32>
}

// -----

// What an op reads is unknown, and no run shows it.
// CHECK: [[#@LINE+3]]:{{.*}} remark: [Missed] contract {{.*}} Reason="result 0 may depend on arg 0 through my.op, whose reads are not known exactly", Verdict=unknown
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {tensoraccess.contract = "causal(result 0 dim 0, arg 0 dim 0)"} {
  %0 = "my.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// -1e9 is no -inf: whether its exponential is 0 depends on the scores.
// CHECK: [Missed] contract {{.*}} Function=softmax | {{.*}}Verdict=unknown
// BOUND: Function=softmax | Condition="if finite and |arg 0| <= 1e4", Contract="causal(result 0 dim 0, arg 0 dim 1)", Verdict=proved
// LARGE: [Missed] contract {{.*}} Function=softmax | {{.*}}Verdict=unknown
func.func @softmax(%scores: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {tensoraccess.contract = "causal(result 0 dim 0, arg 0 dim 1)"} {
  %0 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %1 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %low = stablehlo.constant dense<-1.0e9> : tensor<4x4xf32>
  %3 = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %mask = stablehlo.select %2, %3, %low : tensor<4x4xi1>, tensor<4x4xf32>
  %4 = stablehlo.add %scores, %mask : tensor<4x4xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %5 = stablehlo.reduce(%4 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %7 = stablehlo.subtract %4, %6 : tensor<4x4xf32>
  %8 = stablehlo.exponential %7 : tensor<4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x4xf32>
  %11 = stablehlo.divide %8, %10 : tensor<4x4xf32>
  return %11 : tensor<4x4xf32>
}

// -----

// bf16 holds no odd numbers beyond 256: 257 is 256 there, so that indices are no
// longer what they were.
// CHECK: error: contract 'ignores(arg 0 dim 0 in [257, 257])' does not hold: result 0 at [257] is
func.func @rounded(%x: tensor<300xf32>) -> tensor<300xf32>
    attributes {tensoraccess.contract = "ignores(arg 0 dim 0 in [257, 257])"} {
  %0 = stablehlo.iota dim = 0 : tensor<300xbf16>
  %1 = stablehlo.constant dense<257> : tensor<300xi32>
  %2 = stablehlo.convert %0 : (tensor<300xbf16>) -> tensor<300xi32>
  %3 = stablehlo.compare EQ, %2, %1, SIGNED : (tensor<300xi32>, tensor<300xi32>) -> tensor<300xi1>
  %4 = stablehlo.constant dense<0.0> : tensor<300xf32>
  %5 = stablehlo.select %3, %4, %x : tensor<300xi1>, tensor<300xf32>
  return %5 : tensor<300xf32>
}

// -----

// What is ignored at places 1 to 4 only: 0 is a place, too.
// CHECK: error: contract 'ignores(arg 0 where arg 1 == 0)' does not hold: result 0 at [0] is {{.*}} if arg 0 is changed at [0]
func.func @first_place(%x: tensor<5xf32>, %mask: tensor<5xi32>) -> tensor<5xf32>
    attributes {tensoraccess.contract = "ignores(arg 0 where arg 1 == 0)"} {
  %true = stablehlo.constant dense<true> : tensor<1xi1>
  %none = stablehlo.constant dense<0> : tensor<4xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<5xf32>
  %0 = stablehlo.slice %mask [1:5] : (tensor<5xi32>) -> tensor<4xi32>
  %1 = stablehlo.compare NE, %0, %none, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %2 = stablehlo.concatenate %true, %1, dim = 0 : (tensor<1xi1>, tensor<4xi1>) -> tensor<5xi1>
  %3 = stablehlo.select %2, %x, %zero : tensor<5xi1>, tensor<5xf32>
  return %3 : tensor<5xf32>
}

// -----

// 0 divided by an integer is not always 0.
// CHECK: error: contract 'ignores(arg 0)' does not hold: {{.*}} through 'stablehlo.divide'
func.func @divide(%x: tensor<4xi32>) -> tensor<4xi32>
    attributes {tensoraccess.contract = "ignores(arg 0)"} {
  %zero = stablehlo.constant dense<0> : tensor<4xi32>
  %0 = stablehlo.divide %zero, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}
