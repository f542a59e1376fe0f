//===- GuardFolds.cpp - What upstream folds wrongly, written otherwise ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op becomes ops that mean the same and that upstream folds rightly:
//   1. the dialect index, as arith on indices: index.ceildivs of the least index
//      has the wrong sign, index.cmp takes x - y < 0 for x < y;
//   2. promises not to overflow go: where two ops are joined, upstream keeps
//      promises that hold of the first or of the second one only. The code that
//      made them computes the same without;
//   3. arithmetic on floats without infinity and NaN, in f32 within their range:
//      APFloat has no value for a result beyond it, and upstream folds that to
//      whatever is there;
//   4. vector.extract_strided_slice with all its dimensions: of what has fewer
//      than its source, inserted by vector.insert_strided_slice, upstream makes
//      a vector of another shape;
//   5. scf.index_switch, as scf.if: upstream switches on the low 32 bits;
//   6. math.atan2(y, x) with 1 or -1 for x where both are 0: of two zeros
//      upstream makes NaN;
//   7. memref.subview that drops some of its unit dimensions, in two ops: which
//      ones, upstream tells by the strides of the source, not by its own;
//   8. ub.poison, as zeros.
//
// Before the first of upstream's passes, too: a buffer that is made of a tensor,
// and may be written to, is made of a copy. Two of one tensor are one op to CSE,
// so that each would see what is written to the other.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Canonicalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// The dialect index
//===----------------------------------------------------------------------===//

/// The op of arith that computes what a binary op of index does; empty for any
/// other op.
static StringRef getArithName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](index::AddOp) { return "arith.addi"; })
      .Case([](index::SubOp) { return "arith.subi"; })
      .Case([](index::MulOp) { return "arith.muli"; })
      .Case([](index::DivSOp) { return "arith.divsi"; })
      .Case([](index::DivUOp) { return "arith.divui"; })
      .Case([](index::CeilDivSOp) { return "arith.ceildivsi"; })
      .Case([](index::CeilDivUOp) { return "arith.ceildivui"; })
      .Case([](index::FloorDivSOp) { return "arith.floordivsi"; })
      .Case([](index::RemSOp) { return "arith.remsi"; })
      .Case([](index::RemUOp) { return "arith.remui"; })
      .Case([](index::MaxSOp) { return "arith.maxsi"; })
      .Case([](index::MaxUOp) { return "arith.maxui"; })
      .Case([](index::MinSOp) { return "arith.minsi"; })
      .Case([](index::MinUOp) { return "arith.minui"; })
      .Case([](index::ShlOp) { return "arith.shli"; })
      .Case([](index::ShrSOp) { return "arith.shrsi"; })
      .Case([](index::ShrUOp) { return "arith.shrui"; })
      .Case([](index::AndOp) { return "arith.andi"; })
      .Case([](index::OrOp) { return "arith.ori"; })
      .Case([](index::XOrOp) { return "arith.xori"; })
      .Case([](index::CastSOp) { return "arith.index_cast"; })
      .Case([](index::CastUOp) { return "arith.index_castui"; })
      .Default(StringRef());
}

/// The op of index as one of arith; null for any other op, among them casts to
/// integers with a sign of their own, which arith doesn't have.
static Operation *createArith(OpBuilder &b, Operation *op) {
  Location loc = op->getLoc();
  auto hasSign = [](Type type) {
    return type.isSignedInteger() || type.isUnsignedInteger();
  };
  if (llvm::any_of(op->getOperandTypes(), hasSign) ||
      llvm::any_of(op->getResultTypes(), hasSign))
    return nullptr;
  if (auto compare = dyn_cast<index::CmpOp>(op)) {
    auto predicate = arith::symbolizeCmpIPredicate(
        index::stringifyIndexCmpPredicate(compare.getPred()));
    return arith::CmpIOp::create(b, loc, *predicate, compare.getLhs(),
                                 compare.getRhs());
  }
  if (auto constant = dyn_cast<index::ConstantOp>(op))
    return arith::ConstantOp::create(b, loc, constant.getValueAttr());
  if (auto constant = dyn_cast<index::BoolConstantOp>(op))
    return arith::ConstantOp::create(b, loc, constant.getValueAttr());
  StringRef name = getArithName(op);
  if (name.empty())
    return nullptr;
  OperationState state(loc, name, op->getOperands(), op->getResultTypes());
  return b.create(state);
}

