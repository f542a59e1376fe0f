//===- KernelTimer.cpp - How long compiled functions take -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. compile, make inputs, call once: caches and branches are warm;
//   2. call in rows long enough for the thread's clock; the best row's mean
//      counts, since what disturbs only makes calls longer;
//   3. take off what a function of one scalar takes.
//
//===----------------------------------------------------------------------===//

#include "KernelTimer.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <cstring>
#include <ctime>

using namespace mlir;
using namespace mlir::tensoraccess;

/// What compiled code takes besides to put a buffer on a line of its own.
static constexpr int64_t kAlignment = 64;

struct KernelTimer::Prepared {
  CompiledFunction function;
  SmallVector<Tensor> inputs;
};

/// Numbers in [1/2, 3/2), of integers 0 or 1.
static llvm::Error fill(Tensor &tensor) {
  const int64_t elements = tensor.getNumElements();
  uint32_t state = 12345;
  auto next = [&] {
    state = state * 1664525 + 1013904223;
    return state >> 8;
  };
  if (tensor.getElementType() == ElementType::F32) {
    float *data = tensor.getDataAs<float>();
    for (int64_t i = 0; i != elements; ++i)
      data[i] = 0.5f + static_cast<float>(next()) * 0x1p-24f;
    return llvm::Error::success();
  }
  // A short pattern, repeated: setting elements one by one is slow.
  const size_t width = byteSize(tensor.getElementType());
  const int64_t pattern = std::min<int64_t>(elements, 251);
  for (int64_t i = 0; i != pattern; ++i) {
    Tensor element = Tensor::scalar(tensor.getElementType(), 0);
    element.setDouble({}, 0.5 + static_cast<double>(next()) * 0x1p-24);
    std::memcpy(tensor.getDataAs<char>() + i * width, element.getData(), width);
  }
  for (int64_t i = pattern; i < elements; ++i)
    std::memcpy(tensor.getDataAs<char>() + i * width,
                tensor.getDataAs<char>() + (i - pattern) * width, width);
  return llvm::Error::success();
}

llvm::Expected<KernelTimer::Prepared>
KernelTimer::prepare(ModuleOp module) const {
  CapturedErrors captured(module.getContext());
  // One thread, as costs assume.
  JitOptions options;
  options.setPlain();
  options.cache = false;
  FailureOr<CompiledFunction> compiled =
      CompiledFunction::compile(module, "main", options);
  if (failed(compiled))
    return llvm::createStringError(captured.getFirst());
  SmallVector<Tensor> inputs;
  for (const ValueType &type : compiled->getInputTypes()) {
    llvm::Expected<Tensor> input = Tensor::create(type.elementType, type.shape);
    if (!input)
      return input.takeError();
    if (llvm::Error error = fill(*input))
      return std::move(error);
    inputs.push_back(std::move(*input));
  }
  return Prepared{std::move(*compiled), std::move(inputs)};
}

/// Seconds that this thread has run: what others run meanwhile doesn't count.
static double getThreadSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of a row of calls.
static llvm::Expected<double> callRow(const CompiledFunction &function,
                                      ArrayRef<Tensor> inputs, int64_t calls) {
  const double start = getThreadSeconds();
  for (int64_t i = 0; i != calls; ++i) {
    llvm::Expected<SmallVector<Tensor>> results = function.call(inputs);
    if (!results)
      return results.takeError();
  }
  return std::max(getThreadSeconds() - start, 1e-9);
}

llvm::Expected<double> KernelTimer::getBest(const Prepared &kernel) const {
  llvm::Expected<double> once = callRow(kernel.function, kernel.inputs, 1);
  if (!once)
    return once.takeError();
  // A second call, now that everything is warm, tells how many make a row.
  once = callRow(kernel.function, kernel.inputs, 1);
  if (!once)
    return once.takeError();
  const int64_t calls = static_cast<int64_t>(
      std::clamp(std::ceil(rowSeconds / std::max(*once, 1e-9)), 1.0, 1e6));
  double best = HUGE_VAL;
  for (unsigned i = 0; i != repeats; ++i) {
    llvm::Expected<double> row = callRow(kernel.function, kernel.inputs, calls);
    if (!row)
      return row.takeError();
    best = std::min(best, *row / static_cast<double>(calls));
  }
  return best;
}

llvm::Expected<KernelTimer>
KernelTimer::create(MLIRContext &context, unsigned repeats, double rowSeconds) {
  KernelTimer timer;
  timer.repeats = repeats;
  timer.rowSeconds = rowSeconds;
  context.loadDialect<func::FuncDialect>();
  OwningOpRef<ModuleOp> empty = parseSourceString<ModuleOp>(
      "func.func @main(%a: f32) -> f32 {\n  return %a : f32\n}\n", &context);
  llvm::Expected<Prepared> prepared = timer.prepare(*empty);
  if (!prepared)
    return prepared.takeError();
  llvm::Expected<double> best = timer.getBest(*prepared);
  if (!best)
    return best.takeError();
  timer.emptyCall = *best;
  return timer;
}

llvm::Expected<KernelTime> KernelTimer::time(ModuleOp module) const {
  llvm::Expected<Prepared> kernel = prepare(module);
  if (!kernel)
    return kernel.takeError();
  llvm::Expected<double> best = getBest(*kernel);
  if (!best)
    return best.takeError();
  CallReport report;
  llvm::Expected<SmallVector<Tensor>> results =
      kernel->function.call(kernel->inputs, &report);
  if (!results)
    return results.takeError();
  KernelTime time;
  // A time that is lost in the noise of a call is not 0.
  time.seconds = std::max(*best - emptyCall, 0.1 * emptyCall);
  time.scratchBytes = report.peakBytes;
  for (const Tensor &result : *results)
    time.scratchBytes -=
        kAlignment + result.getNumElements() * static_cast<int64_t>(byteSize(
                                                   result.getElementType()));
  time.scratchBytes = std::max<int64_t>(time.scratchBytes, 0);
  return time;
}

llvm::Expected<int64_t> KernelTimer::runFor(ModuleOp module,
                                            double seconds) const {
  llvm::Expected<Prepared> kernel = prepare(module);
  if (!kernel)
    return kernel.takeError();
  int64_t calls = 0;
  const double start = getThreadSeconds();
  do {
    llvm::Expected<double> once = callRow(kernel->function, kernel->inputs, 1);
    if (!once)
      return once.takeError();
    ++calls;
  } while (getThreadSeconds() - start < seconds);
  return calls;
}
