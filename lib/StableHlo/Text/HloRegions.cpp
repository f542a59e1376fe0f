//===- HloRegions.cpp - Forms with regions --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   reduce  (%a init: %b), ... applies stablehlo.add across dimensions = [0]
//             attr-dict : FUNCTION
//   reduce  (%a init: %b), ... across dimensions = [0] attr-dict : FUNCTION
//             reducer(%x: TYPE, %y: TYPE) ... { ... }
//   while   (%x = %a, ...) : TYPE, ... attributes {...} cond {...} do {...}
//   scan    (%a, ...) inits (%b, ...) dimension=0 attributes {...} {...}
//             : FUNCTION
//
//===----------------------------------------------------------------------===//

#include "HloForm.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Argument = OpAsmParser::Argument;
using Operand = OpAsmParser::UnresolvedOperand;

/// A region of one block with as many arguments, which is not empty.
static bool hasBlock(Region &region, size_t numArguments) {
  return region.hasOneBlock() && !region.front().empty() &&
         region.front().getNumArguments() == numArguments;
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// The tensor of one element of a tensor; null for other types.
static Type getScalar(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor ? RankedTensorType::get({}, tensor.getElementType()) : Type();
}

/// Fills a region with the reducer of two scalars.
static void buildReducer(OpAsmParser &parser, Location loc, OperationName name,
                         Type scalar, Region &region) {
  Block &block = region.emplaceBlock();
  block.addArguments({scalar, scalar}, {loc, loc});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToStart(&block);
  OperationState reducer(loc, name, block.getArguments(), {scalar});
  Operation *inner = builder.create(reducer);
  OperationState end(loc, (name.getDialectNamespace() + ".return").str());
  end.addOperands(inner->getResults());
  builder.create(end);
}

/// `reducer(%x: TYPE, %y: TYPE) ... {...}`
static ParseResult parseReducer(OpAsmParser &parser, Region &region) {
  SmallVector<Argument> arguments, accumulators;
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(arguments.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(accumulators.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(arguments, accumulators);
  return parser.parseRegion(region, arguments);
}

ParseResult tensoraccess::parseHloReduce(OpAsmParser &parser,
                                         OperationState &result,
                                         NamedAttrList &inherent) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Operand> operands, inits;
  auto parsePair = [&]() -> ParseResult {
    return failure(
        parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen());
  };
  if (parser.parseCommaSeparatedList(parsePair))
    return failure();
  llvm::append_range(operands, inits);

  std::optional<OperationName> reducer;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    SMLoc nameLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    if (!isHloReducer(name->getStringRef(), result.name.getDialectNamespace()))
      return parser.emitError(nameLoc)
             << "expected one of stablehlo.add, and, maximum, minimum, "
                "multiply, or, xor, but '"
             << name->getStringRef() << "' needs a 'reducer' with a region";
    reducer = *name;
  }

  SmallVector<int64_t> dims;
  FunctionType type;
  if (parser.parseKeyword("across",
                          reducer ? "" : " (or 'applies' before it)") ||
      parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dims.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  inherent.append("dimensions", parser.getBuilder().getDenseI64ArrayAttr(dims));
  result.addTypes(type.getResults());
  if (parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();

  Region &region = *result.addRegion();
  if (!reducer)
    return failure(parser.parseKeyword("reducer") ||
                   parseReducer(parser, region));
  if (operands.size() != 2)
    return parser.emitError(loc, "expected one pair of operands, since "
                                 "'applies' reduces one tensor");
  Type scalar = getScalar(type.getInput(0));
  if (!scalar)
    return parser.emitError(loc, "expected a tensor to reduce");
  // The op that is applied stands where reduce does.
  std::optional<Location> written;
  if (parser.parseOptionalLocationSpecifier(written))
    return failure();
  if (written)
    result.location = *written;
  buildReducer(parser, result.location, *reducer, scalar, region);
  return success();
}

/// The op that a reducer consists of, if `applies` can express it.
static Operation *getAppliedOp(Operation *op) {
  Block &block = op->getRegion(0).front();
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      block.getOperations().size() != 2)
    return nullptr;
  Operation &inner = block.front(), &end = block.back();
  Type scalar = getScalar(op->getOperand(0).getType());
  auto isScalar = [&](Type type) { return type == scalar; };
  if (!scalar ||
      !isHloReducer(inner.getName().getStringRef(),
                    op->getName().getDialectNamespace()) ||
      inner.getNumRegions() != 0 || inner.getNumResults() != 1 ||
      !getSortedAttributes(&inner).empty() ||
      !getSortedAttributes(&end).empty() ||
      !llvm::all_of(inner.getOperandTypes(), isScalar) ||
      !llvm::all_of(inner.getResultTypes(), isScalar))
    return nullptr;
  if (end.getName().stripDialect() != "return" ||
      end.getName().getDialectNamespace() !=
          op->getName().getDialectNamespace() ||
      !llvm::equal(end.getOperands(), inner.getResults()) ||
      !llvm::equal(inner.getOperands(), block.getArguments()))
    return nullptr;
  return &inner;
}

bool tensoraccess::fitsHloReduce(Operation *op) {
  unsigned count = op->getNumOperands();
  return count != 0 && count % 2 == 0 && op->getNumRegions() == 1 &&
         hasBlock(op->getRegion(0), count) &&
         isa_and_nonnull<DenseI64ArrayAttr>(op->getAttr("dimensions"));
}

void tensoraccess::printHloReduce(Operation *op, OpAsmPrinter &printer) {
  unsigned count = op->getNumOperands() / 2;
  // No space after the name, as StableHLO prints it.
  for (unsigned i = 0; i != count; ++i)
    printer << (i == 0 ? "(" : ", (") << op->getOperand(i)
            << " init: " << op->getOperand(i + count) << ')';
  Operation *applied = getAppliedOp(op);
  if (applied)
    printer << " applies " << applied->getName().getStringRef();
  printer << " across dimensions = [";
  llvm::interleaveComma(
      cast<DenseI64ArrayAttr>(op->getAttr("dimensions")).asArrayRef(), printer);
  printer << ']';
  printer.printOptionalAttrDict(getSortedAttributes(op), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(op);
  if (applied)
    return;
  printer.printNewline();
  printer << " reducer";
  Block &block = op->getRegion(0).front();
  for (unsigned i = 0; i != count; ++i) {
    printer << '(';
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(i + count));
    printer << ") ";
  }
  printer << ' ';
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

ParseResult tensoraccess::parseHloWhile(OpAsmParser &parser,
                                        OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Operand> operands;
  SmallVector<Argument> arguments;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair))
    return failure();
  if (!operands.empty() &&
      (parser.parseColon() || parser.parseTypeList(result.types)))
    return failure();
  // Before types are given to arguments: checks their number.
  if (parser.resolveOperands(operands, result.types, loc, result.operands))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, result.types))
    argument.type = type;
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseKeyword("cond") ||
                 parser.parseRegion(*result.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

bool tensoraccess::fitsHloWhile(Operation *op) {
  return op->getNumRegions() == 2 &&
         llvm::equal(op->getOperandTypes(), op->getResultTypes()) &&
         llvm::all_of(op->getRegions(), [&](Region &region) {
           return hasBlock(region, op->getNumOperands()) &&
                  llvm::equal(region.getArgumentTypes(), op->getOperandTypes());
         });
}

void tensoraccess::printHloWhile(Operation *op, OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip(op->getRegion(1).getArguments(), op->getOperands()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ')';
  if (op->getNumOperands() != 0) {
    printer << " : ";
    llvm::interleaveComma(op->getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword(getSortedAttributes(op));
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(op->getRegion(1), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// scan
//===----------------------------------------------------------------------===//

ParseResult tensoraccess::parseHloScan(OpAsmParser &parser,
                                       OperationState &result,
                                       NamedAttrList &inherent) {
  SMLoc loc = parser.getCurrentLocation(), typeLoc;
  SmallVector<Operand> operands, inits;
  int64_t dimension;
  FunctionType type;
  using Delimiter = OpAsmParser::Delimiter;
  if (parser.parseOperandList(operands, Delimiter::Paren) ||
      parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) || parser.parseColon() ||
      parser.getCurrentLocation(&typeLoc) || parser.parseType(type))
    return failure();
  int32_t numInputs = operands.size(), numCarries = inits.size(),
          numOutputs = int32_t(type.getNumResults()) - numCarries;
  if (numOutputs < 0)
    return parser.emitError(typeLoc)
           << "expected a result for each of the " << numCarries << " inits";
  llvm::append_range(operands, inits);
  Builder &builder = parser.getBuilder();
  inherent.append("dimension", builder.getI64IntegerAttr(dimension));
  inherent.append("operandSegmentSizes",
                  builder.getDenseI32ArrayAttr({numInputs, numCarries}));
  inherent.append("resultSegmentSizes",
                  builder.getDenseI32ArrayAttr({numOutputs, numCarries}));
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc,
                                result.operands);
}

bool tensoraccess::fitsHloScan(Operation *op) {
  auto getSizes = [&](StringRef name) {
    auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(op->getAttr(name));
    return sizes && sizes.size() == 2 ? std::pair(sizes[0], sizes[1])
                                      : std::pair(-1, -1);
  };
  auto [numInputs, numInits] = getSizes("operandSegmentSizes");
  auto [numOutputs, numCarries] = getSizes("resultSegmentSizes");
  auto dimension = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
  return dimension && dimension.getType().isSignlessInteger(64) &&
         numInputs >= 0 && numInits >= 0 && numOutputs >= 0 &&
         numCarries == numInits &&
         numInputs + numInits == int64_t(op->getNumOperands()) &&
         numOutputs + numCarries == int64_t(op->getNumResults()) &&
         op->getNumRegions() == 1 && !op->getRegion(0).empty() &&
         !op->getRegion(0).front().empty();
}

void tensoraccess::printHloScan(Operation *op, OpAsmPrinter &printer) {
  unsigned numInputs =
      cast<DenseI32ArrayAttr>(op->getAttr("operandSegmentSizes"))[0];
  printer << '(' << op->getOperands().take_front(numInputs) << ") inits ("
          << op->getOperands().drop_front(numInputs) << ") dimension="
          << cast<IntegerAttr>(op->getAttr("dimension")).getInt() << ' ';
  printer.printOptionalAttrDictWithKeyword(
      getSortedAttributes(op),
      {"dimension", "operandSegmentSizes", "resultSegmentSizes"});
  printer << ' ';
  printer.printRegion(op->getRegion(0));
  printer << " : ";
  printer.printFunctionalType(op);
}
