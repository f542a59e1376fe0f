//===- FreeLocals.h - Buffers that plainly end in their block -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_PIPELINES_FREELOCALS_H
#define TENSORACCESS_LIB_PIPELINES_FREELOCALS_H

#include <memory>

namespace mlir {
class Pass;
namespace tensoraccess {

/// Frees the buffers that only accesses in their block and views hold, right
/// behind the last of these, before deallocation by ownership, which takes
/// quadratic time in the others. Does nothing where messages are under way.
std::unique_ptr<Pass> createFreeLocals();

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_PIPELINES_FREELOCALS_H
