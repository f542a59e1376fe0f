//===- DynamicTest.cpp - Dynamic sizes as parameters, by brute force ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DynamicOracle.h for how.
//
//===----------------------------------------------------------------------===//

#include "DynamicOracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

using Dynamic = DynamicOracle;

TEST_F(Dynamic, Elementwise) {
  checkAll(R"((%x: tensor<$0x5x$1xf32>, %y: tensor<$0x5x$1xf32>) {
    %r = arith.addf %x, %y {check} : tensor<$0x5x$1xf32>
    return
  })",
           {{3, 2}, {1, 1}, {0, 4}});
  checkAll(R"((%c: i1, %x: tensor<$0x$1xf32>, %y: tensor<$0x$1xf32>) {
    %r = arith.select %c, %x, %y {check} : tensor<$0x$1xf32>
    return
  })",
           {{3, 2}, {1, 5}});
  EXPECT_EQ(down(R"((%x: tensor<?x5x?xf32>) {
    %r = math.exp %x {check} : tensor<?x5x?xf32>
    return
  })"),
            "(d0, d1, d2){n0, n1} -> (d0, d1, d2), domain: d0 in [0, n0 - 1], "
            "d1 in [0, 4], d2 in [0, n1 - 1], n0 in [1, inf], n1 in [1, inf]");
}

TEST_F(Dynamic, Contractions) {
  checkAll(
      R"((%a: tensor<$0x$1xf32>, %b: tensor<$1x$2xf32>, %c: tensor<$0x$2xf32>) {
    %r = linalg.matmul {check} ins(%a, %b : tensor<$0x$1xf32>, tensor<$1x$2xf32>)
           outs(%c : tensor<$0x$2xf32>) -> tensor<$0x$2xf32>
    return
  })",
      {{3, 7, 5}, {1, 2, 1}, {2, 1, 3}});
  checkAll(
      R"((%a: tensor<$0x3x$1xf32>, %b: tensor<$0x$1x$2xf32>, %z: tensor<1xf32>) {
    %r = tosa.matmul %a, %b, %z, %z {check = unit}
      : (tensor<$0x3x$1xf32>, tensor<$0x$1x$2xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<$0x3x$2xf32>
    return
  })",
      {{2, 7, 5}, {1, 1, 3}});
  // m, n and the contracted k: three parameters, no more.
  Operation *op =
      parse(R"((%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) {
    %r = linalg.matmul {check} ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
           outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  EXPECT_EQ(indexing.outputToInput(0, 1).str(),
            "(d0, d1)[s0]{n0, n1, n2} -> (s0, d1), domain: d0 in [0, n0 - 1], "
            "d1 in [0, n2 - 1], s0 in [0, n1 - 1], n0 in [1, inf], n1 in [1, "
            "inf], n2 in [1, inf]");
  ASSERT_EQ(indexing.getSizes().size(), 8u);
  EXPECT_EQ(indexing.getSizes()[7], (ValueSize{true, 0, 1, Form::ofAtom(2)}));
}

TEST_F(Dynamic, Structured) {
  checkAll(R"((%x: tensor<$0x5x$1xf32>, %o: tensor<$1x$0x5xf32>) {
    %r = linalg.transpose ins(%x : tensor<$0x5x$1xf32>)
           outs(%o : tensor<$1x$0x5xf32>) permutation = [2, 0, 1] {check}
    return
  })",
           {{3, 2}, {1, 4}});
  checkAll(R"((%x: tensor<$0xf32>, %o: tensor<3x$0x$1xf32>) {
    %r = linalg.broadcast ins(%x : tensor<$0xf32>) outs(%o : tensor<3x$0x$1xf32>)
           dimensions = [0, 2] {check}
    return
  })",
           {{3, 2}, {1, 4}, {4, 0}});
  checkAll(R"((%x: tensor<3x$0x$1xf32>, %o: tensor<$0xf32>) {
    %r = linalg.reduce {arith.addf} ins(%x : tensor<3x$0x$1xf32>)
           outs(%o : tensor<$0xf32>) dimensions = [0, 2] {check}
    return
  })",
           {{3, 2}, {1, 4}});
  // Batch and spatial sizes of a strided convolution: rows without a window.
  checkAll(
      R"((%x: tensor<$0x$1x7x2xf32>, %f: tensor<3x2x2x3xf32>, %o: tensor<$0x$2x3x3xf32>) {
    %r = linalg.conv_2d_nhwc_hwcf {check, strides = dense<[4, 2]> : tensor<2xi64>}
           ins(%x, %f : tensor<$0x$1x7x2xf32>, tensor<3x2x2x3xf32>)
           outs(%o : tensor<$0x$2x3x3xf32>) -> tensor<$0x$2x3x3xf32>
    return
  })",
      {{2, 11, 3}, {1, 4, 1}});
  checkAll(
      R"((%x: tensor<$0x$1x3xf32>, %f: tensor<3x2xf32>, %o: tensor<$0x$2x3xf32>, %w: tensor<2xf32>) {
    %r = linalg.pooling_nwc_max {check, strides = dense<2> : tensor<1xi64>}
           ins(%x, %w : tensor<$0x$1x3xf32>, tensor<2xf32>)
           outs(%o : tensor<$0x$2x3xf32>) -> tensor<$0x$2x3xf32>
    return
  })",
      {{2, 10, 5}, {1, 2, 1}});
}

