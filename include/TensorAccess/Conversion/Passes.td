//===- Passes.td - Conversion: passes between dialects -----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pass is a thin shell round a function declared in Conversion.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_PASSES_TD
#define TENSORACCESS_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseToAccess : Pass<"tensoraccess-raise"> {
  let summary = "raises ops of linalg, tensor, arith and tosa to access patterns";
  let description = [{
    Every op whose meaning access patterns express becomes access patterns:
    sums of products over any loops (matmul and convolution in all their forms
    and layouts, batched, grouped, depthwise, strided, dilated), poolings and
    reductions by sum, maximum and mean, elementwise arithmetic, softmax, and
    all movement of data. docs/Raising.md lists them, and what stays.

    ```
    // Before
    %2 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>,
                                   dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x9x8x5xf32>, tensor<3x3x5x7xf32>)
      outs(%zeros : tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
    // After
    %0 = tensoraccess.access %x at 1           // <1 | 9x8x5xf32>
    %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
                                               // <1x4x6x1 | 3x3x5xf32>
    %2 = tensoraccess.access %w at 1           // <3 | 3x5x7xf32>
    %3 = tensoraccess.transpose %2 perm = [3, 0, 1, 2]    // <7 | 3x3x5xf32>
    %4 = tensoraccess.cart_prod %1, %3         // <1x4x6x1x7 | 2x3x3x5xf32>
    %5 = tensoraccess.compute dot_prod %4      // <1x4x6x1x7 | f32>
    %6 = tensoraccess.squeeze %5 axis 3        // <1x4x6x7 | f32>
    %7 = tensoraccess.to_tensor %6             // tensor<1x4x6x7xf32>
    ```

    An initial value that changes nothing (+0 of a sum, the least number of a
    maximum) is dropped; any other is combined with the finished result.

    Assumes nothing. Preserves results exactly, bit for bit, except that an
    initial value other than +0 is added last instead of first, a quotient of a
    sum becomes a mean, and softmax written as exponentials and sums becomes
    one op; and sums of floats below f32 that a linalg op rounds in every step
    become wider, as `compute` takes them in f32 and rounds once. The remark of
    such an op's remark has the metric `Sums`; with `widen-sums=false` it
    stays. Items run over the reduction loops in the op's own loop order.
    Anything with other semantics stays as it was.

    Remarks: `raise` is passed for each op that was raised, with
    its kind, and missed for each op that stayed, with the reason; an analysis
    remark for each function has the counts. Constants, destinations
    (`tensor.empty`, fills that only begin ops that stayed) and scalars are not
    part of it.
  }];
  let options = [
    ListOption<"kinds", "kinds", "std::string",
      "kinds of ops to raise, all where empty: contraction, convolution, "
      "pooling, reduction, elementwise, softmax, movement">,
    Option<"widenSums", "widen-sums", "bool", "true",
      "raise linalg ops that sum floats below f32 in their own type, although "
      "compute sums in f32">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
  let statistics = [
    Statistic<"contractions", "contractions", "contractions raised">,
    Statistic<"convolutions", "convolutions", "convolutions raised">,
    Statistic<"poolings", "poolings", "poolings raised">,
    Statistic<"reductions", "reductions", "other reductions raised">,
    Statistic<"elementwise", "elementwise", "elementwise ops raised">,
    Statistic<"softmaxes", "softmaxes", "softmaxes raised">,
    Statistic<"movements", "movements", "movements of data raised">,
    Statistic<"missed", "missed", "ops on tensors that stayed as they were">
  ];
}

