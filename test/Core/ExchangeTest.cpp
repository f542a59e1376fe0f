//===- ExchangeTest.cpp - Who sends what, and what it costs ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The truth is kept place by place: who owns it, who needs it, who got it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/ProjectionFootprint.h"
#include "TensorAccess/Cost/Cost.h"

#include "ExchangeTesting.h"
#include "ProjectionTesting.h"

#include <map>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;
using Place = std::vector<int64_t>;

static bool contains(const Box &box, const Place &place) {
  for (size_t d = 0; d != place.size(); ++d)
    if (place[d] < box.lo[d] || place[d] >= box.hi[d])
      return false;
  return true;
}

static Box randomBox(std::mt19937_64 &random, llvm::ArrayRef<int64_t> extents) {
  Box box;
  for (int64_t extent : extents) {
    int64_t a = random() % (extent + 1), b = random() % (extent + 1);
    box.lo.push_back(std::min(a, b));
    box.hi.push_back(std::max(a, b));
  }
  return box;
}

/// A few disjoint boxes.
static llvm::SmallVector<Box, 1> randomBoxes(std::mt19937_64 &random,
                                             llvm::ArrayRef<int64_t> extents) {
  llvm::SmallVector<Box, 1> boxes;
  for (size_t n = random() % 4; n != 0; --n) {
    Box box = randomBox(random, extents);
    if (llvm::none_of(boxes, [&](const Box &other) {
          return !intersectBoxes(box, other).isEmpty();
        }))
      boxes.push_back(box);
  }
  return boxes;
}

/// Σ over ranks of |needed \ owned| elements: what no exchange can do without.
/// None on overflow.
static std::optional<uint64_t> getLeastTraffic(const RankBoxes &owned,
                                               const RankBoxes &needed) {
  uint64_t total = 0;
  for (auto [rank, boxes] : llvm::enumerate(needed))
    for (const Box &box : boxes) {
      llvm::SmallVector<Box, 4> rest = {box};
      for (const Box &own : owned[rank]) {
        llvm::SmallVector<Box, 4> left;
        for (const Box &piece : rest)
          llvm::append_range(left, subtractBox(piece, own));
        rest = std::move(left);
      }
      for (const Box &piece : rest) {
        std::optional<uint64_t> places = getVolume(piece);
        if (!places || __builtin_add_overflow(total, *places, &total))
          return std::nullopt;
      }
    }
  return total;
}

/// Each needed place arrives once per summand, from those who own it, and none
/// is kept that was not there; bytes are the least.
static void checkExchange(const Grid &grid, const Exchange &exchange,
                          const RankBoxes &owned, const RankBoxes &needed,
                          int64_t summands = 1) {
  std::vector<std::map<Place, int64_t>> got(needed.size());
  for (const auto *list : {&exchange.messages, &exchange.kept})
    for (const ExchangeMessage &message : *list) {
      EXPECT_EQ(message.from == message.to, list == &exchange.kept);
      EXPECT_FALSE(message.box.isEmpty());
      forEachPoint(message.box, [&](const Place &place) {
        EXPECT_TRUE(llvm::any_of(owned[message.from], [&](const Box &own) {
          return contains(own, place);
        }));
        ++got[message.to][place];
      });
    }
  uint64_t least = 0;
  for (size_t rank = 0; rank != needed.size(); ++rank) {
    std::map<Place, int64_t> want;
    for (const Box &box : needed[rank])
      forEachPoint(box, [&](const Place &place) {
        want[place] = summands;
        least += summands - llvm::any_of(owned[rank], [&](const Box &own) {
                   return contains(own, place);
                 });
      });
    EXPECT_EQ(got[rank], want) << "rank " << rank;
  }
  std::optional<ExchangeTraffic> traffic =
      getTraffic(exchange, grid.getNumRanks(), 4);
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->total, 4 * least);
  if (summands == 1)
    EXPECT_EQ(getLeastTraffic(owned, needed), least);
  uint64_t sent = 0, received = 0;
  for (uint64_t bytes : traffic->sent)
    sent += bytes;
  for (uint64_t bytes : traffic->received)
    received += bytes;
  EXPECT_EQ(sent, traffic->total);
  EXPECT_EQ(received, traffic->total);
}

TEST(Exchange, HaloOfAConvolution) {
  Grid grid = parseGrid("x=2");
  RankBoxes owned = {{box({0}, {5})}, {box({5}, {10})}};
  RankBoxes needed = {{box({0}, {6})}, {box({4}, {10})}};
  std::string error;
  std::optional<Exchange> exchange = getExchange(grid, owned, needed, error);
  ASSERT_TRUE(exchange) << error;
  EXPECT_EQ(exchange->messages,
            (std::vector<ExchangeMessage>{{1, 0, box({5}, {6})},
                                          {0, 1, box({4}, {5})}}));
  checkExchange(grid, *exchange, owned, needed);
}

