//===- MovePasses.td - Passes on ops that move elements ----*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_MOVEPASSES_TD
#define TENSORACCESS_TRANSFORMS_MOVEPASSES_TD

include "mlir/Pass/PassBase.td"

def SinkMoves : Pass<"tensoraccess-sink-moves"> {
  let summary = "packs arguments right before their first use";
  let description = [{
    What only rearranges an argument of a function or a constant (packs, unpacks,
    transposes, pads by a constant, reshapes, slices, copies) moves down to the
    first op of its block that uses the result, or that contains one; so do empty
    tensors. The source is there all the time; the result is in memory no longer
    than it is needed, so that one buffer after the other serves all weights, and
    each is read while the cache has it.

    ```
    // Before
    %p = linalg.pack %w …
    %q = linalg.pack %v …
    %1 = linalg.generic … ins(%x, %p) …
    %2 = linalg.generic … ins(%1, %q) …
    // After
    %p = linalg.pack %w …
    %1 = linalg.generic … ins(%x, %p) …
    %q = linalg.pack %v …
    %2 = linalg.generic … ins(%1, %q) …
    ```

    Ops stay in their block: nothing enters a loop. Preserves results exactly.
  }];
  let statistics = [Statistic<"sunk", "sunk", "ops moved">];
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
    (include/TensorAccess/Runtime/Runtime.h), which whoever runs the program
    links, with sizes and strides in a constant.

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

#endif // TENSORACCESS_TRANSFORMS_MOVEPASSES_TD
