//===- LoopFacts.cpp - What holds in every trip of a loop -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a loop that is one step is a program, whose arguments are state and
// what it captures:
//   1. what is captured has its facts, the trip is a parameter, and state that
//      a trip returns as it was has the facts of its first value;
//   2. other facts of the first value are assumed, and dropped where the body
//      does not return them, until all that are left follow from each other:
//      they hold before the first trip, and after each if they did before it;
//   3. the dependence of the body, cut by these facts, is what a trip reads.
//      Models/Control.h closes that over the trips.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/Dependence.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most nested loops whose bodies are looked at.
static constexpr unsigned kMaxDepth = 8;
/// How often the body is looked at, before all that is assumed is dropped.
static constexpr unsigned kMaxRounds = 16;

static bool hasDynamicSizes(const FlatProgram &program) {
  return llvm::any_of(program.values, [](Value value) {
    auto shaped = dyn_cast<ShapedType>(value.getType());
    return shaped && !shaped.hasStaticShape();
  });
}

/// The regions of facts that say of their elements what `fact` does.
static SmallVector<IndexingMap>
getAgreeing(const ValueFact &fact, ArrayRef<ValueFact> list, bool &hasAnySign) {
  SmallVector<IndexingMap> regions;
  std::optional<double> number = fact.getNumber();
  for (const ValueFact &other : list) {
    if (number
            ? other.getNumber() != number || other.isRounded != fact.isRounded
            : fact.kind != ValueFact::Kind::Constant || !other.isFixed())
      continue;
    hasAnySign |= other.hasAnySign;
    regions.push_back(regions::withoutResults(other.map));
  }
  return regions;
}

/// Whether there is a fact of a number, or Constant, where `known` has none.
static bool hasMore(ArrayRef<ValueFact> list, ArrayRef<ValueFact> known) {
  return llvm::any_of(list, [&](const ValueFact &fact) {
    bool hasAnySign = false;
    return fact.isFixed() &&
           !regions::cutAll(
                regions::asIdentity(regions::withoutResults(fact.map)),
                getAgreeing(fact, known, hasAnySign))
                .empty();
  });
}

