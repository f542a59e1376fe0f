//===- HloDocument.h - HLO text in an editor --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While somebody types, programs do not parse, so names are found in the text
// alone; what an instruction reads is shown where the whole text is right.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EDITOR_HLODOCUMENT_H
#define TENSORACCESS_LIB_EXPORT_EDITOR_HLODOCUMENT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir::tensoraccess {

class HloDocument {
public:
  /// Whether a text is HLO, or bytecode, which gets an error.
  static bool isOne(StringRef text);
  HloDocument(const DialectRegistry &registry, StringRef text, StringRef uri);

  /// Errors, as the protocol has them.
  llvm::json::Array takeDiagnostics() { return std::move(diagnostics); }
  /// Writes the result of a request; null for those that have none.
  void answer(StringRef method, const llvm::json::Object &params,
              llvm::json::OStream &out) const;

private:
  /// A name of an instruction or computation: where it is defined or used.
  struct Name {
    size_t begin, end;
    /// The computation that it stands in; -1 outside of all.
    int computation = -1;
    bool isDefinition = false;
  };
  struct Computation {
    size_t name;
    size_t end = 0;
    bool isEntry = false;
  };
  void findNames();
  void read();
  void addError(size_t begin, StringRef message);
  StringRef getText(const Name &name) const {
    return StringRef(text).slice(name.begin, name.end);
  }
  llvm::json::Object getRange(size_t begin, size_t end) const;
  const Name *findName(size_t offset) const;
  const Name *findDefinition(const Name &name) const;
  llvm::json::Object getLocation(const Name &name) const;
  void writeSymbols(llvm::json::OStream &out) const;
  llvm::json::Value getAnswer(StringRef method,
                              const llvm::json::Object &params) const;
  llvm::json::Value getHover(size_t offset) const;
  std::string describeReads(const Name &definition) const;

  std::string text, uri;
  /// Where each begins.
  std::vector<size_t> lines;
  std::vector<Name> names;
  std::vector<Computation> computations;
  /// Of this text alone: edits leave nothing behind.
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  llvm::json::Array diagnostics;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EDITOR_HLODOCUMENT_H
