//===- ExplorerPage.cpp - The explorer's page -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplorerPage.h"

using llvm::StringRef;

/// explorer.html, explorer.css, and the script: sets of elements and their
/// images under maps, and the page; as text (CMakeLists.txt).
static constexpr llvm::StringLiteral kPage =
#include "explorer.html.inc"
    ;
static constexpr llvm::StringLiteral kStyle =
#include "explorer.css.inc"
    ;
static constexpr llvm::StringLiteral kElements =
#include "elements.js.inc"
    ;
static constexpr llvm::StringLiteral kExplanation =
#include "explain.js.inc"
    ;
static constexpr llvm::StringLiteral kScript =
#include "explorer.js.inc"
    ;

static void writeEscaped(llvm::raw_ostream &os, StringRef text) {
  for (char c : text)
    switch (c) {
    case '<':
      os << "&lt;";
      break;
    case '&':
      os << "&amp;";
      break;
    default:
      os << c;
    }
}

/// JSON in a script: no `</` ends it, no `<!--` begins a comment.
static void writeData(llvm::raw_ostream &os, StringRef data) {
  for (char c : data)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
}

void mlir::tensoraccess::writeExplorerPage(llvm::raw_ostream &os,
                                           StringRef title, StringRef data) {
  StringRef page = kPage;
  while (!page.empty()) {
    const size_t mark = page.find("@@");
    os << page.take_front(mark);
    if (mark == StringRef::npos)
      return;
    page = page.drop_front(mark + 2);
    StringRef name;
    std::tie(name, page) = page.split("@@");
    if (name == "TITLE")
      writeEscaped(os, title);
    else if (name == "STYLE")
      os << kStyle;
    else if (name == "SCRIPT")
      os << kElements << kExplanation << kScript;
    else if (name == "DATA")
      writeData(os, data);
  }
}