/// A halo that is wider than a shard comes of several neighbours, and a wrapped
/// one of the other end: two boxes.
TEST(Exchange, WideAndWrappedHalos) {
  Grid grid = parseGrid("x=4");
  Distribution cut = parseDistribution("{d0: x}", grid, 1);
  ParseError parseError;
  Projection window = *Projection::parse(
      "[[1]] + [-5], shape = [11], oob = [wrap]", parseError);
  RankBoxes needed;
  std::string error;
  for (const Box &block : cut.getBoxes(grid, {14})) {
    std::optional<OutOfBoundsRegion> region =
        getOutOfBoundsRegion(window, block, {14}, error);
    ASSERT_TRUE(region && region->areBoxesExact) << error;
    needed.emplace_back(region->boxes.begin(), region->boxes.end());
  }
  EXPECT_EQ(needed[0].size(), 2u);
  std::optional<Exchange> exchange =
      getExchange(grid, cut, {14}, needed, error);
  ASSERT_TRUE(exchange) << error;
  checkExchange(grid, *exchange, getRankBoxes(grid, cut, {14}), needed);
}

/// Of several owners the nearest sends, then the one that has sent least.
TEST(Exchange, WhoSends) {
  Grid grid = parseGrid("x=5");
  RankBoxes owned = {{box({0}, {4})}, {}, {box({0}, {4})}, {}, {}};
  RankBoxes needed = {{}, {box({0}, {4})}, {}, {box({0}, {2})}, {}};
  std::string error;
  std::optional<Exchange> exchange = getExchange(grid, owned, needed, error);
  ASSERT_TRUE(exchange) << error;
  EXPECT_EQ(exchange->messages,
            (std::vector<ExchangeMessage>{{0, 1, box({0}, {4})},
                                          {2, 3, box({0}, {2})}}));
  grid = parseGrid("x=2,y=2");
  // Ranks 1 and 2 are both one step from 0 and from 3.
  owned = {{}, {box({0}, {4})}, {box({0}, {4})}, {}};
  needed = {{box({0}, {4})}, {}, {}, {box({0}, {4})}};
  exchange = getExchange(grid, owned, needed, error);
  ASSERT_TRUE(exchange) << error;
  EXPECT_EQ(exchange->messages,
            (std::vector<ExchangeMessage>{{1, 0, box({0}, {4})},
                                          {2, 3, box({0}, {4})}}));
}

/// Any boxes, owned by anyone: all that is needed arrives, once.
TEST(Exchange, RandomBoxesArriveOnce) {
  std::mt19937_64 random(88);
  int refused = 0;
  for (int run = 0; run != 600; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    RankBoxes owned, needed;
    for (int64_t rank = 0; rank != grid.getNumRanks(); ++rank) {
      owned.push_back(randomBoxes(random, extents));
      needed.push_back(randomBoxes(random, extents));
    }
    if (run % 3)
      owned[random() % owned.size()] = {getWholeBox(extents)};
    std::string error;
    std::optional<Exchange> exchange = getExchange(grid, owned, needed, error);
    if (exchange) {
      checkExchange(grid, *exchange, owned, needed);
      continue;
    }
    ++refused;
    // Then there is a place that is needed and that no rank owns.
    bool isMissing = false;
    for (const auto &boxes : needed)
      for (const Box &want : boxes)
        forEachPoint(want, [&](const Place &place) {
          isMissing |= llvm::none_of(owned, [&](const auto &own) {
            return llvm::any_of(
                own, [&](const Box &b) { return contains(b, place); });
          });
        });
    EXPECT_TRUE(isMissing) << error;
  }
  EXPECT_GT(refused, 20);
}

/// Distributed tensors: the same messages as by the general way (which joins
/// boxes where several are needed), and where values are partial each summand
/// once.
TEST(Exchange, DistributionsAreBoxes) {
  std::mt19937_64 random(888);
  for (int run = 0; run != 600; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    Distribution from =
        randomDistribution(random, grid, extents.size(), run % 2);
    RankBoxes needed;
    if (run % 3)
      needed = getRankBoxes(
          grid, randomDistribution(random, grid, extents.size(), false),
          extents);
    else
      for (int64_t rank = 0; rank != grid.getNumRanks(); ++rank)
        needed.push_back(randomBoxes(random, extents));
    RankBoxes owned = getRankBoxes(grid, from, extents);
    std::string error;
    std::optional<Exchange> exchange =
        getExchange(grid, from, extents, needed, error);
    ASSERT_TRUE(exchange) << error;
    checkExchange(grid, *exchange, owned, needed,
                  grid.getNumParts(from.partial));
    if (!from.partial.empty() || run % 3 == 0)
      continue;
    std::optional<Exchange> general = getExchange(grid, owned, needed, error);
    ASSERT_TRUE(general) << error;
    EXPECT_TRUE(exchange->messages == general->messages);
    EXPECT_TRUE(exchange->kept == general->kept);
  }
}

