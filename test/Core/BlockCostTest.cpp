//===- BlockCostTest.cpp - Costs of blocks and messages, and their text ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/Cost.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <queue>
#include <random>

using namespace mlir::tensoraccess;
using llvm::StringRef;

static CostModel parse(StringRef text) {
  ParseError error;
  std::optional<CostModel> model = CostModel::parse(text, error);
  EXPECT_TRUE(model) << error.message << " at " << error.offset;
  return model.value_or(CostModel());
}

static const char *const kText =
    "machine laptop\n"
    "cliffs [1000: 1.5, 100000: 8.0]\n"
    "op *: start = 2.0e-06, point = 5.0e-10, byte = 1.0e-10\n"
    "op linalg.matmul: start = 0.0, point = 2.0, byte = 0.5, scratch = "
    "1.0e+02, "
    "scratch_point = 4.0, energy_point = 3.0, energy_byte = 0.25, lanes = 8, "
    "panel = [64: 1.5, 4096: 2.5], axes = [0.0, 1.0e+01], scratch_axes = "
    "[1.0]\n"
    "network torus 4x5: latency = 5.0e-07, bandwidth = 1.0e+10, overhead = "
    "1.0e-06, energy = 1.0e-11\n";

TEST(BlockCost, TextIsTheModel) {
  CostModel model = parse(kText);
  EXPECT_EQ(model.str(), kText);
  EXPECT_EQ(parse(model.str()), model);
  // Any order of statements and rates, comments, white space.
  EXPECT_EQ(parse("op * : point=5.0e-10,start = 2e-6,\n byte = 1.0e-10 # all\n"
                  "machine laptop # of mine")
                .str(),
            "machine laptop\nop *: start = 2.0e-06, point = 5.0e-10, byte = "
            "1.0e-10\n");
  EXPECT_EQ(parse("machine m network mesh 3: bandwidth = 1").network->shape[0],
            3);
}

/// parse(print(a)) = a for random rates.
TEST(BlockCost, RandomRoundTrip) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> rate(0, 1);
  for (int run = 0; run != 200; ++run) {
    CostModel model;
    model.machine = "m" + std::to_string(run);
    int64_t bytes = 0;
    for (unsigned n = random() % 4; n != 0; --n)
      model.cliffs.push_back(
          {bytes += 1 + static_cast<int64_t>(random() % 100000), rate(random)});
    for (unsigned n = random() % 4; n != 0; --n) {
      OpRates rates;
      rates.name = "op" + std::to_string(random() % 5);
      rates.start = rate(random) * 1e-6;
      rates.byte = random() % 2 ? rate(random) * 1e-300 : 0;
      rates.scratchPoint = rate(random) * 1e300;
      for (unsigned a = random() % 3; a != 0; --a)
        rates.axes.push_back(rate(random));
      model.setRates(rates);
    }
    ASSERT_FALSE(model.verify());
    EXPECT_EQ(parse(model.str()), model) << model.str();
  }
}

TEST(BlockCost, CostsOfBlocks) {
  CostModel model = parse(kText);
  std::string error;
  BlockWork work{{3, 5}, 40, 20};
  std::optional<BlockCost> cost = model.getCost("linalg.matmul", work, error);
  ASSERT_TRUE(cost) << error;
  EXPECT_EQ(cost->scratchBytes, 100 + 4 * 15 + 3);
  EXPECT_EQ(cost->workingSet, 60 + 163);
  EXPECT_EQ(cost->cliff, 1);
  EXPECT_EQ(cost->seconds, 2 * 15 + 10 * 5 + 0.5 * 60);
  EXPECT_EQ(cost->joules, 3 * 15 + 0.25 * 60);
  // The working set is past the first cliff, exactly on it, past the second.
  work.bytesIn = 1000 - 20 - 163;
  EXPECT_EQ(model.getCost("linalg.matmul", work, error)->cliff, 1);
  ++work.bytesIn;
  cost = model.getCost("linalg.matmul", work, error);
  EXPECT_EQ(cost->cliff, 1.5);
  EXPECT_EQ(cost->seconds, 2 * 15 + 10 * 5 + 0.5 * 838 * 1.5);
  EXPECT_EQ(cost->joules, 3 * 15 + 0.25 * 838 * 1.5);
  work.bytesIn = 200000;
  EXPECT_EQ(model.getCost("linalg.matmul", work, error)->cliff, 8);
  // An op that is not listed, and one that is overridden.
  EXPECT_EQ(model.getCost("tosa.add", {{2}, 0, 0}, error)->seconds,
            2.0e-6 + 2 * 5.0e-10);
  OpRates rates;
  rates.name = "tosa.add";
  rates.start = 7;
  model.setRates(rates);
  EXPECT_EQ(model.getCost("tosa.add", {{2}, 0, 0}, error)->seconds, 7);
  // Nothing runs for an empty block.
  EXPECT_EQ(model.getCost("tosa.add", {{2, 0}, 0, 0}, error)->seconds, 0);
}

