//===- ExpandBF16.cpp - bf16 as storage: computed in f32, kept in i16 -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// expand-bf16, on scalars and vectors:
//   1. arithmetic on bf16 becomes arithmetic on f32, each result rounded, those
//      that the next op extends again as well;
//   2. conversions become integer arithmetic. f32 to bf16 rounds to nearest
//      even as upstream expands it; f64 goes through f32 rounded to odd, and
//      integers through f64 rounded so that bf16 sees what it would have seen.
//
// bf16-to-i16, on the LLVM dialect: where no arithmetic on bf16 is left but dot
// products, every type and constant of bf16 becomes one of i16, the same bits.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Transforms/LowerPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDBF16
#define GEN_PASS_DEF_BF16TOI16
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }

/// Those wait until they are loops: constants of their types need a shape.
static bool isOnTensors(Operation *op) {
  return isa<TensorType>(op->getResult(0).getType());
}

/// A type of the same shape with other elements.
static Type withElements(Type shaped, Type element) {
  auto vector = dyn_cast<VectorType>(shaped);
  return vector ? Type(vector.clone(element)) : element;
}

static Value constant(OpBuilder &builder, Location loc, Type type,
                      int64_t value) {
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(builder, loc, attr);
}

namespace {

/// trunc(x : f64 to bf16) = trunc(odd(x) : f32 to bf16), where odd(x) is x if
/// f32 has it, else the one of its two neighbours whose last bit is set. f32
/// has 16 bits more than bf16, so no tie of bf16's is met that x is not.
struct RoundF64 : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!isBF16(op.getType()) || !getElementTypeOrSelf(x).isF64())
      return rewriter.notifyMatchFailure(op, "is not f64 to bf16");
    Location loc = op.getLoc();
    Type f32 = withElements(x.getType(), rewriter.getF32Type());
    Type i32 = withElements(x.getType(), rewriter.getI32Type());
    Value nearest = arith::TruncFOp::create(rewriter, loc, f32, x);
    Value back = arith::ExtFOp::create(rewriter, loc, x.getType(), nearest);
    Value bits = arith::BitcastOp::create(rewriter, loc, i32, nearest);
    Value one = constant(rewriter, loc, i32, 1);
    Value zero = constant(rewriter, loc, i32, 0);
    auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
      return arith::CmpFOp::create(rewriter, loc, predicate, a, b);
    };
    // The bits of a float and its sign grow with its magnitude: from an even
    // neighbour the odd one on the other side of x is one step off.
    Value isOdd = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(rewriter, loc, bits, one), zero);
    Value isExact = compare(arith::CmpFPredicate::UEQ, back, x);
    Value keep = arith::OrIOp::create(rewriter, loc, isOdd, isExact);
    Value isAbove = compare(arith::CmpFPredicate::OGT, back, x);
    Value isNegative = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, bits, zero);
    Value goesDown = arith::XOrIOp::create(rewriter, loc, isAbove, isNegative);
    Value step = arith::SelectOp::create(rewriter, loc, goesDown,
                                         constant(rewriter, loc, i32, -1), one);
    Value other = arith::AddIOp::create(rewriter, loc, bits, step);
    Value odd = arith::SelectOp::create(rewriter, loc, keep, bits, other);
    Value rounded = arith::BitcastOp::create(rewriter, loc, f32, odd);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
    return success();
  }
};

/// ext(x : bf16 to f64) = ext(ext(x : bf16 to f32) : f32 to f64).
struct ExtendToF64 : public OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isBF16(op.getIn().getType()) ||
        !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "is not bf16 to f64");
    Value wide = arith::ExtFOp::create(
        rewriter, op.getLoc(),
        withElements(op.getType(), rewriter.getF32Type()), op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), wide);
    return success();
  }
};

