//===- ExpandMath.cpp - Functions of floats, to the last digits -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream's lowering leaves less exact than docs/Elementwise.md promises,
// on scalars and vectors, each op once:
//   1. exp, log and their kin, tanh and erf of types up to f32 as arithmetic
//      (FloatFunctions.h), which loops and kernels compute in vectors; rsqrt of
//      f16 and bf16 in f32, too. f32 has 13 bits more than they, so that an
//      error of an ulp there is at most 2^-13 of one here;
//   2. log10 of f32 in f64; cbrt of f64 with a step of
//      Newton's; powers by integers in f64; fma of small floats with one
//      rounding;
//   3. expm1 and log1p of f64 by libm.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"
#include "TensorAccess/Transforms/LowerPasses.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_EXPANDMATH
#include "TensorAccess/Transforms/LowerPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

using Float = arith::CmpFPredicate;

static bool isSmall(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// A type of the same shape with other elements.
static Type withElements(Type shaped, Type element) {
  auto vector = dyn_cast<VectorType>(shaped);
  return vector ? Type(vector.clone(element)) : element;
}

static Value createConstant(ImplicitLocOpBuilder &b, Type type,
                            TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, value);
}
static Value createNumber(ImplicitLocOpBuilder &b, Type type, double value) {
  return createConstant(b, type,
                        b.getFloatAttr(getElementTypeOrSelf(type), value));
}
static Value createInteger(ImplicitLocOpBuilder &b, Type type, int64_t value) {
  return createConstant(b, type,
                        b.getIntegerAttr(getElementTypeOrSelf(type), value));
}

/// The value with elements of a wider type.
static Value extend(ImplicitLocOpBuilder &b, Value value, Type element) {
  return arith::ExtFOp::create(b, withElements(value.getType(), element),
                               value);
}

//===----------------------------------------------------------------------===//
// Wider types
//===----------------------------------------------------------------------===//

/// The op on elements of a wider type, each result rounded.
static void computeIn(ImplicitLocOpBuilder &b, Operation *op, Type element) {
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(extend(b, operand, element));
  for (Type type : op->getResultTypes())
    state.types.push_back(withElements(type, element));
  state.addAttributes(op->getAttrs());
  Operation *wide = b.create(state);
  for (auto [result, from] :
       llvm::zip_equal(op->getResults(), wide->getResults()))
    result.replaceAllUsesWith(
        arith::TruncFOp::create(b, result.getType(), from));
}

