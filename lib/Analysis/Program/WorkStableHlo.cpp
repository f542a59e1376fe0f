//===- WorkStableHlo.cpp - The arithmetic of StableHLO by name ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkStableHlo.h"
#include "TensorAccess/Core/Support.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Own for ops that have no row.
static HloTraits::Work getWork(StringRef name) {
  const HloTraits *traits = getHloTraits(name);
  return traits ? traits->work : HloTraits::Work::Own;
}

/// Operations of a body for each element; none where it holds anything else.
static std::optional<int64_t> countBody(Operation *op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return std::nullopt;
  int64_t count = 0;
  for (Operation &inner : op->getRegion(0).front()) {
    if (!isHlo(&inner) || inner.getNumRegions() != 0)
      return std::nullopt;
    const HloTraits::Work work = getWork(getHloName(&inner));
    if (work == HloTraits::Work::Own)
      return std::nullopt;
    count += work == HloTraits::Work::Each;
  }
  return count;
}

static std::optional<int64_t> countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  return elementCount(type.getShape());
}

int64_t mlir::tensoraccess::getSumDepth(Type element, int64_t reduced) {
  auto type = dyn_cast<FloatType>(element);
  if (!type || getSumType(type) == type || reduced <= 1)
    return reduced;
  auto wide = cast<FloatType>(getSumType(type));
  const int64_t finer =
      int64_t(1) << (wide.getFPMantissaWidth() - type.getFPMantissaWidth());
  return llvm::divideCeilSigned(reduced, finer) + 1;
}

std::optional<HloWork> mlir::tensoraccess::countHloWork(Operation *op) {
  StringRef name = getHloName(op);
  const HloTraits::Work work = getWork(name);
  if (work == HloTraits::Work::Free)
    return HloWork{0, 0, 0};
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return std::nullopt;
  std::optional<int64_t> points = countElements(op->getResult(0));
  if (!points)
    return std::nullopt;
  if (work == HloTraits::Work::Each)
    return HloWork{1, *points, 1};
  std::string why;
  std::optional<int64_t> reduced, inner = 2;
  if (name == "dot" || name == "dot_general") {
    auto dot = HloDot::read(op, why);
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!dot || !type || !type.hasStaticShape())
      return std::nullopt;
    SmallVector<int64_t> sizes;
    for (int64_t dim : dot->lhsContract)
      sizes.push_back(type.getDimSize(dim));
    reduced = elementCount(sizes);
  } else if (name == "convolution") {
    auto conv = HloConvolution::read(op, why);
    auto type = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
    if (!conv || !type || !type.hasStaticShape())
      return std::nullopt;
    SmallVector<int64_t> sizes = {type.getDimSize(conv->numbers.kernel.first)};
    for (int64_t dim : conv->numbers.kernel.spatial)
      sizes.push_back(type.getDimSize(dim));
    reduced = elementCount(sizes);
  } else if (name == "reduce") {
    auto reduce = HloReduce::read(op, why);
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!reduce || !type || !type.hasStaticShape())
      return std::nullopt;
    SmallVector<int64_t> sizes;
    for (int64_t dim : reduce->dims)
      sizes.push_back(type.getDimSize(dim));
    reduced = elementCount(sizes);
    inner = countBody(op);
  } else if (name == "reduce_window") {
    auto windows = HloWindows::read(op, why);
    if (!windows)
      return std::nullopt;
    SmallVector<int64_t> sizes;
    for (const HloWindowDim &dim : windows->dims)
      sizes.push_back(dim.window);
    reduced = elementCount(sizes);
    inner = countBody(op);
  } else {
    return std::nullopt;
  }
  if (!reduced || !inner)
    return std::nullopt;
  std::optional<int64_t> all = checkedMul(*points, *reduced);
  if (!all)
    return std::nullopt;
  // Bodies that do more than add round each of their steps.
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  auto isSum = [](Region &region) {
    return !region.empty() && isHloSum(region.front(), 0);
  };
  if (llvm::all_of(op->getRegions(), isSum))
    reduced = getSumDepth(element, *reduced);
  return HloWork{*inner, *all, *reduced};
}
