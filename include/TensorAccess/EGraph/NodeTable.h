//===- NodeTable.h - Terms up to equality -----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The e-graph's heart: *nodes*, a symbol over classes, and *classes*, sets of
// nodes that are equal. Symbols are numbers here; what they stand for (the name
// of an operation, attributes, types) is known to whoever made them.
//
//   NodeTable table;
//   SymbolId a = table.addSymbol(0), f = table.addSymbol(1);
//   ClassId x = table.add(a, {}), fx = table.add(f, {x}), ffx = table.add(f,
//   {fx}); table.merge(x, ffx); table.rebuild(); table.find(x) ==
//   table.find(ffx);            // and f(f(f(f(a)))) is in x
//
// Equality is a congruence: equal operands make equal nodes. `merge` only says
// that two classes are one; `rebuild` draws the consequences:
//
//   1. Each node with an operand in a class that lost its name is taken out of
//      the hash table and put in again under the name that is left. The class
//      with fewer parents loses.
//   2. Where an equal node is there already, the node is *dead*, and the two
//      classes are merged, too.
//   3. This ends when no class has lost its name; dead nodes have left the hash
//      table.
//
// Matching looks at the *snapshot* that `takeSnapshot` makes after a rebuild: a
// copy of the nodes of each class, sorted by symbol. Additions, merges and
// rebuilds leave it alone, so that matches can be applied while others are
// still looked for. Rebuilding meanwhile keeps small what is made in an
// iteration: a term that two matches make under names that turn out to be equal
// is then made once.
//
// A node is a record of 32-bit words in one array, and its number is where the
// record begins. That number is also the name of the class it was made with:
//
//   symbol | class | last parent | snapshot | (operand | next parent)*
//
// The parents of a class are a ring of operand slots, which two classes join in
// constant time. A node with two operands takes 32 bytes here, 12 in the
// snapshot (and 8 a class), and 7 to 14 in the hash table.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_NODETABLE_H
#define TENSORACCESS_EGRAPH_NODETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::tensoraccess {

class ClassAnalysis;

/// A node's number; numbers grow in the order in which nodes are made, but not
/// by ones.
using NodeId = uint32_t;
/// The number of one of a class's nodes.
using ClassId = uint32_t;
using SymbolId = uint32_t;

class NodeTable {
public:
  /// A symbol with that many operands.
  SymbolId addSymbol(unsigned arity);
  unsigned getArity(SymbolId symbol) const { return arities[symbol]; }
  size_t getNumSymbols() const { return arities.size(); }

  /// The class of the node, which is made where there is none yet: the name
  /// that is valid now. None where 31 bits don't suffice for another node.
  /// Nothing is changed then.
  std::optional<ClassId> add(SymbolId symbol, llvm::ArrayRef<ClassId> operands);
  /// The class of the node, or none where there is no such node.
  std::optional<ClassId> lookup(SymbolId symbol,
                                llvm::ArrayRef<ClassId> operands) const;

  /// The name of a class that is valid now.
  ClassId find(ClassId id) const;
  /// Says that two classes are equal. False where that was known, and where an
  /// analysis refuses it: nothing is changed then.
  bool merge(ClassId a, ClassId b);
  /// Draws the consequences of all merges and changes of facts.
  void rebuild();
  /// Whether there are none to be drawn.
  bool isClean() const { return lost.empty() && changes.empty(); }
  /// Merges and changes of facts whose consequences are not drawn.
  size_t getNumLost() const { return lost.size() + changes.size(); }

  /// Nodes that differ, and classes that differ; exact after a rebuild.
  size_t getNumNodes() const { return numNodes; }
  size_t getNumClasses() const { return numClasses; }
  /// Bytes held by the table, with what is reserved but not in use.
  size_t getMemory() const;

  //===--- analyses -------------------------------------------------------===//

  /// Tells the analysis (Analysis.h) what happens. It must be added before the
  /// first node and outlive the table's last change.
  void addAnalysis(ClassAnalysis *analysis) {
    assert(words.empty() && "facts begin with the first node");
    analyses.push_back(analysis);
  }
  /// Says that the fact of a class has changed.
  void changed(ClassId id) { changes.push_back(id); }

