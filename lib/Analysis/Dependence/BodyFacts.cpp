//===- BodyFacts.cpp - Facts through the bodies of structured ops ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured op of linalg is scalar code at each point of its loops. Facts of
// the values in its body are over the loops:
//   1. a block argument has those of its operand, pulled back along its read;
//      linalg.index is an axis, what is captured a number everywhere;
//   2. scalar ops combine them (ElementwiseFacts.cpp);
//   3. what is yielded is the result's, along the write. If it combines something
//      with the argument that accumulates, it is reduced along the reductions.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether a scalar op may make an infinity that no fact covers.
static bool losesInfinity(StringRef name, ArrayRef<FactList> lists,
                          const FactList &result, bool isChosenByData) {
  if (name == "compare" || name == "is_finite")
    return false;
  SmallVector<IndexingMap> known;
  for (const ValueFact &fact : result)
    if (fact.getNumber())
      known.push_back(regions::withoutResults(fact.map));
  for (auto [o, list] : llvm::enumerate(lists))
    for (const ValueFact &fact : list) {
      if (!isInfinity(fact) || fact.map.getNumRuntime() != 0)
        continue;
      const double number = *fact.getNumber();
      if ((name == "maximum" && number == -INFINITY) ||
          (name == "minimum" && number == INFINITY))
        continue;
      SmallVector<IndexingMap> never(known);
      if (name == "select" && o > 0) {
        if (isChosenByData)
          continue;
        for (const ValueFact &p : lists[0])
          if (auto chosen = p.getNumber(); chosen && (*chosen != 0) == (o == 2))
            never.push_back(regions::withoutResults(p.map));
      }
      if (!regions::cutAll(regions::asIdentity(fact.map), never).empty())
        return true;
    }
  return false;
}

void ValueFacts::visitBody(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  auto op = cast<linalg::LinalgOp>(step.op);
  auto setInfinite = [&](bool mayBe) {
    for (unsigned v : step.results)
      infinite[v] =
          mayBe &&
          isFloating(getElementTypeOrSelf(program.values[v].getType()));
  };
  bool anyInfinite = false;
  for (unsigned v : step.reads)
    anyInfinite |= hasInfinities(v);
  SmallVector<int64_t> extents;
  for (unsigned axis = 0; axis < nest.axes.size(); ++axis) {
    std::optional<int64_t> extent = nest.getExtent(axis);
    if (!extent && !options.anySizes)
      return setInfinite(anyInfinite);
    extents.push_back(extent.value_or(ShapedType::kDynamic));
  }
  IndexingMap all = regions::getAll(extents);
  Block *block = op.getBlock();
  DenseMap<Value, FactList> known;
  DenseMap<Value, char> mayBe, isFixed;
  const bool hasReductions = llvm::any_of(
      nest.axes, [](const NestAxis &axis) { return axis.isReduction; });
  // 1. Arguments. What accumulates is its operand at first only.
  DenseMap<Value, FactList> initials;
  for (auto [argument, v] : llvm::zip(block->getArguments(), step.reads)) {
    const unsigned number = argument.getArgNumber();
    isFixed[argument] =
        closed[v] && !(hasReductions && number >= op.getNumDpsInputs());
    mayBe[argument] = infinite[v];
    const NestRead *read = nest.findRead(number);
    if (read && read->isRead && read->outside.empty() && nest.values.empty())
      (hasReductions && number >= op.getNumDpsInputs() ? initials
                                                       : known)[argument] =
          pull(get(v), getLoops(nest, *read));
    else
      mayBe[argument] = hasInfinities(v);
  }
  auto find = [&](Value value) -> FactList {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    // A number from outside.
    Attribute constant;
    if (!matchPattern(value, m_Constant(&constant)))
      return {};
    FactList list;
    for (ValueFact fact : getConstantFacts(constant, value.getType()))
      if (auto number = fact.getNumber())
        list.push_back(makeNumber(*number, all));
    return list;
  };
  // 2. Ops.
  for (Operation &inner : block->without_terminator()) {
    if (inner.getNumResults() != 1)
      continue;
    Value result = inner.getResult(0);
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      ValueFact fact;
      fact.kind = ValueFact::Kind::Index;
      fact.map = IndexingMap::identity(extents).withResults(
          Form::ofAtom(index.getDim()));
      known[result].push_back(std::move(fact));
      isFixed[result] = true;
      continue;
    }
    if (Attribute constant; inner.getNumOperands() == 0 &&
                            matchPattern(result, m_Constant(&constant))) {
      known[result] = find(result);
      isFixed[result] = true;
      continue;
    }
    SmallVector<FactList, 3> lists;
    SmallVector<char, 3> mayBeInfinite;
    bool fixed = true, spreads = false;
    for (Value operand : inner.getOperands()) {
      lists.push_back(find(operand));
      mayBeInfinite.push_back(mayBe.lookup(operand));
      spreads |= mayBe.lookup(operand);
      // What is captured is a constant, or not known to be one.
      fixed &= isFixed.lookup(operand) ||
               (!isFixed.count(operand) && !lists.back().empty());
    }
    StringRef name = getScalarFunction(&inner);
    if (!name.empty())
      known[result] = combine(&inner, lists, mayBeInfinite, all);
    isFixed[result] = fixed;
    const bool isChosenByData =
        name == "select" && !isFixed.lookup(inner.getOperand(0));
    mayBe[result] =
        name != "compare" &&
        (spreads || losesInfinity(name, lists, known[result], isChosenByData));
  }
  // 3. Results.
  for (auto [r, value] :
       llvm::enumerate(block->getTerminator()->getOperands())) {
    const NestAccess *write = nullptr;
    for (const NestAccess &access : nest.writes)
      if (access.value == r)
        write = &access;
    auto type =
        dyn_cast<RankedTensorType>(program.values[step.results[r]].getType());
    auto plain = write ? nest.getPlainAxes(*write) : std::nullopt;
    const bool isFloat = type && isFloating(type.getElementType());
    if (!type || !plain) {
      infinite[step.results[r]] = anyInfinite && isFloat;
      continue;
    }
    // From the result's index to the loops.
    IndexingMapBuilder builder;
    SmallVector<Form> dims = builder.addDims(type.getShape());
    SmallVector<Form> axes(extents.size());
    for (auto [d, axis] : llvm::enumerate(*plain))
      axes[axis] = dims[d];
    for (unsigned axis = 0; axis < extents.size(); ++axis) {
      if (!llvm::is_contained(*plain, axis))
        axes[axis] = builder.addSymbol(Interval::ofExtent(extents[axis]));
    }
    for (const Form &axis : axes)
      builder.addResult(axis);
    IndexingMap toLoops = builder.build();
    Value element = value;
    StringRef combiner;
    std::optional<double> initial;
    if (hasReductions) {
      Operation *last = value.getDefiningOp();
      BlockArgument accumulator = block->getArgument(op.getNumDpsInputs() + r);
      if (!last || last->getBlock() != block || last->getNumOperands() != 2 ||
          !accumulator.hasOneUse() ||
          !llvm::is_contained(last->getOperands(), accumulator)) {
        infinite[step.results[r]] = anyInfinite && isFloat;
        continue;
      }
      element = last->getOperand(last->getOperand(0) == accumulator ? 1 : 0);
      combiner = getScalarFunction(last);
      for (const ValueFact &fact : initials.lookup(accumulator))
        if (fact.getNumber() && !fact.isRounded &&
            regions::isAll(fact.map, extents))
          initial = fact.getNumber();
      mayBe[value] = mayBe.lookup(element);
      for (const ValueFact &fact : find(element)) {
        auto number = fact.getNumber();
        mayBe[value] |= number && !std::isfinite(*number) &&
                        !(combiner == "maximum" && *number < 0) &&
                        !(combiner == "minimum" && *number > 0);
      }
    }
    infinite[step.results[r]] = mayBe.lookup(value) && isFloat;
    if (!hasReductions)
      set(step.results[r], pull(find(element), toLoops));
    else if (initial && !combiner.empty())
      set(step.results[r],
          reduce(combiner, Part{find(element), toLoops}, initial,
                 type.getElementType(), regions::getAll(type.getShape())));
  }
  bodies[s] = std::move(known);
}

