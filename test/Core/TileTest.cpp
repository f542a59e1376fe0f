//===- TileTest.cpp - Tiles against enumeration ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about a tile is the set of results at the points of the source tile
// that are in the domain. Every claimed tile must be that set; a refusal for a
// small domain must be right; a symbolic tile, instantiated, must agree within
// its bounds. Maps are drawn with a fixed seed from what ops make: reshapes,
// windows, slices, pads, reversals, runtime offsets, and any forms at all.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tile.h"
#include "ParseMap.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/ReshapeSteps.h"

#include <random>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::tensoraccess::test::parse;

namespace {

using Points = std::set<std::vector<int64_t>>;

/// What a tile of the dims reads, by plain loops.
Points readBy(const IndexingMap &map, ArrayRef<TileDim> dims,
              ArrayRef<int64_t> runtime) {
  Points points;
  SmallVector<TileDim, 8> walk(dims.begin(), dims.end());
  for (Interval range : map.getSymbolRanges())
    walk.push_back({range.lower, range.upper - range.lower + 1, 1});
  for (const TileDim &d : walk)
    if (d.size <= 0)
      return points;
  SmallVector<int64_t, 8> count(walk.size(), 0), point(walk.size());
  for (bool more = true; more;) {
    for (size_t i = 0; i != walk.size(); ++i)
      point[i] = walk[i].offset + walk[i].stride * count[i];
    ArrayRef<int64_t> values(point);
    if (auto result = map.evaluate(values.take_front(dims.size()),
                                   values.drop_front(dims.size()), runtime))
      points.insert(std::vector<int64_t>(result->begin(), result->end()));
    more = false;
    for (size_t k = walk.size(); k-- > 0;) {
      if (++count[k] != walk[k].size) {
        more = true;
        break;
      }
      count[k] = 0;
    }
  }
  return points;
}

Points elementsOf(const StridedTile &tile) {
  Points points;
  if (tile.isEmpty)
    return points;
  SmallVector<int64_t, 8> count(tile.dims.size(), 0);
  for (bool more = true; more;) {
    std::vector<int64_t> point;
    for (auto [k, d] : llvm::zip(count, tile.dims))
      point.push_back(d.offset + d.stride * k);
    if (tile.contains(point))
      points.insert(point);
    more = false;
    for (size_t k = tile.dims.size(); k-- > 0;) {
      if (++count[k] != tile.dims[k].size) {
        more = true;
        break;
      }
      count[k] = 0;
    }
  }
  return points;
}

/// Whether a set is a strided box.
bool isBox(const Points &points) {
  if (points.empty())
    return true;
  size_t combinations = 1;
  for (size_t r = 0; r != points.begin()->size(); ++r) {
    std::set<int64_t> indices;
    for (const auto &p : points)
      indices.insert(p[r]);
    combinations *= indices.size();
    if (indices.size() < 3)
      continue;
    int64_t step = *std::next(indices.begin()) - *indices.begin();
    for (auto it = std::next(indices.begin()); it != indices.end(); ++it)
      if (*it - *std::prev(it) != step)
        return false;
  }
  return combinations == points.size();
}

std::string str(ArrayRef<TileDim> dims) {
  std::string s;
  for (const TileDim &d : dims)
    s += std::to_string(d.offset) + "+" + std::to_string(d.size) + "*" +
         std::to_string(d.stride) + " ";
  return s;
}

struct Random {
  std::mt19937_64 engine{20240521};
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + int64_t(engine() % uint64_t(hi - lo + 1));
  }
};

/// How often the laws had something to say.
struct Tally {
  unsigned structural = 0, enumerated = 0, refused = 0, boxes = 0;
  unsigned symbolic = 0, instantiated = 0, noCondition = 0, overEdges = 0;
};

