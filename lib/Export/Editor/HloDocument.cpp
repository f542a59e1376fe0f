//===- HloDocument.cpp - HLO text in an editor ----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloDocument.h"
#include "AttributeText.h"
#include "Positions.h"
#include "TensorAccess/Analysis/Ask.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;
namespace json = llvm::json;

static constexpr size_t kMostRows = 8;
/// What the protocol calls kinds of symbols, and an error.
static constexpr int kFunction = 12, kVariable = 13, kError = 1;

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
}

/// `ML\xefR`, its second byte as an editor shows it.
static bool isBytecode(StringRef text) {
  return text.consume_front("ML") &&
         (text.consume_front("\xef\xbf\xbd") ||
          text.consume_front("\xc3\xaf")) &&
         text.starts_with("R");
}

bool HloDocument::isOne(StringRef text) {
  return isBytecode(text) || isHloText(text);
}

HloDocument::HloDocument(const DialectRegistry &registry, StringRef text,
                         StringRef uri)
    : text(text.str()), uri(uri.str()),
      context(registry, MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  for (size_t at = 0; at != StringRef::npos; at = this->text.find('\n', at)) {
    at += !lines.empty();
    lines.push_back(at);
  }
  if (isBytecode(text)) {
    addError(0,
             "bytecode is not text; tensoraccess-opt FILE writes it as MLIR");
    return;
  }
  findNames();
  read();
}

json::Object HloDocument::getRange(size_t begin, size_t end) const {
  auto get = [&](size_t offset) {
    auto after = llvm::upper_bound(lines, offset);
    const size_t line = *std::prev(after);
    json::Object position =
        toPosition(StringRef(text).drop_front(line), offset - line);
    position["line"] = static_cast<int64_t>(after - lines.begin() - 1);
    return position;
  };
  return json::Object{{"start", get(begin)}, {"end", get(end)}};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void HloDocument::findNames() {
  StringRef all(text);
  // Brackets that are open.
  unsigned depth = 0;
  int computation = -1;
  // The first name of a line outside of computations: what a brace may begin.
  size_t head = all.size();
  bool isEntry = false;
  char before = '\n';
  for (size_t i = 0; i < all.size();) {
    StringRef rest = all.drop_front(i);
    const char c = all[i];
    if (c == '"') {
      for (++i; i < all.size() && all[i] != '"'; ++i)
        i += all[i] == '\\';
      ++i;
    } else if (rest.starts_with("//")) {
      i += std::min(rest.find('\n'), rest.size());
      continue;
    } else if (rest.starts_with("/*")) {
      i += std::min(rest.find("*/"), rest.size() - 2) + 2;
      continue;
    } else if (c == '%' || llvm::isAlpha(c) || c == '_') {
      const size_t begin = i + (c == '%');
      for (i = begin; i < all.size() && isNamePart(all[i]);)
        ++i;
      StringRef word = all.slice(begin, i),
                after = all.drop_front(i).ltrim(" \t");
      const bool beginsLine =
          all.take_front(begin - (c == '%')).rtrim(" \t").ends_with("\n") ||
          begin <= 1;
      if (computation < 0) {
        if (word == "ENTRY" && beginsLine) {
          isEntry = true;
          head = all.size();
          continue;
        }
        if (depth == 0 && (beginsLine || (isEntry && head == all.size()))) {
          head = names.size();
          names.push_back({begin, i, -1, false});
        }
      } else if (after.starts_with("=")) {
        // Attributes follow a comma, or have no shape.
        after = after.drop_front().ltrim();
        if (before != ',' &&
            (after.starts_with("(") || after.find_if(llvm::isAlpha) == 0))
          names.push_back({begin, i, computation, true});
      } else if (!after.starts_with("(") && !after.starts_with("[")) {
        names.push_back({begin, i, computation, false});
      }
    } else {
      if (StringRef("([{").contains(c)) {
        // A layout is right behind its shape; `=` has a list.
        if (c == '{' && depth == 0 && computation < 0 && head < names.size() &&
            before != '=' && i > 0 && all[i - 1] != ']') {
          computation = computations.size();
          computations.push_back({head, 0, isEntry});
          names[head].isDefinition = true;
        }
        ++depth;
      } else if (StringRef(")]}").contains(c) && depth > 0) {
        --depth;
        if (computation >= 0 && depth == 0) {
          computations[computation].end = i + 1;
          computation = -1;
          head = all.size();
          isEntry = false;
        }
      }
      ++i;
    }
    if (!llvm::isSpace(c))
      before = c;
  }
  if (computation >= 0)
    computations[computation].end = all.size();
  // The last one, where none is marked.
  auto isEntryOf = [](const Computation &each) { return each.isEntry; };
  if (!computations.empty() && llvm::none_of(computations, isEntryOf))
    computations.back().isEntry = true;
}

const HloDocument::Name *HloDocument::findName(size_t offset) const {
  for (const Name &name : names)
    if (name.begin - (name.begin > 0 && text[name.begin - 1] == '%') <=
            offset &&
        offset <= name.end)
      return &name;
  return nullptr;
}

const HloDocument::Name *HloDocument::findDefinition(const Name &name) const {
  for (bool isComputation : {false, true})
    for (const Name &other : names)
      if (other.isDefinition && getText(other) == getText(name) &&
          other.computation == (isComputation ? -1 : name.computation))
        return &other;
  return nullptr;
}

json::Object HloDocument::getLocation(const Name &name) const {
  return json::Object{{"uri", uri}, {"range", getRange(name.begin, name.end)}};
}

/// ` = f32[4]{0} add(%a, %b)` without operands.
static StringRef getShapeAndOpcode(StringRef line) {
  line = line.ltrim(" \t=");
  unsigned depth = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '(' && depth == 0 && i > 0)
      return line.take_front(i);
    depth += StringRef("({[").contains(line[i]);
    depth -= depth > 0 && StringRef(")}]").contains(line[i]);
  }
  return line.rtrim();
}

