//===- TouchedBoxes.cpp - What blocks of iterations touch -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boxes of all ranks are kept as intervals per dimension by few coordinates of
// the grid (Cost.h). What an access touches has that form again: an
// interval depends on the coordinates that any of its iterations' does.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Span = std::pair<int64_t, int64_t>;

//===----------------------------------------------------------------------===//
// Boxes of all ranks
//===----------------------------------------------------------------------===//

/// a + b and a·b that stay at the ends of what 64 bits hold.
static int64_t addClamped(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(a < 0 ? INT64_MIN : INT64_MAX);
}
static int64_t mulClamped(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX);
}

static std::optional<Span> getValues(const FormArena &forms, FormRef form,
                                     ArrayRef<Span> at);

/// The values of an atom over intervals of its dimensions, which are not empty;
/// std::nullopt on overflow.
static std::optional<Span> getValues(const FormArena &forms, AtomId id,
                                     ArrayRef<Span> at) {
  if (forms.isVariable(id))
    return Span(at[id].first, at[id].second - 1);
  const Atom &atom = forms.getAtom(id);
  if (atom.kind == AtomKind::Product)
    return atom.range.isFinite()
               ? std::optional(Span(atom.range.lower, atom.range.upper))
               : std::nullopt;
  std::optional<Span> body = getValues(forms, forms.body(id), at);
  if (!body)
    return std::nullopt;
  if (atom.kind == AtomKind::PositivePart)
    return Span(std::max<int64_t>(body->first, 0),
                std::max<int64_t>(body->second, 0));
  return Span(llvm::divideFloorSigned(body->first, atom.divisor),
              llvm::divideFloorSigned(body->second, atom.divisor));
}

/// Takes k·(y - m⌊y/m⌋) out of `rest`, where `quotient` is ⌊y/m⌋, and returns k;
/// std::nullopt if part of that is missing.
static std::optional<int64_t> takeDigit(const FormArena &forms, Form &rest,
                                        AtomId quotient) {
  const Atom &atom = forms.getAtom(quotient);
  const int64_t factor = FormRef(rest).coefficientOf(quotient);
  if (atom.kind != AtomKind::FloorDiv || factor == Interval::kNoLower ||
      factor % atom.divisor != 0)
    return std::nullopt;
  const int64_t k = -(factor / atom.divisor);
  FormRef y = forms.body(quotient);
  for (const Term &term : y.terms)
    if (checkedMul(term.coefficient, k) !=
        FormRef(rest).coefficientOf(term.atom))
      return std::nullopt;
  Form without, result;
  if (!FormArena::tryAddScaled(rest, y, -k, without) ||
      !FormArena::tryAddScaled(without, Form::ofAtom(quotient), -factor,
                               result))
    return std::nullopt;
  rest = std::move(result);
  return k;
}

/// The same of a form. A digit y - m⌊y/m⌋ is all of [0, m), unless its quotient
/// stays the same.
static std::optional<Span> getValues(const FormArena &forms, FormRef form,
                                     ArrayRef<Span> at) {
  Form rest(form);
  std::optional<int64_t> lo = 0, hi = 0;
  auto add = [&](std::optional<Span> values, int64_t factor) {
    auto a = values ? checkedMul(values->first, factor) : std::nullopt;
    auto b = values ? checkedMul(values->second, factor) : std::nullopt;
    lo = a && b && lo ? checkedAdd(*lo, std::min(*a, *b)) : std::nullopt;
    hi = a && b && hi ? checkedAdd(*hi, std::max(*a, *b)) : std::nullopt;
  };
  for (const Term &term : llvm::reverse(form.terms)) {
    std::optional<int64_t> k = FormRef(rest).coefficientOf(term.atom) != 0
                                   ? takeDigit(forms, rest, term.atom)
                                   : std::nullopt;
    if (!k)
      continue;
    const int64_t m = forms.getAtom(term.atom).divisor;
    std::optional<Span> y = getValues(forms, forms.body(term.atom), at);
    if (!y)
      return std::nullopt;
    const int64_t q = llvm::divideFloorSigned(y->first, m);
    add(q == llvm::divideFloorSigned(y->second, m)
            ? Span(y->first - q * m, y->second - q * m)
            : Span(0, m - 1),
        *k);
  }
  for (const Term &term : rest.terms)
    add(getValues(forms, term.atom, at), term.coefficient);
  add(Span(rest.constant, rest.constant), 1);
  return lo && hi ? std::optional(Span(*lo, *hi)) : std::nullopt;
}

