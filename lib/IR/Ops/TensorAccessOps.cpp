//===- TensorAccessOps.cpp - What verifiers and text share ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops' generated code, the words of their text that ODS has no form for,
// and the helpers of OpHelpers.h. The ops themselves are in MovementOps.cpp,
// TupleOps.cpp, ShapeOps.cpp, ComputeOps.cpp and LayoutOps.cpp.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "Types/OpHelpers.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Text: a compute op's kind is printed bare, `compute dot_prod %x`, and so do
// the policies of a slice
//===----------------------------------------------------------------------===//

static ParseResult parseComputeKind(OpAsmParser &parser,
                                    ComputeKindAttr &kind) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<ComputeKind> value = symbolizeComputeKind(keyword);
  if (!value)
    return parser.emitError(loc) << "unknown compute kind `" << keyword << "`";
  kind = ComputeKindAttr::get(parser.getContext(), *value);
  return success();
}

static void printComputeKind(OpAsmPrinter &printer, Operation *,
                             ComputeKindAttr kind) {
  printer << stringifyComputeKind(kind.getValue());
}

/// The value of `pad`, after the bracket: an integer, a float, `inf`, `nan`,
/// `true` (1) or `false` (0).
static ParseResult parsePadValue(OpAsmParser &parser,
                                 std::optional<PadValue> &value) {
  bool isNegative = succeeded(parser.parseOptionalMinus());
  auto withSign = [&](double number) { return isNegative ? -number : number; };
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  llvm::APInt integer;
  if (succeeded(parser.parseOptionalKeyword(&word, {"inf", "nan"}))) {
    value = PadValue(withSign(word == "inf"
                                  ? std::numeric_limits<double>::infinity()
                                  : std::numeric_limits<double>::quiet_NaN()));
    return success();
  }
  if (!isNegative &&
      succeeded(parser.parseOptionalKeyword(&word, {"true", "false"}))) {
    value = PadValue(int64_t(word == "true"));
    return success();
  }
  if (OptionalParseResult result = parser.parseOptionalInteger(integer);
      result.has_value()) {
    if (failed(*result))
      return failure();
    integer = integer.zext(integer.getBitWidth() + 1);
    if (isNegative)
      integer.negate();
    if (integer.getSignificantBits() > 64)
      return parser.emitError(loc, "integer does not fit in 64 bits");
    value = PadValue(integer.getSExtValue());
    return success();
  }
  double number;
  if (parser.parseFloat(number))
    return failure();
  value = PadValue(withSign(number));
  return success();
}

/// Policies are printed bare in brackets, `oob = [wrap, pad(0.0)]`.
static ParseResult parsePolicies(OpAsmParser &parser, OutOfBoundsAttr &attr) {
  OutOfBoundsList policies;
  auto parsePolicy = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (parser.parseKeyword(&word))
      return failure();
    if (word == "pad") {
      OutOfBounds policy{OutOfBounds::Kind::Pad, std::nullopt};
      if (parser.parseLParen() || parsePadValue(parser, policy.value))
        return failure();
      loc = parser.getCurrentLocation();
      if (succeeded(parser.parseOptionalColon()))
        return parser.emitError(loc, "a pad value has no type of its own, it "
                                     "takes the pattern's element type");
      if (parser.parseRParen())
        return failure();
      policies.entries.push_back(policy);
      return success();
    }
    ParseError error;
    auto known = OutOfBoundsList::parse(("[" + word + "]").str(), error);
    if (!known)
      return parser.emitError(loc, error.message);
    policies.entries.push_back(known->entries[0]);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parsePolicy))
    return failure();
  attr = OutOfBoundsAttr::get(parser.getContext(), policies);
  return success();
}

static void printPolicies(OpAsmPrinter &printer, Operation *,
                          OutOfBoundsAttr attr) {
  printer << attr.getValue().str();
}

//===----------------------------------------------------------------------===//
// Text: a block of a projection, `over [5, 7]` or `over [0, -1] to [5, 7]`.
//===----------------------------------------------------------------------===//

static ParseResult parseBlock(OpAsmParser &parser, DenseI64ArrayAttr &lower,
                              DenseI64ArrayAttr &upper) {
  auto parseEnds = [&](DenseI64ArrayAttr &ends) -> ParseResult {
    SmallVector<int64_t> values;
    auto parseEnd = [&] { return parser.parseInteger(values.emplace_back()); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEnd))
      return failure();
    ends = parser.getBuilder().getDenseI64ArrayAttr(values);
    return success();
  };
  if (parseEnds(upper))
    return failure();
  if (failed(parser.parseOptionalKeyword("to")))
    return success();
  lower = upper;
  return parseEnds(upper);
}

