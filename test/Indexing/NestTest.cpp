//===- NestTest.cpp - What an op is, as loops -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a nest reads the right elements, the oracles of the other tests say
// (Oracle.h). Here: axes, bodies, and what is asked of them.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/Nest.h"
#include "Oracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class NestTest : public OracleTest {
protected:
  NestRef get(StringRef text) {
    Operation *op = parse(text);
    return op ? getNest(OpSignature(op)) : share(OpIndexing());
  }
  static std::string getMapText(const Nest &nest, const NestAccess &access) {
    return nest.getMap(access).simplify().str();
  }
};

TEST_F(NestTest, Convolution) {
  NestRef nest = get(R"((%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x2x6xf32>) {
    %r = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64,
      dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      feature_group_count = 2 : i64, padding = dense<1> : tensor<2x2xi64>,
      window_strides = array<i64: 2, 2>}> {check}
      : (tensor<1x8x8x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x4x4x6xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_TRUE(nest->isProjection());
  EXPECT_EQ(nest->body, NestBody::Contract);
  // n, x, y, group, feature of the group | window, feature of the input
  const int64_t extents[] = {1, 4, 4, 2, 3, 3, 3, 2};
  ASSERT_EQ(nest->axes.size(), std::size(extents));
  for (auto [a, extent] : llvm::enumerate(extents)) {
    EXPECT_EQ(nest->getExtent(a), extent) << a;
    EXPECT_EQ(nest->axes[a].isReduction, a >= 5) << a;
  }
  EXPECT_EQ(nest->countReductions(), 18);
  EXPECT_FALSE(nest->getPlainAxes(nest->writes[0]));
  EXPECT_EQ(
      getMapText(*nest, *nest->findRead(0)),
      "(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, d1 * 2 + d5 - 1, d2 * 2 + "
      "d6 - 1, d3 * 2 + d7), domain: d0 in [0, 0], d1 in [0, 3], d2 in "
      "[0, 3], d3 in [0, 1], d4 in [0, 2], d5 in [0, 2], d6 in [0, 2], d7 "
      "in [0, 1], d1 * 2 + d5 in [1, 8], d2 * 2 + d6 in [1, 8]");
  EXPECT_EQ(nest->findRead(2), nullptr);
}

TEST_F(NestTest, Sizes) {
  NestRef nest = get(R"((%x: tensor<?x8xf32>, %y: tensor<8x?xf32>) {
    %r = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_contracting_dimensions = [1],
                     rhs_contracting_dimensions = [0]>}> {check}
      : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->getExtent(0), std::nullopt);
  EXPECT_EQ(nest->getExtent(2), 8);
  EXPECT_EQ(nest->countReductions(), 8);
  EXPECT_EQ(nest->getPlainAxes(nest->writes[0]),
            (SmallVector<unsigned, 4>{0, 1}));
  // The result has the operands' sizes.
  const OpSizes &sizes = nest->getSizes();
  EXPECT_EQ(sizes.resolve(nest->getResults()[0][0]),
            sizes.resolve(nest->getOperands()[0][0]));
  EXPECT_EQ(sizes.resolve(nest->getResults()[0][1]),
            sizes.resolve(nest->getOperands()[1][1]));
  EXPECT_EQ(
      getMapText(*nest, *nest->findRead(1)),
      "(d0, d1, d2){n0, n1} -> (d2, d1), domain: d0 in [0, n0 - 1], d1 in "
      "[0, n1 - 1], d2 in [0, 7], n0 in [1, inf], n1 in [1, inf]");
}

/// What lies outside is the guards' complement, in disjoint parts.
TEST_F(NestTest, Outside) {
  NestRef nest = get(R"((%x: tensor<3x2xf32>, %v: tensor<f32>) {
    %r = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: 1, 0>,
      edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 0>}>
      {check} : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x4xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->body, NestBody::Move);
  const NestRead *value = nest->findRead(1);
  ASSERT_TRUE(value);
  EXPECT_TRUE(value->guards.empty());
  EXPECT_EQ(value->outside.size(), 2u);
  EXPECT_EQ(nest->getIndexing().outputToInput(0, 1).str(),
            "(d0, d1) -> (), domain: d0 in [0, 0], d1 in [0, 3]\n"
            "(d0, d1) -> (), domain: d0 in [1, 3], d1 in [2, 3]");
}

/// What lies between elements is said even where forms no longer show it.
TEST_F(NestTest, Spread) {
  NestRef nest = get(R"((%x: tensor<1x2x3xf32>, %k: tensor<3x3x5xf32>) {
    %r = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64,
      dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
      feature_group_count = 1 : i64, lhs_dilation = array<i64: 3>,
      rhs_dilation = array<i64: 3>, window_strides = array<i64: 2>,
      padding = dense<2> : tensor<1x2xi64>}> {check}
      : (tensor<1x2x3xf32>, tensor<3x3x5xf32>) -> tensor<1x1x5xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  const NestRead &read = *nest->findRead(0);
  ASSERT_EQ(read.spreads.size(), 1u);
  EXPECT_EQ(read.spreads[0].dim, 1u);
  EXPECT_EQ(read.spreads[0].step, 3);
  EXPECT_EQ(nest->getForms().range(read.spreads[0].place), Interval(-2, 4));
  // No place of a window is that of an element.
  EXPECT_TRUE(
      nest->getIndexing().outputToInput(0, 0).getMaps()[0].isKnownEmpty());
}

