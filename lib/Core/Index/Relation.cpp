//===- Relation.cpp - Maps between spaces that share loops ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `relate` solves A(l) = d for the loops l, one result of A after the other,
// those with the fewest loops first. With F the loops of a result that are
// still free and x = d minus the rest of the result:
//
//   1. F is empty: the equation is a range of d (constants) or a constraint.
//   2. F are the digits of a mixed radix number (every coefficient exceeds what
//      the smaller ones can add up to): x floordiv k, then x mod k, and so on.
//      A single loop is the one-digit case, so a stride is undone by floordiv
//      with a `mod` constraint. Windows that don't overlap end here too.
//   3. Some loop of F has coefficient ±g, where g divides all of them: the one
//      with the longest range is solved for, within its range, and x mod g is 0;
//      the others become symbols.
//   4. Otherwise all of F become symbols, and the equation a constraint.
//
// A first pass decides (symbols must be created before any form is), a second
// one builds the forms.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// What becomes of a loop.
enum class LoopState : uint8_t {
  Free,   ///< nothing decided; if it stays so, a symbol where it is needed
  Fixed,  ///< its range has one value
  Solved, ///< a form over dims and symbols
  Symbol, ///< a range symbol
};

/// How one result of A is used.
struct Step {
  enum Kind : uint8_t { Bound, Loop, Digits, Pivot, Equation } kind = Bound;
  unsigned result = 0;
  /// Digits, by decreasing |coefficient|; the pivot, then the other free loops.
  SmallVector<Term, 4> loops;
  /// The result mentions more than `loops` and a constant.
  bool hasRest = false;
};

class Relater {
public:
  Relater(const IndexingMap &loops, unsigned numFrom,
          ArrayRef<Interval> fromRanges)
      : loops(loops), arena(loops.getArena()), numFrom(numFrom),
        numLoops(loops.getNumDims() + loops.getNumSymbols()),
        fromRanges(fromRanges), states(numLoops, LoopState::Free) {}

  IndexingMap run();

private:
  void plan();
  void planResult(unsigned result);
  bool areDigits(Step &step) const;
  void markUses(FormRef form, llvm::SmallVectorImpl<char> &used) const {
    used.resize(arena.getNumAtoms());
    arena.markUsed(form, used);
  }
  void freeze(ArrayRef<char> used) {
    for (unsigned l = 0; l < numLoops; ++l)
      if (used[l] && states[l] == LoopState::Free)
        states[l] = LoopState::Symbol;
  }
  Interval range(unsigned loop) const { return loops.getRanges()[loop]; }
  /// `form` without the terms of `step.loops`, over the new arena.
  Form restOf(const Step &step);
  void build(const Step &step);

  const IndexingMap &loops;
  const FormArena &arena;
  unsigned numFrom, numLoops;
  ArrayRef<Interval> fromRanges;
  SmallVector<LoopState> states;
  SmallVector<Step> steps;

  IndexingMapBuilder builder;
  SmallVector<Form> dims, images;
};

/// Case 2, leaving the digits sorted by decreasing coefficient.
bool Relater::areDigits(Step &step) const {
  llvm::sort(step.loops, [](const Term &a, const Term &b) {
    return magnitude(a.coefficient) > magnitude(b.coefficient);
  });
  int64_t reach = 0; // what the smaller digits can add up to
  for (const Term &term : llvm::reverse(step.loops)) {
    std::optional<int64_t> size = range(term.atom).size();
    uint64_t weight = magnitude(term.coefficient);
    if (weight > static_cast<uint64_t>(Interval::kNoUpper) ||
        static_cast<int64_t>(weight) <= reach)
      return false;
    // The leading digit may have no end.
    if (&term == &step.loops.front() && weight > 1 &&
        !range(term.atom).hasUpper() && range(term.atom).hasLower() &&
        term.coefficient > 0)
      return true;
    if (!range(term.atom).isFinite() || !size)
      return false;
    std::optional<int64_t> sum =
        checkedAdd(checkedMul(weight, *size - 1), reach);
    if (!sum)
      return false;
    reach = *sum;
  }
  return true;
}