static void printBlock(OpAsmPrinter &printer, Operation *,
                       DenseI64ArrayAttr lower, DenseI64ArrayAttr upper) {
  auto printEnds = [&](DenseI64ArrayAttr ends) {
    printer << '[';
    llvm::interleaveComma(ends.asArrayRef(), printer);
    printer << ']';
  };
  if (lower) {
    printEnds(lower);
    printer << " to ";
  }
  printEnds(upper);
}

//===----------------------------------------------------------------------===//
// Text: operands of an indexing map, `(%i)[%j]{%k}`. What the map has none of
// is not written; a brace after it begins the attributes then.
//===----------------------------------------------------------------------===//

using Operands = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

static ParseResult parseMapOperands(OpAsmParser &parser, IndexingMapAttr map,
                                    Operands &dims, Operands &symbols,
                                    Operands &runtime) {
  if (parser.parseOperandList(dims, OpAsmParser::Delimiter::Paren) ||
      parser.parseOperandList(symbols, OpAsmParser::Delimiter::OptionalSquare))
    return failure();
  if (!map || map.getValue().getNumRuntime() == 0)
    return success();
  return parser.parseOperandList(runtime, OpAsmParser::Delimiter::Braces);
}

static void printMapOperands(OpAsmPrinter &printer, Operation *,
                             IndexingMapAttr, OperandRange dims,
                             OperandRange symbols, OperandRange runtime) {
  printer << '(' << dims << ')';
  if (!symbols.empty())
    printer << '[' << symbols << ']';
  if (!runtime.empty())
    printer << '{' << runtime << '}';
}

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Speculation
//===----------------------------------------------------------------------===//

bool mlir::tensoraccess::isSafeToSpeculate(Operation *op) {
  auto isStatic = [](Type type) {
    if (auto access = dyn_cast<AccessType>(type))
      return access.hasStaticShape();
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (!llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic) ||
      isa<AcceleratorCallOp>(op))
    return false;
  auto compute = dyn_cast<ComputeOp>(op);
  return !compute || compute.getKind() != ComputeKind::ElementwiseDiv ||
         isa<FloatType>(compute.getPattern().getType().getElementType());
}

//===----------------------------------------------------------------------===//
// Types that follow from operands and attributes
//===----------------------------------------------------------------------===//

LogicalResult mlir::tensoraccess::verifyInferredType(Operation *op) {
  SmallVector<Type> types;
  if (failed(cast<InferTypeOpInterface>(op).inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  Type type = op->getResult(0).getType();
  if (types.front() == type)
    return success();
  return op->emitOpError("result must be of type ")
         << types.front() << ", got " << type;
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

AccessType mlir::tensoraccess::getSplit(ArrayRef<int64_t> shape, int64_t axis,
                                        Type elementType) {
  return AccessType::get(shape.take_front(axis), shape.drop_front(axis),
                         elementType);
}

FailureOr<AccessType> mlir::tensoraccess::getCheckedType(
    std::optional<Location> loc, MLIRContext *context,
    ArrayRef<int64_t> accessShape, ArrayRef<int64_t> computeShape,
    Type elementType) {
  Location where = loc.value_or(UnknownLoc::get(context));
  AccessType type =
      AccessType::getChecked([&] { return emitError(where); }, context,
                             accessShape, computeShape, elementType);
  if (!type)
    return failure();
  return type;
}

LogicalResult mlir::tensoraccess::inferSplit(std::optional<Location> loc,
                                             MLIRContext *context,
                                             ArrayRef<int64_t> shape,
                                             int64_t axis, Type elementType,
                                             SmallVectorImpl<Type> &types) {
  FailureOr<AccessType> type =
      getCheckedType(loc, context, shape.take_front(axis),
                     shape.drop_front(axis), elementType);
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

std::string mlir::tensoraccess::listToString(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(values, os, [&](int64_t value) {
    os << (value == kDynamicSize ? "?" : std::to_string(value));
  });
  os << ']';
  return text;
}

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::mergeShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() != b.size())
    return std::nullopt;
  SmallVector<int64_t> merged(a);
  for (auto [size, other] : llvm::zip_equal(merged, b)) {
    if (size == kDynamicSize)
      size = other;
    else if (other != kDynamicSize && size != other)
      return std::nullopt;
  }
  return merged;
}

LogicalResult
mlir::tensoraccess::verifyElementTypes(std::optional<Location> loc,
                                       AccessType a, AccessType b) {
  if (a.getElementType() == b.getElementType())
    return success();
  return emitOptionalError(loc, "element types must be equal, got ",
                           a.getElementType(), " and ", b.getElementType());
}

LogicalResult mlir::tensoraccess::verifyEntries(std::optional<Location> loc,
                                                StringRef name, int64_t count,
                                                int64_t rank, StringRef unit) {
  if (count == rank)
    return success();
  return emitOptionalError(loc, name, " must have one entry per ", unit, ", ",
                           rank, ", got ", count);
}
