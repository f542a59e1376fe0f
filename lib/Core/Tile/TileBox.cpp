//===- TileBox.cpp - Tiles that pass op by op -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of bounds, comparing and uniting boxes, and their other forms. A
// comparison of bounds is the range of their difference. The minimum of two
// lists whose maxima are lower bounds is the maximum over all pairs of minima;
// leaving pairs out keeps it a bound.
//
//===----------------------------------------------------------------------===//

#include "TileBoxStep.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// x - y; any value if that does not fit.
static Interval differenceRange(const FormArena &arena, const Form &x,
                                const Form &y) {
  Form difference;
  if (!FormArena::tryAddScaled(x, y, -1, difference))
    return Interval::all();
  return arena.range(difference);
}

static unsigned countAtoms(const FormArena &arena, const Form &form) {
  SmallVector<char, 32> used;
  arena.markUsed(form, used);
  unsigned count = 0;
  for (size_t id = arena.getNumVariables(); id < used.size(); ++id)
    count += used[id] != 0;
  return count;
}

bool detail::prune(FormArena &arena, BoundList &list, bool isLower) {
  bool isComplete = true;
  for (Form &form : list)
    if (!form.isConstant() && countAtoms(arena, form) > kMaxBoundAtoms) {
      Interval range = arena.range(form);
      form = Form(isLower ? range.lower : range.upper);
      isComplete = false;
    }
  llvm::erase_if(list, [&](const Form &form) {
    return form.isConstant() &&
           form.constant == (isLower ? Interval::kNoLower : Interval::kNoUpper);
  });
  for (size_t i = 0; i < list.size();) {
    bool isImplied = false;
    for (size_t j = 0; j != list.size() && !isImplied; ++j) {
      if (i == j)
        continue;
      Interval d = differenceRange(arena, list[j], list[i]);
      isImplied = isLower ? d.lower >= 0 : d.upper <= 0;
    }
    if (isImplied)
      list.erase(list.begin() + i);
    else
      ++i;
  }
  if (list.size() > kMaxBounds) {
    list.truncate(kMaxBounds);
    isComplete = false;
  }
  return isComplete;
}

void detail::align(FormArena &arena, TileBox::Dim &dim) {
  if (dim.stride == 1)
    return;
  for (Form &form : dim.lower)
    form = arena.addScaled(
        dim.anchor, arena.ceilDiv(arena.sub(form, dim.anchor), dim.stride),
        dim.stride);
  for (Form &form : dim.upper)
    form = arena.addScaled(
        dim.anchor, arena.floorDiv(arena.sub(form, dim.anchor), dim.stride),
        dim.stride);
}

int64_t detail::getMinSpan(const FormArena &arena, const TileBox::Dim &dim) {
  int64_t least = Interval::kNoUpper;
  bool isLoose = false;
  for (const Form &lower : dim.lower)
    for (const Form &upper : dim.upper) {
      const int64_t span = differenceRange(arena, upper, lower).lower;
      isLoose |= !(upper.isConstant() && lower.isConstant());
      least = std::min(least, span);
    }
  if (!isLoose || arena.getNumVariables() == 0)
    return least;
  // The same for sources of one element.
  FormArena unit;
  SmallVector<Form, 8> images;
  for (unsigned v = 0; v != arena.getNumVariables(); ++v) {
    Form variable = unit.addVariable(arena.getAtom(v).range);
    images.push_back(v % 2 == 1 ? images[v - 1] : variable);
  }
  Substitution toUnit(unit, arena, images);
  int64_t exact = Interval::kNoUpper;
  for (const Form &lower : dim.lower) {
    Form low = toUnit(lower);
    for (const Form &upper : dim.upper)
      exact = std::min(exact, differenceRange(unit, toUnit(upper), low).lower);
  }
  return unit.failed() ? least : std::max(least, exact);
}

int64_t detail::getMaxSpan(const FormArena &arena, const TileBox::Dim &dim) {
  int64_t greatest = Interval::kNoUpper;
  for (const Form &lower : dim.lower)
    for (const Form &upper : dim.upper)
      greatest = std::min(greatest, differenceRange(arena, upper, lower).upper);
  return greatest;
}

//===----------------------------------------------------------------------===//
// Making boxes
//===----------------------------------------------------------------------===//

