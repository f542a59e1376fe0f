//===- SimplifyPasses.td - Upstream's simplifications ------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_TD
#define TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_TD

include "mlir/Pass/PassBase.td"

def GuardFolds : Pass<"tensoraccess-guard-folds"> {
  let summary = "rewrites ops that upstream folds wrongly";
  let description = [{
    Ops whose folds change what they compute become ops whose folds don't. Folds
    run in every greedy rewrite and every dialect conversion, so a pipeline that
    computes begins with this pass.

    - The dialect `index` becomes `arith` on indices.
    - `overflow<nsw, nuw>` and `exact` go: upstream joins ops and keeps what only
      one of them promised.
    - Sums, differences, products, quotients and conversions to floats without
      infinity and NaN, as `f4E2M1FN`, are computed in f32 and kept in range:
      beyond it is the largest number, of NaN comes -0.
    - `math.atan2(y, x)` gets 1 or -1 for `x` where both are 0.
    - `scf.index_switch` becomes `scf.if`, and `vector.extract_strided_slice` names
      all its dimensions.
    - `memref.subview` that drops some of its unit dimensions becomes one that drops
      none, and a `memref.reinterpret_cast` of it.
    - `ub.poison` becomes zeros, except in vectors.
    - `bufferization.to_buffer` that may be written to takes a copy of its tensor:
      two of one tensor are the same op for CSE.

    ```
    // Before
    %0 = index.ceildivs %x, %y
    %1 = arith.addi %0, %x overflow<nsw> : index
    // After
    %0 = arith.ceildivsi %x, %y : index
    %1 = arith.addi %0, %x : index
    ```

    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect"];
}

def Canonicalize : Pass<"tensoraccess-canonicalize"> {
  let summary = "canonicalizes without upstream's wrong patterns";
  let description = [{
    Does what `canonicalize` does, without the patterns that change what a program
    computes; before them, what `tensoraccess-guard-folds` does. The table of
    what is left out is in docs/Internals.md.

    ```
    // canonicalize makes %x of this
    %0 = arith.index_cast %x : index to i8
    %1 = arith.index_cast %0 : i8 to index
    ```

    Preserves results exactly.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // TENSORACCESS_TRANSFORMS_SIMPLIFYPASSES_TD
