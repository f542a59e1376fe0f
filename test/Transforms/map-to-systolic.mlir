// Convolutions and contractions on arrays: what comes out, and that it is the
// same when it runs on the simulator.
// RUN: tensoraccess-opt %s --tensoraccess-map-to-systolic="rows=16 cols=16" --canonicalize | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-map-to-systolic="rows=4 cols=8" -o %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=conv --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-run %t.mlir --entry=grouped --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-run %t.mlir --entry=matmul --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-opt %s --tensoraccess-block-matmul="rows=4 cols=8" -o %t.blocks.mlir
// RUN: FileCheck %s --check-prefix=LOOPS < %t.blocks.mlir
// RUN: tensoraccess-run %t.blocks.mlir --entry=conv --engine=interpret --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %t.blocks.mlir --entry=grouped --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=EQUAL
// RUN: tensoraccess-run %t.blocks.mlir --entry=matmul --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=EQUAL

// SIM: array {{.*}} 1 op
// SIM: compare 0 {{.*}}equal
// EQUAL: compare 0 {{.*}}equal

// CHECK-LABEL: @conv
// CHECK: tensoraccess.systolic_array {{.*}} rows = 16 cols = 16 blocked
// CHECK-NOT: dot_prod
// LOOPS-LABEL: @conv
// LOOPS: scf.for
// LOOPS: scf.for
// LOOPS: tensoraccess.systolic_array {{.*}} rows = 4 cols = 8 :
func.func @conv(%x: tensor<3x8x9xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<5x6x7xf32> {
  %0 = tensoraccess.access %w at 1 : tensor<5x3x3x3xf32> -> !tensoraccess.access<5 | 3x3x3xf32>
  %1 = tensoraccess.access %x at 0 : tensor<3x8x9xf32> -> !tensoraccess.access<| 3x8x9xf32>
  %2 = tensoraccess.windows %1 shape = [3, 3, 3] strides = [1, 1, 1]
     : !tensoraccess.access<| 3x8x9xf32> -> !tensoraccess.access<1x6x7 | 3x3x3xf32>
  %3 = tensoraccess.squeeze %2 axis 0
     : !tensoraccess.access<1x6x7 | 3x3x3xf32> -> !tensoraccess.access<6x7 | 3x3x3xf32>
  %4 = tensoraccess.cart_prod %0, %3
     : !tensoraccess.access<5 | 3x3x3xf32>, !tensoraccess.access<6x7 | 3x3x3xf32>
    -> !tensoraccess.access<5x6x7 | 2x3x3x3xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<5x6x7 | 2x3x3x3xf32> -> !tensoraccess.access<5x6x7 | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<5x6x7 | f32> -> tensor<5x6x7xf32>
  return %6 : tensor<5x6x7xf32>
}

// Two groups: a batch of two products.
// CHECK-LABEL: @grouped
// CHECK: tensoraccess.systolic_array {{.*}}!tensoraccess.access<2x{{[0-9]+}} | 6xf32>, !tensoraccess.access<2 | 6x{{[0-9]+}}xf32>
// CHECK-NOT: dot_prod
// LOOPS-LABEL: @grouped
// LOOPS: scf.for
// LOOPS: tensoraccess.systolic_array {{.*}} rows = 4 cols = 8 :
func.func @grouped(%a: tensor<2x3x6xf32>, %b: tensor<2x5x6xf32>) -> tensor<3x2x5xf32> {
  %0 = tensoraccess.access %a at 2 : tensor<2x3x6xf32> -> !tensoraccess.access<2x3 | 6xf32>
  %1 = tensoraccess.access %b at 2 : tensor<2x5x6xf32> -> !tensoraccess.access<2x5 | 6xf32>
  %2 = tensoraccess.insert_axis %0 axis 2
     : !tensoraccess.access<2x3 | 6xf32> -> !tensoraccess.access<2x3x1 | 6xf32>
  %3 = tensoraccess.insert_axis %1 axis 1
     : !tensoraccess.access<2x5 | 6xf32> -> !tensoraccess.access<2x1x5 | 6xf32>
  %4 = tensoraccess.broadcast %2
     : !tensoraccess.access<2x3x1 | 6xf32> -> !tensoraccess.access<2x3x5 | 6xf32>
  %5 = tensoraccess.broadcast %3
     : !tensoraccess.access<2x1x5 | 6xf32> -> !tensoraccess.access<2x3x5 | 6xf32>
  %6 = tensoraccess.pair %4, %5
     : !tensoraccess.access<2x3x5 | 6xf32>, !tensoraccess.access<2x3x5 | 6xf32>
    -> !tensoraccess.access<2x3x5 | 2x6xf32>
  %7 = tensoraccess.compute dot_prod %6
     : !tensoraccess.access<2x3x5 | 2x6xf32> -> !tensoraccess.access<2x3x5 | f32>
  %8 = tensoraccess.transpose %7 perm = [1, 0, 2]
     : !tensoraccess.access<2x3x5 | f32> -> !tensoraccess.access<3x2x5 | f32>
  %9 = tensoraccess.to_tensor %8 : !tensoraccess.access<3x2x5 | f32> -> tensor<3x2x5xf32>
  return %9 : tensor<3x2x5xf32>
}

// CHECK-LABEL: @matmul
// CHECK: tensoraccess.systolic_array {{.*}}!tensoraccess.access<{{.*}} | 20xf32>
// LOOPS-LABEL: @matmul
func.func @matmul(%a: tensor<6x20xf32>, %b: tensor<20x9xf32>) -> tensor<6x9xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<6x20xf32> -> !tensoraccess.access<6 | 20xf32>
  %1 = tensoraccess.access %b at 1 : tensor<20x9xf32> -> !tensoraccess.access<20 | 9xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0]
     : !tensoraccess.access<20 | 9xf32> -> !tensoraccess.access<9 | 20xf32>
  %3 = tensoraccess.cart_prod %0, %2
     : !tensoraccess.access<6 | 20xf32>, !tensoraccess.access<9 | 20xf32>
    -> !tensoraccess.access<6x9 | 2x20xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<6x9 | 2x20xf32> -> !tensoraccess.access<6x9 | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<6x9 | f32> -> tensor<6x9xf32>
  return %5 : tensor<6x9xf32>
}
