//===- FormDivision.cpp - Floor division, mod, min and max ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ⌊x/m⌋ of a form x, m > 0, in eight steps. Each is an equation over the
// integers, valid for every value of the variables in range:
//
//   1. Extract.  ⌊(m*y + r)/m⌋ = y + ⌊r/m⌋.
//      Terms whose coefficient is a multiple of m leave, and so do the
//      multiples of m in the constant. Proof: ⌊y + t⌋ = y + ⌊t⌋ for an integer
//      y and a rational t.
//
//   2. Block.    If r is always in [t*m, t*m + m - 1], then ⌊r/m⌋ = t.
//      Proof: definition of floor. The range of r decides.
//
//   3. Narrow.   Let g divide m, and x = g*h + l with l always in
//      [t*g, t*g + g - 1]. Then ⌊(g*h + l)/m⌋ = ⌊(h + t)/(m/g)⌋.
//      Proof: ⌊x/m⌋ = ⌊⌊x/g⌋/(m/g)⌋ for positive integers g and m/g, and
//      ⌊(g*h + l)/g⌋ = h + ⌊l/g⌋ = h + t by steps 1 and 2.
//      Candidates for g are the gcds of m with the coefficients, greatest
//      first.
//
//   4. Round.    Let k = q*m + e for the coefficient k of each term. Then
//      ⌊(Σ k*a + c)/m⌋ = Σ q*a + ⌊(Σ e*a + c)/m⌋, and step 2 may decide the
//      rest. Both e in (0, m) and e - m are tried for each term: ⌊(11*a + 1)/2⌋
//      is 6*a + ⌊(1 - a)/2⌋, and for a in [0, 1] that is 6*a. Proof: step 1.
//
//   5. Digits.   The same as in steps 1, 3 and 4 for the digits of x in place
//      of its terms (FormDigits.cpp).
//
//   6. Merge.    ⌊(⌊B/q⌋ + s)/m⌋ = ⌊(B + q*s)/(q*m)⌋, and
//                ⌊(-⌊B/q⌋ + s)/m⌋ = ⌊(-B + q - 1 + q*s)/(q*m)⌋.
//      Proof: with s inside, ⌊B/q⌋ + s = ⌊(B + q*s)/q⌋, and nested floors
//      multiply: ⌊⌊y/q⌋/m⌋ = ⌊y/(q*m)⌋. For the second, -⌊B/q⌋ = ⌈-B/q⌉ =
//      ⌊(-B + q - 1)/q⌋. Done when there is one division in x, with
//      coefficient 1 or -1, and q*m fits.
//
//   7. Orient.   ⌊r/m⌋ = -⌊(-r + m - 1)/m⌋.
//      Proof: ⌊r/m⌋ = -⌈-r/m⌉, and ⌈y/m⌉ = ⌊(y + m - 1)/m⌋ for an integer y.
//      One of the two is chosen by its signs, so that ⌊d0/2⌋ + ⌊(1 - d0)/2⌋ is 0:
//      reversed digits cancel like others.
//
//   8. Intern.   Otherwise ⌊r/m⌋ is an atom: look it up, or make it.
//
// Every iteration of the loop lowers m (3, 5), takes a digit out of x (5) or
// lowers the heights of the atoms in x (6), so it terminates. What a step decides
// depends on the set of terms, not on their order: printing a form and reading
// it back gives the same atoms.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Form.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::SmallVector;

/// gcd(|a|, m) for m > 0; at most m, hence an int64.
static int64_t gcdWith(int64_t a, int64_t m) {
  return static_cast<int64_t>(std::gcd(magnitude(a), static_cast<uint64_t>(m)));
}

