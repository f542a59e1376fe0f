//===- Narrower.h - What is read of each value ------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Narrow.cpp (ops) and NarrowLoops.cpp (loops and branches) share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CUT_NARROWER_H
#define TENSORACCESS_LIB_CUT_NARROWER_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Blocks.h"
#include "TensorAccess/Cut/Narrow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tensoraccess {

/// Boxes of one tensor, apart from each other.
using BoxList = SmallVector<Box, 1>;

/// Whether an op is only another view of its operand.
bool isTensorView(Operation *op);

class Narrower {
public:
  explicit Narrower(bool isExact, DropIterations drop = {})
      : isExact(isExact), drop(drop) {}

  /// Everything that an op reads and makes, whole.
  void needAll(Operation *op);
  void need(Value value, const Box &box);
  /// Backwards: finds what is read of each value of a block, and of those from
  /// outside.
  void findNeeds(Block &block);
  /// The same of one op, after all that read its results.
  void findNeeds(Operation *op);
  /// Whether all of a value is needed, or it has no parts.
  bool isWhole(Value value) const;
  /// Erases what nothing needs.
  void eraseUnneeded(Block &block);
  /// Forwards: makes ops anew.
  void rewrite(Block &block);
  /// Erases ops that others took the place of.
  void eraseReplaced(Region &region);
  int64_t getNumNarrowed() const { return numNarrowed; }

private:
  /// Whether parts of a value can be made: a tensor of static shape that has
  /// elements.
  static bool isTracked(Value value);
  static Box getWhole(Value value);
  void needWhole(Value value);
  bool isNeeded(Value value) const { return needs.count(value) != 0; }
  /// Whether nothing needs the op.
  bool isDead(Operation *op);
  const BlockOp &getBlockOp(Operation *op);

  void findNeeds(scf::IfOp op);
  void findNeeds(scf::ForOp op);
  void findNeeds(scf::WhileOp op);
  /// One box for all that is needed of a value; std::nullopt if nothing is.
  std::optional<Box> joinNeeds(Value value);
  /// One box for two values; std::nullopt if nothing is needed of either.
  std::optional<Box> joinNeeds(Value a, Value b);
  /// What iterations an op has to run for what is needed of its results.
  BoxList findIterations(const BlockOp &block);

  /// Elements that nothing reads.
  static Value emitEmpty(OpBuilder &builder, Location loc, Type type);
  /// A box of a value, at the builder's place; elements that nothing reads if it
  /// is empty.
  Value get(OpBuilder &builder, Location loc, Value value, const Box &box);
  void rewrite(Operation *op);
  void rewriteBlockOp(Operation *op);
  void rewrite(scf::IfOp op);
  void rewrite(scf::ForOp op);
  void rewrite(scf::WhileOp op);
  /// The type that a loop carries for a value; null for none of which anything is
  /// needed.
  Type getCarriedType(Value value);
  bool hasOtherType(ValueRange values);
  /// What a loop carries of values that go where `targets` are needed: `values`
  /// without those that are not.
  SmallVector<Value> getCarried(OpBuilder &builder, Location loc,
                                ValueRange values, ValueRange targets);
  /// The types that are carried.
  SmallVector<Type> getCarriedTypes(ValueRange values);
  /// Gives arguments of a block the types that are carried, before its ops are
  /// rewritten.
  void setArguments(ValueRange arguments);
  /// Erases the arguments from `first` on of which nothing is needed, afterwards.
  void eraseArguments(Block &block, unsigned first);
  /// The operands of a terminator from `first` on, which go where `targets` are
  /// needed.
  void rewriteYield(Operation *yield, unsigned first, ValueRange targets);
  /// The results of an op, and of the one in its place.
  void replaceResults(Operation *op, Operation *made);

  const bool isExact;
  const DropIterations drop;
  DenseMap<Value, BoxList> needs;
  DenseMap<Operation *, BoxList> iterations;
  DenseMap<Operation *, BlockOp> blockOps;
  /// What there is of a value now, where that is not the value itself.
  DenseMap<Value, SmallVector<std::pair<Box, Value>, 1>> made;
  SmallVector<Operation *> replaced;
  int64_t numNarrowed = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CUT_NARROWER_H
