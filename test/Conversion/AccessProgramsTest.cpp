//===- AccessProgramsTest.cpp - Random access programs, saturated ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of movement and computes are saturated by `access` and
// `compute`, with arrays and blocks of sums. Then:
//
//   1. every node is run, and must be what its class is;
//   2. terms are chosen for the result by random costs, and run whole.
//
// Without rules that take sums in another order, all is the same to the last
// bit, for arguments that hold zeros of both signs, infinities and NaNs. With
// them it is the same up to rounding. Wrong rules must be found by the same
// test.
//
//===----------------------------------------------------------------------===//

#include "../Rewrites/NodeRunner.h"
#include "GlensideTerms.h"

#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/EGraph/Extraction.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using glenside::join;
using glenside::Sizes;
using glenside::Writer;
using Pattern = glenside::Term;

/// Some steps on a random pattern, each of what fits.
Pattern writeProgram(Writer &w) {
  std::vector<Pattern> values;
  const Sizes shape = w.sizes(3, 4);
  values.push_back(w.any(shape, w.pick(3)));
  values.push_back(w.any(shape, values[0].split));
  for (unsigned i = 0; i < 5; ++i) {
    Pattern t = values[values.size() - 1 -
                       std::min(w.pick(values.size()), w.pick(values.size()))];
    Pattern other = values[w.pick(values.size())];
    const int64_t rank = t.rank(), items = rank - t.split;
    const int64_t axis = rank ? w.pick(rank) : 0;
    if (rank > 5)
      continue;
    switch (w.pick(12)) {
    case 0:
      t = w.access(t, w.pick(rank + 1));
      break;
    case 1:
      t = w.transpose(t, w.permutation(rank));
      break;
    case 2:
      if (rank && t.shape[axis] > 1)
        t = w.slice(t, axis, w.pick(2), t.shape[axis]);
      break;
    case 3:
      if (rank && t.shape[axis] < 6)
        t = w.pad(t, axis, w.pick(2), w.pick(2));
      break;
    case 4:
      t = w.flatten(t);
      break;
    case 5: {
      const char *const kinds[] = {"relu", "negative", "sqrt", "softmax"};
      t = w.compute(kinds[w.pick(items == 1 ? 4 : 3)], t);
      break;
    }
    case 6:
    case 7: {
      const char *const kinds[] = {"reduce-sum", "reduce-max", "reduce-mean"};
      if (items > 0)
        t = w.compute(kinds[w.pick(3)], t);
      break;
    }
    case 8: {
      const char *const kinds[] = {"dot-product", "elementwise-add",
                                   "elementwise-mul", "elementwise-div"};
      if (items > 0)
        t = w.compute(kinds[w.pick(4)], t);
      break;
    }
    case 9:
      if (t.shape == other.shape && t.split == other.split)
        t = w.compute(w.pick(2) ? "dot-product" : "elementwise-add",
                      w.pair(t, other));
      break;
    case 10:
      if (t.item() == other.item() && t.split + other.split < 4)
        t = w.compute("dot-product", w.cartProd(t, other));
      break;
    case 11:
      other = w.any(t.shape, t.split, 0);
      if (rank && t.shape[axis] < 4)
        t = w.concat(t, other, axis);
      break;
    }
    if (glenside::product(t.shape) <= 256)
      values.push_back(t);
  }
  return values.back();
}

class AccessPrograms : public ::testing::Test {
protected:
  AccessPrograms() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, pdl::PDLDialect,
                        TensorAccessDialect>();
  }

  /// The number of nodes and of whole programs that differ.
  unsigned countWrong(unsigned seed, ArrayRef<PdlRule> rules, bool isExact,
                      bool usesAccess = true);

  /// That 150 programs equal what the rules of `compute` rewrite them to.
  void expectEqual(unsigned firstSeed, bool isExact) {
    FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"compute"});
    ASSERT_TRUE(succeeded(rules));
    for (unsigned i = 0; i < 150; ++i)
      EXPECT_EQ(countWrong(firstSeed + i, *rules, isExact), 0u) << said;
    EXPECT_GT(runs, 3000u);
  }

  MLIRContext context;
  unsigned runs = 0, wholes = 0;
  /// Of the first differences.
  std::string said;
};

/// Numbers, of which one in `n` is special.
void fill(Tensor &tensor, std::mt19937 &generator, bool isSpecial) {
  const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e308};
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    tensor.getDataAs<double>()[i] =
        isSpecial && generator() % 3 == 0
            ? special[generator() % 6]
            : (double(generator() % 2001) - 1000) / 512;
}

