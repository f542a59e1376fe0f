//===- PdlRulesTest.cpp - Rules from PDL ----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each construct of PDL matches and makes, several roots and results,
// native functions, and everything that can't be a rule.
//
//===----------------------------------------------------------------------===//

#include "TermTesting.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct PdlRulesTest : public TermFixture {
  /// Saturates the block of a function with rules and writes the smallest terms
  /// of what it returns into it: the names of its ops.
  std::vector<std::string> run(StringRef function, ArrayRef<PdlRule> rules) {
    Block &block = parse(function);
    TermGraph graph(&context);
    std::optional<TermBlock> terms = importBlock(graph, block);
    statistics = saturate(graph, rules, {});
    TermBuilder builder(graph, chooseSmallest(graph), &*terms);
    Operation *last = block.getTerminator();
    OpBuilder ops(last);
    std::string problem;
    for (OpOperand &operand : last->getOpOperands()) {
      auto values = builder.build(
          ops, last->getLoc(), terms->classes.lookup(operand.get()), problem);
      EXPECT_TRUE(values) << problem;
      operand.set(values->front());
    }
    for (Operation *op : llvm::reverse(terms->terms))
      if (op->use_empty())
        op->erase();
    EXPECT_TRUE(succeeded(modules.back()->verify()));
    std::vector<std::string> names;
    for (Operation &op : block.without_terminator())
      names.push_back(op.getName().getStringRef().str());
    return names;
  }

  SaturationStatistics statistics;
};

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

TEST_F(PdlRulesTest, RefusedAtRunTime) {
  auto rules = compile(R"(
    pdl.pattern @Types : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    }
    pdl.pattern @Invalid : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root {
        %new = pdl.operation "arith.trunci"(%x : !pdl.value)
          -> (%t : !pdl.type)
        pdl.replace %root with %new
      }
    }
    pdl.pattern @Effects : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root {
        %name = pdl.attribute = @f
        %new = pdl.operation "func.call"(%x : !pdl.value) {"callee" = %name}
          -> (%t : !pdl.type)
        pdl.replace %root with %new
      }
    }
    pdl.pattern @Constants : benefit(1) {
      %value = pdl.attribute = 1 : i32
      %t = pdl.type
      %root = pdl.operation "arith.constant" {"value" = %value}
        -> (%t : !pdl.type)
      pdl.rewrite %root {
        %two = pdl.attribute = 2 : i32
        %new = pdl.operation "arith.constant" {"value" = %two}
          -> (%t : !pdl.type)
        pdl.replace %root with %new
      }
    }
    pdl.pattern @Count : benefit(1) {
      %x = pdl.operand
      %t = pdl.types
      %root = pdl.operation "arith.mului_extended"(%x, %x : !pdl.value,
        !pdl.value) -> (%t : !pdl.range<type>)
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    })");
  ASSERT_EQ(rules.size(), 5u);
  EXPECT_EQ(run(R"(
    func.func @f(%a: i32) -> (i64, i32, i32) {
      %0 = arith.extsi %a : i32 to i64
      %1 = arith.constant 1 : i32
      %2, %3 = arith.mului_extended %a, %a : i32
      return %0, %1, %2 : i64, i32, i32
    })",
                rules)
                .size(),
            3u);
  const char *reasons[] = {"a term of type i64 can't equal one of type i32",
                           "'arith.trunci' op",
                           "'func.call' has effects besides its results",
                           "the constant 1 : i32 can't equal 2 : i32",
                           "2 results can't be replaced by 1 values"};
  for (auto [rule, reason] : llvm::zip_equal(statistics.rules, reasons)) {
    EXPECT_GT(rule.refused, 0u);
    EXPECT_NE(rule.refusal.find(reason), std::string::npos) << rule.refusal;
  }
  EXPECT_EQ(statistics.reason, StopReason::Saturated);
}

/// A pattern `@R` with this body.
std::string pattern(StringRef body) {
  return ("pdl.pattern @R : benefit(1) {\n%x = pdl.operand\n%t = pdl.type\n" +
          body + "\n}")
      .str();
}
const char kRoot[] = "%root = pdl.operation \"some.op\"(%x : !pdl.value) -> "
                     "(%t : !pdl.type)\n";

