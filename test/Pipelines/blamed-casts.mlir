// Upstream's canonicalization makes an invalid cast of a slice. In a lowering that
// is the slice's error; what is called by itself is left alone.
// RUN: not tensoraccess-opt %s --tensoraccess-check-lowerable --canonicalize 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s --canonicalize 2>&1 | FileCheck %s --check-prefix=ALONE

// CHECK: blamed-casts.mlir:[[#@LINE+6]]:8: error: 'tensor.insert_slice' cannot be compiled: pass 'canonicalize' fails, 'tensor.cast' op
// ALONE: blamed-casts.mlir:[[#@LINE+5]]:8: error: 'tensor.cast' op
// ALONE-NOT: cannot be compiled
func.func @main(%x: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = tensor.insert_slice %x into %d[0, 0, 0, 0] [1, %c2, 1, %c3] [1, 1, 1, 1] : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}
