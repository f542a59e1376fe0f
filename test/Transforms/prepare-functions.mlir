// RUN: tensoraccess-opt %s --tensoraccess-prepare-functions | FileCheck %s

// CHECK: #[[MAP:.*]] = affine_map<()[s0] -> (s0 + 4)>
// A caller's tensors are protected, what is private or elsewhere is left alone.
// CHECK: func.func @public(%{{.*}}: tensor<3x5xf32> {bufferization.writable = false}, %{{.*}}: index) attributes {llvm.emit_c_interface}
func.func @public(%a: tensor<3x5xf32>, %i: index) {
  return
}
// CHECK: func.func private @inner(%{{.*}}: tensor<3x5xf32>) {
func.func private @inner(%a: tensor<3x5xf32>) {
  return
}
// CHECK: func.func private @outside(tensor<3x5xf32>){{$}}
func.func private @outside(tensor<3x5xf32>)

// The host has one memory.
// CHECK-LABEL: @space
// CHECK: bufferization.alloc_tensor() : tensor<3x5xf32>
func.func @space() -> tensor<3x5xf32> {
  %0 = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A view of a buffer without elements would be refused.
// CHECK-LABEL: func.func @nothing
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<5x0x2xf32>
// CHECK-NEXT: return %[[EMPTY]]
func.func @nothing(%x: tensor<3x0x2xf32>, %value: f32) -> tensor<5x0x2xf32> {
  %0 = tensor.pad %x low[2, 0, 0] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %value : f32
  } : tensor<3x0x2xf32> to tensor<5x0x2xf32>
  return %0 : tensor<5x0x2xf32>
}

// CHECK-LABEL: func.func @padding_of_nothing
// CHECK-SAME:    %{{.*}}: tensor<0x3xf32>
// CHECK-SAME:    %[[VALUE:.*]]: f32, %[[N:.*]]: index)
// CHECK: %[[SIZE:.*]] = affine.apply #[[MAP]]()[%[[N]]]
// CHECK: %[[ALL:.*]] = tensor.generate %[[SIZE]]
// CHECK: tensor.yield %[[VALUE]] : f32
// CHECK: return %[[ALL]]
func.func @padding_of_nothing(%x: tensor<0x3xf32>, %value: f32, %n: index) -> tensor<1x?xf32> {
  %0 = tensor.pad %x low[1, 1] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<0x3xf32> to tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
