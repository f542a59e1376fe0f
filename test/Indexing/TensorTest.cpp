//===- TensorTest.cpp - What tensor's and scalar ops read, by brute force -===//
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

using Tensor = OracleTest;

/// All pairs of indices with the same row-major number.
Reads reshape(ArrayRef<int64_t> out, ArrayRef<int64_t> in) {
  std::vector<Point> outs, ins;
  forEach(out, [&](const Point &i) { outs.push_back(i); });
  forEach(in, [&](const Point &i) { ins.push_back(i); });
  Reads reads;
  for (size_t n = 0; n < outs.size(); ++n)
    reads[0].insert({outs[n], ins[n]});
  return reads;
}

TEST_F(Tensor, Reshapes) {
  check(R"((%x: tensor<12x5xf32>) {
    %r = tensor.expand_shape %x [[0, 1, 2], [3]] output_shape [2, 1, 6, 5]
           {check} : tensor<12x5xf32> into tensor<2x1x6x5xf32>
    return
  })",
        reshape({2, 1, 6, 5}, {12, 5}));
  check(R"((%x: tensor<3x5x7x2xf32>) {
    %r = tensor.collapse_shape %x [[0], [1, 2, 3]] {check}
           : tensor<3x5x7x2xf32> into tensor<3x70xf32>
    return
  })",
        reshape({3, 70}, {3, 5, 7, 2}));
  check(R"((%x: tensor<4x6x5xf32>, %s: tensor<3xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<4x6x5xf32>, tensor<3xindex>) -> tensor<10x3x4xf32>
    return
  })",
        reshape({10, 3, 4}, {4, 6, 5}));
  check(R"((%x: tensor<0x6xf32>, %s: tensor<2xindex>) {
    %r = tensor.reshape %x(%s) {check}
           : (tensor<0x6xf32>, tensor<2xindex>) -> tensor<5x0xf32>
    return
  })",
        {});
  check(R"((%x: tensor<1x1xf32>) {
    %r = tensor.collapse_shape %x [] {check}
           : tensor<1x1xf32> into tensor<f32>
    return
  })",
        reshape({}, {1, 1}));
}

TEST_F(Tensor, Pad) {
  Reads reads;
  forEach({3, 5},
          [&](const Point &i) { reads[0].insert({{i[0] + 1, i[1] + 2}, i}); });
  check(R"((%x: tensor<3x5xf32>, %v: f32) {
    %r = tensor.pad %x low[1, 2] high[3, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %v : f32
    } {check} : tensor<3x5xf32> to tensor<7x7xf32>
    return
  })",
        reads);
}

TEST_F(Tensor, ExtractSlice) {
  Reads reads;
  forEach({5, 3, 25}, [&](const Point &i) {
    reads[0].insert({i, {i[0] + 5, i[1] * 7 + 3, i[2] * 2}});
  });
  check(R"((%x: tensor<10x20x50xf32>) {
    %r = tensor.extract_slice %x[5, 3, 0] [5, 3, 25] [1, 7, 2] {check}
           : tensor<10x20x50xf32> to tensor<5x3x25xf32>
    return
  })",
        reads);
  Reads reduced;
  forEach({3, 2}, [&](const Point &i) {
    reduced[0].insert({i, {i[0] + 1, 4, i[1] * 3}});
  });
  check(R"((%x: tensor<5x7x6xf32>) {
    %r = tensor.extract_slice %x[1, 4, 0] [3, 1, 2] [1, 1, 3] {check}
           : tensor<5x7x6xf32> to tensor<3x2xf32>
    return
  })",
        reduced);
}

