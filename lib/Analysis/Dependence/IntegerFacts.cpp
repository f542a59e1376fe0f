//===- IntegerFacts.cpp - Between which integers values are ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an index is computed from values, bounds of it bound what is read:
//   1. by scalar functions of intervals, exactly: a result that its type does not
//      hold may wrap, and may be anything. What nothing is known of is a number
//      of its type;
//   2. by choices: what is selected is bounded as each branch is where it is
//      chosen, so that `i < 0 ? i + n : i` of i in [-n, n - 1] is in [0, n - 1];
//   3. what is sorted, or the argument of a maximum, is one of the elements.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Predicates that are looked into, in each other.
static constexpr unsigned kMaxDepth = 6;
/// Ranges of one value.
static constexpr size_t kMaxRanges = 8;

std::optional<Interval> tensoraccess::getIntegers(const ValueFact &fact) {
  auto round = [](double x, int64_t none) {
    return std::abs(x) <= kMaxInteger ? int64_t(x) : none;
  };
  if (fact.kind == ValueFact::Kind::Range)
    return Interval(round(std::ceil(fact.low), Interval::kNoLower),
                    round(std::floor(fact.high), Interval::kNoUpper));
  if (fact.kind != ValueFact::Kind::Index || fact.isRounded)
    return std::nullopt;
  return fact.map.getArena().range(fact.map.getResult(0));
}

/// The integers of a type; all, if it has others or more of them.
static Interval getIntegers(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 53)
    return Interval::all();
  const int64_t count = int64_t(1) << integer.getWidth();
  return integer.isUnsigned() || integer.getWidth() == 1
             ? Interval(0, count - 1)
             : Interval(-count / 2, count / 2 - 1);
}

/// What a function of integers gives, which a type holds.
static Interval evaluateIntervals(StringRef name, ArrayRef<Interval> x,
                                  Type from, Type type) {
  const Interval any = getIntegers(type);
  auto ifHeld = [&](Interval result) {
    return result.isFinite() && any.contains(result) ? result : any;
  };
  if (x.size() == 1) {
    if (name == "convert" && isa<IntegerType, IndexType>(from))
      return any.contains(x[0]) && (x[0].isFinite() || from == type) ? x[0]
                                                                     : any;
    if (name == "negate")
      return ifHeld(-x[0]);
    if (name == "abs")
      return x[0].lower >= 0
                 ? x[0]
                 : ifHeld(Interval(std::max((-x[0]).lower, int64_t(0)),
                                   std::max(x[0].upper, (-x[0]).upper)));
    if (name == "sign")
      return Interval(-1, 1).intersect(any);
    return any;
  }
  if (name == "clamp" && x.size() == 3)
    return {std::min(std::max(x[1].lower, x[0].lower), x[2].lower),
            std::min(std::max(x[1].upper, x[0].upper), x[2].upper)};
  if (x.size() != 2)
    return any;
  const Interval &a = x[0], &b = x[1];
  if (name == "maximum")
    return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
  if (name == "minimum")
    return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
  if (name == "add")
    return ifHeld(a + b);
  if (name == "subtract")
    return ifHeld(a - b);
  if (name == "multiply")
    return ifHeld(a * b);
  // Rounded to zero.
  if (name == "divide" && b.isPoint() && b.lower > 0 && a.isFinite())
    return {a.lower / b.lower, a.upper / b.lower};
  // Of the sign of the dividend.
  if (name == "remainder" && b.isFinite() && !b.contains(0)) {
    const int64_t most = std::max(b.upper, (-b).upper) - 1;
    return {a.lower >= 0 ? 0 : std::max(a.lower, -most),
            a.upper <= 0 ? 0 : std::min(a.upper, most)};
  }
  if (name == "and" && (a.lower >= 0 || b.lower >= 0))
    return {0, std::min(a.lower >= 0 ? a.upper : Interval::kNoUpper,
                        b.lower >= 0 ? b.upper : Interval::kNoUpper)};
  if (name.starts_with("shift_right") && a.lower >= 0 && a.hasUpper() &&
      b.lower >= 0)
    return {0, b.lower < 63 ? a.upper >> b.lower : 0};
  return any;
}

