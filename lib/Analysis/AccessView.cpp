//===- AccessView.cpp - What an access pattern reads
//-----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Walk from the pattern to the first op that is no movement: `access` gives
//    a tensor, `cart_prod` one walk more for each side, anything else is a
//    source to be realised.
// 2. Apply the movement ops met, in program order, to the identity views.
//    A movement that touches the tuple axis, or a pad that no padding of the
//    base equals, starts again: its operand becomes the source.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/AccessView.h"
#include "TensorAccess/Core/Shape.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

AccessView AccessView::identity(Value source, ArrayRef<int64_t> shape) {
  AccessView view;
  view.source = source;
  view.baseShape.assign(shape.begin(), shape.end());
  view.shape.assign(shape.begin(), shape.end());
  view.digits = DigitView::identity(shape);
  view.map =
      AffineMap::getMultiDimIdentityMap(shape.size(), source.getContext());
  return view;
}

//===----------------------------------------------------------------------===//
// Movement of one view
//===----------------------------------------------------------------------===//

/// Precomposes: `exprs` are the old dimensions as forms of the new ones.
static void compose(AccessView &view, unsigned numDims,
                    ArrayRef<AffineExpr> exprs) {
  view.map = view.map.compose(
      AffineMap::get(numDims, 0, exprs, view.map.getContext()));
}

static void setShape(AccessView &view, ArrayRef<int64_t> shape) {
  view.shape.assign(shape.begin(), shape.end());
}

static void applyTranspose(AccessView &view, ArrayRef<int64_t> perm) {
  if (view.digits)
    view.digits->transpose(perm);
  SmallVector<AffineExpr> exprs(perm.size());
  SmallVector<int64_t> shape;
  for (auto [i, dim] : llvm::enumerate(perm)) {
    exprs[dim] = getAffineDimExpr(i, view.map.getContext());
    shape.push_back(view.shape[dim]);
  }
  compose(view, perm.size(), exprs);
  setShape(view, shape);
}

static void applySqueeze(AccessView &view, unsigned axis) {
  if (view.digits)
    view.digits->squeeze(axis);
  SmallVector<AffineExpr> exprs;
  MLIRContext *context = view.map.getContext();
  for (unsigned i = 0; i < view.shape.size(); ++i)
    exprs.push_back(i == axis ? getAffineConstantExpr(0, context)
                              : getAffineDimExpr(i - (i > axis), context));
  compose(view, view.shape.size() - 1, exprs);
  view.shape.erase(view.shape.begin() + axis);
}

static void applyInsert(AccessView &view, unsigned axis, int64_t size) {
  if (view.digits)
    view.digits->insert(axis, size);
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < view.shape.size(); ++i)
    exprs.push_back(getAffineDimExpr(i + (i >= axis), view.map.getContext()));
  compose(view, view.shape.size() + 1, exprs);
  view.shape.insert(view.shape.begin() + axis, size);
}

static void applyWindows(AccessView &view, WindowsOp op) {
  SmallVector<int64_t> dilations = op.getDilationsOrOnes();
  ArrayRef<int64_t> window = op.getShape(), strides = op.getStrides();
  if (view.digits && !view.digits->windows(window, strides, dilations))
    view.digits = std::nullopt;
  unsigned first = view.shape.size() - window.size();
  SmallVector<AffineExpr> exprs;
  MLIRContext *context = view.map.getContext();
  for (unsigned i = 0; i < view.shape.size(); ++i) {
    AffineExpr place = getAffineDimExpr(i, context);
    exprs.push_back(i < first
                        ? place
                        : place * strides[i - first] +
                              getAffineDimExpr(i + window.size(), context) *
                                  dilations[i - first]);
  }
  compose(view, view.shape.size() + window.size(), exprs);
  setShape(view, op.getType().getShape());
}

