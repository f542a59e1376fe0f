//===- LinalgTest.cpp - What linalg's ops read, by brute force ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

using Linalg = OracleTest;

TEST_F(Linalg, Matmul) {
  Reads reads;
  forEach({3, 5, 7}, [&](const Point &l) {
    int64_t m = l[0], n = l[1], k = l[2];
    reads[0].insert({{m, n}, {m, k}});
    reads[1].insert({{m, n}, {k, n}});
    reads[2].insert({{m, n}, {m, n}});
  });
  check(R"((%a: tensor<3x7xf32>, %b: tensor<7x5xf32>, %c: tensor<3x5xf32>) {
    %r = linalg.matmul {check} ins(%a, %b : tensor<3x7xf32>, tensor<7x5xf32>)
           outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
    return
  })",
        reads);
}

TEST_F(Linalg, BatchMatmul) {
  Reads reads;
  forEach({2, 3, 5, 7}, [&](const Point &l) {
    Point out{l[0], l[1], l[2]};
    reads[0].insert({out, {l[0], l[1], l[3]}});
    reads[1].insert({out, {l[0], l[3], l[2]}});
    reads[2].insert({out, out});
  });
  check(
      R"((%a: tensor<2x3x7xf32>, %b: tensor<2x7x5xf32>, %c: tensor<2x3x5xf32>) {
    %r = linalg.batch_matmul {check}
           ins(%a, %b : tensor<2x3x7xf32>, tensor<2x7x5xf32>)
           outs(%c : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    return
  })",
      reads);
}

/// Every mix of stride and dilation, also with rows that no window reaches.
TEST_F(Linalg, Convolution) {
  for (std::array<int64_t, 4> steps : {std::array<int64_t, 4>{1, 1, 1, 1},
                                       {2, 1, 1, 1},
                                       {1, 2, 2, 1},
                                       {3, 2, 1, 2},
                                       {4, 3, 1, 1},
                                       {5, 2, 2, 3}}) {
    int64_t sh = steps[0], sw = steps[1], dh = steps[2], dw = steps[3];
    int64_t h = 11, w = 10, kh = 3, kw = 2;
    int64_t oh = (h - (kh - 1) * dh - 1) / sh + 1;
    int64_t ow = (w - (kw - 1) * dw - 1) / sw + 1;
    Reads reads;
    forEach({1, oh, ow, 4, kh, kw, 3}, [&](const Point &l) {
      Point out{l[0], l[1], l[2], l[3]};
      reads[0].insert(
          {out, {l[0], l[1] * sh + l[4] * dh, l[2] * sw + l[5] * dw, l[6]}});
      reads[1].insert({out, {l[4], l[5], l[6], l[3]}});
      reads[2].insert({out, out});
    });
    std::string x = "tensor<1x11x10x3xf32>", f = "tensor<3x2x3x4xf32>";
    std::string o =
        "tensor<1x" + std::to_string(oh) + "x" + std::to_string(ow) + "x4xf32>";
    check("(%x: " + x + ", %f: " + f + ", %o: " + o +
              ") {\n  %r = linalg.conv_2d_nhwc_hwcf {check, strides = dense<[" +
              std::to_string(sh) + ", " + std::to_string(sw) +
              "]> : tensor<2xi64>, dilations = dense<[" + std::to_string(dh) +
              ", " + std::to_string(dw) + "]> : tensor<2xi64>} ins(%x, %f : " +
              x + ", " + f + ") outs(%o : " + o + ") -> " + o + "\n  return\n}",
          reads);
  }
}

TEST_F(Linalg, ConvolutionNchw) {
  Reads reads;
  forEach({2, 4, 5, 3, 3, 3, 2}, [&](const Point &l) {
    Point out{l[0], l[1], l[2], l[3]};
    reads[0].insert({out, {l[0], l[4], l[2] + l[5], l[3] + l[6]}});
    reads[1].insert({out, {l[1], l[4], l[5], l[6]}});
    reads[2].insert({out, out});
  });
  check(
      R"((%x: tensor<2x3x7x4xf32>, %f: tensor<4x3x3x2xf32>, %o: tensor<2x4x5x3xf32>) {
    %r = linalg.conv_2d_nchw_fchw {check}
           ins(%x, %f : tensor<2x3x7x4xf32>, tensor<4x3x3x2xf32>)
           outs(%o : tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
    return
  })",
      reads);
}

