//===- HloRecognition.cpp - Whether a text is HLO -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloText.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether a computation begins here: `name {`, an instruction and its shape; or
/// `name (parameters) ->`.
static bool beginsComputation(StringRef text) {
  text.consume_front("%");
  StringRef name = text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
  text = text.drop_front(name.size()).ltrim();
  if (name == "ENTRY") {
    text.consume_front("%");
    name = text.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    });
    text = text.drop_front(name.size()).ltrim();
  }
  if (name.empty())
    return false;
  if (text.consume_front("(")) {
    StringRef head = text.take_until([](char c) { return c == '{'; });
    // Layouts have braces, too.
    return head.contains(": ") && (head.contains("->") || head.contains("["));
  }
  if (!text.consume_front("{"))
    return false;
  text = text.ltrim();
  if (text.consume_front("ROOT"))
    text = text.ltrim();
  text.consume_front("%");
  text = text.drop_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  });
  text = text.ltrim();
  if (!text.consume_front("="))
    return false;
  text = text.ltrim();
  StringRef word = text.take_while(llvm::isAlnum);
  return text.starts_with("(") ||
         (isElementType(word) && text.drop_front(word.size()).starts_with("["));
}

bool tensoraccess::isHloText(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (text.consume_front("//"))
      text = text.split('\n').second;
    else if (text.consume_front("/*"))
      text = text.split("*/").second;
    else
      break;
  }
  if (text.starts_with("HloModule"))
    return text.size() > 9 && llvm::isSpace(text[9]);
  return beginsComputation(text);
}
