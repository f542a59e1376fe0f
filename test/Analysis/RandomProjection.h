//===- RandomProjection.h - Random projections with policies ----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Projections of small tensors over small blocks, drawn with a fixed seed: of
// all signs, with axes that move nothing, empty blocks, and policies that allow
// what they have to.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_ANALYSIS_RANDOMPROJECTION_H
#define TENSORACCESS_TEST_ANALYSIS_RANDOMPROJECTION_H

#include "RandomMovement.h"

namespace mlir::tensoraccess {

/// A random projection of a tensor over a block that its policies allow.
struct RandomProjection {
  SmallVector<int64_t> sizes;
  Projection projection;
  IndexRegion block;

  RandomProjection(RandomMovement &random, bool isSeparable) {
    const int64_t rows = random.pick(1, 3), columns = random.pick(0, 3);
    for (int64_t r = 0; r < rows; ++r)
      sizes.push_back(random.pick(1, 5));
    for (int64_t c = 0; c < columns; ++c) {
      block.lo.push_back(random.pick(-2, 2));
      const bool isEmpty = random.pick(0, 11) == 0;
      block.hi.push_back(block.lo.back() + (isEmpty ? 0 : random.pick(1, 4)));
    }
    projection.matrix.resize(rows);
    for (auto &row : projection.matrix)
      row.assign(columns, 0);
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t r = 0; r < rows; ++r)
        if (isSeparable ? random.pick(0, rows) == r : random.pick(0, 2) != 0) {
          projection.matrix[r][c] = random.pick(-3, 3);
          if (isSeparable)
            break;
        }
    for (int64_t r = 0; r < rows; ++r) {
      projection.shape.push_back(random.pick(1, 3));
      projection.offset.push_back(random.pick(-3, 3));
    }
    if (random.pick(0, 1))
      projection.anchor.emplace();
    for (int64_t r = 0; projection.anchor && r < rows; ++r)
      projection.anchor->push_back(random.pick(-1, 1));
    setPolicies(random);
  }

  /// Forbid and negative where they may stand.
  void setPolicies(RandomMovement &random) {
    const IndexRegion hull = *projection.getHull(block);
    for (auto [r, size] : llvm::enumerate(sizes)) {
      const int64_t shift = hull.lo[r] < 0 ? -hull.lo[r] : 0;
      OutOfBounds policy;
      switch (random.pick(0, 5)) {
      case 0:
        // Inside, as far as it has to be.
        projection.offset[r] += shift;
        size = std::max(size, hull.hi[r] + shift);
        break;
      case 1:
        policy.kind = OutOfBounds::Kind::Negative;
        size = std::max({size, hull.hi[r], -hull.lo[r]});
        break;
      case 2:
        policy.kind = OutOfBounds::Kind::Wrap;
        break;
      case 3:
        policy.kind = OutOfBounds::Kind::Clamp;
        break;
      default:
        policy = {OutOfBounds::Kind::Pad,
                  PadValue(random.pick(0, 1) ? 0.0 : 2.5 + r)};
      }
      projection.outOfBounds.push_back(policy);
    }
    ArrayRef<OutOfBounds> all(projection.outOfBounds);
    if (llvm::all_of(
            all, [](auto &p) { return p.kind == OutOfBounds::Kind::Forbid; }))
      projection.outOfBounds.clear();
  }
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TEST_ANALYSIS_RANDOMPROJECTION_H
