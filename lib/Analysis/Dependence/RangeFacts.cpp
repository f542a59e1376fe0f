//===- RangeFacts.cpp - Between which numbers values are ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of arguments that are assumed become bounds of what is computed:
//   scalar functions    ends of intervals, of numbers and ranges that meet;
//   maxima              at least the least of each part that a row has, at most
//                       the greatest of all parts, if they are all of the row;
//   sums, products      as many times the largest magnitude.
// All are a little wider than needed, for rounding. An exponential of what
// is so low that it is rounded to zero is the number 0:
//
//   scores in [-10, 10], and -1e9 where they are masked
//   their maximum in [-10, 10], the difference at most -1e9 + 10: exp is 0
//
// A bound beyond which a sum may be infinite is an infinity.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Analysis/ValueFacts.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct Bounds {
  double low, high;
};
} // namespace

/// The bounds of a range, of an index or of a number.
static std::optional<Bounds> getBounds(const ValueFact &fact) {
  if (fact.kind == ValueFact::Kind::Range)
    return Bounds{fact.low, fact.high};
  std::optional<double> number = fact.getNumber();
  if (!number)
    if (std::optional<Interval> integers = getIntegers(fact))
      return Bounds{double(integers->lower), double(integers->upper)};
  if (!number || std::isnan(*number))
    return std::nullopt;
  if (fact.isRounded)
    return Bounds{std::min(2 * *number, *number / 2),
                  std::max(2 * *number, *number / 2)};
  return Bounds{*number, *number};
}

/// Wider by what rounding can add.
static Bounds widen(double low, double high) {
  auto getSize = [](double x) { return std::isinf(x) ? 0 : std::abs(x); };
  const double slack = 1e-2 * std::max(getSize(low), getSize(high)) + 1e-30;
  return {low - (std::isinf(low) ? 0 : slack),
          high + (std::isinf(high) ? 0 : slack)};
}

static std::optional<Bounds> evaluateBounds(StringRef name,
                                            ArrayRef<Bounds> x) {
  auto products = [&](Bounds a, Bounds b) {
    double all[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                    a.high * b.high};
    if (llvm::any_of(all, [](double x) { return std::isnan(x); }))
      return Bounds{-INFINITY, INFINITY};
    return widen(*std::min_element(all, all + 4),
                 *std::max_element(all, all + 4));
  };
  if (x.size() == 1) {
    if (name == "negate")
      return Bounds{-x[0].high, -x[0].low};
    if (name == "convert" || name == "copy")
      return widen(x[0].low, x[0].high);
    if (name == "tanh" || name == "sine" || name == "cosine" || name == "erf")
      return widen(-1, 1);
    if (name == "logistic")
      return widen(0, 1);
    if (name == "abs")
      return Bounds{x[0].low <= 0 && x[0].high >= 0
                        ? 0
                        : std::min(std::abs(x[0].low), std::abs(x[0].high)),
                    std::max(std::abs(x[0].low), std::abs(x[0].high))};
    if (name == "exponential") {
      Bounds wide = widen(std::exp(x[0].low), std::exp(x[0].high));
      return Bounds{std::max(wide.low, 0.0), wide.high};
    }
    return std::nullopt;
  }
  if (x.size() != 2)
    return std::nullopt;
  if (name == "add")
    return widen(x[0].low + x[1].low, x[0].high + x[1].high);
  if (name == "subtract")
    return widen(x[0].low - x[1].high, x[0].high - x[1].low);
  if (name == "multiply")
    return products(x[0], x[1]);
  if (name == "divide" && (x[1].low > 0 || x[1].high < 0))
    return products(x[0], {1 / x[1].high, 1 / x[1].low});
  if (name == "maximum")
    return Bounds{std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high)};
  if (name == "minimum")
    return Bounds{std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high)};
  return std::nullopt;
}

