//===- PdllFilesTest.cpp - Rules in PDLL, as they are written -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes and types of dialects, which mlir-pdll does not know, files that
// include others, where errors are said to be, and programs that are no
// mlir-pdll.
//
//===----------------------------------------------------------------------===//

#include "TermTesting.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct PdllFilesTest : public TermFixture {
  PdllFilesTest() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("pdll-test", folder));
  }
  ~PdllFilesTest() override { llvm::sys::fs::remove_directories(folder); }

  /// Writes a file; its path.
  std::string write(StringRef name, StringRef text) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    EXPECT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)));
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    EXPECT_FALSE(error);
    os << text;
    return path.str().str();
  }

  /// `FILE:LINE:COLUMN: WORDS` of each error, without the folder; notes follow
  /// in parentheses.
  std::string complain(llvm::function_ref<OwningOpRef<ModuleOp>()> read) {
    std::string said;
    llvm::raw_string_ostream os(said);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      auto show = [&](Diagnostic &one) {
        auto place = dyn_cast<FileLineColLoc>(one.getLocation());
        if (place)
          os << llvm::sys::path::filename(place.getFilename()) << ":"
             << place.getLine() << ":" << place.getColumn() << ": ";
        os << one.str();
      };
      os << (said.empty() ? "" : "; ");
      show(diagnostic);
      for (Diagnostic &note : diagnostic.getNotes()) {
        os << " (";
        show(note);
        os << ")";
      }
    });
    EXPECT_FALSE(read());
    return said;
  }
  std::string complainOf(StringRef text, StringRef compiler = "") {
    return complain([&] {
      return readRulesFromText(&context, text, "rules.pdll", compiler);
    });
  }

  /// A program that says this and ends so.
  std::string makeProgram(StringRef script) {
    std::string path = write("program", ("#!/bin/sh\n" + script).str());
    EXPECT_FALSE(llvm::sys::fs::setPermissions(
        path, llvm::sys::fs::all_read | llvm::sys::fs::all_exe));
    return path;
  }

  std::vector<PdlRule> compileText(StringRef text) {
    OwningOpRef<ModuleOp> module =
        readRulesFromText(&context, text, "rules.pdll");
    EXPECT_TRUE(module);
    if (!module)
      return {};
    FailureOr<std::vector<PdlRule>> rules = compileRules(*module, {});
    EXPECT_TRUE(succeeded(rules));
    return succeeded(rules) ? std::move(*rules) : std::vector<PdlRule>();
  }

  SmallString<128> folder;
};

TEST_F(PdllFilesTest, AttributesOfDialectsAreGuards) {
  std::vector<PdlRule> rules = compileText(R"(
    Pattern Fast {
      let r = op<arith.subf>(a: Value, b: Value)
        {fastmath = attr<"#arith.fastmath<fast>">} -> (t: Type);
      replace r with op<arith.addf>(a, b)
        {fastmath = attr<"#arith.fastmath<nnan, ninf>">} -> (t);
    }
    Pattern Constant {
      let r = op<arith.constant>() {value = attr<"dense<1> : tensor<2xi8>">}
        -> (type<"tensor<2xi8>">);
      replace r with op<some.one>() {kind = attr<"\"ta:1\"">}
        -> (type<"tensor<2xi8>">);
    })");
  ASSERT_EQ(rules.size(), 2u);
  Block &block = parse(R"(
    func.func @f(%a: f32, %b: f32) -> (f32, f32, tensor<2xi8>) {
      %0 = arith.subf %a, %b fastmath<fast> : f32
      %1 = arith.subf %a, %b : f32
      %2 = arith.addf %a, %b fastmath<nnan,ninf> : f32
      %3 = arith.constant dense<1> : tensor<2xi8>
      %4 = "some.one"() {kind = "ta:1"} : () -> tensor<2xi8>
      return %0, %1, %3 : f32, f32, tensor<2xi8>
    })");
  TermGraph graph(&context);
  std::optional<TermBlock> terms = importBlock(
      graph, block, [](Operation *op) { return op->getNumResults() != 0; });
  SaturationStatistics statistics = saturate(graph, rules, {});
  EXPECT_EQ(statistics.rules[0].applied, 1u);
  SmallVector<ClassId> classes;
  for (Operation &op : block.without_terminator())
    classes.push_back(
        graph.getTable().find(terms->classes.lookup(op.getResult(0))));
  EXPECT_EQ(classes[0], classes[2]);
  EXPECT_NE(classes[1], classes[2]);
  EXPECT_EQ(classes[3], classes[4]);
}

