//===- ShardDecisions.cpp - Plans of shards as attributes -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the attributes of the ops, arguments and results of a function,
// checks it against what ops can do and tensors are, and writes a plan as such
// attributes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/ShardedProgram.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::optional<std::string>
mlir::tensoraccess::verifyDecision(const BlockOp &op, const Grid &grid,
                                   const ShardDecision &decision) {
  if (decision.isNeeded) {
    if (op.kind == BlockOpKind::Opaque)
      return "this op is whole on every rank, not needed";
    if (op.results.size() != 1)
      return "an op that is needed must have one result, got " +
             std::to_string(op.results.size());
    return std::nullopt;
  }
  if (decision.cut.dims.size() != op.extents.size())
    return "the cut has " + std::to_string(decision.cut.dims.size()) +
           " dimensions, but the op iterates over " +
           std::to_string(op.extents.size());
  if (std::optional<std::string> problem = decision.cut.verify(grid))
    return problem;
  if (!decision.cut.partial.empty())
    return "a cut of iterations has no partial axes";
  bool isPartial = false;
  for (auto [d, axes] : llvm::enumerate(decision.cut.dims))
    if (!axes.empty() && op.isReduction[d]) {
      if (!op.canSplit)
        return "d" + std::to_string(d) +
               " is reduced over by more than one operation whose order is "
               "free";
      isPartial = true;
    }
  if (!isBoxOnBothSides(op, grid,
                        getFactoredBoxes(grid, decision.cut, op.extents)))
    return "the block of a rank is not a box on both sides of the reshape";
  if (!decision.reduced)
    return std::nullopt;
  if (!isPartial)
    return "no reduction is cut that could be reduced";
  for (const std::optional<BlockAccess> &result : op.results)
    if (result && result->shape.size() != decision.reduced->dims.size())
      return "the reduced distribution has " +
             std::to_string(decision.reduced->dims.size()) +
             " dimensions, but the result has " +
             std::to_string(result->shape.size());
  if (!decision.reduced->partial.empty())
    return "a reduced distribution has no partial axes";
  return decision.reduced->verify(grid);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

FailureOr<Grid> mlir::tensoraccess::readGrid(FunctionOpInterface function) {
  auto text = function->getAttrOfType<StringAttr>(kGridName);
  if (!text)
    return function->emitError("'") << kGridName << "' must give the grid";
  ParseError error;
  std::optional<Grid> grid = Grid::parse(text.getValue(), error);
  if (!grid)
    return function->emitError() << kGridName << ": " << error.message;
  return *grid;
}

/// Reads a distribution of an attribute.
static FailureOr<Distribution> readDistribution(Operation *op, StringRef name,
                                                Attribute attribute,
                                                const Grid &grid, size_t rank) {
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return op->emitError() << name << " must be a string, got " << attribute;
  ParseError error;
  std::optional<Distribution> read =
      Distribution::parse(text.getValue(), grid, rank, error);
  if (!read)
    return op->emitError() << name << ": " << error.message;
  return *read;
}

/// The distribution in an attribute of an argument or a result;
/// std::nullopt if it has none, or `needed`.
static FailureOr<std::optional<Distribution>>
readHome(Location loc, const Twine &what, Attribute attribute, Type type,
         const Grid &grid) {
  if (!attribute)
    return std::optional<Distribution>();
  auto error = [&]() { return emitError(loc) << kDistributionName << " of "; };
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return error() << what << " must be a string, got " << attribute;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return error() << what << " is for a tensor, got " << type;
  if (text.getValue() == kNeededText)
    return std::optional<Distribution>();
  ParseError problem;
  std::optional<Distribution> read =
      Distribution::parse(text.getValue(), grid, tensor.getRank(), problem);
  if (!read)
    return error() << what << ": " << problem.message << " in \""
                   << text.getValue() << "\"";
  if (!read->partial.empty())
    return error() << what
                   << ": a tensor that is kept has no partial axes, in \""
                   << text.getValue() << "\"";
  return read;
}

FailureOr<ShardHomes>
mlir::tensoraccess::readShardHomes(FunctionOpInterface function,
                                   const Grid &grid) {
  ShardHomes out;
  for (BlockArgument argument : function.getFunctionBody().getArguments()) {
    const unsigned number = argument.getArgNumber();
    FailureOr<std::optional<Distribution>> home =
        readHome(argument.getLoc(), "argument " + Twine(number),
                 function.getArgAttr(number, kDistributionName),
                 argument.getType(), grid);
    if (failed(home))
      return failure();
    out.arguments.push_back(std::move(*home));
  }
  for (auto [number, type] : llvm::enumerate(function.getResultTypes())) {
    FailureOr<std::optional<Distribution>> home =
        readHome(function.getLoc(), "result " + Twine(number),
                 function.getResultAttr(number, kDistributionName), type, grid);
    if (failed(home))
      return failure();
    out.results.push_back(std::move(*home));
  }
  return out;
}

FailureOr<ShardDecisions>
mlir::tensoraccess::readShardDecisions(FunctionOpInterface function,
                                       const Grid &grid) {
  ShardDecisions out;
  for (Operation &op : function.getFunctionBody().front()) {
    Attribute cut = op.getAttr(kCutName);
    Attribute reduced = op.getAttr(kReducedName);
    if (!cut) {
      if (reduced)
        return op.emitError() << kReducedName << " needs " << kCutName;
      continue;
    }
    FailureOr<BlockOp> block = getBlockOp(&op);
    if (failed(block))
      return failure();
    ShardDecision &decision = out[&op];
    if (auto text = dyn_cast<StringAttr>(cut);
        text && text.getValue() == kNeededText) {
      decision.isNeeded = true;
    } else {
      FailureOr<Distribution> read =
          readDistribution(&op, kCutName, cut, grid, block->extents.size());
      if (failed(read))
        return failure();
      decision.cut = *read;
    }
    if (reduced) {
      size_t rank = 0;
      for (const std::optional<BlockAccess> &result : block->results)
        rank = result ? result->shape.size() : rank;
      FailureOr<Distribution> read =
          readDistribution(&op, kReducedName, reduced, grid, rank);
      if (failed(read))
        return failure();
      decision.reduced = *read;
    }
    if (std::optional<std::string> problem =
            verifyDecision(*block, grid, decision))
      return op.emitError(*problem);
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void mlir::tensoraccess::writeShardDecisions(FunctionOpInterface function,
                                             const ShardedProgram &program) {
  MLIRContext *context = function->getContext();
  const Grid &grid = program.grid;
  function->setAttr(kGridName, StringAttr::get(context, grid.str()));
  for (const auto &[op, sharded] : program.ops) {
    const ShardDecision &decision = sharded.decision;
    op->setAttr(kCutName,
                StringAttr::get(context, decision.isNeeded
                                             ? kNeededText.str()
                                             : decision.cut.str(grid)));
    if (decision.reduced)
      op->setAttr(kReducedName,
                  StringAttr::get(context, decision.reduced->str(grid)));
  }
  auto textOf = [&](Value value) -> Attribute {
    auto it = program.values.find(value);
    if (it == program.values.end())
      return {};
    return StringAttr::get(context, it->second.distribution
                                        ? it->second.distribution->str(grid)
                                        : kNeededText.str());
  };
  Block &body = function.getFunctionBody().front();
  for (BlockArgument argument : body.getArguments())
    if (Attribute text = textOf(argument))
      function.setArgAttr(argument.getArgNumber(), kDistributionName, text);
  for (OpOperand &result : body.getTerminator()->getOpOperands()) {
    const unsigned number = result.getOperandNumber();
    Attribute text = textOf(result.get());
    if (const std::optional<Distribution> &home = program.homes.results[number])
      text = StringAttr::get(context, home->str(grid));
    if (text)
      function.setResultAttr(number, kDistributionName, text);
  }
}
