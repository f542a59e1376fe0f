//===- Function.cpp - Indexing maps through a whole function --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which elements of a function's arguments do its results read?
//
//   1. Each value that is returned starts with the identity map of its shape.
//   2. The ops are visited once, last first. All users of a value come after
//      it, so its sets are complete when its op is reached; they are composed
//      with the op's maps and added to the sets of the op's operands.
//   3. What arrived at the function's arguments is the answer.
//
// One set per value and function result is kept, for each direction: the work
// is linear in the number of ops. Equal maps meet in one set, which is how the
// two branches of softmax share what lies above them. Sets and maps that grow
// past the budget become unknown, and stay so upwards.
//
// Callees are computed before their callers, over an explicit stack.
//
//===----------------------------------------------------------------------===//

#include "RuntimeValues.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <unordered_map>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A set under construction: maps in order of arrival, each once.
class GrowingSet {
public:
  void insert(const DetailedMap &entry, const IndexingBudget &budget) {
    if (isUnknown())
      return;
    const IndexingMap &map = entry.map;
    if (map.isUnknown())
      return setUnknown(fromUnknownReason(map.getUnknownReason()));
    if (map.getNumVariables() > budget.maxVariables ||
        map.getConstraints().size() > budget.maxConstraints)
      return setUnknown(IndexingReason::Budget);
    auto [begin, end] = byHash.equal_range(map.hash());
    for (auto it = begin; it != end; ++it)
      if (maps[it->second].map == map &&
          equalDetails(maps[it->second].details, entry.details))
        return;
    if (maps.size() >= budget.maxMaps)
      return setUnknown(IndexingReason::Budget);
    byHash.emplace(map.hash(), maps.size());
    maps.push_back(entry);
  }
  void setUnknown(IndexingReason why) {
    if (!isUnknown())
      reason = why;
    maps.clear();
    byHash.clear();
  }
  bool isUnknown() const { return reason != IndexingReason::None; }
  bool empty() const { return !isUnknown() && maps.empty(); }
  IndexingReason getReason() const { return reason; }
  unsigned size() const { return maps.size(); }
  DetailedMap getEntry(unsigned i) const { return maps[i]; }
  IndexingSet finish() const {
    return isUnknown() ? IndexingSet::unknown(reason) : IndexingSet::of(maps);
  }

private:
  SmallVector<DetailedMap, 1> maps;
  std::unordered_multimap<uint64_t, unsigned> byHash;
  IndexingReason reason = IndexingReason::None;
};

/// The sets between one value and one result of the function.
struct Demand {
  unsigned result;
  /// From the result to the value, and back.
  GrowingSet toValue, toResult;

  void setUnknown(IndexingReason reason) {
    toValue.setUnknown(reason);
    toResult.setUnknown(reason);
  }
};

/// What is demanded of each value, ordered by result.
class Demands {
public:
  Demand &get(Value value, unsigned result) {
    SmallVector<Demand, 1> &list = map[value];
    auto *at = llvm::lower_bound(list, result, [](const Demand &d, unsigned r) {
      return d.result < r;
    });
    if (at == list.end() || at->result != result)
      at = list.insert(at, Demand{result, {}, {}});
    return *at;
  }
  SmallVector<Demand, 1> take(Value value) {
    auto it = map.find(value);
    if (it == map.end())
      return {};
    SmallVector<Demand, 1> list = std::move(it->second);
    map.erase(it);
    return list;
  }

private:
  DenseMap<Value, SmallVector<Demand, 1>> map;
};

} // namespace

/// Whether every point maps to itself. (A dimension of one index may be written
/// as that index.)
static bool isIdentity(const IndexingMap &map) {
  if (map.getNumDims() != map.getNumResults() || !map.isOrdinary() ||
      map.getNumVariables() != map.getNumDims() || !map.getConstraints().empty())
    return false;
  for (auto [i, range] : llvm::enumerate(map.getDimRanges())) {
    const Form &result = map.getResult(i);
    if (result.asAtom() != AtomId(i) &&
        !(range.isPoint() && result == Form(range.lower)))
      return false;
  }
  return true;
}

/// first, then second. Most ops are elementwise, so identities are worth a look:
/// one that excludes no point of the other map is dropped.
static DetailedMap composeEntries(const DetailedMap &firstEntry,
                                  const DetailedMap &secondEntry) {
  const IndexingMap &first = firstEntry.map, &second = secondEntry.map;
  if (!firstEntry.details && isIdentity(first) && second.isOrdinary() &&
      first.getDimRanges() == second.getDimRanges())
    return secondEntry;
  if (!secondEntry.details && isIdentity(second) && first.isOrdinary() &&
      first.getNumResults() == second.getNumDims()) {
    auto staysInside = [&](unsigned i) {
      return second.getDimRanges()[i].contains(first.getResultRange(i));
    };
    if (llvm::all_of(llvm::seq(first.getNumResults()), staysInside))
      return firstEntry;
  }
  return compose(firstEntry, secondEntry);
}

