//===- TileBoxTest.cpp - Tiles op by op against enumeration ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth about a chain of maps is the image, by plain loops, of the image.
// A box must contain it, for every source tile; a box that says it is exact
// must be it. Chains are drawn with a fixed seed from what ops make, in both
// directions: reshapes, pads, windows, strided slices, transposes, reversals,
// concatenations.
//
//===----------------------------------------------------------------------===//

#include "ParseMap.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Tile.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::tensoraccess::test::parse;

namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

/// `[max(o0 - 2, 0) .. min(e0 + 2, 7)]`.
std::string toText(const TileBox &box) {
  IndexingMapBuilder builder;
  SmallVector<Form, 8> images;
  const FormArena &arena = box.getArena();
  for (unsigned v = 0; v != arena.getNumVariables(); ++v)
    images.push_back(builder.addDim(arena.getAtom(v).range,
                                    "oe"[v % 2] + std::to_string(v / 2)));
  Substitution move(builder.arena(), arena, images);
  std::vector<std::pair<unsigned, unsigned>> counts;
  for (const TileBox::Dim &dim : box.getDims()) {
    for (const Form &f : dim.lower)
      builder.addResult(move(f));
    for (const Form &f : dim.upper)
      builder.addResult(move(f));
    counts.push_back({dim.lower.size(), dim.upper.size()});
  }
  IndexingMap map = builder.build();
  std::string s = "[";
  unsigned next = 0;
  auto list = [&](unsigned count, const char *what, const char *none) {
    std::string text;
    for (unsigned i = 0; i != count; ++i)
      text += (i ? ", " : "") + map.formText(map.getResult(next++));
    return count == 0 ? none : count == 1 ? text : what + ("(" + text) + ")";
  };
  for (auto [i, dim] : llvm::enumerate(box.getDims())) {
    s += i ? ", " : "";
    s += list(counts[i].first, "max", "-inf");
    s += " .. " + list(counts[i].second, "min", "inf");
    if (dim.stride != 1)
      s += " by " + std::to_string(dim.stride);
  }
  return s + (box.isExact() ? "]" : "], hull");
}

/// All points within extents, in order.
template <typename VisitT>
void forEach(ArrayRef<Interval> ranges, VisitT visit) {
  Point point;
  for (Interval range : ranges) {
    if (range.isEmpty())
      return;
    point.push_back(range.lower);
  }
  for (bool more = true; more;) {
    visit(point);
    more = false;
    for (size_t k = ranges.size(); k-- > 0;) {
      if (++point[k] <= ranges[k].upper) {
        more = true;
        break;
      }
      point[k] = ranges[k].lower;
    }
  }
}

Points image(const IndexingMap &map, const Points &from) {
  Points points;
  SmallVector<Interval, 4> others(map.getSymbolRanges());
  others.append(map.getRuntimeRanges().begin(), map.getRuntimeRanges().end());
  for (const Point &p : from)
    forEach(others, [&](const Point &symbols) {
      ArrayRef<int64_t> values(symbols);
      const unsigned n = map.getNumSymbols();
      if (auto result =
              map.evaluate(p, values.take_front(n), values.drop_front(n)))
        points.insert(Point(result->begin(), result->end()));
    });
  return points;
}

Points elementsOf(const StridedTile &tile) {
  Points points;
  if (tile.isEmpty)
    return points;
  SmallVector<Interval, 4> counts;
  for (const TileDim &d : tile.dims)
    counts.push_back({0, d.size - 1});
  forEach(counts, [&](Point k) {
    for (size_t i = 0; i != k.size(); ++i)
      k[i] = tile.dims[i].offset + tile.dims[i].stride * k[i];
    points.insert(k);
  });
  return points;
}

struct Random {
  std::mt19937_64 engine;
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + int64_t(engine() % uint64_t(hi - lo + 1));
  }
};

int64_t product(ArrayRef<int64_t> shape) {
  int64_t n = 1;
  for (int64_t x : shape)
    n *= x;
  return n;
}