TEST_F(PdllFilesTest, PlacesAreThoseOfTheText) {
  OwningOpRef<ModuleOp> module = readRulesFromText(
      &context,
      "// attr<\"1\">\n"
      "Pattern A { let r = op<arith.subf>(a: Value, b: Value) {fastmath = "
      "attr<\"#arith.fastmath<fast>\">, k = attr<\"1\">} -> (type<\"f32\">); "
      "erase r; }",
      "rules.pdll");
  ASSERT_TRUE(module);
  std::vector<std::pair<std::string, unsigned>> places;
  module->walk([&](Operation *op) {
    auto place = cast<FileLineColLoc>(op->getLoc());
    EXPECT_EQ(place.getFilename(), "rules.pdll");
    if (op != *module && op->getName().getStringRef() != "pdl.operand")
      places.push_back({op->getName().stripDialect().str(), place.getColumn()});
    if (op != *module)
      EXPECT_EQ(place.getLine(), 2u);
  });
  std::vector<std::pair<std::string, unsigned>> expected = {
      {"attribute", 68}, {"attribute", 103}, {"type", 118}, {"operation", 21},
      {"erase", 132},    {"rewrite", 132},   {"pattern", 1}};
  EXPECT_EQ(places, expected);
}

TEST_F(PdllFilesTest, TextsThatAreNone) {
  EXPECT_EQ(complainOf("Pattern A {\n  let r = op<arith.subf>(a: Value) "
                       "{k = attr<\"#arith.fastmath<fst>\">}; erase r; }")
                .rfind("rules.pdll:2:46: rule 'A': '#arith.fastmath<fst>' is "
                       "not an attribute: expected ",
                       0),
            0u);
  EXPECT_EQ(
      complainOf("Pattern A {\n  let r = op<arith.subf>() {k = "
                 "attr<\"1 2\">} -> (type<\"i0x\">); erase r; }"),
      "rules.pdll:2:38: rule 'A': '1 2' is not an attribute: found trailing "
      "characters: '2'; rules.pdll:2:55: rule 'A': 'i0x' is not a type: "
      "expected non-function type");
  context.allowUnregisteredDialects(false);
  const std::string said =
      complainOf("Pattern A { let r = op<arith.subf>(a: Value) -> "
                 "(type<\"!zz.zz\">); replace r with a; }");
  EXPECT_EQ(
      said.rfind("rules.pdll:1:55: rule 'A': '!zz.zz' is not a type: ", 0), 0u)
      << said;
}

TEST_F(PdllFilesTest, WhatMlirPdllSays) {
  EXPECT_EQ(complainOf("Pattern A { let r = op<arith.subf>(a: Value) {k = "
                       "attr<\"#arith.fastmath<fast>\">}; replace r with z; }"),
            "rules.pdll:1:98: rule 'A': undefined reference to `z`");
  EXPECT_EQ(
      complainOf("Pattern A { erase op<a.b>; }\nPattern A { erase op<a.b>; }"),
      "rules.pdll:2:9: rule 'A': `A` has already been defined (rules.pdll:1:9: "
      "see previous definition here)");
  EXPECT_EQ(complainOf("#include \"none.pdll\"\n"),
            "rules.pdll:1:10: unable to open include file `none.pdll`");
}

