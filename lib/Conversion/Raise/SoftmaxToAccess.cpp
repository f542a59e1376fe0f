//===- SoftmaxToAccess.cpp - Softmax, written out in linalg ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Front ends write softmax out, in elementwise ops, broadcasts and reductions:
//   m = max over D of x,  e = exp(x - m),  s = Σ over D of e,  y = e / s.
// The quotient is where it is recognised, and the others are followed from it:
//
// 1. a *view* is a value together with, for each of its dimensions, the
//    dimension of y that indexes it (or -1: index 0). It is followed back
//    through copies whose dimensions are moved, dropped or repeated;
// 2. y's operands are views of e, plain, and of s, which lacks the dimensions
// D;
// 3. s sums e over D from +0, and m is x's maximum over the same D, from the
//    least number. max(m, -inf) = m, as some front ends write.
//
// Nothing is erased here: what only softmax read is erased with it.
//
//===----------------------------------------------------------------------===//

#include "RaiseReaders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// How many copies a view is followed through.
static constexpr int64_t kLongestSearch = 16;

/// Step 1.
using View = SpreadValue;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The view of an operand of a structured op, whose loops are dimensions of y;
/// std::nullopt for indices that are neither loops nor 0.
static std::optional<View> viewOf(linalg::LinalgOp op, OpOperand &operand,
                                  ArrayRef<int64_t> loops) {
  View view{operand.get(), {}};
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      view.dims.push_back(loops[dim.getPosition()]);
      continue;
    }
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (!constant || constant.getValue() != 0)
      return std::nullopt;
    view.dims.push_back(-1);
  }
  return view;
}

/// Which dimensions of y index the loops of an op whose result is viewed;
/// std::nullopt if the result is not indexed by loops. Reduction loops get
/// -2.
static std::optional<SmallVector<int64_t>> loopsOf(linalg::LinalgOp op,
                                                   const View &view) {
  if (op->getNumResults() != 1 || !op.hasPureTensorSemantics())
    return std::nullopt;
  SmallVector<int64_t> loops(op.getNumLoops(), -2);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [expr, dim] : llvm::zip(map.getResults(), view.dims)) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || loops[loop.getPosition()] != -2)
      return std::nullopt;
    loops[loop.getPosition()] = dim;
  }
  return loops;
}

/// The operand that a block argument of the op's body stands for.
static OpOperand *operandOf(linalg::LinalgOp op, Value scalar) {
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  return &op->getOpOperand(argument.getArgNumber());
}

bool SpreadValue::followReshape(Operation *reshape) {
  auto from = dyn_cast<RankedTensorType>(reshape->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(value.getType());
  if (!from || !to)
    return false;
  // Both shapes without their ones, dimension by dimension.
  SmallVector<int64_t> outer;
  int64_t at = 0;
  for (int64_t size : from.getShape()) {
    if (size == 1) {
      outer.push_back(-1);
      continue;
    }
    while (at < to.getRank() && to.getDimSize(at) == 1)
      ++at;
    if (at == to.getRank() || to.getDimSize(at) != size)
      return false;
    outer.push_back(dims[at++]);
  }
  for (; at < to.getRank(); ++at)
    if (to.getDimSize(at) != 1)
      return false;
  *this = {reshape->getOperand(0), outer};
  return true;
}

/// Through one copy. max(x, -inf) is a copy of x.
static bool followCopy(View &view) {
  auto op = view.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() != 0)
    return false;
  std::optional<SmallVector<int64_t>> loops = loopsOf(op, view);
  if (!loops)
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (auto maximum = yielded.getDefiningOp<arith::MaximumFOp>())
    for (int side = 0; side < 2; ++side) {
      OpOperand *bound = operandOf(op, maximum->getOperand(side));
      Value scalar = bound ? bound->get() : maximum->getOperand(side);
      if (isLeast(getSplatElement(scalar))) {
        yielded = maximum->getOperand(1 - side);
        break;
      }
    }
  OpOperand *source = operandOf(op, yielded);
  std::optional<View> next =
      source ? viewOf(op, *source, *loops) : std::nullopt;
  if (!next)
    return false;
  view = *next;
  return true;
}

static View follow(View view) {
  for (int64_t step = 0; step < kLongestSearch; ++step) {
    Operation *op = view.value.getDefiningOp();
    bool isReshape =
        isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
    if (!(isReshape ? view.followReshape(op) : followCopy(view)))
      break;
  }
  return view;
}

//===----------------------------------------------------------------------===//
// The ops of softmax
//===----------------------------------------------------------------------===//

/// The op whose scalar `OpTy` is all that its body does, on elements.
template <typename OpTy>
static OpTy bodyOf(linalg::LinalgOp op) {
  if (!op || op->getNumResults() != 1 || op.getNumReductionLoops() != 0)
    return {};
  auto scalar =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<OpTy>();
  return scalar && scalar->getBlock() == op.getBlock() ? scalar : OpTy();
}

