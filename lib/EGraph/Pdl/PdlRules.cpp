//===- PdlRules.cpp - Rules from PDL, for a match -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiled rule does: its pattern in the symbols of a graph, the checks
// of a match, and the steps of its rewrite. PdlCompiler.cpp makes them.
//
//===----------------------------------------------------------------------===//

#include "PdlChecks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace mlir::tensoraccess {
/// One match of a rule.
class PdlMatch {
public:
  PdlMatch(const PdlRule &rule, TermGraph &graph) : rule(rule), graph(graph) {}

  /// Whether a match passes the checks; sets the handles. What a native
  /// constraint returns and did not declare is refused.
  bool check(const Match &match, RuleRefusals *refusals = nullptr);
  /// Does the steps. False if the table is full.
  bool rewrite(const Match &match, RuleRefusals &refusals);
  /// Does the steps, but adds to `equal` what would be merged. False, and
  /// `problem`, if one is refused.
  bool collect(const Match &match,
               SmallVectorImpl<std::pair<ClassId, ClassId>> &equal,
               std::string &problem);

private:
  using Step = PdlRule::Step;
  enum class Status { Done, Full, Refused, Nothing };

  bool set(unsigned handle, const RuleValue &value);
  bool check(const Step &step, const Match &match);
  /// Whether values are what a native function declared; an error otherwise.
  bool areOfKinds(const Step &step, bool areResults, ArrayRef<RuleValue> given,
                  std::string &problem) const;
  Status make(const Step &step, const Match &match, std::string &problem);
  Status replace(const Step &step, const Match &match, std::string &problem);
  Status run(const Step &step, const Match &match, std::string &problem);
  SmallVector<RuleValue, 4> gather(ArrayRef<unsigned> handles) const {
    SmallVector<RuleValue, 4> result;
    for (unsigned handle : handles)
      result.push_back(values[handle]);
    return result;
  }

  const PdlRule &rule;
  TermGraph &graph;
  std::vector<RuleValue> values;
  /// Of the last check.
  std::string complaint;
  /// Where equal classes are added instead of being merged.
  SmallVectorImpl<std::pair<ClassId, ClassId>> *collected = nullptr;
};
} // namespace mlir::tensoraccess

/// Gives a handle its value; false if it has another.
bool PdlMatch::set(unsigned handle, const RuleValue &value) {
  RuleValue &known = values[handle];
  if (known.kind == RuleValue::Kind::None) {
    known = value;
    return true;
  }
  if (known.kind != value.kind)
    return false;
  switch (known.kind) {
  case RuleValue::Kind::None:
    return true;
  case RuleValue::Kind::Attribute:
    return known.attribute == value.attribute;
  case RuleValue::Kind::Type:
    return known.type == value.type;
  case RuleValue::Kind::Types:
    return known.types == value.types;
  case RuleValue::Kind::Value:
  case RuleValue::Kind::Operation:
    return graph.getTable().find(known.id) == graph.getTable().find(value.id);
  }
  return false;
}

bool PdlMatch::areOfKinds(const Step &step, bool areResults,
                          ArrayRef<RuleValue> given,
                          std::string &problem) const {
  ArrayRef<RuleValue::Kind> kinds =
      areResults ? step.signature.results : step.signature.arguments;
  if (llvm::equal(given, kinds, isOfKind))
    return true;
  SmallVector<StringRef> expected, got;
  for (RuleValue::Kind kind : kinds)
    expected.push_back(describe(kind));
  for (const RuleValue &value : given)
    got.push_back(isOfKind(value, value.kind) ? describe(value.kind)
                                              : StringRef("nothing"));
  problem =
      ("native function '" + step.name.getValue() + "' " +
       (areResults ? "returns (" : "takes (") + llvm::join(expected, ", ") +
       "), got (" + llvm::join(got, ", ") + ")")
          .str();
  return false;
}

bool PdlMatch::check(const Step &step, const Match &match) {
  const SymbolId symbol = match.symbols[step.element];
  switch (step.kind) {
  case Step::Kind::ElementAttribute:
    return set(step.handle, graph.getAttributes(symbol).get(step.name));
  case Step::Kind::ElementType:
    return set(step.handle, graph.getResultTypes(symbol)[step.index]);
  case Step::Kind::ElementTypes:
    return set(step.handle, graph.getResultTypes(symbol));
  case Step::Kind::ClassType: {
    Type type = graph.getType(match.classes[step.element]);
    return type && set(step.handle, type);
  }
  case Step::Kind::AttributeType: {
    auto typed =
        dyn_cast_or_null<TypedAttr>(values[step.operands[0]].attribute);
    return typed && set(step.handle, typed.getType());
  }
  case Step::Kind::Constraint: {
    SmallVector<RuleValue> results;
    SmallVector<RuleValue, 4> arguments = gather(step.operands);
    if (!areOfKinds(step, /*areResults=*/false, arguments, complaint))
      return false;
    if (step.constraint(graph, arguments, results) == step.isNegated)
      return false;
    if (step.isNegated)
      return true;
    if (!areOfKinds(step, /*areResults=*/true, results, complaint))
      return false;
    for (auto [handle, result] : llvm::zip_equal(step.results, results))
      if (!set(handle, result))
        return false;
    return true;
  }
  default:
    llvm_unreachable("a step of the rewrite");
  }
}

