//===- RunDistributed.cpp - One rank of a job -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. join the job; read the program, make this rank's part of it; all ranks
//      leave together where it is cut for another number of them;
//   2. make or read the whole inputs and cut this rank's parts out (each rank
//      does so alone), or read its own parts;
//   3. compile; all begin at once, as often as times are asked for;
//   4. the first rank gets every rank's boxes of the results and puts them
//      together: no place may be missing, and ranks that have the same place
//      must have the same bits there;
//   5. it reports results, bytes that were counted as they were sent (against
//      those of the program) and times, and compares.
//
// A rank that fails alone ends the whole job: the others may be waiting for it.
//
//===----------------------------------------------------------------------===//

#include "RunDistributed.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Execution/Jit.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Pipelines/PassManagers.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// A rank at work.
struct RankRun {
  DistributedSpec &spec;
  MpiJob &job;
  MLIRContext &context;
  Program program = {};
  SmallVector<ValueType> inputTypes = {}, resultTypes = {};
  /// The whole inputs; none where ranks read their own parts.
  std::optional<Tensors> whole = std::nullopt;
  Tensors inputs = {}, results = {};
  double compileTime = 0;
  /// Of each run, in milliseconds; and what of it was waiting for messages.
  SmallVector<double> times = {}, waits = {};
  CallReport report = {};
  MpiTraffic traffic = {};
  /// True when no rank waits for another any more.
  bool isAlone = false;

  bool isFirst() const { return job.getRank() == 0; }
  LogicalResult loadProgram(bool &isMismatch);
  LogicalResult readInputs();
  LogicalResult call();
  FailureOr<Tensors> gatherResults();
  FailureOr<std::optional<Tensor>> gatherResult(unsigned number);
  LogicalResult reportTraffic();
  LogicalResult reportTimes();
  LogicalResult finish();
};
} // namespace

/// `{rank}` and `{ranks}` replaced by numbers.
static std::string fillIn(StringRef text, const MpiJob &job) {
  std::string result = text.str();
  for (auto [name, number] : {std::pair("{rank}", job.getRank()),
                              std::pair("{ranks}", job.getSize())})
    for (size_t at; (at = result.find(name)) != std::string::npos;)
      result.replace(at, std::strlen(name), std::to_string(number));
  return result;
}

static bool isPerRank(StringRef path) { return path.contains("{rank}"); }

//===----------------------------------------------------------------------===//
// Steps 1 and 2
//===----------------------------------------------------------------------===//

/// Runs the passes that make a rank's program.
static LogicalResult runPasses(ModuleOp module, StringRef text) {
  registerAllPassesAndPipelines();
  FailureOr<OpPassManager> pipeline = parsePassPipeline(text);
  if (failed(pipeline))
    return fail("cannot read passes '" + text + "'");
  PassManager pm(module.getContext(), pipeline->getOpAnchorName());
  static_cast<OpPassManager &>(pm) = std::move(*pipeline);
  reportFailures(pm);
  return pm.run(module);
}

LogicalResult RankRun::loadProgram(bool &isMismatch) {
  if (failed(loadModule(context, spec.file, program)))
    return failure();
  if (!spec.passes.empty() &&
      failed(runPasses(*program.module, fillIn(spec.passes, job))))
    return failure();
  FailureOr<std::optional<int64_t>> ranks = getRanks(*program.module);
  if (failed(ranks))
    return failure();
  isMismatch = *ranks && **ranks != job.getSize();
  if (isMismatch) {
    // Every rank finds this, so one may speak for all.
    if (isFirst())
      (void)fail("'" + spec.file + "' is cut for " + Twine(**ranks) +
                 (**ranks == 1 ? " rank" : " ranks") + ", but mpirun started " +
                 Twine(job.getSize()));
    return failure();
  }
  FailureOr<FunctionOpInterface> found =
      findProgram(*program.module, spec.comparison.entry, job.getRank());
  if (failed(found))
    return failure();
  program.entry = dyn_cast<func::FuncOp>(found->getOperation());
  if (!program.entry)
    return found->emitError() << "a program must be a func.func";
  auto signature = getSignature(program.entry);
  if (failed(signature))
    return failure();
  std::tie(inputTypes, resultTypes) = std::move(*signature);
  if (!spec.outputs.empty() && spec.outputs.size() != resultTypes.size())
    return fail("--outputs names " + Twine(spec.outputs.size()) + " files, '" +
                spec.comparison.entry + "' has " + Twine(resultTypes.size()) +
                " results");
  return checkOutputs(spec.outputs);
}

