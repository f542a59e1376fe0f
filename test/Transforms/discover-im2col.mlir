// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-discover-im2col \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>%t \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t
// A second run changes nothing.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-discover-im2col \
// RUN:   -o %t.once
// RUN: tensoraccess-opt %t.once --split-input-file \
// RUN:   --tensoraccess-discover-im2col -o %t.twice
// RUN: diff %t.once %t.twice

// Overlapping windows are copied, filters of any layout are not.
// 24 windows of 45 floats are 4320 bytes; 1·9·8·5 floats are 1440.
// REMARK: [Passed] im2col {{.*}}Function=windows | CopiedBytes=4320, K=45, M=24, N=7, Remark="matmul with a copy of 3.00 times its source", SourceBytes=1440
// REMARK: [Analysis] im2col {{.*}}CopiedBytes=4320, Copies=1, Matmuls=1, Nodes={{[0-9]+}}, Remark=saturated
// CHECK-LABEL: @windows
// CHECK: %[[W:.*]] = tensoraccess.windows
// CHECK: %[[T:.*]] = tensoraccess.transpose
// CHECK: %[[FA:.*]] = tensoraccess.flatten %[[W]] : !tensoraccess.access<1x4x6x1 | 3x3x5xf32> -> !tensoraccess.access<24 | 45xf32>
// CHECK: %[[A:.*]] = tensoraccess.materialize %[[FA]]
// CHECK: %[[B:.*]] = tensoraccess.flatten %[[T]] : !tensoraccess.access<7 | 3x3x5xf32> -> !tensoraccess.access<7 | 45xf32>
// CHECK: %[[C:.*]] = tensoraccess.cart_prod %[[A]], %[[B]]
// CHECK: %[[D:.*]] = tensoraccess.compute dot_prod %[[C]] : !tensoraccess.access<24x7 | 2x45xf32> -> !tensoraccess.access<24x7 | f32>
// CHECK: tensoraccess.reshape %[[D]] : !tensoraccess.access<24x7 | f32> -> !tensoraccess.access<1x4x6x1x7 | f32>
func.func @windows(%x: tensor<1x9x8x5xf32>, %w: tensor<3x3x5x7xf32>)
    -> tensor<1x4x6x1x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<3x3x5x7xf32> -> !tensoraccess.access<3 | 3x5x7xf32>
  %3 = tensoraccess.transpose %2 perm = [3, 0, 1, 2]
     : !tensoraccess.access<3 | 3x5x7xf32>
    -> !tensoraccess.access<7 | 3x3x5xf32>
  %4 = tensoraccess.cart_prod %1, %3
     : !tensoraccess.access<1x4x6x1 | 3x3x5xf32>,
       !tensoraccess.access<7 | 3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<1x4x6x1x7 | 2x3x3x5xf32>
    -> !tensoraccess.access<1x4x6x1x7 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<1x4x6x1x7 | f32> -> tensor<1x4x6x1x7xf32>
  return %6 : tensor<1x4x6x1x7xf32>
}

// -----

// Windows of 1x1 at every place are the tensor itself: no copy.
// REMARK: [Passed] im2col {{.*}}Function=pointwise | CopiedBytes=0, K=5, M=72, N=7, Remark="matmul without a copy: the flattened views are matrices"
// CHECK-LABEL: @pointwise
// CHECK-NOT: materialize
// CHECK: tensoraccess.compute dot_prod %{{.*}} : !tensoraccess.access<72x7 | 2x5xf32>
func.func @pointwise(%x: tensor<1x9x8x5xf32>, %w: tensor<7x1x1x5xf32>)
    -> tensor<1x9x8x1x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [1, 1, 5] strides = [1, 1, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x9x8x1 | 1x1x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x1x1x5xf32> -> !tensoraccess.access<7 | 1x1x5xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<1x9x8x1 | 1x1x5xf32>,
       !tensoraccess.access<7 | 1x1x5xf32>
    -> !tensoraccess.access<1x9x8x1x7 | 2x1x1x5xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<1x9x8x1x7 | 2x1x1x5xf32>
    -> !tensoraccess.access<1x9x8x1x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<1x9x8x1x7 | f32> -> tensor<1x9x8x1x7xf32>
  return %5 : tensor<1x9x8x1x7xf32>
}

// -----

// With stride 2 the places are no longer evenly spaced as one dimension: their
// 5·4 of 9·8 elements are copied, 0.28 of the source.
// REMARK: [Passed] im2col {{.*}}Function=pointwise_strided | CopiedBytes=400, K=5, M=20, N=7, Remark="matmul with a copy of 0.28 times its source", SourceBytes=1440
// CHECK-LABEL: @pointwise_strided
// CHECK: tensoraccess.materialize
func.func @pointwise_strided(%x: tensor<1x9x8x5xf32>, %w: tensor<7x1x1x5xf32>)
    -> tensor<1x5x4x1x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<1x9x8x5xf32> -> !tensoraccess.access<1 | 9x8x5xf32>
  %1 = tensoraccess.windows %0 shape = [1, 1, 5] strides = [2, 2, 1]
     : !tensoraccess.access<1 | 9x8x5xf32>
    -> !tensoraccess.access<1x5x4x1 | 1x1x5xf32>
  %2 = tensoraccess.access %w at 1
     : tensor<7x1x1x5xf32> -> !tensoraccess.access<7 | 1x1x5xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<1x5x4x1 | 1x1x5xf32>,
       !tensoraccess.access<7 | 1x1x5xf32>
    -> !tensoraccess.access<1x5x4x1x7 | 2x1x1x5xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<1x5x4x1x7 | 2x1x1x5xf32>
    -> !tensoraccess.access<1x5x4x1x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<1x5x4x1x7 | f32> -> tensor<1x5x4x1x7xf32>
  return %5 : tensor<1x5x4x1x7xf32>
}

