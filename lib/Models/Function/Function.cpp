//===- Function.cpp - Indexing maps through whole functions ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elements of a group's operands do its results read?
//
//   1. Each result starts with the identity map of its shape.
//   2. The group's ops are visited once, last first. All users of a value come
//      after it, so its sets are complete when its op is reached; they are
//      composed with the op's maps and added to the sets of the op's operands.
//   3. What arrived at the group's operands is the answer.
//
// One set per value and result is kept, for each direction: the work is linear
// in the number of ops. Equal maps meet in one set, which is how the two
// branches of softmax share what lies above them; PatternSet.h explains how sets
// stay small. The direction from operands to results collects a constraint for
// each window it goes through; where these pile up, it starts anew from the
// other direction, read backwards, which is the same relation.
//
// A function is the group of its body. Callees are computed before their
// callers, over an explicit stack.
//
//===----------------------------------------------------------------------===//

#include "PatternSet.h"
#include "RuntimeValues.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static SetVector<Value> getCapturedValues(Operation *op) {
  SetVector<Value> captured;
  if (op->getNumRegions() != 0)
    getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured;
}

/// Calls `visit` for all that an op reads: its operands, and what its regions
/// capture.
static void forEachRead(Operation *op, function_ref<void(Value)> visit) {
  for (Value operand : op->getOperands())
    visit(operand);
  for (Value value : getCapturedValues(op))
    visit(value);
}

void FusionGroup::collect(Block *block,
                          function_ref<bool(Operation *)> isInside) {
  llvm::SetVector<Operation *> inside;
  auto getInside = [&](Value value) -> Operation * {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == block && (!isInside || isInside(op))
               ? op
               : nullptr;
  };
  // What is asked for is computed, whatever the predicate returns.
  for (Value result : results)
    if (Operation *op = result.getDefiningOp(); op && op->getBlock() == block)
      inside.insert(op);
  for (size_t i = 0; i < inside.size(); ++i)
    forEachRead(inside[i], [&](Value value) {
      if (Operation *op = getInside(value))
        inside.insert(op);
    });
  ops = inside.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  llvm::DenseSet<Operation *> known(ops.begin(), ops.end());
  llvm::SetVector<Value> outside;
  for (Operation *op : ops)
    forEachRead(op, [&](Value value) {
      if (!known.contains(value.getDefiningOp()))
        outside.insert(value);
    });
  for (Value result : results)
    if (!known.contains(result.getDefiningOp()))
      outside.insert(result);
  operands.assign(outside.begin(), outside.end());
}

std::optional<FusionGroup>
FusionGroup::get(ArrayRef<Value> results,
                 function_ref<bool(Operation *)> isInside) {
  Block *block = nullptr;
  for (Value result : results) {
    if (block && result.getParentBlock() != block)
      return std::nullopt;
    block = result.getParentBlock();
  }
  FusionGroup group;
  group.results.assign(results.begin(), results.end());
  group.collect(block, isInside);
  return group;
}

FusionGroup FusionGroup::get(Block &block) {
  FusionGroup group;
  Operation &terminator = block.back();
  group.results.assign(terminator.operand_begin(), terminator.operand_end());
  group.collect(&block, nullptr);
  SetVector<Value> operands(block.args_begin(), block.args_end());
  operands.insert_range(group.operands);
  group.operands = operands.takeVector();
  group.wholeFunction = true;
  return group;
}

std::optional<FusionGroup> FusionGroup::get(FunctionOpInterface function) {
  if (function.isExternal())
    return std::nullopt;
  mlir::Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || body.front().empty())
    return std::nullopt;
  Operation &terminator = body.front().back();
  if (!terminator.hasTrait<OpTrait::ReturnLike>() ||
      terminator.getNumOperands() != function.getNumResults())
    return std::nullopt;
  FusionGroup group = get(body.front());
  group.operands.assign(body.args_begin(), body.args_end());
  return group;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

namespace {

/// The sets between one value and one result of the group.
struct Demand {
  unsigned result;
  /// From the result to the value, and back.
  PatternSet toValue, toResult;
};
using DemandList = SmallVector<Demand, 1>;

class Composer {
public:
  Composer(IndexingCache &cache, const FusionGroup &group,
           FusionOptions options)
      : cache(cache), pool(cache.getPool()), budget(cache.getBudget()),
        group(group), options(options) {}

  FusionIndexing run();

private:
  using Patterns = SmallVector<PatternSet::Pattern, 1>;

