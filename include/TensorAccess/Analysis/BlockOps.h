//===- BlockOps.h - Ops as iterations that touch boxes ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_BLOCKOPS_H
#define TENSORACCESS_ANALYSIS_BLOCKOPS_H

#include "TensorAccess/Core/Form.h"
#include "TensorAccess/Cost/Cost.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Ops as iterations that touch boxes
//
// An op on tensors of static shape, as a plan of shards sees it: a box of
// iterations, and for each operand and result which box of it a block of them
// touches, dimension by dimension.
//
//   linalg.conv_2d_nhwc_hwcf, strides 2     iterations (n, h, w, f, kh, kw, c)
//     image   (n, 2h + kh, 2w + kw, c)
//     filter  (kh, kw, c, f)
//     result  (n, h, w, f)                  kh, kw and c are summed over
//
// Understood are structured ops of linalg, by their loops, and of the ops on
// tensors those that compute element by element or move elements, by their
// indexing. Of any other op everything is needed, and every rank has all of the
// result.
//===----------------------------------------------------------------------===//

/// Which indices of one dimension of a tensor a block of iterations touches:
/// an interval around the values of a form.
struct AccessRow {
  /// Of iteration dimensions, over the op's arena; std::nullopt: all indices,
  /// whatever the block.
  std::optional<Form> form;
  /// The dimensions in `form`, and their factors where it is a sum.
  SmallVector<std::pair<unsigned, int64_t>, 2> terms;
  /// Whether `form` is the sum of `terms` and `offset`.
  bool isSum = false;
  /// Whether the terms are the digits of a merged dimension, outermost first.
  bool isMerged = false;
  int64_t offset = 0;

  AccessRow() = default;
  /// The row of a form of the first `numDims` variables, the iteration
  /// dimensions; all indices for one that mentions another.
  AccessRow(const FormArena &forms, Form form, unsigned numDims);

  /// The iteration dimension that this one is, if it is one.
  std::optional<unsigned> getDim() const;
  /// Whether this is a quotient.
  bool isQuotient(const FormArena &forms) const;
  bool operator==(const AccessRow &o) const { return form == o.form; }
};

/// How an op touches an operand or a result.
struct BlockAccess {
  /// What rows and guards are over; null if all rows are all indices.
  std::shared_ptr<const FormArena> forms;
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  /// One per dimension.
  SmallVector<AccessRow, 4> rows;
  /// A block in which one of these forms is nowhere in its interval touches
  /// nothing: the place of a slice along a dimension that the slice lacks.
  SmallVector<std::pair<AccessRow, Interval>, 1> guards;

  /// The iteration dimension that each dimension is, if each is another one as
  /// it is: what results must be to be cut.
  std::optional<SmallVector<unsigned, 4>> getDims() const;
};

/// Whether an op costs anything, and what.
enum class BlockOpKind : uint8_t {
  Compute,  ///< arithmetic
  Movement, ///< copies, reshapes, pads, broadcasts
  Free,     ///< has no tensor operands: constants, empty tensors, fills
  Opaque    ///< not understood: whole on every rank
};

struct BlockOp {
  Operation *op = nullptr;
  BlockOpKind kind = BlockOpKind::Opaque;
  /// Why it is Opaque: `its offsets are known at run time only`.
  std::string reason;
  /// Of the iterations; none for Opaque.
  SmallVector<int64_t, 6> extents;
  SmallVector<bool, 6> isReduction;
  /// Whether parts of a reduction can be reduced on: each result by one
  /// operation that is associative and commutative (on floats: but for
  /// rounding).
  bool canSplit = false;
  /// By operand number; std::nullopt for scalars, and for a destination that is
  /// not read.
  SmallVector<std::optional<BlockAccess>, 4> operands;
  SmallVector<std::optional<BlockAccess>, 1> results;
  /// Tensors from outside that its regions read: every rank needs all of them.
  SmallVector<std::pair<Value, BlockAccess>, 1> captured;
  /// The first operand that results start from, one each.
  std::optional<unsigned> firstInit;

  /// The result that starts from an operand.
  std::optional<unsigned> getResultOf(unsigned operand) const {
    if (!firstInit || operand < *firstInit)
      return std::nullopt;
    return operand - *firstInit;
  }
};

/// The op as iterations. A tensor of dynamic shape, or of elements without a
/// size, is an error at the op; a result that is not along loops makes it
/// Opaque.
FailureOr<BlockOp> getBlockOp(Operation *op);

/// The same without these checks: Opaque for tensors of dynamic shape. With
/// `withStarts`, slices may begin where is known at run time only: in such a
/// dimension all is touched.
BlockOp readBlockOp(Operation *op, bool withStarts = false);

/// The op that reduces along the loops of kind reduction into this result,
/// which is associative and commutative and has a neutral element; null and
/// `reason` where there is none.
Operation *findCombiner(OpResult result, std::string &reason);

/// The box that a box of iterations touches; empty for no iterations (of a
/// tensor without dimensions, its element).
Box getTouched(const BlockAccess &access, ArrayRef<int64_t> extents,
               const Box &iterations);

/// The boxes that blocks of iterations touch, for all ranks; hulls, cut off at
/// the tensor. A rank without iterations touches nothing (of a tensor without
/// dimensions, its element).
FactoredBoxes getTouched(const Grid &grid, const BlockAccess &access,
                         ArrayRef<int64_t> extents,
                         const FactoredBoxes &iterations);

/// Whether a reshape of each rank's block is a box: digits are whole below the
/// first that is not a single one. True for ops that don't reshape.
bool isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                      const FactoredBoxes &iterations);

/// The hull of two boxes for each rank, dimension by dimension; empty intervals
/// don't count.
FactoredBoxes getHull(const Grid &grid, const FactoredBoxes &a,
                      const FactoredBoxes &b);

/// The same boxes, each dimension on the fewest axes, these ascending, and empty
/// intervals as [0, 0): the one form of what is the same for each rank.
FactoredBoxes getCanonical(const Grid &grid, const FactoredBoxes &boxes);

/// The longest interval in each dimension.
SmallVector<int64_t, 6> getLongest(const FactoredBoxes &boxes);
/// The bytes of a box of these, at most; INT64_MAX if they do not fit.
int64_t getBytes(const FactoredBoxes &boxes, int64_t elementBytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_BLOCKOPS_H
