//===- ManPage.cpp - Manual pages -----------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of --help, in the macros of man(7), with the options of each pass.
//
//===----------------------------------------------------------------------===//

#include "OptionEntries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Text in which nothing is a request or an escape, and each dash is one.
static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  if (text.starts_with(".") || text.starts_with("'"))
    escaped.insert(0, "\\&");
  return escaped;
}

static void printParagraph(StringRef tag, StringRef text, raw_ostream &os) {
  os << ".TP\n\\fB" << escape(tag) << "\\fR\n"
     << (text.empty() ? "\\&" : escape(text)) << '\n';
}

static void printEntry(const OptionEntry &entry, raw_ostream &os) {
  std::string description = entry.description;
  if (!entry.initial.empty() &&
      !StringRef(description).contains_insensitive("default"))
    description += " (default: " + entry.initial + ")";
  printParagraph(entry.form, description, os);
  if (entry.choices.empty() && entry.options.empty())
    return;
  os << ".RS\n";
  for (const auto &[value, meaning] : entry.choices)
    printParagraph(value, meaning, os);
  for (const OptionEntry &option : entry.options)
    printEntry(option, os);
  os << ".RE\n";
}

void tensoraccess::printManPage(const ToolHelp &help, StringRef tool,
                                raw_ostream &os) {
  StringRef brief = help.summary.split(". ").first;
  brief.consume_back(".");
  os << ".TH " << escape(tool.upper()) << " 1 \"\" TensorAccess\n.SH NAME\n"
     << escape(tool) << " \\- " << escape(brief) << "\n.SH SYNOPSIS\n\\fB"
     << escape(tool) << "\\fR " << escape(help.usage) << "\n.SH DESCRIPTION\n"
     << escape(help.summary) << '\n';
  if (help.passes)
    os << "Options of a pass follow it in quotes, with blanks "
          "between.\n";
  os << ".SH OPTIONS\n";
  for (const HelpGroup &group : getHelpGroups(help)) {
    os << ".SS " << escape(group.title) << '\n';
    for (const OptionEntry &entry : group.entries)
      printEntry(entry, os);
  }
  os << ".SS Help\n";
  printParagraph("--help", "the options that matter here", os);
  printParagraph("--help=WORD", "what has a word in its name", os);
  printParagraph("--help-all", "all options", os);
  if (!help.examples.empty()) {
    os << ".SH EXAMPLES\n.nf\n";
    for (StringRef line : help.examples)
      os << escape(line) << '\n';
    os << ".fi\n";
  }
  os << ".SH EXIT STATUS\n0 where all went well; else there is an error on the "
        "standard error stream.\n.SH SEE ALSO\n";
  StringRef separator = "";
  for (StringRef name : {"ask", "calibrate", "explain", "explore", "lsp-server",
                         "opt", "reduce", "run", "translate"})
    if (std::string other = ("tensoraccess-" + name).str(); other != tool) {
      os << separator << "\\fB" << escape(other) << "\\fR(1)";
      separator = ",\n";
    }
  os << '\n';
}
