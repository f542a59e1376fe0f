//===- FormRange.cpp - Which values a form can take -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four sound answers, intersected:
//
//   A. Direct: constant + Σ coefficient * range(atom). Exact on variables.
//   B. Patterns, one atom at a time, when that leaves a smaller form:
//      blocks   x = c*B + k⌊B/m⌋ + y, where B = m⌊B/m⌋ + r, r in [0, m - 1], is
//               in range((k + c*m)⌊B/m⌋ + y) + c*[0, m - 1], which bounds the
//               digit B - m⌊B/m⌋; and in f(range(B)) + range(y) with f(b) = c*b
//               + k⌊b/m⌋, which is linear within a block of m numbers and from
//               block to block, so that its ends lie next to ends of the first
//               and the last block;
//      max      x = c*[f]+ + y is the greater (c > 0; the lesser for c < 0) of
//               y and y + c*f, so the greater of both ends bounds it.
//   C. Relaxation: ⌊B/m⌋ = (B - rho)/m with rho in [0, m - 1], for all
//      divisions at once, over a common denominator D. What cancels, cancels:
//      for p = ⌊x/5⌋, q = ⌊x/20⌋ the digit p - 4q is (rho_q/5 - rho_p/5), in
//      [-4/5, 19/5], whose integers are [0, 3].
//   D. Digits: the sum of the ranges of all digits of x (FormDigits.cpp).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Form.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::SmallVector;

/// Patterns are tried on forms that patterns left behind, this deep, and on
/// forms of at most this many terms: the search is exponential in the depth.
static constexpr unsigned kMaxPatternDepth = 3;
static constexpr unsigned kMaxPatternTerms = 12;
/// In forms of more terms than this, patterns are not tried on what patterns
/// left behind.
static constexpr unsigned kMaxNestedTerms = 5;

Interval FormArena::relaxedRange(FormRef x) const {
  const AtomId last = x.terms.back().atom;
  // coefficients[id] / denominator multiplies atom id; `sum` / denominator is
  // what has been bounded so far.
  SmallVector<int64_t, 32> coefficients(last + 1, 0);
  for (const Term &t : x.terms)
    coefficients[t.atom] = t.coefficient;
  int64_t denominator = 1;
  Interval sum = Interval::point(0);
  // All values of x - constant are multiples of this.
  uint64_t step = 0;
  for (const Term &t : x.terms)
    step = std::gcd(step, magnitude(t.coefficient));

  for (AtomId id = last + 1; id-- > 0;) {
    if (coefficients[id] == 0)
      continue;
    const Atom &a = atoms[id];
    if (a.kind != AtomKind::FloorDiv) {
      sum = sum + a.range.scaled(coefficients[id]);
      if (!sum.hasLower() && !sum.hasUpper())
        return sum;
      continue;
    }
    const int64_t m = a.divisor;
    const uint64_t common =
        std::gcd(magnitude(coefficients[id]), static_cast<uint64_t>(m));
    if (common != static_cast<uint64_t>(m)) {
      const int64_t factor = m / static_cast<int64_t>(common);
      if (__builtin_mul_overflow(denominator, factor, &denominator))
        return Interval::all();
      for (AtomId k = 0; k <= id; ++k)
        if (__builtin_mul_overflow(coefficients[k], factor, &coefficients[k]))
          return Interval::all();
      sum = sum.scaled(factor);
    }
    // coefficient * (B - rho)/m
    const int64_t k = coefficients[id] / m;
    FormRef b = body(id);
    std::optional<int64_t> constant = checkedMul(k, b.constant);
    if (!constant || k == Interval::kNoLower)
      return Interval::all();
    sum = sum + *constant + Interval(0, m - 1).scaled(-k);
    for (const Term &t : b.terms) {
      int64_t more;
      if (__builtin_mul_overflow(k, t.coefficient, &more) ||
          __builtin_add_overflow(coefficients[t.atom], more,
                                 &coefficients[t.atom]))
        return Interval::all();
    }
  }
  std::optional<int64_t> stepped;
  if (step <= static_cast<uint64_t>(Interval::kNoUpper))
    stepped = checkedMul(denominator, static_cast<int64_t>(step));
  if (!stepped)
    return sum.dividedBy(denominator) + x.constant;
  return sum.dividedBy(*stepped).scaled(static_cast<int64_t>(step)) +
         x.constant;
}

