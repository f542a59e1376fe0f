// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-prepare-functions

// expected-error@below {{tensor encoding "blocked" would be lost in bufferization}}
func.func @argument(%a: tensor<3x5xf32, "blocked">) {
  return
}

// -----

// expected-error@below {{tensor encoding "blocked" would be lost in bufferization}}
func.func private @result() -> tensor<3x5xf32, "blocked">

// -----

func.func @inside() {
  // expected-error@below {{tensor encoding "blocked" would be lost in bufferization}}
  %0 = tensor.empty() : tensor<3x5xf32, "blocked">
  return
}
