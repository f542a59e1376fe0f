//===- CasesTest.cpp - Core against the collected cases -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the JSONL files of test/Cases. An answer is right if
//   1. it gives the same results as the input (or the chain of inputs, each
//      evaluated by itself) at every point of the domain, or at a fixed random
//      sample of points where the domain is large;
//   2. it prints with no more divisions than the best known form, and no more
//      constraints than expected;
//   3. simplifying it once more changes nothing, and so does printing and
//      parsing.
//
//===----------------------------------------------------------------------===//

#include "CaseReader.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

struct Case {
  std::string id;
  std::vector<std::string> ops, inputs;
  std::string expected, bestKnown;
  std::optional<int64_t> divisions, constraints;
  bool isCycle = false, isUnbounded = false;
};

std::vector<std::string> strings(const llvm::json::Object &o, StringRef key) {
  std::vector<std::string> out;
  if (const llvm::json::Array *array = o.getArray(key))
    for (const llvm::json::Value &v : *array)
      out.push_back(v.getAsString().value_or("").str());
  return out;
}

std::vector<Case> readCases(StringRef file) {
  std::vector<Case> cases;
  for (const llvm::json::Object &o : test::readObjects(file)) {
    Case c;
    c.id = o.getString("id").value_or("").str();
    c.ops = strings(o, "ops");
    c.inputs = strings(o, "inputs");
    c.expected = o.getString("expected").value_or("").str();
    c.bestKnown = o.getString("best_known").value_or("").str();
    c.divisions = o.getInteger("best_known_divmod");
    if (!c.divisions)
      c.divisions = o.getInteger("expected_divmod");
    c.constraints = o.getInteger("expected_constraints");
    c.isCycle = o.getBoolean("cycle_to_identity").value_or(false);
    c.isUnbounded = o.getBoolean("unbounded").value_or(false);
    cases.push_back(std::move(c));
  }
  return cases;
}

IndexingMap parse(StringRef text) {
  ParseError error;
  std::optional<IndexingMap> map = IndexingMap::parse(text, error);
  EXPECT_TRUE(map) << text.str() << "\n at " << error.offset << ": "
                   << error.message;
  return map ? *map : IndexingMap();
}

/// `floordiv`, `ceildiv` and `mod` in the results of a printed map; the figure
/// that the cases count.
unsigned divisionsInResults(const IndexingMap &map) {
  std::string text = map.str();
  StringRef results = StringRef(text).split(", domain:").first;
  return results.count("floordiv") + results.count("ceildiv") +
         results.count(" mod ");
}

/// Calls `visit` with points of the box of `ranges`: all, or a sample with the
/// corners' coordinates taken often.
void samplePoints(ArrayRef<Interval> ranges,
                  llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  constexpr int64_t kUnbounded = 1000;
  SmallVector<Interval, 8> box;
  uint64_t size = 1;
  for (Interval range : ranges) {
    range =
        range.intersect({-kUnbounded * kUnbounded, kUnbounded * kUnbounded});
    if (range.isEmpty())
      return;
    box.push_back(range);
    size *= std::min<uint64_t>(*range.size(), 1u << 20);
    size = std::min<uint64_t>(size, 1u << 20);
  }
  SmallVector<int64_t, 8> point(box.size());
  std::mt19937_64 random(20240521);
  if (size > 3000) {
    for (unsigned i = 0; i != 1500; ++i) {
      for (unsigned k = 0; k != box.size(); ++k) {
        uint64_t pick = random();
        point[k] = pick % 8 == 0 ? box[k].lower
                   : pick % 8 == 1
                       ? box[k].upper
                       : box[k].lower + int64_t((pick >> 8) % *box[k].size());
      }
      visit(point);
    }
    return;
  }
  for (uint64_t i = 0; i != size; ++i) {
    uint64_t rest = i;
    for (unsigned k = box.size(); k-- > 0;) {
      point[k] = box[k].lower + int64_t(rest % *box[k].size());
      rest /= *box[k].size();
    }
    visit(point);
  }
}

