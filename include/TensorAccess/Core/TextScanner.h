//===- TextScanner.h - Reading small notations with positions ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cursor over a text, shared by the readers of layouts and projections. It
// remembers the first error and where it is; after an error every further step
// fails, so that readers need not check each one.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_TEXTSCANNER_H
#define TENSORACCESS_CORE_TEXTSCANNER_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace mlir::tensoraccess {

class TextScanner {
public:
  TextScanner(llvm::StringRef text, ParseError &error)
      : text(text), error(error) {}

  /// Byte offset of the next token.
  size_t position() {
    while (pos < text.size() && llvm::isSpace(text[pos]))
      ++pos;
    return pos;
  }
  bool hasFailed() const { return failed; }
  bool atEnd() { return position() == text.size(); }

  /// The next character; 0 at the end or after an error.
  char peek() { return failed || position() == text.size() ? '\0' : text[pos]; }

  /// Steps over `c` if it is next.
  bool consumeIf(char c) {
    if (c == '\0' || peek() != c)
      return false;
    ++pos;
    return true;
  }

  /// Steps over `c`, or fails with what was allowed here.
  bool expect(char c, llvm::StringRef allowed) {
    return consumeIf(c) || failExpecting(allowed);
  }

  /// A word of letters, digits and `_` that begins with a letter; empty if the
  /// next token is not a word. Does not step over it.
  llvm::StringRef peekWord() {
    if (!llvm::isAlpha(peek()))
      return {};
    return text.drop_front(pos).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  void skip(size_t bytes) { pos += bytes; }

  /// A decimal integer with an optional minus sign.
  bool parseInteger(int64_t &value, llvm::StringRef allowed) {
    bool isNegative = peek() == '-';
    llvm::StringRef digits =
        text.drop_front(pos + isNegative).take_while([](char c) {
          return llvm::isDigit(c);
        });
    if (hasFailed() || digits.empty())
      return failExpecting(allowed);
    llvm::StringRef literal = text.substr(pos, digits.size() + isNegative);
    if (literal.getAsInteger(10, value))
      return fail(pos, "integer " + literal + " does not fit in 64 bits");
    pos += literal.size();
    return true;
  }

  /// The text from here on, after white space.
  llvm::StringRef rest() { return text.drop_front(position()); }

  /// `open item, item, … close`, possibly empty.
  bool parseList(char open, char close, llvm::StringRef what,
                 llvm::function_ref<bool()> parseItem) {
    if (!expect(open,
                (llvm::Twine("'") + llvm::Twine(open) + "' to begin " + what)
                    .str()))
      return false;
    if (consumeIf(close))
      return true;
    std::string allowed =
        (llvm::Twine("',' or '") + llvm::Twine(close) + "' in " + what).str();
    do {
      if (!parseItem())
        return false;
      if (consumeIf(close))
        return true;
    } while (expect(',', allowed));
    return false;
  }

  /// Records an error, unless there is one already; always false.
  bool fail(size_t offset, const llvm::Twine &message) {
    if (!failed)
      error = {message.str(), offset};
    failed = true;
    return false;
  }
  bool failExpecting(llvm::StringRef allowed) {
    size_t where = position();
    return fail(where, "expected " + allowed + ", got " + describeNext());
  }

private:
  /// The next token, as a message quotes it.
  std::string describeNext() {
    if (pos == text.size())
      return "end of text";
    llvm::StringRef word = text.drop_front(pos).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!word.empty())
      return ("'" + word.take_front(24) + "'").str();
    if (llvm::isPrint(text[pos]))
      return ("'" + text.substr(pos, 1) + "'").str();
    return "byte 0x" + llvm::utohexstr(static_cast<uint8_t>(text[pos]),
                                       /*LowerCase=*/true, /*Width=*/2);
  }

  llvm::StringRef text;
  ParseError &error;
  size_t pos = 0;
  bool failed = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_TEXTSCANNER_H