unsigned AccessPrograms::countWrong(unsigned seed, ArrayRef<PdlRule> rules,
                                    bool isExact, bool usesAccess) {
  Writer writer(seed);
  Pattern program = writeProgram(writer);
  const std::string text = writer.program(program);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                             SMLoc());
  OwningOpRef<ModuleOp> module = importGlenside(sources, &context);
  EXPECT_TRUE(module) << text;
  if (!module)
    return 0;
  auto function = *module->getOps<func::FuncOp>().begin();
  TermGraph graph(&context);
  MovementTheory theory(graph);
  std::optional<TermBlock> terms = importBlock(graph, function.front());
  EXPECT_TRUE(terms);
  Value result = function.front().getTerminator()->getOperand(0);
  if (isa<BlockArgument>(result))
    return 0;
  graph.getTable().rebuild();
  ComputeRuleOptions options;
  options.reordersSums = !isExact;
  options.isComplete = true;
  options.arrays = {{2, 3}};
  options.sumBlocks = {2};
  SaturationOptions saturation;
  saturation.limits.nodes = 600;
  saturation.limits.iterations = 6;
  saturate(graph, rules, saturation,
           usesAccess ? makeComputeRules(graph, theory, options)
                      : std::vector<TableRule>());
  FailureOr<SmallVector<Tensor>> inputs = randomInputs(function, seed);
  EXPECT_TRUE(succeeded(inputs));
  std::mt19937 generator(seed);
  for (Tensor &input : *inputs)
    fill(input, generator, isExact);
  auto same = [&](const Tensor &a, const Tensor &b) {
    return isExact ? areSameBits(a, b) : areNear(a, b, 1e-9);
  };
  unsigned wrong = 0;
  NodeRunner runner(graph, *inputs);
  runs += runner.runAll(same, [&](const std::string &node) {
    if (wrong++ == 0)
      said += "node " + node + " in\n" + text + "\n";
  });

  // Whole programs, by random costs.
  FailureOr<SmallVector<Tensor>> expected = interpret(function, *inputs);
  EXPECT_TRUE(succeeded(expected)) << text;
  ExtractionGraph nodes(graph.getTable());
  const ClassId root =
      graph.getTable().find(terms->classes.find(result)->second);
  for (unsigned choiceNumber = 0; choiceNumber < 3; ++choiceNumber) {
    std::vector<double> costs;
    for (uint32_t n = 0; n != nodes.getNumNodes(); ++n) {
      const SymbolId symbol = graph.getTable().getSymbol(nodes.getTableNode(n));
      costs.push_back(theory.isView(symbol) && !theory.countOps(symbol)
                          ? std::numeric_limits<double>::infinity()
                          : 1 + generator() % 100);
    }
    std::string problem;
    std::optional<Extraction> best =
        extractDag(nodes, costs, {nodes.findClass(root)}, {}, problem);
    EXPECT_TRUE(best) << problem;
    if (!best)
      continue;
    TermBuilder builder(graph, [&](ClassId id) -> std::optional<NodeId> {
      const uint32_t node = best->choice[nodes.findClass(id)];
      if (node == ExtractionGraph::kNone)
        return std::nullopt;
      return nodes.getTableNode(node);
    });
    Operation *ret = function.front().getTerminator();
    OpBuilder ops(ret);
    auto made = builder.build(ops, ret->getLoc(), root, problem);
    if (!made)
      continue;
    ret->setOperand(0, made->front());
    FailureOr<SmallVector<Tensor>> got = interpret(function, *inputs);
    ret->setOperand(0, result);
    EXPECT_TRUE(succeeded(got)) << text;
    ++wholes;
    if (succeeded(got) && !same(expected->front(), got->front()) &&
        wrong++ == 0)
      said += "a choice for\n" + text + "\n";
  }
  return wrong;
}

TEST_F(AccessPrograms, BitForBit) {
  expectEqual(/*firstSeed=*/0, /*isExact=*/true);
  EXPECT_GT(wholes, 200u);
}

TEST_F(AccessPrograms, UpToRounding) {
  expectEqual(/*firstSeed=*/1000, /*isExact=*/false);
}

/// Each of these is found.
TEST_F(AccessPrograms, WrongRulesAreFound) {
  const char *const wrong[] = {// relu(x) = x
                               R"(pdl.pattern @Wrong : benefit(0) {
        %p = operand
        %t = type
        %k = attribute = #tensoraccess.compute_kind<relu>
        %0 = operation "tensoraccess.compute"(%p : !pdl.value) {"kind" = %k} -> (%t : !pdl.type)
        rewrite %0 {
          replace %0 with (%p : !pdl.value)
        }
      })",
                               // A sum is a greatest element.
                               R"(pdl.pattern @Wrong : benefit(0) {
        %p = operand
        %t = type
        %k = attribute = #tensoraccess.compute_kind<reduce_sum>
        %0 = operation "tensoraccess.compute"(%p : !pdl.value) {"kind" = %k} -> (%t : !pdl.type)
        rewrite %0 {
          %m = attribute = #tensoraccess.compute_kind<reduce_max>
          %1 = operation "tensoraccess.compute"(%p : !pdl.value) {"kind" = %m} -> (%t : !pdl.type)
          replace %0 with %1
        }
      })"};
  for (const char *text : wrong) {
    OwningOpRef<ModuleOp> module = parseRules(&context, text, "wrong");
    ASSERT_TRUE(module);
    auto rules = compileRules(*module, getNativeFunctions());
    ASSERT_TRUE(succeeded(rules));
    unsigned found = 0;
    for (unsigned seed = 0; seed < 60; ++seed)
      found += countWrong(seed, *rules, /*isExact=*/true,
                          /*usesAccess=*/false);
    EXPECT_GT(found, 0u) << text;
  }
}

} // namespace
