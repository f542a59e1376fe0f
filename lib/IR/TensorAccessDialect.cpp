//===- TensorAccessDialect.cpp - The dialect ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/TensorAccess.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#include "TensorAccess/IR/TensorAccessDialect.cpp.inc"

void TensorAccessDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TensorAccess/IR/TensorAccessOps.cpp.inc"
      >();
}