/// The map of a random op from a shape to another, output to input: its dims
/// are those of `shape`; `shape` becomes that of the operand.
IndexingMap drawMap(Random &random, std::vector<int64_t> &shape) {
  IndexingMapBuilder b;
  FormArena &arena = b.arena();
  std::vector<Form> dims;
  for (int64_t extent : shape)
    dims.push_back(b.addDim(Interval::ofExtent(extent)));
  const size_t rank = shape.size();
  auto finish = [&](ArrayRef<Form> results, std::vector<int64_t> to) {
    for (const Form &f : results)
      b.addResult(f);
    shape = std::move(to);
    return b.build();
  };
  std::vector<int64_t> to = shape;
  std::vector<Form> results = dims;
  const size_t d = rank ? random.pick(0, rank - 1) : 0;
  switch (rank ? random.pick(0, 7) : 7) {
  case 0: { // pad: reads inside only
    const int64_t low = random.pick(0, 2), high = random.pick(0, 2);
    to[d] = shape[d] - low - high;
    if (to[d] < 1)
      break;
    results[d] = arena.sub(dims[d], Form(low));
    b.addConstraint(results[d], Interval::ofExtent(to[d]));
    return finish(results, to);
  }
  case 1: { // window, perhaps padded
    const int64_t size = random.pick(1, 3), stride = random.pick(1, 3);
    const int64_t dilation = random.pick(1, 2), low = random.pick(0, 1);
    Form s = b.addSymbol({0, size - 1});
    to[d] = (shape[d] - 1) * stride + (size - 1) * dilation + 1 - low;
    if (to[d] < 1 || to[d] > 40)
      break;
    results[d] = arena.addScaled(
        arena.add(arena.scale(dims[d], stride), Form(-low)), s, dilation);
    b.addConstraint(results[d], Interval::ofExtent(to[d]));
    return finish(results, to);
  }
  case 2: { // strided slice
    const int64_t stride = random.pick(1, 3), offset = random.pick(0, 2);
    to[d] = offset + (shape[d] - 1) * stride + 1 + random.pick(0, 2);
    if (to[d] > 40)
      break;
    results[d] = arena.add(arena.scale(dims[d], stride), Form(offset));
    return finish(results, to);
  }
  case 3: // reverse
    results[d] = arena.sub(Form(shape[d] - 1), dims[d]);
    return finish(results, to);
  case 4: { // transpose
    const size_t e = random.pick(0, rank - 1);
    std::swap(results[d], results[e]);
    std::swap(to[d], to[e]);
    return finish(results, to);
  }
  case 5: { // one operand of a concatenation
    if (shape[d] < 2)
      break;
    const int64_t cut = random.pick(1, shape[d] - 1);
    const bool isFirst = random.pick(0, 1);
    to[d] = isFirst ? cut : shape[d] - cut;
    results[d] = arena.sub(dims[d], Form(isFirst ? 0 : cut));
    b.addConstraint(results[d], Interval::ofExtent(to[d]));
    return finish(results, to);
  }
  case 6: { // a new dimension is read as a whole
    if (rank > 2)
      break;
    const int64_t extent = random.pick(1, 3);
    Form s = b.addSymbol({0, extent - 1});
    results.insert(results.begin() + d, s);
    to.insert(to.begin() + d, extent);
    return finish(results, to);
  }
  default:
    break;
  }
  // reshape
  int64_t rest = product(shape);
  to.clear();
  while (rest > 1 && to.size() < 3) {
    std::vector<int64_t> divisors;
    for (int64_t x = 2; x <= rest; ++x)
      if (rest % x == 0)
        divisors.push_back(x);
    to.push_back(
        to.size() == 2 ? rest : divisors[random.pick(0, divisors.size() - 1)]);
    rest /= to.back();
  }
  if (to.empty())
    to.push_back(1);
  Form linear;
  for (size_t i = 0; i != rank; ++i)
    linear = arena.add(arena.scale(linear, shape[i]), dims[i]);
  results.assign(to.size(), Form());
  for (size_t i = to.size(); i-- > 0;) {
    results[i] = i ? arena.mod(linear, to[i]) : linear;
    linear = arena.floorDiv(linear, to[i]);
  }
  return finish(results, to);
}

