//===- Tool.h - What the tools' mains share -------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every tool reads models of dialects that this build does not know, so all
// allow unregistered dialects; and where a file fails to parse because it holds
// VHLO or MHLO in its pretty form, all say how to print the generic form, which
// parses without the dialect.
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

/// Why a text that does not parse may not: what is compressed, another file of
/// XLA's dump, or, where it holds an op of VHLO or MHLO in pretty form, a sentence
/// that names the first one with its line and says how to print the generic form;
/// else std::nullopt.
std::optional<std::string> explainUnread(llvm::StringRef text);

/// As mlir::verify, whose check of linalg.transpose crashes where there are no
/// dimensions: such an op is an error.
LogicalResult verifyModule(ModuleOp module);

/// Parses and verifies the main buffer of `sources`, text or bytecode, as a
/// module; calls in the bodies of StableHLO's reductions are written out. Null
/// where anything is wrong: the context's diagnostics say what. `keepsLayouts`:
/// layouts of HLO text become encodings, where --hlo-layouts does not say.
OwningOpRef<ModuleOp> parseProgram(MLIRContext &context,
                                   const llvm::SourceMgr &sources,
                                   bool keepsLayouts = false);

/// parseProgram, where standard error says how to print StableHLO.
OwningOpRef<ModuleOp>
parseModule(MLIRContext &context,
            const std::shared_ptr<llvm::SourceMgr> &sources,
            bool keepsLayouts = false);

/// Opens a file and parses it so; `sources` then has it, for diagnostics to come.
OwningOpRef<ModuleOp> openModule(llvm::StringRef path, MLIRContext &context,
                                 std::shared_ptr<llvm::SourceMgr> &sources,
                                 bool keepsLayouts = false);

/// The arguments of a main with `--allow-unregistered-dialect` added, unless
/// it is among them.
llvm::SmallVector<char *> allowUnregisteredDialects(int argc, char **argv);

/// For mains that open MLIR alone: each argument that is a file of HLO text or a
/// portable artifact becomes one of MLIR text, which is there until the program ends.
/// Whether all could be read; if not, standard error says why.
bool translateInputs(llvm::SmallVectorImpl<char *> &arguments);

/// What `--help` says of a tool beside the options that it declares in a
/// category of its own, `NAME options` or `Options of --NAME`.
struct ToolHelp {
  /// Sentences; the first one says what the tool does.
  llvm::StringRef summary;
  /// What follows the tool's name.
  llvm::StringRef usage;
  /// Commands.
  llvm::SmallVector<llvm::StringRef, 4> examples;
  /// Options of upstream, and passes, by their names.
  struct Group {
    llvm::StringRef title;
    llvm::SmallVector<llvm::StringRef, 8> names;
  };
  llvm::SmallVector<Group, 4> groups;
  /// Whether it takes our passes as options.
  bool passes = false;
};

/// Gives a tool, before it parses its command line, `--help` with what matters
/// of it, `--help=WORD`, and `--help-all` with the rest; also the hidden
/// `--help-man`, a manual page, and `--autocomplete`, which shells call.
void registerHelp(int argc, char **argv, const ToolHelp &help);

/// The main of tensoraccess-opt: mlir-opt with this project's dialect, passes
/// and the two conveniences above. Returns the exit code.
int optMain(int argc, char **argv);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REGISTRATION_TOOL_H
