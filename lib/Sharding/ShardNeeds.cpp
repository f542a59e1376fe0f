//===- ShardNeeds.cpp - What runs where, and needs what -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step 1 of Shard.cpp:
//
//   1. read how each op, argument and result is cut;
//   2. from the last op to the first: an op that is cut has its iterations, and
//      so what it reads; what it reads of values that are made where they are
//      needed adds to what is needed of them (the box around it);
//   3. when the op that makes such a value is reached, all ops that read it are
//      done, and its iterations follow from what is needed of its results.
//
//===----------------------------------------------------------------------===//

#include "Sharder.h"
#include "TensorAccess/Core/Counting.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SetVector<Value> mlir::tensoraccess::getCaptured(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured;
}

FailureOr<Distribution> Sharder::readDistribution(Attribute attr, Type type,
                                                  StringRef what,
                                                  Operation *at) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto text = dyn_cast<StringAttr>(attr);
  if (!text)
    return at->emitError() << what << " must be a string, got " << attr;
  if (!tensor)
    return at->emitError() << what << " is for a tensor, got " << type;
  ParseError error;
  std::optional<Distribution> read =
      Distribution::parse(text.getValue(), grid, tensor.getRank(), error);
  if (read && !read->partial.empty()) {
    read.reset();
    error.message = "a tensor that is kept has no partial axes";
    error.offset = 0;
  }
  if (!read)
    return at->emitError() << what << ": " << error.message << " at position "
                           << error.offset << " of \"" << text.getValue()
                           << "\"";
  return *read;
}

FailureOr<Decision> Sharder::readDecision(Operation *op) {
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                llvm::to_vector(op->getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (isa<ShapedType>(type) && !isa<VectorType>(type) &&
        (!tensor || !tensor.hasStaticShape() || tensor.getEncoding()))
      return op->emitOpError("has a type that is not cut over ranks: ") << type;
  }
  if (isa<CallOpInterface>(op))
    return op->emitOpError("is a call, which is not cut over ranks: inline it "
                           "first");
  Decision decision;
  decision.block = readBlockOp(op);
  // Constants are made where they are read, or whole.
  if (decision.block.kind == BlockOpKind::Free && !isa<linalg::LinalgOp>(op)) {
    decision.block = BlockOp();
    decision.block.op = op;
  }
  decision.cut = Distribution::replicated(decision.block.extents.size());
  Attribute attr = op->getAttr(kCutName);
  if (!attr)
    return decision;
  auto text = dyn_cast<StringAttr>(attr);
  if (!text)
    return op->emitError() << kCutName << " must be a string, got " << attr;
  if (text.getValue() == kNeededText) {
    // An op that reads no tensor is computed whole, so its result is everywhere.
    bool readsTensor = llvm::any_of(
        op->getOperandTypes(), [](Type type) { return isa<ShapedType>(type); });
    if (!decision.hasLoops() && readsTensor)
      return op->emitOpError("can only be run whole, not where it is needed");
    decision.isNeeded = decision.hasLoops();
    return decision;
  }
  ParseError error;
  std::optional<Distribution> read = Distribution::parse(
      text.getValue(), grid, decision.cut.dims.size(), error);
  if (read && !read->partial.empty()) {
    read.reset();
    error.message = "loops have no partial axes";
    error.offset = 0;
  }
  if (!read) {
    InFlightDiagnostic diag =
        op->emitError() << kCutName << ": " << error.message << " at position "
                        << error.offset << " of \"" << text.getValue() << "\"";
    if (!decision.hasLoops())
      diag << "; '" << op->getName().getStringRef()
           << "' can only be run whole";
    return diag;
  }
  decision.cut = std::move(*read);
  return decision;
}

void Sharder::need(Value value, const std::vector<Box> &boxes) {
  auto it = needs.find(value);
  if (it == needs.end())
    return;
  for (auto [hull, box] : llvm::zip_equal(it->second, boxes))
    if (!box.isEmpty())
      hull = hull.isEmpty() ? box : *getBoundingBox({hull, box});
}

