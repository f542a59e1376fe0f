//===- RegisterTile.cpp - Sums that stay in registers ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reducing loop nest on buffers, as it is, loads and stores its result in
// every step. Here a tile of the result stays in registers while all reduction
// loops run:
//   1. columns: a piece of the last dimension of the result, along which every
//      operand is contiguous or does not move: one vector, one line wide;
//   2. rows: the innermost other parallel loop that some operand, read by
//      vectors, does not move along: that vector serves all rows;
//   3. loops from the outside: those of that operand, so that its panel stays in
//      the cache, the other parallel ones, the rows tile by tile, then the
//      reductions in their order, with the tile as loop-carried vectors.
// Each element is summed in the order it was, by the same operations: the same
// bits.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Passes.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_REGISTERTILE
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class RegisterTiler {
public:
  RegisterTiler(RewriterBase &rewriter, linalg::LinalgOp op,
                const Target &target)
      : rewriter(rewriter), op(op), target(target), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()), sizes(op.getStaticLoopRanges()),
        iterators(op.getIteratorTypesArray()) {}

  LogicalResult run();

private:
  LogicalResult fail(const Twine &reason) {
    return rewriter.notifyMatchFailure(op, reason);
  }
  LogicalResult check();
  bool isVector(unsigned operand) const {
    return maps[operand].isFunctionOfDim(column);
  }
  void chooseRows();
  void emitParallel(ArrayRef<unsigned> loops);
  void emitRows();
  /// A tile of that many rows from the row in indices[row].
  void emitTile(int64_t count);
  SmallVector<Value> emitReductions(ArrayRef<unsigned> loops, ValueRange tile);
  SmallVector<Value> emitBody(ValueRange tile);
  /// Where an operand is read for row number `i` of the tile.
  SmallVector<Value> getIndices(unsigned operand, int64_t i);
  Value load(unsigned operand, int64_t i);
  /// The value as a vector.
  Value widen(Value value);
  Value index(int64_t n) {
    return arith::ConstantIndexOp::create(rewriter, loc, n);
  }

  /// Steps of a reduction that is tiled though it has no rows.
  static constexpr int64_t kMaxSteps = 64;

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  const Target &target;
  Location loc;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> sizes;
  SmallVector<utils::IteratorType> iterators;

  unsigned column = 0;
  std::optional<unsigned> row;
  int64_t width = 0, rows = 1;
  SmallVector<Value> indices;
};

} // namespace

/// An operand does not move along the loop, or is contiguous.
static bool isContiguousAlong(AffineMap map, unsigned loop) {
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop) &&
        (i + 1 != map.getNumResults() || !isa<AffineDimExpr>(expr)))
      return false;
  return true;
}

LogicalResult RegisterTiler::check() {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || ShapedType::isDynamicShape(sizes) ||
      llvm::is_contained(sizes, 0))
    return fail("it is no reduction of static sizes on buffers");
  auto out = cast<MemRefType>(op.getDpsInitOperand(0)->get().getType());
  Type element = out.getElementType();
  if (!isa<FloatType>(element) && !element.isSignlessInteger())
    return fail("its elements are no numbers");
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits < 16 || bits > 64)
    return fail("its elements are too small or too large");
  for (Value operand : op->getOperands()) {
    auto memref = dyn_cast<MemRefType>(operand.getType());
    if (!memref ? !operand.getType().isIntOrFloat()
                : !memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return fail("an operand has gaps");
  }
  AffineMap outMap = maps.back();
  if (outMap.getNumResults() == 0 || !outMap.isProjectedPermutation())
    return fail("its result is one element or no permutation of loops");
  column = cast<AffineDimExpr>(outMap.getResults().back()).getPosition();
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    bool parallel = iterators[loop] == utils::IteratorType::parallel;
    if (parallel != outMap.isFunctionOfDim(loop))
      return fail("its result does not have the parallel loops");
  }
  for (AffineMap map : maps)
    if (!isContiguousAlong(map, column))
      return fail("an operand is not contiguous");
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (auto i = dyn_cast<linalg::IndexOp>(inner)) {
      if (i.getDim() == column)
        return fail("it computes with the index of its columns");
      continue;
    }
    if (!OpTrait::hasElementwiseMappableTraits(&inner) &&
        !inner.hasTrait<OpTrait::ConstantLike>())
      return fail("its body has more than arithmetic");
  }
  // A line, or the vectors that divide the columns.
  int64_t lanes = target.getLanes(bits);
  for (int64_t w = target.getPanelWidth(bits); w >= lanes; w -= lanes)
    if (sizes[column] % w == 0) {
      width = w;
      break;
    }
  if (width == 0)
    return fail("vectors do not divide its columns");
  return success();
}

