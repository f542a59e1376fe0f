//===- TermGraph.h - What is known of classes -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_TERMGRAPH_H
#define TENSORACCESS_EGRAPH_TERMGRAPH_H

#include "TensorAccess/EGraph/NodeTable.h"
#include "TensorAccess/Interfaces/IndexingOpInterface.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Facts about classes
//
// An *analysis* keeps a fact about each class: a type, a constant, an interval.
// The table notifies it:
//
//   made      there is a new node, alone in its class;
//   mayMerge  the caller states that two classes are equal; if the facts
//             contradict each other the analysis returns why, and the merge is
//             *refused*;
//   merged    two classes become one, whose fact is that of both;
//   updated   the fact of an operand's class has changed;
//   modify    the fact of the class has changed, and may become a node.
//
// An analysis that changes a fact reports it by `NodeTable::changed`. The
// rebuild takes the classes that changed one by one, after the merges: it calls
// `modify` for the class, and `updated` for each of its parents. It terminates,
// since facts only grow and have no infinite chains.
//
// Two equal nodes are in one class whatever an analysis returns. If it refuses,
// rules or terms are wrong: the classes are merged, the fact of one of them is
// discarded, and the table counts a *contradiction*.
//===----------------------------------------------------------------------===//

class ClassAnalysis {
public:
  virtual ~ClassAnalysis() = default;

  /// Called for a new node. The name of its class is `node`, and those of its
  /// operands' classes are current.
  virtual void made(NodeTable &table, NodeId node) = 0;

  /// Whether two classes can be equal; false, and why they can't. Both names
  /// are current.
  virtual bool mayMerge(const NodeTable &table, ClassId a, ClassId b,
                        std::string &why) {
    return true;
  }

  /// A node was requested and its class returned; if it did not exist, `made`
  /// was called first.
  virtual void asked(NodeTable &table, SymbolId symbol,
                     llvm::ArrayRef<ClassId> operands, ClassId id) {}

  /// Two classes were stated to be equal, by these names; that is new, and not
  /// refused. Called before `merged`, and not for equalities by congruence.
  virtual void said(NodeTable &table, ClassId a, ClassId b) {}

  /// Two classes become one, which keeps the name `winner`. Both names are
  /// still current. Also called if `mayMerge` returned false and they are equal
  /// by congruence.
  virtual void merged(NodeTable &table, ClassId winner, ClassId loser) = 0;

  /// The fact of a class among the node's operands has changed. Names of
  /// operands have to be looked up with `NodeTable::find`.
  virtual void updated(NodeTable &table, NodeId node, ClassId id) {}

  /// The fact of the class has changed. Nodes may be added and merged here.
  virtual void modify(NodeTable &table, ClassId id) {}
};

//===----------------------------------------------------------------------===//
// Operations as nodes
//
// Represents MLIR operations as terms in a table of nodes (NodeTable.h). What
// the table knows as a number, a *symbol*, is one of
//
//   operation   a name, all attributes, result types and regions. Values that
//               regions capture are operands after the op's own. Regions of
//               equal structure are one symbol;
//   projection  result i of a class of operations with several results;
//   leaf        a value that no node computes: an argument, a result of an op
//               with side effects;
//   theory      a node of a `TermTheory`, which brings its own terms into a
//               normal form, so that equal ones are the same node.
//
// The class of an operation with one result is that value; for any other it is
// the tuple of its results, whose values `getResult` returns.
//
//   TermGraph graph(context);
//   ClassId x = *graph.addLeaf(argument);
//   ClassId sum = *graph.add(addi, attributes, {x, x}, {i32}, &problem);
//   graph.merge(sum, twice, &problem);
//
// Everything that is added is sound by itself:
//
//   1. An operation that is described by its parts is created once, apart from
//      every program, with arguments of the operands' types. If its verifier
//      rejects it, it is refused, with the verifier's message. Its attributes
//      are those that the op then has, including defaults.
//   2. It is folded by its own hook, with the known constants among its
//      operands. What it folds to is merged with it, except for poison.
//   3. Two classes are merged only if they have the same types and no different
//      constants. If congruence implies otherwise, a rule was wrong: the table
//      counts a contradiction.
//
// 1 and 2 are done once per operation, types of its operands, which of them are
// the same, and constants among them.
//===----------------------------------------------------------------------===//

