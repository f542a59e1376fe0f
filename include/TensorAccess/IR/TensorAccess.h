//===- TensorAccess.h - The dialect, its types, attributes and ops --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main header of lib/IR. The reference of every op and attribute is
// generated from the .td files beside it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_TENSORACCESS_H
#define TENSORACCESS_IR_TENSORACCESS_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LinearLayout.h"
#include "TensorAccess/Core/Projection.h"
#include "TensorAccess/Core/StridedLayout.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "TensorAccess/IR/TensorAccessDialect.h.inc"
#include "TensorAccess/IR/TensorAccessEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "TensorAccess/IR/TensorAccessTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TensorAccess/IR/TensorAccessAttrs.h.inc"

namespace mlir::tensoraccess {

/// True if an access op cannot fail at run time, so that it may run before it
/// is known to be needed: all its shapes are static, and it is neither an
/// integer division nor a call of an accelerator.
bool isSafeToSpeculate(Operation *op);

template <typename ConcreteOp>
struct SpeculatableIfStatic
    : OpTrait::TraitBase<ConcreteOp, SpeculatableIfStatic> {
  Speculation::Speculatability getSpeculatability() {
    return isSafeToSpeculate(this->getOperation())
               ? Speculation::Speculatable
               : Speculation::NotSpeculatable;
  }
};

/// Checks that the only result has the inferred type. Reports one error: the
/// inference's own, or that the types differ.
LogicalResult verifyInferredType(Operation *op);

/// Ops whose verifier is type inference. (Upstream's interface checks the same
/// later, and reports every failure a second time.)
template <typename ConcreteOp>
struct VerifiesInferredType
    : OpTrait::TraitBase<ConcreteOp, VerifiesInferredType> {
  static LogicalResult verifyTrait(Operation *op) {
    return verifyInferredType(op);
  }
};

} // namespace mlir::tensoraccess

#define GET_OP_CLASSES
#include "TensorAccess/IR/TensorAccessOps.h.inc"

#endif // TENSORACCESS_IR_TENSORACCESS_H