/// The row loop, and rows of equal tiles that registers hold.
void RegisterTiler::chooseRows() {
  for (AffineExpr expr : maps.back().getResults().drop_back()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    bool serves = false;
    for (unsigned i = 0; i + 1 < maps.size(); ++i)
      serves |= isVector(i) && !maps[i].isFunctionOfDim(loop);
    // A depthwise convolution has its filters only.
    if (serves && sizes[loop] > 1)
      row = loop;
  }
  if (!row)
    return;
  Type element = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  int64_t vectors = std::max<int64_t>(
      1, width / target.getLanes(element.getIntOrFloatBitWidth()));
  int64_t most =
      std::max<int64_t>(1, target.tileRows * target.tileVectors / vectors);
  int64_t blocks = llvm::divideCeilSigned(sizes[*row], most);
  rows = llvm::divideCeilSigned(sizes[*row], blocks);
}

SmallVector<Value> RegisterTiler::getIndices(unsigned operand, int64_t i) {
  SmallVector<Value> result;
  for (AffineExpr expr : maps[operand].getResults()) {
    // Row i of the tile.
    if (row && i != 0)
      expr = expr.replace(getAffineDimExpr(*row, op.getContext()),
                          getAffineDimExpr(*row, op.getContext()) + i);
    AffineMap map = AffineMap::get(sizes.size(), 0, expr);
    result.push_back(affine::makeComposedAffineApply(
                         rewriter, loc, map,
                         llvm::map_to_vector(
                             indices, [](Value v) { return OpFoldResult(v); }))
                         .getResult());
  }
  return result;
}

Value RegisterTiler::load(unsigned operand, int64_t i) {
  Value source = op->getOperand(operand);
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!type)
    return source;
  SmallVector<Value> at = getIndices(operand, i);
  if (!isVector(operand))
    return memref::LoadOp::create(rewriter, loc, source, at);
  return vector::LoadOp::create(rewriter, loc,
                                VectorType::get({width}, type.getElementType()),
                                source, at);
}

Value RegisterTiler::widen(Value value) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      rewriter, loc, VectorType::get({width}, value.getType()), value);
}

SmallVector<Value> RegisterTiler::emitBody(ValueRange tile) {
  Block *body = op.getBlock();
  // What no row changes is loaded once.
  SmallVector<Value> shared(op.getNumDpsInputs());
  for (unsigned i = 0; i < shared.size(); ++i)
    if (!row || !maps[i].isFunctionOfDim(*row))
      shared[i] = load(i, 0);
  SmallVector<Value> results;
  for (auto [r, accumulator] : llvm::enumerate(tile)) {
    IRMapping mapping;
    for (unsigned i = 0; i < shared.size(); ++i)
      mapping.map(body->getArgument(i), shared[i] ? shared[i] : load(i, r));
    mapping.map(body->getArgument(shared.size()), accumulator);
    for (Operation &inner : body->without_terminator()) {
      if (auto position = dyn_cast<linalg::IndexOp>(inner)) {
        Value at = indices[position.getDim()];
        if (row && position.getDim() == *row && r != 0)
          at = arith::AddIOp::create(rewriter, loc, at, index(r));
        mapping.map(position.getResult(), at);
        continue;
      }
      bool wide = llvm::any_of(inner.getOperands(), [&](Value operand) {
        return isa<VectorType>(mapping.lookupOrDefault(operand).getType());
      });
      if (wide)
        for (Value operand : inner.getOperands())
          mapping.map(operand, widen(mapping.lookupOrDefault(operand)));
      Operation *clone = rewriter.clone(inner, mapping);
      if (wide)
        for (Value result : clone->getResults())
          result.setType(VectorType::get({width}, result.getType()));
    }
    results.push_back(
        widen(mapping.lookupOrDefault(body->getTerminator()->getOperand(0))));
  }
  return results;
}