class TermGraph;

/// A node that need not be in the table.
struct TermNode {
  SymbolId symbol = 0;
  SmallVector<ClassId, 4> operands;
};

/// Terms that have a normal form. A theory lives as long as the graph.
class TermTheory {
public:
  virtual ~TermTheory() = default;

  /// An equal node, which is put into the graph instead; std::nullopt for terms
  /// outside the theory. Its operands may be added to the graph, but not `node`
  /// itself. Two nodes that the theory knows to be equal must get the same
  /// answer.
  virtual std::optional<TermNode> normalize(TermGraph &graph,
                                            const TermNode &node) = 0;

  /// Whether `build` can create a symbol of the theory. A node that it can't
  /// create is never chosen.
  virtual bool canBuild(SymbolId symbol) { return true; }

  /// Describes a symbol: in a word for messages, or in full for pictures.
  virtual std::string describe(SymbolId symbol, bool isFull) {
    return "theory";
  }

  /// Identifies the theory's class, for casts: an address unique to it.
  virtual const void *getClassId() const { return nullptr; }

  /// Whether a node that was normalized is also added, so that rules find it.
  virtual bool keepsOriginal() const { return false; }

  /// The operations for a symbol of the theory; null if there are none.
  virtual Value build(TermGraph &graph, OpBuilder &builder, Location loc,
                      SymbolId symbol, ValueRange operands) = 0;
};

/// Completes the description of an operation, for example with the region that
/// a named op implies, before it is created.
using OpCompletion = std::function<void(OpBuilder &, OperationState &)>;

class TermGraph {
public:
  enum class SymbolKind : uint8_t { Operation, Projection, Leaf, Theory };

  explicit TermGraph(MLIRContext *context);
  ~TermGraph();
  TermGraph(const TermGraph &) = delete;
  TermGraph &operator=(const TermGraph &) = delete;

  MLIRContext *getContext() const { return context; }
  NodeTable &getTable() { return table; }
  const NodeTable &getTable() const { return table; }

  /// Theories see every node that is added, in the order of registration.
  void addTheory(TermTheory *theory) { theories.push_back(theory); }
  ArrayRef<TermTheory *> getTheories() const { return theories; }
  /// For operations of a dialect that a rule describes.
  void setCompletion(StringRef dialect, OpCompletion completion) {
    completions[dialect] = std::move(completion);
  }

  //===--- terms ----------------------------------------------------------===//

  // None of these changes anything if it returns std::nullopt. Then `problem`,
  // if given, is the reason, or the table is full, as `isFull()` shows.

  /// The class of a value that no node computes.
  std::optional<ClassId> addLeaf(Value value);
  /// The class of an operation. Without `resultTypes`, InferTypeOpInterface
  /// infers them.
  std::optional<ClassId> add(OperationName name, DictionaryAttr attributes,
                             ArrayRef<ClassId> operands,
                             std::optional<ArrayRef<Type>> resultTypes,
                             std::string *problem = nullptr);
  /// The class of an existing operation; values that its regions capture follow
  /// its operands (`getCaptured`).
  std::optional<ClassId> add(Operation *op, ArrayRef<ClassId> operands,
                             std::string *problem = nullptr);
  /// The symbol of an operation given by its parts, on operands of these types,
  /// as `add` creates it; no node is added.
  std::optional<SymbolId> getSymbol(OperationName name,
                                    DictionaryAttr attributes,
                                    ArrayRef<Type> operandTypes,
                                    std::optional<ArrayRef<Type>> resultTypes,
                                    std::string *problem = nullptr);
  /// The class of a node. `made`, if given, is set to the node that was added
  /// (in normal form, if it has one), or to one of the class if none was.
  std::optional<ClassId> addNode(const TermNode &node, NodeId *made = nullptr);
  /// The class of a constant, by the dialect of `like`. std::nullopt if that
  /// dialect has no such constant.
  std::optional<ClassId> addConstant(Attribute value, Type type,
                                     Dialect *dialect,
                                     std::string *problem = nullptr);
  /// Result `index` of a class of operations.
  std::optional<ClassId> getResult(ClassId id, unsigned index);
  /// Like `add`, but does not create anything.
  std::optional<ClassId> lookup(Operation *op, ArrayRef<ClassId> operands);
  std::optional<ClassId> lookupResult(ClassId id, unsigned index);
  bool isFull() const { return table.isFull(); }

