//===- GlensideRewritesTest.cpp - What Glenside's rewrites reach ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rewrite that Glenside has on access patterns is an equation here, with
// random terms, sizes and axes, under its side condition. For many instances:
//
//   1. Both sides are read and run: they have the same values.
//   2. They are put into one graph, which is saturated by `access`: they are
//   one
//      class, and nothing was left to do.
//   3. The right side is spoiled: one of its ops gets other arguments. Where it
//      still has the same type but other values, it must be another class.
//
// The equations (GlensideEquations.cpp), and what becomes of Glenside's other
// rewrites, are listed in docs/Rewrites.md by the names that they have here.
//
//===----------------------------------------------------------------------===//

#include "GlensideEquations.h"

#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/EGraph/PdlRules.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using glenside::Equation;
using glenside::Rewrite;
using glenside::Writer;

//===--- what is asked of them
//---------------------------------------------===//

class RewriteTest : public ::testing::Test {
protected:
  RewriteTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        TensorAccessDialect>();
  }

  /// Null, and no message, where the text is not a program.
  OwningOpRef<ModuleOp> read(const std::string &text) {
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { problem = diagnostic.str(); });
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               SMLoc());
    return importGlenside(sources, &context);
  }
  static func::FuncOp getMain(ModuleOp module) {
    return *module.getOps<func::FuncOp>().begin();
  }
  /// The greatest difference of the values; none where one can't be run. The
  /// last element of each argument may be infinite.
  std::optional<double> getDistance(ModuleOp a, ModuleOp b, unsigned seed,
                                    bool isSpecial = false);
  /// Whether both are one class after saturation.
  bool areEqual(ModuleOp a, ModuleOp b, const Rewrite &rewrite);

  MLIRContext context;
  std::string problem;
};

std::optional<double> RewriteTest::getDistance(ModuleOp a, ModuleOp b,
                                               unsigned seed, bool isSpecial) {
  FailureOr<SmallVector<Tensor>> inputs = randomInputs(getMain(a), seed);
  if (failed(inputs))
    return std::nullopt;
  if (isSpecial)
    for (Tensor &input : *inputs)
      if (int64_t count = input.getNumElements())
        input.getDataAs<double>()[count - 1] = INFINITY;
  FailureOr<SmallVector<Tensor>> x = interpret(getMain(a), *inputs),
                                 y = interpret(getMain(b), *inputs);
  if (failed(x) || failed(y))
    return std::nullopt;
  llvm::Expected<Comparison> same = compare(x->front(), y->front());
  if (!same) {
    llvm::consumeError(same.takeError());
    return std::nullopt;
  }
  return same->maxAbs;
}

bool RewriteTest::areEqual(ModuleOp a, ModuleOp b, const Rewrite &rewrite) {
  TermGraph graph(&context);
  MovementTheory theory(graph);
  SmallVector<ClassId> results;
  llvm::DenseMap<Value, ClassId> known;
  Block &first = getMain(a).front();
  for (Value argument : first.getArguments())
    known[argument] = *graph.addLeaf(argument);
  for (ModuleOp module : {a, b}) {
    Block &block = getMain(module).front();
    for (auto [mine, theirs] :
         llvm::zip_equal(block.getArguments(), first.getArguments()))
      known[mine] = known.lookup(theirs);
    std::optional<TermBlock> terms = importBlock(graph, block, isTerm, &known);
    EXPECT_TRUE(terms);
    Value result = block.getTerminator()->getOperand(0);
    results.push_back(isa<BlockArgument>(result)
                          ? known.lookup(result)
                          : terms->classes.lookup(result));
  }
  graph.getTable().rebuild();
  ComputeRuleOptions options;
  options.isComplete = true;
  for (auto [rows, cols] : rewrite.arrays)
    options.arrays.push_back({rows, cols});
  std::vector<TableRule> rules = makeComputeRules(graph, theory, options);
  SaturationOptions saturation;
  saturation.limits.nodes = 20000;
  SaturationStatistics statistics =
      saturate(graph, {}, saturation, std::move(rules));
  EXPECT_EQ(statistics.reason, StopReason::Saturated) << statistics.nodes;
  return graph.getTable().find(results[0]) == graph.getTable().find(results[1]);
}

class GlensideRewrites : public RewriteTest,
                         public ::testing::WithParamInterface<size_t> {};

TEST_P(GlensideRewrites, IsReached) {
  const Rewrite &rewrite = glenside::getRewrites()[GetParam()];
  for (unsigned seed = 0; seed < 12; ++seed) {
    Writer writer(100 * GetParam() + seed);
    Equation equation = rewrite.write(writer);
    const std::string left = writer.program(equation.first),
                      right = writer.program(equation.second);
    const std::string what =
        std::string(rewrite.name) + "\n" + left + "\n" + right + "\n";
    OwningOpRef<ModuleOp> a = read(left), b = read(right);
    ASSERT_TRUE(a && b) << what << problem;
    std::optional<double> distance = getDistance(*a, *b, seed);
    ASSERT_TRUE(distance) << what;
    // The equation itself is right.
    ASSERT_LE(*distance, 1e-9) << what;
    EXPECT_TRUE(areEqual(*a, *b, rewrite)) << what;
  }
}

TEST_P(GlensideRewrites, OthersAreNot) {
  const Rewrite &rewrite = glenside::getRewrites()[GetParam()];
  for (unsigned seed = 0; seed < 24; ++seed) {
    Writer writer(100 * GetParam() + seed);
    writer.setSpoiled(seed % 4);
    Equation equation = rewrite.write(writer);
    const std::string left = writer.program(equation.first),
                      right = writer.program(equation.second);
    OwningOpRef<ModuleOp> a = read(left), b = read(right);
    if (!a || !b ||
        getMain(*a).getResultTypes() != getMain(*b).getResultTypes())
      continue;
    std::optional<double> distance = getDistance(*a, *b, seed);
    if (distance && *distance > 1e-6)
      EXPECT_FALSE(areEqual(*a, *b, rewrite)) << rewrite.name << "\n"
                                              << left << "\n"
                                              << right;
  }
}

TEST_F(RewriteTest, WrongOnesAreNotReached) {
  for (const Rewrite &rewrite : glenside::getWrongRewrites()) {
    unsigned different = 0;
    for (unsigned seed = 0; seed < 6; ++seed) {
      Writer writer(seed);
      Equation equation = rewrite.write(writer);
      const std::string left = writer.program(equation.first),
                        right = writer.program(equation.second);
      OwningOpRef<ModuleOp> a = read(left), b = read(right);
      ASSERT_TRUE(a && b) << rewrite.name << problem;
      ASSERT_EQ(getMain(*a).getResultTypes(), getMain(*b).getResultTypes())
          << rewrite.name;
      // The values differ, of numbers or where some are infinite.
      for (bool isSpecial : {false, true})
        if (std::optional<double> distance =
                getDistance(*a, *b, seed, isSpecial))
          different += !(*distance <= 1e-6);
      EXPECT_FALSE(areEqual(*a, *b, rewrite)) << rewrite.name << "\n"
                                              << left << "\n"
                                              << right;
    }
    EXPECT_GT(different, 0u) << rewrite.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, GlensideRewrites,
    ::testing::Range<size_t>(0, glenside::getRewrites().size()),
    [](const auto &info) {
      std::string name;
      for (char c : StringRef(glenside::getRewrites()[info.param].name))
        name += llvm::isAlnum(c) ? c : '_';
      return name;
    });

} // namespace
