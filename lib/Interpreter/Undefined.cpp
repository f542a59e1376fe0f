//===- Undefined.cpp - Values that MLIR leaves open -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Undefined.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

UndefinedValues *&mlir::tensoraccess::getUndefinedValues() {
  static thread_local UndefinedValues *values = nullptr;
  return values;
}

int64_t mlir::tensoraccess::chooseUndefined(Operation *op, int64_t fixed,
                                            StringRef what) {
  UndefinedValues *values = getUndefinedValues();
  if (!values || isHlo(op))
    return fixed;
  values->seen.try_emplace(op, what.str());
  return values->takesOthers ? ~fixed : fixed;
}
