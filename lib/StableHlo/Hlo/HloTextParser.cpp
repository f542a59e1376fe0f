//===- HloTextParser.cpp - From text to instructions ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the text, which looks one character ahead (HloText.h has the
// grammar). Everything that is read is a part of the text.
//
//===----------------------------------------------------------------------===//

#include "HloText.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Deeper nesting, and shapes of more dimensions, are refused.
static constexpr unsigned kDeepest = 256, kMostDims = 1024,
                          kMostLeaves = 1 << 16;

unsigned HloShape::countLeaves() const {
  if (!isTuple())
    return 1;
  unsigned count = 0;
  for (const HloShape &part : parts)
    count += part.countLeaves();
  return count;
}

std::optional<StringRef> HloInstruction::get(StringRef attribute) const {
  for (const HloAttribute &each : attributes)
    if (each.name == attribute)
      return each.value;
  return std::nullopt;
}

const HloComputation *HloModuleText::find(StringRef computation) const {
  computation.consume_front("%");
  auto it = numbers.find(computation);
  return it == numbers.end() ? nullptr : &computations[it->second];
}

HloReporter::HloReporter(StringRef text, StringRef file, MLIRContext *context)
    : text(text), file(StringAttr::get(context, file)), lines{text.begin()} {
  for (HloPlace p = text.begin(); p != text.end(); ++p)
    if (*p == '\n')
      lines.push_back(p + 1);
}

Location HloReporter::getLocation(HloPlace place) const {
  if (!place || place < text.begin() || place > text.end())
    place = text.begin();
  auto after = std::upper_bound(lines.begin(), lines.end(), place);
  return FileLineColLoc::get(file, after - lines.begin(),
                             place - *std::prev(after) + 1);
}

