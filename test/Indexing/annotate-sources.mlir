// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=output-to-input | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing="fused direction=output-to-input" | FileCheck %s --check-prefix=FUSED

// Where a runtime variable comes from is written beside the maps, in the same
// nesting, with one dictionary per runtime variable.

// FUSED: func.func @offset(
// FUSED-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 7]>], [], [#tensoraccess.indexing_map<(d0) -> (), domain: d0 in [0, 2]>]]]
// FUSED-SAME: runtime_sources = {output_to_input = {{\[\[\[\[}}{map = #tensoraccess.indexing_map<(d0){rt0} -> (), domain: d0 in [0, 2], rt0 in [0, 7]>, operand = 2 : i64}]], [], {{\[\[\]\]\]\]}}}
func.func @offset(%x: tensor<10xf32>, %unused: index, %i: index)
    -> tensor<3xf32> {
  // CHECK: tensor.extract_slice
  // CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 2], rt0 in [0, 7]>], [#tensoraccess.indexing_map<(d0) -> (), domain: d0 in [0, 2]>]]]
  // CHECK-SAME: runtime_sources = {output_to_input = {{\[\[\[\[}}{map = #tensoraccess.indexing_map<(d0){rt0} -> (), domain: d0 in [0, 2], rt0 in [0, 7]>, operand = 1 : i64}]], {{\[\[\]\]\]\]}}}
  %r = tensor.extract_slice %x[%i] [3] [1]
         : tensor<10xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// Without results nothing is read.
// CHECK-LABEL: func.func @nothing()
// CHECK: tensoraccess.apply_indexing {{.*}}() {tensoraccess.indexing = {output_to_input = []}}
func.func @nothing() {
  tensoraccess.apply_indexing #tensoraccess.indexing_map<() -> ()>()
  return
}
