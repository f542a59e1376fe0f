//===- Tool.cpp - What the tools' mains share -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an input is looked at only after it failed to parse, so a good
// input pays nothing.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Pipelines/PassManagers.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <list>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The op name with which a line's operation starts, bare of its results;
/// empty if the op is in generic form, i.e. in quotes.
static StringRef prettyOpName(StringRef line) {
  StringRef text = line.ltrim();
  if (text.starts_with("%")) {
    size_t equal = text.find('=');
    if (equal == StringRef::npos)
      return {};
    text = text.drop_front(equal + 1).ltrim();
  }
  return text.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

/// Whether bytes are a module as a protocol buffer, by itself or in a message: its
/// name, then that of its entry.
static bool isBinaryHlo(StringRef bytes) {
  for (unsigned level = 0; level < 2 && bytes.consume_front("\n"); ++level) {
    unsigned numRead = 0;
    const char *error = nullptr;
    const uint64_t size = llvm::decodeULEB128(bytes.bytes_begin(), &numRead,
                                              bytes.bytes_end(), &error);
    if (error)
      return false;
    bytes = bytes.drop_front(numRead);
    if (bytes.drop_front(std::min<uint64_t>(size, bytes.size()))
            .starts_with("\x12"))
      return true;
  }
  return false;
}

std::optional<std::string> mlir::tensoraccess::explainUnread(StringRef text) {
  if (text.starts_with("\x1f\x8b"))
    return "it is compressed: unpack it with gunzip";
  if (isBinaryHlo(text))
    return kBinaryHlo.str();
  for (StringRef other : {"BufferAssignment:", "HloLiveRange", "Memory Space:",
                          "Total bytes used:", "; ModuleID", "xla_"})
    if (text.ltrim().starts_with(other))
      return "--xla_dump_to writes this file, too, but the program is in "
             "….before_optimizations.txt and ….after_optimizations.txt";
  int64_t lineNumber = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++lineNumber;
    StringRef name = prettyOpName(line);
    StringRef dialect = name.split('.').first;
    if (dialect.size() == name.size() ||
        (dialect != "vhlo" && dialect != "mhlo"))
      continue;
    return ("line " + Twine(lineNumber) + " has '" + name +
            "' in pretty form, which only its own dialect can read; print the "
            "generic form instead: in JAX lowered.compiler_ir(\"stablehlo\")"
            ".operation.get_asm(print_generic_op_form=True), elsewhere "
            "--mlir-print-op-generic")
        .str();
  }
  return std::nullopt;
}

/// Prints the explanation of a failed parse, if there is one.
static void printParseHint(StringRef text) {
  if (std::optional<std::string> hint = explainUnread(text))
    llvm::errs() << "note: " << *hint << '\n';
}

namespace {
enum class HloLayouts { Default, Keep, Drop };
} // namespace

static llvm::cl::opt<HloLayouts> hloLayouts(
    "hlo-layouts",
    llvm::cl::desc("Layouts of HLO text that are not row-major: encodings of "
                   "types, or nothing"),
    llvm::cl::init(HloLayouts::Default),
    llvm::cl::values(clEnumValN(HloLayouts::Keep, "keep", "encodings of types"),
                     clEnumValN(HloLayouts::Drop, "drop", "nothing")));

static bool keepsHloLayouts(bool byDefault) {
  return hloLayouts == HloLayouts::Default ? byDefault
                                           : hloLayouts == HloLayouts::Keep;
}

LogicalResult mlir::tensoraccess::verifyModule(ModuleOp module) {
  WalkResult result = module.walk([](linalg::TransposeOp op) {
    auto type = dyn_cast<ShapedType>(op.getInit().getType());
    if (!type || !type.hasRank() || type.getRank() > 0)
      return WalkResult::advance();
    op.emitError("'linalg.transpose' must have dimensions to transpose, got ")
        << type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted() || failed(verify(module)));
}

OwningOpRef<ModuleOp> mlir::tensoraccess::parseProgram(
    MLIRContext &context, const llvm::SourceMgr &sources, bool keepsLayouts) {
  const llvm::MemoryBuffer &buffer =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (buffer.getBufferIdentifier().ends_with(".hlo.pb")) {
    emitError(UnknownLoc::get(&context)) << kBinaryHlo;
    return nullptr;
  }
  OwningOpRef<ModuleOp> module =
      isXlaProgram(buffer.getBuffer())
          ? parseXlaProgram(buffer.getBuffer(), buffer.getBufferIdentifier(),
                            &context, keepsHloLayouts(keepsLayouts))
          : parseSourceFile<ModuleOp>(
                sources, ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module || failed(inlineCallsInBodies(*module)) ||
      failed(verifyModule(*module)))
    return nullptr;
  exposeSymbols(*module);
  liftElidedLiterals(*module);
  return module;
}

OwningOpRef<ModuleOp>
mlir::tensoraccess::parseModule(MLIRContext &context,
                                const std::shared_ptr<llvm::SourceMgr> &sources,
                                bool keepsLayouts) {
  OwningOpRef<ModuleOp> module = parseProgram(context, *sources, keepsLayouts);
  if (!module)
    printParseHint(
        sources->getMemoryBuffer(sources->getMainFileID())->getBuffer());
  return module;
}

OwningOpRef<ModuleOp>
mlir::tensoraccess::openModule(StringRef path, MLIRContext &context,
                               std::shared_ptr<llvm::SourceMgr> &sources,
                               bool keepsLayouts) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInput(path);
  if (!buffer)
    return nullptr;
  sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  return parseModule(context, sources, keepsLayouts);
}