/// Checks `answer` against the chain `maps` (first map first), the variables of
/// the composition being ordered as `then` orders them.
void expectSameMeaning(ArrayRef<IndexingMap> maps, const IndexingMap &answer) {
  ASSERT_FALSE(answer.isUnknown());
  // The box of the composition before anything was learnt.
  IndexingMap raw = maps[0];
  for (const IndexingMap &map : maps.drop_front())
    raw = raw.then(map);
  ASSERT_EQ(raw.getNumVariables(), answer.getNumVariables());
  unsigned inside = 0;
  samplePoints(raw.getRanges(), [&](ArrayRef<int64_t> p) {
    // Walk the chain by itself. Symbols: those of the last map first.
    std::optional<SmallVector<int64_t>> value;
    ArrayRef<int64_t> symbols = p.slice(raw.getNumDims(), raw.getNumSymbols());
    ArrayRef<int64_t> runtime = p.take_back(raw.getNumRuntime());
    SmallVector<int64_t> current(p.take_front(raw.getNumDims()));
    value = current;
    for (const IndexingMap &map : maps) {
      ArrayRef<int64_t> s = symbols.take_back(map.getNumSymbols());
      ArrayRef<int64_t> rt = runtime.take_back(map.getNumRuntime());
      symbols = symbols.drop_back(map.getNumSymbols());
      runtime = runtime.drop_back(map.getNumRuntime());
      value = map.evaluate(*value, s, rt);
      if (!value)
        break;
    }
    inside += value.has_value();
    auto got = answer.evaluateAt(p);
    ASSERT_EQ(value.has_value(), got.has_value()) << answer.str();
    if (value) {
      ASSERT_EQ(ArrayRef<int64_t>(*value), ArrayRef<int64_t>(*got));
    }
  });
  if (answer.isKnownEmpty())
    EXPECT_EQ(inside, 0u);
}

void expectSettled(const IndexingMap &answer) {
  EXPECT_EQ(answer.simplify(), answer) << answer.str() << "\n"
                                       << answer.simplify().str();
  EXPECT_EQ(parse(answer.str()), answer) << answer.str();
  EXPECT_EQ(answer.verify(), std::nullopt);
}

TEST(Cases, ReshapeChainsStepByStep) {
  unsigned total = 0, best = 0, mixed = 0, mixedReached = 0;
  for (const Case &c : readCases("indexing_chains.jsonl")) {
    SCOPED_TRACE(c.id);
    SmallVector<IndexingMap, 8> maps;
    for (const std::string &text : c.inputs)
      maps.push_back(parse(text));
    IndexingMap answer = maps[0].simplify();
    for (const IndexingMap &map : ArrayRef<IndexingMap>(maps).drop_front())
      answer = answer.then(map).simplify();
    expectSameMeaning(maps, answer);
    expectSettled(answer);
    unsigned divisions = divisionsInResults(answer);
    if (StringRef(c.id).contains("mixed")) {
      ++mixed;
      bool reached = divisions <= *c.divisions &&
                     answer.getConstraints().size() <=
                         parse(c.bestKnown).getConstraints().size();
      mixedReached += reached;
      EXPECT_TRUE(reached) << answer.str() << "\nbest known: " << c.bestKnown;
      continue;
    }
    EXPECT_LE(divisions, *c.divisions)
        << answer.str() << "\nbest known: " << c.bestKnown;
    EXPECT_TRUE(answer.getConstraints().empty()) << answer.str();
    if (c.isCycle)
      EXPECT_TRUE(answer.isIdentity()) << answer.str();
    total += divisions;
    best += *c.divisions;
  }
  EXPECT_LE(total, best);
  RecordProperty("divisions", total);
  EXPECT_EQ(mixedReached, mixed);
}

TEST(Cases, Simplify) {
  for (const Case &c : readCases("indexing_simplify.jsonl")) {
    SCOPED_TRACE(c.id);
    SmallVector<IndexingMap, 2> maps;
    for (const std::string &text : c.inputs)
      maps.push_back(parse(text));
    IndexingMap answer = maps[0];
    for (const IndexingMap &map : ArrayRef<IndexingMap>(maps).drop_front())
      answer = answer.then(map);
    for (const std::string &op : c.ops) {
      if (op == "simplify" || op == "canonicalize")
        answer = answer.simplify();
      else if (op == "remove_unused_symbols")
        answer = answer.removeUnusedSymbols();
    }
    expectSameMeaning(maps, answer);
    expectSettled(answer.simplify());
    std::string best = c.bestKnown.empty() ? c.expected : c.bestKnown;
    if (best == "KNOWN EMPTY") {
      EXPECT_TRUE(answer.isKnownEmpty()) << answer.str();
      continue;
    }
    if (best.empty())
      continue;
    IndexingMap expected = parse(best);
    MapSize size = answer.getSize(), bound = expected.getSize();
    EXPECT_LE(divisionsInResults(answer), c.divisions.value_or(bound.divisions))
        << answer.str() << "\nexpected: " << best;
    EXPECT_LE(size.constraints, c.constraints.value_or(bound.constraints))
        << answer.str() << "\nexpected: " << best;
  }
}

} // namespace
