//===- NodeTable.h - Nodes by their hashes ----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_NODETABLE_H
#define TENSORACCESS_EGRAPH_NODETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Nodes by their hashes
//
// The hash table of a NodeTable: numbers of nodes in chunks of one cache line,
//
//   12 tags | how many passed | 12 nodes
//
// A tag is 0 where nothing is, else the hash's upper bits. A node goes to the
// chunk that its hash says or, where that is full, to the one after; each full
// chunk counts the nodes that passed it. So a search that finds a chunk that no
// node passed ends there, and taking a node out leaves nothing behind. All
// tags of a chunk are compared at once.
//
// (Chunks with counts of what passed are those of Folly's F14.)
//===----------------------------------------------------------------------===//

class NodeSet {
public:
  /// The first node with the hash for which `isWanted` is true.
  template <typename Predicate>
  std::optional<uint32_t> find(uint64_t hash, Predicate isWanted) const {
    if (chunks.empty())
      return std::nullopt;
    const uint64_t pattern = kOnes * getTag(hash);
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Chunk &chunk = chunks[i];
      for (uint64_t hits = getZeros(chunk.low ^ pattern); hits;
           hits &= hits - 1)
        if (uint32_t node = chunk.nodes[llvm::countr_zero(hits) / 8];
            isWanted(node))
          return node;
      for (uint64_t hits = getZeros((chunk.high ^ pattern) | ~kHigh); hits;
           hits &= hits - 1)
        if (uint32_t node = chunk.nodes[8 + llvm::countr_zero(hits) / 8];
            isWanted(node))
          return node;
      if (chunk.numPassed == 0)
        return std::nullopt;
    }
  }

  /// Asks the memory for what `guess` and `find` read first.
  void prefetch(uint64_t hash) const {
    if (!chunks.empty())
      __builtin_prefetch(&chunks[hash & mask]);
  }
  /// A node that may have the hash; there may be others.
  std::optional<uint32_t> guess(uint64_t hash) const {
    if (chunks.empty())
      return std::nullopt;
    const uint64_t pattern = kOnes * getTag(hash);
    const Chunk &chunk = chunks[hash & mask];
    if (uint64_t hits = getZeros(chunk.low ^ pattern))
      return chunk.nodes[llvm::countr_zero(hits) / 8];
    if (uint64_t hits = getZeros((chunk.high ^ pattern) | ~kHigh))
      return chunk.nodes[8 + llvm::countr_zero(hits) / 8];
    return std::nullopt;
  }

  /// Whether there is room for another node.
  bool hasRoom() const { return size < 10 * chunks.size(); }
  /// Takes all nodes out, and makes room for twice as many.
  void clearAndGrow() {
    const size_t count = std::max<size_t>(8, 2 * chunks.size());
    chunks = std::vector<Chunk>();
    chunks.resize(count);
    mask = count - 1;
    size = 0;
  }

  /// Requires hasRoom() and that the node is not there.
  void insert(uint64_t hash, uint32_t node) {
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Chunk &chunk = chunks[i];
      unsigned at = 0;
      if (uint64_t free = getZeros(chunk.low)) {
        at = llvm::countr_zero(free) / 8;
        chunk.low |= getTag(hash) << 8 * at;
      } else if (uint64_t free = getZeros(chunk.high | ~kHigh)) {
        at = llvm::countr_zero(free) / 8;
        chunk.high |= static_cast<uint32_t>(getTag(hash)) << 8 * at;
        at += 8;
      } else {
        ++chunk.numPassed;
        continue;
      }
      chunk.nodes[at] = node;
      ++size;
      return;
    }
  }

  /// Requires that the node is there.
  void erase(uint64_t hash, uint32_t node) {
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Chunk &chunk = chunks[i];
      for (unsigned at = 0; at < 12; ++at) {
        if (chunk.nodes[at] != node)
          continue;
        const unsigned shift = 8 * (at % 8);
        if (at < 8 && (chunk.low >> shift & 0xFF) == getTag(hash))
          chunk.low &= ~(uint64_t(0xFF) << shift);
        else if (at >= 8 && (chunk.high >> shift & 0xFF) == getTag(hash))
          chunk.high &= ~(uint32_t(0xFF) << shift);
        else
          continue;
        --size;
        return;
      }
      --chunk.numPassed;
    }
  }

  size_t getMemory() const { return chunks.capacity() * sizeof(Chunk); }

