//===- AccessMovementTest.cpp - Canonical forms against plain arrays ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about an array is the list of what it holds: a number for each
// element of a source, a negative number for a constant. Movement is done on
// such lists by its definition and on canonical forms, and compared after every
// step. Chains that mean the same are made in two ways and must get one form.
// Seeds are fixed.
//
//===----------------------------------------------------------------------===//

#include "AccessMap.h"
#include "TensorAccess/Core/Checked.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// What a form means at points from one corner to the other: equal wherever two
/// forms mean the same.
uint64_t fingerprint(const CanonicalAccess &access) {
  ArrayRef<int64_t> shape = access.getShape();
  llvm::hash_code code = llvm::hash_combine_range(shape.begin(), shape.end());
  constexpr int64_t kSteps = 15;
  for (int64_t n = 0; n <= kSteps && !llvm::is_contained(shape, 0); ++n) {
    SmallVector<int64_t> point;
    for (int64_t size : shape)
      point.push_back((size - 1) / kSteps * n +
                      (size - 1) % kSteps * n / kSteps);
    std::optional<AccessResult> at = access.evaluate(point);
    code = llvm::hash_combine(
        code, at ? static_cast<unsigned>(at->source.kind) : ~0u,
        at ? at->source.index : 0,
        at ? llvm::hash_combine_range(at->index.begin(), at->index.end())
           : llvm::hash_code(0));
  }
  return code;
}

using Index = SmallVector<int64_t>;

/// A plain array. Element n of source s is s·1000000 + n, constant c is -1 - c.
struct Plain {
  Index shape;
  std::vector<int64_t> values;

  int64_t &at(ArrayRef<int64_t> index) {
    int64_t number = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      number = number * shape[i] + index[i];
    return values[number];
  }
};

int64_t count(ArrayRef<int64_t> shape) { return *elementCount(shape); }

Index delinearize(int64_t number, ArrayRef<int64_t> shape) {
  Index index(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i])
    index[i] = number % shape[i];
  return index;
}

Plain generate(ArrayRef<int64_t> shape,
               const std::function<int64_t(const Index &)> &value) {
  Plain result{Index(shape), {}};
  for (int64_t n = 0; n < count(shape); ++n)
    result.values.push_back(value(delinearize(n, shape)));
  return result;
}

/// An array and its form.
struct Both {
  Plain plain;
  CanonicalAccess form;
};

Both source(ArrayRef<int64_t> shape, unsigned number) {
  Both result;
  result.plain.shape.assign(shape.begin(), shape.end());
  result.plain.values.resize(count(shape));
  std::iota(result.plain.values.begin(), result.plain.values.end(),
            number * 1000000);
  result.form = CanonicalAccess::identity(shape, number);
  return result;
}

void expectMeans(const Both &both, const std::string &history) {
  const CanonicalAccess &form = both.form;
  ASSERT_EQ(Index(form.getShape()), both.plain.shape) << history;
  for (int64_t n = 0; n < count(form.getShape()); ++n) {
    Index index = delinearize(n, form.getShape());
    std::optional<AccessResult> at = form.evaluate(index);
    ASSERT_TRUE(at) << history << "\n" << form.str();
    int64_t value = -1 - static_cast<int64_t>(at->source.index);
    if (at->source.kind == SourceKind::Operand) {
      ArrayRef<int64_t> shape = form.getSourceShape(at->source.index);
      value = 0;
      for (auto [i, size] : llvm::zip_equal(at->index, shape)) {
        ASSERT_TRUE(0 <= i && i < size) << history << "\n" << form.str();
        value = value * size + i;
      }
      value += at->source.index * 1000000;
    }
    ASSERT_EQ(value, both.plain.values[n]) << history << "\n" << form.str();
  }
}

//===----------------------------------------------------------------------===//
// Movement of both
//===----------------------------------------------------------------------===//

Both transpose(Both a, ArrayRef<int64_t> perm) {
  Index shape;
  for (int64_t dim : perm)
    shape.push_back(a.plain.shape[dim]);
  Plain plain = generate(shape, [&](const Index &y) {
    Index x(y.size());
    for (size_t i = 0; i < y.size(); ++i)
      x[perm[i]] = y[i];
    return a.plain.at(x);
  });
  return {plain, *transposeAccess(a.form, perm)};
}

