//===- ChainsTest.cpp - Chains of movements and their inverses ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random chain of reshapes, transposes, reverses and strided slices, and then
// the chain that undoes it: simplified at every step, from the left and from
// the right, it should be the identity. A slice is undone by the map from its
// result to its input and back, so chains that begin in the sliced tensor stay
// inside.
//
// What is left: a result that depends on more points than are looked at. Such
// chains are right, but not the identity by sight; the tests bound their share.
//
//===----------------------------------------------------------------------===//

#include "RandomMaps.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

using Shape = SmallVector<int64_t>;

/// A movement and the one that undoes it.
struct Movement {
  IndexingMap there, back;
};

IndexingMap
build(ArrayRef<int64_t> shape,
      llvm::function_ref<void(IndexingMapBuilder &, ArrayRef<Form>)> results) {
  IndexingMapBuilder builder;
  SmallVector<Form> dims;
  for (int64_t extent : shape)
    dims.push_back(builder.addDim(Interval::ofExtent(extent)));
  results(builder, dims);
  return builder.build();
}

/// Splits and joins the prime factors of `shape` anew.
Shape drawShape(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> factors;
  for (int64_t extent : shape)
    for (int64_t p = 2; extent > 1; ++p)
      for (; extent % p == 0; extent /= p)
        factors.push_back(p);
  for (size_t i = factors.size(); i > 1; --i)
    std::swap(factors[i - 1], factors[pick(0, i - 1)]);
  Shape out;
  for (int64_t factor : factors) {
    if (out.empty() || (out.size() < 6 && pick(0, 1)))
      out.push_back(factor);
    else
      out.back() *= factor;
  }
  if (pick(0, 7) == 0 || out.empty())
    out.insert(out.begin() + pick(0, out.size()), 1);
  return out;
}

/// Draws a movement from `shape`, which becomes the shape it leads to.
Movement drawMovement(Shape &shape, bool slices) {
  const Shape from = shape;
  const unsigned n = from.size();
  switch (pick(0, slices ? 6 : 4)) {
  case 0:
  case 1:
  case 2:
    shape = drawShape(from);
    return {reshapeMap(from, shape), reshapeMap(shape, from)};
  case 3: {
    SmallVector<unsigned> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (unsigned i = n; i > 1; --i)
      std::swap(order[i - 1], order[pick(0, i - 1)]);
    for (unsigned i = 0; i != n; ++i)
      shape[i] = from[order[i]];
    return {build(from,
                  [&](IndexingMapBuilder &b, ArrayRef<Form> dims) {
                    for (unsigned i : order)
                      b.addResult(dims[i]);
                  }),
            build(shape, [&](IndexingMapBuilder &b, ArrayRef<Form> dims) {
              for (unsigned i = 0; i != n; ++i)
                b.addResult(dims[llvm::find(order, i) - order.begin()]);
            })};
  }
  case 4: {
    const int mask = pick(0, (1 << n) - 1);
    IndexingMap reverse = build(from, [&](IndexingMapBuilder &b,
                                          ArrayRef<Form> dims) {
      for (unsigned i = 0; i != n; ++i)
        b.addResult(mask >> i & 1 ? b.arena().sub(Form(from[i] - 1), dims[i])
                                  : dims[i]);
    });
    return {reverse, reverse};
  }
  default: {
    // Into a greater tensor, at offset + stride*d, and back.
    SmallVector<int64_t> offsets, strides;
    for (unsigned i = 0; i != n; ++i) {
      offsets.push_back(pick(0, 1) ? 0 : pick(0, 3));
      strides.push_back(pick(0, 1) ? 1 : pick(2, 4));
      shape[i] = offsets[i] + strides[i] * (from[i] - 1) + 1 + pick(0, 2);
    }
    IndexingMap there = build(from, [&](IndexingMapBuilder &b,
                                        ArrayRef<Form> dims) {
      for (unsigned i = 0; i != n; ++i)
        b.addResult(b.arena().addScaled(Form(offsets[i]), dims[i], strides[i]));
    });
    IndexingMap back = build(shape, [&](IndexingMapBuilder &b,
                                        ArrayRef<Form> dims) {
      for (unsigned i = 0; i != n; ++i) {
        Form moved = b.arena().sub(dims[i], Form(offsets[i]));
        Form index = b.arena().floorDiv(moved, strides[i]);
        b.addConstraint(b.arena().mod(moved, strides[i]), Interval::point(0));
        b.addConstraint(index, Interval::ofExtent(from[i]));
        b.addResult(index);
      }
    });
    return {there, back};
  }
  }
}

/// A chain of `depth` movements and its inverse.
std::vector<IndexingMap> drawRoundTrip(unsigned depth, bool slices) {
  Shape shape;
  for (int i = pick(1, 4); i > 0; --i)
    shape.push_back(pick(0, 4) ? pick(2, 12) : pick(1, 30));
  std::vector<IndexingMap> chain;
  std::vector<IndexingMap> back;
  int64_t size = *checkedProduct(shape);
  for (unsigned i = 0; i != depth; ++i) {
    Movement m = drawMovement(shape, slices && size < 100000);
    size = *checkedProduct(shape);
    chain.push_back(m.there);
    back.push_back(m.back);
  }
  chain.insert(chain.end(), back.rbegin(), back.rend());
  return chain;
}

