// Chains of views become projections and the reverse; what is neither stays,
// with the reason.
// RUN: tensoraccess-opt %s --tensoraccess-form-projections | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-form-projections -o /dev/null --remarks-filter=tensoraccess 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: tensoraccess-opt %s --tensoraccess-form-projections=items-as-axes | FileCheck %s --check-prefix=AXES
// RUN: tensoraccess-opt %s --tensoraccess-form-projections --tensoraccess-expand-projections | FileCheck %s --check-prefix=CHAIN
// RUN: tensoraccess-opt %s --tensoraccess-expand-projections -o /dev/null --remarks-filter=tensoraccess 2>&1 | FileCheck %s --check-prefix=DIAGONAL

// CHECK-LABEL: @windows
// CHECK-NEXT: tensoraccess.access %arg0 at 0
// CHECK-NEXT: tensoraccess.project %{{.*}} by #tensoraccess.projection<{{\[\[}}2]] + [-1], shape = [3], oob = [wrap]> over [3]
// CHECK-NEXT: tensoraccess.compute
// CHAIN-LABEL: @windows
// CHAIN: tensoraccess.slice %{{.*}} offsets = [-1] sizes = [7] oob = [wrap]
// CHAIN-NEXT: tensoraccess.windows %{{.*}} shape = [3] strides = [2]
// CHAIN-NEXT: tensoraccess.compute
func.func @windows(%x: tensor<5xf32>) -> !tensoraccess.access<3 | f32> {
  %0 = tensoraccess.access %x at 0 : tensor<5xf32> -> !tensoraccess.access<| 5xf32>
  %1 = tensoraccess.slice %0 offsets = [-1] sizes = [7] oob = [wrap]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 7xf32>
  %2 = tensoraccess.windows %1 shape = [3] strides = [2]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<3 | 3xf32>
  %3 = tensoraccess.compute reduce_sum %2
     : !tensoraccess.access<3 | 3xf32> -> !tensoraccess.access<3 | f32>
  return %3 : !tensoraccess.access<3 | f32>
}

// A batch, channels, both sides padded: ones come back by a reshape.
// CHECK-LABEL: @padded
// CHECK: tensoraccess.project %{{.*}} by #tensoraccess.projection<{{\[\[}}1, 0], [0, 1], [0, 0]] + [0, -1, 0], shape = [1, 3, 4], oob = [forbid, pad(0.0), forbid]> over [2, 5]
// CHECK-NEXT: tensoraccess.reshape
func.func @padded(%x: tensor<2x5x4xf32>) -> !tensoraccess.access<2x5 | 3x4xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<2x5x4xf32> -> !tensoraccess.access<2 | 5x4xf32>
  %1 = tensoraccess.pad %0 low = [0, 1, 0] high = [0, 1, 0] value = 0.0 : f32
     : !tensoraccess.access<2 | 5x4xf32> -> !tensoraccess.access<2 | 7x4xf32>
  %2 = tensoraccess.windows %1 shape = [3, 4] strides = [1, 1]
     : !tensoraccess.access<2 | 7x4xf32> -> !tensoraccess.access<2x5x1 | 3x4xf32>
  %3 = tensoraccess.squeeze %2 axis 2
     : !tensoraccess.access<2x5x1 | 3x4xf32> -> !tensoraccess.access<2x5 | 3x4xf32>
  return %3 : !tensoraccess.access<2x5 | 3x4xf32>
}