void checkTile(const IndexingMap &map, ArrayRef<TileDim> dims,
               ArrayRef<int64_t> runtime, Tally &tally) {
  Points truth = readBy(map, dims, runtime);
  TileFailure failure;
  std::optional<StridedTile> fast =
      getTile(map, dims, runtime, failure, /*budget=*/0);
  if (fast) {
    ++tally.structural;
    ASSERT_EQ(elementsOf(*fast), truth)
        << map.str() << "\n tile " << str(dims) << "\n got " << fast->str();
    ASSERT_TRUE(fast->isExact);
  }
  std::optional<StridedTile> tile =
      getTile(map, dims, runtime, failure, 1u << 20);
  ASSERT_EQ(tile.has_value(), fast.has_value() || isBox(truth))
      << map.str() << "\n tile " << str(dims) << "\n " << failure.message;
  tally.boxes += isBox(truth);
  if (!tile) {
    ++tally.refused;
    ASSERT_FALSE(failure.message.empty());
    std::optional<StridedTile> cover =
        getCoveringTile(map, dims, runtime, failure);
    if (cover) {
      ASSERT_FALSE(cover->isExact);
      for (const auto &p : truth)
        ASSERT_TRUE(cover->contains(p)) << map.str() << "\n" << cover->str();
    }
    return;
  }
  tally.enumerated += !fast;
  ASSERT_EQ(elementsOf(*tile), truth) << map.str() << "\n" << tile->str();
  for (const TileDim &d : tile->dims)
    ASSERT_TRUE(d.stride > 0 && (d.size > 1 || d.stride == 1));
}

void checkSymbolic(const IndexingMap &map, ArrayRef<int64_t> strides,
                   Random &random, Tally &tally, unsigned rounds = 12) {
  TileFailure failure;
  std::optional<SymbolicTile> symbolic = getSymbolicTile(map, strides, failure);
  if (!symbolic) {
    ASSERT_FALSE(failure.message.empty()) << map.str();
    return;
  }
  ++tally.symbolic;
  tally.noCondition += symbolic->getConditions().empty();
  ASSERT_FALSE(symbolic->str().empty() && map.getNumResults() != 0);
  for (unsigned round = 0; round != rounds; ++round) {
    SmallVector<int64_t, 4> offsets, sizes, runtime, values;
    SmallVector<TileDim, 4> dims;
    bool isInside = true;
    for (auto [range, stride] : llvm::zip(map.getDimRanges(), strides)) {
      int64_t o = random.pick(range.lower, range.upper);
      int64_t room =
          stride > 0 ? (range.upper - o) / stride : (o - range.lower) / -stride;
      int64_t most = (range.upper - range.lower) / std::abs(stride) + 1;
      int64_t t = random.pick(1, random.pick(0, 3) ? room + 1 : most);
      isInside &= t <= room + 1;
      offsets.push_back(o);
      sizes.push_back(t);
      dims.push_back({o, t, stride});
    }
    for (Interval range : map.getRuntimeRanges())
      runtime.push_back(random.pick(range.lower, range.upper));
    std::optional<StridedTile> tile;
    values.append(offsets.begin(), offsets.end());
    values.append(sizes.begin(), sizes.end());
    values.append(runtime.begin(), runtime.end());
    auto forms = symbolic->getForms().evaluateAt(values);
    ASSERT_TRUE(forms) << map.str();
    if (isInside) {
      tile = symbolic->instantiate(offsets, sizes, runtime);
      ASSERT_EQ(tile.has_value(), symbolic->holds(*forms));
    } else {
      ASSERT_FALSE(symbolic->instantiate(offsets, sizes, runtime));
      if (!symbolic->reachesOverEdges() || !symbolic->holds(*forms))
        continue;
      ++tally.overEdges;
      tile.emplace();
      tile->isEmpty = symbolic->readsNothing();
      auto evaluate = [&](const TileExpr &e) {
        for (const TileExpr::Case &c : e.cases)
          if ((*forms)[c.guard] > 1)
            return (*forms)[c.value];
        return (*forms)[e.otherwise];
      };
      for (unsigned r = 0; r != map.getNumResults(); ++r) {
        tile->dims.push_back({evaluate(symbolic->getOffset(r)),
                              evaluate(symbolic->getSize(r)),
                              evaluate(symbolic->getStride(r))});
        tile->isEmpty |= tile->dims.back().size <= 0;
      }
    }
    if (!tile)
      continue;
    ++tally.instantiated;
    Points box = elementsOf(*tile), bounded;
    for (const auto &p : box) {
      bool within = true;
      for (unsigned r = 0; r != p.size(); ++r) {
        if (auto lower = symbolic->getLower(r))
          within &= p[r] >= (*forms)[*lower];
        if (auto upper = symbolic->getUpper(r))
          within &= p[r] <= (*forms)[*upper];
      }
      if (within)
        bounded.insert(p);
    }
    ASSERT_EQ(bounded, readBy(map, dims, runtime))
        << map.str() << "\n tile " << str(dims) << "\n got " << tile->str()
        << "\n"
        << symbolic->str();
  }
}

