//===- StablehloToLinalg.h - StableHLO by name, to linalg -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the families of the conversion share. A *converter* of one op writes
// linalg, tensor, arith, math and scf ops before the op and gives the values of
// its results; it gives none, with the reason in `why`, where it cannot. What
// it wrote up to there is erased by the driver.
//
// Unsigned integers (ui32) become signless ones of the same width: converters
// read operands and write results of signless types only, and ask the op's own
// types for the sign.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_STABLEHLOTOLINALG_H
#define TENSORACCESS_LIB_CONVERSION_STABLEHLOTOLINALG_H

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tensoraccess {

/// The type with signless integers in place of unsigned ones.
Type getSignless(Type type);

/// Whether sizes are known, if there are any.
bool isStatic(TypeRange types);
/// Whether operands, or a call's, are sizes.
bool takesSizes(Operation *op);

/// Gives the results of an op that is not of StableHLO the sizes that follow
/// from its operands' (RefineTypes.cpp). The op, or null where it is gone.
FailureOr<Operation *> refineResultTypes(OpBuilder &b, Operation *op);
/// The same of StableHLO's; what does not follow stays dynamic. An error where
/// sizes are not those of the types.
LogicalResult refineHloResults(Operation *op);

/// One op under conversion.
struct HloConversion {
  HloConversion(Operation *op, std::string &why)
      : op(op), why(why), b(op->getLoc(), op) {}

  /// Operand i with a signless element type.
  Value operand(unsigned i) { return signless(op->getOperand(i)); }
  Value signless(Value value);
  SmallVector<Value> operands();
  /// The signless type of result i.
  RankedTensorType resultType(unsigned i = 0) const {
    return cast<RankedTensorType>(getSignless(op->getResult(i).getType()));
  }
  /// The element of a tensor of rank 0.
  Value scalar(Value tensor);
  /// A tensor of undefined elements, or all equal to a scalar. `like` gives the
  /// sizes that the type leaves dynamic.
  Value empty(RankedTensorType type, Value like = {});
  Value filled(RankedTensorType type, Value element);
  /// The number 0 of an element type.
  Value zero(Type type);

  SmallVector<Value> fail(const Twine &reason) {
    if (why.empty())
      why = reason.str();
    return {};
  }

  Operation *op;
  std::string &why;
  ImplicitLocOpBuilder b;
};

/// One value per result; none where the op has results and cannot be converted.
using HloConverter = SmallVector<Value> (*)(HloConversion &c);
using HloConverters = llvm::StringMap<HloConverter>;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// The result of an elementwise op on scalars of signless types in place of its
/// operands; null, with the reason, where that cannot be written.
Value emitHloScalar(ImplicitLocOpBuilder &b, Operation *op, ValueRange args,
                    std::string &why);
/// A scalar in another element type, as `convert` defines it: float to integer
/// truncates and saturates (NaN gives 0), anything to i1 asks whether it is not
/// 0. The types may be unsigned; the values are signless.
Value emitHloConvert(ImplicitLocOpBuilder &b, Value value, Type from, Type to);
/// Whether x > y; floats in the order of their bits: -NaN, -inf, ..., inf, NaN.
Value emitHloGreater(ImplicitLocOpBuilder &b, Value x, Value y,
                     bool isUnsigned);
/// 1 / (1 + exp(-x)) of a float, of small ones in f32: a power of numbers below
/// 0 only, so that none overflows and small results keep their digits.
Value emitLogistic(ImplicitLocOpBuilder &b, Value x);
/// Special functions of a float, computed in f64 and rounded.
Value emitErfInv(ImplicitLocOpBuilder &b, Value x);
Value emitLgamma(ImplicitLocOpBuilder &b, Value x);
Value emitDigamma(ImplicitLocOpBuilder &b, Value x);
Value emitBesselI1e(ImplicitLocOpBuilder &b, Value x);
Value emitZeta(ImplicitLocOpBuilder &b, Value x, Value q);
Value emitPolygamma(ImplicitLocOpBuilder &b, Value n, Value x);
/// The float that follows x on the way to y.
Value emitNextAfter(ImplicitLocOpBuilder &b, Value x, Value y);
/// Writes a body on scalars; false, with the reason, where that is impossible.
bool inlineHloBody(ImplicitLocOpBuilder &b, Block &body, ValueRange args,
                   SmallVectorImpl<Value> &results, std::string &why);
/// What a point of loops yields, added to a list; false, where that cannot be
/// written.
using HloLoopBody = function_ref<bool(ImplicitLocOpBuilder &, ValueRange,
                                      SmallVectorImpl<Value> &)>;

/// The op's nest as a linalg.generic, a result for each of `types`, which are
/// element types. Inputs are as many of its first operands as there are
/// `backgrounds`, what is read outside of them; results start from `inits`, or
/// undefined without. The body takes the inputs' elements, then the results'.
SmallVector<Value> emitHloNest(HloConversion &c, ArrayRef<Value> backgrounds,
                               ArrayRef<Type> types, ArrayRef<Value> inits,
                               HloLoopBody body);

/// Each element of the result is the one of operand 0 that the op's nest reads
/// for it, or outside of it a scalar operand.
SmallVector<Value> convertHloMove(HloConversion &c);

/// Loops from 0 to `sizes`, the last one innermost, that carry values; only the
/// body where there are none.
SmallVector<Value>
makeHloLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> sizes,
             ValueRange values,
             function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange,
                                             ValueRange)>
                 body);
/// `then()` where a condition holds; the values as they are elsewhere.
SmallVector<Value>
makeHloIf(ImplicitLocOpBuilder &b, Value condition, ValueRange values,
          function_ref<SmallVector<Value>(ImplicitLocOpBuilder &)> then);

//===----------------------------------------------------------------------===//
// Shared by several families
//===----------------------------------------------------------------------===//

/// A tensor of static shape with a scalar around its elements and between them;
/// what negative padding cuts off is gone.
Value padHlo(HloConversion &c, Value tensor, Value element,
             ArrayRef<int64_t> low, ArrayRef<int64_t> high,
             ArrayRef<int64_t> interior);
/// A running reduction by a body on scalars. `otherwise` reduces every window
/// by itself, which is what counts where the initial values are not neutral.
SmallVector<Value>
convertHloScan(HloConversion &c, HloScan scan, Block &body,
               function_ref<SmallVector<Value>(HloConversion &)> otherwise);

/// The type that result i of a reduction by `body` is carried in: where the
/// body adds, that of sums (f32 for floats below f32), from which the finished
/// result is rounded.
Type getHloCarriedType(HloConversion &c, Block &body, unsigned i);
/// An initial value as a scalar of that type.
Value getHloCarriedInit(HloConversion &c, Value init, Type type);
/// body(before, elements), or body(elements, before) where `isReverse`;
/// `before` and the results are of the types that are carried.
bool combineHlo(ImplicitLocOpBuilder &b, Block &body, ValueRange before,
                ValueRange elements, bool isReverse,
                SmallVectorImpl<Value> &results, std::string &why);

// The converters, by family; each adds its names.
void addHloElementwise(HloConverters &converters);
void addHloMovement(HloConverters &converters);
void addHloReductions(HloConverters &converters);
void addHloSort(HloConverters &converters);
void addHloContractions(HloConverters &converters);
void addHloIndexed(HloConverters &converters);
void addHloControl(HloConverters &converters);
void addHloLapack(HloConverters &converters);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_STABLEHLOTOLINALG_H
