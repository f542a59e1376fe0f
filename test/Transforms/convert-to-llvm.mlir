// RUN: tensoraccess-opt %s --allow-unregistered-dialect --tensoraccess-convert-to-llvm | FileCheck %s

// What LLVM has an intrinsic for is one, the rest is libm's.
// CHECK-DAG: llvm.func @cbrtf(f32) -> f32
// CHECK-LABEL: llvm.func @math
// CHECK: llvm.intr.exp
// CHECK: llvm.call @cbrtf
func.func @math(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.cbrt %0 : f32
  return %1 : f32
}

// No cast is left between dialects.
// CHECK-LABEL: llvm.func @buffers
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.cond_br
// CHECK: llvm.getelementptr
// CHECK: llvm.return
func.func @buffers(%m: memref<4x?xf32>, %i: index, %v: vector<4xf32>) -> f32 {
  %c1 = index.constant 1
  %j = arith.addi %i, %c1 : index
  %0 = arith.cmpi slt, %j, %i : index
  cf.cond_br %0, ^bb1, ^bb2
^bb1:
  %1 = memref.load %m[%i, %j] : memref<4x?xf32>
  return %1 : f32
^bb2:
  %2 = vector.extract %v[0] : f32 from vector<4xf32>
  return %2 : f32
}

// CHECK-LABEL: llvm.func @kept
// CHECK: "test.kept"
func.func @kept() {
  "test.kept"() : () -> ()
  return
}