static std::optional<ValueFact> makeRange(Bounds bounds, Type type,
                                          const IndexingMap &region) {
  // Integers may wrap around.
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && !(std::max(std::abs(bounds.low), std::abs(bounds.high)) <
                   std::exp2(std::min(integer.getWidth(), 53u) - 1)))
    return std::nullopt;
  // Beyond, a sum may be infinite.
  const double most = getLargest(type) / 4;
  if (bounds.low <= -most)
    bounds.low = -INFINITY;
  if (bounds.high >= most)
    bounds.high = INFINITY;
  if (std::isnan(bounds.low) || std::isnan(bounds.high) ||
      (std::isinf(bounds.low) && std::isinf(bounds.high)))
    return std::nullopt;
  ValueFact fact;
  fact.kind = ValueFact::Kind::Range;
  fact.low = bounds.low;
  fact.high = bounds.high;
  fact.map = regions::withoutResults(region);
  return fact;
}

/// Ranges of a scalar function of which all operands have some.
void ValueFacts::addScalarRanges(unsigned s) {
  const FlatStep &step = program.steps[s];
  StringRef name = getScalarFunction(step.op);
  const OpIndexing &indexing = getIndexing(s);
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  // Narrower ones are rounded by more than bounds are widened by.
  auto floating =
      type ? dyn_cast<FloatType>(type.getElementType()) : FloatType();
  if (!floating || floating.getFPMantissaWidth() < 8)
    return;
  SmallVector<std::pair<IndexingMap, SmallVector<Bounds, 2>>> open{
      {regions::getAll(type.getShape()), {}}};
  for (unsigned o = 0; o < step.numOperands; ++o) {
    const IndexingSet &set = indexing.outputToInput(0, o);
    if (set.isUnknown() || set.size() != 1)
      return;
    SmallVector<std::pair<IndexingMap, SmallVector<Bounds, 2>>> next;
    for (const ValueFact &fact : pull(get(step.reads[o]), set.getMaps()[0]))
      if (std::optional<Bounds> bounds = getBounds(fact))
        for (const auto &[region, known] : open) {
          IndexingMap met =
              regions::join(region, regions::withoutResults(fact.map));
          if (met.isUnknown() || regions::hasNoPoint(met) || next.size() > 64)
            continue;
          next.push_back({met, known});
          next.back().second.push_back(*bounds);
        }
    open = std::move(next);
  }
  FactList out;
  for (const auto &[region, known] : open) {
    // Numbers alone are facts already.
    if (llvm::all_of(known, [](Bounds b) { return b.low == b.high; }))
      continue;
    if (name == "exponential")
      if (std::optional<double> least = getUnderflow(type.getElementType());
          least && known[0].high < *least) {
        add(out, makeNumber(0, region));
        continue;
      }
    if (std::optional<Bounds> bounds = evaluateBounds(name, known))
      if (std::optional<ValueFact> fact =
              makeRange(*bounds, type.getElementType(), region))
        add(out, std::move(*fact));
  }
  set(step.results[0], std::move(out));
}

/// What a sum of so many numbers of that size is at most. Where rounding adds up,
/// it moves no sum farther than from the one before.
static double getMost(int64_t count, double size, Type type) {
  auto floating = dyn_cast<FloatType>(type);
  const bool addsUp =
      floating &&
      double(count) > std::exp2(floating.getFPMantissaWidth() - 8.0);
  return (addsUp ? 2 : 1) * double(count) * size;
}

