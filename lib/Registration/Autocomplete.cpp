//===- Autocomplete.cpp - What a word can become --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As clang does, a tool completes its own command line: what shells have
// installed (tools/completion) asks it with --autocomplete, so it is never
// another version's. The word may be
//
//   --tensora            the beginning of an option or a pass
//   --engine=j           of one of its values
//   --tensoraccess-tile="sizes=8,8 fu    of an option of a pass, or its values
//   --pass-pipeline="builtin.module(cse,tensora    of a pass
//
//===----------------------------------------------------------------------===//

#include "OptionEntries.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// What a word begins with and keeps, and what its rest may become.
struct Completer {
  StringRef kept, rest;
  raw_ostream &os;

  Completer(StringRef word, size_t kept, raw_ostream &os)
      : kept(word.take_front(kept)), rest(word.drop_front(kept)), os(os) {}

  void offer(StringRef word, StringRef tail, StringRef description) {
    if (word.starts_with(rest))
      os << kept << word << tail << '\t' << description << '\n';
  }

  /// Values that are words; also names that texts of options stand for.
  void offerValues(const OptionEntry &option) {
    if (StringRef name = option.name; name.ends_with("rules")) {
      // A list, of which the last entry is asked for.
      size_t size = rest.rfind(',') + 1;
      Completer last{StringRef(kept.data(), kept.size() + rest.size()),
                     kept.size() + size, os};
      last.offer("access", "", "views are equal if their maps are");
      for (const RuleSet &set : getRuleSets())
        last.offer(set.name, "", set.summary);
      return;
    } else if (name == "target") {
      for (const std::string &target : Target::getBuiltInNames())
        offer(target, "", "");
      return;
    }
    for (const auto &[value, description] : option.choices)
      offer(value, "", description);
    if (option.initial == "true" || option.initial == "false")
      for (StringRef value : {"true", "false"})
        offer(value, "", value == option.initial ? "as it is without" : "");
  }
};
} // namespace

/// The last option in the quotes after a pass.
static void completePassOption(const OptionEntry &pass, StringRef word,
                               size_t begin, raw_ostream &os) {
  size_t blank = word.rfind(' ');
  if (blank != StringRef::npos && blank >= begin)
    begin = blank + 1;
  size_t equal = word.find('=', begin);
  if (equal == StringRef::npos) {
    Completer completer(word, begin, os);
    for (const OptionEntry &option : pass.options)
      completer.offer(option.name, "=", option.description);
    return;
  }
  if (const OptionEntry *option = findOption(pass, word.slice(begin, equal)))
    Completer(word, equal + 1, os).offerValues(*option);
}

static void printName(const OptionEntry &option, raw_ostream &os) {
  StringRef form = option.form;
  bool needsValue = form.contains('=') && !form.contains("[=");
  os << (form.starts_with("--") ? "--" : "-") << option.name
     << (needsValue ? "=" : "") << '\t' << option.description << '\n';
}

/// The options of the tool's page come first: for a tool that takes no passes, the
/// rest only if the page has nothing, for others, after the first letter.
static void completeName(StringRef begin, const ToolHelp &help,
                         raw_ostream &os) {
  bool all = help.passes && !begin.empty();
  if (!all) {
    all = true;
    for (const HelpGroup &group : getHelpGroups(help))
      for (const OptionEntry &option : group.entries)
        if (StringRef(option.name).starts_with(begin)) {
          printName(option, os);
          all = false;
        }
  }
  if (!all)
    return;
  for (const std::string &name : getOptionNames())
    if (StringRef(name).starts_with(begin))
      if (std::optional<OptionEntry> option = findOption(name))
        printName(*option, os);
}

void tensoraccess::printCompletions(StringRef word, const ToolHelp &help,
                                    raw_ostream &os) {
  size_t dashes = word.size() - word.ltrim('-').size();
  if (dashes == 0)
    return;
  size_t equal = word.find('=');
  if (equal == StringRef::npos)
    return completeName(word.ltrim('-'), help, os);
  StringRef name = word.slice(dashes, equal);
  std::optional<OptionEntry> option = findOption(name);
  if (!option)
    return;
  size_t begin = equal + 1;
  if (begin != word.size() && (word[begin] == '"' || word[begin] == '\''))
    ++begin;
  if (name == "pass-pipeline") {
    size_t open = word.find_last_of("(,");
    if (open != StringRef::npos && open >= begin)
      begin = open + 1;
    Completer completer(word, begin, os);
    for (const std::string &pass : getOptionNames())
      if (PassInfo::lookup(pass) || PassPipelineInfo::lookup(pass))
        completer.offer(pass, "", "");
  } else if (!option->pipeline.empty()) {
    completePassOption(*option, word, begin, os);
  } else {
    Completer(word, begin, os).offerValues(*option);
  }
}
