//===- AccessCompute.cpp - Arithmetic on access patterns as loops ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compute op is one linalg op over the loops of its access and compute
// dimensions; reduce_mean divides in a second one, softmax takes four: greatest
// element, exponentials, their sum, and the quotient in place. Sums of floats
// below f32 are computed in f32, and one more op rounds them.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The float or the integer op, whichever fits the values' type.
template <typename FloatOp, typename IntOp>
static Value create(OpBuilder &b, Location loc, Value x, Value y) {
  return isa<FloatType>(x.getType()) ? FloatOp::create(b, loc, x, y).getResult()
                                     : IntOp::create(b, loc, x, y).getResult();
}

static Value createAdd(OpBuilder &b, Location loc, Value x, Value y) {
  return create<arith::AddFOp, arith::AddIOp>(b, loc, x, y);
}

static Value createMul(OpBuilder &b, Location loc, Value x, Value y) {
  return create<arith::MulFOp, arith::MulIOp>(b, loc, x, y);
}

/// The greater value; for i1, that is true.
static Value createMax(OpBuilder &b, Location loc, Value x, Value y) {
  if (x.getType().isInteger(1))
    return arith::OrIOp::create(b, loc, x, y);
  return create<arith::MaximumFOp, arith::MaxSIOp>(b, loc, x, y);
}

/// A quotient; of integers, division by zero fails and that by -1 wraps.
static Value createDiv(OpBuilder &b, Location loc, Value x, Value y) {
  Type type = x.getType();
  if (isa<FloatType>(type))
    return arith::DivFOp::create(b, loc, x, y);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, 1));
  Value minusOne =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, -1));
  Value valid =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, y, zero);
  cf::AssertOp::create(b, loc, valid,
                       describeLocation(loc) +
                           "tensoraccess.compute: division by zero of "
                           "integers");
  Value wraps =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, y, minusOne);
  Value divisor = arith::SelectOp::create(b, loc, wraps, one, y);
  Value quotient = arith::DivSIOp::create(b, loc, x, divisor);
  Value negated = arith::SubIOp::create(b, loc, zero, x);
  return arith::SelectOp::create(b, loc, wraps, negated, quotient);
}

static Value createNegative(OpBuilder &b, Location loc, Value x) {
  if (isa<FloatType>(x.getType()))
    return arith::NegFOp::create(b, loc, x);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  return arith::SubIOp::create(b, loc, zero, x);
}

/// The value in a wider type: integers with their sign.
static Value extend(OpBuilder &b, Location loc, Value x, Type type) {
  if (x.getType() == type)
    return x;
  return isa<FloatType>(type)
             ? arith::ExtFOp::create(b, loc, type, x)
             : arith::ExtSIOp::create(b, loc, type, x).getResult();
}

/// The least value of a type, the neutral element of createMax.
static TypedAttr getLeast(OpBuilder &b, Type type) {
  if (type.isInteger(1))
    return b.getBoolAttr(false);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    return b.getFloatAttr(
        type, llvm::APFloat::semanticsHasInf(semantics)
                  ? llvm::APFloat::getInf(semantics, /*Negative=*/true)
                  : llvm::APFloat::getLargest(semantics, /*Negative=*/true));
  }
  unsigned bits = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                 : type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, llvm::APInt::getSignedMinValue(bits));
}

/// The element that a compute op computes from the elements of a tuple.
static Value combineTuple(OpBuilder &b, Location loc, ComputeKind kind,
                          ValueRange elements) {
  Value result = elements.front();
  for (Value element : elements.drop_front()) {
    if (kind == ComputeKind::ElementwiseAdd)
      result = createAdd(b, loc, result, element);
    else if (kind == ComputeKind::ElementwiseDiv)
      result = createDiv(b, loc, result, element);
    else
      result = createMul(b, loc, result, element);
  }
  return result;
}

