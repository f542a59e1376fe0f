//===- RuleSetsTest.cpp - The rules that come with the project ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random terms of small integers are saturated, and every node of the graph is
// run for all values of the arguments: all nodes of a class must agree. Then
// missing files of rules, and files that are not rules.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Rewrites/RuleSets.h"

#include "TensorAccess/EGraph/TermGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct RuleSetsTest : public ::testing::Test {
  RuleSetsTest() {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, pdl::PDLDialect>();
  }

  std::string complain(std::vector<std::string> names, StringRef pdll = "") {
    std::string said;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str() + "\n";
    });
    EXPECT_TRUE(failed(loadRules(&context, names, pdll)));
    return said;
  }

  MLIRContext context;
};

/// A random term over three arguments, as a function's text. A sixth of the
/// operations promise not to overflow.
std::string makeFunction(std::mt19937 &generator, unsigned bits,
                         bool promises) {
  auto pick = [&](unsigned n) { return generator() % n; };
  const std::string type = "i" + std::to_string(bits);
  std::string text = "func.func @f(%0: " + type + ", %1: " + type +
                     ", %2: " + type + ") -> " + type + " {\n";
  unsigned next = 3;
  for (unsigned i = 2 + pick(4); i > 0; --i, ++next) {
    const std::string self = "%" + std::to_string(next);
    if (pick(6) == 0) {
      text += self + " = arith.constant " + std::to_string(pick(2)) + " : " +
              type + "\n";
      continue;
    }
    const char *names[] = {"addi", "muli", "subi", "addi", "muli"};
    text += self + " = arith." + names[pick(5)] + " %" +
            std::to_string(pick(next)) + ", %" + std::to_string(pick(next)) +
            (promises && pick(6) == 0 ? " overflow<nsw> : " : " : ") + type +
            "\n";
  }
  return text + "return %" + std::to_string(next - 1) + " : " + type + "\n}";
}

/// What a node is of what its operands are; none for poison, or if unknown.
std::optional<int64_t> run(const TermGraph &graph, SymbolId symbol,
                           ArrayRef<int64_t> operands, unsigned bits,
                           ArrayRef<int64_t> arguments) {
  if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
    return arguments[cast<BlockArgument>(graph.getLeaf(symbol)).getArgNumber()];
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  if (Attribute constant = graph.getConstantOf(symbol))
    return cast<IntegerAttr>(constant).getValue().getZExtValue() & mask;
  StringRef name = graph.getName(symbol).getStringRef();
  const int64_t a = operands[0], b = operands[1];
  const int64_t exact = name == "arith.addi"   ? a + b
                        : name == "arith.subi" ? a - b
                                               : a * b;
  return exact & mask;
}

TEST_F(RuleSetsTest, NodesOfAClassAreEqual) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
  ASSERT_TRUE(succeeded(rules));
  std::mt19937 generator(17);
  uint64_t applied = 0, nodes = 0;
  for (int round = 0; round < 120; ++round) {
    const unsigned bits = 1 + generator() % 2;
    auto module = parseSourceString<ModuleOp>(
        makeFunction(generator, bits, round % 3 == 0), &context);
    ASSERT_TRUE(module);
    Block &block = (*module->getOps<func::FuncOp>().begin()).front();
    TermGraph graph(&context);
    std::optional<TermBlock> terms = importBlock(graph, block);
    ASSERT_TRUE(terms) << round;
    SaturationOptions options;
    options.limits.nodes = 400;
    SaturationStatistics statistics = saturate(graph, *rules, options);
    for (const RuleStatistics &rule : statistics.rules) {
      applied += rule.applied;
      EXPECT_EQ(rule.refused, 0u) << rule.refusal;
    }
    const NodeTable &table = graph.getTable();
    nodes += table.getNumNodes();
    const unsigned values = 1u << bits;
    for (unsigned point = 0; point < values * values * values; ++point) {
      const int64_t arguments[] = {point % values, point / values % values,
                                   point / values / values};
      std::map<ClassId, int64_t> known;
      for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (NodeId node = table.getBegin(); node != table.getEnd();
             node = table.getNext(node)) {
          if (table.isDead(node))
            continue;
          SmallVector<int64_t> operands;
          for (unsigned i = 0; i < table.getNumOperands(node); ++i)
            if (auto it = known.find(table.find(table.getOperand(node, i)));
                it != known.end())
              operands.push_back(it->second);
          if (operands.size() != table.getNumOperands(node))
            continue;
          std::optional<int64_t> value =
              run(graph, table.getSymbol(node), operands, bits, arguments);
          auto [it, isNew] = known.try_emplace(table.find(node), *value);
          isChanged |= isNew;
          ASSERT_EQ(it->second, *value)
              << graph.describeSymbol(table.getSymbol(node));
        }
      }
    }
  }
  EXPECT_GT(applied, 1000u);
  EXPECT_GT(nodes, 2000u);
}