private:
  static constexpr uint64_t kOnes = 0x0101010101010101u;
  static constexpr uint64_t kHigh = 0xFFFFFFFFu;

  struct alignas(64) Chunk {
    /// The tags, the first in the lowest byte.
    uint64_t low = 0;
    uint32_t high = 0;
    uint32_t numPassed = 0;
    uint32_t nodes[12] = {};
  };

  static uint64_t getTag(uint64_t hash) {
    return std::max<uint64_t>(hash >> 56, 1);
  }
  /// The upper bit of each byte that is 0.
  static uint64_t getZeros(uint64_t bytes) {
    constexpr uint64_t lower = 0x7F * kOnes;
    return ~(((bytes & lower) + lower) | bytes | lower);
  }

  std::vector<Chunk> chunks;
  size_t mask = 0, size = 0;
};

//===----------------------------------------------------------------------===//
// Terms up to equality
//
// The core of the e-graph: *nodes*, a symbol over classes, and *classes*, sets
// of nodes that are equal. Symbols are numbers here; what they stand for (the
// name of an operation, attributes, types) is known to the caller that made
// them.
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
// is then made once. `forgetSnapshot` gives its memory back.
//
// A snapshot says of each node whether it is *new*: it was not in the last one
// with the same operands in the same class, or what an analysis knows of its
// class or of an operand has changed since. A match without a new node was one
// in the last snapshot already.
//
// A node is a record of 32-bit words in one array, and its number is where the
// record begins. That number is also the name of the class it was made with:
//
//   marks, symbol | class | last parent | snapshot or next member |
//   (operand | next parent)*
//
// The parents of a class are a ring of operand slots, which two classes join in
// constant time. A node with two operands takes 32 bytes here, 12.4 in the
// snapshot (and 8 a class), and 6.4 to 12.8 in the hash table.
//===----------------------------------------------------------------------===//

class ClassAnalysis;

/// A node's number; numbers grow in the order in which nodes are made, but not
/// by ones.
using NodeId = uint32_t;
/// The number of a node of the class.
using ClassId = uint32_t;
using SymbolId = uint32_t;

class NodeTable {
public:
  /// A symbol with that many operands.
  SymbolId addSymbol(unsigned arity);
  unsigned getArity(SymbolId symbol) const { return arities[symbol]; }
  size_t getNumSymbols() const { return arities.size(); }

  /// The class of the node, which is made if it does not exist yet: the name that
  /// is valid now. std::nullopt if 31 bits don't suffice for another node, or
  /// the capacity, or the most nodes are there. Nothing is changed then.
  std::optional<ClassId> add(SymbolId symbol, llvm::ArrayRef<ClassId> operands);
  /// The class of the node, or std::nullopt if there is no such node.
  std::optional<ClassId> lookup(SymbolId symbol,
                                llvm::ArrayRef<ClassId> operands) const;

  /// The same in steps, each of which asks the memory for what the next one
  /// reads, so that many lookups wait together. The operands must be names that
  /// are valid now, and the table must stay as it is meanwhile. The third step
  /// has the answer, a name of the class, for which `find` is the fourth.
  uint64_t startLookup(SymbolId symbol,
                       llvm::ArrayRef<ClassId> operands) const {
    const uint64_t hash = hashNode(symbol, operands);
    nodes.prefetch(hash);
    return hash;
  }
  void continueLookup(uint64_t hash) const {
    if (std::optional<uint32_t> node = nodes.guess(hash))
      __builtin_prefetch(words.data() + *node);
  }
  std::optional<ClassId> finishLookup(uint64_t hash, SymbolId symbol,
                                      llvm::ArrayRef<ClassId> operands) const {
    std::optional<NodeId> node = findHashed(hash, symbol, operands);
    if (!node)
      return std::nullopt;
    const ClassId id = words[*node + kClass];
    __builtin_prefetch(words.data() + id);
    return id;
  }

