//===- Elimination.cpp - Images of maps as sets ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {r : exists v, r = f(v) and v in the domain}, with v gone. Everything is a
// linear row over columns, Σ k_i*c_i in [a, b]; columns are *known* (results,
// and floor divisions of known columns) or *free* (variables, and one q for
// each division, with B - m*q in [0, m - 1]). Free columns leave one by one, by
// the first rule that applies; each is an equivalence over the integers:
//
//   1. Unused: the column has a value and no row mentions it.
//   2. Defined: K + g*E in [a, b] with K known, b - a < g. Then E is the one
//      number -⌊(K - a)/g⌋, a new known column D, and (K - a) - g*D <= b - a.
//   3. Solved: an equality has coefficient ±1 in the column. Substitute; its
//      range becomes a row.
//   4. Merged: two columns occur only as x + c*y. That runs through all of an
//      interval if c is at most the number of values of x.
//   5. Squeezed between rows (Fourier and Motzkin): from l <= α*x and β*x <= u
//      follows α*u - β*l >= 0. Exact over the integers if α or β is 1, or where
//      α*u - β*l >= (α - 1)*(β - 1) always holds.
//   6. Rounded: K + g*E in [a, b] becomes ⌈(a - K)/g⌉ <= E <= ⌊(b - K)/g⌋.
//   7. An equality without unit coefficient is reduced as in Euclid's
//   algorithm.
//
// When none applies the answer is std::nullopt. The sets that come out have
// constraints with divisions of results only.
//
//===----------------------------------------------------------------------===//

#include "Eliminator.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr unsigned kMaxSteps = 256;
static constexpr unsigned kMaxRows = 96;
static constexpr unsigned kMaxColumns = 96;
/// Maxima whose sign is not known; each doubles the number of sets.
static constexpr unsigned kMaxChoices = 3;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

unsigned Eliminator::addColumn(Column column) {
  columns.push_back(std::move(column));
  failed |= columns.size() > kMaxColumns;
  return columns.size() - 1;
}

Interval Eliminator::rangeOf(const Coefficients &k) const {
  Interval sum = Interval::point(0);
  for (unsigned c = 0, e = k.size(); c != e; ++c)
    if (k[c])
      sum = sum + columns[c].range.scaled(k[c]);
  return sum;
}

void Eliminator::addRow(Coefficients k, Interval in) {
  uint64_t g = 0;
  for (int64_t c : k) {
    failed |= c == Interval::kNoLower;
    g = std::gcd(g, magnitude(c));
  }
  if (done())
    return;
  if (g == 0 || in.isEmpty()) {
    empty |= !in.contains(0) || in.isEmpty();
    return;
  }
  if (g > 1) {
    for (int64_t &c : k)
      c /= static_cast<int64_t>(g);
    in = in.dividedBy(static_cast<int64_t>(g));
  }
  while (k.back() == 0)
    k.pop_back();
  // The first coefficient is positive, so that equal rows look equal.
  if (*llvm::find_if(k, [](int64_t c) { return c != 0; }) < 0) {
    for (int64_t &c : k)
      c = negate(c);
    in = -in;
  }
  Interval range = rangeOf(k);
  if (range.intersect(in).isEmpty()) {
    empty = true;
    return;
  }
  if (in.contains(range))
    return;
  spend(32 + 8 * k.size() + 4 * rows.size());
  for (Row &row : rows)
    if (row.k == k) {
      row.in = row.in.intersect(in);
      empty |= row.in.isEmpty();
      return;
    }
  rows.push_back({std::move(k), in});
  if (rows.size() > kMaxRows)
    failed = true;
}

//===----------------------------------------------------------------------===//
// From forms to rows
//===----------------------------------------------------------------------===//

Coefficients Eliminator::rowOf(FormRef form, ArrayRef<unsigned> columnOf) {
  Coefficients k(columns.size(), 0);
  for (const Term &t : form.terms)
    k[columnOf[t.atom]] = t.coefficient;
  return k;
}

