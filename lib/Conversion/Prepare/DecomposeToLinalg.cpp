//===- DecomposeToLinalg.cpp - Ops on tensors become loops ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream does not bufferize, or would fold wrongly before it does:
// 1. linalg.softmax, tensor.concat and the winograd transforms decompose
//    themselves, the sum of a softmax in the type of sums; linalg.pack and
//    linalg.unpack become pad, reshape and transpose;
// 2. what upstream does not support becomes loops (DecomposeIndexed.cpp);
// 3. slices and pads that upstream folds wrongly are rewritten (Slices.h).
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "Lower/AccessLoops.h"
#include "Lower/Slices.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Loops.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Sums of a reduction by arith.addf, from +0, in the type of sums.
static void widenSum(RewriterBase &rewriter, linalg::GenericOp sum) {
  auto type = cast<RankedTensorType>(sum.getResult(0).getType());
  const Type element = type.getElementType(), wide = getSumType(element);
  if (wide == element)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(sum);
  Location loc = sum.getLoc();
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(wide, 0));
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, sum.getOutputs()[0]),
      wide);
  Value out = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  linalg::GenericOp made = createGeneric(
      rewriter, loc, sum.getInputs(), out, sum.getIndexingMapsArray(),
      [&](OpBuilder &b, Location at, ValueRange args) {
        Value next = arith::ExtFOp::create(b, at, wide, args[0]);
        linalg::YieldOp::create(
            b, at, arith::AddFOp::create(b, at, args[1], next).getResult());
      });
  rewriter.replaceOp(sum,
                     roundElements(rewriter, loc, made.getResult(0), element));
}

/// The values of a softmax, whose sum is in the type of sums.
static FailureOr<SmallVector<Value>> decomposeSoftmax(RewriterBase &rewriter,
                                                      linalg::SoftmaxOp op) {
  FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
  if (succeeded(values))
    if (auto quotient = values->front().getDefiningOp<linalg::GenericOp>())
      for (Value operand : quotient.getInputs())
        if (auto sum = operand.getDefiningOp<linalg::GenericOp>())
          if (sum.getNumReductionLoops() != 0)
            widenSum(rewriter, sum);
  return values;
}

/// Upstream begins no slice at the end of a dimension, not even one of nothing:
/// parts that are known to be empty go first, and what is empty is not filled.
static FailureOr<SmallVector<Value>> decomposeConcat(RewriterBase &rewriter,
                                                     tensor::ConcatOp op) {
  RankedTensorType type = op.getResultType();
  Location loc = op.getLoc();
  auto finish = [&](Value value) {
    if (value.getType() != type)
      value = tensor::CastOp::create(rewriter, loc, type, value);
    return SmallVector<Value>{value};
  };
  if (llvm::is_contained(type.getShape(), 0)) {
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return failure();
    return finish(tensor::EmptyOp::create(rewriter, loc, sizes[0],
                                          type.getElementType()));
  }
  SmallVector<Value> parts =
      llvm::filter_to_vector(op.getInputs(), [&](Value part) {
        return cast<ShapedType>(part.getType()).getDimSize(op.getDim()) != 0;
      });
  if (parts.size() == op.getInputs().size())
    return op.decomposeOperation(rewriter);
  if (parts.size() == 1)
    return finish(parts[0]);
  auto rest = tensor::ConcatOp::create(rewriter, loc, type, op.getDim(), parts);
  FailureOr<SmallVector<Value>> values = rest.decomposeOperation(rewriter);
  rewriter.eraseOp(rest);
  return values;
}