TEST_F(RuleSetsTest, PromisesAreLeftAlone) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
  ASSERT_TRUE(succeeded(rules));
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b overflow<nsw> : i32
      return %0 : i32
    })",
                                            &context);
  TermGraph graph(&context);
  importBlock(graph, (*module->getOps<func::FuncOp>().begin()).front());
  SaturationStatistics statistics = saturate(graph, *rules, {});
  EXPECT_EQ(statistics.nodes, 3u);
}

TEST_F(RuleSetsTest, EveryRuleIsNamedAndFires) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"arith"});
  ASSERT_TRUE(succeeded(rules));
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: i8, %b: i8, %c: i8) -> (i8, i8, i8) {
      %0 = arith.muli %a, %b : i8
      %1 = arith.muli %a, %c : i8
      %2 = arith.addi %0, %1 : i8
      %3 = arith.subi %2, %1 : i8
      %4 = arith.subi %a, %b : i8
      %5 = arith.addi %4, %b : i8
      %6 = arith.muli %2, %c : i8
      %7 = arith.addi %2, %a : i8
      return %3, %5, %6 : i8, i8, i8
    })",
                                            &context);
  TermGraph graph(&context);
  importBlock(graph, (*module->getOps<func::FuncOp>().begin()).front());
  SaturationOptions options;
  options.limits.nodes = 2000;
  SaturationStatistics statistics = saturate(graph, *rules, options);
  for (auto [rule, counts] : llvm::zip_equal(*rules, statistics.rules)) {
    EXPECT_FALSE(rule.getName().starts_with("rule "));
    EXPECT_GT(counts.applied, 0u) << rule.getName().str();
  }
}

TEST_F(RuleSetsTest, Refusals) {
  EXPECT_EQ(complain({"no-such-rules"}),
            "unknown rules 'no-such-rules'; known are access, arith, compute, "
            "linalg, math, relayout, anything else is a file\n");
  EXPECT_NE(complain({"./no-such-file.mlir"}).find("the file can't be read"),
            std::string::npos);
  SmallString<128> file;
  int handle;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("test", "pdll", handle, file));
  llvm::FileRemover remover(file);
  {
    llvm::raw_fd_ostream stream(handle, /*shouldClose=*/true);
    stream << "Pattern P { let x = ; }";
  }
  EXPECT_EQ(complain({file.str().str()}).rfind("rule 'P': expected ", 0), 0u);
  EXPECT_NE(complain({file.str().str()}, "no-such-program")
                .find("rules in PDLL are compiled by 'no-such-program', which "
                      "is not there or can't be run"),
            std::string::npos);
}

TEST_F(RuleSetsTest, TextsWithoutRules) {
  EXPECT_EQ(complain({"\n"}), "it has no rules\n");
  EXPECT_EQ(complain({"// nothing {}"}), "it has no rules\n");
}

