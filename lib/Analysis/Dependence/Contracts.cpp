//===- Contracts.cpp - What a function may depend on ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A contract is regions of forbidden pairs, over the indices of a result and
//    an argument, and promises about arguments, at places that are parameters.
// 2. The function's dependence is asked for, at first if all is finite.
// 3. Each of its maps is held against each region. What is left is a violation,
//    and the op that causes it is looked for on the way that the map came.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Contracts.h"
#include "Regions.h"
#include "ScalarFacts.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;
using regions::Parameter;

/// Ops that loops are unrolled into at first.
static constexpr size_t kFewUnrolled = 64;

static ArrayRef<int64_t> getShapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getShape() : ArrayRef<int64_t>();
}

//===----------------------------------------------------------------------===//
// Forbidden pairs
//===----------------------------------------------------------------------===//

namespace {
/// A region of pairs under construction.
struct Pairs {
  IndexingMapBuilder builder;
  SmallVector<Form> out, in;

  Pairs(ArrayRef<int64_t> outShape, ArrayRef<int64_t> inShape) {
    for (int64_t size : outShape)
      out.push_back(builder.addDim(Interval::ofExtent(size)));
    for (int64_t size : inShape)
      in.push_back(builder.addDim(Interval::ofExtent(size)));
  }
  void require(const Form &a, const Form &b, Interval interval) {
    builder.addConstraint(builder.arena().sub(a, b), interval);
  }
};
} // namespace

static bool beginsWith(ArrayRef<int64_t> shape, ArrayRef<int64_t> front) {
  return shape.size() >= front.size() &&
         shape.take_front(front.size()) == front;
}

/// Elements at two places of a row of segment numbers, which differ there;
/// without a shape `in`, at the first of them.
static SmallVector<IndexingMap, 4> getForeignPairs(ArrayRef<int64_t> shape,
                                                   ArrayRef<int64_t> out,
                                                   ArrayRef<int64_t> in) {
  SmallVector<IndexingMap, 4> forbidden;
  for (bool isBefore : {false, true}) {
    Pairs pairs(out, in);
    SmallVector<Form> places;
    for (auto [i, size] : llvm::enumerate(shape))
      places.push_back(
          regions::addParameter(pairs.builder, Parameter::FirstPlace, i, size));
    Form other = regions::addParameter(pairs.builder, Parameter::SecondPlace, 0,
                                       shape.back());
    for (unsigned i = 0; i < shape.size(); ++i) {
      const bool isLast = i + 1 == shape.size();
      pairs.require(pairs.out[i], places[i], Interval::point(0));
      if (!in.empty())
        pairs.require(pairs.in[i], isLast ? other : places[i],
                      Interval::point(0));
    }
    pairs.require(other, places.back(),
                  isBefore ? Interval::atMost(-1) : Interval::atLeast(1));
    forbidden.push_back(pairs.builder.build());
  }
  return forbidden;
}

/// Elements of different rows.
static SmallVector<IndexingMap, 2> getOtherRows(ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> out,
                                                ArrayRef<int64_t> in) {
  SmallVector<IndexingMap, 2> others;
  for (unsigned i = 0; i + 1 < shape.size(); ++i)
    for (Interval interval : {Interval::atMost(-1), Interval::atLeast(1)}) {
      Pairs pairs(out, in);
      pairs.require(pairs.out[i], pairs.in[i], interval);
      others.push_back(pairs.builder.build());
    }
  return others;
}

