//===- FootprintLawsTest.cpp - Images and counts against brute force ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DESIGN section 6: F(A ∪ B) = F(A) ∪ F(B), the hull is the smallest box, empty
// goes to empty, A lies in F⁻¹(F(A)), injective is |image| = |domain|, the
// inverse undoes the map. All are held against plain loops over the trees of
// RandomMaps.h. The structured maps are those that ops have: sums of scaled
// variables, digits, windows with padding.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"

#include "RandomMaps.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// k1*v1 + k2*v2 + ... + c, perhaps divided or reduced.
ExprPtr drawSum(unsigned numVariables) {
  ExprPtr sum = leaf('c', pick(0, 2) ? 0 : pick(-6, 6));
  for (unsigned i = 0, e = pick(1, 3); i != e; ++i) {
    static const int kFactors[] = {1, 1, 1, 2, 3, 4, 5, 6, 8, 12, -1, -2};
    ExprPtr v = leaf('v', pick(0, numVariables - 1));
    int factor = kFactors[pick(0, 11)];
    sum = node('+', sum, factor == 1 ? v : node('*', v, leaf('c', factor)));
  }
  switch (pick(0, 9)) {
  case 0:
    return node('%', sum, leaf('c', pick(2, 9)));
  case 1:
    return node('/', sum, leaf('c', pick(2, 9)));
  case 2:
    return node('%', node('/', sum, leaf('c', pick(2, 5))),
                leaf('c', pick(2, 5)));
  case 3:
    return node('^', sum, leaf('c', pick(2, 6)));
  default:
    return sum;
  }
}

RandomMap drawStructured(unsigned maxRuntime = 0) {
  RandomMap map;
  map.numDims = pick(1, 3);
  map.numSymbols = pick(0, 2);
  map.numRuntime = pick(0, maxRuntime);
  const unsigned n = map.numDims + map.numSymbols + map.numRuntime;
  for (unsigned i = 0; i != n; ++i) {
    int lo = pick(0, 4) ? 0 : pick(-5, 5);
    map.ranges.push_back({lo, lo + pick(0, n > 3 ? 3 : 8)});
  }
  for (unsigned i = 0, e = pick(1, 3); i != e; ++i)
    map.results.push_back(drawSum(n));
  for (int i = pick(-1, 2); i > 0; --i) {
    // A window with padding constrains what it reads.
    ExprPtr what =
        pick(0, 1) ? map.results[pick(0, map.results.size() - 1)] : drawSum(n);
    int lo = pick(-6, 8);
    map.constraints.push_back({what, {lo, lo + pick(0, 12)}});
  }
  return map;
}

RandomMap drawAny(unsigned maxRuntime = 0) {
  if (pick(0, 2))
    return drawStructured(maxRuntime);
  RandomMap map = drawMap(pick(1, 2), pick(1, 2), 3, /*others=*/true);
  while (map.numRuntime > maxRuntime)
    map = drawMap(pick(1, 2), pick(1, 2), 3, /*others=*/true);
  return map;
}

/// Results over the whole domain, restricted to a box of dims if there is one.
std::set<Point> imageOf(const RandomMap &map, const Box *dims = nullptr) {
  std::set<Point> image;
  for (const Point &p : pointsOf(map.ranges)) {
    bool inside = true;
    for (unsigned i = 0; dims && i != map.numDims; ++i)
      inside &= dims->lo[i] <= p[i] && p[i] < dims->hi[i];
    if (!inside)
      continue;
    if (auto results = map.evaluate(p))
      image.emplace(results->begin(), results->end());
  }
  return image;
}

bool isIn(const Box &box, const Point &p) {
  for (unsigned i = 0; i != p.size(); ++i)
    if (p[i] < box.lo[i] || p[i] >= box.hi[i])
      return false;
  return true;
}

uint64_t volumeOf(const Box &box) {
  uint64_t volume = 1;
  for (unsigned i = 0; i != box.lo.size(); ++i)
    volume *= std::max<int64_t>(box.hi[i] - box.lo[i], 0);
  return volume;
}