Both slice(Both a, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
           ArrayRef<int64_t> strides) {
  Plain plain = generate(sizes, [&](const Index &y) {
    Index x(y.size());
    for (size_t i = 0; i < y.size(); ++i)
      x[i] = offsets[i] + y[i] * strides[i];
    return a.plain.at(x);
  });
  return {plain, *sliceAccess(a.form, offsets, sizes, strides)};
}

/// A slice in one dimension.
Both cut(const Both &a, unsigned axis, int64_t offset, int64_t size,
         int64_t stride = 1) {
  Index offsets(a.plain.shape.size(), 0), sizes = a.plain.shape,
                                          strides(a.plain.shape.size(), 1);
  offsets[axis] = offset;
  sizes[axis] = size;
  strides[axis] = stride;
  return slice(a, offsets, sizes, strides);
}

Both windows(Both a, ArrayRef<int64_t> window, ArrayRef<int64_t> strides,
             ArrayRef<int64_t> dilations) {
  const size_t first = a.plain.shape.size() - window.size();
  Index shape(a.plain.shape.begin(), a.plain.shape.begin() + first);
  for (size_t i = 0; i < window.size(); ++i)
    shape.push_back(*windowCount(a.plain.shape[first + i], window[i],
                                 strides[i], dilations[i]));
  shape.append(window.begin(), window.end());
  Plain plain = generate(shape, [&](const Index &y) {
    Index x(y.begin(), y.begin() + first);
    for (size_t i = 0; i < window.size(); ++i)
      x.push_back(y[first + i] * strides[i] +
                  y[first + window.size() + i] * dilations[i]);
    return a.plain.at(x);
  });
  return {plain, *windowsAccess(a.form, window, strides, dilations)};
}

Both reshape(const Both &a, ArrayRef<int64_t> shape) {
  return {{Index(shape), a.plain.values}, *reshapeAccess(a.form, shape)};
}

Both insertAxis(Both a, unsigned axis, int64_t size) {
  Index shape = a.plain.shape;
  shape.insert(shape.begin() + axis, size);
  Plain plain = generate(shape, [&](Index y) {
    y.erase(y.begin() + axis);
    return a.plain.at(y);
  });
  return {plain, *insertAxisAccess(a.form, axis, size)};
}

Both fix(Both a, unsigned axis, int64_t value) {
  Index shape = a.plain.shape;
  shape.erase(shape.begin() + axis);
  Plain plain = generate(shape, [&](Index y) {
    y.insert(y.begin() + axis, value);
    return a.plain.at(y);
  });
  return {plain, *fixAccess(a.form, axis, value)};
}

Both pad(Both a, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
         ArrayRef<int64_t> interior, unsigned constant) {
  Index shape;
  for (auto [i, size] : llvm::enumerate(a.plain.shape))
    shape.push_back(low[i] + size +
                    std::max<int64_t>(size - 1, 0) * interior[i] + high[i]);
  Plain plain = generate(shape, [&](const Index &y) {
    Index x(y);
    for (size_t i = 0; i < y.size(); ++i) {
      x[i] -= low[i];
      if (x[i] < 0 || x[i] % (interior[i] + 1) != 0 ||
          x[i] / (interior[i] + 1) >= a.plain.shape[i])
        return -1 - static_cast<int64_t>(constant);
      x[i] /= interior[i] + 1;
    }
    return a.plain.at(x);
  });
  return {plain, *padAccess(a.form, low, high, interior, constant)};
}

Both concat(std::vector<Both> parts, unsigned axis) {
  Index shape = parts[0].plain.shape;
  shape[axis] = 0;
  SmallVector<const CanonicalAccess *> forms;
  for (const Both &part : parts) {
    shape[axis] += part.plain.shape[axis];
    forms.push_back(&part.form);
  }
  Plain plain = generate(shape, [&](Index y) {
    for (Both &part : parts) {
      if (y[axis] < part.plain.shape[axis])
        return part.plain.at(y);
      y[axis] -= part.plain.shape[axis];
    }
    return int64_t(-99);
  });
  return {plain, *concatAccess(forms, axis)};
}

