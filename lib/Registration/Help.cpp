//===- Help.cpp - What --help prints --------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own page lists what any library that is linked has ever registered, a
// thousand lines and more. Here an option of ours takes the place of LLVM's and
// prints what matters: options that a tool declares in categories of its own,
// those of upstream that it names, and, where it takes passes, ours. --help-all
// prints the whole list. All is found while the command line is parsed, when
// upstream's mains have registered theirs, too.
//
//===----------------------------------------------------------------------===//

#include "OptionEntries.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

static constexpr StringRef kPrefix = "tensoraccess-";

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Whether a category is one of ours: that of a tool, or of a translation.
static bool isOurs(const cl::OptionCategory &category) {
  StringRef name = category.getName();
  return name.starts_with(kPrefix) || name.starts_with("Options of --");
}

std::vector<HelpGroup> tensoraccess::getHelpGroups(const ToolHelp &help) {
  std::vector<HelpGroup> groups;
  for (const ToolHelp::Group &group : help.groups) {
    groups.push_back({group.title.str(), {}});
    for (StringRef name : group.names)
      if (std::optional<OptionEntry> entry = findOption(name))
        groups.back().entries.push_back(std::move(*entry));
  }
  llvm::MapVector<StringRef, HelpGroup> categories;
  for (const std::string &name : getOptionNames()) {
    cl::Option *option = cl::getRegisteredOptions().lookup(name);
    for (cl::OptionCategory *category : option->Categories) {
      if (!isOurs(*category))
        continue;
      HelpGroup &group = categories[category->getName()];
      StringRef title = category->getName();
      group.title = title.starts_with(kPrefix) ? "Options" : title.str();
      if (std::optional<OptionEntry> entry = findOption(name))
        group.entries.push_back(std::move(*entry));
    }
  }
  for (auto &[name, group] : categories)
    groups.push_back(std::move(group));
  if (!help.passes)
    return groups;

  llvm::StringSet<> steps;
  for (StringRef pipeline : {"tensoraccess-to-llvm", "tensoraccess-cpu"})
    for (const std::string &pass : getPassesOf(pipeline))
      steps.insert(pass);
  HelpGroup pipelines{"Pipelines", {}}, passes{"Passes", {}},
      lowering{"Passes that --tensoraccess-to-llvm and -cpu consist of",
               {},
               /*isLong=*/true};
  for (const std::string &name : getOptionNames()) {
    if (!StringRef(name).starts_with(kPrefix))
      continue;
    HelpGroup &group = PassPipelineInfo::lookup(name) ? pipelines
                       : steps.contains(name)         ? lowering
                                                      : passes;
    group.entries.push_back(*findOption(name));
  }
  groups.insert(groups.end(), {pipelines, passes, lowering});
  return groups;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Columns of a terminal, within what is easy to read.
static unsigned getWidth() {
  static unsigned width =
      std::clamp(llvm::sys::Process::StandardOutColumns(), 80u, 120u);
  return width;
}

static unsigned columnsOf(StringRef text) {
  return std::max(0, llvm::sys::unicode::columnWidthUTF8(text));
}

/// Writes words from column `at` on; what does not fit goes on below, after
/// `indent` blanks.
static void printWrapped(StringRef text, unsigned at, unsigned indent) {
  bool first = true;
  for (StringRef word : llvm::split(text, ' ')) {
    if (word.empty())
      continue;
    unsigned width = columnsOf(word);
    if (!first && at + 1 + width > getWidth()) {
      llvm::outs() << '\n';
      llvm::outs().indent(at = indent);
    } else if (!first) {
      llvm::outs() << ' ';
      ++at;
    }
    llvm::outs() << word;
    at += width;
    first = false;
  }
  llvm::outs() << '\n';
}

static void printRow(StringRef form, StringRef description, unsigned indent,
                     unsigned column) {
  llvm::outs().indent(indent) << form;
  unsigned at = indent + columnsOf(form);
  if (description.empty()) {
    llvm::outs() << '\n';
    return;
  }
  if (at + 2 > column) {
    llvm::outs() << '\n';
    at = 0;
  }
  llvm::outs().indent(column - at);
  printWrapped(description, column, column);
}

/// An option with the values it takes, and what holds without it; a pass with
/// its options where asked for.
static void printEntry(const OptionEntry &entry, unsigned column,
                       bool withOptions = false) {
  std::string description = entry.description;
  if (!entry.initial.empty() &&
      !StringRef(description).contains_insensitive("default"))
    description += " (default: " + entry.initial + ")";
  printRow(entry.form, description, 2, column);
  for (const auto &[value, meaning] : entry.choices)
    printRow(value, meaning, 6, column);
  if (withOptions)
    for (const OptionEntry &option : entry.options)
      printRow(option.form, option.description, 6, column);
}

/// Where descriptions begin, beside all forms that leave them room.
static unsigned chooseColumn(ArrayRef<OptionEntry> entries, unsigned most) {
  unsigned column = 10;
  auto add = [&](StringRef form, unsigned indent) {
    if (unsigned width = indent + columnsOf(form) + 2; width <= most)
      column = std::max(column, width);
  };
  for (const OptionEntry &entry : entries) {
    add(entry.form, 2);
    for (const auto &[value, meaning] : entry.choices)
      add(value, 6);
  }
  return column;
}

static void printPage(const ToolHelp &help, StringRef tool) {
  printWrapped(help.summary, 0, 0);
  llvm::outs() << "\nUsage: " << tool << ' ' << help.usage << '\n';
  if (!help.examples.empty())
    llvm::outs() << "\nExamples:\n";
  for (StringRef line : help.examples)
    llvm::outs().indent(2) << line << '\n';
  for (const HelpGroup &group : getHelpGroups(help)) {
    llvm::outs() << '\n' << group.title << ":\n";
    if (group.isLong) {
      std::string names;
      for (const OptionEntry &entry : group.entries)
        names += entry.form + " ";
      llvm::outs().indent(2);
      printWrapped(names, 2, 2);
      continue;
    }
    unsigned column = chooseColumn(group.entries, help.passes ? 40 : 30);
    for (const OptionEntry &entry : group.entries)
      printEntry(entry, column, /*withOptions=*/!help.passes);
  }
  llvm::outs() << "\nHelp:\n";
  printRow("--help=WORD",
           help.passes
               ? "options, passes and pipelines with WORD in their names; "
                 "for one of exactly that name, its options, too"
               : "options with WORD in their names",
           2, 17);
  printRow("--help-all", "all options, including LLVM's", 2, 17);
  printRow("--version", "the version of LLVM", 2, 17);
}

/// The option or pass `word`, with or without our prefix; else a line for each with
/// `word` in its name. False if none exists.
static bool printMatches(StringRef word) {
  std::optional<OptionEntry> exact = findOption(word);
  if (!exact)
    exact = findOption((kPrefix + word).str());
  std::vector<OptionEntry> found;
  if (exact) {
    found.push_back(*exact);
  } else {
    for (const std::string &name : getOptionNames())
      if (StringRef(name).contains(word))
        if (std::optional<OptionEntry> entry = findOption(name))
          found.push_back(std::move(*entry));
  }
  if (found.empty())
    return false;
  if (found.size() > 1) {
    unsigned column = chooseColumn(found, 40);
    for (const OptionEntry &entry : found)
      printEntry(entry, column);
    return true;
  }
  const OptionEntry &entry = found.front();
  printEntry(entry, 4 + columnsOf(entry.form));
  if (entry.options.empty())
    return true;
  llvm::outs() << "\nOptions, as in " << entry.form << "=\"…\":\n";
  unsigned column = chooseColumn(entry.options, 30);
  for (const OptionEntry &option : entry.options)
    printEntry(option, column);
  llvm::outs() << "\nIn a pipeline, as it is without options:\n  "
               << entry.pipeline << '\n';
  return true;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
/// The options that print something and end the process.
struct HelpOptions {
  HelpOptions(StringRef tool, const ToolHelp &help) : tool(tool), help(help) {}

  std::string tool;
  ToolHelp help;
  /// Options that are hidden later are still in --help-all.
  llvm::SmallVector<cl::Option *, 0> shown = takeHelpAway();

  /// Takes LLVM's option of the same name away, and returns those that it
  /// prints.
  static llvm::SmallVector<cl::Option *, 0> takeHelpAway() {
    auto &known = cl::getRegisteredOptions();
    if (cl::Option *help = known.lookup("help"))
      help->removeArgument();
    llvm::SmallVector<cl::Option *, 0> shown;
    for (auto &[name, option] : known)
      if (option->getOptionHiddenFlag() == cl::NotHidden)
        shown.push_back(option);
    return shown;
  }

  [[noreturn]] static void end(int code) {
    llvm::outs().flush();
    std::exit(code);
  }

  cl::opt<std::string> page{
      "help", cl::ValueOptional, cl::value_desc("word"),
      cl::desc("Print the options that matter here, or those with a word in "
               "their names"),
      cl::callback([this](const std::string &word) {
        if (word.empty()) {
          printPage(help, tool);
        } else if (!printMatches(word)) {
          llvm::errs() << "error: nothing on the command line of " << tool
                       << " has '" << word << "' in its name\n";
          end(1);
        }
        end(0);
      })};
  cl::opt<bool> all{"help-all", cl::desc("Print every option"),
                    cl::callback([this](const bool &) {
                      for (cl::Option *option : shown)
                        option->setHiddenFlag(cl::NotHidden);
                      cl::PrintHelpMessage(/*Hidden=*/false,
                                           /*Categorized=*/true);
                      end(0);
                    })};
  cl::opt<bool> man{"help-man", cl::Hidden,
                    cl::desc("Print the page as a manual page"),
                    cl::callback([this](const bool &) {
                      printManPage(help, tool, llvm::outs());
                      end(0);
                    })};
  cl::opt<std::string> completions{
      "autocomplete", cl::Hidden, cl::value_desc("word"),
      cl::desc("Print what the last word of a command line can become"),
      cl::callback([this](const std::string &word) {
        printCompletions(word, help, llvm::outs());
        end(0);
      })};
};
} // namespace

void mlir::tensoraccess::registerHelp(int argc, char **argv,
                                      const ToolHelp &help) {
  static char flag[] = "--help";
  for (char *&argument : llvm::MutableArrayRef(argv, argc))
    if (StringRef(argument) == "-h")
      argument = flag;
  static HelpOptions options(llvm::sys::path::filename(argv[0]), help);
}
