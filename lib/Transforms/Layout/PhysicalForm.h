//===- PhysicalForm.h - The tensor that a layout makes ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of tensor<5x30xf32, #tensoraccess.layout<{0,1:T(16,1)}>>: digits of
// the two dimensions, from major to minor, and the sizes with padding,
//
//   (d1 / 16: 2) (d0: 5) (d1 mod 16: 16)      extents 5, 32
//
// so the tensor in memory is 2x5x16, row-major. Digits that follow each other
// are merged, and digits of one value are dropped (but one for each dimension
// of size 1): a layout that is row-major in disguise has the logical shape.
//
// A layout whose places are not such digits (tiles that cut through dimensions
// that `*` has merged or don't divide what is inside of a tile, `L`) has no
// form. Its tensor in memory has the layout's physical shape, and what moves is
// brought into row-major order first.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H
#define TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutNest.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess {

/// ⌊index of `dim` / divisor⌋ mod size. The topmost digit of a dynamic
/// dimension of size n has the dynamic size ⌈n / divisor⌉.
struct PhysicalDigit {
  int64_t dim, divisor, size;

  SizeExpr getSize() const {
    return ShapedType::isDynamic(size) ? *SizeExpr::ofDim(dim).ceilDiv(divisor)
                                       : SizeExpr(size);
  }
  bool operator==(const PhysicalDigit &o) const {
    return dim == o.dim && divisor == o.divisor && size == o.size;
  }
};

struct PhysicalForm {
  /// From major to minor.
  SmallVector<PhysicalDigit, 6> digits;
  /// The size of each dimension with its padding. That of a dynamic dimension
  /// is dynamic: its size rounded up to a multiple of its granule.
  SmallVector<int64_t> extents, granules;

  SmallVector<int64_t> getShape() const;
  /// The digits that are not of size 1: equal iff the bytes are laid out alike.
  SmallVector<PhysicalDigit, 6> getKey() const;
  /// Whether dimension `dim` has more elements in memory than in `shape`.
  bool isPadded(int64_t dim, ArrayRef<int64_t> shape) const {
    return ShapedType::isDynamic(extents[dim]) ? granules[dim] != 1
                                               : extents[dim] != shape[dim];
  }
  /// Whether both have the same places along a dimension.
  bool hasExtentOf(const PhysicalForm &o, int64_t dim) const {
    return extents[dim] == o.extents[dim] && granules[dim] == o.granules[dim];
  }
  /// Whether the sizes of dynamic dimensions follow from those in memory.
  bool hasUnknownSizes() const {
    return llvm::any_of(granules, [](int64_t g) { return g != 1; });
  }
  /// The digits of a dimension, from minor to major.
  SmallVector<PhysicalDigit, 2> getDigitsOf(int64_t dim) const;
  /// The dimensions in the order of their most major digits in memory.
  SmallVector<int64_t> getOrder() const;
  bool isDivided(int64_t dim) const { return getDigitsOf(dim).size() != 1; }
  /// The digits of an array of this shape.
  SmallVector<NestDigit> getNest(ArrayRef<int64_t> shape) const;
};

/// The form of the row-major layout.
PhysicalForm getPlainForm(ArrayRef<int64_t> shape);

/// The form of digits as given, merged; each dimension's cover an extent.
PhysicalForm makeForm(ArrayRef<PhysicalDigit> digits, ArrayRef<int64_t> shape);

/// The form of a tensor type; std::nullopt and the reason where it has none.
/// `S` does not affect the form (MemorySpaces.h), nor does `E`.
std::optional<PhysicalForm> getPhysicalForm(RankedTensorType type,
                                            std::string &reason);

/// Whether each dynamic dimension of the finer shape of a reshape has only
/// dimensions of size 1 beside it: then it is one of the coarser shape.
bool areDynamicSizesKept(ArrayRef<int64_t> fineShape,
                         ArrayRef<ReassociationIndices> groups);

/// The digits of a form of the finer shape as digits of the coarser: those of a
/// group's last dimension count ones, those before it count its size.
/// std::nullopt where a dimension that is not the first of its group is padded.
/// Requires that dynamic sizes are kept.
std::optional<PhysicalForm> collapseForm(const PhysicalForm &fine,
                                         ArrayRef<int64_t> fineShape,
                                         ArrayRef<ReassociationIndices> groups,
                                         ArrayRef<int64_t> coarseShape);

