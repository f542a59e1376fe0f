//===- AccessCompute.cpp - Arithmetic on access patterns as loops ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compute op is one linalg op over the loops of its access and compute
// dimensions; reduce_mean divides in a second one, softmax takes four: greatest
// element, exponentials, their sum, and the quotient in place.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/Core/Shape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
  return isa<FloatType>(x.getType())
             ? FloatOp::create(b, loc, x, y).getResult()
             : IntOp::create(b, loc, x, y).getResult();
}

static Value createAdd(OpBuilder &b, Location loc, Value x, Value y) {
  return create<arith::AddFOp, arith::AddIOp>(b, loc, x, y);
}

static Value createMul(OpBuilder &b, Location loc, Value x, Value y) {
  return create<arith::MulFOp, arith::MulIOp>(b, loc, x, y);
}

static Value createMax(OpBuilder &b, Location loc, Value x, Value y) {
  return create<arith::MaximumFOp, arith::MaxSIOp>(b, loc, x, y);
}

/// `file:line:column: `, where that is known.
static std::string describe(Location loc) {
  std::string text;
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    llvm::raw_string_ostream(text)
        << file.getFilename().getValue() << ':' << file.getLine() << ':'
        << file.getColumn() << ": ";
  return text;
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
                       describe(loc) + "integer division by zero");
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
  return isa<FloatType>(type) ? arith::ExtFOp::create(b, loc, type, x)
                              : arith::ExtSIOp::create(b, loc, type, x)
                                    .getResult();
}

/// The least value of a type, the neutral element of max.
static TypedAttr getLeast(OpBuilder &b, Type type) {
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

/// The element that a compute op makes of the elements of a tuple.
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
  default:
    return combineTuple(b, loc, kind, in);
  }
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

/// Sums products of the views, whose first `accessRank` dimensions stay.
static Value emitDotProd(RewriterBase &rewriter, Location loc,
                         ArrayRef<OperandView> views, ArrayRef<int64_t> shape,
                         int64_t accessRank, Type type) {
  LoopPlan plan = planLoops(
      rewriter, loc, views,
      getAsIndexOpFoldResult(rewriter.getContext(), shape), accessRank);
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
  return reshapeTensor(rewriter, loc, result, shape.take_front(accessRank));
}

Value AccessLowering::emitCompute(ComputeOp op) {
  Location loc = op.getLoc();
  ComputeKind kind = op.getKind();
  PatternValue pattern = op.getPattern();
  AccessType type = pattern.getType();
  int64_t accessRank = type.getAccessRank();
  SmallVector<int64_t> resultShape = op.getType().getShape();
  Type resultType = op.getType().getElementType();
  if (kind == ComputeKind::Softmax)
    return emitSoftmax(op);

  bool isTuple = isOverTuple(kind);
  SmallVector<OperandView> views = getViews(loc, pattern, isTuple);
  SmallVector<int64_t> shape = type.getShape();
  if (isTuple)
    shape.erase(shape.begin() + accessRank);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), shape);

  Value result;
  switch (kind) {
  case ComputeKind::DotProd:
  case ComputeKind::ReduceSum:
  case ComputeKind::ReduceMean:
    result = emitDotProd(rewriter, loc, views, shape, accessRank, resultType);
    break;
  case ComputeKind::ReduceMax: {
    LoopPlan plan = planLoops(rewriter, loc, views, sizes, accessRank);
    result = emitLoops(rewriter, loc, plan, resultType,
                       getLeast(rewriter, resultType),
                       [](OpBuilder &b, Location loc, ValueRange in,
                          Value acc) { return createMax(b, loc, acc, in[0]); })
                 .getResult(0);
    break;
  }
  default: {
    LoopPlan plan = planLoops(rewriter, loc, views, sizes, shape.size());
    result = emitLoops(rewriter, loc, plan, resultType, /*init=*/nullptr,
                       [&](OpBuilder &b, Location loc, ValueRange in, Value) {
                         return computeElement(b, loc, kind, in);
                       })
                 .getResult(0);
  }
  }
  if (kind == ComputeKind::ReduceMean) {
    // Rounded to the element type, as the interpreter's.
    llvm::APFloat count(static_cast<double>(
        *elementCount(type.getComputeShape())));
    bool lost;
    count.convert(cast<FloatType>(resultType).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &lost);
    LoopPlan plan = planLoops(
        rewriter, loc,
        {OperandView::identity(result),
         OperandView::getConstant(rewriter.getFloatAttr(resultType, count))},
        getSizes(rewriter, loc, result),
        cast<RankedTensorType>(result.getType()).getRank());
    result = emitLoops(rewriter, loc, plan, resultType, /*init=*/nullptr,
                       [](OpBuilder &b, Location loc, ValueRange in, Value) {
                         return createDiv(b, loc, in[0], in[1]);
                       })
                 .getResult(0);
  }
  return reshapeTensor(rewriter, loc, result, resultShape);
}

