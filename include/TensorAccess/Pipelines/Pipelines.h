//===- Pipelines.h - Named pipelines --------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compositions of passes, each with its options as a struct. Registered as
// pass pipelines under the same options (`--tensoraccess-to-llvm="…"`).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PIPELINES_PIPELINES_H
#define TENSORACCESS_PIPELINES_PIPELINES_H

#include "TensorAccess/Core/Progress.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

namespace mlir {
class OpPassManager;
class PassManager;
namespace tensoraccess {

/// Options of `tensoraccess-to-llvm`.
struct ToLLVMOptions : public PassPipelineOptions<ToLLVMOptions> {
  PassOptions::Option<bool> checks{
      *this, "checks",
      llvm::cl::desc("assert what ops take for granted of dynamic sizes and "
                     "indices (see tensoraccess-insert-checks)"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> outParams{
      *this, "out-params",
      llvm::cl::desc("pass results of static shape in buffers of the caller, "
                     "after the arguments; without it each result is a fresh "
                     "buffer that the caller frees"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> orderLoops{
      *this, "order-loops",
      llvm::cl::desc("put a loop that vectorises innermost"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> fuseElementwise{
      *this, "fuse-elementwise",
      llvm::cl::desc("make one loop of a chain of elementwise ops"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> reassociate{
      *this, "reassociate",
      llvm::cl::desc(
          "add floats in any order where that is faster (see "
          "tensoraccess-dot-products); results depend on the target"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> packWeights{
      *this, "pack-weights",
      llvm::cl::desc(
          "put weights and constants in panels in a function of "
          "their own, which fills buffers that are further arguments "
          "(see tensoraccess-pack-weights)"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> blockKernels{
      *this, "block-kernels",
      llvm::cl::desc(
          "run ops on the same rows one after the other while caches "
          "hold them"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> outlineKernels{
      *this, "outline-kernels",
      llvm::cl::desc("put each loop nest in a function of its own, one for all "
                     "equal ones"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> registerTile{
      *this, "register-tile",
      llvm::cl::desc("keep tiles of sums and other reductions in registers"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> vectorizeMoves{
      *this, "vectorize-moves",
      llvm::cl::desc("move elements by lines and squares of vectors"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> parallelize{
      *this, "parallelize",
      llvm::cl::desc("cut loop nests for the cores of the module's target, or "
                     "of this machine, and run parallel loops on threads of "
                     "libTensorAccessRuntime, which the program is then linked "
                     "with"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> planArena{
      *this, "plan-arena",
      llvm::cl::desc("make one buffer of those that a function allocates and "
                     "frees (see tensoraccess-plan-arena)"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> profile{
      *this, "profile",
      llvm::cl::desc("call tensoraccess_profile, which the program is then "
                     "linked with, when loop nests begin and end (see "
                     "tensoraccess-profile-kernels)"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> runtime{
      *this, "runtime",
      llvm::cl::desc(
          "call libTensorAccessRuntime where it is faster, which the "
          "program is then linked with"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> mpi{
      *this, "mpi",
      llvm::cl::desc("implementation of MPI that is called: openmpi or mpich; "
                     "without it the one that the module names, else openmpi"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> assertHandler{
      *this, "assert-handler",
      llvm::cl::desc("function that failed assertions call with the message "
                     "and its values (see tensoraccess-lower-asserts), and "
                     "that does not return; without it they end the process"),
      llvm::cl::init("")};
};

/// From access patterns and linalg on tensors to the LLVM dialect. Runs on a
/// module. Each public function `f` also gets `_mlir_ciface_f`, which takes
/// pointers to memref descriptors; memrefs in signatures are contiguous.
/// Arguments are never written to. Order of sums is kept.
void buildToLLVMPipeline(OpPassManager &pm, const ToLLVMOptions &options);

/// Its two halves: up to loop nests on buffers, each in a function of its own,
/// and from there.
void addToKernelsPasses(OpPassManager &pm, const ToLLVMOptions &options);
void addKernelsToLLVMPasses(OpPassManager &pm, const ToLLVMOptions &options);

/// Options of `tensoraccess-cpu`.
struct CpuOptions : public PassPipelineOptions<CpuOptions> {
  PassOptions::Option<bool> checks{*this, "checks",
                                   llvm::cl::desc("as of tensoraccess-to-llvm"),
                                   llvm::cl::init(true)};
  PassOptions::Option<bool> outParams{
      *this, "out-params", llvm::cl::desc("as of tensoraccess-to-llvm"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> runtime{
      *this, "runtime",
      llvm::cl::desc("whether large moves call libTensorAccessRuntime"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> reassociate{
      *this, "reassociate", llvm::cl::desc("as of tensoraccess-to-llvm"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> mpi{
      *this, "mpi", llvm::cl::desc("as of tensoraccess-to-llvm"),
      llvm::cl::init("")};
  PassOptions::Option<std::string> assertHandler{
      *this, "assert-handler", llvm::cl::desc("as of tensoraccess-to-llvm"),
      llvm::cl::init("")};
};

/// The fast way from a model, or any program of `tensoraccess-to-llvm`, to the
/// LLVM dialect: the same with parallel loops on all cores of the target, which
/// is the module's, or this machine. Programs are linked with
/// libTensorAccessRuntime. The results have the same bits as those of
/// `tensoraccess-to-llvm`.
void buildCpuPipeline(OpPassManager &pm, const CpuOptions &options);

/// Options of `tensoraccess-accelerator`.
struct AcceleratorOptions : public PassPipelineOptions<AcceleratorOptions> {
  PassOptions::Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc("rows of the array (-1: 16, or what arrays or the target "
                     "say)"),
      llvm::cl::init(-1)};
  PassOptions::Option<int64_t> cols{
      *this, "cols",
      llvm::cl::desc(
          "columns of the array (-1: 16, or what arrays or the target "
          "say)"),
      llvm::cl::init(-1)};
  PassOptions::ListOption<std::string> arrays{
      *this, "arrays",
      llvm::cl::desc("arrays to choose from, instead of rows and cols: "
                     "16x16,8x32")};
  PassOptions::Option<std::string> target{
      *this, "target",
      llvm::cl::desc("a target, whose matrix units are chosen from instead"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> accumulators{
      *this, "accumulators",
      llvm::cl::desc("items whose sums a column keeps (0: all)"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> doubleBuffered{
      *this, "double-buffered",
      llvm::cl::desc("weights are loaded while others are used"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> loops{
      *this, "loops",
      llvm::cl::desc("write products that are larger than the array as loops "
                     "over its blocks"),
      llvm::cl::init(false)};
};

/// From a model in linalg, TOSA or StableHLO to access patterns whose products
/// run on systolic arrays. Runs on a module. Preserves results up to the order
/// of sums.
void buildAcceleratorPipeline(OpPassManager &pm,
                              const AcceleratorOptions &options);

/// Options of `tensoraccess-distributed`.
struct DistributedOptions : public PassPipelineOptions<DistributedOptions> {
  PassOptions::Option<std::string> grid{
      *this, "grid",
      llvm::cl::desc("the grid: rows=2,cols=2, or a number of ranks; without "
                     "it and `ranks` that of the function"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> ranks{
      *this, "ranks",
      llvm::cl::desc("a number of ranks, instead of a grid (-1: those of the "
                     "grid)"),
      llvm::cl::init(-1)};
  PassOptions::Option<std::string> arguments{
      *this, "arguments",
      llvm::cl::desc("how arguments are cut, from which cuts are spread: "
                     "0={d0: rows}; tensor<6x8xf32>={d1: cols}"),
      llvm::cl::init("")};
  PassOptions::Option<bool> spread{
      *this, "spread",
      llvm::cl::desc("spread cuts from arguments that say how they are cut"),
      llvm::cl::init(false)};
  PassOptions::Option<std::string> model{
      *this, "model", llvm::cl::desc("costs (see tensoraccess-plan-shards)"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> memoryLimit{
      *this, "memory-limit",
      llvm::cl::desc("bytes that a rank may hold (0: any)"), llvm::cl::init(0)};
  PassOptions::Option<std::string> method{
      *this, "method", llvm::cl::desc("how to search: dp, ilp, or auto"),
      llvm::cl::init("auto")};
  PassOptions::Option<int64_t> candidates{
      *this, "candidates",
      llvm::cl::desc("most cuts of an op that are weighed"),
      llvm::cl::init(64)};
  PassOptions::Option<double> maxSeconds{
      *this, "max-seconds",
      llvm::cl::desc("most seconds of an integer program"), llvm::cl::init(20)};
  PassOptions::Option<int64_t> tableEntries{
      *this, "table-entries",
      llvm::cl::desc("most entries of the tables of an elimination"),
      llvm::cl::init(134217728)};
  PassOptions::Option<std::string> function{
      *this, "function",
      llvm::cl::desc("the function to cut (all with a body)"),
      llvm::cl::init("")};
  PassOptions::Option<int64_t> rank{
      *this, "rank",
      llvm::cl::desc("make the program of this rank only (-1: of all)"),
      llvm::cl::init(-1)};
  PassOptions::Option<bool> planOnly{
      *this, "plan-only",
      llvm::cl::desc("stop at the plan: `tensoraccess-shard` makes programs of "
                     "it, a rank at a time"),
      llvm::cl::init(false)};
};

/// From a model in linalg, TOSA or StableHLO to one function a rank with
/// exchanges between them. Runs on a module.
void buildDistributedPipeline(OpPassManager &pm,
                              const DistributedOptions &options);

/// Registers every pipeline of this header.
void registerPipelines();

/// The options of such a pipeline as they are if none is given, in the form
/// `{checks=true mpi=}`; empty if there is no pipeline of that name.
std::string getPipelineValues(llvm::StringRef name);

/// What ops a program has, taken down before passes change it.
struct SourceOps {
  llvm::StringSet<> names;
  /// By location; null if several ops of different names have one.
  llvm::DenseMap<Location, StringAttr> places;
};
std::shared_ptr<const SourceOps> getSourceOps(Operation *program);

/// The op at a location, or at the first within it that is known; null if
/// there is none.
StringAttr findSourceOp(const SourceOps &ops, Location loc);

/// Makes a pass manager say which pass failed, and on what, if no error has
/// been emitted; where upstream's passes fail while a program is lowered to
/// LLVM, errors are about the ops of `ops`, or of the program that the pass
/// manager first runs on.
void reportFailures(PassManager &pm,
                    std::shared_ptr<const SourceOps> ops = nullptr);

/// How many passes a pipeline has, at all levels.
int64_t countPasses(PassManager &pm);

/// Counts the passes of `pm` that have run in `steps`, after `before` others: a
/// pass on functions in parts, one function after the other.
void reportProgress(PassManager &pm, ProgressSteps &steps, int64_t before = 0);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_PIPELINES_H
