//===- MathRulesTest.cpp - The rules of the set math ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random terms are saturated, and every node of the graph is run; nodes of a
// class must agree.
//
//   Floats: for all values of two arguments of f8E5M2, which has infinities,
//   NaNs, zeros of both signs and subnormal numbers; bit for bit, NaNs being
//   one value. Operations are tables of 256 x 256 results of APFloat. Floats
//   with flags: for reals, as doubles up to rounding. Integers: for all values
//   of three arguments of i3.
//
// A wrong rule beside them must be found by the same test.
//
//===----------------------------------------------------------------------===//

#include "NodeRunner.h"
#include "TensorAccess/EGraph/TermGraph.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct MathRules : public ::testing::Test {
  MathRules() {
    context
        .loadDialect<arith::ArithDialect, func::FuncDialect, pdl::PDLDialect>();
  }

  /// Calls `check` with the graph of each term, saturated.
  template <typename Check>
  void saturateAll(ArrayRef<PdlRule> rules, unsigned seed, unsigned rounds,
                   ArrayRef<const char *> ops, ArrayRef<const char *> constants,
                   const char *type, const char *flags, Check check);

  /// The number of nodes that differ from the others of their class, for floats
  /// of 8 bits.
  unsigned countWrong(ArrayRef<PdlRule> rules, unsigned rounds);
  unsigned countWrong(ArrayRef<PdlRule> rules, unsigned rounds,
                      ArrayRef<const char *> ops,
                      ArrayRef<const char *> constants);

  MLIRContext context;
  std::set<std::string> fired;
};

/// A term over three arguments.
std::string makeFunction(std::mt19937 &generator, ArrayRef<const char *> ops,
                         ArrayRef<const char *> constants,
                         const std::string &type, const std::string &flags) {
  auto pick = [&](unsigned n) { return generator() % n; };
  std::string text = "func.func @f(%0: " + type + ", %1: " + type +
                     ", %2: " + type + ") -> " + type + " {\n";
  unsigned next = 3;
  for (unsigned i = 3 + pick(4); i > 0; --i, ++next) {
    text += "%" + std::to_string(next) + " = arith.";
    if (pick(5) == 0 && !constants.empty()) {
      text += std::string("constant ") + constants[pick(constants.size())] +
              " : " + type + "\n";
      continue;
    }
    const std::string op = ops[pick(ops.size())];
    // Recent ones, so that terms become deep.
    auto operand = [&] {
      return "%" + std::to_string(next - 1 - std::min(pick(next), pick(next)));
    };
    text += op + " " + operand();
    // Divisors are arguments, which are not 0.
    if (op == "divf" && !flags.empty())
      text += ", %" + std::to_string(pick(3));
    else if (op != "negf")
      text += ", " + operand();
    text += flags + " : " + type + "\n";
  }
  return text + "return %" + std::to_string(next - 1) + " : " + type + "\n}";
}

template <typename Check>
void MathRules::saturateAll(ArrayRef<PdlRule> rules, unsigned seed,
                            unsigned rounds, ArrayRef<const char *> ops,
                            ArrayRef<const char *> constants, const char *type,
                            const char *flags, Check check) {
  std::mt19937 generator(seed);
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string text =
        makeFunction(generator, ops, constants, type, flags);
    auto module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    TermGraph graph(&context);
    ASSERT_TRUE(
        importBlock(graph, (*module->getOps<func::FuncOp>().begin()).front()));
    SaturationOptions options;
    options.limits.nodes = 150;
    SaturationStatistics statistics = saturate(graph, rules, options);
    for (auto [rule, counts] : llvm::zip_equal(rules, statistics.rules)) {
      // Constants that differ in the sign of a zero are never merged.
      if (*flags == 0)
        EXPECT_EQ(counts.refused, 0u)
            << rule.getName().str() << ": " << counts.refusal << "\n"
            << text;
      if (counts.applied != 0)
        fired.insert(rule.getName().str());
    }
    check(graph, text);
  }
}

//===--- floats ---------------------------------------------------------===//

using Code = uint8_t;
const llvm::fltSemantics &getFormat() { return APFloat::Float8E5M2(); }
APFloat decode(Code code) { return APFloat(getFormat(), APInt(8, code)); }
Code encode(const APFloat &value) {
  // All NaNs are one.
  return value.isNaN() ? 0x7f : Code(value.bitcastToAPInt().getZExtValue());
}

