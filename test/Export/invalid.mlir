// RUN: not tensoraccess-translate --access-to-svg --split-input-file %s 2>&1 | FileCheck %s

// Nothing to draw is an error at the module, not an empty picture.
// CHECK: invalid.mlir:{{.*}}: error: no function here has an op of dialect tensoraccess to draw
func.func @nothing(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

// Branches have no picture.
// CHECK: invalid.mlir:{{.*}}: error: a function must have one block to be drawn, got 2
func.func @branches(%x: tensor<3xf32>) {
  %0 = tensoraccess.access %x at 1 : tensor<3xf32> -> !tensoraccess.access<3 | f32>
  cf.br ^bb1
^bb1:
  return
}
