// Projections as access patterns: text, bytecode, and what they read.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=output-to-input | FileCheck %s --check-prefix=MAPS

// A window around each point, with a batch before it.
// CHECK-LABEL: @window
// CHECK: tensoraccess.project %{{.*}} by #tensoraccess.projection<{{\[\[}}1, 0], [0, 1]] + [0, 0], anchor = [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]> over [5, 7] : !tensoraccess.access<2 | 5x7xf32> -> !tensoraccess.access<2x5x7 | 3x3xf32>
// MAPS-LABEL: @window
// MAPS: (d0, d1, d2, d3, d4) -> (d0, (d1 + d3 + 4) mod 5, d2 + d4 - 1)
func.func @window(%x: !tensoraccess.access<2 | 5x7xf32>) -> !tensoraccess.access<2x5x7 | 3x3xf32> {
  %0 = tensoraccess.project %x
      by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, 0], anchor = [-1, -1],
           shape = [3, 3], oob = [wrap, pad(0.0)]>
      over [5, 7]
     : !tensoraccess.access<2 | 5x7xf32> -> !tensoraccess.access<2x5x7 | 3x3xf32>
  return %0 : !tensoraccess.access<2x5x7 | 3x3xf32>
}

// Coupled rows over a block that begins elsewhere.
// CHECK-LABEL: @diagonals
// CHECK: over [0, 1] to [3, 5]
// MAPS-LABEL: @diagonals
// MAPS: (d0, d1, d2, d3) -> (d0, d0 + d1 + 1)
func.func @diagonals(%x: !tensoraccess.access<| 5x7xf32>) -> !tensoraccess.access<3x4 | 1x1xf32> {
  %0 = tensoraccess.project %x
      by #tensoraccess.projection<[[1, 0], [1, 1]] + [0, 0], shape = [1, 1]>
      over [0, 1] to [3, 5]
     : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x4 | 1x1xf32>
  return %0 : !tensoraccess.access<3x4 | 1x1xf32>
}

// Anchors are kept; a lower end of zeros and policies that never act are not.
// CHECK-LABEL: @named
// CHECK: anchors = {center = [1], first = [0] fixed}
// CHECK-SAME: over [0] to [4]
// CANON-LABEL: @named
// CANON: by #tensoraccess.projection<{{\[\[}}2]] + [0], shape = [3], anchors = {center = [1], first = [0] fixed}> over [4]
func.func @named(%x: !tensoraccess.access<| 9xf32>) -> !tensoraccess.access<4 | 3xf32> {
  %0 = tensoraccess.project %x
      by #tensoraccess.projection<[[2]] + [0], shape = [3], oob = [wrap],
           anchors = {center = [1], first = [0] fixed}>
      over [0] to [4]
     : !tensoraccess.access<| 9xf32> -> !tensoraccess.access<4 | 3xf32>
  return %0 : !tensoraccess.access<4 | 3xf32>
}

// A scalar has no rows and no columns: its projection is itself.
// CANON-LABEL: @scalar
// CANON-NEXT: return %arg0
func.func @scalar(%x: !tensoraccess.access<3 | f32>) -> !tensoraccess.access<3 | f32> {
  %0 = tensoraccess.project %x by #tensoraccess.projection<[] + [], shape = []> over []
     : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  return %0 : !tensoraccess.access<3 | f32>
}

// A fixed view, and a block without points, of places that are not read.
// CHECK-LABEL: @fixed_and_empty
// MAPS-LABEL: @fixed_and_empty
// MAPS: (d0, d1) -> (d1 + 1)
// MAPS: indexing_map<empty (d0, d1, d2)
func.func @fixed_and_empty(%x: !tensoraccess.access<| 5xf32>)
    -> (!tensoraccess.access<7 | 2xf32>, !tensoraccess.access<0x9 | 1xf32>) {
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[0]] + [1], shape = [2]>
      over [7]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<7 | 2xf32>
  %1 = tensoraccess.project %x
      by #tensoraccess.projection<[[9223372036854775807, 3]] + [100], shape = [1]>
      over [4, 0] to [4, 9]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<0x9 | 1xf32>
  return %0, %1 : !tensoraccess.access<7 | 2xf32>, !tensoraccess.access<0x9 | 1xf32>
}

// Two ways to say one thing: nothing is computed twice, and the difference of
// policies that act is kept.
// CANON-LABEL: @whole_row
// CANON-NOT: tensoraccess.project
// CANON: return
func.func @whole_row(%x: !tensoraccess.access<| 5xf32>) -> !tensoraccess.access<| 5xf32> {
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1]> over [5]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<5 | 1xf32>
  %1 = tensoraccess.shift_right %0
     : !tensoraccess.access<5 | 1xf32> -> !tensoraccess.access<| 5x1xf32>
  %2 = tensoraccess.squeeze %1 axis 1
     : !tensoraccess.access<| 5x1xf32> -> !tensoraccess.access<| 5xf32>
  return %2 : !tensoraccess.access<| 5xf32>
}
