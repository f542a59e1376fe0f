//===- RaiseCompute.cpp - Arithmetic of raised ops ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `compute` ops, and what is seen through views on the way to them:
//
// 1. A kind of one operand commutes with every view. Where its operand was
//    broadcast it is applied before the broadcast, to fewer elements.
// 2. The quotient of a sum over n elements and the number n is a mean.
// 3. Every element of a splat is known: initial values that change nothing are
//    dropped, max(x, 0) is relu.
//
//===----------------------------------------------------------------------===//

#include "RaiseReaders.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// How far a splat, a sum or a broadcast is looked for through views.
static constexpr int64_t kLongestSearch = 16;

/// True for the ops that only move the elements of their one operand, each
/// result element being some operand element; `materialize` is asked for.
static bool isPlainView(Operation *op, bool orCopy = false) {
  if (orCopy && isa_and_nonnull<MaterializeOp>(op))
    return true;
  return isa_and_nonnull<AccessOp, ToTensorOp, TransposeOp, InsertAxisOp,
                         SqueezeOp, FlattenOp, ReshapeOp, ShiftRightOp, SliceOp,
                         BroadcastOp, WindowsOp>(op);
}

//===----------------------------------------------------------------------===//
// compute
//===----------------------------------------------------------------------===//

Value RaiseBuilder::compute(ComputeKind kind, Value pattern, Type accumulator) {
  if (!pattern)
    return fail("an operand is missing");
  AccessType type = typeOf(pattern);
  Type element = type.getElementType();
  if (!getElementTypeOf(element) || element.isInteger(1))
    return fail("its arithmetic is on elements of type " + typeName(element));
  switch (kind) {
  case ComputeKind::ReduceMean:
  case ComputeKind::Sqrt:
  case ComputeKind::Softmax:
    if (!isa<FloatType>(element))
      return fail("its arithmetic is on " + typeName(element) + ", not floats");
    break;
  default:
    break;
  }
  bool neverEmpty = kind == ComputeKind::ReduceMax ||
                    kind == ComputeKind::ReduceMean ||
                    kind == ComputeKind::Softmax;
  // The softmax of an item without elements has none either.
  bool mayBeNone =
      kind != ComputeKind::Softmax && hasDynamicSize(type.getComputeShape());
  if (neverEmpty &&
      (llvm::is_contained(type.getComputeShape(), 0) || mayBeNone))
    return fail("it reduces " + shapeToString(type.getComputeShape()) +
                " elements, possibly none");
  if (!accumulator || accumulator == element)
    return ComputeOp::create(rewriter, loc, kind, pattern);
  bool widens = false;
  if (auto wide = dyn_cast<IntegerType>(accumulator))
    widens = isa<IntegerType>(element) &&
             wide.getWidth() > element.getIntOrFloatBitWidth();
  else if (auto wide = dyn_cast<FloatType>(accumulator))
    // Every float of the narrow type is one of the wide type: f16 and bf16 in
    // f32 and f64, f32 in f64.
    widens = isa<FloatType>(element) &&
             wide.getWidth() > element.getIntOrFloatBitWidth();
  if (!widens || !getElementTypeOf(accumulator))
    return fail("it accumulates " + typeName(element) + " in " +
                typeName(accumulator));
  return ComputeOp::create(rewriter, loc, kind, pattern,
                           TypeAttr::get(accumulator));
}

bool RaiseBuilder::mayWiden(Type type) {
  if (getSumType(type) == type)
    return true;
  if (widenSums) {
    widened = type;
    return true;
  }
  fail("it rounds to " + typeName(type) +
       " in every step, and compute sums in " + typeName(getSumType(type)));
  return false;
}

Value RaiseBuilder::unary(ComputeKind kind, Value pattern) {
  if (!pattern)
    return fail("an operand is missing");
  SmallVector<Operation *> views;
  int64_t upTo = 0; // how many of them come after the outermost broadcast
  Value base = pattern;
  while (static_cast<int64_t>(views.size()) < kLongestSearch &&
         isPlainView(base.getDefiningOp())) {
    views.push_back(base.getDefiningOp());
    base = views.back()->getOperand(0);
    if (isa<BroadcastOp>(views.back()))
      upTo = views.size();
  }
  if (upTo == 0)
    return compute(kind, pattern);
  Value result = compute(kind, views[upTo - 1]->getOperand(0));
  for (int64_t i = upTo - 1; i >= 0 && result; --i) {
    IRMapping mapping;
    mapping.map(views[i]->getOperand(0), result);
    result = rewriter.clone(*views[i], mapping)->getResult(0);
  }
  return result;
}

