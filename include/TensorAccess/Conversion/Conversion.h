//===- Conversion.h - To and from other dialects ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_CONVERSION_H
#define TENSORACCESS_CONVERSION_CONVERSION_H

#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Support/LLVM.h"

#include <array>
#include <optional>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Conversion as functions
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Other dialects to access patterns
//===----------------------------------------------------------------------===//

/// The kind of a raised op: a sum of products of two or more operands, the same
/// over sliding windows, any other reduction over sliding windows, any other
/// reduction, elementwise arithmetic, softmax, or pure movement.
enum class RaisedKind {
  Contraction,
  Convolution,
  Pooling,
  Reduction,
  Elementwise,
  Softmax,
  Movement
};
constexpr unsigned kNumRaisedKinds = 7;

/// A kind in lower case, `contraction`, and the inverse (std::nullopt if
/// unknown).
StringRef stringifyRaisedKind(RaisedKind kind);
std::optional<RaisedKind> symbolizeRaisedKind(StringRef name);

struct RaiseOptions {
  /// The kinds of ops to raise; all if empty.
  SmallVector<RaisedKind> kinds;
  /// Whether a linalg reduction whose body sums step by step in a float type
  /// narrower than f32 becomes a sum in f32 that is rounded once.
  bool widenSums = true;

  bool allows(RaisedKind kind) const {
    return kinds.empty() || llvm::is_contained(kinds, kind);
  }
};

/// Replaces one op by access patterns, as the pass `tensoraccess-raise`
/// describes. If that is impossible, the IR is unchanged and the reason is
/// reported through `notifyMatchFailure` and, if given, written to `reason`.
/// What ops read is taken from their nests (registerIndexingModels).
FailureOr<RaisedKind> raiseToAccess(RewriterBase &rewriter, Operation *op,
                                    const RaiseOptions &options = {},
                                    std::string *reason = nullptr);

/// The outcome of raising below an op; counts of ops.
struct RaiseSummary {
  std::array<int64_t, kNumRaisedKinds> raised = {};
  /// Ops that compute or move tensors and were not raised.
  int64_t missed = 0;

  int64_t operator[](RaisedKind kind) const {
    return raised[static_cast<unsigned>(kind)];
  }
};

/// Raises what can be raised below `root`, in program order. Emits remarks
/// `raise`: a passed one for each op that was raised, a missed one with the
/// reason for each that was not, and an analysis with the counts for each
/// function.
RaiseSummary raiseAllToAccess(Operation *root,
                              const RaiseOptions &options = {});

//===----------------------------------------------------------------------===//
// Access patterns to linalg
//===----------------------------------------------------------------------===//

/// How loops read windows that extend over the edge of an array.
enum class Borders {
  Auto, ///< peeled where the copy is large and a good part of the work
  Peel, ///< the interior reads the array, the borders small copies
  Copy, ///< everything reads one padded, wrapped or clamped copy
};

/// Lowers every access op below `root` to linalg on tensors, as the pass
/// `tensoraccess-lower-to-linalg` describes. If that is impossible, emits an
/// error and leaves the IR unchanged.
LogicalResult lowerToLinalg(Operation *root, Borders borders = Borders::Auto);

//===----------------------------------------------------------------------===//
// StableHLO to linalg
//===----------------------------------------------------------------------===//

/// The outcome of converting StableHLO.
struct StablehloSummary {
  int64_t converted = 0;
  /// The ops that were not converted, each with the reason.
  SmallVector<std::pair<Operation *, std::string>> left;
};

/// Converts StableHLO, MHLO and CHLO ops, as the pass
/// `tensoraccess-stablehlo-to-linalg` describes. Ops that cannot be converted
/// are left unchanged.
StablehloSummary convertStablehloToLinalg(ModuleOp module);

/// Replaces calls inside unregistered ops of one region (mostly StableHLO's
/// reductions), which MLIR must assume might be symbol tables, by the bodies of
/// their callees. For modules that are not verified yet: the verifier rejects
/// such calls.
LogicalResult inlineCallsInBodies(ModuleOp module);

/// Moves attributes that name symbols from `<{…}>` of unregistered ops to their
/// dictionaries: MLIR finds uses of symbols nowhere else, and erases functions
/// without uses.
void exposeSymbols(ModuleOp module);

//===----------------------------------------------------------------------===//
// Other ops to linalg
//===----------------------------------------------------------------------===//

/// Decomposes linalg.softmax, linalg.pack, linalg.unpack and tensor.concat
/// below `root`, which must be on tensors, and protects insertions with strides
/// from upstream's wrong fold with padding. Emits an error if an op cannot be
/// decomposed.
LogicalResult decomposeToLinalg(Operation *root);

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether the program has StableHLO ops of dynamic sizes that no engine runs
/// directly.
bool needsRefinedShapes(ModuleOp module);

/// Makes the sizes of a function's arguments static, those of all `?` in their
/// types in order of appearance, and with them everything that follows, as the
/// pass `tensoraccess-refine-shapes` describes. Emits an error if there are too
/// few or too many sizes, if some size does not follow, and if the program
/// asserts different ones.
LogicalResult refineShapes(ModuleOp module, StringRef entry,
                           ArrayRef<int64_t> sizes);

/// Asserts what ops assume about dynamic sizes and indices, as the pass
/// `tensoraccess-insert-checks` describes.
void insertChecks(ModuleOp module, bool onlyShapes = false);

/// Whether functions of the module call one another in a cycle.
bool hasRecursion(ModuleOp module);

/// Makes recursion an error if more than `depth` calls are open. Does nothing
/// if there is none.
void limitCalls(ModuleOp module, int64_t depth);

/// Emits an error at ops that upstream's passes, or any that takes quadratic
/// time in the rank, cannot handle, as the pass `tensoraccess-check-lowerable`
/// describes.
LogicalResult checkLowerable(Operation *root);

/// Emits an error at ops on which the upstream pass of that name would crash.
LogicalResult checkUpstreamPass(StringRef pass, Operation *root);

} // namespace mlir::tensoraccess
namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Importing and exporting Glenside programs
//===----------------------------------------------------------------------===//

/// Reads the program in the main buffer of `sources`: one s-expression, and for
/// each tensor a comment line `; name: 3x32x32xf64`. The module has one
/// function, `@main`, whose arguments are the tensors in the order of those
/// lines. It returns the program's value as a tensor; a tuple gives several
/// results, a shape a tensor of i64. Equal terms become one op.
///
/// Null after an error, which is reported at its line and column: malformed
/// text, an unknown word, a wrong operand, and anything that the verifiers of
/// the dialect's ops reject.
OwningOpRef<ModuleOp> importGlenside(const llvm::SourceMgr &sources,
                                     MLIRContext *context);

/// Writes the function `@main` below `root` (or the only function) as a
/// Glenside program that `importGlenside` reads. Emits an error at the first op
/// without a Glenside term; nothing is written then.
LogicalResult exportGlenside(Operation *root, raw_ostream &os);

/// Register `tensoraccess-translate --import-glenside` and
/// `--export-glenside`.
void registerGlensideImport();
void registerGlensideExport();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CONVERSION_CONVERSION_H
