//===- Run.cpp - The program tensoraccess-run -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. parse the file, find the entry and what it takes;
//   2. make or read the inputs and check them;
//   3. run, by JIT or interpreter; with --time, several times;
//   4. report the results; compare them, each as the report says;
//   5. write the outputs, each to a temporary file that then takes the name.
//
// Nothing is written unless everything before went well, a comparison apart:
// what differed is worth looking at.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"
#include "TensorAccess/Core/Npy.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/Execution/SystolicSimulator.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Pipelines/Registration.h"
#include "TensorAccess/Pipelines/Tool.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

namespace {

enum class Engine { Jit, Interpret, Systolic };

/// The command line. Made inside runMain, so that linking this library adds no
/// option to other tools.
struct Options {
  cl::OptionCategory category{"tensoraccess-run options"};
  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("FILE (text or bytecode, - for stdin)"),
                            cl::cat(category)};
  cl::opt<std::string> entry{"entry", cl::desc("The function to run"),
                             cl::value_desc("name"), cl::init("main"),
                             cl::cat(category)};
  cl::opt<Engine> engine{
      "engine", cl::desc("What runs it"), cl::init(Engine::Jit),
      cl::values(clEnumValN(Engine::Jit, "jit", "compiled for this machine"),
                 clEnumValN(Engine::Interpret, "interpret",
                            "by the reference kernels"),
                 clEnumValN(Engine::Systolic, "systolic",
                            "the same, with every systolic_array on a "
                            "simulator that counts its cycles")),
      cl::cat(category)};
  cl::opt<int64_t> accumulators{
      "accumulators",
      cl::desc("With --engine=systolic: items whose sums a column keeps "
               "(0: all)"),
      cl::init(0), cl::cat(category)};
  cl::opt<bool> doubleBuffered{
      "double-buffered",
      cl::desc("With --engine=systolic: weights are loaded while others are "
               "used"),
      cl::cat(category)};
  cl::opt<std::string> inputs{
      "inputs", cl::desc("Where the inputs come from (default random:0)"),
      cl::value_desc("random:SEED[:positive]|A.npy,B.npy"), cl::cat(category)};
  cl::list<std::string> dynamicSizes{
      "dynamic-sizes",
      cl::desc("Sizes of random inputs for each `?` in the types of the "
               "function's arguments, in order of appearance"),
      cl::value_desc("4,16"), cl::CommaSeparated, cl::cat(category)};
  cl::list<std::string> outputs{"outputs", cl::desc("Files for the results"),
                                cl::value_desc("R.npy,S.npy"),
                                cl::CommaSeparated, cl::cat(category)};
  cl::opt<std::string> compare{
      "compare",
      cl::desc("What the results should be: the interpreter's on the same "
               "file, those in .npy files (one a result), or those of the "
               "function of the same name in another program, by JIT"),
      cl::value_desc("interpret|A.npy,B.npy|FILE.mlir"), cl::cat(category)};
  cl::opt<double> tolerance{
      "tolerance",
      cl::desc("Allowed |a - b| relative to the largest magnitude of a result "
               "(default: 2·d·u for d roundings in sequence, u the type's "
               "unit roundoff; 0 for integers and pure movement)"),
      cl::value_desc("number"), cl::cat(category)};
  cl::opt<bool> time{
      "time",
      cl::desc("Say how long compiling and running took, and what "
               "memory"),
      cl::cat(category)};
  cl::opt<unsigned> repeat{"repeat",
                           cl::desc("With --time: runs, the best one counts"),
                           cl::init(5), cl::cat(category)};
};

/// A file and its module, with its diagnostics printed while this lives.
struct Program {
  std::shared_ptr<llvm::SourceMgr> sources =
      std::make_shared<llvm::SourceMgr>();
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
};

using Tensors = SmallVector<Tensor>;
using Clock = std::chrono::steady_clock;

} // namespace

static LogicalResult fail(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return failure();
}

static LogicalResult fail(llvm::Error error, const Twine &prefix = "") {
  return fail(prefix + llvm::toString(std::move(error)));
}

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

