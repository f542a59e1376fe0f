//===- OptionEntries.cpp - The command line as data -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM and MLIR do not expose the values that an option takes, and the options of
// passes, but print them. So:
//
//   1. What they print of one option, or of one pass, is caught.
//   2. Its lines are read: `--name=<value> - description` is an option,
//      `=word - description` one of its values, any other line goes on with the
//      description before it.
//   3. What options of passes are set to is read from the pass itself, printed
//      as a pipeline.
//
//===----------------------------------------------------------------------===//

#include "OptionEntries.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

/// Step 1: what `print` writes to llvm::outs().
static std::string catchOutput(llvm::function_ref<void()> print) {
  std::string text;
  std::FILE *file = std::tmpfile();
  if (!file)
    return text;
  llvm::outs().flush();
  int output = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  print();
  llvm::outs().flush();
  dup2(output, STDOUT_FILENO);
  close(output);
  std::rewind(file);
  char part[4096];
  while (size_t size = std::fread(part, 1, sizeof(part), file))
    text.append(part, size);
  std::fclose(file);
  return text;
}

/// A line's parts before and after its dash.
static std::pair<StringRef, StringRef> splitAtDash(StringRef line) {
  auto [form, description] = line.split(" - ");
  form = form.rtrim();
  if (form.size() == line.rtrim().size())
    form.consume_back(" -");
  return {form.rtrim(), description.trim()};
}

/// Step 2.
static std::vector<OptionEntry> readOptions(StringRef text) {
  std::vector<OptionEntry> entries;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.empty())
      continue;
    auto [form, description] = splitAtDash(line);
    if (form.starts_with("-")) {
      OptionEntry &entry = entries.emplace_back();
      entry.form = form.str();
      entry.name = form.ltrim('-').take_until(
          [](char c) { return StringRef("=[ ").contains(c); });
      entry.description = description.str();
    } else if (entries.empty()) {
      continue;
    } else if (form.consume_front("=")) {
      if (form != "<empty>")
        entries.back().choices.emplace_back(form.str(), description.str());
    } else {
      std::string &last = entries.back().choices.empty()
                              ? entries.back().description
                              : entries.back().choices.back().second;
      last += (" " + line).str();
    }
  }
  // An option whose value may be left out is there twice.
  for (auto it = entries.begin(); it != entries.end();) {
    auto next = std::next(it);
    if (next == entries.end() || next->name != it->name) {
      it = next;
      continue;
    }
    StringRef value = next->form;
    value.consume_front("--" + it->name);
    next->form = "--" + it->name + "[" + value.str() + "]";
    it = entries.erase(it);
  }
  return entries;
}

/// `{a=1 b={x, y}}` as names and values.
static std::vector<std::pair<StringRef, StringRef>> readValues(StringRef text) {
  std::vector<std::pair<StringRef, StringRef>> values;
  if (!text.consume_front("{") || !text.consume_back("}"))
    return values;
  while (!text.ltrim().empty()) {
    text = text.ltrim();
    int64_t depth = 0;
    size_t end = 0;
    for (; end != text.size() && (depth > 0 || text[end] != ' '); ++end)
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    values.push_back(text.take_front(end).split('='));
    text = text.drop_front(end);
  }
  return values;
}

/// A pass as a pipeline: what it is set to, its own operation around it.
static std::string printPipeline(const PassRegistryEntry &entry) {
  OpPassManager manager;
  auto silent = [](const Twine &) { return failure(); };
  std::string text;
  llvm::raw_string_ostream os(text);
  if (succeeded(entry.addToPipeline(manager, "", silent)))
    for (Pass &pass : manager.getPasses())
      pass.printAsTextualPipeline(os);
  return text;
}

