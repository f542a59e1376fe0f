// Inputs from .npy files, outputs to .npy files, and comparison with them; the
// matrices are 0 … 14 and columns of ones and zeros.
// RUN: rm -rf %t && mkdir %t
// RUN: tensoraccess-run %s --inputs=%S/Inputs/a-3x5-f32.npy,%S/Inputs/b-5x2-f32.npy --outputs=%t/product.npy,%t/sum.npy | FileCheck %s
// RUN: tensoraccess-run %s --inputs=%S/Inputs/a-3x5-f32.npy,%S/Inputs/b-5x2-f32.npy --compare=%t/product.npy,%t/sum.npy | FileCheck %s --check-prefix=SAME
// RUN: not tensoraccess-run %s --inputs=random:3 --compare=%t/product.npy,%t/sum.npy | FileCheck %s --check-prefix=OTHER
// RUN: tensoraccess-run %s --entry=rows --inputs=%t/product.npy | FileCheck %s --check-prefix=ROWS
// RUN: tensoraccess-run %s --entry=rows --engine=interpret --inputs=%t/product.npy | FileCheck %s --check-prefix=ROWS

// The product's mean is (10 + 35 + 60) / 6.
// CHECK-NOT: inputs
// CHECK: result 0  f32 3x2  mean 17.5  checksum
// CHECK: result 1  f32 {{.*}}value 105  checksum
// SAME: compare 0  equal, bit for bit: 6 of 6 elements bit-equal
// SAME: compare 1  equal, bit for bit: 1 of 1 elements bit-equal
// OTHER: compare 0  DIFFERENT: 0 of 6 elements bit-equal
// OTHER: compare 1  DIFFERENT: 0 of 1 elements bit-equal
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x2xf32>)
    -> (tensor<3x2xf32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<3x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x2xf32>)
                     outs(%zero : tensor<3x2xf32>) -> tensor<3x2xf32>
  %start = arith.constant dense<0.0> : tensor<f32>
  %1 = linalg.reduce ins(%0 : tensor<3x2xf32>) outs(%start : tensor<f32>)
       dimensions = [0, 1]
       (%in: f32, %acc: f32) {
         %s = arith.addf %acc, %in : f32
         linalg.yield %s : f32
       }
  return %0, %1 : tensor<3x2xf32>, tensor<f32>
}

// A dynamic size takes what the file has.
// ROWS: result 0  i64{{.*}}value 3  checksum
func.func @rows(%x: tensor<?x2xf32>) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %x, %c0 : tensor<?x2xf32>
  return %0 : index
}
