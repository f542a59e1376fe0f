// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-assign-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-assign-layouts --remarks-filter=".*" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-assign-layouts=dynamic-size=64 | FileCheck %s --check-prefix=MANY

// The weights in panels as wide as the register tile; nothing else moves, since
// panels of 16 divide 512 columns.
// CHECK-LABEL: @matmul
// CHECK: %[[W:.*]] = tensoraccess.relayout %arg1 : tensor<256x512xf32> to tensor<256x512xf32, #tensoraccess.layout<{0,1:T(16,1)}>>
// CHECK: %[[R:.*]] = linalg.matmul ins(%arg0, %[[W]] : {{.*}}) outs({{.*}} : tensor<64x512xf32>)
// CHECK: return %[[R]]
// REMARK: relayout | {{.*}}BytesRead=524288, BytesWritten=524288, From="{1,0}", Place=weight, To="{0,1:T(16,1)}", Value="argument 1"
// REMARK: contraction | {{.*}}Mode=panels
// REMARK: layouts | {{.*}}Assigned=1,{{.*}} InnerBytes=0, Left=0,
func.func @matmul(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>)
         -> tensor<64x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}

// -----

// A matrix unit of 16x16, from the module: tiles in all three.
module attributes {tensoraccess.target =
    #tensoraccess.target<unit, memory_cost = 1, matrix_units = [16x16 in 46]>} {
// CHECK-LABEL: @unit
// CHECK-DAG: tensoraccess.relayout %arg0 : tensor<64x256xf32> to tensor<64x256xf32, #tensoraccess.layout<{1,0:T(16,16)}>>
// CHECK-DAG: tensoraccess.relayout %arg1 : tensor<256x512xf32> to tensor<256x512xf32, #tensoraccess.layout<{1,0:T(16,16)}>>
// CHECK: linalg.matmul
// CHECK: tensoraccess.relayout %{{.*}} : tensor<64x512xf32, #tensoraccess.layout<{1,0:T(16,16)}>> to tensor<64x512xf32>
func.func @unit(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>)
         -> tensor<64x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}
}

// -----

// Two convolutions with an elementwise op and a pad between: images change at
// the borders only.
// CHECK-LABEL: @convolutions
// CHECK: %[[X:.*]] = tensoraccess.relayout %arg0
// CHECK: %[[V:.*]] = tensoraccess.relayout %arg1
// CHECK: %[[W:.*]] = tensoraccess.relayout %arg2
// CHECK-NOT: tensoraccess.relayout
// CHECK: linalg.conv_2d_nchw_fchw ins(%[[X]], %[[V]]
// CHECK-NOT: tensoraccess.relayout
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: tensoraccess.relayout
// CHECK-NEXT: return
func.func @convolutions(%x: tensor<1x64x28x28xf32>, %v: tensor<64x64x3x3xf32>,
                        %w: tensor<128x64x3x3xf32>) -> tensor<1x128x26x26xf32> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x64x26x26xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<1x64x26x26xf32>)
          -> tensor<1x64x26x26xf32>
  %0 = linalg.conv_2d_nchw_fchw
         ins(%x, %v : tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>)
         outs(%f0 : tensor<1x64x26x26xf32>) -> tensor<1x64x26x26xf32>
  %1 = linalg.abs ins(%0 : tensor<1x64x26x26xf32>)
         outs(%e0 : tensor<1x64x26x26xf32>) -> tensor<1x64x26x26xf32>
  %2 = tensor.pad %1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %z : f32
  } : tensor<1x64x26x26xf32> to tensor<1x64x28x28xf32>
  %e1 = tensor.empty() : tensor<1x128x26x26xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<1x128x26x26xf32>)
          -> tensor<1x128x26x26xf32>
  %3 = linalg.conv_2d_nchw_fchw
         ins(%2, %w : tensor<1x64x28x28xf32>, tensor<128x64x3x3xf32>)
         outs(%f1 : tensor<1x128x26x26xf32>) -> tensor<1x128x26x26xf32>
  return %3 : tensor<1x128x26x26xf32>
}