Both cartProd(Both l, unsigned la, Both r, unsigned ra) {
  Index shape(l.plain.shape.begin(), l.plain.shape.begin() + la);
  shape.append(r.plain.shape.begin(), r.plain.shape.begin() + ra);
  shape.push_back(2);
  shape.append(l.plain.shape.begin() + la, l.plain.shape.end());
  Plain plain = generate(shape, [&](const Index &y) {
    const bool right = y[la + ra] == 1;
    Index x(y.begin() + (right ? la : 0), y.begin() + la + (right ? ra : 0));
    x.append(y.begin() + la + ra + 1, y.end());
    return (right ? r : l).plain.at(x);
  });
  return {plain, *cartProdAccess(l.form, la, r.form, ra)};
}

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(engine() % (hi - lo + 1));
  }
  Index shape(unsigned rank, int64_t hi) {
    Index result;
    for (unsigned i = 0; i < rank; ++i)
      result.push_back(pick(1, hi));
    return result;
  }
  Index perm(unsigned rank) {
    Index result(rank);
    std::iota(result.begin(), result.end(), 0);
    for (unsigned i = rank; i > 1; --i)
      std::swap(result[i - 1], result[pick(0, i - 1)]);
    return result;
  }
  /// A random factorisation.
  Index factors(int64_t n) {
    Index result;
    for (int64_t f = 2; f <= n;) {
      if (n % f != 0 || pick(0, 2) == 0) {
        ++f;
        continue;
      }
      int64_t take = f;
      result.push_back(take);
      n /= take;
      f = 2;
    }
    if (n > 1 || result.empty() || pick(0, 3) == 0)
      result.push_back(n);
    for (unsigned i = result.size(); i > 1; --i)
      std::swap(result[i - 1], result[pick(0, i - 1)]);
    if (result.size() > 4) {
      for (size_t i = 4; i < result.size(); ++i)
        result[3] *= result[i];
      result.resize(4);
    }
    return result;
  }

private:
  std::mt19937 engine;
};

/// One random movement; appends its name to `history`.
Both step(Random &random, const Both &a, std::string &history) {
  const unsigned rank = a.plain.shape.size();
  const Index &shape = a.plain.shape;
  const int64_t size = count(shape);
  auto note = [&](const std::string &name, ArrayRef<int64_t> numbers) {
    history += "; " + name;
    for (int64_t n : numbers)
      history += " " + std::to_string(n);
  };
  switch (random.pick(0, 9)) {
  case 0: {
    Index perm = random.perm(rank);
    note("transpose", perm);
    return transpose(a, perm);
  }
  case 1: {
    Index offsets, sizes, strides;
    for (int64_t n : shape) {
      int64_t stride = random.pick(-2, 3);
      stride = stride == 0 ? 1 : stride;
      const int64_t most = (n - 1) / std::abs(stride) + 1;
      const int64_t taken = n == 0 ? 0 : random.pick(1, most);
      const int64_t length =
          taken == 0 ? 1 : (taken - 1) * std::abs(stride) + 1;
      const int64_t begin = n == 0 ? 0 : random.pick(0, n - length);
      offsets.push_back(stride < 0 ? begin + length - 1 : begin);
      sizes.push_back(taken);
      strides.push_back(stride);
    }
    note("slice", offsets), note("by", sizes), note("step", strides);
    return slice(a, offsets, sizes, strides);
  }
  case 2: {
    if (rank == 0 || rank > 4 || llvm::is_contained(shape, 0))
      return a;
    const unsigned n = random.pick(1, std::min<unsigned>(rank, 2));
    Index window, strides, dilations;
    int64_t grown = size;
    for (unsigned i = rank - n; i < rank; ++i) {
      window.push_back(random.pick(1, std::min<int64_t>(shape[i], 3)));
      strides.push_back(random.pick(1, 2));
      const bool dilated =
          window.back() > 1 && shape[i] >= 2 * window.back() - 1;
      dilations.push_back(dilated ? random.pick(1, 2) : 1);
      grown *= window.back();
    }
    if (grown > 600)
      return a;
    note("windows", window), note("strides", strides), note("dil", dilations);
    return windows(a, window, strides, dilations);
  }
  case 3: {
    if (size == 0)
      return a;
    Index to = random.factors(size);
    note("reshape", to);
    return reshape(a, to);
  }
  case 4: {
    const unsigned axis = random.pick(0, rank);
    const int64_t n = random.pick(1, 2);
    if (rank > 4 || size * n > 400)
      return a;
    note("insert", {axis, n});
    return insertAxis(a, axis, n);
  }
  case 5: {
    if (rank < 2)
      return a;
    const unsigned axis = random.pick(0, rank - 1);
    if (shape[axis] == 0)
      return a;
    const int64_t value = random.pick(0, shape[axis] - 1);
    note("fix", {axis, value});
    return fix(a, axis, value);
  }
  case 6:
  case 7: {
    Index low, high, interior;
    int64_t grown = 1;
    for (int64_t n : shape) {
      low.push_back(random.pick(0, 2) == 0 ? random.pick(1, 2) : 0);
      high.push_back(random.pick(0, 2) == 0 ? 1 : 0);
      interior.push_back(random.pick(0, 5) == 0 ? 1 : 0);
      grown *= low.back() + high.back() + 2 * n;
    }
    if (grown > 800)
      return a;
    const unsigned constant = random.pick(0, 4) == 0 ? 1 : 0;
    note("pad", low), note("high", high), note("interior", interior);
    note("value", constant);
    return pad(a, low, high, interior, constant);
  }
  case 8: {
    if (rank == 0 || size > 200)
      return a;
    const unsigned axis = random.pick(0, rank - 1);
    note("concat with itself", axis);
    return concat({a, a}, axis);
  }
  default: {
    if (rank == 0 || rank > 4 || size > 60)
      return a;
    const unsigned axis = random.pick(0, rank - 1);
    note("product with another at", axis);
    // One number, one shape.
    unsigned number = 7;
    for (unsigned known : a.form.getSources())
      number = std::max(number, known + 1);
    Both other = source(Index(shape.begin() + axis, shape.end()), number);
    return cartProd(a, axis, other, 0);
  }
  }
}

