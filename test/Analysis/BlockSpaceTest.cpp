//===- BlockSpaceTest.cpp - Index spaces of ops, and wrong questions ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Indexing/Oracle.h"
#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Analysis/ShardedProgram.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

Box box(ArrayRef<int64_t> lo, ArrayRef<int64_t> hi) {
  return {SmallVector<int64_t>(lo), SmallVector<int64_t>(hi)};
}

class Spaces : public OracleTest {
protected:
  BlockSpace getSpace(StringRef text) {
    Operation *op = parse(text);
    std::string error;
    std::optional<BlockSpace> space;
    if (op)
      space = getBlockSpace(op, cache, error);
    EXPECT_TRUE(space) << error;
    return space.value_or(BlockSpace());
  }
  std::string getError(StringRef text, unsigned result = 0) {
    Operation *op = parse(text);
    std::string error;
    if (op)
      EXPECT_FALSE(getBlockSpace(op, cache, error, result));
    return error;
  }

  static constexpr StringRef kMatmul =
      "(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>, %z: tensor<3x7xf32>) -> "
      "tensor<3x7xf32> {\n%r = linalg.matmul {check} ins(%x, %y : "
      "tensor<3x5xf32>, tensor<5x7xf32>) outs(%z : tensor<3x7xf32>) -> "
      "tensor<3x7xf32>\nreturn %r : tensor<3x7xf32>\n}";
  IndexingCache cache;
};

TEST_F(Spaces, WrongBlocks) {
  BlockSpace space = getSpace(kMatmul);
  EXPECT_EQ(space.verify(box({0, 0, 0}, {3, 7, 5})), std::nullopt);
  EXPECT_EQ(space.verify(box({0, 0, 5}, {3, 7, 5})), std::nullopt);
  EXPECT_EQ(space.verify(box({0, 0}, {3, 7})),
            "the op has 3 axes, got a block of rank 2");
  EXPECT_EQ(space.verify(box({0, 4, 0}, {3, 2, 5})),
            "lo 1 must be at most hi, got 4 > 2");
  EXPECT_EQ(space.verify(box({0, 0, 0}, {3, 8, 5})),
            "axis 1 has [0, 7), got a block of [0, 8)");
  EXPECT_EQ(space.verify(box({-1, 0, 0}, {3, 7, 5})),
            "axis 0 has [0, 3), got a block of [-1, 3)");
}

TEST_F(Spaces, BlocksOfResults) {
  BlockSpace space = getSpace(kMatmul);
  std::string error;
  auto ask = [&](unsigned number, const Box &block) {
    std::optional<Box> found = space.getBlockOfResult(number, block, error);
    return found ? printBox(*found) : error;
  };
  EXPECT_EQ(ask(0, box({1, 2}, {2, 7})), "[1, 2) x [2, 7) x [0, 5)");
  EXPECT_EQ(ask(1, box({1, 2}, {2, 7})), "result 1 is not in this index space");
  EXPECT_EQ(ask(0, box({1}, {2})),
            "result 0 has 2 dimensions, got a block of rank 1");
  EXPECT_EQ(ask(0, box({2, 2}, {1, 7})), "lo 0 must be at most hi, got 2 > 1");
  EXPECT_EQ(ask(0, box({1, 2}, {2, 9})),
            "dimension 1 of result 0 has [0, 7), got a block of [2, 9)");
  space = getSpace(
      "(%x: tensor<3xf32>, %z: tensor<9xf32>) -> tensor<9xf32> {\n"
      "%r = linalg.generic {check, indexing_maps = [affine_map<(d0) -> (d0)>, "
      "affine_map<(d0) -> (d0 * 3)>], iterator_types = [\"parallel\"]} "
      "ins(%x : tensor<3xf32>) outs(%z : tensor<9xf32>) {\n"
      "^bb0(%a: f32, %b: f32):\n linalg.yield %a : f32\n} -> tensor<9xf32>\n"
      "return %r : tensor<9xf32>\n}");
  EXPECT_EQ(ask(0, box({1}, {2})),
            "dimension 0 of result 0 is not an axis of the "
            "op: give a block of its axes");
}

