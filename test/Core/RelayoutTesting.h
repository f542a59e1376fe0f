//===- RelayoutTesting.h - Random layouts to move between -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small problems for relayouts, and what a relayout is by definition:
// for each logical index, ask both layouts where it lies.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_RELAYOUTTESTING_H
#define TENSORACCESS_TEST_CORE_RELAYOUTTESTING_H

#include "TensorAccess/Core/Layout.h"

#include <algorithm>
#include <functional>
#include <random>

namespace mlir::tensoraccess::testing_relayout {

using Random = std::mt19937;

inline int64_t pick(Random &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

inline llvm::SmallVector<int64_t> randomPermutation(Random &random,
                                                    size_t rank) {
  llvm::SmallVector<int64_t> order;
  for (size_t d = 0; d < rank; ++d)
    order.push_back(d);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

inline Layout randomLayout(Random &random, llvm::ArrayRef<int64_t> shape,
                           llvm::StringRef type) {
  Layout layout = Layout::rowMajor(shape.size());
  layout.minorToMajor.assign(randomPermutation(random, shape.size()));
  static const int64_t sizes[] = {1, 2, 2, 3, 4, 4, 5, 8};
  for (int64_t t = pick(random, 0, 3); t > 0; --t) {
    Tile tile;
    for (int64_t k = pick(random, 1, shape.size() + 1); k > 0; --k)
      if (k > 1 && pick(random, 0, 7) == 0)
        tile.push_back(TileEntry::combine());
      else
        tile.push_back(sizes[pick(random, 0, 7)]);
    layout.tiles.push_back(tile);
  }
  if (pick(random, 0, 5) == 0)
    layout.tailAlignment = pick(random, 1, 40);
  return layout.withShape(shape, *XlaType::lookup(type));
}

/// Another shape of as many elements: sizes split and joined.
inline llvm::SmallVector<int64_t> randomReshape(Random &random,
                                                llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> factors;
  for (int64_t size : shape) {
    int64_t factor = pick(random, 1, 4);
    if (size > 0 && size % factor == 0) {
      factors.push_back(size / factor);
      factors.push_back(factor);
    } else {
      factors.push_back(size);
    }
  }
  llvm::SmallVector<int64_t> joined;
  for (int64_t factor : factors)
    if (!joined.empty() && pick(random, 0, 1))
      joined.back() *= factor;
    else
      joined.push_back(factor);
  return joined;
}

struct Problem {
  Layout source, target;
  llvm::SmallVector<int64_t> permutation;
};

inline Problem randomProblem(Random &random, llvm::StringRef sourceType = "f32",
                             llvm::StringRef targetType = "f32") {
  llvm::SmallVector<int64_t> shape;
  for (int64_t rank = pick(random, 0, 4); rank > 0; --rank)
    shape.push_back(pick(random, pick(random, 0, 30) == 0 ? 0 : 1, 13));
  Problem problem;
  problem.source = randomLayout(random, shape, sourceType);
  llvm::SmallVector<int64_t> permuted = shape;
  if (pick(random, 0, 1)) {
    problem.permutation = randomPermutation(random, shape.size());
    for (size_t d = 0; d < shape.size(); ++d)
      permuted[d] = shape[problem.permutation[d]];
  }
  if (pick(random, 0, 2) == 0)
    permuted = randomReshape(random, permuted);
  problem.target = randomLayout(random, permuted, targetType);
  return problem;
}

/// The definition, element by element.
inline void
forEachByDefinition(const Problem &problem,
                    const std::function<void(int64_t, int64_t)> &move) {
  const auto &from = *problem.source.shape, &to = *problem.target.shape;
  llvm::SmallVector<int64_t> permutation = problem.permutation;
  if (permutation.empty())
    for (size_t d = 0; d < from.size(); ++d)
      permutation.push_back(d);
  int64_t elements = *problem.source.getElements();
  for (int64_t n = 0; n < elements; ++n) {
    llvm::SmallVector<int64_t> a(from.size()), b(to.size());
    int64_t rest = n;
    for (size_t d = from.size(); d-- > 0; rest /= from[permutation[d]])
      a[permutation[d]] = rest % from[permutation[d]];
    rest = n;
    for (size_t d = to.size(); d-- > 0; rest /= to[d])
      b[d] = rest % to[d];
    move(*problem.source.linearize(a), *problem.target.linearize(b));
  }
}

} // namespace mlir::tensoraccess::testing_relayout

#endif // TENSORACCESS_TEST_CORE_RELAYOUTTESTING_H
