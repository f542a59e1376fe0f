//===- MovementTheory.cpp - Views are equal if their maps are -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forms are those of values. Hence each class that a view reads, or is, has a
// value that stands for it in a block of no program:
//
//   1. a class that is not a view: an argument of its type;
//   2. a view: the result of the op that it was made of, on the values of that
//      op's operands, so that its form is composed from theirs;
//   3. when two classes become one, the winner's value stands for both, and the
//      loser's still names the class where forms mention it. But a view's value
//      is taken if the other is a base, unless it reads that very class: then
//      the nodes over it are brought into normal form again, and where that
//      gives their class another value, those over it follow. A class is
//      refreshed a few times at most, since rules may prove that views are views
//      of each other.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

MovementTheory::MovementTheory(TermGraph &graph, AccessBudget budget)
    : graph(graph), budget(budget), forms(budget),
      scratch(std::make_unique<Block>()) {
  graph.addTheory(this);
  graph.getTable().addAnalysis(this);
}

MovementTheory::~MovementTheory() {
  forms.forget();
  scratch->dropAllDefinedValueUses();
  for (Operation &op : *scratch)
    op.dropAllReferences();
}

Value MovementTheory::getBase(ClassId id) {
  id = graph.getTable().find(id);
  auto [it, isNew] = values.try_emplace(id);
  if (isNew) {
    it->second = scratch->addArgument(graph.getType(id),
                                      UnknownLoc::get(graph.getContext()));
    classes[it->second] = id;
  }
  return it->second;
}

ClassId MovementTheory::getClass(Value base) const {
  return graph.getTable().find(classes.find(base)->second);
}

const char MovementTheory::classId = 0;

MovementTheory *MovementTheory::find(const TermGraph &graph) {
  for (TermTheory *theory : graph.getTheories())
    if (theory->getClassId() == &classId)
      return static_cast<MovementTheory *>(theory);
  return nullptr;
}

std::optional<AccessForm> MovementTheory::getForm(ClassId id) {
  if (!graph.getType(id))
    return std::nullopt;
  Value value = getBase(id);
  if (!AccessForms::hasForm(value))
    return std::nullopt;
  return forms.get(value);
}

bool MovementTheory::isView(SymbolId symbol) const {
  return graph.getKind(symbol) == TermGraph::SymbolKind::Theory &&
         graph.getTheory(symbol) == this;
}

const AccessForm &MovementTheory::getView(SymbolId symbol) const {
  return views[graph.getTheoryData(symbol)].form;
}

void MovementTheory::made(NodeTable &table, NodeId node) {
  if (!pendingValue || table.getSymbol(node) != pendingSymbol)
    return;
  values[node] = pendingValue;
  classes[pendingValue] = node;
  pendingValue = Value();
}

static uint64_t hashView(const AccessForm &form, Type type) {
  return llvm::hash_combine(
      form.access.hash(), form.split, type,
      llvm::hash_combine_range(form.constants.begin(), form.constants.end()));
}

std::optional<unsigned> MovementTheory::findView(const AccessForm &form,
                                                 Type type,
                                                 uint64_t hash) const {
  auto known = viewsByHash.find(hash);
  if (known == viewsByHash.end())
    return std::nullopt;
  for (unsigned number : known->second) {
    const View &view = views[number];
    if (view.type == type && view.form.split == form.split &&
        view.form.constants == form.constants &&
        view.form.access == form.access)
      return number;
  }
  return std::nullopt;
}

TermNode MovementTheory::makeNode(const AccessForm &form, Type type,
                                  Value value) {
  TermNode node;
  for (Value base : form.bases)
    node.operands.push_back(getClass(base));
  // All of a base, unmoved: any node of its class will do.
  if (Value base = form.asIdentity(); base && base.getType() == type) {
    const NodeTable &table = graph.getTable();
    NodeId same = getClass(base);
    node.symbol = table.getSymbol(same);
    node.operands.clear();
    for (unsigned i = 0, e = table.getNumOperands(same); i < e; ++i)
      node.operands.push_back(table.find(table.getOperand(same, i)));
    pendingValue = Value();
    return node;
  }
  // The same form, whatever the bases are.
  const uint64_t hash = hashView(form, type);
  std::optional<unsigned> number = findView(form, type, hash);
  if (!number) {
    number = views.size();
    views.push_back({form, type, std::nullopt});
    viewsByHash[hash].push_back(*number);
  }
  node.symbol =
      graph.getTheorySymbol(this, *number, node.operands.size(), {type});
  lastView = node.symbol;
  pendingSymbol = node.symbol;
  pendingValue = value;
  return node;
}

