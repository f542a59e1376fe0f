//===- JsonCursor.cpp - JSON from left to right ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonCursor.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cstdlib>

using namespace mlir::tensoraccess::detail;
using llvm::formatv;
using llvm::StringRef;

bool JsonCursor::fail(const std::string &what, size_t at) {
  StringRef before = text.take_front(at);
  const size_t lineBegin = before.rfind('\n') + 1;
  problem = formatv("line {0}, column {1}: {2}", before.count('\n') + 1,
                    at - lineBegin + 1, what);
  return false;
}

std::string JsonCursor::getFound() const {
  if (offset == text.size())
    return "the end";
  const char c = text[offset];
  return llvm::isPrint(c) ? formatv("'{0}'", c).str()
                          : formatv("the byte {0}", unsigned(uint8_t(c))).str();
}

bool JsonCursor::expect(const char *what) {
  return fail(formatv("expected {0}, got {1}", what, getFound()));
}

void JsonCursor::skipSpace() {
  offset = std::min(text.find_first_not_of(" \t\r\n", offset), text.size());
}

bool JsonCursor::expectEnd() {
  skipSpace();
  return offset == text.size() || expect("the end");
}

bool JsonCursor::skipWord(StringRef word) {
  skipSpace();
  if (!text.substr(offset).starts_with(word))
    return false;
  offset += word.size();
  return true;
}

bool JsonCursor::readBool(bool &value) {
  value = skipWord("true");
  return value || skipWord("false") || expect("true or false");
}

bool JsonCursor::readHex(uint32_t &value) {
  if (text.substr(offset, 4).size() != 4 ||
      text.substr(offset, 4).getAsInteger(16, value))
    return expect("four hexadecimal digits");
  offset += 4;
  return true;
}

/// What follows a backslash.
bool JsonCursor::readEscape(std::string &value) {
  static constexpr StringRef kNames = "\"\\/bfnrt", kValues = "\"\\/\b\f\n\r\t";
  if (offset == text.size())
    return expect("an escape");
  if (size_t i = kNames.find(text[offset]); i != StringRef::npos) {
    value += kValues[i];
    ++offset;
    return true;
  }
  const size_t begin = offset;
  uint32_t code;
  if (text[offset++] != 'u')
    return fail("unknown escape", begin);
  if (!readHex(code))
    return false;
  // Two halves make a character beyond 16 bits.
  if (code >= 0xD800 && code < 0xDC00) {
    uint32_t low;
    if (!text.substr(offset).starts_with("\\u"))
      return fail("half a character", begin);
    offset += 2;
    if (!readHex(low))
      return false;
    if (low < 0xDC00 || low >= 0xE000)
      return fail("half a character", begin);
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  } else if (code >= 0xDC00 && code < 0xE000) {
    return fail("half a character", begin);
  }
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = buffer;
  if (!llvm::ConvertCodePointToUTF8(code, end))
    return fail("no character", begin);
  value.append(buffer, end);
  return true;
}

bool JsonCursor::readString(std::string &value) {
  skipSpace();
  if (offset == text.size() || text[offset] != '"')
    return expect("a string");
  const size_t begin = offset++;
  value.clear();
  while (true) {
    const size_t stop =
        std::min(text.find_first_of("\"\\\n", offset), text.size());
    value.append(text.data() + offset, stop - offset);
    offset = stop;
    if (offset == text.size() || text[offset] == '\n')
      return fail("the string does not end", begin);
    if (text[offset++] == '"')
      return llvm::json::isUTF8(value) ||
             fail("the string is not UTF-8", begin);
    if (!readEscape(value))
      return false;
  }
}

bool JsonCursor::readNumber(double &value) {
  skipSpace();
  const size_t begin = offset;
  auto skipDigits = [&] {
    const size_t first = offset;
    while (offset != text.size() && llvm::isDigit(text[offset]))
      ++offset;
    return offset != first;
  };
  auto skipAny = [&](StringRef characters) {
    const bool isThere =
        offset != text.size() && characters.contains(text[offset]);
    offset += isThere;
    return isThere;
  };
  skipAny("-");
  bool isNumber = skipDigits();
  if (isNumber && skipAny("."))
    isNumber = skipDigits();
  if (isNumber && skipAny("eE")) {
    skipAny("+-");
    isNumber = skipDigits();
  }
  if (!isNumber) {
    offset = begin;
    return expect("a number");
  }
  value = std::strtod(getText(begin).str().c_str(), nullptr);
  return true;
}

bool JsonCursor::skipValue() {
  // What is open, as a stack: values may be nested as deeply as they like.
  llvm::SmallVector<char> open;
  std::string string;
  auto skipKey = [&] {
    if (!readString(string))
      return false;
    skipSpace();
    if (offset == text.size() || text[offset] != ':')
      return expect("':'");
    ++offset;
    return true;
  };
  while (true) {
    skipSpace();
    const char c = offset == text.size() ? '\0' : text[offset];
    bool isOpened = false;
    if (c == '{' || c == '[') {
      ++offset;
      open.push_back(c == '{' ? '}' : ']');
      skipSpace();
      isOpened = offset == text.size() || text[offset] != open.back();
    } else if (c == '"') {
      if (!readString(string))
        return false;
    } else if (c == '-' || llvm::isDigit(c)) {
      double number;
      if (!readNumber(number))
        return false;
    } else if (!skipWord("true") && !skipWord("false") && !skipWord("null")) {
      return expect("a value");
    }
    // After a value, or at the first element.
    while (!isOpened && !open.empty()) {
      skipSpace();
      if (offset != text.size() && text[offset] == open.back()) {
        ++offset;
        open.pop_back();
        continue;
      }
      if (offset == text.size() || text[offset] != ',')
        return expect("',' or the end of the list");
      ++offset;
      isOpened = true;
    }
    if (open.empty())
      return true;
    if (open.back() == '}' && !skipKey())
      return false;
  }
}

bool JsonCursor::readArray(llvm::function_ref<bool()> read) {
  if (!skipWord("["))
    return expect("'['");
  if (skipWord("]"))
    return true;
  while (true) {
    if (!read())
      return false;
    if (skipWord("]"))
      return true;
    if (!skipWord(","))
      return expect("',' or ']'");
  }
}

bool JsonCursor::readObject(llvm::function_ref<bool(StringRef, size_t)> read) {
  if (!skipWord("{"))
    return expect("'{'");
  if (skipWord("}"))
    return true;
  llvm::StringSet<> keys;
  std::string key;
  while (true) {
    skipSpace();
    const size_t begin = offset;
    if (!readString(key))
      return false;
    if (!keys.insert(key).second)
      return fail(formatv("'{0}' appears twice", key), begin);
    if (!skipWord(":"))
      return expect("':'");
    if (!read(key, begin))
      return false;
    if (skipWord("}"))
      return true;
    if (!skipWord(","))
      return expect("',' or '}'");
  }
}
