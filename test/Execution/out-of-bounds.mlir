// What only the sizes of a run can say is an error of that run, with the place.
// RUN: tensoraccess-run %s --entry=inputs --outputs=%t.long.npy,%t.short.npy,%t.x.npy,%t.y.npy,%t.z.npy
// RUN: tensoraccess-run %s --entry=slice --inputs=%t.long.npy --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-run %s --entry=slice --inputs=%t.short.npy 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: tensoraccess-run %s --entry=windows --inputs=%t.long.npy --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-run %s --entry=windows --inputs=%t.short.npy 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: tensoraccess-run %s --entry=pair --inputs=%t.long.npy,%t.long.npy --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-run %s --entry=pair --inputs=%t.long.npy,%t.short.npy 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: tensoraccess-run %s --entry=divide --inputs=%t.x.npy,%t.y.npy --compare=interpret | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-run %s --entry=divide --inputs=%t.x.npy,%t.z.npy 2>&1 | FileCheck %s --check-prefix=DIVIDE
// EQUAL: compare 0  equal, bit for bit

func.func @inputs() -> (tensor<7xf32>, tensor<3xf32>, tensor<3xi32>,
                        tensor<3xi32>, tensor<3xi32>) {
  %long = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<7xf32>
  %short = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %x = arith.constant dense<[7, -2147483648, 5]> : tensor<3xi32>
  %y = arith.constant dense<[-2, -1, 3]> : tensor<3xi32>
  %z = arith.constant dense<[1, 0, 3]> : tensor<3xi32>
  return %long, %short, %x, %y, %z : tensor<7xf32>, tensor<3xf32>,
                                     tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// SLICE: error: {{.*}}out-of-bounds.mlir:[[#@LINE+4]]:8: tensoraccess.slice: slice of dimension 0 must stay inside [0, 3), got places 1 to 5
func.func @slice(%x: tensor<?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %1 = tensoraccess.slice %0 offsets = [1] sizes = [3] strides = [2]
     : !tensoraccess.access<? | f32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// WINDOWS: error: {{.*}}out-of-bounds.mlir:[[#@LINE+4]]:8: tensoraccess.windows: window of 3 with stride 1 and dilation 2 does not fit in compute dimension 0 of size 3
func.func @windows(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensoraccess.access %x at 0
     : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.windows %0 shape = [3] strides = [1] dilations = [2]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 3xf32>
  %2 = tensoraccess.compute reduce_max %1
     : !tensoraccess.access<? | 3xf32> -> !tensoraccess.access<? | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<? | f32> -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// PAIR: error: {{.*}}out-of-bounds.mlir:[[#@LINE+6]]:8: tensoraccess.pair: access shapes must be equal, got [7] and [3]
func.func @pair(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %1 = tensoraccess.access %y at 1
     : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %2 = tensoraccess.pair %0, %1
     : !tensoraccess.access<? | f32>, !tensoraccess.access<? | f32>
    -> !tensoraccess.access<? | 2xf32>
  %3 = tensoraccess.compute elementwise_add %2
     : !tensoraccess.access<? | 2xf32> -> !tensoraccess.access<? | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<? | f32> -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// DIVIDE: error: {{.*}}out-of-bounds.mlir:[[#@LINE+9]]:8: tensoraccess.compute: division by zero of integers
func.func @divide(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3xi32> -> !tensoraccess.access<3 | i32>
  %1 = tensoraccess.access %y at 1
     : tensor<3xi32> -> !tensoraccess.access<3 | i32>
  %2 = tensoraccess.pair %0, %1
     : !tensoraccess.access<3 | i32>, !tensoraccess.access<3 | i32>
    -> !tensoraccess.access<3 | 2xi32>
  %3 = tensoraccess.compute elementwise_div %2
     : !tensoraccess.access<3 | 2xi32> -> !tensoraccess.access<3 | i32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<3 | i32> -> tensor<3xi32>
  return %4 : tensor<3xi32>
}
