// What becomes no product of matrices, and why.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-discover-im2col \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="[Passed] im2col"
// RUN: tensoraccess-opt %s --split-input-file --remarks-filter="tensoraccess.*" \
// RUN:   --tensoraccess-discover-im2col=copied-byte=10 --remark-policy=all \
// RUN:   -o %t 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: tensoraccess-opt %s --split-input-file --remarks-filter="tensoraccess.*" \
// RUN:   --tensoraccess-discover-im2col=max-nodes=1 --remark-policy=all \
// RUN:   -o %t 2>&1 | FileCheck %s --check-prefix=LIMIT

// CHECK: [Missed] im2col {{.*}}Function=singles | Reason="it is a batch of 3 single dot products"
func.func @singles(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %y at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.pair %0, %1
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>
    -> !tensoraccess.access<3 | 2x5xf32>
  %3 = tensoraccess.compute dot_prod %2
     : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %4 : tensor<3xf32>
}

// -----

// CHECK: [Missed] im2col {{.*}}Function=three | Reason="its tuple has 3 factors"
func.func @three(%x: tensor<4x3x5xf32>) -> tensor<4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<4x3x5xf32> -> !tensoraccess.access<4 | 3x5xf32>
  %1 = tensoraccess.compute dot_prod %0
     : !tensoraccess.access<4 | 3x5xf32> -> !tensoraccess.access<4 | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<4 | f32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK: [Missed] im2col {{.*}}Function=nothing | Reason="it has no elements"
func.func @nothing(%x: tensor<4x2x0xf32>) -> tensor<4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<4x2x0xf32> -> !tensoraccess.access<4 | 2x0xf32>
  %1 = tensoraccess.compute dot_prod %0
     : !tensoraccess.access<4 | 2x0xf32> -> !tensoraccess.access<4 | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<4 | f32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK: [Missed] im2col {{.*}}Function=foreign | Reason="linalg.matmul is not an access pattern: it was not raised"
// CHECK: [Missed] im2col {{.*}}Function=foreign | Reason="stablehlo.dot is not an access pattern: it was not raised"
func.func @foreign(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>, %z: tensor<3x7xf32>) -> (tensor<3x7xf32>, tensor<3x7xf32>) {
  %0 = linalg.matmul ins(%x, %y : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%z : tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = "stablehlo.dot"(%x, %y) : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
  return %0, %1 : tensor<3x7xf32>, tensor<3x7xf32>
}

// -----

// COSTS: [Missed] im2col {{.*}}Function=windows | Reason="a copy of its sides costs more than it saves"
// LIMIT: [Missed] im2col {{.*}}Function=windows | Reason="the limit of nodes is reached"
// CHECK: [Passed] im2col {{.*}}Function=windows
func.func @windows(%x: tensor<6x8xf32>, %w: tensor<7x3x3xf32>)
    -> tensor<4x6x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<6x8xf32> -> !tensoraccess.access<| 6x8xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3] strides = [1, 1]
     : !tensoraccess.access<| 6x8xf32> -> !tensoraccess.access<4x6 | 3x3xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x3x3xf32> -> !tensoraccess.access<7 | 3x3xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<4x6 | 3x3xf32>, !tensoraccess.access<7 | 3x3xf32>
    -> !tensoraccess.access<4x6x7 | 2x3x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<4x6x7 | 2x3x3xf32> -> !tensoraccess.access<4x6x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<4x6x7 | f32> -> tensor<4x6x7xf32>
  return %5 : tensor<4x6x7xf32>
}

// -----

// Windows of a row that are one step apart are a matrix as they lie in memory,
// whose rows overlap: nothing to be done, and nothing to be said.
// CHECK-NOT: Function=row
func.func @row(%x: tensor<9xf32>, %w: tensor<7x3xf32>) -> tensor<7x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<9xf32> -> !tensoraccess.access<| 9xf32>
  %1 = tensoraccess.windows %0 shape = [3] strides = [1]
     : !tensoraccess.access<| 9xf32> -> !tensoraccess.access<7 | 3xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x3xf32> -> !tensoraccess.access<7 | 3xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<7 | 3xf32>, !tensoraccess.access<7 | 3xf32>
    -> !tensoraccess.access<7x7 | 2x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<7x7 | 2x3xf32> -> !tensoraccess.access<7x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<7x7 | f32> -> tensor<7x7xf32>
  return %5 : tensor<7x7xf32>
}