//===----------------------------------------------------------------------===//
// Floats without infinity and NaN
//===----------------------------------------------------------------------===//

static bool isFiniteOnly(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element &&
         !llvm::APFloat::semanticsHasInf(element.getFloatSemantics()) &&
         !llvm::APFloat::semanticsHasNaN(element.getFloatSemantics());
}

/// x within the range of a finite type: beyond it the largest number, for NaN
/// -0, as ops of StableHLO on these types have it.
static Value clamp(ImplicitLocOpBuilder &b, Type type, Value x) {
  const auto &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  auto wide = cast<FloatType>(getElementTypeOrSelf(x));
  auto number = [&](llvm::APFloat value) -> Value {
    bool losesInfo;
    value.convert(wide.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
    TypedAttr attr = b.getFloatAttr(wide, value);
    if (auto shaped = dyn_cast<ShapedType>(x.getType()))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  };
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, x, x);
  Value kept = arith::SelectOp::create(
      b, isNumber, x, number(llvm::APFloat::getZero(semantics, true)));
  kept = arith::MinimumFOp::create(
      b, kept, number(llvm::APFloat::getLargest(semantics)));
  return arith::MaximumFOp::create(
      b, kept, number(llvm::APFloat::getLargest(semantics, true)));
}

/// Whether a value is within range by an earlier call.
static bool isClamped(Value value) {
  auto low = value.getDefiningOp<arith::MaximumFOp>();
  return low && low.getLhs().getDefiningOp<arith::MinimumFOp>();
}

/// An op that makes floats of a finite type becomes one within range.
static void keepFinite(ImplicitLocOpBuilder &b, Operation *op) {
  if (op->getNumResults() != 1 || !isFiniteOnly(op->getResult(0).getType()))
    return;
  Type type = op->getResult(0).getType();
  auto shaped = dyn_cast<ShapedType>(type);
  // No constant has an unknown size. Loops over such tensors are met later.
  if (shaped && !shaped.hasStaticShape())
    return;
  if (auto cut = dyn_cast<arith::TruncFOp>(op)) {
    if (!isClamped(cut.getIn()))
      cut.getInMutable().assign(clamp(b, type, cut.getIn()));
    return;
  }
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
           arith::RemFOp, arith::SIToFPOp, arith::UIToFPOp>(op))
    return;
  Type f32 = shaped ? Type(shaped.clone(b.getF32Type())) : b.getF32Type();
  // Without flags: an infinity that f32 has is not one of the type.
  OperationState state(op->getLoc(), op->getName(), ValueRange{}, {f32});
  for (Value operand : op->getOperands())
    state.operands.push_back(operand.getType() == type
                                 ? Value(arith::ExtFOp::create(b, f32, operand))
                                 : operand);
  Value value = clamp(b, type, b.create(state)->getResult(0));
  op->getResult(0).replaceAllUsesWith(arith::TruncFOp::create(b, type, value));
  op->erase();
}

//===----------------------------------------------------------------------===//
// atan2
//===----------------------------------------------------------------------===//

/// Whether a condition is x == 0.
static bool isZeroTest(Value condition, Value x) {
  auto compare = condition.getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == arith::CmpFPredicate::OEQ &&
         compare.getLhs() == x &&
         matchPattern(compare.getRhs(), m_AnyZeroFloat());
}

/// Whether a value is known to be nowhere 0.
static bool hasNoZero(Value value) {
  if (auto sign = value.getDefiningOp<math::CopySignOp>())
    value = sign.getLhs();
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(attr))
    attr = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return !number.getValue().isZero();
  auto numbers = dyn_cast<DenseFPElementsAttr>(attr);
  return numbers && llvm::none_of(numbers.getValues<llvm::APFloat>(),
                                  [](const auto &x) { return x.isZero(); });
}