/// Ranges of maxima, minima and sums along a reduction.
void ValueFacts::addReducedRanges(unsigned s, const Nest &nest) {
  const FlatStep &step = program.steps[s];
  StringRef combiner = getCombiner(step.op);
  const IndexingSet &set = getIndexing(s).outputToInput(0, 0);
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  std::optional<int64_t> count = nest.countReductions();
  if (set.isUnknown() || set.size() != 1 || !type || !count || hulls[s])
    return;
  const IndexingMap &map = set.getMaps()[0];
  SmallVector<std::pair<IndexingMap, Bounds>> parts;
  SmallVector<IndexingMap> regions;
  for (const ValueFact &fact : get(step.reads[0]))
    if (std::optional<Bounds> bounds = getBounds(fact)) {
      parts.push_back({regions::withoutResults(fact.map), *bounds});
      regions.push_back(parts.back().first);
    }
  // Together they must be all that is read.
  if (parts.empty() || !regions::cutAll(map, regions).empty())
    return;
  // What is combined besides must be a number.
  Bounds start{0, 0};
  for (unsigned o = 1; o < step.reads.size(); ++o) {
    ArrayRef<ValueFact> list = get(step.reads[o]);
    std::optional<Bounds> number = list.size() == 1 && list[0].getNumber()
                                       ? getBounds(list[0])
                                       : std::nullopt;
    if (o > 1 || !number)
      return;
    start = *number;
  }
  if (step.reads.size() == 1 && combiner == "maximum")
    start = {-INFINITY, -INFINITY};
  if (step.reads.size() == 1 && combiner == "minimum")
    start = {INFINITY, INFINITY};
  Bounds hull = parts[0].second;
  for (const auto &[region, bounds] : parts)
    hull = {std::min(hull.low, bounds.low), std::max(hull.high, bounds.high)};
  FactList out;
  IndexingMap all = regions::getAll(type.getShape());
  if (combiner == "maximum")
    hull.high = std::max(hull.high, start.high);
  else if (combiner == "minimum")
    hull.low = std::min(hull.low, start.low);
  else if (start.low != 0)
    return;
  Type element = type.getElementType();
  if (combiner == "add") {
    const double most = getMost(
        *count, std::max(std::abs(hull.low), std::abs(hull.high)), element);
    if (auto fact =
            makeRange(widen(hull.low >= 0 ? 0 : -most, most), element, all))
      add(out, std::move(*fact));
  }
  const bool isMaximum = combiner == "maximum";
  for (const auto &[region, bounds] : parts) {
    if (!isMaximum && combiner != "minimum")
      break;
    // Rows that have an element of this part.
    auto rows = regions::project(regions::keep(map, region));
    if (!rows || regions::hasValues(*rows))
      continue;
    Bounds own = isMaximum ? Bounds{bounds.low, hull.high}
                           : Bounds{hull.low, bounds.high};
    if (auto fact = makeRange(own, element, *rows))
      add(out, std::move(*fact));
  }
  this->set(step.results[0], std::move(out));
}

void ValueFacts::addRanges(unsigned s) {
  const FlatStep &step = program.steps[s];
  auto hasRange = [&](unsigned v) {
    return llvm::any_of(facts[v], [](const ValueFact &fact) {
      return fact.kind == ValueFact::Kind::Range;
    });
  };
  if (step.results.empty() || step.reads.empty() || options.anySizes)
    return;
  addChosenRanges(s);
  StringRef name = getScalarFunction(step.op);
  if (!name.empty() && name != "compare")
    addIntegerRanges(s);
  if (step.results.size() != 1 || llvm::none_of(step.reads, hasRange) ||
      name == "select" || name == "compare")
    return;
  if (!name.empty())
    return addScalarRanges(s);
  NestRef nest = getStepNest(step.op);
  if (nest && nest->body == NestBody::Reduce)
    return addReducedRanges(s, *nest);
  if (!nest || nest->body != NestBody::Contract ||
      !isPlainContraction(step, *this))
    return;
  // As many products as the reductions have points, of the greatest factors.
  auto type = dyn_cast<ShapedType>(step.op->getResult(0).getType());
  std::optional<int64_t> count = nest->countReductions();
  if (!type || !count)
    return;
  double most = getMost(*count, 1, type.getElementType());
  for (unsigned v : ArrayRef(step.reads).take_front(2)) {
    auto shaped = dyn_cast<ShapedType>(program.values[v].getType());
    double factor = INFINITY;
    for (const ValueFact &fact : facts[v])
      if (std::optional<Bounds> bounds = getBounds(fact);
          bounds && shaped && regions::isAll(fact.map, shaped.getShape()))
        factor = std::min(
            factor, std::max(std::abs(bounds->low), std::abs(bounds->high)));
    most *= factor;
  }
  FactList out;
  if (auto fact = makeRange(widen(-most, most), type.getElementType(),
                            regions::getAll(type.getShape())))
    add(out, std::move(*fact));
  set(step.results[0], std::move(out));
}
