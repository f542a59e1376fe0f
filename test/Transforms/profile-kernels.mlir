// RUN: tensoraccess-opt %s --tensoraccess-outline-kernels --tensoraccess-profile-kernels | FileCheck %s

// What each number is: the op that does most, where it comes from, what it does.
// CHECK: module attributes {tensoraccess.kernels = [
// CHECK-SAME: {bytes = 81920 : i64, location = "{{.*}}profile-kernels.mlir:[[@LINE+11]]:3", name = "product 64x128 by 64 f32", operations = 1048576 : i64}
// CHECK-SAME: {bytes = 65536 : i64, location = "{{.*}}", name = "move 128x64 f32", operations = 0 : i64}

// CHECK-LABEL: func.func @main
// CHECK: call @tensoraccess_profile(%[[FIRST:.*]], %{{.*}}) : (i64, i64) -> ()
// CHECK-NEXT: call @tensoraccess_kernel(
// CHECK: call @tensoraccess_profile(%[[FIRST]], %{{.*}}) : (i64, i64) -> ()
// CHECK: call @tensoraccess_kernel_0(
func.func @main(%x: memref<64x64xf32>, %w: memref<64x128xf32>, %y: memref<64x128xf32>,
                %z: memref<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x128xf32>) outs(%y : memref<64x128xf32>)
  linalg.transpose ins(%y : memref<64x128xf32>) outs(%z : memref<128x64xf32>) permutation = [1, 0]
  return
}
