// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// exchange_c1: one element type.
func.func @exchange_c1(%a: tensor<3xf32>, %b: tensor<3xf64>) {
  // expected-error @+1 {{source and destination must have one element type, got 'f32' and 'f64'}}
  %0 = tensoraccess.exchange %a into %b tag 0 send [] receive []
    : tensor<3xf32>, tensor<3xf64> -> tensor<3xf64>
  return
}

// -----

// exchange_c2: static shapes.
func.func @exchange_c2(%a: tensor<?xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{shapes must be static, got 'tensor<?xf32>'}}
  %0 = tensoraccess.exchange %a into %b tag 0 send [] receive []
    : tensor<?xf32>, tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

// exchange_c3: ranks count from 0.
func.func @exchange_c3(%a: tensor<3xf32>) {
  // expected-error @+1 {{message 0 to send must name a rank of at least 0, got -1}}
  %0 = tensoraccess.exchange %a into %a tag 0 send [-1: [0] x [3]] receive []
    : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

// exchange_c4: an offset and a size per dimension.
func.func @exchange_c4(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{1 messages to receive must have 2 offsets and sizes each, got 1 offsets and 1 sizes in all}}
  %0 = tensoraccess.exchange %a into %a tag 0 send [] receive [1: [0] x [3]]
    : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  return
}

// -----

// exchange_c4_text: as many of the one as of the other.
func.func @exchange_c4_text(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{messages must have one offset and one size per dimension}}
  %0 = tensoraccess.exchange %a into %a tag 0 send [] receive [1: [0, 0] x [3]]
    : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  return
}

// -----

// exchange_c5: boxes are not empty.
func.func @exchange_c5(%a: tensor<3xf32>) {
  // expected-error @+1 {{size 0 of message 0 to send must be positive, got 0}}
  %0 = tensoraccess.exchange %a into %a tag 0 send [1: [0] x [0]] receive []
    : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

// exchange_c5_inside: nor do they leave what they are boxes of.
func.func @exchange_c5_inside(%a: tensor<3xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{message 1 to receive must lie in the destination, got offset 5 and size 4 in dimension 0 of size 8}}
  %0 = tensoraccess.exchange %a into %b tag 0 send []
    receive [1: [0] x [3], 2: [5] x [4]]
    : tensor<3xf32>, tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// exchange_c6: a place comes once.
func.func @exchange_c6(%a: tensor<3x5xf32>) {
  // expected-error @+1 {{received boxes must be disjoint, messages 0 and 1 share [1, 2) x [0, 2)}}
  %0 = tensoraccess.exchange %a into %a tag 0 send []
    receive [1: [0, 0] x [2, 2], 2: [1, 0] x [2, 5]]
    : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x5xf32>
  return
}

// -----

// exchange_c7: tags that every MPI has.
func.func @exchange_c7(%a: tensor<3xf32>) {
  // expected-error @+1 {{tag must lie in [0, 32767], got 32768}}
  %0 = tensoraccess.exchange %a into %a tag 32768 send [] receive []
    : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return
}

// -----

// exchange_c8: messages whose elements can be counted.
func.func @exchange_c8(%a: tensor<4294967296x4294967296xi8>) {
  // expected-error @+1 {{message 0 to send must have at most 2^63 - 1 elements}}
  %0 = tensoraccess.exchange %a into %a tag 0
    send [1: [0, 0] x [4294967296, 4294967296]] receive []
    : tensor<4294967296x4294967296xi8>, tensor<4294967296x4294967296xi8> -> tensor<4294967296x4294967296xi8>
  return
}

// -----

// exchange_c9: both tensors, or both buffers.
func.func @exchange_c9(%a: tensor<3xf32>, %b: memref<3xf32>) {
  // expected-error @+1 {{source and destination must both be tensors or both be memrefs, got 'tensor<3xf32>' and 'memref<3xf32>'}}
  tensoraccess.exchange %a into %b tag 0 send [] receive []
    : tensor<3xf32>, memref<3xf32>
  return
}

// -----

// exchange_c9_result: a result for tensors.
func.func @exchange_c9_result(%a: tensor<3xf32>) {
  // expected-error @+1 {{must have a result if it is on tensors}}
  tensoraccess.exchange %a into %a tag 0 send [] receive []
    : tensor<3xf32>, tensor<3xf32>
  return
}