/// Structured ops say what they hold and do not read.
TEST_F(NestTest, Linalg) {
  NestRef nest =
      get(R"((%x: tensor<4x5xf32>, %y: tensor<5xf32>, %o: tensor<4xf32>) {
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
      affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4x5xf32>,
      tensor<5xf32>) outs(%o : tensor<4xf32>) attrs = {check} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->body, NestBody::Reduce);
  EXPECT_TRUE(nest->findRead(0)->isRead);
  EXPECT_FALSE(nest->findRead(1)->isRead);
  EXPECT_TRUE(nest->getIndexing().outputToInput(0, 1).empty());
}

/// What a loop is to an index: a convolution of every second row, on buffers.
TEST_F(NestTest, Steps) {
  NestRef nest = get(R"((%x: memref<9x?xf32>, %k: memref<3xf32>,
                        %o: memref<4x?xf32>) {
    linalg.generic {indexing_maps = [
      affine_map<(y, x, r) -> (y * 2 + r, x)>, affine_map<(y, x, r) -> (r)>,
      affine_map<(y, x, r) -> (y, x)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : memref<9x?xf32>, memref<3xf32>)
      outs(%o : memref<4x?xf32>) attrs = {check} {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    }
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->getDestinations(), ArrayRef<unsigned>{2});
  EXPECT_EQ(nest->getExtents(), std::nullopt);
  EXPECT_TRUE(nest->hasReductions());
  const NestRead &image = *nest->findRead(0);
  EXPECT_EQ(nest->getSteps(image.index[0]), (SmallVector<int64_t>{2, 0, 1, 0}));
  EXPECT_EQ(nest->getPlainAxis(image.index[0]), std::nullopt);
  EXPECT_EQ(nest->getPlainAxis(image.index[1]), 1u);
  EXPECT_TRUE(nest->moves(image, 2));
  EXPECT_FALSE(nest->moves(image.index[1], 2));
  EXPECT_FALSE(nest->isPermutation(nest->writes[0]));
  // The sizes of the two rows are one parameter.
  EXPECT_EQ(nest->getSizes().getParameters().size(), 1u);
}

/// What is not linear has no steps.
TEST_F(NestTest, Digits) {
  NestRef nest = get(R"((%x: memref<2x8xf32>, %o: memref<16xf32>) {
    linalg.generic {indexing_maps = [
      affine_map<(d) -> (d floordiv 8, d mod 8)>, affine_map<(d) -> (d)>],
      iterator_types = ["parallel"]} ins(%x : memref<2x8xf32>)
      outs(%o : memref<16xf32>) attrs = {check} {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->body, NestBody::Move);
  const NestRead &read = *nest->findRead(0);
  for (const Form &form : read.index) {
    EXPECT_EQ(nest->getSteps(form), std::nullopt);
    EXPECT_TRUE(nest->moves(form, 0));
  }
  EXPECT_TRUE(nest->isPermutation(nest->writes[0]));
  EXPECT_EQ(nest->getExtents(), (SmallVector<int64_t>{16}));
}

/// A copy of buffers writes its second operand.
TEST_F(NestTest, Copy) {
  NestRef nest = get(R"((%x: memref<?x3xf32>, %y: memref<4x3xf32>) {
    memref.copy %x, %y {check} : memref<?x3xf32> to memref<4x3xf32>
    return
  })");
  ASSERT_TRUE(nest->hasLoops());
  EXPECT_EQ(nest->body, NestBody::Move);
  EXPECT_EQ(nest->getDestinations(), ArrayRef<unsigned>{1});
  EXPECT_EQ(nest->getExtents(), (SmallVector<int64_t>{4, 3}));
  const OpIndexing pairs = nest->project();
  EXPECT_EQ(pairs.outputToInput(0, 0).str(),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 2]");
  EXPECT_TRUE(pairs.outputToInput(0, 1).empty());
  EXPECT_EQ(nest->getIndexing().getNumResults(), 0u);
}

/// Ops without loops are known by their maps, or not at all.
TEST_F(NestTest, WithoutLoops) {
  NestRef nest = get(R"((%x: tensor<4xf32>) {
    %r = "unheard.of"(%x) {check} : (tensor<4xf32>) -> tensor<4xf32>
    return
  })");
  EXPECT_FALSE(nest->hasLoops());
  EXPECT_FALSE(nest->isProjection());
  EXPECT_EQ(nest->getIndexing().firstReason(), IndexingReason::UnregisteredOp);
  EXPECT_TRUE(Nest().isNull());
}

} // namespace
