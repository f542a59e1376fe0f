//===- SilentFailures.cpp - No pass fails without a word ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A diagnostic handler counts the errors that somebody will see.
// 2. The first pass that fails is the innermost one; it is noted.
// 3. Where a pass fails on the op that the pass manager runs on, all threads
//    have come back with their errors. If there is none, that is the error.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/Pipelines.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include <atomic>
#include <mutex>
#include <optional>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class SilentFailures : public PassInstrumentation {
public:
  explicit SilentFailures(MLIRContext *context)
      : engine(context->getDiagEngine()),
        handler(engine.registerHandler([this](Diagnostic &diagnostic) {
          numErrors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
          return failure();
        })) {}
  ~SilentFailures() override { engine.eraseHandler(handler); }

  void runBeforePass(Pass *pass, Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    if (depth == 0) {
      root = op;
      first.reset();
    }
    depth += op == root;
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
  DiagnosticEngine &engine;
  DiagnosticEngine::HandlerID handler;
  std::atomic<unsigned> numErrors = 0;
  std::mutex mutex;
  /// The op that passes run on, and how many of them are under way there.
  Operation *root = nullptr;
  unsigned depth = 0;
  std::optional<std::pair<std::string, Location>> first;
};

} // namespace

void mlir::tensoraccess::reportSilentFailures(PassManager &pm) {
  pm.addInstrumentation(std::make_unique<SilentFailures>(pm.getContext()));
}
