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

def CutSizes : Pass<"tensoraccess-cut-sizes"> {
  let summary = "cuts unknown sizes into parts of known ones";
  let description = [{
    A linalg op on buffers that reduces, whose parallel loops are of unknown sizes,
    becomes loops over parts of known sizes, with the fill that its result begins
    with: parts of 256 iterations, what is left in parts of 32, 8 and 1. Where an
    iteration has rows of its own, an image of a batch, it is a part by itself. The
    passes that follow plan kernels for each size.

    ```
    // Before
    linalg.matmul ins(%a, %b : memref<?x512xf32>, memref<512x64xf32>)
                  outs(%c : memref<?x64xf32>)
    // After, and likewise of 32, 8 and 1
    scf.for %i = %c0 to %whole step %c256 {
      %as = memref.subview %a[%i, 0] [256, 512] [1, 1]
      %cs = memref.subview %c[%i, 0] [256, 64] [1, 1]
      linalg.matmul ins(%as, %b) outs(%cs)
    }
    ```

    A product of unknown columns, sums or strides becomes blocks of 256 and 64 that
    are copied to buffers of known sizes; last blocks are filled up, inputs with 0 and
    -0, whose product changes no sum. Where that would be two thirds of the work, a
    run takes the op as it was.

    Preserves results bit by bit. Ops stay that do little work, and those of unknown
    sums or strides that are no products.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
           "Blocks of a product in a parallel loop, not one after the other">
  ];
  let statistics = [
    Statistic<"cut", "cut", "linalg ops that became parts">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
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

def BlockKernels : Pass<"tensoraccess-block-kernels", "::mlir::ModuleOp"> {
  let summary = "runs ops on the same rows one after the other while caches hold "
                "them";
  let description = [{
    Linalg ops on buffers of known sizes that follow one another and have rows in
    common become one loop over parts of the rows: each op writes its results row
    by row, and reads what the others have written at the same rows only. A part
    is as large as half of the target's second cache, or smaller, where there are
    several cores; then the loop is a `scf.forall`. Buffers that nothing else has
    become buffers of a part.

    ```
    // Before: the sums of rows, and rows divided by them
    linalg.reduce ins(%x : memref<4096x1024xf32>) outs(%s : memref<4096xf32>)
    linalg.generic ins(%x, %s) outs(%y : memref<4096x1024xf32>)
    // After
    scf.for %part = … {
      %xs = memref.subview %x[%at, 0] [128, 1024] [1, 1]
      %own = memref.alloc() : memref<128xf32>
      linalg.reduce ins(%xs) outs(%own)
      linalg.generic ins(%xs, %own) outs(%ys)
      memref.dealloc %own
    }
    ```

    Preserves results bit by bit. Products stay, and ops with assertions or that
    read more than 64 KiB that all rows share.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"cores", "cores", "int64_t", "0",
           "cores to cut for; 0: those of the target">
  ];
  let statistics = [Statistic<"blocked", "blocked", "ops in such loops">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineKernels
    : Pass<"tensoraccess-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "moves each linalg op on buffers into its own function";
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

def ProfileKernels : Pass<"tensoraccess-profile-kernels", "::mlir::ModuleOp"> {
  let summary = "calls a clock when kernels begin and end";
  let description = [{
    Around each call of a function that tensoraccess-outline-kernels has made go
    calls of `tensoraccess_profile(kernel, isOver)`, which the program is linked
    with: the number of the call, and 0 or 1. An attribute of the module lists what
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

def ParallelizeKernels
    : Pass<"tensoraccess-parallelize-kernels", "::mlir::ModuleOp"> {
  let summary = "cuts linalg ops on buffers for several cores";
  let description = [{
    A linalg op of known sizes becomes a `scf.forall` over parts of one of its
    parallel loops, with the fill that its result begins with and the elementwise
    op that takes it. Loop and number of parts are those of least cost for the
    target's cores: parts of equal size, in which little is read or copied again;
    columns are cut at whole vectors. Ops of little work stay whole.

    ```
    // Before: 512x256 by 256x512, on two cores
    linalg.fill ins(%zero) outs(%c)
    linalg.matmul ins(%a, %b) outs(%c)
    // After
    scf.forall (%part) in (2) {
      %at = arith.muli %part, %c256 : index
      %bs = memref.subview %b[0, %at] [256, 256] [1, 1]
      %cs = memref.subview %c[0, %at] [512, 256] [1, 1]
      linalg.fill ins(%zero) outs(%cs)
      linalg.matmul ins(%a, %bs) outs(%cs)
    }
    ```

    Preserves results bit by bit. Ops with asserts are cut along their first
    loop, so that what fails first is the same. Those stay whose body writes to
    memory, and those that write to a buffer which is neither an allocation nor an
    argument marked `llvm.noalias`: another one could overlap it.

    So does a `scf.for` of much work that computes, reads and writes elements,
    each iteration those of one index: a running sum of each row.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"cores", "cores", "int64_t", "0",
           "cores to cut for; 0: those of the target">
  ];
  let statistics = [Statistic<"parallelized", "parallelized", "ops cut">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def RegisterTile : Pass<"tensoraccess-register-tile", "::mlir::ModuleOp"> {
  let summary = "keeps a tile of each reduction's result in registers";
  let description = [{
    A reducing linalg op on buffers of static sizes and strides becomes loops
    around a tile of its result, held in registers while all reduction loops run:
    columns, whole vectors along which the result is contiguous; rows of one or
    two other loops that some operand, read by vectors, does not move along. Its
    panels, as wide as a tile, are copied to their own buffer where they are
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

def VectorizeMoves
    : Pass<"tensoraccess-vectorize-moves", "::mlir::ModuleOp"> {
  let summary = "moves elements by lines and squares of vectors";
  let description = [{
    A linalg op on buffers of static shape that yields its one input, transposed
    in any way, becomes loops around vectors:

    - where a dimension runs along both buffers, a line of it at a time, in the
      order of the result; of runs of up to two lines eight that are neighbours
      in the result at once, then those that follow them in the source, which is
      so read as eight streams;
    - else squares of the two dimensions that run along one buffer each, a line
      long, transposed in registers in as many steps as their side has bits. The
      last square of a row may overlap the one before.

    ```
    // Before: 2048x512 in panels of 16 columns
    linalg.transpose ins(%x : memref<2048x32x16xf32>)
                     outs(%y : memref<32x2048x16xf32>) permutation = [1, 0, 2]
    // After
    scf.for %rows … scf.for %panel … scf.for %row … {
      %v = vector.load %a[%rows * 4096 + %panel * 16 + %row * 512]
      vector.store %v, %b[%rows * 128 + %panel * 32768 + %row * 16]
    }
    ```

    Stores are `nontemporal` where the result is larger than the target's
    `last_cache`, its lines are written whole, and its buffer is known to begin at
    a cache line: an aligned allocation or global, or an argument of a private
    function that all calls give such a buffer. A fence follows.

    With `call-bytes` large moves call `tensoraccess_move` of the runtime library
    (include/TensorAccess/Runtime/Runtime.h), which the program must be linked
    with, with sizes and strides in a constant.

    Assumes that the buffers do not overlap, as bufferization makes them.
    Preserves results exactly. Ops of other kinds stay as they were.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"\"",
           "as in tensoraccess-assign-layouts; default: the module's, or host">,
    Option<"callBytes", "call-bytes", "int64_t", "0",
           "moves of so many bytes or more call the runtime library (0: none)">
  ];
  let statistics = [
    Statistic<"vectorized", "vectorized", "moves vectorized">,
    Statistic<"streamed", "streamed", "moves stored past the caches">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_KERNELPASSES_TD
