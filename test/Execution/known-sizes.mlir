// Sizes that the types leave open and the ops round them know are those of the
// loops: what was computed is what is returned, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=cast --inputs=random:1 --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=last --inputs=random:1 --dynamic-sizes=1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=last --inputs=random:1 --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=last_of_relu --inputs=random:1 --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=copied --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=turned --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=parted --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=products --inputs=random:1 --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=softmax --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=mean --inputs=random:1 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit

func.func @cast(%x: tensor<?xi32>, %y: tensor<1xi32>) -> tensor<?x?x2xi32> {
  %cast = tensor.cast %y : tensor<1xi32> to tensor<?xi32>
  %0 = tensoraccess.access %x at 1 : tensor<?xi32> -> !tensoraccess.access<? | i32>
  %1 = tensoraccess.access %cast at 1 : tensor<?xi32> -> !tensoraccess.access<? | i32>
  %2 = tensoraccess.cart_prod %0, %1 : !tensoraccess.access<? | i32>, !tensoraccess.access<? | i32> -> !tensoraccess.access<?x? | 2xi32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<?x? | 2xi32> -> tensor<?x?x2xi32>
  return %3 : tensor<?x?x2xi32>
}

// From the last place on: one element, however many there are.
func.func @last(%x: tensor<?xi32>) -> tensor<?x?x2xi32> {
  %0 = tensoraccess.access %x at 1 : tensor<?xi32> -> !tensoraccess.access<? | i32>
  %1 = tensoraccess.slice %0 offsets = [-1] sizes = [-1] strides = [1] oob = [negative] : !tensoraccess.access<? | i32> -> !tensoraccess.access<? | i32>
  %2 = tensoraccess.cart_prod %0, %1 : !tensoraccess.access<? | i32>, !tensoraccess.access<? | i32> -> !tensoraccess.access<?x? | 2xi32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<?x? | 2xi32> -> tensor<?x?x2xi32>
  return %3 : tensor<?x?x2xi32>
}

func.func @last_of_relu(%x: tensor<?xi32>) -> tensor<?x?x2xi32> {
  %0 = tensoraccess.access %x at 1 : tensor<?xi32> -> !tensoraccess.access<? | i32>
  %1 = tensoraccess.slice %0 offsets = [-1] sizes = [-1] strides = [1] oob = [negative] : !tensoraccess.access<? | i32> -> !tensoraccess.access<? | i32>
  %2 = tensoraccess.compute relu %0 : !tensoraccess.access<? | i32> -> !tensoraccess.access<? | i32>
  %3 = tensoraccess.cart_prod %2, %1 : !tensoraccess.access<? | i32>, !tensoraccess.access<? | i32> -> !tensoraccess.access<?x? | 2xi32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<?x? | 2xi32> -> tensor<?x?x2xi32>
  return %4 : tensor<?x?x2xi32>
}

func.func @copied(%x: tensor<3x5xf32>) -> tensor<?x5xf32> {
  %cast = tensor.cast %x : tensor<3x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.access %cast at 1 : tensor<?x5xf32> -> !tensoraccess.access<? | 5xf32>
  %1 = tensoraccess.materialize %0 : !tensoraccess.access<? | 5xf32> -> !tensoraccess.access<? | 5xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<? | 5xf32> -> tensor<?x5xf32>
  return %2 : tensor<?x5xf32>
}

func.func @turned(%x: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %cast = tensor.cast %x : tensor<3x5xf32> to tensor<?x?xf32>
  %0 = tensoraccess.access %cast at 1 : tensor<?x?xf32> -> !tensoraccess.access<? | ?xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<? | ?xf32> -> !tensoraccess.access<? | ?xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<? | ?xf32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// A known dimension is taken apart beside one that the cast knows.
func.func @parted(%x: tensor<3x6x2xf32>) -> tensor<?x2x3x2xf32> {
  %cast = tensor.cast %x : tensor<3x6x2xf32> to tensor<?x6x2xf32>
  %0 = tensoraccess.access %cast at 3 : tensor<?x6x2xf32> -> !tensoraccess.access<?x6x2 | f32>
  %1 = tensoraccess.reshape %0 : !tensoraccess.access<?x6x2 | f32> -> !tensoraccess.access<?x2x3x2 | f32>
  %2 = tensoraccess.compute relu %1 : !tensoraccess.access<?x2x3x2 | f32> -> !tensoraccess.access<?x2x3x2 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<?x2x3x2 | f32> -> tensor<?x2x3x2xf32>
  return %3 : tensor<?x2x3x2xf32>
}

func.func @products(%x: tensor<?x5xf32>, %y: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %cast = tensor.cast %y : tensor<3x5xf32> to tensor<?x5xf32>
  %0 = tensoraccess.access %x at 1 : tensor<?x5xf32> -> !tensoraccess.access<? | 5xf32>
  %1 = tensoraccess.access %cast at 1 : tensor<?x5xf32> -> !tensoraccess.access<? | 5xf32>
  %2 = tensoraccess.cart_prod %0, %1 : !tensoraccess.access<? | 5xf32>, !tensoraccess.access<? | 5xf32> -> !tensoraccess.access<?x? | 2x5xf32>
  %3 = tensoraccess.compute dot_prod %2 : !tensoraccess.access<?x? | 2x5xf32> -> !tensoraccess.access<?x? | f32>
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %4 : tensor<?x?xf32>
}

func.func @softmax(%x: tensor<3x5xf32>) -> tensor<?x?xf32> {
  %cast = tensor.cast %x : tensor<3x5xf32> to tensor<?x?xf32>
  %0 = tensoraccess.access %cast at 1 : tensor<?x?xf32> -> !tensoraccess.access<? | ?xf32>
  %1 = tensoraccess.compute softmax %0 : !tensoraccess.access<? | ?xf32> -> !tensoraccess.access<? | ?xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<? | ?xf32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @mean(%x: tensor<3x1x5xf32>) -> tensor<?x?xf32> {
  %cast = tensor.cast %x : tensor<3x1x5xf32> to tensor<?x?x?xf32>
  %0 = tensoraccess.access %cast at 2 : tensor<?x?x?xf32> -> !tensoraccess.access<?x? | ?xf32>
  %1 = tensoraccess.compute reduce_mean %0 : !tensoraccess.access<?x? | ?xf32> -> !tensoraccess.access<?x? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}
