//===- FreeEarly.h - Buffers are freed after their last use ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_PIPELINES_FREEEARLY_H
#define TENSORACCESS_LIB_PIPELINES_FREEEARLY_H

#include <memory>

namespace mlir {
class ModuleOp;
class Pass;
namespace tensoraccess {

/// Whether the module sends or receives without waiting at once.
bool hasMessagesUnderWay(ModuleOp module);

/// Moves deallocations up to right behind the last use of a buffer, except in
/// modules with messages under way: the last use that the program shows of a
/// buffer may be the beginning of a message, and its end comes later.
std::unique_ptr<Pass> createFreeEarly();

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_PIPELINES_FREEEARLY_H