/// Dimensions [begin, end) are cut into `sizes`: old index = delinearize(
/// linearize(new index)).
static void applyReshape(AccessView &view, unsigned begin, unsigned end,
                         ArrayRef<int64_t> sizes) {
  if (ArrayRef<int64_t>(view.shape).slice(begin, end - begin) == sizes)
    return;
  if (view.digits && !view.digits->reshape(begin, end, sizes))
    view.digits = std::nullopt;
  MLIRContext *context = view.map.getContext();
  SmallVector<int64_t> oldSizes(
      ArrayRef<int64_t>(view.shape).slice(begin, end - begin));
  AffineExpr linear = getAffineConstantExpr(0, context);
  for (auto [i, stride] : llvm::enumerate(rowMajorStrides(sizes)))
    if (sizes[i] != 1)
      linear = linear + getAffineDimExpr(begin + i, context) * stride;
  unsigned numDims = view.shape.size() - oldSizes.size() + sizes.size();
  SmallVector<AffineExpr> exprs;
  for (unsigned i = 0; i < begin; ++i)
    exprs.push_back(getAffineDimExpr(i, context));
  for (auto [i, stride] : llvm::enumerate(rowMajorStrides(oldSizes))) {
    if (oldSizes[i] == 1) {
      exprs.push_back(getAffineConstantExpr(0, context));
      continue;
    }
    // With no elements there is no index to compute; 1 keeps the form valid.
    AffineExpr digit = linear.floorDiv(std::max<int64_t>(stride, 1));
    exprs.push_back(i == 0 ? digit : digit % std::max<int64_t>(oldSizes[i], 1));
  }
  for (unsigned i = end; i < view.shape.size(); ++i)
    exprs.push_back(
        getAffineDimExpr(i - oldSizes.size() + sizes.size(), context));
  compose(view, numDims, exprs);
  SmallVector<int64_t> shape(view.shape);
  shape.erase(shape.begin() + begin, shape.begin() + end);
  shape.insert(shape.begin() + begin, sizes.begin(), sizes.end());
  setShape(view, shape);
}

/// Pads the base; fails where that is not the same as padding the view.
static LogicalResult applyPad(AccessView &view, PadOp op) {
  SourcePadding padding;
  padding.value = op.getValue();
  ArrayRef<int64_t> low = op.getLow();
  if (!view.digits ||
      !view.digits->pad(low, op.getHigh(), padding.low, padding.high))
    return failure();
  for (auto [size, before, after] :
       llvm::zip_equal(view.baseShape, padding.low, padding.high))
    size += before + after;
  // The same index, now counted from the padding on: the view's dimension is
  // alone in its base dimension, whose form stays.
  view.paddings.push_back(std::move(padding));
  setShape(view, op.getType().getShape());
  return success();
}

//===----------------------------------------------------------------------===//
// Movement of a pattern
//===----------------------------------------------------------------------===//

/// Cuts both sides of the split into dimensions of the given sizes.
static void reshapeSides(AccessParts &parts, ArrayRef<int64_t> access,
                         ArrayRef<int64_t> compute) {
  for (AccessView &view : parts.views) {
    applyReshape(view, parts.accessRank, view.shape.size(), compute);
    applyReshape(view, 0, parts.accessRank, access);
  }
  parts.accessRank = access.size();
}