/// The form as disjoint pieces only, the background cut into domains; none
/// beyond the budget.
static std::optional<AccessMap> makeExplicit(const CanonicalAccess &form) {
  SmallVector<AccessPiece> all(form.getPieces());
  if (std::optional<unsigned> background = form.getBackground()) {
    std::optional<SmallVector<IndexingMap>> rest =
        subtractDomains(IndexingMap::identity(form.getShape()).withResults({}),
                        form.getPieces());
    if (!rest)
      return std::nullopt;
    for (IndexingMap &map : *rest)
      all.push_back({{SourceKind::Constant, *background}, std::move(map)});
  }
  return AccessMap(all);
}

TEST(AccessMovement, RandomChainsMeanWhatTheySay) {
  unsigned chains = 0, pieces = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    Both a = source(random.shape(random.pick(1, 3), 4), random.pick(0, 3));
    std::string history = "seed " + std::to_string(seed);
    for (int64_t n = random.pick(1, 6); n > 0; --n) {
      a = step(random, a, history);
      ASSERT_NO_FATAL_FAILURE(expectMeans(a, history));
      if (a.form.isEmpty())
        break;
    }
    ++chains;
    pieces += a.form.getPieces().size();
    // The form made explicit is disjoint pieces.
    std::optional<AccessMap> map = makeExplicit(a.form);
    if (map && seed % 10 == 0)
      EXPECT_NE(map->verify().verdict, AccessMap::Verdict::Invalid)
          << history << "\n"
          << map->verify().message;
  }
  EXPECT_GT(pieces, chains / 2);
}

/// Two forms of one meaning are equal, by structure or at least by proof; the
/// share of the former is what canonical forms are about.
struct Tally {
  unsigned same = 0, proved = 0, missed = 0;

  void add(const Both &a, const Both &b, const std::string &history) {
    ASSERT_EQ(a.plain.values, b.plain.values) << history;
    ASSERT_EQ(fingerprint(a.form), fingerprint(b.form)) << history;
    if (a.form == b.form) {
      ++same;
      ASSERT_EQ(a.form.hash(), b.form.hash());
      return;
    }
    Equivalence e = a.form.compare(b.form);
    ASSERT_NE(e.verdict, Equivalence::Verdict::Different)
        << history << "\n"
        << a.form.str() << "\n"
        << b.form.str();
    ++(e.verdict == Equivalence::Verdict::Equal ? proved : missed);
  }
};

