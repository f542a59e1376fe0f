//===- ExtractDag.cpp - Terms in which what is shared counts once ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"
#include "Graph/PrintNumber.h"

#include <algorithm>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

/// Rounds of the lower bound: many where they are cheap.
static unsigned getBoundRounds(const detail::DagProblem &problem) {
  const size_t size = problem.getNumNodes() + problem.children.size() + 1;
  return std::clamp<size_t>(3'000'000 / size, 3, 100);
}

std::optional<detail::Clock::time_point>
mlir::tensoraccess::detail::getDeadline(double seconds) {
  // A time beyond the clock's range is never.
  if (seconds > 1e8)
    return std::nullopt;
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

std::optional<Extraction> mlir::tensoraccess::extractDag(
    const ExtractionGraph &graph, ArrayRef<double> costs,
    ArrayRef<uint32_t> roots, const DagOptions &options, std::string &problem) {
  if (!(options.effort >= 0)) {
    problem = "the effort must not be negative, got " +
              detail::printNumber(options.effort);
    return std::nullopt;
  }
  if (!(options.seconds >= 0)) {
    problem = "the seconds of the search must not be negative, got " +
              detail::printNumber(options.seconds);
    return std::nullopt;
  }
  const std::optional<detail::Clock::time_point> deadline =
      detail::getDeadline(options.seconds);
  std::optional<detail::DagProblem> small =
      detail::DagProblem::make(graph, costs, roots, problem);
  if (!small)
    return std::nullopt;
  std::vector<uint32_t> choice = small->trees;
  if (options.effort > 0)
    detail::searchDag(*small, choice, options.effort, deadline);
  Extraction result = small->translate(graph, choice);
  if (options.boundRounds > 0 &&
      result.cost < std::numeric_limits<double>::infinity()) {
    const double bound = detail::boundDag(
        *small, choice, std::min(options.boundRounds, getBoundRounds(*small)),
        deadline);
    result.isOptimal = bound >= result.cost * (1 - 1e-9);
    result.lowerBound = result.isOptimal ? result.cost : bound;
  }
  return result;
}