/// The line that fits best counts.
TEST(BlockCost, FamiliesAndNames) {
  CostModel model = parse("machine m op *: start = 1.0 op *.sum: start = 2.0 "
                          "op a.b: start = 3.0 op a.b.sum: start = 4.0 op "
                          "a.c.chain: start = 5.0");
  auto start = [&](StringRef op, StringRef family) {
    return model.find(op, family)->start;
  };
  EXPECT_EQ(start("a.b", "sum"), 4);
  EXPECT_EQ(start("a.b", "chain"), 3);
  EXPECT_EQ(start("a.b", ""), 3);
  EXPECT_EQ(start("a.c", "chain"), 5);
  EXPECT_EQ(start("a.c", "sum"), 2);
  EXPECT_EQ(start("a.c", ""), 1);
  EXPECT_EQ(start("x", "sum"), 2);
  EXPECT_EQ(start("x", "map"), 1);
  EXPECT_EQ(start("xsum", "sum"), 2);
  EXPECT_EQ(dropCostFamily("linalg.matmul.sum"), "linalg.matmul");
  EXPECT_EQ(dropCostFamily("linalg.matmul"), "linalg.matmul");
}

/// Vectors are whole; panels that leave a cache make points dearer; what a body
/// does is added.
TEST(BlockCost, LanesPanelsAndSteps) {
  CostModel model =
      parse("machine m op a: start = 1.0, point = 2.0, lanes = 8, "
            "panel = [64: 1.5, 4096: 2.5] op math.exp: start = "
            "9.0, point = 0.5, energy_point = 0.25");
  std::string error;
  BlockWork work;
  work.extents = {3, 17, 5};
  EXPECT_EQ(model.getCost("a", work, error)->seconds, 1 + 2.0 * 255);
  work.innermost = 1;
  EXPECT_EQ(model.getCost("a", work, error)->seconds, 1 + 2.0 * 3 * 24 * 5);
  work.columnBytes = 8; // a panel of 64 bytes is not past 64
  EXPECT_EQ(model.getCost("a", work, error)->panelCliff, 1);
  work.columnBytes = 9;
  EXPECT_EQ(model.getCost("a", work, error)->panelCliff, 1.5);
  work.columnBytes = 1000;
  EXPECT_EQ(model.getCost("a", work, error)->seconds,
            1 + 2.0 * 3 * 24 * 5 * 2.5);
  work.pitch = 3 * 32; // 32 times 9 bytes
  work.columnBytes = 9;
  EXPECT_EQ(getPanelBytes(work, 8), 32 * 9);
  work.pitch = 3 * 4;
  EXPECT_EQ(getPanelBytes(work, 8), 8 * 9);
  work.pitch = 1 << 20;
  EXPECT_EQ(getPanelBytes(work, 8), 1024 * 9);
  work.pitch = 0;
  EXPECT_EQ(getPanelBytes(work, 8), 8 * 9);
  work.columnBytes = 1000;
  work.steps = {{"math.exp", 2}, {"math.unknown", 7}};
  EXPECT_EQ(model.getCost("a", work, error)->seconds,
            1 + 2.0 * 3 * 24 * 5 * 2.5 + 2 * 0.5 * 255);
  EXPECT_EQ(model.getCost("a", work, error)->joules, 2 * 0.25 * 255);
  work.innermost = 3;
  EXPECT_FALSE(model.getCost("a", work, error));
  EXPECT_EQ(error, "the innermost axis must be one of 3, got 3");
  work.innermost = 1;
  work.columnBytes = -1;
  EXPECT_FALSE(model.getCost("a", work, error));
  EXPECT_EQ(error, "column bytes must not be negative, got -1");
}

