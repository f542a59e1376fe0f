//===- AccessToLinalg.cpp - Access patterns become loops on tensors -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Rewrite slices with out-of-bounds policies as slices without (AccessForm.h)
//    where few will do, and refuse what cannot be lowered, before anything else
//    is changed: encodings, access patterns that cross into other dialects'
//    ops.
// 2. Decide which patterns have to exist in memory: results of arithmetic and
//    materialize, what to_tensor asks for, and, until nothing is added, the
//    bases (AccessForm.h) that those read.
// 3. In dominance order, emit each such pattern as a tensor: linalg ops that
//    read the bases through composed maps, or a reshape where the view is its
//    base read row-major.
// 4. Replace to_tensor by these tensors and erase the access ops.
//
//===----------------------------------------------------------------------===//

#include "AccessLowering.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_LOWERTOLINALG
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isAccess(Type type) { return isa<AccessType>(type); }

bool mlir::tensoraccess::hasTupleOfUnknownLength(ComputeOp op) {
  return isOverTuple(op.getKind()) &&
         op.getPattern().getType().getComputeShape().front() == kDynamicSize;
}

/// True for the ops whose result is in memory by definition.
static bool isMade(Operation *op) {
  return isComputedSlice(op) ||
         isa_and_nonnull<ComputeOp, MaterializeOp, SystolicArrayOp,
                         AcceleratorCallOp>(op);
}

//===----------------------------------------------------------------------===//
// Steps 1 and 2
//===----------------------------------------------------------------------===//

LogicalResult AccessLowering::check() {
  WalkResult result =
      root->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
          [&](Operation *op) -> WalkResult {
            if (auto function = dyn_cast<FunctionOpInterface>(op))
              if (llvm::any_of(function.getArgumentTypes(), isAccess) ||
                  llvm::any_of(function.getResultTypes(), isAccess))
                return op->emitError()
                       << "cannot lower an access pattern in a function's type";
            for (Region &region : op->getRegions())
              for (Block &block : region)
                for (BlockArgument argument : block.getArguments())
                  if (isAccess(argument.getType()))
                    return op->emitError()
                           << "cannot lower access pattern "
                           << argument.getType() << ": it is a block argument";
            bool touches = llvm::any_of(op->getOperandTypes(), isAccess) ||
                           llvm::any_of(op->getResultTypes(), isAccess);
            if (!touches)
              return WalkResult::advance();
            if (!isMovement(op) && !isMade(op))
              return op->emitError() << "cannot lower access patterns of op '"
                                     << op->getName() << "'";
            if (auto call = dyn_cast<AcceleratorCallOp>(op);
                call && failed(findAccelerator(call)))
              return WalkResult::interrupt();
            for (Type type : llvm::concat<const Type>(
                     llvm::to_vector<4>(op->getOperandTypes()),
                     llvm::to_vector<4>(op->getResultTypes()))) {
              if (auto tensor = dyn_cast<RankedTensorType>(type);
                  tensor && tensor.getEncoding())
                return op->emitError()
                       << "cannot lower access to a tensor with "
                          "encoding "
                       << tensor.getEncoding();
            }
            accessOps.push_back(op);
            return WalkResult::advance();
          });
  return failure(result.wasInterrupted());
}

/// The operands that a made pattern's emission plans, each with whether it is
/// taken as a tuple.
static SmallVector<std::pair<PatternValue, bool>> getPlanned(Operation *op) {
  bool isTuple = false;
  if (auto compute = dyn_cast<ComputeOp>(op))
    isTuple =
        isOverTuple(compute.getKind()) && !hasTupleOfUnknownLength(compute);
  SmallVector<std::pair<PatternValue, bool>> planned;
  for (Value operand : op->getOperands())
    planned.push_back({cast<PatternValue>(operand), isTuple});
  return planned;
}

