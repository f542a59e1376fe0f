//===- Im2ColBench.cpp - How fast convolutions become matmuls -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each convolution of ResNet-50 that differs from the others in its shape, from
// a program that is parsed already to one that is rewritten: the graph is made,
// saturated, a product of matrices chosen, and written. Rules are made for each
// graph; they take no time worth mentioning. Fails where saturation did not
// end by itself, or where the product or its copy is not the one that it should
// be. Prints the time of each, the best of many runs, then the median and the
// worst of all:
//
//   Im2ColBench [runs]
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/SaturateTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Pixels a side, channels, filters, filter's size, stride, padding before and
/// after.
struct Convolution {
  int64_t in, channels, filters, size, stride, low, high;

  int64_t getPadded() const { return in + low + high; }
  int64_t getOut() const { return (getPadded() - size) / stride + 1; }
};

} // namespace

static constexpr Convolution kConvolutions[] = {
    {224, 3, 64, 7, 2, 3, 3},     {56, 64, 64, 1, 1, 0, 0},
    {56, 64, 64, 3, 1, 1, 1},     {56, 64, 256, 1, 1, 0, 0},
    {56, 256, 64, 1, 1, 0, 0},    {56, 256, 128, 1, 1, 0, 0},
    {56, 128, 128, 3, 2, 0, 1},   {28, 128, 512, 1, 1, 0, 0},
    {56, 256, 512, 1, 2, 0, 0},   {28, 512, 128, 1, 1, 0, 0},
    {28, 128, 128, 3, 1, 1, 1},   {28, 512, 256, 1, 1, 0, 0},
    {28, 256, 256, 3, 2, 0, 1},   {14, 256, 1024, 1, 1, 0, 0},
    {28, 512, 1024, 1, 2, 0, 0},  {14, 1024, 256, 1, 1, 0, 0},
    {14, 256, 256, 3, 1, 1, 1},   {14, 1024, 512, 1, 1, 0, 0},
    {14, 512, 512, 3, 2, 0, 1},   {7, 512, 2048, 1, 1, 0, 0},
    {14, 1024, 2048, 1, 2, 0, 0}, {7, 2048, 512, 1, 1, 0, 0},
    {7, 512, 512, 3, 1, 1, 1},
};

/// As `raise` makes it of linalg.conv_2d_nhwc_hwcf, but for the result.
static std::string getProgram(const Convolution &conv) {
  std::string image = "%0", padding;
  if (conv.low + conv.high > 0) {
    image = "%1";
    padding = llvm::formatv(
        "  %1 = tensoraccess.pad %0 low = [0, {0}, {0}, 0] high = [0, {1}, "
        "{1}, 0] "
        "value = 0.0 : f32 : !tensoraccess.access<1 | {2}x{2}x{3}xf32> -> "
        "!tensoraccess.access<1 | {4}x{4}x{3}xf32>\n",
        conv.low, conv.high, conv.in, conv.channels, conv.getPadded());
  }
  return llvm::formatv(
      R"(func.func @f(%x: tensor<1x{0}x{0}x{1}xf32>, %w: tensor<{3}x{3}x{1}x{2}xf32>) -> tensor<1x{5}x{5}x{2}xf32> {{
  %0 = tensoraccess.access %x at 1 : tensor<1x{0}x{0}x{1}xf32> -> !tensoraccess.access<1 | {0}x{0}x{1}xf32>
{8}  %2 = tensoraccess.windows {7} shape = [{3}, {3}, {1}] strides = [{4}, {4}, 1] : !tensoraccess.access<1 | {6}x{6}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1 | {3}x{3}x{1}xf32>
  %3 = tensoraccess.access %w at 3 : tensor<{3}x{3}x{1}x{2}xf32> -> !tensoraccess.access<{3}x{3}x{1} | {2}xf32>
  %4 = tensoraccess.transpose %3 perm = [3, 0, 1, 2] : !tensoraccess.access<{3}x{3}x{1} | {2}xf32> -> !tensoraccess.access<{2}x{3}x{3} | {1}xf32>
  %5 = tensoraccess.shift_right %4 by 2 : !tensoraccess.access<{2}x{3}x{3} | {1}xf32> -> !tensoraccess.access<{2} | {3}x{3}x{1}xf32>
  %6 = tensoraccess.cart_prod %2, %5 : !tensoraccess.access<1x{5}x{5}x1 | {3}x{3}x{1}xf32>, !tensoraccess.access<{2} | {3}x{3}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1x{2} | 2x{3}x{3}x{1}xf32>
  %7 = tensoraccess.compute dot_prod %6 : !tensoraccess.access<1x{5}x{5}x1x{2} | 2x{3}x{3}x{1}xf32> -> !tensoraccess.access<1x{5}x{5}x1x{2} | f32>
  %8 = tensoraccess.squeeze %7 axis 3 : !tensoraccess.access<1x{5}x{5}x1x{2} | f32> -> !tensoraccess.access<1x{5}x{5}x{2} | f32>
  %9 = tensoraccess.to_tensor %8 : !tensoraccess.access<1x{5}x{5}x{2} | f32> -> tensor<1x{5}x{5}x{2}xf32>
  return %9 : tensor<1x{5}x{5}x{2}xf32>
})",
      conv.in, conv.channels, conv.filters, conv.size, conv.stride,
      conv.getOut(), conv.getPadded(), image, padding);
}