bool ValueFacts::visitLoop(unsigned s) {
  const FlatStep &step = program.steps[s];
  std::optional<Loop> loop = tensoraccess::getLoop(step.op);
  if (!loop || options.depth >= kMaxDepth)
    return false;
  LoopFacts own;
  own.loop = *loop;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(*loop->body->getParent(), *loop->body->getParent(),
                            captured);
  own.arguments.assign(loop->body->args_begin(), loop->body->args_end());
  llvm::append_range(own.arguments, captured);
  own.body = FlatProgram::get(*loop->body, captured.getArrayRef(), cache,
                              options.maxUnrolled);
  if (hasDynamicSizes(own.body) || own.body.results.size() != loop->numStates)
    return false;

  // 1. Which value of this program each argument is at first.
  const unsigned numArguments = own.arguments.size();
  SmallVector<std::optional<unsigned>> firsts(numArguments);
  for (unsigned q = 0; q < loop->numStates; ++q)
    firsts[loop->argument + q] = step.reads[loop->operand + q];
  for (auto [k, read] : llvm::enumerate(cache.getCaptured(step.op)))
    if (const auto *it = llvm::find(own.arguments, read.value);
        it != own.arguments.end())
      firsts[it - own.arguments.begin()] = step.reads[step.numOperands + k];
  std::vector<FactList> known(numArguments);
  SmallVector<char> isClosed(numArguments), mayBe(numArguments),
      isKept(numArguments);
  for (unsigned a = 0; a < numArguments; ++a) {
    const bool isState =
        a >= loop->argument && a < loop->argument + loop->numStates;
    isKept[a] = !isState || own.body.results[a - loop->argument] == a;
    if (!firsts[a])
      continue;
    isClosed[a] = closed[*firsts[a]];
    mayBe[a] = infinite[*firsts[a]];
    for (const ValueFact &fact : facts[*firsts[a]])
      if (isKept[a] || fact.getNumber() ||
          fact.kind == ValueFact::Kind::Constant)
        known[a].push_back(fact);
      else
        mayBe[a] |= isInfinity(fact);
  }
  own.options = options;
  ++own.options.depth;
  own.options.onlyDerivatives = false;
  std::optional<unsigned> counter;
  if (loop->counter) {
    counter = loop->counter->argument;
    own.trip = regions::getParameterName(regions::Parameter::Trip,
                                         options.depth, *loop->trips);
    // first + trip * step.
    IndexingMapBuilder builder;
    Type type = own.arguments[*counter].getType();
    if (auto shaped = dyn_cast<ShapedType>(type))
      builder.addDims(shaped.getShape());
    Form trip = regions::addParameter(builder, regions::Parameter::Trip,
                                      options.depth, *loop->trips);
    builder.addResult(builder.arena().addScaled(Form(loop->counter->first),
                                                trip, loop->counter->step));
    ValueFact fact;
    fact.kind = ValueFact::Kind::Index;
    fact.map = builder.build();
    known[*counter] = {fact};
    isClosed[*counter] = isKept[*counter] = true;
  }

  // 2. What is left of it after a trip.
  FactList later;
  bool isChanged = true, isLast = false;
  for (unsigned round = 0; isChanged; ++round) {
    own.options.promises.clear();
    own.options.closed.clear();
    own.options.infinite.clear();
    for (unsigned a = 0; a < numArguments; ++a) {
      for (const ValueFact &fact : known[a])
        own.options.promises.push_back({a, fact});
      if (isClosed[a])
        own.options.closed.push_back(a);
      if (mayBe[a])
        own.options.infinite.push_back(a);
    }
    ValueFacts inner(own.body, cache, own.options);
    isChanged = false;
    own.losesFirst.clear();
    own.losesLater.clear();
    isLast = round >= kMaxRounds;
    for (unsigned q = 0; q < loop->numStates; ++q) {
      const unsigned a = loop->argument + q, v = own.body.results[q];
      if (!isKept[a]) {
        FactList left;
        for (ValueFact fact : known[a]) {
          bool hasAnySign = fact.hasAnySign;
          if (!isLast &&
              regions::cutAll(
                  regions::asIdentity(regions::withoutResults(fact.map)),
                  getAgreeing(fact, inner.get(v), hasAnySign))
                  .empty()) {
            isChanged |= hasAnySign != fact.hasAnySign;
            fact.hasAnySign = hasAnySign;
            left.push_back(std::move(fact));
            continue;
          }
          isChanged = true;
          mayBe[a] |= isInfinity(fact);
        }
        known[a] = std::move(left);
        if (isClosed[a] && (isLast || !inner.isClosed(v)))
          isChanged = true, isClosed[a] = false;
        bool isInfinite = mayBe[a] || inner.mayBeInfinite(v);
        for (const ValueFact &fact : inner.get(v))
          isInfinite |= isInfinity(fact) && hasMore({fact}, known[a]);
        if (isInfinite && !mayBe[a])
          isChanged = mayBe[a] = true;
      }
      ArrayRef<ValueFact> first = get(*firsts[a]);
      const bool isCounter = a == counter;
      auto isOpen = [&] {
        auto type = dyn_cast<ShapedType>(own.arguments[a].getType());
        return !type || !regions::cutAll(IndexingMap::identity(type.getShape()),
                                         getFixedRegions(known[a]))
                             .empty();
      };
      own.losesFirst.push_back(
          !isKept[a] &&
          (hasMore(first, known[a]) || (closed[*firsts[a]] && isOpen())));
      own.losesLater.push_back(!isKept[a] && !isCounter &&
                               hasMore(inner.get(v), known[a]));
    }
    if (!isChanged)
      finite |= inner.usesFinite();
  }

  // What holds after the last trip, which may be none. If data choose which one
  // is the last, only what is the same in all.
  const bool isChosen =
      !loop->trips &&
      !llvm::all_of(step.reads, [&](unsigned read) { return closed[read]; });
  for (unsigned q = 0; q < loop->numStates; ++q) {
    const unsigned a = loop->argument + q, v = step.results[q];
    closed[v] = isClosed[a] && (!isChosen || isKept[a]);
    infinite[v] = mayBe[a] &&
                  isFloating(getElementTypeOrSelf(program.values[v].getType()));
    if (a == counter)
      continue;
    if (isChosen && !isKept[a])
      llvm::erase_if(known[a], [](const ValueFact &fact) {
        return !fact.getNumber() || fact.isRounded;
      });
    set(v, known[a]);
  }
  loops.emplace(s, std::move(own));
  return true;
}

const ControlIndexing *Dependence::getLoopReads(unsigned s) {
  const LoopFacts *own = facts.getLoop(s);
  if (!own)
    return nullptr;
  auto [it, isNew] = loopReads.try_emplace(s);
  if (!isNew)
    return it->second ? &*it->second : nullptr;
  // 3. A trip.
  const unsigned numStates = own->loop.numStates;
  std::unique_ptr<Dependence> trip(
      new Dependence(own->body, cache, own->options));
  finite |= trip->usesFinite();
  RegionReads body;
  body.operands = own->arguments;
  body.trip = own->trip;
  body.indexing = OpIndexing(numStates, own->arguments.size());
  for (unsigned p = 0; p < numStates; ++p) {
    bool isHull = trip->lost[p] || own->losesLater[p];
    for (unsigned a = 0; a < own->arguments.size(); ++a) {
      isHull |= !trip->isExact(p, a);
      body.indexing.setOutputToInput(
          p, a,
          trip->lost[p] ? IndexingSet::unknown(IndexingReason::UnsupportedForm)
                        : IndexingSet::of(trip->getMaps(p, a)));
    }
    body.isHull.push_back(isHull);
  }
  Operation *op = program.steps[s].op;
  it->second = getLoopIndexing(op, own->loop, body, cache);
  if (!it->second)
    return nullptr;
  // Numbers of a first value that is read may determine more.
  for (unsigned r = 0; r < numStates; ++r)
    for (unsigned q = 0; q < numStates; ++q) {
      const IndexingSet &set =
          it->second->indexing.outputToInput(r, own->loop.operand + q);
      it->second->isHull[r] |=
          own->losesFirst[q] && (set.isUnknown() || set.size() != 0);
    }
  return &*it->second;
}
