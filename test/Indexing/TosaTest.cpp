//===- TosaTest.cpp - What tosa's ops read, by brute force ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops are those of the TOSA specification's pseudocode.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

using Tosa = OracleTest;

std::string type(ArrayRef<int64_t> shape, StringRef element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

std::string array(ArrayRef<int64_t> numbers) {
  std::string text = "array<i64: ";
  for (auto [i, number] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(number);
  return text + ">";
}

/// A function with one op over arguments of these types: `tosa.x %0, ...
/// {check` and so on.
std::string function(ArrayRef<std::string> types, StringRef before,
                     StringRef name, StringRef attributes, ArrayRef<int> extra,
                     StringRef result) {
  std::string header = "(", operands, list;
  for (auto [i, t] : llvm::enumerate(types)) {
    std::string arg = "%a" + std::to_string(i);
    header += (i ? ", " : "") + arg + ": " + t;
    operands += (i ? ", " : "") + arg;
    list += (i ? ", " : "") + t;
  }
  for (auto [i, rank] : llvm::enumerate(extra)) {
    operands += ", %s" + std::to_string(i);
    list += ", !tosa.shape<" + std::to_string(rank) + ">";
  }
  return header + ") {\n" + before.str() + "\n  %r = tosa." + name.str() + " " +
         operands + " {check = unit" + attributes.str() + "} : (" + list +
         ") -> " + result.str() + "\n  return\n}";
}

std::string shape(StringRef name, ArrayRef<int64_t> numbers) {
  std::string text =
      ("  %" + name + " = tosa.const_shape {values = dense<[").str();
  for (auto [i, number] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(number);
  std::string n = std::to_string(numbers.size());
  return text + "]> : tensor<" + n + "xindex>} : () -> !tosa.shape<" + n +
         ">\n";
}

TEST_F(Tosa, ElementwiseBroadcast) {
  Reads reads;
  forEach({3, 5, 7}, [&](const Point &i) {
    reads[0].insert({i, {i[0], 0, i[2]}});
    reads[1].insert({i, {0, i[1], 0}});
  });
  check(function({type({3, 1, 7}), type({1, 5, 1})}, "", "add", "", {},
                 type({3, 5, 7})),
        reads);
  for (const Pair &pair : std::set<Pair>(reads[0]))
    reads[2].insert({pair.first, {0}});
  check(function(
            {type({3, 1, 7}, "i32"), type({1, 5, 1}, "i32"), type({1}, "i8")},
            "", "mul", "", {}, type({3, 5, 7}, "i32")),
        reads);
  Reads select;
  forEach({3, 5}, [&](const Point &i) {
    select[0].insert({i, {i[0], 0}});
    select[1].insert({i, i});
    select[2].insert({i, {0, i[1]}});
  });
  check(function({type({3, 1}, "i1"), type({3, 5}), type({1, 5})}, "", "select",
                 "", {}, type({3, 5})),
        select);
  Reads negate;
  forEach({3, 5}, [&](const Point &i) {
    negate[0].insert({i, i});
    negate[1].insert({i, {0}});
    negate[2].insert({i, {0}});
  });
  check(function({type({3, 5}), type({1}), type({1})}, "", "negate", "", {},
                 type({3, 5})),
        negate);
  Reads same;
  forEach({3, 5}, [&](const Point &i) { same[0].insert({i, i}); });
  for (StringRef op : {"abs", "exp", "identity", "sigmoid", "rsqrt"})
    check(function({type({3, 5})}, "", op, "", {}, type({3, 5})), same);
  check(function({type({3, 5})}, "", "cast", "", {}, type({3, 5}, "f16")),
        same);
  check(function({type({3, 5})}, "", "clamp",
                 ", min_val = 0.0 : f32, max_val = 6.0 : f32", {},
                 type({3, 5})),
        same);
}

TEST_F(Tosa, Rescale) {
  for (bool perChannel : {false, true}) {
    Reads reads;
    forEach({3, 5}, [&](const Point &i) {
      int64_t c = perChannel ? i[1] : 0;
      reads[0].insert({i, i});
      reads[1].insert({i, {c}});
      reads[2].insert({i, {c}});
      reads[3].insert({i, {0}});
      reads[4].insert({i, {0}});
    });
    int64_t n = perChannel ? 5 : 1;
    check(function({type({3, 5}, "i8"), type({n}, "i32"), type({n}, "i8"),
                    type({1}, "i8"), type({1}, "i8")},
                   "", "rescale",
                   std::string(", input_unsigned = false, output_unsigned = "
                               "false, rounding_mode = SINGLE_ROUND, "
                               "scale32 = true, per_channel = ") +
                       (perChannel ? "true" : "false"),
                   {}, type({3, 5}, "i8")),
          reads);
  }
}

TEST_F(Tosa, Matmul) {
  Reads reads;
  forEach({2, 3, 5, 7}, [&](const Point &l) {
    Point out{l[0], l[1], l[2]};
    reads[0].insert({out, {l[0], l[1], l[3]}});
    reads[1].insert({out, {l[0], l[3], l[2]}});
    reads[2].insert({out, {0}});
    reads[3].insert({out, {0}});
  });
  check(function({type({2, 3, 7}), type({2, 7, 5}), type({1}), type({1})}, "",
                 "matmul", "", {}, type({2, 3, 5})),
        reads);
}

struct ConvolutionCase {
  int64_t stride[2], dilation[2], pad[4];
};
/// Strides, dilations and paddings that leave rows without any window, and
/// windows that hang over.
constexpr ConvolutionCase kConvolutions[] = {{{1, 1}, {1, 1}, {0, 0, 0, 0}},
                                             {{1, 1}, {1, 1}, {1, 1, 1, 0}},
                                             {{2, 2}, {1, 1}, {1, 1, 0, 1}},
                                             {{1, 2}, {2, 1}, {2, 2, 1, 0}},
                                             {{4, 3}, {1, 2}, {1, 1, 1, 1}}};

/// OH and the padding after that makes the division exact, as TOSA demands.
int64_t outputSize(int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
                   int64_t before, int64_t &after) {
  int64_t span = in - 1 + before + after - (kernel - 1) * dilation;
  after += (stride - span % stride) % stride;
  span = in - 1 + before + after - (kernel - 1) * dilation;
  return span / stride + 1;
}

TEST_F(Tosa, Convolution2D) {
  int64_t h = 7, w = 8, kh = 3, kw = 2, ic = 2, oc = 3;
  for (ConvolutionCase c : kConvolutions) {
    int64_t oh =
        outputSize(h, kh, c.stride[0], c.dilation[0], c.pad[0], c.pad[1]);
    int64_t ow =
        outputSize(w, kw, c.stride[1], c.dilation[1], c.pad[2], c.pad[3]);
    for (int64_t biasSize : {oc, int64_t(1)}) {
      Reads reads;
      forEach({2, oh, ow, oc, kh, kw, ic}, [&](const Point &l) {
        Point out{l[0], l[1], l[2], l[3]};
        int64_t y = l[1] * c.stride[0] + l[4] * c.dilation[0] - c.pad[0];
        int64_t x = l[2] * c.stride[1] + l[5] * c.dilation[1] - c.pad[2];
        if (y >= 0 && y < h && x >= 0 && x < w)
          reads[0].insert({out, {l[0], y, x, l[6]}});
        // Padding is zeros, which the kernel is multiplied by.
        reads[1].insert({out, {l[3], l[4], l[5], l[6]}});
        reads[2].insert({out, {biasSize == 1 ? 0 : l[3]}});
        reads[3].insert({out, {0}});
        reads[4].insert({out, {0}});
      });
      check(function({type({2, h, w, ic}), type({oc, kh, kw, ic}),
                      type({biasSize}), type({1}), type({1})},
                     "", "conv2d",
                     ", acc_type = f32, pad = " + array(c.pad) + ", stride = " +
                         array(c.stride) + ", dilation = " + array(c.dilation),
                     {}, type({2, oh, ow, oc})),
            reads);
    }
  }
}

TEST_F(Tosa, Convolution3D) {
  Reads reads;
  forEach({1, 3, 4, 2, 2, 2, 3, 1, 2}, [&](const Point &l) {
    // n, od, oh, ow, oc, kd, kh, kw, ic; pads before are 1, 0, 0.
    Point out{l[0], l[1], l[2], l[3], l[4]};
    int64_t z = l[1] * 2 + l[5] - 1, y = l[2] + l[6], x = l[3] * 2 + l[7];
    if (z >= 0 && z < 5 && y < 6 && x < 3)
      reads[0].insert({out, {l[0], z, y, x, l[8]}});
    reads[1].insert({out, {l[4], l[5], l[6], l[7], l[8]}});
    reads[2].insert({out, {l[4]}});
    reads[3].insert({out, {0}});
    reads[4].insert({out, {0}});
  });
  check(function({type({1, 5, 6, 3, 2}), type({2, 2, 3, 1, 2}), type({2}),
                  type({1}), type({1})},
                 "", "conv3d",
                 ", acc_type = f32, pad = array<i64: 1, 0, 0, 0, 0, 0>, stride "
                 "= array<i64: 2, 1, 2>, dilation = array<i64: 1, 1, 1>",
                 {}, type({1, 3, 4, 2, 2})),
        reads);
}

TEST_F(Tosa, DepthwiseConvolution) {
  int64_t h = 7, w = 5, kh = 3, kw = 2, ch = 2, m = 3;
  for (ConvolutionCase c : kConvolutions) {
    int64_t oh =
        outputSize(h, kh, c.stride[0], c.dilation[0], c.pad[0], c.pad[1]);
    int64_t ow =
        outputSize(w, kw, c.stride[1], c.dilation[1], c.pad[2], c.pad[3]);
    Reads reads;
    forEach({2, oh, ow, ch, m, kh, kw}, [&](const Point &l) {
      Point out{l[0], l[1], l[2], l[3] * m + l[4]};
      int64_t y = l[1] * c.stride[0] + l[5] * c.dilation[0] - c.pad[0];
      int64_t x = l[2] * c.stride[1] + l[6] * c.dilation[1] - c.pad[2];
      if (y >= 0 && y < h && x >= 0 && x < w)
        reads[0].insert({out, {l[0], y, x, l[3]}});
      reads[1].insert({out, {l[5], l[6], l[3], l[4]}});
      reads[2].insert({out, {out[3]}});
      reads[3].insert({out, {0}});
      reads[4].insert({out, {0}});
    });
    check(function({type({2, h, w, ch}), type({kh, kw, ch, m}), type({ch * m}),
                    type({1}), type({1})},
                   "", "depthwise_conv2d",
                   ", acc_type = f32, pad = " + array(c.pad) + ", stride = " +
                       array(c.stride) + ", dilation = " + array(c.dilation),
                   {}, type({2, oh, ow, ch * m})),
          reads);
  }
}

TEST_F(Tosa, TransposeConvolution) {
  int64_t h = 4, w = 3, kh = 3, kw = 2, ic = 2, oc = 3;
  for (ConvolutionCase c : kConvolutions) {
    // Negative padding cuts off.
    for (int64_t sign : {1, -1}) {
      int64_t pad[4] = {sign * std::min<int64_t>(c.pad[0], kh - 1),
                        sign * std::min<int64_t>(c.pad[1], kh - 1),
                        sign * std::min<int64_t>(c.pad[2], kw - 1),
                        sign * std::min<int64_t>(c.pad[3], kw - 1)};
      int64_t oh = (h - 1) * c.stride[0] + pad[0] + pad[1] + kh;
      int64_t ow = (w - 1) * c.stride[1] + pad[2] + pad[3] + kw;
      Reads reads;
      forEach({2, h, w, oc, kh, kw, ic}, [&](const Point &l) {
        int64_t y = l[1] * c.stride[0] + pad[0] + l[4];
        int64_t x = l[2] * c.stride[1] + pad[2] + l[5];
        if (y < 0 || y >= oh || x < 0 || x >= ow)
          return;
        Point out{l[0], y, x, l[3]};
        reads[0].insert({out, {l[0], l[1], l[2], l[6]}});
      });
      forEach({2, oh, ow, oc, kh, kw, ic}, [&](const Point &l) {
        reads[1].insert({{l[0], l[1], l[2], l[3]}, {l[3], l[4], l[5], l[6]}});
      });
      forEach({2, oh, ow, oc}, [&](const Point &out) {
        reads[2].insert({out, {out[3]}});
        reads[3].insert({out, {0}});
        reads[4].insert({out, {0}});
      });
      check(function({type({2, h, w, ic}), type({oc, kh, kw, ic}), type({oc}),
                      type({1}), type({1})},
                     "", "transpose_conv2d",
                     ", acc_type = f32, out_pad = " + array(pad) +
                         ", stride = " + array(c.stride),
                     {}, type({2, oh, ow, oc})),
            reads);
    }
  }
}

TEST_F(Tosa, Pools) {
  for (bool isMax : {true, false}) {
    Reads reads;
    forEach({2, 4, 3, 5, 3, 2}, [&](const Point &l) {
      Point out{l[0], l[1], l[2], l[3]};
      int64_t y = l[1] * 2 + l[4] - 1, x = l[2] * 3 + l[5] - 1;
      if (y >= 0 && y < 7 && x >= 0 && x < 6)
        reads[0].insert({out, {l[0], y, x, l[3]}});
      if (!isMax) {
        reads[1].insert({out, {0}});
        reads[2].insert({out, {0}});
      }
    });
    SmallVector<std::string> types{type({2, 7, 6, 5})};
    if (!isMax)
      types.append(2, type({1}));
    check(function(types, "", isMax ? "max_pool2d" : "avg_pool2d",
                   std::string(", kernel = array<i64: 3, 2>, stride = "
                               "array<i64: 2, 3>, pad = array<i64: 1, 1, 1, "
                               "1>") +
                       (isMax ? "" : ", acc_type = f32"),
                   {}, type({2, 4, 3, 5})),
          reads);
  }
}

TEST_F(Tosa, Reductions) {
  Reads reduce, argmax;
  forEach({3, 5, 7}, [&](const Point &i) {
    reduce[0].insert({{i[0], 0, i[2]}, i});
    argmax[0].insert({{i[0], i[2]}, i});
  });
  for (StringRef op :
       {"reduce_sum", "reduce_max", "reduce_min", "reduce_product"})
    check(function({type({3, 5, 7})}, "", op, ", axis = 1 : i32", {},
                   type({3, 1, 7})),
          reduce);
  for (StringRef op : {"reduce_all", "reduce_any"})
    check(function({type({3, 5, 7}, "i1")}, "", op, ", axis = 1 : i32", {},
                   type({3, 1, 7}, "i1")),
          reduce);
  check(function({type({3, 5, 7})}, "", "argmax", ", axis = 1 : i32", {},
                 type({3, 7}, "i32")),
        argmax);
}

TEST_F(Tosa, Concat) {
  Reads reads;
  forEach({3, 2}, [&](const Point &i) { reads[0].insert({i, i}); });
  forEach({3, 5},
          [&](const Point &i) { reads[1].insert({{i[0], i[1] + 2}, i}); });
  check(function({type({3, 2}), type({3, 5})}, "", "concat", ", axis = 1 : i32",
                 {}, type({3, 7})),
        reads);
}

TEST_F(Tosa, Pad) {
  Reads reads;
  forEach({6, 9}, [&](const Point &i) {
    int64_t y = i[0] - 1, x = i[1] - 3;
    if (y >= 0 && y < 3 && x >= 0 && x < 5)
      reads[0].insert({i, {y, x}});
    else
      reads[2].insert({i, {0}});
  });
  check("(%x: tensor<3x5xf32>, %v: tensor<1xf32>) {\n" +
            shape("s", {1, 2, 3, 1}) +
            "  %r = tosa.pad %x, %s, %v {check} : (tensor<3x5xf32>, "
            "!tosa.shape<4>, tensor<1xf32>) -> tensor<6x9xf32>\n  return\n}",
        reads);
}

TEST_F(Tosa, ReshapeReverseTranspose) {
  Reads reshape, reverse, transpose;
  forEach({4, 6}, [&](const Point &i) {
    int64_t n = i[0] * 6 + i[1];
    reshape[0].insert({{n / 3, n % 3}, i});
    reverse[0].insert({{i[0], 5 - i[1]}, i});
    transpose[0].insert({{i[1], i[0]}, i});
  });
  check(function({type({4, 6})}, shape("s0", {8, 3}), "reshape", "", {2},
                 type({8, 3})),
        reshape);
  check(function({type({4, 6})}, "", "reverse", ", axis = 1 : i32", {},
                 type({4, 6})),
        reverse);
  check(function({type({4, 6})}, "", "transpose", ", perms = array<i32: 1, 0>",
                 {}, type({6, 4})),
        transpose);
}

TEST_F(Tosa, SliceAndTile) {
  Reads slice, tile;
  forEach({2, 3},
          [&](const Point &i) { slice[0].insert({i, {i[0] + 1, i[1] + 4}}); });
  forEach({6, 10},
          [&](const Point &i) { tile[0].insert({i, {i[0] % 3, i[1] % 5}}); });
  check(function({type({4, 7})}, shape("s0", {1, 4}) + shape("s1", {2, 3}),
                 "slice", "", {2, 2}, type({2, 3})),
        slice);
  check(function({type({3, 5})}, shape("s0", {2, 2}), "tile", "", {2},
                 type({6, 10})),
        tile);
}

/// Which shape an op has is part of its signature.
TEST_F(Tosa, ShapesAreSeen) {
  Operation *op = parse("(%x: tensor<9xf32>) {\n" + shape("a", {1}) +
                        shape("b", {4}) + shape("n", {2}) + R"(
    %r = tosa.slice %x, %a, %n : (tensor<9xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<2xf32>
    %s = tosa.slice %x, %b, %n {check} : (tensor<9xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<2xf32>
    return
  })");
  ASSERT_TRUE(op);
  IndexingCache cache;
  // The attribute `check` apart, the two differ in the value of an operand.
  op->removeAttr("check");
  Operation *first = op->getPrevNode();
  EXPECT_EQ(cache.get(first).outputToInput(0, 0).str(),
            "(d0) -> (d0 + 1), domain: d0 in [0, 1]");
  EXPECT_EQ(cache.get(op).outputToInput(0, 0).str(),
            "(d0) -> (d0 + 4), domain: d0 in [0, 1]");
}

std::string resize(int64_t h, int64_t w, ArrayRef<int64_t> scale,
                   ArrayRef<int64_t> offset, ArrayRef<int64_t> border,
                   StringRef mode, int64_t oh, int64_t ow) {
  return "(%x: " + type({1, h, w, 2}) + ") {\n" + shape("s", scale) +
         shape("o", offset) + shape("b", border) +
         "  %r = tosa.resize %x, %s, %o, %b {check = unit, mode = " +
         mode.str() + "} : (" + type({1, h, w, 2}) +
         ", !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> " +
         type({1, oh, ow, 2}) + "\n  return\n}";
}

TEST_F(Tosa, Resize) {
  struct Case {
    int64_t h, w, scale[4], offset[2], border[2];
  };
  for (const Case &c : {Case{3, 4, {4, 2, 4, 2}, {0, 0}, {2, 2}},
                        Case{3, 4, {4, 2, 4, 2}, {-1, -1}, {1, 1}},
                        Case{3, 3, {3, 2, 5, 3}, {-1, 1}, {1, 0}},
                        Case{7, 7, {2, 6, 1, 2}, {0, 0}, {0, 0}},
                        Case{4, 4, {16, 2, 2, 3}, {-14, 0}, {14, 0}}}) {
    int64_t in[2] = {c.h, c.w}, out[2];
    bool isWhole = true;
    for (int i : {0, 1}) {
      int64_t span = (in[i] - 1) * c.scale[2 * i] - c.offset[i] + c.border[i];
      isWhole &= span % c.scale[2 * i + 1] == 0;
      out[i] = span / c.scale[2 * i + 1] + 1;
    }
    ASSERT_TRUE(isWhole);
    Reads nearest, bilinear;
    forEach({1, out[0], out[1], 2}, [&](const Point &o) {
      int64_t lo[2], hi[2], near[2];
      for (int i : {0, 1}) {
        int64_t n = c.scale[2 * i], d = c.scale[2 * i + 1];
        int64_t y = o[1 + i] * d + c.offset[i];
        int64_t iy = (y - ((y % n) + n) % n) / n, rest = y - iy * n;
        lo[i] = std::max<int64_t>(iy, 0);
        hi[i] = std::min<int64_t>(iy + 1, in[i] - 1);
        near[i] = 2 * rest >= n ? hi[i] : lo[i];
      }
      nearest[0].insert({o, {o[0], near[0], near[1], o[3]}});
      for (int64_t y : {lo[0], hi[0]})
        for (int64_t x : {lo[1], hi[1]})
          bilinear[0].insert({o, {o[0], y, x, o[3]}});
    });
    check(resize(c.h, c.w, c.scale, c.offset, c.border, "NEAREST_NEIGHBOR",
                 out[0], out[1]),
          nearest);
    check(resize(c.h, c.w, c.scale, c.offset, c.border, "BILINEAR", out[0],
                 out[1]),
          bilinear);
  }
}

// Past the last element, both neighbours are it: one map a region, none twice.
TEST_F(Tosa, ResizeHasNoMapInAnother) {
  Operation *op =
      parse(resize(3, 4, {4, 2, 4, 2}, {0, 0}, {2, 2}, "BILINEAR", 6, 8));
  ASSERT_TRUE(op);
  const IndexingSet set = getIndexing(op).outputToInput(0, 0);
  auto walkOf = [](const IndexingMap &map) {
    return walk(IndexingSet(map), true);
  };
  for (const IndexingMap &a : set.getMaps())
    for (const IndexingMap &b : set.getMaps()) {
      if (a == b)
        continue;
      std::set<Pair> x = walkOf(a), y = walkOf(b);
      EXPECT_FALSE(std::includes(y.begin(), y.end(), x.begin(), x.end()))
          << a.str() << "\n"
          << b.str();
    }
}

TEST_F(Tosa, Fourier) {
  Reads both, real;
  forEach({2, 4, 8, 4, 8}, [&](const Point &l) {
    Point out{l[0], l[1], l[2]}, in{l[0], l[3], l[4]};
    both[0].insert({out, in});
    both[1].insert({out, in});
    if (l[2] < 5)
      real[0].insert({out, in});
  });
  check(R"((%x: tensor<2x4x8xf32>, %y: tensor<2x4x8xf32>) {
    %r, %i = tosa.fft2d %x, %y {check, inverse = false}
      : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
    return
  })",
        both);
  check(R"((%x: tensor<2x4x8xf32>) {
    %r, %i = tosa.rfft2d %x {check} : (tensor<2x4x8xf32>)
      -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
    return
  })",
        real);
}

