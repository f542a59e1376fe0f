//===- FindAttribute.cpp - The attribute under a cursor -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While somebody types, programs do not parse, so only what is asked about is
// parsed: the attribute that begins before the cursor, the definition of an
// alias, the tensor type around it.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Bytes that are looked through before a cursor, and parsed after it.
static constexpr size_t kMostBytes = 1 << 14;
static constexpr StringRef kPrefix = "#tensoraccess";

/// The attribute that `text` begins with, if it is one of ours, and its bytes.
static Attribute parse(MLIRContext *context, StringRef text, size_t &size) {
  Attribute attr =
      parseAttribute(text.take_front(kMostBytes), context, Type(), &size);
  if (!attr || !isa<TensorAccessDialect>(attr.getDialect()))
    return {};
  // The parser has read what is after it, too: blanks, comments.
  int64_t depth = 0;
  for (size_t i = 0; i != size; ++i) {
    if (text[i] == '<')
      ++depth;
    else if (text[i] == '>' && text[i - 1] != '-' && --depth == 0)
      size = i + 1;
    if (size == i + 1)
      break;
  }
  return attr;
}

/// The nearest type before [begin, end) that has `attr` there.
static ShapedType findHolder(MLIRContext *context, StringRef text, size_t begin,
                             size_t end, Attribute attr) {
  std::string spelled;
  llvm::raw_string_ostream(spelled) << attr;
  size_t first = begin - std::min(begin, kMostBytes);
  for (size_t at = begin; at-- > first;) {
    StringRef rest = text.drop_front(at);
    if (rest.starts_with(";") || rest.starts_with("{"))
      break;
    if (!rest.starts_with("tensor<") && !rest.starts_with("memref<"))
      continue;
    std::string type =
        (text.slice(at, begin) + spelled + text.substr(end, kMostBytes)).str();
    size_t size = 0;
    auto holder = dyn_cast_or_null<ShapedType>(parseType(type, context, &size));
    auto tensor = dyn_cast_or_null<RankedTensorType>(holder);
    auto memref = dyn_cast_or_null<MemRefType>(holder);
    if (size > begin - at && ((tensor && tensor.getEncoding() == attr) ||
                              (memref && memref.getLayout() == attr)))
      return holder;
  }
  return {};
}

/// Where an alias is defined to be what follows; text.size() where it is not.
static size_t findDefinition(StringRef text, StringRef alias) {
  for (size_t at = text.find(alias); at != StringRef::npos;
       at = text.find(alias, at + 1)) {
    StringRef rest = text.drop_front(at + alias.size()).ltrim(" \t");
    bool beginsLine = text.take_front(at).rtrim(" \t").empty() ||
                      text.take_front(at).rtrim(" \t").ends_with("\n");
    if (beginsLine && rest.consume_front("=") && !rest.starts_with("="))
      return text.size() - rest.ltrim().size();
  }
  return text.size();
}

static bool isAliasCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '-';
}

static std::optional<FoundAttribute> findAlias(MLIRContext *context,
                                               StringRef text, size_t offset) {
  size_t begin = offset, end = offset;
  while (begin > 0 && isAliasCharacter(text[begin]))
    --begin;
  if (text[begin] != '#')
    return std::nullopt;
  for (end = begin + 1; end < text.size() && isAliasCharacter(text[end]);)
    ++end;
  StringRef alias = text.slice(begin, end);
  size_t size = 0;
  Attribute attr =
      parse(context, text.drop_front(findDefinition(text, alias)), size);
  if (!attr)
    return std::nullopt;
  FoundAttribute found{attr, findHolder(context, text, begin, end, attr), begin,
                       end};
  for (size_t at = text.find(alias); !found.holder && at != StringRef::npos;
       at = text.find(alias, at + 1)) {
    size_t behind = at + alias.size();
    if (behind == text.size() || !isAliasCharacter(text[behind]))
      found.holder = findHolder(context, text, at, behind, attr);
  }
  return found;
}

std::optional<FoundAttribute> tensoraccess::findAttribute(MLIRContext *context,
                                                          StringRef text,
                                                          size_t offset) {
  // An empty answer tells the caller that there was none.
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
  if (offset >= text.size())
    return std::nullopt;
  size_t first = offset - std::min(offset, kMostBytes);
  for (size_t begin = offset + 1; begin-- > first;) {
    if (!text.drop_front(begin).starts_with(kPrefix))
      continue;
    size_t size = 0;
    Attribute attr = parse(context, text.drop_front(begin), size);
    size_t end = begin + size;
    if (attr && offset < end)
      return FoundAttribute{attr, findHolder(context, text, begin, end, attr),
                            begin, end};
    break;
  }
  return findAlias(context, text, offset);
}