TEST_F(RuleSetsTest, EveryFunctionSaysWhatItTakes) {
  const NativeFunctions &functions = getNativeFunctions();
  for (const auto &entry : functions.constraints)
    EXPECT_TRUE(functions.signatures.contains(entry.getKey()))
        << entry.getKey().str();
  for (const auto &entry : functions.rewrites)
    EXPECT_TRUE(functions.signatures.contains(entry.getKey()))
        << entry.getKey().str();
  EXPECT_EQ(complain({"Rewrite ProductType(a: Value) -> Type;\n"
                      "Pattern A { let r = op<arith.addi>(a: Value, b: Value)"
                      " -> (t: Type); rewrite r with { replace r with"
                      " op<arith.addi>(b, a) -> (ProductType(a)); }; }"}),
            "rule 'A': native function 'ProductType' is (Value, Value) -> "
            "(Type), got (Value) -> (Type)\n");
  EXPECT_EQ(complain({"Constraint WrapsAround(v: Value);\n"
                      "Pattern A { let r = op<arith.addi>(a: Value, b: Value)"
                      " -> (t: Type); WrapsAround(a); replace r with b; }"}),
            "rule 'A': native function 'WrapsAround' is (Attr) -> (), got "
            "(Value) -> ()\n");
}

/// Attributes of any sort must not crash.
TEST_F(RuleSetsTest, AttributesOfAnotherSort) {
  const char *calls[] = {"replace r with Splat(f);",
                         "replace r with op<arith.addi>(a, b)"
                         " {overflowFlags = Compose(f, f)} -> (t);",
                         "replace r with op<arith.addi>(a, b)"
                         " -> (PermutedType(a, f));",
                         "replace r with Empty(t);",
                         "replace r with Filled(a, t);"};
  const char *reasons[] = {
      "the attribute #arith.overflow<none> is not a splat",
      "what is composed are not permutations of one rank", "",
      ("'tensor.empty' op result #0 must be ranked tensor of any type values, "
       "but got 'i32'"),
      "what is filled is not a tensor of static shape of such elements"};
  context.loadDialect<tensor::TensorDialect, linalg::LinalgDialect>();
  for (auto [call, reason] : llvm::zip_equal(calls, reasons)) {
    auto rules = loadRules(
        &context,
        {(Twine("Rewrite Splat(value: Attr) -> Value;\n"
                "Rewrite Compose(a: Attr, b: Attr) -> Attr;\n"
                "Rewrite PermutedType(a: Value, p: Attr) -> Type;\n"
                "Rewrite Empty(t: Type) -> Value;\n"
                "Rewrite Filled(a: Value, t: Type) -> Value;\n"
                "Pattern A { let r = op<arith.addi>(a: Value, b: Value)"
                " {overflowFlags = f: Attr} -> (t: Type); rewrite r with { ") +
          call + " }; }")
             .str()});
    ASSERT_TRUE(succeeded(rules));
    auto module = parseSourceString<ModuleOp>(
        "func.func @f(%a: i32, %b: i32) -> i32 {\n"
        "%0 = arith.addi %a, %b : i32\nreturn %0 : i32 }",
        &context);
    TermGraph graph(&context);
    importBlock(graph, (*module->getOps<func::FuncOp>().begin()).front());
    SaturationStatistics statistics = saturate(graph, *rules, {});
    EXPECT_EQ(statistics.rules[0].matches, 1u);
    EXPECT_EQ(statistics.rules[0].refusal, reason);
  }
}

TEST_F(RuleSetsTest, RulesOfAUser) {
  SmallString<128> file;
  int handle;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("test", "pdll", handle, file));
  llvm::FileRemover remover(file);
  {
    llvm::raw_fd_ostream stream(handle, /*shouldClose=*/true);
    stream << "Constraint WrapsAround(flags: Attr);\n"
              "Pattern SubOfSelfPlus {\n"
              "  let s = op<arith.addi>(a: Value, b: Value)"
              "    {overflowFlags = f: Attr} -> (t: Type);\n"
              "  WrapsAround(f);\n"
              "  replace s with op<arith.addi>(b, a) {overflowFlags = f}"
              "    -> (t);\n"
              "}\n";
  }
  FailureOr<std::vector<PdlRule>> rules =
      loadRules(&context, {"arith", file.str().str()});
  ASSERT_TRUE(succeeded(rules));
  EXPECT_EQ(rules->back().getName(), "SubOfSelfPlus");
  EXPECT_EQ(rules->front().getName(), "AddCommutes");
}

} // namespace