void Relater::planResult(unsigned result) {
  const Form &form = loops.getResult(result);
  // Mostly a result is a loop.
  if (std::optional<AtomId> loop = form.asAtom();
      loop && *loop < numLoops && states[*loop] == LoopState::Free) {
    states[*loop] = LoopState::Solved;
    steps.push_back({Step::Loop, result, {{*loop, 1}}});
    return;
  }
  // Loops inside divisions, maxima and products are not solved for.
  SmallVector<char> used;
  for (const Term &term : form.terms)
    if (!arena.isVariable(term.atom))
      markUses(Form::ofAtom(term.atom), used);
  if (!used.empty())
    freeze(used);

  Step step;
  step.result = result;
  for (const Term &term : form.terms) {
    if (term.atom < numLoops && states[term.atom] == LoopState::Free)
      step.loops.push_back(term);
    else if (!(term.atom < numLoops && states[term.atom] == LoopState::Fixed))
      step.hasRest = true;
  }
  if (step.loops.empty()) {
    step.kind = step.hasRest ? Step::Equation : Step::Bound;
  } else if (areDigits(step)) {
    step.kind = Step::Digits;
    for (const Term &term : step.loops)
      states[term.atom] = LoopState::Solved;
  } else {
    uint64_t divisor = 0, most = 0;
    for (const Term &term : step.loops) {
      divisor = std::gcd(divisor, magnitude(term.coefficient));
      most = std::max(most, magnitude(term.coefficient));
    }
    Term *pivot = nullptr;
    for (Term &term : step.loops)
      if (most <= uint64_t(Interval::kNoUpper) &&
          magnitude(term.coefficient) == divisor &&
          (!pivot || range(pivot->atom).size().value_or(INT64_MAX) <
                         range(term.atom).size().value_or(INT64_MAX)))
        pivot = &term;
    for (const Term &term : step.loops)
      states[term.atom] =
          &term == pivot ? LoopState::Solved : LoopState::Symbol;
    step.kind = pivot ? Step::Pivot : Step::Equation;
    if (pivot)
      std::swap(step.loops.front(), *pivot);
    else
      step.loops.clear();
  }
  steps.push_back(std::move(step));
}

void Relater::plan() {
  for (unsigned l = 0; l < numLoops; ++l)
    if (range(l).isPoint())
      states[l] = LoopState::Fixed;
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, numFrom));
  auto difficulty = [&](unsigned result) {
    return std::pair(loops.getResult(result).terms.size(), result);
  };
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return difficulty(a) < difficulty(b);
  });
  for (unsigned result : order)
    planResult(result);
  // Free loops that are needed are symbols, too. The others mean only that
  // their range is not empty, which `run` has checked.
  SmallVector<char> used(arena.getNumAtoms());
  for (const Form &form : loops.getResults().drop_front(numFrom))
    markUses(form, used);
  for (const Constraint &constraint : loops.getConstraints())
    markUses(constraint.form, used);
  freeze(used);
}

Form Relater::restOf(const Step &step) {
  Form rest(loops.getResult(step.result));
  if (rest.terms.size() == step.loops.size())
    return Form(rest.constant);
  llvm::erase_if(rest.terms, [&](const Term &term) {
    return llvm::is_contained(step.loops, term);
  });
  return Substitution(builder.arena(), arena, images)(rest);
}

void Relater::build(const Step &step) {
  if (step.kind == Step::Bound)
    return; // the range of the dim implies it
  if (step.kind == Step::Loop) {
    images[step.loops[0].atom] = dims[step.result];
    return;
  }
  FormArena &to = builder.arena();
  Form x = to.sub(dims[step.result], restOf(step));
  switch (step.kind) {
  case Step::Bound:
  case Step::Loop:
    return;
  case Step::Equation:
    builder.addConstraint(x, Interval::point(0));
    return;
  case Step::Pivot: {
    // ±g * l = x - the others
    const Term &pivot = step.loops.front();
    const auto divisor = static_cast<int64_t>(magnitude(pivot.coefficient));
    if (divisor > 1) {
      builder.addConstraint(to.mod(x, divisor), Interval::point(0));
      x = to.floorDiv(x, divisor);
    }
    for (const Term &term : ArrayRef(step.loops).drop_front())
      x = to.addScaled(x, images[term.atom], -(term.coefficient / divisor));
    images[pivot.atom] = pivot.coefficient > 0 ? x : to.negate(x);
    builder.addConstraint(images[pivot.atom], range(pivot.atom));
    return;
  }
  case Step::Digits:
    break;
  }
  // A digit y runs over [0, size - 1]: l = lower + y, or l = upper - y if its
  // coefficient is negative.
  for (const Term &term : step.loops) {
    Interval r = range(term.atom);
    int64_t first = term.coefficient > 0 ? r.lower : r.upper;
    std::optional<int64_t> base = checkedMul(first, term.coefficient);
    if (!base)
      return to.setFailure(FormFailure::Overflow);
    if (*base != 0)
      x = to.sub(x, Form(*base));
  }
  for (auto [i, term] : llvm::enumerate(step.loops)) {
    Interval r = range(term.atom);
    int64_t weight = magnitude(term.coefficient);
    // After a digit of weight 1 nothing is left.
    Form digit = weight == 1 ? std::move(x) : to.floorDiv(x, weight);
    // The leading digit is bounded by the dim's range if nothing else is in x.
    if (i > 0 || step.hasRest)
      builder.addConstraint(digit, r.hasUpper() ? Interval(0, *r.size() - 1)
                                                : Interval::atLeast(0));
    images[term.atom] = term.coefficient > 0 ? to.add(Form(r.lower), digit)
                                             : to.sub(Form(r.upper), digit);
    if (weight != 1)
      x = to.mod(x, weight);
  }
  if (magnitude(step.loops.back().coefficient) != 1)
    builder.addConstraint(x, Interval::point(0));
}

