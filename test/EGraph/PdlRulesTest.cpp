//===- PdlRulesTest.cpp - Rules from PDL ----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each construct of PDL matches and makes, several roots and results,
// native functions, patterns alone and what they stand for.
//
//===----------------------------------------------------------------------===//

#include "PdlTesting.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using PdlRulesTest = PdlFixture;
using Names = std::vector<std::string>;
TEST_F(PdlRulesTest, AnOperationByAValueAndByAnOperation) {
  auto rules = compile(R"(
    pdl.pattern @DoubleNegation : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %inner = pdl.operation "some.neg"(%x : !pdl.value) -> (%t : !pdl.type)
      %v = pdl.result 0 of %inner
      %root = pdl.operation "some.neg"(%v : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    }
    pdl.pattern : benefit(0) {
      %x = pdl.operand
      %t = pdl.type
      %a = pdl.attribute = 7 : i64
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root {
        %new = pdl.operation "some.wide"(%x : !pdl.value) {"by" = %a}
        pdl.replace %root with %new
      }
    })");
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].getName(), "DoubleNegation");
  EXPECT_EQ(rules[1].getName(), "rule 1");
  EXPECT_EQ(rules[0].getBenefit(), 1u);
  EXPECT_EQ(run(R"(
    func.func @f(%a: i32) -> i64 {
      %0 = arith.extsi %a : i32 to i64
      return %0 : i64
    })",
                rules),
            Names({"arith.extsi"}));
  EXPECT_EQ(statistics.rules[1].applied, 1u);
  EXPECT_EQ(statistics.reason, StopReason::Saturated);
}

TEST_F(PdlRulesTest, SmallerTermsAreFound) {
  // x * 2 = x + x and (x + y) - y = x, with constants and types by handles.
  auto rules = compile(R"(
    pdl.pattern @Double : benefit(1) {
      %t = pdl.type : i32
      %x = pdl.operand : %t
      %two = pdl.attribute = 2 : i32
      %c = pdl.operation "arith.constant" {"value" = %two} -> (%t : !pdl.type)
      %k = pdl.result 0 of %c
      %root = pdl.operation "arith.muli"(%x, %k : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      pdl.rewrite %root {
        %sum = pdl.operation "arith.addi"(%x, %x : !pdl.value, !pdl.value)
        %v = pdl.result 0 of %sum
        pdl.replace %root with (%v : !pdl.value)
      }
    }
    pdl.pattern @Undo : benefit(1) {
      %x = pdl.operand
      %y = pdl.operand
      %t = pdl.type
      %sum = pdl.operation "arith.addi"(%x, %y : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      %v = pdl.result 0 of %sum
      %root = pdl.operation "arith.subi"(%v, %y : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    })");
  EXPECT_EQ(run(R"(
    func.func @f(%a: i32) -> i32 {
      %two = arith.constant 2 : i32
      %0 = arith.muli %a, %two : i32
      %1 = arith.subi %0, %a : i32
      return %1 : i32
    })",
                rules),
            Names());
  // Another constant, and another type.
  EXPECT_EQ(run(R"(
    func.func @f(%a: i32) -> i32 {
      %two = arith.constant 3 : i32
      %0 = arith.muli %a, %two : i32
      %1 = arith.subi %0, %a : i32
      return %1 : i32
    })",
                rules)
                .size(),
            3u);
  EXPECT_EQ(statistics.rules[0].applied, 0u);
  EXPECT_EQ(run(R"(
    func.func @f(%a: i64) -> i64 {
      %two = arith.constant 2 : i64
      %0 = arith.muli %a, %two : i64
      return %0 : i64
    })",
                rules)
                .size(),
            2u);
}

