//===- HloWindowTest.cpp - Windows and contractions by definition ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloOracle.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// One spatial dimension with random numbers that fit together.
struct Spatial {
  int64_t in, out, window, stride, dilation, base, low, high;

  /// The element of the input under position w of the window of o, or -1.
  int64_t at(int64_t o, int64_t w) const {
    int64_t place = o * stride + w * dilation - low;
    if (place < 0 || place % base != 0 || place / base >= in)
      return -1;
    return place / base;
  }
};

class HloWindow : public HloOracle {
protected:
  Spatial pickSpatial(bool dilateInput = true) {
    Spatial s;
    do {
      s.in = pick(1, 6);
      s.window = pick(1, 4);
      s.stride = pick(1, 3);
      s.dilation = pick(1, 3);
      s.base = dilateInput ? pick(1, 3) : 1;
      s.low = pick(-1, 3);
      s.high = pick(-1, 3);
      int64_t padded = (s.in - 1) * s.base + 1 + s.low + s.high;
      int64_t reach = (s.window - 1) * s.dilation + 1;
      s.out =
          padded < reach || padded <= 0 ? 0 : (padded - reach) / s.stride + 1;
    } while (s.out > 8);
    return s;
  }
  static void addScalar(Reads &reads, unsigned o, const Shape &out) {
    forEach(out, [&](const Point &i) { reads[o].insert({i, {}}); });
  }
  /// `window_strides = ...` and all the others, for reduce_window.
  static std::string windowAttributes(const std::vector<Spatial> &dims,
                                      bool oldForm) {
    Shape sizes, strides, bases, dilations;
    std::vector<Shape> padding;
    for (const Spatial &s : dims) {
      sizes.push_back(s.window);
      strides.push_back(s.stride);
      bases.push_back(s.base);
      dilations.push_back(s.dilation);
      padding.push_back({s.low, s.high});
    }
    auto numbers = [&](const Shape &shape) {
      return oldForm ? "dense<[" + list(shape) + "]> : tensor<" +
                           std::to_string(shape.size()) + "xi64>"
                     : array(shape);
    };
    return "window_dimensions = " + numbers(sizes) +
           ", window_strides = " + numbers(strides) +
           ", base_dilations = " + numbers(bases) +
           ", window_dilations = " + numbers(dilations) +
           ", padding = " + dense(padding);
  }
};

TEST_F(HloWindow, Reduce) {
  Reads reads;
  forEach({2, 3, 5, 7}, [&](const Point &i) {
    for (unsigned o : {0u, 1u})
      reads[o].insert({{i[1], i[3]}, i});
  });
  addScalar(reads, 2, {3, 7});
  addScalar(reads, 3, {3, 7});
  std::string in = type({2, 3, 5, 7}), out = type({3, 7});
  for (unsigned r : {0u, 1u})
    for (const char *dims :
         {"array<i64: 2, 0>", "dense<[0, 2]> : tensor<2xi64>"})
      checkResult(
          opText("stablehlo.reduce", std::string("dimensions = ") + dims,
                 {in, in, "tensor<f32>", "tensor<f32>"}, {out, out}, true),
          r, reads);
  // Nothing to reduce: only the initial value.
  Reads init;
  addScalar(init, 1, {2});
  checkResult(opText("stablehlo.reduce", "dimensions = array<i64: 1>",
                     {type({2, 0}), "tensor<f32>"}, {type({2})}, true),
              0, init);
}

/// Strides, both dilations and any padding, in one and two dimensions.
TEST_F(HloWindow, ReduceWindow) {
  for (unsigned round = 0; round < 400; ++round) {
    std::vector<Spatial> dims{pickSpatial()};
    if (round % 4 == 0)
      dims.push_back(pickSpatial());
    Shape in, out, window;
    for (const Spatial &s : dims) {
      in.push_back(s.in);
      out.push_back(s.out);
      window.push_back(s.window);
    }
    Reads reads;
    forEach(out, [&](const Point &o) {
      forEach(window, [&](const Point &w) {
        Point x;
        for (size_t i = 0; i < dims.size(); ++i)
          x.push_back(dims[i].at(o[i], w[i]));
        if (!llvm::is_contained(x, -1))
          reads[0].insert({o, x});
      });
    });
    addScalar(reads, 1, out);
    checkResult(opText("stablehlo.reduce_window",
                       windowAttributes(dims, round % 2),
                       {type(in), "tensor<f32>"}, {type(out)}, true),
                0, reads);
  }
}

