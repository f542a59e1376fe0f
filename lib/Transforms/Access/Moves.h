//===- Moves.h - Ops that move elements and compute nothing -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes of MovePasses.td do, for callers that hold the IR already:
// packing, unpacking and transposing at the speed of memory, at the right time,
// and once.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_MOVES_H
#define TENSORACCESS_LIB_TRANSFORMS_MOVES_H

#include "TensorAccess/Core/Machine.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// Moves ops that only rearrange arguments of functions and constants, and
/// empty tensors, down to the first op that uses them, as the pass
/// `tensoraccess-sink-moves` describes. Returns how many moved.
unsigned sinkMoves(Operation *root);

/// Turns a linalg op on buffers that computes nothing into loops over vectors,
/// as the pass `tensoraccess-vectorize-moves` describes. `isAligned` says
/// whether a buffer is known to begin at a cache line; `streamed`, if given, is
/// set to whether stores go past the caches. Moves of `callBytes` or more, if
/// that is not 0, call the runtime library. Fails, through
/// `notifyMatchFailure`, on other ops.
LogicalResult vectorizeMove(RewriterBase &rewriter, linalg::LinalgOp op,
                            const Target &target,
                            llvm::function_ref<bool(Value)> isAligned,
                            bool *streamed = nullptr, int64_t callBytes = 0);

/// Adds, behind a function `f` whose arguments had the types `before`, a public
/// function `pack_f`: it takes those whose types have changed, as they were,
/// and returns them as `f` takes them. `tensoraccess.argument` of its arguments
/// and results is their number in `f`. An error where there is such a symbol.
FailureOr<func::FuncOp> createPackFunction(FunctionOpInterface function,
                                           TypeRange before);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_MOVES_H
