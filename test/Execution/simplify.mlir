// Programs that upstream's simplifications change (docs/Internals.md), compiled: each
// has another result where one of these runs.

// RUN: tensoraccess-run %s --entry=twice | FileCheck %s --check-prefix=TWICE
// RUN: tensoraccess-run %s --entry=narrow | FileCheck %s --check-prefix=NARROW
// RUN: tensoraccess-run %s --entry=difference | FileCheck %s --check-prefix=DIFFERENCE
// RUN: tensoraccess-run %s --entry=switch | FileCheck %s --check-prefix=SWITCH
// RUN: tensoraccess-run %s --entry=padded | FileCheck %s --check-prefix=PADDED
// RUN: tensoraccess-run %s --entry=slice | FileCheck %s --check-prefix=SLICE
// RUN: tensoraccess-run %s --entry=cast | FileCheck %s --check-prefix=CAST
// RUN: tensoraccess-run %s --entry=infinity | FileCheck %s --check-prefix=INFINITY

// From 0 to 2, and then 20 is passed on.
// TWICE: result 0  i32  value 2
func.func @twice() -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c20 = arith.constant 20 : i32
  %r:3 = scf.while (%s = %c0) : (i32) -> (i32, i32, i32) {
    %go = arith.cmpi slt, %s, %c1 : i32
    %v = scf.if %go -> i32 {
      %more = arith.addi %s, %c2 : i32
      scf.yield %more : i32
    } else {
      scf.yield %c20 : i32
    }
    scf.condition(%go) %v, %v, %s : i32, i32, i32
  } do {
  ^bb0(%a: i32, %b: i32, %old: i32):
    scf.yield %b : i32
  }
  return %r#2 : i32
}

// Of 0 to 255 as i8 the mean is -1/2.
// NARROW: result 0  i32 256  mean -0.5
func.func @narrow() -> tensor<256xi32> {
  %e = tensor.empty() : tensor<256xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<256xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %a = arith.index_cast %i : index to i8
    %b = arith.index_cast %a : i8 to index
    %c = arith.index_cast %b : index to i32
    linalg.yield %c : i32
  } -> tensor<256xi32>
  return %0 : tensor<256xi32>
}

// Of 0 to 3, i - 2 is at most 0 without a sign at 2 only.
// DIFFERENCE: result 0  f32 4  mean 0.25
func.func @difference() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %two = index.constant 2
    %zero = index.constant 0
    %d = index.sub %i, %two
    %c = index.cmp ule(%d, %zero)
    %f = arith.uitofp %c : i1 to f32
    linalg.yield %f : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// 2^32 is not a case: 7 and 9.
// SWITCH: result 0  f32 2  mean 8
func.func @switch() -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %far = arith.constant 4294967296 : index
    %x = arith.muli %i, %far : index
    %v = scf.index_switch %x -> f32
    case 0 {
      %seven = arith.constant 7.0 : f32
      scf.yield %seven : f32
    }
    case -1 {
      %eight = arith.constant 3.0 : f32
      scf.yield %eight : f32
    }
    default {
      %nine = arith.constant 9.0 : f32
      scf.yield %nine : f32
    }
    linalg.yield %v : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Of 0 0 1 0 1 0 1 0 0, which @fill pads, the third place.
// PADDED: result 0  f32  value 1
func.func private @insert(%x: tensor<5xf32>, %f: tensor<9xf32>) -> tensor<9xf32> {
  %r = tensor.insert_slice %x into %f[0] [5] [2]
     : tensor<5xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}
func.func @padded() -> f32 {
  %one = arith.constant dense<1.0> : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %p = tensor.pad %one low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  %r = func.call @insert(%p, %f) : (tensor<5xf32>, tensor<9xf32>) -> tensor<9xf32>
  %c2 = arith.constant 2 : index
  %v = tensor.extract %r[%c2] : tensor<9xf32>
  return %v : f32
}

// 6 and 8, the first of the last two pairs.
// SLICE: result 0  f32 1x2  mean 7
func.func @slice() -> tensor<1x2xf32> {
  %x = arith.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0],
                              [8.0, 9.0]]]> : tensor<1x5x2xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[0, 3, %c0] [1, %c2, 1] [1, 1, 1]
     : tensor<1x5x2xf32> to tensor<1x?xf32>
  %1 = tensor.cast %0 : tensor<1x?xf32> to tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// a a b b c c a a b b c c, in rows of four; the second one begins with c.
// CAST: result 0  i8  value 3
func.func @cast() -> i8 {
  %x = arith.constant dense<[[1], [2], [3]]> : tensor<3x1xi8>
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %v = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]}
     : tensor<3x1xi8>, vector<3x1xi8>
  %0 = vector.broadcast %v : vector<3x1xi8> to vector<2x3x2xi8>
  %1 = vector.shape_cast %0 : vector<2x3x2xi8> to vector<1x3x4xi8>
  %2 = vector.extract %1[0, 1, 0] : i8 from vector<1x3x4xi8>
  return %2 : i8
}

// The bits of 6, the largest number.
// INFINITY: result 0  i32  value 7
func.func @infinity() -> i32 {
  %inf = arith.constant 0x7F800000 : f32
  %0 = arith.truncf %inf : f32 to f4E2M1FN
  %1 = arith.bitcast %0 : f4E2M1FN to i4
  %2 = arith.extui %1 : i4 to i32
  return %2 : i32
}
