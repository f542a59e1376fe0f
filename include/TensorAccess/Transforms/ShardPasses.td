//===- ShardPasses.td - Programs over a grid of ranks ------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SHARDPASSES_TD
#define TENSORACCESS_TRANSFORMS_SHARDPASSES_TD

include "mlir/Pass/PassBase.td"

def PlanShards
    : Pass<"tensoraccess-plan-shards", "::mlir::ModuleOp"> {
  let summary = "chooses how to cut each op of a function over ranks";
  let description = [{
    Writes a plan on each function with a body (or on `entry`): the cut of every
    op's iterations over the axes of a grid of ranks, so that modelled time is
    least (docs/Sharding.md). What attributes say already is kept.

    ```mlir
    // A product on grid=rows=2,cols=2, which had no attribute before.
    %0 = linalg.matmul {tensoraccess.cut = "{d0: rows, d1: cols}"}
           ins(%a, %b : tensor<30x50xf32>, tensor<50x70xf32>)
           outs(%z : tensor<30x70xf32>) -> tensor<30x70xf32>
    ```

    Assumes functions of one block on tensors of static shape, in linalg and
    tensor; calls inlined. Changes attributes only: `tensoraccess.grid` of the
    function, `tensoraccess.cut` and `tensoraccess.reduced` of ops,
    `tensoraccess.distribution` of arguments and results. The boxes of each
    distributed tensor are checked to cover it exactly.

    Remarks `plan-shards`: for each op modelled seconds, bytes sent because of
    it, and the memory of its block; for the function all together. An op that
    is not understood stays whole on every rank, with a missed remark.
  }];
  let options = [
    Option<"grid", "grid", "std::string", [{""}],
           "the grid: rows=2,cols=2, or a number of ranks">,
    Option<"ranks", "ranks", "int64_t", "0",
           "a number of ranks, on the network's grid if it has as many">,
    Option<"model", "model", "std::string", [{""}],
           "a file with the costs of a machine and a network">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0",
           "bytes that a rank may hold (0: any)">,
    Option<"method", "method", "std::string", [{"auto"}],
           "how to search: dp, ilp, or auto">,
    Option<"candidates", "candidates", "int64_t", "64",
           "most cuts of an op that are weighed">,
    Option<"maxSeconds", "max-seconds", "double", "20",
           "most seconds of an integer program">,
    Option<"entry", "entry", "std::string", [{""}],
           "the function to plan (all with a body)">,
    ListOption<"table", "table", "int64_t",
               "numbers of ranks to plan for, each a remark `shard-table`; "
               "nothing is written">
  ];
  let statistics = [
    Statistic<"numCut", "cut", "ops that are cut">,
    Statistic<"numNeeded", "needed", "ops that run where they are needed">
  ];
}

#endif // TENSORACCESS_TRANSFORMS_SHARDPASSES_TD