Value RaiseBuilder::elementwise(ComputeKind kind, ArrayRef<Value> patterns) {
  if (kind == ComputeKind::ElementwiseDiv && patterns.size() == 2)
    if (Value mean = recogniseMean(patterns[0], patterns[1]))
      return mean;
  return compute(kind, tuple(patterns));
}

Value RaiseBuilder::subtract(Value lhs, Value rhs) {
  return elementwise(ComputeKind::ElementwiseAdd,
                     {lhs, unary(ComputeKind::Negative, rhs)});
}

Value RaiseBuilder::maximum(ArrayRef<Value> patterns) {
  for (int side = 0; side < 2; ++side) {
    TypedAttr splat = getSplatElement(patterns[side]);
    if (isPositiveZero(splat))
      return unary(ComputeKind::Relu, patterns[1 - side]);
    if (isLeast(splat))
      return patterns[1 - side];
  }
  return fail("it takes the greater of two values, which no compute kind does "
              "unless one is zero");
}

Value RaiseBuilder::softmax(Value source, ArrayRef<int64_t> dims) {
  auto shaped = source ? dyn_cast<RankedTensorType>(source.getType()) : nullptr;
  if (!shaped && !(source && isa<AccessType>(source.getType())))
    return fail("its operand is not a tensor with a rank");
  int64_t rank = shaped ? shaped.getRank() : typeOf(source).getRank();
  SmallVector<int64_t> perm, inverse(rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      perm.push_back(dim);
  int64_t split = perm.size();
  llvm::append_range(perm, dims);
  for (auto [at, dim] : llvm::enumerate(perm))
    inverse[dim] = at;
  Value items = access(transpose(access(source, split), perm), split);
  return transpose(items ? compute(ComputeKind::Softmax, items) : items,
                   inverse);
}

/// sum / n = mean, for n elements summed. Null where it is anything else.
Value RaiseBuilder::recogniseMean(Value sum, Value divisor) {
  if (!sum || !divisor)
    return {};
  TypedAttr number = getSplatElement(divisor);
  SmallVector<Operation *> views;
  while (static_cast<int64_t>(views.size()) < kLongestSearch &&
         isPlainView(sum.getDefiningOp())) {
    views.push_back(sum.getDefiningOp());
    sum = views.back()->getOperand(0);
  }
  auto reduce = sum.getDefiningOp<ComputeOp>();
  if (!number || !reduce || reduce.getKind() != ComputeKind::ReduceSum ||
      reduce.getAccumulator())
    return {};
  // A mean is rounded once, the quotient of a rounded sum twice.
  Type element = reduce.getPattern().getType().getElementType();
  if (!isa<FloatType>(element) || getSumType(element) != element)
    return {};
  std::optional<int64_t> count =
      elementCount(reduce.getPattern().getType().getComputeShape());
  if (!count || *count < 1 || !isNumber(number, *count))
    return {};
  // Only where the sum then has no other reader. The op that is being raised
  // is at the insertion point.
  Operation *raised = rewriter.getInsertionPoint() == block->end()
                          ? nullptr
                          : &*rewriter.getInsertionPoint();
  Operation *reader = nullptr;
  for (Operation *view : views) {
    for (Operation *user : view->getUsers())
      if (reader && user != reader && user != raised)
        return {};
    reader = view;
  }
  for (Operation *user : reduce->getUsers())
    if (reader && user != reader && user != raised)
      return {};
  Value result = compute(ComputeKind::ReduceMean, reduce.getPattern());
  for (Operation *view : llvm::reverse(views)) {
    IRMapping mapping;
    mapping.map(view->getOperand(0), result);
    result = rewriter.clone(*view, mapping)->getResult(0);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// What is known of values
//===----------------------------------------------------------------------===//

/// The value of which all elements of a generic op's only result are copies:
/// what the body yields, if that is an input's element or comes from outside.
static Value copiedValue(linalg::LinalgOp op) {
  if (op->getNumResults() != 1)
    return {};
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (!op->getRegion(0).isAncestor(yielded.getParentRegion()))
    return yielded;
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument)
    return {};
  return op->getOperand(argument.getArgNumber());
}

/// The right operand of the cart_prod of whose pairs a slice takes the right
/// elements (RaiseBuilder::repeat).
static Value getRepeated(Operation *op) {
  auto slice = dyn_cast_if_present<SliceOp>(op);
  if (!slice || slice.getOobAttr())
    return {};
  auto pairs = slice.getPattern().getDefiningOp<CartProdOp>();
  if (!pairs)
    return {};
  const int64_t tuple = pairs.getType().getAccessRank();
  return slice.getOffsets()[tuple] == 1 && slice.getSizes()[tuple] == 1
             ? Value(pairs.getRhs())
             : Value();
}

TypedAttr mlir::tensoraccess::getSplatElement(Value value) {
  for (int64_t step = 0; step < kLongestSearch && value; ++step) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      if (auto splat = dyn_cast<SplatElementsAttr>(constant))
        constant = splat.getSplatValue<Attribute>();
      return isa<FloatAttr, IntegerAttr>(constant) ? cast<TypedAttr>(constant)
                                                   : TypedAttr();
    }
    Operation *op = value.getDefiningOp();
    if (Value repeated = getRepeated(op))
      value = repeated;
    else if (isPlainView(op, /*orCopy=*/true) ||
             isa_and_nonnull<tensor::SplatOp, tensor::CastOp,
                             tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                             tensor::ExtractSliceOp, tensor::ReshapeOp>(op))
      value = op->getOperand(0);
    else if (const HloTraits *traits = op ? getHloTraits(op) : nullptr;
             traits && traits->kind == HloTraits::Kind::View &&
             op->getNumOperands() == 1)
      value = op->getOperand(0);
    else if (auto elements = dyn_cast_or_null<tensor::FromElementsOp>(op);
             elements && elements.getElements().size() == 1)
      value = elements.getElements()[0];
    else if (auto structured = dyn_cast_or_null<linalg::LinalgOp>(op))
      value = copiedValue(structured);
    else
      return {};
  }
  return {};
}

