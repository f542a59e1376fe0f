//===- LowerLayouts.cpp - Relayouts and indices become upstream's ops -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Lower the ops on indices.
//   2. Refuse encodings that a relayout shares with another op: what that op
//      would do to a physical tensor is not decided here.
//   3. In dominance order, replace each relayout and bitcast: a value with an
//      encoding has a physical tensor and its logical sizes beside it, which
//      next one takes. A bitcast has logical sizes of its own.
//      tensor.dim is one of these sizes.
//
//===----------------------------------------------------------------------===//

#include "Access/MemorySpaces.h"
#include "RelayoutSteps.h"
#include "TensorAccess/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERLAYOUTS
#include "TensorAccess/Transforms/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isMove(Operation *op) {
  return isa_and_nonnull<RelayoutOp, BitcastOp>(op);
}

/// The dimension whose size an op takes; none for other ops.
static std::optional<int64_t> getDim(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
  if (!index || *index < 0 ||
      *index >= cast<RankedTensorType>(dim.getSource().getType()).getRank())
    return std::nullopt;
  return index;
}

static bool hasEncoding(Value value) {
  return static_cast<bool>(
      cast<RankedTensorType>(value.getType()).getEncoding());
}

/// The type with the same layout, without its memory space.
static RankedTensorType inMainMemory(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto attr = dyn_cast_or_null<LayoutAttr>(tensor.getEncoding());
  if (!attr || attr.getValue().memorySpace == 0)
    return tensor;
  Layout layout = attr.getValue();
  layout.memorySpace = 0;
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               LayoutAttr::get(type.getContext(), layout));
}

/// Step 2.
static LogicalResult checkEncodings(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  if (hasEncoding(source) && !isMove(source.getDefiningOp())) {
    InFlightDiagnostic error = op->emitOpError()
                               << "cannot be lowered: its operand of type "
                               << source.getType() << " comes from ";
    if (Operation *producer = source.getDefiningOp())
      return error << '\'' << producer->getName() << '\'';
    return error << "a block argument";
  }
  if (hasEncoding(result))
    for (Operation *user : result.getUsers())
      if (!isMove(user) && !getDim(user))
        return op->emitOpError()
               << "cannot be lowered: its result of type " << result.getType()
               << " goes to '" << user->getName() << '\'';
  return success();
}

LogicalResult
mlir::tensoraccess::lowerLayouts(Operation *root,
                                 const MaterializeOptions &options) {
  lowerIndexOps(root);
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
      [&](Operation *op) {
        if (isMove(op))
          ops.push_back(op);
      });
  std::optional<Target> target = getAttachedTarget(root);
  for (Operation *op : ops)
    if (failed(checkEncodings(op)) || failed(checkMemorySpaces(op, target)))
      return failure();

  struct Physical {
    Value value;
    Sizes sizes;
  };
  DenseMap<Value, Physical> physical;
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    Value source = op->getOperand(0), result = op->getResult(0);
    RankedTensorType from = inMainMemory(source.getType());
    RankedTensorType to = inMainMemory(result.getType());
    Physical operand =
        hasEncoding(source) ? physical.lookup(source) : Physical{source, {}};
    Physical made;
    FailureOr<Value> value;
    if (auto relayout = dyn_cast<RelayoutOp>(op)) {
      value = materializeRelayout(rewriter, op->getLoc(), operand.value, from,
                                  to, relayout.getPermutationOrIdentity(),
                                  options, operand.sizes, &made.sizes);
    } else {
      value = materializeBitcast(rewriter, op->getLoc(), operand.value, from,
                                 to, operand.sizes, &made.sizes);
    }
    if (failed(value))
      return failure();
    made.value = placeIn(rewriter, op->getLoc(), *value, operand.value,
                         getMemorySpace(result.getType()),
                         getMemorySpace(source.getType()));
    if (!hasEncoding(result)) {
      rewriter.replaceAllUsesWith(result, made.value);
      continue;
    }
    for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
      if (std::optional<int64_t> dim = getDim(user)) {
        rewriter.setInsertionPoint(user);
        rewriter.replaceOp(
            user, getValueOrCreateConstantIndexOp(rewriter, user->getLoc(),
                                                  made.sizes[*dim]));
      }
    physical[result] = std::move(made);
  }
  for (Operation *op : llvm::reverse(ops))
    rewriter.eraseOp(op);
  return success();
}

namespace {
struct LowerLayoutsPass
    : public tensoraccess::impl::LowerLayoutsBase<LowerLayoutsPass> {
  using LowerLayoutsBase::LowerLayoutsBase;

  void runOnOperation() override {
    MaterializeOptions options;
    options.way = way;
    options.maxVectorElements = maxVectorElements;
    if (failed(lowerLayouts(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
