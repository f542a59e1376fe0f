//===- PdlCompiler.cpp - Rules from PDL, compiled -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pattern in one walk over its body, in which operands come before what
// uses them:
//
//   1. Each op becomes elements, handles and checks; a constant is asked of a
//      symbol where that is possible.
//   2. Roots are the nodes that are not an operand of another, first the root
//      of the rewrite.
//   3. Checks are ordered: what sets handles, types of attributes, constraints.
//   4. The rewrite becomes steps. Every handle that a step reads must be set.
//
//===----------------------------------------------------------------------===//

#include "PdlChecks.h"

#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDL/IR/PDLOps.h"
#include "mlir/Dialect/PDL/IR/PDLTypes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace mlir::tensoraccess {
class PdlCompiler {
public:
  PdlCompiler(pdl::PatternOp pattern, unsigned number,
              const NativeFunctions &functions)
      : pattern(pattern), functions(functions), rule(pattern.getLoc()) {
    rule.name = pattern.getSymName() ? pattern.getSymName()->str()
                                     : "rule " + std::to_string(number);
    rule.benefit = pattern.getBenefit();
  }

  FailureOr<PdlRule> compile(bool matchOnly);

private:
  using Element = PdlRule::Element;
  using Step = PdlRule::Step;

  InFlightDiagnostic fail(Operation *op) {
    // Without the op, which is not in the user's text.
    return emitError(op->getLoc()) << "rule '" << rule.name << "': ";
  }

  unsigned addHandle(Value value) {
    rule.handles.emplace_back();
    return handleOf[value] = rule.handles.size() - 1;
  }
  unsigned addElement(Element element) {
    rule.elements.push_back(std::move(element));
    return rule.elements.size() - 1;
  }
  /// The handle of an element's class.
  unsigned getValueHandle(unsigned element) {
    for (auto [handle, of] : rule.valueHandles)
      if (of == element)
        return handle;
    rule.handles.emplace_back();
    rule.valueHandles.push_back({rule.handles.size() - 1, element});
    return rule.handles.size() - 1;
  }
  void setValue(Value value, SmallVector<unsigned, 1> elements) {
    if (elements.size() == 1)
      handleOf[value] = getValueHandle(elements.front());
    elementsOf[value] = std::move(elements);
  }
  Step &addCheck(Step::Kind kind, Value handle, unsigned element) {
    Step step{kind};
    step.handle = handleOf.lookup(handle);
    step.element = element;
    rule.checks.push_back(std::move(step));
    return rule.checks.back();
  }
  const RuleValue &constantOf(Value handle) {
    return rule.handles[handleOf.lookup(handle)];
  }

  LogicalResult visit(Operation *op);
  LogicalResult addOperation(pdl::OperationOp op);
  /// The elements of results of an operation that is matched.
  LogicalResult addResults(Operation *op, Value parent,
                           std::optional<unsigned> index, Value value);
  LogicalResult addConstraint(pdl::ApplyNativeConstraintOp op);
  LogicalResult finishMatch(pdl::RewriteOp rewrite);

  LogicalResult visitRewrite(Operation *op);
  LogicalResult addMake(pdl::OperationOp op);
  LogicalResult addReplace(pdl::ReplaceOp op);
  /// The handles of a value, of which a range may have several.
  LogicalResult getHandles(Operation *op, Value value,
                           SmallVectorImpl<unsigned> &handles);
  /// The type of a value if it is the same for all matches.
  Type getConstantType(Value value);
  /// The types of an operation's results, as far as they are constant;
  /// std::nullopt if their number is unknown.
  std::optional<SmallVector<Type>> getConstantTypes(pdl::OperationOp op);
  /// Reports handles that a step reads and nothing sets.
  LogicalResult checkIsSet(Operation *op, ArrayRef<unsigned> handles);