/// The destination is read exactly where the slice is not.
TEST_F(Tensor, InsertSlice) {
  Reads reads;
  forEach({7, 9}, [&](const Point &i) {
    int64_t row = i[0] - 2, column = i[1] - 1;
    if (row >= 0 && row < 3 && column >= 0 && column <= 6 && column % 3 == 0)
      reads[0].insert({i, {row, column / 3}});
    else
      reads[1].insert({i, i});
  });
  check(R"((%s: tensor<3x3xf32>, %d: tensor<7x9xf32>) {
    %r = tensor.insert_slice %s into %d[2, 1] [3, 3] [1, 3] {check}
           : tensor<3x3xf32> into tensor<7x9xf32>
    return
  })",
        reads);
  Reads all;
  forEach({3, 5}, [&](const Point &i) { all[0].insert({i, i}); });
  check(R"((%s: tensor<3x5xf32>, %d: tensor<3x5xf32>) {
    %r = tensor.insert_slice %s into %d[0, 0] [3, 5] [1, 1] {check}
           : tensor<3x5xf32> into tensor<3x5xf32>
    return
  })",
        all);
}

TEST_F(Tensor, Concat) {
  Reads reads;
  forEach({2, 33, 3}, [&](const Point &i) {
    if (i[1] < 5)
      reads[0].insert({i, i});
    else if (i[1] < 16)
      reads[1].insert({i, {i[0], i[1] - 5, i[2]}});
    else
      reads[2].insert({i, {i[0], i[1] - 16, i[2]}});
  });
  check(
      R"((%x: tensor<2x5x3xf32>, %y: tensor<2x11x3xf32>, %z: tensor<2x17x3xf32>) {
    %r = tensor.concat dim(1) %x, %y, %z {check}
      : (tensor<2x5x3xf32>, tensor<2x11x3xf32>, tensor<2x17x3xf32>)
      -> tensor<2x33x3xf32>
    return
  })",
      reads);
}

TEST_F(Tensor, SplatAndElements) {
  Reads splat, elements;
  forEach({2, 3}, [&](const Point &i) {
    splat[0].insert({i, {}});
    elements[i[0] * 3 + i[1]].insert({i, {}});
  });
  check(R"((%x: f32) {
    %r = tensor.splat %x {check} : tensor<2x3xf32>
    return
  })",
        splat);
  check(R"((%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32) {
    %r = tensor.from_elements %a, %b, %c, %d, %e, %f {check} : tensor<2x3xf32>
    return
  })",
        elements);
}

TEST_F(Tensor, CastAndEmpty) {
  Reads reads;
  forEach({3, 5}, [&](const Point &i) { reads[0].insert({i, i}); });
  check(R"((%x: tensor<3x5xf32>) {
    %r = tensor.cast %x {check} : tensor<3x5xf32> to tensor<?x5xf32>
    return
  })",
        reads);
  check(R"((%n: index) {
    %r = tensor.empty(%n) {check} : tensor<?x5xf32>
    return
  })",
        {});
  check(R"((%x: tensor<3x5xf32>, %n: index) {
    %r = tensor.dim {check} %x, %n : tensor<3x5xf32>
    return
  })",
        {{1, {{{}, {}}}}});
}

