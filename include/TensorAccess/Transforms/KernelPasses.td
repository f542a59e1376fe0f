//===- KernelPasses.td - Passes from ops to kernels --------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_KERNELPASSES_TD
#define TENSORACCESS_TRANSFORMS_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def FuseMultiplyAdd : Pass<"tensoraccess-fuse-multiply-add"> {
  let summary = "computes each step of a sum of products with one rounding";
  let description = [{
    In linalg ops whose body yields `out + x * y` of f32 or f64, where x and y
    are other arguments of the body, perhaps extended: one `math.fma`. Named ops
    become `linalg.generic`.

    ```
    // Before
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
    // After
    %s = math.fma %x, %y, %out : f32
    linalg.yield %s : f32
    ```

    The interpreter computes these steps so, in linalg, StableHLO, TOSA and
    access patterns alike: results are equal bit for bit on any processor; one
    without such an instruction calls libm. Products and sums with fast-math
    flags other than `contract` stay apart, those of other ops as well.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect"];
  let statistics = [Statistic<"fused", "fused", "linalg ops with such steps">];
}

def OrderLoops : Pass<"tensoraccess-order-loops"> {
  let summary = "puts a loop that vectorises innermost";
  let description = [{
    In linalg ops that reduce, moves innermost a parallel loop along which the
    result and every operand are contiguous or do not move, where there is one.
    The loops of `linalg.matmul` become m, k, n; those of a convolution in
    NHWC/HWCF end in f.

    ```
    // Before: loops (m, n, k)
    linalg.matmul ins(%a, %b : memref<5x7xf32>, memref<7x16xf32>)
                  outs(%c : memref<5x16xf32>)
    // After: loops (m, k, n)
    linalg.generic {indexing_maps = [(m, k, n) -> (m, k), (m, k, n) -> (k, n),
                                     (m, k, n) -> (m, n)], …}
    ```

    Preserves results exactly: reductions keep their order, so that each result
    element is summed as before.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"ordered", "ordered", "linalg ops whose loops were reordered">
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
    transposition where its terms are adjacent after it. A loop has at most 128
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
    Arguments with the attribute `tensoraccess.weight` are the same tensors in many
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
                 %w: tensor<256x100xf32> {tensoraccess.weight}) {
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

def RegisterTile : Pass<"tensoraccess-register-tile", "::mlir::ModuleOp"> {
  let summary = "keeps a tile of each reduction's result in registers";
  let description = [{
    A reducing linalg op on buffers of static sizes and strides becomes loops
    around a tile of its result, held in registers while all reduction loops run:
    columns, whole vectors along which the result is contiguous; rows of one or
    two other loops that some operand, read by vectors, does not move along. Its
    panels, as wide as a tile, are copied to a buffer of their own where they are
    not adjacent in memory and many rows use them. What is left of columns is
    masked, rows are cut evenly. Tile, blocks and the order of loops are those of
    the least cost by the target's registers and caches. A fill right before the
    op becomes what sums begin with.

    ```
    // Before: 60x256 by 256x64
    linalg.fill ins(%zero) outs(%c)
    linalg.generic {…} ins(%a, %b) outs(%c)
    // After, on a target with AVX-512
    scf.for %row … {
      %r:24 = scf.for %k … iter_args(%z, %z, …) -> (vector<16xf32>, …) {
        %v0 = vector.load %b[%at]
        …
      }
      vector.store %r#0, …
    }
    ```

    Assumes that the result's buffer overlaps no input, as bufferization makes
    it. Preserves results bit by bit: every element is computed by the same
    operations in the same order. Ops of other kinds stay as they were.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">
  ];
  let statistics = [Statistic<"tiled", "tiled", "reductions tiled">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineKernels
    : Pass<"tensoraccess-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "moves each linalg op on buffers into a function of its own";
  let description = [{
    Equal ops share a function: a deep network that repeats its layers is
    compiled once. A fill that a sum begins with goes with it. Scalar constants move into the function; buffers and other
    values become arguments, of static shape as bare pointers. A written buffer
    that no other argument can overlap is marked `llvm.noalias`. The functions
    are private and never inlined, since LLVM takes more than linear time in the
    size of one function.

    ```
    // Before
    linalg.fill ins(%zero : f32) outs(%a : memref<5x7xf32>)
    linalg.fill ins(%zero : f32) outs(%b : memref<5x7xf32>)
    // After
    call @tensoraccess_kernel(%a) : (memref<5x7xf32>) -> ()
    call @tensoraccess_kernel(%b) : (memref<5x7xf32>) -> ()
    ```

    Ops on tensors and ops without loops stay. Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"outlined", "outlined", "linalg ops moved into functions">,
    Statistic<"kernels", "kernels", "functions made">
  ];
}

def ExtendOperands : Pass<"tensoraccess-extend-operands"> {
  let summary = "extends small floats once, not in each step of a sum";
  let description = [{
    An input of f16 or bf16 of a reducing `linalg.generic` on buffers of known
    sizes, each element of which is read at least 128 times, and which the body
    only ever extends to one larger type, is extended to a buffer before the op.

    ```
    // Before
    linalg.generic ins(%a : memref<256x256xbf16>, …) {
      %x = arith.extf %in : bf16 to f32
      …
    // After
    %b = memref.alloc() : memref<256x256xf32>
    linalg.generic ins(%a) outs(%b) { … arith.extf … }
    linalg.generic ins(%b : memref<256x256xf32>, …) { … }
    ```

    A sum of products of two inputs of i8, signed or not, in i32 becomes a sum of
    f32 and its conversion, where it cannot be more than 2^24, and of f64 where it
    cannot be 2^31 or more: no rounding takes place, and processors multiply floats
    faster. So it is where inputs are read at least 16 times.

    Preserves results bit by bit.
  }];
  let statistics = [
    Statistic<"extended", "extended", "inputs extended">,
    Statistic<"multiplied", "multiplied", "sums of integers in floats">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ProfileKernels : Pass<"tensoraccess-profile-kernels", "::mlir::ModuleOp"> {
  let summary = "calls a clock when kernels begin and end";
  let description = [{
    Around each call of a function that tensoraccess-outline-kernels has made go
    calls of `tensoraccess_profile(kernel, isOver)`, which the program is linked
    with: the number of the call, and 0 or 1. An attribute of the module says what
    each number is: the loops of the kernel's op, its location, its operations (a
    multiply-add is two) and the bytes of its buffers.

    ```
    // Before
    func.call @tensoraccess_kernel(%a) : (memref<64xf32>) -> ()
    // After
    func.call @tensoraccess_profile(%c7, %c0) : (i64, i64) -> ()
    func.call @tensoraccess_kernel(%a) : (memref<64xf32>) -> ()
    func.call @tensoraccess_profile(%c7, %c1) : (i64, i64) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def ExpandBF16 : Pass<"tensoraccess-expand-bf16"> {
  let summary = "computes bf16 in f32, and rounds by integer arithmetic";
  let description = [{
    Arithmetic of `arith`, `math` and `vector` on scalars and vectors of bf16
    becomes arithmetic on f32, each result rounded to nearest even; conversions
    become integer arithmetic, without double rounding from f64 and integers.
    Results are then the same on every processor: instructions for bf16 exist on
    some, and flush subnormal numbers to zero there.

    ```
    // Before
    %c = arith.addf %a, %b : bf16
    // After
    %a0 = arith.bitcast %a : bf16 to i16
    %a1 = arith.extui %a0 : i16 to i32
    %a2 = arith.shli %a1, %c16 : i32
    %a3 = arith.bitcast %a2 : i32 to f32
    ...
    %c0 = arith.addf %a3, %b3 : f32
    ...                                  // rounds the bits of %c0
    %c = arith.bitcast %c9 : i16 to bf16
    ```

    Tensors and memrefs of bf16 stay. A NaN stays one, but not its payload.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def BF16ToI16 : Pass<"tensoraccess-bf16-to-i16", "::mlir::ModuleOp"> {
  let summary = "turns bf16 that is only moved into i16, in the LLVM dialect";
  let description = [{
    Types and constants of bf16 become those of i16 with the same bits, in
    functions, globals, loads, stores, shuffles. Code generators of processors
    with instructions for bf16 end the process on some moves of its vectors.
    Does nothing to a module in which something is still computed in bf16.

    ```
    // Before
    %0 = llvm.load %p : !llvm.ptr -> vector<9xbf16>
    // After
    %0 = llvm.load %p : !llvm.ptr -> vector<9xi16>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def BoolsToBytes : Pass<"tensoraccess-bools-to-bytes", "::mlir::ModuleOp"> {
  let summary = "loads and stores i1 as the byte that it takes, in the LLVM dialect";
  let description = [{
    LLVM makes vectors of loops over bytes, but not of loops over i1.

    ```
    // Before
    %0 = llvm.load %p : !llvm.ptr -> i1
    // After
    %1 = llvm.load %p : !llvm.ptr -> i8
    %0 = llvm.trunc %1 : i8 to i1
    ```

    Preserves results: such a byte is 0 or 1.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_KERNELPASSES_TD
