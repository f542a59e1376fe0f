// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing="fused direction=output-to-input" --split-input-file | FileCheck %s

// XLA's example: p0 + transpose(p0) reads p0 twice. The ops are left alone.
// CHECK-LABEL: @twice
// CHECK-SAME: attributes {tensoraccess.indexing = {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 999], d1 in [0, 999]>, #tensoraccess.indexing_map<(d0, d1) -> (d1, d0), domain: d0 in [0, 999], d1 in [0, 999]>]]]}}
// CHECK-NOT: tensoraccess.indexing
func.func @twice(%p0: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %e = tensor.empty() : tensor<1000x1000xf32>
  %t = linalg.transpose ins(%p0 : tensor<1000x1000xf32>) outs(%e : tensor<1000x1000xf32>) permutation = [1, 0]
  %a = arith.addf %p0, %t : tensor<1000x1000xf32>
  return %a : tensor<1000x1000xf32>
}

// -----

// XLA: two ways to p0 that are the same map.
// CHECK-LABEL: @deduplicated
// CHECK-SAME: {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], d1 in [0, 49], d2 in [0, 19]>]]]}}
func.func @deduplicated(%p0: tensor<20x10x50xf32>) -> tensor<10x50x20xf32> {
  %0 = tensor.empty() : tensor<10x20x50xf32>
  %1 = tensor.empty() : tensor<10x50x20xf32>
  %2 = tensor.empty() : tensor<50x10x20xf32>
  %l1 = linalg.transpose ins(%p0 : tensor<20x10x50xf32>) outs(%0 : tensor<10x20x50xf32>) permutation = [1, 0, 2]
  %le = math.exp %l1 : tensor<10x20x50xf32>
  %l2 = linalg.transpose ins(%le : tensor<10x20x50xf32>) outs(%1 : tensor<10x50x20xf32>) permutation = [0, 2, 1]
  %r1 = linalg.transpose ins(%p0 : tensor<20x10x50xf32>) outs(%2 : tensor<50x10x20xf32>) permutation = [2, 1, 0]
  %re = math.exp %r1 : tensor<50x10x20xf32>
  %r2 = linalg.transpose ins(%re : tensor<50x10x20xf32>) outs(%1 : tensor<10x50x20xf32>) permutation = [1, 0, 2]
  %a = arith.addf %l2, %r2 : tensor<10x50x20xf32>
  return %a : tensor<10x50x20xf32>
}

// -----

// XLA's softmax: the element itself, and its line.
// CHECK-LABEL: @softmax
// CHECK-SAME: {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]>, #tensoraccess.indexing_map<(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124], s0 in [0, 124]>]]]}}
func.func @softmax(%x: tensor<2x65x125xf32>) -> tensor<2x65x125xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x65xf32>
  %w = tensor.empty() : tensor<2x65x125xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%e : tensor<2x65xf32>) -> tensor<2x65xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<2x65x125xf32>) outs(%m0 : tensor<2x65xf32>) dimensions = [2]
  %maxb = linalg.broadcast ins(%max : tensor<2x65xf32>) outs(%w : tensor<2x65x125xf32>) dimensions = [2]
  %d = arith.subf %x, %maxb : tensor<2x65x125xf32>
  %exp = math.exp %d : tensor<2x65x125xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x65xf32>) -> tensor<2x65xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<2x65x125xf32>) outs(%s0 : tensor<2x65xf32>) dimensions = [2]
  %sumb = linalg.broadcast ins(%sum : tensor<2x65xf32>) outs(%w : tensor<2x65x125xf32>) dimensions = [2]
  %q = arith.divf %exp, %sumb : tensor<2x65x125xf32>
  return %q : tensor<2x65x125xf32>
}

// -----

// XLA: reshapes that cancel.
// CHECK-LABEL: @round_trip
// CHECK-SAME: {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]>], [], []]]}}
func.func @round_trip(%x: tensor<10x10x10xf32>, %s: tensor<2xindex>, %t: tensor<3xindex>) -> tensor<10x10x10xf32> {
  %a = tensor.reshape %x(%s) : (tensor<10x10x10xf32>, tensor<2xindex>) -> tensor<50x20xf32>
  %b = tensor.reshape %a(%t) : (tensor<50x20xf32>, tensor<3xindex>) -> tensor<10x10x10xf32>
  return %b : tensor<10x10x10xf32>
}

// -----

// A slice of a slice is one slice.
// CHECK-LABEL: @slices
// CHECK-SAME: {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2) -> (d0 * 2 + 8, d1 * 6 + 8, d2 * 12 + 65), domain: d0 in [0, 6], d1 in [0, 8], d2 in [0, 23]>]]]}}
func.func @slices(%x: tensor<150x64x1024xf32>) -> tensor<7x9x24xf32> {
  %a = tensor.extract_slice %x[5, 0, 50] [16, 32, 128] [1, 2, 3] : tensor<150x64x1024xf32> to tensor<16x32x128xf32>
  %b = tensor.extract_slice %a[3, 4, 5] [7, 9, 24] [2, 3, 4] : tensor<16x32x128xf32> to tensor<7x9x24xf32>
  return %b : tensor<7x9x24xf32>
}

// -----

// Four paths, three maps: two of them meet.
// CHECK-LABEL: @shifts
// CHECK-SAME: {output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0) -> (d0 + 1), domain: d0 in [0, 1]>, #tensoraccess.indexing_map<(d0) -> (d0 + 2), domain: d0 in [0, 1]>, #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 1]>]]]}}
func.func @shifts(%x: tensor<4xf32>) -> tensor<2xf32> {
  %a = tensor.extract_slice %x[0] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %b = tensor.extract_slice %x[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %c = arith.addf %a, %b : tensor<3xf32>
  %d = tensor.extract_slice %c[0] [2] [1] : tensor<3xf32> to tensor<2xf32>
  %e = tensor.extract_slice %c[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
  %f = arith.addf %d, %e : tensor<2xf32>
  return %f : tensor<2xf32>
}
