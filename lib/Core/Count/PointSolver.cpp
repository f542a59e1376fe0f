//===- PointSolver.cpp - Counting and finding points of a domain ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search that tries values one by one only where it must:
//
//   1. Narrow: a constraint whose form cannot leave its interval is dropped,
//      one that cannot enter it ends the search; ranges of variables shrink to
//      what linear terms allow.
//   2. Split: variables that no constraint ties together are independent, and
//      their counts multiply. A component without constraints is a box.
//   3. One variable: forms repeat, f(v + P) = f(v) + S (Periods.h). So for each
//      of the P residues r of v the values r + P*j that satisfy a constraint are
//      an interval of j, and intervals intersect: P evaluations in all.
//   4. Two variables, one linear constraint: lattice points below a line, by
//      the Euclid-like recursion for sums of floors, in logarithmic time.
//   5. Otherwise give the variable with the fewest values each of them.
//
// Steps 3 to 5 are applied to what 1 and 2 leave, and 5 returns to 1.
//
//===----------------------------------------------------------------------===//

#include "PointSolver.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Variables of a constrained part that are looked at together.
static constexpr unsigned kMaxVariables = 64;
/// How far an infinite range is searched.
static constexpr int64_t kClip = 1 << 9;

PointSolver::PointSolver(const IndexingMap &m, uint64_t budget,
                         WorkMeter *meter)
    : map(m), arena(map.getArena()), budget(budget), meter(meter) {
  const unsigned n = map.getNumVariables();
  hasFailed = !map.isOrdinary() || n > kMaxVariables;
  if (hasFailed)
    return;
  // The variables that an atom reaches.
  SmallVector<Mask, 16> reach;
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id) {
    Mask mask = 0;
    if (arena.isVariable(id))
      mask = Mask(1) << id;
    else
      for (const Term &t : arena.body(id).terms)
        mask |= reach[t.atom];
    reach.push_back(mask);
    // Quotients are of 128 bits.
    evaluationCost +=
        arena.isVariable(id) ? 1 : 16 + 4 * arena.body(id).terms.size();
  }
  for (const Constraint &c : map.getConstraints()) {
    Mask all = 0, inside = 0;
    for (const Term &t : c.form.terms) {
      all |= reach[t.atom];
      if (!arena.isVariable(t.atom))
        inside |= reach[t.atom];
    }
    masks.push_back(all);
    nonlinear.push_back(inside);
  }
  periods.resize(n);
}

/// Values that suit every atom: inside the ranges, near 0.
void PointSolver::reset() {
  values.clear();
  for (const Interval &range : map.getRanges())
    values.push_back(std::clamp<int64_t>(0, range.lower, range.upper));
}

uint64_t PointSolver::solveAll() {
  reset();
  const unsigned n = map.getNumVariables();
  Problem problem{n == 64 ? ~Mask(0) : (Mask(1) << n) - 1,
                  Ranges(map.getRanges()),
                  llvm::to_vector<8>(llvm::seq<unsigned>(0, masks.size()))};
  return solve(problem);
}

std::optional<uint64_t> PointSolver::count() {
  if (map.isKnownEmpty())
    return 0;
  if (hasFailed)
    return std::nullopt;
  uint64_t result = solveAll();
  return hasFailed ? std::nullopt : std::optional(result);
}

std::optional<bool> PointSolver::find(llvm::SmallVectorImpl<int64_t> &point) {
  if (map.isKnownEmpty())
    return false;
  if (hasFailed)
    return std::nullopt;
  findOnly = true;
  uint64_t found = solveAll();
  findOnly = false;
  if (hasFailed || (!found && isClipped))
    return std::nullopt;
  if (found)
    point.assign(values.begin(), values.end());
  return found != 0;
}