void HloDocument::writeSymbols(json::OStream &out) const {
  auto write = [&](const Name &name, size_t end, int kind, StringRef detail) {
    out.attribute("name", getText(name));
    out.attribute("detail", detail);
    out.attribute("kind", kind);
    out.attribute("range", getRange(name.begin, end));
    out.attribute("selectionRange", getRange(name.begin, name.end));
  };
  // Names of a computation follow its own.
  const Name *last = names.data() + names.size();
  out.arrayBegin();
  for (const Computation &computation : computations) {
    out.objectBegin();
    write(names[computation.name], computation.end, kFunction,
          computation.isEntry ? "ENTRY" : "");
    out.attributeArray("children", [&] {
      for (const Name *next = &names[computation.name] + 1;
           next != last && next->computation >= 0; ++next) {
        if (!next->isDefinition)
          continue;
        StringRef line =
            StringRef(text).drop_front(next->end).split('\n').first;
        out.object([&] {
          write(*next, next->end + line.size(), kVariable,
                getShapeAndOpcode(line));
        });
      }
    });
    out.objectEnd();
  }
  out.arrayEnd();
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

void HloDocument::addError(size_t begin, StringRef message) {
  size_t end = begin;
  while (end < text.size() && isNamePart(text[end]))
    ++end;
  diagnostics.push_back(json::Object{{"range", getRange(begin, end)},
                                     {"severity", kError},
                                     {"source", "hlo"},
                                     {"message", message.str()}});
}

void HloDocument::read() {
  StringRef all(text), file = StringRef(uri).rsplit('/').second;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    // The name of an instruction, or a place of this text.
    Location location = diagnostic.getLocation();
    if (auto named = dyn_cast<NameLoc>(location)) {
      for (const Name &name : names)
        if (name.isDefinition && getText(name) == named.getName())
          return addError(name.begin, diagnostic.str());
      location = named.getChildLoc();
    }
    size_t begin = 0;
    if (auto place = dyn_cast<FileLineColLoc>(location);
        place && place.getFilename() == file && place.getLine() > 0)
      begin = lines[std::min<size_t>(place.getLine(), lines.size()) - 1] +
              std::max(place.getColumn(), 1u) - 1;
    addError(std::min(begin, all.size()), diagnostic.str());
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(all, file), {});
  module = parseProgram(context, sources, /*keepsLayouts=*/true);
}

