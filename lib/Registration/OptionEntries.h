//===- OptionEntries.h - The command line as data ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, values and descriptions of a tool's options, passes and pipelines. Help
// pages, manual pages and completion are all made from it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_REGISTRATION_OPTIONENTRIES_H
#define TENSORACCESS_LIB_REGISTRATION_OPTIONENTRIES_H

#include "TensorAccess/Registration/Tool.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

/// An option, a pass, a pipeline, or an option of one of these.
struct OptionEntry {
  /// `engine`, and how it is written: `--engine=<value>`.
  std::string name, form;
  std::string description;
  /// The default; empty if there is none, or it is not known.
  std::string initial;
  /// Values that are words, with their descriptions.
  std::vector<std::pair<std::string, std::string>> choices;
  /// Of a pass or a pipeline.
  std::vector<OptionEntry> options;
  /// A pass with the values that its options have, as `--pass-pipeline` takes
  /// it; empty for what is not a pass.
  std::string pipeline;
};

/// The names that this tool's command line knows, in order.
std::vector<std::string> getOptionNames();

/// The entry of that name on the command line; std::nullopt if there is
/// none.
std::optional<OptionEntry> findOption(llvm::StringRef name);

/// The option of a pass, or null.
const OptionEntry *findOption(const OptionEntry &pass, llvm::StringRef name);

/// The passes that a pipeline consists of without any option.
std::vector<std::string> getPassesOf(llvm::StringRef pipeline);

/// The names of options, each with the words that it takes, none if it takes
/// anything else.
using OptionWords = std::map<std::string, std::vector<std::string>>;
OptionWords listOptions(const llvm::cl::SubCommand &command);

/// The entries of a tool's page, option by option.
struct HelpGroup {
  std::string title;
  std::vector<OptionEntry> entries;
  /// So long that names will do where there is little room.
  bool isLong = false;
};
std::vector<HelpGroup> getHelpGroups(const ToolHelp &help);

/// Writes the page as a manual page, in the macros of man(7).
void printManPage(const ToolHelp &help, llvm::StringRef tool,
                  llvm::raw_ostream &os);

/// Writes what the last word of a command line can become: a line each, after
/// a tab what it is. Nothing for words that are not options.
void printCompletions(llvm::StringRef word, const ToolHelp &help,
                      llvm::raw_ostream &os);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_REGISTRATION_OPTIONENTRIES_H