/// Reads a program and finds the function to run.
static LogicalResult load(MLIRContext &context, StringRef path, StringRef entry,
                          Program &program) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInput(path);
  if (!buffer)
    return failure();
  program.sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  program.handler =
      std::make_unique<SourceMgrDiagnosticHandler>(*program.sources, &context);
  program.module = parseModule(context, program.sources);
  if (!program.module)
    return failure();
  FailureOr<func::FuncOp> found = findEntry(*program.module, entry);
  if (failed(found))
    return failure();
  program.entry = *found;
  return success();
}

/// Reads a list of .npy files.
static FailureOr<Tensors> readAll(StringRef list) {
  Tensors tensors;
  if (list.empty())
    return tensors;
  for (StringRef path : llvm::split(list, ',')) {
    llvm::Expected<Tensor> tensor = readNpy(path);
    if (!tensor)
      return fail(tensor.takeError());
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// The inputs that --inputs asks for.
static FailureOr<Tensors> makeInputs(const Options &options,
                                     func::FuncOp entry) {
  StringRef spec = options.inputs;
  StringRef seedText = spec.empty() ? "0" : spec;
  if (!spec.empty() && !seedText.consume_front("random:")) {
    if (!options.dynamicSizes.empty())
      return fail("--dynamic-sizes is for random inputs, got '" + spec + "'");
    return readAll(spec);
  }
  SmallVector<int64_t> sizes;
  for (StringRef size : options.dynamicSizes)
    if (size.getAsInteger(10, sizes.emplace_back()))
      return fail("--dynamic-sizes must be integers, got '" + size + "'");
  bool isPositive = seedText.consume_back(":positive");
  uint64_t seed;
  if (seedText.getAsInteger(10, seed))
    return fail("seed of --inputs must be a non-negative integer, got '" +
                seedText + "'");
  llvm::outs() << "inputs    random:" << seed << (isPositive ? ":positive" : "")
               << (spec.empty() ? " (default)" : "") << '\n';
  return randomInputs(
      entry, seed, isPositive ? RandomRange::Positive : RandomRange::Symmetric,
      sizes);
}

/// How the best of several runs went.
static void reportTime(double compile, double best, unsigned runs,
                       func::FuncOp entry) {
  llvm::outs() << "time      ";
  if (compile >= 0)
    llvm::outs() << "compile " << llvm::format("%.1f", compile) << " ms, ";
  llvm::outs() << "run " << llvm::format("%.4g", best) << " ms (best of "
               << runs << ")";
  std::optional<Work> work = countWork(entry);
  if (work && work->operations > 0 && best > 0)
    llvm::outs() << ", "
                 << llvm::format("%.3g", static_cast<double>(work->operations) /
                                             best * 1e-6)
                 << " Gop/s (" << work->operations << " operations)";
  llvm::outs() << '\n';
}

/// Runs `once` as often as asked and keeps the last results.
static FailureOr<Tensors>
repeat(unsigned runs, double &best,
       llvm::function_ref<FailureOr<Tensors>()> once) {
  FailureOr<Tensors> results = failure();
  best = -1;
  for (unsigned i = 0; i < runs; ++i) {
    Clock::time_point start = Clock::now();
    results = once();
    double elapsed = millisecondsSince(start);
    if (failed(results))
      return failure();
    if (best < 0 || elapsed < best)
      best = elapsed;
  }
  return results;
}

/// Compiles and runs a function; `runs` > 0 times it.
static FailureOr<Tensors> runJit(Program &program, ArrayRef<Tensor> inputs,
                                 unsigned runs) {
  Clock::time_point start = Clock::now();
  FailureOr<CompiledFunction> compiled =
      CompiledFunction::compile(*program.module, program.entry.getName());
  if (failed(compiled))
    return failure();
  double compileTime = millisecondsSince(start), best;
  CallReport report;
  FailureOr<Tensors> results =
      repeat(std::max(runs, 1u), best, [&]() -> FailureOr<Tensors> {
        llvm::Expected<Tensors> results = compiled->call(inputs, &report);
        if (!results)
          return fail(results.takeError());
        return std::move(*results);
      });
  if (succeeded(results) && runs > 0) {
    reportTime(compileTime, best, runs, program.entry);
    llvm::outs() << "memory    " << report.peakBytes
                 << " bytes at most, in buffers (" << report.allocations
                 << " allocations)\n";
  }
  return results;
}

static FailureOr<Tensors>
runInterpreter(Program &program, ArrayRef<Tensor> inputs, unsigned runs) {
  double best;
  FailureOr<Tensors> results = repeat(std::max(runs, 1u), best, [&] {
    return interpret(program.entry, inputs);
  });
  if (succeeded(results) && runs > 0)
    reportTime(-1, best, runs, program.entry);
  return results;
}

/// Runs with every systolic_array on the simulator, and prints what each size of
/// array took.
static FailureOr<Tensors> runSystolic(const Options &options, Program &program,
                                      ArrayRef<Tensor> inputs) {
  SystolicArray form;
  form.accumulators = options.accumulators;
  form.isDoubleBuffered = options.doubleBuffered;
  if (std::optional<std::string> fault = form.verify())
    return fail("--" + *fault);
  struct Total {
    int64_t ops = 0;
    SystolicCost cost;
  };
  std::map<std::pair<int64_t, int64_t>, Total> totals;
  InterpreterOptions interpreter;
  interpreter.systolicArray =
      [&](Operation *op,
          ArrayRef<AccessPattern> operands) -> llvm::Expected<AccessPattern> {
    auto arrayOp = cast<SystolicArrayOp>(op);
    SystolicArray array = form;
    array.rows = arrayOp.getRows();
    array.cols = arrayOp.getCols();
    llvm::Expected<SystolicRun> run = simulateSystolicArray(
        array, operands[0], operands[1], arrayOp.getBlocked());
    if (!run)
      return run.takeError();
    Total &total = totals[{array.rows, array.cols}];
    ++total.ops;
    if (!total.cost.add(run->cost))
      return llvm::createStringError("more than 2^63 - 1 cycles in all");
    return run->result;
  };
  FailureOr<Tensors> results = interpret(program.entry, inputs, interpreter);
  if (failed(results))
    return failure();
  for (const auto &[size, total] : totals) {
    SystolicArray array = form;
    array.rows = size.first;
    array.cols = size.second;
    llvm::outs() << "array     " << size.first << "x" << size.second << ": "
                 << total.ops << (total.ops == 1 ? " op, " : " ops, ")
                 << total.cost.str(array) << '\n';
  }
  if (totals.empty())
    llvm::outs() << "array     no systolic_array ran\n";
  return results;
}

/// What --compare says the results should be, and the roundings on the way
/// there, which the tolerance needs.
static FailureOr<Tensors> makeExpected(StringRef spec, Program &program,
                                       ArrayRef<Tensor> inputs,
                                       std::optional<int64_t> &depth) {
  if (spec == "interpret")
    return runInterpreter(program, inputs, 0);
  if (spec.ends_with(".npy"))
    return readAll(spec);
  Program other;
  if (failed(load(*program.module->getContext(), spec, program.entry.getName(),
                  other)))
    return failure();
  auto signature = getSignature(other.entry);
  if (failed(signature))
    return failure();
  if (llvm::Error error = checkInputs(signature->first, inputs))
    return fail(std::move(error), spec + ": ");
  std::optional<Work> work = countWork(other.entry);
  depth = depth && work ? std::optional(std::max(*depth, work->depth))
                        : std::nullopt;
  return runJit(other, inputs, 0);
}

/// Compares every result; fails where one differs.
static LogicalResult compareAll(const Options &options, Program &program,
                                ArrayRef<Tensor> inputs,
                                ArrayRef<Tensor> results) {
  std::optional<Work> work = countWork(program.entry);
  std::optional<int64_t> depth =
      work ? std::optional(work->depth) : std::nullopt;
  FailureOr<Tensors> expected =
      makeExpected(options.compare, program, inputs, depth);
  if (failed(expected))
    return failure();
  if (expected->size() != results.size())
    return fail("'" + options.compare + "' gives " + Twine(expected->size()) +
                " results to compare with, '" + program.entry.getName() +
                "' has " + Twine(results.size()));
  LogicalResult verdict = success();
  DifferenceReport report(program.entry, inputs,
                          options.tolerance.getNumOccurrences() > 0);
  for (auto [i, result, wanted] : llvm::enumerate(results, *expected)) {
    Tolerance tolerance =
        options.tolerance.getNumOccurrences() > 0
            ? Tolerance{options.tolerance, "given"}
            : defaultTolerance(result.getElementType(), depth);
    llvm::Expected<bool> agree =
        report.report(llvm::outs(), i, result, wanted, tolerance);
    if (!agree)
      return fail(agree.takeError(), "result " + Twine(i) + ": ");
    if (!*agree)
      verdict = failure();
  }
  return verdict;
}

/// Checks, before the work begins, that each output has a folder to go to.
static LogicalResult checkOutputs(ArrayRef<std::string> paths) {
  for (const std::string &path : paths) {
    StringRef folder = llvm::sys::path::parent_path(path);
    if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
      return fail("cannot write '" + path + "': no folder '" + folder + "'");
    if (llvm::sys::fs::is_directory(path))
      return fail("cannot write '" + path + "': is a directory");
  }
  return success();
}

/// Writes each result to its file.
static LogicalResult writeAll(ArrayRef<std::string> paths,
                              ArrayRef<Tensor> results) {
  for (auto [path, result] : llvm::zip(paths, results)) {
    llvm::Expected<std::string> bytes = formatNpy(result);
    if (!bytes)
      return fail(bytes.takeError());
    llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
      os << *bytes;
      return llvm::Error::success();
    });
    if (error)
      return fail(std::move(error), "cannot write '" + path + "': ");
  }
  return success();
}

