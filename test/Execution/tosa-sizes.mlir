// Unknown sizes that don't fit are errors of the user's op, of none that it becomes.
// RUN: not tensoraccess-run %s --entry=known --dynamic-sizes=2 2>&1 | FileCheck %s --check-prefix=KNOWN
// RUN: not tensoraccess-run %s --entry=known --dynamic-sizes=2 --engine=interpret 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KNOWN
// RUN: not tensoraccess-run %s --entry=both --dynamic-sizes=3,2 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not tensoraccess-run %s --entry=both --dynamic-sizes=3,2 --engine=interpret 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: tensoraccess-run %s --entry=known --dynamic-sizes=1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=known --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=both --dynamic-sizes=3,1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=both --dynamic-sizes=1,3 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit

// KNOWN: tosa-sizes.mlir:[[#@LINE+2]]:{{.*}}tosa.add: dimension 0 of operand 1 must be 1 or 4, got 2
func.func @known(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>) -> tensor<4x3xf32> {
  %0 = tosa.add %x, %y : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// BOTH: tosa-sizes.mlir:[[#@LINE+3]]:{{.*}}tosa.mul: dimension 0 of operand 1 must be 1 or 3, got 2
func.func @both(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift
      : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<1xi8>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