  /// Two classes, and why they can't be equal.
  struct Refusal {
    ClassId a, b;
    std::string why;
  };
  /// Merges that were refused, and the first of them since `forgetRefusal`.
  size_t getNumRefusals() const { return numRefusals; }
  const std::optional<Refusal> &getRefusal() const { return refusal; }
  void forgetRefusal() { refusal = std::nullopt; }
  /// Says that facts contradict each other though the classes are equal, or the
  /// class is the same.
  void contradict(ClassId a, ClassId b, std::string why);
  /// Contradictions, and the first of them.
  size_t getNumContradictions() const { return numContradictions; }
  const std::optional<Refusal> &getContradiction() const {
    return contradiction;
  }

  //===--- nodes ----------------------------------------------------------===//

  SymbolId getSymbol(NodeId node) const { return words[node] & kMask; }
  /// Whether an equal node was there already.
  bool isDead(NodeId node) const { return words[node] & kMark; }
  unsigned getNumOperands(NodeId node) const {
    return arities[getSymbol(node)];
  }
  /// As of the last rebuild.
  ClassId getOperand(NodeId node, unsigned i) const {
    return words[node + kHeader + 2 * i] & kMask;
  }
  /// The first node, and the one after; getEnd() after the last.
  NodeId getBegin() const { return 0; }
  NodeId getNext(NodeId node) const {
    return node + kHeader + 2 * getNumOperands(node);
  }
  NodeId getEnd() const { return words.size(); }

  //===--- the snapshot ---------------------------------------------------===//

  /// Copies the nodes that are alive, class by class. Requires isClean().
  void takeSnapshot();
  /// For each class its name and the number of words of its nodes, then for
  /// each of its nodes, sorted by symbol and age, the symbol and the operands.
  llvm::ArrayRef<uint32_t> getSnapshot() const { return snapshot; }
  /// The nodes of a class in the snapshot. `id` must have been a class's name.
  llvm::ArrayRef<uint32_t> getNodes(ClassId id) const {
    const uint32_t at = words[id + kSnapshot];
    return getSnapshot().slice(at + 2, snapshot[at + 1]);
  }

private:
  enum : uint32_t {
    kClass = 1,
    kLastParent = 2,
    kSnapshot = 3,
    kHeader = 4,
    /// On a symbol: the node is dead. On an operand: it is the first one.
    kMark = uint32_t(1) << 31,
    kMask = kMark - 1,
    kNone = ~uint32_t(0),
  };

  /// As `find`, and makes the way shorter for the next one.
  ClassId shorten(ClassId id);
  uint64_t hash(NodeId node) const;
  bool equals(NodeId node, SymbolId symbol,
              llvm::ArrayRef<ClassId> operands) const;
  /// The slot of an equal node, or none.
  std::optional<size_t> findSlot(uint64_t hash, SymbolId symbol,
                                 llvm::ArrayRef<ClassId> operands) const;
  void insert(uint64_t hash, NodeId node);
  void erase(NodeId node);
  void grow();
  /// The node that an operand's slot belongs to.
  NodeId getParent(uint32_t slot) const;
  void addParent(ClassId id, uint32_t slot);
  bool hasFewerParents(ClassId a, ClassId b) const;
  void repair(NodeId node);
  /// Two names, both valid, become one.
  void join(ClassId a, ClassId b);
  void rebuildParents(ClassId id);
  void propagate(ClassId id);

  llvm::SmallVector<uint16_t, 0> arities;
  /// The records, one after the other.
  llvm::SmallVector<uint32_t, 0> words;
  /// Open addressing; a tag is 0 where nothing was, 1 where something was, else
  /// bits of the hash.
  llvm::SmallVector<uint8_t, 0> tags;
  llvm::SmallVector<NodeId, 0> slots;
  /// Slots with a tag.
  size_t numTags = 0, numHashed = 0;
  /// Classes that lost their names and whose parents don't know it.
  llvm::SmallVector<ClassId, 0> lost;
  size_t numNodes = 0, numClasses = 0;
  llvm::SmallVector<ClassAnalysis *, 1> analyses;
  /// Classes whose facts changed.
  llvm::SmallVector<ClassId, 0> changes;
  size_t numRefusals = 0, numContradictions = 0;
  std::optional<Refusal> refusal, contradiction;
  llvm::SmallVector<uint32_t, 0> snapshot;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_NODETABLE_H
