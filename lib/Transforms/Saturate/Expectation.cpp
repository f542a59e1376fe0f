//===- Expectation.cpp - What is asked of a saturated graph ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is expected by name, or is the only one of its file. Its terms are
// looked up over the arguments of the saturated one, or, where terms have
// normal forms, put into the graph, and the rules find what they equal.
//
// A pattern is asked in three steps; the first that finds it answers:
//
//   1. nodes of the graph that match;
//   2. where terms have normal forms, the terms that the pattern stands for
//      (PdlRule::makeInstances) over the classes that were there: a term is
//      found where its class was there, or where it is a view of such classes,
//      since movement terms are in the graph as what they mean, and not as they
//      are spelled;
//   3. the same after the rules have found what these terms equal.
//
// A variable is any class, or such a class read with its dimensions split into
// access and compute dimensions elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Expectation.h"

#include "Explanation.h"
#include "ReplacedTerms.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

LogicalResult Expectation::read(MLIRContext *context, StringRef file,
                                const PdllOptions &pdll) {
  path = file.str();
  module = readRules(context, file, pdll);
  if (!module)
    return failure();
  auto found = compileRules(*module, getNativeFunctions(), /*matchOnly=*/true);
  if (failed(found))
    return failure();
  patterns = std::move(*found);
  answers.resize(patterns.size(), Answer::No);
  if (patterns.empty() && module->getOps<FunctionOpInterface>().empty())
    return module->emitError("neither a function nor a pattern to expect");
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The class of a value of the block; std::nullopt if no term uses it.
static std::optional<ClassId> findClass(const SaturatedBlock &saturated,
                                        Value value) {
  auto it = saturated.terms.classes.find(value);
  if (it == saturated.terms.classes.end())
    return std::nullopt;
  return saturated.graph.getTable().find(it->second);
}

FunctionOpInterface Expectation::find(FunctionOpInterface function) const {
  FunctionOpInterface expected;
  unsigned count = 0;
  for (auto other : module.get().getOps<FunctionOpInterface>()) {
    if (count++ == 0 || other.getName() == function.getName())
      expected = other;
  }
  if (expected && expected.getName() != function.getName() &&
      (count != 1 ||
       function->getParentOfType<ModuleOp>().lookupSymbol(expected.getName())))
    return {};
  return expected;
}

/// Writes down why the results are those of the expected function.
void Expectation::explain(FunctionOpInterface function,
                          FunctionOpInterface expected,
                          const SaturatedBlock &saturated,
                          ExplanationWriter &writer) {
  TermGraph &graph = saturated.graph;
  Explainer &explainer = *saturated.explainer;
  Block &body = expected.getFunctionBody().front();
  auto makeLeaf = [&](Value value) {
    return explainer.makeTerm(graph.getLeafSymbol(value), {});
  };
  llvm::DenseMap<Value, TermId> known;
  for (auto [own, other] : llvm::zip_equal(
           function.getFunctionBody().getArguments(), body.getArguments()))
    known[other] = makeLeaf(own);
  SmallVector<Operation *> ops;
  for (Operation &op : body)
    if (becomesNode(&op, saturated.isNode))
      ops.push_back(&op);
  auto terms = makeOwnTerms(graph, explainer, saturated.terms.terms),
       others = makeOwnTerms(graph, explainer, ops, std::move(known));
  std::vector<ReplacedTerms::Replaced> results;
  for (auto [i, own, other] :
       llvm::enumerate(saturated.block.getTerminator()->getOperands(),
                       body.getTerminator()->getOperands())) {
    auto from = terms.find(own), to = others.find(other);
    results.push_back({from == terms.end() ? makeLeaf(own) : from->second,
                       to == others.end() ? makeLeaf(other) : to->second,
                       int64_t(i)});
  }
  writer.add(function, {saturated, std::move(results)}, ".expected");
}

LogicalResult Expectation::checkFunction(FunctionOpInterface function,
                                         const SaturatedBlock &saturated,
                                         ExplanationWriter *writer) {
  FunctionOpInterface expected = find(function);
  if (!expected)
    return success();
  isChecked = true;
  auto typeOf = [](FunctionOpInterface f) {
    return FunctionType::get(f.getContext(), f.getArgumentTypes(),
                             f.getResultTypes());
  };
  if (typeOf(expected) != typeOf(function))
    return function.emitError()
           << "'" << path
           << "' expects a function of another type: " << typeOf(expected)
           << ", not " << typeOf(function);
  if (expected.isExternal() ||
      !llvm::hasSingleElement(expected.getFunctionBody()) ||
      !llvm::hasSingleElement(function.getFunctionBody()))
    return function.emitError()
           << "'" << path << "' expects a function of one block";
  TermGraph &graph = saturated.graph;
  llvm::DenseMap<Value, ClassId> known;
  Block &body = expected.getFunctionBody().front();
  for (auto [own, other] : llvm::zip_equal(
           function.getFunctionBody().getArguments(), body.getArguments()))
    if (std::optional<ClassId> id = findClass(saturated, own))
      known[other] = *id;
  auto classes = lookupBlock(graph, body, known, saturated.isNode);
  // Terms that have normal forms are in the graph as these: put them in, and
  // let rules find what they equal.
  if (hasTheories) {
    for (auto [own, other] : llvm::zip_equal(
             function.getFunctionBody().getArguments(), body.getArguments()))
      if (std::optional<ClassId> leaf = graph.addLeaf(own))
        known[other] = *leaf;
    if (std::optional<TermBlock> read =
            importBlock(graph, body, saturated.isNode, &known)) {
      graph.getTable().rebuild();
      saturated.saturateAgain();
      classes = std::move(read->classes);
    }
  }
  for (auto [i, own, other] :
       llvm::enumerate(saturated.block.getTerminator()->getOperands(),
                       body.getTerminator()->getOperands())) {
    // An argument that no term uses is in no graph.
    auto argument = dyn_cast<BlockArgument>(own);
    auto otherArgument = dyn_cast<BlockArgument>(other);
    if (argument && otherArgument &&
        argument.getArgNumber() == otherArgument.getArgNumber())
      continue;
    std::optional<ClassId> id = findClass(saturated, own);
    auto it = classes.find(other);
    if (id && it != classes.end() && graph.getTable().find(it->second) == *id)
      continue;
    return function.emitError()
           << "result " << i << " does not equal what '" << path
           << "' expects, "
           << (it == classes.end() ? "which is not in the graph"
                                   : "which is in another class")
           << " (" << describe(saturated.statistics.reason) << ")";
  }
  remark::analysis(function.getLoc(), remarkOptions("expect", function))
      << remark::add("{0}", "the results equal what is expected");
  if (writer && saturated.explainer)
    explain(function, expected, saturated, *writer);
  return success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Patterns in one graph.
class Expectation::PatternSearch {
public:
  PatternSearch(const SaturatedBlock &saturated, Place place)
      : saturated(saturated), graph(saturated.graph), place(place),
        end(graph.getTable().getEnd()) {
    for (Value value : saturated.block.getTerminator()->getOperands())
      results.push_back(value);
  }

  struct Found {
    uint64_t matches = 0;
    /// The first one's class, a result that it equals, or -1, and how it is
    /// there.
    ClassId id = 0;
    int64_t result = -1;
    StringRef how;
  };

  Answer find(const PdlRule &pattern, bool hasTheories, Found &found) {
    graph.getTable().rebuild();
    graph.getTable().takeSnapshot();
    pattern.match(graph, [&](ClassId id) {
      note(id, "the pattern is in the graph", found);
      return true;
    });
    if (isEnough(found) || !hasTheories)
      return isEnough(found) ? Answer::Yes : Answer::No;
    collectMaterial();
    PdlMaterial material{classes, rootTypes};
    std::optional<std::vector<PdlInstance>> instances =
        pattern.makeInstances(graph, material);
    graph.getTable().rebuild();
    if (!instances)
      return Answer::Unknown;
    for (bool isAgain : {false, true}) {
      if (isAgain && !instances->empty())
        saturated.saturateAgain();
      collectOld();
      for (const PdlInstance &instance : *instances)
        if (pattern.check(graph, instance))
          note(instance.classes[pattern.getRoot()],
               "a term of the pattern equals one in the graph", found);
      if (isEnough(found))
        return Answer::Yes;
    }
    return Answer::No;
  }

private:
  bool isEnough(const Found &found) const {
    return place == Place::Results ? found.result >= 0 : found.matches != 0;
  }

  /// A result of the function that is the class, as a tensor or as the access
  /// pattern that it is made of.
  int64_t findResult(ClassId id) {
    for (auto [r, value] : llvm::enumerate(results)) {
      Operation *op = value.getDefiningOp();
      for (Value of :
           {value,
            isa_and_present<ToTensorOp>(op) ? op->getOperand(0) : Value()})
        if (of)
          if (std::optional<ClassId> known = findClass(saturated, of))
            if (*known == graph.getTable().find(id))
              return r;
    }
    return -1;
  }

  /// Notes a term, if it is there.
  void note(ClassId id, StringRef how, Found &found) {
    id = graph.getTable().find(id);
    const int64_t result = findResult(id);
    if (!old.empty() && !old.contains(id)) {
      if (place == Place::Results || !isView(id))
        return;
      how = "a term of the pattern is a view of what is in the graph";
    }
    if (found.matches++ == 0 || (found.result < 0 && result >= 0)) {
      found.id = id;
      found.result = result;
      found.how = how;
    }
  }

  /// Whether, by a normal form, the class is made of old classes.
  bool isView(ClassId id) const {
    const NodeTable &table = graph.getTable();
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node)) {
      if (table.isDead(node) || table.find(node) != id ||
          graph.getKind(table.getSymbol(node)) != TermGraph::SymbolKind::Theory)
        continue;
      bool isOld = true;
      for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
        isOld &= old.contains(table.find(table.getOperand(node, i)));
      if (isOld)
        return true;
    }
    return false;
  }

  /// The classes that were there before any pattern was asked for, by the names
  /// that they have now.
  void collectOld() {
    const NodeTable &table = graph.getTable();
    old.clear();
    for (NodeId node = table.getBegin(); node != end;
         node = table.getNext(node))
      old.insert(table.find(node));
  }

  /// Of what terms may be made.
  void collectMaterial() {
    if (!classes.empty())
      return;
    const NodeTable &table = graph.getTable();
    llvm::SetVector<ClassId> there;
    for (NodeId node = table.getBegin(); node != end;
         node = table.getNext(node))
      if (!table.isDead(node) && graph.getType(node))
        there.insert(table.find(node));
    MLIRContext *context = graph.getContext();
    OperationName toTensor(ToTensorOp::getOperationName(), context),
        access(AccessOp::getOperationName(), context);
    auto axis = StringAttr::get(context, "axis");
    for (ClassId id : there) {
      classes.push_back(id);
      auto type = dyn_cast<AccessType>(graph.getType(id));
      std::optional<ClassId> tensor =
          type ? graph.add(toTensor, DictionaryAttr::get(context), {id},
                           std::nullopt)
               : std::nullopt;
      for (int64_t split = 0; tensor && split <= type.getRank(); ++split) {
        if (split == type.getAccessRank())
          continue;
        NamedAttribute at(
            axis, IntegerAttr::get(IntegerType::get(context, 64), split));
        if (auto view = graph.add(access, DictionaryAttr::get(context, {at}),
                                  {*tensor}, std::nullopt))
          classes.push_back(*view);
      }
    }
    graph.getTable().rebuild();
    llvm::SetVector<ClassId> unique;
    for (ClassId id : classes)
      unique.insert(table.find(id));
    classes.assign(unique.begin(), unique.end());
    if (place == Place::Anywhere)
      return;
    for (Value value : results) {
      rootTypes.push_back(value.getType());
      if (auto op = value.getDefiningOp<ToTensorOp>())
        rootTypes.push_back(op->getOperand(0).getType());
    }
  }

  const SaturatedBlock &saturated;
  TermGraph &graph;
  Place place;
  NodeId end;
  SmallVector<Value> results;
  llvm::DenseSet<ClassId> old;
  SmallVector<ClassId, 0> classes;
  SmallVector<Type> rootTypes;
};

