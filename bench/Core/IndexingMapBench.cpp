//===- IndexingMapBench.cpp - Maps per second -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading, printing, composing and simplifying indexing maps, on the maps of
// test/Cases. `items_per_second` is maps (or chains) per second on one core.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <benchmark/benchmark.h>

#include <chrono>

using namespace mlir::tensoraccess;
using llvm::StringRef;

namespace {

struct Chain {
  std::string id;
  std::vector<std::string> texts;
  std::vector<IndexingMap> maps;
};

std::vector<Chain> readChains(StringRef file) {
  std::vector<Chain> chains;
  auto buffer = llvm::MemoryBuffer::getFile(
      std::string(TENSORACCESS_CASES_DIR) + "/" + file.str());
  if (!buffer)
    return chains;
  llvm::SmallVector<StringRef, 128> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(line));
    const llvm::json::Object &o = *value.getAsObject();
    Chain chain;
    chain.id = o.getString("id").value_or("").str();
    for (const llvm::json::Value &v : *o.getArray("inputs")) {
      chain.texts.push_back(v.getAsString()->str());
      ParseError error;
      std::optional<IndexingMap> map =
          IndexingMap::parse(chain.texts.back(), error);
      if (map)
        chain.maps.push_back(*map);
    }
    if (chain.maps.size() == chain.texts.size())
      chains.push_back(std::move(chain));
  }
  return chains;
}

const std::vector<Chain> &allChains() {
  static const std::vector<Chain> chains = readChains("indexing_chains.jsonl");
  return chains;
}

const std::vector<Chain> &simplifyCases() {
  static const std::vector<Chain> cases = readChains("indexing_simplify.jsonl");
  return cases;
}

std::pair<IndexingMap, IndexingMap> read(StringRef first, StringRef second) {
  ParseError error;
  return {*IndexingMap::parse(first, error),
          *IndexingMap::parse(second, error)};
}

void parse(benchmark::State &state) {
  size_t maps = 0;
  for (auto _ : state)
    for (const Chain &chain : allChains())
      for (const std::string &text : chain.texts) {
        ParseError error;
        benchmark::DoNotOptimize(IndexingMap::parse(text, error));
        ++maps;
      }
  state.SetItemsProcessed(maps);
}
BENCHMARK(parse);

void print(benchmark::State &state) {
  size_t maps = 0;
  for (auto _ : state)
    for (const Chain &chain : allChains())
      for (const IndexingMap &map : chain.maps) {
        benchmark::DoNotOptimize(map.str());
        ++maps;
      }
  state.SetItemsProcessed(maps);
}
BENCHMARK(print);

/// The cases of XLA's simplifier, each map by itself. A map remembers that it
/// is simplified, so each time simplifies new copies.
void simplify(benchmark::State &state) {
  size_t maps = 0;
  std::vector<IndexingMap> copies;
  for (auto _ : state) {
    state.PauseTiming();
    copies.clear();
    for (unsigned repeat = 0; repeat != 20; ++repeat)
      for (const Chain &chain : simplifyCases())
        for (const IndexingMap &map : chain.maps)
          if (map.isOrdinary())
            copies.push_back(map.withResults(map.getResults()));
    state.ResumeTiming();
    for (const IndexingMap &map : copies)
      benchmark::DoNotOptimize(map.simplify());
    maps += copies.size();
  }
  state.SetItemsProcessed(maps);
}
BENCHMARK(simplify);

/// Reads and simplifies: what a pass over attributes does.
void parseAndSimplify(benchmark::State &state) {
  size_t maps = 0;
  for (auto _ : state)
    for (const Chain &chain : simplifyCases())
      for (const std::string &text : chain.texts) {
        ParseError error;
        benchmark::DoNotOptimize(IndexingMap::parse(text, error)->simplify());
        ++maps;
      }
  state.SetItemsProcessed(maps);
}
BENCHMARK(parseAndSimplify);

/// Composes and simplifies whole chains, step by step.
void chains(benchmark::State &state, StringRef kind) {
  size_t count = 0;
  for (auto _ : state)
    for (const Chain &chain : allChains()) {
      if (!StringRef(chain.id).contains(kind))
        continue;
      IndexingMap map = chain.maps.front();
      for (size_t i = 1; i < chain.maps.size(); ++i)
        map = map.then(chain.maps[i]).simplify();
      benchmark::DoNotOptimize(map);
      ++count;
    }
  state.SetItemsProcessed(count);
}
BENCHMARK_CAPTURE(chains, reshape, "reshape");
BENCHMARK_CAPTURE(chains, collapse_expand, "collapse_expand");
BENCHMARK_CAPTURE(chains, mixed, "mixed");

