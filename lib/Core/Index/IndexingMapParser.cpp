//===- IndexingMapParser.cpp - Reading the text form of maps --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   text   ::= `unknown` | `undefined` | `empty`? map
//   map    ::= `(` names `)` (`[` names `]`)? (`{` names `}`)?
//              `->` `(` exprs `)` (`,` `domain` `:` entry (`,` entry)*)?
//   entry  ::= expr `in` `[` bound `,` bound `]`
//   bound  ::= expr | `inf` | `-` `inf`
//   expr   ::= term ((`+` | `-`) term)*
//   term   ::= factor ((`*` | `/` | `floordiv` | `ceildiv` | `mod`) factor)*
//   factor ::= integer | name | `-` factor | `(` expr `)`
//            | (`min` | `max`) `(` expr (`,` expr)+ `)`
//
// The first entries of the domain are the ranges of the variables, in order;
// the rest are constraints. Without a domain every variable is unbounded.
//
// `undefined` is what XLA calls an unknown map; it is read as
// `unknown`.
//
// The ranges follow the expressions that need them, so:
//   1. the text is read once, expressions becoming postfix code;
//   2. variables get their ranges (runtime variables first, since bounds of the
//      others may mention them);
//   3. the code is run on a stack of forms.
// Every error carries the byte offset of the token that is wrong.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapParser.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// Words that cannot name a variable.
static bool isKeyword(StringRef name) {
  // The shortest keyword has two letters, the longest eight.
  if (name.size() < 2 || name.size() > 8)
    return false;
  static constexpr StringRef keywords[] = {
      "floordiv", "ceildiv", "mod", "min", "max", "in", "domain", "inf"};
  return llvm::is_contained(keywords, name);
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() {
  while (position < text.size() && llvm::isSpace(text[position]))
    ++position;
  const size_t begin = position;
  auto finish = [&](TokenKind kind, size_t length) {
    token = {kind, text.substr(begin, length), begin};
    position = begin + length;
  };
  if (begin == text.size())
    return finish(TokenKind::End, 0);
  StringRef rest = text.substr(begin);
  const char c = rest.front();
  if (llvm::isDigit(c)) {
    size_t length =
        rest.find_if_not([](char d) { return llvm::isAlnum(d) || d == '_'; });
    StringRef word = rest.substr(0, length);
    finish(TokenKind::Integer, word.size());
    if (word.size() > 1 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
      fail("hexadecimal literal '" + word + "' is not allowed", begin);
    else if (!llvm::all_of(word, llvm::isDigit))
      fail("malformed integer '" + word + "'", begin);
    if (hasFailed)
      token.kind = TokenKind::Error;
    return;
  }
  if (llvm::isAlpha(c) || c == '_') {
    size_t length = rest.find_if_not([](char d) {
      return llvm::isAlnum(d) || d == '_' || d == '$' || d == '.';
    });
    return finish(TokenKind::Name, std::min(length, rest.size()));
  }
  if (rest.starts_with("->"))
    return finish(TokenKind::Punctuation, 2);
  if (rest.starts_with("//")) {
    finish(TokenKind::Error, 2);
    fail("'//' is not an operator of indexing maps, write 'floordiv'", begin);
    return;
  }
  if (c == '%') {
    finish(TokenKind::Error, 1);
    fail("'%' is not an operator of indexing maps, write 'mod'", begin);
    return;
  }
  if (StringRef("()[]{},:+-*/").contains(c))
    return finish(TokenKind::Punctuation, 1);
  finish(TokenKind::Error, 1);
  if (llvm::isPrint(c))
    fail("unexpected character '" + Twine(c) + "'", begin);
  else
    fail("unexpected byte " +
             Twine(static_cast<unsigned>(static_cast<unsigned char>(c))),
         begin);
}

bool Parser::expect(StringRef t, StringRef where) {
  if (consumeIf(t))
    return true;
  return failHere("expected '" + t + "' " + where + ", got " + describeToken());
}

//===----------------------------------------------------------------------===//
// Grammar
//===----------------------------------------------------------------------===//

bool Parser::parseNames(StringRef close, unsigned &count) {
  if (consumeIf(close))
    return true;
  do {
    if (token.kind != TokenKind::Name)
      return failHere("expected a variable name, got " + describeToken());
    if (isKeyword(token.text))
      return failHere("keyword '" + token.text + "' cannot name a variable");
    if (!nameTable.try_emplace(token.text, names.size()).second)
      return failHere("variable '" + token.text + "' is declared twice");
    names.push_back(token.text);
    nameOffsets.push_back(token.offset);
    ++count;
    advance();
  } while (consumeIf(","));
  return expect(close, "after the variables");
}

std::optional<unsigned> Parser::lookUp(StringRef name) const {
  auto it = nameTable.find(name);
  if (it == nameTable.end())
    return std::nullopt;
  return it->second;
}

bool Parser::parseFactorBody() {
  const size_t offset = token.offset;
  if (consumeIf("(")) {
    return parseSum() && expect(")", "to close '('");
  }
  if (consumeIf("-")) {
    // -9223372036854775808 is a number although its magnitude does not fit.
    if (token.kind == TokenKind::Integer &&
        token.text.ltrim('0') == "9223372036854775808") {
      emit(Op::Constant, offset, Interval::kNoLower);
      advance();
      return !hasFailed;
    }
    if (!parseFactor())
      return false;
    emit(Op::Negate, offset);
    return true;
  }
  if (token.kind == TokenKind::Integer) {
    int64_t value;
    if (token.text.getAsInteger(10, value))
      return failHere("integer '" + token.text + "' does not fit in 64 bits");
    emit(Op::Constant, offset, value);
    advance();
    return !hasFailed;
  }
  if (is("min") || is("max")) {
    const Op op = is("min") ? Op::Min : Op::Max;
    const StringRef name = token.text;
    advance();
    if (!expect("(", op == Op::Min ? "after 'min'" : "after 'max'") ||
        !parseSum())
      return false;
    if (!is(","))
      return failHere("expected ',' in '" + name +
                      "', which takes two or more operands, got " +
                      describeToken());
    while (consumeIf(",")) {
      if (!parseSum())
        return false;
      emit(op, offset);
    }
    return expect(")", op == Op::Min ? "to close 'min('" : "to close 'max('");
  }
  if (token.kind == TokenKind::Name && !isKeyword(token.text)) {
    std::optional<unsigned> variable = lookUp(token.text);
    if (!variable)
      return failHere("variable '" + token.text + "' is not declared");
    emit(Op::Variable, offset, *variable);
    advance();
    return !hasFailed;
  }
  return failHere("expected an expression, got " + describeToken());
}

bool Parser::parseFactor() {
  if (hasFailed)
    return false;
  if (nesting == kMaxNesting)
    return failHere("expression is nested deeper than " + Twine(kMaxNesting));
  ++nesting;
  bool ok = parseFactorBody();
  --nesting;
  return ok && !hasFailed;
}

bool Parser::parseTerm() {
  if (!parseFactor())
    return false;
  while (true) {
    const size_t offset = token.offset;
    Op op;
    if (is("*"))
      op = Op::Mul;
    else if (is("/") || is("floordiv"))
      op = Op::FloorDiv;
    else if (is("ceildiv"))
      op = Op::CeilDiv;
    else if (is("mod"))
      op = Op::Mod;
    else
      return !hasFailed;
    advance();
    if (!parseFactor())
      return false;
    emit(op, offset);
  }
}

bool Parser::parseSum() {
  if (!parseTerm())
    return false;
  while (is("+") || is("-")) {
    const Op op = is("+") ? Op::Add : Op::Sub;
    const size_t offset = token.offset;
    advance();
    if (!parseTerm())
      return false;
    emit(op, offset);
  }
  return !hasFailed;
}

bool Parser::parseExpr(Code &out) {
  out.begin = code.size();
  out.offset = token.offset;
  if (!parseSum())
    return false;
  out.end = code.size();
  return true;
}

bool Parser::parseBound(Bound &bound, bool isLower) {
  bound.code.offset = token.offset;
  // `inf` and `-inf`; a lone `-` begins an expression.
  const Token first = token;
  const size_t afterFirst = position;
  const bool isNegative = consumeIf("-");
  if (is("inf")) {
    if (isNegative != isLower)
      return fail(isLower ? "lower bound cannot be 'inf'"
                          : "upper bound cannot be '-inf'",
                  bound.code.offset);
    advance();
    bound.isInfinite = true;
    return !hasFailed;
  }
  if (isNegative) {
    token = first;
    position = afterFirst;
  }
  return parseExpr(bound.code);
}

bool Parser::parseEntry(Entry &entry) {
  return parseExpr(entry.expr) && expect("in", "after the expression") &&
         expect("[", "after 'in'") && parseBound(entry.lower, true) &&
         expect(",", "between the bounds") && parseBound(entry.upper, false) &&
         expect("]", "after the bounds");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

std::optional<IndexingMap> Parser::parse() {
  if (is("unknown") || is("undefined")) {
    const StringRef word = token.text;
    advance();
    if (token.kind != TokenKind::End)
      failHere("unexpected " + describeToken() + " after '" + word + "'");
    if (hasFailed)
      return std::nullopt;
    return IndexingMap::unknown(UnknownReason::Unspecified);
  }
  const bool isEmpty = consumeIf("empty");
  if (!is("("))
    failHere("expected an indexing map, got " + describeToken());
  if (hasFailed || !expect("(", "") || !parseNames(")", numDims) ||
      (consumeIf("[") && !parseNames("]", numSymbols)) ||
      (consumeIf("{") && !parseNames("}", numRuntime)) ||
      !expect("->", "before the results") || !expect("(", "before the results"))
    return std::nullopt;
  if (!consumeIf(")")) {
    do {
      Code result;
      if (!parseExpr(result))
        return std::nullopt;
      results.push_back(result);
    } while (consumeIf(","));
    if (!expect(")", "after the results"))
      return std::nullopt;
  }
  if (consumeIf(",")) {
    hasDomain = true;
    if (!expect("domain", "after the results") ||
        !expect(":", "after 'domain'"))
      return std::nullopt;
    do {
      if (!parseEntry(entries.emplace_back()))
        return std::nullopt;
    } while (consumeIf(","));
  }
  if (token.kind != TokenKind::End)
    failHere("unexpected " + describeToken() + " after the map");
  if (hasFailed)
    return std::nullopt;

  IntrusiveRefCntPtr<MapStorage> s(new MapStorage);
  if (!declareRanges(*s))
    return std::nullopt;
  if (isEmpty)
    s->state = MapState::KnownEmpty;
  for (unsigned i = 0, e = names.size(); i != e; ++i)
    if (names[i] != s->getDefaultName(i)) {
      s->names.resize(e);
      s->names[i] = names[i].str();
    }
  SmallVector<Form, 8> variables;
  for (unsigned i = 0, e = names.size(); i != e; ++i)
    variables.push_back(Form::ofAtom(i));
  for (const Code &result : results)
    if (!run(result, s->arena, variables, s->results.emplace_back()))
      return std::nullopt;
  for (unsigned i = names.size(); i < entries.size(); ++i) {
    Constraint &c = s->constraints.emplace_back();
    if (!run(entries[i].expr, s->arena, variables, c.form) ||
        !constantBound(entries[i].lower, true, "a constraint",
                       c.interval.lower) ||
        !constantBound(entries[i].upper, false, "a constraint",
                       c.interval.upper))
      return std::nullopt;
  }
  // `finish` shares the storage with us, so that we can ask what went wrong.
  IntrusiveRefCntPtr<MapStorage> shared = s;
  IndexingMap map = MapStorage::finish(std::move(s));
  if (!map.isUnknown())
    return map;
  std::string what = "the map";
  size_t offset = 0;
  if (map.getUnknownReason() == UnknownReason::Overflow &&
      shared->resultRanges.size() == results.size()) {
    if (std::optional<std::string> found = shared->findOverflow())
      what = *found;
    auto indexAfter = [&](StringRef word) -> std::optional<unsigned> {
      StringRef rest = what;
      unsigned index;
      if (!rest.consume_front(word) || rest.getAsInteger(10, index))
        return std::nullopt;
      return index;
    };
    if (std::optional<unsigned> index = indexAfter("result ")) {
      offset = results[*index].offset;
    } else if (std::optional<unsigned> index = indexAfter("constraint ")) {
      // Bounds over parameters come before what the text calls constraints.
      const unsigned written = entries.size() - names.size();
      const unsigned bounds = shared->constraints.size() - written;
      what = "a bound";
      if (*index >= bounds) {
        what = "constraint " + std::to_string(*index - bounds);
        offset = entries[names.size() + *index - bounds].expr.offset;
      }
    }
  }
  fail(what + " " + describe(map.getUnknownReason()), offset);
  return std::nullopt;
}

std::optional<IndexingMap> IndexingMap::parse(StringRef text,
                                              ParseError &error) {
  return Parser(text, error).parse();
}
