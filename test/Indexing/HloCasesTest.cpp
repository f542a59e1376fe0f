//===- HloCasesTest.cpp - StableHLO's golden cases ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of one or more ops with the maps that XLA's tests expect. A set of
// maps is right if
//   1. at every point of a sample, with all corners, it reaches the same
//      elements (of the same replicas) as the expected ones together; where XLA
//      is known to answer too much, ours must be inside, and is checked by
//      definition elsewhere;
//   2. its results have no more divisions, and it has no more constraints, all
//      maps together.
//
//===----------------------------------------------------------------------===//

#include "../Core/CaseReader.h"
#include "Oracle.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class HloCases : public OracleTest {
protected:
  struct Entry {
    IndexingMap map;
    std::optional<IndexingMap> replica;
  };

  static IndexingMap parseMap(StringRef text) {
    ParseError error;
    std::optional<IndexingMap> map = IndexingMap::parse(text, error);
    EXPECT_TRUE(map) << text.str() << ": " << error.message;
    return map ? *map : IndexingMap();
  }

  /// What the maps reach from a point, a replica appended where there is one.
  static std::set<Point> reach(const std::vector<Entry> &entries,
                               ArrayRef<int64_t> from) {
    std::set<Point> reached;
    for (const Entry &entry : entries) {
      SmallVector<Interval> ranges(entry.map.getRanges());
      bool inside = true;
      for (auto [i, value] : llvm::enumerate(from)) {
        inside &= ranges[i].contains(value);
        ranges[i] = Interval::point(value);
      }
      if (!inside || entry.map.isKnownEmpty())
        continue;
      EnumerateStatus status = enumerate(
          entry.map.withRanges(ranges),
          [&](ArrayRef<int64_t> variables, ArrayRef<int64_t> results) {
            Point to(results.begin(), results.end());
            if (entry.replica) {
              auto replica = entry.replica->evaluateAt(variables);
              EXPECT_TRUE(replica) << entry.replica->str();
              if (replica)
                to.push_back(replica->front());
            }
            reached.insert(std::move(to));
            return true;
          },
          uint64_t(1) << 22);
      EXPECT_EQ(status, EnumerateStatus::Ok) << entry.map.str();
    }
    return reached;
  }

  static unsigned countDivisions(const IndexingMap &map) {
    std::string text = map.str();
    StringRef results = StringRef(text).split(", domain:").first;
    return results.count("floordiv") + results.count("ceildiv") +
           results.count(" mod ");
  }

  /// Points of the hull of all dims: corners, and a sample.
  static std::vector<Point> sample(const std::vector<Entry> &entries) {
    SmallVector<Interval> hull;
    uint64_t others = 1;
    for (const Entry &entry : entries) {
      if (hull.empty())
        hull.append(entry.map.getDimRanges().begin(),
                    entry.map.getDimRanges().end());
      for (auto [i, range] : llvm::enumerate(entry.map.getDimRanges()))
        hull[i] = hull[i].hull(range);
      for (Interval range :
           entry.map.getRanges().drop_front(entry.map.getNumDims()))
        others *= *range.size();
    }
    std::mt19937_64 random(7);
    std::vector<Point> points;
    for (unsigned n = 0; n < (others > (1u << 16) ? 2u : 60u); ++n) {
      Point point;
      for (Interval range : hull) {
        uint64_t pick = random();
        point.push_back(pick % 4 == 0   ? range.lower
                        : pick % 4 == 1 ? range.upper
                                        : range.lower + int64_t((pick >> 2) %
                                                                *range.size()));
      }
      points.push_back(point);
    }
    return points;
  }

  void check(const IndexingSet &set, const std::vector<Entry> &expected,
             bool mayBeSmaller) {
    ASSERT_FALSE(set.isUnknown()) << set.str();
    std::vector<Entry> actual;
    unsigned divisions = 0, constraints = 0;
    for (unsigned i = 0; i < set.size(); ++i) {
      MapDetailsRef details = set.getDetails(i);
      actual.push_back(
          {set.getMaps()[i], details ? details->replica : std::nullopt});
      divisions += countDivisions(actual.back().map);
      constraints += actual.back().map.getSize().constraints;
    }
    unsigned theirDivisions = 0, theirConstraints = 0;
    for (const Entry &entry : expected) {
      theirDivisions += countDivisions(entry.map);
      theirConstraints += entry.map.getSize().constraints;
    }
    for (const Point &point : sample(expected)) {
      std::set<Point> ours = reach(actual, point);
      std::set<Point> theirs = reach(expected, point);
      if (mayBeSmaller)
        EXPECT_TRUE(std::includes(theirs.begin(), theirs.end(), ours.begin(),
                                  ours.end()))
            << set.str(true);
      else
        EXPECT_TRUE(ours == theirs)
            << set.str(true) << "\nexpected " << expected.front().map.str();
    }
    if (!mayBeSmaller) {
      EXPECT_LE(divisions, theirDivisions) << set.str();
      EXPECT_LE(constraints, theirConstraints) << set.str();
    }
  }

  /// All cases of a file, which has at least this many sets to compare.
  void run(StringRef file, unsigned least) {
    // XLA's batch groups are a symbol, and the padding value is read
    // everywhere.
    const std::set<std::pair<std::string, int64_t>> larger = {
        {"xla.iat.ConvolutionOp_BatchGroups.0", 0},
        {"xla.iat.PadOpNegativePadding.0", 1},
    };
    unsigned compared = 0;
    for (const llvm::json::Object &object : readObjects(file)) {
      std::string id = object.getString("id")->str();
      SCOPED_TRACE(id);
      std::optional<StringRef> source = object.getString("mlir");
      // Layouts of arguments are not part of MLIR's tensor types.
      if (!source || object.getBoolean("physical_layout").value_or(false))
        continue;
      module = parseSourceString<ModuleOp>(*source, &context);
      if (!module) {
        ADD_FAILURE() << source->str();
        continue;
      }
      IndexingCache cache;
      auto function = cast<FunctionOpInterface>(
          SymbolTable::lookupSymbolIn(*module, "main"));
      const OpIndexing &whole = cache.getFunction(function);
      Operation *root = function.getFunctionBody()
                            .front()
                            .getTerminator()
                            ->getOperand(0)
                            .getDefiningOp();
      bool down = object.getString("direction") == "output_to_input";
      for (const llvm::json::Value &value : *object.getArray("expected")) {
        const llvm::json::Object &entry = *value.getAsObject();
        auto producer = entry.getString("producer");
        if (producer && *producer != "p0")
          continue; // an op in the middle
        std::vector<Entry> expected;
        for (const llvm::json::Value &text : *entry.getArray("maps"))
          expected.push_back({parseMap(*text.getAsString()), std::nullopt});
        if (auto text = entry.getString("replica_id_map"))
          expected.front().replica = parseMap(*text);
        int64_t argument = !down      ? *object.getInteger("input_id")
                           : producer ? 0
                                      : *entry.getInteger("operand");
        // A constant inside of the function is an operand of the root only.
        bool isInside = argument >= whole.getNumOperands();
        ASSERT_TRUE(root && (!isInside || argument < root->getNumOperands()));
        const OpIndexing &indexing = isInside ? cache.get(root) : whole;
        check(down ? indexing.outputToInput(0, argument)
                   : indexing.inputToOutput(argument, 0),
              expected, larger.count({id, argument}));
        ++compared;
      }
    }
    EXPECT_GE(compared, least);
  }
};

TEST_F(HloCases, Ops) { run("indexing_ops.jsonl", 24); }
TEST_F(HloCases, Fusion) { run("indexing_fusion.jsonl", 20); }

} // namespace
