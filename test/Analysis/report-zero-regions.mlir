// Slices that are known to be zero, by axis; a product needs finite values.
// RUN: tensoraccess-opt %s --tensoraccess-report=sections=zero-regions --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: remark: {{.*}} value | {{.*}}:zero-regions | Function=padded | Axis=0, Holds=always, Remark="%1 is zero at [0, 0] [4, 4] of axis 0", Size=5, Value=%1, ZeroSlices=2, Zeros="[0, 0] [4, 4]"
// CHECK: remark: {{.*}} value | {{.*}}Axis=0, Holds="if all values are finite", Remark="%4 is zero at [0, 0] [4, 4] of axis 0"
// CHECK: remark: {{.*}} value | {{.*}}Axis=0, Holds="if all values are finite", Remark="%5 is zero at [0, 0] [4, 4] of axis 0"
// CHECK-NOT: remark:
func.func @padded(%x: tensor<3x7xf32>, %y: tensor<5x7xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x7xf32> -> !tensoraccess.access<3 | 7xf32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [1, 0] value = 0.0 : f32
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 7xf32>
  %2 = tensoraccess.access %y at 1
     : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %3 = tensoraccess.pair %1, %2
     : !tensoraccess.access<5 | 7xf32>, !tensoraccess.access<5 | 7xf32>
    -> !tensoraccess.access<5 | 2x7xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<5 | 2x7xf32> -> !tensoraccess.access<5 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<5 | f32> -> tensor<5xf32>
  return %5 : tensor<5xf32>
}