TEST_F(PdlRulesTest, WhatCanNotBeARule) {
  auto body = [&](StringRef rewrite) {
    return complain(pattern(
        (kRoot + Twine("pdl.rewrite %root {\n") + rewrite + "\n}").str()));
  };
  EXPECT_EQ(body("pdl.erase %root"),
            "rule 'R': nothing can be erased: a rule says what is equal");
  EXPECT_EQ(body("%v = pdl.apply_native_rewrite \"No\" : !pdl.value\n"
                 "pdl.replace %root with (%v : !pdl.value)"),
            "rule 'R': there is no native rewrite 'No'");
  EXPECT_EQ(body("%n = pdl.operation \"some.new\"(%x : !pdl.value)\n"
                 "%v = pdl.result 0 of %n\n"
                 "pdl.replace %root with (%v : !pdl.value)"),
            "rule 'R': the result types of 'some.new' are not given and can't "
            "be inferred");
  EXPECT_EQ(body("pdl.replace %root with (%x, %x : !pdl.value, !pdl.value)"),
            "rule 'R': 1 results can't be replaced by 2");
  EXPECT_EQ(body("%n = pdl.operation \"some.new\" -> (%t, %t : !pdl.type, "
                 "!pdl.type)\npdl.replace %root with %n"),
            "rule 'R': 1 results can't be replaced by 2");
  EXPECT_EQ(body("%r = pdl.range : !pdl.range<value>\n"
                 "pdl.replace %root with (%r : !pdl.range<value>)"),
            "rule 'R': 'pdl.range' can't be made");
  EXPECT_EQ(body("%n = pdl.operation \"some.new\" -> (%t : !pdl.type)\n"
                 "pdl.replace %n with (%x : !pdl.value)"),
            "rule 'R': what is replaced must be matched");
  EXPECT_EQ(body("%n = pdl.operation \"some.new\" -> (%t : !pdl.type)"),
            "rule 'R': it replaces nothing");
  EXPECT_EQ(body("%n = pdl.operation \"arith.nope\"(%x : !pdl.value)\n"
                 "pdl.replace %root with %n"),
            "rule 'R': dialect 'arith' has no operation 'arith.nope'");
  EXPECT_EQ(body("%n = pdl.operation \"arith.addi\"(%x : !pdl.value)\n"
                 "pdl.replace %root with %n"),
            "rule 'R': 'arith.addi' takes 2 operands, got 1");
  EXPECT_EQ(complain(pattern(
                "%root = pdl.operation \"arith.extsi\"(%x, %x : !pdl.value, "
                "!pdl.value) -> (%t : !pdl.type)\n"
                "pdl.rewrite %root { pdl.replace %root with (%x : "
                "!pdl.value) }")),
            "rule 'R': 'arith.extsi' takes 1 operand, got 2");
  EXPECT_EQ(
      complain(pattern((kRoot + Twine("pdl.rewrite %root with \"F\"")).str())),
      "rule 'R': native rewrite 'F' of an operation; replace it by what "
      "a native rewrite of values returns");
  const char *replace =
      "pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }";
  EXPECT_EQ(complain(pattern((kRoot +
                              Twine("pdl.apply_native_constraint \"No\"(%x : "
                                    "!pdl.value)\n") +
                              replace)
                                 .str())),
            "rule 'R': there is no native constraint 'No'");
  EXPECT_EQ(
      complain(pattern(
          ("%r = pdl.operands\n%root = pdl.operation \"some.op\"(%x, %r : "
           "!pdl.value, !pdl.range<value>) -> (%t : !pdl.type)\n" +
           Twine(replace))
              .str())),
      "rule 'R': a range of operands has no fixed number; name each operand, "
      "or write () for none");
  EXPECT_EQ(complain(R"(
    pdl.pattern @R : benefit(1) {
      %i = pdl.type : i32
      %j = pdl.type : i64
      %x = pdl.operand : %i
      %root = pdl.operation "some.op"(%x : !pdl.value) -> (%j : !pdl.type)
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    })"),
            "rule 'R': a value of type 'i64' can't be replaced by one of type "
            "'i32'");
  EXPECT_EQ(
      complain(pattern(
          ("%ts = pdl.types\n%p = pdl.operation \"some.op\"(%x : !pdl.value) "
           "-> (%ts : !pdl.range<type>)\n%v = pdl.result 1 of %p\n"
           "%root = pdl.operation \"some.op\"(%v : !pdl.value) -> (%t : "
           "!pdl.type)\n" +
           Twine(replace))
              .str())),
      "rule 'R': the number of results is not known; give the type of each "
      "result");
  EXPECT_EQ(complain(pattern(("%p = pdl.operation \"some.op\"(%x : !pdl.value)"
                              " -> (%t : !pdl.type)\n%v = pdl.result 1 of %p\n"
                              "%root = pdl.operation \"some.op\"(%v : "
                              "!pdl.value) -> (%t : !pdl.type)\n" +
                              Twine(replace))
                                 .str())),
            "rule 'R': there is no result 1 of 1");
  EXPECT_EQ(complain(pattern((Twine(kRoot) +
                              "pdl.rewrite %root {\n%u = pdl.operation "
                              "\"some.new\" {\"a\" = %root2} -> (%t : "
                              "!pdl.type)\n}")
                                 .str()))
                .substr(0, 8),
            "(no PDL)");
}