/// Everything after the command line.
static LogicalResult run(const Options &options) {
  if (options.tolerance.getNumOccurrences() > 0 && !(options.tolerance >= 0))
    return fail("--tolerance must be at least 0, got " +
                Twine(std::to_string(options.tolerance)));
  if (options.engine != Engine::Systolic &&
      (options.accumulators.getNumOccurrences() > 0 || options.doubleBuffered))
    return fail("--accumulators and --double-buffered need --engine=systolic");
  if (options.engine == Engine::Systolic && options.time)
    return fail("--engine=systolic counts cycles; --time is for the others");
  if (options.repeat == 0)
    return fail("--repeat must be at least 1, got 0");

  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  Program program;
  if (failed(load(context, options.file, options.entry, program)))
    return failure();
  auto signature = getSignature(program.entry);
  if (failed(signature))
    return failure();
  size_t numResults = signature->second.size();
  if (!options.outputs.empty() && options.outputs.size() != numResults)
    return fail("--outputs names " + Twine(options.outputs.size()) +
                " files, '" + options.entry + "' has " + Twine(numResults) +
                " results");
  if (failed(checkOutputs(options.outputs)))
    return failure();

  FailureOr<Tensors> inputs = makeInputs(options, program.entry);
  if (failed(inputs))
    return failure();
  if (llvm::Error error = checkInputs(signature->first, *inputs))
    return fail(std::move(error));

  unsigned runs = options.time ? options.repeat : 0;
  FailureOr<Tensors> results =
      options.engine == Engine::Jit ? runJit(program, *inputs, runs)
      : options.engine == Engine::Interpret
          ? runInterpreter(program, *inputs, runs)
          : runSystolic(options, program, *inputs);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    reportResult(llvm::outs(), i, result);

  LogicalResult verdict = success();
  if (!options.compare.empty())
    verdict = compareAll(options, program, *inputs, *results);
  if (failed(writeAll(options.outputs, *results)))
    return failure();
  return verdict;
}

int mlir::tensoraccess::runMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs a function of an MLIR file on tensors\n");
  return failed(run(options));
}