/// Results for all pairs, by the op's name.
const std::vector<Code> &getTableOf(StringRef op) {
  static std::map<std::string, std::vector<Code>> tables;
  std::vector<Code> &table = tables[op.str()];
  if (!table.empty())
    return table;
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < 256; ++b) {
      APFloat x = decode(a), y = decode(b);
      constexpr auto nearest = APFloat::rmNearestTiesToEven;
      if (op == "arith.addf")
        x.add(y, nearest);
      else if (op == "arith.subf")
        x.subtract(y, nearest);
      else if (op == "arith.mulf")
        x.multiply(y, nearest);
      else if (op == "arith.divf")
        x.divide(y, nearest);
      else if (op == "arith.maximumf")
        x = llvm::maximum(x, y);
      else if (op == "arith.minimumf")
        x = llvm::minimum(x, y);
      else if (op == "arith.negf")
        x.changeSign();
      else
        ADD_FAILURE() << op.str();
      table.push_back(encode(x));
    }
  return table;
}

const char *const kFloatOps[] = {"addf", "mulf", "subf",     "divf",
                                 "negf", "negf", "maximumf", "minimumf"};
const char *const kFloats[] = {"1.0",  "-1.0", "2.0",  "0.0",
                               "-0.0", "0.5",  "-4.0", "3.0"};

/// The lattice alone, for laws of three values.
const char *const kLatticeOps[] = {"maximumf", "minimumf"};

unsigned MathRules::countWrong(ArrayRef<PdlRule> rules, unsigned rounds) {
  return countWrong(rules, rounds, kFloatOps, kFloats) +
         countWrong(rules, rounds / 2, kLatticeOps, {});
}

unsigned MathRules::countWrong(ArrayRef<PdlRule> rules, unsigned rounds,
                               ArrayRef<const char *> ops,
                               ArrayRef<const char *> constants) {
  unsigned wrong = 0;
  // All pairs of the first two, and one of the third, another in each round.
  using Values = std::vector<Code>;
  std::mt19937 generator(5);
  saturateAll(
      rules, 11, rounds, ops, constants, "f8E5M2", "",
      [&](const TermGraph &graph, const std::string &text) {
        const Code third = generator();
        auto run =
            [&](NodeId node,
                ArrayRef<const Values *> operands) -> std::optional<Values> {
          const SymbolId symbol = graph.getTable().getSymbol(node);
          Values values(1 << 16);
          if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf) {
            const unsigned number =
                cast<BlockArgument>(graph.getLeaf(symbol)).getArgNumber();
            for (unsigned i = 0; i < values.size(); ++i)
              values[i] = encode(decode(number == 0   ? i & 255
                                        : number == 1 ? i >> 8
                                                      : third));
          } else if (Attribute constant = graph.getConstantOf(symbol)) {
            std::fill(values.begin(), values.end(),
                      encode(cast<FloatAttr>(constant).getValue()));
          } else {
            const std::vector<Code> &table =
                getTableOf(graph.getName(symbol).getStringRef());
            for (unsigned i = 0; i < values.size(); ++i)
              values[i] = table[(*operands[0])[i] * 256 +
                                (operands.size() > 1 ? (*operands[1])[i] : 0)];
          }
          return values;
        };
        runNodes<Values>(graph, run, std::equal_to<Values>(),
                         [&](NodeId) { ++wrong; });
      });
  return wrong;
}

TEST_F(MathRules, FloatsBitForBit) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"math"});
  ASSERT_TRUE(succeeded(rules));
  EXPECT_EQ(countWrong(*rules, 60), 0u);
  for (const char *name :
       {"AddfCommutes",     "MulfCommutes",    "SubfIsAddf",
        "AddfIsSubf",       "NegfUndone",      "NegfLeavesMulf",
        "NegfEntersMulf",   "NegfLeavesDivf",  "NegfLeavesDivisor",
        "MulfOfMinusOne",   "MulfOfTwo",       "AddfOfSelf",
        "DivfOfPowerOfTwo", "MaxfCommutes",    "MaxfAssociates",
        "MinfCommutes",     "MinfAssociates",  "NegfEntersMaxf",
        "NegfLeavesMinf",   "MaxfDistributes", "MinfDistributes"})
    EXPECT_TRUE(fired.count(name)) << name;
  // Rules that ask for flags find none.
  for (const char *name : {"AddfAssociates", "MulfAssociates", "DivfIsMulf",
                           "MulfDistributes", "NegfOfSubf", "AddfOfZero"})
    EXPECT_FALSE(fired.count(name)) << name;
}

