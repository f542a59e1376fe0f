//===- PlannedTensor.cpp - Tensors of planned functions -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the attributes of a planned function, and finds the tensor that is meant.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Interfaces/Functions.h"

using namespace mlir;
using namespace mlir::tensoraccess;

FailureOr<FunctionOpInterface> mlir::tensoraccess::findPlanned(Operation *root,
                                                               StringRef name) {
  FunctionOpInterface first, found;
  root->walk([&](FunctionOpInterface f) {
    if (!name.empty() ? f.getName() == name : f->hasAttr(kGridName))
      found = found ? found : f;
    first = first ? first : f;
  });
  if (!found && !name.empty())
    return mlir::emitError(root->getLoc())
           << describeUnknownFunction(root, name);
  if (!found)
    return mlir::emitError(root->getLoc())
           << "no function here is planned: none has '" << kGridName << "'";
  if (found.isExternal())
    return mlir::emitError(found.getLoc())
           << "function '" << found.getName() << "' has no body to draw";
  return found;
}

FailureOr<ShardedProgram>
mlir::tensoraccess::readShardedProgram(FunctionOpInterface function,
                                       const CostModel &model) {
  FailureOr<Grid> grid = readGrid(function);
  if (failed(grid))
    return failure();
  if (!function.getFunctionBody().hasOneBlock())
    return function->emitError("shards need a function of one block");
  FailureOr<ShardDecisions> decisions = readShardDecisions(function, *grid);
  if (failed(decisions))
    return failure();
  return getShardedProgram(function, *grid, *decisions, model);
}

//===----------------------------------------------------------------------===//
// The tensor that is meant
//===----------------------------------------------------------------------===//

static RankBoxes listBoxes(const Grid &grid, const FactoredBoxes &boxes) {
  RankBoxes out;
  for (int64_t rank = 0, n = grid.getNumRanks(); rank < n; ++rank) {
    Box box = boxes.getBox(grid, rank);
    out.emplace_back();
    if (!box.isEmpty())
      out.back().push_back(std::move(box));
  }
  return out;
}

ShardedTensor
mlir::tensoraccess::getShardedTensor(const ShardedProgram &program,
                                     const ShardExchange &exchange) {
  ShardedTensor tensor;
  tensor.grid = program.grid;
  tensor.shape = exchange.shape;
  tensor.owned = exchange.from;
  tensor.needed = listBoxes(program.grid, exchange.needed);
  tensor.elementBytes = exchange.elementBytes;
  return tensor;
}

/// A value as it is distributed over the ranks.
static std::optional<ShardedTensor> fromValue(const ShardedProgram &program,
                                              Value value) {
  auto it = program.values.find(value);
  if (it == program.values.end())
    return std::nullopt;
  ShardedTensor tensor;
  tensor.grid = program.grid;
  tensor.shape = it->second.shape;
  tensor.elementBytes = it->second.elementBytes;
  tensor.owned = it->second.distribution;
  if (!tensor.owned)
    tensor.needed = listBoxes(program.grid, it->second.boxes);
  return tensor;
}

/// The exchange for an op, or for all, of the most bytes; null if there is
/// none.
static const ShardExchange *findLargest(const ShardedProgram &program,
                                        Operation *op) {
  const ShardExchange *found = nullptr;
  for (const ShardExchange &exchange : program.exchanges)
    if ((!op || exchange.op == op) &&
        (!found || exchange.cost.bytes > found->cost.bytes))
      found = &exchange;
  return found;
}

static std::string nameOf(const ShardChoice &choice, Operation *op) {
  return choice.op.empty() ? op->getName().getStringRef().str() : choice.op;
}

std::optional<ShardedTensor> mlir::tensoraccess::getShardedTensor(
    FunctionOpInterface function, const ShardedProgram &program,
    const ShardChoice &choice, std::string &error) {
  Operation *op = nullptr;
  if (!choice.op.empty()) {
    op = findOp(function, choice.op, error);
    if (!op)
      return std::nullopt;
  } else if (choice.operand || choice.result) {
    error = "name the op whose operand or result is meant";
    return std::nullopt;
  }
  if (choice.operand && choice.result) {
    error = "name an operand or a result, not both";
    return std::nullopt;
  }
  const ShardExchange *exchange = nullptr;
  if (!choice.operand && !choice.result) {
    exchange = findLargest(program, op);
  } else {
    for (const ShardExchange &some : program.exchanges)
      if (some.op == op && some.operand == choice.operand &&
          (choice.operand || some.result == *choice.result))
        exchange = &some;
  }
  if (exchange) {
    ShardedTensor tensor = getShardedTensor(program, *exchange);
    tensor.name = exchange->operand
                      ? "operand " + std::to_string(*exchange->operand)
                      : "parts of result " + std::to_string(exchange->result);
    tensor.name += " of " + nameOf(choice, exchange->op);
    return tensor;
  }
  if (!op)
    for (const auto &[some, sharded] : program.ops)
      if (!op && sharded.block.kind != BlockOpKind::Free &&
          some->getNumResults() != 0)
        op = some;
  if (!op) {
    error = "function '" + function.getName().str() + "' has no op to draw";
    return std::nullopt;
  }
  const bool isOperand = choice.operand.has_value();
  const unsigned number =
      isOperand ? *choice.operand : choice.result.value_or(0);
  const unsigned count = isOperand ? op->getNumOperands() : op->getNumResults();
  const std::string what = isOperand ? "operand" : "result";
  if (number >= count) {
    error = "op '" + nameOf(choice, op) + "' has " + std::to_string(count) +
            " " + what + "s, got " + what + " " + std::to_string(number);
    return std::nullopt;
  }
  std::optional<ShardedTensor> tensor = fromValue(
      program, isOperand ? op->getOperand(number) : op->getResult(number));
  if (!tensor) {
    error = what + " " + std::to_string(number) + " of op '" +
            nameOf(choice, op) + "' is not a tensor";
    return std::nullopt;
  }
  tensor->name =
      what + " " + std::to_string(number) + " of " + nameOf(choice, op);
  auto it = program.ops.find(op);
  if (isOperand && it != program.ops.end() && tensor->owned) {
    const BlockOp &block = it->second.block;
    if (number < block.operands.size() && block.operands[number])
      tensor->needed = listBoxes(
          program.grid,
          getOperandBoxes(block, number, program.grid, it->second.decision,
                          it->second.iterations, /*isExchanged=*/true));
  }
  return tensor;
}
