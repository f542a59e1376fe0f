// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --split-input-file | FileCheck %s

// XLA's dot: s0 is the contracted dimension, and going up it is the other
// operand's free one.
// CHECK-LABEL: @dot
func.func @dot(%a: tensor<4x128x256xf32>, %b: tensor<4x256x64xf32>, %c: tensor<4x128x64xf32>) -> tensor<4x128x64xf32> {
  // CHECK: linalg.batch_matmul {tensoraccess.indexing = {
  // CHECK-SAME: input_to_output = [
  // CHECK-SAME: {{\[\[}}#tensoraccess.indexing_map<(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]>]],
  // CHECK-SAME: {{\[\[}}#tensoraccess.indexing_map<(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]>]],
  // CHECK-SAME: {{\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63]>]]],
  // CHECK-SAME: output_to_input = {{\[\[}}
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]>],
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]>],
  // CHECK-SAME: [#tensoraccess.indexing_map<(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63]>]]]}}
  %r = linalg.batch_matmul ins(%a, %b : tensor<4x128x256xf32>, tensor<4x256x64xf32>) outs(%c : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  return %r : tensor<4x128x64xf32>
}

// -----

// XLA's broadcast (erratum: the map up reads (s0, d0, s1)). The destination
// is not read.
// CHECK-LABEL: @broadcast
func.func @broadcast(%x: tensor<20xf32>) -> tensor<10x20x30xf32> {
  // CHECK: tensor.empty() {tensoraccess.indexing = {input_to_output = [], output_to_input = {{\[\[\]\]}}}}
  %e = tensor.empty() : tensor<10x20x30xf32>
  // CHECK: linalg.broadcast
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]>]], {{\[\[\]\]\]}},
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]>], []]]
  %r = linalg.broadcast ins(%x : tensor<20xf32>) outs(%e : tensor<10x20x30xf32>) dimensions = [0, 2]
  return %r : tensor<10x20x30xf32>
}

// -----

// XLA's transpose.
// CHECK-LABEL: @transpose
func.func @transpose(%x: tensor<3x12288x6x128xf32>, %e: tensor<3x6x128x12288xf32>) -> tensor<3x6x128x12288xf32> {
  // CHECK: linalg.transpose
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], d1 in [0, 12287], d2 in [0, 5], d3 in [0, 127]>]]
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], d1 in [0, 5], d2 in [0, 127], d3 in [0, 12287]>]
  %r = linalg.transpose ins(%x : tensor<3x12288x6x128xf32>) outs(%e : tensor<3x6x128x12288xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<3x6x128x12288xf32>
}

// -----

// XLA's variadic reduce (erratum: s0 in [0, 255]): the two results read
// both inputs, and each its own initial value.
// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<256x10xf32>, %y: tensor<256x10xi32>, %i: tensor<10xf32>, %j: tensor<10xi32>) -> (tensor<10xf32>, tensor<10xi32>) {
  // CHECK: linalg.reduce
  // CHECK: tensoraccess.indexing = {
  // CHECK-SAME: input_to_output = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]>], [#tensoraccess.indexing_map<(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]>]],
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]>], [#tensoraccess.indexing_map<(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]>], [#tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 9]>], []],
  %r:2 = linalg.reduce ins(%x, %y : tensor<256x10xf32>, tensor<256x10xi32>) outs(%i, %j : tensor<10xf32>, tensor<10xi32>) dimensions = [0]
    (%a: f32, %b: i32, %c: f32, %d: i32) {
      %min = arith.minimumf %a, %c : f32
      %index = arith.sitofp %b : i32 to f32
      %both = arith.addf %min, %index : f32
      %n = arith.fptosi %a : f32 to i32
      %m = arith.addi %n, %b : i32
      %k = arith.addi %m, %d : i32
      linalg.yield %both, %k : f32, i32
    }
  return %r#0, %r#1 : tensor<10xf32>, tensor<10xi32>
}

// -----

// An initial value that is a scalar: down it loses the dims, up it gains them.
// CHECK-LABEL: @fill
func.func @fill(%x: f32, %e: tensor<10xf32>) -> tensor<10xf32> {
  // CHECK: linalg.fill
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<()[s0] -> (s0), domain: s0 in [0, 9]>]], {{\[\[\]\]\]}}
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (), domain: d0 in [0, 9]>], []]]
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// -----

// The scalar code of a structured op is not annotated.
// CHECK-LABEL: @generic
func.func @generic(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // CHECK: linalg.generic
  // CHECK: math.exp %{{.*}} : f32
  // CHECK-NEXT: linalg.yield
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%x : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

// Answering leaves no traces of upstream's memo on the op.
// CHECK-LABEL: @no_traces
// CHECK-NOT: memoized
func.func @no_traces(%a: tensor<3x7xf32>, %b: tensor<7x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
