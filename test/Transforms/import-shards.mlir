// Upstream's annotations become a grid, distributions and cuts.
// RUN: tensoraccess-opt %s --tensoraccess-import-shards --split-input-file --verify-diagnostics | FileCheck %s

// Both axes; what an op makes, also through a loop order of its own; what is
// returned.
// CHECK-NOT: shard.
// CHECK-LABEL: func.func @both
// CHECK-SAME: %{{.*}}: tensor<6x8xf32> {tensoraccess.distribution = "{d0: g0, d1: g1}"}
// CHECK-SAME: -> (tensor<8x6xf32> {tensoraccess.distribution = "{d0: g1, d1: g0}"})
// CHECK-SAME: tensoraccess.grid = "g0=2,g1=3"
// CHECK: linalg.exp {tensoraccess.cut = "{d0: g0*g1}"}
// CHECK: linalg.transpose ins({{.*}}) permutation = [1, 0]  {tensoraccess.cut = "{d0: g1, d1: g0}"}
// CHECK-NOT: shard.
shard.grid @grid(shape = 2x3)
func.func @both(%x: tensor<6x8xf32>) -> tensor<8x6xf32> {
  %s = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[0, 1]] : !shard.sharding
  %u = shard.sharding @grid split_axes = [[1], [0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  %1 = shard.shard %0 to %s annotate_for_users : tensor<6x8xf32>
  %f = tensor.empty() : tensor<6x8xf32>
  %2 = linalg.exp ins(%1 : tensor<6x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %3 = shard.shard %2 to %t : tensor<6x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %4 = linalg.transpose ins(%3 : tensor<6x8xf32>) outs(%e : tensor<8x6xf32>) permutation = [1, 0]
  %5 = shard.shard %4 to %u : tensor<8x6xf32>
  return %5 : tensor<8x6xf32>
}

// -----

// Two shardings of a value: the first counts.
shard.grid @grid(shape = 2)
// CHECK-LABEL: func.func @again
// CHECK-SAME: tensoraccess.distribution = "{d0: g0}"
func.func @again(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  // expected-warning @+1 {{the sharding "{d1: g0}" of this value is left out: it has another one already}}
  %1 = shard.shard %0 to %t annotate_for_users : tensor<6x8xf32>
  %f = tensor.empty() : tensor<6x8xf32>
  // CHECK: linalg.exp {tensoraccess.cut = "{d0: g0}"}
  %2 = linalg.exp ins(%1 : tensor<6x8xf32>) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %3 = shard.shard %2 to %s : tensor<6x8xf32>
  // expected-warning @+1 {{the sharding "{d1: g0}" of this value is left out: the op that makes it is cut in another way, or cannot be}}
  %4 = shard.shard %3 to %t annotate_for_users : tensor<6x8xf32>
  return %4 : tensor<6x8xf32>
}

// -----

// Functions without annotations stay as they are.
// CHECK-LABEL: func.func @none
// CHECK-NOT: tensoraccess
func.func @none(%x: tensor<6xf32>) -> tensor<6xf32> {
  return %x : tensor<6xf32>
}

// -----

// Unknown sizes.
// expected-error @+1 {{a grid must have known sizes, axis 1 has none}}
shard.grid @grid(shape = 2x?)
func.func @unknown(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

// Two grids.
shard.grid @grid(shape = 2)
shard.grid @other(shape = 3)
func.func @grids(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %t = shard.sharding @other split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  // expected-error @+1 {{a function is cut over one grid, got @grid and @other}}
  %1 = shard.shard %0 to %t annotate_for_users : tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

// -----

// Halos and offsets of a sharding's own.
shard.grid @grid(shape = 2)
func.func @halo(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  // expected-error @+1 {{a sharding must have no halo: halos follow from what ops read}}
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @offsets(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %s = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, 2, 6] : !shard.sharding
  // expected-error @+1 {{a sharding must have no offsets: dimensions are cut evenly, but for one}}
  %0 = shard.shard %x to %s : tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
