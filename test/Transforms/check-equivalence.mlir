// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=windows other=slices" 2>&1 | FileCheck %s --check-prefix=FORMS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=sum other=sum_reversed need=reals" 2>&1 | FileCheck %s --check-prefix=REALS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=sum other=sum_reversed method=test" 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=sum other=sum_reversed need=proved" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=halved other=by_half method=prove" 2>&1 | FileCheck %s --check-prefix=HALVED
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=calls other=is_called need=proved method=prove" 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=array other=by_hand need=reals max-terms=0" 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=matmul other=by_hand max-operations=7 method=test" 2>&1 | FileCheck %s --check-prefix=EXCESS
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=windows other=shifted" 2>&1 | FileCheck %s --check-prefix=SHIFTED
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=kept other=turned_twice" 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=clipped" 2>&1 | FileCheck %s --check-prefix=CLIPPED
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=matmul other=by_hand need=proved" 2>&1 | FileCheck %s --check-prefix=ELEMENTS

// Movement is compared by its canonical forms.
// FORMS: equivalence {{.*}}Method=forms, Verdict=proved
func.func @windows(%a: tensor<5xi32>) -> tensor<4x2xi32> {
  %0 = tensoraccess.access %a at 0
     : tensor<5xi32> -> !tensoraccess.access<| 5xi32>
  %1 = tensoraccess.windows %0 shape = [2] strides = [1]
     : !tensoraccess.access<| 5xi32> -> !tensoraccess.access<4 | 2xi32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<4 | 2xi32> -> tensor<4x2xi32>
  return %2 : tensor<4x2xi32>
}
func.func @slices(%a: tensor<5xi32>) -> tensor<4x2xi32> {
  %0 = tensoraccess.access %a at 1
     : tensor<5xi32> -> !tensoraccess.access<5 | i32>
  %1 = tensoraccess.slice %0 offsets = [0] sizes = [4] strides = [1]
     : !tensoraccess.access<5 | i32> -> !tensoraccess.access<4 | i32>
  %2 = tensoraccess.slice %0 offsets = [1] sizes = [4] strides = [1]
     : !tensoraccess.access<5 | i32> -> !tensoraccess.access<4 | i32>
  %3 = tensoraccess.pair %1, %2
     : !tensoraccess.access<4 | i32>, !tensoraccess.access<4 | i32>
     -> !tensoraccess.access<4 | 2xi32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<4 | 2xi32> -> tensor<4x2xi32>
  return %4 : tensor<4x2xi32>
}
// SHIFTED: :[[# @LINE + 3]]:1: error: function @shifted does not agree with @windows: result 0 at [0, 0]: expected 0, got 1
// SHIFTED: note: input 0 (i32 5) is 0 but for [1] = 1
// SHIFTED-NOT: note
func.func @shifted(%a: tensor<5xi32>) -> tensor<4x2xi32> {
  %0 = tensoraccess.access %a at 0
     : tensor<5xi32> -> !tensoraccess.access<| 5xi32>
  %1 = tensoraccess.slice %0 offsets = [1] sizes = [4] strides = [1]
     : !tensoraccess.access<| 5xi32> -> !tensoraccess.access<| 4xi32>
  %2 = tensoraccess.pad %1 low = [0] high = [1] value = 0 : i32
     : !tensoraccess.access<| 4xi32> -> !tensoraccess.access<| 5xi32>
  %3 = tensoraccess.windows %2 shape = [2] strides = [1]
     : !tensoraccess.access<| 5xi32> -> !tensoraccess.access<4 | 2xi32>
  %4 = tensoraccess.to_tensor %3
     : !tensoraccess.access<4 | 2xi32> -> tensor<4x2xi32>
  return %4 : tensor<4x2xi32>
}

// Floats are rounded after each sum: tests allow for another order.
// The sums are the same multisets, which is a proof over the reals, not of bits.
// REALS: equivalence {{.*}}Inputs=32, Method=elements, Reason="the sums of products are the same, in another order; compared 7 roundings of f32, in any order", Verdict=proved-over-reals
// TESTED: equivalence {{.*}}Inputs=43, Method=tests, Reason="compared 7 roundings of f32, in any order", Verdict=tested
// BITS: error: function @sum_reversed is not known to agree with @sum: the verdict is proved-over-reals
func.func @sum(%a: tensor<7xf32>) -> tensor<f32> {
  %0 = tensoraccess.access %a at 0
     : tensor<7xf32> -> !tensoraccess.access<| 7xf32>
  %1 = tensoraccess.compute reduce_sum %0
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| f32> -> tensor<f32>
  return %2 : tensor<f32>
}
func.func @sum_reversed(%a: tensor<7xf32>) -> tensor<f32> {
  %0 = tensoraccess.access %a at 0
     : tensor<7xf32> -> !tensoraccess.access<| 7xf32>
  %r = tensoraccess.slice %0 offsets = [6] sizes = [7] strides = [-1]
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| 7xf32>
  %1 = tensoraccess.compute reduce_sum %r
     : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<| f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| f32> -> tensor<f32>
  return %2 : tensor<f32>
}

