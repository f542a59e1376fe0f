//===- ComputeRulesImpl.h - Rules on the forms of items ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of RuleSets.h as functions of a match. Those on products of
// matrices are in ProductRules.cpp and ProductSides.cpp, those on movement in
// MoveRules.cpp, those on sums, greatest elements and means in
// ReductionRules.cpp, the others in ComputeRules.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_REWRITES_COMPUTERULESIMPL_H
#define TENSORACCESS_LIB_REWRITES_COMPUTERULESIMPL_H

#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Rewrites/RuleSets.h"

#include <array>

namespace mlir::tensoraccess {

/// The attributes of a compute.
struct ComputeTerm {
  ComputeKind kind;
  TypeAttr accumulator;

  bool operator==(const ComputeTerm &o) const {
    return kind == o.kind && accumulator == o.accumulator;
  }
};

class TupleProduct;
/// Elements in, one out; the rest go element by element.
inline bool isReduction(ComputeKind kind) {
  return kind == ComputeKind::DotProd || kind == ComputeKind::ReduceSum ||
         kind == ComputeKind::ReduceMax || kind == ComputeKind::ReduceMean;
}

/// What the rules do to matches.
class ComputeRules {
public:
  ComputeRules(TermGraph &graph, MovementTheory &theory,
               const ComputeRuleOptions &options)
      : graph(graph), theory(theory), options(options) {}

