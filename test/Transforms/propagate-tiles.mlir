// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles=function=convolution --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles="function=convolution sizes=1,2,3,7 offsets=0,1,2,0" | FileCheck %s --check-prefix=NUMBERS
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles="direction=input-to-output function=padded strides=2" | FileCheck %s --check-prefix=UP
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles="function=gather sizes=2,3 offsets=1,0" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=HULL
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles="function=residual" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=RESIDUAL
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles="function=unknown" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: tensoraccess-opt %s --tensoraccess-propagate-tiles=sizes=3 --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FITS

// Sizes of rank 1 fit some functions; the others are left as they are.
// FITS-DAG: [Missed] tiles | Category:tensoraccess | Function=convolution | Reason="the value has rank 4, got 1 sizes", Remark="the tile does not fit function convolution"
// FITS-DAG: [Analysis] tiles | Category:tensoraccess | Function=padded | Kind=exact, Remark="operand 0: [0:1]"
// FITS: func.func @convolution({{.*}}) -> tensor<1x4x6x7xf32> {

// A tile of rows and columns reads windows; the kernel and the channels whole.
// CHECK-LABEL: @convolution
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-SAME: tensoraccess.tiles = {{\[\[}}{lower = ["-inf", "0", "0", "-inf"], offsets = ["0", "o1 * 2", "o2", "0"], sizes = ["1", "t1 * 2 + 1", "t2 + 2", "5"], strides = ["1", "1", "1", "1"], upper = ["inf", "8", "7", "inf"], where = []}],
// CHECK-SAME: [{lower = ["-inf", "-inf", "-inf", "0"], offsets = ["0", "0", "0", "o3"], sizes = ["3", "3", "5", "t3"],
// REMARK: [Analysis] tiles | Category:tensoraccess | Function=convolution | Kind=exact, Remark="operand 0: offsets [0, o1 * 2, o2, 0], sizes [1, t1 * 2 + 1, t2 + 2, 5], strides [1, 1, 1, 1]"
// REMARK: [Analysis] tiles | Category:tensoraccess | Function=convolution | Kind=exact, Remark="argument 1: offsets [0, 0, 0, o3], sizes [3, 3, 5, t3], strides [1, 1, 1, 1]"
// NUMBERS: linalg.conv_2d_nhwc_hwcf
// NUMBERS-SAME: {{\[\[}}{offsets = array<i64: 0, 2, 2, 0>, sizes = array<i64: 1, 5, 5, 5>, strides = array<i64: 1, 1, 1, 1>}], [{offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 3, 3, 5, 7>
func.func @convolution(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>,
                       %o: tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x3x5x7xf32>)
         outs(%o : tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
  return %r : tensor<1x4x6x7xf32>
}

// Padding: the tile reaches outside, the bounds say what is read.
// CHECK-LABEL: @padded
// CHECK: tensor.pad
// CHECK: {tensoraccess.tiles = {{\[\[}}{lower = ["0"], offsets = ["o0 - 2"], sizes = ["t0"], strides = ["1"], upper = ["7"], where = []}]]}
// UP-LABEL: @padded
// UP: {tensoraccess.tiles = {{\[\[}}{lower = ["2"], offsets = ["o0 + 2"], sizes = ["t0"], strides = ["2"], upper = ["9"], where = []}]]}
func.func @padded(%x: tensor<8xf32>) -> tensor<11xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<11xf32>
  return %p : tensor<11xf32>
}

// What one reshape splits the other joins: a tile again at the argument.
// CHECK-LABEL: @there_and_back
// CHECK-SAME: offsets = ["o0", "o1"], sizes = ["t0", "t1"]
// CHECK: tensor.collapse_shape
// CHECK-SAME: sizes = ["(t0 + 3) floordiv 4", "min(t0, 4)", "t1"], strides = ["1", "1", "1"], upper = ["inf", "inf", "inf"], where = ["t0 + o0 mod 4 <= 4 or (o0 mod 4 = 0 and t0 mod 4 = 0)"]
func.func @there_and_back(%x: tensor<12x5xf32>) -> tensor<12x5xf32> {
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 4, 5]
     : tensor<12x5xf32> into tensor<3x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2]]
     : tensor<3x4x5xf32> into tensor<12x5xf32>
  return %b : tensor<12x5xf32>
}

// An unknown op ends the way.
// CHECK-LABEL: @unknown
// CHECK-SAME: {tensoraccess.tiles = {{\[\["unknown"\]\]}}}
// MISSED: [Missed] tiles | Category:tensoraccess | Function=unknown | Reason="unregistered operation", Remark="operand 0 of no.such has no tile"
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "no.such"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = math.exp %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// p + transpose(p): two tiles of one argument.
// CHECK-LABEL: @twice
// CHECK-SAME: offsets = ["o0", "o1"], sizes = ["t0", "t1"]
// CHECK-SAME: offsets = ["o1", "o0"], sizes = ["t1", "t0"]
func.func @twice(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %e = tensor.empty() : tensor<6x6xf32>
  %t = linalg.transpose ins(%x : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>)
         permutation = [1, 0]
  %a = arith.addf %x, %t : tensor<6x6xf32>
  return %a : tensor<6x6xf32>
}

// A diagonal is not a box of any size but 1.
// CHECK-LABEL: @diagonal
// CHECK: linalg.generic
// CHECK-SAME: offsets = ["o0", "o0"], sizes = ["1", "1"], strides = ["1", "1"]
// CHECK-SAME: where = ["t0 = 1"]
func.func @diagonal(%x: tensor<6x6xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<6x6xf32>) outs(%o : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// The input is read as it is and through a window: the window's tile contains
// the other, so that one tile is left.
// RESIDUAL: [Analysis] tiles | Category:tensoraccess | Function=residual | Kind=exact, Remark="argument 0: offsets [o0 - 1], sizes [t0 + 2], strides [1]"
// RESIDUAL-NOT: argument 0
func.func @residual(%x: tensor<9xf32>, %w: tensor<3xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<9xf32> to tensor<11xf32>
  %c = linalg.conv_1d ins(%p, %w : tensor<11xf32>, tensor<3xf32>)
                      outs(%x : tensor<9xf32>) -> tensor<9xf32>
  %r = arith.addf %c, %x : tensor<9xf32>
  return %r : tensor<9xf32>
}

// Which row is read is data: the tile covers all rows, and says why.
// HULL: [Analysis] tiles | Category:tensoraccess | Function=gather | Kind=hull, Reason="it depends on runtime variable rt0", Remark="argument 0: [0:10, 0:3], covering"
func.func @gather(%x: tensor<10x4xf32>, %at: tensor<5xindex>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<5xindex>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%row: index, %b: f32):
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%row, %j] : tensor<10x4xf32>
    linalg.yield %v : f32
  } -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// Sums of ranges without bounds.
// CHECK-LABEL: func.func @unbounded
// CHECK-SAME: none: s1: the symbol has no bounds
func.func @unbounded(%a: tensor<1x3x4x?xf32>, %k: tensor<1x3x?x5xf32>, %o: tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %k : tensor<1x3x4x?xf32>, tensor<1x3x?x5xf32>) outs(%o : tensor<1x2x1x5xf32>) -> tensor<1x2x1x5xf32>
  return %0 : tensor<1x2x1x5xf32>
}
