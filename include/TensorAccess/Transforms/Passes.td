//===- Passes.td - Transforms: passes that rewrite programs *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pass is a thin shell round a function declared in Transforms.h.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PASSES_TD
#define TENSORACCESS_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // TENSORACCESS_TRANSFORMS_PASSES_TD
