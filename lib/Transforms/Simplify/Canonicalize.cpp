//===- Canonicalize.cpp - Upstream's patterns, without the wrong ones -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list, the pass and, built from it, upstream's pipelines that canonicalize in
// between.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_CANONICALIZE
#define GEN_PASS_DEF_GUARDFOLDS
#include "TensorAccess/Transforms/SimplifyPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

ArrayRef<StringRef> mlir::tensoraccess::getWrongPatterns() {
  static constexpr StringRef kNames[] = {
      // Of an scf.if's result that scf.condition passes on twice, the second
      // use gets the other branch's value; what the branch uses of the other
      // region is moved out of its scope (#219456).
      "(anonymous namespace)::WhileMoveIfDown",
      // Narrowing to an integer and back is not the identity (#90296, #90238).
      "(anonymous namespace)::IndexCastOfIndexCast",
      "(anonymous namespace)::IndexCastUIOfIndexCastUI",
      // Inserts with strides at `low` instead of at `low` · stride.
      "(anonymous namespace)::FoldInsertPadIntoFill",
      // Loads what the tensor had before its buffer was written to.
      "(anonymous namespace)::LoadOfToBuffer",
      // Repeats runs of elements where a shape_cast had put them one by one.
      "(anonymous namespace)::ShapeCastBroadcastFolder",
      // Of a type of fewer dimensions, other units are dropped than the op had
      // dropped (#217361); populateSliceFolding stands for these.
      "(anonymous namespace)::InsertSliceOpConstantArgumentFolder<"
      "mlir::tensor::InsertSliceOp>",
      "(anonymous namespace)::InsertSliceOpConstantArgumentFolder<"
      "mlir::tensor::ParallelInsertSliceOp>",
      "mlir::OpWithOffsetSizesAndStridesConstantArgumentFolder<"
      "mlir::tensor::ExtractSliceOp, SliceReturnTypeCanonicalizer, "
      "SliceCanonicalizer>",
  };
  return kNames;
}

namespace {

/// Patterns of all ops of a context. Collecting them takes as long as a small program
/// takes to pass through ten passes.
struct ContextPatterns {
  MLIRContext *context;
  size_t numOps;
  FrozenRewritePatternSet patterns;
};

/// As upstream's pass does it by default.
struct CanonicalizePass
    : public tensoraccess::impl::CanonicalizeBase<CanonicalizePass> {
  LogicalResult initialize(MLIRContext *context) override {
    // Those of another pass of the pipeline, as long as it lives.
    static thread_local std::weak_ptr<const ContextPatterns> last;
    const size_t numOps = context->getRegisteredOperations().size() +
                          context->getLoadedDialects().size();
    patterns = last.lock();
    if (patterns && patterns->context == context && patterns->numOps == numOps)
      return success();
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    populateSliceFolding(all);
    auto names = llvm::map_to_vector(getWrongPatterns(),
                                     [](StringRef name) { return name.str(); });
    patterns = std::make_shared<const ContextPatterns>(ContextPatterns{
        context, numOps, FrozenRewritePatternSet(std::move(all), names)});
    last = patterns;
    return success();
  }

  void runOnOperation() override {
    guardFolds(getOperation());
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Normal);
    // Where it doesn't converge, what has been rewritten is right, too.
    (void)applyPatternsGreedily(getOperation(), patterns->patterns, config);
  }

  std::shared_ptr<const ContextPatterns> patterns;
};

struct GuardFoldsPass
    : public tensoraccess::impl::GuardFoldsBase<GuardFoldsPass> {
  void runOnOperation() override {
    guardFolds(getOperation());
    separateBuffers(getOperation());
  }
};

/// Before tosa-infer-shapes, which takes any op whose type follows from its
/// operands to be one whose type it updates: those of other dialects get a cast.
struct KeepTypesPass
    : public PassWrapper<KeepTypesPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepTypesPass)

  StringRef getName() const override { return "KeepTypes"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<tensor::TensorDialect>();
  }

  static bool isTosa(Operation *op) {
    return isa_and_present<tosa::TosaDialect>(op->getDialect());
  }

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (!isTosa(op))
        return;
      OpBuilder b(op->getContext());
      b.setInsertionPointAfter(op);
      for (Value result : op->getResults()) {
        auto type = dyn_cast<TensorType>(result.getType());
        if (!type || type.hasStaticShape() ||
            llvm::all_of(result.getUsers(), isTosa))
          continue;
        auto cast = tensor::CastOp::create(b, op->getLoc(), type, result);
        result.replaceUsesWithIf(cast, [&](OpOperand &use) {
          return use.getOwner() != cast && !isTosa(use.getOwner());
        });
      }
    });
  }
};

} // namespace

void mlir::tensoraccess::addBufferDeallocation(OpPassManager &pm) {
  pm.addPass(memref::createExpandReallocPass({/*emitDeallocs=*/false}));
  pm.addPass(createCanonicalize());
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  pm.addPass(createCanonicalize());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalize());
}

void mlir::tensoraccess::addTosaToLinalg(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaOptionalDecompositionsPass());
  functions.addPass(createCanonicalize());
  functions.addPass(std::make_unique<KeepTypesPass>());
  functions.addPass(tosa::createTosaInferShapesPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(createCanonicalize());
  functions.addPass(tosa::createTosaLayerwiseConstantFoldPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalg());
}
