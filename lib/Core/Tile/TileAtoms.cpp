//===- TileAtoms.cpp - Tiles through divisions and maxima -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps 1 and 2 of the engine (see TileEngine.h): congruences, then every atom
// that is read becomes linear over items. For the division of y0 + g*k, k < n,
// by m, with x = y0 mod m:
//
//   sole use   g <= m: no value is skipped, so the quotient runs from ⌊y0/m⌋ to
//              ⌊(y0 + g*(n - 1))/m⌋.
//   inside     x + g*(n - 1) < m: the quotient is ⌊y0/m⌋.
//   blocks     g divides m, x < g, and m/g divides n: k = (m/g)*q + r with
//              q < n*g/m and r < m/g. Both cases are written as one:
//              q < ⌊g*(n - 1)/m⌋ + 1, r < min(n, m/g).
//
// Divisions by multiples use those made before: ⌊x/12⌋ = ⌊⌊x/4⌋/3⌋.
//
//===----------------------------------------------------------------------===//

#include "TileEngine.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Linear values
//===----------------------------------------------------------------------===//

int64_t Linear::getCoefficient(unsigned item) const {
  for (auto [id, coefficient] : terms)
    if (id == item)
      return coefficient;
  return 0;
}

int64_t TileEngine::times(int64_t a, int64_t b) {
  std::optional<int64_t> product = checkedMul(a, b);
  hasOverflow |= !product;
  return product.value_or(0);
}

std::optional<unsigned> TileEngine::addItem(Form size, StringRef source) {
  Interval range = arena.range(size);
  if (range == Interval::point(1))
    return std::nullopt;
  isEmpty |= range.upper <= 0;
  items.push_back({std::move(size), source.str()});
  return items.size() - 1;
}

void TileEngine::addTerm(Linear &x, unsigned item, int64_t coefficient) {
  auto it = llvm::lower_bound(
      x.terms, item, [](const auto &t, unsigned i) { return t.first < i; });
  if (it == x.terms.end() || it->first != item) {
    if (coefficient != 0)
      x.terms.insert(it, {item, coefficient});
    return;
  }
  std::optional<int64_t> sum = checkedAdd(it->second, coefficient);
  hasOverflow |= !sum;
  it->second = sum.value_or(0);
  if (it->second == 0)
    x.terms.erase(it);
}

void TileEngine::accumulate(Linear &x, const Linear &y, int64_t factor) {
  x.base = arena.addScaled(x.base, y.base, factor);
  for (auto [item, coefficient] : y.terms)
    addTerm(x, item, times(coefficient, factor));
}

Linear TileEngine::translate(FormRef form) {
  Linear x;
  x.base = Form(form.constant);
  for (const Term &t : form.terms)
    if (atoms[t.atom])
      accumulate(x, *atoms[t.atom], t.coefficient);
  return x;
}

void TileEngine::replace(unsigned item, Form base, ArrayRef<Linear *> more,
                         TermList terms) {
  auto rewrite = [&](Linear &x) {
    int64_t coefficient = x.getCoefficient(item);
    if (coefficient == 0)
      return;
    addTerm(x, item, -coefficient);
    x.base = arena.addScaled(x.base, base, coefficient);
    for (auto [id, factor] : terms)
      addTerm(x, id, times(factor, coefficient));
  };
  for (std::optional<Linear> &atom : atoms)
    if (atom)
      rewrite(*atom);
  for (Linear &value : values)
    rewrite(value);
  for (Pending &p : pending)
    rewrite(p.linear);
  for (Linear *x : more)
    rewrite(*x);
  items[item].isReplaced = true;
}

void TileEngine::flip(unsigned item) {
  Form last = sizeMinusOne(item);
  replace(item, last, {}, {{item, -1}});
  items[item].isReplaced = false;
}

Form TileEngine::getMin(const Linear &x) {
  Form form = x.base;
  for (auto [item, coefficient] : x.terms)
    if (coefficient < 0)
      form = arena.addScaled(form, sizeMinusOne(item), coefficient);
  return form;
}