static Value computeElement(OpBuilder &b, Location loc, ComputeKind kind,
                            ValueRange in) {
  switch (kind) {
  case ComputeKind::Relu: {
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(in[0].getType()));
    return createMax(b, loc, in[0], zero);
  }
  case ComputeKind::Sqrt:
    return math::SqrtOp::create(b, loc, in[0]);
  case ComputeKind::Negative:
    return createNegative(b, loc, in[0]);
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::ElementwiseDiv:
    return combineTuple(b, loc, kind, in);
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMax:
  case ComputeKind::ReduceMean:
  case ComputeKind::Softmax:
    break;
  }
  llvm_unreachable("not computed element by element");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// linalg.matmul, linalg.conv_2d_nhwc_hwcf and the like where upstream's
/// matchers know the op; else it stays generic. A name whose maps are not the
/// op's own is not taken: a transposed operand would be read untransposed.
static Value specialize(RewriterBase &rewriter, linalg::GenericOp generic) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(generic);
  auto spare = cast<linalg::GenericOp>(rewriter.clone(*generic));
  rewriter.setInsertionPoint(generic);
  FailureOr<linalg::LinalgOp> named =
      linalg::specializeGenericOp(rewriter, generic);
  if (failed(named)) {
    rewriter.eraseOp(spare);
    return generic.getResult(0);
  }
  if (named->getIndexingMapsArray() != spare.getIndexingMapsArray()) {
    rewriter.replaceOp(*named, spare);
    return spare.getResult(0);
  }
  rewriter.eraseOp(spare);
  return (*named)->getResult(0);
}

/// Sums products of the views, whose first `accessRank` dimensions stay. `type`
/// is a type of sums.
static Value emitDotProd(RewriterBase &rewriter, Location loc,
                         ArrayRef<OperandView> views,
                         ArrayRef<OpFoldResult> sizes, int64_t accessRank,
                         Type type) {
  LoopPlan plan = planLoops(rewriter, loc, views, sizes, accessRank);
  linalg::GenericOp generic = emitLoops(
      rewriter, loc, plan, type, cast<TypedAttr>(rewriter.getZeroAttr(type)),
      [&](OpBuilder &b, Location loc, ValueRange in, Value acc) {
        SmallVector<Value> extended;
        for (Value value : in)
          extended.push_back(extend(b, loc, value, type));
        return createAdd(
            b, loc, acc,
            combineTuple(b, loc, ComputeKind::ElementwiseMul, extended));
      });
  Value result = generic.getResult(0);
  if (plan.ranges.size() > plan.numParallel)
    result = specialize(rewriter, generic);
  return fitResult(rewriter, loc, result, plan, sizes.take_front(accessRank));
}

/// The greatest element of each item of the view, over the access dimensions.
static Value emitGreatest(RewriterBase &rewriter, Location loc,
                          ArrayRef<OperandView> views,
                          ArrayRef<OpFoldResult> sizes, int64_t accessRank,
                          Type type) {
  LoopPlan plan = planLoops(rewriter, loc, views, sizes, accessRank);
  linalg::GenericOp greatest =
      emitLoops(rewriter, loc, plan, type, getLeast(rewriter, type),
                [](OpBuilder &b, Location loc, ValueRange in, Value acc) {
                  return createMax(b, loc, acc, in[0]);
                });
  return fitResult(rewriter, loc, greatest.getResult(0), plan,
                   sizes.take_front(accessRank));
}

/// The neutral element of a sum or product: x + -0.0 is x even for -0.0.
static TypedAttr getNeutral(OpBuilder &b, ComputeKind kind, Type type) {
  bool isSum = kind == ComputeKind::ElementwiseAdd;
  if (isa<FloatType>(type))
    return b.getFloatAttr(type, isSum ? -0.0 : 1.0);
  return b.getIntegerAttr(type, !isSum);
}

/// The sum divided by the number of elements of the item, rounded to its type,
/// and then to the type of the result.
static Value divideByCount(RewriterBase &rewriter, Location loc, Value sum,
                           ArrayRef<OpFoldResult> item, Type resultType) {
  auto type = cast<RankedTensorType>(sum.getType());
  Type elementType = type.getElementType();
  Value count = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
  for (OpFoldResult size : item) {
    Value number = rewriter.createOrFold<arith::IndexCastOp>(
        loc, rewriter.getI64Type(),
        getValueOrCreateConstantIndexOp(rewriter, loc, size));
    count = rewriter.createOrFold<arith::MulIOp>(loc, count, number);
  }
  Value divisor =
      rewriter.createOrFold<arith::SIToFPOp>(loc, elementType, count);
  return mapElements(rewriter, loc, sum, type.clone(resultType),
                     [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       Value quotient = createDiv(b, loc, args[0], divisor);
                       if (resultType == elementType)
                         return quotient;
                       return arith::TruncFOp::create(b, resultType, quotient);
                     });
}

