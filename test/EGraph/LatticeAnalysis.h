//===- LatticeAnalysis.h - Facts of a semilattice ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_EGRAPH_LATTICEANALYSIS_H
#define TENSORACCESS_TEST_EGRAPH_LATTICEANALYSIS_H

#include "TensorAccess/EGraph/TermGraph.h"

namespace mlir::tensoraccess {

/// Facts with a least upper bound. Data is copied freely.
///
///   class Constants : public LatticeAnalysis<std::optional<int64_t>> {
///     Data make(const NodeTable &table, NodeId node) override;
///     bool join(Data &to, const Data &from) override;
///   };
///   Constants constants;
///   table.addAnalysis(&constants);
///   ... constants.get(table, id)
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

#endif // TENSORACCESS_TEST_EGRAPH_LATTICEANALYSIS_H
