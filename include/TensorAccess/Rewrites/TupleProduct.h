//===- TupleProduct.h - A dot product of two, taken apart -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a dot product of two reads is a pattern <A | 2, C>. Which of its access
// dimensions does each side of the tuple move with? Those that the first alone
// does are rows, those of the second alone columns, those of both a batch:
//
//   result[b ++ m ++ n ++ u] = Σ_c left[b ++ m, c]·right[b ++ n, c]
//
// The pattern is *flat* if it is <M x N | 2 x K>, or <B x M x N | 2 x K> of a
// batch, with rows, columns and batch in their places.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REWRITES_TUPLEPRODUCT_H
#define TENSORACCESS_REWRITES_TUPLEPRODUCT_H

#include "TensorAccess/IR/AccessForm.h"

namespace mlir::tensoraccess {

class TupleProduct {
public:
  /// None where the tuple is no two, for sizes that are not known, for no
  /// elements, and beyond the budget of forms.
  static std::optional<TupleProduct> get(AccessForm pattern);

  const AccessForm &getPattern() const { return pattern; }
  /// Access dimensions of the pattern, ascending.
  SmallVector<unsigned> batch, rows, columns, unused;

  /// The number of points of some dimensions, and of elements of an item.
  int64_t count(ArrayRef<unsigned> dims) const;
  int64_t getDepth() const;
  bool isFlat() const;

  /// One side of the tuple over <groups | K>: the dimensions of a group are
  /// numbered in row-major order, and so are the elements of the item. The side
  /// moves with no other dimension.
  std::optional<AccessForm>
  getSide(unsigned side, ArrayRef<ArrayRef<unsigned>> groups) const;

private:
  AccessForm pattern;
};

/// The flat pattern of two sides <B, M | K> and <B, N | K>, or without B.
std::optional<AccessForm> multiply(AccessForm left, AccessForm right);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REWRITES_TUPLEPRODUCT_H