/// The form with dimension i as what dimension order[i] is.
PhysicalForm permuteForm(PhysicalForm form, ArrayRef<int64_t> order);

/// Whether digits of both forms agree but for the sizes of dimensions that are
/// `moved`, which have one digit and no padding.
bool movesAlike(const PhysicalForm &a, ArrayRef<int64_t> shapeA,
                const PhysicalForm &b, ArrayRef<int64_t> shapeB,
                ArrayRef<bool> moved);

/// The tensor in memory of a form, without an encoding.
RankedTensorType getFormType(RankedTensorType type, const PhysicalForm &form);

/// The type without its encoding.
RankedTensorType getPlainType(RankedTensorType type);

/// Bytes in memory, padding included, sub-byte elements packed, a dynamic size
/// counted as `dynamicSize`; std::nullopt if that is not known.
std::optional<int64_t> getPhysicalBytes(RankedTensorType type,
                                        const PhysicalForm &form,
                                        int64_t dynamicSize);

/// The same as an expression in the dynamic sizes, `n0 * 4096`; std::nullopt as
/// above.
std::optional<SizeExpr> getSymbolicBytes(RankedTensorType type);

/// Digits of a form, each cut in parts, major to minor.
using DigitGroups = SmallVector<SmallVector<PhysicalDigit, 3>, 6>;

/// A tensor of digits with those cut, and one of cut digits with those joined.
Value expandDigits(OpBuilder &builder, Location loc, Value tensor,
                   const DigitGroups &groups);
Value collapseDigits(OpBuilder &builder, Location loc, Value tensor,
                     const DigitGroups &groups);

/// The value of a size where dimension i has size sizes[i]: an attribute where
/// it is a constant, else a value.
OpFoldResult buildSize(OpBuilder &builder, Location loc, const SizeExpr &size,
                       ArrayRef<OpFoldResult> sizes);
SmallVector<OpFoldResult> buildSizes(OpBuilder &builder, Location loc,
                                     ArrayRef<SizeExpr> exprs,
                                     ArrayRef<OpFoldResult> sizes);

/// The sizes of the tensor in memory of a form, from logical sizes.
SmallVector<OpFoldResult> buildSizes(OpBuilder &builder, Location loc,
                                     const PhysicalForm &form,
                                     ArrayRef<OpFoldResult> sizes);

/// `high` zeros after each dimension.
Value buildPad(OpBuilder &builder, Location loc, Value tensor,
               RankedTensorType result, ArrayRef<SizeDifference> high,
               ArrayRef<OpFoldResult> sizes);
/// The first `sizes` elements along each dimension.
Value buildSlice(OpBuilder &builder, Location loc, Value tensor,
                 ArrayRef<OpFoldResult> sizes);

/// The tensor `source`, of form `from`, in form `to`; both are forms of
/// `shape`, whose sizes are `sizes`. Padding of the result holds zeros where
/// there was none before.
Value buildRelayout(OpBuilder &builder, Location loc, Value source,
                    const PhysicalForm &from, const PhysicalForm &to,
                    ArrayRef<int64_t> shape, ArrayRef<OpFoldResult> sizes,
                    RelayoutWay way);

/// A row-major tensor written out as a layout, zeros in its padding, and back.
/// The layout has the tensor's shape, whose sizes are `sizes`.
Value buildPack(OpBuilder &builder, Location loc, Value tensor,
                const Layout &layout, ArrayRef<OpFoldResult> sizes);
Value buildUnpack(OpBuilder &builder, Location loc, Value tensor,
                  const Layout &layout, ArrayRef<OpFoldResult> sizes);

/// linalg.transpose, or nothing.
Value buildTranspose(OpBuilder &builder, Location loc, Value tensor,
                     ArrayRef<int64_t> permutation);

/// Zero of an element type.
Value buildZero(OpBuilder &builder, Location loc, Type type);

/// A row-major tensor of sizes `source` as one of type `result`, of equally many
/// elements, some sizes of which are known only at run time: what they leave
/// open is asserted. `sizes` gets those of the result. An error if the numbers
/// are known to differ.
FailureOr<Value> buildDynamicReshape(OpBuilder &builder, Location loc,
                                     Value tensor,
                                     ArrayRef<OpFoldResult> source,
                                     RankedTensorType result,
                                     SmallVectorImpl<OpFoldResult> &sizes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H
