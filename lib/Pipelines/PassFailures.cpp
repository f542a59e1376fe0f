//===- PassFailures.cpp - What is reported if a pass fails ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No pass fails without a word:
// 1. A diagnostic handler counts the errors that are shown.
// 2. The first pass that fails is the innermost one; it is noted.
// 3. Where a pass fails on the op that the pass manager runs on, all threads
//    have come back with their errors. If there is none, that is the error.
//
// No error is about an op that is not in the user's program. Upstream's passes
// speak of what they were about to do with what others had made:
// 4. Before the first pass, the names of ops are taken down by location, which
//    lowering keeps.
// 5. From the pass on that begins each lowering to LLVM, an error of upstream's
//    passes, or of any about an op that the program does not have, becomes one
//    about the op that it has at that location, with the error as the reason.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/PassManagers.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include <atomic>
#include <mutex>
#include <optional>

using namespace mlir;
using namespace mlir::tensoraccess;

/// What can be done where a program is not lowered.
static constexpr StringLiteral kAdvice =
    "`tensoraccess-run --engine=interpret` runs programs without lowering "
    "them; "
    "docs/Lowering.md shows what is compiled";

/// The first pass of each lowering to LLVM that sees the program as it is.
static constexpr StringLiteral kFirstOfLowering =
    "tensoraccess-check-lowerable";

//===----------------------------------------------------------------------===//
// Ops by location
//===----------------------------------------------------------------------===//

std::shared_ptr<const SourceOps>
mlir::tensoraccess::getSourceOps(Operation *program) {
  auto ops = std::make_shared<SourceOps>();
  program->walk([&](Operation *op) {
    StringAttr name = op->getName().getIdentifier();
    ops->names.insert(name);
    if (isa<UnknownLoc>(op->getLoc()))
      return;
    auto [entry, isNew] = ops->places.try_emplace(op->getLoc(), name);
    // Of several, none can be blamed.
    if (!isNew && entry->second != name)
      entry->second = StringAttr();
  });
  return ops;
}

StringAttr mlir::tensoraccess::findSourceOp(const SourceOps &ops,
                                            Location loc) {
  StringAttr name;
  loc->walk([&](Location part) {
    name = ops.places.lookup(part);
    return name ? WalkResult::interrupt() : WalkResult::advance();
  });
  return name;
}

//===----------------------------------------------------------------------===//
// The instrumentation
//===----------------------------------------------------------------------===//

namespace {

class PassFailures : public PassInstrumentation {
public:
  PassFailures(MLIRContext *context, std::shared_ptr<const SourceOps> ops)
      : engine(context->getDiagEngine()), source(std::move(ops)),
        lowers(source != nullptr),
        handler(engine.registerHandler([this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          numErrors += 1;
          return blameSource(diagnostic);
        })) {}
  ~PassFailures() override { engine.eraseHandler(handler); }

  void runBeforePass(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (depth == 0) {
      root = op;
      first.reset();
      if (!source)
        source = getSourceOps(op);
    }
    depth += op == root;
    if (!pass->getArgument().empty())
      current = pass->getArgument();
    lowers |= current == kFirstOfLowering;
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    depth -= op == root;
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    std::optional<std::pair<std::string, Location>> silent;
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!first)
        first.emplace(pass->getArgument().empty() ? pass->getName()
                                                  : pass->getArgument(),
                      op->getLoc());
      depth -= op == root;
      if (depth == 0 && op == root && numErrors == 0)
        silent = first;
    }
    if (silent)
      emitError(silent->second)
          << "pass '" << silent->first << "' failed and did not say why";
  }

private:
  LogicalResult blameSource(Diagnostic &diagnostic);

  DiagnosticEngine &engine;
  std::shared_ptr<const SourceOps> source;
  /// Whether a lowering to LLVM has begun.
  bool lowers;
  DiagnosticEngine::HandlerID handler;
  std::atomic<unsigned> numErrors = 0;
  std::mutex mutex;
  /// The op that passes run on, and how many of them are under way there.
  Operation *root = nullptr;
  unsigned depth = 0;
  std::optional<std::pair<std::string, Location>> first;
  /// The last pass that began.
  std::string current;
};

} // namespace

/// Step 5. Success where another error stands for this one.
LogicalResult PassFailures::blameSource(Diagnostic &diagnostic) {
  const std::string text = diagnostic.str();
  // The op that an error of an op's begins with.
  StringRef blamed = StringRef(text).split("' op ").first;
  if (!blamed.consume_front("'") || blamed.size() + 1 == text.size())
    blamed = {};
  std::string pass;
  StringAttr name;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!lowers || depth == 0)
      return failure();
    pass = current;
    name = findSourceOp(*source, diagnostic.getLocation());
    const bool isOurs = StringRef(pass).starts_with("tensoraccess-");
    if (!name || (isOurs && (blamed.empty() || source->names.contains(blamed))))
      return failure();
  }
  const std::string begin =
      ("'" + name.strref() + "' cannot be compiled: ").str();
  // Said already, by another pass manager's.
  if (StringRef(text).starts_with(begin))
    return failure();
  InFlightDiagnostic error = emitError(diagnostic.getLocation());
  error << begin << "pass '" << pass << "' fails, " << text;
  error.attachNote() << kAdvice;
  return success();
}

void mlir::tensoraccess::reportFailures(PassManager &pm,
                                        std::shared_ptr<const SourceOps> ops) {
  pm.addInstrumentation(
      std::make_unique<PassFailures>(pm.getContext(), std::move(ops)));
}