/// A tensor over the access dimensions, repeated over the item.
static OperandView repeatOver(Value tensor, ArrayRef<int64_t> item) {
  OperandView view = OperandView::identity(tensor);
  unsigned rank = view.map.getNumDims();
  if (view.digits)
    for (int64_t size : item)
      view.digits->insert(view.digits->getNumDims(), size);
  view.map = AffineMap::get(rank + item.size(), 0, view.map.getResults(),
                            tensor.getContext());
  return view;
}

Value AccessLowering::emitSoftmax(ComputeOp op) {
  Location loc = op.getLoc();
  AccessType type = op.getType();
  Type elementType = type.getElementType();
  SmallVector<int64_t> shape = type.getShape();
  ArrayRef<int64_t> access = type.getAccessShape();
  ArrayRef<int64_t> item = type.getComputeShape();
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), shape);
  OperandView in = getViews(loc, op.getPattern(), /*isTuple=*/false)[0];

  LoopPlan plan = planLoops(rewriter, loc, in, sizes, access.size());
  Value greatest =
      emitLoops(rewriter, loc, plan, elementType,
                getLeast(rewriter, elementType),
                [](OpBuilder &b, Location loc, ValueRange in, Value acc) {
                  return createMax(b, loc, acc, in[0]);
                })
          .getResult(0);
  greatest = reshapeTensor(rewriter, loc, greatest, access);

  plan = planLoops(rewriter, loc, {in, repeatOver(greatest, item)}, sizes,
                   shape.size());
  Value powers =
      emitLoops(rewriter, loc, plan, elementType, /*init=*/nullptr,
                [](OpBuilder &b, Location loc, ValueRange in, Value) -> Value {
                  Value difference =
                      arith::SubFOp::create(b, loc, in[0], in[1]);
                  return math::ExpOp::create(b, loc, difference);
                })
          .getResult(0);
  powers = reshapeTensor(rewriter, loc, powers, shape);

  Value sum = emitDotProd(rewriter, loc, OperandView::identity(powers), shape,
                          access.size(), elementType);
  // In place: the powers are what the quotients replace.
  MLIRContext *context = rewriter.getContext();
  AffineMap outer = AffineMap::get(
      shape.size(), 0,
      AffineMap::getMultiDimIdentityMap(shape.size(), context)
          .getResults()
          .take_front(access.size()),
      context);
  return linalg::GenericOp::create(
             rewriter, loc, powers.getType(), sum, powers,
             ArrayRef<AffineMap>{outer, AffineMap::getMultiDimIdentityMap(
                                            shape.size(), context)},
             SmallVector<utils::IteratorType>(shape.size(),
                                              utils::IteratorType::parallel),
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value quotient =
                   arith::DivFOp::create(b, loc, args[1], args[0]);
               linalg::YieldOp::create(b, loc, quotient);
             })
      .getResult(0);
}

Value AccessLowering::emitSystolicArray(SystolicArrayOp op) {
  // Over access points, columns, and rows: activations do not move along the
  // columns, weights not along the access points.
  Location loc = op.getLoc();
  SmallVector<int64_t> shape = op.getActivations().getType().getShape();
  int64_t accessRank = shape.size() - 1;
  shape.insert(shape.begin() + accessRank, op.getCols());
  MLIRContext *context = rewriter.getContext();
  auto select = [&](ArrayRef<unsigned> dims, OperandForm operand) {
    if (!operand.base)
      return operand;
    SmallVector<Interval> box;
    for (int64_t size : shape)
      box.push_back({0, size - 1});
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims)
      exprs.push_back(getAffineDimExpr(dim, context));
    operand.map = IndexingMap::fromAffineMap(
                      AffineMap::get(shape.size(), 0, exprs, context), box)
                      .then(operand.map)
                      .simplify();
    return operand;
  };
  SmallVector<unsigned> activations =
      llvm::to_vector(llvm::seq<unsigned>(0, accessRank));
  activations.push_back(accessRank + 1);
  SmallVector<unsigned> weights{static_cast<unsigned>(accessRank + 1),
                                static_cast<unsigned>(accessRank)};
  OperandView views[] = {
      getView(loc, select(activations, plan(op.getActivations(), false)[0]),
              shape),
      getView(loc, select(weights, plan(op.getWeights(), false)[0]), shape)};
  return emitDotProd(rewriter, loc, views, shape, accessRank + 1,
                     op.getType().getElementType());
}

FailureOr<func::FuncOp>
AccessLowering::findAccelerator(AcceleratorCallOp op) {
  SmallVector<Type> inputs;
  for (Value pattern : op.getPatterns())
    inputs.push_back(cast<PatternValue>(pattern).getType().getTensorType());
  auto type = FunctionType::get(op.getContext(), inputs,
                                op.getType().getTensorType());
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
    arguments.push_back(emitCopy(
        op.getLoc(), getViews(op.getLoc(), pattern, /*isTuple=*/false)[0],
        pattern.getType().getElementType(), pattern.getType().getShape()));
  }
  return func::CallOp::create(rewriter, op.getLoc(), *findAccelerator(op),
                              arguments)
      .getResult(0);
}
