//===- AccessLowering.h - The state of lowering access patterns -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/Conversion: what AccessToLinalg.cpp (which patterns exist in
// memory), AccessOperands.cpp (how their operands are read), AccessCompute.cpp
// (arithmetic) and AccessRealise.cpp (copies) share.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_ACCESSLOWERING_H
#define TENSORACCESS_LIB_CONVERSION_ACCESSLOWERING_H

#include "AccessLoops.h"
#include "Slices.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {

using PatternValue = TypedValue<AccessType>;

/// How one array is read: entirely from one base by one map, or a constant.
struct OperandForm {
  /// A tensor, or an access pattern that exists in memory; null: a constant.
  Value base;
  TypedAttr constant;
  IndexingMap map;
  /// How the base is padded first; empty where it is not.
  SmallVector<int64_t> low, high;
  TypedAttr padding;
  /// What is written out to be read in place of a base: boxes of others.
  std::optional<AccessForm> strip;
};

using AccessFormList = SmallVector<AccessForm, 0>;
using OperandForms = SmallVector<OperandForm, 2>;
using OperandViews = SmallVector<OperandView, 2>;

/// The sizes of a tensor or access pattern, as its form has them if it has one.
SmallVector<int64_t> getBaseShape(Value base);

/// True if a loop can read the form as it is: one piece, one constant, or
/// nothing.
bool isSimple(const AccessForm &form);

/// True if all pieces hold on boxes, so that each can be copied to its place.
bool isBoxes(const AccessForm &form);

/// A simple form as an operand.
OperandForm getOperand(const AccessForm &form, Type elementType);

/// True for a slice or projection whose places are computed one by one
/// (AccessSlice.cpp).
bool isComputedSlice(Operation *op);

/// From the index of a projected pattern to the operand's place, before policies.
AffineMap getProjectedPlaces(ProjectOp op);

/// True if a compute op combines the elements of a tuple whose length is
/// known at run time only.
bool hasTupleOfUnknownLength(ComputeOp op);

/// A box of a compute op's result and how its operands are read there.
struct BorderPart {
  Box box;
  OperandForms operands;
};
using BorderParts = SmallVector<BorderPart, 0>;

/// Lowers all access ops below a root.
class AccessLowering {
public:
  AccessLowering(Operation *root, Borders borders)
      : root(root), rewriter(root->getContext()), borders(borders) {}
  LogicalResult run();

private:
  //===--- AccessToLinalg.cpp ---------------------------------------------===//
  LogicalResult check();
  void collectRealised();
  Value realise(PatternValue pattern);

  //===--- AccessOperands.cpp: reading ------------------------------------===//
  /// The elements of a tuple, or the one array that a pattern is: each read
  /// from one base. Where its form has several pieces, a movement op on the way
  /// is made a base, or the base is padded, whichever takes fewer elements.
  OperandForms getOperands(PatternValue pattern, bool isTuple);
  /// The forms, all of which fulfil `goal`, when paddings and concatenations on
  /// the way are written out, `without` the pattern itself; `cost` is set to
  /// their elements. std::nullopt if that does not do.
  std::optional<AccessFormList>
  writeJoints(PatternValue pattern, bool isTuple, bool without,
              function_ref<bool(const AccessForm &)> goal, int64_t &cost);
  /// The same as getOperands, made once and remembered.
  const OperandForms &plan(PatternValue pattern, bool isTuple);
  /// The tensor that a base is, or was made.
  Value getTensor(Value base);
  /// Operands as views of tensors, padded here where need be. Sizes are a
  /// form's.
  OperandView getView(Location loc, const OperandForm &operand,
                      ArrayRef<int64_t> shape);
  OperandViews getViews(Location loc, PatternValue pattern, bool isTuple);
  /// The bases that getViews reads.
  SmallVector<Value> getBases(PatternValue pattern, bool isTuple);

