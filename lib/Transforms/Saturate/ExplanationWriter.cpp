//===- ExplanationWriter.cpp - Why what was replaced is equal -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the lemmas of an Explainer to a program:
//
//   1. Each term becomes an op over the ops of its operands, leaves arguments.
//   A
//      view becomes the ops that it is built of, or the op that it is the
//      normal form of.
//   2. Each step of a lemma becomes an op on the two terms, unless they are the
//      same op by now. A lemma of several steps is repeated at its end.
//   3. Ops that are equal become one.
//   4. The function is checked at once (CheckExplanation.cpp). A rule that
//      looks at what classes mean may rest on equalities that no lemma names.
//      Then all applications of rules are written down, in their order, without
//      claims, and those that the check does not miss are taken out again.
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"

#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

/// How many ops are replayed to see which applications are missed.
static constexpr size_t kMaxReplayed = 50000;

namespace {

/// One function.
class FunctionWriter {
public:
  FunctionWriter(const ReplacedTerms &replaced, func::FuncOp function,
                 llvm::function_ref<bool(Operation *)> isNode)
      : replaced(replaced), isNode(isNode), explainer(*replaced.of.explainer),
        graph(replaced.of.graph), function(function),
        builder(OpBuilder::atBlockEnd(function.addEntryBlock())) {
    for (auto [own, argument] :
         llvm::zip(replaced.of.block.getArguments(), function.getArguments()))
      leaves[own] = argument;
    collectPartners();
  }

  /// False if a term can't be written, or nothing makes two terms equal.
  bool writeLemmas();
  /// All applications of rules, and what follows.
  bool writeApplications();

private:
  void collectPartners();
  Value findLeaf(Value leaf);
  /// The values of a term's op; empty if none exists.
  ArrayRef<Value> write(TermId term);
  SmallVector<Value, 1> writeNode(const Explainer::Term &term);
  bool step(StringRef name, TermId from, TermId to,
            ArrayRef<NamedAttribute> attributes = {},
            ArrayRef<TermId> elements = {});
  bool equation(size_t number);
  bool finish();
  bool isView(TermId term) const {
    return graph.getKind(explainer.getTerm(term).symbol) ==
           TermGraph::SymbolKind::Theory;
  }
  NamedAttribute text(StringRef name, StringRef value) {
    return builder.getNamedAttr(name, builder.getStringAttr(value));
  }

  const ReplacedTerms &replaced;
  llvm::function_ref<bool(Operation *)> isNode;
  const Explainer &explainer;
  TermGraph &graph;
  func::FuncOp function;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> leaves;
  /// Of views, ops that mean the same.
  llvm::DenseMap<TermId, TermId> partners;
  llvm::DenseMap<TermId, SmallVector<Value, 1>> written;
  std::map<std::pair<SymbolId, std::vector<void *>>, SmallVector<Value, 1>> ops;
  std::set<size_t> equations;
};

} // namespace

void FunctionWriter::collectPartners() {
  for (size_t i = 0; i != explainer.getNumEquations(); ++i) {
    const Explainer::Equation &e = explainer.getEquation(i);
    if (e.rule)
      continue;
    for (auto [view, op] : {std::pair(e.a, e.b), std::pair(e.b, e.a)})
      if (isView(view) && !isView(op))
        partners.try_emplace(view, op);
  }
}

Value FunctionWriter::findLeaf(Value leaf) {
  auto [it, isNew] = leaves.try_emplace(leaf);
  if (!isNew)
    return it->second;
  const unsigned number = function.getNumArguments();
  // What the block's ops that are not terms return is numbered in their order.
  // Terms that are made for others may be there by now.
  DictionaryAttr attributes;
  unsigned count = 0;
  for (Operation &op : replaced.of.block) {
    if (becomesNode(&op, isNode))
      continue;
    for (Value result : op.getResults()) {
      if (result == leaf)
        attributes = builder.getDictionaryAttr(builder.getNamedAttr(
            "explain.leaf", builder.getI64IntegerAttr(count)));
      ++count;
    }
  }
  (void)function.insertArgument(number, leaf.getType(), attributes,
                                leaf.getLoc());
  return leaves[leaf] = function.getArgument(number);
}

ArrayRef<Value> FunctionWriter::write(TermId root) {
  enum Stage { Open, OperandsAreThere, PartnerIsThere };
  SmallVector<std::pair<TermId, Stage>> stack = {{root, Open}};
  llvm::DenseSet<TermId> open;
  while (!stack.empty()) {
    auto [term, stage] = stack.pop_back_val();
    if (written.contains(term))
      continue;
    const Explainer::Term &value = explainer.getTerm(term);
    auto partner = partners.find(term);
    if (stage == Open) {
      open.insert(term);
      stack.push_back({term, OperandsAreThere});
      for (TermId operand : llvm::reverse(value.operands))
        stack.push_back({operand, Open});
      continue;
    }
    SmallVector<Value, 1> values;
    if (stage == PartnerIsThere)
      values = written.lookup(partner->second);
    else
      values = writeNode(value);
    // The op that a view is the form of may be over the view itself.
    if (values.empty() && stage == OperandsAreThere &&
        partner != partners.end() && !open.contains(partner->second)) {
      stack.push_back({term, PartnerIsThere});
      stack.push_back({partner->second, Open});
      continue;
    }
    open.erase(term);
    written[term] = std::move(values);
  }
  return written[root];
}

