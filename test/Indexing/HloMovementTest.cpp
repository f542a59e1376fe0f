//===- HloMovementTest.cpp - StableHLO's movements by definition ----------===//
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

class Hlo : public HloOracle {
protected:
  /// Adds all pairs of result indices with the one scalar.
  static void addScalar(Reads &reads, unsigned o, const Shape &out) {
    forEach(out, [&](const Point &i) { reads[o].insert({i, {}}); });
  }
  static void addIdentity(Reads &reads, unsigned o, const Shape &out) {
    forEach(out, [&](const Point &i) { reads[o].insert({i, i}); });
  }
};

/// Equal indices; scalars go everywhere.
TEST_F(Hlo, Elementwise) {
  Reads reads;
  addIdentity(reads, 0, {3, 5});
  addIdentity(reads, 1, {3, 5});
  std::string t = type({3, 5});
  checkResult(opText("stablehlo.atan2", "", {t, t}, {t}), 0, reads);
  checkResult(opText("mhlo.add", "", {t, t}, {t}), 0, reads);
  checkResult(opText("chlo.zeta", "", {t, t}, {t}), 0, reads);
  Reads clamp;
  addScalar(clamp, 0, {3, 5});
  addIdentity(clamp, 1, {3, 5});
  addScalar(clamp, 2, {3, 5});
  checkResult(
      opText("stablehlo.clamp", "", {"tensor<f32>", t, "tensor<f32>"}, {t}), 0,
      clamp);
  Reads select;
  addScalar(select, 0, {3, 5});
  addIdentity(select, 1, {3, 5});
  addIdentity(select, 2, {3, 5});
  checkResult(opText("stablehlo.select", "", {"tensor<i1>", t, t}, {t}), 0,
              select);
  Reads rank0;
  rank0[0].insert({{}, {}});
  checkResult(opText("stablehlo.convert", "", {"tensor<f32>"}, {"tensor<i8>"}),
              0, rank0);
  checkResult(opText("stablehlo.abs", "", {type({0, 4})}, {type({0, 4})}), 0,
              {});
  // The second result of a barrier is its second operand.
  Reads second;
  addIdentity(second, 1, {2});
  checkResult(opText("stablehlo.optimization_barrier", "", {t, type({2})},
                     {t, type({2})}),
              1, second);
}

TEST_F(Hlo, ReadsNothing) {
  checkResult(opText("stablehlo.get_dimension_size", "dimension = 0 : i64",
                     {type({3, 5})}, {"tensor<i32>"}),
              0, {});
  Reads rng;
  addScalar(rng, 0, {2, 3});
  addScalar(rng, 1, {2, 3});
  checkResult(opText("stablehlo.rng", "",
                     {"tensor<f32>", "tensor<f32>", "tensor<2xi64>"},
                     {type({2, 3})}),
              0, rng);
}

TEST_F(Hlo, Broadcast) {
  Reads reads;
  forEach({5, 3, 7}, [&](const Point &i) { reads[0].insert({i, {0, i[0]}}); });
  for (const char *dims : {"array<i64: 1, 0>", "dense<[1, 0]> : tensor<2xi64>"})
    checkResult(opText("stablehlo.broadcast_in_dim",
                       std::string("broadcast_dimensions = ") + dims,
                       {type({1, 5})}, {type({5, 3, 7})}),
                0, reads);
  checkResult(opText("stablehlo.dynamic_broadcast_in_dim",
                     "broadcast_dimensions = array<i64: 1, 0>",
                     {type({1, 5}), "tensor<3xi32>"}, {type({5, 3, 7})}),
              0, reads);
  Reads prefix;
  forEach({2, 3, 5},
          [&](const Point &i) { prefix[0].insert({i, {i[1], i[2]}}); });
  checkResult(opText("mhlo.broadcast",
                     "broadcast_sizes = dense<[2]> : tensor<1xi64>",
                     {type({3, 5})}, {type({2, 3, 5})}),
              0, prefix);
  Reads numpy;
  forEach({2, 3, 5}, [&](const Point &i) {
    numpy[0].insert({i, {i[0], 0, i[2]}});
    numpy[1].insert({i, {i[1], 0}});
  });
  checkResult(opText("chlo.broadcast_add", "", {type({2, 1, 5}), type({3, 1})},
                     {type({2, 3, 5})}),
              0, numpy);
}

