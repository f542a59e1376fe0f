//===- LayoutPasses.td - Layouts of tensors ----------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LAYOUTPASSES_TD
#define TENSORACCESS_TRANSFORMS_LAYOUTPASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayouts : Pass<"tensoraccess-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "chooses tiled layouts, and where to change them";
  let description = [{
    Contractions and convolutions run best on layouts that fit the target: panels
    of the weights as wide as its register tile, blocks of channels, tiles of its
    matrix unit. The pass takes such layouts as candidates, follows them through
    elementwise ops, reductions, poolings, transposes, pads, slices and reshapes
    as far as no element has to move, and chooses, over the whole function at
    once, so that relayouts, padding and the traffic of contractions cost the
    fewest bytes (docs/AssignLayouts.md has the model).

    ```
    // Before
    %1 = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>) …
    // After: %w in panels of 16 columns; %x and the result stay as they were
    %0 = tensoraccess.relayout %w : tensor<256x512xf32>
      to tensor<256x512xf32, #tensoraccess.layout<{0,1:T(16,1)}>>
    %1 = linalg.matmul ins(%x, %0) …
    ```

    Preserves meaning: encodings change where elements are in memory, never
    their values. Arguments and results of functions keep their types; with
    `weights=caller` arguments of public functions that reach contractions only
    as weights take their layout as encoding, so that the caller packs them,
    once. With `weights=function` there is a function `pack_f` beside each
    function `f` of which this is so: it takes these arguments as they were
    before and returns them as `f` takes them; `tensoraccess.argument` is their
    number in `f`. What is called is not looked into: inline first. Ops with
    encodings keep their layouts. A dynamic size, such as that of a batch, is
    never tiled; in costs it counts as `dynamic-size`.

    Remarks: a passed remark `relayout` for each relayout, with its bytes; a
    remark `contraction` for each contraction, missed with the reason where it
    keeps its layouts; an analysis `layouts` for each function with the sums, the
    cost, and a bound from below, equal if the choice is known to be least. Bytes
    of a dynamic tensor are an expression, `n0 * 4096`; the sums and costs count
    its sizes as `DynamicSize`.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "a built-in target (host, znver4, systolic-16x16, …) or the text of "
           "one; default: the module's tensoraccess.target, or generic">,
    Option<"weights", "weights", "LayoutWeights", "LayoutWeights::Entry",
           "who packs weights",
           [{::llvm::cl::values(
             clEnumValN(LayoutWeights::Entry, "entry",
                        "the function, at its entry"),
             clEnumValN(LayoutWeights::Caller, "caller",
                        "the caller: arguments take layouts"),
             clEnumValN(LayoutWeights::Function, "function",
                        "as caller, which is given a function pack_NAME "
                        "for it"))}]>,
    Option<"always", "always", "bool", "false",
           "panels or tiles wherever the target has them, whatever they cost">,
    Option<"maxEntries", "max-entries", "int64_t", "1 << 20",
           "entries of the largest table while choosing">,
    Option<"dynamicSize", "dynamic-size", "int64_t", "16",
           "what a dynamic size counts as in costs">
  ];
  let statistics = [
    Statistic<"assigned", "assigned", "contractions that run on tiles">,
    Statistic<"left", "left", "contractions that keep their layouts">,
    Statistic<"relayouts", "relayouts", "relayouts inserted">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

def ConvertEncodings
    : Pass<"tensoraccess-convert-encodings", "::mlir::ModuleOp"> {
  let summary = "converts encodings of other compilers to our layouts";
  let description = [{
    Types take the equivalent encoding of this dialect:

    - `#ttg.linear<{register = …}>` of Triton's becomes `#tensoraccess.linear<…>`;
    - an encoding of IREE's that has an `encoding_info` (tiles, their order, and how
      they are cut into factors) becomes `#tensoraccess.layout<…>`; one that has none
      is not resolved yet, and stays;
    - `#tensoraccess.strided<…>` and `#tensoraccess.linear<…>` become
      `#tensoraccess.layout<…>` where that is the same memory, number by number. So
      assign-layouts and materialize-layouts, which call this first, move such tensors
      by whole tiles.

    ```
    // Before
    func.func @f(%x: tensor<4x8xf32, #tensoraccess.strided<(4,(4,2)):(4,(1,16))>>)
    // After
    func.func @f(%x: tensor<4x8xf32, #tensoraccess.layout<{0,1:T(4,1)}>>)
    ```

    Dialects that are not there are read from their text, with
    `--allow-unregistered-dialect`. Preserves meaning.
  }];
  let statistics = [Statistic<"converted", "converted", "types">];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

def MaterializeLayouts
    : Pass<"tensoraccess-materialize-layouts", "::mlir::ModuleOp"> {
  let summary = "turns layouts of tensors into their shapes in memory";
  let description = [{
    A tensor with a layout becomes the tensor of its digits, row-major: 5x30 with
    {0,1:T(16,1)} is 2x5x16. Loop nests are cut at tiles, so that their maps stay
    permutations of loops and windows; iterations of a reduction beyond the size
    keep what there was before, so that padding is never part of a sum or a
    maximum. Movements move digits; relayouts are written out.

    ```
    // Before
    linalg.reduce ins(%x : tensor<5x30xf32, #tensoraccess.layout<{0,1:T(16,1)}>>)
      outs(%i : tensor<5xf32>) dimensions = [1] …
    // After: d1 * 16 + d2 is compared with 30
    linalg.generic {indexing_maps = [(d0, d1, d2) -> (d1, d0, d2),
                                     (d0, d1, d2) -> (d0)], …}
      ins(%x : tensor<2x5x16xf32>) outs(%i : tensor<5xf32>) {
        … arith.select %inside, %sum, %out
      }
    ```

    An op without such a form is wrapped in relayouts to and from row-major
    order, with a missed remark `wrapped` and the reason; among them ops that
    could trap on padding. Regions exchange row-major tensors. Arguments and
    results of functions with a layout get its physical shape, all of it, also in
    the types of functions that are values (`func.constant`, `func.call_indirect`).

    Relayouts and bitcasts become ops on tensors in memory:

    ```
    // Before
    %1 = tensoraccess.relayout %0 : tensor<3x5xf32>
      to tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
    %2 = tensoraccess.bitcast %1
       : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
      to tensor<24xf32>
    // After
    %1 = linalg.pack %0 padding_value(%zero) inner_dims_pos = [0, 1]
           inner_tiles = [2, 2] into %empty : tensor<3x5xf32>
           -> tensor<2x3x2x2xf32>
    %2 = tensor.collapse_shape %1 [[0, 1, 2, 3]]
    ```

    Any layout can be moved to and from. Where its places are not digits of
    single indices (a tile that cuts through dimensions that `*` has merged, or
    does not divide the tile before it) or have a tail `L`, ops on it are
    wrapped. `tensor.dim` gives the size without padding. `apply_indexing`,
    `linearize` and `delinearize` become affine and arith ops.

    A constant that is moved, dense or a resource, is a packed constant: it is
    packed while compiling, and never at run time.

    Preserves results exactly: loops keep their order, and so do sums. Padding
    that is written holds zeros where it is packed, anything where it is
    computed. Tiles of dynamic dimensions make tensors of ⌈n / tile⌉ tiles; the
    size n is known from what made the tensor. Errors are element bits `E` other
    than the element's, and tiles of dynamic dimensions on arguments and results
    of calls, where n is lost.

    A tensor in S(n) is written into a `bufferization.alloc_tensor` with
    `memory_space = n`, so that its buffer is there: by relayouts,
    `tensor.empty` and what writes into it. Where S(n) would be lost, at
    functions, blocks and ops that choose where their results are, it is an
    error, as is a memory that the module's target does not list among others,
    or that is too small.
  }];
  let options = [
    Option<"way", "way", "::mlir::tensoraccess::RelayoutWay",
           /*default=*/"::mlir::tensoraccess::RelayoutWay::Pack",
           "the ops that a relayout becomes",
           [{::llvm::cl::values(
             clEnumValN(::mlir::tensoraccess::RelayoutWay::Pack, "pack",
                        "linalg.pack and linalg.unpack where they match"),
             clEnumValN(::mlir::tensoraccess::RelayoutWay::Steps, "steps",
                        "pad, expand_shape and transpose"))}]>,
    Option<"foldBytes", "fold-bytes", "int64_t", "int64_t(1) << 30",
           "constants of at most so many bytes are packed at compile time">
  ];
  let statistics = [
    Statistic<"physical", "physical", "ops on tensors in their layouts">,
    Statistic<"wrapped", "wrapped", "ops on row-major tensors">,
    Statistic<"masked", "masked", "reductions masked">,
    Statistic<"folded", "folded", "constants packed">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

def FuseRelayouts : Pass<"tensoraccess-fuse-relayouts"> {
  let summary = "folds transposes, reshapes and conversions into relayouts";
  let description = [{
    A relayout moves every element anyway; what its neighbours do to order, shape
    and type it can do on the way. Taken in, before and after it, if nothing
    else reads what is between: `linalg.transpose`, `tensor.collapse_shape`,
    `tensor.expand_shape`, `arith.extf`, `arith.truncf`, `arith.extsi`,
    `arith.trunci`, and `linalg.pack` and `linalg.unpack` without padding: these
    are a relayout and a bitcast.

    ```
    // Before
    %0 = linalg.transpose ins(%x : tensor<3x5xf32>) outs(%e) permutation = [1, 0]
    %1 = arith.truncf %0 : tensor<5x3xf32> to tensor<5x3xbf16>
    %2 = tensoraccess.relayout %1 : tensor<5x3xbf16>
      to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
    // After
    %2 = tensoraccess.relayout %x permutation = [1, 0] : tensor<3x5xf32>
      to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
    ```

    Assumes nothing; only ops on static shapes are taken. Preserves results
    exactly: a conversion that rounds is not joined with another one.
  }];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_LAYOUTPASSES_TD
