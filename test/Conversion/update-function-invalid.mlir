// RUN: not tensoraccess-opt %s --tensoraccess-update-function 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %s --tensoraccess-update-function="changed=x:[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: not tensoraccess-opt %s --tensoraccess-update-function="changed=0:[0,2)x" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOX
// RUN: not tensoraccess-opt %s --tensoraccess-update-function="changed=0:[0,2);1:[0,2)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NUMBER
// RUN: not tensoraccess-opt %s --tensoraccess-update-function="changed=0:[0,5)" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE

// NONE: invalid.mlir:[[# @LINE + 5]]:1: error: expected what is changed, as 0:[0,3)x[1,5)
// TEXT: error: expected an argument and a box, as 0:[0,3)x[1,5), got 'x:[0,2)'
// BOX: error: expected a box like [0, 3) x [1, 5), got '[0,2)x'
// NUMBER: error: there is no argument 1, the function has 1
// OUTSIDE: error: box [0, 5) is not inside of argument 0: tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