TEST_F(PdlRulesTest, OperationsThatCanNotBeThere) {
  auto matched = [&](StringRef operation) {
    return complain(pattern(("%y = pdl.operand\n%one = pdl.attribute = 1 : "
                             "i32\n%root = pdl.operation " +
                             operation +
                             "\npdl.rewrite %root { pdl.replace %root with (%x "
                             ": !pdl.value) }")
                                .str()));
  };
  EXPECT_EQ(matched("\"arith.adi\"(%x, %y : !pdl.value, !pdl.value) -> (%t : "
                    "!pdl.type)"),
            "rule 'R': dialect 'arith' has no operation 'arith.adi'");
  EXPECT_EQ(matched("\"arith.addi\"(%x, %y, %x : !pdl.value, !pdl.value, "
                    "!pdl.value) -> (%t : !pdl.type)"),
            "rule 'R': 'arith.addi' takes 2 operands, got 3");
  EXPECT_EQ(matched("\"arith.addi\"(%x, %y : !pdl.value, !pdl.value) -> (%t, "
                    "%t : !pdl.type, !pdl.type)"),
            "rule 'R': 'arith.addi' has 1 result, got 2");
  EXPECT_EQ(matched("\"func.return\"(%x, %y : !pdl.value, !pdl.value) -> (%t : "
                    "!pdl.type)"),
            "rule 'R': 'func.return' is a terminator, which is no term");
  EXPECT_EQ(matched("\"arith.addi\"(%x, %y : !pdl.value, !pdl.value) "
                    "{\"overflowFlags\" = %one} -> (%t : !pdl.type)"),
            "rule 'R': 'arith.addi': attribute 'overflowFlags' failed to "
            "satisfy constraint: Integer overflow arith flags");
  auto made = [&](StringRef operation) {
    return complain(pattern(
        (kRoot + Twine("pdl.rewrite %root {\n%new = pdl.operation ") +
         operation + " -> (%t : !pdl.type)\npdl.replace %root with %new\n}")
            .str()));
  };
  EXPECT_EQ(made("\"arith.addi\"(%x : !pdl.value)"),
            "rule 'R': 'arith.addi' takes 2 operands, got 1");
  EXPECT_EQ(made("\"arith.adi\"(%x : !pdl.value)"),
            "rule 'R': dialect 'arith' has no operation 'arith.adi'");
  context.allowUnregisteredDialects(false);
  EXPECT_EQ(
      made("\"some.new\"(%x : !pdl.value)").substr(0, 98),
      "rule 'R': there is no dialect 'some' for 'some.op'; it may be used "
      "where unregistered dialects are");
}

TEST_F(PdlRulesTest, CallsThatAreNotDeclared) {
  NativeFunctions functions;
  functions.constraints["C"] = [](TermGraph &, ArrayRef<RuleValue>,
                                  SmallVectorImpl<RuleValue> &) {
    return true;
  };
  auto call = [&](StringRef arguments) {
    return complain(
        pattern((kRoot + Twine("pdl.apply_native_constraint \"C\"") +
                 arguments +
                 "\npdl.rewrite %root { pdl.replace %root with (%x : "
                 "!pdl.value) }")
                    .str()),
        functions);
  };
  EXPECT_EQ(call("(%x : !pdl.value)"),
            "rule 'R': native function 'C' does not declare its signature");
  functions.declare("C", {RuleValue::Kind::Attribute, RuleValue::Kind::Types});
  EXPECT_EQ(call("(%x, %root : !pdl.value, !pdl.operation)"),
            "rule 'R': native function 'C' is (Attr, TypeRange) -> (), got "
            "(Value, Op) -> ()");
  EXPECT_EQ(call("(%t : !pdl.type) : !pdl.type"),
            "rule 'R': native function 'C' is (Attr, TypeRange) -> (), got "
            "(Type) -> (Type)");
}

