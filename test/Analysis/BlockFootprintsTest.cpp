//===- BlockFootprintsTest.cpp - Blocks of ops against plain loops --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured ops are compared with their affine maps, other ops with their
// indexing maps by `enumerate`, which the tests of Models compare with the
// definitions.
//
//===----------------------------------------------------------------------===//

#include "BlockTesting.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

// Random affine maps: permutations, windows, negative and mixed strides, rows
// that share loops, constants, broadcasts.
TEST_F(Blocks, RandomStructuredOps) {
  for (int run = 0; run != 60; ++run) {
    const int loops = pick(1, 4);
    SmallVector<int64_t> extents;
    std::string dims, kinds;
    SmallVector<int> parallel;
    for (int d = 0; d != loops; ++d) {
      extents.push_back(pick(1, 5));
      dims += (d ? ", d" : "d") + std::to_string(d);
      const bool isParallel = pick(0, 2) != 0;
      if (isParallel)
        parallel.push_back(d);
      kinds += std::string(d ? ", " : "") +
               (isParallel ? "\"parallel\"" : "\"reduction\"");
    }
    std::string maps, types, arguments, operands, block;
    auto addMap = [&](const std::string &results, ArrayRef<int64_t> shape,
                      int number) {
      std::string type = "tensor<";
      for (int64_t size : shape)
        type += std::to_string(size) + "x";
      type += number % 2 ? "i8>" : "f32>";
      maps += (number ? ", " : "") + ("affine_map<(" + dims + ") -> (") +
              results + ")>";
      const std::string name = "%x" + std::to_string(number);
      arguments += (number ? ", " : "") + name + ": " + type;
      block += (number ? ", " : "") + ("%b" + std::to_string(number)) + ": " +
               (number % 2 ? "i8" : "f32");
      return std::pair(name, type);
    };
    // One that names every loop, so that extents are known.
    std::string all;
    for (int d = 0; d != loops; ++d)
      all += (d ? ", d" : "d") + std::to_string(d);
    std::vector<std::pair<std::string, std::string>> values;
    values.push_back(addMap(all, extents, 0));
    const int others = pick(1, 2);
    for (int o = 1; o <= others; ++o) {
      const int rank = pick(1, 3);
      std::string results;
      SmallVector<int64_t> shape;
      for (int r = 0; r != rank; ++r) {
        int64_t low = 0, high = 0;
        std::string sum;
        for (int d = 0; d != loops; ++d) {
          const int64_t factor = pick(0, 2) ? 0 : pick(-2, 3);
          if (factor == 0)
            continue;
          sum += (sum.empty() ? "d" : " + d") + std::to_string(d) + " * " +
                 std::to_string(factor);
          (factor < 0 ? low : high) += factor * (extents[d] - 1);
        }
        const int64_t offset = -low + pick(0, 2);
        sum += (sum.empty() ? "" : " + ") + std::to_string(offset);
        results += (r ? ", " : "") + sum;
        shape.push_back(high + offset + 1);
      }
      values.push_back(addMap(results, shape, o));
    }
    std::string results;
    SmallVector<int64_t> shape;
    std::shuffle(parallel.begin(), parallel.end(), random);
    for (int d : parallel) {
      results += (results.empty() ? "d" : ", d") + std::to_string(d);
      shape.push_back(extents[d]);
    }
    const int last = others + 1;
    values.push_back(addMap(results, shape, last));
    std::string ins, insTypes;
    for (int o = 0; o != last; ++o) {
      ins += (o ? ", " : "") + values[o].first;
      insTypes += (o ? ", " : "") + values[o].second;
    }
    const std::string out = values[last].second;
    const bool usesOld = pick(0, 1);
    const std::string text =
        "(" + arguments + ") -> " + out +
        " {\n  %r = linalg.generic {check, "
        "indexing_maps = [" +
        maps + "], iterator_types = [" + kinds + "]} ins(" + ins + " : " +
        insTypes + ") outs(" + values[last].first + " : " + out +
        ") {\n  ^bb0(" + block + "):\n    %k = \"test.mix\"(" +
        [&] {
          std::string names, kindsOf;
          for (int o = 0; o != last + (usesOld ? 1 : 0); ++o) {
            names += (o ? ", %b" : "%b") + std::to_string(o);
            kindsOf += std::string(o ? ", " : "") + (o % 2 ? "i8" : "f32");
          }
          return names + ") : (" + kindsOf + ") -> ";
        }() +
        (last % 2 ? "i8" : "f32") +
        "\n    linalg.yield %k : " + (last % 2 ? "i8" : "f32") + "\n  } -> " +
        out + "\n  return %r : " + out + "\n}";
    Operation *op = parse(text);
    ASSERT_TRUE(op) << text;
    checkLoops(cast<linalg::LinalgOp>(op), text, 8);
    if (HasFailure())
      return;
  }
}

