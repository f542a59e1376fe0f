//===- FindTarget.h - The target of a module --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_FINDTARGET_H
#define TENSORACCESS_TRANSFORMS_FINDTARGET_H

#include "TensorAccess/Core/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tensoraccess {

/// The target that a text names or describes; if the text is empty, the
/// module's attribute `tensoraccess.target`, else the built-in `otherwise`.
/// Emits an error for anything else. Passes whose programs run on this machine
/// ask for `host`, choices that should be the same on every machine for
/// `generic`.
FailureOr<Target> findTarget(ModuleOp module, StringRef text,
                             StringRef otherwise = "generic");

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_FINDTARGET_H