/// Offsets that are values are runtime variables that keep the slice inside.
TEST_F(Tensor, RuntimeOffsets) {
  Operation *op = parse(R"((%x: tensor<10x7xf32>, %i: index) {
    %r = tensor.extract_slice %x[%i, 2] [3, 2] [2, 1] {check}
           : tensor<10x7xf32> to tensor<3x2xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  EXPECT_EQ(indexing.outputToInput(0, 0).str(),
            "(d0, d1){rt0} -> (d0 * 2 + rt0, d1 + 2), domain: d0 in [0, 2], "
            "d1 in [0, 1], rt0 in [0, 5]");
  EXPECT_EQ(indexing.outputToInput(0, 1).str(),
            "(d0, d1) -> (), domain: d0 in [0, 2], d1 in [0, 1]");
  const IndexingMap &up = indexing.inputToOutput(0, 0).getMaps().front();
  for (int64_t offset = 0; offset <= 5; ++offset)
    for (int64_t row = 0; row < 10; ++row) {
      int64_t place = row - offset;
      bool inside = place >= 0 && place < 6 && place % 2 == 0;
      auto got = up.evaluate({row, 3}, {}, {offset});
      EXPECT_EQ(got.has_value(), inside) << up.str();
      if (got && inside)
        EXPECT_EQ((*got)[0], place / 2);
    }
}

TEST_F(Tensor, ElementAtRuntimeIndex) {
  Operation *op = parse(R"((%x: tensor<3x5xf32>, %i: index, %j: index) {
    %r = tensor.extract %x[%i, %j] {check} : tensor<3x5xf32>
    return
  })");
  ASSERT_TRUE(op);
  EXPECT_EQ(getIndexing(op).outputToInput(0, 0).str(),
            "(){rt0, rt1} -> (rt0, rt1), domain: rt0 in [0, 2], rt1 in [0, 4]");
  op = parse(R"((%v: f32, %x: tensor<3x5xf32>, %i: index, %j: index) {
    %r = tensor.insert %v into %x[%i, %j] {check} : tensor<3x5xf32>
    return
  })");
  ASSERT_TRUE(op);
  // The destination is read everywhere but at the index.
  OpIndexing indexing = getIndexing(op);
  forEach({3, 5, 3, 5}, [&](const Point &p) {
    unsigned hits = 0;
    for (const IndexingMap &map : indexing.outputToInput(0, 1).getMaps()) {
      SmallVector<int64_t> at(p.begin() + 2, p.end());
      at.resize(map.getNumRuntime());
      hits += map.containsPoint({p[0], p[1]}, {}, at);
    }
    EXPECT_EQ(hits, p[0] != p[2] || p[1] != p[3] ? 1u : 0u);
  });
}

TEST_F(Tensor, Elementwise) {
  Reads reads, select;
  forEach({3, 5}, [&](const Point &i) {
    for (unsigned operand : {0, 1})
      reads[operand].insert({i, i});
    select[0].insert({i, {}});
    select[1].insert({i, i});
    select[2].insert({i, i});
  });
  check(R"((%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) {
    %r = arith.addf %x, %y {check} : tensor<3x5xf32>
    return
  })",
        reads);
  check(R"((%c: i1, %x: tensor<3x5xf32>, %y: tensor<3x5xf32>) {
    %r = arith.select %c, %x, %y {check} : tensor<3x5xf32>
    return
  })",
        select);
  check(R"((%x: f32) {
    %r = math.exp %x {check} : f32
    return
  })",
        {{0, {{{}, {}}}}});
  check(R"(() {
    %r = arith.constant {check} dense<1.0> : tensor<3x5xf32>
    return
  })",
        {});
}

TEST_F(Tensor, Reasons) {
  EXPECT_EQ(getReason(R"((%x: tensor<3x5xf32>) {
    %r = "no.such"(%x) {check} : (tensor<3x5xf32>) -> tensor<3x5xf32>
    return
  })"),
            IndexingReason::UnregisteredOp);
  EXPECT_EQ(getReason(R"((%x: tensor<*xf32>) {
    %r = tensor.bitcast %x {check} : tensor<*xf32> to tensor<*xi32>
    return
  })"),
            IndexingReason::UnrankedShape);
  EXPECT_EQ(getReason(R"((%m: memref<3xf32>, %i: index) {
    %r = memref.load %m[%i] {check} : memref<3xf32>
    return
  })"),
            IndexingReason::SideEffects);
  EXPECT_EQ(getReason(R"((%x: tensor<?xf32>, %n: index) {
    %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<?xf32> {
      scf.yield %a : tensor<?xf32>
    } {check}
    return
  })"),
            IndexingReason::ControlFlow);
  EXPECT_EQ(getReason(R"((%x: tensor<3xf32>) {
    %r = builtin.unrealized_conversion_cast %x : tensor<3xf32> to i7 {check}
    return
  })"),
            IndexingReason::NoModel);
}

} // namespace
