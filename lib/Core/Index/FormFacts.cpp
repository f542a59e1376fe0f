//===- FormFacts.cpp - What constraints imply for forms -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two well-known domains, intervals and residue classes, over
// the atoms of an arena. One sweep:
//
//   1. Up. The body's interval gives that of the atom: ⌊B/m⌋ and max(B, 0) are
//      monotone. B's class modulo m*n gives that of ⌊B/m⌋ modulo n.
//   2. Facts. In f = Σ k_i*a_i in I, each k_i*a_i lies in I minus the range of
//      the rest. If I is one number t, then k_i*a_i = t - rest modulo whatever
//      the rest is known modulo (a coefficient m of an unknown atom counts as
//      0 modulo m), and that congruence is solved for a_i; without a solution
//      there is no point.
//   3. Down. What is learnt about ⌊B/m⌋ goes on to B: in [a, b] means B in
//      [m*a, m*b + m - 1]; t modulo n, with B known as r modulo m, means B is
//      m*t + r modulo m*n.
//   4. Both. An interval is cut to its members of the class; an interval of one
//      number is a class of one. Two classes of an atom meet by the Chinese
//      remainder theorem, or contradict each other.
//
// Finally, two facts with divisions on one variable of few values are tried on
// each of them: digits of digits elude both domains.
//
// Every step replaces a set of values by a smaller one that still contains all
// values at points of the domain, so stopping early is sound.
//
//===----------------------------------------------------------------------===//

#include "FormFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::SmallVector;

/// Sweeps of one propagation. Cyclic constraints may creep towards their limit.
static constexpr unsigned kMaxSweeps = 8;
/// Conclusions descend into bodies this deep at once; sweeps go on from there.
static constexpr unsigned kMaxDescent = 8;
/// A variable of at most so many values may be filtered value by value.
static constexpr int64_t kMaxFilteredValues = 128;
/// Moduli stay below this, so that products of residues fit.
static constexpr int64_t kMaxModulus = int64_t(1) << 31;

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

static Residue makeResidue(int64_t modulus, int64_t value) {
  if (modulus == 0)
    return {0, value};
  return {modulus, floorModPositive(value, modulus)};
}

/// The common members of two classes; std::nullopt if there are none.
static std::optional<Residue> meetOf(Residue a, Residue b) {
  if (a.isAnything() || a == b)
    return b;
  if (b.isAnything())
    return a;
  if (b.isExact())
    std::swap(a, b);
  if (a.isExact()) {
    const bool agrees = b.isExact()
                            ? a.value == b.value
                            : floorModPositive(a.value, b.modulus) == b.value;
    return agrees ? std::optional<Residue>(a) : std::nullopt;
  }
  const int64_t g = std::gcd(a.modulus, b.modulus);
  if ((b.value - a.value) % g != 0)
    return std::nullopt;
  const int64_t n = b.modulus / g;
  // Below 2^62.
  if (a.modulus * n >= kMaxModulus)
    return a.modulus >= b.modulus ? a : b;
  // a.value + a.modulus*t = b.value modulo b.modulus.
  const int64_t t = floorModPositive((b.value - a.value) / g, n) *
                    inverseModulo(a.modulus / g, n) % n;
  return makeResidue(a.modulus * n, a.value + a.modulus * t);
}

/// The class of k*x + y.
static Residue addScaled(Residue y, Residue x, int64_t k) {
  if (x.isExact() && y.isExact()) {
    std::optional<int64_t> sum = checkedAdd(y.value, checkedMul(x.value, k));
    return sum ? Residue{0, *sum} : Residue();
  }
  // k*x is known modulo |k|*x.modulus, or modulo any divisor of that.
  uint64_t modulus = 0;
  if (!x.isExact()) {
    const uint64_t size = magnitude(k);
    modulus = size < uint64_t(kMaxModulus) ? size * x.modulus : x.modulus;
  }
  modulus = std::gcd(modulus, static_cast<uint64_t>(y.modulus));
  if (modulus >= uint64_t(kMaxModulus)) {
    // y is exact here, and x of a large modulus: take one that fits.
    modulus = x.modulus;
  }
  const int64_t m = static_cast<int64_t>(modulus);
  return makeResidue(m,
                     floorModPositive(x.value, m) * floorModPositive(k, m) % m +
                         floorModPositive(y.value, m));
}

