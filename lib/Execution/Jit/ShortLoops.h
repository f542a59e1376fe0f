//===- ShortLoops.h - Vectors for loops of less than one --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXECUTION_JIT_SHORTLOOPS_H
#define TENSORACCESS_LIB_EXECUTION_JIT_SHORTLOOPS_H

#include "llvm/IR/PassManager.h"

namespace mlir::tensoraccess {

/// Has loops of a few iterations that read and write neighbours take vectors: a
/// masked one where the processor has such, else from eight iterations on. LLVM
/// leaves them alone where places may overlap, which it would find out before them.
struct ShortLoops : llvm::PassInfoMixin<ShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXECUTION_JIT_SHORTLOOPS_H
