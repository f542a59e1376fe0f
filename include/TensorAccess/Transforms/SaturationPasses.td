//===- SaturationPasses.td - Equality saturation, products on arrays *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD
#define TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD

include "mlir/Pass/PassBase.td"

def DiscoverIm2Col : Pass<"tensoraccess-discover-im2col"> {
  let summary = "rewrites dot products of items into matmuls of flat patterns";
  let description = [{
    Every convolution and contraction becomes the matmul <M | K> x <N | K>, or a
    batch of such, by equality saturation with the rules on items that keep the
    order of sums (docs/Rewrites.md): whatever the op was, and
    however its operands are written.

    ```
    // Before: <1x4x6x1 | 3x3x5> with <7 | 3x3x5>
    %2 = tensoraccess.cart_prod %windows, %filters
    %3 = tensoraccess.compute dot_prod %2      // <1x4x6x1x7 | f32>
    // After
    %2 = tensoraccess.flatten %windows         // <24 | 45xf32>
    %3 = tensoraccess.materialize %2           // im2col
    %4 = tensoraccess.flatten %filters         // <7 | 45xf32>
    %5 = tensoraccess.cart_prod %3, %4         // <24x7 | 2x45xf32>
    %6 = tensoraccess.compute dot_prod %5      // <24x7 | f32>
    %7 = tensoraccess.reshape %6               // <1x4x6x1x7 | f32>
    ```

    Rows are the dimensions that only the first factor moves with, columns those
    of the second, and those of both are a batch <B, M | K> x <B, N | K>: the
    groups of a grouped convolution, the channels of a depthwise one. A batch of
    single dot products stays as it is.

    What costs least is chosen. A flattened side is materialised only where its
    elements have to move to be a matrix. Where its canonical form reads one
    base, without padding, and steps through it by a constant along each
    dimension, the view itself is the matrix: 1x1 windows of stride 1, groups of
    channels, or filters in any of the usual layouts. A step of arithmetic costs
    `matmul-step` in a product of matrices and 1 elsewhere, a byte that is copied
    `copied-byte`.

    Assumes nothing. Preserves results exactly, also of floating-point sums:
    flattening keeps the row-major order of items. Patterns of dynamic shape
    stay as they are, with a missed remark. Rewriting twice changes nothing. At
    a limit the best that was found until then comes out.

    Remarks `im2col` give, for each product that was made, its shape, the bytes
    copied and how many times their source they are, and, for all together, why
    saturation stopped and how large the graphs were.
  }];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
  let options = [
    Option<"matmulStep", "matmul-step", "double", "1.0 / 32",
           "a step of arithmetic in a product of matrices, in steps elsewhere">,
    Option<"copiedByte", "copied-byte", "double", "1.0 / 16",
           "a byte that is copied, in steps of arithmetic">,
    Option<"maxNodes", "max-nodes", "uint64_t", "1u << 20",
           "limit of nodes of a graph">,
    Option<"maxSeconds", "max-seconds", "double", "30",
           "limit of seconds for a graph">
  ];
  let statistics = [
    Statistic<"matmuls", "matmuls", "dot products rewritten into matmuls">,
    Statistic<"copies", "copies", "operands materialised">,
    Statistic<"copiedBytes", "copied-bytes", "bytes of materialised operands">
  ];
}

