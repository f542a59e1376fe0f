// Several unknown sizes side by side, which share one loop: compiled and
// interpreted.
// RUN: tensoraccess-run %s --entry=max_of_one --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=max_of_three --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=max_of_three --inputs=random:1 --dynamic-sizes=0,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=sum_of_one --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=softmax --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s --check-prefix=CLOSE
// RUN: tensoraccess-run %s --entry=matmul --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=mean --inputs=random:1 --dynamic-sizes=2,3,4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=twice --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=reshapes --engine=jit --inputs=random:1 --dynamic-sizes=2,3,5 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=of_slice --engine=jit --inputs=random:1 --dynamic-sizes=4,6,5 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=max_of_halves --engine=jit --inputs=random:1 --dynamic-sizes=2,3 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit
// CLOSE: compare 0  equal

func.func @max_of_one(%x: tensor<?x?x1xf32>) -> tensor<?x?xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x1xf32> -> !tensoraccess.access<?x? | 1xf32>
  %1 = tensoraccess.compute reduce_max %0
     : !tensoraccess.access<?x? | 1xf32> -> !tensoraccess.access<?x? | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @max_of_three(%x: tensor<?x?x3xf32>) -> tensor<?x?xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x3xf32> -> !tensoraccess.access<?x? | 3xf32>
  %1 = tensoraccess.compute reduce_max %0
     : !tensoraccess.access<?x? | 3xf32> -> !tensoraccess.access<?x? | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @sum_of_one(%x: tensor<?x?x1xf32>) -> tensor<?x?xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x1xf32> -> !tensoraccess.access<?x? | 1xf32>
  %1 = tensoraccess.compute reduce_sum %0
     : !tensoraccess.access<?x? | 1xf32> -> !tensoraccess.access<?x? | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

func.func @softmax(%x: tensor<?x?x3xf32>) -> tensor<?x?x3xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x3xf32> -> !tensoraccess.access<?x? | 3xf32>
  %1 = tensoraccess.compute softmax %0
     : !tensoraccess.access<?x? | 3xf32> -> !tensoraccess.access<?x? | 3xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<?x? | 3xf32> -> tensor<?x?x3xf32>
  return %2 : tensor<?x?x3xf32>
}

func.func @matmul(%x: tensor<?x?x3xf32>, %y: tensor<3x5xf32>)
    -> tensor<?x?x5xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x3xf32> -> !tensoraccess.access<?x? | 3xf32>
  %1 = tensoraccess.access %y at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 3xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<?x? | 3xf32>, !tensoraccess.access<5 | 3xf32>
       -> !tensoraccess.access<?x?x5 | 2x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<?x?x5 | 2x3xf32>
       -> !tensoraccess.access<?x?x5 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<?x?x5 | f32> -> tensor<?x?x5xf32>
  return %5 : tensor<?x?x5xf32>
}

func.func @mean(%x: tensor<?x?x?x2xf32>) -> tensor<?x?xf32> {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?x?x2xf32> -> !tensoraccess.access<?x? | ?x2xf32>
  %1 = tensoraccess.compute reduce_mean %0
     : !tensoraccess.access<?x? | ?x2xf32> -> !tensoraccess.access<?x? | f32>
  %2 = tensoraccess.reshape %1
     : !tensoraccess.access<?x? | f32> -> !tensoraccess.access<?x? | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// A reduction beside foreign ops on the same unknown sizes.
func.func @twice(%x: tensor<?x?x4xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c0 : tensor<?x?x4xf64>
  %n = tensor.dim %x, %c1 : tensor<?x?x4xf64>
  %n2 = arith.muli %n, %c2 : index
  %0 = tensor.empty(%m, %n2) : tensor<?x?x4xf64>
  %1 = tensor.insert_slice %x into %0[0, 0, 0] [%m, %n, 4] [1, 1, 1]
     : tensor<?x?x4xf64> into tensor<?x?x4xf64>
  %2 = tensor.insert_slice %x into %1[0, %n, 0] [%m, %n, 4] [1, 1, 1]
     : tensor<?x?x4xf64> into tensor<?x?x4xf64>
  %3 = tensoraccess.access %2 at 2
     : tensor<?x?x4xf64> -> !tensoraccess.access<?x? | 4xf64>
  %4 = tensoraccess.compute reduce_sum %3
     : !tensoraccess.access<?x? | 4xf64> -> !tensoraccess.access<?x? | f64>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<?x? | f64> -> tensor<?x?xf64>
  return %5 : tensor<?x?xf64>
}

// Programs without access patterns.
func.func @reshapes(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %c = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %0 = tensor.collapse_shape %x [[0, 1, 2]]
     : tensor<?x?x?xf32> into tensor<?xf32>
  %1 = math.absf %0 : tensor<?xf32>
  %2 = tensor.expand_shape %1 [[0, 1, 2]] output_shape [%c, %a, %b]
     : tensor<?xf32> into tensor<?x?x?xf32>
  %3 = tensor.empty(%a, %b, %c) : tensor<?x?x?xf32>
  %4 = linalg.transpose ins(%2 : tensor<?x?x?xf32>)
         outs(%3 : tensor<?x?x?xf32>) permutation = [1, 2, 0]
  return %4 : tensor<?x?x?xf32>
}

func.func @of_slice(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %b = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %half = arith.divui %b, %c2 : index
  %0 = tensor.extract_slice %x[0, 0, 1] [%a, %b, 1] [1, 1, 1]
     : tensor<?x?x?xf32> to tensor<?x?xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%a, %half, %c2]
     : tensor<?x?xf32> into tensor<?x?x?xf32>
  %2 = math.absf %1 : tensor<?x?x?xf32>
  return %2 : tensor<?x?x?xf32>
}

// The known dimension is cut between two unknown ones: they lie on either side of
// one base dimension, so that no single number says where one is.
func.func @max_of_halves(%x: tensor<?x4x?xf32>) -> tensor<?x2xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x4x?xf32> -> !tensoraccess.access<? | 4x?xf32>
  %1 = tensoraccess.reshape %0
     : !tensoraccess.access<? | 4x?xf32> -> !tensoraccess.access<? | 2x2x?xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<? | 2x2x?xf32> -> tensor<?x2x2x?xf32>
  %3 = tensoraccess.access %2 at 2
     : tensor<?x2x2x?xf32> -> !tensoraccess.access<?x2 | 2x?xf32>
  %4 = tensoraccess.compute reduce_max %3
     : !tensoraccess.access<?x2 | 2x?xf32> -> !tensoraccess.access<?x2 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<?x2 | f32> -> tensor<?x2xf32>
  return %5 : tensor<?x2xf32>
}