/// The op of a term whose operands are written; nothing where there is none.
SmallVector<Value, 1> FunctionWriter::writeNode(const Explainer::Term &term) {
  const TermGraph::SymbolKind kind = graph.getKind(term.symbol);
  SmallVector<Value, 4> operands;
  for (TermId operand : term.operands) {
    const SmallVector<Value, 1> values = written.lookup(operand);
    if (values.empty())
      return {};
    operands.push_back(kind == TermGraph::SymbolKind::Projection
                           ? values[graph.getIndex(term.symbol)]
                           : values.front());
  }
  if (kind == TermGraph::SymbolKind::Projection)
    return SmallVector<Value, 1>(operands.begin(), operands.end());
  if (kind == TermGraph::SymbolKind::Leaf)
    return {findLeaf(graph.getLeaf(term.symbol))};
  // Terms that were told apart may be one op by now.
  std::vector<void *> key;
  for (Value operand : operands)
    key.push_back(operand.getAsOpaquePointer());
  auto [it, isNew] = ops.try_emplace({term.symbol, std::move(key)});
  if (isNew)
    if (auto made = graph.buildNode(builder, builder.getUnknownLoc(),
                                    term.symbol, operands))
      it->second = std::move(*made);
  return it->second;
}

/// The map that a movement op is, or empty.
static std::string describeMap(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isMovement(op) && AccessForms::hasForm(value)
             ? getAccessForm(value).access.str()
             : std::string();
}

bool FunctionWriter::step(StringRef name, TermId from, TermId to,
                          ArrayRef<NamedAttribute> attributes,
                          ArrayRef<TermId> elements) {
  OperationState state(builder.getUnknownLoc(), ("explain." + name).str());
  for (TermId term : {from, to}) {
    ArrayRef<Value> values = write(term);
    if (values.empty())
      return false;
    state.operands.push_back(values.front());
  }
  if (state.operands[0] == state.operands[1] && name != "rule")
    return true;
  for (TermId term : elements) {
    ArrayRef<Value> values = write(term);
    if (values.empty())
      return false;
    state.operands.push_back(values.front());
  }
  state.addAttributes(attributes);
  if (name == "fold") {
    std::string a = describeMap(state.operands[0]),
                b = describeMap(state.operands[1]);
    if (!a.empty() && !b.empty()) {
      state.name = OperationName("explain.maps", builder.getContext());
      state.addAttributes({text("from", a), text("to", b)});
    }
  }
  builder.create(state);
  return true;
}

bool FunctionWriter::equation(size_t number) {
  if (!equations.insert(number).second)
    return true;
  const Explainer::Equation &e = explainer.getEquation(number);
  if (!e.rule)
    return step("fold", e.a, e.b);
  return step("rule", e.a, e.b,
              {text("name", replaced.of.statistics.rules[*e.rule].name)},
              e.elements);
}

bool FunctionWriter::finish() {
  for (const ReplacedTerms::Replaced &one : replaced.values) {
    ArrayRef<Value> from = write(one.from), to = write(one.to);
    if (from.empty() || to.empty())
      return false;
    OperationState state(builder.getUnknownLoc(), "explain.equal");
    state.addOperands({written[one.from].front(), written[one.to].front()});
    if (one.result >= 0)
      state.addAttribute("result", builder.getI64IntegerAttr(one.result));
    builder.create(state);
  }
  func::ReturnOp::create(builder, builder.getUnknownLoc());
  return true;
}

bool FunctionWriter::writeLemmas() {
  std::vector<std::pair<TermId, TermId>> pairs;
  for (const ReplacedTerms::Replaced &one : replaced.values)
    pairs.emplace_back(one.from, one.to);
  std::optional<Explainer::Proof> proof = explainer.explain(pairs);
  if (!proof)
    return false;
  for (const Explainer::Lemma &lemma : *proof) {
    for (const Explainer::Step &next : lemma.steps)
      if (!(next.equation ? equation(*next.equation)
                          : step("operands", next.from, next.to)))
        return false;
    if (lemma.steps.size() > 1 && !step("lemma", lemma.from, lemma.to))
      return false;
  }
  return finish();
}

