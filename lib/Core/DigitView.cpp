//===- DigitView.cpp - Views whose dimensions are mixed-radix numbers
//------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file's mathematics is stated in DigitView.h. On overflow: an index inside
// the base is below its element count, which fits in 63 bits, and a digit of
// size n ≥ 2 occurs at index n-1, so its collapsed step fits too. Only digits
// of size 1 can carry larger steps; collapsing checks for that.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/DigitView.h"
#include "TensorAccess/Core/Shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <utility>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

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
  view.baseGroups.assign(shape.size(), 1);
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
  view.baseGroups.assign(baseShape.size(), 1);
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

void DigitView::squeeze(unsigned dim) { dims.erase(dims.begin() + dim); }

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

bool DigitView::windows(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                        ArrayRef<int64_t> dilations) {
  unsigned first = dims.size() - shape.size();
  SmallVector<Dim> places, inside;
  for (unsigned i = 0; i < shape.size(); ++i) {
    const Dim &dim = dims[first + i];
    int64_t size = getDimSize(first + i);
    std::optional<int64_t> count =
        windowCount(size, shape[i], strides[i], dilations[i]);
    if (!count)
      return false;
    Dim still{makeStill(1, baseShape.size())};
    if (dim.size() == 1) {
      places.push_back(Dim{scaled(dim[0], *count, strides[i])});
      inside.push_back(Dim{scaled(dim[0], shape[i], dilations[i])});
    } else if (shape[i] == size) {
      // The whole dimension; as long as that, its dilation is 1.
      places.push_back(still);
      inside.push_back(dim);
    } else if (*count == size) {
      // A window of one element at every index.
      places.push_back(dim);
      inside.push_back(still);
    } else {
      return false;
    }
  }
  dims.truncate(first);
  llvm::append_range(dims, places);
  llvm::append_range(dims, inside);
  return true;
}

bool DigitView::reshape(unsigned begin, unsigned end, ArrayRef<int64_t> sizes) {
  // The digits that are still to be handed out, innermost first.
  SmallVector<Digit> rest;
  for (unsigned dim = begin; dim < end; ++dim)
    for (const Digit &digit : dims[dim]) {
      if (digit.size == 0)
        return false;
      if (digit.size != 1)
        rest.push_back(digit);
    }
  std::reverse(rest.begin(), rest.end());

  SmallVector<Dim> result;
  for (int64_t size : sizes) {
    if (size == 0)
      return false;
    Dim dim;
    while (size != 1) {
      if (rest.empty())
        return false;
      Digit digit = rest.pop_back_val();
      if (size % digit.size == 0) {
        size /= digit.size;
        dim.push_back(digit);
        continue;
      }
      if (digit.size % size != 0)
        return false;
      // (p of size a·b) = (q of size a)·b + (r of size b)
      int64_t inner = digit.size / size;
      dim.push_back(scaled(digit, size, inner));
      rest.push_back(scaled(digit, inner, 1));
      size = 1;
    }
    if (dim.empty())
      dim.push_back(makeStill(1, baseShape.size()));
    result.push_back(std::move(dim));
  }
  if (!rest.empty())
    return false;
  dims.erase(dims.begin() + begin, dims.begin() + end);
  dims.insert(dims.begin() + begin, result.begin(), result.end());
  return true;
}

bool DigitView::pad(ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                    SmallVectorImpl<int64_t> &baseLow,
                    SmallVectorImpl<int64_t> &baseHigh) {
  baseLow.assign(baseShape.size(), 0);
  baseHigh.assign(baseShape.size(), 0);
  SmallVector<std::pair<unsigned, unsigned>> padded; // dimension, base's
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    if (low[dim] == 0 && high[dim] == 0)
      continue;
    if (dims[dim].size() != 1)
      return false;
    const Digit &digit = dims[dim][0];
    // Exactly one base dimension moves, by 1, from 0, over all of it …
    auto it = llvm::find_if(digit.steps, [](int64_t s) { return s != 0; });
    if (it == digit.steps.end() || *it != 1 ||
        llvm::count_if(digit.steps, [](int64_t s) { return s != 0; }) != 1)
      return false;
    unsigned base = it - digit.steps.begin();
    if (offsets[base] != 0 || baseShape[base] != digit.size ||
        baseGroups[base] != 1)
      return false;
    // … and nothing else moves there.
    for (unsigned other = 0; other < dims.size(); ++other)
      for (const Digit &otherDigit : dims[other])
        if (other != dim && otherDigit.steps[base] != 0)
          return false;
    padded.emplace_back(dim, base);
  }
  for (auto [dim, base] : padded) {
    baseLow[base] = low[dim];
    baseHigh[base] = high[dim];
    baseShape[base] += low[dim] + high[dim];
    dims[dim][0].size = baseShape[base];
  }
  return true;
}

void DigitView::fix(unsigned dim, int64_t value) {
  for (const Digit &digit : llvm::reverse(dims[dim])) {
    if (digit.size <= 1)
      continue;
    for (unsigned j = 0; j < offsets.size(); ++j)
      offsets[j] += (value % digit.size) * digit.steps[j];
    value /= digit.size;
  }
  squeeze(dim);
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
  int64_t size = 1, group = 0;
  for (unsigned j = first; j <= last; ++j) {
    if (llvm::MulOverflow(size, baseShape[j], size))
      return false;
    group += baseGroups[j];
  }
  shrink(result.baseShape, size);
  shrink(result.baseGroups, group);
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

bool DigitView::isPlainUnit(unsigned dim) const {
  const Digit &digit = dims[dim][0];
  if (dims[dim].size() != 1 || digit.size != 1)
    return false;
  for (unsigned j = 0; j < baseShape.size(); ++j) {
    if (digit.steps[j] == 0)
      continue;
    if (digit.steps[j] != 1 || baseShape[j] != 1)
      return false;
    for (unsigned other = 0; other < dims.size(); ++other)
      for (const Digit &otherDigit : dims[other])
        if (other != dim && otherDigit.steps[j] != 0)
          return false;
  }
  return true;
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
