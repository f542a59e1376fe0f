//===- Raise.cpp - The pass that raises, and its account ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. List the ops below the root that compute or move tensors, in program
//    order. Where one repeats operands of size 1, note whether all unknown sizes
//    are known to be the result's: no view is right both for size 1 and for others.
// 2. Softmax written out in several ops is looked for first; then each op is
//    given to the reader of its dialect (RaiseReaders.h). What a reader built
//    replaces the op; ops that only that op read are erased.
// 3. Fills come last: most of them were erased with the sums they began. One
//    that only begins ops which stayed is not a movement of its own.
// 4. Remarks: a remark for each op, raised or not and why, and one for each
//    function with the counts.
//
//===----------------------------------------------------------------------===//

#include "RaiseReaders.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_RAISETOACCESS
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kKindNames[kNumRaisedKinds] = {
    "contraction", "convolution", "pooling", "reduction",
    "elementwise", "softmax",     "movement"};

StringRef mlir::tensoraccess::stringifyRaisedKind(RaisedKind kind) {
  return kKindNames[static_cast<unsigned>(kind)];
}

std::optional<RaisedKind>
mlir::tensoraccess::symbolizeRaisedKind(StringRef name) {
  const StringLiteral *it = llvm::find(kKindNames, name);
  if (it == std::end(kKindNames))
    return std::nullopt;
  return static_cast<RaisedKind>(it - std::begin(kKindNames));
}

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

static bool hasTensorResult(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); });
}

/// True for the ops that remarks report: those that compute or move
/// tensors. Not constants, shapes and destinations.
static bool isCandidate(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "linalg")
    return !isa<linalg::YieldOp, linalg::IndexOp>(op);
  if (!hasTensorResult(op))
    return false;
  if (isHloCandidate(op))
    return true;
  if (dialect == "tensor")
    return !isa<tensor::EmptyOp, tensor::CastOp, tensor::FromElementsOp>(op);
  if (dialect == "tosa" || dialect == "arith" || dialect == "math")
    return !op->hasTrait<OpTrait::ConstantLike>();
  return false;
}

/// Where an op of tosa repeats operands of size 1, why it is not known which those
/// are, in the sizes of the function; empty where it is.
static std::string findUnknownRepetition(IndexingCache &cache, Operation *op) {
  if (op->getName().getDialectNamespace() != "tosa" || op->getNumResults() != 1)
    return {};
  for (unsigned o = 0; o < op->getNumOperands(); ++o) {
    const IndexingSet &set = cache.get(op).outputToInput(0, o);
    if (set.isUnknown())
      return "what it reads is unknown: " + describe(set.getReason()).str();
    for (const IndexingMap &map : set.getMaps())
      for (auto [d, form] : llvm::enumerate(map.getResults())) {
        std::optional<AtomId> dim = form.asAtom();
        if (!form.isConstant() && !(dim && map.getArena().isVariable(*dim)))
          return llvm::formatv(
                     "dimension {0} of operand {1} has a size unknown at "
                     "compile time, and is repeated if it is 1",
                     d, o)
              .str();
      }
  }
  return {};
}

/// Asks the reader of the op's dialect.
static std::optional<RaisedKind> readOp(RaiseBuilder &builder, Operation *op,
                                        SmallVectorImpl<Value> &results) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.hasPureTensorSemantics() && !isMemoryEffectFree(op))
      return builder.refuse("its body has effects");
    return raiseStructuredOp(builder, structured, results);
  }
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "linalg" || dialect == "tensor")
    return raiseTensorOp(builder, op, results);
  if (dialect == "tosa")
    return raiseTosaOp(builder, op, results);
  if (dialect == "arith" || dialect == "math")
    return raiseMappedOp(builder, op, results);
  if (isHlo(op))
    return raiseHloOp(builder, op, results);
  return builder.refuse("no reader knows its dialect");
}

/// Recognises a softmax by the quotient at its end, where one is written out in
/// several ops.
static std::optional<RaisedKind> readSoftmax(RaiseBuilder &builder,
                                             Operation *op,
                                             SmallVectorImpl<Value> &results) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return raiseWrittenSoftmax(builder, structured, results);
  if (isHlo(op, "divide"))
    return raiseHloOp(builder, op, results, /*asSoftmax=*/true);
  return builder.refuse("it is not a quotient");
}

