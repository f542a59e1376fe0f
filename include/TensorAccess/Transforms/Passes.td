//===- Passes.td - Transforms: passes that rewrite programs *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pass is a thin shell round a function in the header of its subject.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PASSES_TD
#define TENSORACCESS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "TensorAccess/Transforms/BlockPasses.td"
include "TensorAccess/Transforms/BufferPasses.td"
include "TensorAccess/Transforms/KernelPasses.td"
include "TensorAccess/Transforms/LayoutPasses.td"
include "TensorAccess/Transforms/ProjectionPasses.td"
include "TensorAccess/Transforms/SaturationPasses.td"
include "TensorAccess/Transforms/ShardPasses.td"
include "TensorAccess/Transforms/SystolicPasses.td"
include "TensorAccess/Transforms/MovePasses.td"

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

def AnnotateIndexing
    : Pass<"tensoraccess-annotate-indexing", "::mlir::ModuleOp"> {
  let summary = "writes down which elements each op reads, as indexing maps";
  let description = [{
    Sets `tensoraccess.indexing` on every op of every function, except inside of
    the scalar code of structured ops:

    - `output_to_input = [result][operand][maps]`: the indices of the operand
      that an element of the result depends on;
    - `input_to_output = [operand][result][maps]`: the indices of the result
      that an element of the operand contributes to.

    ```
    // Before
    %r = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e : tensor<5x3xf32>)
           permutation = [1, 0]
    // After: the attribute holds (the destination is not read)
    output_to_input = [[[#tensoraccess.indexing_map<(d0, d1) -> (d1, d0),
                           domain: d0 in [0, 4], d1 in [0, 2]>], []]]
    input_to_output = [[[#tensoraccess.indexing_map<(d0, d1) -> (d1, d0),
                           domain: d0 in [0, 2], d1 in [0, 4]>]], [[]]]
    ```

    A list is a set: its maps are simplified, sorted by text and distinct. An
    empty list says that the operand's elements are not read. What cannot be
    answered is the single map `unknown`; a missed remark says why.

    With `fused`, ops are left alone and each function gets the attribute for
    its results and arguments, composed through all ops and calls between.
    Sets and maps past the budget are unknown.

    Changes no op but for this attribute.
  }];
  let options = [
    Option<"direction", "direction", "IndexingDirection",
           "IndexingDirection::Both", "which maps to write",
           [{::llvm::cl::values(
             clEnumValN(IndexingDirection::OutputToInput, "output-to-input",
                        "for each result, the operands' elements it reads"),
             clEnumValN(IndexingDirection::InputToOutput, "input-to-output",
                        "for each operand, the results' elements it reaches"),
             clEnumValN(IndexingDirection::Both, "both", "both directions"))}]>,
    Option<"fused", "fused", "bool", "false",
           "compose through producers to the functions' arguments">,
    Option<"maxMaps", "max-maps", "unsigned", "32",
           "fused: most maps in one set">,
    Option<"maxVariables", "max-variables", "unsigned", "48",
           "fused: most variables, and most constraints, of one map">
  ];
  let statistics = [
    Statistic<"ops", "ops", "ops (fused: functions) annotated">,
    Statistic<"maps", "maps", "indexing maps written">,
    Statistic<"unknown", "unknown", "sets of maps that are unknown">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

def EmitReport : Pass<"tensoraccess-report", "::mlir::ModuleOp"> {
  let summary = "says what analyses found, as remarks";
  let description = [{
    Emits remarks of category `tensoraccess:<section>`; `--remarks-filter` and
    `--remark-format` of the tool choose what becomes of them
    (`--remark-format=yaml` is for machines). The names of remarks and metrics
    are stable; docs/Fusion.md lists them.

    - `fusion`: each function as one fused group: how its results read each
      argument and how often each value inside is computed; and each edge
      between two ops: what fusing the producer into the consumer would compute.
      With `root`, the group of that op and its producers instead.
    - `utilization`: which part of each operand an op reads, and how often.
    - `footprint`: boxes and bytes that each op touches.
    - `coalescing`: the bytes that each load and store uses and moves, over all
      warps and iterations; and how a function on tensors, as one kernel, would
      read its arguments (docs/Fusion.md).
    - `zero-regions`: slices of tensors and access patterns that are known to be
      zero, by axis (docs/AccessPatterns.md).
    - `layouts`: the padding and the bytes of each tensor with a layout, and what
      reading a tile of it moves.
    - `blocks`: one block of each op: what it touches of each operand and result,
      what it costs, and what a larger one would (docs/Blocks.md).

    Counts are exact integers. What cannot be counted, or is not known, is a
    missed remark that names the op and the reason. Changes no op.
  }];
  let options = [
    ListOption<"sections", "sections", "std::string",
               "sections of the report (default: all)">,
    Option<"function", "function", "std::string", """",
           "the function to report on (default: all)">,
    Option<"root", "root", "std::string", """",
           "section fusion: the op to fuse into, as linalg.reduce or "
           "linalg.reduce#1 (the second one)">,
    ListOption<"through", "through", "std::string",
               "section fusion, with root: names of producers that may be "
               "fused (default: all)">,
    Option<"maxMaps", "max-maps", "unsigned", "32",
           "most maps in one composed set">,
    Option<"maxVariables", "max-variables", "unsigned", "48",
           "most variables, and most constraints, of one composed map">,
    Option<"lanes", "lanes", "unsigned", "32",
           "section coalescing: lanes that access memory at once">,
    Option<"transactionBytes", "transaction-bytes", "unsigned", "128",
           "sections coalescing and layouts: bytes of a transaction">,
    Option<"vector", "vector", "unsigned", "1",
           "section coalescing: elements of a tensor that a thread reads at "
           "once">,
    Option<"plan", "plan", "std::string", [{"auto"}],
           "section coalescing: which elements of a tensor lanes run over: "
           "auto, output, input, columns">,
    Option<"blockExtent", "block-extent", "int64_t", "0",
           "section blocks: most indices along each axis (0: any)">,
    Option<"model", "model", "std::string", [{""}],
           "section blocks: a file with the costs of a machine">,
    ListOption<"sizes", "sizes", "int64_t",
               "section layouts: a tile to count the bytes of">
  ];
  let statistics = [
    Statistic<"items", "items", "remarks emitted">,
    Statistic<"missed", "missed", "remarks that say why something is unknown">
  ];
  // Holds the models that are registered by name.
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

def SimplifyIndexing : Pass<"tensoraccess-simplify-indexing"> {
  let summary = "simplifies every indexing map in the program";
  let description = [{
    Also inside of dictionaries, arrays and types. Each distinct map is
    simplified once. Preserves meaning: the same points, the same results.

    ```mlir
    // Before
    #tensoraccess.indexing_map<(d0) -> (d0 floordiv 8 * 8 + d0 mod 8),
                                domain: d0 in [0, 31]>
    // After
    #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 31]>
    ```
  }];
  let statistics = [
    Statistic<"simplified", "simplified", "distinct maps that changed">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def PropagateTiles
    : Pass<"tensoraccess-propagate-tiles", "::mlir::ModuleOp"> {
  let summary = "writes down which tiles a tile of the result reads";
  let description = [{
    A tile has an offset, a size and a stride per dimension: the indices
    offset + stride*i, 0 <= i < size. The pass follows a tile of a function's
    result backwards to the arguments, or one of an argument forwards to the
    results, through every op in between:

    - `tensoraccess.tiles = [operand][tiles]` on each op (forwards: [result]),
      `[argument][tiles]` on the function (forwards: the values returned);
    - remarks `tiles` with the same content; what has no tile is a missed
      remark that names the op and says why.

    Without `sizes` a tile is symbolic: texts over offsets o0, o1, ... and sizes
    t0, t1, ... of the source tile, and runtime variables. `where` lists the
    conditions under which it is exact; what is read is the box within `lower`
    and `upper` (inclusive).

    ```
    // A window of 3 over 9 columns; its kernel is read as a whole.
    tensoraccess.tiles = [
      [{lower = ["0"], offsets = ["o0"], sizes = ["t0 + 2"], strides = ["1"],
        upper = ["8"], where = [] } ],
      [{lower = ["-inf"], offsets = ["0"], sizes = ["3"], strides = ["1"],
        upper = ["inf"], where = [] } ], []]
    ```

    With `sizes` it is numbers: `{offsets = array<i64: 0>, sizes = ...,
    strides = ...}`, exact and clipped to the domain, with a `mask` (an identity
    map whose domain has the elements that are read) where a box is not all.

    A value reached on several ways has a tile for each that is not inside of
    another; of more than 8 the hull. Where no tile is exact, the entry covers
    what is read and has `hull = "<op>: <why>"`; remarks say `Kind=exact` or
    `Kind=hull`. Changes no op but for the attribute. A function that the options
    don't fit (another rank, an offset outside of the value, no single block) is
    left as it is, with a missed remark; that is an error if no function fits.
  }];
  let options = [
    Option<"direction", "direction", "IndexingDirection",
           "IndexingDirection::OutputToInput", "which way",
           [{::llvm::cl::values(
             clEnumValN(IndexingDirection::OutputToInput, "output-to-input",
                        "from a result to what is read for it"),
             clEnumValN(IndexingDirection::InputToOutput, "input-to-output",
                        "from an argument to what it reaches"))}]>,
    Option<"function", "function", "std::string", "\"\"",
           "the function to look at (default: all)">,
    Option<"index", "index", "unsigned", "0",
           "which result (or argument) has the tile">,
    ListOption<"sizes", "sizes", "int64_t",
               "sizes of the tile, one per dimension">,
    ListOption<"offsets", "offsets", "int64_t", "offsets, with sizes">,
    ListOption<"strides", "strides", "int64_t", "strides (default: 1)">
  ];
  let statistics = [
    Statistic<"tiles", "tiles", "tiles written">,
    Statistic<"hulls", "hulls", "tiles that only cover what is read">,
    Statistic<"missed", "missed", "operands and ends without a tile">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

def Tile : Pass<"tensoraccess-tile", "::mlir::ModuleOp"> {
  let summary = "tiles results and fuses the producers whose footprint allows it";
  let description = [{
    Tiles the op that makes each returned value along the dimensions of its
    result, and fuses producers into the loops. A structured op reads slices
    that are the hulls of its tile's footprints, through maps that are shifted to
    them; where no map does that for all tiles the body extracts the elements.
    Other ops are cut by upstream's TilingInterface, and its slices are kept
    only if they hold what the op's indexing maps read in every tile.

    Which producers are fused is decided by footprints: the tile of the result
    is propagated to the producer (see `tensoraccess-propagate-tiles`), and the
    producer is fused if, at the first, a middle and the last place of each
    dimension,

    - an exact tile exists, and
    - the elements that all tiles compute together are at most `max-recompute`
      times those that are needed (halos of windows are computed again).

    ```
    // --tensoraccess-tile="sizes=1,8,8": before
    %p = tensor.pad %x …
    %c = linalg.conv_2d_nhwc_hwcf ins(%p, %w) outs(%f)
    // After
    %c = scf.for … { scf.for … {
      %p = tensor.pad (a slice of %x) …
      %t = linalg.conv_2d_nhwc_hwcf ins(%p, %w) outs(…)
    } }
    ```

    Preserves results exactly: reductions keep their order. Remarks `tile` say
    for each producer what was decided, its recompute factor, and whether its
    slice has the size of the tile that was propagated; what cannot be tiled
    stays as it is, with a missed remark.
  }];
  let options = [
    ListOption<"sizes", "sizes", "int64_t",
               "sizes along the result's dimensions; 0 leaves one whole">,
    Option<"fuse", "fuse", "TileFusion", "TileFusion::Footprint",
           "which producers to fuse",
           [{::llvm::cl::values(
             clEnumValN(TileFusion::Footprint, "footprint",
                        "with an exact tile and little recompute"),
             clEnumValN(TileFusion::All, "all", "all that can be"),
             clEnumValN(TileFusion::None, "none", "none"))}]>,
    Option<"maxRecompute", "max-recompute", "double", "1.5",
           "how often an element may be computed on average">,
    Option<"function", "function", "std::string", "\"\"",
           "the function to tile (default: all)">
  ];
  let statistics = [
    Statistic<"tiled", "tiled", "ops tiled">,
    Statistic<"fused", "fused", "producers fused">,
    Statistic<"agreeing", "agreeing",
              "fused producers whose slice has the size of our tile">,
    Statistic<"missed", "missed", "ops not tiled, producers not fused">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// im2col, and cutting out
//===----------------------------------------------------------------------===//

def DiscoverIm2Col : Pass<"tensoraccess-discover-im2col"> {
  let summary = "rewrites dot products of items into matmuls of flat patterns";
  let description = [{
    Every convolution and contraction becomes the matmul <M | K> x <N | K>, or a
    batch of such, by equality saturation with the rules on items that keep the
    order of sums (docs/Im2col.md has the equations): whatever the op was, and
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

def ExtractOp : Pass<"tensoraccess-extract-op", "::mlir::ModuleOp"> {
  let summary = "cuts one op of a model into a module of its own";
  let description = [{
    Replaces the module by a single function `@main` that holds the chosen op
    and its cheap producers (`tensor.pad`, `tensor.empty`, `linalg.fill`,
    `arith.constant` and generic ops that copy), and has an argument for every
    other value that they read, in the order in which they are first read.

    ```
    // --tensoraccess-extract-op="op=linalg.conv_2d_nhwc_hwcf index=2"
    func.func @main(%arg0: tensor<1x56x56x64xf32>, %arg1: tensor<3x3x64x64xf32>)
        -> tensor<1x56x56x64xf32> {
      %cst = arith.constant 0.0 : f32
      %padded = tensor.pad %arg0 …
      %0 = tensor.empty() : tensor<1x56x56x64xf32>
      %1 = linalg.fill ins(%cst : f32) outs(%0 : …) -> …
      %2 = linalg.conv_2d_nhwc_hwcf … ins(%padded, %arg1 : …) outs(%1 : …)
      return %2 : tensor<1x56x56x64xf32>
    }
    ```

    An op or function that does not exist is an error that names it.
  }];
  let options = [
    Option<"op", "op", "std::string", """",
           "name of the op, as linalg.conv_2d_nhwc_hwcf">,
    Option<"index", "index", "int64_t", "0",
           "which of the ops of that name, from 0, in program order">,
    Option<"function", "function", "std::string", "\"main\"",
           "the function to look in">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_PASSES_TD