/// Step 3 on x/m; true if it applied, with the smaller problem in x and m.
bool FormArena::narrowDivision(Form &x, int64_t &m) const {
  SmallVector<int64_t, 6> candidates;
  for (const Term &t : x.terms) {
    int64_t g = gcdWith(t.coefficient, m);
    if (g > 1 && !llvm::is_contained(candidates, g))
      candidates.push_back(g);
  }
  if (candidates.size() > 1)
    llvm::sort(candidates, std::greater<int64_t>());
  for (int64_t g : candidates) {
    // Most candidates fail, so nothing is built before the range has decided.
    Form low(floorModPositive(x.constant, g));
    for (const Term &t : x.terms)
      if (t.coefficient % g != 0)
        low.terms.push_back(t);
    std::optional<int64_t> t = range(low).blockOf(g);
    if (!t)
      continue;
    std::optional<int64_t> c = checkedAdd(floorDivPositive(x.constant, g), *t);
    if (!c)
      continue;
    x.constant = *c;
    llvm::erase_if(x.terms,
                   [&](const Term &t) { return t.coefficient % g != 0; });
    for (Term &t : x.terms)
      t.coefficient /= g;
    m /= g;
    return true;
  }
  return false;
}

/// Step 4 on x/m; true if it decided the division, with the quotient added to
/// `out`. The number of choices is exponential in the number of terms.
bool FormArena::roundDivision(const Form &x, int64_t m, Form &out) {
  constexpr unsigned kMaxTerms = 3;
  const unsigned n = x.terms.size();
  if (n > kMaxTerms)
    return false;
  for (unsigned up = 0; up < 1u << n; ++up) {
    Interval rest = Interval::point(x.constant);
    for (unsigned i = 0; i < n; ++i) {
      int64_t e = floorModPositive(x.terms[i].coefficient, m);
      rest =
          rest + atoms[x.terms[i].atom].range.scaled(up >> i & 1 ? e - m : e);
    }
    std::optional<int64_t> t = rest.blockOf(m);
    if (!t)
      continue;
    Form quotient(*t);
    for (unsigned i = 0; i < n; ++i) {
      int64_t q = floorDivPositive(x.terms[i].coefficient, m) + (up >> i & 1);
      if (q != 0)
        quotient.terms.push_back({x.terms[i].atom, q});
    }
    accumulate(out, quotient);
    return true;
  }
  return false;
}

/// Step 7: whether the body should change its sign. The first variable decides;
/// without variables the greater number of signs and then the sum of the
/// coefficients do, which don't depend on how atoms are numbered.
bool FormArena::isReversed(FormRef x) const {
  if (isVariable(x.terms.front().atom))
    return x.terms.front().coefficient < 0;
  int64_t signs = 0;
  __int128 sum = 0;
  for (const Term &t : x.terms) {
    signs += t.coefficient > 0 ? 1 : -1;
    sum += t.coefficient;
  }
  return signs != 0 ? signs < 0 : sum < 0;
}

Form FormArena::floorDivPositiveBy(Form x, int64_t m) {
  Form out;
  while (m != 1) {
    // Step 1: extract. What stays is moved to the front of x.
    const int64_t leaving = floorDivPositive(x.constant, m);
    unsigned kept = 0;
    Form multiples;
    for (const Term &t : x.terms) {
      if (t.coefficient % m == 0)
        multiples.terms.push_back({t.atom, t.coefficient / m});
      else
        x.terms[kept++] = t;
    }
    multiples.constant = leaving;
    if (leaving != 0 || !multiples.terms.empty()) {
      x.constant = floorModPositive(x.constant, m);
      x.terms.truncate(kept);
      accumulate(out, multiples);
    }
    if (x.terms.empty())
      return out;

    // Step 2: block.
    Interval xRange = range(x);
    if (std::optional<int64_t> t = xRange.blockOf(m)) {
      accumulate(out, Form(*t));
      return out;
    }

    // Step 3: narrow.
    if (narrowDivision(x, m))
      continue;

    // Step 4: round.
    if (roundDivision(x, m, out))
      return out;

    // Step 5: digits.
    bool decided = false;
    if (divideDigits(x, m, out, decided)) {
      if (decided)
        return out;
      continue;
    }

    // Step 6: merge.
    const Term *division = nullptr;
    unsigned numDivisions = 0;
    for (const Term &t : x.terms)
      if (atoms[t.atom].kind == AtomKind::FloorDiv) {
        division = &t;
        ++numDivisions;
      }
    if (numDivisions == 1 &&
        (division->coefficient == 1 || division->coefficient == -1)) {
      const int64_t sign = division->coefficient;
      const AtomId atom = division->atom;
      const int64_t q = atoms[atom].divisor;
      std::optional<int64_t> qm = checkedMul(q, m);
      Form s, scaledS, merged;
      if (qm && tryAddScaled(x, Form::ofAtom(atom), -sign, s) &&
          tryAddScaled(Form(sign < 0 ? q - 1 : 0), s, q, scaledS) &&
          tryAddScaled(scaledS, body(atom), sign, merged)) {
        x = std::move(merged);
        m = *qm;
        continue;
      }
    }

    // Steps 7 and 8: orient and intern.
    Form reversed;
    if (isReversed(x) && tryAddScaled(Form(m - 1), x, -1, reversed))
      accumulate(
          out,
          intern(AtomKind::FloorDiv, reversed, m, range(reversed).floorDiv(m)),
          -1);
    else
      accumulate(out, intern(AtomKind::FloorDiv, x, m, xRange.floorDiv(m)));
    return out;
  }
  accumulate(out, x);
  return out;
}

