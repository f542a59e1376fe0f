//===- Calibrate.cpp - What ops take on this machine ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Each kernel is parsed, its op read as a planner reads it (Analysis), and
//      timed: a sample is what the model would be asked, and the answer.
//   2. Streams give the cliffs. They come first: the rates of ops depend on
//      them.
//   3. Samples of one op and family are fitted together; those of operations in
//      bodies are medians per point.
//   4. What belongs to no family costs what moving does, `*`.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Calibrate.h"
#include "CalibrationKernels.h"
#include "Jit/KernelTimer.h"
#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Core/Progress.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::formatv;

namespace {
/// A kernel and its sample.
struct TimedKernel {
  const CalibrationKernel *kernel = nullptr;
  BlockSample sample;
};

class Calibrator {
public:
  Calibrator(MLIRContext &context, const CalibrationOptions &options,
             const Calibration *known)
      : context(context), options(options) {
    if (known)
      out = *known;
    out.machine = getHostMachine();
    out.model.machine = out.machine.getName();
  }

  llvm::Expected<Calibration> run();

private:
  bool isAsked(StringRef group) const {
    return options.only.empty() || llvm::is_contained(options.only, group);
  }
  void say(const Twine &text) const {
    if (options.say)
      options.say(text);
  }
  llvm::Error checkOptions() const;
  llvm::Expected<TimedKernel> time(const KernelTimer &timer,
                                   const CalibrationKernel &kernel) const;
  llvm::Error fitCliffs(ArrayRef<TimedKernel> kernels);
  llvm::Error fitOps(ArrayRef<TimedKernel> kernels);
  void fitSteps(ArrayRef<TimedKernel> kernels);
  void addRest();
  llvm::Error addEnergy(const KernelTimer &timer);

  MLIRContext &context;
  const CalibrationOptions &options;
  Calibration out;
};
} // namespace

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// The last op of a name in a function.
static Operation *findRoot(ModuleOp module, StringRef name) {
  Operation *root = nullptr;
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == name)
      root = op;
  });
  return root;
}

/// What an op does on one rank.
static FailureOr<BlockWork> getWork(Operation *op, const CostModel &model) {
  FailureOr<BlockOp> block = getBlockOp(op);
  if (failed(block))
    return failure();
  Grid alone;
  return getBlockWork(
      *block, alone,
      getFactoredBoxes(alone, Distribution::replicated(block->extents.size()),
                       block->extents),
      model);
}

llvm::Expected<TimedKernel>
Calibrator::time(const KernelTimer &timer,
                 const CalibrationKernel &kernel) const {
  auto fail = [&](const Twine &why) {
    return llvm::createStringError("a kernel of " + kernel.group +
                                   " can't be timed: " + why);
  };
  TimedKernel out;
  out.kernel = &kernel;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(kernel.program, &context);
  Operation *root = module ? findRoot(*module, kernel.root) : nullptr;
  if (!root)
    return fail("it doesn't parse");
  FailureOr<BlockWork> work = getWork(root, CostModel());
  if (failed(work))
    return fail("its work is not known");
  out.sample.work = std::move(*work);
  llvm::Expected<KernelTime> time = timer.time(*module);
  if (!time)
    return fail(llvm::toString(time.takeError()));
  out.sample.seconds = time->seconds;
  out.sample.scratchBytes = static_cast<double>(time->scratchBytes);
  if (kernel.baseline.empty())
    return out;
  module = parseSourceString<ModuleOp>(kernel.baseline, &context);
  if (!module)
    return fail("its baseline doesn't parse");
  llvm::Expected<KernelTime> baseline = timer.time(*module);
  if (!baseline)
    return fail(llvm::toString(baseline.takeError()));
  // Less than a tenth is noise.
  const double more = time->seconds - baseline->seconds;
  out.sample.seconds =
      more < 0.1 * baseline->seconds ? 1e-9 : std::max(more, 1e-9);
  out.sample.scratchBytes = 0;
  return out;
}

//===----------------------------------------------------------------------===//
// Fits
//===----------------------------------------------------------------------===//

/// Three digits: what is beyond was not measured.
static double roundRate(double rate) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", rate);
  return std::strtod(text, nullptr);
}

static void roundFactors(llvm::MutableArrayRef<CostCliff> cliffs) {
  for (CostCliff &cliff : cliffs)
    cliff.factor = roundRate(cliff.factor);
}

