//===- DigitView.cpp - Views whose dimensions are mixed-radix numbers -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics is stated in LayoutNest.h. On overflow: an index inside
// the base is below its element count, which fits in 63 bits, and a digit of
// size n ≥ 2 occurs at index n-1, so its collapsed step fits too. Only digits
// of size 1 can carry larger steps; collapsing checks for that.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutNest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <utility>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;

static Digit makeStill(int64_t size, unsigned baseRank) {
  Digit digit;
  digit.size = size;
  digit.steps.assign(baseRank, 0);
  return digit;
}

/// The digit with every step multiplied; steps of digits of size 1 do not
/// matter and become 0 where they would overflow.
static Digit scaled(const Digit &digit, int64_t size, int64_t factor) {
  Digit result = digit;
  result.size = size;
  for (int64_t &step : result.steps)
    if (llvm::MulOverflow(step, factor, step))
      step = 0;
  return result;
}

DigitView DigitView::identity(ArrayRef<int64_t> shape) {
  DigitView view;
  view.baseShape.assign(shape.begin(), shape.end());
  view.offsets.assign(shape.size(), 0);
  for (auto [dim, size] : llvm::enumerate(shape)) {
    Digit digit = makeStill(size, shape.size());
    digit.steps[dim] = 1;
    view.dims.push_back(Dim{digit});
  }
  return view;
}

DigitView DigitView::make(ArrayRef<int64_t> baseShape,
                          ArrayRef<int64_t> offsets, ArrayRef<Dim> dims) {
  DigitView view;
  view.baseShape.assign(baseShape.begin(), baseShape.end());
  view.offsets.assign(offsets.begin(), offsets.end());
  view.dims.assign(dims.begin(), dims.end());
  return view;
}

int64_t DigitView::getDimSize(unsigned dim) const {
  int64_t size = 1;
  for (const Digit &digit : dims[dim])
    size *= digit.size;
  return size;
}

SmallVector<int64_t> DigitView::getShape() const {
  SmallVector<int64_t> shape;
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    shape.push_back(getDimSize(dim));
  return shape;
}

