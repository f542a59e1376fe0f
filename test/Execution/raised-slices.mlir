// Raising reads as much of a dimension of unknown size as the loops did, and
// no more: here 4, 3 and 5 elements, of which one or two are read.
// RUN: tensoraccess-opt %s --tensoraccess-raise -o %t.mlir
// RUN: FileCheck %s --check-prefix=RAISED < %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=one --inputs=random:1 --dynamic-sizes=4,3,5 --compare=%s | FileCheck %s --check-prefix=ONE
// RUN: tensoraccess-run %s --entry=one --inputs=random:1 --dynamic-sizes=4,3,5 --compare=interpret | FileCheck %s --check-prefix=ONE
// RUN: tensoraccess-run %t.mlir --entry=two --inputs=random:1 --dynamic-sizes=1,5 --compare=%s | FileCheck %s --check-prefix=TWO
// RUN: tensoraccess-run %t.mlir --entry=cut --inputs=random:1 --dynamic-sizes=4,3 --compare=%s | FileCheck %s --check-prefix=CUT
// RAISED-NOT: linalg.generic
// RAISED-NOT: tensor.extract_slice

// ONE: compare 0  equal, bit for bit: 1 of 1
func.func @one(%x: tensor<?x?x?xf32>) -> tensor<1x1x1xf32> {
  %init = tensor.empty() : tensor<1x1x1xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (3 * i, -j, k + 2)>,
                       affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x?x?xf32>) outs(%init : tensor<1x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// TWO: compare 0  equal, bit for bit: 2 of 2
func.func @two(%x: tensor<?x?xf32>) -> tensor<1x2xf32> {
  %init = tensor.empty() : tensor<1x2xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, i + j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%init : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CUT: compare 0  equal, bit for bit: 2 of 2
func.func @cut(%x: tensor<?x?xf32>) -> tensor<1x2xf32> {
  %0 = tensor.extract_slice %x[0, 0] [1, 2] [3, 2]
     : tensor<?x?xf32> to tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
