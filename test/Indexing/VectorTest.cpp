//===- VectorTest.cpp - What vector's ops read, by brute force ------------===//
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

using Vector = OracleTest;

TEST_F(Vector, Movement) {
  Reads broadcast, transpose, cast, finer, coarser;
  forEach({2, 3, 4}, [&](const Point &i) {
    broadcast[0].insert({i, {0, i[2]}});
    transpose[0].insert({{i[2], i[0], i[1]}, i});
    cast[0].insert({{i[0] * 3 + i[1], i[2]}, i});
  });
  forEach({2, 4, 2}, [&](const Point &i) {
    finer[0].insert({{i[0], i[1] * 2 + i[2]}, {i[0], i[1]}});
    coarser[0].insert({{i[0], i[1]}, {i[0], i[1] * 2 + i[2]}});
  });
  check(R"((%x: vector<1x4xf32>) {
    %r = vector.broadcast %x {check} : vector<1x4xf32> to vector<2x3x4xf32>
    return
  })",
        broadcast);
  check(R"((%x: vector<2x3x4xf32>) {
    %r = vector.transpose %x, [2, 0, 1] {check} : vector<2x3x4xf32> to vector<4x2x3xf32>
    return
  })",
        transpose);
  check(R"((%x: vector<2x3x4xf32>) {
    %r = vector.shape_cast %x {check} : vector<2x3x4xf32> to vector<6x4xf32>
    return
  })",
        cast);
  check(R"((%x: vector<2x4xf32>) {
    %r = vector.bitcast %x {check} : vector<2x4xf32> to vector<2x8xf16>
    return
  })",
        finer);
  check(R"((%x: vector<2x8xf16>) {
    %r = vector.bitcast %x {check} : vector<2x8xf16> to vector<2x4xf32>
    return
  })",
        coarser);
}

TEST_F(Vector, Parts) {
  Reads extract, insert, extractSlice, insertSlice;
  forEach({4}, [&](const Point &i) { extract[0].insert({i, {1, 2, i[0]}}); });
  forEach({2, 3, 4}, [&](const Point &i) {
    if (i[0] == 1 && i[1] == 2)
      insert[0].insert({i, {i[2]}});
    else
      insert[1].insert({i, i});
  });
  forEach({2, 3}, [&](const Point &i) {
    extractSlice[0].insert({i, {i[0] + 1, i[1]}});
  });
  forEach({2, 4, 5}, [&](const Point &i) {
    if (i[0] == 1 && i[1] < 2 && i[2] >= 2)
      insertSlice[0].insert({i, {i[1], i[2] - 2}});
    else
      insertSlice[1].insert({i, i});
  });
  check(R"((%x: vector<2x3x4xf32>) {
    %r = vector.extract %x[1, 2] {check} : vector<4xf32> from vector<2x3x4xf32>
    return
  })",
        extract);
  check(R"((%v: vector<4xf32>, %x: vector<2x3x4xf32>) {
    %r = vector.insert %v, %x[1, 2] {check} : vector<4xf32> into vector<2x3x4xf32>
    return
  })",
        insert);
  check(R"((%x: vector<4x3xf32>) {
    %r = vector.extract_strided_slice %x {check, offsets = [1], sizes = [2], strides = [1]}
           : vector<4x3xf32> to vector<2x3xf32>
    return
  })",
        extractSlice);
  check(R"((%v: vector<2x3xf32>, %x: vector<2x4x5xf32>) {
    %r = vector.insert_strided_slice %v, %x {check, offsets = [1, 0, 2], strides = [1, 1]}
           : vector<2x3xf32> into vector<2x4x5xf32>
    return
  })",
        insertSlice);
}

TEST_F(Vector, Reductions) {
  Reads all, some, outer, scan;
  forEach({5}, [&](const Point &i) { all[0].insert({{}, i}); });
  all[1].insert({{}, {}});
  forEach({2, 3, 4}, [&](const Point &i) {
    some[0].insert({{i[1]}, i});
    some[1].insert({{i[1]}, {i[1]}});
  });
  forEach({2, 3}, [&](const Point &i) {
    outer[0].insert({i, {i[0]}});
    outer[1].insert({i, {i[1]}});
    outer[2].insert({i, i});
    for (int64_t s = 0; s < i[0]; ++s)
      scan[0].insert({i, {s, i[1]}});
    scan[1].insert({i, {i[1]}});
  });
  check(R"((%x: vector<5xf32>, %a: f32) {
    %r = vector.reduction <add>, %x, %a {check} : vector<5xf32> into f32
    return
  })",
        all);
  check(R"((%x: vector<2x3x4xf32>, %a: vector<3xf32>) {
    %r = vector.multi_reduction <add>, %x, %a {check} [0, 2] : vector<2x3x4xf32> to vector<3xf32>
    return
  })",
        some);
  check(R"((%x: vector<2xf32>, %y: vector<3xf32>, %a: vector<2x3xf32>) {
    %r = vector.outerproduct %x, %y, %a {check} : vector<2xf32>, vector<3xf32>
    return
  })",
        outer);
  check(R"((%x: vector<2x3xf32>, %i: vector<3xf32>) {
    %r:2 = vector.scan <add>, %x, %i {check, inclusive = false, reduction_dim = 0 : i64}
             : vector<2x3xf32>, vector<3xf32>
    return
  })",
        scan);
}