IndexingMap Relater::run() {
  bool empty = loops.isKnownEmpty() ||
               llvm::any_of(loops.getRanges(),
                            [](const Interval &i) { return i.isEmpty(); });
  if (!empty)
    plan();
  for (unsigned i = 0; i < numFrom; ++i) {
    Interval r = fromRanges[i];
    if (!empty)
      r = r.intersect(loops.getResultRange(i));
    empty |= r.isEmpty();
    dims.push_back(builder.addDim(r.isEmpty() ? fromRanges[i] : r));
  }
  if (empty) {
    for (unsigned i = numFrom; i < loops.getNumResults(); ++i)
      builder.addResult(Form());
    builder.setKnownEmpty();
    return builder.build();
  }
  images.resize(loops.getNumVariables());
  for (unsigned l = 0; l < numLoops; ++l) {
    if (states[l] == LoopState::Symbol)
      images[l] = builder.addSymbol(range(l));
    else if (states[l] == LoopState::Fixed)
      images[l] = Form(range(l).lower);
  }
  for (unsigned v = numLoops; v < loops.getNumVariables(); ++v)
    images[v] = builder.addRuntime(range(v), loops.getVariableName(v));
  for (const Step &step : steps)
    build(step);
  Substitution substitute(builder.arena(), arena, images);
  for (const Form &form : loops.getResults().drop_front(numFrom))
    builder.addResult(substitute(form));
  for (const Constraint &constraint : loops.getConstraints())
    builder.addConstraint(substitute(constraint.form), constraint.interval);
  return builder.build().simplify();
}

} // namespace

IndexingMap tensoraccess::relate(const IndexingMap &loops, unsigned numFrom,
                                 ArrayRef<Interval> fromRanges) {
  if (loops.isUnknown())
    return loops;
  if (numFrom > loops.getNumResults() || fromRanges.size() != numFrom)
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  return Relater(loops, numFrom, fromRanges).run();
}

IndexingMap tensoraccess::emptyMap(ArrayRef<int64_t> from,
                                   unsigned numResults) {
  IndexingMapBuilder builder;
  builder.addDims(from);
  for (unsigned i = 0; i < numResults; ++i)
    builder.addResult(Form());
  builder.setKnownEmpty();
  return builder.build();
}

IndexingMap tensoraccess::reshapeMap(ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  std::optional<int64_t> count = checkedProduct(from);
  std::optional<int64_t> toCount = checkedProduct(to);
  if (!count || !toCount)
    return IndexingMap::unknown(UnknownReason::Overflow);
  if (*count != *toCount)
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  if (*count == 0)
    return emptyMap(from, to.size());

  IndexingMapBuilder builder;
  SmallVector<Form> dims = builder.addDims(from);
  FormArena &arena = builder.arena();
  // Groups: the shortest prefixes of what is left with equal counts. The
  // products divide `count`, so they fit.
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Form number;
    int64_t fromSize = 1, toSize = 1;
    size_t begin = j;
    auto takeFrom = [&] {
      number = arena.add(arena.scale(number, from[i]), dims[i]);
      fromSize *= from[i++];
    };
    auto takeTo = [&] { toSize *= to[j++]; };
    if (i < from.size())
      takeFrom();
    if (j < to.size())
      takeTo();
    while (fromSize != toSize)
      fromSize < toSize ? takeFrom() : takeTo();
    SmallVector<Form> digits;
    for (size_t k = j; k-- > begin;) {
      // The leading digit needs no mod: number < fromSize.
      digits.push_back(k == begin ? number : arena.mod(number, to[k]));
      number = arena.floorDiv(number, to[k]);
    }
    for (Form &digit : llvm::reverse(digits))
      builder.addResult(digit);
  }
  return builder.build().simplify();
}
