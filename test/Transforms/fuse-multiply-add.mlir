// RUN: tensoraccess-opt %s --tensoraccess-fuse-multiply-add | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The body of a named op.
// CHECK-LABEL: @matmul
// CHECK: linalg.generic
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = math.fma %[[X]], %[[Y]], %[[OUT]] : f32
// CHECK-NEXT: linalg.yield %[[S]]
func.func @matmul(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>,
                  %c: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>)
                     outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Factors that are computed, and two results, of which one is not a sum of
// products.
// CHECK-LABEL: @computed
// CHECK: %[[P:.*]] = arith.subf
// CHECK: %[[S:.*]] = math.fma %[[P]], %[[P]], %{{.*}} : f64
// CHECK: %[[T:.*]] = arith.addf
// CHECK: linalg.yield %[[S]], %[[T]]
func.func @computed(%a: tensor<5x7xf64>, %s: tensor<5xf64>, %t: tensor<5xf64>)
    -> (tensor<5xf64>, tensor<5xf64>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row],
                         iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<5x7xf64>) outs(%s, %t : tensor<5xf64>, tensor<5xf64>) {
  ^bb0(%x: f64, %sum: f64, %other: f64):
    %one = arith.constant 1.0 : f64
    %d = arith.subf %x, %one : f64
    %p = arith.mulf %d, %d : f64
    %n = arith.addf %p, %sum : f64
    %m = arith.addf %other, %d : f64
    linalg.yield %n, %m : f64, f64
  } -> (tensor<5xf64>, tensor<5xf64>)
  return %r#0, %r#1 : tensor<5xf64>, tensor<5xf64>
}

// Integers, small floats, flags that allow more, and a product that has another
// use: two roundings, or none.
// CHECK-LABEL: @others
// CHECK-NOT: math.fma
func.func @others(%a: tensor<5x7xi32>, %b: tensor<5x7xf16>, %c: tensor<5x7xf32>,
                  %i: tensor<5xi32>, %h: tensor<5xf16>, %f: tensor<5xf32>)
    -> (tensor<5xi32>, tensor<5xf16>, tensor<5xf32>, tensor<5xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<5x7xi32>) outs(%i : tensor<5xi32>) {
  ^bb0(%x: i32, %sum: i32):
    %p = arith.muli %x, %x : i32
    %n = arith.addi %sum, %p : i32
    linalg.yield %n : i32
  } -> tensor<5xi32>
  %1 = linalg.generic {indexing_maps = [#id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<5x7xf16>) outs(%h : tensor<5xf16>) {
  ^bb0(%x: f16, %sum: f16):
    %p = arith.mulf %x, %x : f16
    %n = arith.addf %sum, %p : f16
    linalg.yield %n : f16
  } -> tensor<5xf16>
  %2 = linalg.generic {indexing_maps = [#id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<5x7xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %p = arith.mulf %x, %x fastmath<nnan> : f32
    %n = arith.addf %sum, %p : f32
    linalg.yield %n : f32
  } -> tensor<5xf32>
  %3 = linalg.generic {indexing_maps = [#id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%c : tensor<5x7xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %p = arith.mulf %x, %x : f32
    %q = arith.addf %sum, %p : f32
    %n = arith.maximumf %q, %p : f32
    linalg.yield %n : f32
  } -> tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xi32>, tensor<5xf16>, tensor<5xf32>, tensor<5xf32>
}
