//===- HloFormParser.cpp - Reading an op by its form ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloForm.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Kind = HloElement::Kind;
using Operand = OpAsmParser::UnresolvedOperand;

namespace {
class FormParser {
public:
  FormParser(const HloForm &form, OpAsmParser &parser, OperationState &result)
      : form(form), parser(parser), result(result),
        builder(parser.getBuilder()), operandLoc(parser.getCurrentLocation()) {}

  ParseResult parse();

private:
  ParseResult parseElement(const HloElement &element);
  ParseResult parseLiteral(StringRef literal);
  /// std::nullopt if a literal, or the word of an enumeration, is not there.
  OptionalParseResult parseOptionalElement(const HloElement &element);
  ParseResult parseOperands(bool withCommas);
  ParseResult parseAttribute(StringRef name, StringRef kind);
  ParseResult parseTypes(StringRef kind);
  ParseResult parseCustom(StringRef name);

  // Attributes.
  ParseResult parseNumbers(SmallVectorImpl<int64_t> &numbers) {
    return parseHloNumbers(parser, numbers);
  }
  /// An attribute of an enumeration, or, after `i32=`, its number.
  Attribute makeKeyword(StringRef kind, StringRef word);
  ParseResult parseKeyword(StringRef kind, Attribute &attr);

  // Code of its own.
  ParseResult parseSlice();
  ParseResult parsePrecision(bool hasAlgorithm);
  ParseResult parseWindow();
  ParseResult parseExponent();
  ParseResult parseRegions();
  ParseResult parseBarrier();
  ParseResult parseBody();
  ParseResult parseName();
  ParseResult parseResults();
  ParseResult parseConstant();
  ParseResult parseValue();

  void set(StringRef name, Attribute attr) { inherent.append(name, attr); }
  /// Gives operands and result the types of a function type.
  ParseResult useFunction(FunctionType function, SMLoc loc);
  ParseResult finish();

