//===- DigitViewTest.cpp - Views by digits against enumeration ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about a view is the list of its elements: for each index of the
// view, row-major, the row-major number of the base element there.
// Transposition and insertion are compared by definition; join, align, merge
// and collapseUnitBase must not change the list. The seed is fixed; RC_PARAMS
// overrides it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutNest.h"

#include "gtest/gtest.h"
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Index = SmallVector<int64_t>;

int64_t count(ArrayRef<int64_t> shape) { return *elementCount(shape); }

Index delinearize(int64_t number, ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = number % shape[i];
    number /= shape[i];
  }
  return index;
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    number = number * shape[i] + index[i];
  return number;
}

/// The view's elements, as its definition in LayoutNest.h says.
std::vector<int64_t> elements(const DigitView &view) {
  std::vector<int64_t> result;
  Index shape = view.getShape();
  for (int64_t n = 0; n < count(shape); ++n) {
    Index index = delinearize(n, shape), base(view.getOffsets());
    for (unsigned dim = 0; dim < view.getNumDims(); ++dim) {
      int64_t rest = index[dim];
      const DigitView::Dim &digits = view.getDim(dim);
      for (size_t i = digits.size(); i-- > 0;) {
        for (size_t j = 0; j < base.size(); ++j)
          base[j] += rest % digits[i].size * digits[i].steps[j];
        rest /= digits[i].size;
      }
    }
    for (size_t j = 0; j < base.size(); ++j)
      if (base[j] < 0 || base[j] >= view.getBaseShape()[j])
        return {}; // Outside of the base: equal to no truth.
    result.push_back(linearize(base, view.getBaseShape()));
  }
  return result;
}

/// Uniform in [lo, hi], whatever size rapidcheck is at.
int64_t pick(int64_t lo, int64_t hi) {
  return *rc::gen::resize(rc::kNominalSize,
                          rc::gen::inRange<int64_t>(lo, hi + 1));
}

/// Sizes of a given product.
Index drawFactors(int64_t product) {
  Index sizes;
  while (product != 1) {
    SmallVector<int64_t> divisors;
    for (int64_t d = 2; d <= product; ++d)
      if (product % d == 0)
        divisors.push_back(d);
    int64_t d = divisors[pick(0, divisors.size() - 1)];
    sizes.push_back(d);
    product /= d;
  }
  if (sizes.empty() || pick(0, 3) == 0)
    sizes.insert(sizes.begin() + pick(0, sizes.size()), 1);
  return sizes;
}

/// Digits that together walk through (a part of) a base dimension of `size`,
/// which is number `j`; `offset` receives where they begin.
void drawDigits(int64_t size, unsigned j, unsigned rank, int64_t &offset,
                DigitView::Dim &digits) {
  auto add = [&](int64_t n, int64_t step) {
    Digit digit;
    digit.size = n;
    digit.steps.assign(rank, 0);
    digit.steps[j] = step;
    digits.push_back(digit);
  };
  switch (pick(0, 3)) {
  case 0: { // A window at all of its places.
    int64_t window = pick(1, size), stride = pick(1, 3), dilation = pick(1, 2);
    std::optional<int64_t> places = windowCount(size, window, stride, dilation);
    if (!places)
      places = windowCount(size, window, stride, dilation = 1);
    add(*places, stride);
    add(window, dilation);
    return;
  }
  case 1: { // A slice, maybe backwards.
    int64_t count = pick(1, size), step = pick(1, 2);
    if ((count - 1) * step >= size)
      step = 1;
    offset = pick(0, size - 1 - (count - 1) * step);
    if (pick(0, 1)) {
      offset += (count - 1) * step;
      step = -step;
    }
    add(count, step);
    return;
  }
  default: { // All of it, cut into factors.
    int64_t step = size;
    for (int64_t factor : drawFactors(size)) {
      step /= factor;
      add(factor, step);
    }
    return;
  }
  }
}

/// A view of a random base. Half of them keep the base's order of digits, so
/// that there is something to merge.
DigitView drawView() {
  Index base;
  for (int64_t i = pick(1, 4); i > 0; --i)
    base.push_back(pick(1, 6));
  Index offsets(base.size());
  DigitView::Dim digits;
  for (auto [j, size] : llvm::enumerate(base))
    drawDigits(size, j, base.size(), offsets[j], digits);
  if (pick(0, 3) == 0)
    digits.push_back(Digit{2, Index(base.size(), 0)});
  if (pick(0, 1))
    for (size_t i = digits.size() - 1; i > 0; --i)
      std::swap(digits[i], digits[pick(0, i)]);
  SmallVector<DigitView::Dim> dims;
  for (const Digit &digit : digits) {
    if (dims.empty() || pick(0, 1))
      dims.emplace_back();
    dims.back().push_back(digit);
  }
  return DigitView::make(base, offsets, dims);
}

/// All of a list of elements, seen in the given shape.
DigitView drawRowMajor(ArrayRef<int64_t> shape) {
  SmallVector<DigitView::Dim> dims;
  int64_t step = count(shape);
  for (int64_t size : shape) {
    DigitView::Dim &dim = dims.emplace_back();
    for (int64_t factor : drawFactors(size))
      dim.push_back(Digit{factor, {step /= factor}});
  }
  return DigitView::make(count(shape), int64_t(0), dims);
}

template <typename Property>
void check(const char *what, Property &&property) {
  setenv("RC_PARAMS", "seed=20240521 max_success=600 max_size=60",
         /*overwrite=*/0);
  EXPECT_TRUE(rc::check(what, std::forward<Property>(property)));
}

