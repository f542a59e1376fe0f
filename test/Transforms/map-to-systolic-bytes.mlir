// Bytes that are summed in i32 stay bytes: cells extend what they multiply. In
// loops over blocks, too, and exactly: sums of integers have no order.
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-map-to-systolic="rows=8 cols=4" --remarks-filter=tensoraccess -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tensoraccess-run %t.mlir --entry=product --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-run %t.mlir --entry=conv --engine=systolic --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=SIM
// RUN: tensoraccess-run %t.mlir --entry=conv --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=JIT
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-block-matmul="rows=8 cols=4" -o %t.blocks.mlir
// RUN: FileCheck %s --input-file=%t.blocks.mlir --check-prefix=BLOCKS
// RUN: tensoraccess-run %t.blocks.mlir --entry=product --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=JIT
// RUN: tensoraccess-run %t.blocks.mlir --entry=conv --inputs=random:1 --compare=%s | FileCheck %s --check-prefix=JIT
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-check-equivalence="against=%t.mlir function=product other=product method=prove need=reals" -o /dev/null
// RUN: tensoraccess-opt %s --tensoraccess-raise --tensoraccess-check-equivalence="against=%t.mlir function=conv other=conv method=prove need=reals" -o /dev/null

// REMARK-NOT: [Missed]
// REMARK-COUNT-2: [Passed] systolic
// SIM: compare 0 {{.*}}equal, bit for bit
// JIT: compare 0 {{.*}}equal, bit for bit

// CHECK-LABEL: @product
// CHECK: systolic_array %{{.*}} rows = 8 cols = 4 blocked accumulator = i32 : !tensoraccess.access<6 | 20xi8>, !tensoraccess.access<| 20x9xi8> -> !tensoraccess.access<6x9 | i32>
// BLOCKS-LABEL: @product
// BLOCKS: systolic_array %{{.*}} rows = 8 cols = 4 accumulator = i32 : !tensoraccess.access<6 | 8xi8>, !tensoraccess.access<| 8x4xi8> -> !tensoraccess.access<6x4 | i32>
func.func @product(%a: tensor<6x20xi8>, %b: tensor<20x9xi8>) -> tensor<6x9xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6x9xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<6x9xi32>) -> tensor<6x9xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<6x20xi8>, tensor<20x9xi8>)
    outs(%f : tensor<6x9xi32>) -> tensor<6x9xi32>
  return %0 : tensor<6x9xi32>
}

// CHECK-LABEL: @conv
// CHECK: systolic_array {{.*}} accumulator = i32
func.func @conv(%x: tensor<1x8x9x3xi8>, %w: tensor<3x3x3x5xi8>) -> tensor<1x6x7x5xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x7x5xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<1x6x7x5xi32>) -> tensor<1x6x7x5xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x8x9x3xi8>, tensor<3x3x3x5xi8>)
    outs(%f : tensor<1x6x7x5xi32>) -> tensor<1x6x7x5xi32>
  return %0 : tensor<1x6x7x5xi32>
}
