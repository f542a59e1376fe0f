//===- PassManagers.h - Failures and progress of passes ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PIPELINES_PASSMANAGERS_H
#define TENSORACCESS_PIPELINES_PASSMANAGERS_H

#include "TensorAccess/Core/Progress.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

namespace mlir {
class PassManager;
namespace tensoraccess {

/// The ops of a program, recorded before passes change it.
struct SourceOps {
  llvm::StringSet<> names;
  /// By location; null if several ops of different names share one.
  llvm::DenseMap<Location, StringAttr> places;
};
std::shared_ptr<const SourceOps> getSourceOps(Operation *program);

/// The op at a location, or at the first within it that is known; null if
/// there is none.
StringAttr findSourceOp(const SourceOps &ops, Location loc);

/// Makes a pass manager report which pass failed, and on what, if no error has
/// been emitted; if upstream's passes fail while a program is lowered to LLVM,
/// errors are about the ops of `ops`, or of the program that the pass manager
/// first runs on.
void reportFailures(PassManager &pm,
                    std::shared_ptr<const SourceOps> ops = nullptr);

/// How many passes a pipeline has, at all levels.
int64_t countPasses(PassManager &pm);

/// Counts in `steps` the passes of `pm` that have run, after `before` others: a
/// pass on functions counts in parts, one function after the other.
void reportProgress(PassManager &pm, ProgressSteps &steps, int64_t before = 0);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_PIPELINES_PASSMANAGERS_H
