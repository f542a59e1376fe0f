// Passes and pipelines in a script of the transform dialect, with options.
// RUN: tensoraccess-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/script.mlir --transform-interpreter | FileCheck %s
// RUN: not tensoraccess-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/script.mlir --transform-interpreter="entry-point=wrong" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: unknown target 'moon'

// CHECK-LABEL: func.func @main(
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
// CHECK: linalg.generic
// CHECK-NOT: tensoraccess
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>, %i: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>) outs(%i : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %0 : tensor<64x512xf32>
}