TileBox TileBox::ofParameters(ArrayRef<Interval> ranges,
                              ArrayRef<int64_t> strides) {
  TileBox box;
  box.ranges.assign(ranges.begin(), ranges.end());
  box.strides.assign(strides.begin(), strides.end());
  if (strides.empty())
    box.strides.assign(ranges.size(), 1);
  SmallVector<Form, 8> variables;
  for (Interval range : ranges)
    for (int i = 0; i != 2; ++i)
      variables.push_back(box.arena.addVariable(range));
  for (auto [i, range] : llvm::enumerate(ranges)) {
    Dim &dim = box.dims.emplace_back();
    Form first = variables[2 * i], last = variables[2 * i + 1];
    if (range.isPoint())
      first = last = Form(range.lower);
    const bool isForward = box.strides[i] > 0;
    dim.lower.push_back(isForward ? first : last);
    dim.upper.push_back(isForward ? last : first);
    dim.stride = int64_t(magnitude(box.strides[i]));
    dim.anchor = first;
    if (range.isPoint())
      dim.stride = 1;
  }
  return box;
}

TileBox TileBox::ofNumbers(ArrayRef<TileDim> tile) {
  TileBox box;
  for (const TileDim &d : tile) {
    Dim &dim = box.dims.emplace_back();
    dim.lower.push_back(Form(d.offset));
    dim.upper.push_back(Form(d.last()));
    dim.stride = d.size <= 1 ? 1 : d.stride;
    dim.anchor = Form(d.offset);
  }
  return box;
}

void TileBox::setHull(llvm::StringRef why) {
  if (reason.empty())
    reason = why.empty() ? "it is a hull" : why.str();
}

//===----------------------------------------------------------------------===//
// Two boxes
//===----------------------------------------------------------------------===//

/// Whether every element of `inner` is one of `outer`'s progression.
static bool hasElements(const FormArena &arena, const TileBox::Dim &outer,
                        const TileBox::Dim &inner) {
  if (outer.stride == 1)
    return true;
  Form distance;
  auto isMultiple = [&](const Form &from) {
    return FormArena::tryAddScaled(from, outer.anchor, -1, distance) &&
           distance.constant % outer.stride == 0 &&
           llvm::all_of(distance.terms, [&](const Term &t) {
             return t.coefficient % outer.stride == 0;
           });
  };
  if (inner.stride % outer.stride == 0)
    return isMultiple(inner.anchor);
  return inner.lower.size() == 1 && inner.upper.size() == 1 &&
         inner.lower.front() == inner.upper.front() &&
         isMultiple(inner.lower.front());
}

bool TileBox::covers(const TileBox &other) const {
  if (dims.size() != other.dims.size() ||
      arena.getNumVariables() != other.arena.getNumVariables())
    return false;
  FormArena common = arena;
  SmallVector<Form, 8> images;
  for (unsigned v = 0; v != arena.getNumVariables(); ++v)
    images.push_back(Form::ofAtom(v));
  Substitution move(common, other.arena, images);
  for (auto [outer, theirs] : llvm::zip(dims, other.dims)) {
    Dim inner = theirs;
    for (Form &f : inner.lower)
      f = move(f);
    for (Form &f : inner.upper)
      f = move(f);
    inner.anchor = move(inner.anchor);
    auto isBelow = [&](const Form &low, const Form &high) {
      return differenceRange(common, high, low).lower >= 0;
    };
    for (const Form &f : outer.lower)
      if (llvm::none_of(inner.lower,
                        [&](const Form &g) { return isBelow(f, g); }))
        return false;
    for (const Form &f : outer.upper)
      if (llvm::none_of(inner.upper,
                        [&](const Form &g) { return isBelow(g, f); }))
        return false;
    if (!hasElements(common, outer, inner))
      return false;
  }
  return !common.failed();
}

/// The minima (maxima) of all pairs that can be compared.
static BoundList unite(FormArena &arena, const BoundList &a, const BoundList &b,
                       bool isLower) {
  BoundList out;
  if (a.empty() || b.empty())
    return out;
  int64_t end = isLower ? Interval::kNoUpper : Interval::kNoLower;
  for (const BoundList *list : {&a, &b}) {
    // What the list certainly guarantees.
    int64_t best = isLower ? Interval::kNoLower : Interval::kNoUpper;
    for (const Form &f : *list) {
      Interval range = arena.range(f);
      best =
          isLower ? std::max(best, range.lower) : std::min(best, range.upper);
    }
    end = isLower ? std::min(end, best) : std::max(end, best);
  }
  for (const Form &f : a)
    for (const Form &g : b) {
      Interval d = differenceRange(arena, f, g);
      if (d.upper <= 0)
        out.push_back(isLower ? f : g);
      else if (d.lower >= 0)
        out.push_back(isLower ? g : f);
    }
  out.push_back(Form(end));
  prune(arena, out, isLower);
  return out;
}