//===----------------------------------------------------------------------===//
// All elements of a value
//===----------------------------------------------------------------------===//

Interval ValueFacts::getIntegers(unsigned value) const {
  auto type = dyn_cast<ShapedType>(program.values[value].getType());
  if (!type || !type.hasStaticShape())
    return Interval::all();
  const Interval any = ::getIntegers(type.getElementType());
  Interval hull(0, -1);
  SmallVector<IndexingMap> regions;
  for (const ValueFact &fact : facts[value])
    if (std::optional<Interval> integers = tensoraccess::getIntegers(fact)) {
      regions.push_back(regions::withoutResults(fact.map));
      hull = hull.hull(*integers);
    }
  return !hull.isEmpty() && regions::cutAll(
                                IndexingMap::identity(type.getShape()), regions)
                                .empty()
             ? hull.intersect(any)
             : any;
}

Interval ValueFacts::getIntegersIf(unsigned value, unsigned predicate,
                                   bool holds, unsigned depth) const {
  const FlatStep *step = getProducer(predicate);
  Interval whole = getIntegers(value);
  if (!step || depth > kMaxDepth || step->numOperands == 0)
    return whole;
  StringRef name = getScalarFunction(step->op);
  ArrayRef<unsigned> reads = step->reads;
  const bool isLogical =
      getElement(program.values[reads[0]].getType()).isInteger(1) &&
      llvm::all_of(reads, [&](unsigned read) {
        return program.values[read].getType() ==
               program.values[predicate].getType();
      });
  if (isLogical && name == "not")
    return getIntegersIf(value, reads[0], !holds, depth + 1);
  if (isLogical && (name == "and" || name == "or")) {
    Interval a = getIntegersIf(value, reads[0], holds, depth + 1),
             b = getIntegersIf(value, reads[1], holds, depth + 1);
    return holds == (name == "and") ? a.intersect(b) : a.hull(b);
  }
  std::optional<CompareDirection> direction =
      name == "compare" ? getCompareDirection(step->op) : std::nullopt;
  if (!direction || reads.size() != 2)
    return whole;
  if (!holds)
    direction = negate(*direction);
  if (isLogical) {
    // One that is known says what the other is.
    for (unsigned k : {0, 1})
      if (Interval known = getIntegers(reads[1 - k]);
          known.isPoint() && (*direction == CompareDirection::EQ ||
                              *direction == CompareDirection::NE))
        return getIntegersIf(value, reads[k],
                             (known.lower != 0) ==
                                 (*direction == CompareDirection::EQ),
                             depth + 1);
    return whole;
  }
  Bound bound;
  for (unsigned k : {0, 1}) {
    if (!isa<IntegerType>(getElement(program.values[reads[k]].getType())))
      return whole;
    // What is less than the other, or greater.
    const Interval other = getIntegers(reads[1 - k]);
    Interval own = getIntegers(reads[k]);
    CompareDirection way = k == 0 ? *direction : swap(*direction);
    if (way == CompareDirection::EQ)
      own = own.intersect(other);
    if ((way == CompareDirection::LT || way == CompareDirection::LE) &&
        other.hasUpper())
      own.upper =
          std::min(own.upper, other.upper - (way == CompareDirection::LT));
    if ((way == CompareDirection::GT || way == CompareDirection::GE) &&
        other.hasLower())
      own.lower =
          std::max(own.lower, other.lower + (way == CompareDirection::GT));
    bound.insert({reads[k], own});
  }
  return evaluateBound(value, program.values[predicate].getType(), bound,
                       depth + 1);
}

