//===- OpCostTest.cpp - What blocks of ops cost, and who says so ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
class OpCost : public testing::Test {
protected:
  OpCost()
      : handler(&context, [this](Diagnostic &diagnostic) {
          error = diagnostic.str();
          return success();
        }) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
    context.printOpOnDiagnostic(false);
  }

  /// The op that the function returns.
  Operation *parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << error;
    auto function = *module->getOps<func::FuncOp>().begin();
    return function.getBody()
        .front()
        .getTerminator()
        ->getOperand(0)
        .getDefiningOp();
  }
  /// `op` on operands of these types, `attributes` and all.
  Operation *parseNamed(StringRef op, StringRef a, StringRef b, StringRef out,
                        StringRef attributes = "") {
    return parse(("func.func @f(%a: " + a + ", %b: " + b + ", %o: " + out +
                  ") -> " + out + " {\n %r = " + op + " " + attributes +
                  " ins(%a, %b : " + a + ", " + b + ") outs(%o : " + out +
                  ") -> " + out + "\n return %r : " + out + "\n}")
                     .str());
  }
  static CostModel model(StringRef text) {
    ParseError problem;
    std::optional<CostModel> read = CostModel::parse(text, problem);
    EXPECT_TRUE(read) << problem.message;
    return *read;
  }
  /// On one rank.
  FailureOr<BlockCost> getCost(Operation *op, const CostModel &costs) {
    Grid alone;
    FailureOr<BlockOp> block = getBlockOp(op);
    EXPECT_TRUE(succeeded(block));
    return getOpCost(*block, alone, getWhole(*block), costs);
  }
  BlockWork getWork(Operation *op, const CostModel &costs) {
    Grid alone;
    FailureOr<BlockOp> block = getBlockOp(op);
    EXPECT_TRUE(succeeded(block));
    return getBlockWork(*block, alone, getWhole(*block), costs);
  }
  static FactoredBoxes getWhole(const BlockOp &block) {
    return getFactoredBoxes(
        Grid(), Distribution::replicated(block.extents.size()), block.extents);
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

const char *const kCosts =
    "machine m op *: start = 1.0 op linalg.matmul: start = 2.0, point = 0.5";
} // namespace

/// Families by how loops run along elements; columns of what is summed over.
TEST_F(OpCost, Work) {
  BlockWork work = getWork(parseNamed("linalg.matmul", "tensor<3x5xf32>",
                                      "tensor<5x7xf32>", "tensor<3x7xf32>"),
                           CostModel());
  EXPECT_EQ(work.family, "sum");
  EXPECT_EQ(work.innermost, 1u);
  EXPECT_EQ(work.columnBytes, 5 * 4);
  EXPECT_EQ(work.pitch, 7);
  EXPECT_EQ(work.bytesIn, 4 * (15 + 35 + 21));
  EXPECT_EQ(work.bytesOut, 4 * 21);
  EXPECT_EQ(work.extents, (SmallVector<int64_t, 6>{3, 7, 5}));
  // A row of the second operand is not a row of the result.
  work = getWork(parseNamed("linalg.matmul", "tensor<3x5xf64>",
                            "tensor<7x5xf64>", "tensor<3x7xf64>",
                            "indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                            "affine_map<(m, n, k) -> (n, k)>, "
                            "affine_map<(m, n, k) -> (m, n)>]"),
                 CostModel());
  EXPECT_EQ(work.family, "chain");
  EXPECT_FALSE(work.innermost);
  EXPECT_EQ(work.pitch, 0);
  EXPECT_EQ(work.columnBytes, 5 * 8);
  // Two windows in a row overlap by what the stride leaves.
  for (int64_t stride : {1, 2}) {
    work = getWork(
        parseNamed("linalg.conv_2d_nchw_fchw", "tensor<1x2x9x9xf32>",
                   "tensor<3x2x3x3xf32>",
                   stride == 1 ? "tensor<1x3x7x7xf32>" : "tensor<1x3x4x4xf32>",
                   "{strides = dense<" + std::to_string(stride) +
                       "> : tensor<2xi64>}"),
        CostModel());
    EXPECT_EQ(work.family, stride == 1 ? "sum" : "chain");
    EXPECT_EQ(work.columnBytes, 2 * 9 * 4);
  }
  work = getWork(parseNamed("linalg.add", "tensor<3x7xf32>", "tensor<3x7xf32>",
                            "tensor<3x7xf32>"),
                 CostModel());
  EXPECT_EQ(work.family, "map");
  EXPECT_EQ(work.columnBytes, 0);
  work = getWork(parse("func.func @f(%a: tensor<3x7xf32>, %o: tensor<7x3xf32>) "
                       "-> tensor<7x3xf32> {\n %r = linalg.transpose ins(%a : "
                       "tensor<3x7xf32>) outs(%o : tensor<7x3xf32>) "
                       "permutation = [1, 0]\n return %r : tensor<7x3xf32>\n}"),
                 CostModel());
  EXPECT_EQ(work.family, "move");
  EXPECT_TRUE(work.extents.empty());
}