struct Tally {
  unsigned boxes = 0, exact = 0, sharp = 0, tiles = 0;
};

/// `maps` one after the other, from every kind of source tile.
void checkChain(Random &random, ArrayRef<IndexingMap> maps, Tally &tally) {
  ArrayRef<Interval> ranges = maps.front().getDimRanges();
  SmallVector<int64_t, 4> strides;
  for (size_t i = 0; i != ranges.size(); ++i) {
    int64_t stride = random.pick(0, 3) ? 1 : random.pick(-2, 3);
    strides.push_back(stride == 0 ? 1 : stride);
  }
  SmallVector<TileBox, 4> boxes = {TileBox::ofParameters(ranges, strides)};
  TileFailure failure;
  std::string text;
  for (const IndexingMap &map : maps) {
    std::optional<TileBox> next = boxes.back().through(map, failure);
    ASSERT_TRUE(next) << map.str() << "\n" << failure.message;
    text += map.str() + "\n  " + toText(*next) + "\n";
    boxes.push_back(*next);
    ASSERT_EQ(next->isExact(), next->getReason().empty());
    ASSERT_TRUE(next->covers(*next)) << text;
  }
  for (int trial = 0; trial != 3; ++trial) {
    SmallVector<int64_t, 4> offsets, sizes;
    for (auto [range, stride] : llvm::zip(ranges, strides)) {
      const int64_t step = stride < 0 ? -stride : stride;
      const int64_t size =
          random.pick(1, (range.upper - range.lower) / step + 1);
      const int64_t low =
          random.pick(range.lower, range.upper - (size - 1) * step);
      offsets.push_back(stride < 0 ? low + (size - 1) * step : low);
      sizes.push_back(size);
    }
    std::optional<StridedTile> start = boxes.front().at(offsets, sizes);
    ASSERT_TRUE(start);
    // The same with numbers from the start.
    TileBox numbers = TileBox::ofNumbers(start->dims);
    Points truth = elementsOf(*start);
    for (size_t i = 0; i != maps.size(); ++i) {
      truth = image(maps[i], truth);
      std::optional<TileBox> next = numbers.through(maps[i], failure);
      ASSERT_TRUE(next) << failure.message;
      numbers = *next;
      for (const TileBox *box : {&boxes[i + 1], &numbers}) {
        std::optional<StridedTile> tile =
            box == &numbers ? box->at() : box->at(offsets, sizes);
        ASSERT_TRUE(tile) << text;
        Points points = elementsOf(*tile);
        ++tally.boxes;
        tally.sharp += points == truth;
        std::string where = text + "source";
        for (auto [o, t] : llvm::zip(offsets, sizes))
          where += " " + std::to_string(o) + "+" + std::to_string(t);
        where += "\ngot " + tile->str() + "\n" + toText(numbers);
        if (box->isExact()) {
          ++tally.exact;
          ASSERT_EQ(points, truth) << where;
        }
        for (const Point &p : truth)
          ASSERT_TRUE(points.count(p)) << where;
      }
    }
    // As a symbolic tile the same, within its bounds.
    std::optional<SymbolicTile> tile = boxes.back().getSymbolicTile(failure);
    ASSERT_TRUE(tile) << failure.message;
    ASSERT_EQ(tile->isHull(), !boxes.back().isExact());
    std::optional<StridedTile> wide = tile->instantiate(offsets, sizes);
    ASSERT_TRUE(wide) << text;
    SmallVector<int64_t, 12> point(offsets.begin(), offsets.end());
    point.append(sizes.begin(), sizes.end());
    auto values = tile->getForms().evaluateAt(point);
    ASSERT_TRUE(values);
    Points points;
    for (const Point &p : elementsOf(*wide)) {
      bool isInside = true;
      for (unsigned r = 0; r != p.size(); ++r)
        isInside &=
            (!tile->getLower(r) || p[r] >= (*values)[*tile->getLower(r)]) &&
            (!tile->getUpper(r) || p[r] <= (*values)[*tile->getUpper(r)]);
      if (isInside)
        points.insert(p);
    }
    ASSERT_EQ(points, elementsOf(*boxes.back().at(offsets, sizes)))
        << text << tile->str();
    ++tally.tiles;
  }
}

