//===- RuleSets.h - Rules and the theory of movement ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REWRITES_RULESETS_H
#define TENSORACCESS_REWRITES_RULESETS_H

#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/Saturate.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/IR/AccessForm.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The rules that come with the project
//
// Named sets of rules. A set is a file `lib/Rewrites/<Name>.pdll`, compiled
// when the project is built, next to the native functions that it calls.
//===----------------------------------------------------------------------===//

struct RuleSet {
  StringLiteral name;
  /// What the set is for, as a phrase.
  StringLiteral summary;
  /// PDL in MLIR's text.
  StringLiteral text;
};

/// All sets, by name.
ArrayRef<RuleSet> getRuleSets();
/// The set of that name, or null.
const RuleSet *findRuleSet(StringRef name);

/// The native functions of all sets, which a user's rules may call, too.
const NativeFunctions &getNativeFunctions();

/// Makes a graph ready for the rules of all sets: named ops of linalg that a
/// rule describes get the region that their name implies.
void prepareGraph(TermGraph &graph);

/// Reads and compiles sets and files, in this order: a name without a dot and a
/// slash is that of a set, and anything with a line break or a brace is rule
/// text itself. Loads the dialects of the ops that the sets create. Reports
/// errors.
FailureOr<std::vector<PdlRule>> loadRules(MLIRContext *context,
                                          ArrayRef<std::string> names,
                                          const PdllOptions &pdll = {});

//===----------------------------------------------------------------------===//
// Views are equal if their maps are
//
// Brings terms that only move elements (Glenside, Table 2: `access`,
// `transpose`, `slice`, `windows`, `pad`, `reshape`, `cart_prod`, ...) into one
// normal form, a *view*: the canonical access form (IR/AccessForm.h) of what it
// reads, over the classes that it reads from. Two movement terms that mean the
// same are the same node, whatever ops they consist of, and no rule is needed
// for it:
//
//   transpose (slice x 0 2 3) [1, 0]  =  slice (transpose x [1, 0]) 1 2 3
//
// The terms themselves stay in the graph beside the view, so that rules can
// match and extraction can choose them. A view is turned back into ops by
// IR/AccessForm.h; views without such a plan stay in the graph, but are never
// created when a rule asks for a new one (`add`).
//
// Ops that may fail at run time are not views: dropping them drops the check.
//
// The theory is also an analysis of the table: it must be created before the
// graph has a node, and live as long as the graph.
//===----------------------------------------------------------------------===//

class MovementTheory : public TermTheory, public ClassAnalysis {
public:
  /// Registers itself with the graph and its table.
  explicit MovementTheory(TermGraph &graph, AccessBudget budget = {});
  ~MovementTheory() override;

  std::optional<TermNode> normalize(TermGraph &graph,
                                    const TermNode &node) override;
  bool keepsOriginal() const override { return true; }
  bool canBuild(SymbolId symbol) override {
    return countOps(symbol).has_value();
  }
  /// `view`, and its canonical form.
  std::string describe(SymbolId symbol, bool isFull) override {
    return isFull ? "view " + getView(symbol).access.str() : "view";
  }
  const void *getClassId() const override { return &classId; }
  /// That of the graph, or null.
  static MovementTheory *find(const TermGraph &graph);
  Value build(TermGraph &graph, OpBuilder &builder, Location loc,
              SymbolId symbol, ValueRange operands) override;

  void made(NodeTable &table, NodeId node) override;
  void merged(NodeTable &table, ClassId winner, ClassId loser) override;
  void updated(NodeTable &table, NodeId node, ClassId id) override;
  void modify(NodeTable &table, ClassId id) override;

  //===--- forms ----------------------------------------------------------===//

  /// What a class reads, in terms of bases, whose classes `getClass` returns. A
  /// class that is not a view is its own base. std::nullopt if its type has no
  /// form (AccessForms::hasForm).
  std::optional<AccessForm> getForm(ClassId id);
  ClassId getClass(Value base) const;
  /// The value that stands for a class in forms.
  Value getBase(ClassId id);

  /// The class of a view of the type; an identity is the base's class.
  /// std::nullopt if no ops can be created for it, or the graph is full.
  std::optional<ClassId> add(const AccessForm &form, Type type);
  /// The same if the view exists already; nothing is created.
  std::optional<ClassId> lookup(const AccessForm &form, Type type);
  /// The symbol of the view that the last added movement op is; std::nullopt if
  /// it was not a view.
  std::optional<SymbolId> getLastView() const { return lastView; }