/// The bounds of a value, computed again from others that are bounded further.
Interval ValueFacts::evaluateBound(unsigned value, Type predicate,
                                   const Bound &bound, unsigned depth) const {
  Interval whole = getIntegers(value);
  if (auto it = bound.find(value); it != bound.end())
    return whole.intersect(it->second);
  const FlatStep *step = getProducer(value);
  auto shaped = cast<ShapedType>(predicate);
  // Element by element.
  auto isAlike = [&](unsigned v) {
    auto own = dyn_cast<ShapedType>(program.values[v].getType());
    return own && own.getShape() == shaped.getShape() &&
           isa<IntegerType>(own.getElementType());
  };
  if (!step || depth > kMaxDepth || !isHlo(step->op) || !isAlike(value) ||
      !llvm::all_of(step->reads, isAlike))
    return whole;
  StringRef name = getScalarFunction(step->op);
  if (name.empty() || name == "select" || name == "compare")
    return whole;
  SmallVector<Interval, 3> operands;
  for (unsigned read : step->reads)
    operands.push_back(evaluateBound(read, predicate, bound, depth + 1));
  // Where that can't be, nothing is chosen.
  if (llvm::any_of(operands, [](Interval x) { return x.isEmpty(); }))
    return Interval(0, -1);
  return whole.intersect(evaluateIntervals(
      name, operands, getElement(program.values[step->reads[0]].getType()),
      getElement(program.values[value].getType())));
}

//===----------------------------------------------------------------------===//
// Ranges of results
//===----------------------------------------------------------------------===//

static ValueFact makeRange(Interval integers, const IndexingMap &region) {
  auto toDouble = [](int64_t x, bool has, double none) {
    return has && std::abs(double(x)) <= kMaxInteger ? double(x) : none;
  };
  ValueFact fact;
  fact.kind = ValueFact::Kind::Range;
  fact.low = toDouble(integers.lower, integers.hasLower(), -INFINITY);
  fact.high = toDouble(integers.upper, integers.hasUpper(), INFINITY);
  fact.map = regions::withoutResults(region);
  return fact;
}

/// Of the only block of an op: the arguments of which its result `r` is one,
/// whatever it chooses by; empty if that is not so.
static SmallVector<unsigned> getChosen(Operation *op, unsigned r) {
  SmallVector<unsigned> chosen;
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return chosen;
  Block &block = op->getRegion(0).front();
  SmallVector<Value> work{block.back().getOperand(r)};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &block) {
      chosen.push_back(argument.getArgNumber());
      continue;
    }
    Operation *from = value.getDefiningOp();
    if (!from || from->getBlock() != &block || chosen.size() > 8 ||
        !llvm::is_contained({"select", "minimum", "maximum"},
                            getScalarFunction(from)))
      return {};
    llvm::append_range(work, from->getOperands().take_back(2));
  }
  return chosen;
}

void ValueFacts::addChosenRanges(unsigned s) {
  const FlatStep &step = program.steps[s];
  const unsigned numResults = step.results.size();
  const bool isSort = isHlo(step.op, "sort");
  if (!isSort && (!isHlo(step.op, "reduce") || numResults < 2 ||
                  step.reads.size() != 2 * numResults))
    return;
  for (unsigned r = 0; r < numResults; ++r) {
    Value result = step.op->getResult(r);
    Type element = getElement(result.getType());
    auto shape = getSizes(result.getType());
    if (!isa<IntegerType>(element) || !shape)
      continue;
    Interval hull = getIntegers(step.reads[r]);
    if (!isSort) {
      SmallVector<unsigned> chosen = getChosen(step.op, r);
      if (chosen.empty() || llvm::any_of(chosen, [&](unsigned argument) {
            return argument % numResults != r;
          }))
        continue;
      hull = hull.hull(getIntegers(step.reads[numResults + r]));
    }
    if (hull != ::getIntegers(element))
      set(step.results[r], {makeRange(hull, regions::getAll(*shape))});
  }
}