bool PdlMatch::check(const Match &match, RuleRefusals *refusals) {
  complaint.clear();
  values = rule.handles;
  for (auto [handle, element] : rule.valueHandles)
    values[handle] = RuleValue::value(match.classes[element]);
  for (auto [handle, element] : rule.nodeHandles)
    values[handle] =
        RuleValue::operation(match.symbols[element], match.classes[element]);
  if (llvm::all_of(rule.checks,
                   [&](const Step &step) { return check(step, match); }))
    return true;
  if (refusals && !complaint.empty() && refusals->count++ == 0)
    refusals->reason = complaint;
  return false;
}

PdlMatch::Status PdlMatch::make(const Step &step, const Match &match,
                                std::string &problem) {
  SmallVector<ClassId, 4> operands;
  for (unsigned handle : step.operands)
    operands.push_back(values[handle].id);
  NamedAttrList attributes;
  for (auto [name, handle] : step.attributes) {
    if (!values[handle].attribute) {
      problem = "attribute " + name.str() + " has no value";
      return Status::Refused;
    }
    attributes.append(name, values[handle].attribute);
  }
  SmallVector<Type, 2> types;
  for (unsigned handle : step.types) {
    if (values[handle].kind == RuleValue::Kind::Types)
      llvm::append_range(types, values[handle].types);
    else if (values[handle].type)
      types.push_back(values[handle].type);
    else {
      problem = "a result of '" + step.operation->getStringRef().str() +
                "' has no type";
      return Status::Refused;
    }
  }
  if (step.typesOf)
    llvm::append_range(types, graph.getTypes(match.classes[*step.typesOf]));
  std::optional<ArrayRef<Type>> resultTypes;
  if (!step.isInferred)
    resultTypes = types;
  std::optional<ClassId> id =
      graph.add(*step.operation, attributes.getDictionary(graph.getContext()),
                operands, resultTypes, &problem);
  if (!id)
    return graph.isFull() ? Status::Full : Status::Refused;
  values[step.handle] = RuleValue::operation(0, *id);
  return Status::Done;
}

PdlMatch::Status PdlMatch::replace(const Step &step, const Match &match,
                                   std::string &problem) {
  const ClassId root = match.classes[step.element];
  auto merge = [&](ClassId a, ClassId b) {
    if (collected) {
      collected->push_back({a, b});
      return Status::Done;
    }
    return graph.merge(a, b, &problem) == TermGraph::MergeResult::Refused
               ? Status::Refused
               : Status::Done;
  };
  if (step.byOperation)
    return merge(root, values[step.operands.front()].id);
  const size_t count = graph.getTypes(root).size();
  if (count != step.operands.size()) {
    problem = std::to_string(count) + " results can't be replaced by " +
              std::to_string(step.operands.size()) + " values";
    return Status::Refused;
  }
  for (auto [i, handle] : llvm::enumerate(step.operands)) {
    std::optional<ClassId> result = graph.getResult(root, i);
    if (!result)
      return Status::Full;
    if (Status status = merge(*result, values[handle].id);
        status != Status::Done)
      return status;
  }
  return Status::Done;
}

PdlMatch::Status PdlMatch::run(const Step &step, const Match &match,
                               std::string &problem) {
  switch (step.kind) {
  case Step::Kind::Make:
    return make(step, match, problem);
  case Step::Kind::Replace:
    return replace(step, match, problem);
  case Step::Kind::Result:
  case Step::Kind::Results: {
    const ClassId id = values[step.operands.front()].id;
    const size_t count = graph.getTypes(id).size();
    if (step.kind == Step::Kind::Results ? count != 1 : step.index >= count) {
      problem = step.kind == Step::Kind::Results
                    ? std::to_string(count) + " results are not a single value"
                    : "there is no result " + std::to_string(step.index);
      return Status::Refused;
    }
    std::optional<ClassId> result = graph.getResult(id, step.index);
    if (!result)
      return Status::Full;
    values[step.handle] = RuleValue::value(*result);
    return Status::Done;
  }
  case Step::Kind::Rewrite: {
    SmallVector<RuleValue> results;
    SmallVector<RuleValue, 4> arguments = gather(step.operands);
    if (!areOfKinds(step, /*areResults=*/false, arguments, problem))
      return Status::Refused;
    if (!step.rewrite(graph, arguments, results, problem))
      return graph.isFull()    ? Status::Full
             : problem.empty() ? Status::Nothing
                               : Status::Refused;
    if (!areOfKinds(step, /*areResults=*/true, results, problem))
      return Status::Refused;
    for (auto [handle, result] : llvm::zip_equal(step.results, results))
      values[handle] = result;
    return Status::Done;
  }
  default:
    llvm_unreachable("a check");
  }
}

