//===- TileConstraints.cpp - Tiles within the domain of a map -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 3 of the engine (see TileEngine.h), for a constraint F in [a, b] with F
// linear over items, the first of these that applies:
//
//   1. F lies in [a, b] for all values: nothing to do.
//   2. p*F = q*result + rest, with rest over parameters: a bound of the result.
//   3. F = c + α*k: a range of the item k.
//   4. F = c + α*k + R, where nothing else reads the items of R: k is read if
//      some value of R fits, so α*k lies in [a - c - max R, b - c - min R], if
//      the values of R leave no gap longer than the interval.
//   5. All forms use F's items in the same proportion, and F takes the values
//      of a progression: its items become one item, whose range this is (3).
//   6. For numbers, if each item of F is all that moves one result: a mask over
//      those results. Otherwise F must lie in [a, b] over the whole tile.
//
//===----------------------------------------------------------------------===//

#include "TileEngine.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::SmallVector;

bool TileEngine::isImplied(const Pending &p) {
  Form low = getMin(p.linear), high = getMax(p.linear);
  return arena.range(low).lower >= p.interval.lower &&
         arena.range(high).upper <= p.interval.upper;
}

bool TileEngine::boundResult(const Pending &p) {
  for (auto [r, value] : llvm::enumerate(values)) {
    // by * F = of * result + rest
    auto ratio =
        getRatio<std::pair<unsigned, int64_t>>(p.linear.terms, value.terms);
    if (!ratio || hasOverflow)
      continue;
    const int64_t of = ratio->first, by = ratio->second;
    Form rest = arena.addScaled(arena.scale(p.linear.base, by), value.base,
                                times(of, -1));
    auto end = [&](int64_t bound) {
      return arena.sub(Form(times(bound, by)), rest);
    };
    std::optional<Form> low, high;
    if (p.interval.hasLower())
      low = end(p.interval.lower);
    if (p.interval.hasUpper())
      high = end(p.interval.upper);
    if (of < 0)
      std::swap(low, high);
    auto &[lower, upper] = bounds[r];
    // ceil and floor also for a negative of.
    if (low) {
      Form x = of > 0 ? arena.ceilDiv(*low, of)
                      : arena.ceilDiv(arena.negate(*low), -of);
      lower = lower ? arena.max(*lower, x) : x;
    }
    if (high) {
      Form x = of > 0 ? arena.floorDiv(*high, of)
                      : arena.floorDiv(arena.negate(*high), -of);
      upper = upper ? arena.min(*upper, x) : x;
    }
    return true;
  }
  return false;
}

bool TileEngine::boundItem(unsigned item, int64_t coefficient,
                           const Form &atLeast, const Form &atMost,
                           Interval ends) {
  // atLeast <= coefficient*k <= atMost, each where `ends` has an end.
  const std::string source = items[item].source;
  const bool isNegative = coefficient < 0;
  if (isNegative)
    coefficient = times(coefficient, -1);
  if (hasOverflow)
    return false;
  Form low(0), high = sizeMinusOne(item);
  const bool hasLow = isNegative ? ends.hasUpper() : ends.hasLower();
  const bool hasHigh = isNegative ? ends.hasLower() : ends.hasUpper();
  if (hasLow)
    low = arena.max(low,
                    arena.ceilDiv(isNegative ? arena.negate(atMost) : atLeast,
                                  coefficient));
  if (hasHigh)
    high = arena.min(high,
                     arena.floorDiv(isNegative ? arena.negate(atLeast) : atMost,
                                    coefficient));
  Form size = arena.max(arena.add(arena.sub(high, low), Form(1)), Form(0));
  TermList image;
  if (std::optional<unsigned> kept = addItem(size, source))
    image.push_back({*kept, 1});
  replace(item, low, {}, image);
  return true;
}

bool TileEngine::appearsElsewhere(unsigned item, const Pending *except) {
  auto has = [&](const Linear &x) { return x.hasItem(item); };
  return llvm::any_of(values, has) ||
         llvm::any_of(pending, [&](const Pending &p) {
           return &p != except && !p.isDone && has(p.linear);
         });
}

int TileEngine::project(Pending &p) {
  std::optional<unsigned> kept;
  SmallVector<RunTerm, 4> run;
  Linear others;
  others.base = p.linear.base;
  for (auto [item, coefficient] : p.linear.terms) {
    if (appearsElsewhere(item, &p)) {
      if (kept)
        return 0;
      kept = item;
      continue;
    }
    addTerm(others, item, coefficient);
    run.push_back({coefficient < 0 ? times(coefficient, -1) : coefficient,
                   items[item].size});
  }
  if (p.interval.isFinite() && !run.empty()) {
    std::optional<int64_t> slack = p.interval.size();
    if (!slack)
      return 0;
    run.push_back({1, Form(*slack)});
    llvm::sort(run, [](const RunTerm &a, const RunTerm &b) {
      return a.coefficient < b.coefficient;
    });
    if (getRunStatus(run, /*fixedStep=*/true) == false)
      return 0;
    if (!requireRun(run, /*fixedStep=*/true,
                    "the values of the constraint have gaps"))
      return -1;
  }
  Form low = getMin(others), high = getMax(others);
  p.isDone = true;
  if (!kept) {
    // Some value has to fit.
    if (p.interval.hasUpper() &&
        arena.range(arena.sub(low, Form(p.interval.upper))).lower > 0)
      isEmpty = true;
    if (p.interval.hasLower() &&
        arena.range(arena.sub(high, Form(p.interval.lower))).upper < 0)
      isEmpty = true;
    if (isEmpty)
      return 1;
    if (p.interval.hasUpper() &&
        !requireCompare(low, Interval::atMost(p.interval.upper),
                        "no point is in its domain"))
      return -1;
    if (p.interval.hasLower() &&
        !requireCompare(high, Interval::atLeast(p.interval.lower),
                        "no point is in its domain"))
      return -1;
    return 1;
  }
  const int64_t coefficient = p.linear.getCoefficient(*kept);
  Form atLeast, atMost;
  if (p.interval.hasLower())
    atLeast = arena.sub(Form(p.interval.lower), high);
  if (p.interval.hasUpper())
    atMost = arena.sub(Form(p.interval.upper), low);
  return boundItem(*kept, coefficient, atLeast, atMost, p.interval) ? 1 : -1;
}