TEST_F(PdlRulesTest, SeveralResults) {
  // (lo, hi) of a * b are those of b * a; hi alone is another op.
  auto rules = compile(R"(
    pdl.pattern @Swap : benefit(1) {
      %a = pdl.operand
      %b = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.mului_extended"(%a, %b : !pdl.value,
        !pdl.value) -> (%t, %t : !pdl.type, !pdl.type)
      pdl.rewrite %root {
        %new = pdl.operation "arith.mului_extended"(%b, %a : !pdl.value,
          !pdl.value) -> (%t, %t : !pdl.type, !pdl.type)
        pdl.replace %root with %new
      }
    }
    pdl.pattern @Parts : benefit(1) {
      %a = pdl.operand
      %b = pdl.operand
      %t = pdl.type
      %root = pdl.operation "some.pair"(%a, %b : !pdl.value, !pdl.value)
        -> (%t, %t : !pdl.type, !pdl.type)
      pdl.rewrite %root {
        pdl.replace %root with (%a, %b : !pdl.value, !pdl.value)
      }
    }
    pdl.pattern @Sum : benefit(1) {
      %a = pdl.operand
      %b = pdl.operand
      %t = pdl.type
      %pair = pdl.operation "some.pair"(%a, %b : !pdl.value, !pdl.value)
        -> (%t, %t : !pdl.type, !pdl.type)
      %x = pdl.result 0 of %pair
      %y = pdl.result 1 of %pair
      %root = pdl.operation "arith.subi"(%y, %x : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      pdl.rewrite %root {
        %new = pdl.operation "arith.subi"(%b, %a : !pdl.value, !pdl.value)
          -> (%t : !pdl.type)
        pdl.replace %root with %new
      }
    })");
  EXPECT_EQ(run(R"(
    func.func @f(%a: i8, %b: i8) -> (i8, i8) {
      %0, %1 = arith.mului_extended %a, %b : i8
      %2, %3 = arith.mului_extended %b, %a : i8
      %4 = arith.subi %1, %3 : i8
      return %0, %4 : i8, i8
    })",
                rules),
            Names({"arith.mului_extended", "arith.constant"}));
  EXPECT_EQ(statistics.rules[0].applied, 1u);

  // `some.pair` as a term, since the test says so.
  Block &block = parse(R"(
    func.func @f(%a: i8, %b: i8) -> (i8) {
      %0:2 = "some.pair"(%a, %b) : (i8, i8) -> (i8, i8)
      %1 = arith.subi %0#1, %0#0 : i8
      %2 = arith.subi %b, %a : i8
      return %1 : i8
    })");
  TermGraph graph(&context);
  std::optional<TermBlock> terms = importBlock(
      graph, block, [](Operation *op) { return op->getNumResults() != 0; });
  saturate(graph, rules, {});
  NodeTable &table = graph.getTable();
  auto classOf = [&](Value value) {
    return table.find(terms->classes.lookup(value));
  };
  auto ops = block.begin();
  EXPECT_EQ(classOf(ops->getResult(0)), classOf(block.getArgument(0)));
  EXPECT_EQ(classOf(ops->getResult(1)), classOf(block.getArgument(1)));
  EXPECT_EQ(classOf((++ops)->getResult(0)), classOf((++ops)->getResult(0)));
}