/// Iterations for what is needed of the results: loops that no result is along
/// run whole.
LogicalResult Sharder::findIterations(Operation *op, Decision &decision) {
  if (!decision.isNeeded) {
    decision.iterations = decision.cut.getBoxes(grid, decision.block.extents);
    return success();
  }
  for (auto [r, access] : llvm::enumerate(decision.block.results))
    for (auto [d, row] : llvm::enumerate(access->rows))
      if (!row.getDim() && access->shape[d] != 1)
        return op->emitOpError("cannot be run where it is needed: dimension ")
               << d << " of result " << r << " is along no loop";
  for (int64_t rank = 0; rank < grid.getNumRanks(); ++rank) {
    Box box = getWholeBox(decision.block.extents);
    SmallVector<bool> isSeen(box.lo.size(), false);
    bool isAny = false;
    for (OpResult result : op->getResults()) {
      const Box &hull = needs.find(result)->second[rank];
      if (hull.isEmpty())
        continue;
      isAny = true;
      for (auto [d, row] : llvm::enumerate(
               decision.block.results[result.getResultNumber()]->rows)) {
        std::optional<unsigned> loop = row.getDim();
        if (!loop)
          continue;
        int64_t &lo = box.lo[*loop], &hi = box.hi[*loop];
        lo = isSeen[*loop] ? std::min(lo, hull.lo[d]) : hull.lo[d];
        hi = isSeen[*loop] ? std::max(hi, hull.hi[d]) : hull.hi[d];
        isSeen[*loop] = true;
      }
    }
    if (!isAny) {
      box.lo.assign(box.lo.size(), 0);
      box.hi = box.lo;
    }
    decision.iterations.push_back(std::move(box));
  }
  // All results are made in the box; that is what ranks then have of them.
  for (auto [result, access] :
       llvm::zip_equal(op->getResults(), decision.block.results))
    for (auto [rank, box] : llvm::enumerate(decision.iterations))
      if (!box.isEmpty())
        needs.find(result)->second[rank] =
            getTouched(*access, decision.block.extents, box);
  return success();
}

std::vector<Box> Sharder::getNeeded(OpOperand &operand,
                                    const Decision &decision) {
  const BlockOp &block = decision.block;
  const unsigned number = operand.getOperandNumber();
  const BlockAccess *access = nullptr;
  // The init is needed where the result is, also without iterations.
  if (std::optional<unsigned> tied = block.getResultOf(number)) {
    OpResult result = block.op->getResult(*tied);
    if (decision.isNeeded)
      return needs.find(result)->second;
    std::string reason;
    if (std::optional<Distribution> cut =
            getResultCut(block, *tied, decision.cut, reason))
      return cut->getBoxes(grid,
                           cast<RankedTensorType>(result.getType()).getShape());
    access = &*block.results[*tied];
  } else {
    access = &*block.operands[number];
  }
  std::vector<Box> needed;
  for (const Box &box : decision.iterations)
    needed.push_back(getTouched(*access, block.extents, box));
  return needed;
}

FailureOr<std::optional<Distribution>>
Sharder::readResultHome(unsigned number) {
  Attribute attr = function.getResultAttr(number, kDistributionName);
  // Unchanged: whole, if the op that makes it runs where it is needed.
  auto text = dyn_cast_or_null<StringAttr>(attr);
  if (!attr || (text && text.getValue() == kNeededText))
    return std::optional<Distribution>();
  FailureOr<Distribution> read = readDistribution(
      attr, function.getResultTypes()[number],
      (kDistributionName + " of result " + Twine(number)).str(), function);
  if (failed(read))
    return failure();
  return std::optional(*read);
}

LogicalResult Sharder::findNeeds() {
  auto open = [&](Value value) {
    Box empty;
    empty.lo.assign(cast<RankedTensorType>(value.getType()).getRank(), 0);
    empty.hi = empty.lo;
    // A tensor without dimensions has its one place everywhere.
    needs[value].assign(grid.getNumRanks(), empty);
  };
  for (auto [i, argument] : llvm::enumerate(function.getArguments()))
    if (auto text = dyn_cast_or_null<StringAttr>(
            function.getArgAttr(i, kDistributionName));
        text && text.getValue() == kNeededText &&
        isa<RankedTensorType>(argument.getType()))
      open(argument);
  for (Operation &op : function.front().without_terminator()) {
    FailureOr<Decision> decision = readDecision(&op);
    if (failed(decision))
      return failure();
    if (decision->isNeeded && !isFree(&op))
      for (Value result : op.getResults())
        open(result);
    decisions[&op] = std::move(*decision);
  }
  for (auto [i, value] :
       llvm::enumerate(function.front().getTerminator()->getOperands())) {
    FailureOr<std::optional<Distribution>> home = readResultHome(i);
    if (failed(home))
      return failure();
    if (isNeeded(value))
      need(value,
           *home ? (*home)->getBoxes(
                       grid, cast<RankedTensorType>(value.getType()).getShape())
                 : getWholeBoxes(value));
  }
  for (Operation &op : llvm::reverse(function.front().without_terminator())) {
    Decision &decision = decisions[&op];
    for (Value value : getCaptured(&op))
      if (isNeeded(value))
        need(value, getWholeBoxes(value));
    if (isFree(&op))
      continue;
    if (decision.hasLoops() && failed(findIterations(&op, decision)))
      return failure();
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isNeeded(operand.get()))
        continue;
      if (!decision.hasLoops())
        need(operand.get(), getWholeBoxes(operand.get()));
      else if (decision.block.operands[operand.getOperandNumber()])
        need(operand.get(), getNeeded(operand, decision));
    }
  }
  return success();
}
