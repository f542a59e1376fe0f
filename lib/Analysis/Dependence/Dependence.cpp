//===- Dependence.cpp - What a function's results depend on ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. A result starts with the identity of its shape.
//   2. Steps are visited last first; the patterns of what a step computes are
//      complete then. They are composed with the step's maps, which facts have
//      cut, and what arrives at a value is cut by where the value is fixed.
//   3. Maps that lie in another are absorbed. Where there are too many, one map
//      that contains them stands for all: intervals and distances.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Dependence.h"
#include "DerivativeFacts.h"
#include "Loops.h"
#include "Regions.h"
#include "ScalarFacts.h"

#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Maps of one result and value.
static constexpr size_t kMaxPatterns = 24;
/// Numbers that masks can add.
static constexpr double kLarge = 1e4;

std::unique_ptr<Dependence> Dependence::get(FunctionOpInterface function,
                                            IndexingCache &cache,
                                            FactOptions options) {
  std::optional<FlatProgram> program =
      FlatProgram::get(function, cache, options.maxUnrolled);
  if (!program)
    return nullptr;
  return std::unique_ptr<Dependence>(
      new Dependence(std::move(*program), cache, std::move(options)));
}

Dependence::Dependence(FlatProgram given, IndexingCache &cache,
                       FactOptions givenOptions)
    : cache(cache), pool(cache.getPool()), program(std::move(given)),
      options(std::move(givenOptions)), facts(program, cache, options),
      lists(program.results.size()), lost(program.results.size()) {
  for (unsigned v = 0; v < program.values.size(); ++v)
    for (const ValueFact &fact : facts.get(v))
      if (fact.isFixed())
        fixed[v].push_back(regions::withoutResults(fact.map));
  vague.resize(program.values.size());
  for (unsigned s = 0; s < program.steps.size() && !options.onlyDerivatives;
       ++s) {
    const ControlIndexing *loop = getLoopReads(s);
    const bool isVague = hidesNumbers(s);
    for (auto [r, v] : llvm::enumerate(program.steps[s].results))
      vague[v] = isVague || (loop && loop->isHull[r]);
  }
  if (!options.isLazy)
    findPatterns();
}

void Dependence::findPatterns() {
  for (unsigned r = 0; r < program.results.size(); ++r)
    if (lists[r].empty())
      lists[r] = trace(program.results[r], /*stop=*/-1, lost[r]);
}

/// From anywhere in the dims of `from` to every element of a shape.
static IndexingMap makeFull(ArrayRef<Interval> from, ArrayRef<int64_t> shape) {
  IndexingMapBuilder builder;
  builder.addDims(from);
  for (int64_t size : shape)
    builder.addResult(builder.addSymbol(Interval::ofExtent(size)));
  return builder.build();
}

static SmallVector<int64_t> getShape(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
    return SmallVector<int64_t>(shaped.getShape());
  IndexingReason reason;
  return getIndexSpace(type, reason).value_or(SmallVector<int64_t>());
}