/// A running sum is a window over all that came before.
TEST_F(HloWindow, CumulativeSum) {
  Reads reads;
  for (int64_t o = 0; o < 6; ++o)
    for (int64_t x = 0; x <= o; ++x)
      reads[0].insert({{o}, {x}});
  addScalar(reads, 1, {6});
  std::string text = opText("stablehlo.reduce_window",
                            "window_dimensions = array<i64: 6>, padding = "
                            "dense<[[5, 0]]> : tensor<1x2xi64>",
                            {type({6}), "tensor<f32>"}, {type({6})}, true);
  checkResult(text, 0, reads);
  Operation *op = parse(text);
  EXPECT_EQ(
      getIndexing(op).outputToInput(0, 0).getMaps()[0].getSize().divisions, 0u);
}

TEST_F(HloWindow, SelectAndScatter) {
  for (unsigned round = 0; round < 60; ++round) {
    Spatial s = pickSpatial(false);
    s.dilation = 1;
    s.low = std::max<int64_t>(s.low, 0);
    int64_t padded = s.in + s.low + s.high;
    s.out = padded < s.window ? 0 : (padded - s.window) / s.stride + 1;
    Reads reads;
    for (int64_t o = 0; o < s.out; ++o)
      for (int64_t w = 0; w < s.window; ++w) {
        int64_t x = s.at(o, w);
        if (x < 0)
          continue;
        reads[1].insert({{x}, {o}});
        for (int64_t v = 0; v < s.window; ++v)
          if (s.at(o, v) >= 0)
            reads[0].insert({{x}, {s.at(o, v)}});
      }
    addScalar(reads, 2, {s.in});
    checkResult(opText("stablehlo.select_and_scatter",
                       "window_dimensions = " + array({s.window}) +
                           ", window_strides = " + array({s.stride}) +
                           ", padding = " + dense({{s.low, s.high}}),
                       {type({s.in}), type({s.out}), "tensor<f32>"},
                       {type({s.in})}, true),
                0, reads);
  }
}

TEST_F(HloWindow, Sort) {
  Reads reads;
  forEach({2, 4, 3}, [&](const Point &i) {
    for (int64_t k = 0; k < 4; ++k)
      for (unsigned o : {0u, 1u})
        reads[o].insert({i, {i[0], k, i[2]}});
  });
  std::string t = type({2, 4, 3});
  for (unsigned r : {0u, 1u})
    checkResult(opText("stablehlo.sort",
                       "dimension = 1 : i64, is_stable = true", {t, t}, {t, t},
                       true),
                r, reads);
  checkResult(
      opText("stablehlo.sort", "dimension = -2 : i64", {t, t}, {t, t}, true), 0,
      reads);
  Reads top;
  forEach({2, 3}, [&](const Point &i) {
    for (int64_t k = 0; k < 7; ++k)
      top[0].insert({i, {i[0], k}});
  });
  checkResult(opText("chlo.top_k", "k = 3 : i64", {type({2, 7})},
                     {type({2, 3}), type({2, 3}, "i32")}),
              1, top);
}

TEST_F(HloWindow, Fft) {
  Reads reads;
  forEach({2, 3, 5}, [&](const Point &i) {
    forEach({3, 8},
            [&](const Point &k) { reads[0].insert({i, {i[0], k[0], k[1]}}); });
  });
  checkResult(opText("stablehlo.fft",
                     "fft_length = array<i64: 3, 8>, fft_type = "
                     "#stablehlo<fft_type RFFT>",
                     {type({2, 3, 8})}, {type({2, 3, 5}, "complex<f32>")}),
              0, reads);
}

