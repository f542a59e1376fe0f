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
//        f = k*(B mod m) + c:  B in [m*q + a', m*q + b'] where the numbers that
//                        B can be meet B mod m in [a', b'] in one period q only
//                        (d0 + d1 in [0, 4] is 2 if it is 2 modulo 3)
//      and drop it if the range of f implies it; an impossible one makes the
//      map empty.
//   2. Reduce by equalities. If e = 0 on the domain (a constraint with a point
//      interval), then f = s*f + l*e up to the factor s. A multiple of e that
//      cancels a term of f is taken if the form becomes cheaper to write; and
//      if all coefficients of f + l*e share a factor g, the values of f lie in
//      one residue class modulo g, which tightens its interval.
//   3. Propagate intervals and residue classes (FormFacts.cpp). That tightens
//      variables and rewrites results (FactRewriter.cpp). Constraints that
//      follow from the class of a variable or a sum become one, `x mod m in
//      [r, r]`: s mod 4 in [1, 1] and s mod 6 in [3, 3] are s mod 12 in [9, 9].
//      That class follows from all constraints, so adding it is sound; what
//      follows from it may then go.
//   4. If nothing changed so far: a constraint that the others imply goes, and
//      one that the others make shorter is replaced.
//   5. If a range, form or constraint changed, or a variable or a result has
//      one value left, substitute everything into an arena with the new ranges.
//
// Then IndexingMapPoints.cpp looks at results and constraints that still have
// divisions point by point, where they depend on few points.
//
// Rounds are repeated until nothing changes; hence simplifying again changes
// nothing. Propagation over cyclic constraints may approach its limit one step
// a round: when it has not settled after kMaxRounds, the map is simplified with
// step 1 only, which always settles: it removes a constraint or a division each
// time.
// A result that would print larger than the original is not taken.
//
//===----------------------------------------------------------------------===//

#include "FactRewriter.h"
#include "IndexingMapStorage.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::IntrusiveRefCntPtr;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using namespace mlir::tensoraccess::detail;

static constexpr unsigned kMaxRounds = 16;
/// Beyond so many constraints none is compared with all the others.
static constexpr unsigned kMaxLeaveOneOut = 12;

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
enum class RoundChange : uint8_t {
  None,    ///< nothing to do
  Some,    ///< another round may find more
  Settled, ///< constraints without effect dropped, and nothing else changed
};

/// One round on one map.
class Round {
public:
  Round(const MapStorage &map, bool propagate)
      : map(map), arena(map.arena), ranges(map.ranges),
        results(map.results.begin(), map.results.end()), propagate(propagate) {}

  /// The map after the round, if there was any change.
  IndexingMap run(RoundChange &change);

private:
  enum class Fate { Keep, Drop, Impossible };

