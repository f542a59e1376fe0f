//===- MatchGroup.h - Matches that are looked at together -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most matches of a rule find what is known, and most of the time they take goes
// by waiting for memory: the hash table's chunk, then the node's record, for
// each node of the term, all of them somewhere in a table larger than any cache.
// A group of matches of one rule waits for all of them at once:
//
//   1. For each match: the hash of the term's first node, and the memory is
//      asked for its chunk.
//   2. For each match: the chunk names a node, and the memory is asked for its
//      record.
//   3. For each match: the node's class, if the node is there, and the memory is
//      asked for its record, which has the present name of the class.
//   4. The same for the next node, whose operands are known by then.
//   5. Where the whole term is there, in the class that it replaces, the match
//      finds what is known. This stays so whatever is added or merged meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_MATCHGROUP_H
#define TENSORACCESS_LIB_EGRAPH_MATCHGROUP_H

#include "TensorAccess/EGraph/Saturate.h"

namespace mlir::tensoraccess {

class MatchGroup {
public:
  /// Of matches with that many elements, whose rule has a replacement.
  MatchGroup(const Replacement &replacement)
      : replacement(replacement),
        width(replacement.numElements + replacement.term.nodes.size()) {}

  bool isFull() const { return size == kSize; }
  unsigned getSize() const { return size; }
  void clear() { size = 0; }
  void push(llvm::ArrayRef<ClassId> classes) {
    std::copy(classes.begin(), classes.end(), getRow(size++));
  }
  /// The classes of a match's elements.
  llvm::ArrayRef<ClassId> get(unsigned i) const {
    return {rows.data() + i * width, replacement.numElements};
  }

  /// Asks the table about all of the matches.
  void look(const NodeTable &table);
  /// Whether a match finds what was known then.
  bool isKnown(unsigned i) const { return known[i]; }

private:
  static constexpr unsigned kSize = 16;

  ClassId *getRow(unsigned i) { return rows.data() + i * width; }

  const Replacement &replacement;
  /// Elements and nodes of the term.
  const size_t width;
  unsigned size = 0;
  /// For each match the classes of its elements, then of the term's nodes.
  llvm::SmallVector<ClassId, 0> rows =
      llvm::SmallVector<ClassId, 0>(kSize * width);
  bool known[kSize];
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_MATCHGROUP_H