  //===--- AccessBorders.cpp: interiors and borders -----------------------===//
  /// The boxes that a compute op is cut into, so that the first and largest one
  /// reads its bases directly; empty where it is not cut. Made once.
  ArrayRef<BorderPart> planBorders(ComputeOp op);
  BorderParts findBorders(ComputeOp op);
  Value emitParts(ComputeOp op, ArrayRef<BorderPart> parts);

  //===--- AccessCompute.cpp: arithmetic ----------------------------------===//
  Value emitCompute(ComputeOp op);
  /// The op over part of its access points (and item, where it has one): of
  /// `sizes`, without the tuple axis, as the views are.
  Value emitCompute(ComputeOp op, ArrayRef<OperandView> views,
                    ArrayRef<OpFoldResult> sizes);
  Value emitSoftmax(ComputeOp op);
  /// A tuple of unknown length is combined by a loop; dot_prod sums the
  /// products in a second one.
  Value emitTupleLoop(ComputeOp op);
  Value emitSystolicArray(SystolicArrayOp op);
  /// The function that stands for an accelerator; an error at the call where
  /// there is none of the name and the operands' and result's tensor types.
  FailureOr<func::FuncOp> findAccelerator(AcceleratorCallOp op);
  Value emitAcceleratorCall(AcceleratorCallOp op);

  //===--- AccessRealise.cpp: copies --------------------------------------===//
  /// How a movement op's result gets into memory.
  struct Realisation {
    enum class Kind { View, Boxes, Operands } kind = Kind::View;
    /// Boxes: the pattern's form, all of whose pieces hold on boxes.
    std::optional<AccessForm> form;
  };
  Realisation &planRealisation(PatternValue pattern);
  /// The patterns that realising one reads from memory.
  SmallVector<Value> getRealisationBases(PatternValue pattern);
  /// One array, copied unless it is its base read row-major.
  Value emitCopy(Location loc, const OperandView &view, Type elementType,
                 ArrayRef<OpFoldResult> sizes);
  Value emitCopy(Location loc, PatternValue pattern) {
    return emitCopy(loc, getViews(loc, pattern, /*isTuple=*/false)[0],
                    pattern.getType().getElementType(), getSizesOf(pattern));
  }
  Value emitBoxes(Location loc, Type elementType, ArrayRef<OpFoldResult> shape,
                  const AccessForm &form);
  Value emitMovement(PatternValue pattern);

  //===--- AccessSlice.cpp ------------------------------------------------===//
  /// A slice or projection with out-of-bounds policies that few slices can't express.
  Value emitComputedSlice(PatternValue result);

  //===--- AccessDynamic.cpp: dynamic shapes ------------------------------===//
  /// True if canonical forms do not reach back to memory.
  bool isDynamic(PatternValue pattern);
  /// The sizes of a pattern or tensor.
  SmallVector<OpFoldResult> getSizesOf(Value value);
  /// A tensor's sizes, followed back to what they were made of, so that equal
  /// ones are seen to be.
  SmallVector<OpFoldResult> getTensorSizes(Value tensor);
  OpFoldResult getTensorSize(Value tensor, int64_t dim);
  /// Computes the sizes of an op's result at the op, and asserts what its
  /// verifier left to run time; an error if that is known to fail.
  LogicalResult computeSizes(Operation *op);
  SmallVector<std::pair<Value, AffineMap>>
  getDynamicOperands(PatternValue pattern, bool isTuple);
  Value emitDynamicMovement(PatternValue pattern);
  SmallVector<Value> getDynamicBases(PatternValue pattern);

  Operation *root;
  IRRewriter rewriter;
  AccessForms forms;
  SmallVector<Operation *> accessOps;
  llvm::SetVector<Value> realised;
  llvm::DenseMap<Value, Value> tensors;
  llvm::DenseMap<Value, SmallVector<OpFoldResult>> dynamicSizes;
  llvm::DenseMap<std::pair<Value, unsigned>, OperandForms> plans;
  llvm::DenseMap<Value, Realisation> realisations;
  llvm::DenseMap<Operation *, BorderParts> cuts;
  Borders borders;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_ACCESSLOWERING_H