LogicalResult RankRun::readInputs() {
  if (isPerRank(spec.inputs)) {
    FailureOr<Tensors> own = readAll(fillIn(spec.inputs, job));
    if (failed(own))
      return failure();
    inputs = std::move(*own);
    if (llvm::Error error = checkInputs(inputTypes, inputs))
      return fail(std::move(error));
    return success();
  }
  // The types of whole inputs, as a function of its own takes them.
  SmallVector<Shard> shards;
  SmallVector<Type> types;
  SmallVector<ValueType> wholeTypes(inputTypes);
  for (auto [i, type] : llvm::enumerate(program.entry.getArgumentTypes())) {
    bool isWhole;
    FailureOr<Shard> shard = getArgumentShard(program.entry, i, &isWhole);
    if (failed(shard))
      return failure();
    types.push_back(type);
    if (!isWhole) {
      types.back() = RankedTensorType::get(
          shard->shape, cast<RankedTensorType>(type).getElementType());
      wholeTypes[i].shape = shard->shape;
    }
    shards.push_back(std::move(*shard));
  }
  OpBuilder builder(&context);
  OwningOpRef<func::FuncOp> taker = func::FuncOp::create(
      program.entry.getLoc(), "inputs", builder.getFunctionType(types, {}));
  taker->setPrivate();
  FailureOr<Tensors> made =
      makeInputs(spec.inputs, {},
                 cast<FunctionOpInterface>(taker->getOperation()), isFirst());
  if (failed(made))
    return failure();
  if (llvm::Error error = checkInputs(wholeTypes, *made))
    return fail(std::move(error));
  for (auto [shard, input] : llvm::zip(shards, *made)) {
    SmallVector<int64_t> sizes = getBoxSizes(shard.box),
                         steps(shard.shape.size(), 1);
    if (sizes == input.getShape() || shard.shape.empty()) {
      inputs.push_back(input);
      continue;
    }
    llvm::Expected<Tensor> part =
        input.slice(shard.box.lo, sizes, steps).toDense();
    if (!part)
      return fail(part.takeError());
    inputs.push_back(std::move(*part));
  }
  whole = std::move(*made);
  return success();
}

//===----------------------------------------------------------------------===//
// Step 3
//===----------------------------------------------------------------------===//

