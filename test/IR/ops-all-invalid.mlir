// One ill-formed op for each constraint of pair, concat, slice, broadcast,
// shift_right, pad, compute, systolic_array and accelerator_call, labelled as in
// TensorAccessOps.td.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// pair_c1: element types differ.
func.func @pair_c1(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 5xi8>) {
  // expected-error @+1 {{element types must be equal, got 'f32' and 'i8'}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xi8> -> !tensoraccess.access<3 | 2x5xf32>
  return
}

// -----

// pair_c2: other access points.
func.func @pair_c2(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<4 | 5xf32>) {
  // expected-error @+1 {{access shapes must be equal, got [3] and [4]}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<4 | 5xf32> -> !tensoraccess.access<3 | 2x5xf32>
  return
}

// -----

// pair_c2_rank: the same dimensions, split elsewhere.
func.func @pair_c2_rank(%a: !tensoraccess.access<3x5 | f32>, %b: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{access shapes must be equal, got [3, 5] and [3]}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<3x5 | f32>, !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 2x5xf32>
  return
}

// -----

// pair_c3: items of another shape.
func.func @pair_c3(%a: !tensoraccess.access<3 | 5x?xf32>, %b: !tensoraccess.access<3 | 4x2xf32>) {
  // expected-error @+1 {{compute shapes must be equal, got [5, ?] and [4, 2]}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<3 | 5x?xf32>, !tensoraccess.access<3 | 4x2xf32> -> !tensoraccess.access<3 | 2x5x2xf32>
  return
}

// -----

// pair_overflow: 2^62 elements, twice.
func.func @pair_overflow(%a: !tensoraccess.access<4611686018427387904 | f32>, %b: !tensoraccess.access<4611686018427387904 | f32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 4611686018427387904 | 2}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<4611686018427387904 | f32>, !tensoraccess.access<4611686018427387904 | f32> -> !tensoraccess.access<3 | 2xf32>
  return
}

// -----

// pair_result: the tuple axis comes first in the item.
func.func @pair_result(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.pair' op result must be of type '!tensoraccess.access<3 | 2x5xf32>', got '!tensoraccess.access<3 | 5x2xf32>'}}
  %0 = tensoraccess.pair %a, %b : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5x2xf32>
  return
}

// -----

// concat_c1: nothing to join.
func.func @concat_c1() {
  // expected-error @+1 {{concat needs at least one operand, got 0}}
  %0 = "tensoraccess.concat"() <{axis = 0 : i64}> : () -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// concat_c2: element types differ.
func.func @concat_c2(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 5xf16>) {
  // expected-error @+1 {{element types must be equal, got 'f32' and 'f16'}}
  %0 = tensoraccess.concat %a, %b axis 0 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf16> -> !tensoraccess.access<6 | 5xf32>
  return
}

// -----

// concat_c3: the same dimensions, split elsewhere.
func.func @concat_c3(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3x5 | f32>) {
  // expected-error @+1 {{concat operand 1 must have 1 access and 1 compute dimensions, got 2 and 0}}
  %0 = tensoraccess.concat %a, %b axis 0 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<6 | 5xf32>
  return
}

// -----

// concat_c4: the axis is beyond the rank.
func.func @concat_c4(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{concat axis must lie in [0, 1], got 2}}
  %0 = tensoraccess.concat %a, %b axis 2 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// concat_c4_negative: the axis is negative.
func.func @concat_c4_negative(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{concat axis must lie in [0, 1], got -1}}
  %0 = tensoraccess.concat %a, %b axis -1 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// concat_c4_rank: a scalar has no axis.
func.func @concat_c4_rank(%a: !tensoraccess.access<| f32>, %b: !tensoraccess.access<| f32>) {
  // expected-error @+1 {{concat axis must lie in [0, -1], got 0}}
  %0 = tensoraccess.concat %a, %b axis 0 : !tensoraccess.access<| f32>, !tensoraccess.access<| f32> -> !tensoraccess.access<2 | f32>
  return
}

// -----

// concat_c5: other dimensions differ.
func.func @concat_c5(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<3 | 4xf32>) {
  // expected-error @+1 {{dimension 1 of all concat operands must be equal, got 5 and 4}}
  %0 = tensoraccess.concat %a, %b axis 0 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 4xf32> -> !tensoraccess.access<6 | 5xf32>
  return
}

// -----

// concat_c5_dynamic: the third operand against the second, past a dynamic first.
func.func @concat_c5_dynamic(%a: !tensoraccess.access<3 | ?xf32>, %b: !tensoraccess.access<3 | 5xf32>, %c: !tensoraccess.access<3 | 4xf32>) {
  // expected-error @+1 {{dimension 1 of all concat operands must be equal, got 5 and 4}}
  %0 = tensoraccess.concat %a, %b, %c axis 0 : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 4xf32> -> !tensoraccess.access<9 | 5xf32>
  return
}

// -----

// concat_c6: the sizes add up to 2^63.
func.func @concat_c6(%a: !tensoraccess.access<0x9223372036854775807 | f32>, %b: !tensoraccess.access<0x1 | f32>) {
  // expected-error @+1 {{concatenated size of dimension 1 overflows at operand 1}}
  %0 = tensoraccess.concat %a, %b axis 1 : !tensoraccess.access<0x9223372036854775807 | f32>, !tensoraccess.access<0x1 | f32> -> !tensoraccess.access<0x1 | f32>
  return
}

// -----

// concat_overflow: 2^63 elements.
func.func @concat_overflow(%a: !tensoraccess.access<3037000500x2000000000 | f32>, %b: !tensoraccess.access<3037000500x2000000000 | f32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 3037000500x4000000000 | }}
  %0 = tensoraccess.concat %a, %b axis 1 : !tensoraccess.access<3037000500x2000000000 | f32>, !tensoraccess.access<3037000500x2000000000 | f32> -> !tensoraccess.access<3x4 | f32>
  return
}