void checkMap(const IndexingMap &map, Random &random, Tally &tally) {
  for (unsigned round = 0; round != 6; ++round) {
    SmallVector<TileDim, 4> dims;
    SmallVector<int64_t, 4> strides, runtime;
    for (Interval range : map.getDimRanges()) {
      int64_t extent = range.upper - range.lower + 1;
      int64_t stride = random.pick(0, 3) ? 1 : random.pick(-1, 3);
      dims.push_back({random.pick(range.lower - 2, range.upper),
                      random.pick(1, extent + 1), stride});
      strides.push_back(stride == 0 ? 1 : stride);
    }
    for (Interval range : map.getRuntimeRanges())
      runtime.push_back(random.pick(range.lower, range.upper));
    checkTile(map, dims, runtime, tally);
    if (::testing::Test::HasFatalFailure())
      return;
    if (round < 3)
      checkSymbolic(map, strides, random, tally);
    if (::testing::Test::HasFatalFailure())
      return;
  }
}

//===----------------------------------------------------------------------===//
// Random maps
//===----------------------------------------------------------------------===//

std::string randomForm(Random &random, ArrayRef<std::string> names, int depth) {
  std::string name = names[random.pick(0, names.size() - 1)];
  switch (depth == 0 ? random.pick(0, 1) : random.pick(0, 8)) {
  case 0:
    return name;
  case 1:
    return std::to_string(random.pick(-4, 6));
  case 2:
  case 3:
    return "(" + randomForm(random, names, depth - 1) + ") + (" +
           randomForm(random, names, depth - 1) + ")";
  case 4:
    return "(" + randomForm(random, names, depth - 1) + ") * " +
           std::to_string(random.pick(-3, 5));
  case 5:
    return "(" + randomForm(random, names, depth - 1) + ") floordiv " +
           std::to_string(random.pick(2, 6));
  case 6:
    return "(" + randomForm(random, names, depth - 1) + ") mod " +
           std::to_string(random.pick(2, 6));
  case 7:
    return "max(" + randomForm(random, names, depth - 1) + ", " +
           randomForm(random, names, depth - 1) + ")";
  default:
    return name;
  }
}

TEST(TileLaws, AnyMap) {
  Random random;
  Tally tally;
  for (unsigned i = 0; i != 3000; ++i) {
    const unsigned numDims = random.pick(1, 3), numSymbols = random.pick(0, 1);
    const unsigned numRuntime = random.pick(0, 3) == 0;
    SmallVector<std::string> names;
    std::string text = "(", domain;
    auto declare = [&](const char *prefix, unsigned count) {
      for (unsigned k = 0; k != count; ++k) {
        names.push_back(prefix + std::to_string(k));
        text += (k ? ", " : "") + names.back();
        int64_t lo = random.pick(0, 3) ? 0 : random.pick(-3, 3);
        domain += (domain.empty() ? "" : ", ") + names.back() + " in [" +
                  std::to_string(lo) + ", " +
                  std::to_string(lo + random.pick(0, 7)) + "]";
      }
    };
    declare("d", numDims);
    text += ")";
    if (numSymbols) {
      text += "[";
      declare("s", numSymbols);
      text += "]";
    }
    if (numRuntime) {
      text += "{";
      declare("rt", numRuntime);
      text += "}";
    }
    text += " -> (";
    for (unsigned r = 0, e = random.pick(0, 3); r != e; ++r)
      text += (r ? ", " : "") + randomForm(random, names, random.pick(0, 3));
    text += "), domain: " + domain;
    if (random.pick(0, 2) == 0) {
      int64_t lo = random.pick(-3, 5);
      text += ", " + randomForm(random, names, 2) + " in [" +
              std::to_string(lo) + ", " +
              std::to_string(lo + random.pick(0, 6)) + "]";
    }
    IndexingMap map = parse(text);
    if (map.isUnknown())
      continue;
    checkMap(map, random, tally);
    ASSERT_FALSE(HasFatalFailure()) << text;
  }
  EXPECT_GT(tally.structural, 5000u);
  EXPECT_GT(tally.instantiated, 5000u);
}