/// Equations that look right: each must be found to be wrong.
TEST_F(MathRules, WrongRulesAreFound) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"math"});
  ASSERT_TRUE(succeeded(rules));
  struct Wrong {
    ArrayRef<const char *> ops;
    const char *text;
  };
  const char *const differences[] = {"subf", "negf"}, *const sums[] = {"addf"};
  const Wrong wrong[] = {// -(x - y) = y - x: not of zeros.
                         {differences, R"(pdl.pattern @Wrong : benefit(0) {
        %x = operand
        %y = operand
        %t = type
        %f = attribute
        %0 = operation "arith.subf"(%x, %y : !pdl.value, !pdl.value) {"fastmath" = %f} -> (%t : !pdl.type)
        %1 = result 0 of %0
        %2 = operation "arith.negf"(%1 : !pdl.value) -> (%t : !pdl.type)
        rewrite %2 {
          %3 = operation "arith.subf"(%y, %x : !pdl.value, !pdl.value) {"fastmath" = %f} -> (%t : !pdl.type)
          replace %2 with %3
        }
      })"},
                         // max(x, min(x, y)) = x: not of NaN.
                         {kLatticeOps, R"(pdl.pattern @Wrong : benefit(0) {
        %x = operand
        %y = operand
        %t = type
        %0 = operation "arith.minimumf"(%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        %1 = result 0 of %0
        %2 = operation "arith.maximumf"(%x, %1 : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        rewrite %2 {
          replace %2 with (%x : !pdl.value)
        }
      })"},
                         // (x + y) + z = x + (y + z)
                         {sums, R"(pdl.pattern @Wrong : benefit(0) {
        %x = operand
        %y = operand
        %z = operand
        %t = type
        %f = attribute
        %0 = operation "arith.addf"(%x, %y : !pdl.value, !pdl.value) {"fastmath" = %f} -> (%t : !pdl.type)
        %1 = result 0 of %0
        %2 = operation "arith.addf"(%1, %z : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        rewrite %2 {
          %3 = operation "arith.addf"(%y, %z : !pdl.value, !pdl.value) {"fastmath" = %f} -> (%t : !pdl.type)
          %4 = result 0 of %3
          %5 = operation "arith.addf"(%x, %4 : !pdl.value, !pdl.value) {"fastmath" = %f} -> (%t : !pdl.type)
          replace %2 with %5
        }
      })"}};
  for (auto [ops, text] : wrong) {
    OwningOpRef<ModuleOp> module = parseRules(&context, text, "wrong");
    ASSERT_TRUE(module);
    auto more = compileRules(*module, getNativeFunctions());
    ASSERT_TRUE(succeeded(more));
    EXPECT_GT(countWrong(*more, 120, ops, {}), 0u) << text;
    EXPECT_TRUE(fired.count("Wrong"));
  }
}