  enum class MergeResult : uint8_t { Merged, WasEqual, Refused };
  /// States that two classes are equal. Refused if their types or constants
  /// differ.
  MergeResult merge(ClassId a, ClassId b, std::string *problem = nullptr);

  /// Constants that were stated to be equal and are not, whether that was
  /// refused or became a contradiction of the table. Floating-point numbers
  /// that differ by no more than rounding do not conflict, nor do two NaNs.
  struct Conflict {
    std::string why;
    /// Both are floating-point numbers.
    bool isOfFloats = false;
  };
  /// The first one, but one that does not concern floats takes precedence.
  const std::optional<Conflict> &getConflict() const { return conflict; }

  /// Folds the nodes with operands whose classes were merged, and may be
  /// constants or equal to each other, since the last call. True if that
  /// changed the table, which is then clean.
  bool foldAll();

  //===--- classes --------------------------------------------------------===//

  /// The types of the results.
  ArrayRef<Type> getTypes(ClassId id) const {
    return getResultTypes(table.getSymbol(table.find(id)));
  }
  /// The type of a value; null for a class of tuples.
  Type getType(ClassId id) const {
    ArrayRef<Type> types = getTypes(id);
    return types.size() == 1 ? types.front() : Type();
  }
  /// The constant that the class is equal to, or null. Null for poison, which
  /// may be anything.
  Attribute getConstant(ClassId id) const;
  /// Whether a node may be poison though its class is a constant: x * 0 is if x
  /// is, and an operation with flags is if they promise too much. What folds
  /// may become the constant, but a constant must not become it.
  bool mayBePoisonOf(NodeId node) const;

  //===--- symbols --------------------------------------------------------===//

  SymbolKind getKind(SymbolId symbol) const { return symbols[symbol].kind; }
  bool isOperation(SymbolId symbol) const {
    return getKind(symbol) == SymbolKind::Operation;
  }
  ArrayRef<Type> getResultTypes(SymbolId symbol) const {
    return typeLists[symbols[symbol].types];
  }
  /// Of operations.
  OperationName getName(SymbolId symbol) const {
    return OperationName::getFromOpaquePointer(symbols[symbol].name);
  }
  DictionaryAttr getAttributes(SymbolId symbol) const {
    return symbols[symbol].attributes;
  }
  bool hasRegions(SymbolId symbol) const { return symbols[symbol].prototype; }
  /// The constant that the operation is, or null.
  Attribute getConstantOf(SymbolId symbol) const {
    return symbols[symbol].constant;
  }
  /// The signature for models of operations; `operation` is null unless it has
  /// regions: it is then an equivalent op that is in no program.
  OpSignature getSignature(SymbolId symbol, ArrayRef<ClassId> operands) const;
  /// Of projections.
  unsigned getIndex(SymbolId symbol) const { return symbols[symbol].data; }
  /// Of leaves.
  Value getLeaf(SymbolId symbol) const { return symbols[symbol].leaf; }
  /// Of theories: the theory, and the number that it assigned.
  TermTheory *getTheory(SymbolId symbol) const {
    return symbols[symbol].theory;
  }
  uint64_t getTheoryData(SymbolId symbol) const { return symbols[symbol].data; }

