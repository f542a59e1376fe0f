// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-stream-function="axes=0:0" \
// RUN:   | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-stream-function="axes=0:0 step=4" \
// RUN:   | FileCheck %s --check-prefix=FOUR
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-stream-function="axes=0:0 in-place" \
// RUN:   | FileCheck %s --check-prefix=PLACE

// Each element and the one before it: the last one is kept, at first the padding.
// CHECK-LABEL: func.func @init() -> tensor<1x3xf32>
// CHECK: arith.constant 5.000000e+00 : f32
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[LAST:.*]]: tensor<1x3xf32>, %[[X:.*]]: tensor<1x3xf32>)
// CHECK-SAME: -> (tensor<1x3xf32>, tensor<1x3xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<1x3xf32>, tensor<1x3xf32>)

// FOUR-LABEL: func.func @init() -> tensor<1x3xf32>
// FOUR-LABEL: func.func @step
// FOUR-SAME: (%{{.*}}: tensor<1x3xf32>, %[[X:.*]]: tensor<4x3xf32>)
// FOUR-SAME: -> (tensor<1x3xf32>, tensor<4x3xf32>)
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %p = stablehlo.pad %x, %five, low = [1, 0], high = [0, 0], interior = [0, 0]
      : (tensor<64x3xf32>, tensor<f32>) -> tensor<65x3xf32>
  %0 = stablehlo.slice %p [0:64, 0:3] : (tensor<65x3xf32>) -> tensor<64x3xf32>
  %1 = stablehlo.add %x, %0 : tensor<64x3xf32>
  return %1 : tensor<64x3xf32>
}

// -----

// Products with all that came before, by a mask: what is read whole is kept.
// CHECK-LABEL: func.func @init() -> (tensor<i32>, tensor<64x3xf32>)
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%{{.*}}: tensor<i32>, %[[ALL:.*]]: tensor<64x3xf32>, %[[X:.*]]: tensor<1x3xf32>)
// CHECK: %[[NOW:.*]] = tensor.insert_slice %[[X]] into %[[ALL]][%{{.*}}, 0] [1, 3] [1, 1]
// CHECK: return %{{.*}}, %[[NOW]], %{{.*}} : tensor<i32>, tensor<64x3xf32>, tensor<1x3xf32>

// FOUR-LABEL: func.func @step

// PLACE-LABEL: func.func @init() -> (tensor<i32>, tensor<64x3xf32>)
// PLACE-LABEL: func.func @step
// PLACE-SAME: (%{{.*}}: tensor<i32>, %[[M:.*]]: memref<64x3xf32>, %[[X:.*]]: tensor<1x3xf32>)
// PLACE-SAME: -> (tensor<i32>, tensor<1x3xf32>)
// PLACE: %[[ALL:.*]] = bufferization.to_tensor %[[M]] restrict writable
// PLACE: %[[NOW:.*]] = tensor.insert_slice %[[X]] into %[[ALL]][%{{.*}}, 0] [1, 3] [1, 1]
// PLACE: bufferization.materialize_in_destination %[[NOW]] in restrict writable %[[M]]
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %s = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
      : (tensor<64x3xf32>, tensor<64x3xf32>) -> tensor<64x64xf32>
  %i = stablehlo.iota dim = 0 : tensor<64x64xi32>
  %j = stablehlo.iota dim = 1 : tensor<64x64xi32>
  %m = stablehlo.compare GE, %i, %j : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %w = stablehlo.select %m, %s, %zero : tensor<64x64xi1>, tensor<64x64xf32>
  %0 = stablehlo.dot_general %w, %x, contracting_dims = [1] x [0]
      : (tensor<64x64xf32>, tensor<64x3xf32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// -----

// A running sum: the last one is kept, and begins with 0.
// CHECK-LABEL: func.func @init() -> tensor<1x3xf32>
// CHECK: arith.constant dense<0.000000e+00> : tensor<1x3xf32>
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[SUM:.*]]: tensor<1x3xf32>, %[[X:.*]]: tensor<1x3xf32>)
// CHECK: tensor.insert_slice %[[SUM]] into %{{.*}}[0, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<2x3xf32>
// CHECK-NOT: scf.if
// CHECK: return %{{.*}} : tensor<1x3xf32>, tensor<1x3xf32>

// FOUR-LABEL: func.func @step
// FOUR-SAME: (%{{.*}}: tensor<1x3xf32>, %{{.*}}: tensor<4x3xf32>)
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{
    window_dimensions = array<i64: 64, 1>,
    padding = dense<[[63, 0], [0, 0]]> : tensor<2x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x3xf32>, tensor<f32>) -> tensor<64x3xf32>
  return %0 : tensor<64x3xf32>
}

