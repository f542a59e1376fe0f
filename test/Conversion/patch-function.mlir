// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-patch-function="sizes=5,7" | FileCheck %s

// The first patch and the last have their own programs, the others a loop. Of 19 rows
// of the first sum 6 + 7 + 7 + 5 are computed. Sums are computed inside of what
// pads them: 21 x 7 f32 twice; or the result, 7 x 7 and 6 x 7.
// CHECK: #[[AT:.*]] = affine_map<(d0) -> (d0 * 5 + 3)>
// CHECK: #[[TO:.*]] = affine_map<(d0) -> (d0 * 5 + 5)>
// CHECK-LABEL: @main
// CHECK-SAME: %arg0: tensor<19x7xf32> {my.name = "x"}) -> (tensor<19x7xf32> {my.name = "y"})
// CHECK-SAME: tensoraccess.patches = {count = 4 : i64,
// CHECK-SAME: operations = array<i64: 798, 924>, peak_bytes = array<i64: 1176, 896>,
// CHECK-SAME: sizes = array<i64: 5, 7>}
// CHECK: tensor.extract_slice %arg0[0, 0] [7, 7]
// CHECK: tensor.pad
// CHECK: tensor.pad
// CHECK: tensor.insert_slice {{.*}}[0, 0] [5, 7]
// CHECK: scf.for %[[I:.*]] = %c0 to %c2 {{.*}} iter_args(%[[ACC:.*]] = %
// CHECK: %[[LO:.*]] = affine.apply #[[AT]](%[[I]])
// CHECK: tensor.extract_slice %arg0[%[[LO]], 0] [9, 7]
// CHECK-NOT: tensor.pad
// CHECK: %[[LO:.*]] = affine.apply #[[TO]](%[[I]])
// CHECK: tensor.insert_slice %{{.*}} into %[[ACC]][%[[LO]], 0] [5, 7]
// CHECK: tensor.extract_slice %arg0[13, 0] [6, 7]
// CHECK: tensor.insert_slice {{.*}}[15, 0] [4, 7]
func.func @main(%x: tensor<19x7xf32> {my.name = "x"})
    -> (tensor<19x7xf32> {my.name = "y"}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 3, 1>,
      padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<19x7xf32>, tensor<f32>) -> tensor<19x7xf32>
  // expected-remark @below {{4 patches of 5x7: at most 896 bytes (before 1176), 1.16 times the operations}}
  %1 = "stablehlo.reduce_window"(%0, %z) <{window_dimensions = array<i64: 3, 1>,
      padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<19x7xf32>, tensor<f32>) -> tensor<19x7xf32>
  return %1 : tensor<19x7xf32>
}

// -----

// What all patches read whole is computed once.
// CHECK-LABEL: @main
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: scf.for
// CHECK-NOT: "reduction"
func.func @main(%x: tensor<10x7xf32>) -> tensor<10x7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-remark @below {{'linalg.generic' is computed once: all patches read all of it}}
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
      : (tensor<10x7xf32>, tensor<f32>) -> tensor<7xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<7xf32>) -> tensor<10x7xf32>
  // expected-remark @below {{2 patches of 5x7: at most}}
  %y = stablehlo.subtract %x, %b : tensor<10x7xf32>
  return %y : tensor<10x7xf32>
}

// -----

// A table is read at the patch's place.
// CHECK-LABEL: @main
// CHECK: %[[TABLE:.*]] = arith.constant dense<{{.*}}> : tensor<10x7xi8>
// CHECK: scf.for
// CHECK: %[[LO:.*]] = affine.apply
// CHECK: tensor.extract_slice %[[TABLE]][%[[LO]], 0] [5, 7]
func.func @main(%x: tensor<10x7xi8>) -> tensor<10x7xi8> {
  %t = stablehlo.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445"> : tensor<10x7xi8>
  // expected-remark @below {{2 patches of 5x7}}
  %y = stablehlo.add %x, %t : tensor<10x7xi8>
  return %y : tensor<10x7xi8>
}

// -----

// A patch of all: nothing changes.
// CHECK-LABEL: @main
// CHECK-NOT: scf.for
// CHECK-NOT: tensor.insert_slice
func.func @main(%x: tensor<5x7xf32>) -> tensor<5x7xf32> {
  // expected-remark @below {{1 patch of 5x7: at most 140 bytes (before 140), 1.00 times the operations}}
  %y = stablehlo.exponential %x : tensor<5x7xf32>
  return %y : tensor<5x7xf32>
}
