// A collective of upstream's shard dialect, by upstream's conversion, on ranks:
// where it suffices it may be used.
// REQUIRES: openmpi, mpich
// RUN: %run-openmpi -n 2 tensoraccess-run %s --mpi --inputs=random:1 \
// RUN:   --passes="builtin.module(convert-shard-to-mpi)" | FileCheck %s
// RUN: %run-mpich -n 2 tensoraccess-run %s --mpi --inputs=random:1 \
// RUN:   --passes="builtin.module(convert-shard-to-mpi)" | FileCheck %s
// Twice what one rank has: the sum of two that have the same.
// CHECK: ranks     2,
// CHECK: result 0  f32 3x5  mean 0.0354822  checksum 2190da3df8b6ac7f
// CHECK: sent      rank 1: 0 bytes in 0 messages; reduced 60 bytes in 1 all-reduction

// A pass that there is not, and one that fails. Which ranks get to say so is a
// matter of time.
// RUN: not %run-openmpi -n 2 tensoraccess-run %s --mpi \
// RUN:   --passes="builtin.module(cut{rank={rank}})" 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: rank {{[01]}}: cannot read passes 'builtin.module(cut{rank={{[01]}}})'
// RUN: not %run-mpich -n 2 tensoraccess-run %s --mpi 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: mpi-upstream-shard.mlir:[[#]]:{{[0-9]+}}: error:

shard.grid @grid(shape = 2)
func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %sum = shard.all_reduce %x on @grid grid_axes = [0] reduction = sum
       : tensor<3x5xf32> -> tensor<3x5xf32>
  return %sum : tensor<3x5xf32>
}
