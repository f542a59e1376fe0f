//===- AccessTest.cpp - What ops on access patterns read, by brute force --===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index of a pattern is its access index followed by its compute index.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

using Access = OracleTest;

Reads sameIndex(ArrayRef<int64_t> shape) {
  Reads reads;
  forEach(shape, [&](const Point &i) { reads[0].insert({i, i}); });
  return reads;
}

TEST_F(Access, IntoAndOut) {
  check(R"((%x: tensor<3x5x7xf32>) {
    %r = tensoraccess.access %x at 1 {check}
       : tensor<3x5x7xf32> -> !tensoraccess.access<3 | 5x7xf32>
    return
  })",
        sameIndex({3, 5, 7}));
  check(R"((%x: !tensoraccess.access<3 | 5x7xf32>) {
    %r = tensoraccess.to_tensor %x {check}
       : !tensoraccess.access<3 | 5x7xf32> -> tensor<3x5x7xf32>
    return
  })",
        sameIndex({3, 5, 7}));
  check(R"((%x: !tensoraccess.access<3 | 5x7xf32>) {
    %r = tensoraccess.materialize %x {check}
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 5x7xf32>
    return
  })",
        sameIndex({3, 5, 7}));
}

/// The dimension that was an access dimension becomes a compute dimension.
TEST_F(Access, TransposeAcrossTheSplit) {
  Reads reads;
  forEach({3, 5, 7},
          [&](const Point &x) { reads[0].insert({{x[2], x[0], x[1]}, x}); });
  check(R"((%x: !tensoraccess.access<3 | 5x7xf32>) {
    %r = tensoraccess.transpose %x perm = [2, 0, 1] {check}
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<7 | 3x5xf32>
    return
  })",
        reads);
}

TEST_F(Access, CartProd) {
  Reads reads;
  forEach({3, 2, 7, 5}, [&](const Point &l) {
    reads[0].insert({{l[0], l[1], l[2], 0, l[3]}, {l[0], l[1], l[3]}});
    reads[1].insert({{l[0], l[1], l[2], 1, l[3]}, {l[2], l[3]}});
  });
  check(
      R"((%x: !tensoraccess.access<3x2 | 5xf32>, %y: !tensoraccess.access<7 | 5xf32>) {
    %r = tensoraccess.cart_prod %x, %y {check}
       : !tensoraccess.access<3x2 | 5xf32>, !tensoraccess.access<7 | 5xf32>
      -> !tensoraccess.access<3x2x7 | 2x5xf32>
    return
  })",
      reads);
}

TEST_F(Access, Windows) {
  Reads plain, dilated;
  forEach({1, 4, 6, 1, 3, 3, 5}, [&](const Point &l) {
    plain[0].insert({l, {l[0], l[1] * 2 + l[4], l[2] + l[5], l[3] + l[6]}});
  });
  check(R"((%x: !tensoraccess.access<1 | 9x8x5xf32>) {
    %r = tensoraccess.windows %x shape = [3, 3, 5] strides = [2, 1, 1] {check}
       : !tensoraccess.access<1 | 9x8x5xf32>
      -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
    return
  })",
        plain);
  forEach({3, 2, 2}, [&](const Point &l) {
    dilated[0].insert({l, {l[0], l[1] * 3 + l[2] * 4}});
  });
  check(R"((%x: !tensoraccess.access<3 | 8xf32>) {
    %r = tensoraccess.windows %x shape = [2] strides = [3] dilations = [4] {check}
       : !tensoraccess.access<3 | 8xf32> -> !tensoraccess.access<3x2 | 2xf32>
    return
  })",
        dilated);
}

TEST_F(Access, UnitDimensions) {
  Reads squeeze, insert;
  forEach({3, 5, 7}, [&](const Point &i) {
    squeeze[0].insert({i, {i[0], 0, i[1], i[2]}});
    insert[0].insert({{i[0], i[1], 0, i[2]}, i});
  });
  check(R"((%x: !tensoraccess.access<3x1x5 | 7xf32>) {
    %r = tensoraccess.squeeze %x axis 1 {check}
       : !tensoraccess.access<3x1x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
    return
  })",
        squeeze);
  check(R"((%x: !tensoraccess.access<3x5 | 7xf32>) {
    %r = tensoraccess.insert_axis %x axis 2 {check}
       : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x5x1 | 7xf32>
    return
  })",
        insert);
}