def LowerToLinalg : Pass<"tensoraccess-lower-to-linalg"> {
  let summary = "lowers access patterns to linalg on tensors";
  let description = [{
    Every pattern that has to exist in memory (results of `compute` and
    `materialize`, operands of `to_tensor`) becomes one linalg op, which reads
    its sources through the composition of all movement ops in between; no
    other view is written out.

    ```
    // Before: %a is <24 | 45xf32>, materialised; %w is tensor<3x3x5x7xf32>
    %1 = tensoraccess.access %w at 1
    %2 = tensoraccess.transpose %1 perm = [3, 0, 1, 2]   // <7 | 3x3x5xf32>
    %3 = tensoraccess.flatten %2                         // <7 | 45xf32>
    %4 = tensoraccess.cart_prod %a, %3
    %5 = tensoraccess.compute dot_prod %4                // <24x7 | f32>
    // After
    %1 = tensor.collapse_shape %w [[0, 1, 2], [3]]       // tensor<45x7xf32>
    %2 = linalg.matmul ins(%a, %1) outs(%zeros)          // tensor<24x7xf32>
    ```

    Flattened views cost no division where collapsing consecutive dimensions of
    the source makes them linear; elsewhere elements are read by
    `tensor.extract` at indices with floordiv and mod.

    Windows over an array that is padded, wrapped or clamped read it directly in
    the interior, and small copies at the borders, according to `borders`.

    Assumes static shapes and patterns that stay within this dialect; everything
    else is an error, and the IR stays as it was. Preserves results exactly:
    sums start from 0 and run over items in row-major order.
  }];
  let options = [
    Option<"borders", "borders", "Borders", "Borders::Auto",
           "how windows that hang over the edge are read",
           [{::llvm::cl::values(
             clEnumValN(Borders::Auto, "auto", "peeled where it pays"),
             clEnumValN(Borders::Peel, "peel", "interior and borders apart"),
             clEnumValN(Borders::Copy, "copy", "from one copy"))}]>
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def InsertChecks : Pass<"tensoraccess-insert-checks", "::mlir::ModuleOp"> {
  let summary = "asserts what ops assume about sizes and indices";
  let description = [{
    An op whose dynamic sizes or indices do not fit is undefined; compiled, it
    would read past its tensors. Here it gets assertions, with the interpreter's
    messages: structured ops of linalg, elementwise ops on tensors, slices,
    elements, pads, reshapes and concatenations, `linalg.pack`, `unpack` and
    `softmax`, loads and stores of memrefs, integer divisions, steps of
    `scf.for`, and the elementwise ops of StableHLO.

    ```
    // Before
    %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
    // After, besides one for a size below 0
    %last = arith.subi %n, %c1 : index
    %fits = arith.cmpi ult, %last, %c8 : index
    %empty = arith.cmpi eq, %n, %c0 : index
    %holds = arith.ori %empty, %fits : i1
    tensoraccess.assert %holds, "tensor.extract_slice: index {0} of dimension 0
      must lie in [0, 8)"(%last : index)
    %0 = tensor.extract_slice %a[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
    ```

    Sizes are followed back to where they were made: what is known to hold,
    static shapes above all, gets no assertion. Each is placed as early as its
    values are known, outside of loops too, but after those of ops before it.
    Not checked: indexing maps with `mod` and `floordiv` on dynamic shapes, ops
    of vector and affine.

    Preserves results exactly where no assertion fails.
  }];
  let options = [
    Option<"onlyShapes", "only-shapes", "bool", "false",
           "only that the operands of structured and elementwise ops agree">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

def LimitCalls : Pass<"tensoraccess-limit-calls", "::mlir::ModuleOp"> {
  let summary = "turns recursion that is too deep into an error";
  let description = [{
    Where functions call each other in a cycle, each function that is called
    gets a twin that takes the depth of the call; a call deeper than `depth` is
    an error at the call, as in the interpreter, instead of all memory. Does
    nothing else.

    ```
    // Before
    %0 = func.call @f(%x) : (f32) -> f32               // in @f
    // After
    tensoraccess.assert %fits, "func.call: is nested more than 256 calls deep"
    %0 = func.call @f_at_depth(%deeper, %x) : (index, f32) -> f32
    ```

    Preserves results exactly where no call is too deep.
  }];
  let options = [
    Option<"depth", "depth", "int64_t", "256", "calls that may be open at once">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensoraccess::TensorAccessDialect"];
}

def CheckLowerable : Pass<"tensoraccess-check-lowerable", "::mlir::ModuleOp"> {
  let summary = "rejects what upstream's passes would crash on";
  let description = [{
    Some of the passes that the pipelines call end the process on valid IR. What
    they cannot take is an error here, at the op: tensors of more than 64
    dimensions, ops of dialects that are not known, StableHLO apart, maps that
    divide by a number below 1. So are values that compiled code does not hold:
    scalable vectors, memrefs that are not strided or in a memory space that is
    not a number. With `inliner` only what upstream's inliner cannot take: ops
    of dialects that are not known with regions.

    Changes nothing.
  }];
  let options = [
    Option<"inliner", "inliner", "bool", "false",
           "only what the inliner would crash on">
  ];
}

def ForeignToLinalg
    : Pass<"tensoraccess-foreign-to-linalg", "::mlir::ModuleOp"> {
  let summary = "decomposes ops that are not loops";
  let description = [{
    What upstream can turn into linalg but does not bufferize: ops of tosa, by
    upstream's conversions; `linalg.softmax`, `linalg.pack`, `linalg.unpack`, the
    winograd transforms (of static shapes) and `tensor.concat`, by upstream's
    decompositions. What it does not support: packs with tiles known at run time
    and `tensor.gather` become one loop that computes each place,
    `tensor.scatter` a loop over its indices; loops and branches of affine on
    tensors become those of scf; a `linalg.map` whose body reads what it writes
    to, which upstream's bufferization mistakes for one that does not, becomes a
    `linalg.generic`. A scalar `ml_program.global` becomes one of a tensor
    without dimensions; one of another type than a scalar or a tensor of static
    shape is an error.

    What upstream would then fold or lower wrongly is rewritten, with the same
    results:

    - slices, taken or put, that drop one of several dimensions of size 1, where it
      may confuse another one with the dropped one: a reshape drops it;
    - a `tensor.pad` by negative numbers: what stays is a slice, which is padded;
    - masked transfers of vectors whose map is a permutation, a broadcast or leaves
      dimensions out, transfers of i1 and other integers that LLVM packs, and elements
      of vectors of several dimensions at places known at run time.

    Does nothing if there are none of these.

    ```
    // Before
    %0 = tosa.add %a, %b : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    // After
    %0 = linalg.generic … ins(%a, %b : …) {
      arith.addf …
    }
    ```

    Preserves results as upstream does.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def StablehloToLinalg
    : Pass<"tensoraccess-stablehlo-to-linalg", "::mlir::ModuleOp"> {
  let summary = "converts StableHLO to linalg on tensors";
  let description = [{
    StableHLO's dialect is not linked: its ops (and MHLO's and CHLO's) are
    known by name. Each becomes linalg, tensor, arith, math
    and scf ops of the same meaning.

    ```
    // Before
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers =
           #stablehlo.dot<lhs_contracting_dimensions = [1],
                          rhs_contracting_dimensions = [0]>}>
         : (tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>
    // After
    %1 = linalg.generic {indexing_maps = [(i, j, k) -> (i, k),
                                          (i, j, k) -> (k, j),
                                          (i, j, k) -> (i, j)],
                         iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%a, %b) outs(%zeros) {...} -> tensor<3x7xf32>
    ```

    Unsigned integers become signless ones of the same width where nothing
    stays, also in the types of functions; ops keep the meaning that the sign
    gave them.

    Assumes nothing: an op that is malformed, of an unknown form, or has no
    conversion stays as it was, and a missed remark `stablehlo-to-linalg` names
    it and the reason; with `strict` that is an error at the op. Preserves results
    exactly except for the order of sums, which StableHLO leaves open; here they
    run in row-major order. Values that it leaves to implementations are those
    of XLA on CPUs: integers divided by zero give -1, floats beyond an integer
    type saturate. Starts of slices are clamped; of a scatter each update outside
    is skipped by itself, or (`tensoraccess-drop-partial-windows`) its window.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "an op that cannot be converted is an error">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"converted", "converted", "ops converted">,
    Statistic<"missed", "missed", "ops that stayed as they were">
  ];
}

def DropPartialWindows
    : Pass<"tensoraccess-drop-partial-windows", "::mlir::ModuleOp"> {
  let summary = "gives scatters XLA's semantics";
  let description = [{
    StableHLO's specification takes a scatter element by element: where a window
    of updates hangs over the edge of the operand, the elements inside are
    written. XLA, and so `jax.jit`, drops such a window as a whole. Both are
    right for a program that was written for the one or the other, and the text
    of a program does not show which; this pass gives every scatter the attribute
    `tensoraccess.whole_windows`, by which each engine, the maps and equivalence
    take it as XLA does.

    ```
    // Before: a window of 2 rows at row 4 of 5 writes row 4
    %0 = "stablehlo.scatter"(%x, %i, %u) <{…}> ({…}) : …
    // After: it writes nothing
    %0 = "stablehlo.scatter"(%x, %i, %u) <{…}> ({…})
         {tensoraccess.whole_windows} : …
    ```

    `tensoraccess.jit`, and a `tensoraccess.Module` of what JAX lowered or
    exported, do this by themselves; `tensoraccess-run --scatter=xla` and
    `Module(text, scatter="xla")` on demand. Changes nothing else.
  }];
}

def RefineShapes : Pass<"tensoraccess-refine-shapes", "::mlir::ModuleOp"> {
  let summary = "makes the sizes of a StableHLO program static";
  let description = [{
    Gives the arguments of a function static sizes, and all that follows from them:
    `get_dimension_size` and what is computed of it becomes constants, `dynamic_iota`,
    `dynamic_reshape`, `dynamic_broadcast_in_dim`, `dynamic_pad`, `dynamic_gather`,
    `dynamic_conv`, `real_dynamic_slice` and JAX's calls `stablehlo.dynamic_*` become
    the ops with attributes in place of operands, and calls whose types change
    the bodies of what they call. So do the types of access patterns and of other ops
    beside them. An assertion of a shape that fails is an error, with the
    program's message; one that holds is erased.

    Without sizes, what follows from static types and from constants.

    ```
    // Before, for sizes=4
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : …
      %s = "stablehlo.reshape"(%n) : (tensor<i32>) -> tensor<1xi32>
      %i = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}>
          : (tensor<1xi32>) -> tensor<?xf32>
      %0 = "stablehlo.add"(%x, %i) : …
    // After
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %i = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xf32>
      %0 = "stablehlo.add"(%x, %i) : …
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"",
           "the function whose arguments these are">,
    ListOption<"sizes", "sizes", "int64_t",
               "sizes for each `?` in the types of its arguments, in order of "
               "appearance">,
  ];
}

def ExpandStableHlo : Pass<"tensoraccess-expand-stablehlo", "::mlir::ModuleOp"> {
  let summary = "expresses ops without loops by other ops of StableHLO";
  let description = [{
    `rng_bit_generator` becomes its counters and rounds (Threefry, Philox),
    `bitcast_convert` to another width shifts; batch normalisation its formulas, and
    CHLO's `broadcast_add` and the like a broadcast and the op; `cholesky`, `triangular_solve` and
    JAX's calls for linear algebra become calls of LAPACK on matrices as it has
    them; Shardy's ops are erased. A tuple becomes its elements, a token is
    erased.

    Every tensor of complex numbers becomes one of the real and one of the
    imaginary parts, every op on them ops on both: moves, products, reductions,
    sorts, loops, Fourier transforms (as products of matrices, by the factors of
    their lengths), and each elementwise function. In the types of functions and
    calls a dimension of two is put after the others, so that elements are in
    memory as before; the attribute `tensoraccess.element_type` keeps what such
    arguments and results were.

    Every tensor of quantised elements (`!quant.uniform`) becomes one of the
    integers that it stores; what computes is dequantised, computed in the type
    that is expressed, and quantised.

    ```
    // Before
    func.func @main(%z: tensor<3xcomplex<f32>>) -> tensor<3xf32> {
      %0 = "stablehlo.multiply"(%z, %z) : …
      %1 = "stablehlo.real"(%0) : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
    // After
    func.func @main(%z: tensor<3x2xf32>
                    {tensoraccess.element_type = complex<f32>}) -> tensor<3xf32> {
      %re = … slice, reshape
      %im = … slice, reshape
      %0 = "stablehlo.multiply"(%re, %re) : …
      %1 = "stablehlo.multiply"(%im, %im) : …
      %2 = "stablehlo.subtract"(%0, %1) : …
    ```

    The interpreter and the pipelines that lower do this themselves. Sums,
    products and moves are computed in the type that they are of; other functions
    of complex<f32>, and |z|, in f64. Assumes static sizes of complex tensors: an
    op that cannot be rewritten is an error, with the reason. Does nothing in a
    program without complex numbers in StableHLO.
  }];
  let options = [
    Option<"callTransforms", "call-transforms", "bool", "false",
           "make Fourier transforms calls of the runtime, not products">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def RestrictFunction
    : Pass<"tensoraccess-restrict-function", "::mlir::ModuleOp"> {
  let summary = "makes the program of a box of a function's result";
  let description = [{
    The function returns one of its results, of that only the elements in `box`,
    and computes what is needed for them (as `tensoraccess-push-slices` does):
    a row of attention computes a row of scores, a patch of a convolution reads the
    patch of the image around it. Arguments stay as they are. StableHLO and other
    ops become linalg on tensors first, calls are inlined.

    ```
    // --tensoraccess-restrict-function="result=0 box=[8,12)x[0,3)"
    // Before
    func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
      %0 = stablehlo.exponential %x : tensor<64x3xf32>
    // After
    func.func @main(%x: tensor<64x3xf32>) -> tensor<4x3xf32> {
      %0 = tensor.extract_slice %x[8, 0] [4, 3] [1, 1] : …
      %1 = linalg.generic … ins(%0) { math.exp } -> tensor<4x3xf32>
    ```

    Boxes are half-open, as `[0, 3) x [1, 5)`, with or without spaces. A result
    that is not there, a box of another rank, outside of the result or without
    elements is an error at the function. Preserves the elements exactly. Ops
    that are not understood are computed whole, and so is what a dynamic slice
    reads in the dimension in which it moves; the trips of loops stay.

    With `masked`, the first and last terms of sums that are zero by a mask, such as
    those of tokens to come in causal attention, are not computed, and what only
    they read is not, either (-inf in maxima likewise). Where that preserves the
    elements only if all that is computed is finite, except for what masks make
    infinite (zero times infinity is NaN), the function gets the attribute
    `tensoraccess.condition = "if finite"`.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function">,
    Option<"result", "result", "int64_t", "0", "the number of the result">,
    Option<"box", "box", "std::string", "\"\"",
           "the elements that are wanted, as [0,3)x[1,5)">,
    Option<"masked", "masked", "bool", "false",
           "leave out what masks make zero, if all is finite">
  ];
}

def PatchFunction : Pass<"tensoraccess-patch-function", "::mlir::ModuleOp"> {
  let summary = "computes a value of a function patch by patch";
  let description = [{
    A result, or the result of `op`, is computed in patches of `sizes`, in loops, with all that only it needs; ops after it stay whole.
    Intermediate tensors of all patches are never there at once, but where patches
    overlap, elements are computed again. What all patches read whole, such as a
    mean, or what others read too, is computed once, before the loops. StableHLO
    and other ops become linalg on tensors first, calls are inlined, elementwise
    ops fused.

    ```
    // --tensoraccess-patch-function="sizes=16,3"
    // Before
    func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
      %0 = stablehlo.exponential %x : tensor<64x3xf32>
    // After
    func.func @main(%x: tensor<64x3xf32>) -> tensor<64x3xf32> {
      %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %empty) {
        %1 = tensor.extract_slice %x[%i * 16, 0] [16, 3] [1, 1] : …
        %2 = linalg.generic … ins(%1) { math.exp } -> tensor<16x3xf32>
        tensor.insert_slice %2 into %acc[%i * 16, 0] [16, 3] [1, 1] : …
    ```

    Without `sizes`, those are chosen that need the least memory while operations
    are at most `recompute` times as many; or, with `memory`, the fewest operations
    with at most so many bytes. Without `op`, the value is chosen, too. The
    attribute `tensoraccess.patches` of the function has the number of patches,
    their sizes, and before and after, the operations and the most bytes of tensors
    that are live at once (without arguments and constants); a remark tells them.

    An op that does not exist, sizes that are no patch of the value, and a bound of
    memory that is not reached are errors. Preserves the elements exactly.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function">,
    Option<"result", "result", "int64_t", "0", "the number of the result">,
    Option<"op", "op", "std::string", "\"\"",
           "the op with whose result patches end, as linalg.reduce#1">,
    ListOption<"sizes", "sizes", "int64_t", "sizes of a patch">,
    Option<"memory", "memory", "int64_t", "0",
           "without sizes: the most bytes that are live at once">,
    Option<"recompute", "recompute", "double", "1.25",
           "without sizes: the most operations, relative to those of the whole">
  ];
}

def UpdateFunction : Pass<"tensoraccess-update-function", "::mlir::ModuleOp"> {
  let summary = "makes the program of what a change of arguments reaches";
  let description = [{
    The function takes its results of before as further arguments, behind its own,
    and returns them anew, where only the elements of `changed` are other ones
    than before: what these reach is computed (as by
    `tensoraccess-restrict-function`), the rest is taken over. What is reached is the
    hull of what depends on the change (found as in `tensoraccess-check-contracts`): with a causal mask, what comes later. So it is if no number that is
    computed is infinite or NaN but by the program's own masks; with `finite=false`
    it holds without that, and more is reached.

    ```
    // --tensoraccess-update-function="changed=0:[8,12)"
    // Before
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %0 = stablehlo.exponential %x : tensor<64xf32>
    // After
    func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
      %0 = tensor.extract_slice %x[8] [4] [1] : …
      %1 = linalg.generic … ins(%0) { math.exp } -> tensor<4xf32>
      %2 = tensor.insert_slice %1 into %y[8] [4] [1] : …
    ```

    An argument that does not exist, or a box that does not fit in it, is an error
    at the function.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function">,
    Option<"changed", "changed", "std::string", "\"\"",
           "arguments and what is new of them, as 0:[0,3)x[1,5);2:[0,4)">,
    Option<"finite", "finite", "bool", "true",
           "whether all that is computed is finite, but for masks">
  ];
}

def StreamFunction : Pass<"tensoraccess-stream-function", "::mlir::ModuleOp"> {
  let summary = "makes the program of the next elements of a sequence";
  let description = [{
    Of a function whose arguments in `axes` are sequences, and which makes
    sequences of the same length, two functions are made: `@init` takes the other
    arguments and gives a state; `@step` takes the state and the arguments, of
    sequences the next `step` elements, and gives the next state and the elements of
    the results. The state is the number of elements that were made, where that is
    read, the last elements of what is read in windows, what a loop along the sequence
    carries, the last results of an associative scan, and all elements of what is read
    whole, such as keys and values. That those that have
    not come yet cannot matter is proved (as by `tensoraccess-check-contracts`).

    ```
    // --tensoraccess-stream-function="axes=0:0"
    // Before: each element and the one before it
    func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %p = stablehlo.pad %x, %zero, low = [1] …
      %0 = stablehlo.slice %p [0:64] : …
      %1 = stablehlo.add %x, %0 : tensor<64xf32>
    // After
    func.func @init() -> tensor<1xf32>
    func.func @step(%last: tensor<1xf32>, %x: tensor<1xf32>)
        -> (tensor<1xf32>, tensor<1xf32>)
    ```

    The op that reads what is ahead, or all of a sequence in another way, is named
    in an error at its location; so is a loop along the sequence of which trip t does
    not write column t. With `in-place`, what is kept whole is a memref that `@step`
    writes to, and no result of it. Preserves results exactly if all that is computed, except for
    masks, is finite, but for associative scans, which are combined from left to right
    if what combines is proved to be associative as a polynomial, a maximum, or
    log(exp(x) + exp(y)).
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"", "the function">,
    Option<"axes", "axes", "std::string", "\"\"",
           "arguments and the dimensions along which they are sequences, as 0:1;2:0">,
    Option<"step", "step", "int64_t", "1", "elements of a step">,
    Option<"inPlace", "in-place", "bool", "false",
           "whether a step writes to what is kept whole, instead of returning it">
  ];
}

#endif // TENSORACCESS_CONVERSION_PASSES_TD