TEST(TileBox, chains_of_random_ops_are_covered_and_exact_where_they_say_so) {
  Random random{std::mt19937_64(7)};
  Tally backward, forward;
  for (int i = 0; i != 600; ++i) {
    std::vector<int64_t> shape;
    for (int64_t d = random.pick(1, 3); d > 0; --d)
      shape.push_back(random.pick(1, 7));
    std::vector<IndexingMap> maps, forwards;
    for (int64_t n = random.pick(1, 5); n > 0; --n) {
      IndexingMap map = drawMap(random, shape).simplify();
      if (!map.isOrdinary() || product(shape) > 400)
        break;
      maps.push_back(map);
      // Input to output: the same relation read from the other end.
      SmallVector<Form> ends(map.getResults());
      for (unsigned d = 0; d != map.getNumDims(); ++d)
        ends.push_back(Form::ofAtom(d));
      SmallVector<Interval> ranges;
      for (int64_t extent : shape)
        ranges.push_back(Interval::ofExtent(extent));
      forwards.insert(forwards.begin(),
                      relate(map.withResults(ends), map.getNumResults(), ranges)
                          .simplify());
    }
    if (maps.empty())
      continue;
    checkChain(random, maps, backward);
    if (testing::Test::HasFatalFailure())
      return;
    if (llvm::all_of(forwards,
                     [](const IndexingMap &m) { return m.isOrdinary(); }))
      checkChain(random, forwards, forward);
    if (testing::Test::HasFatalFailure())
      return;
  }
  for (const Tally *tally : {&backward, &forward}) {
    EXPECT_GT(tally->tiles, 1000u);
    EXPECT_GT(tally->exact, tally->boxes / 2)
        << tally->boxes << " " << tally->sharp;
    EXPECT_GT(tally->sharp, tally->exact);
  }
}

TEST(TileBox, a_chain_of_windows_and_pads_stays_short) {
  IndexingMap pad = parse("(d0) -> (d0 - 1), domain: d0 in [0, 225], "
                          "d0 - 1 in [0, 223]");
  IndexingMap window =
      parse("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 223], s0 in [0, 2]");
  TileBox box = TileBox::ofParameters({Interval(0, 223)});
  TileFailure failure;
  for (int i = 0; i != 50; ++i)
    for (const IndexingMap *map : {&window, &pad})
      box = *box.through(*map, failure);
  EXPECT_TRUE(box.isExact());
  EXPECT_EQ(toText(box), "[max(o0 - 50, 0) .. min(e0 + 50, 223)]");
  EXPECT_EQ(box.getSymbolicTile(failure)->str(),
            "result 0: offset o0 - 50, size t0 + 100, stride 1, within [0, "
            "223]\n");
}

TEST(TileBox, forwards_strides_become_one_division) {
  // Input to output of a window of 3 with stride 2, three times.
  TileBox box = TileBox::ofParameters({Interval(0, 62)});
  TileFailure failure;
  for (int64_t extent : {63, 31, 15}) {
    const std::string n = std::to_string(extent - 1);
    const std::string m = std::to_string((extent - 3) / 2);
    box = *box.through(parse("(d0)[s0] -> (s0), domain: d0 in [0, " + n +
                             "], s0 in [0, " + m + "], d0 - s0 * 2 in [0, 2]"),
                       failure);
  }
  EXPECT_TRUE(box.isExact()) << box.getReason().str();
  EXPECT_EQ(toText(box),
            "[max(0, (o0 + 1) floordiv 8 - 1) .. min(6, e0 floordiv 8)]");
}

