// A matmul by JIT, by interpreter and by another program: the same bits, since
// none of the three changes the order of the sums.
// RUN: tensoraccess-run %s --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --engine=interpret --compare=%s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-run - --compare=%s | FileCheck %s
// RUN: tensoraccess-run --entry=main --inputs=random:0 %s --engine=jit --compare=interpret | FileCheck %s --check-prefix=SEED
// RUN: tensoraccess-run %s --entry=sums --compare=%S/Inputs/forward.mlir | FileCheck %s --check-prefix=ORDER
// RUN: not tensoraccess-run %s --entry=sums --compare=%S/Inputs/forward.mlir --tolerance=0 | FileCheck %s --check-prefix=EXACT

// CHECK: inputs    random:0 (default)
// CHECK: result 0  f32 3x2  mean {{[-0-9.e]+}}  checksum [[SUM:[0-9a-f]+]]
// CHECK: compare 0  equal, bit for bit: 6 of 6 elements bit-equal
// SEED: inputs    random:0{{$}}
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x2xf32>) -> tensor<3x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x2xf32>)
        -> tensor<3x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x2xf32>)
                     outs(%init : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Sums in another order, by tens, differ in their last bits: within the bound
// for the order of summation, but not bit for bit.
// ORDER: compare 0  equal within tolerance: {{[0-2]}} of 3 elements bit-equal
// ORDER-SAME: allowed {{.*}} x largest magnitude (1000 roundings of f32, in any order)
// EXACT: compare 0  DIFFERENT: {{[0-2]}} of 3 elements bit-equal, max |a - b| {{[^ ]+}} at [{{[0-2]}}]
// EXACT-SAME: allowed 0 = 0 x largest magnitude (given)
func.func @sums(%x: tensor<3x1000xf32>) -> tensor<3xf32> {
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 100, 10]
     : tensor<3x1000xf32> into tensor<3x100x10xf32>
  %zeros = arith.constant dense<0.0> : tensor<3x100xf32>
  %1 = linalg.reduce ins(%0 : tensor<3x100x10xf32>)
       outs(%zeros : tensor<3x100xf32>) dimensions = [2]
       (%in: f32, %acc: f32) {
         %s = arith.addf %acc, %in : f32
         linalg.yield %s : f32
       }
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %2 = linalg.reduce ins(%1 : tensor<3x100xf32>) outs(%zero : tensor<3xf32>)
       dimensions = [1]
       (%in: f32, %acc: f32) {
         %s = arith.addf %acc, %in : f32
         linalg.yield %s : f32
       }
  return %2 : tensor<3xf32>
}