void DigitView::replaceSize(int64_t from, int64_t to) {
  for (Dim &dim : dims)
    for (Digit &digit : dim)
      if (digit.size == from)
        digit.size = to;
  llvm::replace(baseShape, from, to);
  unknown = to;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

void DigitView::transpose(ArrayRef<int64_t> perm) {
  SmallVector<Dim> result;
  for (int64_t dim : perm)
    result.push_back(dims[dim]);
  dims = std::move(result);
}

void DigitView::join(unsigned begin, unsigned end) {
  Dim joined;
  for (unsigned dim = begin; dim < end; ++dim)
    llvm::append_range(joined, dims[dim]);
  if (joined.empty())
    joined.push_back(makeStill(1, baseShape.size()));
  dims.erase(dims.begin() + begin, dims.begin() + end);
  dims.insert(dims.begin() + begin, joined);
}

void DigitView::insert(unsigned dim, int64_t size) {
  dims.insert(dims.begin() + dim, Dim{makeStill(size, baseShape.size())});
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

bool DigitView::align(MutableArrayRef<DigitView> views) {
  if (views.empty())
    return true;
  unsigned numDims = views[0].getNumDims();
  for (unsigned dim = 0; dim < numDims; ++dim) {
    // Cut every view's digits at the same inner sizes: walk from the innermost
    // digit, and let the smallest remaining one decide the next cut.
    SmallVector<Dim> rest, cut(views.size());
    for (DigitView &view : views) {
      Dim digits;
      for (const Digit &digit : view.dims[dim])
        if (digit.size != 1)
          digits.push_back(digit);
      rest.push_back(std::move(digits));
    }
    while (llvm::any_of(rest, [](const Dim &d) { return !d.empty(); })) {
      if (llvm::any_of(rest, [](const Dim &d) { return d.empty(); }))
        return false; // Only where a size is 0.
      int64_t size = rest[0].back().size;
      for (const Dim &digits : rest)
        size = std::min(size, digits.back().size);
      for (auto [digits, done] : llvm::zip_equal(rest, cut)) {
        Digit digit = digits.pop_back_val();
        if (digit.size == size) {
          done.push_back(digit);
          continue;
        }
        if (size == 0 || digit.size % size != 0)
          return false;
        done.push_back(scaled(digit, size, 1));
        digits.push_back(scaled(digit, digit.size / size, size));
      }
    }
    for (auto [view, done] : llvm::zip_equal(views, cut)) {
      if (done.empty()) {
        view.dims[dim].truncate(1);
        continue;
      }
      std::reverse(done.begin(), done.end());
      view.dims[dim] = std::move(done);
    }
  }
  return true;
}

bool DigitView::canMerge(unsigned dim, unsigned digit, unsigned &first,
                         unsigned &last) const {
  const Digit &outer = dims[dim][digit], &inner = dims[dim][digit + 1];
  first = baseShape.size();
  last = 0;
  for (unsigned j = 0; j < baseShape.size(); ++j)
    if (outer.steps[j] != 0 || inner.steps[j] != 0) {
      first = std::min(first, j);
      last = std::max(last, j);
    }
  if (first >= last)
    return first == baseShape.size() ||
           outer.steps[first] == inner.size * inner.steps[first];
  DigitView collapsed = *this;
  if (!collapsed.collapse(first, last))
    return false;
  // Steps are numbers: none may grow with an unknown size, except the one that
  // the merged digit does not have.
  auto grows = [&](int64_t step) {
    return unknown != 0 && (step >= unknown || step <= -unknown);
  };
  if (grows(collapsed.offsets[first]))
    return false;
  for (unsigned d = 0; d < collapsed.dims.size(); ++d)
    for (auto [i, other] : llvm::enumerate(collapsed.dims[d]))
      if ((d != dim || i != digit) && other.size != 1 &&
          grows(other.steps[first]))
        return false;
  const Dim &merged = collapsed.dims[dim];
  int64_t wanted;
  return !llvm::MulOverflow(inner.size, merged[digit + 1].steps[first],
                            wanted) &&
         merged[digit].steps[first] == wanted;
}

void DigitView::mergeDigits(unsigned dim, unsigned digit) {
  Dim &digits = dims[dim];
  digits[digit + 1].size *= digits[digit].size;
  digits.erase(digits.begin() + digit);
}

bool DigitView::collapse(unsigned first, unsigned last) {
  // Σ_j row_j · Π_{i>j} B_i, by Horner's rule.
  auto horner = [&](ArrayRef<int64_t> row, int64_t &sum) {
    sum = row[first];
    for (unsigned j = first + 1; j <= last; ++j)
      if (llvm::MulOverflow(sum, baseShape[j], sum) ||
          llvm::AddOverflow(sum, row[j], sum))
        return false;
    return true;
  };
  auto shrink = [&](auto &row, int64_t value) {
    row[first] = value;
    row.erase(row.begin() + first + 1, row.begin() + last + 1);
  };
  DigitView result = *this;
  int64_t value;
  for (Dim &dim : result.dims)
    for (Digit &digit : dim) {
      if (!horner(digit.steps, value)) {
        if (digit.size != 1)
          return false;
        value = 0; // A digit of size 1 stays at 0.
      }
      shrink(digit.steps, value);
    }
  if (!horner(offsets, value))
    return false;
  shrink(result.offsets, value);
  int64_t size = 1;
  for (unsigned j = first; j <= last; ++j)
    if (llvm::MulOverflow(size, baseShape[j], size))
      return false;
  shrink(result.baseShape, size);
  *this = std::move(result);
  return true;
}

void DigitView::merge(MutableArrayRef<DigitView> views) {
  if (views.empty())
    return;
  // Digits of size 1 beside others count nothing.
  for (DigitView &view : views)
    for (Dim &dim : view.dims) {
      auto isUnit = [](const Digit &digit) { return digit.size == 1; };
      if (llvm::all_of(dim, isUnit))
        dim.truncate(1);
      else
        llvm::erase_if(dim, isUnit);
    }
  // A collapse for one pair may enable another, so repeat until nothing moves;
  // each round removes a digit.
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned dim = 0; dim < views[0].getNumDims(); ++dim)
      for (unsigned digit = views[0].dims[dim].size() - 1; digit-- > 0;) {
        SmallVector<std::pair<unsigned, unsigned>> ranges(views.size());
        bool possible = true;
        for (auto [view, range] : llvm::zip_equal(views, ranges))
          possible &= view.canMerge(dim, digit, range.first, range.second);
        if (!possible)
          continue;
        for (auto [view, range] : llvm::zip_equal(views, ranges)) {
          if (range.first < range.second)
            view.collapse(range.first, range.second);
          view.mergeDigits(dim, digit);
        }
        changed = true;
      }
  }
}

void DigitView::collapseUnitBase() {
  auto moves = [&](unsigned j) {
    return llvm::any_of(dims, [&](const Dim &dim) {
      return llvm::any_of(dim, [&](const Digit &d) { return d.steps[j] != 0; });
    });
  };
  for (unsigned j = 0; j < baseShape.size() && baseShape.size() > 1;) {
    bool last = j + 1 == baseShape.size();
    if (baseShape[j] != 1 || moves(j) ||
        !collapse(last ? j - 1 : j, last ? j : j + 1))
      ++j;
  }
}

bool DigitView::isRowMajor() const {
  if (elementCount(getShape()) != elementCount(baseShape))
    return false;
  if (elementCount(baseShape) == 0)
    return true;
  DigitView linear = *this;
  if (baseShape.size() > 1 && !linear.collapse(0, baseShape.size() - 1))
    return false;
  if (!linear.baseShape.empty() && linear.offsets[0] != 0)
    return false;
  int64_t stride = 1;
  for (const Dim &dim : llvm::reverse(linear.dims))
    for (const Digit &digit : llvm::reverse(dim)) {
      if (digit.size == 1)
        continue;
      if (digit.steps.empty() || digit.steps[0] != stride)
        return false;
      stride *= digit.size;
    }
  return true;
}
