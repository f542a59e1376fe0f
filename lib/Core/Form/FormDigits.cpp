//===- FormDigits.cpp - Sums of digits of several numbers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of reshapes and transposes move digits of indices to other places. A
// form is a sum of atoms, and the atom ⌊y/4⌋ is part of two digits at once: of
// ⌊y/2⌋ - 2⌊y/4⌋ and of ⌊y/4⌋ - 4⌊y/16⌋. So the sum is rewritten first:
//
//   1. *Towers.* Divisions of one y by m1 | m2 | ... | mk in x are a tower.
//      Let x = c0*y + k1⌊y/m1⌋ + ... + kk⌊y/mk⌋ + rest. With m0 = 1 and q0 = y
//      the digits D_i = q_i - r_i*q_{i+1}, r_i = m_{i+1}/m_i, are in [0, r_i -
//      1], the last one is q_k itself, and
//        x = Σ c_i*D_i + rest,  c_{i+1} = k_{i+1} + c_i*r_i.
//      Proof: c_i*D_i = c_i*q_i - c_i*r_i*q_{i+1}, so that q_{i+1} has the
//      coefficient c_{i+1} - c_i*r_i = k_{i+1}.
//      c0 is the ratio in which most terms of y occur in x. Any c0 would be
//      right: what y has too much or too little is in the rest.
//   2. *Range.* The sum of the digits' ranges bounds x.
//   3. *Division.* For x = Σ c*D + c', ⌊x/m⌋ = Σ q*D + ⌊(Σ e*D + c')/m⌋ where
//      c = q*m + e. If the sum of what is left stays in one block of m numbers
//      the division is decided. Digits with e = 0 leave in any case. If for a
//      divisor g of m the digits whose c is not a multiple of g stay in one
//      block of g numbers, they leave, too (step 3 of FormDivision.cpp).
//
// Heights decide the order of towers, so that a number that is itself a digit
// of another is taken first.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Form.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// c + range of the digits' sum, each coefficient replaced by `part` of it.
template <typename Part>
static Interval sumOf(llvm::ArrayRef<FormArena::Digit> digits, int64_t constant,
                      Part part) {
  Interval sum = Interval::point(constant);
  for (const FormArena::Digit &d : digits)
    if (const int64_t k = part(d.coefficient))
      sum = sum + d.range.scaled(k);
  return sum;
}

/// The sum of the coefficients' magnitudes.
static unsigned __int128 weightOf(FormRef x) {
  unsigned __int128 weight = 0;
  for (const Term &t : x.terms)
    weight += magnitude(t.coefficient);
  return weight;
}

/// The ratio in which most terms of y occur in x: the greater one if there are
/// two; 0 if no term does.
static int64_t commonRatio(FormRef x, FormRef y) {
  SmallVector<std::pair<int64_t, unsigned>, 4> votes;
  for (const Term &t : y.terms) {
    const Term *mine =
        llvm::find_if(x.terms, [&](const Term &u) { return u.atom == t.atom; });
    if (mine == x.terms.end() || mine->coefficient == Interval::kNoLower ||
        mine->coefficient % t.coefficient != 0)
      continue;
    const int64_t ratio = mine->coefficient / t.coefficient;
    auto *vote =
        llvm::find_if(votes, [&](const auto &v) { return v.first == ratio; });
    if (vote == votes.end())
      votes.push_back({ratio, 1});
    else
      ++vote->second;
  }
  std::pair<int64_t, unsigned> best(0, 0);
  for (const auto &vote : votes)
    if (vote.second > best.second ||
        (vote.second == best.second && vote.first > best.first))
      best = vote;
  return best.first;
}

