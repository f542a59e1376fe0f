//===- FusePasses.h - The passes of floor Fuse --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from FusePasses.td beside
// it. The file that defines a pass includes the dialects that it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_FUSEPASSES_H
#define TENSORACCESS_TRANSFORMS_FUSEPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/FusePasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/FusePasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_FUSEPASSES_H
