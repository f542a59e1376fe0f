//===- TermGraphTest.cpp - Operations as nodes
//-----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is one node and what is not, folding, refusals, theories, and blocks
// read and written.
//
//===----------------------------------------------------------------------===//

#include "TermTesting.h"

#include <numeric>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct TermGraphTest : public TermFixture {
  /// The classes of what a block returns.
  SmallVector<ClassId> read(TermGraph &graph, Block &block) {
    std::optional<TermBlock> terms = importBlock(graph, block);
    EXPECT_TRUE(terms);
    SmallVector<ClassId> classes;
    for (Value value : block.getTerminator()->getOperands())
      classes.push_back(graph.getTable().find(terms->classes.lookup(value)));
    return classes;
  }
};

TEST_F(TermGraphTest, EqualOpsAreOneNode) {
  TermGraph graph(&context);
  // The last differs in an attribute, the one before in a type.
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i32, %b: i32) -> (i32, i32, i64, i32) {
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %a, %b : i32
      %2 = arith.extsi %0 : i32 to i64
      %3 = arith.addi %a, %b overflow<nsw> : i32
      return %0, %1, %2, %3 : i32, i32, i64, i32
    })"));
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], ids[3]);
  EXPECT_EQ(graph.getType(ids[2]), IntegerType::get(&context, 64));
  EXPECT_EQ(graph.getTable().getNumNodes(), 5u);
}

TEST_F(TermGraphTest, ConstantsDoNotBecomePoison) {
  context.loadDialect<ub::UBDialect>();
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i8) -> (i8, i8, i8, i8, i8, tensor<4xi8>) {
      %zero = arith.constant 0 : i8
      %least = arith.constant -128 : i8
      %poison = ub.poison : i8
      %0 = arith.muli %a, %zero : i8
      %1 = arith.muli %least, %least overflow<nsw> : i8
      %2 = arith.muli %zero, %poison : i8
      %3 = arith.muli %poison, %zero : i8
      %4 = arith.addi %a, %zero : i8
      %5 = tensor.splat %zero : tensor<4xi8>
      return %0, %1, %2, %3, %4, %5 : i8, i8, i8, i8, i8, tensor<4xi8>
    })"));
  EXPECT_EQ(ids[0], ids[1]);
  // 0 * poison folds to poison, poison * 0 to 0.
  EXPECT_NE(ids[0], ids[2]);
  EXPECT_EQ(ids[0], ids[3]);
  EXPECT_FALSE(graph.getConflict());
  // Of what is 0 only the constant is; x + 0 needs x.
  const NodeTable &table = graph.getTable();
  unsigned numUnsafe = 0;
  for (NodeId node = table.getBegin(); node != table.getEnd();
       node = table.getNext(node)) {
    const SymbolId symbol = table.getSymbol(node);
    EXPECT_EQ(graph.mayBePoisonOf(node),
              table.find(node) == ids[0] && !graph.getConstantOf(symbol));
    numUnsafe += graph.mayBePoisonOf(node);
  }
  EXPECT_EQ(numUnsafe, 3u);
}

TEST_F(TermGraphTest, ResultsAreProjections) {
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i8, %b: i8) -> (i8, i8, i8) {
      %0, %1 = arith.mului_extended %a, %b : i8
      %2, %3 = arith.mului_extended %a, %b : i8
      return %0, %1, %3 : i8, i8, i8
    })"));
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(ids[1], ids[2]);
  // Two arguments, the tuple, its results.
  EXPECT_EQ(graph.getTable().getNumNodes(), 5u);
}

TEST_F(TermGraphTest, RegionsAreComparedByStructure) {
  TermGraph graph(&context);
  // Equal but for names; another captured value; another constant inside.
  auto ids = read(graph, parse(R"(
    func.func @f(%c: i1, %a: i32, %b: i32) -> (i32, i32, i32, i32) {
      %0 = scf.if %c -> i32 {
        %x = arith.addi %a, %b : i32
        scf.yield %x : i32
      } else {
        scf.yield %a : i32
      }
      %1 = scf.if %c -> i32 {
        %y = arith.addi %a, %b : i32
        scf.yield %y : i32
      } else {
        scf.yield %a : i32
      }
      %2 = scf.if %c -> i32 {
        %y = arith.addi %b, %b : i32
        scf.yield %y : i32
      } else {
        scf.yield %a : i32
      }
      %3 = scf.if %c -> i32 {
        %y = arith.addi %a, %b : i32
        scf.yield %y : i32
      } else {
        scf.yield %b : i32
      }
      return %0, %1, %2, %3 : i32, i32, i32, i32
    })"));
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], ids[2]);
  EXPECT_NE(ids[0], ids[3]);
  EXPECT_NE(ids[2], ids[3]);
}

