//===- CheckExplanation.cpp - Replays an explanation ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is no search:
//
//   1. The explanation's terms are put into a graph of their own, which brings
//      movement into normal form and folds, and knows no more.
//   2. Step by step, a rule is applied at the place of the step, and nowhere else;
//      then the step's two terms must be equal. So are those of a step that
//      claims what follows from the steps before.
//   3. Of a function, the results must be the first or the last terms before
//      any step is done.
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"

#include "TensorAccess/IR/AccessForm.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isStep(Operation *op) {
  return op->getName().getDialectNamespace() == "explain";
}

namespace {

class Replay {
public:
  Replay(func::FuncOp explanation, const TermSaturationOptions &options)
      : explanation(explanation), options(options),
        graph(explanation.getContext()) {}

  LogicalResult run(FunctionOpInterface function, FunctionOpInterface other);

private:
  LogicalResult checkFunction(FunctionOpInterface function);
  LogicalResult applyRule(Operation *step, unsigned first);
  LogicalResult checkMaps(Operation *step);
  LogicalResult check(Operation *step);

  ClassId classOf(Value value) {
    return graph.getTable().find(terms.classes.find(value)->second);
  }
  /// Whether a class of the match is that of a value, or of its op's results.
  bool isClassOf(ClassId id, Value value) {
    id = graph.getTable().find(id);
    if (id == classOf(value))
      return true;
    auto node = terms.nodes.find(value.getDefiningOp());
    return node != terms.nodes.end() &&
           graph.getTable().find(node->second) == id;
  }
  bool areEqual(Operation *step) {
    return classOf(step->getOperand(0)) == classOf(step->getOperand(1));
  }

  func::FuncOp explanation;
  const TermSaturationOptions &options;
  TermGraph graph;
  TermBlock terms;
  std::vector<TableRule> rules;
  std::vector<RuleRefusals> refusals;
};

} // namespace

LogicalResult Replay::applyRule(Operation *step, unsigned first) {
  auto name = step->getAttrOfType<StringAttr>("name");
  if (!name)
    return step->emitError("a rule without a name");
  ValueRange elements = step->getOperands().drop_front(first);
  bool isKnown = false, isApplied = false;
  for (const TableRule &rule : rules) {
    if (rule.name != name.getValue())
      continue;
    isKnown = true;
    if (rule.program.getElements().size() != elements.size())
      continue;
    graph.getTable().takeSnapshot();
    rule.program.run(graph.getTable(), [&](const Match &match) {
      for (auto [id, value] : llvm::zip_equal(match.classes, elements))
        if (!isClassOf(id, value))
          return true;
      isApplied = true;
      return rule.apply(match, graph.getTable());
    });
    graph.foldAll();
    graph.getTable().rebuild();
  }
  if (!isKnown)
    return step->emitError() << "there is no rule " << name;
  if (!isApplied)
    return step->emitError()
           << "rule " << name << " does not match these terms";
  return success();
}

LogicalResult Replay::checkMaps(Operation *step) {
  constexpr StringRef kAttributes[] = {"from", "to"};
  for (auto [value, which] : llvm::zip(step->getOperands(), kAttributes)) {
    auto said = step->getAttrOfType<StringAttr>(which);
    if (!AccessForms::hasForm(value))
      return step->emitError()
             << "a term of type " << value.getType() << " has no map";
    const std::string map = getAccessForm(value).access.str();
    if (!said || said.getValue() != map)
      return step->emitError()
             << "the map '" << which << "' is " << map << ", not " << said;
  }
  return success();
}

LogicalResult Replay::check(Operation *step) {
  StringRef name = step->getName().stripDialect();
  if (name == "apply")
    return applyRule(step, 0);
  if (step->getNumOperands() < 2)
    return step->emitError("a step needs two terms");
  if (name == "rule" && failed(applyRule(step, 2)))
    return failure();
  if (name == "maps" && failed(checkMaps(step)))
    return failure();
  if (name != "rule" && name != "maps" && name != "fold" &&
      name != "operands" && name != "lemma" && name != "equal")
    return step->emitError() << "there is no step '" << name << "'";
  if (areEqual(step))
    return success();
  if (name == "rule")
    return step->emitError() << "rule " << step->getAttr("name")
                             << " does not make these terms equal";
  if (name == "maps")
    return step->emitError("these terms have different maps");
  return step->emitError("nothing said so far makes these terms equal");
}

