//===- Passes.h - Conversion: passes between dialects ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from Passes.td beside it. The file
// that defines a pass includes the dialects that the pass depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_PASSES_H
#define TENSORACCESS_CONVERSION_PASSES_H

#include "TensorAccess/Conversion/Conversion.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

#define GEN_PASS_DECL
#include "TensorAccess/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Conversion/Passes.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CONVERSION_PASSES_H