TEST_F(Access, FlattenAndReshape) {
  Reads flatten, reshape;
  forEach({4, 6, 3, 5}, [&](const Point &i) {
    Point flat{i[0] * 6 + i[1], i[2] * 5 + i[3]};
    flatten[0].insert({flat, i});
    reshape[0].insert({{flat[0] / 3, flat[0] % 3, flat[1]}, i});
  });
  check(R"((%x: !tensoraccess.access<4x6 | 3x5xf32>) {
    %r = tensoraccess.flatten %x {check}
       : !tensoraccess.access<4x6 | 3x5xf32> -> !tensoraccess.access<24 | 15xf32>
    return
  })",
        flatten);
  check(R"((%x: !tensoraccess.access<4x6 | 3x5xf32>) {
    %r = tensoraccess.reshape %x {check}
       : !tensoraccess.access<4x6 | 3x5xf32> -> !tensoraccess.access<8x3 | 15xf32>
    return
  })",
        reshape);
}

TEST_F(Access, Pad) {
  Reads reads;
  forEach({3, 5},
          [&](const Point &i) { reads[0].insert({{i[0], i[1] + 2}, i}); });
  check(R"((%x: !tensoraccess.access<3 | 5xf32>) {
    %r = tensoraccess.pad %x low = [0, 2] high = [1, 1] value = 0.0 : f32 {check}
       : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<4 | 8xf32>
    return
  })",
        reads);
}

TEST_F(Access, Compute) {
  Reads reduce, elementwise, relu;
  forEach({3, 2, 5}, [&](const Point &i) {
    reduce[0].insert({{i[0]}, i});
    elementwise[0].insert({{i[0], i[2]}, i});
    relu[0].insert({i, i});
  });
  for (const char *kind : {"dot_prod", "reduce_sum", "reduce_max"})
    check(std::string("(%x: !tensoraccess.access<3 | 2x5xf32>) {\n"
                      "  %r = tensoraccess.compute ") +
              kind +
              " %x {check} : !tensoraccess.access<3 | 2x5xf32> -> "
              "!tensoraccess.access<3 | f32>\n  return\n}",
          reduce);
  for (const char *kind : {"elementwise_add", "elementwise_mul"})
    check(std::string("(%x: !tensoraccess.access<3 | 2x5xf32>) {\n"
                      "  %r = tensoraccess.compute ") +
              kind +
              " %x {check} : !tensoraccess.access<3 | 2x5xf32> -> "
              "!tensoraccess.access<3 | 5xf32>\n  return\n}",
          elementwise);
  check(R"((%x: !tensoraccess.access<3 | 2x5xf32>) {
    %r = tensoraccess.compute relu %x {check}
       : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | 2x5xf32>
    return
  })",
        relu);
}

/// A term of an e-graph has types and attributes, but is not an operation.
TEST_F(Access, WithoutAnOperation) {
  Operation *op = parse(R"((%x: !tensoraccess.access<3 | 5x7xf32>) {
    %r = tensoraccess.transpose %x perm = [2, 0, 1] {check}
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<7 | 3x5xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpSignature term(op->getName(), op->getAttrDictionary(),
                   op->getOperandTypes(), op->getResultTypes());
  EXPECT_EQ(getIndexing(term).outputToInput(0, 0),
            getIndexing(op).outputToInput(0, 0));
  // A generic op's payload is part of what it reads: no answer without it.
  op = parse(R"((%x: tensor<3xf32>) {
    %r = linalg.map {math.exp} ins(%x : tensor<3xf32>)
           outs(%x : tensor<3xf32>) {check}
    return
  })");
  ASSERT_TRUE(op);
  OpSignature bare(op->getName(), op->getAttrDictionary(),
                   op->getOperandTypes(), op->getResultTypes());
  EXPECT_EQ(getIndexing(bare).firstReason(), IndexingReason::NoModel);
}

} // namespace
