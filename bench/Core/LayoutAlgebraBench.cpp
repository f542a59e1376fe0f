//===- LayoutAlgebraBench.cpp - Layouts per second ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra of tiled layouts by digits, and the evaluation of a layout's map
// at all elements. `items_per_second` is operations (or elements) per second on
// one core.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LinearLayout.h"
#include "TensorAccess/Core/MapEvaluator.h"
#include "TensorAccess/Core/MemoryRuns.h"
#include "TensorAccess/Core/StridedAlgebra.h"
#include "TensorAccess/Core/StridedLayout.h"

#include <benchmark/benchmark.h>

using namespace mlir::tensoraccess;

static const char *const texts[] = {
    "f32[1000,1000]{1,0:T(8,128)}",
    "bf16[1024,1000]{1,0:T(8,128)(2,1)}",
    "bf16[64,56,56,256]{3,2,1,0:T(8,128)(2,1)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
};

static Layout parse(const char *text) {
  ParseError error;
  return *Layout::parse(text, error);
}

static void Construct(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  for (auto _ : state)
    benchmark::DoNotOptimize(getDigits(layout));
  state.SetItemsProcessed(state.iterations());
}

static void Canonical(benchmark::State &state) {
  DigitMap map = *getDigits(parse(texts[state.range(0)]));
  for (auto _ : state)
    benchmark::DoNotOptimize(map.canonical());
  state.SetItemsProcessed(state.iterations());
}

/// From two layouts, with the construction of both maps.
static void Equality(benchmark::State &state) {
  Layout a = parse(texts[state.range(0)]), b = a;
  b.tiles.push_back({1, 1});
  for (auto _ : state)
    benchmark::DoNotOptimize(isSameMap(a, b));
  state.SetItemsProcessed(state.iterations());
}

/// The same of layouts that are not equal.
static void Inequality(benchmark::State &state) {
  Layout a = parse(texts[state.range(0)]), b = a;
  b.tiles.push_back({4});
  for (auto _ : state)
    benchmark::DoNotOptimize(isSameMap(a, b));
  state.SetItemsProcessed(state.iterations());
}

static void Invert(benchmark::State &state) {
  DigitMap map = *getDigits(parse(texts[state.range(0)]));
  for (auto _ : state)
    benchmark::DoNotOptimize(map.inverse());
  state.SetItemsProcessed(state.iterations());
}

/// Numbers of row-major order to numbers of the layout.
static void Compose(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  DigitMap map = *getDigits(layout);
  DigitMap back = *DigitMap::rowMajor(*layout.shape)->inverse();
  for (auto _ : state)
    benchmark::DoNotOptimize(back.then(map));
  state.SetItemsProcessed(state.iterations());
}

/// From two layouts, the map of a conversion: both maps, an inverse and a
/// composition.
static void Convert(benchmark::State &state) {
  Layout a = parse(texts[state.range(0)]);
  Layout b = Layout::rowMajor(a.getRank()).withShape(*a.shape, *a.elementType);
  for (auto _ : state)
    benchmark::DoNotOptimize(getRelayout(a, b));
  state.SetItemsProcessed(state.iterations());
}

/// To the parameters of a linalg.pack, or the reason why there are none.
static void ToPack(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  std::string reason;
  for (auto _ : state)
    benchmark::DoNotOptimize(toPack(layout, reason));
  state.SetItemsProcessed(state.iterations());
}

static void ToBlockedTag(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  std::string reason;
  for (auto _ : state)
    benchmark::DoNotOptimize(toBlockedTag(layout, reason));
  state.SetItemsProcessed(state.iterations());
}

static void Linearize(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  llvm::SmallVector<int64_t, 4> index(*layout.shape);
  for (int64_t &i : index)
    --i;
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.linearize(index));
  state.SetItemsProcessed(state.iterations());
}

/// With the map made before.
static void LinearizeMap(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  DigitMap map = *getDigits(layout);
  llvm::SmallVector<int64_t, 4> index(*layout.shape);
  for (int64_t &i : index)
    --i;
  int64_t number;
  for (auto _ : state)
    benchmark::DoNotOptimize(map.evaluate(index, number));
  state.SetItemsProcessed(state.iterations());
}

static void Delinearize(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.delinearize(12345));
  state.SetItemsProcessed(state.iterations());
}

/// The runs of a box that lies across tiles, counted.
static void CountRuns(benchmark::State &state) {
  Layout layout = parse(texts[state.range(0)]);
  Box box = getWholeBox(*layout.shape);
  box.lo[0] += 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(getRuns(layout, box));
  state.SetItemsProcessed(state.iterations());
}