/// The rates that are said replace those of the base.
TEST(BlockCost, RatesAlone) {
  OpRates base;
  base.name = "a";
  base.start = 1;
  base.point = 2;
  base.axes = {1, 2};
  ParseError error;
  std::optional<OpRates> rates =
      OpRates::parse("point = 3.0, axes = [4.0], lanes = 4", base, error);
  ASSERT_TRUE(rates) << error.message;
  EXPECT_EQ(rates->start, 1);
  EXPECT_EQ(rates->point, 3);
  EXPECT_EQ(rates->axes.size(), 1u);
  EXPECT_EQ(rates->lanes, 4);
  struct {
    StringRef text, message;
    size_t offset;
  } cases[] = {
      {"",
       "expected one of start point byte scratch scratch_point energy_point "
       "energy_byte lanes panel axes scratch_axes, got end of text",
       0},
      {"speed = 1.0",
       "expected one of start point byte scratch scratch_point energy_point "
       "energy_byte lanes panel axes scratch_axes, got 'speed'",
       0},
      {"point = 1.0 byte = 1.0",
       "expected ',' or the end of the rates, got "
       "'byte'",
       12},
      {"point = inf", "expected a number, got 'inf'", 8},
      {"point = -1.0",
       "point of op a must be finite and not negative, got -1.0", 0},
  };
  for (auto &c : cases) {
    EXPECT_FALSE(OpRates::parse(c.text, base, error)) << c.text.str();
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(error.offset, c.offset) << c.text.str();
  }
}

TEST(BlockCost, VerifiesCosts) {
  BlockCost cost;
  EXPECT_FALSE(cost.verify());
  cost.joules = -2;
  EXPECT_EQ(cost.verify(), "joules must be finite and not negative, got -2.0");
  cost.scratchBytes = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cost.verify(),
            "scratch bytes must be finite and not negative, got inf");
  cost.seconds = std::nan("");
  EXPECT_EQ(cost.verify(), "seconds must be finite and not negative, got nan");
}

TEST(BlockCost, RefusesWork) {
  CostModel model = parse("machine m op a: start = 1.0");
  std::string error;
  EXPECT_FALSE(model.getCost("b", {}, error));
  EXPECT_EQ(error, "the costs of 'm' have no rates for 'b', and none for all "
                   "ops");
  EXPECT_FALSE(model.getCost("a", {{3, -1}, 0, 0}, error));
  EXPECT_EQ(error, "extent 1 must not be negative, got -1");
  EXPECT_FALSE(model.getCost("a", {{3}, -8, 0}, error));
  EXPECT_EQ(error, "bytes in must not be negative, got -8");
  EXPECT_FALSE(model.getCost("a", {{3}, 0, -9}, error));
  EXPECT_EQ(error, "bytes out must not be negative, got -9");
  EXPECT_FALSE(model.getMessage(0, 1, 8, error));
  EXPECT_EQ(error, "the costs of 'm' have no network");
  model = parse(kText);
  EXPECT_FALSE(model.getMessage(0, 20, 8, error));
  EXPECT_EQ(error, "rank 20 must be in [0, 20)");
  EXPECT_FALSE(model.getMessage(-1, 0, 8, error));
  EXPECT_EQ(error, "rank -1 must be in [0, 20)");
  EXPECT_FALSE(model.getMessage(0, 1, -8, error));
  EXPECT_EQ(error, "bytes must not be negative, got -8");
  EXPECT_FALSE(model.getCollective(Collective::AllReduce, 0, 8, 1, error));
  EXPECT_EQ(error, "ranks must be positive, got 0");
  EXPECT_FALSE(model.getCollective(Collective::AllReduce, 2, 8, -1, error));
  EXPECT_EQ(error, "hops must not be negative, got -1");
}

