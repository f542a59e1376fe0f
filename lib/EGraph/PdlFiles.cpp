//===- PdlFiles.cpp - Reads rules
//------------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libMLIR.so has no parser of PDLL, so `mlir-pdll -x=mlir` does it, into a
// temporary file that is parsed. Its complaints, which name the line, are
// passed on as they are.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/EGraph/PdlRules.h"

#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#ifndef TENSORACCESS_MLIR_PDLL
#define TENSORACCESS_MLIR_PDLL ""
#endif

static InFlightDiagnostic fail(MLIRContext *context, StringRef path) {
  return emitError(FileLineColLoc::get(context, path, 0, 0));
}

/// The program, by its path or its name.
static std::optional<std::string> findCompiler(StringRef compiler) {
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

/// What mlir-pdll makes of a file, or an error that was reported; there it has
/// the name `name`.
static FailureOr<std::string> compilePdll(MLIRContext *context, StringRef path,
                                          StringRef compiler, StringRef name) {
  std::optional<std::string> program = findCompiler(compiler);
  if (!program)
    return fail(context, name) << "rules in PDLL are compiled by '"
                               << (compiler.empty() ? "mlir-pdll" : compiler)
                               << "', which is not there or can't be run";
  SmallString<128> output, errors;
  if (llvm::sys::fs::createTemporaryFile("rules", "mlir", output) ||
      llvm::sys::fs::createTemporaryFile("rules", "txt", errors))
    return fail(context, name) << "no temporary file can be made";
  llvm::FileRemover removeOutput(output), removeErrors(errors);
  // Files that are included lie beside.
  SmallString<128> folder(llvm::sys::path::parent_path(path));
  if (folder.empty())
    folder = ".";
  std::string include = ("-I" + folder).str();
  const StringRef arguments[] = {*program, "-x=mlir", include,
                                 path,     "-o",      output};
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
  if (code != 0) {
    std::string text = read(errors);
    for (size_t at = 0; name != path &&
                        (at = text.find(path, at)) != std::string::npos;
         at += name.size())
      text.replace(at, path.size(), name);
    return fail(context, name)
           << "mlir-pdll failed: "
           << StringRef(text.empty() ? reason : text).trim();
  }
  return read(output);
}

OwningOpRef<ModuleOp> mlir::tensoraccess::parseRules(MLIRContext *context,
                                                     StringRef text,
                                                     StringRef name) {
  context->getOrLoadDialect<pdl::PDLDialect>();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, name),
                              llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

OwningOpRef<ModuleOp> mlir::tensoraccess::readRules(MLIRContext *context,
                                                    StringRef path,
                                                    StringRef compiler) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    fail(context, path) << "the file can't be read: "
                        << buffer.getError().message();
    return {};
  }
  if (!path.ends_with(".pdll"))
    return parseRules(context, (*buffer)->getBuffer(), path);
  FailureOr<std::string> text = compilePdll(context, path, compiler, path);
  return failed(text) ? OwningOpRef<ModuleOp>()
                      : parseRules(context, *text, path);
}

OwningOpRef<ModuleOp>
mlir::tensoraccess::readRulesFromText(MLIRContext *context, StringRef text,
                                      StringRef name, StringRef compiler) {
  // PDLL has no ops of MLIR.
  if (text.contains("pdl.pattern"))
    return parseRules(context, text, name);
  SmallString<128> path;
  int file;
  if (llvm::sys::fs::createTemporaryFile("rules", "pdll", file, path)) {
    fail(context, name) << "no temporary file can be made";
    return {};
  }
  llvm::FileRemover remove(path);
  {
    llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
    os << text;
    os.flush();
    if (os.has_error()) {
      os.clear_error();
      fail(context, name) << "a temporary file can't be written";
      return {};
    }
  }
  FailureOr<std::string> compiled = compilePdll(context, path, compiler, name);
  return failed(compiled) ? OwningOpRef<ModuleOp>()
                          : parseRules(context, *compiled, name);
}
