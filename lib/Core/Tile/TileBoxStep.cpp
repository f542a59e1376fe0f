//===- TileBoxStep.cpp - A tile box through one map -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps 1, 2 and 4 (see TileBoxStep.h): variables, constraints, and how the
// results' ranges make a box. TileBoxRanges.cpp has step 3.
//
//===----------------------------------------------------------------------===//

#include "TileBoxStep.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Step 1: variables
//===----------------------------------------------------------------------===//

TileBoxStep::Range TileBoxStep::getConstant(int64_t lower,
                                            int64_t upper) const {
  Range range;
  if (lower != Interval::kNoLower)
    range.lower.push_back(Form(lower));
  if (upper != Interval::kNoUpper)
    range.upper.push_back(Form(upper));
  range.items.resize(map.getNumVariables());
  return range;
}

void TileBoxStep::normalize(Range &range) {
  align(arena, range);
  const bool isLowComplete = prune(arena, range.lower, /*isLower=*/true);
  const bool isHighComplete = prune(arena, range.upper, /*isLower=*/false);
  if (isLowComplete && isHighComplete)
    return;
  range.cover("its bounds are simplified");
  align(arena, range);
}

void TileBoxStep::setVariables() {
  const unsigned numDims = map.getNumDims();
  const unsigned firstRuntime = numDims + map.getNumSymbols();
  moves.resize(map.getNumVariables());
  for (auto [v, range] : llvm::enumerate(map.getRanges())) {
    Range x = getConstant(range.lower, range.upper);
    if (v < numDims) {
      const TileBox::Dim &dim = source.dims[v];
      x.lower.append(dim.lower.begin(), dim.lower.end());
      x.upper.append(dim.upper.begin(), dim.upper.end());
      x.stride = dim.stride;
      x.anchor = dim.anchor;
    }
    if (v >= firstRuntime && !range.isPoint())
      x.cover("it depends on runtime variable " + map.getVariableName(v));
    normalize(x);
    if (getMaxSpan(arena, x) > 0) {
      moves.set(v);
      x.items.set(v);
    }
    variables.push_back(std::move(x));
  }
}

void TileBoxStep::addConstraint(const Constraint &constraint) {
  Clip clip;
  clip.form = constraint.form;
  clip.interval = constraint.interval;
  clip.text = map.formText(constraint.form);
  for (bool changed = true; changed;) {
    changed = false;
    std::optional<int64_t> residue;
    const Term *division = llvm::find_if(clip.form.terms, [&](const Term &t) {
      residue = getResidue(from, clip.form, clip.interval, t);
      return residue.has_value();
    });
    if (residue) {
      clip.modulus = from.getAtom(division->atom).divisor;
      clip.residue = *residue;
      clip.form = Form(from.body(division->atom));
      clip.interval = Interval::all();
      break;
    }
    // c*(x floordiv m) + k in [a, b]: x in an interval.
    if (clip.form.terms.size() == 1 &&
        clip.form.constant != Interval::kNoLower) {
      const Term t = clip.form.terms.front();
      const Atom &atom = from.getAtom(t.atom);
      if (atom.kind == AtomKind::FloorDiv) {
        Interval quotients =
            (clip.interval + -clip.form.constant).dividedBy(t.coefficient);
        clip.interval =
            quotients.scaled(atom.divisor) + Interval(0, atom.divisor - 1);
        clip.form = Form(from.body(t.atom));
        changed = true;
      }
    }
  }
  if (clip.form.constant == Interval::kNoLower)
    return out.setHull("a constraint overflows 64-bit arithmetic");
  clip.interval = clip.interval + -clip.form.constant;
  if (clip.modulus > 0)
    clip.residue = floorModPositive(
        clip.residue - floorModPositive(clip.form.constant, clip.modulus),
        clip.modulus);
  clip.form.constant = 0;
  const auto &terms = clip.form.terms;
  if (terms.size() != 1 || !from.isVariable(terms.front().atom)) {
    clips.push_back(std::move(clip));
    return;
  }
  // Of one variable.
  auto [v, coefficient] = terms.front();
  Range &x = variables[v];
  if (clip.modulus > 0) {
    if (coefficient != 1) {
      clips.push_back(std::move(clip));
      return;
    }
    applyCongruence(x, clip.modulus, clip.residue);
  } else {
    Interval bounds = clip.interval.dividedBy(coefficient);
    if (bounds.hasLower())
      x.lower.push_back(Form(bounds.lower));
    if (bounds.hasUpper())
      x.upper.push_back(Form(bounds.upper));
  }
  normalize(x);
}

//===----------------------------------------------------------------------===//
// Step 2: constraints on several variables
//===----------------------------------------------------------------------===//

SmallVector<unsigned, 4> TileBoxStep::getMoving(FormRef form) const {
  SmallVector<char, 32> used;
  from.markUsed(form, used);
  SmallVector<unsigned, 4> moving;
  for (unsigned v = 0; v < used.size() && v < map.getNumVariables(); ++v)
    if (used[v] && moves.test(v))
      moving.push_back(v);
  return moving;
}