  /// Says of how many words the records may be at most, rather than 2^31 - 1.
  void setCapacity(uint32_t words) {
    capacity = std::min<uint32_t>(words, kMask);
  }
  /// Says how many nodes `add` makes at most; returns what it was. `isFull`
  /// begins anew.
  size_t setMostNodes(size_t most) {
    hasTooManyNodes = hasTooManyWords = false;
    return std::exchange(mostNodes, most);
  }
  /// Whether a node could not be made, and whether that was for the most nodes.
  bool isFull() const { return hasTooManyNodes || hasTooManyWords; }
  bool isFullOfNodes() const { return hasTooManyNodes; }

  /// The name of a class that is valid now.
  ClassId find(ClassId id) const {
    while (words[id + kClass] != id)
      id = words[id + kClass];
    return id;
  }
  /// Says that two classes are equal. False if that was known, and where an
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

  /// Tells the analysis (TermGraph.h) what happens. It must be added before the
  /// first node and outlive the table's last change.
  void addAnalysis(ClassAnalysis *analysis) {
    assert(words.empty() && "facts begin with the first node");
    analyses.push_back(analysis);
  }
  bool hasAnalyses() const { return !analyses.empty(); }
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

  SymbolId getSymbol(NodeId node) const { return words[node] & kSymbolMask; }
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
  /// Gives the snapshot's memory back. There are no nodes of classes then.
  void forgetSnapshot();
  bool hasSnapshot() const { return !snapshot.empty(); }
  /// For each class its name and the number of words of its nodes, then for
  /// each of its nodes, sorted by symbol and age, the symbol and the operands.
  llvm::ArrayRef<uint32_t> getSnapshot() const { return snapshot; }
  /// The nodes of a class in the snapshot. `id` must have been a class's name.
  llvm::ArrayRef<uint32_t> getNodes(ClassId id) const {
    const uint32_t at = words[id + kSnapshot];
    return getSnapshot().slice(at + 2, snapshot[at + 1]);
  }
  /// Whether the node whose symbol, or some node of the class whose name, is
  /// there in the snapshot, is new.
  bool isNew(uint32_t at) const { return newWords.test(at); }
  bool hasNewNodes(ClassId id) const { return isNew(words[id + kSnapshot]); }

  //===--- members --------------------------------------------------------===//

  /// Links the nodes of each class to a ring, which merges join in rebuilds,
  /// and makes a list of nodes to be looked at: all of them, then those that
  /// are added, that got other operands, whose class lost its name, and that
  /// have to do with a class whose facts changed. The snapshot is given up.
  /// Requires isClean().
  void linkMembers();
  /// Ends this, as `takeSnapshot` does.
  void unlinkMembers();
  bool isLinked() const { return isLinkedToMembers; }
  /// The next node of the class, which may be dead. The ring goes through the
  /// class's name.
  NodeId getNextMember(NodeId node) const {
    return words[node + kSnapshot] & kMask;
  }
  /// Takes out the node after this one; it must be dead and no class's name.
  void skipNextMember(NodeId node) {
    uint32_t &next = words[node + kSnapshot];
    next = (next & kMark) | getNextMember(next & kMask);
  }
  /// Whether the node is on the list.
  bool isWaiting(NodeId node) const { return words[node + kSnapshot] & kMark; }
  /// Takes a node that is alive from the list, of those that came last the
  /// first; std::nullopt if the list is empty.
  std::optional<NodeId> takeWaiting();
  /// Puts a node onto the list.
  void wait(NodeId node);