llvm::Error Calibrator::fitCliffs(ArrayRef<TimedKernel> kernels) {
  std::vector<StreamSample> samples;
  for (const TimedKernel &timed : kernels) {
    if (!timed.kernel->isStream)
      continue;
    const double bytes = static_cast<double>(timed.sample.work.bytesIn) +
                         static_cast<double>(timed.sample.work.bytesOut);
    samples.push_back({bytes, bytes, timed.sample.seconds});
  }
  // Where a family is not measured cliffs stay as they are.
  if (samples.empty() || out.machine.caches.empty())
    return llvm::Error::success();
  std::string error;
  std::optional<StreamFit> fit = fitStreams(samples, out.machine.caches, error);
  if (!fit)
    return llvm::createStringError("cliffs: " + error);
  out.model.cliffs.assign(fit->cliffs.begin(), fit->cliffs.end());
  roundFactors(out.model.cliffs);
  return llvm::Error::success();
}

/// Whether most programs take no longer with an op than without it.
static bool isFree(ArrayRef<BlockSample> samples) {
  return llvm::count_if(
             samples,
             [](const BlockSample &sample) { return sample.seconds <= 1e-9; }) *
             2 >=
         static_cast<int64_t>(samples.size());
}

llvm::Error Calibrator::fitOps(ArrayRef<TimedKernel> kernels) {
  llvm::MapVector<std::string, std::vector<BlockSample>,
                  std::map<std::string, unsigned>>
      groups;
  for (const TimedKernel &timed : kernels) {
    if (timed.kernel->isStep)
      continue;
    std::string name = timed.kernel->group;
    const std::string &family = timed.sample.work.family;
    // An op of linalg that reduces may be in two families.
    if (name == "*" || family == "sum" || family == "chain")
      name += "." + family;
    groups[name].push_back(timed.sample);
    if (options.sample)
      options.sample(name, timed.sample);
  }
  const int64_t lanes[] = {1, 4, 8, 16, 32};
  FitOptions fitting;
  fitting.cliffs = out.model.cliffs;
  fitting.caches = out.machine.caches;
  fitting.lanes = lanes;
  for (const auto &[name, samples] : groups) {
    if (isFree(samples)) {
      OpRates free;
      free.name = name;
      out.model.setRates(free);
      out.setFit(name, "free");
      say(name + ": free");
      continue;
    }
    std::string error;
    std::optional<OpFit> fit = fitBlocks(name, samples, fitting, error);
    if (!fit)
      return llvm::createStringError(error);
    for (double *rate : {&fit->rates.start, &fit->rates.point, &fit->rates.byte,
                         &fit->rates.scratch, &fit->rates.scratchPoint})
      *rate = roundRate(*rate);
    roundFactors(fit->rates.panel);
    out.model.setRates(fit->rates);
    out.setFit(name, fit->quality.str());
    say(formatv("{0}: {1}", name, fit->quality.str()).str());
  }
  return llvm::Error::success();
}

