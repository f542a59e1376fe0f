//===- ScalarFacts.h - Scalar functions of known values ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of how scalar functions map facts: the functions of
// StableHLO by name, and those of arith and math by the name that StableHLO has
// for them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_SCALARFACTS_H
#define TENSORACCESS_LIB_ANALYSIS_SCALARFACTS_H

#include "TensorAccess/Analysis/ValueFacts.h"

namespace mlir::tensoraccess {

/// Whether elements may be infinite or NaN.
inline bool isFloating(Type type) { return isa<FloatType, ComplexType>(type); }

/// Facts of one value, at most; others are given up.
inline constexpr size_t kMaxFacts = 24;

/// Whether an op of TOSA leaves out what is NaN.
bool ignoresNaN(Operation *op);

/// StableHLO's name for an op's scalar function: `add` for arith.addf, tosa.add
/// and stablehlo.add. Empty for other ops.
StringRef getScalarFunction(Operation *op);

/// Whether an op sums products of its first two operands, and nothing else: zero
/// points, where there are some, are known to be 0.
bool isPlainContraction(const FlatStep &step, const ValueFacts &facts);

/// The scalar function by which a reduction combines; empty for other ops.
StringRef getCombiner(Operation *op);

/// The combiner whose result is one of what it combines.
inline constexpr StringLiteral kAnyOf = "any of";

/// The scalar function by which a scatter combines, kAnyOf if updates take the
/// place of what was there; empty for other ops.
StringRef getScatterCombiner(Operation *op);

/// What the arguments of a function are on one region: facts, null where nothing
/// is known, and for those that are indices forms over the region's variables.
struct ScalarCall {
  StringRef function;
  SmallVector<const ValueFact *, 3> arguments;
  SmallVector<Form, 3> forms;
  /// The element types of the arguments and of the result.
  SmallVector<Type, 3> types;
  Type type;
  bool assumeFinite = false;
  /// Set if a fact was found that needs it.
  bool *usesFinite = nullptr;
};

/// What the result is on the domain of `region`, whose arena the forms belong to;
/// std::nullopt if that is not known. Arguments that are unknown are
/// neither infinite nor NaN where `assumeFinite` holds.
std::optional<ValueFact> evaluate(const ScalarCall &call,
                                  const IndexingMap &region);

/// A fact that is a number, whatever its region: an index where it is an integer
/// of at most 53 bits.
ValueFact makeNumber(double number, const IndexingMap &region);
ValueFact makeConstant(const IndexingMap &region);

/// How a comparison compares, not as a total order; signed integers as numbers.
enum class CompareDirection : uint8_t { EQ, NE, LT, LE, GT, GE };
std::optional<CompareDirection> getCompareDirection(Operation *op);
/// Where it does not hold; with its operands exchanged.
CompareDirection negate(CompareDirection direction);
CompareDirection swap(CompareDirection direction);

/// Integers that doubles hold.
inline constexpr double kMaxInteger = 9007199254740992.0;

/// The bounds of a fact about integers; std::nullopt if it has none.
std::optional<Interval> getIntegers(const ValueFact &fact);

/// The largest finite number of a floating-point type, at most 4e30.
double getLargest(Type type);

/// Below it, an exponential is rounded to zero.
std::optional<double> getUnderflow(Type type);

/// Whether a fact is an infinity or NaN.
bool isInfinity(const ValueFact &fact);

/// Where the elements depend on no argument.
SmallVector<IndexingMap> getFixedRegions(ArrayRef<ValueFact> list);

/// A domain that contains that of the map, whatever is known at run time: `?`
/// dims have no end; unknown if no such domain is found.
IndexingMap forgetRuntime(const IndexingMap &map);

/// The type of a value's elements.
Type getElement(Type type);

/// The sizes of a tensor or of what has indices; some may be
/// ShapedType::kDynamic.
std::optional<SmallVector<int64_t>> getAnyShape(Type type);

/// Where the elements are zero.
SmallVector<IndexingMap> getZeroRegions(ArrayRef<ValueFact> list);

/// Whether `isIt` holds for an op in the regions of `op`, or in the functions
/// that it and they call.
bool hasInside(Operation *op, IndexingCache &cache,
               function_ref<bool(Operation *)> isIt);

/// The facts of a constant.
FactList getConstantFacts(Attribute value, Type type);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_SCALARFACTS_H
