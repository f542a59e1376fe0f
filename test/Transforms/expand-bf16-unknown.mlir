// RUN: tensoraccess-opt %s --tensoraccess-expand-bf16 | FileCheck %s

// An op that nobody registered, and that has no dialect to ask, stays.
// CHECK: "some.op"
func.func @unknown(%a: bf16) -> bf16 {
  %0 = "some.op"(%a) : (bf16) -> bf16
  return %0 : bf16
}