TEST_F(MathRules, FloatsUnderFlags) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"math"});
  ASSERT_TRUE(succeeded(rules));
  const char *const ops[] = {"addf", "mulf", "addf", "mulf",
                             "subf", "divf", "negf", "subf"};
  const char *const constants[] = {"0.0", "1.0", "2.0", "3.0"};
  using Values = std::vector<double>;
  std::mt19937 generator(5);
  saturateAll(
      *rules, 13, 120, ops, constants, "f64", " fastmath<reassoc,nsz,arcp>",
      [&](const TermGraph &graph, const std::string &text) {
        std::vector<Values> arguments(3);
        for (Values &argument : arguments)
          for (unsigned i = 0; i < 32; ++i)
            argument.push_back((generator() % 2 ? 1 : -1) *
                               (1 + double(generator() % 1000) / 500));
        auto run =
            [&](NodeId node,
                ArrayRef<const Values *> operands) -> std::optional<Values> {
          const SymbolId symbol = graph.getTable().getSymbol(node);
          if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf)
            return arguments[cast<BlockArgument>(graph.getLeaf(symbol))
                                 .getArgNumber()];
          if (Attribute constant = graph.getConstantOf(symbol))
            return Values(32, cast<FloatAttr>(constant).getValueAsDouble());
          StringRef name = graph.getName(symbol).getStringRef();
          Values values;
          for (unsigned i = 0; i < 32; ++i) {
            const double x = (*operands[0])[i],
                         y = operands.size() > 1 ? (*operands[1])[i] : 0;
            values.push_back(name == "arith.addf"   ? x + y
                             : name == "arith.subf" ? x - y
                             : name == "arith.mulf" ? x * y
                             : name == "arith.divf" ? x / y
                                                    : -x);
          }
          return values;
        };
        auto same = [](const Values &a, const Values &b) {
          for (auto [x, y] : llvm::zip_equal(a, b))
            if (std::abs(x - y) > 1e-6 * (1 + std::abs(x)))
              return false;
          return true;
        };
        runNodes<Values>(graph, run, same, [&](NodeId node) {
          ADD_FAILURE() << graph.describeSymbol(
                               graph.getTable().getSymbol(node))
                        << "\n"
                        << text;
        });
      });
  for (const char *name :
       {"AddfAssociates", "MulfAssociates", "MulfDistributes", "AddfFactors",
        "DivfIsMulf", "NegfOfSubf", "AddfOfZero", "SubfFromZero",
        "NegfLeavesAddf"})
    EXPECT_TRUE(fired.count(name)) << name;
}

//===--- integers -------------------------------------------------------===//

TEST_F(MathRules, Integers) {
  FailureOr<std::vector<PdlRule>> rules = loadRules(&context, {"math"});
  ASSERT_TRUE(succeeded(rules));
  const char *const ops[] = {"andi",  "ori",  "xori", "maxsi",
                             "minsi", "subi", "andi", "ori"},
                    *const lattice[] = {"maxsi", "minsi"};
  using Values = std::vector<int>;
  auto wrap = [](int x) { return ((x + 4) & 7) - 4; };
  auto check = [&](const TermGraph &graph, const std::string &text) {
    auto run = [&](NodeId node,
                   ArrayRef<const Values *> operands) -> std::optional<Values> {
      const SymbolId symbol = graph.getTable().getSymbol(node);
      Values values(512);
      for (int i = 0; i < 512; ++i) {
        if (graph.getKind(symbol) == TermGraph::SymbolKind::Leaf) {
          const unsigned number =
              cast<BlockArgument>(graph.getLeaf(symbol)).getArgNumber();
          values[i] = wrap(i >> (3 * number));
          continue;
        }
        if (Attribute constant = graph.getConstantOf(symbol)) {
          values[i] = wrap(cast<IntegerAttr>(constant).getInt());
          continue;
        }
        StringRef name = graph.getName(symbol).getStringRef();
        const int a = (*operands[0])[i], b = (*operands[1])[i];
        values[i] = wrap(name == "arith.andi"    ? a & b
                         : name == "arith.ori"   ? a | b
                         : name == "arith.xori"  ? a ^ b
                         : name == "arith.addi"  ? a + b
                         : name == "arith.subi"  ? a - b
                         : name == "arith.muli"  ? a * b
                         : name == "arith.maxsi" ? std::max(a, b)
                                                 : std::min(a, b));
      }
      return values;
    };
    runNodes<Values>(graph, run, std::equal_to<Values>(), [&](NodeId node) {
      ADD_FAILURE() << graph.describeSymbol(graph.getTable().getSymbol(node))
                    << "\n"
                    << text;
    });
  };
  saturateAll(*rules, 17, 150, ops, {}, "i3", "", check);
  saturateAll(*rules, 18, 100, lattice, {}, "i3", "", check);
  for (const char *name :
       {"SubiIsAddi", "AndCommutes", "AndAssociates", "AndDistributes",
        "AndAbsorbs", "OrCommutes", "OrAssociates", "OrFactors", "OrAbsorbs",
        "XorCommutes", "XorAssociates", "MaxsiCommutes", "MaxsiAssociates",
        "MaxsiAbsorbs", "MaxsiDistributes", "MinsiCommutes", "MinsiAssociates",
        "MinsiAbsorbs"})
    EXPECT_TRUE(fired.count(name)) << name;
}

} // namespace
