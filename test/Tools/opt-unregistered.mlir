// Models hold ops of dialects that this build does not know; every tool reads
// them without being asked to, and the stock flag is still taken.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt --allow-unregistered-dialect %s | FileCheck %s
// RUN: tensoraccess-translate --test-spirv-roundtrip --help-all | FileCheck %s --check-prefix=HELP

// HELP: TensorAccess translation driver

// CHECK-LABEL: @main
func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // CHECK: "mhlo.add"
  %0 = "mhlo.add"(%x, %x) : (tensor<3x5xf32>, tensor<3x5xf32>)
     -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