/// The values of a row; all possible ones if it is not known. `at` has the
/// intervals of its dimensions, which are not empty.
static Span getValues(const BlockAccess &access, const AccessRow &row,
                      ArrayRef<int64_t> extents, ArrayRef<Span> at) {
  if (!row.form)
    return {INT64_MIN, INT64_MAX};
  if (!row.isSum) {
    std::optional<Span> values = getValues(*access.forms, *row.form, at);
    return values ? Span(values->first, addClamped(values->second, 1))
                  : Span(INT64_MIN, INT64_MAX);
  }
  int64_t lo = row.offset, hi = row.offset;
  // Below the first digit that is not a single one, merged ones are whole.
  bool isOpen = false;
  for (auto [dim, factor] : row.terms) {
    const Span span = isOpen ? Span(0, extents[dim]) : at[dim];
    const int64_t a = mulClamped(factor, span.first);
    const int64_t b = mulClamped(factor, span.second - 1);
    lo = addClamped(lo, std::min(a, b));
    hi = addClamped(hi, std::max(a, b));
    isOpen |= row.isMerged && span.second - span.first != 1;
  }
  return {lo, addClamped(hi, 1)};
}

/// The part of a dimension that a row touches.
static Span getInterval(const BlockAccess &access, unsigned d,
                        ArrayRef<int64_t> extents, ArrayRef<Span> at) {
  const int64_t extent = access.shape[d];
  auto [lo, hi] = getValues(access, access.rows[d], extents, at);
  lo = std::max<int64_t>(lo, 0);
  hi = std::min(hi, extent);
  return lo < hi ? Span(lo, hi) : Span(0, 0);
}

/// Whether a guard keeps a block from touching anything.
static bool isOutside(const BlockAccess &access, ArrayRef<int64_t> extents,
                      ArrayRef<Span> at) {
  return llvm::any_of(access.guards, [&](const auto &guard) {
    auto [lo, hi] = getValues(access, guard.first, extents, at);
    return guard.second.intersect({lo, hi == INT64_MAX ? hi : hi - 1})
        .isEmpty();
  });
}

Box mlir::tensoraccess::getTouched(const BlockAccess &access,
                                   ArrayRef<int64_t> extents,
                                   const Box &iterations) {
  SmallVector<Span, 6> at;
  for (auto [lo, hi] : llvm::zip_equal(iterations.lo, iterations.hi))
    at.emplace_back(lo, hi);
  Box out;
  const bool isEmpty = iterations.isEmpty() || isOutside(access, extents, at);
  for (unsigned d = 0; d != access.rows.size(); ++d) {
    auto [lo, hi] = isEmpty ? Span(0, 0) : getInterval(access, d, extents, at);
    out.lo.push_back(lo);
    out.hi.push_back(hi);
  }
  return out;
}

/// The axes that cut some dimensions of boxes.
static Distribution::Axes getAxes(const FactoredBoxes &boxes,
                                  ArrayRef<unsigned> dims) {
  Distribution::Axes axes;
  for (unsigned d : dims)
    for (unsigned axis : boxes.dims[d].axes)
      if (!llvm::is_contained(axes, axis))
        axes.push_back(axis);
  return axes;
}

/// The intervals of some dimensions at coordinates; false if one is empty.
static bool setSpans(const Grid &grid, const FactoredBoxes &boxes,
                     ArrayRef<unsigned> dims, ArrayRef<int64_t> at,
                     MutableArrayRef<Span> spans) {
  bool isPlace = true;
  for (unsigned d : dims) {
    const FactoredDim &dim = boxes.dims[d];
    spans[d] = dim.intervals[grid.getPart(dim.axes, at)];
    isPlace &= spans[d].first < spans[d].second;
  }
  return isPlace;
}

FactoredBoxes mlir::tensoraccess::getTouched(const Grid &grid,
                                             const BlockAccess &access,
                                             ArrayRef<int64_t> extents,
                                             const FactoredBoxes &iterations) {
  FactoredBoxes out;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  // Dimensions in which some ranks have no iterations make everything empty.
  SmallVector<unsigned, 6> gaps;
  for (auto [d, dim] : llvm::enumerate(iterations.dims))
    if (llvm::any_of(dim.intervals, [](Span i) { return i.first >= i.second; }))
      gaps.push_back(d);
  SmallVector<Span, 6> spans(extents.size());
  for (auto [d, row] : llvm::enumerate(access.rows)) {
    FactoredDim &dim = out.dims.emplace_back();
    SmallVector<unsigned, 4> used;
    auto use = [&](const AccessRow &row) {
      for (auto [term, factor] : row.terms)
        used.push_back(term);
    };
    use(row);
    if (d == 0) {
      used.append(gaps.begin(), gaps.end());
      for (const auto &guard : access.guards)
        use(guard.first);
    }
    const Distribution::Axes axes = getAxes(iterations, used);
    dim.axes.append(axes.begin(), axes.end());
    const int64_t parts = grid.getNumParts(dim.axes);
    dim.intervals.reserve(parts);
    for (int64_t part = 0; part != parts; ++part) {
      grid.setCoordinates(dim.axes, part, at);
      const bool isEmpty = !setSpans(grid, iterations, used, at, spans) ||
                           (d == 0 && isOutside(access, extents, spans));
      dim.intervals.push_back(isEmpty ? Span(0, 0)
                                      : getInterval(access, d, extents, spans));
    }
  }
  return out;
}

