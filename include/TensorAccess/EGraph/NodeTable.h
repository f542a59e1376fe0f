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
// A tag is 0 for an empty slot, else the hash's upper bits. A node goes to the
// chunk that its hash selects or, if that is full, to the next one; each full
// chunk counts the nodes that passed it. So a search ends at the first chunk
// that no node passed, and erasing a node leaves no tombstone. All tags of a
// chunk are compared at once.
//
// (Chunks with overflow counts follow Folly's F14.)
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

  /// Prefetches what `guess` and `find` read first.
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
  /// Removes all nodes, and makes room for twice as many.
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

  /// Requires that the node is present.
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
// name of an operation, attributes, types) is known to the caller that created
// them.
//
//   NodeTable table;
//   SymbolId a = table.addSymbol(0), f = table.addSymbol(1);
//   ClassId x = table.add(a, {}), fx = table.add(f, {x}), ffx = table.add(f,
//   {fx}); table.merge(x, ffx); table.rebuild(); table.find(x) ==
//   table.find(ffx);            // and f(f(f(f(a)))) is in x
//
// Equality is a congruence: equal operands make equal nodes. `merge` only
// states that two classes are one; `rebuild` propagates the consequences:
//
//   1. Each node with an operand in a class that lost its name is removed from
//      the hash table and inserted again under the remaining name. The class
//      with fewer parents loses.
//   2. If an equal node is already present, the node is *dead*, and the two
//      classes are merged, too.
//   3. This ends when no class has lost its name; dead nodes are no longer in
//      the hash table.
//
// Matching reads the *snapshot* that `takeSnapshot` makes after a rebuild: a
// copy of the nodes of each class, sorted by symbol. Additions, merges and
// rebuilds do not change it, so that matches can be applied while others are
// still being searched for. Rebuilding in between limits what an iteration
// creates: a term that two matches create under names that turn out to be equal
// is then created once. `forgetSnapshot` frees its memory.
//
// A snapshot records for each node whether it is *new*: it was not in the last
// one with the same operands in the same class, or what an analysis knows about
// its class or an operand's has changed since. A match without a new node was
// already a match in the last snapshot.
//
// A node is a record of 32-bit words in one array, and its number is where the
// record begins. That number is also the name of the class it was created with:
//
//   marks, symbol | class | last parent | snapshot or next member |
//   (operand | next parent)*
//
// The parents of a class are a ring of operand slots, which two classes join in
// constant time. A node with two operands takes 32 bytes here, 12.4 in the
// snapshot (and 8 a class), and 6.4 to 12.8 in the hash table.
//===----------------------------------------------------------------------===//

class ClassAnalysis;