TileBox TileBox::hull(const TileBox &other) const {
  if (covers(other)) {
    TileBox out = *this;
    return out;
  }
  if (other.covers(*this))
    return other;
  TileBox out = *this;
  SmallVector<Form, 8> images;
  for (unsigned v = 0; v != arena.getNumVariables(); ++v)
    images.push_back(Form::ofAtom(v));
  Substitution move(out.arena, other.arena, images);
  for (auto [mine, theirs] : llvm::zip(out.dims, other.dims)) {
    BoundList lower, upper;
    for (const Form &f : theirs.lower)
      lower.push_back(move(f));
    for (const Form &f : theirs.upper)
      upper.push_back(move(f));
    mine.lower = unite(out.arena, mine.lower, lower, /*isLower=*/true);
    mine.upper = unite(out.arena, mine.upper, upper, /*isLower=*/false);
    Form distance = out.arena.sub(move(theirs.anchor), mine.anchor);
    int64_t stride = std::gcd(mine.stride, theirs.stride);
    stride = std::gcd(stride, distance.constant == Interval::kNoLower
                                  ? 1
                                  : distance.constant);
    for (const Term &t : distance.terms)
      stride = std::gcd(stride, t.coefficient);
    mine.stride = stride;
    align(out.arena, mine);
  }
  out.reason = !reason.empty()         ? reason
               : !other.reason.empty() ? other.reason
                                       : "it is read in several ways";
  return out;
}

//===----------------------------------------------------------------------===//
// Other forms
//===----------------------------------------------------------------------===//

std::optional<StridedTile> TileBox::at(ArrayRef<int64_t> offsets,
                                       ArrayRef<int64_t> sizes) const {
  if (offsets.size() != ranges.size() || sizes.size() != ranges.size())
    return std::nullopt;
  StridedTile out;
  out.isExact = isExact();
  SmallVector<int64_t, 8> point;
  for (size_t i = 0; i != ranges.size(); ++i) {
    // The part of the source inside of its range.
    const int64_t stride = strides[i];
    std::optional<int64_t> span = checkedMul(sizes[i] - 1, stride);
    std::optional<int64_t> last =
        span ? checkedAdd(offsets[i], *span) : std::nullopt;
    if (!last || sizes[i] < 1)
      return std::nullopt;
    Interval counts = (ranges[i] + -offsets[i])
                          .dividedBy(stride)
                          .intersect({0, sizes[i] - 1});
    if (counts.isEmpty()) {
      out.isEmpty = true;
      counts = {0, 0};
    }
    point.push_back(offsets[i] + stride * counts.lower);
    point.push_back(offsets[i] + stride * counts.upper);
  }
  SmallVector<int64_t, 16> values;
  if (!out.isEmpty && !arena.evaluateAtoms(point, values))
    return std::nullopt;
  for (const Dim &dim : dims) {
    if (out.isEmpty)
      break;
    std::optional<int64_t> low, high;
    for (const Form &f : dim.lower) {
      std::optional<int64_t> x = FormArena::evaluate(f, values);
      if (!x)
        return std::nullopt;
      low = std::max(low.value_or(*x), *x);
    }
    for (const Form &f : dim.upper) {
      std::optional<int64_t> x = FormArena::evaluate(f, values);
      if (!x)
        return std::nullopt;
      high = std::min(high.value_or(*x), *x);
    }
    if (!low || !high)
      return std::nullopt;
    out.isEmpty |= *low > *high;
    if (out.isEmpty)
      break;
    TileDim d{*low, (*high - *low) / dim.stride + 1, dim.stride};
    if (d.size == 1)
      d.stride = 1;
    out.dims.push_back(d);
  }
  if (out.isEmpty)
    out.dims.assign(dims.size(), {0, 0, 1});
  return out;
}
