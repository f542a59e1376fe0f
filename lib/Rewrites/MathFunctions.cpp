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

using Arguments = ArrayRef<RuleValue>;
using Results = SmallVectorImpl<RuleValue>;

/// The number that a class is everywhere, or null.
static Attribute getNumber(TermGraph &graph, const RuleValue &value) {
  Attribute constant = graph.getConstant(value.id);
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
static FloatAttr getReciprocal(TermGraph &graph, const RuleValue &value) {
  auto number = dyn_cast_or_null<FloatAttr>(getNumber(graph, value));
  if (!number)
    return FloatAttr();
  APFloat inverse(number.getValue().getSemantics());
  return number.getValue().getExactInverse(&inverse)
             ? FloatAttr::get(number.getType(), inverse)
             : FloatAttr();
}

void mlir::tensoraccess::addMathFunctions(NativeFunctions &functions) {
  auto &constraints = functions.constraints;
  constraints["IsNumber"] = [](TermGraph &graph, Arguments arguments,
                               Results &) {
    Attribute number = getNumber(graph, arguments[0]);
    auto typed = dyn_cast_or_null<TypedAttr>(number);
    return typed && convert(arguments[1].attribute, typed.getType()) == typed;
  };
  constraints["HasExactReciprocal"] = [](TermGraph &graph, Arguments arguments,
                                         Results &) {
    return bool(getReciprocal(graph, arguments[0]));
  };
  constraints["HasFlags"] = [](TermGraph &, Arguments arguments, Results &) {
    auto flags =
        dyn_cast_or_null<arith::FastMathFlagsAttr>(arguments[0].attribute);
    auto names = dyn_cast_or_null<StringAttr>(arguments[1].attribute);
    auto wanted =
        names ? arith::symbolizeFastMathFlags(names.getValue()) : std::nullopt;
    return flags && wanted && (flags.getValue() & *wanted) == *wanted;
  };
  auto &rewrites = functions.rewrites;
  rewrites["Reciprocal"] = [](TermGraph &graph, Arguments arguments,
                              Results &results, std::string &problem) {
    FloatAttr inverse = getReciprocal(graph, arguments[0]);
    std::optional<ClassId> id =
        addNumber(graph, inverse, graph.getType(arguments[0].id), problem);
    if (id)
      results.push_back(RuleValue::value(*id));
    return id.has_value();
  };
  rewrites["Number"] = [](TermGraph &graph, Arguments arguments,
                          Results &results, std::string &problem) {
    TypedAttr number = convert(arguments[0].attribute,
                               getElementTypeOrSelf(arguments[1].type));
    std::optional<ClassId> id =
        number ? addNumber(graph, number, arguments[1].type, problem)
               : std::nullopt;
    if (id)
      results.push_back(RuleValue::value(*id));
    return id.has_value();
  };

  using Kind = RuleValue::Kind;
  functions.declare("IsNumber", {Kind::Value, Kind::Attribute});
  functions.declare("HasExactReciprocal", {Kind::Value});
  functions.declare("HasFlags", {Kind::Attribute, Kind::Attribute});
  functions.declare("Reciprocal", {Kind::Value}, {Kind::Value});
  functions.declare("Number", {Kind::Attribute, Kind::Type}, {Kind::Value});
}