bool FormArena::toDigits(FormRef x, SmallVectorImpl<Digit> &digits,
                         int64_t &constant) const {
  // Divisions of x, those of one number together, and the numbers by height.
  SmallVector<AtomId, 8> divisions;
  for (const Term &t : x.terms)
    if (atoms[t.atom].kind == AtomKind::FloorDiv)
      divisions.push_back(t.atom);
  if (divisions.size() < 2)
    return false;
  auto sameBody = [&](AtomId a, AtomId b) { return body(a) == body(b); };
  llvm::sort(divisions, [&](AtomId a, AtomId b) {
    return atoms[a].height != atoms[b].height
               ? atoms[a].height > atoms[b].height
               : a < b;
  });
  Form rest(x), next;
  SmallVector<char, 8> done(divisions.size(), 0);
  for (unsigned i = 0, e = divisions.size(); i != e; ++i) {
    if (done[i])
      continue;
    SmallVector<AtomId, 6> tower;
    for (unsigned j = i; j != e; ++j)
      if (!done[j] && sameBody(divisions[i], divisions[j])) {
        done[j] = 1;
        if (FormRef(rest).coefficientOf(divisions[j]) != 0)
          tower.push_back(divisions[j]);
      }
    if (tower.empty())
      continue;
    llvm::sort(tower, [&](AtomId a, AtomId b) {
      return atoms[a].divisor < atoms[b].divisor;
    });
    // Divisors that are not multiples of the one before stay in the rest.
    unsigned kept = 1;
    for (unsigned j = 1; j != tower.size(); ++j)
      if (atoms[tower[j]].divisor % atoms[tower[kept - 1]].divisor == 0)
        tower[kept++] = tower[j];
    tower.truncate(kept);

    FormRef y = body(tower.front());
    int64_t c = commonRatio(rest, y);
    Form q;
    int64_t divisor = 1;
    if (c != 0) {
      q = Form(y);
    } else {
      // Begin with the first division.
      q = Form::ofAtom(tower.front());
      c = FormRef(rest).coefficientOf(tower.front());
      divisor = atoms[tower.front()].divisor;
      tower.erase(tower.begin());
    }
    for (AtomId atom : tower) {
      const int64_t r = atoms[atom].divisor / divisor;
      divisor = atoms[atom].divisor;
      Digit digit;
      digit.coefficient = c;
      digit.range = {0, r - 1};
      std::optional<int64_t> above =
          checkedAdd(checkedMul(c, r), FormRef(rest).coefficientOf(atom));
      if (!above || c == Interval::kNoLower ||
          !tryAddScaled(q, Form::ofAtom(atom), -r, digit.form) ||
          !tryAddScaled(rest, digit.form, -c, next))
        return false;
      std::swap(rest, next);
      if (c != 0)
        digits.push_back(std::move(digit));
      q = Form::ofAtom(atom);
      c = *above;
    }
    if (c == 0)
      continue;
    Digit top;
    top.form = q;
    top.coefficient = c;
    top.range = q.asAtom() ? atoms[*q.asAtom()].range : directRange(q);
    if (c == Interval::kNoLower || !tryAddScaled(rest, q, -c, next))
      return false;
    std::swap(rest, next);
    digits.push_back(std::move(top));
  }
  for (const Term &t : rest.terms)
    digits.push_back(
        {Form::ofAtom(t.atom), t.coefficient, atoms[t.atom].range});
  constant = rest.constant;
  return true;
}

Interval FormArena::digitSumRange(FormRef x) const {
  SmallVector<Digit, 8> digits;
  int64_t constant = 0;
  if (!toDigits(x, digits, constant))
    return Interval::all();
  return sumOf(digits, constant, [](int64_t c) { return c; });
}

bool FormArena::divideDigits(Form &x, int64_t &m, Form &out, bool &decided) {
  SmallVector<Digit, 8> digits;
  int64_t constant = 0;
  decided = false;
  if (!toDigits(x, digits, constant))
    return false;

  // Decide: remainders next to 0, then all of one sign.
  auto near = [&](int64_t c) {
    const int64_t e = floorModPositive(c, m);
    return e > m / 2 ? e - m : e;
  };
  auto positive = [&](int64_t c) { return floorModPositive(c, m); };
  auto negative = [&](int64_t c) { return -floorModPositive(-(c % m), m); };
  auto decide = [&](auto part) {
    std::optional<int64_t> t = sumOf(digits, constant, part).blockOf(m);
    if (!t)
      return false;
    // c - e is a multiple of m; it may not fit where c does.
    Form quotient(*t);
    for (const Digit &d : digits) {
      std::optional<int64_t> whole =
          checkedSub(d.coefficient, part(d.coefficient));
      if (!whole)
        return false;
      accumulate(quotient, d.form, *whole / m);
    }
    accumulate(out, quotient);
    return true;
  };
  if (decide(near) || decide(positive) || decide(negative)) {
    decided = true;
    return true;
  }

  // Digits whose coefficient is a multiple of m leave, if that makes the
  // coefficients of x smaller, so this terminates.
  Form left(x), gone;
  bool fits = true;
  for (const Digit &d : digits) {
    Form less;
    if (d.coefficient % m != 0)
      continue;
    fits = fits && tryAddScaled(left, d.form, -d.coefficient, less);
    if (!fits)
      break;
    left = std::move(less);
    accumulate(gone, d.form, d.coefficient / m);
  }
  if (fits && weightOf(left) < weightOf(x)) {
    x = std::move(left);
    accumulate(out, gone);
    return true;
  }

  // Narrow.
  SmallVector<int64_t, 6> candidates;
  for (const Digit &d : digits) {
    const int64_t g = static_cast<int64_t>(
        std::gcd(magnitude(d.coefficient), static_cast<uint64_t>(m)));
    if (g > 1 && !llvm::is_contained(candidates, g))
      candidates.push_back(g);
  }
  llvm::sort(candidates, std::greater<int64_t>());
  for (int64_t g : candidates) {
    std::optional<int64_t> t =
        sumOf(digits, floorModPositive(constant, g), [&](int64_t c) {
          return c % g == 0 ? 0 : c;
        }).blockOf(g);
    std::optional<int64_t> whole = checkedAdd(floorDivPositive(constant, g), t);
    if (!whole)
      continue;
    Form high(*whole);
    for (const Digit &d : digits)
      if (d.coefficient % g == 0)
        accumulate(high, d.form, d.coefficient / g);
    x = std::move(high);
    m /= g;
    return true;
  }
  return false;
}