/// Operations of a body count as often as they are there, if they are listed.
TEST_F(OpCost, Steps) {
  Operation *op = parse(
      "func.func @f(%a: tensor<10xf32>, %o: tensor<10xf32>) -> tensor<10xf32> "
      "{\n %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
      "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%a : "
      "tensor<10xf32>) outs(%o : tensor<10xf32>) {\n ^bb0(%x: f32, %y: f32):\n "
      "%0 = math.exp %x : f32\n %1 = math.exp %0 : f32\n %2 = math.log %1 : "
      "f32\n linalg.yield %2 : f32\n } -> tensor<10xf32>\n return %r : "
      "tensor<10xf32>\n}");
  CostModel costs =
      model("machine m op *: start = 1.0 op math.exp: point = 2.0");
  BlockWork work = getWork(op, costs);
  ASSERT_EQ(work.steps.size(), 1u);
  EXPECT_EQ(work.steps[0], std::make_pair(std::string("math.exp"), int64_t(2)));
  EXPECT_EQ(getCost(op, costs)->seconds, 1 + 2 * 2.0 * 10);
  EXPECT_EQ(getCost(op, model("machine m op *: start = 1.0"))->seconds, 1);
}

/// Rates on the op replace those that the model has for it.
TEST_F(OpCost, Attribute) {
  auto matmul = [&](StringRef attributes) {
    return parseNamed("linalg.matmul", "tensor<3x5xf32>", "tensor<5x7xf32>",
                      "tensor<3x7xf32>", attributes);
  };
  CostModel costs = model(kCosts);
  EXPECT_EQ(getCost(matmul(""), costs)->seconds, 2 + 0.5 * 105);
  EXPECT_EQ(
      getCost(matmul("{tensoraccess.cost = \"point = 0.25\"}"), costs)->seconds,
      2 + 0.25 * 105);
  EXPECT_EQ(
      getCost(matmul("{tensoraccess.cost = \"start = 7.0, scratch = 8.0\"}"),
              model("machine m"))
          ->scratchBytes,
      8);
  struct {
    StringRef attribute, message;
  } cases[] = {
      {"3 : i64", "tensoraccess.cost must be a string, got 3 : i64"},
      {"\"speed = 1.0\"",
       "tensoraccess.cost: at byte 0: expected one of start point byte scratch "
       "scratch_point energy_point energy_byte lanes panel axes scratch_axes, "
       "got 'speed'"},
      {"\"point = -1.0\"",
       "tensoraccess.cost: at byte 0: point of op linalg.matmul must be finite "
       "and not negative, got -1.0"},
      {"\"point = nan\"",
       "tensoraccess.cost: at byte 8: expected a number, got 'nan'"},
  };
  for (auto &c : cases) {
    Operation *op = matmul(("{tensoraccess.cost = " + c.attribute + "}").str());
    EXPECT_TRUE(failed(getCost(op, costs)));
    EXPECT_EQ(error, c.message);
  }
}

/// A function is asked before the model, and after the op itself.
TEST_F(OpCost, Functions) {
  auto add = [&](StringRef attributes = "") {
    return parseNamed("linalg.add", "tensor<3x7xf32>", "tensor<3x7xf32>",
                      "tensor<3x7xf32>", attributes);
  };
  double answer = 5;
  auto function = [&](Operation *op, const BlockWork &work, const CostModel &,
                      std::string &reason) -> std::optional<BlockCost> {
    if (answer == 6)
      return std::nullopt;
    if (answer == 7) {
      reason = "no idea of " + op->getName().getStringRef().str();
      return std::nullopt;
    }
    BlockCost cost;
    cost.seconds = answer * static_cast<double>(work.extents[0]);
    return cost;
  };
  EXPECT_FALSE(registerOpCost("", "", function));
  EXPECT_FALSE(registerOpCost("linalg.add", "", nullptr));
  ASSERT_TRUE(registerOpCost("linalg.add", "of mine", function));
  EXPECT_FALSE(registerOpCost("linalg.add", "another", function));
  ASSERT_EQ(getOpCosts().size(), 1u);
  EXPECT_EQ(getOpCosts()[0].summary, "of mine");
  CostModel costs = model(kCosts);
  EXPECT_EQ(getCost(add(), costs)->seconds, 15);
  EXPECT_EQ(
      getCost(add("{tensoraccess.cost = \"start = 4.0\"}"), costs)->seconds, 4);
  answer = 6;
  EXPECT_EQ(getCost(add(), costs)->seconds, 1);
  answer = 7;
  EXPECT_TRUE(failed(getCost(add(), costs)));
  EXPECT_EQ(error, "the cost of 'linalg.add': no idea of linalg.add");
  for (auto [value, text] :
       {std::pair(std::nan(""), "nan"), std::pair(-1.0, "-3.0"),
        std::pair(HUGE_VAL, "inf")}) {
    answer = value;
    EXPECT_TRUE(failed(getCost(add(), costs)));
    EXPECT_EQ(error, std::string("the cost of 'linalg.add': seconds must be "
                                 "finite and not negative, got ") +
                         text);
  }
  EXPECT_TRUE(unregisterOpCost("linalg.add"));
  EXPECT_FALSE(unregisterOpCost("linalg.add"));
  EXPECT_TRUE(getOpCosts().empty());
}

/// Names of ops that there are not; dialects that aren't loaded may have any.
TEST_F(OpCost, Names) {
  Operation *op = parseNamed("linalg.add", "tensor<3xf32>", "tensor<3xf32>",
                             "tensor<3xf32>");
  EXPECT_TRUE(succeeded(checkCostNames(
      op, model("machine m op *: start = 1.0 op *.sum: start = 1.0 op "
                "linalg.matmul.sum: start = 1.0 op math.exp: point = 1.0 op "
                "linalg.map: start = 1.0 op other.thing: start = 1.0"))));
  EXPECT_TRUE(failed(
      checkCostNames(op, model("machine m op linalg.matmull: start = 1.0"))));
  EXPECT_EQ(
      error,
      "the costs of 'm' have rates for 'linalg.matmull', which is not an op");
}