TEST_F(HloWindow, BatchNorm) {
  std::string full = type({2, 3, 4}), line = type({3});
  Reads inference, training, mean, scale;
  forEach({2, 3, 4}, [&](const Point &i) {
    inference[0].insert({i, i});
    for (unsigned o : {1u, 2u, 3u, 4u})
      inference[o].insert({i, {i[1]}});
    for (unsigned o : {1u, 2u})
      training[o].insert({i, {i[1]}});
    forEach({2, 4}, [&](const Point &k) {
      training[0].insert({i, {k[0], i[1], k[1]}});
    });
    mean[0].insert({{i[1]}, i});
    scale[0].insert({{i[1]}, i});
    scale[4].insert({{i[1]}, i});
    for (unsigned o : {2u, 3u})
      scale[o].insert({{i[1]}, {i[1]}});
  });
  std::string attributes = "epsilon = 1.0 : f32, feature_index = 1 : i64";
  checkResult(opText("stablehlo.batch_norm_inference", attributes,
                     {full, line, line, line, line}, {full}),
              0, inference);
  std::string text = opText("stablehlo.batch_norm_training", attributes,
                            {full, line, line}, {full, line, line});
  checkResult(text, 0, training);
  checkResult(text, 2, mean);
  text = opText("stablehlo.batch_norm_grad", attributes,
                {full, line, line, line, full}, {full, line, line});
  checkResult(text, 1, scale);
  Reads offset;
  offset[4] = scale[4];
  checkResult(text, 2, offset);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// All of the definition: groups, reversal, both dilations, negative padding,
/// any order of dimensions.
TEST_F(HloWindow, Convolution) {
  for (unsigned round = 0; round < 250; ++round) {
    std::vector<Spatial> dims{pickSpatial()};
    if (round % 5 == 0)
      dims.push_back(pickSpatial());
    size_t rank = dims.size() + 2;
    bool grouped = pick(0, 1), batched = !grouped && pick(0, 1);
    int64_t featureGroups = grouped ? pick(2, 3) : 1;
    int64_t batchGroups = batched ? pick(2, 3) : 1;
    int64_t batch = pick(1, 2), perGroup = pick(1, 2);
    int64_t features = pick(1, 2) * featureGroups * batchGroups;
    std::vector<bool> reversed;
    for (size_t i = 0; i < dims.size(); ++i)
      reversed.push_back(pick(0, 1));
    // Positions of (batch or i, feature or o, spatial...) in each tensor.
    auto order = [&] {
      std::vector<int64_t> places;
      for (size_t i = 0; i < rank; ++i)
        places.push_back(i);
      std::shuffle(places.begin(), places.end(), random);
      return places;
    };
    std::vector<int64_t> li = order(), ki = order(), oi = order();
    auto place = [&](const std::vector<int64_t> &at, int64_t a, int64_t b,
                     auto spatial) {
      Point x(rank);
      x[at[0]] = a;
      x[at[1]] = b;
      for (size_t i = 0; i < dims.size(); ++i)
        x[at[2 + i]] = spatial(i);
      return x;
    };
    Point lhs = place(li, batch * batchGroups, perGroup * featureGroups,
                      [&](size_t i) { return dims[i].in; });
    Point rhs =
        place(ki, perGroup, features, [&](size_t i) { return dims[i].window; });
    Point out =
        place(oi, batch, features, [&](size_t i) { return dims[i].out; });
    Reads reads;
    forEach(out, [&](const Point &o) {
      int64_t feature = o[oi[1]];
      int64_t group = feature / (features / featureGroups);
      int64_t batchGroup = feature / (features / batchGroups);
      forEach(rhs, [&](const Point &k) {
        if (k[ki[1]] != feature)
          return;
        bool inside = true;
        Point x = place(li, batchGroup * batch + o[oi[0]],
                        group * perGroup + k[ki[0]], [&](size_t i) {
                          int64_t w = k[ki[2 + i]];
                          if (reversed[i])
                            w = dims[i].window - 1 - w;
                          int64_t at = dims[i].at(o[oi[2 + i]], w);
                          inside &= at >= 0;
                          return at;
                        });
        if (inside)
          reads[0].insert({o, x});
        // Padding and holes are zeros, which the kernel is multiplied by.
        reads[1].insert({o, k});
      });
    });
    auto side = [&](const std::vector<int64_t> &at, const char *a,
                    const char *b) {
      std::vector<std::string> names(rank);
      names[at[0]] = a;
      names[at[1]] = b;
      for (size_t i = 0; i < dims.size(); ++i)
        names[at[2 + i]] = std::to_string(i);
      return "[" + llvm::join(names, ", ") + "]";
    };
    Shape strides, bases, dilations;
    std::vector<Shape> padding;
    std::string reversal;
    for (size_t i = 0; i < dims.size(); ++i) {
      strides.push_back(dims[i].stride);
      bases.push_back(dims[i].base);
      dilations.push_back(dims[i].dilation);
      padding.push_back({dims[i].low, dims[i].high});
      reversal += std::string(i ? ", " : "") + (reversed[i] ? "true" : "false");
    }
    checkResult(
        opText(
            "stablehlo.convolution",
            "window_strides = " + array(strides) + ", padding = " +
                dense(padding) + ", lhs_dilation = " + array(bases) +
                ", rhs_dilation = " + array(dilations) +
                ", window_reversal = array<i1: " + reversal +
                ">, dimension_numbers = #stablehlo.conv<" + side(li, "b", "f") +
                "x" + side(ki, "i", "o") + "->" + side(oi, "b", "f") +
                ">, feature_group_count = " + std::to_string(featureGroups) +
                " : i64, batch_group_count = " + std::to_string(batchGroups) +
                " : i64",
            {type(lhs), type(rhs)}, {type(out)}),
        0, reads);
  }
}

TEST_F(HloWindow, Dot) {
  Reads general;
  // lhs[m, b, k], rhs[b, n, k, p]
  forEach({2, 3, 5, 7}, [&](const Point &i) {
    for (int64_t k = 0; k < 4; ++k) {
      general[0].insert({i, {i[1], i[0], k}});
      general[1].insert({i, {i[0], i[2], k, i[3]}});
    }
  });
  checkResult(opText("stablehlo.dot_general",
                     "dot_dimension_numbers = #stablehlo.dot<"
                     "lhs_batching_dimensions = [1], rhs_batching_dimensions = "
                     "[0], lhs_contracting_dimensions = [2], "
                     "rhs_contracting_dimensions = [2]>",
                     {type({3, 2, 4}), type({2, 5, 4, 7})},
                     {type({2, 3, 5, 7})}),
              0, general);
  Reads matrix, vector;
  forEach({3, 5}, [&](const Point &i) {
    for (int64_t k = 0; k < 4; ++k) {
      matrix[0].insert({i, {i[0], k}});
      matrix[1].insert({i, {k, i[1]}});
    }
  });
  for (int64_t k = 0; k < 4; ++k) {
    vector[0].insert({{}, {k}});
    vector[1].insert({{}, {k}});
  }
  checkResult(
      opText("stablehlo.dot", "", {type({3, 4}), type({4, 5})}, {type({3, 5})}),
      0, matrix);
  checkResult(opText("mhlo.dot", "", {type({4}), type({4})}, {type({})}), 0,
              vector);
  checkResult(opText("stablehlo.einsum", "einsum_config = \"mk,kn->mn\"",
                     {type({3, 4}), type({4, 5})}, {type({3, 5})}),
              0, matrix);
  Reads diagonal;
  for (int64_t i = 0; i < 4; ++i)
    diagonal[0].insert({{i}, {i, i}});
  checkResult(opText("stablehlo.unary_einsum", "einsum_config = \"ii->i\"",
                     {type({4, 4})}, {type({4})}),
              0, diagonal);
}

//===----------------------------------------------------------------------===//
// Linear algebra: which inputs reach an element, by running the elimination on
// sets instead of numbers.
//===----------------------------------------------------------------------===//

using Taint = std::set<Point>;
static void join(Taint &to, const Taint &from) {
  to.insert(from.begin(), from.end());
}

TEST_F(HloWindow, Cholesky) {
  constexpr int64_t n = 4;
  for (bool lower : {true, false}) {
    std::vector<std::vector<Taint>> l(n, std::vector<Taint>(n));
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        l[i][j].insert(lower ? Point{i, j} : Point{j, i});
        for (int64_t k = 0; k < j; ++k) {
          join(l[i][j], l[i][k]);
          join(l[i][j], l[j][k]);
        }
        if (i != j)
          join(l[i][j], l[j][j]);
      }
    Reads reads;
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j <= i; ++j)
          for (const Point &p : l[i][j])
            reads[0].insert(
                {lower ? Point{b, i, j} : Point{b, j, i}, {b, p[0], p[1]}});
    checkResult(opText("stablehlo.cholesky",
                       std::string("lower = ") + (lower ? "true" : "false"),
                       {type({2, n, n})}, {type({2, n, n})}),
                0, reads);
  }
}