/// Element at index x of the view, by its list of elements.
int64_t at(const DigitView &view, ArrayRef<int64_t> index) {
  return elements(view)[linearize(index, view.getShape())];
}

TEST(DigitView, MovesAsDefined) {
  check("movement", [] {
    DigitView old = drawView(), view = old;
    Index perm(view.getNumDims());
    std::iota(perm.begin(), perm.end(), 0);
    for (size_t i = perm.size() - 1; i > 0; --i)
      std::swap(perm[i], perm[pick(0, i)]);
    view.transpose(perm);
    unsigned added = pick(0, perm.size());
    view.insert(added, pick(1, 3));
    Index shape = view.getShape();
    for (int64_t n = 0; n < count(shape); n += pick(1, 50)) {
      Index index = delinearize(n, shape), from(perm.size());
      Index transposed = index;
      transposed.erase(transposed.begin() + added);
      for (auto [i, dim] : llvm::enumerate(perm))
        from[dim] = transposed[i];
      RC_ASSERT(at(view, index) == at(old, from));
    }
  });
}

TEST(DigitView, JoiningKeepsTheElements) {
  check("join", [] {
    DigitView view = drawView();
    std::vector<int64_t> truth = elements(view);
    unsigned begin = pick(0, view.getNumDims());
    unsigned end = pick(begin, view.getNumDims());
    unsigned dims = view.getNumDims() - (end - begin) + 1;
    view.join(begin, end);
    RC_ASSERT(view.getNumDims() == dims);
    RC_ASSERT(elements(view) == truth);
  });
}

TEST(DigitView, MergingKeepsTheElements) {
  check("merge", [] {
    // Many views have nothing to merge, so each case tries several.
    for (int i = 0; i < 4; ++i) {
      DigitView view = drawView();
      std::vector<int64_t> truth = elements(view);
      RC_ASSERT(!truth.empty());
      DigitView::merge(view);
      RC_ASSERT(elements(view) == truth);
      view.collapseUnitBase();
      RC_ASSERT(elements(view) == truth);
    }
  });
}

TEST(DigitView, AligningKeepsTheElements) {
  check("align", [] {
    DigitView first = drawView();
    Index shape = first.getShape();
    std::vector<int64_t> truth = elements(first);
    DigitView views[2] = {first, drawRowMajor(shape)};
    if (!DigitView::align(views))
      return;
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      RC_ASSERT(views[0].getDim(dim).size() == views[1].getDim(dim).size());
      for (unsigned i = 0; i < views[0].getDim(dim).size(); ++i)
        RC_ASSERT(views[0].getDim(dim)[i].size == views[1].getDim(dim)[i].size);
    }
    RC_ASSERT(elements(views[0]) == truth);
    DigitView::merge(views);
    RC_ASSERT(elements(views[0]) == truth);
    std::vector<int64_t> all(count(shape));
    std::iota(all.begin(), all.end(), 0);
    RC_ASSERT(elements(views[1]) == all);
  });
}

TEST(DigitView, RowMajorIsWhatItSays) {
  check("row-major", [] {
    DigitView view =
        pick(0, 1) ? drawView() : drawRowMajor({pick(1, 4), pick(1, 6)});
    std::vector<int64_t> all(count(view.getBaseShape()));
    std::iota(all.begin(), all.end(), 0);
    RC_ASSERT(view.isRowMajor() == (elements(view) == all));
  });
}

/// A filter [KH, KW, C, F] seen as <F | KH·KW·C> is the base collapsed.
TEST(DigitView, FlatFilterIsCollapsedBase) {
  DigitView view = DigitView::identity({3, 2, 5, 7});
  view.transpose({3, 0, 1, 2});
  view.join(1, 4);
  EXPECT_EQ(view.getDim(1).size(), 3u);
  DigitView::merge(view);
  EXPECT_EQ(view.getBaseShape(), ArrayRef<int64_t>({30, 7}));
  EXPECT_EQ(view.getDim(1).size(), 1u);
}

/// Windows that overlap are not a collapsed base: rows stay digits of their
/// own.
TEST(DigitView, FlatWindowsAreNot) {
  // Windows of [3, 2, 5] at stride 2 over [9, 8, 5].
  DigitView::Dim places = {{4, {2, 0, 0}}, {7, {0, 1, 0}}};
  DigitView::Dim inside = {{3, {1, 0, 0}}, {2, {0, 1, 0}}, {5, {0, 0, 1}}};
  DigitView view = DigitView::make({9, 8, 5}, {0, 0, 0}, {places, inside});
  DigitView::merge(view);
  EXPECT_EQ(view.getDim(0).size(), 2u);
  // (kh, kw·c): a window's row is contiguous.
  ASSERT_EQ(view.getDim(1).size(), 2u);
  EXPECT_EQ(view.getDim(1)[1].size, 10);
}

/// 3·5 and 5·3 have no common refinement.
TEST(DigitView, RefusesToAlignAcrossDigits) {
  DigitView::Dim one = {{3, {5}}, {5, {1}}}, other = {{5, {3}}, {3, {1}}};
  DigitView views[2] = {DigitView::make(15, int64_t(0), one),
                        DigitView::make(15, int64_t(0), other)};
  EXPECT_FALSE(DigitView::align(views));
}

TEST(DigitView, EmptyShapes) {
  EXPECT_TRUE(DigitView::identity({3, 0}).isRowMajor());
  EXPECT_TRUE(DigitView::identity({}).isRowMajor());
}

} // namespace
