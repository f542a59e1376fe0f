// Ranks whose square takes too long, in every pass that names each
// dimension for each.
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-annotate-indexing
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-report
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-raise
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-lower-to-linalg
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-saturate="rules=access"
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-assign-layouts
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-propagate-tiles
// RUN: tensoraccess-opt %s --verify-diagnostics --tensoraccess-tile=sizes=1

// expected-error@below {{'func.func' op has a type of rank 65; the most that is supported is 64}}
func.func @rank(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> {
  %0 = arith.negf %a : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return %0 : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
}
