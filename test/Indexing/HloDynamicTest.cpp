//===- HloDynamicTest.cpp - StableHLO with dynamic sizes ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicOracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class HloDynamic : public DynamicOracle {
protected:
  /// An op of two operands at most, `%a` and `%b`.
  void checkOp(StringRef op, StringRef attributes,
               const std::vector<std::string> &operands, StringRef result,
               ArrayRef<std::vector<int64_t>> instances) {
    std::string text = "(", values, types;
    for (size_t i = 0; i < operands.size(); ++i) {
      std::string value = "%a" + std::to_string(i);
      text += (i ? ", " : "") + value + ": " + operands[i];
      values += (i ? ", " : "") + value;
      types += (i ? ", " : "") + operands[i];
    }
    text += ") {\n  %r = \"stablehlo." + op.str() + "\"(" + values + ") <{" +
            attributes.str() + "}> {check} : (" + types + ") -> " +
            result.str() + "\n  return\n}";
    checkAll(text, instances);
  }
};

TEST_F(HloDynamic, Elementwise) {
  checkOp("add", "", {"tensor<$0x3xf32>", "tensor<$0x3xf32>"},
          "tensor<$0x3xf32>", {{4}, {0}, {1}});
  checkOp("clamp", "", {"tensor<f32>", "tensor<$0xf32>", "tensor<f32>"},
          "tensor<$0xf32>", {{4}, {0}});
}

TEST_F(HloDynamic, Broadcast) {
  checkOp("broadcast_in_dim", "broadcast_dimensions = array<i64: 1, 2>",
          {"tensor<$0x1xf32>"}, "tensor<5x$1x$2xf32>",
          {{3, 3, 2}, {1, 4, 2}, {0, 0, 2}, {2, 2, 0}});
  checkOp("dynamic_broadcast_in_dim",
          "broadcast_dimensions = array<i64: 1>, "
          "known_nonexpanding_dimensions = array<i64: 0>",
          {"tensor<$0xf32>", "tensor<2xi32>"}, "tensor<$1x$0xf32>",
          {{3, 2}, {1, 2}, {0, 2}});
  // An operand without elements is not read, and there is no index -1.
  checkOp("dynamic_broadcast_in_dim", "broadcast_dimensions = array<i64: 0>",
          {"tensor<$0xf32>", "tensor<2xi32>"}, "tensor<$1x5xf32>",
          {{3, 3}, {1, 4}, {0, 0}});
  EXPECT_EQ(down(R"((%x: tensor<?xf32>, %s: tensor<2xi32>) {
    %r = "stablehlo.dynamic_broadcast_in_dim"(%x, %s)
           <{broadcast_dimensions = array<i64: 0>}> {check}
           : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x5xf32>
    return
  })"),
            "(d0, d1){n0, n1} -> (min(d0, n0 - 1)), domain: d0 in [0, n1 - 1], "
            "d1 in [0, 4], n0 in [1, inf], n1 in [1, inf]");
}

TEST_F(HloDynamic, Movement) {
  checkOp("transpose", "permutation = array<i64: 2, 0, 1>",
          {"tensor<$0x3x$1xf32>"}, "tensor<$1x$0x3xf32>", {{2, 4}, {0, 4}});
  checkOp("reverse", "dimensions = array<i64: 0>", {"tensor<$0x2xf32>"},
          "tensor<$0x2xf32>", {{5}, {1}, {0}});
  checkOp("reshape", "", {"tensor<$0x6xf32>"}, "tensor<$0x2x3xf32>",
          {{4}, {1}, {0}});
  checkOp("dynamic_reshape", "", {"tensor<$0x6xf32>", "tensor<1xi32>"},
          "tensor<$1xf32>", {{4, 24}, {1, 6}});
  checkOp("dynamic_reshape", "", {"tensor<$0x6xf32>", "tensor<2xi32>"},
          "tensor<$1x3xf32>", {{4, 8}, {1, 2}, {0, 0}});
  checkOp("dynamic_reshape", "", {"tensor<$0x2x6xf32>", "tensor<2xi32>"},
          "tensor<$1x4xf32>", {{4, 12}, {1, 3}, {0, 0}});
  checkOp("dynamic_reshape", "", {"tensor<5x$0x6xf32>", "tensor<3xi32>"},
          "tensor<5x$1x4xf32>", {{4, 6}, {2, 3}, {0, 0}});
  // Row-major, digit by digit: no symbols.
  EXPECT_EQ(down(R"((%x: tensor<?x6xf32>, %s: tensor<2xi32>) {
    %r = "stablehlo.dynamic_reshape"(%x, %s) {check}
           : (tensor<?x6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    return
  })"),
            "(d0, d1){n0} -> (d0 floordiv 2, d1 + (d0 mod 2) * 3), domain: "
            "d0 in [0, n0 * 2 - 1], d1 in [0, 2], n0 in [1, inf]");
}

