//===- AccessDynamic.cpp - Access patterns of dynamic shape ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonical forms carry dimensions of unknown size along, but do not compute
// with their sizes. Where patterns do,
// 1. each op's sizes are computed at the op, from those of its operands,
//    and what its verifier left to run time is asserted there, in the words of
//    the interpreter;
// 2. movement ops whose indices are affine whatever the sizes are (transpose,
//    slice, windows, …) are composed into the loops as affine maps; pair and
//    cart_prod are tuples there;
// 3. flatten, reshape, pad and concat are written out.
//
//===----------------------------------------------------------------------===//

#include "AccessChecks.h"
#include "AccessLowering.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/AccessForm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Sizes = SmallVector<OpFoldResult>;

//===----------------------------------------------------------------------===//
// Sizes and what is asserted of them
//===----------------------------------------------------------------------===//

/// True for one value, and for the same dimension of one tensor.
static bool isSameSize(OpFoldResult lhs, OpFoldResult rhs) {
  if (lhs == rhs)
    return true;
  auto getDim = [](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    return value ? value.getDefiningOp<tensor::DimOp>() : tensor::DimOp();
  };
  tensor::DimOp left = getDim(lhs), right = getDim(rhs);
  return left && right && left.getSource() == right.getSource() &&
         left.getConstantIndex() &&
         left.getConstantIndex() == right.getConstantIndex();
}

namespace {

/// Index arithmetic at one op.
class SizeBuilder {
public:
  SizeBuilder(RewriterBase &b, Operation *op) : b(b), op(op) {}

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> symbols) {
    return affine::makeComposedFoldedAffineApply(
        b, op->getLoc(), AffineMap::get(0, symbols.size(), expr), symbols);
  }
  AffineExpr symbol(unsigned i) {
    return getAffineSymbolExpr(i, b.getContext());
  }
  /// Asserts lhs ⋈ rhs unless both are known.
  void check(arith::CmpIPredicate predicate, OpFoldResult lhs, OpFoldResult rhs,
             const CheckMessage &message) {
    if (predicate == arith::CmpIPredicate::eq && isSameSize(lhs, rhs))
      return;
    hasFailed |= failed(createCheck(b, op, predicate, lhs, rhs, message));
  }
  /// The one of two equal sizes that is a number, if one is.
  OpFoldResult agree(OpFoldResult lhs, OpFoldResult rhs,
                     const CheckMessage &message) {
    check(arith::CmpIPredicate::eq, lhs, rhs, message);
    return getConstantIntValue(rhs) ? rhs : lhs;
  }
  /// The same for each dimension of the access or compute shapes.
  Sizes agreeAll(StringRef side, ArrayRef<OpFoldResult> lhs,
                 ArrayRef<OpFoldResult> rhs) {
    CheckMessage message(side + " shapes must be equal, got ");
    message << lhs << " and " << rhs;
    Sizes sizes;
    for (auto [size, other] : llvm::zip_equal(lhs, rhs))
      sizes.push_back(agree(size, other, message));
    return sizes;
  }
  OpFoldResult count(ArrayRef<OpFoldResult> sizes) {
    OpFoldResult product = b.getIndexAttr(1);
    for (OpFoldResult size : sizes)
      product = apply(symbol(0) * symbol(1), {product, size});
    return product;
  }

  Sizes slice(SliceOp op, Sizes sizes);
  Sizes windows(WindowsOp op, ArrayRef<OpFoldResult> sizes);
  Sizes reshape(AccessType type, AccessType from, ArrayRef<OpFoldResult> sizes);

  /// True if something is known to be wrong; the error has been emitted.
  bool hasFailed = false;

private:
  RewriterBase &b;
  Operation *op;
};

} // namespace