  Fate rewrite(Constraint &c);
  /// A constraint on a remainder is one on the dividend where that stays in one
  /// period. True if it was; then `c` is the new one.
  bool rewriteRemainder(Constraint &c);
  /// Replaces f by s*f + l*e (and its interval) where that is cheaper.
  void reduce(Form &f, Interval *interval, const Constraint &equality);
  unsigned costOf(FormRef x) const { return costOfForm(arena, x); }
  /// Learns from all constraints together; false if they are contradictory.
  bool propagateFacts();
  /// Puts `form mod m in [r, r]`, a consequence of the constraints, in place of
  /// those that follow from it, if that is cheaper.
  void replaceByClass(const Form &form, Residue residue);
  /// Drops or shortens each constraint by what the others imply.
  void dropImplied();
  bool narrow(unsigned variable, Interval interval) {
    Interval narrowed = ranges[variable].intersect(interval);
    changed |= narrowed != ranges[variable];
    ranges[variable] = narrowed;
    return !narrowed.isEmpty();
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

bool Round::rewriteRemainder(Constraint &c) {
  for (const Term &t : c.form.terms) {
    // f = rest + k*(B - m*⌊B/m⌋), the rest being a constant.
    if (arena.getAtom(t.atom).kind != AtomKind::FloorDiv)
      continue;
    const int64_t m = arena.getAtom(t.atom).divisor, k = -(t.coefficient / m);
    Form body(arena.body(t.atom)), rest;
    if (t.coefficient % m != 0 ||
        !FormArena::tryAddScaled(c.form, body, -k, rest) ||
        rest.terms.size() != 1 || rest.constant == Interval::kNoLower)
      continue;
    const Interval wanted = c.interval + -rest.constant,
                   remainder =
                       wanted.dividedBy(k).intersect(Interval::ofExtent(m)),
                   values = arena.range(body);
    if (wanted.hasLower() != c.interval.hasLower() ||
        wanted.hasUpper() != c.interval.hasUpper() || remainder.isEmpty())
      continue;
    // The first period whose part ends among the values, and the last one
    // whose part begins there.
    std::optional<int64_t> above = checkedSub(values.lower, remainder.upper),
                           below = checkedSub(values.upper, remainder.lower);
    if (!values.isFinite() || !above || !below)
      continue;
    const int64_t first = ceilDivPositive(*above, m),
                  last = floorDivPositive(*below, m);
    std::optional<int64_t> begin = checkedMul(first, m);
    const Interval part = begin ? remainder + *begin : Interval::all();
    if (first < last || !part.isFinite())
      continue;
    c.form = std::move(body);
    c.interval = first == last ? part : Interval(0, -1);
    changed = true;
    return true;
  }
  return false;
}

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
    if (rewriteRemainder(c))
      continue;

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
        (sign < 0 ? -c.interval : c.interval).preimageOfFloorDiv(m);
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
          const Interval tight =
              tighten(*interval, {m, floorModPositive(reduced.constant, m)});
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

/// Values of `form` under `facts`.
static Interval valuesOf(const FormArena &arena, const FormFacts &facts,
                         FormRef form) {
  return tighten(facts.range(form).intersect(arena.range(form)),
                 facts.residue(form));
}

bool Round::propagateFacts() {
  FormFacts facts(arena, ranges);
  for (const Constraint &c : constraints)
    facts.assume(c.form, c.interval);
  if (!facts.propagate())
    return false;
  for (unsigned i = 0, e = ranges.size(); i != e; ++i)
    if (!narrow(i, facts.rangeOfAtom(i)))
      return false;
  // Results may use all facts, whatever becomes of the constraints.
  FactRewriter rewriter(arena, facts);
  for (Form &f : results)
    changed |= rewriter.rewrite(f);
  arena.clearFailure();
  if (!facts.hasResidues())
    return true;
  // Take the classes along: what follows replaces constraints.
  SmallVector<FormFacts::FormResidue, 4> classes;
  for (unsigned i = 0, e = ranges.size(); i != e; ++i)
    if (facts.residueOfAtom(i).modulus > 1)
      classes.push_back({Form::ofAtom(i), facts.residueOfAtom(i)});
  llvm::append_range(classes, facts.getFormResidues());
  for (const FormFacts::FormResidue &c : classes)
    replaceByClass(c.form, c.residue);
  return true;
}

void Round::replaceByClass(const Form &form, Residue residue) {
  Constraint whole{arena.mod(form, residue.modulus),
                   Interval::point(residue.value)};
  if (arena.failed() || whole.form.isConstant()) {
    arena.clearFailure();
    return;
  }
  FormFacts facts(arena, ranges);
  facts.assume(whole.form, whole.interval);
  if (!facts.propagate())
    return;
  SmallVector<unsigned, 4> implied;
  unsigned cost = 0;
  const AtomId lead = form.terms.front().atom;
  for (unsigned i = 0, e = constraints.size(); i != e; ++i) {
    const Constraint &c = constraints[i];
    if (llvm::none_of(c.form.terms,
                      [&](const Term &t) {
                        return t.atom == lead || !arena.isVariable(t.atom);
                      }) ||
        !c.interval.contains(valuesOf(arena, facts, c.form)))
      continue;
    if (c.form == whole.form)
      return;
    implied.push_back(i);
    cost += costOf(c.form);
  }
  if (implied.empty() || costOf(whole.form) >= cost)
    return;
  for (unsigned i : llvm::reverse(implied))
    constraints.erase(constraints.begin() + i);
  constraints.push_back(std::move(whole));
  changed = true;
}

void Round::dropImplied() {
  if (constraints.size() < 2 || constraints.size() > kMaxLeaveOneOut)
    return;
  for (unsigned i = constraints.size(); i-- > 0;) {
    FormFacts facts(arena, ranges);
    for (unsigned j = 0, e = constraints.size(); j != e; ++j)
      if (j != i)
        facts.assume(constraints[j].form, constraints[j].interval);
    if (!facts.propagate())
      continue;
    Constraint &c = constraints[i];
    if (c.interval.contains(valuesOf(arena, facts, c.form))) {
      constraints.erase(constraints.begin() + i);
      changed = true;
      continue;
    }
    FactRewriter rewriter(arena, facts);
    changed |= rewriter.changesAtoms() && rewriter.rewrite(c.form);
    arena.clearFailure();
  }
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
    images.push_back(
        s->addVariable(map.getKind(i), ranges[i], map.getCustomName(i)));
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

IndexingMap Round::run(RoundChange &change) {
  change = RoundChange::Some;
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
  if (propagate && !constraints.empty()) {
    if (!propagateFacts())
      return makeEmpty();
    // 4. Drop what the others imply.
    if (!changed)
      dropImplied();
  }

  // 5. Rebuild. Without what was dropped another round would see what this one
  // saw, and do nothing.
  if (changed || hasConstants(map))
    return rebuild();
  change = dropped ? RoundChange::Settled : RoundChange::None;
  return dropped ? withoutDropped() : IndexingMap();
}

/// Repeats rounds until nothing changes; std::nullopt if they don't settle.
static std::optional<IndexingMap> settle(const IndexingMap &map,
                                         bool propagate) {
  IndexingMap current = map;
  // Without propagation each round removes a constraint or a division.
  for (unsigned i = 0; !propagate || i != kMaxRounds; ++i) {
    const MapStorage &s = MapStorage::of(current);
    if (s.constraints.empty() && !hasConstants(s))
      return current;
    RoundChange change = RoundChange::None;
    IndexingMap next = Round(s, propagate).run(change);
    if (change == RoundChange::None)
      return current;
    current = std::move(next);
    if (change == RoundChange::Settled || !current.isOrdinary())
      return current;
  }
  return std::nullopt;
}

/// Bounds by parameters follow from one another where those by numbers meet in
/// one: d - 2n <= -1 from d - n <= -1 and n >= 0. Drops constraints f in I for
/// which another one, g in J, has (f ∓ g) ± J within I.
static IndexingMap dropImplied(const IndexingMap &map) {
  const MapStorage &s = MapStorage::of(map);
  if (s.numRuntime == 0 || s.constraints.size() < 2)
    return map;
  FormArena arena = s.arena;
  SmallVector<Constraint, 4> kept(s.constraints.begin(), s.constraints.end());
  auto follows = [&](const Constraint &c, const Constraint &from) {
    for (int64_t sign : {1, -1}) {
      Form rest = arena.addScaled(c.form, from.form, -sign);
      if (arena.failed()) {
        arena.clearFailure();
        continue;
      }
      if (c.interval.contains(arena.range(rest) + from.interval.scaled(sign)))
        return true;
    }
    return false;
  };
  for (unsigned i = 0; i < kept.size();) {
    bool implied = false;
    for (unsigned j = 0; j < kept.size() && !implied; ++j)
      implied = j != i && follows(kept[i], kept[j]);
    if (implied)
      kept.erase(kept.begin() + i);
    else
      ++i;
  }
  if (kept.size() == s.constraints.size())
    return map;
  IntrusiveRefCntPtr<MapStorage> out(new MapStorage(s));
  out->isSimplified = false;
  out->constraints.assign(kept.begin(), kept.end());
  return MapStorage::finish(std::move(out));
}

IndexingMap IndexingMap::simplify() const {
  if (!isOrdinary() || storage->isSimplified)
    return *this;
  auto settleFully = [](const IndexingMap &map) {
    std::optional<IndexingMap> settled = settle(map, /*propagate=*/true);
    return settled ? *settled : *settle(map, false);
  };
  IndexingMap result = settleFully(*this);
  // Each iteration removes divisions or a constraint.
  while (result.isOrdinary()) {
    std::optional<IndexingMap> next = MapStorage::simplifyByPoints(result);
    if (!next)
      break;
    result = settleFully(*next);
  }
  if (result.isOrdinary())
    result = dropImplied(result);
  if (result.isUnknown() || (result.storage != storage &&
                             MapStorage::isLarger(*result.storage, *storage)))
    result = *this;
  result.storage->isSimplified = true;
  return result;
}