/// Whether y and x are never both 0: x has another value where they were.
static bool isKeptFromZeros(Value y, Value x) {
  auto choice = x.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return false;
  if (!hasNoZero(choice.getTrueValue()))
    return false;
  Value condition = choice.getCondition(), kept = choice.getFalseValue();
  if (isZeroTest(condition, y) || isZeroTest(condition, kept))
    return true;
  auto both = condition.getDefiningOp<arith::AndIOp>();
  return both && isZeroTest(both.getLhs(), y) &&
         isZeroTest(both.getRhs(), kept);
}

/// atan2(±0, ±0) = atan2(±0, ±1).
static void keepFromZeros(ImplicitLocOpBuilder &b, math::Atan2Op op) {
  Value y = op.getLhs(), x = op.getRhs();
  auto shaped = dyn_cast<ShapedType>(x.getType());
  if ((shaped && !shaped.hasStaticShape()) || isKeptFromZeros(y, x))
    return;
  auto number = [&](double value) -> Value {
    TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(x), value);
    if (shaped)
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  };
  Value zero = number(0);
  auto isZero = [&](Value value) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, zero);
  };
  Value areZero = arith::AndIOp::create(b, isZero(y), isZero(x));
  Value one = math::CopySignOp::create(b, number(1), x);
  op.getRhsMutable().assign(arith::SelectOp::create(b, areZero, one, x));
}

//===----------------------------------------------------------------------===//
// Subviews of fewer dimensions
//===----------------------------------------------------------------------===//

/// The dimensions of `whole` that `part` has, by sizes and strides; std::nullopt
/// if the others are not all of size 1.
static std::optional<SmallVector<int64_t>> findKeptDims(MemRefType whole,
                                                        MemRefType part) {
  SmallVector<int64_t> strides, partStrides, kept;
  int64_t offset;
  if (failed(whole.getStridesAndOffset(strides, offset)) ||
      failed(part.getStridesAndOffset(partStrides, offset)))
    return std::nullopt;
  for (int64_t dim = 0; dim != whole.getRank(); ++dim) {
    int64_t next = kept.size();
    if (next != part.getRank() &&
        whole.getDimSize(dim) == part.getDimSize(next) &&
        strides[dim] == partStrides[next])
      kept.push_back(dim);
    else if (whole.getDimSize(dim) != 1)
      return std::nullopt;
  }
  if (static_cast<int64_t>(kept.size()) != part.getRank())
    return std::nullopt;
  return kept;
}

/// A subview that names the dimensions it drops: all of it, and a view of that.
static void nameKeptDims(ImplicitLocOpBuilder &b, memref::SubViewOp op) {
  MemRefType source = op.getSourceType(), type = op.getType();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  int64_t dropped = source.getRank() - type.getRank();
  if (dropped == 0 || llvm::count_if(sizes, isOneInteger) == dropped)
    return;
  MemRefType whole = memref::SubViewOp::inferResultType(
      source, op.getMixedOffsets(), sizes, op.getMixedStrides());
  std::optional<SmallVector<int64_t>> kept = findKeptDims(whole, type);
  if (!kept)
    return;
  llvm::SmallBitVector others(source.getRank(), true);
  for (int64_t dim : *kept)
    others.reset(dim);
  // Asked of an op with strides, upstream reads what isn't there.
  if (llvm::all_of(op.getMixedStrides(), isOneInteger) &&
      others == op.getDroppedDims())
    return;

  Value all =
      memref::SubViewOp::create(b, whole, op.getSource(), op.getMixedOffsets(),
                                sizes, op.getMixedStrides());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, all);
  auto get = [&](int64_t number, Value value) -> OpFoldResult {
    if (ShapedType::isDynamic(number))
      return value;
    return b.getIndexAttr(number);
  };
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<OpFoldResult> keptSizes, keptStrides;
  for (auto [dim, stride] : llvm::zip_equal(*kept, strides)) {
    keptSizes.push_back(sizes[dim]);
    keptStrides.push_back(get(stride, metadata.getStrides()[dim]));
  }
  op.replaceAllUsesWith(memref::ReinterpretCastOp::create(
                            b, type, all, get(offset, metadata.getOffset()),
                            keptSizes, keptStrides)
                            .getResult());
  op.erase();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// The dimensions that a slice takes as they are, too.
