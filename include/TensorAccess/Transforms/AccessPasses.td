//===- AccessPasses.td - Indexing maps, tiles and projections *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_ACCESSPASSES_TD
#define TENSORACCESS_TRANSFORMS_ACCESSPASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateIndexing
    : Pass<"tensoraccess-annotate-indexing", "::mlir::ModuleOp"> {
  let summary = "annotates each op with the elements that it reads, as indexing maps";
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
    empty list means that the operand's elements are not read. Without an answer
    it is the single map `unknown`, and a missed remark gives the reason.

    With `fused`, ops are left alone and each function gets the attribute for
    its results and arguments, composed through all ops and calls between.
    Sets and maps past the budget are unknown. With `masked`, too, pairs that values
    make impossible are left out, if all that is computed is finite: row i of causal
    attention reads the rows up to i. Maps may then hold more than what is read
    where an index is computed.

    Changes nothing else.
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
    Option<"masked", "masked", "bool", "false",
           "fused: without what masks make impossible">,
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
  let summary = "reports what the analyses find, as remarks";
  let description = [{
    Emits remarks of category `tensoraccess:<section>`; `--remarks-filter` and
    `--remark-format` of the tool choose what becomes of them
    (`--remark-format=yaml` is for machines). The names of remarks and metrics
    are stable; docs/Figures.md lists them.

    - `fusion`: each function as one fused group: how its results read each
      argument and how often each value inside is computed; and each edge
      between two ops: what fusing the producer into the consumer would compute.
      With `root`, the group of that op and its producers instead.
    - `utilization`: which part of each operand an op reads, and how often; and
      how much of that matters, where masks make some of it idle.
    - `footprint`: boxes and bytes that each op touches.
    - `coalescing`: the bytes that each load and store uses and moves, over all
      warps and iterations; and how a function on tensors, as one kernel, would
      read its arguments, and what of that matters (docs/Coalescing.md).
    - `zero-regions`: slices of tensors and access patterns that are known to be
      zero, by axis (docs/AccessPatterns.md).
    - `layouts`: the padding and the bytes of each tensor with a layout, and what
      reading a tile of it moves.
    - `blocks`: one block of each op: what it touches of each operand and result,
      what it costs, and what a larger one would (docs/Blocks.md).
    - `masked`: operations for elements and reads that no result of the function
      depends on, given what masks make zero or infinite, by op and in all
      (docs/Contracts.md).

    Counts are exact integers. What cannot be counted, or is not known, is a
    missed remark that names the op and the reason. Changes no op.
  }];
  let constructor = "::mlir::tensoraccess::createEmitReport("
                    "::mlir::tensoraccess::getReportSections())";
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
    Statistic<"missed", "missed", "remarks with the reason why something is unknown">
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

def PropagateTiles
    : Pass<"tensoraccess-propagate-tiles", "::mlir::ModuleOp"> {
  let summary = "annotates ops with the tiles that a tile of the result reads";
  let description = [{
    A tile has an offset, a size and a stride per dimension: the indices
    offset + stride*i, 0 <= i < size. The pass follows a tile of a function's
    result backwards to the arguments, or one of an argument forwards to the
    results, through every op in between:

    - `tensoraccess.tiles = [operand][tiles]` on each op (forwards: [result]),
      `[argument][tiles]` on the function (forwards: the values returned);
    - remarks `tiles` with the same content; what has no tile is a missed
      remark that names the op and the reason.

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

    A value reached in several ways has a tile for each that is not inside
    another, or the hull if there are more than 8. Where no tile is exact, the entry covers
    what is read and has `hull = "<op>: <why>"`; remarks have `Kind=exact` or
    `Kind=hull`. Changes nothing but the attribute. A function that the options
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

    Preserves results exactly: reductions keep their order. Remarks `tile` give
    for each producer the decision, its recompute factor, and whether its
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

def ExtractOp : Pass<"tensoraccess-extract-op", "::mlir::ModuleOp"> {
  let summary = "extracts one op of a model into its own module";
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

def AnnotateBlocks
    : Pass<"tensoraccess-annotate-blocks", "::mlir::ModuleOp"> {
  let summary = "annotates ops with index projections, and reports what blocks touch";
  let description = [{
    Sets `tensoraccess.projections` on every op with tensor operands and results:
    how points of its index space (loops, or the result's indices and what is
    summed over) touch each of them, as index projections. A list holds the ways
    to one value: none for one that is not touched, a text with the reason for
    one that is not a projection.

    ```
    // Added to a linalg.matmul of 3x5 and 5x7.
    tensoraccess.projections = {axes = ["d0", "d1", "d2"], extents = array<i64: 3, 7, 5>,
      operands = [[#tensoraccess.projection<[[1, 0, 0], [0, 0, 1]] + [0, 0], shape = [1, 1]>],
                  [#tensoraccess.projection<[[0, 0, 1], [0, 1, 0]] + [0, 0], shape = [1, 1]>],
                  [#tensoraccess.projection<[[1, 0, 0], [0, 1, 0]] + [0, 0], shape = [1, 1]>]],
      results = [[#tensoraccess.projection<[[1, 0, 0], [0, 1, 0]] + [0, 0], shape = [1, 1]>]],
      summed = array<i64: 2>}
    ```

    Remarks of category `tensoraccess:blocks` (docs/Blocks.md) describe one block
    of each op what it touches, with the waste of holding it as a box or strided
    beforehand, what one more index along each axis adds, what neighbours share,
    and what it costs by the model. The block is the op's attribute
    `tensoraccess.block`, else `offsets` and `sizes` (one per axis, or per
    dimension of result 0 with `of=result`; 0 is all), else at most `extent`
    indices along each axis, else the whole op. With `fused` each function is one
    op, whose operands are its arguments.

    A block that does not fit its op is an error. Changes nothing but this
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
              "ways to a value that are not projections">,
    Statistic<"unknown", "unknown", "values that are not known">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

def FormProjections : Pass<"tensoraccess-form-projections"> {
  let summary = "writes chains of views as index projections";
  let description = [{
    Slices, windows, transposes, paddings, broadcasts and reshapes by dimensions
    of size 1 of one base become one `project` of it, at every place
    where something else than a view uses the chain.

    ```mlir
    // Before
    %1 = tensoraccess.slice %0 offsets = [-1] sizes = [7] oob = [wrap]
       : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 7xf32>
    %2 = tensoraccess.windows %1 shape = [3] strides = [1]
       : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<5 | 3xf32>
    // After, in place of %2
    %3 = tensoraccess.project %0
        by #tensoraccess.projection<[[1]] + [-1], shape = [3], oob = [wrap]>
        over [5]
       : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<5 | 3xf32>
    ```

    Preserves results exactly. Chains that are not a projection stay, with a
    missed remark `projections` with the reason.
  }];
  let options = [
    Option<"itemsAsAxes", "items-as-axes", "bool", "false",
           "dimensions of items are axes of the block, regions are elements">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
  let statistics = [Statistic<"numFormed", "formed", "chains that became one">];
}

def ExpandProjections : Pass<"tensoraccess-expand-projections"> {
  let summary = "writes index projections as chains of views";
  let description = [{
    The other way round: a `project` becomes a slice with its policies, windows
    for the axes that move a dimension, a slice backwards for those that move it
    backwards, `insert_axis` and `broadcast` for those that move nothing, and a
    transpose that puts them in order.

    Preserves results exactly. A projection with an axis that moves two
    dimensions stays, with a missed remark `projections`: no windows are
    diagonal.
  }];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
  let statistics = [Statistic<"numExpanded", "expanded", "projections">];
}

#endif // TENSORACCESS_TRANSFORMS_ACCESSPASSES_TD
