//===- SpreadCuts.cpp - Cuts that follow from arguments' ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the ops, in order:
//
//   1. Every operand whose distribution is known votes, for each axis that cuts
//      one of its dimensions, for the loop that walks along that dimension: the
//      loop itself, the parallel one of a window, the outermost digit of a
//      reshape. A vote weighs as many elements as the operand has, so that the
//      larger operand moves less.
//   2. An axis goes to the loop with most votes (the first of equals), unless
//      that loop is too short for it, or a reduction that can't be split, or
//      its blocks would not be boxes.
//   3. Results are distributed accordingly. Sums in parts are scattered along
//      the outermost dimension that is long enough: what follows row by row
//      then needs nothing from others, and what needs everything gathers it,
//      which together is an all-reduce.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Sharding/Sharding.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The arguments that a key names.
static FailureOr<SmallVector<unsigned>>
findArguments(FunctionOpInterface function, StringRef key) {
  unsigned number;
  if (!key.getAsInteger(10, number)) {
    if (number >= function.getNumArguments())
      return function->emitError("cuts: there is no argument ")
             << number << ", the function has " << function.getNumArguments();
    return SmallVector<unsigned>{number};
  }
  SmallVector<unsigned> found;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    if (text == key)
      found.push_back(i);
  }
  if (found.empty())
    return function->emitError("cuts: no argument has the type ") << key;
  return found;
}

