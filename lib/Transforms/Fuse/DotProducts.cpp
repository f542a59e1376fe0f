//===- DotProducts.cpp - Sums of bytes by dot products of four ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Processors with VNNI add, to each i32 of a vector, the dot product of four unsigned
// and four signed bytes. For a sum of products of i8 in i32:
// 1. the operand that moves along the result's columns is packed in panels of
//    columns, the four elements of a dot product beside each other, zeros where
//    it ends;
// 2. of the other one the last dimension, one of sums, is walked by four; where it
//    has signs, 128 is added to each element: the sign bit is flipped;
// 3. what that adds to the sums, 128 times the columns' sums, is subtracted again.
// All of that is in i32, which wraps around: the same bits in any order.
//
// Where sums of floats may be added in any order, steps 1 and 2 serve products of
// bf16 in f32, too, two of them at a time. Where the target multiplies tiles, so do
// they, for bytes with any signs as they are.
//
//===----------------------------------------------------------------------===//

#include "Kernel/KernelPlan.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/Fusion.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_DOTPRODUCTS
#include "TensorAccess/Transforms/FusePasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A product of rows by columns, in the loops of its op.
class DotProduct {
public:
  DotProduct(RewriterBase &b, linalg::LinalgOp op) : b(b), op(op) {}

  /// Fails, with a reason, if it is not such a sum, or has too few rows.
  LogicalResult match(const Target &target, bool reassociate);
  void rewrite();

private:
  Value getCorrection();
  bool isColumn(unsigned loop) {
    return op.getIndexingMapsArray()[columns].isFunctionOfDim(loop);
  }

  RewriterBase &b;
  linalg::LinalgOp op;
  SmallVector<int64_t> sizes;
  /// The operands, and the loops of columns and of groups of four.
  unsigned rows = 0, columns = 1, column = 0, sum = 0;
  /// How the inputs are extended.
  SmallVector<Operation *, 2> extends;
  int64_t width = 0, group = 4;
  /// Iterations of the sum, zeros among them.
  int64_t iterations = 0;
  bool inTiles = false;
};

} // namespace

/// Whether a value is packed once: an argument that is the same in many calls, or
/// a constant.
static bool isWeight(Value value) {
  if (Operation *producer = value.getDefiningOp())
    return isConstantTensor(producer);
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         function.getArgAttr(argument.getArgNumber(), kConstant);
}

