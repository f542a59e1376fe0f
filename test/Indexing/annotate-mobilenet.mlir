// RUN: tensoraccess-opt %models/mobilenet.stablehlo-generic.mlir --tensoraccess-annotate-indexing -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: not grep "indexing_map<unknown>" %t
// RUN: tensoraccess-opt %models/mobilenet.stablehlo-generic.mlir --tensoraccess-annotate-indexing=fused -o %t.fused
// RUN: FileCheck %s --input-file=%t.fused --check-prefix=FUSED
// RUN: not grep "indexing_map<unknown>" %t.fused

// Every op of the model has an answer, and so has every argument of the whole.
// A depthwise convolution reads one feature of its input.
// CHECK: stablehlo.convolution
// CHECK: stablehlo.convolution
// CHECK-SAME: output_to_input = {{\[\[\[}}#tensoraccess.indexing_map<(d0, d1, d2, d3)[s0, s1] -> (0, d1 + s0 - 1, d2 + s1 - 1, d3)
// FUSED: func.func public @main(
// FUSED-SAME: tensoraccess.indexing = {input_to_output