LogicalResult mlir::tensoraccess::setDistributions(FunctionOpInterface function,
                                                   const Grid &grid,
                                                   StringRef text) {
  for (StringRef entry : llvm::split(text, ';')) {
    entry = entry.trim();
    if (entry.empty())
      continue;
    auto [key, value] = entry.split('=');
    if (!value.trim().starts_with("{"))
      return function->emitError("cuts: expected ARGUMENT={dN: axis}, got '")
             << entry << "'";
    FailureOr<SmallVector<unsigned>> numbers =
        findArguments(function, key.trim());
    if (failed(numbers))
      return failure();
    for (unsigned number : *numbers) {
      auto type =
          dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
      if (!type)
        return function->emitError("cuts: argument ")
               << number << " is not a tensor, but "
               << function.getArgumentTypes()[number];
      ParseError error;
      std::optional<Distribution> read =
          Distribution::parse(value.trim(), grid, type.getRank(), error);
      if (!read || !read->partial.empty())
        return function->emitError("cuts: argument ")
               << number << ": "
               << (read ? "an argument has no partial axes" : error.message);
      auto attr = StringAttr::get(function->getContext(), read->str(grid));
      Attribute before = function.getArgAttr(number, kDistributionName);
      if (before && before != attr)
        return function->emitError("cuts: argument ")
               << number << " is distributed as " << before << " already";
      function.setArgAttr(number, kDistributionName, attr);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// Votes of an op's operands.
struct Votes {
  /// By axis, by loop: elements.
  llvm::MapVector<unsigned, llvm::MapVector<unsigned, uint64_t>> loops;
};

class Spreader {
public:
  Spreader(FunctionOpInterface function, const Grid &grid)
      : function(function), grid(grid) {}
  FailureOr<SpreadReport> run();

private:
  LogicalResult readArguments();
  LogicalResult visit(Operation *op, const ShardDecisions &written);
  Votes count(const BlockOp &op) const;
  Distribution decide(const BlockOp &op);
  bool canHave(const BlockOp &op, const Distribution &cut) const;

  FunctionOpInterface function;
  const Grid &grid;
  /// How values are distributed, or would be if everything were kept where it
  /// is.
  llvm::DenseMap<Value, Distribution> known;
  SpreadReport report;
};
} // namespace

/// The loop along which a dimension of an operand is cut, if there is one.
static std::optional<unsigned> getLoop(const BlockOp &op,
                                       const BlockAccess &access, unsigned d) {
  const AccessRow &row = access.rows[d];
  // Of a merged dimension the outermost digit.
  if (row.isMerged)
    return row.terms.front().first;
  // A digit is the outermost one if nothing is left out above it.
  if (!row.isSum)
    return access.forms && row.isQuotient(*access.forms) &&
                   row.terms.size() == 1 && !op.firstInit
               ? std::optional(row.terms.front().first)
               : std::nullopt;
  std::optional<unsigned> parallel;
  for (auto [dim, factor] : row.terms) {
    if (op.isReduction[dim])
      continue;
    if (parallel)
      return std::nullopt;
    parallel = dim;
  }
  if (parallel || row.terms.size() != 1)
    return parallel;
  return row.terms.front().first;
}

Votes Spreader::count(const BlockOp &op) const {
  Votes votes;
  for (auto [i, access] : llvm::enumerate(op.operands)) {
    if (!access)
      continue;
    auto it = known.find(op.op->getOperand(i));
    if (it == known.end())
      continue;
    // No overflow: the elements of a tensor are counted in 64 bits.
    uint64_t elements = 1;
    for (int64_t extent : access->shape)
      elements *= static_cast<uint64_t>(extent);
    for (auto [d, axes] : llvm::enumerate(it->second.dims))
      if (std::optional<unsigned> loop =
              axes.empty() ? std::nullopt : getLoop(op, *access, d))
        for (unsigned axis : axes)
          votes.loops[axis][*loop] += elements;
  }
  return votes;
}

/// Whether an op can be cut so, each rank having something to do.
bool Spreader::canHave(const BlockOp &op, const Distribution &cut) const {
  for (auto [d, axes] : llvm::enumerate(cut.dims)) {
    if (axes.empty())
      continue;
    if (grid.getNumParts(axes) > op.extents[d] ||
        (op.isReduction[d] && !op.canSplit))
      return false;
  }
  for (const std::optional<BlockAccess> &result : op.results)
    if (!result || !result->getDims() ||
        result->rows != op.results.front()->rows)
      return false;
  return isBoxOnBothSides(op, grid, getFactoredBoxes(grid, cut, op.extents));
}

Distribution Spreader::decide(const BlockOp &op) {
  Distribution cut = Distribution::replicated(op.extents.size());
  Votes votes = count(op);
  for (auto &[axis, loops] : votes.loops) {
    auto *best = loops.begin();
    for (auto *it = loops.begin(); it != loops.end(); ++it)
      if (it->second > best->second ||
          (it->second == best->second && it->first < best->first))
        best = it;
    Distribution next = cut;
    next.dims[best->first].push_back(axis);
    if (canHave(op, next))
      cut = std::move(next);
    else
      ++report.dropped;
  }
  return cut;
}

/// Where results that are partial are summed.
static Distribution scatter(const Distribution &partial, const Grid &grid,
                            ArrayRef<int64_t> shape) {
  for (auto [d, extent] : llvm::enumerate(shape))
    if (extent / grid.getNumParts(partial.dims[d]) >=
        grid.getNumParts(partial.partial))
      return getScattered(partial, d);
  Distribution out = partial;
  out.partial.clear();
  return out;
}

LogicalResult Spreader::visit(Operation *op, const ShardDecisions &written) {
  auto isTensor = [](Type type) { return isa<ShapedType>(type); };
  if (llvm::none_of(op->getResultTypes(), isTensor) ||
      llvm::none_of(op->getOperandTypes(), isTensor))
    return success();
  FailureOr<BlockOp> block = getBlockOp(op);
  if (failed(block))
    return failure();
  if (block->kind == BlockOpKind::Opaque || block->kind == BlockOpKind::Free)
    return success();
  ShardDecision decision;
  auto it = written.find(op);
  const bool isWritten = it != written.end();
  if (isWritten && !it->second.isNeeded)
    decision = it->second;
  else
    decision.cut = decide(*block);
  if (decision.cut.isReplicated())
    return success();
  for (auto [i, access] : llvm::enumerate(block->results)) {
    if (!access)
      continue;
    Distribution own = getResultDistribution(*block, i, decision.cut);
    if (!own.partial.empty()) {
      if (!decision.reduced)
        decision.reduced = scatter(own, grid, access->shape);
      own = *decision.reduced;
    }
    known[op->getResult(i)] = std::move(own);
  }
  if (isWritten || block->kind != BlockOpKind::Compute)
    return success();
  auto attr = [&](const Distribution &value) {
    return StringAttr::get(op->getContext(), value.str(grid));
  };
  op->setAttr(kCutName, attr(decision.cut));
  if (decision.reduced)
    op->setAttr(kReducedName, attr(*decision.reduced));
  ++report.cuts;
  return success();
}

LogicalResult Spreader::readArguments() {
  for (BlockArgument argument : function.getArguments()) {
    auto text = dyn_cast_or_null<StringAttr>(
        function.getArgAttr(argument.getArgNumber(), kDistributionName));
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!text || !type || text.getValue() == kNeededText)
      continue;
    ParseError error;
    std::optional<Distribution> read =
        Distribution::parse(text.getValue(), grid, type.getRank(), error);
    if (!read)
      return function->emitError(kDistributionName)
             << " of argument " << argument.getArgNumber() << ": "
             << error.message;
    if (!read->isReplicated())
      known[argument] = std::move(*read);
  }
  return success();
}

FailureOr<SpreadReport> Spreader::run() {
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return function->emitError("cuts need a function of one block");
  FailureOr<ShardDecisions> written = readShardDecisions(function, grid);
  if (failed(written) || failed(readArguments()))
    return failure();
  if (known.empty() && written->empty())
    return function->emitError(
        "the function has no cut: no argument is distributed");
  for (Operation &op : function.getFunctionBody().front().without_terminator())
    if (failed(visit(&op, *written)))
      return failure();
  return report;
}

FailureOr<SpreadReport>
mlir::tensoraccess::spreadCuts(FunctionOpInterface function, const Grid &grid) {
  return Spreader(function, grid).run();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//