LogicalResult DotProduct::match(const Target &target, bool reassociate) {
  /// Columns are packed, and their sums computed.
  constexpr double kLeastRows = 16, kLeastTileRows = 2;
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1)
    return b.notifyMatchFailure(op,
                                "it does not have one result that is a tensor");
  std::array<Operation *, 2> extensions = matchSmallProduct(op);
  sizes = op.getStaticLoopRanges();
  if (!extensions[0] || ShapedType::isDynamicShape(sizes) ||
      extensions[0]->getOperand(0).getType() !=
          extensions[1]->getOperand(0).getType())
    return b.notifyMatchFailure(op, "it is not a product of i8 or bf16");
  const bool isBF16 = isa<arith::ExtFOp>(extensions[0]);
  if ((!hasDot(target, isBF16) && !hasTiles(target, isBF16)) ||
      (isBF16 && !reassociate))
    return b.notifyMatchFailure(op, "the target has no such dot product, or "
                                    "its sums keep their order");
  group = isBF16 ? 2 : 4;
  std::string reason;
  std::optional<StridedNest> nest = StridedNest::get(op, {}, reason);
  std::optional<KernelPlan> plan;
  if (nest)
    plan = planKernel(*nest, target, reason);
  if (!plan)
    return b.notifyMatchFailure(op, reason);
  column = nest->loops[plan->column].number;
  width = plan->getWidth();
  if (nest->loops[plan->column].size != sizes[column])
    return b.notifyMatchFailure(op, "its columns are several loops");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[1].isFunctionOfDim(column) == maps[0].isFunctionOfDim(column))
    return b.notifyMatchFailure(op, "its columns are those of both operands");
  columns = maps[1].isFunctionOfDim(column) ? 1 : 0;
  rows = 1 - columns;
  extends = {extensions[0], extensions[1]};
  // What step 3 subtracts is subtracted from each element.
  if (!maps.back().isProjectedPermutation() ||
      maps.back().getNumResults() != op.getNumParallelLoops())
    return b.notifyMatchFailure(op, "its result is not one of all elements");
  auto dim = maps[rows].getNumResults() == 0
                 ? AffineDimExpr(nullptr)
                 : dyn_cast<AffineDimExpr>(maps[rows].getResults().back());
  if (!dim || !maps[columns].isProjectedPermutation() ||
      !maps[columns].isFunctionOfDim(dim.getPosition()) ||
      op.getIteratorTypesArray()[dim.getPosition()] !=
          utils::IteratorType::reduction)
    return b.notifyMatchFailure(op, "no sum runs along both operands");
  sum = dim.getPosition();
  for (AffineExpr expr : maps[rows].getResults().drop_back())
    if (expr.isFunctionOfDim(sum))
      return b.notifyMatchFailure(op, "its sum moves along two dimensions");
  double numRows = 1, steps = 1;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    if (!isColumn(loop))
      numRows *= double(sizes[loop]);
    else if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
      steps *= double(sizes[loop]);
  }
  inTiles = hasTiles(target, isBF16) && numRows >= kLeastTileRows;
  if (!inTiles && isa<arith::ExtUIOp>(extensions[0]) &&
      isa<arith::ExtUIOp>(extensions[1]))
    return b.notifyMatchFailure(op, "neither operand has signs");
  if (!inTiles && !hasDot(target, isBF16))
    return b.notifyMatchFailure(op, "it has few rows");
  if ((numRows < kLeastRows && !isWeight(op->getOperand(columns))) ||
      sizes[sum] + 1 < group || steps <= group)
    return b.notifyMatchFailure(op, "it has few rows or short sums");
  iterations = llvm::alignTo(sizes[sum], group);
  if (inTiles) {
    // One tile of rows leaves registers for four of columns; all steps of a sum
    // are equal.
    const int64_t lanes = plan->lanes, most = numRows > kTileRows ? 2 : 4;
    width =
        lanes * std::min(most, llvm::divideCeilSigned(sizes[column], lanes));
    iterations = llvm::alignTo(
        iterations,
        group * llvm::divideCeilSigned(iterations / group, kTileRows));
  }
  return success();
}

/// Step 3: of each column, -128 times its sum.
Value DotProduct::getCorrection() {
  Location loc = op.getLoc();
  AffineMap map = op.getIndexingMapsArray()[columns];
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  unsigned numLoops = 0;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> out, places(sizes.size());
  for (bool isSum : {false, true})
    for (unsigned loop = 0; loop < sizes.size(); ++loop) {
      if (!isColumn(loop) ||
          (iterators[loop] == utils::IteratorType::reduction) != isSum)
        continue;
      places[loop] = b.getAffineDimExpr(numLoops++);
      if (isSum)
        continue;
      out.push_back(places[loop]);
      shape.push_back(sizes[loop]);
    }
  SmallVector<AffineExpr> from;
  for (AffineExpr expr : map.getResults())
    from.push_back(places[cast<AffineDimExpr>(expr).getPosition()]);
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getI32Type());
  Value init = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  auto getMap = [&](ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(numLoops, 0, exprs, b.getContext());
  };
  return createGeneric(
             b, loc, op->getOperand(columns), init, {getMap(from), getMap(out)},
             [](OpBuilder &b, Location loc, ValueRange arguments) {
               Value factor =
                   arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(-128));
               Value x =
                   arith::ExtSIOp::create(b, loc, b.getI32Type(), arguments[0]);
               Value product = arith::MulIOp::create(b, loc, x, factor);
               linalg::YieldOp::create(
                   b, loc,
                   Value(arith::AddIOp::create(b, loc, arguments[1], product)));
             })
      .getResult(0);
}

