//===- ShardOps.cpp - Each op on its blocks -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 4 of Shard.cpp: the op of every rank, on its iterations; or the whole op
// on all of them.
//
//===----------------------------------------------------------------------===//

#include "Sharder.h"

using namespace mlir;
using namespace mlir::tensoraccess;

LogicalResult Sharder::setResult(OpResult result, const Distribution &cut,
                                 Blocks blocks) {
  Operation *op = result.getOwner();
  ArrayRef<int64_t> extents =
      cast<RankedTensorType>(result.getType()).getShape();
  if (isNeeded(result)) {
    Spread &spread = spreads[result];
    spread.boxes = needs.find(result)->second;
    spread.blocks = std::move(blocks);
    return success();
  }
  if (grid.getNumParts(cut.partial) == 1) {
    Distribution whole = cut;
    whole.partial.clear();
    define(result, whole, std::move(blocks));
  } else {
    Spread partial;
    partial.home = cut;
    partial.boxes = cut.getBoxes(grid, extents);
    partial.blocks = std::move(blocks);
    Distribution home = getSummed(cut, grid, extents);
    if (Attribute attr = op->getAttr(kReducedName)) {
      FailureOr<Distribution> read = readDistribution(
          attr, result.getType(),
          (kReducedName + " of result " + Twine(result.getResultNumber()))
              .str(),
          op);
      if (failed(read))
        return failure();
      home = *read;
    }
    // All ranks of a group may have to have the same sum: each sums a part.
    const Distribution step = getSummingStep(grid, cut, home, extents);
    FailureOr<Blocks> sums = reduce(result, partial, step);
    if (failed(sums))
      return failure();
    define(result, step, std::move(*sums));
    if (step == home)
      return success();
    sums = get(result, home.getBoxes(grid, extents), op);
    if (failed(sums))
      return failure();
    define(result, home, std::move(*sums));
  }
  return success();
}

FailureOr<SmallVector<Distribution>>
Sharder::getCuts(Operation *op, const Decision &decision) {
  std::string reason;
  SmallVector<Distribution> cuts;
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!decision.hasLoops() || decision.isNeeded) {
      cuts.push_back(Distribution::replicated(type ? type.getRank() : 0));
      continue;
    }
    std::optional<Distribution> own = getResultCut(
        decision.block, result.getResultNumber(), decision.cut, reason);
    if (!own)
      return op->emitOpError("cannot be cut as ")
             << decision.cut.str(grid) << ": result "
             << result.getResultNumber() << " " << reason;
    if (grid.getNumParts(own->partial) == 1)
      own->partial.clear();
    cuts.push_back(std::move(*own));
  }
  return cuts;
}

/// An op on the blocks of its iterations, or whole.
SmallVector<Value> Sharder::emitOp(RankProgram &program,
                                   const Decision &decision,
                                   ValueRange operands, IRMapping &mapping) {
  const BlockOp &block = decision.block;
  if (!decision.hasLoops())
    return cloneWith(program.builder, block.op, block.op->getResultTypes(),
                     operands, mapping)
        ->getResults();
  const Box &box = decision.iterations[program.rank];
  if (!box.isEmpty())
    return emitBlock(program.builder, block, box, operands, mapping);
  // No iterations leave the inits.
  if (block.firstInit)
    return operands.drop_front(*block.firstInit);
  return {emitEmpty(program.builder, block.op->getLoc(),
                    getBlockType(block.op->getResult(0).getType(), box))};
}

LogicalResult Sharder::shardOp(Operation *op) {
  if (isFree(op)) {
    spreads[op->getResult(0)].free = op;
    return success();
  }
  const Decision &decision = decisions.find(op)->second;
  FailureOr<SmallVector<Distribution>> cuts = getCuts(op, decision);
  if (failed(cuts))
    return failure();
  SmallVector<IRMapping> mappings;
  for (RankProgram &program : programs)
    mappings.push_back(program.scalars);
  auto gatherCaptured = [&]() -> LogicalResult {
    for (Value value : getCaptured(op)) {
      FailureOr<Blocks> whole = getWhole(value, op);
      if (failed(whole))
        return failure();
      for (auto [mapping, own] : llvm::zip_equal(mappings, *whole))
        mapping.map(value, own);
    }
    return success();
  };
  if (decision.hasLoops() && failed(gatherCaptured()))
    return failure();
  // Operands, by program.
  SmallVector<SmallVector<Value>> operands(programs.size());
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Blocks> blocks = failure();
    std::optional<unsigned> tied =
        decision.block.getResultOf(operand.getOperandNumber());
    if (!decision.hasLoops() || !isa<RankedTensorType>(operand.get().getType()))
      blocks = getWhole(operand.get(), op);
    else if (tied)
      blocks = getInit(cast<linalg::LinalgOp>(op), operand,
                       getNeeded(operand, decision), (*cuts)[*tied].partial);
    else
      blocks = get(operand.get(), getNeeded(operand, decision), op);
    if (failed(blocks))
      return failure();
    for (auto [list, block] : llvm::zip_equal(operands, *blocks))
      list.push_back(block);
  }
  if (!decision.hasLoops() && failed(gatherCaptured()))
    return failure();
  SmallVector<Blocks> results(op->getNumResults());
  for (auto [i, program] : llvm::enumerate(programs)) {
    SmallVector<Value> made =
        emitOp(program, decision, operands[i], mappings[i]);
    for (auto [list, value, result] :
         llvm::zip_equal(results, made, op->getResults())) {
      list.push_back(value);
      if (!isa<RankedTensorType>(value.getType()))
        program.scalars.map(result, value);
    }
  }
  for (auto [result, cut, blocks] :
       llvm::zip_equal(op->getResults(), *cuts, results))
    if (isa<RankedTensorType>(result.getType()) &&
        failed(setResult(result, cut, std::move(blocks))))
      return failure();
  return success();
}