/// Adds first, then second: the union over all pairs.
template <typename FirstSet, typename SecondSet>
static void addComposed(GrowingSet &target, const FirstSet &first,
                        const SecondSet &second, const IndexingBudget &budget) {
  if (first.empty() || second.empty())
    return;
  if (first.isUnknown())
    return target.setUnknown(first.getReason());
  if (second.isUnknown())
    return target.setUnknown(second.getReason());
  for (unsigned a = 0; a < first.size(); ++a) {
    for (unsigned b = 0; b < second.size(); ++b) {
      if (target.isUnknown())
        return;
      target.insert(composeEntries(first.getEntry(a), second.getEntry(b)),
                    budget);
    }
  }
}

OpIndexing IndexingCache::composeBody(FunctionOpInterface function) {
  unsigned numResults = function.getNumResults();
  unsigned numArguments = function.getNumArguments();
  if (function.isExternal())
    return OpIndexing::unknown(numResults, numArguments,
                               IndexingReason::UnknownCallee);
  mlir::Region &body = function.getFunctionBody();
  Operation *terminator =
      body.hasOneBlock() && !body.front().empty() ? &body.front().back()
                                                  : nullptr;
  if (!terminator || !terminator->hasTrait<OpTrait::ReturnLike>() ||
      terminator->getNumOperands() != numResults)
    return OpIndexing::unknown(numResults, numArguments,
                               IndexingReason::ControlFlow);

  Demands demands;
  for (auto [r, value] : llvm::enumerate(terminator->getOperands())) {
    IndexingReason reason = IndexingReason::UnsupportedForm;
    Demand &demand = demands.get(value, r);
    IndexingMap identity = getIdentity(value, reason);
    if (identity.isUnknown()) {
      demand.setUnknown(reason);
      continue;
    }
    demand.toValue.insert({identity, nullptr}, budget);
    demand.toResult.insert({identity, nullptr}, budget);
  }

  for (Operation &op :
       llvm::drop_begin(llvm::reverse(body.front().getOperations()))) {
    SmallVector<std::pair<unsigned, SmallVector<Demand, 1>>, 1> demanded;
    for (OpResult result : op.getResults())
      if (SmallVector<Demand, 1> list = demands.take(result); !list.empty())
        demanded.emplace_back(result.getResultNumber(), std::move(list));
    if (demanded.empty())
      continue; // dead, or only for its effects
    const OpIndexing &answer = get(&op);
    OpIndexing resolved;
    if (answer.hasDetails())
      resolved = resolveSources(&op, answer, *this);
    const OpIndexing &indexing = answer.hasDetails() ? resolved : answer;
    for (auto &[result, list] : demanded) {
      for (OpOperand &operand : op.getOpOperands()) {
        unsigned o = operand.getOperandNumber();
        const IndexingSet &down = indexing.outputToInput(result, o);
        const IndexingSet &up = indexing.inputToOutput(o, result);
        if (down.empty() && up.empty())
          continue;
        for (const Demand &demand : list) {
          Demand &target = demands.get(operand.get(), demand.result);
          addComposed(target.toValue, demand.toValue, down, budget);
          addComposed(target.toResult, up, demand.toResult, budget);
        }
      }
    }
    if (op.getNumRegions() == 0)
      continue;
    for (const CapturedRead &read : getCaptured(&op)) {
      for (auto &[result, list] : demanded) {
        if (result != read.result)
          continue;
        for (const Demand &demand : list) {
          Demand &target = demands.get(read.value, demand.result);
          addComposed(target.toValue, demand.toValue, read.outputToInput,
                      budget);
          addComposed(target.toResult, read.inputToOutput, demand.toResult,
                      budget);
        }
      }
    }
  }

  OpIndexing indexing(numResults, numArguments);
  for (unsigned a = 0; a < numArguments; ++a) {
    for (Demand &demand : demands.take(body.front().getArgument(a))) {
      indexing.setOutputToInput(demand.result, a, demand.toValue.finish());
      indexing.setInputToOutput(a, demand.result, demand.toResult.finish());
    }
  }
  addSizes(function, indexing);
  return indexing;
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
