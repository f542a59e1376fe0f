//===- EGraphJsonTest.cpp - E-graphs as text ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, every kind of text that is refused, and the picture.
//
//===----------------------------------------------------------------------===//

#include "ReadEGraphJson.h"
#include "SmallGraphs.h"
#include "TensorAccess/EGraph/Extraction.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::tensoraccess;

namespace {

std::string write(const SerializedEGraph &egraph) {
  std::string text, problem;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(writeEGraphJson(egraph, os, problem)) << problem;
  return text;
}

std::string getProblem(llvm::StringRef text) {
  std::string problem;
  EXPECT_FALSE(readEGraphJson(text, problem)) << text.str();
  return problem;
}

/// x · 1 = x under f.
SerializedEGraph makeExample() {
  NodeTable table;
  SymbolId times = table.addSymbol(2), f = table.addSymbol(1);
  ClassId one = *table.add(table.addSymbol(0), {});
  ClassId x = *table.add(table.addSymbol(0), {});
  ClassId root = *table.add(f, {*table.add(times, {x, one})});
  table.merge(x, *table.lookup(times, {x, one}));
  table.rebuild();
  SerializationNames names;
  names.symbol = [](SymbolId symbol) {
    return std::string(symbol == 0   ? "mul"
                       : symbol == 1 ? "f"
                       : symbol == 2 ? "1"
                                     : "x\n\"y\"");
  };
  names.cost = [&](NodeId node) { return table.getNumOperands(node) + 0.1; };
  names.type = [&](ClassId cls) {
    return cls == table.find(root) ? std::string() : std::string("i32");
  };
  return serialize(table, {root}, names);
}

constexpr const char *kExample = R"({
  "nodes": {
    "0.0": {"op": "1", "children": [], "eclass": "0", "cost": 0.1},
    "1.0": {"op": "x\n\"y\"", "children": [], "eclass": "1", "cost": 0.1},
    "1.1": {"op": "mul", "children": ["1.0", "0.0"], "eclass": "1", "cost": 2.1},
    "2.0": {"op": "f", "children": ["1.0"], "eclass": "2", "cost": 1.1}
  },
  "root_eclasses": ["2"],
  "class_data": {
    "0": {"type": "i32"},
    "1": {"type": "i32"}
  }
}
)";

TEST(EGraphJson, WritesATable) { EXPECT_EQ(write(makeExample()), kExample); }

TEST(EGraphJson, ReadsWhatItWrites) {
  std::string problem;
  std::optional<SerializedEGraph> got = readEGraphJson(kExample, problem);
  ASSERT_TRUE(got) << problem;
  EXPECT_EQ(write(*got), kExample);
  for (uint32_t seed = 0; seed != 200; ++seed) {
    test::SmallGraph small(seed, 9);
    SerializedEGraph named;
    std::vector<bool> hasNode(small.graph.getNumClasses());
    for (uint32_t node = 0; node != small.graph.getNumNodes(); ++node) {
      hasNode[small.graph.getClass(node)] = true;
      named.nodes.push_back({"n" + std::to_string(node), "op",
                             small.costs[node] / 3, small.below(5) == 0});
    }
    for (uint32_t cls = 0; cls != hasNode.size(); ++cls)
      named.classes.push_back({"c" + std::to_string(cls), {}});
    named.graph = small.graph;
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!writeEGraphJson(named, os, problem)) {
      EXPECT_TRUE(text.empty());
      continue;
    }
    got = readEGraphJson(text, problem);
    ASSERT_TRUE(got) << problem;
    EXPECT_EQ(write(*got), text);
    ASSERT_EQ(got->graph.getNumNodes(), small.graph.getNumNodes());
    for (uint32_t node = 0; node != small.graph.getNumNodes(); ++node) {
      EXPECT_EQ(got->nodes[node].cost, named.nodes[node].cost);
      EXPECT_EQ(std::isinf(got->getCosts()[node]),
                named.nodes[node].isSubsumed);
    }
  }
}