  pdl::PatternOp pattern;
  const NativeFunctions &functions;
  PdlRule rule;
  llvm::DenseMap<Value, unsigned> handleOf;
  /// Of values that are matched.
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> elementsOf;
  /// Of operations that are matched.
  llvm::DenseMap<Value, unsigned> elementOf;
  /// Constraints and types of attributes wait for the other checks.
  std::vector<Step> attributeTypes, constraints;
  std::vector<std::pair<Operation *, Step>> rewrites;
  llvm::BitVector isSet;
  bool replaces = false;
};
} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// What is matched
//===----------------------------------------------------------------------===//

/// How many types there are: std::nullopt if a list has no constant length.
static std::optional<unsigned> countTypes(OperandRange types) {
  if (types.size() == 1 && isa<pdl::RangeType>(types.front().getType())) {
    auto list = types.front().getDefiningOp<pdl::TypesOp>();
    if (list && list.getConstantTypes())
      return list.getConstantTypes()->size();
    return std::nullopt;
  }
  return types.size();
}

LogicalResult PdlCompiler::addOperation(pdl::OperationOp op) {
  Element element;
  element.kind = Element::Kind::Operation;
  if (op.getOpName()) {
    element.name = OperationName(*op.getOpName(), op.getContext());
    rule.operations.push_back(*element.name);
  }
  for (Value operand : op.getOperandValues()) {
    auto elements = elementsOf.find(operand);
    if (elements == elementsOf.end())
      return fail(op) << "an operand that is not matched";
    llvm::append_range(element.operands, elements->second);
  }
  element.numResults = countTypes(op.getTypeValues());
  if (op.getTypeValues().size() > 1 &&
      llvm::any_of(op.getTypeValues(), [](Value type) {
        return isa<pdl::RangeType>(type.getType());
      }))
    return fail(op) << "groups of results are not supported; give the type of "
                       "each result";
  if (!element.numResults && element.name &&
      element.name->hasTrait<OpTrait::OneResult>())
    element.numResults = 1;
  const unsigned number = rule.elements.size();
  for (auto [name, value] :
       llvm::zip_equal(op.getAttributeValueNames().getAsRange<StringAttr>(),
                       op.getAttributeValues())) {
    Attribute constant = constantOf(value).attribute;
    element.attributes.push_back({name, constant});
    if (!constant)
      addCheck(Step::Kind::ElementAttribute, value, number).name = name;
  }
  for (auto [i, type] : llvm::enumerate(op.getTypeValues())) {
    const RuleValue &constant = constantOf(type);
    if (isa<pdl::RangeType>(type.getType())) {
      addCheck(Step::Kind::ElementTypes, type, number);
      continue;
    }
    element.resultTypes.push_back(constant.type);
    if (!constant.type)
      addCheck(Step::Kind::ElementType, type, number).index = i;
  }
  if (element.name)
    if (auto problem = checkOperation(
            op.getContext(),
            {*element.name, unsigned(element.operands.size()),
             element.numResults, element.attributes, /*isMade=*/false}))
      return fail(op) << *problem;
  elementOf[op] = addElement(std::move(element));
  rule.nodeHandles.push_back({addHandle(op), number});
  return success();
}

LogicalResult PdlCompiler::addResults(Operation *op, Value parent,
                                      std::optional<unsigned> index,
                                      Value value) {
  const unsigned of = elementOf.lookup(parent);
  // The number is not given: a single one, if that is all that is asked for.
  if (!rule.elements[of].numResults && index.value_or(0) == 0)
    rule.elements[of].numResults = 1;
  const std::optional<unsigned> count = rule.elements[of].numResults;
  if (!count)
    return fail(op) << "the number of results is not known; give the type of "
                       "each result";
  if (index && *index >= *count)
    return fail(op) << "there is no result " << *index << " of " << *count;
  SmallVector<unsigned, 1> elements;
  if (*count == 1)
    elements.push_back(of);
  for (unsigned i = 0; *count > 1 && i != *count; ++i) {
    if (index && i != *index)
      continue;
    auto known = llvm::find_if(rule.elements, [&](const Element &e) {
      return e.kind == Element::Kind::Result && e.index == i &&
             e.operands.front() == of;
    });
    if (known != rule.elements.end()) {
      elements.push_back(known - rule.elements.begin());
      continue;
    }
    Element result;
    result.kind = Element::Kind::Result;
    result.operands = {of};
    result.index = i;
    elements.push_back(addElement(std::move(result)));
  }
  setValue(value, std::move(elements));
  return success();
}