TEST_F(Linalg, DepthwiseConvolution) {
  Reads reads;
  forEach({1, 4, 3, 5, 3, 3}, [&](const Point &l) {
    Point out{l[0], l[1], l[2], l[3]};
    reads[0].insert({out, {l[0], l[1] * 2 + l[4], l[2] * 2 + l[5], l[3]}});
    reads[1].insert({out, {l[4], l[5], l[3]}});
    reads[2].insert({out, out});
  });
  check(
      R"((%x: tensor<1x9x7x5xf32>, %f: tensor<3x3x5xf32>, %o: tensor<1x4x3x5xf32>) {
    %r = linalg.depthwise_conv_2d_nhwc_hwc {check, strides = dense<2> : tensor<2xi64>}
           ins(%x, %f : tensor<1x9x7x5xf32>, tensor<3x3x5xf32>)
           outs(%o : tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
    return
  })",
      reads);
}

/// The window operand gives only a shape: its elements are not read.
TEST_F(Linalg, Pooling) {
  Reads reads;
  forEach({1, 3, 2, 5, 3, 2}, [&](const Point &l) {
    Point out{l[0], l[1], l[2], l[3]};
    reads[0].insert({out, {l[0], l[1] * 2 + l[4], l[2] * 3 + l[5], l[3]}});
    reads[2].insert({out, out});
  });
  check(
      R"((%x: tensor<1x7x6x5xf32>, %f: tensor<3x2xf32>, %o: tensor<1x3x2x5xf32>) {
    %r = linalg.pooling_nhwc_max {check, strides = dense<[2, 3]> : tensor<2xi64>,
                                  dilations = dense<1> : tensor<2xi64>}
           ins(%x, %f : tensor<1x7x6x5xf32>, tensor<3x2xf32>)
           outs(%o : tensor<1x3x2x5xf32>) -> tensor<1x3x2x5xf32>
    return
  })",
      reads);
}

TEST_F(Linalg, BroadcastTransposeFill) {
  Reads broadcast, transpose, fill;
  forEach({3, 5, 7}, [&](const Point &i) {
    broadcast[0].insert({i, {i[1]}});
    transpose[0].insert({{i[2], i[0], i[1]}, i});
    fill[0].insert({i, {}});
  });
  check(R"((%x: tensor<5xf32>, %o: tensor<3x5x7xf32>) {
    %r = linalg.broadcast ins(%x : tensor<5xf32>) outs(%o : tensor<3x5x7xf32>)
           dimensions = [0, 2] {check}
    return
  })",
        broadcast);
  check(R"((%x: tensor<3x5x7xf32>, %o: tensor<7x3x5xf32>) {
    %r = linalg.transpose ins(%x : tensor<3x5x7xf32>)
           outs(%o : tensor<7x3x5xf32>) permutation = [2, 0, 1] {check}
    return
  })",
        transpose);
  check(R"((%x: f32, %o: tensor<3x5x7xf32>) {
    %r = linalg.fill {check} ins(%x : f32) outs(%o : tensor<3x5x7xf32>)
           -> tensor<3x5x7xf32>
    return
  })",
        fill);
}

TEST_F(Linalg, Reduce) {
  Reads reads;
  forEach({3, 5, 7}, [&](const Point &i) {
    reads[0].insert({{i[1]}, i});
    reads[1].insert({{i[1]}, {i[1]}});
  });
  check(R"((%x: tensor<3x5x7xf32>, %o: tensor<5xf32>) {
    %r = linalg.reduce {arith.addf} ins(%x : tensor<3x5x7xf32>)
           outs(%o : tensor<5xf32>) dimensions = [0, 2] {check}
    return
  })",
        reads);
}

