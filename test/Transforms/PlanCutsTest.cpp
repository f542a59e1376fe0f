//===- PlanCutsTest.cpp - Every loop of every kind of op, cut -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions in their layouts, with strides and dilations, grouped and
// depthwise, pools, products, reductions, movements: each loop of each is cut
// by 2, 3 and 5 ranks (more than some loops are long), and the first two loops
// over a grid at once; operands and results lie anyhow. Plans keep the cut,
// ranks send what plans say, and compute the same bits.
//
//===----------------------------------------------------------------------===//

#include "PlanTesting.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An op on arguments, with what it takes: `out` is filled with zeros, or empty.
struct OpCase {
  const char *name;
  std::vector<const char *> arguments;
  const char *result;
  /// $0, $1 are the arguments, $o the destination.
  const char *text;
};

const OpCase kCases[] = {
    {"conv nhwc",
     {"2x9x7x3xi32", "3x2x3x4xi32"},
     "2x7x6x4xi32",
     "linalg.conv_2d_nhwc_hwcf ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"conv nhwc strided, dilated",
     {"1x11x9x2xi32", "3x3x2x5xi32"},
     "1x4x3x5xi32",
     "linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>, dilations "
     "= dense<[2, 1]> : vector<2xi64>} ins($0, $1 : $t0, $t1) outs($o : $to) "
     "-> $to"},
    {"conv nchw",
     {"2x3x8x6xi32", "4x3x3x3xi32"},
     "2x4x6x4xi32",
     "linalg.conv_2d_nchw_fchw ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"conv grouped",
     {"1x2x3x7x5xi32", "2x4x3x3x3xi32"},
     "1x2x4x5x3xi32",
     "linalg.conv_2d_ngchw_gfchw ins($0, $1 : $t0, $t1) outs($o : $to) -> "
     "$to"},
    {"conv depthwise nhwc",
     {"1x9x7x3xi32", "3x3x3xi32"},
     "1x4x3x3xi32",
     "linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : vector<2xi64>} "
     "ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"conv depthwise nchw",
     {"2x3x6x5xi32", "3x3x2xi32"},
     "2x3x4x4xi32",
     "linalg.depthwise_conv_2d_nchw_chw ins($0, $1 : $t0, $t1) outs($o : $to) "
     "-> $to"},
    {"conv 1d",
     {"2x3x12xi32", "4x3x5xi32"},
     "2x4x8xi32",
     "linalg.conv_1d_ncw_fcw ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"conv 3d",
     {"1x5x4x4x2xi32", "2x2x2x2x3xi32"},
     "1x4x3x3x3xi32",
     "linalg.conv_3d_ndhwc_dhwcf ins($0, $1 : $t0, $t1) outs($o : $to) -> "
     "$to"},
    {"pool sum",
     {"1x9x9x3xi32", "3x3xi32"},
     "1x4x4x3xi32",
     "linalg.pooling_nhwc_sum {strides = dense<2> : vector<2xi64>} ins($0, $1 "
     ": $t0, $t1) outs($o : $to) -> $to"},
    {"pool max",
     {"1x3x8x8xi32", "2x3xi32"},
     "1x3x7x6xi32",
     "linalg.pooling_nchw_max ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"matmul",
     {"6x7xi32", "7x5xi32"},
     "6x5xi32",
     "linalg.matmul ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"matmul transposed",
     {"6x7xi32", "5x7xi32"},
     "6x5xi32",
     "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
     "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins("
     "$0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"batch matmul",
     {"3x4x7xi32", "3x7x5xi32"},
     "3x4x5xi32",
     "linalg.batch_matmul ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"matvec",
     {"6x7xi32", "7xi32"},
     "6xi32",
     "linalg.matvec ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"dot",
     {"11xi32", "11xi32"},
     "i32",
     "linalg.dot ins($0, $1 : $t0, $t1) outs($o : $to) -> $to"},
    {"reduce",
     {"4x6x5xi32"},
     "4x5xi32",
     "linalg.reduce {arith.addi} ins($0 : $t0) outs($o : $to) dimensions = "
     "[1]"},
    {"map",
     {"4x6xi32", "4x6xi32"},
     "4x6xi32",
     "linalg.map {arith.muli} ins($0, $1 : $t0, $t1) outs($o : $to)"},
    {"transpose",
     {"4x6x5xi32"},
     "5x4x6xi32",
     "linalg.transpose ins($0 : $t0) outs($o : $to) permutation = [2, 0, 1]"},
    {"broadcast",
     {"4x5xi32"},
     "4x6x5xi32",
     "linalg.broadcast ins($0 : $t0) outs($o : $to) dimensions = [1]"},
    {"indices",
     {"5x6xi32"},
     "5x6xi32",
     "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
     "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
     "\"parallel\"]} ins($0 : $t0) outs($o : $to) {\n^bb0(%x: i32, %y: i32):\n"
     "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%n = "
     "arith.muli %i, %j : index\n%m = arith.index_cast %n : index to i32\n%s = "
     "arith.addi %x, %m : i32\nlinalg.yield %s : i32\n} -> $to"},
    {"gather",
     {"9x3xi32"},
     "5x3xi32",
     "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], "
     "iterator_types = [\"parallel\", \"parallel\"]} outs($o : $to) {\n^bb0("
     "%y: i32):\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%k "
     "= arith.muli %i, %i : index\n%c9 = arith.constant 9 : index\n%w = "
     "arith.remui %k, %c9 : index\n%q = tensor.extract $0[%w, %j] : $t0\n"
     "linalg.yield %q : i32\n} -> $to"},
    {"backwards",
     {"8x3xi32"},
     "8x3xi32",
     "linalg.generic {indexing_maps = [affine_map<(i, j) -> (7 - i, j)>, "
     "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
     "\"parallel\"]} ins($0 : $t0) outs($o : $to) {\n^bb0(%x: i32, %y: i32):\n"
     "linalg.yield %x : i32\n} -> $to"},
    {"arith", {"4x6xi32", "4x6xi32"}, "4x6xi32", "arith.addi $0, $1 : $t0"},
    {"pad",
     {"5x4xi32"},
     "8x6xi32",
     "tensor.pad $0 low[2, 0] high[1, 2] {\n^bb0(%i: index, %j: index):\n"
     "tensor.yield %zero : i32\n} : $t0 to $to"},
    {"slice",
     {"9x8xi32"},
     "4x5xi32",
     "tensor.extract_slice $0[1, 2] [4, 5] [2, 1] : $t0 to $to"},
    {"insert",
     {"4x3xi32", "8x6xi32"},
     "8x6xi32",
     "tensor.insert_slice $0 into $1[3, 1] [4, 3] [1, 1] : $t0 into $t1"},
    {"insert strided",
     {"3x3xi32", "8x6xi32"},
     "8x6xi32",
     "tensor.insert_slice $0 into $1[1, 1] [3, 3] [2, 1] : $t0 into $t1"},
    {"concat",
     {"4x3xi32", "4x5xi32"},
     "4x8xi32",
     "tensor.concat dim(1) $0, $1 : ($t0, $t1) -> $to"},
    {"expand",
     {"12x5xi32"},
     "4x3x5xi32",
     "tensor.expand_shape $0 [[0, 1], [2]] output_shape [4, 3, 5] : $t0 into "
     "$to"},
    {"collapse",
     {"6x4x5xi32"},
     "24x5xi32",
     "tensor.collapse_shape $0 [[0, 1], [2]] : $t0 into $to"},
    {"generate",
     {"4x5xi32"},
     "4x5xi32",
     "tensor.generate {\n^bb0(%i: index, %j: index):\n%q = tensor.extract "
     "$0[%i, %j] : $t0\ntensor.yield %q : i32\n} : $to"},
    {"pack",
     {"8x6xi32"},
     "4x2x2x3xi32",
     "linalg.pack $0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into $o : "
     "$t0 -> $to"},
    {"unpack",
     {"4x2x2x3xi32"},
     "8x6xi32",
     "linalg.unpack $0 inner_dims_pos = [0, 1] inner_tiles = [2, 3] into $o : "
     "$t0 -> $to"},
};

