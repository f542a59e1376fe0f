//===- Extraction.h - Choosing terms ----------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EGRAPH_EXTRACTION_H
#define TENSORACCESS_EGRAPH_EXTRACTION_H

#include "TensorAccess/EGraph/NodeTable.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// The cheapest of equal terms
//
// To *extract* is to choose a node for each class that the roots need, without
// cycles. There are two kinds of cost:
//
//   tree   of a node by the costs of its children, by any function that is
//          never less than one of them; what is used twice counts twice;
//   DAG    the sum of the chosen nodes' costs; what is used twice counts once.
//
//   ExtractionGraph graph(table);
//   std::vector<double> costs(graph.getNumNodes(), 1);
//   std::string problem;
//   std::optional<Extraction> best =
//       extractDag(graph, costs, {graph.findClass(root)}, {}, problem);
//   table.getSymbol(graph.getTableNode(best->choice[cls]));
//
// `extractTree` is exact (Knuth 1977, a generalization of Dijkstra's algorithm:
// classes are settled in the order of their costs, and a node when its children
// are, so that cycles need no special handling). Minimal DAG cost is NP-hard:
// `extractDag` is a local search with a lower bound, `extractExact` an integer
// program.
//
// Invalid costs never lose the program. Each is reported as a fault, and
// extraction continues:
//
//   not a number, too large to be added up   the node is a last resort
//   negative                                 counted as 0
//   less than an operand's (tree)            counted as the operand's
//
// An infinite cost is not an error: such a node is never chosen. If a root then
// has no term, or only cyclic ones, extraction fails with a problem that names
// its class.
//===----------------------------------------------------------------------===//

/// Classes and nodes, numbered consecutively from 0. Cycles are allowed.
class ExtractionGraph {
public:
  static constexpr uint32_t kNone = ~uint32_t(0);

  ExtractionGraph() = default;
  /// The classes of a clean table, in the order of their names, and their
  /// nodes, in the order of creation.
  explicit ExtractionGraph(const NodeTable &table);

  uint32_t addClass() { return numClasses++; }
  /// `children` are classes, possibly repeated. They need not exist yet.
  uint32_t addNode(uint32_t cls, llvm::ArrayRef<uint32_t> children);

  uint32_t getNumClasses() const { return numClasses; }
  uint32_t getNumNodes() const { return classes.size(); }
  uint32_t getClass(uint32_t node) const { return classes[node]; }
  llvm::ArrayRef<uint32_t> getChildren(uint32_t node) const {
    return llvm::ArrayRef(children).slice(begins[node],
                                          begins[node + 1] - begins[node]);
  }

  /// The table's node that a node was created from.
  NodeId getTableNode(uint32_t node) const { return tableNodes[node]; }
  /// The class of that valid name, or kNone.
  uint32_t findClass(ClassId name) const;
  /// The name of a class in the table.
  ClassId getTableClass(uint32_t cls) const { return names[cls]; }

private:
  uint32_t numClasses = 0;
  std::vector<uint32_t> classes, begins{0}, children;
  std::vector<NodeId> tableNodes;
  /// Sorted.
  std::vector<ClassId> names;
};

/// What is wrong with the cost of a node.
struct CostFault {
  enum class Kind : uint8_t { NotANumber, Negative, TooLarge, BelowOperand };
  Kind kind;
  uint32_t node;
  double cost;
};

/// `the cost of node 3 must not be negative, got -1`. `name` returns the node's
/// name, by default `node 3`.
std::string describe(const CostFault &fault,
                     llvm::function_ref<std::string(uint32_t)> name = nullptr);

/// An acyclic choice of nodes.
struct Extraction {
  /// For each class its node, or kNone if there is none: in a tree extraction
  /// for classes without a term, else for classes that the roots don't need.
  std::vector<uint32_t> choice;
  /// The cost of the roots; infinite if a last resort was used, or if the cost
  /// of a tree extraction overflows.
  double cost = 0;
  /// No choice costs less than this.
  double lowerBound = 0;
  /// It is proven that no choice costs less, up to a millionth of the largest
  /// cost.
  bool isOptimal = false;
  /// In a tree extraction the cost of each class; infinite without a term.
  std::vector<double> classCosts;
  /// In the order of the nodes, each at most once.
  std::vector<CostFault> faults;

  /// The largest fraction of the cost that another choice could save: 0 to 1.
  double getGap() const {
    return cost > lowerBound ? 1 - lowerBound / cost : 0;
  }
};

/// The cost of a node from those of its children, in order. It must not
/// decrease if one of them increases.
using TreeCost =
    llvm::function_ref<double(uint32_t node, llvm::ArrayRef<double> children)>;

/// A term of least tree cost for every class that has one; among nodes that are
/// known to be equal, the one with the lower number. std::nullopt, and
/// `problem`, if a root has no term.
std::optional<Extraction> extractTree(const ExtractionGraph &graph,
                                      TreeCost cost,
                                      llvm::ArrayRef<uint32_t> roots,
                                      std::string &problem);

/// The same for a sum: the node's cost and those of its children.
std::optional<Extraction> extractTree(const ExtractionGraph &graph,
                                      llvm::ArrayRef<double> costs,
                                      llvm::ArrayRef<uint32_t> roots,
                                      std::string &problem);

