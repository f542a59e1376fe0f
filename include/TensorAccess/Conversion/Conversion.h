//===- Conversion.h - Conversion as functions -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes of Passes.td do, for callers that hold the IR already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_CONVERSION_H
#define TENSORACCESS_CONVERSION_CONVERSION_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// linalg to access patterns
//===----------------------------------------------------------------------===//

/// What raising did to one op.
enum class RaisedKind { Contraction, Convolution };

/// Replaces one linalg op by access patterns, as the pass `tensoraccess-raise`
/// describes. Where that is impossible the IR stays as it was and the reason is
/// reported through `notifyMatchFailure` and, if given, written to `reason`.
FailureOr<RaisedKind> raiseToAccess(RewriterBase &rewriter, linalg::LinalgOp op,
                                    std::string *reason = nullptr);

/// What raising did below an op; counts of ops.
struct RaiseSummary {
  int64_t convolutions = 0;
  int64_t contractions = 0;
  /// Contractions and convolutions (in the sense of linalg's interfaces, or
  /// generic ops that reduce over two operands) that stayed as they were.
  int64_t missed = 0;
};

/// Raises what can be raised below `root`, in program order, with a missed
/// remark `raise` for every op that is counted as missed.
RaiseSummary raiseAllToAccess(Operation *root);

//===----------------------------------------------------------------------===//
// Access patterns to linalg
//===----------------------------------------------------------------------===//

/// Lowers every access op below `root` to linalg on tensors, as the pass
/// `tensoraccess-lower-to-linalg` describes. Emits an error and leaves the IR
/// as it was where that is impossible.
LogicalResult lowerToLinalg(Operation *root);

//===----------------------------------------------------------------------===//
// StableHLO to linalg
//===----------------------------------------------------------------------===//

/// What the conversion of StableHLO did.
struct StablehloSummary {
  int64_t converted = 0;
  /// The ops that stay, each with the reason.
  SmallVector<std::pair<Operation *, std::string>> left;
};

/// Converts StableHLO, MHLO and CHLO ops in generic form, as the pass
/// `tensoraccess-stablehlo-to-linalg` describes. Ops that cannot be converted
/// stay as they were.
StablehloSummary convertStablehloToLinalg(ModuleOp module);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CONVERSION_CONVERSION_H
