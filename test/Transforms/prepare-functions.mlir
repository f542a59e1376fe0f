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

// Bufferization would write into the one %t, and the next point see it.
// CHECK-LABEL: func.func @repeated
// CHECK: tensor.generate
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<5xf32>
// CHECK: tensor.insert %{{.*}} into %[[COPY]]
// CHECK: scf.parallel
// CHECK: %[[SLICE:.*]] = tensor.extract_slice
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]]) : tensor<2xf32>
// CHECK: tensor.insert %{{.*}} into %[[COPY]]
// CHECK: scf.for
// CHECK-NOT: alloc_tensor
// CHECK: return
func.func @repeated(%t: tensor<5xf32>, %x: f32, %m: memref<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = tensor.generate {
  ^bb0(%i: index):
    %1 = tensor.insert %x into %t[%i] : tensor<5xf32>
    %2 = tensor.extract %1[%c0] : tensor<5xf32>
    tensor.yield %2 : f32
  } : tensor<5xf32>
  scf.parallel (%i) = (%c0) to (%c5) step (%c1) {
    %1 = tensor.extract_slice %t[1] [2] [1] : tensor<5xf32> to tensor<2xf32>
    %2 = tensor.insert %x into %1[%c0] : tensor<2xf32>
    %3 = tensor.extract %2[%c1] : tensor<2xf32>
    memref.store %3, %m[%i] : memref<5xf32>
    scf.reduce
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %1 = tensor.insert %x into %t[%i] : tensor<5xf32>
    %2 = tensor.extract %1[%c0] : tensor<5xf32>
    memref.store %2, %m[%i] : memref<5xf32>
  }
  return %0 : tensor<5xf32>
}

// Of some of its sizes nothing is known.
// CHECK-LABEL: func.func @padding_of_nothing_known
// CHECK: tensor.dim
// CHECK: tensor.generate %{{.*}} {
func.func @padding_of_nothing_known(%x: tensor<0x?xf32>, %value: f32) -> tensor<1x?xf32> {
  %0 = tensor.pad %x low[1, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<0x?xf32> to tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

// Where a dimension is of size 0, what is collapsed is empty, too.
// CHECK-LABEL: func.func @collapsed_nothing
// CHECK: %[[M:.*]] = tensor.dim %arg0, %c2
// CHECK-NOT: tensor.collapse_shape
// CHECK: tensor.empty(%c0, %[[M]]) : tensor<?x?xf32>
func.func @collapsed_nothing(%x: tensor<1x?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c2 : tensor<1x?x?xf32>
  %0 = tensor.extract_slice %x[0, 0, 0] [0, %n, %m] [1, 1, 1]
      : tensor<1x?x?xf32> to tensor<0x?x?xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]]
      : tensor<0x?x?xf32> into tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