/// Ways of doing nothing in several steps.
Both roundTrip(Random &random, const Both &a, std::string &history) {
  const unsigned rank = a.plain.shape.size();
  const int64_t size = count(a.plain.shape);
  if (rank == 0 || size == 0)
    return a;
  const unsigned axis = random.pick(0, rank - 1);
  const int64_t n = a.plain.shape[axis];
  switch (random.pick(0, 8)) {
  case 0: {
    Index perm = random.perm(rank), inverse(rank);
    for (unsigned i = 0; i < rank; ++i)
      inverse[perm[i]] = i;
    history += "; transposed there and back";
    return transpose(transpose(a, perm), inverse);
  }
  case 1:
    history += "; reshaped there and back";
    return reshape(reshape(a, random.factors(size)), a.plain.shape);
  case 2: {
    if (n < 2)
      return a;
    const int64_t k = random.pick(1, n - 1);
    history += "; cut at " + std::to_string(axis) + " " + std::to_string(k);
    return concat({cut(a, axis, 0, k), cut(a, axis, k, n - k)}, axis);
  }
  case 3: {
    Index low(rank, 0), high(rank, 0), none(rank, 0);
    for (unsigned i = 0; i < rank; ++i)
      low[i] = random.pick(0, 1), high[i] = random.pick(0, 1);
    history += "; padded and cut off";
    return slice(pad(a, low, high, none, 0), low, a.plain.shape,
                 Index(rank, 1));
  }
  case 4:
    history += "; reversed twice";
    return cut(cut(a, axis, n - 1, n, -1), axis, n - 1, n, -1);
  case 5:
    history += "; repeated and fixed";
    return fix(insertAxis(a, axis, 2), axis, random.pick(0, 1));
  case 6: {
    Index ones(rank, 1);
    history += "; windows of one";
    return reshape(windows(a, ones, ones, ones), a.plain.shape);
  }
  case 7: {
    std::vector<Both> rows;
    for (int64_t i = 0; i < n; ++i)
      rows.push_back(cut(a, axis, i, 1));
    history += "; each row of " + std::to_string(axis);
    return n > 5 ? a : concat(rows, axis);
  }
  default: {
    if (rank > 4)
      return a;
    Index shape(a.plain.shape.begin() + axis, a.plain.shape.end());
    history += "; a product's left side";
    return fix(cartProd(a, axis, source(shape, 9), 0), axis, 0);
  }
  }
}

TEST(AccessMovement, ChainsThatMeanTheSameHaveOneForm) {
  Tally tally;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Random random(seed + 50000);
    Both a = source(random.shape(random.pick(1, 3), 4), random.pick(0, 3));
    std::string history = "seed " + std::to_string(seed);
    for (int64_t n = random.pick(0, 3); n > 0; --n)
      a = step(random, a, history);
    if (a.form.isEmpty())
      continue;
    Both b = roundTrip(random, a, history);
    // The same steps after both.
    std::string other = history;
    for (int64_t n = random.pick(0, 2); n > 0; --n) {
      Random again = random;
      a = step(random, a, history);
      b = step(again, b, other);
    }
    ASSERT_NO_FATAL_FAILURE(tally.add(a, b, history));
  }
  RecordProperty("same", tally.same);
  llvm::outs() << "same " << tally.same << ", proved " << tally.proved
               << ", missed " << tally.missed << "\n";
  EXPECT_EQ(tally.missed, 0u);
  EXPECT_GE(tally.same, 98 * (tally.same + tally.proved) / 100);
}

//===----------------------------------------------------------------------===//
// Worked examples
//===----------------------------------------------------------------------===//