/// Upstream mistakes a size that it does not know for a number.
template <typename OpTy>
static LogicalResult
decomposeWinograd(RewriterBase &rewriter, OpTy op,
                  FailureOr<Operation *> (*decompose)(RewriterBase &, OpTy)) {
  for (Type type : op->getOperandTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return op.emitError()
             << "'" << op->getName()
             << "' is compiled for static shapes only, got " << type;
  return decompose(rewriter, op);
}

/// Steps 1 and 2 of one op.
static LogicalResult decompose(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  auto check = [&](LogicalResult result) -> LogicalResult {
    if (failed(result))
      op->emitError() << "cannot decompose '" << op->getName() << "'";
    return result;
  };
  auto replace = [&](FailureOr<SmallVector<Value>> values) {
    if (succeeded(values))
      rewriter.replaceOp(op, *values);
    return check(values);
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tensor::BitcastOp op) -> LogicalResult {
        if (arith::BitcastOp::areCastCompatible(op.getSource().getType(),
                                                op.getType()))
          rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(),
                                                        op.getSource());
        return success();
      })
      .Case([&](tensor::ReshapeOp op) -> LogicalResult {
        // Upstream takes every shape to be one of indices.
        auto type = cast<TensorType>(op.getShape().getType());
        if (!type.getElementType().isIndex())
          op.getShapeMutable().assign(arith::IndexCastOp::create(
              b, type.clone(b.getIndexType()), op.getShape()));
        return success();
      })
      .Case([&](linalg::SoftmaxOp op) -> LogicalResult {
        if (!op.hasPureTensorSemantics())
          return op.emitError()
                 << "'" << op->getName() << "' is compiled on tensors only";
        return replace(decomposeSoftmax(rewriter, op));
      })
      .Case([&](tensor::ConcatOp op) {
        return replace(decomposeConcat(rewriter, op));
      })
      .Case([&](tensor::GatherOp op) {
        return replace(SmallVector<Value>{lowerGather(b, op)});
      })
      .Case([&](tensor::ScatterOp op) {
        return replace(SmallVector<Value>{lowerScatter(b, op)});
      })
      .Case([&](linalg::PackOp op) -> LogicalResult {
        if (ShapedType::isDynamicShape(op.getStaticTiles()))
          return replace(SmallVector<Value>{lowerPackByPlaces(b, op)});
        return check(linalg::lowerPack(rewriter, op));
      })
      .Case([&](linalg::UnPackOp op) -> LogicalResult {
        if (ShapedType::isDynamicShape(op.getStaticTiles()))
          return replace(SmallVector<Value>{lowerUnPackByPlaces(b, op)});
        // Upstream's shortcut without a transposition takes trailing tiles to be
        // those of all dimensions.
        const bool isShort = llvm::equal(
            op.getInnerDimsPos(), llvm::seq<int64_t>(0, op.getDestRank()));
        return check(linalg::lowerUnPack(rewriter, op, isShort));
      })
      .Case([&](linalg::MapOp op) -> LogicalResult {
        // Bufferization takes it to be one that does not read its init.
        if (!isReadByBody(*op.getDpsInitOperand(0)))
          return success();
        return check(linalg::generalizeNamedOp(rewriter, op));
      })
      .Case([&](linalg::WinogradFilterTransformOp op) {
        return decomposeWinograd(rewriter, op,
                                 linalg::decomposeWinogradFilterTransformOp);
      })
      .Case([&](linalg::WinogradInputTransformOp op) {
        return decomposeWinograd(rewriter, op,
                                 linalg::decomposeWinogradInputTransformOp);
      })
      .Case([&](linalg::WinogradOutputTransformOp op) {
        return decomposeWinograd(rewriter, op,
                                 linalg::decomposeWinogradOutputTransformOp);
      })
      .Default(success());
}

LogicalResult mlir::tensoraccess::decomposeToLinalg(Operation *root) {
  SmallVector<Operation *> ops;
  IRRewriter rewriter(root->getContext());
  root->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (failed(decompose(rewriter, op)))
      return failure();
  // Of the loops, too.
  ops.clear();
  root->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      separateCuts(rewriter, pad);
    else
      separateDroppedDims(rewriter, op);
  return success();
}