TEST_F(Hlo, Permutations) {
  Reads transpose;
  forEach({5, 2, 3}, [&](const Point &i) {
    transpose[0].insert({i, {i[1], i[2], i[0]}});
  });
  checkResult(opText("stablehlo.transpose", "permutation = array<i64: 2, 0, 1>",
                     {type({2, 3, 5})}, {type({5, 2, 3})}),
              0, transpose);
  Reads reverse;
  forEach({2, 3, 5}, [&](const Point &i) {
    reverse[0].insert({i, {1 - i[0], i[1], 4 - i[2]}});
  });
  checkResult(opText("stablehlo.reverse", "dimensions = array<i64: 0, 2>",
                     {type({2, 3, 5})}, {type({2, 3, 5})}),
              0, reverse);
}

/// All pairs of equal number, where dimensions are counted in these orders.
static Reads memory(const Point &out, const Point &in,
                    const std::vector<int64_t> &outLayout,
                    const std::vector<int64_t> &inLayout) {
  auto number = [](const Point &shape, const std::vector<int64_t> &layout) {
    std::map<int64_t, Point> byNumber;
    forEach(shape, [&](const Point &i) {
      int64_t n = 0, weight = 1;
      for (int64_t dim : layout) {
        n += weight * i[dim];
        weight *= shape[dim];
      }
      byNumber[n] = i;
    });
    return byNumber;
  };
  auto outs = number(out, outLayout), ins = number(in, inLayout);
  Reads reads;
  for (auto &[n, i] : outs)
    reads[0].insert({i, ins.at(n)});
  return reads;
}

TEST_F(Hlo, Reshapes) {
  checkResult(
      opText("stablehlo.reshape", "", {type({4, 6, 5})}, {type({10, 3, 4})}), 0,
      memory({10, 3, 4}, {4, 6, 5}, {2, 1, 0}, {2, 1, 0}));
  checkResult(opText("stablehlo.dynamic_reshape", "",
                     {type({4, 6}), "tensor<2xi32>"}, {type({8, 3})}),
              0, memory({8, 3}, {4, 6}, {1, 0}, {1, 0}));
  checkResult(opText("stablehlo.reshape", "", {type({0, 3})}, {type({2, 0})}),
              0, {});
  checkResult(opText("stablehlo.reshape", "", {type({1, 1})}, {type({})}), 0,
              memory({}, {1, 1}, {}, {1, 0}));
}

/// Random layouts on both sides.
TEST_F(Hlo, Bitcast) {
  for (unsigned round = 0; round < 60; ++round) {
    static const Shape shapes[] = {{2, 3, 4}, {4, 6}, {24},     {3, 2, 2, 2},
                                   {1, 24},   {8, 3}, {6, 1, 4}};
    Shape in = shapes[pick(0, 6)], out = shapes[pick(0, 6)];
    auto layout = [&](const Shape &shape) {
      std::vector<int64_t> order;
      for (size_t i = 0; i < shape.size(); ++i)
        order.push_back(i);
      std::shuffle(order.begin(), order.end(), random);
      return order;
    };
    Shape inLayout = layout(in), outLayout = layout(out);
    auto attr = [&](const Shape &order) {
      return "dense<[" + list(order) + "]> : tensor<" +
             std::to_string(order.size()) + "xindex>";
    };
    checkResult(opText("mhlo.bitcast",
                       "source_layout = " + attr(inLayout) +
                           ", result_layout = " + attr(outLayout),
                       {type(in)}, {type(out)}),
                0, memory(out, in, outLayout, inLayout));
  }
}

