// RUN: tensoraccess-opt %s --tensoraccess-annotate-blocks --split-input-file | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-annotate-blocks=extent=2 --split-input-file --remarks-filter=tensoraccess --remark-format=emitRemark --verify-diagnostics
// RUN: tensoraccess-opt %s --tensoraccess-annotate-blocks --split-input-file | tensoraccess-opt --split-input-file | FileCheck %s

// Block [0, 2) x [2, 4) x [0, 5): 2·2·5 products. Reads 2·5 + 5·2 + 2·2 floats.
// One more row reads a row of %x and of %z, 7 floats, and shares all of %y's 10;
// one more column a column of %y and of %z, and shares %x's 10.
// Costs 2 µs + 20 · 0.25 ns + (96 + 16) · 0.1 ns = 2.0162 µs.
// CHECK-LABEL: @matmul
func.func @matmul(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>, %z: tensor<3x7xf32>) -> tensor<3x7xf32> {
  // expected-remark@+10 {{[Analysis] block | Category:tensoraccess:blocks | Function=matmul | Axes="d0 3, d1 7, d2 5 summed", Block="[0, 2) x [2, 4) x [0, 5)", BytesIn=96, BytesOut=16, Cliff=1, Joules=0, Op=linalg.matmul, Operations=40, PanelCliff=1, Points=20, Remark="a block of 20 points reads 96 bytes and writes 16", ScratchBytes=0, Seconds=2.0162e-06, WorkingSet=112}}
  // expected-remark@+9 {{[Analysis] operand | Category:tensoraccess:blocks | Function=matmul | Added="d0 5, d1 0", Bytes=40, Elements=10, Hull="[0, 2) x [0, 5)", HullBytes=40, HullKind=exact, Op=linalg.matmul, Operand=0, Projection="[[1, 0, 0], [0, 0, 1]] + [0, 0], shape = [1, 1]", SharedNext="d0 0, d1 10", SharedPrevious="d1 10", Strided="[0, 2) x [0, 5)", StridedBytes=40, StridedWaste=0, Waste=0}}
  // expected-remark@+8 {{[Analysis] operand | Category:tensoraccess:blocks | Function=matmul | Added="d0 0, d1 5", Bytes=40, Elements=10, Hull="[0, 5) x [2, 4)", HullBytes=40, HullKind=exact, Op=linalg.matmul, Operand=1, Projection="[[0, 0, 1], [0, 1, 0]] + [0, 0], shape = [1, 1]", SharedNext="d0 10, d1 0", SharedPrevious="d1 0", Strided="[0, 5) x [2, 4)", StridedBytes=40, StridedWaste=0, Waste=0}}
  // expected-remark@+7 {{[Analysis] operand | Category:tensoraccess:blocks | Function=matmul | Added="d0 2, d1 2", Bytes=16, Elements=4}}
  // expected-remark@+6 {{[Analysis] result | Category:tensoraccess:blocks | Function=matmul | Added="d0 2, d1 2", Bytes=16, Elements=4}}
  // expected-remark@+5 {{[Analysis] growth | Category:tensoraccess:blocks | Function=matmul | AddedBytesIn=28, AddedBytesOut=8, AddedJoules=0, AddedOperations=20, AddedPoints=10, AddedScratchBytes=0, AddedSeconds=6.1e-09, Axis=d0, Op=linalg.matmul, SharedNext=40}}
  // expected-remark@+4 {{[Analysis] growth | Category:tensoraccess:blocks | Function=matmul | AddedBytesIn=28, AddedBytesOut=8, AddedJoules=0, AddedOperations=20, AddedPoints=10, AddedScratchBytes=0, AddedSeconds=6.1e-09, Axis=d1, Op=linalg.matmul, SharedNext=40, SharedPrevious=40}}
  // CHECK: linalg.matmul {tensoraccess.projections = {axes = ["d0", "d1", "d2"], extents = array<i64: 3, 7, 5>,
  // CHECK-SAME: operands = {{\[\[}}#tensoraccess.projection<{{\[\[}}1, 0, 0], [0, 0, 1]] + [0, 0], shape = [1, 1]>]
  // CHECK-SAME: summed = array<i64: 2>}}
  %0 = linalg.matmul ins(%x, %y : tensor<3x5xf32>, tensor<5x7xf32>) outs(%z : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// -----

// Every third element: the hull wastes half of its places, a tensor that is
// strided beforehand none.
// CHECK-LABEL: @slice
func.func @slice(%x: tensor<9xi4>) -> tensor<3xi4> {
  // expected-remark@+5 {{[Analysis] block}}
  // expected-remark@+4 {{[Analysis] operand | Category:tensoraccess:blocks | Function=slice | Added="d0 1", Bytes=2, Elements=2, Hull="[1, 5)", HullBytes=4, HullKind=hull, Op=tensor.extract_slice, Operand=0, Projection="[[3]] + [1], shape = [1]", SharedNext="d0 0", Strided="1 + 3k + [0, 1), k < 2", StridedBytes=2, StridedWaste=0, Waste=2}}
  // expected-remark@+3 {{[Analysis] result}}
  // expected-remark@+2 {{[Analysis] growth | Category:tensoraccess:blocks | Function=slice | AddedBytesIn=1}}
  // CHECK: operands = {{\[\[}}#tensoraccess.projection<{{\[\[}}3]] + [1], shape = [1]>]]
  %0 = tensor.extract_slice %x[1] [3] [3] : tensor<9xi4> to tensor<3xi4>
  return %0 : tensor<3xi4>
}

// -----

// A padded window at the border: one row of the image is outside; its zeros are
// multiplied by the first row of the kernel. What is summed over are axes.
// CHECK-LABEL: @window
func.func @window(%x: tensor<1x6x2xf32>, %k: tensor<3x2x5xf32>) -> tensor<1x6x5xf32> {
  // expected-remark@+6 {{[Analysis] block | Category:tensoraccess:blocks | Function=window | Axes="d0 1, d1 6, d2 5, s0 3 summed, s1 2 summed", Block="[0, 1) x [0, 2) x [0, 5) x [0, 3) x [0, 2)", BytesIn=144}}
  // expected-remark@+5 {{[Analysis] operand | Category:tensoraccess:blocks | Function=window | Added="d1 2", Bytes=24, Elements=6, Hull="[0, 1) x [0, 3) x [0, 2)", HullBytes=24, HullKind=exact}}
  // expected-remark@+4 {{[Analysis] operand | Category:tensoraccess:blocks | Function=window | Added="d1 0", Bytes=120, Elements=30, Hull="[0, 3) x [0, 2) x [0, 5)", HullBytes=120, HullKind=exact}}
  // expected-remark@+3 {{[Analysis] result}}
  // expected-remark@+2 {{[Analysis] growth | Category:tensoraccess:blocks | Function=window | AddedBytesIn=8, AddedBytesOut=20, AddedJoules=0, AddedOperations=60, AddedPoints=30, AddedScratchBytes=0, AddedSeconds=1.03e-08, Axis=d1, Op=stablehlo.convolution, SharedNext=136}}
  // CHECK: [#tensoraccess.projection<{{\[\[}}0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1]] + [0, -1, 0], shape = [1, 1, 1]>]
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>}> {tensoraccess.block = {sizes = array<i64: 1, 2, 0>, of = "result"}} : (tensor<1x6x2xf32>, tensor<3x2x5xf32>) -> tensor<1x6x5xf32>
  return %0 : tensor<1x6x5xf32>
}

// -----

// No projection says what a reshape does; the map itself answers. The op
// has rates of its own: 3 µs.
// CHECK-LABEL: @reshape
func.func @reshape(%x: tensor<4x6xf32>) -> tensor<24xf32> {
  // expected-remark@+4 {{[Analysis] block | Category:tensoraccess:blocks | Function=reshape | Axes="d0 24", Block="[5, 7)", BytesIn=8, BytesOut=8, Cliff=1, Joules=0, Op=tensor.collapse_shape, Operations=0, PanelCliff=1, Points=2, Remark="a block of 2 points reads 8 bytes and writes 8", ScratchBytes=512, Seconds=3e-06, WorkingSet=528}}
  // expected-remark@+3 {{[Analysis] operand | Category:tensoraccess:blocks | Function=reshape | Added="d0 1", Bytes=8, Elements=2, Hull="[0, 2) x [0, 6)", HullBytes=48, HullKind=hull, NoProjection="result 0, d0 floordiv 6, is not a sum of multiples of variables", Op=tensor.collapse_shape, Operand=0, SharedNext="d0 0", SharedPrevious="d0 0", Strided="within [0, 2) x within [0, 6)", StridedBytes=48, StridedWaste=10, Waste=10}}
  // expected-remark@+2 {{[Analysis] result}}
  // expected-remark@+1 {{[Analysis] growth}}
  %0 = tensor.collapse_shape %x [[0, 1]] {tensoraccess.block = {sizes = array<i64: 2>, offsets = array<i64: 5>}, tensoraccess.cost = "start = 3.0e-06, point = 0.0, byte = 0.0, scratch = 512.0"} : tensor<4x6xf32> into tensor<24xf32>
  // CHECK: operands = {{\[\[}}"result 0, d0 floordiv 6, is not a sum of multiples of variables"]]
  return %0 : tensor<24xf32>
}

// -----

// Where a slice begins is a value, and an op is unknown: missed, with reasons.
// CHECK-LABEL: @unknown
func.func @unknown(%x: tensor<9xf32>, %i: index) -> tensor<4xf32> {
  // expected-remark@+4 {{[Missed] block | Category:tensoraccess:blocks | Function=unknown | Axes="d0 4", Block="[2, 4)", BytesOut=8, Op=tensor.extract_slice, Operations=0, Points=2, Reason="tensor.extract_slice: how many bytes the block touches is not known"}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:blocks | Function=unknown | Hull="[2, 9)", HullBytes=28, HullKind=hull, NoProjection="runtime variable rt0 has no place in a projection", Op=tensor.extract_slice, Operand=0, Reason="tensor.extract_slice: it depends on runtime variables", Strided="within [2, 9)", StridedBytes=28}}
  // expected-remark@+2 {{[Analysis] result}}
  // expected-remark@+1 {{[Analysis] growth | Category:tensoraccess:blocks | Function=unknown | Axis=d0, Op=tensor.extract_slice}}
  %0 = tensor.extract_slice %x[%i] [4] [1] : tensor<9xf32> to tensor<4xf32>
  // expected-remark@+4 {{[Missed] block | Category:tensoraccess:blocks | Function=unknown | Axes="d0 4", Block="[2, 4)", BytesOut=8, Op=no.such, Points=2, Reason="no.such: how many bytes the block touches is not known"}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:blocks | Function=unknown | Op=no.such, Operand=0, Reason="no.such: unregistered operation"}}
  // expected-remark@+2 {{[Analysis] result}}
  // expected-remark@+1 {{[Analysis] growth}}
  %1 = "no.such"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: "no.such"{{.*}} operands = {{\[\[}}"unregistered operation"]]
  // expected-remark@+1 {{[Missed] block | Category:tensoraccess:blocks | Function=unknown | Op=tensor.cast, Reason="tensor.cast: axis 0 is dynamic"}}
  %2 = tensor.cast %1 : tensor<4xf32> to tensor<?xf32>
  %3 = "no.such"(%2) {tensoraccess.block = {sizes = array<i64: 3>}} : (tensor<?xf32>) -> tensor<4xf32>
  // expected-remark@-1 {{[Missed] block | Category:tensoraccess:blocks | Function=unknown | Axes="d0 4", Block="[0, 3)"}}
  // expected-remark@-2 {{[Missed] operand}}
  // expected-remark@-3 {{[Analysis] result}}
  // expected-remark@-4 {{[Analysis] growth}}
  return %3 : tensor<4xf32>
}
