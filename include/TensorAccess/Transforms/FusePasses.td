//===- FusePasses.td - Linalg on tensors as fewer loops ----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_FUSEPASSES_TD
#define TENSORACCESS_TRANSFORMS_FUSEPASSES_TD

include "mlir/Pass/PassBase.td"

def DotProducts : Pass<"tensoraccess-dot-products", "::mlir::ModuleOp"> {
  let summary = "sums products of i8 by dot products of four";
  let description = [{
    A reduction of known sizes on tensors that adds products of two inputs of i8 in
    i32, one of them with signs, on a target with VNNI (`avx512vnni`, `avxvnni`):
    the input that moves along the result's columns is put in panels of columns,
    four elements of a sum beside each other, and the sum becomes one of fours and
    one in a four, which `tensoraccess-register-tile` makes one instruction of.
    Where both have signs, 128 is added to the other input, by its sign bit, and 128
    times the columns' sums are taken from the result. So it is from 16 rows on, of
    columns that are packed once (`tensoraccess-pack-weights`) from one on.

    ```
    // Before: 60x256 by 256x128, i8
    %y = linalg.matmul ins(%a, %b : …) outs(%zeros : tensor<60x128xi32>)
    // After, on a target with AVX-512
    %p = linalg.generic {…} ins(%b) outs(… : tensor<2x64x64x4xi8>)
    %c = linalg.generic {…} ins(%b) outs(… : tensor<128xi32>)
    %s = linalg.generic {(m, n, k, i) -> (m, 4 * k + i),
                         (m, n, k, i) -> (n floordiv 64, k, n mod 64, i), …}
         ins(%a, %p : …) …
    %y = linalg.generic {…} ins(%s, %c) …
    ```

    Preserves results bit by bit: i32 wraps around.

    With `reassociate`, products of bf16 in f32 are summed in pairs likewise, on a
    target with `avx512bf16`, whose instruction rounds each addition and takes
    subnormal numbers for zero: another result than sums in their order.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"reassociate", "reassociate", "bool", "false",
           "whether floats may be added in any order">
  ];
  let statistics = [Statistic<"rewritten", "rewritten", "sums rewritten">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PushSlices : Pass<"tensoraccess-push-slices", "::mlir::ModuleOp"> {
  let summary = "computes of each tensor what is read of it";
  let description = [{
    Where the ops that read a tensor need only parts of it, the op that makes it
    makes only these, of the parts of its operands that it reads, and so on up to
    the arguments: convolutions, products, reductions, windows, elementwise ops,
    pads, reshapes, transpositions, concatenations, whatever loops carry. Nothing is
    computed twice that was computed once; where all is read, ops stay as they
    are. Two parts of which the hull holds more than both are made one by one.

    ```
    // Before
    %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : …) … -> tensor<1x62x62x8xf32>
    %z = tensor.extract_slice %y[0, 8, 8, 0] [1, 4, 4, 8] [1, 1, 1, 1] : …
    // After
    %p = tensor.extract_slice %x[0, 8, 8, 0] [1, 6, 6, 3] [1, 1, 1, 1] : …
    %z = linalg.conv_2d_nhwc_hwcf ins(%p, %w : …) … -> tensor<1x4x4x8xf32>
    ```

    Assumes nothing. Preserves results exactly: each element is made by the same
    operations in the same order. Tensors of dynamic shape stay whole, and so do
    those that ops read which are not understood.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"narrowed", "narrowed", "ops that make less than before">
  ];
}

def FuseElementwise : Pass<"tensoraccess-fuse-elementwise"> {
  let summary = "fuses elementwise ops that read each other into one loop";
  let description = [{
    Elementwise linalg ops on tensors of one block become one op, with a result
    for each tensor that is read elsewhere, where nothing is computed twice:
    each reads the others' results at one point of the loops, and nothing else
    reads them before the last. What only moves (broadcasts, transposes), fills
    and constants are read through by all their readers. A sum that is transposed
    alone is written so, where that has no fewer columns, or 64; one reads through a
    transposition where its terms are adjacent after it. A result of up to three
    additions and products of one tensor and smaller ones is computed again by each
    reader where plain sums and elementwise ops alone read it, a sum at least unless
    the op has other results. A loop has at most 128
    scalar ops and runs along at most 32 tensors.

    ```
    // Before: three loops, two intermediate tensors
    %1 = linalg.generic … ins(%a, %b) { arith.addf }
    %2 = linalg.generic … ins(%1) { math.exp }
    %3 = linalg.generic … ins(%1, %2) { arith.mulf }
    // After
    %3 = linalg.generic … ins(%a, %b) { arith.addf, math.exp, arith.mulf }
    ```

    Takes linear time. Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"fused", "fused", "ops that became part of another's loop">
  ];
}

def HoistPanels : Pass<"tensoraccess-hoist-panels", "::mlir::ModuleOp"> {
  let summary = "puts what products in a loop read each time in panels before it";
  let description = [{
    Where a reduction of known sizes in the body of `scf.while` or `scf.for` reads a
    tensor by the columns of its result, and the tensor needs nothing of the loop, it
    reads panels of columns that are made once, before the loop: those that its
    kernel would copy in each trip (as `tensoraccess-register-tile` does), those that
    spare it the transposition of rows that are summed along themselves, or the ones
    of `tensoraccess-dot-products`. What the body computes for the panels moves with
    them, out of each loop around it, too, that it needs nothing of. They are a copy
    that takes as long as a few trips: a loop that is known to have fewer than 8 stays
    as it is.

    ```
    // Before: a state of 512 numbers by a matrix
    scf.while (%h = %start) : … {
      …
      %y = linalg.matvec ins(%w, %h : tensor<512x512xf32>, tensor<512xf32>) …
    // After, on a target with AVX-512
    %p = linalg.generic {…} ins(%w) outs(… : tensor<8x512x64xf32>)
    scf.while (%h = %start) : … {
      …
      %y = linalg.generic {(m, k) -> (m floordiv 64, k, m mod 64),
                           (m, k) -> (k), …} ins(%p, %h : …) …
    ```

    Preserves results bit by bit.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">
  ];
  let statistics = [Statistic<"hoisted", "hoisted", "operands in panels">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PackWeights : Pass<"tensoraccess-pack-weights", "::mlir::ModuleOp"> {
  let summary = "moves the packing of weights to a function that runs once";
  let description = [{
    Arguments with the attribute `tensoraccess.constant` are the same tensors in many
    calls. Where a reduction of known sizes reads one of them, a constant, or what
    is computed of those alone, and its kernel would copy that panel by panel (as
    `tensoraccess-register-tile` does), it reads panels that are there: `k` by `n`
    become panels of `w` columns, the last one filled with zeros. f16 and bf16 that
    the op only extends are extended there.

    After a public function `f`, `pack_f` takes the weights and returns those
    panels and whatever else `f` computed of weights alone and is no larger than
    what it was computed of; they are further arguments of `f`.
    `tensoraccess.argument` of `pack_f`'s arguments and results is their number in
    `f`. An error if there is such a symbol. Functions that are called, or have
    several blocks, stay.

    ```
    // Before
    func.func @f(%x: tensor<60x256xf32>,
                 %w: tensor<256x100xf32> {tensoraccess.constant}) {
      %y = linalg.matmul ins(%x, %w : …) outs(%zeros : …)
    // After, on a target with AVX-512
    func.func @f(%x: tensor<60x256xf32>, %w: tensor<256x100xf32>,
                 %p: tensor<3x256x48xf32>) {
      %y = linalg.generic {(m, n, k) -> (m, k),
                           (m, n, k) -> (n floordiv 48, k, n mod 48), …}
             ins(%x, %p : …) …
    func.func @pack_f(%w: tensor<256x100xf32>) -> tensor<3x256x48xf32>
    ```

    Preserves results bit by bit.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"outParams", "out-params", "bool", "false",
           "pack_f returns nothing, and takes a buffer for each result, after its "
           "arguments">
  ];
  let statistics = [Statistic<"packed", "packed", "operands in panels">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_FUSEPASSES_TD