def Saturate : Pass<"tensoraccess-saturate", "::mlir::ModuleOp"> {
  let summary = "rewrites terms by equality saturation";
  let description = [{
    Reads each block's ops without side effects into an e-graph, lets rules add
    all terms that are equal until nothing is new or a limit is reached, and
    replaces what the block computes by the cheapest terms that are equal, if
    these are cheaper (docs/EGraph.md). Ops with side effects stay where they are.

    ```mlir
    // Before, with rules=arith
    %0 = arith.muli %a, %b : i32
    %1 = arith.muli %c, %a : i32
    %2 = arith.addi %0, %1 : i32
    // After
    %3 = arith.addi %b, %c : i32
    %4 = arith.muli %a, %3 : i32
    ```

    Rules are named sets of this project, or files: PDLL, compiled by running
    `mlir-pdll`, or PDL. What can't be a rule is an error that names it. What a
    rule creates must pass its verifier and have the type of what it replaces;
    otherwise it is refused and counted, with the reason, and has no effect.

    With `access`, movement of access patterns is brought into canonical forms, and
    computes are rewritten on these (docs/Rewrites.md); an expected function's
    terms are then put into the graph, and the rules decide whether they are equal.

    Preserves meaning as far as the rules do.

    Costs read only the target. With `access`, products may run on the target's
    matrix units. A cost that is not a number, negative or too large to be added up
    is a warning that names the op; where nothing of finite cost can be chosen,
    another; and the program stays as it is.

    Remarks: `saturate` for each function, with why it stopped, sizes and costs;
    `extraction` for each function, with the cost, a bound below which none is,
    and the gap between them;
    `rule` for each rule that matched, by its name, also of those that are not
    PDL; missed where something was refused;
    `expect` where what is expected was found.
  }];
  let options = [
    ListOption<"rules", "rules", "std::string",
               "named sets (access, arith, compute, linalg, math, relayout), "
               "files of PDLL (*.pdll) or PDL">,
    Option<"cost", "cost", "std::string", [{"node-count"}],
           "what is made least: node-count, flops, bytes, cycles, or a cost that "
           "was registered">,
    Option<"target", "target", "std::string", [{""}],
           "the machine that costs read: a built-in target (host, avx512, "
           "systolic-16x16, …) or the text of one; default: the module's attribute "
           "tensoraccess.target, or generic">,
    Option<"extraction", "extraction", "std::string", [{"dag"}],
           "how terms are chosen: tree, dag (local search), or exact (an integer "
           "program)">,
    Option<"extractionSeconds", "extraction-seconds", "double", "10",
           "seconds of the integer program, for each choice">,
    Option<"verifyRules", "verify-rules", "std::string", [{"none"}],
           "what is done before your rules are applied: none, or tests (both "
           "sides run on small terms; a rule that is refuted is an error)">,
    Option<"expect", "expect", "std::string", [{""}],
           "a file with functions, whose results must equal those of the "
           "function of the same name (or of all, if there is one only), or "
           "with patterns, which must be found: a remark, or an error">,
    Option<"expectAt", "expect-at", "std::string", [{"any"}],
           "where patterns must be found: any (anywhere in a graph) or root "
           "(among what equals a result of the function)">,
    Option<"explain", "explain", "std::string", [{""}],
           "a file to be written: why each value that was replaced equals what "
           "it was replaced by (docs/EGraph.md)">,
    Option<"checkedExplanation", "check-explanation", "std::string", [{""}],
           "such a file, to be replayed with the rules; nothing is replaced">,
    Option<"only", "function", "std::string", [{""}],
           "the function to saturate (default: all)">,
    Option<"scheduler", "scheduler", "std::string", [{"simple"}],
           "which rules an iteration looks at: simple (all) or backoff (not "
           "those that match too often); or eager: no iterations, one node "
           "after the other">,
    Option<"maxIterations", "max-iterations", "uint64_t", "30",
           "most iterations of a block">,
    Option<"maxNodes", "max-nodes", "uint64_t", "100000",
           "most nodes of a block's graph">,
    Option<"maxMatches", "max-matches", "uint64_t", "uint64_t(1) << 32",
           "most matches that are applied">,
    Option<"maxBytes", "max-bytes", "uint64_t", "uint64_t(1) << 32",
           "most bytes of a block's graph">,
    Option<"maxSeconds", "max-seconds", "double", "30",
           "most seconds of a block">,
    Option<"pdllCompiler", "pdll", "std::string", [{""}],
           "the program mlir-pdll (default: that of the build, or of the path)">,
    ListOption<"pdllIncludes", "pdll-includes", "std::string",
               "folders of files that PDLL includes, besides the file's own and "
               "MLIR's">
  ];
  let statistics = [
    Statistic<"numNodes", "nodes", "nodes of all graphs">,
    Statistic<"numClasses", "classes", "classes of all graphs">,
    Statistic<"numMatches", "matches", "matches of all rules">,
    Statistic<"numRefused", "refused", "matches whose result was refused">,
    Statistic<"numReplaced", "replaced", "values that were replaced">,
    Statistic<"numStopped", "stopped", "functions that are not saturated">
  ];
  let dependentDialects = ["::mlir::pdl::PDLDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

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
    other. What is not a product, of dynamic shape, or summed in another type
    stays, with a missed remark.

    Remarks `systolic`: for each array its loads, cycles and share of cells in
    use; for the function all together, and why saturation stopped.
  }];
  let options = [
    Option<"rows", "rows", "int64_t", "-1",
           "rows of the array (-1: 16, or those of arrays or the target)">,
    Option<"cols", "cols", "int64_t", "-1",
           "columns of the array (-1: 16, or those of arrays or the target)">,
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
    runs, its sums carried from block to block. Sides that are not multiples of
    the array are filled up with zeros, once and before the loops.

    With `accumulators`, items are cut into pieces of so many, each with its own loop over
    the blocks of rows: the sums that it carries fit below the array.

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

#endif // TENSORACCESS_TRANSFORMS_SATURATIONPASSES_TD
