// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts=fold-bytes=5 | FileCheck %s --check-prefix=LARGE
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts -o %t.mlir
// RUN: tensoraccess-run %s --engine=interpret --inputs=random:1 --outputs=%t.npy
// RUN: tensoraccess-run %t.mlir --inputs=random:1 --compare=%t.npy | FileCheck %s --check-prefix=SAME

// Weights that are known are packed once: while compiling. Padding is zero.
// CHECK-LABEL: @main
// CHECK: %[[C:.*]] = arith.constant dense<{{\[\[\[}}1.000000e+00, 2.000000e+00], [4.000000e+00, 5.000000e+00]], {{\[\[}}3.000000e+00, 0.000000e+00], [6.000000e+00, 0.000000e+00]]]> : tensor<2x2x2xf32>
// CHECK: arith.addf %[[C]]
// LARGE-LABEL: @main
// LARGE: linalg.pack %cst
// SAME: compare 0  equal
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %0 = tensoraccess.relayout %c
     : tensor<2x3xf32> to tensor<2x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %1 = tensoraccess.relayout %x
     : tensor<2x3xf32> to tensor<2x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %2 = arith.addf %0, %1 : tensor<2x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %3 = tensoraccess.relayout %2
     : tensor<2x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// A resource becomes another one.
// CHECK-LABEL: @resource
// CHECK: arith.constant dense_resource<[[NAME:w[^>]*]]> : tensor<2x2x2xi8>
// CHECK-NOT: linalg.pack
// CHECK: return
// LARGE-LABEL: @resource
// LARGE: linalg.pack
func.func @resource() -> tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>> {
  %c = arith.constant dense_resource<w> : tensor<2x3xi8>
  %0 = tensoraccess.relayout %c
     : tensor<2x3xi8> to tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>>
  return %0 : tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>>
}

// What is not there, or is one number, stays as it is.
// CHECK-LABEL: @stays
// CHECK: arith.constant dense<1> : tensor<2x3xi8>
// CHECK: linalg.pack
func.func @stays() -> tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>> {
  %c = arith.constant dense<1> : tensor<2x3xi8>
  %0 = tensoraccess.relayout %c
     : tensor<2x3xi8> to tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>>
  return %0 : tensor<2x3xi8, #tensoraccess.layout<{1,0:T(2,2)}>>
}

// CHECK: [[NAME]]: "0x400000000102040503000600"
{-#
  dialect_resources: {
    builtin: {
      w: "0x01000000010203040506"
    }
  }
#-}
