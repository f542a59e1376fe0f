//===- ExplorerMain.cpp - The main of tensoraccess-explore ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplorerPage.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::OptionCategory category{"tensoraccess-explore options"};
  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("MODEL (text or bytecode, - for stdin)"),
                            cl::cat(category)};
  cl::opt<std::string> output{
      "o", cl::desc("The page to write (default: the model's name with .html)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> passes{
      "passes",
      cl::desc("Passes; the program is shown after each of them, as in "
               "\"tensoraccess-raise,tensoraccess-discover-im2col\""),
      cl::value_desc("pipeline"), cl::cat(category)};
  cl::list<std::string> rules{
      "rules", cl::CommaSeparated,
      cl::desc(
          "Sets and files of rules, as tensoraccess-saturate takes them: of "
          "each op the terms that are equal, and their cost"),
      cl::value_desc("set,file,…"), cl::cat(category)};
  cl::opt<std::string> profile{
      "profile",
      cl::desc(
          "What tensoraccess-run --profile wrote for the same file: how long "
          "each loop nest took"),
      cl::value_desc("trace.json"), cl::cat(category)};
};
} // namespace

LogicalResult tensoraccess::writePage(ModuleOp module, ExplorerOptions options,
                                      StringRef input, StringRef output) {
  options.title = input == "-" ? "program" : llvm::sys::path::stem(input).str();
  const std::string path =
      output.empty() ? options.title + ".html" : output.str();
  std::string page;
  llvm::raw_string_ostream os(page);
  bool isComplete = true;
  if (failed(exportExplorer(module, os, options, &isComplete)))
    return failure();
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file) {
    llvm::errs() << "error: " << error << '\n';
    return failure();
  }
  file->os() << page;
  file->keep();
  if (path != "-")
    llvm::outs() << path << ": " << page.size() / 1024
                 << " KiB; open it in a browser\n";
  return success(isComplete);
}

static LogicalResult run(const Options &options) {
  registerAllPassesAndPipelines();
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  std::shared_ptr<llvm::SourceMgr> sources;
  OwningOpRef<ModuleOp> module =
      openModule(options.file, context, sources, /*keepsLayouts=*/true);
  if (!module)
    return failure();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  ExplorerOptions explorer;
  explorer.passes = options.passes;
  explorer.rules.assign(options.rules.begin(), options.rules.end());
  if (!options.profile.empty()) {
    std::unique_ptr<llvm::MemoryBuffer> trace = openInput(options.profile);
    if (!trace)
      return failure();
    explorer.profile = trace->getBuffer().str();
  }
  return writePage(*module, std::move(explorer), options.file, options.output);
}

int tensoraccess::exploreMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  registerHelp(
      argc, argv,
      {"Writes a page that shows a model in the browser. It has the ops, "
       "which elements each reads, what fusing them would compute again, "
       "layouts, and the program after each pass.",
       "[options] MODEL",
       {"tensoraccess-explore conv.mlir",
        "tensoraccess-explore conv.mlir "
        "--passes=\"tensoraccess-raise,tensoraccess-discover-im2col\""},
       {}});
  cl::ParseCommandLineOptions(argc, argv);
  return failed(run(options));
}
