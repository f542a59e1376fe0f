// Cuts that follow from how arguments lie.
// RUN: tensoraccess-opt %s --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"1={d1: ranks}\" grid=ranks=2 function=layers})" | FileCheck %s --check-prefix=LAYERS
// RUN: tensoraccess-opt %s --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"tensor<1x9x8x3xf32>={d1: rows, d2: cols}\" grid=rows=2,cols=2 function=image})" | FileCheck %s --check-prefix=IMAGE
// RUN: tensoraccess-opt %s --pass-pipeline="builtin.module(tensoraccess-spread-cuts{arguments=\"0={d0: rows}\" grid=rows=2 function=kept})" | FileCheck %s --check-prefix=KEPT

// Hidden features are cut; the second product sums in parts, and what follows
// stays on the rows where the sums are. A row that every rank has asks for
// nothing.
// LAYERS-LABEL: func.func @layers
// LAYERS-SAME: %{{.*}}: tensor<6x8xf32>, %{{.*}}: tensor<8x10xf32> {tensoraccess.distribution = "{d1: ranks}"}
// LAYERS-SAME: tensoraccess.grid = "ranks=2"
// LAYERS: linalg.fill ins
// LAYERS: linalg.matmul {tensoraccess.cut = "{d1: ranks}"}
// LAYERS: linalg.exp {tensoraccess.cut = "{d1: ranks}"}
// LAYERS: linalg.matmul {tensoraccess.cut = "{d2: ranks}", tensoraccess.reduced = "{d0: ranks}"}
// LAYERS: linalg.add {tensoraccess.cut = "{d0: ranks}"}
func.func @layers(%x: tensor<6x8xf32>, %w: tensor<8x10xf32>, %v: tensor<10x8xf32>)
    -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x10xf32>)
         outs(%z : tensor<6x10xf32>) -> tensor<6x10xf32>
  %1 = linalg.exp ins(%0 : tensor<6x10xf32>) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
  %e2 = tensor.empty() : tensor<6x8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<6x10xf32>, tensor<10x8xf32>)
         outs(%z2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %3 = linalg.add ins(%2, %x : tensor<6x8xf32>, tensor<6x8xf32>)
         outs(%e2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %3 : tensor<6x8xf32>
}

// Rows and columns through a pad and windows; a reshape that merges them keeps
// the outer one; columns are 1 at the end, and are dropped.
// IMAGE-LABEL: func.func @image
// IMAGE: tensor.pad
// IMAGE-NOT: tensoraccess.cut
// IMAGE: linalg.conv_2d_nhwc_hwcf {{{.*}}tensoraccess.cut = "{d1: rows, d2: cols}"}
// IMAGE: tensor.collapse_shape
// IMAGE: linalg.exp {tensoraccess.cut = "{d1: rows}"}
func.func @image(%x: tensor<1x9x8x3xf32>, %w: tensor<3x3x3x5xf32>) -> tensor<1x20x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x9x8x3xf32> to tensor<1x11x10x3xf32>
  %e = tensor.empty() : tensor<1x5x4x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x4x5xf32>) -> tensor<1x5x4x5xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
         ins(%p, %w : tensor<1x11x10x3xf32>, tensor<3x3x3x5xf32>)
         outs(%z : tensor<1x5x4x5xf32>) -> tensor<1x5x4x5xf32>
  %1 = tensor.collapse_shape %0 [[0], [1, 2], [3]] : tensor<1x5x4x5xf32> into tensor<1x20x5xf32>
  %e1 = tensor.empty() : tensor<1x20x5xf32>
  %2 = linalg.exp ins(%1 : tensor<1x20x5xf32>) outs(%e1 : tensor<1x20x5xf32>) -> tensor<1x20x5xf32>
  return %2 : tensor<1x20x5xf32>
}

// A cut that is written is kept, and followed.
// KEPT-LABEL: func.func @kept
// KEPT: linalg.exp {tensoraccess.cut = "{d1: rows}"}
// KEPT: linalg.negf {tensoraccess.cut = "{d1: rows}"}
func.func @kept(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %0 = linalg.exp {tensoraccess.cut = "{d1: rows}"} ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = linalg.negf ins(%0 : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}
