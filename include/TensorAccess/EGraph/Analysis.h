//===- Analysis.h - What is known of classes --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An *analysis* keeps a fact of each class: a type, a constant, an interval.
// The table tells it what happens:
//
//   made      a node is there that was not; it is alone in its class;
//   mayMerge  somebody says that two classes are equal; if the facts contradict
//             each other the analysis says why, and the merge is *refused*;
//   merged    two classes become one, whose fact is that of both;
//   updated   the fact of an operand's class has changed;
//   modify    the fact of the class has changed, and may be made a node.
//
// An analysis that changes a fact says so by `NodeTable::changed`. The rebuild
// takes the classes that changed one by one, after the merges: it calls
// `modify` for the class, and `updated` for each of its parents. It ends, since
// facts only grow and have no infinite chains.
//
// Two equal nodes are in one class whatever an analysis says. If it refuses,
// rules or terms are wrong: the classes are merged, the fact of one of them is
// forgotten, and the table counts a *contradiction*.
//
// `LatticeAnalysis` does this for facts of a semilattice:
//
//   class Constants : public LatticeAnalysis<std::optional<int64_t>> {
//     Data make(NodeTable &table, NodeId node) override;
//     bool join(Data &to, const Data &from) override;
//   };
//   Constants constants;
//   table.addAnalysis(&constants);
//   ... constants.get(table, id)
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_ANALYSIS_H
#define TENSORACCESS_EGRAPH_ANALYSIS_H

#include "TensorAccess/EGraph/NodeTable.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace mlir::tensoraccess {

class ClassAnalysis {
public:
  virtual ~ClassAnalysis() = default;

  /// A new node. The name of its class is `node`, and those of its operands'
  /// classes are valid.
  virtual void made(NodeTable &table, NodeId node) = 0;

  /// Whether two classes can be equal; false, and why they can't. Both names
  /// are valid.
  virtual bool mayMerge(const NodeTable &table, ClassId a, ClassId b,
                        std::string &why) {
    return true;
  }

  /// Two classes become one, which keeps the name `winner`. Both names are
  /// valid still. Told also where `mayMerge` said no and congruence says that
  /// they are equal.
  virtual void merged(NodeTable &table, ClassId winner, ClassId loser) = 0;

  /// The fact of a class among the node's operands has changed. Names of
  /// operands have to be looked up with `NodeTable::find`.
  virtual void updated(NodeTable &table, NodeId node, ClassId id) {}

  /// The fact of the class has changed. Nodes may be added and merged here.
  virtual void modify(NodeTable &table, ClassId id) {}
};

/// Facts with a least upper bound. Data is copied freely.
template <typename T>
class LatticeAnalysis : public ClassAnalysis {
public:
  using Data = T;

  /// The fact of a class, by any of its names.
  const Data &get(const NodeTable &table, ClassId id) const {
    return facts.find(table.find(id))->second;
  }

  /// What a node says of its class, from the facts of its operands.
  virtual Data make(const NodeTable &table, NodeId node) = 0;
  /// Takes what `from` says into `to`; true if that changed `to`.
  virtual bool join(Data &to, const Data &from) = 0;
  /// Whether both can be said of one class; false, and why not.
  virtual bool agree(const Data &a, const Data &b, std::string &why) {
    return true;
  }
  /// Whether a class with this fact alone is to be given to `modify`.
  virtual bool isModified(const Data &data) { return false; }

  void made(NodeTable &table, NodeId node) override {
    Data data = make(table, node);
    const bool isChanged = isModified(data);
    facts.insert_or_assign(node, std::move(data));
    if (isChanged)
      table.changed(node);
  }
  bool mayMerge(const NodeTable &table, ClassId a, ClassId b,
                std::string &why) override {
    return agree(get(table, a), get(table, b), why);
  }
  void merged(NodeTable &table, ClassId winner, ClassId loser) override {
    auto from = facts.find(loser);
    Data &to = facts.find(winner)->second;
    std::string why;
    if (agree(to, from->second, why)) {
      // The loser's parents may know less than the winner's, too.
      const bool isNews = join(from->second, to);
      if (join(to, from->second) || isNews)
        table.changed(winner);
    }
    facts.erase(from);
  }
  void updated(NodeTable &table, NodeId node, ClassId id) override {
    Data data = make(table, node);
    Data &known = facts.find(id)->second;
    std::string why;
    if (!agree(known, data, why))
      table.contradict(id, id, why);
    else if (join(known, data))
      table.changed(id);
  }

private:
  llvm::DenseMap<ClassId, Data> facts;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_ANALYSIS_H
