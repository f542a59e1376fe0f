//===- GlensideSyntax.cpp - S-expressions with positions ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the text with a stack of open lists, so that depth costs memory
// and no recursion:
// 1. A comment runs from `;` to the end of its line. One that reads
//    `name: 2x3xf32` declares a tensor; others are prose.
// 2. An atom is a run of characters other than blanks, parentheses and `;`.
// 3. At `)` the innermost open list is complete. If a node with the same head
//    and operands exists it is taken; else a new one is added, after all its
//    operands.
//
//===----------------------------------------------------------------------===//

#include "GlensideSyntax.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

namespace {

struct OpenList {
  Location loc;
  /// Numbers of nodes; the first is the head.
  SmallVector<unsigned, 4> elements;
  /// The place of each element.
  SmallVector<Location, 4> places;
};

class Parser {
public:
  Parser(StringRef text, StringAttr file) : text(text), file(file) {}
  FailureOr<Program> run();

private:
  Location locationAt(size_t at) {
    // Positions are asked for in the order of the text.
    for (; counted < at; ++counted)
      if (text[counted] == '\n') {
        ++line;
        lineBegin = counted + 1;
      }
    return FileLineColLoc::get(file, line, at - lineBegin + 1);
  }

  LogicalResult parseComment();
  LogicalResult declare(StringRef name, StringRef type, size_t at);
  LogicalResult add(unsigned node, Location loc);
  LogicalResult close(Location loc);
  unsigned intern(Node node);

  StringRef text;
  StringAttr file;
  size_t pos = 0, counted = 0, lineBegin = 0;
  unsigned line = 1;
  Program program;
  SmallVector<OpenList> open;
  std::map<std::pair<StringRef, std::vector<unsigned>>, unsigned> known[2];
  /// The number of the program's node, once it is complete.
  std::optional<unsigned> root;
};

} // namespace

/// Characters of an atom; every other printable one separates.
static bool isAtom(char c) {
  return !llvm::isSpace(c) && c != '(' && c != ')' && c != ';';
}

/// True for names of tensors: not numbers, and not the rest of a sentence.
static bool isName(StringRef name) {
  return !name.empty() && llvm::all_of(name, isAtom) &&
         !llvm::isDigit(name.front());
}

/// True if a comment's text is meant as a type: `f32`, `2x3xf32`, `2x?xi8`.
static bool looksLikeType(StringRef type) {
  return !type.empty() && !type.contains(' ') &&
         (llvm::isDigit(type.front()) || type.front() == '?' ||
          StringRef("fibu").contains(type.front())) &&
         llvm::any_of(type, llvm::isDigit);
}

LogicalResult Parser::declare(StringRef name, StringRef spelling, size_t at) {
  Location loc = locationAt(at);
  for (const Argument &other : program.arguments)
    if (other.name == name)
      return emitError(loc) << "tensor '" << name << "' is declared twice";
  Type type;
  {
    // The type's own parser reports at a position within the type.
    CapturedErrors captured(file.getContext());
    type = parseType(("tensor<" + spelling + ">").str(), file.getContext());
  }
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (!tensor)
    return emitError(loc) << "tensor '" << name << "' has no type: expected "
                          << "sizes and an element type as in 3x32xf64, got '"
                          << spelling << "'";
  if (!tensor.getElementType().isSignlessIntOrIndexOrFloat())
    return emitError(loc) << "tensor '" << name
                          << "' must hold signless integers or floats, got "
                          << tensor.getElementType();
  if (!tensor.hasStaticShape())
    return emitError(loc) << "tensor '" << name
                          << "' must have a static shape, got '" << spelling
                          << "'";
  program.arguments.push_back({name, tensor, loc});
  return success();
}

LogicalResult Parser::parseComment() {
  size_t begin = ++pos;
  StringRef comment = text.drop_front(begin).take_until(
      [](char c) { return c == '\n' || c == '\r'; });
  pos += comment.size();
  auto [left, right] = comment.split(':');
  // `;; t: 2xf32` and `; t: 2xf32` alike.
  StringRef name = left.ltrim("; \t").rtrim(), type = right.trim();
  if (!isName(name) || !looksLikeType(type))
    return success();
  return declare(name, type, begin + (name.data() - comment.data()));
}

unsigned Parser::intern(Node node) {
  auto [it, inserted] = known[node.isList].try_emplace(
      {node.word,
       std::vector<unsigned>(node.operands.begin(), node.operands.end())},
      program.nodes.size());
  if (inserted)
    program.nodes.push_back(std::move(node));
  return it->second;
}

LogicalResult Parser::add(unsigned node, Location loc) {
  if (!open.empty()) {
    open.back().elements.push_back(node);
    open.back().places.push_back(loc);
    return success();
  }
  if (root)
    return emitError(loc) << "a file holds one expression; here begins another";
  root = node;
  return success();
}

LogicalResult Parser::close(Location loc) {
  if (open.empty())
    return emitError(loc) << "')' closes nothing";
  OpenList list = open.pop_back_val();
  if (list.elements.empty())
    return emitError(list.loc) << "expected a word after '(', got ')'";
  const Node &head = program.nodes[list.elements.front()];
  if (head.isList)
    return emitError(list.loc) << "expected a word after '(', got '('";
  Node node{head.word, true, {}, list.loc, {}};
  llvm::append_range(node.operands, ArrayRef(list.elements).drop_front());
  llvm::append_range(node.places, ArrayRef(list.places).drop_front());
  return add(intern(std::move(node)), list.loc);
}

FailureOr<Program> Parser::run() {
  while (pos < text.size()) {
    char c = text[pos];
    if (llvm::isSpace(c)) {
      ++pos;
      continue;
    }
    if (c == ';') {
      if (failed(parseComment()))
        return failure();
      continue;
    }
    Location loc = locationAt(pos);
    if (c == '(') {
      open.push_back({loc, {}, {}});
      ++pos;
    } else if (c == ')') {
      ++pos;
      if (failed(close(loc)))
        return failure();
    } else {
      StringRef word = text.drop_front(pos).take_while(isAtom);
      if (!llvm::all_of(word, llvm::isPrint))
        return emitError(loc) << "unprintable character in an atom";
      pos += word.size();
      if (failed(add(intern({word, false, {}, loc, {}}), loc)))
        return failure();
    }
  }
  if (!open.empty())
    return emitError(open.back().loc) << "'(' is never closed";
  if (!root)
    return emitError(locationAt(text.size())) << "the file holds no expression";
  // No term holds itself, so the outermost one is the newest.
  return std::move(program);
}

FailureOr<Program> glenside::parse(const llvm::SourceMgr &sources,
                                   MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  return Parser(buffer->getBuffer(),
                StringAttr::get(context, buffer->getBufferIdentifier()))
      .run();
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string glenside::getWord(ComputeKind kind) {
  if (kind == ComputeKind::DotProd)
    return "dot-product";
  std::string word = stringifyComputeKind(kind).str();
  llvm::replace(word, '_', '-');
  return word;
}

std::optional<ComputeKind> glenside::getComputeKind(StringRef word) {
  for (unsigned i = 0; i <= getMaxEnumValForComputeKind(); ++i)
    if (auto kind = symbolizeComputeKind(i); kind && getWord(*kind) == word)
      return kind;
  return std::nullopt;
}