class PlanCutsTest : public PlanTest {
protected:
  /// The function, with distributions at random.
  std::string print(const OpCase &some, const Grid &grid, uint64_t seed) {
    std::mt19937_64 random(seed);
    auto attribute = [&](StringRef type) -> std::string {
      const size_t rank = type.count('x');
      if (random() % 3 == 0)
        return "";
      Distribution home = Distribution::replicated(rank);
      for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
        if (size_t dim = random() % (rank + 1))
          home.dims[dim - 1].push_back(axis);
      return " {tensoraccess.distribution = \"" + home.str(grid) + "\"}";
    };
    auto full = [](const char *type) {
      return "tensor<" + std::string(type) + ">";
    };
    std::string text = some.text, head;
    auto replace = [&](const std::string &from, const std::string &to) {
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
           at += to.size())
        text.replace(at, from.size(), to);
    };
    replace("$to", full(some.result));
    replace("$o", "%out");
    for (size_t i = 0; i != some.arguments.size(); ++i) {
      const std::string number = std::to_string(i);
      replace("$t" + number, full(some.arguments[i]));
      replace("$" + number, "%a" + number);
      head += (i ? ", %a" : "%a") + number + ": " + full(some.arguments[i]) +
              attribute(some.arguments[i]);
    }
    const std::string type = full(some.result);
    return "func.func @main(" + head + ") -> (" + type +
           attribute(some.result) +
           ") {\n%zero = arith.constant 0 : i32\n%e = tensor.empty() : " +
           type + "\n%out = linalg.fill ins(%zero : i32) outs(%e : " + type +
           ") -> " + type + "\n%r = " + text + "\nreturn %r : " + type +
           "\n}\n";
  }

  static Operation *getLast(func::FuncOp main) {
    return main.front().getTerminator()->getOperand(0).getDefiningOp();
  }
};

} // namespace