/// An index that is data is a runtime variable.
TEST_F(Tosa, GatherScatterTable) {
  auto maps = [&](StringRef text, unsigned operand) {
    Operation *op = parse(text);
    if (!op)
      return std::string();
    OpIndexing indexing = getIndexing(op);
    return indexing.outputToInput(0, operand).str() + "\n" +
           indexing.inputToOutput(operand, 0).str();
  };
  std::string gather = function({type({2, 9, 5}), type({2, 3}, "i32")}, "",
                                "gather", "", {}, type({2, 3, 5}));
  EXPECT_EQ(maps(gather, 0),
            "(d0, d1, d2){rt0} -> (d0, rt0, d2), domain: d0 in [0, 1], d1 in "
            "[0, 2], d2 in [0, 4], rt0 in [0, 8]\n"
            "(d0, d1, d2)[s0]{rt0} -> (d0, s0, d2), domain: d0 in [0, 1], d1 "
            "in [rt0, rt0], d2 in [0, 4], s0 in [0, 2], rt0 in [0, 8]");
  EXPECT_EQ(maps(gather, 1),
            "(d0, d1, d2) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2], d2 "
            "in [0, 4]\n"
            "(d0, d1)[s0] -> (d0, d1, s0), domain: d0 in [0, 1], d1 in [0, 2], "
            "s0 in [0, 4]");
  std::string scatter =
      function({type({2, 9, 5}), type({2, 3}, "i32"), type({2, 3, 5})}, "",
               "scatter", "", {}, type({2, 9, 5}));
  EXPECT_EQ(maps(scatter, 0),
            "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 8], "
            "d2 in [0, 4]\n"
            "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 1], d1 in [0, 8], "
            "d2 in [0, 4]");
  EXPECT_EQ(maps(scatter, 1),
            "(d0, d1, d2)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 8], "
            "d2 in [0, 4], s0 in [0, 2]\n"
            "(d0, d1)[s0, s1] -> (d0, s0, s1), domain: d0 in [0, 1], d1 in [0, "
            "2], s0 in [0, 8], s1 in [0, 4]");
  EXPECT_EQ(maps(scatter, 2),
            "(d0, d1, d2)[s0]{rt0} -> (d0, s0, d2), domain: d0 in [0, 1], d1 "
            "in [rt0, rt0], d2 in [0, 4], s0 in [0, 2], rt0 in [0, 8]\n"
            "(d0, d1, d2){rt0} -> (d0, rt0, d2), domain: d0 in [0, 1], d1 in "
            "[0, 2], d2 in [0, 4], rt0 in [0, 8]");
  EXPECT_EQ(maps(function({type({3}, "i8"), type({256}, "i8")}, "", "table", "",
                          {}, type({3}, "i8")),
                 1),
            "(d0){rt0} -> (rt0), domain: d0 in [0, 2], rt0 in [0, 255]\n"
            "(d0)[s0]{rt0} -> (s0), domain: d0 in [rt0, rt0], s0 in [0, 2], "
            "rt0 in [0, 255]");
  EXPECT_EQ(maps(function({type({3}, "i16"), type({513}, "i16")}, "", "table",
                          "", {}, type({3}, "i32")),
                 1),
            "(d0)[s0]{rt0} -> (s0 + rt0), domain: d0 in [0, 2], s0 in [0, 1], "
            "rt0 in [0, 511]\n"
            "(d0)[s0]{rt0} -> (s0), domain: d0 in [rt0, rt0 + 1], s0 in [0, "
            "2], rt0 in [0, 511]");
}

