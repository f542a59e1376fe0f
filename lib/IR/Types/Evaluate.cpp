//===- Evaluate.cpp - What an op computes ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each access op by its reference kernel (Core/Kernels.h), one case an op; ops
// on indices by Core's layouts and maps.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Core/Accelerators.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Result = llvm::Expected<AccessPattern>;
using Patterns = ArrayRef<AccessPattern>;

/// The element type that kernels compute with for this one, or the error that
/// there is none.
static llvm::Expected<ElementType> getComputedType(Type type) {
  if (std::optional<ElementType> held = getElementTypeOf(type))
    return *held;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError("computes with type " + text +
                                 ", which the interpreter does not hold");
}

/// The shape that a reshape asks for on one side. Where the types agree the
/// side stays as it is, however many of its sizes are dynamic.
static ArrayRef<int64_t> wantedShape(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to,
                                     ArrayRef<int64_t> actual) {
  return from == to ? actual : to;
}

static Result evaluate(ReshapeOp op, Patterns operands) {
  AccessType from = op.getPattern().getType(), to = op.getType();
  SmallVector<int64_t> compute = operands[0].getComputeShape();
  return kernels::reshape(
      operands[0],
      wantedShape(from.getAccessShape(), to.getAccessShape(),
                  operands[0].getAccessShape()),
      wantedShape(from.getComputeShape(), to.getComputeShape(), compute));
}

static Result evaluate(PadOp op, Patterns operands) {
  llvm::Expected<Tensor> value = tensorFromAttribute(op.getValue());
  if (!value)
    return value.takeError();
  return kernels::pad(operands[0], op.getLow(), op.getHigh(), *value,
                      op.getInteriorOrZeros());
}

Result
mlir::tensoraccess::evaluateCompute(ComputeKind kind,
                                    const AccessPattern &pattern,
                                    std::optional<ElementType> accumulator) {
  switch (kind) {
  case ComputeKind::DotProd:
    return kernels::dotProd(pattern, accumulator);
  case ComputeKind::ReduceSum:
    return kernels::reduceSum(pattern, accumulator);
  case ComputeKind::ReduceMax:
    return kernels::reduceMax(pattern);
  case ComputeKind::ReduceMean:
    return kernels::reduceMean(pattern);
  case ComputeKind::ElementwiseAdd:
    return kernels::elementwiseAdd(pattern);
  case ComputeKind::ElementwiseMul:
    return kernels::elementwiseMul(pattern);
  case ComputeKind::ElementwiseDiv:
    return kernels::elementwiseDiv(pattern);
  case ComputeKind::Relu:
    return kernels::relu(pattern);
  case ComputeKind::Sqrt:
    return kernels::sqrt(pattern);
  case ComputeKind::Negative:
    return kernels::negative(pattern);
  case ComputeKind::Softmax:
    return kernels::softmax(pattern);
  }
  llvm_unreachable("every compute kind is listed");
}

Type mlir::tensoraccess::getSumType(Type element) {
  auto type = dyn_cast<FloatType>(element);
  return type && type.getWidth() < 32 ? Float32Type::get(type.getContext())
                                      : element;
}

bool mlir::tensoraccess::isOverTuple(ComputeKind kind) {
  return kind == ComputeKind::DotProd || kind == ComputeKind::ElementwiseAdd ||
         kind == ComputeKind::ElementwiseMul ||
         kind == ComputeKind::ElementwiseDiv;
}

/// The accumulator of an op, or std::nullopt.
static llvm::Expected<std::optional<ElementType>>
getAccumulator(std::optional<Type> type) {
  if (!type)
    return std::optional<ElementType>();
  llvm::Expected<ElementType> held = getComputedType(*type);
  if (!held)
    return held.takeError();
  return std::optional(*held);
}

static Result evaluate(ComputeOp op, Patterns operands) {
  auto accumulator = getAccumulator(op.getAccumulator());
  if (!accumulator)
    return accumulator.takeError();
  return evaluateCompute(op.getKind(), operands[0], *accumulator);
}

static Result evaluate(AcceleratorCallOp op, Patterns operands) {
  AccessType type = op.getType();
  llvm::Expected<ElementType> elementType =
      getComputedType(type.getElementType());
  if (!elementType)
    return elementType.takeError();
  AcceleratorResult wanted{*elementType,
                           SmallVector<int64_t>(type.getAccessShape()),
                           SmallVector<int64_t>(type.getComputeShape())};
  return kernels::acceleratorCall(op.getTarget(), operands, wanted);
}

