//===- AttributeRoom.h - Ops that can carry an attribute --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops can be annotated. Any op can hold a discardable attribute, but the
// notation of some has no place for one, or one that reads as something else:
// of `scf.reduce` without operands, `{...}` is a region. What is printed then
// can't be read again, or has lost the attribute.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_ATTRIBUTEROOM_H
#define TENSORACCESS_LIB_TRANSFORMS_ATTRIBUTEROOM_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensoraccess {

class AttributeRoom {
public:
  /// Sets a discardable attribute where the op's notation has room for it, and
  /// leaves a missed remark otherwise.
  bool set(Operation *op, StringRef name, Attribute value);

private:
  bool has(Operation *op);

  /// By name, and whether there are operands, results and regions.
  llvm::DenseMap<std::pair<OperationName, unsigned>, bool> known;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_ATTRIBUTEROOM_H
