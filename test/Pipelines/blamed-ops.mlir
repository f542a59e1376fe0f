// Where upstream's passes fail, errors are about ops of the program.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-to-llvm
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-cpu

func.func @no_lowering(%x: tensor<?x4xf32>) -> tensor<2xindex> {
  // expected-error@below {{'shape.shape_of' cannot be compiled: pass 'one-shot-bufferize' fails, op was not bufferized}}
  // expected-note@below {{`tensoraccess-run --engine=interpret` runs programs without lowering them; docs/Lowering.md shows what is compiled}}
  %0 = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  return %0 : tensor<2xindex>
}