/// One step of x0 / x1 / x2 / …: in the first, which loop `tuple` counts as 0,
/// x0 by 1.
static Value divideAll(OpBuilder &b, Location loc, unsigned tuple,
                       Value element, Value quotient) {
  Type type = element.getType();
  Value step = linalg::IndexOp::create(b, loc, tuple);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, step, zero);
  Value one =
      arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getOneAttr(type)));
  Value dividend = arith::SelectOp::create(b, loc, isFirst, element, quotient);
  Value divisor = arith::SelectOp::create(b, loc, isFirst, one, element);
  return createDiv(b, loc, dividend, divisor);
}

Value AccessLowering::emitTupleLoop(ComputeOp op) {
  Location loc = op.getLoc();
  PatternValue pattern = op.getPattern();
  unsigned split = pattern.getType().getAccessRank();
  bool isDot = op.getKind() == ComputeKind::DotProd;
  Type type = op.getType().getElementType();
  if (isDot)
    type = getSumType(type);
  ComputeKind kind = isDot ? ComputeKind::ElementwiseMul : op.getKind();

  // The tuple axis is the last loop.
  SmallVector<OpFoldResult> sizes = getSizesOf(pattern);
  OpFoldResult length = sizes[split];
  sizes.erase(sizes.begin() + split);
  unsigned rank = sizes.size();
  SmallVector<AffineExpr> exprs;
  for (unsigned dim = 0; dim < rank; ++dim)
    exprs.push_back(rewriter.getAffineDimExpr(dim));
  exprs.insert(exprs.begin() + split, rewriter.getAffineDimExpr(rank));
  OperandView view = getViews(loc, pattern, /*isTuple=*/false)[0];
  view.map = view.map.compose(
      AffineMap::get(rank + 1, 0, exprs, rewriter.getContext()));
  view.digits.reset();
  SmallVector<OpFoldResult> ranges(sizes);
  ranges.push_back(length);
  LoopPlan plan = planLoops(rewriter, loc, view, ranges, rank);
  auto emit =
      [&](function_ref<Value(OpBuilder &, Location, Value, Value)> step) {
        return emitLoops(
                   rewriter, loc, plan, type, getNeutral(rewriter, kind, type),
                   [&](OpBuilder &b, Location loc, ValueRange in, Value acc) {
                     return step(b, loc, extend(b, loc, in[0], type), acc);
                   })
            .getResult(0);
      };
  if (!isDot)
    return emit([&](OpBuilder &b, Location loc, Value element, Value acc) {
      if (kind == ComputeKind::ElementwiseDiv)
        return divideAll(b, loc, rank, element, acc);
      return combineTuple(b, loc, kind, {acc, element});
    });
  // The last element is a factor of its own, as it is in tuples of known length:
  // a step of the sum rounds its product once.
  Value last = arith::SubIOp::create(
      rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, length),
      arith::ConstantIndexOp::create(rewriter, loc, 1));
  auto isLast = [&](OpBuilder &b, Location loc) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                 linalg::IndexOp::create(b, loc, rank), last);
  };
  Value others =
      emit([&](OpBuilder &b, Location loc, Value element, Value acc) -> Value {
        return arith::SelectOp::create(b, loc, isLast(b, loc), acc,
                                       createMul(b, loc, acc, element));
      });
  Value factor =
      emit([&](OpBuilder &b, Location loc, Value element, Value acc) -> Value {
        return arith::SelectOp::create(b, loc, isLast(b, loc), element, acc);
      });
  return roundElements(rewriter, loc,
                       emitDotProd(rewriter, loc,
                                   {OperandView::identity(others),
                                    OperandView::identity(factor)},
                                   sizes, split, type),
                       op.getType().getElementType());
}

