// The op that checks at run time: its text, and what becomes of it.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED
// RUN: tensoraccess-opt %s --inline | FileCheck %s --check-prefix=INLINED
// RUN: not tensoraccess-run %s --engine=interpret 2>&1 | FileCheck %s --check-prefix=FAILED
// RUN: not tensoraccess-run %s 2>&1 | FileCheck %s --check-prefix=FAILED

// CHECK-LABEL: @checks
// FOLDED-LABEL: @checks
func.func private @checks(%holds: i1, %size: index, %count: i32) {
  %true = arith.constant true
  // CHECK: tensoraccess.assert %{{.*}}, "in order"{{$}}
  // FOLDED-NOT: in order
  tensoraccess.assert %true, "in order"
  // CHECK: tensoraccess.assert %{{.*}}, "{{.*}}{1} of {0}, not {1}"(%{{.*}}, %{{.*}} : index, i32)
  // FOLDED: tensoraccess.assert
  tensoraccess.assert %holds, "{{1}: {1} of {0}, not {1}"
      (%size, %count : index, i32)
  return
}

// FAILED: assert.mlir:[[#@LINE-5]]:3: {{.*}}{1}: -3 of 7, not -3
// INLINED-LABEL: @main
// INLINED: tensoraccess.assert
func.func @main() -> tensor<3xf32> {
  %false = arith.constant false
  %size = arith.constant 7 : index
  %count = arith.constant -3 : i32
  call @checks(%false, %size, %count) : (i1, index, i32) -> ()
  %0 = arith.constant dense<0.0> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
