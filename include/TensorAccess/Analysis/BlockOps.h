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
// iterations, and for each operand and result the box of it that a block of
// iterations touches, dimension by dimension.
//
//   linalg.conv_2d_nhwc_hwcf, strides 2     iterations (n, h, w, f, kh, kw, c)
//     image   (n, 2h + kh, 2w + kw, c)
//     filter  (kh, kw, c, f)
//     result  (n, h, w, f)                  kh, kw and c are summed over
//
// Structured ops of linalg are understood by their loops; ops on tensors that
// compute element by element or move elements, by their indexing. Any other op
// needs all of its operands, and every rank has all of its result.
//===----------------------------------------------------------------------===//

/// Which indices of one dimension of a tensor a block of iterations touches:
/// an interval around the values of a form.
struct AccessRow {
  /// Over iteration dimensions, in the op's arena; std::nullopt: all indices,
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
  /// dimensions; all indices if it uses other variables.
  AccessRow(const FormArena &forms, Form form, unsigned numDims);

  /// The iteration dimension that this row is equal to, if any.
  std::optional<unsigned> getDim() const;
  /// Whether this is a quotient.
  bool isQuotient(const FormArena &forms) const;
  bool operator==(const AccessRow &o) const { return form == o.form; }
};

/// How an op touches an operand or a result.
struct BlockAccess {
  /// The arena of rows and guards; null if all rows are all indices.
  std::shared_ptr<const FormArena> forms;
  SmallVector<int64_t, 4> shape;
  int64_t elementBytes = 0;
  /// One per dimension.
  SmallVector<AccessRow, 4> rows;
  /// A block touches nothing if one of these forms is nowhere in its interval:
  /// the place of a slice along a dimension that the slice lacks.
  SmallVector<std::pair<AccessRow, Interval>, 1> guards;

  /// The iteration dimension that each dimension is equal to, if these are
  /// distinct, as a result needs to be cut.
  std::optional<SmallVector<unsigned, 4>> getDims() const;
};

/// Whether an op costs anything, and what kind of work it is.
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
  /// Of the iterations; empty for Opaque.
  SmallVector<int64_t, 6> extents;
  SmallVector<bool, 6> isReduction;
  /// Whether a reduction can be split into parts: each result is reduced by one
  /// operation that is associative and commutative (on floats: up to rounding).
  bool canSplit = false;
  /// By operand number; std::nullopt for scalars, and for a destination that is
  /// not read.
  SmallVector<std::optional<BlockAccess>, 4> operands;
  SmallVector<std::optional<BlockAccess>, 1> results;
  /// Tensors captured by its regions: every rank needs all of them.
  SmallVector<std::pair<Value, BlockAccess>, 1> captured;
  /// The first of the operands that results start from, one for each result.
  std::optional<unsigned> firstInit;

  /// The result that starts from an operand.
  std::optional<unsigned> getResultOf(unsigned operand) const {
    if (!firstInit || operand < *firstInit)
      return std::nullopt;
    return operand - *firstInit;
  }
};

/// The op as iterations. A tensor of dynamic shape, or of elements without a
/// size, is an error at the op; a result that does not follow the loops makes
/// it Opaque.
FailureOr<BlockOp> getBlockOp(Operation *op);

/// The same without these checks: Opaque for tensors of dynamic shape. With
/// `withStarts`, slices may begin at places known only at run time: in such a
/// dimension everything is touched.
BlockOp readBlockOp(Operation *op, bool withStarts = false);

/// The op that combines along the reduction loops into this result, which is
/// associative and commutative and has a neutral element; null and `reason` if
/// there is none.
Operation *findCombiner(OpResult result, std::string &reason);

/// The box that a box of iterations touches; empty if there are no iterations
/// (for a tensor without dimensions, its element).
Box getTouched(const BlockAccess &access, ArrayRef<int64_t> extents,
               const Box &iterations);

/// The boxes that blocks of iterations touch, for all ranks; hulls, clipped to
/// the tensor. A rank without iterations touches nothing (for a tensor without
/// dimensions, its element).
FactoredBoxes getTouched(const Grid &grid, const BlockAccess &access,
                         ArrayRef<int64_t> extents,
                         const FactoredBoxes &iterations);

/// Whether a reshape of each rank's block is a box: digits are complete below
/// the first one that is not a single value. True for ops that don't reshape.
bool isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                      const FactoredBoxes &iterations);

/// The hull of two boxes for each rank, dimension by dimension; empty intervals
/// don't count.
FactoredBoxes getHull(const Grid &grid, const FactoredBoxes &a,
                      const FactoredBoxes &b);

/// The same boxes, each dimension on the fewest axes, in ascending order, and
/// empty intervals as [0, 0): a unique form for boxes that are the same on each
/// rank.
FactoredBoxes getCanonical(const Grid &grid, const FactoredBoxes &boxes);

/// The longest interval in each dimension.
SmallVector<int64_t, 6> getLongest(const FactoredBoxes &boxes);
/// The most bytes of any of these boxes; INT64_MAX on overflow.
int64_t getBytes(const FactoredBoxes &boxes, int64_t elementBytes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_BLOCKOPS_H
