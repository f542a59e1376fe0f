// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --tensoraccess-to-llvm

func.func @accelerator(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  // expected-error@below {{cannot lower accelerator 'twice': there is no function of that name and type '(tensor<3x5xf32>) -> tensor<3x5xf32>'}}
  %1 = tensoraccess.accelerator_call "twice"(%0)
     : (!tensoraccess.access<3 | 5xf32>) -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// expected-error@below {{tensor encoding "blocked" would be lost in bufferization}}
func.func @encoding(%x: tensor<3x5xf32, "blocked">) {
  return
}
