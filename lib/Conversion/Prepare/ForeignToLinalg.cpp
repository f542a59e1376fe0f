//===- ForeignToLinalg.cpp - Ops that are not loops become loops ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between a program and bufferization although upstream knows how
// to take it apart:
// 1. where there are ops of tosa, upstream's conversions of tosa, but for
//    sigmoid, which overflows there, and scatter, which there is none for, with
//    sums of floats below f32 in f32, and no zeros times the image;
// 2. linalg.softmax and tensor.concat decompose themselves, the sum of a
//    softmax likewise; linalg.pack and linalg.unpack become pad, reshape and
//    transpose; a linalg.map that reads what it writes to becomes a generic op,
//    as bufferization takes it for one that does not;
// 3. globals of ml_program that are scalars become tensors, and poison zeros.
//
// Each step runs only where its ops exist.
//
//===----------------------------------------------------------------------===//

#include "Lower/AccessChecks.h"
#include "Lower/AccessLoops.h"
#include "StableHlo/StablehloToLinalg.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "TensorAccess/Transforms/Transforms.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
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
  auto made = linalg::GenericOp::create(
      rewriter, loc, out.getType(), sum.getInputs(), out,
      sum.getIndexingMapsArray(), sum.getIteratorTypesArray(),
      [&](OpBuilder &b, Location at, ValueRange args) {
        Value next = arith::ExtFOp::create(b, at, wide, args[0]);
        linalg::YieldOp::create(
            b, at, arith::AddFOp::create(b, at, args[1], next).getResult());
      });
  rewriter.replaceOp(sum,
                     roundElements(rewriter, loc, made.getResult(0), element));
}

static void addTosaPasses(OpPassManager &pm) {
  // First, as the others take the ends of branches for ops to convert.
  pm.addNestedPass<func::FuncOp>(createTosaToSCFPass());
  addTosaToLinalg(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createTosaToArithPass({/*includeApplyRescale=*/true}));
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createCanonicalize());
}

/// A loop over all elements of a tensor, which makes one of this type.
static Value
mapElements(ImplicitLocOpBuilder &b, Value input, RankedTensorType type,
            function_ref<Value(ImplicitLocOpBuilder &, Value)> body) {
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), input), type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(b, type, empty);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  return linalg::GenericOp::create(
             b, type, input, empty, ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               ImplicitLocOpBuilder b(loc, builder);
               linalg::YieldOp::create(b, body(b, args[0]));
             })
      .getResult(0);
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
  op.replaceAllUsesWith(
      mapElements(b, input, type, [](ImplicitLocOpBuilder &b, Value x) {
        return emitLogistic(b, x);
      }));
  op.erase();
}

/// Asserts that a place of dimension 1 is one.
static void requireInside(ImplicitLocOpBuilder &b, Operation *op, Value place,
                          Value size) {
  CheckMessage message(op->getName().getStringRef() + ": index ");
  message << OpFoldResult(place) << " of dimension 1 must lie in [0, "
          << getAsOpFoldResult(size) << ")";
  // A negative one is a large one without a sign.
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, place, size);
  AssertOp::create(b, isInside, message.getText().str(), message.getValues());
}

/// Asserts that the indices of a tosa.gather are places.
static void checkGather(tosa::GatherOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getIndices().getType());
  if (!type || !isa<RankedTensorType>(op.getValues().getType()))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value size = b.createOrFold<tensor::DimOp>(op.getValues(), 1);
  op.getIndicesMutable().assign(mapElements(
      b, op.getIndices(), type, [&](ImplicitLocOpBuilder &b, Value index) {
        requireInside(b, op,
                      arith::IndexCastOp::create(b, b.getIndexType(), index),
                      size);
        return index;
      }));
}

/// tosa.scatter, for which upstream has nothing, as loops over its indices. An
/// index outside ends the program.
static void lowerScatter(tosa::ScatterOp op) {
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
        requireInside(b, op, place, count);
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

/// The values that replace an op's results; none where it is not one of step 2.
static FailureOr<SmallVector<Value>> decompose(RewriterBase &rewriter,
                                               Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    FailureOr<SmallVector<Value>> values = softmax.decomposeOperation(rewriter);
    if (succeeded(values))
      if (auto quotient = values->front().getDefiningOp<linalg::GenericOp>())
        for (Value operand : quotient.getInputs())
          if (auto sum = operand.getDefiningOp<linalg::GenericOp>())
            if (sum.getNumReductionLoops() != 0)
              widenSum(rewriter, sum);
    return values;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.decomposeOperation(rewriter);
  return failure();
}

/// A linalg.map whose body reads its init.
static bool isReadingMap(Operation *op) {
  auto map = dyn_cast<linalg::MapOp>(op);
  return map && isReadByBody(*map.getDpsInitOperand(0));
}

LogicalResult mlir::tensoraccess::decomposeToLinalg(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<linalg::SoftmaxOp, tensor::ConcatOp, linalg::PackOp,
            linalg::UnPackOp>(op) ||
        isReadingMap(op))
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
      // Upstream's short way without a transposition takes trailing tiles for
      // those of all dimensions.
      ArrayRef<int64_t> tiled = unpack.getInnerDimsPos();
      const bool isShort =
          llvm::equal(tiled, llvm::seq<int64_t>(0, unpack.getDestRank()));
      if (!unpack.hasPureTensorSemantics() ||
          failed(linalg::lowerUnPack(rewriter, unpack, isShort)))
        return op->emitError() << "cannot take apart '" << op->getName() << "'";
      continue;
    }
    if (auto map = dyn_cast<linalg::MapOp>(op)) {
      if (failed(linalg::generalizeNamedOp(rewriter, map)))
        return op->emitError() << "cannot take apart '" << op->getName() << "'";
      continue;
    }
    FailureOr<SmallVector<Value>> values = decompose(rewriter, op);
    if (failed(values))
      return op->emitError() << "cannot take apart '" << op->getName() << "'";
    rewriter.replaceOp(op, *values);
  }
  return success();
}

void mlir::tensoraccess::replacePoison(ModuleOp module) {
  module.walk([](ub::PoisonOp op) {
    OpBuilder b(op);
    TypedAttr zero = b.getZeroAttr(op.getType());
    if (!zero || !op.getType().isIntOrIndexOrFloat())
      return;
    op.replaceAllUsesWith(
        arith::ConstantOp::create(b, op.getLoc(), zero).getResult());
    op->erase();
  });
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
      getOperation().walk(lowerScatter);
      getOperation().walk(checkGather);
      prepareTosa(getOperation());
      OpPassManager pm("builtin.module");
      addTosaPasses(pm);
      if (failed(runPipeline(pm, getOperation())))
        return signalPassFailure();
      finishTosa(getOperation());
      // Upstream's conversions of tosa leave ops of the dialect index.
      guardFolds(getOperation());
    }
    replacePoison(getOperation());
    if (failed(wrapGlobals(getOperation())) ||
        failed(decomposeToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