TEST_F(TermGraphTest, OpsWithEffectsAreLeaves) {
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i32) -> (i32, i32) {
      %0 = "some.op"(%a) : (i32) -> i32
      %1 = "some.op"(%a) : (i32) -> i32
      %2 = arith.addi %0, %a : i32
      %3 = arith.addi %1, %a : i32
      return %2, %3 : i32, i32
    })"));
  EXPECT_NE(ids[0], ids[1]);
}

TEST_F(TermGraphTest, ConstantsAreFolded) {
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i32) -> (i32, i32, i32, i32) {
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %0 = arith.addi %two, %three : i32
      %five = arith.constant 5 : i32
      %1 = arith.subi %a, %a : i32
      %2 = arith.addi %a, %1 : i32
      return %0, %five, %1, %2 : i32, i32, i32, i32
    })"));
  EXPECT_EQ(ids[0], ids[1]);
  Type i32 = IntegerType::get(&context, 32);
  EXPECT_EQ(graph.getConstant(ids[0]), IntegerAttr::get(i32, 5));
  EXPECT_EQ(graph.getConstant(ids[2]), IntegerAttr::get(i32, 0));
  // x + 0 = x.
  EXPECT_EQ(graph.describeSymbol(graph.getTable().getSymbol(ids[3])),
            "argument 0");
  EXPECT_FALSE(graph.getConstant(ids[3]));
}

TEST_F(TermGraphTest, WhatIsFoundToBeConstantIsFoldedLater) {
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i32, %b: i32) -> (i32, i32, i32) {
      %two = arith.constant 2 : i32
      %0 = arith.addi %a, %two : i32
      %1 = arith.muli %0, %b : i32
      return %a, %1, %b : i32, i32, i32
    })"));
  Type i32 = IntegerType::get(&context, 32);
  for (unsigned i : {0, 2}) {
    auto value = graph.addConstant(IntegerAttr::get(i32, 3 + i), i32,
                                   context.getLoadedDialect("arith"));
    EXPECT_EQ(graph.merge(ids[i], *value), TermGraph::MergeResult::Merged);
  }
  EXPECT_TRUE(graph.foldAll());
  EXPECT_EQ(graph.getConstant(ids[1]), IntegerAttr::get(i32, 25));
  EXPECT_FALSE(graph.foldAll());
}