bool mlir::tensoraccess::isPositiveZero(Attribute value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValue().isPosZero();
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getValue().isZero();
  return false;
}

bool mlir::tensoraccess::isLeast(Attribute value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return number.getValue().isInfinity() && number.getValue().isNegative();
  if (auto number = dyn_cast_or_null<IntegerAttr>(value))
    return number.getValue().isMinSignedValue();
  return false;
}

bool mlir::tensoraccess::isNumber(Attribute value, int64_t number) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return integer.getValue().getBitWidth() <= 64 && integer.getInt() == number;
  auto real = dyn_cast_or_null<FloatAttr>(value);
  if (!real)
    return false;
  APFloat wanted(real.getValue().getSemantics());
  // A division does not divide by a number that the type rounds.
  APFloat::opStatus status =
      wanted.convertFromAPInt(APInt(64, number, /*isSigned=*/true),
                              /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  return status == APFloat::opOK &&
         wanted.compare(real.getValue()) == APFloat::cmpEqual;
}

//===----------------------------------------------------------------------===//
// Ops that nothing reads any more
//===----------------------------------------------------------------------===//

SmallVector<Operation *> mlir::tensoraccess::getProducers(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  SmallVector<Operation *> producers;
  for (Value value : values)
    if (Operation *producer = value.getDefiningOp())
      producers.push_back(producer);
  return producers;
}

void mlir::tensoraccess::eraseDead(RewriterBase &rewriter,
                                   ArrayRef<Operation *> ops) {
  // An erased op has no users, so nothing can enter it a second time.
  llvm::SmallSetVector<Operation *, 8> worklist(ops.begin(), ops.end());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    bool isDead = isOpTriviallyDead(op) ||
                  (op->use_empty() && isHlo(op) && isKnownPure(op));
    if (!isDead)
      continue;
    for (Operation *producer : getProducers(op))
      worklist.insert(producer);
    rewriter.eraseOp(op);
  }
}
