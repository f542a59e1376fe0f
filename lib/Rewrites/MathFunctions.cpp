//===- MathFunctions.cpp - What the rules of math ask ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Side conditions and makers of Math.pdll: of numbers, as scalars or splats.
//
//===----------------------------------------------------------------------===//

#include "NativeSets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The number that a class is everywhere, or null.
static Attribute getNumber(TermGraph &graph, ClassId value) {
  Attribute constant = graph.getConstant(value);
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(constant))
    return splat.getSplatValue<Attribute>();
  return constant;
}

/// A number, which a rule writes as f64 or i64, of another element type; null
/// where that does not hold it.
static TypedAttr convert(Attribute number, Type element) {
  if (auto type = dyn_cast<FloatType>(element)) {
    auto value = dyn_cast<FloatAttr>(number);
    if (!value)
      return TypedAttr();
    APFloat converted = value.getValue();
    bool losesInfo = false;
    converted.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                      &losesInfo);
    // A format without negative zeros has no -0.
    if (losesInfo || converted.isNegative() != value.getValue().isNegative())
      return TypedAttr();
    return FloatAttr::get(type, converted);
  }
  auto value = dyn_cast<IntegerAttr>(number);
  return value && element.isSignlessInteger()
             ? IntegerAttr::get(element, value.getInt())
             : TypedAttr();
}

static std::optional<ClassId> addNumber(TermGraph &graph, TypedAttr number,
                                        Type type, std::string &problem) {
  TypedAttr value = number;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!shaped.hasStaticShape())
      return std::nullopt;
    value = DenseElementsAttr::get(shaped, ArrayRef<Attribute>(number));
  }
  return graph.addConstant(
      value, type, graph.getContext()->getLoadedDialect<arith::ArithDialect>(),
      &problem);
}

/// 1 / c, if it and c are normal and c is a power of two; else null.
static FloatAttr getReciprocal(TermGraph &graph, ClassId value) {
  auto number = dyn_cast_or_null<FloatAttr>(getNumber(graph, value));
  if (!number)
    return FloatAttr();
  APFloat inverse(number.getValue().getSemantics());
  return number.getValue().getExactInverse(&inverse)
             ? FloatAttr::get(number.getType(), inverse)
             : FloatAttr();
}

void mlir::tensoraccess::addMathFunctions(NativeFunctions &functions) {
  addConstraint(
      functions, "IsNumber",
      +[](TermGraph &graph, ClassId value, Attribute wanted) {
        auto typed = dyn_cast_or_null<TypedAttr>(getNumber(graph, value));
        return typed && convert(wanted, typed.getType()) == typed;
      });
  addConstraint(
      functions, "HasExactReciprocal", +[](TermGraph &graph, ClassId value) {
        return bool(getReciprocal(graph, value));
      });
  addConstraint(
      functions, "HasFlags",
      +[](TermGraph &, Attribute value, Attribute wantedNames) {
        auto flags = dyn_cast_or_null<arith::FastMathFlagsAttr>(value);
        auto names = dyn_cast_or_null<StringAttr>(wantedNames);
        auto wanted = names ? arith::symbolizeFastMathFlags(names.getValue())
                            : std::nullopt;
        return flags && wanted && (flags.getValue() & *wanted) == *wanted;
      });
  addRewrite(
      functions, "Reciprocal",
      +[](TermGraph &graph, std::string &problem, ClassId value) {
        return addNumber(graph, getReciprocal(graph, value),
                         graph.getType(value), problem);
      });
  addRewrite(
      functions, "Number",
      +[](TermGraph &graph, std::string &problem, Attribute value, Type type) {
        TypedAttr number = convert(value, getElementTypeOrSelf(type));
        return number ? addNumber(graph, number, type, problem) : std::nullopt;
      });
}
