// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-pack-weights=target=x86-64-v4 | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-pack-weights="target=x86-64-v4 out-params" | FileCheck %s --check-prefix=OUT
// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-pack-weights=target=nope 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: unknown target 'nope'

// Panels of 64 columns, the last one filled up; `pack_product` makes them.
// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 64, d2, d1 mod 64)>
// CHECK: #[[PACK:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 * 64 + d2)>
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[X:.*]]: tensor<60x256xf32>, %{{.*}}: tensor<256x100xf32> {tensoraccess.constant}, %[[P:.*]]: tensor<2x256x64xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], #{{.*}}]
// CHECK-SAME: ins(%[[X]], %[[P]] :
// CHECK-LABEL: func.func @pack_product
// CHECK-SAME: %[[W:.*]]: tensor<256x100xf32> {tensoraccess.argument = 1 : i64}) -> (tensor<2x256x64xf32> {tensoraccess.argument = 2 : i64})
// CHECK: %[[Q:.*]] = tensor.pad %[[W]] low[0, 0] high[0, 28]
// CHECK: linalg.generic {indexing_maps = [#[[PACK]], #{{.*}}]
// CHECK-SAME: ins(%[[Q]] :
// OUT-LABEL: func.func @pack_product
// OUT-SAME: %{{.*}}: tensor<256x100xf32> {{{.*}}}, %[[M:.*]]: memref<2x256x64xf32>
// OUT: bufferization.materialize_in_destination %{{.*}} in restrict writable %[[M]]
func.func @product(%x: tensor<60x256xf32>,
                   %w: tensor<256x100xf32> {tensoraccess.constant})
    -> tensor<60x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<60x100xf32>)
       -> tensor<60x100xf32>
  %y = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%f : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %y : tensor<60x100xf32>
}

// -----

// bf16 that is only extended is extended there; a transposition is part of it.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %{{.*}}: tensor<32x80xf32>, %{{.*}}: tensor<1x80x32xf32>)
// CHECK-NOT: arith.extf %in_
// CHECK-LABEL: func.func @pack_transposed
// CHECK: arith.extf
func.func @transposed(%x: tensor<16x80xf32>,
                      %w: tensor<32x80xbf16> {tensoraccess.constant},
                      %y: tensor<16x32xf32>, %v: tensor<32x80xf32>)
    -> tensor<16x32xf32> {
  %z = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x80xf32>, tensor<32x80xbf16>)
      outs(%y : tensor<16x32xf32>) {
  ^bb0(%a: f32, %b: bf16, %out: f32):
    %c = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<16x32xf32>
  return %z : tensor<16x32xf32>
}

// -----

// What is not said to be the same stays as it is, and so does what is called.
// CHECK-LABEL: func.func @plain
// CHECK: linalg.matmul
// CHECK-LABEL: func.func @called
// CHECK-SAME: tensor<256x100xf32> {tensoraccess.constant})
// CHECK: linalg.matmul
// CHECK-NOT: @pack_
func.func @plain(%x: tensor<60x256xf32>, %w: tensor<256x100xf32>,
                 %y: tensor<60x100xf32>) -> tensor<60x100xf32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%y : tensor<60x100xf32>) -> tensor<60x100xf32>
  %r = func.call @called(%x, %z, %w) : (tensor<60x256xf32>, tensor<60x100xf32>,
       tensor<256x100xf32>) -> tensor<60x100xf32>
  return %r : tensor<60x100xf32>
}
func.func @called(%x: tensor<60x256xf32>, %y: tensor<60x100xf32>,
                  %w: tensor<256x100xf32> {tensoraccess.constant})
    -> tensor<60x100xf32> {
  %z = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%y : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %z : tensor<60x100xf32>
}

// -----

// What a constant global holds is packed, too; of one that is written to nothing is
// known.
memref.global constant @w : memref<256x100xf32>
memref.global @v : memref<256x100xf32>
// CHECK-LABEL: func.func @global
// CHECK-SAME: %[[X:.*]]: tensor<60x256xf32>, %[[P:.*]]: tensor<2x256x64xf32>)
// CHECK-DAG: memref.get_global @v
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]], %[[P]] :
// CHECK-DAG: linalg.matmul
// CHECK: return
// CHECK-LABEL: func.func @pack_global
// CHECK: memref.get_global @w
// CHECK-NOT: @v
func.func @global(%x: tensor<60x256xf32>)
    -> (tensor<60x100xf32>, tensor<60x100xf32>) {
  %gw = memref.get_global @w : memref<256x100xf32>
  %w = bufferization.to_tensor %gw restrict
     : memref<256x100xf32> to tensor<256x100xf32>
  %gv = memref.get_global @v : memref<256x100xf32>
  %v = bufferization.to_tensor %gv restrict
     : memref<256x100xf32> to tensor<256x100xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<60x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<60x100xf32>)
       -> tensor<60x100xf32>
  %y = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%f : tensor<60x100xf32>) -> tensor<60x100xf32>
  %z = linalg.matmul ins(%x, %v : tensor<60x256xf32>, tensor<256x100xf32>)
       outs(%f : tensor<60x100xf32>) -> tensor<60x100xf32>
  return %y, %z : tensor<60x100xf32>, tensor<60x100xf32>
}

// -----

// For any number of rows: by the plan of the parts that cut-sizes makes of them.
// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 64, d2, d1 mod 64)>
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %{{.*}}: tensor<?x256xf32>, %{{.*}}: tensor<256x100xf32> {tensoraccess.constant}, %[[P:.*]]: tensor<2x256x64xf32>)
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[READ]], #{{.*}}]
// Nothing is planned for unknown columns.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.matmul
// CHECK-NOT: func.func @pack_columns
func.func @rows(%x: tensor<?x256xf32>,
                %w: tensor<256x100xf32> {tensoraccess.constant},
                %y: tensor<?x100xf32>) -> tensor<?x100xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x256xf32>, tensor<256x100xf32>)
       outs(%y : tensor<?x100xf32>) -> tensor<?x100xf32>
  return %r : tensor<?x100xf32>
}

func.func @columns(%x: tensor<60x256xf32>,
                   %w: tensor<256x?xf32> {tensoraccess.constant},
                   %y: tensor<60x?xf32>) -> tensor<60x?xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<60x256xf32>, tensor<256x?xf32>)
       outs(%y : tensor<60x?xf32>) -> tensor<60x?xf32>
  return %r : tensor<60x?xf32>
}
