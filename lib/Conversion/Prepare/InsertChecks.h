//===- InsertChecks.h - Asserts what ops assume ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Conversion: sizes as they are known before an op, and
// assertions that are placed as early as possible (InsertChecks.cpp); what each
// op asserts (InsertedChecks.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_INSERTCHECKS_H
#define TENSORACCESS_LIB_CONVERSION_INSERTCHECKS_H

#include "Lower/AccessChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensoraccess {

/// Sizes of tensors and memrefs, followed back to what made them.
class SizeReader {
public:
  OpFoldResult get(Value value, int64_t dim);
  SmallVector<OpFoldResult> getAll(Value value);
  /// None for a scalar.
  SmallVector<OpFoldResult> getAllOrNone(Value value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    return type && type.hasRank() ? getAll(value) : SmallVector<OpFoldResult>();
  }

private:
  OpFoldResult makeDim(Value value, int64_t dim);
  DenseMap<std::pair<Value, int64_t>, OpFoldResult> dims;
};

/// The assertions of one function, whose ops come in the order of the program.
class CheckBuilder {
public:
  /// The condition, made at the builder, and the message if it is false,
  /// after the op's name.
  using ConditionFn =
      function_ref<Value(OpBuilder &b, Location loc, CheckMessage &message)>;

  SizeReader sizes;

  /// Called before an op's checks, and after those of its regions.
  void enter(Operation *op);
  void leave(Operation *op);

  /// Asserts, before `op`, that lhs ⋈ rhs, unless it is known to be so.
  void require(Operation *op, arith::CmpIPredicate predicate, OpFoldResult lhs,
               OpFoldResult rhs, const CheckMessage &message);
  /// Asserts a condition on values that are among the leaves.
  void add(Operation *op, ArrayRef<OpFoldResult> leaves, ConditionFn condition);

  static Value compare(OpBuilder &b, Location loc,
                       arith::CmpIPredicate predicate, OpFoldResult lhs,
                       OpFoldResult rhs);

private:
  /// The last op of a block that may end the program.
  DenseMap<Block *, Operation *> barriers;
  /// The blocks in which a comparison is known to hold from some op on.
  using Comparison = std::tuple<unsigned, void *, void *>;
  DenseMap<Comparison, SmallVector<Block *, 1>> compared;
  SmallVectorImpl<Block *> &getBlocks(arith::CmpIPredicate predicate,
                                      OpFoldResult lhs, OpFoldResult rhs) {
    return compared[{static_cast<unsigned>(predicate), lhs.getOpaqueValue(),
                     rhs.getOpaqueValue()}];
  }
};

/// The sizes of a result; its type has those that are static.
inline SmallVector<OpFoldResult> getResultSizes(ShapedType type,
                                                ValueRange dynamic) {
  return getMixedValues(type.getShape(), dynamic, type.getContext());
}

/// The checks of places in tensors and memrefs (InsertedIndexChecks.cpp): of
/// an index of each dimension; of a slice, each place of which is one.
void checkIndices(Operation *op, Value source, ValueRange indices,
                  CheckBuilder &checks);
void checkSlice(OffsetSizeAndStrideOpInterface op, Value tensor,
                CheckBuilder &checks);
/// Of a transfer, its first place, and its last one where it promises to stay
/// inside; upstream guards the others.
void checkTransfer(VectorTransferOpInterface op, CheckBuilder &checks);
/// Those of a division of integers; nothing for other ops.
void checkDivision(Operation *op, CheckBuilder &checks);
/// Makes bodies in which divisions can be checked: a division of tensors
/// becomes one of elements, a named op with one a generic op. The op, or what
/// took its place.
Operation *openDivisions(Operation *op, SizeReader &sizes);

/// Adds the checks of one op, with `onlyShapes` those of sizes that operands
/// have in common. Returns the op, or the one that took its place so that its
/// body could be checked.
Operation *insertChecksOf(Operation *op, CheckBuilder &checks, bool onlyShapes);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_INSERTCHECKS_H