//===----------------------------------------------------------------------===//
// Terms that matter
//===----------------------------------------------------------------------===//

/// The number that leaves a combination unchanged; std::nullopt for others.
static std::optional<double> getNeutral(StringRef combiner) {
  return llvm::StringSwitch<std::optional<double>>(combiner)
      .Case("add", 0.0)
      .Case("maximum", -INFINITY)
      .Case("minimum", INFINITY)
      .Default(std::nullopt);
}

Box ValueFacts::dropIdleTerms(unsigned s, Box loops) const {
  auto op = dyn_cast<linalg::LinalgOp>(program.steps[s].op);
  const DenseMap<Value, FactList> *body = getBody(s);
  if (!op || !body || op->getNumResults() != 1 || loops.isEmpty())
    return loops;
  Block *block = op.getBlock();
  Operation *last = block->getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument accumulator = block->getArgument(op.getNumDpsInputs());
  if (!last || last->getBlock() != block || last->getNumOperands() != 2 ||
      !accumulator.hasOneUse() ||
      !llvm::is_contained(last->getOperands(), accumulator))
    return loops;
  const std::optional<double> neutral = getNeutral(getScalarFunction(last));
  auto facts =
      body->find(last->getOperand(last->getOperand(0) == accumulator ? 1 : 0));
  if (!neutral || facts == body->end())
    return loops;
  SmallVector<IndexingMap> idle;
  for (const ValueFact &fact : facts->second)
    if (fact.getNumber() == neutral)
      idle.push_back(regions::withoutResults(fact.map));
  if (idle.empty())
    return loops;
  auto isIdle = [&](const Box &part) {
    IndexingMapBuilder builder;
    for (auto [lo, hi] : llvm::zip_equal(part.lo, part.hi))
      builder.addResult(builder.addDim({lo, hi - 1}));
    return regions::cutAll(builder.build(), idle).empty();
  };
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  for (unsigned d = 0; d < types.size(); ++d) {
    if (types[d] != utils::IteratorType::reduction)
      continue;
    // One is kept if all are idle.
    for (const bool isLow : {true, false}) {
      int64_t dropped = 0;
      int64_t most = loops.hi[d] - loops.lo[d] - 1;
      while (dropped < most) {
        const int64_t next = (dropped + most + 1) / 2;
        Box part = loops;
        if (isLow)
          part.hi[d] = loops.lo[d] + next;
        else
          part.lo[d] = loops.hi[d] - next;
        if (isIdle(part))
          dropped = next;
        else
          most = next - 1;
      }
      if (isLow)
        loops.lo[d] += dropped;
      else
        loops.hi[d] -= dropped;
    }
  }
  return loops;
}
