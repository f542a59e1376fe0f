//===- LayoutNest.h - The digits of a layout in memory order ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTNEST_H
#define TENSORACCESS_CORE_LAYOUTNEST_H

#include "TensorAccess/Core/LayoutSizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The digits of a layout in memory order
//
// Most layouts number their elements by a *nest*: a mixed-radix number whose
// digits are digits of single indices. {1,0:T(2,2)} on [3,5] is
//
//   (d0 / 2 of 2) (d1 / 2 of 3) (d0 mod 2 of 2) (d1 mod 2 of 2)
//
// Code that asks how a layout places elements in memory looks at this list,
// not at the tiles: the shapes of tensors in memory, relayout plans, and
// conversions to other notations. So equivalent layouts are treated alike.
//===----------------------------------------------------------------------===//

/// (index[dim] floordiv divisor) mod used, in a digit place of `size` numbers.
struct NestDigit {
  /// -1 for padding that comes from no dimension.
  int64_t dim = -1;
  int64_t divisor = 1;
  /// How many values there are; a digit with one value is only padding.
  int64_t used = 1;
  int64_t size = 1;
  /// The dimension has no digit of greater weight: the `mod` does nothing.
  bool isTop = true;
  /// The physical dimension that it is in.
  size_t physical = 0;
  /// The topmost digit of a dynamic dimension: `used` and `size` are both
  /// ⌈n / divisor⌉ for its size n, and hold Layout::kDynamic.
  bool isOpen = false;

  bool isPadding() const { return !isOpen && used <= 1; }
  /// std::nullopt on overflow.
  std::optional<SizeExpr> getSize() const {
    return isOpen ? SizeExpr::ofDim(dim).ceilDiv(divisor) : SizeExpr(size);
  }
};

/// The digits from major to minor, without those of size 1. Sizes of 0 count as
/// 1. With dynamic sizes the list holds for all of them. std::nullopt and a
/// reason where the layout has no such list: without a shape, if a number
/// overflows, if a tile cuts a block, or several dimensions that `*` merged, at
/// a place that is not one of theirs.
std::optional<llvm::SmallVector<NestDigit>> getNest(const Layout &layout,
                                                    std::string &reason);

//===----------------------------------------------------------------------===//
// Views whose dimensions are mixed-radix numbers
//===----------------------------------------------------------------------===//

/// One digit: it runs over [0, size) and moves the base index by `steps`, one
/// entry per base dimension.
struct Digit {
  int64_t size = 1;
  llvm::SmallVector<int64_t, 6> steps;
};

/// A view of a dense row-major base of static shape. Every index in the view
/// is inside the base. A dimension holds at least one digit; size 1 is a
/// digit of size 1.
class DigitView {
public:
  /// A dimension, outermost digit first.
  using Dim = llvm::SmallVector<Digit, 2>;

  /// The view in which every index is itself.
  static DigitView identity(llvm::ArrayRef<int64_t> shape);
  /// The view with the given digits, one list per dimension, whose steps and
  /// `offsets` have one entry per base dimension. Every index is inside the
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

  /// Changes a size: digits and base dimensions of size `from`, over all of
  /// which one digit or none runs, get size `to`. For sizes that stand for
  /// unknown ones (Access.h), before anything is merged. `to` is greater than
  /// any step.
  void replaceSize(int64_t from, int64_t to);

  //===--------------------------------------------------------------------===//
  // Movement
  //===--------------------------------------------------------------------===//

  /// Dimension i becomes what dimension perm[i] was.
  void transpose(llvm::ArrayRef<int64_t> perm);
  /// Inserts a dimension along which the base index does not move; size 1 is
  /// `insert_axis`, others repeat the view.
  void insert(unsigned dim, int64_t size);
  /// Joins dimensions [begin, end) into one, in which their digits follow each
  /// other; into one of size 1 if there are none.
  void join(unsigned begin, unsigned end);

  //===--------------------------------------------------------------------===//
  // Simplification
  //===--------------------------------------------------------------------===//

  /// Splits digits until all views, which have equal shapes, have digits of the
  /// same sizes in every dimension. Fails if sizes such as 3·5 and 5·3 have
  /// no common refinement, and on different sizes of 0.
  static bool align(llvm::MutableArrayRef<DigitView> views);
  /// Merges neighbouring digits of aligned views wherever that is possible in
  /// all of them, collapsing bases; drops digits of size 1 next to others.
  static void merge(llvm::MutableArrayRef<DigitView> views);
  /// Collapses base dimensions of size 1 that no digit steps through into a
  /// neighbour.
  void collapseUnitBase();

  /// True if the view, read row-major, is the base read row-major.
  bool isRowMajor() const;

private:
  /// True if digits i, i+1 of a dimension are one digit after base dimensions
  /// [first, last] are collapsed (nothing to collapse where first ≥ last).
  bool canMerge(unsigned dim, unsigned digit, unsigned &first,
                unsigned &last) const;
  void mergeDigits(unsigned dim, unsigned digit);
  /// Collapses base dimensions [first, last] into one. Fails on overflow.
  bool collapse(unsigned first, unsigned last);

  llvm::SmallVector<Dim> dims;
  llvm::SmallVector<int64_t> offsets, baseShape;
  /// The size that stands for unknown ones; 0 if none does.
  int64_t unknown = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_LAYOUTNEST_H
