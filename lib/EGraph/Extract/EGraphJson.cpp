//===- EGraphJson.cpp - E-graphs as text ----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What JSON cannot express is found before anything is written.
//
//===----------------------------------------------------------------------===//

#include "Graph/PrintNumber.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::tensoraccess;
using detail::printNumber;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

std::vector<double> SerializedEGraph::getCosts() const {
  std::vector<double> costs;
  for (const Node &node : nodes)
    costs.push_back(node.isSubsumed ? std::numeric_limits<double>::infinity()
                                    : node.cost);
  return costs;
}

SerializedEGraph
mlir::tensoraccess::serialize(const NodeTable &table, ArrayRef<ClassId> roots,
                              const SerializationNames &names) {
  SerializedEGraph result;
  result.graph = ExtractionGraph(table);
  const ExtractionGraph &graph = result.graph;
  for (uint32_t cls = 0; cls != graph.getNumClasses(); ++cls) {
    result.classes.push_back({std::to_string(cls), {}});
    if (!names.type)
      continue;
    if (std::string type = names.type(graph.getTableClass(cls)); !type.empty())
      result.classes.back().data["type"] = std::move(type);
  }
  std::vector<uint32_t> counts(graph.getNumClasses());
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node) {
    const uint32_t cls = graph.getClass(node);
    const NodeId origin = graph.getTableNode(node);
    const double cost = names.cost ? names.cost(origin) : 1.0;
    const bool isSubsumed = cost == std::numeric_limits<double>::infinity();
    result.nodes.push_back({formatv("{0}.{1}", cls, counts[cls]++),
                            names.symbol(table.getSymbol(origin)),
                            isSubsumed ? 1.0 : cost, isSubsumed});
  }
  for (ClassId root : roots)
    result.roots.push_back(graph.findClass(table.find(root)));
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The text is converted to UTF-8.
static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << llvm::json::Value(llvm::json::isUTF8(text) ? text.str()
                                                   : llvm::json::fixUTF8(text));
  return result;
}

/// The first node of each class.
static std::vector<uint32_t> getFirstNodes(const ExtractionGraph &graph) {
  std::vector<uint32_t> first(graph.getNumClasses(), ExtractionGraph::kNone);
  for (uint32_t node = graph.getNumNodes(); node-- != 0;)
    first[graph.getClass(node)] = node;
  return first;
}

static bool verifyRows(const SerializedEGraph &egraph, ArrayRef<uint32_t> first,
                       std::string &problem) {
  const ExtractionGraph &graph = egraph.graph;
  auto areUnique = [&](const auto &things, const char *what) {
    llvm::StringMap<char> names;
    for (const auto &thing : things)
      if (!names.try_emplace(thing.name).second) {
        problem = formatv("{0} '{1}' appears twice", what, thing.name);
        return false;
      }
    return true;
  };
  if (!areUnique(egraph.nodes, "node") || !areUnique(egraph.classes, "class"))
    return false;
  for (auto [number, node] : llvm::enumerate(egraph.nodes)) {
    if (!std::isfinite(node.cost)) {
      problem = formatv("the cost of node '{0}' must be finite, got {1}",
                        node.name, printNumber(node.cost));
      return false;
    }
    for (uint32_t child : graph.getChildren(number))
      if (child >= first.size() || first[child] == ExtractionGraph::kNone) {
        problem = formatv("node '{0}' has a child without a node", node.name);
        return false;
      }
  }
  for (uint32_t root : egraph.roots)
    if (root >= first.size() || first[root] == ExtractionGraph::kNone) {
      problem = "a root has no node";
      return false;
    }
  return true;
}

bool mlir::tensoraccess::writeEGraphJson(const SerializedEGraph &egraph,
                                         llvm::raw_ostream &os,
                                         std::string &problem) {
  const std::vector<uint32_t> first = getFirstNodes(egraph.graph);
  if (!verifyRows(egraph, first, problem))
    return false;
  auto list = [&](const auto &elements, auto print) {
    llvm::interleave(elements, os, print, ", ");
  };
  os << "{\n  \"nodes\": {";
  StringRef separator = "\n";
  for (auto [number, node] : llvm::enumerate(egraph.nodes)) {
    os << separator << "    " << quote(node.name)
       << ": {\"op\": " << quote(node.op) << ", \"children\": [";
    list(egraph.graph.getChildren(number),
         [&](uint32_t child) { os << quote(egraph.nodes[first[child]].name); });
    os << "], \"eclass\": "
       << quote(egraph.classes[egraph.graph.getClass(number)].name)
       << ", \"cost\": " << printNumber(node.cost)
       << (node.isSubsumed ? ", \"subsumed\": true}" : "}");
    separator = ",\n";
  }
  os << "\n  },\n  \"root_eclasses\": [";
  list(egraph.roots,
       [&](uint32_t root) { os << quote(egraph.classes[root].name); });
  os << "],\n  \"class_data\": {";
  separator = "\n";
  for (auto [cls, info] : llvm::enumerate(egraph.classes)) {
    // A class without nodes is in no other table either.
    if (info.data.empty() || first[cls] == ExtractionGraph::kNone)
      continue;
    os << separator << "    " << quote(info.name) << ": {";
    list(info.data, [&](const auto &member) {
      os << quote(member.first) << ": " << quote(member.second);
    });
    os << "}";
    separator = ",\n";
  }
  os << (separator == "\n" ? "}\n}\n" : "\n  }\n}\n");
  return true;
}