/// What functions return is not what they declared.
TEST_F(PdlRulesTest, CallsThatBreakTheirWord) {
  using Kind = RuleValue::Kind;
  NativeFunctions functions;
  functions.constraints["C"] = [](TermGraph &, ArrayRef<RuleValue>,
                                  SmallVectorImpl<RuleValue> &results) {
    results.push_back(RuleValue(Attribute()));
    return true;
  };
  functions.rewrites["R"] = [](TermGraph &, ArrayRef<RuleValue> arguments,
                               SmallVectorImpl<RuleValue> &results,
                               std::string &) {
    results.push_back(arguments[0]);
    results.push_back(RuleValue(Type()));
    return true;
  };
  functions.declare("C", {Kind::Value}, {Kind::Attribute});
  functions.declare("R", {Kind::Value}, {Kind::Value});
  auto rules = compile(R"(
    pdl.pattern @First : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      %a = pdl.apply_native_constraint "C"(%x : !pdl.value) : !pdl.attribute
      pdl.rewrite %root { pdl.replace %root with (%x : !pdl.value) }
    }
    pdl.pattern @Second : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %root = pdl.operation "arith.extsi"(%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %root {
        %v = pdl.apply_native_rewrite "R"(%x : !pdl.value) : !pdl.value
        pdl.replace %root with (%v : !pdl.value)
      }
    })",
                       functions);
  ASSERT_EQ(rules.size(), 2u);
  run(R"(
    func.func @f(%a: i32) -> i64 {
      %0 = arith.extsi %a : i32 to i64
      return %0 : i64
    })",
      rules);
  EXPECT_EQ(statistics.rules[0].refusal,
            "native function 'C' returns (Attr), got (nothing)");
  EXPECT_EQ(statistics.rules[1].refusal,
            "native function 'R' returns (Value), got (Value, nothing)");
  EXPECT_EQ(statistics.rules[0].completed + statistics.rules[1].completed, 0u);
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

TEST_F(PdlRulesTest, Contradictions) {
  auto makeRules = [&](StringRef type, StringRef one, StringRef other) {
    std::string text;
    for (auto [name, value] : {std::pair("One", one), {"Other", other}})
      text += ("pdl.pattern @" + Twine(name) + R"( : benefit(1) {
        %x = pdl.operand
        %t = pdl.type : )" +
               type + R"(
        %root = pdl.operation "some.op"(%x : !pdl.value) -> (%t : !pdl.type)
        pdl.rewrite %root {
          %value = pdl.attribute = )" +
               value + " : " + type + R"(
          %new = pdl.operation "arith.constant" {"value" = %value}
            -> (%t : !pdl.type)
          pdl.replace %root with %new
        }
      })")
                  .str();
    return compile(text);
  };
  auto saturated = [&](StringRef type, StringRef one, StringRef other) {
    auto rules = makeRules(type, one, other);
    Block &block = parse(("func.func @f(%a: " + type + ") -> " + type +
                          " {\n%0 = \"some.op\"(%a) : (" + type + ") -> " +
                          type + "\nreturn %0 : " + type + "\n}")
                             .str());
    TermGraph graph(&context);
    importBlock(graph, block,
                [](Operation *op) { return op->getNumResults() != 0; });
    return saturate(graph, rules, {});
  };
  SaturationStatistics statistics = saturated("i32", "5", "6");
  EXPECT_EQ(statistics.contradiction,
            "the constant 5 : i32 can't equal 6 : i32, said by rule 'Other'; "
            "rules that were applied: One, Other");
  EXPECT_FALSE(statistics.isOfFloats);
  EXPECT_EQ(saturated("i32", "5", "5").contradiction, "");
  statistics = saturated("f32", "1.0", "2.0");
  EXPECT_NE(statistics.contradiction, "");
  EXPECT_TRUE(statistics.isOfFloats);
  // What rounding may do.
  statistics = saturated("f32", "1.0", "1.000001");
  EXPECT_EQ(statistics.contradiction, "");
  EXPECT_GT(statistics.rules[1].refused, 0u);
}

TEST_F(PdlRulesTest, WhatIsSaidIsLocated) {
  std::string text =
      pattern((kRoot + Twine("pdl.rewrite %root { pdl.erase %root }")).str());
  Location at = UnknownLoc::get(&context);
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { at = diagnostic.getLocation(); });
  OwningOpRef<ModuleOp> module = parseRules(&context, text, "rules");
  EXPECT_TRUE(failed(compileRules(*module, {})));
  auto place = dyn_cast<FileLineColLoc>(at);
  ASSERT_TRUE(place);
  EXPECT_EQ(place.getFilename(), "rules");
  EXPECT_EQ(place.getLine(), 5u);
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
