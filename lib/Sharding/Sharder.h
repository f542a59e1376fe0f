//===- Sharder.h - Programs of ranks, while they are written ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files that write the programs of ranks share; Shard.cpp explains how
// they work. All that is a list by *program* has an entry for each
// program that is written, what is a list by *rank* one for each rank of the
// grid.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_SHARDER_H
#define TENSORACCESS_LIB_TRANSFORMS_SHARDER_H

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Cut/Blocks.h"
#include "TensorAccess/Sharding/Sharding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {

/// A tensor of no particular elements.
Value emitEmpty(OpBuilder &b, Location loc, RankedTensorType type);

/// The values of outside that an op's regions read.
SetVector<Value> getCaptured(Operation *op);

/// One rank's program while it is written.
struct RankProgram {
  int64_t rank;
  func::FuncOp function;
  OpBuilder builder;
  /// Scalars, which every rank has.
  IRMapping scalars;
};

/// The blocks of one value, by program.
using Blocks = SmallVector<Value>;

/// A tensor of the function, on the ranks.
struct Spread {
  /// Set for values of which any block can be made anywhere.
  Operation *free = nullptr;
  /// std::nullopt if each rank has all that it will need.
  std::optional<Distribution> home;
  /// By rank, and by program.
  std::vector<Box> boxes;
  Blocks blocks;
  /// What was exchanged for before.
  SmallVector<std::pair<std::vector<Box>, Blocks>, 1> copies;
};

/// How an op is run.
struct Decision {
  /// Opaque for an op that is run whole.
  BlockOp block;
  /// On what is needed of its results.
  bool isNeeded = false;
  Distribution cut;
  /// By rank.
  std::vector<Box> iterations;

  bool hasLoops() const { return block.kind != BlockOpKind::Opaque; }
};

class Sharder {
public:
  Sharder(func::FuncOp function, Grid grid, const ShardingOptions &options)
      : function(function), grid(std::move(grid)), options(options) {}

  FailureOr<ShardReport> run();

private:
  /// Step 1.
  FailureOr<Decision> readDecision(Operation *op);
  LogicalResult findNeeds();
  LogicalResult findIterations(Operation *op, Decision &decision);
  void need(Value value, const std::vector<Box> &boxes);
  std::vector<Box> getNeeded(OpOperand &operand, const Decision &decision);
  /// How a result of the function is distributed, by its attribute; else
  /// std::nullopt.
  FailureOr<std::optional<Distribution>> readResultHome(unsigned number);

  /// Steps 2 to 5.
  LogicalResult createPrograms();
  LogicalResult shardOp(Operation *op);
  FailureOr<SmallVector<Distribution>> getCuts(Operation *op,
                                               const Decision &decision);
  SmallVector<Value> emitOp(RankProgram &program, const Decision &decision,
                            ValueRange operands, IRMapping &mapping);
  LogicalResult shardReturn(func::ReturnOp op);

  /// The blocks in these boxes, by rank, for an op; exchanged if need be.
  FailureOr<Blocks> get(Value value, const std::vector<Box> &needed,
                        Operation *at);
  Blocks exchange(Spread &spread, const Exchange &exchange,
                  const std::vector<Box> &needed, Operation *at);
  /// The whole tensor, or scalar, on every rank.
  FailureOr<Blocks> getWhole(Value value, Operation *at);
  /// Makes partial results whole parts.
  FailureOr<Blocks> reduce(OpResult result, Spread &partial,
                           const Distribution &home);
  FailureOr<Blocks> getInit(linalg::LinalgOp op, OpOperand &init,
                            const std::vector<Box> &needed,
                            const Distribution::Axes &partial);
  LogicalResult setResult(OpResult result, const Distribution &cut,
                          Blocks blocks);
  FailureOr<Distribution> readDistribution(Attribute attr, Type type,
                                           StringRef what, Operation *at);
  void define(Value value, const Distribution &home, Blocks blocks);
  bool isNeeded(Value value) const { return needs.count(value) != 0; }

  std::vector<Box> getWholeBoxes(Value value) const {
    return std::vector<Box>(
        grid.getNumRanks(),
        getWholeBox(cast<RankedTensorType>(value.getType()).getShape()));
  }

  func::FuncOp function;
  Grid grid;
  const ShardingOptions &options;
  SmallVector<RankProgram> programs;
  DenseMap<Operation *, Decision> decisions;
  /// What is needed of values that are made where they are needed, by rank.
  DenseMap<Value, std::vector<Box>> needs;
  DenseMap<Value, Spread> spreads;
  ShardReport report;
  int64_t tag = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_SHARDER_H
