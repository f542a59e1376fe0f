//===- DigitViewTest.cpp - Views by digits against enumeration ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about a view is the list of its elements: for each index of the
// view, row-major, the row-major number of the base element there. Movement is
// repeated on such lists, by definition, and compared after every step; align,
// merge and collapseUnitBase must not change them. The seed is fixed; RC_PARAMS
// overrides it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/DigitView.h"
#include "TensorAccess/Core/Shape.h"

#include "gtest/gtest.h"
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
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

/// The view's elements, as its definition in DigitView.h says.
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

/// A list of elements with its shape.
struct Truth {
  Index shape;
  std::vector<int64_t> elements;

  int64_t at(ArrayRef<int64_t> index) const {
    return elements[linearize(index, shape)];
  }
  static Truth make(const Index &shape,
                    const std::function<int64_t(const Index &)> &at) {
    Truth truth{shape, {}};
    for (int64_t n = 0; n < count(shape); ++n)
      truth.elements.push_back(at(delinearize(n, shape)));
    return truth;
  }
};

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

/// One random movement on view and truth; a view that refuses stays as it was.
void move(DigitView &view, Truth &truth) {
  int64_t rank = truth.shape.size();
  switch (pick(0, 5)) {
  case 0: {
    Index perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    for (int64_t i = rank - 1; i > 0; --i)
      std::swap(perm[i], perm[pick(0, i)]);
    Index shape;
    for (int64_t dim : perm)
      shape.push_back(truth.shape[dim]);
    truth = Truth::make(shape, [&, old = truth](const Index &index) {
      Index from(rank);
      for (int64_t i = 0; i < rank; ++i)
        from[perm[i]] = index[i];
      return old.at(from);
    });
    view.transpose(perm);
    return;
  }
  case 1: {
    if (rank == 0)
      return;
    int64_t begin = pick(0, rank - 1), end = pick(begin + 1, rank);
    Index sizes = drawFactors(
        count(ArrayRef<int64_t>(truth.shape).slice(begin, end - begin)));
    if (!view.reshape(begin, end, sizes))
      return;
    truth.shape.erase(truth.shape.begin() + begin, truth.shape.begin() + end);
    truth.shape.insert(truth.shape.begin() + begin, sizes.begin(), sizes.end());
    return;
  }
  case 2: {
    int64_t n = pick(0, rank), first = rank - n;
    Index window, stride, dilation, shape(truth.shape);
    shape.truncate(first);
    for (int64_t i = first; i < rank; ++i) {
      window.push_back(pick(1, truth.shape[i]));
      stride.push_back(pick(1, 3));
      dilation.push_back(pick(1, 2));
      if (!windowCount(truth.shape[i], window.back(), stride.back(),
                       dilation.back()))
        dilation.back() = 1;
      shape.push_back(*windowCount(truth.shape[i], window.back(), stride.back(),
                                   dilation.back()));
    }
    shape.append(window.begin(), window.end());
    if (count(shape) > 3000 || !view.windows(window, stride, dilation))
      return;
    truth = Truth::make(shape, [&, old = truth](const Index &index) {
      Index from(index.begin(), index.begin() + rank);
      for (int64_t i = 0; i < n; ++i)
        from[first + i] =
            index[first + i] * stride[i] + index[rank + i] * dilation[i];
      return old.at(from);
    });
    return;
  }
  case 3: {
    int64_t dim = pick(0, rank), size = pick(1, 2);
    Index shape = truth.shape;
    shape.insert(shape.begin() + dim, size);
    if (count(shape) > 3000)
      return;
    truth = Truth::make(shape, [&, old = truth](const Index &index) {
      Index from = index;
      from.erase(from.begin() + dim);
      return old.at(from);
    });
    view.insert(dim, size);
    return;
  }
  default: {
    if (rank == 0)
      return;
    int64_t dim = pick(0, rank - 1), value = pick(0, truth.shape[dim] - 1);
    if (truth.shape[dim] != 1 && pick(0, 3) != 0)
      return;
    Index shape = truth.shape;
    shape.erase(shape.begin() + dim);
    truth = Truth::make(shape, [&, old = truth](const Index &index) {
      Index from = index;
      from.insert(from.begin() + dim, value);
      return old.at(from);
    });
    view.fix(dim, value);
    return;
  }
  }
}

std::pair<DigitView, Truth> drawView() {
  Index shape;
  for (int64_t i = pick(1, 4); i > 0; --i)
    shape.push_back(pick(1, 6));
  DigitView view = DigitView::identity(shape);
  Truth truth = Truth::make(
      shape, [&](const Index &index) { return linearize(index, shape); });
  for (int64_t i = pick(0, 6); i > 0; --i)
    move(view, truth);
  return {view, truth};
}

template <typename Property>
void check(const char *what, Property &&property) {
  setenv("RC_PARAMS", "seed=20240521 max_success=600 max_size=60",
         /*overwrite=*/0);
  EXPECT_TRUE(rc::check(what, std::forward<Property>(property)));
}

TEST(DigitView, MovesAsDefined) {
  check("movement", [] {
    auto [view, truth] = drawView();
    RC_ASSERT(view.getShape() == truth.shape);
    RC_ASSERT(elements(view) == truth.elements);
  });
}

