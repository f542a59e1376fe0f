// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-to-llvm

func.func @dynamic(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // expected-error@below {{cannot lower access pattern '!tensoraccess.access<? | 5xf32>' of dynamic shape}}
  %0 = tensoraccess.access %x at 1
     : tensor<?x5xf32> -> !tensoraccess.access<? | 5xf32>
  %1 = tensoraccess.to_tensor %0
     : !tensoraccess.access<? | 5xf32> -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// -----

// expected-error@below {{tensor encoding "blocked" would be lost in bufferization}}
func.func @encoding(%x: tensor<3x5xf32, "blocked">) {
  return
}