TEST_F(Hlo, BitcastConvert) {
  Reads same, split, join;
  addIdentity(same, 0, {3});
  forEach({3, 4}, [&](const Point &i) {
    split[0].insert({i, {i[0]}});
    join[0].insert({{i[0]}, i});
  });
  checkResult(
      opText("stablehlo.bitcast_convert", "", {type({3})}, {type({3}, "i32")}),
      0, same);
  checkResult(opText("stablehlo.bitcast_convert", "", {type({3})},
                     {type({3, 4}, "i8")}),
              0, split);
  checkResult(opText("stablehlo.bitcast_convert", "", {type({3, 4}, "i16")},
                     {type({3}, "complex<f32>")}),
              0, join);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

TEST_F(Hlo, Slice) {
  Reads reads;
  forEach({5, 3, 25}, [&](const Point &i) {
    reads[0].insert({i, {i[0] + 5, i[1] * 7 + 3, i[2] * 2}});
  });
  checkResult(opText("stablehlo.slice",
                     "start_indices = array<i64: 5, 3, 0>, limit_indices = "
                     "array<i64: 10, 20, 50>, strides = array<i64: 1, 7, 2>",
                     {type({10, 20, 50})}, {type({5, 3, 25})}),
              0, reads);
}

TEST_F(Hlo, Concatenate) {
  Reads reads;
  forEach({3, 2}, [&](const Point &i) { reads[0].insert({i, i}); });
  forEach({3, 4},
          [&](const Point &i) { reads[2].insert({{i[0], i[1] + 2}, i}); });
  checkResult(opText("stablehlo.concatenate", "dimension = 1 : i64",
                     {type({3, 2}), type({3, 0}), type({3, 4})},
                     {type({3, 6})}),
              0, reads);
  Reads one;
  addIdentity(one, 0, {3});
  checkResult(opText("stablehlo.concatenate", "dimension = 0 : i64",
                     {type({3})}, {type({3})}),
              0, one);
}

/// Random padding of all kinds; the padding value is read exactly elsewhere.
TEST_F(Hlo, Pad) {
  for (unsigned round = 0; round < 80; ++round) {
    size_t rank = pick(1, 3);
    Shape in, out, low, high, interior;
    for (size_t i = 0; i < rank; ++i) {
      in.push_back(pick(0, 4));
      low.push_back(pick(-3, 3));
      high.push_back(pick(-3, 3));
      interior.push_back(pick(0, 2));
      int64_t size = in[i] + std::max<int64_t>(in[i] - 1, 0) * interior[i];
      if (size + low[i] + high[i] < 0)
        high[i] = -size - low[i];
      out.push_back(size + low[i] + high[i]);
    }
    Reads reads;
    std::set<Point> covered;
    forEach(in, [&](const Point &x) {
      Point y;
      bool inside = true;
      for (size_t i = 0; i < rank; ++i) {
        y.push_back(low[i] + x[i] * (interior[i] + 1));
        inside &= y[i] >= 0 && y[i] < out[i];
      }
      if (inside) {
        reads[0].insert({y, x});
        covered.insert(y);
      }
    });
    forEach(out, [&](const Point &y) {
      if (!covered.count(y))
        reads[1].insert({y, {}});
    });
    checkResult(opText("stablehlo.pad",
                       "edge_padding_low = " + array(low) +
                           ", edge_padding_high = " + array(high) +
                           ", interior_padding = " + array(interior),
                       {type(in), "tensor<f32>"}, {type(out)}),
                0, reads);
  }
}

/// Starts outside of the tensor are clamped.
TEST_F(Hlo, DynamicSlice) {
  for (unsigned round = 0; round < 40; ++round) {
    Shape whole{pick(1, 5), pick(1, 5)};
    Shape part{pick(1, whole[0]), pick(0, whole[1])};
    int64_t first = pick(-3, 8), second = pick(-3, 8);
    Numbers firstData{{Point(), first}}, secondData{{Point(), second}};
    Shape starts{std::min(std::max<int64_t>(first, 0), whole[0] - part[0]),
                 std::min(std::max<int64_t>(second, 0), whole[1] - part[1])};
    Reads slice, update;
    std::set<Point> covered;
    forEach(part, [&](const Point &i) {
      Point at{i[0] + starts[0], i[1] + starts[1]};
      slice[0].insert({i, at});
      update[1].insert({at, i});
      covered.insert(at);
    });
    forEach(whole, [&](const Point &i) {
      if (!covered.count(i))
        update[0].insert({i, i});
    });
    for (unsigned o : {1u, 2u})
      addScalar(slice, o, part);
    for (unsigned o : {2u, 3u})
      addScalar(update, o, whole);
    checkResult(
        opText("stablehlo.dynamic_slice", "slice_sizes = " + array(part),
               {type(whole), "tensor<i32>", "tensor<i32>"}, {type(part)}),
        0, slice, {{1, firstData}, {2, secondData}});
    checkResult(opText("stablehlo.dynamic_update_slice", "",
                       {type(whole), type(part), "tensor<i32>", "tensor<i32>"},
                       {type(whole)}),
                0, update, {{2, firstData}, {3, secondData}});
  }
  Reads rank0;
  rank0[1].insert({{}, {}});
  checkResult(opText("stablehlo.dynamic_update_slice", "",
                     {"tensor<f32>", "tensor<f32>"}, {"tensor<f32>"}),
              0, rank0);
  // The older form has all starts in one operand.
  Reads vector;
  forEach({2, 3}, [&](const Point &i) {
    vector[0].insert({i, {i[0] + 1, i[1] + 2}});
    vector[1].insert({i, {0}});
    vector[1].insert({i, {1}});
  });
  Numbers starts;
  starts[{0}] = 1;
  starts[{1}] = 9;
  checkResult(opText("mhlo.dynamic_slice", "slice_sizes = array<i64: 2, 3>",
                     {type({4, 5}), "tensor<2xi32>"}, {type({2, 3})}),
              0, vector, {{1, starts}});
}

} // namespace