SmallVector<char *> mlir::tensoraccess::allowUnregisteredDialects(int argc,
                                                                  char **argv) {
  static char flag[] = "--allow-unregistered-dialect";
  SmallVector<char *> arguments(argv, argv + argc);
  bool given = llvm::any_of(arguments, [](StringRef argument) {
    argument.consume_front("-");
    return argument.starts_with("-allow-unregistered-dialect");
  });
  if (!given)
    arguments.insert(arguments.begin() + 1, flag);
  return arguments;
}

bool mlir::tensoraccess::translateInputs(SmallVectorImpl<char *> &arguments) {
  static std::list<std::string> paths;
  static std::list<llvm::FileRemover> removers;
  for (unsigned i = 1; i < arguments.size(); ++i) {
    StringRef path = arguments[i];
    if (path.starts_with("-") || StringRef(arguments[i - 1]) == "-o")
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (buffer && path.ends_with(".hlo.pb")) {
      llvm::errs() << "error: " << kBinaryHlo << '\n';
      return false;
    }
    if (!buffer || !isXlaProgram((*buffer)->getBuffer()))
      continue;
    DialectRegistry registry;
    registerEverything(registry);
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    std::string text =
        translateXlaProgram(**buffer, &context, /*keepsLayouts=*/false);
    int file;
    SmallString<128> name;
    if (text.empty() || llvm::sys::fs::createTemporaryFile(
                            llvm::sys::path::stem(path), "mlir", file, name))
      return false;
    removers.emplace_back(name);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << text;
    arguments[i] = paths.emplace_back(name.str()).data();
  }
  return true;
}

/// Prints what is misspelt in `--PASS=options` and `--pass-pipeline=text`, of which
/// LLVM's parser does not list what there is. False if something is.
static bool checkPasses(ArrayRef<char *> arguments) {
  for (StringRef argument : arguments) {
    argument.consume_front("-");
    if (!argument.consume_front("-"))
      continue;
    auto [name, text] = argument.split('=');
    if (name != "pass-pipeline" && !name.starts_with("tensoraccess-"))
      continue;
    std::optional<PipelineMistake> mistake;
    if (name == "pass-pipeline")
      mistake = findPipelineMistake(text);
    else if (argument.contains('=') && !findPassMistake(name))
      mistake = findPipelineMistake((name + "{" + text + "}").str());
    if (!mistake)
      continue;
    llvm::errs() << "error: " << mistake->message << '\n';
    return false;
  }
  return true;
}

int mlir::tensoraccess::optMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  DialectRegistry registry;
  registerEverything(registry);
  registerAllPassesAndPipelines();
  registerHelp(
      argc, argv,
      {"MLIR's optimizer driver with the tensoraccess dialect and its passes. "
       "Reads a module, as text or bytecode, runs passes in the order in which "
       "they are named, and prints it.",
       "[options] [passes] [FILE]",
       {"tensoraccess-opt conv.mlir --tensoraccess-raise -o access.mlir",
        "tensoraccess-opt conv.mlir "
        "--tensoraccess-annotate-indexing=\"fused "
        "direction=output-to-input\"",
        "tensoraccess-opt conv.mlir "
        "--pass-pipeline=\"builtin.module(tensoraccess-raise,cse)\""},
       {{"Input and output",
         {"o", "split-input-file", "verify-diagnostics", "emit-bytecode",
          "hlo-layouts", "mlir-print-op-generic", "mlir-print-debuginfo",
          "mlir-elide-elementsattrs-if-larger"}},
        {"Running passes",
         {"pass-pipeline", "mlir-print-ir-after-all",
          "mlir-print-ir-after-change", "mlir-timing",
          "mlir-disable-threading"}},
        {"Remarks",
         {"remarks-filter", "remark-format", "remarks-output-file"}}},
       /*passes=*/true});
  if (!checkPasses(ArrayRef(argv, argc).drop_front()))
    return 1;
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "TensorAccess optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.allowUnregisteredDialects(true);
  config.setPassPipelineSetupFn([given = config](PassManager &pm) {
    reportFailures(pm);
    return given.setupPassPipeline(pm);
  });
  return runHloOpt(input, output, config, registry,
                   keepsHloLayouts(/*byDefault=*/true), [&](StringRef text) {
                     if (!config.shouldVerifyDiagnostics())
                       printParseHint(text);
                   });
}
