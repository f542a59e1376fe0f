//===- TileBoxRanges.cpp - Ranges of forms over a tile box ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 3 of the step through one map (see TileBoxStep.h). Each range is a
// progression between bounds, and exact, or has the reason why it only covers. Where a
// range may be empty, only what keeps that is exact: x -> c*x + k, and whole
// divisions.
//
//===----------------------------------------------------------------------===//

#include "TileBoxStep.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr const char *kMayBeEmpty = "nothing may be left of the tile";
static constexpr const char *kNoStride =
    "the indices may have no constant stride";

Interval TileBoxStep::getNumbers(const Range &range) const {
  Interval out;
  for (const Form &f : range.lower)
    out.lower = std::max(out.lower, arena.range(f).lower);
  for (const Form &f : range.upper)
    out.upper = std::min(out.upper, arena.range(f).upper);
  return out;
}

void TileBoxStep::applyCongruence(Range &range, int64_t modulus,
                                  int64_t residue) {
  range.digit.reset();
  if (range.stride == 1) {
    range.stride = modulus;
    range.anchor = Form(residue);
    return;
  }
  const int64_t g = range.stride, common = std::gcd(g, modulus);
  const int64_t m = modulus / common;
  Form distance = arena.sub(Form(residue), range.anchor);
  Form rest = arena.mod(distance, common);
  if (!rest.isConstant())
    return range.cover("its steps and a residue may not meet");
  if (rest.constant != 0) {
    range.lower.assign(1, Form(1));
    range.upper.assign(1, Form(0));
    range.stride = 1;
    return;
  }
  std::optional<int64_t> stride = checkedMul(g, m);
  if (!stride || m == 1) {
    if (m != 1)
      range.cover(kNoStride);
    return;
  }
  // anchor + g*k = residue modulo the modulus.
  Form k = arena.mod(arena.scale(arena.floorDiv(distance, common),
                                 inverseModulo(g / common, m)),
                     m);
  range.anchor = arena.addScaled(range.anchor, k, g);
  range.stride = *stride;
}

void TileBoxStep::applyClips(FormRef form, Range &range) {
  if (!isFinal)
    return;
  for (Clip &clip : clips) {
    // by * (form - constant) = of * clip.form
    auto ratio = getRatio<Term>(form.terms, clip.form.terms);
    if (!ratio)
      continue;
    const int64_t of = ratio->first, by = ratio->second;
    if (clip.modulus > 0) {
      if (by != 1 || (of != 1 && of != -1))
        continue;
      applyCongruence(
          range, clip.modulus,
          floorModPositive(floorModPositive(form.constant, clip.modulus) +
                               of * clip.residue,
                           clip.modulus));
      clip.isDone = clip.isApplied = true;
      continue;
    }
    Interval bounds = clip.interval.scaled(of).dividedBy(by) + form.constant;
    if (bounds.hasLower())
      range.lower.push_back(Form(bounds.lower));
    if (bounds.hasUpper())
      range.upper.push_back(Form(bounds.upper));
    clip.isDone = clip.isApplied = true;
  }
}

TileBoxStep::Range TileBoxStep::divide(const Range &x, int64_t m) {
  Range out = x;
  out.digit.reset();
  if (x.digit && x.digit->modulus == 0) {
    if (std::optional<int64_t> weight = checkedMul(x.digit->weight, m)) {
      out.digit = x.digit;
      out.digit->weight = *weight;
    }
  }
  for (Form &f : out.lower)
    f = arena.floorDiv(f, m);
  for (Form &f : out.upper)
    f = arena.floorDiv(f, m);
  if (x.stride % m == 0) {
    out.stride = x.stride / m;
    out.anchor = arena.floorDiv(x.anchor, m);
  } else {
    out.stride = 1;
    out.anchor = Form();
    if (x.items.any() || x.stride > 1) {
      if (x.stride > m)
        out.cover(kNoStride);
    }
    if (!isNonEmpty(x))
      out.cover(kMayBeEmpty);
  }
  normalize(out);
  return out;
}