/// a·b + c with one rounding. The product is exact in f64; the sum is rounded
/// to odd there: to itself if f64 has it, else to the neighbour whose last bit
/// is set, so that it is on no tie of a smaller type that a·b + c is not on.
static Value emitFma(ImplicitLocOpBuilder &b, math::FmaOp op) {
  Type f64 = withElements(op.getType(), b.getF64Type());
  Type i64 = withElements(op.getType(), b.getI64Type());
  Value x = arith::MulFOp::create(b, extend(b, op.getA(), b.getF64Type()),
                                  extend(b, op.getB(), b.getF64Type()));
  Value y = extend(b, op.getC(), b.getF64Type());
  // What the sum loses, by Knuth.
  Value sum = arith::AddFOp::create(b, x, y);
  Value ofY = arith::SubFOp::create(b, sum, x);
  Value ofX = arith::SubFOp::create(b, sum, ofY);
  Value lost = arith::AddFOp::create(b, arith::SubFOp::create(b, x, ofX),
                                     arith::SubFOp::create(b, y, ofY));

  Value zero = createNumber(b, f64, 0), one = createInteger(b, i64, 1);
  Value bits = arith::BitcastOp::create(b, i64, sum);
  Value isEven = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       arith::AndIOp::create(b, bits, one),
                                       createInteger(b, i64, 0));
  Value isInexact = arith::CmpFOp::create(b, Float::ONE, lost, zero);
  Value isUp =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                            arith::CmpFOp::create(b, Float::OGT, lost, zero),
                            arith::CmpFOp::create(b, Float::OGT, sum, zero));
  Value step = arith::SelectOp::create(b, isUp, one, createInteger(b, i64, -1));
  Value odd =
      arith::SelectOp::create(b, arith::AndIOp::create(b, isEven, isInexact),
                              arith::AddIOp::create(b, bits, step), bits);
  return arith::TruncFOp::create(b, op.getType(),
                                 arith::BitcastOp::create(b, f64, odd));
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// r - (r³ - x) / 3r² of libm's r, which is up to 4 ulps off; products exactly,
/// as sums of two floats. x is brought to where none of them overflows or is
/// subnormal. Zeros, infinities and NaN, for which the step is NaN, stay.
static Value emitCbrt(ImplicitLocOpBuilder &b, math::CbrtOp op) {
  Type type = op.getType();
  Value x = op.getOperand(), size = math::AbsFOp::create(b, x);
  auto number = [&](double value) { return createNumber(b, type, value); };
  auto mul = [&](Value a, Value c) -> Value {
    return arith::MulFOp::create(b, a, c);
  };
  auto fma = [&](Value a, Value c, Value d) -> Value {
    return math::FmaOp::create(b, a, c, d);
  };
  auto negated = [&](Value a) -> Value { return arith::NegFOp::create(b, a); };
  Value isTiny =
      arith::CmpFOp::create(b, Float::OLT, size, number(std::ldexp(1.0, -600)));
  Value isHuge =
      arith::CmpFOp::create(b, Float::OGT, size, number(std::ldexp(1.0, 600)));
  auto pick = [&](int tiny, int huge) -> Value {
    return arith::SelectOp::create(
        b, isTiny, number(std::ldexp(1.0, tiny)),
        arith::SelectOp::create(b, isHuge, number(std::ldexp(1.0, huge)),
                                number(1.0)));
  };
  x = mul(x, pick(3 * 150, -3 * 150));
  Value r = math::CbrtOp::create(b, x);
  Value square = mul(r, r), squareRest = fma(r, r, negated(square));
  Value cube = mul(square, r), cubeRest = fma(square, r, negated(cube));
  Value excess = arith::AddFOp::create(b, arith::SubFOp::create(b, cube, x),
                                       fma(squareRest, r, cubeRest));
  Value step = arith::DivFOp::create(b, excess, mul(number(3.0), square));
  Value better = arith::SubFOp::create(b, r, step);
  Value isPlain = arith::CmpFOp::create(b, Float::ORD, step, step);
  return mul(arith::SelectOp::create(b, isPlain, better, r), pick(-150, 150));
}

/// |x|^n in f64, negated where x is negative and n odd: f64 does not hold every
/// n.
static Value emitPowerOfInteger(ImplicitLocOpBuilder &b, math::FPowIOp op) {
  Type f64 = withElements(op.getType(), b.getF64Type());
  Value x = op.getLhs(), n = op.getRhs();
  if (x.getType() != f64)
    x = extend(b, x, b.getF64Type());
  Value power = math::PowFOp::create(b, math::AbsFOp::create(b, x),
                                     arith::SIToFPOp::create(b, f64, n));
  Value isOdd = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ne,
      arith::AndIOp::create(b, n, createInteger(b, n.getType(), 1)),
      createInteger(b, n.getType(), 0));
  Value sign = math::CopySignOp::create(b, createNumber(b, f64, 1), x);
  Value signedPower = arith::MulFOp::create(b, power, sign);
  Value result = arith::SelectOp::create(b, isOdd, signedPower, power);
  if (op.getType() == f64)
    return result;
  return arith::TruncFOp::create(b, op.getType(), result);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandMathPass
    : public tensoraccess::impl::ExpandMathBase<ExpandMathPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      // Ops on tensors are not part of a program that is being lowered.
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
          !isa<TensorType>(op->getResult(0).getType()))
        ops.push_back(op);
    });
    shareFunctions(ops);
    for (Operation *op : ops)
      if (expand(op))
        op->erase();
    if (failed(callLibm()))
      signalPassFailure();
  }

