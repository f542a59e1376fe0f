// What upstream's simplifications do wrongly, one function each: WRONG is what
// upstream's pass prints, CHECK what ours does. A WRONG that is not found any
// more has been mended upstream: its pattern or its guard can go, from the list in
// lib/Transforms/Simplify/Canonicalize.cpp or from GuardFolds.cpp, and its row from
// docs/Internals.md.

// RUN: mlir-opt %s --canonicalize | FileCheck %s --check-prefix=WRONG
// RUN: tensoraccess-opt %s --tensoraccess-canonicalize | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-guard-folds --canonicalize \
// RUN:   | FileCheck %s --check-prefix=GUARDED

// An scf.if whose result is passed on twice (#219456): %b is 20, the value of the
// branch that is not taken, and %n + 2 is nowhere.
// WRONG-LABEL: func @while_passes_twice
// WRONG: scf.condition(%{{.*}}) %{{.*}} : i32
// WRONG: scf.yield %c20_i32
// CHECK-LABEL: func @while_passes_twice
// CHECK: %[[V:.*]] = scf.if
// CHECK: scf.condition(%{{.*}}) %[[V]], %{{.*}} : i32, i32
// CHECK: ^bb0(%[[A:.*]]: i32, %{{.*}}: i32):
// CHECK: scf.yield %[[A]]
func.func @while_passes_twice(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c20 = arith.constant 20 : i32
  %r:3 = scf.while (%s = %c0) : (i32) -> (i32, i32, i32) {
    %go = arith.cmpi slt, %s, %n : i32
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

// Indices through eight bits (#90296, #90238).
// WRONG-LABEL: func @index_cast_back
// WRONG-SAME: %[[X:.*]]: index
// WRONG: return %[[X]], %[[X]]
// CHECK-LABEL: func @index_cast_back
// CHECK: arith.index_cast %{{.*}} : index to i8
// CHECK: arith.index_castui %{{.*}} : index to i8
func.func @index_cast_back(%x: index) -> (index, index) {
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  %2 = arith.index_castui %x : index to i8
  %3 = arith.index_castui %2 : i8 to index
  return %1, %3 : index, index
}

// x - y <= 0 without a sign is x = y (#216042).
// WRONG-LABEL: func @compare_difference
// WRONG-SAME: (%[[X:.*]]: index, %[[Y:.*]]: index)
// WRONG: index.cmp ule(%[[X]], %[[Y]])
// CHECK-LABEL: func @compare_difference
// CHECK: %[[D:.*]] = arith.subi
// CHECK: arith.cmpi ule, %[[D]]
// GUARDED-LABEL: func @compare_difference
// GUARDED: %[[D:.*]] = arith.subi
// GUARDED: arith.cmpi ule, %[[D]]
func.func @compare_difference(%x: index, %y: index) -> i1 {
  %d = index.sub %x, %y
  %zero = index.constant 0
  %r = index.cmp ule(%d, %zero)
  return %r : i1
}

// -2^63 / 2 is -2^62 (#215696).
// WRONG-LABEL: func @divide_least
// WRONG: index.constant 4611686018427387904
// CHECK-LABEL: func @divide_least
// CHECK-NOT: 4611686018427387904 : index
// GUARDED-LABEL: func @divide_least
// GUARDED-NOT: constant 4611686018427387904
func.func @divide_least() -> index {
  %x = index.constant -9223372036854775808
  %y = index.constant 2
  %r = index.ceildivs %x, %y
  return %r : index
}

// 1 - 2 - 1 is -2, which i2 has, but 1 + 1 has no value under nsw (#140328); of
// two truncations the first one promises nothing.
// WRONG-LABEL: func @promises
// WRONG: arith.addi %{{.*}}, %{{.*}} overflow<nsw>
// WRONG: arith.trunci %{{.*}} overflow<nsw> : i8 to i1
// CHECK-LABEL: func @promises
// CHECK-NOT: overflow
// GUARDED-LABEL: func @promises
// GUARDED-NOT: overflow
func.func @promises(%x: i2, %y: i8) -> (i2, i1) {
  %m1 = arith.constant -1 : i2
  %m2 = arith.constant -2 : i2
  %0 = arith.addi %x, %m2 overflow<nsw> : i2
  %1 = arith.addi %0, %m1 overflow<nsw> : i2
  %2 = arith.trunci %y : i8 to i2
  %3 = arith.trunci %2 overflow<nsw> : i2 to i1
  return %1, %3 : i2, i1
}

// f4E2M1FN has no infinity (#185351): the largest number stands for it.
// WRONG-LABEL: func @no_infinity
// WRONG: arith.constant 0x{{[08]}} : f4E2M1FN
// CHECK-LABEL: func @no_infinity
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6.000000e+00 : f4E2M1FN
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -6.000000e+00 : f4E2M1FN
// CHECK: return %[[SIX]], %[[LEAST]]
// GUARDED-LABEL: func @no_infinity
// GUARDED-DAG: %[[SIX:.*]] = arith.constant 6.000000e+00 : f4E2M1FN
// GUARDED-DAG: %[[LEAST:.*]] = arith.constant -6.000000e+00 : f4E2M1FN
// GUARDED: return %[[SIX]], %[[LEAST]]
func.func @no_infinity() -> (f4E2M1FN, f4E2M1FN) {
  %inf = arith.constant 0x7F800000 : f32
  %0 = arith.truncf %inf : f32 to f4E2M1FN
  %a = arith.constant -1.0 : f4E2M1FN
  %b = arith.constant 0.0 : f4E2M1FN
  %1 = arith.divf %a, %b : f4E2M1FN
  return %0, %1 : f4E2M1FN, f4E2M1FN
}

// With strides, what is padded begins at low · stride.
// WRONG-LABEL: func @insert_padded
// WRONG: tensor.insert_slice %arg0 into %{{.*}}[1] [3] [2]
// CHECK-LABEL: func @insert_padded
// CHECK: tensor.insert_slice %padded into %{{.*}}[0] [5] [2]
func.func @insert_padded(%x: tensor<3xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<5xf32>
  %r = tensor.insert_slice %p into %f[0] [5] [2]
     : tensor<5xf32> into tensor<9xf32>
  return %r : tensor<9xf32>
}

// A vector of a, a, b, b, c, c twice is not one of a, a, a, a, b, b, b, b, c,
// c, c, c.
// WRONG-LABEL: func @cast_broadcast
// WRONG: vector.broadcast %arg0 : vector<3x1xi8> to vector<1x3x4xi8>
// CHECK-LABEL: func @cast_broadcast
// CHECK: vector.broadcast %arg0 : vector<3x1xi8> to vector<2x3x2xi8>
// CHECK: vector.shape_cast
func.func @cast_broadcast(%x: vector<3x1xi8>) -> vector<1x3x4xi8> {
  %0 = vector.broadcast %x : vector<3x1xi8> to vector<2x3x2xi8>
  %1 = vector.shape_cast %0 : vector<2x3x2xi8> to vector<1x3x4xi8>
  return %1 : vector<1x3x4xi8>
}

// A slice of [1, 2, 1] as 1x?: the last dimension goes, not the first one (#217361).
// WRONG-LABEL: func @slice_drops
// WRONG: tensor.cast %{{.*}} : tensor<2x1xi8>
// CHECK-LABEL: func @slice_drops
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 3, 0] [1, 2, 1] [1, 1, 1] : tensor<1x5x2xi8> to tensor<1x2xi8>
// CHECK: tensor.cast %[[S]] : tensor<1x2xi8> to tensor<1x?xi8>
func.func @slice_drops(%x: tensor<1x5x2xi8>) -> tensor<1x?xi8> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[0, 3, %c0] [1, %c2, 1] [1, 1, 1]
     : tensor<1x5x2xi8> to tensor<1x?xi8>
  return %0 : tensor<1x?xi8>
}

