// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-push-slices --cse | FileCheck %s

// A slice of a slice of products: a part of the product.
// CHECK-LABEL: @product
// CHECK: %[[A:.*]] = tensor.extract_slice %arg0[3, 0] [2, 16] [1, 1]
// CHECK: %[[B:.*]] = tensor.extract_slice %arg1[0, 8] [16, 4] [1, 1]
// CHECK: %[[Y:.*]] = linalg.matmul ins(%[[A]], %[[B]] : {{.*}} -> tensor<2x4xf32>
// CHECK: return %[[Y]]
func.func @product(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<2x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %0 = tensor.extract_slice %y[2, 8] [4, 4] [1, 1] : tensor<16x16xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %0[1, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// All is read elsewhere: nothing would be saved, and it stays.
// CHECK-LABEL: @whole
// CHECK: %[[Y:.*]] = math.exp %arg0 : tensor<16xf32>
// CHECK: tensor.extract_slice %[[Y]][2] [4] [1]
func.func @whole(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<4xf32>) {
  %y = math.exp %a : tensor<16xf32>
  %0 = tensor.extract_slice %y[2] [4] [1] : tensor<16xf32> to tensor<4xf32>
  return %y, %0 : tensor<16xf32>, tensor<4xf32>
}

// -----

// So do views of arguments, and what would lose less than a twenty-fifth.
// CHECK-LABEL: @little
// CHECK: %[[V:.*]] = tensor.expand_shape %arg0
// CHECK: tensor.extract_slice %[[V]][1, 0] [1, 100] [1, 1]
// CHECK: %[[Y:.*]] = math.exp %arg1 : tensor<100xf32>
// CHECK: tensor.extract_slice %[[Y]][2] [98] [1]
func.func @little(%a: tensor<200xf32>, %b: tensor<100xf32>)
    -> (tensor<1x100xf32>, tensor<98xf32>) {
  %v = tensor.expand_shape %a [[0, 1]] output_shape [2, 100]
      : tensor<200xf32> into tensor<2x100xf32>
  %0 = tensor.extract_slice %v[1, 0] [1, 100] [1, 1] : tensor<2x100xf32> to tensor<1x100xf32>
  %y = math.exp %b : tensor<100xf32>
  %1 = tensor.extract_slice %y[2] [98] [1] : tensor<100xf32> to tensor<98xf32>
  return %0, %1 : tensor<1x100xf32>, tensor<98xf32>
}

// -----

// Both ends are made, what is between them is not; beside each other they are one.
// CHECK-LABEL: @ends
// CHECK-DAG: %[[LO:.*]] = math.exp %{{.*}} : tensor<2xf32>
// CHECK-DAG: %[[HI:.*]] = math.exp %{{.*}} : tensor<3xf32>
// CHECK: %[[Y:.*]] = math.absf %{{.*}} : tensor<8xf32>
// CHECK: return %[[LO]], %[[HI]]
func.func @ends(%a: tensor<100xf32>, %b: tensor<100xf32>)
    -> (tensor<2xf32>, tensor<3xf32>, tensor<5xf32>, tensor<5xf32>) {
  %y = math.exp %a : tensor<100xf32>
  %0 = tensor.extract_slice %y[0] [2] [1] : tensor<100xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %y[97] [3] [1] : tensor<100xf32> to tensor<3xf32>
  %z = math.absf %b : tensor<100xf32>
  %2 = tensor.extract_slice %z[40] [5] [1] : tensor<100xf32> to tensor<5xf32>
  %3 = tensor.extract_slice %z[43] [5] [1] : tensor<100xf32> to tensor<5xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<3xf32>, tensor<5xf32>, tensor<5xf32>
}

// -----

// The place of a slice is known at run time in one dimension: all is made along it.
// CHECK-LABEL: @moving
// CHECK: %[[Y:.*]] = math.exp %{{.*}} : tensor<16x2xf32>
// CHECK: %[[AT:.*]] = arith.addi %arg2
// CHECK: tensor.extract_slice %[[Y]][%[[AT]], 0] [1, 2] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%arg2, 0] [2, 3] [1, 1]
// CHECK-SAME: tensor<2x3xf32> into tensor<16x3xf32>
func.func @moving(%a: tensor<16x8xf32>, %b: tensor<2x8xf32>, %at: index)
    -> (tensor<1x2xf32>, tensor<4x3xf32>) {
  %y = math.exp %a : tensor<16x8xf32>
  %0 = tensor.extract_slice %y[%at, 2] [4, 4] [1, 1] : tensor<16x8xf32> to tensor<4x4xf32>
  %1 = tensor.extract_slice %0[3, 1] [1, 2] [1, 1] : tensor<4x4xf32> to tensor<1x2xf32>
  %z = math.absf %a : tensor<16x8xf32>
  %2 = tensor.insert_slice %b into %z[%at, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<16x8xf32>
  %3 = tensor.extract_slice %2[1, 5] [4, 3] [1, 1] : tensor<16x8xf32> to tensor<4x3xf32>
  return %1, %3 : tensor<1x2xf32>, tensor<4x3xf32>
}

// -----

// A loop carries what is wanted, and here its mirror image, too; what is never read it
// does not carry.
// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}) -> (tensor<4x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[C]], %{{.*}} : tensor<4x2xf32>, tensor<4x2xf32>)
#id = affine_map<(i, j) -> (i, j)>
func.func @loop(%a: tensor<8x8xf32>, %n: index) -> tensor<3x2xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y:2 = scf.for %i = %zero to %n step %one iter_args(%c = %a, %d = %a)
      -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (7 - i, j)>, #id, #id],
                         iterator_types = ["parallel", "parallel"]}
        ins(%c, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
    ^bb0(%x: f32, %z: f32, %out: f32):
      %s = arith.addf %x, %z : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    %s = math.exp %d : tensor<8x8xf32>
    scf.yield %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
  }
  %0 = tensor.extract_slice %y#0[2, 4] [3, 2] [1, 1] : tensor<8x8xf32> to tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// The part of a table that is read by an index of a loop is sliced with the loop.
// CHECK-LABEL: @gather
// CHECK: %[[T:.*]] = math.exp %{{.*}} : tensor<50x2xf32>
// CHECK: linalg.index 1
// CHECK: tensor.extract %[[T]][%{{.*}}, %{{.*}}] : tensor<50x2xf32>
func.func @gather(%table: tensor<50x8xf32>, %at: tensor<6xindex>) -> tensor<2x2xf32> {
  %t = math.exp %table : tensor<50x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<6xindex>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%row: index, %out: f32):
    %column = linalg.index 1 : index
    %x = tensor.extract %t[%row, %column] : tensor<50x8xf32>
    linalg.yield %x : f32
  } -> tensor<6x8xf32>
  %0 = tensor.extract_slice %g[3, 5] [2, 2] [1, 1] : tensor<6x8xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// What is beside a diagonal comes from the destination: all of it stays.
// CHECK-LABEL: @diagonal
// CHECK: linalg.generic {{.*}} outs(%arg1 : tensor<4x4xf32>)
// CHECK: tensor.extract_slice %{{.*}}[0, 2] [3, 2] [1, 1] : tensor<4x4xf32>
func.func @diagonal(%x: tensor<4xf32>, %y: tensor<4x4xf32>) -> tensor<3x2xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%y : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %0 = tensor.extract_slice %r[0, 2] [3, 2] [1, 1] : tensor<4x4xf32> to tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Neither what is of dynamic shape, nor what other regions read.
// CHECK-LABEL: @stays
// CHECK: math.exp %arg0 : tensor<?x8xf32>
// CHECK: math.exp %arg1 : tensor<8xf32>
// CHECK: tensor.generate
func.func @stays(%x: tensor<?x8xf32>, %y: tensor<8xf32>, %n: index)
    -> (tensor<?x2xf32>, tensor<2xf32>) {
  %0 = math.exp %x : tensor<?x8xf32>
  %1 = tensor.extract_slice %0[0, 2] [%n, 2] [1, 1] : tensor<?x8xf32> to tensor<?x2xf32>
  %2 = math.exp %y : tensor<8xf32>
  %3 = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.extract %2[%i] : tensor<8xf32>
    tensor.yield %v : f32
  } : tensor<8xf32>
  %4 = tensor.extract_slice %3[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %1, %4 : tensor<?x2xf32>, tensor<2xf32>
}

// -----

// Branches make what is read of them; a loop that turns elements round keeps all.
// CHECK-LABEL: @branch
// CHECK: scf.if %arg0 -> (tensor<2xf32>) {
// CHECK: math.exp %{{.*}} : tensor<2xf32>
// CHECK: scf.while {{.*}} : (tensor<8xf32>, i32) -> (i32, tensor<8xf32>)
func.func @branch(%c: i1, %x: tensor<8xf32>, %n: i32) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    %e = math.exp %x : tensor<8xf32>
    scf.yield %e, %x : tensor<8xf32>, tensor<8xf32>
  } else {
    %e = math.absf %x : tensor<8xf32>
    scf.yield %x, %e : tensor<8xf32>, tensor<8xf32>
  }
  %0 = tensor.extract_slice %r#0[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %w:2 = scf.while (%a = %x, %i = %n) : (tensor<8xf32>, i32) -> (i32, tensor<8xf32>) {
    %z = arith.constant 0 : i32
    %p = arith.cmpi sgt, %i, %z : i32
    %e = math.exp %a : tensor<8xf32>
    scf.condition(%p) %i, %e : i32, tensor<8xf32>
  } do {
  ^bb0(%i: i32, %a: tensor<8xf32>):
    %one = arith.constant 1 : i32
    %j = arith.subi %i, %one : i32
    %s = tensor.extract_slice %a[1] [7] [1] : tensor<8xf32> to tensor<7xf32>
    %e = tensor.empty() : tensor<8xf32>
    %t = tensor.insert_slice %s into %e[0] [7] [1] : tensor<7xf32> into tensor<8xf32>
    %l = tensor.extract_slice %a[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %u = tensor.insert_slice %l into %t[7] [1] [1] : tensor<1xf32> into tensor<8xf32>
    scf.yield %u, %j : tensor<8xf32>, i32
  }
  %1 = tensor.extract_slice %w#1[3] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Sums of nothing are their destination.

// CHECK-LABEL: func.func @sums_of_nothing
// CHECK-SAME: (%[[A:.*]]: tensor<4x0xf32>, %[[B:.*]]: tensor<0x6xf32>)
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[SUM:.*]] = linalg.matmul {{.*}} outs(%[[ZERO]] : tensor<4x6xf32>)
// CHECK: tensor.extract_slice %[[SUM]][1, 0] [2, 6] [1, 1]
func.func @sums_of_nothing(%a: tensor<4x0xf32>, %b: tensor<0x6xf32>) -> tensor<2x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x0xf32>, tensor<0x6xf32>) outs(%fill : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = tensor.extract_slice %0[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  return %1 : tensor<2x6xf32>
}
