// RUN: not tensoraccess-opt %s --tensoraccess-pack-weights=target=x86-64-v4 2>&1 | FileCheck %s

// CHECK: [[#@LINE+1]]:1: error: weights of 'product' cannot be packed in 'pack_product': there is such a symbol
func.func @product(%x: tensor<60x256xf32>,
                   %w: tensor<256x100xf32> {tensoraccess.constant},
                   %y: tensor<60x100xf32>) -> tensor<60x100xf32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%y : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %z : tensor<60x100xf32>
}
func.func private @pack_product()