LogicalResult PdlCompiler::addConstraint(pdl::ApplyNativeConstraintOp op) {
  auto function = functions.constraints.find(op.getName());
  if (function == functions.constraints.end())
    return fail(op) << "there is no native constraint '" << op.getName() << "'";
  if (auto problem = checkCall(functions, op.getName(), op.getArgs().getTypes(),
                               op.getResults().getTypes(), op.getIsNegated()))
    return fail(op) << *problem;
  Step step{Step::Kind::Constraint};
  step.constraint = function->second;
  step.name = op.getNameAttr();
  step.signature = functions.signatures.lookup(op.getName());
  step.isNegated = op.getIsNegated();
  if (step.isNegated && op.getNumResults() != 0)
    return fail(op) << "a negated constraint can't return anything";
  for (Value operand : op.getArgs())
    if (failed(getHandles(op, operand, step.operands)))
      return failure();
  for (Value result : op.getResults()) {
    if (!isa<pdl::AttributeType, pdl::TypeType>(result.getType()))
      return fail(op) << "a constraint can return attributes and types only";
    step.results.push_back(addHandle(result));
  }
  constraints.push_back(std::move(step));
  return success();
}

LogicalResult PdlCompiler::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](pdl::OperandOp operand) -> LogicalResult {
        const unsigned element = addElement({});
        setValue(operand, {element});
        if (Value type = operand.getValueType())
          addCheck(Step::Kind::ClassType, type, element);
        return success();
      })
      .Case([&](pdl::OperandsOp) -> LogicalResult {
        return fail(op) << "a range of operands has no fixed number; name each "
                           "operand, or write () for none";
      })
      .Case([&](pdl::AttributeOp attribute) -> LogicalResult {
        const unsigned handle = addHandle(attribute);
        if (std::optional<Attribute> value = attribute.getValue())
          rule.handles[handle] = *value;
        if (Value type = attribute.getValueType()) {
          Step step{Step::Kind::AttributeType};
          step.handle = handleOf.lookup(type);
          step.operands = {handle};
          attributeTypes.push_back(std::move(step));
        }
        return success();
      })
      .Case([&](pdl::TypeOp type) -> LogicalResult {
        const unsigned handle = addHandle(type);
        if (std::optional<Type> value = type.getConstantType())
          rule.handles[handle] = *value;
        return success();
      })
      .Case([&](pdl::TypesOp types) -> LogicalResult {
        const unsigned handle = addHandle(types);
        if (ArrayAttr values = types.getConstantTypesAttr()) {
          rule.lists.push_back(std::make_shared<SmallVector<Type, 2>>(
              values.getAsValueRange<TypeAttr>()));
          rule.handles[handle] = ArrayRef<Type>(*rule.lists.back());
        }
        return success();
      })
      .Case([&](pdl::OperationOp operation) { return addOperation(operation); })
      .Case([&](pdl::ResultOp result) {
        return addResults(op, result.getParent(), result.getIndex(), result);
      })
      .Case([&](pdl::ResultsOp results) {
        return addResults(op, results.getParent(), results.getIndex(), results);
      })
      .Case([&](pdl::ApplyNativeConstraintOp constraint) {
        return addConstraint(constraint);
      })
      .Default([&](Operation *) -> LogicalResult {
        return fail(op) << "'" << op->getName() << "' can't be matched";
      });
}