void AccessLowering::collectRealised() {
  for (Operation *op : accessOps) {
    if (isMade(op))
      realised.insert(op->getResult(0));
    else if (auto toTensor = dyn_cast<ToTensorOp>(op))
      realised.insert(toTensor.getPattern());
  }
  for (size_t i = 0; i < realised.size(); ++i) {
    auto pattern = cast<PatternValue>(realised[i]);
    SmallVector<Value> bases;
    if (isMade(pattern.getDefiningOp())) {
      auto compute = dyn_cast<ComputeOp>(pattern.getDefiningOp());
      ArrayRef<BorderPart> parts;
      if (compute)
        parts = planBorders(compute);
      for (const BorderPart &part : parts)
        for (const OperandForm &operand : part.operands)
          if (operand.strip)
            llvm::append_range(bases, operand.strip->bases);
          else if (operand.base)
            bases.push_back(operand.base);
      if (parts.empty())
        for (auto [operand, isTuple] : getPlanned(pattern.getDefiningOp()))
          llvm::append_range(bases, getBases(operand, isTuple));
    } else {
      bases = getRealisationBases(pattern);
    }
    for (Value base : bases)
      if (isAccess(base.getType()))
        realised.insert(base);
      else if (auto toTensor = base.getDefiningOp<ToTensorOp>())
        realised.insert(toTensor.getPattern());
  }
}

//===----------------------------------------------------------------------===//
// Steps 3 and 4
//===----------------------------------------------------------------------===//

Value AccessLowering::getTensor(Value base) {
  if (isAccess(base.getType()))
    return tensors.lookup(base);
  if (auto toTensor = base.getDefiningOp<ToTensorOp>())
    return tensors.lookup(toTensor.getPattern());
  return base;
}

Value AccessLowering::realise(PatternValue pattern) {
  Operation *op = pattern.getDefiningOp();
  if (auto compute = dyn_cast<ComputeOp>(op))
    return emitCompute(compute);
  if (auto array = dyn_cast<SystolicArrayOp>(op))
    return emitSystolicArray(array);
  if (auto call = dyn_cast<AcceleratorCallOp>(op))
    return emitAcceleratorCall(call);
  if (isComputedSlice(op))
    return emitComputedSlice(pattern);
  if (auto materialize = dyn_cast<MaterializeOp>(op))
    return emitCopy(op->getLoc(), materialize.getPattern());
  return emitMovement(pattern);
}

/// Slices and projections with out-of-bounds policies become ones without, where
/// few will do.
static void expandPolicies(Operation *root, IRRewriter &rewriter) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<SliceOp, ProjectOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<Value> value =
        isa<SliceOp>(op) ? expandOutOfBounds(rewriter, cast<SliceOp>(op))
                         : expandOutOfBounds(rewriter, cast<ProjectOp>(op));
    if (succeeded(value) && *value != op->getResult(0))
      rewriter.replaceOp(op, *value);
  }
}

LogicalResult AccessLowering::run() {
  expandPolicies(root, rewriter);
  if (failed(check()))
    return failure();
  collectRealised();
  for (Operation *op : accessOps) {
    rewriter.setInsertionPoint(op);
    if (isa<ToTensorOp>(op))
      continue;
    auto pattern = cast<PatternValue>(op->getResult(0));
    if ((!AccessForms::isStatic(pattern) ||
         !llvm::all_of(op->getOperands(), AccessForms::isStatic)) &&
        failed(computeSizes(op)))
      return failure();
    if (!realised.contains(pattern))
      continue;
    Value tensor = realise(pattern);
    RankedTensorType type = pattern.getType().getTensorType();
    if (tensor.getType() != type)
      tensor = tensor::CastOp::create(rewriter, op->getLoc(), type, tensor);
    tensors[pattern] = tensor;
    if (isa<AcceleratorCallOp>(op) && !type.hasStaticShape())
      dynamicSizes[pattern] =
          tensor::getMixedSizes(rewriter, op->getLoc(), tensor);
  }
  for (Operation *op : accessOps)
    if (auto toTensor = dyn_cast<ToTensorOp>(op))
      toTensor.getResult().replaceAllUsesWith(
          tensors.lookup(toTensor.getPattern()));
  for (Operation *op : llvm::reverse(accessOps))
    rewriter.eraseOp(op);
  return success();
}

LogicalResult mlir::tensoraccess::lowerToLinalg(Operation *root,
                                                Borders borders) {
  return AccessLowering(root, borders).run();
}

namespace {
struct LowerToLinalgPass
    : public tensoraccess::impl::LowerToLinalgBase<LowerToLinalgPass> {
  using LowerToLinalgBase::LowerToLinalgBase;
  void runOnOperation() override {
    if (failed(checkRanks(getOperation())))
      return signalPassFailure();
    if (failed(lowerToLinalg(getOperation(), borders)))
      signalPassFailure();
  }
};
} // namespace