// -----

// slice_c1_offsets: one offset a dimension.
func.func @slice_c1_offsets(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{offsets must have one entry per dimension, 2, got 1}}
  %0 = tensoraccess.slice %a offsets = [1] sizes = [3, 7] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c1_sizes: one size a dimension.
func.func @slice_c1_sizes(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{sizes must have one entry per dimension, 2, got 3}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7, 1] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c1_strides: one stride a dimension.
func.func @slice_c1_strides(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{strides must have one entry per dimension, 2, got 0}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] strides = [] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c1_oob: one policy a dimension.
func.func @slice_c1_oob(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{oob must have one entry per dimension, 2, got 1}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] oob = [wrap] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c2: a stride that stays where it is.
func.func @slice_c2(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{stride of dimension 1 must not be 0}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] strides = [1, 0] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c3: a negative size.
func.func @slice_c3(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{size of dimension 1 must be non-negative, got -2}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, -2] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c3_static: to the end, which is known.
func.func @slice_c3_static(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{size of dimension 1 must be non-negative where the dimension is static, got -1}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, -1] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_first: it begins before the first element.
func.func @slice_c4_first(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [0, 7), got places -1 to 5}}
  %0 = tensoraccess.slice %a offsets = [0, -1] sizes = [3, 7] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_last: it ends after the last element.
func.func @slice_c4_last(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [0, 7), got places 1 to 7}}
  %0 = tensoraccess.slice %a offsets = [0, 1] sizes = [3, 4] strides = [1, 2] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_backwards: backwards, beyond the first element.
func.func @slice_c4_backwards(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 0 must stay inside [0, 3), got places 1 to -1}}
  %0 = tensoraccess.slice %a offsets = [1, 0] sizes = [3, 7] strides = [-1, 1] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_empty: not even an empty slice may begin after the end.
func.func @slice_c4_empty(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 0 must stay inside [0, 3), got offset 4}}
  %0 = tensoraccess.slice %a offsets = [4, 0] sizes = [0, 7] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_dynamic: before the first element of a dimension of any size.
func.func @slice_c4_dynamic(%a: !tensoraccess.access<3 | ?xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [0, ?), got places 3 to -1}}
  %0 = tensoraccess.slice %a offsets = [0, 3] sizes = [3, 5] strides = [1, -1] : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_dynamic_end: to the end from before the first element.
func.func @slice_c4_dynamic_end(%a: !tensoraccess.access<3 | ?xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [0, ?), got offset -3}}
  %0 = tensoraccess.slice %a offsets = [0, -3] sizes = [3, -1] : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_overflow: its last place does not fit in 64 bits.
func.func @slice_c4_overflow(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay within 64 bits, got 4611686018427387905 places from 1 by 2}}
  %0 = tensoraccess.slice %a offsets = [0, 1] sizes = [3, 4611686018427387905] strides = [1, 2] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_forbid: forbid is the default, said aloud.
