//===- Matcher.h - Patterns on a table of nodes -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *term pattern* is a tree of nodes over variables; equal variables are equal
// classes. A pattern has one or more of them that share variables:
//
//   Pattern pattern;
//   unsigned x = pattern.addVariable(), y = pattern.addVariable();
//   unsigned sum = pattern.addNode(plus, {x, y});        // (plus ?x ?y)
//   pattern.addRoot(sum);
//   MatchProgram program(pattern);
//
// A node's symbol is described by a *symbol set*, a predicate that is asked
// once for each symbol, so that attributes and types can be part of it.
//
// The program walks the snapshot of a table (NodeTable.h):
//
//   Scan    every node whose symbol is in a set;
//   Bind    every node of a class that is known, whose symbol is in a set;
//   Join    every node, whose symbol is in a set, that has known classes as
//           certain operands.
//
// A node that is found binds or compares the classes of its operands at once.
// Of several roots, the one with the fewest nodes is scanned. A later one is
// joined through an index of its nodes by all operands that are known by then;
// it is scanned only where none is. Which of them comes next is decided anew
// each time, by the number of nodes that there are to be looked at: the fewest
// come first, as in a generic join.
//
// A match is given to a function that may change the table at once: the
// snapshot stays as it was. Nothing is collected.
//
// Matching may be *incremental* (semi-naive): it finds the matches with a new
// node (NodeTable.h), in the order in which it finds all. The last node of a
// match without another new one is looked for among the new nodes of its class.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_MATCHER_H
#define TENSORACCESS_EGRAPH_MATCHER_H

#include "TensorAccess/EGraph/NodeTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace mlir::tensoraccess {

/// Symbols with a property. The property of a symbol must not change.
class SymbolSet {
public:
  explicit SymbolSet(std::function<bool(SymbolId)> predicate)
      : predicate(std::move(predicate)) {}
  /// One symbol.
  explicit SymbolSet(SymbolId symbol) : single(symbol) {}

  /// The symbol, if it was made of one.
  std::optional<SymbolId> getSingle() const { return single; }

  bool contains(SymbolId symbol) {
    if (single)
      return symbol == *single;
    if (symbol >= known.size())
      extend(symbol);
    return known[symbol];
  }

private:
  void extend(SymbolId symbol);

  std::optional<SymbolId> single;
  std::function<bool(SymbolId)> predicate;
  llvm::SmallVector<bool, 0> known;
};

class Pattern {
public:
  /// A variable: any class.
  unsigned addVariable();
  /// A node over earlier elements. Its symbols all have that many operands.
  unsigned addNode(std::shared_ptr<SymbolSet> symbols,
                   llvm::ArrayRef<unsigned> operands);
  unsigned addNode(SymbolId symbol, llvm::ArrayRef<unsigned> operands) {
    return addNode(std::make_shared<SymbolSet>(symbol), operands);
  }
  /// Makes a node, which is no operand of another, a root.
  void addRoot(unsigned node) { roots.push_back(node); }

  struct Element {
    /// Null for a variable.
    std::shared_ptr<SymbolSet> symbols;
    llvm::SmallVector<unsigned, 3> operands;
  };
  llvm::ArrayRef<Element> getElements() const { return elements; }
  llvm::ArrayRef<unsigned> getRoots() const { return roots; }

private:
  llvm::SmallVector<Element, 8> elements;
  llvm::SmallVector<unsigned, 1> roots;
};

/// Where the elements of a pattern were found.
struct Match {
  /// For each element its class: a name that was valid in the snapshot.
  llvm::ArrayRef<ClassId> classes;
  /// For each element that is a node its symbol.
  llvm::ArrayRef<SymbolId> symbols;
  /// Whether a node of it is new in the snapshot.
  bool isNew = true;
};

class MatchProgram {
public:
  /// None, and `problem`, for a pattern without a root, with a root that is no
  /// node or an operand of another, and with an element that no root has.
  static std::optional<MatchProgram> compile(const Pattern &pattern,
                                             std::string &problem);

  /// Calls `found` for each match in the table's snapshot, in an order that
  /// depends on the table only, until it returns false. `found` may change the
  /// table, but not take a snapshot. Returns false if it was stopped.
  /// `onlyNew` leaves out the matches that are not new. `goOn`, which stops it,
  /// too, is asked now and then, also where there are no matches.
  bool run(const NodeTable &table,
           llvm::function_ref<bool(const Match &)> found, bool onlyNew = false,
           llvm::function_ref<bool()> goOn = nullptr) const;

  /// Those of the pattern.
  llvm::ArrayRef<Pattern::Element> getElements() const { return elements; }

private:
  enum class Opcode : uint8_t { Scan, Bind, Join };
  /// What becomes of the class of an operand.
  struct Step {
    unsigned element;
    /// It is known already, and must be the same.
    bool isCompare;
  };
  struct Instruction {
    Opcode opcode;
    /// The element that is found.
    unsigned element;
    llvm::SmallVector<Step, 3> steps;
  };
  /// A root, as number `root`, and the nodes below it that are not found yet.
  struct Block {
    unsigned root;
    llvm::SmallVector<Instruction, 4> instructions;
    /// The block's index (of Join), and the state after it.
    unsigned index = 0, next = 0;
  };
  /// Roots that were found, and what may be next.
  struct State {
    llvm::SmallVector<Block, 1> blocks;
  };
  /// The nodes for a root by operands.
  struct IndexKey {
    unsigned element;
    llvm::SmallVector<unsigned, 2> operands;
  };
  class Search;

  unsigned addState(llvm::ArrayRef<unsigned> roots,
                    const std::vector<bool> &isFound,
                    const llvm::BitVector &hasClass,
                    const llvm::BitVector &hasNode,
                    std::map<std::vector<bool>, unsigned> &known);
  Block makeBlock(unsigned root, llvm::BitVector &hasClass,
                  llvm::BitVector &hasNode);

  llvm::SmallVector<Pattern::Element, 8> elements;
  size_t numNodes = 0;
  /// The first one is that before all roots.
  std::vector<State> states;
  std::vector<IndexKey> indices;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_MATCHER_H