Sizes SizeBuilder::slice(SliceOp op, Sizes sizes) {
  SmallVector<int64_t> strides = op.getStridesOrOnes();
  using Kind = OutOfBounds::Kind;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    const int64_t offset = op.getOffsets()[i], stride = strides[i];
    const int64_t wanted = op.getSizes()[i];
    const Kind policy = op.getPolicy(i).kind;
    const bool toTheEnd = wanted == kToTheEnd, mayBeEnd = toTheEnd || !wanted;
    if (policy == Kind::Wrap || policy == Kind::Clamp || policy == Kind::Pad) {
      if (policy != Kind::Pad && wanted > 0)
        check(arith::CmpIPredicate::sgt, size, b.getIndexAttr(0),
              CheckMessage("slice of dimension " + Twine(i) +
                           " must take nothing from an empty dimension, got "
                           "size " +
                           Twine(wanted)));
      size = b.getIndexAttr(wanted);
      continue;
    }
    // Below 0 an index counts from the end, under `negative`.
    const int64_t last = wanted > 0 ? offset + (wanted - 1) * stride : offset;
    CheckMessage message("slice of dimension " + Twine(i) +
                         " must stay inside [");
    if (policy == Kind::Negative)
      message << Twine("-") << size;
    else
      message << Twine("0");
    message << Twine(", ") << size << Twine("), got ");
    if (mayBeEnd)
      message << "offset " + Twine(offset);
    else
      message << "places " + Twine(offset) + " to " + Twine(last);
    if (const int64_t most = std::max(offset, last); most >= 0)
      if (most > 0 || !mayBeEnd)
        check(mayBeEnd ? arith::CmpIPredicate::sle : arith::CmpIPredicate::slt,
              b.getIndexAttr(most), size, message);
    if (const int64_t least = std::min(offset, last); least < 0)
      check(arith::CmpIPredicate::sge, size, b.getIndexAttr(-least), message);
    if (!toTheEnd) {
      size = b.getIndexAttr(wanted);
      continue;
    }
    // The stride may be INT64_MIN, whose negation overflows.
    const int64_t back = stride == INT64_MIN ? INT64_MAX : -stride;
    if (offset < 0) {
      // Places below 0 count from the end, and end there.
      size = stride > 0
                 ? OpFoldResult(b.getIndexAttr((-1 - offset) / stride + 1))
                 : apply((symbol(0) + offset).floorDiv(back) + 1, size);
    } else if (stride > 0) {
      size = apply((symbol(0) - offset).ceilDiv(stride), size);
    } else {
      Value extent = getValueOrCreateConstantIndexOp(b, op.getLoc(), size);
      Value first = arith::ConstantIndexOp::create(b, op.getLoc(), offset);
      Value count =
          arith::ConstantIndexOp::create(b, op.getLoc(), offset / back + 1);
      Value none = arith::ConstantIndexOp::create(b, op.getLoc(), 0);
      Value isInside = arith::CmpIOp::create(
          b, op.getLoc(), arith::CmpIPredicate::slt, first, extent);
      size = arith::SelectOp::create(b, op.getLoc(), isInside, count, none)
                 .getResult();
    }
  }
  return sizes;
}

Sizes SizeBuilder::windows(WindowsOp op, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> dilations = op.getDilationsOrOnes();
  unsigned first = sizes.size() - dilations.size();
  Sizes result(sizes.take_front(first));
  for (auto [i, size] : llvm::enumerate(sizes.drop_front(first))) {
    int64_t extent = (op.getShape()[i] - 1) * dilations[i] + 1;
    CheckMessage message(
        "window of " + Twine(op.getShape()[i]) + " with stride " +
        Twine(op.getStrides()[i]) + " and dilation " + Twine(dilations[i]) +
        " does not fit in compute dimension " + Twine(i) + " of size ");
    check(arith::CmpIPredicate::sge, size, b.getIndexAttr(extent),
          message << size);
    result.push_back(
        apply((symbol(0) - extent).floorDiv(op.getStrides()[i]) + 1, size));
  }
  for (int64_t size : op.getShape())
    result.push_back(b.getIndexAttr(size));
  return result;
}

/// True if a reshape leaves the unknown sizes as they are.
static bool keepsUnknown(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  auto before = toFormShape(from), after = toFormShape(to);
  return before && after && reshapeKeepsUnknown(*before, *after);
}

