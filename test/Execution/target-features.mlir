// A target whose instructions the processor has not is refused; no code is made.
// RUN: not tensoraccess-run %s 2>&1 | FileCheck %s
// CHECK: target-features.mlir:[[#@LINE+2]]:1: error: target 'moon' has 'moonshine', which processor 'host' does not have
// CHECK-NOT: result
module attributes {tensoraccess.target = #tensoraccess.target<moon, features = [moonshine]>} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