/// `1.5` for `1.500000e+00`.
static std::string shortenNumber(StringRef value) {
  double number;
  if (!value.contains(".") || value.getAsDouble(number))
    return value.str();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

static OptionEntry readPass(const PassRegistryEntry &entry) {
  StringRef name = entry.getPassArgument();
  // Narrower, the columns run into each other.
  size_t width = std::max(entry.getOptionWidth(), name.size()) + 8;
  std::vector<OptionEntry> lines =
      readOptions(catchOutput([&] { entry.printHelpStr(0, width); }));
  OptionEntry pass = std::move(lines.front());
  pass.options.assign(std::make_move_iterator(lines.begin() + 1),
                      std::make_move_iterator(lines.end()));
  std::string values;
  if (PassPipelineInfo::lookup(name)) {
    values = getPipelineValues(name);
    pass.pipeline = (name + values).str();
  } else {
    pass.pipeline = printPipeline(entry);
    values = StringRef(pass.pipeline).drop_front(name.size()).str();
  }
  // Step 3.
  for (auto [option, value] : readValues(values))
    for (OptionEntry &known : pass.options)
      if (known.name == option)
        known.initial = shortenNumber(value);
  for (OptionEntry &option : pass.options) {
    option.form = StringRef(option.form).ltrim('-').str();
    if (option.form == option.name)
      option.form += "=<bool>";
  }
  return pass;
}

static const PassRegistryEntry *findPass(StringRef name) {
  if (const PassInfo *pass = PassInfo::lookup(name))
    return pass;
  return PassPipelineInfo::lookup(name);
}

/// The default value of an option, if that is informative.
static std::string readInitial(const cl::Option &option) {
  std::string text = catchOutput(
      [&] { option.printOptionValue(option.getOptionWidth(), true); });
  StringRef value = StringRef(text).rsplit("(default: ").second.rtrim();
  if (!value.consume_back(")") || value == "*no default*" || value == "false")
    return {};
  return value.str();
}

std::vector<std::string> tensoraccess::getOptionNames() {
  std::vector<std::string> names;
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == cl::NotHidden)
      names.push_back(name.str());
  llvm::sort(names);
  return names;
}

std::optional<OptionEntry> tensoraccess::findOption(StringRef name) {
  cl::Option *option = cl::getRegisteredOptions().lookup(name);
  if (!option)
    return std::nullopt;
  const PassRegistryEntry *pass = findPass(name);
  // Passes, and translations, are values of an option without a name.
  if (pass && option->ArgStr != name)
    return readPass(*pass);
  std::vector<OptionEntry> lines = readOptions(catchOutput(
      [&] { option->printOptionInfo(option->getOptionWidth() + 8); }));
  auto it = llvm::find_if(
      lines, [&](const OptionEntry &line) { return line.name == name; });
  if (it == lines.end())
    return std::nullopt;
  if (option->ArgStr == name && StringRef(it->form).contains('<'))
    it->initial = readInitial(*option);
  return *it;
}

const OptionEntry *tensoraccess::findOption(const OptionEntry &pass,
                                            StringRef name) {
  auto it = llvm::find_if(pass.options, [&](const OptionEntry &option) {
    return option.name == name;
  });
  return it == pass.options.end() ? nullptr : &*it;
}

std::vector<std::string> tensoraccess::getPassesOf(StringRef pipeline) {
  std::vector<std::string> names;
  const PassPipelineInfo *info = PassPipelineInfo::lookup(pipeline);
  OpPassManager manager("builtin.module");
  auto silent = [](const Twine &) { return failure(); };
  if (!info || failed(info->addToPipeline(manager, "", silent)))
    return names;
  std::string text;
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os);
  for (StringRef rest = text; !rest.empty();) {
    rest =
        rest.drop_while([](char c) { return StringRef("(), ").contains(c); });
    StringRef name =
        rest.take_until([](char c) { return StringRef("(){}, ").contains(c); });
    if (PassInfo::lookup(name))
      names.push_back(name.str());
    rest = rest.drop_front(std::max<size_t>(name.size(), rest.empty() ? 0 : 1));
  }
  return names;
}