void DotProduct::rewrite() {
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  PackedOperand packed =
      packOperand(b, op, columns, column, width,
                  getElementTypeOrSelf(op->getOperand(columns).getType()), sum,
                  iterations, group);
  Value read =
      padAlong(b, loc, op->getOperand(rows), maps[rows], sum, iterations);
  const bool isTurned = !inTiles && isa<arith::ExtSIOp>(extends[0]) &&
                        isa<arith::ExtSIOp>(extends[1]);
  Value correction = isTurned ? getCorrection() : Value();

  const unsigned loops = sizes.size();
  SmallVector<AffineExpr> places;
  for (unsigned loop = 0; loop < loops; ++loop)
    places.push_back(b.getAffineDimExpr(loop));
  places[sum] = places[sum] * group + b.getAffineDimExpr(loops);
  SmallVector<AffineMap> newMaps = {
      maps[rows].replaceDimsAndSymbols(places, {}, loops + 1, 0), packed.map,
      AffineMap::get(loops + 1, 0, maps.back().getResults(), b.getContext())};
  Value out = op.getDpsInits()[0];
  linalg::GenericOp product =
      createGeneric(b, loc, {read, packed.value}, out, newMaps,
                    [&](OpBuilder &b, Location loc, ValueRange arguments) {
                      Value x = arguments[0];
                      if (isTurned)
                        x = arith::XOrIOp::create(
                            b, loc, x,
                            arith::ConstantOp::create(
                                b, loc, b.getIntegerAttr(b.getI8Type(), -128)));
                      Type wide = arguments[2].getType();
                      auto extend = [&](Value value, Operation *how) -> Value {
                        if (isa<arith::ExtFOp>(how))
                          return arith::ExtFOp::create(b, loc, wide, value);
                        if (isa<arith::ExtSIOp>(how) && !value.getDefiningOp())
                          return arith::ExtSIOp::create(b, loc, wide, value);
                        return arith::ExtUIOp::create(b, loc, wide, value);
                      };
                      Value factor = extend(x, extends[rows]),
                            other = extend(arguments[1], extends[columns]), sum;
                      if (isa<FloatType>(wide))
                        // This is what permits another order.
                        sum = arith::AddFOp::create(
                            b, loc, arguments[2],
                            arith::MulFOp::create(b, loc, factor, other),
                            arith::FastMathFlags::reassoc);
                      else
                        sum = arith::AddIOp::create(
                            b, loc, arguments[2],
                            arith::MulIOp::create(b, loc, factor, other));
                      linalg::YieldOp::create(b, loc, sum);
                    });
  Value result = product.getResult(0);
  if (isTurned) {
    SmallVector<AffineExpr> from;
    for (unsigned loop = 0; loop < loops; ++loop)
      if (isColumn(loop) && iterators[loop] == utils::IteratorType::parallel)
        from.push_back(b.getAffineDimExpr(
            *maps.back().getResultPosition(b.getAffineDimExpr(loop))));
    const unsigned rank = maps.back().getNumResults();
    Value empty = tensor::EmptyOp::create(
        b, loc, cast<RankedTensorType>(out.getType()).getShape(),
        b.getI32Type());
    AffineMap same = b.getMultiDimIdentityMap(rank);
    result =
        createGeneric(
            b, loc, {result, correction}, empty,
            {same, AffineMap::get(rank, 0, from, b.getContext()), same},
            [](OpBuilder &b, Location loc, ValueRange arguments) {
              linalg::YieldOp::create(b, loc,
                                      Value(arith::AddIOp::create(
                                          b, loc, arguments[0], arguments[1])));
            })
            .getResult(0);
  }
  b.replaceOp(op, result);
}

LogicalResult mlir::tensoraccess::multiplyInDots(RewriterBase &rewriter,
                                                 linalg::LinalgOp op,
                                                 const Target &target,
                                                 bool reassociate) {
  DotProduct product(rewriter, op);
  if (failed(product.match(target, reassociate)))
    return failure();
  product.rewrite();
  return success();
}

namespace {
struct DotProductsPass
    : public tensoraccess::impl::DotProductsBase<DotProductsPass> {
  using DotProductsBase::DotProductsBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0)
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      rewritten += succeeded(multiplyInDots(rewriter, op, *found, reassociate));
  }
};
} // namespace
