//===- BlockPasses.td - Blocks of ops ----------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind the passes are in BlockSpace.h and Report.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_BLOCKPASSES_TD
#define TENSORACCESS_TRANSFORMS_BLOCKPASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateBlocks
    : Pass<"tensoraccess-annotate-blocks", "::mlir::ModuleOp"> {
  let summary = "writes down index projections, and says what blocks touch";
  let description = [{
    Sets `tensoraccess.projections` on every op with tensor operands and results:
    how points of its index space (loops, or the result's indices and what is
    summed over) touch each of them, as index projections. A list holds the ways
    to one value: none for one that is not touched, a text with the reason for
    one that no projection says.

    ```
    // Added to a linalg.matmul of 3x5 and 5x7.
    tensoraccess.projections = {axes = ["d0", "d1", "d2"], extents = array<i64: 3, 7, 5>,
      operands = [[#tensoraccess.projection<[[1, 0, 0], [0, 0, 1]] + [0, 0], shape = [1, 1]>],
                  [#tensoraccess.projection<[[0, 0, 1], [0, 1, 0]] + [0, 0], shape = [1, 1]>],
                  [#tensoraccess.projection<[[1, 0, 0], [0, 1, 0]] + [0, 0], shape = [1, 1]>]],
      results = [[#tensoraccess.projection<[[1, 0, 0], [0, 1, 0]] + [0, 0], shape = [1, 1]>]],
      summed = array<i64: 2>}
    ```

    Remarks of category `tensoraccess:blocks` (docs/Blocks.md) tell of one block
    of each op what it touches, with the waste of holding it as a box or strided
    beforehand, what one more index along each axis adds, what neighbours share,
    and what it costs by the model. The block is the op's attribute
    `tensoraccess.block`, else `offsets` and `sizes` (one per axis, or per
    dimension of result 0 with `of=result`; 0 is all), else at most `extent`
    indices along each axis, else the whole op. With `fused` each function is one
    op, whose operands are its arguments.

    A block that does not fit its op is an error. Changes no op but for this
    attribute.
  }];
  let options = [
    ListOption<"offsets", "offsets", "int64_t", "where the block begins">,
    ListOption<"sizes", "sizes", "int64_t", "indices along each axis; 0: all">,
    Option<"of", "of", "std::string", [{"iterations"}],
           "what sizes are of: iterations, or result">,
    Option<"extent", "extent", "int64_t", "0",
           "without sizes: most indices along each axis (0: any)">,
    Option<"op", "op", "std::string", [{""}],
           "the op, as linalg.matmul or linalg.matmul#1 (the second one)">,
    Option<"function", "function", "std::string", [{""}],
           "the function (default: all)">,
    Option<"fused", "fused", "bool", "false", "functions as one op each">,
    Option<"model", "model", "std::string", [{""}],
           "a file with the costs of a machine">
  ];
  let statistics = [
    Statistic<"ops", "ops", "ops (fused: functions) annotated">,
    Statistic<"projections", "projections", "projections written">,
    Statistic<"unprojected", "unprojected",
              "ways to a value that no projection says">,
    Statistic<"unknown", "unknown", "values that nobody knows">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_BLOCKPASSES_TD