TileBoxStep::Range TileBoxStep::remainder(const Range &x, int64_t m) {
  Range out = getConstant(0, m - 1);
  out.items = x.items;
  out.reason = x.reason;
  if (x.digit && x.digit->modulus == 0) {
    out.digit = x.digit;
    out.digit->modulus = m;
  }
  if (isPoint(x)) {
    out.lower.assign(1, arena.mod(x.lower.front(), m));
    out.upper = out.lower;
    return out;
  }
  const int64_t span = getMinSpan(arena, x);
  // All residues that the steps reach.
  if (m % x.stride == 0 && span >= 0 && span / x.stride >= m / x.stride - 1) {
    Form residue = arena.mod(x.anchor, x.stride);
    if (residue.isConstant() || x.stride == 1) {
      out.stride = x.stride;
      out.anchor = x.stride == 1 ? Form() : residue;
      normalize(out);
      return out;
    }
  }
  // Inside of one block: numbers only.
  if (x.lower.size() == 1 && x.upper.size() == 1 &&
      x.lower.front().isConstant() && x.upper.front().isConstant()) {
    const int64_t low = x.lower.front().constant,
                  high = x.upper.front().constant;
    const int64_t block = floorDivPositive(low, m);
    if (block == floorDivPositive(high, m)) {
      out.lower.assign(1, Form(floorModPositive(low, m)));
      out.upper.assign(1, Form(floorModPositive(high, m)));
      out.stride = x.stride;
      out.anchor = arena.sub(x.anchor, arena.scale(Form(block), m));
      if (low > high)
        out.cover(kMayBeEmpty);
      normalize(out);
      return out;
    }
  }
  out.cover("the tile may reach over blocks of " + std::to_string(m));
  return out;
}

TileBoxStep::Range TileBoxStep::positivePart(Range x) {
  Interval numbers = getNumbers(x);
  if (numbers.lower >= 0)
    return x;
  x.digit.reset();
  if (!isNonEmpty(x))
    x.cover(kMayBeEmpty);
  if (x.stride != 1 && x.items.any())
    x.cover(kNoStride);
  x.stride = 1;
  if (numbers.upper <= 0) {
    x.lower.assign(1, Form(0));
    x.upper.assign(1, Form(0));
    return x;
  }
  x.lower.push_back(Form(0));
  for (Form &f : x.upper)
    f = arena.max(f, Form(0));
  normalize(x);
  return x;
}

TileBoxStep::Range TileBoxStep::multiply(const Range &x, const Range &y) {
  if (isPoint(x) && isPoint(y)) {
    Range out = x;
    out.digit.reset();
    out.cover(y.reason);
    out.items |= y.items;
    out.lower.assign(1, arena.mul(x.lower.front(), y.lower.front()));
    out.upper = out.lower;
    out.stride = 1;
    return out;
  }
  Interval product = getNumbers(x) * getNumbers(y);
  Range out = getConstant(product.lower, product.upper);
  out.items = x.items;
  out.items |= y.items;
  out.cover("multiplies two variables");
  return out;
}

const TileBoxStep::Range &TileBoxStep::evaluateAtom(AtomId id) {
  if (id < map.getNumVariables())
    return variables[id];
  // Bodies mention smaller atoms only.
  SmallVector<char, 32> used;
  from.markUsed(Form::ofAtom(id), used);
  for (AtomId a = map.getNumVariables(); a <= id; ++a) {
    if (a >= used.size() || !used[a] || atoms[a])
      continue;
    const Atom &atom = from.getAtom(a);
    FormRef body = from.body(a);
    switch (atom.kind) {
    case AtomKind::FloorDiv:
      atoms[a] = divide(evaluate(body), atom.divisor);
      break;
    case AtomKind::PositivePart:
      atoms[a] = positivePart(evaluate(body));
      break;
    default: {
      const AtomId x = body.terms.front().atom;
      const AtomId y = body.terms.size() > 1 ? body.terms[1].atom : x;
      Range left = evaluateAtom(x);
      atoms[a] = multiply(left, evaluateAtom(y));
    }
    }
  }
  return *atoms[id];
}

void TileBoxStep::splitDigits(
    Form &form, llvm::SmallVectorImpl<std::pair<int64_t, Range>> &parts) {
  for (bool changed = true; changed && form.terms.size() > 1;) {
    changed = false;
    for (const Term t : form.terms) {
      const Atom &atom = from.getAtom(t.atom);
      if (atom.kind != AtomKind::FloorDiv ||
          t.coefficient == Interval::kNoLower)
        continue;
      Form others, rest;
      if (!FormArena::tryAddScaled(form, Form::ofAtom(t.atom), -t.coefficient,
                                   others))
        continue;
      const FormRef body = from.body(t.atom);
      // k*(body mod m).
      if (t.coefficient % atom.divisor == 0) {
        const int64_t k = -(t.coefficient / atom.divisor);
        const bool isWhole = llvm::all_of(body.terms, [&](const Term &x) {
          std::optional<int64_t> wanted = checkedMul(x.coefficient, k);
          return wanted && FormRef(others).coefficientOf(x.atom) == *wanted;
        });
        if (isWhole && FormArena::tryAddScaled(others, body, -k, rest)) {
          parts.push_back({k, remainder(evaluate(body), atom.divisor)});
          form = rest;
          changed = true;
          break;
        }
      }
      // k*((body floordiv d) mod m) for a divisor m*d.
      for (const Term &x : others.terms) {
        const Atom &inner = from.getAtom(x.atom);
        if (inner.kind != AtomKind::FloorDiv || inner.divisor >= atom.divisor ||
            atom.divisor % inner.divisor != 0)
          continue;
        const int64_t m = atom.divisor / inner.divisor, k = x.coefficient;
        const FormRef low = from.body(x.atom);
        std::optional<int64_t> wanted = checkedMul(k, m);
        std::optional<int64_t> distance =
            checkedSub(body.constant, low.constant);
        if (!wanted || *wanted == Interval::kNoLower ||
            t.coefficient != -*wanted || low.terms != body.terms || !distance ||
            *distance % inner.divisor != 0)
          continue;
        const int64_t shift = *distance / inner.divisor;
        Form digit = Form::ofAtom(x.atom);
        digit.constant = shift;
        if (!FormArena::tryAddScaled(others, digit, -k, rest))
          continue;
        Range quotient = divide(evaluate(body), inner.divisor);
        parts.push_back({k, remainder(quotient, m)});
        form = rest;
        changed = true;
        break;
      }
      if (changed)
        break;
    }
  }
}

