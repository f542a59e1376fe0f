// Tensors without elements, whatever their tiles.
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @border(
// CHECK: tensor.empty() : tensor<0x1x2x2xf32>
// CHECK: return
func.func @border(%a: tensor<0x1xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<0x1xf32, #tensoraccess.layout<{1,0:T(2,2)}>> {
  return %a : tensor<0x1xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
}

// CHECK-LABEL: func.func @tiles(
// CHECK: tensor.empty()
// CHECK: return
func.func @tiles(%a: tensor<2x0xf32>)
    -> tensor<2x0xf32, #tensoraccess.layout<{1,0:T(8,128)}>> {
  %0 = tensoraccess.relayout %a : tensor<2x0xf32>
      to tensor<2x0xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
  return %0 : tensor<2x0xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: tensor.empty(%{{.*}}) :
// CHECK: return
func.func @dynamic(%a: tensor<?x0xf32>)
    -> tensor<?x0xf32, #tensoraccess.layout<{0,1:T(4,8)}>> {
  %0 = tensoraccess.relayout %a : tensor<?x0xf32>
      to tensor<?x0xf32, #tensoraccess.layout<{0,1:T(4,8)}>>
  return %0 : tensor<?x0xf32, #tensoraccess.layout<{0,1:T(4,8)}>>
}

// Unknown sizes are those of the argument.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[A:.*]]: tensor<?x0x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[A]], %c0
// CHECK: tensor.empty(%[[N]]) : tensor<0x?x4xf32>
// CHECK: math.exp
// CHECK: return %{{.*}} : tensor<?x0x4xf32>
func.func @computed(%a: tensor<0x?xf32, #tensoraccess.layout<{0,1:T(4)}>>)
    -> tensor<0x?xf32, #tensoraccess.layout<{0,1:T(4)}>> {
  %0 = math.exp %a : tensor<0x?xf32, #tensoraccess.layout<{0,1:T(4)}>>
  return %0 : tensor<0x?xf32, #tensoraccess.layout<{0,1:T(4)}>>
}
