// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark --verify-diagnostics
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=input-to-output | FileCheck %s --check-prefix=UP
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=output-to-input | FileCheck %s --check-prefix=DOWN
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-indexing=direction=sideways 2>&1 | FileCheck %s --check-prefix=SIDEWAYS

// UP-NOT: output_to_input
// UP: input_to_output
// DOWN-NOT: input_to_output
// DOWN: output_to_input
// SIDEWAYS: sideways

// The module's remark counts 11 ops; exp, log and negf have a map a direction;
// the others have none.
// expected-remark@below {{Maps=6, Ops=11, Unknown=10}}
module {
func.func @reasons(%x: tensor<3xf32>, %y: tensor<*xf32>) -> tensor<3xf32> {
  // expected-remark@below {{Reason="unregistered operation", Remark="2 of 2 sets of maps of no.such are unknown"}}
  %a = "no.such"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  // expected-remark@below {{Reason="unranked shape", Remark="2 of 2 sets of maps of math.exp are unknown"}}
  %b = math.exp %y : tensor<*xf32>
  // expected-remark@below {{Reason="unknown callee", Remark="2 of 2 sets of maps of func.call are unknown"}}
  %c = func.call @elsewhere(%a) : (tensor<3xf32>) -> tensor<3xf32>
  %d = math.exp %c : tensor<3xf32>
  return %d : tensor<3xf32>
}

// What a call cannot tell is not the call's fault.
func.func @caller(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-remark@below {{Reason="no.such in @callee: unregistered operation", Remark="2 of 2 sets of maps of func.call are unknown"}}
  %a = func.call @callee(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %a : tensor<3xf32>
}
func.func private @callee(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = math.log %x : tensor<3xf32>
  // expected-remark@below {{Reason="unregistered operation", Remark="2 of 2 sets of maps of no.such are unknown"}}
  %b = "no.such"(%a) : (tensor<3xf32>) -> tensor<3xf32>
  %c = arith.negf %b : tensor<3xf32>
  return %c : tensor<3xf32>
}
func.func private @elsewhere(tensor<3xf32>) -> tensor<3xf32>
}
