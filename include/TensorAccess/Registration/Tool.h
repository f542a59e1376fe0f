//===- Tool.h - What the tools' mains share -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tool reads models of dialects that this build does not have, so all
// allow unregistered dialects; and if a file fails to parse because it contains
// VHLO or MHLO in its pretty form, all explain how to print the generic form,
// which parses without the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REGISTRATION_TOOL_H
#define TENSORACCESS_REGISTRATION_TOOL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// A likely reason why a text does not parse: it is compressed, it is another
/// file of XLA's dump, or, if it contains an op of VHLO or MHLO in pretty form,
/// a sentence that names the first one with its line and explains how to print
/// the generic form; else std::nullopt.
std::optional<std::string> explainUnread(llvm::StringRef text);

/// Like mlir::verify, whose check of linalg.transpose crashes if there are no
/// dimensions: such an op is an error.
LogicalResult verifyModule(ModuleOp module);

/// Parses and verifies the main buffer of `sources`, text or bytecode, as a
/// module; calls in the bodies of StableHLO's reductions are inlined. Null on
/// any error, which the context's diagnostics report. `keepsLayouts`: layouts
/// of HLO text become encodings, unless --hlo-layouts overrides it.
OwningOpRef<ModuleOp> parseProgram(MLIRContext &context,
                                   const llvm::SourceMgr &sources,
                                   bool keepsLayouts = false);

/// Like parseProgram, with hints on standard error on how to print StableHLO.
OwningOpRef<ModuleOp>
parseModule(MLIRContext &context,
            const std::shared_ptr<llvm::SourceMgr> &sources,
            bool keepsLayouts = false);

/// Opens a file and parses it likewise; `sources` then holds it for
/// diagnostics.
OwningOpRef<ModuleOp> openModule(llvm::StringRef path, MLIRContext &context,
                                 std::shared_ptr<llvm::SourceMgr> &sources,
                                 bool keepsLayouts = false);

/// The arguments of a main with `--allow-unregistered-dialect` added, unless it
/// is present.
llvm::SmallVector<char *> allowUnregisteredDialects(int argc, char **argv);

/// For mains that read only MLIR: each argument that is a file of HLO text or a
/// portable artifact is replaced by one of MLIR text, which exists until the
/// program ends. Returns whether all could be read; if not, prints why to
/// standard error.
bool translateInputs(llvm::SmallVectorImpl<char *> &arguments);

/// What `--help` shows about a tool, in addition to the options that it
/// declares in a separate category, `NAME options` or `Options of --NAME`.
struct ToolHelp {
  /// Sentences; the first describes what the tool does.
  llvm::StringRef summary;
  /// The usage line after the tool's name.
  llvm::StringRef usage;
  /// Example commands.
  llvm::SmallVector<llvm::StringRef, 4> examples;
  /// Upstream options, and passes, by name.
  struct Group {
    llvm::StringRef title;
    llvm::SmallVector<llvm::StringRef, 8> names;
  };
  llvm::SmallVector<Group, 4> groups;
  /// Whether it accepts our passes as options.
  bool passes = false;
};

/// Gives a tool, before it parses its command line, `--help` with the options
/// that matter for it, `--help=WORD`, and `--help-all` with the rest; also the
/// hidden `--help-man`, a manual page, and `--autocomplete`, which shells call.
void registerHelp(int argc, char **argv, const ToolHelp &help);

/// The main of tensoraccess-opt: mlir-opt with this project's dialect, passes
/// and the two conveniences above. Returns the exit code.
int optMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REGISTRATION_TOOL_H