TEST_F(Tosa, Reasons) {
  EXPECT_EQ(getReason(R"((%x: tensor<3xf32>) {
    %r = tosa.custom %x {check, domain_name = "a", operator_name = "b",
           implementation_attrs = ""} : (tensor<3xf32>) -> tensor<3xf32>
    return
  })"),
            IndexingReason::NoModel);
  EXPECT_EQ(getReason(R"((%c: tensor<i1>, %x: tensor<?xf32>) {
    %r = tosa.cond_if %c (%a = %x) : tensor<i1> (tensor<?xf32>) -> tensor<?xf32> {
    ^bb0(%a: tensor<?xf32>):
      tosa.yield %a : tensor<?xf32>
    } else {
    ^bb0(%a: tensor<?xf32>):
      tosa.yield %a : tensor<?xf32>
    } {check}
    return
  })"),
            IndexingReason::ControlFlow);
  EXPECT_EQ(getReason(R"((%x: tensor<1x3x4x2xf32>) {
    %k = tosa.const_shape {values = dense<2> : tensor<4xindex>} : () -> !tosa.shape<4>
    %o = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
    %s = tosa.add_shape %k, %k : (!tosa.shape<4>, !tosa.shape<4>) -> !tosa.shape<4>
    %r = tosa.resize %x, %s, %o, %o {check = unit, mode = BILINEAR}
      : (tensor<1x3x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
    return
  })"),
            IndexingReason::NotAffine);
  EXPECT_EQ(getReason(R"((%x: tensor<*xf32>) {
    %r = tosa.abs %x {check} : (tensor<*xf32>) -> tensor<*xf32>
    return
  })"),
            IndexingReason::UnrankedShape);
}

} // namespace
