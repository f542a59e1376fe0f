//===- PdlFiles.cpp - Reads rules -----------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libMLIR.so has no parser of PDLL, so `mlir-pdll -x=mlir` does it:
//
//   1. It gets the text without what it can't parse (PdllSource.h).
//   2. Its output becomes diagnostics, where they belong. It may report an error
//      and exit with 0: it is an error nevertheless, and so is an unknown word.
//   3. What it makes is parsed, and gets back what was taken out.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/PdlRules.h"

#include "PdllSource.h"

#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#ifndef TENSORACCESS_MLIR_PDLL
#define TENSORACCESS_MLIR_PDLL ""
#endif
#ifndef TENSORACCESS_MLIR_INCLUDES
#define TENSORACCESS_MLIR_INCLUDES ""
#endif

static InFlightDiagnostic fail(MLIRContext *context, StringRef path) {
  return emitError(FileLineColLoc::get(context, path, 1, 1));
}

std::optional<std::string>
mlir::tensoraccess::findPdllCompiler(StringRef compiler) {
  if (compiler.empty()) {
    compiler = TENSORACCESS_MLIR_PDLL;
    if (!llvm::sys::fs::can_execute(compiler))
      compiler = "mlir-pdll";
  }
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(compiler);
  if (!found || !llvm::sys::fs::can_execute(*found))
    return std::nullopt;
  return *found;
}

/// Where what a text includes is looked for: beside it, where the user asks,
/// and in MLIR's folders, those of this build or those beside the program.
static std::vector<std::string> findFolders(StringRef name, StringRef program,
                                            const PdllOptions &options) {
  StringRef beside = llvm::sys::path::parent_path(name);
  std::vector<std::string> folders = {beside.empty() ? "." : beside.str()};
  llvm::append_range(folders, options.includes);
  SmallVector<StringRef> known;
  StringRef(TENSORACCESS_MLIR_INCLUDES).split(known, ':', -1, false);
  SmallString<128> ofProgram;
  if (!llvm::sys::fs::real_path(program, ofProgram)) {
    llvm::sys::path::remove_filename(ofProgram);
    llvm::sys::path::append(ofProgram, "..", "include");
    known.push_back(ofProgram);
  }
  for (StringRef folder : known)
    if (llvm::sys::fs::is_directory(folder))
      folders.push_back(folder.str());
  return folders;
}

namespace {
/// A line of mlir-pdll: `FILE:LINE:COLUMN: error: WORDS`, or the same with
/// `loc("FILE":LINE:COLUMN)`.
struct Complaint {
  DiagnosticSeverity severity;
  StringRef path, words;
  unsigned line = 0, column = 0;
};
} // namespace

static std::optional<Complaint> parseComplaint(StringRef text) {
  for (auto [name, severity] :
       {std::pair(StringRef(": error: "), DiagnosticSeverity::Error),
        {": warning: ", DiagnosticSeverity::Warning},
        {": remark: ", DiagnosticSeverity::Remark},
        {": note: ", DiagnosticSeverity::Note}}) {
    const size_t at = text.find(name);
    if (at == StringRef::npos)
      continue;
    Complaint complaint{severity, {}, text.substr(at + name.size())};
    StringRef place = text.take_front(at);
    const bool isLoc = place.consume_front("loc(") && place.consume_back(")");
    StringRef column, line;
    std::tie(place, column) = place.rsplit(':');
    std::tie(place, line) = place.rsplit(':');
    if (column.getAsInteger(10, complaint.column) ||
        line.getAsInteger(10, complaint.line))
      continue;
    complaint.path = isLoc ? place.trim('"') : place;
    return complaint;
  }
  return std::nullopt;
}

