// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-raise \
// RUN:   --remarks-filter="tensoraccess.*" --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s

// Batches need a pairing of points, not a product.
// CHECK: remark: [Missed] raise {{.*}}Function=batch {{.*}}Reason="loop 0 of 3 indexes both operands, which a Cartesian product cannot", Remark="linalg.batch_matmul is not raised"
// CHECK: linalg.batch_matmul
func.func @batch(%p: tensor<3x5x7xf32>, %q: tensor<3x7x2xf32>,
                 %i: tensor<3x5x2xf32>) -> tensor<3x5x2xf32> {
  %0 = linalg.batch_matmul ins(%p, %q : tensor<3x5x7xf32>, tensor<3x7x2xf32>)
      outs(%i : tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// -----

// CHECK: Reason="its arithmetic widens or mixes element types"
// CHECK: linalg.matmul
func.func @widening(%p: tensor<3x5xi8>, %q: tensor<5x7xi8>,
                    %i: tensor<3x7xi32>) -> tensor<3x7xi32> {
  %0 = linalg.matmul ins(%p, %q : tensor<3x5xi8>, tensor<5x7xi8>)
      outs(%i : tensor<3x7xi32>) -> tensor<3x7xi32>
  return %0 : tensor<3x7xi32>
}

// -----

// CHECK: Reason="operand 0 has a dynamic shape"
// CHECK: linalg.matmul
func.func @dynamic(%p: tensor<?x5xf32>, %q: tensor<5x7xf32>,
                   %i: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %0 = linalg.matmul ins(%p, %q : tensor<?x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<?x7xf32>) -> tensor<?x7xf32>
  return %0 : tensor<?x7xf32>
}

// -----

// CHECK: Reason="it works on buffers"
// CHECK: linalg.matmul
func.func @buffers(%p: memref<3x5xf32>, %q: memref<5x7xf32>,
                   %i: memref<3x7xf32>) {
  linalg.matmul ins(%p, %q : memref<3x5xf32>, memref<5x7xf32>)
      outs(%i : memref<3x7xf32>)
  return
}

// -----

// Max pooling reduces over windows, but not by sums of products.
// CHECK: Reason="its body is not a sum of products", Remark="linalg.pooling_nhwc_max is not raised"
// CHECK: linalg.pooling_nhwc_max
func.func @pooling(%x: tensor<1x9x8x5xf32>, %w: tensor<3x2xf32>,
                   %i: tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32> {
  %0 = linalg.pooling_nhwc_max ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x2xf32>)
      outs(%i : tensor<1x7x7x5xf32>) -> tensor<1x7x7x5xf32>
  return %0 : tensor<1x7x7x5xf32>
}

// -----

// The result leaves out the last places of the window.
// CHECK: Reason="dimension 0 has 9 places for its window, the result 8"
// CHECK: linalg.conv_1d
func.func @fewer_places(%x: tensor<11xf32>, %w: tensor<3xf32>,
                        %i: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.conv_1d ins(%x, %w : tensor<11xf32>, tensor<3xf32>)
      outs(%i : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Strided without a window: no op of ours says that in one step.
// CHECK: Reason="dimension 0 of operand 0 is not indexed by a loop or a window"
// CHECK: linalg.generic
func.func @strided(%x: tensor<9x5xf32>, %w: tensor<5x7xf32>,
                   %i: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, f, k) -> (2 * i, k)>,
                       affine_map<(i, f, k) -> (k, f)>,
                       affine_map<(i, f, k) -> (i, f)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x5xf32>, tensor<5x7xf32>)
      outs(%i : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// -----

// CHECK: Reason="reduction loop 1 does not index operand 1"
func.func @reduction_of_one(%x: tensor<3x5xf32>, %w: tensor<3xf32>,
                            %i: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>,
                       affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<3x5xf32>, tensor<3xf32>) outs(%i : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
