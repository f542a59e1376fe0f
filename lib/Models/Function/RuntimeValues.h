//===- RuntimeValues.h - What a runtime variable turns out to be *- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_RUNTIMEVALUES_H
#define TENSORACCESS_LIB_MODELS_RUNTIMEVALUES_H

#include "TensorAccess/Interfaces/IndexingOpInterface.h"

namespace mlir::tensoraccess {

class IndexingCache;

/// The indexing of `op` with its sources looked up in the IR. A runtime variable
/// whose value is a number or an index (constants, iota, and integer arithmetic
/// on them) is substituted by it. The source of one that is an element of a
/// function's argument, perhaps moved by reshapes and the like, names that
/// argument instead of an operand. All others have no source any more.
OpIndexing resolveSources(Operation *op, const OpIndexing &indexing,
                          IndexingCache &cache);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_RUNTIMEVALUES_H