LogicalResult PdlCompiler::finishMatch(pdl::RewriteOp rewrite) {
  // Roots.
  llvm::BitVector isOperand(rule.elements.size());
  for (const Element &element : rule.elements)
    for (unsigned operand : element.operands)
      isOperand.set(operand);
  for (auto [number, element] : llvm::enumerate(rule.elements))
    if (element.kind != Element::Kind::Variable && !isOperand.test(number))
      rule.roots.push_back(number);
  if (rule.roots.empty())
    return fail(pattern) << "it has no operation";
  if (Value root = rewrite.getRoot()) {
    auto at = llvm::find(rule.roots, elementOf.lookup(root));
    if (at != rule.roots.end())
      std::rotate(rule.roots.begin(), at, at + 1);
  }
  for (auto operand : pattern.getBodyRegion().getOps<pdl::OperandOp>())
    for (unsigned element : elementsOf[operand])
      if (!isOperand.test(element))
        return fail(operand)
               << "a value that is not an operand of an operation";

  // What is set, in the order of the checks.
  llvm::append_range(rule.checks, attributeTypes);
  llvm::append_range(rule.checks, constraints);
  isSet.resize(rule.handles.size());
  for (auto [handle, value] : llvm::enumerate(rule.handles))
    if (value.kind != RuleValue::Kind::None)
      isSet.set(handle);
  for (auto [handle, element] : rule.valueHandles)
    isSet.set(handle);
  for (auto [handle, element] : rule.nodeHandles)
    isSet.set(handle);
  for (const Step &step : rule.checks) {
    if (failed(checkIsSet(pattern, step.operands)))
      return failure();
    if (step.kind == Step::Kind::Constraint)
      for (unsigned handle : step.results)
        isSet.set(handle);
    else
      isSet.set(step.handle);
  }
  return success();
}