std::string HloDocument::describeReads(const Name &definition) const {
  std::string error, table;
  StringRef name = getText(definition);
  std::optional<Explanation> reads;
  if (module && definition.computation >= 0)
    reads = ask("reads", *module, name, error);
  if (!reads)
    return {};
  // Others may have the same name.
  const Computation &in = computations[definition.computation];
  StringRef function = in.isEntry ? "main" : getText(names[in.name]);
  ExplainSection &section = reads->sections.front();
  auto isElsewhere = [&](const ExplainRow &row) {
    auto parent =
        row.op ? row.op->getParentOfType<FunctionOpInterface>() : nullptr;
    return !parent || parent.getName() != function;
  };
  if (!llvm::all_of(section.rows, isElsewhere))
    llvm::erase_if(section.rows, isElsewhere);
  reads->program.clear();
  llvm::raw_string_ostream os(table);
  printAnswer(os, *reads, kMostRows);
  return ("```text\n" + StringRef(table).trim('\n') + "\n```\n").str();
}

json::Value HloDocument::getHover(size_t offset) const {
  StringRef all(text);
  size_t begin = offset, end = offset;
  std::string markdown;
  if (const Name *name = findName(offset)) {
    const Name *definition = findDefinition(*name);
    if (definition)
      markdown = describeReads(*definition);
    begin = name->begin;
    end = name->end;
  } else {
    // The shape of its line that it is in, with its layout.
    StringRef shape;
    for (end = all.take_front(offset).rfind('\n') + 1; end <= offset;) {
      const size_t bracket = all.find_first_of("[\n", end);
      if (bracket == StringRef::npos || all[bracket] == '\n')
        break;
      for (begin = bracket; begin > 0 && llvm::isAlnum(all[begin - 1]);)
        --begin;
      end = std::min(all.find(']', bracket), all.size() - 1) + 1;
      if (all.drop_front(end).starts_with("{"))
        end = std::min(all.find('}', end), all.size() - 1) + 1;
      if (begin <= offset && offset < end)
        shape = all.slice(begin, end);
    }
    end = begin + shape.size();
    ParseError error;
    if (std::optional<Layout> layout = Layout::parse(shape, error))
      markdown = describeLayout(*layout);
  }
  if (markdown.empty())
    return nullptr;
  return json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", markdown}}},
      {"range", getRange(begin, end)}};
}

void HloDocument::answer(StringRef method, const json::Object &params,
                         json::OStream &out) const {
  if (method == "textDocument/documentSymbol")
    writeSymbols(out);
  else
    out.value(getAnswer(method, params));
}

json::Value HloDocument::getAnswer(StringRef method,
                                   const json::Object &params) const {
  const size_t offset = toOffset(text, params.getObject("position"));
  if (method == "textDocument/hover")
    return getHover(offset);
  const Name *name = findName(offset);
  const Name *definition = name ? findDefinition(*name) : nullptr;
  json::Array found;
  if (method == "textDocument/definition" && definition)
    found.push_back(getLocation(*definition));
  if (method == "textDocument/references" && definition)
    for (const Name &other : names)
      if (getText(other) == getText(*name) &&
          findDefinition(other) == definition)
        found.push_back(getLocation(other));
  if (method == "textDocument/definition" ||
      method == "textDocument/references")
    return found;
  return nullptr;
}