bool PdlMatch::rewrite(const Match &match, RuleRefusals &refusals) {
  std::string problem;
  for (const Step &step : rule.rewrites) {
    switch (run(step, match, problem)) {
    case Status::Done:
      continue;
    case Status::Full:
      return false;
    case Status::Nothing:
      return true;
    case Status::Refused:
      if (refusals.count++ == 0)
        refusals.reason = problem;
      return true;
    }
  }
  ++refusals.completed;
  return true;
}

bool PdlMatch::collect(const Match &match,
                       SmallVectorImpl<std::pair<ClassId, ClassId>> &equal,
                       std::string &problem) {
  collected = &equal;
  const bool isDone =
      check(match) && llvm::all_of(rule.rewrites, [&](const Step &step) {
        return run(step, match, problem) == Status::Done;
      });
  collected = nullptr;
  return isDone;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

MatchProgram PdlRule::compileFor(TermGraph &graph) const {
  Pattern pattern;
  for (const Element &element : elements) {
    switch (element.kind) {
    case Element::Kind::Variable:
      pattern.addVariable();
      break;
    case Element::Kind::Result:
      pattern.addNode(
          std::make_shared<SymbolSet>([&graph, &element](SymbolId symbol) {
            return graph.getKind(symbol) == TermGraph::SymbolKind::Projection &&
                   graph.getIndex(symbol) == element.index;
          }),
          element.operands);
      break;
    case Element::Kind::Operation:
      auto accepts = [&graph, &element](SymbolId symbol) {
        if (!graph.isOperation(symbol) ||
            graph.getTable().getArity(symbol) != element.operands.size() ||
            (element.name && graph.getName(symbol) != *element.name))
          return false;
        ArrayRef<Type> types = graph.getResultTypes(symbol);
        if (element.numResults && types.size() != *element.numResults)
          return false;
        for (auto [expected, type] : llvm::zip(element.resultTypes, types))
          if (expected && expected != type)
            return false;
        return llvm::all_of(element.attributes, [&](auto &attribute) {
          Attribute value = graph.getAttributes(symbol).get(attribute.first);
          return value && (!attribute.second || attribute.second == value);
        });
      };
      pattern.addNode(std::make_shared<SymbolSet>(accepts), element.operands);
      break;
    }
  }
  for (unsigned root : roots)
    pattern.addRoot(root);
  std::string problem;
  std::optional<MatchProgram> program = MatchProgram::compile(pattern, problem);
  assert(program && "the compiler checked the pattern");
  return std::move(*program);
}

TableRule PdlRule::instantiate(TermGraph &graph, RuleRefusals &refusals) const {
  auto state = std::make_shared<PdlMatch>(*this, graph);
  return {name, compileFor(graph),
          [state, &refusals](const Match &match, NodeTable &) {
            return !state->check(match, &refusals) ||
                   state->rewrite(match, refusals);
          },
          llvm::any_of(rewrites, [](const Step &step) {
            return step.kind == Step::Kind::Rewrite;
          })};
}

void PdlRule::match(TermGraph &graph,
                    llvm::function_ref<bool(ClassId)> found) const {
  PdlMatch state(*this, graph);
  NodeTable &table = graph.getTable();
  if (!table.hasSnapshot()) {
    table.rebuild();
    table.takeSnapshot();
  }
  compileFor(graph).run(table, [&](const Match &match) {
    return !state.check(match) || found(match.classes[roots.front()]);
  });
}

bool PdlRule::check(TermGraph &graph, const PdlInstance &instance) const {
  return PdlMatch(*this, graph).check({instance.classes, instance.symbols});
}

std::optional<SmallVector<std::pair<ClassId, ClassId>, 1>>
PdlRule::replace(TermGraph &graph, const PdlInstance &instance,
                 std::string &problem) const {
  SmallVector<std::pair<ClassId, ClassId>, 1> equal;
  if (!PdlMatch(*this, graph)
           .collect({instance.classes, instance.symbols}, equal, problem) ||
      equal.empty())
    return std::nullopt;
  return equal;
}

SmallVector<Type> PdlRule::getNamedTypes() const {
  llvm::SetVector<Type> types;
  for (const Element &element : elements)
    types.insert_range(llvm::make_filter_range(
        element.resultTypes, [](Type type) { return bool(type); }));
  for (const RuleValue &value : handles)
    if (value.kind == RuleValue::Kind::Type)
      types.insert(value.type);
  return SmallVector<Type>(types.getArrayRef());
}

SmallVector<std::pair<OperationName, SmallVector<StringAttr, 2>>>
PdlRule::getMatched() const {
  SmallVector<std::pair<OperationName, SmallVector<StringAttr, 2>>> matched;
  for (const Element &element : elements) {
    if (element.kind != Element::Kind::Operation || !element.name)
      continue;
    auto &open =
        matched.emplace_back(*element.name, SmallVector<StringAttr, 2>())
            .second;
    for (auto [name, constant] : element.attributes)
      if (!constant)
        open.push_back(name);
  }
  return matched;
}

/// Which two terms rules made equal that can't be, and which rules.
static std::string describeConflict(const TermGraph &graph,
                                    ArrayRef<TableRule> rules,
                                    const SaturationStatistics &statistics) {
  std::string text = graph.getConflict()
                         ? graph.getConflict()->why
                         : graph.getTable().getContradiction()->why;
  std::string blamed, applied;
  unsigned others = 0;
  for (auto [rule, counts] : llvm::zip_equal(rules, statistics.rules)) {
    if (counts.refused != 0 && counts.refusal == text && blamed.empty())
      blamed = ", said by rule '" + rule.name + "'";
    if (counts.applied == 0)
      continue;
    if (applied.size() < 200)
      applied += (applied.empty() ? "" : ", ") + rule.name;
    else
      ++others;
  }
  text += blamed;
  if (!applied.empty())
    text += "; rules that were applied: " + applied;
  if (others != 0)
    text += " and " + std::to_string(others) + " more";
  return text;
}

SaturationStatistics
mlir::tensoraccess::saturate(TermGraph &graph, ArrayRef<PdlRule> rules,
                             const SaturationOptions &options,
                             std::vector<TableRule> others) {
  std::vector<RuleRefusals> refusals(rules.size());
  std::vector<TableRule> tableRules;
  for (auto [rule, refusal] : llvm::zip_equal(rules, refusals))
    tableRules.push_back(rule.instantiate(graph, refusal));
  std::move(others.begin(), others.end(), std::back_inserter(tableRules));
  SaturationOptions left = options;
  const size_t contradictions = graph.getTable().getNumContradictions();
  graph.foldAll();
  SaturationStatistics sum = saturate(graph.getTable(), tableRules, left);
  auto foldMore = [&] {
    NodeTable &table = graph.getTable();
    const size_t mostNodes = table.setMostNodes(options.limits.nodes);
    const bool isChanged = graph.foldAll();
    if (table.isFullOfNodes())
      sum.reason = StopReason::Nodes;
    table.setMostNodes(mostNodes);
    return isChanged && sum.reason == StopReason::Saturated;
  };
  while (sum.reason == StopReason::Saturated && foldMore()) {
    uint64_t matches = 0;
    for (const RuleStatistics &rule : sum.rules)
      matches += rule.matches;
    left.limits.matches = options.limits.matches - matches;
    left.limits.iterations = options.limits.iterations - sum.iterations;
    left.limits.seconds = options.limits.seconds - sum.seconds;
    if (left.limits.iterations == 0 || left.limits.matches == 0 ||
        left.limits.seconds <= 0) {
      sum.reason = left.limits.iterations == 0 ? StopReason::Iterations
                   : left.limits.matches == 0  ? StopReason::Matches
                                               : StopReason::Time;
      break;
    }
    add(sum, saturate(graph.getTable(), tableRules, left));
  }
  for (auto [rule, refusal] : llvm::zip(sum.rules, refusals)) {
    rule.refused += refusal.count;
    rule.completed += refusal.completed;
    if (rule.refusal.empty())
      rule.refusal = refusal.reason;
  }
  const bool isContradicted =
      graph.getTable().getNumContradictions() != contradictions;
  if (isContradicted)
    sum.reason = StopReason::Contradiction;
  // Constants that are not a conflict to the graph differ by rounding.
  const auto &conflict = graph.getConflict();
  if (conflict ||
      (isContradicted && !StringRef(graph.getTable().getContradiction()->why)
                              .starts_with("the constant ")))
    sum.contradiction = describeConflict(graph, tableRules, sum);
  sum.isOfFloats = conflict && conflict->isOfFloats;
  sum.nodes = graph.getTable().getNumNodes();
  sum.classes = graph.getTable().getNumClasses();
  return sum;
}
