// What upstream's lowering would compute less exactly than docs/Elementwise.md
// says, once as a scalar and once as a vector.
// RUN: tensoraccess-opt %s --tensoraccess-expand-math | FileCheck %s

// Two roundings otherwise.
// CHECK-LABEL: func.func @small
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: %[[Y:.*]] = math.rsqrt %[[X]] : f32
// CHECK: arith.truncf %[[Y]] : f32 to f16
func.func @small(%x: f16) -> f16 {
  %0 = math.rsqrt %x : f16
  return %0 : f16
}

// What is exact, or rounds once in LLVM, stays.
// CHECK-LABEL: func.func @exact
// CHECK-NEXT: math.absf %{{.*}} : f16
// CHECK-NEXT: math.sin %{{.*}} : f16
// CHECK-NEXT: math.exp %{{.*}} : vector<3xf64>
// CHECK-NEXT: math.tanh %{{.*}} : f64
// CHECK-NEXT: math.fma
// CHECK-NEXT: return
func.func @exact(%x: f16, %v: vector<3xf64>, %y: f64, %z: f32)
    -> (f16, f16, vector<3xf64>, f64, f32) {
  %0 = math.absf %x : f16
  %1 = math.sin %x : f16
  %2 = math.exp %v : vector<3xf64>
  %3 = math.tanh %y : f64
  %4 = math.fma %z, %z, %z : f32
  return %0, %1, %2, %3, %4 : f16, f16, vector<3xf64>, f64, f32
}

// Arithmetic on f32 and on its bits: no branch and no call.
// CHECK-LABEL: func.func @arithmetic
// CHECK-NOT: math.e
// CHECK: math.fma %{{.*}} : vector<3xf32>
// CHECK: arith.shli %{{.*}} : vector<3xi32>
// CHECK-NOT: math.{{[el]}}
// CHECK: return
func.func @arithmetic(%x: vector<3xf32>) -> vector<3xf32> {
  %0 = math.exp %x : vector<3xf32>
  %1 = math.expm1 %0 : vector<3xf32>
  %2 = math.exp2 %1 : vector<3xf32>
  %3 = math.log %2 : vector<3xf32>
  %4 = math.log2 %3 : vector<3xf32>
  %5 = math.erf %4 : vector<3xf32>
  %6 = math.erfc %5 : vector<3xf32>
  return %6 : vector<3xf32>
}

// CHECK-LABEL: func.func @small_arithmetic
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.divf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.copysign %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @small_arithmetic(%x: bf16, %y: f16) -> (bf16, f16) {
  %0 = math.log1p %x : bf16
  %1 = math.tanh %y : f16
  return %0, %1 : bf16, f16
}

// CHECK-LABEL: func.func @libm
// CHECK-COUNT-2: call @expm1(%{{.*}}) : (f64) -> f64
// CHECK: call @log1p(%{{.*}}) : (f64) -> f64
func.func @libm(%x: vector<2xf64>, %y: f64) -> (vector<2xf64>, f64) {
  %0 = math.expm1 %x : vector<2xf64>
  %1 = math.log1p %y : f64
  return %0, %1 : vector<2xf64>, f64
}

// CHECK-LABEL: func.func @wider
// CHECK: math.log10 %{{.*}} : vector<3xf64>
func.func @wider(%y: vector<3xf32>) -> vector<3xf32> {
  %0 = math.log10 %y : vector<3xf32>
  return %0 : vector<3xf32>
}

// Arithmetic on f64, rounded once; libm's functions of f64 stay.
// CHECK-LABEL: func.func @hyperbolic
// CHECK: arith.extf %{{.*}} : vector<3xf32> to vector<3xf64>
// CHECK-NOT: math.{{a?(sin|cos|tan)}}
// CHECK: arith.truncf %{{.*}} : vector<3xf64> to vector<3xf32>
// CHECK: arith.extf %{{.*}} : vector<3xf16> to vector<3xf64>
// CHECK-NOT: math.{{a?(sin|cos|tan)}}
// CHECK: arith.truncf %{{.*}} : vector<3xf64> to vector<3xf16>
// CHECK: math.sinh
// CHECK-NEXT: return
func.func @hyperbolic(%x: vector<3xf32>, %y: vector<3xf16>, %z: f64) -> (vector<3xf32>, vector<3xf16>, f64) {
  %0 = math.sinh %x : vector<3xf32>
  %1 = math.acosh %0 : vector<3xf32>
  %2 = math.asinh %1 : vector<3xf32>
  %3 = math.cosh %y : vector<3xf16>
  %4 = math.atanh %3 : vector<3xf16>
  %5 = math.sinh %z : f64
  return %2, %4, %5 : vector<3xf32>, vector<3xf16>, f64
}

// CHECK-LABEL: func.func @root
// CHECK: %[[R:.*]] = math.cbrt %{{.*}} : vector<3xf64>
// CHECK: math.fma %[[R]], %[[R]], %{{.*}} : vector<3xf64>
// CHECK: arith.divf
// CHECK: arith.subf %[[R]]
func.func @root(%x: vector<3xf64>) -> vector<3xf64> {
  %0 = math.cbrt %x : vector<3xf64>
  return %0 : vector<3xf64>
}

// One rounding: the product is exact in f64, the sum rounded to odd.
// CHECK-LABEL: func.func @one_rounding
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.bitcast %{{.*}} : i64 to f64
// CHECK: arith.truncf %{{.*}} : f64 to bf16
func.func @one_rounding(%x: bf16) -> bf16 {
  %0 = math.fma %x, %x, %x : bf16
  return %0 : bf16
}

// CHECK-LABEL: func.func @fpowi
// CHECK: math.powf %{{.*}}, %{{.*}} : vector<3xf64>
// CHECK: arith.truncf %{{.*}} : vector<3xf64> to vector<3xf32>
func.func @fpowi(%x: vector<3xf32>, %n: vector<3xi64>) -> vector<3xf32> {
  %0 = math.fpowi %x, %n : vector<3xf32>, vector<3xi64>
  return %0 : vector<3xf32>
}

// Logarithms of f64 that are allowed to be off by an ulp are arithmetic.
// CHECK-LABEL: @rough
// CHECK-NOT: math.log
// CHECK-NOT: call
// CHECK: arith.divf {{.*}} : vector<8xf64>
// CHECK: return
func.func @rough(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.log %x fastmath<afn> : vector<8xf64>
  return %0 : vector<8xf64>
}

// -----

// What a function computes for many vectors is a function, once for all of them;
// what it computes once is not.
// CHECK-LABEL: func.func @many
// CHECK-COUNT-8: call @tensoraccess_tanh(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NOT: call
// CHECK: return
// CHECK: func.func private @tensoraccess_tanh(%{{.*}}: vector<4xf32>) -> vector<4xf32> attributes {{{.*}}noinline
// CHECK-NOT: math.tanh
func.func @many(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.tanh %x : vector<4xf32>
  %1 = math.tanh %0 : vector<4xf32>
  %2 = math.tanh %1 : vector<4xf32>
  %3 = math.tanh %2 : vector<4xf32>
  %4 = math.tanh %3 : vector<4xf32>
  %5 = math.tanh %4 : vector<4xf32>
  %6 = math.tanh %5 : vector<4xf32>
  %7 = math.tanh %6 : vector<4xf32>
  %8 = math.exp %7 : vector<4xf32>
  return %7, %8 : vector<4xf32>, vector<4xf32>
}
