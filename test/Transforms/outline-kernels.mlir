// RUN: tensoraccess-opt %s --tensoraccess-outline-kernels | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Equal ops share a function, constants move in, an allocation that nothing
// else overlaps is noalias.
// CHECK-LABEL: @fills
// CHECK: call @tensoraccess_kernel(%{{.*}}) : (memref<5x7xf32>) -> ()
// CHECK: call @tensoraccess_kernel(%{{.*}}) : (memref<5x7xf32>) -> ()
// CHECK: call @tensoraccess_kernel_0(%{{.*}}, %{{.*}}) : (memref<5x7xf32>, memref<5x7xf32>) -> ()
func.func @fills() -> (memref<5x7xf32>, memref<5x7xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<5x7xf32>
  %b = memref.alloc() : memref<5x7xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<5x7xf32>)
  linalg.fill ins(%zero : f32) outs(%b : memref<5x7xf32>)
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<5x7xf32>) outs(%b : memref<5x7xf32>) {
  ^bb0(%x: f32, %out: f32):
    %s = arith.addf %x, %out : f32
    linalg.yield %s : f32
  }
  return %a, %b : memref<5x7xf32>, memref<5x7xf32>
}

// A view of the same buffer, and an argument that may be any buffer.
// CHECK-LABEL: @aliased
func.func @aliased(%arg: memref<7xf32>) -> memref<5x7xf32> {
  %a = memref.alloc() : memref<5x7xf32>
  %v = memref.subview %a[2, 0] [1, 7] [1, 1]
     : memref<5x7xf32> to memref<7xf32, strided<[1], offset: 14>>
  // CHECK: call @tensoraccess_kernel_1(
  linalg.broadcast ins(%v : memref<7xf32, strided<[1], offset: 14>>)
                   outs(%a : memref<5x7xf32>) dimensions = [0]
  // CHECK: call @tensoraccess_kernel_2(
  linalg.broadcast ins(%v : memref<7xf32, strided<[1], offset: 14>>)
                   outs(%a : memref<5x7xf32>) dimensions = [0]
                   {note = "another attribute"}
  return %a : memref<5x7xf32>
}

// What a body takes from outside is an argument, sizes that are dynamic keep
// their descriptors.
// CHECK-LABEL: @captured
// CHECK: call @tensoraccess_kernel_3(%{{.*}}, %{{.*}}) : (memref<?xf32>, f32) -> ()
func.func @captured(%m: memref<?xf32>, %f: f32) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      outs(%m : memref<?xf32>) {
  ^bb0(%out: f32):
    %s = arith.mulf %out, %f : f32
    linalg.yield %s : f32
  }
  return
}

// Tensors and scalars stay.
// CHECK-LABEL: @stays
// CHECK-NOT: call
// CHECK: return
func.func @stays(%t: tensor<3xf32>, %m: memref<f32>, %f: f32) -> tensor<3xf32> {
  linalg.fill ins(%f : f32) outs(%m : memref<f32>)
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// A sum goes with the fill that it begins with and the elementwise op that takes
// its result, whose buffer becomes the function's.
// CHECK-LABEL: @group
// CHECK: %[[Y:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK-NEXT: call @[[K:.*]](%{{.*}}, %{{.*}}, %[[Y]])
// CHECK-NEXT: return %[[Y]]
func.func @group(%a: memref<4x5xf32>, %b: memref<5x8xf32>) -> memref<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4x8xf32>)
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x8xf32>)
                outs(%t : memref<4x8xf32>)
  %y = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %t : memref<4x8xf32>
  return %y : memref<4x8xf32>
}

// What lies between reads the sum, or writes what the elementwise op reads; and
// what that writes is read by the sum.
// CHECK-LABEL: @apart
// CHECK-COUNT-5: call @
// CHECK-NOT: call
func.func @apart(%a: memref<8x8xf32>, %b: memref<8x8xf32>)
    -> (memref<8x8xf32>, memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8x8xf32>
  %y = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<8x8xf32>)
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>)
                outs(%t : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<8x8xf32>)
  linalg.add ins(%t, %t : memref<8x8xf32>, memref<8x8xf32>)
             outs(%y : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%t : memref<8x8xf32>)
  linalg.matmul ins(%y, %b : memref<8x8xf32>, memref<8x8xf32>)
                outs(%t : memref<8x8xf32>)
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<8x8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.addf %x, %out : f32
    linalg.yield %r : f32
  }
  return %t, %y : memref<8x8xf32>, memref<8x8xf32>
}

// CHECK: func.func private @tensoraccess_kernel(%{{.*}}: memref<5x7xf32> {llvm.noalias})
// CHECK-SAME: llvm.bareptr, llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]
// CHECK: arith.constant 0.0
// CHECK: linalg.fill
// CHECK: func.func private @tensoraccess_kernel_0(%{{.*}}: memref<5x7xf32>, %{{.*}}: memref<5x7xf32> {llvm.noalias})
// CHECK: func.func private @tensoraccess_kernel_1(
// CHECK-NOT: noalias
// CHECK: func.func private @tensoraccess_kernel_3(
// CHECK-NOT: bareptr
// CHECK: func.func private @tensoraccess_kernel_4(
