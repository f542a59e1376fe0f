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
  /// Whether the guards of a read mean no more than its places, and that the
  /// result's are inside of it.
  static bool areSaid(const NestRead &read, ArrayRef<Form> result = {});
};

/// How an operand is read once it is padded: `low` and `high` elements around
/// it in each dimension, which are cut off where negative, and `interior`
/// between its own. Indices are those of what is not padded yet.
struct NestPlaces {
  SmallVector<LoopIndex> indices;
  SmallVector<int64_t> low, high, interior;
};

/// The loops of an op's nest (Interfaces/Nest.h), by number.
struct NestLoops {
  const Nest &of;
  LoopNest nest;
  /// The loop that each axis is; -1 for none.
  SmallVector<int64_t> numbers;

  /// Those of a result; std::nullopt, and a failure, for a nest that the builder
  /// cannot write. With `dropsUnits`, a reduction of one step is not a loop.
  static std::optional<NestLoops> get(Refusal &why, const Nest &nest,
                                      bool dropsUnits = false,
                                      unsigned result = 0);
  /// Reports from which operands loops of unknown range have their sizes.
  void setSizes(ValueRange operands);
  /// Where an operand of this shape is read; also for points beyond the result,
  /// whose index is `cut`.
  std::optional<NestPlaces> getPlaces(Refusal &why, unsigned operand,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<Form> cut = {}) const;
  /// How many places an index numbers row-major, kDynamic if unknown, with its
  /// terms in that order, outermost first; std::nullopt if it does not.
  std::optional<int64_t> orderDigits(LoopIndex &index,
                                     bool anyUnits = false) const;
  /// An operand as it is read, padded by `background` where places are outside;
  /// also for points beyond the result, whose index is `cut`.
  std::optional<LoopOperand> getOperand(RaiseBuilder &b, unsigned operand,
                                        Value source, TypedAttr background = {},
                                        ArrayRef<Form> cut = {}) const;

private:
  std::optional<LoopIndex> getIndex(FormRef form) const;
};

/// Whether each element of the one result is one of operand 0, at sums of loops.
bool isPlainMove(const Nest &nest);

/// Operand 0 of an op that moves its elements, and puts `background` (null if
/// it never does) where there are none.
Value raiseMove(RaiseBuilder &b, Operation *op, TypedAttr background = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_RAISENEST_H
