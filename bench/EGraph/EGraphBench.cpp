//===- EGraphBench.cpp - How fast terms are rewritten ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of products under associativity, to saturation: a chain of n matrices
// has n(n+1)/2 classes and n + (n-1)n(n+1)/6 nodes.
//
//===----------------------------------------------------------------------===//

#include "ProcessStatus.h"
#include "TensorAccess/EGraph/Saturate.h"

#include "benchmark/benchmark.h"

#include <cstdlib>

using namespace mlir::tensoraccess;

/// (a (b c)) = ((a b) c), from left to right and from right to left.
static std::vector<TableRule> makeAssociativity(SymbolId times) {
  std::vector<TableRule> rules;
  auto add = [&](const char *name, Pattern &pattern, unsigned root,
                 TermTemplate term) {
    pattern.addRoot(root);
    std::string problem;
    std::optional<MatchProgram> program =
        MatchProgram::compile(pattern, problem);
    if (!program)
      std::abort();
    rules.push_back(
        {name, *program,
         makeReplacement(std::move(term), root, pattern.getElements().size())});
  };
  for (bool isLeft : {false, true}) {
    Pattern p;
    unsigned a = p.addVariable(), b = p.addVariable(), c = p.addVariable();
    if (isLeft) {
      unsigned inner = p.addNode(times, {a, b});
      add("left", p, p.addNode(times, {inner, c}),
          {{{times, {b, c}}, {times, {a, 5}}}, 6});
    } else {
      unsigned inner = p.addNode(times, {b, c});
      add("right", p, p.addNode(times, {a, inner}),
          {{{times, {a, b}}, {times, {5, c}}}, 6});
    }
  }
  return rules;
}

static void matrixChain(benchmark::State &state, SaturationMode mode) {
  const uint64_t n = state.range(0);
  SaturationStatistics got;
  size_t memory = 0;
  const double idle = bench::readStatus("VmRSS");
  for (auto _ : state) {
    NodeTable table;
    SymbolId times = table.addSymbol(2);
    ClassId chain = *table.add(table.addSymbol(0), {});
    for (uint64_t i = 1; i < n; ++i)
      chain = *table.add(times, {*table.add(table.addSymbol(0), {}), chain});
    SaturationOptions options;
    options.limits.seconds = 1000;
    options.limits.nodes = uint64_t(1) << 30;
    options.limits.iterations = 1000;
    options.mode = mode;
    got = saturate(table, makeAssociativity(times), options);
    memory = table.getMemory();
  }
  const bool isRight = got.reason == StopReason::Saturated &&
                       got.classes == n * (n + 1) / 2 &&
                       got.nodes == n + (n - 1) * n * (n + 1) / 6;
  if (!isRight)
    state.SkipWithError("wrong numbers of classes or nodes");
  state.counters["nodes"] = got.nodes;
  state.counters["iterations"] = got.iterations;
  state.counters["taken"] = got.taken;
  state.counters["bytes/node"] =
      static_cast<double>(memory) / static_cast<double>(got.nodes);
  state.counters["peak/node"] =
      (bench::readStatus("VmHWM") - idle) * 1024 / got.nodes;
  state.counters["matches"] = got.rules[0].matches + got.rules[1].matches;
  state.counters["rebuild"] = got.rebuildSeconds;
}
BENCHMARK_CAPTURE(matrixChain, snapshots, SaturationMode::Snapshots)
    ->Arg(20)
    ->Arg(40)
    ->Arg(80)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(matrixChain, eager, SaturationMode::Eager)
    ->Arg(20)
    ->Arg(40)
    ->Arg(80)
    ->Arg(160)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
