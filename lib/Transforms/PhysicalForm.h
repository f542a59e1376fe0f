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
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H
#define TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H

#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::tensoraccess {

/// ⌊index of `dim` / divisor⌋ mod size. The size is dynamic where that of the
/// dimension is.
struct PhysicalDigit {
  int64_t dim, divisor, size;

  bool operator==(const PhysicalDigit &o) const {
    return dim == o.dim && divisor == o.divisor && size == o.size;
  }
};

struct PhysicalForm {
  /// From major to minor.
  SmallVector<PhysicalDigit, 6> digits;
  /// The size of each dimension with its padding.
  SmallVector<int64_t> extents;

  SmallVector<int64_t> getShape() const;
  /// The digits that are not of size 1: equal iff the bytes lie alike.
  SmallVector<PhysicalDigit, 6> getKey() const;
  /// Whether dimension `dim` has more elements in memory than `shape` says.
  bool isPadded(int64_t dim, ArrayRef<int64_t> shape) const {
    return extents[dim] != shape[dim];
  }
  /// The digits of a dimension, from minor to major.
  SmallVector<PhysicalDigit, 2> getDigitsOf(int64_t dim) const;
  bool isDivided(int64_t dim) const { return getDigitsOf(dim).size() != 1; }
  /// Elements in memory; none past 2^63 - 1 or where sizes are dynamic.
  std::optional<int64_t> getElements() const;
};

/// The form of the row-major layout.
PhysicalForm getPlainForm(ArrayRef<int64_t> shape);

/// The form of digits as given, merged; each dimension's cover an extent.
PhysicalForm makeForm(ArrayRef<PhysicalDigit> digits, ArrayRef<int64_t> shape);

/// The form of a tensor type. None where there is no such tensor, with the
/// reason: combined dimensions, tiles that don't divide what is inside of a
/// tile, tiles of dynamic dimensions, `E`, `L`, another encoding. `S` says
/// nothing about the form (MemorySpaces.h).
std::optional<PhysicalForm> getPhysicalForm(RankedTensorType type,
                                            std::string &reason);

/// The digits of a form of the finer shape as digits of the coarser: those of a
/// group's last dimension count ones, those before it count its size. None
/// where a dimension that is not the first of its group is padded.
std::optional<PhysicalForm> collapseForm(const PhysicalForm &fine,
                                         ArrayRef<int64_t> fineShape,
                                         ArrayRef<ReassociationIndices> groups,
                                         ArrayRef<int64_t> coarseShape);

/// Whether digits of both forms agree but for the sizes of dimensions that are
/// `moved`, which have one digit and no padding.
bool movesAlike(const PhysicalForm &a, ArrayRef<int64_t> shapeA,
                const PhysicalForm &b, ArrayRef<int64_t> shapeB,
                ArrayRef<bool> moved);

/// The tensor in memory, without an encoding.
RankedTensorType getPhysicalType(RankedTensorType type,
                                 const PhysicalForm &form);

/// The type without its encoding.
RankedTensorType getPlainType(RankedTensorType type);

/// Bytes in memory, padding included, sub-byte elements packed; none where that
/// is not known.
std::optional<int64_t> getPhysicalBytes(RankedTensorType type,
                                        const PhysicalForm &form);

/// The tensor with the same elements in row-major order in another shape, by
/// expanding and collapsing. Shapes are static unless they are equal up to
/// dimensions of size 1.
Value reshapeTo(OpBuilder &builder, Location loc, Value tensor,
                ArrayRef<int64_t> shape);

/// The tensor `source`, of form `from`, in form `to`; both are forms of `shape`.
/// Padding of the result holds zeros where there was none before.
Value buildRelayout(OpBuilder &builder, Location loc, Value source,
                    const PhysicalForm &from, const PhysicalForm &to,
                    ArrayRef<int64_t> shape, LayoutStyle style);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_PHYSICALFORM_H