/// Accesses that need each case of the solver: reversal, diagonal, a sum of two
/// loops of one sign and of two, digits, a constant row.
TEST_F(Linalg, GenericAccesses) {
  struct Access {
    const char *map, *type;
    Point (*index)(int64_t a, int64_t b);
  };
  for (const Access &access : {
           Access{"(4 - b, a)", "5x3",
                  [](int64_t a, int64_t b) { return Point{4 - b, a}; }},
           {"(a, a)", "3x3", [](int64_t a, int64_t b) { return Point{a, a}; }},
           {"(a + b)", "7", [](int64_t a, int64_t b) { return Point{a + b}; }},
           {"(a - b + 4)", "7",
            [](int64_t a, int64_t b) { return Point{a - b + 4}; }},
           {"(a * 5 + b)", "15",
            [](int64_t a, int64_t b) { return Point{a * 5 + b}; }},
           {"(a * 12 - b * 3 + 12, 1)", "37x2",
            [](int64_t a, int64_t b) { return Point{a * 12 - b * 3 + 12, 1}; }},
           {"(a * 2 + b * 3)", "17",
            [](int64_t a, int64_t b) { return Point{a * 2 + b * 3}; }},
           {"(b floordiv 2, a + b mod 2)", "3x4",
            [](int64_t a, int64_t b) { return Point{b / 2, a + b % 2}; }},
       }) {
    Reads reads;
    forEach({3, 5}, [&](const Point &l) {
      reads[0].insert({l, access.index(l[0], l[1])});
    });
    std::string type = std::string("tensor<") + access.type + "xf32>";
    check("(%x: " + type +
              ", %o: tensor<3x5xf32>) {\n"
              "  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> " +
              access.map +
              ">, affine_map<(a, b) -> (a, b)>], iterator_types = "
              "[\"parallel\", \"parallel\"]} ins(%x : " +
              type +
              ") outs(%o : tensor<3x5xf32>) attrs = {check} {\n"
              "  ^bb0(%i: f32, %j: f32):\n    linalg.yield %i : f32\n"
              "  } -> tensor<3x5xf32>\n  return\n}",
          reads);
  }
}

/// Of two results each depends only on what its own yielded value does.
TEST_F(Linalg, TwoResults) {
  Operation *op = parse(R"((%x: tensor<3xf32>, %y: tensor<3xf32>) {
    %r:2 = linalg.generic {
        indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>,
                         affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
        iterator_types = ["parallel"]}
        ins(%x, %y : tensor<3xf32>, tensor<3xf32>)
        outs(%x, %y : tensor<3xf32>, tensor<3xf32>) attrs = {check} {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      %s = arith.addf %b, %d : f32
      linalg.yield %a, %s : f32, f32
    } -> (tensor<3xf32>, tensor<3xf32>)
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  std::vector<unsigned> sizes;
  for (unsigned r : {0, 1})
    for (unsigned o : {0, 1, 2, 3})
      sizes.push_back(indexing.outputToInput(r, o).getMaps().size());
  EXPECT_EQ(sizes, (std::vector<unsigned>{1, 0, 0, 0, 0, 1, 0, 1}));
}

TEST_F(Linalg, Softmax) {
  Reads reads;
  forEach({3, 5, 7, 5}, [&](const Point &l) {
    reads[0].insert({{l[0], l[1], l[2]}, {l[0], l[3], l[2]}});
  });
  check(R"((%x: tensor<3x5x7xf32>, %o: tensor<3x5x7xf32>) {
    %r = linalg.softmax {check} dimension(1) ins(%x : tensor<3x5x7xf32>)
           outs(%o : tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    return
  })",
        reads);
}

/// 7x10 in tiles of 4x3, the outer dimensions exchanged: rows and columns of
/// padding, which come from operand 2.
TEST_F(Linalg, PackWithPadding) {
  Reads reads;
  forEach({4, 2, 3, 4}, [&](const Point &i) {
    int64_t row = i[1] * 4 + i[3], column = i[0] * 3 + i[2];
    if (row < 7 && column < 10)
      reads[0].insert({i, {row, column}});
    else
      reads[2].insert({i, {}});
  });
  check(R"((%x: tensor<7x10xf32>, %o: tensor<4x2x3x4xf32>, %p: f32) {
    %r = linalg.pack %x padding_value(%p : f32) outer_dims_perm = [1, 0]
           inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %o {check}
           : tensor<7x10xf32> -> tensor<4x2x3x4xf32>
    return
  })",
        reads);
}

TEST_F(Linalg, Unpack) {
  Reads reads;
  forEach({7, 10}, [&](const Point &i) {
    reads[0].insert({i, {i[1] / 3, i[0] / 4, i[1] % 3, i[0] % 4}});
  });
  check(R"((%x: tensor<4x2x3x4xf32>, %o: tensor<7x10xf32>) {
    %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
           inner_tiles = [3, 4] into %o {check}
           : tensor<4x2x3x4xf32> -> tensor<7x10xf32>
    return
  })",
        reads);
}

TEST_F(Linalg, NoElements) {
  check(R"((%x: tensor<3x0xf32>, %o: tensor<0x3xf32>) {
    %r = linalg.transpose ins(%x : tensor<3x0xf32>)
           outs(%o : tensor<0x3xf32>) permutation = [1, 0] {check}
    return
  })",
        {});
}

} // namespace
