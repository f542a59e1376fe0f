//===- AccessPictures.h - What an op on access patterns looks like --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A panel for an op:
//
//   - windows: a plane of the operand as a grid, the windows of neighbouring
//     access points on it, its padding hatched;
//   - product: the items of the two factors as rows and columns, one pair of
//     them, and at their crossing the element that the pair makes;
//   - points: the access points as a grid, one of them picked out;
//   - plane: two dimensions of a pattern as a grid, and which of its elements a
//     slice, concat or broadcast takes from where;
//   - items: patterns side by side with their items as rows, one picked out;
//   - systolic: the cells, what comes in from the left and leaves below.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_ACCESSPICTURES_H
#define TENSORACCESS_LIB_EXPORT_ACCESSPICTURES_H

#include "Canvas/Panel.h"
#include "TensorAccess/IR/TensorAccess.h"

namespace mlir::tensoraccess {

/// An access point that pictures follow: its row-major number among the access
/// points of its pattern, and its colour.
struct PointMark {
  int64_t number;
  llvm::StringRef color;
};
using PointMarks = llvm::SmallVector<PointMark, 3>;

/// All elements of a dimension.
inline Stretch allOf(int64_t size, unsigned band = 0) {
  return {0, size == kDynamicSize ? INT64_MAX : size, band};
}

/// A plane, and captions below.
inline Panel makePanel(Plane plane, ArrayRef<std::string> captions) {
  return {{}, std::move(plane), makeNotes(captions)};
}

/// Elements of padding before and after each dimension of a pattern, as far as
/// `pad` ops (of this dialect or of tensor) on the way to it tell.
struct PaddingWidths {
  llvm::SmallVector<int64_t> low, high;
};
PaddingWidths findPadding(Value pattern);

/// The picture of a `windows`; `marks` receives the access points drawn. Nothing
/// where there is no plane to draw.
std::optional<Panel> drawWindows(WindowsOp op, PointMarks &marks);

/// The picture of a `cart_prod`; with `summed`, of the `compute dot_prod` on
/// it. Follows the marks of the factors; `marks` receives the pair.
std::optional<Panel> drawProduct(CartProdOp op, bool summed,
                                 const PointMarks &lhs, const PointMarks &rhs,
                                 PointMarks &marks);

/// The elements that a `slice` takes, the first one strong. Nothing where there
/// are none.
std::optional<Panel> drawSlice(SliceOp op);
/// The operands of a `concat` in the result. Nothing where it is empty, or where
/// it is not known where they begin.
std::optional<Panel> drawConcat(ConcatOp op);
/// The elements of the operand in the result of a `broadcast`, and their
/// copies. Nothing where it is empty.
std::optional<Panel> drawBroadcast(BroadcastOp op);

/// The picture of a `pair`, and of the `compute` on it where that is not null.
/// `marks` comes with the points to follow and receives the item picked out.
std::optional<Panel> drawPair(PairOp op, ComputeOp compute, PointMarks &marks);
/// The picture of a `compute` that makes an item of each item.
std::optional<Panel> drawItems(ComputeOp op, PointMarks &marks);
/// The picture of a `systolic_array`.
std::optional<Panel> drawSystolic(SystolicArrayOp op);

/// The picture of any other `compute` that makes one element of each item.
std::optional<Panel> drawPoints(ComputeOp op, PointMarks &marks);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_ACCESSPICTURES_H
