//===- tensoraccess-index.cpp - Indexing alone ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on indexing, with the wing `front` and no other.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/StableHlo/StableHloText.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<tensoraccess::TensorAccessDialect>();
  tensoraccess::registerIndexingModels(registry);
  tensoraccess::registerStableHloText(registry);
  tensoraccess::registerAnnotateIndexing();
  tensoraccess::registerSimplifyIndexing();
  registerPass([] {
    return tensoraccess::createEmitReport(tensoraccess::getIndexingSections());
  });
  return tensoraccess::runHloOpt(argc, argv, "Which elements ops access\n",
                                 registry);
}
