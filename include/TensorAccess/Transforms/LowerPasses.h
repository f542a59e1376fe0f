//===- LowerPasses.h - The passes of floor Lower --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from LowerPasses.td beside
// it. The file that defines a pass includes the dialects that it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_LOWERPASSES_H
#define TENSORACCESS_TRANSFORMS_LOWERPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/LowerPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/LowerPasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_LOWERPASSES_H
