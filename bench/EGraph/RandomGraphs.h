//===- RandomGraphs.h - E-graphs to choose from -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families of random e-graphs. Each class has one to four nodes; costs are
// whole numbers from 1 to 100. The children of a node, up to three, are
//
//   local    of the thousand classes before, so that terms are deep;
//   uniform  of all classes before;
//   cyclic   the same, but every fourth child is any class;
//   cover    a root needs 20,000 parts, each of which is had from one of five
//            packages, which many parts share: to choose is to cover a set.
//
// The numbers are the same everywhere: no distribution of the library's is
// used.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_BENCH_EGRAPH_RANDOMGRAPHS_H
#define TENSORACCESS_BENCH_EGRAPH_RANDOMGRAPHS_H

#include "TensorAccess/EGraph/Extraction.h"

#include <random>

namespace mlir::tensoraccess::bench {

enum class Family { Local, Uniform, Cyclic, Cover };

inline const char *getName(Family family) {
  static constexpr const char *names[] = {"local", "uniform", "cyclic",
                                          "cover"};
  return names[static_cast<int>(family)];
}

struct RandomGraph {
  RandomGraph(Family family, uint32_t numClasses, uint64_t seed) : rng(seed) {
    for (uint32_t cls = 0; cls != numClasses; ++cls)
      graph.addClass();
    if (family == Family::Cover)
      makeCover(numClasses);
    else
      makeTerms(family, numClasses);
  }

  ExtractionGraph graph;
  std::vector<double> costs;
  std::vector<uint32_t> roots;

private:
  uint32_t below(uint64_t n) { return rng() % n; }

  void add(uint32_t cls, llvm::ArrayRef<uint32_t> children) {
    graph.addNode(cls, children);
    costs.push_back(1 + below(100));
  }

  void makeTerms(Family family, uint32_t numClasses) {
    const uint32_t numLeaves = numClasses / 100;
    for (uint32_t cls = 0; cls != numClasses; ++cls) {
      const uint32_t numNodes = 1 + below(4);
      for (uint32_t node = 0; node != numNodes; ++node) {
        llvm::SmallVector<uint32_t, 3> children;
        if (cls >= numLeaves)
          children.resize(1 + below(3));
        for (uint32_t &child : children) {
          const uint32_t window =
              family == Family::Local ? std::min(cls, 1000u) : cls;
          child = cls - 1 - below(window);
          // The first node keeps every class a finite term.
          if (family == Family::Cyclic && node != 0 && below(4) == 0)
            child = below(numClasses);
        }
        add(cls, children);
      }
    }
    const uint32_t numRoots =
        family == Family::Local ? 1 : std::min<uint32_t>(1000, numClasses);
    for (uint32_t i = 0; i != numRoots; ++i)
      roots.push_back(numClasses - 1 - i);
  }

  void makeCover(uint32_t numClasses) {
    const uint32_t numParts = numClasses / 5, numPackages = numClasses / 50;
    uint32_t cls = 0;
    for (; cls != numPackages; ++cls)
      add(cls, {});
    llvm::SmallVector<uint32_t, 0> parts;
    for (; cls != numPackages + numParts; ++cls) {
      for (int i = 0; i != 5; ++i) {
        graph.addNode(cls, {below(numPackages)});
        costs.push_back(0);
      }
      parts.push_back(cls);
    }
    // Sums of neighbours, up to the root.
    while (parts.size() > 1) {
      llvm::SmallVector<uint32_t, 0> sums;
      for (size_t i = 0; i + 1 < parts.size(); i += 2, ++cls) {
        graph.addNode(cls, {parts[i], parts[i + 1]});
        costs.push_back(1);
        sums.push_back(cls);
      }
      if (parts.size() % 2)
        sums.push_back(parts.back());
      parts = std::move(sums);
    }
    roots.push_back(parts.front());
  }

  std::mt19937_64 rng;
};

} // namespace mlir::tensoraccess::bench

#endif // TENSORACCESS_BENCH_EGRAPH_RANDOMGRAPHS_H
