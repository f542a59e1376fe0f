// What has no elements, or is a constant of another dialect, is cut as well.
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-shard | FileCheck %s

// CHECK: func.func @{{.*}}_1(
func.func @main(%x: tensor<8xi32> {tensoraccess.distribution = "{d0: x}"}) -> tensor<8xi32> attributes {tensoraccess.grid = "x=2"} {
  %c = "tosa.const"() {values = dense<[1,2,3,4,5,6,7,8]> : tensor<8xi32>, tensoraccess.cut = "needed"} : () -> tensor<8xi32>
  %0 = arith.addi %x, %c {tensoraccess.cut = "{d0: x}"} : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

// CHECK: func.func @{{.*}}_1(
func.func @main(%x: tensor<0x4xi32> {tensoraccess.distribution = "{d1: x}"}) -> tensor<2x4xi32> attributes {tensoraccess.grid = "x=2"} {
  %z = arith.constant 7 : i32
  %0 = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i32
  } {tensoraccess.cut = "{d1: x}"} : tensor<0x4xi32> to tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}

// -----

// CHECK: func.func @{{.*}}_1(
func.func @main(%x: tensor<0x4xi32> {tensoraccess.distribution = "{d1: x}"}) -> tensor<0x4xi32> attributes {tensoraccess.grid = "x=2"} {
  %0 = arith.addi %x, %x {tensoraccess.cut = "needed"} : tensor<0x4xi32>
  return %0 : tensor<0x4xi32>
}

// -----

// CHECK: func.func @{{.*}}_1(
func.func @main(%x: tensor<8xi32> {tensoraccess.distribution = "{d0: x}"}, %y: tensor<8xi32>) -> tensor<8xi32> attributes {tensoraccess.grid = "x=2"} {
  %e = tensor.empty() : tensor<8xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>,affine_map<(d0)->(-(d0 floordiv -1))>,affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi32>) outs(%e: tensor<8xi32>) attrs = {tensoraccess.cut = "{d0: x}"} {
  ^bb0(%a: i32, %b: i32, %c: i32):
   linalg.yield %a : i32 
  } -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----

// A quotient and its remainder put together are the index itself: the block that
// is read is as long as the one that is written.
// CHECK: func.func @{{.*}}_1(
// CHECK: ins({{.*}} : tensor<6xi32>) outs({{.*}} : tensor<6xi32>)
func.func @main(%x: tensor<11xi32> {tensoraccess.distribution = "{d0: x}"}) -> tensor<11xi32> attributes {tensoraccess.grid = "x=2"} {
  %e = tensor.empty() : tensor<11xi32>
  %r = linalg.generic {indexing_maps=[affine_map<(d0)->(((d0 floordiv 3) * 3) + (d0 mod 3))>,affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%x : tensor<11xi32>) outs(%e: tensor<11xi32>) attrs = {tensoraccess.cut = "{d0: x}"} {
  ^bb0(%a: i32, %c: i32):
   linalg.yield %a : i32
  } -> tensor<11xi32>
  return %r : tensor<11xi32>
}
