//===- BlockBench.cpp - Footprints of blocks of real ops per second -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index spaces of all ops of a model are made once and then asked about
// blocks of them: what a block touches of one value (hull, count, kind,
// lattice; a footprint), of all values of the op with bytes, and what growing
// it along each axis adds. `items_per_second` is on one core; inside are blocks
// that projections answer alone, at the border are those of padded windows.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A model with the spaces and a block of each of its ops.
struct Model {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<BlockSpace> spaces;
  std::vector<Box> blocks;

  explicit Model(StringRef name) {
    DialectRegistry registry;
    registerEverything(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    module = parseSourceFile<ModuleOp>(
        (TENSORACCESS_MODELS_DIR "/" + name).str(), &context);
    IndexingCache cache;
    for (auto function : module->getOps<FunctionOpInterface>())
      forEachIndexedOp(function, [&](Operation *op) { add(op, cache); });
  }

  void add(Operation *op, IndexingCache &cache) {
    std::string error;
    if (!hasBlocks(op))
      return;
    std::optional<BlockSpace> space = getBlockSpace(op, cache, error);
    if (!space)
      return;
    blocks.push_back(*space->getMiddleBlock(8, error));
    spaces.push_back(std::move(*space));
  }

  static const Model &get(int64_t number) {
    static const Model models[] = {Model("resnet50.linalg.mlir"),
                                   Model("mobilenet.stablehlo-generic.mlir")};
    return models[number];
  }
};

void footprints(benchmark::State &state) {
  const Model &model = Model::get(state.range(0));
  int64_t count = 0;
  for (auto _ : state)
    for (size_t i = 0; i != model.spaces.size(); ++i)
      for (const BlockValue &value : model.spaces[i].values) {
        benchmark::DoNotOptimize(
            getFootprint(model.spaces[i], value, model.blocks[i]));
        ++count;
      }
  state.SetItemsProcessed(count);
}

void blocksOfOps(benchmark::State &state) {
  const Model &model = Model::get(state.range(0));
  for (auto _ : state)
    for (size_t i = 0; i != model.spaces.size(); ++i)
      benchmark::DoNotOptimize(
          getBlockFootprints(model.spaces[i], model.blocks[i]));
  state.SetItemsProcessed(state.iterations() * model.spaces.size());
}

void growths(benchmark::State &state) {
  const Model &model = Model::get(state.range(0));
  std::vector<BlockFootprints> own;
  for (size_t i = 0; i != model.spaces.size(); ++i)
    own.push_back(getBlockFootprints(model.spaces[i], model.blocks[i]));
  int64_t count = 0;
  for (auto _ : state)
    for (size_t i = 0; i != model.spaces.size(); ++i)
      for (unsigned a = 0; a != model.spaces[i].axes.size(); ++a) {
        benchmark::DoNotOptimize(
            getBlockGrowth(model.spaces[i], model.blocks[i], own[i], a));
        ++count;
      }
  state.SetItemsProcessed(count);
}

/// The first block of a padded convolution: its image is cut off.
void borders(benchmark::State &state) {
  MLIRContext context;
  DialectRegistry registry;
  registerEverything(registry);
  context.appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      "func.func @main(%x: tensor<1x56x56x64xf32>, %k: tensor<64x3x3x64xf32>, "
      "%b: tensor<64xf32>, %z: tensor<1xf32>) -> tensor<1x56x56x64xf32> {\n"
      "%0 = tosa.conv2d %x, %k, %b, %z, %z {acc_type = f32, dilation = "
      "array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, "
      "1>} : (tensor<1x56x56x64xf32>, tensor<64x3x3x64xf32>, tensor<64xf32>, "
      "tensor<1xf32>, tensor<1xf32>) -> tensor<1x56x56x64xf32>\n"
      "return %0 : tensor<1x56x56x64xf32>\n}",
      &context);
  IndexingCache cache;
  std::string error;
  auto function = module->lookupSymbol<FunctionOpInterface>("main");
  Operation &op = function.getFunctionBody().front().front();
  BlockSpace space = *getBlockSpace(&op, cache, error);
  Box block = *space.getMiddleBlock(8, error);
  for (auto [lo, hi] : llvm::zip_equal(block.lo, block.hi)) {
    hi -= lo;
    lo = 0;
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(getFootprint(space, space.values[0], block));
  state.SetItemsProcessed(state.iterations());
}

/// What making all spaces of a model takes.
void spaces(benchmark::State &state) {
  const Model &model = Model::get(state.range(0));
  for (auto _ : state) {
    IndexingCache cache;
    std::string error;
    for (const BlockSpace &space : model.spaces)
      benchmark::DoNotOptimize(getBlockSpace(space.op, cache, error));
  }
  state.SetItemsProcessed(state.iterations() * model.spaces.size());
}

} // namespace

BENCHMARK(footprints)->Arg(0)->Arg(1);
BENCHMARK(blocksOfOps)->Arg(0)->Arg(1);
BENCHMARK(growths)->Arg(0)->Arg(1);
BENCHMARK(borders);
BENCHMARK(spaces)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