/// A node's number; numbers increase in order of creation, but are not
/// consecutive.
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

  /// The current name of the node's class; the node is created if it does not
  /// exist yet. std::nullopt if 31 bits don't suffice for another node, or if
  /// the capacity or the limit on nodes is reached. Nothing is changed then.
  std::optional<ClassId> add(SymbolId symbol, llvm::ArrayRef<ClassId> operands);
  /// The class of the node, or std::nullopt if there is no such node.
  std::optional<ClassId> lookup(SymbolId symbol,
                                llvm::ArrayRef<ClassId> operands) const;

  /// The same in steps, each of which prefetches what the next one reads, so
  /// that the latencies of many lookups overlap. The operands must be current
  /// names, and the table must not change meanwhile. The third step returns the
  /// answer, a name of the class; `find` is the fourth.
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

  /// Limits the words of all records, instead of 2^31 - 1.
  void setCapacity(uint32_t words) {
    capacity = std::min<uint32_t>(words, kMask);
  }
  /// Sets the most nodes that `add` creates; returns the previous limit. Resets
  /// `isFull`.
  size_t setMostNodes(size_t most) {
    hasTooManyNodes = hasTooManyWords = false;
    return std::exchange(mostNodes, most);
  }
  /// Whether a node could not be created, and whether the limit on nodes was
  /// why.
  bool isFull() const { return hasTooManyNodes || hasTooManyWords; }
  bool isFullOfNodes() const { return hasTooManyNodes; }

  /// The current name of a class.
  ClassId find(ClassId id) const {
    while (words[id + kClass] != id)
      id = words[id + kClass];
    return id;
  }
  /// States that two classes are equal. False if that was known, and if an
  /// analysis refuses it: nothing is changed then.
  bool merge(ClassId a, ClassId b);
  /// Propagates the consequences of all merges and changes of facts.
  void rebuild();
  /// Whether there are none to propagate.
  bool isClean() const { return lost.empty() && changes.empty(); }
  /// Merges and changes of facts whose consequences are still pending.
  size_t getNumLost() const { return lost.size() + changes.size(); }

  /// Distinct nodes, and distinct classes; exact after a rebuild.
  size_t getNumNodes() const { return numNodes; }
  size_t getNumClasses() const { return numClasses; }
  /// Bytes held by the table, including reserved memory.
  size_t getMemory() const;

  //===--- analyses -------------------------------------------------------===//

  /// Notifies the analysis (TermGraph.h) of changes. It must be added before
  /// the first node and outlive the table's last change.
  void addAnalysis(ClassAnalysis *analysis) {
    assert(words.empty() && "facts begin with the first node");
    analyses.push_back(analysis);
  }
  bool hasAnalyses() const { return !analyses.empty(); }
  /// Reports that the fact of a class has changed.
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
  /// Reports that facts contradict each other though the classes are equal, or
  /// the class is the same.
  void contradict(ClassId a, ClassId b, std::string why);
  /// The number of contradictions, and the first of them.
  size_t getNumContradictions() const { return numContradictions; }
  const std::optional<Refusal> &getContradiction() const {
    return contradiction;
  }

  //===--- nodes ----------------------------------------------------------===//

  SymbolId getSymbol(NodeId node) const { return words[node] & kSymbolMask; }
  /// Whether an equal node already existed.
  bool isDead(NodeId node) const { return words[node] & kMark; }
  unsigned getNumOperands(NodeId node) const {
    return arities[getSymbol(node)];
  }
  /// As of the last rebuild.
  ClassId getOperand(NodeId node, unsigned i) const {
    return words[node + kHeader + 2 * i] & kMask;
  }
  /// The first node, and the next one; getEnd() after the last.
  NodeId getBegin() const { return 0; }
  NodeId getNext(NodeId node) const {
    return node + kHeader + 2 * getNumOperands(node);
  }
  NodeId getEnd() const { return words.size(); }

  //===--- the snapshot ---------------------------------------------------===//

  /// Copies the live nodes, class by class. Requires isClean().
  void takeSnapshot();
  /// Frees the snapshot's memory. Classes then have no nodes to iterate.
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
  /// Whether the node whose symbol is at this position in the snapshot is new,
  /// or some node of the class whose name is.
  bool isNew(uint32_t at) const { return newWords.test(at); }
  bool hasNewNodes(ClassId id) const { return isNew(words[id + kSnapshot]); }

  //===--- members --------------------------------------------------------===//

  /// Links the nodes of each class into a ring, which merges join in rebuilds,
  /// and creates a worklist: all nodes, then those that are added, that got
  /// other operands, whose class lost its name, and that are related to a class
  /// whose facts changed. The snapshot is discarded. Requires isClean().
  void linkMembers();
  /// Ends this, as `takeSnapshot` does.
  void unlinkMembers();
  bool isLinked() const { return isLinkedToMembers; }
  /// The next node of the class, which may be dead. The ring contains the
  /// class's name.
  NodeId getNextMember(NodeId node) const {
    return words[node + kSnapshot] & kMask;
  }
  /// Unlinks the node after this one; it must be dead and not name a class.
  void skipNextMember(NodeId node) {
    uint32_t &next = words[node + kSnapshot];
    next = (next & kMark) | getNextMember(next & kMask);
  }
  /// Whether the node is on the worklist.
  bool isWaiting(NodeId node) const { return words[node + kSnapshot] & kMark; }
  /// Takes a live node from the worklist, oldest first among the most recent
  /// batch; std::nullopt if it is empty.
  std::optional<NodeId> takeWaiting();
  /// Puts a node on the worklist.
  void wait(NodeId node);

  /// The node, live or dead, with this symbol and these operands, whose names
  /// must be those in the records.
  std::optional<NodeId> findNode(SymbolId symbol,
                                 llvm::ArrayRef<ClassId> operands) const;
  /// The operands that are in a class form a ring of slots, which begins after
  /// the last one: std::nullopt, or the last.
  std::optional<uint32_t> getLastSlot(ClassId id) const {
    const uint32_t last = words[id + kLastParent];
    return last == kNone ? std::nullopt : std::optional<uint32_t>(last);
  }
  uint32_t getNextSlot(uint32_t slot) const { return words[slot]; }
  /// Unlinks the slot after this one; its node must be dead, and it must not be
  /// the last one.
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
    /// On a symbol: since the last snapshot, the node is new, or what is known
    /// about the class with this name.
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

  /// Like `find`, with path compression. After a snapshot, each node names its
  /// class directly: one whose path is shortened is new.
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
  /// The records, consecutively.
  llvm::SmallVector<uint32_t, 0> words;
  /// The live nodes.
  NodeSet nodes;
  /// Classes that lost their names, with parents still to be updated.
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
  /// The worklist; nodes from `newest` on were added since one was last taken.
  llvm::SmallVector<NodeId, 0> waiting;
  size_t newest = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_NODETABLE_H