  Demand &demand(Value value, unsigned result);
  /// The demands of a value, which are complete; they are forgotten here.
  DemandList take(Value value);
  void findLeading();
  /// Whether sets of the value are asked for, or lead to an operand.
  bool matters(Value value) const {
    return options.keepReads || leading.contains(value);
  }
  void startAnew(Demand &demand);
  void start(Value value, unsigned result);
  void visit(Operation *op);
  /// Steps name operands: what is read otherwise is not kept as one.
  void addToValue(PatternSet &target, const PatternSet &first,
                  const IndexingSet &second, ReadStep step,
                  bool keepStep = true);
  void addToResult(PatternSet &target, const IndexingSet &first,
                   const PatternSet &second, ReadStep step);
  ArrayRef<PatternSet::Pattern> intern(const IndexingSet &set);
  PatternSet::Pattern compose(const PatternSet::Pattern &first,
                              const PatternSet::Pattern &second, bool &merged);
  const OpIndexing &getResolved(Operation *op);
  IndexingSet getSet(const PatternSet &patterns) const;

  IndexingCache &cache;
  MapPool &pool;
  const IndexingBudget &budget;
  const FusionGroup &group;
  FusionOptions options;
  DenseMap<Value, DemandList> demands;
  /// The operands, and what is computed from one.
  DenseSet<Value> leading;
  /// By the address of the set, which the cache or `resolved` owns.
  DenseMap<const IndexingSet *, std::unique_ptr<Patterns>> interned;
  /// Indexings whose sources were looked up in the IR.
  std::vector<std::unique_ptr<OpIndexing>> resolved;
  FusionIndexing result;
};

} // namespace

Demand &Composer::demand(Value value, unsigned result) {
  DemandList &list = demands[value];
  auto *at = llvm::lower_bound(
      list, result, [](const Demand &d, unsigned r) { return d.result < r; });
  if (at == list.end() || at->result != result)
    at = list.insert(at, Demand{result, {}, {}});
  return *at;
}

/// Constants lead to no operand, and often have a set of many maps: each padding
/// of a chain reads the same zero in places of its own.
void Composer::findLeading() {
  leading.insert_range(group.getOperands());
  for (Operation *op : group.getOps()) {
    bool leads = false;
    forEachRead(op, [&](Value value) { leads |= leading.contains(value); });
    if (leads)
      leading.insert_range(op->getResults());
  }
}

/// Symbols and constraints of all maps.
static unsigned weigh(const PatternSet &set, const MapPool &pool) {
  unsigned weight = 0;
  for (const PatternSet::Pattern &pattern : set.getPatterns())
    weight += pool[pattern.id].getNumSymbols() +
              pool[pattern.id].getConstraints().size();
  return weight;
}

/// Replaces the way to the results by the other one, read backwards, if it has
/// passed the budget or drags symbols along that lead nowhere.
void Composer::startAnew(Demand &d) {
  bool isLost = d.toResult.getReason() == IndexingReason::Budget;
  bool drags = llvm::any_of(d.toResult.getPatterns(), [&](const auto &pattern) {
    return pool.hasIdleSymbols(pattern.id);
  });
  if (!options.inputToOutput || d.toValue.isUnknown() || (!isLost && !drags))
    return;
  // Read backwards, a map has lost its details. Only sources may be missing,
  // and only where the answer would be unknown without.
  auto keepsDetails = [&](const PatternSet::Pattern &pattern) {
    return pattern.hasReplica() || (!isLost && pattern.detailed);
  };
  if (llvm::any_of(d.toValue.getPatterns(), keepsDetails) ||
      llvm::any_of(d.toResult.getPatterns(), keepsDetails))
    return;
  PatternSet back;
  for (const PatternSet::Pattern &pattern : d.toValue.getPatterns())
    back.insert(pool, budget, {pool.invert(pattern.id)}, nullptr, nullptr);
  if (!back.isUnknown() &&
      (isLost || weigh(back, pool) < weigh(d.toResult, pool)))
    d.toResult = std::move(back);
}

DemandList Composer::take(Value value) {
  auto it = demands.find(value);
  if (it == demands.end())
    return {};
  DemandList list = std::move(it->second);
  demands.erase(it);
  for (Demand &d : list) {
    startAnew(d);
    if (options.keepReads)
      result.reads[{value, d.result}] = d.toValue.getReads(pool);
  }
  return list;
}

void Composer::start(Value value, unsigned result) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  Demand &target = demand(value, result);
  IndexingMap map = cache.getIdentity(value, reason);
  if (map.isUnknown()) {
    target.toValue.setUnknown(reason, nullptr);
    target.toResult.setUnknown(reason, nullptr);
    return;
  }
  PatternSet::Pattern identity{pool.intern(map), /*countsReads=*/true};
  target.toValue.insert(pool, budget, identity, nullptr, nullptr);
  if (options.inputToOutput)
    target.toResult.insert(pool, budget, identity, nullptr, nullptr);
}