  const HloForm &form;
  OpAsmParser &parser;
  OperationState &result;
  Builder &builder;
  SMLoc operandLoc;
  SmallVector<Operand> operands;
  SmallVector<Type> types;
  NamedAttrList inherent;
  /// Operands are in the state already.
  bool isResolved = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

ParseResult FormParser::parse() {
  for (size_t i = 0; i != form.elements.size(); ++i) {
    const HloElement &element = form.elements[i];
    if (element.kind == Kind::BeginGroup) {
      // Its first element tells whether it is there.
      OptionalParseResult found = parseOptionalElement(form.elements[++i]);
      if (found.has_value() && failed(*found))
        return failure();
      while (!found.has_value() && form.elements[i].kind != Kind::EndGroup)
        ++i;
    } else if (failed(parseElement(element))) {
      return failure();
    }
  }
  return finish();
}

ParseResult FormParser::parseElement(const HloElement &element) {
  switch (element.kind) {
  case Kind::Literal:
    return parseLiteral(element.text);
  case Kind::Operand:
    return parser.parseOperand(operands.emplace_back());
  case Kind::Operands:
    return parseOperands(/*withCommas=*/false);
  case Kind::OperandsThenCommas:
    return parseOperands(/*withCommas=*/true);
  case Kind::Attribute:
    return parseAttribute(element.text, element.attribute);
  case Kind::AttrDict:
    return parser.parseOptionalAttrDict(result.attributes);
  case Kind::Types:
    return parseTypes(element.text);
  case Kind::Custom:
    return parseCustom(element.text);
  case Kind::BeginGroup:
  case Kind::EndGroup:
    return success();
  }
  llvm_unreachable("not an element");
}

ParseResult FormParser::parseLiteral(StringRef literal) {
  if (literal.size() > 1 && literal.consume_back("="))
    return failure(parser.parseKeyword(literal) || parser.parseEqual());
  if (llvm::isAlpha(literal.front()))
    return parser.parseKeyword(literal);
  switch (literal.front()) {
  case ',':
    return parser.parseComma();
  case ':':
    return parser.parseColon();
  case '=':
    return parser.parseEqual();
  case '(':
    return parser.parseLParen();
  case ')':
    return parser.parseRParen();
  case '[':
    return parser.parseLSquare();
  case ']':
    return parser.parseRSquare();
  case '{':
    return parser.parseLBrace();
  case '}':
    return parser.parseRBrace();
  default:
    llvm_unreachable("not a literal of a form");
  }
}

OptionalParseResult
FormParser::parseOptionalElement(const HloElement &element) {
  StringRef text = element.text;
  if (element.kind == Kind::Attribute) {
    StringRef kind = element.attribute, word;
    kind.consume_front("i32=");
    if (failed(parser.parseOptionalKeyword(&word, getHloKeywords(kind))))
      return std::nullopt;
    set(text, makeKeyword(element.attribute, word));
    return success();
  }
  if (text == "," || text == ":") {
    if (failed(text == "," ? parser.parseOptionalComma()
                           : parser.parseOptionalColon()))
      return std::nullopt;
    return success();
  }
  bool isGlued = text.consume_back("=");
  if (failed(parser.parseOptionalKeyword(text)))
    return std::nullopt;
  return isGlued ? parser.parseEqual() : success();
}

ParseResult FormParser::parseOperands(bool withCommas) {
  if (!withCommas)
    return parser.parseOperandList(operands);
  size_t before = operands.size();
  while (true) {
    Operand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value()) {
      // StableHLO prints the comma of no operands, too.
      if (operands.size() == before)
        (void)parser.parseOptionalComma();
      return success();
    }
    if (failed(*found) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

/// Whether an attribute names a symbol. MLIR finds uses of symbols in the
/// dictionary alone, and erases what only `<{...}>` uses.
static bool hasSymbol(Attribute attr) {
  auto isFound = [](SymbolRefAttr) { return WalkResult::interrupt(); };
  return attr.walk(isFound).wasInterrupted();
}

ParseResult FormParser::finish() {
  NamedAttrList others;
  for (NamedAttribute attr : result.attributes) {
    bool isInherent = form.isInherent(attr.getName());
    if (isInherent && inherent.get(attr.getName()))
      return parser.emitError(parser.getNameLoc())
             << "attribute '" << attr.getName().getValue()
             << "' is written twice, in the op's form and in its dictionary";
    bool isKept = !isInherent || hasSymbol(attr.getValue());
    (isKept ? others : inherent).push_back(attr);
  }
  result.attributes = std::move(others);
  if (!inherent.empty())
    result.propertiesAttr = inherent.getDictionary(parser.getContext());
  return isResolved ? success()
                    : parser.resolveOperands(operands, types, operandLoc,
                                             result.operands);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute FormParser::makeKeyword(StringRef kind, StringRef word) {
  if (!kind.consume_front("i32="))
    return getHloAttribute(parser.getContext(), form.name, kind + " " + word);
  return builder.getI32IntegerAttr(llvm::find(getHloKeywords(kind), word) -
                                   getHloKeywords(kind).begin());
}

ParseResult FormParser::parseKeyword(StringRef kind, Attribute &attr) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef enumeration = kind, word;
  enumeration.consume_front("i32=");
  ArrayRef<StringRef> keywords = getHloKeywords(enumeration);
  if (failed(parser.parseOptionalKeyword(&word, keywords)))
    return parser.emitError(loc)
           << "expected one of " << llvm::join(keywords, ", ");
  attr = makeKeyword(kind, word);
  return success();
}

ParseResult FormParser::parseAttribute(StringRef name, StringRef kind) {
  Attribute attr;
  if (kind == "i64" || kind == "i32") {
    int64_t number;
    if (kind == "i64") {
      if (parser.parseInteger(number))
        return failure();
      attr = builder.getI64IntegerAttr(number);
    } else {
      int32_t small;
      if (parser.parseInteger(small))
        return failure();
      attr = builder.getI32IntegerAttr(small);
    }
  } else if (kind == "bool") {
    SMLoc loc = parser.getCurrentLocation();
    bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
    if (!isTrue && failed(parser.parseOptionalKeyword("false")))
      return parser.emitError(loc, "expected true or false");
    attr = builder.getBoolAttr(isTrue);
  } else if (kind == "list") {
    SmallVector<int64_t> numbers;
    if (parseNumbers(numbers))
      return failure();
    attr = builder.getDenseI64ArrayAttr(numbers);
  } else if (kind == "string") {
    std::string string;
    if (parser.parseString(&string))
      return failure();
    attr = builder.getStringAttr(string);
  } else if (kind == "symbol") {
    StringAttr symbol;
    if (parser.parseSymbolName(symbol))
      return failure();
    attr = symbol;
  } else if (kind == "dot" || kind == "conv") {
    std::string text;
    if (kind == "dot" ? parseHloDotText(parser, text)
                      : parseHloConvolutionText(parser, text))
      return failure();
    attr = getHloAttribute(parser.getContext(), form.name, text);
  } else if (kind.consume_front("text=")) {
    std::string text;
    if (parseHloBrackets(parser, text))
      return failure();
    auto [before, after] = kind.split('*');
    attr =
        getHloAttribute(parser.getContext(), form.name, before + text + after);
  } else if (parseKeyword(kind, attr)) {
    return failure();
  }
  set(name, attr);
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult FormParser::useFunction(FunctionType function, SMLoc loc) {
  if (function.getNumInputs() != operands.size())
    return parser.emitError(loc)
           << "expected a type for each of the " << operands.size()
           << " operands, but there are " << function.getNumInputs();
  llvm::append_range(types, function.getInputs());
  result.addTypes(function.getResults());
  return success();
}

ParseResult FormParser::parseTypes(StringRef kind) {
  SMLoc loc = parser.getCurrentLocation();
  if (kind == "operands")
    return parser.parseTypeList(types);
  if (kind == "arrow")
    return failure(parser.parseTypeList(types) ||
                   parser.parseArrowTypeList(result.types));
  Type type;
  if (parser.parseType(type))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (kind == "results") {
    result.addTypes(type);
    return success();
  }
  if (kind == "functional")
    return function ? useFunction(function, loc)
                    : parser.emitError(loc, "expected a function type, of the "
                                            "operands and the results");
  if (kind == "tuple") {
    auto tuple = dyn_cast<TupleType>(type);
    if (!tuple || tuple.size() != operands.size())
      return parser.emitError(loc)
             << "expected a tuple type of " << operands.size() << " components";
    llvm::append_range(types, tuple.getTypes());
    result.addTypes(type);
    return success();
  }
  if (function) {
    if (function.getNumResults() != 1)
      return parser.emitError(loc, "expected a function type of one result");
    return useFunction(function, loc);
  }
  if (kind == "select") {
    if (operands.size() != 3)
      return parser.emitError(operandLoc, "expected three operands");
    Type value;
    if (parser.parseComma() || parser.parseType(value))
      return failure();
    types.assign({type, value, value});
    result.addTypes(value);
    return success();
  }
  Type operandType = kind == "complex" ? getComplexParts(type) : type;
  if (!operandType)
    return parser.emitError(loc, "expected a tensor of complex elements, or a "
                                 "function type");
  types.assign(operands.size(), operandType);
  result.addTypes(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Code of its own
//===----------------------------------------------------------------------===//

ParseResult FormParser::parseCustom(StringRef name) {
  isResolved = llvm::is_contained({"reduce", "while", "scan"}, name);
  if (name == "slice")
    return parseSlice();
  if (name == "precision" || name == "precision-algorithm")
    return parsePrecision(name != "precision");
  if (name == "window")
    return parseWindow();
  if (name == "exponent")
    return parseExponent();
  if (name == "regions")
    return parseRegions();
  if (name == "barrier")
    return parseBarrier();
  if (name == "body")
    return parseBody();
  if (name == "name")
    return parseName();
  if (name == "results")
    return parseResults();
  if (name == "constant")
    return parseConstant();
  if (name == "value")
    return parseValue();
  if (name == "reduce")
    return parseHloReduce(parser, result, inherent);
  if (name == "while")
    return parseHloWhile(parser, result);
  if (name == "scan")
    return parseHloScan(parser, result, inherent);
  llvm_unreachable("no code of this name");
}

/// `[0:4, 1:9:2]`
ParseResult FormParser::parseSlice() {
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    strides.push_back(1);
    return succeeded(parser.parseOptionalColon())
               ? parser.parseInteger(strides.back())
               : success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange,
                                     " of ranges, START:LIMIT or "
                                     "START:LIMIT:STRIDE"))
    return failure();
  set("start_indices", builder.getDenseI64ArrayAttr(starts));
  set("limit_indices", builder.getDenseI64ArrayAttr(limits));
  set("strides", builder.getDenseI64ArrayAttr(strides));
  return success();
}

/// `, precision = [DEFAULT, HIGH], algorithm = <...>`, each of which may be
/// absent.
ParseResult FormParser::parsePrecision(bool hasAlgorithm) {
  if (failed(parser.parseOptionalComma()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  bool isNext = true;
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    SmallVector<Attribute> precisions;
    if (parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parseKeyword("precision", precisions.emplace_back());
        }))
      return failure();
    set("precision_config", builder.getArrayAttr(precisions));
    isNext = hasAlgorithm && succeeded(parser.parseOptionalComma());
    if (!isNext)
      return success();
    loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeyword("algorithm")))
      return parser.emitError(loc, "expected 'algorithm'");
  } else if (!hasAlgorithm ||
             failed(parser.parseOptionalKeyword("algorithm"))) {
    return parser.emitError(loc, hasAlgorithm
                                     ? "expected 'precision' or 'algorithm'"
                                     : "expected 'precision'");
  }
  std::string text;
  if (parser.parseEqual() || parseHloBrackets(parser, text))
    return failure();
  set("algorithm",
      getHloAttribute(parser.getContext(), form.name, "dot_algorithm" + text));
  return success();
}

/// `stride = [1, 1], pad = [[0, 0], [1, 1]], lhs_dilate = [1, 1], rhs_dilate =
/// [1, 1], reverse = [false, false]`, in any order, each of which may be absent.
ParseResult FormParser::parseWindow() {
  SmallVector<int64_t> numbers;
  auto parseBool = [&]() -> ParseResult {
    int64_t &number = numbers.emplace_back(1);
    if (succeeded(parser.parseOptionalKeyword("true")))
      return success();
    number = 0;
    if (succeeded(parser.parseOptionalKeyword("false")))
      return success();
    return parser.parseInteger(number);
  };
  auto parsePair = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = numbers.size();
    if (parseNumbers(numbers))
      return failure();
    return numbers.size() == before + 2
               ? success()
               : parser.emitError(loc, "expected two numbers, [LOW, HIGH]");
  };
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    StringRef name = llvm::StringSwitch<StringRef>(word)
                         .Case("stride", "window_strides")
                         .Case("pad", "padding")
                         .Case("lhs_dilate", "lhs_dilation")
                         .Case("rhs_dilate", "rhs_dilation")
                         .Case("reverse", "window_reversal")
                         .Default("");
    if (name.empty())
      return parser.emitError(loc, "expected stride, pad, lhs_dilate, "
                                   "rhs_dilate or reverse");
    if (inherent.get(name))
      return parser.emitError(loc) << "'" << word << "' is written twice";
    numbers.clear();
    if (parser.parseEqual())
      return failure();
    using Delimiter = AsmParser::Delimiter;
    if (word == "pad") {
      if (parser.parseCommaSeparatedList(Delimiter::Square, parsePair))
        return failure();
      auto type = RankedTensorType::get({int64_t(numbers.size() / 2), 2},
                                        builder.getI64Type());
      set(name, DenseIntElementsAttr::get(type, numbers));
    } else if (word == "reverse") {
      if (parser.parseCommaSeparatedList(Delimiter::Square, parseBool))
        return failure();
      set(name, builder.getDenseBoolArrayAttr(llvm::map_to_vector(
                    numbers, [](int64_t number) { return number != 0; })));
    } else {
      if (parseNumbers(numbers))
        return failure();
      set(name, builder.getDenseI64ArrayAttr(numbers));
    }
    if (failed(parser.parseOptionalComma()))
      return success();
    loc = parser.getCurrentLocation();
  }
  return success();
}