LogicalResult RankRun::call() {
  Clock::time_point start = Clock::now();
  JitOptions &options = spec.jit;
  options.mpi = stringifyMpiImplementation(job.getImplementation()).lower();
  options.symbols = job.getSymbols();
  if (options.threads == 0)
    options.threads = 1;
  FailureOr<CompiledFunction> compiled = CompiledFunction::compile(
      *program.module, program.entry.getName(), options);
  if (failed(compiled))
    return failure();
  compileTime = millisecondsSince(start);
  for (unsigned i = 0; i < std::max(spec.runs, 1u); ++i) {
    results.clear();
    if (llvm::Error error = job.barrier())
      return fail(std::move(error));
    (void)job.takeTraffic();
    start = Clock::now();
    llvm::Expected<Tensors> got = compiled->call(inputs, &report);
    if (!got)
      return fail(got.takeError());
    times.push_back(millisecondsSince(start));
    traffic = job.takeTraffic();
    waits.push_back(traffic.waitNanoseconds * 1e-6);
    results = std::move(*got);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Step 4
//===----------------------------------------------------------------------===//

/// The part of a tensor that lies in a box, as a view.
static Tensor view(const Tensor &tensor, const Box &box) {
  return tensor.slice(box.lo, getBoxSizes(box));
}

/// Result `number` of all ranks, put together at the first one.
FailureOr<std::optional<Tensor>> RankRun::gatherResult(unsigned number) {
  bool isWhole;
  FailureOr<Shard> shard = getResultShard(program.entry, number, &isWhole);
  if (failed(shard))
    return failure();
  llvm::Expected<Tensor> own = results[number].toDense();
  if (!own)
    return fail(own.takeError());
  // A result of sizes that only the run tells is whole.
  if (isWhole) {
    shard->shape.assign(own->getShape().begin(), own->getShape().end());
    shard->box.lo.assign(shard->shape.size(), 0);
    shard->box.hi = shard->shape;
  }
  SmallVector<int64_t> place(1, own->getRank());
  for (ArrayRef<int64_t> list :
       {ArrayRef<int64_t>(shard->shape), ArrayRef<int64_t>(shard->box.lo),
        ArrayRef<int64_t>(shard->box.hi)})
    llvm::append_range(place, list);
  auto places = job.gather(place);
  if (!places)
    return fail(places.takeError());
  size_t width = byteSize(own->getElementType());
  if (!isFirst()) {
    if (llvm::Error error =
            job.send(own->getData(), own->getNumElements() * width, 0))
      return fail(std::move(error));
    return std::optional<Tensor>();
  }

  llvm::Expected<Tensor> all =
      Tensor::create(own->getElementType(), shard->shape);
  if (!all)
    return fail(all.takeError());
  SmallVector<Box> boxes;
  size_t dims = shard->shape.size();
  for (auto [rank, numbers] : llvm::enumerate(*places)) {
    ArrayRef<int64_t> list = ArrayRef(numbers).drop_front();
    if (list.take_front(dims) != ArrayRef(shard->shape))
      return fail("result " + Twine(number) + " has another shape on rank " +
                  Twine(rank) + " than on rank 0");
    Box box;
    box.lo.assign(list.begin() + dims, list.begin() + 2 * dims);
    box.hi.assign(list.begin() + 2 * dims, list.end());
    Tensor part = *own;
    if (rank > 0) {
      llvm::Expected<Tensor> room =
          Tensor::create(own->getElementType(), getBoxSizes(box));
      if (!room)
        return fail(room.takeError());
      if (llvm::Error error = job.receive(room->getData(),
                                          room->getNumElements() * width, rank))
        return fail(std::move(error));
      part = std::move(*room);
    }
    Tensor there = view(*all, box);
    for (auto [earlier, other] : llvm::enumerate(boxes)) {
      Box common = intersectBoxes(box, other);
      if (common.isEmpty())
        continue;
      Box inside = common;
      for (auto [lo, hi, start] : llvm::zip(inside.lo, inside.hi, box.lo)) {
        lo -= start;
        hi -= start;
      }
      if (!isIdentical(view(part, inside), view(*all, common)))
        return fail("result " + Twine(number) + ": ranks " + Twine(earlier) +
                    " and " + Twine(rank) + " have other values in " +
                    printBox(common) + ", which both have");
    }
    if (!box.isEmpty())
      copyElements(part, there);
    boxes.push_back(std::move(box));
  }
  std::optional<uint64_t> covered = countUnionOfBoxes(boxes);
  if (!covered || *covered != static_cast<uint64_t>(all->getNumElements()))
    return fail("result " + Twine(number) + ": the ranks' parts have " +
                (covered ? std::to_string(*covered) : std::string("unknown")) +
                " of " + Twine(all->getNumElements()) + " elements");
  return std::optional(std::move(*all));
}

/// All results, at the first rank.
FailureOr<Tensors> RankRun::gatherResults() {
  Tensors all;
  for (unsigned i = 0; i < results.size(); ++i) {
    FailureOr<std::optional<Tensor>> one = gatherResult(i);
    if (failed(one))
      return failure();
    if (*one)
      all.push_back(std::move(**one));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Step 5
//===----------------------------------------------------------------------===//

/// More ranks than this are not listed one by one.
static constexpr int64_t kListedRanks = 16;

LogicalResult RankRun::reportTraffic() {
  std::optional<int64_t> said = countSentBytes(program.entry, job.getRank());
  auto all = job.gather({traffic.bytes, traffic.messages, traffic.reducedBytes,
                         traffic.reductions, said.value_or(-1)});
  if (!all)
    return fail(all.takeError());
  if (!isFirst())
    return success();
  LogicalResult verdict = success();
  int64_t total = 0, most = 0;
  for (auto [rank, numbers] : llvm::enumerate(*all)) {
    total += numbers[0];
    most = std::max(most, numbers[0]);
    if (numbers[4] >= 0 && numbers[4] != numbers[0])
      verdict = fail("rank " + Twine(rank) + " sent " + Twine(numbers[0]) +
                     " bytes, its program says " + Twine(numbers[4]));
    if (static_cast<int64_t>(all->size()) > kListedRanks)
      continue;
    llvm::outs() << "sent      rank " << rank << ": " << numbers[0]
                 << (numbers[0] == 1 ? " byte in " : " bytes in ") << numbers[1]
                 << (numbers[1] == 1 ? " message" : " messages");
    if (numbers[3] > 0)
      llvm::outs() << "; reduced " << numbers[2] << " bytes in " << numbers[3]
                   << (numbers[3] == 1 ? " all-reduction" : " all-reductions");
    if (numbers[4] == numbers[0])
      llvm::outs() << ", as the program says";
    llvm::outs() << '\n';
  }
  llvm::outs() << "sent      " << total << " bytes in all, at most " << most
               << " by a rank\n";
  return verdict;
}

LogicalResult RankRun::reportTimes() {
  SmallVector<int64_t> numbers = {report.peakBytes,
                                  static_cast<int64_t>(compileTime * 1e3)};
  for (double time : times)
    numbers.push_back(static_cast<int64_t>(time * 1e6));
  for (double wait : waits)
    numbers.push_back(static_cast<int64_t>(wait * 1e6));
  auto all = job.gather(numbers);
  if (!all)
    return fail(all.takeError());
  if (!isFirst())
    return success();
  // A run takes as long as its slowest rank.
  SmallVector<int64_t> slowest(numbers.size(), 0);
  for (const auto &one : *all)
    for (auto [worst, number] : llvm::zip(slowest, one))
      worst = std::max(worst, number);
  ArrayRef<int64_t> runs = ArrayRef(slowest).slice(2, times.size());
  size_t best = llvm::min_element(runs) - runs.begin();
  llvm::outs() << "time      compile " << llvm::format("%.1f", slowest[1] / 1e3)
               << " ms, run " << llvm::format("%.4g", runs[best] / 1e6)
               << " ms (slowest rank, best of " << times.size()
               << "), of that at most "
               << llvm::format("%.4g", slowest[2 + runs.size() + best] / 1e6)
               << " ms waiting for messages\n"
               << "memory    " << slowest[0]
               << " bytes at most on a rank, in buffers\n";
  return success();
}

LogicalResult RankRun::finish() {
  bool writesParts = llvm::any_of(spec.outputs, isPerRank);
  bool needsAll = !spec.comparison.with.empty() ||
                  (spec.outputs.empty() ? true : !writesParts);
  Tensors all;
  if (needsAll) {
    FailureOr<Tensors> gathered = gatherResults();
    if (failed(gathered))
      return failure();
    all = std::move(*gathered);
  }
  LogicalResult verdict = success();
  if (isFirst())
    for (auto [i, result] : llvm::enumerate(all))
      reportResult(llvm::outs(), i, result);
  if (failed(reportTraffic()))
    verdict = failure();
  if (spec.runs > 0 && failed(reportTimes()))
    return failure();
  isAlone = true;
  if (writesParts) {
    SmallVector<std::string> paths;
    for (const std::string &path : spec.outputs)
      paths.push_back(fillIn(path, job));
    if (failed(writeAll(paths, results)))
      return failure();
  }
  if (!isFirst())
    return success();
  if (!spec.comparison.with.empty()) {
    if (!whole)
      return fail("--compare needs whole inputs, got '" + spec.inputs + "'");
    ComparisonSpec comparison = spec.comparison;
    comparison.interpret = [&] {
      return interpretSharded(*program.module, comparison.entry, *whole);
    };
    if (failed(compareAll(comparison, program, *whole, all)))
      verdict = failure();
  }
  if (!writesParts && failed(writeAll(spec.outputs, all)))
    return failure();
  return verdict;
}

//===----------------------------------------------------------------------===//
// The job
//===----------------------------------------------------------------------===//

/// The message when time is over; made before, since a signal's handler cannot
/// allocate.
static char timeoutMessage[128];

/// Seconds in which ranks must find one another.
static constexpr unsigned kJoinSeconds = 60;

static void onTimeout(int) {
  // The launcher sees a rank end without leaving, and ends the others.
  ssize_t written =
      write(STDERR_FILENO, timeoutMessage, std::strlen(timeoutMessage));
  (void)written;
  _exit(1);
}

/// Lets the process end after so many seconds; never for 0.
static void setTimeout(unsigned seconds, const char *message) {
  std::snprintf(timeoutMessage, sizeof(timeoutMessage), message, seconds);
  std::signal(SIGALRM, onTimeout);
  alarm(seconds);
}

LogicalResult mlir::tensoraccess::runDistributed(DistributedSpec &spec) {
  std::optional<MpiImplementation> wanted;
  if (!spec.implementation.empty() && spec.implementation != "auto") {
    wanted = symbolizeMpiImplementation(spec.implementation);
    if (!wanted)
      return fail("--mpi: " + describeUnknown("implementation",
                                              spec.implementation,
                                              {"auto", "openmpi", "mpich"}));
  }
  setTimeout(spec.timeout > 0 ? std::min(spec.timeout, kJoinSeconds)
                              : kJoinSeconds,
             "error: other ranks of the job have not joined after %u s\n");
  llvm::Expected<MpiJob *> joined = MpiJob::join(wanted);
  if (!joined)
    return fail(joined.takeError());
  setTimeout(spec.timeout,
             "error: the job has not ended after %u s (--timeout)\n");
  MpiJob &job = **joined;
  if (job.getSize() > 1)
    setSpeaker("rank " + Twine(job.getRank()) + ": ",
               /*holds=*/job.getRank() != 0);
  if (job.getRank() == 0) {
    llvm::outs() << "ranks     " << job.getSize() << ", " << job.getVersion()
                 << '\n';
    llvm::outs().flush();
  }
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);

  RankRun run{spec, job, context};
  auto giveUp = [&] {
    // Mostly all ranks fail alike: the first one may speak for them, and what
    // the others report is held back until then.
    if (job.getRank() != 0)
      sleep(1);
    flushDiagnostics();
    llvm::outs().flush();
    // Text in the pipe to mpirun is lost if MPICH's mpirun learns of the end first.
    usleep(500000);
    job.abort(1);
  };
  bool isMismatch = false;
  LogicalResult verdict = run.loadProgram(isMismatch);
  if (!isMismatch) {
    if (failed(verdict) || failed(run.readInputs()) || failed(run.call()))
      giveUp();
    verdict = run.finish();
    if (failed(verdict) && !run.isAlone)
      giveUp();
  }
  flushDiagnostics();
  alarm(0);
  if (llvm::Error error = job.leave())
    return fail(std::move(error));
  return verdict;
}
