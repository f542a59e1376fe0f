// RUN: tensoraccess-opt %s --tensoraccess-sink-moves | FileCheck %s

// Each weight is packed before its use, with what it is packed into.
// CHECK-LABEL: @weights
// CHECK-NEXT: %[[F:.*]] = tensor.empty() : tensor<3x6x1xf32>
// CHECK-NEXT: %[[V:.*]] = linalg.pack %arg1
// CHECK-NEXT: %[[X:.*]] = linalg.map { arith.addf } ins(%arg2, %[[V]]
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<3x3x2xf32>
// CHECK-NEXT: %[[W:.*]] = linalg.pack %arg0
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[W]]
// CHECK-NEXT: tensor.expand_shape
// CHECK-NEXT: linalg.map { arith.mulf }
func.func @weights(%w: tensor<3x6xf32>, %v: tensor<3x6xf32>,
                   %x: tensor<3x6x1xf32>, %o: tensor<3x6x1xf32>)
    -> tensor<3x6x1xf32> {
  %e = tensor.empty() : tensor<3x3x2xf32>
  %p = linalg.pack %w inner_dims_pos = [1] inner_tiles = [2] into %e
     : tensor<3x6xf32> -> tensor<3x3x2xf32>
  %c = tensor.collapse_shape %p [[0], [1, 2]]
     : tensor<3x3x2xf32> into tensor<3x6xf32>
  %f = tensor.empty() : tensor<3x6x1xf32>
  %q = linalg.pack %v inner_dims_pos = [1] inner_tiles = [1] into %f
     : tensor<3x6xf32> -> tensor<3x6x1xf32>
  %0 = linalg.map {arith.addf} ins(%x, %q : tensor<3x6x1xf32>, tensor<3x6x1xf32>)
         outs(%o : tensor<3x6x1xf32>)
  %r = tensor.expand_shape %c [[0], [1, 2]] output_shape [3, 6, 1]
     : tensor<3x6xf32> into tensor<3x6x1xf32>
  %1 = linalg.map {arith.mulf} ins(%0, %r : tensor<3x6x1xf32>, tensor<3x6x1xf32>)
         outs(%o : tensor<3x6x1xf32>)
  return %1 : tensor<3x6x1xf32>
}

// Nothing enters a loop, and what is computed stays, with all that comes of it.
// CHECK-LABEL: @stays
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0
// CHECK-NEXT: linalg.map { math.exp }
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.transpose
// CHECK: arith.constant 0 : index
// CHECK: linalg.transpose ins(%arg0
// CHECK-NEXT: scf.for
func.func @stays(%x: tensor<3x5xf32>, %e: tensor<5x3xf32>, %n: index)
    -> (tensor<3x5xf32>, tensor<5x3xf32>) {
  %f = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%f : tensor<5x3xf32>)
         permutation = [1, 0]
  %1 = linalg.map {math.exp} ins(%t : tensor<5x3xf32>)
         outs(%e : tensor<5x3xf32>)
  %g = tensor.empty() : tensor<3x5xf32>
  %u = linalg.transpose ins(%1 : tensor<5x3xf32>) outs(%g : tensor<3x5xf32>)
         permutation = [1, 0]
  %h = tensor.empty() : tensor<5x3xf32>
  %v = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%h : tensor<5x3xf32>)
         permutation = [1, 0]
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %2 = scf.for %i = %zero to %n step %one iter_args(%sum = %1)
      -> tensor<5x3xf32> {
    %3 = linalg.map {arith.addf} ins(%sum, %v : tensor<5x3xf32>, tensor<5x3xf32>)
           outs(%sum : tensor<5x3xf32>)
    scf.yield %3 : tensor<5x3xf32>
  }
  return %u, %2 : tensor<3x5xf32>, tensor<5x3xf32>
}

// What a loop carries is neither an argument of the function nor a constant.
// CHECK-LABEL: @carried
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[X]]
// CHECK-NEXT: linalg.map
func.func @carried(%x: tensor<3x5xf32>, %n: index) -> tensor<3x5xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%sum = %x)
      -> tensor<3x5xf32> {
    %s = tensor.extract_slice %sum[0, 0] [1, 5] [1, 1]
       : tensor<3x5xf32> to tensor<1x5xf32>
    %1 = linalg.map {math.exp} ins(%sum : tensor<3x5xf32>)
           outs(%sum : tensor<3x5xf32>)
    %2 = tensor.insert_slice %s into %1[1, 0] [1, 5] [1, 1]
       : tensor<1x5xf32> into tensor<3x5xf32>
    scf.yield %2 : tensor<3x5xf32>
  }
  return %0 : tensor<3x5xf32>
}
