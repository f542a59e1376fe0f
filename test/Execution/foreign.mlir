// Ops that bufferization does not know run all the same.
// RUN: tensoraccess-run %s --entry=softmax --compare=%S/Inputs/foreign.mlir | FileCheck %s
// RUN: tensoraccess-run %s --entry=pack --compare=%S/Inputs/foreign.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=concat --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=tosa | FileCheck %s --check-prefix=RESULT
// CHECK: compare 0
// EQUAL: compare 0  equal, bit for bit
// RESULT: result 0  f32 3x5

func.func @tosa(%a: tensor<3x5xf32>, %b: tensor<1x5xf32>) -> tensor<3x5xf32> {
  %0 = tosa.add %a, %b : (tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @softmax(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensor.empty() : tensor<3x5xf32>
  %1 = linalg.softmax dimension(1) ins(%a : tensor<3x5xf32>)
                                   outs(%0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

func.func @pack(%a: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x1x4x8xf32>
  %1 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1]
      inner_tiles = [4, 8] into %0 : tensor<7x5xf32> -> tensor<2x1x4x8xf32>
  %2 = tensor.empty() : tensor<7x5xf32>
  %3 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %2
     : tensor<2x1x4x8xf32> -> tensor<7x5xf32>
  return %3 : tensor<7x5xf32>
}

func.func @concat(%a: tensor<3x5xf32>, %b: tensor<3x2xf32>) -> tensor<3x7xf32> {
  %0 = tensor.concat dim(1) %a, %b
     : (tensor<3x5xf32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