/// A random factorisation of a number into up to four sizes.
SmallVector<int64_t> factorize(Random &random, int64_t n) {
  SmallVector<int64_t> sizes;
  while (n > 1 && sizes.size() < 3) {
    SmallVector<int64_t> divisors;
    for (int64_t d = 1; d <= n; ++d)
      if (n % d == 0)
        divisors.push_back(d);
    int64_t d = divisors[random.pick(0, divisors.size() - 1)];
    sizes.push_back(d);
    n /= d;
  }
  sizes.push_back(n);
  return sizes;
}

TEST(TileLaws, Reshapes) {
  Random random;
  Tally tally;
  const int64_t counts[] = {12, 16, 24, 30, 36, 48, 60, 64, 72};
  for (unsigned i = 0; i != 500; ++i) {
    int64_t n = counts[random.pick(0, 8)];
    SmallVector<int64_t> from = factorize(random, n);
    SmallVector<int64_t> to = factorize(random, n);
    IndexingMap map = reshapeMap(from, to);
    ASSERT_FALSE(map.isUnknown());
    checkMap(map, random, tally);
    ASSERT_FALSE(HasFatalFailure()) << map.str();
    // Aligned tiles, which are what tiling makes.
    SmallVector<TileDim, 4> dims;
    for (int64_t size : from) {
      SmallVector<int64_t> divisors;
      for (int64_t d = 1; d <= size; ++d)
        if (size % d == 0)
          divisors.push_back(d);
      int64_t t = divisors[random.pick(0, divisors.size() - 1)];
      dims.push_back({t * random.pick(0, size / t - 1), t, 1});
    }
    checkTile(map, dims, {}, tally);
    ASSERT_FALSE(HasFatalFailure()) << map.str();
  }
  EXPECT_GT(tally.structural * 100, tally.boxes * 99);
  EXPECT_GT(tally.instantiated, 3000u);
}

