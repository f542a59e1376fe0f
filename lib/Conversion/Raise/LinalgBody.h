//===- LinalgBody.h - Scalar bodies as compute kinds ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_LINALGBODY_H
#define TENSORACCESS_LIB_CONVERSION_LINALGBODY_H

#include "RaiseNest.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::tensoraccess {

/// Reads the scalars of a structured op's body as patterns over its loops,
/// <parallel loops | reductions>.
class LinalgBody {
public:
  LinalgBody(RaiseBuilder &builder, linalg::LinalgOp op, const NestLoops &loops)
      : builder(builder), op(op), loops(loops) {}

  /// The pattern of a scalar of the body; null, with the builder's reason,
  /// where its computation has no compute kinds.
  Value read(Value scalar);

  /// The operand whose element a scalar is, or a scalar from outside as an
  /// operand of rank 0; std::nullopt for what the body computes, and (with the
  /// builder's reason) where the indices can't be read.
  std::optional<LoopOperand> readLeaf(Value scalar);

  /// True for an element of an operand and for a scalar from outside.
  bool isLeaf(Value scalar) const;

  /// The number that a scalar is at every point, null if it is unknown.
  TypedAttr getSplat(Value scalar) const;

private:
  Value readOp(Operation *op);

  RaiseBuilder &builder;
  /// Its accessors are not const, though they change nothing.
  mutable linalg::LinalgOp op;
  const NestLoops &loops;
  DenseMap<Value, Value> patterns;
};

/// How one scalar op on elements is expressed by compute kinds: shared by bodies of
/// linalg and by ops on whole tensors. Null, with the builder's reason, where it
/// can't be expressed.
Value raiseScalarOp(RaiseBuilder &builder, Operation *op,
                    ArrayRef<Value> patterns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_LINALGBODY_H
