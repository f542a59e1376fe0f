// RUN: not tensoraccess-opt %s --tensoraccess-extract-op="op=linalg.matmul index=1" 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not tensoraccess-opt %s --tensoraccess-extract-op="op=linalg.matmul function=model" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-extract-op="op=linalg.matmul function=outside" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-opt %s --tensoraccess-extract-op 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tensoraccess-opt %s --tensoraccess-extract-op="op=func.return" 2>&1 | FileCheck %s --check-prefix=RESULT

// INDEX: :[[# @LINE + 5]]:1: error: function @main has 1 ops named 'linalg.matmul', but no number 1
// FUNCTION: error: there is no function 'model' with a body; known are main
// OUTSIDE: error: there is no function 'outside' with a body; known are main
// NAME: error: option 'op' must name an op
// RESULT: error: op number 0 named 'func.return' has no results to return
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>, %i: tensor<3x7xf32>)
    -> tensor<3x7xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
func.func private @outside()