// Unknown extents: a block must be given, and may lie anywhere.
TEST_F(Spaces, DynamicLoops) {
  BlockSpace space = getSpace(
      "(%x: tensor<?x5xf32>, %y: tensor<5x7xf32>, %z: tensor<?x7xf32>) -> "
      "tensor<?x7xf32> {\n%r = linalg.matmul {check} ins(%x, %y : "
      "tensor<?x5xf32>, tensor<5x7xf32>) outs(%z : tensor<?x7xf32>) -> "
      "tensor<?x7xf32>\nreturn %r : tensor<?x7xf32>\n}");
  EXPECT_EQ(space.axes[0].extent, std::nullopt);
  EXPECT_EQ(space.getWhole(), std::nullopt);
  std::string error;
  EXPECT_FALSE(space.getMiddleBlock(2, error));
  EXPECT_EQ(error, "axis 0 is dynamic");
  Box block = box({100, 0, 0}, {104, 7, 5});
  EXPECT_EQ(space.verify(block), std::nullopt);
  EXPECT_EQ(space.verify(box({-4, 0, 0}, {4, 7, 5})),
            "axis 0 has [0, ?), got a block of [-4, 4)");
  BlockFootprints footprints = getBlockFootprints(space, block);
  EXPECT_EQ(printBox(*footprints.values[0].hull), "[100, 104) x [0, 5)");
  EXPECT_EQ(footprints.values[0].count, 20u);
  EXPECT_EQ(footprints.bytesIn, 4u * (20 + 35 + 28));
  BlockGrowth growth = getBlockGrowth(space, block, footprints, 0);
  EXPECT_TRUE(growth.hasNext && growth.hasPrevious);
  EXPECT_EQ(growth.bytesIn, 4u * (5 + 7));
  EXPECT_EQ(growth.sharedNext, 4u * 35);
  EXPECT_EQ(growth.points, 35u);
}

TEST_F(Spaces, MiddleBlocks) {
  BlockSpace space = getSpace(kMatmul);
  std::string error;
  EXPECT_EQ(printBox(*space.getMiddleBlock(2, error)),
            "[0, 2) x [2, 4) x [0, 5)");
  EXPECT_EQ(printBox(*space.getMiddleBlock(100, error)),
            "[0, 3) x [0, 7) x [0, 5)");
  EXPECT_FALSE(space.getMiddleBlock(0, error));
  EXPECT_EQ(error, "the extent of a block must be positive, got 0");
}

TEST_F(Spaces, NoSpace) {
  EXPECT_EQ(getError("(%x: tensor<3xf32>, %i: index) -> f32 {\n"
                     "%r = tensor.extract %x[%i] {check} : tensor<3xf32>\n"
                     "return %r : f32\n}"),
            "result 0 is not a tensor of known rank");
  EXPECT_EQ(getError("(%x: tensor<*xf32>) -> tensor<*xf32> {\n"
                     "%r = math.exp %x {check} : tensor<*xf32>\n"
                     "return %r : tensor<*xf32>\n}"),
            "result 0 is not a tensor of known rank");
  EXPECT_EQ(getError("(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                     "%r = math.exp %x {check} : tensor<3xf32>\n"
                     "return %r : tensor<3xf32>\n}",
                     2),
            "result 2 does not exist, there are 1");
  EXPECT_EQ(getError("(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                     "return {check} %x : tensor<3xf32>\n}"),
            "an op without results has no blocks");
}

// What this op reads is unknown; its results are known all the same.
TEST_F(Spaces, UnknownOp) {
  BlockSpace space =
      getSpace("(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
               "%r = \"no.such\"(%x) {check} : (tensor<3xf32>) -> "
               "tensor<3xf32>\nreturn %r : tensor<3xf32>\n}");
  EXPECT_EQ(space.values[0].reason, IndexingReason::UnregisteredOp);
  BlockFootprints footprints = getBlockFootprints(space, box({1}, {3}));
  EXPECT_EQ(footprints.values[0].kind, Exactness::Unknown);
  EXPECT_EQ(footprints.bytesIn, std::nullopt);
  EXPECT_EQ(footprints.bytesOut, 8u);
  EXPECT_EQ(footprints.operations, std::nullopt);
  BlockGrowth growth = getBlockGrowth(space, box({1}, {2}), footprints, 0);
  EXPECT_EQ(growth.bytesIn, std::nullopt);
  EXPECT_EQ(growth.values[0].added, std::nullopt);
}

// The same value twice is in memory once; through two maps it is not.
TEST_F(Spaces, Repeated) {
  BlockSpace space =
      getSpace("(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {\n"
               "%r = arith.mulf %x, %x {check} : tensor<3x3xf32>\n"
               "return %r : tensor<3x3xf32>\n}");
  EXPECT_FALSE(space.values[0].isRepeated);
  EXPECT_TRUE(space.values[1].isRepeated);
  EXPECT_EQ(getBlockFootprints(space, box({0, 0}, {3, 3})).bytesIn, 36u);
}