/// Hops are shortest ways, by walking the grid.
TEST(BlockCost, HopsAreShortestWays) {
  for (bool isTorus : {false, true})
    for (llvm::SmallVector<int64_t, 3> shape :
         {llvm::SmallVector<int64_t, 3>{7}, {3, 5}, {2, 3, 4}, {1, 4}}) {
      Network network;
      network.isTorus = isTorus;
      network.shape = shape;
      const int64_t ranks = *network.getNumRanks();
      auto neighbours = [&](int64_t rank) {
        std::vector<int64_t> out;
        int64_t stride = 1;
        for (int64_t extent : llvm::reverse(shape)) {
          const int64_t x = rank / stride % extent;
          for (int64_t y : {x - 1, x + 1})
            if (isTorus || (y >= 0 && y < extent))
              out.push_back(rank + ((y + extent) % extent - x) * stride);
          stride *= extent;
        }
        return out;
      };
      for (int64_t from = 0; from != ranks; ++from) {
        std::vector<int64_t> way(ranks, -1);
        std::queue<int64_t> open({from});
        way[from] = 0;
        for (; !open.empty(); open.pop())
          for (int64_t next : neighbours(open.front()))
            if (way[next] < 0) {
              way[next] = way[open.front()] + 1;
              open.push(next);
            }
        for (int64_t to = 0; to != ranks; ++to)
          EXPECT_EQ(network.getHops(from, to), way[to]);
      }
      EXPECT_FALSE(network.getHops(0, ranks));
    }
}

TEST(BlockCost, Messages) {
  CostModel model =
      parse("machine m network mesh 2x3: latency = 2.0, bandwidth "
            "= 4.0, overhead = 1.0, energy = 0.5");
  std::string error;
  MessageCost cost = *model.getMessage(0, 5, 8, error);
  EXPECT_EQ(cost.hops, 3);
  EXPECT_EQ(cost.seconds, 1 + 3 * 2 + 2);
  EXPECT_EQ(cost.joules, 0.5 * 8 * 3);
  EXPECT_EQ(model.getMessage(4, 4, 8, error)->seconds, 0);

  // Four ranks on a ring, 16 bytes: shares of 4.
  CollectiveCost gather =
      *model.getCollective(Collective::AllGather, 4, 16, 1, error);
  EXPECT_EQ(gather.steps, 3);
  EXPECT_EQ(gather.bytesSent, 12);
  EXPECT_EQ(gather.seconds, 3 * (1 + 2) + 3.0);
  EXPECT_EQ(gather.joules, 0.5 * 12 * 4);
  CollectiveCost reduce =
      *model.getCollective(Collective::AllReduce, 4, 16, 1, error);
  EXPECT_EQ(reduce.steps, 6);
  EXPECT_EQ(reduce.bytesSent, 24);
  EXPECT_EQ(
      model.getCollective(Collective::ReduceScatter, 4, 16, 1, error)->seconds,
      gather.seconds);
  // A share goes to each other rank, over 1, 2 and 3 links.
  CollectiveCost all =
      *model.getCollective(Collective::AllToAll, 4, 16, 1, error);
  EXPECT_EQ(all.bytesSent, 12);
  EXPECT_EQ(all.seconds, 3 * (1 + 2) + (4 + 8 + 12) / 4.0);
  EXPECT_EQ(
      model.getCollective(Collective::AllReduce, 1, 16, 1, error)->seconds, 0);
}

/// Rates that made the samples are found again; none becomes negative.
TEST(BlockCost, FittedRates) {
  std::string error;
  std::vector<CostSample> samples;
  for (double points : {10.0, 100.0, 5000.0, 1e6})
    for (double bytes : {0.0, 4096.0, 1e7})
      samples.push_back({points, bytes, 2e-6 + 3e-9 * points + 1e-10 * bytes});
  OpRates rates = *fitRates("a", samples, error);
  EXPECT_NEAR(rates.start, 2e-6, 1e-12);
  EXPECT_NEAR(rates.point, 3e-9, 1e-15);
  EXPECT_NEAR(rates.byte, 1e-10, 1e-16);
  // Time that falls with the bytes is not a rate.
  samples.clear();
  for (double bytes : {1.0, 2.0, 3.0})
    samples.push_back({0, bytes, 10 - bytes});
  rates = *fitRates("a", samples, error);
  EXPECT_EQ(rates.byte, 0);
  EXPECT_EQ(rates.point, 0);
  EXPECT_GT(rates.start, 7);
  EXPECT_LT(rates.start, 9);
  // One sample is the whole model.
  rates = *fitRates("a", {{4, 0, 8}}, error);
  EXPECT_NEAR(rates.start + 4 * rates.point, 8, 1e-12);
  EXPECT_FALSE(fitRates("a", {}, error));
  EXPECT_EQ(error, "rates of 'a' need at least one sample");
  EXPECT_FALSE(fitRates("a", {{1, 1, 1}, {1, 1, 0}}, error));
  EXPECT_EQ(error,
            "sample 1 must have a positive time and no negative points or "
            "bytes");
}

