// Projections compiled and interpreted: the same bits. The interpreter resolves
// each place by itself.
// RUN: tensoraccess-run %s --entry=policies --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=coupled --inputs=random:2 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=mixed --inputs=random:3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=fixed --inputs=random:4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=empty --inputs=random:5 --compare=interpret | FileCheck %s --check-prefix=EMPTY
// RUN: tensoraccess-run %s --entry=rounds --inputs=random:6 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=sparse --inputs=random:7 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=batch --inputs=random:8 --dynamic-sizes=3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=stencil --inputs=random:9 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit
// EMPTY: compare 0  equal

// All policies but the default, in one region.
func.func @policies(%x: tensor<3x5x4x6xf32>) -> tensor<3x2x5x3x4x3x2xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<3x5x4x6xf32> -> !tensoraccess.access<| 3x5x4x6xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<
           [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 2, 0]] + [-2, -1, -2, -3],
           shape = [3, 4, 3, 2], oob = [wrap, negative, clamp, pad(1.5)]>
      over [3, 2, 5]
     : !tensoraccess.access<| 3x5x4x6xf32> -> !tensoraccess.access<3x2x5 | 3x4x3x2xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<3x2x5 | 3x4x3x2xf32> -> tensor<3x2x5x3x4x3x2xf32>
  return %2 : tensor<3x2x5x3x4x3x2xf32>
}

// Diagonals, over the edges and round.
func.func @coupled(%x: tensor<5x7xf32>) -> tensor<6x5xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<5x7xf32> -> !tensoraccess.access<| 5x7xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 1], [1, -1]] + [-2, 1], anchor = [0, -1],
           shape = [2, 3], oob = [wrap, pad(2.0)]>
      over [-1, 2] to [5, 7]
     : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<6x5 | 2x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<6x5 | 2x3xf32> -> !tensoraccess.access<6x5 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<6x5 | f32> -> tensor<6x5xf32>
  return %3 : tensor<6x5xf32>
}

// Rows backwards, two columns of opposite signs in one row, all inside.
func.func @mixed(%x: tensor<9x8xf32>) -> tensor<3x4x2x2xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<9x8xf32> -> !tensoraccess.access<| 9x8xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[2, -1], [-3, 0]] + [3, 6], shape = [2, 2]>
      over [3, 4]
     : !tensoraccess.access<| 9x8xf32> -> !tensoraccess.access<3x4 | 2x2xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<3x4 | 2x2xf32> -> tensor<3x4x2x2xf32>
  return %2 : tensor<3x4x2x2xf32>
}

// A fixed view, one axis of which nothing depends on.
func.func @fixed(%x: tensor<5x7xf32>) -> tensor<3x2xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<5x7xf32> -> !tensoraccess.access<| 5x7xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[0, 0], [0, 0]] + [-1, 3], shape = [7, 4],
           oob = [clamp, forbid]>
      over [3, 2]
     : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x2 | 7x4xf32>
  %2 = tensoraccess.compute reduce_max %1
     : !tensoraccess.access<3x2 | 7x4xf32> -> !tensoraccess.access<3x2 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x2 | f32> -> tensor<3x2xf32>
  return %3 : tensor<3x2xf32>
}

// A block without points.
func.func @empty(%x: tensor<5xf32>) -> tensor<0x9x2xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<5xf32> -> !tensoraccess.access<| 5xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[9223372036854775807, 3]] + [100], shape = [2], oob = [wrap]>
      over [4, 0] to [4, 9]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<0x9 | 2xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<0x9 | 2xf32> -> tensor<0x9x2xf32>
  return %2 : tensor<0x9x2xf32>
}

// More times round than slices would be made for: each index is computed.
func.func @rounds(%x: tensor<2x3xf32>) -> tensor<40xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<2x3xf32> -> !tensoraccess.access<| 2x3xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[-3], [2]] + [5, -31], shape = [2, 3], oob = [wrap, clamp]>
      over [40]
     : !tensoraccess.access<| 2x3xf32> -> !tensoraccess.access<40 | 2x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<40 | 2x3xf32> -> !tensoraccess.access<40 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<40 | f32> -> tensor<40xf32>
  return %3 : tensor<40xf32>
}

// Steps so long that the hull is a thousand times what is read.
func.func @sparse(%x: tensor<7x7xf32>) -> tensor<6x2x2xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<7x7xf32> -> !tensoraccess.access<| 7x7xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1001], [-999]] + [-3, 5], shape = [2, 2], oob = [wrap, pad(-1.0)]>
      over [6]
     : !tensoraccess.access<| 7x7xf32> -> !tensoraccess.access<6 | 2x2xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<6 | 2x2xf32> -> tensor<6x2x2xf32>
  return %2 : tensor<6x2x2xf32>
}

// Any number of images.
func.func @batch(%x: tensor<?x5x7xf32>) -> tensor<?x5x4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x5x7xf32> -> !tensoraccess.access<? | 5x7xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 2]] + [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]>
      over [5, 4]
     : !tensoraccess.access<? | 5x7xf32> -> !tensoraccess.access<?x5x4 | 3x3xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<?x5x4 | 3x3xf32> -> !tensoraccess.access<?x5x4 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<?x5x4 | f32> -> tensor<?x5x4xf32>
  return %3 : tensor<?x5x4xf32>
}

// A stencil on a torus.
func.func @stencil(%x: tensor<33x47xf32>) -> tensor<33x47xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<33x47xf32> -> !tensoraccess.access<| 33x47xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, 0], anchor = [-1, -1],
           shape = [3, 3], oob = [wrap, wrap]>
      over [33, 47]
     : !tensoraccess.access<| 33x47xf32> -> !tensoraccess.access<33x47 | 3x3xf32>
  %2 = tensoraccess.compute reduce_mean %1
     : !tensoraccess.access<33x47 | 3x3xf32> -> !tensoraccess.access<33x47 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<33x47 | f32> -> tensor<33x47xf32>
  return %3 : tensor<33x47xf32>
}
