// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s

// What writes into a tensor of memory 1 makes one, and views stay there.
// CHECK-LABEL: @compute
// CHECK: %[[X:.*]] = bufferization.alloc_tensor() copy(%arg0) {memory_space = 1 : i64}
// CHECK: %[[E:.*]] = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4x6xf32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x6xf32>) outs(%[[E]]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[R]]
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() copy(%[[C]]) {memory_space = 0 : i64}
// CHECK: return %[[B]]
func.func @compute(%x: tensor<4x6xf32>) -> tensor<24xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<4x6xf32> to tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>
  %e = tensor.empty() : tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>
  %1 = linalg.exp ins(%0 : tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>)
         outs(%e : tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>)
         -> tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>
  %2 = tensor.collapse_shape %1 [[0, 1]]
     : tensor<4x6xf32, #tensoraccess.layout<{1,0:S(1)}>>
    into tensor<24xf32, #tensoraccess.layout<{0:S(1)}>>
  %3 = tensoraccess.relayout %2
     : tensor<24xf32, #tensoraccess.layout<{0:S(1)}>> to tensor<24xf32>
  return %3 : tensor<24xf32>
}

// The same on tiles of a dynamic dimension.
// CHECK-LABEL: @exponentials
// CHECK: %[[E:.*]] = bufferization.alloc_tensor(%{{.*}}) {memory_space = 1 : i64} : tensor<?x2x2x2xf32>
// CHECK: linalg.generic {{.*}} outs(%[[E]]
func.func @exponentials(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensoraccess.relayout %x
     : tensor<?x4xf32> to tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %e = tensor.empty(%n) : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
  %1 = linalg.exp ins(%0 : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
         outs(%e : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>)
         -> tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>>
  %2 = tensoraccess.relayout %1
     : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(2,2)S(1)}>> to tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