Sizes SizeBuilder::reshape(AccessType type, AccessType from,
                           ArrayRef<OpFoldResult> sizes) {
  Sizes result;
  auto side = [&](StringRef name, ArrayRef<int64_t> to,
                  ArrayRef<int64_t> fromShape, ArrayRef<OpFoldResult> old) {
    if (to == fromShape && llvm::count(to, kDynamicSize) != 1) {
      llvm::append_range(result, old);
      return;
    }
    if (keepsUnknown(fromShape, to)) {
      SmallVector<OpFoldResult> unknown;
      for (auto [size, known] : llvm::zip_equal(old, fromShape))
        if (known == kDynamicSize)
          unknown.push_back(size);
      auto next = unknown.begin();
      for (int64_t size : to)
        result.push_back(size == kDynamicSize ? *next++ : b.getIndexAttr(size));
      return;
    }
    OpFoldResult total = count(old);
    int64_t known = 1;
    for (int64_t size : to)
      if (size != kDynamicSize)
        known *= size;
    OpFoldResult product = b.getIndexAttr(known);
    for (int64_t size : to) {
      if (size != kDynamicSize) {
        result.push_back(b.getIndexAttr(size));
        continue;
      }
      result.push_back(known == 0 ? OpFoldResult(b.getIndexAttr(0))
                                  : apply(symbol(0).floorDiv(known), total));
      product = apply(symbol(0) * known, result.back());
    }
    CheckMessage message(name +
                         " shapes must have equally many elements, got ");
    message << old << " and [" + shapeToString(to) + "]";
    check(arith::CmpIPredicate::eq, product, total, message);
  };
  unsigned split = from.getAccessRank();
  side("access", type.getAccessShape(), from.getAccessShape(),
       sizes.take_front(split));
  side("compute", type.getComputeShape(), from.getComputeShape(),
       sizes.drop_front(split));
  return result;
}

Sizes AccessLowering::getSizesOf(Value value) {
  if (AccessForms::isStatic(value))
    return getAsIndexOpFoldResult(rewriter.getContext(), getBaseShape(value));
  if (isa<AccessType>(value.getType()))
    return dynamicSizes.lookup(value);
  return getTensorSizes(value);
}

static AffineMap getAffineMovement(Operation *op, bool isTuple);

/// Whether emitDynamicMovement writes an op out, piece by piece.
static bool isWrittenOut(Operation *op) {
  return isa<FlattenOp, ReshapeOp, PadOp, ConcatOp, PairOp, CartProdOp>(op);
}

