//===- Transforms.h - Transforms as functions -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the passes of Passes.td do, for callers that hold the IR already.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_TRANSFORMS_H
#define TENSORACCESS_TRANSFORMS_TRANSFORMS_H

#include "TensorAccess/IR/TensorAccess.h"

namespace mlir::tensoraccess {

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_TRANSFORMS_H
