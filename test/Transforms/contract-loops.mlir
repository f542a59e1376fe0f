// RUN: tensoraccess-opt %s --tensoraccess-contract-loops | FileCheck %s
// RUN: tensoraccess-run %s --entry=product --inputs=random:1 \
// RUN:   --compare=%S/Inputs/contract-loops.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=padded --inputs=random:1 \
// RUN:   --compare=%S/Inputs/contract-loops.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=inner --inputs=random:1 \
// RUN:   --compare=%S/Inputs/contract-loops.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %s --entry=extended --inputs=random:1 \
// RUN:   --compare=%S/Inputs/contract-loops.mlir | FileCheck %s --check-prefix=EQUAL

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#k = affine_map<(k) -> (k)>
#none = affine_map<(k) -> ()>

// Factors are read where they lie, the result is copied where it is wanted.
// CHECK-LABEL: @buffers
// CHECK-SAME: %[[A:.*]]: memref<17x33xf32>, %[[B:.*]]: memref<33x19xf32>, %[[C:.*]]: memref<17x19xf32>
func.func @buffers(%a: memref<17x33xf32>, %b: memref<33x19xf32>,
                   %c: memref<17x19xf32>) {
  // CHECK-NOT: vector.
  // CHECK: %[[SUM:.*]] = memref.alloc() : memref<17x19xf32>
  // CHECK: %[[INIT:.*]] = memref.subview %[[C]]
  // CHECK: memref.copy %[[INIT]], %[[SUM]]
  // CHECK-DAG: %[[LHS:.*]] = memref.subview %[[A]]
  // CHECK-DAG: %[[RHS:.*]] = memref.subview %[[B]]
  // CHECK: linalg.generic {{.*}} ins(%[[LHS]], %[[RHS]]{{.*}} outs(%[[SUM]]
  // CHECK: memref.copy %[[SUM]], %{{.*}}
  // CHECK: memref.dealloc %[[SUM]]
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]}
      : memref<17x33xf32>, vector<17x33xf32>
  %y = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]}
      : memref<33x19xf32>, vector<33x19xf32>
  %s = vector.transfer_read %c[%c0, %c0], %z {in_bounds = [true, true]}
      : memref<17x19xf32>, vector<17x19xf32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<17x33xf32>, vector<33x19xf32> into vector<17x19xf32>
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]}
      : vector<17x19xf32>, memref<17x19xf32>
  return
}

// What was written since is not what the vector holds.
// CHECK-LABEL: @written_since
func.func @written_since(%a: memref<17x33xf32>, %b: memref<33x19xf32>,
                         %s: vector<17x19xf32>, %n: f32) -> vector<17x19xf32> {
  // CHECK: %[[X:.*]] = vector.transfer_read
  // CHECK: memref.store
  // CHECK: vector.transfer_write %[[X]], %[[LHS:[a-z_0-9]+]][
  // CHECK: linalg.generic {{.*}} ins(%[[LHS]],
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]}
      : memref<17x33xf32>, vector<17x33xf32>
  memref.store %n, %a[%c0, %c0] : memref<17x33xf32>
  %y = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]}
      : memref<33x19xf32>, vector<33x19xf32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<17x33xf32>, vector<33x19xf32> into vector<17x19xf32>
  return %r : vector<17x19xf32>
}

// 8x8x64 products are left to upstream.
// CHECK-LABEL: @small
func.func @small(%x: vector<8x64xf32>, %y: vector<64x8xf32>,
                 %s: vector<8x8xf32>) -> vector<8x8xf32> {
  // CHECK: vector.contract
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<8x64xf32>, vector<64x8xf32> into vector<8x8xf32>
  return %r : vector<8x8xf32>
}

func.func @product(%a: tensor<17x33xi32>, %b: tensor<33x19xi32>)
    -> tensor<17x19xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %s = arith.constant dense<0> : vector<17x19xi32>
  %e = tensor.empty() : tensor<17x19xi32>
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]}
      : tensor<17x33xi32>, vector<17x33xi32>
  %y = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]}
      : tensor<33x19xi32>, vector<33x19xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<17x33xi32>, vector<33x19xi32> into vector<17x19xi32>
  %w = vector.transfer_write %r, %e[%c0, %c0] {in_bounds = [true, true]}
      : vector<17x19xi32>, tensor<17x19xi32>
  return %w : tensor<17x19xi32>
}

// Vectors that are larger than the tensors.
func.func @padded(%a: tensor<17x33xi32>, %b: tensor<33x19xi32>)
    -> tensor<17x19xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %s = arith.constant dense<0> : vector<18x20xi32>
  %e = tensor.empty() : tensor<17x19xi32>
  %x = vector.transfer_read %a[%c0, %c0], %z
      : tensor<17x33xi32>, vector<18x34xi32>
  %y = vector.transfer_read %b[%c0, %c0], %z
      : tensor<33x19xi32>, vector<34x20xi32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<18x34xi32>, vector<34x20xi32> into vector<18x20xi32>
  %w = vector.transfer_write %r, %e[%c0, %c0]
      : vector<18x20xi32>, tensor<17x19xi32>
  return %w : tensor<17x19xi32>
}

// A sum that is a scalar.
func.func @inner(%a: tensor<5000xi32>, %b: tensor<5000xi32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 7 : i32
  %x = vector.transfer_read %a[%c0], %z {in_bounds = [true]}
      : tensor<5000xi32>, vector<5000xi32>
  %y = vector.transfer_read %b[%c0], %z {in_bounds = [true]}
      : tensor<5000xi32>, vector<5000xi32>
  %r = vector.contract {indexing_maps = [#k, #k, #none],
      iterator_types = ["reduction"], kind = #vector.kind<maxsi>} %x, %y, %z
      : vector<5000xi32>, vector<5000xi32> into i32
  %t = tensor.from_elements %r : tensor<i32>
  return %t : tensor<i32>
}

// Narrow factors are multiplied in the type of the sum.
func.func @extended(%a: tensor<17x33xi8>, %b: tensor<33x19xi8>)
    -> tensor<17x19xi32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i8
  %s = arith.constant dense<3> : vector<17x19xi32>
  %e = tensor.empty() : tensor<17x19xi32>
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]}
      : tensor<17x33xi8>, vector<17x33xi8>
  %y = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]}
      : tensor<33x19xi8>, vector<33x19xi8>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn],
      iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %x, %y, %s
      : vector<17x33xi8>, vector<33x19xi8> into vector<17x19xi32>
  %w = vector.transfer_write %r, %e[%c0, %c0] {in_bounds = [true, true]}
      : vector<17x19xi32>, tensor<17x19xi32>
  return %w : tensor<17x19xi32>
}
// EQUAL: compare 0  equal, bit for bit
