//===- RunProgram.cpp - Pieces of the program tensoraccess-run ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"
#include "Profile.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <thread>
#include <utility>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The speaker of error messages; diagnostics that are kept, and messages that are
/// held back.
static std::string speaker, kept, held;
static bool isHolding = false;

/// Where diagnostics go.
static llvm::raw_ostream &getDiagnosticStream() {
  static llvm::raw_string_ostream keeper(kept);
  if (speaker.empty())
    return llvm::errs();
  return keeper;
}

void tensoraccess::setSpeaker(const Twine &who, bool holds) {
  speaker = who.str();
  isHolding = holds;
}

/// Prints a message after the diagnostics that led to it.
static void say(const Twine &message) {
  if (!kept.empty())
    held += speaker + std::exchange(kept, std::string());
  held += message.str();
  if (isHolding || held.empty())
    return;
  // In one piece: other ranks may write to the same place.
  llvm::outs().flush();
  llvm::errs() << std::exchange(held, std::string());
}

void tensoraccess::flushDiagnostics() {
  isHolding = false;
  say("");
}

LogicalResult tensoraccess::fail(const Twine &message) {
  say("error: " + speaker + message + "\n");
  return failure();
}

LogicalResult tensoraccess::fail(llvm::Error error, const Twine &prefix) {
  return fail(prefix + llvm::toString(std::move(error)));
}

double tensoraccess::millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

LogicalResult tensoraccess::loadModule(MLIRContext &context, StringRef path,
                                       Program &program) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (!buffer)
    return fail(error);
  program.sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  program.handler = std::make_unique<SourceMgrDiagnosticHandler>(
      *program.sources, &context, getDiagnosticStream());
  program.module = parseModule(context, program.sources);
  return success(static_cast<bool>(program.module));
}

LogicalResult tensoraccess::load(MLIRContext &context, StringRef path,
                                 StringRef entry, Program &program) {
  if (failed(loadModule(context, path, program)))
    return failure();
  FailureOr<func::FuncOp> found = findEntry(*program.module, entry);
  if (failed(found))
    return failure();
  program.entry = *found;
  return success();
}