/// What is merged step by step has the constants of a program in which it was
/// known from the beginning.
TEST_F(TermGraphTest, FoldingKeepsUpWithMerges) {
  std::mt19937 generator(7);
  auto pick = [&](unsigned n) {
    return std::uniform_int_distribution<unsigned>(0, n - 1)(generator);
  };
  Type i32 = IntegerType::get(&context, 32);
  int constants = 0;
  for (int round = 0; round < 60; ++round) {
    constexpr unsigned numArguments = 5, numOps = 20;
    // The argument that each is equal to, which may be a constant.
    std::vector<unsigned> same(numArguments);
    std::vector<std::optional<int>> values(numArguments);
    for (unsigned i = 0; i < numArguments; ++i) {
      same[i] = pick(3) == 0 ? pick(i + 1) : i;
      same[i] = same[same[i]];
      if (same[i] == i && pick(2))
        values[i] = int(pick(4)) - 1;
    }
    std::string body, returned, types;
    for (unsigned i = 0; i < numOps; ++i) {
      const char *names[] = {"addi", "subi", "muli", "xori", "andi"};
      auto operand = [&] {
        const unsigned n = pick(numArguments + i);
        return n < numArguments ? "%a" + std::to_string(n)
                                : "%" + std::to_string(n - numArguments);
      };
      body += "%" + std::to_string(i) + " = arith." + names[pick(5)] + " " +
              operand() + ", " + operand() + " : i32\n";
      returned += (i ? ", %" : "%") + std::to_string(i);
      types += i ? ", i32" : "i32";
    }
    std::string arguments, prefix, known = body;
    for (unsigned i = 0; i < numArguments; ++i) {
      const std::string name = "%a" + std::to_string(i);
      arguments += (i ? ", " : "") + name + ": i32";
    }
    auto program = [&](std::string text) {
      return "func.func @f(" + arguments + ") -> (" + types + ") {\n" + text +
             "return " + returned + " : " + types + "\n}";
    };
    // The program with what is known put in.
    for (unsigned i = 0; i < numArguments; ++i) {
      const std::string name = "%a" + std::to_string(i);
      std::string with = "%a" + std::to_string(same[i]);
      if (auto value = values[same[i]]) {
        with = "%c" + std::to_string(i);
        prefix +=
            with + " = arith.constant " + std::to_string(*value) + " : i32\n";
      }
      const std::string mark = "@" + std::to_string(i) + "@";
      for (size_t at; (at = known.find(name)) != std::string::npos;)
        known.replace(at, name.size(), mark);
      for (size_t at; (at = known.find(mark)) != std::string::npos &&
                      with.find(name) == std::string::npos;)
        known.replace(at, mark.size(), with);
    }
    for (unsigned i = 0; i < numArguments; ++i) {
      const std::string mark = "@" + std::to_string(i) + "@";
      for (size_t at; (at = known.find(mark)) != std::string::npos;)
        known.replace(at, mark.size(), "%a" + std::to_string(i));
    }
    TermGraph expected(&context), graph(&context);
    auto wanted = read(expected, parse(program(prefix + known)));
    Block &block = parse(program(body));
    auto ids = read(graph, block);
    std::vector<unsigned> order(numArguments);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    for (unsigned i : order) {
      auto leaf = *graph.addLeaf(block.getArgument(i));
      graph.merge(leaf, *graph.addLeaf(block.getArgument(same[i])));
      if (values[i])
        graph.merge(leaf,
                    *graph.addConstant(IntegerAttr::get(i32, *values[i]), i32,
                                       context.getLoadedDialect("arith")));
      if (pick(2))
        graph.foldAll();
    }
    graph.foldAll();
    EXPECT_FALSE(graph.foldAll());
    for (unsigned i = 0; i < numOps; ++i) {
      if (Attribute value = expected.getConstant(wanted[i])) {
        EXPECT_EQ(graph.getConstant(ids[i]), value) << program(body) << known;
        ++constants;
      }
      for (unsigned j = 0; j < i; ++j)
        if (expected.getTable().find(wanted[i]) ==
            expected.getTable().find(wanted[j]))
          EXPECT_EQ(graph.getTable().find(ids[i]),
                    graph.getTable().find(ids[j]));
    }
  }
  EXPECT_GT(constants, 300);
}