// Backwards, transposed, repeated.
// CHECK-LABEL: @turned
// CHECK: tensoraccess.project %{{.*}} by #tensoraccess.projection<{{\[\[}}0, -1, 0], [1, 0, 0]] + [2, 0], shape = [1, 1]> over [5, 3, 4]
// CHAIN-LABEL: @turned
// CHAIN: tensoraccess.windows
// CHAIN: tensoraccess.slice %{{.*}} offsets = [2, 0, 0, 0] sizes = [3, 5, 1, 1] strides = [-1, 1, 1, 1]
// CHAIN: tensoraccess.insert_axis
// CHAIN: tensoraccess.broadcast
// CHAIN: tensoraccess.transpose
func.func @turned(%x: tensor<3x5xf32>) -> !tensoraccess.access<5x3x4 | f32> {
  %0 = tensoraccess.access %x at 2 : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  %1 = tensoraccess.slice %0 offsets = [2, 0] sizes = [3, 5] strides = [-1, 1]
     : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<3x5 | f32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<5x3 | f32>
  %3 = tensoraccess.insert_axis %2 axis 2
     : !tensoraccess.access<5x3 | f32> -> !tensoraccess.access<5x3x1 | f32>
  %4 = tensoraccess.broadcast %3
     : !tensoraccess.access<5x3x1 | f32> -> !tensoraccess.access<5x3x4 | f32>
  return %4 : !tensoraccess.access<5x3x4 | f32>
}

// A window with gaps is not a region; its taps are an axis.
// STAYS: [[@LINE+8]]:{{.*}}dimension 0 of the item moves dimension 0 by 2: a region has no gaps and runs forwards
// CHECK-LABEL: @dilated
// CHECK: tensoraccess.windows
// AXES-LABEL: @dilated
// AXES: tensoraccess.project %{{.*}} by #tensoraccess.projection<{{\[\[}}1, 2]] + [0], shape = [1]> over [5, 3]
// AXES: tensoraccess.shift_right
func.func @dilated(%x: tensor<9xf32>) -> !tensoraccess.access<5 | 3xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<9xf32> -> !tensoraccess.access<| 9xf32>
  %1 = tensoraccess.windows %0 shape = [3] strides = [1] dilations = [2]
     : !tensoraccess.access<| 9xf32> -> !tensoraccess.access<5 | 3xf32>
  return %1 : !tensoraccess.access<5 | 3xf32>
}

// STAYS: a reshape of [3x5] to [15] makes numbers that are not sums
func.func @flattened(%x: tensor<3x5xf32>) -> !tensoraccess.access<15 | f32> {
  %0 = tensoraccess.access %x at 2 : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  %1 = tensoraccess.flatten %0 : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<15 | f32>
  return %1 : !tensoraccess.access<15 | f32>
}

// What wraps around a part is not a place of the whole.
// STAYS: dimension 0 is resolved by wrap before it moves on
func.func @part(%x: tensor<9xf32>) -> !tensoraccess.access<7 | f32> {
  %0 = tensoraccess.access %x at 1 : tensor<9xf32> -> !tensoraccess.access<9 | f32>
  %1 = tensoraccess.slice %0 offsets = [2] sizes = [5]
     : !tensoraccess.access<9 | f32> -> !tensoraccess.access<5 | f32>
  %2 = tensoraccess.slice %1 offsets = [-1] sizes = [7] oob = [wrap]
     : !tensoraccess.access<5 | f32> -> !tensoraccess.access<7 | f32>
  return %2 : !tensoraccess.access<7 | f32>
}

// STAYS: tensoraccess.concat puts several patterns together
func.func @joined(%x: tensor<9xf32>) -> !tensoraccess.access<18 | f32> {
  %0 = tensoraccess.access %x at 1 : tensor<9xf32> -> !tensoraccess.access<9 | f32>
  %1 = tensoraccess.concat %0, %0 axis 0
     : !tensoraccess.access<9 | f32>, !tensoraccess.access<9 | f32> -> !tensoraccess.access<18 | f32>
  return %1 : !tensoraccess.access<18 | f32>
}

// STAYS: padding between elements leaves dimension 0 with gaps
func.func @interior(%x: tensor<9xf32>) -> !tensoraccess.access<17 | f32> {
  %0 = tensoraccess.access %x at 1 : tensor<9xf32> -> !tensoraccess.access<9 | f32>
  %1 = tensoraccess.pad %0 low = [0] high = [0] interior = [1] value = 0.0 : f32
     : !tensoraccess.access<9 | f32> -> !tensoraccess.access<17 | f32>
  return %1 : !tensoraccess.access<17 | f32>
}

