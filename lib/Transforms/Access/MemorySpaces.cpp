//===- MemorySpaces.cpp - Tensors in memories besides main memory ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To place a tensor:
//   1. Follow it back through reshapes to the op that made it, not beyond the
//      source that it was made of.
//   2. If that op writes into an empty tensor of its own, let it write into one
//      of that memory; else copy.
//
//===----------------------------------------------------------------------===//

#include "MemorySpaces.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

int64_t mlir::tensoraccess::getMemorySpace(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto layout = tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                       : LayoutAttr();
  return layout ? layout.getValue().memorySpace : 0;
}

Value mlir::tensoraccess::createEmptyIn(OpBuilder &builder, Location loc,
                                        RankedTensorType type,
                                        ArrayRef<OpFoldResult> sizes,
                                        int64_t space) {
  SmallVector<Value> dynamic;
  for (OpFoldResult size : sizes)
    if (auto value = dyn_cast<Value>(size))
      dynamic.push_back(value);
  return bufferization::AllocTensorOp::create(builder, loc, type, dynamic,
                                              /*copy=*/Value(),
                                              builder.getI64IntegerAttr(space));
}

Value mlir::tensoraccess::placeIn(OpBuilder &builder, Location loc, Value value,
                                  Value source, int64_t space, int64_t from) {
  if (space == 0 && from == 0)
    return value;
  Value made = value;
  bool isShared = false;
  while (made != source &&
         isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                         tensor::CastOp>(made.getDefiningOp())) {
    made = made.getDefiningOp()->getOperand(0);
    isShared |= !made.hasOneUse();
  }
  if (made == source && space == from)
    return value;
  auto writer = made.getDefiningOp<DestinationStyleOpInterface>();
  if (made != source && !isShared && writer && writer.getNumDpsInits() == 1) {
    OpOperand *init = writer.getDpsInitOperand(0);
    auto empty = init->get().getDefiningOp<tensor::EmptyOp>();
    if (empty && empty->hasOneUse()) {
      // It is in main memory as it is.
      if (space == 0)
        return value;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(empty);
      init->set(createEmptyIn(builder, loc, empty.getType(),
                              empty.getMixedSizes(), space));
      empty.erase();
      return value;
    }
  }
  return bufferization::AllocTensorOp::create(
      builder, loc, cast<RankedTensorType>(value.getType()), ValueRange(),
      value, builder.getI64IntegerAttr(space));
}

/// Whether an op keeps its result in the memory of the operand it is made of,
/// or writes it where it is told.
static bool keepsSpace(Operation *op, Value result) {
  int64_t space = getMemorySpace(result.getType());
  if (isa<RelayoutOp, tensor::EmptyOp>(op))
    return true;
  if (isa<BitcastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return getMemorySpace(op->getOperand(0).getType()) == space;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getMemorySpace(linalgOp.getTiedOpOperand(cast<OpResult>(result))
                              ->get()
                              .getType()) == space;
  return false;
}

/// Whether the target has that memory, and it holds the tensor.
static LogicalResult checkFits(Operation *op, Type type,
                               const std::optional<Target> &target) {
  int64_t number = getMemorySpace(type);
  if (number == 0 || !target || target->memorySpaces.empty())
    return success();
  const MemorySpace *space = target->findSpace(number);
  if (!space)
    return op->emitError() << "target '" << target->name
                           << "' has no memory space " << number << ", which "
                           << type << " is to be in";
  auto tensor = cast<RankedTensorType>(type);
  std::optional<int64_t> bytes;
  std::optional<Layout> layout = getLayoutOf(tensor);
  std::optional<int64_t> bits = getValueBits(tensor.getElementType());
  if (layout && layout->elementBits)
    bits = layout->elementBits;
  if (std::optional<int64_t> elements =
          layout && layout->shape ? layout->getPaddedElements() : std::nullopt)
    bytes = bits ? checkedMul(*elements, *bits) : std::nullopt;
  if (bytes)
    bytes = ceilDivPositive(*bytes, 8);
  if (bytes && *bytes > space->bytes)
    return op->emitError() << type << " takes " << *bytes
                           << " bytes, but memory space '" << space->name
                           << "' of target '" << target->name << "' has "
                           << space->bytes;
  return success();
}

std::optional<Target> mlir::tensoraccess::getAttachedTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>("tensoraccess.target"))
      return target.getValue();
  return std::nullopt;
}

LogicalResult
mlir::tensoraccess::checkMemorySpaces(Operation *op,
                                      const std::optional<Target> &target) {
  auto check = [&](Type type, StringRef what) -> LogicalResult {
    if (int64_t space = getMemorySpace(type))
      return op->emitError()
             << "memory space S(" << space << ") of " << type
             << " would be lost: " << what
             << " is in main memory; relayout it to S(" << space << ")";
    return success();
  };
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    for (Type type : function.getArgumentTypes())
      if (failed(check(type, "an argument of a function")))
        return failure();
    for (Type type : function.getResultTypes())
      if (failed(check(type, "a result of a function")))
        return failure();
    return success();
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(check(type, "an argument of a block")))
          return failure();
  for (Value result : op->getResults()) {
    if (!keepsSpace(op, result) &&
        failed(
            check(result.getType(),
                  ("what '" + op->getName().getStringRef() + "' makes").str())))
      return failure();
    if (failed(checkFits(op, result.getType(), target)))
      return failure();
  }
  return success();
}