// -----

// A matmul is one already.
// REMARK: [Analysis] im2col {{.*}}Copies=0, Matmuls=0
// CHECK-LABEL: @matmul
// CHECK-NOT: flatten
// CHECK-NOT: materialize
func.func @matmul(%p: tensor<3x5xf32>, %q: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %q at 1
     : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<7 | 5xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
    -> !tensoraccess.access<3x7 | 2x5xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<3x7 | 2x5xf32> -> !tensoraccess.access<3x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %5 : tensor<3x7xf32>
}

// -----

// REMARK: [Missed] im2col {{.*}}Function=dynamic | Reason="its shape is dynamic"
// CHECK-LABEL: @dynamic
// CHECK-NOT: flatten
func.func @dynamic(%p: tensor<?x3x5xf32>, %q: tensor<7x3x5xf32>)
    -> tensor<?x7xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<?x3x5xf32> -> !tensoraccess.access<? | 3x5xf32>
  %1 = tensoraccess.access %q at 1
     : tensor<7x3x5xf32> -> !tensoraccess.access<7 | 3x5xf32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<? | 3x5xf32>, !tensoraccess.access<7 | 3x5xf32>
    -> !tensoraccess.access<?x7 | 2x3x5xf32>
  %3 = tensoraccess.compute dot_prod %2
     : !tensoraccess.access<?x7 | 2x3x5xf32> -> !tensoraccess.access<?x7 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<?x7 | f32> -> tensor<?x7xf32>
  return %4 : tensor<?x7xf32>
}

// -----

// A padded image, dilated windows: the padding is written by the
// copy, not before it. 20 windows of 18 floats are 1440 bytes, of 5·4·2 floats
// in 160.
// REMARK: [Passed] im2col {{.*}}Function=padded_dilated | CopiedBytes=1440, K=18, M=20, N=7, Remark="matmul with a copy of 9.00 times its source", SourceBytes=160
// CHECK-LABEL: @padded_dilated
// CHECK: %[[W:.*]] = tensoraccess.windows
// CHECK: %[[FA:.*]] = tensoraccess.flatten %[[W]]
// CHECK: %[[A:.*]] = tensoraccess.materialize %[[FA]] : !tensoraccess.access<20 | 18xf32>
// CHECK: %[[B:.*]] = tensoraccess.flatten
// CHECK-NOT: materialize
// CHECK: tensoraccess.cart_prod %[[A]], %[[B]]
func.func @padded_dilated(%x: tensor<5x4x2xf32>, %w: tensor<7x3x3x2xf32>)
    -> tensor<5x4x1x7xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<5x4x2xf32> -> !tensoraccess.access<| 5x4x2xf32>
  %1 = tensoraccess.pad %0 low = [2, 2, 0] high = [2, 2, 0] value = 0.0 : f32
     : !tensoraccess.access<| 5x4x2xf32> -> !tensoraccess.access<| 9x8x2xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 2] strides = [1, 1, 1]
       dilations = [2, 2, 1]
     : !tensoraccess.access<| 9x8x2xf32>
    -> !tensoraccess.access<5x4x1 | 3x3x2xf32>
  %3 = tensoraccess.access %w at 1
     : tensor<7x3x3x2xf32> -> !tensoraccess.access<7 | 3x3x2xf32>
  %4 = tensoraccess.cart_prod %2, %3
     : !tensoraccess.access<5x4x1 | 3x3x2xf32>,
       !tensoraccess.access<7 | 3x3x2xf32>
    -> !tensoraccess.access<5x4x1x7 | 2x3x3x2xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<5x4x1x7 | 2x3x3x2xf32>
    -> !tensoraccess.access<5x4x1x7 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<5x4x1x7 | f32> -> tensor<5x4x1x7xf32>
  return %6 : tensor<5x4x1x7xf32>
}

// -----