/// A reduce-scatter sums each partial once: numbers are summed as they arrive.
TEST(Exchange, ReduceScatterSums) {
  std::mt19937_64 random(8888);
  for (int run = 0; run != 200; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    Distribution from = randomDistribution(random, grid, extents.size(), true);
    if (from.partial.empty() || extents.empty())
      continue;
    const size_t dim = random() % extents.size();
    Distribution to = getScattered(from, dim);
    ASSERT_EQ(to.verify(grid), std::nullopt);
    ASSERT_TRUE(to.partial.empty());
    // Every rank's summand of a place is a number of its own, equal on ranks
    // that replicate each other.
    auto summand = [&](llvm::ArrayRef<int64_t> at, const Place &place) {
      int64_t hash = grid.getPart(from.partial, at) + 1;
      for (int64_t x : place)
        hash = hash * 31 + x;
      return hash;
    };
    std::string error;
    std::optional<Exchange> exchange = getExchange(
        grid, from, extents, getRankBoxes(grid, to, extents), error);
    ASSERT_TRUE(exchange) << error;
    std::vector<std::map<Place, int64_t>> sums(grid.getNumRanks());
    for (const auto *list : {&exchange->messages, &exchange->kept})
      for (const ExchangeMessage &message : *list)
        forEachPoint(message.box, [&](const Place &place) {
          sums[message.to][place] +=
              summand(grid.getCoordinates(message.from), place);
        });
    for (auto [rank, own] : llvm::enumerate(to.getBoxes(grid, extents)))
      forEachPoint(own, [&, &sum = sums[rank]](const Place &place) {
        int64_t want = 0;
        llvm::SmallVector<int64_t, 6> at(grid.axes.size(), 0);
        for (int64_t i = 0; i != grid.getNumRanks(); ++i) {
          llvm::SmallVector<int64_t, 6> other = grid.getCoordinates(i);
          bool isFirst = true;
          for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
            isFirst &=
                llvm::is_contained(from.partial, axis) || other[axis] == 0;
          if (isFirst)
            want += summand(other, place);
        }
        EXPECT_EQ(sum[place], want);
      });
    // (p - 1)/p of a part each: what a reduce-scatter can't do without.
    std::optional<ExchangeTraffic> traffic =
        getTraffic(*exchange, grid.getNumRanks(), 1);
    uint64_t least = 0;
    for (const Box &own : to.getBoxes(grid, extents))
      least += *getVolume(own) * (grid.getNumParts(from.partial) - 1);
    EXPECT_EQ(traffic->total, least);
  }
}

TEST(Exchange, Errors) {
  Grid grid = parseGrid("x=2");
  std::string error;
  auto errorOf = [&](const RankBoxes &owned, const RankBoxes &needed) {
    EXPECT_FALSE(getExchange(grid, owned, needed, error));
    return error;
  };
  EXPECT_EQ(errorOf({{}}, {{}, {}}),
            "owned boxes are those of 1 ranks, but the grid has 2");
  EXPECT_EQ(errorOf({{}, {}}, {{}, {}, {}}),
            "needed boxes are those of 3 ranks, but the grid has 2");
  EXPECT_EQ(errorOf({{box({0}, {4})}, {}}, {{}, {box({0, 0}, {1, 1})}}),
            "needed box 0 of rank 1 has 2 dimensions, but others have 1");
  EXPECT_EQ(errorOf({{box({4}, {0})}, {}}, {{}, {}}),
            "owned box 0 of rank 0: lo 0 must be at most hi, got 4 > 0");
  EXPECT_EQ(errorOf({{box({0}, {4}), box({3}, {5})}, {}}, {{}, {}}),
            "owned boxes 0 and 1 of rank 0 overlap at [3]");
  EXPECT_EQ(errorOf({{box({0}, {4})}, {box({4}, {7})}}, {{}, {box({2}, {8})}}),
            "rank 1 needs [7], which no rank owns");
  Distribution cut = parseDistribution("{d0: x}", grid, 1);
  auto errorOfCut = [&](const Distribution &from,
                        llvm::ArrayRef<int64_t> extents,
                        const RankBoxes &needed) {
    EXPECT_FALSE(getExchange(grid, from, extents, needed, error));
    return error;
  };
  EXPECT_EQ(errorOfCut(cut, {4, 4}, {{}, {}}),
            "the distribution has 1 dimensions, but the tensor has 2");
  EXPECT_EQ(errorOfCut(cut, {-4}, {{}, {}}),
            "extent 0 must not be negative, got -4");
  EXPECT_EQ(errorOfCut(cut, {4}, {{box({-1}, {2})}, {}}),
            "rank 0 needs [-1], which no rank owns");
  EXPECT_EQ(errorOfCut(cut, {4}, {{box({0, 0}, {1, 1})}, {}}),
            "needed box 0 of rank 0 has 2 dimensions, but others have 1");
  cut.dims[0] = {0, 0};
  EXPECT_EQ(errorOfCut(cut, {4}, {{}, {}}), "axis x appears twice in d0");
}