Interval FormArena::directRange(FormRef x) const {
  // As Interval's arithmetic does it, without its detours: an end that does not
  // fit is not a bound, and stays so.
  int64_t lower = x.constant, upper = x.constant;
  bool hasLower = lower != Interval::kNoLower;
  bool hasUpper = upper != Interval::kNoUpper;
  for (const Term &t : x.terms) {
    const Interval &r = atoms[t.atom].range;
    const bool isPositive = t.coefficient > 0;
    const int64_t low = isPositive ? r.lower : r.upper;
    const int64_t high = isPositive ? r.upper : r.lower;
    const bool lowIsFinite = isPositive ? r.hasLower() : r.hasUpper();
    const bool highIsFinite = isPositive ? r.hasUpper() : r.hasLower();
    int64_t product;
    hasLower = hasLower && lowIsFinite &&
               !__builtin_mul_overflow(low, t.coefficient, &product) &&
               !__builtin_add_overflow(lower, product, &lower);
    hasUpper = hasUpper && highIsFinite &&
               !__builtin_mul_overflow(high, t.coefficient, &product) &&
               !__builtin_add_overflow(upper, product, &upper);
  }
  return {hasLower ? lower : Interval::kNoLower,
          hasUpper ? upper : Interval::kNoUpper};
}

/// The digit that is all of x: x = k*(B - m⌊B/m⌋) + c, or
/// x = k*(⌊B/m⌋ - r⌊B/(r*m)⌋) + c, whose values are k*[0, m - 1] + c and
/// k*[0, r - 1] + c. Nothing that patterns or relaxation know is sharper.
std::optional<Interval> FormArena::digitRange(FormRef x) const {
  const Term &q = x.terms.back();
  const Atom &a = atoms[q.atom];
  if (a.kind != AtomKind::FloorDiv)
    return std::nullopt;
  if (x.terms.size() == 2) {
    const Term &p = x.terms.front();
    const Atom &b = atoms[p.atom];
    if (b.kind == AtomKind::FloorDiv && a.bodyConstant == b.bodyConstant &&
        a.bodySize == b.bodySize) {
      // Whichever has the greater divisor is the coarser one.
      const bool inOrder = b.divisor < a.divisor;
      const Atom &fine = inOrder ? b : a, &coarse = inOrder ? a : b;
      const int64_t k = inOrder ? p.coefficient : q.coefficient;
      const int64_t minus = inOrder ? q.coefficient : p.coefficient;
      if (coarse.divisor % fine.divisor != 0 || k == Interval::kNoLower)
        return std::nullopt;
      const int64_t r = coarse.divisor / fine.divisor;
      if (checkedMul(-k, r) != minus ||
          body(p.atom).terms != body(q.atom).terms)
        return std::nullopt;
      return Interval(0, r - 1).scaled(k) + x.constant;
    }
  }
  if (a.bodySize + 1 != x.terms.size() || q.coefficient % a.divisor != 0 ||
      q.coefficient == Interval::kNoLower)
    return std::nullopt;
  const int64_t k = -(q.coefficient / a.divisor);
  const Term *theirs = pool.begin() + a.bodyBegin;
  for (unsigned i = 0; i != a.bodySize; ++i)
    if (x.terms[i].atom != theirs[i].atom ||
        checkedMul(theirs[i].coefficient, k) != x.terms[i].coefficient)
      return std::nullopt;
  std::optional<int64_t> inside = checkedMul(k, a.bodyConstant);
  std::optional<int64_t> c =
      inside ? checkedSub(x.constant, *inside) : std::nullopt;
  if (!c)
    return std::nullopt;
  return Interval(0, a.divisor - 1).scaled(k) + *c;
}

/// f(range(B)) for f(b) = c*b + k⌊b/m⌋ and B in [b.lower, b.upper].
static Interval stepRange(Interval b, int64_t m, int64_t c, int64_t k) {
  if (!b.isFinite())
    return Interval::all();
  Interval result;
  bool isFirst = true;
  auto add = [&](int64_t at) {
    if (!b.contains(at))
      return true;
    std::optional<int64_t> value =
        checkedAdd(checkedMul(c, at), checkedMul(k, floorDivPositive(at, m)));
    if (!value)
      return false;
    result = isFirst ? Interval::point(*value)
                     : Interval(std::min(result.lower, *value),
                                std::max(result.upper, *value));
    isFirst = false;
    return true;
  };
  // The ends, and both sides of the borders next to them.
  SmallVector<int64_t, 6> points = {b.lower, b.upper};
  if (std::optional<int64_t> border = checkedAdd(
          b.lower, m - floorModPositive(b.lower, m))) // of the second block
    points.append({*border, *border - 1});
  if (std::optional<int64_t> border =
          checkedSub(b.upper, floorModPositive(b.upper, m))) { // of the last
    points.push_back(*border);
    if (*border > b.lower)
      points.push_back(*border - 1);
  }
  return llvm::all_of(points, add) ? result : Interval::all();
}

