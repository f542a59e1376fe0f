// Relayouts and ops on indices, as few as say the same.
// RUN: tensoraccess-opt %s --canonicalize --split-input-file | FileCheck %s

// There and back is nothing, also by way of a type that holds every value.
// CHECK-LABEL: @back(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xbf16>
// CHECK-NEXT: return %[[X]]
func.func @back(%x: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<3x5xbf16> to tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %1 = tensoraccess.relayout %0 permutation = [1, 0]
     : tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<3x5xbf16>
  return %1 : tensor<3x5xbf16>
}

// -----

// A float that was rounded stays rounded; an integer cut twice is cut once.
// CHECK-LABEL: @rounded(
// CHECK: tensoraccess.relayout {{.*}} to tensor<3x5xbf16>
// CHECK: tensoraccess.relayout {{.*}} to tensor<3x5xf32>
// CHECK: tensoraccess.relayout {{.*}} : tensor<3x5xi32> to tensor<5x3xi8>
func.func @rounded(%x: tensor<3x5xf32>, %y: tensor<3x5xi32>) -> (tensor<3x5xf32>, tensor<5x3xi8>) {
  %0 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<3x5xbf16>
  %1 = tensoraccess.relayout %0 : tensor<3x5xbf16> to tensor<3x5xf32>
  %2 = tensoraccess.relayout %y permutation = [1, 0] : tensor<3x5xi32> to tensor<5x3xi16>
  %3 = tensoraccess.relayout %2 : tensor<5x3xi16> to tensor<5x3xi8>
  return %1, %3 : tensor<3x5xf32>, tensor<5x3xi8>
}

// -----

// Two transposes are one; what a reshape is between stays; what others read
// stays, too.
// CHECK-LABEL: @composed(
// CHECK: tensoraccess.relayout %{{.*}} permutation = [2, 0, 1] : tensor<3x5x7xf32> to tensor<7x3x5xf32, #tensoraccess.layout<{2,1,0:T(2,2)}>>
// CHECK: tensoraccess.relayout %{{.*}} permutation = [1, 0, 2] : tensor<3x5x7xf32> to tensor<5x21xf32>
// CHECK: tensoraccess.relayout %{{.*}} permutation = [1, 0] : tensor<5x21xf32> to tensor<21x5xf32>
func.func @composed(%x: tensor<3x5x7xf32>) -> (tensor<7x3x5xf32, #tensoraccess.layout<{2,1,0:T(2,2)}>>, tensor<21x5xf32>) {
  %0 = tensoraccess.relayout %x permutation = [0, 2, 1] : tensor<3x5x7xf32> to tensor<3x7x5xf32>
  %1 = tensoraccess.relayout %0 permutation = [1, 0, 2]
     : tensor<3x7x5xf32> to tensor<7x3x5xf32, #tensoraccess.layout<{2,1,0:T(2,2)}>>
  %2 = tensoraccess.relayout %x permutation = [1, 0, 2] : tensor<3x5x7xf32> to tensor<5x21xf32>
  %3 = tensoraccess.relayout %2 permutation = [1, 0] : tensor<5x21xf32> to tensor<21x5xf32>
  return %1, %3 : tensor<7x3x5xf32, #tensoraccess.layout<{2,1,0:T(2,2)}>>, tensor<21x5xf32>
}

// -----

// The transpose that an order of dimensions undoes, a tile that is the whole
// dimension, a reshape: no byte moves. A tail is other memory.
// CHECK-LABEL: @bitcasts(
// CHECK: tensoraccess.bitcast %{{.*}} : tensor<3x5xf32> to tensor<5x3xf32, #tensoraccess.layout<{0,1}>>
// CHECK: tensoraccess.bitcast %{{.*}} : tensor<4x6xf32> to tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,6)}>>
// CHECK: tensoraccess.bitcast %{{.*}} : tensor<3x5xf32> to tensor<15xf32>
// CHECK: tensoraccess.relayout %{{.*}} : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{0:L(4)}>>
func.func @bitcasts(%x: tensor<3x5xf32>, %y: tensor<4x6xf32>)
    -> (tensor<5x3xf32, #tensoraccess.layout<{0,1}>>, tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,6)}>>, tensor<15xf32>, tensor<15xf32, #tensoraccess.layout<{0:L(4)}>>) {
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<3x5xf32> to tensor<5x3xf32, #tensoraccess.layout<{0,1}>>
  %1 = tensoraccess.relayout %y
     : tensor<4x6xf32> to tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,6)}>>
  %2 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<15xf32>
  %3 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{0:L(4)}>>
  return %0, %1, %2, %3 : tensor<5x3xf32, #tensoraccess.layout<{0,1}>>, tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,6)}>>, tensor<15xf32>, tensor<15xf32, #tensoraccess.layout<{0:L(4)}>>
}

// -----

