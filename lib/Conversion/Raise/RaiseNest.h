//===- RaiseNest.h - The nest of an op as loops over operands -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both conversions of an op's nest (Interfaces/Nest.h) need: to access
// patterns, and to the loops of linalg.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_RAISENEST_H
#define TENSORACCESS_LIB_CONVERSION_RAISENEST_H

#include "RaiseBuilder.h"
#include "TensorAccess/Models/Indexing.h"

namespace mlir::tensoraccess {

/// The index of a read along a dimension of its operand, once `low` elements
/// are put before it, `high` after it, and `step` - 1 between its own.
struct NestPlace {
  /// Over the nest's variables, without `low`.
  Form place;
  int64_t low = 0, high = 0, step = 1;

  /// std::nullopt if the read is guarded, and the size of the dimension, or the
  /// range of places, is not known.
  static std::optional<NestPlace> get(const Nest &nest, const NestRead &read,
                                      unsigned dim, int64_t size);
  /// Whether the guards of a read say no more than its places.
  static bool areSaid(const NestRead &read);
  bool isPadded() const { return low != 0 || high != 0 || step != 1; }
};

/// The loops of an op's nest (Interfaces/Nest.h), by number.
struct NestLoops {
  const Nest &of;
  LoopNest nest;
  /// The loop that each axis is; -1 for none.
  SmallVector<int64_t> numbers;

  /// std::nullopt, and a failure, for a nest that the builder cannot write.
  /// With `dropsUnits`, a reduction of one step is not a loop.
  static std::optional<NestLoops> get(RaiseBuilder &b, const Nest &nest,
                                      bool dropsUnits = false);
  /// An operand as it is read, padded by `background` where places are outside.
  std::optional<LoopOperand> getOperand(RaiseBuilder &b, unsigned operand,
                                        Value source,
                                        TypedAttr background = {}) const;

private:
  std::optional<LoopIndex> getIndex(FormRef form) const;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_RAISENEST_H
