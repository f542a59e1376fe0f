// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="first=windows second=slices" 2>&1 | FileCheck %s --check-prefix=FORMS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="first=sum second=sum_reversed" 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=windows second=shifted" 2>&1 | FileCheck %s --check-prefix=SHIFTED

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
// SHIFTED: :[[# @LINE + 3]]:1: error: function @shifted does not agree with @windows: result 0 at [2, 1]: expected 0, got 1
// SHIFTED: note: input 0 (i32 5) is 0 but for [4] = 1
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
// TESTED: equivalence {{.*}}Inputs=32, Method=tests, Reason="compared 7 roundings of f32, in any order", Verdict=tested
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
