//===- VectorSquares.cpp - Squares of vectors, transposed -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector is lanes of 16 bytes, within which and of which processors shuffle by
// one instruction without a table:
// 1. of as many rows as a lane has elements, each lane is a small square: each
//    step interleaves the elements of row i and of the row half of them further;
// 2. of as many such groups as there are lanes, the lanes are a square: each step
//    takes the even and the odd lanes of two neighbours apart.
//
//===----------------------------------------------------------------------===//

#include "VectorSquares.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

SmallVector<Value>
mlir::tensoraccess::transposeSquare(OpBuilder &b, Location loc,
                                    SmallVector<Value> rows) {
  constexpr int64_t kLaneBits = 128;
  const int64_t count = rows.size();
  Type element = cast<VectorType>(rows.front().getType()).getElementType();
  const int64_t lane = llvm::bit_floor<uint64_t>(std::clamp<int64_t>(
      kLaneBits / element.getIntOrFloatBitWidth(), 1, count));
  const int64_t lanes = count / lane;
  auto shuffle = [&](Value x, Value y, ArrayRef<int64_t> mask) {
    return vector::ShuffleOp::create(b, loc, x, y, mask);
  };
  SmallVector<int64_t> low, high, even, odd;
  for (int64_t i = 0; i < count; ++i) {
    // Lane i / lane; of the elements of both rows every other one.
    int64_t place = i / lane * lane + i % lane / 2 + i % 2 * count;
    low.push_back(place);
    high.push_back(place + lane / 2);
    // The first half of the lanes is the first row's.
    int64_t from = 2 * (i / lane) * lane + i % lane;
    even.push_back(from);
    odd.push_back(from + lane);
  }
  for (int64_t step = 1; step < lane; step *= 2) {
    SmallVector<Value> next(count);
    for (int64_t group = 0; group < count; group += lane)
      for (int64_t i = 0; i < lane / 2; ++i) {
        Value x = rows[group + i], y = rows[group + i + lane / 2];
        next[group + 2 * i] = shuffle(x, y, low);
        next[group + 2 * i + 1] = shuffle(x, y, high);
      }
    rows = std::move(next);
  }
  // Column c of all lanes of a group is its row c.
  for (int64_t step = 1; step < lanes; step *= 2) {
    SmallVector<Value> next(count);
    for (int64_t c = 0; c < lane; ++c)
      for (int64_t i = 0; i < lanes / 2; ++i) {
        Value x = rows[2 * i * lane + c], y = rows[(2 * i + 1) * lane + c];
        next[i * lane + c] = shuffle(x, y, even);
        next[(i + lanes / 2) * lane + c] = shuffle(x, y, odd);
      }
    rows = std::move(next);
  }
  return rows;
}
