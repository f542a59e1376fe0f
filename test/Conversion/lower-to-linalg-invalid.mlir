// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics \
// RUN:   --allow-unregistered-dialect --tensoraccess-lower-to-linalg

// expected-error@below {{cannot lower an access pattern in a function's type}}
func.func @argument(%a: !tensoraccess.access<3 | 5xf32>) {
  return
}

// -----

// expected-error@below {{cannot lower an access pattern in a function's type}}
func.func private @result() -> !tensoraccess.access<3 | 5xf32>

// -----

func.func @block_argument(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %lb = arith.constant 0 : index
  %ub = arith.constant 7 : index
  %step = arith.constant 2 : index
  // expected-error@below {{cannot lower access pattern '!tensoraccess.access<3 | 5xf32>': it is a block argument}}
  %1 = scf.for %i = %lb to %ub step %step iter_args(%p = %0)
      -> !tensoraccess.access<3 | 5xf32> {
    scf.yield %p : !tensoraccess.access<3 | 5xf32>
  }
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

func.func @foreign(%x: tensor<3x5xf32>) {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  // expected-error@below {{cannot lower access patterns of op 'test.keep'}}
  "test.keep"(%0) : (!tensoraccess.access<3 | 5xf32>) -> ()
  return
}

// -----

func.func @accelerator(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  // expected-error@below {{cannot lower accelerator 'twice': there is no function of that name and type '(tensor<3x5xf32>) -> tensor<3x5xf32>'}}
  %1 = tensoraccess.accelerator_call "twice"(%0) : (!tensoraccess.access<3 | 5xf32>) -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

func.func @encoding(%x: tensor<3x5xf32, "blocked">) -> tensor<3x5xf32> {
  // expected-error@below {{cannot lower access to a tensor with encoding "blocked"}}
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32, "blocked"> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.to_tensor %0 : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

