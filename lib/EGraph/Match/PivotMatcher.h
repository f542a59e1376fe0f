//===- PivotMatcher.h - The matches that a node takes part in ---*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches of a pattern in a table whose members are linked, through one node,
// the *pivot*, that plays a certain element. Nodes are taken from the table's
// list one by one, and a match is found when the last of its nodes is taken:
//
//   1. The pivot's operands bind or are compared with the classes of elements.
//   2. From there the plan for the element goes on to elements next to those
//      that are known, to those with most that is known first:
//        Bind   a node of a class that is known: a member;
//        Join   a node over a class that is known: a parent;
//        Scan   any node, for a root that shares nothing with the others.
//      Where all operands and the symbol are known, the hash table tells.
//   3. Nodes that are still on the list are left out, and the pivot itself as
//      an element before the one that it plays: the match is found once, with
//      the pivot as the first of the elements that it can play.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_PIVOTMATCHER_H
#define TENSORACCESS_LIB_EGRAPH_PIVOTMATCHER_H

#include "TensorAccess/EGraph/Saturate.h"

namespace mlir::tensoraccess {

class PivotMatcher {
public:
  /// The elements are those of a pattern that MatchProgram has compiled.
  PivotMatcher(llvm::ArrayRef<Pattern::Element> elements, unsigned pivot);

  /// Whether a node with the symbol can be the pivot.
  bool accepts(SymbolId symbol) const {
    return elements[pivot].symbols->contains(symbol);
  }

  /// Calls `found` for each match in which `node` is the pivot, until it
  /// returns false. Dead nodes are taken out of rings. `found` may add to the
  /// table and merge, but not rebuild. Returns false if it was stopped.
  bool run(NodeTable &table, NodeId node,
           llvm::function_ref<bool(const Match &)> found);

private:
  enum class Opcode : uint8_t { Bind, Join, Scan };
  struct Step {
    unsigned element;
    bool isCompare;
  };
  struct Instruction {
    Opcode opcode;
    unsigned element;
    /// Of Join: the number of an operand that is known.
    unsigned operand = 0;
    /// The symbol is one and all operands are known.
    bool isLookup = false;
    llvm::SmallVector<Step, 3> steps;
  };

  void plan();
  /// Takes a node for the element if its operands agree with what is known.
  bool bind(const Instruction &instruction, NodeId node);
  /// Whether the node may play the element, and its operands agree.
  bool take(const Instruction &instruction, NodeId node);
  /// The matches from an instruction on; false to stop.
  bool search(size_t at);
  bool searchMembers(const Instruction &instruction, size_t at);
  bool searchParents(const Instruction &instruction, size_t at);
  bool searchHash(const Instruction &instruction, size_t at);
  bool searchAll(const Instruction &instruction, size_t at);

  llvm::SmallVector<Pattern::Element, 8> elements;
  unsigned pivot;
  /// What becomes of the pivot's operands.
  Instruction first;
  llvm::SmallVector<Instruction, 4> instructions;
  // Valid while it runs.
  NodeTable *table = nullptr;
  NodeId pivotNode = 0;
  llvm::function_ref<bool(const Match &)> found;
  llvm::SmallVector<ClassId, 16> classes;
  llvm::SmallVector<SymbolId, 16> symbolsFound;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_PIVOTMATCHER_H