  /// A theory's symbol. The theory defines the meaning of `data`.
  SymbolId getTheorySymbol(TermTheory *theory, uint64_t data, unsigned arity,
                           ArrayRef<Type> resultTypes);
  SymbolId getProjectionSymbol(unsigned index, Type type);
  SymbolId getLeafSymbol(Value value);
  /// The symbol of an existing operation.
  SymbolId getSymbol(Operation *op);
  /// `arith.addi`, `result 1`, `argument 0`, `view`, ... for messages.
  std::string describeSymbol(SymbolId symbol) const;

  /// The values from outside that an op's regions use, in order of appearance.
  static SmallVector<Value> getCaptured(Operation *op);
  /// An op's operands, followed by its captured values.
  static SmallVector<Value> getInputs(Operation *op);

  //===--- building -------------------------------------------------------===//

  /// Creates the operations of one node: returns its results, or std::nullopt
  /// and `problem`.
  std::optional<SmallVector<Value, 1>>
  buildNode(OpBuilder &builder, Location loc, SymbolId symbol,
            ValueRange operands, std::string *problem = nullptr);

private:
  struct Symbol {
    SymbolKind kind;
    unsigned types;
    const void *name = nullptr;
    DictionaryAttr attributes;
    Attribute constant;
    Value leaf;
    TermTheory *theory = nullptr;
    uint64_t data = 0;
    /// An op with regions whose operands and captured values are the arguments
    /// of its block; else null.
    Operation *prototype = nullptr;
  };
  /// What a node folds to: for each result an attribute, an operand's number,
  /// or nothing.
  struct Folded {
    Attribute attribute;
    int operand = -1;
  };
  struct WordsHash {
    size_t operator()(const std::vector<uintptr_t> &words) const;
  };
  template <typename T>
  using WordsMap = std::unordered_map<std::vector<uintptr_t>, T, WordsHash>;
  /// A symbol that an op's verifier accepted, or its message.
  struct Made {
    std::optional<SymbolId> symbol;
    std::string problem;
  };
  class Scratch;
  class Facts;

  unsigned internTypes(ArrayRef<Type> types);
  SymbolId addSymbol(Symbol symbol, unsigned arity);
  SymbolId internOperation(Operation *op, ArrayRef<Value> captured);
  std::optional<ClassId> addToTable(const TermNode &node);
  std::optional<TermNode> normalize(const TermNode &node, bool &keepsOriginal);
  /// `operands` are numbers of lists of types.
  const Made &makeSymbol(OperationName name, DictionaryAttr attributes,
                         ArrayRef<unsigned> operands,
                         std::optional<ArrayRef<Type>> resultTypes);
  ArrayRef<Folded> fold(SymbolId symbol, ArrayRef<ClassId> operands);
  /// Merges what the node folds to with its class; true if that changed
  /// anything.
  bool foldNode(SymbolId symbol, ArrayRef<ClassId> operands, ClassId id);

  MLIRContext *context;
  NodeTable table;
  SmallVector<TermTheory *, 2> theories;
  llvm::StringMap<OpCompletion> completions;

  /// Symbols and lists have stable addresses.
  std::deque<Symbol> symbols;
  std::deque<SmallVector<Type, 1>> typeLists;
  WordsMap<unsigned> typeListIds;
  WordsMap<SymbolId> symbolIds;
  /// Ops with regions by their hash.
  llvm::DenseMap<size_t, SmallVector<SymbolId, 1>> prototypes;
  WordsMap<Made> madeSymbols;
  WordsMap<SmallVector<Folded, 1>> foldedNodes;
  std::unique_ptr<Scratch> scratch;