TEST(EGraphJson, ReadsWhatOthersWrite) {
  // Members in another order, some unknown, a child before it is there, escapes
  // beyond 16 bits, a cycle.
  std::string problem;
  std::optional<SerializedEGraph> got = readEGraphJson(R"(
    {"comment": {"a": [1, {"b": [[], {}, null, true]}, "]"]},
     "root_eclasses": ["B", "A"],
     "nodes": {"x": {"eclass": "A", "children": ["y", "x", "y"], "more": -1e3,
                     "op": "\u00e9\uD83D\uDE00\/"},
               "y": {"op": "g", "eclass": "B", "cost": 25e-1}},
     "class_data": {"B": {"type": null, "shape": "3x5"}}})",
                                                       problem);
  ASSERT_TRUE(got) << problem;
  EXPECT_EQ(got->nodes[0].op, "é😀/");
  EXPECT_EQ(got->nodes[0].cost, 1);
  EXPECT_EQ(got->nodes[1].cost, 2.5);
  EXPECT_EQ(got->graph.getChildren(0), llvm::ArrayRef<uint32_t>({1, 0, 1}));
  EXPECT_TRUE(got->graph.getChildren(1).empty());
  EXPECT_EQ(got->roots, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(got->classes[1].data.at("shape"), "3x5");
  EXPECT_FALSE(got->classes[1].data.count("type"));
}

TEST(EGraphJson, SaysWhereTheTextIsWrong) {
  EXPECT_EQ(getProblem(""), "line 1, column 1: expected '{', got the end");
  EXPECT_EQ(getProblem("{}"), "line 1, column 1: the e-graph has no 'nodes'");
  EXPECT_EQ(getProblem("{\"nodes\": {}} x"),
            "line 1, column 15: expected the end, got 'x'");
  EXPECT_EQ(getProblem("{\"nodes\": {\n \"a\": {\"op\": \"f\"}}}"),
            "line 2, column 7: node 'a' has no 'eclass'");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"eclass": "f"}}})"),
            "line 1, column 17: node 'a' has no 'op'");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"op": 1}}})"),
            "line 1, column 24: expected a string, got '1'");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"cost": NaN}}})"),
            "line 1, column 26: expected a number, got 'N'");
  EXPECT_EQ(
      getProblem(R"({"nodes": {"a": {"cost": 1e999}}})"),
      "line 1, column 31: the cost of node 'a' must be finite, got 1e999");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"subsumed": 0}}})"),
            "line 1, column 30: expected true or false, got '0'");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"children": {}}}})"),
            "line 1, column 30: expected '[', got '{'");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"op": "f", "op": "g"}}})"),
            "line 1, column 29: 'op' appears twice");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"op": "f", "eclass": "A"},
                          "a": {"op": "f", "eclass": "A"}}})"),
            "line 2, column 27: 'a' appears twice");
  EXPECT_EQ(getProblem(R"({"nodes": {"a": {"op": "f", "eclass": "A",
                          "children": ["a", "b"]}}})"),
            "line 2, column 45: child 'b' is not a node");
  EXPECT_EQ(getProblem(R"({"nodes": {}, "root_eclasses": ["A"]})"),
            "line 1, column 33: root 'A' is the class of no node");
  EXPECT_EQ(getProblem(R"({"nodes": {}, "class_data": {"A": {}}})"),
            "line 1, column 30: class 'A' is the class of no node");
  EXPECT_EQ(getProblem(R"({"nodes" {}})"),
            "line 1, column 10: expected ':', got '{'");
  EXPECT_EQ(getProblem(R"({"nodes": {} "x": 1})"),
            "line 1, column 14: expected ',' or '}', got '\"'");
  EXPECT_EQ(getProblem(R"({"root_eclasses": ["A" "B"]})"),
            "line 1, column 24: expected ',' or ']', got '\"'");
  EXPECT_EQ(getProblem(R"({"x": [1 2]})"),
            "line 1, column 10: expected ',' or the end of the list, got '2'");
  EXPECT_EQ(getProblem(R"({"x": {1: 2}})"),
            "line 1, column 8: expected a string, got '1'");
  EXPECT_EQ(getProblem(R"({"x": {"1" 2}})"),
            "line 1, column 12: expected ':', got '2'");
  EXPECT_EQ(getProblem(R"({"x": nul})"),
            "line 1, column 7: expected a value, got 'n'");
  EXPECT_EQ(getProblem("{\"x\": \"a\n\"}"),
            "line 1, column 7: the string does not end");
  EXPECT_EQ(getProblem("{\"x\": \"\xff\"}"),
            "line 1, column 7: the string is not UTF-8");
  EXPECT_EQ(getProblem(R"({"\q": 1})"), "line 1, column 4: unknown escape");
  EXPECT_EQ(getProblem(R"({"\u12": 1})"),
            "line 1, column 5: expected four hexadecimal digits, got '1'");
  EXPECT_EQ(getProblem(R"({"\udc00": 1})"),
            "line 1, column 4: half a character");
  EXPECT_EQ(getProblem(R"({"\ud83dx": 1})"),
            "line 1, column 4: half a character");
  EXPECT_EQ(getProblem("{\"x\": -}"),
            "line 1, column 7: expected a number, got '-'");
  EXPECT_EQ(getProblem("{\x01"),
            "line 1, column 2: expected a string, got the byte 1");
}

