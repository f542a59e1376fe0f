// MHLO in pretty form cannot be read without its dialect: the message
// names the line and says how to print the form that can.
// RUN: not tensoraccess-opt %s 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt < %s 2>&1 | FileCheck %s
// RUN: not tensoraccess-run %s 2>&1 | FileCheck %s

// CHECK: [[#@LINE+5]]:{{[0-9]+}}: error: {{.*}}mhlo
// CHECK: note: line [[#@LINE+4]] has 'mhlo.add' in pretty form
// CHECK-SAME: get_asm(print_generic_op_form=True)
// CHECK-SAME: --mlir-print-op-generic
func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = mhlo.add %x, %x : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
