// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-materialize-layouts

// expected-error @+1 {{element bits E must be those of 'f32' in a physical tensor, got 64}}
func.func private @bits(tensor<4x4xf32, #tensoraccess.layout<{1,0:E(64)}>>)

// -----

// expected-error @+1 {{memory space S(1) of 'tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>' would be lost: an argument of a function is in main memory; relayout it to S(1)}}
func.func private @space(tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>)

// -----

// expected-error @+1 {{memory space S(2) of 'tensor<4x4xf32, #tensoraccess.layout<{1,0:S(2)}>>' would be lost: a result of a function is in main memory; relayout it to S(2)}}
func.func private @result() -> tensor<4x4xf32, #tensoraccess.layout<{1,0:S(2)}>>

// -----

func.func @computed(%x: tensor<4x4xf32>) {
  %0 = tensoraccess.relayout %x
     : tensor<4x4xf32> to tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>
  // expected-error @+1 {{memory space S(1) of 'tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>' would be lost: what 'arith.negf' makes is in main memory; relayout it to S(1)}}
  %1 = arith.negf %0 : tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>
  return
}

// -----

module attributes {tensoraccess.target = #tensoraccess.target<gpu, memory_spaces = [shared 3 of 32 at 16]>} {
  func.func @missing(%x: tensor<4x4xf32>) {
    // expected-error @+1 {{target 'gpu' has no memory space 1, which 'tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>' is to be in}}
    %0 = tensoraccess.relayout %x
       : tensor<4x4xf32> to tensor<4x4xf32, #tensoraccess.layout<{1,0:S(1)}>>
    return
  }
}

// -----

module attributes {tensoraccess.target = #tensoraccess.target<gpu, memory_spaces = [shared 3 of 32 at 16]>} {
  func.func @small(%x: tensor<4x4xf32>) {
    // expected-error @+1 {{'tensor<4x4xf32, #tensoraccess.layout<{1,0:S(3)}>>' takes 64 bytes, but memory space 'shared' of target 'gpu' has 32}}
    %0 = tensoraccess.relayout %x
       : tensor<4x4xf32> to tensor<4x4xf32, #tensoraccess.layout<{1,0:S(3)}>>
    return
  }
}

// -----

// expected-error @+1 {{the size of dimension 0 is lost where it comes from another function, rounded up to a multiple of 8}}
func.func private @dynamic(tensor<?x4xf32, #tensoraccess.layout<{1,0:T(8,4)}>>)

// -----

// expected-error @+1 {{its sizes are lost where it comes from another function, since its layout has a tail alignment L}}
func.func private @tail(tensor<?x4xf32, #tensoraccess.layout<{1,0:L(64)}>>)

// -----

func.func private @made() -> tensor<4x?xf32, #tensoraccess.layout<{1,0:T(2,8)}>>
func.func @called() {
  // expected-error @+1 {{the size of dimension 1 is lost where it comes from another function, rounded up to a multiple of 8}}
  %0 = call @made() : () -> tensor<4x?xf32, #tensoraccess.layout<{1,0:T(2,8)}>>
  return
}

// -----

// expected-error @+1 {{overflows 64-bit arithmetic}}
func.func private @large(tensor<?x9xf32, #tensoraccess.layout<{1,0:T(4611686018427387904,8)}>>)

// -----

func.func @overflow(%i: index, %n: index) -> index {
  // expected-error @+1 {{cannot be lowered: the size of its layout overflows 64-bit arithmetic}}
  %0 = tensoraccess.linearize %i, %i in #tensoraccess.layout<{1,0:T(4611686018427387904,8)}> of [%n, 9]
  return %0 : index
}

// -----

func.func @unsigned(%x: tensor<4xui8>) {
  // expected-error @+1 {{tensors of 'ui8' with padding are not made physical}}
  %0 = tensoraccess.relayout %x : tensor<4xui8> to tensor<4xui8, #tensoraccess.layout<{0:T(3)}>>
  return
}

// -----

// What a function that is a value takes must have a tensor in memory, too.
// expected-error @+1 {{element bits E must be those of 'f32' in a physical tensor, got 64}}
func.func private @value((tensor<4x4xf32, #tensoraccess.layout<{1,0:E(64)}>>) -> ())

// -----

func.func @indirect(%x: tensor<3x5xf32>,
                    %f: (tensor<3x5xf32>) -> tensor<?x5xf32, #tensoraccess.layout<{1,0:T(8,5)}>>) {
  // expected-error @-2 {{the size of dimension 0 is lost where it comes from another function, rounded up to a multiple of 8}}
  return
}