void Eliminator::flatten() {
  const FormArena &arena = map.getArena();
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i)
    addColumn({Column::Result, map.getResultRange(i)});
  firstVariable = columns.size();
  SmallVector<char, 32> used = map.getUsed();

  SmallVector<unsigned, 32> columnOf(arena.getNumAtoms(), 0);
  unsigned choice = 0;
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e && !done(); ++id) {
    const Atom &a = arena.getAtom(id);
    if (a.kind == AtomKind::Variable) {
      columnOf[id] = addColumn({Column::Free, map.getRanges()[id]});
      continue;
    }
    if (!used[id])
      continue;
    if (a.kind == AtomKind::Product)
      return void(fail());
    FormRef body = arena.body(id);
    const __int128 constant = body.constant;
    Coefficients k = rowOf(body, columnOf);
    columnOf[id] = addColumn({Column::Free, a.range});
    if (a.kind == AtomKind::FloorDiv) {
      put(k, columnOf[id], negate(a.divisor));
      addRow(std::move(k), shift({0, a.divisor - 1}, -constant));
      continue;
    }
    // max(B, 0), with B > 0 or not.
    if ((signs >> choice++) & 1) {
      addRow(k, shift(Interval::atLeast(1), -constant));
      put(k, columnOf[id], -1);
      addRow(std::move(k), shift(Interval::point(0), -constant));
    } else {
      addRow(std::move(k), shift(Interval::atMost(0), -constant));
      columns[columnOf[id]].range = Interval::point(0);
    }
  }
  if (done())
    return;
  for (unsigned i = 0, e = map.getNumResults(); i != e; ++i) {
    FormRef form = map.getResult(i);
    Coefficients k = rowOf(form, columnOf);
    k[i] = -1;
    addRow(std::move(k),
           shift(Interval::point(0), -static_cast<__int128>(form.constant)));
  }
  for (const Constraint &c : map.getConstraints())
    addRow(rowOf(c.form, columnOf),
           shift(c.interval, -static_cast<__int128>(c.form.constant)));
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

IndexingMap Eliminator::makeSet() {
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form, 16> forms(columns.size());
  auto sum = [&](const Coefficients &k) {
    Form form;
    for (unsigned c = 0, e = k.size(); c != e; ++c)
      if (k[c])
        arena.accumulate(form, forms[c], k[c]);
    return form;
  };
  for (unsigned c = 0, e = columns.size(); c != e; ++c)
    if (columns[c].kind == Column::Result)
      forms[c] = builder.addDim(columns[c].range);
  for (unsigned c = 0, e = columns.size(); c != e; ++c)
    if (columns[c].kind == Column::Division)
      forms[c] = arena.floorDiv(
          arena.add(sum(columns[c].body), Form(columns[c].constant)),
          columns[c].divisor);
  for (const Row &row : rows)
    builder.addConstraint(sum(row.k), row.in);
  if (determined) {
    // The last to leave is a form of known columns.
    for (const Solution &s : llvm::reverse(solutions)) {
      Form value = arena.add(sum(s.k), Form(s.constant));
      if (s.divisor != 1)
        value = arena.floorDiv(value, s.divisor);
      forms[s.column] = s.isNegated ? arena.negate(value) : value;
    }
    for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
      builder.addResult(forms[firstVariable + v]);
  }
  return builder.build().simplify();
}

Eliminator::Outcome Eliminator::run() {
  flatten();
  for (unsigned step = 0; !done(); ++step) {
    if (step == kMaxSteps) {
      failed = true;
      break;
    }
    // What the rules look at to see whether they apply.
    if (!spend(8 * (rows.size() + 1) * (columns.size() + 1)))
      break;
    // The order of rules is the order of their numbers, but for the last two.
    if (dropUnused() || define() || solve() || merge() || squeeze() ||
        round() || reduce())
      continue;
    break;
  }
  if (failed)
    return Outcome::Failed;
  if (empty)
    return Outcome::Empty;
  if (llvm::any_of(columns,
                   [](const Column &c) { return c.kind == Column::Free; }))
    return Outcome::Failed;
  // Division by division, and each constraint against the others.
  if (!spend(2000 * (rows.size() + columns.size() + 1)))
    return Outcome::Failed;
  set = makeSet();
  if (set.isUnknown())
    return Outcome::Failed;
  return set.isKnownEmpty() ? Outcome::Empty : Outcome::Set;
}

std::optional<ImageSets>
mlir::tensoraccess::detail::eliminateVariables(const IndexingMap &map,
                                               WorkMeter *meter) {
  WorkMeter own(uint64_t(1) << 20);
  ImageSets images;
  if (map.isUnknown())
    return std::nullopt;
  images.isDetermined = true;
  if (map.isKnownEmpty())
    return images;
  unsigned choices = 0;
  const FormArena &arena = map.getArena();
  for (AtomId id = 0, e = arena.getNumAtoms(); id != e; ++id)
    choices += arena.getAtom(id).kind == AtomKind::PositivePart;
  if (choices > kMaxChoices)
    return std::nullopt;
  for (unsigned signs = 0; signs != (1u << choices); ++signs) {
    Eliminator eliminator(map, signs, meter ? *meter : own);
    switch (eliminator.run()) {
    case Eliminator::Outcome::Failed:
      return std::nullopt;
    case Eliminator::Outcome::Empty:
      break;
    case Eliminator::Outcome::Set:
      images.sets.push_back(eliminator.getSet().withResults({}));
      // Two pieces might still share results.
      images.isDetermined &= eliminator.isDetermined() && choices == 0;
      if (images.isDetermined)
        images.solution = eliminator.getSet();
      break;
    }
  }
  return images;
}