TEST(BlockCost, SaysWhatIsWrongAndWhere) {
  struct {
    StringRef text, message;
    size_t offset;
  } cases[] = {
      {"", "costs must name their machine", 0},
      {"op a: start = 1.0", "costs must name their machine", 17},
      {"speed 3", "expected machine, cliffs, op or network, got 'speed'", 0},
      {"machine", "expected the name of a machine, got end of text", 7},
      {"machine a machine b", "the machine is given twice", 10},
      {"cliffs 3", "expected '[' to begin cliffs, got '3'", 7},
      {"cliffs [3 1.0]", "expected ':' before the factor of a cliff, got '1'",
       10},
      {"cliffs [x: 1.0]", "expected a number of bytes, got 'x'", 8},
      {"cliffs [3: y]", "expected a number, got 'y'", 11},
      {"cliffs [3: 1.2.3]", "'1.2.3' is not a decimal number", 11},
      {"cliffs [3: 1.0e999]", "'1.0e999' is not a decimal number", 11},
      {"cliffs [0: 1.0]",
       "cliff 0 must be at a positive number of bytes, got 0", 0},
      {"cliffs [3: 1.0, 3: 2.0]", "cliffs must ascend, got 3 after 3", 0},
      {"cliffs [3: -1.0]",
       "the factor of cliff 0 must be finite and not negative, got -1.0", 0},
      {"cliffs [3: 1.0] cliffs [4: 1.0]", "cliffs are given twice", 23},
      {"op : start = 1.0", "expected the name of an op, got ':'", 3},
      {"op a start = 1.0", "expected ':' before rates, got 'start'", 5},
      {"op a: begin = 1.0",
       "expected one of start point byte scratch scratch_point energy_point "
       "energy_byte lanes panel axes scratch_axes, got 'begin'",
       6},
      {"op a: start 1.0", "expected '=' after start, got '1'", 12},
      {"op a: start = 1.0, start = 2.0", "start is given twice", 19},
      {"op a: start = 1.0 op a: start = 1.0", "op a is given twice", 21},
      {"machine m op a: byte = -2.5",
       "byte of op a must be finite and not negative, got -2.5", 10},
      {"op a: axes = [1.0, -2.0]",
       "axes entry 1 of op a must be finite and not negative, got -2.0", 0},
      {"op a: lanes = 0", "lanes of op a must be positive, got 0", 0},
      {"op a: lanes = x", "expected a number of lanes, got 'x'", 14},
      {"op a: panel = [5: 1.0, 4: 2.0]",
       "cliffs of the panel of op a must ascend, got 4 after 5", 0},
      {"op a: panel = [5: -1.0]",
       "the factor of cliff 0 of the panel of op a must be finite and not "
       "negative, got -1.0",
       0},
      {"op *.maps: start = 1.0",
       "op *.maps must be *, *.map, *.move, *.sum or *.chain", 0},
      {"op a: scratch_axes = 1", "expected '[' to begin scratch_axes, got '1'",
       21},
      {"network ring 3: latency = 1.0", "expected mesh or torus, got 'ring'",
       8},
      {"network mesh 3x: latency = 1.0", "expected a number of ranks, got ':'",
       15},
      {"network mesh 0: bandwidth = 1.0",
       "extent 0 of the network must be positive, got 0", 0},
      {"network mesh 9223372036854775807x2: bandwidth = 1.0",
       "the network has more than 2^63 - 1 ranks", 0},
      {"network mesh 3: latency = 1.0",
       "bandwidth of the network must be positive, got 0.0", 0},
      {"network mesh 3: latency = -1.0",
       "latency of the network must be finite and not negative, got -1.0", 0},
      {"network mesh 3: speed = 1.0",
       "expected one of latency bandwidth overhead energy, got 'speed'", 16},
      {"network mesh 3: bandwidth = 1 network", "the network is given twice",
       37},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(CostModel::parse(c.text, error)) << c.text.str();
    EXPECT_EQ(error.message, c.message) << c.text.str();
    EXPECT_EQ(error.offset, c.offset) << c.text.str();
  }
}
