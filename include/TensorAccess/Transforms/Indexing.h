//===- Indexing.h - Indexing maps as attributes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_INDEXING_H
#define TENSORACCESS_TRANSFORMS_INDEXING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <cstdint>

namespace mlir {
class Operation;
class MLIRContext;
} // namespace mlir

namespace mlir::tensoraccess {

class IndexingCache;
class OpIndexing;

enum class IndexingDirection : uint8_t { OutputToInput, InputToOutput, Both };

/// The value of `tensoraccess.indexing` for an op with this indexing.
DictionaryAttr getIndexingAttr(MLIRContext *context, const OpIndexing &indexing,
                               IndexingDirection direction);

struct AnnotateIndexingReport {
  int64_t ops = 0, maps = 0, unknown = 0;
};

/// Sets `tensoraccess.indexing` as the pass `tensoraccess-annotate-indexing`
/// describes (`fused`: functions instead of ops; `masked`: by their dependence),
/// and emits its remarks.
AnnotateIndexingReport annotateIndexing(ModuleOp module, IndexingCache &cache,
                                        IndexingDirection direction, bool fused,
                                        bool masked = false);

/// Simplifies every indexing map in attributes and types of `root` and all ops
/// below. Returns the number of distinct maps that changed.
int64_t simplifyIndexing(Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_INDEXING_H