private:
  /// Makes one function of each that kernels compute for many vectors: tens of
  /// ops for each would take most of the time of compiling. They are no longer
  /// among `ops`.
  void shareFunctions(SmallVectorImpl<Operation *> &ops) {
    constexpr size_t kMany = 8;
    using Key = std::tuple<Operation *, StringRef, Type, Attribute>;
    llvm::MapVector<Key, SmallVector<Operation *>> equal;
    for (Operation *op : ops)
      if (auto type = dyn_cast<VectorType>(op->getResult(0).getType());
          type && type.getRank() == 1 && op->getNumOperands() == 1)
        equal[{op->getParentOfType<func::FuncOp>(),
               op->getName().getStringRef(), type, op->getAttrDictionary()}]
            .push_back(op);
    ModuleOp module = getOperation();
    SymbolTable table(module);
    llvm::DenseMap<std::tuple<StringRef, Type, Attribute>, func::FuncOp> made;
    llvm::DenseSet<Operation *> replaced;
    for (const auto &[key, same] : equal) {
      if (same.size() < kMany || !std::get<0>(key))
        continue;
      auto [place, isNew] = made.try_emplace(
          {std::get<1>(key), std::get<2>(key), std::get<3>(key)});
      if (isNew)
        place->second = makeFunction(same.front(), table);
      if (!place->second)
        continue;
      for (Operation *op : same) {
        OpBuilder b(op);
        op->replaceAllUsesWith(func::CallOp::create(
            b, op->getLoc(), place->second, op->getOperands()));
        replaced.insert(op);
      }
    }
    llvm::erase_if(ops, [&](Operation *op) { return replaced.contains(op); });
    for (Operation *op : replaced)
      op->erase();
  }

  /// A function of one op; null where it stays one op.
  static func::FuncOp makeFunction(Operation *op, SymbolTable &table) {
    MLIRContext *context = op->getContext();
    auto type =
        FunctionType::get(context, op->getOperandTypes(), op->getResultTypes());
    auto function = func::FuncOp::create(
        op->getLoc(), ("tensoraccess_" + op->getName().stripDialect()).str(),
        type);
    ImplicitLocOpBuilder b(op->getLoc(), context);
    b.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(op->getOperands(), function.getArguments());
    Operation *inner = b.clone(*op, mapping);
    b.setInsertionPoint(inner);
    Value value = emitFloatFunction(b, inner);
    if (!value) {
      function.erase();
      return nullptr;
    }
    func::ReturnOp::create(b, value);
    inner->erase();
    function.setPrivate();
    function->setAttr("llvm.readnone", b.getUnitAttr());
    function->setAttr("passthrough",
                      b.getArrayAttr({b.getStringAttr("noinline"),
                                      b.getStringAttr("nounwind"),
                                      b.getStringAttr("willreturn")}));
    function->setAttr(
        "llvm.linkage",
        LLVM::LinkageAttr::get(context, LLVM::linkage::Linkage::Internal));
    table.insert(function);
    return function;
  }

  /// Replaces the op's results; false if it stays.
  static bool expand(Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Type type = op->getResult(0).getType();
    auto replace = [&](Value value) {
      op->getResult(0).replaceAllUsesWith(value);
      return true;
    };
    if (auto power = dyn_cast<math::FPowIOp>(op))
      return replace(emitPowerOfInteger(b, power));
    Type element = getElementTypeOrSelf(type);
    if (Value value = emitFloatFunction(b, op))
      return replace(value);
    if (isSmall(type)) {
      if (auto fma = dyn_cast<math::FmaOp>(op))
        return replace(emitFma(b, fma));
      if (!isa<math::RsqrtOp>(op))
        return false;
      computeIn(b, op, b.getF32Type());
      return true;
    }
    if (isa<math::Log10Op>(op) && element.isF32()) {
      computeIn(b, op, b.getF64Type());
      return true;
    }
    if (auto cbrt = dyn_cast<math::CbrtOp>(op); cbrt && element.isF64())
      return replace(emitCbrt(b, cbrt));
    return false;
  }

  LogicalResult callLibm() {
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !isa<math::ExpM1Op, math::Log1pOp>(op) ||
             isa<TensorType>(op->getResult(0).getType());
    });
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};
} // namespace