TEST_F(PdlRulesTest, SeveralRoots) {
  // Two products with a factor in common and any sum of theirs.
  auto rules = compile(R"(
    pdl.pattern @Pair : benefit(1) {
      %a = pdl.operand
      %b = pdl.operand
      %c = pdl.operand
      %t = pdl.type
      %x = pdl.operation "arith.muli"(%a, %b : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      %y = pdl.operation "arith.addi"(%a, %c : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      pdl.rewrite %y {
        %p = pdl.operation "some.both"(%a, %b, %c : !pdl.value, !pdl.value,
          !pdl.value) -> (%t, %t : !pdl.type, !pdl.type)
        %u = pdl.result 0 of %p
        %v = pdl.result 1 of %p
        pdl.replace %x with (%u : !pdl.value)
        pdl.replace %y with (%v : !pdl.value)
      }
    })");
  run(R"(
    func.func @f(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32, i32) {
      %0 = arith.muli %a, %b : i32
      %1 = arith.addi %a, %c : i32
      %2 = arith.addi %d, %c : i32
      return %0, %1, %2 : i32, i32, i32
    })",
      rules);
  EXPECT_EQ(statistics.rules[0].applied, 1u);
}

TEST_F(PdlRulesTest, NativeFunctions) {
  NativeFunctions functions;
  functions.constraints["IsPowerOfTwo"] =
      [](TermGraph &, ArrayRef<RuleValue> arguments,
         SmallVectorImpl<RuleValue> &results) {
        auto value = dyn_cast<IntegerAttr>(arguments[0].attribute);
        if (!value || !value.getValue().isPowerOf2())
          return false;
        results.push_back(RuleValue(Attribute(
            IntegerAttr::get(value.getType(), value.getValue().logBase2()))));
        return true;
      };
  functions.declare("IsPowerOfTwo", {RuleValue::Kind::Attribute},
                    {RuleValue::Kind::Attribute});
  functions.declare("Zero", {RuleValue::Kind::Value}, {RuleValue::Kind::Value});
  functions.rewrites["Zero"] =
      [](TermGraph &graph, ArrayRef<RuleValue> arguments,
         SmallVectorImpl<RuleValue> &results, std::string &problem) {
        Type type = graph.getType(arguments[0].id);
        auto id = graph.addConstant(
            Builder(type.getContext()).getZeroAttr(type), type,
            type.getContext()->getLoadedDialect("arith"), &problem);
        if (id)
          results.push_back(RuleValue::value(*id));
        return id.has_value();
      };
  auto rules = compile(R"(
    pdl.pattern @Shift : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %value = pdl.attribute
      %c = pdl.operation "arith.constant" {"value" = %value} -> (%t : !pdl.type)
      %k = pdl.result 0 of %c
      %root = pdl.operation "arith.muli"(%x, %k : !pdl.value, !pdl.value)
        -> (%t : !pdl.type)
      %log = pdl.apply_native_constraint "IsPowerOfTwo"(%value : !pdl.attribute)
        : !pdl.attribute
      pdl.rewrite %root {
        %c2 = pdl.operation "arith.constant" {"value" = %log}
          -> (%t : !pdl.type)
        %k2 = pdl.result 0 of %c2
        %new = pdl.operation "arith.shli"(%x, %k2 : !pdl.value, !pdl.value)
          -> (%t : !pdl.type)
        pdl.replace %root with %new
      }
    }
    pdl.pattern @Not : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %value = pdl.attribute
      %root = pdl.operation "some.zero"(%x : !pdl.value) {"k" = %value}
        -> (%t : !pdl.type)
      pdl.apply_native_constraint "IsPowerOfTwo"(%value : !pdl.attribute)
        {isNegated = true}
      pdl.rewrite %root {
        %zero = pdl.apply_native_rewrite "Zero"(%x : !pdl.value) : !pdl.value
        pdl.replace %root with (%zero : !pdl.value)
      }
    })",
                       functions);
  ASSERT_EQ(rules.size(), 2u);
  Block &block = parse(R"(
    func.func @f(%a: i32) -> (i32, i32, i32) {
      %c = arith.constant 8 : i32
      %d = arith.constant 3 : i32
      %0 = arith.muli %a, %c : i32
      %1 = arith.shli %a, %d : i32
      %2 = "some.zero"(%a) {k = 3 : i32} : (i32) -> i32
      %3 = "some.zero"(%a) {k = 4 : i32} : (i32) -> i32
      return %0, %1, %2 : i32, i32, i32
    })");
  TermGraph graph(&context);
  std::optional<TermBlock> terms = importBlock(
      graph, block, [](Operation *op) { return op->getNumResults() != 0; });
  saturate(graph, rules, {});
  auto classOf = [&](Value value) {
    return graph.getTable().find(terms->classes.lookup(value));
  };
  Operation *last = block.getTerminator();
  EXPECT_EQ(classOf(last->getOperand(0)), classOf(last->getOperand(1)));
  EXPECT_TRUE(graph.getConstant(classOf(last->getOperand(2))));
  EXPECT_FALSE(graph.getConstant(classOf(last->getPrevNode()->getResult(0))));
}

