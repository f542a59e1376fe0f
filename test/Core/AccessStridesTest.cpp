//===- AccessStridesTest.cpp - Views by constant strides ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `asStrided` against the list of elements that a form evaluates to, on random
// chains of movements: it has strides exactly where the list has.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Index = SmallVector<int64_t>;

Index delinearize(int64_t number, ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i])
    index[i] = number % shape[i];
  return index;
}

int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [i, size] : llvm::zip_equal(index, shape))
    number = number * size + i;
  return number;
}

/// The row-major number of the element at an index; none on a constant.
std::optional<int64_t> numberAt(const CanonicalAccess &form,
                                ArrayRef<int64_t> index) {
  std::optional<AccessResult> at = form.evaluate(index);
  if (!at || at->source.kind != SourceKind::Operand)
    return std::nullopt;
  return linearize(at->index, form.getSourceShape(at->source.index));
}

/// The strides of the list of elements, by definition.
std::optional<StridedMap> findStrides(const CanonicalAccess &form) {
  ArrayRef<int64_t> shape = form.getShape();
  StridedMap result;
  if (form.isEmpty() || form.getSources().size() != 1)
    return std::nullopt;
  std::optional<int64_t> first = numberAt(form, Index(shape.size(), 0));
  if (!first)
    return std::nullopt;
  result.offset = *first;
  for (size_t i = 0; i < shape.size(); ++i) {
    Index next(shape.size(), 0);
    next[i] = shape[i] > 1;
    result.strides.push_back(numberAt(form, next).value_or(-1) - *first);
  }
  for (int64_t n = 0; n < *elementCount(shape); ++n) {
    Index index = delinearize(n, shape);
    int64_t number = std::inner_product(index.begin(), index.end(),
                                        result.strides.begin(), *first);
    if (numberAt(form, index) != number)
      return std::nullopt;
  }
  return result;
}

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % (high - low + 1));
  }

private:
  std::mt19937 engine;
};

/// One random movement.
std::optional<CanonicalAccess> move(Random &random, const CanonicalAccess &a) {
  Index shape(a.getShape());
  const int64_t rank = shape.size();
  switch (random.pick(0, 4)) {
  case 0: {
    Index perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    for (int64_t i = rank - 1; i > 0; --i)
      std::swap(perm[i], perm[random.pick(0, i)]);
    return transposeAccess(a, perm);
  }
  case 1: {
    Index offsets, sizes, strides;
    for (int64_t size : shape) {
      offsets.push_back(random.pick(0, size - 1));
      sizes.push_back(random.pick(1, size - offsets.back()));
      strides.push_back(1);
      if (random.pick(0, 3) == 0) {
        offsets.back() += sizes.back() - 1;
        strides.back() = -1;
      }
    }
    return sliceAccess(a, offsets, sizes, strides);
  }
  case 2: { // Two neighbours become one, or one becomes two.
    int64_t axis = random.pick(0, rank - 1);
    if (axis + 1 < rank && random.pick(0, 1)) {
      shape[axis] *= shape[axis + 1];
      shape.erase(shape.begin() + axis + 1);
    } else {
      int64_t divisor = random.pick(1, shape[axis]);
      if (shape[axis] % divisor == 0) {
        shape[axis] /= divisor;
        shape.insert(shape.begin() + axis + 1, divisor);
      }
    }
    return reshapeAccess(a, shape);
  }
  case 3: {
    int64_t window = random.pick(1, shape.back());
    return rank > 4 ? a
                    : windowsAccess(a, window, random.pick(1, 3), int64_t(1));
  }
  default: {
    Index low(rank), high(rank), interior(rank);
    high[random.pick(0, rank - 1)] = random.pick(0, 3) == 0;
    return padAccess(a, low, high, interior, 0);
  }
  }
}

TEST(AccessStrides, AreThoseOfTheElements) {
  unsigned strided = 0, others = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    Index shape;
    for (int64_t n = random.pick(1, 3); n > 0; --n)
      shape.push_back(random.pick(1, 6));
    CanonicalAccess form = CanonicalAccess::identity(shape, 0);
    for (int64_t n = random.pick(0, 4); n > 0; --n) {
      std::optional<CanonicalAccess> next = move(random, form);
      ASSERT_TRUE(next) << seed;
      form = *next;
    }
    std::optional<StridedMap> truth = findStrides(form);
    std::optional<StridedMap> found = form.asStrided();
    (truth ? strided : others) += 1;
    ASSERT_EQ(found.has_value(), truth.has_value())
        << "seed " << seed << ": " << form.str();
    if (!found)
      continue;
    EXPECT_EQ(found->offset, truth->offset) << form.str();
    EXPECT_EQ(found->strides, truth->strides) << form.str();
  }
  EXPECT_GT(strided, 500u);
  EXPECT_GT(others, 100u);
}

/// Strides of a form; {-1} where there are none.
Index strides(const std::optional<CanonicalAccess> &form) {
  std::optional<StridedMap> strided = form->asStrided();
  return strided ? strided->strides : Index({-1});
}

TEST(AccessStrides, AMatrixIsTwo) {
  CanonicalAccess x = CanonicalAccess::identity({4, 6}, 2);
  EXPECT_EQ(strides(x), Index({6, 1}));
  EXPECT_EQ(strides(transposeAccess(x, {1, 0})), Index({1, 6}));
  EXPECT_EQ(strides(reshapeAccess(x, {3, 8})), Index({8, 1}));
  // Ten elements from the fifth on, as rows of five.
  CanonicalAccess flat = *reshapeAccess(x, {24});
  CanonicalAccess ten = *sliceAccess(flat, {5}, {10}, {1});
  EXPECT_EQ(ten.asStrided()->offset, 5);
  EXPECT_EQ(strides(reshapeAccess(ten, {2, 5})), Index({5, 1}));
  // Columns 1 to 4 are not a list of evenly spaced elements; nor is padding.
  CanonicalAccess columns = *sliceAccess(x, {0, 1}, {4, 4}, {1, 1});
  EXPECT_EQ(strides(columns), Index({6, 1}));
  EXPECT_EQ(strides(reshapeAccess(columns, {16})), Index({-1}));
  EXPECT_EQ(strides(padAccess(x, {0, 0}, {1, 0}, {0, 0}, 0)), Index({-1}));
}

TEST(AccessStrides, ConstantsHaveNone) {
  EXPECT_EQ(strides(CanonicalAccess::constant({3, 5}, 0)), Index({-1}));
}

} // namespace