static void nameAllDims(vector::ExtractStridedSliceOp op) {
  Builder b(op.getContext());
  VectorType source = op.getSourceVectorType();
  auto extend = [&](ArrayAttr attr, function_ref<int64_t(int64_t)> value) {
    SmallVector<Attribute> values(attr.getValue());
    for (int64_t dim = values.size(); dim != source.getRank(); ++dim)
      values.push_back(b.getI64IntegerAttr(value(dim)));
    return b.getArrayAttr(values);
  };
  op.setOffsetsAttr(extend(op.getOffsets(), [](int64_t) { return 0; }));
  op.setSizesAttr(extend(op.getSizes(),
                         [&](int64_t dim) { return source.getDimSize(dim); }));
  op.setStridesAttr(extend(op.getStrides(), [](int64_t) { return 1; }));
}

/// Removes an op's promises.
static void dropPromises(Operation *op) {
  using Flags = arith::IntegerOverflowFlags;
  auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (flagged && flagged.getOverflowAttr().getValue() != Flags::none)
    op->setAttr(
        flagged.getIntegerOverflowAttrName(),
        arith::IntegerOverflowFlagsAttr::get(op->getContext(), Flags::none));
  else if (isa<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
               op))
    op->removeAttr("isExact");
}

void mlir::tensoraccess::replaceByBranches(scf::IndexSwitchOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  scf::IfOp first, last;
  for (auto [number, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    Value isCase = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq, op.getArg(),
        arith::ConstantIndexOp::create(b, number).getResult());
    auto branch = scf::IfOp::create(b, op.getResultTypes(), isCase,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    branch.getThenRegion().takeBody(region);
    if (last)
      scf::YieldOp::create(b, branch.getResults());
    else
      first = branch;
    last = branch;
    b.setInsertionPointToStart(&branch.getElseRegion().emplaceBlock());
  }
  if (last) {
    last.getElseRegion().takeBody(op.getDefaultRegion());
    op.replaceAllUsesWith(first.getResults());
  } else {
    Operation *yield = op.getDefaultBlock().getTerminator();
    op->getBlock()->getOperations().splice(
        op->getIterator(), op.getDefaultBlock().getOperations());
    op.replaceAllUsesWith(yield->getOperands());
    yield->erase();
  }
  op.erase();
}

void mlir::tensoraccess::separateBuffers(Operation *root) {
  root->walk([](bufferization::ToBufferOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getTensor().getType());
    if (!type || op.getReadOnly() ||
        (op.getTensor().hasOneUse() &&
         op.getTensor().getDefiningOp<bufferization::AllocTensorOp>()))
      return;
    OpBuilder b(op);
    op.getTensorMutable().assign(bufferization::AllocTensorOp::create(
        b, op.getLoc(), type, ValueRange(), op.getTensor()));
  });
}

void mlir::tensoraccess::replaceByZeros(ub::PoisonOp op) {
  OpBuilder b(op);
  TypedAttr zero = b.getZeroAttr(op.getType());
  if (!zero || isa<VectorType>(op.getType()) ||
      !getElementTypeOrSelf(op.getType()).isIntOrIndexOrFloat())
    return;
  op.replaceAllUsesWith(
      arith::ConstantOp::create(b, op.getLoc(), zero).getResult());
  op->erase();
}

void mlir::tensoraccess::guardFolds(Operation *root) {
  root->walk([](Operation *op) {
    dropPromises(op);
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (Operation *made = createArith(b, op)) {
      op->replaceAllUsesWith(made);
      op->erase();
    } else if (auto slice = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
      nameAllDims(slice);
    } else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op)) {
      replaceByBranches(choice);
    } else if (auto angle = dyn_cast<math::Atan2Op>(op)) {
      keepFromZeros(b, angle);
    } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
      nameKeptDims(b, view);
    } else if (auto poison = dyn_cast<ub::PoisonOp>(op)) {
      replaceByZeros(poison);
    } else {
      keepFinite(b, op);
    }
  });
}