bool mlir::tensoraccess::isBoxOnBothSides(const BlockOp &op, const Grid &grid,
                                          const FactoredBoxes &iterations) {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op.op) ||
      op.kind == BlockOpKind::Opaque)
    return true;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  SmallVector<Span, 6> spans(op.extents.size());
  // Each merged dimension, on one side, and those that it is merged of.
  llvm::IntEqClasses groups(op.extents.size());
  const ArrayRef<AccessRow> rows = op.operands[0]->rows;
  for (const AccessRow &row : rows)
    for (auto [dim, factor] : row.terms)
      groups.join(dim, row.terms[0].first);
  groups.compress();
  for (unsigned group = 0; group != groups.getNumClasses(); ++group) {
    auto isOfGroup = [&](unsigned d) { return groups[d] == group; };
    SmallVector<unsigned, 4> dims = llvm::filter_to_vector(
        llvm::seq<unsigned>(0, op.extents.size()), isOfGroup);
    const Distribution::Axes axes = getAxes(iterations, dims);
    for (int64_t p = 0, n = grid.getNumParts(axes); p != n; ++p) {
      grid.setCoordinates(axes, p, at);
      if (!setSpans(grid, iterations, dims, at, spans))
        continue;
      // A dimension of one step that the operand lacks is a group by itself.
      int64_t count = 1, hull = 1;
      bool isTouched = false;
      for (unsigned d : dims)
        count *= spans[d].second - spans[d].first;
      for (const AccessRow &row : rows)
        if (!row.terms.empty() && isOfGroup(row.terms[0].first)) {
          auto [lo, hi] = getValues(*op.operands[0], row, op.extents, spans);
          hull *= hi - lo;
          isTouched = true;
        }
      if (isTouched && hull != count)
        return false;
    }
  }
  return true;
}

FactoredBoxes mlir::tensoraccess::getHull(const Grid &grid,
                                          const FactoredBoxes &a,
                                          const FactoredBoxes &b) {
  FactoredBoxes out;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  for (auto [x, y] : llvm::zip(a.dims, b.dims)) {
    FactoredDim &dim = out.dims.emplace_back();
    dim.axes = x.axes;
    for (unsigned axis : y.axes)
      if (!llvm::is_contained(dim.axes, axis))
        dim.axes.push_back(axis);
    for (int64_t p = 0, n = grid.getNumParts(dim.axes); p != n; ++p) {
      grid.setCoordinates(dim.axes, p, at);
      Span i = x.intervals[grid.getPart(x.axes, at)];
      Span j = y.intervals[grid.getPart(y.axes, at)];
      if (i.first >= i.second)
        i = j;
      else if (j.first < j.second)
        i = {std::min(i.first, j.first), std::max(i.second, j.second)};
      dim.intervals.push_back(i);
    }
  }
  return out;
}

/// One dimension on the fewest axes, ascending.
static FactoredDim getCanonical(const Grid &grid, const FactoredDim &dim) {
  Distribution::Axes axes = dim.axes;
  llvm::sort(axes);
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  FactoredDim out = dim;
  if (axes != dim.axes) {
    out.axes = axes;
    for (int64_t p = 0, n = grid.getNumParts(axes); p != n; ++p) {
      grid.setCoordinates(axes, p, at);
      out.intervals[p] = dim.intervals[grid.getPart(dim.axes, at)];
    }
  }
  for (size_t a = out.axes.size(); a-- != 0;) {
    const int64_t size = grid.axes[out.axes[a]].size;
    const int64_t below =
        grid.getNumParts(ArrayRef(out.axes).drop_front(a + 1));
    const int64_t n = out.intervals.size();
    bool isUsed = false;
    for (int64_t p = 0; p != n && !isUsed; ++p)
      isUsed = out.intervals[p] != out.intervals[p - p / below % size * below];
    if (isUsed)
      continue;
    std::vector<Span> kept;
    for (int64_t p = 0; p != n; ++p)
      if (p / below % size == 0)
        kept.push_back(out.intervals[p]);
    out.intervals = std::move(kept);
    out.axes.erase(out.axes.begin() + a);
  }
  return out;
}

FactoredBoxes mlir::tensoraccess::getCanonical(const Grid &grid,
                                               const FactoredBoxes &boxes) {
  FactoredBoxes out;
  for (FactoredDim dim : boxes.dims) {
    for (Span &interval : dim.intervals)
      if (interval.first >= interval.second)
        interval = {0, 0};
    out.dims.push_back(::getCanonical(grid, dim));
  }
  return out;
}

SmallVector<int64_t, 6>
mlir::tensoraccess::getLongest(const FactoredBoxes &boxes) {
  SmallVector<int64_t, 6> longest;
  for (const FactoredDim &dim : boxes.dims) {
    int64_t most = 0;
    for (auto [lo, hi] : dim.intervals)
      most = std::max(most, hi - lo);
    longest.push_back(most);
  }
  return longest;
}

int64_t mlir::tensoraccess::getBytes(const FactoredBoxes &boxes,
                                     int64_t elementBytes) {
  return checkedMul(elementCount(getLongest(boxes)), elementBytes)
      .value_or(INT64_MAX);
}
