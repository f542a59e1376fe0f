//===- BlockContractionsTest.cpp - Blocks of sums against definitions -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions, convolutions and reductions of other dialects, whose sums are
// axes: what each point of them touches is written down here.
//
//===----------------------------------------------------------------------===//

#include "BlockTesting.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// What one point of the axes touches of each value: none outside.
using PointOracle =
    std::function<std::vector<std::optional<Point>>(const Point &)>;

class Contractions : public Blocks {
protected:
  void checkPoints(StringRef text, const PointOracle &touch, size_t axes,
                   unsigned blocks = 25) {
    Operation *op = parse(text);
    ASSERT_TRUE(op) << text.str();
    BlockSpace space = getSpace(op);
    ASSERT_EQ(space.axes.size(), axes) << text.str();
    Oracle oracle = [&](const Box &block) {
      Touched touched(space.values.size());
      forEachIn(block, [&](const Point &point) {
        std::vector<std::optional<Point>> at = touch(point);
        for (size_t v = 0; v != touched.size(); ++v)
          if (at[v])
            touched[v].insert(*at[v]);
      });
      return touched;
    };
    checkSpace(space, oracle, text.str(), blocks);
  }
};

// Padding: the border of the image, and of the kernel, is not touched.
TEST_F(Contractions, HloConvolution) {
  for (int dilation : {1, 2}) {
    const int64_t out = dilation == 1 ? 5 : 4;
    const std::string result = "tensor<2x" + std::to_string(out) + "x5x4xf32>";
    checkPoints(
        "(%x: tensor<2x9x6x3xf32>, %k: tensor<3x2x3x4xf32>) -> " + result +
            " {\n%r = \"stablehlo.convolution\"(%x, %k) <{batch_group_count = "
            "1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, "
            "i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = "
            "dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, rhs_dilation = "
            "array<i64: " +
            std::to_string(dilation) +
            ", 1>, window_strides = array<i64: 2, 1>}> {check} : "
            "(tensor<2x9x6x3xf32>, tensor<3x2x3x4xf32>) -> " +
            result + "\nreturn %r : " + result + "\n}",
        [&](const Point &p) -> std::vector<std::optional<Point>> {
          // n, h, w, f, kh, kw, c
          const int64_t row = 2 * p[1] + dilation * p[4] - 1;
          const Point image{p[0], row, p[2] + p[5], p[6]};
          const Point kernel{p[4], p[5], p[6], p[3]};
          const Point result{p[0], p[1], p[2], p[3]};
          // Padding is multiplied with the kernel.
          if (row < 0 || row >= 9)
            return {std::nullopt, kernel, result};
          return {image, kernel, result};
        },
        7);
  }
}

// Groups: which features are read depends on the output's by division.
TEST_F(Contractions, HloGroupedConvolution) {
  checkPoints(
      "(%x: tensor<2x6x4xf32>, %k: tensor<3x2x6xf32>) -> tensor<2x4x6xf32> {\n"
      "%r = \"stablehlo.convolution\"(%x, %k) <{batch_group_count = 1 : i64, "
      "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
      "feature_group_count = 2 : i64}> {check} : (tensor<2x6x4xf32>, "
      "tensor<3x2x6xf32>) -> tensor<2x4x6xf32>\n"
      "return %r : tensor<2x4x6xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        return {Point{p[0], p[1] + p[3], p[2] / 3 * 2 + p[4]},
                Point{p[3], p[4], p[2]}, Point{p[0], p[1], p[2]}};
      },
      5);
}

TEST_F(Contractions, HloDotGeneral) {
  checkPoints(
      "(%x: tensor<2x3x5xf32>, %y: tensor<2x5x4xi8>) -> tensor<2x3x4xf32> {\n"
      "%r = \"stablehlo.dot_general\"(%x, %y) <{dot_dimension_numbers = "
      "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions "
      "= [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = "
      "[1]>}> {check} : (tensor<2x3x5xf32>, tensor<2x5x4xi8>) -> "
      "tensor<2x3x4xf32>\nreturn %r : tensor<2x3x4xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        return {Point{p[0], p[1], p[3]}, Point{p[0], p[3], p[2]},
                Point{p[0], p[1], p[2]}};
      },
      4);
  BlockSpace space = getSpace(module->lookupSymbol("f")
                                  ->getRegion(0)
                                  .front()
                                  .getTerminator()
                                  ->getOperand(0)
                                  .getDefiningOp());
  EXPECT_EQ(space.operationsPerPoint, 2u);
}

