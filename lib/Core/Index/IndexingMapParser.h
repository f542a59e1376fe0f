//===- IndexingMapParser.h - The reader of maps, inside of Core ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two halves of the reader share: IndexingMapParser.cpp has the tokens
// and the grammar, IndexingMapMeaning.cpp makes ranges and forms of the code.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_INDEXINGMAPPARSER_H
#define TENSORACCESS_LIB_CORE_INDEXINGMAPPARSER_H

#include "IndexingMapStorage.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tensoraccess::detail {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Parentheses, `-` signs and calls may be nested this deep.
constexpr unsigned kMaxNesting = 256;

/// Operations other than sums that one value may go through. `a * b * c * …`
/// has no parentheses when it is read but a pair an operation when it is
/// printed; at most four levels of kMaxNesting each.
constexpr unsigned kMaxDepth = kMaxNesting / 4;

enum class TokenKind : uint8_t { End, Integer, Name, Punctuation, Error };

struct Token {
  TokenKind kind = TokenKind::End;
  StringRef text;
  size_t offset = 0;
};

enum class Op : uint8_t {
  Constant, ///< push `value`
  Variable, ///< push variable number `value`
  Negate,
  Add,
  Sub,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
};

struct Instruction {
  Op op;
  int64_t value;
  size_t offset;
};

/// A slice of the code, with its place in the text.
struct Code {
  unsigned begin = 0, end = 0;
  size_t offset = 0;
};

struct Bound {
  Code code;
  /// `inf` for an upper and `-inf` for a lower bound.
  bool isInfinite = false;
};

struct Entry {
  Code expr;
  Bound lower, upper;
};

/// Reads one map; see IndexingMapParser.cpp.
class Parser {
public:
  Parser(StringRef text, ParseError &error) : text(text), error(error) {
    advance();
  }
  std::optional<IndexingMap> parse();

private:
  //===--- tokens ---------------------------------------------------------===//
  void advance();
  bool is(StringRef t) const {
    return token.text == t && (token.kind == TokenKind::Punctuation ||
                               token.kind == TokenKind::Name);
  }
  bool consumeIf(StringRef t) {
    if (!is(t))
      return false;
    advance();
    return true;
  }
  bool expect(StringRef t, StringRef where);
  /// The token for messages: `'d0'` or `end of text`.
  std::string describeToken() const {
    return token.kind == TokenKind::End ? std::string("end of text")
                                        : ("'" + token.text + "'").str();
  }
  bool fail(const Twine &message, size_t offset) {
    if (!hasFailed) {
      error.message = message.str();
      error.offset = offset;
      hasFailed = true;
    }
    return false;
  }
  bool failHere(const Twine &message) { return fail(message, token.offset); }

  //===--- grammar --------------------------------------------------------===//
  bool parseNames(StringRef close, unsigned &count);
  bool parseExpr(Code &code);
  bool parseSum();
  bool parseTerm();
  bool parseFactor();
  bool parseFactorBody();
  bool parseBound(Bound &bound, bool isLower);
  bool parseEntry(Entry &entry);
  void emit(Op op, size_t offset, int64_t value = 0) {
    code.push_back({op, value, offset});
  }

  //===--- meaning --------------------------------------------------------===//
  bool declareRanges(MapStorage &s);
  bool run(Code slice, FormArena &arena, ArrayRef<Form> variables, Form &out);
  bool constantBound(const Bound &bound, bool isLower, StringRef what,
                     int64_t &out);
  std::optional<unsigned> lookUp(StringRef name) const;
  /// The first variable that the code mentions, as an instruction.
  const Instruction *findVariable(Code slice, unsigned below) const;

  StringRef text;
  ParseError &error;
  bool hasFailed = false;
  size_t position = 0;
  Token token;
  unsigned nesting = 0;

  SmallVector<StringRef, 16> names;
  SmallVector<size_t, 16> nameOffsets;
  llvm::DenseMap<StringRef, unsigned> nameTable;
  unsigned numDims = 0, numSymbols = 0, numRuntime = 0;
  SmallVector<Instruction, 64> code;
  SmallVector<Code, 8> results;
  SmallVector<Entry, 8> entries;
  bool hasDomain = false;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_INDEXINGMAPPARSER_H
