// What the ops on layouts and indices read, both ways.
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing | FileCheck %s

// CHECK-LABEL: @relayout
func.func @relayout(%x: tensor<3x5xf32>, %y: tensor<?x5xf32>, %z: tensor<3x4xf32>) {
  // Tiles are not part of a value.
  // CHECK: tensoraccess.relayout {{.*}}input_to_output = {{.*}}<(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 4]>{{.*}} output_to_input = {{.*}}<(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 2]>
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<3x5xf32> to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  // CHECK: tensoraccess.relayout {{.*}}output_to_input = {{.*}} -> (d1, d0), domain: d0 in [0, 4], d1 in [0, n0 - 1]
  %1 = tensoraccess.relayout %y permutation = [1, 0] : tensor<?x5xf32> to tensor<5x?xf32>
  // CHECK: tensoraccess.relayout {{.*}}input_to_output = {{.*}}<(d0, d1) -> (d0 + d1 * 3){{.*}} output_to_input = {{.*}}<(d0) -> (d0 mod 3, d0 floordiv 3), domain: d0 in [0, 11]>
  %2 = tensoraccess.relayout %z permutation = [1, 0] : tensor<3x4xf32> to tensor<12xf32>
  // CHECK: tensoraccess.relayout {{.*}}output_to_input = {{.*}}<(d0) -> (d0 floordiv 5, d0 mod 5), domain: d0 in [0, 14]>
  %3 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<15xf32, #tensoraccess.layout<{0:T(4)}>>
  return
}

// CHECK-LABEL: @bitcast
func.func @bitcast(%x: tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,2)}>>, %y: tensor<6xf32>) {
  // Tiles of two rows and two columns, one after another.
  // CHECK: tensoraccess.bitcast {{.*}}output_to_input = {{.*}}<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 2 + d3), domain: d0 in [0, 1], d1 in [0, 2], d2 in [0, 1], d3 in [0, 1]>
  %0 = tensoraccess.bitcast %x
     : tensor<4x6xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<2x3x2x2xi32>
  // The last element becomes padding.
  // CHECK: tensoraccess.bitcast {{.*}}input_to_output = {{.*}}<(d0) -> (d0), domain: d0 in [0, 4]>{{.*}} output_to_input = {{.*}}<(d0) -> (d0), domain: d0 in [0, 4]>
  %1 = tensoraccess.bitcast %y : tensor<6xf32> to tensor<5xf32, #tensoraccess.layout<{0:T(6)}>>
  return
}

// Scalars.
// CHECK-LABEL: @indices
func.func @indices(%i: index, %j: index) {
  // CHECK: tensoraccess.linearize {{.*}}output_to_input = {{.*}}<() -> ()>{{.*}}<() -> ()>
  %0 = tensoraccess.linearize %i, %j in #tensoraccess.layout<{1,0}> of [3, 5]
  return
}
