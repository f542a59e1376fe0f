//===- SaturationPasses.h - The passes of floor Saturate --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from SaturationPasses.td beside
// it. The file that defines a pass includes the dialects that it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_SATURATIONPASSES_H
#define TENSORACCESS_TRANSFORMS_SATURATIONPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/SaturationPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/SaturationPasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_SATURATIONPASSES_H