/// The maps of ops in both directions, small.
const char *const kOpMaps[] = {
    "(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 3]",
    "(d0, d1) -> (5 - d0, d1 + 2), domain: d0 in [0, 5], d1 in [0, 3]",
    "(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 4], d1 in [0, 5], "
    "s0 in [0, 2]",
    "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 6], s0 in [0, 2]",
    "(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 6], s0 in [0, 2]",
    "(d0)[s0] -> (d0 + s0 * 2), domain: d0 in [0, 6], s0 in [0, 2]",
    "(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 6], s0 in [0, 2], "
    "d0 * 2 + s0 in [1, 12]",
    // a window's input to output
    "(d0)[s0] -> (s0), domain: d0 in [0, 14], s0 in [0, 6], "
    "d0 - s0 * 2 in [0, 2]",
    "(d0)[s0] -> (d0 - s0), domain: d0 in [0, 9], s0 in [0, 2], "
    "d0 - s0 in [0, 7]",
    "(d0)[s0] -> (s0), domain: d0 in [0, 14], s0 in [0, 4], "
    "d0 - s0 * 4 in [0, 1]",
    // a kernel under padding
    "(d0)[s0] -> (s0), domain: d0 in [0, 6], s0 in [0, 4], "
    "d0 + s0 in [2, 8]",
    // two windows, the first one padded on both sides
    "(d0)[s0, s1] -> (d0 + s0 + s1 - 2), domain: d0 in [0, 7], s0 in [0, 2], "
    "s1 in [0, 2], d0 + s0 in [1, 8], d0 + s0 + s1 in [2, 9]",
    "(d0)[s0, s1] -> (d0 * 2 + s0 * 2 + s1), domain: d0 in [0, 5], "
    "s0 in [0, 2], s1 in [0, 2], d0 + s0 in [1, 6]",
    // strided slices, interior padding
    "(d0, d1) -> (d0 - 5, (d1 - 3) floordiv 7), domain: d0 in [5, 9], "
    "d1 in [3, 17], (d1 - 3) mod 7 in [0, 0]",
    "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), domain: d0 in [1, 7], "
    "d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]",
    "(d0) -> (d0 * 3 + 1), domain: d0 in [0, 9]",
    "(d0) -> (d0 * 3 - 4), domain: d0 in [2, 9]",
    // groups
    "(d0, d1)[s0] -> (d0 + s0, d1 floordiv 4), domain: d0 in [0, 5], "
    "d1 in [0, 15], s0 in [0, 2]",
    "(d0)[s0] -> ((d0 floordiv 3) * 2 + s0), domain: d0 in [0, 11], "
    "s0 in [0, 1]",
    "(d0, d1)[s0] -> (s0 floordiv 5, d1), domain: d0 in [0, 1], d1 in [0, 1], "
    "s0 in [0, 9]",
    // runtime offsets
    "(d0, d1){rt0, rt1} -> (d0 + rt0, d1 * 2 - rt1), domain: d0 in [0, 5], "
    "d1 in [0, 4], rt0 in [0, 4], rt1 in [0, 3]",
    "(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 9], rt0 in [0, 4], "
    "d0 - rt0 in [0, 4]",
    // broadcasts and reductions
    "(d0, d1, d2) -> (d1), domain: d0 in [0, 2], d1 in [0, 3], d2 in [0, 4]",
    "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 3], s0 in [0, 4], "
    "s1 in [0, 2]",
    // a triangle, a diagonal, a clamp
    "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 5], "
    "d0 + d1 in [2, 7]",
    "(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [0, 5], "
    "d0 - s0 in [0, 5]",
    "(d0, d1) -> (d0, d0 + d1), domain: d0 in [0, 5], d1 in [0, 5]",
    "(d0) -> (max(d0 - 3, 0)), domain: d0 in [0, 8]",
    "(d0) -> (min(d0, 5), d0), domain: d0 in [0, 8]",
    "() -> ()",
    "() -> (3, 4)",
};

TEST(TileLaws, MapsOfOps) {
  Random random;
  Tally tally;
  for (const char *text : kOpMaps)
    for (unsigned i = 0; i != 40; ++i) {
      checkMap(parse(text), random, tally);
      ASSERT_FALSE(HasFatalFailure()) << text;
    }
  EXPECT_GT(tally.structural * 100, tally.boxes * 95);
  EXPECT_GT(tally.noCondition * 100, tally.symbolic * 70);
  EXPECT_GT(tally.overEdges, 1000u);
}

//===----------------------------------------------------------------------===//
// Worked examples
//===----------------------------------------------------------------------===//

std::string symbolicText(const char *text, ArrayRef<int64_t> strides = {}) {
  TileFailure failure;
  auto tile = getSymbolicTile(parse(text), strides, failure);
  return tile ? tile->str() : "failure: " + failure.message;
}