  // What rules do to a match. False if the graph is full.
  bool moveIntoCompute(const Match &match);
  bool moveIntoOthers(const Match &match);
  bool mergeReductions(const Match &match);
  bool accumulateTerm(const Match &match);
  bool flattenItem(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool makeMatmul(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool copySides(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool splitSum(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool cutSum(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool dropNeutral(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool readMean(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool swapFactors(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool readSet(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool takeElement(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool makeArray(ClassId root, const ComputeTerm &term, ClassId pattern);
  bool readArray(const Match &match);

  /// Of a symbol of `compute`.
  std::optional<ComputeTerm> getTerm(SymbolId symbol) const;
  bool isView(SymbolId symbol) const { return theory.isView(symbol); }

private:
  MLIRContext *getContext() const { return graph.getContext(); }
  OperationName getName(StringRef op) const {
    return {("tensoraccess." + op).str(), getContext()};
  }
  AccessType getType(ArrayRef<int64_t> shape, int64_t split,
                     Type element) const {
    return AccessType::get(shape.take_front(split), shape.drop_front(split),
                           element);
  }
  Type getElement(ClassId id) const {
    return cast<AccessType>(graph.getType(id)).getElementType();
  }
  /// The class of a view of access patterns.
  std::optional<ClassId> addView(const AccessForm &form, Type element) {
    return theory.add(form,
                      getType(form.access.getShape(), form.split, element));
  }
  std::optional<ClassId> addCompute(const ComputeTerm &term, ClassId pattern);
  /// The two factors of a product of matrices, as classes.
  using Sides = std::array<ClassId, 2>;
  std::optional<SmallVector<ClassId, 2>> findOp(ClassId id,
                                                OperationName name) const;
  std::optional<ClassId> addFlat(ClassId id, int64_t points);
  std::optional<Sides> addSides(const TupleProduct &product, ClassId id);
  std::optional<ClassId> addProduct(const Sides &sides);
  std::optional<ClassId> addReshape(ClassId id, AccessType type);
  std::optional<ClassId> addSideByOps(const TupleProduct &product, ClassId id,
                                      unsigned side,
                                      ArrayRef<ArrayRef<unsigned>> groups);
  std::optional<ClassId> addProductByOps(const Sides &sides);
  bool mergeReshaped(ClassId root, ClassId flat);
  /// All of a class, to be moved about.
  AccessForm getIdentity(ClassId id);
  bool merge(ClassId a, ClassId b);
  /// Says that a class is a compute of the view that `form` with `access` is.
  bool mergeCompute(ClassId root, const ComputeTerm &term,
                    const AccessForm &form,
                    std::optional<CanonicalAccess> access, int64_t split,
                    Type element);
  /// Whether sums over a pattern are rounded from a wider type when they are
  /// finished. Sums of parts would be rounded, too, which is not a change of
  /// order.
  bool isRounded(ClassId pattern) const {
    return getSumType(getElement(pattern)) != getElement(pattern);
  }
  /// Whether sums of this kind may be taken in another order, and in parts.
  bool mayReorder(ComputeKind kind, ClassId pattern) const {
    return kind == ComputeKind::ReduceMax ||
           isa<IntegerType>(getElement(pattern)) ||
           (options.reordersSums && !isRounded(pattern));
  }
  /// Whether a result may be put together of those of parts of the items.
  bool hasParts(const ComputeTerm &term, ClassId pattern) const {
    return isReduction(term.kind) && term.kind != ComputeKind::ReduceMean &&
           !term.accumulator && mayReorder(term.kind, pattern) &&
           (options.isComplete || term.kind == ComputeKind::DotProd);
  }
  /// The class, at another split.
  std::optional<ClassId> splitAt(ClassId id, int64_t split);
  /// The class of an op of this dialect, whose type is inferred if not given.
  std::optional<ClassId> addOp(StringRef op,
                               ArrayRef<NamedAttribute> attributes,
                               ArrayRef<ClassId> operands, Type type = {}) {
    return graph.add(getName(op), DictionaryAttr::get(getContext(), attributes),
                     operands,
                     type ? std::optional(ArrayRef(type)) : std::nullopt);
  }
  /// The pattern <shape |> of a constant; std::nullopt without the dialect
  /// arith.
  std::optional<ClassId> addConstant(ArrayRef<int64_t> shape, TypedAttr value);
  bool moveIntoSoftmax(const Match &match, const AccessForm &view,
                       ArrayRef<AccessForm *> patterns);
  /// Whether a compute is of itself, moved: the greatest of one element is that
  /// element. Its views would be computes of views of it, and so on.
  bool isOfItself(ClassId compute, const AccessForm &pattern) const {
    return llvm::any_of(pattern.bases, [&](Value base) {
      return theory.getClass(base) == graph.getTable().find(compute);
    });
  }
  /// Whether a compute is a sum of one element that is a sum: a view of it.
  bool isSumOfSum(const ComputeTerm &term, const AccessForm &pattern) const {
    return term.kind == ComputeKind::ReduceSum &&
           elementCount(pattern.access.getShape().drop_front(pattern.split)) ==
               1 &&
           llvm::all_of(pattern.bases, [&](Value base) {
             return sums.contains(theory.getClass(base));
           });
  }
  /// What a match of computes below a view reads, one form a compute, which are
  /// of one kind. std::nullopt if one of them is not known.
  std::optional<std::deque<AccessForm>>
  getPatterns(const Match &match, unsigned count, const ComputeTerm &term);
  /// What a rule answers where it made nothing.
  bool nothing() const { return !graph.isFull(); }

  TermGraph &graph;
  MovementTheory &theory;
  ComputeRuleOptions options;
  /// Of patterns of products that were made, by the names they had.
  llvm::DenseMap<ClassId, Sides> sidesOf;
  /// Of computes that are a product of matrices, reshaped: that product.
  llvm::DenseMap<ClassId, ClassId> flatOf;
  /// Views of a compute that move-into-compute does not handle.
  llvm::DenseSet<std::pair<SymbolId, ClassId>> isKnown;
  /// Classes that are known to be sums, by names that they had.
  llvm::DenseSet<ClassId> sums;
};

/// The map from (x ++ c) to (map(x) ++ c), for c in the sizes of an item.
IndexingMap overItems(const IndexingMap &map, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> item);

/// Static sizes, and some element.
inline bool hasElements(const CanonicalAccess &access) {
  return !access.isEmpty() && llvm::none_of(access.getShape(), isUnknownExtent);
}

/// One table of bases and constants for all forms, which are numbered by it.
AccessForm joinTables(ArrayRef<AccessForm *> forms);

/// Most computes that a rule puts together.
constexpr unsigned kMaxJoined = 4;

/// Views of so many classes.
std::shared_ptr<SymbolSet> makeViews(TermGraph &graph,
                                     const std::shared_ptr<ComputeRules> &rules,
                                     unsigned arity);

/// Adds view(f P, g Q, ...), for `count` computes of a set, to a pattern: the
/// variables P, Q, ..., the computes, then the view, which is returned.
unsigned addMovedComputes(tensoraccess::Pattern &pattern, TermGraph &graph,
                          const std::shared_ptr<ComputeRules> &rules,
                          const std::shared_ptr<SymbolSet> &computes,
                          unsigned count);

/// The name of a rule on so many computes: `one`, or `more-count`.
inline std::string nameByCount(StringRef one, StringRef more, unsigned count) {
  return count == 1 ? one.str() : more.str() + "-" + std::to_string(count);
}

/// A rule that is not applied twice to a match.
TableRule makeComputeRule(std::string name,
                          const tensoraccess::Pattern &pattern,
                          ApplyFunction apply);

/// Rules of ReductionRules.cpp, on what `rules` knows of the graph.
void addReductionRules(TermGraph &graph,
                       const std::shared_ptr<ComputeRules> &rules,
                       std::vector<TableRule> &result);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_REWRITES_COMPUTERULESIMPL_H
