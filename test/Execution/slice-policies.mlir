// Slices that leave their operand, compiled and interpreted: the same bits.
// RUN: tensoraccess-run %s --entry=halo --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=HALO
// RUN: tensoraccess-run %s --entry=edges --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=EDGES
// RUN: tensoraccess-run %s --entry=rounds --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=ROUNDS

// More times round than slices would be made for: each index is computed.
// ROUNDS: compare 0  equal, bit for bit
func.func @rounds(%x: tensor<2x3xf32>) -> tensor<99x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %1 = tensoraccess.slice %0 offsets = [-5, -1] sizes = [99, 5] strides = [1, 1]
       oob = [wrap, pad(2.5)]
     : !tensoraccess.access<2 | 3xf32> -> !tensoraccess.access<99 | 5xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<99 | 5xf32> -> tensor<99x5xf32>
  return %2 : tensor<99x5xf32>
}

// Rows go round, columns end in ones.
// HALO: compare 0  equal, bit for bit
func.func @halo(%x: tensor<3x5xf32>) -> tensor<5x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.slice %0 offsets = [-1, -1] sizes = [5, 7]
       oob = [wrap, pad(1.0)]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<5 | 7xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<5 | 7xf32> -> tensor<5x7xf32>
  return %2 : tensor<5x7xf32>
}

// A blur whose windows hang over both edges, read backwards from the end.
// EDGES: compare 0  equal, bit for bit
func.func @edges(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.slice %0 offsets = [-1, 6] sizes = [3, 7] strides = [1, -1]
       oob = [negative, clamp]
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 7xf32>
  %2 = tensoraccess.windows %1 shape = [3] strides = [1]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3x5 | 3xf32>
  %3 = tensoraccess.compute reduce_sum %2
     : !tensoraccess.access<3x5 | 3xf32> -> !tensoraccess.access<3x5 | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<3x5 | f32> -> tensor<3x5xf32>
  return %4 : tensor<3x5xf32>
}
