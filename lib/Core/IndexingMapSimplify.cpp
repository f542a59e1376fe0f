//===- IndexingMapSimplify.cpp - Smaller maps of the same meaning ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division and reshape chains already cancelled when the forms were made, under
// the ranges known then. What is left is to learn better ranges, and to make
// the forms again under them. One round:
//
//   1. Rewrite each constraint f in [a, b] into an equivalent one with fewer
//      divisions:
//        f = ⌊B/m⌋ + g:  m*g + B in [m*a, m*b + m - 1]
//          (m*f <= m*f + (B mod m) <= m*f + m - 1, and the middle is m*g + B)
//        f = [h]+:       h in [a, b] if a > 0, else h <= b
//        f = v:          the range of v, and no constraint
//      and drop it if the range of f implies it; an impossible one makes the
//      map empty.
//   2. Reduce by equalities. If e = 0 on the domain (a constraint with a point
//      interval), then f = s*f + l*e up to the factor s. A multiple of e that
//      cancels a term of f is taken if the form becomes cheaper to write; and
//      if all coefficients of f + l*e share a factor g, the values of f lie in
//      one residue class modulo g, which tightens its interval.
//   3. Propagate: in f = Σ k_i*a_i in I, each k_i*a_i lies in I minus the range
//      of the rest. That tightens variables; inside of ⌊B/m⌋ in [a, b] it
//      continues with B in [m*a, m*b + m - 1].
//   4. If a range or constraint changed, or a variable has one value left, or a
//      result has, substitute everything into an arena with the new ranges.
//
// Rounds are repeated until nothing changes; hence simplifying again changes
// nothing. Propagation over cyclic constraints may approach its limit one step
// a round: when it has not settled after kMaxRounds, the map is simplified with
// step 1 only, which always settles: it removes a constraint or a division each
// time.
// A result that would print larger than the original is not taken.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using mlir::tensoraccess::detail::MapStorage;

static constexpr unsigned kMaxRounds = 16;
/// Propagation descends into bodies of divisions this deep.
static constexpr unsigned kMaxDescent = 8;

/// {x : ⌊x/m⌋ in `interval`} = [m*a, m*b + m - 1]; an end that does not fit is
/// no bound.
static Interval preimageOfFloorDiv(Interval interval, int64_t m) {
  Interval low = interval.scaled(m);
  Interval high = (interval + 1).scaled(m) + (-1);
  return {interval.hasLower() ? low.lower : Interval::kNoLower,
          interval.hasUpper() ? high.upper : Interval::kNoUpper};
}

/// True if some form mentions a variable of one value, or a result has only
/// one.
static bool hasConstants(const MapStorage &map) {
  for (unsigned i = 0, e = map.results.size(); i != e; ++i)
    if (!map.results[i].isConstant() && map.resultRanges[i].isPoint())
      return true;
  if (llvm::none_of(map.ranges, [](Interval r) { return r.isPoint(); }))
    return false;
  SmallVector<char, 32> used;
  for (const Form &f : map.results)
    map.arena.markUsed(f, used);
  for (const Constraint &c : map.constraints)
    map.arena.markUsed(c.form, used);
  for (unsigned i = 0, e = map.ranges.size(); i != e && i < used.size(); ++i)
    if (used[i] && map.ranges[i].isPoint())
      return true;
  return false;
}

namespace {

/// What a round did.
enum class Progress : uint8_t {
  None,    ///< nothing to do
  Some,    ///< another round may find more
  Settled, ///< constraints that say nothing left, and nothing else changed
};

/// One round on one map.
class Round {
public:
  Round(const MapStorage &map, bool propagate)
      : map(map), arena(map.arena), ranges(map.ranges),
        results(map.results.begin(), map.results.end()), propagate(propagate) {}

  /// The map after the round, if there was any progress.
  IndexingMap run(Progress &progress);

private:
  enum class Fate { Keep, Drop, Impossible };

