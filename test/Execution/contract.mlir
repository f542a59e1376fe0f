// --contract gives the answers of --tensoraccess-check-contracts; the witness is run
// by the chosen engine.

// RUN: not tensoraccess-run %s --entry=shift "--contract=causal(result 0 dim 0, arg 0 dim 0)" "--contract=within(result 0 dim 0, arg 0 dim 0, 1)" 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERROR < %t
// RUN: not tensoraccess-run %s --entry=shift --engine=interpret "--contract=causal(result 0 dim 0, arg 0 dim 0)" 2>&1 | FileCheck %s --check-prefix=ERROR
// CHECK: contract  causal(result 0 dim 0, arg 0 dim 0): refuted
// CHECK-NEXT: witness   result 0 at [[[AT:.*]]]: [[VALUE:.*]]
// CHECK-NEXT: changed   result 0 at [[[AT]]]:
// CHECK-NOT: [[VALUE]]
// CHECK: contract  within(result 0 dim 0, arg 0 dim 0, 1): proved
// ERROR: contract.mlir:[[@LINE+2]]:{{[0-9]+}}: error: contract 'causal(result 0 dim 0, arg 0 dim 0)' does not hold: result 0 at {{.*}} if arg 0 is changed at {{.*}}, through 'stablehlo.slice'
func.func @shift(%x: tensor<8xf32>) -> tensor<7xf32> {
  %0 = stablehlo.slice %x [1:8] : (tensor<8xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// A bound decides whether an exponential is 0.
// RUN: tensoraccess-run %s --entry=far "--contract=ignores(arg 0)" "--assume=|arg 0| <= 10" | FileCheck %s --check-prefix=FAR
// FAR: contract  ignores(arg 0): proved if finite and |arg 0| <= 10
func.func @far(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<-1.0e4> : tensor<f32>
  %1 = stablehlo.add %x, %0 : tensor<f32>
  %2 = stablehlo.exponential %1 : tensor<f32>
  return %2 : tensor<f32>
}

// Neither, with a reason, is no failure.
// RUN: tensoraccess-run %s --entry=foreign "--contract=ignores(arg 0)" | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: contract  ignores(arg 0): unknown: {{.*}}foreign.op
func.func @foreign(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "foreign.op"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// What the function does not have.
// RUN: not tensoraccess-run %s --entry=shift "--contract=causal(result 0 dim 1, arg 0 dim 0)" 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: contract.mlir:13:{{.*}}: error: contract 'causal(result 0 dim 1, arg 0 dim 0)': result 0 dim 1: it has 1 dimension
// RUN: not tensoraccess-run %s --entry=shift "--contract=ignores(arg 0 dim 0 in [3, 9])" 2>&1 | FileCheck %s --check-prefix=BOX
// BOX: contract.mlir:13:{{.*}}: error: contract 'ignores(arg 0 dim 0 in [3, 9])': {{.*}}[3, 9]
// RUN: not tensoraccess-run %s --entry=shift "--contract=(d0) -> (d0), domain: d0 in [0, 30]" 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: contract.mlir:13:{{.*}}: error: contract '(d0) -> (d0), domain: d0 in [0, 30]': d0 in [0, 30]: result 0 dim 0 has indices in [0, 6]
// RUN: not tensoraccess-run %s --entry=shift "--contract=ignores(arg 1)" 2>&1 | FileCheck %s --check-prefix=ARG
// ARG: contract.mlir:13:{{.*}}: error: contract 'ignores(arg 1)': arg 1: there is 1 argument
// RUN: not tensoraccess-run %s --entry=shift "--contract=ignores(arg 0)" --assume=x 2>&1 | FileCheck %s --check-prefix=ASSUME
// ASSUME: --assume: expected 'arg N in [A, B]'
// RUN: not tensoraccess-run %s --entry=shift "--contract=ignores(arg 0)" --inputs=random:1 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: --contract makes its own inputs
// RUN: not tensoraccess-run %s --entry=shift "--assume=|arg 0| <= 1" 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: --assume is for --contract

// For all sizes, where maps of unknown sizes say so.
// RUN: tensoraccess-run %s --entry=sizes "--contract=causal(result 0 dim 1, arg 0 dim 1)" "--contract=independent(result 0 dim 0, arg 0 dim 0)" "--contract=within(result 0 dim 1, arg 0 dim 1, 1)" | FileCheck %s --check-prefix=SIZES
// SIZES: causal(result 0 dim 1, arg 0 dim 1): proved
// SIZES-NEXT: independent(result 0 dim 0, arg 0 dim 0): proved
// SIZES-NEXT: within(result 0 dim 1, arg 0 dim 1, 1): unknown: {{.*}}stablehlo.convolution; inputs of unknown sizes are not run
func.func @sizes(%x: tensor<?x?x4xf32>, %w: tensor<3x4x4xf32>) -> tensor<?x?x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x4xf32>, tensor<3x4x4xf32>) -> tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// RUN: tensoraccess-run %s --entry=reversed "--contract=causal(result 0 dim 0, arg 0 dim 0)" | FileCheck %s --check-prefix=REVERSED
// REVERSED: unknown: {{.*}}stablehlo.reverse
func.func @reversed(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
