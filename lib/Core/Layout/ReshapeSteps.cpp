//===- ReshapeSteps.cpp - A reshape as independent steps ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Begin a step with one dimension of each shape.
//   2. While their products differ, take one more on the side of the smaller.
//   3. What is left when one shape is used up has size 1: it joins the last
//      step.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/ReshapeSteps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::StringRef mlir::tensoraccess::describe(ReshapeKind kind) {
  switch (kind) {
  case ReshapeKind::Identity:
    return "Identity";
  case ReshapeKind::IncreaseRank:
    return "IncreaseRank";
  case ReshapeKind::DecreaseRank:
    return "DecreaseRank";
  case ReshapeKind::ExpandShape:
    return "ExpandShape";
  case ReshapeKind::CollapseShape:
    return "CollapseShape";
  case ReshapeKind::Reshape:
    return "Reshape";
  }
  return "";
}

static bool isReal(int64_t size) { return size != 1; }

static ReshapeKind classify(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> a, b;
  llvm::copy_if(from, std::back_inserter(a), isReal);
  llvm::copy_if(to, std::back_inserter(b), isReal);
  if (a == b)
    return from.size() < to.size()   ? ReshapeKind::IncreaseRank
           : from.size() > to.size() ? ReshapeKind::DecreaseRank
                                     : ReshapeKind::Identity;
  if (a.size() == 1 && b.size() > 1)
    return ReshapeKind::ExpandShape;
  if (a.size() > 1 && b.size() == 1)
    return ReshapeKind::CollapseShape;
  return ReshapeKind::Reshape;
}

std::optional<SmallVector<ReshapeStep>>
mlir::tensoraccess::getReshapeSteps(ArrayRef<int64_t> from,
                                    ArrayRef<int64_t> to) {
  auto isNegative = [](int64_t size) { return size < 0; };
  if (llvm::any_of(from, isNegative) || llvm::any_of(to, isNegative))
    return std::nullopt;
  const bool isEmpty = llvm::is_contained(from, 0);
  if (isEmpty != llvm::is_contained(to, 0))
    return std::nullopt;
  SmallVector<ReshapeStep> steps;
  const unsigned n = from.size(), m = to.size();
  if (from == to) {
    for (unsigned i = 0; i != n; ++i)
      steps.push_back({i, 1, i, 1, ReshapeKind::Identity});
    return steps;
  }
  unsigned i = 0, j = 0;
  while (!isEmpty && i != n && j != m) {
    ReshapeStep step{i, 0, j, 0, ReshapeKind::Identity};
    int64_t a = from[i++], b = to[j++];
    while (a != b) {
      const bool takesInput = a < b;
      if (takesInput ? i == n : j == m)
        return std::nullopt;
      if (takesInput ? llvm::MulOverflow(a, from[i++], a)
                     : llvm::MulOverflow(b, to[j++], b))
        return std::nullopt;
    }
    step.inputCount = i - step.inputStart;
    step.outputCount = j - step.outputStart;
    steps.push_back(step);
  }
  if (!isEmpty && (llvm::any_of(from.drop_front(i), isReal) ||
                   llvm::any_of(to.drop_front(j), isReal)))
    return std::nullopt;
  if (steps.empty())
    steps.push_back({0, 0, 0, 0, ReshapeKind::Identity});
  const ReshapeStep last = steps.back();
  steps.back().inputCount = n - last.inputStart;
  steps.back().outputCount = m - last.outputStart;
  for (ReshapeStep &step : steps)
    step.kind = classify(from.slice(step.inputStart, step.inputCount),
                         to.slice(step.outputStart, step.outputCount));
  // Units on other sides of the same dimension: they come and go, which is not
  // an identity.
  ReshapeStep &end = steps.back();
  if (end.kind == ReshapeKind::Identity &&
      from.drop_front(end.inputStart) != to.drop_front(end.outputStart)) {
    end.inputCount = last.inputCount;
    end.outputCount = last.outputCount;
    end.kind = classify(from.slice(end.inputStart, end.inputCount),
                        to.slice(end.outputStart, end.outputCount));
    const unsigned i = end.inputStart + end.inputCount,
                   j = end.outputStart + end.outputCount;
    steps.push_back({i, n - i, j, m - j, classify(from.slice(i), to.slice(j))});
  }
  return steps;
}