  Fate rewrite(Constraint &c);
  /// Replaces f by s*f + l*e (and its interval) where that is cheaper.
  void reduce(Form &f, Interval *interval, const Constraint &equality);
  unsigned costOf(FormRef x) const;
  /// Learns from `x in interval`; false if that is impossible.
  bool learn(FormRef x, Interval interval, unsigned descent);
  bool narrow(unsigned variable, Interval interval) {
    Interval narrowed = ranges[variable].intersect(interval);
    changed |= narrowed != ranges[variable];
    ranges[variable] = narrowed;
    return !narrowed.isEmpty();
  }
  Interval rangeOfAtom(AtomId id) const {
    return arena.isVariable(id) ? ranges[id] : arena.getAtom(id).range;
  }
  IndexingMap makeEmpty() const;
  IndexingMap withoutDropped() const;
  IndexingMap rebuild() const;

  const MapStorage &map;
  FormArena arena;
  SmallVector<Interval, 8> ranges;
  SmallVector<Form, 8> results;
  SmallVector<Constraint, 4> constraints;
  bool propagate;
  bool changed = false;
};

} // namespace

Round::Fate Round::rewrite(Constraint &c) {
  while (true) {
    // What was learnt about variables in this round counts, too.
    Interval range = arena.range(c.form);
    if (range.intersect(c.interval).isEmpty())
      return Fate::Impossible;
    if (c.interval.contains(range))
      return Fate::Drop;
    if (std::optional<AtomId> atom = c.form.asAtom()) {
      if (arena.isVariable(*atom))
        return narrow(*atom, c.interval) ? Fate::Drop : Fate::Impossible;
      if (arena.getAtom(*atom).kind == AtomKind::PositivePart) {
        if (c.interval.lower <= 0)
          c.interval.lower = Interval::kNoLower;
        c.form = Form(arena.body(*atom));
        changed = true;
        continue;
      }
    }

    // f = sign*⌊B/m⌋ + g: take the sign out, then replace the division.
    const Term *division = llvm::find_if(c.form.terms, [&](const Term &t) {
      return arena.getAtom(t.atom).kind == AtomKind::FloorDiv &&
             (t.coefficient == 1 || t.coefficient == -1);
    });
    if (division == c.form.terms.end())
      return Fate::Keep;
    const int64_t sign = division->coefficient;
    const AtomId atom = division->atom;
    const int64_t m = arena.getAtom(atom).divisor;
    Interval interval =
        preimageOfFloorDiv(sign < 0 ? -c.interval : c.interval, m);
    Form signedForm = arena.scale(c.form, sign);
    Form g = arena.sub(signedForm, Form::ofAtom(atom));
    Form body(arena.body(atom));
    Form rewritten = arena.addScaled(body, g, m);
    // An end that did not fit would lose information: leave the constraint.
    if (arena.failed() ||
        (c.interval.hasLower() && c.interval.hasUpper() &&
         !interval.isFinite()) ||
        (!interval.hasLower() && !interval.hasUpper())) {
      arena.clearFailure();
      return Fate::Keep;
    }
    c.form = std::move(rewritten);
    c.interval = interval;
    changed = true;
  }
}

/// Divisions, counted as often as they are written, then terms. An upper bound
/// of what the printer needs, which is enough to compare two forms.
unsigned Round::costOf(FormRef x) const {
  constexpr unsigned kDivisionCost = 256;
  SmallVector<unsigned, 32> costs;
  auto sum = [&](FormRef f) {
    unsigned cost = 0;
    for (const Term &t : f.terms)
      cost = std::min(cost + costs[t.atom], 1u << 24);
    return cost;
  };
  if (x.terms.empty())
    return 0;
  for (AtomId id = 0, e = x.terms.back().atom; id <= e; ++id)
    costs.push_back(arena.isVariable(id) ? 1
                                         : kDivisionCost + sum(arena.body(id)));
  return sum(x);
}