TEST_F(HloWindow, TriangularSolve) {
  constexpr int64_t n = 4, m = 2;
  for (unsigned bits = 0; bits < 16; ++bits) {
    bool left = bits & 1, lower = bits & 2, unit = bits & 4, turn = bits & 8;
    auto entry = [&](int64_t i, int64_t j) {
      return turn ? Point{j, i} : Point{i, j};
    };
    // op(a) x = b, or x op(a) = b: unknown i needs those before it in the order
    // of elimination, and the coefficients that couple them.
    bool opLower = lower != turn;
    bool up = left ? opLower : !opLower;
    std::vector<Taint> a(n), b(n); // of an element in line i
    for (int64_t step = 0; step < n; ++step) {
      int64_t i = up ? step : n - 1 - step;
      b[i].insert({i});
      if (!unit)
        a[i].insert(entry(i, i));
      for (int64_t before = 0; before < step; ++before) {
        int64_t k = up ? before : n - 1 - before;
        join(b[i], b[k]);
        join(a[i], a[k]);
        a[i].insert(left ? entry(i, k) : entry(k, i));
      }
    }
    Reads reads;
    Shape out = left ? Shape{n, m} : Shape{m, n};
    forEach(out, [&](const Point &x) {
      int64_t i = x[left ? 0 : 1];
      for (const Point &p : a[i])
        reads[0].insert({x, p});
      for (const Point &p : b[i])
        reads[1].insert({x, left ? Point{p[0], x[1]} : Point{x[0], p[0]}});
    });
    auto flag = [](bool value) { return value ? "true" : "false"; };
    checkResult(opText("stablehlo.triangular_solve",
                       std::string("left_side = ") + flag(left) + ", lower = " +
                           flag(lower) + ", unit_diagonal = " + flag(unit) +
                           ", transpose_a = #stablehlo<transpose " +
                           (turn ? "TRANSPOSE>" : "NO_TRANSPOSE>"),
                       {type({n, n}), type(out)}, {type(out)}),
                0, reads);
  }
}

} // namespace