func.func @slice_c4_forbid(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [0, 7), got places 1 to 7}}
  %0 = tensoraccess.slice %a offsets = [0, 1] sizes = [3, 7] oob = [wrap, forbid] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_negative: negative indices go back to the first element, no further.
func.func @slice_c4_negative(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{slice of dimension 1 must stay inside [-7, 7), got places -8 to -2}}
  %0 = tensoraccess.slice %a offsets = [0, -8] sizes = [3, 7] oob = [wrap, negative] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_wrap: nothing goes round where nothing is.
func.func @slice_c4_wrap(%a: !tensoraccess.access<3 | 0xf32>) {
  // expected-error @+1 {{slice of dimension 1 must take nothing from an empty dimension, got size 7}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] oob = [wrap, wrap] : !tensoraccess.access<3 | 0xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c4_clamp: no element is the nearest one.
func.func @slice_c4_clamp(%a: !tensoraccess.access<3 | 0xf32>) {
  // expected-error @+1 {{slice of dimension 1 must take nothing from an empty dimension, got size 7}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] oob = [wrap, clamp] : !tensoraccess.access<3 | 0xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c5: a circle has no end.
func.func @slice_c5(%a: !tensoraccess.access<3 | ?xf32>) {
  // expected-error @+1 {{slice of dimension 1 must have a size under wrap, which has no end, got -1}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, -1] oob = [wrap, wrap] : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | ?xf32>
  return
}

// -----

// slice_c6: an integer among floats.
func.func @slice_c6(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{oob entry 1 must have a value of type 'f32', got pad(0)}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 8] oob = [wrap, pad(0)] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_c6_float: a float among integers.
func.func @slice_c6_float(%a: !tensoraccess.access<3 | 7xi8>) {
  // expected-error @+1 {{oob entry 1 must have a value of type 'i8', got pad(0.5)}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 8] oob = [wrap, pad(0.5)] : !tensoraccess.access<3 | 7xi8> -> !tensoraccess.access<3 | 8xi8>
  return
}

// -----

// slice_c6_bits: an integer that i8 does not hold.
func.func @slice_c6_bits(%a: !tensoraccess.access<3 | 7xi8>) {
  // expected-error @+1 {{oob entry 1 must have a value of type 'i8', got pad(256)}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 8] oob = [wrap, pad(256)] : !tensoraccess.access<3 | 7xi8> -> !tensoraccess.access<3 | 8xi8>
  return
}

// -----

// slice_c6_range: a number that f16 rounds to infinity.
func.func @slice_c6_range(%a: !tensoraccess.access<3 | 7xf16>) {
  // expected-error-re @+1 {{oob entry 1 must have a value of type 'f16', got pad({{.*}})}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 8] oob = [wrap, pad(1.0e+06)] : !tensoraccess.access<3 | 7xf16> -> !tensoraccess.access<3 | 8xf16>
  return
}

// -----

// slice_overflow: 2^63 elements by going round and round.
func.func @slice_overflow(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{the sizes of an access type multiply to more than 2^63 - 1: 3037000500 | 4000000000}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3037000500, 4000000000] oob = [wrap, wrap] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// broadcast_c1: element types differ.
func.func @broadcast_c1(%a: !tensoraccess.access<1 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op element types must be equal, got 'f32' and 'f64'}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<1 | 5xf32> -> !tensoraccess.access<3 | 5xf64>
  return
}

// -----

// broadcast_c2: the split moves.
func.func @broadcast_c2(%a: !tensoraccess.access<1 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op must keep the numbers of access and compute dimensions, got '!tensoraccess.access<1 | 5xf32>' and '!tensoraccess.access<3x5 | f32>'}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<1 | 5xf32> -> !tensoraccess.access<3x5 | f32>
  return
}

// -----

// broadcast_c2_rank: a new dimension is insert_axis.
func.func @broadcast_c2_rank(%a: !tensoraccess.access<5 | f32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op must keep the numbers of access and compute dimensions, got '!tensoraccess.access<5 | f32>' and '!tensoraccess.access<3x5 | f32>'}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<5 | f32> -> !tensoraccess.access<3x5 | f32>
  return
}

// -----

// broadcast_c3: only size 1 grows.
func.func @broadcast_c3(%a: !tensoraccess.access<1 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op dimension 1 must keep its size or grow from 1 to a static size, got 5 and 10}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<1 | 5xf32> -> !tensoraccess.access<3 | 10xf32>
  return
}

// -----