std::string print(const Footprint &f) {
  std::string s = describe(f.kind).str();
  if (f.hull)
    for (unsigned i = 0; i != f.hull->lo.size(); ++i)
      s += " [" + std::to_string(f.hull->lo[i]) + ", " +
           std::to_string(f.hull->hi[i]) + ")";
  return s + " count " + (f.count ? std::to_string(*f.count) : "none");
}

/// The footprint of a set that depends on no unknown number: everything about
/// it is known, and the hull is the smallest.
void expectIs(const Footprint &f, const std::set<Point> &image,
              const std::string &what) {
  auto refuse = [&](const std::string &why) {
    RC_FAIL(what + ": " + why + ", got " + print(f) + ", there are " +
            std::to_string(image.size()));
  };
  if (f.count != image.size())
    refuse("wrong count");
  if (!f.hull)
    refuse("no hull");
  if (image.empty())
    return;
  Box hull;
  hull.lo.assign(image.begin()->begin(), image.begin()->end());
  hull.hi = hull.lo;
  for (const Point &p : image)
    for (unsigned i = 0; i != p.size(); ++i) {
      hull.lo[i] = std::min(hull.lo[i], p[i]);
      hull.hi[i] = std::max(hull.hi[i], p[i]);
    }
  for (int64_t &hi : hull.hi)
    ++hi;
  if (!(*f.hull == hull))
    refuse("not the smallest hull");
  if ((f.kind == Exactness::Exact) != (volumeOf(hull) == image.size()))
    refuse("wrong kind");
}

Box drawBox(ArrayRef<Interval> ranges) {
  Box box;
  for (const Interval &range : ranges) {
    int lo = pick(range.lower - 1, range.upper);
    box.lo.push_back(lo);
    box.hi.push_back(lo + pick(pick(0, 5) ? 1 : 0, 6));
  }
  return box;
}

ArrayRef<Interval> dimRanges(const RandomMap &map) {
  return ArrayRef<Interval>(map.ranges).take_front(map.numDims);
}

TEST(FootprintLaws, ImagesAreWhatLoopsSee) {
  check("image", [] {
    RandomMap tree = drawAny();
    expectIs(getImage(tree.parse()), imageOf(tree), tree.str());
  });
}

// With a budget that allows no walk, answers are closed forms or none.
TEST(FootprintLaws, StructureNeedsNoWalk) {
  unsigned drawn = 0, known = 0, tight = 0;
  check("structure", [&] {
    RandomMap tree = drawStructured();
    std::set<Point> image = imageOf(tree);
    IndexingMap map = tree.parse();
    Footprint f = getImage(map, nullptr, /*budget=*/32);
    ++drawn;
    if (f.count) {
      ++known;
      RC_ASSERT(*f.count == image.size());
    }
    RC_ASSERT(f.hull.has_value());
    for (const Point &p : image)
      RC_ASSERT(isIn(*f.hull, p));
    if (f.kind == Exactness::Exact && !image.empty())
      RC_ASSERT(volumeOf(*f.hull) == image.size());
    tight += f == getImage(map);
    std::optional<uint64_t> points = countPoints(map, /*budget=*/32);
    RC_ASSERT(!points || points == countPoints(map));
  });
  EXPECT_GT(known, drawn * 9 / 10);
  EXPECT_GT(tight, drawn * 9 / 10);
}

TEST(FootprintLaws, ImagesOfBlocksAreWhatLoopsSee) {
  check("image of a block", [] {
    RandomMap tree = drawAny();
    Box block = drawBox(dimRanges(tree));
    expectIs(getImage(tree.parse(), &block), imageOf(tree, &block), tree.str());
  });
}