using OpReader = function_ref<std::optional<RaisedKind>(
    RaiseBuilder &, Operation *, SmallVectorImpl<Value> &)>;

/// Replaces an op by what a reader raises it to; else writes the reason.
static FailureOr<RaisedKind> raiseBy(OpReader read, RewriterBase &rewriter,
                                     Operation *op, const RaiseOptions &options,
                                     StringRef unknownRepetition,
                                     std::string &reason, Type &widened) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  SmallVector<Operation *> maybeDead;
  std::optional<RaisedKind> kind;
  {
    RaiseBuilder builder(rewriter, op->getLoc(), options.widenSums,
                         unknownRepetition);
    kind = read(builder, op, results);
    if (kind && !builder.hasFailed() && !options.allows(*kind))
      builder.fail("kind `" + stringifyRaisedKind(*kind) +
                   "` is not asked for");
    if (!kind || llvm::is_contained(results, Value()))
      builder.fail("it has no meaning as access patterns");
    reason = builder.getReason().str();
    widened = builder.getWidened();
    // A reader may build what it then does not need.
    maybeDead = builder.getBuiltOps();
  }
  if (!reason.empty())
    return rewriter.notifyMatchFailure(op, reason);
  llvm::append_range(maybeDead, getProducers(op));
  rewriter.replaceOp(op, results);
  eraseDead(rewriter, maybeDead);
  return *kind;
}

FailureOr<RaisedKind>
mlir::tensoraccess::raiseToAccess(RewriterBase &rewriter, Operation *op,
                                  const RaiseOptions &options,
                                  std::string *reason) {
  std::string why;
  Type widened;
  IndexingCache cache;
  FailureOr<RaisedKind> kind =
      raiseBy(readOp, rewriter, op, options, findUnknownRepetition(cache, op),
              why, widened);
  if (reason && failed(kind))
    *reason = why;
  return kind;
}

//===----------------------------------------------------------------------===//
// Everything below an op
//===----------------------------------------------------------------------===//

namespace {
/// Remembers which ops are gone.
struct ErasedOps : public RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { erased.insert(op); }
  DenseSet<Operation *> erased;
};

/// Writes the remarks and counts, by function.
class Account {
public:
  Account(Operation *root) : root(root) {}

  /// `widened` is the type that its sums had, where they are wider now.
  void raised(Location loc, StringRef name, FunctionOpInterface function,
              RaisedKind kind, Type widened) {
    ++summaries[function].raised[static_cast<unsigned>(kind)];
    auto note = remark::passed(loc, remarkOptions("raise", function));
    note << remark::add("{0} is raised", name)
         << remark::metric("Kind", stringifyRaisedKind(kind));
    if (widened)
      note << remark::metric("Sums", typeName(getSumType(widened)))
           << remark::reason("its own are rounded to {0} in every step",
                             typeName(widened));
  }
  void missed(Location loc, StringRef name, FunctionOpInterface function,
              StringRef reason) {
    ++summaries[function].missed;
    remark::missed(loc, remarkOptions("raise", function))
        << remark::add("{0} is not raised", name)
        << remark::reason("{0}", reason);
  }
  /// The counts of all functions, after one remark for each.
  RaiseSummary finish() {
    RaiseSummary total;
    for (auto &[op, summary] : summaries) {
      auto function = dyn_cast_or_null<FunctionOpInterface>(op);
      Location loc = op ? op->getLoc() : root->getLoc();
      remark::analysis(loc, remarkOptions("raise", function))
          << remark::metric("Contractions", summary[RaisedKind::Contraction])
          << remark::metric("Convolutions", summary[RaisedKind::Convolution])
          << remark::metric("Poolings", summary[RaisedKind::Pooling])
          << remark::metric("Reductions", summary[RaisedKind::Reduction])
          << remark::metric("Elementwise", summary[RaisedKind::Elementwise])
          << remark::metric("Softmaxes", summary[RaisedKind::Softmax])
          << remark::metric("Movements", summary[RaisedKind::Movement])
          << remark::metric("Missed", summary.missed);
      for (auto [sum, count] : llvm::zip(total.raised, summary.raised))
        sum += count;
      total.missed += summary.missed;
    }
    return total;
  }

private:
  Operation *root;
  llvm::MapVector<Operation *, RaiseSummary> summaries;
};
} // namespace

