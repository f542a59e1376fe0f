// Without LAPACK, the op that needs it is named, by both engines.
// RUN: not env TENSORACCESS_LAPACK=liblapack-of-nobody.so tensoraccess-run %s 2>&1 | FileCheck %s
// RUN: not env TENSORACCESS_LAPACK=liblapack-of-nobody.so tensoraccess-run %s --engine=interpret 2>&1 | FileCheck %s
// CHECK: lapack-missing.mlir:[[#@LINE+3]]:8: {{.*}}LAPACK, whose 'spotrf' it calls, is not installed: there is no liblapack-of-nobody.so
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %p = "stablehlo.dot"(%a, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = "stablehlo.cholesky"(%p) <{lower = true}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