TEST(EGraphJson, SkipsWhatIsNestedDeeply) {
  std::string text = "{\"nodes\": {}, \"x\": " + std::string(1 << 20, '[');
  EXPECT_NE(getProblem(text).find("expected a value, got the end"),
            std::string::npos);
  std::string problem;
  EXPECT_TRUE(readEGraphJson(text + std::string(1 << 20, ']') + "}", problem))
      << problem;
}

TEST(EGraphJson, RefusesWhatJsonCannotSay) {
  SerializedEGraph egraph = makeExample();
  std::string text, problem;
  llvm::raw_string_ostream os(text);
  egraph.nodes[1].cost = std::nan("");
  EXPECT_FALSE(writeEGraphJson(egraph, os, problem));
  EXPECT_EQ(problem, "the cost of node '1.0' must be finite, got nan");
  egraph = makeExample();
  egraph.nodes[1].name = "0.0";
  EXPECT_FALSE(writeEGraphJson(egraph, os, problem));
  EXPECT_EQ(problem, "node '0.0' appears twice");
  egraph = makeExample();
  egraph.classes[2].name = "1";
  EXPECT_FALSE(writeEGraphJson(egraph, os, problem));
  EXPECT_EQ(problem, "class '1' appears twice");
  egraph = makeExample();
  egraph.roots.push_back(9);
  EXPECT_FALSE(writeEGraphJson(egraph, os, problem));
  EXPECT_EQ(problem, "a root has no node");
  egraph = makeExample();
  egraph.graph.addNode(0, {egraph.graph.addClass()});
  egraph.classes.push_back({"3", {}});
  egraph.nodes.push_back({"0.1", "g", 1, false});
  EXPECT_FALSE(writeEGraphJson(egraph, os, problem));
  EXPECT_EQ(problem, "node '0.1' has a child without a node");
  EXPECT_TRUE(text.empty());
}

TEST(EGraphDot, DrawsABoxForEachClass) {
  SerializedEGraph egraph = makeExample();
  egraph.nodes[1].isSubsumed = true;
  std::string text;
  llvm::raw_string_ostream os(text);
  writeEGraphDot(egraph, os, {0, 2, 3});
  auto count = [&](llvm::StringRef part) {
    return llvm::StringRef(text).count(part);
  };
  EXPECT_EQ(count("subgraph cluster_"), 3u);
  EXPECT_EQ(count("penwidth=3"), 1u);
  EXPECT_EQ(count("label=\"1: i32\""), 1u);
  EXPECT_EQ(count("#dbeafe"), 3u);
  EXPECT_EQ(count("dotted"), 1u);
  EXPECT_EQ(count(R"([label="x\n\"y\"")"), 1u);
  // The own class, another one, and an only child.
  EXPECT_EQ(count("n2 -> n2 [taillabel=\"0\""), 1u);
  EXPECT_EQ(count("n2 -> n0 [lhead=cluster_0, taillabel=\"1\""), 1u);
  EXPECT_EQ(count("n3 -> n1 [lhead=cluster_1]"), 1u);
}

} // namespace
