//===- ShardPasses.td - Programs cut over ranks ------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function behind the pass is in Shard.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SHARDPASSES_TD
#define TENSORACCESS_TRANSFORMS_SHARDPASSES_TD

include "mlir/Pass/PassBase.td"

def Shard : Pass<"tensoraccess-shard", "::mlir::ModuleOp"> {
  let summary = "makes the programs of single ranks";
  let description = [{
    Each function that has a grid of ranks (docs/ShardedPrograms.md) becomes one
    function a rank, which computes that rank's blocks: every op on its part of
    the iterations, as `tensoraccess.cut` says, on what it reads of its operands.
    What a rank needs and does not have comes by `tensoraccess.exchange`.

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
    whole on every rank. Preserves results exactly, but for the order of sums
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
