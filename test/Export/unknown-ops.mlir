// Ops of other dialects are plain boxes, their names escaped and cut; an edge
// past a card goes round it.

// RUN: tensoraccess-translate --access-to-svg %s -o %t.svg
// RUN: %python %S/check_svg.py %t.svg
// RUN: FileCheck %s --input-file=%t.svg

// CHECK: @&quot;a&lt;b&gt;&amp;c&quot;
// CHECK-DAG: foo.less&lt;than&gt;&amp;more
// CHECK-DAG: bar.{{a+}}…
// CHECK-DAG: >return<
func.func @"\22a<b>&c\22"(%x: tensor<3x5xf32>, %unused: tensor<7xf32>) -> (tensor<3x5xf32>, tensor<3xf32>, index) {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1:2 = "foo.less<than>&more"(%0) {some = "attribute"} : (!tensoraccess.access<3 | 5xf32>) -> (!tensoraccess.access<3 | 5xf32>, index)
  %2 = "bar.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"(%1#0) : (!tensoraccess.access<3 | 5xf32>) -> !tensoraccess.access<3 | 5xf32>
  %3 = "foo.join"(%2, %0) : (!tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>) -> !tensoraccess.access<3 | 5xf32>
  "foo.sink"(%3, %x) : (!tensoraccess.access<3 | 5xf32>, tensor<3x5xf32>) -> ()
  %4 = tensoraccess.to_tensor %3 : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  %5 = tensoraccess.compute reduce_sum %3 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %4, %6, %1#1 : tensor<3x5xf32>, tensor<3xf32>, index
}
