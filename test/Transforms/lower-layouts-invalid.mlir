// Encodings that other ops see, and types that no physical tensor stands for.
// RUN: tensoraccess-opt %s --tensoraccess-lower-layouts --split-input-file --verify-diagnostics

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

func.func @argument(%x: tensor<3x5xf32, #tiled>) -> tensor<3x5xf32> {
  // expected-error @+1 {{cannot be lowered: its operand of type 'tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>' comes from a block argument}}
  %0 = tensoraccess.relayout %x : tensor<3x5xf32, #tiled> to tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

func.func @produced() -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32, #tiled>
  // expected-error @+1 {{cannot be lowered: its operand of type 'tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>' comes from 'tensor.empty'}}
  %0 = tensoraccess.relayout %e : tensor<3x5xf32, #tiled> to tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

func.func @read(%x: tensor<3x5xf32>) -> tensor<3x5xf32, #tiled> {
  // expected-error @+1 {{cannot be lowered: its result of type 'tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>' goes to 'func.return'}}
  %0 = tensoraccess.relayout %x : tensor<3x5xf32> to tensor<3x5xf32, #tiled>
  return %0 : tensor<3x5xf32, #tiled>
}

// -----

func.func @element_bits(%x: tensor<3x5xi8>) -> tensor<3x5xi8> {
  // expected-error @+1 {{element bits E must be those of 'i8' in a physical tensor, got 16}}
  %0 = tensoraccess.relayout %x : tensor<3x5xi8> to tensor<3x5xi8, #tensoraccess.layout<{1,0:E(16)}>>
  %1 = tensoraccess.relayout %0 : tensor<3x5xi8, #tensoraccess.layout<{1,0:E(16)}>> to tensor<3x5xi8>
  return %1 : tensor<3x5xi8>
}

// -----

func.func @complex(%x: tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>> {
  // expected-error @+1 {{tensors of 'complex<f32>' with a layout are not made physical}}
  %0 = tensoraccess.relayout %x : tensor<3x5xcomplex<f32>> to tensor<3x5xcomplex<f32>, #tensoraccess.layout<{1,0:T(2,2)}>>
  %1 = tensoraccess.relayout %0 : tensor<3x5xcomplex<f32>, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<3x5xcomplex<f32>>
  return %1 : tensor<3x5xcomplex<f32>>
}

// -----

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

func.func @some_size(%x: tensor<?x5xf32>, %i: index) -> index {
  // expected-error @+1 {{cannot be lowered: its result of type 'tensor<?x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>' goes to 'tensor.dim'}}
  %0 = tensoraccess.relayout %x : tensor<?x5xf32> to tensor<?x5xf32, #tiled>
  %n = tensor.dim %0, %i : tensor<?x5xf32, #tiled>
  return %n : index
}

// -----

#large = #tensoraccess.layout<{1,0:T(4611686018427387904,8)}>

func.func @large(%x: tensor<?x9xf32>) -> tensor<?x9xf32> {
  // expected-error @+1 {{the size of 'tensor<?x9xf32, #tensoraccess.layout<{1,0:T(4611686018427387904,8)}>>' overflows 64-bit arithmetic}}
  %0 = tensoraccess.relayout %x : tensor<?x9xf32> to tensor<?x9xf32, #large>
  %1 = tensoraccess.relayout %0 : tensor<?x9xf32, #large> to tensor<?x9xf32>
  return %1 : tensor<?x9xf32>
}
