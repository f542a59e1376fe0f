// A constant lies in main memory: moving it to another is not folded into it.
// RUN: tensoraccess-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: tensoraccess-opt %s --canonicalize --tensoraccess-materialize-layouts | FileCheck %s

// FOLD-LABEL: @constant
// FOLD: arith.constant {{.*}} : tensor<4x4xf32>
// FOLD: tensoraccess.relayout
// CHECK-LABEL: @constant
// CHECK: bufferization.alloc_tensor() copy(%{{.*}}) {memory_space = 3 : i64}
#l = #tensoraccess.layout<{1,0:T(2,2)S(3)}>
func.func @constant(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0],
                             [5.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]]> : tensor<4x4xf32>
  %0 = tensoraccess.relayout %c : tensor<4x4xf32> to tensor<4x4xf32, #l>
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.add ins(%0, %x : tensor<4x4xf32, #l>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