  /// Types and constants of classes, as an analysis of the table.
  std::unique_ptr<Facts> facts;
  /// Nodes that are constants, and for classes one of them.
  SmallVector<NodeId, 0> constantNodes;
  llvm::DenseMap<ClassId, NodeId> constantOf;
  /// Classes that others were merged into since foldAll.
  SmallVector<ClassId, 0> merged;
  std::optional<Conflict> conflict;
};

//===----------------------------------------------------------------------===//
// Blocks into terms, and back
//
// A block is read into a graph of terms, and what was chosen from the graph is
// written back. Ops without side effects become nodes; all others stay where
// they are, and their results, like values from outside the block, are leaves.
// Such an op that uses terms is a *user*: its terms are needed just before it.
// Ops in other blocks that use terms count as uses by this block's terminator,
// or by the op of this block that contains them.
//===----------------------------------------------------------------------===//

/// Whether an op can be a node: it has results, no side effects, no successors,
/// and defines no symbols.
bool isTerm(Operation *op);

/// Whether `importBlock` turns an op into a node: `isNode` holds, and it does
/// not read too many values for a node.
bool becomesNode(Operation *op, llvm::function_ref<bool(Operation *)> isNode);

struct TermBlock {
  struct User {
    /// The op before which the terms are needed.
    Operation *op = nullptr;
    /// Values of terms, in the order of their use.
    SmallVector<Value, 2> values;
  };
  /// In the order of the block.
  SmallVector<Operation *, 0> terms;
  SmallVector<User, 0> users;
  /// For the values of terms, and of leaves that terms use.
  llvm::DenseMap<Value, ClassId> classes;
  /// The node of each term; equal terms have the same one.
  llvm::DenseMap<Operation *, NodeId> nodes;
  /// The ops that became a node, in order, by a hash of the symbol and the
  /// operands that they had.
  llvm::DenseMap<uint64_t, SmallVector<Operation *, 1>> ops;
};

/// Reads a block. `isNode` decides which ops are nodes. Values in `known` have
/// these classes. std::nullopt if the graph is full.
std::optional<TermBlock>
importBlock(TermGraph &graph, Block &block,
            llvm::function_ref<bool(Operation *)> isNode = isTerm,
            const llvm::DenseMap<Value, ClassId> *known = nullptr);

/// The classes of a block's terms as far as they are in the graph, which is not
/// changed.
llvm::DenseMap<Value, ClassId>
lookupBlock(TermGraph &graph, Block &block,
            const llvm::DenseMap<Value, ClassId> &known,
            llvm::function_ref<bool(Operation *)> isNode = isTerm);

/// The node chosen for a class, or none.
using TermChoice = std::function<std::optional<NodeId>(ClassId)>;

/// Creates ops for terms. A builder reuses what it created: use it at points of
/// one block in order. Ops of `block`, if given, are reused if they equal what
/// would be created and come before. What is created for a class of the block
/// has the location of that class there, and so does what it needs.
class TermBuilder {
public:
  TermBuilder(TermGraph &graph, TermChoice choice,
              const TermBlock *block = nullptr);

  /// The values of a class at the builder's insertion point. std::nullopt, and
  /// `problem`, if no node was chosen for a class, or if it needs itself.
  std::optional<ArrayRef<Value>> build(OpBuilder &builder, Location loc,
                                       ClassId id, std::string &problem);

  /// The number of ops created.
  unsigned getNumMade() const { return ops.size(); }
  /// For each node that ops were created for, the last of them.
  ArrayRef<Operation *> getOps() const { return ops; }

private:
  Operation *findExisting(OpBuilder &builder, SymbolId symbol,
                          ArrayRef<Value> operands) const;

  TermGraph &graph;
  TermChoice choice;
  const TermBlock *block;
  llvm::DenseMap<ClassId, SmallVector<Value, 1>> made;
  SmallVector<Operation *, 0> ops;
  /// For the classes of the block's terms, the location of the first.
  llvm::DenseMap<ClassId, Location> locations;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_TERMGRAPH_H