FailureOr<Tensors> tensoraccess::readAll(StringRef list) {
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

FailureOr<Tensors> tensoraccess::makeInputs(StringRef spec,
                                            ArrayRef<std::string> dynamicSizes,
                                            FunctionOpInterface entry,
                                            bool isSaid) {
  StringRef seedText = spec.empty() ? "0" : spec;
  if (!spec.empty() && !seedText.consume_front("random:")) {
    if (!dynamicSizes.empty())
      return fail("--dynamic-sizes is for random inputs, got '" + spec + "'");
    if (!spec.contains(".npy") && !llvm::sys::fs::exists(spec.split(',').first))
      return fail("--inputs must be random:SEED, random:SEED:positive, "
                  "random:SEED:model or .npy files with commas, got '" +
                  spec + "'");
    return readAll(spec);
  }
  SmallVector<int64_t> sizes;
  for (StringRef size : dynamicSizes)
    if (size.getAsInteger(10, sizes.emplace_back()))
      return fail("--dynamic-sizes must be integers, got '" + size + "'");
  RandomRange range = RandomRange::Symmetric;
  StringRef name;
  for (auto [text, value] : {std::pair(":positive", RandomRange::Positive),
                             std::pair(":model", RandomRange::Model)})
    if (seedText.consume_back(text)) {
      range = value;
      name = text;
      break;
    }
  uint64_t seed;
  if (seedText.getAsInteger(10, seed))
    return fail("seed of --inputs must be a non-negative integer, got '" +
                seedText + "'");
  if (isSaid) {
    llvm::outs() << "inputs    random:" << seed << name
                 << (spec.empty() ? " (default)" : "");
    SmallVector<StringRef> literals;
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (auto literal = entry.getArgAttrOfType<StringAttr>(i, kElidedLiteral))
        literals.push_back(literal.getValue());
    if (!literals.empty())
      llvm::outs() << ", as are constants that the file leaves out: "
                   << llvm::join(literals, ", ");
    llvm::outs() << '\n';
  }
  return randomInputs(entry, seed, range, sizes);
}

void tensoraccess::reportTime(double compile, double best, unsigned runs,
                              func::FuncOp entry, bool isFromCache) {
  llvm::outs() << "time      ";
  if (compile >= 0)
    llvm::outs() << "compile " << llvm::format("%.1f", compile) << " ms"
                 << (isFromCache ? " (from the cache), " : ", ");
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

FailureOr<Tensors>
tensoraccess::repeat(unsigned runs, double &best,
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

/// Prints where the time of a run went.
static LogicalResult reportProfile(const CompiledFunction &compiled,
                                   ArrayRef<KernelSpan> spans, double seconds,
                                   const JitOptions &options,
                                   MLIRContext &context, StringRef trace) {
  int64_t threads = options.parallelize ? options.threads : 1;
  if (threads == 0)
    threads = tensoraccess_threads();
  FailureOr<MachinePeak> peak = MachinePeak::measure(context, threads);
  if (failed(peak))
    return failure();
  printProfile(llvm::outs(), compiled.getKernels(), spans, seconds, threads,
               *peak);
  if (trace.empty())
    return success();
  std::error_code error;
  llvm::raw_fd_ostream file(trace, error);
  if (!error)
    writeTrace(file, compiled.getKernels(), spans);
  file.close();
  if (!error)
    error = file.error();
  file.clear_error();
  if (error)
    return fail("cannot write '" + trace + "': " + error.message());
  return success();
}

FailureOr<Tensors> tensoraccess::runJit(Program &program,
                                        ArrayRef<Tensor> inputs, unsigned runs,
                                        const JitOptions &options,
                                        StringRef trace) {
  Clock::time_point start = Clock::now();
  FailureOr<CompiledFunction> compiled = CompiledFunction::compile(
      *program.module, program.entry.getName(), options);
  if (failed(compiled))
    return failure();
  double compileTime = millisecondsSince(start), best, bestProfiled = -1;
  CallReport report;
  std::vector<KernelSpan> spans;
  FailureOr<Tensors> results =
      repeat(std::max(runs, 1u), best, [&]() -> FailureOr<Tensors> {
        Clock::time_point begin = Clock::now();
        llvm::Expected<Tensors> results = compiled->call(inputs, &report);
        if (!results)
          return fail(results.takeError());
        double time = millisecondsSince(begin);
        if (bestProfiled < 0 || time < bestProfiled) {
          bestProfiled = time;
          spans = std::move(report.spans);
        }
        return std::move(*results);
      });
  if (succeeded(results) && runs > 0) {
    reportTime(compileTime, best, runs, program.entry, compiled->isFromCache());
    llvm::outs() << "memory    " << report.peakBytes
                 << " bytes at most, in buffers (" << report.allocations
                 << " allocations)\n";
    if (size_t packed = compiled->getPackedBytes())
      llvm::outs() << "packed    " << packed << " bytes kept of weights\n";
  }
  if (succeeded(results) && options.profile &&
      failed(reportProfile(*compiled, spans, bestProfiled * 1e-3, options,
                           *program.module->getContext(), trace)))
    return failure();
  return results;
}

FailureOr<Tensors> tensoraccess::runInterpreter(Program &program,
                                                ArrayRef<Tensor> inputs,
                                                unsigned runs) {
  double best;
  FailureOr<Tensors> results = repeat(std::max(runs, 1u), best, [&] {
    return interpretProgram(program.entry, inputs);
  });
  if (succeeded(results) && runs > 0)
    reportTime(-1, best, runs, program.entry);
  return results;
}

LogicalResult tensoraccess::refineFor(Program &program,
                                      ArrayRef<Tensor> inputs) {
  if (!needsRefinedShapes(*program.module))
    return success();
  SmallVector<int64_t> sizes;
  for (auto [type, input] :
       llvm::zip_equal(program.entry.getArgumentTypes(), inputs))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t d = 0; d < tensor.getRank(); ++d)
        if (tensor.isDynamicDim(d))
          sizes.push_back(input.getDim(d));
  return refineShapes(*program.module, program.entry.getName(), sizes);
}

/// The results that --compare names, and the roundings on the way
/// there, which the tolerance needs.
static FailureOr<Tensors> makeExpected(const ComparisonSpec &spec,
                                       Program &program,
                                       ArrayRef<Tensor> inputs,
                                       std::optional<int64_t> &depth) {
  if (spec.with == "interpret")
    return spec.interpret();
  if (StringRef(spec.with).ends_with(".npy"))
    return readAll(spec.with);
  Program other;
  if (failed(load(*program.module->getContext(), spec.with, spec.entry, other)))
    return failure();
  if (spec.dropsPartialWindows)
    dropPartialWindows(*other.module);
  auto signature = getSignature(other.entry);
  if (failed(signature))
    return failure();
  if (llvm::Error error = checkInputs(signature->first, inputs))
    return fail(std::move(error), spec.with + ": ");
  if (failed(refineFor(other, inputs)))
    return failure();
  std::optional<Work> work = countWork(other.entry);
  depth = depth && work ? std::optional(std::max(*depth, work->depth))
                        : std::nullopt;
  return runJit(other, inputs, 0);
}

LogicalResult tensoraccess::compareAll(const ComparisonSpec &spec,
                                       Program &program,
                                       ArrayRef<Tensor> inputs,
                                       ArrayRef<Tensor> results) {
  std::optional<Work> work = countWork(program.entry);
  std::optional<int64_t> depth =
      work ? std::optional(work->depth) : std::nullopt;
  FailureOr<Tensors> expected = makeExpected(spec, program, inputs, depth);
  if (failed(expected))
    return failure();
  if (expected->size() != results.size())
    return fail("'" + spec.with + "' gives " + Twine(expected->size()) +
                " results to compare with, '" + program.entry.getName() +
                "' has " + Twine(results.size()));
  LogicalResult verdict = success();
  DifferenceReport report(program.entry, inputs, spec.tolerance.has_value());
  for (auto [i, result, wanted] : llvm::enumerate(results, *expected)) {
    Tolerance tolerance =
        spec.tolerance ? Tolerance{*spec.tolerance, "given"}
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

LogicalResult tensoraccess::checkOutputs(ArrayRef<std::string> paths) {
  for (const std::string &path : paths) {
    StringRef folder = llvm::sys::path::parent_path(path);
    if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
      return fail("cannot write '" + path + "': no folder '" + folder + "'");
    if (llvm::sys::fs::is_directory(path))
      return fail("cannot write '" + path + "': is a directory");
  }
  return success();
}

LogicalResult tensoraccess::writeAll(ArrayRef<std::string> paths,
                                     ArrayRef<Tensor> results,
                                     ArrayRef<ValueType> types) {
  for (auto [i, path] : llvm::enumerate(paths))
    if (llvm::Error error = writeNpy(
            path, results[i], i < types.size() ? types[i].outerType : ""))
      return fail(std::move(error));
  return success();
}