Interval mlir::tensoraccess::detail::tighten(Interval interval, Residue r) {
  if (r.isAnything() || interval.isEmpty())
    return interval;
  if (r.isExact())
    return interval.intersect(Interval::point(r.value));
  const int64_t m = r.modulus;
  if (interval.hasLower()) {
    const int64_t up =
        floorModPositive(r.value - floorModPositive(interval.lower, m), m);
    interval.lower =
        checkedAdd(interval.lower, up).value_or(Interval::kNoUpper);
  }
  if (interval.hasUpper()) {
    const int64_t down =
        floorModPositive(floorModPositive(interval.upper, m) - r.value, m);
    interval.upper =
        checkedSub(interval.upper, down).value_or(Interval::kNoLower);
  }
  return interval;
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

FormFacts::FormFacts(const FormArena &arena, llvm::ArrayRef<Interval> ranges)
    : arena(arena) {
  atomRanges.append(ranges.begin(), ranges.end());
  for (AtomId id = ranges.size(), e = arena.getNumAtoms(); id < e; ++id)
    atomRanges.push_back(arena.getAtom(id).range);
  residues.resize(atomRanges.size());
}

Interval FormFacts::directRange(FormRef form) const {
  Interval sum = Interval::point(form.constant);
  for (const Term &t : form.terms)
    sum = sum + atomRanges[t.atom].scaled(t.coefficient);
  return sum;
}

/// The t with form = t*fact + rest if that takes a term away; 0 otherwise.
static int64_t factorOf(FormRef fact, FormRef form) {
  const Term &lead = fact.terms.front();
  for (const Term &t : form.terms)
    if (t.atom == lead.atom)
      return t.coefficient == Interval::kNoLower ||
                     t.coefficient % lead.coefficient != 0
                 ? 0
                 : t.coefficient / lead.coefficient;
  return 0;
}

Interval FormFacts::rangeWithout(FormRef form, unsigned without) const {
  Interval result = directRange(form);
  if (form.terms.size() < 2)
    return result;
  // form = t*fact + rest.
  auto byFacts = [&](FormRef x) {
    Interval best = directRange(x);
    for (unsigned i = 0, e = facts.size(); i != e; ++i) {
      if (i == without || facts[i].form.terms.size() < 2 ||
          facts[i].form.terms.size() > x.terms.size())
        continue;
      const int64_t t = factorOf(facts[i].form, x);
      if (t == 0)
        continue;
      Interval sum = facts[i].interval.scaled(t) + x.constant;
      Form rest(x);
      rest.constant = 0;
      bool fits = true;
      for (const Term &u : facts[i].form.terms) {
        Term *mine = llvm::find_if(
            rest.terms, [&](const Term &v) { return v.atom == u.atom; });
        std::optional<int64_t> product = checkedMul(u.coefficient, -t);
        std::optional<int64_t> k;
        if (mine != rest.terms.end() && product)
          k = checkedAdd(mine->coefficient, *product);
        fits = fits && k;
        if (!fits)
          break;
        mine->coefficient = *k;
      }
      std::optional<int64_t> constant = checkedMul(facts[i].form.constant, -t);
      if (!fits || !constant)
        continue;
      best = best.intersect(sum + *constant + directRange(rest));
    }
    return best;
  };
  result = result.intersect(byFacts(form));
  // c*[B]+ + y is the greater (c > 0; the lesser for c < 0) of y and y + c*B.
  for (const Term &t : form.terms) {
    if (arena.getAtom(t.atom).kind != AtomKind::PositivePart ||
        t.coefficient == Interval::kNoLower)
      continue;
    Form y, z;
    if (!FormArena::tryAddScaled(form, Form::ofAtom(t.atom), -t.coefficient,
                                 y) ||
        !FormArena::tryAddScaled(y, arena.body(t.atom), t.coefficient, z))
      continue;
    Interval a = byFacts(y), b = byFacts(z);
    result = result.intersect(
        t.coefficient > 0
            ? Interval(std::max(a.lower, b.lower), std::max(a.upper, b.upper))
            : Interval(std::min(a.lower, b.lower), std::min(a.upper, b.upper)));
  }
  return result;
}

bool FormFacts::narrow(AtomId id, Interval interval) {
  Interval narrowed = atomRanges[id].intersect(interval);
  if (narrowed == atomRanges[id])
    return true;
  changed = true;
  atomRanges[id] = narrowed;
  return !narrowed.isEmpty();
}

bool FormFacts::learn(FormRef x, Interval interval, unsigned descent) {
  if (descent > kMaxDescent)
    return true;
  interval = interval + Interval::point(x.constant).scaled(-1);
  SmallVector<Interval, 8> terms;
  for (const Term &t : x.terms)
    terms.push_back(atomRanges[t.atom].scaled(t.coefficient));
  for (unsigned i = 0, e = terms.size(); i != e; ++i) {
    Interval rest = Interval::point(0);
    for (unsigned j = 0; j != e; ++j)
      if (j != i)
        rest = rest + terms[j];
    const Term t = x.terms[i];
    Interval values = (interval - rest).dividedBy(t.coefficient);
    if (values.contains(atomRanges[t.atom]))
      continue;
    if (!narrow(t.atom, values))
      return false;
    terms[i] = atomRanges[t.atom].scaled(t.coefficient);
    if (arena.isVariable(t.atom))
      continue;
    values = atomRanges[t.atom];
    const Atom &a = arena.getAtom(t.atom);
    bool possible = true;
    if (a.kind == AtomKind::FloorDiv)
      possible = learn(arena.body(t.atom), values.preimageOfFloorDiv(a.divisor),
                       descent + 1);
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

bool FormFacts::sweepRanges() {
  for (AtomId id = arena.getNumVariables(), e = atomRanges.size(); id != e;
       ++id) {
    const Atom &a = arena.getAtom(id);
    if (a.kind == AtomKind::Product) {
      FormRef factors = arena.body(id);
      if (!narrow(id, atomRanges[factors.terms[0].atom] *
                          atomRanges[factors.terms[1].atom]))
        return false;
      continue;
    }
    Interval body = range(arena.body(id));
    if (body.isEmpty())
      return false;
    const Interval up = a.kind == AtomKind::FloorDiv
                            ? body.floorDiv(a.divisor)
                            : Interval(std::max<int64_t>(body.lower, 0),
                                       std::max<int64_t>(body.upper, 0));
    if (!narrow(id, up))
      return false;
  }
  for (unsigned i = 0, e = facts.size(); i != e; ++i) {
    if (rangeWithout(facts[i].form, i).intersect(facts[i].interval).isEmpty() ||
        !learn(facts[i].form, facts[i].interval, 0))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Residues of forms
//===----------------------------------------------------------------------===//

Residue FormFacts::sumOfResidues(FormRef form) const {
  Residue sum{0, form.constant};
  for (const Term &t : form.terms)
    sum = addScaled(sum, residues[t.atom], t.coefficient);
  return sum;
}

Residue FormFacts::residue(FormRef form) const {
  Residue sum = sumOfResidues(form);
  if (sum.isExact() || form.terms.size() < 2)
    return sum;
  // form = t*f + rest.
  for (const FormResidue &f : formResidues) {
    const int64_t t = factorOf(f.form, form);
    Form rest;
    if (t == 0 || t == Interval::kNoLower ||
        !FormArena::tryAddScaled(form, f.form, -t, rest) ||
        rest.terms.size() >= form.terms.size())
      continue;
    if (std::optional<Residue> both =
            meetOf(sum, addScaled(sumOfResidues(rest), f.residue, t)))
      sum = *both;
  }
  return sum;
}

/// Sums of several variables whose class an equality states: in
/// Σ k_i*a_i = t, those terms whose coefficients m does not divide are t
/// modulo m.
bool FormFacts::collectFormResidues() {
  for (const Fact &fact : facts) {
    if (!fact.interval.isPoint())
      continue;
    for (const Term &t : fact.form.terms) {
      const uint64_t m = magnitude(t.coefficient);
      if (m < 2 || m >= uint64_t(kMaxModulus) || arena.isVariable(t.atom))
        continue;
      const int64_t modulus = static_cast<int64_t>(m);
      FormResidue found;
      for (const Term &u : fact.form.terms)
        if (u.coefficient % modulus != 0)
          found.form.terms.push_back(u);
      if (found.form.terms.size() < 2)
        continue;
      const Term &lead = found.form.terms.front();
      if (lead.coefficient == Interval::kNoLower)
        continue;
      found.residue = addScaled(makeResidue(modulus, fact.interval.lower),
                                makeResidue(modulus, fact.form.constant), -1);
      if (lead.coefficient < 0) {
        found.residue = addScaled(Residue{0, 0}, found.residue, -1);
        bool fits = true;
        for (Term &u : found.form.terms) {
          fits = fits && u.coefficient != Interval::kNoLower;
          u.coefficient = fits ? -u.coefficient : u.coefficient;
        }
        if (!fits)
          continue;
      }
      FormResidue *same =
          llvm::find_if(formResidues, [&](const FormResidue &other) {
            return other.form == found.form;
          });
      if (same == formResidues.end()) {
        formResidues.push_back(std::move(found));
        continue;
      }
      std::optional<Residue> both = meetOf(same->residue, found.residue);
      if (!both)
        return false;
      same->residue = *both;
    }
  }
  return true;
}

bool FormFacts::meet(AtomId id, Residue residue) {
  std::optional<Residue> both = meetOf(residues[id], residue);
  if (!both)
    return false;
  if (!(*both == residues[id])) {
    changed = true;
    residues[id] = *both;
  }
  const Interval cut = tighten(atomRanges[id], *both);
  if (cut.isEmpty())
    return false;
  changed |= cut != atomRanges[id];
  atomRanges[id] = cut;
  if (cut.isPoint())
    residues[id] = {0, cut.lower};
  anyResidue |= residues[id].modulus > 1;
  return true;
}

bool FormFacts::learnResidue(FormRef form, Residue target, unsigned descent) {
  if (descent > kMaxDescent)
    return true;
  for (const Term &t : form.terms) {
    // k*a = target - rest.
    Residue rest{0, form.constant};
    for (const Term &u : form.terms)
      if (u.atom != t.atom)
        rest = addScaled(rest, residues[u.atom], u.coefficient);
    Residue value = addScaled(target, rest, -1);
    if (value.isAnything() || t.coefficient == Interval::kNoLower ||
        value.value == Interval::kNoLower)
      continue;
    const uint64_t g = std::gcd(magnitude(t.coefficient),
                                static_cast<uint64_t>(value.modulus));
    const int64_t divisor = static_cast<int64_t>(g);
    if (value.value % divisor != 0)
      return false;
    Residue solved;
    if (value.isExact())
      solved = {0, value.value / t.coefficient};
    else {
      const int64_t m = value.modulus / divisor;
      solved = makeResidue(
          m, value.value / divisor % m *
                 (m == 1 ? 0 : inverseModulo(t.coefficient / divisor, m)));
    }
    const Residue before = residues[t.atom];
    if (!meet(t.atom, solved))
      return false;
    if (arena.isVariable(t.atom) || before == residues[t.atom] ||
        arena.getAtom(t.atom).kind != AtomKind::FloorDiv)
      continue;
    // ⌊B/m⌋ = t modulo n and B = r modulo m: B = m*t + r modulo m*n.
    const int64_t m = arena.getAtom(t.atom).divisor;
    FormRef body = arena.body(t.atom);
    const Residue q = residues[t.atom];
    std::optional<int64_t> r = residue(body).modulo(m);
    if (!r || m >= kMaxModulus)
      continue;
    Residue whole;
    if (q.isExact()) {
      std::optional<int64_t> sum = checkedAdd(checkedMul(m, q.value), r);
      if (sum)
        whole = {0, *sum};
    } else if (m * q.modulus < kMaxModulus) {
      whole = makeResidue(m * q.modulus, m * q.value + *r);
    }
    if (!learnResidue(body, whole, descent + 1))
      return false;
  }
  return true;
}

bool FormFacts::sweepResidues() {
  for (AtomId id = 0, e = atomRanges.size(); id != e; ++id) {
    Residue up = residues[id];
    if (atomRanges[id].isPoint()) {
      up = {0, atomRanges[id].lower};
    } else if (!arena.isVariable(id) &&
               arena.getAtom(id).kind == AtomKind::FloorDiv) {
      const int64_t m = arena.getAtom(id).divisor;
      const Residue body = residue(arena.body(id));
      if (body.isExact())
        up = {0, floorDivPositive(body.value, m)};
      else if (body.modulus % m == 0)
        up = makeResidue(body.modulus / m, body.value / m);
    }
    if (!meet(id, up))
      return false;
  }
  for (Fact &fact : facts) {
    fact.interval = tighten(fact.interval, residue(fact.form));
    if (fact.interval.isEmpty())
      return false;
    if (fact.interval.isPoint() &&
        !learnResidue(fact.form, {0, fact.interval.lower}, 0))
      return false;
  }
  // What is known about a division and its remainder goes to the body.
  for (AtomId id = arena.getNumVariables(), e = atomRanges.size(); id != e;
       ++id) {
    const Atom &a = arena.getAtom(id);
    if (a.kind != AtomKind::FloorDiv || residues[id].isAnything() ||
        a.divisor >= kMaxModulus)
      continue;
    std::optional<int64_t> r = residue(arena.body(id)).modulo(a.divisor);
    if (!r || residues[id].isExact() ||
        a.divisor * residues[id].modulus >= kMaxModulus)
      continue;
    if (!learnResidue(arena.body(id),
                      makeResidue(a.divisor * residues[id].modulus,
                                  a.divisor * residues[id].value + *r),
                      1))
      return false;
  }
  return true;
}

/// Two facts with divisions on the same variable of a small range are tried
/// value by value; the variable keeps the hull of the values that pass.
bool FormFacts::filterValues() {
  const unsigned numVariables = arena.getNumVariables();
  SmallVector<SmallVector<unsigned, 4>, 8> own(numVariables);
  SmallVector<char, 32> used;
  bool isWorthIt = false;
  for (unsigned i = 0, e = facts.size(); i != e; ++i) {
    used.clear();
    arena.markUsed(facts[i].form, used);
    unsigned variable = numVariables, count = 0;
    for (unsigned v = 0; v < numVariables && v < used.size(); ++v)
      if (used[v] && !atomRanges[v].isPoint()) {
        variable = v;
        ++count;
      }
    if (count != 1 || arena.isVariable(facts[i].form.terms.back().atom))
      continue;
    own[variable].push_back(i);
    isWorthIt |= own[variable].size() > 1;
  }
  if (!isWorthIt)
    return true;
  for (unsigned v = 0; v != numVariables; ++v) {
    std::optional<int64_t> size = atomRanges[v].size();
    if (own[v].size() < 2 || !atomRanges[v].isFinite() || !size ||
        *size > kMaxFilteredValues)
      continue;
    // Only atoms of v and of variables of one value count; the others get
    // whatever the ends of their ranges give.
    SmallVector<int64_t, 8> point;
    for (unsigned u = 0; u != numVariables; ++u)
      point.push_back(atomRanges[u].hasLower()   ? atomRanges[u].lower
                      : atomRanges[u].hasUpper() ? atomRanges[u].upper
                                                 : 0);
    SmallVector<int64_t, 32> values;
    Interval hull(0, -1);
    for (int64_t value = atomRanges[v].lower; value <= atomRanges[v].upper;
         ++value) {
      point[v] = value;
      const bool passes = !arena.evaluateAtoms(point, values) ||
                          llvm::all_of(own[v], [&](unsigned i) {
                            std::optional<int64_t> x =
                                FormArena::evaluate(facts[i].form, values);
                            return !x || facts[i].interval.contains(*x);
                          });
      if (passes)
        hull = hull.hull(Interval::point(value));
    }
    if (hull.isEmpty() || !narrow(v, hull))
      return false;
  }
  return true;
}

bool FormFacts::sweep() {
  for (unsigned i = 0; i != kMaxSweeps; ++i) {
    changed = false;
    if (!sweepRanges() || (anyEquality && !sweepResidues()))
      return false;
    if (!changed)
      break;
  }
  return true;
}

bool FormFacts::propagate() {
  anyEquality = llvm::any_of(
      facts, [](const Fact &fact) { return fact.interval.isPoint(); });
  if (anyEquality && !collectFormResidues())
    return false;
  if (!sweep())
    return false;
  if (facts.size() < 2 || arena.getNumAtoms() == arena.getNumVariables())
    return true;
  changed = false;
  if (!filterValues())
    return false;
  return !changed || sweep();
}
