// RUN: tensoraccess-opt %s --tensoraccess-accelerator="rows=4 cols=4" | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-accelerator="arrays=2x2,8x8" | FileCheck %s --check-prefix=CHOSEN
// RUN: tensoraccess-opt %s --tensoraccess-accelerator="rows=4 cols=4 loops" -o %t.mlir
// RUN: FileCheck %s --check-prefix=LOOPS < %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=convolution --inputs=random:3 --engine=interpret --compare=%s | FileCheck %s --check-prefix=EQUAL
// RUN: not tensoraccess-opt %s --tensoraccess-accelerator=rows=0 2>&1 | FileCheck %s --check-prefix=ROWS

// CHECK-LABEL: func.func @convolution
// CHECK: tensoraccess.systolic_array {{.*}} rows = 4 cols = 4 blocked
// CHECK-NOT: linalg.conv
// CHOSEN-LABEL: func.func @convolution
// CHOSEN: tensoraccess.systolic_array {{.*}} rows = {{2 cols = 2|8 cols = 8}}
// LOOPS-LABEL: func.func @convolution
// LOOPS: scf.for
// LOOPS: tensoraccess.systolic_array {{.*}} rows = 4 cols = 4 :
// EQUAL: compare 0
// ROWS: error: {{.*}}0
func.func @convolution(%image: tensor<1x6x7x3xf32>, %filter: tensor<3x3x3x5xf32>)
    -> tensor<1x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x5x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x5x5xf32>)
      -> tensor<1x4x5x5xf32>
  %0 = linalg.conv_2d_nhwc_hwcf
      ins(%image, %filter : tensor<1x6x7x3xf32>, tensor<3x3x3x5xf32>)
      outs(%init : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}