LogicalResult PdlCompiler::checkIsSet(Operation *op,
                                      ArrayRef<unsigned> handles) {
  for (unsigned handle : handles) {
    if (handle < isSet.size() && isSet.test(handle))
      continue;
    for (auto [value, of] : handleOf)
      if (of == handle)
        op = value.getDefiningOp();
    return fail(op) << "nothing that is matched says what '" << op->getName()
                    << "' is";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What is made
//===----------------------------------------------------------------------===//

LogicalResult PdlCompiler::getHandles(Operation *op, Value value,
                                      SmallVectorImpl<unsigned> &handles) {
  if (auto elements = elementsOf.find(value); elements != elementsOf.end()) {
    for (unsigned element : elements->second)
      handles.push_back(getValueHandle(element));
    return success();
  }
  auto handle = handleOf.find(value);
  if (handle == handleOf.end())
    return fail(op) << "'" << value.getDefiningOp()->getName()
                    << "' is not supported here";
  handles.push_back(handle->second);
  return success();
}

std::optional<SmallVector<Type>>
PdlCompiler::getConstantTypes(pdl::OperationOp op) {
  std::optional<unsigned> count = countTypes(op.getTypeValues());
  if (auto element = elementOf.find(op); element != elementOf.end())
    count = rule.elements[element->second].numResults;
  if (!count || (*count == 0 && op->getParentOp() != pattern))
    return std::nullopt;
  SmallVector<Type> types(*count);
  if (op.getTypeValues().size() != *count)
    return types;
  for (auto [type, value] : llvm::zip_equal(types, op.getTypeValues()))
    if (!isa<pdl::RangeType>(value.getType()))
      type = constantOf(value).type;
  return types;
}

Type PdlCompiler::getConstantType(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto operand = dyn_cast<pdl::OperandOp>(op))
    return operand.getValueType() ? constantOf(operand.getValueType()).type
                                  : Type();
  Value parent;
  unsigned index = 0;
  if (auto result = dyn_cast<pdl::ResultOp>(op)) {
    parent = result.getParent();
    index = result.getIndex();
  } else if (auto results = dyn_cast<pdl::ResultsOp>(op)) {
    parent = results.getParent();
  }
  if (!parent)
    return {};
  std::optional<SmallVector<Type>> types =
      getConstantTypes(parent.getDefiningOp<pdl::OperationOp>());
  return types && index < types->size() ? (*types)[index] : Type();
}

LogicalResult PdlCompiler::addMake(pdl::OperationOp op) {
  Step step{Step::Kind::Make};
  step.operation = OperationName(*op.getOpName(), op.getContext());
  rule.operations.push_back(*step.operation);
  for (Value operand : op.getOperandValues())
    if (failed(getHandles(op, operand, step.operands)))
      return failure();
  for (auto [name, value] :
       llvm::zip_equal(op.getAttributeValueNames().getAsRange<StringAttr>(),
                       op.getAttributeValues()))
    step.attributes.push_back({name, handleOf.lookup(value)});
  for (Value type : op.getTypeValues())
    step.types.push_back(handleOf.lookup(type));
  SmallVector<std::pair<StringAttr, Attribute>> attributes;
  for (auto [name, handle] : step.attributes)
    attributes.push_back({name, rule.handles[handle].attribute});
  std::optional<unsigned> numResults = countTypes(op.getTypeValues());
  if (numResults == 0u)
    numResults.reset();
  if (auto problem = checkOperation(
          op.getContext(), {*step.operation, unsigned(step.operands.size()),
                            numResults, attributes, /*isMade=*/true}))
    return fail(op) << *problem;
  if (step.types.empty()) {
    if (step.operation->hasInterface<InferTypeOpInterface>()) {
      step.isInferred = true;
    } else {
      for (Operation *user : op->getUsers())
        if (auto replace = dyn_cast<pdl::ReplaceOp>(user))
          if (replace.getReplOperation() == op &&
              elementOf.count(replace.getOpValue()))
            step.typesOf = elementOf.lookup(replace.getOpValue());
      if (!step.typesOf)
        return fail(op) << "the result types of '"
                        << step.operation->getStringRef()
                        << "' are not given and can't be inferred";
    }
  }
  SmallVector<unsigned> reads(step.operands.begin(), step.operands.end());
  for (auto [name, handle] : step.attributes)
    reads.push_back(handle);
  llvm::append_range(reads, step.types);
  step.handle = addHandle(op);
  isSet.resize(rule.handles.size());
  isSet.set(step.handle);
  for (auto [handle, element] : rule.valueHandles)
    isSet.set(handle);
  if (failed(checkIsSet(op, reads)))
    return failure();
  rule.rewrites.push_back(std::move(step));
  return success();
}

LogicalResult PdlCompiler::addReplace(pdl::ReplaceOp op) {
  Step step{Step::Kind::Replace};
  auto element = elementOf.find(op.getOpValue());
  if (element == elementOf.end())
    return fail(op) << "what is replaced must be matched";
  step.element = element->second;
  SmallVector<Type> with;
  bool isCounted = true;
  if (Value operation = op.getReplOperation()) {
    step.byOperation = true;
    step.operands.push_back(handleOf.lookup(operation));
    if (auto types =
            getConstantTypes(operation.getDefiningOp<pdl::OperationOp>()))
      with = *types;
    else
      isCounted = false;
  } else {
    for (Value value : op.getReplValues()) {
      if (failed(getHandles(op, value, step.operands)))
        return failure();
      with.push_back(getConstantType(value));
    }
    isCounted = with.size() == step.operands.size();
  }
  auto types =
      getConstantTypes(op.getOpValue().getDefiningOp<pdl::OperationOp>());
  if (types && isCounted) {
    if (types->size() != with.size())
      return fail(op) << types->size() << " results can't be replaced by "
                      << with.size();
    for (auto [type, other] : llvm::zip_equal(*types, with))
      if (type && other && type != other)
        return fail(op) << "a value of type " << type
                        << " can't be replaced by one of type " << other;
  }
  replaces = true;
  rule.rewrites.push_back(std::move(step));
  return success();
}

LogicalResult PdlCompiler::visitRewrite(Operation *op) {
  auto finish = [&](Step step, Operation *owner) -> LogicalResult {
    isSet.resize(rule.handles.size());
    for (auto [handle, element] : rule.valueHandles)
      isSet.set(handle);
    if (failed(checkIsSet(owner, step.operands)))
      return failure();
    if (step.kind == Step::Kind::Rewrite)
      for (unsigned handle : step.results)
        isSet.set(handle);
    else
      isSet.set(step.handle);
    rule.rewrites.push_back(std::move(step));
    return success();
  };
  auto addResult = [&](Value parent, std::optional<unsigned> index,
                       Step::Kind kind) {
    Step step{kind};
    step.operands = {handleOf.lookup(parent)};
    step.index = index.value_or(0);
    step.handle = addHandle(op->getResult(0));
    return finish(std::move(step), op);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<pdl::AttributeOp, pdl::TypeOp, pdl::TypesOp>([&](auto) {
        LogicalResult result = visit(op);
        isSet.resize(rule.handles.size());
        if (constantOf(op->getResult(0)).kind != RuleValue::Kind::None)
          isSet.set(handleOf.lookup(op->getResult(0)));
        return result;
      })
      .Case([&](pdl::OperationOp operation) { return addMake(operation); })
      .Case([&](pdl::ResultOp result) {
        return addResult(result.getParent(), result.getIndex(),
                         Step::Kind::Result);
      })
      .Case([&](pdl::ResultsOp results) -> LogicalResult {
        if (results.getIndex().value_or(0) != 0)
          return fail(op) << "groups of results are not supported; ask for "
                             "results by number";
        return addResult(results.getParent(), std::nullopt,
                         Step::Kind::Results);
      })
      .Case([&](pdl::ApplyNativeRewriteOp native) -> LogicalResult {
        auto function = functions.rewrites.find(native.getName());
        if (function == functions.rewrites.end())
          return fail(op) << "there is no native rewrite '" << native.getName()
                          << "'";
        if (auto problem = checkCall(functions, native.getName(),
                                     native.getArgs().getTypes(),
                                     native.getResults().getTypes()))
          return fail(op) << *problem;
        Step step{Step::Kind::Rewrite};
        step.rewrite = function->second;
        step.signature = functions.signatures.lookup(native.getName());
        step.name = native.getNameAttr();
        for (Value argument : native.getArgs())
          if (failed(getHandles(op, argument, step.operands)))
            return failure();
        for (Value result : native.getResults())
          step.results.push_back(addHandle(result));
        return finish(std::move(step), op);
      })
      .Case([&](pdl::ReplaceOp replace) { return addReplace(replace); })
      .Case([&](pdl::EraseOp) -> LogicalResult {
        return fail(op) << "nothing can be erased: a rule says what is equal";
      })
      .Default([&](Operation *) -> LogicalResult {
        return fail(op) << "'" << op->getName() << "' can't be made";
      });
}

FailureOr<PdlRule> PdlCompiler::compile(bool matchOnly) {
  auto rewrite = cast<pdl::RewriteOp>(pattern.getBodyRegion().front().back());
  for (Operation &op : pattern.getBodyRegion().front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  if (failed(finishMatch(rewrite)))
    return failure();
  if (matchOnly)
    return std::move(rule);
  if (rewrite.getName())
    return fail(rewrite) << "native rewrite '" << *rewrite.getName()
                         << "' of an operation; replace it by what a native "
                            "rewrite of values returns";
  if (!rewrite.getBodyRegion().empty())
    for (Operation &op : rewrite.getBodyRegion().front())
      if (failed(visitRewrite(&op)))
        return failure();
  if (!replaces)
    return fail(rewrite) << "it replaces nothing";
  return std::move(rule);
}

FailureOr<std::vector<PdlRule>> mlir::tensoraccess::compileRules(
    ModuleOp module, const NativeFunctions &functions, bool matchOnly) {
  // Ops are known only once their dialect is loaded.
  MLIRContext *context = module.getContext();
  module.walk([&](pdl::OperationOp op) {
    if (op.getOpName())
      context->getOrLoadDialect(op.getOpName()->split('.').first);
  });
  // Patterns may be in modules of the module.
  SmallVector<pdl::PatternOp> patterns;
  module.walk([&](pdl::PatternOp pattern) { patterns.push_back(pattern); });
  std::vector<PdlRule> rules;
  bool isBroken = false;
  for (auto [number, pattern] : llvm::enumerate(patterns)) {
    FailureOr<PdlRule> rule =
        PdlCompiler(pattern, number, functions).compile(matchOnly);
    if (succeeded(rule))
      rules.push_back(std::move(*rule));
    else
      isBroken = true;
  }
  if (isBroken)
    return failure();
  return std::move(rules);
}