TEST_F(Contractions, TosaConvolution) {
  checkPoints(
      "(%x: tensor<1x7x6x2xf32>, %k: tensor<3x3x2x2xf32>, %b: tensor<3xf32>, "
      "%z: tensor<1xf32>) -> tensor<1x4x5x3xf32> {\n"
      "%r = tosa.conv2d %x, %k, %b, %z, %z {check, acc_type = f32, dilation = "
      "array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, "
      "1>} : (tensor<1x7x6x2xf32>, tensor<3x3x2x2xf32>, tensor<3xf32>, "
      "tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5x3xf32>\n"
      "return %r : tensor<1x4x5x3xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        const int64_t row = 2 * p[1] + p[4] - 1;
        std::vector<std::optional<Point>> at{
            Point{p[0], row, p[2] + p[5], p[6]},
            Point{p[3], p[4], p[5], p[6]},
            Point{p[3]},
            Point{0},
            Point{0},
            Point{p[0], p[1], p[2], p[3]}};
        if (row < 0 || row >= 7)
          at[0] = at[1] = std::nullopt;
        return at;
      },
      7);
}

TEST_F(Contractions, TosaDepthwise) {
  checkPoints(
      "(%x: tensor<1x5x6x2xf32>, %k: tensor<3x2x2x3xf32>, %b: tensor<6xf32>, "
      "%z: tensor<1xf32>) -> tensor<1x3x5x6xf32> {\n"
      "%r = tosa.depthwise_conv2d %x, %k, %b, %z, %z {check, acc_type = f32, "
      "dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = "
      "array<i64: 1, 1>} : (tensor<1x5x6x2xf32>, tensor<3x2x2x3xf32>, "
      "tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x5x6xf32>\n"
      "return %r : tensor<1x3x5x6xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        return {Point{p[0], p[1] + p[4], p[2] + p[5], p[3] / 3},
                Point{p[4], p[5], p[3] / 3, p[3] % 3},
                Point{p[3]},
                Point{0},
                Point{0},
                Point{p[0], p[1], p[2], p[3]}};
      },
      6);
}

TEST_F(Contractions, Reductions) {
  checkPoints(
      "(%x: tensor<3x4x5xf32>, %i: tensor<f32>) -> tensor<4xf32> {\n"
      "%r = \"stablehlo.reduce\"(%x, %i) <{dimensions = array<i64: 0, 2>}> ({\n"
      "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "%s = \"stablehlo.add\"(%a, %b) : (tensor<f32>, tensor<f32>) -> "
      "tensor<f32>\n\"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n"
      "}) {check} : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<4xf32>\n"
      "return %r : tensor<4xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        return {Point{p[1], p[0], p[2]}, Point{}, Point{p[0]}};
      },
      3);
  checkPoints(
      "(%x: tensor<1x5x5x2xf32>) -> tensor<1x3x3x2xf32> {\n"
      "%r = \"tosa.max_pool2d\"(%x) {check, kernel = array<i64: 3, 3>, pad = "
      "array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : "
      "(tensor<1x5x5x2xf32>) -> tensor<1x3x3x2xf32>\n"
      "return %r : tensor<1x3x3x2xf32>\n}",
      [&](const Point &p) -> std::vector<std::optional<Point>> {
        const int64_t y = 2 * p[1] + p[4] - 1, x = 2 * p[2] + p[5] - 1;
        const Point result{p[0], p[1], p[2], p[3]};
        if (y < 0 || y >= 5 || x < 0 || x >= 5)
          return {std::nullopt, result};
        return {Point{p[0], y, x, p[3]}, result};
      },
      6);
}

} // namespace
