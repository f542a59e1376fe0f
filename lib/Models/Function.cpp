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

#include "TensorAccess/Models/Indexing.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// The sets between one value and one result of the function.
struct Demand {
  unsigned result;
  /// From the result to the value, and back.
  IndexingSet toValue, toResult;
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

/// first, then second: the union over all pairs. Maps of ops stay inside of the
/// operand's index space, so an identity needs no composition.
IndexingSet IndexingCache::compose(const IndexingSet &first,
                                   const IndexingSet &second) {
  if (first.empty() || second.empty())
    return {};
  if (first.isUnknown())
    return first;
  if (second.isUnknown())
    return second;
  IndexingSet result;
  for (const IndexingMap &a : first.getMaps()) {
    for (const IndexingMap &b : second.getMaps()) {
      if (a.isIdentity() || b.isIdentity()) {
        result.insert(a.isIdentity() ? b : a);
        continue;
      }
      IndexingMap map = a.then(b).simplify().removeUnusedSymbols();
      if (map.getNumVariables() > budget.maxVariables ||
          map.getConstraints().size() > budget.maxConstraints)
        return IndexingSet::unknown(IndexingReason::Budget);
      result.insert(map);
      if (result.getMaps().size() > budget.maxMaps)
        return IndexingSet::unknown(IndexingReason::Budget);
    }
  }
  return result;
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

  auto addTo = [&](IndexingSet &set, const IndexingSet &more) {
    set.insert(more);
    if (set.getMaps().size() > budget.maxMaps)
      set = IndexingSet::unknown(IndexingReason::Budget);
  };
  Demands demands;
  for (auto [r, value] : llvm::enumerate(terminator->getOperands())) {
    IndexingReason reason = IndexingReason::UnsupportedForm;
    IndexingSet set;
    if (auto access = dyn_cast<AccessType>(value.getType()))
      set = access.hasStaticShape()
                ? IndexingSet(
                      IndexingMap::identity(access.getShape()).simplify())
                : IndexingSet::unknown(IndexingReason::DynamicShape);
    else if (auto shape = getIndexSpace(value.getType(), reason))
      set = IndexingMap::identity(*shape).simplify();
    else
      set = IndexingSet::unknown(reason);
    Demand &demand = demands.get(value, r);
    demand.toValue = set;
    demand.toResult = set;
  }

  for (Operation &op :
       llvm::drop_begin(llvm::reverse(body.front().getOperations()))) {
    SmallVector<std::pair<unsigned, SmallVector<Demand, 1>>, 1> demanded;
    for (OpResult result : op.getResults())
      if (SmallVector<Demand, 1> list = demands.take(result); !list.empty())
        demanded.emplace_back(result.getResultNumber(), std::move(list));
    if (demanded.empty())
      continue; // dead, or only for its effects
    const OpIndexing &indexing = get(&op);
    for (auto &[result, list] : demanded) {
      for (OpOperand &operand : op.getOpOperands()) {
        unsigned o = operand.getOperandNumber();
        const IndexingSet &down = indexing.outputToInput(result, o);
        const IndexingSet &up = indexing.inputToOutput(o, result);
        if (down.empty() && up.empty())
          continue;
        for (const Demand &demand : list) {
          Demand &target = demands.get(operand.get(), demand.result);
          addTo(target.toValue, compose(demand.toValue, down));
          addTo(target.toResult, compose(up, demand.toResult));
        }
      }
    }
    // Values that a region reads directly have no map. (A constant ends here
    // without harm: it has no operands to pass this on to.)
    if (op.getNumRegions() == 0)
      continue;
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    for (Value value : captured) {
      for (auto &[result, list] : demanded) {
        for (const Demand &demand : list) {
          Demand &target = demands.get(value, demand.result);
          IndexingSet set = IndexingSet::unknown(IndexingReason::Captured);
          addTo(target.toValue, set);
          addTo(target.toResult, set);
        }
      }
    }
  }

  OpIndexing indexing(numResults, numArguments);
  for (unsigned a = 0; a < numArguments; ++a) {
    for (Demand &demand : demands.take(body.front().getArgument(a))) {
      indexing.setOutputToInput(demand.result, a, std::move(demand.toValue));
      indexing.setInputToOutput(a, demand.result, std::move(demand.toResult));
    }
  }
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