static bool hasIndices(Type type) {
  IndexingReason reason = IndexingReason::None;
  if (getIndexSpace(type, reason))
    return true;
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool Dependence::addPieces(const IndexingMap &read,
                           ArrayRef<IndexingMap> pieces, ShapedType type,
                           SmallVector<StepMap, 1> &maps) {
  for (const IndexingMap &piece : pieces) {
    IndexingMap both = regions::join(piece, read);
    IndexingMap map = relate(both, type.getRank(), getExtents(type.getShape()))
                          .simplify()
                          .removeUnusedSymbols();
    if (map.isUnknown())
      return false;
    if (!regions::hasNoPoint(map))
      maps.push_back({pool.intern(map), false, nullptr});
  }
  return true;
}

/// The read of a product, where the other factors are not known to be zero.
bool Dependence::addContractMaps(unsigned s, unsigned read,
                                 SmallVector<StepMap, 1> &maps) {
  const FlatStep &step = program.steps[s];
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  if (step.results.size() != 1 || !type || !type.hasStaticShape())
    return false;
  const bool isFloat = isFloating(type.getElementType());
  if ((isFloat && !options.assumeFinite) || read > 1 ||
      !isPlainContraction(step, facts))
    return false;
  auto getZeros = [&](unsigned value) {
    SmallVector<IndexingMap> zeros;
    for (const ValueFact &fact : facts.get(value))
      if (fact.getNumber() == 0.0 && !fact.isRounded)
        zeros.push_back(fact.map);
    return zeros;
  };
  if (getZeros(step.reads[1 - read]).empty())
    return false;
  NestRef nest = getStepNest(step.op);
  if (!nest || nest->body != NestBody::Contract || nest->writes.size() != 1 ||
      !nest->values.empty())
    return false;
  const NestRead *own = nest->findRead(read);
  if (!own || !own->outside.empty() || own->reason != IndexingReason::None ||
      llvm::count_if(nest->reads,
                     [&](const NestRead &r) { return r.value == read; }) != 1)
    return false;
  SmallVector<IndexingMap, 2> loops{getLoops(*nest, nest->writes[0])};
  for (const NestRead &other : nest->reads)
    if (other.value != read && other.value < 2 && other.isRead)
      loops = cutLoops(*nest, loops, other, getZeros(step.reads[other.value]));
  if (isFloat && facts.hasInfinities(step.reads[read]))
    return false;
  finite |= isFloat;
  return addPieces(getLoops(*nest, *own), loops, type, maps);
}

/// The read of a structured op, where what its body makes of it can matter.
bool Dependence::addBodyMaps(unsigned s, unsigned result, unsigned read,
                             SmallVector<StepMap, 1> &maps) {
  const FlatStep &step = program.steps[s];
  const DenseMap<Value, FactList> *body = facts.getBody(s);
  auto type = dyn_cast<RankedTensorType>(step.op->getResult(result).getType());
  if (!body || !type || !type.hasStaticShape())
    return false;
  NestRef nest = getStepNest(step.op);
  const NestRead *own = nest->findRead(read);
  if (!own || !own->isRead || !own->outside.empty() ||
      own->reason != IndexingReason::None || !nest->values.empty() ||
      result >= nest->writes.size())
    return false;
  // Where a value need not be known: where it is fixed, and, for one use, where
  // what it is used for need not be, or does not choose it.
  Block &block = step.op->getRegion(0).front();
  SmallVector<IndexingMap> idle;
  Value value = block.getArgument(read);
  while (true) {
    auto it = body->find(value);
    if (it != body->end())
      llvm::append_range(idle, getFixedRegions(it->second));
    if (!value.hasOneUse())
      break;
    OpOperand &use = *value.getUses().begin();
    Operation *user = use.getOwner();
    if (user->getNumResults() != 1 || user->getBlock() != &block)
      break;
    if (getScalarFunction(user) == "select" && use.getOperandNumber() > 0)
      if (auto choice = body->find(user->getOperand(0)); choice != body->end())
        for (const ValueFact &fact : choice->second)
          if (auto number = fact.getNumber();
              number && (*number != 0) == (use.getOperandNumber() == 2))
            idle.push_back(regions::withoutResults(fact.map));
    value = user->getResult(0);
  }
  if (idle.empty())
    return false;
  IndexingMap loops = getLoops(*nest, nest->writes[result]);
  return addPieces(getLoops(*nest, *own),
                   regions::cutAll(loops, idle, nullptr, regions::Side::Dims),
                   type, maps);
}

/// Pairs of an element of a maximum and one that it reads, which is surely less.
SmallVector<IndexingMap> Dependence::getIdlePairs(unsigned s, unsigned read) {
  const FlatStep &step = program.steps[s];
  SmallVector<IndexingMap> idle;
  using Kind = ValueFact::Kind;
  if (read != 0 || step.results.size() != 1 ||
      getCombiner(step.op) != "maximum")
    return idle;
  for (const ValueFact &most : facts.get(step.results[0]))
    for (const ValueFact &part : facts.get(step.reads[0]))
      if (most.kind == Kind::Range && part.kind == Kind::Range &&
          part.high < most.low)
        idle.push_back(regions::getProduct(most.map, part.map));
  return idle;
}

SmallVector<Dependence::StepMap, 1>
Dependence::makeStepMaps(unsigned s, unsigned result, unsigned read) {
  const FlatStep &step = program.steps[s];
  SmallVector<StepMap, 1> maps;
  auto addUnknown = [&](Operation *culprit) {
    maps.clear();
    IndexingMap full =
        makeFull(getExtents(getShape(step.op->getResult(result).getType())),
                 getShape(program.values[step.reads[read]].getType()));
    maps.push_back({pool.intern(full), true, culprit ? culprit : step.op});
  };
  const ControlIndexing *loop = getLoopReads(s);
  if (read >= step.numOperands) {
    // What regions capture.
    const CapturedRead *own =
        &cache.getCaptured(step.op)[read - step.numOperands];
    if (own->result != result)
      return maps;
    if (loop) {
      auto it = llvm::find_if(
          loop->captured, [&, value = own->value](const CapturedRead &other) {
            return other.result == result && other.value == value;
          });
      if (it == loop->captured.end())
        return maps;
      own = &*it;
    }
    if (own->outputToInput.isUnknown())
      addUnknown(nullptr);
    for (const IndexingMap &map : own->outputToInput.getMaps())
      maps.push_back({pool.intern(regions::forgetValues(map)),
                      regions::hasValues(map), nullptr});
    return maps;
  }
  if (addBodyMaps(s, result, read, maps))
    return maps;
  maps.clear();
  if (addContractMaps(s, read, maps))
    return maps;
  maps.clear();
  const OpIndexing &indexing = loop ? loop->indexing : facts.getIndexing(s);
  if (result >= indexing.getNumResults() || read >= indexing.getNumOperands()) {
    addUnknown(nullptr);
    return maps;
  }
  const IndexingSet &set = indexing.outputToInput(result, read);
  if (set.isUnknown()) {
    addUnknown(cache.getCulprit(step.op, result, read));
    return maps;
  }
  SmallVector<IndexingMap> cuts;
  if (read > 0 && step.numOperands == 3 &&
      getScalarFunction(step.op) == "select") {
    const IndexingSet &choice = indexing.outputToInput(result, 0);
    if (choice.size() == 1 && choice.getMaps()[0].getNumSymbols() == 0)
      for (const ValueFact &fact : facts.get(step.reads[0]))
        if (auto number = fact.getNumber();
            number && (*number != 0) == (read == 2))
          cuts.push_back(regions::withoutResults(
              choice.getMaps()[0].then(fact.map).simplify()));
  }
  SmallVector<IndexingMap> idle = getIdlePairs(s, read);
  for (const IndexingMap &map : set.getMaps()) {
    bool isHull = facts.isHull(s) || regions::hasValues(map);
    for (const IndexingMap &piece : regions::cutAll(
             regions::forgetValues(map), cuts, &isHull, regions::Side::Dims)) {
      if (idle.empty()) {
        maps.push_back({pool.intern(piece), isHull, nullptr});
        continue;
      }
      // (dims) -> (dims, results), of which the idle ones are cut.
      SmallVector<Form> both;
      SmallVector<unsigned> results;
      for (unsigned i = 0; i < piece.getNumDims(); ++i)
        both.push_back(Form::ofAtom(i));
      for (const Form &form : piece.getResults()) {
        results.push_back(both.size());
        both.push_back(form);
      }
      for (const IndexingMap &rest :
           regions::cutAll(piece.withResults(both), idle))
        maps.push_back({pool.intern(rest.selectResults(results).simplify()),
                        isHull, nullptr});
    }
  }
  return maps;
}

/// Whether a constant has no element that is 0, infinite or NaN.
static bool isPlain(Value value) {
  Operation *op = value.getDefiningOp();
  auto dense = op ? op->getAttrOfType<DenseFPElementsAttr>("value")
                  : DenseFPElementsAttr();
  return dense &&
         llvm::all_of(dense.getValues<APFloat>(),
                      [](const APFloat &x) { return x.isFiniteNonZero(); });
}

/// Whether a loop is, or is inside of, an op: its maps may hold more than what
/// is read.
static bool hidesLoop(Operation *op, IndexingCache &cache) {
  auto isLoop = [](Operation *inner) { return getLoop(inner).has_value(); };
  return isLoop(op) || hasInside(op, cache, isLoop);
}

/// Whether an op combines what it reads with numbers that may decide more than
/// the maps show: constants that no fact is of, and large numbers, in which what
/// is added may be lost; or with what such an op computed.
bool Dependence::hidesNumbers(unsigned s) const {
  const FlatStep &step = program.steps[s];
  auto isFull = [&](unsigned v) {
    return vague[v] || facts.get(v).size() >= kMaxFacts;
  };
  if (llvm::all_of(step.results, [&](unsigned v) { return facts.isClosed(v); }))
    return false;
  if (llvm::any_of(step.reads, isFull) || llvm::any_of(step.results, isFull) ||
      (!facts.getLoop(s) && hidesLoop(step.op, cache)))
    return true;
  StringRef name = getScalarFunction(step.op);
  NestRef nest = getStepNest(step.op);
  const bool isContract = nest && nest->body == NestBody::Contract;
  const bool isMap =
      nest && name.empty() &&
      (nest->body == NestBody::Map || nest->body == NestBody::Opaque);
  if (step.numOperands < 2 && !isMap)
    return false;
  if (name.empty() && !isContract && !isMap)
    return false;
  const bool isSelect = name == "select";
  const bool isSum = name == "add" || name == "subtract" || isMap;
  auto known = fixed.find(step.results[0]);
  for (unsigned o = 0; o < (isSelect ? 1 : step.numOperands); ++o) {
    const unsigned v = step.reads[o];
    auto type = dyn_cast<ShapedType>(program.values[v].getType());
    if (!type || !type.hasRank())
      continue;
    // Places where a result is written have no number.
    if (const NestRead *read = nest ? nest->findRead(o) : nullptr;
        isMap && read && !read->isRead)
      continue;
    SmallVector<IndexingMap> numbers;
    for (const ValueFact &fact : facts.get(v)) {
      std::optional<double> number = fact.getNumber();
      if (number || fact.kind == ValueFact::Kind::Index)
        numbers.push_back(regions::withoutResults(fact.map));
      const bool isLarge = number && isSum && std::isfinite(*number) &&
                           std::abs(*number) >= kLarge &&
                           isa<FloatType>(type.getElementType());
      if (!isLarge && fact.kind != ValueFact::Kind::Constant)
        continue;
      // Unless the result is known there.
      auto own = dyn_cast<ShapedType>(step.op->getResult(0).getType());
      if (known == fixed.end() || !own || own.getShape() != type.getShape() ||
          !regions::cutAll(
               regions::withoutResults(fact.map).withResults(
                   IndexingMap::identity(type.getShape()).getResults()),
               known->second)
               .empty())
        return true;
    }
    if (facts.isClosed(v) && !isPlain(program.values[v]) &&
        !regions::cutAll(IndexingMap::identity(type.getShape()), numbers)
             .empty())
      return true;
  }
  return false;
}

const SmallVector<Dependence::StepMap, 1> &
Dependence::getStepMaps(unsigned step, unsigned result, unsigned read) {
  auto [it, inserted] = stepMaps.try_emplace({step, result, read});
  if (!inserted)
    return it->second;
  it->second = makeStepMaps(step, result, read);
  if (vague[program.steps[step].results[result]])
    for (StepMap &map : it->second)
      map.isHull = true;
  return it->second;
}

SmallVector<IndexingMap> Dependence::getStep(unsigned step, unsigned result,
                                             unsigned read, bool *isHull) {
  SmallVector<IndexingMap> maps;
  for (const StepMap &map : getStepMaps(step, result, read)) {
    if (isHull)
      *isHull |= map.isHull;
    const unsigned value = program.steps[step].reads[read];
    for (MapPool::Id id : restrict(map.id, value))
      maps.push_back(pool[id]);
    if (isHull)
      *isHull |= widened.count({map.id, value});
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

const SmallVector<MapPool::Id, 2> &Dependence::restrict(MapPool::Id map,
                                                        unsigned value) {
  auto [it, inserted] = restricted.try_emplace({map, value});
  if (inserted) {
    bool isMore = false;
    for (const IndexingMap &piece :
         regions::cutAll(pool[map], fixed[value], &isMore)) {
      IndexingMap own = piece.removeUnusedSymbols();
      if (own.getNumSymbols() > MapPool::kMergeSymbols)
        own = own.mergeSymbols();
      it->second.push_back(pool.intern(own));
    }
    if (isMore)
      widened.insert({map, value});
  }
  return it->second;
}

void tensoraccess::insertPattern(MapPool &pool, DependenceList &list,
                                 DependencePattern pattern) {
  if (pool[pattern.map].isKnownEmpty())
    return;
  size_t alive = 0;
  for (const DependencePattern &other : list) {
    if (other.isAbsorbed)
      continue;
    ++alive;
    if (other.map == pattern.map || pool.isContained(pattern.map, other.map))
      return;
  }
  for (DependencePattern &other : list)
    if (!other.isAbsorbed && pool.isContained(other.map, pattern.map)) {
      other.isAbsorbed = true;
      --alive;
    }
  list.push_back(std::move(pattern));
  if (alive < kMaxPatterns)
    return;
  // One map that contains all.
  SmallVector<IndexingMap> maps;
  for (const DependencePattern &other : list)
    if (!other.isAbsorbed)
      maps.push_back(pool[other.map]);
  DependencePattern hull = list.back();
  hull.map = pool.intern(regions::getHull(maps));
  hull.isHull = true;
  for (DependencePattern &other : list)
    other.isAbsorbed = true;
  list.push_back(std::move(hull));
}

std::vector<DependenceList> Dependence::trace(unsigned start, int stop,
                                              Operation *&isLost,
                                              const IndexingMap *region) {
  std::vector<DependenceList> sets(program.values.size());
  auto addTo = [&](unsigned value, DependencePattern pattern) {
    if (facts.isClosed(value))
      return;
    if (!fixed.count(value))
      return insertPattern(pool, sets[value], std::move(pattern));
    for (MapPool::Id id : restrict(pattern.map, value)) {
      DependencePattern own = pattern;
      own.map = id;
      own.isHull |= widened.count({pattern.map, value});
      insertPattern(pool, sets[value], std::move(own));
    }
  };
  Value value = program.values[start];
  if (options.onlyDerivatives && !isDifferentiable(value.getType()))
    return sets;
  IndexingReason reason = IndexingReason::UnsupportedForm;
  IndexingMap identity = cache.getIdentity(value, reason);
  if (identity.isUnknown()) {
    isLost = value.getDefiningOp() ? value.getDefiningOp()
                                   : value.getParentBlock()->getParentOp();
    return sets;
  }
  // What is written to memory is not seen in values.
  for (const FlatStep &step : program.steps)
    for (unsigned v : step.reads)
      if (isa<BaseMemRefType>(program.values[v].getType())) {
        isLost = step.op;
        return sets;
      }
  DependencePattern first;
  first.map = pool.intern(region ? regions::keep(identity, *region) : identity);
  addTo(start, std::move(first));
  for (int s = int(program.steps.size()) - 1; s >= 0; --s) {
    const FlatStep &step = program.steps[s];
    for (auto [r, from] : llvm::enumerate(step.results)) {
      if (sets[from].empty() || int(from) <= stop)
        continue;
      for (unsigned read = 0; read < step.reads.size(); ++read) {
        const unsigned target = step.reads[read];
        if (facts.isClosed(target) ||
            (options.onlyDerivatives && !hasDerivative(step, r, read)))
          continue;
        if (!hasIndices(program.values[target].getType())) {
          isLost = step.op;
          continue;
        }
        const SmallVector<StepMap, 1> &maps = getStepMaps(s, r, read);
        for (unsigned p = 0; p < sets[from].size(); ++p) {
          if (sets[from][p].isAbsorbed)
            continue;
          for (const StepMap &map : maps) {
            DependencePattern pattern;
            bool merged = false;
            pattern.map = pool.compose(sets[from][p].map, map.id, merged);
            pattern.isHull = sets[from][p].isHull || map.isHull;
            pattern.culprit = map.culprit ? map.culprit : sets[from][p].culprit;
            pattern.step = s;
            pattern.read = read;
            pattern.fromValue = from;
            pattern.fromPattern = p;
            if (pool[pattern.map].isUnknown()) {
              isLost = step.op;
              continue;
            }
            addTo(target, std::move(pattern));
          }
        }
      }
    }
  }
  return sets;
}

SmallVector<IndexingMap> Dependence::getMaps(unsigned result,
                                             unsigned argument) const {
  SmallVector<IndexingMap> maps;
  for (const DependencePattern &pattern : lists[result][argument])
    if (!pattern.isAbsorbed)
      maps.push_back(pool[pattern.map]);
  return maps;
}

std::optional<OpIndexing> Dependence::getIndexing() const {
  OpIndexing indexing(program.results.size(), program.numArguments);
  for (unsigned r = 0; r < program.results.size(); ++r) {
    if (lost[r])
      return std::nullopt;
    for (unsigned a = 0; a < program.numArguments; ++a) {
      SmallVector<IndexingMap> maps = getMaps(r, a), inverses;
      for (const IndexingMap &map : maps)
        inverses.push_back(inverse(map).value_or(IndexingMap()));
      indexing.setOutputToInput(r, a, IndexingSet::of(maps));
      indexing.setInputToOutput(a, r, IndexingSet::of(inverses));
    }
  }
  return indexing;
}

bool Dependence::isExact(unsigned result, unsigned argument) const {
  return !lost[result] && llvm::none_of(lists[result][argument],
                                        [](const DependencePattern &pattern) {
                                          return !pattern.isAbsorbed &&
                                                 pattern.isHull;
                                        });
}
