// Where upstream's passes fail, errors are about ops of the program.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-to-llvm
// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-check-lowerable --canonicalize 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: not tensoraccess-opt %s --split-input-file --canonicalize 2>&1 | FileCheck %s --check-prefix=ALONE

func.func @no_lowering(%x: tensor<?x4xf32>) -> tensor<2xindex> {
  // expected-error@below {{'shape.shape_of' cannot be compiled: pass 'one-shot-bufferize' fails, op was not bufferized}}
  // expected-note@below {{`tensoraccess-run --engine=interpret` runs programs without lowering them; docs/Lowering.md shows what is compiled}}
  %0 = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  return %0 : tensor<2xindex>
}

// -----

// Upstream's own canonicalization makes an invalid cast; what a user calls by
// itself is left alone.
// MADE: blamed-ops.mlir:[[#@LINE+6]]:8: error: 'tensor.insert_slice' cannot be compiled: pass 'canonicalize' fails, 'tensor.cast' op
// ALONE: blamed-ops.mlir:[[#@LINE+5]]:8: error: 'tensor.cast' op
// ALONE-NOT: cannot be compiled
func.func @made(%x: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.insert_slice %x into %d[0, 0, 0, 0] [1, %c2, 1, %c3] [1, 1, 1, 1] : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}