LogicalResult Expectation::check(FunctionOpInterface function,
                                 const SaturatedBlock &saturated,
                                 ExplanationWriter *writer) {
  if (saturated.block.getParentOp() != function)
    return success();
  if (patterns.empty())
    return checkFunction(function, saturated, writer);
  if (saturated.statistics.reason != StopReason::Saturated)
    reason = saturated.statistics.reason;
  PatternSearch search(saturated, place);
  for (auto [pattern, answer] : llvm::zip_equal(patterns, answers)) {
    PatternSearch::Found found;
    const Answer here = search.find(pattern, hasTheories, found);
    answer = std::max(answer, here);
    if (here != Answer::Yes)
      continue;
    std::string type;
    llvm::raw_string_ostream(type) << saturated.graph.getType(found.id);
    remark::analysis(function.getLoc(), remarkOptions("expect", function))
        << remark::add("{0}", found.how)
        << remark::metric("Pattern", pattern.getName())
        << remark::metric("Matches", found.matches)
        << remark::metric("Result", found.result)
        << remark::metric("Type", type);
  }
  return success();
}

LogicalResult Expectation::finish(ModuleOp checked) const {
  if (patterns.empty() && !isChecked)
    return checked.emitError()
           << "'" << path << "' expects none of the functions";
  for (auto [pattern, answer] : llvm::zip_equal(patterns, answers)) {
    if (answer == Answer::Yes)
      continue;
    if (answer == Answer::Unknown)
      return checked.emitError()
             << "whether pattern '" << pattern.getName() << "' of '" << path
             << "' is in a graph is unknown: it stands for too many terms";
    return checked.emitError()
           << "pattern '" << pattern.getName() << "' of '" << path << "' is in "
           << (place == Place::Results ? "no result" : "no graph") << " ("
           << describe(reason) << ")";
  }
  return success();
}