static Result evaluate(TransposeOp op, Patterns operands) {
  return kernels::transpose(operands[0], op.getPerm());
}
static Result evaluate(CartProdOp, Patterns operands) {
  return kernels::cartProd(operands[0], operands[1]);
}
static Result evaluate(PairOp, Patterns operands) {
  return kernels::pair(operands[0], operands[1]);
}
static Result evaluate(ConcatOp op, Patterns operands) {
  return kernels::concat(operands, op.getAxis());
}
static Result evaluate(SliceOp op, Patterns operands) {
  return kernels::slice(operands[0], op.getOffsets(), op.getSizes(),
                        op.getStridesOrOnes(), op.getPolicies());
}
static Result evaluate(BroadcastOp op, Patterns operands) {
  return kernels::broadcast(operands[0], op.getType().getAccessShape(),
                            op.getType().getComputeShape());
}
static Result evaluate(ShiftRightOp op, Patterns operands) {
  return kernels::shiftRight(operands[0], op.getBy());
}
static Result evaluate(WindowsOp op, Patterns operands) {
  return kernels::windows(operands[0], op.getShape(), op.getStrides(),
                          op.getDilationsOrOnes());
}
static Result evaluate(ProjectOp op, Patterns operands) {
  return kernels::project(operands[0], op.getProjection().getProjection(),
                          op.getBlockRegion());
}
static Result evaluate(SqueezeOp op, Patterns operands) {
  return kernels::squeeze(operands[0], op.getAxis());
}
static Result evaluate(InsertAxisOp op, Patterns operands) {
  return kernels::insertAxis(operands[0], op.getAxis());
}
static Result evaluate(FlattenOp, Patterns operands) {
  return kernels::flatten(operands[0]);
}
static Result evaluate(MaterializeOp, Patterns operands) {
  return kernels::materialize(operands[0]);
}
static Result evaluate(SystolicArrayOp op, Patterns operands) {
  auto accumulator = getAccumulator(op.getAccumulator());
  if (!accumulator)
    return accumulator.takeError();
  return kernels::systolicArray(operands[0], operands[1], op.getRows(),
                                op.getCols(), op.getBlocked(), *accumulator);
}

bool mlir::tensoraccess::isPatternOp(Operation *op) {
  return isa_and_nonnull<TensorAccessDialect>(op->getDialect()) &&
         !isa<AccessOp>(op) && op->getNumResults() == 1 &&
         isa<AccessType>(op->getResult(0).getType());
}

llvm::Expected<AccessPattern>
mlir::tensoraccess::evaluateAccessOp(Operation *op, Patterns operands) {
  // Others move elements, whatever these are.
  if (isa<ComputeOp, SystolicArrayOp>(op))
    if (llvm::Expected<ElementType> type = getComputedType(
            cast<AccessType>(op->getResult(0).getType()).getElementType());
        !type)
      return type.takeError();
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<TransposeOp, CartProdOp, PairOp, ConcatOp, SliceOp, BroadcastOp,
            ShiftRightOp, WindowsOp, ProjectOp, SqueezeOp, InsertAxisOp,
            FlattenOp, ReshapeOp, PadOp, MaterializeOp, ComputeOp,
            SystolicArrayOp, AcceleratorCallOp>(
          [&](auto known) { return evaluate(known, operands); })
      .Default([](Operation *unknown) -> Result {
        return llvm::createStringError("has no kernel");
      });
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// The number of the argument of `body` that a value is, or is extended from.
static std::optional<unsigned> getExtendedArgument(Value value, Block &body) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  if (argument.getOwner() != &body)
    return std::nullopt;
  return argument.getArgNumber();
}

bool ProductStep::isFused() const {
  auto mayRound = [](Operation *op) {
    auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
    if (!flags)
      return false;
    arith::FastMathFlags value = flags.getFastMathFlagsAttr().getValue();
    return value == arith::FastMathFlags::none ||
           value == arith::FastMathFlags::contract;
  };
  Type type = sum->getResult(0).getType();
  return (type.isF32() || type.isF64()) && product->hasOneUse() &&
         mayRound(sum) && mayRound(product);
}

bool mlir::tensoraccess::isReadByBody(OpOperand &operand) {
  Block &body = operand.getOwner()->getRegion(0).front();
  return !body.getArgument(operand.getOperandNumber()).use_empty();
}

