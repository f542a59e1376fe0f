//===- SystolicBench.cpp - How fast products find their arrays ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of n x n matrices in blocks of 16 x 16, written out in loops, and
// convolutions of ResNet-50 to arrays, each from a program that is parsed
// already to one that is rewritten. The number of loads is checked: it is the
// least there is, a load for each block of the weights.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/SaturateTerms.h"

#include "benchmark/benchmark.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static void load(MLIRContext &context) {
  context.disableMultithreading();
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      linalg::LinalgDialect, pdl::PDLDialect, scf::SCFDialect,
                      tensor::TensorDialect, TensorAccessDialect>();
}

static std::string makeMatmul(int64_t n) {
  return llvm::formatv(R"(
func.func @f(%a: tensor<{0}x{0}xf32>, %b: tensor<{0}x{0}xf32>) -> tensor<{0}x{0}xf32> {{
  %0 = tensoraccess.access %a at 1 : tensor<{0}x{0}xf32> -> !tensoraccess.access<{0} | {0}xf32>
  %1 = tensoraccess.access %b at 1 : tensor<{0}x{0}xf32> -> !tensoraccess.access<{0} | {0}xf32>
  %2 = tensoraccess.transpose %1 perm = [1, 0] : !tensoraccess.access<{0} | {0}xf32> -> !tensoraccess.access<{0} | {0}xf32>
  %3 = tensoraccess.cart_prod %0, %2 : !tensoraccess.access<{0} | {0}xf32>, !tensoraccess.access<{0} | {0}xf32> -> !tensoraccess.access<{0}x{0} | 2x{0}xf32>
  %4 = tensoraccess.compute dot_prod %3 : !tensoraccess.access<{0}x{0} | 2x{0}xf32> -> !tensoraccess.access<{0}x{0} | f32>
  %5 = tensoraccess.to_tensor %4 : !tensoraccess.access<{0}x{0} | f32> -> tensor<{0}x{0}xf32>
  return %5 : tensor<{0}x{0}xf32>
})",
                       n);
}

/// `in` x `in` pixels of `channels`, `filters` of `size` x `size`, padded so that
/// stride 1 keeps the size.
static std::string makeConvolution(int64_t in, int64_t channels,
                                   int64_t filters, int64_t size,
                                   int64_t stride) {
  const int64_t pad = size / 2, padded = in + 2 * pad,
                out = (padded - size) / stride + 1;
  return llvm::formatv(R"(
func.func @f(%x: tensor<1x{0}x{0}x{1}xf32>, %w: tensor<{2}x{3}x{3}x{1}xf32>) -> tensor<1x{5}x{5}x1x{2}xf32> {{
  %0 = tensoraccess.access %x at 1 : tensor<1x{0}x{0}x{1}xf32> -> !tensoraccess.access<1 | {0}x{0}x{1}xf32>
  %1 = tensoraccess.pad %0 low = [0, {6}, {6}, 0] high = [0, {6}, {6}, 0] value = 0.0 : f32 : !tensoraccess.access<1 | {0}x{0}x{1}xf32> -> !tensoraccess.access<1 | {4}x{4}x{1}xf32>
  %2 = tensoraccess.windows %1 shape = [{3}, {3}, {1}] strides = [{7}, {7}, 1] : !tensoraccess.access<1 | {4}x{4}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1 | {3}x{3}x{1}xf32>
  %3 = tensoraccess.access %w at 1 : tensor<{2}x{3}x{3}x{1}xf32> -> !tensoraccess.access<{2} | {3}x{3}x{1}xf32>
  %4 = tensoraccess.cart_prod %2, %3 : !tensoraccess.access<1x{5}x{5}x1 | {3}x{3}x{1}xf32>, !tensoraccess.access<{2} | {3}x{3}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1x{2} | 2x{3}x{3}x{1}xf32>
  %5 = tensoraccess.compute dot_prod %4 : !tensoraccess.access<1x{5}x{5}x1x{2} | 2x{3}x{3}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1x{2} | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<1x{5}x{5}x1x{2} | f32> -> tensor<1x{5}x{5}x1x{2}xf32>
  return %6 : tensor<1x{5}x{5}x1x{2}xf32>
})",
                       in, channels, filters, size, padded, out, pad, stride);
}

/// Rewrites the program again and again; `wanted` is the number of loads.
static void rewrite(benchmark::State &state, const std::string &text,
                    int64_t wanted, bool expands) {
  MLIRContext context;
  load(context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return state.SkipWithError("the program is wrong");
  SystolicMappingOptions options;
  options.arrays.push_back({16, 16});
  uint64_t nodes = 0;
  int64_t loads = 0, ops = 0;
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> copy(module->clone());
    auto function = *copy->getOps<func::FuncOp>().begin();
    state.ResumeTiming();
    FailureOr<SystolicMappingReport> report = mapToSystolic(function, options);
    if (failed(report) || report->uses.size() != 1)
      return state.SkipWithError("no array was found");
    nodes = report->saturation.statistics.nodes;
    loads = report->uses.front().cost.invocations;
    if (report->saturation.statistics.reason != StopReason::Saturated)
      return state.SkipWithError("not saturated");
    if (expands) {
      IRRewriter rewriter(&context);
      if (failed(expandBlockedArray(rewriter, report->uses.front().op)))
        return state.SkipWithError("not written out");
    }
    state.PauseTiming();
    ops = 0;
    function.walk([&](Operation *) { ++ops; });
    copy = nullptr;
    state.ResumeTiming();
  }
  if (loads != wanted)
    state.SkipWithError("not the least number of loads");
  state.counters["loads"] = loads;
  state.counters["nodes"] = nodes;
  state.counters["ops"] = ops;
}

static void blockMatmul(benchmark::State &state) {
  const int64_t n = state.range(0);
  rewrite(state, makeMatmul(n), (n / 16) * (n / 16), /*expands=*/true);
}
BENCHMARK(blockMatmul)
    ->Arg(256)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMicrosecond);

/// Loads of the filters as weights.
static int64_t countLoads(int64_t channels, int64_t filters, int64_t size) {
  return ((size * size * channels + 15) / 16) * ((filters + 15) / 16);
}

static void convolution(benchmark::State &state, int64_t in, int64_t channels,
                        int64_t filters, int64_t size, int64_t stride) {
  rewrite(state, makeConvolution(in, channels, filters, size, stride),
          countLoads(channels, filters, size), /*expands=*/false);
}
BENCHMARK_CAPTURE(convolution, 7x7 of 224x224x3, 224, 3, 64, 7, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(convolution, 1x1 of 56x56x64, 56, 64, 256, 1, 1)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(convolution, 3x3 of 28x28x128, 28, 128, 128, 3, 1)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(convolution, 3x3 of 14x14x256 by 2, 14, 256, 256, 3, 2)
    ->Unit(benchmark::kMicrosecond);

BENCHMARK_MAIN();