/// Reports the output of mlir-pdll. True if an error was among it.
static bool report(MLIRContext *context, const PdllSource &source,
                   StringRef said) {
  bool isError = false;
  std::optional<InFlightDiagnostic> current;
  SmallVector<StringRef> lines;
  said.split(lines, '\n');
  for (StringRef line : lines) {
    std::optional<Complaint> complaint = parseComplaint(line.rtrim());
    if (!complaint)
      continue;
    FileLineColLoc place =
        source.find(complaint->path, complaint->line, complaint->column);
    const std::string words = source.clean(complaint->words);
    if (complaint->severity == DiagnosticSeverity::Note && current) {
      current->attachNote(place) << words;
      continue;
    }
    isError |= complaint->severity == DiagnosticSeverity::Error;
    // What comes before is reported when it is done.
    current.reset();
    current.emplace(context->getDiagEngine().emit(place, complaint->severity));
    *current << source.describeRule(place) << words;
  }
  return isError;
}

/// What mlir-pdll compiles a text to, which is called `name`; null after an
/// error.
static OwningOpRef<ModuleOp> compilePdll(MLIRContext *context, StringRef text,
                                         StringRef name,
                                         const PdllOptions &options) {
  std::optional<std::string> program = findPdllCompiler(options.compiler);
  if (!program) {
    fail(context, name) << "rules in PDLL are compiled by '"
                        << (options.compiler.empty() ? "mlir-pdll"
                                                     : options.compiler)
                        << "', which is not there or can't be run";
    return {};
  }
  SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("tensoraccess-pdll", folder)) {
    fail(context, name) << "no temporary folder can be made";
    return {};
  }
  auto remove =
      llvm::scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  const std::vector<std::string> folders = findFolders(name, *program, options);
  context->getOrLoadDialect<pdl::PDLDialect>();
  PdllSource source(context, folder, folders);
  FailureOr<std::string> input = source.write(text, name);
  if (failed(input) || failed(source.parseLiterals()))
    return {};

  SmallString<128> output(folder), errors(folder);
  llvm::sys::path::append(output, "out.mlir");
  llvm::sys::path::append(errors, "errors.txt");
  SmallVector<StringRef> arguments = {*program, "-x=mlir", *input, "-o",
                                      output};
  for (const std::string &one : folders)
    arguments.append({"-I", one});
  const std::optional<StringRef> redirects[] = {StringRef(""), std::nullopt,
                                                StringRef(errors)};
  std::string reason;
  const int code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt,
                                             redirects, /*SecondsToWait=*/60,
                                             /*MemoryLimit=*/0, &reason);
  auto read = [](StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  const std::string said = read(errors);
  const bool isError = report(context, source, said);
  if (code < 0) {
    fail(context, name) << "mlir-pdll "
                        << (code == -2 ? "crashed or took too long"
                                       : "can't be run")
                        << (reason.empty() ? "" : ": ") << reason;
    return {};
  }
  if (isError)
    return {};
  // It reports only here what it leaves out.
  if (code != 0 || StringRef(said).contains("error:")) {
    fail(context, name)
        << "mlir-pdll failed: "
        << (said.empty()
                ? "exit status " + std::to_string(code)
                : source.clean(StringRef(said).ltrim().split('\n').first));
    return {};
  }
  OwningOpRef<ModuleOp> module = parseRules(context, read(output), name);
  if (module)
    source.restore(*module);
  return module;
}

OwningOpRef<ModuleOp> mlir::tensoraccess::parseRules(MLIRContext *context,
                                                     StringRef text,
                                                     StringRef name) {
  context->getOrLoadDialect<pdl::PDLDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                              llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

OwningOpRef<ModuleOp>
mlir::tensoraccess::readRules(MLIRContext *context, StringRef path,
                              const PdllOptions &options) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    fail(context, path) << "the file can't be read: "
                        << buffer.getError().message();
    return {};
  }
  StringRef text = (*buffer)->getBuffer();
  return path.ends_with(".pdll") ? compilePdll(context, text, path, options)
                                 : parseRules(context, text, path);
}

OwningOpRef<ModuleOp>
mlir::tensoraccess::readRulesFromText(MLIRContext *context, StringRef text,
                                      StringRef name,
                                      const PdllOptions &options) {
  // PDLL has no ops of MLIR.
  return text.contains("pdl.pattern")
             ? parseRules(context, text, name)
             : compilePdll(context, text, name, options);
}
