//===- Messages.h - Messages under way --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_MESSAGES_H
#define TENSORACCESS_LIB_TRANSFORMS_MESSAGES_H

namespace mlir {
class ModuleOp;
namespace tensoraccess {

/// Whether the module sends or receives without waiting at once.
bool hasMessagesUnderWay(ModuleOp module);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_LIB_TRANSFORMS_MESSAGES_H
