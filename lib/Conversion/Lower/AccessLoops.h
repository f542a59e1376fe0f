//===- AccessLoops.h - Loops over views of tensors ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What AccessToLinalg.cpp emits with; private to lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H
#define TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/LayoutNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tensoraccess {

/// As in Transforms' Reshape.h where sizes are known at run time: `from` and `to`
/// are the shapes with one number for every size that no type knows
/// (DigitView::replaceSize), `sizes` those of the result, of which some may be
/// known all the same: the result's type has them. Runs of dimensions that have
/// equally many elements correspond.
Value reshapeTensor(OpBuilder &b, Location loc, Value tensor,
                    ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                    ArrayRef<OpFoldResult> sizes);

/// Sizes as a form has them: kUnknownExtent for those known at run time.
SmallVector<int64_t> getNumbers(ArrayRef<OpFoldResult> sizes);

/// A map over the box of `shape` as mixed-radix digits, with which the index
/// into the base is linear: dimensions are cut where the map divides them, or
/// the base is one list of elements that the view walks through by constant
/// strides. std::nullopt if a division is left, or a size is 0.
std::optional<DigitView> getDigits(const IndexingMap &map,
                                   ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> baseShape);

/// One array that loops read: `base[map(x)]`, or a constant.
struct OperandView {
  /// A tensor; null for a constant.
  Value base;
  TypedAttr constant;
  /// From the dimensions of the view to those of the base.
  AffineMap map;
  /// The same as digits, where that is possible.
  std::optional<DigitView> digits;
  /// True if a dimension of unknown size that is alone in an index reads all
  /// of that dimension of the base, as in canonical forms.
  bool isWhole = false;

  static OperandView getConstant(TypedAttr constant) {
    OperandView view;
    view.constant = constant;
    return view;
  }
  /// All of a tensor.
  static OperandView identity(Value tensor);
  /// True if the view, read row-major, is the base read row-major.
  bool isRowMajor() const;
};

/// Reads the base at the index that the map gives for the loops.
struct LoopRead {
  Value base;
  TypedAttr constant;
  AffineMap map;
  /// The base's sizes as numbers, to be compared with those of the loops; empty
  /// where that is of no use.
  SmallVector<int64_t> numbers;
};

/// Loops that visit all points of views of one shape, row-major.
struct LoopPlan {
  /// Loop ranges; the first `numParallel` run over the access dimensions.
  SmallVector<OpFoldResult> ranges;
  unsigned numParallel = 0;
  /// One per view.
  SmallVector<LoopRead> operands;
  /// The ranges with one number for every unknown size, `unknown`.
  SmallVector<int64_t> numbers;
  int64_t unknown = 0;
  /// The views' shape as numbers in the same way. A size that is unknown to the
  /// views is `unknown` here even where the loops know it.
  SmallVector<int64_t> shape;
};

/// Plans loops over views of equal shape, of which the first `accessRank`
/// dimensions are parallel. Where all views are digits, digits are merged and
/// bases collapsed, so that maps are linear; else maps may contain floordiv and
/// mod.
LoopPlan planLoops(OpBuilder &b, Location loc, ArrayRef<OperandView> views,
                   ArrayRef<OpFoldResult> shape, int64_t accessRank);

/// What loops made, in the shape of the views' first `sizes.size()` dimensions:
/// loops that were merged are split again.
Value fitResult(OpBuilder &b, Location loc, Value tensor, const LoopPlan &plan,
                ArrayRef<OpFoldResult> sizes);

/// Computes the next value of a result element from the operands' elements and
/// its value so far.
using LoopBody =
    function_ref<Value(OpBuilder &, Location, ValueRange operands, Value acc)>;

/// Emits the plan as one linalg.generic whose result, of `elementType`, has one
/// dimension per parallel loop and starts as `init` (a constant), or
/// uninitialised. A base whose map has floordiv or mod is read by
/// tensor.extract. Loops beyond `numParallel` are reductions, in order.
linalg::GenericOp emitLoops(OpBuilder &b, Location loc, const LoopPlan &plan,
                            Type elementType, TypedAttr init, LoopBody body);

/// A tensor full of a constant, or of undefined elements without one.
Value createFilled(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
                   Type elementType, TypedAttr value);

/// The tensor's elements rounded to a float type, or the tensor itself where it
/// has that type: what ends a sum that is computed in a wider type.
inline Value roundElements(OpBuilder &b, Location loc, Value tensor,
                           Type elementType) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getElementType() == elementType)
    return tensor;
  return arith::TruncFOp::create(b, loc, type.clone(elementType), tensor);
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_ACCESSLOOPS_H
