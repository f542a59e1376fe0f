//===- EGraphJson.h - E-graphs as text --------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The JSON that tools for e-graphs exchange (that of the crate
// egraph-serialize), and a picture of the same.
//
//   {"nodes": {"0.0": {"op": "f", "children": ["1.0"], "eclass": "0",
//                      "cost": 2.0, "subsumed": false}, ...},
//    "root_eclasses": ["0"],
//    "class_data": {"0": {"type": "i32", ...}}}
//
// A child is any node of the class that is meant. `children` is empty, `cost`
// is 1 and `subsumed` false where left out, `root_eclasses` and `class_data`
// may be left out, too. Other members are ignored.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_EGRAPHJSON_H
#define TENSORACCESS_EGRAPH_EGRAPHJSON_H

#include "TensorAccess/EGraph/Extraction.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <map>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::tensoraccess {

/// An e-graph with names and costs.
struct SerializedEGraph {
  struct Node {
    std::string name, op;
    double cost = 1;
    /// Another node stands for it: it is never chosen.
    bool isSubsumed = false;
  };
  struct Class {
    std::string name;
    /// What is known of the class, as its `type`.
    std::map<std::string, std::string> data;
  };

  ExtractionGraph graph;
  /// Of the graph's nodes and classes.
  std::vector<Node> nodes;
  std::vector<Class> classes;
  std::vector<uint32_t> roots;

  /// For extraction: infinite for nodes that are subsumed.
  std::vector<double> getCosts() const;
};

/// What a table's numbers stand for.
struct SerializationNames {
  /// Required.
  std::function<std::string(SymbolId)> symbol;
  /// 1 where left out. A node whose cost is infinite is subsumed.
  std::function<double(NodeId)> cost;
  /// The `type` of a class, or nothing. May be left out.
  std::function<std::string(ClassId)> type;
};

/// The nodes of a table that is clean. A class is called after its number in
/// the graph, its nodes are `class.0`, `class.1`, and so on. A root must be a
/// class.
SerializedEGraph serialize(const NodeTable &table,
                           llvm::ArrayRef<ClassId> roots,
                           const SerializationNames &names);

/// Reads the JSON above. None, and `problem` with line and column, for what is
/// no JSON or not of this form, and for children and classes that there aren't.
/// Nodes are numbered as in the text, and classes as their first nodes.
std::optional<SerializedEGraph> readEGraphJson(llvm::StringRef text,
                                               std::string &problem);

/// Writes the JSON above, a node a line. False, and `problem`, where JSON
/// cannot say it: costs that are infinite or no number, children without nodes,
/// and names that are not unique. Nothing is written then.
bool writeEGraphJson(const SerializedEGraph &egraph, llvm::raw_ostream &os,
                     std::string &problem);

/// Writes a picture for Graphviz: a dashed box for each class, thick for roots,
/// with its type; in it the nodes, long labels cut short, from which arrows
/// lead to their children, in their order. Nodes that `choice`, where it is
/// given, has chosen are filled.
void writeEGraphDot(const SerializedEGraph &egraph, llvm::raw_ostream &os,
                    llvm::ArrayRef<uint32_t> choice = {});

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_EGRAPHJSON_H