TEST_F(Dynamic, Reshapes) {
  checkAll(R"((%x: tensor<$0x6x$1x4xf32>) {
    %r = tensor.collapse_shape %x [[0, 1], [2, 3]] {check}
           : tensor<$0x6x$1x4xf32> into tensor<$2x$3xf32>
    return
  })",
           {{3, 2, 18, 8}, {1, 1, 6, 4}});
  // Two dynamic sizes in a group: a product, and exact.
  checkAll(R"((%x: tensor<$0x$1xf32>) {
    %r = tensor.collapse_shape %x [[0, 1]] {check}
           : tensor<$0x$1xf32> into tensor<$2xf32>
    return
  })",
           {{3, 2, 6}, {1, 5, 5}, {4, 1, 4}});
  checkAll(R"((%x: tensor<$0x3xf32>, %n: index) {
    %r = tensor.expand_shape %x [[0, 1], [2]] output_shape [${%n|$1}, 4, 3] {check}
           : tensor<$0x3xf32> into tensor<$1x4x3xf32>
    return
  })",
           {{12, 3}, {4, 1}});
  checkAll(R"((%x: tensor<2x$0x6xf32>, %s: tensor<4xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<2x$0x6xf32>, tensor<4xindex>) -> tensor<2x$1x2x1xf32>
    return
  })",
           {{5, 15}, {1, 3}});
  checkAll(R"((%x: tensor<$0x4xf32>, %s: tensor<2xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<$0x4xf32>, tensor<2xindex>) -> tensor<$1x6xf32>
    return
  })",
           {{6, 4}, {3, 2}});
  EXPECT_EQ(getReason(R"((%x: tensor<?x6xf32>, %s: tensor<2xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<?x6xf32>, tensor<2xindex>) -> tensor<2x?xf32>
    return
  })"),
            IndexingReason::DynamicShape);
}

TEST_F(Dynamic, Slices) {
  checkAll(R"((%x: tensor<$0x9xf32>, %n: index) {
    %r = tensor.extract_slice %x[1, 0] [${%n|$1}, 3] [2, 3] {check}
           : tensor<$0x9xf32> to tensor<$1x3xf32>
    return
  })",
           {{7, 3}, {8, 1}});
  checkAll(R"((%s: tensor<$1x2xf32>, %d: tensor<$0x5xf32>, %n: index) {
    %r = tensor.insert_slice %s into %d[2, 1] [${%n|$1}, 2] [3, 2] {check}
           : tensor<$1x2xf32> into tensor<$0x5xf32>
    return
  })",
           {{9, 3}, {7, 1}, {5, 0}});
  // Offsets and strides that are values; a slice of one element has any stride.
  EXPECT_EQ(down(R"((%x: tensor<?xf32>, %i: index, %n: index) {
    %r = tensor.extract_slice %x[%i] [%n] [2] {check}
           : tensor<?xf32> to tensor<?xf32>
    return
  })"),
            "(d0){n0, n1, rt2} -> (d0 * 2 + rt2), domain: d0 in [0, n1 - 1], "
            "n0 in [1, inf], n1 in [1, inf], rt2 in [0, inf], n0 - n1 * 2 - "
            "rt2 in [-1, inf]");
  EXPECT_EQ(down(R"((%x: tensor<9xf32>, %i: index, %s: index) {
    %r = tensor.extract_slice %x[%i] [3] [%s] {check}
           : tensor<9xf32> to tensor<3xf32>
    return
  })"),
            "(d0){rt0, rt1} -> (rt0 + d0 * rt1), domain: d0 in [0, 2], rt0 in "
            "[0, 8], rt1 in [-4, 4], rt0 + rt1 * 2 in [0, 8]");
}

