// The passes of this project run in a stock mlir-opt, by name, once the plugin
// is loaded.
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(tensoraccess-lower-to-linalg)' | FileCheck %s --check-prefix=LOWERED

// LOWERED-LABEL: @columns
// LOWERED-NOT: tensoraccess
// LOWERED: return %{{.*}} : tensor<5x3xf32>
func.func @columns(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<5 | 3xf32> -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}
