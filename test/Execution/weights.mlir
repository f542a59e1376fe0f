// RUN: tensoraccess-run %s --entry=product --no-cache --time --repeat=2 --weights=1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=marked --no-cache --time --repeat=2 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=product --no-cache --time --repeat=2 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-run %s --entry=product --weights=2 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tensoraccess-run %s --entry=product --weights=w 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tensoraccess-run %s --entry=product --weights=1 --plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not tensoraccess-run %s --entry=scalar --inputs=random:1 2>&1 | FileCheck %s --check-prefix=SCALAR

// CHECK: memory {{.*}} bytes at most
// CHECK-NEXT: packed {{[1-9][0-9]*}} bytes kept of weights
// CHECK: compare 0 equal, bit for bit
// NONE-NOT: packed
// NUMBER: --weights names input 2, there are 2
// NAME: --weights takes numbers and ranges such as 1-161, got 'w'
// PLAIN: --weights needs --engine=jit, and is not for --plain
func.func @product(%x: tensor<60x256xf32>, %w: tensor<256x100xf32>)
    -> tensor<60x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<60x100xf32>)
       -> tensor<60x100xf32>
  %y = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%f : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %y : tensor<60x100xf32>
}

func.func @marked(%x: tensor<60x256xf32>,
                  %w: tensor<256x100xf32> {tensoraccess.constant})
    -> tensor<60x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<60x100xf32>)
       -> tensor<60x100xf32>
  %y = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%f : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %y : tensor<60x100xf32>
}

// SCALAR: weights.mlir:[[#@LINE+1]]:{{.*}} input 0 of 'scalar' is not a tensor that could be kept packed
func.func @scalar(%x: f32 {tensoraccess.constant}) -> f32 {
  return %x : f32
}
