//===- ForeignToLinalg.cpp - Ops that are not loops become loops ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps a program from bufferization although upstream knows how
// to decompose it:
// 1. where there are ops of tosa, upstream's conversions of tosa, but for
//    sigmoid, which overflows there, and scatter, for which there is none, with
//    sums of floats below f32 in f32, and no zeros times the image. Indices and
//    unknown sizes that must fit are asserted first, in the op's own name;
// 2. globals of ml_program that are scalars become tensors, and poison zeros;
// 3. loops and branches of affine on tensors, which become those of scf;
// 4. vectors in forms that upstream lowers rightly (PlainVectors.cpp);
// 5. ops on tensors that are not loops (DecomposeToLinalg.cpp).
//
// Each step runs only where its ops exist.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "Lower/AccessChecks.h"
#include "StableHlo/StablehloToLinalg.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/Loops.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FOREIGNTOLINALG
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static void addTosaPasses(OpPassManager &pm) {
  // First, as the others take the ends of branches to be ops to convert.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  addTosaToLinalg(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass({/*includeApplyRescale=*/true}));
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createCanonicalize());
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
  op.replaceAllUsesWith(mapElements(b, b.getLoc(), input, type,
                                    [](ImplicitLocOpBuilder &b, ValueRange x) {
                                      return emitLogistic(b, x[0]);
                                    }));
  op.erase();
}

/// Asserts that the indices of a tosa.gather are places.
static void checkGather(tosa::GatherOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getIndices().getType());
  if (!type || !isa<RankedTensorType>(op.getValues().getType()))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value size = b.createOrFold<tensor::DimOp>(op.getValues(), 1);
  op.getIndicesMutable().assign(mapElements(
      b, b.getLoc(), op.getIndices(), type,
      [&](ImplicitLocOpBuilder &b, ValueRange index) {
        requireInside(b, op,
                      arith::IndexCastOp::create(b, b.getIndexType(), index[0]),
                      /*dim=*/1, size);
        return index[0];
      }));
}

/// Asserts that an unknown size which is not 1, and repeated, is the result's, or
/// where that is unknown the other operands'.
static void checkRepetition(Operation *op) {
  if (op->getNumResults() != 1 ||
      !(op->hasTrait<OpTrait::ResultsBroadcastableShape>() ||
        isa<tosa::MulOp>(op)))
    return;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto isSame = [&](OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(b, b.getLoc(), lhs),
        getValueOrCreateConstantIndexOp(b, b.getLoc(), rhs));
  };
  const OpFoldResult one = b.getIndexAttr(1);
  for (int64_t dim = 0, rank = result ? result.getRank() : 0; dim < rank;
       ++dim) {
    OpFoldResult wanted;
    if (!result.isDynamicDim(dim))
      wanted = b.getIndexAttr(result.getDimSize(dim));
    Value first;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || type.getRank() != rank || operand == first ||
          type.getDimSize(dim) == 1)
        continue;
      OpFoldResult size = tensor::getMixedSize(b, b.getLoc(), operand, dim);
      if (!wanted) {
        wanted = size;
        first = operand;
        continue;
      }
      if (foldComparison(arith::CmpIPredicate::eq, size, wanted)
              .value_or(false))
        continue;
      Value fits =
          arith::OrIOp::create(b, isSame(size, wanted), isSame(size, one));
      if (isa<Value>(wanted))
        fits = arith::OrIOp::create(b, fits, isSame(wanted, one));
      CheckMessage message(op->getName().getStringRef() + ": dimension " +
                           Twine(dim) + " of operand " + Twine(i) +
                           " must be 1 or ");
      message << wanted << Twine(", got ") << size;
      AssertOp::create(b, fits, message.getText().str(), message.getValues());
    }
  }
}

/// tosa.scatter, for which upstream has nothing, as loops over its indices. An
/// index outside ends the program.
static void lowerTosaScatter(tosa::ScatterOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto indices = dyn_cast<RankedTensorType>(op.getIndices().getType());
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || !indices || !input || !type.hasStaticShape() ||
      !indices.hasStaticShape() || !input.hasStaticShape() ||
      op.getValuesIn().getType() != type)
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value count =
      arith::ConstantIndexOp::create(b, type.getDimSize(1)).getResult();
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(1), b.getIndexAttr(1),
                                  b.getIndexAttr(type.getDimSize(2))};
  SmallVector<OpFoldResult> strides(3, b.getIndexAttr(1));
  SmallVector<Value> results = makeHloLoops(
      b, indices.getShape(), ValueRange{op.getValuesIn()},
      [&](ImplicitLocOpBuilder &b, ValueRange loops, ValueRange values) {
        Value number = tensor::ExtractOp::create(b, op.getIndices(), loops);
        Value place = arith::IndexCastOp::create(b, b.getIndexType(), number);
        requireInside(b, op, place, /*dim=*/1, count);
        SmallVector<OpFoldResult> from{loops[0], loops[1], b.getIndexAttr(0)};
        SmallVector<OpFoldResult> to{loops[0], place, b.getIndexAttr(0)};
        auto row = RankedTensorType::get({1, 1, type.getDimSize(2)},
                                         type.getElementType());
        Value slice = tensor::ExtractSliceOp::create(b, row, op.getInput(),
                                                     from, sizes, strides);
        return SmallVector<Value>{tensor::InsertSliceOp::create(
            b, slice, values[0], to, sizes, strides)};
      });
  op.replaceAllUsesWith(results[0]);
  op.erase();
}

