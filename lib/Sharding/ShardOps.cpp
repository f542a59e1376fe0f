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

LogicalResult Sharder::shardLoops(Operation *op, const Decision &decision) {
  std::string reason;
  SmallVector<Distribution> cuts;
  for (OpResult result : op->getResults()) {
    if (decision.isNeeded) {
      cuts.emplace_back();
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
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  SmallVector<IRMapping> mappings;
  for (Program &program : programs)
    mappings.push_back(program.scalars);
  for (Value value : getCaptured(op)) {
    FailureOr<Blocks> whole = getWhole(value, op);
    if (failed(whole))
      return failure();
    for (auto [mapping, own] : llvm::zip_equal(mappings, *whole))
      mapping.map(value, own);
  }
  // Operands, by program.
  SmallVector<SmallVector<Value>> operands(programs.size());
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Blocks> blocks = failure();
    if (!isa<RankedTensorType>(operand.get().getType())) {
      blocks = getWhole(operand.get(), op);
    } else {
      std::vector<Box> needed = getNeeded(operand, decision);
      if (linalgOp && linalgOp.isDpsInit(&operand))
        blocks = getInit(
            linalgOp, operand, needed,
            cuts[operand.getOperandNumber() - linalgOp.getNumDpsInputs()]
                .partial);
      else
        blocks = get(operand.get(), needed, op);
    }
    if (failed(blocks))
      return failure();
    for (auto [list, block] : llvm::zip_equal(operands, *blocks))
      list.push_back(block);
  }
  SmallVector<Blocks> results(op->getNumResults());
  for (auto [i, program] : llvm::enumerate(programs)) {
    const Box &box = decision.iterations[program.rank];
    SmallVector<Value> made;
    if (!box.isEmpty()) {
      made = emitBlock(program.builder, decision.block, box, operands[i],
                       mappings[i]);
    } else if (linalgOp) {
      // No iterations leave the inits.
      made.assign(operands[i].begin() + linalgOp.getNumDpsInputs(),
                  operands[i].end());
    } else {
      made.push_back(emitEmpty(program.builder, op->getLoc(),
                               getBlockType(op->getResult(0).getType(), box)));
    }
    for (auto [list, value] : llvm::zip_equal(results, made))
      list.push_back(value);
  }
  for (OpResult result : op->getResults())
    if (failed(setResult(result, cuts[result.getResultNumber()],
                         std::move(results[result.getResultNumber()]))))
      return failure();
  return success();
}

LogicalResult Sharder::shardWhole(Operation *op) {
  SmallVector<SmallVector<Value>> operands(programs.size());
  SmallVector<IRMapping> mappings;
  for (Program &program : programs)
    mappings.push_back(program.scalars);
  for (Value operand : op->getOperands()) {
    FailureOr<Blocks> blocks = getWhole(operand, op);
    if (failed(blocks))
      return failure();
    for (auto [list, block] : llvm::zip_equal(operands, *blocks))
      list.push_back(block);
  }
  for (Value value : getCaptured(op)) {
    FailureOr<Blocks> whole = getWhole(value, op);
    if (failed(whole))
      return failure();
    for (auto [mapping, own] : llvm::zip_equal(mappings, *whole))
      mapping.map(value, own);
  }
  SmallVector<Blocks> results(op->getNumResults());
  for (auto [i, program] : llvm::enumerate(programs)) {
    Operation *made = cloneWith(program.builder, op, op->getResultTypes(),
                                operands[i], mappings[i]);
    for (auto [n, value] : llvm::enumerate(made->getResults())) {
      results[n].push_back(value);
      if (!isa<RankedTensorType>(value.getType()))
        program.scalars.map(op->getResult(n), value);
    }
  }
  for (OpResult result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType()))
      if (failed(setResult(result, Distribution::replicated(type.getRank()),
                           std::move(results[result.getResultNumber()]))))
        return failure();
  return success();
}

LogicalResult Sharder::shardOp(Operation *op) {
  if (isFree(op)) {
    spreads[op->getResult(0)].free = op;
    return success();
  }
  const Decision &decision = decisions.find(op)->second;
  return decision.hasLoops() ? shardLoops(op, decision) : shardWhole(op);
}