LogicalResult AccessLowering::computeSizes(Operation *op) {
  SizeBuilder b(rewriter, op);
  auto sizesOf = [&](Value value) { return getSizesOf(value); };
  Sizes sizes =
      llvm::TypeSwitch<Operation *, Sizes>(op)
          .Case<AccessOp>(
              [&](AccessOp op) { return getTensorSizes(op.getTensor()); })
          .Case<TransposeOp>([&](TransposeOp op) {
            Sizes old = sizesOf(op.getPattern()), sizes;
            for (int64_t dim : op.getPerm())
              sizes.push_back(old[dim]);
            return sizes;
          })
          .Case<SqueezeOp>([&](SqueezeOp op) {
            Sizes sizes = sizesOf(op.getPattern());
            sizes.erase(sizes.begin() + op.getAxis());
            return sizes;
          })
          .Case<InsertAxisOp>([&](InsertAxisOp op) {
            Sizes sizes = sizesOf(op.getPattern());
            sizes.insert(sizes.begin() + op.getAxis(),
                         rewriter.getIndexAttr(1));
            return sizes;
          })
          .Case<BroadcastOp>([&](BroadcastOp op) {
            Sizes sizes = sizesOf(op.getPattern());
            for (auto [size, wanted] :
                 llvm::zip_equal(sizes, op.getType().getShape()))
              if (wanted != kDynamicSize)
                size = rewriter.getIndexAttr(wanted);
            return sizes;
          })
          .Case<SliceOp>(
              [&](SliceOp op) { return b.slice(op, sizesOf(op.getPattern())); })
          .Case<WindowsOp>([&](WindowsOp op) {
            return b.windows(op, sizesOf(op.getPattern()));
          })
          .Case<ProjectOp>([&](ProjectOp op) {
            // Compute dimensions are static; the type has the rest.
            Sizes sizes = sizesOf(op.getPattern());
            sizes.resize(op.getType().getRank(), rewriter.getIndexAttr(0));
            return sizes;
          })
          .Case<FlattenOp, ReshapeOp>([&](auto op) {
            return b.reshape(cast<AccessType>(op.getResult().getType()),
                             op.getPattern().getType(),
                             sizesOf(op.getPattern()));
          })
          .Case<PairOp>([&](PairOp op) {
            Sizes lhs = sizesOf(op.getLhs()), rhs = sizesOf(op.getRhs());
            unsigned split = op.getLhs().getType().getAccessRank();
            Sizes sizes = b.agreeAll("access", ArrayRef(lhs).take_front(split),
                                     ArrayRef(rhs).take_front(split));
            sizes.push_back(rewriter.getIndexAttr(2));
            llvm::append_range(
                sizes, b.agreeAll("compute", ArrayRef(lhs).drop_front(split),
                                  ArrayRef(rhs).drop_front(split)));
            return sizes;
          })
          .Case<CartProdOp>([&](CartProdOp op) {
            Sizes lhs = sizesOf(op.getLhs()), rhs = sizesOf(op.getRhs());
            unsigned left = op.getLhs().getType().getAccessRank();
            unsigned right = op.getRhs().getType().getAccessRank();
            Sizes sizes(ArrayRef<OpFoldResult>(lhs).take_front(left));
            llvm::append_range(sizes, ArrayRef(rhs).take_front(right));
            sizes.push_back(rewriter.getIndexAttr(2));
            llvm::append_range(
                sizes, b.agreeAll("compute", ArrayRef(lhs).drop_front(left),
                                  ArrayRef(rhs).drop_front(right)));
            return sizes;
          })
          .Case<ConcatOp>([&](ConcatOp op) {
            Sizes sizes = sizesOf(op.getPatterns().front());
            unsigned axis = op.getAxis();
            for (Value operand : op.getPatterns().drop_front())
              for (auto [i, size, other] :
                   llvm::enumerate(sizes, sizesOf(operand))) {
                if (i == axis) {
                  size = b.apply(b.symbol(0) + b.symbol(1), {size, other});
                  continue;
                }
                CheckMessage message(
                    "dimension " + Twine(i) +
                    " of all concat operands must be equal, got ");
                size =
                    b.agree(size, other, message << size << " and " << other);
              }
            return sizes;
          })
          .Case<PadOp>([&](PadOp op) {
            Sizes sizes = sizesOf(op.getPattern());
            SmallVector<int64_t> interior = op.getInteriorOrZeros();
            for (auto [i, size] : llvm::enumerate(sizes)) {
              int64_t ends = op.getLow()[i] + op.getHigh()[i];
              // Of n ≥ 0 elements max(n - 1, 0) gaps, hence n - min(n, 1).
              OpFoldResult gaps = size;
              if (interior[i] != 0)
                gaps = affine::makeComposedFoldedAffineMax(
                    rewriter, op.getLoc(),
                    AffineMap::get(
                        0, 1,
                        {b.symbol(0) - 1,
                         getAffineConstantExpr(0, rewriter.getContext())},
                        rewriter.getContext()),
                    size);
              size = b.apply(b.symbol(0) + b.symbol(1) * interior[i] + ends,
                             {size, gaps});
            }
            return sizes;
          })
          .Case<ComputeOp>([&](ComputeOp op) {
            Sizes sizes = sizesOf(op.getPattern());
            unsigned split = op.getPattern().getType().getAccessRank();
            ArrayRef<OpFoldResult> item = ArrayRef(sizes).drop_front(split);
            OpFoldResult zero = rewriter.getIndexAttr(0);
            if (op.getKind() == ComputeKind::ReduceMax ||
                op.getKind() == ComputeKind::ReduceMean) {
              CheckMessage message(stringifyComputeKind(op.getKind()) +
                                   " needs a non-empty item, got compute "
                                   "shape ");
              message << item;
              for (OpFoldResult size : item)
                b.check(arith::CmpIPredicate::sgt, size, zero, message);
            }
            if (hasTupleOfUnknownLength(op)) {
              CheckMessage message(
                  "the tuple must not be empty, got compute shape ");
              b.check(arith::CmpIPredicate::sgt, sizes[split], zero,
                      message << item);
            }
            if (isOverTuple(op.getKind()))
              sizes.erase(sizes.begin() + split);
            // Reductions keep the access dimensions alone.
            sizes.truncate(op.getType().getRank());
            return sizes;
          })
          .Case<SystolicArrayOp>([&](SystolicArrayOp op) {
            Sizes sizes = sizesOf(op.getActivations());
            Sizes item = sizesOf(op.getWeights());
            OpFoldResult given = sizes.pop_back_val();
            if (op.getBlocked()) {
              const size_t batch = item.size() - 2;
              SmallVector<OpFoldResult> wanted(sizes.begin(),
                                               sizes.begin() + batch);
              llvm::append_values(wanted, given, item.back());
              CheckMessage message("blocked weights must have shape ");
              message << ArrayRef<OpFoldResult>(wanted) << ", got "
                      << ArrayRef<OpFoldResult>(item);
              for (auto [size, other] :
                   llvm::zip(ArrayRef(wanted).drop_back(), item))
                b.agree(other, size, message);
              sizes.push_back(item.back());
              return sizes;
            }
            OpFoldResult rows = rewriter.getIndexAttr(op.getRows());
            OpFoldResult cols = rewriter.getIndexAttr(op.getCols());
            CheckMessage activations("activations must have compute shape [" +
                                     Twine(op.getRows()) + "], got ");
            b.agree(given, rows, activations << ArrayRef(given));
            CheckMessage weights("weights must be one item of shape [" +
                                 Twine(op.getRows()) + "x" +
                                 Twine(op.getCols()) + "], got [ | ");
            weights << item[0] << "x" << item[1] << "]";
            b.agree(item[0], rows, weights);
            b.agree(item[1], cols, weights);
            sizes.push_back(cols);
            return sizes;
          })
          .Case<MaterializeOp, ShiftRightOp>(
              [&](auto op) { return sizesOf(op.getPattern()); })
          .Default([](Operation *) { return Sizes(); });
  // What the type has is a number, whatever it was computed from.
  AccessType type = cast<PatternValue>(op->getResult(0)).getType();
  if (isMovement(op) &&
      (sizes.size() != static_cast<size_t>(type.getRank()) ||
       (op->getNumOperands() == 1 && isa<PatternValue>(op->getOperand(0)) &&
        !isWrittenOut(op) && !getAffineMovement(op, /*isTuple=*/false))))
    return op->emitOpError("is not lowered where sizes are unknown at compile "
                           "time");
  for (auto [size, known] : llvm::zip(sizes, type.getShape()))
    if (known != kDynamicSize)
      size = rewriter.getIndexAttr(known);
  dynamicSizes[op->getResult(0)] = std::move(sizes);
  return failure(b.hasFailed);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool AccessLowering::isDynamic(PatternValue pattern) {
  if (!AccessForms::hasForm(pattern))
    return true;
  // A base that a movement op defines is one that computes with an unknown
  // size, or a form beyond the budget.
  auto isCut = [](Value base) {
    Operation *op = base.getDefiningOp();
    return isMovement(op) &&
           !(AccessForms::isStatic(base) &&
             llvm::all_of(op->getOperands(), AccessForms::isStatic));
  };
  return llvm::any_of(forms.get(pattern).bases, isCut);
}

/// The map of the operand's indices from those of the result; null for ops
/// whose results are written out.
static AffineMap getAffineMovement(Operation *op, bool isTuple) {
  MLIRContext *context = op->getContext();
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, context); };
  AccessType type = cast<PatternValue>(op->getResult(0)).getType();
  if (isTuple || op->getNumOperands() != 1)
    return AffineMap();
  auto pattern = dyn_cast<PatternValue>(op->getOperand(0));
  if (!pattern)
    return AffineMap();
  unsigned rank = type.getRank(), oldRank = pattern.getType().getRank();
  SmallVector<AffineExpr> exprs(oldRank);
  bool known =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<TransposeOp>([&](TransposeOp op) {
            for (auto [i, old] : llvm::enumerate(op.getPerm()))
              exprs[old] = dim(i);
            return true;
          })
          .Case<SqueezeOp>([&](SqueezeOp op) {
            unsigned axis = op.getAxis();
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] = i == axis ? getAffineConstantExpr(0, context)
                                   : dim(i - (i > axis));
            return true;
          })
          .Case<InsertAxisOp>([&](InsertAxisOp op) {
            unsigned axis = op.getAxis();
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] = dim(i + (i >= axis));
            return true;
          })
          .Case<BroadcastOp>([&](BroadcastOp op) {
            SmallVector<int64_t> shape = op.getPattern().getType().getShape();
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] =
                  shape[i] == 1 ? getAffineConstantExpr(0, context) : dim(i);
            return true;
          })
          .Case<ShiftRightOp>([&](ShiftRightOp) {
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] = dim(i);
            return true;
          })
          .Case<SliceOp>([&](SliceOp op) {
            SmallVector<int64_t> strides = op.getStridesOrOnes();
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] = dim(i) * strides[i] + op.getOffsets()[i];
            return true;
          })
          .Case<ProjectOp>([&](ProjectOp op) {
            if (!getProjectionSteps(op).policies.empty())
              return false;
            exprs = llvm::to_vector(getProjectedPlaces(op).getResults());
            return true;
          })
          .Case<WindowsOp>([&](WindowsOp op) {
            SmallVector<int64_t> dilations = op.getDilationsOrOnes();
            unsigned count = dilations.size(), first = oldRank - count;
            for (unsigned i = 0; i < oldRank; ++i)
              exprs[i] = i < first ? dim(i)
                                   : dim(i) * op.getStrides()[i - first] +
                                         dim(i + count) * dilations[i - first];
            return true;
          })
          .Default([](Operation *) { return false; });
  return known ? AffineMap::get(rank, 0, exprs, context) : AffineMap();
}

