//===- TensorAccessDialect.cpp - The dialect ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Exchange.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#include "TensorAccess/IR/TensorAccessDialect.cpp.inc"

namespace {
/// Every op is legal wherever its operands are.
struct AccessInliner : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void TensorAccessDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "TensorAccess/IR/TensorAccessOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TensorAccess/IR/TensorAccessChecks.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "TensorAccess/IR/TensorAccessExchange.cpp.inc"
      >();
  addInterfaces<AccessInliner>();
  registerFailures();
}
