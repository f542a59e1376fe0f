// One ill-formed projection for each rule, labelled as in ProjectOp.td.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// project_c1: as many lower as upper ends.
func.func @c1_ends(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{block must have as many lower as upper ends, got 2 and 1}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1]> over [0, 0] to [5]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<5 | 1xf32>
  return
}

// -----

// project_c1: start > end.
func.func @c1_order(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{block axis 0 must begin at its end or before, got [3, 2)}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1]> over [3] to [2]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<0 | 1xf32>
  return
}

// -----

// project_c1: an extent of 2^63.
func.func @c1_extent(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{extent of block axis 0 must fit in 64 bits, got [-9223372036854775808, 1)}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[0]] + [0], shape = [1]> over [-9223372036854775808] to [1]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<0 | 1xf32>
  return
}

// -----

// project_c1: axes and columns.
func.func @c1_columns(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{block must have one axis per matrix column, 2, got 1}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1, 0]] + [0], shape = [1]> over [5]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<5 | 1xf32>
  return
}

// -----

// project_c2: access dimensions have no rows.
func.func @c2(%x: !tensoraccess.access<2 | 5xf32>) {
  // expected-error @+1 {{projection must have one row per compute dimension, 1, got 2}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [1]] + [0, 0], shape = [1, 1]> over [2]
     : !tensoraccess.access<2 | 5xf32> -> !tensoraccess.access<2x2 | 1x1xf32>
  return
}

// -----

// project_c3: a size that only the run knows.
func.func @c3(%x: !tensoraccess.access<| 5x?xf32>) {
  // expected-error @+1 {{compute dimension 1 must be static, got ?}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [1]] + [0, 0], shape = [1, 1]> over [2]
     : !tensoraccess.access<| 5x?xf32> -> !tensoraccess.access<2 | 1x1xf32>
  return
}

// -----

// project_c4: a place beyond 2^63.
func.func @c4(%x: !tensoraccess.access<| 3x5xf32>) {
  // expected-error @+1 {{the region overflows 64-bit arithmetic: [0, 18446744073709551615) of dimension 1}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [9223372036854775807]] + [0, 0], shape = [1, 1], oob = [wrap, wrap]> over [3]
     : !tensoraccess.access<| 3x5xf32> -> !tensoraccess.access<3 | 1x1xf32>
  return
}

// -----

// project_c5: below, at the point that reaches furthest.
func.func @c5_below(%x: !tensoraccess.access<| 5x9xf32>) {
  // expected-error @+1 {{place -3 of dimension 1 is forbidden outside of [0, 9), got it at point [0, 3]}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[0, 0], [1, -1]] + [2, 0], shape = [1, 1]> over [4, 4]
     : !tensoraccess.access<| 5x9xf32> -> !tensoraccess.access<4x4 | 1x1xf32>
  return
}

// -----

// project_c5: above, by the region's extent.
func.func @c5_above(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{place 5 of dimension 0 is forbidden outside of [0, 5), got it at point [3]}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [3]> over [4]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<4 | 3xf32>
  return
}

// -----

// project_c5: negative counts back once.
func.func @c5_negative(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{place -6 of dimension 0 is forbidden outside of [-5, 5), got it at point [-6]}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [negative]> over [-6] to [0]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<6 | 1xf32>
  return
}

// -----

// project_c5: nothing to wrap to.
func.func @c5_empty(%x: !tensoraccess.access<| 0xf32>) {
  // expected-error @+1 {{place 0 of dimension 0 is not one of its 0 elements, whatever the policy, got it at point [0]}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1], oob = [wrap]> over [2]
     : !tensoraccess.access<| 0xf32> -> !tensoraccess.access<2 | 1xf32>
  return
}

// -----

// project_c6: an integer among floats.
func.func @c6(%x: !tensoraccess.access<| 5x5xf32>) {
  // expected-error @+1 {{oob entry 1 must have a value of type 'f32', got pad(0)}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [1]] + [0, 0], shape = [1, 1], oob = [wrap, pad(0)]> over [5]
     : !tensoraccess.access<| 5x5xf32> -> !tensoraccess.access<5 | 1x1xf32>
  return
}

// -----

// project_type: the result's type follows.
func.func @type(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{!tensoraccess.access<4 | 1xf32>}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1]] + [0], shape = [1]> over [4]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<4 | 2xf32>
  return
}

// -----

// project_type: more elements than 2^63.
func.func @size(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 4294967296x4294967296 | 1}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[0, 0]] + [0], shape = [1]> over [4294967296, 4294967296]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<4 | 1xf32>
  return
}

// -----

// A matrix of other than integers.
func.func @text(%x: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{expected ',' or ']' in a matrix row, got '.'}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1.5]] + [0], shape = [1]> over [4]
     : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<4 | 1xf32>
  return
}

// -----

// Ragged rows.
func.func @ragged(%x: !tensoraccess.access<| 5x5xf32>) {
  // expected-error @+1 {{matrix row 1 must have 1 entries as row 0 has, got 2}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [1, 2]] + [0, 0], shape = [1, 1]> over [4]
     : !tensoraccess.access<| 5x5xf32> -> !tensoraccess.access<4 | 1x1xf32>
  return
}

// -----

// One policy for two rows.
func.func @policies(%x: !tensoraccess.access<| 5x5xf32>) {
  // expected-error @+1 {{oob must have one entry per matrix row, 2, got 1}}
  %0 = tensoraccess.project %x by #tensoraccess.projection<[[1], [1]] + [0, 0], shape = [1, 1], oob = [wrap]> over [4]
     : !tensoraccess.access<| 5x5xf32> -> !tensoraccess.access<4 | 1x1xf32>
  return
}