Form FormArena::floorDiv(FormRef x, int64_t m) {
  if (failed())
    return Form();
  if (m > 0)
    return floorDivPositiveBy(Form(x), m);
  if (m == 0)
    return fail(FormFailure::DivisionByZero);
  // ⌊x / -c⌋ = ⌊-x / c⌋.
  std::optional<int64_t> c = checkedSub(0, m);
  if (!c)
    return fail(FormFailure::Overflow);
  Form negated = negate(x);
  return failed() ? Form() : floorDivPositiveBy(std::move(negated), *c);
}

Form FormArena::ceilDiv(FormRef x, int64_t m) {
  Form negated = negate(x);
  return negate(floorDiv(negated, m));
}

Form FormArena::mod(FormRef x, int64_t m) {
  if (m <= 0)
    return fail(m == 0 ? FormFailure::DivisionByZero
                       : FormFailure::ModByNegative);
  Form whole(x);
  Form q = floorDiv(whole, m);
  return addScaled(whole, q, -m);
}

//===----------------------------------------------------------------------===//
// Min and max: one atom, the positive part [f]+ = max(f, 0).
//
//   max(x, y) = y + [x - y]+            min(x, y) = x - [x - y]+
//   [f]+ = f  if f >= 0 everywhere      [f]+ = 0 if f <= 0 everywhere
//   [g*f]+ = g*[f]+  for g > 0          [f]+ = f + [-f]+
//
// The last equation fixes a sign: the first variable of the body has a positive
// coefficient, so that max(x, y) and max(y, x) are one atom.
//===----------------------------------------------------------------------===//

Form FormArena::positivePart(FormRef x) {
  // The ranges are asked of the reduced body, so that the answer for g*f and
  // for f is the same.
  uint64_t g = magnitude(x.constant);
  for (const Term &t : x.terms)
    g = std::gcd(g, magnitude(t.coefficient));
  if (g == 0)
    return Form();
  // g <= 2^63, and equals it only if every number in x is -2^63 or 0.
  if (g > static_cast<uint64_t>(Interval::kNoUpper))
    return fail(FormFailure::Overflow);
  const int64_t factor = static_cast<int64_t>(g);
  Form f(x);
  f.constant /= factor;
  for (Term &t : f.terms)
    t.coefficient /= factor;

  Form outside;
  if (!f.terms.empty() && isVariable(f.terms[0].atom) &&
      f.terms[0].coefficient < 0) {
    outside = f;
    f = negate(f);
  }
  Interval r = range(f);
  if (r.lower >= 0)
    return scale(add(outside, f), factor);
  if (r.upper <= 0)
    return scale(outside, factor);
  Form part = intern(AtomKind::PositivePart, f, 0, {0, r.upper});
  return scale(add(outside, part), factor);
}

Form FormArena::max(FormRef x, FormRef y) {
  Form difference = sub(x, y);
  return failed() ? Form() : add(y, positivePart(difference));
}

Form FormArena::min(FormRef x, FormRef y) {
  Form difference = sub(x, y);
  return failed() ? Form() : sub(x, positivePart(difference));
}

Form FormArena::clamp(FormRef x, Interval interval) {
  const Interval reach = range(x);
  Form result(x);
  if (reach.lower < interval.lower)
    result = max(result, Form(interval.lower));
  if (reach.upper > interval.upper)
    result = min(result, Form(interval.upper));
  return result;
}