IndexingMap fromTheLeft(ArrayRef<IndexingMap> chain) {
  IndexingMap map = chain.front().simplify();
  for (const IndexingMap &next : chain.drop_front())
    map = map.then(next).simplify();
  return map;
}

IndexingMap fromTheRight(ArrayRef<IndexingMap> chain) {
  IndexingMap map = chain.back().simplify();
  for (const IndexingMap &before : llvm::reverse(chain.drop_back()))
    map = before.then(map).simplify();
  return map;
}

std::string describeChain(ArrayRef<IndexingMap> chain) {
  std::string s;
  for (const IndexingMap &map : chain)
    s += map.str() + "\n";
  return s;
}

/// Draws this many chains; at most `percent` of them may miss the identity.
constexpr unsigned kMaxChains = 120;

void checkRoundTrips(unsigned maxDepth, bool slices, unsigned percent) {
  unsigned failures = 0, total = 0;
  std::string shortest;
  rc::check("round trips", [&] {
    if (total == kMaxChains)
      return;
    ++total;
    std::vector<IndexingMap> chain = drawRoundTrip(pick(1, maxDepth), slices);
    IndexingMap left = fromTheLeft(chain), right = fromTheRight(chain);
    if (left.isIdentity() && right.isIdentity())
      return;
    ++failures;
    std::string text = describeChain(chain) + "from the left\n" + left.str() +
                       "\nfrom the right\n" + right.str();
    if (shortest.empty() || text.size() < shortest.size())
      shortest = std::move(text);
  });
  EXPECT_GT(total, 0u);
  EXPECT_LE(failures * 100, total * percent)
      << failures << " of " << total << ", for example\n"
      << shortest;
}

TEST(Chains, ReshapesTransposesAndReversesCancelStepByStep) {
  checkRoundTrips(8, /*slices=*/false, /*percent=*/3);
}

TEST(Chains, StridedSlicesCancelStepByStep) {
  checkRoundTrips(8, /*slices=*/true, /*percent=*/3);
}

/// Random movements whose digits never line up: each step adds to the map. It
/// stays of bounded size or becomes unknown, and then stays so.
TEST(Chains, WithoutRoundTripsStayBounded) {
  EXPECT_TRUE(rc::check("bounded", [] {
    static unsigned total = 0;
    if (++total > 12)
      return;
    Shape shape = {4, 6, 10};
    std::vector<IndexingMap> chain;
    for (unsigned i = 0; i != 60; ++i)
      chain.push_back(drawMovement(shape, /*slices=*/false).there);
    IndexingMap left = chain.front(), right = chain.back();
    for (unsigned i = 1; i != chain.size(); ++i) {
      const bool isKnown = left.isOrdinary();
      left = left.then(chain[i]).simplify();
      right = chain[chain.size() - 1 - i].then(right).simplify();
      if (left.isUnknown() &&
          left.getUnknownReason() != UnknownReason::TooLarge)
        RC_FAIL("unknown for another reason: " + describeChain(chain));
      RC_ASSERT(isKnown || left.isUnknown());
      if (i > 30)
        continue;
      // Right as long as it is known.
      for (unsigned j = 0; j != 20 && left.isOrdinary(); ++j) {
        Shape point;
        for (const Interval &range : chain.front().getDimRanges())
          point.push_back(pick(range.lower, range.upper));
        std::optional<SmallVector<int64_t>> value = point;
        for (const IndexingMap &map : ArrayRef(chain).take_front(i + 1))
          value = map.evaluate(*value);
        RC_ASSERT(left.evaluate(point) == value);
      }
    }
    for (const IndexingMap &map : {left, right})
      RC_ASSERT(map.str().size() < 100000);
  }));
}

/// Powers of two have digits in common whatever the reshapes are: the map is a
/// sum of bits, and short.
TEST(Chains, OfPowersOfTwoStayShort) {
  EXPECT_TRUE(rc::check("bits", [] {
    static unsigned total = 0;
    if (++total > 20)
      return;
    Shape shape = {8, 16, 4};
    IndexingMap right;
    for (unsigned i = 0; i != 40; ++i) {
      IndexingMap back = drawMovement(shape, /*slices=*/false).back;
      right = i == 0 ? back : back.then(right).simplify();
    }
    RC_ASSERT(right.isOrdinary());
    if (right.getSize().divisions > 24)
      RC_FAIL(right.str());
  }));
}

TEST(Chains, MeaningIsThatOfTheParts) {
  EXPECT_TRUE(rc::check("parts", [&] {
    std::vector<IndexingMap> chain = drawRoundTrip(pick(1, 5), true);
    chain.resize(pick(1, chain.size()));
    IndexingMap left = fromTheLeft(chain), right = fromTheRight(chain);
    for (unsigned i = 0; i != 60; ++i) {
      SmallVector<int64_t> point;
      for (const Interval &range : chain.front().getDimRanges())
        point.push_back(pick(range.lower, range.upper));
      std::optional<SmallVector<int64_t>> value = point;
      for (const IndexingMap &map : chain)
        value = value ? map.evaluate(*value) : std::nullopt;
      if (left.evaluate(point) != value || right.evaluate(point) != value)
        RC_FAIL(describeChain(chain) + left.str() + "\n" + right.str());
    }
    if (left.simplify() != left || right.simplify() != right)
      RC_FAIL("not idempotent: " + left.str() + "\n" + right.str());
  }));
}

} // namespace