//===----------------------------------------------------------------------===//
// The picture
//===----------------------------------------------------------------------===//

/// A string of Graphviz's.
static std::string quoteDot(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + '"';
}

/// What fits into a box, of whole characters of UTF-8.
static std::string shorten(StringRef label) {
  constexpr size_t kMost = 60;
  if (label.size() <= kMost)
    return label.str();
  size_t end = kMost;
  while (end > 0 && (label[end] & 0xC0) == 0x80)
    --end;
  return label.take_front(end).str() + "...";
}

void mlir::tensoraccess::writeEGraphDot(const SerializedEGraph &egraph,
                                        llvm::raw_ostream &os,
                                        ArrayRef<uint32_t> choice) {
  const ExtractionGraph &graph = egraph.graph;
  const std::vector<uint32_t> first = getFirstNodes(graph);
  std::vector<std::vector<uint32_t>> members(graph.getNumClasses());
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node)
    members[graph.getClass(node)].push_back(node);
  os << "digraph egraph {\n"
        "  compound=true; clusterrank=local; ordering=out;\n"
        // As other pictures (Export's Sheet.h).
        "  fontname=\"DejaVu Sans Mono\"; fontcolor=\"#6b7280\"; "
        "color=\"#6b7280\";\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", "
        "color=\"#d1d5db\", fontcolor=\"#1f2937\", fontname=\"DejaVu Sans "
        "Mono\", fontsize=11, height=0.3, margin=\"0.1,0.05\"];\n"
        "  edge [arrowsize=0.6, color=\"#6b7280\", fontname=\"DejaVu Sans "
        "Mono\", fontcolor=\"#6b7280\"];\n";
  for (auto [cls, nodes] : llvm::enumerate(members)) {
    const SerializedEGraph::Class &info = egraph.classes[cls];
    std::string label = info.name;
    if (auto type = info.data.find("type"); type != info.data.end())
      label += ": " + type->second;
    os << "  subgraph cluster_" << cls << " {\n    label=" << quoteDot(label)
       << "; labeljust=l; fontsize=9; style=\"dashed,rounded\";"
       << (llvm::is_contained(egraph.roots, cls) ? " penwidth=3;\n" : "\n");
    for (uint32_t node : nodes) {
      os << "    n" << node
         << " [label=" << quoteDot(shorten(egraph.nodes[node].op));
      if (cls < choice.size() && choice[cls] == node)
        os << ", style=\"rounded,filled\", fillcolor=\"#dbeafe\", "
              "color=\"#1d4ed8\"";
      else if (egraph.nodes[node].isSubsumed)
        os << ", style=\"rounded,filled,dotted\"";
      os << "];\n";
    }
    // A box needs something in it.
    if (nodes.empty())
      os << "    c" << cls << " [shape=point, style=invis];\n";
    os << "  }\n";
  }
  for (uint32_t node = 0; node != graph.getNumNodes(); ++node) {
    ArrayRef<uint32_t> children = graph.getChildren(node);
    for (auto [i, child] : llvm::enumerate(children)) {
      os << "  n" << node << " -> ";
      // An arrow to its own box would be cut off: it points to the node instead.
      const bool isOwn = child == graph.getClass(node);
      if (first[child] == ExtractionGraph::kNone)
        os << "c" << child;
      else
        os << "n" << (isOwn ? node : first[child]);
      os << " [";
      if (!isOwn)
        os << "lhead=cluster_" << child << (children.size() > 1 ? ", " : "");
      if (children.size() > 1)
        os << "taillabel=\"" << i << "\", labelfontsize=8";
      os << "];\n";
    }
  }
  // The legend, after the classes, which would include it otherwise.
  os << "  label=\"a box: equal terms, thick if the program returns them\\l"
     << (choice.empty() ? "" : "blue: the terms of least cost\\l")
     << "numbers: which operand an arrow leads to\\l\"; labelloc=b; "
        "labeljust=l; fontsize=10;\n}\n";
}