TEST(AccessMovement, PaddingIsTheBackground) {
  Both a = pad(source({3, 5}, 0), {1, 1}, {1, 1}, {0, 0}, 0);
  EXPECT_EQ(a.form.str(),
            "5x7: source 0 (d0, d1) -> (d0 - 1, d1 - 1), domain: d0 in [1, 3], "
            "d1 in [1, 5]; else constant 0");
  // Windows over it, as a convolution reads them.
  Both b = windows(a, {3, 3}, {1, 1}, {1, 1});
  EXPECT_EQ(b.form.str(),
            "3x5x3x3: source 0 (d0, d1, d2, d3) -> (d0 + d2 - 1, d1 + d3 - 1), "
            "domain: d0 in [0, 2], d1 in [0, 4], d2 in [0, 2], d3 in [0, 2], "
            "d0 + d2 in [1, 3], d1 + d3 in [1, 5]; else constant 0");
  // Without padding again.
  Both c = slice(a, {1, 1}, {3, 5}, {1, 1});
  EXPECT_EQ(c.form.asIdentity(), 0u);
  EXPECT_EQ(a.form.asIdentity(), std::nullopt);
}

TEST(AccessMovement, TwoConstantsHaveOneOrder) {
  // A frame of 0 inside a frame of 1, and the same the other way round.
  Both inner = pad(source({2}, 0), {1}, {1}, {0}, 0);
  Both a = pad(inner, {1}, {1}, {0}, 1);
  EXPECT_EQ(a.form.str(), "6: constant 1 (d0) -> (), domain: d0 in [0, 0]; "
                          "source 0 (d0) -> (d0 - 2), domain: d0 in [2, 3]; "
                          "constant 1 (d0) -> (), domain: d0 in [5, 5]; "
                          "else constant 0");
  // Cut off the outer frame: the inner one is all there is.
  EXPECT_EQ(cut(a, 0, 1, 4).form, inner.form);
  // Cut off what is between: 1 is the only constant.
  Both b = concat({cut(a, 0, 0, 1), cut(a, 0, 2, 2), cut(a, 0, 5, 1)}, 0);
  EXPECT_EQ(b.form, pad(source({2}, 0), {1}, {1}, {0}, 1).form);
  EXPECT_EQ(b.form.getBackground(), 1u);
}

TEST(AccessMovement, SlicesPutTogetherAreTheTensor) {
  Both x = source({4, 6}, 2);
  Both rows = concat({cut(x, 0, 0, 1), cut(x, 0, 1, 2), cut(x, 0, 3, 1)}, 0);
  EXPECT_EQ(rows.form.asIdentity(), 2u);
  // Quarters, in either order of axes.
  auto quarter = [&](int64_t r, int64_t c) {
    return cut(cut(x, 0, r, 2), 1, c, 3);
  };
  Both byRows = concat({concat({quarter(0, 0), quarter(0, 3)}, 1),
                        concat({quarter(2, 0), quarter(2, 3)}, 1)},
                       0);
  EXPECT_EQ(byRows.form.asIdentity(), 2u);
  // After flattening, by single rows.
  std::vector<Both> flat;
  for (int64_t r = 0; r < 4; ++r)
    flat.push_back(reshape(cut(x, 0, r, 1), {6}));
  EXPECT_EQ(concat(flat, 0).form, reshape(x, {24}).form);
  // Even and odd columns, interleaved.
  Both even = cut(x, 1, 0, 3, 2), odd = cut(x, 1, 1, 3, 2);
  Both woven = reshape(
      concat({insertAxis(even, 2, 1), insertAxis(odd, 2, 1)}, 2), {4, 6});
  EXPECT_EQ(woven.form.asIdentity(), 2u);
}

TEST(AccessMovement, AnLShapeIsCutInOneWay) {
  Both x = source({4, 5}, 0), y = source({2, 2}, 1);
  Both a = concat(
      {concat({cut(cut(x, 0, 0, 2), 1, 0, 3), y}, 1), cut(x, 0, 2, 2)}, 0);
  Both b = concat(
      {cut(x, 1, 0, 3), concat({y, cut(cut(x, 0, 2, 2), 1, 3, 2)}, 0)}, 1);
  ASSERT_EQ(a.plain.values, b.plain.values);
  EXPECT_EQ(a.form, b.form) << a.form.str() << "\n" << b.form.str();
}

TEST(AccessMovement, EmptyShapesHaveOneForm) {
  Both a = cut(source({3, 5}, 0), 1, 0, 0);
  EXPECT_EQ(a.form.str(), "3x0: no elements");
  EXPECT_EQ(a.form, CanonicalAccess::constant({3, 0}, 4));
  EXPECT_EQ(a.form, CanonicalAccess::identity({3, 0}, 4));
  // Padding of nothing is padding.
  Both b = pad(a, {0, 1}, {0, 1}, {0, 0}, 3);
  EXPECT_EQ(b.form.asConstant(), 3u);
}