TEST_F(Vector, Elements) {
  Reads shuffle, rows, one, many, mask;
  const int64_t numbers[] = {0, 1, 2, 5, 6, -1, 3, 3};
  for (int64_t i = 0; i < 8; ++i)
    if (numbers[i] >= 0)
      shuffle[numbers[i] >= 4].insert({{i}, {numbers[i] % 4}});
  const int64_t slices[] = {4, 2, 0, 1};
  forEach({4, 3}, [&](const Point &i) {
    const int64_t slice = slices[i[0]];
    rows[slice >= 2].insert({i, {slice >= 2 ? slice - 2 : slice, i[1]}});
  });
  one[0].insert({{}, {0, 0}});
  for (int64_t i = 0; i < 6; ++i)
    many[i].insert({{i / 3, i % 3}, {}});
  forEach({3, 4}, [&](const Point &i) {
    mask[0].insert({i, {}});
    mask[1].insert({i, {}});
  });
  check(R"((%x: vector<4xf32>, %y: vector<4xf32>) {
    %r = vector.shuffle %x, %y [0, 1, 2, 5, 6, -1, 3, 3] {check}
           : vector<4xf32>, vector<4xf32>
    return
  })",
        shuffle);
  check(R"((%x: vector<2x3xf32>, %y: vector<3x3xf32>) {
    %r = vector.shuffle %x, %y [4, 2, 0, 1] {check}
           : vector<2x3xf32>, vector<3x3xf32>
    return
  })",
        rows);
  check(R"((%x: vector<2x3xf32>) {
    %r:6 = vector.to_elements %x {check} : vector<2x3xf32>
    return
  })",
        one);
  check(R"((%a: f32, %b: f32, %c: f32) {
    %r = vector.from_elements %a, %b, %c, %c, %b, %a {check} : vector<2x3xf32>
    return
  })",
        many);
  check(R"((%a: index, %b: index) {
    %r = vector.create_mask %a, %b {check} : vector<3x4xi1>
    return
  })",
        mask);
  check(R"(() {
    %r = vector.constant_mask [2, 4] {check} : vector<3x4xi1>
    return
  })",
        Reads());
}

// The last element of a vector goes to the last result.
TEST_F(Vector, ToElements) {
  Operation *op = parse(R"((%x: vector<2x3xf32>) {
    %r:6 = vector.to_elements %x {check} : vector<2x3xf32>
    return
  })");
  ASSERT_TRUE(op);
  OpIndexing indexing = getIndexing(op);
  for (unsigned r = 0; r < 6; ++r)
    EXPECT_EQ(indexing.outputToInput(r, 0).str(),
              "() -> (" + std::to_string(r / 3) + ", " + std::to_string(r % 3) +
                  ")");
}

TEST_F(Vector, Interleave) {
  Reads together, apart;
  forEach({2, 3}, [&](const Point &i) {
    together[0].insert({{i[0], 2 * i[1]}, i});
    together[1].insert({{i[0], 2 * i[1] + 1}, i});
    apart[0].insert({i, {i[0], 2 * i[1]}});
  });
  check(R"((%x: vector<2x3xf32>, %y: vector<2x3xf32>) {
    %r = vector.interleave %x, %y {check} : vector<2x3xf32> -> vector<2x6xf32>
    return
  })",
        together);
  // Two vectors of rank 0 make one of rank 1.
  Reads pair;
  pair[0].insert(Pair(Point{0}, Point()));
  pair[1].insert(Pair(Point{1}, Point()));
  check(R"((%x: vector<f32>, %y: vector<f32>) {
    %r = vector.interleave %x, %y {check} : vector<f32> -> vector<2xf32>
    return
  })",
        pair);
  check(R"((%x: vector<2x6xf32>) {
    %r, %s = vector.deinterleave %x {check} : vector<2x6xf32> -> vector<2x3xf32>
    return
  })",
        apart);
}

} // namespace