TEST(DigitView, MergingKeepsTheElements) {
  check("merge", [] {
    // Most views have nothing to merge, so each case tries several.
    for (int i = 0; i < 8; ++i) {
      auto [view, truth] = drawView();
      DigitView::merge(view);
      RC_ASSERT(elements(view) == truth.elements);
      view.collapseUnitBase();
      RC_ASSERT(elements(view) == truth.elements);
    }
  });
}

TEST(DigitView, AligningKeepsTheElements) {
  check("align", [] {
    auto [first, truth] = drawView();
    // A second view of the same shape, by digits of its own.
    DigitView second = DigitView::identity(Index{count(truth.shape)});
    RC_ASSERT(second.reshape(0, 1, truth.shape));
    for (unsigned dim = 0; dim < truth.shape.size(); ++dim) {
      Index sizes = drawFactors(truth.shape[dim]);
      RC_ASSERT(second.reshape(dim, dim + 1, sizes));
      RC_ASSERT(second.reshape(dim, dim + sizes.size(), truth.shape[dim]));
    }
    DigitView views[2] = {first, second};
    if (!DigitView::align(views))
      return;
    for (unsigned dim = 0; dim < truth.shape.size(); ++dim) {
      RC_ASSERT(views[0].getDim(dim).size() == views[1].getDim(dim).size());
      for (unsigned i = 0; i < views[0].getDim(dim).size(); ++i)
        RC_ASSERT(views[0].getDim(dim)[i].size == views[1].getDim(dim)[i].size);
    }
    RC_ASSERT(elements(views[0]) == truth.elements);
    DigitView::merge(views);
    RC_ASSERT(elements(views[0]) == truth.elements);
    std::vector<int64_t> all(count(truth.shape));
    std::iota(all.begin(), all.end(), 0);
    RC_ASSERT(elements(views[1]) == all);
  });
}

TEST(DigitView, RowMajorIsWhatItSays) {
  check("row-major", [] {
    auto [view, truth] = drawView();
    std::vector<int64_t> all(count(view.getBaseShape()));
    std::iota(all.begin(), all.end(), 0);
    RC_ASSERT(view.isRowMajor() == (truth.elements == all));
  });
}

/// A filter [KH, KW, C, F] seen as <F | KH·KW·C> is the base collapsed.
TEST(DigitView, FlatFilterIsCollapsedBase) {
  DigitView view = DigitView::identity({3, 2, 5, 7});
  view.transpose({3, 0, 1, 2});
  ASSERT_TRUE(view.reshape(1, 4, {30}));
  EXPECT_EQ(view.getDim(1).size(), 3u);
  DigitView::merge(view);
  EXPECT_EQ(view.getBaseShape(), ArrayRef<int64_t>({30, 7}));
  EXPECT_EQ(view.getBaseGroups(), ArrayRef<int64_t>({3, 1}));
  EXPECT_EQ(view.getDim(1).size(), 1u);
}

/// Windows that overlap are no collapsed base: rows stay digits of their own.
TEST(DigitView, FlatWindowsAreNot) {
  DigitView view = DigitView::identity({9, 8, 5});
  ASSERT_TRUE(view.windows({3, 2, 5}, {2, 1, 1}, {1, 1, 1}));
  ASSERT_TRUE(view.reshape(3, 6, {30}));
  ASSERT_TRUE(view.reshape(0, 3, {28}));
  DigitView::merge(view);
  EXPECT_EQ(view.getDim(0).size(), 2u);
  // (kh, kw·c): a window's row is contiguous.
  ASSERT_EQ(view.getDim(1).size(), 2u);
  EXPECT_EQ(view.getDim(1)[1].size, 10);
}

TEST(DigitView, RefusesCutsInsideADigit) {
  DigitView view = DigitView::identity({3, 5});
  view.transpose({1, 0});
  EXPECT_FALSE(view.reshape(0, 2, {3, 5}));
  EXPECT_TRUE(view.reshape(0, 2, {15}));
  EXPECT_FALSE(view.windows({2}, {1}, {1}));
  EXPECT_EQ(view.getShape(), Index({15}));
}

TEST(DigitView, PadsWholeBaseDimensionsOnly) {
  SmallVector<int64_t> low, high;
  DigitView view = DigitView::identity({5, 7});
  view.transpose({1, 0});
  ASSERT_TRUE(view.pad({1, 2}, {0, 3}, low, high));
  EXPECT_EQ(low, Index({2, 1}));
  EXPECT_EQ(high, Index({3, 0}));
  EXPECT_EQ(view.getShape(), Index({8, 10}));
  EXPECT_EQ(view.getBaseShape(), ArrayRef<int64_t>({10, 8}));
  DigitView windows = DigitView::identity({8});
  ASSERT_TRUE(windows.windows({3}, {1}, {1}));
  EXPECT_FALSE(windows.pad({1, 0}, {0, 0}, low, high));
  EXPECT_TRUE(windows.pad({0, 0}, {0, 0}, low, high));
}

TEST(DigitView, EmptyShapes) {
  DigitView view = DigitView::identity({3, 0});
  EXPECT_FALSE(view.reshape(0, 2, {0, 5}));
  EXPECT_TRUE(view.isRowMajor());
  EXPECT_TRUE(DigitView::identity({}).isRowMajor());
}

} // namespace
