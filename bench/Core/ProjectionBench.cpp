//===- ProjectionBench.cpp - Footprints per second ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Footprints of blocks (hull, count, kind and rows) through the projections of
// operations, and what is built on them. `items_per_second` is on one core.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/ProjectionFootprint.h"

#include <benchmark/benchmark.h>

using namespace mlir::tensoraccess;

namespace {

Projection read(llvm::StringRef text) {
  ParseError error;
  std::optional<Projection> projection = Projection::parse(text, error);
  return projection.value_or(Projection());
}

Box block(llvm::ArrayRef<int64_t> lo, llvm::ArrayRef<int64_t> hi) {
  return {llvm::SmallVector<int64_t>(lo), llvm::SmallVector<int64_t>(hi)};
}

struct Question {
  Projection projection;
  Box block;
};

/// What a matmul, a linear layer, a strided convolution, its filter, a pooling,
/// a broadcast and a reduction ask of their operands.
const std::vector<Question> &typical() {
  static const std::vector<Question> questions = {
      {read("[[1, 0], [0, 0]] + [0, 0], shape = [1, 512]"),
       block({0, 0}, {64, 64})},
      {read("[[0, 0], [0, 1]] + [0, 0], shape = [512, 1]"),
       block({0, 64}, {64, 128})},
      {read("[[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]] + "
            "[0, -3, -3, 0], shape = [1, 7, 7, 3], oob = "
            "[forbid, pad(0.0), pad(0.0), forbid]"),
       block({0, 56, 0, 0}, {1, 112, 112, 64})},
      {read("[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]] + "
            "[0, 0, 0, 0], shape = [7, 7, 3, 1]"),
       block({0, 56, 0, 0}, {1, 112, 112, 64})},
      {read("[[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]] + "
            "[0, 0, 0, 0], shape = [1, 3, 3, 1]"),
       block({0, 0, 0, 0}, {4, 28, 28, 64})},
      {read("[[0, 1]] + [0], shape = [1]"), block({0, 0}, {32, 1000})},
      {read("[[1], [0]] + [0, 0], shape = [1, 2048]"), block({3}, {17})},
      {read("[[-1, 0], [0, 3]] + [99, 0], shape = [1, 2]"),
       block({0, 0}, {50, 20})},
  };
  return questions;
}

void footprint(benchmark::State &state) {
  size_t count = 0;
  for (auto _ : state)
    for (const Question &q : typical()) {
      benchmark::DoNotOptimize(getFootprint(q.projection, q.block));
      ++count;
    }
  state.SetItemsProcessed(count);
}
BENCHMARK(footprint);

void one(benchmark::State &state, const char *text, Box points) {
  Projection projection = read(text);
  for (auto _ : state)
    benchmark::DoNotOptimize(getFootprint(projection, points));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(one, window, "[[2]] + [-3], shape = [7]", block({0}, {56}));
BENCHMARK_CAPTURE(one, dilated, "[[2, 3]] + [-3], shape = [1]",
                  block({0, 0}, {56, 3}));
BENCHMARK_CAPTURE(one, coupled, "[[1, 1], [1, -1]] + [0, 0], shape = [1, 1]",
                  block({0, 0}, {100, 100}));
BENCHMARK_CAPTURE(one, coupledRegions,
                  "[[1, 1], [1, -1]] + [0, 0], shape = [2, 2]",
                  block({0, 0}, {16, 16}));

void preimage(benchmark::State &state) {
  Projection projection = read("[[2, 0], [0, 2]] + [-3, -3], shape = [7, 7]");
  Box touched = block({10, 10}, {40, 40}), domain = block({0, 0}, {112, 112});
  for (auto _ : state)
    benchmark::DoNotOptimize(getPreimage(projection, touched, domain));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(preimage);

void halo(benchmark::State &state) {
  Projection projection = read("[[2, 0], [0, 2]] + [-3, -3], shape = [7, 7], "
                               "oob = [pad(0.0), pad(0.0)]");
  Box points = block({0, 56}, {56, 112}), owned = block({0, 112}, {112, 224});
  std::string error;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        getHalo(projection, points, owned, {224, 224}, error));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(halo);

/// A grid of 16 x 16 x 16 parts.
void exactCover(benchmark::State &state) {
  Box domain = block({0, 0, 0}, {64, 64, 64});
  std::vector<Box> parts;
  for (int64_t i = 0; i != 64; i += 4)
    for (int64_t j = 0; j != 64; j += 4)
      for (int64_t k = 0; k != 64; k += 4)
        parts.push_back(block({i, j, k}, {i + 4, j + 4, k + 4}));
  std::string error;
  for (auto _ : state)
    benchmark::DoNotOptimize(getExactCover(domain, parts, error));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(exactCover);

} // namespace

BENCHMARK_MAIN();
