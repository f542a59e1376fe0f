//===- JsonCursor.h - JSON from left to right -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads JSON (RFC 8259) in the order of its text, without a tree: members are
// handed out with their places, so that order is kept, a member that is there
// twice is found, and what is wrong has a line and a column.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_JSONCURSOR_H
#define TENSORACCESS_TEST_EGRAPH_JSONCURSOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::tensoraccess::detail {

/// Where a text is read. A function that returns false has called `fail`.
class JsonCursor {
public:
  explicit JsonCursor(llvm::StringRef text) : text(text) {}

  size_t getOffset() const { return offset; }
  /// From there to here.
  llvm::StringRef getText(size_t begin) const {
    return text.slice(begin, offset);
  }
  /// `line 3, column 7: what is wrong there`.
  const std::string &getProblem() const { return problem; }

  /// Notes what is wrong here, or at an offset. Returns false.
  bool fail(const std::string &what) { return fail(what, offset); }
  bool fail(const std::string &what, size_t at);

  void skipSpace();
  bool expectEnd();
  bool readString(std::string &value);
  bool readNumber(double &value);
  bool readBool(bool &value);
  /// Skips a null. False, and nothing is wrong, where there is none.
  bool skipNull() { return skipWord("null"); }
  /// Skips any value.
  bool skipValue();
  /// `read` reads one element.
  bool readArray(llvm::function_ref<bool()> read);
  /// `read` gets the key and its place, and reads the value. A key must not be
  /// there twice.
  bool readObject(llvm::function_ref<bool(llvm::StringRef, size_t)> read);

private:
  bool skipWord(llvm::StringRef word);
  /// What stands here, for a message.
  std::string getFound() const;
  bool expect(const char *what);
  bool readEscape(std::string &value);
  bool readHex(uint32_t &value);

  llvm::StringRef text;
  size_t offset = 0;
  std::string problem;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_TEST_EGRAPH_JSONCURSOR_H