TileBoxStep::Range TileBoxStep::sum(int64_t constant,
                                    ArrayRef<std::pair<int64_t, Range>> parts) {
  Range out = getConstant(constant, constant);
  bool hasLower = true, hasUpper = true;
  for (const auto &[c, part] : parts) {
    out.cover(part.reason);
    llvm::SmallBitVector common = out.items;
    common &= part.items;
    if (common.any())
      out.cover("it reads " + map.getVariableName(common.find_first()) +
                " twice");
    out.items |= part.items;
    for (bool isLower : {true, false}) {
      BoundList &mine = isLower ? out.lower : out.upper;
      const BoundList &theirs = isLower == (c > 0) ? part.lower : part.upper;
      BoundList sums;
      for (const Form &a : mine)
        for (const Form &b : theirs)
          sums.push_back(arena.addScaled(a, b, c));
      (isLower ? hasLower : hasUpper) &= !theirs.empty();
      if (!prune(arena, sums, isLower))
        out.cover("its bounds are simplified");
      mine = std::move(sums);
    }
  }
  if (!hasLower)
    out.lower.clear();
  if (!hasUpper)
    out.upper.clear();
  // Steps, ascending; each is bridged by what the smaller ones surely reach.
  struct Step {
    int64_t step;
    /// How many times it is surely taken.
    int64_t count;
  };
  SmallVector<Step, 4> steps;
  unsigned numLoose = 0;
  bool mayBeEmpty = false, isAnchored = true;
  Form anchor(constant);
  int64_t stride = 0;
  for (const auto &[c, part] : parts) {
    const int64_t least = getMinSpan(arena, part);
    const bool isMoving = getMaxSpan(arena, part) > 0;
    mayBeEmpty |= least < 0;
    numLoose += isMoving || least < 0;
    if (!isMoving) {
      if (isPoint(part))
        anchor = arena.addScaled(anchor, part.lower.front(), c);
      else
        isAnchored = false;
      continue;
    }
    std::optional<int64_t> step = checkedMul(c < 0 ? -c : c, part.stride);
    if (!step || *step <= 0) {
      out.cover("overflows 64-bit arithmetic");
      step = 1;
    }
    steps.push_back({*step, std::max<int64_t>(least, 0) / part.stride});
    if (part.stride != 1)
      anchor = arena.addScaled(anchor, part.anchor, c);
    stride = std::gcd(stride, *step);
  }
  if (mayBeEmpty && numLoose > 1)
    out.cover(kMayBeEmpty);
  llvm::sort(steps,
             [](const Step &a, const Step &b) { return a.step < b.step; });
  int64_t reach = 1;
  for (const Step &s : steps) {
    const int64_t first = steps.front().step;
    if (s.step % first != 0 || s.step / first > reach)
      out.cover(kNoStride);
    std::optional<int64_t> more = checkedMul(s.step / first, s.count);
    std::optional<int64_t> all = more ? checkedAdd(reach, *more) : more;
    reach = all.value_or(Interval::kNoUpper);
  }
  out.stride = std::max<int64_t>(stride, 1);
  out.anchor = anchor;
  if (out.stride != 1 && !isAnchored) {
    out.stride = 1;
    out.cover(kNoStride);
  }
  if (out.stride == 1)
    out.anchor = Form();
  return out;
}

TileBoxStep::Range TileBoxStep::evaluate(FormRef form) {
  SmallVector<std::pair<int64_t, Range>, 4> parts;
  Form rest(form);
  splitDigits(rest, parts);
  for (const Term &t : rest.terms)
    parts.push_back({t.coefficient, evaluateAtom(t.atom)});
  Range out = sum(rest.constant, parts);
  if (rest.constant == 0 && parts.size() == 1 && parts.front().first == 1)
    out.digit = parts.front().second.digit;
  if (llvm::all_of(form.terms,
                   [&](const Term &t) { return from.isVariable(t.atom); }) &&
      !form.isConstant())
    out.digit = Digit{Form(form), 1, 0};
  applyClips(form, out);
  normalize(out);
  return out;
}