void Round::reduce(Form &f, Interval *interval, const Constraint &equality) {
  // e = equality.form - its value, which is 0 on the domain.
  Form e = arena.sub(equality.form, Form(equality.interval.lower));
  unsigned cost = costOf(f);
  bool again = !arena.failed();
  while (again) {
    again = false;
    for (const Term &t : e.terms) {
      const Term *common = llvm::find_if(
          f.terms, [&](const Term &u) { return u.atom == t.atom; });
      if (common == f.terms.end() || t.coefficient == Interval::kNoLower ||
          common->coefficient == Interval::kNoLower)
        continue;
      const int64_t g = static_cast<int64_t>(
          std::gcd(magnitude(common->coefficient), magnitude(t.coefficient)));
      const int64_t s = std::abs(t.coefficient) / g;
      const int64_t l =
          -(common->coefficient / g) * (t.coefficient < 0 ? -1 : 1);
      if (s != 1 && !interval)
        continue;
      Form reduced = arena.addScaled(arena.scale(f, s), e, l);
      if (arena.failed()) {
        arena.clearFailure();
        continue;
      }
      // f = reduced on the domain, so f - reduced.constant is a multiple of the
      // gcd of the coefficients.
      if (interval && s == 1) {
        uint64_t factor = 0;
        for (const Term &u : reduced.terms)
          factor = std::gcd(factor, magnitude(u.coefficient));
        if (factor > 1 && factor < (uint64_t(1) << 62)) {
          const int64_t m = static_cast<int64_t>(factor);
          const int64_t residue = floorModPositive(reduced.constant, m);
          auto above = [&](int64_t end) {
            return floorModPositive(residue - floorModPositive(end, m), m);
          };
          Interval tight = *interval;
          if (tight.hasLower())
            if (auto end = checkedAdd(tight.lower, above(tight.lower)))
              tight.lower = *end;
          if (tight.hasUpper()) {
            const int64_t up = above(tight.upper);
            if (auto end = checkedSub(tight.upper, up == 0 ? 0 : m - up))
              tight.upper = *end;
          }
          changed |= tight != *interval;
          *interval = tight;
        }
      }
      const unsigned reducedCost = costOf(reduced);
      if (reducedCost >= cost)
        continue;
      if (interval) {
        Interval scaled = interval->scaled(s);
        if ((interval->hasLower() && !scaled.hasLower()) ||
            (interval->hasUpper() && !scaled.hasUpper()))
          continue;
        *interval = scaled;
      }
      f = std::move(reduced);
      cost = reducedCost;
      changed = again = true;
      break;
    }
  }
  arena.clearFailure();
}

bool Round::learn(FormRef x, Interval interval, unsigned descent) {
  if (descent > kMaxDescent)
    return true;
  interval = interval + Interval::point(x.constant).scaled(-1);
  SmallVector<Interval, 8> terms;
  for (const Term &t : x.terms)
    terms.push_back(rangeOfAtom(t.atom).scaled(t.coefficient));
  for (unsigned i = 0, e = terms.size(); i != e; ++i) {
    Interval rest = Interval::point(0);
    for (unsigned j = 0; j != e; ++j)
      if (j != i)
        rest = rest + terms[j];
    const Term t = x.terms[i];
    Interval values = (interval - rest).dividedBy(t.coefficient);
    if (values.intersect(rangeOfAtom(t.atom)).isEmpty())
      return false;
    if (values.contains(rangeOfAtom(t.atom)))
      continue;
    if (arena.isVariable(t.atom)) {
      if (!narrow(t.atom, values))
        return false;
      terms[i] = ranges[t.atom].scaled(t.coefficient);
      continue;
    }
    const Atom &a = arena.getAtom(t.atom);
    values = values.intersect(a.range);
    bool possible = true;
    if (a.kind == AtomKind::FloorDiv)
      possible = learn(arena.body(t.atom),
                       preimageOfFloorDiv(values, a.divisor), descent + 1);
    else if (a.kind == AtomKind::PositivePart)
      possible = learn(
          arena.body(t.atom),
          {values.lower > 0 ? values.lower : Interval::kNoLower, values.upper},
          descent + 1);
    if (!possible)
      return false;
  }
  return true;
}

IndexingMap Round::makeEmpty() const {
  IntrusiveRefCntPtr<MapStorage> s(new MapStorage(map));
  s->state = MapState::KnownEmpty;
  s->constraints.clear();
  return MapStorage::finish(std::move(s));
}

