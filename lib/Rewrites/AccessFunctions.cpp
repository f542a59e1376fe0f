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

/// The permutation of a relayout of a tensor of type `from` that changes
/// neither shape, beyond that, nor element type; std::nullopt for any other,
/// and where a size is not known.
static std::optional<SmallVector<int64_t>>
getOrder(TermGraph &graph, SymbolId symbol, Type from) {
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
static std::optional<ClassId> makeLike(TermGraph &graph, SymbolId operation,
                                       ArrayRef<ClassId> operands, Type type,
                                       std::string &problem) {
  return graph.add(graph.getName(operation), graph.getAttributes(operation),
                   operands, ArrayRef<Type>(type), &problem);
}

/// A kind that a rule names.
static std::optional<ComputeKind> getKind(Attribute name) {
  auto text = dyn_cast_or_null<StringAttr>(name);
  return text ? symbolizeComputeKind(text.getValue()) : std::nullopt;
}

/// The permutations of two relayouts, the inner one of `from`.
static std::pair<std::optional<SmallVector<int64_t>>,
                 std::optional<SmallVector<int64_t>>>
getOrders(TermGraph &graph, RuleValue inner, ClassId from, RuleValue outer) {
  return {getOrder(graph, inner.symbol, graph.getType(from)),
          getOrder(graph, outer.symbol, graph.getType(inner.id))};
}

void mlir::tensoraccess::addAccessFunctions(NativeFunctions &functions) {
  addConstraint(
      functions, "IsPlain",
      +[](TermGraph &graph, RuleValue relayout, ClassId from) {
        auto order = getOrder(graph, relayout.symbol, graph.getType(from));
        return order && isIdentityPermutation(*order);
      });
  addConstraint(
      functions, "Permute",
      +[](TermGraph &graph, RuleValue first, ClassId from, RuleValue second) {
        auto [inner, outer] = getOrders(graph, first, from, second);
        return inner && outer &&
               !(isIdentityPermutation(*inner) &&
                 isIdentityPermutation(*outer));
      });
  addConstraint(
      functions, "IsElementwise", +[](TermGraph &graph, RuleValue operation) {
        return isElementwise(graph, operation.symbol);
      });
  addConstraint(
      functions, "HasType", +[](TermGraph &graph, ClassId value, Type type) {
        return graph.getType(value) == type;
      });
  addConstraint(
      functions, "IsCompute",
      +[](TermGraph &graph, RuleValue operation, Attribute name) {
        DictionaryAttr attributes = graph.getAttributes(operation.symbol);
        auto kind = attributes.getAs<ComputeKindAttr>("kind");
        return kind && kind.getValue() == getKind(name) &&
               !attributes.get("accumulator");
      });
  addConstraint(
      functions, "HasExactProducts", +[](TermGraph &graph, ClassId value) {
        auto type = dyn_cast_or_null<AccessType>(graph.getType(value));
        return type && !isa<FloatType>(type.getElementType());
      });

  addRewrite(
      functions, "ComposeMoves",
      +[](TermGraph &graph, std::string &, RuleValue first, ClassId from,
          RuleValue second) -> Attribute {
        auto [inner, outer] = getOrders(graph, first, from, second);
        return DenseI64ArrayAttr::get(graph.getContext(),
                                      applyPermutation(*inner, *outer));
      });
  addRewrite(
      functions, "SameOf1",
      +[](TermGraph &graph, std::string &problem, RuleValue operation,
          ClassId operand, Type type) {
        return makeLike(graph, operation.symbol, operand, type, problem);
      });
  addRewrite(
      functions, "SameOf2",
      +[](TermGraph &graph, std::string &problem, RuleValue operation,
          ClassId lhs, ClassId rhs, Type type) {
        return makeLike(graph, operation.symbol, {lhs, rhs}, type, problem);
      });
  addRewrite(
      functions, "Compute",
      +[](TermGraph &graph, std::string &problem, Attribute name,
          ClassId pattern) -> std::optional<ClassId> {
        std::optional<ComputeKind> kind = getKind(name);
        if (!kind)
          return std::nullopt;
        Builder b(graph.getContext());
        return graph.add(
            OperationName(ComputeOp::getOperationName(), b.getContext()),
            b.getDictionaryAttr(b.getNamedAttr(
                "kind", ComputeKindAttr::get(b.getContext(), *kind))),
            pattern, std::nullopt, &problem);
      });
}
