// An op that may fail at run time is not run where the program would not: out
// of a loop that may have no iteration go only ops whose shapes are all static.
// RUN: tensoraccess-opt %s --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: @speculation(
// CHECK: tensoraccess.windows %{{.*}} : !tensoraccess.access<| 9xf32>
// CHECK: tensoraccess.compute elementwise_div %{{.*}} : !tensoraccess.access<| 2x3xf32>
// CHECK: scf.for
// CHECK: tensoraccess.windows %{{.*}} : !tensoraccess.access<| ?xf32>
// CHECK: tensoraccess.compute elementwise_div %{{.*}} : !tensoraccess.access<| 2x3xi32>
// CHECK: tensoraccess.accelerator_call
func.func @speculation(%n: index, %a: !tensoraccess.access<| 9xf32>,
                       %b: !tensoraccess.access<| ?xf32>,
                       %c: !tensoraccess.access<| 2x3xf32>,
                       %d: !tensoraccess.access<| 2x3xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %0 = tensoraccess.windows %a shape = [3] strides = [1]
       : !tensoraccess.access<| 9xf32> -> !tensoraccess.access<7 | 3xf32>
    %1 = tensoraccess.windows %b shape = [3] strides = [1]
       : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 3xf32>
    %2 = tensoraccess.compute elementwise_div %c
       : !tensoraccess.access<| 2x3xf32> -> !tensoraccess.access<| 3xf32>
    %3 = tensoraccess.compute elementwise_div %d
       : !tensoraccess.access<| 2x3xi32> -> !tensoraccess.access<| 3xi32>
    %4 = tensoraccess.accelerator_call "f"(%c)
       : (!tensoraccess.access<| 2x3xf32>) -> !tensoraccess.access<| 3xf32>
    "test.use"(%0, %1, %2, %3, %4)
       : (!tensoraccess.access<7 | 3xf32>, !tensoraccess.access<? | 3xf32>,
          !tensoraccess.access<| 3xf32>, !tensoraccess.access<| 3xi32>,
          !tensoraccess.access<| 3xf32>) -> ()
  }
  return
}