/// What is wrong with the result, or empty.
static std::string check(const Convolution &conv, const Im2ColResult &result) {
  if (result.saturation.statistics.reason != StopReason::Saturated)
    return "not saturated";
  if (result.matmuls.size() != 1)
    return llvm::formatv("{0} products", result.matmuls.size());
  const Im2ColReport &report = result.matmuls.front();
  const int64_t m = conv.getOut() * conv.getOut(),
                k = conv.size * conv.size * conv.channels;
  if (report.m != m || report.n != conv.filters || report.k != k)
    return llvm::formatv("{0}x{1}x{2}", report.m, report.k, report.n);
  const bool isCopied = conv.size != 1 || conv.stride != 1;
  if (report.copiedBytes != (isCopied ? m * k * 4 : 0))
    return llvm::formatv("{0} bytes copied", report.copiedBytes);
  return "";
}

int main(int argc, char **argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
  MLIRContext context;
  context.disableMultithreading();
  context.loadDialect<arith::ArithDialect, func::FuncDialect,
                      TensorAccessDialect>();
  std::vector<double> times;
  for (const Convolution &conv : kConvolutions) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(getProgram(conv), &context);
    if (!module)
      return 1;
    double best = std::numeric_limits<double>::infinity();
    size_t nodes = 0;
    for (int run = 0; run < runs; ++run) {
      OwningOpRef<ModuleOp> copy(module->clone());
      auto function = *copy->getOps<func::FuncOp>().begin();
      const auto begin = std::chrono::steady_clock::now();
      FailureOr<Im2ColResult> result = discoverIm2Col(function);
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - begin;
      best = std::min(best, time.count());
      const std::string fault =
          succeeded(result) ? check(conv, *result) : "failed";
      if (!fault.empty()) {
        std::fprintf(stderr, "%s\n", fault.c_str());
        return 1;
      }
      nodes = result->saturation.statistics.nodes;
    }
    times.push_back(best);
    std::printf("%lldx%lld of %lldx%lldx%lld to %lld, stride %lld: %.3f ms, "
                "%zu nodes\n",
                (long long)conv.size, (long long)conv.size, (long long)conv.in,
                (long long)conv.in, (long long)conv.channels,
                (long long)conv.filters, (long long)conv.stride, best, nodes);
  }
  llvm::sort(times);
  std::printf("%zu convolutions: median %.3f ms, worst %.3f ms\n", times.size(),
              times[times.size() / 2], times.back());
  return 0;
}