/// `e8m23`
ParseResult FormParser::parseExponent() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  int32_t exponent, mantissa;
  if (failed(parser.parseOptionalKeyword(&word)) || !word.consume_front("e") ||
      word.consumeInteger(10, exponent) || !word.consume_front("m") ||
      word.getAsInteger(10, mantissa) || exponent < 0 || mantissa < 0)
    return parser.emitError(loc, "expected the bits of exponent and mantissa, "
                                 "as in e8m23");
  set("exponent_bits", builder.getI32IntegerAttr(exponent));
  set("mantissa_bits", builder.getI32IntegerAttr(mantissa));
  return success();
}

/// `({...}, {...})`, which may be absent.
ParseResult FormParser::parseRegions() {
  if (failed(parser.parseOptionalLParen()))
    return success();
  do {
    if (parser.parseRegion(*result.addRegion()))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseRParen();
}

/// `%a, %b : TYPE, TYPE`, or `()`: operands are the results.
ParseResult FormParser::parseBarrier() {
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  if (parser.parseOperandList(operands) || parser.parseColon() ||
      parser.parseTypeList(types))
    return failure();
  result.addTypes(types);
  return success();
}

/// `(%x: TYPE, ...) {...}`
ParseResult FormParser::parseBody() {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                               /*allowType=*/true, /*allowAttrs=*/false) ||
      parser.parseRegion(*result.addRegion(), arguments));
}

