//===- ExplainMain.cpp - The main of tensoraccess-explain -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplorerPage.h"
#include "TensorAccess/Analysis/Explain.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

namespace {
struct Options {
  cl::OptionCategory category{"tensoraccess-explain options"};
  cl::opt<std::string> file{
      cl::Positional, cl::Required,
      cl::desc("DUMP (HLO or MLIR text, bytecode, - for stdin)"),
      cl::cat(category)};
  cl::opt<std::string> diff{
      "diff",
      cl::desc("A later dump of the same program, to show the differences"),
      cl::value_desc("dump"), cl::cat(category)};
  cl::opt<bool> json{"json", cl::desc("All rows, as JSON"), cl::cat(category)};
  cl::opt<bool> html{
      "html", cl::desc("A page for the browser, as tensoraccess-explore's"),
      cl::cat(category)};
  cl::opt<unsigned> rows{
      "rows", cl::desc("Most rows of each table (default: 10)"),
      cl::value_desc("number"), cl::init(10), cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("The file to write (default: standard output; of a page, the "
               "dump's name with .html)"),
      cl::value_desc("file"), cl::cat(category)};
};

/// A program, and where its diagnostics point to.
struct Loaded {
  std::shared_ptr<llvm::SourceMgr> sources;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static LogicalResult load(StringRef path, MLIRContext &context,
                          Loaded &loaded) {
  loaded.module =
      openModule(path, context, loaded.sources, /*keepsLayouts=*/true);
  return success(static_cast<bool>(loaded.module));
}

static LogicalResult refuse(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

static LogicalResult run(const Options &options) {
  if (options.json && options.html)
    return refuse("--json and --html exclude each other");
  if (options.html && !options.diff.empty())
    return refuse("--html shows one dump, and --diff has two");
  if (options.html && options.rows.getNumOccurrences())
    return refuse("--rows is for tables, and the page has all rows");
  if (options.json && options.rows.getNumOccurrences())
    return refuse("--rows is for tables, and JSON has all rows");
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  Loaded dump, other;
  if (failed(load(options.file, context, dump)) ||
      (!options.diff.empty() && failed(load(options.diff, context, other))))
    return failure();
  if (options.html) {
    SourceMgrDiagnosticHandler handler(*dump.sources, &context);
    return writePage(*dump.module, {}, options.file, options.output);
  }
  for (const Loaded &loaded : {std::cref(dump), std::cref(other)})
    if (loaded.module)
      nameBySource(*loaded.module, *loaded.sources);
  std::string error;
  std::optional<Explanation> explanation =
      options.diff.empty()
          ? explain(*dump.module, error)
          : explainDifference(*dump.module, *other.module, error);
  if (!explanation)
    return refuse(options.file + ": " + error);
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(
      options.output.empty() ? StringRef("-") : StringRef(options.output),
      &error);
  if (!file)
    return refuse(error);
  if (options.json) {
    llvm::json::OStream out(file->os(), 2);
    writeExplanation(out, *explanation);
    out.flush();
    file->os() << '\n';
  } else {
    printExplanation(file->os(), *explanation, options.rows);
  }
  file->keep();
  return success();
}

int tensoraccess::explainMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  registerHelp(argc, argv,
               {"Explains a compiled program: bytes and "
                "operations of its "
                "steps, fusions and what is not fused, copies, padding, work "
                "that is never "
                "read, and collectives. Reads XLA's dumps, before and after "
                "optimisation, "
                "and MLIR.",
                "[options] DUMP",
                {"tensoraccess-explain module.after_optimizations.txt",
                 "tensoraccess-explain old.hlo --diff=new.hlo",
                 "tensoraccess-explain dump.hlo --html"},
                {{"Input and output", {"hlo-layouts"}}}});
  cl::ParseCommandLineOptions(argc, argv);
  return failed(run(options));
}