TEST_F(TermGraphTest, MergesOfDifferentTypesAndConstantsAreRefused) {
  TermGraph graph(&context);
  auto ids = read(graph, parse(R"(
    func.func @f(%a: i32, %b: i64) -> (i32, i64, i32, i32) {
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      return %a, %b, %two, %three : i32, i64, i32, i32
    })"));
  // Nothing but constants was read as a term; arguments are leaves at need.
  Block &block = (*modules.back()->getOps<func::FuncOp>().begin()).front();
  ClassId a = *graph.addLeaf(block.getArgument(0)),
          b = *graph.addLeaf(block.getArgument(1));
  std::string problem;
  EXPECT_EQ(graph.merge(a, b, &problem), TermGraph::MergeResult::Refused);
  EXPECT_EQ(problem, "a term of type i32 can't equal one of type i64");
  EXPECT_EQ(graph.merge(ids[2], ids[3], &problem),
            TermGraph::MergeResult::Refused);
  EXPECT_EQ(problem, "the constant 2 : i32 can't equal 3 : i32");
  EXPECT_NE(graph.getTable().find(a), graph.getTable().find(b));
  // Nor may they be merged in the table itself.
  EXPECT_FALSE(graph.getTable().merge(a, b));
  EXPECT_EQ(graph.getTable().getNumRefusals(), 1u);
}

TEST_F(TermGraphTest, WhatAVerifierRefusesIsNotAdded) {
  TermGraph graph(&context);
  Block &block = parse("func.func @f(%a: i32, %b: i64) { return }");
  ClassId a = *graph.addLeaf(block.getArgument(0)),
          b = *graph.addLeaf(block.getArgument(1));
  Type i32 = IntegerType::get(&context, 32);
  auto none = DictionaryAttr::get(&context);
  auto add = [&](StringRef name, ArrayRef<ClassId> operands,
                 std::optional<ArrayRef<Type>> types,
                 std::optional<DictionaryAttr> attributes = std::nullopt) {
    std::string problem;
    const size_t nodes = graph.getTable().getNumNodes();
    auto id = graph.add(OperationName(name, &context),
                        attributes.value_or(none), operands, types, &problem);
    if (!id) {
      EXPECT_EQ(graph.getTable().getNumNodes(), nodes);
    }
    return problem;
  };
  EXPECT_EQ(add("arith.addi", {a, a}, ArrayRef<Type>(i32)), "");
  EXPECT_EQ(add("arith.addi", {a, a}, std::nullopt), "");
  EXPECT_EQ(graph.getTable().getNumNodes(), 3u);
  EXPECT_EQ(add("arith.addi", {a, b}, ArrayRef<Type>(i32)),
            "'arith.addi' op requires the same type for all operands and "
            "results");
  EXPECT_EQ(add("arith.addi", {a}, ArrayRef<Type>(i32)),
            "'arith.addi' op expected 2 operands, but found 1");
  EXPECT_NE(add("arith.addi", {a, a}, ArrayRef<Type>(i32),
                DictionaryAttr::get(
                    &context, {{StringAttr::get(&context, "overflowFlags"),
                                StringAttr::get(&context, "no")}})),
            "");
  EXPECT_EQ(add("scf.yield", {a}, ArrayRef<Type>()),
            "'scf.yield' op expects parent op to be one of 'scf.execute_region"
            ", scf.for, scf.if, scf.index_switch, scf.while'");
  EXPECT_EQ(add("func.call", {a}, std::nullopt),
            "the result types of 'func.call' can't be inferred");
  EXPECT_EQ(add("some.op", {a}, ArrayRef<Type>()), "'some.op' has no results");
  // It is unknown, so it is not refused.
  EXPECT_EQ(add("some.op", {a, b}, ArrayRef<Type>(i32)), "");
}

/// x + y in the order of the classes.
struct Sorted : public TermTheory {
  std::optional<TermNode> normalize(TermGraph &graph,
                                    const TermNode &node) override {
    if (graph.getName(node.symbol).getStringRef() != "arith.addi")
      return std::nullopt;
    TermNode result;
    result.symbol =
        graph.getTheorySymbol(this, 0, 2, graph.getResultTypes(node.symbol));
    result.operands = node.operands;
    llvm::sort(result.operands);
    return result;
  }
  Value build(TermGraph &, OpBuilder &builder, Location loc, SymbolId,
              ValueRange operands) override {
    return arith::AddIOp::create(builder, loc, operands[0], operands[1]);
  }
};

TEST_F(TermGraphTest, ATheoryGivesANormalForm) {
  TermGraph graph(&context);
  Sorted theory;
  graph.addTheory(&theory);
  Block &block = parse(R"(
    func.func @f(%a: i32, %b: i32) -> (i32, i32) {
      %0 = arith.addi %a, %b : i32
      %1 = arith.addi %b, %a : i32
      return %0, %1 : i32, i32
    })");
  auto ids = read(graph, block);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(graph.getTable().getNumNodes(), 3u);
  TermBuilder terms(graph, chooseSmallest(graph));
  OpBuilder builder(block.getTerminator());
  std::string problem;
  auto values =
      terms.build(builder, block.getTerminator()->getLoc(), ids[1], problem);
  ASSERT_TRUE(values) << problem;
  EXPECT_EQ((*values)[0].getDefiningOp()->getOperand(0), block.getArgument(0));
}

TEST_F(TermGraphTest, BuildsWhatIsShared) {
  TermGraph graph(&context);
  Block &block = parse(R"(
    func.func @f(%c: i1, %a: i8, %b: i8) -> (i8, i8) {
      %0, %1 = arith.mului_extended %a, %b : i8
      %2 = arith.addi %0, %1 : i8
      %3 = scf.if %c -> i8 {
        %x = arith.addi %2, %a : i8
        scf.yield %x : i8
      } else {
        scf.yield %2 : i8
      }
      return %3, %2 : i8, i8
    })");
  auto ids = read(graph, block);
  Block target;
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(&target);
  {
    TermBuilder terms(graph, chooseSmallest(graph));
    std::string problem;
    auto first = terms.build(builder, builder.getUnknownLoc(), ids[0], problem);
    ASSERT_TRUE(first) << problem;
    auto second =
        terms.build(builder, builder.getUnknownLoc(), ids[1], problem);
    ASSERT_TRUE(second) << problem;
    EXPECT_EQ(terms.getNumMade(), 3u);
    std::vector<std::string> names;
    for (Operation &op : target)
      names.push_back(op.getName().getStringRef().str());
    EXPECT_EQ(names, std::vector<std::string>(
                         {"arith.mului_extended", "arith.addi", "scf.if"}));
    EXPECT_TRUE(
        succeeded(target.back().getName().verifyInvariants(&target.back())));
  }
  // With the block's own ops nothing is made.
  std::optional<TermBlock> own = importBlock(graph, block);
  TermBuilder terms(graph, chooseSmallest(graph), &*own);
  builder.setInsertionPoint(block.getTerminator());
  std::string problem;
  auto value = terms.build(builder, builder.getUnknownLoc(), ids[0], problem);
  ASSERT_TRUE(value);
  EXPECT_EQ(terms.getNumMade(), 0u);
  EXPECT_EQ((*value)[0], block.getTerminator()->getOperand(0));
}

TEST_F(TermGraphTest, ATermThatNeedsItselfIsNotBuilt) {
  TermGraph graph(&context);
  Block &block = parse(R"(
    func.func @f(%a: i32, %b: i32) -> i32 {
      %0 = arith.addi %a, %b : i32
      return %0 : i32
    })");
  auto ids = read(graph, block);
  NodeTable &table = graph.getTable();
  ClassId a = *graph.addLeaf(block.getArgument(0));
  graph.merge(a, ids[0]);
  table.rebuild();
  NodeId sum = ids[0];
  OpBuilder builder(block.getTerminator());
  std::string problem;
  TermBuilder terms(graph, [&](ClassId id) -> std::optional<NodeId> {
    return id == table.find(sum) ? sum : id;
  });
  EXPECT_FALSE(terms.build(builder, builder.getUnknownLoc(), sum, problem));
  EXPECT_EQ(problem, "the term that was chosen needs itself, at 'arith.addi'");
  TermBuilder nothing(graph, [](ClassId) { return std::nullopt; });
  EXPECT_FALSE(nothing.build(builder, builder.getUnknownLoc(), sum, problem));
  EXPECT_EQ(problem, "no node was chosen for a class");
}

TEST_F(TermGraphTest, LooksUpWithoutAdding) {
  TermGraph graph(&context);
  Block &block = parse(R"(
    func.func @f(%a: i32) -> i32 {
      %c = arith.constant 4 : i32
      %0 = arith.addi %a, %c : i32
      return %0 : i32
    })");
  auto ids = read(graph, block);
  auto lookup = [&](StringRef text) -> std::optional<ClassId> {
    Block &other = parse(text);
    llvm::DenseMap<Value, ClassId> known;
    known[other.getArgument(0)] = *graph.addLeaf(block.getArgument(0));
    const size_t nodes = graph.getTable().getNumNodes();
    auto classes = lookupBlock(graph, other, known);
    EXPECT_EQ(graph.getTable().getNumNodes(), nodes);
    auto it = classes.find(other.getTerminator()->getOperand(0));
    if (it == classes.end())
      return std::nullopt;
    return it->second;
  };
  EXPECT_EQ(lookup(R"(
    func.func @g(%a: i32) -> i32 {
      %c = arith.constant 4 : i32
      %0 = arith.addi %a, %c : i32
      return %0 : i32
    })"),
            ids[0]);
  EXPECT_EQ(lookup(R"(
    func.func @g(%a: i32) -> i32 {
      %c = arith.constant 5 : i32
      %0 = arith.addi %a, %c : i32
      return %0 : i32
    })"),
            std::nullopt);
}

} // namespace
