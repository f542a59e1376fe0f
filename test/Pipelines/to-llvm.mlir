// RUN: tensoraccess-opt %s --tensoraccess-to-llvm | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-to-llvm=out-params=true \
// RUN:   | FileCheck %s --check-prefix=OUT

// Results are descriptors of fresh buffers, or buffers of the caller.
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.func @matmul({{.*}}) -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK: llvm.func @_mlir_ciface_matmul(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-NOT: {{^}}  llvm.func @_mlir_ciface_twice
// OUT: llvm.func @matmul(
// OUT-NOT: -> !llvm.struct
// OUT: llvm.func @_mlir_ciface_matmul(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @matmul(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %q at 1
     : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<7 | 5xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
    -> !tensoraccess.access<3x7 | 2x5xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<3x7 | 2x5xf32> -> !tensoraccess.access<3x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  %6 = call @twice(%5) : (tensor<3x7xf32>) -> tensor<3x7xf32>
  return %6 : tensor<3x7xf32>
}
func.func private @twice(%a: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = arith.addf %a, %a : tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
