//===- PdllSource.cpp - Texts of PDLL for mlir-pdll -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text of an attribute becomes `"ta:N"`, one of a type `tuple<none, iN>`. All
// are replaced, so that nothing else has these forms. What is not PDLL is left
// to mlir-pdll as it is, which reports it.
//
//===----------------------------------------------------------------------===//

#include "PdllSource.h"

#include "TensorAccess/IR/Checks.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

struct PdllSource::Token {
  enum class Kind : uint8_t { Word, String, Directive, Other };
  Kind kind;
  /// With the quotes of a string.
  StringRef text;
  unsigned line, column;

  bool is(StringRef word) const { return text == word; }
  bool isString() const { return kind == Kind::String; }
  unsigned getEnd() const { return column + text.size(); }
};

/// Words, strings, directives and single characters; comments and what is
/// written in C++ are left out.
std::vector<PdllSource::Token> PdllSource::tokenize(StringRef text) {
  std::vector<Token> tokens;
  unsigned line = 1;
  size_t lineBegin = 0, at = 0;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (at < text.size()) {
    const char c = text[at];
    StringRef rest = text.substr(at);
    if (c == '\n') {
      ++line;
      lineBegin = ++at;
      continue;
    }
    if (llvm::isSpace(c)) {
      ++at;
      continue;
    }
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (rest.starts_with("[{")) {
      const size_t end = std::min(text.find("}]", at), text.size());
      for (; at < end; ++at)
        if (text[at] == '\n') {
          ++line;
          lineBegin = at + 1;
        }
      at = std::min(end + 2, text.size());
      continue;
    }
    size_t size = 1;
    Token::Kind kind = Token::Kind::Other;
    if (isWord(c) || c == '#') {
      kind = c == '#' ? Token::Kind::Directive : Token::Kind::Word;
      while (size < rest.size() && isWord(rest[size]))
        ++size;
    } else if (c == '"') {
      size_t end = 1;
      while (end < rest.size() && rest[end] != '"' && rest[end] != '\n')
        end += rest[end] == '\\' ? 2 : 1;
      if (end < rest.size() && rest[end] == '"') {
        kind = Token::Kind::String;
        size = end + 1;
      }
    }
    tokens.push_back(
        {kind, rest.take_front(size), line, unsigned(at - lineBegin + 1)});
    at += size;
  }
  return tokens;
}