std::vector<Obligation>
tensoraccess::getObligations(const Contract &contract,
                             FunctionOpInterface function) {
  using Kind = Contract::Kind;
  std::vector<Obligation> obligations;
  for (unsigned r = 0; r < function.getNumResults(); ++r) {
    if (contract.result && *contract.result != r)
      continue;
    ArrayRef<int64_t> out = getShapeOf(function.getResultTypes()[r]);
    for (unsigned a = 0; a < function.getNumArguments(); ++a) {
      ArrayRef<int64_t> in = getShapeOf(function.getArgumentTypes()[a]);
      if (contract.kind != Kind::Segments && a != contract.argument)
        continue;
      Obligation obligation{r, a, {}, std::nullopt};
      auto addDistance = [&](Interval interval) {
        Pairs pairs(out, in);
        pairs.require(pairs.in[contract.argumentDim],
                      pairs.out[contract.resultDim], interval);
        obligation.forbidden.push_back(pairs.builder.build());
      };
      switch (contract.kind) {
      case Kind::Causal:
        addDistance(Interval::atLeast(1));
        break;
      case Kind::Independent:
        addDistance(Interval::atLeast(1));
        addDistance(Interval::atMost(-1));
        break;
      case Kind::Within:
        addDistance(Interval::atLeast(contract.future + 1));
        addDistance(Interval::atMost(-contract.past - 1));
        break;
      case Kind::Ignores: {
        ArrayRef<int64_t> places =
            contract.where
                ? getShapeOf(function.getArgumentTypes()[*contract.where])
                : ArrayRef<int64_t>();
        // Outputs elsewhere: before or after the place in some dimension.
        const unsigned ways = contract.isOutputWhere ? 2 * places.size() : 1;
        for (unsigned way = 0; way < ways; ++way) {
          Pairs pairs(out, in);
          SmallVector<Form> parameters;
          for (auto [i, size] : llvm::enumerate(places))
            parameters.push_back(regions::addParameter(
                pairs.builder, Parameter::FirstPlace, i, size));
          for (auto [i, place] : llvm::enumerate(parameters))
            pairs.require(pairs.in[i], place, Interval::point(0));
          if (contract.isOutputWhere)
            pairs.require(pairs.out[way / 2], parameters[way / 2],
                          way % 2 ? Interval::atLeast(1)
                                  : Interval::atMost(-1));
          if (contract.interval)
            pairs.builder.addConstraint(pairs.in[contract.argumentDim],
                                        *contract.interval);
          obligation.forbidden.push_back(pairs.builder.build());
        }
        break;
      }
      case Kind::Segments: {
        ArrayRef<int64_t> shape =
            getShapeOf(function.getArgumentTypes()[contract.argument]);
        if (a == contract.argument || !beginsWith(out, shape) ||
            !beginsWith(in, shape))
          continue;
        obligation.forbidden = getForeignPairs(shape, out, in);
        break;
      }
      case Kind::Reads:
        obligation.allowed = contract.map;
        break;
      }
      obligations.push_back(std::move(obligation));
    }
  }
  return obligations;
}