  /// The node, alive or not, with this symbol and these operands, whose names
  /// must be those that the records have.
  std::optional<NodeId> findNode(SymbolId symbol,
                                 llvm::ArrayRef<ClassId> operands) const;
  /// The operands that are in a class are a ring of slots, which begins after
  /// the last one: std::nullopt, or the last.
  std::optional<uint32_t> getLastSlot(ClassId id) const {
    const uint32_t last = words[id + kLastParent];
    return last == kNone ? std::nullopt : std::optional<uint32_t>(last);
  }
  uint32_t getNextSlot(uint32_t slot) const { return words[slot]; }
  /// Takes out the slot after this one; its node must be dead, and it not the
  /// last one.
  void skipNextSlot(uint32_t slot) { words[slot] = words[words[slot]]; }
  /// The node that an operand's slot belongs to.
  NodeId getParent(uint32_t slot) const;
  /// The number of the operand.
  static unsigned getOperandNumber(uint32_t slot, NodeId parent) {
    return (slot - parent - kHeader) / 2;
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
    /// On a symbol: the node is new, or what is known of the class with this
    /// name, since the last snapshot.
    kNewNode = uint32_t(1) << 30,
    kNewFact = uint32_t(1) << 29,
    kSymbolMask = kNewFact - 1,
    kNone = ~uint32_t(0),
  };

  /// One step of a hash: a multiplication to 128 bits, both halves of it.
  static uint64_t mix(uint64_t state, uint32_t word) {
    const auto product =
        static_cast<unsigned __int128>(state ^ word) * 0x9E3779B97F4A7C15u;
    return static_cast<uint64_t>(product) ^
           static_cast<uint64_t>(product >> 64);
  }
  static uint64_t hashNode(SymbolId symbol, llvm::ArrayRef<ClassId> operands) {
    uint64_t state = mix(0x243F6A8885A308D3u, symbol);
    for (ClassId operand : operands)
      state = mix(state, operand);
    return mix(state, 0);
  }

  /// As `find`, and makes the way shorter for the next one. After a snapshot,
  /// each node names its class itself: one whose way gets shorter is new.
  ClassId shorten(ClassId id);
  uint64_t hash(NodeId node) const;
  std::optional<NodeId> findHashed(uint64_t hash, SymbolId symbol,
                                   llvm::ArrayRef<ClassId> operands) const;
  void insert(uint64_t hash, NodeId node);
  void erase(NodeId node);
  void addParent(ClassId id, uint32_t slot);
  bool hasFewerParents(ClassId a, ClassId b) const;
  void repair(NodeId node);
  /// Two names, both valid, become one.
  void join(ClassId a, ClassId b);
  void rebuildParents(ClassId id);
  void propagate(ClassId id);
  void waitForMembers(ClassId id);

  llvm::SmallVector<uint16_t, 0> arities;
  uint32_t capacity = kMask;
  size_t mostNodes = ~size_t(0);
  bool hasTooManyNodes = false, hasTooManyWords = false;
  /// The records, one after the other.
  llvm::SmallVector<uint32_t, 0> words;
  /// Those that are alive.
  NodeSet nodes;
  /// Classes that lost their names and whose parents don't know it.
  llvm::SmallVector<ClassId, 0> lost;
  size_t numNodes = 0, numClasses = 0;
  llvm::SmallVector<ClassAnalysis *, 1> analyses;
  /// Classes whose facts changed.
  llvm::SmallVector<ClassId, 0> changes;
  size_t numRefusals = 0, numContradictions = 0;
  std::optional<Refusal> refusal, contradiction;
  llvm::SmallVector<uint32_t, 0> snapshot;
  /// A bit for each word of the snapshot.
  llvm::BitVector newWords;
  bool isLinkedToMembers = false;
  /// Nodes to be looked at; those from `newest` on have come since the last was
  /// taken.
  llvm::SmallVector<NodeId, 0> waiting;
  size_t newest = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_NODETABLE_H
