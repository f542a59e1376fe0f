//===- Derivatives.cpp - Where derivatives can be nonzero -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The chain rule on sets of pairs.
//   1. Jacobian: the dependence, by steps that have a derivative.
//   2. Sources of each value: the same from it to the arguments, forwards.
//   3. Hessian: at each step that is curved by two reads, where it has a
//      derivative in the result, the sources of one meet those of the other. With
//      the steps after and before it linear, nothing else does:
//        d²r/dx dy = sum over steps of  dr/ds  d²s/dp dq  dp/dx  dq/dy
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Derivatives.h"
#include "DerivativeFacts.h"
#include "Loops.h"
#include "Regions.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Most maps to the result for which it is asked which elements reach it.
static constexpr unsigned kMaxReached = 4;

std::unique_ptr<Derivatives> Derivatives::get(FunctionOpInterface function,
                                              IndexingCache &cache) {
  FactOptions options;
  options.assumeFinite = true;
  options.onlyDerivatives = true;
  auto dependence = Dependence::get(function, cache, std::move(options));
  if (!dependence)
    return nullptr;
  return std::unique_ptr<Derivatives>(new Derivatives(std::move(dependence)));
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getShape(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? SmallVector<int64_t>(type.getShape())
                                : SmallVector<int64_t>();
}

SparsityMaps Derivatives::makeDense(Value rows, Value columns,
                                    Operation *op) const {
  SparsityMaps answer;
  answer.isExact = false;
  answer.op = op;
  answer.reason = "what '" + op->getName().getStringRef().str() +
                  "' reads of its operands is not known";
  IndexingMapBuilder builder;
  builder.addDims(getExtents(getShape(rows)));
  for (int64_t size : getShape(columns))
    builder.addResult(builder.addSymbol(Interval::ofExtent(size)));
  answer.maps.push_back(builder.build());
  return answer;
}

SparsityMaps Derivatives::finish(const DependenceList &list) const {
  SparsityMaps answer;
  for (const DependencePattern &pattern : list) {
    if (pattern.isAbsorbed)
      continue;
    answer.maps.push_back(dependence->getCache().getPool()[pattern.map]);
    answer.isExact &= !pattern.isHull;
    if (pattern.culprit && !answer.op)
      answer.op = pattern.culprit;
  }
  if (answer.op)
    answer.reason = "what '" + answer.op->getName().getStringRef().str() +
                    "' reads of its operands is not known";
  else if (!answer.isExact)
    answer.reason = "an index is computed, or maps are too many";
  return answer;
}

SparsityMaps Derivatives::getJacobian(unsigned result, unsigned argument) {
  Value row = getValue(dependence->getProgram().results[result]);
  if (!isDifferentiable(row.getType()) ||
      !isDifferentiable(getValue(argument).getType()))
    return {};
  if (Operation *op = dependence->getLost(result))
    return makeDense(row, getValue(argument), op);
  return finish(dependence->getPatterns(result, argument));
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

void Derivatives::trace() {
  const FlatProgram &program = dependence->getProgram();
  const ValueFacts &facts = dependence->getFacts();
  MapPool &pool = dependence->getCache().getPool();
  sources.resize(program.values.size());
  for (auto &lists : sources)
    lists.resize(program.numArguments);
  for (unsigned a = 0; a < program.numArguments; ++a) {
    IndexingReason reason;
    IndexingMap identity =
        dependence->getCache().getIdentity(getValue(a), reason);
    if (!isDifferentiable(getValue(a).getType()) || identity.isUnknown())
      continue;
    DependencePattern own;
    own.map = pool.intern(identity);
    sources[a][a].push_back(own);
  }
  for (unsigned s = 0; s < program.steps.size(); ++s) {
    const FlatStep &step = program.steps[s];
    for (auto [r, value] : llvm::enumerate(step.results)) {
      if (facts.isClosed(value))
        continue;
      SmallVector<IndexingMap> fixed;
      for (const ValueFact &fact : facts.get(value))
        if (fact.isFixed())
          fixed.push_back(regions::withoutResults(fact.map));
      for (unsigned read = 0; read < step.reads.size(); ++read) {
        const auto &from = sources[step.reads[read]];
        if (llvm::all_of(from, [](auto &list) { return list.empty(); }) ||
            !hasDerivative(step, r, read))
          continue;
        bool isHull = false;
        for (const IndexingMap &map : dependence->getStep(s, r, read, &isHull))
          for (const IndexingMap &piece :
               regions::cutAll(map, fixed, nullptr, regions::Side::Dims)) {
            const MapPool::Id id = pool.intern(piece.simplify());
            for (unsigned a = 0; a < program.numArguments; ++a)
              for (const DependencePattern &source : from[a]) {
                if (source.isAbsorbed)
                  continue;
                DependencePattern own;
                bool merged = false;
                own.map = pool.compose(id, source.map, merged);
                own.isHull = isHull || source.isHull;
                own.culprit = isHull ? step.op : source.culprit;
                insertPattern(pool, sources[value][a], std::move(own));
              }
          }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

void Derivatives::addPairs(unsigned s, unsigned result, unsigned p, unsigned q,
                           bool atPoint, ArrayRef<IndexingMap> reached,
                           unsigned first, unsigned second,
                           DependenceList &pairs) {
  const FlatStep &step = dependence->getProgram().steps[s];
  MapPool &pool = dependence->getCache().getPool();
  // Points, and from them to the result's element and to those that meet.
  struct Meeting {
    IndexingMap result, first, second;
  };
  SmallVector<Meeting> meetings;
  bool isHull = false;
  auto getPlain = [](const Nest &nest, unsigned read) -> const NestRead * {
    const NestRead *own = nest.findRead(read);
    return own && own->isRead && own->outside.empty() &&
                   own->reason == IndexingReason::None &&
                   llvm::count_if(nest.reads,
                                  [&](const NestRead &other) {
                                    return other.value == read;
                                  }) == 1
               ? own
               : nullptr;
  };
  // Without reductions, points are the elements of the result.
  NestRef nest = atPoint ? getStepNest(step.op) : nullptr;
  const NestRead *reads[2] = {nullptr, nullptr};
  if (nest && nest->values.empty() && result < nest->writes.size() &&
      llvm::any_of(
          nest->axes, [](const NestAxis &axis) { return axis.isReduction; }))
    reads[0] = getPlain(*nest, p), reads[1] = getPlain(*nest, q);
  if (reads[0] && reads[1]) {
    meetings.push_back({getLoops(*nest, nest->writes[result]),
                        getLoops(*nest, *reads[0]),
                        getLoops(*nest, *reads[1])});
  } else {
    for (const IndexingMap &one : dependence->getStep(s, result, p, &isHull))
      for (const IndexingMap &other :
           dependence->getStep(s, result, q, &isHull))
        meetings.push_back({regions::asIdentity(regions::getAll(
                                getShape(getValue(step.results[result])))),
                            one, other});
  }
  const auto &left = sources[step.reads[p]][first];
  const auto &right = sources[step.reads[q]][second];
  SmallVector<int64_t> shape = getShape(getValue(first));
  for (const Meeting &meeting : meetings)
    for (const IndexingMap &region : reached) {
      IndexingMap points =
          regions::withoutResults(regions::joinAt(meeting.result, region));
      for (const DependencePattern &one : left) {
        if (one.isAbsorbed)
          continue;
        IndexingMap from =
            regions::join(points, meeting.first.then(pool[one.map]).simplify());
        if (regions::hasNoPoint(from))
          continue;
        for (const DependencePattern &other : right) {
          if (other.isAbsorbed)
            continue;
          IndexingMap both = regions::join(
              from, meeting.second.then(pool[other.map]).simplify());
          IndexingMap map = relate(both, shape.size(), getExtents(shape))
                                .simplify()
                                .removeUnusedSymbols();
          if (map.getNumSymbols() > MapPool::kMergeSymbols)
            map = map.mergeSymbols();
          if (regions::hasNoPoint(map))
            continue;
          DependencePattern own;
          own.isHull = isHull || one.isHull || other.isHull;
          own.culprit = isHull        ? step.op
                        : one.culprit ? one.culprit
                                      : other.culprit;
          if (map.isUnknown()) {
            map = makeDense(getValue(first), getValue(second), step.op).maps[0];
            own.isHull = true;
          }
          own.map = pool.intern(map);
          insertPattern(pool, pairs, std::move(own));
        }
      }
    }
}

SparsityMaps Derivatives::getHessian(unsigned result, unsigned first,
                                     unsigned second) {
  const FlatProgram &program = dependence->getProgram();
  MapPool &pool = dependence->getCache().getPool();
  if (!isDifferentiable(getValue(program.results[result]).getType()) ||
      !isDifferentiable(getValue(first).getType()) ||
      !isDifferentiable(getValue(second).getType()))
    return {};
  if (Operation *op = dependence->getLost(result))
    return makeDense(getValue(first), getValue(second), op);
  if (sources.empty())
    trace();
  DependenceList pairs;
  for (unsigned s = 0; s < program.steps.size(); ++s) {
    const FlatStep &step = program.steps[s];
    for (auto [r, value] : llvm::enumerate(step.results)) {
      // The elements that have a derivative in the result.
      SmallVector<IndexingMap> reached;
      SmallVector<int64_t> shape = getShape(getValue(value));
      for (const DependencePattern &pattern :
           dependence->getPatterns(result, value))
        if (!pattern.isAbsorbed)
          reached.push_back(
              regions::withoutResults(pool[pool.invert(pattern.map)])
                  .removeUnusedSymbols()
                  .simplify());
      if (reached.empty())
        continue;
      if (reached.size() > kMaxReached ||
          llvm::any_of(reached, [&](const IndexingMap &region) {
            return region.isUnknown() || regions::isAll(region, shape);
          }))
        reached.assign(1, regions::getAll(shape));
      for (unsigned p = 0; p < step.reads.size(); ++p)
        for (unsigned q = 0; q < step.reads.size(); ++q) {
          if (sources[step.reads[p]][first].empty() ||
              sources[step.reads[q]][second].empty() ||
              !hasDerivative(step, r, p) || !hasDerivative(step, r, q))
            continue;
          Curvature curvature = getCurvature(step, r, p, q);
          if (curvature != Curvature::None)
            addPairs(s, r, p, q, curvature == Curvature::AtPoint, reached,
                     first, second, pairs);
        }
    }
  }
  return finish(pairs);
}

std::optional<SparsityMatrix>
Derivatives::getMatrix(std::optional<unsigned> hessian) {
  SparsityMatrix matrix;
  const FlatProgram &program = dependence->getProgram();
  /// Numbers of the values that have derivatives.
  auto select = [&](unsigned count, ArrayRef<unsigned> values,
                    SmallVectorImpl<SmallVector<int64_t>> &shapes)
      -> std::optional<SmallVector<unsigned>> {
    SmallVector<unsigned> numbers;
    for (unsigned i = 0; i < count; ++i) {
      Type type = getValue(values.empty() ? i : values[i]).getType();
      if (!isa<FloatType, ComplexType>(getElementTypeOrSelf(type)))
        continue;
      if (auto shaped = dyn_cast<ShapedType>(type);
          shaped && !shaped.hasStaticShape())
        return std::nullopt;
      numbers.push_back(i);
      shapes.push_back(getShape(getValue(values.empty() ? i : values[i])));
    }
    return numbers;
  };
  auto columns = select(program.numArguments, {}, matrix.columns);
  auto rows =
      hessian ? select(program.numArguments, {}, matrix.rows)
              : select(program.results.size(), program.results, matrix.rows);
  if (!rows || !columns)
    return std::nullopt;
  for (auto [r, row] : llvm::enumerate(*rows))
    for (auto [c, column] : llvm::enumerate(*columns))
      matrix.blocks.push_back({unsigned(r), unsigned(c),
                               hessian ? getHessian(*hessian, row, column)
                                       : getJacobian(row, column)});
  return matrix;
}
