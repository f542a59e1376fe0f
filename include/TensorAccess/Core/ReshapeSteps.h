//===- ReshapeSteps.h - A reshape as independent steps ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_RESHAPESTEPS_H
#define TENSORACCESS_CORE_RESHAPESTEPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// A reshape as independent steps
//
// A reshape is a series of steps side by side, each of which maps a few
// neighbouring dimensions to a few others, as few as possible. Tiles pass
// through each step separately.
//
//   [3, 5, 1, 7] -> [15, 7]   collapse (3, 5) to (15), then drop a rank,
//                             (1, 7) to (7)
//===----------------------------------------------------------------------===//

/// Decided by the dimensions other than 1, since those of size 1 hold no
/// information.
enum class ReshapeKind : uint8_t {
  Identity,      ///< the same dimensions in the same places
  IncreaseRank,  ///< the same, and more of size 1 in the output
  DecreaseRank,  ///< the same, and more of size 1 in the input
  ExpandShape,   ///< one becomes several
  CollapseShape, ///< several become one
  Reshape,       ///< anything else: several become several others
};

/// `Identity`, `IncreaseRank`, ...
llvm::StringRef describe(ReshapeKind kind);

struct ReshapeStep {
  unsigned inputStart, inputCount, outputStart, outputCount;
  ReshapeKind kind;
};

/// The steps from shape `from` to shape `to`, in order, covering all dimensions
/// of both. A dimension of size 1 without a partner belongs to the step that
/// follows, or to the last one; [2, 1] -> [1, 2] is [2] -> [1, 2] and then
/// [1] -> []. std::nullopt if the element counts differ, overflow or
/// a size is negative; without elements one step, unless the shapes are equal.
std::optional<llvm::SmallVector<ReshapeStep>>
getReshapeSteps(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_RESHAPESTEPS_H
