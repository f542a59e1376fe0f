//===- PrepareFunctions.cpp - Functions ready for bufferization -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's bufferization drops tensor encodings silently and writes to
// the arguments of functions unless told otherwise, takes every vector that is
// written at zeros for a whole tensor, writes to constants and arguments that
// scf.index_switch yields, and fails on slices that step along dropped dimensions
// or view tensors without elements; all of that is handled here. Nor does it know that
// the bodies of structured ops, pads and scf.parallel are repeated: what they
// write into is copied there. Frees and memory spaces end here, too: upstream
// allocates and frees in main memory.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/BufferPasses.h"
#include "TensorAccess/Transforms/Buffers.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PREPAREFUNCTIONS
#include "TensorAccess/Transforms/BufferPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The encoding of a tensor type; null for other types.
static Attribute getEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getEncoding() : Attribute();
}

static LogicalResult refuseEncodings(ModuleOp module) {
  auto check = [](Operation *op, TypeRange types) -> LogicalResult {
    for (Type type : types)
      if (Attribute encoding = getEncoding(type))
        return op->emitError() << "tensor encoding " << encoding
                               << " would be lost in bufferization";
    return success();
  };
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (failed(check(op, function.getArgumentTypes())) ||
          failed(check(op, function.getResultTypes())))
        return WalkResult::interrupt();
    if (failed(check(op, op->getOperandTypes())) ||
        failed(check(op, op->getResultTypes())))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The strides with 1 where the size is 1: a stride of one element moves
/// nothing, but upstream's rank reduction of a view looks at it. std::nullopt
/// if nothing changes.
template <typename OpTy>
static std::optional<SmallVector<OpFoldResult>> getPlainStrides(OpTy op) {
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  bool changed = false;
  for (auto [size, stride] : llvm::zip_equal(op.getMixedSizes(), strides))
    if (isOneInteger(size) && !isOneInteger(stride)) {
      stride = Builder(op.getContext()).getIndexAttr(1);
      changed = true;
    }
  return changed ? std::optional(std::move(strides)) : std::nullopt;
}

static void simplifyStrides(ModuleOp module) {
  SmallVector<Operation *> slices;
  module.walk([&](Operation *op) {
    if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      slices.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (Operation *op : slices) {
    rewriter.setInsertionPoint(op);
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (auto strides = getPlainStrides(extract))
        rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
            op, extract.getType(), extract.getSource(),
            extract.getMixedOffsets(), extract.getMixedSizes(), *strides);
      continue;
    }
    auto insert = cast<tensor::InsertSliceOp>(op);
    if (auto strides = getPlainStrides(insert))
      rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
          op, insert.getSource(), insert.getDest(), insert.getMixedOffsets(),
          insert.getMixedSizes(), *strides);
  }
}

static bool hasNoElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::is_contained(type.getShape(), 0);
}

/// The same of a tensor all of whose sizes are known.
static bool isKnownEmpty(Value value) {
  return hasNoElements(value) &&
         cast<RankedTensorType>(value.getType()).hasStaticShape();
}

/// Padding around an empty tensor is everything: the pad's body, everywhere.
static void replaceByPadding(RewriterBase &rewriter, tensor::PadOp pad) {
  rewriter.setInsertionPoint(pad);
  SmallVector<Value> dynamicSizes;
  for (auto [i, low, high] :
       llvm::enumerate(pad.getMixedLowPad(), pad.getMixedHighPad()))
    if (pad.getType().isDynamicDim(i)) {
      AffineExpr a, b, c;
      bindDims(rewriter.getContext(), a, b, c);
      OpFoldResult size =
          tensor::getMixedSize(rewriter, pad.getLoc(), pad.getSource(), i);
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(
          rewriter, pad.getLoc(),
          affine::makeComposedFoldedAffineApply(rewriter, pad.getLoc(),
                                                a + b + c, {low, high, size})));
    }
  auto generate = tensor::GenerateOp::create(rewriter, pad.getLoc(),
                                             pad.getType(), dynamicSizes);
  rewriter.inlineRegionBefore(pad.getRegion(), generate.getBody(),
                              generate.getBody().begin());
  rewriter.replaceOp(pad, generate);
}

/// No elements in fewer dimensions: an empty tensor of its sizes.
static void replaceByEmpty(RewriterBase &rewriter,
                           tensor::CollapseShapeOp collapse) {
  rewriter.setInsertionPoint(collapse);
  Location loc = collapse.getLoc();
  SmallVector<Value> sizes;
  for (auto [i, dims] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (!collapse.getResultType().isDynamicDim(i))
      continue;
    Value size = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t dim : dims)
      size = rewriter.createOrFold<arith::MulIOp>(
          loc, size,
          getValueOrCreateConstantIndexOp(
              rewriter, loc,
              tensor::getMixedSize(rewriter, loc, collapse.getSrc(), dim)));
    sizes.push_back(size);
  }
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(collapse,
                                               collapse.getResultType(), sizes);
}

