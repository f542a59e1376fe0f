// RUN: tensoraccess-opt %s --tensoraccess-shard | FileCheck %s

// Reshapes from and to scalars have no groups of dimensions; of one element in
// two parts, the second has it.

// CHECK-LABEL: func.func @main_0(
// CHECK-SAME: -> (tensor<0x1xi16> {{.*}}, tensor<i16>)
// CHECK: %[[E:.*]] = tensor.expand_shape %{{.*}} [] output_shape [1, 1]
// CHECK: tensor.collapse_shape %[[E]] [] : tensor<1x1xi16> into tensor<i16>
// CHECK-LABEL: func.func @main_1(
// CHECK-SAME: -> (tensor<1x1xi16> {{.*}}, tensor<i16>)
func.func @main(%a: tensor<i16>)
    -> (tensor<1x1xi16> {tensoraccess.distribution = "{d0: a}"}, tensor<i16>)
    attributes {tensoraccess.grid = "a=2"} {
  %0 = tensor.expand_shape %a [] output_shape [1, 1] {tensoraccess.cut = "needed"}
     : tensor<i16> into tensor<1x1xi16>
  %1 = tensor.collapse_shape %0 [] {tensoraccess.cut = "needed"}
     : tensor<1x1xi16> into tensor<i16>
  return %0, %1 : tensor<1x1xi16>, tensor<i16>
}