std::optional<TermNode> MovementTheory::normalize(TermGraph &,
                                                  const TermNode &node) {
  pendingValue = Value();
  lastView = std::nullopt;
  auto [known, isNew] = isMovementSymbol.try_emplace(node.symbol, true);
  if (!known->second)
    return std::nullopt;
  if (isNew && graph.getName(node.symbol).getDialectNamespace() !=
                   TensorAccessDialect::getDialectNamespace()) {
    known->second = false;
    return std::nullopt;
  }
  SmallVector<Value, 2> operands;
  for (ClassId operand : node.operands) {
    if (!graph.getType(operand))
      return std::nullopt;
    operands.push_back(getBase(operand));
  }
  OpBuilder builder(graph.getContext());
  builder.setInsertionPointToEnd(scratch.get());
  std::optional<SmallVector<Value, 1>> results = graph.buildNode(
      builder, UnknownLoc::get(graph.getContext()), node.symbol, operands);
  if (!results || results->size() != 1)
    return std::nullopt;
  Value value = results->front();
  Operation *op = value.getDefiningOp();
  // A folder may have answered with an operand.
  if (!op || op->getBlock() != scratch.get() || !tensoraccess::isMovement(op)) {
    if (isNew)
      isMovementSymbol[node.symbol] = op && tensoraccess::isMovement(op);
    if (op && op->getBlock() == scratch.get() && !tensoraccess::isMovement(op))
      op->erase();
    return std::nullopt;
  }
  if (mayFailAtRunTime(op) || !AccessForms::hasForm(value))
    return std::nullopt;
  AccessForm form = forms.get(value);
  // Its own base: nothing is known of it.
  if (llvm::is_contained(form.bases, value))
    return std::nullopt;
  return makeNode(form, value.getType(), value);
}

std::optional<ClassId> MovementTheory::add(const AccessForm &form, Type type) {
  const uint64_t hash = llvm::hash_combine(form.hash(), type);
  for (const Added &known : added[hash])
    if (known.type == type && known.form == form)
      return known.id ? std::optional(graph.getTable().find(*known.id))
                      : std::nullopt;
  std::optional<ClassId> id = addPlanned(form, type);
  if (!graph.isFull())
    added[hash].push_back({form, type, id});
  return id;
}

std::optional<ClassId> MovementTheory::lookup(const AccessForm &given,
                                              Type type) {
  const AccessForm form = given.renumbered();
  if (Value base = form.asIdentity(); base && base.getType() == type)
    return getClass(base);
  std::optional<unsigned> number = findView(form, type, hashView(form, type));
  if (!number)
    return std::nullopt;
  SmallVector<ClassId, 4> operands;
  for (Value base : form.bases)
    operands.push_back(getClass(base));
  return graph.getTable().lookup(
      graph.getTheorySymbol(this, *number, operands.size(), {type}), operands);
}

/// A plan with the places of its bases.
MovementTheory::View::Plan
MovementTheory::makePlan(const AccessForm &form,
                         std::optional<MovementPlan> plan) {
  View::Plan result;
  if (plan)
    for (Value base : plan->bases) {
      result.bases.push_back(llvm::find(form.bases, base) - form.bases.begin());
      result.types.push_back(base.getType());
    }
  result.plan = std::move(plan);
  return result;
}

std::optional<ClassId> MovementTheory::addPlanned(const AccessForm &given,
                                                  Type type) {
  const AccessForm form = given.renumbered();
  std::optional<MovementPlan> plan = planMovement(form, type);
  if (!plan)
    return std::nullopt;
  // A plan of no steps is the base.
  if (plan->steps.empty())
    return plan->bases.front().getType() == type
               ? std::optional(getClass(plan->bases.front()))
               : std::nullopt;
  if (plan->steps.back().type != type)
    return std::nullopt;
  Value value = scratch->addArgument(type, UnknownLoc::get(graph.getContext()));
  if (!AccessForms::hasForm(value))
    return std::nullopt;
  forms.set(value, form);
  TermNode node = makeNode(form, type, value);
  if (isView(node.symbol)) {
    View &view = views[graph.getTheoryData(node.symbol)];
    if (!view.plan)
      view.plan = makePlan(form, std::move(plan));
  }
  std::optional<ClassId> id = graph.addNode(node);
  pendingValue = Value();
  return id;
}

const MovementTheory::View::Plan &MovementTheory::getPlan(SymbolId symbol) {
  View &view = views[graph.getTheoryData(symbol)];
  if (!view.plan)
    view.plan = makePlan(view.form, planMovement(view.form, view.type));
  return *view.plan;
}

Value MovementTheory::build(TermGraph &, OpBuilder &builder, Location loc,
                            SymbolId symbol, ValueRange operands) {
  // The plan that is known, if it is one for bases of these types.
  const View::Plan &known = getPlan(symbol);
  if (known.plan &&
      llvm::all_of(llvm::zip_equal(known.bases, known.types), [&](auto place) {
        auto [base, type] = place;
        return operands[base].getType() == type;
      })) {
    MovementPlan plan = *known.plan;
    for (auto [value, base] : llvm::zip_equal(plan.bases, known.bases))
      value = operands[base];
    return createMovement(builder, loc, plan);
  }
  const View &view = views[graph.getTheoryData(symbol)];
  AccessForm form = view.form;
  form.bases.assign(operands.begin(), operands.end());
  std::optional<MovementPlan> plan = planMovement(form, view.type);
  if (!plan)
    return Value();
  Value value = createMovement(builder, loc, *plan);
  return value.getType() == view.type ? value : Value();
}