std::optional<Interval> PointSolver::getBounds(unsigned variable) {
  if (map.isKnownEmpty())
    return Interval(0, -1);
  if (hasFailed || !map.getRanges()[variable].isFinite())
    return std::nullopt;
  reset();
  const Mask open = Mask(1) << variable;
  const bool isAlone =
      llvm::all_of(masks, [&](Mask mask) { return (mask & ~open) == 0; });
  Indices all = llvm::to_vector<8>(llvm::seq<unsigned>(0, masks.size()));
  if (isAlone && map.getNumVariables() == 1) {
    Tally tally = solveOne(variable, map.getRanges()[variable], all);
    if (hasFailed)
      return std::nullopt;
    return tally.count ? Interval(tally.first, tally.last) : Interval(0, -1);
  }
  // Whether some point lies at or below (above) a value is monotone in the
  // value. A point that was found moves the other end of the search.
  Ranges ranges(map.getRanges());
  SmallVector<int64_t, 16> point;
  std::optional<bool> found = find(point);
  if (!found)
    return std::nullopt;
  if (!*found)
    return Interval(0, -1);
  Interval result = Interval::point(point[variable]);
  auto exists = [&](Interval part) -> std::optional<bool> {
    Ranges narrowed(ranges);
    narrowed[variable] = part;
    IndexingMap half = map.withRanges(narrowed);
    PointSolver solver(half, budget, meter);
    SmallVector<int64_t, 16> at;
    std::optional<bool> any = solver.find(at);
    budget = solver.budget;
    if (any && *any)
      result = result.hull(Interval::point(at[variable]));
    return any;
  };
  int64_t low = ranges[variable].lower, high = ranges[variable].upper;
  if (result.lower != low) {
    std::optional<bool> any = exists(Interval::point(low));
    while (any && result.lower != low) {
      const int64_t middle = low + (result.lower - low) / 2;
      any = exists({low, middle});
      if (any && !*any)
        low = middle + 1;
    }
    if (!any)
      return std::nullopt;
  }
  if (result.upper != high) {
    std::optional<bool> any = exists(Interval::point(high));
    while (any && result.upper != high) {
      const int64_t middle = high - (high - result.upper) / 2;
      any = exists({middle, high});
      if (any && !*any)
        high = middle - 1;
    }
    if (!any)
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// 1. Narrowing
//===----------------------------------------------------------------------===//

static Interval sumOf(FormRef form, ArrayRef<Interval> atoms) {
  Interval sum = Interval::point(form.constant);
  for (const Term &t : form.terms)
    sum = sum + atoms[t.atom].scaled(t.coefficient);
  return sum;
}

/// False if no point is left. Variables of one value are closed.
bool PointSolver::narrow(Problem &problem) {
  // Each round narrows each variable at most once; three do almost all. What
  // was closed by the last one is looked at again.
  for (unsigned round = 0;; ++round) {
    if (!work(evaluationCost))
      return false;
    SmallVector<Interval, 16> atoms;
    for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id) {
      const Atom &a = arena.getAtom(id);
      if (a.kind == AtomKind::Variable) {
        atoms.push_back((problem.open >> id) & 1 ? problem.ranges[id]
                                                 : Interval::point(values[id]));
        continue;
      }
      Interval range;
      if (a.kind == AtomKind::Product) {
        ArrayRef<Term> factors = arena.body(id).terms;
        range = atoms[factors[0].atom] * atoms[factors[1].atom];
      } else {
        range = sumOf(arena.body(id), atoms);
        range = a.kind == AtomKind::FloorDiv
                    ? range.floorDiv(a.divisor)
                    : Interval(std::max<int64_t>(range.lower, 0),
                               std::max<int64_t>(range.upper, 0));
      }
      atoms.push_back(range.intersect(a.range));
    }

    bool changed = false, closed = false;
    Indices kept;
    for (unsigned i : problem.constraints) {
      const Constraint &c = map.getConstraints()[i];
      if (!work(8 * c.form.terms.size()))
        return false;
      Interval range = sumOf(c.form, atoms);
      if (range.intersect(c.interval).isEmpty())
        return false;
      if (c.interval.contains(range))
        continue;
      kept.push_back(i);
      for (const Term &t : c.form.terms) {
        if (!arena.isVariable(t.atom) || !((problem.open >> t.atom) & 1))
          continue;
        if (!work(8 * c.form.terms.size()))
          return false;
        Interval rest = Interval::point(c.form.constant);
        for (const Term &u : c.form.terms)
          if (u.atom != t.atom)
            rest = rest + atoms[u.atom].scaled(u.coefficient);
        Interval &own = problem.ranges[t.atom];
        Interval values =
            (c.interval - rest).dividedBy(t.coefficient).intersect(own);
        if (values.isEmpty())
          return false;
        changed |= values != own;
        own = atoms[t.atom] = values;
      }
    }
    problem.constraints = std::move(kept);
    for (unsigned v = 0, e = problem.ranges.size(); v != e; ++v)
      if ((problem.open >> v) & 1 && problem.ranges[v].isPoint()) {
        values[v] = problem.ranges[v].lower;
        problem.open &= ~(Mask(1) << v);
        closed = true;
      }
    if (!closed && (!changed || round >= 2))
      return true;
  }
}

//===----------------------------------------------------------------------===//
// 2. Splitting
//===----------------------------------------------------------------------===//

uint64_t PointSolver::solve(Problem &problem) {
  if (!spend(1) || !work(128) || !narrow(problem))
    return 0;
  uint64_t product = 1;
  Mask left = problem.open;
  Indices constraints = problem.constraints;
  // What mentions only closed variables could not be decided by ranges.
  if (llvm::any_of(constraints,
                   [&](unsigned i) { return !(masks[i] & problem.open); }))
    return fail();
  while (left) {
    Mask component = left & -left, tied = 0;
    SmallVector<unsigned, 8> own;
    do {
      tied = component;
      for (unsigned &i : constraints)
        if (i != ~0u && masks[i] & component) {
          component |= masks[i] & problem.open;
          own.push_back(i);
          i = ~0u;
        }
    } while (tied != component);
    left &= ~component;
    uint64_t factor = own.empty() ? solveBox(problem, component)
                                  : solveComponent(problem, component, own);
    if (hasFailed || !factor)
      return 0;
    if (__builtin_mul_overflow(product, factor, &product))
      return fail();
  }
  return product;
}

uint64_t PointSolver::solveBox(const Problem &problem, Mask component) {
  const unsigned v = llvm::countr_zero(component);
  const Interval range = problem.ranges[v];
  if (findOnly) {
    values[v] = std::clamp<int64_t>(0, range.lower, range.upper);
    return 1;
  }
  if (!range.isFinite())
    return fail();
  return static_cast<uint64_t>(range.upper) -
         static_cast<uint64_t>(range.lower) + 1;
}

Interval PointSolver::clip(Interval range) {
  if (!findOnly || range.isFinite())
    return range;
  isClipped = true;
  if (range.hasLower())
    return {range.lower, checkedAdd(range.lower, kClip).value_or(range.lower)};
  if (range.hasUpper())
    return {checkedSub(range.upper, kClip).value_or(range.upper), range.upper};
  return {-kClip, kClip};
}

uint64_t PointSolver::solveComponent(const Problem &problem, Mask component,
                                     ArrayRef<unsigned> constraints) {
  SmallVector<unsigned, 8> variables;
  for (Mask m = component; m; m &= m - 1)
    variables.push_back(llvm::countr_zero(m));

  if (variables.size() == 1)
    return solveOne(variables[0], clip(problem.ranges[variables[0]]),
                    constraints)
        .count;
  if (!findOnly && variables.size() == 2 && constraints.size() == 1 &&
      !(nonlinear[constraints[0]] & component))
    if (auto count =
            countPair(problem, variables[0], variables[1], constraints[0]))
      return *count;

  // 5. Branch where it costs least. Periods are looked up for each
  // constraint.
  if (!work(32 * variables.size() * constraints.size()))
    return 0;
  // A variable that is left to the end costs
  // its period instead of its size, so keep the one that saves most.
  unsigned branch = variables[0];
  double best = 0;
  bool isFirst = true;
  for (unsigned v : variables) {
    const Interval range = problem.ranges[v];
    double size = range.isFinite()
                      ? static_cast<double>(range.upper) - range.lower + 1
                      : 1e30;
    int64_t period = 1;
    for (unsigned i : constraints)
      period = getCommonPeriod(
          period, getPeriodic(map.getConstraints()[i].form, v).period);
    if (!period)
      period = Interval::kNoUpper;
    const double saved = size / std::min(size, static_cast<double>(period));
    // Among equals the smaller one.
    const double rank = saved + size * 1e-12;
    if (isFirst || rank < best)
      branch = v, best = rank;
    isFirst = false;
  }
  const Interval range = clip(problem.ranges[branch]);
  if (!range.isFinite() ||
      static_cast<uint64_t>(range.upper) - static_cast<uint64_t>(range.lower) >
          budget)
    if (!findOnly || !range.isFinite())
      return fail();
  uint64_t sum = 0;
  for (int64_t value = range.lower;; ++value) {
    values[branch] = value;
    Problem next{component & ~(Mask(1) << branch), problem.ranges,
                 Indices(constraints)};
    uint64_t part = solve(next);
    if (hasFailed)
      return 0;
    if (__builtin_add_overflow(sum, part, &sum))
      return fail();
    if (value == range.upper || (findOnly && part))
      return sum;
  }
}

//===----------------------------------------------------------------------===//
// 3. One variable
//===----------------------------------------------------------------------===//

Periodic PointSolver::getPeriodic(FormRef form, unsigned variable) {
  SmallVector<Periodic, 8> &atoms = periods[variable];
  if (atoms.empty())
    atoms = getPeriods(arena, variable,
                       llvm::to_vector<32>(llvm::seq(arena.getNumAtoms())));
  return addPeriods(form, atoms);
}

/// {j : value + slope*j in interval}, within [0, last].
static Interval solveLinear(Interval interval, int64_t value, int64_t slope,
                            int64_t last) {
  if (slope == 0)
    return interval.contains(value) ? Interval(0, last) : Interval(0, -1);
  auto floorDiv = [](__int128 a, __int128 b) {
    __int128 q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
  };
  __int128 low = 0, high = last;
  // value + slope*j >= lower, and <= upper; a negative slope swaps them.
  auto atLeast = [&](__int128 bound) {
    if (slope > 0)
      low = std::max(low, -floorDiv(-bound, slope));
    else
      high = std::min(high, floorDiv(-bound, -static_cast<__int128>(slope)));
  };
  auto atMost = [&](__int128 bound) {
    if (slope > 0)
      high = std::min(high, floorDiv(bound, slope));
    else
      low = std::max(low, -floorDiv(bound, -static_cast<__int128>(slope)));
  };
  if (interval.hasLower())
    atLeast(static_cast<__int128>(interval.lower) - value);
  if (interval.hasUpper())
    atMost(static_cast<__int128>(interval.upper) - value);
  if (low > high)
    return {0, -1};
  return {static_cast<int64_t>(low), static_cast<int64_t>(high)};
}

PointSolver::Tally PointSolver::solveOne(unsigned variable, Interval range,
                                         ArrayRef<unsigned> constraints) {
  Tally tally;
  std::optional<int64_t> size = range.size();
  if (!range.isFinite() || !size) {
    fail();
    return tally;
  }
  struct Condition {
    const Constraint *constraint;
    int64_t slope;
  };
  SmallVector<Condition, 8> conditions;
  int64_t period = 1;
  for (unsigned i : constraints)
    period = getCommonPeriod(
        period, getPeriodic(map.getConstraints()[i].form, variable).period);
  if (!period || period > *size)
    period = *size;
  for (unsigned i : constraints) {
    const Constraint &c = map.getConstraints()[i];
    Periodic own = getPeriodic(c.form, variable);
    // Past the size no value has a successor, and slopes don't matter.
    __int128 slope =
        own.period && period % own.period == 0
            ? static_cast<__int128>(own.step) * (period / own.period)
            : 0;
    if (slope > Interval::kNoUpper || slope < -Interval::kNoUpper)
      period = *size;
    conditions.push_back({&c, static_cast<int64_t>(slope)});
  }

  SmallVector<int64_t, 32> atoms;
  for (int64_t r = 0; r < period; ++r) {
    if (!spend(1) || !work(evaluationCost + 16 * conditions.size()))
      return tally;
    values[variable] = range.lower + r;
    if (!arena.evaluateAtoms(values, atoms)) {
      fail();
      return tally;
    }
    Interval js(0, (*size - 1 - r) / period);
    for (const Condition &c : conditions) {
      std::optional<int64_t> value =
          FormArena::evaluate(c.constraint->form, atoms);
      if (!value) {
        fail();
        return tally;
      }
      js = js.intersect(solveLinear(c.constraint->interval, *value,
                                    js.upper == 0 ? 0 : c.slope, js.upper));
      if (js.isEmpty())
        break;
    }
    if (js.isEmpty())
      continue;
    const int64_t first = range.lower + r + js.lower * period;
    const int64_t last = range.lower + r + js.upper * period;
    tally.first = tally.count ? std::min(tally.first, first) : first;
    tally.last = tally.count ? std::max(tally.last, last) : last;
    tally.count += static_cast<uint64_t>(js.upper - js.lower) + 1;
    if (findOnly)
      break;
  }
  values[variable] = tally.count ? tally.first : range.lower;
  return tally;
}

//===----------------------------------------------------------------------===//
// 4. Two variables
//===----------------------------------------------------------------------===//

using Wide = unsigned __int128;

/// Σ_{i<n} ⌊(a*i + b)/m⌋ for a, b >= 0, m > 0.
static Wide sumOfFloors(Wide n, Wide m, Wide a, Wide b) {
  Wide sum = 0;
  while (n != 0) {
    if (a >= m) {
      sum += n % 2 == 0 ? n / 2 * (n - 1) * (a / m) : (n - 1) / 2 * n * (a / m);
      a %= m;
    }
    if (b >= m) {
      sum += n * (b / m);
      b %= m;
    }
    const Wide top = a * n + b;
    if (top < m)
      break;
    n = top / m;
    b = top % m;
    std::swap(a, m);
  }
  return sum;
}

/// The number of x, y >= 0 with k*x + l*y <= t.
static Wide countTriangle(Wide k, Wide l, __int128 t) {
  if (t < 0)
    return 0;
  // From the last x with a y to the first, so that the numerators grow.
  const Wide n = static_cast<Wide>(t) / k + 1;
  return sumOfFloors(n, l, k, static_cast<Wide>(t) - k * (n - 1)) + n;
}

std::optional<uint64_t> PointSolver::countPair(const Problem &problem,
                                               unsigned x, unsigned y,
                                               unsigned constraint) {
  const Constraint &c = map.getConstraints()[constraint];
  constexpr __int128 kLimit = __int128(1) << 60;
  __int128 k = 0, l = 0, constant = c.form.constant;
  SmallVector<int64_t, 32> atoms;
  if (!arena.evaluateAtoms(values, atoms))
    return std::nullopt;
  for (const Term &t : c.form.terms) {
    if (t.atom == x)
      k = t.coefficient;
    else if (t.atom == y)
      l = t.coefficient;
    else
      constant += static_cast<__int128>(t.coefficient) * atoms[t.atom];
  }
  const Interval rangeX = problem.ranges[x], rangeY = problem.ranges[y];
  if (!rangeX.isFinite() || !rangeY.isFinite() || k == 0 || l == 0)
    return std::nullopt;
  // k*x + l*y with x, y >= 0 and k, l > 0: count from the end that is least.
  const Wide sizeX =
      static_cast<Wide>(static_cast<__int128>(rangeX.upper) - rangeX.lower + 1);
  const Wide sizeY =
      static_cast<Wide>(static_cast<__int128>(rangeY.upper) - rangeY.lower + 1);
  constant += k * (k > 0 ? rangeX.lower : rangeX.upper);
  constant += l * (l > 0 ? rangeY.lower : rangeY.upper);
  k = k < 0 ? -k : k;
  l = l < 0 ? -l : l;
  if (k >= kLimit || l >= kLimit || constant >= kLimit || constant <= -kLimit ||
      sizeX > static_cast<Wide>(kLimit) / static_cast<Wide>(k) ||
      sizeY > static_cast<Wide>(kLimit) / static_cast<Wide>(l))
    return std::nullopt;
  const __int128 spanX = k * static_cast<__int128>(sizeX);
  const __int128 spanY = l * static_cast<__int128>(sizeY);
  const __int128 most = spanX + spanY;
  auto countUpTo = [&](__int128 t) {
    t = std::min(t, most);
    return countTriangle(k, l, t) - countTriangle(k, l, t - spanX) -
           countTriangle(k, l, t - spanY) +
           countTriangle(k, l, t - spanX - spanY);
  };
  Wide count = c.interval.hasUpper() ? countUpTo(c.interval.upper - constant)
                                     : sizeX * sizeY;
  if (c.interval.hasLower())
    count -= countUpTo(static_cast<__int128>(c.interval.lower) - 1 - constant);
  if (count > std::numeric_limits<uint64_t>::max())
    return std::nullopt;
  return static_cast<uint64_t>(count);
}
