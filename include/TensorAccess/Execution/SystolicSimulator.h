//===- SystolicSimulator.h - A systolic array, cycle by cycle ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs products on the array of Core/Systolic.h by moving its registers. In a
// cycle each cell (r, c)
//
//   1. takes the activation of its left neighbour (from outside in column 0,
//      where element r of item i enters in cycle i + r),
//   2. adds that activation times its weight to the sum of the neighbour above
//      (0 in row 0), and
//   3. keeps both for its neighbours in the next cycle.
//
// The sum of item i in column c leaves row R - 1 in cycle i + (R - 1) + c and
// is added to its accumulator. Every step is rounded to the type of sums, and
// the results to the element type, so that they have the bits of the reference
// kernel (kernels::systolicArray). Cycles are counted, not computed by the
// formula.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_SYSTOLICSIMULATOR_H
#define TENSORACCESS_EXECUTION_SYSTOLICSIMULATOR_H

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/Systolic.h"

namespace mlir::tensoraccess {

/// What simulateSystolicArray made and counted.
struct SystolicRun {
  AccessPattern result;
  SystolicCost cost;
};

/// Runs `systolic_array activations, weights rows cols [blocked]`: activations
/// are <A | K>, weights <| K x N>, as the op wants them; a product that is not
/// blocked must be of the array's size. A batch of weights is run one after the
/// other; with two sets of weights only the first load of them all counts. The
/// array must be verified, and have at most 2^22 cells. With an accumulator,
/// cells extend what they multiply to it.
llvm::Expected<SystolicRun>
simulateSystolicArray(const SystolicArray &array,
                      const AccessPattern &activations,
                      const AccessPattern &weights, bool isBlocked,
                      std::optional<ElementType> accumulator = std::nullopt);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_SYSTOLICSIMULATOR_H
