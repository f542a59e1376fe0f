// RUN: tensoraccess-opt %s --tensoraccess-order-loops | FileCheck %s

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d3, d2 * 2 + d4, d5)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>

// m, n, k becomes m, k, n.
// CHECK-LABEL: @matmul
// CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]], iterator_types = ["parallel", "reduction", "parallel"]}
func.func @matmul(%a: memref<5x7xf32>, %b: memref<7x16xf32>,
                  %c: memref<5x16xf32>) {
  linalg.matmul ins(%a, %b : memref<5x7xf32>, memref<7x16xf32>)
      outs(%c : memref<5x16xf32>)
  return
}

// Filters go innermost, the order of the sums stays.
// CHECK-LABEL: @conv
// CHECK: linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel"]}
func.func @conv(%x: tensor<1x9x11x5xf32>, %w: tensor<3x3x5x7xf32>,
                %i: tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>,
                                 strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x11x5xf32>, tensor<3x3x5x7xf32>)
      outs(%i : tensor<1x4x5x7xf32>) -> tensor<1x4x5x7xf32>
  return %0 : tensor<1x4x5x7xf32>
}

// Along m the matrix is not contiguous; elementwise ops are in order.
// CHECK-LABEL: @others
// CHECK: linalg.matvec
// CHECK: linalg.add
func.func @others(%a: memref<5x7xf32>, %x: memref<7xf32>, %y: memref<5xf32>) {
  linalg.matvec ins(%a, %x : memref<5x7xf32>, memref<7xf32>)
      outs(%y : memref<5xf32>)
  linalg.add ins(%y, %y : memref<5xf32>, memref<5xf32>) outs(%y : memref<5xf32>)
  return
}

// Neighbouring windows read neighbouring elements, of unknown sizes, too.
// CHECK-LABEL: @windows
// CHECK: linalg.generic {{{.*}}, iterator_types = ["reduction", "parallel"]} ins(%{{.*}}, %{{.*}} : memref<?xf32>, memref<3xf32>)
func.func @windows(%x: memref<?xf32>, %w: memref<3xf32>, %y: memref<?xf32>) {
  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<3xf32>)
      outs(%y : memref<?xf32>)
  return
}

// Every second element is apart from the next one.
// CHECK-LABEL: @steps
// CHECK: iterator_types = ["parallel", "reduction"]
func.func @steps(%x: memref<9xf32>, %w: memref<3xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(p, r) -> (p * 2 + r)>,
                                   affine_map<(p, r) -> (r)>,
                                   affine_map<(p, r) -> (p)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : memref<9xf32>, memref<3xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}
