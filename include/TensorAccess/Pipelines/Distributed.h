//===- Distributed.h - One function a rank ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PIPELINES_DISTRIBUTED_H
#define TENSORACCESS_PIPELINES_DISTRIBUTED_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace tensoraccess {

/// Options of `tensoraccess-distributed`.
struct DistributedOptions : public PassPipelineOptions<DistributedOptions> {
  PassOptions::Option<std::string> grid{
      *this, "grid",
      llvm::cl::desc("the grid: rows=2,cols=2, or a number of ranks; without "
                     "it and `ranks` that of the function"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> ranks{
      *this, "ranks",
      llvm::cl::desc("a number of ranks, instead of a grid (-1: those of the "
                     "grid)"),
      llvm::cl::init(-1)};
  PassOptions::Option<std::string> arguments{
      *this, "arguments",
      llvm::cl::desc("how arguments are cut, from which cuts are spread: "
                     "0={d0: rows}; tensor<6x8xf32>={d1: cols}"),
      llvm::cl::init("")};
  PassOptions::Option<bool> spread{
      *this, "spread",
      llvm::cl::desc("spread cuts from arguments that say how they are cut"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> model{
      *this, "model", llvm::cl::desc("costs (see tensoraccess-plan-shards)"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> memoryLimit{
      *this, "memory-limit",
      llvm::cl::desc("bytes that a rank may hold (0: any)"), llvm::cl::init(0)};
  PassOptions::Option<std::string> method{
      *this, "method", llvm::cl::desc("how to search: dp, ilp, or auto"),
      llvm::cl::init("auto")};
  PassOptions::Option<int64_t> candidates{
      *this, "candidates",
      llvm::cl::desc("most cuts of an op that are weighed"),
      llvm::cl::init(64)};
  PassOptions::Option<double> maxSeconds{
      *this, "max-seconds",
      llvm::cl::desc("most seconds of an integer program"), llvm::cl::init(20)};
  PassOptions::Option<int64_t> tableEntries{
      *this, "table-entries",
      llvm::cl::desc("most entries of the tables of an elimination"),
      llvm::cl::init(134217728)};
  PassOptions::Option<std::string> function{
      *this, "function",
      llvm::cl::desc("the function to cut (all with a body)"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> rank{
      *this, "rank",
      llvm::cl::desc("make the program of this rank only (-1: of all)"),
      llvm::cl::init(-1)};
  PassOptions::Option<bool> planOnly{
      *this, "plan-only",
      llvm::cl::desc("stop at the plan: `tensoraccess-shard` makes programs of "
                     "it, a rank at a time"),
      llvm::cl::init(false)};
};

/// From a model in linalg, TOSA or StableHLO to one function per rank with
/// exchanges between them. Runs on a module.
void buildDistributedPipeline(OpPassManager &pm,
                              const DistributedOptions &options);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_DISTRIBUTED_H
