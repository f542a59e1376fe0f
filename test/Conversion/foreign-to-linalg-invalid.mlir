// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-foreign-to-linalg
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-to-llvm

func.func @winograd(%a: tensor<?x3x3x5xf32>, %e: tensor<4x4x5x?xf32>) -> tensor<4x4x5x?xf32> {
  // expected-error@below {{'linalg.winograd_filter_transform' is compiled for static shapes only, got 'tensor<?x3x3x5xf32>'}}
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%a : tensor<?x3x3x5xf32>) outs(%e : tensor<4x4x5x?xf32>) -> tensor<4x4x5x?xf32>
  return %0 : tensor<4x4x5x?xf32>
}

// -----

func.func @softmax(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  // expected-error@below {{'linalg.softmax' is compiled on tensors only}}
  linalg.softmax dimension(1) ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}