/// Tensors without elements need no computing, and the views of buffers that
/// they would become are refused: no offset lies within a dimension of size 0,
/// and of 0 and unknown sizes in one upstream makes a size of 0.
static void dropComputationsOfNothing(ModuleOp module) {
  SmallVector<Operation *> computed;
  SmallVector<tensor::PadOp> pads;
  SmallVector<tensor::CollapseShapeOp> collapses;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto pad = dyn_cast<tensor::PadOp>(op);
        pad && hasNoElements(pad.getSource()) && !isKnownEmpty(pad))
      pads.push_back(pad);
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
        collapse && hasNoElements(collapse.getSrc()) && !isKnownEmpty(collapse))
      collapses.push_back(collapse);
    if (op->getNumResults() == 0 ||
        !llvm::all_of(op->getResults(), isKnownEmpty) ||
        isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
        !isMemoryEffectFree(op))
      return WalkResult::advance();
    computed.push_back(op);
    return WalkResult::skip();
  });
  IRRewriter rewriter(module.getContext());
  for (tensor::PadOp pad : pads)
    replaceByPadding(rewriter, pad);
  for (tensor::CollapseShapeOp collapse : collapses)
    replaceByEmpty(rewriter, collapse);
  for (Operation *op : computed) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> empty;
    for (Type type : op->getResultTypes())
      empty.push_back(tensor::EmptyOp::create(
          rewriter, op->getLoc(), cast<RankedTensorType>(type), ValueRange()));
    rewriter.replaceOp(op, empty);
  }
}

/// Whether a write leaves elements of its tensor, although all its indices are
/// zeros: it has a mask, or its vector is smaller.
static bool isPartialAtZeros(vector::TransferWriteOp op) {
  auto tensor = dyn_cast<RankedTensorType>(op.getBase().getType());
  return tensor && tensor.hasStaticShape() &&
         llvm::all_of(op.getIndices(),
                      [](Value index) { return isZeroInteger(index); }) &&
         (op.getMask() || op.getVectorType().getShape() != tensor.getShape());
}

/// What such writes leave is copied for them.
static void copyWhatIsLeft(ModuleOp module) {
  OpBuilder builder(module.getContext());
  module.walk([&](vector::TransferWriteOp op) {
    if (!isPartialAtZeros(op))
      return;
    builder.setInsertionPoint(op);
    Value dest = op.getBase();
    op.getBaseMutable().assign(bufferization::AllocTensorOp::create(
        builder, op.getLoc(), cast<RankedTensorType>(dest.getType()),
        ValueRange(), dest));
  });
}

/// Upstream does not know that the results of a switch are what its cases yield.
static void replaceSwitches(ModuleOp module) {
  SmallVector<scf::IndexSwitchOp> switches;
  module.walk([&](scf::IndexSwitchOp op) {
    if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
      switches.push_back(op);
  });
  llvm::for_each(switches, replaceByBranches);
}

/// Whether an op around the user of a tensor repeats it, though bufferization
/// does not know, and the tensor is made outside of that op.
static bool isRepeated(OpOperand &operand) {
  Value root = operand.get();
  while (isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp,
                         tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
  if (root.getDefiningOp<tensor::EmptyOp>())
    return false;
  Operation *home = root.getParentBlock()->getParentOp();
  for (Operation *parent = operand.getOwner()->getParentOp();
       parent && !isa<FunctionOpInterface>(parent);
       parent = parent->getParentOp())
    if (isa<linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp,
            scf::ParallelOp>(parent) &&
        !parent->isAncestor(home))
      return true;
  return false;
}

/// What is written into in such an op is a copy, made anew each time.
static void copyRepeatedInits(ModuleOp module) {
  SmallVector<OpOperand *> inits;
  auto add = [&](OpOperand &init) {
    if (isa<RankedTensorType>(init.get().getType()))
      inits.push_back(&init);
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
      llvm::for_each(destinations.getDpsInitsMutable(), add);
    else if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      llvm::for_each(loop.getInitsMutable(), add);
  });
  for (OpOperand *init : inits) {
    if (!isRepeated(*init))
      continue;
    OpBuilder b(init->getOwner());
    init->set(bufferization::AllocTensorOp::create(
        b, init->getOwner()->getLoc(),
        cast<RankedTensorType>(init->get().getType()), ValueRange(),
        init->get()));
  }
}

/// What a program itself frees is freed where its owner is no longer used,
/// as everything is; upstream's pass for that accepts no other frees.
static void dropFrees(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<bufferization::DeallocTensorOp>(op))
      return op->erase();
    auto free = dyn_cast<memref::DeallocOp>(op);
    if (!free)
      return;
    Value root = free.getMemref();
    while (auto view =
               dyn_cast_or_null<ViewLikeOpInterface>(root.getDefiningOp()))
      root = view.getViewSource();
    if (root.getDefiningOp<memref::AllocOp>())
      free.erase();
  });
}

LogicalResult mlir::tensoraccess::prepareFunctions(ModuleOp module) {
  if (failed(refuseEncodings(module)))
    return failure();
  copyRepeatedInits(module);
  dropComputationsOfNothing(module);
  simplifyStrides(module);
  copyWhatIsLeft(module);
  replaceSwitches(module);
  dropFrees(module);
  // Compiled code has the host's memory and no other.
  module.walk(
      [](bufferization::AllocTensorOp op) { op.removeMemorySpaceAttr(); });
  Builder builder(module.getContext());
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  module.walk([&](func::FuncOp function) {
    if (!function.isPublic() || function.isExternal())
      return;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<TensorType>(type))
        function.setArgAttr(i, writable, builder.getBoolAttr(false));
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      builder.getUnitAttr());
  });
  return success();
}

namespace {
struct PrepareFunctionsPass
    : public tensoraccess::impl::PrepareFunctionsBase<PrepareFunctionsPass> {
  void runOnOperation() override {
    if (failed(prepareFunctions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
