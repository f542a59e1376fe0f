//===- Accelerator.h - Models on systolic arrays ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PIPELINES_ACCELERATOR_H
#define TENSORACCESS_PIPELINES_ACCELERATOR_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
namespace tensoraccess {

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

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_ACCELERATOR_H
