//===- HloAttributeText.cpp - Reading attributes in forms -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an op's form has in place of `#stablehlo.dot<...>` and the like, and the
// text that the attribute has.
//
//===----------------------------------------------------------------------===//

#include "HloForm.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The lines of an attribute as one, as it is printed.
static std::string joinLines(StringRef text) {
  std::string joined;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    bool isGlued = joined.empty() ||
                   StringRef("<[{(").contains(joined.back()) ||
                   (!line.empty() && StringRef(">]})").contains(line.front()));
    joined += isGlued || line.empty() ? "" : " ";
    joined += line;
  }
  return joined;
}

/// The text from a bracket to the one that closes it, whose tokens are those
/// that attributes of these dialects have.
ParseResult tensoraccess::parseHloBrackets(OpAsmParser &parser,
                                           std::string &text) {
  const char *begin = parser.getCurrentLocation().getPointer();
  SmallVector<char> open;
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    auto parseOpen = [&](char close, ParseResult found) {
      if (succeeded(found))
        open.push_back(close);
      return succeeded(found);
    };
    if (parseOpen('>', parser.parseOptionalLess()) ||
        parseOpen(']', parser.parseOptionalLSquare()) ||
        parseOpen('}', parser.parseOptionalLBrace()) ||
        parseOpen(')', parser.parseOptionalLParen()))
      continue;
    if (open.empty())
      return parser.emitError(loc, "expected an attribute in brackets");
    auto parseClose = [&](char close, ParseResult found) {
      if (succeeded(found) && open.back() == close)
        open.pop_back();
      else if (succeeded(found))
        open.push_back('\0');
      return succeeded(found);
    };
    if (parseClose('>', parser.parseOptionalGreater()) ||
        parseClose(']', parser.parseOptionalRSquare()) ||
        parseClose('}', parser.parseOptionalRBrace()) ||
        parseClose(')', parser.parseOptionalRParen())) {
      if (!open.empty() && open.back() == '\0') {
        open.pop_back();
        return parser.emitError(loc) << "expected '" << open.back() << "'";
      }
      if (!open.empty())
        continue;
      text = joinLines(StringRef(begin, loc.getPointer() + 1 - begin));
      return success();
    }
    StringRef word;
    std::string string;
    StringAttr symbol;
    APInt number;
    if (succeeded(parser.parseOptionalKeyword(&word)) ||
        succeeded(parser.parseOptionalString(&string)) ||
        succeeded(parser.parseOptionalSymbolName(symbol)) ||
        succeeded(parser.parseOptionalComma()) ||
        succeeded(parser.parseOptionalColon()) ||
        succeeded(parser.parseOptionalEqual()) ||
        succeeded(parser.parseOptionalArrow()) ||
        succeeded(parser.parseOptionalQuestion()))
      continue;
    OptionalParseResult integer = parser.parseOptionalInteger(number);
    if (!integer.has_value())
      return parser.emitError(loc) << "expected '" << open.back() << "'";
    if (failed(*integer))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Dimension numbers
//===----------------------------------------------------------------------===//

ParseResult tensoraccess::parseHloNumbers(OpAsmParser &parser,
                                          SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

static std::string printNumbers(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(numbers, os << '[');
  os << ']';
  return text;
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`, the first of
/// which may be absent.
ParseResult tensoraccess::parseHloDotText(OpAsmParser &parser,
                                          std::string &text) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhs, rhs;
  auto parsePair = [&](SmallVectorImpl<int64_t> &lhs,
                       SmallVectorImpl<int64_t> &rhs) -> ParseResult {
    return failure(parser.parseEqual() || parseHloNumbers(parser, lhs) ||
                   parser.parseKeyword("x") || parseHloNumbers(parser, rhs));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(lhsBatching, rhsBatching) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims",
                          " (or 'batching_dims' before it)") ||
      parsePair(lhs, rhs))
    return failure();
  SmallVector<std::string> fields;
  auto add = [&](StringRef name, ArrayRef<int64_t> dims) {
    if (!dims.empty())
      fields.push_back((name + " = " + printNumbers(dims)).str());
  };
  add("lhs_batching_dimensions", lhsBatching);
  add("rhs_batching_dimensions", rhsBatching);
  add("lhs_contracting_dimensions", lhs);
  add("rhs_contracting_dimensions", rhs);
  text = "dot<" + llvm::join(fields, ", ") + ">";
  return success();
}

/// `[b, 0, 1, f]`
static ParseResult parseSide(OpAsmParser &parser, std::string &text) {
  SmallVector<std::string> dims;
  auto parseDim = [&]() -> ParseResult {
    std::string &dim = dims.emplace_back();
    StringRef letter;
    int64_t number;
    if (succeeded(parser.parseOptionalKeyword(&letter))) {
      dim = letter;
      return success();
    }
    if (failed(parser.parseInteger(number)))
      return failure();
    dim = llvm::itostr(number);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim,
                                     " of a convolution's dimensions"))
    return failure();
  text += "[" + llvm::join(dims, ", ") + "]";
  return success();
}

ParseResult tensoraccess::parseHloConvolutionText(OpAsmParser &parser,
                                                  std::string &text) {
  SMLoc loc = parser.getCurrentLocation();
  text = "conv<";
  if (parseSide(parser, text) || parser.parseKeyword("x"))
    return failure();
  text += "x";
  if (parseSide(parser, text) || parser.parseArrow())
    return failure();
  text += "->";
  if (parseSide(parser, text))
    return failure();
  text += ">";
  std::string error;
  if (!parseHloConvolution(text, error))
    return parser.emitError(loc) << error;
  return success();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Whether `dense<"0x...">` of booleans follows. MLIR 22 has eight of them in a
/// byte and reads nothing else; what later versions write has one.
static bool isAtBooleans(OpAsmParser &parser) {
  constexpr StringLiteral begin = "dense<\"0x";
  const char *text = parser.getCurrentLocation().getPointer();
  if (std::strncmp(text, begin.data(), begin.size()) != 0)
    return false;
  text = std::strchr(text + begin.size(), '"');
  if (!text)
    return false;
  // The type, which is short.
  StringRef rest(text, strnlen(text, 256));
  return rest.consume_front("\">") &&
         (rest = rest.ltrim()).consume_front(":") &&
         rest.ltrim().starts_with("tensor<") &&
         rest.split('>').first.ends_with("xi1");
}

static ParseResult parseBooleans(OpAsmParser &parser, Attribute &attr) {
  SMLoc loc = parser.getCurrentLocation();
  std::string digits, bytes;
  RankedTensorType type;
  if (parser.parseKeyword("dense") || parser.parseLess() ||
      parser.parseString(&digits) || parser.parseGreater() ||
      parser.parseColonType(type))
    return failure();
  bool isSplat;
  if (!type.hasStaticShape() ||
      !llvm::tryGetFromHex(StringRef(digits).drop_front(2), bytes))
    return parser.emitError(loc, "expected hexadecimal digits of a tensor of "
                                 "static shape");
  if (int64_t(bytes.size()) == type.getNumElements())
    attr = DenseElementsAttr::get(
        type, ArrayRef<bool>(llvm::map_to_vector(
                  bytes, [](char byte) { return byte != 0; })));
  else if (DenseElementsAttr::isValidRawBuffer(
               type, ArrayRef(bytes.data(), bytes.size()), isSplat))
    attr = DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef(bytes.data(), bytes.size()));
  else
    return parser.emitError(loc)
           << "expected " << type.getNumElements() << " bytes, one of each "
           << "element, but there are " << bytes.size();
  return success();
}

ParseResult tensoraccess::parseHloElements(OpAsmParser &parser,
                                           Attribute &attr) {
  return isAtBooleans(parser) ? parseBooleans(parser, attr)
                              : parser.parseAttribute(attr);
}