bool TileEngine::joinConstraint(Pending &p) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [item, coefficient] : p.linear.terms)
      if (coefficient < 0) {
        flip(item);
        changed = true;
        break;
      }
  }
  TermList terms(p.linear.terms.begin(), p.linear.terms.end());
  llvm::sort(terms, [](auto a, auto b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  const bool isJoinable =
      llvm::all_of(values,
                   [&](const Linear &x) { return isProportional(x, terms); }) &&
      llvm::all_of(pending, [&](const Pending &other) {
        return other.isDone || isProportional(other.linear, terms);
      });
  return isJoinable && merge(terms, {});
}

bool TileEngine::maskOrRequire(const Pending &p) {
  if (!isSymbolic) {
    // F = Σ c*k + base with k = (result - base_r) / a, times a common multiple.
    MaskForms mask;
    Form rest = p.linear.base;
    int64_t scale = 1;
    SmallVector<std::pair<unsigned, int64_t>, 4> owners;
    bool isDetermined = true;
    for (auto [item, coefficient] : p.linear.terms) {
      const unsigned wanted = item;
      auto owner = llvm::find_if(values, [&](const Linear &x) {
        return x.terms.size() == 1 && x.terms.front().first == wanted;
      });
      if (owner == values.end()) {
        isDetermined = false;
        break;
      }
      const int64_t a = owner->terms.front().second;
      owners.push_back({unsigned(owner - values.begin()), coefficient});
      scale = times(scale / std::gcd(scale, a), a < 0 ? -a : a);
    }
    if (isDetermined && !hasOverflow && scale != 0) {
      rest = arena.scale(rest, scale);
      for (auto [r, coefficient] : owners) {
        const int64_t a = values[r].terms.front().second;
        const int64_t factor = times(coefficient, scale / a);
        mask.terms.push_back({r, factor});
        rest = arena.addScaled(rest, values[r].base, times(factor, -1));
      }
      if (rest.isConstant() && !hasOverflow) {
        mask.interval = p.interval.scaled(scale) + -rest.constant;
        masks.push_back(std::move(mask));
        return true;
      }
    }
  }
  const char *reason = "its domain cuts the tile to no box";
  return (!p.interval.hasLower() ||
          requireCompare(getMin(p.linear), Interval::atLeast(p.interval.lower),
                         reason)) &&
         (!p.interval.hasUpper() ||
          requireCompare(getMax(p.linear), Interval::atMost(p.interval.upper),
                         reason));
}

bool TileEngine::resolveConstraints() {
  currentResult.reset();
  for (Pending &p : pending) {
    currentText = p.text;
    if (p.linear.terms.empty()) {
      Interval range = arena.range(p.linear.base);
      p.isDone = true;
      if (p.interval.contains(range))
        continue;
      if (range.intersect(p.interval).isEmpty()) {
        isEmpty = true;
        return true;
      }
      if (!requireCompare(p.linear.base, p.interval,
                          "no point is in its domain"))
        return false;
      continue;
    }
    p.isDone = isImplied(p) || boundResult(p);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Pending &p : pending) {
      if (p.isDone || isEmpty)
        continue;
      currentText = p.text;
      if (isImplied(p)) {
        p.isDone = true;
        continue;
      }
      int outcome = 0;
      reachesOverEdges = false;
      if (p.linear.terms.size() == 1) {
        auto [item, coefficient] = p.linear.terms.front();
        Form atLeast, atMost;
        if (p.interval.hasLower())
          atLeast = arena.sub(Form(p.interval.lower), p.linear.base);
        if (p.interval.hasUpper())
          atMost = arena.sub(Form(p.interval.upper), p.linear.base);
        p.isDone = true;
        outcome =
            boundItem(item, coefficient, atLeast, atMost, p.interval) ? 1 : -1;
      } else if (p.linear.terms.size() > 1) {
        outcome = project(p);
        if (outcome == 0)
          outcome = joinConstraint(p);
      }
      if (outcome < 0)
        return false;
      changed |= outcome > 0;
    }
  }
  for (Pending &p : pending) {
    if (p.isDone || isEmpty)
      continue;
    currentText = p.text;
    p.isDone = true;
    if (!isImplied(p) && !maskOrRequire(p))
      return false;
  }
  return true;
}
