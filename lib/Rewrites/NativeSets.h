//===- NativeSets.h - Native functions of the sets of rules -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lib/Rewrites/*.pdll call by name, one function for each set.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_REWRITES_NATIVESETS_H
#define TENSORACCESS_LIB_REWRITES_NATIVESETS_H

#include "TensorAccess/EGraph/PdlRules.h"

namespace mlir::tensoraccess {

/// Of Linalg.pdll.
void addLinalgFunctions(NativeFunctions &functions);
/// Of Math.pdll.
void addMathFunctions(NativeFunctions &functions);
/// Of Relayout.pdll and Compute.pdll.
void addAccessFunctions(NativeFunctions &functions);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_REWRITES_NATIVESETS_H
