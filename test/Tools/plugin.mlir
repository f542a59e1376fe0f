// A stock mlir-opt of the same version reads the dialect from the plugin, and
// loading the dialect makes the passes known by name.
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(canonicalize)' | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin --load-dialect-plugin=%plugin %s | FileCheck %s
// RUN: not mlir-opt --load-dialect-plugin=%plugin %s --pass-pipeline='builtin.module(tensoraccess-no-such-pass)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// StableHLO is read in its ordinary text; HLO text and artifacts are for tensoraccess-opt.
// RUN: tensoraccess-opt %S/Inputs/mean.hlo | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s --check-prefix=STABLEHLO
// STABLEHLO: stablehlo.divide %{{.*}}, %{{.*}} : tensor<64xf32>
// RUN: not mlir-opt --load-dialect-plugin=%plugin %S/Inputs/mean.hlo 2>&1 | FileCheck %s --check-prefix=HLO
// HLO: custom op 'HloModule' is unknown
// RUN: not mlir-opt --load-dialect-plugin=%plugin %S/Inputs/mean-1.17.0.bc 2>&1 | FileCheck %s --check-prefix=VHLO
// VHLO: dialect 'vhlo' is unknown

// UNKNOWN: 'tensoraccess-no-such-pass' does not refer to a registered pass

// CHECK-LABEL: @rows
// CHECK: tensoraccess.access %{{.*}} at 1
func.func @rows(%x: tensor<3x5xf32>) -> !tensoraccess.access<3 | 5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  return %0 : !tensoraccess.access<3 | 5xf32>
}