// What linalg.map writes to is read by bodies that use its argument.
TEST_F(Blocks, MapsThatRead) {
  for (StringRef read : {"%o", "%x"}) {
    const std::string text = "(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> "
                             "tensor<3x5xf32> {\n"
                             "  %r = linalg.map ins(%a : tensor<3x5xf32>) "
                             "outs(%b : tensor<3x5xf32>) {check}\n"
                             "  (%x: f32, %o: f32) {\n"
                             "    %s = arith.addf %x, " +
                             read.str() +
                             " : f32\n    linalg.yield %s : f32\n  }\n"
                             "  return %r : tensor<3x5xf32>\n}";
    Operation *op = parse(text);
    ASSERT_TRUE(op) << text;
    checkLoops(cast<linalg::LinalgOp>(op), text, 8);
    const BlockSpace space = getSpace(op);
    EXPECT_EQ(llvm::count_if(space.values,
                             [](const BlockValue &value) {
                               return value.role == BlockValue::Role::Operand &&
                                      value.isRead();
                             }),
              read == "%o" ? 2 : 1);
  }
}

// A convolution with stride and dilation: taps with gaps are not a box.
TEST_F(Blocks, StridedConvolution) {
  Operation *op = parse(R"((%x: tensor<2x11x9x3xf32>, %k: tensor<3x2x3x5xf32>,
      %i: tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32> {
    %r = linalg.conv_2d_nhwc_hwcf {check, strides = dense<[2, 3]> :
        tensor<2xi64>, dilations = dense<[2, 2]> : tensor<2xi64>}
      ins(%x, %k : tensor<2x11x9x3xf32>, tensor<3x2x3x5xf32>)
      outs(%i : tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
    return %r : tensor<2x4x3x5xf32>
  })");
  checkLoops(cast<linalg::LinalgOp>(op), "convolution", 25);
  BlockSpace space = getSpace(op);
  ASSERT_EQ(space.axes.size(), 7u);
  EXPECT_TRUE(space.axes[4].isReduction);
  EXPECT_FALSE(space.axes[3].isReduction);
  EXPECT_EQ(space.operationsPerPoint, 2u);
  EXPECT_EQ(space.values[0].getProjection()->str(),
            "[[1, 0, 0, 0, 0, 0, 0], [0, 2, 0, 0, 2, 0, 0], "
            "[0, 0, 3, 0, 0, 2, 0], [0, 0, 0, 0, 0, 0, 1]] + [0, 0, 0, 0], "
            "shape = [1, 1, 1, 1]");
  std::string error;
  std::optional<Box> block =
      space.getBlockOfResult(0, box({0, 1, 0, 2}, {1, 3, 1, 5}), error);
  ASSERT_TRUE(block) << error;
  EXPECT_EQ(printBox(*block), "[0, 1) x [1, 3) x [0, 1) x [2, 5) x [0, 3) x "
                              "[0, 2) x [0, 3)");
  // Rows 2, 4, 6 and 4, 6, 8: every other place of seven.
  ProjectionFootprint image = getFootprint(space, space.values[0], *block);
  EXPECT_EQ(image.rows[1].str(), "2 + 2k + [0, 1), k < 4");
  EXPECT_EQ(image.count, 1u * 4 * 2 * 3);
  EXPECT_EQ(image.getStridedCount(), 24u);
  EXPECT_EQ(getWaste(image), 7u * 3 * 3 - 24);
}

//===----------------------------------------------------------------------===//
// Indices of results
//===----------------------------------------------------------------------===//

TEST_F(Blocks, TensorOps) {
  checkResult("(%x: tensor<4x6xf32>, %p: f32) -> tensor<7x9xf32> {\n"
              "%r = tensor.pad %x low[1, 2] high[2, 1] {\n"
              "^bb0(%i: index, %j: index):\n tensor.yield %p : f32\n} {check} "
              ": tensor<4x6xf32> to tensor<7x9xf32>\n"
              "return %r : tensor<7x9xf32>\n}");
  checkResult("(%x: tensor<9x11xf32>) -> tensor<4x3xf32> {\n"
              "%r = tensor.extract_slice %x[1, 2] [4, 3] [2, 3] {check} : "
              "tensor<9x11xf32> to tensor<4x3xf32>\n"
              "return %r : tensor<4x3xf32>\n}");
  checkResult("(%x: tensor<4x3xf32>, %y: tensor<9x11xf32>) -> "
              "tensor<9x11xf32> {\n"
              "%r = tensor.insert_slice %x into %y[1, 2] [4, 3] [2, 3] {check} "
              ": tensor<4x3xf32> into tensor<9x11xf32>\n"
              "return %r : tensor<9x11xf32>\n}");
  checkResult("(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) -> "
              "tensor<2x7xf32> {\n"
              "%r = tensor.concat dim(1) %x, %y {check} : (tensor<2x3xf32>, "
              "tensor<2x4xf32>) -> tensor<2x7xf32>\n"
              "return %r : tensor<2x7xf32>\n}");
  checkResult("(%x: tensor<4x6xf32>) -> tensor<24xf32> {\n"
              "%r = tensor.collapse_shape %x [[0, 1]] {check} : "
              "tensor<4x6xf32> into tensor<24xf32>\n"
              "return %r : tensor<24xf32>\n}");
  checkResult("(%x: tensor<24xf32>) -> tensor<4x6xf32> {\n"
              "%r = tensor.expand_shape %x [[0, 1]] output_shape [4, 6] "
              "{check} : tensor<24xf32> into tensor<4x6xf32>\n"
              "return %r : tensor<4x6xf32>\n}");
  checkResult("(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {\n"
              "%r = arith.addf %x, %x {check} : tensor<3x5xf32>\n"
              "return %r : tensor<3x5xf32>\n}");
  checkResult("(%x: tensor<3x5xf32>, %e: tensor<3x5xf32>) -> "
              "tensor<3x5xf32> {\n"
              "%r = linalg.softmax {check} dimension(1) ins(%x : "
              "tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>\n"
              "return %r : tensor<3x5xf32>\n}");
  checkResult("(%x: tensor<f32>) -> tensor<3x5xf32> {\n"
              "%r = \"stablehlo.broadcast_in_dim\"(%x) "
              "<{broadcast_dimensions = array<i64>}> {check} : (tensor<f32>) "
              "-> tensor<3x5xf32>\n return %r : tensor<3x5xf32>\n}");
}

TEST_F(Blocks, HloMovement) {
  checkResult("(%x: tensor<4x5xf32>, %p: tensor<f32>) -> tensor<9x6xf32> {\n"
              "%r = \"stablehlo.pad\"(%x, %p) <{edge_padding_low = array<i64: "
              "1, -1>, edge_padding_high = array<i64: 1, 2>, interior_padding "
              "= array<i64: 1, 0>}> {check} : (tensor<4x5xf32>, tensor<f32>) "
              "-> tensor<9x6xf32>\n return %r : tensor<9x6xf32>\n}");
  checkResult("(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {\n"
              "%r = \"stablehlo.reverse\"(%x) <{dimensions = array<i64: 1>}> "
              "{check} : (tensor<4x5xf32>) -> tensor<4x5xf32>\n"
              "return %r : tensor<4x5xf32>\n}");
  // Base dilation and a turned kernel: what is summed over is not an axis.
  checkResult(
      "(%x: tensor<1x5x2xf32>, %k: tensor<3x2x4xf32>) -> tensor<1x9x4xf32> {\n"
      "%r = \"stablehlo.convolution\"(%x, %k) <{batch_group_count = 1 : i64, "
      "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
      "feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = "
      "dense<[[1, 1]]> : tensor<1x2xi64>, window_reversal = array<i1: true>}> "
      "{check} : (tensor<1x5x2xf32>, tensor<3x2x4xf32>) -> "
      "tensor<1x9x4xf32>\n return %r : tensor<1x9x4xf32>\n}");
}

// Runtime starts: a hull over all of them, no count.
TEST_F(Blocks, RuntimeStart) {
  Operation *op = parse(
      "(%x: tensor<9xf32>, %i: index) -> tensor<4xf32> {\n"
      "%r = tensor.extract_slice %x[%i] [4] [1] {check} : tensor<9xf32> to "
      "tensor<4xf32>\n return %r : tensor<4xf32>\n}");
  ASSERT_TRUE(op);
  BlockSpace space = getSpace(op);
  ASSERT_FALSE(space.values[0].maps.empty());
  EXPECT_EQ(space.values[0].getProjection(), nullptr);
  EXPECT_EQ(space.values[0].maps[0].reason,
            "runtime variable rt0 has no place in a projection");
  BlockFootprints footprints = getBlockFootprints(space, box({1}, {3}));
  EXPECT_EQ(printBox(*footprints.values[0].hull), "[1, 8)");
  EXPECT_EQ(footprints.values[0].kind, Exactness::Hull);
  EXPECT_EQ(footprints.values[0].count, std::nullopt);
  EXPECT_EQ(footprints.bytesIn, std::nullopt);
  EXPECT_EQ(footprints.bytesOut, 8u);
  BlockGrowth growth = getBlockGrowth(space, box({1}, {3}), footprints, 0);
  EXPECT_EQ(growth.bytesIn, std::nullopt);
  EXPECT_EQ(growth.bytesOut, 4u);
}

} // namespace
