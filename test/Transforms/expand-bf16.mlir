// bf16 is computed in f32 and rounded by integer arithmetic; in the LLVM dialect
// it is then i16.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-expand-bf16 | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-to-llvm | FileCheck %s --check-prefix=LLVM

// No arithmetic on bf16 is left, in the LLVM dialect no bf16 at all.
// CHECK-LABEL: func.func @add
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.bitcast %[[SUM]] : f32 to i32
// CHECK: %[[BITS:.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK-NOT: arith.{{addf|truncf|extf}} {{.*}}bf16
// LLVM-NOT: {{[ x]bf16([>,)]|$)}}
func.func @add(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  return %0 : bf16
}

// -----

// Each result is rounded, also on its way to the next op.
// CHECK-LABEL: func.func @chain
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.bitcast %[[SUM]] : f32 to i32
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK: %[[ROUNDED:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.subf %[[ROUNDED]], %{{.*}} : f32
func.func @chain(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  %1 = arith.subf %0, %a : bf16
  return %1 : bf16
}

// -----

// CHECK-LABEL: func.func @functions
// CHECK: math.exp %{{.*}} : vector<3xf32>
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : vector<3xf32>
// LLVM-NOT: {{[ x]bf16([>,)]|$)}}
func.func @functions(%a: vector<3xbf16>) -> vector<3xi1> {
  %0 = math.exp %a : vector<3xbf16>
  %1 = arith.cmpf olt, %0, %a : vector<3xbf16>
  return %1 : vector<3xi1>
}

// -----

// From f64 through f32 rounded to odd; f16 is left alone.
// CHECK-LABEL: func.func @conversions
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.sitofp %{{.*}} : i64 to f64
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.addf %{{.*}}, %{{.*}} : f16
// LLVM-NOT: {{[ x]bf16([>,)]|$)}}
func.func @conversions(%a: f64, %b: i64, %c: bf16, %d: f16) -> (bf16, bf16, f64, f16) {
  %0 = arith.truncf %a : f64 to bf16
  %1 = arith.sitofp %b : i64 to bf16
  %2 = arith.extf %c : bf16 to f64
  %3 = arith.addf %d, %d : f16
  return %0, %1, %2, %3 : bf16, bf16, f64, f16
}

// -----

// Constants and globals keep their bits.
// CHECK-LABEL: func.func @constants
// LLVM: llvm.mlir.global private constant @{{.*}}(dense<[16256, -32768, 32640]> : tensor<3xi16>)
// LLVM-NOT: {{[ x]bf16([>,)]|$)}}
func.func @constants(%i: index) -> bf16 {
  %0 = arith.constant dense<[1.0, -0.0, 0x7F80]> : tensor<3xbf16>
  %1 = tensor.extract %0[%i] : tensor<3xbf16>
  return %1 : bf16
}

// -----

// What computes in bf16 by LLVM's own instructions is not touched.
// LLVM-LABEL: llvm.func @own
// LLVM: llvm.fadd %{{.*}}, %{{.*}} : bf16
func.func @own(%a: bf16) -> bf16 {
  %0 = llvm.fadd %a, %a : bf16
  return %0 : bf16
}
