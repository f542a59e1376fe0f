//===- PdlChecks.cpp - What a rule can't express --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of operands and results are those that an operation's traits promise;
// attributes are asked of its own check, which needs no operands, and which of
// them are missing of its verifier, which asks for them first. What is left is
// checked when the operation is made (TermChecks.cpp).
//
//===----------------------------------------------------------------------===//

#include "PdlChecks.h"

#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/PDL/IR/PDLTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// At least, and at most.
struct Count {
  unsigned least = 0;
  std::optional<unsigned> most;
};

/// What an operation's traits promise.
struct Counts {
  Count operands, results, regions;
};
} // namespace

/// An operation on operands and of results of a type that hardly any operation
/// takes.
static Operation *createProbe(OperationName name, Block &scratch,
                              unsigned numOperands, unsigned numResults,
                              unsigned numRegions, NamedAttrList attributes) {
  MLIRContext *context = name.getContext();
  Location loc = UnknownLoc::get(context);
  OperationState state(loc, name);
  for (unsigned i = 0; i != numOperands; ++i)
    state.operands.push_back(scratch.addArgument(NoneType::get(context), loc));
  state.types.assign(numResults, NoneType::get(context));
  for (unsigned i = 0; i != numRegions; ++i)
    state.addRegion();
  name.populateDefaultAttrs(attributes);
  state.attributes = std::move(attributes);
  return Operation::create(state);
}

/// Numbers beyond one are read from the verifier's errors: a trait with a
/// number is a nested template, and its TypeID, made from the name that the
/// compiler gives it, may not be that of the compiler of MLIR's libraries.
static Counts getCounts(MLIRContext *context, OperationName name) {
  Counts counts;
  if (name.hasTrait<OpTrait::ZeroOperands>())
    counts.operands = {0, 0};
  if (name.hasTrait<OpTrait::OneOperand>())
    counts.operands = {1, 1};
  if (name.hasTrait<OpTrait::ZeroResults>())
    counts.results = {0, 0};
  if (name.hasTrait<OpTrait::OneResult>())
    counts.results = {1, 1};
  if (name.hasTrait<OpTrait::ZeroRegions>())
    counts.regions = {0, 0};
  if (name.hasTrait<OpTrait::OneRegion>())
    counts.regions = {1, 1};
  for (Count *count = &counts.operands; count;) {
    Block scratch;
    CapturedErrors captured(context);
    Operation *op = createProbe(name, scratch, counts.operands.least,
                                counts.results.least, counts.regions.least, {});
    (void)name.verifyInvariants(op);
    op->erase();
    StringRef said =
        StringRef(captured.getFirst()).split(" op expected ").second;
    unsigned number;
    if (said.consumeInteger(10, number))
      break;
    const bool isLeast = said.consume_front(" or more");
    count = said.starts_with(" operands")  ? &counts.operands
            : said.starts_with(" results") ? &counts.results
            : said.starts_with(" regions") ? &counts.regions
                                           : nullptr;
    if (count && number == count->least)
      break;
    if (count)
      *count = {number, isLeast ? std::nullopt : std::optional(number)};
  }
  return counts;
}

/// The attribute that an operation needs and a rule does not give it, or
/// nothing. An operation's check asks for attributes before it looks at the
/// types of operands.
static std::optional<std::string>
findMissingAttribute(MLIRContext *context, const RuleOperation &operation,
                     const Counts &counts) {
  const OperationName name = operation.name;
  auto isGiven = [&](StringRef attribute) {
    return llvm::any_of(operation.attributes, [&](const auto &given) {
      return given.first == attribute;
    });
  };
  if (llvm::all_of(name.getAttributeNames(), [&](StringAttr attribute) {
        return isGiven(attribute.getValue());
      }))
    return std::nullopt;
  NamedAttrList attributes;
  for (auto [attribute, value] : operation.attributes)
    if (value)
      attributes.set(attribute, value);
  Block scratch;
  CapturedErrors captured(context);
  Operation *op =
      createProbe(name, scratch, operation.numOperands.value_or(0),
                  operation.numResults.value_or(counts.results.least),
                  counts.regions.least, std::move(attributes));
  const bool isValid = succeeded(name.verifyInvariants(op));
  op->erase();
  auto [before, after] =
      StringRef(captured.getFirst()).split("requires attribute '");
  StringRef attribute = after.split("'").first;
  if (isValid || attribute.empty() || isGiven(attribute))
    return std::nullopt;
  return attribute.str();
}