static double getMedian(std::vector<double> values) {
  llvm::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

void Calibrator::fitSteps(ArrayRef<TimedKernel> kernels) {
  std::map<std::string, std::vector<double>> groups;
  for (const TimedKernel &timed : kernels)
    if (timed.kernel->isStep)
      groups[timed.kernel->group].push_back(
          timed.sample.seconds /
          static_cast<double>(timed.sample.work.extents[0]));
  for (const auto &[name, rates] : groups) {
    OpRates step;
    step.name = name;
    step.point = roundRate(getMedian(rates));
    out.model.setRates(step);
    say(formatv("{0}: {1:e2} s a point", name, step.point).str());
  }
}

void Calibrator::addRest() {
  if (const OpRates *move = out.model.findExactly("*.move")) {
    OpRates rest = *move;
    rest.name = "*";
    out.model.setRates(rest);
  }
}

//===----------------------------------------------------------------------===//
// Energy
//===----------------------------------------------------------------------===//

/// A product that stays in the nearest caches, and a stream that leaves all.
static const char *const kHotProgram =
    "func.func @main(%a: tensor<120x120xf32>, %b: tensor<120x120xf32>) -> "
    "tensor<120x120xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<120x120xf32>\n"
    "  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<120x120xf32>) -> "
    "tensor<120x120xf32>\n"
    "  %r = linalg.matmul ins(%a, %b : tensor<120x120xf32>, "
    "tensor<120x120xf32>) outs(%z : tensor<120x120xf32>) -> "
    "tensor<120x120xf32>\n"
    "  return %r : tensor<120x120xf32>\n}\n";
static const char *const kStreamProgram =
    "func.func @main(%a: tensor<16000000xf32>) -> tensor<16000000xf32> {\n"
    "  %r = arith.addf %a, %a : tensor<16000000xf32>\n"
    "  return %r : tensor<16000000xf32>\n}\n";

llvm::Error Calibrator::addEnergy(const KernelTimer &timer) {
  std::optional<double> point = options.energyPoint, byte = options.energyByte;
  if (!point || !byte) {
    std::string error;
    // Joules of a call of a program, and the work that it does.
    auto measure = [&](const char *program, StringRef root,
                       BlockWork &work) -> llvm::Expected<double> {
      OwningOpRef<ModuleOp> module =
          parseSourceString<ModuleOp>(program, &context);
      FailureOr<BlockWork> known = getWork(findRoot(*module, root), out.model);
      if (failed(known))
        return llvm::createStringError("the work of " + root + " is not known");
      work = *known;
      std::optional<EnergyReading> before = readEnergy(options.powercap, error);
      if (!before)
        return -1;
      llvm::Expected<int64_t> calls =
          timer.runFor(*module, options.isQuick ? 0.02 : 0.5);
      if (!calls)
        return calls.takeError();
      std::optional<EnergyReading> after = readEnergy(options.powercap, error);
      std::optional<double> joules =
          after ? before->getJoulesUntil(*after) : std::nullopt;
      if (!joules) {
        if (error.empty())
          error = "energy counters changed";
        return -1;
      }
      return *joules / static_cast<double>(*calls);
    };
    BlockWork hot, stream;
    llvm::Expected<double> hotJoules =
        measure(kHotProgram, "linalg.matmul", hot);
    if (!hotJoules)
      return hotJoules.takeError();
    llvm::Expected<double> streamJoules =
        *hotJoules < 0 ? llvm::Expected<double>(-1)
                       : measure(kStreamProgram, "arith.addf", stream);
    if (!streamJoules)
      return streamJoules.takeError();
    if (*hotJoules < 0 || *streamJoules < 0) {
      say("no energy: " + error +
          "; --energy-point and --energy-byte give rates");
    } else {
      const double cliff =
          out.model.cliffs.empty() ? 1 : out.model.cliffs.back().factor;
      if (!byte)
        byte = *streamJoules / (2 * 4 * 16e6 * cliff);
      if (!point)
        point = *hotJoules / (120.0 * 120 * 120);
      say("energy is that of the whole processor, including what it uses when "
          "idle");
    }
  }
  for (OpRates &rates : out.model.ops) {
    const bool isStep = !StringRef(rates.name).starts_with("*") &&
                        !StringRef(rates.name).starts_with("linalg.") &&
                        !StringRef(rates.name).starts_with("tensor.");
    if (isStep)
      continue;
    rates.energyPoint = point.value_or(rates.energyPoint);
    rates.energyByte = byte.value_or(rates.energyByte);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

std::vector<std::string> mlir::tensoraccess::getCalibratedNames() {
  std::vector<std::string> names;
  for (const CalibrationKernel &kernel :
       getCalibrationKernels(/*quick=*/true, {}))
    names.push_back(kernel.group);
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

llvm::Error Calibrator::checkOptions() const {
  const std::vector<std::string> known = getCalibratedNames();
  for (const std::string &name : options.only)
    if (!llvm::is_contained(known, name))
      return llvm::createStringError(describeUnknown("op", name, known));
  for (auto [what, rate] : {std::pair("energy-point", options.energyPoint),
                            std::pair("energy-byte", options.energyByte)})
    if (rate && !(std::isfinite(*rate) && *rate >= 0))
      return llvm::createStringError(Twine(what) +
                                     " must be finite and not negative, got " +
                                     formatv("{0}", *rate).str());
  return llvm::Error::success();
}

llvm::Expected<Calibration> Calibrator::run() {
  if (llvm::Error error = checkOptions())
    return std::move(error);
  llvm::Expected<KernelTimer> timer = KernelTimer::create(
      context, options.isQuick ? 2 : 7, options.isQuick ? 1e-4 : 1.5e-3);
  if (!timer)
    return timer.takeError();
  std::vector<CalibrationKernel> kernels =
      getCalibrationKernels(options.isQuick, out.machine.caches);
  llvm::erase_if(kernels, [&](const CalibrationKernel &kernel) {
    return !isAsked(kernel.group);
  });
  std::vector<TimedKernel> timed;
  ProgressSteps progress("kernels", static_cast<int64_t>(kernels.size()));
  for (const CalibrationKernel &kernel : kernels) {
    if (isCancelled())
      return llvm::createStringError("interrupted");
    progress.set(static_cast<int64_t>(timed.size()));
    llvm::Expected<TimedKernel> one = time(*timer, kernel);
    if (!one)
      return one.takeError();
    timed.push_back(std::move(*one));
  }
  if (llvm::Error error = fitCliffs(timed))
    return std::move(error);
  if (llvm::Error error = fitOps(timed))
    return std::move(error);
  fitSteps(timed);
  addRest();
  if (llvm::Error error = addEnergy(*timer))
    return std::move(error);
  if (std::optional<std::string> problem = out.model.verify())
    return llvm::createStringError("what was measured is not a model: " +
                                   *problem);
  return std::move(out);
}

llvm::Expected<Calibration>
mlir::tensoraccess::calibrate(MLIRContext &context,
                              const CalibrationOptions &options,
                              const Calibration *known) {
  context.loadAllAvailableDialects();
  return Calibrator(context, options, known).run();
}