TEST_F(PdllFilesTest, FilesThatIncludeOthers) {
  write("flags.pdll", "Pattern Flags { let r = op<arith.subf>(a: Value, b: "
                      "Value) {fastmath = attr<\"#arith.fastmath<nnan>\">} -> "
                      "(t: Type); replace r with a; }");
  std::string path = write("main.pdll", "#include \"flags.pdll\"\n");
  OwningOpRef<ModuleOp> module = readRules(&context, path);
  ASSERT_TRUE(module);
  auto rules = compileRules(*module, {});
  ASSERT_TRUE(succeeded(rules));
  ASSERT_EQ(rules->size(), 1u);
  auto place = cast<FileLineColLoc>(rules->front().getLoc());
  EXPECT_EQ(llvm::sys::path::filename(place.getFilename()), "flags.pdll");

  write("flags.pdll", "\nPattern Flags { let r = op<arith.subf>(a: Value) {k "
                      "= attr<\"1\">}; replace r with z; }");
  EXPECT_EQ(complain([&] { return readRules(&context, path); }),
            "flags.pdll:2:82: rule 'Flags': undefined reference to `z`");
  write("flags.pdll", "#include \"main.pdll\"\n");
  EXPECT_EQ(complain([&] { return readRules(&context, path); }),
            "flags.pdll:1:10: 'main.pdll' includes itself");
}

// Ops as MLIR's own files describe them: their folder is known. Files of the
// user lie where the options say, both .pdll and .td.
TEST_F(PdllFilesTest, FoldersOfIncludedFiles) {
  OwningOpRef<ModuleOp> module = readRulesFromText(&context, R"(
    #include "mlir/Dialect/Arith/IR/ArithOps.td"
    Pattern DoubleNeg {
      let inner = op<arith.negf>(x: Value);
      let outer = op<arith.negf>(inner.0) -> (t: Type);
      replace outer with x;
    })",
                                                   "rules.pdll");
  ASSERT_TRUE(module);
  auto rules = compileRules(*module, {});
  ASSERT_TRUE(succeeded(rules));
  EXPECT_EQ(rules->size(), 1u);

  write("other/more.pdll", "#include \"facts.td\"\nPattern More { let r = "
                           "op<arith.subf>(a: Value, a) -> (t: Type); replace "
                           "r with a; }");
  write("other/facts.td", "include \"mlir/IR/OpBase.td\"\n");
  std::string path = write("main.pdll", "#include \"more.pdll\"\n");
  EXPECT_EQ(complain([&] { return readRules(&context, path); }),
            "main.pdll:1:10: unable to open include file `more.pdll`");
  SmallString<128> other(folder);
  llvm::sys::path::append(other, "other");
  module = readRules(&context, path, {"", other.str().str()});
  ASSERT_TRUE(module);
  rules = compileRules(*module, {});
  ASSERT_TRUE(succeeded(rules));
  EXPECT_EQ(rules->size(), 1u);
}

TEST_F(PdllFilesTest, ProgramsThatAreNoMlirPdll) {
  const char *text = "Pattern A { erase op<a.b>; }";
  EXPECT_EQ(complainOf(text, "no-such-program"),
            "rules.pdll:1:1: rules in PDLL are compiled by 'no-such-program', "
            "which is not there or can't be run");
  EXPECT_FALSE(findPdllCompiler("no-such-program"));
  EXPECT_TRUE(findPdllCompiler());
  // Errors are errors, however a program ends.
  EXPECT_EQ(complainOf(text, makeProgram("echo 'loc(\"a\":2:3): error: lost' "
                                         ">&2\n")),
            "a:2:3: lost");
  EXPECT_EQ(complainOf(text, makeProgram("echo 'error: lost' >&2\n")),
            "rules.pdll:1:1: mlir-pdll failed: error: lost");
  EXPECT_EQ(complainOf(text, makeProgram("exit 3\n")),
            "rules.pdll:1:1: mlir-pdll failed: exit status 3");
  const std::string said = complainOf(
      text, makeProgram("echo Stack dump: 1 2 3 >&2\nkill -SEGV $$"));
  EXPECT_EQ(said.rfind("rules.pdll:1:1: mlir-pdll crashed or took too long", 0),
            0u);
  EXPECT_EQ(said.find("dump: 1"), std::string::npos);
}

} // namespace
