//===- ForeignToLinalg.cpp - Ops that are not loops become loops ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between a program and bufferization although upstream knows how
// to take it apart:
// 1. where there are ops of tosa, upstream's conversions of tosa, but for
//    sigmoid, which overflows there;
// 2. linalg.softmax and tensor.concat decompose themselves; linalg.pack and
//    linalg.unpack become pad, reshape and transpose;
// 3. insertions with strides that upstream would fold wrongly with the padding
//    of what they insert (AccessLoops.h).
//
// Each step runs only where its ops exist.
//
//===----------------------------------------------------------------------===//

#include "AccessLoops.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FOREIGNTOLINALG
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static void addTosaPasses(OpPassManager &pm) {
  tosa::addTosaToLinalgPasses(pm, TosaToLinalgOptions(),
                              TosaToLinalgNamedOptions(),
                              /*validationOptions=*/std::nullopt);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createTosaToSCFPass());
  functions.addPass(createCanonicalizerPass());
}

/// tosa.sigmoid as a loop over all elements.
static void lowerSigmoid(tosa::SigmoidOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value input = op.getInput();
  if (input.getType() != type)
    input = tensor::CastOp::create(b, type, input);
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), input), type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(b, type, empty);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  auto loops = linalg::GenericOp::create(
      b, type, input, empty, ArrayRef<AffineMap>{identity, identity},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder b(loc, builder);
        linalg::YieldOp::create(b, emitLogistic(b, args[0]));
      });
  op.replaceAllUsesWith(loops.getResult(0));
  op.erase();
}

/// The values that replace an op's results; none where it is not one of step 2.
static FailureOr<SmallVector<Value>> decompose(RewriterBase &rewriter,
                                               Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return softmax.decomposeOperation(rewriter);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.decomposeOperation(rewriter);
  return failure();
}

LogicalResult mlir::tensoraccess::decomposeToLinalg(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<linalg::SoftmaxOp, tensor::ConcatOp, linalg::PackOp,
            linalg::UnPackOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      if (!pack.hasPureTensorSemantics() ||
          failed(linalg::lowerPack(rewriter, pack)))
        return op->emitError() << "cannot take apart '" << op->getName() << "'";
      continue;
    }
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      if (!unpack.hasPureTensorSemantics() ||
          failed(linalg::lowerUnPack(rewriter, unpack)))
        return op->emitError() << "cannot take apart '" << op->getName() << "'";
      continue;
    }
    FailureOr<SmallVector<Value>> values = decompose(rewriter, op);
    if (failed(values))
      return op->emitError() << "cannot take apart '" << op->getName() << "'";
    rewriter.replaceOp(op, *values);
  }
  SmallVector<tensor::InsertSliceOp> inserts;
  root->walk([&](tensor::InsertSliceOp op) { inserts.push_back(op); });
  for (tensor::InsertSliceOp op : inserts)
    protectStridedInsert(rewriter, op);
  return success();
}

namespace {
struct ForeignToLinalgPass
    : public tensoraccess::impl::ForeignToLinalgBase<ForeignToLinalgPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ForeignToLinalgBase::getDependentDialects(registry);
    OpPassManager pm("builtin.module");
    addTosaPasses(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    bool hasTosa =
        getOperation()
            .walk([](Operation *op) {
              return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (hasTosa) {
      getOperation().walk(lowerSigmoid);
      OpPassManager pm("builtin.module");
      addTosaPasses(pm);
      if (failed(runPipeline(pm, getOperation())))
        return signalPassFailure();
    }
    if (failed(decomposeToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