// broadcast_c3_dynamic: how far it grows must be known.
func.func @broadcast_c3_dynamic(%a: !tensoraccess.access<1 | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op dimension 0 must keep its size or grow from 1 to a static size, got 1 and ?}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<1 | 5xf32> -> !tensoraccess.access<? | 5xf32>
  return
}

// -----

// broadcast_c3_from_dynamic: what is dynamic stays so.
func.func @broadcast_c3_from_dynamic(%a: !tensoraccess.access<? | 5xf32>) {
  // expected-error @+1 {{'tensoraccess.broadcast' op dimension 0 must keep its size or grow from 1 to a static size, got ? and 3}}
  %0 = tensoraccess.broadcast %a : !tensoraccess.access<? | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// shift_right_c1: more than there are access dimensions.
func.func @shift_right_c1(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{the shift must lie in [0, 1], got 2}}
  %0 = tensoraccess.shift_right %a by 2 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<| 3x5xf32>
  return
}

// -----

// shift_right_c1_negative: to the left.
func.func @shift_right_c1_negative(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{the shift must lie in [0, 1], got -1}}
  %0 = tensoraccess.shift_right %a by -1 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3x5 | f32>
  return
}

// -----

// shift_right_result: the last access dimension becomes the first of the item.
func.func @shift_right_result(%a: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{'tensoraccess.shift_right' op result must be of type '!tensoraccess.access<3 | 5x7xf32>', got '!tensoraccess.access<3x5x7 | f32>'}}
  %0 = tensoraccess.shift_right %a : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x5x7 | f32>
  return
}

// -----

// pad_c1_interior: one entry a dimension.
func.func @pad_c1_interior(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{interior must have one entry per dimension, 2, got 1}}
  %0 = tensoraccess.pad %a low = [0, 0] high = [0, 0] interior = [1] value = 0.0 : f32 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// pad_c2_interior: elements do not overlap.
func.func @pad_c2_interior(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{interior entry 1 must be non-negative, got -1}}
  %0 = tensoraccess.pad %a low = [0, 0] high = [0, 0] interior = [0, -1] value = 0.0 : f32 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// pad_c4_interior: the size does not fit in 63 bits.
func.func @pad_c4_interior(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{padded size of dimension 1 overflows, low is 0, high 0, interior 2305843009213693952}}
  %0 = tensoraccess.pad %a low = [0, 0] high = [0, 0] interior = [0, 2305843009213693952] value = 0.0 : f32 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  return
}

// -----

