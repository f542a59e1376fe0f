// What upstream's passes ask of ops is known of StableHLO's by their names.
// RUN: tensoraccess-opt %s --inline | FileCheck %s --check-prefix=INLINE
// RUN: tensoraccess-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tensoraccess-opt %s --canonicalize | FileCheck %s --check-prefix=DEAD
// RUN: tensoraccess-opt %s --symbol-dce | FileCheck %s --check-prefix=SYMBOL

// SYMBOL-NOT: @unused
func.func private @unused()
// SYMBOL: @named
func.func private @named(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func private @double(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
// A function whose end is not a return stays.
func.func private @odd(%x: tensor<3xf32>) -> tensor<3xf32> {
  stablehlo.return %x : tensor<3xf32>
}

// INLINE-LABEL: func.func @calls
// INLINE-NEXT: %[[D:.*]] = stablehlo.add %arg0, %arg0
// INLINE: stablehlo.while
// INLINE: } do {
// INLINE-NEXT: stablehlo.add %[[I:.*]], %[[I]] : tensor<3xf32>
// INLINE: call @odd
// INLINE: stablehlo.custom_call @f(%{{.*}}) {called_computations = [@named]}
func.func @calls(%x: tensor<3xf32>, %p: tensor<i1>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = call @double(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.while(%v = %0) : tensor<3xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %2 = func.call @double(%v) : (tensor<3xf32>) -> tensor<3xf32>
    stablehlo.return %2 : tensor<3xf32>
  }
  %3 = call @odd(%1) : (tensor<3xf32>) -> tensor<3xf32>
  %4 = stablehlo.custom_call @f(%3) {called_computations = [@named]} : (tensor<3xf32>) -> tensor<3xf32>
  return %3, %4 : tensor<3xf32>, tensor<3xf32>
}

// CSE-LABEL: func.func @same
// CSE-COUNT-1: stablehlo.add
// CSE-COUNT-1: stablehlo.reduce
// CSE-COUNT-2: stablehlo.rng
// CSE-COUNT-2: stablehlo.reduce
// CSE-NOT: stablehlo.reduce
func.func @same(%x: tensor<3xf32>, %z: tensor<f32>, %s: tensor<1xi64>) {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  %1 = stablehlo.add %x, %x : tensor<3xf32>
  %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %4 = stablehlo.rng %2, %3, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %5 = stablehlo.rng %2, %3, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  // Bodies with effects.
  %6 = stablehlo.reduce(%4 init: %z) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %c = stablehlo.custom_call @f(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }
  %7 = stablehlo.reduce(%4 init: %z) across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %c = stablehlo.custom_call @f(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %c : tensor<f32>
  }
  return
}

// DEAD-LABEL: func.func @dead
// DEAD-NEXT: stablehlo.custom_call @f
// DEAD-NEXT: return %arg0
func.func @dead(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<3xf32>
  %0 = stablehlo.add %x, %c : tensor<3xf32>
  %1 = stablehlo.tanh %0 : tensor<3xf32>
  %2 = stablehlo.custom_call @f(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %x : tensor<3xf32>
}
