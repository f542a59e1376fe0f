//===- TileTerms.h - Tile sizes by rewriting --------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products as terms that rules cut: *tasks*, which nothing runs (their cost is
// infinite), are equal to what the rules rewrite them to.
//
//   split    task(m, k, n) = loop p (task(m/p, k, n)), and k, n; p divides
//   pad      task(m, k, n) = task with k and n rounded up to whole arrays
//   bring    task = bring X (task with X in the scratchpad), if it fits
//   copy     task = bring A (task with A there) (copy of A into panels)
//   run      task with A, B, C there = the array
//
// How often a task runs follows from its sizes, so that each node has a cost of
// its own, which costs of others don't multiply: trees, DAGs and integer
// programs take the same numbers. What a copy costs is a node that products
// share.
//
// Whether a tile fits depends on the others that are there. Either the task
// says how many bytes are left (`Capacity::Exact`), which makes tasks many, or
// each operand has a third (`Capacity::Thirds`).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_TILES_TILETERMS_H
#define TENSORACCESS_BENCH_TILES_TILETERMS_H

#include "TileModel.h"

#include "TensorAccess/EGraph/Saturate.h"

namespace mlir::tensoraccess::bench {

enum class Capacity { Exact, Thirds };
enum class Splits { Halves, Primes };
enum class Extractor { Tree, Dag, Exact };

struct RewritingOptions {
  Capacity capacity = Capacity::Exact;
  Splits splits = Splits::Primes;
  /// Whether copies are rules.
  bool copies = false;
  uint64_t nodes = 2'000'000;
  double seconds = 20, exactSeconds = 20;
};

struct Rewritten {
  /// Of all products, shared copies counted once; infinite where nothing was
  /// found.
  double cost = kInfinity;
  double lowerBound = 0;
  std::vector<TileNest> nests;
  double saturateSeconds = 0, extractSeconds = 0;
  size_t nodes = 0, classes = 0;
  StopReason reason = StopReason::Saturated;
  std::string problem;
};

/// Saturates the products' tasks once, and extracts by each of the extractors.
std::vector<Rewritten> rewrite(const TileMachine &machine,
                               const std::vector<Product> &products,
                               const RewritingOptions &options,
                               const std::vector<Extractor> &extractors);

/// As other work on rewriting has it: a matrix is the concatenation of its
/// slices, and every slice is a term. Blocks are cut by halves down to the
/// array's sides; each that fits is brought as a whole, and partial sums are
/// added in memory.
Rewritten rewriteSlices(const TileMachine &machine, const Product &product,
                        const RewritingOptions &options);

} // namespace mlir::tensoraccess::bench

#endif // TENSORACCESS_BENCH_TILES_TILETERMS_H
