//===- MovementTheory.h - Views are equal if their maps are -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings terms that only move elements (seed 002, Table 2: `access`,
// `transpose`, `slice`, `windows`, `pad`, `reshape`, `cart_prod`, ...) into one
// normal form, a *view*: the canonical access form (IR/AccessForm.h) of what it
// reads, over the classes that it reads from. Two movement terms that mean the
// same are the same node, whatever ops they are made of, and no rule has to say
// so:
//
//   transpose (slice x 0 2 3) [1, 0]  =  slice (transpose x [1, 0]) 1 2 3
//
// The terms themselves stay in the graph beside the view, so that rules find
// them, and an extraction has them to choose from. A view is built again by
// IR/AccessSynthesis.h; views without such a plan are in the graph, but are
// never made where a rule asks for a new one (`add`).
//
// Ops that may fail at run time are no views: dropping them drops the check.
//
// The theory is an analysis of the table, too: it must be made before the graph
// has a node, and live as long as the graph.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_REWRITES_MOVEMENTTHEORY_H
#define TENSORACCESS_REWRITES_MOVEMENTTHEORY_H

#include "TensorAccess/EGraph/Analysis.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/IR/AccessSynthesis.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tensoraccess {

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

  /// What a class reads, in terms of bases that `getClass` has the classes of.
  /// A class that is no view is its own base. None where its type has no form
  /// (AccessForms::hasForm).
  std::optional<AccessForm> getForm(ClassId id);
  ClassId getClass(Value base) const;
  /// The value that stands for a class in forms.
  Value getBase(ClassId id);

  /// The class of a view of the type; an identity is the base's class. None
  /// where no ops can be made for it, or the graph is full.
  std::optional<ClassId> add(const AccessForm &form, Type type);
  /// The same where the view is there already; nothing is made.
  std::optional<ClassId> lookup(const AccessForm &form, Type type);
  /// The symbol of the view that the movement op that was added last is; none
  /// if it was no view.
  std::optional<SymbolId> getLastView() const { return lastView; }

  /// Whether an operation's symbol is one of movement, as far as it was met.
  bool isMovement(SymbolId symbol) const {
    auto it = isMovementSymbol.find(symbol);
    return it != isMovementSymbol.end() && it->second;
  }
  /// Whether the symbol is that of a view.
  bool isView(SymbolId symbol) const;
  /// Of a view: its form, in which base i is operand i of the node. Its bases
  /// are those that it was made of first; the operands say which they are now.
  const AccessForm &getView(SymbolId symbol) const;

  /// The number of ops that a view takes; none if there are no such ops.
  std::optional<unsigned> countOps(SymbolId symbol);
  /// Whether a class has a movement op beside its view. Of the whole table as
  /// it is, so that it is best asked when nothing changes any more.
  bool hasOp(ClassId id);

  AccessBudget getBudget() const { return budget; }

private:
  struct View {
    AccessForm form;
    Type type;
    /// Once asked for. `bases` are numbers of the form's, `types` theirs.
    struct Plan {
      std::optional<MovementPlan> plan;
      SmallVector<unsigned, 2> bases;
      SmallVector<Type, 2> types;
    };
    std::optional<Plan> plan;
  };
  static View::Plan makePlan(const AccessForm &form,
                             std::optional<MovementPlan> plan);
  /// The ops of a view, which are planned when they are first asked for.
  const View::Plan &getPlan(SymbolId symbol);
  std::optional<unsigned> findView(const AccessForm &form, Type type,
                                   uint64_t hash) const;
  std::optional<ClassId> addPlanned(const AccessForm &form, Type type);
  /// The node for a form whose value is `value`.
  TermNode makeNode(const AccessForm &form, Type type, Value value);
  /// Whether nothing is known of a value but that it is itself.
  bool isOwnBase(Value value);
  /// Brings a node over a class whose value has changed into normal form.
  void refresh(NodeTable &table, NodeId node);

  static const char classId;

  TermGraph &graph;
  AccessBudget budget;
  AccessForms forms;
  /// Where ops and arguments that stand for classes are; in no program.
  std::unique_ptr<Block> scratch;
  std::deque<View> views;
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> viewsByHash;
  llvm::DenseMap<ClassId, Value> values;
  llvm::DenseMap<Value, ClassId> classes;
  /// What `add` answered, by form and type.
  struct Added {
    AccessForm form;
    Type type;
    std::optional<ClassId> id;
  };
  llvm::DenseMap<uint64_t, SmallVector<Added, 1>> added;
  /// Whether an operation's symbol is one of movement.
  llvm::DenseMap<SymbolId, bool> isMovementSymbol;
  std::optional<SymbolId> lastView;
  /// Classes with a movement op, when the table ended there and had as many
  /// classes.
  llvm::DenseSet<ClassId> classesWithOps;
  std::pair<NodeId, size_t> classesWithOpsOf = {0, 0};
  /// The value of the node that is about to be made.
  SymbolId pendingSymbol = 0;
  Value pendingValue;
  /// Names of classes whose value was changed by a merge; nodes over them, by
  /// their class; and how often nodes of a class were brought into normal form
  /// again.
  llvm::DenseSet<ClassId> renewed;
  llvm::DenseMap<ClassId, SmallVector<NodeId, 2>> stale;
  llvm::DenseMap<NodeId, unsigned> refreshes;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_REWRITES_MOVEMENTTHEORY_H
