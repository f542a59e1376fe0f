// Times are told on request, with a rate where the operations can be counted:
// 3·7 elements of five products and five sums.
// RUN: tensoraccess-run %s --time --repeat=2 | FileCheck %s
// RUN: tensoraccess-run %s --engine=interpret --time --repeat=1 | FileCheck %s --check-prefix=INTERPRET
// RUN: tensoraccess-run %s --entry=unknown --time | FileCheck %s --check-prefix=UNKNOWN
// RUN: tensoraccess-run %s | FileCheck %s --check-prefix=SILENT

// CHECK: time      compile {{[0-9.]+}} ms, run {{[-0-9.e]+}} ms (best of 2), {{[-+0-9.e]+}} Gop/s (210 operations)
// INTERPRET: time      run {{[-0-9.e]+}} ms (best of 1), {{[-+0-9.e]+}} Gop/s (210 operations)
// SILENT-NOT: time
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>,
                %c: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%c : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// What a loop does is not counted, so no rate is told.
// UNKNOWN: ms (best of 5){{$}}
func.func @unknown(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %1 = arith.addi %s, %i : index
    scf.yield %1 : index
  }
  return %0 : index
}