  /// Whether an operation's symbol is a movement op's, if it has been seen.
  bool isMovement(SymbolId symbol) const {
    auto it = isMovementSymbol.find(symbol);
    return it != isMovementSymbol.end() && it->second;
  }
  /// Whether the symbol is that of a view.
  bool isView(SymbolId symbol) const;
  /// The form of a view, in which base i is operand i of the node. Its bases
  /// are those it was first created with; the operands are the current ones.
  const AccessForm &getView(SymbolId symbol) const;

  /// The number of ops that a view takes; std::nullopt if there are no such
  /// ops.
  std::optional<unsigned> countOps(SymbolId symbol);
  /// Whether a class has a movement op beside its view. Depends on the whole
  /// current table, so it is best called when nothing changes any more.
  bool hasOp(ClassId id);

  AccessBudget getBudget() const { return budget; }

private:
  struct View {
    AccessForm form;
    Type type;
    /// Made when first needed. `bases` are numbers of the form's, with their
    /// `types`.
    struct Plan {
      std::optional<MovementPlan> plan;
      SmallVector<unsigned, 2> bases;
      SmallVector<Type, 2> types;
    };
    std::optional<Plan> plan;
  };
  static View::Plan makePlan(const AccessForm &form,
                             std::optional<MovementPlan> plan);
  /// The ops of a view, planned on the first call.
  const View::Plan &getPlan(SymbolId symbol);
  std::optional<unsigned> findView(const AccessForm &form, Type type,
                                   uint64_t hash) const;
  std::optional<ClassId> addPlanned(const AccessForm &form, Type type);
  /// The node for a form whose value is `value`.
  TermNode makeNode(const AccessForm &form, Type type, Value value);
  /// Whether nothing is known about a value except that it is its own base.
  bool isOwnBase(Value value);
  /// Brings a node over a class whose value has changed into normal form.
  void refresh(NodeTable &table, NodeId node);

  static const char classId;

  TermGraph &graph;
  AccessBudget budget;
  AccessForms forms;
  /// Holds the ops and arguments that stand for classes; in no program.
  std::unique_ptr<Block> scratch;
  std::deque<View> views;
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> viewsByHash;
  llvm::DenseMap<ClassId, Value> values;
  llvm::DenseMap<Value, ClassId> classes;
  /// What `add` returned, by form and type.
  struct Added {
    AccessForm form;
    Type type;
    std::optional<ClassId> id;
  };
  llvm::DenseMap<uint64_t, SmallVector<Added, 1>> added;
  /// Whether an operation's symbol is a movement op's.
  llvm::DenseMap<SymbolId, bool> isMovementSymbol;
  std::optional<SymbolId> lastView;
  /// Classes with a movement op, when the table ended there and had that many
  /// classes.
  llvm::DenseSet<ClassId> classesWithOps;
  std::pair<NodeId, size_t> classesWithOpsOf = {0, 0};
  /// The value of the node that is about to be created.
  SymbolId pendingSymbol = 0;
  Value pendingValue;
  /// Names of classes whose value was changed by a merge; nodes over them, by
  /// their class; and how often nodes of a class were brought back into normal
  /// form.
  llvm::DenseSet<ClassId> renewed;
  llvm::DenseMap<ClassId, SmallVector<NodeId, 2>> stale;
  llvm::DenseMap<NodeId, unsigned> refreshes;
};

