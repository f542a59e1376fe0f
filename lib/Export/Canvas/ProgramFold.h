//===- ProgramFold.h - What of a long program is shown as one ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of ops as a tree:
//
//   1. Where locations name scopes, as in `jit(f)/layer_0/attention/dot_general`, ops that
//      follow one another in one scope are a part of that name.
//   2. Else layers that repeat op for op are copies, and in the rest each contraction is
//      one part with what is moved for it alone and all that follows up to the next one.
//   3. Neighbours that repeat are one part, also repeats of several.
//
// ResNet-50 is some twenty-five parts of 1,550 ops.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_PROGRAMFOLD_H
#define TENSORACCESS_LIB_EXPORT_PROGRAMFOLD_H

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// Ops [first, last) of the list.
struct FoldedPart {
  size_t first = 0, last = 0;
  /// Nothing for a single op.
  std::vector<FoldedPart> parts;
  /// The parts are so many copies of one another.
  size_t times = 1;
  /// In a contraction with what belongs to it, its number; else that of the first op.
  size_t head = 0;
  /// It is such a group, not a copy.
  bool isGroup = false;
  /// The scope that it is; of copies what their names have in common.
  std::string name;

  size_t size() const { return last - first; }
};

/// A text's hash, in which names of values don't count, and numbers at the end of
/// symbols neither: `%3`, the `_0` of `@relu_0`.
uint64_t getLook(llvm::StringRef text);

/// Whether an op is a product, a convolution, or the like: it reads two operands over a
/// range, or is such a compute.
bool isContraction(Operation *op, const OpIndexing &indexing);

/// The scopes in an op's location, from the outermost one; without transformations, as
/// `jit(f)`, and the op's own name.
llvm::SmallVector<llvm::StringRef> getScopes(Operation *op);

/// Ops with what they look like. Lists below `least` are only searched for repeats.
/// `byScope`: step 1, if most ops have scopes.
std::vector<FoldedPart> foldProgram(llvm::ArrayRef<Operation *> ops,
                                    llvm::ArrayRef<uint64_t> looks,
                                    IndexingCache &cache, bool byScope = false,
                                    size_t least = 60);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_PROGRAMFOLD_H