/// Applies a movement op to views of its operand. Fails where they cannot
/// express it.
static LogicalResult applyMovement(AccessParts &parts, Operation *op) {
  // The tuple axis is no dimension of the views; later ones move up by one.
  int64_t tupleAxis = parts.isTuple ? parts.accessRank : -1;
  auto withoutTuple = [&](int64_t axis) {
    return axis - (tupleAxis >= 0 && axis > tupleAxis);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<TransposeOp>([&](TransposeOp op) {
        SmallVector<int64_t> perm;
        for (auto [i, dim] : llvm::enumerate(op.getPerm())) {
          if ((static_cast<int64_t>(i) == tupleAxis) != (dim == tupleAxis))
            return failure();
          if (dim != tupleAxis)
            perm.push_back(withoutTuple(dim));
        }
        for (AccessView &view : parts.views)
          applyTranspose(view, perm);
        return success();
      })
      .Case<SqueezeOp>([&](SqueezeOp op) {
        int64_t axis = op.getAxis();
        for (AccessView &view : parts.views)
          applySqueeze(view, withoutTuple(axis));
        parts.accessRank -= axis < parts.accessRank;
        return success();
      })
      .Case<InsertAxisOp>([&](InsertAxisOp op) {
        int64_t axis = op.getAxis();
        for (AccessView &view : parts.views)
          applyInsert(view, withoutTuple(axis), 1);
        parts.accessRank += axis <= parts.accessRank;
        return success();
      })
      .Case<WindowsOp>([&](WindowsOp op) {
        if (parts.isTuple)
          return failure();
        for (AccessView &view : parts.views)
          applyWindows(view, op);
        parts.accessRank = op.getType().getAccessRank();
        return success();
      })
      .Case<FlattenOp, ReshapeOp>([&](auto op) {
        auto type = cast<AccessType>(op->getResult(0).getType());
        ArrayRef<int64_t> compute = type.getComputeShape();
        if (parts.isTuple) {
          int64_t length = parts.views.size();
          if (compute.empty() || compute.front() != length)
            return failure();
          compute = compute.drop_front();
        }
        reshapeSides(parts, type.getAccessShape(), compute);
        return success();
      })
      .Case<PadOp>([&](PadOp op) {
        return parts.isTuple || op.getInterior()
                   ? failure()
                   : applyPad(parts.views[0], op);
      })
      .Default([](Operation *) { return failure(); });
}

static bool isMovement(Operation *op) {
  return isa_and_nonnull<TransposeOp, SqueezeOp, InsertAxisOp, WindowsOp,
                         FlattenOp, ReshapeOp, PadOp>(op);
}

/// The pattern as a source of its own.
static AccessParts getSource(TypedValue<AccessType> pattern) {
  AccessParts parts;
  parts.accessRank = pattern.getType().getAccessRank();
  parts.views.push_back(
      AccessView::identity(pattern, pattern.getType().getShape()));
  return parts;
}

/// Views of a pattern, where a Cartesian product is a source of its own unless
/// `openProduct`, which gives the identity views of its sides.
static AccessParts walk(TypedValue<AccessType> pattern,
                        function_ref<AccessParts(CartProdOp)> openProduct) {
  SmallVector<Operation *> movements;
  TypedValue<AccessType> root = pattern;
  while (isMovement(root.getDefiningOp())) {
    movements.push_back(root.getDefiningOp());
    root = cast<TypedValue<AccessType>>(movements.back()->getOperand(0));
  }
  AccessParts parts;
  if (auto access = root.getDefiningOp<AccessOp>()) {
    auto type = cast<RankedTensorType>(access.getTensor().getType());
    parts.accessRank = access.getAxis();
    parts.views.push_back(
        AccessView::identity(access.getTensor(), type.getShape()));
  } else if (auto product = root.getDefiningOp<CartProdOp>();
             product && openProduct) {
    parts = openProduct(product);
  } else {
    parts = getSource(root);
  }
  for (Operation *op : llvm::reverse(movements)) {
    AccessParts moved = parts;
    if (failed(applyMovement(moved, op))) {
      moved = getSource(cast<TypedValue<AccessType>>(op->getOperand(0)));
      if (failed(applyMovement(moved, op)))
        moved = getSource(cast<TypedValue<AccessType>>(op->getResult(0)));
    }
    parts = std::move(moved);
  }
  return parts;
}

/// The sides of a product as a tuple: each is repeated over the other's access
/// dimensions.
static AccessParts openCartProd(CartProdOp product) {
  AccessParts parts;
  AccessParts lhs = walk(product.getLhs(), nullptr);
  AccessParts rhs = walk(product.getRhs(), nullptr);
  for (auto [i, size] :
       llvm::enumerate(product.getRhs().getType().getAccessShape()))
    applyInsert(lhs.views[0], lhs.accessRank + i, size);
  for (auto [i, size] :
       llvm::enumerate(product.getLhs().getType().getAccessShape()))
    applyInsert(rhs.views[0], i, size);
  parts.views = {lhs.views[0], rhs.views[0]};
  parts.isTuple = true;
  parts.accessRank = lhs.accessRank + rhs.accessRank;
  return parts;
}

AccessParts mlir::tensoraccess::getAccessParts(TypedValue<AccessType> pattern) {
  return walk(pattern, openCartProd);
}

std::optional<AccessView>
mlir::tensoraccess::getFlattenedView(TypedValue<AccessType> pattern) {
  AccessType type = pattern.getType();
  std::optional<int64_t> access = elementCount(type.getAccessShape());
  std::optional<int64_t> compute = elementCount(type.getComputeShape());
  AccessParts parts = walk(pattern, nullptr);
  if (!access || !compute)
    return std::nullopt;
  reshapeSides(parts, *access, *compute);
  AccessView view = parts.views[0];
  if (!view.digits)
    return std::nullopt;
  DigitView::merge(*view.digits);
  for (unsigned dim = 0; dim < view.digits->getNumDims(); ++dim)
    if (view.digits->getDim(dim).size() != 1)
      return std::nullopt;
  return view;
}
