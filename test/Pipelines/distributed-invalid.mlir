// RUN: not tensoraccess-opt %s --tensoraccess-distributed=ranks=2 2>&1 | FileCheck %s

// Upstream's inliner, which the pipeline runs, would crash on it.
// CHECK: error: 'some.region' is of a dialect that is not known here, so 'inline' cannot run
func.func @main(%a: tensor<4xindex>) {
  "some.region"(%a) ({
  ^bb0(%u: index):
    "some.end"(%u) : (index) -> ()
  }) : (tensor<4xindex>) -> ()
  return
}