TEST(FootprintLaws, TheImageOfAUnionIsTheUnionOfImages) {
  check("union of images", [] {
    RandomMap tree = drawStructured();
    IndexingMap map = tree.parse();
    // Cut the domain in two along a dim.
    SmallVector<Interval> left(map.getRanges()), right(map.getRanges());
    const int64_t cut = pick(left[0].lower, left[0].upper);
    left[0].upper = cut;
    right[0].lower = cut + 1;
    std::optional<uint64_t> whole = countImage(map);
    std::optional<uint64_t> parts =
        countUnion({map.withRanges(left), map.withRanges(right)});
    RC_ASSERT(whole.has_value());
    if (whole != parts)
      RC_FAIL(tree.str());
  });
}

TEST(FootprintLaws, UnionsAreWhatLoopsSee) {
  check("union", [] {
    std::vector<RandomMap> trees;
    std::vector<IndexingMap> maps;
    std::set<Point> all;
    std::string text;
    trees.push_back(drawAny());
    const unsigned numResults = trees[0].results.size();
    for (unsigned i = pick(0, 3); i > 0; --i) {
      // Shifted copies, as stencils have them, or maps of their own.
      RandomMap next = pick(0, 1) ? trees[0] : drawStructured();
      if (next.results.size() != numResults)
        continue;
      for (ExprPtr &e : next.results)
        e = node('+', e, leaf('c', pick(-3, 3)));
      trees.push_back(next);
    }
    for (const RandomMap &tree : trees) {
      maps.push_back(tree.parse());
      all.merge(imageOf(tree));
      text += tree.str() + "\n";
    }
    std::optional<uint64_t> count = countUnion(maps);
    if (count != all.size())
      RC_FAIL(text + "union " + (count ? std::to_string(*count) : "none") +
              ", there are " + std::to_string(all.size()));
  });
}

TEST(FootprintLaws, EmptyGoesToEmpty) {
  check("empty", [] {
    RandomMap tree = drawStructured();
    IndexingMap map = tree.parse();
    Box nothing = drawBox(dimRanges(tree));
    nothing.hi[0] = nothing.lo[0];
    Footprint image = getImage(map, &nothing);
    RC_ASSERT(image.count == 0u && image.hull && image.hull->isEmpty());
    Box none{SmallVector<int64_t>(map.getNumResults(), 0),
             SmallVector<int64_t>(map.getNumResults(), 0)};
    Footprint preimage = getPreimage(map, none);
    RC_ASSERT(preimage.count == 0u && preimage.hull->isEmpty());
  });
}

TEST(FootprintLaws, PreimagesAreWhatLoopsSee) {
  check("preimage", [] {
    RandomMap tree = drawAny();
    IndexingMap map = tree.parse();
    SmallVector<Interval> around;
    for (unsigned i = 0; i != map.getNumResults(); ++i) {
      Interval r = map.getResultRange(i);
      around.push_back(
          {std::max<int64_t>(r.lower, -50), std::min<int64_t>(r.upper, 50)});
      if (around.back().isEmpty())
        around.back() = {0, 5};
    }
    Box box = drawBox(around);
    std::set<Point> dims;
    for (const Point &p : pointsOf(tree.ranges))
      if (auto results = tree.evaluate(p))
        if (isIn(box, Point(results->begin(), results->end())))
          dims.insert(Point(p.begin(), p.begin() + tree.numDims));
    expectIs(getPreimage(map, box), dims, tree.str());
  });
}

TEST(FootprintLaws, ABlockLiesInThePreimageOfItsImage) {
  check("preimage of the image", [] {
    RandomMap tree = drawStructured(/*maxRuntime=*/1);
    IndexingMap map = tree.parse();
    Box block = drawBox(dimRanges(tree));
    Footprint image = getImage(map, &block);
    RC_ASSERT(image.hull.has_value());
    Footprint back = getPreimage(map, *image.hull);
    RC_ASSERT(back.hull.has_value());
    for (const Point &p : pointsOf(tree.ranges))
      if (tree.evaluate(p)) {
        Point dims(p.begin(), p.begin() + tree.numDims);
        RC_ASSERT(!isIn(block, dims) || isIn(*back.hull, dims));
      }
  });
}