TEST_F(Dynamic, PadAndConcat) {
  checkAll(R"((%x: tensor<$0x3xf32>, %v: f32) {
    %r = tensor.pad %x low[2, 1] high[3, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } {check} : tensor<$0x3xf32> to tensor<$1x4xf32>
    return
  })",
           {{3, 8}, {1, 6}});
  checkAll(
      R"((%x: tensor<3x$0xf32>, %y: tensor<3x2xf32>, %z: tensor<3x$1xf32>) {
    %r = tensor.concat dim(1) %x, %y, %z {check}
           : (tensor<3x$0xf32>, tensor<3x2xf32>, tensor<3x$1xf32>) -> tensor<3x$2xf32>
    return
  })",
      {{3, 4, 9}, {1, 0, 3}});
  Operation *op = parse(R"((%x: tensor<?xf32>, %y: tensor<?xf32>) {
    %r = tensor.concat dim(0) %x, %y {check}
           : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  // The result's size is n0 + n1.
  EXPECT_EQ(indexing.getSizes().back().size.terms.size(), 2u);
  EXPECT_EQ(indexing.outputToInput(0, 1).str(),
            "(d0){n0, n1} -> (d0 - n0), domain: d0 in [n0, n0 + n1 - 1], n0 in "
            "[0, inf], n1 in [0, inf]");
}

TEST_F(Dynamic, PackUnpackSoftmax) {
  checkAll(R"((%x: tensor<$0x10xf32>, %o: tensor<4x$1x3x4xf32>, %p: f32) {
    %r = linalg.pack %x padding_value(%p : f32) outer_dims_perm = [1, 0]
           inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %o {check}
           : tensor<$0x10xf32> -> tensor<4x$1x3x4xf32>
    return
  })",
           {{7, 2}, {8, 2}, {1, 1}});
  checkAll(R"((%x: tensor<4x$1x3x4xf32>, %o: tensor<$0x10xf32>) {
    %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
           inner_tiles = [3, 4] into %o {check}
           : tensor<4x$1x3x4xf32> -> tensor<$0x10xf32>
    return
  })",
           {{7, 2}, {8, 2}, {1, 1}});
  checkAll(R"((%x: tensor<$0x$1xf32>, %o: tensor<$0x$1xf32>) {
    %r = linalg.softmax {check} dimension(1) ins(%x : tensor<$0x$1xf32>)
           outs(%o : tensor<$0x$1xf32>) -> tensor<$0x$1xf32>
    return
  })",
           {{3, 5}, {1, 2}});
}