// A proof for all sizes; and a difference at the least size that has one.
// DYNAMIC: equivalence {{.*}}Method=forms, Verdict=proved
func.func @kept(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %a : tensor<?x3xf32>
}
func.func @turned_twice(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tensoraccess.access %a at 1
     : tensor<?x3xf32> -> !tensoraccess.access<? | 3xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<? | 3xf32> -> !tensoraccess.access<3 | ?xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<? | 3xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<? | 3xf32> -> tensor<?x3xf32>
  return %3 : tensor<?x3xf32>
}
// CLIPPED: error: function @clipped does not agree with @kept: result 0 at [0, [[I:[0-2]]]]: expected -{{[0-9.]+}}, got 0
// CLIPPED: note: input 0 (f32 1x3) is 0 but for [0, [[I]]] = -
func.func @clipped(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = tensoraccess.access %a at 1
     : tensor<?x3xf32> -> !tensoraccess.access<? | 3xf32>
  %1 = tensoraccess.compute relu %0
     : !tensoraccess.access<? | 3xf32> -> !tensoraccess.access<? | 3xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<? | 3xf32> -> tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}

// A matmul of linalg adds the same products in the same order as a dot product.
// ELEMENTS: equivalence {{.*}}Method=elements, Verdict=proved
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>)
      -> tensor<2x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>)
      outs(%i : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
func.func @by_hand(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>)
    -> tensor<2x4xf32> {
  %0 = tensoraccess.access %a at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %1 = tensoraccess.access %b at 1
     : tensor<3x4xf32> -> !tensoraccess.access<3 | 4xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<3 | 4xf32> -> !tensoraccess.access<4 | 3xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<4 | 3xf32>
     -> !tensoraccess.access<2x4 | 2x3xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<2x4 | 2x3xf32> -> !tensoraccess.access<2x4 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<2x4 | f32> -> tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

// An array adds up blocks of two rows: by rules, whatever the size.
// ARRAY: equivalence {{.*}}Method=rules, Reason="sums are taken in another order; {{.*}}", Verdict=proved-over-reals
func.func @array(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>)
    -> tensor<2x4xf32> {
  %0 = tensoraccess.access %a at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %1 = tensoraccess.access %b at 0
     : tensor<3x4xf32> -> !tensoraccess.access<| 3x4xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 2 cols = 2 blocked
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<| 3x4xf32>
     -> !tensoraccess.access<2x4 | f32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<2x4 | f32> -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
// 2·3·4 products and sums, 32 times, and once.
// EXCESS: remark: [Missed] equivalence {{.*}}Reason="a run of both takes about 96 operations, and the limit is 7", Verdict=unknown

// Constants that are not whole numbers are names: never too much is claimed.
// HALVED: equivalence {{.*}}Verdict=unknown
func.func @halved(%a: f32) -> f32 {
  %c = arith.constant 2.0 : f32
  %0 = arith.divf %a, %c : f32
  return %0 : f32
}
func.func @by_half(%a: f32) -> f32 {
  %c = arith.constant 0.5 : f32
  %0 = arith.mulf %a, %c : f32
  return %0 : f32
}

// Calls are inlined, also calls in callees.
// CALLS: equivalence {{.*}}Method=forms, Verdict=proved
func.func private @inner(%a: f32) -> f32 {
  %0 = math.sqrt %a : f32
  return %0 : f32
}
func.func private @outer(%a: f32, %b: f32) -> (f32, f32) {
  %0 = call @inner(%a) : (f32) -> f32
  return %b, %0 : f32, f32
}
func.func @calls(%a: f32, %b: f32) -> f32 {
  %0:2 = call @outer(%a, %b) : (f32, f32) -> (f32, f32)
  %1 = arith.addf %0#0, %0#1 : f32
  return %1 : f32
}
func.func @is_called(%a: f32, %b: f32) -> f32 {
  %0 = math.sqrt %a : f32
  %1 = arith.addf %b, %0 : f32
  return %1 : f32
}