// Groups are slices: 1x1 windows of channels 3 and 4 of 5 are every fifth pair
// of floats, and group 1's filters lie side by side.
// REMARK: [Passed] im2col {{.*}}Function=group | CopiedBytes=0, K=2, M=72, N=3
// CHECK-LABEL: @group
// CHECK-NOT: materialize
// CHECK: tensoraccess.compute dot_prod %{{.*}} : !tensoraccess.access<72x3 | 2x2xf32>
func.func @group(%x: tensor<9x8x5xf32>, %w: tensor<6x1x1x2xf32>)
    -> tensor<9x8x1x3xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<9x8x5xf32> -> !tensoraccess.access<| 9x8x5xf32>
  %1 = tensoraccess.slice %0 offsets = [0, 0, 3] sizes = [9, 8, 2]
     : !tensoraccess.access<| 9x8x5xf32> -> !tensoraccess.access<| 9x8x2xf32>
  %2 = tensoraccess.windows %1 shape = [1, 1, 2] strides = [1, 1, 1]
     : !tensoraccess.access<| 9x8x2xf32>
    -> !tensoraccess.access<9x8x1 | 1x1x2xf32>
  %3 = tensoraccess.access %w at 1
     : tensor<6x1x1x2xf32> -> !tensoraccess.access<6 | 1x1x2xf32>
  %4 = tensoraccess.slice %3 offsets = [3, 0, 0, 0] sizes = [3, 1, 1, 2]
     : !tensoraccess.access<6 | 1x1x2xf32>
    -> !tensoraccess.access<3 | 1x1x2xf32>
  %5 = tensoraccess.cart_prod %2, %4
     : !tensoraccess.access<9x8x1 | 1x1x2xf32>,
       !tensoraccess.access<3 | 1x1x2xf32>
    -> !tensoraccess.access<9x8x1x3 | 2x1x1x2xf32>
  %6 = tensoraccess.compute dot_prod %5
     : !tensoraccess.access<9x8x1x3 | 2x1x1x2xf32>
    -> !tensoraccess.access<9x8x1x3 | f32>
  %7 = tensoraccess.to_tensor %6
     : !tensoraccess.access<9x8x1x3 | f32> -> tensor<9x8x1x3xf32>
  return %7 : tensor<9x8x1x3xf32>
}

// -----

// A batch of dot products is not a product of matrices: it stays.
// REMARK: [Analysis] im2col {{.*}}Copies=0, Matmuls=0
// CHECK-LABEL: @pair
// CHECK-NOT: flatten
func.func @pair(%p: tensor<3x5x7xf32>, %q: tensor<3x5x7xf32>)
    -> tensor<3xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<3x5x7xf32> -> !tensoraccess.access<3 | 5x7xf32>
  %1 = tensoraccess.access %q at 1
     : tensor<3x5x7xf32> -> !tensoraccess.access<3 | 5x7xf32>
  %2 = tensoraccess.pair %0, %1
     : !tensoraccess.access<3 | 5x7xf32>, !tensoraccess.access<3 | 5x7xf32>
    -> !tensoraccess.access<3 | 2x5x7xf32>
  %3 = tensoraccess.compute dot_prod %2
     : !tensoraccess.access<3 | 2x5x7xf32> -> !tensoraccess.access<3 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %4 : tensor<3xf32>
}

// -----

// A padded matrix is flat, and no matrix in memory.
// REMARK: [Passed] im2col {{.*}}Function=padded_matrix | CopiedBytes=96, K=6, M=4, N=7, Remark="matmul with a copy of 1.60 times its source", SourceBytes=60
// CHECK-LABEL: @padded_matrix
// CHECK: tensoraccess.materialize %{{.*}} : !tensoraccess.access<4 | 6xf32>
func.func @padded_matrix(%p: tensor<3x5xf32>, %q: tensor<7x6xf32>)
    -> tensor<4x7xf32> {
  %0 = tensoraccess.access %p at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.pad %0 low = [0, 0] high = [1, 1] value = 0.0 : f32
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<4 | 6xf32>
  %2 = tensoraccess.access %q at 1
     : tensor<7x6xf32> -> !tensoraccess.access<7 | 6xf32>
  %3 = tensoraccess.cart_prod %1, %2
     : !tensoraccess.access<4 | 6xf32>, !tensoraccess.access<7 | 6xf32>
    -> !tensoraccess.access<4x7 | 2x6xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<4x7 | 2x6xf32> -> !tensoraccess.access<4x7 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<4x7 | f32> -> tensor<4x7xf32>
  return %5 : tensor<4x7xf32>
}

// -----

// A sum of nothing costs nothing: it stays.
// REMARK: [Analysis] im2col {{.*}}Copies=0, Matmuls=0
// CHECK-LABEL: @empty
// CHECK-NOT: flatten
// CHECK-NOT: materialize
func.func @empty(%p: tensor<2x3x0x5xf32>, %q: tensor<7x0x5xf32>)
    -> tensor<2x3x7xf32> {
  %0 = tensoraccess.access %p at 2
     : tensor<2x3x0x5xf32> -> !tensoraccess.access<2x3 | 0x5xf32>
  %1 = tensoraccess.access %q at 1
     : tensor<7x0x5xf32> -> !tensoraccess.access<7 | 0x5xf32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<2x3 | 0x5xf32>, !tensoraccess.access<7 | 0x5xf32>
    -> !tensoraccess.access<2x3x7 | 2x0x5xf32>
  %3 = tensoraccess.compute dot_prod %2
     : !tensoraccess.access<2x3x7 | 2x0x5xf32>
    -> !tensoraccess.access<2x3x7 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<2x3x7 | f32> -> tensor<2x3x7xf32>
  return %4 : tensor<2x3x7xf32>
}
