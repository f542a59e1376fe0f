// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=fused --split-input-file --mlir-print-local-scope | FileCheck %s --check-prefix=FUSED

// A dynamic size is one parameter, with one name, in all ops of a function.
// FUSED: func.func @chain
// FUSED-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1){n0} -> (d1, d0), domain: d0 in [0, 4], d1 in [0, n0 - 1], n0 in [1, inf]>]
// FUSED-SAME: sizes = ["operand 0 dim 0 = n0", "operand 1 dim 1 = n0", "result 0 dim 1 = n0"]
// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<?x5xf32>, %e: tensor<5x?xf32>) -> tensor<5x?xf32> {
  // CHECK: math.exp
  // CHECK-SAME: input_to_output = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1){n0} -> (d0, d1), domain: d0 in [0, n0 - 1], d1 in [0, 4], n0 in [1, inf]>]]]
  // CHECK-SAME: sizes = ["operand 0 dim 0 = n0", "result 0 dim 0 = n0"]
  %y = math.exp %x : tensor<?x5xf32>
  // CHECK: linalg.transpose
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0, d1){n0} -> (d1, d0), domain: d0 in [0, 4], d1 in [0, n0 - 1], n0 in [1, inf]>], []]]
  %r = linalg.transpose ins(%y : tensor<?x5xf32>) outs(%e : tensor<5x?xf32>) permutation = [1, 0]
  return %r : tensor<5x?xf32>
}

// -----

// Sizes that follow from others are forms over them.
// CHECK-LABEL: func.func @concat
func.func @concat(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK: tensor.concat
  // CHECK-SAME: output_to_input = {{\[\[}}[#tensoraccess.indexing_map<(d0){n0} -> (d0), domain: d0 in [0, n0 - 1], n0 in [1, inf]>], [#tensoraccess.indexing_map<(d0){n0, n1} -> (d0 - n0), domain: d0 in [n0, n0 + n1 - 1], n0 in [0, inf], n1 in [0, inf]>]]]
  // CHECK-SAME: sizes = ["operand 0 dim 0 = n0", "operand 1 dim 0 = n1", "result 0 dim 0 = n0 + n1"]
  %r = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Slices of no elements, at places known at run time only: the maps are empty.
// CHECK-LABEL: @empty_slices
// CHECK: tensor.extract_slice
// CHECK-SAME: indexing_map<empty
// CHECK: tensor.insert_slice
// CHECK-SAME: indexing_map<empty
func.func @empty_slices(%a: tensor<?x16x6xi16>, %s: tensor<0x?xi8>, %b: tensor<6x4xi8>, %i: index, %j: index)
    -> (tensor<0x?x?xi16>, tensor<6x4xi8>) {
  %0 = tensor.extract_slice %a[0, %i, %j] [0, %i, %i] [1, 1, 1] : tensor<?x16x6xi16> to tensor<0x?x?xi16>
  %1 = tensor.insert_slice %s into %b[3, %i] [0, %i] [1, 1] : tensor<0x?xi8> into tensor<6x4xi8>
  return %0, %1 : tensor<0x?x?xi16>, tensor<6x4xi8>
}
