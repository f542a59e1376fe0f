//===- Constants.h - MLIR's types and constants as reference tensors ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bridge between MLIR's builtin attributes and Core's tensors, for folders,
// the interpreter and the runner.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_CONSTANTS_H
#define TENSORACCESS_IR_CONSTANTS_H

#include "TensorAccess/Core/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tensoraccess {

/// The element type of a scalar MLIR type (`index` is I64); std::nullopt for
/// types that tensors don't hold, i4 or complex, say.
std::optional<ElementType> getElementTypeOf(Type type);

/// A constant as a tensor: a float or integer (rank 0), dense elements (a splat
/// is a view of one element), dense resources. Fails with the reason for any
/// other attribute.
llvm::Expected<Tensor> tensorFromAttribute(Attribute attribute);

/// A tensor as dense elements of this type, whose static shape and element type
/// must be the tensor's.
DenseElementsAttr denseElementsFrom(const Tensor &tensor, ShapedType type);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_CONSTANTS_H