/// True if only ops that write over a destination read the tensor.
static bool isOnlyDestination(Value tensor) {
  return llvm::all_of(tensor.getUses(), [](OpOperand &use) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return op && op.isDpsInit(&use);
  });
}

RaiseSummary mlir::tensoraccess::raiseAllToAccess(Operation *root,
                                                  const RaiseOptions &options) {
  // Step 1.
  {
    IRRewriter rewriter(root->getContext());
    raiseHloConstants(rewriter, root);
  }
  SmallVector<Operation *> candidates, fills;
  llvm::DenseMap<Operation *, std::string> unknownRepetitions;
  IndexingCache cache;
  const llvm::DenseMap<Operation *, StringRef> refined = findRefinedHlo(root);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root)
      return WalkResult::advance();
    if (isCandidate(op)) {
      (isa<linalg::FillOp>(op) ? fills : candidates).push_back(op);
      if (std::string why = findUnknownRepetition(cache, op); !why.empty())
        unknownRepetitions[op] = std::move(why);
    }
    // Bodies of structured ops hold scalars.
    return isa<linalg::LinalgOp>(op) || hasHloScalarBody(op)
               ? WalkResult::skip()
               : WalkResult::advance();
  });
  ErasedOps listener;
  IRRewriter rewriter(root->getContext(), &listener);
  Account account(root);
  auto raise = [&](Operation *op, OpReader read, bool isAccounted) {
    if (listener.erased.contains(op))
      return;
    std::string reason = refined.lookup(op).str();
    Location loc = op->getLoc();
    StringRef name = op->getName().getStringRef();
    auto function = op->getParentOfType<FunctionOpInterface>();
    Type widened;
    FailureOr<RaisedKind> kind = failure();
    if (reason.empty())
      kind = raiseBy(read, rewriter, op, options, unknownRepetitions.lookup(op),
                     reason, widened);
    if (succeeded(kind))
      account.raised(loc, name, function, *kind, widened);
    else if (isAccounted)
      account.missed(loc, name, function, reason);
  };
  // Step 2. A softmax is seen while the ops that it consists of are there.
  if (options.allows(RaisedKind::Softmax))
    for (Operation *op : candidates)
      raise(op, readSoftmax, /*isAccounted=*/false);
  for (Operation *op : candidates)
    raise(op, readOp, /*isAccounted=*/true);
  // Step 3.
  for (Operation *op : fills) {
    if (listener.erased.contains(op))
      continue;
    if (op->getNumResults() != 1 || !isOnlyDestination(op->getResult(0)))
      raise(op, readOp, /*isAccounted=*/true);
    else if (op->use_empty())
      eraseDead(rewriter, op);
  }
  return account.finish();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RaiseToAccessPass
    : public tensoraccess::impl::RaiseToAccessBase<RaiseToAccessPass> {
  using RaiseToAccessBase::RaiseToAccessBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    RaiseToAccessBase::getDependentDialects(registry);
    registerIndexingModels(registry);
  }
  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    RaiseOptions options;
    options.widenSums = widenSums;
    for (const std::string &name : kinds) {
      std::optional<RaisedKind> kind = symbolizeRaisedKind(name);
      if (!kind) {
        emitError(getOperation()->getLoc()) << describeUnknown(
            "kind", name, ArrayRef<StringLiteral>(kKindNames));
        return signalPassFailure();
      }
      options.kinds.push_back(*kind);
    }
    RaiseSummary summary = raiseAllToAccess(getOperation(), options);
    contractions += summary[RaisedKind::Contraction];
    convolutions += summary[RaisedKind::Convolution];
    poolings += summary[RaisedKind::Pooling];
    reductions += summary[RaisedKind::Reduction];
    elementwise += summary[RaisedKind::Elementwise];
    softmaxes += summary[RaisedKind::Softmax];
    movements += summary[RaisedKind::Movement];
    missed += summary.missed;
  }
};
} // namespace