std::string tensoraccess::unescapeHlo(StringRef string) {
  std::string text;
  for (size_t i = 0; i < string.size(); ++i) {
    if (string[i] != '\\' || i + 1 == string.size()) {
      text += string[i];
      continue;
    }
    const char c = string[++i];
    unsigned code;
    if (c >= '0' && c <= '7') {
      StringRef digits = string.substr(i, 3).take_while(
          [](char d) { return d >= '0' && d <= '7'; });
      digits.getAsInteger(8, code);
      text += static_cast<char>(code);
      i += digits.size() - 1;
    } else if (c == 'x' && !string.substr(i + 1, 2).getAsInteger(16, code)) {
      text += static_cast<char>(code);
      i += 2;
    } else {
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return text;
}

namespace {

class Parser {
public:
  Parser(StringRef text, const HloReporter &reporter)
      : at(text.begin()), end(text.end()), reporter(reporter) {}

  FailureOr<HloModuleText> parseModule();

private:
  LogicalResult fail(const Twine &message) {
    return reporter.fail(at, message);
  }
  /// The text at this place, for messages.
  std::string found();
  LogicalResult skip();
  bool isAt(StringRef word) const {
    return StringRef(at, end - at).starts_with(word);
  }
  bool consume(StringRef word) {
    if (!isAt(word))
      return false;
    at += word.size();
    return succeeded(skip());
  }
  LogicalResult expect(StringRef word, const Twine &where) {
    return consume(word) ? success()
                         : fail("expected '" + word + "' " + where +
                                ", found " + found());
  }
  static bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
  static bool isNamePart(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
  }
  /// A name, without `%`; empty if there is none here.
  StringRef parseName();
  FailureOr<StringRef> expectName(const Twine &what) {
    StringRef name = parseName();
    if (name.empty())
      return fail("expected " + what + ", found " + found());
    return name;
  }
  /// Text up to `stop` outside of brackets and strings, without blanks at either
  /// end.
  FailureOr<StringRef> parseBalanced(llvm::function_ref<bool(char)> isStop);
  LogicalResult parseAttributes(SmallVectorImpl<HloAttribute> &attributes);
  LogicalResult parseTable(HloModuleText::Table &table);
  FailureOr<HloComputation> parseComputation();
  /// The braces of a computation and the text between them.
  LogicalResult parseInstructions(HloComputation &computation);
  /// Adds a computation, which began at a place, to the module.
  LogicalResult add(HloPlace begin, HloComputation computation);
  /// Computations in place of their names, one or a list in braces: the names that
  /// they are given.
  FailureOr<StringRef> parseInPlace();
  LogicalResult parseInstruction(HloComputation &computation);
  LogicalResult parseOperands(HloComputation &computation,
                              HloInstruction &instruction);
  LogicalResult inferShape(const HloComputation &computation,
                           HloInstruction &instruction);
  FailureOr<HloShape> parseShape();
  bool isAtShape() const;
  /// Whether there is a computation in place of its name.
  bool isAtComputation() const;

  HloPlace at, end;
  const HloReporter &reporter;
  HloModuleText module;
  /// Tuples, and instructions among operands, that are open.
  unsigned depth = 0;
};

} // namespace

std::string Parser::found() {
  if (at == end)
    return "the end";
  StringRef rest(at, std::min<ptrdiff_t>(end - at, 24));
  return ("'" + rest.take_until([](char c) { return c == '\n'; }) + "'").str();
}

/// Blanks and comments.
LogicalResult Parser::skip() {
  while (at < end) {
    if (llvm::isSpace(*at)) {
      ++at;
    } else if (isAt("//")) {
      while (at < end && *at != '\n')
        ++at;
    } else if (isAt("/*")) {
      HloPlace begin = at;
      at += 2;
      while (at < end && !isAt("*/"))
        ++at;
      if (at == end) {
        at = begin;
        return fail("this comment does not end");
      }
      at += 2;
    } else {
      break;
    }
  }
  return success();
}

StringRef Parser::parseName() {
  HloPlace begin = at;
  const bool isMarked = begin < end && *begin == '%';
  begin += isMarked;
  if (begin == end || !(isMarked ? isNamePart(*begin) : isNameStart(*begin)))
    return {};
  at = begin;
  while (at < end && isNamePart(*at))
    ++at;
  StringRef name(begin, at - begin);
  return succeeded(skip()) ? name : StringRef();
}

FailureOr<StringRef>
Parser::parseBalanced(llvm::function_ref<bool(char)> isStop) {
  HloPlace begin = at, last = at;
  SmallVector<char, 8> open;
  while (at < end && (!open.empty() || !isStop(*at))) {
    const char c = *at;
    if (c == '"') {
      HloPlace string = at++;
      while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
      if (at >= end) {
        at = string;
        return fail("this string does not end");
      }
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty())
        break;
      if (open.back() != c)
        return fail("expected '" + Twine(open.back()) + "', found " + found());
      open.pop_back();
    } else if (isAt("/*")) {
      if (failed(skip()))
        return failure();
      continue;
    }
    ++at;
    if (!llvm::isSpace(c))
      last = at;
  }
  if (!open.empty())
    return fail("expected '" + Twine(open.back()) + "', found " + found());
  return StringRef(begin, last - begin);
}

LogicalResult
Parser::parseAttributes(SmallVectorImpl<HloAttribute> &attributes) {
  while (consume(",")) {
    FailureOr<StringRef> name = expectName("an attribute");
    if (failed(name) || failed(expect("=", "after '" + *name + "'")))
      return failure();
    FailureOr<StringRef> value =
        isAtComputation() && llvm::is_contained(kComputations, *name)
            ? parseInPlace()
            : parseBalanced(
                  [&](char c) { return c == ',' || c == '\n' || isAt("//"); });
    if (failed(value))
      return failure();
    if (value->empty())
      return fail("expected a value of '" + *name + "', found " + found());
    attributes.push_back({*name, *value});
    if (failed(skip()))
      return failure();
  }
  return success();
}

bool Parser::isAtComputation() const {
  StringRef text(at, end - at);
  while (text.consume_front("{"))
    text = text.ltrim();
  if (text.consume_front("ROOT"))
    text = text.ltrim();
  text.consume_front("%");
  StringRef rest = text.drop_while(isNamePart);
  return isAt("{") && rest.size() != text.size() &&
         rest.ltrim().starts_with("=");
}

FailureOr<StringRef> Parser::parseInPlace() {
  if (depth > kDeepest)
    return fail("more than " + Twine(kDeepest) + " brackets are open");
  llvm::SaveAndRestore outer(depth, depth + 1);
  std::string &names =
      *module.made.emplace_back(std::make_shared<std::string>());
  StringRef text(at + 1, end - at - 1);
  if (text.ltrim().starts_with("{")) {
    consume("{");
    while (!consume("}")) {
      FailureOr<StringRef> name = parseInPlace();
      if (failed(name) ||
          (!isAt("}") && failed(expect(",", "between computations"))))
        return failure();
      names += (names.empty() ? "" : ",") + name->str();
    }
    return StringRef(names);
  }
  HloComputation computation;
  HloPlace begin = at;
  names = "_." + std::to_string(module.made.size() - 1);
  computation.name = names;
  if (failed(parseInstructions(computation)) ||
      failed(add(begin, std::move(computation))))
    return failure();
  return StringRef(names);
}

LogicalResult Parser::parseTable(HloModuleText::Table &table) {
  while (at < end && llvm::isDigit(*at)) {
    StringRef number(at, end - at);
    number = number.take_while(llvm::isDigit);
    int64_t index;
    if (number.getAsInteger(10, index))
      return fail("expected a number of 64 bits, found " + found());
    at += number.size();
    if (failed(skip()))
      return failure();
    FailureOr<StringRef> entry =
        parseBalanced([](char c) { return c == '\n'; });
    if (failed(entry))
      return failure();
    table[index] = *entry;
    if (failed(skip()))
      return failure();
  }
  return success();
}

bool tensoraccess::isElementType(StringRef word) {
  return word == "pred" || word == "token" || word == "opaque" ||
         word.starts_with("bf16") ||
         (word.size() > 1 && StringRef("sufc").contains(word[0]) &&
          llvm::isDigit(word[1]));
}

bool Parser::isAtShape() const {
  if (at < end && (*at == '(' || isAt("b(")))
    return true;
  StringRef word = StringRef(at, end - at).take_while(llvm::isAlnum);
  return at + word.size() < end && at[word.size()] == '[' &&
         isElementType(word);
}

FailureOr<HloShape> Parser::parseShape() {
  HloShape shape;
  shape.place = at;
  if (depth > kDeepest)
    return fail("more than " + Twine(kDeepest) + " brackets are open");
  if (consume("(")) {
    shape.kind = HloShape::Kind::Tuple;
    llvm::SaveAndRestore outer(depth, depth + 1);
    while (!consume(")")) {
      if (!shape.parts.empty() &&
          failed(expect(",", "between the shapes of a tuple")))
        return failure();
      FailureOr<HloShape> part = parseShape();
      if (failed(part))
        return failure();
      shape.parts.push_back(std::move(*part));
    }
    return shape;
  }
  // A buffer of an array is the array.
  if (isAt("b(")) {
    at += 2;
    llvm::SaveAndRestore outer(depth, depth + 1);
    FailureOr<HloShape> inner = parseShape();
    return succeeded(inner) && succeeded(expect(")", "after a buffer's shape"))
               ? inner
               : FailureOr<HloShape>(failure());
  }
  StringRef word = StringRef(at, end - at).take_while(llvm::isAlnum);
  if (!isElementType(word))
    return fail("expected a shape, found " + found());
  shape.element = word;
  shape.kind = llvm::StringSwitch<HloShape::Kind>(word)
                   .Case("token", HloShape::Kind::Token)
                   .Case("opaque", HloShape::Kind::Opaque)
                   .Default(HloShape::Kind::Array);
  at += word.size();
  if (failed(expect("[", "after an element type")))
    return failure();
  while (at == end || *at != ']') {
    if (!shape.sizes.empty() && failed(expect(",", "between sizes")))
      return failure();
    const bool isBounded = consume("<=");
    if (consume("?")) {
      shape.sizes.push_back(ShapedType::kDynamic);
      shape.isBounded.push_back(false);
      continue;
    }
    StringRef digits = StringRef(at, end - at).take_while(llvm::isDigit);
    int64_t size;
    if (digits.getAsInteger(10, size))
      return fail("expected a size, found " + found());
    at += digits.size();
    if (failed(skip()))
      return failure();
    shape.sizes.push_back(size);
    shape.isBounded.push_back(isBounded);
    if (shape.sizes.size() > kMostDims)
      return fail("more than " + Twine(kMostDims) + " dimensions");
  }
  // A layout is right behind: a brace after a blank is a computation's.
  ++at;
  if (at < end && *at == '{') {
    FailureOr<StringRef> layout =
        parseBalanced([](char c) { return c != '{'; });
    if (failed(layout))
      return failure();
    shape.layout = *layout;
  }
  if (failed(skip()))
    return failure();
  return shape;
}

LogicalResult Parser::parseOperands(HloComputation &computation,
                                    HloInstruction &instruction) {
  if (failed(
          expect("(", "before the operands of '" + instruction.opcode + "'")))
    return failure();
  if (llvm::is_contained({"constant", "parameter"}, instruction.opcode)) {
    FailureOr<StringRef> inner = parseBalanced([](char c) { return c == ')'; });
    if (failed(inner))
      return failure();
    instruction.inner = *inner;
    return expect(")", "after '" + instruction.opcode + "'");
  }
  while (!consume(")")) {
    if (!instruction.operands.empty() &&
        failed(expect(",", "between operands")))
      return failure();
    HloInstruction inner;
    if (isAtShape()) {
      FailureOr<HloShape> shape = parseShape();
      if (failed(shape))
        return failure();
      inner.shape = std::move(*shape);
    }
    FailureOr<StringRef> name = expectName("the name of an operand");
    if (failed(name))
      return failure();
    if (at == end || *at != '(') {
      instruction.operands.push_back(*name);
      continue;
    }
    // An instruction without a name of its own.
    inner.opcode = *name;
    if (depth > kDeepest)
      return fail("more than " + Twine(kDeepest) + " brackets are open");
    llvm::SaveAndRestore outer(depth, depth + 1);
    if (failed(parseOperands(computation, inner)) ||
        (!inner.shape.place && failed(inferShape(computation, inner))))
      return failure();
    const unsigned number = computation.instructions.size();
    computation.made.push_back(std::make_shared<std::string>(
        "(" + std::to_string(computation.made.size()) + ")"));
    inner.name = *computation.made.back();
    computation.numbers[inner.name] = number;
    instruction.operands.push_back(inner.name);
    computation.instructions.push_back(std::move(inner));
  }
  return success();
}

/// The shape of an instruction that has none, where its operands tell.
LogicalResult Parser::inferShape(const HloComputation &computation,
                                 HloInstruction &instruction) {
  SmallVector<const HloShape *> shapes;
  for (StringRef name : instruction.operands) {
    auto it = computation.numbers.find(name);
    if (it == computation.numbers.end())
      return reporter.fail(name.data(),
                           "no instruction '" + name + "' before this one");
    shapes.push_back(&computation.instructions[it->second].shape);
  }
  StringRef opcode = instruction.opcode;
  int64_t index = -1;
  if (opcode == "tuple") {
    instruction.shape.kind = HloShape::Kind::Tuple;
    unsigned leaves = 0;
    for (const HloShape *shape : shapes) {
      leaves += shape->countLeaves();
      if (leaves > kMostLeaves)
        return reporter.fail(instruction.getPlace(), "a tuple of more than " +
                                                         Twine(kMostLeaves) +
                                                         " arrays");
      instruction.shape.parts.push_back(*shape);
    }
    instruction.shape.place = instruction.getPlace();
    return success();
  }
  if (opcode == "get-tuple-element" && shapes.size() == 1 &&
      !instruction.get("index").value_or("").getAsInteger(10, index) &&
      index >= 0 && index < static_cast<int64_t>(shapes[0]->parts.size())) {
    HloShape part = shapes[0]->parts[index];
    instruction.shape = std::move(part);
    return success();
  }
  // Others are of their first operand's shape, if that is all they have.
  if (!shapes.empty() && instruction.attributes.empty() &&
      !(opcode == "abs" && shapes[0]->element.starts_with("c")) &&
      llvm::is_contained(
          {"add",   "subtract",    "multiply", "divide", "maximum", "minimum",
           "power", "remainder",   "and",      "or",     "xor",     "negate",
           "abs",   "exponential", "log",      "sqrt",   "rsqrt",   "tanh",
           "sine",  "cosine",      "copy",     "not",    "floor",   "ceil",
           "sign",  "logistic",    "clamp"},
          opcode)) {
    HloShape first = *shapes[opcode == "clamp" ? 1 % shapes.size() : 0];
    instruction.shape = std::move(first);
    return success();
  }
  return reporter.fail(instruction.getPlace(),
                       "the shape of '" + opcode + "' must be given");
}

LogicalResult Parser::parseInstruction(HloComputation &computation) {
  HloInstruction instruction;
  if (isAt("ROOT") && at + 4 < end && llvm::isSpace(at[4]))
    instruction.isRoot = consume("ROOT");
  FailureOr<StringRef> name = expectName("an instruction");
  if (failed(name) || failed(expect("=", "after '" + *name + "'")))
    return failure();
  instruction.name = *name;
  const bool hasShape = isAtShape();
  if (hasShape) {
    FailureOr<HloShape> shape = parseShape();
    if (failed(shape))
      return failure();
    instruction.shape = std::move(*shape);
  }
  StringRef word = StringRef(at, end - at).take_while(llvm::isAlnum);
  if (!hasShape && at + word.size() < end && at[word.size()] == '[')
    return fail("no element type '" + word + "'");
  FailureOr<StringRef> opcode =
      expectName(hasShape ? "an opcode" : "a shape or an opcode");
  if (failed(opcode))
    return failure();
  instruction.opcode = *opcode;
  if (failed(parseOperands(computation, instruction)) ||
      failed(parseAttributes(instruction.attributes)) ||
      (!hasShape && failed(inferShape(computation, instruction))))
    return failure();
  const unsigned number = computation.instructions.size();
  if (!computation.numbers.try_emplace(*name, number).second)
    return reporter.fail(name->data(),
                         "a second instruction with the name '" + *name + "'");
  if (instruction.isRoot)
    computation.root = number;
  computation.instructions.push_back(std::move(instruction));
  return success();
}

FailureOr<HloComputation> Parser::parseComputation() {
  HloComputation computation;
  if (isAt("ENTRY") && at + 5 < end && !isNamePart(at[5]))
    computation.isEntry = consume("ENTRY");
  computation.name = parseName();
  // The parameters are repeated by instructions.
  if (at < end && *at == '(') {
    if (failed(parseBalanced([](char c) { return c == '-' || c == '{'; })) ||
        failed(expect("->", "after parameters")) || failed(parseShape()))
      return failure();
  }
  SmallVector<HloAttribute> attributes;
  if (failed(parseInstructions(computation)) ||
      failed(parseAttributes(attributes)))
    return failure();
  return computation;
}

LogicalResult Parser::parseInstructions(HloComputation &computation) {
  HloPlace begin = at;
  if (failed(expect("{", "before the instructions of a computation")))
    return failure();
  bool hasRoot = false;
  while (!consume("}")) {
    if (at == end)
      return fail("expected '}' after the instructions of '" +
                  computation.name + "', found the end");
    if (failed(parseInstruction(computation)))
      return failure();
    const HloInstruction &last = computation.instructions.back();
    if (last.isRoot && hasRoot)
      return reporter.fail(last.getPlace(),
                           "a second ROOT in '" + computation.name + "'");
    hasRoot |= last.isRoot;
  }
  if (computation.instructions.empty())
    return reporter.fail(begin, "a computation without instructions");
  if (!hasRoot)
    computation.root = computation.instructions.size() - 1;
  return success();
}

LogicalResult Parser::add(HloPlace begin, HloComputation computation) {
  const unsigned number = module.computations.size();
  if (!module.numbers.try_emplace(computation.name, number).second)
    return reporter.fail(begin, "a second computation with the name '" +
                                    computation.name + "'");
  module.computations.push_back(std::move(computation));
  return success();
}

FailureOr<HloModuleText> Parser::parseModule() {
  module.name = StringRef(at, 0);
  if (failed(skip()))
    return failure();
  if (isAt("HloModule") && at + 9 < end && !isNamePart(at[9])) {
    at += 9;
    if (failed(skip()))
      return failure();
    FailureOr<StringRef> name = expectName("the name of a module");
    if (failed(name))
      return failure();
    module.name = *name;
    consume(":");
    if (failed(parseAttributes(module.attributes)))
      return failure();
  }
  bool hasEntry = false;
  while (at < end) {
    auto *table = isAt("FileNames")       ? &module.fileNames
                  : isAt("FunctionNames") ? &module.functionNames
                  : isAt("FileLocations") ? &module.fileLocations
                  : isAt("StackFrames")   ? &module.stackFrames
                                          : nullptr;
    HloPlace begin = at;
    if (table) {
      parseName();
      if (at == end || llvm::isDigit(*at)) {
        if (failed(parseTable(*table)))
          return failure();
        continue;
      }
      at = begin;
    }
    FailureOr<HloComputation> computation = parseComputation();
    if (failed(computation))
      return failure();
    if (computation->isEntry) {
      if (hasEntry)
        return reporter.fail(begin, "a second ENTRY");
      hasEntry = true;
      module.entry = module.computations.size();
    }
    if (failed(add(begin, std::move(*computation))))
      return failure();
  }
  if (module.computations.empty())
    return fail("expected a computation, found the end");
  if (!hasEntry) {
    module.entry = module.computations.size() - 1;
    module.computations.back().isEntry = true;
  }
  return std::move(module);
}

FailureOr<HloModuleText>
tensoraccess::parseHloModule(StringRef text, const HloReporter &reporter) {
  return Parser(text, reporter).parseModule();
}
