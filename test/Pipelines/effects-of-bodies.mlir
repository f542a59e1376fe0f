// RUN: tensoraccess-opt %s --tensoraccess-raise | FileCheck %s
// RUN: not tensoraccess-run %s --engine=jit 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not tensoraccess-run %s --engine=interpret 2>&1 | FileCheck %s --check-prefix=FAILS

// What a body asserts is part of it, although it yields what it reads.

#map = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: cf.assert
// FAILS: too large
func.func @main(%arg0: tensor<3xi32>) -> tensor<3xi32> {
  %empty = tensor.empty() : tensor<3xi32>
  %least = arith.constant -2147483648 : i32
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xi32>) outs(%empty : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %holds = arith.cmpi slt, %in, %least : i32
    cf.assert %holds, "too large"
    linalg.yield %in : i32
  } -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