/// float(x : integer to bf16) = trunc(float(sticky(x)) : f64 to bf16). f64 has
/// every integer of 32 bits. Of 64 bits, those past 2^53 need their last 12
/// bits only to know on which side of a tie they are: sticky(x) sets one of
/// them in their place.
template <typename ConvertOp>
struct ConvertInteger : public OpRewritePattern<ConvertOp> {
  using OpRewritePattern<ConvertOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    unsigned width = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
    if (!isBF16(op.getType()) || width > 64)
      return rewriter.notifyMatchFailure(op, "is not at most 64 bits to bf16");
    Location loc = op.getLoc();
    if (width > 53) {
      Type type = x.getType();
      auto limit = [&](int64_t value) {
        return constant(rewriter, loc, type, value);
      };
      Value zero = limit(0), past = limit(0xfff);
      Value lost = arith::AndIOp::create(rewriter, loc, x, past);
      Value isLost = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::ne, lost, zero);
      Value sticky =
          arith::SelectOp::create(rewriter, loc, isLost, limit(0x800), zero);
      Value kept = arith::OrIOp::create(
          rewriter, loc,
          arith::AndIOp::create(rewriter, loc, x, limit(~int64_t(0xfff))),
          sticky);
      // |x| < 2^53, as one unsigned comparison of x + 2^53 where x has a sign.
      constexpr bool isSigned = std::is_same_v<ConvertOp, arith::SIToFPOp>;
      Value shifted = isSigned ? Value(arith::AddIOp::create(
                                     rewriter, loc, x, limit(int64_t(1) << 53)))
                               : x;
      Value isSmall = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::ult, shifted,
          limit(int64_t(1) << (isSigned ? 54 : 53)));
      x = arith::SelectOp::create(rewriter, loc, isSmall, x, kept);
    }
    Value wide = ConvertOp::create(
        rewriter, loc, withElements(op.getType(), rewriter.getF64Type()), x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

struct ExpandBF16Pass
    : public tensoraccess::impl::ExpandBF16Base<ExpandBF16Pass> {
  void runOnOperation() override {
    if (failed(convertIntegers()) || failed(emulate()) || failed(extendMath()))
      return signalPassFailure();
    keepRoundings();
    if (failed(expandConversions()))
      signalPassFailure();
  }

private:
  /// Integers first: step 1 would round them to f32.
  LogicalResult convertIntegers() {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<arith::SIToFPOp, arith::UIToFPOp>(
        [](Operation *op) {
          return !isBF16(op->getResult(0).getType()) || isOnTensors(op) ||
                 getElementTypeOrSelf(op->getOperand(0))
                         .getIntOrFloatBitWidth() > 64;
        });
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ConvertInteger<arith::SIToFPOp>, ConvertInteger<arith::UIToFPOp>>(
            &getContext());
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult emulate() {
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, {BFloat16Type::get(&getContext())},
        Float32Type::get(&getContext()));
    ConversionTarget target(getContext());
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    target.addDynamicallyLegalOp<arith::SIToFPOp, arith::UIToFPOp>(
        [&](Operation *op) {
          return isOnTensors(op) || converter.isLegal(op);
        });
    RewritePatternSet patterns(&getContext());
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult extendMath() {
    TypeConverter converter;
    llvm::SetVector<Type> kept;
    kept.insert(Float16Type::get(&getContext()));
    kept.insert(Float32Type::get(&getContext()));
    kept.insert(Float64Type::get(&getContext()));
    math::populateExtendToSupportedTypesTypeConverter(
        converter, kept, Float32Type::get(&getContext()));
    // As upstream's target, which asks each op for its dialect: an unregistered
    // op has none.
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalDialect<math::MathDialect>(
        [&](Operation *op) { return converter.isLegal(op); });
    target.addLegalOp<math::FmaOp>();
    RewritePatternSet patterns(&getContext());
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  /// ext(trunc(x)) is not x, since each result is rounded. Upstream's patterns
  /// make conversions `contract`, and its folder then drops such pairs.
  void keepRoundings() {
    getOperation()->walk([](Operation *op) {
      if (auto extend = dyn_cast<arith::ExtFOp>(op))
        extend.removeFastmathAttr();
      else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
        truncate.removeFastmathAttr();
    });
  }

  LogicalResult expandConversions() {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalOp<arith::ExtFOp, arith::TruncFOp>(
        [](Operation *op) {
          return isOnTensors(op) || (!isBF16(op->getResult(0).getType()) &&
                                     !isBF16(op->getOperand(0).getType()));
        });
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<RoundF64, ExtendToF64>(&getContext());
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

struct BF16ToI16Pass : public tensoraccess::impl::BF16ToI16Base<BF16ToI16Pass> {
  void runOnOperation() override {
    // What only moves bits.
    auto onlyMoves = [](Operation *op) {
      return isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::ConstantOp, LLVM::UndefOp,
                 LLVM::PoisonOp, LLVM::ZeroOp, LLVM::BitcastOp, LLVM::SelectOp,
                 LLVM::ExtractValueOp, LLVM::InsertValueOp,
                 LLVM::ExtractElementOp, LLVM::InsertElementOp,
                 LLVM::ShuffleVectorOp, LLVM::CallOp, LLVM::ReturnOp,
                 LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::FreezeOp,
                 LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::masked_gather,
                 LLVM::masked_scatter, LLVM::vector_extract,
                 LLVM::vector_insert>(op);
    };
    // Except dot products, which sums in any order consist of.
    SmallVector<LLVM::CallIntrinsicOp> dots;
    getOperation()->walk([&](LLVM::CallIntrinsicOp op) {
      if (op.getIntrin().starts_with("llvm.x86.avx512bf16."))
        dots.push_back(op);
    });
    bool computes =
        getOperation()
            ->walk([&](Operation *op) {
              bool has = llvm::any_of(op->getOperandTypes(), isBF16) ||
                         llvm::any_of(op->getResultTypes(), isBF16);
              return has && !onlyMoves(op) && !llvm::is_contained(dots, op)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (computes)
      return;
    AttrTypeReplacer replacer;
    auto i16 = IntegerType::get(&getContext(), 16);
    replacer.addReplacement([=](BFloat16Type) -> Type { return i16; });
    replacer.addReplacement([=](FloatAttr attr) -> std::optional<Attribute> {
      if (!attr.getType().isBF16())
        return std::nullopt;
      return IntegerAttr::get(i16, attr.getValue().bitcastToAPInt());
    });
    replacer.addReplacement(
        [=](DenseFPElementsAttr attr) -> std::optional<Attribute> {
          if (!attr.getElementType().isBF16())
            return std::nullopt;
          return DenseElementsAttr(attr).bitcast(i16);
        });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    OpBuilder b(&getContext());
    for (LLVM::CallIntrinsicOp dot : dots) {
      b.setInsertionPoint(dot);
      for (OpOperand &operand : dot->getOpOperands())
        if (auto type = cast<VectorType>(operand.get().getType());
            type.getElementType() == i16)
          operand.set(LLVM::BitcastOp::create(
              b, dot.getLoc(), type.clone(b.getBF16Type()), operand.get()));
    }
  }
};

} // namespace