TEST_F(PdlRulesTest, ModulesInModules) {
  auto rules = compile("module { module @inner {\n" +
                       pattern(kRoot + std::string("pdl.rewrite %root { "
                                                   "pdl.replace %root with (%x "
                                                   ": !pdl.value) }")) +
                       "\n} }");
  ASSERT_EQ(rules.size(), 1u);
  EXPECT_EQ(rules[0].getName(), "R");
}

TEST_F(PdlRulesTest, PartsOfTexts) {
  // What follows would be taken for the rest of the last word.
  StringRef text = "!bits = i32pdl";
  EXPECT_TRUE(parseRules(&context, text.take_front(11), "rules"));
}

TEST_F(PdlRulesTest, MatchOnly) {
  OwningOpRef<ModuleOp> module = parseRules(
      &context,
      pattern((kRoot + Twine("pdl.rewrite %root {\npdl.erase %root\n}")).str()),
      "rules");
  ASSERT_TRUE(module);
  auto rules = compileRules(*module, {}, /*matchOnly=*/true);
  ASSERT_TRUE(succeeded(rules));
  TermGraph graph(&context);
  Block &block = parse(R"(
    func.func @f(%a: i32) -> i32 {
      %0 = "some.op"(%a) : (i32) -> i32
      %1 = "some.op"(%0) : (i32) -> i32
      return %1 : i32
    })");
  std::optional<TermBlock> terms = importBlock(
      graph, block, [](Operation *op) { return op->getNumResults() != 0; });
  graph.getTable().rebuild();
  graph.getTable().takeSnapshot();
  int count = 0;
  rules->front().match(graph, [&](ClassId) { return ++count; });
  EXPECT_EQ(count, 2);
}

/// Terms that a pattern stands for are made, with what their verifiers accept.
TEST_F(PdlRulesTest, Instances) {
  OwningOpRef<ModuleOp> module = parseRules(&context, R"(
    pdl.pattern @Sum : benefit(0) {
      %x = pdl.operand
      %t = pdl.type
      %w = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      %v = pdl.result 0 of %w
      %f = pdl.attribute
      %root = pdl.operation "arith.addi"(%v, %v : !pdl.value, !pdl.value)
        {"overflowFlags" = %f} -> (%t : !pdl.type)
      pdl.rewrite %root { pdl.erase %root }
    })",
                                            "rules");
  auto rules = compileRules(*module, {}, /*matchOnly=*/true);
  ASSERT_TRUE(succeeded(rules));
  TermGraph graph(&context);
  Block &block = parse(R"(
    func.func @f(%a: i8, %b: i16, %c: i32) -> (i16, i32) {
      %0 = arith.extsi %a : i8 to i16
      %1 = arith.addi %0, %b : i16
      %2 = arith.addi %c, %c overflow<nsw> : i32
      return %1, %2 : i16, i32
    })");
  std::optional<TermBlock> terms = importBlock(graph, block);
  SmallVector<ClassId> classes;
  for (auto value : block.getArguments())
    classes.push_back(terms->classes.lookup(value));
  // i8 to i16 and i32, i16 to i32; with both flags.
  auto instances = rules->front().makeInstances(graph, {classes, {}, 1000});
  ASSERT_TRUE(instances);
  EXPECT_EQ(instances->size(), 6u);
  for (const PdlInstance &instance : *instances) {
    EXPECT_TRUE(rules->front().check(graph, instance));
    EXPECT_EQ(graph.describeSymbol(instance.symbols[rules->front().getRoot()]),
              "arith.addi");
  }
  Type i16 = IntegerType::get(&context, 16);
  instances = rules->front().makeInstances(graph, {classes, i16, 1000});
  ASSERT_TRUE(instances);
  EXPECT_EQ(instances->size(), 2u);
  EXPECT_FALSE(rules->front().makeInstances(graph, {classes, {}, 5}));
}

} // namespace
