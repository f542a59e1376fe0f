//===- AccessPictures.h - What an op on access patterns looks like --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures, each measured before it is drawn:
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

#include "Canvas/Grid.h"
#include "TensorAccess/IR/TensorAccess.h"
#include <memory>

namespace mlir::tensoraccess {

/// An access point that pictures follow: its row-major number among the access
/// points of its pattern, and its colour.
struct PointMark {
  int64_t number;
  llvm::StringRef color;
};
using PointMarks = llvm::SmallVector<PointMark, 3>;

/// A picture whose size is known before it is drawn.
class Picture {
public:
  virtual ~Picture() = default;
  int getWidth() const { return width; }
  int getHeight() const { return height; }
  virtual void draw(SvgCanvas &canvas, int x, int y) const = 0;

protected:
  int width = 0, height = 0;
};

/// Elements of padding before and after each dimension of a pattern, as far as
/// `pad` ops (of this dialect or of tensor) on the way to it tell.
struct PaddingWidths {
  llvm::SmallVector<int64_t> low, high;
};
PaddingWidths findPadding(Value pattern);

/// The picture of a `windows`; `marks` receives the access points drawn. Null
/// where there is no plane to draw.
std::unique_ptr<Picture> makeWindowsPicture(WindowsOp op, PointMarks &marks);

/// The picture of a `cart_prod`; with `summed`, of the `compute dot_prod` on
/// it. Follows the marks of the factors; `marks` receives the pair.
std::unique_ptr<Picture> makeProductPicture(CartProdOp op, bool summed,
                                            const PointMarks &lhs,
                                            const PointMarks &rhs,
                                            PointMarks &marks);

/// The elements that a `slice` takes, the first one strong. Null where there
/// are none.
std::unique_ptr<Picture> makeSlicePicture(SliceOp op);
/// The operands of a `concat` in the result. Null where it is empty, or where
/// it is not known where they begin.
std::unique_ptr<Picture> makeConcatPicture(ConcatOp op);
/// The elements of the operand in the result of a `broadcast`, and their
/// copies. Null where it is empty.
std::unique_ptr<Picture> makeBroadcastPicture(BroadcastOp op);

/// The picture of a `pair`, and of the `compute` on it where that is not null.
/// `marks` comes with the points to follow and receives the item picked out.
std::unique_ptr<Picture> makePairPicture(PairOp op, ComputeOp compute,
                                         PointMarks &marks);
/// The picture of a `compute` that makes an item of each item.
std::unique_ptr<Picture> makeItemsPicture(ComputeOp op, PointMarks &marks);
/// The picture of a `systolic_array`.
std::unique_ptr<Picture> makeSystolicPicture(SystolicArrayOp op);

/// The picture of any other `compute` that makes one element of each item.
std::unique_ptr<Picture> makePointsPicture(ComputeOp op, PointMarks &marks);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_ACCESSPICTURES_H