TEST_F(PlanCutsTest, EachLoopOfEachOp) {
  int cuts = 0, whole = 0;
  int64_t bytes = 0;
  for (const OpCase &some : kCases)
    for (const char *text : {"a=2", "a=3", "a=5", "a=2,b=2"}) {
      PlanOptions options = getOptions(text);
      const Grid &grid = options.grid;
      const uint64_t seed = 31 * cuts + 7;
      func::FuncOp main = parse(print(some, grid, seed));
      ASSERT_TRUE(main) << some.name;
      FailureOr<BlockOp> block = getBlockOp(getLast(main));
      ASSERT_TRUE(succeeded(block));
      if (block->kind == BlockOpKind::Opaque)
        ++whole;
      const size_t loops = block->extents.size();
      for (unsigned d = 0; d <= loops; ++d) {
        main = parse(print(some, grid, seed + d));
        Distribution cut = Distribution::replicated(loops);
        for (unsigned axis = 0; axis != grid.axes.size() && d != loops; ++axis)
          cut.dims[(d + axis) % loops].push_back(axis);
        // The last run is the planner's own choice.
        const std::string wanted = cut.str(grid);
        bool isRefused = false;
        if (d != loops) {
          getLast(main)->setAttr(kCutName, StringAttr::get(&context, wanted));
          // Blocks that are not boxes, reductions by several ops.
          block = getBlockOp(getLast(main));
          ShardDecision decision;
          decision.cut = cut;
          isRefused = verifyDecision(*block, grid, decision).has_value();
        }
        if (isRefused) {
          EXPECT_TRUE(failed(planShards(main, options)));
          EXPECT_FALSE(messages.empty());
          continue;
        }
        const int64_t sent = check(main, options, seed + d);
        ASSERT_GE(sent, 0) << some.name << " on " << text << " cut " << wanted
                           << planned;
        if (d != loops)
          EXPECT_NE(planned.find('"' + wanted + '"'), std::string::npos)
              << some.name << planned;
        bytes += sent;
        ++cuts;
      }
    }
  EXPECT_GT(cuts, 450);
  EXPECT_GT(bytes, 100000);
  // What is opaque, on each grid: see kCases.
  EXPECT_LE(whole, 4 * 4);
}
