//===- Containment.cpp - Whether one map reads what another does ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// a is contained in b if for every point x of a's domain (dims d, symbols s)
// there are symbols t with (d, t) in b's domain and b(d, t) = a(d, s). The
// proof gives t as forms over d and s:
//
//   1. Each result of b with exactly one symbol t_i that is not known yet, as
//      k*t_i + rest, is solved: t_i = (a's result - rest) / k, if k divides
//      every coefficient.
//   2. The other results must be the same forms as a's once t is substituted.
//   3. Everything that b asks of (d, t), which is ranges and constraints, must
//      follow from a's domain: because of the form's range, because a has
//      that constraint, or because a with the negation added simplifies to the
//      empty map.
//
// Where that fails, and both boxes are small, the pairs are enumerated: first
// one of a, which b mostly lacks.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Most points of a box that are enumerated.
static constexpr uint64_t kEnumerationBudget = 1u << 12;

namespace {

class Proof {
public:
  Proof(const IndexingMap &a, const IndexingMap &b)
      : a(a), b(b), arena(a.getArena()), images(b.getNumVariables()),
        known(b.getNumVariables(), false) {
    for (unsigned i = 0; i < b.getNumDims(); ++i) {
      images[i] = Form::ofAtom(i);
      known[i] = true;
    }
  }

  bool run() {
    if (!solve())
      return false;
    Substitution put(arena, b.getArena(), images);
    for (unsigned i = 0, e = b.getNumVariables(); i != e; ++i)
      if (!follows(images[i], b.getRanges()[i]))
        return false;
    for (const Constraint &c : b.getConstraints())
      if (!follows(put(c.form), c.interval))
        return false;
    return !arena.failed();
  }

private:
  bool solve();
  bool follows(FormRef form, Interval interval);
  bool isEmptyWith(FormRef form, Interval interval);

  const IndexingMap &a, &b;
  /// a's arena, and what is added on the way.
  FormArena arena;
  /// Of b's variables, over `arena`.
  SmallVector<Form, 8> images;
  SmallVector<char, 8> known;
};

} // namespace

/// x / k, if k divides all of it.
static std::optional<Form> divide(const Form &x, int64_t k) {
  if (k == 1)
    return x;
  // -2^63 / -1 does not fit.
  auto divides = [&](int64_t value) {
    return value != Interval::kNoLower && value % k == 0;
  };
  if (!divides(x.constant))
    return std::nullopt;
  Form result(x.constant / k);
  for (const Term &term : x.terms) {
    if (!divides(term.coefficient))
      return std::nullopt;
    result.terms.push_back({term.atom, term.coefficient / k});
  }
  return result;
}

bool Proof::solve() {
  SmallVector<unsigned, 8> open;
  for (unsigned j = 0; j < b.getNumResults(); ++j)
    open.push_back(j);
  while (!open.empty()) {
    bool progress = false;
    for (unsigned &j : open) {
      const Form &form = b.getResult(j);
      // The symbol that is not known yet; more than one, or one inside of a
      // division, has to wait for the other results.
      const Term *pivot = nullptr;
      bool waits = false;
      for (const Term &term : form.terms) {
        SmallVector<char, 16> used;
        b.getArena().markUsed(Form::ofAtom(term.atom), used);
        bool unknown = false;
        for (unsigned v = 0; v < b.getNumVariables() && v < used.size(); ++v)
          unknown |= used[v] && !known[v];
        if (!unknown)
          continue;
        waits |= pivot || !b.getArena().isVariable(term.atom);
        pivot = &term;
      }
      if (waits)
        continue;
      Form rest(form);
      if (pivot)
        llvm::erase(rest.terms, *pivot);
      Form image = Substitution(arena, b.getArena(), images)(rest);
      Form value = arena.sub(a.getResult(j), image);
      if (arena.failed())
        return false;
      if (!pivot) {
        if (arena.range(value) != Interval::point(0) &&
            !follows(value, Interval::point(0)))
          return false;
      } else {
        std::optional<Form> quotient = divide(value, pivot->coefficient);
        if (!quotient)
          return false;
        images[pivot->atom] = std::move(*quotient);
        known[pivot->atom] = true;
      }
      j = b.getNumResults(); // done
      progress = true;
    }
    llvm::erase(open, b.getNumResults());
    if (!progress)
      return false;
  }
  // What is left occurs only in constraints, or nowhere: the first value of
  // its range is as good as any.
  for (unsigned v = 0, e = b.getNumVariables(); v != e; ++v) {
    if (known[v])
      continue;
    if (!b.getRanges()[v].hasLower())
      return false;
    images[v] = Form(b.getRanges()[v].lower);
  }
  return true;
}