struct DagOptions {
  /// How much is tried: about the number of passes over the graph. The result
  /// does not depend on the speed of the machine. 0 gives the tree extraction.
  double effort = 8;
  /// The most rounds for the lower bound; without rounds it is 0.
  unsigned boundRounds = 100;
  /// After that, the search and the bound end with what they have. If this
  /// takes effect, the result depends on the machine.
  double seconds = std::numeric_limits<double>::infinity();
};

/// A choice of low DAG cost: if the effort sufficed, the cost cannot be lowered
/// by giving one of its classes another node, nor by adding or removing a class
/// with its parents following. std::nullopt, and `problem`, if a root has no
/// term.
std::optional<Extraction> extractDag(const ExtractionGraph &graph,
                                     llvm::ArrayRef<double> costs,
                                     llvm::ArrayRef<uint32_t> roots,
                                     const DagOptions &options,
                                     std::string &problem);

struct ExactOptions {
  /// For the solver, which may take a tenth and half a second more. It runs in
  /// a separate process.
  double seconds = 10;
  /// For the preceding search.
  DagOptions search;
};

/// Whether `extractExact` was built in, and the solver is available.
bool isExactExtractionAvailable(std::string &problem);

/// A choice of least DAG cost by an integer program, or the best choice and
/// bound found within the time limit. std::nullopt, and `problem`, if a root
/// has no term and if there is no solver. If the time limit takes effect, the
/// result depends on the machine.
std::optional<Extraction> extractExact(const ExtractionGraph &graph,
                                       llvm::ArrayRef<double> costs,
                                       llvm::ArrayRef<uint32_t> roots,
                                       const ExactOptions &options,
                                       std::string &problem);

} // namespace mlir::tensoraccess

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// E-graphs as text
//
// The JSON that e-graph tools exchange (defined by the crate egraph-serialize),
// and a picture of the same.
//
//   {"nodes": {"0.0": {"op": "f", "children": ["1.0"], "eclass": "0",
//                      "cost": 2.0, "subsumed": false}, ...},
//    "root_eclasses": ["0"],
//    "class_data": {"0": {"type": "i32", ...}}}
//
// A child is given as any node of its class. `subsumed` defaults to false.
//===----------------------------------------------------------------------===//

/// An e-graph with names and costs.
struct SerializedEGraph {
  struct Node {
    std::string name, op;
    double cost = 1;
    /// Represented by another node: it is never chosen.
    bool isSubsumed = false;
  };
  struct Class {
    std::string name;
    /// What is known about the class, such as its `type`.
    std::map<std::string, std::string> data;
  };

  ExtractionGraph graph;
  /// Parallel to the graph's nodes and classes.
  std::vector<Node> nodes;
  std::vector<Class> classes;
  std::vector<uint32_t> roots;

  /// For extraction: infinite for subsumed nodes.
  std::vector<double> getCosts() const;
};

/// Names for a table's numbers.
struct SerializationNames {
  /// Required.
  std::function<std::string(SymbolId)> symbol;
  /// 1 by default. A node whose cost is infinite is subsumed.
  std::function<double(NodeId)> cost;
  /// The `type` of a class, or empty. Optional.
  std::function<std::string(ClassId)> type;
};

/// The nodes of a clean table. A class is named after its number in the graph,
/// its nodes are `class.0`, `class.1`, and so on. A root must be a class.
SerializedEGraph serialize(const NodeTable &table,
                           llvm::ArrayRef<ClassId> roots,
                           const SerializationNames &names);

/// Writes the JSON above, one node per line. False, and `problem`, if JSON
/// cannot represent it: costs that are infinite or not a number, children
/// without nodes, and names that are not unique. Nothing is written then.
bool writeEGraphJson(const SerializedEGraph &egraph, llvm::raw_ostream &os,
                     std::string &problem);

/// Writes a picture for Graphviz: a dashed box for each class, thick for roots,
/// with its type; in it the nodes, with long labels truncated, and arrows to
/// their children, in order. Nodes in `choice`, if given, are filled.
void writeEGraphDot(const SerializedEGraph &egraph, llvm::raw_ostream &os,
                    llvm::ArrayRef<uint32_t> choice = {});

//===----------------------------------------------------------------------===//
// Terms for other tools
//
// Names the nodes of a graph of terms in JSON and in pictures.
//===----------------------------------------------------------------------===//

/// An operation's name and what distinguishes it from others of that name: the
/// value of a constant, or its attributes except flags that are all unset:
/// `arith.constant 2`, `tensoraccess.compute {kind = dot_prod}`. Elements of
/// large constants are omitted. Other symbols as they describe themselves.
std::string labelSymbol(const TermGraph &graph, SymbolId symbol);

/// The nodes of a graph, whose table is clean, with their labels, and the types
/// of classes. Operations and views cost 1, arguments and projections of
/// results nothing; nodes that operations can't be built for are subsumed.
SerializedEGraph serialize(const TermGraph &graph,
                           llvm::ArrayRef<ClassId> roots);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EGRAPH_EXTRACTION_H