/// The contents of a string in quotes; std::nullopt if PDLL knows no such
/// escape.
static std::optional<std::string> unescape(StringRef text) {
  text = text.drop_front().drop_back();
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    const char next = i + 1 < text.size() ? text[++i] : '\0';
    if (next == '"' || next == '\\') {
      result += next;
    } else if (next == 'n' || next == 't') {
      result += next == 'n' ? '\n' : '\t';
    } else if (i + 1 < text.size() && llvm::isHexDigit(next) &&
               llvm::isHexDigit(text[i + 1])) {
      result += char(llvm::hexFromNibbles(next, text[i + 1]));
      ++i;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

FailureOr<std::string> PdllSource::include(StringRef name,
                                           FileLineColLoc place) {
  // As mlir-pdll looks for it.
  std::string path = name.str();
  auto next = included.begin();
  while (!llvm::sys::fs::exists(path)) {
    if (next == included.end())
      return std::string();
    SmallString<128> beside(*next++);
    llvm::sys::path::append(beside, name);
    path = beside.str().str();
  }
  for (const File &file : files) {
    if (file.name != path)
      continue;
    if (file.isOpen)
      return emitError(place) << "'" << name << "' includes itself";
    return file.path;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return emitError(place)
           << "'" << name << "' can't be read: " << buffer.getError().message();
  return write((*buffer)->getBuffer(), path);
}

FailureOr<std::string> PdllSource::write(StringRef text, StringRef name) {
  File &file = files.emplace_back();
  file.name = name.str();
  SmallString<128> path(folder);
  llvm::sys::path::append(path, std::to_string(files.size()) + ".pdll");
  file.path = path.str().str();

  std::string result;
  const char *done = text.begin();
  unsigned editedLine = 0;
  int64_t shift = 0;
  auto replace = [&](const Token &token, std::string by) {
    result.append(done, token.text.begin());
    done = token.text.end();
    if (editedLine != token.line)
      shift = 0;
    editedLine = token.line;
    const unsigned begin = token.column + shift;
    file.edits[token.line].push_back(
        {begin, unsigned(begin + by.size()), token.column, token.getEnd()});
    shift += int64_t(by.size()) - int64_t(token.text.size());
    result += by;
  };
  const std::vector<Token> tokens = tokenize(text);
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    const Token &token = tokens[i], &next = tokens[i + 1];
    auto at = [&](const Token &where) {
      return FileLineColLoc::get(context, name, where.line, where.column);
    };
    if (token.is("Pattern") && token.kind == Token::Kind::Word)
      file.rules[{token.line, token.column}] =
          next.kind == Token::Kind::Word && !next.is("with") ? next.text.str()
                                                             : "";
    if ((token.is("Constraint") || token.is("Rewrite")) &&
        token.kind == Token::Kind::Word)
      file.rules[{token.line, token.column}] = "";
    if (token.is("#include") && next.isString()) {
      std::optional<std::string> what = unescape(next.text);
      if (!what || !StringRef(*what).ends_with(".pdll"))
        continue;
      FailureOr<std::string> written = include(*what, at(next));
      if (failed(written))
        return failure();
      if (!written->empty())
        replace(next, "\"" + *written + "\"");
      continue;
    }
    if (!(token.is("attr") || token.is("type")) || i + 3 >= tokens.size() ||
        !next.is("<") || !tokens[i + 2].isString() || !tokens[i + 3].is(">"))
      continue;
    const Token &literal = tokens[i + 2];
    std::optional<std::string> what = unescape(literal.text);
    if (!what)
      continue;
    const bool isType = token.is("type");
    const std::string number = std::to_string(literals.size() + 1);
    literals.push_back({isType, *what, at(literal), {}, {}});
    replace(literal, isType ? "\"tuple<none, i" + number + ">\""
                            : "\"\\\"ta:" + number + "\\\"\"");
  }
  result.append(done, text.end());
  file.isOpen = false;

  std::error_code error;
  llvm::raw_fd_ostream os(file.path, error);
  os << result;
  os.flush();
  if (error || os.has_error()) {
    os.clear_error();
    return emitError(FileLineColLoc::get(context, name, 1, 1))
           << "a temporary file can't be written";
  }
  return file.path;
}

LogicalResult PdllSource::parseLiterals() {
  bool isBroken = false;
  for (Literal &literal : literals) {
    std::string reason;
    {
      CapturedErrors captured(context);
      if (literal.isType)
        literal.type = parseType(literal.text, context);
      else
        literal.attribute = parseAttribute(literal.text, context);
      reason = captured.getFirst();
    }
    if (literal.type || literal.attribute)
      continue;
    isBroken = true;
    emitError(literal.place)
        << describeRule(literal.place) << "'" << literal.text << "' is not "
        << (literal.isType ? "a type" : "an attribute")
        << (reason.empty() ? "" : ": ") << reason;
  }
  return failure(isBroken);
}

//===----------------------------------------------------------------------===//
// Restoring
//===----------------------------------------------------------------------===//

const PdllSource::File *PdllSource::findFile(StringRef path) const {
  for (const File &file : files)
    if (file.path == path)
      return &file;
  return nullptr;
}

FileLineColLoc PdllSource::find(StringRef path, unsigned line,
                                unsigned column) const {
  const File *file = findFile(path);
  if (!file)
    return FileLineColLoc::get(context, path, line, column);
  int64_t shift = 0;
  if (auto edits = file->edits.find(line); edits != file->edits.end())
    for (const Edit &edit : edits->second) {
      if (column < edit.begin)
        break;
      if (column < edit.end)
        return FileLineColLoc::get(context, file->name, line, edit.oldBegin);
      shift = int64_t(edit.oldEnd) - int64_t(edit.end);
    }
  return FileLineColLoc::get(context, file->name, line,
                             unsigned(column + shift));
}

std::string PdllSource::describeRule(FileLineColLoc place) const {
  for (const File &file : files) {
    if (file.name != place.getFilename().getValue())
      continue;
    auto rule = file.rules.upper_bound({place.getLine(), place.getColumn()});
    if (rule != file.rules.begin() && !std::prev(rule)->second.empty())
      return "rule '" + std::prev(rule)->second + "': ";
  }
  return "";
}

std::string PdllSource::clean(StringRef message) const {
  std::string text = message.str();
  for (const File &file : files)
    for (size_t at = 0; (at = text.find(file.path, at)) != std::string::npos;
         at += file.name.size())
      text.replace(at, file.path.size(), file.name);
  return text;
}

void PdllSource::restore(ModuleOp module) const {
  AttrTypeReplacer replacer;
  auto literalOf = [&](uint64_t number, bool isType) -> const Literal * {
    return number >= 1 && number <= literals.size() &&
                   literals[number - 1].isType == isType
               ? &literals[number - 1]
               : nullptr;
  };
  replacer.addReplacement(
      [&](StringAttr text) -> std::optional<std::pair<Attribute, WalkResult>> {
        StringRef number = text.getValue();
        uint64_t value = 0;
        if (!number.consume_front("ta:") || number.getAsInteger(10, value))
          return std::nullopt;
        const Literal *literal = literalOf(value, /*isType=*/false);
        if (!literal)
          return std::nullopt;
        return std::pair(literal->attribute, WalkResult::skip());
      });
  replacer.addReplacement(
      [&](TupleType tuple) -> std::optional<std::pair<Type, WalkResult>> {
        if (tuple.size() != 2 || !isa<NoneType>(tuple.getType(0)))
          return std::nullopt;
        auto number = dyn_cast<IntegerType>(tuple.getType(1));
        const Literal *literal =
            number ? literalOf(number.getWidth(), /*isType=*/true) : nullptr;
        if (!literal)
          return std::nullopt;
        return std::pair(literal->type, WalkResult::skip());
      });
  replacer.addReplacement(
      [&](FileLineColLoc loc)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair(
            Attribute(find(loc.getFilename(), loc.getLine(), loc.getColumn())),
            WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/true);
}
