//===- DigitView.h - Views whose dimensions are mixed-radix numbers -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of access maps that lowers to loops without a division. Each
// dimension of a view is a number in a mixed radix, row-major over its digits,
//
//   x_d = (…(p_0·n_1 + p_1)·n_2 + …) + p_k,    0 ≤ p_i < n_i,
//
// and the index into the base is linear in the digits of all dimensions:
//
//   base_j = offset_j + Σ_p step_j(p)·p.
//
// Most reshapes cut dimensions where digits meet, or where one divides: (p of
// size a·b) = (q of size a)·b + (r of size b). What an indexing map says with
// floordiv and mod is then linear in digits.
//
// Loops over digits become few and long again by *merging*: neighbours p, q of
// one dimension are one digit p·|q| + q where step_j(p) = |q|·step_j(q) for
// every base dimension j. Where p and q step through different base dimensions
// the base is first *collapsed*: consecutive dimensions j, j+1 become the one
// of index base_j·B_{j+1} + base_{j+1}, which is a renumbering of the same
// elements in the same order, hence free for a dense row-major base. A filter
// [KH, KW, C, F] seen as <F | KH·KW·C> is the base collapsed to [K, F] under
// (f, k) → (k, f).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_DIGITVIEW_H
#define TENSORACCESS_CORE_DIGITVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::tensoraccess {

/// One digit: it runs over [0, size) and moves the base index by `steps`, one
/// entry per base dimension.
struct Digit {
  int64_t size = 1;
  llvm::SmallVector<int64_t, 6> steps;
};

/// A view of a dense row-major base of static shape. Every index in the view
/// lies inside the base. A dimension holds at least one digit; size 1 is a
/// digit of size 1.
class DigitView {
public:
  /// A dimension, outermost digit first.
  using Dim = llvm::SmallVector<Digit, 2>;

  /// Every index is itself.
  static DigitView identity(llvm::ArrayRef<int64_t> shape);
  /// The view with the given digits, one list per dimension, whose steps and
  /// `offsets` have one entry per base dimension. Every index lies inside the
  /// base.
  static DigitView make(llvm::ArrayRef<int64_t> baseShape,
                        llvm::ArrayRef<int64_t> offsets,
                        llvm::ArrayRef<Dim> dims);

  unsigned getNumDims() const { return dims.size(); }
  const Dim &getDim(unsigned dim) const { return dims[dim]; }
  int64_t getDimSize(unsigned dim) const;
  llvm::SmallVector<int64_t> getShape() const;

  llvm::ArrayRef<int64_t> getOffsets() const { return offsets; }
  /// Sizes of the base's dimensions after all collapses.
  llvm::ArrayRef<int64_t> getBaseShape() const { return baseShape; }

  /// Renames a size: digits and base dimensions of size `from`, over all of
  /// which one digit runs or none, are of size `to`. For sizes that stand for
  /// unknown ones (UnknownExtent.h), before anything is merged. `to` is greater
  /// than any step.
  void replaceSize(int64_t from, int64_t to);

  //===--------------------------------------------------------------------===//
  // Movement
  //===--------------------------------------------------------------------===//

  /// Dimension i becomes what dimension perm[i] was.
  void transpose(llvm::ArrayRef<int64_t> perm);
  /// Inserts a dimension in which the base index does not move; size 1 is
  /// `insert_axis`, others repeat the view.
  void insert(unsigned dim, int64_t size);
  /// Makes one dimension of the dimensions [begin, end), whose digits follow
  /// each other; a dimension of size 1 where there are none.
  void join(unsigned begin, unsigned end);

  //===--------------------------------------------------------------------===//
  // Simplification
  //===--------------------------------------------------------------------===//

  /// Splits digits until all views, which have equal shapes, have digits of the
  /// same sizes in every dimension. Fails where sizes such as 3·5 and 5·3 have
  /// no common refinement, and on different sizes of 0.
  static bool align(llvm::MutableArrayRef<DigitView> views);
  /// Merges neighbouring digits of aligned views wherever that is possible in
  /// all of them, collapsing bases; drops digits of size 1 beside others.
  static void merge(llvm::MutableArrayRef<DigitView> views);
  /// Collapses base dimensions of size 1 that no digit steps through into a
  /// neighbour.
  void collapseUnitBase();

  /// True where the view, read row-major, is the base read row-major.
  bool isRowMajor() const;

private:
  /// True where digits i, i+1 of a dimension are one after base dimensions
  /// [first, last] are collapsed (nothing to collapse where first ≥ last).
  bool canMerge(unsigned dim, unsigned digit, unsigned &first,
                unsigned &last) const;
  void mergeDigits(unsigned dim, unsigned digit);
  /// Makes one of base dimensions [first, last]. Fails on overflow.
  bool collapse(unsigned first, unsigned last);

  llvm::SmallVector<Dim> dims;
  llvm::SmallVector<int64_t> offsets, baseShape;
  /// The size that stands for unknown ones; 0 if none does.
  int64_t unknown = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_DIGITVIEW_H
