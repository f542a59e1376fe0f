//===- HloOptMain.cpp - MLIR's driver, which reads XLA's programs -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/StableHlo/VhloModule.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool tensoraccess::isXlaProgram(llvm::StringRef bytes) {
  return isPortableArtifact(bytes) || isHloText(bytes);
}

OwningOpRef<ModuleOp> tensoraccess::parseXlaProgram(llvm::StringRef bytes,
                                                    llvm::StringRef file,
                                                    MLIRContext *context,
                                                    bool keepsLayouts) {
  return isPortableArtifact(bytes)
             ? parsePortableArtifact(bytes, file, context)
             : parseHloText(bytes, file, context, keepsLayouts);
}

std::string tensoraccess::translateXlaProgram(const llvm::MemoryBuffer &buffer,
                                              MLIRContext *context,
                                              bool keepsLayouts) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef()), {});
  SourceMgrDiagnosticHandler handler(sources, context);
  OwningOpRef<ModuleOp> module = parseXlaProgram(
      buffer.getBuffer(), buffer.getBufferIdentifier(), context, keepsLayouts);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (module)
    module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  return text;
}

std::unique_ptr<llvm::MemoryBuffer>
tensoraccess::openInput(llvm::StringRef path) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (buffer && path.ends_with(".hlo.pb")) {
    error = kBinaryHlo.str();
    buffer.reset();
  }
  if (!buffer)
    llvm::errs() << "error: " << error << '\n';
  return buffer;
}

int tensoraccess::runHloOpt(llvm::StringRef input, llvm::StringRef output,
                            const MlirOptMainConfig &config,
                            DialectRegistry &registry, bool keepsLayouts,
                            llvm::function_ref<void(llvm::StringRef)> explain) {
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      config.shouldShowDialects() || config.shouldListPasses()
          ? llvm::MemoryBuffer::getMemBuffer("")
          : openInput(input);
  if (!buffer)
    return 1;
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &error);
  if (!file) {
    llvm::errs() << "error: " << error << '\n';
    return 1;
  }
  // MLIR's driver reads MLIR alone.
  std::string translated;
  if (isXlaProgram(buffer->getBuffer())) {
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    translated = translateXlaProgram(*buffer, &context, keepsLayouts);
    if (translated.empty())
      return 1;
  }
  auto view = translated.empty()
                  ? llvm::MemoryBuffer::getMemBuffer(buffer->getMemBufferRef())
                  : llvm::MemoryBuffer::getMemBuffer(
                        translated, buffer->getBufferIdentifier());
  if (failed(MlirOptMain(file->os(), std::move(view), registry, config))) {
    if (explain)
      explain(buffer->getBuffer());
    return 1;
  }
  file->keep();
  return 0;
}

int tensoraccess::runHloOpt(int argc, char **argv, llvm::StringRef name,
                            DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  auto [input, output] = registerAndParseCLIOptions(argc, argv, name, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.allowUnregisteredDialects(true);
  return runHloOpt(input, output, config, registry, /*keepsLayouts=*/true);
}