/// Follows affine movement back from a pattern: its base and the map there.
static std::pair<Value, AffineMap> followAffine(Value pattern) {
  AffineMap map = AffineMap::getMultiDimIdentityMap(
      cast<PatternValue>(pattern).getType().getRank(), pattern.getContext());
  while (true) {
    Operation *op = pattern.getDefiningOp();
    if (auto access = dyn_cast_or_null<AccessOp>(op))
      return {access.getTensor(), map};
    AffineMap step =
        isMovement(op) ? getAffineMovement(op, false) : AffineMap();
    if (!step)
      return {pattern, map};
    map = step.compose(map);
    pattern = op->getOperand(0);
  }
}

SmallVector<std::pair<Value, AffineMap>>
AccessLowering::getDynamicOperands(PatternValue pattern, bool isTuple) {
  MLIRContext *context = pattern.getContext();
  AccessType type = pattern.getType();
  if (!isTuple)
    return {followAffine(pattern)};
  unsigned split = type.getAccessRank(), rank = type.getRank() - 1;
  SmallVector<std::pair<Value, AffineMap>> operands;
  // Which dimensions of the tuple an element has: all after the first `skip`
  // access dimensions up to `stop`, and the item.
  auto add = [&](Value element, unsigned skip, unsigned stop) {
    auto [base, map] = followAffine(element);
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0; i < rank; ++i)
      if ((i >= skip && i < stop) || i >= split)
        exprs.push_back(getAffineDimExpr(i, context));
    operands.push_back(
        {base, map.compose(AffineMap::get(rank, 0, exprs, context))});
  };
  if (auto pair = pattern.getDefiningOp<PairOp>()) {
    add(pair.getLhs(), 0, split);
    add(pair.getRhs(), 0, split);
    return operands;
  }
  if (auto product = pattern.getDefiningOp<CartProdOp>()) {
    unsigned left = product.getLhs().getType().getAccessRank();
    add(product.getLhs(), 0, left);
    add(product.getRhs(), left, split);
    return operands;
  }
  auto [base, map] = followAffine(pattern);
  for (int64_t i = 0; i < type.getComputeShape().front(); ++i) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim = 0; dim < rank + 1; ++dim)
      exprs.push_back(dim == split
                          ? getAffineConstantExpr(i, context)
                          : getAffineDimExpr(dim - (dim > split), context));
    operands.push_back(
        {base, map.compose(AffineMap::get(rank, 0, exprs, context))});
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// Writing out
//===----------------------------------------------------------------------===//