/// What 64 bits don't hold has no count.
TEST(Exchange, Overflow) {
  Grid grid = parseGrid("x=2");
  const int64_t most = std::numeric_limits<int64_t>::max();
  Distribution cut = parseDistribution("{d0: x}", grid, 1);
  std::string error;
  RankBoxes needed = {{box({0}, {most})}, {}};
  std::optional<Exchange> exchange =
      getExchange(grid, cut, {most}, needed, error);
  ASSERT_TRUE(exchange) << error;
  ASSERT_EQ(exchange->messages.size(), 1u);
  EXPECT_EQ(exchange->messages[0].box, box({most / 2}, {most}));
  EXPECT_TRUE(getTraffic(*exchange, 2, 1));
  EXPECT_FALSE(getTraffic(*exchange, 2, 8));
  FactoredBoxes all =
      getFactoredBoxes(grid, Distribution::replicated(1), {most});
  EXPECT_FALSE(getExchangeCost(grid, cut, {most}, all, 1, Network()));
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Intervals that depend on some coordinates, anyhow; partly outside.
static FactoredBoxes randomFactored(std::mt19937_64 &random, const Grid &grid,
                                    llvm::ArrayRef<int64_t> extents) {
  FactoredBoxes out;
  for (int64_t extent : extents) {
    FactoredDim &dim = out.dims.emplace_back();
    for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
      if (random() % 2)
        dim.axes.push_back(axis);
    for (int64_t n = grid.getNumParts(dim.axes); n != 0; --n) {
      int64_t a = static_cast<int64_t>(random() % (extent + 3)) - 1;
      int64_t b = static_cast<int64_t>(random() % (extent + 3)) - 1;
      dim.intervals.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  return out;
}

/// The cost is that of the listed messages.
TEST(ExchangeCost, IsThatOfTheMessages) {
  std::mt19937_64 random(88888);
  for (int run = 0; run != 1500; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    Distribution from =
        randomDistribution(random, grid, extents.size(), run % 2);
    FactoredBoxes needed =
        run % 3
            ? randomFactored(random, grid, extents)
            : getFactoredBoxes(
                  grid, randomDistribution(random, grid, extents.size(), false),
                  extents);
    Network network;
    network.isTorus = random() % 2;
    network.latency = 1e-3;
    network.overhead = 1e-2;
    network.bandwidth = 100;
    ExchangeByRank byRank;
    std::optional<ExchangeCost> cost =
        getExchangeCost(grid, from, extents, needed, 4, network, &byRank);
    ASSERT_TRUE(cost);
    RankBoxes boxes;
    for (int64_t rank = 0; rank != grid.getNumRanks(); ++rank)
      boxes.push_back(
          {intersectBoxes(needed.getBox(grid, rank), getWholeBox(extents))});
    std::string error;
    std::optional<Exchange> exchange =
        getExchange(grid, from, extents, boxes, error);
    ASSERT_TRUE(exchange) << error;
    ExchangeTraffic traffic = *getTraffic(*exchange, grid.getNumRanks(), 4);
    EXPECT_EQ(cost->bytes, traffic.total);
    EXPECT_EQ(cost->messages, traffic.messages);
    EXPECT_EQ(cost->maxBytesIn, *llvm::max_element(traffic.received));
    EXPECT_EQ(cost->maxBytesOut, *llvm::max_element(traffic.sent));
    int64_t way = 0;
    double byteSteps = 0;
    std::vector<uint64_t> in(grid.getNumRanks()), out(grid.getNumRanks());
    for (const ExchangeMessage &message : exchange->messages) {
      way = std::max(way,
                     grid.getHops(message.from, message.to, network.isTorus));
      ++out[message.from];
      ++in[message.to];
      byteSteps += 4.0 * static_cast<double>(*getVolume(message.box)) *
                   grid.getHops(message.from, message.to, network.isTorus);
    }
    EXPECT_EQ(byRank.bytesOut, traffic.sent);
    EXPECT_EQ(byRank.messagesOut, out);
    EXPECT_NEAR(byRank.byteSteps, byteSteps, 1e-9 * (1 + byteSteps));
    EXPECT_EQ(cost->longestWay, way) << from.str(grid) << " on " << grid.str();
    double busiest = 0;
    for (int64_t rank = 0; rank != grid.getNumRanks(); ++rank)
      busiest =
          std::max({busiest, 1e-2 * in[rank] + traffic.received[rank] / 100.0,
                    1e-2 * out[rank] + traffic.sent[rank] / 100.0});
    EXPECT_NEAR(cost->seconds, traffic.messages ? busiest + 1e-3 * way : 0,
                1e-9);
  }
}

/// Sums by way of the step take no more bytes than at once, and where all ranks
/// of a group are to have all of n places, 2·(p - 1)·n instead of p·(p - 1)·n.
TEST(Exchange, SummingStep) {
  std::mt19937_64 random(4711);
  int shorter = 0;
  for (int run = 0; run != 600; ++run) {
    Grid grid = randomGrid(random);
    llvm::SmallVector<int64_t> extents = randomExtents(random);
    Distribution partial =
        randomDistribution(random, grid, extents.size(), true);
    Distribution home = randomDistribution(random, grid, extents.size(), false);
    Distribution step = getSummingStep(grid, partial, home, extents);
    ASSERT_EQ(step.verify(grid), std::nullopt);
    EXPECT_TRUE(step.partial.empty());
    auto count = [&](const Distribution &from, const Distribution &to) {
      std::string error;
      std::optional<Exchange> exchange = getExchange(
          grid, from, extents, getRankBoxes(grid, to, extents), error);
      EXPECT_TRUE(exchange) << error;
      return getTraffic(*exchange, grid.getNumRanks(), 1)->total;
    };
    const uint64_t direct = count(partial, home);
    if (step == home)
      continue;
    const uint64_t steps = count(partial, step) + count(step, home);
    EXPECT_LE(steps, direct);
    shorter += steps < direct;
  }
  EXPECT_GT(shorter, 30);
  Grid grid = parseGrid("a=6");
  Distribution partial = parseDistribution("{partial: a}", grid, 2);
  Distribution home = Distribution::replicated(2);
  EXPECT_EQ(getSummingStep(grid, partial, home, {2, 30}).str(grid), "{d1: a}");
  EXPECT_EQ(getSummingStep(parseGrid("a=2"), partial, home, {2, 30}), home);
  EXPECT_EQ(getSummingStep(grid, parseDistribution("{partial: a}", grid, 0),
                           Distribution::replicated(0), {}),
            Distribution::replicated(0));
}

/// Ranks are counted, not listed: a halo and an all-gather over a million of
/// them on six axes, by what their symmetry tells. Pairs would take longer than
/// a test may.
TEST(ExchangeCost, AMillionRanks) {
  Grid grid = parseGrid("a=16,b=16,c=16,d=16,e=4,f=4");
  Distribution cut =
      parseDistribution("{d0: a*b, d1: c*d, d2: e, d3: f}", grid, 4);
  llvm::SmallVector<int64_t> extents = {256, 512, 224, 64};
  Network network;
  network.bandwidth = 1e9;
  FactoredBoxes all =
      getFactoredBoxes(grid, Distribution::replicated(4), extents);
  std::optional<ExchangeCost> gather =
      getExchangeCost(grid, cut, extents, all, 4, network);
  ASSERT_TRUE(gather);
  const uint64_t whole = 256ull * 512 * 224 * 64 * 4;
  EXPECT_EQ(gather->bytes, whole * 1048575);
  EXPECT_EQ(gather->messages, 1048576ull * 1048575);
  EXPECT_EQ(gather->maxBytesIn, whole / 1048576 * 1048575);
  EXPECT_EQ(gather->maxBytesOut, whole / 1048576 * 1048575);
  FactoredBoxes halo = getFactoredBoxes(grid, cut, extents);
  for (auto &[lo, hi] : halo.dims[1].intervals) {
    --lo;
    ++hi;
  }
  std::optional<ExchangeCost> near =
      getExchangeCost(grid, cut, extents, halo, 4, network);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->bytes, 256ull * 510 * 224 * 64 * 4);
  EXPECT_EQ(near->messages, 510ull * 4096);
}
