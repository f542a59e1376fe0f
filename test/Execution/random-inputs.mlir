// Random inputs of sizes that the types leave open, and ones above 0.
// RUN: tensoraccess-run %s --entry=products --inputs=random:3 --dynamic-sizes=4,6,2 --compare=interpret | FileCheck %s --check-prefix=SIZES
// SIZES: inputs    random:3
// SIZES: result 0  f32 4x6x2
// SIZES: compare 0  equal, bit for bit: 48 of 48
// RUN: tensoraccess-run %s --entry=normalise --inputs=random:3 | FileCheck %s --check-prefix=ANY
// ANY: mean {{-?nan}}
// RUN: tensoraccess-run %s --entry=normalise --inputs=random:3:positive | FileCheck %s --check-prefix=POSITIVE
// POSITIVE: inputs    random:3:positive
// POSITIVE: result 0  f32 70  mean {{[0-9]}}
// RUN: tensoraccess-run %s --entry=bounds --inputs=random:3:positive | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: result 0  f16 {{.*}}value 0.5
// BOUNDS: result 1  f16 {{.*}}value 1.49
// BOUNDS: result 2  i8 {{.*}}value 1 
// BOUNDS: result 3  i8 {{.*}}value 8 
// RUN: tensoraccess-run %s --entry=weights --inputs=random:3:model | FileCheck %s --check-prefix=MODEL
// RUN: tensoraccess-run %s --entry=weights --inputs=random:3 | FileCheck %s --check-prefix=SYMMETRIC
// 72 are summed: an eighth. One dimension: from 0.5 on. Integers stay.
// MODEL: inputs    random:3:model
// MODEL: result 0  f16 {{.*}}value 0.12
// MODEL: result 1  f16 {{.*}}value 1.4
// MODEL: result 2  i8 {{.*}}value 7
// SYMMETRIC: result 0  f16 {{.*}}value 0.99
// SYMMETRIC: result 1  f16 {{.*}}value 0.9
// SYMMETRIC: result 2  i8 {{.*}}value 7
// RUN: not tensoraccess-run %s --entry=weights --inputs=random:3:odd 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: error: seed of --inputs must be a non-negative integer, got '3:odd'

func.func @weights(%w: tensor<3x3x8x300xf16>, %v: tensor<500xf16>, %i: tensor<3x500xi8>)
    -> (tensor<f16>, tensor<f16>, tensor<i8>) {
  %0 = tensoraccess.access %w at 0
     : tensor<3x3x8x300xf16> -> !tensoraccess.access<| 3x3x8x300xf16>
  %1 = tensoraccess.compute reduce_max %0
     : !tensoraccess.access<| 3x3x8x300xf16> -> !tensoraccess.access<| f16>
  %2 = tensoraccess.access %v at 0
     : tensor<500xf16> -> !tensoraccess.access<| 500xf16>
  %3 = tensoraccess.compute reduce_max %2
     : !tensoraccess.access<| 500xf16> -> !tensoraccess.access<| f16>
  %4 = tensoraccess.access %i at 0
     : tensor<3x500xi8> -> !tensoraccess.access<| 3x500xi8>
  %5 = tensoraccess.compute reduce_max %4
     : !tensoraccess.access<| 3x500xi8> -> !tensoraccess.access<| i8>
  %6 = tensoraccess.to_tensor %1 : !tensoraccess.access<| f16> -> tensor<f16>
  %7 = tensoraccess.to_tensor %3 : !tensoraccess.access<| f16> -> tensor<f16>
  %8 = tensoraccess.to_tensor %5 : !tensoraccess.access<| i8> -> tensor<i8>
  return %6, %7, %8 : tensor<f16>, tensor<f16>, tensor<i8>
}

func.func @products(%a: tensor<?x?xf32>, %b: tensor<?xf32>)
    -> tensor<?x?x?xf32> {
  %0 = tensoraccess.access %a at 2
     : tensor<?x?xf32> -> !tensoraccess.access<?x? | f32>
  %1 = tensoraccess.access %b at 1
     : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<?x? | f32>, !tensoraccess.access<? | f32>
    -> !tensoraccess.access<?x?x? | 2xf32>
  %3 = tensoraccess.compute elementwise_mul %2
     : !tensoraccess.access<?x?x? | 2xf32> -> !tensoraccess.access<?x?x? | f32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<?x?x? | f32> -> tensor<?x?x?xf32>
  return %4 : tensor<?x?x?xf32>
}

func.func @normalise(%x: tensor<70xf32>, %variance: tensor<70xf32>)
    -> tensor<70xf32> {
  %0 = math.rsqrt %variance : tensor<70xf32>
  %1 = arith.mulf %x, %0 : tensor<70xf32>
  return %1 : tensor<70xf32>
}

func.func @bounds(%x: tensor<20000xf16>, %y: tensor<500xi8>)
    -> (tensor<f16>, tensor<f16>, tensor<i8>, tensor<i8>) {
  %0 = tensoraccess.access %x at 0
     : tensor<20000xf16> -> !tensoraccess.access<| 20000xf16>
  %1 = tensoraccess.compute reduce_max %0
     : !tensoraccess.access<| 20000xf16> -> !tensoraccess.access<| f16>
  %2 = tensoraccess.compute negative %0
     : !tensoraccess.access<| 20000xf16> -> !tensoraccess.access<| 20000xf16>
  %3 = tensoraccess.compute reduce_max %2
     : !tensoraccess.access<| 20000xf16> -> !tensoraccess.access<| f16>
  %4 = tensoraccess.compute negative %3
     : !tensoraccess.access<| f16> -> !tensoraccess.access<| f16>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<| f16> -> tensor<f16>
  %6 = tensoraccess.to_tensor %1 : !tensoraccess.access<| f16> -> tensor<f16>
  %7 = tensoraccess.access %y at 0
     : tensor<500xi8> -> !tensoraccess.access<| 500xi8>
  %8 = tensoraccess.compute reduce_max %7
     : !tensoraccess.access<| 500xi8> -> !tensoraccess.access<| i8>
  %9 = tensoraccess.compute negative %7
     : !tensoraccess.access<| 500xi8> -> !tensoraccess.access<| 500xi8>
  %10 = tensoraccess.compute reduce_max %9
     : !tensoraccess.access<| 500xi8> -> !tensoraccess.access<| i8>
  %11 = tensoraccess.compute negative %10
     : !tensoraccess.access<| i8> -> !tensoraccess.access<| i8>
  %12 = tensoraccess.to_tensor %11 : !tensoraccess.access<| i8> -> tensor<i8>
  %13 = tensoraccess.to_tensor %8 : !tensoraccess.access<| i8> -> tensor<i8>
  return %5, %6, %12, %13 : tensor<f16>, tensor<f16>, tensor<i8>, tensor<i8>
}
