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

def ImportShards : Pass<"tensoraccess-import-shards", "::mlir::ModuleOp"> {
  let summary = "turns annotations of upstream's shard dialect into cuts";
  let description = [{
    A function whose tensors are annotated by `shard.shard` gets a grid,
    distributions of arguments and results, and cuts of the ops that make
    annotated values; the annotations are dropped. What they leave open is for
    `tensoraccess-spread-cuts` and `tensoraccess-plan-shards`.

    ```
    // Before
    shard.grid @grid(shape = 2x3)
    func.func @main(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
      %s = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
      %0 = shard.shard %x to %s : tensor<6x8xf32>
      %1 = linalg.exp ins(%0 …)
    // After
    func.func @main(%x: tensor<6x8xf32> {tensoraccess.distribution = "{d0: g0, d1: g1}"})
        -> tensor<6x8xf32> attributes {tensoraccess.grid = "g0=2,g1=3"} {
      %1 = linalg.exp ins(%x …)
    ```

    Upstream's shards of a dimension that is not divided evenly differ from ours
    in where they begin, not in what the program computes. Shardings with halos or
    offsets of their own, and grids of unknown size, are errors; where a value has
    two shardings the first is kept, with a warning.
  }];
}

def OpenOps : Pass<"tensoraccess-open-ops", "::mlir::ModuleOp"> {
  let summary = "writes ops that run whole as ops that can be cut";
  let description = [{
    `linalg.softmax` (and what else consists of linalg ops) becomes those;
    `linalg.pack` and `linalg.unpack` become pads, reshapes, transposes and
    slices; `tensor.generate` becomes a loop nest. Plans cut these like any other.

    ```
    // Before
    %1 = linalg.pack %0 inner_dims_pos = [0] inner_tiles = [4]
           into %e : tensor<12x5xf32> -> tensor<3x5x4xf32>
    // After
    %p = tensor.pad %0 low[0, 0] high[0, 0] …
    %r = tensor.expand_shape %p [[0, 1], [2]] …
    %1 = linalg.transpose ins(%r) outs(%e) permutation = [0, 2, 1]
    ```

    On static shapes; other ops stay. Preserves results exactly.
  }];
  let statistics = [Statistic<"numOpened", "opened", "ops that were rewritten">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def SpreadCuts
    : Pass<"tensoraccess-spread-cuts", "::mlir::ModuleOp"> {
  let summary = "cuts ops as the arguments of a function are cut";
  let description = [{
    Derives how ops are cut from how a few arguments are: images by batch or rows,
    weights by heads or hidden features. Each op is cut along the loops that walk
    along what is cut of its operands; where two operands disagree about an axis,
    the larger one is followed. `tensoraccess-plan-shards` then plans what is
    open.

    ```
    // arguments="1={d1: ranks}" grid=ranks=2
    func.func @main(%x: tensor<6x8xf32>, %w: tensor<8x10xf32>, %v: tensor<10x8xf32>)
        -> tensor<6x8xf32> {
      %h = linalg.matmul {tensoraccess.cut = "{d1: ranks}"} ins(%x, %w …)
      // The sum is cut, and added up where the rows are.
      %y = linalg.matmul {tensoraccess.cut = "{d2: ranks}",
                          tensoraccess.reduced = "{d0: ranks}"} ins(%h, %v …)
    ```

    Assumes functions of one block on tensors of static shape. Changes attributes
    only; a cut that is written already is kept, and followed.
  }];
  let options = [
    Option<"arguments", "arguments", "std::string", [{""}],
           "how arguments are cut: 0={d0: rows}; tensor<6x8xf32>={d1: cols}">,
    Option<"grid", "grid", "std::string", [{""}],
           "the grid: rows=2,cols=2 (none: the function's)">,
    Option<"only", "function", "std::string", [{""}],
           "the function to cut (all with a body)">
  ];
  let statistics = [
    Statistic<"numCuts", "cuts", "ops that were cut">,
    Statistic<"numDropped", "dropped", "axes that ops could not be cut along">
  ];
}

def PlanShards
    : Pass<"tensoraccess-plan-shards", "::mlir::ModuleOp"> {
  let summary = "chooses how to cut each op of a function over ranks";
  let description = [{
    Writes a plan on each function with a body (or on `entry`): the cut of every
    op's iterations over the axes of a grid of ranks, so that modelled time is
    least (docs/Sharding.md). What attributes state already is kept: cuts of ops,
    and distributions of arguments and results, from and to which values are then
    exchanged.

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
    Option<"ranks", "ranks", "int64_t", "-1",
           "a number of ranks, on the network's grid if it has as many (-1: "
           "those of the grid)">,
    Option<"model", "model", "std::string", [{""}],
           "a file with the costs of a machine and a network, or calibrated: "
           "what tensoraccess-calibrate has measured on this machine">,
    Option<"memoryLimit", "memory-limit", "int64_t", "0",
           "bytes that a rank may hold (0: any)">,
    Option<"method", "method", "std::string", [{"auto"}],
           "how to search: dp, ilp, or auto">,
    Option<"candidates", "candidates", "int64_t", "64",
           "most cuts of an op that are weighed">,
    Option<"maxSeconds", "max-seconds", "double", "20",
           "most seconds of an integer program">,
    Option<"tableEntries", "table-entries", "int64_t", "134217728",
           "most entries of the tables of an elimination">,
    Option<"only", "function", "std::string", [{""}],
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

def Shard : Pass<"tensoraccess-shard", "::mlir::ModuleOp"> {
  let summary = "makes the programs of single ranks";
  let description = [{
    Each function that has a grid of ranks (docs/Sharding.md) becomes one
    function a rank, which computes that rank's blocks: every op on its part of
    the iterations, as `tensoraccess.cut` states, on what it reads of its operands.
    What a rank needs and does not have arrives by `tensoraccess.exchange`.

    ```
    // Before: rows cut over two ranks
    func.func @main(%x: tensor<6x5xf32> {tensoraccess.distribution = "{d0: ranks}"})
        -> tensor<6x5xf32> attributes {tensoraccess.grid = "ranks=2"} {
      %p = tensor.pad %x low[1, 0] high[1, 0] …
             {tensoraccess.cut = "needed"}
      %y = linalg.generic … {tensoraccess.cut = "{d0: ranks}"}
    // After: rank 0 has rows 0 to 2, and needs row 3
    func.func @main_0(%x: tensor<3x5xf32>
          {tensoraccess.shard = {offsets = [0, 0], shape = [6, 5]}}) …
        attributes {tensoraccess.program = "main", tensoraccess.rank = 0} {
      %r = tensor.insert_slice %x into %room[0, 0] [3, 5] [1, 1]
      %h = tensoraccess.exchange %x into %r tag 0
             send [1: [2, 0] x [1, 5]] receive [1: [3, 0] x [1, 5]]
      %p = tensor.pad %h low[1, 0] high[0, 0] …
      %y = linalg.generic …
    ```

    Assumes linalg and tensor ops on static shapes (`tensoraccess-raise`,
    `tensoraccess-lower-to-linalg`) in one block, without calls; other ops run
    whole on every rank. Preserves results exactly, except for the order of sums
    where a reduction is cut: partial sums are added in the order of ranks.
  }];
  let options = [
    Option<"rank", "rank", "int64_t", "-1",
           "make the program of this rank only (-1: of all)">,
    Option<"ranks", "ranks", "int64_t", "0",
           "an error where the grid has another number of ranks (0: any)">
  ];
  let statistics = [
    Statistic<"numExchanges", "exchanges", "places where ranks exchange boxes">,
    Statistic<"numMessages", "messages", "messages of all ranks">,
    Statistic<"numElements", "elements", "elements sent by all ranks">
  ];
  let dependentDialects = [
    "::mlir::tensoraccess::TensorAccessDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // TENSORACCESS_TRANSFORMS_SHARDPASSES_TD