IndexingMap Round::withoutDropped() const {
  IntrusiveRefCntPtr<MapStorage> s(new MapStorage(map));
  s->constraints.assign(constraints.begin(), constraints.end());
  return MapStorage::finish(std::move(s));
}

IndexingMap Round::rebuild() const {
  IntrusiveRefCntPtr<MapStorage> s(new MapStorage);
  SmallVector<Form, 8> images;
  for (unsigned i = 0, e = ranges.size(); i != e; ++i) {
    images.push_back(s->addVariable(
        map.getKind(i), ranges[i],
        map.names.empty() ? StringRef() : StringRef(map.names[i])));
    if (ranges[i].isPoint())
      images.back() = Form(ranges[i].lower);
  }
  Substitution substitute(s->arena, arena, images);
  for (const Form &f : results) {
    Form &result = s->results.emplace_back(substitute(f));
    Interval range = s->arena.range(result);
    if (range.isPoint())
      result = Form(range.lower);
  }
  for (const Constraint &c : constraints)
    s->constraints.push_back({substitute(c.form), c.interval});
  return MapStorage::finish(std::move(s));
}

IndexingMap Round::run(Progress &progress) {
  progress = Progress::Some;
  // 1. Rewrite.
  bool dropped = false;
  for (const Constraint &c : map.constraints) {
    Constraint rewritten = c;
    switch (rewrite(rewritten)) {
    case Fate::Impossible:
      return makeEmpty();
    case Fate::Drop:
      dropped = true;
      break;
    case Fate::Keep:
      constraints.push_back(std::move(rewritten));
      break;
    }
  }

  // 2. Reduce.
  if (propagate)
    for (unsigned i = 0, e = constraints.size(); i != e; ++i) {
      if (!constraints[i].interval.isPoint())
        continue;
      for (unsigned j = 0; j != e; ++j)
        if (j != i)
          reduce(constraints[j].form, &constraints[j].interval, constraints[i]);
      for (Form &f : results)
        reduce(f, nullptr, constraints[i]);
    }
  for (const Constraint &c : constraints)
    if (c.interval.isEmpty())
      return makeEmpty();

  // 3. Propagate.
  if (propagate)
    for (const Constraint &c : constraints)
      if (!learn(c.form, c.interval, 0))
        return makeEmpty();

  // 4. Rebuild. Without what was dropped another round would see what this one
  // saw, and do nothing.
  if (changed || hasConstants(map))
    return rebuild();
  progress = dropped ? Progress::Settled : Progress::None;
  return dropped ? withoutDropped() : IndexingMap();
}