#define LAYOUTS DenseRange(0, 3)
BENCHMARK(Construct)->LAYOUTS;
BENCHMARK(Canonical)->LAYOUTS;
BENCHMARK(Equality)->LAYOUTS;
BENCHMARK(Inequality)->LAYOUTS;
BENCHMARK(Invert)->LAYOUTS;
BENCHMARK(Compose)->LAYOUTS;
BENCHMARK(Convert)->LAYOUTS;
BENCHMARK(ToPack)->LAYOUTS;
BENCHMARK(ToBlockedTag)->LAYOUTS;
BENCHMARK(Linearize)->LAYOUTS;
BENCHMARK(LinearizeMap)->LAYOUTS;
BENCHMARK(Delinearize)->LAYOUTS;
BENCHMARK(CountRuns)->LAYOUTS;

/// All numbers of a layout, elements per second.
template <typename T>
static void evaluateAll(benchmark::State &state, const char *text) {
  Layout layout = parse(text);
  MapEvaluator evaluator(*layout.getIndexingMap());
  Box box = *evaluator.getBox();
  std::vector<T> numbers(*layout.getElements());
  for (auto _ : state) {
    if (evaluator.evaluate(box, {numbers.data()}) != EnumerateStatus::Ok)
      state.SkipWithError("the map is not evaluated");
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * numbers.size());
}
static void EvaluateWide(benchmark::State &state, const char *text) {
  evaluateAll<int64_t>(state, text);
}
static void EvaluateNarrow(benchmark::State &state, const char *text) {
  evaluateAll<int32_t>(state, text);
}
BENCHMARK_CAPTURE(EvaluateWide, T8_128_2_1,
                  "bf16[2048,2000]{1,0:T(8,128)(2,1)}");
BENCHMARK_CAPTURE(EvaluateNarrow, T8_128_2_1,
                  "bf16[2048,2000]{1,0:T(8,128)(2,1)}");
BENCHMARK_CAPTURE(EvaluateWide, T3_5, "f32[1000,1001]{1,0:T(3,5)}");
BENCHMARK_CAPTURE(EvaluateWide, NCHW16c, "f32[8,60,56,56]{1,3,2,0:T(16)}");
BENCHMARK_CAPTURE(EvaluateWide, combined,
                  "f32[2,7,80,110,10]{4,3,2,1,0:T(*,*,2,*,3)}");

/// The same by `evaluate`, a point at a time.
static void EvaluateOneByOne(benchmark::State &state) {
  Layout layout = parse("bf16[64,500]{1,0:T(8,128)(2,1)}");
  IndexingMap map = *layout.getIndexingMap();
  for (auto _ : state)
    for (int64_t i = 0; i < 64; ++i)
      for (int64_t j = 0; j < 500; ++j)
        benchmark::DoNotOptimize(map.evaluate({i, j}));
  state.SetItemsProcessed(state.iterations() * 64 * 500);
}
BENCHMARK(EvaluateOneByOne);

/// A layout of bits, each the sum of a few others: invertible.
static LinearLayout getLinear(unsigned bits) {
  LinearLayout layout = LinearLayout::identity(bits, "in", "out");
  uint64_t random = 1;
  for (unsigned step = 0; step < 8 * bits; ++step) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const unsigned i = (random >> 33) % bits, j = (random >> 48) % bits;
    if (i != j)
      layout.inputs[0].bases[i] ^= layout.inputs[0].bases[j];
  }
  return layout;
}

static void InvertLinear(benchmark::State &state) {
  LinearLayout layout = getLinear(state.range(0));
  std::string error;
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.invert(error));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(InvertLinear)->Arg(5)->Arg(15)->Arg(30);

static void ComposeLinear(benchmark::State &state) {
  LinearLayout layout = getLinear(state.range(0));
  std::string error;
  for (auto _ : state)
    benchmark::DoNotOptimize(layout.compose(layout, error));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ComposeLinear)->Arg(15);

static void ComposeStrided(benchmark::State &state, const char *a,
                           const char *b) {
  ParseError error;
  StridedLayout first = *StridedLayout::parse(a, error),
                second = *StridedLayout::parse(b, error);
  std::string reason;
  for (auto _ : state)
    benchmark::DoNotOptimize(strided::compose(first, second, reason));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(ComposeStrided, blocks, "20:2", "(5,4):(4,1)");
BENCHMARK_CAPTURE(ComposeStrided, nested, "((2,4),(8,16)):((1,64),(2,256))",
                  "((4,4),(2,8)):((16,1),(64,128))");

BENCHMARK_MAIN();
