//===- MovementChain.cpp - A chain of movement ops, being written ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain becomes attributes and types only when it is taken.
//
//===----------------------------------------------------------------------===//

#include "MovementChain.h"

#include "TensorAccess/Core/Checked.h"
#include "Types/OpHelpers.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;

bool MovementStep::matches(Operation *op) const {
  return op && op->getName() == name &&
         op->getNumOperands() == operands.size() && op->getNumResults() == 1 &&
         op->getResult(0).getType() == type &&
         op->getAttrDictionary() == attributes;
}

Value mlir::tensoraccess::createMovement(OpBuilder &builder, Location loc,
                                         const MovementPlan &plan) {
  SmallVector<Value> values(plan.bases.begin(), plan.bases.end());
  for (const MovementStep &step : plan.steps) {
    OperationState state(loc, step.name);
    for (unsigned operand : step.operands)
      state.addOperands(values[operand]);
    state.addTypes(step.type);
    state.addAttributes(step.attributes.getValue());
    values.push_back(builder.create(state)->getResult(0));
  }
  return values.back();
}

/// Sizes of a slice: all of a dimension of unknown size.
static Sizes toTheEnd(ArrayRef<int64_t> list) {
  Sizes sizes(list);
  for (int64_t &size : sizes)
    if (isUnknownExtent(size))
      size = kToTheEnd;
  return sizes;
}

MovementPlan Chain::finish(Value base) const {
  MLIRContext *context = base.getContext();
  Builder b(context);
  Type elementType = getElementTypeOrSelf(base.getType());
  if (auto access = dyn_cast<AccessType>(base.getType()))
    elementType = access.getElementType();
  MovementPlan plan;
  plan.bases.push_back(base);
  for (const Draft &draft : drafts) {
    SmallVector<NamedAttribute> attrs;
    for (const DraftAttr &attr : draft.attrs)
      attrs.emplace_back(b.getStringAttr(attr.name),
                         attr.given ? attr.given
                         : attr.number
                             ? Attribute(b.getI64IntegerAttr(*attr.number))
                             : b.getDenseI64ArrayAttr(toTheEnd(attr.list)));
    const Sizes shape = fromFormShape(draft.shape);
    Type type = getSplit(shape, draft.split, elementType);
    if (draft.isTensor)
      type = RankedTensorType::get(shape, elementType);
    const unsigned operand = plan.steps.size();
    plan.steps.push_back({OperationName(draft.name, context),
                          DictionaryAttr::get(context, attrs),
                          type,
                          {operand}});
  }
  return plan;
}

/// Whether a shape is the other one without its dimension `axis`.
static bool isErased(ArrayRef<int64_t> without, ArrayRef<int64_t> shape,
                     size_t axis) {
  return without.size() + 1 == shape.size() &&
         without.take_front(axis) == shape.take_front(axis) &&
         without.drop_front(axis) == shape.drop_front(axis + 1);
}

bool Chain::reshape(ArrayRef<int64_t> to, int64_t axis) {
  if (to == ArrayRef<int64_t>(shape) && axis == split)
    return true;
  if (isTensor ||
      elementCount(to.take_front(axis)) !=
          elementCount(ArrayRef<int64_t>(shape).take_front(split)) ||
      elementCount(to) != elementCount(shape) ||
      !reshapeKeepsUnknown(ArrayRef<int64_t>(shape).take_front(split),
                           to.take_front(axis)) ||
      !reshapeKeepsUnknown(ArrayRef<int64_t>(shape).drop_front(split),
                           to.drop_front(axis)))
    return false;
  const Sizes from(shape);
  const int64_t fromSplit = split;
  shape = Sizes(to);
  split = axis;
  to = shape;
  // One unit dimension less, or one more.
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] == 1 && isErased(to, from, i) &&
        axis == fromSplit - (static_cast<int64_t>(i) < fromSplit)) {
      push<SqueezeOp>([&] { return Attrs{number("axis", i)}; });
      return true;
    }
  for (size_t i = 0; i < to.size(); ++i)
    if (to[i] == 1 && isErased(from, to, i) &&
        axis == fromSplit + (static_cast<int64_t>(i) <= fromSplit)) {
      push<InsertAxisOp>([&] { return Attrs{number("axis", i)}; });
      return true;
    }
  // The verifier cannot match two unknown sizes of one side.
  auto isClear = [](ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
    return before == after || llvm::count(before, kUnknownExtent) <= 1;
  };
  if (!isClear(ArrayRef<int64_t>(from).take_front(fromSplit),
               to.take_front(axis)) ||
      !isClear(ArrayRef<int64_t>(from).drop_front(fromSplit),
               to.drop_front(axis)))
    return false;
  const int64_t rank = from.size(), toRank = to.size();
  if (axis == std::min<int64_t>(fromSplit, 1) &&
      toRank - axis == std::min<int64_t>(rank - fromSplit, 1))
    push<FlattenOp>();
  else
    push<ReshapeOp>();
  return true;
}
