//===- PipelineMistakes.cpp - What a pipeline was meant to be -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser reports the name that it does not know, but not those it knows.
//
//   1. The text is read as names, each with options in braces and, of an op,
//      with a pipeline in parentheses.
//   2. A name that is no op's and no pass's is compared with those of all
//      passes, which are the values of an option that lists them.
//   3. The options of a pass are those that an instance of it declares, and the
//      words that one of them takes are its own extra names.
//
//===----------------------------------------------------------------------===//

#include "OptionEntries.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

/// The words that an option takes; none if it takes anything else.
static std::vector<std::string> getWords(cl::Option &option) {
  // An option without a name of its own has them as names.
  SmallVector<StringRef> words;
  const StringRef name = option.ArgStr;
  option.ArgStr = "";
  option.getExtraOptionNames(words);
  option.ArgStr = name;
  return std::vector<std::string>(words.begin(), words.end());
}

/// Step 2. Pipelines of others are not listed anywhere.
static const std::vector<std::string> &getPassNames() {
  static const std::vector<std::string> names = [] {
    constexpr StringLiteral name = "tensoraccess-names-of-passes";
    PassNameCLParser parser(name, "");
    cl::Option *option = cl::getRegisteredOptions().lookup(name);
    std::vector<std::string> names = getPipelineNames();
    llvm::append_range(names, getWords(*option));
    option->removeArgument();
    llvm::sort(names);
    return names;
  }();
  return names;
}

OptionWords tensoraccess::listOptions(const cl::SubCommand &command) {
  OptionWords options;
  for (const auto &[name, option] : command.OptionsMap)
    options[name.str()] = getWords(*option);
  return options;
}

namespace {
/// An option that is added to a pass knows where the others are.
struct OpenPass : Pass {
  static OptionWords list(Pass &pass) {
    constexpr StringLiteral name = "tensoraccess-probe";
    OptionWords options;
    Option<bool> probe(pass, name);
    for (const cl::SubCommand *command : probe.Subs)
      options.merge(listOptions(*command));
    probe.removeArgument();
    options.erase(name.str());
    return options;
  }
};
} // namespace

/// Step 3: std::nullopt where a pass can't be made without options.
static std::optional<OptionWords> getOptions(StringRef name) {
  if (PassPipelineInfo::lookup(name)) {
    if (!llvm::is_contained(getPipelineNames(), name))
      return std::nullopt;
    return getPipelineOptions(name);
  }
  const PassInfo *info = PassInfo::lookup(name);
  OpPassManager manager;
  auto silent = [](const Twine &) { return failure(); };
  if (!info || failed(info->addToPipeline(manager, "", silent)) ||
      manager.size() != 1)
    return std::nullopt;
  return OpenPass::list(*manager.begin());
}

static std::string quote(ArrayRef<std::string> names) {
  return "'" + llvm::join(names, "', '") + "'";
}

std::optional<std::string>
tensoraccess::findOptionMistake(StringRef pass, StringRef option,
                                std::optional<StringRef> value) {
  std::optional<OptionWords> known = getOptions(pass);
  if (!known)
    return std::nullopt;
  auto named = known->find(option.str());
  if (named == known->end()) {
    const std::string text =
        ("'" + pass + "' has no option '" + option + "'").str();
    if (known->empty())
      return text + "; it has none";
    std::vector<std::string> names;
    llvm::append_range(names, llvm::make_first_range(*known));
    return text + suggest(option, names) + " its options are " + quote(names);
  }
  ArrayRef<std::string> words = named->second;
  if (!value || words.empty() || llvm::is_contained(words, *value))
    return std::nullopt;
  return ("option '" + option + "' of '" + pass + "' has no value '" + *value +
          "'" + suggest(*value, words) + " its values are " + quote(words))
      .str();
}

std::optional<std::string> tensoraccess::findPassMistake(StringRef name) {
  if (PassInfo::lookup(name) || PassPipelineInfo::lookup(name))
    return std::nullopt;
  std::string text =
      ("'" + name + "' does not refer to a registered pass or pass pipeline")
          .str();
  std::string closest = findClosest(name, getPassNames(), "tensoraccess-");
  return closest.empty() ? text : text + "; did you mean '" + closest + "'?";
}

/// Where each of the options in `{a=1 b={x=2} c="d e"}` begins, and the rest of
/// the text from there.
static SmallVector<std::pair<size_t, StringRef>> splitOptions(StringRef text,
                                                              size_t begin) {
  SmallVector<std::pair<size_t, StringRef>> options;
  int64_t depth = 0;
  char quoted = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    const bool isFirst = i == begin || text[i - 1] == ' ';
    if (depth == 0 && !quoted && isFirst && c != ' ')
      options.emplace_back(i, text.drop_front(i));
    if (quoted)
      quoted = c == quoted ? 0 : quoted;
    else if (c == '"' || c == '\'')
      quoted = c;
    else
      depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
  }
  return options;
}

std::optional<PipelineMistake>
tensoraccess::findPipelineMistake(StringRef pipeline) {
  // Step 1.
  for (size_t at = 0; at < pipeline.size();) {
    StringRef rest = pipeline.drop_front(at);
    StringRef name = rest.take_until(
        [](char c) { return StringRef("(){}, \n\t").contains(c); });
    if (name.empty()) {
      ++at;
      continue;
    }
    const size_t begin = at;
    at += name.size();
    if (at < pipeline.size() && pipeline[at] == '(')
      continue;
    if (std::optional<std::string> mistake = findPassMistake(name))
      return PipelineMistake{*mistake, begin};
    if (at == pipeline.size() || pipeline[at] != '{')
      continue;
    int64_t depth = 0;
    size_t end = at;
    for (; end < pipeline.size(); ++end) {
      depth += pipeline[end] == '{' ? 1 : pipeline[end] == '}' ? -1 : 0;
      if (depth == 0)
        break;
    }
    for (auto [place, text] : splitOptions(pipeline.take_front(end), at + 1)) {
      StringRef option =
          text.take_until([](char c) { return c == '=' || c == ' '; });
      std::optional<StringRef> value;
      if (text = text.drop_front(option.size()); text.consume_front("="))
        // What is in braces or quotes is no word.
        value = text.take_until([](char c) { return c == ' '; });
      if (std::optional<std::string> mistake =
              findOptionMistake(name, option, value))
        return PipelineMistake{*mistake, place};
    }
    at = end + 1;
  }
  return std::nullopt;
}
