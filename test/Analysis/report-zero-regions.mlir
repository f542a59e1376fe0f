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

// An unknown size has no slices, and the other axis keeps its own.
// CHECK: remark: {{.*}} value | {{.*}}Function=unknown_rows | Axis=1, Holds=always, Remark="%1 is zero at [0, 0] [8, 8] of axis 1"
// CHECK: remark: {{.*}} value | {{.*}}Function=unknown_rows | Axis=1, Holds=always, Remark="%2 is zero at [0, 0] [8, 8] of axis 1"
// CHECK-NOT: remark:
func.func @unknown_rows(%x: tensor<?x7xf32>) -> tensor<?x9xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x7xf32> -> !tensoraccess.access<? | 7xf32>
  %1 = tensoraccess.pad %0 low = [0, 1] high = [0, 1] value = 0.0 : f32
     : !tensoraccess.access<? | 7xf32> -> !tensoraccess.access<? | 9xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<? | 9xf32> -> tensor<?x9xf32>
  return %2 : tensor<?x9xf32>
}

// Values in the body of a loop are values, too.
// CHECK: remark: {{.*}} value | {{.*}}Function=in_loop | Axis=0, Holds=always, Remark="%padded is zero at [0, 0] [4, 4] of axis 0"
// CHECK-NOT: remark:
func.func @in_loop(%x: tensor<3x7xf32>, %n: index) -> tensor<5x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<5x7xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %init)
      -> tensor<5x7xf32> {
    %padded = tensor.pad %x low[1, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<3x7xf32> to tensor<5x7xf32>
    scf.yield %padded : tensor<5x7xf32>
  }
  return %r : tensor<5x7xf32>
}
