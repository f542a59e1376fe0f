// RUN: tensoraccess-opt %s --tensoraccess-annotate-blocks="fused sizes=2 offsets=2" --remarks-filter=tensoraccess --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Two windows of three make one of five: a block of two reads six elements, and
// shares four with the next one.
// expected-remark@+6 {{[Analysis] block | Category:tensoraccess:blocks | Function=twice | Axes="d0 8", Block="[2, 4)", BytesIn=24, BytesOut=8, Op=func.func, Points=2, Remark="a block of 2 points reads 24 bytes and writes 8"}}
// expected-remark@+5 {{[Analysis] operand | Category:tensoraccess:blocks | Function=twice | Added="d0 1", Bytes=24, Elements=6, Hull="[2, 8)", HullBytes=24, HullKind=exact, Op=func.func, Operand=0, Projection="[[1]] + [0], shape = [5]", SharedNext="d0 4", SharedPrevious="d0 4", Strided="[2, 8)", StridedBytes=24, StridedWaste=0, Waste=0}}
// expected-remark@+4 {{[Analysis] result}}
// expected-remark@+3 {{[Analysis] growth | Category:tensoraccess:blocks | Function=twice | AddedBytesIn=4, AddedBytesOut=4, AddedPoints=1, Axis=d0, Op=func.func, SharedNext=16, SharedPrevious=16}}
// CHECK: func.func @twice
// CHECK-SAME: tensoraccess.projections = {axes = ["d0"], extents = array<i64: 8>, operands = {{\[\[}}#tensoraccess.projection<{{\[\[}}1]] + [0], shape = [5]>]]
func.func @twice(%x: tensor<12xf32>) -> tensor<8xf32> {
  %w = arith.constant dense<1.0> : tensor<3xf32>
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %i = linalg.fill ins(%c : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %a = linalg.conv_1d ins(%x, %w : tensor<12xf32>, tensor<3xf32>) outs(%i : tensor<10xf32>) -> tensor<10xf32>
  %f = tensor.empty() : tensor<8xf32>
  %j = linalg.fill ins(%c : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.conv_1d ins(%a, %w : tensor<10xf32>, tensor<3xf32>) outs(%j : tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}
