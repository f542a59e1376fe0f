// Plans of small programs on grids, by both methods, and what they say of
// them.
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2,cols=3" | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2,cols=3" | tensoraccess-opt --tensoraccess-plan-shards | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="ranks=2 function=halo" --remarks-filter=tensoraccess 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="table=2,8,64 function=product" --remarks-filter=tensoraccess 2>&1 | FileCheck %s --check-prefix=TABLE

// A product is cut along rows and columns, and what follows it with it.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %{{.*}}: tensor<300x500xf32> {tensoraccess.distribution = "needed"}
// CHECK-SAME: -> (tensor<300x700xf32> {tensoraccess.distribution = "{d0: rows, d1: cols}"})
// CHECK-SAME: tensoraccess.grid = "rows=2,cols=3"
// CHECK: linalg.matmul {tensoraccess.cut = "{d0: rows, d1: cols}"}
// CHECK: linalg.exp {tensoraccess.cut = "{d0: rows, d1: cols}"}
// TABLE: 2 ranks: {{.*}} s, {{[0-9]+}} bytes sent, {{[0-9]+}} bytes a rank
// TABLE: 8 ranks:
// TABLE: 64 ranks:
func.func @product(%a: tensor<300x500xf32>, %b: tensor<500x700xf32>)
    -> tensor<300x700xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x700xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300x700xf32>) -> tensor<300x700xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<300x500xf32>, tensor<500x700xf32>)
         outs(%z : tensor<300x700xf32>) -> tensor<300x700xf32>
  %1 = linalg.exp ins(%0 : tensor<300x700xf32>) outs(%e : tensor<300x700xf32>) -> tensor<300x700xf32>
  return %1 : tensor<300x700xf32>
}

// A long sum is split, and its parts are summed where they are scattered.
// CHECK-LABEL: func.func @split
// CHECK: linalg.matmul {tensoraccess.cut = "{d2: rows*cols}", tensoraccess.reduced = "{{{.*}}}"}
func.func @split(%a: tensor<3x600000xf32>, %b: tensor<600000x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x600000xf32>, tensor<600000x5xf32>)
         outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// A convolution after another one: the pad between runs where it is needed, and
// its operand's halo is sent: a row of 40 x 8 elements each way.
// CHECK-LABEL: func.func @halo
// CHECK: tensor.pad {{.*}} {
// CHECK: {tensoraccess.cut = "needed"}
// REMARK: remark: [Analysis] plan-shards {{.*}}BytesSent=2560, {{.*}}Remark=needed
// REMARK: remark: [Analysis] plan-shards {{.*}}BytesSent=2560, {{.*}}Messages=2, {{.*}}Remark="halo on x=2 by dp"
func.func @halo(%x: tensor<1x42x42x8xf32>, %w: tensor<3x3x8x8xf32>, %v: tensor<3x3x8x8xf32>)
    -> tensor<1x40x40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x40x40x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x40x40x8xf32>) -> tensor<1x40x40x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x42x42x8xf32>, tensor<3x3x8x8xf32>)
         outs(%z : tensor<1x40x40x8xf32>) -> tensor<1x40x40x8xf32>
  %p = tensor.pad %0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x40x40x8xf32> to tensor<1x42x42x8xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
         ins(%p, %v : tensor<1x42x42x8xf32>, tensor<3x3x8x8xf32>)
         outs(%z : tensor<1x40x40x8xf32>) -> tensor<1x40x40x8xf32>
  return %1 : tensor<1x40x40x8xf32>
}

// What is said already stays.
// CHECK-LABEL: func.func @kept
// CHECK: linalg.matmul {tensoraccess.cut = "{d1: rows}"}
func.func @kept(%a: tensor<300x500xf32>, %b: tensor<500x700xf32>) -> tensor<300x700xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x700xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300x700xf32>) -> tensor<300x700xf32>
  %0 = linalg.matmul {tensoraccess.cut = "{d1: rows}"}
         ins(%a, %b : tensor<300x500xf32>, tensor<500x700xf32>)
         outs(%z : tensor<300x700xf32>) -> tensor<300x700xf32>
  return %0 : tensor<300x700xf32>
}