// -----

// One row reads every weight once: packing them would cost more.
// CHECK-LABEL: @row
// CHECK-NOT: tensoraccess
// REMARK: Missed] contraction | {{.*}}Function=row | Reason="relayouts would cost more than they save"
func.func @row(%x: tensor<1x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<1x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x512xf32>)
         -> tensor<1x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<1x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %r : tensor<1x512xf32>
}

// -----

// A dynamic batch stays outside of tiles, and counts as 16 rows, too few to pack
// the weights for.
// CHECK-LABEL: @dynamic
// CHECK-NOT: tensoraccess
// REMARK: Missed] contraction | {{.*}}Function=dynamic | Reason="relayouts would cost more than they save"
// REMARK: layouts | {{.*}}Function=dynamic | {{.*}}DynamicSize=16
// MANY-LABEL: @dynamic
// MANY: %[[W:.*]] = tensoraccess.relayout %arg1 : tensor<256x512xf32> to tensor<256x512xf32, #tensoraccess.layout<{0,1:T(16,1)}>>
// MANY: linalg.matmul ins(%arg0, %[[W]] : tensor<?x256xf32>
// MANY-SAME: outs(%arg2 : tensor<?x512xf32>)
func.func @dynamic(%x: tensor<?x256xf32>, %w: tensor<256x512xf32>,
                   %f: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<?x512xf32>) -> tensor<?x512xf32>
  return %r : tensor<?x512xf32>
}

// -----

// The image of each of a batch in blocks: bytes are an expression.
// CHECK-LABEL: @images
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK-SAME: tensor<?x64x
// REMARK: relayout | {{.*}}Function=images {{.*}}BytesRead="n0 * {{[0-9]+}}"
// REMARK: layouts | {{.*}}Function=images
func.func @images(%x: tensor<?x64x30x30xf32>, %w: tensor<64x64x3x3xf32>,
                  %v: tensor<64x64x3x3xf32>, %n: index)
    -> tensor<?x64x26x26xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x64x28x28xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64x28x28xf32>)
         -> tensor<?x64x28x28xf32>
  %0 = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<?x64x30x30xf32>, tensor<64x64x3x3xf32>)
         outs(%f : tensor<?x64x28x28xf32>) -> tensor<?x64x28x28xf32>
  %g = tensor.empty(%n) : tensor<?x64x26x26xf32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<?x64x26x26xf32>)
         -> tensor<?x64x26x26xf32>
  %1 = linalg.conv_2d_nchw_fchw
         ins(%0, %v : tensor<?x64x28x28xf32>, tensor<64x64x3x3xf32>)
         outs(%h : tensor<?x64x26x26xf32>) -> tensor<?x64x26x26xf32>
  return %1 : tensor<?x64x26x26xf32>
}

// -----

// Where caches are known, kernels copy panels of plain weights themselves: packing
// them at the entry gains nothing.
module attributes {tensoraccess.target = #tensoraccess.target<
    known, vector_bytes = 64, registers = 32, register_tile = 6x4,
    caches = [32768x8, 1048576x8]>} {
// CHECK-LABEL: @kernels
// CHECK-NOT: tensoraccess.relayout
// REMARK: contraction | {{.*}}Reason="relayouts would cost more than they save"
// REMARK: layouts | {{.*}}Assigned=0,{{.*}} Cost=[[COST:[0-9]+]], {{.*}}PlainCost=[[COST]]
func.func @kernels(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>)
    -> tensor<64x512xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>)
         -> tensor<64x512xf32>
  %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
         outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %r : tensor<64x512xf32>
}

// An image of seven columns fills no vectors of sixteen: channels last pay.
// CHECK-LABEL: @narrow
// CHECK: tensoraccess.relayout %arg1
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: tensoraccess.relayout
func.func @narrow(%x: tensor<1x512x9x9xf32>, %w: tensor<512x512x3x3xf32>)
    -> tensor<1x512x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x512x7x7xf32>)
         -> tensor<1x512x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>)
         outs(%f : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %r : tensor<1x512x7x7xf32>
}
}
