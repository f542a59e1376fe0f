//===- PassProgress.cpp - How far a pipeline is ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Pipelines/PassManagers.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::tensoraccess;

int64_t mlir::tensoraccess::countPasses(PassManager &pm) {
  // A pass manager gives its passes only as text: names, with options in braces,
  // and pipelines in parentheses after what they are anchored on.
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  int64_t count = 0;
  unsigned braces = 0;
  bool hasName = false;
  for (char c : text) {
    braces += c == '{';
    if (braces == 0 && (c == ',' || c == '(' || c == ')')) {
      count += hasName && c != '(';
      hasName = false;
    } else {
      hasName = true;
    }
    braces -= c == '}';
  }
  return count;
}

namespace {
class PassProgress : public PassInstrumentation {
public:
  PassProgress(ProgressSteps &steps, int64_t before)
      : steps(steps), done(before) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    // What runs passes on operations within is itself a pass.
    if (pass->getName().ends_with("OpToOpPassAdaptor"))
      return;
    done += getShare(op);
    steps.set(static_cast<int64_t>(done + 1e-6));
  }

private:
  /// Which part of the operations that the pass runs on `op` is.
  double getShare(Operation *op) {
    Block *block = op->getBlock();
    if (!block)
      return 1;
    if (block != known || op->getName() != name) {
      known = block;
      name = op->getName();
      share = 1.0 / llvm::count_if(*block, [&](Operation &other) {
                return other.getName() == *name;
              });
    }
    return share * getShare(block->getParentOp());
  }

  ProgressSteps &steps;
  double done;
  Block *known = nullptr;
  std::optional<OperationName> name;
  double share = 1;
};
} // namespace

void mlir::tensoraccess::reportProgress(PassManager &pm, ProgressSteps &steps,
                                        int64_t before) {
  if (steps.isSeen())
    pm.addInstrumentation(std::make_unique<PassProgress>(steps, before));
}
