//===- Pipelines.h - Named ways through the house -------------------------===//
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

#include "mlir/Pass/PassOptions.h"

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

/// Registers every pipeline of this header.
void registerPipelines();

/// Makes a pass manager say which pass failed, and on what, where nobody has
/// emitted an error.
void reportSilentFailures(PassManager &pm);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_PIPELINES_H