//===----------------------------------------------------------------------===//
// Rules on the forms of items
//
// What moves through a `compute`, stated on the canonical forms of what it
// reads rather than on ops. Write A for access indices, C for compute indices,
// t for the tuple, and P for the pattern.
//
//   move-into-compute    compute(P) read at g(A')  =  compute(P read at g(A')),
//                        of all kinds, and with padding if an item of equal
//                        elements gives the padding value (MoveRules.cpp)
//   join-computes        views of several computes of one kind, each with its
//                        own domain = one compute of the patterns so joined
//   flatten-items        compute over <A | t, C>  =  compute over <A | t, |C|>,
//                        elements in row-major order
//   to-matmul            dot_prod over t = 2 is a (batched) product of matrices:
//                        an access dimension that only the first of the tuple
//                        moves with is a row, one that only the second does a
//                        column, one that both do a batch
//   copy-sides           a product of matrices = the product of their copies, of
//                        sides that are not matrices in memory
//   split-sum            dot_prod over K = reduce_sum of dot_prods of blocks;
//                        reduce_sum and reduce_max likewise
//   cut-sum              dot_prod over a concatenation = sum of dot_prods;
//                        reduce_sum and reduce_max likewise
//   merge-reductions     both the other way round, for blocks of any kind;
//   join-reductions      also mean of means
//   drop-neutral         a sum of an item is that without the zeros around, a
//                        greatest element that without the -inf around
//   one-element          the greatest of one element is that element
//   max-of-a-set         the greatest element depends on what is read only, not
//                        on how often, or in which order
//   mean-is-quotient     reduce_mean = reduce_sum / n
//   swap-factors         dot_prod of P and Q = dot_prod of Q and P
//   add-to-dot           dot_prod(P) + D = dot_prod(P ++ (D, 1))
//   array-is-product     a systolic array is a dot_prod
//   systolic-array       a product <M | K> by <| K x N> is a systolic array
//
// All but the sums are equal to the last bit: the same products are added in
// the same order. The sums are equal up to the order of summation, and exactly
// so for integers. `systolic-array` with several blocks of K is such a sum. If
// an item has several NaNs, max-of-a-set may return a different one.
//
// Proofs: for move-into-compute, result[x] = (compute P)[g(x)] = f(P[g(x), ·]),
// which is (compute P')[x] for P'[x, c] = P[g(x), c]. For the others see the
// comments on each. Random differential tests: test/Rewrites.
//===----------------------------------------------------------------------===//

/// A systolic array that products may run on.
struct SystolicShape {
  int64_t rows = 16, cols = 16;
};

struct ComputeRuleOptions {
  /// Reassociates sums of floats: split-sum, cut-sum, merge-reductions,
  /// join-reductions. Those of integers are exact, and always applied.
  bool reordersSums = true;
  /// All rules. If false, only those that matrix products need: movement of
  /// reductions without padding, flatten-items, to-matmul, cut-sum and
  /// split-sum of dot products, and arrays.
  bool isComplete = false;
  /// Blocks that split-sum tries; a size must divide K.
  SmallVector<int64_t, 1> sumBlocks;
  /// copy-sides.
  bool copiesSides = false;
  /// Arrays for systolic-array; empty for none.
  SmallVector<SystolicShape, 1> arrays;
};

/// Whether a view is a matrix, or a batch of them, as it is laid out in memory:
/// it steps through one base by a constant along each dimension, without
/// padding. A single constant, and a view without elements, also count.
bool isMatrixInMemory(const AccessForm &form);

/// The rules, which refer to the theory and the graph.
std::vector<TableRule> makeComputeRules(TermGraph &graph,
                                        MovementTheory &theory,
                                        const ComputeRuleOptions &options);

//===----------------------------------------------------------------------===//
// A dot product of two, taken apart
//
// A dot product of two factors reads a pattern <A | 2, C>. Which of its access
// dimensions does each side of the tuple move with? Those of the first alone
// are rows, those of the second alone columns, those of both a batch:
//
//   result[b ++ m ++ n ++ u] = Σ_c left[b ++ m, c]·right[b ++ n, c]
//
// The pattern is *flat* if it is <M x N | 2 x K>, or <B x M x N | 2 x K> with a
// batch, with rows, columns and batch in their places.
//===----------------------------------------------------------------------===//

class TupleProduct {
public:
  /// std::nullopt if the tuple does not have two elements, if sizes are
  /// unknown, if there are no elements, and beyond the budget of forms.
  static std::optional<TupleProduct> get(AccessForm pattern);

  const AccessForm &getPattern() const { return pattern; }
  /// Access dimensions of the pattern, ascending.
  SmallVector<unsigned> batch, rows, columns, unused;

  /// The number of points of some dimensions, and of elements of an item.
  int64_t count(ArrayRef<unsigned> dims) const;
  int64_t getDepth() const;
  bool isFlat() const;

  /// One side of the tuple over <groups | K>: the dimensions of a group are
  /// numbered in row-major order, and so are the elements of the item. The side
  /// does not move with any other dimension.
  std::optional<AccessForm> getSide(unsigned side,
                                    ArrayRef<ArrayRef<unsigned>> groups) const;

private:
  AccessForm pattern;
};

/// The flat pattern of two sides <B, M | K> and <B, N | K>, or without B.
std::optional<AccessForm> multiply(AccessForm left, AccessForm right);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REWRITES_RULESETS_H