// In the corner the columns' value stands, which the first row would decide.
// STAYS: dimension 1 has pad(2.0) before dimension 0 has pad(1.0)
func.func @corner(%x: tensor<3x5xf32>) -> !tensoraccess.access<4x6 | f32> {
  %0 = tensoraccess.access %x at 2 : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [0, 0] value = 1.0 : f32
     : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<4x5 | f32>
  %2 = tensoraccess.pad %1 low = [0, 1] high = [0, 0] value = 2.0 : f32
     : !tensoraccess.access<4x5 | f32> -> !tensoraccess.access<4x6 | f32>
  return %2 : !tensoraccess.access<4x6 | f32>
}

// STAYS: dimension 0 of the item repeats elements: a region does not
func.func @repeated(%x: tensor<1x5xf32>) -> !tensoraccess.access<| 3x5xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<1x5xf32> -> !tensoraccess.access<| 1x5xf32>
  %1 = tensoraccess.broadcast %0 : !tensoraccess.access<| 1x5xf32> -> !tensoraccess.access<| 3x5xf32>
  return %1 : !tensoraccess.access<| 3x5xf32>
}

// STAYS: the item's dimensions are not in the order of the dimensions that they move
func.func @crossed(%x: tensor<3x5xf32>) -> !tensoraccess.access<| 5x3xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<3x5xf32> -> !tensoraccess.access<| 3x5xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<| 3x5xf32> -> !tensoraccess.access<| 5x3xf32>
  return %1 : !tensoraccess.access<| 5x3xf32>
}

// STAYS: dimension 0 of the item is empty: a region is not
func.func @nothing(%x: tensor<5xf32>) -> !tensoraccess.access<| 0xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<5xf32> -> !tensoraccess.access<| 5xf32>
  %1 = tensoraccess.slice %0 offsets = [2] sizes = [0] : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 0xf32>
  return %1 : !tensoraccess.access<| 0xf32>
}

// A padded dimension that is repeated then.
// STAYS: dimension 0 is padded before it is repeated
func.func @thin(%x: tensor<1xf32>) -> !tensoraccess.access<4 | f32> {
  %0 = tensoraccess.access %x at 1 : tensor<1xf32> -> !tensoraccess.access<1 | f32>
  %1 = tensoraccess.broadcast %0 : !tensoraccess.access<1 | f32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.pad %1 low = [1] high = [0] value = 1.0 : f32
     : !tensoraccess.access<3 | f32> -> !tensoraccess.access<4 | f32>
  return %2 : !tensoraccess.access<4 | f32>
}

// STAYS: a dimension of size 1 is padded before it goes
func.func @gone(%x: tensor<5xf32>) -> !tensoraccess.access<3x5 | f32> {
  %0 = tensoraccess.access %x at 1 : tensor<5xf32> -> !tensoraccess.access<5 | f32>
  %1 = tensoraccess.insert_axis %0 axis 0 : !tensoraccess.access<5 | f32> -> !tensoraccess.access<1x5 | f32>
  %2 = tensoraccess.pad %1 low = [1, 0] high = [1, 0] value = 1.0 : f32
     : !tensoraccess.access<1x5 | f32> -> !tensoraccess.access<3x5 | f32>
  return %2 : !tensoraccess.access<3x5 | f32>
}

// STAYS: its shape is not static
func.func @unknown(%x: tensor<?xf32>) -> !tensoraccess.access<? | 1xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.windows %0 shape = [1] strides = [1] : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 1xf32>
  return %1 : !tensoraccess.access<? | 1xf32>
}

// No windows are diagonal.
// DIAGONAL: Reason="axis 0 moves dimensions 0 and 1: windows move one", Remark="tensoraccess.project stays"
func.func @diagonal(%x: tensor<5x5xf32>) -> !tensoraccess.access<5 | 1x1xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<5x5xf32> -> !tensoraccess.access<| 5x5xf32>
  %1 = tensoraccess.project %0 by #tensoraccess.projection<[[1], [1]] + [0, 0], shape = [1, 1]> over [5]
     : !tensoraccess.access<| 5x5xf32> -> !tensoraccess.access<5 | 1x1xf32>
  return %1 : !tensoraccess.access<5 | 1x1xf32>
}
