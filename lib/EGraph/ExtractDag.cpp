//===- ExtractDag.cpp - Terms in which what is shared counts once ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DagProblem.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;

/// Rounds of the lower bound in extractDag.
static constexpr unsigned kBoundRounds = 8;

std::optional<Extraction> mlir::tensoraccess::extractDag(
    const ExtractionGraph &graph, ArrayRef<double> costs,
    ArrayRef<uint32_t> roots, const DagOptions &options, std::string &problem) {
  std::optional<detail::DagProblem> small =
      detail::DagProblem::make(graph, costs, roots, problem);
  if (!small)
    return std::nullopt;
  std::vector<uint32_t> choice = small->trees;
  if (options.effort > 0)
    detail::searchDag(*small, choice, options.effort);
  Extraction result = small->translate(graph, choice);
  if (result.cost < std::numeric_limits<double>::infinity()) {
    result.lowerBound =
        std::min(result.cost, detail::boundDag(*small, choice, kBoundRounds));
    result.isOptimal = result.lowerBound >= result.cost * (1 - 1e-9);
  }
  return result;
}
