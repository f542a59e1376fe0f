//===- NodeSet.h - Nodes by their hashes ------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash table of a NodeTable: numbers of nodes in chunks of one cache line,
//
//   12 tags | how many passed | 12 nodes
//
// A tag is 0 where nothing is, else the hash's upper bits. A node goes to the
// chunk that its hash says or, where that is full, to the one after; each full
// chunk counts the nodes that passed it. So a search that finds a chunk that
// nobody passed ends there, and taking a node out leaves nothing behind. All
// tags of a chunk are compared at once.
//
// (Chunks with counts of what passed are those of Folly's F14.)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_NODESET_H
#define TENSORACCESS_EGRAPH_NODESET_H

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::tensoraccess {

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

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_NODESET_H