TEST(SymbolicTile, WorkedExamples) {
  // A window: XLA gives up.
  EXPECT_EQ(symbolicText("(d0, d1)[s0] -> (d0, d1 + s0), domain: "
                         "d0 in [0, 1023], d1 in [0, 2], s0 in [0, 511]"),
            "result 0: offset o0, size t0, stride 1, within [0, 1023]\n"
            "result 1: offset o1, size t1 + 511, stride 1, within [0, 513]\n");
  // Collapsed dims: a run of ones, full ones, one of any size, ones.
  EXPECT_EQ(symbolicText("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 7], "
                         "d1 in [0, 3]"),
            "result 0: offset o0 * 4 + o1, size t0 * t1, stride 1 if t1 > 1 "
            "else 4\n"
            "where t1 = 4 or t1 = 1 or t0 = 1\n");
  // Expanded dims: inside of one block, or whole blocks.
  EXPECT_EQ(symbolicText("(d0) -> (d0 floordiv 4, d0 mod 4), domain: "
                         "d0 in [0, 59]"),
            "result 0: offset o0 floordiv 4, size (t0 + 3) floordiv 4, "
            "stride 1\n"
            "result 1: offset o0 mod 4, size min(t0, 4), stride 1\n"
            "where t0 + o0 mod 4 <= 4 or (o0 mod 4 = 0 and t0 mod 4 = 0)\n");
  // A generic reshape, [5, 3] to [3, 5].
  EXPECT_EQ(
      symbolicText("(d0, d1) -> ((d0 * 3 + d1) floordiv 5, (d0 * 3 + d1) mod "
                   "5), domain: d0 in [0, 4], d1 in [0, 2]"),
      "result 0: offset (o0 * 3 + o1) floordiv 5, size (t0 * t1 + 4) floordiv "
      "5, stride 1\n"
      "result 1: offset (o0 * 3 + o1) mod 5, size min(t0 * t1, 5), stride 1\n"
      "where t1 = 3 or t0 = 1\n"
      "where t0 * t1 + (o0 * 3 + o1) mod 5 <= 5 or "
      "((o0 * 3 + o1) mod 5 = 0 and (t0 * t1) mod 5 = 0)\n");
  // The input of a strided slice: only every other index is in it.
  EXPECT_EQ(symbolicText("(d0) -> ((d0 - 1) floordiv 2), domain: "
                         "d0 in [1, 7], (d0 - 1) mod 2 in [0, 0]"),
            "result 0: offset o0 floordiv 2, size (t0 + o0 mod 2) floordiv 2, "
            "stride 1\n");
  // Right padding: a constraint on a result is its bound.
  EXPECT_EQ(symbolicText("(d0, d1)[s0] -> (d0 * 2048 + d1, s0), domain: "
                         "d0 in [0, 3], d1 in [0, 2047], s0 in [0, 50303], "
                         "d0 * 2048 + d1 in [0, 4096]"),
            "result 0: offset o0 * 2048 + o1, size t0 * t1, stride 1 if t1 > 1 "
            "else 2048, within [0, 4096]\n"
            "result 1: offset 0, size 50304, stride 1\n"
            "where t1 = 2048 or t1 = 1 or t0 = 1\n");
  // A runtime offset, and a source tile of stride 3.
  EXPECT_EQ(symbolicText("(d0){rt0} -> (d0 * 2 + rt0), domain: d0 in [0, 9], "
                         "rt0 in [0, 4]",
                         {3}),
            "result 0: offset o0 * 2 + rt0, size t0, stride 6, within "
            "[rt0, rt0 + 18]\n");
}