bool Proof::follows(FormRef form, Interval interval) {
  if (arena.failed())
    return false;
  Interval range = arena.range(form);
  if (interval.contains(range))
    return true;
  for (const Constraint &c : a.getConstraints()) {
    for (int64_t sign : {1, -1}) {
      Form difference = arena.addScaled(form, c.form, -sign);
      if (arena.failed()) {
        arena.clearFailure();
        continue;
      }
      if (difference.isConstant())
        range = range.intersect(c.interval.scaled(sign) + difference.constant);
    }
  }
  if (interval.contains(range))
    return true;
  return (range.lower >= interval.lower ||
          isEmptyWith(form, Interval::atMost(interval.lower - 1))) &&
         (range.upper <= interval.upper ||
          isEmptyWith(form, Interval::atLeast(interval.upper + 1)));
}

/// Whether no point of a's domain has `form` in `interval`.
bool Proof::isEmptyWith(FormRef form, Interval interval) {
  return a.withResults({})
      .withConstraint(arena, form, interval)
      .simplify()
      .isKnownEmpty();
}

/// All (point, result) of a map; std::nullopt if there are too many.
static std::optional<std::set<Point>> getPairs(const IndexingMap &map) {
  std::set<Point> pairs;
  EnumerateStatus status = enumerate(
      map,
      [&](ArrayRef<int64_t> variables, ArrayRef<int64_t> results) {
        Point pair(variables.begin(), variables.begin() + map.getNumDims());
        pair.insert(pair.end(), results.begin(), results.end());
        pairs.insert(std::move(pair));
        return true;
      },
      kEnumerationBudget);
  if (status != EnumerateStatus::Ok)
    return std::nullopt;
  return pairs;
}

/// Whether the first pair of `a` is not in `b`: b with these dims and results
/// simplifies to the empty map.
static bool isRefuted(const IndexingMap &a, const IndexingMap &b) {
  bool isRefuted = false;
  EnumerateStatus status = enumerate(
      a,
      [&](ArrayRef<int64_t> variables, ArrayRef<int64_t> results) {
        SmallVector<Interval> ranges(b.getRanges());
        for (unsigned i = 0; i < b.getNumDims(); ++i) {
          isRefuted |= !ranges[i].contains(variables[i]);
          ranges[i] = Interval::point(variables[i]);
        }
        if (isRefuted)
          return false;
        // Forms over the arena of `b`, whatever the constraints leave of it.
        const FormArena arena = b.getArena();
        IndexingMap at = b.withRanges(ranges);
        for (unsigned j = 0; j < b.getNumResults() && at.isOrdinary(); ++j)
          at = at.withConstraint(arena, b.getResult(j),
                                 Interval::point(results[j]));
        isRefuted = at.isKnownEmpty() ||
                    (at.isOrdinary() && at.simplify().isKnownEmpty());
        return false;
      },
      kEnumerationBudget);
  return status == EnumerateStatus::Ok && isRefuted;
}

bool mlir::tensoraccess::isContainedIn(const IndexingMap &a,
                                       const IndexingMap &b) {
  if (a.isUnknown() || b.isUnknown() || a.getNumDims() != b.getNumDims() ||
      a.getNumResults() != b.getNumResults())
    return false;
  if (a == b || a.isKnownEmpty())
    return true;
  if (b.isKnownEmpty() || a.getNumRuntime() != 0 || b.getNumRuntime() != 0)
    return false;
  if (Proof(a, b).run())
    return true;
  if (isRefuted(a, b))
    return false;
  std::optional<std::set<Point>> x = getPairs(a);
  if (!x)
    return false;
  std::optional<std::set<Point>> y = getPairs(b);
  return y && std::includes(y->begin(), y->end(), x->begin(), x->end());
}