/// The slowest chain of a kind, in microseconds: the least of many times.
void worstChain(benchmark::State &state, StringRef kind) {
  using Clock = std::chrono::steady_clock;
  double worst = 0;
  for (auto _ : state)
    for (const Chain &chain : allChains()) {
      if (!StringRef(chain.id).contains(kind))
        continue;
      double best = 1e9;
      for (unsigned repeat = 0; repeat != 50; ++repeat) {
        Clock::time_point begin = Clock::now();
        IndexingMap map = chain.maps.front();
        for (size_t i = 1; i < chain.maps.size(); ++i)
          map = map.then(chain.maps[i]).simplify();
        benchmark::DoNotOptimize(map);
        best = std::min(best, std::chrono::duration<double, std::micro>(
                                  Clock::now() - begin)
                                  .count());
      }
      worst = std::max(worst, best);
    }
  state.counters["worst_us"] = worst;
}
BENCHMARK_CAPTURE(worstChain, reshape, "reshape")->Iterations(3);
BENCHMARK_CAPTURE(worstChain, mixed, "mixed")->Iterations(3);

/// Composition alone, on small maps as elementwise ops, broadcasts, transposes,
/// slices, windows and contractions give them.
void compose(benchmark::State &state) {
  static const std::pair<IndexingMap, IndexingMap> pairs[] = {
      read("(d0, d1) -> (d0, d1), domain: d0 in [0, 31], d1 in [0, 63]",
           "(d0, d1) -> (d1, d0), domain: d0 in [0, 31], d1 in [0, 63]"),
      read("(d0, d1) -> (d1, d0), domain: d0 in [0, 31], d1 in [0, 63]",
           "(d0, d1) -> (d1), domain: d0 in [0, 63], d1 in [0, 31]"),
      read("(d0, d1) -> (d0 * 2 + 1, d1 + 3), domain: d0 in [0, 14], d1 in [0, "
           "19]",
           "(d0, d1) -> (d0 + 5, -d1 + 30), domain: d0 in [0, 31], d1 in [0, "
           "30]"),
      read("(d0, d1, d2) -> (d1, d2), domain: d0 in [0, 7], d1 in [0, 9], d2 "
           "in [0, 4]",
           "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 9], d1 in [0, 4], s0 "
           "in [0, 15]"),
      read("(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 15]",
           "(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 9], d1 in [0, 15], s0 "
           "in [0, 3]"),
      read("(d0, d1)[s0] -> (d0 * 2 + s0, d1), domain: d0 in [0, 9], d1 in [0, "
           "4], s0 in [0, 2]",
           "(d0, d1) -> (d1, d0), domain: d0 in [0, 20], d1 in [0, 4]"),
  };
  size_t count = 0;
  for (auto _ : state)
    for (const auto &[first, second] : pairs) {
      benchmark::DoNotOptimize(first.then(second));
      ++count;
    }
  state.SetItemsProcessed(count);
}
BENCHMARK(compose);

/// A reshape of 20 dims into 20 others and back, simplified.
void reshapeOfRank20(benchmark::State &state) {
  llvm::SmallVector<int64_t> from, to;
  for (unsigned i = 0; i != 10; ++i) {
    from.append({2, 3});
    to.append({3, 2});
  }
  IndexingMap there = reshapeMap(from, to), back = reshapeMap(to, from);
  for (auto _ : state)
    benchmark::DoNotOptimize(there.then(back).simplify());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(reshapeOfRank20);

/// [10, 10, 10] -> [50, 20] -> [10, 10, 10], XLA's example.
void roundTrip(benchmark::State &state) {
  const Chain &chain = allChains().front();
  for (auto _ : state)
    benchmark::DoNotOptimize(chain.maps[0].then(chain.maps[1]).simplify());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(roundTrip);

void evaluate(benchmark::State &state) {
  const IndexingMap &map = allChains()[1].maps[0];
  for (auto _ : state)
    benchmark::DoNotOptimize(map.evaluate({4711}));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(evaluate);

} // namespace

BENCHMARK_MAIN();