std::optional<unsigned> MovementTheory::countOps(SymbolId symbol) {
  const View::Plan &known = getPlan(symbol);
  if (!known.plan)
    return std::nullopt;
  return known.plan->steps.size();
}

bool MovementTheory::hasOp(ClassId id) {
  const NodeTable &table = graph.getTable();
  const std::pair<NodeId, size_t> now = {table.getEnd(), table.getNumClasses()};
  if (classesWithOpsOf != now) {
    classesWithOpsOf = now;
    classesWithOps.clear();
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node))
      if (!table.isDead(node) && isMovement(table.getSymbol(node)))
        classesWithOps.insert(table.find(node));
  }
  return classesWithOps.contains(table.find(id));
}

//===----------------------------------------------------------------------===//
// Views whose bases turn out to be views
//===----------------------------------------------------------------------===//

/// How often a node is brought into normal form again. What comes of it counts
/// with it, so that views that lie in each other come to an end.
static constexpr unsigned kMaxRefreshes = 4;

bool MovementTheory::isOwnBase(Value value) {
  return !AccessForms::hasForm(value) ||
         llvm::is_contained(forms.get(value).bases, value);
}

void MovementTheory::merged(NodeTable &table, ClassId winner, ClassId loser) {
  auto from = values.find(loser);
  if (from == values.end())
    return;
  Value value = from->second;
  values.erase(from);
  auto [to, isNew] = values.try_emplace(winner, value);
  Value &stands = to->second;
  if (isNew)
    return;
  const bool isBase = isOwnBase(stands);
  if (isBase == isOwnBase(value))
    return;
  Value view = isBase ? value : stands;
  auto isItself = [&](Value base) {
    const ClassId id = getClass(base);
    return id == winner || id == loser;
  };
  if (llvm::any_of(forms.get(view).bases, isItself)) {
    stands = isBase ? stands : value;
    return;
  }
  stands = view;
  renewed.insert(winner);
  table.changed(winner);
}

void MovementTheory::updated(NodeTable &table, NodeId node, ClassId id) {
  const SymbolId symbol = table.getSymbol(node);
  if (renewed.empty() || !(isView(symbol) || isMovement(symbol)))
    return;
  if (refreshes.lookup(node) >= kMaxRefreshes)
    return;
  bool isStale = false;
  for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
    isStale |= renewed.contains(table.find(table.getOperand(node, i)));
  if (!isStale)
    return;
  stale[id].push_back(node);
  table.changed(id);
}

void MovementTheory::modify(NodeTable &table, ClassId id) {
  auto it = stale.find(id);
  if (it == stale.end())
    return;
  SmallVector<NodeId, 2> nodes = std::move(it->second);
  stale.erase(it);
  for (NodeId node : nodes)
    if (!table.isDead(node) && refreshes[node]++ < kMaxRefreshes)
      refresh(table, node);
}

void MovementTheory::refresh(NodeTable &table, NodeId node) {
  const SymbolId symbol = table.getSymbol(node);
  TermNode stale{symbol, {}};
  SmallVector<Value, 2> operands;
  for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i) {
    stale.operands.push_back(table.find(table.getOperand(node, i)));
    operands.push_back(getBase(stale.operands.back()));
  }
  std::optional<TermNode> normal;
  if (!isView(symbol)) {
    normal = normalize(graph, stale);
  } else {
    OpBuilder builder(graph.getContext());
    builder.setInsertionPointToEnd(scratch.get());
    Value value = build(graph, builder, UnknownLoc::get(graph.getContext()),
                        symbol, operands);
    if (value && AccessForms::hasForm(value))
      normal = makeNode(forms.get(value), value.getType(), value);
  }
  if (!normal)
    return;
  Value value = pendingValue;
  const ClassId old = table.find(node);
  std::optional<ClassId> known =
      graph.getTable().lookup(normal->symbol, normal->operands);
  if (known && *known == old) {
    pendingValue = Value();
    return;
  }
  NodeId made = node;
  std::optional<ClassId> id = graph.addNode(*normal, &made);
  if (!id)
    return;
  if (made != node)
    refreshes[made] = std::max(refreshes.lookup(made), refreshes.lookup(node));
  graph.merge(old, *id);
  // The class is that of the new node, where no base represents it.
  if (!value)
    return;
  const ClassId now = table.find(old);
  auto stands = values.find(now);
  if (stands == values.end() || isOwnBase(stands->second))
    return;
  stands->second = value;
  classes.try_emplace(value, now);
  renewed.insert(now);
  table.changed(now);
}