ArrayRef<PatternSet::Pattern> Composer::intern(const IndexingSet &set) {
  std::unique_ptr<Patterns> &entry = interned[&set];
  if (!entry) {
    entry = std::make_unique<Patterns>();
    for (unsigned i = 0; i < set.getMaps().size(); ++i)
      entry->push_back(PatternSet::getPattern(pool, set.getEntry(i)));
  }
  return *entry;
}

/// First, then second. Without details that is a matter of the pool.
PatternSet::Pattern Composer::compose(const PatternSet::Pattern &first,
                                      const PatternSet::Pattern &second,
                                      bool &merged) {
  if (!first.detailed && !second.detailed)
    return {pool.compose(first.id, second.id, merged)};
  return PatternSet::getPattern(
      pool, tensoraccess::compose(first.getEntry(pool), second.getEntry(pool)));
}

/// The indexing of an op, with the numbers that the IR knows put in for runtime
/// variables.
const OpIndexing &Composer::getResolved(Operation *op) {
  const OpIndexing &indexing = cache.get(op);
  if (!indexing.hasDetails())
    return indexing;
  return *resolved.emplace_back(
      std::make_unique<OpIndexing>(resolveSources(op, indexing, cache)));
}

void Composer::addToValue(PatternSet &target, const PatternSet &first,
                          const IndexingSet &second, ReadStep step,
                          bool keepStep) {
  if (first.empty() || second.empty())
    return;
  if (first.isUnknown())
    return target.setUnknown(first.getReason(), first.getCulprit());
  if (second.isUnknown())
    return target.setUnknown(
        second.getReason(),
        cache.getCulprit(step.op, step.result, step.operand));
  // A callee's own maps may be compact.
  bool opMerges = !cache.countsReads(step.op);
  for (auto [i, a] : llvm::enumerate(first.getPatterns())) {
    step.pattern = i;
    for (const PatternSet::Pattern &b : intern(second)) {
      bool merged = opMerges;
      PatternSet::Pattern pattern = compose(a, b, merged);
      pattern.countsReads = a.countsReads && !merged;
      target.insert(pool, budget, std::move(pattern),
                    options.keepReads && keepStep ? &step : nullptr, step.op);
      if (target.isUnknown())
        return;
    }
  }
}

void Composer::addToResult(PatternSet &target, const IndexingSet &first,
                           const PatternSet &second, ReadStep step) {
  if (first.empty() || second.empty())
    return;
  if (first.isUnknown())
    return target.setUnknown(first.getReason(), step.op);
  if (second.isUnknown())
    return target.setUnknown(second.getReason(), second.getCulprit());
  for (const PatternSet::Pattern &a : intern(first)) {
    for (const PatternSet::Pattern &b : second.getPatterns()) {
      bool merged = false;
      target.insert(pool, budget, compose(a, b, merged), nullptr, step.op);
      if (target.isUnknown())
        return;
    }
  }
}

void Composer::visit(Operation *op) {
  SmallVector<std::pair<unsigned, DemandList>, 1> demanded;
  for (OpResult opResult : op->getResults())
    if (DemandList list = take(opResult); !list.empty())
      demanded.emplace_back(opResult.getResultNumber(), std::move(list));
  if (demanded.empty())
    return; // dead, or only for its effects
  const OpIndexing &indexing = getResolved(op);
  for (auto &[r, list] : demanded) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!matters(operand.get()))
        continue;
      unsigned o = operand.getOperandNumber();
      const IndexingSet &down = indexing.outputToInput(r, o);
      const IndexingSet &up = indexing.inputToOutput(o, r);
      if (down.empty() && up.empty())
        continue;
      for (const Demand &from : list) {
        Demand &target = demand(operand.get(), from.result);
        ReadStep step{op, r, o, 0};
        addToValue(target.toValue, from.toValue, down, step);
        if (options.inputToOutput)
          addToResult(target.toResult, up, from.toResult, step);
      }
    }
  }
  // What regions read beside operands.
  if (llvm::none_of(getCapturedValues(op),
                    [&](Value value) { return matters(value); }))
    return;
  for (const CapturedRead &read : cache.getCaptured(op)) {
    if (!matters(read.value))
      continue;
    for (auto &[r, list] : demanded) {
      if (r != read.result)
        continue;
      for (const Demand &from : list) {
        Demand &target = demand(read.value, from.result);
        ReadStep step{op, r, 0, 0};
        addToValue(target.toValue, from.toValue, read.outputToInput, step,
                   /*keepStep=*/false);
        if (options.inputToOutput)
          addToResult(target.toResult, read.inputToOutput, from.toResult, step);
      }
    }
  }
}