/// What is promised of arguments.
static void addPromises(const Contract &contract, FunctionOpInterface function,
                        FactOptions &options) {
  if (contract.where) {
    ArrayRef<int64_t> shape =
        getShapeOf(function.getArgumentTypes()[*contract.where]);
    IndexingMapBuilder builder;
    SmallVector<Form> dims = builder.addDims(shape);
    for (auto [i, size] : llvm::enumerate(shape)) {
      Form place =
          regions::addParameter(builder, Parameter::FirstPlace, i, size);
      builder.addConstraint(builder.arena().sub(dims[i], place),
                            Interval::point(0));
    }
    FactPromise promise;
    promise.argument = *contract.where;
    promise.fact = makeNumber(contract.number, builder.build());
    promise.fact.hasAnySign = contract.number == 0;
    options.promises.push_back(std::move(promise));
  }
  if (contract.kind == Contract::Kind::Segments) {
    ArrayRef<int64_t> shape =
        getShapeOf(function.getArgumentTypes()[contract.argument]);
    FactPromise promise;
    promise.argument = contract.argument;
    promise.fact.kind = ValueFact::Kind::Copy;
    promise.fact.argument = contract.argument;
    promise.fact.map = IndexingMap::identity(shape);
    options.promises.push_back(std::move(promise));
    DifferentPlaces different;
    different.argument = contract.argument;
    for (bool isSecond : {false, true}) {
      IndexingMapBuilder builder;
      SmallVector<Form> places;
      for (auto [i, size] : llvm::enumerate(shape))
        places.push_back(isSecond && i + 1 == shape.size()
                             ? regions::addParameter(
                                   builder, Parameter::SecondPlace, 0, size)
                             : regions::addParameter(
                                   builder, Parameter::FirstPlace, i, size));
      for (const Form &place : places)
        builder.addResult(place);
      (isSecond ? different.second : different.first) = builder.build();
    }
    options.different = std::move(different);
  }
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

Dependence *ContractProver::getDependence(const Contract &contract, Level level,
                                          bool unrolls,
                                          std::unique_ptr<Dependence> &own) {
  FactOptions options;
  if (!unrolls)
    options.maxUnrolled = kFewUnrolled;
  options.assumeFinite = level != Always;
  addPromises(contract, function, options);
  const bool isPlain = options.promises.empty();
  options.isLazy = contract.kind == Contract::Kind::Segments;
  std::unique_ptr<Dependence> &kept = isPlain ? plain[unrolls][level] : own;
  if (kept)
    return kept.get();
  for (const Assumption &assumption : assumptions) {
    IndexingReason reason;
    auto shape =
        getIndexSpace(function.getArgumentTypes()[assumption.argument], reason);
    if (level != Bounded || !shape)
      continue;
    FactPromise promise;
    promise.argument = assumption.argument;
    promise.fact.kind = ValueFact::Kind::Range;
    promise.fact.low = assumption.low;
    promise.fact.high = assumption.high;
    promise.fact.map = regions::getAll(*shape);
    options.promises.push_back(std::move(promise));
  }
  kept = Dependence::get(function, cache, std::move(options));
  return kept.get();
}

/// (dims) -> (dims, results).
static IndexingMap getPairs(const IndexingMap &map) {
  SmallVector<Form> results;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    results.push_back(Form::ofAtom(i));
  llvm::append_range(results, map.getResults());
  return map.withResults(results);
}

/// Segments are classes: what stays in them from a value to one before it, and
/// from there to the arguments, stays in them altogether. All that the result
/// depends on must come through the values in between.
bool ContractProver::holdsByParts(const Contract &contract,
                                  Dependence &dependence, unsigned result) {
  const FlatProgram &program = dependence.getProgram();
  ArrayRef<int64_t> shape =
      getShapeOf(function.getArgumentTypes()[contract.argument]);
  auto getShape = [&](unsigned v) {
    return getShapeOf(program.values[v].getType());
  };
  // Values that depend on arguments of which something is forbidden.
  std::vector<char> matters(program.values.size());
  std::vector<const FlatStep *> producers(program.values.size());
  for (unsigned a = 0; a < program.numArguments; ++a)
    matters[a] = a != contract.argument && beginsWith(getShape(a), shape);
  for (const FlatStep &step : program.steps)
    for (unsigned v : step.results) {
      producers[v] = &step;
      matters[v] = llvm::any_of(step.reads, [&](unsigned read) {
        return matters[read] && !dependence.getFacts().isClosed(read);
      });
    }
  // From one value that everything comes through to the next, at the first of
  // two places.
  unsigned from = program.results[result];
  auto isPart = [&](int stop, ArrayRef<unsigned> targets) {
    for (const IndexingMap &places :
         getForeignPairs(shape, getShape(from), {})) {
      Operation *lost = nullptr;
      std::vector<DependenceList> lists =
          dependence.trace(from, stop, lost, &places);
      if (lost)
        return false;
      for (unsigned v : targets) {
        SmallVector<IndexingMap, 4> forbidden =
            getForeignPairs(shape, getShape(from), getShape(v));
        llvm::append_range(forbidden,
                           getOtherRows(shape, getShape(from), getShape(v)));
        for (const DependencePattern &pattern : lists[v])
          for (const IndexingMap &region : forbidden)
            if (!pattern.isAbsorbed &&
                !regions::hasNoPoint(regions::keep(
                    getPairs(cache.getPool()[pattern.map]), region)))
              return false;
      }
    }
    return true;
  };
  std::set<unsigned> open{from};
  while (!open.empty()) {
    const unsigned v = *open.rbegin();
    if (v < program.numArguments)
      return isPart(-1, SmallVector<unsigned>(open.begin(), open.end()));
    if (open.size() == 1 && v != from && beginsWith(getShape(v), shape)) {
      if (!isPart(v, v))
        return false;
      from = v;
    }
    open.erase(v);
    for (unsigned read : producers[v]->reads)
      if (matters[read] && !dependence.getFacts().isClosed(read))
        open.insert(read);
  }
  return true;
}

std::vector<Violation> ContractProver::findViolations(const Contract &contract,
                                                      Dependence &dependence,
                                                      bool isQuick) {
  std::vector<Violation> violations;
  MapPool &pool = cache.getPool();
  std::map<unsigned, bool> byParts;
  for (const Obligation &obligation : getObligations(contract, function)) {
    Violation violation;
    violation.result = obligation.result;
    violation.argument = obligation.argument;
    if (contract.kind == Contract::Kind::Segments) {
      auto [it, isNew] = byParts.try_emplace(obligation.result);
      if (isNew)
        it->second = holdsByParts(contract, dependence, obligation.result);
      if (it->second)
        continue;
      if (isQuick)
        return {violation};
      dependence.findPatterns();
    }
    if (Operation *op = dependence.getLost(obligation.result)) {
      violation.op = op;
      violation.isHull = true;
      violations.push_back(violation);
      continue;
    }
    const DependenceList &list =
        dependence.getPatterns(obligation.result, obligation.argument);
    for (auto [p, pattern] : llvm::enumerate(list)) {
      if (pattern.isAbsorbed)
        continue;
      const IndexingMap &map = pool[pattern.map];
      violation.isHull = pattern.isHull;
      if (obligation.allowed) {
        if (isContainedIn(map, *obligation.allowed))
          continue;
        violation.pairs = getPairs(map);
        violation.op = pattern.culprit;
        violations.push_back(violation);
        continue;
      }
      for (const IndexingMap &forbidden : obligation.forbidden) {
        IndexingMap pairs = regions::keep(getPairs(map), forbidden);
        if (regions::hasNoPoint(pairs))
          continue;
        violation.pairs = pairs;
        violation.op = pattern.culprit;
        if (isQuick)
          return {violation};
        if (!violation.op)
          violation.op = findOp(contract, dependence, violation, p);
        violations.push_back(violation);
        break;
      }
    }
  }
  return violations;
}

/// The distances, input less output, that a contract forbids along dimensions.
static SmallVector<Interval> getDistances(const Contract &contract) {
  switch (contract.kind) {
  case Contract::Kind::Causal:
    return {Interval::atLeast(1)};
  case Contract::Kind::Independent:
    return {Interval::atLeast(1), Interval::atMost(-1)};
  case Contract::Kind::Within:
    return {Interval::atLeast(contract.future + 1),
            Interval::atMost(-contract.past - 1)};
  default:
    return {};
  }
}

/// Whether no dimension of a value, held against the input's, keeps what the
/// contract says of the result's.
static bool isMixed(const Contract &contract, ArrayRef<IndexingMap> reach) {
  for (unsigned dim = 0; !reach.empty() && dim < reach[0].getNumDims(); ++dim) {
    bool isKept = true;
    for (const IndexingMap &map : reach) {
      FormArena arena = map.getArena();
      Form distance =
          arena.sub(map.getResult(contract.argumentDim), Form::ofAtom(dim));
      for (Interval interval : getDistances(contract))
        isKept &= regions::hasNoPoint(
            map.withConstraint(arena, distance, interval).simplify());
    }
    if (isKept)
      return false;
  }
  return true;
}

/// Follows the way of a pattern from the argument to the result, and looks for
/// the op after which no dimension keeps the contract any more. For contracts that
/// name no dimension: the op that has several ways to read, or the last.
Operation *ContractProver::findOp(const Contract &contract,
                                  Dependence &dependence,
                                  const Violation &violation,
                                  unsigned pattern) {
  const FlatProgram &program = dependence.getProgram();
  const DependencePattern *at =
      &dependence.getPatterns(violation.result, violation.argument)[pattern];
  std::vector<IndexingMap> reach{IndexingMap::identity(
      getShapeOf(function.getArgumentTypes()[violation.argument]))};
  Operation *found = nullptr, *last = nullptr;
  bool isLost = getDistances(contract).empty();
  while (at->step >= 0) {
    const FlatStep &step = program.steps[at->step];
    last = step.op;
    unsigned result = 0;
    while (step.results[result] != at->fromValue)
      ++result;
    std::vector<IndexingMap> next;
    for (const IndexingMap &map :
         dependence.getStep(at->step, result, at->read))
      for (const IndexingMap &rest : reach)
        next.push_back(map.then(rest).simplify().removeUnusedSymbols());
    llvm::erase_if(next, [](const IndexingMap &map) {
      return map.isUnknown() || regions::hasNoPoint(map);
    });
    isLost |= next.empty() || next.size() > 8;
    if (!isLost) {
      reach = std::move(next);
      if (!isMixed(contract, reach))
        found = nullptr;
      else if (!found)
        found = step.op;
    } else if (!found && getNest(OpSignature(step.op))->hasLoops() &&
               getScalarFunction(step.op).empty()) {
      NestRef nest = getNest(OpSignature(step.op));
      if (nest->body == NestBody::Reduce || nest->body == NestBody::Contract)
        found = step.op;
    }
    at = &dependence.getPatterns(violation.result,
                                 at->fromValue)[at->fromPattern];
  }
  return found ? found : last;
}

/// The lowest finite number that a program which has exponentials may mask by.
static std::optional<double> findMask(const Dependence &dependence) {
  const FlatProgram &program = dependence.getProgram();
  if (llvm::none_of(program.steps, [](const FlatStep &step) {
        return getScalarFunction(step.op) == "exponential";
      }))
    return std::nullopt;
  std::optional<double> least;
  for (auto [v, value] : llvm::enumerate(program.values))
    for (const ValueFact &fact : dependence.getFacts().get(v))
      if (auto number = fact.getNumber();
          number && std::isfinite(*number) && *number <= -50 &&
          *number < least.value_or(0) &&
          isa<FloatType>(getElementTypeOrSelf(value.getType())))
        least = number;
  return least;
}

ContractAnswer ContractProver::prove(const Contract &contract) {
  ContractAnswer answer = prove(contract, /*unrolls=*/false);
  return answer.isProved || !keepsLoops ? answer
                                        : prove(contract, /*unrolls=*/true);
}

ContractAnswer ContractProver::prove(const Contract &contract, bool unrolls) {
  ContractAnswer answer;
  std::unique_ptr<Dependence> own[3];
  auto get = [&](Level level) {
    return getDependence(contract, level, unrolls, own[level]);
  };
  auto ask = [&](Level level) -> std::optional<std::vector<Violation>> {
    Dependence *dependence = get(level);
    if (!dependence)
      return std::nullopt;
    keepsLoops = dependence->getProgram().keepsLoops;
    // Whether there are some decides about a condition.
    return findViolations(contract, *dependence, /*isQuick=*/level == Always);
  };
  auto violations = ask(Finite);
  if (!violations) {
    answer.reason = "the function has no body of one block";
    return answer;
  }
  if (violations->empty()) {
    answer.isProved = true;
    if (get(Finite)->usesFinite() && !ask(Always)->empty())
      answer.condition = "if finite";
    return answer;
  }
  if (!assumptions.empty() && ask(Bounded)->empty()) {
    answer.isProved = true;
    answer.condition = "if finite";
    for (const Assumption &assumption : assumptions)
      answer.condition += " and " + assumption.text;
    return answer;
  }
  answer.violations = std::move(*violations);
  const Violation &first = answer.violations.front();
  llvm::raw_string_ostream os(answer.reason);
  os << "result " << first.result << " may depend on arg " << first.argument;
  if (first.op)
    os << " through " << first.op->getName();
  if (first.isHull)
    os << ", whose reads are not known exactly";
  if (auto mask = findMask(*get(Finite)))
    os << "; a mask of " << llvm::format("%g", *mask) << " is finite: "
       << (assumptions.empty()
               ? "bound the arguments that it is compared with by assume, as "
                 "in "
                 "'|arg 0| <= 100'"
               : "the bounds that are assumed do not make its exponentials 0");
  return answer;
}
