//===- LayoutCanonicalization.cpp - Fewer relayouts and indices -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pattern, one equation. With L(p, s, t) for the relayout by permutation p
// to shape s and element type t:
//
//   L(p2, s2, t2) ∘ L(p1, s1, t1) = L(p1[p2], s2, t2)   where s1 is transposed
//                                                       by p1 only,
//                                 = L(p1, s2, t2)       where p2 is not a
//                                 transpose,
//
// if going through t1 gives what going straight gives. A relayout that moves
// nothing is a bitcast: the map from indices to numbers in memory is the same
// on both sides (Evaluate.h), whatever the spelling of the tiles.
//
// Index ops: constants through the dialect of an operand's constant, so that
// this library need not know which op that is; maps by Core's algebra.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The dialect that made one of the constants among the operands.
static Dialect *findConstantDialect(Operation *op) {
  for (Value operand : op->getOperands())
    if (matchPattern(operand, m_Constant()))
      return operand.getDefiningOp()->getDialect();
  return nullptr;
}

/// The constants that an op folds to.
static LogicalResult foldToConstants(Operation *op, PatternRewriter &rewriter) {
  Dialect *dialect = findConstantDialect(op);
  if (!dialect)
    return failure();
  SmallVector<Attribute> operands(op->getNumOperands());
  for (auto [attribute, operand] : llvm::zip_equal(operands, op->getOperands()))
    matchPattern(operand, m_Constant(&attribute));
  SmallVector<OpFoldResult> folded;
  if (failed(op->fold(operands, folded)) ||
      folded.size() != op->getNumResults())
    return failure();
  SmallVector<Value> values;
  for (auto [result, type] : llvm::zip_equal(folded, op->getResultTypes())) {
    auto attribute = dyn_cast<Attribute>(result);
    Operation *constant =
        attribute ? dialect->materializeConstant(rewriter, attribute, type,
                                                 op->getLoc())
                  : nullptr;
    if (!constant)
      return failure();
    values.push_back(constant->getResult(0));
  }
  rewriter.replaceOp(op, values);
  return success();
}

//===----------------------------------------------------------------------===//
// relayout
//===----------------------------------------------------------------------===//

/// Whether every value of a float type is one of another, which has infinities
/// and NaNs as IEEE has them: significand bits and exponents decide.
static bool holds(FloatType wide, FloatType narrow) {
  if (!wide.isF16() && !wide.isBF16() && !wide.isF32() && !wide.isF64())
    return false;
  const llvm::fltSemantics &w = wide.getFloatSemantics();
  const llvm::fltSemantics &n = narrow.getFloatSemantics();
  return llvm::APFloat::isRepresentableBy(n, w);
}

bool mlir::tensoraccess::convertsStraight(Type from, Type middle, Type to) {
  if (from == middle || middle == to)
    return true;
  if (isa<IntegerType>(from) && isa<IntegerType>(middle) &&
      isa<IntegerType>(to)) {
    unsigned a = from.getIntOrFloatBitWidth();
    unsigned b = middle.getIntOrFloatBitWidth();
    unsigned c = to.getIntOrFloatBitWidth();
    return a <= b || c <= b;
  }
  auto first = dyn_cast<FloatType>(from), second = dyn_cast<FloatType>(middle);
  return first && second && isa<FloatType>(to) && holds(second, first);
}

namespace {
/// relayout(relayout(x)) = relayout(x), where the inner one has no other use or
/// both together change nothing.
struct MergeRelayouts : OpRewritePattern<RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RelayoutOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<RelayoutOp>();
    if (!inner)
      return failure();
    RankedTensorType from = inner.getSource().getType();
    RankedTensorType middle = inner.getResult().getType();
    RankedTensorType to = op.getResult().getType();
    if (!from.hasStaticShape() || !middle.hasStaticShape() ||
        !to.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "a size may be checked between");
    if (!convertsStraight(from.getElementType(), middle.getElementType(),
                          to.getElementType()))
      return rewriter.notifyMatchFailure(op, "the first conversion rounds");
    SmallVector<int64_t> first = inner.getPermutationOrIdentity();
    SmallVector<int64_t> second = op.getPermutationOrIdentity(), merged;
    if (isIdentityPermutation(second)) {
      merged = first;
    } else if (ArrayRef(inner.getTransposedShape()) == middle.getShape()) {
      for (int64_t dim : second)
        merged.push_back(first[dim]);
    } else {
      return rewriter.notifyMatchFailure(op, "a reshape is between");
    }
    bool isNothing = from == to && isIdentityPermutation(merged);
    if (!isNothing && !inner->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the inner one has other uses");
    if (isNothing) {
      rewriter.replaceOp(op, inner.getSource());
      return success();
    }
    rewriter.replaceOpWithNewOp<RelayoutOp>(
        op, to, inner.getSource(),
        isIdentityPermutation(merged) ? DenseI64ArrayAttr()
                                      : rewriter.getDenseI64ArrayAttr(merged));
    return success();
  }
};

