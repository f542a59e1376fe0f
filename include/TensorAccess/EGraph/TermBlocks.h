//===- TermBlocks.h - Blocks into terms, and back ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block is read into a graph of terms, and what was chosen of the graph is
// written back. Ops without side effects become nodes; all others stay where
// they are, and what they return, as what comes from outside of the block, is a
// leaf. Such an op that uses terms is a *user*: its terms are wanted just
// before it. Ops in other blocks that use terms count for the terminator of
// this one, or for the op of this block that holds them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_TERMBLOCKS_H
#define TENSORACCESS_EGRAPH_TERMBLOCKS_H

#include "TensorAccess/EGraph/TermGraph.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

/// Whether an op can be a node: it has results, no side effects, no successors,
/// and names nothing.
bool isTerm(Operation *op);

/// Whether `importBlock` makes a node of an op: `isNode` says so, and it does not
/// read too many values for a node.
bool becomesNode(Operation *op, llvm::function_ref<bool(Operation *)> isNode);

struct TermBlock {
  struct User {
    /// The op before which the terms are wanted.
    Operation *op = nullptr;
    /// Values of terms, in the order of their use.
    SmallVector<Value, 2> values;
  };
  /// In the order of the block.
  SmallVector<Operation *, 0> terms;
  SmallVector<User, 0> users;
  /// Of the values of terms, and of leaves that terms use.
  llvm::DenseMap<Value, ClassId> classes;
  /// The node of each term; of equal terms it is the same.
  llvm::DenseMap<Operation *, NodeId> nodes;
  /// The ops that became a node, in their order, by a hash of the symbol and
  /// the operands that they had.
  llvm::DenseMap<uint64_t, SmallVector<Operation *, 1>> ops;
};

/// Reads a block. `isNode` says which ops are nodes. Values that are in `known`
/// have these classes. None where the graph is full.
std::optional<TermBlock>
importBlock(TermGraph &graph, Block &block,
            llvm::function_ref<bool(Operation *)> isNode = isTerm,
            const llvm::DenseMap<Value, ClassId> *known = nullptr);

/// The classes of a block's terms as far as they are in the graph, which stays
/// as it is.
llvm::DenseMap<Value, ClassId>
lookupBlock(TermGraph &graph, Block &block,
            const llvm::DenseMap<Value, ClassId> &known,
            llvm::function_ref<bool(Operation *)> isNode = isTerm);

/// The node that a class was given, or none.
using TermChoice = std::function<std::optional<NodeId>(ClassId)>;

/// Writes terms. What a builder made once, it uses again: it is to be used at
/// points of one block in their order. Ops of `block`, if given, are used where
/// they are what would be made and come before. What is made for a class that
/// the block has has the location that it has there, and so has what it needs.
class TermBuilder {
public:
  TermBuilder(TermGraph &graph, TermChoice choice,
              const TermBlock *block = nullptr);

  /// The values of a class at the builder's place. None, and `problem`, where a
  /// class was given no node, or needs itself.
  std::optional<ArrayRef<Value>> build(OpBuilder &builder, Location loc,
                                       ClassId id, std::string &problem);

  /// Ops that were made.
  unsigned getNumMade() const { return ops.size(); }
  /// For each node that ops were made for, the last of them.
  ArrayRef<Operation *> getOps() const { return ops; }

private:
  Operation *findExisting(OpBuilder &builder, SymbolId symbol,
                          ArrayRef<Value> operands) const;

  TermGraph &graph;
  TermChoice choice;
  const TermBlock *block;
  llvm::DenseMap<ClassId, SmallVector<Value, 1>> made;
  SmallVector<Operation *, 0> ops;
  /// Of the classes of the block's terms, those of the first ones.
  llvm::DenseMap<ClassId, Location> locations;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_TERMBLOCKS_H
