//===- LinalgBody.cpp - Scalar bodies as compute kinds --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One equation per case of raiseScalarOp; each is exact, bit by bit:
//   x + y, x * y, x / y    elementwise_add, _mul, _div of the pair
//   x - y = x + (-y)       negative, elementwise_add
//   -x, sqrt x             negative, sqrt
//   max(x, 0) = relu x     also select(x > 0, x, 0)
//   max(x, -inf) = x
// x / y is exact for signed integers too, both truncate. Bodies are read in the
// order of their ops, so that a value that is used twice is computed once.
//
//===----------------------------------------------------------------------===//

#include "LinalgBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Single scalar ops
//===----------------------------------------------------------------------===//

/// The operand x of select(x > 0, x, 0), where that is relu, else null: a NaN
/// must stay one, which `ugt` does, and -0 become 0.
static Value reluOfSelect(arith::SelectOp select, TypedAttr otherwise) {
  if (!isPositiveZero(otherwise))
    return {};
  Value x = select.getTrueValue();
  auto isZero = [](Value value) {
    return isPositiveZero(getSplatElement(value));
  };
  if (auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>())
    return compare.getPredicate() == arith::CmpFPredicate::UGT &&
                   compare.getLhs() == x && isZero(compare.getRhs())
               ? x
               : Value();
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  return compare &&
                 (compare.getPredicate() == arith::CmpIPredicate::sgt ||
                  compare.getPredicate() == arith::CmpIPredicate::sge) &&
                 compare.getLhs() == x && isZero(compare.getRhs())
             ? x
             : Value();
}

Value mlir::tensoraccess::raiseScalarOp(RaiseBuilder &builder, Operation *op,
                                        ArrayRef<Value> patterns) {
  auto binary = [&](ComputeKind kind) {
    return builder.elementwise(kind, patterns);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](Operation *) { return binary(ComputeKind::ElementwiseAdd); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](Operation *) { return binary(ComputeKind::ElementwiseMul); })
      .Case<arith::DivFOp, arith::DivSIOp>(
          [&](Operation *) { return binary(ComputeKind::ElementwiseDiv); })
      .Case<arith::SubFOp, arith::SubIOp>([&](Operation *) {
        return builder.subtract(patterns[0], patterns[1]);
      })
      .Case([&](arith::NegFOp) {
        return builder.unary(ComputeKind::Negative, patterns[0]);
      })
      .Case([&](math::SqrtOp) {
        return builder.unary(ComputeKind::Sqrt, patterns[0]);
      })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [&](Operation *) { return builder.maximum(patterns); })
      .Case([&](arith::ExtUIOp) {
        return builder.fail("it extends integers without their sign "
                            "(arith.extui), an accumulator with it");
      })
      .Default([&](Operation *other) {
        return builder.fail("it computes " + other->getName().getStringRef() +
                            ", which is not a compute kind");
      });
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool LinalgBody::isLeaf(Value scalar) const {
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    if (argument.getOwner() == op.getBlock())
      return true;
  return !op->getRegion(0).isAncestor(scalar.getParentRegion()) ||
         matchPattern(scalar, m_Constant());
}

TypedAttr LinalgBody::getSplat(Value scalar) const {
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (argument && argument.getOwner() == op.getBlock())
    return getSplatElement(op->getOperand(argument.getArgNumber()));
  return getSplatElement(scalar);
}

std::optional<LoopOperand> LinalgBody::readLeaf(Value scalar) {
  if (!isLeaf(scalar))
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(scalar);
  if (argument && argument.getOwner() == op.getBlock()) {
    const unsigned number = argument.getArgNumber();
    Value operand = op->getOperand(number);
    // A scalar operand (linalg.fill's, say) is read like one from outside.
    if (isa<RankedTensorType>(operand.getType()))
      return loops.getOperand(builder, number, operand);
    scalar = operand;
  }
  Value pattern;
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)) && isa<TypedAttr>(constant))
    pattern = builder.constant(cast<TypedAttr>(constant));
  else
    pattern = builder.scalar(scalar);
  if (!pattern)
    return std::nullopt;
  return LoopOperand{pattern, {}};
}

Value LinalgBody::readOp(Operation *scalarOp) {
  if (isa<linalg::IndexOp>(scalarOp))
    return builder.fail("its body reads the index of a loop");
  if (auto select = dyn_cast<arith::SelectOp>(scalarOp))
    if (Value x = reluOfSelect(select, getSplat(select.getFalseValue())))
      return builder.unary(ComputeKind::Relu, read(x));
  // Refused before anything is built for its operands.
  if (scalarOp->getNumRegions() != 0 || scalarOp->getNumResults() != 1)
    return builder.fail("it computes " + scalarOp->getName().getStringRef() +
                        ", which is not a compute kind");
  SmallVector<Value> values;
  for (Value operand : scalarOp->getOperands()) {
    values.push_back(patterns.lookup(operand));
    if (!values.back())
      values.back() = read(operand);
  }
  return raiseScalarOp(builder, scalarOp, values);
}

Value LinalgBody::read(Value scalar) {
  if (Value known = patterns.lookup(scalar))
    return known;
  if (builder.hasFailed())
    return {};
  if (isLeaf(scalar)) {
    std::optional<LoopOperand> leaf = readLeaf(scalar);
    return patterns[scalar] =
               leaf ? builder.pattern(loops.nest, *leaf) : Value();
  }
  // The ops that the scalar needs, in the order of the body.
  DenseSet<Operation *> needed;
  SmallVector<Operation *> worklist{scalar.getDefiningOp()}, ordered;
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!needed.insert(next).second)
      continue;
    // A relu by select needs nothing of its comparison.
    if (auto select = dyn_cast<arith::SelectOp>(next))
      if (reluOfSelect(select, getSplat(select.getFalseValue()))) {
        if (!isLeaf(select.getTrueValue()))
          worklist.push_back(select.getTrueValue().getDefiningOp());
        continue;
      }
    for (Value operand : next->getOperands())
      if (!isLeaf(operand) && !patterns.lookup(operand))
        worklist.push_back(operand.getDefiningOp());
  }
  for (Operation &next : *op.getBlock()) {
    if (!needed.contains(&next))
      continue;
    Value pattern = readOp(&next);
    if (!pattern)
      return {};
    patterns[next.getResult(0)] = pattern;
  }
  return patterns.lookup(scalar);
}