void ValueFacts::addIntegerRanges(unsigned s) {
  const FlatStep &step = program.steps[s];
  StringRef name = getScalarFunction(step.op);
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  if (!isHlo(step.op) || !type || !type.hasStaticShape() ||
      !isa<IntegerType>(type.getElementType()) ||
      type.getElementTypeBitWidth() < 2)
    return;
  Type element = type.getElementType();
  const Interval any = ::getIntegers(element);
  const IndexingMap all = regions::getAll(type.getShape());
  auto hasRange = [&](unsigned v) {
    return llvm::any_of(facts[v], [](const ValueFact &fact) {
      return fact.kind == ValueFact::Kind::Range;
    });
  };
  const bool isSource =
      llvm::is_contained({"maximum", "minimum", "clamp", "remainder", "and",
                          "abs", "sign", "convert", "select"},
                         name) ||
      name.starts_with("shift_right");
  if (!isSource && llvm::none_of(step.reads, hasRange))
    return;
  // Where indices are known, there is nothing to bound.
  SmallVector<IndexingMap> known;
  for (const ValueFact &fact : facts[step.results[0]])
    if (tensoraccess::getIntegers(fact))
      known.push_back(regions::withoutResults(fact.map));
  if (!known.empty() &&
      regions::cutAll(IndexingMap::identity(type.getShape()), known).empty())
    return;
  FactList out;
  if (name == "select") {
    if (step.numOperands != 3 ||
        getSizes(program.values[step.reads[0]].getType()) != getSizes(type))
      return;
    Interval chosen =
        getIntegersIf(step.reads[1], step.reads[0], true, 0)
            .hull(getIntegersIf(step.reads[2], step.reads[0], false, 0));
    if (!chosen.isEmpty() && chosen != any)
      add(out, makeRange(chosen, all));
    return set(step.results[0], std::move(out));
  }
  const OpIndexing &indexing = getIndexing(s);
  using Part = std::pair<IndexingMap, SmallVector<Interval, 3>>;
  SmallVector<Part> open{{all, {}}};
  Type from = getElement(program.values[step.reads[0]].getType());
  for (unsigned o = 0; o < step.numOperands; ++o) {
    const IndexingSet &set = indexing.outputToInput(0, o);
    if (set.isUnknown() || set.size() != 1)
      return;
    SmallVector<std::pair<IndexingMap, Interval>> parts;
    SmallVector<IndexingMap> regions;
    for (const ValueFact &fact : pull(get(step.reads[o]), set.getMaps()[0]))
      if (std::optional<Interval> integers = tensoraccess::getIntegers(fact)) {
        regions.push_back(regions::withoutResults(fact.map));
        parts.push_back({regions.back(), *integers});
      }
    if (parts.empty() ||
        !regions::cutAll(regions::asIdentity(all), regions).empty())
      parts.push_back({all, ::getIntegers(getElement(
                                program.values[step.reads[o]].getType()))});
    SmallVector<Part> next;
    for (const auto &[region, integers] : parts)
      for (const Part &part : open) {
        IndexingMap met = regions::join(part.first, region);
        if (met.isUnknown())
          return;
        if (regions::hasNoPoint(met))
          continue;
        next.push_back({met, part.second});
        next.back().second.push_back(integers);
      }
    if (next.size() > 64)
      return;
    open = std::move(next);
  }
  Interval hull(0, -1);
  for (const auto &[region, integers] : open) {
    Interval result = evaluateIntervals(name, integers, from, element);
    hull = hull.hull(result);
    if (result != any)
      add(out, makeRange(result, region));
  }
  // Few parts, or what contains them all.
  if (out.size() > kMaxRanges) {
    out.clear();
    if (hull != any)
      add(out, makeRange(hull, all));
  }
  set(step.results[0], std::move(out));
}