std::optional<ProductStep> mlir::tensoraccess::findProductStep(Block &body,
                                                               unsigned i) {
  Operation *yield = &body.back();
  if (i >= yield->getNumOperands() ||
      body.getNumArguments() < yield->getNumOperands())
    return std::nullopt;
  BlockArgument out =
      body.getArgument(body.getNumArguments() - yield->getNumOperands() + i);
  Operation *sum = yield->getOperand(i).getDefiningOp();
  auto select = dyn_cast_or_null<arith::SelectOp>(sum);
  if (select && select.getFalseValue() == out)
    sum = select.getTrueValue().getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) ||
      sum->getBlock() != &body)
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    Operation *product = sum->getOperand(1 - side).getDefiningOp();
    if (sum->getOperand(side) != out ||
        !isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product) ||
        product->getBlock() != &body)
      continue;
    std::optional<unsigned> x =
        getExtendedArgument(product->getOperand(0), body);
    std::optional<unsigned> y =
        getExtendedArgument(product->getOperand(1), body);
    ProductStep step{sum, product, std::nullopt};
    if (!select && x && y && *x != out.getArgNumber() &&
        *y != out.getArgNumber())
      step.arguments = {*x, *y};
    return step;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops on indices
//===----------------------------------------------------------------------===//

using IndexResults = std::optional<SmallVector<int64_t>>;

/// The layout for the sizes that the operands have, `dynamic` those that are
/// values; std::nullopt, with a message, where these make no shape.
template <typename OpTy>
static std::optional<Layout> getLayout(OpTy op, ArrayRef<int64_t> dynamic,
                                       std::string &message) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : op.getMixedSizes()) {
    if (isa<Value>(size)) {
      shape.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    } else {
      shape.push_back(*getConstantIntValue(size));
    }
    if (shape.back() < 0) {
      message = ("size " + Twine(shape.size() - 1) +
                 " must not be negative, got " + Twine(shape.back()))
                    .str();
      return std::nullopt;
    }
  }
  Layout layout = cast<LayoutAttr>(op.getLayout()).getValue().withShape(shape);
  if (layout.getPaddedElements())
    return layout;
  message =
      "tiled shape has more than 2^63 - 1 elements: " + layout.layoutStr() +
      " of " + shapeToString(shape);
  return std::nullopt;
}

static IndexResults evaluate(LinearizeOp op, ArrayRef<int64_t> operands,
                             std::string &message) {
  size_t rank = op.getIndices().size();
  ArrayRef<int64_t> index = operands.take_front(rank);
  std::optional<Layout> layout;
  std::optional<MemoryPlaces> places;
  if (isa<LayoutAttr>(op.getLayout()))
    layout = getLayout(op, operands.drop_front(rank), message);
  else
    places = getPlaces(op.getLayout(), op.getStaticSizes(), message);
  if (!layout && !places)
    return std::nullopt;
  ArrayRef<int64_t> shape = layout ? *layout->shape : op.getStaticSizes();
  for (auto [i, value] : llvm::enumerate(index)) {
    int64_t size = shape[i];
    if (value < 0 || value >= size) {
      message = ("index " + Twine(i) + " must lie in [0, " + Twine(size) +
                 "), got " + Twine(value))
                    .str();
      return std::nullopt;
    }
  }
  if (places)
    return places->toNumber.evaluate(index);
  return SmallVector<int64_t>{*layout->linearize(index)};
}

static IndexResults evaluate(DelinearizeOp op, ArrayRef<int64_t> operands,
                             std::string &message) {
  const size_t rank = op.getStaticSizes().size();
  IndexResults index;
  if (isa<LayoutAttr>(op.getLayout())) {
    std::optional<Layout> layout =
        getLayout(op, operands.drop_front(), message);
    if (!layout)
      return std::nullopt;
    index = layout->delinearize(operands[0]);
  } else {
    std::optional<MemoryPlaces> places =
        getPlaces(op.getLayout(), op.getStaticSizes(), message);
    if (!places)
      return std::nullopt;
    index = places->toIndex.evaluate(operands[0]);
    if (index && places->toNumber.evaluate(*index)->front() != operands[0])
      index = std::nullopt;
  }
  SmallVector<int64_t> results = index ? *index : SmallVector<int64_t>(rank, 0);
  results.push_back(index.has_value());
  return results;
}

static IndexResults evaluate(ApplyIndexingOp op, ArrayRef<int64_t> operands,
                             std::string &message) {
  IndexResults values = op.getMap().getValue().evaluateAt(operands);
  if (!values) {
    llvm::raw_string_ostream text(message);
    text << "has no value at (";
    llvm::interleaveComma(operands, text);
    text << ')';
  }
  return values;
}

IndexResults mlir::tensoraccess::evaluateIndexOp(Operation *op,
                                                 ArrayRef<int64_t> operands,
                                                 std::string &message) {
  return llvm::TypeSwitch<Operation *, IndexResults>(op)
      .Case<LinearizeOp, DelinearizeOp, ApplyIndexingOp>(
          [&](auto known) { return evaluate(known, operands, message); });
}
