//===- Masks.h - What masks make idle ---------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_MASKS_H
#define TENSORACCESS_ANALYSIS_MASKS_H

#include "TensorAccess/Analysis/Dependence.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What of an op's work matters to what the function returns
//
// An element matters unless it is known to be a number, or only such ones read
// it; a read matters if it is of an element that matters and may decide what it
// is: no factor is zero, and the element read is not known, either.
//
//   scores = q . k      12 x 12, of which a causal mask leaves 78
//     elements that matter   78 of 144
//     reads that matter      78 * n of 144 * n
//===----------------------------------------------------------------------===//

/// How many of how many.
struct Share {
  uint64_t part = 0, whole = 0;

  bool isLess() const { return part < whole; }
};

/// What matters of a step with one result that depends on arguments; std::nullopt
/// where that is not known.
struct MaskedStep {
  /// Of the elements of its result.
  std::optional<Share> elements;
  /// Of the reads of the operand of which the least matter, unless all do.
  std::optional<Share> reads;

  bool isLess() const { return (elements && elements->isLess()) || reads; }
};

class MaskAnalysis {
public:
  explicit MaskAnalysis(Dependence &dependence);

  /// The maps of step `s`, from elements of its only result that matter to what
  /// matters of operand `read`. Disjoint, where they come of one map.
  SmallVector<IndexingMap> getReads(unsigned s, unsigned read);
  MaskedStep getStep(unsigned s);

private:
  /// The maps from all results to a value; std::nullopt if they are not known.
  std::optional<SmallVector<IndexingMap>> getUses(unsigned value) const;

  Dependence &dependence;
  /// Nothing but what the function returns leaves it.
  bool isPure;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_MASKS_H