TEST_F(Dynamic, Tosa) {
  // Either of two dynamic sizes may be 1.
  checkAll(R"((%x: tensor<$0x3xf32>, %y: tensor<$1x1xf32>) {
    %r = tosa.add %x, %y {check = unit}
      : (tensor<$0x3xf32>, tensor<$1x1xf32>) -> tensor<$2x3xf32>
    return
  })",
           {{4, 4, 4}, {1, 4, 4}, {4, 1, 4}, {1, 1, 1}});
  checkAll(R"((%x: tensor<$0x3xf32>) {
    %r = tosa.exp %x {check = unit} : (tensor<$0x3xf32>) -> tensor<$0x3xf32>
    return
  })",
           {{4}, {1}});
  checkAll(
      R"((%x: tensor<$0x$1x6x2xf32>, %w: tensor<3x3x2x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>) {
    %r = tosa.conv2d %x, %w, %b, %z, %z {check = unit, acc_type = f32,
        pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<$0x$1x6x2xf32>, tensor<3x3x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<$0x$2x3x3xf32>
    return
  })",
      {{2, 7, 4}, {1, 3, 2}, {1, 1, 1}});
  checkAll(R"((%x: tensor<$0x3xf32>) {
    %s = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %r = tosa.tile %x, %s {check = unit} : (tensor<$0x3xf32>, !tosa.shape<2>) -> tensor<$1x9xf32>
    return
  })",
           {{4, 8}, {1, 2}});
  checkAll(R"((%x: tensor<$0x3xf32>) {
    %r = tosa.reverse %x {check = unit, axis = 0 : i32} : (tensor<$0x3xf32>) -> tensor<$0x3xf32>
    return
  })",
           {{4}, {1}});
  checkAll(R"((%x: tensor<$0x3xf32>, %v: tensor<1xf32>) {
    %s = tosa.const_shape {values = dense<[1, 2, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %r = tosa.pad %x, %s, %v {check = unit}
      : (tensor<$0x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<$1x4xf32>
    return
  })",
           {{4, 7}, {1, 4}});
  checkAll(R"((%x: tensor<$0x3xf32>) {
    %s = tosa.const_shape {values = dense<[-1, 6]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %r = tosa.reshape %x, %s {check = unit} : (tensor<$0x3xf32>, !tosa.shape<2>) -> tensor<$1x6xf32>
    return
  })",
           {{4, 2}, {2, 1}});
  checkAll(R"((%x: tensor<1x$0x3x2xf32>) {
    %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %b = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %r = tosa.resize %x, %s, %o, %b {check = unit, mode = BILINEAR}
      : (tensor<1x$0x3x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x$1x6x2xf32>
    return
  })",
           {{3, 6}, {1, 2}});
}

/// A scalable size is an unknown number.
TEST_F(Dynamic, ScalableVectors) {
  EXPECT_EQ(down(R"((%x: vector<2x[4]xf32>) {
    %r = math.exp %x {check} : vector<2x[4]xf32>
    return
  })"),
            "(d0, d1){n0} -> (d0, d1), domain: d0 in [0, 1], d1 in [0, n0 - "
            "1], n0 in [1, inf]");
}

/// One parameter for a size, through a whole function and its calls.
TEST_F(Dynamic, Functions) {
  std::string text =
      R"((%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %v0 = arith.addf %x, %y {check} : tensor<?x?xf32>
)";
  for (int i = 0; i < 20; ++i)
    text += "    %v" + std::to_string(i + 1) + " = arith.mulf %v" +
            std::to_string(i) + ", %" + (i % 2 ? "x" : "y") +
            " : tensor<?x?xf32>\n";
  Operation *op = parse(text + R"(
    %c = func.call @g(%v20, %x) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  }
  func.func private @g(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %e = math.exp %b : tensor<?x?xf32>
    %t = tensor.concat dim(0) %a, %e : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %r = math.exp %t : tensor<?x?xf32>
    return %r : tensor<?x?xf32>
  })");
  ASSERT_TRUE(op);
  IndexingCache cache;
  const OpIndexing &indexing =
      cache.getFunction(op->getParentOfType<FunctionOpInterface>());
  EXPECT_EQ(indexing.outputToInput(0, 1).str(),
            "(d0, d1){n0, n1} -> (d0, d1), domain: d0 in [0, n0 - 1], d1 in "
            "[0, n1 - 1], n0 in [1, inf], n1 in [1, inf]");
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0, d1){n0, n1} -> (d0 - n0, d1), domain: d0 in [n0, n0 * 2 - "
            "1], d1 in [0, n1 - 1], n0 in [1, inf], n1 in [1, inf]\n"
            "(d0, d1){n0, n1} -> (d0, d1), domain: d0 in [0, n0 - 1], d1 in "
            "[0, n1 - 1], n0 in [1, inf], n1 in [1, inf]");
  ASSERT_EQ(indexing.getSizes().size(), 6u);
  EXPECT_EQ(indexing.getSizes()[4],
            (ValueSize{true, 0, 0, Form::ofAtom(0, 2)}));
  // Every op of the chain speaks of the same two.
  EXPECT_EQ(
      cache.get(&op->getBlock()->getOperations().front())
          .outputToInput(0, 0)
          .str(),
      cache.get(op->getNextNode()->getNextNode()).outputToInput(0, 0).str());
}

TEST_F(Dynamic, Unranked) {
  EXPECT_EQ(getReason(R"((%x: tensor<*xf32>) {
    %r = math.exp %x {check} : tensor<*xf32>
    return
  })"),
            IndexingReason::UnrankedShape);
}

} // namespace