static std::optional<std::string> checkCount(OperationName name, Count count,
                                             std::optional<unsigned> got,
                                             StringRef verb, StringRef what) {
  if (!got || (*got >= count.least && *got <= count.most.value_or(~0u)))
    return std::nullopt;
  const unsigned number = count.least;
  return ("'" + name.getStringRef() + "' " + verb +
          (count.most ? "" : " at least") + " " + Twine(number) + " " + what +
          (number == 1 ? "" : "s") + ", got " + Twine(*got))
      .str();
}

std::optional<std::string>
mlir::tensoraccess::checkOperation(MLIRContext *context,
                                   const RuleOperation &operation) {
  const OperationName name = operation.name;
  const std::string quoted = "'" + name.getStringRef().str() + "'";
  if (!name.isRegistered()) {
    StringRef dialect = name.getDialectNamespace();
    Dialect *known = context->getLoadedDialect(dialect);
    if (known && !known->allowsUnknownOperations())
      return ("dialect '" + dialect + "' has no operation " + quoted).str();
    if (!known && !context->allowsUnregisteredDialects())
      return ("there is no dialect '" + dialect + "' for " + quoted +
              "; it may be used where unregistered dialects are allowed")
          .str();
    return std::nullopt;
  }
  if (name.hasTrait<OpTrait::IsTerminator>())
    return quoted + " is a terminator, which is not a term";
  const Counts counts = getCounts(context, name);
  // Values that regions use are operands of what is matched.
  if (operation.isMade || name.hasTrait<OpTrait::ZeroRegions>())
    if (auto problem = checkCount(name, counts.operands, operation.numOperands,
                                  "takes", "operand"))
      return problem;
  if (auto problem = checkCount(name, counts.results, operation.numResults,
                                "has", "result"))
    return problem;
  NamedAttrList attributes;
  for (auto [attribute, value] : operation.attributes)
    if (value)
      attributes.set(attribute, value);
  CapturedErrors captured(context);
  if (failed(name.verifyInherentAttrs(
          attributes, [&] { return emitError(UnknownLoc::get(context)); })))
    return quoted + ": " +
           (captured.getFirst().empty() ? "its attributes are not valid"
                                        : captured.getFirst());
  if (operation.isMade)
    if (auto missing = findMissingAttribute(context, operation, counts))
      return quoted + " needs attribute '" + *missing + "'";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

StringRef mlir::tensoraccess::describe(RuleValue::Kind kind) {
  switch (kind) {
  case RuleValue::Kind::None:
    return "nothing";
  case RuleValue::Kind::Attribute:
    return "Attr";
  case RuleValue::Kind::Type:
    return "Type";
  case RuleValue::Kind::Types:
    return "TypeRange";
  case RuleValue::Kind::Value:
    return "Value";
  case RuleValue::Kind::Operation:
    return "Op";
  }
  llvm_unreachable("unknown kind");
}

bool mlir::tensoraccess::isOfKind(const RuleValue &value,
                                  RuleValue::Kind kind) {
  return value.kind == kind &&
         (kind != RuleValue::Kind::Attribute || value.attribute) &&
         (kind != RuleValue::Kind::Type || value.type);
}

/// The word of PDLL for a type of PDL.
static StringRef describePdl(Type type) {
  if (isa<pdl::AttributeType>(type))
    return "Attr";
  if (isa<pdl::TypeType>(type))
    return "Type";
  if (isa<pdl::ValueType>(type))
    return "Value";
  if (isa<pdl::OperationType>(type))
    return "Op";
  if (auto range = dyn_cast<pdl::RangeType>(type))
    return isa<pdl::TypeType>(range.getElementType())    ? "TypeRange"
           : isa<pdl::ValueType>(range.getElementType()) ? "ValueRange"
                                                         : "a range";
  return "something else";
}

static std::string show(ArrayRef<StringRef> words) {
  return "(" + llvm::join(words, ", ") + ")";
}

std::optional<std::string>
mlir::tensoraccess::checkCall(const NativeFunctions &functions, StringRef name,
                              TypeRange arguments, TypeRange results,
                              bool isNegated) {
  auto signature = functions.signatures.find(name);
  if (signature == functions.signatures.end())
    return ("native function '" + name + "' does not declare its signature")
        .str();
  SmallVector<StringRef> takes, returns, given, got;
  for (RuleValue::Kind kind : signature->second.arguments)
    takes.push_back(describe(kind));
  for (RuleValue::Kind kind : signature->second.results)
    returns.push_back(describe(kind));
  for (Type type : arguments)
    given.push_back(describePdl(type));
  for (Type type : results)
    got.push_back(describePdl(type));
  if (takes == given && (isNegated || returns == got))
    return std::nullopt;
  return ("native function '" + name + "' is " + show(takes) + " -> " +
          show(returns) + ", got " + show(given) + " -> " + show(got))
      .str();
}