/// What the pattern `blocks` implies for x with the division `t`. Only digits,
/// for which k + c*m is 0, are looked for in what patterns left behind. `inner`
/// is the depth of what this pattern leaves behind.
Interval FormArena::blockRange(FormRef x, const Term &t, unsigned depth,
                               unsigned inner) const {
  const Atom &a = atoms[t.atom];
  const FormRef b = body(t.atom);
  Interval result = Interval::all();
  SmallVector<int64_t, 2> tried;
  if (t.coefficient == Interval::kNoLower)
    return result;
  for (const Term &inBody : b.terms) {
    const Term *inX = llvm::find_if(
        x.terms, [&](const Term &o) { return o.atom == inBody.atom; });
    if (inX == x.terms.end() || inX->coefficient == Interval::kNoLower)
      continue;
    if (inX->coefficient % inBody.coefficient != 0)
      continue;
    const int64_t c = inX->coefficient / inBody.coefficient;
    if (c == Interval::kNoLower || llvm::is_contained(tried, c))
      continue;
    tried.push_back(c);
    Form rest, without;
    if (!tryAddScaled(x, b, -c, rest) ||
        !tryAddScaled(rest, Form::ofAtom(t.atom), -t.coefficient, without))
      continue;
    std::optional<int64_t> left =
        checkedAdd(checkedMul(c, a.divisor), t.coefficient);
    if (!left || (*left != 0 && depth != 0))
      continue;
    Form blocks;
    if (tryAddScaled(without, Form::ofAtom(t.atom), *left, blocks) &&
        blocks.terms.size() < x.terms.size())
      result = result.intersect(rangeImpl(blocks, inner) +
                                Interval(0, a.divisor - 1).scaled(c));
    if (*left != 0 && without.terms.size() + 1 < x.terms.size())
      result = result.intersect(
          stepRange(directRange(b), a.divisor, c, t.coefficient) +
          rangeImpl(without, inner));
  }
  return result;
}

Interval FormArena::rangeImpl(FormRef x, unsigned depth) const {
  // A. Direct.
  Interval result = directRange(x);
  if (x.terms.size() < 2 || isVariable(x.terms.back().atom) ||
      depth == kMaxPatternDepth)
    return result;
  if (std::optional<Interval> digit = digitRange(x))
    return result.intersect(*digit);

  if (depth == 0)
    result = result.intersect(digitSumRange(x));

  // B. Patterns.
  bool hasDivision = false;
  const bool isOutermost = depth == 0;
  const bool tryPatterns = x.terms.size() <= kMaxPatternTerms;
  const unsigned inner =
      x.terms.size() > kMaxNestedTerms ? kMaxPatternDepth - 1 : depth;
  for (size_t i = x.terms.size(); i-- > 0;) {
    const Term &t = x.terms[i];
    const Atom &a = atoms[t.atom];
    if (a.kind == AtomKind::FloorDiv)
      hasDivision = true;
    if (!tryPatterns)
      continue;
    if (a.kind == AtomKind::FloorDiv) {
      result = result.intersect(blockRange(x, t, depth, inner + 1));
    } else if (a.kind == AtomKind::PositivePart) {
      Form without, with;
      if (t.coefficient == Interval::kNoLower ||
          !tryAddScaled(x, Form::ofAtom(t.atom), -t.coefficient, without) ||
          !tryAddScaled(without, body(t.atom), t.coefficient, with))
        continue;
      Interval r = rangeImpl(without, inner + 1);
      Interval s = rangeImpl(with, inner + 1);
      result = result.intersect(
          t.coefficient > 0
              ? Interval(std::max(r.lower, s.lower), std::max(r.upper, s.upper))
              : Interval(std::min(r.lower, s.lower),
                         std::min(r.upper, s.upper)));
    }
  }

  // C. Relaxation.
  if (hasDivision && isOutermost)
    result = result.intersect(relaxedRange(x));
  return result;
}