// The angle of two zeros (openxla/xla#46594) is a zero, or pi with its sign.
// WRONG-LABEL: func @angle_of_zeros
// WRONG: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// WRONG: return %[[NAN]], %[[NAN]]
// CHECK-LABEL: func @angle_of_zeros
// CHECK-DAG: %[[PI:.*]] = arith.constant -3.14159274 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: return %[[ZERO]], %[[PI]]
// GUARDED-LABEL: func @angle_of_zeros
// GUARDED-DAG: %[[PI:.*]] = arith.constant -3.14159274 : f32
// GUARDED-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// GUARDED: return %[[ZERO]], %[[PI]]
func.func @angle_of_zeros() -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %0 = math.atan2 %zero, %zero : f32
  %1 = math.atan2 %minus, %minus : f32
  return %0, %1 : f32, f32
}

// What is loaded of a tensor's buffer is what was written to it.
// WRONG-LABEL: func @load_of_buffer
// WRONG: memref.store
// WRONG: %[[OLD:.*]] = tensor.extract
// WRONG: return %[[OLD]]
// CHECK-LABEL: func @load_of_buffer
// CHECK: memref.store
// CHECK: %[[NEW:.*]] = memref.load
// CHECK: return %[[NEW]]
func.func @load_of_buffer(%x: tensor<3xi32>, %v: i32, %i: index) -> i32 {
  %m = bufferization.to_buffer %x : tensor<3xi32> to memref<3xi32>
  memref.store %v, %m[%i] : memref<3xi32>
  %0 = memref.load %m[%i] : memref<3xi32>
  return %0 : i32
}