bool TileBoxStep::isRead(unsigned variable, const Clip *except) const {
  if (variable < readByResults.size() && readByResults[variable])
    return true;
  return llvm::any_of(clips, [&](const Clip &clip) {
    return &clip != except && !clip.isDone &&
           llvm::is_contained(getMoving(clip.form), variable);
  });
}

bool TileBoxStep::tighten(const Clip &clip, unsigned k, int64_t coefficient) {
  Form rest;
  if (!FormArena::tryAddScaled(clip.form, Form::ofAtom(k), -coefficient, rest))
    return false;
  Range others = evaluate(rest);
  Range &x = variables[k];
  const int64_t c = coefficient < 0 ? -coefficient : coefficient;
  // coefficient*k in [a - max others, b - min others].
  SmallVector<Form, 4> atLeast, atMost;
  if (clip.interval.hasLower())
    for (const Form &u : others.upper)
      atLeast.push_back(arena.sub(Form(clip.interval.lower), u));
  if (clip.interval.hasUpper())
    for (const Form &l : others.lower)
      atMost.push_back(arena.sub(Form(clip.interval.upper), l));
  for (const Form &f : atLeast)
    if (coefficient > 0)
      x.lower.push_back(arena.ceilDiv(f, c));
    else
      x.upper.push_back(arena.floorDiv(arena.negate(f), c));
  for (const Form &f : atMost)
    if (coefficient > 0)
      x.upper.push_back(arena.floorDiv(f, c));
    else
      x.lower.push_back(arena.ceilDiv(arena.negate(f), c));
  normalize(x);
  std::optional<int64_t> slack =
      clip.interval.isFinite() ? clip.interval.size() : std::nullopt;
  return others.reason.empty() && isNonEmpty(others) && !others.items.test(k) &&
         (!clip.interval.isFinite() || !(others.items.any()) ||
          (slack && others.stride <= *slack));
}