/// Globals of scalars become globals of tensors without dimensions, which
/// bufferization knows. An error at those of other types.
static LogicalResult wrapGlobals(ModuleOp module) {
  // Upstream bufferizes only the loads of what may change.
  module.walk([](ml_program::GlobalLoadConstOp op) {
    OpBuilder b(op);
    op.getResult().replaceAllUsesWith(ml_program::GlobalLoadOp::create(
        b, op.getLoc(), op.getType(), op.getGlobalAttr()));
    op->erase();
  });
  llvm::DenseSet<Operation *> wrapped;
  SymbolTableCollection symbols;
  WalkResult result = module.walk([&](ml_program::GlobalOp global) {
    Type type = global.getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      return WalkResult::advance();
    Attribute value = global.getValueAttr();
    auto typed = dyn_cast_if_present<TypedAttr>(value);
    if (!type.isIntOrIndexOrFloat() ||
        (value &&
         (!isa<IntegerAttr, FloatAttr>(value) || typed.getType() != type))) {
      global.emitOpError("of type ")
          << type
          << " cannot be lowered; globals are scalars or tensors of "
             "static shape";
      return WalkResult::interrupt();
    }
    auto scalar = RankedTensorType::get({}, type);
    global.setTypeAttr(TypeAttr::get(scalar));
    if (value)
      global.setValueAttr(DenseElementsAttr::get(scalar, value));
    wrapped.insert(global);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (wrapped.empty())
    return success();
  auto isWrapped = [&](Operation *op, SymbolRefAttr name) {
    return wrapped.contains(symbols.lookupNearestSymbolFrom(op, name));
  };
  module.walk([&](Operation *op) {
    OpBuilder b(op);
    auto load = [&](auto op) {
      if (!isWrapped(op, op.getGlobalAttr()))
        return;
      Value result = op.getResult();
      result.setType(RankedTensorType::get({}, result.getType()));
      b.setInsertionPointAfter(op);
      auto scalar = tensor::ExtractOp::create(b, op.getLoc(), result);
      result.replaceAllUsesExcept(scalar, scalar);
    };
    auto store = [&](auto op) {
      if (isWrapped(op, op.getGlobalAttr()))
        op.getValueMutable().assign(tensor::FromElementsOp::create(
            b, op.getLoc(), RankedTensorType::get({}, op.getValue().getType()),
            op.getValue()));
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case<ml_program::GlobalLoadOp>(load)
        .Case<ml_program::GlobalStoreOp>(store);
  });
  return success();
}

/// Whether an op of affine carries tensors or has ops on tensors inside:
/// bufferization doesn't know affine, nor that the bodies of its loops are
/// repeated.
static bool hasAffineTensors(Operation *root) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto isAffine = [](Operation *op) {
    return isa<affine::AffineForOp, affine::AffineIfOp,
               affine::AffineParallelOp>(op);
  };
  WalkResult result = root->walk([&](Operation *op) {
    if (llvm::none_of(op->getOperandTypes(), isTensor) &&
        llvm::none_of(op->getResultTypes(), isTensor))
      return WalkResult::advance();
    while (op && !isAffine(op))
      op = op->getParentOp();
    return op ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
struct ForeignToLinalgPass
    : public tensoraccess::impl::ForeignToLinalgBase<ForeignToLinalgPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ForeignToLinalgBase::getDependentDialects(registry);
    OpPassManager pm("builtin.module");
    addTosaPasses(pm);
    pm.addPass(createLowerAffinePass());
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
      getOperation().walk(lowerTosaScatter);
      getOperation().walk(checkGather);
      getOperation().walk(checkRepetition);
      prepareTosa(getOperation());
      OpPassManager pm("builtin.module");
      addTosaPasses(pm);
      if (failed(runPipeline(pm, getOperation())))
        return signalPassFailure();
      finishTosa(getOperation());
      // Upstream's conversions of tosa leave ops of the dialect index.
      guardFolds(getOperation());
    }
    if (hasAffineTensors(getOperation())) {
      OpPassManager pm("builtin.module");
      pm.addPass(createLowerAffinePass());
      if (failed(runPipeline(pm, getOperation())))
        return signalPassFailure();
    }
    getOperation()->walk(replaceByZeros);
    makePlainVectors(getOperation());
    if (failed(wrapGlobals(getOperation())) ||
        failed(decomposeToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
