// Padding with strides, and strides along dropped dimensions, right where
// upstream's canonicalization and bufferization are not.
// RUN: tensoraccess-run %s --entry=padded --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=foreign --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=dropped --inputs=random:1 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit

func.func @padded(%x: tensor<2xi32>) -> tensor<5xi32> {
  %0 = tensoraccess.access %x at 0 : tensor<2xi32> -> !tensoraccess.access<| 2xi32>
  %1 = tensoraccess.pad %0 low = [1] high = [0] value = 0 : i32 : !tensoraccess.access<| 2xi32> -> !tensoraccess.access<| 3xi32>
  %2 = tensoraccess.pad %1 low = [0] high = [0] interior = [1] value = 0 : i32 : !tensoraccess.access<| 3xi32> -> !tensoraccess.access<| 5xi32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<| 5xi32> -> tensor<5xi32>
  return %3 : tensor<5xi32>
}

func.func @foreign(%x: tensor<2xi32>) -> tensor<5xi32> {
  %zero = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<5xi32>
  %1 = linalg.fill ins(%zero : i32) outs(%0 : tensor<5xi32>) -> tensor<5xi32>
  %2 = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<2xi32> to tensor<3xi32>
  %3 = tensor.insert_slice %2 into %1[0] [3] [2] : tensor<3xi32> into tensor<5xi32>
  return %3 : tensor<5xi32>
}

func.func @dropped(%x: tensor<3x5xf32>) -> tensor<1xf32> {
  %0 = tensor.extract_slice %x[2, 4] [1, 1] [3, 1] : tensor<3x5xf32> to tensor<1xf32>
  return %0 : tensor<1xf32>
}