Form TileEngine::getMax(const Linear &x) {
  Form form = x.base;
  for (auto [item, coefficient] : x.terms)
    if (coefficient > 0)
      form = arena.addScaled(form, sizeMinusOne(item), coefficient);
  return form;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

bool TileEngine::forEachUse(AtomId except,
                            llvm::function_ref<bool(const Linear &)> visit) {
  for (AtomId id = from.getNumVariables(), e = from.getNumAtoms(); id != e;
       ++id) {
    if (!used[id] || atoms[id] || id == except)
      continue;
    if (from.getAtom(id).kind != AtomKind::Product) {
      if (!visit(translate(from.body(id))))
        return false;
      continue;
    }
    for (const Term &factor : from.body(id).terms)
      if (!visit(translate(Form::ofAtom(factor.atom))))
        return false;
  }
  for (const Form &form : map.getResults())
    if (!visit(translate(form)))
      return false;
  for (auto [i, c] : llvm::enumerate(map.getConstraints()))
    if (!isResolved[i] && !visit(translate(c.form)))
      return false;
  for (auto [variable, range] : narrowed)
    if (!visit(translate(Form::ofAtom(variable))))
      return false;
  return true;
}

bool TileEngine::isSoleUse(AtomId id, const TermList &terms) {
  return forEachUse(id, [&](const Linear &x) {
    return llvm::none_of(terms, [&](auto t) { return x.hasItem(t.first); });
  });
}

bool TileEngine::isProportional(const Linear &x, const TermList &terms) {
  const int64_t c = x.getCoefficient(terms.front().first);
  return llvm::all_of(terms, [&](auto t) {
    return times(x.getCoefficient(t.first), terms.front().second) ==
           times(c, t.second);
  });
}

bool TileEngine::join(AtomId id, TermList &terms, Linear &value) {
  const bool isJoinable =
      forEachUse(id, [&](const Linear &x) { return isProportional(x, terms); });
  return isJoinable && merge(terms, {&value});
}

bool TileEngine::merge(TermList &terms, ArrayRef<Linear *> more) {
  SmallVector<RunTerm, 4> run;
  for (auto [item, coefficient] : terms)
    run.push_back({coefficient, items[item].size});
  if (hasOverflow || getRunStatus(run, /*fixedStep=*/true) == false)
    return false;
  std::string source;
  for (auto [item, coefficient] : terms) {
    if (!requireNonEmpty(item))
      return false;
    source += (source.empty() ? "" : ", ") + items[item].source;
  }
  if (!requireRun(run, /*fixedStep=*/true, "its parts are not a progression"))
    return false;
  // Every form has a multiple of Σ coefficient*item = first * (new item).
  const int64_t first = terms.front().second;
  std::optional<unsigned> joined = addItem(countSums(run), source);
  for (auto [item, coefficient] : terms) {
    TermList image;
    if (item == terms.front().first && joined)
      image.push_back({*joined, 1});
    replace(item, Form(), more, image);
  }
  terms.clear();
  if (joined)
    terms.push_back({*joined, first});
  return true;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

bool TileEngine::resolveAtoms() {
  for (auto [i, constraint] : llvm::enumerate(map.getConstraints())) {
    currentText = map.formText(constraint.form);
    if (resolveCongruence(constraint))
      isResolved[i] = true;
    if (isEmpty)
      return true;
  }
  used.clear();
  for (const Form &form : map.getResults())
    from.markUsed(form, used);
  for (auto [i, constraint] : llvm::enumerate(map.getConstraints()))
    if (!isResolved[i])
      from.markUsed(constraint.form, used);
  used.resize(from.getNumAtoms());

  for (AtomId id = from.getNumVariables(), e = from.getNumAtoms(); id != e;
       ++id) {
    if (!used[id])
      continue;
    currentText = map.formText(Form::ofAtom(id));
    currentResult.reset();
    for (unsigned r = map.getNumResults(); r-- > 0;) {
      SmallVector<char, 32> reads;
      from.markUsed(map.getResult(r), reads);
      if (id < reads.size() && reads[id])
        currentResult = r;
    }
    switch (from.getAtom(id).kind) {
    case AtomKind::FloorDiv:
      if (!resolveDivision(id))
        return false;
      break;
    case AtomKind::PositivePart:
      if (!resolvePositivePart(id))
        return false;
      break;
    default:
      if (!resolveProduct(id))
        return false;
    }
    if (isEmpty)
      return true;
  }
  return true;
}

std::optional<int64_t> detail::getResidue(const FormArena &arena, FormRef form,
                                          Interval interval,
                                          const Term &division) {
  const auto [id, coefficient] = division;
  const int64_t m = arena.getAtom(id).divisor;
  if (arena.getAtom(id).kind != AtomKind::FloorDiv || coefficient % m != 0 ||
      coefficient == Interval::kNoLower)
    return std::nullopt;
  const int64_t scale = -(coefficient / m);
  Form rest, shift;
  if (!FormArena::tryAddScaled(form, Form::ofAtom(id), -coefficient, rest) ||
      !FormArena::tryAddScaled(rest, arena.body(id), -scale, shift) ||
      !shift.isConstant() || shift.constant == Interval::kNoLower)
    return std::nullopt;
  Interval residues =
      (interval + -shift.constant).dividedBy(scale).intersect({0, m - 1});
  return residues.isPoint() ? std::optional(residues.lower) : std::nullopt;
}

bool TileEngine::resolveCongruence(const Constraint &constraint) {
  for (const Term &t : constraint.form.terms) {
    std::optional<int64_t> residue =
        getResidue(from, constraint.form, constraint.interval, t);
    if (!residue)
      continue;
    const int64_t m = from.getAtom(t.atom).divisor;
    if (llvm::any_of(from.body(t.atom).terms,
                     [&](const Term &x) { return !atoms[x.atom]; }))
      continue;
    Linear body = translate(from.body(t.atom));
    if (body.terms.size() != 1)
      continue;
    reachesOverEdges = false;
    // base + a*k = residue modulo m.
    auto [item, a] = body.terms.front();
    if (a == Interval::kNoLower)
      continue;
    const int64_t common = std::gcd(a, m), modulus = m / common;
    Form distance = arena.sub(Form(*residue), body.base);
    if (common > 1) {
      Form rest = arena.mod(distance, common);
      if (rest.isConstant() && rest.constant != 0) {
        isEmpty = true;
        return true;
      }
      if (!requireCompare(rest, Interval::point(0),
                          "no point is in its domain")) {
        isEmpty = true;
        return true;
      }
      distance = arena.floorDiv(distance, common);
    }
    if (modulus == 1)
      return true;
    Form first = arena.mod(
        arena.scale(distance, inverseModulo(a / common, modulus)), modulus);
    Form size = arena.add(
        arena.floorDiv(arena.sub(sizeMinusOne(item), first), modulus), Form(1));
    std::optional<unsigned> kept = addItem(size, items[item].source);
    TermList image;
    if (kept)
      image.push_back({*kept, modulus});
    replace(item, first, {}, image);
    return true;
  }
  return false;
}

bool TileEngine::resolveDivision(AtomId id) {
  int64_t m = from.getAtom(id).divisor;
  Linear value = translate(from.body(id));

  // ⌊B/m⌋ from an earlier ⌊B'/d⌋ with d | m and B - B' a multiple of d.
  FormArena scratch = from;
  for (AtomId other = id; other-- > from.getNumVariables();) {
    const Atom &atom = from.getAtom(other);
    if (!used[other] || !atoms[other] || atom.kind != AtomKind::FloorDiv ||
        atom.divisor >= m || m % atom.divisor != 0)
      continue;
    const int64_t d = atom.divisor;
    Form difference = scratch.sub(Form(from.body(id)), Form(from.body(other)));
    if (scratch.failed())
      break;
    if (difference.constant % d != 0 ||
        llvm::any_of(difference.terms,
                     [&](const Term &t) { return t.coefficient % d != 0; }))
      continue;
    difference.constant /= d;
    for (Term &t : difference.terms)
      t.coefficient /= d;
    value = *atoms[other];
    accumulate(value, translate(difference), 1);
    m /= d;
    break;
  }

  for (size_t i = 0; i < value.terms.size(); ++i)
    if (value.terms[i].second < 0 && value.terms[i].second % m != 0) {
      const unsigned item = value.terms[i].first;
      const int64_t coefficient = value.terms[i].second;
      // `flip` rewrites what is registered; `value` is not.
      value.base = arena.addScaled(value.base, sizeMinusOne(item), coefficient);
      value.terms[i].second = -coefficient;
      flip(item);
    }
  Linear quotient, rest;
  rest.base = value.base;
  for (auto [item, coefficient] : value.terms)
    addTerm(coefficient % m == 0 ? quotient : rest, item,
            coefficient % m == 0 ? coefficient / m : coefficient);

  TermList terms(rest.terms.begin(), rest.terms.end());
  llvm::sort(terms, [](auto a, auto b) { return a.second < b.second; });
  const Form inside = arena.mod(rest.base, m);
  auto isInside = [&] {
    Form last = inside;
    for (auto [item, coefficient] : terms)
      last = arena.addScaled(last, sizeMinusOne(item), coefficient);
    return last;
  };
  quotient.base = arena.floorDiv(rest.base, m);
  if (terms.empty() || arena.range(isInside()).upper < m) {
    atoms[id] = std::move(quotient);
    return true;
  }
  bool isSole = isSoleUse(id, terms);
  if (terms.size() > 1) {
    if (!join(id, terms, quotient))
      return requireCompare(isInside(), Interval::atMost(m - 1),
                            "the division mixes dims") &&
             (atoms[id] = std::move(quotient), true);
    if (terms.empty()) {
      atoms[id] = std::move(quotient);
      return true;
    }
  }

  auto [item, g] = terms.front();
  const Form size = items[item].size;
  const std::string source = items[item].source;
  const Form last = arena.addScaled(rest.base, sizeMinusOne(item), g);
  if (isSole && g <= m) {
    if (!requireNonEmpty(item))
      return false;
    Form count =
        arena.add(arena.sub(arena.floorDiv(last, m), quotient.base), Form(1));
    if (std::optional<unsigned> q = addItem(count, source))
      addTerm(quotient, *q, 1);
    items[item].isReplaced = true;
    atoms[id] = std::move(quotient);
    return true;
  }
  if (m % g != 0)
    return requireCompare(isInside(), Interval::atMost(m - 1),
                          "the tile's steps and the divisor don't fit") &&
           (atoms[id] = std::move(quotient), true);

  const int64_t block = m / g;
  ConditionForms condition;
  condition.clauses.push_back({{isInside(), Interval::atMost(m - 1)}});
  condition.clauses.push_back({{inside, Interval::atMost(g - 1)},
                               {arena.mod(size, block), Interval::point(0)}});
  if (!addCondition(std::move(condition),
                    "the tile is neither inside of one block of " + Twine(m) +
                        " nor made of whole blocks"))
    return false;
  Form numBlocks =
      arena.add(arena.floorDiv(arena.scale(sizeMinusOne(item), g), m), Form(1));
  std::optional<unsigned> q = addItem(numBlocks, source);
  std::optional<unsigned> r = addItem(arena.min(size, Form(block)), source);
  TermList image;
  if (q) {
    image.push_back({*q, block});
    addTerm(quotient, *q, 1);
  }
  if (r)
    image.push_back({*r, 1});
  replace(item, Form(), {}, image);
  atoms[id] = std::move(quotient);
  return true;
}

bool TileEngine::resolvePositivePart(AtomId id) {
  Linear value = translate(from.body(id));
  if (value.terms.empty()) {
    value.base = arena.max(value.base, Form(0));
    atoms[id] = std::move(value);
    return true;
  }
  if (arena.range(getMin(value)).lower >= 0) {
    atoms[id] = std::move(value);
    return true;
  }
  if (arena.range(getMax(value)).upper <= 0) {
    atoms[id] = Linear();
    return true;
  }
  // A range without gaps that nothing else reads stays one.
  TermList terms(value.terms.begin(), value.terms.end());
  SmallVector<RunTerm, 4> run = {{1, Form(1)}};
  for (auto [item, coefficient] : terms)
    run.push_back({coefficient < 0 ? times(coefficient, -1) : coefficient,
                   items[item].size});
  llvm::sort(run, [](const RunTerm &a, const RunTerm &b) {
    return a.coefficient < b.coefficient;
  });
  if (isSoleUse(id, terms) && getRunStatus(run, true) == true) {
    for (auto [item, coefficient] : terms)
      if (!requireNonEmpty(item))
        return false;
    Form low = arena.max(getMin(value), Form(0));
    Form high = arena.max(getMax(value), Form(0));
    Linear part;
    part.base = low;
    if (auto item = addItem(arena.add(arena.sub(high, low), Form(1)),
                            items[terms.front().first].source))
      addTerm(part, *item, 1);
    for (auto [item, coefficient] : terms)
      items[item].isReplaced = true;
    atoms[id] = std::move(part);
    return true;
  }
  if (!requireCompare(getMin(value), Interval::atLeast(0),
                      "the tile reaches over the bend of a maximum"))
    return false;
  atoms[id] = std::move(value);
  return true;
}

bool TileEngine::resolveProduct(AtomId id) {
  FormRef body = from.body(id);
  const AtomId x = body.terms.front().atom;
  const AtomId y = body.terms.size() > 1 ? body.terms[1].atom : x;
  Linear a = *atoms[x], b = *atoms[y];
  if (!a.terms.empty())
    std::swap(a, b);
  if (!a.terms.empty())
    return fail("multiplies two variables");
  if (!b.terms.empty() && !a.base.isConstant())
    return fail("its stride is not constant");
  Linear product;
  if (b.terms.empty())
    product.base = arena.mul(a.base, b.base);
  else
    accumulate(product, b, a.base.constant);
  atoms[id] = std::move(product);
  return true;
}
