//===- AccessSynthesis.h - Movement ops from a canonical form ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way back from IR/AccessForm.h: a short chain of movement ops that has a
// given form. The chain is a function of the form and the result's type alone,
// so that chains that mean the same become the same ops:
//
//   access, pad, slice, windows, reshape (into digits), transpose,
//   to_tensor + access (where the split moves), reshape (unit dimensions),
//   broadcast, reshape (of digits), pad, to_tensor
//
// each only where it does something. It covers views of one base, perhaps
// padded, whose index is a sum of digits: slices with any stride, permutations,
// one level of windows, reshapes whose cuts divide each other, broadcasts. Views
// of several pieces are cut along the first dimension that separates some, and
// joined by concat; a tuple of two by cart_prod, or by pair where both factors
// have all access dimensions. For other forms there is no plan.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ACCESSSYNTHESIS_H
#define TENSORACCESS_IR_ACCESSSYNTHESIS_H

#include "TensorAccess/IR/AccessForm.h"

namespace mlir {
class RewritePatternSet;
}

namespace mlir::tensoraccess {

/// One op of a plan.
struct MovementStep {
  OperationName name;
  DictionaryAttr attributes;
  Type type;
  /// Numbers of values: bases first, then the results of steps.
  SmallVector<unsigned, 2> operands;

  /// True if `op` is this op, whatever its operands are.
  bool matches(Operation *op) const;
};

/// Ops one after the other; the last one's result, or the only base, is the
/// value.
struct MovementPlan {
  SmallVector<Value, 2> bases;
  SmallVector<MovementStep> steps;
};

/// The canonical chain for a form and a result type (a tensor or a pattern of
/// the form's shape). None for forms that are not covered.
std::optional<MovementPlan> planMovement(const AccessForm &form, Type type);

/// Creates the ops of a plan at the builder's place.
Value createMovement(OpBuilder &builder, Location loc,
                     const MovementPlan &plan);

/// What canonicalisation does to movement:
///   - a chain that moves nothing is its base;
///   - a chain is replaced by its plan if that has fewer ops than become unused
///     (what the plan reads stays), or equally many but others.
/// Chains begin at what may fail at run time (mayFailAtRunTime), and end where
/// something other than one unary movement op uses their value. The number of
/// ops never grows, and no plan is replaced by an equally long one.
void populateMovementCanonicalization(RewritePatternSet &patterns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_ACCESSSYNTHESIS_H