TEST(AccessMovement, Comparison) {
  using Verdict = Equivalence::Verdict;
  Both x = source({3, 50, 70}, 0);
  Both a = pad(x, {0, 1, 1}, {0, 1, 1}, {0, 0, 0}, 0);
  Both b = pad(x, {0, 1, 1}, {0, 1, 1}, {0, 0, 0}, 1);
  Equivalence e = a.form.compare(b.form);
  EXPECT_EQ(e.verdict, Verdict::Different);
  EXPECT_EQ(e.witness, Point({0, 0, 0}));
  EXPECT_EQ(e.message, "the views differ at (0, 0, 0)");
  EXPECT_EQ(a.form.compare(x.form).message,
            "the shapes are 3x52x72 and 3x50x70");
  EXPECT_NE(fingerprint(a.form), fingerprint(b.form));
  // One row of many is another one: found by proof, not by sampling.
  Both c = concat({cut(x, 1, 0, 20), cut(x, 1, 21, 1), cut(x, 1, 21, 29)}, 1);
  e = c.form.compare(x.form);
  EXPECT_EQ(e.verdict, Verdict::Different) << e.message;
  ASSERT_EQ(e.witness.size(), 3u);
  EXPECT_EQ(e.witness[1], 20);
}

TEST(AccessMovement, BudgetsAreKept) {
  // Every other row of two sources: one piece each.
  AccessBudget budget;
  budget.maxPieces = 4;
  std::vector<CanonicalAccess> parts;
  for (unsigned i = 0; i < 6; ++i)
    parts.push_back(CanonicalAccess::identity({2, 3}, i));
  SmallVector<const CanonicalAccess *> pointers;
  for (const CanonicalAccess &part : parts)
    pointers.push_back(&part);
  EXPECT_FALSE(concatAccess(pointers, 0, budget));
  EXPECT_TRUE(concatAccess(ArrayRef(pointers).take_front(4), 0, budget));
}

TEST(AccessMovement, HugeShapesAreRefusedOrRight) {
  const int64_t huge = int64_t(1) << 40;
  CanonicalAccess a = CanonicalAccess::identity({huge, huge}, 0);
  // More elements than 64 bits count: nothing to renumber them by.
  EXPECT_FALSE(reshapeAccess(a, {huge / 2, huge * 2}));
  EXPECT_FALSE(padAccess(a, {INT64_MAX, 0}, {0, 0}, {0, 0}, 0));
  EXPECT_FALSE(padAccess(a, {0, 0}, {0, 0}, {INT64_MAX, 0}, 0));
  CanonicalAccess line = CanonicalAccess::identity({INT64_MAX}, 0);
  EXPECT_FALSE(concatAccess({&line, &line}, 0));
  // What needs no count is right: padding that is cut off leaves no background.
  std::optional<CanonicalAccess> padded =
      padAccess(a, {1, 1}, {1, 1}, {0, 0}, 0);
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->getBackground(), 0u);
  std::optional<CanonicalAccess> again =
      sliceAccess(*padded, {1, 1}, {huge, huge}, {1, 1});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->asIdentity(), 0u);
  EXPECT_EQ(padded->compare(*again).verdict, Equivalence::Verdict::Different);
  EXPECT_EQ(fingerprint(*padded),
            fingerprint(*padAccess(a, {1, 1}, {1, 1}, {0, 0}, 0)));
}

TEST(AccessMovement, RenumberingKeepsTheOrderOfConstants) {
  Both a = pad(pad(source({2}, 0), {1}, {1}, {0}, 0), {1}, {1}, {0}, 1);
  CanonicalAccess swapped = a.form.renumber([](unsigned) { return 5; },
                                            [](unsigned c) { return 1 - c; });
  Both b = pad(pad(source({2}, 5), {1}, {1}, {0}, 1), {1}, {1}, {0}, 0);
  EXPECT_EQ(swapped, b.form) << swapped.str() << "\n" << b.form.str();
}

} // namespace
