//===- TuplesAndTokens.cpp - Tuples as their elements ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of a tuple is as many values as it has elements, in order, those of
// tuples within it included. A token orders effects: the
// program's own is kept, so it is not a value at all. Functions, calls and ops
// with regions take and give what is left.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isToken(Type type) {
  if (auto opaque = dyn_cast<OpaqueType>(type))
    return opaque.getDialectNamespace() == "stablehlo" &&
           opaque.getTypeData() == "token";
  // Of the real dialect.
  return type.getDialect().getNamespace() == "stablehlo" &&
         debugString(type) == "!stablehlo.token";
}

static void flatten(Type type, SmallVectorImpl<Type> &into) {
  if (auto tuple = dyn_cast<TupleType>(type))
    for (Type element : tuple.getTypes())
      flatten(element, into);
  else if (!isToken(type))
    into.push_back(type);
}

SmallVector<Type> tensoraccess::flattenTypes(TypeRange types) {
  SmallVector<Type> flat;
  for (Type type : types)
    flatten(type, flat);
  return flat;
}

static bool isTupleOrToken(Type type) {
  return isa<TupleType>(type) || isToken(type);
}

static bool hasTuple(TypeRange types) {
  return llvm::any_of(types, isTupleOrToken);
}

static bool hasTuple(Operation *op) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return hasTuple(function.getArgumentTypes()) ||
           hasTuple(function.getResultTypes());
  return hasTuple(op->getOperandTypes()) || hasTuple(op->getResultTypes()) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return llvm::any_of(region, [](Block &block) {
             return hasTuple(block.getArgumentTypes());
           });
         });
}

static SmallVector<Value> flattenValues(ArrayRef<ValueRange> lists) {
  SmallVector<Value> all;
  for (ValueRange values : lists)
    llvm::append_range(all, values);
  return all;
}

LogicalResult
tensoraccess::convertTypesOf(Operation *op, ArrayRef<ValueRange> operands,
                             const TypeConverter &converter,
                             ConversionPatternRewriter &rewriter) {
  SmallVector<Type> types;
  SmallVector<size_t> counts;
  for (Type type : op->getResultTypes()) {
    const size_t before = types.size();
    if (failed(converter.convertType(type, types)))
      return failure();
    counts.push_back(types.size() - before);
  }
  OperationState state(op->getLoc(), op->getName(), flattenValues(operands),
                       types, getAllAttributes(op));
  for (Region &region : op->getRegions()) {
    Region *copy = state.addRegion();
    rewriter.inlineRegionBefore(region, *copy, copy->end());
    if (failed(rewriter.convertRegionTypes(copy, converter)))
      return failure();
  }
  SmallVector<ValueRange> results;
  ValueRange rest = rewriter.create(state)->getResults();
  for (size_t count : counts) {
    results.push_back(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  rewriter.replaceOpWithMultiple(op, results);
  return success();
}

void tensoraccess::mapSignature(FunctionOpInterface function,
                                llvm::function_ref<Type(Type)> map) {
  function.setType(function.cloneTypeWith(
      llvm::map_to_vector(function.getArgumentTypes(), map),
      llvm::map_to_vector(function.getResultTypes(), map)));
}

namespace {
/// An op as it is, of the elements.
struct Flatten : ConversionPattern {
  Flatten(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 0, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isHlo(op))
      return failure();
    SmallVector<Value> all = flattenValues(operands);
    StringRef name = getHloName(op);
    if (name == "tuple" || name == "create_token" || name == "after_all") {
      rewriter.replaceOpWithMultiple(op, {all});
      return success();
    }
    if (name == "get_tuple_element") {
      auto tuple = cast<TupleType>(op->getOperand(0).getType());
      const int64_t index = op->getAttrOfType<IntegerAttr>("index").getInt();
      const size_t first =
          flattenTypes(tuple.getTypes().take_front(index)).size();
      const size_t count = flattenTypes(tuple.getType(index)).size();
      rewriter.replaceOpWithMultiple(op, {ValueRange(all).slice(first, count)});
      return success();
    }
    return convertTypesOf(op, operands, *getTypeConverter(), rewriter);
  }
};
} // namespace

/// Why an op has no form without them; empty if it has one. The ops are not
/// verified.
static StringRef findFault(Operation *op) {
  if (isa<func::FuncOp, func::CallOp, func::ReturnOp>(op))
    return "";
  if (!isHlo(op))
    return "it is not an op of StableHLO";
  StringRef name = getHloName(op);
  if (name == "create_token" || name == "after_all")
    return op->getNumResults() == 1 && isToken(op->getResult(0).getType()) &&
                   llvm::all_of(op->getOperandTypes(), isToken)
               ? ""
               : "it must make a token of tokens";
  if (name == "tuple")
    return op->getNumResults() == 1 &&
                   op->getResult(0).getType() ==
                       TupleType::get(op->getContext(), op->getOperandTypes())
               ? ""
               : "its result must be a tuple of its operands";
  if (name == "get_tuple_element") {
    auto tuple = op->getNumOperands() == 1
                     ? dyn_cast<TupleType>(op->getOperand(0).getType())
                     : TupleType();
    auto index = op->getAttrOfType<IntegerAttr>("index");
    return tuple && index && op->getNumResults() == 1 && index.getInt() >= 0 &&
                   index.getInt() < int64_t(tuple.size()) &&
                   tuple.getType(index.getInt()) == op->getResult(0).getType()
               ? ""
               : "its index must be that of an element of its result's type";
  }
  if (llvm::is_contained(
          {"case", "if", "optimization_barrier", "return", "while"}, name))
    return "";
  return "it is not supported on tuples and tokens";
}

bool tensoraccess::hasTuplesOrTokens(ModuleOp module) {
  WalkResult found = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    return hasTuple(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

LogicalResult tensoraccess::expandTuplesAndTokens(ModuleOp module) {
  if (!hasTuplesOrTokens(module))
    return success();
  WalkResult checked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    if (!hasTuple(op))
      return WalkResult::advance();
    StringRef fault = findFault(op);
    if (fault.empty())
      return WalkResult::advance();
    op->emitError() << "the tuples and tokens of '" << op->getName()
                    << "' are not taken apart: " << fault;
    return WalkResult::interrupt();
  });
  if (checked.wasInterrupted())
    return failure();

  MLIRContext *context = module.getContext();
  TypeConverter converter;
  converter.addConversion(
      [](Type type,
         SmallVectorImpl<Type> &into) -> std::optional<LogicalResult> {
        flatten(type, into);
        return success();
      });
  RewritePatternSet patterns(context);
  patterns.add<Flatten>(converter, context);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [](Operation *op) { return !hasTuple(op); });
  return applyPartialConversion(module, target, std::move(patterns));
}