Value AccessLowering::emitCompute(ComputeOp op) {
  Location loc = op.getLoc();
  PatternValue pattern = op.getPattern();
  if (op.getKind() == ComputeKind::Softmax)
    return emitSoftmax(op);
  if (hasTupleOfUnknownLength(op))
    return emitTupleLoop(op);

  if (ArrayRef<BorderPart> parts = planBorders(op); !parts.empty())
    return emitParts(op, parts);

  bool isTuple = isOverTuple(op.getKind());
  OperandViews views = getViews(loc, pattern, isTuple);
  SmallVector<OpFoldResult> sizes = getSizesOf(pattern);
  if (isTuple)
    sizes.erase(sizes.begin() + pattern.getType().getAccessRank());
  return emitCompute(op, views, sizes);
}

Value AccessLowering::emitCompute(ComputeOp op, ArrayRef<OperandView> views,
                                  ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  ComputeKind kind = op.getKind();
  int64_t accessRank = op.getPattern().getType().getAccessRank();
  Type resultType = op.getType().getElementType();
  auto emitSum = [&] {
    return emitDotProd(rewriter, loc, views, sizes, accessRank,
                       getSumType(resultType));
  };
  switch (kind) {
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
    return roundElements(rewriter, loc, emitSum(), resultType);
  case ComputeKind::ReduceMean:
    return divideByCount(rewriter, loc, emitSum(), sizes.drop_front(accessRank),
                         resultType);
  case ComputeKind::ReduceMax:
    return emitGreatest(rewriter, loc, views, sizes, accessRank, resultType);
  case ComputeKind::ElementwiseAdd:
  case ComputeKind::ElementwiseMul:
  case ComputeKind::ElementwiseDiv:
  case ComputeKind::Relu:
  case ComputeKind::Sqrt:
  case ComputeKind::Negative: {
    LoopPlan plan = planLoops(rewriter, loc, views, sizes, sizes.size());
    linalg::GenericOp elements =
        emitLoops(rewriter, loc, plan, resultType, /*init=*/nullptr,
                  [&](OpBuilder &b, Location loc, ValueRange in, Value) {
                    return computeElement(b, loc, kind, in);
                  });
    return fitResult(rewriter, loc, elements.getResult(0), plan, sizes);
  }
  case ComputeKind::Softmax:
    break;
  }
  llvm_unreachable("softmax is not a single loop");
}

/// A tensor over the access dimensions, repeated over the item.
static OperandView repeatOver(Value tensor, ArrayRef<OpFoldResult> item) {
  OperandView view = OperandView::identity(tensor);
  if (view.digits)
    for (int64_t size : getNumbers(item))
      view.digits->insert(view.digits->getNumDims(), size);
  view.map = AffineMap::get(view.map.getNumDims() + item.size(), 0,
                            view.map.getResults(), tensor.getContext());
  return view;
}

Value AccessLowering::emitSoftmax(ComputeOp op) {
  Location loc = op.getLoc();
  Type elementType = op.getType().getElementType();
  SmallVector<OpFoldResult> sizes = getSizesOf(op.getPattern());
  unsigned rank = sizes.size(), split = op.getType().getAccessRank();
  ArrayRef<OpFoldResult> item = ArrayRef(sizes).drop_front(split);
  OperandView in = getViews(loc, op.getPattern(), /*isTuple=*/false)[0];

  Value greatest = emitGreatest(rewriter, loc, in, sizes, split, elementType);
  LoopPlan plan =
      planLoops(rewriter, loc, {in, repeatOver(greatest, item)}, sizes, rank);
  Value powers =
      emitLoops(rewriter, loc, plan, elementType, /*init=*/nullptr,
                [](OpBuilder &b, Location loc, ValueRange in, Value) -> Value {
                  Value difference =
                      arith::SubFOp::create(b, loc, in[0], in[1]);
                  return math::ExpOp::create(b, loc, difference);
                })
          .getResult(0);
  powers = fitResult(rewriter, loc, powers, plan, sizes);

  Value sum =
      roundElements(rewriter, loc,
                    emitDotProd(rewriter, loc, OperandView::identity(powers),
                                sizes, split, getSumType(elementType)),
                    elementType);
  // In place: the powers are what the quotients replace.
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  AffineMap outer = AffineMap::get(
      rank, 0, identity.getResults().take_front(split), rewriter.getContext());
  return createGeneric(rewriter, loc, sum, powers, {outer, identity},
                       [](OpBuilder &b, Location loc, ValueRange args) {
                         Value quotient =
                             arith::DivFOp::create(b, loc, args[1], args[0]);
                         linalg::YieldOp::create(b, loc, quotient);
                       })
      .getResult(0);
}

