//===- Run.cpp - The program tensoraccess-run -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. parse the file, find the entry and what it takes;
//   2. make or read the inputs and check them;
//   3. run, by JIT or interpreter; with --time, several times;
//   4. report the results; compare them, as the report has it;
//   5. write the outputs, each to a temporary file that then takes the name.
//
// Nothing is written unless everything before went well, a comparison apart:
// what differed is worth looking at.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"
#include "RunDistributed.h"
#include "RunProgram.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "TensorAccess/Transforms/Contracts.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/InterleavedRange.h"
#include <map>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;

namespace {

enum class Engine { Jit, Interpret, Systolic };
enum class Scatter { StableHlo, Xla };

/// The command line. Made inside runMain, so that linking this library adds no
/// option to other tools.
struct Options {
  cl::OptionCategory category{"tensoraccess-run options"};
  cl::opt<std::string> file{cl::Positional, cl::Required,
                            cl::desc("FILE (text or bytecode, - for stdin)"),
                            cl::cat(category)};
  cl::opt<std::string> entry{
      "entry",
      cl::desc("The function to run (default: main, or the only public one)"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<Engine> engine{
      "engine", cl::desc("What runs it"), cl::init(Engine::Jit),
      cl::values(clEnumValN(Engine::Jit, "jit", "compiled for this machine"),
                 clEnumValN(Engine::Interpret, "interpret",
                            "by the reference kernels"),
                 clEnumValN(Engine::Systolic, "systolic",
                            "the same, with every systolic_array on a "
                            "simulator that counts its cycles")),
      cl::cat(category)};
  cl::opt<std::string> cpu{
      "cpu",
      cl::desc("With --engine=jit: the processor that code is generated for, "
               "by LLVM's name (default host: this one)"),
      cl::value_desc("name"), cl::init("host"), cl::cat(category)};
  cl::list<std::string> compileFor{
      "compile-for",
      cl::desc("Compile for these processors, of any architecture, and "
               "print the size of the code; nothing runs"),
      cl::value_desc("znver4,neoverse-v2"), cl::CommaSeparated,
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
      cl::value_desc("random:SEED[:positive|:model]|A.npy,B.npy"),
      cl::cat(category)};
  cl::list<std::string> dynamicSizes{
      "dynamic-sizes",
      cl::desc("Sizes of random inputs for each `?` in the types of the "
               "function's arguments, in order of appearance"),
      cl::value_desc("4,16"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<Scatter> scatter{
      "scatter",
      cl::desc("What a scatter does with windows that are partly outside"),
      cl::init(Scatter::StableHlo),
      cl::values(
          clEnumValN(Scatter::StableHlo, "stablehlo",
                     "writes what is inside, as specified"),
          clEnumValN(Scatter::Xla, "xla", "drops them, as jax.jit does")),
      cl::cat(category)};
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
      cl::desc("Print how long compiling and running took, and the "
               "memory"),
      cl::cat(category)};
  cl::opt<unsigned> repeat{"repeat",
                           cl::desc("With --time: runs, the best one counts"),
                           cl::init(5), cl::cat(category)};
  cl::opt<bool> noChecks{
      "no-checks",
      cl::desc("Compile without checks of dynamic sizes and indices; what does "
               "not fit is then undefined"),
      cl::cat(category)};
  cl::opt<bool> plain{
      "plain",
      cl::desc("Compile by tensoraccess-to-llvm, for one thread, instead of "
               "tensoraccess-cpu"),
      cl::cat(category)};
  cl::opt<std::string> profile{
      "profile", cl::ValueOptional,
      cl::desc(
          "With --engine=jit: print how long each loop nest took in the best "
          "of --repeat runs, and how near that is to what this machine can "
          "do; and write it as a trace that Perfetto opens"),
      cl::value_desc("trace.json"), cl::cat(category)};
  cl::opt<bool> noCache{
      "no-cache",
      cl::desc("Compile even what is in the cache on disk, and keep nothing "
               "there"),
      cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads",
      cl::desc("With --engine=jit: the most threads (default 0: one a "
               "processor)"),
      cl::value_desc("number"), cl::init(0), cl::cat(category)};
  cl::opt<bool> reassociate{
      "reassociate",
      cl::desc(
          "With --engine=jit: add floats in any order where that is faster"),
      cl::cat(category)};
  cl::list<std::string> weights{
      "weights",
      cl::desc(
          "With --engine=jit: inputs that are the same in every call; what is "
          "computed of them alone is computed in the first one"),
      cl::value_desc("number or first-last,…"), cl::CommaSeparated,
      cl::cat(category)};
  cl::opt<bool> noRuntime{
      "no-runtime",
      cl::desc("Compile without calls of the runtime library: moves are loops"),
      cl::cat(category)};
  cl::opt<std::string> mpi{
      "mpi", cl::ValueOptional,
      cl::desc("Run as one rank of a job that mpirun started; auto: the "
               "implementation whose launcher it was"),
      cl::value_desc("auto|openmpi|mpich"), cl::cat(category)};
  cl::opt<std::string> passes{
      "passes",
      cl::desc("With --mpi: passes that make this rank's program of the file; "
               "{rank} and {ranks} stand for numbers"),
      cl::value_desc("pipeline"), cl::cat(category)};
  cl::list<std::string> contracts{
      "contract",
      cl::desc("Prove what the function may depend on, or refute it by inputs "
               "that are run, instead of running it on others; may be given "
               "several times"),
      cl::value_desc("causal(result 0 dim 1, arg 0 dim 1)|..."),
      cl::cat(category)};
  cl::opt<std::string> assume{
      "assume", cl::desc("With --contract: bounds of arguments"),
      cl::value_desc("|arg 0| <= 1e4, ..."), cl::cat(category)};
  cl::opt<unsigned> timeout{
      "timeout",
      cl::desc("With --mpi: end the job if it takes longer (0: never)"),
      cl::value_desc("seconds"), cl::init(0), cl::cat(category)};
};

} // namespace

/// Runs with every systolic_array on the simulator, and prints what each size
/// of array took.
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
    std::optional<ElementType> accumulator;
    if (std::optional<Type> type = arrayOp.getAccumulator())
      accumulator = getElementTypeOf(*type);
    llvm::Expected<SystolicRun> run = simulateSystolicArray(
        array, operands[0], operands[1], arrayOp.getBlocked(), accumulator);
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

/// What results are to be compared with.
static ComparisonSpec getComparison(const Options &options) {
  ComparisonSpec spec;
  spec.with = options.compare;
  spec.entry = options.entry.empty() && options.mpi.getNumOccurrences() > 0
                   ? "main"
                   : std::string(options.entry);
  spec.dropsPartialWindows = options.scatter == Scatter::Xla;
  if (options.tolerance.getNumOccurrences() > 0)
    spec.tolerance = options.tolerance;
  return spec;
}

/// How the command line wants programs compiled.
static void readJitOptions(const Options &options, JitOptions &jit) {
  jit.checks = !options.noChecks;
  jit.runtime = !options.noRuntime;
  jit.reassociate = options.reassociate.getValue();
  if (options.plain)
    jit.setPlain();
  jit.cpu = options.cpu;
  jit.cache = !options.noCache;
  jit.threads = options.threads;
}

/// One rank's part of a run by MPI.
static LogicalResult runRank(const Options &options) {
  if (options.engine != Engine::Jit)
    return fail("--mpi compiles programs; --engine is for runs without it");
  if (!options.dynamicSizes.empty())
    return fail("--dynamic-sizes is for runs without --mpi");
  if (options.scatter.getNumOccurrences() > 0)
    return fail("--scatter is for runs without --mpi; --passes takes "
                "tensoraccess-drop-partial-windows");
  DistributedSpec spec;
  spec.file = options.file;
  spec.implementation = options.mpi;
  spec.passes = options.passes;
  spec.inputs = options.inputs;
  spec.outputs.assign(options.outputs.begin(), options.outputs.end());
  spec.comparison = getComparison(options);
  spec.runs = options.time ? options.repeat : 0;
  spec.timeout = options.timeout;
  readJitOptions(options, spec.jit);
  return runDistributed(spec);
}

/// The inputs that --weights names: `3` or `1-161`.
static LogicalResult readWeights(ArrayRef<std::string> parts,
                                 ArrayRef<ValueType> inputs,
                                 SmallVectorImpl<unsigned> &numbers) {
  for (StringRef part : parts) {
    auto [begin, end] = part.split('-');
    unsigned first, last;
    if (begin.getAsInteger(10, first) ||
        (part.contains('-') ? end : begin).getAsInteger(10, last) ||
        first > last)
      return fail("--weights takes numbers and ranges such as 1-161, got '" +
                  part + "'");
    if (last >= inputs.size())
      return fail("--weights names input " + Twine(last) + ", there are " +
                  Twine(inputs.size()));
    for (unsigned i = first; i <= last; ++i)
      numbers.push_back(i);
  }
  return success();
}

/// Compiles the entry for each processor of --compile-for.
static LogicalResult compileForAll(const Options &options, Program &program) {
  SmallVector<std::string> cpus(options.compileFor.begin(),
                                options.compileFor.end());
  JitOptions jit;
  readJitOptions(options, jit);
  FailureOr<SmallVector<size_t>> sizes = CompiledFunction::compileFor(
      *program.module, program.entry.getName(), cpus, jit);
  if (failed(sizes))
    return failure();
  for (auto [cpu, bytes] : llvm::zip_equal(cpus, *sizes))
    llvm::outs() << "code      " << cpu << ": " << bytes << " bytes\n";
  return success();
}

/// The results of the chosen engine.
static FailureOr<Tensors> runEngine(const Options &options, Program &program,
                                    ArrayRef<Tensor> inputs, unsigned runs,
                                    const JitOptions &jit) {
  return options.engine == Engine::Jit
             ? runJit(program, inputs, runs, jit, options.profile)
         : options.engine == Engine::Interpret
             ? runInterpreter(program, inputs, runs)
             : runSystolic(options, program, inputs);
}

/// Prints a verdict for each --contract. Of what is refuted, the chosen engine
/// runs the witness, too.
static LogicalResult checkContracts(const Options &options, Program &program) {
  if (program.entry.isExternal())
    return fail("function @" + program.entry.getName() +
                " has no body to check");
  std::string error;
  auto assumptions = Assumption::parse(options.assume, program.entry, error);
  if (!assumptions)
    return fail("--assume: " + error);
  IndexingCache cache;
  ContractProver prover(program.entry, cache, std::move(*assumptions));
  LogicalResult answer = success();
  for (const std::string &text : options.contracts) {
    std::optional<Contract> contract =
        Contract::parse(text, program.entry, error);
    if (!contract)
      return mlir::emitError(program.entry.getLoc())
             << "contract '" << text << "': " << error;
    ContractVerdict verdict = checkContract(prover, program.entry, *contract);
    llvm::outs() << "contract  " << text << ": " << toString(verdict.kind);
    if (!verdict.condition.empty())
      llvm::outs() << ' ' << verdict.condition;
    if (verdict.kind == ContractVerdict::Unknown)
      llvm::outs() << ": " << verdict.reason;
    llvm::outs() << '\n';
    if (verdict.kind != ContractVerdict::Refuted)
      continue;
    answer = emitRefuted(program.entry, *contract, verdict);
    const ContractWitness &witness = *verdict.witness;
    JitOptions jit;
    readJitOptions(options, jit);
    for (bool isChanged : {false, true}) {
      FailureOr<Tensors> results =
          runEngine(options, program,
                    isChanged ? witness.changed : witness.inputs, 0, jit);
      if (failed(results))
        return failure();
      llvm::outs() << (isChanged ? "changed   " : "witness   ") << "result "
                   << witness.result;
      if (!witness.index.empty())
        llvm::outs() << " at " << llvm::interleaved_array(witness.index);
      llvm::outs() << llvm::format(
          ": %.9g\n", (*results)[witness.result].getDouble(witness.index));
    }
  }
  return answer;
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
  if (options.engine != Engine::Jit &&
      (options.cpu.getNumOccurrences() > 0 || !options.compileFor.empty()))
    return fail("--cpu and --compile-for need --engine=jit");
  if (options.engine != Engine::Jit && options.noChecks)
    return fail("--no-checks is for --engine=jit; the others always check");
  if (options.engine != Engine::Jit && options.noRuntime)
    return fail("--no-runtime is for --engine=jit; the others compile nothing");
  if (options.engine != Engine::Jit && (options.plain || options.threads > 0 ||
                                        options.noCache || options.reassociate))
    return fail(
        "--plain, --threads, --reassociate and --no-cache need --engine=jit");
  if (options.engine != Engine::Jit && options.profile.getNumOccurrences() > 0)
    return fail("--profile needs --engine=jit");
  if (options.plain && options.threads > 1)
    return fail("--plain is for one thread, got --threads=" +
                Twine(options.threads));
  if (!options.weights.empty() &&
      (options.engine != Engine::Jit || options.plain))
    return fail("--weights needs --engine=jit, and is not for --plain");
  if (options.repeat == 0)
    return fail("--repeat must be at least 1, got 0");
  if (options.repeat.getNumOccurrences() > 0 && !options.time &&
      options.profile.getNumOccurrences() == 0)
    return fail("--repeat is for --time and --profile");
  if (!options.contracts.empty() &&
      (options.inputs.getNumOccurrences() > 0 || !options.outputs.empty() ||
       !options.compare.empty() || options.time ||
       options.mpi.getNumOccurrences() > 0))
    return fail("--contract makes its own inputs: --inputs, --outputs, "
                "--compare, --time and --mpi are for runs without it");
  if (!options.assume.empty() && options.contracts.empty())
    return fail("--assume is for --contract");
  if (options.mpi.getNumOccurrences() > 0)
    return runRank(options);
  if (options.timeout > 0 || !options.passes.empty())
    return fail("--timeout and --passes need --mpi");

  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  Program program;
  if (failed(load(context, options.file, options.entry, program)))
    return failure();
  if (options.scatter == Scatter::Xla)
    dropPartialWindows(*program.module);
  auto signature = getSignature(program.entry);
  if (failed(signature))
    return failure();
  size_t numResults = signature->second.size();
  if (!options.outputs.empty() && options.outputs.size() != numResults)
    return fail("--outputs names " + Twine(options.outputs.size()) +
                " files, '" + program.entry.getName() + "' has " +
                Twine(numResults) + " results");
  if (failed(checkOutputs(options.outputs)) ||
      (!options.profile.empty() &&
       failed(checkOutputs(std::string(options.profile)))))
    return failure();

  if (!options.compileFor.empty())
    return compileForAll(options, program);
  if (!options.contracts.empty())
    return checkContracts(options, program);

  FailureOr<Tensors> inputs =
      makeInputs(options.inputs, options.dynamicSizes, program.entry);
  if (failed(inputs))
    return failure();
  if (llvm::Error error = checkInputs(signature->first, *inputs))
    return fail(std::move(error));

  if (failed(refineFor(program, *inputs)))
    return failure();

  unsigned runs = options.time ? options.repeat : 0;
  JitOptions jit;
  readJitOptions(options, jit);
  jit.profile = options.profile.getNumOccurrences() > 0;
  if (jit.profile)
    runs = options.repeat;
  if (failed(readWeights(options.weights, signature->first, jit.weights)))
    return failure();
  FailureOr<Tensors> results = runEngine(options, program, *inputs, runs, jit);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    reportResult(llvm::outs(), i, result);

  LogicalResult verdict = success();
  if (!options.compare.empty()) {
    ComparisonSpec spec = getComparison(options);
    spec.interpret = [&] { return runInterpreter(program, *inputs, 0); };
    verdict = compareAll(spec, program, *inputs, *results);
  }
  if (failed(writeAll(options.outputs, *results, signature->second)))
    return failure();
  return verdict;
}

int mlir::tensoraccess::runMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // LLVM's linker has an option of this name, which has no effect here.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  Options options;
  registerHelp(
      argc, argv,
      {"Runs a function of an MLIR file on tensors. It is compiled, or "
       "interpreted; results are summarized, written to files, or compared.",
       "[options] FILE",
       {"tensoraccess-run conv.mlir --entry=conv2d --inputs=random:7",
        "tensoraccess-run conv.mlir --entry=conv2d --inputs=A.npy,B.npy "
        "--outputs=R.npy",
        "tensoraccess-run conv.mlir --entry=conv2d --compare=interpret"},
       {}});
  cl::ParseCommandLineOptions(argc, argv);
  return failed(run(options));
}