/// The view of an operand of the only scalar op, followed to its end.
static std::optional<View> operandView(linalg::LinalgOp op, Value scalar,
                                       ArrayRef<int64_t> loops) {
  OpOperand *operand = operandOf(op, scalar);
  std::optional<View> view =
      operand ? viewOf(op, *operand, loops) : std::nullopt;
  if (!view)
    return std::nullopt;
  return follow(*view);
}

/// Step 3: the view of what is reduced, over `dims`, where the view is of a
/// reduction by `OpTy` whose initial value changes nothing.
template <typename OpTy>
static std::optional<View> reducedView(const View &view, int64_t rank,
                                       SmallVectorImpl<int64_t> &dims) {
  auto op = view.value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() == 0)
    return std::nullopt;
  std::optional<SmallVector<int64_t>> loops = loopsOf(op, view);
  if (!loops)
    return std::nullopt;
  auto combine =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp<OpTy>();
  if (!combine)
    return std::nullopt;
  OpOperand *init = op.getDpsInitOperand(0), *source = nullptr;
  for (int side = 0; side < 2; ++side)
    if (operandOf(op, combine->getOperand(side)) == init)
      source = operandOf(op, combine->getOperand(1 - side));
  TypedAttr start = getSplatElement(init->get());
  bool neutral = std::is_same_v<OpTy, arith::AddFOp> ? isPositiveZero(start)
                                                     : isLeast(start);
  if (!source || source == init || !neutral)
    return std::nullopt;
  // Reduction loops stand for the dimensions of y that the others leave over.
  AffineMap map = op.getMatchingIndexingMap(source);
  if (!map.isPermutation() || map.getNumDims() != rank)
    return std::nullopt;
  dims.clear();
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t &loop = (*loops)[cast<AffineDimExpr>(expr).getPosition()];
    if (loop != -2)
      continue;
    loop = dim;
    dims.push_back(dim);
  }
  std::optional<View> reduced = viewOf(op, *source, *loops);
  if (!reduced || !reduced->isPlain())
    return std::nullopt;
  return reduced;
}

std::optional<RaisedKind>
mlir::tensoraccess::raiseWrittenSoftmax(RaiseBuilder &builder,
                                        linalg::LinalgOp op,
                                        SmallVectorImpl<Value> &results) {
  auto refuse = [&] { return builder.refuse("it is not a softmax"); };
  auto quotient = bodyOf<arith::DivFOp>(op);
  if (!quotient || !op.hasPureTensorSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return refuse();
  int64_t rank = op.getNumLoops();
  SmallVector<int64_t> plain = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  // Step 2: y = e / s.
  std::optional<View> e = operandView(op, quotient.getLhs(), plain);
  std::optional<View> s = operandView(op, quotient.getRhs(), plain);
  if (!e || !s || !e->isPlain())
    return refuse();
  SmallVector<int64_t> summed, maximised;
  std::optional<View> items = reducedView<arith::AddFOp>(*s, rank, summed);
  if (!items || follow(*items).value != e->value || summed.empty())
    return refuse();
  // e = exp(x - m), in one op or two.
  auto exponential = e->value.getDefiningOp<linalg::LinalgOp>();
  auto exp = exponential ? bodyOf<math::ExpOp>(exponential) : math::ExpOp();
  std::optional<SmallVector<int64_t>> loops =
      exp ? loopsOf(exponential, *e) : std::nullopt;
  if (!loops)
    return refuse();
  linalg::LinalgOp difference = exponential;
  auto minus = exp.getOperand().getDefiningOp<arith::SubFOp>();
  if (!minus) {
    std::optional<View> d = operandView(exponential, exp.getOperand(), *loops);
    if (!d || !d->isPlain())
      return refuse();
    difference = d->value.getDefiningOp<linalg::LinalgOp>();
    if (difference)
      minus = bodyOf<arith::SubFOp>(difference);
    loops = minus ? loopsOf(difference, *d) : std::nullopt;
  }
  if (!minus || !loops)
    return refuse();
  std::optional<View> x = operandView(difference, minus.getLhs(), *loops);
  std::optional<View> m = operandView(difference, minus.getRhs(), *loops);
  if (!x || !m || !x->isPlain())
    return refuse();
  std::optional<View> all = reducedView<arith::MaximumFOp>(*m, rank, maximised);
  if (!all || maximised != summed)
    return refuse();
  View source = follow(*all);
  if (source.value != x->value || !source.isPlain())
    return refuse();
  if (!builder.mayWiden(getElementTypeOrSelf(x->value.getType())))
    return std::nullopt;
  results.push_back(builder.toTensor(builder.softmax(x->value, summed),
                                     op->getResult(0).getType()));
  return RaisedKind::Softmax;
}