// -----

// The first is no sum: whether it is the first must be known.
// CHECK-LABEL: func.func @init() -> (tensor<i32>, tensor<1xf32>)
// CHECK-LABEL: func.func @step
// CHECK: scf.if

// FOUR-LABEL: func.func @step
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %first = tensor.extract %x[%c0] : tensor<64xf32>
  %b = arith.mulf %first, %two : f32
  %y0 = tensor.insert %b into %e[%c0] : tensor<64xf32>
  %0 = scf.for %t = %c1 to %c64 step %c1 iter_args(%y = %y0) -> (tensor<64xf32>) {
    %u = arith.subi %t, %c1 : index
    %last = tensor.extract %y[%u] : tensor<64xf32>
    %own = tensor.extract %x[%t] : tensor<64xf32>
    %s = arith.addf %last, %own : f32
    %z = tensor.insert %s into %y[%t] : tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A loop that reads the column before the last one from a sequence of its own, and
// begins with the second.
// CHECK-LABEL: func.func @init() -> (tensor<i32>, tensor<2xf32>)
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%{{.*}}: tensor<i32>, %{{.*}}: tensor<2xf32>, %{{.*}}: tensor<1xf32>)
// CHECK: scf.for

// FOUR-LABEL: func.func @step
// FOUR: scf.for
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %t = %c2 to %c64 step %c1 iter_args(%y = %x) -> (tensor<64xf32>) {
    %u = arith.subi %t, %c2 : index
    %a = tensor.extract %y[%u] : tensor<64xf32>
    %b = tensor.extract %y[%t] : tensor<64xf32>
    %s = arith.addf %a, %b : f32
    %z = tensor.insert %s into %y[%t] : tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  }
  return %0 : tensor<64xf32>
}

// -----

// A tree of sums: the last one is kept, and begins with zero.
// CHECK-LABEL: func.func @init() -> tensor<1xf32>
// CHECK: arith.constant dense<0.000000e+00> : tensor<1xf32>
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[SUM:.*]]: tensor<1xf32>, %[[X:.*]]: tensor<1xf32>)
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[SUM]], %[[X]] : tensor<1xf32>, tensor<1xf32>)
// CHECK: arith.addf
// CHECK: return %[[NEXT]], %[[NEXT]] : tensor<1xf32>, tensor<1xf32>

// FOUR-LABEL: func.func @step
// FOUR-SAME: (%{{.*}}: tensor<1xf32>, %{{.*}}: tensor<4xf32>)
// FOUR: scf.for
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %even = stablehlo.slice %x [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %odd = stablehlo.slice %x [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %pairs = stablehlo.add %even, %odd : tensor<2xf32>
  %first = stablehlo.slice %pairs [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %second = stablehlo.slice %pairs [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %all = stablehlo.add %first, %second : tensor<1xf32>
  %x0 = stablehlo.slice %x [0:1] : (tensor<4xf32>) -> tensor<1xf32>
  %x2 = stablehlo.slice %x [2:3] : (tensor<4xf32>) -> tensor<1xf32>
  %three = stablehlo.add %first, %x2 : tensor<1xf32>
  %evens = stablehlo.concatenate %x0, %three, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %odds = stablehlo.concatenate %first, %all, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.pad %evens, %zero, low = [0], high = [1], interior = [1]
      : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %b = stablehlo.pad %odds, %zero, low = [1], high = [0], interior = [1]
      : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A loop over the other dimension, backwards: nothing is kept.
// CHECK-LABEL: func.func @init() {
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%{{.*}}: tensor<1x3xf32>) -> tensor<1x3xf32>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<1x3xf32>, tensor<1x1xf32>)

// FOUR-LABEL: func.func @step
// FOUR: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<4x3xf32>, tensor<4x1xf32>)
func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %h = stablehlo.constant dense<0.0> : tensor<64x1xf32>
  %0:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%y = %x, %last = %h)
      -> (tensor<64x3xf32>, tensor<64x1xf32>) {
    %k = arith.subi %c2, %i : index
    %column = tensor.extract_slice %x[0, %k] [64, 1] [1, 1] : tensor<64x3xf32> to tensor<64x1xf32>
    %sum = stablehlo.add %column, %last : tensor<64x1xf32>
    %z = tensor.insert_slice %sum into %y[0, %k] [64, 1] [1, 1] : tensor<64x1xf32> into tensor<64x3xf32>
    scf.yield %z, %sum : tensor<64x3xf32>, tensor<64x1xf32>
  }
  return %0#0 : tensor<64x3xf32>
}
