// Two views whose elements are the same may differ in their shapes, where those
// are known at run time only: such views are not one. Each function is run with
// sizes that tell the dimensions apart, before and after.
//
// RUN: tensoraccess-opt %s --tensoraccess-raise \
// RUN:   --tensoraccess-discover-im2col -o %t.im2col.mlir
// RUN: tensoraccess-opt %s --tensoraccess-raise \
// RUN:   --tensoraccess-saturate=rules=access -o %t.access.mlir
// RUN: tensoraccess-opt %s --tensoraccess-raise \
// RUN:   --tensoraccess-map-to-systolic -o %t.systolic.mlir
// RUN: tensoraccess-opt %s --tensoraccess-raise \
// RUN:   --tensoraccess-block-matmul -o %t.block.mlir
// RUN: tensoraccess-opt %s --tensoraccess-raise --canonicalize --cse \
// RUN:   -o %t.canonical.mlir
//
// RUN: tensoraccess-run %t.im2col.mlir --entry=repeated --dynamic-sizes=3,5 \
// RUN:   --compare=%s | FileCheck %s --check-prefix=REPEATED
// RUN: tensoraccess-run %t.access.mlir --entry=repeated --dynamic-sizes=3,5 \
// RUN:   --compare=%s | FileCheck %s --check-prefix=REPEATED
// RUN: tensoraccess-run %t.systolic.mlir --entry=repeated --dynamic-sizes=3,5 \
// RUN:   --compare=%s | FileCheck %s --check-prefix=REPEATED
// RUN: tensoraccess-run %t.block.mlir --entry=repeated --dynamic-sizes=3,5 \
// RUN:   --compare=%s | FileCheck %s --check-prefix=REPEATED
// RUN: tensoraccess-run %t.canonical.mlir --entry=repeated \
// RUN:   --dynamic-sizes=3,5 --compare=%s | FileCheck %s --check-prefix=REPEATED
// REPEATED: f32 3x5
// REPEATED: equal, bit for bit: 15 of 15
//
// RUN: tensoraccess-run %t.access.mlir --entry=reciprocal \
// RUN:   --dynamic-sizes=3,5 --compare=%s | FileCheck %s --check-prefix=DIVIDED
// RUN: tensoraccess-run %t.im2col.mlir --entry=reciprocal \
// RUN:   --dynamic-sizes=3,5 --compare=%s | FileCheck %s --check-prefix=DIVIDED
// DIVIDED: equal, bit for bit: 15 of 15
//
// RUN: tensoraccess-run %t.access.mlir --entry=along_each \
// RUN:   --dynamic-sizes=3,5 --compare=%s | FileCheck %s --check-prefix=EACH
// RUN: tensoraccess-run %t.im2col.mlir --entry=along_each \
// RUN:   --dynamic-sizes=3,5 --compare=%s | FileCheck %s --check-prefix=EACH
// EACH: f32 3x7
// EACH: f32 5x7
//
// RUN: tensoraccess-run %t.access.mlir --entry=without_elements \
// RUN:   --engine=interpret --dynamic-sizes=3,5 | FileCheck %s --check-prefix=NONE
// RUN: tensoraccess-run %t.im2col.mlir --entry=without_elements \
// RUN:   --engine=interpret --dynamic-sizes=3,5 | FileCheck %s --check-prefix=NONE
// NONE: f32 3x5
// NONE: f32 5x3

// A scalar, once for each element of %x.
func.func @repeated(%x: tensor<?x?xf32>, %s: tensor<f32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> ()>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<f32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.mulf %a, %a : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A constant, likewise.
func.func @reciprocal(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %q = arith.divf %one, %a : f32
    linalg.yield %q : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A row, repeated along either of two dimensions of a matrix.
func.func @along_each(%x: tensor<?x?xf32>, %row: tensor<7xf32>)
    -> (tensor<?x7xf32>, tensor<?x7xf32>) {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?xf32> -> !tensoraccess.access<?x? | f32>
  %1 = tensoraccess.access %row at 1
     : tensor<7xf32> -> !tensoraccess.access<7 | f32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<?x? | f32>, !tensoraccess.access<7 | f32>
    -> !tensoraccess.access<?x?x7 | 2xf32>
  %3 = tensoraccess.slice %2 offsets = [0, 0, 0, 1] sizes = [-1, 1, 7, 1]
     : !tensoraccess.access<?x?x7 | 2xf32> -> !tensoraccess.access<?x1x7 | 1xf32>
  %4 = tensoraccess.squeeze %3 axis 3
     : !tensoraccess.access<?x1x7 | 1xf32> -> !tensoraccess.access<?x1x7 | f32>
  %5 = tensoraccess.squeeze %4 axis 1
     : !tensoraccess.access<?x1x7 | f32> -> !tensoraccess.access<?x7 | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<?x7 | f32> -> tensor<?x7xf32>
  %7 = tensoraccess.slice %2 offsets = [0, 0, 0, 1] sizes = [1, -1, 7, 1]
     : !tensoraccess.access<?x?x7 | 2xf32> -> !tensoraccess.access<1x?x7 | 1xf32>
  %8 = tensoraccess.squeeze %7 axis 3
     : !tensoraccess.access<1x?x7 | 1xf32> -> !tensoraccess.access<1x?x7 | f32>
  %9 = tensoraccess.squeeze %8 axis 0
     : !tensoraccess.access<1x?x7 | f32> -> !tensoraccess.access<?x7 | f32>
  %10 = tensoraccess.to_tensor %9
     : !tensoraccess.access<?x7 | f32> -> tensor<?x7xf32>
  return %6, %10 : tensor<?x7xf32>, tensor<?x7xf32>
}

// Sums of nothing, of which there are as many as the matrix has elements.
func.func @without_elements(%x: tensor<?x?xf32>, %n: tensor<0xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = tensoraccess.access %x at 2
     : tensor<?x?xf32> -> !tensoraccess.access<?x? | f32>
  %1 = tensoraccess.access %n at 1
     : tensor<0xf32> -> !tensoraccess.access<0 | f32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<?x? | f32>, !tensoraccess.access<0 | f32>
    -> !tensoraccess.access<?x?x0 | 2xf32>
  %3 = tensoraccess.to_tensor %2
     : !tensoraccess.access<?x?x0 | 2xf32> -> tensor<?x?x0x2xf32>
  %4 = tensoraccess.access %3 at 2
     : tensor<?x?x0x2xf32> -> !tensoraccess.access<?x? | 0x2xf32>
  %5 = tensoraccess.compute reduce_sum %4
     : !tensoraccess.access<?x? | 0x2xf32> -> !tensoraccess.access<?x? | f32>
  %6 = tensoraccess.to_tensor %5
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  %7 = tensoraccess.transpose %4 perm = [1, 0, 2, 3]
     : !tensoraccess.access<?x? | 0x2xf32> -> !tensoraccess.access<?x? | 0x2xf32>
  %8 = tensoraccess.compute reduce_sum %7
     : !tensoraccess.access<?x? | 0x2xf32> -> !tensoraccess.access<?x? | f32>
  %9 = tensoraccess.to_tensor %8
     : !tensoraccess.access<?x? | f32> -> tensor<?x?xf32>
  return %6, %9 : tensor<?x?xf32>, tensor<?x?xf32>
}