void TileBoxStep::resolveClips() {
  // What the results read as a whole is bounded there.
  auto isProportional = [](FormRef x, FormRef y) {
    return getRatio(x.terms, y.terms).has_value();
  };
  auto isReadWhole = [&](const Clip &clip) {
    return llvm::any_of(map.getResults(), [&](const Form &form) {
      if (isProportional(form, clip.form))
        return true;
      return llvm::any_of(form.terms, [&](const Term &t) {
        return from.getAtom(t.atom).kind == AtomKind::FloorDiv &&
               isProportional(from.body(t.atom), clip.form);
      });
    });
  };
  SmallVector<char, 8> isWhole;
  for (const Clip &clip : clips)
    isWhole.push_back(isReadWhole(clip));

  for (bool changed = true; changed;) {
    changed = false;
    for (Clip &clip : clips) {
      if (clip.isDone || isWhole[&clip - clips.data()])
        continue;
      SmallVector<unsigned, 4> moving = getMoving(clip.form), read;
      for (unsigned v : moving)
        if (isRead(v, &clip))
          read.push_back(v);
      if (clip.modulus > 0) {
        // Any residue is met if what only this constraint reads has a period.
        if (llvm::any_of(clip.form.terms, [&](const Term &t) {
              return !from.isVariable(t.atom);
            }))
          continue;
        Form rest = clip.form;
        llvm::erase_if(rest.terms, [&](const Term &t) {
          return !moves.test(t.atom) ||
                 llvm::is_contained(read, unsigned(t.atom));
        });
        Range others = evaluate(rest);
        const int64_t span = getMinSpan(arena, others);
        if (others.reason.empty() && others.stride == 1 &&
            span >= clip.modulus - 1) {
          clip.isDone = changed = true;
        }
        continue;
      }
      Range whole = evaluate(clip.form);
      Interval numbers = getNumbers(whole);
      if (clip.interval.contains(numbers)) {
        clip.isDone = changed = true;
        continue;
      }
      if (read.size() > 1)
        continue;
      if (read.empty()) {
        // Some value has to fit, for every source.
        const bool isLow = llvm::all_of(whole.lower, [&](const Form &f) {
          return arena.range(f).upper <= clip.interval.upper;
        });
        const bool isHigh = llvm::all_of(whole.upper, [&](const Form &f) {
          return arena.range(f).lower >= clip.interval.lower;
        });
        std::optional<int64_t> slack = clip.interval.size();
        if (whole.reason.empty() && isNonEmpty(whole) && isLow && isHigh &&
            (whole.stride == 1 || (slack && whole.stride <= *slack)))
          clip.isDone = changed = true;
        continue;
      }
      for (const Term &t : clip.form.terms)
        if (t.atom == read.front() && t.coefficient != Interval::kNoLower &&
            tighten(clip, t.atom, t.coefficient))
          clip.isDone = changed = true;
    }
  }
  for (Clip &clip : clips) {
    if (clip.isDone)
      continue;
    if (clip.modulus == 0)
      for (const Term &t : clip.form.terms)
        if (from.isVariable(t.atom) && moves.test(t.atom) &&
            t.coefficient != Interval::kNoLower)
          tighten(clip, t.atom, t.coefficient);
  }
  atoms.assign(from.getNumAtoms(), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Step 4: results
//===----------------------------------------------------------------------===//

bool TileBoxStep::isIndependent(const Range &a, const Range &b) {
  if (!a.digit || !b.digit || a.digit->body != b.digit->body)
    return false;
  const Digit &low = a.digit->weight < b.digit->weight ? *a.digit : *b.digit;
  const Digit &high = a.digit->weight < b.digit->weight ? *b.digit : *a.digit;
  std::optional<int64_t> reach = checkedMul(low.weight, low.modulus);
  if (low.modulus == 0 || !reach || *reach > high.weight ||
      high.weight % low.weight != 0)
    return false;
  // The range consists of whole blocks of the higher digit.
  Range body = evaluate(low.body);
  if (body.lower.size() != 1 || body.upper.size() != 1 || body.stride != 1 ||
      !body.reason.empty())
    return false;
  Form first = arena.mod(body.lower.front(), high.weight);
  Form past = arena.mod(arena.add(body.upper.front(), Form(1)), high.weight);
  return first == Form(0) && past == Form(0);
}

bool TileBoxStep::run(TileFailure &failure) {
  for (const Form &form : map.getResults())
    from.markUsed(form, readByResults);
  atoms.assign(from.getNumAtoms(), std::nullopt);
  setVariables();
  for (const Constraint &constraint : map.getConstraints())
    addConstraint(constraint);
  // Constraints may have made points of some.
  for (unsigned v = 0; v != map.getNumVariables(); ++v)
    if (moves.test(v) && getMaxSpan(arena, variables[v]) <= 0) {
      moves.reset(v);
      variables[v].items.reset(v);
    }
  if (!clips.empty())
    resolveClips();
  isFinal = true;

  std::vector<Range> results;
  for (const Form &form : map.getResults())
    results.push_back(evaluate(form));
  for (const Range &range : results)
    if (!range.reason.empty())
      out.setHull(range.reason);
  for (const Clip &clip : clips)
    if (!clip.isDone)
      out.setHull(clip.text + ": its domain cuts the tile to no box");
  // What bounds one result must not hold back another.
  for (const Clip &clip : clips)
    if (clip.isApplied)
      for (unsigned v : getMoving(clip.form))
        if (llvm::count_if(results, [&](const Range &range) {
              return range.items.test(v);
            }) > 1)
          out.setHull(clip.text + ": its domain cuts the tile to no box");
  for (unsigned q = 0; q != results.size(); ++q)
    for (unsigned r = 0; r != q && out.isExact(); ++r) {
      llvm::SmallBitVector common = results[q].items;
      common &= results[r].items;
      if (common.any() && getMaxSpan(arena, results[q]) > 0 &&
          getMaxSpan(arena, results[r]) > 0 &&
          !isIndependent(results[q], results[r]))
        out.setHull("result " + std::to_string(q) + " moves with result " +
                    std::to_string(r) + ", both by " +
                    map.getVariableName(common.find_first()));
    }
  // What is read nowhere must not be empty.
  for (unsigned v = 0; v != map.getNumVariables() && out.isExact(); ++v) {
    if (v < readByResults.size() && readByResults[v])
      continue;
    if (map.getVariableKind(v) == VariableKind::Runtime)
      continue;
    if (!variables[v].reason.empty())
      out.setHull(variables[v].reason);
    if (!isNonEmpty(variables[v]))
      out.setHull("nothing may be left of the tile in " +
                  map.getVariableName(v));
  }
  for (Range &range : results)
    out.dims.push_back(std::move(range));
  if (!arena.failed())
    return true;
  failure.message = describe(arena.failure()).str();
  return false;
}

std::optional<TileBox> TileBox::through(const IndexingMap &map,
                                        TileFailure &failure) const {
  failure = TileFailure();
  if (map.isUnknown()) {
    failure.message =
        "the map is unknown: " + describe(map.getUnknownReason()).str();
    return std::nullopt;
  }
  if (map.getNumDims() != dims.size()) {
    failure.message = "the map has " + std::to_string(map.getNumDims()) +
                      " dims, got a box of " + std::to_string(dims.size());
    return std::nullopt;
  }
  TileBox next;
  next.ranges = ranges;
  next.strides = strides;
  next.reason = reason;
  // Only the atoms that bounds mention go on.
  TileBox moved = *this;
  SmallVector<Form *, 16> roots;
  for (Dim &dim : moved.dims) {
    for (Form &f : dim.lower)
      roots.push_back(&f);
    for (Form &f : dim.upper)
      roots.push_back(&f);
    roots.push_back(&dim.anchor);
  }
  moved.arena.canonicalize(roots);
  next.arena = moved.arena;
  if (map.isKnownEmpty()) {
    Dim nothing;
    nothing.lower.push_back(Form(1));
    nothing.upper.push_back(Form(0));
    next.dims.assign(map.getNumResults(), nothing);
    if (map.getNumResults() == 0)
      next.setHull("nothing is read, but a scalar has no empty box");
    return next;
  }
  if (!TileBoxStep(moved, map, next).run(failure))
    return std::nullopt;
  return next;
}