TEST(TileBox, says_why_it_is_a_hull) {
  TileFailure failure;
  auto reasonOf = [&](const char *text, ArrayRef<Interval> ranges) {
    std::optional<TileBox> box =
        TileBox::ofParameters(ranges).through(parse(text), failure);
    EXPECT_TRUE(box);
    return box ? box->getReason().str() : std::string();
  };
  EXPECT_EQ(reasonOf("(d0) -> (d0, d0), domain: d0 in [0, 5]", {{0, 5}}),
            "result 1 moves with result 0, both by d0");
  EXPECT_EQ(reasonOf("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 5], d1 in "
                     "[0, 3]",
                     {{0, 5}, {0, 3}}),
            "the indices may have no constant stride");
  EXPECT_EQ(reasonOf("(d0) -> (d0 mod 4), domain: d0 in [0, 11]", {{0, 11}}),
            "the tile may reach over blocks of 4");
  EXPECT_EQ(reasonOf("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 5], rt0 in "
                     "[0, 3]",
                     {{0, 5}}),
            "it depends on runtime variable rt0");
  EXPECT_EQ(reasonOf("(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, "
                     "5], d0 + d1 in [0, 5]",
                     {{0, 5}, {0, 5}}),
            "d0 + d1: its domain cuts the tile to no box");
}

TEST(TileBox, refuses_what_does_not_fit) {
  TileFailure failure;
  TileBox box = TileBox::ofParameters({Interval(0, 5)});
  EXPECT_FALSE(box.through(IndexingMap(), failure));
  EXPECT_EQ(failure.message.rfind("the map is unknown: ", 0), 0u);
  EXPECT_FALSE(box.through(IndexingMap::identity({2, 3}), failure));
  EXPECT_EQ(failure.message, "the map has 2 dims, got a box of 1");
  std::optional<TileBox> open = box.through(
      parse("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 5], s0 in [0, inf]"),
      failure);
  ASSERT_TRUE(open);
  EXPECT_FALSE(open->getSymbolicTile(failure));
  EXPECT_EQ(failure.message, "result 0: the indices read have no bound");
  EXPECT_FALSE(open->at({0}, {1}));
}

TEST(TileBox, hulls_contain_both_boxes) {
  Random random{std::mt19937_64(11)};
  for (int i = 0; i != 400; ++i) {
    std::vector<int64_t> shape = {random.pick(2, 7), random.pick(2, 7)};
    TileFailure failure;
    TileBox source = TileBox::ofParameters(
        {Interval::ofExtent(shape[0]), Interval::ofExtent(shape[1])});
    std::vector<TileBox> boxes;
    for (int k = 0; k != 2; ++k) {
      TileBox box = source;
      std::vector<int64_t> at = shape;
      for (int64_t n = random.pick(0, 3); n > 0; --n) {
        IndexingMap map = drawMap(random, at);
        box = *box.through(map, failure);
      }
      boxes.push_back(box);
    }
    if (boxes[0].getNumDims() != boxes[1].getNumDims())
      continue;
    TileBox both = boxes[0].hull(boxes[1]);
    for (int trial = 0; trial != 5; ++trial) {
      SmallVector<int64_t, 2> offsets, sizes;
      for (int64_t extent : shape) {
        sizes.push_back(random.pick(1, extent));
        offsets.push_back(random.pick(0, extent - sizes.back()));
      }
      Points inside = elementsOf(*both.at(offsets, sizes)), all;
      for (const TileBox &box : boxes) {
        Points points = elementsOf(*box.at(offsets, sizes));
        all.insert(points.begin(), points.end());
        if (boxes[0].covers(boxes[1]) && &box == &boxes[1])
          for (const Point &p : points)
            ASSERT_TRUE(elementsOf(*boxes[0].at(offsets, sizes)).count(p));
      }
      for (const Point &p : all)
        ASSERT_TRUE(inside.count(p)) << toText(boxes[0]) << "\n"
                                     << toText(boxes[1]) << "\n"
                                     << toText(both);
      if (both.isExact())
        ASSERT_EQ(inside, all);
    }
  }
}

} // namespace