TEST_F(HloDynamic, Parts) {
  checkOp("slice",
          "start_indices = array<i64: 1, 0>, limit_indices = array<i64: 6, 2>, "
          "strides = array<i64: 2, 1>",
          {"tensor<$0x2xf32>"}, "tensor<3x2xf32>", {{6}, {9}});
  checkOp("concatenate", "dimension = 1 : i64",
          {"tensor<$0x2xf32>", "tensor<$0x$1xf32>", "tensor<$0x3xf32>"},
          "tensor<$0x$2xf32>", {{2, 4, 9}, {3, 0, 5}, {0, 1, 6}});
  checkOp("pad",
          "edge_padding_low = array<i64: 1, -1>, edge_padding_high = "
          "array<i64: 2, 1>, interior_padding = array<i64: 0, 0>",
          {"tensor<$0x3xf32>", "tensor<f32>"}, "tensor<$1x3xf32>",
          {{2, 5}, {0, 3}, {4, 7}});
}

TEST_F(HloDynamic, Reductions) {
  checkOp("reduce", "dimensions = array<i64: 1>",
          {"tensor<$0x$1x3xf32>", "tensor<f32>"}, "tensor<$0x3xf32>",
          {{2, 4}, {2, 0}, {0, 4}});
  checkOp("sort", "dimension = 0 : i64", {"tensor<$0x2xf32>"},
          "tensor<$0x2xf32>", {{4}, {1}, {0}});
  checkOp("reduce_window",
          "window_dimensions = array<i64: 1, 3>, window_strides = array<i64: "
          "1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>",
          {"tensor<$0x$1xf32>", "tensor<f32>"}, "tensor<$0x$2xf32>",
          {{2, 5, 3}, {1, 6, 3}, {0, 5, 3}});
}

TEST_F(HloDynamic, Contractions) {
  checkOp("dot_general",
          "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = "
          "[0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = "
          "[2], rhs_contracting_dimensions = [1]>",
          {"tensor<$0x$1x$2xf32>", "tensor<$0x$2x3xf32>"},
          "tensor<$0x$1x3xf32>", {{2, 3, 4}, {2, 3, 0}, {0, 3, 4}});
  checkOp("convolution",
          "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
          ", padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_strides = "
          "array<i64: 2>, window_reversal = array<i1: true>",
          {"tensor<$0x7x2xf32>", "tensor<3x2x4xf32>"}, "tensor<$0x4x4xf32>",
          {{2}, {1}, {0}});
}

/// Starts are bounded by the dynamic size, and have their sources.
TEST_F(HloDynamic, DynamicSlice) {
  Operation *op = parse(R"((%x: tensor<?xf32>, %i: tensor<i32>) {
    %r = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 3>}>
           {check} : (tensor<?xf32>, tensor<i32>) -> tensor<3xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  const IndexingSet &set = indexing.outputToInput(0, 0);
  ASSERT_EQ(set.size(), 1u);
  EXPECT_TRUE(set.getMaps()[0].containsPoint({2}, {}, {5, 2}));
  EXPECT_FALSE(set.getMaps()[0].containsPoint({2}, {}, {5, 3}));
  EXPECT_FALSE(set.getMaps()[0].containsPoint({0}, {}, {5, -1}));
  MapDetailsRef details = set.getDetails(0);
  ASSERT_TRUE(details);
  ASSERT_EQ(details->runtime.size(), 2u);
  EXPECT_FALSE(details->runtime[0]);
  ASSERT_TRUE(details->runtime[1]);
  EXPECT_EQ(details->runtime[1]->operand, 1u);
}

/// What has no model for dynamic sizes says so.
TEST_F(HloDynamic, Unknown) {
  EXPECT_EQ(getReason(R"((%x: tensor<?xcomplex<f32>>) {
    %r = "stablehlo.fft"(%x) <{fft_length = array<i64: 4>}> {check}
           : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
    return
  })"),
            IndexingReason::DynamicShape);
  EXPECT_EQ(getReason(R"((%x: tensor<?x4xf32>) {
    %r = "stablehlo.transpose"(%x) <{permutation = array<i64: 0, 1>}> {check}
           : (tensor<?x4xf32>) -> tensor<?x5xf32>
    return
  })"),
            IndexingReason::DynamicShape);
}

} // namespace