// Elements take whole bytes: nibbles and bits one, complex numbers both parts.
TEST_F(Spaces, ElementBytes) {
  for (auto [type, bytes] :
       {std::pair("i1", 1u), std::pair("i4", 1u), std::pair("bf16", 2u),
        std::pair("i17", 3u), std::pair("complex<f32>", 8u),
        std::pair("index", 8u)}) {
    std::string tensor = std::string("tensor<5x") + type + ">";
    BlockSpace space =
        getSpace("(%x: " + tensor + ") -> " + tensor +
                 " {\n%r = tensor.cast %x {check} : " + tensor + " to " +
                 tensor + "\nreturn %r : " + tensor + "\n}");
    EXPECT_EQ(getBlockFootprints(space, box({1}, {4})).bytesIn, 3 * bytes)
        << type;
  }
}

// Numbers beyond 64 bits are unknown, never wrong.
TEST_F(Spaces, Overflow) {
  BlockSpace space = getSpace(
      "(%x: tensor<4611686018427387904x4xi8>) -> "
      "tensor<4611686018427387904x4xi8> {\n"
      "%r = arith.addi %x, %x {check} : tensor<4611686018427387904x4xi8>\n"
      "return %r : tensor<4611686018427387904x4xi8>\n}");
  Box whole = *space.getWhole();
  BlockFootprints footprints = getBlockFootprints(space, whole);
  EXPECT_EQ(footprints.points, std::nullopt);
  EXPECT_EQ(footprints.bytesIn, std::nullopt);
  whole.hi[1] = 3;
  footprints = getBlockFootprints(space, whole);
  EXPECT_EQ(footprints.points, uint64_t(3) << 62);
  BlockGrowth growth = getBlockGrowth(space, whole, footprints, 1);
  EXPECT_EQ(growth.points, uint64_t(1) << 62);
  EXPECT_EQ(growth.bytesIn, std::nullopt);
}

// A region that reads from outside: by index, and by data.
TEST_F(Spaces, Captured) {
  BlockSpace space = getSpace(
      "(%x: tensor<4xf32>, %t: tensor<9xf32>, %z: tensor<4xf32>) -> "
      "tensor<4xf32> {\n"
      "%r = linalg.generic {check, indexing_maps = [affine_map<(d0) -> (d0)>, "
      "affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} "
      "ins(%x : tensor<4xf32>) outs(%z : tensor<4xf32>) {\n"
      "^bb0(%a: f32, %b: f32):\n %i = linalg.index 0 : index\n"
      " %two = arith.constant 2 : index\n %j = arith.muli %i, %two : index\n"
      " %e = tensor.extract %t[%j] : tensor<9xf32>\n"
      " %s = arith.addf %a, %e : f32\n linalg.yield %s : f32\n} -> "
      "tensor<4xf32>\nreturn %r : tensor<4xf32>\n}");
  ASSERT_EQ(space.values.size(), 4u);
  EXPECT_EQ(space.values[2].role, BlockValue::Role::Captured);
  BlockFootprints footprints = getBlockFootprints(space, box({1}, {4}));
  EXPECT_EQ(printBox(*footprints.values[2].hull), "[2, 7)");
  EXPECT_EQ(footprints.values[2].count, 3u);
  EXPECT_EQ(footprints.values[2].rows[0].str(), "2 + 2k + [0, 1), k < 3");
  // The old destination is not read.
  EXPECT_EQ(footprints.values[1].count, 0u);
}

