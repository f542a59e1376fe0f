//===- PdlRefusalsTest.cpp - What is not a rule ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can not be a rule, what is refused where a rule is applied, rules that
// contradict each other, and where that is said.
//
//===----------------------------------------------------------------------===//

#include "PdlTesting.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using PdlRefusalsTest = PdlFixture;

TEST_F(PdlRefusalsTest, RefusedAtRunTime) {
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

TEST_F(PdlRefusalsTest, WhatCanNotBeARule) {
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

TEST_F(PdlRefusalsTest, OperationsThatCanNotBeThere) {
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
            "rule 'R': 'func.return' is a terminator, which is not a term");
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

TEST_F(PdlRefusalsTest, CallsThatAreNotDeclared) {
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
TEST_F(PdlRefusalsTest, CallsThatBreakTheirWord) {
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

TEST_F(PdlRefusalsTest, Contradictions) {
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

TEST_F(PdlRefusalsTest, WhatIsSaidIsLocated) {
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

} // namespace