/// The view over loops of which loop dims[i] is its dimension i.
static OperandView overLoops(OperandView view, ArrayRef<unsigned> dims,
                             ArrayRef<OpFoldResult> ranges) {
  if (!view.base)
    return view;
  MLIRContext *context = view.map.getContext();
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  view.map = view.map.compose(AffineMap::get(ranges.size(), 0, exprs, context));
  if (!view.digits)
    return view;
  // Dimensions that the view lacks come first, then all are put in order.
  unsigned added = 0, missing = 0;
  for (auto [loop, size] : llvm::enumerate(getNumbers(ranges)))
    if (!llvm::is_contained(dims, loop))
      view.digits->insert(added++, size);
  SmallVector<int64_t> order;
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    const unsigned *found = llvm::find(dims, loop);
    order.push_back(found == dims.end() ? missing++
                                        : added + (found - dims.begin()));
  }
  view.digits->transpose(order);
  return view;
}

Value AccessLowering::emitSystolicArray(SystolicArrayOp op) {
  // Over access points, columns, and rows: activations do not move along the
  // columns, weights not along the access points.
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = getSizesOf(op.getActivations());
  unsigned split = sizes.size() - 1;
  OpFoldResult cols = rewriter.getIndexAttr(op.getCols());
  // Blocks are a promise to the hardware: here their sums are one sum.
  if (op.getBlocked())
    cols = getSizesOf(op.getWeights()).back();
  else
    sizes.back() = rewriter.getIndexAttr(op.getRows());
  sizes.insert(sizes.begin() + split, cols);
  SmallVector<unsigned> activations =
      llvm::to_vector(llvm::seq<unsigned>(0, split));
  activations.push_back(split + 1);
  SmallVector<unsigned> weights = llvm::to_vector(
      llvm::seq<unsigned>(0, op.getWeights().getType().getAccessRank()));
  llvm::append_values(weights, split + 1, split);
  OperandView views[] = {
      overLoops(getViews(loc, op.getActivations(), false)[0], activations,
                sizes),
      overLoops(getViews(loc, op.getWeights(), false)[0], weights, sizes)};
  Type type = op.getType().getElementType();
  return roundElements(
      rewriter, loc,
      emitDotProd(rewriter, loc, views, sizes, split + 1, getSumType(type)),
      type);
}

FailureOr<func::FuncOp> AccessLowering::findAccelerator(AcceleratorCallOp op) {
  SmallVector<Type> inputs;
  for (Value pattern : op.getPatterns())
    inputs.push_back(cast<PatternValue>(pattern).getType().getTensorType());
  auto type =
      FunctionType::get(op.getContext(), inputs, op.getType().getTensorType());
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getTargetAttr());
  if (!function || function.getFunctionType() != type)
    return op.emitError() << "cannot lower accelerator '" << op.getTarget()
                          << "': there is no function of that name and type "
                          << type;
  return function;
}

Value AccessLowering::emitAcceleratorCall(AcceleratorCallOp op) {
  SmallVector<Value> arguments;
  for (Value value : op.getPatterns()) {
    auto pattern = cast<PatternValue>(value);
    Value tensor = emitCopy(op.getLoc(), pattern);
    RankedTensorType type = pattern.getType().getTensorType();
    if (tensor.getType() != type)
      tensor = tensor::CastOp::create(rewriter, op.getLoc(), type, tensor);
    arguments.push_back(tensor);
  }
  return func::CallOp::create(rewriter, op.getLoc(), *findAccelerator(op),
                              arguments)
      .getResult(0);
}
