//===- CalibrateMain.cpp - The program tensoraccess-calibrate -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. the costs kept for this machine are the answer, if they are there and complete;
//   2. else measure: ops here, the network by two ranks of this program;
//   3. keep it, and print it.
//
// With --check nothing is measured but the ops of a program, which are compared
// with what is kept.
//
//===----------------------------------------------------------------------===//

#include "Run/RunProgram.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Core/WriteFile.h"
#include "TensorAccess/Execution/Calibrate.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::formatv;
namespace cl = llvm::cl;

namespace {
/// The command line. Made inside calibrateMain, so that linking this library
/// adds no option to other tools.
struct Options {
  cl::OptionCategory category{"tensoraccess-calibrate options"};
  cl::opt<std::string> cache{
      "cache",
      cl::desc("Where costs are kept (default: $TENSORACCESS_CALIBRATION, else "
               "a file of this machine in $XDG_CACHE_HOME/tensoraccess)"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> force{"force", cl::desc("Also measure what is already kept"),
                      cl::cat(category)};
  cl::opt<bool> quick{"quick",
                      cl::desc("Few small blocks: no figures to plan by"),
                      cl::cat(category)};
  cl::list<std::string> only{
      "only", cl::desc("Measure these again and keep the rest"),
      cl::value_desc("op,…"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<std::string> network{
      "network",
      cl::desc("Whose messages are timed (default auto), or rates as in a "
               "model: 'mesh 8: latency = 1.0e-06, bandwidth = 1.0e+10'"),
      cl::value_desc("auto|openmpi|mpich|none|rates"), cl::init("auto"),
      cl::cat(category)};
  cl::opt<double> energyPoint{"energy-point",
                              cl::desc("Joules a point, not measured"),
                              cl::value_desc("J"), cl::cat(category)};
  cl::opt<double> energyByte{"energy-byte",
                             cl::desc("Joules a byte, not measured"),
                             cl::value_desc("J"), cl::cat(category)};
  cl::opt<std::string> powercap{
      "powercap", cl::desc("Where Linux has its counters of energy"),
      cl::value_desc("folder"), cl::init("/sys/class/powercap"),
      cl::cat(category)};
  cl::opt<std::string> samples{
      "samples", cl::desc("Write each block that was timed, a line each"),
      cl::value_desc("file.csv"), cl::cat(category)};
  cl::opt<std::string> check{
      "check",
      cl::desc(
          "Compare the ops of a program with what is kept, or with --model"),
      cl::value_desc("file.mlir"), cl::cat(category)};
  cl::opt<std::string> entry{"entry", cl::desc("With --check: the function"),
                             cl::value_desc("name"), cl::init("main"),
                             cl::cat(category)};
  cl::opt<std::string> model{"model",
                             cl::desc("With --check: costs to compare with"),
                             cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> ranks{"ranks", cl::desc("Be a rank that times messages"),
                      cl::Hidden, cl::cat(category)};
  cl::opt<std::string> mpi{"mpi", cl::Hidden, cl::init("openmpi"),
                           cl::cat(category)};
};
} // namespace

static void sayRemark(const Twine &text) {
  llvm::errs() << "remark: " << text << '\n';
}

/// One of two ranks: the first prints what it finds.
static LogicalResult runRank(const Options &options) {
  llvm::Expected<MpiJob *> job =
      MpiJob::join(symbolizeMpiImplementation(options.mpi));
  if (!job)
    return fail(job.takeError());
  llvm::Expected<std::optional<Network>> network =
      measureNetwork(**job, getHostMachine().cores, options.quick);
  if (!network) {
    (void)fail(network.takeError());
    (*job)->abort(1);
  }
  if (*network) {
    CostModel model;
    model.network = **network;
    const std::string text = model.str();
    llvm::outs() << text.substr(text.find("network"));
  }
  if (llvm::Error error = (*job)->leave())
    return fail(std::move(error));
  return success();
}

/// The network as it is asked for; none where there is nothing to measure.
static FailureOr<std::optional<Network>> findNetwork(const Options &options,
                                                     const char *program) {
  std::optional<Network> none;
  StringRef asked = options.network;
  if (asked == "none")
    return none;
  const bool isAuto = asked == "auto";
  const auto only = symbolizeMpiImplementation(asked);
  if (!isAuto && !only) {
    ParseError error;
    std::optional<CostModel> model =
        CostModel::parse(("machine given network " + asked).str(), error);
    if (!model) {
      std::string closest = findClosest(
          asked, ArrayRef<StringRef>{"auto", "openmpi", "mpich", "none"});
      return fail(
          "--network must be auto, openmpi, mpich, none or rates, got '" +
          asked + "'" +
          (closest.empty() ? ": " + error.message
                           : "; did you mean '" + closest + "'?"));
    }
    return model->network;
  }
  const std::string self = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&calibrateMain));
  std::string reasons;
  for (MpiImplementation one :
       {MpiImplementation::OpenMpi, MpiImplementation::Mpich}) {
    if (only && one != *only)
      continue;
    llvm::Expected<Network> network =
        measureNetworkOf(self, one, options.quick);
    if (network) {
      sayRemark("network between two ranks by " +
                stringifyMpiImplementation(one));
      return std::optional<Network>(std::move(*network));
    }
    reasons +=
        (reasons.empty() ? "" : "; ") + llvm::toString(network.takeError());
  }
  if (!isAuto)
    return fail(reasons);
  sayRemark("no network: " + reasons + "; --network gives rates");
  return none;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// One line a block: what it is, and what it took.
static LogicalResult
writeSamples(StringRef path,
             ArrayRef<std::pair<std::string, BlockSample>> samples,
             const CostModel &model) {
  if (path.empty())
    return success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "rates,extents,bytes,column_bytes,measured,modelled\n";
  for (const auto &[name, sample] : samples) {
    os << name << ',';
    llvm::interleave(sample.work.extents, os, "x");
    os << ',' << sample.work.bytesIn + sample.work.bytesOut << ','
       << sample.work.columnBytes << ',';
    BlockWork work = sample.work;
    work.steps.clear();
    std::string reason;
    const OpRates *rates = model.findExactly(name);
    os << formatv("{0:e3},{1:e3}\n", sample.seconds,
                  rates ? model.getCost(*rates, work, reason)->seconds : 0);
  }
  if (llvm::Error error = writeFile(path, text))
    return fail(std::move(error));
  return success();
}

static LogicalResult runCalibration(const Options &options,
                                    const char *program) {
  const Machine &here = getHostMachine();
  llvm::Expected<std::string> path = getCalibrationPath(here, options.cache);
  if (!path)
    return fail(path.takeError());
  std::optional<Calibration> known;
  llvm::Expected<std::optional<Calibration>> read = readCalibration(*path);
  if (!read) {
    // Perhaps another file: it is not overwritten without --force.
    const std::string reason = llvm::toString(read.takeError());
    if (!options.force)
      return fail(reason + "; --force replaces it");
    sayRemark(reason + "; it is replaced");
  } else if (*read) {
    if (std::optional<std::string> other =
            (*read)->machine.describeDifference(here)) {
      if (!options.force)
        return fail("the calibration '" + *path + "' is of another machine: " +
                    *other + "; --force replaces it");
      sayRemark("the calibration '" + *path +
                "' is of another machine: " + *other + "; it is replaced");
    } else {
      known = std::move(**read);
    }
  }
  if (known && !options.force && options.only.empty()) {
    sayRemark("as kept in '" + *path + "'; --force measures again");
    llvm::outs() << known->model.str();
    return success();
  }
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  CalibrationOptions calibration;
  calibration.isQuick = options.quick;
  calibration.only.assign(options.only.begin(), options.only.end());
  calibration.powercap = options.powercap;
  if (options.energyPoint.getNumOccurrences() > 0)
    calibration.energyPoint = options.energyPoint;
  if (options.energyByte.getNumOccurrences() > 0)
    calibration.energyByte = options.energyByte;
  calibration.say = sayRemark;
  std::vector<std::pair<std::string, BlockSample>> samples;
  calibration.sample = [&](StringRef name, const BlockSample &sample) {
    samples.emplace_back(name.str(), sample);
  };
  const Calibration *base = known && !options.only.empty() ? &*known : nullptr;
  llvm::Expected<Calibration> found = calibrate(context, calibration, base);
  if (!found)
    return fail(found.takeError());
  if (failed(writeSamples(options.samples, samples, found->model)))
    return failure();
  if (!base || options.network.getNumOccurrences() > 0) {
    FailureOr<std::optional<Network>> network = findNetwork(options, program);
    if (failed(network))
      return failure();
    if (*network)
      found->model.network = **network;
  }
  if (llvm::Error error = writeCalibration(*path, *found))
    return fail(std::move(error));
  sayRemark("kept in '" + *path + "'");
  llvm::outs() << found->model.str();
  return success();
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static llvm::Expected<CostModel> loadModel(const Options &options) {
  if (options.model.empty())
    return loadCalibratedCosts(options.cache);
  auto file = llvm::MemoryBuffer::getFile(options.model, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   "cannot read '" + options.model + "'");
  ParseError error;
  StringRef text = (*file)->getBuffer();
  std::optional<CostModel> model = CostModel::parse(text, error);
  if (!model)
    return llvm::createStringError(options.model + ":" +
                                   getLineAndColumn(text, error.offset) + ": " +
                                   error.message);
  return std::move(*model);
}

/// `0.25 0.50 …`: quantiles of modelled / measured, each op counting once.
static std::string printQuantiles(ArrayRef<CheckedOp> ops) {
  std::vector<double> ratios;
  for (const CheckedOp &op : ops)
    ratios.push_back(op.modelled / op.measured);
  llvm::sort(ratios);
  std::string text;
  for (double share : {0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0})
    text += formatv("{0}{1:f2}", text.empty() ? "" : " ",
                    ratios[static_cast<size_t>(
                        share * static_cast<double>(ratios.size() - 1) + 0.5)])
                .str();
  return text;
}

static LogicalResult runCheck(const Options &options) {
  llvm::Expected<CostModel> model = loadModel(options);
  if (!model)
    return fail(model.takeError());
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  Program program;
  if (failed(load(context, options.check, options.entry, program)))
    return failure();
  FailureOr<CheckedProgram> checked =
      checkCosts(program.entry, *model, options.quick ? 1e-4 : 1e-2);
  if (failed(checked))
    return failure();
  for (const auto &[text, reason] : checked->skipped)
    sayRemark("not run alone: " + text + ": " + reason);
  if (checked->ops.empty())
    return fail("'" + options.entry + "' has no op to check");
  double measured = 0, modelled = 0;
  for (const CheckedOp &op : checked->ops) {
    measured += op.measured * static_cast<double>(op.count);
    modelled += op.modelled * static_cast<double>(op.count);
    llvm::outs() << formatv("op        {0,6:f2}  {1,10:f2} us  {2,10:f2} us  "
                            "{3,3} x {4}\n",
                            op.modelled / op.measured, op.modelled * 1e6,
                            op.measured * 1e6, op.count, op.text);
  }
  size_t within = llvm::count_if(checked->ops, [](const CheckedOp &op) {
    return op.modelled <= 2 * op.measured && op.measured <= 2 * op.modelled;
  });
  llvm::outs() << formatv(
      "ratios    {0} (least, 0.1, 0.25, 0.5, 0.75, 0.9, most; {1} of {2} ops "
      "within a factor of 2)\n"
      "total     {3:f2}: {4:f3} ms modelled, {5:f3} ms measured, op by op\n",
      printQuantiles(checked->ops), within, checked->ops.size(),
      modelled / measured, modelled * 1e3, measured * 1e3);
  return success();
}

int mlir::tensoraccess::calibrateMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  registerHelp(
      argc, argv,
      {"Measures what ops and messages take on this machine. What it finds is "
       "kept, for plans and costs of blocks.",
       "[options]",
       {"tensoraccess-calibrate", "tensoraccess-calibrate --check=model.mlir"},
       {}});
  cl::ParseCommandLineOptions(argc, argv);
  if (options.ranks)
    return failed(runRank(options));
  if (!options.check.empty())
    return failed(runCheck(options));
  if (!options.model.empty())
    return failed(fail("--model is for --check"));
  return failed(runCalibration(options, argv[0]));
}
