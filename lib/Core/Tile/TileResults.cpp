//===- TileResults.cpp - Conditions, and the tile of each result ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 4 of the engine (see TileEngine.h). The values of a result are c + Σ a*k
// over its own items. With negative a counted backwards and equal a added up
// (n + n' - 1), the a ascend, and the sums are an arithmetic progression iff,
// among the items with n > 1,
//
//   every a is a multiple of the first, which is the step, and
//   a / step <= 1 + Σ (a' / step)(n' - 1) over the smaller ones.
//
// Proof. The two least sums are 0 and the first a, so that is the step; all
// sums must be its multiples. If some a exceeds what the smaller items reach by
// more than a step, the number after their last sum is missing, since all
// larger items add more. If none does, each item continues without a gap.
//
//===----------------------------------------------------------------------===//

#include "TileEngine.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

bool mlir::tensoraccess::isProgression(
    ArrayRef<std::pair<int64_t, int64_t>> terms, int64_t fixedStep) {
  SmallVector<std::pair<int64_t, int64_t>, 8> active;
  for (auto [coefficient, size] : terms) {
    if (size <= 0)
      return true;
    if (size > 1)
      active.push_back({coefficient, size});
  }
  llvm::sort(active);
  int64_t step = fixedStep, reach = 1;
  for (auto [coefficient, size] : active) {
    if (step == 0)
      step = coefficient;
    if (coefficient % step != 0 || coefficient / step > reach)
      return false;
    std::optional<int64_t> span = checkedMul(coefficient / step, size - 1);
    std::optional<int64_t> sum = span ? checkedAdd(reach, *span) : span;
    reach = sum.value_or(Interval::kNoUpper);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool TileEngine::fail(const Twine &reason) {
  if (currentResult)
    failure.result = currentResult;
  failure.message =
      ((currentResult ? "result " + std::to_string(*currentResult) + ", "
                      : std::string()) +
       currentText + ": " + reason)
          .str();
  return false;
}

bool TileEngine::addCondition(ConditionForms condition, const Twine &reason) {
  SmallVector<ClauseForms, 2> clauses;
  for (ClauseForms &clause : condition.clauses) {
    ClauseForms kept;
    bool isFalse = false;
    for (CompareForms &compare : clause) {
      Interval range = arena.range(compare.form);
      isFalse |= range.intersect(compare.interval).isEmpty();
      if (!compare.interval.contains(range))
        kept.push_back(std::move(compare));
    }
    if (isFalse)
      continue;
    if (kept.empty())
      return true;
    clauses.push_back(std::move(kept));
  }
  condition.clauses = std::move(clauses);
  if (condition.clauses.empty() && condition.run.empty())
    return fail(reason);
  auto isSame = [&](const ConditionForms &other) {
    if (!condition.run.empty() || !other.run.empty() ||
        condition.clauses.size() != other.clauses.size())
      return false;
    for (auto [x, y] : llvm::zip(condition.clauses, other.clauses)) {
      if (x.size() != y.size())
        return false;
      for (auto [c, d] : llvm::zip(x, y))
        if (c.form != d.form || c.interval != d.interval)
          return false;
    }
    return true;
  };
  if (llvm::none_of(conditions, isSame))
    conditions.push_back(std::move(condition));
  return true;
}

bool TileEngine::requireCompare(Form form, Interval interval,
                                const Twine &reason) {
  ConditionForms condition;
  condition.clauses.push_back({{std::move(form), interval}});
  return addCondition(std::move(condition), reason);
}

bool TileEngine::requireNonEmpty(unsigned item) {
  return arena.range(items[item].size).lower > 0 ||
         requireCompare(items[item].size, Interval::atLeast(1),
                        "no point is in its domain");
}

std::optional<bool> TileEngine::getRunStatus(SmallVector<RunTerm, 4> terms,
                                             bool fixedStep) {
  const int64_t fixed =
      fixedStep && !terms.empty() ? terms.front().coefficient : 0;
  auto sizeOf = [&](const RunTerm &t) { return arena.range(t.size); };
  llvm::erase_if(
      terms, [&](const RunTerm &t) { return sizeOf(t) == Interval::point(1); });
  if (llvm::all_of(terms,
                   [](const RunTerm &t) { return t.size.isConstant(); })) {
    SmallVector<std::pair<int64_t, int64_t>, 8> numbers;
    for (const RunTerm &t : terms)
      numbers.push_back({t.coefficient, t.size.constant});
    return isProgression(numbers, fixed);
  }
  // Surely one if the least sizes reach far enough.
  int64_t step = fixed, least = 1;
  for (const RunTerm &t : terms) {
    if (step == 0) {
      if (terms.size() > 1 && sizeOf(t).lower <= 1)
        return std::nullopt;
      step = t.coefficient;
    }
    if (t.coefficient % step != 0 || t.coefficient / step > least)
      return std::nullopt;
    std::optional<int64_t> span = checkedMul(
        t.coefficient / step, std::max<int64_t>(sizeOf(t).lower, 1) - 1);
    std::optional<int64_t> sum = span ? checkedAdd(least, *span) : span;
    least = sum.value_or(Interval::kNoUpper);
  }
  return true;
}

bool TileEngine::requireRun(SmallVector<RunTerm, 4> terms, bool fixedStep,
                            const Twine &reason) {
  std::optional<bool> status = getRunStatus(terms, fixedStep);
  if (status == true)
    return true;
  if (status == false)
    return fail(reason);
  if (!fixedStep)
    llvm::erase_if(terms, [&](const RunTerm &t) {
      return arena.range(t.size) == Interval::point(1);
    });
  ConditionForms condition;
  if (terms.size() != 2) {
    condition.run = std::move(terms);
    condition.hasFixedStep = fixedStep;
    return addCondition(std::move(condition), reason);
  }
  // Two terms: one of them does not move, or the first bridges the second.
  const RunTerm &a = terms[0], &b = terms[1];
  if (b.coefficient % a.coefficient == 0) {
    const int64_t ratio = b.coefficient / a.coefficient;
    Interval enough = Interval::atLeast(ratio);
    if (arena.range(a.size).upper == ratio)
      enough = Interval::point(ratio);
    condition.clauses.push_back({{a.size, enough}});
  }
  if (!fixedStep)
    condition.clauses.push_back({{a.size, Interval::atMost(1)}});
  condition.clauses.push_back({{b.size, Interval::atMost(1)}});
  return addCondition(std::move(condition), reason);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Form TileEngine::countSums(ArrayRef<RunTerm> terms) {
  // Unique if each coefficient exceeds what the smaller items reach at most.
  bool isUnique = true;
  int64_t reach = 0;
  for (const RunTerm &t : terms) {
    isUnique &= t.coefficient > reach;
    Interval size = arena.range(t.size);
    std::optional<int64_t> span =
        size.hasUpper()
            ? checkedMul(t.coefficient, std::max<int64_t>(size.upper, 1) - 1)
            : std::nullopt;
    std::optional<int64_t> sum = span ? checkedAdd(reach, *span) : span;
    reach = sum.value_or(Interval::kNoUpper);
  }
  Form count(1);
  const int64_t first = terms.empty() ? 1 : terms.front().coefficient;
  for (const RunTerm &t : terms)
    if (isUnique)
      count = arena.mul(count, t.size);
    else if (t.coefficient % first == 0)
      count = arena.addScaled(count, arena.sub(t.size, Form(1)),
                              t.coefficient / first);
  return count;
}

bool TileEngine::boundByDims(unsigned result) {
  // A result of one dim and symbols: where the dim ends, so does the result.
  const Form &form = map.getResult(result);
  std::optional<unsigned> dim;
  bool hasSymbol = false;
  Form low(form.constant), high(form.constant);
  for (const Term &t : form.terms) {
    if (!from.isVariable(t.atom))
      return false;
    if (t.atom >= map.getNumDims() + map.getNumSymbols()) {
      Form runtime = atoms[t.atom]->base;
      low = arena.addScaled(low, runtime, t.coefficient);
      high = arena.addScaled(high, runtime, t.coefficient);
      continue;
    }
    if (t.atom < map.getNumDims()) {
      if (dim)
        return false;
      dim = t.atom;
    } else {
      hasSymbol = true;
    }
    const Interval range = map.getRanges()[t.atom].scaled(t.coefficient);
    if (!range.isFinite())
      return false;
    low = arena.add(low, Form(range.lower));
    high = arena.add(high, Form(range.upper));
  }
  if (!dim)
    return true;
  // Windows past the end must not reach what those before it leave out: their
  // places are one apart, and no symbol steps further than the dim does.
  if (hasSymbol) {
    const uint64_t step = magnitude(FormRef(form).coefficientOf(*dim));
    if (magnitude(sourceStrides[*dim]) != 1 || !map.getConstraints().empty() ||
        llvm::any_of(form.terms, [&](const Term &t) {
          return t.atom < map.getNumDims() + map.getNumSymbols() &&
                 magnitude(t.coefficient) > step;
        }))
      return false;
  }
  auto &[lower, upper] = bounds[result];
  lower = lower ? arena.max(*lower, low) : low;
  upper = upper ? arena.min(*upper, high) : high;
  return true;
}

bool TileEngine::resolveResult(unsigned result) {
  ResultForms &out = results[result];
  Linear value = values[result];
  currentResult = result;
  currentText = map.formText(map.getResult(result));
  out.offset = getMin(value);
  SmallVector<RunTerm, 4> terms;
  for (auto [item, coefficient] : value.terms) {
    const int64_t a = coefficient < 0 ? times(coefficient, -1) : coefficient;
    auto same = llvm::find_if(
        terms, [&](const RunTerm &t) { return t.coefficient == a; });
    if (same == terms.end())
      terms.push_back({a, items[item].size});
    else
      same->size = arena.sub(arena.add(same->size, items[item].size), Form(1));
  }
  if (hasOverflow)
    return fail("overflows 64-bit arithmetic");
  llvm::sort(terms, [](const RunTerm &a, const RunTerm &b) {
    return a.coefficient < b.coefficient;
  });
  out.size.otherwise = Form(1);
  out.stride.otherwise = Form(1);
  if (!terms.empty()) {
    if (!requireRun(terms, /*fixedStep=*/false,
                    "the indices have no constant stride"))
      return false;
    // The first item that moves gives the stride.
    size_t last = 0;
    while (last + 1 < terms.size() && arena.range(terms[last].size).lower <= 1)
      ++last;
    Form count = countSums(terms);
    for (size_t i = 0; i != last; ++i) {
      out.stride.cases.push_back({terms[i].size, Form(terms[i].coefficient)});
      out.size.cases.push_back(
          {terms[i].size, countSums(ArrayRef<RunTerm>(terms).drop_front(i))});
    }
    out.stride.otherwise = Form(terms[last].coefficient);
    out.size.otherwise = countSums(ArrayRef<RunTerm>(terms).drop_front(last));
    // Where sums are unique, leading sizes of 1 change nothing in the product.
    Form product(1);
    for (const RunTerm &t : terms)
      product = arena.mul(product, t.size);
    if (count == product)
      out.size = {{}, count};
  }
  if (isSymbolic && reachesOverEdges)
    reachesOverEdges = boundByDims(result);
  out.lower = bounds[result].first;
  out.upper = bounds[result].second;
  return true;
}

bool TileEngine::resolveResults() {
  // Items that several results share must not move.
  for (unsigned item = 0; item != items.size(); ++item) {
    SmallVector<unsigned, 2> readers;
    for (auto [r, value] : llvm::enumerate(values))
      if (value.hasItem(item))
        readers.push_back(r);
    Form size = items[item].size;
    const bool isOnly =
        readers.size() == 1 && values[readers.front()].terms.size() == 1;
    if (readers.size() > 1) {
      currentResult = readers[1];
      currentText = map.formText(map.getResult(readers[1]));
      if (!requireCompare(size, Interval::atMost(1),
                          "moves with result " + Twine(readers[0]) +
                              ", both by " + items[item].source))
        return false;
      for (unsigned r : readers)
        addTerm(values[r], item, -values[r].getCoefficient(item));
    }
    // Elsewhere, sizes that may be 0 have to be positive.
    if (!isOnly && !items[item].isReplaced && !requireNonEmpty(item))
      return false;
  }
  results.resize(map.getNumResults());
  for (unsigned r = 0; r != map.getNumResults(); ++r)
    if (!resolveResult(r))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The engine
//===----------------------------------------------------------------------===//

bool TileEngine::run(ArrayRef<SourceDim> dims, ArrayRef<Form> runtime) {
  const unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  atoms.resize(from.getNumAtoms());
  isResolved.assign(map.getConstraints().size(), 0);
  bounds.resize(map.getNumResults());
  SmallVector<char, 32> reached = map.getUsed();

  for (unsigned d = 0; d != numDims; ++d) {
    Linear x;
    x.base = dims[d].offset;
    sourceStrides.push_back(dims[d].stride);
    if (auto item = addItem(dims[d].size, map.getVariableName(d)))
      addTerm(x, *item, dims[d].stride);
    atoms[d] = std::move(x);
  }
  for (unsigned s = numDims; s != numDims + numSymbols; ++s) {
    Linear x;
    currentText = map.getVariableName(s);
    Interval range = map.getRanges()[s];
    std::optional<int64_t> size = range.size();
    if (reached[s]) {
      if (!range.isFinite() || !size)
        return fail("the symbol has no bounds");
      x.base = Form(range.lower);
      if (auto item = addItem(Form(*size), map.getVariableName(s)))
        addTerm(x, *item, 1);
    }
    atoms[s] = std::move(x);
  }
  for (unsigned i = 0; i != map.getNumRuntime(); ++i) {
    Linear x;
    x.base = runtime[i];
    atoms[numDims + numSymbols + i] = std::move(x);
  }
  if (isEmpty)
    return true;
  if (!resolveAtoms())
    return false;
  if (isEmpty)
    return true;
  for (const Form &form : map.getResults())
    values.push_back(translate(form));
  for (auto [i, c] : llvm::enumerate(map.getConstraints()))
    if (!isResolved[i])
      pending.push_back(
          {translate(c.form), c.interval, map.formText(c.form), false});
  for (auto [variable, range] : narrowed)
    pending.push_back({translate(Form::ofAtom(variable)), range,
                       map.getVariableName(variable), false});
  if (!resolveConstraints())
    return false;
  if (isEmpty)
    return true;
  if (!resolveResults())
    return false;
  currentResult.reset();
  currentText = "tile";
  if (hasOverflow || arena.failed())
    return fail("overflows 64-bit arithmetic");
  return true;
}