// bitcast of bitcast.
// CHECK-LABEL: @bitcast_twice(
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>
// CHECK-NEXT: %[[Y:.*]] = tensoraccess.bitcast %[[X]] : tensor<3x5xf32> to tensor<5x3xi32>
// CHECK-NEXT: return %[[Y]], %[[X]]
func.func @bitcast_twice(%x: tensor<3x5xf32>) -> (tensor<5x3xi32>, tensor<3x5xf32>) {
  %0 = tensoraccess.bitcast %x : tensor<3x5xf32> to tensor<15xf32>
  %1 = tensoraccess.bitcast %0 : tensor<15xf32> to tensor<5x3xi32>
  %2 = tensoraccess.bitcast %0 : tensor<15xf32> to tensor<3x5xf32>
  return %1, %2 : tensor<5x3xi32>, tensor<3x5xf32>
}

// -----

// Constants: 1.01 rounds to 1.00781 in bfloat16; -1 is 255 of 8 bits.
// CHECK-LABEL: @constants(
// CHECK-DAG: dense<{{\[\[}}1.007810e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xbf16, #tensoraccess.layout<{1,0:T(2,1)}>>
// CHECK-DAG: dense<[1065353216, 0]> : tensor<2xi32>
// CHECK-NOT: tensoraccess.relayout
// CHECK-NOT: tensoraccess.bitcast
func.func @constants() -> (tensor<2x2xbf16, #tensoraccess.layout<{1,0:T(2,1)}>>, tensor<2xi32>) {
  %x = arith.constant dense<[[1.01, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<2x2xf32> to tensor<2x2xbf16, #tensoraccess.layout<{1,0:T(2,1)}>>
  %y = arith.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %1 = tensoraccess.bitcast %y : tensor<2xf32> to tensor<2xi32>
  return %0, %1 : tensor<2x2xbf16, #tensoraccess.layout<{1,0:T(2,1)}>>, tensor<2xi32>
}

// -----

// (2, 3) of 3x5 in tiles of 2x2 is 17, which is (2, 3); 19 is padding.
// CHECK-LABEL: @index_constants(
// CHECK-DAG: %[[C17:.*]] = arith.constant 17 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[FALSE:.*]] = arith.constant false
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: return %[[C17]], %[[C3]], %[[TRUE]], %[[FALSE]]
func.func @index_constants() -> (index, index, i1, i1) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c19 = arith.constant 19 : index
  %0 = tensoraccess.linearize %c2, %c3 in #tensoraccess.layout<{1,0:T(2,2)}> of [%c3, 5]
  %1, %2, %3 = tensoraccess.delinearize %0 in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  %4, %5, %6 = tensoraccess.delinearize %c19 in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  return %0, %2, %3, %6 : index, index, i1, i1
}

// -----

// Inverses of one shape, static or not; of two they stay.
// CHECK-LABEL: @inverses(
// CHECK-SAME: %[[I:.*]]: index, %[[J:.*]]: index, %[[M:.*]]: index
// CHECK: %[[OTHER:.*]] = tensoraccess.linearize
// CHECK: return %[[I]], %[[J]], %[[M]], %[[OTHER]]
func.func @inverses(%i: index, %j: index, %m: index) -> (index, index, index, index) {
  %0 = tensoraccess.linearize %i, %j in #tensoraccess.layout<{1,0:T(2,2)}> of [%m, 5]
  %1, %2, %3 = tensoraccess.delinearize %0 in #tensoraccess.layout<{1,0:T(2,2)}> of [%m, 5]
  %4, %5, %6 = tensoraccess.delinearize %m in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  %7 = tensoraccess.linearize %4, %5 in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
  %8 = tensoraccess.linearize %4, %5 in #tensoraccess.layout<{1,0}> of [3, 5]
  return %1, %2, %7, %8 : index, index, index, index
}

// -----

// Maps: composed, simplified, of constants, identities.
// CHECK-LABEL: @maps(
// CHECK-SAME: %[[I:.*]]: index, %[[J:.*]]: index
// CHECK: %[[R:.*]] = tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0)[s0] -> (d0 + s0 + 1), domain: d0 in [0, 9], s0 in [0, 2]>(%[[I]])[%[[J]]]
// CHECK: return %[[R]], %[[J]]
func.func @maps(%i: index, %j: index) -> (index, index) {
  %0:2 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(d0)[s0] -> (d0 + s0, s0), domain: d0 in [0, 9], s0 in [0, 2]>(%i)[%j]
  %1:2 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(d0, d1) -> (d0 + 1, d1), domain: d0 in [0, 20], d1 in [0, 20]>(%0#0, %0#1)
  return %1#0, %1#1 : index, index
}

// -----

// CHECK-LABEL: @map_of_constant(
// CHECK-SAME: %[[I:.*]]: index
// CHECK: tensoraccess.apply_indexing #tensoraccess.indexing_map<(d0) -> (d0 + 8), domain: d0 in [0, 9]>(%[[I]])
func.func @map_of_constant(%i: index) -> index {
  %c2 = arith.constant 2 : index
  %0 = tensoraccess.apply_indexing
    #tensoraccess.indexing_map<(d0, d1) -> (d0 + d1 * 4), domain: d0 in [0, 9], d1 in [0, 9]>(%i, %c2)
  return %0 : index
}