// compute_c1_div: nothing to divide.
func.func @compute_c1_div(%a: !tensoraccess.access<3 | f32>) {
  // expected-error @+1 {{elementwise_div needs a tuple axis, got an empty compute shape}}
  %0 = tensoraccess.compute elementwise_div %a : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c1_empty: a tuple of nothing.
func.func @compute_c1_empty(%a: !tensoraccess.access<3 | 0x5xf32>) {
  // expected-error @+1 {{dot_prod needs a tuple that is not empty, got compute shape [0, 5]}}
  %0 = tensoraccess.compute dot_prod %a : !tensoraccess.access<3 | 0x5xf32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c2_mean: the mean of nothing.
func.func @compute_c2_mean(%a: !tensoraccess.access<3 | 0x5xf32>) {
  // expected-error @+1 {{reduce_mean needs a non-empty item, got 0x5}}
  %0 = tensoraccess.compute reduce_mean %a : !tensoraccess.access<3 | 0x5xf32> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_c3_mean: a mean of integers would have to round.
func.func @compute_c3_mean(%a: !tensoraccess.access<3 | 5xi32>) {
  // expected-error @+1 {{reduce_mean needs elements of a float type, got 'i32'}}
  %0 = tensoraccess.compute reduce_mean %a : !tensoraccess.access<3 | 5xi32> -> !tensoraccess.access<3 | i32>
  return
}

// -----

// compute_c3_sqrt: so would a root.
func.func @compute_c3_sqrt(%a: !tensoraccess.access<3 | 5xi32>) {
  // expected-error @+1 {{sqrt needs elements of a float type, got 'i32'}}
  %0 = tensoraccess.compute sqrt %a : !tensoraccess.access<3 | 5xi32> -> !tensoraccess.access<3 | 5xi32>
  return
}

// -----

// compute_c3_softmax: and an exponential.
func.func @compute_c3_softmax(%a: !tensoraccess.access<3 | 5xindex>) {
  // expected-error @+1 {{softmax needs elements of a float type, got 'index'}}
  %0 = tensoraccess.compute softmax %a : !tensoraccess.access<3 | 5xindex> -> !tensoraccess.access<3 | 5xindex>
  return
}

// -----

// compute_c4: nothing is accumulated.
func.func @compute_c4(%a: !tensoraccess.access<3 | 5xi8>) {
  // expected-error @+1 {{reduce_max has no accumulator, got 'i32'}}
  %0 = tensoraccess.compute reduce_max %a accumulator = i32 : !tensoraccess.access<3 | 5xi8> -> !tensoraccess.access<3 | i32>
  return
}

// -----

// compute_c5_same: the element type itself.
func.func @compute_c5_same(%a: !tensoraccess.access<3 | 5xi8>) {
  // expected-error @+1 {{accumulator must be wider than 'i8' and hold all its values, got 'i8'}}
  %0 = tensoraccess.compute reduce_sum %a accumulator = i8 : !tensoraccess.access<3 | 5xi8> -> !tensoraccess.access<3 | i8>
  return
}

// -----

// compute_c5_narrow: a narrower type.
func.func @compute_c5_narrow(%a: !tensoraccess.access<3 | 5xf32>) {
  // expected-error @+1 {{accumulator must be wider than 'f32' and hold all its values, got 'f16'}}
  %0 = tensoraccess.compute reduce_sum %a accumulator = f16 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | f16>
  return
}

// -----

// compute_c5_other: bf16 has the range of f16, but not its digits.
func.func @compute_c5_other(%a: !tensoraccess.access<3 | 2x5xf16>) {
  // expected-error @+1 {{accumulator must be wider than 'f16' and hold all its values, got 'bf16'}}
  %0 = tensoraccess.compute dot_prod %a accumulator = bf16 : !tensoraccess.access<3 | 2x5xf16> -> !tensoraccess.access<3 | bf16>
  return
}

// -----

// compute_c5_kind: integers are not floats.
func.func @compute_c5_kind(%a: !tensoraccess.access<3 | 2x5xi8>) {
  // expected-error @+1 {{accumulator must be wider than 'i8' and hold all its values, got 'f32'}}
  %0 = tensoraccess.compute dot_prod %a accumulator = f32 : !tensoraccess.access<3 | 2x5xi8> -> !tensoraccess.access<3 | f32>
  return
}

// -----

// compute_result_accumulator: the result is of the accumulator type.
func.func @compute_result_accumulator(%a: !tensoraccess.access<3 | 2x5xi8>) {
  // expected-error @+1 {{'tensoraccess.compute' op result must be of type '!tensoraccess.access<3 | i32>', got '!tensoraccess.access<3 | i8>'}}
  %0 = tensoraccess.compute dot_prod %a accumulator = i32 : !tensoraccess.access<3 | 2x5xi8> -> !tensoraccess.access<3 | i8>
  return
}

// -----

// systolic_array_c1_rows: no rows.
func.func @systolic_array_c1_rows(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<| 5x7xf32>) {
  // expected-error @+1 {{rows must be positive, got 0}}
  %0 = tensoraccess.systolic_array %a, %b rows = 0 cols = 7 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c1_cols: no columns.
func.func @systolic_array_c1_cols(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<| 5x7xf32>) {
  // expected-error @+1 {{cols must be positive, got -1}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = -1 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c2: element types differ.
func.func @systolic_array_c2(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<| 5x7xf16>) {
  // expected-error @+1 {{element types must be equal, got 'f32' and 'f16'}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 5x7xf16> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c3: as many activations as rows.
func.func @systolic_array_c3(%a: !tensoraccess.access<3 | 4xf32>, %b: !tensoraccess.access<| 5x7xf32>) {
  // expected-error @+1 {{activations must have compute shape [5], got [4]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 : !tensoraccess.access<3 | 4xf32>, !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c3_rank: one dimension of them.
func.func @systolic_array_c3_rank(%a: !tensoraccess.access<3 | 5x1xf32>, %b: !tensoraccess.access<| 5x7xf32>) {
  // expected-error @+1 {{activations must have compute shape [5], got [5, 1]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 : !tensoraccess.access<3 | 5x1xf32>, !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c4_access: the weights are one item.
func.func @systolic_array_c4_access(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<5 | 7xf32>) {
  // expected-error @+1 {{weights must have no access dimensions, got [5]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c4: rows before columns.
func.func @systolic_array_c4(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<| 7x5xf32>) {
  // expected-error @+1 {{weights must have compute shape [5, 7], got [7, 5]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 7x5xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c5: blocks are cut from one dimension.
func.func @systolic_array_c5(%a: !tensoraccess.access<3 | 5x1xf32>, %b: !tensoraccess.access<| 5x7xf32>) {
  // expected-error @+1 {{blocked activations must have one compute dimension, got [5, 1]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked : !tensoraccess.access<3 | 5x1xf32>, !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c5_depth: both operands have the same rows.
func.func @systolic_array_c5_depth(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<| 6x7xf32>) {
  // expected-error @+1 {{weights must have compute shape [5, 7], got [6, 7]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| 6x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c6: a batch of weights, of other activations.
func.func @systolic_array_c6(%a: !tensoraccess.access<3 | 5xf32>, %b: !tensoraccess.access<2 | 5x7xf32>) {
  // expected-error @+1 {{access dimensions of blocked weights must be the first ones of the activations, got [2] and [3]}}
  %0 = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<2 | 5x7xf32> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// systolic_array_c7: sums are not narrower than what is summed.
func.func @systolic_array_c7(%a: !tensoraccess.access<3 | 5xi8>, %b: !tensoraccess.access<| 5x7xi8>) {
  // expected-error @+1 {{accumulator must be wider than 'i8' and hold all its values, got 'f32'}}
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 accumulator = f32 : !tensoraccess.access<3 | 5xi8>, !tensoraccess.access<| 5x7xi8> -> !tensoraccess.access<3x7 | f32>
  return
}

// -----

// accelerator_call_c1: the name is empty.
func.func @accelerator_call_c1(%a: !tensoraccess.access<| 8xf32>) {
  // expected-error @+1 {{'tensoraccess.accelerator_call' op the accelerator's name must not be empty}}
  %0 = tensoraccess.accelerator_call ""(%a) : (!tensoraccess.access<| 8xf32>) -> !tensoraccess.access<| 8xf32>
  return
}

// -----

// oob_text: a policy that does not exist.
// expected-error @+1 {{expected forbid, wrap, negative, clamp or pad(value), got 'mirror'}}
#p = #tensoraccess.oob<[wrap, mirror]>

// -----

// oob_end: nothing comes after the list.
// expected-error @+1 {{expected the end of the policies, got ','}}
#p = #tensoraccess.oob<[wrap], shape = [3]>

// -----

// reshape_zero: nothing says what `?` is beside a size 0.
func.func @reshape_zero(%a: !tensoraccess.access<| ?x4x3xi1>) {
  // expected-error @+1 {{'tensoraccess.reshape' op compute shape ?x0 must not have `?` beside a size 0, which leaves it undetermined}}
  %0 = tensoraccess.reshape %a : !tensoraccess.access<| ?x4x3xi1> -> !tensoraccess.access<| ?x0xi1>
  return
}

// -----

// slice_pad_type: a pad value is of the element type already.
func.func @slice_pad_type(%a: !tensoraccess.access<| 5xf32>) {
  // expected-error @+1 {{a pad value has no type of its own, it takes the pattern's element type}}
  %0 = tensoraccess.slice %a offsets = [-1] sizes = [5] oob = [pad(1 : i32)] : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 5xf32>
  return
}

// -----

// reshape_c2: 15 access points are not 16.
func.func @reshape_c2(%a: !tensoraccess.access<3x5 | 7xf32>) {
  // expected-error @+1 {{access shapes must have equally many elements, got 15 (3x5) and 16 (16)}}
  %0 = tensoraccess.reshape %a : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<16 | 7xf32>
  return
}

// -----

// slice_policy_text: a policy that does not exist, in the op's own text.
func.func @slice_policy_text(%a: !tensoraccess.access<3 | 7xf32>) {
  // expected-error @+1 {{expected forbid, wrap, negative, clamp or pad(value), got 'mirror'}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] oob = [wrap, mirror] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 7xf32>
  return
}

// -----

// slice_pad_text: more than 64 bits of padding.
func.func @slice_pad_text(%a: !tensoraccess.access<3 | 7xi64>) {
  // expected-error @+1 {{integer does not fit in 64 bits}}
  %0 = tensoraccess.slice %a offsets = [0, 0] sizes = [3, 7] oob = [wrap, pad(9223372036854775808)] : !tensoraccess.access<3 | 7xi64> -> !tensoraccess.access<3 | 7xi64>
  return
}