// A model sees the same work in a whole op as in the part of a single rank.
TEST_F(Spaces, WorkOfAModel) {
  auto structured = [](StringRef maps, StringRef kinds, StringRef in,
                       StringRef out, StringRef yield) {
    return ("(%x: " + in + ", %z: " + out + ") -> " + out +
            " {\n%r = linalg.generic {check, indexing_maps = [" + maps +
            "], iterator_types = [" + kinds + "]} ins(%x : " + in +
            ") outs(%z : " + out + ") {\n^bb0(%a: f32, %b: f32):\n" + yield +
            "\n} -> " + out + "\nreturn %r : " + out + "\n}")
        .str();
  };
  StringRef identity = "affine_map<(d0, d1) -> (d0, d1)>";
  StringRef turned = "affine_map<(d0, d1) -> (d1, d0)>";
  StringRef rows = "affine_map<(d0, d1) -> (d0)>";
  StringRef columns = "affine_map<(d0, d1) -> (d1)>";
  StringRef parallel = "\"parallel\", \"parallel\"";
  StringRef move = "linalg.yield %a : f32";
  StringRef relu = "%c = arith.constant 0.0 : f32\n"
                   "%m = arith.maximumf %a, %c : f32\nlinalg.yield %m : f32";
  StringRef sum = "%m = arith.addf %a, %b : f32\nlinalg.yield %m : f32";
  const std::string texts[] = {
      kMatmul.str(),
      structured((identity + ", " + identity).str(), parallel,
                 "tensor<3x5xf32>", "tensor<3x5xf32>", move),
      structured((identity + ", " + identity).str(), parallel,
                 "tensor<3x5xf32>", "tensor<3x5xf32>", relu),
      structured((turned + ", " + identity).str(), parallel, "tensor<5x3xf32>",
                 "tensor<3x5xf32>", relu),
      structured((identity + ", " + rows).str(), "\"parallel\", \"reduction\"",
                 "tensor<3x5xf32>", "tensor<3xf32>", sum),
      structured((identity + ", " + columns).str(),
                 "\"reduction\", \"parallel\"", "tensor<3x5xf32>",
                 "tensor<5xf32>", sum)};
  ParseError problem;
  std::optional<CostModel> model = CostModel::parse(
      "machine m op *: start = 1.0 op arith.addf: point = 2.0", problem);
  ASSERT_TRUE(model) << problem.message;
  Grid grid = Grid::ofRanks(1);
  for (const std::string &text : texts) {
    BlockSpace space = getSpace(text);
    FailureOr<BlockOp> block = getBlockOp(space.op);
    ASSERT_TRUE(succeeded(block)) << text;
    Distribution whole;
    whole.dims.resize(block->extents.size());
    BlockWork expected = getBlockWork(
        *block, grid, getFactoredBoxes(grid, whole, block->extents), *model);
    std::string error;
    Box all = *space.getWhole();
    std::optional<BlockWork> work =
        getBlockWork(space, all, getBlockFootprints(space, all), *model, error);
    ASSERT_TRUE(work) << error;
    EXPECT_EQ(work->family, expected.family) << text;
    EXPECT_EQ(work->extents, expected.extents) << text;
    EXPECT_EQ(work->bytesIn, expected.bytesIn) << text;
    EXPECT_EQ(work->bytesOut, expected.bytesOut) << text;
    EXPECT_EQ(work->innermost, expected.innermost) << text;
    EXPECT_EQ(work->columnBytes, expected.columnBytes) << text;
    EXPECT_EQ(work->steps, expected.steps) << text;
  }
}

// A function as one op: two windows of three make one of five.
TEST_F(Spaces, Functions) {
  std::string text = R"(
  func.func @f(%x: tensor<12xf32>) -> tensor<8xf32> {
    %w = arith.constant dense<1.0> : tensor<3xf32>
    %e = tensor.empty() : tensor<10xf32>
    %c = arith.constant 0.0 : f32
    %i = linalg.fill ins(%c : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
    %a = linalg.conv_1d ins(%x, %w : tensor<12xf32>, tensor<3xf32>)
           outs(%i : tensor<10xf32>) -> tensor<10xf32>
    %f = tensor.empty() : tensor<8xf32>
    %j = linalg.fill ins(%c : f32) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.conv_1d ins(%a, %w : tensor<10xf32>, tensor<3xf32>)
           outs(%j : tensor<8xf32>) -> tensor<8xf32>
    return %b : tensor<8xf32>
  }
  func.func private @g(tensor<12xf32>) -> tensor<8xf32>)";
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto function = module->lookupSymbol<FunctionOpInterface>("f");
  std::string error;
  std::optional<BlockSpace> space = getBlockSpace(function, cache, error);
  ASSERT_TRUE(space) << error;
  ASSERT_EQ(space->values.size(), 2u);
  BlockFootprints footprints = getBlockFootprints(*space, box({2}, {4}));
  EXPECT_EQ(printBox(*footprints.values[0].hull), "[2, 8)");
  EXPECT_EQ(footprints.bytesIn, 24u);
  BlockGrowth growth = getBlockGrowth(*space, box({2}, {4}), footprints, 0);
  EXPECT_EQ(growth.bytesIn, 4u);
  EXPECT_EQ(growth.sharedNext, 16u);
  EXPECT_FALSE(getBlockSpace(module->lookupSymbol<FunctionOpInterface>("g"),
                             cache, error));
  EXPECT_EQ(error, "function 'g' has no body");
}

} // namespace
