// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-foreign-to-linalg | FileCheck %s

// CHECK: ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>
// CHECK: ml_program.global private @scale(dense<2.5{{.*}}> : tensor<f32>) : tensor<f32>
ml_program.global private mutable @seed(7 : i64) : i64
ml_program.global private @scale(2.5 : f32) : f32
// CHECK-LABEL: @scalars
// CHECK: %[[OLD:.+]] = ml_program.global_load @seed : tensor<i64>
// CHECK: %[[SEED:.+]] = tensor.extract %[[OLD]][]
// CHECK: %[[SUM:.+]] = arith.addi %[[SEED]], %arg0
// CHECK: %[[NEW:.+]] = tensor.from_elements %[[SUM]] : tensor<i64>
// CHECK: ml_program.global_store @seed = %[[NEW]] : tensor<i64>
// CHECK: ml_program.global_load @scale : tensor<f32>
func.func @scalars(%x: i64) -> (i64, f32) {
  %0 = ml_program.global_load @seed : i64
  %1 = arith.addi %0, %x : i64
  ml_program.global_store @seed = %1 : i64
  %2 = ml_program.global_load_const @scale : f32
  return %1, %2 : i64, f32
}

// -----

// Poison is zeros (Transforms/canonicalize-fails.mlir tells why).
// CHECK-LABEL: @poison
// CHECK-NOT: ub.poison
// CHECK: return
func.func @poison() -> index {
  %0 = ub.poison : index
  return %0 : index
}

// -----

// expected-error@below {{'ml_program.global' op of type 'memref<4xf32>' cannot be lowered; globals are scalars or tensors of static shape}}
ml_program.global private mutable @buffer : memref<4xf32>
