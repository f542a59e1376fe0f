//===- tensoraccess-reduce.cpp - Shrinks a failing program ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::tensoraccess::registerEverything(registry);
  mlir::tensoraccess::registerAllPassesAndPipelines();
  mlir::tensoraccess::registerHelp(
      argc, argv,
      {"Shrinks a program that shows a bug, as long as a test of yours still "
       "shows it.",
       "[options] PASS FILE",
       {"tensoraccess-reduce bug.mlir --reduction-tree=\"traversal-mode=0 "
        "test=shows-bug.sh\" -o small.mlir"},
       {{"Options", {"o", "split-input-file", "no-implicit-module"}},
        {"Passes", {"reduction-tree", "opt-reduction-pass"}}}});
  mlir::MLIRContext context(registry);
  llvm::SmallVector<char *> arguments =
      mlir::tensoraccess::allowUnregisteredDialects(argc, argv);
  return !mlir::tensoraccess::translateInputs(arguments) ||
         mlir::failed(
             mlir::mlirReduceMain(arguments.size(), arguments.data(), context));
}
