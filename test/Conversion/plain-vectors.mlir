// Vectors that upstream lowers wrongly, or not at all.
// RUN: tensoraccess-opt %s --tensoraccess-foreign-to-linalg | FileCheck %s

// A mask and a map that leaves a dimension out: a loop over the elements.
// CHECK-LABEL: @skips
// CHECK-NOT: vector.transfer_write
// CHECK: %[[MASK:.*]] = vector.shape_cast %{{.*}} : vector<4x3xi1> to vector<12xi1>
// CHECK: scf.for %[[NUMBER:.*]] = %{{.*}} iter_args(%[[DEST:.*]] = %{{.*}}) -> (tensor<4x3x6xf32>)
// CHECK: %[[MOVES:.*]] = vector.extract %[[MASK]][%{{.*}}]
// CHECK: scf.if %[[MOVES]] -> (tensor<4x3x6xf32>)
// CHECK: tensor.insert %{{.*}} into %[[DEST]]
func.func @skips(%v: vector<4x3xf32>, %o: tensor<4x3x6xf32>, %m: vector<4x3xi1>) -> tensor<4x3x6xf32> {
  %c0 = arith.constant 0 : index
  %t = vector.transfer_write %v, %o[%c0, %c0, %c0], %m {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<4x3xf32>, tensor<4x3x6xf32>
  return %t : tensor<4x3x6xf32>
}

// Each place is compared with the size where it may be outside.
// CHECK-LABEL: @broadcasts
// CHECK: memref.dim
// CHECK: arith.cmpi ult
// CHECK: memref.load
func.func @broadcasts(%a: memref<?x3xf32>, %i: index, %x: f32, %m: vector<4xi1>) -> vector<5x4xf32> {
  %v = vector.transfer_read %a[%i, %i], %x, %m {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d0)>} : memref<?x3xf32>, vector<5x4xf32>
  return %v : vector<5x4xf32>
}

// CHECK-LABEL: @stays
// CHECK-NEXT: vector.transfer_read %{{.*}}, %{{.*}}, %{{.*}}
func.func @stays(%a: memref<?x3xf32>, %i: index, %x: f32, %m: vector<2x4xi1>) -> vector<2x4xf32> {
  %v = vector.transfer_read %a[%i, %i], %x, %m : memref<?x3xf32>, vector<2x4xf32>
  return %v : vector<2x4xf32>
}

// LLVM would read three bits, where there are three bytes.
// CHECK-LABEL: @bits
// CHECK: scf.for
// CHECK: tensor.extract %{{.*}} : tensor<3xi1>
func.func @bits(%a: tensor<3xi1>, %x: i1) -> vector<3xi1> {
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %a[%c0], %x {in_bounds = [true]} : tensor<3xi1>, vector<3xi1>
  return %v : vector<3xi1>
}

// CHECK-LABEL: @loaded_bits
// CHECK: memref.load %{{.*}} : memref<8xi4>
// CHECK: memref.store %{{.*}} : memref<8xi4>
func.func @loaded_bits(%a: memref<8xi4>, %i: index) {
  %v = vector.load %a[%i] : memref<8xi4>, vector<3xi4>
  vector.store %v, %a[%i] : memref<8xi4>, vector<3xi4>
  return
}

// CHECK-LABEL: @mask
// CHECK-NOT: vector.mask
// CHECK: %[[ALL:.*]] = vector.transfer_read %{{.*}}[%{{.*}}], %{{[^ ]*}} : tensor<?xf32>, vector<8xf32>
// CHECK: %[[NONE:.*]] = vector.broadcast
// CHECK: arith.select %{{.*}}, %[[ALL]], %[[NONE]] : vector<8xi1>, vector<8xf32>
func.func @mask(%a: tensor<?xf32>, %x: f32, %m: vector<8xi1>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.mask %m { vector.transfer_read %a[%c0], %x {in_bounds = [true]} : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %v : vector<8xf32>
}

// CHECK-LABEL: @element
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<3x4xi32> to vector<12xi32>
// CHECK: vector.extract %[[FLAT]][%{{.*}}] : i32 from vector<12xi32>
func.func @element(%v: vector<3x4xi32>, %i: index) -> i32 {
  %e = vector.extract %v[%i, 2] : i32 from vector<3x4xi32>
  return %e : i32
}

// CHECK-LABEL: @row
// CHECK-COUNT-4: vector.insert %{{.*}}, %{{.*}} [%{{.*}}] : i32 into vector<12xi32>
// CHECK: vector.shape_cast %{{.*}} : vector<12xi32> to vector<3x4xi32>
func.func @row(%v: vector<3x4xi32>, %r: vector<4xi32>, %i: index) -> vector<3x4xi32> {
  %e = vector.insert %r, %v[%i] : vector<4xi32> into vector<3x4xi32>
  return %e : vector<3x4xi32>
}