bool FunctionWriter::writeApplications() {
  std::set<std::pair<size_t, std::vector<TermId>>> done;
  for (size_t i = 0; i != explainer.getNumEquations(); ++i) {
    const Explainer::Equation &e = explainer.getEquation(i);
    if (!e.rule || !done.insert({*e.rule, e.elements}).second)
      continue;
    OperationState state(builder.getUnknownLoc(), "explain.apply");
    for (TermId term : e.elements) {
      ArrayRef<Value> values = write(term);
      if (values.empty())
        return false;
      state.operands.push_back(values.front());
    }
    state.addAttributes(
        {text("name", replaced.of.statistics.rules[*e.rule].name)});
    builder.create(state);
  }
  return finish();
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

ExplanationWriter::ExplanationWriter(MLIRContext *context,
                                     const TermSaturationOptions &options)
    : module(ModuleOp::create(UnknownLoc::get(context))), options(options) {}

/// Whether it can be replayed; reports nothing.
static bool holds(func::FuncOp function, const TermSaturationOptions &options) {
  CapturedErrors captured(function.getContext());
  return succeeded(checkExplanation(function, {}, options));
}

/// Makes equal ops one, and takes out what is about one op then. Ops that are
/// equal because they are commutative are two terms.
static void tidy(func::FuncOp function,
                 llvm::function_ref<bool(Operation *)> isNode) {
  llvm::DenseMap<size_t, SmallVector<Operation *, 1>> known;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    if (!isNode(&op))
      continue;
    SmallVector<Operation *, 1> &alike =
        known[OperationEquivalence::computeHash(
            &op, OperationEquivalence::directHashValue,
            OperationEquivalence::ignoreHashValue,
            OperationEquivalence::IgnoreLocations)];
    auto *same = llvm::find_if(alike, [&](Operation *other) {
      // Values of their regions.
      llvm::DenseMap<Value, Value> partners;
      return OperationEquivalence::isEquivalentTo(
          other, &op,
          [&](Value left, Value right) {
            return success(left == right || partners.lookup(left) == right);
          },
          [&](Value left, Value right) { partners[left] = right; },
          OperationEquivalence::IgnoreLocations);
    });
    if (same == alike.end()) {
      alike.push_back(&op);
      continue;
    }
    op.replaceAllUsesWith(*same);
    op.erase();
  }
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    StringRef name = op.getName().getStringRef();
    if ((name == "explain.maps" || name == "explain.fold" ||
         name == "explain.operands" || name == "explain.lemma") &&
        op.getOperand(0) == op.getOperand(1))
      op.erase();
  }
}

/// Takes out applications of rules, the last ones first: many together, then
/// fewer, as long as the attempts last.
static void prune(func::FuncOp function, const TermSaturationOptions &options) {
  SmallVector<Operation *> applications;
  for (Operation &op : llvm::reverse(function.front()))
    if (op.getName().getStringRef() == "explain.apply")
      applications.push_back(&op);
  const size_t numOps = function.front().getOperations().size();
  size_t replayed = 0;
  for (size_t size = llvm::divideCeil(applications.size(), 2); size != 0;
       size = size == 1 ? 0 : llvm::divideCeil(size, 2)) {
    SmallVector<Operation *> kept;
    for (size_t begin = 0; begin < applications.size(); begin += size) {
      ArrayRef<Operation *> part =
          ArrayRef(applications).slice(begin).take_front(size);
      if ((replayed += numOps) > kMaxReplayed) {
        llvm::append_range(kept, part);
        continue;
      }
      SmallVector<Operation *> after;
      for (Operation *op : part) {
        after.push_back(op->getNextNode());
        op->remove();
      }
      if (holds(function, options)) {
        for (Operation *op : part)
          op->destroy();
        continue;
      }
      // The last one removed is the first of them.
      for (auto [op, next] : llvm::reverse(llvm::zip_equal(part, after)))
        function.front().getOperations().insert(Block::iterator(next), op);
      llvm::append_range(kept, part);
    }
    applications = std::move(kept);
  }
  // Terms that only these were about.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (op.use_empty() && op.getNumResults() != 0)
      op.erase();
}

void ExplanationWriter::add(FunctionOpInterface function,
                            const ReplacedTerms &replaced, StringRef kind) {
  if (replaced.values.empty())
    return;
  MLIRContext *context = function.getContext();
  const bool isBody = replaced.of.block.getParentOp() == function;
  for (bool isLong : {false, true}) {
    auto made = func::FuncOp::create(
        function.getLoc(),
        function.getName().str() +
            (isBody ? "" : ".block" + std::to_string(replaced.of.number)) +
            kind.str(),
        FunctionType::get(context, replaced.of.block.getArgumentTypes(), {}));
    if (!isBody)
      made->setAttr("explain.nested", UnitAttr::get(context));
    FunctionWriter writer(replaced, made, options.isNode);
    const bool isWritten =
        isLong ? writer.writeApplications() : writer.writeLemmas();
    if (isWritten)
      tidy(made, options.isNode);
    if (isWritten && holds(made, options)) {
      if (isLong)
        prune(made, options);
      module->push_back(made);
      return;
    }
    if (!isWritten)
      made.front().dropAllReferences();
    made.erase();
  }
  function.emitWarning(kind.empty() ? "what was replaced" : "what is expected")
      << " has no explanation that can be replayed";
}

LogicalResult ExplanationWriter::write(StringRef path) {
  std::string problem;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &problem);
  if (!file)
    return emitError(UnknownLoc::get(module->getContext())) << problem;
  file->os() << "// Why what tensoraccess-saturate replaced is equal.\n";
  module->print(file->os());
  file->os() << "\n";
  file->keep();
  return success();
}
