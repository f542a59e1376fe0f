//===- AccessFunctions.cpp - What the rules of relayouts and computes ask -===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Side conditions and makers of Relayout.pdll and Compute.pdll.
//
//===----------------------------------------------------------------------===//

#include "NativeSets.h"

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Arguments = ArrayRef<RuleValue>;
using Results = SmallVectorImpl<RuleValue>;

/// The permutation of a relayout of a tensor of type `from` that changes
/// neither shape, beyond that, nor element type; none of any other, and where a
/// size is not known.
static std::optional<SmallVector<int64_t>>
getOrder(TermGraph &graph, const RuleValue &relayout, Type from) {
  const SymbolId symbol = relayout.symbol;
  if (!graph.isOperation(symbol) ||
      graph.getName(symbol).getStringRef() != RelayoutOp::getOperationName())
    return std::nullopt;
  auto source = dyn_cast_or_null<RankedTensorType>(from);
  auto to = dyn_cast<RankedTensorType>(graph.getResultTypes(symbol).front());
  if (!source || !to || !source.hasStaticShape() || !to.hasStaticShape() ||
      source.getElementType() != to.getElementType())
    return std::nullopt;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
  if (auto permutation =
          graph.getAttributes(symbol).getAs<DenseI64ArrayAttr>("permutation"))
    order.assign(permutation.asArrayRef().begin(),
                 permutation.asArrayRef().end());
  if (to.getRank() != source.getRank() ||
      applyPermutation(source.getShape(), order) !=
          SmallVector<int64_t>(to.getShape()))
    return std::nullopt;
  return order;
}

/// The type of a matched operation's result.
static Type getResultType(TermGraph &graph, const RuleValue &operation) {
  return graph.getType(operation.id);
}

/// An op of one result, element by element, without regions.
static bool isElementwise(TermGraph &graph, SymbolId symbol) {
  if (!graph.isOperation(symbol) || graph.hasRegions(symbol) ||
      graph.getResultTypes(symbol).size() != 1)
    return false;
  OperationName name = graph.getName(symbol);
  return name.hasTrait<OpTrait::Elementwise>() &&
         name.hasTrait<OpTrait::Tensorizable>() &&
         name.hasTrait<OpTrait::AlwaysSpeculatableImplTrait>();
}

/// The op of a node, on other operands.
static bool makeLike(TermGraph &graph, const RuleValue &operation,
                     ArrayRef<ClassId> operands, Type type, Results &results,
                     std::string &problem) {
  std::optional<ClassId> id = graph.add(
      graph.getName(operation.symbol), graph.getAttributes(operation.symbol),
      SmallVector<ClassId, 2>(operands), ArrayRef<Type>(type), &problem);
  if (id)
    results.push_back(RuleValue::value(*id));
  return id.has_value();
}

/// A kind that a rule names.
static std::optional<ComputeKind> getKind(const RuleValue &name) {
  auto text = dyn_cast_or_null<StringAttr>(name.attribute);
  return text ? symbolizeComputeKind(text.getValue()) : std::nullopt;
}

void mlir::tensoraccess::addAccessFunctions(NativeFunctions &functions) {
  auto &constraints = functions.constraints;
  constraints["IsPlain"] = [](TermGraph &graph, Arguments arguments,
                              Results &) {
    auto order = getOrder(graph, arguments[0], graph.getType(arguments[1].id));
    return order && isIdentityPermutation(*order);
  };
  constraints["Permute"] = [](TermGraph &graph, Arguments arguments,
                              Results &) {
    auto inner = getOrder(graph, arguments[0], graph.getType(arguments[1].id)),
         outer =
             getOrder(graph, arguments[2], getResultType(graph, arguments[0]));
    return inner && outer &&
           !(isIdentityPermutation(*inner) && isIdentityPermutation(*outer));
  };
  constraints["IsElementwise"] = [](TermGraph &graph, Arguments arguments,
                                    Results &) {
    return isElementwise(graph, arguments[0].symbol);
  };
  constraints["HasType"] = [](TermGraph &graph, Arguments arguments,
                              Results &) {
    return graph.getType(arguments[0].id) == arguments[1].type;
  };
  constraints["IsCompute"] = [](TermGraph &graph, Arguments arguments,
                                Results &) {
    DictionaryAttr attributes = graph.getAttributes(arguments[0].symbol);
    auto kind = attributes.getAs<ComputeKindAttr>("kind");
    return kind && kind.getValue() == getKind(arguments[1]) &&
           !attributes.get("accumulator");
  };
  constraints["SumsInOwnType"] = [](TermGraph &graph, Arguments arguments,
                                    Results &) {
    auto type = dyn_cast_or_null<AccessType>(graph.getType(arguments[0].id));
    return type && getSumType(type.getElementType()) == type.getElementType();
  };

  auto &rewrites = functions.rewrites;
  rewrites["ComposeMoves"] = [](TermGraph &graph, Arguments arguments,
                                Results &results, std::string &) {
    auto inner = getOrder(graph, arguments[0], graph.getType(arguments[1].id)),
         outer =
             getOrder(graph, arguments[2], getResultType(graph, arguments[0]));
    SmallVector<int64_t> both;
    for (int64_t dim : *outer)
      both.push_back((*inner)[dim]);
    results.push_back(
        Attribute(DenseI64ArrayAttr::get(graph.getContext(), both)));
    return true;
  };
  rewrites["SameOf1"] = [](TermGraph &graph, Arguments arguments,
                           Results &results, std::string &problem) {
    return makeLike(graph, arguments[0], {arguments[1].id}, arguments[2].type,
                    results, problem);
  };
  rewrites["SameOf2"] = [](TermGraph &graph, Arguments arguments,
                           Results &results, std::string &problem) {
    return makeLike(graph, arguments[0], {arguments[1].id, arguments[2].id},
                    arguments[3].type, results, problem);
  };
  rewrites["Compute"] = [](TermGraph &graph, Arguments arguments,
                           Results &results, std::string &problem) {
    MLIRContext *context = graph.getContext();
    std::optional<ComputeKind> kind = getKind(arguments[0]);
    if (!kind)
      return false;
    Builder b(context);
    std::optional<ClassId> id =
        graph.add(OperationName(ComputeOp::getOperationName(), context),
                  b.getDictionaryAttr(b.getNamedAttr(
                      "kind", ComputeKindAttr::get(context, *kind))),
                  {arguments[1].id}, std::nullopt, &problem);
    if (id)
      results.push_back(RuleValue::value(*id));
    return id.has_value();
  };

  using Kind = RuleValue::Kind;
  functions.declare("IsPlain", {Kind::Operation, Kind::Value});
  functions.declare("Permute", {Kind::Operation, Kind::Value, Kind::Operation});
  functions.declare("IsElementwise", {Kind::Operation});
  functions.declare("HasType", {Kind::Value, Kind::Type});
  functions.declare("IsCompute", {Kind::Operation, Kind::Attribute});
  functions.declare("SumsInOwnType", {Kind::Value});
  functions.declare("ComposeMoves",
                    {Kind::Operation, Kind::Value, Kind::Operation},
                    {Kind::Attribute});
  functions.declare("SameOf1", {Kind::Operation, Kind::Value, Kind::Type},
                    {Kind::Value});
  functions.declare("SameOf2",
                    {Kind::Operation, Kind::Value, Kind::Value, Kind::Type},
                    {Kind::Value});
  functions.declare("Compute", {Kind::Attribute, Kind::Value}, {Kind::Value});
}