/// The maps of a set. Sources name arguments of the function around the group:
/// if operands are others, it is unknown which operand that is.
IndexingSet Composer::getSet(const PatternSet &patterns) const {
  IndexingSet set = patterns.getSet(pool);
  if (group.isWholeFunction() || !set.hasDetails())
    return set;
  SmallVector<DetailedMap, 1> entries;
  for (unsigned i = 0; i < set.getMaps().size(); ++i) {
    DetailedMap entry = set.getEntry(i);
    if (entry.details) {
      MapDetails kept = *entry.details;
      for (std::optional<RuntimeSource> &source : kept.runtime)
        source.reset();
      entry.details = kept.isTrivial()
                          ? nullptr
                          : std::make_shared<const MapDetails>(std::move(kept));
    }
    entries.push_back(std::move(entry));
  }
  return IndexingSet::of(entries);
}

FusionIndexing Composer::run() {
  const unsigned numResults = group.getResults().size();
  const unsigned numOperands = group.getOperands().size();
  findLeading();
  for (auto [r, value] : llvm::enumerate(group.getResults()))
    start(value, r);
  for (Operation *op : llvm::reverse(group.getOps()))
    visit(op);
  result.indexing = OpIndexing(numResults, numOperands);
  result.culprits.resize(numResults * numOperands);
  for (auto [o, value] : llvm::enumerate(group.getOperands())) {
    for (Demand &d : take(value)) {
      result.indexing.setOutputToInput(d.result, o, getSet(d.toValue));
      result.indexing.setInputToOutput(o, d.result, getSet(d.toResult));
      result.culprits[d.result * numOperands + o] = d.toValue.getCulprit();
      result.countsReads &= llvm::all_of(
          d.toValue.getPatterns(), [](const auto &p) { return p.countsReads; });
    }
  }
  return std::move(result);
}

FusionIndexing tensoraccess::getFusionIndexing(IndexingCache &cache,
                                               const FusionGroup &group,
                                               FusionOptions options) {
  return Composer(cache, group, options).run();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

OpIndexing IndexingCache::composeBody(FunctionOpInterface function) {
  std::optional<FusionGroup> group = FusionGroup::get(function);
  if (!group)
    return OpIndexing::unknown(
        function.getNumResults(), function.getNumArguments(),
        function.isExternal() ? IndexingReason::UnknownCallee
                              : IndexingReason::ControlFlow);
  FusionIndexing fusion = getFusionIndexing(*this, *group);
  if (!fusion.countsReads)
    compacted.insert(function);
  addSizes(function, fusion.indexing);
  if (llvm::any_of(fusion.culprits, [](Operation *op) { return op; }))
    culprits[function] = std::move(fusion.culprits);
  return std::move(fusion.indexing);
}

Operation *IndexingCache::getCulprit(Operation *op, unsigned result,
                                     unsigned operand) {
  FunctionOpInterface callee = getCallee(op);
  if (!callee)
    return op;
  // A callee's culprits have been looked up already: callees come first.
  auto it = culprits.find(callee);
  if (it == culprits.end())
    return op;
  Operation *inner = it->second[result * callee.getNumArguments() + operand];
  return inner ? inner : op;
}

bool IndexingCache::countsReads(Operation *op) {
  if (compacted.empty())
    return true;
  FunctionOpInterface callee = getCallee(op);
  return !callee || !compacted.contains(callee);
}

void IndexingCache::computeFunction(FunctionOpInterface function) {
  // (function, its callees still to be visited)
  SmallVector<std::pair<FunctionOpInterface, SmallVector<FunctionOpInterface>>>
      stack;
  auto push = [&](FunctionOpInterface f) {
    if (!byFunction.try_emplace(f).second)
      return; // done, or being computed further down
    SmallVector<FunctionOpInterface> callees;
    f->walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = getCallee(call))
        callees.push_back(callee);
    });
    std::reverse(callees.begin(), callees.end());
    stack.emplace_back(f, std::move(callees));
  };
  push(function);
  while (!stack.empty()) {
    if (!stack.back().second.empty()) {
      push(stack.back().second.pop_back_val());
      continue;
    }
    FunctionOpInterface f = stack.pop_back_val().first;
    auto indexing = std::make_unique<OpIndexing>(composeBody(f));
    byFunction[f] = std::move(indexing);
  }
}

const OpIndexing &IndexingCache::getFunction(FunctionOpInterface function) {
  auto it = byFunction.find(function);
  if (it == byFunction.end() || !it->second)
    computeFunction(function);
  return *byFunction.find(function)->second;
}