SmallVector<Value> RegisterTiler::emitReductions(ArrayRef<unsigned> loops,
                                                 ValueRange tile) {
  if (loops.empty())
    return emitBody(tile);
  auto loop = scf::ForOp::create(rewriter, loc, index(0),
                                 index(sizes[loops.front()]), index(1), tile);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  indices[loops.front()] = loop.getInductionVar();
  SmallVector<Value> inner =
      emitReductions(loops.drop_front(), loop.getRegionIterArgs());
  scf::YieldOp::create(rewriter, loc, inner);
  return SmallVector<Value>(loop.getResults());
}

void RegisterTiler::emitTile(int64_t count) {
  unsigned out = op->getNumOperands() - 1;
  SmallVector<Value> tile;
  for (int64_t i = 0; i < count; ++i)
    tile.push_back(load(out, i));
  SmallVector<unsigned> reductions;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (iterators[loop] == utils::IteratorType::reduction)
      reductions.push_back(loop);
  for (auto [i, value] : llvm::enumerate(emitReductions(reductions, tile)))
    vector::StoreOp::create(rewriter, loc, value, op->getOperand(out),
                            getIndices(out, i));
}

void RegisterTiler::emitRows() {
  if (!row)
    return emitTile(1);
  int64_t whole = sizes[*row] / rows * rows;
  auto loop =
      scf::ForOp::create(rewriter, loc, index(0), index(whole), index(rows));
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    indices[*row] = loop.getInductionVar();
    emitTile(rows);
  }
  if (whole == sizes[*row])
    return;
  indices[*row] = index(whole);
  emitTile(sizes[*row] - whole);
}

void RegisterTiler::emitParallel(ArrayRef<unsigned> loops) {
  if (loops.empty())
    return emitRows();
  unsigned loop = loops.front();
  auto nest = scf::ForOp::create(rewriter, loc, index(0), index(sizes[loop]),
                                 index(loop == column ? width : 1));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(nest.getBody());
  indices[loop] = nest.getInductionVar();
  emitParallel(loops.drop_front());
}

LogicalResult RegisterTiler::run() {
  if (failed(check()))
    return failure();
  chooseRows();
  // Without rows each vector is read once: better in the order of memory than
  // line by line, but for a few.
  int64_t steps = 1;
  for (auto [size, type] : llvm::zip_equal(sizes, iterators))
    if (type == utils::IteratorType::reduction && steps <= kMaxSteps)
      steps *= size;
  if (!row && steps > kMaxSteps)
    return fail("nothing it reads serves several rows");
  // Step 3.
  auto isPanel = [&](unsigned loop) {
    for (unsigned i = 0; i + 1 < maps.size(); ++i)
      if (row && isVector(i) && !maps[i].isFunctionOfDim(*row) &&
          maps[i].isFunctionOfDim(loop))
        return true;
    return false;
  };
  SmallVector<unsigned> parallel;
  for (bool panel : {true, false})
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (iterators[loop] == utils::IteratorType::parallel && loop != row &&
          isPanel(loop) == panel)
        parallel.push_back(loop);
  rewriter.setInsertionPoint(op);
  indices.assign(sizes.size(), Value());
  Value zero = index(0);
  for (Value &i : indices)
    i = zero;
  emitParallel(parallel);
  rewriter.eraseOp(op);
  return success();
}

LogicalResult mlir::tensoraccess::registerTile(RewriterBase &rewriter,
                                               linalg::LinalgOp op,
                                               const Target &target) {
  return RegisterTiler(rewriter, op, target).run();
}

namespace {
struct RegisterTilePass
    : public tensoraccess::impl::RegisterTileBase<RegisterTilePass> {
  using RegisterTileBase::RegisterTileBase;

  void runOnOperation() override {
    FailureOr<Target> found = findTarget(getOperation(), target);
    if (failed(found))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      tiled += succeeded(registerTile(rewriter, op, *found));
  }
};
} // namespace
