//===- SystolicPasses.td - Products on systolic arrays -----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that put products on systolic arrays, by equality saturation.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SYSTOLICPASSES_TD
#define TENSORACCESS_TRANSFORMS_SYSTOLICPASSES_TD

include "mlir/Pass/PassBase.td"

def MapToSystolic
    : Pass<"tensoraccess-map-to-systolic", "::mlir::ModuleOp"> {
  let summary = "rewrites convolutions and contractions for a systolic array";
  let description = [{
    Saturates each function with the rules on items (docs/Rewrites.md): a dot
    product over a tuple of two is a product of matrices, or a batch of them,
    whatever windows, strides, padding, dilation, groups and transpositions it
    reads through; and that is a `systolic_array`, `blocked` where its sizes are
    not the array's. What takes the fewest cycles is chosen, among several arrays
    for each product.

    ```mlir
    // Before: a convolution of 3 channels by 5 filters
    %4 = tensoraccess.cart_prod %filters, %windows
      : !tensoraccess.access<5 | 3x3x3xf32>, !tensoraccess.access<6x7 | 3x3x3xf32>
      -> !tensoraccess.access<5x6x7 | 2x3x3x3xf32>
    %5 = tensoraccess.compute dot_prod %4
      : !tensoraccess.access<5x6x7 | 2x3x3x3xf32> -> !tensoraccess.access<5x6x7 | f32>
    // After: 5 items of 27, and im2col as weights
    %6 = tensoraccess.systolic_array %items, %im2col rows = 16 cols = 16 blocked
      : !tensoraccess.access<5 | 27xf32>, !tensoraccess.access<| 27x42xf32>
      -> !tensoraccess.access<5x42 | f32>
    ```

    Assumes access programs (`tensoraccess-raise`). Preserves results up to the
    order of sums: partial sums of the blocks of rows are added one after the
    other. What is no product, of dynamic shape, or summed in another type stays,
    with a missed remark.

    Remarks `systolic`: for each array its loads, cycles and share of cells in
    use; for the function all together, and why saturation stopped.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "-1",
           "rows of the array (-1: 16, or what arrays or the target say)">,
    Option<"cols", "cols", "int64_t", "-1",
           "columns of the array (-1: 16, or what arrays or the target say)">,
    ListOption<"arrays", "arrays", "std::string",
               "arrays to choose from, instead of rows and cols: 16x16,8x32">,
    Option<"target", "target", "std::string", [{""}],
           "a target (systolic-16x16, or the text of one), whose matrix units are "
           "chosen from instead">,
    Option<"accumulators", "accumulators", "int64_t", "0",
           "items whose sums a column keeps (0: all)">,
    Option<"doubleBuffered", "double-buffered", "bool", "false",
           "weights are loaded while others are used">,
    Option<"maxNodes", "max-nodes", "uint64_t", "200000",
           "most nodes of a block's graph">,
    Option<"maxSeconds", "max-seconds", "double", "30",
           "most seconds of a block">
  ];
  let statistics = [
    Statistic<"numArrays", "arrays", "systolic arrays">,
    Statistic<"numInvocations", "invocations", "loads of weights">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect",
                           "::mlir::pdl::PDLDialect"];
}

def BlockMatmul
    : Pass<"tensoraccess-block-matmul", "::mlir::ModuleOp"> {
  let summary = "rewrites products of matrices into loops over blocks";
  let description = [{
    `tensoraccess-map-to-systolic` for one array, and then each `blocked` array as
    loops over its blocks (`tensoraccess-expand-arrays`). The number of
    invocations is the least there is, ⌈K/rows⌉·⌈N/cols⌉ with the better operand
    as weights, and the program does not grow with it. With `accumulators`, each
    is one for each piece of so many items, which the choice of weights counts.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "16", "rows of a block of weights">,
    Option<"cols", "cols", "int64_t", "16", "columns of a block of weights">,
    Option<"accumulators", "accumulators", "int64_t", "0",
           "items whose sums a column keeps (0: all)">,
    Option<"maxNodes", "max-nodes", "uint64_t", "200000",
           "most nodes of a block's graph">
  ];
  let statistics = [
    Statistic<"numBlocked", "blocked", "products written out in loops">
  ];
  let dependentDialects = [
    "::mlir::tensoraccess::TensorAccessDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::pdl::PDLDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExpandArrays : Pass<"tensoraccess-expand-arrays"> {
  let summary = "writes blocked systolic arrays out as loops over blocks";
  let description = [{
    Each `systolic_array` that is `blocked`, of static shape, becomes loops over
    blocks of columns and of rows, in which an array of exactly rows x cols cells
    runs, its sums carried from block to block. Sides that are no multiples of the
    array are filled up with zeros, once and before the loops.

    With `accumulators`, items are cut into pieces of so many, each with a loop over
    the blocks of rows of its own: the sums that it carries fit below the array.

    Preserves results exactly: partial sums are added in the order of the op.
  }];
  let options = [
    Option<"accumulators", "accumulators", "int64_t", "0",
           "items whose sums a column keeps (0: all)">
  ];
  let statistics = [
    Statistic<"numExpanded", "expanded", "arrays written out">
  ];
  let dependentDialects = [
    "::mlir::tensoraccess::TensorAccessDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // TENSORACCESS_TRANSFORMS_SYSTOLICPASSES_TD