Value AccessLowering::emitDynamicMovement(PatternValue pattern) {
  Operation *op = pattern.getDefiningOp();
  Location loc = op->getLoc();
  AccessType type = pattern.getType();
  Type elementType = type.getElementType();
  Sizes sizes = getSizesOf(pattern);
  auto copy = [&](Value from) {
    return emitCopy(loc, cast<PatternValue>(from));
  };
  Sizes offsets(sizes.size(), rewriter.getIndexAttr(0));
  Sizes ones(sizes.size(), rewriter.getIndexAttr(1));
  auto insert = [&](Value part, Value into, ArrayRef<OpFoldResult> partSizes,
                    ArrayRef<OpFoldResult> strides) -> Value {
    return insertPart(rewriter, loc, part, into, offsets, partSizes, strides);
  };

  if (isa<FlattenOp, ReshapeOp>(op)) {
    Value source = copy(op->getOperand(0));
    SmallVector<Value> values =
        getValueOrCreateConstantIndexOp(rewriter, loc, sizes);
    auto shapeType = RankedTensorType::get(static_cast<int64_t>(sizes.size()),
                                           rewriter.getIndexType());
    Value shape =
        tensor::FromElementsOp::create(rewriter, loc, shapeType, values);
    return tensor::ReshapeOp::create(rewriter, loc, type.getTensorType(),
                                     source, shape);
  }
  if (auto pad = dyn_cast<PadOp>(op)) {
    Value result = createFilled(rewriter, loc, sizes, elementType,
                                cast<TypedAttr>(pad.getValue()));
    offsets = getAsIndexOpFoldResult(rewriter.getContext(), pad.getLow());
    SmallVector<int64_t> strides = pad.getInteriorOrZeros();
    for (int64_t &stride : strides)
      ++stride;
    return insert(copy(pad.getPattern()), result, getSizesOf(pad.getPattern()),
                  getAsIndexOpFoldResult(rewriter.getContext(), strides));
  }
  // Pieces one after another: concat, or a tuple written out.
  Value result = tensor::EmptyOp::create(rewriter, loc, sizes, elementType);
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    SizeBuilder b(rewriter, op);
    for (Value operand : concat.getPatterns()) {
      Sizes partSizes = getSizesOf(operand);
      result = insert(copy(operand), result, partSizes, ones);
      OpFoldResult &offset = offsets[concat.getAxis()];
      offset = b.apply(b.symbol(0) + b.symbol(1),
                       {offset, partSizes[concat.getAxis()]});
    }
    return result;
  }
  if (isa<PairOp, CartProdOp>(op)) {
    unsigned split = type.getAccessRank();
    Sizes partSizes = sizes, itemSizes = sizes;
    partSizes[split] = rewriter.getIndexAttr(1);
    itemSizes.erase(itemSizes.begin() + split);
    for (auto [i, view] :
         llvm::enumerate(getViews(loc, pattern, /*isTuple=*/true))) {
      Value part = emitCopy(loc, view, elementType, itemSizes);
      offsets[split] = rewriter.getIndexAttr(i);
      result = insert(part, result, partSizes, ones);
    }
    return result;
  }
  auto [base, map] = followAffine(pattern);
  OperandView view;
  view.base = getTensor(base);
  view.map = map;
  return emitCopy(loc, view, elementType, sizes);
}

SmallVector<Value> AccessLowering::getDynamicBases(PatternValue pattern) {
  Operation *op = pattern.getDefiningOp();
  if (isa<PairOp, CartProdOp>(op))
    return getBases(pattern, /*isTuple=*/true);
  if (!isWrittenOut(op))
    return {followAffine(pattern).first};
  SmallVector<Value> bases;
  for (Value operand : op->getOperands())
    llvm::append_range(bases, getBases(cast<PatternValue>(operand), false));
  return bases;
}