/// Repeats rounds until nothing changes; none if they don't settle.
static std::optional<IndexingMap> settle(const IndexingMap &map,
                                         bool propagate) {
  IndexingMap current = map;
  // Without propagation each round removes a constraint or a division.
  for (unsigned i = 0; !propagate || i != kMaxRounds; ++i) {
    const MapStorage &s = MapStorage::of(current);
    if (s.constraints.empty() && !hasConstants(s))
      return current;
    Progress progress = Progress::None;
    IndexingMap next = Round(s, propagate).run(progress);
    if (progress == Progress::None)
      return current;
    current = std::move(next);
    if (progress == Progress::Settled || !current.isOrdinary())
      return current;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Never larger
//
// The printer knows how many divisions a map is written with, at a price. Two
// counts that need no printing often decide before it is asked:
//   at least  every token of the text of a form makes at most one division when
//             it is read, so the text has as many as the form reaches;
//   at most   written term by term, but digits k*(B - m*⌊B/m⌋) as k*(B mod m).
//===----------------------------------------------------------------------===//

namespace {

class DivisionCounter {
public:
  explicit DivisionCounter(const MapStorage &map) : map(map) {
    const FormArena &arena = map.arena;
    isUsable = arena.getNumAtoms() - arena.getNumVariables() <= 64;
    if (!isUsable)
      return;
    for (AtomId id = arena.getNumVariables(), e = arena.getNumAtoms(); id != e;
         ++id) {
      const bool isDivision = arena.getAtom(id).kind == AtomKind::FloorDiv;
      FormRef body = arena.body(id);
      uint64_t mask = 0;
      for (const Term &t : body.terms)
        mask |= reached(t.atom);
      if (isDivision)
        mask |= uint64_t(1) << (id - arena.getNumVariables());
      reachedBy.push_back(mask);
      written.push_back(std::min(isDivision + atMost(body), kMany));
    }
  }

  /// Divisions in the text of the map: no fewer, or none if there is no saying.
  unsigned atLeast() const {
    unsigned sum = 0;
    forEachForm([&](FormRef f) {
      uint64_t mask = 0;
      for (const Term &t : f.terms)
        mask |= reached(t.atom);
      sum += llvm::popcount(mask);
    });
    return sum;
  }
  /// No more than that.
  unsigned atMost() const {
    unsigned sum = 0;
    forEachForm([&](FormRef f) { sum = std::min(sum + atMost(f), kMany); });
    return sum;
  }

  bool isUsable;

private:
  static constexpr unsigned kMany = 1u << 24;

  template <typename Visit>
  void forEachForm(Visit visit) const {
    for (const Form &f : map.results)
      visit(f);
    for (const Constraint &c : map.constraints)
      visit(c.form);
  }
  uint64_t reached(AtomId id) const {
    return map.arena.isVariable(id)
               ? 0
               : reachedBy[id - map.arena.getNumVariables()];
  }
  unsigned writtenFor(AtomId id) const {
    return map.arena.isVariable(id) ? 0
                                    : written[id - map.arena.getNumVariables()];
  }
  /// Term by term, but a last term that makes a digit of its own body spares
  /// what it shares with it.
  unsigned atMost(FormRef f) const {
    unsigned sum = 0;
    for (const Term &t : f.terms)
      sum = std::min(sum + writtenFor(t.atom), kMany);
    if (f.terms.size() < 2)
      return sum;
    const Term &q = f.terms.back();
    const Atom &a = map.arena.getAtom(q.atom);
    if (a.kind != AtomKind::FloorDiv || q.coefficient % a.divisor != 0 ||
        q.coefficient == Interval::kNoLower)
      return sum;
    const int64_t k = -(q.coefficient / a.divisor);
    unsigned spared = 0;
    const Term *at = f.terms.begin();
    for (const Term &t : map.arena.body(q.atom).terms) {
      while (at != f.terms.end() && at->atom < t.atom)
        ++at;
      if (at == f.terms.end() || at->atom != t.atom ||
          checkedMul(t.coefficient, k) != at->coefficient)
        return sum;
      spared += writtenFor(t.atom);
    }
    return sum - std::min(sum, spared);
  }

  const MapStorage &map;
  SmallVector<uint64_t, 16> reachedBy;
  SmallVector<unsigned, 16> written;
};

} // namespace

/// True if `after` is written with more divisions or constraints than `before`.
static bool isLarger(const MapStorage &after, const MapStorage &before) {
  const bool hasDivisions =
      after.arena.getNumAtoms() != after.arena.getNumVariables();
  // Constraints that are written as bounds are few, and only over runtime
  // variables.
  const bool hasBounds = before.numRuntime != 0 && !before.constraints.empty();
  if (!hasBounds && after.constraints.size() > before.constraints.size())
    return true;
  if (!hasBounds && !hasDivisions)
    return false;
  if (!hasBounds) {
    DivisionCounter counter(after), bound(before);
    if (counter.isUsable && bound.isUsable &&
        counter.atMost() <= bound.atLeast())
      return false;
  }
  MapSize a = MapStorage::measure(after), b = MapStorage::measure(before);
  return a.divisions > b.divisions || a.constraints > b.constraints;
}

IndexingMap IndexingMap::simplify() const {
  if (!isOrdinary() || storage->isSimplified)
    return *this;
  std::optional<IndexingMap> settled = settle(*this, /*propagate=*/true);
  IndexingMap result = settled ? *settled : *settle(*this, false);
  if (result.isUnknown() ||
      (result.storage != storage && isLarger(*result.storage, *storage)))
    result = *this;
  result.storage->isSimplified = true;
  return result;
}