/// `%a, %b : TYPE, TYPE`, or nothing.
ParseResult FormParser::parseResults() {
  if (parser.parseOperandList(operands))
    return failure();
  return operands.empty()
             ? success()
             : failure(parser.parseColon() || parser.parseTypeList(types));
}

/// `<"NAME">`
ParseResult FormParser::parseName() {
  return failure(parser.parseLess() || parseAttribute("name", "string") ||
                 parser.parseGreater());
}

/// `{...} dense<...> : TYPE`, or, where that is not the result's type, what
/// follows the name in generic form.
ParseResult FormParser::parseConstant() {
  if (succeeded(parser.parseOptionalLParen())) {
    if (parser.parseRParen())
      return failure();
    return parser.parseGenericOperationAfterOpName(result, ArrayRef<Operand>());
  }
  return failure(parser.parseOptionalAttrDict(result.attributes) ||
                 parseValue());
}

ParseResult FormParser::parseValue() {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attr;
  if (parseHloElements(parser, attr))
    return failure();
  auto elements = dyn_cast<ElementsAttr>(attr);
  if (!elements)
    return parser.emitError(loc, "expected elements with their type, as in "
                                 "dense<0> : tensor<i32>");
  set("value", attr);
  result.addTypes(elements.getType());
  return success();
}

ParseResult tensoraccess::parseHloForm(const HloForm &form, OpAsmParser &parser,
                                       OperationState &result) {
  return FormParser(form, parser, result).parse();
}
