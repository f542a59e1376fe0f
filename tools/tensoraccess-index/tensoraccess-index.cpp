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
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
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
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "Which elements ops access\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.allowUnregisteredDialects(true);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &error);
  std::unique_ptr<llvm::ToolOutputFile> file =
      buffer ? openOutputFile(output, &error) : nullptr;
  if (!file) {
    llvm::errs() << "error: " << error << '\n';
    return 1;
  }
  if (tensoraccess::isHloText(buffer->getBuffer())) {
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    std::string text = tensoraccess::translateHloText(*buffer, &context,
                                                      /*keepsLayouts=*/true);
    if (text.empty())
      return 1;
    buffer = llvm::MemoryBuffer::getMemBufferCopy(
        text, buffer->getBufferIdentifier());
  }
  if (failed(MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return 1;
  file->keep();
  return 0;
}