LogicalResult Replay::checkFunction(FunctionOpInterface function) {
  Block &block = function.getFunctionBody().front();
  llvm::DenseMap<Value, ClassId> known;
  SmallVector<Value> leaves;
  for (Operation &op : block)
    if (!becomesNode(&op, options.isNode))
      llvm::append_range(leaves, op.getResults());
  for (auto [i, argument] : llvm::enumerate(explanation.getArguments())) {
    Value own;
    if (auto leaf =
            explanation.getArgAttrOfType<IntegerAttr>(i, "explain.leaf"))
      own =
          leaf.getValue().ult(leaves.size()) ? leaves[leaf.getInt()] : Value();
    else if (i < block.getNumArguments())
      own = block.getArgument(i);
    if (!own || own.getType() != argument.getType())
      return explanation.emitError()
             << "argument " << i << " of the explanation is not a value of @"
             << function.getName();
    if (std::optional<ClassId> id = graph.addLeaf(argument))
      known[own] = *id;
  }
  std::optional<TermBlock> own =
      importBlock(graph, block, options.isNode, &known);
  graph.getTable().rebuild();
  if (!own)
    return explanation.emitError("the graph is full");
  for (Operation &step : explanation.front()) {
    auto result = step.getAttrOfType<IntegerAttr>("result");
    if (step.getName().getStringRef() != "explain.equal" || !result)
      continue;
    if (!result.getValue().ult(block.getTerminator()->getNumOperands()))
      return step.emitError() << "there is no result " << result.getInt()
                              << " of @" << function.getName();
    auto it =
        own->classes.find(block.getTerminator()->getOperand(result.getInt()));
    const bool isThere =
        it != own->classes.end() &&
        llvm::any_of(step.getOperands(), [&](Value value) {
          return classOf(value) == graph.getTable().find(it->second);
        });
    if (!isThere)
      return step.emitError()
             << "result " << result.getInt() << " of @" << function.getName()
             << " is neither of these terms";
  }
  return success();
}

LogicalResult Replay::run(FunctionOpInterface function,
                          FunctionOpInterface other) {
  if (options.prepare)
    options.prepare(graph);
  refusals.resize(options.rules.size());
  for (auto [rule, refusal] : llvm::zip_equal(options.rules, refusals))
    rules.push_back(rule.instantiate(graph, refusal));
  if (options.makeRules)
    llvm::append_range(rules, options.makeRules(graph));
  if (!llvm::hasSingleElement(explanation.getBody()))
    return explanation.emitError("an explanation has one block");
  std::optional<TermBlock> read =
      importBlock(graph, explanation.front(), [&](Operation *op) {
        return !isStep(op) && options.isNode(op);
      });
  if (!read)
    return explanation.emitError("the graph is full");
  terms = std::move(*read);
  // Arguments that no term uses.
  for (Operation &op : explanation.front())
    for (Value operand : op.getOperands())
      if (!terms.classes.contains(operand))
        if (std::optional<ClassId> id = graph.addLeaf(operand))
          terms.classes[operand] = *id;
  graph.getTable().rebuild();
  graph.foldAll();
  for (FunctionOpInterface of : {function, other})
    if (of && !explanation->hasAttr("explain.nested") &&
        failed(checkFunction(of)))
      return failure();
  unsigned claims = 0;
  for (Operation &op : explanation.front()) {
    if (!isStep(&op))
      continue;
    claims += op.getName().getStringRef() == "explain.equal";
    if (failed(check(&op)))
      return failure();
  }
  if (claims == 0)
    return explanation.emitError("an explanation of nothing");
  return success();
}

LogicalResult mlir::tensoraccess::checkExplanation(
    func::FuncOp explanation, FunctionOpInterface function,
    const TermSaturationOptions &options, FunctionOpInterface other) {
  return Replay(explanation, options).run(function, other);
}
