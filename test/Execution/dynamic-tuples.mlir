// A tuple whose length is known at run time is combined by a loop.
// RUN: tensoraccess-run %s --entry=inputs --outputs=%t.x.npy,%t.y.npy,%t.e.npy
// RUN: tensoraccess-run %s --entry=add --inputs=%t.x.npy --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=mul --inputs=%t.x.npy --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=dot --inputs=%t.x.npy --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=item --inputs=%t.y.npy --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=dot_items --inputs=%t.y.npy --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=joined --inputs=%t.x.npy --compare=interpret | FileCheck %s
// RUN: not tensoraccess-run %s --entry=add --inputs=%t.e.npy 2>&1 | FileCheck %s --check-prefix=EMPTY
// CHECK: compare 0  equal, bit for bit
// EMPTY: error: {{.*}}dynamic-tuples.mlir:[[#]]:[[#]]: tensoraccess.compute: the tuple must not be empty, got compute shape [0]

func.func @inputs() -> (tensor<3x2xf32>, tensor<2x4x3xf32>, tensor<3x0xf32>) {
  %x = arith.constant dense<[[1.5, -2.0], [-0.0, -0.0], [3.0, 0.1]]> : tensor<3x2xf32>
  %y = arith.constant dense<[[[1.5, -2.0, 0.3], [0.5, 7.0, 2.0], [3.0, 0.1, -1.0], [2.0, 2.0, 5.0]],
                             [[0.1, -0.2, 1.3], [1.5, 3.0, 2.5], [0.7, 0.9, -4.0], [8.0, 2.5, 1.0]]]> : tensor<2x4x3xf32>
  %e = tensor.empty() : tensor<3x0xf32>
  return %x, %y, %e : tensor<3x2xf32>, tensor<2x4x3xf32>, tensor<3x0xf32>
}

func.func @add(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.compute elementwise_add %0 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func @mul(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.compute elementwise_mul %0 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func @dot(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

func.func @item(%x: tensor<2x?x3xf32>) -> tensor<2x3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<2x?x3xf32> -> !tensoraccess.access<2 | ?x3xf32>
  %1 = tensoraccess.compute elementwise_add %0 : !tensoraccess.access<2 | ?x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<2 | 3xf32> -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

func.func @dot_items(%x: tensor<?x?x?xf32>) -> tensor<?xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<?x?x?xf32> -> !tensoraccess.access<? | ?x?xf32>
  %1 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<? | ?x?xf32> -> !tensoraccess.access<? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<? | f32> -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// The tuple is written out first.
func.func @joined(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.concat %0, %0 axis 1 : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | ?xf32>
  %2 = tensoraccess.compute elementwise_add %1 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %3 : tensor<3xf32>
}
