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

// -----

func.func @quotients(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %0 = tensoraccess.access %x at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  // expected-error@below {{elementwise_div of a tuple of a length unknown at compile time is not lowered}}
  %1 = tensoraccess.compute elementwise_div %0 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// -----

func.func @dynamic_policy(%x: tensor<?xf32>) -> tensor<7xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  // expected-error@below {{slice with out-of-bounds policies is not lowered: its operand has a dynamic dimension}}
  %1 = tensoraccess.slice %0 offsets = [-1] sizes = [7] oob = [pad(0.0)] : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 7xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 7xf32> -> tensor<7xf32>
  return %2 : tensor<7xf32>
}

// -----

func.func @many_rounds(%x: tensor<2xf32>) -> tensor<99xf32> {
  %0 = tensoraccess.access %x at 0 : tensor<2xf32> -> !tensoraccess.access<| 2xf32>
  // expected-error@below {{slice with out-of-bounds policies is not lowered: it is made of more than 16 slices}}
  %1 = tensoraccess.slice %0 offsets = [0] sizes = [99] oob = [wrap] : !tensoraccess.access<| 2xf32> -> !tensoraccess.access<| 99xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 99xf32> -> tensor<99xf32>
  return %2 : tensor<99xf32>
}
