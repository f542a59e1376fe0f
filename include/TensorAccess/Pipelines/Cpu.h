//===- Cpu.h - From models to the LLVM dialect ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PIPELINES_CPU_H
#define TENSORACCESS_PIPELINES_CPU_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace tensoraccess {

/// Options of `tensoraccess-cpu`; the JIT has them, too.
struct CpuOptions : public PassPipelineOptions<CpuOptions> {
  PassOptions::Option<bool> checks{
      *this, "checks",
      llvm::cl::desc("assert what ops assume about dynamic sizes and "
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
      llvm::cl::desc("put each loop nest in its own function, one for all "
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
      llvm::cl::init(true)};
  PassOptions::Option<bool> planArena{
      *this, "plan-arena",
      llvm::cl::desc("make one buffer of those that a function allocates and "
                     "frees (see tensoraccess-plan-arena)"),
      llvm::cl::init(true)};
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
      llvm::cl::init(true)};
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

  /// Plain code: one thread, and no shared arena or packed weights.
  void setPlain() { parallelize = planArena = packWeights = false; }
};

/// From a model, access patterns or linalg on tensors to the LLVM dialect. Runs
/// on a module. Each public function `f` also gets `_mlir_ciface_f`, which
/// takes pointers to memref descriptors; memrefs in signatures are contiguous.
/// Arguments are never written to. Without `reassociate` the order of sums is
/// kept, and plain code gives the same bits.
void buildCpuPipeline(OpPassManager &pm, const CpuOptions &options);

/// Its two halves: up to loop nests on buffers, each in its own function, and
/// from there on.
void addToKernelsPasses(OpPassManager &pm, const CpuOptions &options);
void addKernelsToLLVMPasses(OpPassManager &pm, const CpuOptions &options);

/// Options of `tensoraccess-to-llvm`: the same pipeline, by default plain and
/// without the runtime library.
struct ToLLVMOptions : public CpuOptions {
  ToLLVMOptions() {
    setPlain();
    runtime = false;
  }
};

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_CPU_H