/// The identity permutation is dropped.
struct DropIdentity : OpRewritePattern<RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RelayoutOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getPermutation() || !isIdentityPermutation(*op.getPermutation()))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.removePermutationAttr(); });
    return success();
  }
};

/// A relayout that moves nothing = bitcast.
struct RelayoutToBitcast : OpRewritePattern<RelayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(RelayoutOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getSource().getType();
    RankedTensorType to = op.getResult().getType();
    if (!from.hasStaticShape() || !to.hasStaticShape())
      return failure();
    if (!movesNothing(from, to, op.getPermutationOrIdentity()).value_or(false))
      return rewriter.notifyMatchFailure(op, "elements move");
    rewriter.replaceOpWithNewOp<BitcastOp>(op, to, op.getSource());
    return success();
  }
};

/// The constant that the op folds to.
template <typename OpTy>
struct FoldConstantTensor : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    return foldToConstants(op, rewriter);
  }
};
} // namespace

void TensorAccessDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateMovementCanonicalization(patterns);
  populateConstantFolding(patterns);
  patterns.add<MergeRelayouts, DropIdentity, RelayoutToBitcast,
               FoldConstantTensor<RelayoutOp>, FoldConstantTensor<BitcastOp>>(
      patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Index ops
//===----------------------------------------------------------------------===//

/// Sizes of the two ops are the same numbers or the same values.
template <typename A, typename B>
static bool haveSameShape(A a, B b) {
  return a.getLayout() == b.getLayout() &&
         a.getStaticSizes() == b.getStaticSizes() &&
         a.getSizes() == b.getSizes();
}

/// Operands that are constants become static sizes.
template <typename OpTy>
static LogicalResult foldSizes(OpTy op, PatternRewriter &rewriter) {
  SmallVector<int64_t> sizes(op.getStaticSizes());
  SmallVector<Value> left;
  size_t next = 0;
  for (int64_t &size : sizes) {
    if (!ShapedType::isDynamic(size))
      continue;
    Value operand = op.getSizes()[next++];
    IntegerAttr value;
    if (matchPattern(operand, m_Constant(&value)) && value.getInt() >= 0)
      size = value.getInt();
    else
      left.push_back(operand);
  }
  if (left.size() == op.getSizes().size())
    return failure();
  // What would not verify stays as it was.
  auto layout = dyn_cast<LayoutAttr>(op.getLayout());
  if (!layout || (!ShapedType::isDynamicShape(sizes) &&
                  !layout.getValue().withShape(sizes).getPaddedElements()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] {
    op.setStaticSizes(sizes);
    op.getSizesMutable().assign(left);
  });
  return success();
}

/// linearize(delinearize(n)) = n: where n is not an element its indices are
/// unspecified.
LogicalResult LinearizeOp::canonicalize(LinearizeOp op,
                                        PatternRewriter &rewriter) {
  if (succeeded(foldToConstants(op, rewriter)) ||
      succeeded(foldSizes(op, rewriter)))
    return success();
  if (op.getIndices().empty())
    return failure();
  auto inner = op.getIndices()[0].getDefiningOp<DelinearizeOp>();
  if (!inner || !haveSameShape(op, inner) ||
      !llvm::equal(op.getIndices(), inner.getIndices()))
    return failure();
  rewriter.replaceOp(op, inner.getLinear());
  return success();
}

/// delinearize(linearize(x)) = x; the bit, which is true, stays an op.
LogicalResult DelinearizeOp::canonicalize(DelinearizeOp op,
                                          PatternRewriter &rewriter) {
  if (succeeded(foldToConstants(op, rewriter)) ||
      succeeded(foldSizes(op, rewriter)))
    return success();
  auto inner = op.getLinear().getDefiningOp<LinearizeOp>();
  if (!inner || !haveSameShape(op, inner) ||
      llvm::all_of(op.getIndices(),
                   [](Value index) { return index.use_empty(); }))
    return failure();
  rewriter.replaceAllUsesWith(op.getIndices(), inner.getIndices());
  return success();
}

/// Operands of the variables of a map, in its order.
static SmallVector<Value> getVariables(ApplyIndexingOp op) {
  return SmallVector<Value>(op->getOperands());
}

/// apply_indexing of the same results with other variables.
static void replaceMap(ApplyIndexingOp op, PatternRewriter &rewriter,
                       const IndexingMap &map, ValueRange variables) {
  auto attr = IndexingMapAttr::get(op.getContext(), map);
  unsigned dims = map.getNumDims(), symbols = map.getNumSymbols();
  rewriter.replaceOpWithNewOp<ApplyIndexingOp>(
      op, attr, variables.take_front(dims),
      variables.drop_front(dims).take_front(symbols),
      variables.drop_front(dims + symbols));
}

/// map2(map1(x)) = (map1.then(map2))(x), for an apply_indexing that is a dim's
/// operand. Dims of the joined map are those of map1, then the other operands.
static LogicalResult mergeApplications(ApplyIndexingOp op,
                                       PatternRewriter &rewriter) {
  const IndexingMap &map = op.getMap().getValue();
  ApplyIndexingOp inner;
  for (Value operand : op.getDims())
    if ((inner = operand.getDefiningOp<ApplyIndexingOp>()))
      break;
  if (!inner)
    return failure();
  const IndexingMap &first = inner.getMap().getValue();
  if (!map.isOrdinary() || !first.isOrdinary())
    return failure();
  // `before`: the operands of both -> the dims of `map`.
  IndexingMapBuilder before;
  FormArena &arena = before.arena();
  SmallVector<Value> dims(inner.getDims());
  SmallVector<AtomId> variables;
  auto add = [&](Form form) { variables.push_back(*form.asAtom()); };
  for (Interval range : first.getDimRanges())
    add(before.addDim(range));
  SmallVector<Form> passed(map.getNumDims());
  for (auto [i, operand] : llvm::enumerate(op.getDims()))
    if (operand.getDefiningOp() != inner) {
      passed[i] = before.addDim(map.getDimRanges()[i]);
      dims.push_back(operand);
    }
  for (Interval range : first.getSymbolRanges())
    add(before.addSymbol(range));
  for (auto [i, range] : llvm::enumerate(first.getRuntimeRanges()))
    if (isSizeName(first.getVariableName(first.getNumDims() +
                                         first.getNumSymbols() + i)))
      return failure();
    else
      add(before.addRuntime(range));
  SmallVector<Form> images;
  for (AtomId variable : variables)
    images.push_back(Form::ofAtom(variable));
  Substitution translate(arena, first.getArena(), images);
  for (auto [i, operand] : llvm::enumerate(op.getDims())) {
    if (operand.getDefiningOp() != inner) {
      before.addResult(passed[i]);
      continue;
    }
    unsigned number = cast<OpResult>(operand).getResultNumber();
    before.addResult(translate(first.getResult(number)));
  }
  for (const Constraint &constraint : first.getConstraints())
    before.addConstraint(translate(constraint.form), constraint.interval);
  IndexingMap merged = before.build().then(map).simplify();
  // Symbols and runtime variables of `map` come before those of `first`.
  if (!merged.isOrdinary() || merged.getNumDims() != dims.size() ||
      merged.getNumSymbols() != map.getNumSymbols() + first.getNumSymbols() ||
      merged.getNumRuntime() != map.getNumRuntime() + first.getNumRuntime())
    return rewriter.notifyMatchFailure(op, "the maps don't compose");
  SmallVector<Value> all(dims);
  llvm::append_range(all, op.getSymbols());
  llvm::append_range(all, inner.getSymbols());
  llvm::append_range(all, op.getRuntime());
  llvm::append_range(all, inner.getRuntime());
  replaceMap(op, rewriter, merged, all);
  return success();
}

/// A result that is a variable is its operand; results without users, and
/// variables that no result needs, leave.
static LogicalResult dropTrivialResults(ApplyIndexingOp op,
                                        PatternRewriter &rewriter) {
  const IndexingMap &map = op.getMap().getValue();
  if (!map.isOrdinary())
    return failure();
  SmallVector<Value> variables = getVariables(op), values(op.getNumResults());
  SmallVector<unsigned> kept;
  for (auto [i, form] : llvm::enumerate(map.getResults())) {
    std::optional<AtomId> atom = form.asAtom();
    if (atom && map.getArena().isVariable(*atom))
      values[i] = variables[*atom];
    else if (!op.getResult(i).use_empty())
      kept.push_back(i);
  }
  llvm::BitVector removed;
  IndexingMap smaller = map;
  if (kept.size() != op.getNumResults())
    smaller = map.selectResults(kept);
  IndexingMap used = smaller.removeUnusedVars(&removed);
  if (!used.isOrdinary())
    return failure();
  if (kept.size() == op.getNumResults() && removed.none())
    return failure();
  SmallVector<Value> operands;
  for (auto [i, variable] : llvm::enumerate(variables))
    if (!removed.test(i))
      operands.push_back(variable);
  if (operands.size() != used.getNumVariables())
    return failure();
  if (!kept.empty()) {
    auto attr = IndexingMapAttr::get(op.getContext(), used);
    unsigned dims = used.getNumDims(), symbols = used.getNumSymbols();
    ValueRange range(operands);
    auto rest = ApplyIndexingOp::create(
        rewriter, op.getLoc(), attr, range.take_front(dims),
        range.drop_front(dims).take_front(symbols),
        range.drop_front(dims + symbols));
    for (auto [i, result] : llvm::zip_equal(kept, rest.getResults()))
      values[i] = result;
  }
  // What is not read may be any value.
  for (auto [i, value] : llvm::enumerate(values))
    if (value)
      rewriter.replaceAllUsesWith(op.getResult(i), value);
  rewriter.eraseOp(op);
  return success();
}

/// Operands that are constants become part of the map.
static LogicalResult foldOperands(ApplyIndexingOp op,
                                  PatternRewriter &rewriter) {
  const IndexingMap &map = op.getMap().getValue();
  if (!map.isOrdinary())
    return failure();
  SmallVector<Interval> ranges(map.getRanges());
  bool changed = false;
  for (auto [range, operand] : llvm::zip_equal(ranges, op->getOperands())) {
    IntegerAttr value;
    if (!matchPattern(operand, m_Constant(&value)))
      continue;
    int64_t number = value.getInt();
    if (!range.contains(number))
      return failure();
    changed |= range != Interval{number, number};
    range = {number, number};
  }
  if (!changed)
    return failure();
  IndexingMap fixed = map.restrictRanges(ranges).simplify();
  if (!fixed.isOrdinary() || fixed == map)
    return failure();
  rewriter.modifyOpInPlace(
      op, [&] { op.setMapAttr(IndexingMapAttr::get(op.getContext(), fixed)); });
  return success();
}

LogicalResult ApplyIndexingOp::canonicalize(ApplyIndexingOp op,
                                            PatternRewriter &rewriter) {
  if (succeeded(foldToConstants(op, rewriter)))
    return success();
  const IndexingMap &map = op.getMap().getValue();
  IndexingMap simple = map.simplify();
  if (simple != map && !simple.isUnknown() &&
      simple.getNumVariables() == map.getNumVariables()) {
    rewriter.modifyOpInPlace(op, [&] {
      op.setMapAttr(IndexingMapAttr::get(op.getContext(), simple));
    });
    return success();
  }
  if (succeeded(mergeApplications(op, rewriter)) ||
      succeeded(dropTrivialResults(op, rewriter)))
    return success();
  return foldOperands(op, rewriter);
}