TEST(FootprintLaws, RuntimeVariablesLeaveAHull) {
  check("runtime variables", [] {
    RandomMap tree = drawAny(/*maxRuntime=*/1);
    IndexingMap map = tree.parse();
    Footprint image = getImage(map);
    std::set<Point> points = imageOf(tree);
    if (map.simplify().removeUnusedVars().getNumRuntime() == 0)
      return;
    RC_ASSERT(image.hull.has_value());
    for (const Point &p : points)
      RC_ASSERT(isIn(*image.hull, p));
    // A constraint may be all that speaks of it.
    SmallVector<char, 32> used;
    IndexingMap simple = map.simplify();
    for (const Form &f : simple.getResults())
      simple.getArena().markUsed(f, used);
    const unsigned runtime = simple.getNumVariables() - 1;
    if (simple.isOrdinary() && used.size() > runtime && used[runtime] &&
        !points.empty())
      RC_ASSERT(image.kind == Exactness::Hull && !image.count);
  });
}

TEST(FootprintLaws, PointsAreCounted) {
  check("points", [] {
    RandomMap tree = drawAny();
    uint64_t points = 0;
    for (const Point &p : pointsOf(tree.ranges))
      points += tree.evaluate(p).has_value();
    std::optional<uint64_t> count = countPoints(tree.parse());
    if (count != points)
      RC_FAIL(tree.str() + ": counted " +
              (count ? std::to_string(*count) : "none") + ", there are " +
              std::to_string(points));
  });
}

TEST(FootprintLaws, InjectiveMapsHaveAsManyResultsAsPoints) {
  check("injective", [] {
    RandomMap tree = drawAny();
    std::set<Point> image;
    uint64_t points = 0;
    for (const Point &p : pointsOf(tree.ranges))
      if (auto results = tree.evaluate(p)) {
        ++points;
        image.emplace(results->begin(), results->end());
      }
    std::optional<bool> injective = isInjective(tree.parse());
    if (injective != (points == image.size()))
      RC_FAIL(tree.str());
  });
}

TEST(FootprintLaws, InjectiveIsTrueWhateverRuntimeVariablesAre) {
  check("injective with runtime variables", [] {
    RandomMap tree = drawAny(/*maxRuntime=*/1);
    if (isInjective(tree.parse()) != true)
      return;
    // Results tell dims and symbols, from whatever runtime values they came.
    std::map<Point, Point> origin;
    for (const Point &p : pointsOf(tree.ranges))
      if (auto results = tree.evaluate(p)) {
        Point own(p.begin(), p.end() - tree.numRuntime);
        auto [it, isNew] =
            origin.emplace(Point(results->begin(), results->end()), own);
        if (!isNew && it->second != own)
          RC_FAIL(tree.str());
      }
  });
}

TEST(FootprintLaws, InversesAreTheRelationTurnedRound) {
  check("inverse", [] {
    RandomMap tree = drawAny();
    IndexingMap map = tree.parse();
    std::optional<IndexingMap> back = inverse(map);
    RC_ASSERT(back.has_value());
    std::set<std::pair<Point, Point>> wanted, got;
    for (const Point &p : pointsOf(tree.ranges))
      if (auto results = tree.evaluate(p))
        wanted.emplace(Point(results->begin(), results->end()),
                       Point(p.begin(), p.begin() + tree.numDims));
    EnumerateStatus status =
        enumerate(*back, [&](ArrayRef<int64_t> p, ArrayRef<int64_t> dims) {
          got.emplace(Point(p.begin(), p.begin() + back->getNumDims()),
                      Point(dims.begin(), dims.end()));
          return true;
        });
    if (status == EnumerateStatus::Ok && got != wanted)
      RC_FAIL(tree.str() + "\nhas inverse " + back->str());
    // The image of the inverse is the domain.
    std::set<Point> dims;
    for (const auto &entry : wanted)
      dims.insert(entry.second);
    std::optional<uint64_t> count = countImage(*back);
    RC_ASSERT(!count || *count == dims.size());
  });
}

} // namespace