TEST(SymbolicTile, SizeIsPolynomialInRank) {
  // Ten collapsed dims of 3.
  std::string dims, form, domain;
  int64_t weight = 19683;
  for (unsigned d = 0; d != 10; ++d, weight /= 3) {
    std::string name = "d" + std::to_string(d);
    dims += (d ? ", " : "") + name;
    form += (d ? " + " : "") + name + " * " + std::to_string(weight);
    domain += (d ? ", " : "") + name + " in [0, 2]";
  }
  std::string text = symbolicText(
      ("(" + dims + ") -> (" + form + "), domain: " + domain).c_str());
  EXPECT_LT(text.size(), 700u) << text;
  EXPECT_NE(text.find("where run(19683 x t0, 6561 x t1, 2187 x t2, 729 x t3, "
                      "243 x t4, 81 x t5, 27 x t6, 9 x t7, 3 x t8, 1 x t9)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("size t0 * t1 * t2"), std::string::npos) << text;
}

TEST(SymbolicTile, Failures) {
  EXPECT_EQ(symbolicText("(d0)[s0] -> (d0 + s0, s0), domain: d0 in [0, 4], "
                         "s0 in [0, 2]"),
            "failure: result 1, s0: moves with result 0, both by s0");
  EXPECT_EQ(symbolicText("(d0, d1) -> (d0, d1 * d0), domain: d0 in [0, 4], "
                         "d1 in [0, 2]"),
            "failure: result 1, d0 * d1: multiplies two variables");
  EXPECT_EQ(symbolicText("(d0){rt0} -> (d0 * rt0), domain: d0 in [0, 4], "
                         "rt0 in [0, 2]"),
            "failure: result 0, d0 * rt0: its stride is not constant");
  EXPECT_EQ(symbolicText("(d0)[s0] -> (s0), domain: d0 in [0, 4], "
                         "s0 in [0, inf]"),
            "failure: s0: the symbol has no bounds");
  EXPECT_EQ(symbolicText("(d0)[s0, s1] -> (s0 * 3 + s1 * 5), domain: "
                         "d0 in [0, 4], s0 in [0, 2], s1 in [0, 2]"),
            "failure: result 0, s0 * 3 + s1 * 5: the indices have no constant "
            "stride");
  EXPECT_EQ(symbolicText("unknown"),
            "failure: the map is unknown: no reason given");
  EXPECT_EQ(symbolicText("(d0) -> (d0), domain: d0 in [0, 4]", {0}),
            "failure: stride 0 must not be 0, got 0");
  EXPECT_EQ(symbolicText("(d0) -> (d0), domain: d0 in [0, 4]", {1, 1}),
            "failure: the map has 1 dims, got 2 strides");
}

std::string tileText(const char *text, ArrayRef<TileDim> dims,
                     ArrayRef<int64_t> runtime = {}) {
  TileFailure failure;
  auto tile = getTile(parse(text), dims, runtime, failure);
  return tile ? tile->str() : "failure: " + failure.message;
}

TEST(Tile, WorkedExamples) {
  const char *pad = "(d0) -> (d0 - 2), domain: d0 in [2, 9]";
  EXPECT_EQ(tileText(pad, {{0, 4, 1}}), "[0:2]");
  EXPECT_EQ(tileText(pad, {{4, 4, 1}}), "[2:6]");
  EXPECT_EQ(tileText(pad, {{0, 2, 1}}), "[0:0], empty");
  EXPECT_EQ(tileText(pad, {{9, 3, -3}}), "[1:8:3]");
  EXPECT_EQ(tileText(pad, {{4, 4, 0}}), "[2:3]");
  const char *split = "(d0) -> (d0 floordiv 4, d0 mod 4), domain: "
                      "d0 in [0, 11]";
  EXPECT_EQ(tileText(split, {{4, 8, 1}}), "[1:3, 0:4]");
  EXPECT_EQ(tileText(split, {{0, 6, 2}}), "[0:3, 0:3:2]");
  EXPECT_EQ(
      tileText(split, {{0, 5, 1}}),
      "failure: the results are not a box: of 8 combinations of indices 5 "
      "are read");
  EXPECT_EQ(tileText("(d0)[s0] -> (s0 * 3 + d0), domain: d0 in [0, 3], "
                     "s0 in [0, 1]",
                     {{0, 2, 1}}),
            "failure: result 0, d0 + s0 * 3: the indices read have no constant "
            "stride: 3 follows 1");
  // A triangle is a box with a mask.
  const char *triangle = "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], "
                         "d1 in [0, 5], d0 + d1 in [0, 5]";
  EXPECT_EQ(tileText(triangle, {{2, 3, 1}, {0, 3, 1}}), "[2:5, 0:3], masked");
  // The mask leaves nothing: 3*d0 + 5*d1 is never 1, 2, 4 or 7.
  EXPECT_EQ(tileText("(d0, d1) -> (d0, d1), domain: d0 in [0, 9], "
                     "d1 in [0, 9], d0 * 3 + d1 * 5 in [7, 7]",
                     {{0, 9, 1}, {0, 9, 1}}),
            "[0:0, 0:0], empty");
  // The last index is the last there is.
  EXPECT_EQ(tileText("(d0) -> (d0)", {{9223372036854775806, 2, 1}}),
            "[9223372036854775806:9223372036854775808]");
  TileFailure failure;
  auto tile = getTile(parse(triangle), {{2, 3, 1}, {0, 3, 1}}, {}, failure);
  ASSERT_TRUE(tile && tile->mask);
  EXPECT_TRUE(tile->contains({3, 2}));
  EXPECT_FALSE(tile->contains({4, 2}));
  EXPECT_EQ(tileText("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                     "rt0 in [0, 4]",
                     {{1, 2, 3}}, {4}),
            "[5:9:3]");
}

TEST(Tile, Failures) {
  const char *map = "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                    "rt0 in [0, 4]";
  EXPECT_EQ(tileText(map, {{0, 0, 1}}, {0}),
            "failure: size 0 must be positive, got 0");
  EXPECT_EQ(tileText(map, {}, {0}),
            "failure: the map has 1 dims, got a tile of 0");
  EXPECT_EQ(tileText(map, {{0, 1, 1}}),
            "failure: the map has 1 runtime variables, got values for 0");
  EXPECT_EQ(tileText(map, {{0, 1, 1}}, {5}),
            "failure: runtime variable rt0 is out of its range, got 5");
  EXPECT_EQ(tileText(map, {{0, INT64_MAX, 2}}, {0}),
            "failure: dim 0 overflows 64-bit arithmetic");
  EXPECT_EQ(tileText("unknown", {}),
            "failure: the map is unknown: no reason given");
  EXPECT_EQ(tileText("empty (d0) -> (d0), domain: d0 in [0, 9]", {{0, 2, 1}}),
            "[0:0], empty");
}

TEST(Tile, LargeTilesNeedNoEnumeration) {
  EXPECT_EQ(tileText("(d0, d1) -> (d0 * 1048576 + d1), domain: "
                     "d0 in [0, 1048575], d1 in [0, 1048575]",
                     {{1024, 65536, 1}, {0, 1048576, 1}}),
            "[1073741824:69793218560]");
}

TEST(ReshapeSteps, Conventions) {
  auto text = [](ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
    std::string s;
    auto steps = getReshapeSteps(from, to);
    if (!steps)
      return std::string("none");
    for (const ReshapeStep &step : *steps)
      s += (s.empty() ? "" : " ") + describe(step.kind).str() + " " +
           std::to_string(step.inputCount) + ":" +
           std::to_string(step.outputCount);
    return s;
  };
  EXPECT_EQ(text({10, 20}, {10, 20}), "Identity 1:1 Identity 1:1");
  EXPECT_EQ(text({10}, {1, 10, 1}), "IncreaseRank 1:3");
  EXPECT_EQ(text({1, 10, 1}, {10}), "DecreaseRank 3:1");
  EXPECT_EQ(text({10, 1, 10, 1}, {10, 10}), "Identity 1:1 DecreaseRank 3:1");
  EXPECT_EQ(text({2, 5, 7}, {7, 5, 2}), "Reshape 3:3");
  EXPECT_EQ(text({2, 4, 8}, {8, 4, 2}), "CollapseShape 2:1 ExpandShape 1:2");
  EXPECT_EQ(text({3, 5, 1, 7}, {15, 7}), "CollapseShape 2:1 DecreaseRank 2:1");
  EXPECT_EQ(text({}, {1, 1}), "IncreaseRank 0:2");
  EXPECT_EQ(text({1, 1}, {}), "DecreaseRank 2:0");
  EXPECT_EQ(text({}, {}), "");
  EXPECT_EQ(text({1, 10}, {1, 10}), "Identity 1:1 Identity 1:1");
  EXPECT_EQ(text({1, 12}, {3, 4}), "ExpandShape 2:2");
  EXPECT_EQ(text({0, 3}, {0, 5}), "Reshape 2:2");
  EXPECT_EQ(text({0, 3}, {0, 3}), "Identity 1:1 Identity 1:1");
  // No identity: a unit goes and another one comes.
  EXPECT_EQ(text({2, 1}, {1, 2}), "IncreaseRank 1:2 DecreaseRank 1:0");
  EXPECT_EQ(text({1, 2}, {2, 1}), "DecreaseRank 2:1 IncreaseRank 0:1");
  EXPECT_EQ(text({3, 2, 1, 1}, {3, 1, 1, 2}),
            "Identity 1:1 IncreaseRank 1:3 DecreaseRank 2:0");
  EXPECT_EQ(text({2, 1, 3}, {1, 2, 3}), "IncreaseRank 1:2 DecreaseRank 2:1");
  EXPECT_EQ(text({2, 3}, {7}), "none");
  EXPECT_EQ(text({-1, 3}, {3}), "none");
}

} // namespace
